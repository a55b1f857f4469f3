//! How the engine is configured, and what it counts.

use crate::conflicts::simple_conflicts::Kinds;
use crate::order::decide::Decide;
use clap::{Args, ValueEnum};
use raddle_smt::smtlib::FoundSolver;
use serde::{Deserialize, Serialize};

/// Which conflicts are looked for before solving.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConflictSearch {
    None,
    /// Algorithm 3
    #[default]
    Simple,
    /// All potential cycles up to a bound
    Generic,
}

/// How the ordering takes part in the search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// A theory inside the SAT solver
    #[default]
    Propagator,
    /// Solve, look for cycles in the model, forbid them, solve again
    Basic,
}

#[derive(Clone, PartialEq, Debug, Args, Serialize, Deserialize)]
#[command(next_help_heading = "Engine oc")]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct OcConfig {
    /// Answer true when no violation exists within the bound (unsound)
    #[arg(long)]
    pub trust_bound: bool,
    /// The first bound on iterations of loops whose number is not known
    #[arg(long = "oc-unroll-start", value_name = "N", default_value_t = 2)]
    pub unroll_start: u32,
    /// The last bound; what goes on past it is unknown(bound-reached)
    #[arg(long = "oc-unroll-end", value_name = "N", default_value_t = LAST_BOUND, hide_default_value = true)]
    pub unroll_end: u32,
    /// How orders take part in the search: inside the SAT solver, or by solving again after each round (any --solver can do that)
    #[arg(long = "oc-decision", value_enum, default_value_t)]
    pub decision: Decision,
    /// Conflicts to look for before solving
    #[arg(long = "oc-conflicts", value_enum, default_value_t)]
    pub conflicts: ConflictSearch,
    /// How many read-froms a generic conflict may have
    #[arg(long = "oc-conflict-bound", value_name = "N", default_value_t = 2)]
    pub conflict_bound: u32,
    /// Which read-from is decided next
    #[arg(long = "oc-decide", value_enum, default_value_t)]
    pub decide: Decide,
    /// Literals in conflicts that are found before solving, for each read-from.
    #[arg(skip = 12u32)]
    pub conflict_literals: u32,
    /// Labels that are executed symbolically before the rest is cut off.
    #[arg(skip = MOST_LABELS)]
    pub most_labels: u64,
    /// One solver for all bounds, as far as no events are ordered: for programs with one thread.
    #[arg(skip)]
    pub keep_solver: bool,
    /// Another solver than the native one, for `Decision::Basic`.
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<FoundSolver>,
}

const LAST_BOUND: u32 = 1 << 20;
const MOST_LABELS: u64 = 400_000;

impl Default for OcConfig {
    fn default() -> Self {
        OcConfig {
            trust_bound: false,
            unroll_start: 2,
            unroll_end: LAST_BOUND,
            decision: Decision::default(),
            conflicts: ConflictSearch::default(),
            conflict_bound: 2,
            decide: Decide::default(),
            conflict_literals: 12,
            most_labels: MOST_LABELS,
            keep_solver: false,
            solver: None,
        }
    }
}

/// What the search did: the columns of Table 5.1, and the sizes of the last encoding.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct OcStats {
    pub bounds: u64,
    pub runs: u64,
    pub nodes: u64,
    pub reads: u64,
    pub writes: u64,
    pub read_froms: u64,
    pub pruned_read_froms: u64,
    pub variables: u64,
    pub clauses: u64,
    pub static_conflicts: Kinds,
    /// Clauses that `Decision::Basic` added, and the rounds that it took.
    pub refinement_clauses: u64,
    pub refinements: u64,
    pub theory_conflicts: u64,
    pub theory_propagations: u64,
    pub conflicts: u64,
    pub decisions: u64,
    pub propagations: u64,
    /// Models that no total order explains.
    pub weakly_consistent_only: u64,
    pub solver_seconds: f64,
    pub static_conflict_seconds: f64,
    pub symbolic_seconds: f64,
    pub encoding_seconds: f64,
}
