//! Explores all interleavings and all inputs of small domain, one by one (`--engine explore`).
//!
//! This is the brute force that other engines are tested against. It drives the machine of `raddle-interp`: `explore` is the search, `collapse` stores
//! states, `enumerate` goes through the answers to a step's questions, `persistent` chooses threads by what they may still touch (`footprint`,
//! `futures`, `address_guess`); `symmetry` says which threads may be exchanged, `canonical` which states are then one, and `joins` waits for threads in any order; `turns` follows one order of threads. It knows no solver.

mod address_guess;
mod canonical;
mod collapse;
mod concretise;
mod config;
mod enumerate;
mod explore;
mod footprint;
mod futures;
mod intern;
mod joins;
mod local_steps;
mod persistent;
mod random_runs;
mod symmetry;
mod touched;
mod turns;
mod webs;

pub use config::{ExploreConfig, ExploreStats};
pub use explore::explore;
use explore::{compiled, explore_compiled};
use random_runs::RandomRuns;
pub use turns::Turns;

use raddle_engine::{
    Budget, Code, Conclusion, Engine, Facts, Form, Observer, Outcome, Reason, Task, supports_property,
};
use raddle_ir::MemoryModel;

/// The engine.
pub struct Explore(pub ExploreConfig);

impl Engine for Explore {
    fn name(&self) -> &'static str {
        "explore"
    }

    fn summary(&self) -> &'static str {
        "All interleavings and all inputs of small domain, one by one"
    }

    fn supports(&self, task: &Task) -> Result<(), Reason> {
        supports_property(task)?;
        match task.memory_model() {
            // To explore is to run; orders that nothing can run are beyond it.
            MemoryModel::Wsc => {
                let words = "only the engine oc knows weakly consistent orders (--memory-model wsc)";
                Err(Reason::new(Code::Unsupported, words))
            }
            _ => Ok(()),
        }
    }

    fn form(&self) -> Form {
        Form::Simplified
    }

    fn run(&self, task: &Task, _: &Facts, budget: &Budget, observer: &dyn Observer) -> Conclusion {
        let program = match task.prepared(self.form()) {
            Ok(program) => program,
            Err(too_large) => return Conclusion::unknown(too_large.into()),
        };
        let code = match compiled(&program, task.memory_model()) {
            Ok(code) => code,
            Err(reason) => return Conclusion::unknown(reason),
        };
        let mut runs = self.0.turns.is_none().then(|| RandomRuns::new(task, budget)).flatten();
        let mut others_turn = || runs.as_mut().is_some_and(RandomRuns::turn);
        let (outcome, mut stats) = explore_compiled(&code, &self.0, budget, observer, &mut others_turn);
        stats.random_runs = runs.as_ref().map_or(0, |runs| runs.runs);
        let outcome = match (runs.and_then(|runs| runs.found), outcome) {
            (Some(schedule), _) => Outcome::Unsafe(schedule),
            (None, Outcome::Unsafe(schedule)) => match task.confirm_compiled(&code, schedule, budget) {
                Ok(schedule) => Outcome::Unsafe(schedule),
                Err(reason) => Outcome::Unknown(reason),
            },
            (None, other) => task.admit(other),
        };
        Conclusion::new(outcome, &stats)
    }
}
