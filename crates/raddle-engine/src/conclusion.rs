//! What an engine gives back.

use crate::facts::Facts;
use crate::outcome::{Outcome, Reason};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Conclusion {
    pub outcome: Outcome,
    /// What a later run can start from.
    pub facts: Facts,
    /// The engine's own statistics.
    pub statistics: Value,
    /// The graph that the engine ended with, for Graphviz, if it was asked for.
    pub graph: Option<String>,
}

impl Conclusion {
    pub fn new(outcome: Outcome, statistics: &impl Serialize) -> Conclusion {
        // Statistics are plain structures of numbers: there is nothing in them that JSON cannot say.
        Conclusion {
            outcome,
            facts: Facts::default(),
            statistics: serde_json::to_value(statistics).unwrap_or_default(),
            graph: None,
        }
    }

    pub fn unknown(reason: Reason) -> Conclusion {
        Conclusion { outcome: Outcome::Unknown(reason), facts: Facts::default(), statistics: Value::Null, graph: None }
    }
}
