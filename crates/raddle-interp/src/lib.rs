//! Runs a Program on concrete values: simulation, replay of counterexamples, and exhaustive exploration.
//!
//! This is the reference semantics of Programs, and the brute-force oracle that other engines are tested against. It knows
//! the Program and its evaluator, and no solver.
//!
//! The way of the data: `code` compiles a Program once; `state` is a running one; `step` lets a thread take an
//! edge and asks an `oracle` for everything that is not determined; `simulate`, `explore` and `replay` are three ways to
//! drive it. Under a weak memory model (`memory_model`) stores wait in the `store_buffers` of their thread.

mod explore;
mod machine;
mod replay;
mod simulate;

pub use explore::{ExploreConfig, ExploreOutcome, ExploreStats, Outcome, Por, explore};
pub use machine::step::HazardKind;
pub use replay::trace::{Trace, TraceStep};
pub use replay::{ReplayEnd, ReplayResult, Schedule, ScheduleStep, lead_back, replay};
pub use simulate::{SimulateConfig, SimulateEnd, SimulateResult, simulate};

/// Why whoever started a run wants it to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    Timeout,
    OutOfMemory,
    Cancelled,
}
