//! Weak topological orders (Bourdoncle 1993): loops as nested components with heads.
//!
//! Every edge either goes forward in the order, or back to the head of a component that holds its source. So a procedure can be unrolled by
//! walking it in this order: a place in the unrolled graph is a location together with the iteration of each component around it, and
//! comparing these keys lexicographically visits all ways into a place before the place itself, also for irreducible loops.

use crate::cfg::strongly_connected;
use raddle_ir::{Adjacency, LocId, Procedure};

/// A component: a loop with its head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Component {
    pub head: LocId,
    pub parent: Option<u32>,
    /// Components around it, itself included.
    pub depth: u32,
}

#[derive(Clone, Debug)]
pub struct Wto {
    pub components: Vec<Component>,
    /// For each location, its place in the order; 0 for those that cannot be reached.
    pub position: Vec<u32>,
    /// For each location, the innermost component that holds it (a head is held by its own).
    pub component: Vec<Option<u32>>,
}

impl Wto {
    /// The components that hold a location, from the outermost on.
    pub fn around(&self, loc: LocId) -> Vec<u32> {
        let mut result = Vec::new();
        let mut next = self.component[loc.index()];
        while let Some(component) = next {
            result.push(component);
            next = self.components[component as usize].parent;
        }
        result.reverse();
        result
    }

    pub fn holds(&self, component: u32, loc: LocId) -> bool {
        let mut next = self.component[loc.index()];
        while let Some(c) = next {
            if c == component {
                return true;
            }
            next = self.components[c as usize].parent;
        }
        false
    }
}

/// The locations of one procedure in a weak topological order.
pub fn weak_topological_order(proc: &Procedure, out: &Adjacency) -> Wto {
    let n = proc.locations.len();
    let mut wto = Wto { components: Vec::new(), position: vec![0; n], component: vec![None; n] };
    let mut next_position = 1;
    let inside = vec![true; n];
    order(proc, out, &[proc.entry], &inside, None, &mut wto, &mut next_position);
    wto
}

/// Orders what can be reached from `roots` without leaving `inside`: the strongly connected components in topological order, and each
/// of them, once more, without its head.
fn order(
    proc: &Procedure,
    out: &Adjacency,
    roots: &[LocId],
    inside: &[bool],
    parent: Option<u32>,
    wto: &mut Wto,
    next_position: &mut u32,
) {
    for scc in strongly_connected(proc, out, roots, inside) {
        let head = scc[0];
        let cyclic = scc.len() > 1 || out.of(head).iter().any(|e| proc.edges[e.index()].target == head);
        wto.position[head.index()] = *next_position;
        *next_position += 1;
        wto.component[head.index()] = parent;
        if !cyclic {
            continue;
        }
        let id = wto.components.len() as u32;
        let depth = parent.map_or(0, |p| wto.components[p as usize].depth) + 1;
        wto.components.push(Component { head, parent, depth });
        wto.component[head.index()] = Some(id);
        let mut within = vec![false; inside.len()];
        scc[1..].iter().for_each(|loc| within[loc.index()] = true);
        let successors: Vec<LocId> = out.of(head).iter().map(|e| proc.edges[e.index()].target).collect();
        order(proc, out, &successors, &within, Some(id), wto, next_position);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use raddle_ir::{Edge, LocKind, Location, Span};

    /// A procedure without labels, from its first location to its last one.
    pub(crate) fn procedure(locations: u32, edges: &[(u32, u32)]) -> Procedure {
        let location = Location { kind: LocKind::Normal, span: Span::default(), origin: raddle_ir::Origin::default() };
        let edge = |&(a, b): &(u32, u32)| Edge {
            source: LocId(a),
            target: LocId(b),
            labels: vec![],
            span: Span::default(),
            is_silent: false,
        };
        Procedure {
            name: "f".into(),
            params: vec![],
            result: None,
            locals: vec![],
            locations: vec![location; locations as usize],
            edges: edges.iter().map(edge).collect(),
            entry: LocId(0),
            exit: LocId(locations - 1),
            span: Span::default(),
        }
    }

    fn check(locations: u32, edges: &[(u32, u32)]) -> Wto {
        let proc = procedure(locations, edges);
        let wto = weak_topological_order(&proc, &proc.out_edges());
        for edge in &proc.edges {
            let (a, b) = (edge.source, edge.target);
            let back = wto.components.iter().enumerate().any(|(i, c)| c.head == b && wto.holds(i as u32, a));
            assert!(back || wto.position[a.index()] < wto.position[b.index()], "{a:?} {b:?} {wto:?}");
        }
        wto
    }

    #[test]
    fn nested_loops_have_nested_components() {
        let wto = check(6, &[(0, 1), (1, 2), (2, 3), (3, 2), (3, 4), (4, 1), (4, 5)]);
        assert_eq!(wto.around(LocId(3)).len(), 2);
        assert_eq!(wto.around(LocId(4)).len(), 1);
        assert_eq!(wto.around(LocId(5)).len(), 0);
    }

    #[test]
    fn a_loop_with_two_entries_has_one_head() {
        let wto = check(4, &[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)]);
        assert_eq!(wto.components.len(), 1);
    }
}
