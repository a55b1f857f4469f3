//! C's `fmod`: exact, by long division.
//!
//! With significands m and n and exponents that differ by d, the remainder is m · 2^d mod n. Doubling modulo n, d times
//! over, is the plain way, and where d can be at most a few hundred that is the circuit: a step for each possible d,
//! skipped if d is less. For larger formats only the low bits of d are done so; the rest is a multiplication by
//! 2^(64·(d div 64)) mod n, which is computed by squaring. It is skipped as a whole where d is below 64, so that
//! operands of near magnitude need the plain steps only.

use super::div::subtract_if_fits;
use super::integral::less_than_each;
use super::round::{Exact, Mode, bit_length, round};
use super::special::{Nan, select};
use super::unpack::{largest_exponent, lowest_normalized, normalize, precision, signed_bits, signed_resize, unpack};
use crate::aig::{Aig, Lit};
use crate::words::{self, Word};
use raddle_ir::FloatSort;

/// Up to this difference of exponents all steps are plain ones.
const MOST_STEPS: usize = 320;
/// Otherwise as many low bits of the difference are.
const LOW_BITS: usize = 6;

pub fn rem(aig: &mut Aig, f: FloatSort, a: &[Lit], b: &[Lit]) -> Word {
    let (a, b) = (unpack(aig, f, a), unpack(aig, f, b));
    let (exponent_b, divisor) = normalize(aig, f, &b);
    let most = largest_exponent(f) - 1 - lowest_normalized(f);
    let width = signed_bits(1 - largest_exponent(f), most + 1);
    let exponent_a = signed_resize(&a.exponent, width);
    let exponent_b = signed_resize(&exponent_b, width);
    let distance = words::sub(aig, &exponent_a, &exponent_b);
    // Then the dividend is the smaller one; also if the divisor is infinite.
    let smaller = words::sign(&distance);
    let most = most as usize;
    let distance = &distance[..bit_length(most)];

    let (_, rest) = subtract_if_fits(aig, &a.significand, &divisor);
    let rest = if most <= MOST_STEPS {
        double_times(aig, &rest, distance, most, &divisor)
    } else {
        let (low, high) = distance.split_at(LOW_BITS);
        let near = words::is_zero(aig, high);
        let power = power_of_two(aig, distance, most, &divisor);
        let far = multiply_modulo(aig, &rest, &power, &divisor);
        let rest = words::ite(aig, near, &rest, &far);
        double_times(aig, &rest, low, (1 << LOW_BITS) - 1, &divisor)
    };

    let significand = words::ite(aig, smaller, &a.significand, &rest);
    let exponent = words::ite(aig, smaller, &exponent_a, &exponent_b);
    let (lowest, highest) = (lowest_normalized(f), largest_exponent(f) - 1);
    let exact = Exact { sign: a.sign, exponent, significand, lowest, highest, leading_zeros: precision(f) - 1 };
    // Nothing is lost: the mode does not matter.
    let result = round(aig, f, Mode::Zero, &exact);
    let invalid = aig.or(a.infinite, b.zero);
    let nan = Nan::of_two(aig, f, &a, &b, invalid);
    select(aig, f, &result, Lit::FALSE, Lit::FALSE, &nan)
}

/// `rest · 2^times mod divisor`, where `times` is at most `most`.
fn double_times(aig: &mut Aig, rest: &[Lit], times: &[Lit], most: usize, divisor: &[Lit]) -> Word {
    let less = less_than_each(aig, times);
    let mut rest = rest.to_vec();
    for &enough in &less[1..=most] {
        if aig.is_stopped() {
            break;
        }
        let doubled = double_modulo(aig, &rest, divisor);
        rest = words::ite(aig, enough, &rest, &doubled);
    }
    rest
}

fn double_modulo(aig: &mut Aig, a: &[Lit], divisor: &[Lit]) -> Word {
    let mut doubled = a.to_vec();
    doubled.insert(0, Lit::FALSE);
    subtract_if_fits(aig, &doubled, divisor).1
}

/// 2 to the power of the distance without its low bits, modulo a divisor that has its highest bit set.
fn power_of_two(aig: &mut Aig, distance: &[Lit], most: usize, divisor: &[Lit]) -> Word {
    // As many of the top bits as leave the power less than any divisor need no reduction.
    let direct = |below: usize| most >> below <= divisor.len() - 2;
    let mut place = (LOW_BITS..).find(|&below| direct(below)).unwrap_or(distance.len());
    let one = words::constant(divisor.len(), 1);
    let mut power = words::shl(aig, &one, &distance[place..]);
    while place > 0 {
        place -= 1;
        power = multiply_modulo(aig, &power, &power, divisor);
        if place >= LOW_BITS {
            let doubled = double_modulo(aig, &power, divisor);
            power = words::ite(aig, distance[place], &doubled, &power);
        }
    }
    power
}

/// The product of two numbers below a divisor of their length, modulo that divisor.
fn multiply_modulo(aig: &mut Aig, a: &[Lit], b: &[Lit], divisor: &[Lit]) -> Word {
    let n = divisor.len();
    let product = words::mul_to(aig, a, b, 2 * n);
    // The upper half is less than the divisor.
    let mut rest = product[n..].to_vec();
    for &bit in product[..n].iter().rev() {
        if aig.is_stopped() {
            break;
        }
        rest.insert(0, bit);
        rest = subtract_if_fits(aig, &rest, divisor).1;
    }
    rest
}
