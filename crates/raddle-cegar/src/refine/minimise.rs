//! Smaller contradictions: statements are left out one by one as long as the rest still contradicts itself. Small cores give few predicates
//! that are about the reason.

use crate::model::Model;
use crate::model::statements::Statement;
use crate::refine::path::Path;
use raddle_ir::ExprId;
use raddle_smt::{Answer, Effort, Solver};

/// Questions about one core, and conflicts for each.
const MOST_QUESTIONS: u32 = 60;
const MOST_CONFLICTS: u32 = 1_000;

/// A part of a core that is a core.
pub fn minimise(model: &mut Model, path: &Path, core: &[usize]) -> Vec<usize> {
    let always = path.initially(model);
    let mut kept: Vec<(usize, ExprId)> = path.formulas(model, core);
    let mut solver = model.solvers.within(Effort { conflicts: Some(MOST_CONFLICTS), time: None });
    // Conditions at the beginning of the path are best left out, then later ones, then assignments: what is left is near the end.
    let is_assume = |i: usize| matches!(path.statements[i].statement, Statement::Assume(_));
    let mut order: Vec<usize> = kept.iter().map(|(i, _)| *i).filter(|i| is_assume(*i)).collect();
    order.extend(kept.iter().map(|(i, _)| *i).filter(|i| !is_assume(*i)));
    for without in order.into_iter().take(MOST_QUESTIONS as usize) {
        if !kept.iter().any(|(i, _)| *i == without) {
            continue;
        }
        let mut formulas = always.clone();
        formulas.extend(kept.iter().filter(|(i, _)| *i != without).map(|(_, formula)| *formula));
        if let Ok(Answer::Unsat) = solver.check(&model.pool, &formulas)
            && let Ok(failed) = solver.failed()
        {
            kept.retain(|(i, formula)| *i != without && failed.contains(formula));
        }
    }
    if kept.is_empty() {
        return core.to_vec();
    }
    let mut result: Vec<usize> = kept.into_iter().map(|(i, _)| i).collect();
    result.extend(core.iter().copied().filter(|i| path.is_store(model, *i)));
    result.sort_unstable();
    result
}
