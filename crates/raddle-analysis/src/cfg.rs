//! The control-flow graph of a procedure: which edges leave and enter a location, what can be reached, what lies on a
//! cycle.

use fixedbitset::FixedBitSet;
use raddle_ir::{Edge, EdgeId, Label, LocId, Outgoing, Procedure};

/// Adjacency in two flat arrays for each direction.
pub struct Cfg {
    out: Lists,
    into: Lists,
    reachable: FixedBitSet,
}

struct Lists {
    starts: Vec<u32>,
    edges: Vec<EdgeId>,
}

impl Lists {
    fn new(locations: usize, pairs: impl Iterator<Item = (LocId, EdgeId)> + Clone) -> Lists {
        let mut starts = vec![0u32; locations + 1];
        for (loc, _) in pairs.clone() {
            starts[loc.index() + 1] += 1;
        }
        for i in 0..locations {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut edges = vec![EdgeId(0); starts[locations] as usize];
        for (loc, edge) in pairs {
            edges[next[loc.index()] as usize] = edge;
            next[loc.index()] += 1;
        }
        Lists { starts, edges }
    }

    fn of(&self, loc: LocId) -> &[EdgeId] {
        &self.edges[self.starts[loc.index()] as usize..self.starts[loc.index() + 1] as usize]
    }
}

/// Nothing of this thread comes after such a label.
pub fn ends_thread(label: &Label) -> bool {
    matches!(label, Label::Halt { .. } | Label::ThreadExit { .. })
}

/// Can control arrive at the edge's target? Not if the thread or the program ends on the way.
pub fn falls_through(edge: &Edge) -> bool {
    !edge.labels.iter().any(ends_thread)
}

impl Cfg {
    pub fn new(proc: &Procedure) -> Cfg {
        let edges = || proc.edges.iter().enumerate().map(|(i, edge)| (EdgeId(i as u32), edge));
        let out = Lists::new(proc.locations.len(), edges().map(|(id, edge)| (edge.source, id)));
        let mut reachable = FixedBitSet::with_capacity(proc.locations.len());
        let mut open = vec![proc.entry];
        reachable.insert(proc.entry.index());
        while let Some(loc) = open.pop() {
            for id in out.of(loc) {
                let edge = &proc.edges[id.index()];
                if falls_through(edge) && !reachable.put(edge.target.index()) {
                    open.push(edge.target);
                }
            }
        }
        let into = Lists::new(
            proc.locations.len(),
            edges()
                .filter(|(_, edge)| falls_through(edge) && reachable.contains(edge.source.index()))
                .map(|(id, edge)| (edge.target, id)),
        );
        Cfg { out, into, reachable }
    }

    /// The edges that leave a location.
    pub fn leaving(&self, loc: LocId) -> &[EdgeId] {
        self.out.of(loc)
    }

    /// The edges through which control can arrive at a location.
    pub fn arriving(&self, loc: LocId) -> &[EdgeId] {
        self.into.of(loc)
    }

    pub fn is_reachable(&self, loc: LocId) -> bool {
        self.reachable.contains(loc.index())
    }

    /// The locations that lie on a cycle: those in a strongly connected component with an edge of its own (Tarjan's
    /// algorithm with a stack of its own).
    pub fn on_cycle(&self, proc: &Procedure) -> FixedBitSet {
        const NEW: u32 = u32::MAX;
        let n = proc.locations.len();
        let mut result = FixedBitSet::with_capacity(n);
        let mut order = vec![NEW; n];
        let mut low = vec![0u32; n];
        let mut on_stack = FixedBitSet::with_capacity(n);
        let mut stack: Vec<usize> = Vec::new();
        let mut clock = 0;
        for root in 0..n {
            if order[root] != NEW {
                continue;
            }
            let mut open: Vec<(usize, usize)> = vec![(root, 0)];
            while let Some(&(loc, next)) = open.last() {
                if next == 0 {
                    order[loc] = clock;
                    low[loc] = clock;
                    clock += 1;
                    stack.push(loc);
                    on_stack.insert(loc);
                }
                let out = self.leaving(LocId(loc as u32));
                if let Some(id) = out.get(next) {
                    if let Some(last) = open.last_mut() {
                        last.1 += 1;
                    }
                    let edge = &proc.edges[id.index()];
                    let target = edge.target.index();
                    if target == loc {
                        result.insert(loc);
                    } else if order[target] == NEW {
                        open.push((target, 0));
                    } else if on_stack.contains(target) {
                        low[loc] = low[loc].min(order[target]);
                    }
                    continue;
                }
                open.pop();
                if let Some(&(parent, _)) = open.last() {
                    low[parent] = low[parent].min(low[loc]);
                }
                if low[loc] == order[loc] {
                    let mut members = Vec::new();
                    while let Some(member) = stack.pop() {
                        on_stack.set(member, false);
                        members.push(member);
                        if member == loc {
                            break;
                        }
                    }
                    if members.len() > 1 {
                        result.extend(members);
                    }
                }
            }
        }
        result
    }
}

/// Which locations can be reached from one, over all edges.
pub fn reached(proc: &Procedure, outgoing: &Outgoing, from: LocId) -> FixedBitSet {
    let mut seen = FixedBitSet::with_capacity(proc.locations.len());
    let mut open = vec![from];
    while let Some(location) = open.pop() {
        if !seen.put(location.index()) {
            open.extend(outgoing.of(location).iter().map(|edge| proc.edges[edge.index()].target));
        }
    }
    seen
}
