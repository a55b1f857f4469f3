//! What people and other tools read of a result. [`Report`] is the result as data; every format is told from it and from nothing else.

mod deadlock;
mod fold;
mod harness;
mod html;
mod json;
mod misuse;
mod names;
mod omissions;
mod origins;
mod races;
mod report;
mod sarif;
mod slice;
mod story;
mod tell;
mod text;

pub use harness::{Build, harness};
pub use html::html;
pub use json::{SCHEMA, json};
pub use report::{Automaton, AutomatonEdge, Found, Invariant, Proof, Reason, Report, SourceFile};
pub use sarif::{Run, sarif};
pub use story::{Access, AccessKind, Cell, Input, Place, Step, Story, Thread};
pub use tell::{Lines, tell};
pub use text::text;
