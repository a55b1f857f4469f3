//! The accesses of an ordering problem by node, and by cell and chain in program order.

use super::clocks::Clocks;
use super::{CellId, ChainId, NodeId, OrderProblem, ReadId, WriteId};
use raddle_smt::SatLit;
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub struct Lookup {
    chains: usize,
    reads_at: Vec<Vec<ReadId>>,
    writes_at: Vec<Vec<WriteId>>,
    writes: Sorted<WriteId>,
    reads: Sorted<ReadId>,
    /// For each read, its read-froms by the chain and place of the write.
    pub sources: Vec<Vec<u32>>,
    /// For each write, its read-froms by the chain and place of the read.
    pub readers: Vec<Vec<u32>>,
    by_literal: FxHashMap<SatLit, Vec<u32>>,
}

/// Accesses sorted by cell, chain and place; those of a cell and chain are a slice.
#[derive(Clone, Debug)]
struct Sorted<Id> {
    all: Vec<Id>,
    starts: Vec<u32>,
}

fn sorted<Id: Copy>(
    problem: &OrderProblem,
    clocks: &Clocks,
    of: impl Iterator<Item = (Id, CellId, NodeId)>,
) -> Sorted<Id> {
    let chains = problem.chains.len();
    let mut keyed: Vec<(usize, u32, Id)> = of
        .map(|(id, cell, node)| (cell.index() * chains + clocks.chain(node).index(), clocks.position(node), id))
        .collect();
    keyed.sort_by_key(|&(slot, position, _)| (slot, position));
    let mut starts = vec![0; problem.cells as usize * chains + 1];
    for &(slot, ..) in &keyed {
        starts[slot + 1] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    Sorted { all: keyed.into_iter().map(|(.., id)| id).collect(), starts }
}

impl Lookup {
    pub fn of(problem: &OrderProblem, clocks: &Clocks) -> Lookup {
        let mut reads_at = vec![Vec::new(); problem.nodes as usize];
        let mut writes_at = vec![Vec::new(); problem.nodes as usize];
        let all_reads = || (0..).map(ReadId).zip(&problem.reads);
        let all_writes = || (0..).map(WriteId).zip(&problem.writes);
        for (id, read) in all_reads() {
            reads_at[read.node.index()].push(id);
        }
        for (id, write) in all_writes() {
            writes_at[write.node.index()].push(id);
        }
        let mut sources = vec![Vec::new(); problem.reads.len()];
        let mut readers = vec![Vec::new(); problem.writes.len()];
        let mut by_literal: FxHashMap<SatLit, Vec<u32>> = FxHashMap::default();
        for (rf, read_from) in (0..).zip(&problem.read_froms) {
            sources[read_from.read.index()].push(rf);
            readers[read_from.write.index()].push(rf);
            by_literal.entry(read_from.lit).or_default().push(rf);
        }
        let place = |node: NodeId| (clocks.chain(node), clocks.position(node));
        for list in &mut sources {
            list.sort_by_key(|&rf| place(problem.writes[problem.read_froms[rf as usize].write.index()].node));
        }
        for list in &mut readers {
            list.sort_by_key(|&rf| place(problem.reads[problem.read_froms[rf as usize].read.index()].node));
        }
        let writes = sorted(problem, clocks, all_writes().map(|(id, write)| (id, write.cell, write.node)));
        let reads = sorted(problem, clocks, all_reads().map(|(id, read)| (id, read.cell, read.node)));
        Lookup { chains: problem.chains.len(), reads_at, writes_at, writes, reads, sources, readers, by_literal }
    }

    pub fn reads_at(&self, node: NodeId) -> &[ReadId] {
        &self.reads_at[node.index()]
    }

    pub fn writes_at(&self, node: NodeId) -> &[WriteId] {
        &self.writes_at[node.index()]
    }

    /// The read-froms that a literal stands for.
    pub fn read_froms(&self, lit: SatLit) -> &[u32] {
        self.by_literal.get(&lit).map_or(&[], Vec::as_slice)
    }

    /// The writes to a cell on a chain, in program order.
    pub fn writes(&self, cell: CellId, chain: ChainId) -> &[WriteId] {
        let slot = cell.index() * self.chains + chain.index();
        &self.writes.all[self.writes.starts[slot] as usize..self.writes.starts[slot + 1] as usize]
    }

    /// The reads of a cell on a chain, in program order.
    pub fn reads(&self, cell: CellId, chain: ChainId) -> &[ReadId] {
        let slot = cell.index() * self.chains + chain.index();
        &self.reads.all[self.reads.starts[slot] as usize..self.reads.starts[slot + 1] as usize]
    }
}
