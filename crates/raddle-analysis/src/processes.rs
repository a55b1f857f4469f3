//! Which procedures may run as threads, and whose ends other threads can see.

use fixedbitset::FixedBitSet;
use raddle_ir::{Callee, Label, ObjectKind, Program, Storage};

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

/// The procedures whose exit is more than a step of the thread's own. Arriving at the exit of a process ends the thread, and perhaps the Program. Returning from any procedure
/// ends the life of its automatic objects, which other threads may point to. In both cases others may have to step before it, after whatever comes last in the procedure.
pub fn visible_exits(program: &Program) -> FixedBitSet {
    let mut result = processes(program);
    if program.starts_threads() {
        let on_stack = |label: &Label| matches!(label, Label::Alloc { storage: Storage::Stack, .. });
        for (i, proc) in program.procs.iter().enumerate() {
            if proc.edges.iter().flat_map(|edge| &edge.labels).any(on_stack) {
                result.insert(i);
            }
        }
    }
    result
}
