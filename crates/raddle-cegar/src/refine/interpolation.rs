//! Refinement by interpolants (thesis 1, section 2.3.3): formulas over the variables that are shared by what was done before a node and what is
//! done after it. The path, in single-assignment form and reduced to its core, gives one part for each action; a version of a
//! variable that both sides of a node mention is its value at that node.
//!
//! Interpolants are computed in bit-vectors, or in integers and lifted back to bit-vectors (`raddle-smt`, `integers.rs`); either way they are ones of
//! the path as it is.

use crate::config::{Arithmetic, CegarConfig, Refiner};
use crate::model::Model;
use crate::refine::path::Path;
use crate::refine::{Labels, facts};
use raddle_engine::{Code, Reason};
use raddle_ir::{ExprId, Sort};
use raddle_smt::{Answer, Effort, Interpolation, Interpolator, Solver, SolverError};
use std::time::Duration;

/// What one question for interpolants may take.
const BUDGET: Effort = Effort { conflicts: Some(100_000), time: Some(Duration::from_secs(5)) };

/// The same where something else can be asked.
const SHORT: Effort = Effort { conflicts: Some(10_000), time: Some(Duration::from_secs(1)) };

/// The parts of a path, and the node before each: the beginning is before the first.
struct Parts {
    formulas: Vec<ExprId>,
    /// The node that follows a part.
    after: Vec<u32>,
}

/// Interpolants by node; `None` if there are none to be had (arrays, or the solver gave up).
pub fn labels(
    model: &mut Model,
    config: &CegarConfig,
    path: &Path,
    core: &[usize],
    refiner: Refiner,
) -> Result<Option<Labels>, Reason> {
    let parts = parts(model, path, core);
    let in_bits_only = config.arithmetic == Arithmetic::Bitvector;
    if parts.formulas.len() < 2 || in_bits_only && has_arrays(model, &parts.formulas) {
        return Ok(None);
    }
    let (at, formulas) = match refiner {
        Refiner::FwBinItp => match first_contradiction(model, &parts.formulas) {
            Some(last) if last > 0 => (vec![parts.after[last - 1]], halves(model, &parts.formulas[..=last], last)),
            _ => return Ok(None),
        },
        Refiner::BwBinItp => match last_contradiction(model, &parts.formulas) {
            Some(first) if first + 1 < parts.formulas.len() => {
                (vec![parts.after[first]], halves(model, &parts.formulas[first..], 1))
            }
            _ => return Ok(None),
        },
        // The graph is given one counterexample at a time: several sequences are several refinements.
        _ => (parts.after[..parts.after.len() - 1].to_vec(), parts.formulas.clone()),
    };
    let interpolants = match config.arithmetic {
        Arithmetic::Bitvector => in_bits(model, &formulas),
        Arithmetic::Integer => in_integers(model, config, &formulas, BUDGET)?,
        Arithmetic::Efficient => match in_integers(model, config, &formulas, SHORT) {
            Ok(Some(interpolants)) => Some(interpolants),
            _ => in_bits(model, &formulas),
        },
    };
    let Some(interpolants) = interpolants else { return Ok(None) };
    let mut labels: Labels = vec![Vec::new(); path.length as usize + 1];
    for (i, interpolant) in interpolants.into_iter().enumerate() {
        let over_vars = Path::unversioned(model, interpolant);
        // It holds as long as nothing of the core is done.
        let until = match refiner {
            Refiner::FwBinItp | Refiner::BwBinItp => at[i] + 1,
            _ => parts.after[i + 1],
        };
        for node in at[i]..until {
            facts::add(&mut model.pool, &mut labels[node as usize], over_vars);
        }
    }
    Ok(Some(labels))
}

fn in_bits(model: &mut Model, formulas: &[ExprId]) -> Option<Vec<ExprId>> {
    if has_arrays(model, formulas) {
        return None;
    }
    match model.solvers.interpolator(BUDGET).interpolate(&mut model.pool, formulas) {
        Ok(Interpolation::Interpolants(interpolants)) => Some(interpolants),
        _ => None,
    }
}

fn in_integers(
    model: &mut Model,
    config: &CegarConfig,
    formulas: &[ExprId],
    budget: Effort,
) -> Result<Option<Vec<ExprId>>, Reason> {
    let Some(found) = &config.integer_solver else {
        return Err(Reason::new(Code::Unsupported, "no solver that interpolates over integers was found"));
    };
    match model.solvers.integer_interpolator(found, budget).interpolate(&mut model.pool, formulas) {
        Ok(Interpolation::Interpolants(interpolants)) => Ok(Some(interpolants)),
        Ok(Interpolation::Sat | Interpolation::Unknown(_)) => Ok(None),
        Err(SolverError::Unsupported(what)) => {
            Err(Reason::new(Code::Unsupported, format!("a path cannot be expressed in integer arithmetic: {what}")))
        }
        Err(error) => Err(Reason::new(Code::Solver, error.to_string())),
    }
}

fn parts(model: &mut Model, path: &Path, core: &[usize]) -> Parts {
    let mut parts = Parts { formulas: Vec::new(), after: Vec::new() };
    let initially = path.initially(model);
    parts.formulas.push(facts::all(&mut model.pool, &initially));
    parts.after.push(0);
    for (i, formula) in path.formulas(model, core) {
        let after = path.statements[i].action + 1;
        match parts.after.last() {
            Some(last) if *last == after => {
                let end = parts.formulas.len() - 1;
                parts.formulas[end] = model.pool.and(parts.formulas[end], formula);
            }
            _ => {
                parts.formulas.push(formula);
                parts.after.push(after);
            }
        }
    }
    parts
}

/// Two parts of many, cut before the given one.
fn halves(model: &mut Model, formulas: &[ExprId], cut: usize) -> Vec<ExprId> {
    let (before, after) = formulas.split_at(cut);
    vec![facts::all(&mut model.pool, before), facts::all(&mut model.pool, after)]
}

/// The last part of the shortest prefix that contradicts itself.
fn first_contradiction(model: &Model, formulas: &[ExprId]) -> Option<usize> {
    let mut solver = model.solvers.within(BUDGET);
    (0..formulas.len()).find(|last| matches!(solver.check(&model.pool, &formulas[..=*last]), Ok(Answer::Unsat)))
}

/// The first part of the shortest suffix that contradicts itself.
fn last_contradiction(model: &Model, formulas: &[ExprId]) -> Option<usize> {
    let mut solver = model.solvers.within(BUDGET);
    (0..formulas.len()).rev().find(|first| matches!(solver.check(&model.pool, &formulas[*first..]), Ok(Answer::Unsat)))
}

fn has_arrays(model: &Model, formulas: &[ExprId]) -> bool {
    let mut found = false;
    model.pool.for_each_node(formulas, |id, _| found |= matches!(model.pool.sort(id), Sort::Array { .. }));
    found
}
