//! The abstract reachability graph (thesis 1, Definition 3): a tree of abstract states, and covered-by edges.

use crate::domains::state::Data;
use crate::graph::covering::{Covering, Key};
use crate::model::ActionId;
use fixedbitset::FixedBitSet;
use smallvec::SmallVec;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Nobody has looked at it yet.
    Waiting,
    Expanded,
    /// Another node stands for it.
    Covered(NodeId),
    /// The property is violated here, as far as the abstraction can tell.
    Target,
    /// Taken out by pruning.
    Removed,
}

#[derive(Clone, Debug)]
pub struct Node {
    /// Ids of `States`.
    pub threads: u32,
    pub data: u32,
    pub parent: Option<(NodeId, ActionId)>,
    /// A stray pointer led elsewhere on the way: nothing below can be replayed.
    pub is_astray: bool,
    /// The version of the precision that its state was computed with.
    pub version: u32,
    pub children: SmallVec<[NodeId; 4]>,
    pub status: Status,
    /// The nodes that this one stands for.
    pub covers: Vec<NodeId>,
    /// Where `Covering` has it, if it can cover others.
    key: Option<Key>,
    /// The threads whose actions were explored; `None`: all. Chosen by partial-order reduction.
    pub explored: Option<Vec<u32>>,
    /// Variables that nothing tracks, such that the choice of `explored`, or the simplification of statements, was right only because of that.
    pub relied_on: FixedBitSet,
}

#[derive(Default)]
pub struct Arg {
    pub nodes: Vec<Node>,
    /// Nodes that can cover others.
    covering: Covering,
    /// Nodes that lost what stood for them, during pruning.
    uncovered: Vec<NodeId>,
}

impl Arg {
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    pub fn add(&mut self, threads: u32, data: u32, version: u32, parent: Option<(NodeId, ActionId)>) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            threads,
            data,
            parent,
            is_astray: false,
            version,
            children: SmallVec::new(),
            status: Status::Waiting,
            covers: Vec::new(),
            key: None,
            explored: None,
            relied_on: FixedBitSet::new(),
        });
        if let Some((parent, _)) = parent {
            self.node_mut(parent).children.push(id);
        }
        id
    }

    /// The nodes that may cover one with the same places of threads, and with such data: those that were expanded.
    pub fn candidates<'a>(&'a self, threads: u32, data: &'a Data) -> impl Iterator<Item = NodeId> + 'a {
        self.covering.candidates(threads, data)
    }

    /// The node is expanded from now on, and can cover others if its data is given.
    pub fn expanded(&mut self, id: NodeId, data: Option<&Data>) {
        let node = &mut self.nodes[id.index()];
        node.status = Status::Expanded;
        node.key = data.map(|data| self.covering.add(id, node.threads, data));
    }

    pub fn cover(&mut self, id: NodeId, by: NodeId) {
        self.node_mut(id).status = Status::Covered(by);
        self.node_mut(by).covers.push(id);
    }

    /// Takes out everything below a node, which becomes `Waiting` again. Returns the nodes that wait now: it, and those that lost what stood for them.
    pub fn prune(&mut self, id: NodeId) -> Vec<NodeId> {
        let mut waiting = vec![id];
        let mut open = std::mem::take(&mut self.node_mut(id).children).into_vec();
        while let Some(gone) = open.pop() {
            open.extend(self.node_mut(gone).children.drain(..));
            self.detach(gone);
            self.node_mut(gone).status = Status::Removed;
        }
        self.detach(id);
        self.node_mut(id).status = Status::Waiting;
        self.node_mut(id).explored = None;
        self.node_mut(id).relied_on.clear();
        for i in 0..self.uncovered.len() {
            let node = self.uncovered[i];
            if self.node(node).status == Status::Waiting && node != id {
                waiting.push(node);
            }
        }
        self.uncovered.clear();
        waiting
    }

    /// Ends what a node has to do with covering.
    fn detach(&mut self, id: NodeId) {
        if let Status::Covered(by) = self.node(id).status {
            self.node_mut(by).covers.retain(|covered| *covered != id);
        }
        if let Some(key) = self.node_mut(id).key.take() {
            self.covering.remove(id, key);
        }
        for covered in std::mem::take(&mut self.node_mut(id).covers) {
            if matches!(self.node(covered).status, Status::Covered(_)) {
                self.node_mut(covered).status = Status::Waiting;
                self.uncovered.push(covered);
            }
        }
    }

    /// The actions from the root to a node, and the nodes on the way (one more than actions).
    pub fn path(&self, to: NodeId) -> (Vec<NodeId>, Vec<ActionId>) {
        let (mut nodes, mut actions) = (vec![to], Vec::new());
        let mut at = to;
        while let Some((parent, action)) = self.node(at).parent {
            nodes.push(parent);
            actions.push(action);
            at = parent;
        }
        nodes.reverse();
        actions.reverse();
        (nodes, actions)
    }

    pub fn live(&self) -> impl Iterator<Item = NodeId> + '_ {
        let all = self.nodes.iter().enumerate();
        all.filter(|(_, node)| node.status != Status::Removed).map(|(i, _)| NodeId(i as u32))
    }
}
