//! The file of results: a header, and then one line of JSON for each run, in the order in which runs ended.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The first line: what was run. Files with different headers are results of different experiments.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Header {
    /// The version of Raddle, and a hash of its binary, which tells builds of one version apart.
    pub raddle: String,
    #[serde(default)]
    pub build: String,
    /// Each configuration by name, with its command-line options.
    pub configurations: Vec<(String, Vec<String>)>,
    /// Seconds of CPU time, and bytes.
    pub timeout: f64,
    pub memory: u64,
    /// How many tasks the whole set has, and a hash of their names and verdicts.
    pub tasks: usize,
    pub set: String,
    /// Part `I` of `N`, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<(usize, usize)>,
}

impl Header {
    /// Version and build.
    pub fn version(&self) -> String {
        if self.build.is_empty() { self.raddle.clone() } else { format!("{} (build {})", self.raddle, self.build) }
    }
}

/// One configuration on one task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Record {
    /// The task definition, or the source, relative to the set.
    pub task: String,
    /// The place of the task in the set, counted from 0, before anything is selected or shuffled.
    #[serde(default)]
    pub position: usize,
    pub property: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// `None`: nobody says.
    pub expected: Option<bool>,
    pub configuration: String,
    pub answer: Answer,
    /// Seconds.
    pub cpu: f64,
    pub wall: f64,
    /// Bytes at the highest, of all processes of the run together. They are added up twice a second; a run that is shorter counts by its largest process.
    pub memory: u64,
    /// The step of the portfolio that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// What the program is like, by the name of the trait: numbers and Booleans.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub traits: Map<String, Value>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    True,
    False,
    /// With the code of the verdict line.
    Unknown(String),
    /// No verdict line, and what happened instead.
    Error(String),
}

/// Do runs of one task contradict each other, where nobody says who is right?
pub fn contradictory<'a>(runs: impl Iterator<Item = &'a Record> + Clone) -> bool {
    let says = |answer: Answer| runs.clone().any(|r| r.expected.is_none() && r.answer == answer);
    says(Answer::True) && says(Answer::False)
}

impl Record {
    pub fn is_solved(&self) -> bool {
        matches!(self.answer, Answer::True | Answer::False)
    }

    /// The answer is not the expected one.
    pub fn is_wrong(&self) -> bool {
        matches!((&self.answer, self.expected), (Answer::True, Some(false)) | (Answer::False, Some(true)))
    }

    /// Solved, and as expected, if anybody says.
    pub fn is_right(&self) -> bool {
        self.is_solved() && !self.is_wrong()
    }

    /// As in the rules of SV-COMP: a proof is worth more than a counterexample, and a wrong answer costs as much as sixteen right ones gain. Nothing, where nobody
    /// says what is right.
    pub fn score(&self) -> i64 {
        match (&self.answer, self.expected) {
            (Answer::True, Some(true)) => 2,
            (Answer::False, Some(false)) => 1,
            (Answer::True, Some(false)) => -32,
            (Answer::False, Some(true)) => -16,
            _ => 0,
        }
    }
}
