//! The ordering problem: nodes, what they read and write, and the literals that say what really happens.
//!
//! A *node* is one step of a thread that touches shared memory: an edge of the Program or a whole atomic block. Within a node everything
//! happens at once: for each cell a node reads at most one value from outside (its *read*) and leaves at most one value behind (its
//! *write*). Nodes lie on *chains*: the nodes of a chain are totally ordered by program order. Under sequential consistency a
//! thread is one chain. A cell is a piece of memory; two accesses conflict exactly if their cells are equal.
//!
//! An order of the nodes explains an assignment of the literals if every read sees the last write before it whose guard is true
//! (thesis, Definition 15 and Axioms 1 to 3). The edges are those of program order (chains), those given here, and for each read-from
//! literal that is true the one from its write to its read; the axioms derive more.

pub mod check;
pub mod clocks;
pub mod decide;
pub mod explain;
pub mod lazy;
pub mod linearise;
pub mod lookup;
pub mod prevent;
pub mod saturate;
pub mod theory;

#[cfg(test)]
mod tests;

pub use decide::Decide;
pub use linearise::{Linearised, linearise};
pub use theory::{OrderCounts, OrderOptions, OrderTheory};

use raddle_smt::SatLit;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
ids!(
    /// Names a node.
    NodeId,
    /// Names a chain.
    ChainId,
    /// Names a cell.
    CellId,
    /// Names a write.
    WriteId,
    /// Names a read.
    ReadId,
);

/// When something is there: always, or if a literal is true.
pub type When = Option<SatLit>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    pub node: NodeId,
    pub cell: CellId,
    pub guard: When,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    pub node: NodeId,
    pub cell: CellId,
    pub guard: When,
    /// Earlier writes of the same thread to the cell that the read must not miss although nothing orders them before it: those that may
    /// still be in the thread's store buffer. Empty under sequential consistency. Axiom 2 takes them as preceding the read.
    pub own: Vec<WriteId>,
}

/// If the literal is true, the read gets its value from the write, and both are there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadFrom {
    pub lit: SatLit,
    pub write: WriteId,
    pub read: ReadId,
    /// Does the write then precede the read? It does, but for reads from the own store buffer.
    pub orders: bool,
}

/// If the literal is true, the first node precedes the second: a start or join that may not happen, or an order of writes (ws).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    pub from: NodeId,
    pub to: NodeId,
    pub when: When,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OrderProblem {
    /// The nodes of each chain in program order. Each node is on exactly one chain; nodes are numbered from 0.
    pub chains: Vec<Vec<NodeId>>,
    pub nodes: u32,
    pub cells: u32,
    pub writes: Vec<Write>,
    pub reads: Vec<Read>,
    pub read_froms: Vec<ReadFrom>,
    pub edges: Vec<Edge>,
}
