//! Preventive propagation: literals that would close a cycle if they were true (Sun et al., cited in the thesis, section 5.3).
//!
//! Once the known facts are at their fixpoint, these literals must be false:
//! - a read-from whose read precedes its write, or an edge whose target precedes its source;
//! - a read-from whose write is overwritten: a write that is there lies between it and the read;
//! - the guard of a write that lies between the two ends of a read-from that holds.
//!
//! They are looked for only where something changed: at the nodes whose clocks were raised, the writes that were enabled and the
//! read-froms that hold since the last look. It finds most of them, which is enough: the cycle itself is never missed.

use super::saturate::{Fact, Saturation};
use super::{NodeId, ReadId, WriteId};
use raddle_smt::SatLit;

/// Why a literal must be false.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Because {
    /// The first node precedes or is the second, and the literal says the opposite.
    Backwards(NodeId, NodeId),
    /// This write lies between the write and the read of the read-from; the literal is the read-from's or the write's guard.
    Between(u32, WriteId),
}

/// What has been looked at: how much of the clocks' log and of the facts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Looked {
    pub raises: usize,
    pub facts: usize,
}

/// The conditional edges by their source, as numbers in the problem.
pub type EdgesFrom = [Vec<u32>];

/// Gives `force` the literals that must be false. `open` says of a literal that it is unassigned.
pub fn look(
    order: &Saturation,
    edges_from: &EdgesFrom,
    looked: &mut Looked,
    open: impl Fn(SatLit) -> bool,
    mut force: impl FnMut(SatLit, Because),
) {
    let mut look = Look { order, edges_from, open, force: &mut force };
    for at in looked.raises..order.clocks.raises() {
        look.raised(at);
    }
    for &fact in &order.facts[looked.facts..] {
        match fact {
            Fact::Enabled(write) => look.enabled(write),
            Fact::ReadFrom(rf) => look.holds(rf),
        }
    }
    *looked = Looked { raises: order.clocks.raises(), facts: order.facts.len() };
}

/// What the chains and unconditional edges alone exclude.
pub fn look_at_all(order: &Saturation, edges_from: &EdgesFrom, mut force: impl FnMut(SatLit, Because)) {
    let clocks = &order.clocks;
    for (rf, read_from) in (0..).zip(&order.problem.read_froms) {
        let (w, r) = order.ends(rf);
        if read_from.orders && clocks.precedes_or_is(r, w) {
            force(read_from.lit, Because::Backwards(r, w));
        }
    }
    for &edge in edges_from.iter().flatten() {
        let edge = order.problem.edges[edge as usize];
        if let Some(lit) = edge.when
            && clocks.precedes_or_is(edge.to, edge.from)
        {
            force(lit, Because::Backwards(edge.to, edge.from));
        }
    }
}

struct Look<'a, Open, Force> {
    order: &'a Saturation,
    edges_from: &'a EdgesFrom,
    open: Open,
    force: &'a mut Force,
}

impl<Open: Fn(SatLit) -> bool, Force: FnMut(SatLit, Because)> Look<'_, Open, Force> {
    fn is_open(&self, rf: u32) -> bool {
        (self.open)(self.order.problem.read_froms[rf as usize].lit)
    }

    fn exclude(&mut self, rf: u32, because: Because) {
        (self.force)(self.order.problem.read_froms[rf as usize].lit, because);
    }

    /// The write's guard, if it is unassigned.
    fn open_guard(&self, write: WriteId) -> Option<SatLit> {
        self.order.problem.writes[write.index()].guard.filter(|&guard| (self.open)(guard))
    }

    fn precedes_read(&self, write: WriteId, read: ReadId) -> bool {
        let order = self.order;
        order.clocks.precedes(order.node_of(write), order.problem.reads[read.index()].node) || order.owns(read, write)
    }

    fn raised(&mut self, at: usize) {
        let order = self.order;
        let raised = order.clocks.raised(at);
        let (node, chain) = (raised.node, raised.chain);
        let places = raised.old..order.clocks.clock(node, chain);
        let place = |node: NodeId| (order.clocks.chain(node), order.clocks.position(node));
        let new = |node: NodeId| order.clocks.chain(node) == chain && places.contains(&order.clocks.position(node));
        for &edge in &self.edges_from[node.index()] {
            let edge = order.problem.edges[edge as usize];
            if let Some(lit) = edge.when
                && new(edge.to)
                && (self.open)(lit)
            {
                (self.force)(lit, Because::Backwards(edge.to, node));
            }
        }
        for &write in order.lookup.writes_at(node) {
            let readers = &order.lookup.readers[write.index()];
            let first = readers.partition_point(|&rf| place(order.ends(rf).1) < (chain, places.start));
            for &rf in readers[first..].iter().take_while(|&&rf| new(order.ends(rf).1)) {
                if order.problem.read_froms[rf as usize].orders && self.is_open(rf) {
                    self.exclude(rf, Because::Backwards(order.ends(rf).1, node));
                }
            }
            let (enabled, guard) = (order.is_enabled(write), self.open_guard(write));
            if !enabled && guard.is_none() {
                continue;
            }
            // Writes that newly precede this one, to which their readers may have to come before it.
            let writes = order.lookup.writes(order.problem.writes[write.index()].cell, chain);
            let first = writes.partition_point(|&w| order.clocks.position(order.node_of(w)) < places.start);
            for &w in writes[first..].iter().take_while(|&&w| new(order.node_of(w))) {
                if let Some(guard) = guard {
                    let mut holding = order.holding_of_write[w.index()].iter();
                    let between = |rf: u32| self.precedes_read(write, order.problem.read_froms[rf as usize].read);
                    if let Some(&rf) = holding.find(|&&rf| between(rf)) {
                        (self.force)(guard, Because::Between(rf, write));
                        break;
                    }
                } else {
                    for &rf in &order.lookup.readers[w.index()] {
                        let read = order.problem.read_froms[rf as usize].read;
                        if self.is_open(rf) && self.precedes_read(write, read) {
                            self.exclude(rf, Because::Between(rf, write));
                        }
                    }
                }
            }
        }
        for &read in order.lookup.reads_at(node) {
            if let Some(write) = order.last_before(node, read, chain, places.start) {
                self.overwritten(read, write);
            }
            for &rf in &order.holding_of_read[read.index()] {
                let writes = order.lookup.writes(order.problem.reads[read.index()].cell, chain);
                let first = writes.partition_point(|&w| order.clocks.position(order.node_of(w)) < places.start);
                for &write in writes[first..].iter().take_while(|&&w| new(order.node_of(w))) {
                    self.between(rf, write);
                }
            }
        }
    }

    /// The write is there and precedes the read: what the write overwrites cannot be read.
    fn overwritten(&mut self, read: ReadId, write: WriteId) {
        let order = self.order;
        for &rf in &order.lookup.sources[read.index()] {
            if order.clocks.precedes(order.ends(rf).0, order.node_of(write)) && self.is_open(rf) {
                self.exclude(rf, Because::Between(rf, write));
            }
        }
    }

    /// The read-from holds and the write precedes the read: it is not there if the read-from's write precedes it.
    fn between(&mut self, rf: u32, write: WriteId) {
        if let Some(guard) = self.open_guard(write)
            && self.order.clocks.precedes(self.order.ends(rf).0, self.order.node_of(write))
        {
            (self.force)(guard, Because::Between(rf, write));
        }
    }

    fn enabled(&mut self, write: WriteId) {
        let order = self.order;
        let node = order.node_of(write);
        for chain in order.clocks.chains() {
            let reads = order.lookup.reads(order.problem.writes[write.index()].cell, chain);
            let first =
                reads.partition_point(|&read| !order.clocks.precedes(node, order.problem.reads[read.index()].node));
            for &read in &reads[first..] {
                self.overwritten(read, write);
            }
        }
    }

    fn holds(&mut self, rf: u32) {
        let order = self.order;
        let read = order.problem.read_froms[rf as usize].read;
        let (w, r) = order.ends(rf);
        for chain in order.clocks.chains() {
            let writes = order.lookup.writes(order.problem.reads[read.index()].cell, chain);
            let count = writes.partition_point(|&write| order.clocks.precedes(order.node_of(write), r));
            let after = |write: WriteId| order.clocks.precedes(w, order.node_of(write));
            for &write in writes[..count].iter().rev().take_while(|&&write| after(write)) {
                self.between(rf, write);
            }
        }
    }
}
