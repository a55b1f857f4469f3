//! Confirms counterexamples: on the Program as lowered, by the reference interpreter, whichever engine found them and on whichever form.

use crate::task::Task;
use raddle_budget::Budget;
use raddle_interp::machine::code::{Code, compile_under};
use raddle_interp::{ReplayEnd, Schedule, Source, Telling, Trace, lead_back, replay, replay_code};
use raddle_ir::{Program, VarKind};

/// The procedures of the library in which a result is chosen within bounds.
const BOUNDED: &str = "__raddle_math_within";

impl Task {
    /// The schedule of the Program as lowered that a schedule of a prepared form stands for. It reaches an error when it is replayed; or why not.
    pub fn confirm(&self, prepared: &Program, schedule: Schedule, budget: &Budget) -> Result<Schedule, String> {
        let prepared = compile_under(prepared, schedule.memory_model).map_err(|unsupported| unsupported.0)?;
        self.confirm_compiled(&prepared, schedule, budget)
    }

    /// The same, for an engine that has compiled the prepared form.
    pub fn confirm_compiled(&self, prepared: &Code, schedule: Schedule, budget: &Budget) -> Result<Schedule, String> {
        let stop = || budget.stop().is_some();
        let lowered = compile_under(self.program(), schedule.memory_model).map_err(|unsupported| unsupported.0)?;
        let schedule = budget.uninterrupted(|| lead_back(prepared, schedule, &lowered, &stop))?;
        let replayed = replay_code(&lowered, &schedule, Telling::Nothing);
        match replayed.end {
            ReplayEnd::ErrorReached(violation) if violation.property() == self.property() => {
                match self.rests_on_bounds(&schedule) {
                    true => Err("a function of <math.h> has a result on the way that is within known bounds, but may be none that the library gives".into()),
                    false => Ok(schedule),
                }
            }
            _ => Err(replayed.trace.end),
        }
    }

    /// Is a result chosen on the way of which only bounds are known? Whether the library gives such a result, nobody knows.
    fn rests_on_bounds(&self, schedule: &Schedule) -> bool {
        let is_bounded = |source: &Source| match *source {
            Source::Havoc(var) => match self.program().var(var).kind {
                VarKind::Local(proc) => self.program().proc(proc).name.starts_with(BOUNDED),
                _ => false,
            },
            _ => false,
        };
        schedule.steps.iter().flat_map(|step| &step.values).any(|(source, _)| is_bounded(source))
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
