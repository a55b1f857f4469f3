//! Statements that cannot be modelled become gaps: only an execution that arrives there ends in "unknown".
//!
//! The smallest statement around the construct is given up. One that others can jump into is no candidate, nor is one around it: labels are
//! to stay. Then the body of the function is given up as a whole.

use super::Sema;
use super::scope::{Ident, Tag};
use crate::ast::{self, BlockItem, Derived, Symbol, TypeSpec};
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
    pub(super) fn unprobed_stmt(&mut self, stmt: &ast::Stmt) -> Result<Stmt> {
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
            self.spoil_inside(&declaration.specs, &error);
            for one in &declaration.declarators {
                self.spoil(one.declarator.name, &error);
            }
            if !is_harmless(declaration) {
                out.push(gap(error, declaration.pos));
            }
            Ok(())
        })
    }

    /// Enumerators and tags that a declaration should have declared on the way: others of the same name are not meant.
    pub(super) fn spoil_inside(&mut self, specs: &ast::DeclSpecs, error: &Error) {
        let index = self.poison(error.message.clone());
        let (mut names, mut tags) = (Vec::new(), Vec::new());
        names_inside(specs, &mut names, &mut tags);
        for name in names {
            self.scopes.declare(name, Ident::Poison(index));
        }
        for tag in tags {
            self.scopes.declare_tag(tag, Tag::Poison(index));
        }
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

/// An object of a type without a model does no harm before it is used, if declaring it computes nothing and runs nothing later.
fn is_harmless(declaration: &ast::Declaration) -> bool {
    let is_plain = |one: &ast::InitDeclarator| {
        let computes = |derived: &Derived| matches!(derived, Derived::Array { .. } | Derived::Function(_));
        one.init.is_none() && one.declarator.attrs.is_empty() && !one.declarator.derived.iter().any(computes)
    };
    let is_simple = matches!(declaration.specs.ty, TypeSpec::Unsupported(_) | TypeSpec::Name(_));
    is_simple && declaration.specs.attrs.is_empty() && declaration.declarators.iter().all(is_plain)
}

/// The enumerators and tags that specifiers define.
fn names_inside(specs: &ast::DeclSpecs, names: &mut Vec<Symbol>, tags: &mut Vec<Symbol>) {
    match &specs.ty {
        TypeSpec::Enum(of) if let Some(constants) = &of.constants => {
            tags.extend(of.tag);
            names.extend(constants.iter().map(|constant| constant.name));
        }
        TypeSpec::Record(of) if let Some(fields) = &of.fields => {
            tags.extend(of.tag);
            for field in fields {
                if let ast::FieldDecl::Fields { specs, .. } = field {
                    names_inside(specs, names, tags);
                }
            }
        }
        _ => {}
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
