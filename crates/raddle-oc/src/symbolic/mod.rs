//! Symbolic execution of all threads: Program to event graph.
//!
//! Each procedure is walked in its weak topological order; paths that meet are merged at once, so the work is linear in the size of the
//! unrolled program. Loops whose exits fold to constants unroll themselves; others go to their bound. A call runs the callee with the caller's
//! state; a start runs the new thread before the starter goes on (its events are concurrent all the same: only the order in which we look at them).
//!
//! **A thread may always stop.** An assumption, a blocked wait, a lock that is taken, undefined behaviour, a bound: each only
//! strengthens the guard of what follows in that thread. Nothing constrains other threads, since any prefix of an execution is an
//! execution, and an error in one thread does not wait for the others. Conversely every prefix extends to a run in which all threads go on until they are stuck,
//! which is what the guards describe.
//!
//! **Steps.** The labels of an edge, and a whole atomic block, are one node: reads take their value at the node's place in the order,
//! later reads see the node's own writes, and writes become visible at its end, if the end is reached.
//!
//! **Private memory.** What no two threads access concurrently (by start and join) is no event: its value travels with the thread, from the
//! starter to the started, and back on a join. See knowledge/cells.rs for how this is known.
//!
//! **Who owns what.** The walk (`walk`: an `Executor`) follows threads, procedures, edges and labels; `Memory` owns what they do to memory and the event graph
//! under construction (`GraphBuilder`); `Assumptions` own what is taken for granted of memory. A path is a `State`.

mod code;
pub mod event_graph;
mod graph_builder;
pub mod guard;
pub mod knowledge;
mod memory;
mod scalars;
mod state;
pub mod symbols;
mod walk;

pub use crate::symbolic::walk::run;

use crate::symbolic::code::Code;
use crate::symbolic::event_graph::Limit;
use crate::symbolic::knowledge::cells::Knowledge;
use crate::symbolic::memory::objects::Objects;
use crate::symbolic::symbols::Symbols;
use raddle_ir::Program;
use rustc_hash::FxHashMap;

/// So many threads of one site run in any case.
const THREADS_AT_ONCE: u32 = 4;
/// Iterations of a loop that is decided statically, at first.
const STATIC_ITERATIONS: u32 = 256;

/// How far loops, recursion and threads are followed.
#[derive(Clone, Debug)]
pub struct Bounds {
    pub default: u32,
    pub of: FxHashMap<Limit, u32>,
    /// Labels to execute in all.
    pub most_labels: u64,
}

impl Bounds {
    pub fn of(&self, limit: Limit) -> u32 {
        let least = if let Limit::Threads(..) = limit { THREADS_AT_ONCE } else { 0 };
        self.of.get(&limit).copied().unwrap_or(self.default).max(least)
    }

    pub fn largest(&self) -> u32 {
        self.of.values().copied().max().unwrap_or(self.default)
    }
}

/// Why a run ended early.
pub enum Ended {
    /// An assumption was dropped: run again.
    Again,
    /// What the engine cannot express.
    Unsupported(String),
    Stopped,
}

pub(crate) type Run<T> = Result<T, Ended>;

pub(crate) fn unsupported<T>(what: impl Into<String>) -> Run<T> {
    Err(Ended::Unsupported(what.into()))
}

/// What lasts from run to run, and from bound to bound.
pub struct Context<'p> {
    program: &'p Program,
    code: Code<'p>,
    objects: Objects<'p>,
    knowledge: Knowledge,
    pub pool: Symbols,
    pub bounds: Bounds,
}

impl<'p> Context<'p> {
    pub fn new(program: &'p Program, bounds: Bounds, lasting_symbols: bool) -> Context<'p> {
        Context {
            program,
            code: Code::new(program),
            objects: Objects::new(program),
            knowledge: Knowledge { static_iterations: STATIC_ITERATIONS, ..Knowledge::default() },
            pool: Symbols::new(program, lasting_symbols),
            bounds,
        }
    }
}
