//! Makes the global variables of a Program that is one process its locals: nobody else sees them. What the other passes know of locals
//! then holds for them as well: constants are propagated from where they are stored, dead values go.
//!
//! Only for a Program whose calls are inlined, and where no thread is started. The variables get their initial values on a new edge in front of
//! all others.

use raddle_ir::{Edge, Label, LocId, LocKind, Location, Place, ProcId, Program, Span, VarId, VarKind};

/// Makes globals local where there is only one process.
pub fn localize(mut program: Program) -> Program {
    let is_alone = |label: &Label| !matches!(label, Label::Start { .. } | Label::Call { .. });
    if program.procs.len() != 1 || !program.procs[0].edges.iter().flat_map(|edge| &edge.labels).all(is_alone) {
        return program;
    }
    let mut first = Vec::new();
    for (i, var) in program.vars.iter_mut().enumerate() {
        let (VarKind::Global(initial) | VarKind::ThreadLocal(initial)) = var.kind else { continue };
        var.kind = VarKind::Local(ProcId(0));
        program.procs[0].locals.push(VarId(i as u32));
        if let Some(initial) = initial {
            first.push(Label::Assign { var: VarId(i as u32), value: program.pool.constant(initial) });
        }
    }
    let (pool, proc) = (&mut program.pool, &mut program.procs[0]);
    for label in proc.edges.iter_mut().flat_map(|edge| &mut edge.labels) {
        match *label {
            Label::Load { var, place: Place::Var(from), .. } => {
                let value = pool.var(from, program.vars[from.index()].sort);
                *label = Label::Assign { var, value };
            }
            Label::Store { place: Place::Var(to), value, .. } => *label = Label::Assign { var: to, value },
            _ => {}
        }
    }
    if !first.is_empty() {
        let entry = LocId(proc.locations.len() as u32);
        let mut location = Location { kind: LocKind::Normal, ..proc.locations[proc.entry.index()].clone() };
        location.lose_exactness();
        proc.locations.push(location);
        proc.edges.push(Edge { source: entry, target: proc.entry, labels: first, span: Span::NONE, is_silent: true });
        proc.entry = entry;
    }
    debug_assert_eq!(raddle_ir::validate(&program), Ok(()));
    program
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::const_prop;
    use raddle_testing::*;

    #[test]
    fn a_constant_that_is_stored_and_loaded_again_is_propagated() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let (g, x) = (b.global("g", 32, Some(0)), b.local(main, "x", 32));
        let five = b.num(32, 5);
        b.edge(main, 0, 1, vec![store(Place::Var(g), five)]);
        b.edge(main, 1, 2, vec![load(x, Place::Var(g))]);
        b.edge(main, 2, EXIT, vec![]);
        let program = const_prop(localize(b.finish()));
        assert_eq!(program.procs[0].edges[1].labels, [Label::Assign { var: x, value: five }]);
        assert!(program.vars.iter().all(|var| var.kind == VarKind::Local(main)));
        assert_eq!(program.procs[0].edges.len(), 4);
    }

    #[test]
    fn with_two_processes_globals_stay() {
        let mut b = Builder::new();
        let main = b.proc("main");
        b.proc("other");
        b.global("g", 32, Some(0));
        b.edge(main, 0, EXIT, vec![]);
        let program = localize(b.finish());
        assert!(matches!(program.vars[0].kind, VarKind::Global(_)));
    }
}
