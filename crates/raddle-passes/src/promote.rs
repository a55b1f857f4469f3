//! Automatic and allocated objects whose address stays in one variable become local variables (as LLVM's mem2reg does it), for proofs only.
//!
//! An object of an `Alloc` qualifies if the variable that gets its address gets it nowhere else, and every use of that variable is the address of a load or store, plus a constant at most,
//! that lies within the object, or of a `Free`. Then nobody else knows the object, and its cells are as good as locals of the thread. Accesses that overlap in part, or have
//! different sorts, leave it in memory.
//!
//! It adds behaviour: the object never ends, so that its use after a `Free` goes on; and nothing of it leads back to the Program as lowered. A counterexample of the result is none.

use raddle_ir::{
    BinOp, Const, Expr, ExprId, ExprPool, HavocReason, Label, Origin, Place, ProcId, Program, Sort, Var, VarId, VarKind,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What is known of a variable that holds the address of an object.
#[derive(Default)]
struct Holder {
    /// The size and whether it is zeroed, of each `Alloc`.
    allocs: Vec<(Option<u64>, bool)>,
    cells: BTreeMap<u64, Sort>,
    is_spoilt: bool,
}

/// Turns objects that nobody else knows into local variables.
pub fn promote(mut program: Program) -> Program {
    let holders = survey(&program);
    let mut vars: FxHashMap<VarId, BTreeMap<u64, VarId>> = FxHashMap::default();
    for (var, holder) in holders {
        if !qualifies(&holder) {
            continue;
        }
        let VarKind::Local(proc) = program.var(var).kind else { continue };
        let cells = holder.cells.iter().map(|(&offset, &sort)| (offset, make(&mut program, var, proc, sort)));
        vars.insert(var, cells.collect());
    }
    if !vars.is_empty() {
        rewrite(&mut program, &vars);
    }
    program
}

/// A variable and a constant that an address is the sum of.
fn split(pool: &ExprPool, address: ExprId) -> Option<(VarId, u64)> {
    match pool.get(address) {
        Expr::Var(var) => Some((var, 0)),
        Expr::Binary(BinOp::BvAdd, a, b) => {
            let (a, b) = if pool.as_const(b).is_some() { (a, b) } else { (b, a) };
            match (pool.get(a), pool.as_const(b)) {
                (Expr::Var(var), Some(offset)) => Some((var, u64::try_from(offset.bits).ok()?)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn survey(program: &Program) -> FxHashMap<VarId, Holder> {
    let mut holders: FxHashMap<VarId, Holder> = FxHashMap::default();
    let pool = &program.pool;
    for label in program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels) {
        // The expression that is no use of the address but an access.
        let mut counted = None;
        let access = match label {
            Label::Load { var, place: Place::Memory(address), .. } => Some((*address, program.var(*var).sort)),
            Label::Store { place: Place::Memory(address), value, .. } => Some((*address, pool.sort(*value))),
            Label::Free { address, .. } => {
                counted = Some(*address);
                None
            }
            Label::Alloc { var, size, zeroed, .. } => {
                let size = pool.as_const(*size).and_then(|size| u64::try_from(size.bits).ok());
                holders.entry(*var).or_default().allocs.push((size, *zeroed));
                None
            }
            _ => None,
        };
        if let Some((address, sort)) = access
            && let Some((var, offset)) = split(pool, address)
        {
            counted = Some(address);
            let holder = holders.entry(var).or_default();
            holder.is_spoilt |= holder.cells.insert(offset, sort).is_some_and(|known| known != sort);
        }
        let is_alloc = matches!(label, Label::Alloc { .. });
        if let Some(written) = label.written_local().filter(|_| !is_alloc) {
            holders.entry(written).or_default().is_spoilt = true;
        }
        label.for_each_expr(|expr| {
            if counted.take_if(|counted| *counted == expr).is_none() {
                for var in pool.vars(expr) {
                    holders.entry(var).or_default().is_spoilt = true;
                }
            }
        });
    }
    // What begins with a value that nobody gave it holds no address of ours.
    for proc in &program.procs {
        for var in proc.params.iter().chain(&proc.result) {
            holders.entry(*var).or_default().is_spoilt = true;
        }
    }
    holders
}

fn qualifies(holder: &Holder) -> bool {
    let mut end = 0;
    let fits = |(offset, sort): (&u64, &Sort)| {
        let begins = std::mem::replace(&mut end, offset.saturating_add(sort.bytes()));
        *offset >= begins && sort.bits().is_some()
    };
    let are_apart = holder.cells.iter().all(fits);
    let has_room = |(size, _): &(Option<u64>, bool)| size.is_some_and(|size| end <= size);
    !holder.is_spoilt && !holder.allocs.is_empty() && are_apart && holder.allocs.iter().all(has_room)
}

fn make(program: &mut Program, holder: VarId, proc: ProcId, sort: Sort) -> VarId {
    let of = program.var(holder);
    let (name, span) = (of.name.trim_start_matches('&').to_owned(), of.span);
    let id = VarId(program.vars.len() as u32);
    program.vars.push(Var { name, sort, kind: VarKind::Local(proc), signed: true, span, origin: Origin::default() });
    program.procs[proc.index()].locals.push(id);
    id
}

fn rewrite(program: &mut Program, vars: &FxHashMap<VarId, BTreeMap<u64, VarId>>) {
    for p in 0..program.procs.len() {
        for e in 0..program.procs[p].edges.len() {
            let labels = std::mem::take(&mut program.procs[p].edges[e].labels);
            let mut new = Vec::with_capacity(labels.len());
            for label in labels {
                let cell = |pool: &ExprPool, address: ExprId| {
                    let (var, offset) = split(pool, address)?;
                    vars.get(&var)?.get(&offset).copied()
                };
                match label {
                    Label::Load { var, place: Place::Memory(address), .. }
                        if let Some(from) = cell(&program.pool, address) =>
                    {
                        let sort = program.var(from).sort;
                        let value = program.pool.var(from, sort);
                        new.push(Label::Assign { var, value });
                    }
                    Label::Store { place: Place::Memory(address), value, .. }
                        if let Some(to) = cell(&program.pool, address) =>
                    {
                        new.push(Label::Assign { var: to, value });
                    }
                    Label::Alloc { var, zeroed, .. } if vars.contains_key(&var) => {
                        for &cell in vars[&var].values() {
                            let sort = program.var(cell).sort;
                            new.push(match zeroed {
                                true => {
                                    Label::Assign { var: cell, value: program.pool.constant(Const { sort, bits: 0 }) }
                                }
                                false => Label::Havoc {
                                    var: cell,
                                    reason: HavocReason::Uninitialised,
                                    site: Origin::default(),
                                },
                            });
                        }
                    }
                    Label::Free { address, .. }
                        if split(&program.pool, address).is_some_and(|(var, _)| vars.contains_key(&var)) => {}
                    other => new.push(other),
                }
            }
            program.procs[p].edges[e].labels = new;
        }
    }
}
