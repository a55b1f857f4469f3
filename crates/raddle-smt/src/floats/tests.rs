//! The circuits against the evaluator, on values that come near every special case.
//!
//! A circuit is built once and simulated, 64 values at a time; and it is built over constants, so that the graph folds
//! it.

use super::unpack::{bias, exponent_place, is_x87, largest_exponent};
use super::*;
use crate::aig::Node;
use raddle_ir::{Expr, ExprId, Sort, eval};
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Double, Half, Single, X87DoubleExtended};

const F16: FloatSort = FloatSort { exponent: 5, significand: 11 };
const BF16: FloatSort = FloatSort { exponent: 8, significand: 8 };
const F128: FloatSort = FloatSort { exponent: 15, significand: 113 };
const FORMATS: [FloatSort; 6] = [F16, BF16, FloatSort::F32, FloatSort::F64, FloatSort::X87, F128];

const ROUNDINGS: [UnOp; 5] = [UnOp::FRint, UnOp::FTrunc, UnOp::FCeil, UnOp::FFloor, UnOp::FRound];
const KINDS: [UnOp; 6] =
    [UnOp::FIsNan, UnOp::FIsInf, UnOp::FIsZero, UnOp::FIsNormal, UnOp::FIsSubnormal, UnOp::FIsNegative];
const COMPARISONS: [BinOp; 3] = [BinOp::FEq, BinOp::FLt, BinOp::FLe];

/// A pseudo-random sequence (SplitMix64).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.bits()) << 64 | u128::from(self.bits())
    }

    fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as u64) as i32
    }

    /// A number of some bits with long runs of equal bits, or few bits that differ from the rest, or random.
    fn pattern(&mut self, bits: u32) -> u128 {
        let mask = eval::mask(bits as u8);
        let one = |random: &mut Self| 1u128 << random.below(u64::from(bits.max(1)));
        let value = match self.below(8) {
            0 => 0,
            1 => u128::MAX,
            2 => one(self) | one(self),
            3 => !(one(self) | one(self)),
            4 => one(self).wrapping_sub(one(self)),
            5 => self.wide() << self.below(u64::from(bits)),
            6 => self.wide() & one(self).wrapping_sub(1),
            _ => self.wide(),
        };
        value & mask
    }
}

/// An encoding from its fields. For x87 the integer bit is as it should be.
fn encode(f: FloatSort, negative: bool, exponent: i32, fraction: u128) -> u128 {
    let integer = if is_x87(f) && exponent != 0 { 1 << 63 } else { 0 };
    let magnitude = (exponent as u128) << exponent_place(f) | integer | fraction;
    magnitude | u128::from(negative) << (f.bits() - 1)
}

fn exponent_of(f: FloatSort, a: u128) -> i32 {
    (a >> exponent_place(f)) as i32 & largest_exponent(f)
}

fn any_float(random: &mut Random, f: FloatSort) -> u128 {
    let largest = largest_exponent(f);
    let exponent = match random.below(16) {
        0 | 1 => 0,
        2 => largest,
        3 => random.between(1, 2),
        4 => largest - 1,
        // Integers and their neighbourhood.
        5..=7 => (bias(f) + random.between(-3, i32::from(f.significand) + 2)).min(largest),
        8 => (bias(f) + [7, 8, 15, 16, 31, 32, 63, 64, 127, 128][random.below(10) as usize] - random.between(0, 1))
            .min(largest),
        9 => bias(f),
        _ => random.between(1, largest - 1),
    };
    let fraction = random.pattern(u32::from(f.significand) - 1);
    let value = encode(f, random.below(2) == 0, exponent, fraction);
    // x87's encodings with the integer bit wrong.
    if is_x87(f) && random.below(12) == 0 { value ^ 1 << 63 } else { value }
}

/// Two floats that often have to do with each other.
fn float_pair(random: &mut Random, f: FloatSort) -> (u128, u128) {
    let a = any_float(random, f);
    let largest = largest_exponent(f);
    let precision = i32::from(f.significand);
    let mask = eval::mask(f.bits());
    let near = |random: &mut Random, exponent: i32| {
        let exponent = (exponent + random.between(-2, 2)).clamp(0, largest - 1);
        encode(f, random.below(2) == 0, exponent, random.pattern(u32::from(f.significand) - 1))
    };
    let e = exponent_of(f, a);
    let b = match random.below(12) {
        0 => a,
        1 => a ^ 1 << (f.bits() - 1),
        // Close, with either sign: cancellation.
        2 => (a ^ random.wide() << (f.bits() - 1)).wrapping_add(random.pattern(6)) & mask,
        3 => a ^ 1 << random.below(f.bits().into()),
        4 => near(random, e),
        5 => {
            let away = random.between(-precision - 3, precision + 3);
            near(random, e + away)
        }
        // The product or the quotient at an end of the range, or subnormal.
        6 => near(random, bias(f) - e),
        7 => {
            let below = random.between(0, precision + 2);
            near(random, bias(f) - e - below)
        }
        8 => near(random, bias(f) - e + largest),
        9 => {
            let below = random.between(0, precision + 2);
            let to = if random.below(2) == 0 { e + bias(f) + below } else { e - bias(f) };
            near(random, to)
        }
        _ => any_float(random, f),
    };
    if random.below(2) == 0 { (a, b) } else { (b, a) }
}

fn word_of(width: usize, value: u128) -> Word {
    words::constant(width, value)
}

type Circuit<'a> = &'a dyn Fn(&mut Aig, &[Word]) -> Word;

/// The gates that some literals depend on.
fn cone(aig: &Aig, outputs: &[Lit]) -> Vec<u32> {
    let mut needed = vec![false; aig.len()];
    for lit in outputs {
        needed[lit.node() as usize] = true;
    }
    let mut cone = Vec::new();
    for node in (0..aig.len() as u32).rev() {
        if let (true, Node::And(a, b)) = (needed[node as usize], aig.get(node)) {
            needed[a.node() as usize] = true;
            needed[b.node() as usize] = true;
            cone.push(node);
        }
    }
    cone.reverse();
    cone
}

fn inputs(aig: &mut Aig, widths: &[usize]) -> Vec<Word> {
    widths.iter().map(|&width| (0..width).map(|_| aig.input()).collect()).collect()
}

/// Compares a circuit with what it should compute, on `count` tuples of operands, and on `folded` of them with
/// constants.
fn compare(
    name: &str,
    widths: &[usize],
    circuit: Circuit,
    (count, folded): (usize, usize),
    operands: &mut dyn FnMut() -> Vec<u128>,
    expected: &dyn Fn(&[u128]) -> u128,
) {
    let mut aig = Aig::new();
    let words = inputs(&mut aig, widths);
    let output = circuit(&mut aig, &words);
    let cone = cone(&aig, &output);
    let mut values = vec![0u64; aig.len()];
    let mut done = 0;
    while done < count {
        let batch: Vec<Vec<u128>> = (0..64).map(|_| operands()).collect();
        for (i, word) in words.iter().enumerate() {
            for (k, lit) in word.iter().enumerate() {
                let column = batch.iter().enumerate().map(|(j, tuple)| ((tuple[i] >> k) as u64 & 1) << j);
                values[lit.node() as usize] = column.fold(0, |all, bit| all | bit);
            }
        }
        let read =
            |values: &[u64], lit: Lit| values[lit.node() as usize] ^ if lit.is_inverted() { u64::MAX } else { 0 };
        for &node in &cone {
            if let Node::And(a, b) = aig.get(node) {
                values[node as usize] = read(&values, a) & read(&values, b);
            }
        }
        let columns: Vec<u64> = output.iter().map(|&lit| read(&values, lit)).collect();
        for (j, tuple) in batch.iter().enumerate() {
            let result = columns.iter().rev().fold(0u128, |all, column| all << 1 | u128::from(column >> j & 1));
            let right = expected(tuple);
            assert_eq!(result, right, "{name} of {tuple:#x?} is {result:#x}, not {right:#x}");
        }
        done += batch.len();
    }
    for _ in 0..folded {
        let tuple = operands();
        let mut aig = Aig::new();
        let words: Vec<Word> = widths.iter().zip(&tuple).map(|(&width, &value)| word_of(width, value)).collect();
        let output = circuit(&mut aig, &words);
        let right = expected(&tuple);
        assert_eq!(words::as_constant(&output), Some(right), "{name} of {tuple:#x?} on constants");
    }
}

fn width(f: FloatSort) -> usize {
    f.bits().into()
}

fn check_unary(op: UnOp, f: FloatSort) {
    let mut random = Random(1);
    let expected = |x: &[u128]| eval::unary(op, Sort::Float(f), x[0]);
    let circuit = |aig: &mut Aig, x: &[Word]| unary(aig, op, f, &x[0]);
    let name = format!("{op:?} {f:?}");
    if f.bits() == 16 {
        let mut next = 0;
        let mut all = || {
            next += 1;
            vec![(next - 1) & 0xffff]
        };
        compare(&name, &[16], &circuit, (1 << 16, 0), &mut all, &expected);
    }
    compare(&name, &[width(f)], &circuit, (30_000, 500), &mut || vec![any_float(&mut random, f)], &expected);
}

fn check_binary(op: BinOp, f: FloatSort, count: (usize, usize)) {
    let mut random = Random(2);
    let sort = Sort::Float(f);
    let expected = |x: &[u128]| eval::binary(op, sort, sort, x[0], x[1]);
    let circuit = |aig: &mut Aig, x: &[Word]| binary(aig, op, f, &x[0], &x[1]);
    let mut operands = || {
        let (a, b) = float_pair(&mut random, f);
        vec![a, b]
    };
    compare(&format!("{op:?} {f:?}"), &[width(f); 2], &circuit, count, &mut operands, &expected);
}

/// The small formats get many more pairs.
fn pairs(f: FloatSort) -> (usize, usize) {
    if f.bits() == 16 { (1_000_000, 2_000) } else { (40_000, 300) }
}

#[test]
fn signs_kinds_and_encodings() {
    for f in FORMATS {
        for op in KINDS.into_iter().chain([UnOp::FNeg, UnOp::FAbs, UnOp::FToBits]) {
            check_unary(op, f);
        }
    }
}

#[test]
fn integral_values() {
    for f in FORMATS {
        for op in ROUNDINGS {
            check_unary(op, f);
        }
    }
}

#[test]
fn square_roots() {
    for f in FORMATS {
        check_unary(UnOp::FSqrt, f);
    }
}

#[test]
fn comparisons() {
    for f in FORMATS {
        for op in COMPARISONS {
            check_binary(op, f, pairs(f));
        }
    }
}

#[test]
fn sums_and_differences() {
    for f in FORMATS {
        check_binary(BinOp::FAdd, f, pairs(f));
        check_binary(BinOp::FSub, f, pairs(f));
    }
}

#[test]
fn products() {
    for f in FORMATS {
        check_binary(BinOp::FMul, f, pairs(f));
    }
}

#[test]
fn quotients() {
    for f in FORMATS {
        check_binary(BinOp::FDiv, f, pairs(f));
    }
}

#[test]
fn remainders() {
    for f in FORMATS {
        let count = if f.bits() <= 32 { pairs(f) } else { (20_032, 5) };
        check_binary(BinOp::FRem, f, count);
    }
}

/// What a conversion's operand is named does not matter.
const ARG: ExprId = ExprId(0);

#[test]
fn conversions_between_formats() {
    let mut random = Random(3);
    for from in FORMATS {
        for to in FORMATS {
            let expected = |x: &[u128]| eval::convert(Expr::FToF { to, arg: ARG }, Sort::Float(from), x[0]);
            let circuit = |aig: &mut Aig, x: &[Word]| to_float(aig, from, to, &x[0]);
            // Half of the values lie near the ends of the other format's range.
            let mut operands = || {
                let value = any_float(&mut random, from);
                let end = [1, largest_exponent(to) - 1][random.below(2) as usize] - bias(to);
                let exponent = end + bias(from) + random.between(-i32::from(to.significand) - 2, 2);
                let near = (1..largest_exponent(from)).contains(&exponent) && random.below(2) == 0;
                let fraction = random.pattern(u32::from(from.significand) - 1);
                vec![if near { encode(from, value & 1 == 0, exponent, fraction) } else { value }]
            };
            compare(&format!("{from:?} to {to:?}"), &[width(from)], &circuit, (40_000, 500), &mut operands, &expected);
        }
    }
}

const WIDTHS: [u8; 17] = [1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 100, 127, 128];

#[test]
fn integers_of_floats() {
    let mut random = Random(4);
    for f in FORMATS {
        for (width_to, signed) in WIDTHS.into_iter().flat_map(|width| [(width, false), (width, true)]) {
            let expr = if signed {
                Expr::FToS { width: width_to, arg: ARG }
            } else {
                Expr::FToU { width: width_to, arg: ARG }
            };
            let expected = |x: &[u128]| eval::convert(expr, Sort::Float(f), x[0]);
            let circuit = |aig: &mut Aig, x: &[Word]| to_integer(aig, f, signed, width_to, &x[0]);
            let name = format!("{f:?} to {width_to} bits, signed: {signed}");
            compare(&name, &[width(f)], &circuit, (20_032, 200), &mut || vec![any_float(&mut random, f)], &expected);
        }
    }
}

#[test]
fn floats_of_integers() {
    let mut random = Random(5);
    for to in FORMATS {
        for (bits, signed) in WIDTHS.into_iter().flat_map(|width| [(width, false), (width, true)]) {
            let expr = if signed { Expr::SToF { to, arg: ARG } } else { Expr::UToF { to, arg: ARG } };
            let expected = |x: &[u128]| eval::convert(expr, Sort::Bits(bits), x[0]);
            let circuit = |aig: &mut Aig, x: &[Word]| from_integer(aig, to, signed, &x[0]);
            let name = format!("{bits} bits to {to:?}, signed: {signed}");
            let mut operands = || vec![random.pattern(bits.into())];
            compare(&name, &[bits.into()], &circuit, (20_032, 200), &mut operands, &expected);
        }
    }
}

fn is_nan(f: FloatSort, a: u128) -> bool {
    eval::unary(UnOp::FIsNan, Sort::Float(f), a) != 0
}

#[test]
fn fused_products_and_sums() {
    for f in FORMATS {
        let mut random = Random(6);
        let sort = Sort::Float(f);
        let circuit = |aig: &mut Aig, x: &[Word]| fma(aig, f, &x[0], &x[1], &x[2]);
        let mut operands = || {
            let (a, b) = float_pair(&mut random, f);
            let product = eval::binary(BinOp::FMul, sort, sort, a, b);
            let e = exponent_of(f, product);
            let fraction = random.pattern(u32::from(f.significand) - 1);
            let precision = i32::from(f.significand);
            let c = match random.below(6) {
                // The product's negative or near it: cancellation.
                0 => product ^ 1 << (f.bits() - 1),
                1 => (product ^ 1 << (f.bits() - 1)).wrapping_add(random.pattern(4)) & eval::mask(f.bits()),
                2 | 3 => {
                    let exponent = e + random.between(-2 * precision - 4, precision + 4);
                    encode(f, random.below(2) == 0, exponent.clamp(0, largest_exponent(f) - 1), fraction)
                }
                4 => encode(f, random.below(2) == 0, 0, fraction),
                _ => any_float(&mut random, f),
            };
            // Some of them NaNs (or infinities).
            let ones = (largest_exponent(f) as u128) << exponent_place(f);
            let some = if random.below(8) == 0 { random.below(8) } else { 0 };
            [a, b, c].iter().enumerate().map(|(i, x)| if some >> i & 1 != 0 { x | ones } else { *x }).collect()
        };
        let expected = |x: &[u128]| eval::fma(sort, x[0], x[1], x[2]);
        let count = if f.bits() == 16 { (300_000, 500) } else { (60_000, 200) };
        compare(&format!("fma {f:?}"), &[width(f); 3], &circuit, count, &mut operands, &expected);
    }
}

/// All rounding modes, against software floats.
#[test]
fn directed_rounding() {
    fn soft<F: Float>(op: BinOp, mode: rustc_apfloat::Round, x: &[u128]) -> u128 {
        let (a, b) = (F::from_bits(x[0]), F::from_bits(x[1]));
        let result = match op {
            BinOp::FAdd => a.add_r(b, mode),
            BinOp::FSub => a.sub_r(b, mode),
            BinOp::FMul => a.mul_r(b, mode),
            _ => a.div_r(b, mode),
        };
        result.value.to_bits()
    }
    use rustc_apfloat::Round;
    let modes = [
        (Mode::NearestEven, Round::NearestTiesToEven),
        (Mode::NearestAway, Round::NearestTiesToAway),
        (Mode::Up, Round::TowardPositive),
        (Mode::Down, Round::TowardNegative),
        (Mode::Zero, Round::TowardZero),
    ];
    for f in [F16, FloatSort::F32, FloatSort::F64, FloatSort::X87] {
        for op in [BinOp::FAdd, BinOp::FSub, BinOp::FMul, BinOp::FDiv] {
            for (mode, soft_mode) in modes {
                let mut random = Random(7);
                let circuit = |aig: &mut Aig, x: &[Word]| match op {
                    BinOp::FAdd => add::add(aig, f, mode, &x[0], &x[1]),
                    BinOp::FSub => add::sub(aig, f, mode, &x[0], &x[1]),
                    BinOp::FMul => mul::mul(aig, f, mode, &x[0], &x[1]),
                    _ => div::div(aig, f, mode, &x[0], &x[1]),
                };
                let expected = |x: &[u128]| {
                    let result = match f {
                        F16 => soft::<Half>(op, soft_mode, x),
                        FloatSort::F32 => soft::<Single>(op, soft_mode, x),
                        FloatSort::F64 => soft::<Double>(op, soft_mode, x),
                        _ => soft::<X87DoubleExtended>(op, soft_mode, x),
                    };
                    // NaNs do not depend on the mode.
                    let sort = Sort::Float(f);
                    let nan = is_nan(f, result) || is_nan(f, x[0]) || is_nan(f, x[1]);
                    if nan { eval::binary(op, sort, sort, x[0], x[1]) } else { result }
                };
                let mut operands = || {
                    let (a, b) = float_pair(&mut random, f);
                    vec![a, b]
                };
                let name = format!("{op:?} {f:?} {mode:?}");
                compare(&name, &[width(f); 2], &circuit, (20_032, 50), &mut operands, &expected);
            }
        }
    }
}

fn gates(widths: &[usize], circuit: Circuit) -> usize {
    let mut aig = Aig::new();
    let words = inputs(&mut aig, widths);
    let output = circuit(&mut aig, &words);
    cone(&aig, &output).len()
}

/// The sizes decide how fast the solver is. Run with `--nocapture` for the table.
#[test]
fn circuits_are_small() {
    let mut sizes: Vec<(String, [usize; 6])> = Vec::new();
    let mut row = |name: String, size: &dyn Fn(FloatSort) -> usize| sizes.push((name, FORMATS.map(size)));
    use BinOp::*;
    for op in [FAdd, FSub, FMul, FDiv, FRem, FEq, FLt, FLe] {
        row(format!("{op:?}"), &|f| gates(&[width(f); 2], &|aig, x| binary(aig, op, f, &x[0], &x[1])));
    }
    row("fma".into(), &|f| gates(&[width(f); 3], &|aig, x| fma(aig, f, &x[0], &x[1], &x[2])));
    for op in ROUNDINGS.into_iter().chain([UnOp::FSqrt]) {
        row(format!("{op:?}"), &|f| gates(&[width(f)], &|aig, x| unary(aig, op, f, &x[0])));
    }
    for to in FORMATS {
        row(format!("to {}", Sort::Float(to)), &|f| gates(&[width(f)], &|aig, x| to_float(aig, f, to, &x[0])));
    }
    for (bits, signed) in [(32, true), (32, false), (64, true), (64, false), (128, true), (128, false)] {
        let sign = if signed { 's' } else { 'u' };
        row(format!("to {sign}{bits}"), &|f| gates(&[width(f)], &|aig, x| to_integer(aig, f, signed, bits, &x[0])));
        row(format!("from {sign}{bits}"), &|f| gates(&[bits.into()], &|aig, x| from_integer(aig, f, signed, &x[0])));
    }
    println!("{:10} {}", "", FORMATS.map(|f| format!("{:>9}", Sort::Float(f).to_string())).join(" "));
    for (name, sizes) in &sizes {
        println!("{name:10} {}", sizes.map(|size| format!("{size:9}")).join(" "));
    }
    let size = |op: &str, f: usize| sizes.iter().find(|(name, _)| name == op).map_or(0, |(_, sizes)| sizes[f]);
    // binary32 and binary64, with a little room.
    assert!(size("FAdd", 2) < 2_500 && size("FAdd", 3) < 6_000);
    assert!(size("FMul", 2) < 8_000 && size("FMul", 3) < 32_000);
}
