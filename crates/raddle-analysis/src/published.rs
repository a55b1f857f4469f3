//! Which objects other threads than the one that made them may have the address of.
//!
//! Static objects are everybody's. An object of an `Alloc` is its thread's own as long as its address is in locals of that thread and in objects that are its own as well. It is published where the
//! address is stored in a global variable or in a published object, given to a thread, or returned by one. Points-to analysis says which addresses a value may be.

use crate::points_to::{AbstractObject, PointsTo};
use fixedbitset::FixedBitSet;
use raddle_ir::{ExprId, Label, ObjectKind, Place, Program};

/// The published objects, by position in `points_to.objects()`; of a Program whose calls are inlined.
pub fn published(program: &Program, points_to: &PointsTo) -> FixedBitSet {
    let objects = points_to.objects();
    let mut published = FixedBitSet::with_capacity(objects.len());
    for (i, object) in objects.iter().enumerate() {
        if let AbstractObject::Static(id) = object
            && matches!(program.objects[id.index()].kind, ObjectKind::Data { .. })
        {
            published.insert(i);
        }
    }
    // A value from outside is no address of an object that a thread made (`stray/`).
    let carried = |value: ExprId| points_to.carried(&program.pool, value).0;
    let labels = || program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels);
    for label in labels() {
        match label {
            Label::Store { place: Place::Var(_), value, .. } => published.union_with(&carried(*value)),
            Label::Start { arg, .. } => published.union_with(&carried(*arg)),
            Label::ThreadExit { value } => published.union_with(&carried(*value)),
            _ => {}
        }
    }
    for proc in &program.procs {
        if let Some(result) = proc.result {
            let of_result = points_to.of_var(result);
            published.extend(of_result.ones().filter(|&object| object < objects.len()));
        }
    }
    loop {
        let before = published.count_ones(..);
        for label in labels() {
            if let Label::Store { place: Place::Memory(address), value, .. } = label
                && !points_to.targets(&program.pool, *address).is_disjoint(&published)
            {
                published.union_with(&carried(*value));
            }
        }
        if published.count_ones(..) == before {
            return published;
        }
    }
}
