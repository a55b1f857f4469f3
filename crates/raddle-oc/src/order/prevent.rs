//! Preventive propagation: literals that would close a cycle if they were true (Sun et al., cited in the thesis, section 5.3).
//!
//! Once the known facts are at their fixpoint, these literals must be false:
//! - a read-from whose read precedes its write, or an edge whose target precedes its source;
//! - a read-from whose write is overwritten: a write that is there lies between it and the read;
//! - the guard of a write that lies between the two ends of a read-from that holds;
//! - the other read-froms of a read that has one;
//! - a read-from of a read-modify-write, from a write that another read-modify-write reads already.
//!
//! They are looked for only where something changed: at the nodes whose clocks were raised, the writes that were enabled and the
//! read-froms that hold since the last look. It finds most of them, which is enough: the cycle itself is never missed.
//!
//! What is overwritten is kept as one more clock for each read, its *floor*: on each chain, the writes below this place are overwritten
//! by something before the read. It is the join of the clocks of the writes before the read, and read-froms are excluded as it rises:
//! each once. Floors rise along a chain, so raising them ends at the first read that knows already.

use super::saturate::{Fact, Saturation};
use super::{ChainId, NodeId, ReadId, WriteId};
use raddle_smt::SatLit;

/// Why a literal must be false.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Because {
    /// The first node precedes or is the second, and the literal says the opposite.
    Backwards(NodeId, NodeId),
    /// This write lies between the write and the read of the read-from; the literal is the read-from's or the write's guard.
    Between(u32, WriteId),
    /// The literal is the first read-from's. The second one holds, and both are of the same read, or of read-modify-writes that read
    /// the same write.
    Taken(u32, u32),
}

/// What has been looked at: how much of the clocks' log and of the facts; and how often a floor was raised.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Looked {
    raises: usize,
    facts: usize,
    floors: usize,
}

/// The conditional edges by their source, as numbers in the problem.
pub type EdgesFrom = [Vec<u32>];

#[derive(Clone, Debug, Default)]
pub struct Prevention {
    looked: Looked,
    /// The floors of the reads, and their old values.
    floors: Vec<u32>,
    log: Vec<(u32, u32)>,
    /// The look in which a node was touched last, and the nodes of the present one.
    touched: Vec<u32>,
    look: u32,
    nodes: Vec<NodeId>,
    /// For each write the reads that own it.
    owners: Vec<(WriteId, ReadId)>,
}

impl Prevention {
    pub fn new(order: &Saturation) -> Prevention {
        let problem = &order.problem;
        let mut owners: Vec<(WriteId, ReadId)> = Vec::new();
        for (id, read) in (0..).map(ReadId).zip(&problem.reads) {
            owners.extend(read.own.iter().map(|&write| (write, id)));
        }
        owners.sort_unstable();
        Prevention {
            floors: vec![0; problem.reads.len() * problem.chains.len()],
            touched: vec![0; problem.nodes as usize],
            owners,
            ..Prevention::default()
        }
    }

    pub fn mark(&self) -> Looked {
        Looked { floors: self.log.len(), ..self.looked }
    }

    pub fn undo_to(&mut self, mark: Looked) {
        for (index, old) in self.log.drain(mark.floors..).rev() {
            self.floors[index as usize] = old;
        }
        self.looked = mark;
    }

    /// Gives `force` the literals that must be false. `open` says of a literal that it is unassigned.
    pub fn look(
        &mut self,
        order: &Saturation,
        edges_from: &EdgesFrom,
        open: impl Fn(SatLit) -> bool,
        force: impl FnMut(SatLit, Because),
    ) {
        let (raises, facts) = (self.looked.raises..order.clocks.raises(), self.looked.facts..order.facts.len());
        if raises.is_empty() && facts.is_empty() {
            return;
        }
        (self.looked.raises, self.looked.facts) = (raises.end, facts.end);
        self.look += 1;
        self.nodes.clear();
        let mut look = Look { order, edges_from, open, force, state: self };
        for at in raises {
            look.raised(at);
        }
        for i in 0..look.state.nodes.len() {
            for &write in order.lookup.writes_at(look.state.nodes[i]) {
                if order.is_enabled(write) {
                    look.overwrites(write);
                }
            }
        }
        for &fact in &order.facts[facts] {
            match fact {
                Fact::Enabled(write) => look.enabled(write),
                Fact::ReadFrom(rf) => look.holds(rf),
            }
        }
    }
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
    force: Force,
    state: &'a mut Prevention,
}

impl<Open: Fn(SatLit) -> bool, Force: FnMut(SatLit, Because)> Look<'_, Open, Force> {
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
        for &edge in &self.edges_from[node.index()] {
            let edge = order.problem.edges[edge as usize];
            if let Some(lit) = edge.when
                && order.clocks.chain(edge.to) == chain
                && places.contains(&order.clocks.position(edge.to))
                && (self.open)(lit)
            {
                (self.force)(lit, Because::Backwards(edge.to, node));
            }
        }
        for &write in order.lookup.writes_at(node) {
            for reader in order.lookup.readers_within(write, chain, places.clone()) {
                if (self.open)(reader.lit) && order.problem.read_froms[reader.rf as usize].orders {
                    (self.force)(reader.lit, Because::Backwards(order.ends(reader.rf).1, node));
                }
            }
            let (enabled, guard) = (order.is_enabled(write), self.open_guard(write));
            if !enabled && guard.is_none() {
                continue;
            }
            // Writes that newly precede this one.
            let cell = order.problem.writes[write.index()].cell;
            let writes = order.lookup.writes_within(cell, chain, places.clone());
            let Some(guard) = guard else {
                if !writes.is_empty() && self.state.touched[node.index()] != self.state.look {
                    self.state.touched[node.index()] = self.state.look;
                    self.state.nodes.push(node);
                }
                continue;
            };
            let mut holding = writes.iter().flat_map(|(_, w)| &order.holding_of_write[w.index()]);
            let between = |rf: u32| self.precedes_read(write, order.problem.read_froms[rf as usize].read);
            if let Some(&rf) = holding.find(|&&rf| between(rf)) {
                (self.force)(guard, Because::Between(rf, write));
            }
        }
        for &read in order.lookup.reads_at(node) {
            if let Some(write) = order.last_before(node, read, chain, places.start) {
                self.raise_floor(read, write);
            }
            for &rf in &order.holding_of_read[read.index()] {
                let cell = order.problem.reads[read.index()].cell;
                for &(_, write) in order.lookup.writes_within(cell, chain, places.clone()) {
                    self.between(rf, write);
                }
            }
        }
    }

    /// The write is there: what it overwrites cannot be read by what comes after it.
    fn overwrites(&mut self, write: WriteId) {
        let order = self.order;
        let (node, cell) = (order.node_of(write), order.problem.writes[write.index()].cell);
        let node_of = |read: ReadId| order.problem.reads[read.index()].node;
        for &chain in order.lookup.reading(cell) {
            let reads = order.lookup.reads(cell, chain);
            let first = reads.partition_point(|&(_, read)| !order.clocks.precedes(node, node_of(read)));
            for &(_, read) in &reads[first..] {
                if !self.raise_floor(read, write) {
                    break;
                }
            }
        }
        let first = self.state.owners.partition_point(|&(other, _)| other < write);
        for i in first..self.state.owners.len() {
            let (other, read) = self.state.owners[i];
            if other != write {
                break;
            }
            self.raise_floor(read, write);
        }
    }

    /// The write is there and precedes the read: what precedes the write is below the floor. Was this new?
    fn raise_floor(&mut self, read: ReadId, write: WriteId) -> bool {
        let order = self.order;
        let clock = order.clocks.row(order.node_of(write));
        let start = read.index() * clock.len();
        let floor = &mut self.state.floors[start..start + clock.len()];
        if !clock.iter().zip(floor.iter()).fold(false, |any, (value, old)| any | (value > old)) {
            return false;
        }
        for (i, (&value, old)) in clock.iter().zip(floor).enumerate() {
            if value <= *old {
                continue;
            }
            for source in order.lookup.sources_within(read, ChainId(i as u32), *old..value) {
                if (self.open)(source.lit) {
                    (self.force)(source.lit, Because::Between(source.rf, write));
                }
            }
            self.state.log.push(((start + i) as u32, *old));
            *old = value;
        }
        true
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
        self.overwrites(write);
        let order = self.order;
        for &read in order.lookup.reads_at(order.node_of(write)) {
            if order.lookup.update(read) == Some(write) {
                order.holding_of_read[read.index()].iter().for_each(|&rf| self.takes(rf));
            }
        }
    }

    fn holds(&mut self, rf: u32) {
        self.settles(rf);
        self.takes(rf);
        let order = self.order;
        let read = order.problem.read_froms[rf as usize].read;
        let (w, r) = order.ends(rf);
        for chain in order.clocks.chains() {
            let writes = order.lookup.writes_within(
                order.problem.reads[read.index()].cell,
                chain,
                0..order.clocks.clock(r, chain),
            );
            let after = |write: WriteId| order.clocks.precedes(w, order.node_of(write));
            for &(_, write) in writes.iter().rev().take_while(|&&(_, write)| after(write)) {
                self.between(rf, write);
            }
        }
    }

    /// Is the read part of a read-modify-write whose write is there if the read is?
    fn updates(&self, read: ReadId) -> bool {
        let order = self.order;
        order.lookup.update(read).is_some_and(|write| {
            order.is_enabled(write)
                || order.problem.writes[write.index()].guard == order.problem.reads[read.index()].guard
        })
    }

    /// The read-from holds: the read has no other one. For this its write has to be ordered with other writes that the read sees.
    fn settles(&mut self, rf: u32) {
        let order = self.order;
        let sees = |rf: u32| {
            let read_from = &order.problem.read_froms[rf as usize];
            read_from.orders || order.owns(read_from.read, read_from.write)
        };
        if !sees(rf) {
            return;
        }
        let read_from = &order.problem.read_froms[rf as usize];
        for source in order.lookup.sources(read_from.read) {
            let other = order.problem.read_froms[source.rf as usize].write;
            if (self.open)(source.lit) && other != read_from.write && sees(source.rf) {
                (self.force)(source.lit, Because::Taken(source.rf, rf));
            }
        }
    }

    /// The read-from holds: if it is that of a read-modify-write, no other one reads the same write.
    fn takes(&mut self, rf: u32) {
        let order = self.order;
        let read_from = &order.problem.read_froms[rf as usize];
        if !read_from.orders || !self.updates(read_from.read) {
            return;
        }
        for reader in order.lookup.readers(read_from.write) {
            let other = &order.problem.read_froms[reader.rf as usize];
            if (self.open)(reader.lit) && other.orders && other.read != read_from.read && self.updates(other.read) {
                (self.force)(reader.lit, Because::Taken(reader.rf, rf));
            }
        }
    }
}
