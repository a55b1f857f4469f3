//! Predicate abstraction with splitting: the strongest Boolean combination of predicates after an action, as cubes.
//!
//! What a conjunction says is computed first (`predicates`). Then all combinations of signs that the predicates of a group can have together are
//! enumerated, and merged to few cubes: if all are possible, nothing is split. Predicates that are not determined
//! and that nothing happens to are not split, since any combination of them that is possible stays so.

use crate::domains::precision::PredId;
use crate::domains::pred_bool::merge;
use crate::domains::predicates::{Group, Step, step};
use crate::domains::state::Cube;
use crate::domains::{Abstraction, Transition};
use crate::model::ActionId;
use raddle_ir::ExprId;

/// An action has at most so many successors; beyond it predicates stay undetermined.
const MOST_CUBES: usize = 64;

/// The cubes after an action; none if there is no way.
pub fn cubes(abstraction: &mut Abstraction, transition: Transition, cube: &Cube, tracked: &[PredId]) -> Vec<Cube> {
    let Some(Step { mut settled, groups }) = step(abstraction, transition, cube, tracked) else {
        return Vec::new();
    };
    let action = transition.action;
    let mut alternatives: Vec<Vec<Cube>> = Vec::new();
    for group in &groups {
        let Some(decided) = abstraction.queries.decide(abstraction.model, action, group) else { return Vec::new() };
        let mut open: Vec<(PredId, ExprId)> = Vec::new();
        for (&(id, then), value) in group.asked.iter().zip(decided.iter()) {
            match value {
                Some(value) => settled.push((id, *value)),
                None => open.push((id, then)),
            }
        }
        if !open.is_empty() {
            open.extend(&group.related);
            alternatives.extend(combinations(abstraction, action, group, open));
        }
    }
    settled.sort_unstable();
    let mut result = vec![Cube(settled)];
    for cubes in alternatives {
        if result.len() * cubes.len() <= MOST_CUBES {
            result = result.iter().flat_map(|a| cubes.iter().map(|b| both(a, b))).collect();
        }
    }
    result
}

/// All ways in which predicates of a group can be true and false, if that says anything.
fn combinations(
    abstraction: &mut Abstraction,
    action: ActionId,
    group: &Group,
    mut open: Vec<(PredId, ExprId)>,
) -> Option<Vec<Cube>> {
    let Abstraction { model, queries, .. } = abstraction;
    let gave_up = queries.gave_up;
    // One that is not determined can be true and can be false.
    while open.len() > 1 {
        let exprs: Vec<ExprId> = open.iter().map(|(_, then)| *then).collect();
        if let Some(tuples) = queries.tuples(model, action, &group.base, &exprs, MOST_CUBES) {
            let cube = |tuple: &[u128]| {
                let mut cube: Vec<_> = open.iter().zip(tuple).map(|((id, _), bits)| (*id, *bits != 0)).collect();
                cube.sort_unstable();
                Cube(cube)
            };
            let mut cubes: Vec<Cube> = tuples.iter().map(|tuple| cube(tuple)).collect();
            merge(&mut cubes);
            return (cubes.len() > 1).then_some(cubes);
        }
        if queries.gave_up > gave_up {
            return None;
        }
        // What was written comes first, and is kept longest.
        open.truncate(open.len().min(2 * MOST_CUBES.ilog2() as usize).max(2) - 1);
    }
    None
}

/// The literals of two cubes over different predicates.
fn both(a: &Cube, b: &Cube) -> Cube {
    let mut all = [&a.0[..], &b.0[..]].concat();
    all.sort_unstable();
    Cube(all)
}
