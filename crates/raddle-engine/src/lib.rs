//! The interface of engines: what an engine gets and what it gives back.
//!
//! A `Task` is a Program as lowered, its property, and what is derived from it once. An `Engine` runs on a Task within a `Budget`, starts from `Facts` that
//! others found, tells an `Observer` how far it is, and comes to a `Conclusion`: an `Outcome`, new facts, statistics. Counterexamples of
//! prepared Programs are confirmed here, and only here (`confirm`), on the Program as lowered.
//!
//! This crate knows no engine.

mod c_expression;
mod conclusion;
mod confirm;
mod engine;
mod facts;
mod inspect;
mod invariants;
mod observer;
mod outcome;
mod por;
mod proof;
mod task;

pub use c_expression::c_expression;
pub use conclusion::Conclusion;
pub use engine::{Engine, on_large_stack, supports_property};
pub use facts::{Facts, SafeWithin};
pub use inspect::inspected;
pub use invariants::{Invariant, Invariants};
pub use observer::{Event, Observer, Silent};
pub use outcome::{Code, Outcome, Reason};
pub use por::Por;
pub use proof::{Argument, Proof};
pub use raddle_budget::{Budget, Stop};
pub use raddle_interp::{Schedule, ScheduleStep, Telling, Trace};
pub use task::{Blocks, Form, Task, Unprepared};
