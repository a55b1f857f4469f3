//! Explicit-value abstraction where evaluation does not decide (`--max-enum`; thesis 1, section 2.3.4): a solver says whether there is a way, and
//! which values the tracked variables can have then. If these are few, each of them is a state of its own.

use crate::domains::predicates::cube_literals;
use crate::domains::{Abstraction, Transition};
use crate::model::Model;
use raddle_ir::{Const, ExprId, Sort, VarId};
use rustc_hash::FxHashSet;

/// Conditions over the state after an action that tell its successors apart; `None` if there are too many, or nothing to tell apart.
pub fn assignments(abstraction: &mut Abstraction, transition: Transition) -> Option<Vec<Vec<ExprId>>> {
    let (action, known, most) = (transition.action, transition.known(), abstraction.config.max_enum as usize);
    let transformed = abstraction.queries.transformed(abstraction.model, known, transition.statements);
    let mut base: Vec<ExprId> = transformed.guards.clone();
    // Of several cubes any one may hold.
    if let [cube] = transition.cubes {
        base.extend(cube_literals(abstraction, known, cube));
    }
    let Abstraction { model, precision, queries, .. } = abstraction;
    base.sort_unstable();
    base.dedup();
    base.retain(|formula| !model.pool.is_bool(*formula, true));
    // The variables that are not determined: what was written, and what that and the guards depend on.
    let mut written: Vec<(VarId, ExprId)> = transformed.written.iter().map(|(var, value)| (*var, *value)).collect();
    written.sort_unstable();
    let is_open = |model: &Model, var: VarId| {
        matches!(model.vars.sort(var), Sort::Bool | Sort::Bits(_))
            && !model.vars.is_lock(var)
            && precision.tracks(var, transition.after)
            && !model.action(action).dead.contains(&var)
    };
    written.retain(|(var, value)| model.pool.as_const(*value).is_none() && is_open(model, *var));
    let mut wanted = written;
    let mut others: FxHashSet<VarId> = FxHashSet::default();
    for expr in transformed.guards.iter().chain(wanted.iter().map(|(_, value)| value)) {
        others.extend(queries.vars.get(&model.pool, *expr));
    }
    let mut others: Vec<VarId> = others.into_iter().collect();
    others.sort_unstable();
    for var in others {
        let is_kept = !transformed.written.contains_key(&var) && known.get(&model.vars, var).is_none();
        if is_kept && is_open(model, var) {
            let value = model.pool.var(var, model.vars.sort(var));
            wanted.push((var, value));
        }
    }
    let gave_up = queries.gave_up;
    let (wanted, tuples) = loop {
        if wanted.is_empty() {
            let is_possible = queries.is_satisfiable(&model.pool, action, &mut base);
            return if is_possible { None } else { Some(Vec::new()) };
        }
        let exprs: Vec<ExprId> = wanted.iter().map(|(_, value)| *value).collect();
        if let Some(tuples) = queries.tuples(model, action, &base, &exprs, most) {
            break (wanted, tuples);
        }
        if queries.gave_up > gave_up {
            return None;
        }
        // Those that have too many values on their own are out; of the rest the last.
        let before = wanted.len();
        if before > 1 {
            wanted.retain(|(_, value)| queries.tuples(model, action, &base, &[*value], most).is_some());
        }
        if wanted.len() == before {
            wanted.pop();
        }
    };
    let mut result = Vec::new();
    for tuple in tuples.iter() {
        let mut conditions = Vec::new();
        for ((var, _), &bits) in wanted.iter().zip(tuple.iter()) {
            let sort = model.vars.sort(*var);
            let (var, value) = (model.pool.var(*var, sort), model.pool.constant(Const { sort, bits }));
            conditions.push(model.pool.eq(var, value));
        }
        result.push(conditions);
    }
    Some(result)
}
