//! What holds at the cut points, as invariants of the Program as lowered.
//!
//! A cut point is arrived at by summaries only, since an error may follow it: so may one follow every place on the way to it, and no step on the way was left out. What is inductive over summaries
//! holds on each visit. Away from cut points nothing is known; that is most places, but each cycle from which an error may be reached has a cut point, which is mostly the head of a loop.

use crate::facts::AtCuts;
use crate::summaries::Summaries;
use raddle_engine::Invariants;
use raddle_invariants::system::{At, MOVER, System};
use raddle_ir::{ExprId, Program};
use raddle_model::lead_back::{LeadBack, invariants_of_conjunctions};
use rustc_hash::FxHashMap;

pub fn invariants(lowered: &Program, system: &System, of: &Summaries, known: &AtCuts) -> Invariants {
    let lead_back = LeadBack::new(lowered, system.program, &system.vars, true);
    let at_cuts: FxHashMap<At, &Vec<ExprId>> = of.cuts.iter().map(|cut| cut.at).zip(known).collect();
    invariants_of_conjunctions(&lead_back, &system.pool, MOVER, &|proc, loc| {
        at_cuts.get(&At { proc, loc }).map(|conds| conds.to_vec())
    })
}
