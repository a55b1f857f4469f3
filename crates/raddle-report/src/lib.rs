//! What people and other tools read of a result. [`Report`] is the result as data; every format is told from it and from nothing else.

mod harness;
mod report;
mod story;

pub use harness::{Build, harness};
pub use report::{Automaton, AutomatonEdge, Invariant, Proof, Reason, Report, SourceFile};
pub use story::{Access, AccessKind, Cell, Input, Place, Step, Story, Thread};
