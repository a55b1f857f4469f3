//! Bounded model checking: the search of `oc` with one thread.
//!
//! Without other threads there are no events to order: the symbolic execution of `oc` is all of the program within its bounds, as guards of errors and of the ends of bounds. What is different is
//! that one solver serves all bounds: runs to growing bounds make the same expressions where they go together, so that only what is new is encoded, and what was learned stays.

use crate::{BmcConfig, supports};
use raddle_engine::{Budget, Conclusion, Engine, Facts, Form, Observer, Reason, Task};
use raddle_oc::{OcConfig, verify};

/// Bounded model checking.
pub struct Bmc(pub BmcConfig);

impl Engine for Bmc {
    fn name(&self) -> &'static str {
        "bmc"
    }

    fn summary(&self) -> &'static str {
        "One incremental unrolling, for sequential programs"
    }

    fn supports(&self, task: &Task) -> Result<(), Reason> {
        supports(task)
    }

    fn form(&self) -> Form {
        Form::Simplified
    }

    fn run(&self, task: &Task, facts: &Facts, budget: &Budget, observer: &dyn Observer) -> Conclusion {
        let BmcConfig { unroll_start, unroll_end } = self.0;
        let config = OcConfig { unroll_start, unroll_end, keep_solver: true, ..OcConfig::default() };
        let (outcome, facts, stats) = verify(task, &config, facts, budget, observer);
        Conclusion { facts, ..Conclusion::new(outcome, &stats) }
    }
}
