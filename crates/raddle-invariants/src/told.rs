//! An invariant that was checked, as invariants of the Program as lowered.
//!
//! At a place of the System, the conjuncts about shared variables, about every thread and about a thread there hold of the thread in slot `MOVER`. Those about two threads are left out, since
//! they speak of another thread's place; so are those that mention locks, handles or memory, which have no words (`raddle_model::lead_back`). Inside of an atomic block that is one step the System
//! has no places, and nothing is known. With contracts, an activation in the middle of the stack is at a place without the conjuncts of that place; nothing is said then.

use crate::invariant::Invariant;
use crate::system::{At, MOVER, System};
use raddle_engine::Invariants;
use raddle_ir::Program;
use raddle_model::lead_back::{LeadBack, invariants_of_conjunctions};
use rustc_hash::FxHashSet;

pub fn invariants(lowered: &Program, system: &System, invariant: &Invariant) -> Invariants {
    if system.calls.is_some() {
        return Invariants::default();
    }
    let lead_back = LeadBack::new(lowered, system.program, &system.vars, true);
    let places: FxHashSet<At> = system.places.iter().copied().collect();
    invariants_of_conjunctions(&lead_back, &system.pool, MOVER, &|proc, loc| {
        let at = At { proc, loc };
        let own = invariant.at.get(&at).map_or(&[][..], |conds| conds);
        places.contains(&at).then(|| [&invariant.shared[..], &invariant.thread[..], own].concat())
    })
}
