//! Division, digit by digit as on paper: a subtraction for each digit of the quotient.

use super::round::{Exact, Mode, round};
use super::special::{Nan, select};
use super::unpack::{
    bias, largest_exponent, lowest_normalized, normalize, precision, signed_bits, signed_constant, signed_resize,
    unpack,
};
use crate::aig::{Aig, Lit};
use crate::words::{self, Word};
use raddle_ir::FloatSort;

pub fn div(aig: &mut Aig, f: FloatSort, mode: Mode, a: &[Lit], b: &[Lit]) -> Word {
    let p = precision(f);
    let (a, b) = (unpack(aig, f, a), unpack(aig, f, b));
    let (exponent_a, dividend) = normalize(aig, f, &a);
    let (exponent_b, divisor) = normalize(aig, f, &b);
    let lowest = lowest_normalized(f) - (largest_exponent(f) - 1) + bias(f);
    let highest = largest_exponent(f) - 1 - lowest_normalized(f) + bias(f);
    let width = signed_bits(lowest - 1, highest + 1);
    let difference = words::sub(aig, &signed_resize(&exponent_a, width), &signed_resize(&exponent_b, width));
    let exponent = words::add(aig, &difference, &signed_constant(width, bias(f)));

    // The quotient is between 1/2 and 2: a digit before the point, p + 1 after it, and whether a rest is left.
    let mut digits = Vec::new();
    let mut rest = dividend;
    for step in 0..p + 2 {
        if step > 0 {
            rest.insert(0, Lit::FALSE);
        }
        let (digit, reduced) = subtract_if_fits(aig, &rest, &divisor);
        digits.push(digit);
        rest = reduced;
    }
    digits.push(aig.or_all(rest.iter().copied()));
    digits.reverse();

    let sign = aig.xor(a.sign, b.sign);
    let exact = Exact { sign, exponent, significand: digits, lowest, highest, leading_zeros: 1 };
    let result = round(aig, f, mode, &exact);

    let zeros = aig.and(a.zero, b.zero);
    let infinities = aig.and(a.infinite, b.infinite);
    let invalid = aig.or(zeros, infinities);
    let infinite = aig.or(a.infinite, b.zero);
    let zero = aig.or(a.zero, b.infinite);
    let nan = Nan::of_two(aig, f, &a, &b, invalid);
    select(aig, f, &result, infinite, zero, &nan)
}

/// One step of a division: does the divisor fit into the rest, and what is left of it. The rest is less than twice the
/// divisor; it may be longer.
pub fn subtract_if_fits(aig: &mut Aig, rest: &[Lit], divisor: &[Lit]) -> (Lit, Word) {
    // The difference is `rest` with the bits in `flips` inverted. Inverting them only if the divisor fits takes a gate
    // less for each bit than choosing between difference and rest.
    let mut flips = Word::with_capacity(rest.len());
    let mut carry = Lit::TRUE;
    for (i, &bit) in rest.iter().enumerate() {
        let subtrahend = !divisor.get(i).copied().unwrap_or(Lit::FALSE);
        let flip = aig.xor(subtrahend, carry);
        carry = aig.ite(flip, bit, carry);
        flips.push(flip);
    }
    let left = rest.iter().zip(&flips).take(divisor.len());
    let left = left.map(|(&bit, &flip)| {
        let flip = aig.and(carry, flip);
        aig.xor(bit, flip)
    });
    (carry, left.collect())
}
