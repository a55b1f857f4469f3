//! The accesses of an ordering problem by node, and by cell and chain in program order.
//!
//! Everything is in flat arrays with the places beside the ids: the theory asks "the writes of this cell on this chain between
//! these places" at every step.

use super::clocks::Clocks;
use super::{CellId, ChainId, NodeId, OrderProblem, ReadId, WriteId};
use raddle_smt::SatLit;
use std::ops::Range;

#[derive(Clone, Debug)]
pub struct Lookup {
    chains: usize,
    reads_at: Rows<ReadId>,
    writes_at: Rows<WriteId>,
    /// By cell and chain; sorted by place.
    writes: Rows<(u32, WriteId)>,
    reads: Rows<(u32, ReadId)>,
    /// For each cell, the chains with reads of it.
    reading: Rows<ChainId>,
    sources: Rows<Candidate>,
    readers: Rows<Candidate>,
    by_literal: Vec<(SatLit, u32)>,
    update: Vec<Option<WriteId>>,
}

/// A read-from, seen from one of its ends: the chain and place of the other end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub chain: ChainId,
    pub place: u32,
    pub rf: u32,
    pub lit: SatLit,
}

/// Lists of things, one after the other.
#[derive(Clone, Debug)]
struct Rows<T> {
    all: Vec<T>,
    starts: Vec<u32>,
}

impl<T: Copy> Rows<T> {
    /// From pairs of the list's number and the thing.
    fn of(count: usize, things: impl Iterator<Item = (usize, T)> + Clone) -> Rows<T> {
        let mut starts = vec![0; count + 1];
        things.clone().for_each(|(row, _)| starts[row + 1] += 1);
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut sorted: Vec<(usize, T)> = things.collect();
        sorted.sort_by_key(|&(row, _)| row);
        Rows { all: sorted.into_iter().map(|(_, thing)| thing).collect(), starts }
    }

    fn sort_each<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        for row in self.starts.windows(2) {
            self.all[row[0] as usize..row[1] as usize].sort_by_key(&key);
        }
    }

    fn get(&self, row: usize) -> &[T] {
        &self.all[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

/// Those at the places of the range.
fn within<Id>(sorted: &[(u32, Id)], places: Range<u32>) -> &[(u32, Id)] {
    let first = sorted.partition_point(|&(place, _)| place < places.start);
    let count = sorted[first..].partition_point(|&(place, _)| place < places.end);
    &sorted[first..first + count]
}

fn candidates_within(sorted: &[Candidate], chain: ChainId, places: Range<u32>) -> &[Candidate] {
    let first = sorted.partition_point(|c| (c.chain, c.place) < (chain, places.start));
    let count = sorted[first..].partition_point(|c| (c.chain, c.place) < (chain, places.end));
    &sorted[first..first + count]
}

impl Lookup {
    pub fn of(problem: &OrderProblem, clocks: &Clocks) -> Lookup {
        let (nodes, cells, chains) = (problem.nodes as usize, problem.cells as usize, problem.chains.len());
        let reads = (0..).map(ReadId).zip(&problem.reads);
        let writes = (0..).map(WriteId).zip(&problem.writes);
        let slot = |cell: CellId, node: NodeId| cell.index() * chains + clocks.chain(node).index();
        let at = |node: NodeId| clocks.position(node);
        let mut by_place =
            Rows::of(cells * chains, writes.clone().map(|(id, w)| (slot(w.cell, w.node), (at(w.node), id))));
        by_place.sort_each(|&(place, _)| place);
        let mut reads_by_place =
            Rows::of(cells * chains, reads.clone().map(|(id, r)| (slot(r.cell, r.node), (at(r.node), id))));
        reads_by_place.sort_each(|&(place, _)| place);
        let mut reading: Vec<(usize, ChainId)> =
            problem.reads.iter().map(|read| (read.cell.index(), clocks.chain(read.node))).collect();
        reading.sort_unstable();
        reading.dedup();
        let read_froms = (0..).zip(&problem.read_froms);
        let candidate = |rf, lit, node| Candidate { chain: clocks.chain(node), place: at(node), rf, lit };
        let mut sources = Rows::of(
            problem.reads.len(),
            read_froms
                .clone()
                .map(|(rf, of)| (of.read.index(), candidate(rf, of.lit, problem.writes[of.write.index()].node))),
        );
        let mut readers = Rows::of(
            problem.writes.len(),
            read_froms
                .clone()
                .map(|(rf, of)| (of.write.index(), candidate(rf, of.lit, problem.reads[of.read.index()].node))),
        );
        sources.sort_each(|c| (c.chain, c.place));
        readers.sort_each(|c| (c.chain, c.place));
        let mut by_literal: Vec<(SatLit, u32)> = read_froms.map(|(rf, of)| (of.lit, rf)).collect();
        by_literal.sort_unstable();
        let writes_at = Rows::of(nodes, writes.map(|(id, write)| (write.node.index(), id)));
        let update_of = |cell: CellId, node: NodeId| {
            writes_at.get(node.index()).iter().copied().find(|write| problem.writes[write.index()].cell == cell)
        };
        let update = problem.reads.iter().map(|read| update_of(read.cell, read.node)).collect();
        Lookup {
            chains,
            reads_at: Rows::of(nodes, reads.map(|(id, read)| (read.node.index(), id))),
            writes_at,
            writes: by_place,
            reads: reads_by_place,
            reading: Rows::of(cells, reading.into_iter()),
            sources,
            readers,
            by_literal,
            update,
        }
    }

    pub fn reads_at(&self, node: NodeId) -> &[ReadId] {
        self.reads_at.get(node.index())
    }

    pub fn writes_at(&self, node: NodeId) -> &[WriteId] {
        self.writes_at.get(node.index())
    }

    /// The read-froms that a literal stands for.
    pub fn read_froms(&self, lit: SatLit) -> impl Iterator<Item = u32> {
        let first = self.by_literal.partition_point(|&(other, _)| other < lit);
        self.by_literal[first..].iter().take_while(move |&&(other, _)| other == lit).map(|&(_, rf)| rf)
    }

    /// The writes to a cell on a chain with their places, in program order.
    pub fn writes(&self, cell: CellId, chain: ChainId) -> &[(u32, WriteId)] {
        self.writes.get(cell.index() * self.chains + chain.index())
    }

    /// The writes to a cell on a chain at these places.
    pub fn writes_within(&self, cell: CellId, chain: ChainId, places: Range<u32>) -> &[(u32, WriteId)] {
        within(self.writes(cell, chain), places)
    }

    /// The reads of a cell on a chain with their places, in program order.
    pub fn reads(&self, cell: CellId, chain: ChainId) -> &[(u32, ReadId)] {
        self.reads.get(cell.index() * self.chains + chain.index())
    }

    /// The chains that have reads of a cell.
    pub fn reading(&self, cell: CellId) -> &[ChainId] {
        self.reading.get(cell.index())
    }

    /// What a read may read from, by the chain and place of the write.
    pub fn sources(&self, read: ReadId) -> &[Candidate] {
        self.sources.get(read.index())
    }

    pub fn sources_within(&self, read: ReadId, chain: ChainId, places: Range<u32>) -> &[Candidate] {
        candidates_within(self.sources(read), chain, places)
    }

    /// What may read from a write, by the chain and place of the read.
    pub fn readers(&self, write: WriteId) -> &[Candidate] {
        self.readers.get(write.index())
    }

    pub fn readers_within(&self, write: WriteId, chain: ChainId, places: Range<u32>) -> &[Candidate] {
        candidates_within(self.readers(write), chain, places)
    }

    /// The write of the same node to the cell that is read: then the node is a read-modify-write.
    pub fn update(&self, read: ReadId) -> Option<WriteId> {
        self.update[read.index()]
    }
}
