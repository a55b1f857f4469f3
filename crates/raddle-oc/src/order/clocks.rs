//! Which node precedes which, kept up to date as edges come and go.
//!
//! The nodes of a chain are totally ordered, so the predecessors of a node on a chain are its first so-and-so many nodes. A node's
//! *clock* has this number for each chain (a vector clock). To ask whether a node precedes another is then one comparison, and a
//! new edge raises the clock of its target and of what comes after it. The old values are logged: going back writes them back, and
//! the log says to others what has changed. An edge that would close a cycle is refused before anything changes.
//!
//! All clocks lie in one flat array of nodes times chains, since joining two clocks is the inner loop of the ordering theory.

use super::{ChainId, NodeId, OrderProblem};

#[derive(Clone, Debug)]
pub struct Clocks {
    chains: usize,
    /// The nodes of each chain in order.
    order: Vec<Vec<NodeId>>,
    /// The chain of each node, and where on it the node is.
    place: Vec<(ChainId, u32)>,
    /// The clocks: for each node, how many of the first nodes of each chain precede it.
    clocks: Vec<u32>,
    edges: Vec<(NodeId, NodeId)>,
    /// For each node, the edges that leave it, by their number.
    out: Vec<Vec<u32>>,
    log: Vec<(u32, u32)>,
    open: Vec<u32>,
}

/// The edge would close a cycle; nothing was changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cycle;

/// A state to go back to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    edges: usize,
    log: usize,
}

/// The clock of a node was raised for a chain: the nodes at the places from `old` to the present value now precede it as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Raised {
    pub node: NodeId,
    pub chain: ChainId,
    pub old: u32,
}

impl Clocks {
    /// Only the chains.
    pub fn of_chains(problem: &OrderProblem) -> Clocks {
        let (nodes, chains) = (problem.nodes as usize, problem.chains.len());
        let mut place = vec![(ChainId(0), 0); nodes];
        let mut clocks = vec![0; nodes * chains];
        for (chain, order) in problem.chains.iter().enumerate() {
            for (position, node) in order.iter().enumerate() {
                place[node.index()] = (ChainId(chain as u32), position as u32);
                clocks[node.index() * chains + chain] = position as u32;
            }
        }
        let order = problem.chains.clone();
        let out = vec![Vec::new(); nodes];
        Clocks { chains, order, place, clocks, edges: Vec::new(), out, log: Vec::new(), open: Vec::new() }
    }

    /// The chains and the edges that are always there.
    pub fn of_unconditional(problem: &OrderProblem) -> Result<Clocks, Cycle> {
        let mut clocks = Self::of_chains(problem);
        for edge in problem.edges.iter().filter(|edge| edge.when.is_none()) {
            clocks.add_edge(edge.from, edge.to)?;
        }
        Ok(clocks)
    }

    pub fn chain(&self, node: NodeId) -> ChainId {
        self.place[node.index()].0
    }

    /// How many nodes are before this one on its chain.
    pub fn position(&self, node: NodeId) -> u32 {
        self.place[node.index()].1
    }

    /// How many of the first nodes of the chain precede the node.
    pub fn clock(&self, node: NodeId, chain: ChainId) -> u32 {
        self.clocks[node.index() * self.chains + chain.index()]
    }

    pub fn chains(&self) -> impl Iterator<Item = ChainId> + use<> {
        (0..self.chains as u32).map(ChainId)
    }

    /// How many nodes precede this one.
    pub fn count_before(&self, node: NodeId) -> u32 {
        self.clocks[node.index() * self.chains..][..self.chains].iter().sum()
    }

    /// The clock of a node for all chains.
    pub fn row(&self, node: NodeId) -> &[u32] {
        &self.clocks[node.index() * self.chains..][..self.chains]
    }

    /// Does `a` come before `b`? A node does not precede itself.
    pub fn precedes(&self, a: NodeId, b: NodeId) -> bool {
        let (chain, position) = self.place[a.index()];
        self.clocks[b.index() * self.chains + chain.index()] > position
    }

    pub fn precedes_or_is(&self, a: NodeId, b: NodeId) -> bool {
        a == b || self.precedes(a, b)
    }

    /// The next node on the chain.
    pub fn next(&self, node: NodeId) -> Option<NodeId> {
        let (chain, position) = self.place[node.index()];
        self.order[chain.index()].get(position as usize + 1).copied()
    }

    /// The edges in the order in which they were added.
    pub fn edges(&self) -> &[(NodeId, NodeId)] {
        &self.edges
    }

    /// The numbers of the edges that leave a node, rising.
    pub fn edges_from(&self, node: NodeId) -> &[u32] {
        &self.out[node.index()]
    }

    /// How often a clock was raised.
    pub fn raises(&self) -> usize {
        self.log.len()
    }

    pub fn raised(&self, at: usize) -> Raised {
        let (index, old) = self.log[at];
        let (node, chain) = (index as usize / self.chains, index as usize % self.chains);
        Raised { node: NodeId(node as u32), chain: ChainId(chain as u32), old }
    }

    /// From now on `a` precedes `b`. What was raised for it is in the log, nodes before their successors on the chain.
    pub fn add_edge(&mut self, a: NodeId, b: NodeId) -> Result<(), Cycle> {
        if self.precedes_or_is(b, a) {
            return Err(Cycle);
        }
        let known = self.precedes(a, b);
        let edge = self.edges.len() as u32;
        self.edges.push((a, b));
        self.out[a.index()].push(edge);
        if known {
            return Ok(());
        }
        let mut open = std::mem::take(&mut self.open);
        open.push(edge);
        let mut done = 0;
        while let Some(&edge) = open.get(done) {
            done += 1;
            let (mut from, mut to) = self.edges[edge as usize];
            while self.join(from, to) {
                open.extend(&self.out[to.index()]);
                let Some(next) = self.next(to) else { break };
                (from, to) = (to, next);
            }
        }
        open.clear();
        self.open = open;
        Ok(())
    }

    /// What precedes `a`, and `a`, precedes `b`. Was this new?
    fn join(&mut self, a: NodeId, b: NodeId) -> bool {
        let (chain, position) = self.place[a.index()];
        let (of_a, of_b, chains) = (a.index() * self.chains, b.index() * self.chains, self.chains);
        let before = self.log.len();
        let own = of_b + chain.index();
        if self.clocks[own] <= position {
            self.log.push((own as u32, self.clocks[own]));
            self.clocks[own] = position + 1;
        }
        // The two rows, apart from each other, so that the comparison needs no checks.
        let (first, second) = self.clocks.split_at_mut(of_a.max(of_b));
        let (row_a, row_b) = if of_a < of_b {
            (&first[of_a..][..chains], &mut second[..chains])
        } else {
            (&second[..chains], &mut first[of_b..][..chains])
        };
        if row_a.iter().zip(row_b.iter()).fold(false, |any, (value, old)| any | (value > old)) {
            for (i, (&value, old)) in row_a.iter().zip(row_b).enumerate() {
                if value > *old {
                    self.log.push(((of_b + i) as u32, *old));
                    *old = value;
                }
            }
        }
        self.log.len() > before
    }

    pub fn mark(&self) -> Mark {
        Mark { edges: self.edges.len(), log: self.log.len() }
    }

    pub fn undo_to(&mut self, mark: Mark) {
        for (index, old) in self.log.drain(mark.log..).rev() {
            self.clocks[index as usize] = old;
        }
        for (from, _) in self.edges.drain(mark.edges..).rev() {
            self.out[from.index()].pop();
        }
    }
}
