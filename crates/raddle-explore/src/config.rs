//! How exploration is configured, and what it counts.

use crate::turns::Turns;
use clap::{ArgAction, Args};
use raddle_engine::Por;
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Eq, Debug, Args, Serialize, Deserialize)]
#[command(next_help_heading = "Engine explore")]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct ExploreConfig {
    /// Try all values of a nondeterministic choice up to so many; with more, only a sample, and the program is then never called safe
    #[arg(long, value_name = "N", default_value_t = ExploreConfig::default().max_choices)]
    pub max_choices: u64,
    /// None: every interleaving of single edges. Otherwise persistent sets; under a weak memory model, local steps are taken along and that is all.
    #[arg(skip)]
    pub por: Por,
    /// Visit one of the states that differ by a permutation of threads
    #[arg(id = "explore-symmetry", long = "explore-symmetry", value_name = "on|off", value_parser = on_or_off, action = ArgAction::Set, default_value = "on")]
    pub symmetry: bool,
    /// Executions in which more stores of a thread are pending at a time are left out, and the program is then never called safe.
    #[arg(skip = ExploreConfig::default().max_pending)]
    pub max_pending: usize,
    /// After a choice was only sampled, give up when there are more states than this: it can at best find an error by luck.
    #[arg(skip = ExploreConfig::default().max_sampled_states)]
    pub max_sampled_states: u64,
    /// Give up when the stored states take more bytes, about.
    #[arg(skip = ExploreConfig::default().memory_limit)]
    pub memory_limit: u64,
    /// Threads take turns. The program is then never called safe.
    #[arg(skip)]
    #[serde(skip)]
    pub turns: Option<Turns>,
}

impl Default for ExploreConfig {
    fn default() -> Self {
        ExploreConfig {
            max_choices: 256,
            por: Por::Best,
            symmetry: true,
            max_pending: 64,
            max_sampled_states: 2_000_000,
            memory_limit: 1 << 42,
            turns: None,
        }
    }
}

fn on_or_off(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("it is on or off".into()),
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ExploreStats {
    pub states: u64,
    pub transitions: u64,
    /// Steps at which an execution ended because its behaviour is undefined, and the first of them in words.
    pub hazards: u64,
    pub first_hazard: Option<String>,
    pub state_bytes: usize,
    /// The guess about pointers failed, and the program was explored again without reduction.
    pub without_reduction: bool,
    /// Whether there was symmetry reduction, or why not.
    pub symmetry: &'static str,
    /// Steps to states that are not stored because a permutation of them was visited.
    pub permuted: u64,
    /// Random executions that were tried beside.
    pub random_runs: u64,
}
