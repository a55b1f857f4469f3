//! Addition: the smaller magnitude is shifted to the exponent of the larger one, then added or subtracted.
//!
//! Three bits below the last place are enough: a difference that needs to be shifted to the left by more than one place
//! has operands whose exponents differ by at most one, and is exact.

use super::round::{Exact, Mode, round};
use super::special::{Nan, select};
use super::unpack::{Parts, largest_exponent, precision, unpack};
use crate::aig::{Aig, Lit};
use crate::words::{self, Word};
use raddle_ir::FloatSort;

pub fn add(aig: &mut Aig, f: FloatSort, mode: Mode, a: &[Lit], b: &[Lit]) -> Word {
    let (a, b) = (unpack(aig, f, a), unpack(aig, f, b));
    let sign_b = b.sign;
    sum(aig, f, mode, &a, &b, sign_b)
}

/// The sum with the second operand's sign flipped; but if it is a NaN, the NaN's sign stays.
pub fn sub(aig: &mut Aig, f: FloatSort, mode: Mode, a: &[Lit], b: &[Lit]) -> Word {
    let (a, b) = (unpack(aig, f, a), unpack(aig, f, b));
    let sign_b = !b.sign;
    sum(aig, f, mode, &a, &b, sign_b)
}

fn sum(aig: &mut Aig, f: FloatSort, mode: Mode, a: &Parts, b: &Parts, sign_b: Lit) -> Word {
    let p = precision(f);
    let swap = words::ult(aig, &a.order, &b.order);
    let high_exponent = words::ite(aig, swap, &b.exponent, &a.exponent);
    let low_exponent = words::ite(aig, swap, &a.exponent, &b.exponent);
    let mut high = vec![Lit::FALSE; 3];
    high.extend(words::ite(aig, swap, &b.significand, &a.significand));
    let mut low = vec![Lit::FALSE; 3];
    low.extend(words::ite(aig, swap, &a.significand, &b.significand));
    let high_sign = aig.ite(swap, sign_b, a.sign);
    let subtract = aig.xor(a.sign, sign_b);

    let distance = words::sub(aig, &high_exponent, &low_exponent);
    // It is not negative.
    let low = words::lshr_sticky(aig, &low, &distance[..usize::from(f.exponent)]);
    let low: Word = low.iter().map(|&bit| aig.xor(bit, subtract)).collect();
    let (mut significand, carry) = words::add_carry(aig, &high, &low, subtract);
    significand.push(aig.and(carry, !subtract));

    let width = usize::from(f.exponent) + 2;
    let exponent = words::add_bit(aig, &words::zero_extend(&high_exponent, width), Lit::TRUE);
    let highest = largest_exponent(f);
    let mut exact = Exact { sign: high_sign, exponent, significand, lowest: 2, highest, leading_zeros: p + 1 };
    // What cancels out is positive.
    let nonzero = exact.is_nonzero(aig);
    let cancelled = aig.and(subtract, !nonzero);
    exact.sign = aig.ite(cancelled, Lit::constant(mode == Mode::Down), high_sign);
    let result = round(aig, f, mode, &exact);

    let invalid = aig.and_all([a.infinite, b.infinite, subtract]);
    let infinite = aig.or(a.infinite, b.infinite);
    let nan = Nan::of_two(aig, f, a, b, invalid);
    select(aig, f, &result, infinite, Lit::FALSE, &nan)
}
