//! Verification witnesses, format 2.0 to 2.2: what another tool needs to check a verdict.
//!
//! `format.rs` is a witness as data, `write.rs` and `read.rs` are its YAML, `graphml.rs` is the older form of it, and `lint.rs` has the rules of the format: nothing is written or taken
//! that breaks one. `metadata.rs` makes what every entry begins with. `violation.rs` makes a witness of a replayed counterexample, `correctness.rs` one of a proof, of which `understood.rs` keeps what another reader of the sources would understand; both
//! are told where places of the Program are in the input files. The other way: `restrict.rs` makes a Program whose violations are those that a witness leads to (`plan.rs` says what is looked at, `returned.rs` reads what is
//! said of results), `assertions.rs` one that asserts the invariants of a witness. Knows no engine, and nothing of C's grammar.

mod assertions;
mod correctness;
mod definedness;
mod format;
mod fragments;
mod graphml;
mod lint;
mod metadata;
mod plan;
mod read;
mod restrict;
mod returned;
mod understood;
mod violation;
mod write;

pub use assertions::{Asserted, asserted, claims};
pub use correctness::invariants;
pub use format::{
    Action, Constraint, Content, Contract, Entry, Invariant, InvariantKind, Item, Line, Location, Metadata, Producer,
    Segment, Task, Version, Waypoint, WaypointKind,
};
pub use fragments::without_probes;
pub use graphml::graphml;
pub use lint::lint;
pub use metadata::{hash, new_uuid, now, timestamp};
pub use plan::Plan;
pub use read::{Problem, read};
pub use restrict::{Reading, Restricted, restrict};
pub use understood::{questions, understood};
pub use violation::{Places, violation};
pub use write::write;
