//! From a finished graph to invariants of the Program as lowered.
//!
//! An invariant of a lowered location is the disjunction of what the nodes know in which a thread is at a prepared location that comes from it. How a condition is led back, and when it is
//! one of the lowered Program, is said in `raddle_model::lead_back`. What is particular to a graph:
//!
//! - *Reduction.* Partial-order reduction leaves out states. Each execution is a prefix of an explored one up to the order of steps that commute, so every thread
//!   is in the same states of its own, though not at the same time as the others: if threads were left out anywhere, nothing is said of shared variables
//!   (`unreduced.rs` makes a graph where none are).
//! - *Atomic blocks*: nodes inside of another thread's block do not count.

use crate::domains::precision::Precision;
use crate::domains::state::{Data, States};
use crate::graph::arg::{Arg, Status};
use crate::model::Model;
use crate::model::threads::At;
use raddle_engine::Invariants;
use raddle_ir::{Const, Program, Sort};
use raddle_model::lead_back::{Conjunction, LeadBack, Standpoint, Told, Visited, tidy};
use rustc_hash::FxHashSet;

/// Away from heads of loops, threads are looked at in so many nodes.
const MOST_LOOKED_AT: usize = 50_000;

/// The invariants that a finished graph shows.
pub fn location_invariants(
    lowered: &Program,
    model: &Model,
    precision: &Precision,
    (arg, states): (&Arg, &States),
) -> Invariants {
    let lead_back = LeadBack::new(lowered, model.program, &model.vars, !is_reduced(arg, states));
    let mut told = Told::default();
    let mut seen: FxHashSet<(u32, u32)> = FxHashSet::default();
    let mut looked_at = 0;
    for id in arg.live() {
        let node = arg.node(id);
        // A node that is covered says nothing that the other one does not allow.
        if node.status != Status::Expanded || !seen.insert((node.threads, node.data)) {
            continue;
        }
        let (threads, data) = (states.threads.get(node.threads), states.data.get(node.data));
        for (slot, thread) in (0..).zip(&threads.threads) {
            let At::Location(loc) = thread.at else { continue };
            let Some(Visited { origin, is_head }) = lead_back.visited(thread.proc, loc) else { continue };
            let is_visible = threads.atomic.is_none_or(|(inside, _)| inside == slot);
            let place = (origin.proc, origin.loc);
            if !told.arrive(place, is_head) || !is_visible {
                continue;
            }
            let at = Standpoint { slot, proc: thread.proc, loc, origin };
            let disjuncts = disjuncts(&lead_back, model, at, (precision, data), &mut told.invariants);
            told.add(place, disjuncts);
            looked_at += usize::from(!is_head);
            if looked_at > MOST_LOOKED_AT {
                told.forget(place);
            }
        }
    }
    if looked_at > MOST_LOOKED_AT {
        told.keep_heads();
    }
    told.finish()
}

/// Did reduction leave out threads?
pub fn is_reduced(arg: &Arg, states: &States) -> bool {
    arg.live().map(|id| arg.node(id)).any(|node| {
        let left_out = |explored: &Vec<u32>| {
            states.threads.get(node.threads).movable().any(|(slot, _, _)| !explored.contains(&slot))
        };
        node.status == Status::Expanded && node.explored.as_ref().is_some_and(left_out)
    })
}

/// What a node says where a thread is: one conjunction for each cube.
fn disjuncts(
    lead_back: &LeadBack,
    model: &Model,
    at: Standpoint,
    (precision, data): (&Precision, &Data),
    to: &mut Invariants,
) -> Vec<Conjunction> {
    let mut values = Vec::new();
    for (var, bits) in data.values.iter() {
        let sort = model.vars.sort(var);
        if let (Sort::Bool | Sort::Bits(_), Some(var)) = (sort, lead_back.var(at, var, to)) {
            let value = to.pool.constant(Const { sort, bits });
            values.push(to.pool.eq(var, value));
        }
    }
    let mut result = Vec::new();
    for cube in &data.cubes {
        let mut literals = values.clone();
        for &(id, holds) in &cube.0 {
            let expr = precision.predicate(id).expr;
            let Some(literal) = lead_back.condition(at, &model.pool, expr, to) else { continue };
            literals.push(if holds { literal } else { to.pool.not(literal) });
        }
        let conjunction = tidy(&mut to.pool, literals);
        // One that never holds is no part of a disjunction.
        if !conjunction.iter().any(|literal| to.pool.is_bool(*literal, false)) {
            result.push(conjunction);
        }
    }
    result
}
