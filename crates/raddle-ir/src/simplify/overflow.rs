//! Rules for the overflow predicates: no overflow when the operands are known to be small, and a comparison when one is a constant.

use super::{bits_of, width};
use crate::eval;
use crate::expr::{BinOp, Expr, ExprId};
use crate::pool::ExprPool;

pub(super) fn overflows(pool: &mut ExprPool, op: BinOp, a: ExprId, b: ExprId) -> Option<ExprId> {
    let n = width(pool, a);
    let fits = match op {
        BinOp::UMulOverflows => unsigned_bits(pool, a) + unsigned_bits(pool, b) <= u32::from(n),
        BinOp::SMulOverflows => signed_bits(pool, a) + signed_bits(pool, b) <= u32::from(n),
        _ => signed_bits(pool, a).max(signed_bits(pool, b)) < u32::from(n),
    };
    if fits {
        return Some(pool.bool(false));
    }
    let smallest = 1u128 << (n - 1);
    let largest = smallest - 1;
    if op == BinOp::SSubOverflows && a == b {
        return Some(pool.bool(false));
    }
    let k = bits_of(pool, b)?;
    let negative = k & smallest != 0;
    match op {
        BinOp::SAddOverflows | BinOp::SSubOverflows if k == 0 => Some(pool.bool(false)),
        BinOp::SAddOverflows if negative => less(pool, n, Ok(a), Err(smallest.wrapping_sub(k))),
        BinOp::SAddOverflows => less(pool, n, Err(largest.wrapping_sub(k)), Ok(a)),
        BinOp::SSubOverflows if negative => less(pool, n, Err(largest.wrapping_add(k)), Ok(a)),
        BinOp::SSubOverflows => less(pool, n, Ok(a), Err(smallest.wrapping_add(k))),
        _ if k == 0 => Some(pool.bool(false)),
        // 1 is −1 when there is only one bit.
        _ if k == 1 && (n > 1 || op == BinOp::UMulOverflows) => Some(pool.bool(false)),
        BinOp::SMulOverflows if k == eval::mask(n) => {
            let smallest = pool.bits(n, smallest);
            Some(pool.eq(a, smallest))
        }
        _ => None,
    }
}

/// A signed comparison of an expression and a value, either way round.
fn less(pool: &mut ExprPool, n: u8, a: Result<ExprId, u128>, b: Result<ExprId, u128>) -> Option<ExprId> {
    let a = a.unwrap_or_else(|k| pool.bits(n, k));
    let b = b.unwrap_or_else(|k| pool.bits(n, k));
    Some(pool.binary(BinOp::SLt, a, b))
}

/// A number of bits that holds the value in two's complement.
fn signed_bits(pool: &ExprPool, id: ExprId) -> u32 {
    match pool.get(id) {
        Expr::Const(c) => {
            let value = eval::to_signed(width(pool, id), c.bits);
            129 - if value < 0 { value.leading_ones() } else { value.leading_zeros() }
        }
        Expr::ZeroExt { arg, .. } => u32::from(width(pool, arg)) + 1,
        Expr::SignExt { arg, .. } => width(pool, arg).into(),
        _ => width(pool, id).into(),
    }
}

/// A number of bits that holds the unsigned value.
fn unsigned_bits(pool: &ExprPool, id: ExprId) -> u32 {
    match pool.get(id) {
        Expr::Const(c) => 128 - c.bits.leading_zeros(),
        Expr::ZeroExt { arg, .. } => width(pool, arg).into(),
        _ => width(pool, id).into(),
    }
}
