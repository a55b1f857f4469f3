//! Rules for bit-vector arithmetic and shifts.
//!
//! Sums keep their constant at the outside, `(x + y) + k`, and subtraction of a constant is addition, so that
//! addresses of neighbouring places have the same base.

use super::{are_complements, bits_of, width};
use crate::eval;
use crate::expr::{BinOp, Expr, ExprId, UnOp};
use crate::pool::ExprPool;

pub(super) fn complement(pool: &mut ExprPool, a: ExprId) -> Option<ExprId> {
    match pool.get(a) {
        Expr::Unary(UnOp::BvNot, x) => Some(x),
        // ~-x is x - 1
        Expr::Unary(UnOp::BvNeg, x) => {
            let minus_one = pool.bits(width(pool, a), u128::MAX);
            Some(pool.binary(BinOp::BvAdd, x, minus_one))
        }
        Expr::Binary(BinOp::BvXor, x, k) if pool.as_const(k).is_some() => {
            let k = pool.unary(UnOp::BvNot, k);
            Some(pool.binary(BinOp::BvXor, x, k))
        }
        _ => None,
    }
}

pub(super) fn negate(pool: &mut ExprPool, a: ExprId) -> Option<ExprId> {
    match pool.get(a) {
        Expr::Unary(UnOp::BvNeg, x) => Some(x),
        Expr::Binary(BinOp::BvSub, x, y) => Some(pool.binary(BinOp::BvSub, y, x)),
        Expr::Binary(BinOp::BvAdd, x, k) if pool.as_const(k).is_some() => {
            let k = pool.unary(UnOp::BvNeg, k);
            Some(pool.binary(BinOp::BvSub, k, x))
        }
        _ => None,
    }
}

/// `x + k` as x and k.
fn split_sum(pool: &ExprPool, id: ExprId) -> (ExprId, u128) {
    match pool.get(id) {
        Expr::Binary(BinOp::BvAdd, x, k) => bits_of(pool, k).map_or((id, 0), |k| (x, k)),
        _ => (id, 0),
    }
}

fn negated(pool: &ExprPool, id: ExprId) -> Option<ExprId> {
    match pool.get(id) {
        Expr::Unary(UnOp::BvNeg, x) => Some(x),
        _ => None,
    }
}

/// `base + k`
fn offset(pool: &mut ExprPool, base: ExprId, k: u128) -> ExprId {
    let k = pool.bits(width(pool, base), k);
    pool.binary(BinOp::BvAdd, base, k)
}

pub(super) fn add(pool: &mut ExprPool, a: ExprId, b: ExprId) -> Option<ExprId> {
    if let Some(k) = bits_of(pool, b) {
        return match pool.get(a) {
            _ if k == 0 => Some(a),
            Expr::Binary(BinOp::BvAdd, x, y) => {
                let j = bits_of(pool, y)?;
                Some(offset(pool, x, j.wrapping_add(k)))
            }
            Expr::Binary(BinOp::BvSub, x, y) => {
                let j = bits_of(pool, x)?;
                let sum = pool.bits(width(pool, a), j.wrapping_add(k));
                Some(pool.binary(BinOp::BvSub, sum, y))
            }
            Expr::Unary(UnOp::BvNot, x) if k == 1 => Some(pool.unary(UnOp::BvNeg, x)),
            _ => None,
        };
    }
    if are_complements(pool, a, b) {
        return Some(pool.bits(width(pool, a), u128::MAX));
    }
    for (p, q) in [(a, b), (b, a)] {
        if let Some(x) = negated(pool, q) {
            return Some(pool.binary(BinOp::BvSub, p, x));
        }
        if let Expr::Binary(BinOp::BvSub, x, y) = pool.get(q)
            && y == p
        {
            return Some(x);
        }
    }
    let ((x, j), (y, k)) = (split_sum(pool, a), split_sum(pool, b));
    if x == a && y == b {
        return None;
    }
    let sum = pool.binary(BinOp::BvAdd, x, y);
    Some(offset(pool, sum, j.wrapping_add(k)))
}

pub(super) fn subtract(pool: &mut ExprPool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let n = width(pool, a);
    if a == b {
        return Some(pool.bits(n, 0));
    }
    if let Some(k) = bits_of(pool, b) {
        return Some(offset(pool, a, k.wrapping_neg()));
    }
    if let Some(x) = negated(pool, b) {
        return Some(pool.binary(BinOp::BvAdd, a, x));
    }
    if let Some(k) = bits_of(pool, a) {
        return match pool.get(b) {
            _ if k == 0 => Some(pool.unary(UnOp::BvNeg, b)),
            Expr::Binary(BinOp::BvAdd, x, y) => {
                let j = bits_of(pool, y)?;
                let rest = pool.bits(n, k.wrapping_sub(j));
                Some(pool.binary(BinOp::BvSub, rest, x))
            }
            Expr::Binary(BinOp::BvSub, x, y) => {
                let j = bits_of(pool, x)?;
                Some(offset(pool, y, k.wrapping_sub(j)))
            }
            _ => None,
        };
    }
    match pool.get(a) {
        Expr::Binary(BinOp::BvAdd, x, y) if x == b => return Some(y),
        Expr::Binary(BinOp::BvAdd, x, y) if y == b => return Some(x),
        Expr::Binary(BinOp::BvSub, x, y) if x == b => return Some(pool.unary(UnOp::BvNeg, y)),
        _ => {}
    }
    match pool.get(b) {
        Expr::Binary(BinOp::BvAdd, x, y) if x == a => return Some(pool.unary(UnOp::BvNeg, y)),
        Expr::Binary(BinOp::BvAdd, x, y) if y == a => return Some(pool.unary(UnOp::BvNeg, x)),
        Expr::Binary(BinOp::BvSub, x, y) if x == a => return Some(y),
        _ => {}
    }
    let ((x, j), (y, k)) = (split_sum(pool, a), split_sum(pool, b));
    if x == a && y == b {
        return None;
    }
    let difference = pool.binary(BinOp::BvSub, x, y);
    Some(offset(pool, difference, j.wrapping_sub(k)))
}

pub(super) fn multiply(pool: &mut ExprPool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let n = width(pool, a);
    let Some(k) = bits_of(pool, b) else {
        let (x, y) = (negated(pool, a)?, negated(pool, b)?);
        return Some(pool.binary(BinOp::BvMul, x, y));
    };
    match pool.get(a) {
        _ if k == 0 => Some(b),
        _ if k == 1 => Some(a),
        _ if k == eval::mask(n) => Some(pool.unary(UnOp::BvNeg, a)),
        Expr::Binary(BinOp::BvMul, x, y) => {
            let j = bits_of(pool, y)?;
            let product = pool.bits(n, j.wrapping_mul(k));
            Some(pool.binary(BinOp::BvMul, x, product))
        }
        Expr::Unary(UnOp::BvNeg, x) => {
            let k = pool.bits(n, k.wrapping_neg());
            Some(pool.binary(BinOp::BvMul, x, k))
        }
        _ => None,
    }
}

/// Is the top bit surely 0?
fn is_not_negative(pool: &ExprPool, id: ExprId) -> bool {
    match pool.get(id) {
        Expr::Const(c) => c.bits >> (width(pool, id) - 1) == 0,
        Expr::ZeroExt { .. } => true,
        _ => false,
    }
}

pub(super) fn divide(pool: &mut ExprPool, op: BinOp, a: ExprId, b: ExprId) -> Option<ExprId> {
    let n = width(pool, a);
    let unsigned = match op {
        BinOp::BvSDiv => BinOp::BvUDiv,
        BinOp::BvSRem => BinOp::BvURem,
        _ => op,
    };
    if op != unsigned && is_not_negative(pool, a) && is_not_negative(pool, b) {
        return Some(pool.binary(unsigned, a, b));
    }
    let k = bits_of(pool, b)?;
    match op {
        BinOp::BvURem | BinOp::BvSRem if k == 0 => Some(a),
        BinOp::BvUDiv if k == 0 => Some(pool.bits(n, u128::MAX)),
        BinOp::BvSDiv if k == 0 => None,
        BinOp::BvUDiv if k.is_power_of_two() => {
            let by = pool.bits(n, k.trailing_zeros().into());
            Some(pool.binary(BinOp::LShr, a, by))
        }
        BinOp::BvURem if k.is_power_of_two() => {
            let mask = pool.bits(n, k - 1);
            Some(pool.binary(BinOp::BvAnd, a, mask))
        }
        BinOp::BvSDiv if k == eval::mask(n) => Some(pool.unary(UnOp::BvNeg, a)),
        BinOp::BvSDiv if k == 1 => Some(a),
        BinOp::BvSRem if k == 1 || k == eval::mask(n) => Some(pool.bits(n, 0)),
        _ => None,
    }
}

pub(super) fn shift(pool: &mut ExprPool, op: BinOp, a: ExprId, b: ExprId) -> Option<ExprId> {
    let n = width(pool, a);
    if bits_of(pool, a) == Some(0) {
        return Some(a);
    }
    let k = bits_of(pool, b)?;
    if k == 0 {
        return Some(a);
    }
    let all = u128::from(n);
    if k >= all {
        return Some(match op {
            BinOp::AShr => {
                let all_but_one = pool.bits(n, all - 1);
                pool.binary(op, a, all_but_one)
            }
            _ => pool.bits(n, 0),
        });
    }
    match pool.get(a) {
        Expr::Binary(inner, x, y) if inner == op => {
            let sum = bits_of(pool, y)?.min(all) + k;
            if sum >= all && op != BinOp::AShr {
                return Some(pool.bits(n, 0));
            }
            let by = pool.bits(n, sum.min(all - 1));
            Some(pool.binary(op, x, by))
        }
        _ => None,
    }
}
