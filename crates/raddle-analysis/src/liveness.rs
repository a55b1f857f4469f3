//! Which locals are live where: may be read, from a location on, before they are written.
//!
//! States are compared without their dead locals, paths are merged without them, and abstraction forgets them. Computed variable by
//! variable, backwards from the uses, so that the cost is the size of the answer (most locals are temporaries with a short life).

use crate::cfg::{Cfg, ends_thread};
use fixedbitset::FixedBitSet;
use raddle_ir::{Adjacency, ExprPool, Label, LocId, Procedure, VarId, VarsOf};
use rustc_hash::{FxHashMap, FxHashSet};

/// For each location the live locals, sorted.
#[derive(Clone, Debug, Default)]
pub struct Live {
    at: Vec<Vec<VarId>>,
}

impl Live {
    pub fn at(&self, location: LocId) -> &[VarId] {
        &self.at[location.index()]
    }

    pub fn contains(&self, location: LocId, var: VarId) -> bool {
        self.at(location).binary_search(&var).is_ok()
    }

    /// The same as one set for each location, given the place of each local in its procedure's list.
    pub fn slots(&self, slot: impl Fn(VarId) -> usize) -> Vec<FixedBitSet> {
        self.at.iter().map(|vars| vars.iter().map(|var| slot(*var)).collect()).collect()
    }
}

/// Who reads what the Program prints and the status that it ends with?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// Somebody: what goes there is read.
    Read,
    /// Nobody: it does not keep a local alive.
    Ignored,
}

/// The result of a procedure is read where it ends. Behind a label that ends the thread, the path, the program or the search, nothing is.
pub fn live_locals(proc: &Procedure, pool: &ExprPool, output: Output) -> Live {
    live_among(proc, pool, output, &proc.locals)
}

/// The same of some locals.
pub fn live_among(proc: &Procedure, pool: &ExprPool, output: Output, locals: &[VarId]) -> Live {
    let accesses = Accesses::of(proc, pool, output, locals);
    let mut at: Vec<Vec<VarId>> = vec![Vec::new(); proc.locations.len()];
    for (local, &var) in accesses.locals.iter().enumerate() {
        accesses.walk(proc, local, |location| {
            let live = &mut at[location.index()];
            let is_new = live.last() != Some(&var);
            if is_new {
                live.push(var);
            }
            is_new
        });
    }
    Live { at }
}

/// The locals that may be read before the procedure has given them a value, without its parameters; sorted.
pub fn read_before_written(proc: &Procedure, pool: &ExprPool) -> Vec<VarId> {
    let cfg = Cfg::new(proc);
    let others: Vec<VarId> = proc.locals.iter().copied().filter(|var| !proc.params.contains(var)).collect();
    let accesses = Accesses::of(proc, pool, Output::Read, &others);
    // The last local that was found to be live there: nothing is kept of those before.
    let mut last = vec![usize::MAX; proc.locations.len()];
    let mut found = Vec::new();
    for (local, &var) in accesses.locals.iter().enumerate() {
        accesses.walk(proc, local, |location| {
            cfg.is_reachable(location) && std::mem::replace(&mut last[location.index()], local) != local
        });
        if last[proc.entry.index()] == local {
            found.push(var);
        }
    }
    found
}

/// What each edge reads and writes of some locals.
struct Accesses {
    /// Sorted.
    locals: Vec<VarId>,
    /// Where each local is read before it is written, as sources of edges.
    exposed: Vec<Vec<LocId>>,
    /// What each edge writes, if it comes to its target.
    written: Vec<Option<FxHashSet<usize>>>,
    incoming: Adjacency,
}

impl Accesses {
    fn of(proc: &Procedure, pool: &ExprPool, output: Output, locals: &[VarId]) -> Accesses {
        let mut locals = locals.to_vec();
        locals.sort_unstable();
        let position: FxHashMap<VarId, usize> = locals.iter().enumerate().map(|(i, var)| (*var, i)).collect();
        let mut exposed: Vec<Vec<LocId>> = vec![Vec::new(); locals.len()];
        let mut written: Vec<Option<FxHashSet<usize>>> = Vec::with_capacity(proc.edges.len());
        let mut vars_of = VarsOf::new();
        for edge in &proc.edges {
            let mut writes: FxHashSet<usize> = FxHashSet::default();
            let mut ends = false;
            for label in &edge.labels {
                let is_output = matches!(label, Label::Print { .. } | Label::Halt { .. });
                if !is_output || output == Output::Read {
                    label.for_each_expr(|expr| {
                        for local in vars_of.get(pool, expr).iter().filter_map(|var| position.get(var)) {
                            if !writes.contains(local) {
                                exposed[*local].push(edge.source);
                            }
                        }
                    });
                }
                writes.extend(label.written_local().and_then(|var| position.get(&var)));
                ends = ends_thread(label) || matches!(label, Label::Error(_)) || never_passed(label, pool);
                if ends {
                    break;
                }
            }
            written.push((!ends).then_some(writes));
        }
        if let Some(local) = proc.result.and_then(|result| position.get(&result)) {
            exposed[*local].push(proc.exit);
        }
        Accesses { locals, exposed, written, incoming: proc.in_edges() }
    }

    /// Goes backwards from the reads of a local to its writes. `enter` says whether a location is new.
    fn walk(&self, proc: &Procedure, local: usize, mut enter: impl FnMut(LocId) -> bool) {
        let mut open = self.exposed[local].clone();
        while let Some(location) = open.pop() {
            if !enter(location) {
                continue;
            }
            for edge in self.incoming.of(location) {
                if self.written[edge.index()].as_ref().is_some_and(|writes| !writes.contains(&local)) {
                    open.push(proc.edges[edge.index()].source);
                }
            }
        }
    }
}

/// Does a path end there whatever the values are? An access that hits none of its candidates is made such a label.
fn never_passed(label: &Label, pool: &ExprPool) -> bool {
    match label {
        Label::Assume(cond) | Label::Await(cond) | Label::Require { cond, .. } => pool.is_bool(*cond, false),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::{HavocReason, ProcId};
    use raddle_testing::*;

    /// `x := any; (y := x | print x; halt y)`, with `y` as the result.
    #[test]
    fn what_follows_an_end_is_not_read_and_output_may_be_ignored() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let (x, y) = (b.local(main, "x", 32), b.result(main, 32));
        let (vx, vy, format) = (b.get(x), b.get(y), b.num(64, 0));
        b.edge(
            main,
            0,
            1,
            vec![Label::Havoc { var: x, reason: HavocReason::Input, site: raddle_ir::Origin::default() }],
        );
        b.edge(main, 1, EXIT, vec![Label::Assign { var: y, value: vx }]);
        b.edge(main, 0, 2, vec![]);
        b.edge(
            main,
            2,
            3,
            vec![Label::Print { format, args: vec![vx], var: None, site: raddle_ir::Origin::default() }],
        );
        b.edge(main, 3, EXIT, vec![Label::Halt { status: vy }]);
        let program = b.finish();
        let proc = program.proc(ProcId(0));
        let live = |output| -> Vec<Vec<usize>> {
            let live = live_locals(proc, &program.pool, output).slots(VarId::index);
            live.iter().map(|set| set.ones().collect()).collect()
        };
        // The entry, the exit, then the others.
        let all: [&[usize]; 5] =
            [&[x.index(), y.index()], &[y.index()], &[x.index()], &[x.index(), y.index()], &[y.index()]];
        assert_eq!(live(Output::Read), all);
        let silent: [&[usize]; 5] = [&[], &[y.index()], &[x.index()], &[], &[]];
        assert_eq!(live(Output::Ignored), silent);
    }

    /// `x := any; (x := 1 | require false); y := x`: what `x` was before is not read.
    #[test]
    fn an_edge_that_is_never_passed_reads_nothing_behind_it() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let (x, y) = (b.local(main, "x", 32), b.result(main, 32));
        let (vx, one, never) = (b.get(x), b.num(32, 1), b.pool().bool(false));
        b.edge(main, 0, 1, vec![Label::Assign { var: x, value: one }]);
        b.edge(main, 0, 1, vec![Label::Require { cond: never, hazard: raddle_ir::Hazard::InvalidAccess }]);
        b.edge(main, 1, EXIT, vec![Label::Assign { var: y, value: vx }]);
        let program = b.finish();
        let live = live_locals(program.proc(ProcId(0)), &program.pool, Output::Read);
        assert!(!live.contains(LocId(0), x) && live.contains(LocId(2), x), "{live:?}");
    }
}
