//! Which locations can be reached from one, over the edges of a procedure.

use fixedbitset::FixedBitSet;
use raddle_ir::{LocId, Outgoing, Procedure};

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
