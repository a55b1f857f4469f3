//! The native solver against the evaluator: every model satisfies its formulas, and where there is none, trying all values finds none
//! either (or another solver agrees, when one is installed).
//!
//! `RADDLE_CASES=20000 cargo test --release -p raddle-smt --test agreement` runs as many cases as one likes, `RADDLE_SEED` chooses others.

mod random;

use raddle_ir::{ArrayValue, ExprId, ExprPool, FloatSort, Sort, Value, eval};
use raddle_smt::smtlib::{Patience, SmtLibSolver, find_solvers};
use raddle_smt::{Answer, Effort, NativeSolver, Solver, SolverError};
use random::{Formulas, Random, Shape};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Tries all values of the variables.
fn exists(formulas: &Formulas, roots: &[ExprId]) -> bool {
    let bits = |sort: Sort| match sort {
        Sort::Array { index, element } => u32::from(element) << index,
        other => u32::from(other.bits().unwrap_or(0)),
    };
    let total: u32 = formulas.variables.iter().map(|(_, sort)| bits(*sort)).sum();
    (0..1u128 << total).any(|all| {
        let mut env = |var| -> Result<Value, Infallible> {
            let mut low = 0;
            for &(other, sort) in &formulas.variables {
                if other != var {
                    low += bits(sort);
                    continue;
                }
                let value = all >> low;
                return Ok(match sort {
                    Sort::Array { index, element } => {
                        let mut array = ArrayValue::constant(0);
                        for i in 0..1u128 << index {
                            array.set(i, value >> (i * u128::from(element)) & eval::mask(element));
                        }
                        Value::Array(Arc::new(array))
                    }
                    other => Value::Bits(value & eval::mask(other.bits().unwrap_or(1))),
                });
            }
            Ok(Value::Bits(0))
        };
        roots.iter().all(|&root| match eval::eval(&formulas.pool, root, &mut env) {
            Ok(value) => value.bits() == 1,
        })
    })
}

/// Who confirms that there is no model?
enum Judge {
    /// All values of the variables are tried.
    AllValues,
    /// Another solver, if it is installed and answers in time.
    Other(Option<Box<SmtLibSolver>>),
}

#[derive(Default, Debug)]
struct Count {
    unsatisfiable: u32,
    /// Of these, those that somebody else confirmed.
    confirmed: u32,
    unknown: u32,
}

/// A few formulas with levels and assumptions.
fn run(seed: u64, shape: Shape, judge: &mut Judge, pool: ExprPool, first: u32, count: &mut Count) -> (ExprPool, u32) {
    let mut random = Random(seed);
    let mut formulas = Formulas::after(pool, first, &mut random, shape);
    let mut solver = NativeSolver::new();
    solver.set_effort(Effort { conflicts: Some(20_000), time: None });
    let mut levels: Vec<Vec<ExprId>> = vec![Vec::new()];
    for step in 0..4 {
        let choice = formulas.random.below(4);
        if choice == 0 {
            solver.push().unwrap();
            levels.push(Vec::new());
        } else if choice == 1 && levels.len() > 1 {
            solver.pop().unwrap();
            levels.pop();
        }
        let formula = formulas.formula();
        if formulas.random.one_in(3) || step == 0 {
            solver.assert(&formulas.pool, formula).unwrap();
            levels.last_mut().unwrap().push(formula);
        }
        let assumptions: Vec<ExprId> = (0..formulas.random.below(3)).map(|_| formulas.formula()).collect();
        let answer = solver.check(&formulas.pool, &assumptions).unwrap();
        let asserted: Vec<ExprId> = levels.iter().flatten().copied().collect();
        match answer {
            Answer::Sat => {
                for &formula in asserted.iter().chain(&assumptions) {
                    let value = solver.value(&formulas.pool, formula).unwrap();
                    assert_eq!(value, Value::Bits(1), "seed {seed}: the model is wrong");
                }
            }
            Answer::Unsat => {
                count.unsatisfiable += 1;
                let failed = solver.failed().unwrap();
                assert!(failed.iter().all(|lit| assumptions.contains(lit)), "seed {seed}");
                let core: Vec<ExprId> = asserted.iter().chain(&failed).copied().collect();
                match judge {
                    Judge::AllValues => {
                        assert!(!exists(&formulas, &core), "seed {seed}: there is a model");
                        count.confirmed += 1;
                    }
                    Judge::Other(Some(other)) => match other.check(&formulas.pool, &core) {
                        Ok(Answer::Unsat) => count.confirmed += 1,
                        Ok(Answer::Sat) => panic!("seed {seed}: another solver finds a model"),
                        // It gave up, or cannot do some operation.
                        Ok(Answer::Unknown(_)) | Err(SolverError::Unsupported(_)) => {}
                        Err(error) => panic!("seed {seed}: {error}"),
                    },
                    Judge::Other(None) => {}
                }
            }
            Answer::Unknown(_) => count.unknown += 1,
        }
    }
    let next = first + formulas.variables.len() as u32;
    (formulas.pool, next)
}

fn z3() -> Option<Box<SmtLibSolver>> {
    let found = find_solvers(&[]).into_iter().find(|solver| solver.dialect.name == "z3")?;
    let mut z3 = SmtLibSolver::new(found, Patience::default());
    z3.set_effort(Effort { conflicts: None, time: Some(Duration::from_millis(500)) });
    Some(Box::new(z3))
}

fn runs(name: &str, share: u64, shape: Shape, all_values: bool) {
    let cases = from_environment("RADDLE_CASES", 500) * share / 100;
    let first = from_environment("RADDLE_SEED", 1) << 32;
    let mut count = Count::default();
    // One process serves some cases, which then have to share a pool.
    for batch in (first..first + cases).step_by(50) {
        let mut judge = if all_values { Judge::AllValues } else { Judge::Other(z3()) };
        if batch == first && matches!(judge, Judge::Other(None)) {
            println!("{name}: z3 is not installed, so nobody confirms that there is no model");
        }
        let (mut pool, mut variable) = (ExprPool::new(), 0);
        for seed in batch..(batch + 50).min(first + cases) {
            (pool, variable) = run(seed, shape, &mut judge, pool, variable, &mut count);
        }
    }
    println!("{name}: {cases} cases, {count:?}");
    assert!(cases < 100 || count.unsatisfiable > 0, "no check was unsatisfiable: this tests nothing");
    assert!(!all_values || count.unknown == 0, "small formulas are easy");
}

const SMALL: Shape =
    Shape { variable_bits: 12, widths: &[1, 2, 3, 4, 5, 8], floats: &[], array: None, operations: 12, easy: false };
const WIDTHS: &[u8] = &[1, 7, 8, 16, 31, 32, 33, 64, 65, 128];
const HALF: FloatSort = FloatSort { exponent: 5, significand: 11 };

#[test]
fn narrow() {
    runs("narrow", 60, SMALL, true);
}

#[test]
fn arrays() {
    let small = Shape { variable_bits: 0, array: Some((1, 2)), widths: &[1, 2], ..SMALL };
    runs("small arrays", 20, small, true);
    runs("arrays", 10, Shape { variable_bits: 10, array: Some((2, 3)), widths: &[2, 3], ..SMALL }, false);
    // Too many places to fill them one by one.
    let large = Shape { variable_bits: 100, array: Some((32, 8)), widths: &[8, 32], easy: true, ..SMALL };
    runs("large arrays", 10, large, false);
}

#[test]
fn wide() {
    runs("wide", 20, Shape { variable_bits: 400, widths: WIDTHS, easy: true, ..SMALL }, false);
    runs("wide products", 10, Shape { variable_bits: 400, widths: WIDTHS, operations: 6, ..SMALL }, false);
}

#[test]
fn half_floats() {
    runs("half floats", 5, Shape { variable_bits: 17, floats: &[HALF], widths: &[1, 16], ..SMALL }, true);
}

#[test]
fn floats() {
    let floats = &[FloatSort::F32, FloatSort::F64, FloatSort::X87, HALF];
    let shape = Shape { variable_bits: 250, floats, widths: WIDTHS, operations: 8, easy: true, ..SMALL };
    runs("floats", 10, shape, false);
}
