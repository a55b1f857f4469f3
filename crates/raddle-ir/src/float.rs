//! IEEE-754 arithmetic on encodings: what C computes with `float`, `double` and `long double` on x86-64.
//!
//! binary32 and binary64 run on the machine's own arithmetic, which rounds to nearest even as IEEE-754 says. The x87
//! format (and binary16, bfloat16 and binary128) add, subtract, multiply and divide through `rustc_apfloat`; what is
//! exact or needs one rounding (conversions, remainder, square root, rounding to integral values) is done here by
//! [`unpack`]ing into an integer times a power of two and [`pack`]ing the result.
//!
//! NaNs follow the hardware, so that results do not depend on how the compiler orders operands. Without a NaN operand
//! the result is the default NaN (negative and quiet). With NaN operands SSE gives the first one made quiet, and x87 the
//! one with the larger significand made quiet, preferring a quiet one. An x87 encoding without its integer bit (an
//! "unnormal") is no number: it counts as a NaN, and arithmetic on it gives the default NaN.

use crate::expr::{BinOp, UnOp};
use crate::sort::FloatSort;
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{BFloat, Half, Quad, X87DoubleExtended};
use std::cmp::Ordering;

const BINARY16: FloatSort = FloatSort { exponent: 5, significand: 11 };
const BFLOAT16: FloatSort = FloatSort { exponent: 8, significand: 8 };
const BINARY128: FloatSort = FloatSort { exponent: 15, significand: 113 };

impl FloatSort {
    /// The formats that the evaluator can compute with.
    pub fn is_supported(self) -> bool {
        [Self::F32, Self::F64, Self::X87, BINARY16, BFLOAT16, BINARY128].contains(&self)
    }

    /// The width of the field right of the exponent: x87 has the integer bit in it.
    fn fraction_bits(self) -> u32 {
        if self == Self::X87 { 64 } else { u32::from(self.significand) - 1 }
    }

    fn exponent_mask(self) -> u128 {
        (1 << self.exponent) - 1
    }

    fn sign_bit(self) -> u128 {
        1 << (self.bits() - 1)
    }

    /// The bit that tells a quiet NaN from a signalling one.
    fn quiet_bit(self) -> u128 {
        1 << (self.significand - 2)
    }

    fn infinity(self) -> u128 {
        let integer_bit = if self == Self::X87 { 1 << 63 } else { 0 };
        (self.exponent_mask() << self.fraction_bits()) | integer_bit
    }

    /// The NaN that the hardware makes when no operand is one.
    fn default_nan(self) -> u128 {
        self.sign_bit() | self.infinity() | self.quiet_bit()
    }

    fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }
}

/// A float taken apart; a finite one is `magnitude · 2^exponent`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Number {
    Nan,
    Infinite { negative: bool },
    Finite { negative: bool, magnitude: u128, exponent: i32 },
}

fn unpack(f: FloatSort, a: u128) -> Number {
    let fraction = a & ((1 << f.fraction_bits()) - 1);
    let exponent = (a >> f.fraction_bits()) & f.exponent_mask();
    let negative = a & f.sign_bit() != 0;
    let x87 = f == FloatSort::X87;
    if exponent == f.exponent_mask() {
        let infinite = fraction == if x87 { 1 << 63 } else { 0 };
        return if infinite { Number::Infinite { negative } } else { Number::Nan };
    }
    if x87 && exponent != 0 && fraction >> 63 == 0 {
        return Number::Nan;
    }
    let precision = i32::from(f.significand);
    let hidden = if x87 || exponent == 0 { 0 } else { 1 << (f.significand - 1) };
    let exponent = (exponent as i32).max(1) - f.bias() - (precision - 1);
    Number::Finite { negative, magnitude: fraction | hidden, exponent }
}

/// The encoding of `magnitude · 2^exponent`, rounded to nearest even.
fn pack(f: FloatSort, negative: bool, magnitude: u128, exponent: i32) -> u128 {
    let sign = if negative { f.sign_bit() } else { 0 };
    if magnitude == 0 {
        return sign;
    }
    let precision = i32::from(f.significand);
    let length = (128 - magnitude.leading_zeros()) as i32;
    // The exponent of the last place: as low as the precision or the subnormal range allows.
    let mut last = (exponent + length - precision).max(1 - f.bias() - (precision - 1));
    let drop = last - exponent;
    let mut rounded = match drop {
        ..=0 => magnitude << -drop,
        1..=127 => {
            let kept = magnitude >> drop;
            let rest = magnitude & ((1 << drop) - 1);
            let half = 1 << (drop - 1);
            kept + u128::from(rest > half || (rest == half && kept & 1 == 1))
        }
        128 => u128::from(magnitude > 1 << 127),
        _ => 0,
    };
    if precision < 128 && rounded >> precision != 0 {
        rounded >>= 1;
        last += 1;
    }
    let normal = rounded >> (precision - 1) != 0;
    let biased = if normal { last + precision - 1 + f.bias() } else { 0 };
    if biased >= f.exponent_mask() as i32 {
        return sign | f.infinity();
    }
    let fraction = rounded & ((1 << f.fraction_bits()) - 1);
    sign | ((biased as u128) << f.fraction_bits()) | fraction
}

#[inline]
fn is_nan(f: FloatSort, a: u128) -> bool {
    match f {
        FloatSort::F32 => f32::from_bits(a as u32).is_nan(),
        FloatSort::F64 => f64::from_bits(a as u64).is_nan(),
        _ => unpack(f, a) == Number::Nan,
    }
}

/// An x87 encoding that has no meaning: the integer bit is missing.
fn is_unnormal(f: FloatSort, a: u128) -> bool {
    f == FloatSort::X87 && (a >> 64) & f.exponent_mask() != 0 && (a >> 63) & 1 == 0
}

/// Is it a finite number that is no smaller than the normal ones?
fn reaches_integer_bit(f: FloatSort, a: u128) -> bool {
    matches!(unpack(f, a), Number::Finite { magnitude, .. } if magnitude >> (f.significand - 1) != 0)
}

fn quieted(f: FloatSort, nan: u128) -> u128 {
    if is_unnormal(f, nan) { f.default_nan() } else { nan | f.quiet_bit() }
}

/// The result of an operation that has a NaN operand.
#[cold]
fn nan_of(f: FloatSort, a: u128, b: u128) -> u128 {
    if is_unnormal(f, a) || is_unnormal(f, b) {
        return f.default_nan();
    }
    let chosen = match (is_nan(f, a), is_nan(f, b)) {
        (true, true) if f == FloatSort::X87 => {
            let rank = |x: u128| (x & f.quiet_bit() != 0, x & ((1 << 64) - 1), x & f.sign_bit() == 0);
            if rank(a) >= rank(b) { a } else { b }
        }
        (true, _) => a,
        _ => b,
    };
    quieted(f, chosen)
}

#[inline]
pub(crate) fn unary(op: UnOp, f: FloatSort, a: u128) -> u128 {
    match op {
        UnOp::FNeg => a ^ f.sign_bit(),
        UnOp::FAbs => a & !f.sign_bit(),
        UnOp::FToBits => a,
        UnOp::FIsNegative => u128::from(a & f.sign_bit() != 0),
        UnOp::FIsNan => is_nan(f, a).into(),
        UnOp::FIsInf => u128::from(a & !f.sign_bit() == f.infinity()),
        UnOp::FIsZero => u128::from(a & !f.sign_bit() == 0),
        UnOp::FIsSubnormal => {
            u128::from(matches!(unpack(f, a), Number::Finite { magnitude: 1.., .. }) && !reaches_integer_bit(f, a))
        }
        UnOp::FIsNormal => u128::from(reaches_integer_bit(f, a)),
        _ if is_nan(f, a) => quieted(f, a),
        UnOp::FSqrt => sqrt(f, a),
        _ => round_to_integral(op, f, a),
    }
}

fn sqrt(f: FloatSort, a: u128) -> u128 {
    if a & f.sign_bit() != 0 && a != f.sign_bit() {
        return f.default_nan();
    }
    match f {
        FloatSort::F32 => return f32::from_bits(a as u32).sqrt().to_bits().into(),
        FloatSort::F64 => return f64::from_bits(a as u64).sqrt().to_bits().into(),
        _ => {}
    }
    match unpack(f, a) {
        Number::Finite { magnitude, exponent, .. } if magnitude != 0 => {
            // The radicand gets an even exponent and twice as many bits as the root needs, with two to spare (for x87:
            // 132, which is why the last bits are computed by hand). A remainder sets a bit below the last place, so
            // that pack rounds as if it saw the whole root.
            let (root, root_exponent, exact) = root(magnitude, exponent, u32::from(f.significand) + 2);
            pack(f, false, (root << 1) | u128::from(!exact), root_exponent - 1)
        }
        _ => a,
    }
}

/// The first `digits` binary digits of the square root of `magnitude · 2^exponent`, with their exponent, and
/// whether that is all of it. Digit by digit, as on paper.
fn root(magnitude: u128, exponent: i32, digits: u32) -> (u128, i32, bool) {
    let mut rest = magnitude << magnitude.leading_zeros();
    let mut exponent = exponent - magnitude.leading_zeros() as i32;
    // Pairs of digits are taken from the top of `rest`; with an odd exponent the first pair has a leading zero.
    let mut first = true;
    let odd = exponent.rem_euclid(2) == 1;
    if odd {
        exponent += 1;
    }
    let (mut root, mut remainder) = (0u128, 0u128);
    for _ in 0..digits {
        let take = if first && odd { 1 } else { 2 };
        remainder = (remainder << 2) | (rest >> (128 - take));
        rest <<= take;
        first = false;
        let trial = (root << 2) | 1;
        root <<= 1;
        if remainder >= trial {
            remainder -= trial;
            root |= 1;
        }
    }
    (root, exponent / 2 + 64 - digits as i32, remainder == 0 && rest == 0)
}

fn round_to_integral(op: UnOp, f: FloatSort, a: u128) -> u128 {
    macro_rules! native {
        ($x:expr) => {{
            let x = $x;
            let y = match op {
                UnOp::FRint => x.round_ties_even(),
                UnOp::FTrunc => x.trunc(),
                UnOp::FCeil => x.ceil(),
                UnOp::FFloor => x.floor(),
                _ => x.round(),
            };
            u128::from(y.to_bits())
        }};
    }
    match f {
        FloatSort::F32 => return native!(f32::from_bits(a as u32)),
        FloatSort::F64 => return native!(f64::from_bits(a as u64)),
        _ => {}
    }
    let Number::Finite { negative, magnitude, exponent } = unpack(f, a) else { return a };
    if exponent >= 0 {
        return a;
    }
    let drop = exponent.unsigned_abs();
    let (kept, rest_to_half) = match drop {
        1..=127 => {
            let rest = magnitude & ((1 << drop) - 1);
            let to_half = if rest == 0 { None } else { Some(rest.cmp(&(1 << (drop - 1)))) };
            (magnitude >> drop, to_half)
        }
        _ if magnitude == 0 => (0, None),
        _ => (0, Some(Ordering::Less)),
    };
    let up = match (op, rest_to_half) {
        (_, None) | (UnOp::FTrunc, _) => false,
        (UnOp::FCeil, _) => !negative,
        (UnOp::FFloor, _) => negative,
        (UnOp::FRint, Some(to_half)) => to_half.then((kept & 1).cmp(&0)) == Ordering::Greater,
        (_, Some(to_half)) => to_half != Ordering::Less,
    };
    pack(f, negative, kept + u128::from(up), 0)
}

#[inline]
pub(crate) fn binary(op: BinOp, f: FloatSort, a: u128, b: u128) -> u128 {
    macro_rules! native {
        ($float:ident, $bits:ident) => {{
            let (x, y) = ($float::from_bits(a as $bits), $float::from_bits(b as $bits));
            let result = match op {
                BinOp::FEq => return (x == y).into(),
                BinOp::FLt => return (x < y).into(),
                BinOp::FLe => return (x <= y).into(),
                BinOp::FAdd => x + y,
                BinOp::FSub => x - y,
                BinOp::FMul => x * y,
                BinOp::FDiv => x / y,
                _ => x % y,
            };
            if !result.is_nan() {
                result.to_bits().into()
            } else if x.is_nan() || y.is_nan() {
                nan_of(f, a, b)
            } else {
                f.default_nan()
            }
        }};
    }
    match f {
        FloatSort::F32 => native!(f32, u32),
        FloatSort::F64 => native!(f64, u64),
        _ => software_binary(op, f, a, b),
    }
}

fn software_binary(op: BinOp, f: FloatSort, a: u128, b: u128) -> u128 {
    let nan = is_nan(f, a) || is_nan(f, b);
    match op {
        BinOp::FEq => return u128::from(!nan && order_key(f, a) == order_key(f, b)),
        BinOp::FLt => return u128::from(!nan && order_key(f, a) < order_key(f, b)),
        BinOp::FLe => return u128::from(!nan && order_key(f, a) <= order_key(f, b)),
        _ if nan => return nan_of(f, a, b),
        BinOp::FRem => return remainder(f, a, b),
        _ => {}
    }
    let result = match f {
        FloatSort::X87 => apfloat::<X87DoubleExtended>(op, a, b),
        BINARY16 => apfloat::<Half>(op, a, b),
        BFLOAT16 => apfloat::<BFloat>(op, a, b),
        BINARY128 => apfloat::<Quad>(op, a, b),
        _ => f.default_nan(),
    };
    if is_nan(f, result) { f.default_nan() } else { result }
}

fn apfloat<F: Float>(op: BinOp, a: u128, b: u128) -> u128 {
    let (x, y) = (F::from_bits(a), F::from_bits(b));
    let result = match op {
        BinOp::FAdd => x + y,
        BinOp::FSub => x - y,
        BinOp::FMul => x * y,
        _ => x / y,
    };
    result.value.to_bits()
}

/// `a · b + c` with one rounding. Of NaNs it gives what glibc's functions do: by the instruction for it (which has `b` as its
/// first operand) the first one of b, a and c, also where the product is infinity times zero; x87 has no such
/// instruction, and `fmal` multiplies and adds NaNs and infinities one after the other. gcc may swap `a` and `b`.
pub(crate) fn fma(f: FloatSort, a: u128, b: u128, c: u128) -> u128 {
    fn apfloat<F: Float>(a: u128, b: u128, c: u128) -> u128 {
        F::from_bits(a).mul_add(F::from_bits(b), F::from_bits(c)).value.to_bits()
    }
    let operands = [b, a, c];
    if let Some(&nan) = operands.iter().find(|x| is_nan(f, **x)) {
        return match f {
            FloatSort::X87 if operands.iter().any(|x| is_unnormal(f, *x)) => f.default_nan(),
            FloatSort::X87 => binary(BinOp::FAdd, f, binary(BinOp::FMul, f, a, b), c),
            _ => quieted(f, nan),
        };
    }
    let result = match f {
        FloatSort::F32 => {
            let [y, x, z] = operands.map(|x| f32::from_bits(x as u32));
            x.mul_add(y, z).to_bits().into()
        }
        FloatSort::F64 => {
            let [y, x, z] = operands.map(|x| f64::from_bits(x as u64));
            x.mul_add(y, z).to_bits().into()
        }
        FloatSort::X87 => apfloat::<X87DoubleExtended>(a, b, c),
        BINARY16 => apfloat::<Half>(a, b, c),
        BFLOAT16 => apfloat::<BFloat>(a, b, c),
        BINARY128 => apfloat::<Quad>(a, b, c),
        _ => f.default_nan(),
    };
    if is_nan(f, result) { f.default_nan() } else { result }
}

/// Numbers in the order of these keys; both zeros have the key 0.
fn order_key(f: FloatSort, a: u128) -> i128 {
    // Packing anew gives a subnormal x87 number that has its integer bit set the encoding that others have.
    let magnitude = match unpack(f, a) {
        Number::Finite { magnitude, exponent, .. } => pack(f, false, magnitude, exponent),
        _ => a & !f.sign_bit(),
    } as i128;
    if a & f.sign_bit() != 0 { -magnitude } else { magnitude }
}

/// C's `fmod` of two operands that are not NaN. It is exact.
fn remainder(f: FloatSort, a: u128, b: u128) -> u128 {
    let Number::Finite { negative, magnitude: dividend, exponent } = unpack(f, a) else { return f.default_nan() };
    let (divisor, divisor_exponent) = match unpack(f, b) {
        Number::Finite { magnitude: 0, .. } => return f.default_nan(),
        Number::Finite { magnitude, exponent, .. } => (magnitude, exponent),
        _ => return pack(f, negative, dividend, exponent),
    };
    if exponent < divisor_exponent {
        // A divisor that does not fit after shifting is larger than the dividend.
        let shift = exponent.abs_diff(divisor_exponent);
        if shift >= divisor.leading_zeros() {
            return pack(f, negative, dividend, exponent);
        }
        return pack(f, negative, dividend % (divisor << shift), exponent);
    }
    let mut rest = dividend % divisor;
    let mut shift = exponent.abs_diff(divisor_exponent);
    while shift > 0 && rest != 0 {
        let by = shift.min(rest.leading_zeros());
        rest = (rest << by) % divisor;
        shift -= by;
    }
    pack(f, negative, rest, divisor_exponent)
}

/// Float → float, rounded to nearest even; a NaN keeps its sign and the top of its payload, and becomes quiet.
#[inline]
pub(crate) fn to_float(from: FloatSort, to: FloatSort, a: u128) -> u128 {
    if from == to {
        return a;
    }
    match unpack(from, a) {
        Number::Finite { negative, magnitude, exponent } => pack(to, negative, magnitude, exponent),
        Number::Infinite { negative } => to.infinity() | if negative { to.sign_bit() } else { 0 },
        Number::Nan if is_unnormal(from, a) => to.default_nan(),
        Number::Nan => {
            let payload = a & (from.quiet_bit() - 1);
            let (narrow, wide) = (from.significand, to.significand);
            let payload = if wide >= narrow { payload << (wide - narrow) } else { payload >> (narrow - wide) };
            let sign = if a & from.sign_bit() != 0 { to.sign_bit() } else { 0 };
            sign | to.infinity() | to.quiet_bit() | payload
        }
    }
}

/// Integer → float, rounded to nearest even.
#[inline]
pub(crate) fn from_integer(to: FloatSort, negative: bool, magnitude: u128) -> u128 {
    match (to, u64::try_from(magnitude)) {
        (FloatSort::F32, Ok(m)) => {
            let x = m as f32;
            u128::from(if negative { -x } else { x }.to_bits())
        }
        (FloatSort::F64, Ok(m)) => {
            let x = m as f64;
            u128::from(if negative { -x } else { x }.to_bits())
        }
        _ => pack(to, negative && magnitude != 0, magnitude, 0),
    }
}

/// Float → integer of a width, toward zero. A value that does not fit gives what gcc's code gives on x86-64 without optimisation:
/// the conversion instruction that it picks for the type answers with only the top bit set when the value does
/// not fit *its* width, and the result is cut down to the type's width.
#[inline]
pub(crate) fn to_integer(f: FloatSort, signed: bool, width: u8, a: u128) -> u128 {
    let x87 = f == FloatSort::X87;
    let instruction = match (signed, width, x87) {
        (true, ..=16, true) | (false, ..=8, true) => 16,
        (true, ..=32, _) | (false, ..=16, _) => 32,
        (true, ..=64, _) | (false, ..=32, _) => 64,
        _ => 128,
    };
    let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
    // The part left of the point, and whether it fits 128 bits.
    let (negative, whole) = match unpack(f, a) {
        Number::Finite { negative, magnitude, exponent } => {
            let whole = match exponent {
                ..=-128 => Some(0),
                -127..=0 => Some(magnitude >> -exponent),
                _ if magnitude == 0 => Some(0),
                _ if exponent as u32 > magnitude.leading_zeros() => None,
                _ => Some(magnitude << exponent),
            };
            (negative, whole)
        }
        Number::Infinite { negative } => (negative, None),
        Number::Nan if instruction == 128 && width > 64 => return ((1 << 127) | (1 << 63)) & mask,
        Number::Nan => return (1 << (instruction.min(64) - 1)) & mask,
    };
    let fits = |bits: u32| whole.is_some_and(|w| w < 1 << (bits - 1) || (negative && w == 1 << (bits - 1)));
    let value = |w: u128| if negative { w.wrapping_neg() } else { w };
    let top = |bits: u32| 1u128 << (bits - 1);
    let result = match instruction {
        128 if signed => whole.map_or(0, value),
        128 if width <= 64 => match whole {
            _ if fits(64) => value(whole.unwrap_or(0)),
            _ if negative => top(64),
            // Twice the top bit: once from the instruction, once from the code around it.
            Some(w) if w <= u128::from(u64::MAX) => w,
            _ => 0,
        },
        128 if !negative => whole.unwrap_or(0),
        128 if x87 => 0,
        128 => {
            // libgcc computes the halves apart from each other, both as unsigned 64-bit integers.
            let whole = whole.unwrap_or(u128::MAX);
            if whole >> 64 == 0 {
                let low = if whole <= top(64) { whole.wrapping_neg() } else { top(64) };
                low & u128::from(u64::MAX)
            } else {
                let high = if whole < top(128) { (whole >> 64).wrapping_neg() } else { top(64) };
                (high << 64) | top(64)
            }
        }
        bits if fits(bits) => whole.map_or(0, value),
        bits => top(bits),
    };
    result & mask
}
