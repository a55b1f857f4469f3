//! Operations on floats as SMT-LIB 2 terms over encodings.
//!
//! In the IR a float is its encoding, and a NaN's payload is part of it; SMT-LIB has one NaN. So each operation converts its operands to
//! SMT-LIB's floats, lets the theory compute, and takes the bits of the result from a fresh constant that is asserted to encode it
//! (there is no function from floats to bits that all solvers know). The bits of a NaN are computed beside it, by the rules of
//! `raddle_ir`'s evaluator. The assertion defines the constant and restricts nothing else.
//!
//! The x87 format shows its integer bit: that bit is dropped on the way to SMT-LIB's format (15, 64) and put back on the way out.

use super::dialect::{Features, Floats};
use super::print::bits_text;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, FloatSort, Sort, UnOp};
use std::fmt::Write;

/// The shape of an encoding.
#[derive(Clone, Copy)]
struct Format {
    x87: bool,
    /// The width of the encoding.
    bits: u32,
    /// The width of the field right of the exponent: x87 has the integer bit in it.
    fraction: u32,
    exponent: u32,
    significand: u32,
}

impl Format {
    fn of(sort: FloatSort) -> Format {
        let x87 = sort == FloatSort::X87;
        let significand = u32::from(sort.significand);
        let fraction = if x87 { 64 } else { significand - 1 };
        Format { x87, bits: sort.bits().into(), fraction, exponent: sort.exponent.into(), significand }
    }

    fn theory_sort(self) -> String {
        format!("(_ FloatingPoint {} {})", self.exponent, self.significand)
    }

    /// The function from bit-vectors and other floats.
    fn to_fp(self) -> String {
        format!("(_ to_fp {} {})", self.exponent, self.significand)
    }

    fn constant(self, bits: u128) -> String {
        bits_text(self.bits, bits)
    }

    fn infinity(self) -> u128 {
        let integer_bit = if self.x87 { 1 << 63 } else { 0 };
        (((1 << self.exponent) - 1) << self.fraction) | integer_bit
    }

    fn quiet_bit(self) -> u128 {
        1 << (self.significand - 2)
    }

    fn sign_bit(self) -> u128 {
        1 << (self.bits - 1)
    }

    fn default_nan(self) -> String {
        self.constant(self.sign_bit() | self.infinity() | self.quiet_bit())
    }

    fn exponent_text(self, a: &str) -> String {
        format!("((_ extract {} {}) {a})", self.fraction + self.exponent - 1, self.fraction)
    }

    fn exponent_is(self, a: &str, value: u128) -> String {
        format!("(= {} {})", self.exponent_text(a), bits_text(self.exponent, value))
    }

    fn exponent_is_top(self, a: &str) -> String {
        self.exponent_is(a, (1 << self.exponent) - 1)
    }

    fn fraction_is(self, a: &str, value: u128) -> String {
        format!("(= ((_ extract {} 0) {a}) {})", self.fraction - 1, bits_text(self.fraction, value))
    }

    fn bit(self, a: &str, bit: u32) -> String {
        format!("(= ((_ extract {bit} {bit}) {a}) #b1)")
    }

    fn is_negative(self, a: &str) -> String {
        self.bit(a, self.bits - 1)
    }

    /// All but the sign.
    fn magnitude_is(self, a: &str, value: u128) -> String {
        format!("(= ((_ extract {} 0) {a}) {})", self.bits - 2, bits_text(self.bits - 1, value))
    }

    fn is_nan(self, a: &str) -> String {
        let top = self.exponent_is_top(a);
        if !self.x87 {
            return format!("(and {top} (not {}))", self.fraction_is(a, 0));
        }
        let infinite = self.fraction_is(a, 1 << 63);
        format!("(or (and {top} (not {infinite})) {})", self.is_unnormal(a))
    }

    /// An x87 encoding without its integer bit.
    fn is_unnormal(self, a: &str) -> String {
        if !self.x87 {
            return "false".to_string();
        }
        format!("(and (not {}) (not {}))", self.exponent_is(a, 0), self.bit(a, 63))
    }

    /// The theory's float that an encoding which is no NaN means.
    fn float(self, a: &str) -> String {
        if !self.x87 {
            return format!("({} {a})", self.to_fp());
        }
        // With exponent 0 and the integer bit set, the value is that of exponent 1.
        let pseudo = format!("(and {} {})", self.exponent_is(a, 0), self.bit(a, 63));
        let exponent = format!("(ite {pseudo} {} {})", bits_text(15, 1), self.exponent_text(a));
        format!("({} (concat ((_ extract 79 79) {a}) (concat {exponent} ((_ extract 62 0) {a}))))", self.to_fp())
    }

    /// A NaN made quiet.
    fn quieted(self, a: &str) -> String {
        let quiet = format!("(bvor {a} {})", self.constant(self.quiet_bit()));
        if !self.x87 {
            return quiet;
        }
        format!("(ite {} {} {quiet})", self.is_unnormal(a), self.default_nan())
    }

    /// What comes of two operands of which one at least is a NaN.
    fn nan_of(self, a: &str, b: &str) -> String {
        let first = self.is_nan(a);
        if !self.x87 {
            return format!("(ite {first} {} {})", self.quieted(a), self.quieted(b));
        }
        // A quiet one first, then the larger significand, then the positive one.
        let rank = |x: &str| {
            let sign = format!("((_ extract 79 79) {x})");
            format!("(concat ((_ extract 62 62) {x}) (concat ((_ extract 63 0) {x}) (bvnot {sign})))")
        };
        let first_wins = format!("(and {first} (or (not {}) (bvuge {} {})))", self.is_nan(b), rank(a), rank(b));
        let unnormal = format!("(or {} {})", self.is_unnormal(a), self.is_unnormal(b));
        let chosen = format!("(ite {first_wins} {} {})", self.quieted(a), self.quieted(b));
        format!("(ite {unnormal} {} {chosen})", self.default_nan())
    }

    /// The encoding of a theory's float. A NaN becomes the default one.
    fn encoding(self, id: ExprId, float: &str, out: &mut String) -> String {
        let ExprId(n) = id;
        let width = self.exponent + self.significand;
        let _ = writeln!(out, "(define-fun f{n} () {} {float})", self.theory_sort());
        let _ = writeln!(out, "(declare-fun r{n} () (_ BitVec {width}))");
        let _ = writeln!(out, "(assert (= ({} r{n}) f{n}))", self.to_fp());
        let bits = if self.x87 {
            let exponent = format!("((_ extract 77 63) r{n})");
            let integer_bit = format!("(ite (= {exponent} {}) #b0 #b1)", bits_text(15, 0));
            format!("(concat ((_ extract 78 63) r{n}) (concat {integer_bit} ((_ extract 62 0) r{n})))")
        } else {
            format!("r{n}")
        };
        format!("(ite (fp.isNaN f{n}) {} {bits})", self.default_nan())
    }

    /// Is the magnitude of a float that is no NaN less than 2^n?
    fn is_below(self, float: &str, n: u32) -> String {
        let bias = (1 << (self.exponent - 1)) - 1;
        if n > bias {
            // All finite numbers are.
            return format!("(not (fp.isInfinite {float}))");
        }
        let power = format!(
            "(fp #b0 {} {})",
            bits_text(self.exponent, u128::from(n + bias)),
            bits_text(self.significand - 1, 0)
        );
        format!("(fp.lt (fp.abs {float}) {power})")
    }
}

/// What a solver with these features cannot do about one node, if it concerns floats.
pub fn unsupported(pool: &ExprPool, id: ExprId, features: &Features) -> Option<String> {
    let expr = pool.get(id);
    let (name, arg) = match expr {
        Expr::Binary(op @ (BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FRem), a, _) => {
            (format!("{op:?}"), a)
        }
        Expr::Binary(op @ (BinOp::FEq | BinOp::FLt | BinOp::FLe), a, _) => (format!("{op:?}"), a),
        Expr::Unary(op, a) => match op {
            UnOp::FSqrt | UnOp::FRint | UnOp::FTrunc | UnOp::FCeil | UnOp::FFloor | UnOp::FRound => {
                (format!("{op:?}"), a)
            }
            _ => return None,
        },
        Expr::Fma(a, ..) => ("Fma".to_string(), a),
        Expr::FToF { arg, .. } => ("FToF".to_string(), arg),
        Expr::FToS { arg, .. } => ("FToS".to_string(), arg),
        Expr::FToU { arg, .. } => ("FToU".to_string(), arg),
        Expr::SToF { arg, .. } => ("SToF".to_string(), arg),
        Expr::UToF { arg, .. } => ("UToF".to_string(), arg),
        _ => return None,
    };
    let computes = |sort: Sort| match (sort, features.floats) {
        (Sort::Float(_), Floats::None) => false,
        (Sort::Float(f), Floats::Common) => f == FloatSort::F32 || f == FloatSort::F64,
        _ => true,
    };
    if let Some(sort) = [pool.sort(arg), pool.sort(id)].into_iter().find(|sort| !computes(*sort)) {
        return Some(format!("{name} with {sort}"));
    }
    // A remainder takes a circuit as long as the range of exponents, which only small formats can afford.
    match (expr, pool.sort(arg)) {
        (Expr::Binary(BinOp::FRem, ..), Sort::Float(f)) if f.exponent > 8 => {
            Some(format!("FRem of {}", Sort::Float(f)))
        }
        _ => None,
    }
}

/// The term of an operation on floats.
pub fn node_text(pool: &ExprPool, id: ExprId, operands: &[String], out: &mut String) -> String {
    let operand = |i: usize| operands.get(i).map_or("", String::as_str);
    let (a, b) = (operand(0), operand(1));
    match pool.get(id) {
        Expr::Unary(op, x) => match pool.sort(x) {
            Sort::Float(f) => unary(op, Format::of(f), id, a, out),
            _ => String::new(),
        },
        Expr::Binary(op, x, _) => match pool.sort(x) {
            Sort::Float(f) => binary(op, Format::of(f), id, a, b, out),
            _ => String::new(),
        },
        Expr::Fma(x, ..) => match pool.sort(x) {
            Sort::Float(f) => fma(Format::of(f), id, [a, b, operand(2)], out),
            _ => String::new(),
        },
        Expr::FToF { to, arg } => match pool.sort(arg) {
            Sort::Float(from) => to_float(Format::of(from), Format::of(to), id, a, out),
            _ => String::new(),
        },
        Expr::FToS { width, arg } => match pool.sort(arg) {
            Sort::Float(from) => to_integer(Format::of(from), true, width.into(), id, a, out),
            _ => String::new(),
        },
        Expr::FToU { width, arg } => match pool.sort(arg) {
            Sort::Float(from) => to_integer(Format::of(from), false, width.into(), id, a, out),
            _ => String::new(),
        },
        Expr::SToF { to, .. } => {
            let to = Format::of(to);
            to.encoding(id, &format!("({} RNE {a})", to.to_fp()), out)
        }
        Expr::UToF { to, .. } => {
            let to = Format::of(to);
            let float = format!("((_ to_fp_unsigned {} {}) RNE {a})", to.exponent, to.significand);
            to.encoding(id, &float, out)
        }
        // The others are no operations on floats.
        _ => String::new(),
    }
}

fn unary(op: UnOp, f: Format, id: ExprId, a: &str, out: &mut String) -> String {
    let rounded = match op {
        UnOp::FNeg => return format!("(bvxor {a} {})", f.constant(f.sign_bit())),
        UnOp::FAbs => return format!("(bvand {a} {})", f.constant(f.sign_bit() - 1)),
        UnOp::FIsNegative => return f.is_negative(a),
        UnOp::FIsNan => return f.is_nan(a),
        UnOp::FIsInf => return f.magnitude_is(a, f.infinity()),
        UnOp::FIsZero => return f.magnitude_is(a, 0),
        UnOp::FIsNormal if f.x87 => return format!("(and {} (not {}))", f.bit(a, 63), f.exponent_is_top(a)),
        UnOp::FIsNormal => return format!("(not (or {} {}))", f.exponent_is(a, 0), f.exponent_is_top(a)),
        UnOp::FIsSubnormal => {
            let small = if f.x87 { format!("(not {})", f.bit(a, 63)) } else { "true".to_string() };
            return format!("(and {} {small} (not {}))", f.exponent_is(a, 0), f.fraction_is(a, 0));
        }
        UnOp::FSqrt => format!("(fp.sqrt RNE {})", f.float(a)),
        UnOp::FRint => format!("(fp.roundToIntegral RNE {})", f.float(a)),
        UnOp::FTrunc => format!("(fp.roundToIntegral RTZ {})", f.float(a)),
        UnOp::FCeil => format!("(fp.roundToIntegral RTP {})", f.float(a)),
        UnOp::FFloor => format!("(fp.roundToIntegral RTN {})", f.float(a)),
        _ => format!("(fp.roundToIntegral RNA {})", f.float(a)),
    };
    format!("(ite {} {} {})", f.is_nan(a), f.quieted(a), f.encoding(id, &rounded, out))
}

fn binary(op: BinOp, f: Format, id: ExprId, a: &str, b: &str, out: &mut String) -> String {
    let (x, y) = (f.float(a), f.float(b));
    let nan = format!("(or {} {})", f.is_nan(a), f.is_nan(b));
    let result = match op {
        BinOp::FEq => return format!("(and (not {nan}) (fp.eq {x} {y}))"),
        BinOp::FLt => return format!("(and (not {nan}) (fp.lt {x} {y}))"),
        BinOp::FLe => return format!("(and (not {nan}) (fp.leq {x} {y}))"),
        BinOp::FAdd => format!("(fp.add RNE {x} {y})"),
        BinOp::FSub => format!("(fp.sub RNE {x} {y})"),
        BinOp::FMul => format!("(fp.mul RNE {x} {y})"),
        BinOp::FDiv => format!("(fp.div RNE {x} {y})"),
        _ => {
            // The theory's remainder is to the nearest multiple, C's to the one below: they differ by one divisor where the first is
            // negative. The sum is exact.
            let nearest = format!("(fp.rem (fp.abs {x}) (fp.abs {y}))");
            let zero = format!("(_ +zero {} {})", f.exponent, f.significand);
            let rest = format!("(let ((e {nearest})) (ite (fp.lt e {zero}) (fp.add RNE e (fp.abs {y})) e))");
            format!("(let ((m {rest})) (ite {} (fp.neg m) m))", f.is_negative(a))
        }
    };
    format!("(ite {nan} {} {})", f.nan_of(a, b), f.encoding(id, &result, out))
}

fn fma(f: Format, id: ExprId, [a, b, c]: [&str; 3], out: &mut String) -> String {
    let [x, y, z] = [a, b, c].map(|x| f.float(x));
    let [nan_a, nan_b, nan_c] = [a, b, c].map(|x| f.is_nan(x));
    let nan = if f.x87 {
        // That of the product, then that of the sum. A product that is a number may be any here.
        let [zero_a, zero_b] = [a, b].map(|x| f.magnitude_is(x, 0));
        let [infinite_a, infinite_b] = [a, b].map(|x| f.magnitude_is(x, f.infinity()));
        let invalid = format!("(or (and {infinite_a} {zero_b}) (and {zero_a} {infinite_b}))");
        let product = format!(
            "(ite (or {nan_a} {nan_b}) {} (ite {invalid} {} {}))",
            f.nan_of(a, b),
            f.default_nan(),
            f.constant(0)
        );
        let unnormal = format!("(or {} {})", f.is_unnormal(a), f.is_unnormal(b));
        let sum = format!("(let ((p {product})) {})", f.nan_of("p", c));
        format!("(ite {unnormal} {} {sum})", f.default_nan())
    } else {
        let [a, b, c] = [a, b, c].map(|x| f.quieted(x));
        format!("(ite {nan_b} {b} (ite {nan_a} {a} {c}))")
    };
    let number = f.encoding(id, &format!("(fp.fma RNE {x} {y} {z})"), out);
    format!("(ite (or {nan_a} {nan_b} {nan_c}) {nan} {number})")
}

/// A NaN keeps its sign and the top of its payload, and becomes quiet.
fn to_float(from: Format, to: Format, id: ExprId, a: &str, out: &mut String) -> String {
    let (narrow, wide) = (from.significand - 2, to.significand - 2);
    let payload = if wide > narrow {
        format!("(concat ((_ extract {} 0) {a}) {})", narrow - 1, bits_text(wide - narrow, 0))
    } else {
        format!("((_ extract {} {}) {a})", narrow - 1, narrow - wide)
    };
    let sign = format!("((_ extract {top} {top}) {a})", top = from.bits - 1);
    let ones = to.bits - 1 - wide;
    let nan = format!("(concat {sign} (concat {} {payload}))", bits_text(ones, (1 << ones) - 1));
    let nan = if from.x87 { format!("(ite {} {} {nan})", from.is_unnormal(a), to.default_nan()) } else { nan };
    let number = to.encoding(id, &format!("({} RNE {})", to.to_fp(), from.float(a)), out);
    format!("(ite {} {nan} {number})", from.is_nan(a))
}

/// Float → integer with gcc's answers on x86-64 for what does not fit; see the evaluator's function of this name.
fn to_integer(f: Format, signed: bool, width: u32, id: ExprId, a: &str, out: &mut String) -> String {
    let instruction = match (signed, width, f.x87) {
        (true, ..=16, true) | (false, ..=8, true) => 16,
        (true, ..=32, _) | (false, ..=16, _) => 32,
        (true, ..=64, _) | (false, ..=32, _) => 64,
        _ => 128,
    };
    let ExprId(n) = id;
    let _ = writeln!(out, "(define-fun f{n} () {} {})", f.theory_sort(), f.float(a));
    let float = format!("f{n}");
    let negative = f.is_negative(a);
    let top = |bits: u32| 1u128 << (bits - 1);
    // The result before it is cut to the width, of `computed` bits.
    let computed = instruction.min(if width <= 64 { 64 } else { 128 });
    let nan = if computed == 128 { top(128) | top(64) } else { top(computed) };
    let number = match (instruction, signed) {
        (128, true) => {
            let whole = format!("((_ fp.to_ubv 128) RTZ (fp.abs {float}))");
            let value = format!("(let ((w {whole})) (ite {negative} (bvneg w) w))");
            format!("(ite {} {value} {})", f.is_below(&float, 128), bits_text(128, 0))
        }
        (128, false) if width <= 64 => {
            let below = f.is_below(&float, 64);
            let top = bits_text(64, top(64));
            let under_zero = format!("(ite (and {below} (bvule w {top})) (bvneg w) {top})");
            let others = format!("(ite {below} w {})", bits_text(64, 0));
            format!("(let ((w ((_ fp.to_ubv 64) RTZ (fp.abs {float})))) (ite {negative} {under_zero} {others}))")
        }
        (128, false) => {
            let whole = format!("((_ fp.to_ubv 128) RTZ (fp.abs {float}))");
            let below = f.is_below(&float, 128);
            let zero = bits_text(128, 0);
            let under_zero = if f.x87 {
                zero.clone()
            } else {
                let half = bits_text(64, top(64));
                let low = "((_ extract 63 0) m)";
                let high = "((_ extract 127 64) m)";
                let small = format!("(concat {} (ite (bvule {low} {half}) (bvneg {low}) {half}))", bits_text(64, 0));
                let large = format!("(concat (ite (bvult {high} {half}) (bvneg {high}) {half}) {half})");
                let cases = format!("(ite (= {high} {}) {small} {large})", bits_text(64, 0));
                format!("(let ((m (ite {below} w {}))) {cases})", bits_text(128, u128::MAX))
            };
            format!("(let ((w {whole})) (ite {negative} {under_zero} (ite {below} w {zero})))")
        }
        (bits, _) => {
            // One bit more than the instruction has: enough for all below 2^bits.
            let value = format!("((_ fp.to_sbv {}) RTZ {float})", bits + 1);
            let low = format!("((_ extract {} 0) s)", bits - 1);
            let fits = format!("(and {} (= s ((_ sign_extend 1) {low})))", f.is_below(&float, bits));
            format!("(let ((s {value})) (ite {fits} {low} {}))", bits_text(bits, top(bits)))
        }
    };
    let whole = format!("(ite {} {} {number})", f.is_nan(a), bits_text(computed, nan));
    if width == computed { whole } else { format!("((_ extract {} 0) {whole})", width - 1) }
}
