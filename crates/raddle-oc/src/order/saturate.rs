//! The happens-before relation of what is known so far (thesis, Definition 15): chains, edges and read-froms, closed under
//! Axioms 1 to 3.
//!
//! Facts are added one by one: a write is there, a read-from holds, an edge holds. Each is followed to the fixpoint, or to
//! the edge that would close a cycle. Axiom 1 is the clocks' business. The other two are looked at only where a clock was raised:
//! when nodes of a chain newly precede a read, the last of the writes among them is ordered before what the read reads (Axiom 2; the
//! earlier ones follow by their chain), and when writes newly precede a write, their readers are ordered before it (Axiom 3).
//!
//! A node's own write comes after its read: it neither precedes that read nor has to be ordered after it.

use super::clocks::{self, Clocks};
use super::lookup::Lookup;
use super::{NodeId, OrderProblem, ReadId, WriteId};
use raddle_smt::SatLit;

/// Why an edge is there (thesis, Definition 16).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    Always,
    Literal(SatLit),
    /// A choice of whoever searches, by its number.
    Chosen(u32),
    /// Axiom 2 for a read-from, and a write that precedes the read.
    Serialization(u32, WriteId),
    /// Axiom 3 for a read-from, and a write that the read-from's write precedes.
    FromRead(u32, WriteId),
}

/// This edge would close a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflict {
    pub from: NodeId,
    pub to: NodeId,
    pub why: Why,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    Enabled(WriteId),
    ReadFrom(u32),
}

#[derive(Clone, Copy, Debug)]
pub struct Mark {
    clocks: clocks::Mark,
    pub facts: usize,
}

#[derive(Clone, Debug)]
pub struct Saturation {
    pub problem: OrderProblem,
    pub lookup: Lookup,
    pub clocks: Clocks,
    /// Why each edge of the clocks is there.
    pub why: Vec<Why>,
    /// Writes and read-froms that are there, as they came.
    pub facts: Vec<Fact>,
    enabled: Vec<bool>,
    /// The read-froms that hold, by read, by write, and by cell.
    pub holding_of_read: Vec<Vec<u32>>,
    pub holding_of_write: Vec<Vec<u32>>,
    holding_of_cell: Vec<Vec<u32>>,
    /// How much of the clocks' log has been looked at.
    seen: usize,
    pub derived_serializations: u64,
    pub derived_from_reads: u64,
}

impl Saturation {
    /// Only the chains; nothing is enabled.
    pub fn new(problem: OrderProblem) -> Saturation {
        let clocks = Clocks::of_chains(&problem);
        Saturation {
            lookup: Lookup::of(&problem, &clocks),
            clocks,
            why: Vec::new(),
            facts: Vec::new(),
            enabled: vec![false; problem.writes.len()],
            holding_of_read: vec![Vec::new(); problem.reads.len()],
            holding_of_write: vec![Vec::new(); problem.writes.len()],
            holding_of_cell: vec![Vec::new(); problem.cells as usize],
            seen: 0,
            derived_serializations: 0,
            derived_from_reads: 0,
            problem,
        }
    }

    /// The edges and writes that are always there.
    pub fn add_unconditional(&mut self) -> Result<(), Conflict> {
        for i in 0..self.problem.edges.len() {
            let edge = self.problem.edges[i];
            if edge.when.is_none() {
                self.add_edge(edge.from, edge.to, Why::Always)?;
            }
        }
        for i in 0..self.problem.writes.len() {
            if self.problem.writes[i].guard.is_none() {
                self.enable(WriteId(i as u32))?;
            }
        }
        Ok(())
    }

    pub fn is_enabled(&self, write: WriteId) -> bool {
        self.enabled[write.index()]
    }

    /// The nodes of a read-from's write and read.
    pub fn ends(&self, rf: u32) -> (NodeId, NodeId) {
        let read_from = &self.problem.read_froms[rf as usize];
        (self.problem.writes[read_from.write.index()].node, self.problem.reads[read_from.read.index()].node)
    }

    pub fn node_of(&self, write: WriteId) -> NodeId {
        self.problem.writes[write.index()].node
    }

    pub fn owns(&self, read: ReadId, write: WriteId) -> bool {
        self.problem.reads[read.index()].own.contains(&write)
    }

    pub fn mark(&self) -> Mark {
        Mark { clocks: self.clocks.mark(), facts: self.facts.len() }
    }

    /// Back to a state at a fixpoint.
    pub fn undo_to(&mut self, mark: Mark) {
        self.clocks.undo_to(mark.clocks);
        self.why.truncate(self.clocks.edges().len());
        self.seen = self.clocks.raises();
        for fact in self.facts.drain(mark.facts..).rev() {
            match fact {
                Fact::Enabled(write) => self.enabled[write.index()] = false,
                Fact::ReadFrom(rf) => {
                    let read_from = &self.problem.read_froms[rf as usize];
                    self.holding_of_read[read_from.read.index()].pop();
                    self.holding_of_write[read_from.write.index()].pop();
                    self.holding_of_cell[self.problem.reads[read_from.read.index()].cell.index()].pop();
                }
            }
        }
    }

    /// An edge holds.
    pub fn add_edge(&mut self, from: NodeId, to: NodeId, why: Why) -> Result<(), Conflict> {
        self.edge(from, to, why)?;
        self.saturate()
    }

    /// A write is there.
    pub fn enable(&mut self, write: WriteId) -> Result<(), Conflict> {
        if std::mem::replace(&mut self.enabled[write.index()], true) {
            return Ok(());
        }
        self.facts.push(Fact::Enabled(write));
        let cell = self.problem.writes[write.index()].cell.index();
        for i in 0..self.holding_of_cell[cell].len() {
            let rf = self.holding_of_cell[cell][i];
            self.order(rf, write)?;
        }
        self.saturate()
    }

    /// A read-from holds.
    pub fn read_from(&mut self, rf: u32) -> Result<(), Conflict> {
        let read_from = self.problem.read_froms[rf as usize];
        let (w, r) = self.ends(rf);
        let cell = self.problem.reads[read_from.read.index()].cell;
        if self.holding_of_read[read_from.read.index()].contains(&rf) {
            return Ok(());
        }
        self.facts.push(Fact::ReadFrom(rf));
        self.holding_of_read[read_from.read.index()].push(rf);
        self.holding_of_write[read_from.write.index()].push(rf);
        self.holding_of_cell[cell.index()].push(rf);
        if read_from.orders {
            self.edge(w, r, Why::Literal(read_from.lit))?;
        }
        for i in 0..self.problem.reads[read_from.read.index()].own.len() {
            let own = self.problem.reads[read_from.read.index()].own[i];
            if self.is_enabled(own) {
                self.serialize(rf, own)?;
            }
        }
        for chain in self.clocks.chains() {
            if let Some(before) = self.last_before(r, read_from.read, chain, 0) {
                self.serialize(rf, before)?;
            }
            let writes = self.lookup.writes(cell, chain);
            let first = writes.partition_point(|&(_, other)| !self.clocks.precedes(w, self.node_of(other)));
            if let Some(&(_, after)) = writes[first..].iter().find(|&&(_, other)| self.is_enabled(other)) {
                self.order_after(rf, after)?;
            }
        }
        self.saturate()
    }

    /// The last enabled write on the chain before a read, if it is at this place or later.
    pub fn last_before(&self, node: NodeId, read: ReadId, chain: super::ChainId, from: u32) -> Option<WriteId> {
        let cell = self.problem.reads[read.index()].cell;
        let writes = self.lookup.writes_within(cell, chain, from..self.clocks.clock(node, chain));
        writes.iter().rev().map(|&(_, write)| write).find(|&write| self.is_enabled(write))
    }

    /// Follows the raised clocks to the fixpoint.
    fn saturate(&mut self) -> Result<(), Conflict> {
        while self.seen < self.clocks.raises() {
            let raised = self.clocks.raised(self.seen);
            self.seen += 1;
            let (node, chain) = (raised.node, raised.chain);
            for i in 0..self.lookup.reads_at(node).len() {
                let read = self.lookup.reads_at(node)[i];
                if self.holding_of_read[read.index()].is_empty() {
                    continue;
                }
                let Some(before) = self.last_before(node, read, chain, raised.old) else { continue };
                for j in 0..self.holding_of_read[read.index()].len() {
                    self.serialize(self.holding_of_read[read.index()][j], before)?;
                }
            }
            for i in 0..self.lookup.writes_at(node).len() {
                let write = self.lookup.writes_at(node)[i];
                if !self.is_enabled(write) {
                    continue;
                }
                let cell = self.problem.writes[write.index()].cell;
                let mut at = self.lookup.writes(cell, chain).partition_point(|&(place, _)| place < raised.old);
                while let Some(&(place, w)) = self.lookup.writes(cell, chain).get(at) {
                    if place >= self.clocks.clock(node, chain) {
                        break;
                    }
                    at += 1;
                    for j in 0..self.holding_of_write[w.index()].len() {
                        self.order_after(self.holding_of_write[w.index()][j], write)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Both axioms for a read-from that holds and a write that is there.
    fn order(&mut self, rf: u32, other: WriteId) -> Result<(), Conflict> {
        let (w, r) = self.ends(rf);
        let node = self.node_of(other);
        if self.clocks.precedes(node, r) || self.owns(self.problem.read_froms[rf as usize].read, other) {
            self.serialize(rf, other)?;
        }
        if self.clocks.precedes(w, node) {
            self.order_after(rf, other)?;
        }
        Ok(())
    }

    /// Axiom 2: the other write precedes the read, so it precedes the write that is read.
    fn serialize(&mut self, rf: u32, other: WriteId) -> Result<(), Conflict> {
        let (from, to) = (self.node_of(other), self.ends(rf).0);
        if from == to || self.clocks.precedes(from, to) {
            return Ok(());
        }
        self.derived_serializations += 1;
        self.edge(from, to, Why::Serialization(rf, other))
    }

    /// Axiom 3: the write that is read precedes the other one, so the read precedes it.
    fn order_after(&mut self, rf: u32, other: WriteId) -> Result<(), Conflict> {
        let (from, to) = (self.ends(rf).1, self.node_of(other));
        if from == to || self.clocks.precedes(from, to) {
            return Ok(());
        }
        self.derived_from_reads += 1;
        self.edge(from, to, Why::FromRead(rf, other))
    }

    fn edge(&mut self, from: NodeId, to: NodeId, why: Why) -> Result<(), Conflict> {
        match self.clocks.add_edge(from, to) {
            Ok(()) => {
                self.why.push(why);
                Ok(())
            }
            Err(clocks::Cycle) => Err(Conflict { from, to, why }),
        }
    }
}
