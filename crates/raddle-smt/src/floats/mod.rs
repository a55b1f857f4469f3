//! Circuits for floating-point operations: encodings of literals in, encodings of literals out, the lowest bit first.
//!
//! The meaning is that of the IR's evaluator, bit for bit: also the payloads of NaNs, and x87's encodings that have no
//! meaning. An operation takes its operands apart (`unpack`), computes a value exactly or with a last bit that stands
//! for all that is below it, and has it rounded and encoded in one place (`round`). Infinities and NaNs are put over
//! the result at the end (`special`).

mod add;
mod compare;
mod convert;
mod div;
mod fma;
mod integral;
mod mul;
mod rem;
mod round;
mod special;
mod sqrt;
#[cfg(test)]
mod tests;
mod unpack;

use crate::aig::{Aig, Lit};
use crate::words::{self, Word};
use raddle_ir::{BinOp, FloatSort, UnOp};
pub use round::Mode;
use unpack::unpack;

pub use convert::{from_integer, to_float, to_integer};

/// An operator on one float. A Bool result is a word of one literal.
pub fn unary(aig: &mut Aig, op: UnOp, f: FloatSort, a: &[Lit]) -> Word {
    match op {
        UnOp::FNeg => with_sign(a, !words::sign(a)),
        UnOp::FAbs => with_sign(a, Lit::FALSE),
        UnOp::FSqrt => sqrt::sqrt(aig, f, Mode::NearestEven, a),
        UnOp::FRint => integral::round_to_integral(aig, f, Mode::NearestEven, a),
        UnOp::FTrunc => integral::round_to_integral(aig, f, Mode::Zero, a),
        UnOp::FCeil => integral::round_to_integral(aig, f, Mode::Up, a),
        UnOp::FFloor => integral::round_to_integral(aig, f, Mode::Down, a),
        UnOp::FRound => integral::round_to_integral(aig, f, Mode::NearestAway, a),
        UnOp::FIsNan => vec![unpack(aig, f, a).nan],
        UnOp::FIsInf => vec![unpack(aig, f, a).infinite],
        UnOp::FIsZero => vec![unpack(aig, f, a).zero],
        UnOp::FIsNormal => vec![compare::is_normal(aig, f, a)],
        UnOp::FIsSubnormal => vec![compare::is_subnormal(aig, f, a)],
        UnOp::FIsNegative => vec![words::sign(a)],
        // The encoding itself; the other operators are not for floats.
        UnOp::FToBits | UnOp::Not | UnOp::BvNot | UnOp::BvNeg => a.to_vec(),
    }
}

/// An operator on two floats. A Bool result is a word of one literal.
pub fn binary(aig: &mut Aig, op: BinOp, f: FloatSort, a: &[Lit], b: &[Lit]) -> Word {
    match op {
        BinOp::FAdd => add::add(aig, f, Mode::NearestEven, a, b),
        BinOp::FSub => add::sub(aig, f, Mode::NearestEven, a, b),
        BinOp::FMul => mul::mul(aig, f, Mode::NearestEven, a, b),
        BinOp::FDiv => div::div(aig, f, Mode::NearestEven, a, b),
        BinOp::FRem => rem::rem(aig, f, a, b),
        BinOp::FEq => vec![compare::equal(aig, f, a, b)],
        BinOp::FLt => vec![compare::less(aig, f, a, b)],
        BinOp::FLe => vec![compare::less_or_equal(aig, f, a, b)],
        // Not for floats.
        _ => a.to_vec(),
    }
}

/// `a · b + c` with one rounding.
pub fn fma(aig: &mut Aig, f: FloatSort, a: &[Lit], b: &[Lit], c: &[Lit]) -> Word {
    fma::fma(aig, f, Mode::NearestEven, a, b, c)
}

fn with_sign(a: &[Lit], sign: Lit) -> Word {
    let mut word = a.to_vec();
    if let Some(last) = word.last_mut() {
        *last = sign;
    }
    word
}
