//! Rules for `Eq` and the orders of bit-vectors.
//!
//! A comparison with a constant becomes strict, or an equality where only one value is left.

use super::{are_complements, bits_of, width};
use crate::eval;
use crate::expr::{BinOp, Expr, ExprId, UnOp};
use crate::pool::ExprPool;
use crate::sort::Sort;

/// A constant is the right operand.
pub(super) fn equal(pool: &mut ExprPool, a: ExprId, b: ExprId) -> Option<ExprId> {
    if a == b {
        return Some(pool.bool(true));
    }
    match pool.sort(a) {
        Sort::Bool => equal_bools(pool, a, b),
        Sort::Bits(n) => match bits_of(pool, b) {
            Some(k) => equal_constant(pool, n, a, k),
            None => equal_bits(pool, n, a, b),
        },
        Sort::Float(_) | Sort::Array { .. } => choice_equals(pool, a, b),
    }
}

fn equal_bools(pool: &mut ExprPool, a: ExprId, b: ExprId) -> Option<ExprId> {
    if let Some(k) = bits_of(pool, b) {
        return Some(if k != 0 { a } else { pool.not(a) });
    }
    if are_complements(pool, a, b) {
        return Some(pool.bool(false));
    }
    match (pool.get(a), pool.get(b)) {
        (Expr::Unary(UnOp::Not, x), Expr::Unary(UnOp::Not, y)) => Some(pool.eq(x, y)),
        _ => None,
    }
}

/// `a = k` by undoing on k what a does.
fn equal_constant(pool: &mut ExprPool, n: u8, a: ExprId, k: u128) -> Option<ExprId> {
    let equals = |pool: &mut ExprPool, x: ExprId, k: u128| {
        let k = pool.bits(width(pool, x), k);
        pool.eq(x, k)
    };
    match pool.get(a) {
        Expr::Unary(UnOp::BvNot, x) => Some(equals(pool, x, !k)),
        Expr::Unary(UnOp::BvNeg, x) => Some(equals(pool, x, k.wrapping_neg())),
        Expr::Binary(BinOp::BvAdd, x, y) => {
            let j = bits_of(pool, y)?;
            let rest = pool.bits(n, k.wrapping_sub(j));
            Some(pool.eq(x, rest))
        }
        Expr::Binary(BinOp::BvXor, x, y) => match bits_of(pool, y) {
            Some(j) => {
                let rest = pool.bits(n, k ^ j);
                Some(pool.eq(x, rest))
            }
            None if k == 0 => Some(pool.eq(x, y)),
            None => None,
        },
        Expr::Binary(BinOp::BvSub, x, y) => match bits_of(pool, x) {
            Some(j) => {
                let rest = pool.bits(n, j.wrapping_sub(k));
                Some(pool.eq(y, rest))
            }
            None if k == 0 => Some(pool.eq(x, y)),
            None => None,
        },
        Expr::Binary(BinOp::Concat, x, y) => {
            let low = width(pool, y);
            let (high_k, low_k) = (pool.bits(n - low, k >> low), pool.bits(low, k));
            let (high, low) = (pool.eq(x, high_k), pool.eq(y, low_k));
            Some(pool.and(high, low))
        }
        // A bit that the mask or the multiplier clears must be clear.
        Expr::Binary(BinOp::BvAnd, _, y) if bits_of(pool, y).is_some_and(|mask| k & !mask != 0) => {
            Some(pool.bool(false))
        }
        Expr::Binary(BinOp::BvOr, _, y) if bits_of(pool, y).is_some_and(|set| set & !k != 0) => Some(pool.bool(false)),
        Expr::Binary(BinOp::BvOr, x, y) if k == 0 => {
            let zero = pool.bits(n, 0);
            let (x, y) = (pool.eq(x, zero), pool.eq(y, zero));
            Some(pool.and(x, y))
        }
        Expr::ZeroExt { arg, .. } => {
            let inner = width(pool, arg);
            if k >> inner != 0 {
                return Some(pool.bool(false));
            }
            Some(equals(pool, arg, k))
        }
        Expr::SignExt { arg, .. } => {
            let inner = width(pool, arg);
            if eval::to_signed(inner, k) != eval::to_signed(n, k) {
                return Some(pool.bool(false));
            }
            Some(equals(pool, arg, k))
        }
        Expr::Ite(..) => {
            let k = pool.bits(n, k);
            choice_equals(pool, a, k)
        }
        _ => None,
    }
}

/// An `Ite` with a constant branch, compared with a constant.
fn choice_equals(pool: &mut ExprPool, a: ExprId, k: ExprId) -> Option<ExprId> {
    let Expr::Ite(c, x, y) = pool.get(a) else { return None };
    pool.as_const(k)?;
    if pool.as_const(x).is_none() && pool.as_const(y).is_none() {
        return None;
    }
    let (x, y) = (pool.eq(x, k), pool.eq(y, k));
    Some(pool.ite(c, x, y))
}

fn equal_bits(pool: &mut ExprPool, n: u8, a: ExprId, b: ExprId) -> Option<ExprId> {
    if are_complements(pool, a, b) {
        return Some(pool.bool(false));
    }
    match (pool.get(a), pool.get(b)) {
        (Expr::ZeroExt { arg: x, .. }, Expr::ZeroExt { arg: y, .. }) => {
            let inner = width(pool, x).max(width(pool, y));
            let (x, y) = (pool.zero_ext(inner, x), pool.zero_ext(inner, y));
            return Some(pool.eq(x, y));
        }
        (Expr::SignExt { arg: x, .. }, Expr::SignExt { arg: y, .. }) => {
            let inner = width(pool, x).max(width(pool, y));
            let (x, y) = (pool.sign_ext(inner, x), pool.sign_ext(inner, y));
            return Some(pool.eq(x, y));
        }
        (Expr::Unary(p, x), Expr::Unary(q, y)) if p == q && matches!(p, UnOp::BvNot | UnOp::BvNeg) => {
            return Some(pool.eq(x, y));
        }
        (Expr::Binary(BinOp::BvAdd, x, y), Expr::Binary(BinOp::BvAdd, z, w)) => {
            let common = [(x, y, z, w), (x, y, w, z), (y, x, z, w), (y, x, w, z)];
            if let Some((_, y, _, w)) = common.into_iter().find(|(x, _, z, _)| x == z) {
                return Some(pool.eq(y, w));
            }
        }
        _ => {}
    }
    // x + y = x
    for (p, q) in [(a, b), (b, a)] {
        let rest = match pool.get(q) {
            Expr::Binary(BinOp::BvAdd | BinOp::BvXor, x, y) if x == p => y,
            Expr::Binary(BinOp::BvAdd | BinOp::BvXor, x, y) if y == p => x,
            Expr::Binary(BinOp::BvSub, x, y) if x == p => y,
            _ => continue,
        };
        let zero = pool.bits(n, 0);
        return Some(pool.eq(rest, zero));
    }
    None
}

pub(super) fn order(pool: &mut ExprPool, op: BinOp, a: ExprId, b: ExprId) -> Option<ExprId> {
    let n = width(pool, a);
    let signed = matches!(op, BinOp::SLt | BinOp::SLe);
    let strict = matches!(op, BinOp::ULt | BinOp::SLt);
    let less = if signed { BinOp::SLt } else { BinOp::ULt };
    if a == b {
        return Some(pool.bool(!strict));
    }
    let smallest = if signed { 1 << (n - 1) } else { 0 };
    let largest = eval::mask(n) ^ smallest;
    let after = |k: u128| k.wrapping_add(1) & eval::mask(n);
    let before = |k: u128| k.wrapping_sub(1) & eval::mask(n);
    match (bits_of(pool, a), bits_of(pool, b)) {
        (None, Some(k)) => {
            if k == largest {
                return Some(if strict { pool.ne(a, b) } else { pool.bool(true) });
            }
            if !strict {
                let k = pool.bits(n, after(k));
                return Some(pool.binary(less, a, k));
            }
            if k == smallest {
                return Some(pool.bool(false));
            }
            if k == after(smallest) {
                let k = pool.bits(n, smallest);
                return Some(pool.eq(a, k));
            }
            extension_and_constant(pool, less, a, k, true)
        }
        (Some(k), None) => {
            if k == smallest {
                return Some(if strict { pool.ne(b, a) } else { pool.bool(true) });
            }
            if !strict {
                let k = pool.bits(n, before(k));
                return Some(pool.binary(less, k, b));
            }
            if k == largest {
                return Some(pool.bool(false));
            }
            if k == before(largest) {
                let k = pool.bits(n, largest);
                return Some(pool.eq(b, k));
            }
            extension_and_constant(pool, less, b, k, false)
        }
        _ => match (pool.get(a), pool.get(b)) {
            (Expr::ZeroExt { arg: x, .. }, Expr::ZeroExt { arg: y, .. }) => {
                let inner = width(pool, x).max(width(pool, y));
                let (x, y) = (pool.zero_ext(inner, x), pool.zero_ext(inner, y));
                Some(pool.binary(if strict { BinOp::ULt } else { BinOp::ULe }, x, y))
            }
            (Expr::SignExt { arg: x, .. }, Expr::SignExt { arg: y, .. }) => {
                let inner = width(pool, x).max(width(pool, y));
                let (x, y) = (pool.sign_ext(inner, x), pool.sign_ext(inner, y));
                Some(pool.binary(op, x, y))
            }
            _ => None,
        },
    }
}

/// `x < k`, or `k < x` if not `k_is_right`, for an x that is an extension: compares what was extended.
fn extension_and_constant(pool: &mut ExprPool, less: BinOp, x: ExprId, k: u128, k_is_right: bool) -> Option<ExprId> {
    let n = width(pool, x);
    let signed_k = eval::to_signed(n, k);
    let compare = |pool: &mut ExprPool, op: BinOp, arg: ExprId| {
        let k = pool.bits(width(pool, arg), k);
        if k_is_right { pool.binary(op, arg, k) } else { pool.binary(op, k, arg) }
    };
    match pool.get(x) {
        Expr::ZeroExt { arg, .. } => {
            let largest = eval::mask(width(pool, arg));
            if less == BinOp::SLt && signed_k < 0 {
                return Some(pool.bool(!k_is_right));
            }
            if k > largest {
                return Some(pool.bool(k_is_right));
            }
            Some(compare(pool, BinOp::ULt, arg))
        }
        Expr::SignExt { arg, .. } => {
            let inner = width(pool, arg);
            if eval::to_signed(inner, k) == signed_k {
                return Some(compare(pool, less, arg));
            }
            if less == BinOp::SLt {
                return Some(pool.bool((signed_k > 0) == k_is_right));
            }
            // Unsigned, k lies between the values that come from the lower and from the upper half.
            let zero = pool.bits(inner, 0);
            let negative = pool.binary(BinOp::SLt, arg, zero);
            Some(if k_is_right { pool.not(negative) } else { negative })
        }
        _ => None,
    }
}
