//! Counterexample-guided abstraction refinement over the XCFA, sequential and multi-threaded (thesis 1; thesis 2, chapters 2 to 4).
//!
//! The way of the data: the Task inlines calls and makes blocks; `model` makes actions of edges; `abstractor` builds an abstract reachability
//! graph (`arg`) over abstract states (`state`: exact `threads`, `values`, cubes of `predicates`) of what a `precision` tracks; `path` asks
//! whether a counterexample can be taken; `refine` says what to track if not; `search` is the loop. A violation is replayed by the interpreter; a proof is
//! checked once more by `certify`, and told as invariants of the Program as lowered by `location_invariants`.

mod certify;
pub mod config;
mod domains;
mod graph;
mod location_invariants;
mod model;
mod reduction;
mod refine;
mod schedule;
mod search;
mod solvers;
mod unreduced;

pub use config::*;

use raddle_engine::{
    Blocks, Budget, Code, Conclusion, Engine, Event, Facts, Form, Observer, Outcome, Reason, Task, on_large_stack,
    supports_property,
};
use raddle_ir::MemoryModel;
use serde::Serialize;

/// The engine.
pub struct Cegar(pub CegarConfig);

impl Engine for Cegar {
    fn name(&self) -> &'static str {
        "cegar"
    }

    fn summary(&self) -> &'static str {
        "Abstraction, refined by counterexamples"
    }

    fn supports(&self, task: &Task) -> Result<(), Reason> {
        supports_property(task)?;
        let unsupported = |words: &str| Err(Reason::new(Code::Unsupported, words));
        match (task.memory_model(), self.0.arithmetic) {
            (MemoryModel::Sc, Arithmetic::Integer) if self.0.integer_solver.is_none() => {
                unsupported("integer arithmetic needs a solver that interpolates over integers (pip install z3-solver)")
            }
            (MemoryModel::Sc, _) => Ok(()),
            // The abstraction has one memory that all threads see.
            _ => unsupported("the engine cegar knows sequential consistency only (--memory-model sc)"),
        }
    }

    fn form(&self) -> Form {
        form(&self.0, self.0.recursion_bound)
    }

    fn run(&self, task: &Task, _: &Facts, budget: &Budget, observer: &dyn Observer) -> Conclusion {
        let (outcome, stats, graph) = verify(task, &self.0, budget, observer);
        Conclusion { graph, ..Conclusion::new(outcome, &stats) }
    }
}

/// The columns of Tables 3.1 and 4.1, and what else the abstraction did.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
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
    pub statements_havocked: u64,
    pub statements_removed: u64,
    pub share_havocked: f64,
    pub share_removed: f64,
    pub share_simplified: f64,
    /// CPU time: building graphs (successors and covering), all about counterexamples (paths, refinement, replay), and the check of the proof.
    pub build_seconds: f64,
    /// Of it, estimated from some of the nodes: computing successors, and looking for a node that covers another.
    pub successor_seconds: f64,
    pub covering_seconds: f64,
    pub refine_seconds: f64,
    pub check_seconds: f64,
    /// Questions that the check of the proof asked a solver.
    pub check_questions: u64,
}

/// Recursion is followed so deep at most.
const DEEPEST: u32 = 1000;

/// Verifies that no error is reachable. Where that depends on how deep recursion goes, it is followed deeper and deeper. The graph at the end, for Graphviz,
/// is there if the configuration asks for it.
pub fn verify(
    task: &Task,
    config: &CegarConfig,
    budget: &Budget,
    observer: &dyn Observer,
) -> (Outcome, CegarStats, Option<String>) {
    let run = || {
        let mut depth = config.recursion_bound;
        let mut result = verify_to_depth(task, config, depth, budget, observer);
        while let Outcome::Unknown(Reason { code: Code::BoundReached, .. }) = result.0
            && depth < DEEPEST
        {
            depth = 2 * depth.max(1);
            let deeper = verify_to_depth(task, config, depth, budget, observer);
            // What has no room any more says less than what was there before.
            if let Outcome::Unknown(Reason { code: Code::TooLarge, .. }) = deeper.0 {
                break;
            }
            result = deeper;
        }
        result
    };
    on_large_stack(run).unwrap_or_else(|reason| (Outcome::Unknown(reason), CegarStats::default(), None))
}

fn verify_to_depth(
    task: &Task,
    config: &CegarConfig,
    recursion_bound: u32,
    budget: &Budget,
    observer: &dyn Observer,
) -> (Outcome, CegarStats, Option<String>) {
    match task.prepared(form(config, recursion_bound)) {
        Ok(prepared) => {
            let locations = prepared.procs.iter().map(|proc| proc.locations.len()).sum();
            let edges = prepared.procs.iter().map(|proc| proc.edges.len()).sum();
            observer.event(Event::Prepared { locations, edges });
            search::search(task, &prepared, config, budget, observer)
        }
        Err(unprepared) => (Outcome::Unknown(unprepared.into()), CegarStats::default(), None),
    }
}

/// The form of the Program that is abstracted.
fn form(config: &CegarConfig, recursion_bound: u32) -> Form {
    Form::Blocks(Blocks {
        recursion_bound,
        // Whoever asks for the global variables means them as they are.
        keep_globals: config.initial == InitialPrecision::AllGlobals,
        sliced: matches!(config.coi, Coi::Static | Coi::Both),
        cells: config.arrays == Arrays::Cells,
        lbe: config.lbe(),
    })
}
