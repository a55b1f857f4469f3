//! Memory arrays (raddle-model, `memory.rs`) have room for objects of 256 MB at most with 32-bit addresses, of 1 TB with 64-bit ones. An allocation whose size is not constant may ask for more: that way
//! leads to a gap, so that no proof rests on an object that ends beyond the last address, or where the next one begins. It is asked for late, when slicing has left out the allocations that cannot matter.
//!
//! With 64-bit addresses, there is no gap for sizes of 2^63 and more, which negative numbers become: no machine has such an object, so that nothing can be read or written beyond the first TB of it.

use raddle_ir::allocation::{LARGEST_OBJECT_32, LARGEST_OBJECT_64};
use raddle_ir::{
    BinOp, Edge, Expr, ExprId, ExprPool, Gap, GapId, GapKind, Label, LocId, LocKind, Location, Origin, Program, Sort,
};

/// Puts a gap beside each allocation of a size that may be too large.
pub fn large_allocations(mut program: Program) -> Program {
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
    let is_64 = program.pointer_bits > 32;
    let (most, words) = match is_64 {
        true => (LARGEST_OBJECT_64, "an allocation of more than 1 TB"),
        false => (LARGEST_OBJECT_32, "an allocation of more than 256 MB with 32-bit addresses"),
    };
    let fits_always = || signed(&program.pool, size).is_some_and(|(_, high)| high <= i128::from(most));
    if is_64 && (width < 64 || fits_always()) {
        return;
    }
    let most = program.pool.bits(width, u128::from(most));
    let mut fits = program.pool.binary(BinOp::ULe, size, most);
    if is_64 {
        let zero = program.pool.bits(width, 0);
        let is_none = program.pool.binary(BinOp::SLt, size, zero);
        fits = program.pool.or(fits, is_none);
    }
    if program.pool.is_bool(fits, true) {
        return;
    }
    let too_large = program.pool.not(fits);
    let file = program.files.get(old.span.file.0 as usize).map_or("", |file| file);
    let message = format!("{file}:{}: unsupported: {words}\n", old.span.line);
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

/// Between which numbers a signed value lies, as far as its operators tell: a product of a narrow number and a constant, say.
fn signed(pool: &ExprPool, expr: ExprId) -> Option<(i128, i128)> {
    let bits = pool.sort(expr).bits().filter(|bits| *bits <= 64)?;
    let half = 1i128 << (bits - 1);
    let (low, high) = match pool.get(expr) {
        Expr::ZeroExt { arg, .. } => (0, (1 << pool.sort(arg).bits()?) - 1),
        Expr::SignExt { arg, .. } => {
            let half = 1i128 << (pool.sort(arg).bits()? - 1);
            signed(pool, arg).unwrap_or((-half, half - 1))
        }
        Expr::Const(constant) => {
            let bits = constant.bits as i128;
            let value = if bits < half { bits } else { bits - 2 * half };
            (value, value)
        }
        Expr::Ite(_, a, b) => {
            let (a, b) = (signed(pool, a)?, signed(pool, b)?);
            (a.0.min(b.0), a.1.max(b.1))
        }
        Expr::Binary(BinOp::BvAdd, a, b) => {
            let (a, b) = (signed(pool, a)?, signed(pool, b)?);
            (a.0 + b.0, a.1 + b.1)
        }
        Expr::Binary(BinOp::BvMul, a, b) => {
            let (a, b) = (signed(pool, a)?, signed(pool, b)?);
            let all = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
            (all.into_iter().min()?, all.into_iter().max()?)
        }
        Expr::Binary(BinOp::Shl, a, by) => {
            let (a, by) = (signed(pool, a)?, u32::try_from(pool.as_const(by)?.bits).ok().filter(|by| *by < 63)?);
            (a.0 << by, a.1 << by)
        }
        _ => return None,
    };
    (-half <= low && high < half).then_some((low, high))
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

    #[test]
    fn sizes_of_64_bits_have_a_limit_but_those_of_numbers_have_none() {
        let of = |size: &str| {
            gaps(DataModel::Lp64, &format!("int main(void) {{ char *p = malloc({size}); return p == 0; }}"))
        };
        let none = of("4");
        assert_eq!(of("4ul * nondet()"), none);
        assert_eq!(of("4 * (long)(int)nondet()"), none);
        assert_eq!(of("(unsigned long)nondet() * nondet()") - none, 1);
    }
}
