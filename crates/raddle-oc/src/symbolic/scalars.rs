//! Scalars as bits, and as the bytes that they take in memory.

use raddle_ir::{BinOp, ExprId, ExprPool, Sort, UnOp};
use std::cmp::Ordering;

/// A value in another width: cut or extended with zeros.
pub fn resize(pool: &mut ExprPool, value: ExprId, to: Sort) -> ExprId {
    let from = pool.sort(value);
    if from == to {
        return value;
    }
    let bits = bits_of(pool, value);
    scalar_of(pool, bits, to)
}

/// The bits of a scalar.
pub fn bits_of(pool: &mut ExprPool, value: ExprId) -> ExprId {
    match pool.sort(value) {
        Sort::Bool => {
            let (one, zero) = (pool.bits(1, 1), pool.bits(1, 0));
            pool.ite(value, one, zero)
        }
        Sort::Float(_) => pool.unary(UnOp::FToBits, value),
        _ => value,
    }
}

/// The scalar that some bits are, cut or extended with zeros to its width.
pub fn scalar_of(pool: &mut ExprPool, value: ExprId, to: Sort) -> ExprId {
    let Sort::Bits(have) = pool.sort(value) else { return value };
    let want = to.bits().unwrap_or(1);
    let value = match have.cmp(&want) {
        Ordering::Less => pool.zero_ext(want, value),
        Ordering::Greater => pool.extract(want - 1, 0, value),
        Ordering::Equal => value,
    };
    match to {
        Sort::Bool => {
            let one = pool.bits(1, 1);
            pool.eq(value, one)
        }
        Sort::Float(to) => pool.bits_to_f(to, value),
        _ => value,
    }
}

/// A scalar as the bytes that it takes in memory, and how many these are.
pub fn bytes_of(pool: &mut ExprPool, value: ExprId) -> (ExprId, u8) {
    let bits = bits_of(pool, value);
    let bytes = pool.sort(bits).bytes() as u8;
    (scalar_of(pool, bits, Sort::Bits(8 * bytes)), bytes)
}

/// `len` bytes, of which those from `offset` on are new.
pub fn replace_bytes(pool: &mut ExprPool, old: ExprId, (new, bytes): (ExprId, u8), offset: u8, len: u8) -> ExprId {
    let mut result = new;
    if offset > 0 {
        let low = pool.extract(8 * offset - 1, 0, old);
        result = pool.binary(BinOp::Concat, result, low);
    }
    if offset + bytes < len {
        // 16 bytes are 128 bits: the number of the highest bit fits.
        let high = pool.extract((u32::from(len) * 8 - 1) as u8, 8 * (offset + bytes), old);
        result = pool.binary(BinOp::Concat, high, result);
    }
    result
}

/// The handle of a thread as a value.
pub fn handle(pool: &mut ExprPool, thread: u32, sort: Sort) -> ExprId {
    let handle = pool.bits(sort.bits().unwrap_or(32), thread.into());
    scalar_of(pool, handle, sort)
}
