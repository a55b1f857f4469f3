//! Remembers with what procedures were called, for proofs only: a contract says how what a procedure leaves is related to what it was given (auxiliary variables, after Hoare, 1971).
//!
//! Each procedure that is called gets a local for each parameter, and one for each global variable that it or whatever it calls may write. A new first edge assigns them, and nothing
//! ever reads them: no pass that leaves out dead code may run afterwards.

use raddle_ir::{
    Callee, Edge, Label, LocId, LocKind, Location, Order, Origin, Place, ProcId, Program, Var, VarId, VarKind,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What the procedures that are called remember.
#[derive(Clone, Debug, Default)]
pub struct Given {
    pub ghosts: FxHashMap<ProcId, Ghosts>,
}

#[derive(Clone, Debug, Default)]
pub struct Ghosts {
    /// For each parameter, the local that has the argument.
    pub params: Vec<VarId>,
    /// The global variables that it or whatever it calls may write, each with the local that has the value found at the entry.
    pub found: Vec<(VarId, VarId)>,
}

impl Ghosts {
    pub fn vars(&self) -> impl Iterator<Item = VarId> + '_ {
        self.params.iter().copied().chain(self.found.iter().map(|(_, ghost)| *ghost))
    }
}

/// Gives each procedure that is called its memory. All calls are direct.
pub fn given(mut program: Program) -> (Program, Given) {
    let mut given = Given::default();
    let written = written(&program);
    for callee in callees(&program) {
        let params = program.proc(callee).params.clone();
        let params: Vec<(VarId, VarId)> =
            params.into_iter().map(|param| (param, ghost(&mut program, callee, param, "given "))).collect();
        let found: Vec<(VarId, VarId)> = (written[callee.index()].iter())
            .map(|global| (*global, ghost(&mut program, callee, *global, "found ")))
            .collect();
        let mut labels = Vec::new();
        for &(param, to) in &params {
            let value = program.pool.var(param, program.vars[param.index()].sort);
            labels.push(Label::Assign { var: to, value });
        }
        labels.extend((found.iter()).map(|&(global, to)| Label::Load {
            var: to,
            place: Place::Var(global),
            order: Order::NonAtomic,
        }));
        let proc = &mut program.procs[callee.index()];
        let entry = LocId(proc.locations.len() as u32);
        let mut location = Location { kind: LocKind::Normal, ..proc.locations[proc.entry.index()].clone() };
        location.lose_exactness();
        proc.locations.push(location);
        proc.edges.push(Edge { source: entry, target: proc.entry, labels, span: proc.span, is_silent: true });
        proc.entry = entry;
        let params = params.into_iter().map(|(_, ghost)| ghost).collect();
        given.ghosts.insert(callee, Ghosts { params, found });
    }
    (program, given)
}

fn ghost(program: &mut Program, proc: ProcId, of: VarId, what: &str) -> VarId {
    let id = VarId(program.vars.len() as u32);
    let of = program.var(of);
    let name = format!("{what}{}", of.name);
    let var = Var { name, kind: VarKind::Local(proc), origin: Origin::default(), ..of.clone() };
    program.vars.push(var);
    program.procs[proc.index()].locals.push(id);
    id
}

fn called(program: &Program, proc: ProcId) -> impl Iterator<Item = ProcId> + '_ {
    let labels = program.proc(proc).edges.iter().flat_map(|edge| &edge.labels);
    labels.filter_map(|label| match label {
        Label::Call { callee: Callee::Proc(callee), .. } => Some(*callee),
        _ => None,
    })
}

fn callees(program: &Program) -> BTreeSet<ProcId> {
    (0..program.procs.len() as u32).flat_map(|proc| called(program, ProcId(proc))).collect()
}

/// The variables that each procedure or whatever it calls may write.
fn written(program: &Program) -> Vec<BTreeSet<VarId>> {
    let mut all: Vec<BTreeSet<VarId>> = (program.procs.iter())
        .map(|proc| {
            let labels = proc.edges.iter().flat_map(|edge| &edge.labels);
            let written = labels.filter_map(|label| match label {
                Label::Store { place: Place::Var(var), .. } => Some(*var),
                _ => None,
            });
            written.collect()
        })
        .collect();
    loop {
        let before: usize = all.iter().map(BTreeSet::len).sum();
        for proc in 0..all.len() {
            for callee in called(program, ProcId(proc as u32)) {
                let more = all[callee.index()].clone();
                all[proc].extend(more);
            }
        }
        if all.iter().map(BTreeSet::len).sum::<usize>() == before {
            return all;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_testing::*;

    #[test]
    fn what_is_called_remembers_its_arguments_and_what_it_may_change() {
        let mut b = Builder::new();
        let (main, f, g) = (b.proc("main"), b.proc("f"), b.proc("g"));
        let n = b.param(f, "n", 32);
        let (x, _) = (b.global("x", 32, Some(0)), b.global("y", 32, Some(0)));
        let (vn, one) = (b.get(n), b.num(32, 1));
        let call =
            |callee, args| Label::Call { callee: Callee::Proc(callee), args, var: None, site: Origin::default() };
        b.edge(main, 0, EXIT, vec![call(f, vec![one])]);
        b.edge(f, 0, EXIT, vec![call(g, vec![])]);
        b.edge(g, 0, EXIT, vec![store(Place::Var(x), one)]);
        let (program, given) = given(b.finish());
        assert_eq!((given.ghosts.len(), given.ghosts[&f].params.len(), given.ghosts[&f].found.len()), (2, 1, 1));
        let edge = &program.proc(f).edges[program.proc(f).out_edges().of(program.proc(f).entry)[0].index()];
        let assigned = Label::Assign { var: given.ghosts[&f].params[0], value: vn };
        let found = Label::Load { var: given.ghosts[&f].found[0].1, place: Place::Var(x), order: Order::NonAtomic };
        assert_eq!(edge.labels, [assigned, found]);
        assert!(!given.ghosts.contains_key(&main));
    }
}
