//! Confirms counterexamples: on the Program as lowered, by the reference interpreter, whichever engine found them and on whichever form.

use crate::outcome::{Code as Why, Reason};
use crate::task::Task;
use raddle_budget::Budget;
use raddle_interp::machine::code::{Code, compile_under};
use raddle_interp::{Misled, ReplayEnd, Schedule, Telling, Trace, lead_back, replay, replay_code};
use raddle_ir::{Program, Violation};

fn not_replayed(why: &str) -> Reason {
    Reason::new(Why::Unconfirmed, format!("a counterexample could not be replayed: {why}"))
}

impl Task {
    /// The schedule of the Program as lowered that a schedule of a prepared form stands for. It reaches an error when it is replayed; or why not.
    pub fn confirm(&self, prepared: &Program, schedule: Schedule, budget: &Budget) -> Result<Schedule, Reason> {
        let compiled = compile_under(prepared, schedule.memory_model);
        let prepared = compiled.map_err(|unsupported| not_replayed(&unsupported.0))?;
        self.confirm_compiled(&prepared, schedule, budget)
    }

    /// The same, for an engine that has compiled the prepared form.
    pub fn confirm_compiled(&self, prepared: &Code, schedule: Schedule, budget: &Budget) -> Result<Schedule, Reason> {
        let stop = || budget.stop().is_some();
        let compiled = compile_under(self.program(), schedule.memory_model);
        let lowered = compiled.map_err(|unsupported| not_replayed(&unsupported.0))?;
        let led = budget.uninterrupted(|| lead_back(prepared, schedule, &lowered, &stop));
        let schedule = led.map_err(|misled| match misled {
            Misled::Refused(why) => not_replayed(&why),
            Misled::Result(function) => {
                let words = format!("a counterexample rests on `{function}`, of which only bounds are known");
                Reason::new(Why::Unmodelled, words)
            }
        })?;
        let replayed = replay_code(&lowered, &schedule, Telling::Nothing);
        match replayed.end {
            ReplayEnd::ErrorReached(violation) if violation.property() == self.property() => Ok(schedule),
            _ => Err(not_replayed(&replayed.trace.end)),
        }
    }

    /// What a schedule of the Program as lowered violates; or why nothing.
    pub fn violation(&self, schedule: &Schedule) -> Result<Violation, String> {
        let replayed = replay(self.program(), schedule, Telling::Nothing);
        match replayed.end {
            ReplayEnd::ErrorReached(violation) if violation.property() == self.property() => Ok(violation),
            _ => Err(replayed.trace.end),
        }
    }

    /// Tells a schedule of the Program as lowered, step by step; or why it violates nothing.
    pub fn trace(&self, schedule: &Schedule, telling: Telling) -> Result<Trace, String> {
        let replayed = replay(self.program(), schedule, telling);
        match replayed.end {
            ReplayEnd::ErrorReached(violation) if violation.property() == self.property() => Ok(replayed.trace),
            _ => Err(replayed.trace.end),
        }
    }
}
