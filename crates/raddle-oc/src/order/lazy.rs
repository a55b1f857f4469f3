//! The conflicts of a full assignment that was found without the theory (the procedure that the thesis calls BASIC).
//!
//! The facts are added one after another. One that closes a cycle gives a conflict clause and is left out, so that one assignment
//! gives many clauses.

use super::explain::Explainer;
use super::saturate::{Conflict, Saturation, Why};
use super::{OrderProblem, WriteId};
use raddle_smt::SatLit;
use rustc_hash::FxHashSet;

/// Clauses that the assignment violates; none if it is weakly sequentially consistent.
pub fn conflicts(problem: &OrderProblem, truth: &dyn Fn(SatLit) -> bool) -> Vec<Vec<SatLit>> {
    let mut order = Saturation::new(problem.clone());
    let mut explainer = Explainer::default();
    let mut clauses: Vec<Vec<SatLit>> = Vec::new();
    if order.add_unconditional().is_err() {
        return vec![Vec::new()];
    }
    let mut known = FxHashSet::default();
    let mut attempt = |order: &mut Saturation, add: &dyn Fn(&mut Saturation) -> Result<(), Conflict>| {
        let mark = order.mark();
        if let Err(conflict) = add(order) {
            let mut clause = explainer.conflict(order, conflict, 0).into_clause();
            clause.sort_unstable();
            if known.insert(clause.clone()) {
                clauses.push(clause);
            }
            order.undo_to(mark);
        }
    };
    for (id, write) in (0..).map(WriteId).zip(&problem.writes) {
        if write.guard.is_some_and(truth) {
            attempt(&mut order, &|order| order.enable(id));
        }
    }
    for edge in &problem.edges {
        if let Some(lit) = edge.when.filter(|&lit| truth(lit)) {
            attempt(&mut order, &|order| order.add_edge(edge.from, edge.to, Why::Literal(lit)));
        }
    }
    // Early reads first: what they say explains the later ones.
    let mut holding: Vec<u32> =
        (0..).zip(&problem.read_froms).filter(|(_, rf)| truth(rf.lit)).map(|(i, _)| i).collect();
    holding.sort_by_key(|&rf| order.clocks.position(order.ends(rf).1));
    for rf in holding {
        attempt(&mut order, &|order| order.read_from(rf));
    }
    clauses
}
