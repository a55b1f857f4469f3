//! The control flow of one procedure, as far as traits need it.
//!
//! Traits are read off every Program, and most procedures of large ones have no loop: so this finds out in one search what can be reached and whether there is a cycle,
//! and makes the index of arriving edges only when somebody asks for it. (`cfg.rs` always makes both.)

use fixedbitset::FixedBitSet;
use raddle_ir::{Adjacency, EdgeId, LocId, Outgoing, Procedure};
use std::cell::OnceCell;

pub(super) struct Flow<'p> {
    proc: &'p Procedure,
    out: Outgoing,
    /// The edges behind which the thread does not go on.
    ends: FixedBitSet,
    reachable: FixedBitSet,
    has_cycle: bool,
    into: OnceCell<Adjacency>,
}

impl<'p> Flow<'p> {
    /// `ends`: the edges behind which the thread does not go on.
    pub fn new(proc: &'p Procedure, ends: FixedBitSet) -> Flow<'p> {
        let out = proc.out_edges();
        let mut reachable = FixedBitSet::with_capacity(proc.locations.len());
        let mut is_open = FixedBitSet::with_capacity(proc.locations.len());
        let mut has_cycle = false;
        reachable.insert(proc.entry.index());
        is_open.insert(proc.entry.index());
        let mut open: Vec<(LocId, u32)> = vec![(proc.entry, 0)];
        while let Some((loc, next)) = open.last_mut() {
            let Some(edge) = out.of(*loc).get(*next as usize) else {
                is_open.set(loc.index(), false);
                open.pop();
                continue;
            };
            *next += 1;
            if ends.contains(edge.index()) {
                continue;
            }
            let target = proc.edges[edge.index()].target;
            if !reachable.put(target.index()) {
                is_open.insert(target.index());
                open.push((target, 0));
            } else if is_open.contains(target.index()) {
                has_cycle = true;
            }
        }
        Flow { proc, out, ends, reachable, has_cycle, into: OnceCell::new() }
    }

    pub fn is_reachable(&self, loc: LocId) -> bool {
        self.reachable.contains(loc.index())
    }

    /// How many locations control can arrive at.
    pub fn reachable(&self) -> usize {
        self.reachable.count_ones(..)
    }

    pub fn has_cycle(&self) -> bool {
        self.has_cycle
    }

    /// Can control arrive at the edge's target?
    pub fn falls_through(&self, edge: EdgeId) -> bool {
        !self.ends.contains(edge.index())
    }

    /// The edges that leave a location.
    pub fn leaving(&self, loc: LocId) -> &[EdgeId] {
        self.out.of(loc)
    }

    /// The edges through which control can arrive at a location.
    pub fn arriving(&self, loc: LocId) -> &[EdgeId] {
        let into = self.into.get_or_init(|| {
            let edges = (0..).map(EdgeId).zip(&self.proc.edges);
            let arriving = edges.filter(|(id, edge)| self.is_reachable(edge.source) && self.falls_through(*id));
            Adjacency::new(self.proc.locations.len(), arriving.map(|(id, edge)| (edge.target, id)))
        });
        into.of(loc)
    }

    /// The edges that control can come to.
    pub fn edges(&self) -> impl Iterator<Item = (EdgeId, &'p raddle_ir::Edge)> + '_ {
        (0..).map(EdgeId).zip(&self.proc.edges).filter(|(_, edge)| self.is_reachable(edge.source))
    }
}
