//! Is there any expression in which the order of evaluation could matter? In most functions there is none, and nobody needs to know what calls do.
//!
//! That takes two evaluations that are not sequenced, one of them a call (or what counts as one: `va_arg`, a statement expression, an access of an
//! atomic variable) and the other an access or a call. What they do is the business of `effects` and `orders`.

use super::orders::is_sequenced;
use crate::hir::visit::{Part, in_expr, in_statement};
use crate::hir::{Expr, ExprKind, Stmt, StmtKind};
use crate::types::{Type, Types};

/// What is evaluated in an expression.
#[derive(Clone, Copy, Default)]
struct Evaluated {
    a_call: bool,
    an_access: bool,
    /// A call beside something else, in any order.
    unordered: bool,
}

impl Evaluated {
    /// Takes up what is evaluated beside it.
    fn add(&mut self, other: Evaluated, is_sequenced: bool) {
        let is_pair = self.a_call && other.an_access || self.an_access && other.a_call;
        self.unordered |= other.unordered || is_pair && !is_sequenced;
        self.a_call |= other.a_call;
        self.an_access |= other.an_access;
    }
}

pub(super) fn in_statements(types: &Types, statements: &[Stmt]) -> bool {
    statements.iter().any(|statement| {
        // The values of an initialiser are not sequenced.
        let mut beside = Evaluated::default();
        let is_initialiser = matches!(statement.kind, StmtKind::Local(..));
        in_statement(statement, |part| match part {
            Part::Expr(expr) => beside.add(evaluated(types, expr), !is_initialiser),
            Part::Stmts(statements) => beside.unordered = beside.unordered || in_statements(types, statements),
        });
        beside.unordered
    })
}

fn evaluated(types: &Types, expr: &Expr) -> Evaluated {
    let is_sequenced = is_sequenced(expr);
    let mut all = Evaluated::default();
    in_expr(expr, |part| match part {
        Part::Expr(operand) => all.add(evaluated(types, operand), is_sequenced),
        Part::Stmts(statements) => all.unordered = all.unordered || in_statements(types, statements),
    });
    // The two accesses of `x += f()` are one evaluation, after the call (C11 6.5.16.2).
    let is_call = matches!(expr.kind, ExprKind::Call { .. } | ExprKind::VaArg(_) | ExprKind::StmtExpr(..));
    let is_access = matches!(
        expr.kind,
        ExprKind::Load(_)
            | ExprKind::Assign(..)
            | ExprKind::AssignOp { .. }
            | ExprKind::AssignPtrAdd { .. }
            | ExprKind::IncDec { .. }
    );
    all.a_call |= is_call || matches!(types.get(expr.ty), Type::Atomic(_));
    all.an_access |= is_call || is_access;
    all
}
