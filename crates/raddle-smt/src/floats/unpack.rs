//! Takes an encoding apart: sign, exponent, significand, and what kind of datum it is.
//!
//! Exponents stay biased. The significand has its integer bit, which x87 stores and the other formats imply. A
//! subnormal number has the exponent 1 and no integer bit; only where an algorithm needs it is it shifted up
//! (`normalize`).

use crate::aig::{Aig, Lit};
use crate::words::{self, Word};
use raddle_ir::FloatSort;

/// The significand's length, with the integer bit.
pub fn precision(f: FloatSort) -> usize {
    usize::from(f.significand)
}

pub fn is_x87(f: FloatSort) -> bool {
    f == FloatSort::X87
}

/// Where the exponent begins: x87 has the integer bit below it.
pub fn exponent_place(f: FloatSort) -> usize {
    if is_x87(f) { 64 } else { precision(f) - 1 }
}

pub fn bias(f: FloatSort) -> i32 {
    (1 << (f.exponent - 1)) - 1
}

/// The exponent field of infinities and NaNs.
pub fn largest_exponent(f: FloatSort) -> i32 {
    (1 << f.exponent) - 1
}

/// How many bits a two's complement number from `low` to `high` needs.
pub fn signed_bits(low: i32, high: i32) -> usize {
    let bits = |x: i32| if x < 0 { 33 - x.leading_ones() } else { 33 - x.leading_zeros() };
    bits(low).max(bits(high)) as usize
}

/// A number in two's complement.
pub fn signed_constant(width: usize, value: i32) -> Word {
    words::constant(width, i128::from(value) as u128)
}

/// The low bits of a two's complement number, or with more copies of the sign.
pub fn signed_resize(a: &[Lit], width: usize) -> Word {
    words::sign_extend(&a[..a.len().min(width)], width)
}

pub struct Parts {
    pub sign: Lit,
    pub nan: Lit,
    /// An x87 encoding without its integer bit: it counts as a NaN too.
    pub unnormal: Lit,
    pub infinite: Lit,
    pub zero: Lit,
    /// At least 1, in two's complement (the highest bit is 0). The integer bit is worth 2^(exponent − bias).
    pub exponent: Word,
    pub significand: Word,
    /// Magnitudes that are not NaN are in the order of these words.
    pub order: Word,
    /// The bits below the one that tells quiet NaNs from signalling ones.
    pub payload: Word,
}

pub fn unpack(aig: &mut Aig, f: FloatSort, a: &[Lit]) -> Parts {
    let p = precision(f);
    let place = exponent_place(f);
    let field = &a[place..place + usize::from(f.exponent)];
    let fraction = &a[..p - 1];
    let smallest = words::is_zero(aig, field);
    let largest = aig.and_all(field.iter().copied());
    let fraction_zero = words::is_zero(aig, fraction);
    let integer = if is_x87(f) { a[p - 1] } else { !smallest };
    let unnormal = if is_x87(f) { aig.and(!smallest, !integer) } else { Lit::FALSE };

    let mut exponent = words::zero_extend(field, field.len() + 1);
    exponent[0] = aig.or(exponent[0], smallest);
    let significand: Word = fraction.iter().copied().chain([integer]).collect();
    let order =
        if is_x87(f) { significand.iter().chain(&exponent).copied().collect() } else { a[..a.len() - 1].to_vec() };
    let largest_nan = aig.and(largest, !fraction_zero);
    let nan = aig.or(largest_nan, unnormal);
    let infinite = aig.and_all([largest, fraction_zero, !unnormal]);
    let zero = aig.and_all([smallest, fraction_zero, !integer]);
    let payload = a[..p - 2].to_vec();
    Parts { sign: words::sign(a), nan, unnormal, infinite, zero, exponent, significand, order, payload }
}

/// Exponent and significand with the integer bit set, except for zero. The exponent is at least 2 − precision.
pub fn normalize(aig: &mut Aig, f: FloatSort, x: &Parts) -> (Word, Word) {
    let (significand, amount) = words::normalize(aig, &x.significand);
    let width = signed_bits(lowest_normalized(f), largest_exponent(f));
    let amount = words::zero_extend(&amount, width);
    (words::sub(aig, &signed_resize(&x.exponent, width), &amount), significand)
}

/// The exponent of the smallest subnormal number after `normalize`.
pub fn lowest_normalized(f: FloatSort) -> i32 {
    2 - i32::from(f.significand)
}
