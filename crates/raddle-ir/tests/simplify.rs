//! The simplifying constructors: they keep the meaning of every expression, and they do what lowering counts on.

mod random_exprs;

use proptest::prelude::*;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Sort, Value, VarId, eval};
use random_exprs::{NARROW, SORTS, Twins};
use std::convert::Infallible;
use std::sync::Arc;

fn value_of(pool: &ExprPool, id: ExprId, sorts: &[Sort], inputs: &[u128]) -> Value {
    let mut env = |var: VarId| -> Result<Value, Infallible> {
        let input = inputs[var.index() % inputs.len()].rotate_left(var.0);
        let sort = sorts[var.index() / 3];
        Ok(match sort.bits() {
            Some(n) => {
                // Corner values of every sort come up often.
                let corners = [0, 1, 2, u128::MAX, 1 << (n - 1), (1 << (n - 1)) - 1];
                let chosen =
                    if input.is_multiple_of(3) { corners[(input >> 8) as usize % corners.len()] } else { input };
                Value::Bits(chosen & eval::mask(n))
            }
            None => {
                let mut array = raddle_ir::ArrayValue::constant(input & 7);
                (0..4).for_each(|i| array.set(i, (input >> (3 * i + 3)) & 7));
                Value::Array(Arc::new(array))
            }
        })
    };
    eval::eval(pool, id, &mut env).unwrap_or_else(|never| match never {})
}

fn same_value(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.same_map(b, 2),
        _ => a == b,
    }
}

type Steps = Vec<([u8; 4], u128)>;

fn compare(sorts: &'static [Sort], steps: Steps, inputs: &[[u128; 7]]) -> Result<(), TestCaseError> {
    let mut twins = Twins::new(sorts);
    for (step, number) in steps {
        twins.grow(step, number);
    }
    for inputs in inputs {
        for &(raw, simple, sort) in &twins.pairs {
            let expected = value_of(&twins.raw, raw, sorts, inputs);
            let actual = value_of(&twins.simple, simple, sorts, inputs);
            prop_assert!(
                same_value(&expected, &actual),
                "{:?} : {sort} is {expected:?}, but simplified to {:?} it is {actual:?}",
                twins.raw.get(raw),
                twins.simple.get(simple),
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn simplified_expressions_mean_the_same(
        steps in prop::collection::vec((any::<[u8; 4]>(), any::<u128>()), 1..60),
        inputs in prop::collection::vec(any::<[u128; 7]>(), 8),
    ) {
        compare(&SORTS, steps, &inputs)?;
    }

    #[test]
    fn simplified_narrow_expressions_mean_the_same(
        steps in prop::collection::vec((any::<[u8; 4]>(), any::<u128>()), 1..60),
        inputs in prop::collection::vec(any::<[u128; 7]>(), 16),
    ) {
        compare(&NARROW, steps, &inputs)?;
    }
}

/// A pool with the variables p, q : Bool and x, y : bv32 (and c : bv8).
struct Sample {
    pool: ExprPool,
    p: ExprId,
    q: ExprId,
    x: ExprId,
    y: ExprId,
    c: ExprId,
}

fn sample() -> Sample {
    let mut pool = ExprPool::new();
    let mut var = |i, sort| pool.var(VarId(i), sort);
    let (p, q) = (var(0, Sort::Bool), var(1, Sort::Bool));
    let (x, y, c) = (var(2, Sort::Bits(32)), var(3, Sort::Bits(32)), var(4, Sort::Bits(8)));
    Sample { pool, p, q, x, y, c }
}

#[test]
fn conditions_of_c_fold_back() {
    let Sample { mut pool, p, q, c, .. } = sample();
    let (zero, one) = (pool.bits(32, 0), pool.bits(32, 1));
    let truth = pool.ite(p, one, zero);
    let not_truth = pool.ite(q, one, zero);
    // (p) != 0, !(p), !!(p), p & q, and a truth value kept in a char
    assert_eq!(pool.ne(truth, zero), p);
    let not_p = pool.not(p);
    assert_eq!(pool.eq(truth, zero), not_p);
    assert_eq!(pool.eq(truth, one), p);
    let twice = pool.ite(not_p, one, zero);
    assert_eq!(pool.eq(twice, zero), p);
    let both = pool.binary(BinOp::BvAnd, truth, not_truth);
    let and = pool.and(p, q);
    assert_eq!(pool.ne(both, zero), and);
    let narrow = pool.extract(7, 0, truth);
    let wide = pool.sign_ext(32, narrow);
    assert_eq!(pool.ne(wide, zero), p);
    // (int) c == 200 is false for a signed char, c < 1000 true
    let wide = pool.sign_ext(32, c);
    let (k, large) = (pool.bits(32, 200), pool.bits(32, 1000));
    assert_eq!(pool.eq(wide, k), pool.bool(false));
    assert_eq!(pool.binary(BinOp::SLt, wide, large), pool.bool(true));
}

#[test]
fn sums_keep_their_constant_outside() {
    let Sample { mut pool, x, y, .. } = sample();
    let (four, eight) = (pool.bits(32, 4), pool.bits(32, 8));
    let a = pool.binary(BinOp::BvAdd, x, four);
    let b = pool.binary(BinOp::BvAdd, a, y);
    let sum = pool.binary(BinOp::BvAdd, x, y);
    let expected = pool.binary(BinOp::BvAdd, sum, four);
    assert_eq!(b, expected);
    let back = pool.binary(BinOp::BvSub, b, four);
    assert_eq!(back, sum);
    let c = pool.binary(BinOp::BvAdd, sum, eight);
    assert_eq!(pool.binary(BinOp::BvSub, c, b), four);
    assert_eq!(pool.eq(c, b), pool.bool(false));
}

#[test]
fn bytes_join_to_the_value_that_they_came_from() {
    let Sample { mut pool, x, c, .. } = sample();
    let bytes: Vec<ExprId> = (0..4).map(|i| pool.extract(8 * i + 7, 8 * i, x)).collect();
    let joined = bytes.iter().copied().reduce(|low, high| pool.binary(BinOp::Concat, high, low)).unwrap();
    assert_eq!(joined, x);
    // (unsigned char)(c + 1) is an addition of 8 bits
    let (wide, one) = (pool.zero_ext(32, c), pool.bits(32, 1));
    let sum = pool.binary(BinOp::BvAdd, wide, one);
    let narrow = pool.extract(7, 0, sum);
    let one = pool.bits(8, 1);
    assert_eq!(narrow, pool.binary(BinOp::BvAdd, c, one));
}

#[test]
fn reads_look_through_writes_to_other_places() {
    let mut pool = ExprPool::new();
    let array = pool.var(VarId(0), Sort::Array { index: 32, element: 8 });
    let base = pool.var(VarId(1), Sort::Bits(32));
    let value = pool.var(VarId(2), Sort::Bits(8));
    let one = pool.bits(32, 1);
    let next = pool.binary(BinOp::BvAdd, base, one);
    let zero = pool.bits(8, 0);
    let first = pool.store(array, base, value);
    let second = pool.store(first, next, zero);
    assert_eq!(pool.select(second, base), value);
    assert_eq!(pool.select(second, next), zero);
    let read = pool.select(array, base);
    assert_eq!(pool.store(array, base, read), array);
}

#[test]
fn deep_expressions_do_not_overflow_the_stack() {
    let mut pool = ExprPool::new();
    let sort = Sort::Bits(32);
    let one = pool.bits(32, 1);
    let mut deep = pool.var(VarId(0), sort);
    for _ in 0..1_000_000 {
        deep = pool.intern_raw(Expr::Binary(BinOp::BvAdd, deep, one), sort);
    }
    let env = &mut |_| Ok::<_, Infallible>(Value::Bits(7));
    assert_eq!(eval::eval(&pool, deep, env), Ok(Value::Bits(1_000_007)));
    assert_eq!(pool.vars(deep), [VarId(0)]);
    let replacement = pool.bits(32, 5);
    let replaced = pool.substitute(deep, &mut |_| Some(replacement));
    assert_eq!(replaced, pool.bits(32, 1_000_005));
    let other = pool.var(VarId(1), sort);
    pool.binary(BinOp::BvAdd, deep, other);
}

#[test]
fn shared_expressions_are_evaluated_once() {
    let mut pool = ExprPool::new();
    let x = pool.var(VarId(0), Sort::Bits(64));
    let mut doubled = x;
    for _ in 0..200 {
        doubled = pool.binary(BinOp::BvAdd, doubled, doubled);
    }
    let asked = &mut 0;
    let value = eval::eval(&pool, doubled, &mut |_| {
        *asked += 1;
        Ok::<_, Infallible>(Value::Bits(3))
    });
    assert_eq!(value, Ok(Value::Bits(0)));
    assert!(*asked < 300);
}

#[test]
fn long_chains_of_stores_are_evaluated_in_place() {
    let mut pool = ExprPool::new();
    let zero = pool.bits(8, 0);
    let mut array = pool.const_array(32, zero);
    for i in 0..50_000u32 {
        let (index, value) = (pool.bits(32, i.into()), pool.bits(8, u128::from(i) | 1));
        array = pool.store(array, index, value);
    }
    let Ok(Value::Array(array)) = eval::eval(&pool, array, &mut |_| Err(())) else { panic!("no array") };
    assert_eq!(array.entries.len(), 50_000);
    assert_eq!(array.get(4), 5);
}

#[test]
fn expressions_that_share_nodes_are_evaluated_once() {
    let mut pool = ExprPool::new();
    let x = pool.var(VarId(0), Sort::Bits(64));
    let mut doubled = vec![x];
    for i in 0..200 {
        doubled.push(pool.binary(BinOp::BvAdd, doubled[i], doubled[i]));
    }
    let (asked, mut known) = (&mut 0, eval::Evaluated::default());
    for (i, &expr) in doubled.iter().enumerate() {
        let value = known.eval(&pool, expr, &mut |_| {
            *asked += 1;
            Ok::<_, Infallible>(Value::Bits(3))
        });
        assert_eq!(value, Ok(Value::Bits(if i < 64 { 3u128 << i & u128::from(u64::MAX) } else { 0 })));
    }
    assert_eq!(*asked, 1);
}

#[test]
fn arrays_that_were_changed_in_place_are_made_again() {
    let mut pool = ExprPool::new();
    let sort = Sort::Array { index: 32, element: 8 };
    let (array, index) = (pool.var(VarId(0), sort), pool.var(VarId(1), Sort::Bits(32)));
    let mut known = eval::Evaluated::default();
    let mut ask = |pool: &ExprPool, expr| {
        let env = &mut |var: VarId| {
            let array = Value::Array(Default::default());
            Ok::<_, Infallible>(if var == VarId(0) { array } else { Value::Bits(5) })
        };
        known.eval(pool, expr, env).unwrap_or(Value::Bits(99))
    };
    let (one, two) = (pool.bits(8, 1), pool.bits(8, 2));
    let stored = pool.store(array, index, one);
    let twice = pool.store(stored, index, two);
    let reads = [twice, stored, array].map(|array| pool.select(array, index));
    assert_eq!(reads.map(|read| ask(&pool, read)), [2, 1, 0].map(Value::Bits));
    // An array that two others are made of is not changed in place.
    let (zero, other) = (pool.bits(32, 0), pool.store(stored, index, two));
    let beside = pool.store(stored, zero, two);
    let choose = pool.eq(other, beside);
    assert_eq!(ask(&pool, choose), Value::Bits(0));
}
