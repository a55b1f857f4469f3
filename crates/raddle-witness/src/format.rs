//! A witness as data.
//!
//! Two kinds of entries are used: a `violation_sequence` leads to a violation, an `invariant_set` says why there is none. `at` is the line of the
//! witness where a part begins, for messages; 0 where the witness was not read from a file. It does not count when witnesses are compared.

use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Version {
    V2_0,
    V2_1,
    V2_2,
}

impl Version {
    pub const ALL: [Version; 3] = [Version::V2_0, Version::V2_1, Version::V2_2];

    pub fn name(self) -> &'static str {
        match self {
            Version::V2_0 => "2.0",
            Version::V2_1 => "2.1",
            Version::V2_2 => "2.2",
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An entry of a witness; a witness is a list of them, all of one version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub metadata: Metadata,
    pub content: Content,
    pub at: Line,
}

/// A line of the witness. All are equal: where a part stands says nothing about what it is.
#[derive(Clone, Copy, Debug, Default, Eq)]
pub struct Line(pub u64);

impl PartialEq for Line {
    fn eq(&self, _: &Line) -> bool {
        true
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Metadata {
    pub version: Version,
    pub uuid: String,
    /// ISO 8601, with a zone.
    pub creation_time: String,
    pub producer: Producer,
    pub task: Task,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Producer {
    pub name: String,
    pub version: String,
    pub configuration: Option<String>,
    pub command_line: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Each input file with its SHA-256 in hexadecimal digits.
    pub input_files: Vec<(String, String)>,
    pub specification: String,
    /// ILP32 or LP64.
    pub data_model: String,
    /// C, always.
    pub language: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// `violation_sequence`
    Violation(Vec<Segment>),
    /// `invariant_set`
    Invariants(Vec<Item>),
    /// `ghost_instrumentation`: known to the format, and read no further.
    Ghosts,
}

/// Waypoints that are avoided until the last one is followed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Segment {
    pub waypoints: Vec<Waypoint>,
    pub at: Line,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    pub kind: WaypointKind,
    pub action: Action,
    pub location: Location,
    pub constraint: Option<Constraint>,
    /// 0 is the first thread; k is the one that the k-th thread-creating `function_enter` makes. From 2.2 on.
    pub thread_id: Option<u32>,
    pub at: Line,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WaypointKind {
    /// Holds before a statement.
    Assumption,
    /// How a condition comes out.
    Branching,
    FunctionEnter,
    /// What a call returns.
    FunctionReturn,
    /// The statement that violates the property.
    Target,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    Follow,
    Avoid,
    /// Passed again and again; from 2.1 on, for executions that do not end.
    Cycle,
}

/// A place in an input file as it was given.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    pub file_name: String,
    pub line: u32,
    /// From 1. Without it, the first place on the line that fits.
    pub column: Option<u32>,
    pub function: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    pub value: String,
    /// `c_expression`, `acsl_expression` (2.0) or `ext_c_expression` (from 2.1 on).
    pub format: Option<String>,
}

/// An element of an `invariant_set`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    Invariant(Invariant),
    Contract(Contract),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    pub kind: InvariantKind,
    pub location: Location,
    pub value: String,
    pub format: String,
    pub at: Line,
}

/// What a function needs and gives; from 2.1 on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    pub location: Location,
    pub requires: Option<String>,
    pub ensures: Option<String>,
    pub format: String,
    pub at: Line,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InvariantKind {
    /// At a loop, each time before the condition is evaluated.
    Loop,
    /// Before a statement.
    Location,
    LoopTransition,
    LocationTransition,
}

/// A kind and its name in the format.
macro_rules! names {
    ($kind:ident: $($variant:ident = $name:literal),* $(,)?) => {
        impl $kind {
            pub fn name(self) -> &'static str {
                match self { $($kind::$variant => $name),* }
            }
            pub fn of_name(name: &str) -> Option<$kind> {
                match name { $($name => Some($kind::$variant),)* _ => None }
            }
        }
    };
}
names!(WaypointKind: Assumption = "assumption", Branching = "branching", FunctionEnter = "function_enter",
    FunctionReturn = "function_return", Target = "target");
names!(Action: Follow = "follow", Avoid = "avoid", Cycle = "cycle");
names!(InvariantKind: Loop = "loop_invariant", Location = "location_invariant",
    LoopTransition = "loop_transition_invariant", LocationTransition = "location_transition_invariant");
