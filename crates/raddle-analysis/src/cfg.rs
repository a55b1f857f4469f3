//! The control-flow graph of a procedure: which edges leave and enter a location, what can be reached, what lies on a
//! cycle.

use fixedbitset::FixedBitSet;
use raddle_ir::{Adjacency, Edge, EdgeId, Label, LocId, Outgoing, Procedure};

/// The edges at each location, without those through which control cannot arrive.
pub struct Cfg {
    out: Outgoing,
    into: Adjacency,
    reachable: FixedBitSet,
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
        let out = proc.out_edges();
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
        let edges = (0..).map(EdgeId).zip(&proc.edges);
        let arriving = edges.filter(|(_, edge)| falls_through(edge) && reachable.contains(edge.source.index()));
        let into = Adjacency::new(proc.locations.len(), arriving.map(|(id, edge)| (edge.target, id)));
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

    /// The locations that lie on a cycle: those in a strongly connected component with an edge of its own.
    pub fn on_cycle(&self, proc: &Procedure) -> FixedBitSet {
        let n = proc.locations.len();
        let all: Vec<LocId> = (0..n as u32).map(LocId).collect();
        let loops_at = |loc: LocId| self.leaving(loc).iter().any(|edge| proc.edges[edge.index()].target == loc);
        let components = strongly_connected(proc, &self.out, &all, &vec![true; n]);
        let cyclic = components.into_iter().filter(|locs| locs.len() > 1 || loops_at(locs[0]));
        let mut result = FixedBitSet::with_capacity(n);
        result.extend(cyclic.flatten().map(LocId::index));
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

/// The strongly connected components that can be reached from `roots` without leaving `inside`, in topological order; the first location of each is
/// the one that is entered first (Tarjan's algorithm with a stack of its own).
pub fn strongly_connected(proc: &Procedure, out: &Adjacency, roots: &[LocId], inside: &[bool]) -> Vec<Vec<LocId>> {
    const NEW: u32 = 0;
    let n = proc.locations.len();
    let (mut number, mut low) = (vec![NEW; n], vec![0u32; n]);
    let mut on_stack = vec![false; n];
    let (mut stack, mut found, mut clock) = (Vec::new(), Vec::new(), 0);
    for &root in roots {
        if !inside[root.index()] || number[root.index()] != NEW {
            continue;
        }
        let mut open: Vec<(LocId, usize)> = vec![(root, 0)];
        while let Some((loc, next)) = open.last_mut() {
            let l = loc.index();
            if *next == 0 {
                clock += 1;
                (number[l], low[l]) = (clock, clock);
                stack.push(*loc);
                on_stack[l] = true;
            }
            if let Some(edge) = out.of(*loc).get(*next) {
                *next += 1;
                let target = proc.edges[edge.index()].target;
                let t = target.index();
                if !inside[t] {
                    continue;
                }
                if number[t] == NEW {
                    open.push((target, 0));
                } else if on_stack[t] {
                    low[l] = low[l].min(number[t]);
                }
                continue;
            }
            open.pop();
            if let Some((parent, _)) = open.last() {
                low[parent.index()] = low[parent.index()].min(low[l]);
            }
            if low[l] == number[l] {
                let mut members = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member.index()] = false;
                    members.push(member);
                    if member.index() == l {
                        break;
                    }
                }
                members.reverse();
                found.push(members);
            }
        }
    }
    found.reverse();
    found
}
