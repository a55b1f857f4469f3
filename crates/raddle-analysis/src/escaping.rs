//! Which automatic objects something may still point to when the call that made them has returned.
//!
//! What dies with the call cannot: its own locals, those of what it called, and automatic objects of the same procedure (to read an address from
//! one of these after the call is invalid by itself). So an address escapes where it is stored elsewhere, is the procedure's result, or is given to
//! a thread. Points-to analysis says which addresses that may be.

use crate::points_to::{AbstractObject, PointsTo};
use fixedbitset::FixedBitSet;
use raddle_ir::{EdgeId, Label, Place, ProcId, Program, Storage};

/// The `Alloc`s of such objects, for each procedure: the edge, and the position of the label.
pub fn escaping(program: &Program, points_to: &PointsTo) -> Vec<Vec<(EdgeId, u32)>> {
    let mut result = vec![Vec::new(); program.procs.len()];
    let automatic_in = |object: usize| match points_to.objects()[object] {
        AbstractObject::Site { proc, edge, label } => {
            match program.proc(proc).edges[edge.index()].labels[label as usize] {
                Label::Alloc { storage: Storage::Stack, .. } => Some(proc),
                _ => None,
            }
        }
        AbstractObject::Static(_) => None,
    };
    let automatic: Vec<Option<ProcId>> = (0..points_to.objects().len()).map(automatic_in).collect();
    if automatic.iter().all(Option::is_none) {
        return result;
    }
    let mut escaping = FixedBitSet::with_capacity(automatic.len());
    for label in program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels) {
        match label {
            Label::Store { place: Place::Var(_), value, .. } => {
                escaping.union_with(&points_to.carried(&program.pool, *value).0);
            }
            Label::Start { arg, .. } => escaping.union_with(&points_to.carried(&program.pool, *arg).0),
            Label::Store { place: Place::Memory(address), value, .. } => {
                let stored = points_to.carried(&program.pool, *value).0;
                if stored.ones().all(|object| automatic[object].is_none()) {
                    continue;
                }
                let holders = points_to.targets(&program.pool, *address);
                let outlives = |object: &usize| holders.ones().any(|holder| automatic[holder] != automatic[*object]);
                escaping.extend(stored.ones().filter(outlives));
            }
            _ => {}
        }
    }
    for result in program.procs.iter().filter_map(|proc| proc.result) {
        escaping.union_with(points_to.of_var(result));
    }
    for (i, object) in points_to.objects().iter().enumerate() {
        if let AbstractObject::Site { proc, edge, label } = *object
            && automatic[i].is_some()
            && escaping.contains(i)
        {
            result[proc.index()].push((edge, label));
        }
    }
    result
}
