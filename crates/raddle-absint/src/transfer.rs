//! What operators do to abstract values.
//!
//! Where both operands are small sets, every pair goes through the one evaluator on constants. Otherwise each component is computed by
//! itself and says nothing where the operation may wrap; then the components tighten each other.

use crate::value::{Value, gcd, modulo, signed_max, signed_min, wrapping_part};
use raddle_ir::eval::{self, mask};
use raddle_ir::{BinOp, Expr, Sort, UnOp};

/// A result of no set: components that were left out say nothing.
fn made(value: Value) -> Value {
    let width = value.width;
    // An operation on values has a result: what seems empty is a loss of precision, not of soundness.
    Value { set: None, ..value }.reduced().unwrap_or_else(|| Value::top(width))
}

fn top(width: u8) -> Value {
    Value { set: None, ..Value::top(width) }
}

fn fits(width: u8, low: Option<i128>, high: Option<i128>) -> Option<(i128, i128)> {
    let (low, high) = (low?, high?);
    (low >= signed_min(width) && high <= signed_max(width)).then_some((low, high))
}

fn one_of(options: [bool; 2]) -> Value {
    match options {
        [true, false] => Value::bool(false),
        [false, true] => Value::bool(true),
        _ => Value::top(1),
    }
}

/// True, false, or not known.
fn decided(surely: bool, surely_not: bool) -> Value {
    one_of([!surely, !surely_not])
}

pub fn unary(op: UnOp, sort: Sort, result: Sort, a: Option<&Value>) -> Option<Value> {
    let width = result.bits()?;
    let a = a?;
    if let Some(set) = &a.set {
        return Value::of(width, set.iter().map(|x| eval::unary(op, sort, *x)).collect());
    }
    Some(match op {
        UnOp::BvNeg => sub(&Value::constant(width, 0), a),
        UnOp::BvNot => made(Value {
            signed_low: !a.signed_high,
            signed_high: !a.signed_low,
            low: mask(width) - a.high,
            high: mask(width) - a.low,
            zeros: a.ones,
            ones: a.zeros,
            modulus: a.modulus,
            rest: if a.modulus == 0 { mask(width) - a.rest } else { (mask(width) - a.low) % a.modulus },
            ..top(width)
        }),
        _ => return None,
    })
}

pub fn binary(op: BinOp, sort_a: Sort, sort_b: Sort, a: &Value, b: &Value) -> Value {
    if let (Some(x), Some(y)) = (&a.set, &b.set) {
        let width = op.sort(sort_a, sort_b).bits().unwrap_or(1);
        let pairs = x.iter().flat_map(|x| y.iter().map(move |y| (*x, *y)));
        let results = pairs.map(|(x, y)| eval::binary(op, sort_a, sort_b, x, y)).collect();
        return Value::of(width, results).unwrap_or_else(|| Value::top(width));
    }
    match op {
        BinOp::And => decided(a.low & b.low == 1, a.high & b.high == 0),
        BinOp::Or => decided(a.low | b.low == 1, a.high | b.high == 0),
        BinOp::Eq => decided(a.as_constant().is_some() && a.as_constant() == b.as_constant(), a.meet(b).is_none()),
        BinOp::ULt => decided(a.high < b.low, a.low >= b.high),
        BinOp::ULe => decided(a.high <= b.low, a.low > b.high),
        BinOp::SLt => decided(a.signed_high < b.signed_low, a.signed_low >= b.signed_high),
        BinOp::SLe => decided(a.signed_high <= b.signed_low, a.signed_low > b.signed_high),
        BinOp::BvAdd => add(a, b),
        BinOp::BvSub => sub(a, b),
        BinOp::BvMul => mul(a, b),
        BinOp::BvUDiv => udiv(a, b),
        BinOp::BvSDiv => sdiv(a, b),
        BinOp::BvURem => urem(a, b),
        BinOp::BvSRem => srem(a, b),
        BinOp::BvAnd => bitwise(a, a.zeros | b.zeros, a.ones & b.ones, 0, a.high.min(b.high)),
        BinOp::BvOr => bitwise(a, a.zeros & b.zeros, a.ones | b.ones, a.low.max(b.low), mask(a.width)),
        BinOp::BvXor => {
            let (same, differ) = ((a.zeros & b.zeros) | (a.ones & b.ones), (a.zeros & b.ones) | (a.ones & b.zeros));
            bitwise(a, same, differ, 0, mask(a.width))
        }
        BinOp::Shl | BinOp::LShr | BinOp::AShr => shift(op, a, b),
        BinOp::Concat => concat(a, b),
        BinOp::SAddOverflows => overflows(a, b, i128::checked_add),
        BinOp::SSubOverflows => overflows(a, b, i128::checked_sub),
        BinOp::SMulOverflows => overflows(a, b, i128::checked_mul),
        BinOp::UMulOverflows => {
            let out = |x: u128, y: u128| x.checked_mul(y).is_none_or(|product| product > mask(a.width));
            decided(out(a.low, b.low), !out(a.high, b.high))
        }
        // Bools are sets; what is left are floats.
        _ => Value::top(op.sort(sort_a, sort_b).bits().unwrap_or(1)),
    }
}

fn add(a: &Value, b: &Value) -> Value {
    let (width, all) = (a.width, mask(a.width));
    let mut result = top(width);
    if let Some((low, high)) =
        fits(width, a.signed_low.checked_add(b.signed_low), a.signed_high.checked_add(b.signed_high))
    {
        (result.signed_low, result.signed_high) = (low, high);
    }
    let wraps = |x: u128, y: u128| x.checked_add(y).is_none_or(|sum| sum > all);
    let modulus = gcd(a.modulus, b.modulus);
    let never = !wraps(a.high, b.high);
    if never || wraps(a.low, b.low) {
        let sum = |x: u128, y: u128| x.wrapping_add(y) & all;
        (result.low, result.high) = (sum(a.low, b.low), sum(a.high, b.high));
        (result.modulus, result.rest) = (modulus, modulo(result.low, modulus));
    } else {
        result.modulus = wrapping_part(modulus, width);
        result.rest = a.rest.wrapping_add(b.rest) & all & (result.modulus - 1);
    }
    (result.zeros, result.ones) = known_sum((a.zeros, a.ones), (b.zeros, b.ones), 0, all);
    made(result)
}

fn sub(a: &Value, b: &Value) -> Value {
    let (width, all) = (a.width, mask(a.width));
    let mut result = top(width);
    if let Some((low, high)) =
        fits(width, a.signed_low.checked_sub(b.signed_high), a.signed_high.checked_sub(b.signed_low))
    {
        (result.signed_low, result.signed_high) = (low, high);
    }
    let modulus = gcd(a.modulus, b.modulus);
    if a.low >= b.high || a.high < b.low {
        let difference = |x: u128, y: u128| x.wrapping_sub(y) & all;
        (result.low, result.high) = (difference(a.low, b.high), difference(a.high, b.low));
        (result.modulus, result.rest) = (modulus, modulo(result.low, modulus));
    } else {
        result.modulus = wrapping_part(modulus, width);
        result.rest = a.rest.wrapping_sub(b.rest) & all & (result.modulus - 1);
    }
    // a - b is a + !b + 1.
    (result.zeros, result.ones) = known_sum((a.zeros, a.ones), (b.ones, b.zeros), 1, all);
    made(result)
}

/// The known bits of a sum of two numbers and a carry, given as zeros and ones (LLVM's `KnownBits::computeForAddCarry`).
fn known_sum(a: (u128, u128), b: (u128, u128), carry: u128, all: u128) -> (u128, u128) {
    let most = (!a.0 & all).wrapping_add(!b.0 & all).wrapping_add(carry);
    let least = a.1.wrapping_add(b.1).wrapping_add(carry);
    let no_carry = !(most ^ a.0 ^ b.0);
    let surely_carry = least ^ a.1 ^ b.1;
    let known = (a.0 | a.1) & (b.0 | b.1) & (no_carry | surely_carry) & all;
    (!most & known, least & known)
}

fn mul(a: &Value, b: &Value) -> Value {
    let (width, all) = (a.width, mask(a.width));
    let mut result = top(width);
    let ends = [a.signed_low, a.signed_high].map(|x| [b.signed_low, b.signed_high].map(|y| x.checked_mul(y)));
    if let [[Some(p), Some(q)], [Some(r), Some(s)]] = ends {
        let (low, high) = (p.min(q).min(r).min(s), p.max(q).max(r).max(s));
        if let Some((low, high)) = fits(width, Some(low), Some(high)) {
            (result.signed_low, result.signed_high) = (low, high);
        }
    }
    let never = a.high.checked_mul(b.high).is_some_and(|product| product <= all);
    if never {
        (result.low, result.high) = (a.low * b.low, a.high * b.high);
    }
    if width <= 64 {
        // (m·i + r)(n·j + s): what all terms but r·s have in common. Products of two words fit.
        let products = [(a.modulus, b.modulus), (a.modulus, b.rest), (b.modulus, a.rest)];
        let modulus = products.into_iter().fold(0, |acc, (x, y)| gcd(acc, x.wrapping_mul(y)));
        result.modulus = if never { modulus } else { wrapping_part(modulus, width) };
        result.rest = modulo(a.rest * b.rest, result.modulus);
        if result.modulus == 0 {
            (result.modulus, result.rest) = (1, 0);
        }
    }
    let low_zeros = (a.zeros.trailing_ones() + b.zeros.trailing_ones()).min(u32::from(width));
    result.zeros = mask(low_zeros as u8);
    if low_zeros == 0 {
        result.zeros = 0;
    }
    made(result)
}

fn udiv(a: &Value, b: &Value) -> Value {
    let width = a.width;
    if b.high == 0 {
        return Value::constant(width, mask(width));
    }
    let low = a.low / b.high;
    let high = a.high.checked_div(b.low).unwrap_or(mask(width));
    made(Value { low, high, ..top(width) })
}

fn sdiv(a: &Value, b: &Value) -> Value {
    let width = a.width;
    let within = |x: i128| b.signed_low <= x && x <= b.signed_high;
    if a.signed_low == signed_min(width) && within(-1) {
        return Value::top(width);
    }
    // Quotients are extreme at the ends of the divisors of one sign; by zero they are 1 or -1.
    let divisors = [b.signed_low, b.signed_high, -1, 1].into_iter().filter(|y| *y != 0 && within(*y));
    let quotients = divisors.flat_map(|y| [a.signed_low / y, a.signed_high / y]);
    let all: Vec<i128> = quotients.chain(within(0).then_some([1, -1]).into_iter().flatten()).collect();
    let (low, high) = (all.iter().min().copied(), all.iter().max().copied());
    match fits(width, low, high) {
        Some((low, high)) => made(Value { signed_low: low, signed_high: high, ..top(width) }),
        None => Value::top(width),
    }
}

fn urem(a: &Value, b: &Value) -> Value {
    let width = a.width;
    if a.high < b.low || b.high == 0 {
        return a.clone();
    }
    let high = if b.low > 0 { a.high.min(b.high - 1) } else { a.high };
    let mut result = Value { high, ..top(width) };
    if let Some(divisor) = b.as_constant() {
        // The divisor is not 0 here.
        let modulus = gcd(a.modulus, divisor);
        (result.modulus, result.rest) = (modulus, a.rest % modulus);
    }
    made(result)
}

fn srem(a: &Value, b: &Value) -> Value {
    let width = a.width;
    if a.signed_low >= 0 && b.signed_low >= 0 {
        return urem(a, b);
    }
    // The sign is the dividend's; the size is below the divisor's, unless that is zero.
    let zero = b.signed_low <= 0 && b.signed_high >= 0;
    let size = if zero { i128::MAX } else { b.signed_low.saturating_abs().max(b.signed_high.saturating_abs()) - 1 };
    let low = if a.signed_low >= 0 { 0 } else { a.signed_low.max(-size) };
    let high = if a.signed_high <= 0 { 0 } else { a.signed_high.min(size) };
    made(Value { signed_low: low, signed_high: high, ..top(width) })
}

fn bitwise(a: &Value, zeros: u128, ones: u128, low: u128, high: u128) -> Value {
    made(Value { zeros, ones, low, high, ..top(a.width) })
}

fn shift(op: BinOp, a: &Value, b: &Value) -> Value {
    let width = a.width;
    if let Some(amounts) = &b.set {
        let results = amounts.iter().map(|k| shift_by(op, a, (*k).min(u128::from(width)) as u32));
        return results.reduce(|x, y| x.join(&y)).unwrap_or_else(|| Value::top(width));
    }
    match op {
        BinOp::LShr => {
            let least = b.low.min(u128::from(width)) as u32;
            made(Value { high: a.high.checked_shr(least).unwrap_or(0), ..top(width) })
        }
        BinOp::AShr => {
            made(Value { signed_low: a.signed_low.min(0), signed_high: a.signed_high.max(-1), ..top(width) })
        }
        _ => Value::top(width),
    }
}

/// A shift by a constant of at most the width.
fn shift_by(op: BinOp, a: &Value, k: u32) -> Value {
    let (width, all) = (a.width, mask(a.width));
    let over = k >= u32::from(width);
    match op {
        BinOp::Shl if over => Value::constant(width, 0),
        BinOp::Shl => {
            let product = mul(a, &Value::constant(width, 1 << k));
            let bits = made(Value {
                zeros: ((a.zeros << k) | ((1u128 << k) - 1)) & all,
                ones: (a.ones << k) & all,
                ..top(width)
            });
            product.meet(&bits).unwrap_or(product)
        }
        BinOp::LShr if over => Value::constant(width, 0),
        BinOp::LShr => made(Value {
            low: a.low >> k,
            high: a.high >> k,
            zeros: (a.zeros >> k) | (all & !(all >> k)),
            ones: a.ones >> k,
            ..top(width)
        }),
        _ => made(Value {
            signed_low: a.signed_low >> k.min(127),
            signed_high: a.signed_high >> k.min(127),
            ..top(width)
        }),
    }
}

fn concat(a: &Value, b: &Value) -> Value {
    let width = a.width + b.width;
    let high = shift_by(BinOp::Shl, &zero_ext(a, width), b.width.into());
    let low = zero_ext(b, width);
    let sum = add(&high, &low);
    let bits = bitwise(&sum, high.zeros & low.zeros, high.ones | low.ones, 0, mask(width));
    sum.meet(&bits).unwrap_or(sum)
}

fn overflows(a: &Value, b: &Value, op: fn(i128, i128) -> Option<i128>) -> Value {
    let ends = [a.signed_low, a.signed_high].map(|x| [b.signed_low, b.signed_high].map(|y| op(x, y)));
    let out = |x: &Option<i128>| x.is_none_or(|x| x < signed_min(a.width) || x > signed_max(a.width));
    // The extremes of a sum, difference or product are at the ends.
    decided(false, !ends.iter().flatten().any(out))
}

pub fn zero_ext(a: &Value, width: u8) -> Value {
    if let Some(set) = &a.set {
        return Value::of(width, set.clone()).unwrap_or_else(|| Value::top(width));
    }
    let zeros = a.zeros | (mask(width) & !mask(a.width));
    let (low, high, ones, modulus, rest) = (a.low, a.high, a.ones, a.modulus, a.rest);
    made(Value { low, high, zeros, ones, modulus, rest, ..top(width) })
}

pub fn sign_ext(a: &Value, width: u8) -> Value {
    if let Some(set) = &a.set {
        let extended = set.iter().map(|x| eval::to_signed(a.width, *x) as u128 & mask(width)).collect();
        return Value::of(width, extended).unwrap_or_else(|| Value::top(width));
    }
    if a.signed_low >= 0 {
        return zero_ext(a, width);
    }
    let modulus = wrapping_part(a.modulus, a.width);
    let low = mask(a.width) >> 1;
    made(Value {
        signed_low: a.signed_low,
        signed_high: a.signed_high,
        zeros: a.zeros & low,
        ones: a.ones & low,
        modulus,
        rest: modulo(a.rest, modulus),
        ..top(width)
    })
}

/// The low bits.
pub fn truncate(a: &Value, width: u8) -> Value {
    let all = mask(width);
    if let Some(set) = &a.set {
        return Value::of(width, set.iter().map(|x| x & all).collect()).unwrap_or_else(|| Value::top(width));
    }
    let mut result = Value { zeros: a.zeros & all, ones: a.ones & all, ..top(width) };
    if a.high <= all {
        (result.low, result.high, result.modulus, result.rest) = (a.low, a.high, a.modulus, a.rest);
    } else {
        result.modulus = wrapping_part(a.modulus, width);
        result.rest = modulo(a.rest, result.modulus);
    }
    if let Some((low, high)) = fits(width, Some(a.signed_low), Some(a.signed_high)) {
        (result.signed_low, result.signed_high) = (low, high);
    }
    made(result)
}

pub fn extract(a: &Value, high: u8, low: u8) -> Value {
    let shifted = if low == 0 { a.clone() } else { shift_by(BinOp::LShr, a, low.into()) };
    truncate(&shifted, high - low + 1)
}

/// `Extract` and the extensions; nothing is known of other conversions.
pub fn convert(expr: Expr, a: &Value) -> Option<Value> {
    match expr {
        Expr::Extract { high, low, .. } => Some(extract(a, high, low)),
        Expr::ZeroExt { width, .. } => Some(zero_ext(a, width)),
        Expr::SignExt { width, .. } => Some(sign_ext(a, width)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_testing::Random;

    /// A random value of some bits and one of its elements.
    fn random_value(dice: &mut Random, width: u8) -> (Value, u128) {
        let number = |dice: &mut Random| match dice.below(3) {
            0 => dice.below(5) as u128 & mask(width),
            1 => mask(width).wrapping_sub(dice.below(5) as u128) & mask(width),
            _ => u128::from(dice.below(u64::MAX)) & mask(width),
        };
        let constants = |dice: &mut Random, most: u64| (0..=dice.below(most)).map(|_| number(dice)).collect::<Vec<_>>();
        let all = constants(dice, 12);
        let element = *dice.one(&all);
        let mut value = Value::of(width, all).unwrap();
        if dice.one_in(2) {
            value = value.join(&Value::of(width, constants(dice, 3)).unwrap());
        }
        if dice.one_in(4) {
            value = Value { set: None, modulus: 1, rest: 0, ..value }.reduced().unwrap();
        }
        assert!(value.contains(element));
        (value, element)
    }

    #[test]
    fn results_hold_what_the_evaluator_computes() {
        use BinOp::*;
        let ops = [
            Eq,
            BvAdd,
            BvSub,
            BvMul,
            BvUDiv,
            BvSDiv,
            BvURem,
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
            Concat,
            SAddOverflows,
            SSubOverflows,
            SMulOverflows,
            UMulOverflows,
        ];
        let mut dice = Random::new(1);
        for round in 0..raddle_testing::number("RADDLE_CASES", 200_000) {
            let width = dice.pick(&[1, 2, 3, 5, 8, 8, 8, 32, 60]);
            let sort = Sort::Bits(width);
            let ((a, x), (b, y)) = (random_value(&mut dice, width), random_value(&mut dice, width));
            let op = dice.pick(&ops);
            let (result, exact) = (binary(op, sort, sort, &a, &b), eval::binary(op, sort, sort, x, y));
            assert!(result.contains(exact), "{round}: {op:?} of {x} {y}: {exact}\n{a:?}\n{b:?}\n{result:?}");
            let op = dice.pick(&[UnOp::BvNot, UnOp::BvNeg]);
            let (result, exact) = (unary(op, sort, sort, Some(&a)).unwrap(), eval::unary(op, sort, x));
            assert!(result.contains(exact), "{round}: {op:?} of {x}: {exact}\n{a:?}\n{result:?}");
            let arg = raddle_ir::ExprId(0);
            let low = dice.below(u64::from(width)) as u8;
            let high = low + dice.below(u64::from(width - low)) as u8;
            let wider = width + 1 + dice.below(8) as u8;
            let ways = [
                Expr::Extract { high, low, arg },
                Expr::ZeroExt { width: wider, arg },
                Expr::SignExt { width: wider, arg },
            ];
            let way = dice.pick(&ways);
            let (result, exact) = (convert(way, &a).unwrap(), eval::convert(way, sort, x));
            assert!(result.contains(exact), "{round}: {way:?} of {x}: {exact}\n{a:?}\n{result:?}");
            let thresholds = [0, 3, 100 & mask(width)];
            assert!(a.join(&b).contains(x) && a.join(&b).contains(y), "{a:?} {b:?}");
            assert!(a.widen(&b, &thresholds).contains(x) && a.widen(&b, &thresholds).contains(y), "{a:?} {b:?}");
            assert!(a.is_within(&a.join(&b)) && b.is_within(&a.widen(&b, &thresholds)), "{a:?} {b:?}");
            if b.contains(x) {
                assert!(a.meet(&b).is_some_and(|met| met.contains(x)), "{a:?} {b:?}");
            }
        }
    }
}
