//! Comparisons, and what kind of number a float is.

use super::unpack::{Parts, precision, unpack};
use crate::aig::{Aig, Lit};
use crate::words;
use raddle_ir::FloatSort;

pub fn equal(aig: &mut Aig, f: FloatSort, a: &[Lit], b: &[Lit]) -> Lit {
    let (a, b) = (unpack(aig, f, a), unpack(aig, f, b));
    let same_order = words::eq(aig, &a.order, &b.order);
    let signs_differ = aig.xor(a.sign, b.sign);
    // Zeros are equal in spite of their signs.
    let apart = aig.and(signs_differ, !a.zero);
    aig.and_all([same_order, !apart, !a.nan, !b.nan])
}

pub fn less(aig: &mut Aig, f: FloatSort, a: &[Lit], b: &[Lit]) -> Lit {
    ordered(aig, f, a, b, Lit::FALSE)
}

pub fn less_or_equal(aig: &mut Aig, f: FloatSort, a: &[Lit], b: &[Lit]) -> Lit {
    ordered(aig, f, a, b, Lit::TRUE)
}

fn ordered(aig: &mut Aig, f: FloatSort, a: &[Lit], b: &[Lit], if_equal: Lit) -> Lit {
    let (a, b) = (unpack(aig, f, a), unpack(aig, f, b));
    let same_sign = same_sign_ordered(aig, &a, &b, if_equal);
    let both_zero = aig.and(a.zero, b.zero);
    let negative_first = aig.ite(both_zero, if_equal, a.sign);
    let signs_differ = aig.xor(a.sign, b.sign);
    let holds = aig.ite(signs_differ, negative_first, same_sign);
    aig.and_all([holds, !a.nan, !b.nan])
}

/// The order of two numbers with the same sign. For negative ones it is the complement of the magnitudes' order, also
/// where they are equal: so one chain of bits serves both.
fn same_sign_ordered(aig: &mut Aig, a: &Parts, b: &Parts, if_equal: Lit) -> Lit {
    let start = aig.xor(if_equal, a.sign);
    let lower = a.order.iter().zip(&b.order).fold(start, |lower, (&x, &y)| {
        let differ = aig.xor(x, y);
        aig.ite(differ, y, lower)
    });
    aig.xor(lower, a.sign)
}

/// Finite, and with the integer bit (which x87 may also have where the exponent is that of subnormal numbers).
pub fn is_normal(aig: &mut Aig, f: FloatSort, a: &[Lit]) -> Lit {
    let x = unpack(aig, f, a);
    aig.and_all([x.significand[precision(f) - 1], !x.nan, !x.infinite])
}

pub fn is_subnormal(aig: &mut Aig, f: FloatSort, a: &[Lit]) -> Lit {
    let x = unpack(aig, f, a);
    let integer = x.significand[precision(f) - 1];
    aig.and_all([!integer, !x.zero, !x.unnormal])
}
