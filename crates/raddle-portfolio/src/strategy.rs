//! A strategy: which engine runs, in which configuration, for how long, and what comes next.
//!
//! It is data: a graph of steps, written as TOML (`read`), with conditions on the traits of the program (`condition`). Each step is a run of an engine with a
//! slice of CPU time. A run that has an answer ends the strategy. Otherwise how the run ended says where to go on. A way back to a step continues
//! its run, which was paused meanwhile, with a slice that has grown: so a cycle of steps is rounds of growing slices.

pub mod condition;
mod draw;
mod read;

use condition::Condition;
use raddle_engine::Code;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

pub use draw::to_dot;
pub use read::{StrategyError, read};

#[derive(Clone, PartialEq, Debug)]
pub struct Strategy {
    pub summary: String,
    /// Slices are meant for programs of at most this size (the trait); for larger ones they are longer in proportion.
    pub small: f64,
    /// The first one is where it begins.
    pub steps: Vec<Step>,
}

/// The position of a step in its strategy.
pub type StepId = usize;

/// A run of an engine.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    pub name: String,
    /// If this does not hold of the program, the step is passed over.
    pub when: Option<Condition>,
    /// Where to go on if it is passed over; `None`: the strategy ends.
    pub otherwise: Option<StepId>,
    /// When this holds of its progress, the run is given up.
    pub give_up_when: Option<Condition>,
    /// It also runs, with all the time that is left, where a job would have nothing else to do.
    pub spare: bool,
    pub engine: String,
    /// Options of the engine, on top of those that the user gave.
    pub config: Value,
    pub time: Time,
    /// Each further visit is so much longer.
    pub growth: f64,
    /// Where to go on without an answer; `None`: the strategy ends.
    pub next: Option<StepId>,
    /// And where else, by how the run ended. A slice that is used up is `timeout`.
    pub on: BTreeMap<Code, Option<StepId>>,
}

/// How much CPU time a visit to a step has.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Time {
    /// All that is left.
    All,
    /// A share of what there was after the frontend.
    Share(f64),
    /// A share of what is left now.
    ShareOfRest(f64),
    Slice(Duration),
}

impl Step {
    /// Where to go on after a run that ended like this.
    pub fn after(&self, code: Code) -> Option<StepId> {
        self.on.get(&code).copied().unwrap_or(self.next)
    }
}

impl Strategy {
    /// One engine, and all the time for it.
    pub fn single(engine: &str) -> Strategy {
        let step = Step {
            name: engine.into(),
            when: None,
            otherwise: None,
            give_up_when: None,
            spare: false,
            engine: engine.into(),
            config: Value::Object(serde_json::Map::new()),
            time: Time::All,
            growth: 1.0,
            next: None,
            on: BTreeMap::new(),
        };
        Strategy { summary: format!("{engine} alone"), small: f64::INFINITY, steps: vec![step] }
    }
}

/// The strategies that are built in: name and text.
pub const BUILT_IN: [(&str, &str); 3] = [
    ("default", include_str!("../strategies/default.toml")),
    ("sequential", include_str!("../strategies/sequential.toml")),
    ("theta2021", include_str!("../strategies/theta2021.toml")),
];

/// The text of a built-in strategy.
pub fn built_in(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(built_in, _)| *built_in == name).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_strategies_can_be_read() {
        for (name, text) in BUILT_IN {
            read(name, text).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}
