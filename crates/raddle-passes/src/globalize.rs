//! Makes automatic objects and objects on the heap static: an `Alloc` of constant size that runs at most once in a run of the
//! Program, because it stands in the first process outside all loops and nothing else runs that process, becomes a
//! static object. Its address is then a constant, which constant propagation carries to the accesses, so that
//! `scalarize` can turn it into variables.
//!
//! The object lives from the start and not only from the `Alloc` on: nobody has its address earlier. An automatic one would be
//! freed when the first process ends; that ends the Program, unless it ends by `ThreadExit`, so in a Program where it
//! may do that they stay as they are. What a `Free` or an `ObjectSize` may be about stays; everything on the heap does if the Program asks for leaks, or if the Program may tell that an address is given
//! out again, which cannot happen to a static object.

use fixedbitset::FixedBitSet;
use raddle_analysis::cfg::Cfg;
use raddle_analysis::points_to::{AbstractObject, points_to};
use raddle_analysis::reuse::sees_reuse;
use raddle_ir::allocation::ALIGNMENT;
use raddle_ir::{Callee, EdgeId, ExprId, Holder, Label, Object, ObjectInit, ObjectKind, Origin, Program, Storage, Use};
use rustc_hash::FxHashSet;

/// No object above this size is moved: static objects have all their bytes in every state.
const LARGEST: u64 = 1 << 20;

/// Makes automatic objects static where they are allocated at most once.
pub fn globalize(mut program: Program) -> Program {
    if runs_again(&program) {
        return program;
    }
    let is_automatic_static = !may_exit_as_thread(&program);
    let on_heap = |label: &Label| matches!(label, Label::Alloc { storage: Storage::Heap, .. });
    let has_heap = program.proc(program.entry).edges.iter().flat_map(|edge| &edge.labels).any(on_heap);
    let asks_for_leaks = labels(&program).any(|label| matches!(label, Label::Leaks { .. }));
    let is_heap_static = has_heap && !asks_for_leaks && sees_reuse(&program).is_none();
    let freed = freed_or_measured(&program);
    let entry = &program.procs[program.entry.index()];
    let cfg = Cfg::new(entry);
    let on_cycle = cfg.on_cycle(entry);
    // An edge runs at most once unless it lies on a cycle, and it does if both its ends do; one that only leads from
    // a cycle to another is left alone as well.
    let once: Vec<usize> = (0..entry.edges.len())
        .filter(|&i| {
            let edge = &entry.edges[i];
            !(on_cycle.contains(edge.source.index()) && on_cycle.contains(edge.target.index()))
        })
        .collect();
    // Static objects lie far apart and far from zero, see `addresses.rs`.
    let (least, gap, limit) = match program.pointer_bits {
        32 => (0x1000_0000, 1 << 16, 1 << 30),
        _ => (0x1_0000_0000, 1 << 20, 1 << 46),
    };
    let last = program.objects.iter().map(|object| object.address.saturating_add(object.size)).max();
    let mut next: u64 = last.unwrap_or(0).max(least);
    for i in once {
        let edge = &mut program.procs[program.entry.index()].edges[i];
        let span = edge.span;
        for (at, label) in edge.labels.iter_mut().enumerate() {
            let Label::Alloc { var, size, storage, zeroed, site } = *label else { continue };
            let stays = match storage {
                Storage::Stack => !is_automatic_static,
                Storage::Heap | Storage::Library => !is_heap_static,
            };
            if stays || freed.contains(&(i, at)) {
                continue;
            }
            let Some(size) = program.pool.as_const(size).and_then(|size| u64::try_from(size.bits).ok()) else {
                continue;
            };
            // As aligned as it was: the program may look.
            let address = next.saturating_add(gap).next_multiple_of(ALIGNMENT);
            if size == 0 || size > LARGEST || address.saturating_add(size) > limit {
                continue;
            }
            next = address + size;
            let init = match zeroed {
                true => ObjectInit::Bytes { bytes: Vec::new(), pointers: Vec::new() },
                false => ObjectInit::Any,
            };
            let name = object_name(&program.vars[var.index()].name);
            let kind = ObjectKind::Data { init, writable: true };
            let span = if program.vars[var.index()].span.is_none() { span } else { program.vars[var.index()].span };
            program.objects.push(Object {
                name,
                address,
                size,
                kind,
                exposed: false,
                span,
                origin: Origin(site.0.map(Holder::Alloc)),
            });
            let value = program.pool.bits(program.pointer_bits, address.into());
            *label = Label::Assign { var, value };
        }
    }
    program.dynamic_base = program.dynamic_base.max(next.saturating_add(gap).next_multiple_of(0x1000));
    program
}

fn labels(program: &Program) -> impl Iterator<Item = &Label> {
    program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels)
}

/// The `Alloc`s of the first process, by edge and label, whose objects may be freed, or asked for their size.
fn freed_or_measured(program: &Program) -> FxHashSet<(usize, usize)> {
    let addresses: Vec<(ExprId, Storage)> = labels(program)
        .filter_map(|label| match label {
            Label::Free { address, storage } => Some((*address, *storage)),
            // Only what is on the heap has a size that can be asked for.
            Label::ObjectSize { address, .. } | Label::Valid { address, used: Use::Free, .. } => {
                Some((*address, Storage::Heap))
            }
            _ => None,
        })
        .collect();
    if addresses.is_empty() {
        return FxHashSet::default();
    }
    let points_to = points_to(program);
    let mut freed = FxHashSet::default();
    let is_of = |edge: EdgeId, label: u32, wanted: Storage| {
        let label = &program.proc(program.entry).edges[edge.index()].labels[label as usize];
        matches!(label, Label::Alloc { storage, .. } if (*storage == Storage::Stack) == (wanted == Storage::Stack))
    };
    for (address, storage) in addresses {
        for object in points_to.targets(&program.pool, address).ones() {
            if let Some(AbstractObject::Site { proc, edge, label }) = points_to.objects().get(object)
                && *proc == program.entry
                && is_of(*edge, *label, storage)
            {
                freed.insert((edge.index(), *label as usize));
            }
        }
    }
    freed
}

/// The local that holds the address of `x` may be called `&x`.
fn object_name(holder: &str) -> String {
    holder.strip_prefix('&').unwrap_or(holder).to_string()
}

/// Does anything call or start the first process, or could it?
pub(crate) fn runs_again(program: &Program) -> bool {
    let has_address = program.objects.iter().any(|object| object.kind == ObjectKind::Function(program.entry));
    let callee = Callee::Proc(program.entry);
    has_address
        || program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels).any(
            |label| matches!(label, Label::Call { callee: to, .. } | Label::Start { callee: to, .. } if *to == callee),
        )
}

/// May the first process run a `ThreadExit`, itself or in what it calls?
pub(crate) fn may_exit_as_thread(program: &Program) -> bool {
    let mut seen = FixedBitSet::with_capacity(program.procs.len());
    let mut open = vec![program.entry];
    while let Some(proc) = open.pop() {
        if seen.put(proc.index()) {
            continue;
        }
        for label in program.proc(proc).edges.iter().flat_map(|edge| &edge.labels) {
            match label {
                Label::ThreadExit { .. } => return true,
                Label::Call { callee: Callee::Proc(callee), .. } => open.push(*callee),
                Label::Call { callee: Callee::Address(_), .. } => {
                    open.extend(program.objects.iter().filter_map(|object| match object.kind {
                        ObjectKind::Function(proc) => Some(proc),
                        ObjectKind::Data { .. } => None,
                    }));
                }
                _ => {}
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_testing::*;

    #[test]
    fn an_allocation_outside_loops_becomes_static_and_one_in_a_loop_does_not() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let (p, q) = (b.local(main, "&a", 64), b.local(main, "q", 64));
        b.object("g", 0x10000, 5, None, true);
        let size = b.num(64, 8);
        let alloc = |var| Label::Alloc {
            var,
            size,
            storage: Storage::Stack,
            zeroed: false,
            site: raddle_ir::Origin::default(),
        };
        b.edge(main, 0, 1, vec![alloc(p)]);
        b.edge(main, 1, 2, vec![alloc(q)]);
        b.edge(main, 2, 1, vec![]);
        b.edge(main, 2, EXIT, vec![]);
        let mut program = globalize(b.finish());
        let object = &program.objects[1];
        assert_eq!((object.name.as_str(), object.address, object.size), ("a", 0x100100000, 8));
        let value = program.pool.bits(64, 0x100100000);
        assert_eq!(program.procs[0].edges[0].labels, [Label::Assign { var: p, value }]);
        assert_eq!(program.procs[0].edges[1].labels, [alloc(q)]);
    }

    #[test]
    fn an_object_on_the_heap_becomes_static_unless_it_may_be_freed() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let (p, q) = (b.local(main, "p", 64), b.local(main, "q", 64));
        let size = b.num(64, 8);
        let alloc =
            |var| Label::Alloc { var, size, storage: Storage::Heap, zeroed: true, site: raddle_ir::Origin::default() };
        let address = b.get(q);
        b.edge(main, 0, 1, vec![alloc(p), alloc(q)]);
        b.edge(main, 1, EXIT, vec![Label::Free { address, storage: Storage::Heap }]);
        let program = globalize(b.finish());
        assert!(
            matches!(program.procs[0].edges[0].labels[..], [Label::Assign { var, .. }, Label::Alloc { .. }] if var == p)
        );
        assert_eq!(program.objects.len(), 1);
    }
}
