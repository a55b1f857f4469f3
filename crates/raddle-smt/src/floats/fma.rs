//! `a · b + c` with one rounding.
//!
//! The whole product and the addend, as long as it, are added with three bits to spare, as in addition. The operands
//! are ordered by exponent only (a product may have leading zeros), so that a difference can come out negative. As no
//! exponent of an addend is below the lowest one, nothing is left to shift to the right after that.

use super::mul::{infinity_times_zero, product};
use super::round::{Exact, Mode, round};
use super::special::{Nan, select};
use super::unpack::{precision, signed_bits, signed_constant, signed_resize, unpack};
use crate::aig::{Aig, Lit};
use crate::words::{self, Word};
use raddle_ir::FloatSort;

pub fn fma(aig: &mut Aig, f: FloatSort, mode: Mode, a: &[Lit], b: &[Lit], c: &[Lit]) -> Word {
    let p = precision(f);
    let (a, b, c) = (unpack(aig, f, a), unpack(aig, f, b), unpack(aig, f, c));
    let product = product(aig, f, &a, &b);
    let highest = product.highest.max(super::unpack::largest_exponent(f));
    let width = signed_bits(product.lowest - highest - 1, highest + 2);
    // A product that is zero must not push the addend out of sight.
    let product_zero = aig.or(a.zero, b.zero);
    let product_exponent = signed_resize(&product.exponent, width);
    let product_exponent = words::ite(aig, product_zero, &signed_constant(width, 1), &product_exponent);
    let addend_exponent = signed_resize(&c.exponent, width);
    let distance = words::sub(aig, &product_exponent, &addend_exponent);
    let swap = words::sign(&distance);
    let distance = words::neg_if(aig, swap, &distance);
    let exponent = words::ite(aig, swap, &addend_exponent, &product_exponent);

    let mut addend = words::constant(p, 0);
    addend.extend(&c.significand);
    let mut high = vec![Lit::FALSE; 3];
    high.extend(words::ite(aig, swap, &addend, &product.significand));
    let mut low = vec![Lit::FALSE; 3];
    low.extend(words::ite(aig, swap, &product.significand, &addend));
    let low = words::lshr_sticky(aig, &low, &distance[..width - 1]);
    let subtract = aig.xor(product.sign, c.sign);
    let low: Word = low.iter().map(|&bit| aig.xor(bit, subtract)).collect();
    let (sum, carry) = words::add_carry(aig, &high, &low, subtract);
    let negative = aig.and(subtract, !carry);
    let mut significand = words::neg_if(aig, negative, &sum);
    significand.push(aig.and(carry, !subtract));

    let high_sign = aig.ite(swap, c.sign, product.sign);
    let sign = aig.xor(high_sign, negative);
    let exponent = words::add_bit(aig, &exponent, Lit::TRUE);
    let leading_zeros = significand.len() - 1;
    let mut exact = Exact { sign, exponent, significand, lowest: 2, highest: highest + 1, leading_zeros };
    let nonzero = exact.is_nonzero(aig);
    let cancelled = aig.and(subtract, !nonzero);
    let sign = aig.ite(cancelled, Lit::constant(mode == Mode::Down), sign);
    let product_infinite = aig.or(a.infinite, b.infinite);
    let sign = aig.ite(product_infinite, product.sign, sign);
    exact.sign = aig.ite(c.infinite, c.sign, sign);
    let result = round(aig, f, mode, &exact);

    let no_product = infinity_times_zero(aig, &a, &b);
    let no_sum = aig.and_all([product_infinite, c.infinite, subtract]);
    let infinite = aig.or(product_infinite, c.infinite);
    let nan = Nan::of_three(aig, f, [&a, &b, &c], no_product, no_sum);
    select(aig, f, &result, infinite, Lit::FALSE, &nan)
}
