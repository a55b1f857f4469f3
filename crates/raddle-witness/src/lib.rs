//! Verification witnesses, format 2.0 to 2.2: what another tool needs to check a verdict.
//!
//! `format.rs` is a witness as data, `write.rs` and `read.rs` are its YAML, and `lint.rs` has the rules of the format: nothing is written or taken
//! that breaks one. `metadata.rs` makes what every entry begins with. Knows nothing of Programs and engines.

mod format;
mod lint;
mod metadata;
mod read;
mod write;

pub use format::{
    Action, Constraint, Content, Contract, Entry, Invariant, InvariantKind, Item, Line, Location, Metadata, Producer,
    Segment, Task, Version, Waypoint, WaypointKind,
};
pub use lint::lint;
pub use metadata::{hash, new_uuid, now, timestamp};
pub use read::{Problem, read};
pub use write::write;
