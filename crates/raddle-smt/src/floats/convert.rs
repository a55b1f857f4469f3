//! Conversions between formats, and from and to integers.

use super::round::{Exact, Mode, round};
use super::special::{Nan, select};
use super::unpack::{
    Parts, bias, is_x87, largest_exponent, precision, signed_bits, signed_constant, signed_resize, unpack,
};
use crate::aig::{Aig, Lit};
use crate::words::{self, Word};
use raddle_ir::FloatSort;

/// Float → float, rounded to nearest even. A NaN keeps its sign and the top of its payload, and becomes quiet.
pub fn to_float(aig: &mut Aig, from: FloatSort, to: FloatSort, a: &[Lit]) -> Word {
    if from == to {
        return a.to_vec();
    }
    let x = unpack(aig, from, a);
    let rebias = bias(to) - bias(from);
    let lowest = 1 + rebias;
    let highest = largest_exponent(from) - 1 + rebias;
    let width = signed_bits(lowest, highest + 1);
    let exponent = words::add(aig, &signed_resize(&x.exponent, width), &signed_constant(width, rebias));
    // Only in a format with more exponents can a subnormal number become a normal one.
    let leading_zeros = if rebias > 0 { precision(from) - 1 } else { 0 };
    let exact = Exact { sign: x.sign, exponent, significand: x.significand.clone(), lowest, highest, leading_zeros };
    let result = round(aig, to, Mode::NearestEven, &exact);

    let (narrow, wide) = (precision(from) - 2, precision(to) - 2);
    let mut nan = Nan::first(aig, from, &[&x], Lit::FALSE);
    nan.payload = if wide >= narrow {
        std::iter::repeat_n(Lit::FALSE, wide - narrow).chain(nan.payload).collect()
    } else {
        nan.payload.split_off(narrow - wide)
    };
    select(aig, to, &result, x.infinite, Lit::FALSE, &nan)
}

/// Integer → float, rounded to nearest even.
pub fn from_integer(aig: &mut Aig, to: FloatSort, signed: bool, a: &[Lit]) -> Word {
    let n = a.len();
    let sign = if signed { words::sign(a) } else { Lit::FALSE };
    let significand = words::neg_if(aig, sign, a);
    let top = bias(to) + n as i32 - 1;
    let exponent = signed_constant(signed_bits(0, top), top);
    let leading_zeros = n.saturating_sub(1);
    let exact = Exact { sign, exponent, significand, lowest: top, highest: top, leading_zeros };
    round(aig, to, Mode::NearestEven, &exact)
}

/// Float → integer of a width, toward zero. What does not fit gives what the conversion instruction gives that gcc
/// picks on x86-64 for the type, cut down to the width.
pub fn to_integer(aig: &mut Aig, f: FloatSort, signed: bool, width: u8, a: &[Lit]) -> Word {
    let x = unpack(aig, f, a);
    let instruction = match (signed, width, is_x87(f)) {
        (true, ..=16, true) | (false, ..=8, true) => 16,
        (true, ..=32, _) | (false, ..=16, _) => 32,
        (true, ..=64, _) | (false, ..=32, _) => 64,
        _ => 128,
    };
    let mut result = match instruction {
        128 if signed => {
            let (whole, beyond) = integer_part(aig, f, &x, 128);
            let value = words::neg_if(aig, x.sign, &whole);
            let value = words::mask(aig, !beyond, &value);
            words::ite(aig, x.nan, &wide_indefinite(), &value)
        }
        128 if width <= 64 => {
            let (whole, beyond) = integer_part(aig, f, &x, 64);
            // Below −2^63. (At it, the value has the same bits.)
            let too_low = aig.or(beyond, whole[63]);
            let too_low = aig.and(x.sign, too_low);
            let indefinite = aig.or(x.nan, too_low);
            let value = words::neg_if(aig, x.sign, &whole);
            let value = words::mask(aig, !beyond, &value);
            words::ite(aig, indefinite, &words::constant(64, 1 << 63), &value)
        }
        128 => {
            let (whole, beyond) = integer_part(aig, f, &x, 128);
            let positive = words::mask(aig, !beyond, &whole);
            let negative = if is_x87(f) { words::constant(128, 0) } else { negative_halves(aig, &whole, beyond) };
            let value = words::ite(aig, x.sign, &negative, &positive);
            words::ite(aig, x.nan, &wide_indefinite(), &value)
        }
        bits => {
            let (whole, beyond) = integer_part(aig, f, &x, bits);
            // The lowest number has only the top bit set, just as the answer to what does not fit.
            let misfit = aig.or_all([x.nan, beyond, whole[bits - 1]]);
            let value = words::neg_if(aig, x.sign, &whole);
            words::ite(aig, misfit, &words::constant(bits, 1 << (bits - 1)), &value)
        }
    };
    result.truncate(width.into());
    result
}

/// The magnitude's part left of the point in some bits, and whether it needs more.
fn integer_part(aig: &mut Aig, f: FloatSort, x: &Parts, bits: usize) -> (Word, Lit) {
    // With the exponent `top` the integer bit is the highest bit; with a lower one it is further to the right.
    let top = bias(f) + bits as i32 - 1;
    let width = signed_bits(top - largest_exponent(f), top);
    let amount = words::sub(aig, &signed_constant(width, top), &signed_resize(&x.exponent, width));
    let (beyond, amount) = (words::sign(&amount), &amount[..width - 1]);
    let significand = x.significand.iter().rev().copied().chain(std::iter::repeat(Lit::FALSE));
    let mut word: Word = significand.take(bits).collect();
    word.reverse();
    let whole = words::lshr(aig, &word, amount);
    (whole, aig.or(beyond, x.infinite))
}

/// What stands for a NaN in 128 bits: both halves have their top bit.
fn wide_indefinite() -> Word {
    words::constant(128, 1 << 127 | 1 << 63)
}

/// A negative number as an unsigned one of 128 bits: libgcc computes the halves apart from each other.
fn negative_halves(aig: &mut Aig, whole: &[Lit], beyond: Lit) -> Word {
    let (low, high) = whole.split_at(64);
    let top = words::constant(64, 1 << 63);
    let high_zero = words::is_zero(aig, high);
    let small = aig.and(high_zero, !beyond);

    // Of 2^63 the negative has the same bits as what stands for larger ones.
    let fits = aig.and(small, !low[63]);
    let negative = words::neg(aig, low);
    let low = words::ite(aig, fits, &negative, &top);

    let fits = aig.and(!beyond, !high[63]);
    let negative = words::neg(aig, high);
    let high = words::ite(aig, fits, &negative, &top);
    let high = words::mask(aig, !small, &high);
    [low, high].concat()
}
