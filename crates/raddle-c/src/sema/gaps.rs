//! Statements that cannot be modelled become gaps: only an execution that arrives there ends in "unknown".
//!
//! The smallest statement around the construct is given up. One that others can jump into is no candidate, nor is one around it: labels are
//! to stay. Then the body of the function is given up as a whole.

use super::Sema;
use crate::ast::{self, BlockItem};
use crate::error::{Error, ErrorKind, Result};
use crate::hir::{Stmt, StmtKind};
use crate::source::Pos;

/// What a statement that is given up may have left behind.
struct Before {
    depth: u32,
    unevaluated: u32,
    prototype: u32,
    static_init: bool,
}

impl Sema<'_> {
    pub(super) fn stmt(&mut self, stmt: &ast::Stmt) -> Result<Stmt> {
        let before = self.before();
        self.known_stmt(stmt).or_else(|error| {
            if error.kind != ErrorKind::Unsupported || is_target(stmt) {
                return Err(error);
            }
            self.give_up(&before);
            Ok(gap(error, stmt.pos))
        })
    }

    /// A declaration in a block. Names that it should have declared lead to gaps as well.
    pub(super) fn declaration_or_gap(&mut self, declaration: &ast::Declaration, out: &mut Vec<Stmt>) -> Result<()> {
        let before = self.before();
        self.block_declaration(declaration, out).or_else(|error| {
            if error.kind != ErrorKind::Unsupported {
                return Err(error);
            }
            self.give_up(&before);
            for one in &declaration.declarators {
                self.spoil(one.declarator.name, &error);
            }
            // An object of a type without a model does no harm before it is used.
            let is_used = declaration.declarators.iter().any(|one| one.init.is_some());
            if is_used || self.specs_type(&declaration.specs, false).is_ok() {
                out.push(gap(error, declaration.pos));
            }
            self.give_up(&before);
            Ok(())
        })
    }

    fn before(&self) -> Before {
        Before {
            depth: self.scopes.depth(),
            unevaluated: self.unevaluated,
            prototype: self.prototype,
            static_init: self.static_init,
        }
    }

    fn give_up(&mut self, before: &Before) {
        self.scopes.pop_to(before.depth);
        self.unevaluated = before.unevaluated;
        self.prototype = before.prototype;
        self.static_init = before.static_init;
        if let Some(body) = &mut self.body {
            body.pending.clear();
        }
    }
}

pub(super) fn gap(error: Error, pos: Pos) -> Stmt {
    Stmt { pos: error.pos.unwrap_or(pos), kind: StmtKind::Gap(error.message) }
}

/// Can a jump lead into it?
fn is_target(stmt: &ast::Stmt) -> bool {
    match &stmt.kind {
        ast::StmtKind::Label { .. } | ast::StmtKind::Case { .. } | ast::StmtKind::Default(_) => true,
        ast::StmtKind::Block(block) => block.items.iter().any(|item| match item {
            BlockItem::Stmt(stmt) => is_target(stmt),
            BlockItem::Declaration(_) | BlockItem::StaticAssert(_) | BlockItem::NestedFunction(_) => false,
        }),
        ast::StmtKind::If { then, otherwise, .. } => is_target(then) || otherwise.as_deref().is_some_and(is_target),
        ast::StmtKind::While { body, .. } | ast::StmtKind::DoWhile { body, .. } | ast::StmtKind::For { body, .. } => {
            is_target(body)
        }
        // Its own cases are no targets from outside, but there may be labels.
        ast::StmtKind::Switch { body, .. } => is_target(body),
        ast::StmtKind::Expr(_)
        | ast::StmtKind::Goto(_)
        | ast::StmtKind::ComputedGoto(_)
        | ast::StmtKind::Break
        | ast::StmtKind::Continue
        | ast::StmtKind::Return(_)
        | ast::StmtKind::Asm(_) => false,
    }
}
