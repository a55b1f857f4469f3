//! Circuits for bit-vector operations: words of literals in, words of literals out, the lowest bit first.
//!
//! The meaning is that of the IR's evaluator. Words may be longer than the IR's 128 bits. Constant bits need no care
//! here: the graph folds them.

use crate::aig::{Aig, Lit};

/// A bit-vector, the lowest bit first.
pub type Word = Vec<Lit>;

/// A number of a width.
pub fn constant(width: usize, value: u128) -> Word {
    (0..width).map(|i| Lit::constant(i < 128 && value >> i & 1 != 0)).collect()
}

/// The number that a word of constants is.
pub fn as_constant(a: &[Lit]) -> Option<u128> {
    if a.len() > 128 {
        return None;
    }
    a.iter().rev().try_fold(0, |value, lit| lit.is_constant().then(|| value << 1 | u128::from(lit.is(true))))
}

pub fn zero_extend(a: &[Lit], width: usize) -> Word {
    let mut word = a.to_vec();
    word.resize(width, Lit::FALSE);
    word
}

pub fn sign_extend(a: &[Lit], width: usize) -> Word {
    let mut word = a.to_vec();
    word.resize(width, sign(a));
    word
}

/// The highest bit.
pub fn sign(a: &[Lit]) -> Lit {
    a.last().copied().unwrap_or(Lit::FALSE)
}

pub fn not(a: &[Lit]) -> Word {
    a.iter().map(|&lit| !lit).collect()
}

fn zip(aig: &mut Aig, a: &[Lit], b: &[Lit], mut f: impl FnMut(&mut Aig, Lit, Lit) -> Lit) -> Word {
    a.iter().zip(b).map(|(&x, &y)| f(aig, x, y)).collect()
}

pub fn and(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    zip(aig, a, b, Aig::and)
}

pub fn or(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    zip(aig, a, b, Aig::or)
}

pub fn xor(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    zip(aig, a, b, Aig::xor)
}

pub fn ite(aig: &mut Aig, c: Lit, a: &[Lit], b: &[Lit]) -> Word {
    zip(aig, a, b, |aig, x, y| aig.ite(c, x, y))
}

/// The word if the condition holds, otherwise 0.
pub fn mask(aig: &mut Aig, c: Lit, a: &[Lit]) -> Word {
    a.iter().map(|&lit| aig.and(c, lit)).collect()
}

pub fn is_zero(aig: &mut Aig, a: &[Lit]) -> Lit {
    !aig.or_all(a.iter().copied())
}

pub fn eq(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let differ = xor(aig, a, b);
    is_zero(aig, &differ)
}

/// The sum modulo 2^n, and the carry.
pub fn add_carry(aig: &mut Aig, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Word, Lit) {
    let mut sum = Word::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        let (bit, next) = full_adder(aig, x, y, carry);
        sum.push(bit);
        carry = next;
    }
    (sum, carry)
}

fn full_adder(aig: &mut Aig, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
    let differ = aig.xor(a, b);
    (aig.xor(differ, c), aig.ite(differ, c, a))
}

pub fn add(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    add_carry(aig, a, b, Lit::FALSE).0
}

pub fn sub(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    add_carry(aig, a, &not(b), Lit::TRUE).0
}

pub fn neg(aig: &mut Aig, a: &[Lit]) -> Word {
    let zero = constant(a.len(), 0);
    sub(aig, &zero, a)
}

/// The word plus one if the flag is set.
pub fn add_bit(aig: &mut Aig, a: &[Lit], bit: Lit) -> Word {
    let zero = constant(a.len(), 0);
    add_carry(aig, a, &zero, bit).0
}

/// The word, or its negative if the flag is set.
pub fn neg_if(aig: &mut Aig, negate: Lit, a: &[Lit]) -> Word {
    let flipped: Word = a.iter().map(|&lit| aig.xor(lit, negate)).collect();
    add_bit(aig, &flipped, negate)
}

pub fn ult(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    less(aig, a, b, Lit::FALSE)
}

pub fn ule(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    less(aig, a, b, Lit::TRUE)
}

/// From the lowest bit: the highest bit that differs decides.
fn less(aig: &mut Aig, a: &[Lit], b: &[Lit], if_equal: Lit) -> Lit {
    a.iter().zip(b).fold(if_equal, |lower, (&x, &y)| {
        let differ = aig.xor(x, y);
        aig.ite(differ, y, lower)
    })
}

pub fn slt(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let (a, b) = (flip_sign(a), flip_sign(b));
    ult(aig, &a, &b)
}

pub fn sle(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let (a, b) = (flip_sign(a), flip_sign(b));
    ule(aig, &a, &b)
}

/// Signed order is unsigned order with the highest bit flipped.
fn flip_sign(a: &[Lit]) -> Word {
    let mut word = a.to_vec();
    if let Some(last) = word.last_mut() {
        *last = !*last;
    }
    word
}

/// A shift to the left; all bits of the amount count.
pub fn shl(aig: &mut Aig, a: &[Lit], amount: &[Lit]) -> Word {
    shift(aig, a, amount, Lit::FALSE, |i, by| i.checked_sub(by))
}

pub fn lshr(aig: &mut Aig, a: &[Lit], amount: &[Lit]) -> Word {
    shift(aig, a, amount, Lit::FALSE, |i, by| i.checked_add(by))
}

pub fn ashr(aig: &mut Aig, a: &[Lit], amount: &[Lit]) -> Word {
    shift(aig, a, amount, sign(a), |i, by| i.checked_add(by))
}

/// A barrel shifter: bit k of the amount shifts by 2^k. `from` says where a bit comes from; from outside comes `fill`.
fn shift(aig: &mut Aig, a: &[Lit], amount: &[Lit], fill: Lit, from: impl Fn(usize, usize) -> Option<usize>) -> Word {
    let n = a.len();
    let mut word = a.to_vec();
    let mut too_far = Lit::FALSE;
    for (k, &bit) in amount.iter().enumerate() {
        if k >= usize::BITS as usize || 1usize << k >= n {
            too_far = aig.or(too_far, bit);
            continue;
        }
        let by = 1 << k;
        word = (0..n)
            .map(|i| {
                let moved = from(i, by).and_then(|j| word.get(j).copied()).unwrap_or(fill);
                aig.ite(bit, moved, word[i])
            })
            .collect();
    }
    word.iter().map(|&lit| aig.ite(too_far, fill, lit)).collect()
}

/// The shifted-out bits do not get lost: a right shift whose lowest bit is also set if any bit fell off ("sticky").
pub fn lshr_sticky(aig: &mut Aig, a: &[Lit], amount: &[Lit]) -> Word {
    let n = a.len();
    let mut word = a.to_vec();
    let mut lost = Lit::FALSE;
    let mut too_far = Lit::FALSE;
    for (k, &bit) in amount.iter().enumerate() {
        if k >= usize::BITS as usize || 1usize << k >= n {
            too_far = aig.or(too_far, bit);
            continue;
        }
        let by = 1 << k;
        let fallen = aig.or_all(word[..by].iter().copied());
        let fallen = aig.and(bit, fallen);
        lost = aig.or(lost, fallen);
        word = (0..n).map(|i| aig.ite(bit, word.get(i + by).copied().unwrap_or(Lit::FALSE), word[i])).collect();
    }
    let any = aig.or_all(word.iter().copied());
    let all_gone = aig.and(too_far, any);
    word = word.iter().map(|&lit| aig.and(!too_far, lit)).collect();
    if let Some(first) = word.first_mut() {
        let sticky = aig.or(lost, all_gone);
        *first = aig.or(*first, sticky);
    }
    word
}

/// The product modulo 2^n, where n is the length of the operands.
/// The product modulo 2^width. That of numbers with few significant bits has no more than theirs together.
pub fn mul(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    let width = (significant(a) + significant(b)).min(a.len());
    let product = mul_to(aig, &a[..width], &b[..width], width);
    sign_extend(&product, a.len())
}

/// So many bits tell a signed number: all others are the same as the last of them.
fn significant(word: &[Lit]) -> usize {
    let same = word.last().map_or(0, |sign| word.iter().rev().take_while(|bit| *bit == sign).count());
    word.len() + 1 - same
}

/// The product of two unsigned numbers modulo 2^width. The rows are added up one after the other: a tree of carry-save adders
/// was a little faster on `cargo bench -p raddle-smt -- remainders`, but several times slower on `distributes`.
pub fn mul_to(aig: &mut Aig, a: &[Lit], b: &[Lit], width: usize) -> Word {
    // The operand with more constant bits selects what is added up.
    let constants = |word: &[Lit]| word.iter().filter(|lit| lit.is_constant()).count() + 128 - word.len().min(128);
    let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
    let a = zero_extend(&a[..a.len().min(width)], width);
    let mut sum = constant(width, 0);
    let mut first = true;
    for (shift, digit) in digits(b, width) {
        if aig.is_stopped() {
            break;
        }
        let shifted: Word = std::iter::repeat_n(Lit::FALSE, shift).chain(a.iter().copied()).take(width).collect();
        match digit {
            Digit::Minus => sum = sub(aig, &sum, &shifted),
            Digit::Times(bit) if first => sum = mask(aig, bit, &shifted),
            Digit::Times(bit) => {
                // Below the shift nothing changes.
                let row = mask(aig, bit, &shifted[shift..]);
                let high = add(aig, &sum[shift..], &row);
                sum.truncate(shift);
                sum.extend(high);
            }
        }
        first = false;
    }
    sum
}

enum Digit {
    Times(Lit),
    Minus,
}

/// The digits of a multiplier that are not 0, with their places. A constant is written with digits −1, 0 and 1 so that
/// no two neighbours differ from 0 (the non-adjacent form): that saves additions.
fn digits(b: &[Lit], width: usize) -> Vec<(usize, Digit)> {
    if let Some(mut value) = as_constant(b)
        && width <= 128
    {
        let mut digits = Vec::new();
        let mut place = 0;
        while value != 0 && place < width {
            if value & 1 == 1 {
                if value & 3 == 3 {
                    digits.push((place, Digit::Minus));
                    // The carry past 2^128 is past the width as well.
                    value = value.wrapping_add(1);
                    if value == 0 {
                        break;
                    }
                } else {
                    digits.push((place, Digit::Times(Lit::TRUE)));
                    value -= 1;
                }
            }
            value >>= 1;
            place += 1;
        }
        return digits;
    }
    let places = b.iter().take(width).enumerate().filter(|(_, bit)| !bit.is(false));
    places.map(|(i, &bit)| (i, Digit::Times(bit))).collect()
}

/// Does the product of two unsigned numbers need more than n bits? (Schulte et al., "Combined Unsigned and Two's Complement
/// Saturating Multipliers", 2000.)
pub fn umul_overflows(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let n = a.len();
    let (wide_a, wide_b) = (zero_extend(a, n + 1), zero_extend(b, n + 1));
    let product = mul(aig, &wide_a, &wide_b);
    let mut overflow = product[n];
    // Two set bits whose places add up to n or more; those of a from place n − i on are in `high`.
    let mut high = Lit::FALSE;
    for i in 1..n {
        high = aig.or(high, a[n - i]);
        let both = aig.and(high, b[i]);
        overflow = aig.or(overflow, both);
    }
    overflow
}

/// The same for two's complement.
pub fn smul_overflows(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let n = a.len();
    let (wide_a, wide_b) = (sign_extend(a, n + 1), sign_extend(b, n + 1));
    let product = mul(aig, &wide_a, &wide_b);
    let mut overflow = aig.xor(product[n], product[n - 1]);
    // As above for the bits that differ from the sign.
    let mut high = Lit::FALSE;
    for i in 1..n.saturating_sub(1) {
        let bit_a = aig.xor(a[n - 1 - i], sign(a));
        let bit_b = aig.xor(b[i], sign(b));
        high = aig.or(high, bit_a);
        let both = aig.and(high, bit_b);
        overflow = aig.or(overflow, both);
    }
    overflow
}

pub fn sadd_overflows(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let sum = add(aig, a, b);
    signs_overflow(aig, sign(a), sign(b), sign(&sum))
}

pub fn ssub_overflows(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let difference = sub(aig, a, b);
    signs_overflow(aig, sign(a), !sign(b), sign(&difference))
}

/// Two numbers of one sign have a sum of the other sign.
fn signs_overflow(aig: &mut Aig, a: Lit, b: Lit, sum: Lit) -> Lit {
    let (from_a, from_b) = (aig.xor(a, sum), aig.xor(b, sum));
    aig.and(from_a, from_b)
}

/// Quotient and remainder of unsigned numbers, digit by digit as on paper. By 0, the quotient is all ones and the remainder
/// the dividend.
pub fn udivrem(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Word, Word) {
    let n = a.len();
    let mut quotient = constant(n, 0);
    // Before each step the remainder is less than the divisor (or the divisor is 0, and it is less than 2^n), and after
    // k steps it has at most k bits.
    let mut rest: Word = Vec::with_capacity(n + 1);
    for i in (0..n).rev() {
        if aig.is_stopped() {
            rest.resize(n, Lit::FALSE);
            break;
        }
        rest.insert(0, a[i]);
        let width = rest.len();
        let high = aig.or_all(b.iter().skip(width).copied());
        let divisor: Word = b.iter().copied().chain(std::iter::repeat(Lit::FALSE)).take(width).collect();
        let (difference, no_borrow) = add_carry(aig, &rest, &not(&divisor), Lit::TRUE);
        let fits = aig.and(no_borrow, !high);
        quotient[i] = fits;
        rest = ite(aig, fits, &difference, &rest);
        rest.truncate(n);
    }
    (quotient, rest)
}

/// Truncates toward zero; by 0, and for the smallest number by −1, as the evaluator has it.
pub fn sdivrem(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Word, Word) {
    let (sign_a, sign_b) = (sign(a), sign(b));
    let (abs_a, abs_b) = (neg_if(aig, sign_a, a), neg_if(aig, sign_b, b));
    let (quotient, rest) = udivrem(aig, &abs_a, &abs_b);
    let differ = aig.xor(sign_a, sign_b);
    (neg_if(aig, differ, &quotient), neg_if(aig, sign_a, &rest))
}

/// The word shifted to the left until its highest bit is set, and by how much (0 for the word 0 if no bit is set: the amount is then
/// the largest that the shifter can say).
pub fn normalize(aig: &mut Aig, a: &[Lit]) -> (Word, Word) {
    let n = a.len();
    let stages = usize::BITS as usize - n.saturating_sub(1).leading_zeros() as usize;
    let mut word = a.to_vec();
    let mut amount = vec![Lit::FALSE; stages];
    for k in (0..stages).rev() {
        let by = 1 << k;
        // If the top `by` bits are all 0, they go.
        let clear = is_zero(aig, &word[n.saturating_sub(by)..]);
        amount[k] = clear;
        word = (0..n)
            .map(|i| {
                let moved = i.checked_sub(by).map_or(Lit::FALSE, |j| word[j]);
                aig.ite(clear, moved, word[i])
            })
            .collect();
    }
    (word, amount)
}
