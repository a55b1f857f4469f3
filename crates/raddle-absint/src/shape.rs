//! The shape of a process: its edges, its weak topological order, where loops end in it.

use raddle_analysis::cfg::falls_through;
use raddle_analysis::{Wto, weak_topological_order};
use raddle_ir::{Adjacency, EdgeId, LocId, Procedure};

pub struct Shape {
    pub wto: Wto,
    /// The reachable locations in weak topological order.
    pub order: Vec<LocId>,
    /// For each component, the place in `order` where it ends.
    pub end: Vec<usize>,
    /// The component whose head a location is.
    pub heads: Vec<Option<u32>>,
    pub outgoing: Adjacency,
    /// The edges through which control can arrive.
    pub incoming: Adjacency,
}

pub fn shape(proc: &Procedure) -> Shape {
    let outgoing = proc.out_edges();
    let wto = weak_topological_order(proc, &outgoing);
    let n = proc.locations.len();
    let mut order: Vec<LocId> = (0..n as u32).map(LocId).filter(|loc| wto.position[loc.index()] > 0).collect();
    order.sort_unstable_by_key(|loc| wto.position[loc.index()]);
    let mut end = vec![0; wto.components.len()];
    for (place, loc) in order.iter().enumerate() {
        let mut next = wto.component[loc.index()];
        while let Some(component) = next {
            end[component as usize] = place + 1;
            next = wto.components[component as usize].parent;
        }
    }
    let mut heads = vec![None; n];
    for (id, component) in (0..).zip(&wto.components) {
        heads[component.head.index()] = Some(id);
    }
    let arriving = (0..).map(EdgeId).zip(&proc.edges).filter(|(_, edge)| falls_through(edge));
    let incoming = Adjacency::new(n, arriving.map(|(id, edge)| (edge.target, id)));
    Shape { wto, order, end, heads, outgoing, incoming }
}
