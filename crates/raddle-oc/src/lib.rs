//! Bounded verification with partial orders (thesis 2, chapter 5).
//!
//! The way of the data: `symbolic` makes an event graph of a Program (loops unrolled to bounds, local computation as expressions, shared accesses as
//! events); `encode` makes clauses and an ordering problem of it; the solver searches with the ordering theory (`order`) beside it; a
//! model becomes a total order of events, a schedule, and is replayed. `search` drives all of this and deepens the bounds.

mod config;
pub mod conflicts;
mod encode;
mod library_results;
pub mod order;
mod schedule;
mod search;
mod symbolic;

pub use config::{ConflictSearch, Decision, OcConfig, OcStats};
pub use conflicts::simple_conflicts::Kinds;
pub use order::decide::Decide;

use raddle_engine::{
    Budget, Code, Conclusion, Engine, Facts, Form, Observer, Outcome, Reason, Task, on_large_stack, supports_property,
};
use raddle_ir::MemoryModel;

/// The engine.
pub struct Oc(pub OcConfig);

impl Engine for Oc {
    fn name(&self) -> &'static str {
        "oc"
    }

    fn summary(&self) -> &'static str {
        "Partial orders of events in a SAT solver, loops unrolled to growing bounds"
    }

    fn supports(&self, task: &Task) -> Result<(), Reason> {
        supports_property(task)?;
        match task.memory_model() {
            // Lives would begin and end in an order that nothing can run.
            MemoryModel::Wsc if task.program().asks_for_lives() => {
                Err(Reason::new(Code::Unsupported, "memory safety under weakly consistent orders (--memory-model wsc)"))
            }
            _ => Ok(()),
        }
    }

    fn form(&self) -> Form {
        Form::Simplified
    }

    fn run(&self, task: &Task, facts: &Facts, budget: &Budget, observer: &dyn Observer) -> Conclusion {
        let (outcome, facts, stats) = verify(task, &self.0, facts, budget, observer);
        Conclusion { facts, ..Conclusion::new(outcome, &stats) }
    }
}

/// Verifies that no error is reachable.
pub fn verify(
    task: &Task,
    config: &OcConfig,
    facts: &Facts,
    budget: &Budget,
    observer: &dyn Observer,
) -> (Outcome, Facts, OcStats) {
    // Calls of the program nest on the stack.
    let run = || {
        let (outcome, facts, stats) = search::search(task, config, facts, budget, observer);
        (task.admit(outcome), facts, stats)
    };
    on_large_stack(run).unwrap_or_else(|reason| (Outcome::Unknown(reason), Facts::default(), OcStats::default()))
}
