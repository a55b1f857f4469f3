//! A violating execution as people read it: steps of threads, each a statement of the source, with the values that it read and wrote.
//!
//! Nothing here refers to a Program: names and values are text as the source would have them (`acc[2]`, `node#3->next`, `&m[0]`).

use serde::{Deserialize, Serialize};

/// A place in the source as people know it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Place {
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; 0 where it is not known.
    pub column: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Story {
    /// What goes wrong, in words: "a failed assertion".
    pub violation: String,
    /// The statement that violates the property.
    pub place: Place,
    /// By number: thread 0 runs `main`.
    pub threads: Vec<Thread>,
    /// The inputs that it needs, in the order of their steps.
    pub inputs: Vec<Input>,
    /// All steps, in the order of the execution; their numbers are their positions here, from 1.
    pub steps: Vec<Step>,
    /// Steps that are not told because the execution is too long.
    pub omitted: u64,
    /// How often another thread goes on, here and in the execution as it was found.
    pub switches: u64,
    pub switches_as_found: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Thread {
    /// The function that it runs.
    pub function: String,
    /// The step that started it; none for thread 0.
    pub started_by: Option<usize>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Input {
    /// The number of the step that it belongs to.
    pub step: usize,
    pub thread: u32,
    pub place: Place,
    /// Where it comes from: `__VERIFIER_nondet_int()`, `uninitialised x`.
    pub source: String,
    pub value: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    pub thread: u32,
    pub function: String,
    pub place: Place,
    /// The line of the user's file, without white space around it; empty where it is not known.
    pub source: String,
    /// Does the violation depend on it? Steps that it does not depend on are folded.
    pub needed: bool,
    /// Locks that the thread holds when the step is over.
    pub locks: Vec<String>,
    /// Values read and written, in order.
    pub accesses: Vec<Access>,
    /// What else happened, in words: "acquired m", "started thread 1 (worker)".
    pub notes: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Access {
    pub kind: AccessKind,
    /// The name of what is accessed.
    pub name: String,
    pub value: String,
    /// Of a read: the number of the step whose write it took its value from. None: a step that is not told, or nobody.
    pub from: Option<usize>,
    /// It read the initial value.
    pub initial: bool,
    /// Which bytes of memory that other threads may access; none for a local variable.
    pub cell: Option<Cell>,
    /// Does the violation depend on it?
    pub needed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AccessKind {
    Read,
    Write,
}

/// Bytes of an object: two accesses are to the same memory if their cells overlap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Cell {
    pub object: u64,
    pub offset: u64,
    pub size: u64,
}

impl Story {
    /// The number of a step is its position, from 1.
    pub fn step(&self, number: usize) -> Option<&Step> {
        self.steps.get(number.checked_sub(1)?)
    }
}
