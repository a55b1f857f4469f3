//! Infinities, zeros and NaNs over the result of an operation, as the hardware gives them.
//!
//! Without a NaN operand the NaN is the default one: negative, quiet, and no payload. With NaN operands SSE gives the
//! first one made quiet, and x87 the one with the larger significand (and of equal ones the positive one) made quiet.
//! An x87 encoding without its integer bit gives the default NaN.

use super::unpack::{Parts, exponent_place, is_x87, precision};
use crate::aig::{Aig, Lit};
use crate::words::{self, Word};
use raddle_ir::FloatSort;

/// A NaN as a result, or none. It is quiet.
pub struct Nan {
    pub is: Lit,
    pub sign: Lit,
    pub payload: Word,
}

impl Nan {
    /// The default NaN on a condition.
    fn default_if(f: FloatSort, is: Lit) -> Nan {
        Nan { is, sign: Lit::TRUE, payload: words::constant(precision(f) - 2, 0) }
    }

    /// An operand, if it is a NaN; otherwise the other.
    fn operand_or(aig: &mut Aig, x: &Parts, other: &Nan) -> Nan {
        let quieted = words::mask(aig, !x.unnormal, &x.payload);
        let sign = aig.or(x.sign, x.unnormal);
        Nan {
            is: aig.or(x.nan, other.is),
            sign: aig.ite(x.nan, sign, other.sign),
            payload: words::ite(aig, x.nan, &quieted, &other.payload),
        }
    }

    /// The first operand that is a NaN, otherwise the default NaN if the operation is invalid.
    pub fn first(aig: &mut Aig, f: FloatSort, operands: &[&Parts], invalid: Lit) -> Nan {
        let default = Nan::default_if(f, invalid);
        operands.iter().rev().fold(default, |nan, x| Nan::operand_or(aig, x, &nan))
    }

    /// The NaN of an operation on two operands.
    pub fn of_two(aig: &mut Aig, f: FloatSort, a: &Parts, b: &Parts, invalid: Lit) -> Nan {
        if !is_x87(f) {
            return Nan::first(aig, f, &[a, b], invalid);
        }
        // Quiet ones have the larger significand: their top bit below the integer bit is set.
        let rank = |x: &Parts| -> Word { std::iter::once(!x.sign).chain(x.significand.iter().copied()).collect() };
        let b_not_larger = words::ule(aig, &rank(b), &rank(a));
        let only_a = aig.or(b_not_larger, !b.nan);
        let choose_a = aig.and(a.nan, only_a);
        let unnormal = aig.or(a.unnormal, b.unnormal);
        let is = aig.or_all([a.nan, b.nan, invalid]);
        let from_b = aig.and_all([b.nan, !choose_a, !unnormal]);
        let from_a = aig.and(choose_a, !unnormal);
        let payload_b = words::mask(aig, from_b, &b.payload);
        let sign = aig.or(b.sign, !from_b);
        Nan { is, sign: aig.ite(from_a, a.sign, sign), payload: words::ite(aig, from_a, &a.payload, &payload_b) }
    }

    /// The NaN of a product and a sum with one rounding: the first one of b, a and c. For x87, where the C library
    /// multiplies and adds NaNs one after the other, it is that of the product (which is quiet) and the addend.
    pub fn of_three(aig: &mut Aig, f: FloatSort, [a, b, c]: [&Parts; 3], no_product: Lit, no_sum: Lit) -> Nan {
        if !is_x87(f) {
            let invalid = aig.or(no_product, no_sum);
            return Nan::first(aig, f, &[b, a, c], invalid);
        }
        let product = Nan::of_two(aig, f, a, b, no_product);
        let rank: Word =
            [!product.sign].into_iter().chain(product.payload.iter().copied()).chain([Lit::TRUE]).collect();
        let rank_c: Word = [!c.sign].into_iter().chain(c.significand[..precision(f) - 1].iter().copied()).collect();
        let larger = words::ult(aig, &rank, &rank_c);
        let wins = aig.or(larger, !product.is);
        let from_c = aig.and(c.nan, wins);
        let unnormal = aig.or_all([a.unnormal, b.unnormal, c.unnormal]);
        let sign = aig.ite(from_c, c.sign, product.sign);
        let payload = words::ite(aig, from_c, &c.payload, &product.payload);
        Nan {
            is: aig.or_all([product.is, c.nan, no_sum]),
            sign: aig.or(sign, unnormal),
            payload: words::mask(aig, !unnormal, &payload),
        }
    }
}

/// An encoding, or with its sign infinity or zero, or a NaN. If more than one condition holds, the NaN wins; infinity
/// and zero exclude each other otherwise.
pub fn select(aig: &mut Aig, f: FloatSort, result: &[Lit], infinite: Lit, zero: Lit, nan: &Nan) -> Word {
    let p = precision(f);
    let place = exponent_place(f);
    let clear = aig.or(infinite, zero);
    let largest = aig.or(infinite, nan.is);
    let mut word = words::mask(aig, !clear, &result[..p - 1]);
    for (bit, &payload) in word.iter_mut().zip(nan.payload.iter().chain([&Lit::TRUE])) {
        *bit = aig.ite(nan.is, payload, *bit);
    }
    // x87's integer bit and the exponent.
    debug_assert!(place == p - 1 || place == p);
    for &bit in &result[p - 1..result.len() - 1] {
        let bit = aig.and(!zero, bit);
        word.push(aig.or(largest, bit));
    }
    word.push(aig.ite(nan.is, nan.sign, words::sign(result)));
    word
}
