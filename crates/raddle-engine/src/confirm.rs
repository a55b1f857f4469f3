//! Confirms counterexamples: on the Program as lowered, by the reference interpreter, whichever engine found them and on whichever form.

use crate::task::Task;
use raddle_budget::Budget;
use raddle_interp::{ReplayEnd, Schedule, Telling, Trace, lead_back, replay};
use raddle_ir::Program;

impl Task {
    /// The schedule of the Program as lowered that a schedule of a prepared form stands for. It reaches an error when it is replayed; or why not.
    pub fn confirm(&self, prepared: &Program, schedule: Schedule, budget: &Budget) -> Result<Schedule, String> {
        let stop = || budget.stop().is_some();
        let schedule = budget.uninterrupted(|| lead_back(prepared, schedule, self.program(), &stop))?;
        let replayed = replay(self.program(), &schedule, Telling::Nothing);
        match replayed.end {
            ReplayEnd::ErrorReached(violation) if violation.property() == self.property() => Ok(schedule),
            _ => Err(replayed.trace.end),
        }
    }

    /// Tells a schedule of the Program as lowered, step by step.
    pub fn trace(&self, schedule: &Schedule, telling: Telling) -> Trace {
        replay(self.program(), schedule, telling).trace
    }
}
