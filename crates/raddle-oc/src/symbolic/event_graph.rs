//! The event graph: what the symbolic execution makes of a program within its bounds.
//!
//! Expressions are over symbols: inputs and the values of reads. Only accesses to shared cells while several threads may run are events; all other
//! computation is in the expressions.

use crate::library_results::LibraryResult;
use crate::symbolic::guard::Guard;
use crate::symbolic::knowledge::cells::Cell;
use raddle_interp::Source;
use raddle_ir::{EdgeId, ExprId, LocId, ProcId, Span};
use rustc_hash::FxHashSet;

/// A node: one step or atomic block of a thread that does something that others can see. See order/mod.rs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    pub thread: u32,
    /// `None`: it lies on the chain of the thread itself, otherwise on this lane of its store buffer.
    pub lane: Option<u32>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadEvent {
    pub node: u32,
    pub cell: Cell,
    /// Where in a region.
    pub index: Option<ExprId>,
    pub guard: Guard,
    /// The symbol that stands for the value.
    pub value: ExprId,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WriteEvent {
    pub node: u32,
    pub cell: Cell,
    /// Where in a region; `None`: all of it, the value is an array.
    pub index: Option<ExprId>,
    pub guard: Guard,
    pub value: ExprId,
    /// It was in a store buffer: the last node of the thread when the store was executed.
    pub issued: Option<u32>,
}

/// One node precedes another if a condition holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrderEdge {
    pub from: u32,
    pub to: u32,
    pub guard: Guard,
}

/// One edge of the Program that a thread takes if the guard holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    pub edge: EdgeId,
    pub guard: ExprId,
    /// The node that it is part of, if it is part of one.
    pub node: Option<u32>,
    /// The values of what is undetermined on it.
    pub values: Vec<(Source, ExprId)>,
    /// The thread that it starts.
    pub starts: Option<u32>,
    /// It ends in an error.
    pub error: bool,
    /// After it, the thread is in no atomic block (or there is no after).
    pub closes: bool,
    /// What it does to the store buffer.
    pub buffer: Vec<BufferStep>,
}

impl Step {
    /// An edge that does nothing yet.
    pub fn new(edge: EdgeId, guard: ExprId) -> Step {
        Step { edge, guard, node: None, values: vec![], starts: None, error: false, closes: false, buffer: vec![] }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BufferStep {
    /// Stores before it are visible before those after it.
    Separate,
    /// A store: the nodes where it may become visible, and when it does. None of them: it is private.
    Store { commits: Vec<(u32, ExprId)>, address: Option<ExprId> },
    /// Pending stores to the object at this address are lost.
    Free(ExprId),
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ThreadSteps {
    pub steps: Vec<Step>,
}

/// Why the graph is not all of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Limit {
    /// The loop with this head (a location) was not unrolled further.
    Loop(ProcId, u32),
    /// The same, though the number of its iterations is known: it is large, and there are events in each.
    KnownLoop(ProcId, u32),
    /// Calls of the procedure were not followed deeper.
    Recursion(ProcId),
    /// Threads that are started here (procedure, edge) were not run.
    Threads(ProcId, u32),
    /// The program got too large.
    Size,
    /// A lock is initialised while another thread holds it.
    HeldLock,
    /// What follows this location has no model.
    Gap(ProcId, LocId),
    /// An access here may have other targets than those that were followed.
    Targets(Span),
}

impl Limit {
    /// Is there more to see with a larger bound?
    pub fn is_bound(self) -> bool {
        !matches!(self, Limit::Size | Limit::HeldLock | Limit::Gap(..) | Limit::Targets(..))
    }
}

#[derive(Clone, Debug, Default)]
pub struct EventGraph {
    pub nodes: Vec<Node>,
    /// How many lanes of store buffers there are.
    pub lanes: u32,
    pub reads: Vec<ReadEvent>,
    pub writes: Vec<WriteEvent>,
    pub edges: Vec<OrderEdge>,
    pub threads: Vec<ThreadSteps>,
    /// The guards of errors.
    pub errors: Vec<ExprId>,
    /// Where the graph ends before the program does, and when that is reached.
    pub limits: Vec<(Limit, ExprId)>,
    /// When a stray pointer leads to no object. Nothing that needs this can be replayed.
    pub strays: Vec<ExprId>,
    /// A table that is too large to be stated: it begins with any values. A violation that depends on them cannot be replayed.
    pub unstated: Option<(String, Span)>,
    /// Calls of library functions of which only bounds are known.
    pub results: Vec<LibraryResult>,
    /// The dynamic objects: address and size.
    pub dynamics: Vec<(u64, u64)>,
    /// The locations that some path may reach.
    pub reached: FxHashSet<(ProcId, LocId)>,
}
