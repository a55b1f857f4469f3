//! Runs a Program on concrete values: simulation, and replay of counterexamples.
//!
//! This is the reference semantics of Programs. It knows the Program and its evaluator, and no solver. It shares no code with the engines on purpose: what
//! a lock, a thread or an allocation does is said here once more, independently.
//!
//! The way of the data: `code` compiles a Program once; `state` is a running one; `step` lets a thread take an
//! edge and asks an `oracle` for everything that is not determined; `simulate` and `replay` drive it, and so does
//! `raddle-explore`. Under a weak memory model (`memory_model`) stores wait in the `store_buffers` of their thread.

pub mod machine;
mod replay;
mod simulate;

pub use machine::step::HazardKind;
pub use replay::execution;
pub use replay::trace::{self, Trace, TraceStep};
pub use replay::{
    Action, Misled, ReplayEnd, ReplayResult, Schedule, ScheduleStep, Source, Telling, calm, lead_back, record,
    record_code, record_last, replay, replay_code, switches,
};
pub use simulate::sample;
pub use simulate::{RandomRun, SimulateConfig, SimulateEnd, SimulateResult, random_run, simulate};
