//! Counterexample-guided abstraction refinement over the XCFA, sequential and multi-threaded (thesis 1; thesis 2, chapters 2 to 4).
//!
//! The way of the data: `prepare` inlines and simplifies the Program; `model` makes actions of its edges; `abstractor` builds an abstract reachability
//! graph (`arg`) over abstract states (`state`: exact `threads`, `values`, cubes of `predicates`) of what a `precision` tracks; `path` asks
//! whether a counterexample can be taken; `refine` says what to track if not; `search` is the loop. A violation is replayed by the interpreter; a proof is
//! checked once more by `certify`.

mod certify;
mod clock;
pub mod config;
mod domains;
mod graph;
mod model;
mod prepare;
mod reduction;
mod refine;
mod schedule;
mod search;
mod solvers;

pub use config::*;

use raddle_interp::{Schedule, StopReason, Trace};
use raddle_ir::{Program, Span};
use raddle_smt::Interrupt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Safe,
    /// An error, replayed.
    Unsafe(Trace, Schedule),
    /// What the engine cannot express, and where.
    Unsupported(String, Span),
    /// A machine-readable code, and the reason in words.
    Unknown(&'static str, String),
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct CegarStats {
    pub iterations: u64,
    pub nodes: u64,
    pub explored_actions: u64,
    /// Nodes that were covered when they were looked at.
    pub covered: u64,
    pub variables: u64,
    pub predicates: u64,
    pub solver_calls: u64,
    pub cached_calls: u64,
    /// Statements of explored actions: all, and what dynamic cone of influence made of them.
    pub statements: u64,
    pub havocs: u64,
    pub removed: u64,
    /// Questions that the check of the proof asked a solver.
    pub check_questions: u64,
    /// CPU time: building graphs (successors and covering), all about counterexamples (paths, refinement, replay), and the check of the proof.
    pub build_time: Duration,
    /// Of it, estimated from some of the nodes: computing successors, and looking for a node that covers another.
    pub successor_time: Duration,
    pub covering_time: Duration,
    pub refine_time: Duration,
    pub check_time: Duration,
    /// The graph at the end, for Graphviz, if it was asked for.
    pub graph: Option<String>,
}

/// Recursion is followed so deep at most.
const DEEPEST: u32 = 1000;

/// Verifies that no error is reachable. Where that depends on how deep recursion goes, it is followed deeper and deeper.
pub fn verify(
    program: &Program,
    config: &CegarConfig,
    stop: &(dyn Fn() -> Option<StopReason> + Sync),
) -> (Outcome, CegarStats) {
    let mut config = config.clone();
    let mut result = verify_to_depth(program, &config, stop);
    while let Outcome::Unknown("bound-reached", _) = result.0
        && config.recursion_bound < DEEPEST
    {
        config.recursion_bound = 2 * config.recursion_bound.max(1);
        let deeper = verify_to_depth(program, &config, stop);
        // What has no room any more says less than what was there before.
        if let Outcome::Unknown("too-large", _) = deeper.0 {
            break;
        }
        result = deeper;
    }
    result
}

fn verify_to_depth(
    program: &Program,
    config: &CegarConfig,
    stop: &(dyn Fn() -> Option<StopReason> + Sync),
) -> (Outcome, CegarStats) {
    let prepared = match prepare::prepare(program.clone(), config) {
        Ok(prepared) => prepared,
        Err(too_large) => return (Outcome::Unknown("too-large", too_large.to_string()), CegarStats::default()),
    };
    let interrupt = Interrupt::new();
    // Once there is a reason to stop there always is: what an interrupt cut short is never taken for a result.
    let reason: OnceLock<StopReason> = OnceLock::new();
    let stop = || reason.get().copied().or_else(|| stop().map(|why| *reason.get_or_init(|| why)));
    // Expressions nest on the stack.
    let run = || search::search(&prepared, config, &interrupt, &stop);
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(1 << 28).spawn_scoped(scope, run);
        // A question to a solver can take long: somebody else watches the time.
        let watcher = scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                if stop().is_some() {
                    interrupt.stop();
                    break;
                }
                std::thread::park_timeout(Duration::from_millis(20));
            }
        });
        let result = worker.map(|worker| worker.join());
        is_done.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        match result {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => (Outcome::Unknown("out-of-memory", error.to_string()), CegarStats::default()),
        }
    })
}
