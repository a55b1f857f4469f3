//! Random formulas in several parts that contradict each other.

#![allow(dead_code)]

use crate::random::{Formulas, Random, Shape};
use raddle_ir::{BinOp, Const, ExprId, ExprPool, FloatSort, Sort, UnOp, VarId};
use raddle_smt::{Answer, Effort, NativeSolver, Solver};

/// Can the formulas all be true? Nothing if that is too hard for a test.
fn easily_satisfiable(pool: &ExprPool, formulas: &[ExprId]) -> Option<bool> {
    let mut solver = NativeSolver::new();
    solver.set_effort(Effort { conflicts: Some(1000), time: None });
    match solver.check(pool, formulas).unwrap() {
        Answer::Sat => Some(true),
        Answer::Unsat => Some(false),
        Answer::Unknown(_) => None,
    }
}

/// The formula with other variables: `instance` chooses which copy of each.
fn rename(formulas: &mut Formulas, formula: ExprId, mut instance: impl FnMut(VarId, Sort) -> u32) -> ExprId {
    let copies: Vec<(VarId, ExprId)> = formulas
        .variables
        .clone()
        .into_iter()
        .map(|(var, sort)| (var, formulas.pool.var(VarId(var.0 + 1000 * instance(var, sort)), sort)))
        .collect();
    formulas.pool.substitute(formula, &mut |var| copies.iter().find(|(known, _)| *known == var).map(|(_, copy)| *copy))
}

/// Parts that contradict each other but for the last one do not; neighbours share variables, and all share some.
pub fn parts(formulas: &mut Formulas, count: usize) -> Option<Vec<ExprId>> {
    let mut seeds: Vec<u64> = Vec::new();
    let shared_by_all = formulas.random.next();
    let mut parts: Vec<ExprId> = vec![formulas.pool.bool(true); count];
    seeds.resize_with(count, || formulas.random.next());
    for step in 0..20 + 8 * count {
        let part = step % count;
        let formula = formulas.formula();
        // The same choice for all formulas of a part.
        let mut choice = Random(seeds[part]);
        let formula = rename(formulas, formula, |var, sort| match choice.below(3) {
            // Arrays belong to one part.
            _ if sort.bits().is_none() => 2000 + part as u32,
            _ if shared_by_all >> var.0 & 1 != 0 => 0,
            0 => 1000 + part as u32,
            // Shared with the part before or behind.
            1 => 1 + part as u32,
            _ => 2 + part as u32,
        });
        let longer = formulas.pool.and(parts[part], formula);
        let before = std::mem::replace(&mut parts[part], longer);
        if !easily_satisfiable(&formulas.pool, &[longer])? {
            // A contradiction in one part is boring, but must work as well.
            if formulas.random.one_in(20) && step > count {
                return Some(parts);
            }
            parts[part] = before;
        } else if !easily_satisfiable(&formulas.pool, &parts)? {
            return Some(parts);
        }
    }
    None
}

/// What a variable may become in a step.
fn new_value(formulas: &mut Formulas, var: VarId, sort: Sort) -> ExprId {
    let (old, condition) = (formulas.pool.var(var, sort), formulas.formula());
    match sort {
        Sort::Bool => condition,
        Sort::Bits(width) => {
            let op = formulas.random.pick(&[BinOp::BvAdd, BinOp::BvSub, BinOp::BvXor, BinOp::BvMul, BinOp::Shl]);
            let number = formulas.random.bits(width);
            let number = formulas.pool.bits(width, number);
            let new = formulas.pool.binary(op, old, number);
            formulas.pool.ite(condition, old, new)
        }
        _ => {
            let new = formulas.pool.unary(UnOp::FNeg, old);
            formulas.pool.ite(condition, old, new)
        }
    }
}

/// A path of assignments `x' = f(x)`, with a condition before and a contradicting one behind.
pub fn path(formulas: &mut Formulas, steps: usize) -> Option<Vec<ExprId>> {
    let mut first = formulas.formula();
    if formulas.random.one_in(2) {
        // A state: then what holds behind the path is certain, but for arrays.
        first = formulas.pool.bool(true);
        for (var, sort) in formulas.variables.clone() {
            let Some(width) = sort.bits() else { continue };
            let bits = formulas.random.bits(width);
            let (var, value) = (formulas.pool.var(var, sort), formulas.pool.constant(Const { sort, bits }));
            let is = formulas.pool.eq(var, value);
            first = formulas.pool.and(first, is);
        }
    }
    let last = formulas.formula();
    // Arrays belong to one part.
    let copy = |formulas: &mut Formulas, formula, part: u32, step: u32| {
        rename(formulas, formula, |_, sort| if sort.bits().is_none() { 1000 + part } else { step })
    };
    let mut path = vec![copy(formulas, first, 0, 0)];
    for step in 0..steps as u32 {
        let mut moves = formulas.pool.bool(true);
        for (var, sort) in formulas.variables.clone() {
            if sort.bits().is_none() {
                continue;
            }
            let value = new_value(formulas, var, sort);
            let value = copy(formulas, value, step + 1, step);
            let next = formulas.pool.var(VarId(var.0 + 1000 * (step + 1)), sort);
            let assigned = formulas.pool.eq(next, value);
            moves = formulas.pool.and(moves, assigned);
        }
        path.push(moves);
    }
    let last = copy(formulas, last, steps as u32 + 1, steps as u32);
    let negated = formulas.pool.not(last);
    [last, negated].into_iter().find_map(|last| {
        let possible = |formula| easily_satisfiable(&formulas.pool, &[formula]) == Some(true);
        if !possible(path[0]) || !possible(last) {
            return None;
        }
        let mut path = path.clone();
        path.push(last);
        (easily_satisfiable(&formulas.pool, &path) == Some(false)).then_some(path)
    })
}

const NARROW: Shape =
    Shape { variable_bits: 30, widths: &[1, 2, 3, 4, 5, 8], floats: &[], array: None, operations: 10, easy: false };

pub const SHAPES: [(&str, Shape); 4] = [
    ("narrow", NARROW),
    ("wide", Shape { variable_bits: 300, widths: &[1, 8, 16, 32, 33, 64, 128], easy: true, ..NARROW }),
    (
        "floats",
        Shape {
            variable_bits: 60,
            widths: &[1, 8, 16],
            floats: &[FloatSort { exponent: 5, significand: 11 }],
            easy: true,
            ..NARROW
        },
    ),
    ("arrays", Shape { array: Some((2, 3)), widths: &[2, 3], ..NARROW }),
];
