//! Newton-style refinement (Dietsch, Heizmann, Musa, Nutz, Podelski: Craig vs. Newton in Software Model Checking, 2017): the path is
//! generalised by its unsatisfiable core (conditions outside become true, assignments outside forget their variable), and strongest
//! postconditions or weakest preconditions along what is left say what must be tracked.
//!
//! No quantifier appears: a variable that is forgotten is eliminated from the facts as far as that is easy (`facts::eliminate`), and
//! facts that are left are dropped. The labels are then weaker than the exact ones; what they miss, interpolants find.

use crate::model::statements::Statement;
use crate::model::{Model, as_var};
use crate::refine::path::Path;
use crate::refine::{Labels, facts};
use raddle_ir::{BinOp, Expr, ExprId, VarId};
use raddle_smt::{Answer, Effort, NativeSolver, Solver};
use rustc_hash::FxHashSet;

/// Conflicts for the question whether facts contradict each other.
const MOST_CONFLICTS: u32 = 500;

/// A label of more facts than this is cut: the path is longer than its reason.
const MOST_FACTS: usize = 200;

/// Backwards: what must hold at each node so that the generalised rest of the path can be taken (the negation of the weakest precondition
/// of `false`). Nodes before the contradiction have no facts.
pub fn preconditions(model: &mut Model, path: &Path, core: &[usize]) -> Labels {
    let mut labels: Labels = vec![Vec::new(); path.length as usize + 1];
    let mut needed: Vec<ExprId> = Vec::new();
    let mut contradiction = Contradiction::default();
    let mut at = path.statements.len();
    for action in (0..path.length).rev() {
        let mut is_new = false;
        while at > 0 && path.statements[at - 1].action == action {
            at -= 1;
            let is_used = core.binary_search(&at).is_ok();
            match path.statements[at].statement {
                Statement::Assume(cond) if is_used => {
                    facts::add(&mut model.pool, &mut needed, cond);
                    is_new = true;
                }
                Statement::Assume(_) => {}
                Statement::Assign { var, value } if is_used => {
                    needed = facts::substitute(&mut model.pool, &needed, var, value);
                    is_new = true;
                }
                Statement::Assign { var, .. } | Statement::Havoc { var, .. } => {
                    if is_new && contradiction.is_in(model, &needed) {
                        return labels;
                    }
                    needed = facts::eliminate(&mut model.pool, &needed, var);
                }
            }
        }
        if is_new && contradiction.is_in(model, &needed) {
            return labels;
        }
        needed.truncate(MOST_FACTS);
        labels[action as usize].clone_from(&needed);
    }
    labels
}

/// Forwards: what holds at each node after the generalised prefix. Nodes after the contradiction have no facts.
pub fn postconditions(model: &mut Model, path: &Path, core: &[usize], live_variables: bool) -> Labels {
    let mut labels: Labels = vec![Vec::new(); path.length as usize + 1];
    let mut holds: Vec<ExprId> = path.initial_memory(model);
    for (var, value) in path.initial_values(model) {
        let var = model.pool.var(var, model.vars.sort(var));
        let equation = model.pool.eq(var, value);
        facts::add(&mut model.pool, &mut holds, equation);
    }
    let live = live(model, path, core);
    labels[0].clone_from(&holds);
    let mut contradiction = Contradiction::default();
    let mut at = 0;
    for action in 0..path.length {
        let mut is_new = false;
        while at < path.statements.len() && path.statements[at].action == action {
            let is_used = core.binary_search(&at).is_ok();
            match path.statements[at].statement {
                Statement::Assume(cond) if is_used => {
                    facts::add(&mut model.pool, &mut holds, cond);
                    is_new = true;
                }
                Statement::Assume(_) => {}
                Statement::Assign { var, value } if is_used => holds = assigned(model, &holds, var, value),
                Statement::Assign { var, .. } | Statement::Havoc { var, .. } => {
                    holds = facts::eliminate(&mut model.pool, &holds, var);
                }
            }
            at += 1;
        }
        if is_new && contradiction.is_in(model, &holds) {
            return labels;
        }
        holds.truncate(MOST_FACTS);
        if live_variables {
            let dead: FxHashSet<VarId> = holds
                .iter()
                .flat_map(|fact| model.pool.vars(*fact))
                .filter(|var| !live[action as usize + 1].contains(var))
                .collect();
            let mut dead: Vec<VarId> = dead.into_iter().collect();
            dead.sort_unstable();
            for var in dead {
                holds = facts::eliminate(&mut model.pool, &holds, var);
            }
        }
        labels[action as usize + 1].clone_from(&holds);
    }
    labels
}

/// The facts after an assignment.
fn assigned(model: &mut Model, holds: &[ExprId], var: VarId, value: ExprId) -> Vec<ExprId> {
    let pool = &mut model.pool;
    let here = pool.var(var, model.vars.sort(var));
    if !pool.vars(value).contains(&var) {
        let mut result = facts::eliminate(pool, holds, var);
        let equation = pool.eq(here, value);
        facts::add(pool, &mut result, equation);
        return result;
    }
    // `x := x + e` can be undone: the old value is `x - e`.
    if let Expr::Binary(op @ (BinOp::BvAdd | BinOp::BvSub), a, b) = pool.get(value)
        && as_var(pool, a) == Some(var)
        && !pool.vars(b).contains(&var)
    {
        let undo = if op == BinOp::BvAdd { BinOp::BvSub } else { BinOp::BvAdd };
        let old = pool.binary(undo, here, b);
        return facts::substitute(pool, holds, var, old);
    }
    // The old value may be known in terms of others.
    let old = holds.iter().find_map(|fact| facts::value_of(pool, *fact, var));
    let mut result = facts::eliminate(pool, holds, var);
    if let Some(old) = old {
        let value = pool.substitute(value, &mut |v| (v == var).then_some(old));
        let equation = pool.eq(here, value);
        facts::add(pool, &mut result, equation);
    }
    result
}

/// For each node: the variables that the rest of the generalised path reads before it writes them.
fn live(model: &Model, path: &Path, core: &[usize]) -> Vec<FxHashSet<VarId>> {
    let mut result = vec![FxHashSet::default(); path.length as usize + 1];
    let mut live: FxHashSet<VarId> = FxHashSet::default();
    let mut at = path.statements.len();
    for action in (0..path.length).rev() {
        while at > 0 && path.statements[at - 1].action == action {
            at -= 1;
            let statement = path.statements[at].statement;
            if let Some(var) = statement.written() {
                live.remove(&var);
            }
            if core.binary_search(&at).is_ok() {
                live.extend(statement.read(&model.pool));
            }
        }
        result[action as usize].clone_from(&live);
    }
    result
}

/// Asks one solver after the other about sets of facts that have much in common.
#[derive(Default)]
struct Contradiction {
    solver: Option<NativeSolver>,
}

impl Contradiction {
    fn is_in(&mut self, model: &Model, facts: &[ExprId]) -> bool {
        if facts.iter().any(|fact| model.pool.is_bool(*fact, false)) {
            return true;
        }
        let budget = Effort { conflicts: Some(MOST_CONFLICTS), time: None };
        let solver = self.solver.get_or_insert_with(|| model.solvers.within(budget));
        matches!(solver.check(&model.pool, facts), Ok(Answer::Unsat))
    }
}
