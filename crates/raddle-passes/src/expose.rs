//! Marks exposed objects, whose address may be rebuilt from numbers that do not look like it (`raddle_analysis::exposed` finds them). It runs before
//! constants of different expressions are folded: afterwards they cannot be told any more. Passes and engines that rely on knowing where an
//! address occurs leave marked objects alone.

use raddle_analysis::exposed::exposed;
use raddle_ir::Program;

/// Marks exposed objects. Objects that are marked already stay so.
pub fn expose(mut program: Program) -> Program {
    exposed(&program).ones().for_each(|i| program.objects[i].exposed = true);
    program
}

#[cfg(test)]
mod tests {
    use crate::{reachable, scalarize};
    use raddle_analysis::points_to;
    use raddle_ir::{Expr, Label, Place, VarId};
    use raddle_testing::*;

    const A: u128 = 0x10000000;
    const B: u128 = 0x10100000;

    #[test]
    fn an_exposed_object_stays_in_memory_and_in_the_program() {
        let mut b = Builder::new();
        let main = b.proc("main");
        b.object("a", A as u64, 4, None, true);
        b.object("b", B as u64, 4, None, true);
        let (p, to) = (b.local(main, "p", 64), b.local(main, "to", 32));
        let (at_b, vp, key) = (b.num(64, B), b.get(p), b.num(64, 77));
        b.edge(main, 0, 1, vec![load(to, Place::Memory(at_b)), Label::Assign { var: p, value: key }]);
        b.edge(main, 1, EXIT, vec![load(to, Place::Memory(vp))]);
        let mut program = b.finish();
        program.objects.iter_mut().for_each(|object| object.exposed = true);
        let program = reachable(scalarize(program));
        assert_eq!(program.objects.len(), 2);
        assert_eq!(program.vars.len(), 2, "there is no variable for b");
        let address = program.pool.find(Expr::Var(VarId(0))).unwrap();
        assert_eq!(points_to(&program).targets(&program.pool, address).ones().collect::<Vec<_>>(), [0, 1]);
    }
}
