//! With 32-bit addresses, memory arrays (raddle-model, `memory.rs`) have room for objects of 256 MB at most. An allocation whose size is not constant may ask for more: that way leads to a gap, so
//! that no proof rests on an object that ends beyond the last address. It is asked for late, when slicing has left out the allocations that cannot matter.

use raddle_ir::allocation::LARGEST_OBJECT_32;
use raddle_ir::{BinOp, Edge, Gap, GapId, GapKind, Label, LocId, LocKind, Location, Origin, Program, Sort};

/// Puts a gap beside each allocation of a size that may be too large.
pub fn large_allocations(mut program: Program) -> Program {
    if program.pointer_bits > 32 {
        return program;
    }
    for proc in 0..program.procs.len() {
        for edge in 0..program.procs[proc].edges.len() {
            let mut at = 0;
            while let Some(found) = next(&program, proc, edge, at) {
                guard(&mut program, proc, edge, found);
                // Behind the condition that was put in front of it.
                at = found + 2;
            }
        }
    }
    program
}

/// The next allocation on an edge with a size that is not constant.
fn next(program: &Program, proc: usize, edge: usize, from: usize) -> Option<usize> {
    let labels = &program.procs[proc].edges[edge].labels;
    let is_open = |label: &Label| matches!(label, Label::Alloc { size, .. } if program.pool.as_const(*size).is_none());
    (from..labels.len()).find(|at| is_open(&labels[*at]))
}

fn guard(program: &mut Program, proc: usize, edge: usize, at: usize) {
    let old = program.procs[proc].edges[edge].clone();
    let Label::Alloc { size, .. } = old.labels[at] else { return };
    let Sort::Bits(width) = program.pool.sort(size) else { return };
    let most = program.pool.bits(width, u128::from(LARGEST_OBJECT_32));
    let fits = program.pool.binary(BinOp::ULe, size, most);
    if program.pool.is_bool(fits, true) {
        return;
    }
    let too_large = program.pool.not(fits);
    let file = program.files.get(old.span.file.0 as usize).map_or("", |file| file);
    let message =
        format!("{file}:{}: unsupported: an allocation of more than 256 MB with 32-bit addresses\n", old.span.line);
    let gap = GapId(program.gaps.len() as u32);
    program.gaps.push(Gap { kind: GapKind::Unsupported, message });
    let procedure = &mut program.procs[proc];
    procedure.locations.push(Location { kind: LocKind::Gap(gap), span: old.span, origin: Origin::default() });
    let target = LocId(procedure.locations.len() as u32 - 1);
    let mut labels = old.labels[..at].to_vec();
    labels.push(Label::Assume(too_large));
    procedure.edges.push(Edge { target, labels, ..old });
    procedure.edges[edge].labels.insert(at, Label::Assume(fits));
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_testing::DataModel;
    use raddle_testing::lowered_for;

    fn gaps(model: DataModel, text: &str) -> usize {
        let text = format!("extern void *malloc(unsigned long); extern unsigned nondet(void); {text}");
        let program = large_allocations(lowered_for(model, &text));
        assert_eq!(raddle_ir::validate(&program), Ok(()));
        let locations = program.procs.iter().flat_map(|proc| &proc.locations);
        locations.filter(|location| matches!(location.kind, LocKind::Gap(_))).count()
    }

    #[test]
    fn sizes_that_are_not_constant_have_a_limit_with_32_bits() {
        let text = "int main(void) { char *p = malloc(nondet()); char *q = malloc(4); return p == q; }";
        let main = "int main(void) { return 0; }";
        assert_eq!(gaps(DataModel::Ilp32, text) - gaps(DataModel::Ilp32, main), 1);
        assert_eq!(gaps(DataModel::Lp64, text), gaps(DataModel::Lp64, main));
    }
}
