//! The result of a run on one property, as data.

use crate::story::{Place, Story};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// `true`, `false(PROPERTY)` or `unknown(CODE)`.
    pub verdict: String,
    /// The property that was asked for: `unreach-call`.
    pub property: String,
    /// The verdict in one or a few sentences.
    pub explanation: String,
    /// Of an unknown verdict.
    pub reason: Option<Reason>,
    /// Of a proof.
    pub proof: Option<Proof>,
    /// Of a violation.
    pub story: Option<Story>,
    /// Other violations, if all were asked for; and whether there are no more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Found>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_all: bool,
    /// The user's files that the program was read from, as given.
    pub sources: Vec<SourceFile>,
    /// The control-flow automata of the user's functions.
    pub automata: Vec<Automaton>,
    /// What `--stats` writes.
    pub statistics: Value,
}

/// A violation in short.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Found {
    pub place: Place,
    pub words: String,
}

/// Why there is no verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reason {
    /// `timeout`, `unsupported`, ...
    pub code: String,
    pub words: String,
    pub place: Option<Place>,
    /// What to try.
    pub hint: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Proof {
    /// Who proved it.
    pub engine: String,
    /// How, in words: with or without a bound.
    pub words: String,
    /// The arguments that it holds for, if the program begins with another function than `main`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds_for: Option<String>,
    /// C expressions that always hold at a place.
    pub invariants: Vec<Invariant>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Invariant {
    pub place: Place,
    pub function: String,
    pub expression: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SourceFile {
    pub path: String,
    pub text: String,
}

/// The control-flow automaton of a function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Automaton {
    pub function: String,
    /// Locations are numbered from 0.
    pub locations: usize,
    pub entry: usize,
    pub exit: usize,
    pub edges: Vec<AutomatonEdge>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AutomatonEdge {
    pub from: usize,
    pub to: usize,
    /// The labels, as the text form of Programs has them.
    pub text: String,
    /// The line of the source; 0: none.
    pub line: u32,
}
