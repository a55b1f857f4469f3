//! Square root, digit by digit as on paper: each digit brings two digits of the radicand down.

use super::div::subtract_if_fits;
use super::round::{Exact, Mode, round};
use super::special::{Nan, select};
use super::unpack::{bias, largest_exponent, normalize, precision, signed_constant, signed_resize, unpack};
use crate::aig::{Aig, Lit};
use crate::words::{self, Word};
use raddle_ir::FloatSort;

pub fn sqrt(aig: &mut Aig, f: FloatSort, mode: Mode, a: &[Lit]) -> Word {
    let p = precision(f);
    let a = unpack(aig, f, a);
    let (exponent, significand) = normalize(aig, f, &a);
    // The bias is odd: an even exponent stands for an odd power of two.
    let odd = !exponent[0];
    let width = exponent.len() + 1;
    let unbiased = words::add(aig, &signed_resize(&exponent, width), &signed_constant(width, -bias(f)));
    let halved = signed_resize(&unbiased[1..], width);
    let exponent = words::add(aig, &halved, &signed_constant(width, bias(f)));

    // The radicand is between 1 and 4, with two digits before the point.
    let radicand: Word = (0..=p)
        .map(|i| {
            let even = if i < p { significand[i] } else { Lit::FALSE };
            let shifted = if i > 0 { significand[i - 1] } else { Lit::FALSE };
            aig.ite(odd, shifted, even)
        })
        .collect();
    // One digit before the point and p after it: the last is the guard bit.
    let mut root: Word = Vec::new();
    let mut rest: Word = Vec::new();
    let mut digits = radicand.iter().rev().copied();
    for _ in 0..=p {
        let (high, low) = (digits.next().unwrap_or(Lit::FALSE), digits.next().unwrap_or(Lit::FALSE));
        rest.splice(0..0, [low, high]);
        // 4 · root + 1
        let mut trial = vec![Lit::TRUE, Lit::FALSE];
        trial.extend(&root);
        // What is left is at most twice the root.
        let (digit, left) = subtract_if_fits(aig, &rest, &trial);
        rest = left;
        root.insert(0, digit);
    }
    let inexact = aig.or_all(rest.iter().copied());
    root.insert(0, inexact);

    let (lowest, highest) = (1, largest_exponent(f) - 2);
    let exact = Exact { sign: a.sign, exponent, significand: root, lowest, highest, leading_zeros: 0 };
    let result = round(aig, f, mode, &exact);
    let invalid = aig.and(a.sign, !a.zero);
    let nan = Nan::first(aig, f, &[&a], invalid);
    select(aig, f, &result, a.infinite, Lit::FALSE, &nan)
}
