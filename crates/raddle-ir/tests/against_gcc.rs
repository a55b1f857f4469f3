//! The evaluator against gcc: every operator on corner values and random values, compiled without optimisation and run.

use raddle_ir::{BinOp, Expr, ExprId, FloatSort, Sort, UnOp, eval};
use std::fmt::Write as _;
use std::process::Command;

const SKIP: u128 = 0xdeadbeefdeadbeef_deadbeefdeadbeef;
const WIDTHS: [u8; 5] = [8, 16, 32, 64, 128];
const FLOATS: [(&str, FloatSort); 3] = [("f32", FloatSort::F32), ("f64", FloatSort::F64), ("f80", FloatSort::X87)];
/// An x87 encoding without its integer bit.
const UNNORMAL: u128 = (5 << 64) | 7;
const NO_ARG: ExprId = ExprId(0);

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d049bb133111eb);
        x ^ (x >> 31)
    }

    fn wide(&mut self) -> u128 {
        (u128::from(self.next()) << 64) | u128::from(self.next())
    }
}

fn integers(n: u8, random: &mut Random) -> Vec<u128> {
    let top = 1u128 << (n - 1);
    let mut values = vec![0, 1, 2, 3, 5, 7, u128::from(n) - 1, u128::from(n), top - 2, top - 1, top, top + 1];
    values.extend([1, 2, 3, 5, 7].map(|x: u128| x.wrapping_neg()));
    // Around powers of two, where conversions to floats round.
    values.extend([(1 << 24) + 1, (1 << 24) + 3, (1 << 53) + 1, (1 << 53) + 3, u128::MAX << 1, u128::MAX << 70]);
    values.extend((0..12).map(|_| random.wide()));
    values.extend((0..12).map(|_| random.wide() >> (random.next() % 128)));
    values.iter().map(|v| v & eval::mask(n)).collect()
}

fn floats(f: FloatSort, random: &mut Random) -> Vec<u128> {
    let from = |x: f64| eval::convert(Expr::FToF { to: f, arg: NO_ARG }, Sort::F64, x.to_bits().into());
    let mut values: Vec<u128> =
        [0.0, 1.0, 0.5, 0.49999999, 1.5, 2.5, 2.6, 3.0, 127.5, 128.0, 255.0, 256.0, 32767.5, 32768.0, 65536.0]
            .into_iter()
            .chain([
                2147483647.0,
                2147483648.0,
                4294967295.0,
                4294967296.0,
                1e10,
                9.3e18,
                9223372036854775808.0,
                1.9e19,
            ])
            .chain([
                1e30,
                1.7e38,
                3.3e38,
                3.5e38,
                1e300,
                f64::MIN_POSITIVE,
                f64::MAX,
                f64::INFINITY,
                f64::NAN,
                1.4e-45,
                5e-324,
            ])
            .chain([0.1, 1.0 / 3.0, 4503599627370495.5, 1e-20])
            .map(from)
            .collect();
    let encoding = eval::mask(f.bits());
    let fraction_bits = if f == FloatSort::X87 { 63 } else { f.significand - 1 };
    let x87_integer_bit = if f == FloatSort::X87 { 1 << 63 } else { 0 };
    let largest_exponent = eval::mask(f.exponent);
    let make = |exponent: u128, fraction: u128| {
        let exponent = exponent & largest_exponent;
        let integer_bit = if exponent == 0 { 0 } else { x87_integer_bit };
        let exponent_at = if f == FloatSort::X87 { 64 } else { fraction_bits };
        (exponent << exponent_at) | integer_bit | (fraction & eval::mask(fraction_bits))
    };
    let bias = eval::mask(f.exponent - 1);
    // Subnormal numbers, the largest, quiet and signalling NaNs, then random ones near 1, and anywhere.
    values.extend([make(0, 1), make(0, u128::MAX), make(1, 0), make(largest_exponent - 1, u128::MAX)]);
    values.extend([make(largest_exponent, 1), make(largest_exponent, 5 << (fraction_bits - 3))]);
    values.extend((0..10).map(|_| make(bias - 20 + u128::from(random.next() % 90), random.wide())));
    values.extend((0..10).map(|_| make(random.wide(), random.wide())));
    values.extend((0..3).map(|_| make(0, random.wide())));
    if f == FloatSort::X87 {
        // An unnormal, a pseudo-infinity, a pseudo-NaN, and a subnormal number with its integer bit set.
        values.extend([UNNORMAL, 0x7fff << 64, (0x7fff << 64) | 9, 1 << 63]);
    }
    let negative: Vec<u128> = values.iter().map(|v| v ^ (1 << (f.bits() - 1))).collect();
    values.extend(negative);
    values.iter().map(|v| v & encoding).collect()
}

/// What the C program computes for two operands, in its order: a name for people, and the evaluator's answer.
fn integer_cases(n: u8, a: u128, b: u128, first: bool) -> Vec<(String, u128)> {
    use BinOp::*;
    let sort = Sort::Bits(n);
    let ops = [
        BvAdd,
        BvSub,
        BvMul,
        BvUDiv,
        BvURem,
        BvSDiv,
        BvSRem,
        BvAnd,
        BvOr,
        BvXor,
        Shl,
        LShr,
        AShr,
        ULt,
        ULe,
        SLt,
        SLe,
        Eq,
        SAddOverflows,
        SSubOverflows,
        SMulOverflows,
        UMulOverflows,
    ];
    let mut cases: Vec<_> = ops.map(|op| (format!("{op:?}"), eval::binary(op, sort, sort, a, b))).into();
    if first {
        cases.extend([UnOp::BvNot, UnOp::BvNeg].map(|op| (format!("{op:?}"), eval::unary(op, sort, a))));
        let resize = |width: u8, wider: fn(u8) -> Expr| {
            let to = if width > n { wider(width) } else { Expr::Extract { high: width - 1, low: 0, arg: NO_ARG } };
            (format!("{to:?}"), if width == n { a } else { eval::convert(to, sort, a) })
        };
        cases.extend(WIDTHS.map(|width| resize(width, |width| Expr::ZeroExt { width, arg: NO_ARG })));
        cases.extend(WIDTHS.map(|width| resize(width, |width| Expr::SignExt { width, arg: NO_ARG })));
        let mut convert = |to: Expr| cases.push((format!("{to:?}"), eval::convert(to, sort, a)));
        FLOATS.iter().for_each(|&(_, to)| convert(Expr::SToF { to, arg: NO_ARG }));
        FLOATS.iter().for_each(|&(_, to)| convert(Expr::UToF { to, arg: NO_ARG }));
    }
    cases
}

/// Without instructions for it, glibc's functions give other NaNs.
fn has_fma() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("fma") && std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// `a · b + c`, unless the C library's answer is not to be relied on.
fn fma_case(f: FloatSort, a: u128, b: u128, c: u128) -> (String, u128) {
    let is_nan = |x: u128| eval::unary(UnOp::FIsNan, Sort::Float(f), x) != 0;
    // glibc's fmal takes encodings without the integer bit for numbers.
    let is_unnormal = |x: u128| f == FloatSort::X87 && (x >> 64) & 0x7fff != 0 && (x >> 63) & 1 == 0;
    let operands = [a, b, c];
    let unclear = operands.into_iter().any(is_unnormal) || (!has_fma() && operands.into_iter().any(is_nan));
    (format!("fma with {c:#x}"), if unclear { SKIP } else { eval::fma(Sort::Float(f), a, b, c) })
}

fn float_cases(f: FloatSort, a: u128, b: u128, c: u128, first: bool) -> Vec<(String, u128)> {
    use BinOp::*;
    use UnOp::*;
    let sort = Sort::Float(f);
    let ops = [FAdd, FSub, FMul, FDiv, FRem, FEq, FLt, FLe];
    let mut cases: Vec<_> = ops.map(|op| (format!("{op:?}"), eval::binary(op, sort, sort, a, b))).into();
    // Any addend, and one that leaves what was rounded away of the product.
    let product = eval::binary(FMul, sort, sort, a, b);
    cases.extend([fma_case(f, a, b, c), fma_case(f, a, b, eval::unary(FNeg, sort, product))]);
    if first {
        let ops = [
            FNeg,
            FAbs,
            FSqrt,
            FRint,
            FTrunc,
            FCeil,
            FFloor,
            FRound,
            FIsNan,
            FIsInf,
            FIsZero,
            FIsNormal,
            FIsSubnormal,
            FIsNegative,
        ];
        cases.extend(ops.map(|op| (format!("{op:?}"), eval::unary(op, sort, a))));
        let mut convert = |to: Expr| cases.push((format!("{to:?}"), eval::convert(to, sort, a)));
        WIDTHS.iter().for_each(|&width| convert(Expr::FToS { width, arg: NO_ARG }));
        WIDTHS.iter().for_each(|&width| convert(Expr::FToU { width, arg: NO_ARG }));
        FLOATS.iter().for_each(|&(_, to)| convert(Expr::FToF { to, arg: NO_ARG }));
    }
    cases
}

fn c_array(name: &str, c_type: &str, values: &[u128]) -> String {
    let mut text = format!("static const {c_type} values_{name}[] = {{");
    for v in values {
        let _ = write!(text, "U128({:#x}UL, {:#x}UL),", v >> 64, *v as u64);
    }
    text + "};\n"
}

#[test]
fn operators_compute_what_gcc_computes() {
    // Other compilers convert floats that do not fit an integer in other ways.
    let is_gcc = Command::new("cc")
        .arg("--version")
        .output()
        .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("Free Software Foundation"));
    if !cfg!(target_arch = "x86_64") || !is_gcc {
        eprintln!("skipped: this test needs gcc under the name cc, on x86-64");
        return;
    }

    let random = &mut Random(1);
    let integer_values = WIDTHS.map(|n| integers(n, random));
    let float_values = FLOATS.map(|(_, f)| floats(f, random));
    let mut header = String::new();
    for (n, values) in WIDTHS.iter().zip(&integer_values) {
        header += &c_array(&n.to_string(), &format!("u{n}"), values);
    }
    for ((name, _), values) in FLOATS.iter().zip(&float_values) {
        header += &c_array(name, "u128", values);
    }

    let directory = std::env::temp_dir().join(format!("raddle-against-gcc-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("values.h"), header).unwrap();
    let program = directory.join("program");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/against_gcc.c");
    let compiler = Command::new("cc")
        .args(["-O0", "-fwrapv", "-fno-builtin", "-w", "-I"])
        .arg(&directory)
        .arg(source)
        .arg("-o")
        .arg(&program)
        .arg("-lm")
        .status();
    assert!(compiler.unwrap().success(), "the C program does not compile");
    let output = Command::new(&program).output().unwrap().stdout;
    std::fs::remove_dir_all(&directory).unwrap();

    let mut results = output.chunks_exact(16).map(|bytes| u128::from_le_bytes(bytes.try_into().unwrap()));
    let mut wrong: Vec<String> = Vec::new();
    let mut compared = 0;
    let mut compare = |kind: &str, a: u128, b: u128, cases: Vec<(String, u128)>| {
        for (name, ours) in cases {
            let theirs = results.next().expect("the C program wrote less than was asked for");
            compared += 1;
            // glibc's roundl takes this encoding, which is no number, for 0.
            if (kind, name.as_str(), a & eval::mask(79)) == ("f80", "FRound", UNNORMAL) {
                continue;
            }
            if theirs != SKIP && ours != SKIP && theirs != ours {
                wrong.push(format!("{kind} {name} of {a:#x} and {b:#x}: gcc {theirs:#x}, here {ours:#x}"));
            }
        }
    };
    for (n, values) in WIDTHS.iter().zip(&integer_values) {
        for &a in values {
            for (j, &b) in values.iter().enumerate() {
                compare(&format!("bv{n}"), a, b, integer_cases(*n, a, b, j == 0));
            }
        }
    }
    for ((name, f), values) in FLOATS.iter().zip(&float_values) {
        for (i, &a) in values.iter().enumerate() {
            for (j, &b) in values.iter().enumerate() {
                let c = values[(i * 31 + j * 17) % values.len()];
                compare(name, a, b, float_cases(*f, a, b, c, j == 0));
            }
        }
    }
    assert!(results.next().is_none(), "the C program wrote more than was asked for");
    assert!(compared > 500_000, "only {compared} results");
    assert!(wrong.is_empty(), "{} of {compared} differ:\n{}", wrong.len(), wrong[..wrong.len().min(60)].join("\n"));
}
