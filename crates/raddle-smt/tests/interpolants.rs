//! Interpolants against the solver: what A says implies them, B contradicts them, and they mention only what both sides mention.
//!
//! `RADDLE_CASES=1000 cargo test --release -p raddle-smt --test interpolants` runs as many pairs as one likes (and three sequences for ten
//! pairs), `RADDLE_SEED` chooses others.

mod contradictions;
mod random;

use contradictions::{SHAPES, parts, path};
use raddle_ir::{BinOp, ExprId, ExprPool, Sort, VarId};
use raddle_smt::{
    Answer, Effort, Interpolation, InterpolationOptions, Interpolator, NativeInterpolator, NativeSolver, Solver,
    SolverError, System, Why,
};
use random::{Formulas, Random};
use std::collections::BTreeSet;

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn satisfiable(pool: &ExprPool, formulas: &[ExprId]) -> bool {
    match NativeSolver::new().check(pool, formulas).unwrap() {
        Answer::Sat => true,
        Answer::Unsat => false,
        Answer::Unknown(why) => panic!("{why:?}"),
    }
}

fn vars(pool: &ExprPool, formulas: &[ExprId]) -> BTreeSet<VarId> {
    formulas.iter().flat_map(|&formula| pool.vars(formula)).collect()
}

/// Checks all that makes a sequence of interpolants one.
fn check(pool: &mut ExprPool, parts: &[ExprId], interpolants: &[ExprId], about: &str) {
    assert_eq!(interpolants.len() + 1, parts.len(), "{about}");
    for (i, &interpolant) in interpolants.iter().enumerate() {
        let (before, after) = (vars(pool, &parts[..=i]), vars(pool, &parts[i + 1..]));
        for var in pool.vars(interpolant) {
            assert!(before.contains(&var) && after.contains(&var), "{about}: {var:?} is not shared at cut {i}");
        }
    }
    for (i, &part) in parts.iter().enumerate() {
        let mut formulas = vec![part];
        formulas.extend(i.checked_sub(1).map(|before| interpolants[before]));
        formulas.extend(interpolants.get(i).map(|&after| pool.not(after)));
        assert!(!satisfiable(pool, &formulas), "{about}: step {i} does not hold");
    }
}

/// Interpolates by both systems, with and without lifting, and with both sets of options, and checks. Is there an interpolant that is no
/// constant?
fn check_all(pool: &mut ExprPool, parts: &[ExprId], about: &str) -> bool {
    let mut says_something = false;
    for system in [System::McMillan, System::Pudlak] {
        for (lift, plain) in [(true, false), (false, false), (false, true)] {
            let options = InterpolationOptions { system, lift, plain };
            let mut interpolator = NativeInterpolator::with(options);
            let about = format!("{about}, {options:?}");
            match interpolator.interpolate(pool, parts) {
                Ok(Interpolation::Interpolants(interpolants)) => {
                    check(pool, parts, &interpolants, &about);
                    says_something |= interpolants.iter().any(|&interpolant| pool.as_const(interpolant).is_none());
                }
                other => panic!("{about}: {other:?}"),
            }
            assert!(!interpolator.figures().retried, "{about}");
        }
    }
    says_something
}

/// Makes as many cases as wanted and checks them all. Random formulas that do not contradict each other are no cases.
fn cases(name: &str, wanted: u64, mut make: impl FnMut(&mut Formulas) -> Option<Vec<ExprId>>) {
    let first = from_environment("RADDLE_SEED", 1) << 32;
    let (mut found, mut says_something, mut seed) = (0, 0, first);
    while found < wanted {
        let (shape_name, shape) = SHAPES[(seed % 4) as usize];
        let mut random = Random(seed);
        let mut formulas = Formulas::new(&mut random, shape);
        if let Some(parts) = make(&mut formulas) {
            found += 1;
            let about = format!("{name}, {shape_name}, seed {seed}");
            says_something += u64::from(check_all(&mut formulas.pool, &parts, &about));
        }
        seed += 1;
        assert!(seed - first < 100 * wanted + 100, "too few of the random formulas contradict each other");
    }
    println!("{name}: {found} cases of {} tries, {says_something} whose interpolants are no constants", seed - first);
    assert!(says_something > found / 3, "most of the cases test nothing");
}

#[test]
fn random_pairs() {
    cases("pairs", from_environment("RADDLE_CASES", 150), |formulas| parts(formulas, 2));
}

#[test]
fn random_sequences() {
    cases("sequences", from_environment("RADDLE_CASES", 100) * 3 / 20, |formulas| {
        let count = 3 + formulas.random.below(4);
        parts(formulas, count)
    });
}

#[test]
fn random_paths() {
    cases("paths", from_environment("RADDLE_CASES", 100) * 3 / 20, |formulas| {
        let steps = 1 + formulas.random.below(4);
        path(formulas, steps)
    });
}

// Examples to read.

struct Example {
    pool: ExprPool,
}

impl Example {
    fn new() -> Self {
        Example { pool: ExprPool::new() }
    }

    fn word(&mut self, number: u32) -> ExprId {
        self.pool.var(VarId(number), Sort::Bits(32))
    }

    fn number(&mut self, value: u128) -> ExprId {
        self.pool.bits(32, value)
    }

    fn is(&mut self, a: ExprId, value: u128) -> ExprId {
        let value = self.number(value);
        self.pool.eq(a, value)
    }

    fn interpolants(&mut self, parts: &[ExprId]) -> Vec<ExprId> {
        match NativeInterpolator::new().interpolate(&mut self.pool, parts) {
            Ok(Interpolation::Interpolants(interpolants)) => interpolants,
            other => panic!("{other:?}"),
        }
    }

    fn size(&self, expr: ExprId) -> usize {
        let mut nodes = 0;
        self.pool.for_each_node(&[expr], |_, _| nodes += 1);
        nodes
    }
}

#[test]
fn a_value_and_a_bound() {
    let mut e = Example::new();
    let (x, y, ten) = (e.word(0), e.word(1), e.number(10));
    let three = e.is(y, 3);
    let same = e.pool.eq(x, y);
    let a = e.pool.and(three, same);
    let b = e.pool.binary(BinOp::SLt, ten, x);
    let interpolants = e.interpolants(&[a, b]);
    check(&mut e.pool, &[a, b], &interpolants, "x = 3 and x > 10");
    assert!(e.size(interpolants[0]) <= 4, "{}", e.size(interpolants[0]));
}

#[test]
fn a_loop_that_counts() {
    let mut e = Example::new();
    let (x0, x1, x2, one) = (e.word(0), e.word(1), e.word(2), e.number(1));
    let (y1, y2) = (e.pool.binary(BinOp::BvAdd, x0, one), e.pool.binary(BinOp::BvAdd, x1, one));
    let parts = [e.is(x0, 0), e.pool.eq(x1, y1), e.pool.eq(x2, y2), e.is(x2, 5)];
    let interpolants = e.interpolants(&parts);
    check(&mut e.pool, &parts, &interpolants, "counting to five");
    for interpolant in interpolants {
        assert!(e.size(interpolant) <= 5);
    }
}

#[test]
fn satisfiable_parts_and_few_parts() {
    let mut e = Example::new();
    let x = e.word(0);
    let (one, two) = (e.is(x, 1), e.is(x, 2));
    let mut interpolator = NativeInterpolator::new();
    assert_eq!(interpolator.interpolate(&mut e.pool, &[one, one]), Ok(Interpolation::Sat));
    assert_eq!(interpolator.interpolate(&mut e.pool, &[]), Ok(Interpolation::Sat));
    let both = e.pool.and(one, two);
    assert_eq!(interpolator.interpolate(&mut e.pool, &[both]), Ok(Interpolation::Interpolants(Vec::new())));
}

#[test]
fn shared_arrays_are_an_error() {
    let mut e = Example::new();
    let array = e.pool.var(VarId(7), Sort::Array { index: 8, element: 32 });
    let place = e.pool.bits(8, 3);
    let read = e.pool.select(array, place);
    let (one, two) = (e.is(read, 1), e.is(read, 2));
    let answer = NativeInterpolator::new().interpolate(&mut e.pool, &[one, two]);
    assert!(matches!(answer, Err(SolverError::Unsupported(_))), "{answer:?}");
}

/// Arithmetic with a longer proof than random formulas have.
#[test]
fn a_longer_proof() {
    let mut pool = ExprPool::new();
    let [x, y, z, left, right] = [0, 1, 2, 3, 4].map(|number| pool.var(VarId(number), Sort::Bits(4)));
    let sum = pool.binary(BinOp::BvAdd, y, z);
    let product = pool.binary(BinOp::BvMul, x, sum);
    let (xy, xz) = (pool.binary(BinOp::BvMul, x, y), pool.binary(BinOp::BvMul, x, z));
    let sum = pool.binary(BinOp::BvAdd, xy, xz);
    let parts = [pool.eq(left, product), pool.eq(right, sum), pool.ne(left, right)];
    check_all(&mut pool, &parts, "x · (y + z) = x · y + x · z");
}

/// `x · (y + z)` is `x · y + x · z`, which takes long to prove.
fn hard(e: &mut Example) -> [ExprId; 2] {
    let (x, y, z, result) = (e.word(0), e.word(1), e.word(2), e.word(3));
    let sum = e.pool.binary(BinOp::BvAdd, y, z);
    let left = e.pool.binary(BinOp::BvMul, x, sum);
    let (xy, xz) = (e.pool.binary(BinOp::BvMul, x, y), e.pool.binary(BinOp::BvMul, x, z));
    let right = e.pool.binary(BinOp::BvAdd, xy, xz);
    [e.pool.eq(result, left), e.pool.ne(result, right)]
}

#[test]
fn budgets_and_interrupts() {
    let mut e = Example::new();
    let parts = hard(&mut e);
    let mut interpolator = NativeInterpolator::new();
    interpolator.set_effort(Effort { conflicts: Some(10), time: None });
    assert_eq!(interpolator.interpolate(&mut e.pool, &parts), Ok(Interpolation::Unknown(Why::Conflicts)));
    interpolator.set_effort(Effort { conflicts: None, time: Some(std::time::Duration::from_millis(30)) });
    assert_eq!(interpolator.interpolate(&mut e.pool, &parts), Ok(Interpolation::Unknown(Why::Time)));
    interpolator.set_effort(Effort::default());
    let interrupt = interpolator.interrupt();
    interrupt.stop();
    assert_eq!(interpolator.interpolate(&mut e.pool, &parts), Ok(Interpolation::Unknown(Why::Interrupted)));
}

/// Without the rules of arrays the first part has models, with them it has none: what "holds" in all of them says nothing then.
#[test]
fn a_part_that_only_arrays_contradict() {
    for value in [0u128, 3, 200] {
        let mut owned = ExprPool::new();
        let pool = &mut owned;
        let [x, w, u, i, j] = [0, 1, 2, 3, 4].map(|n| pool.var(VarId(n), Sort::Bits(8)));
        let a = pool.var(VarId(5), Sort::Array { index: 8, element: 8 });
        let (c, d, mask) = (pool.bits(8, value), pool.bits(8, value ^ 77), pool.bits(8, 0x5a));
        // w is one of two numbers, x = w, and a[i] ≠ a[j] although i = j.
        let (is_c, is_d, same) = (pool.eq(w, c), pool.eq(w, d), pool.eq(x, w));
        let (p, q) = (pool.select(a, i), pool.select(a, j));
        let (up, down) = (pool.binary(BinOp::ULe, i, j), pool.binary(BinOp::ULe, j, i));
        let one =
            [pool.ne(p, q), up, down, same].into_iter().fold(pool.or(is_c, is_d), |all, next| pool.and(all, next));
        // u is x with some bits flipped, and is none of the two.
        let hidden = pool.binary(BinOp::BvXor, x, mask);
        let (c, d) = (pool.binary(BinOp::BvXor, c, mask), pool.binary(BinOp::BvXor, d, mask));
        let two = [pool.ne(u, c), pool.ne(u, d)].into_iter().fold(pool.eq(u, hidden), |all, next| pool.and(all, next));
        check_all(pool, &[one, two], "a part that only arrays contradict");
    }
}
