//! Rules for floats. They are few: most laws of the real numbers fail for NaNs, zeros or rounding.

use crate::expr::{BinOp, Expr, ExprId, UnOp};
use crate::pool::ExprPool;

pub(super) fn unary(pool: &mut ExprPool, op: UnOp, a: ExprId) -> Option<ExprId> {
    match (op, pool.get(a)) {
        (UnOp::FNeg, Expr::Unary(UnOp::FNeg, x)) => Some(x),
        (UnOp::FAbs, Expr::Unary(UnOp::FNeg | UnOp::FAbs, x)) => Some(pool.unary(UnOp::FAbs, x)),
        (
            UnOp::FIsNan | UnOp::FIsInf | UnOp::FIsZero | UnOp::FIsNormal | UnOp::FIsSubnormal,
            Expr::Unary(UnOp::FNeg | UnOp::FAbs, x),
        ) => Some(pool.unary(op, x)),
        (UnOp::FIsNegative, Expr::Unary(UnOp::FAbs, _)) => Some(pool.bool(false)),
        (UnOp::FIsNegative, Expr::UToF { .. }) => Some(pool.bool(false)),
        (UnOp::FIsNan | UnOp::FIsSubnormal, Expr::SToF { .. } | Expr::UToF { .. }) => Some(pool.bool(false)),
        (UnOp::FToBits, Expr::BitsToF { arg, .. }) => Some(arg),
        _ => None,
    }
}

pub(super) fn binary(pool: &mut ExprPool, op: BinOp, a: ExprId, b: ExprId) -> Option<ExprId> {
    match op {
        BinOp::FLt if a == b => Some(pool.bool(false)),
        BinOp::FEq | BinOp::FLe if a == b => {
            let nan = pool.unary(UnOp::FIsNan, a);
            Some(pool.not(nan))
        }
        _ => None,
    }
}

pub(super) fn convert(pool: &mut ExprPool, expr: Expr, arg: ExprId) -> Option<ExprId> {
    match (expr, pool.get(arg)) {
        (Expr::BitsToF { to, .. }, Expr::Unary(UnOp::FToBits, x)) => {
            (pool.sort(x) == crate::sort::Sort::Float(to)).then_some(x)
        }
        // An extended value is the same number.
        (Expr::SToF { to, .. }, Expr::ZeroExt { arg: x, .. }) => Some(pool.u_to_f(to, x)),
        (Expr::UToF { to, .. }, Expr::ZeroExt { arg: x, .. }) => Some(pool.u_to_f(to, x)),
        (Expr::SToF { to, .. }, Expr::SignExt { arg: x, .. }) => Some(pool.s_to_f(to, x)),
        _ => None,
    }
}
