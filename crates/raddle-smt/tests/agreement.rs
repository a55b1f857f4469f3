//! The native solver against the evaluator: every model satisfies its formulas, and where there is none, trying all values finds none
//! either (or another solver agrees, when one is installed).
//!
//! `RADDLE_CASES=20000 cargo test --release -p raddle-smt --test agreement` runs as many cases as one likes, `RADDLE_SEED` chooses others.

mod random;

use raddle_ir::{ArrayValue, ExprId, FloatSort, Sort, Value, eval};
use raddle_smt::{Answer, NativeSolver, Solver};
use random::{Formulas, Random, Shape};
use std::convert::Infallible;
use std::sync::Arc;

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

/// A few formulas with levels and assumptions. Returns how many checks were unsatisfiable.
fn run(seed: u64, shape: Shape, all_values: bool) -> u32 {
    let mut random = Random(seed);
    let mut formulas = Formulas::new(&mut random, shape);
    let mut solver = NativeSolver::new();
    let mut levels: Vec<Vec<ExprId>> = vec![Vec::new()];
    let mut unsatisfiable = 0;
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
                unsatisfiable += 1;
                let failed = solver.failed().unwrap();
                assert!(failed.iter().all(|lit| assumptions.contains(lit)), "seed {seed}");
                let core: Vec<ExprId> = asserted.iter().chain(&failed).copied().collect();
                if all_values {
                    assert!(!exists(&formulas, &core), "seed {seed}: there is a model");
                }
            }
            Answer::Unknown(why) => panic!("seed {seed}: {why:?}"),
        }
    }
    unsatisfiable
}

fn runs(name: &str, share: u64, shape: Shape, all_values: bool) {
    let cases = from_environment("RADDLE_CASES", 500) * share / 100;
    let first = from_environment("RADDLE_SEED", 1) << 32;
    let unsatisfiable: u32 = (first..first + cases).map(|seed| run(seed, shape, all_values)).sum();
    println!("{name}: {cases} cases, {unsatisfiable} unsatisfiable checks");
    assert!(cases < 100 || unsatisfiable > 0, "no check was unsatisfiable: this tests nothing");
}

const SMALL: Shape =
    Shape { variable_bits: 12, widths: &[1, 2, 3, 4, 5, 8], floats: &[], array: None, operations: 12, easy: false };

#[test]
fn narrow() {
    runs("narrow", 60, SMALL, true);
}

#[test]
fn arrays() {
    let small = Shape { variable_bits: 0, array: Some((1, 2)), widths: &[1, 2], ..SMALL };
    runs("small arrays", 40, small, true);
    runs("arrays", 20, Shape { variable_bits: 10, array: Some((2, 3)), widths: &[2, 3], ..SMALL }, false);
    // Too many places to fill them one by one.
    runs(
        "large arrays",
        20,
        Shape { variable_bits: 100, array: Some((32, 8)), widths: &[8, 32], easy: true, ..SMALL },
        false,
    );
}

#[test]
fn wide() {
    let widths = &[1, 7, 8, 16, 31, 32, 33, 64, 65, 128];
    runs("wide", 20, Shape { variable_bits: 400, widths, easy: true, ..SMALL }, false);
}

#[test]
fn half_floats() {
    let half = FloatSort { exponent: 5, significand: 11 };
    let shape = Shape {
        variable_bits: 17,
        floats: &[const { FloatSort { exponent: 5, significand: 11 } }],
        widths: &[1, 16],
        ..SMALL
    };
    assert!(half.is_supported());
    runs("half floats", 10, shape, true);
}
