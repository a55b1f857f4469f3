//! What random executions suggest about cut points (`raddle_invariants::Suggestions`): candidates of k-induction, literals of clauses. Nothing sound rests on it.

use crate::facts::AtCuts;
use crate::summaries::Summaries;
use raddle_invariants::system::System;
use raddle_invariants::{Extent, Suggestions};
use raddle_ir::ExprId;

pub struct Suggested<'a> {
    known: &'a raddle_absint::Facts,
    stop: &'a dyn Fn() -> bool,
    from: Option<Suggestions>,
}

impl<'a> Suggested<'a> {
    /// `known` is what abstract interpretation says; executions end where somebody says stop.
    pub fn new(known: &'a raddle_absint::Facts, stop: &'a dyn Fn() -> bool) -> Self {
        Suggested { known, stop, from: None }
    }

    /// What abstract interpretation said, whether or not it is inductive.
    pub fn known(&self) -> &raddle_absint::Facts {
        self.known
    }

    /// What no execution refuted, those that are new included, about live variables.
    pub fn more(&mut self, system: &mut System, of: &Summaries, extent: Extent) -> AtCuts {
        let from = self.from.get_or_insert_with(|| Suggestions::new(system));
        let at = from.more(system, self.known, extent, self.stop);
        let mut all = AtCuts::new();
        for cut in &of.cuts {
            let here = at.get(&cut.at).cloned().unwrap_or_default();
            let is_live = |fact: &ExprId| system.pool.vars(*fact).iter().all(|var| cut.live.binary_search(var).is_ok());
            all.push(here.into_iter().filter(is_live).collect());
        }
        all
    }
}
