//! Memory models: when a store becomes visible to other threads.
//!
//! Under sequential consistency (SC) at once. Under TSO (x86; Owens, Sarkar, Sewell 2009) and PSO (SPARC; Adve and
//! Gharachorloo 1996) a store first goes to a buffer of its thread (see `raddle_interp`'s `store_buffers`), and becomes visible by a
//! *commit*, a step of its own: under TSO in the order of the stores, under PSO stores to different places in any order.
//!
//! Some labels wait until the buffer of their thread is empty:
//! - a sequentially consistent fence;
//! - a sequentially consistent store, which then goes straight to memory (x86: `xchg`), and so does an edge that
//!   loads and stores, which is a read-modify-write;
//! - whatever starts, ends or joins a thread, locks, or begins an atomic block. In an atomic block stores go straight
//!   to memory.
//!
//! Under PSO a release store and a release fence do not wait, but *separate*: the stores before them become visible before those
//! after them (SPARC: `membar #StoreStore`). So whatever TSO allows, PSO allows too.
//!
//! Loads need no care: these models never let a load be overtaken by anything later.

use crate::program::{Edge, Label, Order, Place, Program, VarKind};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryModel {
    /// Sequential consistency: stores are visible at once
    #[default]
    Sc,
    /// Its approximation by the axioms of weak sequential consistency alone: what they do not refute and no total order explains is unknown
    Wsc,
    /// Total store order: one queue of pending stores for each thread
    Tso,
    /// Partial store order: one queue for each thread and place
    Pso,
}

impl MemoryModel {
    pub const ALL: [MemoryModel; 4] = [MemoryModel::Sc, MemoryModel::Wsc, MemoryModel::Tso, MemoryModel::Pso];

    pub fn name(self) -> &'static str {
        match self {
            MemoryModel::Sc => "sc",
            MemoryModel::Wsc => "wsc",
            MemoryModel::Tso => "tso",
            MemoryModel::Pso => "pso",
        }
    }

    /// The model that executions are run under: what is not sequentially consistent under WSC cannot be run.
    pub fn of_executions(self) -> MemoryModel {
        match self {
            MemoryModel::Wsc => MemoryModel::Sc,
            other => other,
        }
    }

    /// Do stores wait in a buffer?
    pub fn has_buffers(self) -> bool {
        matches!(self, MemoryModel::Tso | MemoryModel::Pso)
    }

    /// Is a label only executed when no store of its thread is pending?
    pub fn waits(self, label: &Label) -> bool {
        match label {
            Label::Fence(order) | Label::Store { order, .. } => self.has_buffers() && *order == Order::SeqCst,
            Label::AtomicBegin
            | Label::Start { .. }
            | Label::Join { .. }
            | Label::ThreadExit { .. }
            | Label::Lock { .. } => self.has_buffers(),
            Label::Assign { .. }
            | Label::Havoc { .. }
            | Label::Assume(_)
            | Label::Await(_)
            | Label::Require { .. }
            | Label::Load { .. }
            | Label::Alloc { .. }
            | Label::Free { .. }
            | Label::ObjectSize { .. }
            | Label::Valid { .. }
            | Label::Leaks { .. }
            | Label::AtomicEnd
            | Label::Self_ { .. }
            | Label::Call { .. }
            | Label::Error(_)
            | Label::Halt { .. }
            | Label::Print { .. } => false,
        }
    }

    /// Do the stores before a label become visible before those after it (for a store: before it and those after it)?
    pub fn separates(self, label: &Label) -> bool {
        let released = |order: &Order| matches!(order, Order::Release | Order::AcqRel);
        self == MemoryModel::Pso && matches!(label, Label::Fence(order) | Label::Store { order, .. } if released(order))
    }

    /// Is an edge only taken when no store of its thread is pending? What comes before a label that waits commutes with
    /// the commits that it waits for, so the edge as a whole may wait.
    pub fn edge_waits(self, program: &Program, edge: &Edge) -> bool {
        self.has_buffers() && (is_read_modify_write(program, edge) || edge.labels.iter().any(|label| self.waits(label)))
    }
}

/// Does an edge both load and store something shared?
pub fn is_read_modify_write(program: &Program, edge: &Edge) -> bool {
    let shared = |place: &Place| match place {
        Place::Var(var) => matches!(program.var(*var).kind, VarKind::Global(_)),
        Place::Memory(_) => true,
    };
    edge.labels.iter().any(|label| matches!(label, Label::Load { place, .. } if shared(place)))
        && edge.labels.iter().any(|label| matches!(label, Label::Store { place, .. } if shared(place)))
}
