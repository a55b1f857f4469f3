//! Multiplication: the whole product, rounded once. Subnormal operands are multiplied as they are: the rounding shifts
//! the product's leading zeros out.

use super::round::{Exact, Mode, round};
use super::special::{Nan, select};
use super::unpack::{Parts, bias, largest_exponent, precision, signed_bits, signed_constant, signed_resize, unpack};
use crate::aig::{Aig, Lit};
use crate::words::{self, Word};
use raddle_ir::FloatSort;

pub fn mul(aig: &mut Aig, f: FloatSort, mode: Mode, a: &[Lit], b: &[Lit]) -> Word {
    let (a, b) = (unpack(aig, f, a), unpack(aig, f, b));
    let exact = product(aig, f, &a, &b);
    let result = round(aig, f, mode, &exact);
    let invalid = infinity_times_zero(aig, &a, &b);
    let infinite = aig.or(a.infinite, b.infinite);
    let nan = Nan::of_two(aig, f, &a, &b, invalid);
    select(aig, f, &result, infinite, Lit::FALSE, &nan)
}

pub fn infinity_times_zero(aig: &mut Aig, a: &Parts, b: &Parts) -> Lit {
    let first = aig.and(a.infinite, b.zero);
    let second = aig.and(a.zero, b.infinite);
    aig.or(first, second)
}

/// The product of two finite numbers, with a significand of twice the precision.
pub fn product(aig: &mut Aig, f: FloatSort, a: &Parts, b: &Parts) -> Exact {
    let p = precision(f);
    // The product of two integer bits is the second bit from the top.
    let lowest = 2 - bias(f) + 1;
    let highest = 2 * (largest_exponent(f) - 1) - bias(f) + 1;
    // Infinities and NaNs have larger exponents.
    let width = signed_bits(lowest, highest + 2);
    let sum = words::add(aig, &signed_resize(&a.exponent, width), &signed_resize(&b.exponent, width));
    let exponent = words::add(aig, &sum, &signed_constant(width, 1 - bias(f)));
    let significand = words::mul_to(aig, &a.significand, &b.significand, 2 * p);
    // With one subnormal operand there are up to p zeros; with two the product is below all numbers.
    Exact { sign: aig.xor(a.sign, b.sign), exponent, significand, lowest, highest, leading_zeros: p }
}
