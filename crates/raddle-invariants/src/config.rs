//! How the engines are configured, and what they count.

use clap::Args;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Invariants of one thread at a time.
#[derive(Clone, PartialEq, Debug, Args, Serialize, Deserialize)]
#[command(next_help_heading = "Engine invariants")]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct InvariantsConfig {
    /// Give up after so many milliseconds of CPU time
    #[arg(id = "invariants-time", long = "invariants-time", value_name = "MS", default_value_t = 4000)]
    pub time: u64,
    /// Steps of random executions that guesses are taken from
    #[arg(id = "invariants-steps", long = "invariants-steps", value_name = "N", default_value_t = 20_000)]
    pub steps: u32,
}

impl InvariantsConfig {
    pub fn time(&self) -> Duration {
        Duration::from_millis(self.time)
    }
}

impl Default for InvariantsConfig {
    fn default() -> Self {
        InvariantsConfig { time: 4000, steps: 20_000 }
    }
}

/// Invariants of two threads at a time.
#[derive(Clone, PartialEq, Debug, Args, Serialize, Deserialize)]
#[command(next_help_heading = "Engine modular")]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct ModularConfig {
    /// Steps of random executions that guesses are taken from
    #[arg(id = "modular-steps", long = "modular-steps", value_name = "N", default_value_t = 20_000)]
    pub steps: u32,
}

impl Default for ModularConfig {
    fn default() -> Self {
        ModularConfig { steps: 20_000 }
    }
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct InvariantsStats {
    /// Steps and places of the thread-modular system.
    pub steps: usize,
    pub places: usize,
    /// Conjuncts: guessed, and left when all were inductive.
    pub guesses: usize,
    pub kept: usize,
    /// Conjuncts that counterexamples asked for.
    pub refined: usize,
    /// Questions to a solver: of the search, and of the check of the proof.
    pub questions: u64,
    pub check_questions: u64,
    pub interpret_seconds: f64,
    pub sample_seconds: f64,
    pub search_seconds: f64,
    pub refine_seconds: f64,
    pub check_seconds: f64,
}
