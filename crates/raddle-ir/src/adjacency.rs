//! The edges at each location, as an index into the edge list (compressed sparse rows): one allocation, one slice per location.

use crate::program::{EdgeId, LocId, Procedure};

/// For each location, the edges that leave (or enter) it, in the order of their ids.
#[derive(Clone, Debug)]
pub struct Adjacency {
    /// The edges of location `l` are `edges[start[l] .. start[l + 1]]`.
    start: Vec<u32>,
    edges: Vec<EdgeId>,
}

/// The edges that leave each location.
pub type Outgoing = Adjacency;

impl Adjacency {
    /// Some edges, each at the location that it is given with; in their order.
    pub fn new(locations: usize, edges: impl Iterator<Item = (LocId, EdgeId)> + Clone) -> Adjacency {
        let mut start = vec![0; locations + 1];
        for (location, _) in edges.clone() {
            start[location.index() + 1] += 1;
        }
        for l in 0..locations {
            start[l + 1] += start[l];
        }
        let mut next = start.clone();
        let mut all = vec![EdgeId(0); start[locations] as usize];
        for (location, edge) in edges {
            all[next[location.index()] as usize] = edge;
            next[location.index()] += 1;
        }
        Adjacency { start, edges: all }
    }

    /// The edges at a location.
    #[inline]
    pub fn of(&self, location: LocId) -> &[EdgeId] {
        let l = location.index();
        &self.edges[self.start[l] as usize..self.start[l + 1] as usize]
    }
}

/// The edges that leave each location.
pub fn outgoing(procedure: &Procedure) -> Outgoing {
    index(procedure.locations.len(), procedure.edges.iter().map(|edge| edge.source))
}

/// The edges that enter each location.
pub fn incoming(procedure: &Procedure) -> Adjacency {
    index(procedure.locations.len(), procedure.edges.iter().map(|edge| edge.target))
}

impl Procedure {
    /// See [`outgoing`].
    pub fn out_edges(&self) -> Outgoing {
        outgoing(self)
    }

    /// See [`incoming`].
    pub fn in_edges(&self) -> Adjacency {
        incoming(self)
    }
}

fn index(locations: usize, ends: impl Iterator<Item = LocId> + Clone) -> Adjacency {
    Adjacency::new(locations, ends.zip((0..).map(EdgeId)))
}
