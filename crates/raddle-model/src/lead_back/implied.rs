//! Leaves out literals that others imply, as far as one looks at the values of one variable, or puts in what a variable equals.
//!
//! Abstract interpretation says the same in several domains: `x < 5` signed and unsigned, `x & 1 = 0` beside `x = 2 i`, bounds beside the list of all values. The result is equivalent: each literal goes
//! because of others that are still there.

use super::told::Conjunction;
use raddle_ir::{BinOp, Const, Expr, ExprId, ExprPool, Sort, UnOp, VarId, eval};
use std::collections::BTreeMap;

/// So many literals are compared with each other.
const MOST: usize = 64;
/// So many values are tried.
const MOST_VALUES: u128 = 16;
/// A set has so many intervals, and a literal so many parts.
const MOST_INTERVALS: usize = 32;
const MOST_PARTS: usize = 100;

pub fn without_implied(pool: &mut ExprPool, mut literals: Conjunction) -> Conjunction {
    if literals.len() > MOST {
        return literals;
    }
    let mut by_var: BTreeMap<VarId, Vec<ExprId>> = BTreeMap::new();
    for &literal in &literals {
        if let [var] = pool.vars(literal)[..] {
            by_var.entry(var).or_default().push(literal);
        }
    }
    let mut gone = Vec::new();
    for (var, of) in by_var.into_iter().filter(|(_, of)| of.len() > 1) {
        gone.extend(implied_by_values(pool, var, of));
    }
    literals.retain(|literal| !gone.contains(literal));
    // What a variable equals says everything about it that is said in other words.
    for definition in literals.clone() {
        let Some((var, value)) = equality(pool, definition) else { continue };
        let is_said = |pool: &mut ExprPool, literal: ExprId| {
            let then = pool.substitute(literal, &mut |read| (read == var).then_some(value));
            literal != definition && pool.is_bool(then, true)
        };
        if literals.contains(&definition) {
            literals.retain(|literal| !is_said(pool, *literal));
        }
    }
    literals
}

/// A variable that equals an expression without it.
fn equality(pool: &ExprPool, literal: ExprId) -> Option<(VarId, ExprId)> {
    let Expr::Binary(BinOp::Eq, a, b) = pool.get(literal) else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(var, value)| match pool.get(var) {
        Expr::Var(var) if !pool.vars(value).contains(&var) => Some((var, value)),
        _ => None,
    })
}

/// Literals about one variable that the others imply.
fn implied_by_values(pool: &mut ExprPool, var: VarId, literals: Vec<ExprId>) -> Vec<ExprId> {
    let sets: Vec<Option<Set>> = literals.iter().map(|literal| set(pool, *literal, true, &mut 0)).collect();
    let mut is_gone = vec![false; literals.len()];
    for i in 0..literals.len() {
        let others = (0..literals.len()).filter(|j| *j != i && !is_gone[*j]).filter_map(|j| sets[j].clone());
        let Some(others) = others.reduce(|a, b| a.and(&b)) else { continue };
        is_gone[i] = match &sets[i] {
            Some(own) => others.and(&own.not()).intervals.is_empty(),
            None => others.values().is_some_and(|values| {
                values.into_iter().all(|bits| {
                    let value = pool.constant(Const { sort: Sort::Bits(others.width), bits });
                    let then = pool.substitute(literals[i], &mut |read| (read == var).then_some(value));
                    pool.is_bool(then, true)
                })
            }),
        };
    }
    literals.into_iter().zip(is_gone).filter(|(_, is_gone)| *is_gone).map(|(literal, _)| literal).collect()
}

/// Values of a bit-vector: intervals with both ends, ascending, apart from each other.
#[derive(Clone, PartialEq, Debug)]
struct Set {
    width: u8,
    intervals: Vec<(u128, u128)>,
}

impl Set {
    fn not(&self) -> Set {
        let mut intervals = Vec::new();
        let mut next = Some(0);
        for &(low, high) in &self.intervals {
            if let Some(next) = next.filter(|next| *next < low) {
                intervals.push((next, low - 1));
            }
            next = high.checked_add(1);
        }
        let last = eval::mask(self.width);
        intervals.extend(next.filter(|next| *next <= last).map(|next| (next, last)));
        Set { width: self.width, intervals }
    }

    fn and(&self, other: &Set) -> Set {
        let mut intervals = Vec::new();
        for &(a, b) in &self.intervals {
            let common = other.intervals.iter().map(|&(c, d)| (a.max(c), b.min(d)));
            intervals.extend(common.filter(|(low, high)| low <= high));
        }
        Set { width: self.width, intervals }
    }

    /// All values, if they are few.
    fn values(&self) -> Option<Vec<u128>> {
        let is_long = |(low, high): &(u128, u128)| high - low >= MOST_VALUES;
        if self.intervals.iter().any(is_long) {
            return None;
        }
        let values: Vec<u128> = self.intervals.iter().flat_map(|(low, high)| *low..=*high).collect();
        (values.len() as u128 <= MOST_VALUES).then_some(values)
    }
}

/// The values of the only variable for which a literal holds, or does not; `None` if it is no matter of intervals.
fn set(pool: &ExprPool, literal: ExprId, holds: bool, parts: &mut usize) -> Option<Set> {
    *parts += 1;
    if *parts > MOST_PARTS {
        return None;
    }
    let result = match pool.get(literal) {
        Expr::Unary(UnOp::Not, a) => return set(pool, a, !holds, parts),
        Expr::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
            // By De Morgan, with intersections only.
            let is_and = op == BinOp::And;
            let both = set(pool, a, is_and, parts)?.and(&set(pool, b, is_and, parts)?);
            if is_and == holds { both } else { both.not() }
        }
        Expr::Binary(op, a, b) => {
            let of = match (pool.get(a), pool.get(b), pool.as_const(a), pool.as_const(b)) {
                (Expr::Var(_), _, _, Some(c)) => compared(op, c, true)?,
                (_, Expr::Var(_), Some(c), _) => compared(op, c, false)?,
                _ => return None,
            };
            if holds { of } else { of.not() }
        }
        _ => return None,
    };
    (result.intervals.len() <= MOST_INTERVALS).then_some(result)
}

/// The values on the left or on the right of a comparison with a constant.
fn compared(op: BinOp, constant: Const, is_left: bool) -> Option<Set> {
    let Const { sort: Sort::Bits(width), bits } = constant else { return None };
    let (last, sign) = (eval::mask(width), 1u128 << (width - 1));
    // Signed numbers are in the order of unsigned ones when the sign is turned over.
    let (is_signed, or_equal) = match op {
        BinOp::Eq => return Some(Set { width, intervals: vec![(bits, bits)] }),
        BinOp::ULt => (false, false),
        BinOp::ULe => (false, true),
        BinOp::SLt => (true, false),
        BinOp::SLe => (true, true),
        _ => return None,
    };
    let at = if is_signed { bits ^ sign } else { bits };
    let (low, high) = match (is_left, or_equal) {
        (true, true) => (Some(0), Some(at)),
        (true, false) => (Some(0), at.checked_sub(1)),
        (false, true) => (Some(at), Some(last)),
        (false, false) => (at.checked_add(1).filter(|low| *low <= last), Some(last)),
    };
    let Some((low, high)) = low.zip(high) else { return Some(Set { width, intervals: Vec::new() }) };
    let intervals = match is_signed {
        false => vec![(low, high)],
        // In two parts: the numbers that are not negative, from `sign` on here, come first.
        true => [(low.max(sign), high), (low, high.min(sign - 1))]
            .into_iter()
            .filter(|(low, high)| low <= high)
            .map(|(low, high)| (low ^ sign, high ^ sign))
            .collect(),
    };
    Some(Set { width, intervals })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every comparison with every constant, against trying all values.
    #[test]
    fn sets_are_the_values_for_which_a_comparison_holds() {
        let mut pool = ExprPool::new();
        let x = pool.var(VarId(0), Sort::Bits(3));
        for op in [BinOp::Eq, BinOp::ULt, BinOp::ULe, BinOp::SLt, BinOp::SLe] {
            for (bits, is_left) in (0..8).flat_map(|bits| [(bits, true), (bits, false)]) {
                let constant = Const { sort: Sort::Bits(3), bits };
                let c = pool.constant(constant);
                let literal = if is_left { pool.binary(op, x, c) } else { pool.binary(op, c, x) };
                let of = compared(op, constant, is_left).unwrap();
                for value in 0..8 {
                    let value_of_x = pool.bits(3, value);
                    let then = pool.substitute(literal, &mut |_| Some(value_of_x));
                    let contains = |of: &Set| of.intervals.iter().any(|(low, high)| (*low..=*high).contains(&value));
                    assert_eq!(contains(&of), pool.is_bool(then, true), "{op:?} {bits} {is_left} {value}");
                    assert_eq!(contains(&of.not()), pool.is_bool(then, false), "{op:?} {bits} {is_left} {value}");
                }
            }
        }
    }

    #[test]
    fn bounds_beside_values_and_values_beside_definitions() {
        let mut pool = ExprPool::new();
        let [x, y] = [0, 1].map(|var| pool.var(VarId(var), Sort::Bits(32)));
        let [zero, one, four, five] = [0, 1, 4, 5].map(|value| pool.bits(32, value));
        let (is_zero, is_four) = (pool.eq(x, zero), pool.eq(x, four));
        let either = pool.or(is_zero, is_four);
        let (unsigned, signed) = (pool.binary(BinOp::ULt, x, five), pool.binary(BinOp::SLt, x, five));
        let low = pool.binary(BinOp::BvAnd, x, one);
        let even = pool.eq(low, zero);
        assert_eq!(without_implied(&mut pool, vec![unsigned, either, even, signed]), [either]);
        // An unsigned bound says two signed ones.
        let not_negative = pool.binary(BinOp::SLe, zero, x);
        assert_eq!(without_implied(&mut pool, vec![signed, not_negative, unsigned]), [unsigned]);
        // `x = y + 1`, beside `y + 1 = x` in other words.
        let next = pool.binary(BinOp::BvAdd, y, one);
        let (is_next, at_most) = (pool.eq(x, next), pool.binary(BinOp::ULe, x, next));
        assert_eq!(without_implied(&mut pool, vec![at_most, is_next]), [is_next]);
    }
}
