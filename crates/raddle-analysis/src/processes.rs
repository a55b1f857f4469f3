//! Which procedures may run as threads.

use fixedbitset::FixedBitSet;
use raddle_ir::{Callee, Label, ObjectKind, Program};

/// The entry, what is started by name, and whatever has an address.
pub fn processes(program: &Program) -> FixedBitSet {
    let mut result = FixedBitSet::with_capacity(program.procs.len());
    result.insert(program.entry.index());
    for object in &program.objects {
        if let ObjectKind::Function(proc) = object.kind {
            result.insert(proc.index());
        }
    }
    for label in program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels) {
        if let Label::Start { callee: Callee::Proc(proc), .. } = label {
            result.insert(proc.index());
        }
    }
    result
}
