//! Threads that are put off for ever (thesis 2, Theorem 2, condition 2): along each cycle of the reduced graph, a thread that could step in all its
//! states must be explored in one of them.
//!
//! The graph is looked at when it is complete. Its cycles are closed by covered-by edges: a covered node counts as the one that covers
//! it. For each thread, the nodes that do not explore it although it is there to step must not contain a cycle. That is the condition itself, for
//! every order of search, and also for a graph of which parts were kept while the precision grew.
//!
//! An atomic block is one step: the nodes inside a block, where no other thread is there to step, belong to the way between two nodes outside. A cycle that
//! never leaves a block puts nobody off, since the block counts as a step that is not taken (`futures.rs`).

use crate::domains::state::States;
use crate::graph::arg::{Arg, NodeId, Status};
use rustc_hash::{FxHashMap, FxHashSet};

/// Nodes that have to explore all threads so that the condition holds: one for each cycle that was found. None: it holds.
pub fn offenders(arg: &Arg, states: &States) -> Vec<NodeId> {
    // By thread, the nodes that put it off.
    let mut putting_off: FxHashMap<u32, Vec<NodeId>> = FxHashMap::default();
    for id in arg.live() {
        let node = arg.node(id);
        let (Status::Expanded, Some(explored)) = (node.status, &node.explored) else { continue };
        for (slot, _, _) in states.threads.get(node.threads).movable() {
            if !explored.contains(&slot) {
                putting_off.entry(slot).or_default().push(id);
            }
        }
    }
    let mut slots: Vec<u32> = putting_off.keys().copied().collect();
    slots.sort_unstable();
    let mut result: Vec<NodeId> = Vec::new();
    let mut chosen: FxHashSet<NodeId> = FxHashSet::default();
    for slot in slots {
        let more = cycles(arg, states, &putting_off[&slot], &chosen);
        chosen.extend(&more);
        result.extend(more);
    }
    result
}

/// Nodes without which the graph on some nodes has no cycle; those in `without` are taken out already.
fn cycles(arg: &Arg, states: &States, nodes: &[NodeId], without: &FxHashSet<NodeId>) -> Vec<NodeId> {
    let members: Vec<NodeId> = nodes.iter().copied().filter(|node| !without.contains(node)).collect();
    let index: FxHashMap<NodeId, u32> = members.iter().enumerate().map(|(i, node)| (*node, i as u32)).collect();
    let mut graph = Trimmed::new(members.len());
    for (i, node) in members.iter().enumerate() {
        for target in after_steps(arg, states, *node) {
            if let Some(to) = index.get(&target) {
                graph.connect(i as u32, *to);
            }
        }
    }
    let mut found = Vec::new();
    graph.trim();
    while let Some(node) = graph.busiest() {
        found.push(members[node as usize]);
        graph.remove(node);
        graph.trim();
    }
    found
}

/// The nodes that one step leads to, or a whole atomic block.
fn after_steps(arg: &Arg, states: &States, node: NodeId) -> Vec<NodeId> {
    let mut after: Vec<NodeId> = Vec::new();
    let mut inside: FxHashSet<NodeId> = FxHashSet::default();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        for child in &arg.node(node).children {
            let target = match arg.node(*child).status {
                Status::Covered(by) => by,
                _ => *child,
            };
            if states.threads.get(arg.node(target).threads).atomic.is_none() {
                after.push(target);
            } else if inside.insert(target) {
                open.push(target);
            }
        }
    }
    after
}

/// A graph from which nodes are taken that have no way in or no way out: what is left lies on cycles or between them.
struct Trimmed {
    out: Vec<Vec<u32>>,
    into: Vec<Vec<u32>>,
    out_left: Vec<u32>,
    into_left: Vec<u32>,
    is_gone: Vec<bool>,
    open: Vec<u32>,
}

impl Trimmed {
    fn new(nodes: usize) -> Self {
        Trimmed {
            out: vec![Vec::new(); nodes],
            into: vec![Vec::new(); nodes],
            out_left: vec![0; nodes],
            into_left: vec![0; nodes],
            is_gone: vec![false; nodes],
            open: (0..nodes as u32).collect(),
        }
    }

    fn connect(&mut self, from: u32, to: u32) {
        self.out[from as usize].push(to);
        self.into[to as usize].push(from);
        self.out_left[from as usize] += 1;
        self.into_left[to as usize] += 1;
    }

    fn remove(&mut self, node: u32) {
        if std::mem::replace(&mut self.is_gone[node as usize], true) {
            return;
        }
        for to in &self.out[node as usize] {
            self.into_left[*to as usize] -= 1;
            self.open.push(*to);
        }
        for from in &self.into[node as usize] {
            self.out_left[*from as usize] -= 1;
            self.open.push(*from);
        }
    }

    fn trim(&mut self) {
        while let Some(node) = self.open.pop() {
            if self.out_left[node as usize] == 0 || self.into_left[node as usize] == 0 {
                self.remove(node);
            }
        }
    }

    /// The node with most ways in: it probably lies on many cycles.
    fn busiest(&self) -> Option<u32> {
        let left = (0..self.is_gone.len()).filter(|i| !self.is_gone[*i]);
        left.max_by_key(|i| self.into_left[*i]).map(|i| i as u32)
    }
}
