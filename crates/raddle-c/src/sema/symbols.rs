//! What the linker and the loader look at: pragmas about symbols, and functions in sections that run around `main`.

use super::Sema;
use crate::ast;
use crate::error::Error;
use crate::hir::{ExprKind, FnId, GlobalId, InitValue};
use crate::source::Pos;

impl Sema<'_> {
    /// Pragmas about symbols act on the declarations of their unit.
    pub(super) fn pragmas(&mut self, pragmas: &[ast::Pragma]) {
        for pragma in pragmas {
            match *pragma {
                ast::Pragma::Weak(name, None) => {
                    self.weak.insert(name);
                }
                ast::Pragma::Weak(name, Some(target)) => {
                    self.aliases.insert(name, target);
                }
                ast::Pragma::Symbol(name, symbol) => {
                    self.symbols.insert(name, symbol);
                }
            }
        }
    }

    /// Functions whose addresses lie in `.init_array` or `.fini_array` run before and after `main`.
    pub(super) fn run_around_main(&mut self, id: GlobalId, section: &str, pos: Pos) {
        let starts = |names: &[&str]| names.iter().any(|name| section.starts_with(name));
        let (first, last) = (starts(&[".init_array", ".preinit_array"]), starts(&[".fini_array"]));
        if !first && !last && !starts(&[".ctors", ".dtors"]) {
            return;
        }
        let entries = self.globals[id.index()].init.iter().flat_map(|init| &init.entries);
        let functions: Option<Vec<FnId>> = entries.map(|entry| function_named(&entry.value)).collect();
        match functions.filter(|_| (first || last) && matches!(section, ".init_array" | ".fini_array")) {
            Some(functions) => {
                for function in functions {
                    let priority = super::specs::LAST_PRIORITY;
                    let (constructor, destructor) = (first.then_some(priority), last.then_some(priority));
                    self.note_around_main(function, constructor, destructor, pos);
                }
            }
            None => {
                self.always.get_or_insert(Error::unsupported(pos, format!("the section `{section}`")));
            }
        }
    }
}

/// The function whose address an initialiser is.
fn function_named(value: &InitValue) -> Option<FnId> {
    let InitValue::Expr(expr) = value else { return None };
    let mut expr = expr;
    loop {
        match &expr.kind {
            ExprKind::Convert(inner) | ExprKind::Decay(inner) | ExprKind::AddrOf(inner) => expr = inner,
            ExprKind::Function(id) => return Some(*id),
            _ => return None,
        }
    }
}
