//! Does a program use `printf` and its like only to print? Then their formats need not be followed: the text goes nowhere, and nobody asks for its length.
//!
//! A statement that is a call with a literal format without `%n` only prints. All else that mentions such a function may use its result, call it
//! through a pointer, or have a format that stores.

use crate::ast::{Block, BlockItem, Encoding, Expr, ExprKind, Item, Stmt, StmtKind, Symbol, Unit};
use crate::interner::Interner;
use rustc_hash::FxHashMap;

/// The functions, and which argument is the format.
const FUNCTIONS: [(&str, usize); 6] =
    [("printf", 0), ("fprintf", 1), ("dprintf", 1), ("vprintf", 0), ("vfprintf", 1), ("vdprintf", 1)];

/// Whether formats are to be followed. `declarations`: how often functions are only declared.
pub fn follows_formats(units: &[Unit], interner: &Interner, declarations: &FxHashMap<Symbol, u32>) -> bool {
    let known = |(name, format): (&str, usize)| {
        let builtin = format!("__builtin_{name}");
        let spellings = [interner.known(name), interner.known(&builtin)];
        spellings.into_iter().flatten().map(move |(symbol, times)| (symbol, (format, times)))
    };
    let formats: FxHashMap<Symbol, (usize, u32)> = FUNCTIONS.into_iter().flat_map(known).collect();
    let mut plain: FxHashMap<Symbol, u32> = FxHashMap::default();
    for item in units.iter().flat_map(|unit| &unit.items) {
        if let Item::Function(function) = item {
            in_block(&function.body, &mut |name, args| {
                let is_plain = formats.get(&name).is_some_and(|(at, _)| args.get(*at).is_some_and(is_harmless));
                *plain.entry(name).or_default() += u32::from(is_plain);
            });
        }
    }
    let count = |table: &FxHashMap<Symbol, u32>, name: &Symbol| table.get(name).copied().unwrap_or(0);
    formats.iter().any(|(name, (_, times))| *times > count(declarations, name) + count(&plain, name))
}

/// A literal without `%n`.
fn is_harmless(format: &Expr) -> bool {
    let ExprKind::Str { units, encoding: Encoding::Plain } = &format.kind else { return false };
    let bytes: Vec<u8> = units.iter().map(|unit| *unit as u8).collect();
    !mentions_count(&bytes)
}

/// Has a format the conversion `%n`, or something that may be one?
pub fn mentions_count(format: &[u8]) -> bool {
    format.split(|c| *c == b'%').skip(1).any(|after| {
        let end = after.iter().position(|c| !b"0123456789+-# 'I.*$hlqjztLZ".contains(c));
        end.is_some_and(|end| after[end] == b'n')
    })
}

fn in_block(block: &Block, found: &mut dyn FnMut(Symbol, &[Expr])) {
    for item in &block.items {
        if let BlockItem::Stmt(stmt) = item {
            in_statement(stmt, found);
        }
    }
}

/// Tells the calls that are statements.
fn in_statement(stmt: &Stmt, found: &mut dyn FnMut(Symbol, &[Expr])) {
    match &stmt.kind {
        StmtKind::Expr(Some(expr)) => match &expr.kind {
            ExprKind::Call { callee, args } => {
                if let ExprKind::Name(name) = callee.kind {
                    found(name, args);
                }
            }
            ExprKind::StmtExpr(block) => in_block(block, found),
            _ => {}
        },
        StmtKind::Block(block) => in_block(block, found),
        StmtKind::If { then, otherwise, .. } => {
            in_statement(then, found);
            if let Some(otherwise) = otherwise {
                in_statement(otherwise, found);
            }
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::For { body, .. }
        | StmtKind::Switch { body, .. }
        | StmtKind::Case { body, .. }
        | StmtKind::Default(body)
        | StmtKind::Label { body, .. } => in_statement(body, found),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_found_in_formats() {
        for format in ["%n", "%d%hhn", "%%%n", "a%-5lln"] {
            assert!(mentions_count(format.as_bytes()), "{format}");
        }
        for format in ["", "%d\n", "%dn", "no"] {
            assert!(!mentions_count(format.as_bytes()), "{format}");
        }
    }
}
