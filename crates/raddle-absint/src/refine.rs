//! What an assumed condition tells about variables: values are pushed from the condition down to its leaves.
//!
//! Every function narrows a state to what may satisfy the condition, and answers `false` where nothing can.

use crate::evaluate::{Known, evaluate, width};
use crate::linear::linear;
use crate::state::{Relations, State};
use crate::transfer::{self, binary};
use crate::value::{Value, signed_max, signed_min};
use raddle_ir::eval::mask;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Sort, UnOp};

/// What does not change on the way down.
pub struct Facing<'a> {
    pub pool: &'a ExprPool,
    pub relations: &'a Relations,
    pub known: &'a Known,
}

/// Deeper conditions are left alone.
const MOST_DEPTH: u32 = 40;
/// So many alternatives of one condition are followed.
const MOST_JOINS: u32 = 12;

/// Where a condition holds, or where it does not.
#[must_use]
pub fn refine(facing: &Facing, state: &mut State, cond: ExprId, truth: bool) -> bool {
    let mut joins = MOST_JOINS;
    holds(facing, state, cond, truth, MOST_DEPTH, &mut joins)
}

fn holds(f: &Facing, state: &mut State, cond: ExprId, truth: bool, depth: u32, joins: &mut u32) -> bool {
    let pool = f.pool;
    if let Some(c) = pool.as_const(cond) {
        return (c.bits != 0) == truth;
    }
    if depth == 0 {
        return true;
    }
    match pool.get(cond) {
        Expr::Unary(UnOp::Not, a) => holds(f, state, a, !truth, depth - 1, joins),
        Expr::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
            if (op == BinOp::And) == truth {
                holds(f, state, a, truth, depth - 1, joins) && holds(f, state, b, truth, depth - 1, joins)
            } else {
                if *joins == 0 {
                    return true;
                }
                *joins -= 1;
                let mut other = state.clone();
                let first = holds(f, state, a, truth, depth - 1, joins);
                // The second alternative is where the first one fails.
                let second = holds(f, &mut other, a, !truth, depth - 1, joins)
                    && holds(f, &mut other, b, truth, depth - 1, joins);
                choose(state, first, other, second)
            }
        }
        Expr::Ite(c, a, b) => {
            if *joins == 0 {
                return true;
            }
            *joins -= 1;
            let mut other = state.clone();
            let first = holds(f, state, c, true, depth - 1, joins) && holds(f, state, a, truth, depth - 1, joins);
            let second =
                holds(f, &mut other, c, false, depth - 1, joins) && holds(f, &mut other, b, truth, depth - 1, joins);
            choose(state, first, other, second)
        }
        Expr::Binary(BinOp::Eq, a, b) if pool.sort(a) == Sort::Bool => {
            let constant = |id| evaluate(pool, state, f.known, id).and_then(|value| value.as_constant());
            match (constant(a), constant(b)) {
                (Some(c), _) => holds(f, state, b, (c != 0) == truth, depth - 1, joins),
                (_, Some(c)) => holds(f, state, a, (c != 0) == truth, depth - 1, joins),
                _ => true,
            }
        }
        Expr::Binary(op @ (BinOp::Eq | BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe), a, b)
            if pool.sort(a).is_bits() =>
        {
            // Not `a < b` is `b <= a`.
            match (op, truth) {
                (BinOp::Eq, true) => equal(f, state, a, b, depth),
                (BinOp::Eq, false) => differ(f, state, a, b, depth),
                (_, true) => ordered(f, state, op, a, b, depth),
                (BinOp::ULt, false) => ordered(f, state, BinOp::ULe, b, a, depth),
                (BinOp::ULe, false) => ordered(f, state, BinOp::ULt, b, a, depth),
                (BinOp::SLt, false) => ordered(f, state, BinOp::SLe, b, a, depth),
                _ => ordered(f, state, BinOp::SLt, b, a, depth),
            }
        }
        _ => restrict(f, state, cond, &Value::bool(truth), depth),
    }
}

fn choose(state: &mut State, first: bool, other: State, second: bool) -> bool {
    match (first, second) {
        (true, true) => *state = state.join(&other),
        (false, true) => *state = other,
        _ => {}
    }
    first || second
}

fn equal(f: &Facing, state: &mut State, a: ExprId, b: ExprId, depth: u32) -> bool {
    let values = (evaluate(f.pool, state, f.known, a), evaluate(f.pool, state, f.known, b));
    let (Some(x), Some(y)) = values else { return true };
    let Some(both) = x.meet(&y) else { return false };
    if !restrict(f, state, a, &both, depth) || !restrict(f, state, b, &both, depth) {
        return false;
    }
    let (Some(left), Some(right)) = (linear(f.pool, a, f.known), linear(f.pool, b, f.known)) else { return true };
    let sum = left.minus(&right, x.width);
    state.assume_zero(f.relations, &sum)
        && [true, false].into_iter().all(|signed| {
            state.assume_at_most(f.relations, (&left, &right), x.width, signed, 0)
                && state.assume_at_most(f.relations, (&right, &left), x.width, signed, 0)
        })
}

fn differ(f: &Facing, state: &mut State, a: ExprId, b: ExprId, depth: u32) -> bool {
    if let (Some(left), Some(right)) = (linear(f.pool, a, f.known), linear(f.pool, b, f.known)) {
        let width = width(f.pool.sort(a)).unwrap_or(1);
        if state.is_zero(f.relations, &left.minus(&right, width)) {
            return false;
        }
    }
    for (one, other) in [(a, b), (b, a)] {
        let values = (evaluate(f.pool, state, f.known, one), evaluate(f.pool, state, f.known, other));
        let (Some(x), Some(y)) = values else { return true };
        let Some(constant) = y.as_constant() else { continue };
        let Some(rest) = without(&x, constant) else { return false };
        if rest != x && !restrict(f, state, one, &rest, depth) {
            return false;
        }
    }
    true
}

/// A value without one of its elements, as far as that can be said.
fn without(value: &Value, constant: u128) -> Option<Value> {
    if !value.contains(constant) {
        return Some(value.clone());
    }
    let mut rest = value.clone();
    match &mut rest.set {
        Some(set) => set.retain(|element| *element != constant),
        None => {
            let signed = raddle_ir::eval::to_signed(value.width, constant);
            rest.low += u128::from(rest.low == constant);
            rest.high -= u128::from(rest.high == constant);
            rest.signed_low += i128::from(rest.signed_low == signed);
            rest.signed_high -= i128::from(rest.signed_high == signed);
        }
    }
    rest.reduced()
}

/// Where `a op b` holds, for `<` and `<=`.
fn ordered(f: &Facing, state: &mut State, op: BinOp, a: ExprId, b: ExprId, depth: u32) -> bool {
    let values = (evaluate(f.pool, state, f.known, a), evaluate(f.pool, state, f.known, b));
    let (Some(x), Some(y)) = values else { return true };
    let width = x.width;
    let strict = matches!(op, BinOp::ULt | BinOp::SLt);
    let signed = matches!(op, BinOp::SLt | BinOp::SLe);
    let (below, above) = if signed {
        let gap = i128::from(strict);
        let (Some(high), Some(low)) = (y.signed_high.checked_sub(gap), x.signed_low.checked_add(gap)) else {
            return false;
        };
        (Value::signed(width, signed_min(width), high), Value::signed(width, low, signed_max(width)))
    } else {
        let gap = u128::from(strict);
        let (Some(high), Some(low)) = (y.high.checked_sub(gap), x.low.checked_add(gap)) else { return false };
        (Value::unsigned(width, 0, high), Value::unsigned(width, low, mask(width)))
    };
    let (Some(below), Some(above)) = (below, above) else { return false };
    let (Some(x), Some(y)) = (x.meet(&below), y.meet(&above)) else { return false };
    if !restrict(f, state, a, &x, depth) || !restrict(f, state, b, &y, depth) {
        return false;
    }
    match (linear(f.pool, a, f.known), linear(f.pool, b, f.known)) {
        (Some(left), Some(right)) => {
            state.assume_at_most(f.relations, (&left, &right), width, signed, -i128::from(strict))
        }
        _ => true,
    }
}

/// Where an expression has one of some values.
fn restrict(f: &Facing, state: &mut State, id: ExprId, to: &Value, depth: u32) -> bool {
    let pool = f.pool;
    let Some(here) = evaluate(pool, state, f.known, id) else { return true };
    let Some(met) = here.meet(to) else { return false };
    if met == here || depth == 0 {
        return true;
    }
    let next = |state: &mut State, id, to: &Value| restrict(f, state, id, to, depth - 1);
    let value = |state: &State, id| evaluate(pool, state, f.known, id);
    let bits = |op, a: &Value, b: &Value| binary(op, Sort::Bits(a.width), Sort::Bits(b.width), a, b);
    match pool.get(id) {
        Expr::Var(var) => state.restrict(f.relations, var, met),
        Expr::Unary(op @ (UnOp::BvNot | UnOp::BvNeg | UnOp::Not), a) => {
            match transfer::unary(op, pool.sort(a), pool.sort(a), Some(&met)) {
                Some(inverse) => next(state, a, &inverse),
                None => true,
            }
        }
        Expr::Binary(BinOp::BvAdd, a, b) => {
            let (Some(x), Some(y)) = (value(state, a), value(state, b)) else { return true };
            next(state, a, &bits(BinOp::BvSub, &met, &y)) && next(state, b, &bits(BinOp::BvSub, &met, &x))
        }
        Expr::Binary(BinOp::BvSub, a, b) => {
            let (Some(x), Some(y)) = (value(state, a), value(state, b)) else { return true };
            next(state, a, &bits(BinOp::BvAdd, &met, &y)) && next(state, b, &bits(BinOp::BvSub, &x, &met))
        }
        Expr::Binary(BinOp::BvXor, a, b) => {
            let (Some(x), Some(y)) = (value(state, a), value(state, b)) else { return true };
            next(state, a, &bits(BinOp::BvXor, &met, &y)) && next(state, b, &bits(BinOp::BvXor, &met, &x))
        }
        Expr::Binary(op @ (BinOp::BvAnd | BinOp::BvOr), a, b) => {
            // A bit of one operand is that of the result where the other's is neutral.
            let (Some(x), Some(y)) = (value(state, a), value(state, b)) else { return true };
            let neutral = |other: &Value| if op == BinOp::BvAnd { other.ones } else { other.zeros };
            let surely = |other: &Value| {
                let (mut zeros, mut ones) = (met.zeros & neutral(other), met.ones & neutral(other));
                if op == BinOp::BvAnd {
                    ones |= met.ones;
                } else {
                    zeros |= met.zeros;
                }
                Value { zeros, ones, set: None, ..Value::top(met.width) }.reduced()
            };
            let (Some(left), Some(right)) = (surely(&y), surely(&x)) else { return false };
            next(state, a, &left) && next(state, b, &right)
        }
        Expr::Binary(BinOp::BvMul, a, b) => {
            // By a positive constant, where no product wraps.
            let (Some(c), Some(x)) = (pool.as_const(b), value(state, a)) else { return true };
            let wraps = c.bits == 0 || x.high.checked_mul(c.bits).is_none_or(|product| product > mask(x.width));
            match wraps {
                true => true,
                false => match Value::unsigned(x.width, met.low.div_ceil(c.bits), met.high / c.bits) {
                    Some(quotients) => next(state, a, &quotients),
                    None => false,
                },
            }
        }
        Expr::Binary(BinOp::Concat, a, b) => {
            let low = pool.sort(b).bits().unwrap_or(1);
            next(state, a, &transfer::extract(&met, met.width - 1, low))
                && next(state, b, &transfer::extract(&met, low - 1, 0))
        }
        Expr::ZeroExt { arg, .. } => {
            let own = width(pool.sort(arg)).unwrap_or(1);
            let fits = Value::unsigned(met.width, 0, mask(own));
            match fits.and_then(|fits| fits.meet(&met)) {
                Some(met) => next(state, arg, &transfer::truncate(&met, own)),
                None => false,
            }
        }
        Expr::SignExt { arg, .. } => {
            let own = width(pool.sort(arg)).unwrap_or(1);
            let fits = Value::signed(met.width, signed_min(own), signed_max(own));
            match fits.and_then(|fits| fits.meet(&met)) {
                Some(met) => next(state, arg, &transfer::truncate(&met, own)),
                None => false,
            }
        }
        Expr::Extract { low: 0, arg, .. } => {
            let Some(x) = value(state, arg) else { return true };
            let wide = if x.high <= mask(met.width) {
                Some(transfer::zero_ext(&met, x.width))
            } else if x.signed_low >= signed_min(met.width) && x.signed_high <= signed_max(met.width) {
                Some(transfer::sign_ext(&met, x.width))
            } else {
                Value { zeros: met.zeros, ones: met.ones, set: None, ..Value::top(x.width) }.reduced()
            };
            wide.is_some_and(|wide| next(state, arg, &wide))
        }
        Expr::Ite(cond, a, b) => {
            let possible = |id| value(state, id).is_none_or(|value| value.meet(&met).is_some());
            match (possible(a), possible(b)) {
                (true, false) => holds(f, state, cond, true, depth - 1, &mut 2) && next(state, a, &met),
                (false, true) => holds(f, state, cond, false, depth - 1, &mut 2) && next(state, b, &met),
                (false, false) => false,
                (true, true) => true,
            }
        }
        Expr::Binary(..) if pool.sort(id) == Sort::Bool && depth > 1 => match met.as_constant() {
            // Conditions inside of values; overflow predicates and floats end here.
            Some(truth) if is_condition(pool, id) => holds(f, state, id, truth != 0, depth - 1, &mut 2),
            _ => true,
        },
        _ => true,
    }
}

fn is_condition(pool: &ExprPool, id: ExprId) -> bool {
    use BinOp::{And, Eq, Or, SLe, SLt, ULe, ULt};
    matches!(pool.get(id), Expr::Binary(And | Or | Eq | SLe | SLt | ULe | ULt, a, _) if width(pool.sort(a)).is_some())
}
