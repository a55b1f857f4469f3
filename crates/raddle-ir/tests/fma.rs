//! Fused multiplication and addition of `float` and `double`, which the machine or the C library computes, against
//! software floats.

use raddle_ir::{BinOp, FloatSort, Sort, UnOp, eval};
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Double, Single};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d049bb133111eb);
        x ^ (x >> 31)
    }

    /// Any encoding; often with long runs of equal bits, which make ties and exact results.
    fn float(&mut self, f: FloatSort) -> u128 {
        let bits = f.bits();
        let sparse = (self.next() as u128) << (self.next() % 64);
        let value = match self.next() % 4 {
            0 => sparse,
            1 => !sparse,
            _ => self.next().into(),
        };
        // Every other one is near 1.
        let fraction = eval::mask(f.significand - 1);
        let near = (eval::mask(f.exponent - 1) - 20 + u128::from(self.next() % 40)) << (f.significand - 1);
        let sign = value & (1 << (bits - 1));
        if self.next().is_multiple_of(2) { value & eval::mask(bits) } else { sign | near | (value & fraction) }
    }
}

fn soft<F: Float>([a, b, c]: [u128; 3]) -> u128 {
    F::from_bits(a).mul_add(F::from_bits(b), F::from_bits(c)).value.to_bits()
}

#[test]
fn one_rounding() {
    let random = &mut Random(1);
    for f in [FloatSort::F32, FloatSort::F64] {
        let sort = Sort::Float(f);
        let is_nan = |x: u128| eval::unary(UnOp::FIsNan, sort, x) != 0;
        for _ in 0..300_000 {
            let (a, b) = (random.float(f), random.float(f));
            let product = eval::binary(BinOp::FMul, sort, sort, a, b);
            let negated = eval::unary(UnOp::FNeg, sort, product);
            let c = match random.next() % 4 {
                0 => negated,
                // Far below or above the product, or near it.
                1 => negated ^ 1 << (random.next() % u64::from(f.bits())),
                _ => random.float(f),
            };
            let ours = eval::fma(sort, a, b, c);
            let exact = if f == FloatSort::F32 { soft::<Single>([a, b, c]) } else { soft::<Double>([a, b, c]) };
            // Software floats choose other NaNs.
            let same = if is_nan(exact) { is_nan(ours) } else { ours == exact };
            assert!(same, "{a:#x} * {b:#x} + {c:#x} is {ours:#x}, not {exact:#x}");
        }
    }
}

#[test]
fn nans() {
    let (nan, other, signalling) = (0x7fc00001, 0xffc00002, 0x7f800003);
    let (one, zero, infinity, default) = (0x3f800000, 0, 0x7f800000, 0xffc00000);
    for ([a, b, c], expected) in [
        ([one, other, nan], other),
        ([nan, signalling, other], signalling | 0x400000),
        ([nan, one, other], nan),
        ([infinity, zero, nan], nan),
        ([infinity, zero, one], default),
        ([infinity, one, infinity | 1 << 31], default),
    ] {
        assert_eq!(eval::fma(Sort::F32, a, b, c), expected, "{a:#x} * {b:#x} + {c:#x}");
    }
}
