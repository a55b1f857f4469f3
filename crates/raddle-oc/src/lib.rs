//! Bounded verification with partial orders (thesis 2, chapter 5).
//!
//! The way of the data: `symbolic` makes an event graph of a Program (loops unrolled to bounds, local computation as expressions, shared accesses as
//! events); `encode` makes clauses and an ordering problem of it; the solver searches with the ordering theory (`order`) beside it; a
//! model becomes a total order of events, a schedule, and is replayed. `search` drives all of this and deepens the bounds.

pub mod conflicts;
mod encode;
pub mod order;
mod schedule;
mod search;
mod symbolic;

use raddle_interp::{Schedule, StopReason, Trace};
use raddle_ir::{MemoryModel, Program, Span};
use raddle_smt::{Solver, SolverError};
use std::time::Duration;

pub use conflicts::simple_conflicts::Kinds;
pub use order::decide::Decide;

/// Which conflicts are looked for before solving.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ConflictSearch {
    None,
    /// Algorithm 3.
    #[default]
    Simple,
    /// All potential cycles up to a bound.
    Generic,
}

/// How the ordering takes part in the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Decision {
    /// A theory inside the SAT solver.
    #[default]
    Propagator,
    /// Solve, look for cycles in the model, forbid them, solve again.
    Basic,
}

/// Makes solvers other than the native one, for `Decision::Basic`.
pub type MakeSolver<'a> = &'a (dyn Fn() -> Result<Box<dyn Solver>, SolverError> + Sync);

#[derive(Clone, PartialEq, Debug)]
pub struct OcConfig {
    pub memory_model: MemoryModel,
    pub decision: Decision,
    /// The first bound of loops whose number of iterations is not known, and the last.
    pub unroll_start: u32,
    pub unroll_end: u32,
    pub conflicts: ConflictSearch,
    /// How many read-froms a generic conflict may have.
    pub conflict_bound: u32,
    /// Literals in conflicts that are found before solving, for each read-from.
    pub conflict_literals: u32,
    pub decide: Decide,
    /// Labels that are executed symbolically before the rest is cut off.
    pub most_labels: u64,
    /// After this CPU time, the result of the last bound will do.
    pub enough_after: Option<Duration>,
}

impl Default for OcConfig {
    fn default() -> Self {
        OcConfig {
            memory_model: MemoryModel::default(),
            decision: Decision::default(),
            unroll_start: 2,
            unroll_end: 1 << 20,
            conflicts: ConflictSearch::default(),
            conflict_bound: 2,
            conflict_literals: 12,
            decide: Decide::default(),
            most_labels: 400_000,
            enough_after: None,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// No error is reachable, whatever the number of iterations.
    Safe,
    /// An error, replayed.
    Unsafe(Trace, Schedule),
    /// No error within the bounds; the largest of those that are reached.
    Bounded(u32),
    /// What the engine cannot express, and where.
    Unsupported(String, Span),
    /// A machine-readable code, and the reason in words.
    Unknown(&'static str, String),
}

/// What the search did: the columns of Table 5.1, and the sizes of the last encoding.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OcStats {
    pub bounds: u64,
    pub runs: u64,
    pub nodes: u64,
    pub reads: u64,
    pub writes: u64,
    pub read_froms: u64,
    pub pruned: u64,
    pub variables: u64,
    pub clauses: u64,
    pub conflicts_by_kind: Kinds,
    /// Clauses that `Decision::Basic` added, and the rounds that it took.
    pub refinement_clauses: u64,
    pub refinements: u64,
    pub theory_conflicts: u64,
    pub theory_propagations: u64,
    pub solver_conflicts: u64,
    pub decisions: u64,
    pub propagations: u64,
    /// Models that no total order explains.
    pub not_sc: u64,
    pub solver_time: Duration,
    pub conflict_time: Duration,
    pub symbolic_time: Duration,
    pub encode_time: Duration,
}

/// Verifies that no error is reachable. Without `make_solver`, the native solver is used.
pub fn verify(
    program: &Program,
    config: &OcConfig,
    make_solver: Option<MakeSolver>,
    stop: &(dyn Fn() -> Option<StopReason> + Sync),
) -> (Outcome, OcStats) {
    // Calls of the program nest on the stack.
    let run = || search::search(program, config, make_solver, &|| stop());
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(1 << 28).spawn_scoped(scope, run);
        match worker.map(|worker| worker.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => (Outcome::Unknown("out-of-memory", error.to_string()), OcStats::default()),
        }
    })
}
