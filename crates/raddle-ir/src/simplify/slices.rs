//! Rules for extraction, extension and concatenation: bytes taken apart and put together again give the value that they came from.

use super::{bits_of, width};
use crate::expr::{BinOp, Expr, ExprId, UnOp};
use crate::pool::ExprPool;

pub(super) fn extract(pool: &mut ExprPool, high: u8, low: u8, arg: ExprId) -> Option<ExprId> {
    let result = high - low + 1;
    match pool.get(arg) {
        Expr::Extract { low: inner, arg: x, .. } => Some(pool.extract(high + inner, low + inner, x)),
        Expr::Binary(BinOp::Concat, x, y) => {
            let split = width(pool, y);
            if low >= split {
                Some(pool.extract(high - split, low - split, x))
            } else if high < split {
                Some(pool.extract(high, low, y))
            } else {
                None
            }
        }
        Expr::ZeroExt { arg: x, .. } => {
            let n = width(pool, x);
            if low >= n {
                return Some(pool.bits(result, 0));
            }
            let part = pool.extract(high.min(n - 1), low, x);
            Some(pool.zero_ext(result, part))
        }
        Expr::SignExt { arg: x, .. } => {
            let n = width(pool, x);
            // What lies beyond the operand is copies of its top bit.
            let part = pool.extract(high.min(n - 1), low.min(n - 1), x);
            Some(pool.sign_ext(result, part))
        }
        Expr::Binary(op @ (BinOp::BvAnd | BinOp::BvOr | BinOp::BvXor), x, k) if pool.as_const(k).is_some() => {
            let (x, k) = (pool.extract(high, low, x), pool.extract(high, low, k));
            Some(pool.binary(op, x, k))
        }
        Expr::Binary(BinOp::LShr, x, k) => {
            let by = bits_of(pool, k)?;
            let n = u128::from(width(pool, x));
            if u128::from(low) + by >= n {
                return Some(pool.bits(result, 0));
            }
            let (top, bottom) = ((u128::from(high) + by).min(n - 1) as u8, low + by as u8);
            let part = pool.extract(top, bottom, x);
            Some(pool.zero_ext(result, part))
        }
        Expr::Binary(BinOp::Shl, x, k) => {
            let by = bits_of(pool, k)?;
            if u128::from(high) < by {
                return Some(pool.bits(result, 0));
            }
            if u128::from(low) < by {
                return None;
            }
            Some(pool.extract(high - by as u8, low - by as u8, x))
        }
        // The low bits of a sum depend on low bits only. C widens narrow operands before it adds: this undoes that.
        Expr::Binary(
            op @ (BinOp::BvAdd | BinOp::BvSub | BinOp::BvMul | BinOp::BvAnd | BinOp::BvOr | BinOp::BvXor),
            x,
            y,
        ) if low == 0 && narrows(pool, x) && narrows(pool, y) => {
            let (x, y) = (pool.extract(high, 0, x), pool.extract(high, 0, y));
            Some(pool.binary(op, x, y))
        }
        Expr::Unary(op @ (UnOp::BvNot | UnOp::BvNeg), x) if low == 0 && narrows(pool, x) => {
            let x = pool.extract(high, 0, x);
            Some(pool.unary(op, x))
        }
        _ => None,
    }
}

/// Does taking low bits of it cost nothing?
fn narrows(pool: &ExprPool, id: ExprId) -> bool {
    matches!(pool.get(id), Expr::Const(_) | Expr::ZeroExt { .. } | Expr::SignExt { .. })
}

pub(super) fn zero_ext(pool: &mut ExprPool, to: u8, arg: ExprId) -> Option<ExprId> {
    match pool.get(arg) {
        Expr::ZeroExt { arg: x, .. } => Some(pool.zero_ext(to, x)),
        _ => None,
    }
}

pub(super) fn sign_ext(pool: &mut ExprPool, to: u8, arg: ExprId) -> Option<ExprId> {
    match pool.get(arg) {
        Expr::SignExt { arg: x, .. } => Some(pool.sign_ext(to, x)),
        // Its top bit is 0.
        Expr::ZeroExt { arg: x, .. } => Some(pool.zero_ext(to, x)),
        _ => None,
    }
}

pub(super) fn concat(pool: &mut ExprPool, a: ExprId, b: ExprId) -> Option<ExprId> {
    if bits_of(pool, a) == Some(0) {
        let to = width(pool, a) + width(pool, b);
        return Some(pool.zero_ext(to, b));
    }
    if let Some(joined) = joined(pool, a, b) {
        return Some(joined);
    }
    match (pool.get(a), pool.get(b)) {
        (_, Expr::Binary(BinOp::Concat, x, y)) => {
            if let Some(joined) = joined(pool, a, x) {
                return Some(pool.binary(BinOp::Concat, joined, y));
            }
        }
        (Expr::Binary(BinOp::Concat, x, y), _) => {
            if let Some(joined) = joined(pool, y, b) {
                return Some(pool.binary(BinOp::Concat, x, joined));
            }
        }
        (Expr::ZeroExt { arg: x, .. }, _) => {
            let to = width(pool, a) + width(pool, b);
            let inner = pool.binary(BinOp::Concat, x, b);
            return Some(pool.zero_ext(to, inner));
        }
        _ => {}
    }
    None
}

/// Neighbouring slices of one value, or two constants, as one.
fn joined(pool: &mut ExprPool, a: ExprId, b: ExprId) -> Option<ExprId> {
    match (pool.get(a), pool.get(b)) {
        (Expr::Const(_), Expr::Const(_)) => Some(pool.binary(BinOp::Concat, a, b)),
        (Expr::Extract { high, low, arg: x }, Expr::Extract { high: next, low: last, arg: y })
            if x == y && next + 1 == low =>
        {
            Some(pool.extract(high, last, x))
        }
        _ => None,
    }
}
