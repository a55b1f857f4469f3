//! Rounding to an integral value of the same format.
//!
//! No shifter: the encoding is counted up in place. A mask covers the bits right of the point. Setting them all and
//! adding one carries into the last place left of the point, and from the significand into the exponent if need be;
//! then the masked bits are cleared. Below 1 there is only zero and one to choose from.

use super::round::{Mode, rounds_up};
use super::special::{Nan, select};
use super::unpack::{bias, exponent_place, is_x87, precision, signed_constant, unpack};
use crate::aig::{Aig, Lit};
use crate::words::{self, Word};
use raddle_ir::FloatSort;

pub fn round_to_integral(aig: &mut Aig, f: FloatSort, mode: Mode, a: &[Lit]) -> Word {
    let p = precision(f);
    let place = exponent_place(f);
    let x = unpack(aig, f, a);
    let width = x.exponent.len();
    let power = words::add(aig, &x.exponent, &signed_constant(width, -bias(f)));
    let below_one = words::sign(&power);
    // Bit i of the fraction is right of the point if the power of two is less than p − 1 − i.
    let low_bits = super::round::bit_length(p - 1).min(width - 1);
    let beyond = aig.or_all(power[low_bits..width - 1].iter().copied());
    let less = less_than_each(aig, &power[..low_bits]);
    let masked: Word = (0..p - 1)
        .map(|i| {
            let less = less.get(p - 1 - i).copied().unwrap_or(Lit::TRUE);
            let right = aig.and(less, !beyond);
            aig.or(right, below_one)
        })
        .collect();

    // The place of the point is between a masked bit and one that is not.
    let (mut last, mut guard, mut sticky) = (Lit::FALSE, Lit::FALSE, Lit::FALSE);
    for i in 0..p - 1 {
        let above = if i + 1 < p - 1 { masked[i + 1] } else { below_one };
        let first = aig.and(masked[i], !above);
        let (is_last, is_guard) = (aig.and(first, x.significand[i + 1]), aig.and(first, x.significand[i]));
        let is_sticky = aig.and(above, x.significand[i]);
        last = aig.or(last, is_last);
        guard = aig.or(guard, is_guard);
        sticky = aig.or(sticky, is_sticky);
    }
    // Below 1 the integer bit is right of the point as well: from 1/2 on it is the guard bit.
    let all_ones = aig.and_all(power.iter().copied());
    let half = aig.and(below_one, all_ones);
    guard = aig.or(guard, half);
    let small = aig.and_all([below_one, !half, x.significand[p - 1]]);
    sticky = aig.or(sticky, small);
    let up = rounds_up(aig, mode, x.sign, last, guard, sticky);

    let filled = words::or(aig, &a[..p - 1], &masked);
    let (counted, carry) = words::add_carry(aig, &filled, &words::constant(p - 1, 0), up);
    let mut word: Word = counted.iter().zip(&masked).map(|(&bit, &masked)| aig.and(bit, !masked)).collect();
    if is_x87(f) {
        word.push(aig.ite(below_one, up, a[p - 1]));
    }
    let field = &a[place..a.len() - 1];
    let counted = words::add_bit(aig, field, carry);
    let one = words::mask(aig, up, &words::constant(field.len(), bias(f) as u128));
    word.extend(words::ite(aig, below_one, &one, &counted));
    word.push(x.sign);
    // Infinities have no bits right of the point.
    let nan = Nan::first(aig, f, &[&x], Lit::FALSE);
    select(aig, f, &word, Lit::FALSE, Lit::FALSE, &nan)
}

/// Whether a number is less than 0, 1, 2, … and the number of values that it can have.
pub fn less_than_each(aig: &mut Aig, a: &[Lit]) -> Word {
    let Some((&top, low)) = a.split_last() else { return vec![Lit::FALSE, Lit::TRUE] };
    let less = less_than_each(aig, low);
    let lower = less.iter().map(|&less| aig.and(!top, less)).collect::<Word>();
    let upper = less[1..].iter().map(|&less| aig.or(!top, less)).collect::<Word>();
    [lower, upper].concat()
}
