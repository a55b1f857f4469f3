//! The simplifying constructors: they keep the meaning of every expression, and they do what lowering counts on.

use proptest::prelude::*;
use raddle_ir::{BinOp, Const, Expr, ExprId, ExprPool, FloatSort, Sort, UnOp, Value, VarId, eval};
use std::convert::Infallible;
use std::sync::Arc;

const SORTS: [Sort; 12] = [
    Sort::Bool,
    Sort::Bits(1),
    Sort::Bits(2),
    Sort::Bits(3),
    Sort::Bits(8),
    Sort::Bits(32),
    Sort::Bits(64),
    Sort::Bits(80),
    Sort::Bits(128),
    Sort::F32,
    Sort::X87,
    Sort::Array { index: 2, element: 3 },
];

/// Few and narrow sorts: the rules for nested operators meet more often.
const NARROW: [Sort; 4] = [Sort::Bool, Sort::Bits(2), Sort::Bits(3), Sort::Bits(8)];

const UNARY: [UnOp; 18] = {
    use UnOp::*;
    [
        Not, BvNot, BvNeg, FNeg, FAbs, FSqrt, FRint, FTrunc, FCeil, FFloor, FRound, FIsNan, FIsInf, FIsZero, FIsNormal,
        FIsSubnormal, FIsNegative, FToBits,
    ]
};

const BINARY: [BinOp; 34] = {
    use BinOp::*;
    [
        And, Or, Xor, Eq, BvAdd, BvSub, BvMul, BvUDiv, BvSDiv, BvURem, BvSRem, BvAnd, BvOr, BvXor, Shl, LShr, AShr, ULt,
        ULe, SLt, SLe, Concat, FAdd, FSub, FMul, FDiv, FRem, FEq, FLt, FLe, SAddOverflows, SSubOverflows, SMulOverflows,
        UMulOverflows,
    ]
};

/// Two pools that hold the same expressions, made raw and made by the constructors.
#[derive(Default)]
struct Twins {
    raw: ExprPool,
    simple: ExprPool,
    pairs: Vec<(ExprId, ExprId, Sort)>,
    sorts: &'static [Sort],
}

impl Twins {
    fn new(sorts: &'static [Sort]) -> Self {
        let mut twins = Twins { sorts, ..Twins::default() };
        for &sort in sorts {
            for _ in 0..3 {
                let var = VarId(twins.pairs.len() as u32);
                let pair = (twins.raw.var(var, sort), twins.simple.var(var, sort), sort);
                twins.pairs.push(pair);
            }
        }
        twins
    }

    /// An expression that is there already, of a sort that is wanted; recent ones are taken more often.
    fn pick(&self, wanted: impl Fn(Sort) -> bool, choice: u8) -> Option<(ExprId, ExprId)> {
        let fitting: Vec<_> = self.pairs.iter().filter(|(.., sort)| wanted(*sort)).collect();
        let last = fitting.len().checked_sub(1)?;
        let index = if choice < 128 { last.saturating_sub(usize::from(choice) % 4) } else { usize::from(choice) % (last + 1) };
        Some((fitting[index].0, fitting[index].1))
    }

    /// Adds an expression that four bytes and a number describe, if operands for it exist.
    fn grow(&mut self, [kind, detail, first, second]: [u8; 4], number: u128) -> Option<()> {
        let sort = self.sorts[usize::from(detail) % self.sorts.len()];
        let like = |id: ExprId, raw: &ExprPool| {
            let sort = raw.sort(id);
            move |other: Sort| other == sort
        };
        let any = self.pick(|_| true, first)?;
        let width = [1, 2, 3, 8, 32, 64, 80, 128][usize::from(detail) % 8];
        let to = [FloatSort::F32, FloatSort::F64, FloatSort::X87][usize::from(detail) % 3];
        let third = second.rotate_left(3) ^ first;
        let bits = self.pick(Sort::is_bits, first);
        let floats = self.pick(Sort::is_float, first);
        let arrays = self.pick(|sort| sort.bits().is_none(), first);
        let conversion = |arg: ExprId| -> Expr {
            match kind % 17 {
                8 => Expr::FToF { to, arg },
                9 => Expr::FToS { width, arg },
                10 => Expr::FToU { width, arg },
                11 => Expr::SToF { to, arg },
                12 => Expr::UToF { to, arg },
                13 => Expr::ZeroExt { width, arg },
                14 => Expr::SignExt { width, arg },
                _ => Expr::BitsToF { to, arg },
            }
        };
        let (raw, simple) = match kind % 17 {
            0 => {
                // Small constants and those at the ends, so that the rules for them get their turn.
                let number = if first < 200 { u128::from(second % 8).wrapping_sub(4) } else { number };
                let bits = number & eval::mask(sort.bits()?);
                let c = Const { sort, bits };
                (Expr::Const(c), self.simple.constant(c))
            }
            1 => {
                let op = UNARY[usize::from(detail) % UNARY.len()];
                let takes = |sort: Sort| match op {
                    UnOp::Not => sort == Sort::Bool,
                    UnOp::BvNot | UnOp::BvNeg => sort.is_bits(),
                    _ => sort.is_float(),
                };
                let (a, x) = self.pick(takes, first)?;
                (Expr::Unary(op, a), self.simple.unary(op, x))
            }
            2..=5 => {
                let op = BINARY[usize::from(detail) % BINARY.len()];
                let takes = |sort: Sort| match op {
                    BinOp::And | BinOp::Or | BinOp::Xor => sort == Sort::Bool,
                    BinOp::Eq => true,
                    op if format!("{op:?}").starts_with('F') => sort.is_float(),
                    _ => sort.is_bits(),
                };
                let (a, x) = self.pick(takes, first)?;
                let (b, y) = match op {
                    BinOp::Concat => self.pick(Sort::is_bits, second)?,
                    _ => self.pick(like(a, &self.raw), second)?,
                };
                self.raw.check(Expr::Binary(op, a, b)).ok()?;
                (Expr::Binary(op, a, b), self.simple.binary(op, x, y))
            }
            6 => {
                let (c, x) = self.pick(|sort| sort == Sort::Bool, third)?;
                let (a, y) = any;
                let (b, z) = self.pick(like(a, &self.raw), second)?;
                (Expr::Ite(c, a, b), self.simple.ite(x, y, z))
            }
            7 => {
                let (arg, x) = bits?;
                let n = self.raw.sort(arg).bits()?;
                let (p, q) = (detail % n, second % n);
                let (high, low) = (p.max(q), p.min(q));
                (Expr::Extract { high, low, arg }, self.simple.extract(high, low, x))
            }
            8..=10 => {
                let (a, x) = floats?;
                let expr = conversion(a);
                self.raw.check(expr).ok()?;
                let sort = self.raw.sort(a);
                (expr, self.simple.rebuild(expr.map_operands(|_| x), sort))
            }
            11..=15 => {
                let (a, x) = bits?;
                let expr = conversion(a);
                self.raw.check(expr).ok()?;
                let sort = self.raw.sort(a);
                (expr, self.simple.rebuild(expr.map_operands(|_| x), sort))
            }
            _ => {
                let (array, a) = arrays?;
                let (index, i) = self.pick(|sort| sort == Sort::Bits(2), second)?;
                let (value, v) = self.pick(|sort| sort == Sort::Bits(3), third)?;
                match detail % 3 {
                    0 => (Expr::Select(array, index), self.simple.select(a, i)),
                    1 => (Expr::Store(array, index, value), self.simple.store(a, i, v)),
                    _ => (Expr::ConstArray { index: 2, value }, self.simple.const_array(2, v)),
                }
            }
        };
        let sort = self.raw.check(raw).expect("the generator makes well-sorted expressions")?;
        let raw = self.raw.intern_raw(raw, sort);
        assert_eq!(self.simple.sort(simple), sort);
        self.pairs.push((raw, simple, sort));
        Some(())
    }
}

fn value_of(pool: &ExprPool, id: ExprId, sorts: &[Sort], inputs: &[u128]) -> Value {
    let mut env = |var: VarId| -> Result<Value, Infallible> {
        let input = inputs[var.index() % inputs.len()].rotate_left(var.0);
        let sort = sorts[var.index() / 3];
        Ok(match sort.bits() {
            Some(n) => {
                // Corner values of every sort come up often.
                let corners = [0, 1, 2, u128::MAX, 1 << (n - 1), (1 << (n - 1)) - 1];
                let chosen = if input % 3 == 0 { corners[(input >> 8) as usize % corners.len()] } else { input };
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
