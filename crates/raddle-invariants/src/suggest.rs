//! What random executions suggest about places, for engines that look for their own proof: candidates, nothing more.

use crate::guess::{Breadth, Pairs, guess};
use crate::sample::{Samples, sample};
use crate::system::{At, System};
use crate::terms::{Terms, terms};
use raddle_absint::Facts;
use raddle_ir::ExprId;
use rustc_hash::FxHashMap;

/// How much is suggested.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The steps of random executions, in all.
    pub steps: u32,
    /// Implications, under values of flags and conditions of the program.
    pub guards: bool,
    /// The most about one place.
    pub most: usize,
}

/// Suggestions about a system that does not change; executions go on where they were.
pub struct Suggestions {
    terms: Terms,
    initial: Vec<ExprId>,
    samples: Samples,
}

impl Suggestions {
    pub fn new(system: &mut System) -> Suggestions {
        Suggestions { terms: terms(system), initial: system.initially(), samples: Samples::default() }
    }

    /// What no execution refuted so far, about the thread in slot `MOVER` and shared variables, by place.
    pub fn more(
        &mut self,
        system: &mut System,
        facts: &Facts,
        extent: Extent,
        stop: &dyn Fn() -> bool,
    ) -> FxHashMap<At, Vec<ExprId>> {
        sample(system, &self.initial, &self.terms, extent.steps, false, stop, &mut self.samples);
        let Extent { guards, most, .. } = extent;
        let breadth = Breadth { pairs: Pairs::None, guards, inherit: false, most };
        let found = guess(system, &self.terms, &self.samples, facts, breadth);
        let mut at = found.at;
        for conditions in at.values_mut() {
            conditions.extend(&found.shared);
        }
        at
    }
}
