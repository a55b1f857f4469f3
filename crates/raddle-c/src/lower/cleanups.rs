//! The attribute `cleanup`: a call that runs whenever the scope of a variable is left, by its end, by `return` (after the result is computed), by `break`, `continue` or
//! `goto`. What was declared last runs first. Ending the thread or the program runs none.

use super::builder::{Builder, LocalHome};
use super::memory_safety::AtScopeEnd;
use crate::error::Result;
use crate::hir::visit::{Part, in_expr, in_statement};
use crate::hir::{Expr, LabelId, LocalId, Stmt, StmtKind};
use raddle_ir::ExprId;

/// What is there at a label: a cleanup (by where it is in the typed tree), or a local.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AtLabel {
    Call(usize),
    Local(LocalId),
}

/// For each label, the cleanups that its scopes run and the locals that they have, the innermost last.
pub(super) type AtLabels = Vec<Vec<AtLabel>>;

fn address(call: &Expr) -> usize {
    std::ptr::from_ref(call).addr()
}

/// The cleanups at the labels of a body, and the locals if their lives count: given their sizes, if these are known.
pub(super) fn at_labels(body: &[Stmt], labels: usize, with_locals: bool, sizes: Sizes) -> AtLabels {
    let mut found = vec![Vec::new(); labels];
    if labels > 0 {
        scan(body, &mut Vec::new(), &mut found, sizes);
    }
    if !with_locals {
        found.iter_mut().for_each(|all| all.retain(|at| matches!(at, AtLabel::Call(_))));
    }
    found
}

type Sizes<'s> = &'s dyn Fn(LocalId) -> Option<u64>;

/// The variables that a block declares.
pub(super) fn declared(body: &[Stmt]) -> impl Iterator<Item = LocalId> {
    body.iter().filter_map(|stmt| if let StmtKind::Local(local, _) = stmt.kind { Some(local) } else { None })
}

fn scan(statements: &[Stmt], active: &mut Vec<AtLabel>, found: &mut AtLabels, sizes: Sizes) {
    for statement in statements {
        let outer = active.len();
        match &statement.kind {
            // They live in all of the block, also before they are declared.
            StmtKind::Block(body) => {
                active.extend(declared(body).filter(|local| sizes(*local).is_some()).map(AtLabel::Local));
            }
            StmtKind::Cleanup(call) => active.push(AtLabel::Call(address(call))),
            StmtKind::Local(local, _) => active.push(AtLabel::Local(*local)),
            StmtKind::Label(label, _) => found[label.index()].clone_from(active),
            _ => {}
        }
        in_statement(statement, |part| scan_part(part, active, found, sizes));
        if matches!(statement.kind, StmtKind::Block(_) | StmtKind::For { .. }) {
            active.truncate(outer);
        }
    }
}

fn scan_part(part: Part, active: &mut Vec<AtLabel>, found: &mut AtLabels, sizes: Sizes) {
    match part {
        Part::Expr(expr) => {
            let outer = active.len();
            in_expr(expr, |part| scan_part(part, active, found, sizes));
            active.truncate(outer);
        }
        Part::Stmts(statements) => scan(statements, active, found, sizes),
    }
}

impl<'a> Builder<'_, 'a> {
    /// Lowers a scope, and leaves it.
    pub fn scope(&mut self, lower: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let outer = self.cleanups.len();
        self.scopes += 1;
        let done = lower(self);
        self.scopes -= 1;
        done?;
        self.leave_scope(outer)
    }

    /// The same for one with a value, which is computed before.
    pub fn scope_with_value(&mut self, lower: impl FnOnce(&mut Self) -> Result<ExprId>) -> Result<ExprId> {
        let outer = self.cleanups.len();
        self.scopes += 1;
        let value = lower(self);
        self.scopes -= 1;
        let mut value = value?;
        if self.cleanups.len() > outer {
            let kept = self.temp(self.cx.pool.sort(value));
            self.assign(kept, value);
            value = self.var_value(kept);
        }
        self.leave_scope(outer)?;
        Ok(value)
    }

    /// Runs what is to run at the end of scopes, until so many are left.
    pub fn leave_scope(&mut self, outer: usize) -> Result<()> {
        self.run_cleanups(outer)?;
        self.cleanups.truncate(outer);
        Ok(())
    }

    /// The same for a jump: the text goes on in the scopes.
    pub fn run_cleanups(&mut self, outer: usize) -> Result<()> {
        for index in (outer..self.cleanups.len()).rev() {
            match self.cleanups[index] {
                AtScopeEnd::Call(call) => self.effect(call)?,
                AtScopeEnd::Life(holder) | AtScopeEnd::Array(holder) => self.end_life(holder),
            }
        }
        Ok(())
    }

    /// How many cleanups a jump to a label leaves to run.
    pub fn kept_at(&self, label: LabelId) -> usize {
        let there = &self.label_cleanups[label.index()];
        let is_there = |end: &&AtScopeEnd| {
            there.iter().any(|there| match (there, end) {
                (AtLabel::Call(there), AtScopeEnd::Call(call)) => address(call) == *there,
                (AtLabel::Local(local), AtScopeEnd::Life(holder) | AtScopeEnd::Array(holder)) => {
                    matches!(self.home(*local), LocalHome::Memory(address) if address == *holder)
                }
                _ => false,
            })
        };
        self.cleanups.iter().take_while(is_there).count()
    }
}
