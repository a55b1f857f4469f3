//! Rounds a value to a format and encodes it: the one place where precision is lost.
//!
//! A value below the normal numbers has fewer digits, and a difference of two numbers or a product with a subnormal one
//! has leading zeros. Both are the same shift here: to the left by the leading zeros, but not further than down to the
//! lowest exponent; where the exponent is below that already, this distance is negative. The value starts as far to the
//! right as it may have to go, so that one shifter to the left does for all cases.
//!
//! Bounds on the exponent and on the leading zeros that are known when the circuit is made save what cannot happen.

use super::unpack::{exponent_place, is_x87, largest_exponent, precision, signed_bits, signed_constant, signed_resize};
use crate::aig::{Aig, Lit};
use crate::words::{self, Word};
use raddle_ir::FloatSort;

/// The rounding modes of IEEE-754.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    NearestEven,
    /// To nearest, ties away from zero.
    NearestAway,
    Up,
    Down,
    Zero,
}

/// A value before rounding.
pub struct Exact {
    pub sign: Lit,
    /// Biased, in two's complement: the highest bit of the significand is worth 2^(exponent − bias).
    pub exponent: Word,
    /// The lowest bit may stand for any bits below it, if at least two more bits than the precision follow the first
    /// one.
    pub significand: Word,
    /// Bounds on the exponent of values other than 0. (Infinities and NaNs need not obey.)
    pub lowest: i32,
    pub highest: i32,
    /// How many zeros may lead the significand of a value that is not 0 and does not lie below the subnormal numbers.
    pub leading_zeros: usize,
}

impl Exact {
    /// The top of the significand, which has a bit set in all values that `leading_zeros` is about.
    fn top(&self) -> &[Lit] {
        &self.significand[self.significand.len().saturating_sub(self.leading_zeros + 1)..]
    }

    /// Is it not 0? Only for values that cannot lie below the subnormal numbers. Shares its gates with the rounding.
    pub fn is_nonzero(&self, aig: &mut Aig) -> Lit {
        leading_zeros(aig, self.top()).1
    }
}

pub fn round(aig: &mut Aig, f: FloatSort, mode: Mode, x: &Exact) -> Word {
    let p = precision(f);
    let left = x.leading_zeros;
    // One place below the guard bit is as good as anything further down.
    let right = (1 - x.lowest).clamp(0, p as i32 + 1) as usize;
    let (zeros, any) = leading_zeros(aig, x.top());
    let most_zeros = (1 << zeros.len()) - 1;
    let width = signed_bits(x.lowest.min(1) - 1 - most_zeros, x.highest + 2 + right as i32);
    let exponent = signed_resize(&x.exponent, width);
    let zeros = words::zero_extend(&zeros, width);

    // exponent − zeros − 1: how far a normalised value is above the lowest exponent.
    let above = words::add_carry(aig, &exponent, &words::not(&zeros), Lit::FALSE).0;
    let limited = x.lowest - 1 < left as i32;
    let subnormal = if limited { words::sign(&above) } else { Lit::FALSE };
    let shift = if limited {
        let limit = words::add(aig, &exponent, &signed_constant(width, right as i32 - 1));
        let normal = words::add(aig, &zeros, &signed_constant(width, right as i32));
        let shift = words::ite(aig, subnormal, &limit, &normal);
        let gone = if x.lowest - 1 + (right as i32) < 0 { words::sign(&limit) } else { Lit::FALSE };
        words::mask(aig, !gone, &shift)
    } else {
        zeros
    };
    let shift = &shift[..width.min(bit_length(left + right))];
    let mut field = x.significand.clone();
    field.resize(field.len() + right, Lit::FALSE);
    let (window, sticky) = shift_left_to(aig, &field, shift, p + 1);

    let (guard, kept) = (window[0], &window[1..]);
    let up = rounds_up(aig, mode, x.sign, kept[0], guard, sticky);
    let (fraction, carry) = words::add_carry(aig, &kept[..p - 1], &words::constant(p - 1, 0), up);
    let integer = kept[p - 1];
    let normal = aig.and(any, !subnormal);
    let step = [aig.xor(integer, carry), aig.and(integer, carry)];
    let integer = aig.or(integer, carry);
    let bits = usize::from(f.exponent).max(bit_length((x.highest + 1).max(1) as usize));
    let above = words::zero_extend(&above[..above.len().min(bits)], bits);
    let above = words::mask(aig, normal, &above);
    let biased = words::add(aig, &above, &words::zero_extend(&step, bits));

    let (field, beyond) = biased.split_at(f.exponent.into());
    let overflow = if x.highest + 1 < largest_exponent(f) {
        Lit::FALSE
    } else {
        let all_ones = aig.and_all(field.iter().copied());
        let beyond = aig.or_all(beyond.iter().copied());
        aig.or(all_ones, beyond)
    };
    // Beyond the largest number is infinity, or it is the largest number itself.
    let to_infinity = match mode {
        Mode::NearestEven | Mode::NearestAway => Lit::TRUE,
        Mode::Up => !x.sign,
        Mode::Down => x.sign,
        Mode::Zero => Lit::FALSE,
    };
    let mut word: Word = fraction.iter().map(|&bit| aig.ite(overflow, !to_infinity, bit)).collect();
    if is_x87(f) {
        word.push(aig.or(overflow, integer));
    }
    debug_assert_eq!(word.len(), exponent_place(f));
    word.push(aig.ite(overflow, to_infinity, field[0]));
    word.extend(field[1..].iter().map(|&bit| aig.or(overflow, bit)));
    word.push(x.sign);
    word
}

/// Does the magnitude go up? From the last bit that is kept, the first that is dropped, and whether any other that is
/// dropped is set.
pub fn rounds_up(aig: &mut Aig, mode: Mode, sign: Lit, last: Lit, guard: Lit, sticky: Lit) -> Lit {
    let inexact = aig.or(guard, sticky);
    match mode {
        Mode::NearestEven => {
            let not_down = aig.or(sticky, last);
            aig.and(guard, not_down)
        }
        Mode::NearestAway => guard,
        Mode::Up => aig.and(!sign, inexact),
        Mode::Down => aig.and(sign, inexact),
        Mode::Zero => Lit::FALSE,
    }
}

pub fn bit_length(n: usize) -> usize {
    (usize::BITS - n.leading_zeros()) as usize
}

/// How many zeros stand before the first one, in as few bits as the length needs, and whether there is a one (if there
/// is none, the count means nothing). By halves: the count of the upper half, or of the lower half if the upper one is
/// zero.
fn leading_zeros(aig: &mut Aig, a: &[Lit]) -> (Word, Lit) {
    if let [] | [_] = a {
        return (Vec::new(), a.first().copied().unwrap_or(Lit::FALSE));
    }
    let half = a.len().next_power_of_two() / 2;
    let (low, high) = a.split_at(a.len() - half);
    let mut padded = vec![Lit::FALSE; half - low.len()];
    padded.extend(low);
    let (in_low, any_low) = leading_zeros(aig, &padded);
    let (in_high, any_high) = leading_zeros(aig, high);
    let mut count = words::ite(aig, any_high, &in_high, &in_low);
    count.push(!any_high);
    (count, aig.or(any_high, any_low))
}

/// The top `keep` bits of a word shifted to the left, and whether any bit below them is set. From the largest distance
/// to the smallest, so that ever fewer bits can still come into the window.
fn shift_left_to(aig: &mut Aig, a: &[Lit], amount: &[Lit], keep: usize) -> (Word, Lit) {
    // The highest bit first.
    let mut word: Word = a.iter().rev().copied().collect();
    let mut sticky = Lit::FALSE;
    for (k, &bit) in amount.iter().enumerate().rev() {
        let by = 1 << k;
        let needed = keep + by - 1;
        let lost_moved = aig.or_all(word.iter().skip(needed + by).copied());
        let lost = aig.or_all(word.iter().skip(needed).copied());
        let lost = aig.ite(bit, lost_moved, lost);
        sticky = aig.or(sticky, lost);
        let at = |i: usize| word.get(i).copied().unwrap_or(Lit::FALSE);
        word = (0..needed.min(word.len())).map(|i| aig.ite(bit, at(i + by), at(i))).collect();
    }
    let lost = aig.or_all(word.iter().skip(keep).copied());
    sticky = aig.or(sticky, lost);
    word.resize(keep, Lit::FALSE);
    word.reverse();
    (word, sticky)
}
