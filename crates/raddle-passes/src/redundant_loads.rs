//! A load that sees what an earlier load or store of the same thread saw becomes a copy of that value.
//!
//! `if (a[i] > max) max = a[i];` loads `a[i]` twice. Where memory is abstracted, two loads may give two values. The walk goes back from a load over edges that are
//! the only way to it: no join, so no phi. It ends at a store or an allocation that may change the bytes, and where a variable of the address
//! is written. Sequential Programs only: nobody else writes meanwhile.

use raddle_analysis::Cfg;
use raddle_ir::{ExprId, Label, Place, Program, Sort, VarId};
use rustc_hash::FxHashSet;

/// How many labels a walk passes.
const FARTHEST: usize = 200;

/// What memory is known to hold.
enum Known {
    Loaded(VarId),
    Stored(ExprId),
}

/// Replaces loads of memory in the only process. `may_change` says whether a store to the first address may change what is at the second.
pub(crate) fn redundant_loads(program: &mut Program, may_change: &dyn Fn(ExprId, ExprId) -> bool) {
    let cfg = Cfg::new(&program.procs[0]);
    let mut copies: Vec<(usize, usize, VarId, Known)> = Vec::new();
    for (e, edge) in program.procs[0].edges.iter().enumerate() {
        for (l, label) in edge.labels.iter().enumerate() {
            let Label::Load { var, place: Place::Memory(address), .. } = *label else { continue };
            if let Some(known) = known_at(program, &cfg, (e, l), address, program.var(var).sort, may_change) {
                copies.push((e, l, var, known));
            }
        }
    }
    for (e, l, var, known) in copies {
        let value = match known {
            Known::Loaded(from) => program.pool.var(from, program.vars[from.index()].sort),
            Known::Stored(value) => value,
        };
        program.pool.vars(value).into_iter().for_each(|read| program.vars[read.index()].gain_reads());
        program.procs[0].edges[e].labels[l] = Label::Assign { var, value };
    }
}

/// What an address is known to hold before a label of an edge.
fn known_at(
    program: &Program,
    cfg: &Cfg,
    (mut edge, mut label): (usize, usize),
    address: ExprId,
    sort: Sort,
    may_change: &dyn Fn(ExprId, ExprId) -> bool,
) -> Option<Known> {
    let proc = &program.procs[0];
    let of_address = program.pool.vars(address);
    let mut written: FxHashSet<VarId> = FxHashSet::default();
    for _ in 0..FARTHEST {
        while label == 0 {
            let source = proc.edges[edge].source;
            let [before] = cfg.arriving(source) else { return None };
            if source == proc.entry || !cfg.is_reachable(source) {
                return None;
            }
            edge = before.index();
            label = proc.edges[edge].labels.len();
        }
        label -= 1;
        let here = &proc.edges[edge].labels[label];
        if here.written_local().is_some_and(|var| of_address.contains(&var)) {
            return None;
        }
        match *here {
            Label::Load { var, place: Place::Memory(at), .. } if at == address => {
                let is_same = program.var(var).sort == sort && !written.contains(&var);
                return is_same.then_some(Known::Loaded(var));
            }
            Label::Store { value, place: Place::Memory(at), .. } if at == address => {
                let is_same = program.pool.sort(value) == sort;
                let is_there = !program.pool.vars(value).iter().any(|var| written.contains(var));
                return (is_same && is_there).then_some(Known::Stored(value));
            }
            Label::Store { place: Place::Memory(at), .. } if may_change(at, address) => return None,
            Label::Alloc { .. } => return None,
            _ => written.extend(here.written_local()),
        }
    }
    None
}
