//! The way back for conditions: what is known of a prepared Program, in terms of the Program as lowered.
//!
//! Engines know conditions on the variables of the model while a thread is at a prepared location. Each becomes a condition on variables of the lowered Program at a lowered location, or is
//! left out. Leaving out a part of a conjunction makes it weaker, which is sound; no part of a disjunction or of a guard is ever left out. Side conditions:
//!
//! - *All visits.* Inlining makes a copy of a location for each call, and no other pass copies any. So the lowered location is at a prepared one on each visit
//!   if every copy of its procedure still has it. Where a copy lost it (the copy cannot be reached, or the location was contracted with the next one), there is no invariant. Of several
//!   copies, the disjunction of what is known holds (`told.rs`).
//! - *The same done.* `coalesce` moves an assignment over locations with one way in and one way out, and marks them (`LocOrigin::is_exact`): such ones do
//!   not count. The head of a natural loop is none. Merging edges (`merge_edges`, `large_blocks`) takes locations away and moves nothing over those that stay.
//! - *The same meanwhile.* Edges are merged where other threads see no difference: a state in which one of them is inside a merged edge has the shared variables of a state in
//!   which it is at an end of that edge. So what holds of one thread and the shared variables holds then, too. Of two threads it need not, and nothing is said.
//! - *Variables with the same value* (`raddle_ir::Same`): all writes are there, or the variable is a local that may still be read. Variables that a pass made for itself come
//!   from nothing (those of `promote`, of `distinguished_cells`) or from something that they only begin with, and are not mentioned.
//! - *No addresses.* The model lays out memory in its own way. Nothing is said of a variable that an address may have got into; what memory holds may be one.
//! - *Atomic blocks* are merged to one step. States inside of another thread's block do not count (`raddle_engine::Invariants`).
//!
//! Any behaviour that a form or a model adds only makes invariants weaker.

mod addresses;
mod conjunctions;
mod implied;
mod summary;
mod tidy;
mod told;
mod visits;

pub use conjunctions::invariants_of_conjunctions;
pub use tidy::tidy;
pub use told::{Conjunction, Told};
pub use visits::Visited;

use crate::instances::{Origin, Vars};
use addresses::with_addresses;
use fixedbitset::FixedBitSet;
use raddle_analysis::{Live, Output, live_locals};
use raddle_engine::Invariants;
use raddle_ir::{Expr, ExprId, ExprPool, Holder, LocId, LocOrigin, ObjectKind, ProcId, Program, Same, VarId, VarKind};
use rustc_hash::{FxHashMap, FxHashSet};
use visits::{outermost, procs_of_calls, single, visited};

/// What can be said of a thread's variables.
pub struct LeadBack<'a> {
    lowered: &'a Program,
    prepared: &'a Program,
    vars: &'a Vars,
    /// Is anything known of shared variables?
    with_shared: bool,
    visited: FxHashMap<(ProcId, LocId), Visited>,
    /// By procedure of the prepared Program.
    live: Vec<Live>,
    /// Variables of the prepared Program that an address may have got into.
    tainted: FixedBitSet,
    /// The procedures of which a process has one copy, by process. With several, nobody knows which of them a local belongs to.
    single: FxHashSet<(ProcId, ProcId)>,
    calls: FxHashMap<u32, ProcId>,
}

/// Where a thread is in the prepared Program: what is said is said of that thread.
#[derive(Clone, Copy, Debug)]
pub struct Standpoint {
    pub slot: u32,
    pub proc: ProcId,
    pub loc: LocId,
    pub origin: LocOrigin,
}

impl<'a> LeadBack<'a> {
    /// From a prepared form of a lowered Program, and the variables that a model made of it.
    pub fn new(lowered: &'a Program, prepared: &'a Program, vars: &'a Vars, with_shared: bool) -> Self {
        LeadBack {
            lowered,
            prepared,
            vars,
            with_shared,
            visited: visited(lowered, prepared),
            live: prepared.procs.iter().map(|proc| live_locals(proc, &prepared.pool, Output::Read)).collect(),
            tainted: with_addresses(prepared),
            single: single(lowered, prepared),
            calls: procs_of_calls(lowered),
        }
    }

    /// What a prepared location stands for, if a thread has done the same there.
    pub fn visited(&self, proc: ProcId, loc: LocId) -> Option<Visited> {
        self.visited.get(&(proc, loc)).copied()
    }

    /// The process that a copy of a location belongs to.
    fn process(&self, origin: LocOrigin) -> ProcId {
        outermost(&self.calls, self.prepared, origin.within).unwrap_or(origin.proc)
    }

    /// A condition on variables of the model; `None` if one of them has no words.
    pub fn condition(&self, at: Standpoint, pool: &ExprPool, cond: ExprId, to: &mut Invariants) -> Option<ExprId> {
        let vars = pool.vars(cond);
        let names: Option<Vec<_>> = vars.into_iter().map(|var| self.var(at, var, to).map(|name| (var, name))).collect();
        Some(copied(pool, cond, &names?, &mut to.pool))
    }

    /// A variable of the model as one of the lowered Program, as the thread sees it.
    pub fn var(&self, at: Standpoint, var: VarId, to: &mut Invariants) -> Option<ExprId> {
        let lowered = self.lowered;
        let var = match self.vars.origin(var) {
            Origin::Global(var) => var,
            Origin::Instance { slot, var } if slot == at.slot => var,
            _ => return None,
        };
        let prepared = self.prepared.var(var);
        let part = prepared.origin.0?;
        let is_live = || self.live[at.proc.index()].contains(at.loc, var);
        let is_same = match (&prepared.kind, part.same) {
            (_, Same::Initially) => false,
            (VarKind::Local(_), Same::WhereRead) => is_live(),
            (_, same) => same == Same::Always,
        };
        if !is_same || part.offset != 0 || self.tainted.contains(var.index()) {
            return None;
        }
        let sort = prepared.sort;
        let is_private = matches!(prepared.kind, VarKind::Local(_));
        match part.holder {
            Holder::Var(id) => {
                let of = lowered.vars.get(id.index()).filter(|of| of.sort == sort)?;
                let in_scope = match of.kind {
                    VarKind::Global(_) => self.with_shared || is_private,
                    VarKind::ThreadLocal(_) => true,
                    VarKind::Local(of) => {
                        let is_single = || self.single.contains(&(self.process(at.origin), of));
                        of == at.origin.proc && is_live() && is_single()
                    }
                };
                in_scope.then(|| to.pool.var(id, sort))
            }
            Holder::Object(id) => {
                let of = lowered.objects.get(id.index())?;
                let is_whole = of.size == sort.bytes() && matches!(of.kind, ObjectKind::Data { .. });
                (is_whole && (self.with_shared || is_private)).then(|| to.object(lowered, id, sort))
            }
            Holder::Alloc(_) => None,
        }
    }
}

/// An expression in another pool, with other variables.
fn copied(from: &ExprPool, expr: ExprId, names: &[(VarId, ExprId)], to: &mut ExprPool) -> ExprId {
    let name = |var: VarId| names.iter().find(|(known, _)| *known == var).map(|(_, name)| *name);
    copies(from, &[expr], &name, to)[&expr]
}

/// Expressions in another pool, and all that they are made of. A variable without a name keeps its own.
fn copies(
    from: &ExprPool,
    roots: &[ExprId],
    name: &dyn Fn(VarId) -> Option<ExprId>,
    to: &mut ExprPool,
) -> FxHashMap<ExprId, ExprId> {
    let mut nodes: Vec<(ExprId, Expr)> = Vec::new();
    from.for_each_node(roots, |id, node| nodes.push((id, node)));
    // Operands have smaller ids than what they are operands of.
    nodes.sort_unstable_by_key(|(id, _)| *id);
    let mut done: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    for (id, node) in nodes {
        let copy = match node {
            Expr::Var(var) if let Some(name) = name(var) => name,
            node => to.rebuild(node.map_operands(|operand| done[&operand]), from.sort(id)),
        };
        done.insert(id, copy);
    }
    done
}
