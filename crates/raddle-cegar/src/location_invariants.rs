//! From a finished graph to invariants of the Program as lowered.
//!
//! An invariant of a lowered location is the disjunction of what the nodes know in which a thread is at a prepared location that comes from it. Whatever cannot be
//! said in terms of the lowered Program is left out of a node's conjunction, which makes it weaker. What makes the disjunction right:
//!
//! - *All visits.* Inlining makes a copy of a location for each call, and no other pass copies any. So the lowered location is at a prepared one on each visit
//!   if every copy of its procedure still has it. Where a copy lost it (the copy cannot be reached, or the location was contracted with the next one), there is no invariant.
//! - *The same done.* `coalesce` moves an assignment over locations with one way in and one way out, and marks them (`LocOrigin::is_exact`): such ones do
//!   not count. The head of a natural loop is none.
//! - *Variables with the same value* (`raddle_ir::Same`): all writes are there, or the variable is a local that may still be read.
//! - *No addresses.* The model lays out memory in its own way. Nothing is said of a variable that an address may have got into.
//! - *Reduction.* Partial-order reduction leaves out states. Each execution is a prefix of an explored one up to the order of steps that commute, so every thread
//!   is in the same states of its own, though not at the same time as the others: if threads were left out anywhere, nothing is said of shared variables
//!   (`unreduced.rs` makes a graph where none are).
//! - *Atomic blocks* are merged to one step. States inside of another thread's block do not count (`raddle_engine::Invariants`).

mod addresses;
mod summary;
mod tidy;
mod visits;

use crate::domains::precision::Precision;
use crate::domains::state::{Data, States};
use crate::graph::arg::{Arg, Status};
use crate::model::Model;
use crate::model::instances::Origin;
use crate::model::threads::At;
use addresses::with_addresses;
use fixedbitset::FixedBitSet;
use raddle_analysis::{Live, Output, live_locals};
use raddle_engine::{Invariant, Invariants};
use raddle_ir::{
    Const, Expr, ExprId, ExprPool, Holder, LocId, LocOrigin, ObjectKind, ProcId, Program, Same, Sort, VarId, VarKind,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use summary::summary;
use tidy::tidy;
use visits::{Visited, outermost, procs_of_calls, single, visited};

/// With more disjuncts, nothing is said.
const MOST_COLLECTED: usize = 2048;
/// With more disjuncts or literals, a summary is said. There may be more literals at heads of loops than elsewhere.
const MOST_COMPARED: usize = 256;
const MOST_LITERALS: usize = 64;
const MOST_ELSEWHERE: usize = 16;
/// Away from heads of loops, threads are looked at in so many nodes.
const MOST_LOOKED_AT: usize = 50_000;

/// A location of the lowered Program.
type Place = (ProcId, LocId);
/// Literals that all hold, sorted.
type Conjunction = Vec<ExprId>;

/// The invariants that a finished graph shows.
pub fn location_invariants(
    lowered: &Program,
    model: &Model,
    precision: &Precision,
    (arg, states): (&Arg, &States),
) -> Invariants {
    let visited = visited(lowered, model.program);
    let mut said = Said::new(lowered, model, is_reduced(arg, states));
    let mut found: BTreeMap<Place, Found> = BTreeMap::new();
    let mut seen: FxHashSet<(u32, u32)> = FxHashSet::default();
    let mut looked_at = 0;
    for id in arg.live() {
        let node = arg.node(id);
        // A node that is covered says nothing that the other one does not allow.
        if node.status != Status::Expanded || !seen.insert((node.threads, node.data)) {
            continue;
        }
        let (threads, data) = (states.threads.get(node.threads), states.data.get(node.data));
        for (slot, thread) in threads.threads.iter().enumerate() {
            let At::Location(at) = thread.at else { continue };
            let Some(Visited { origin, is_head }) = visited.get(&(thread.proc, at)).copied() else { continue };
            let is_visible = threads.atomic.is_none_or(|(inside, _)| inside == slot as u32);
            let known = found.entry((origin.proc, origin.loc)).or_insert_with(|| Found::new(is_head));
            let Some(disjuncts) = known.disjuncts.as_mut().filter(|_| is_visible) else { continue };
            said.disjuncts((slot as u32, thread.proc, at), origin, (precision, data), disjuncts);
            looked_at += usize::from(!is_head);
            if disjuncts.len() > MOST_COLLECTED || disjuncts.contains(&Vec::new()) || looked_at > MOST_LOOKED_AT {
                known.disjuncts = None;
            }
        }
    }
    if looked_at > MOST_LOOKED_AT {
        found.retain(|_, known| known.is_head);
    }
    let mut result = said.result;
    for ((proc, loc), Found { is_head, disjuncts }) in found {
        let Some(disjuncts) = disjuncts.filter(|disjuncts| !disjuncts.is_empty()) else { continue };
        let few = |disjuncts: &Vec<Conjunction>| {
            let most = if is_head { MOST_LITERALS } else { MOST_ELSEWHERE };
            disjuncts.iter().map(Vec::len).sum::<usize>() <= most
        };
        let weakest = (disjuncts.len() <= MOST_COMPARED).then(|| weakest(&disjuncts)).filter(few);
        let cond = match weakest {
            Some(weakest) => disjunction(&mut result.pool, &weakest),
            None => summary(&mut result.pool, &disjuncts),
        };
        if !result.pool.is_bool(cond, true) {
            result.all.push(Invariant { proc, loc, cond, is_loop: is_head });
        }
    }
    result
}

/// What is known at a location.
struct Found {
    is_head: bool,
    /// `None`: nothing.
    disjuncts: Option<BTreeSet<Conjunction>>,
}

impl Found {
    fn new(is_head: bool) -> Found {
        Found { is_head, disjuncts: Some(BTreeSet::new()) }
    }
}

/// Did reduction leave out threads?
pub fn is_reduced(arg: &Arg, states: &States) -> bool {
    arg.live().map(|id| arg.node(id)).any(|node| {
        let left_out = |explored: &Vec<u32>| {
            states.threads.get(node.threads).movable().any(|(slot, _, _)| !explored.contains(&slot))
        };
        node.status == Status::Expanded && node.explored.as_ref().is_some_and(left_out)
    })
}

/// Without those that imply another one.
fn weakest(disjuncts: &BTreeSet<Conjunction>) -> Vec<Conjunction> {
    let includes =
        |all: &Conjunction, part: &Conjunction| part.iter().all(|literal| all.binary_search(literal).is_ok());
    let is_weakest = |one: &&Conjunction| !disjuncts.iter().any(|other| other != *one && includes(one, other));
    disjuncts.iter().filter(is_weakest).cloned().collect()
}

fn disjunction(pool: &mut ExprPool, disjuncts: &[Conjunction]) -> ExprId {
    let mut any = pool.bool(false);
    for conjunction in disjuncts {
        let mut all = pool.bool(true);
        for &literal in conjunction {
            all = pool.and(all, literal);
        }
        any = pool.or(any, all);
    }
    any
}

/// What can be said of a thread's variables.
struct Said<'a, 'p> {
    lowered: &'a Program,
    model: &'a Model<'p>,
    /// Nothing is known of shared variables.
    is_reduced: bool,
    /// By procedure of the prepared Program.
    live: Vec<Live>,
    /// Variables of the prepared Program that an address may have got into.
    tainted: FixedBitSet,
    /// The procedures of which a process has one copy, by process. With several, nobody knows which of them a local belongs to.
    single: FxHashSet<(ProcId, ProcId)>,
    calls: FxHashMap<u32, ProcId>,
    result: Invariants,
}

impl<'a, 'p> Said<'a, 'p> {
    fn new(lowered: &'a Program, model: &'a Model<'p>, is_reduced: bool) -> Self {
        let program = model.program;
        Said {
            lowered,
            model,
            is_reduced,
            live: program.procs.iter().map(|proc| live_locals(proc, &program.pool, Output::Read)).collect(),
            tainted: with_addresses(program),
            single: single(lowered, program),
            calls: procs_of_calls(lowered),
            result: Invariants::default(),
        }
    }

    /// Adds what a node says where a thread is: one conjunction for each cube.
    fn disjuncts(
        &mut self,
        at: (u32, ProcId, LocId),
        origin: LocOrigin,
        (precision, data): (&Precision, &Data),
        out: &mut BTreeSet<Conjunction>,
    ) {
        let mut values = Vec::new();
        for (var, bits) in data.values.iter() {
            let sort = self.model.vars.sort(var);
            if let (Sort::Bool | Sort::Bits(_), Some(var)) = (sort, self.var(at, origin, var)) {
                let value = self.result.pool.constant(Const { sort, bits });
                values.push(self.result.pool.eq(var, value));
            }
        }
        for cube in &data.cubes {
            let mut literals = values.clone();
            for &(id, holds) in &cube.0 {
                let expr = precision.predicate(id).expr;
                let vars = &precision.predicate(id).vars;
                let names: Option<Vec<_>> =
                    vars.iter().map(|var| self.var(at, origin, *var).map(|name| (*var, name))).collect();
                let Some(names) = names else { continue };
                let literal = copied(&self.model.pool, expr, &names, &mut self.result.pool);
                literals.push(if holds { literal } else { self.result.pool.not(literal) });
            }
            let conjunction = tidy(&mut self.result.pool, literals);
            // One that never holds is no part of a disjunction.
            if !conjunction.iter().any(|literal| self.result.pool.is_bool(*literal, false)) {
                out.insert(conjunction);
            }
        }
    }

    /// The process that a copy of a location belongs to.
    fn process(&self, origin: LocOrigin) -> ProcId {
        outermost(&self.calls, self.model.program, origin.within).unwrap_or(origin.proc)
    }

    /// A variable of the abstraction as one of the lowered Program, as a thread at a location sees it.
    fn var(&mut self, (slot, proc, at): (u32, ProcId, LocId), origin: LocOrigin, var: VarId) -> Option<ExprId> {
        let (program, lowered) = (self.model.program, self.lowered);
        let var = match self.model.vars.origin(var) {
            Origin::Global(var) => var,
            Origin::Instance { slot: of, var } if of == slot => var,
            _ => return None,
        };
        let prepared = program.var(var);
        let part = prepared.origin.0?;
        let is_same = match (&prepared.kind, part.same) {
            (_, Same::Initially) => false,
            (VarKind::Local(_), Same::WhereRead) => self.live[proc.index()].contains(at, var),
            (_, same) => same == Same::Always,
        };
        if !is_same || part.offset != 0 || self.tainted.contains(var.index()) {
            return None;
        }
        let sort = prepared.sort;
        match part.holder {
            Holder::Var(id) => {
                let of = lowered.vars.get(id.index()).filter(|of| of.sort == sort)?;
                let in_scope = match of.kind {
                    VarKind::Global(_) => !self.is_reduced || matches!(prepared.kind, VarKind::Local(_)),
                    VarKind::ThreadLocal(_) => true,
                    VarKind::Local(of) => {
                        let is_live = self.live[proc.index()].contains(at, var);
                        of == origin.proc && is_live && self.single.contains(&(self.process(origin), of))
                    }
                };
                in_scope.then(|| self.result.pool.var(id, sort))
            }
            Holder::Object(id) => {
                let is_private = matches!(prepared.kind, VarKind::Local(_));
                let of = lowered.objects.get(id.index())?;
                let is_whole = of.size == sort.bytes() && matches!(of.kind, ObjectKind::Data { .. });
                (is_whole && (!self.is_reduced || is_private)).then(|| self.result.object(lowered, id, sort))
            }
            Holder::Alloc(_) => None,
        }
    }
}

/// An expression in another pool, with other variables.
fn copied(from: &ExprPool, expr: ExprId, names: &[(VarId, ExprId)], to: &mut ExprPool) -> ExprId {
    let mut done: BTreeMap<ExprId, ExprId> = BTreeMap::new();
    let mut nodes: Vec<(ExprId, Expr)> = Vec::new();
    from.for_each_node(&[expr], |id, node| nodes.push((id, node)));
    // Operands have smaller ids than what they are operands of.
    nodes.sort_unstable_by_key(|(id, _)| *id);
    for (id, node) in nodes {
        let copy = match node {
            Expr::Var(var) => names.iter().find(|(name, _)| *name == var).map(|(_, copy)| *copy),
            node => Some(to.rebuild(node.map_operands(|operand| done[&operand]), from.sort(id))),
        };
        done.extend(copy.map(|copy| (id, copy)));
    }
    done[&expr]
}
