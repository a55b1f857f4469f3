//! Inlines all calls into the processes, so that no `Call` and no indirect `Start` is left.
//!
//! Each call gets its own copy of the callee: fresh locals, fresh locations, an edge that assigns the parameters, and
//! one that assigns the result. A local of the callee that may be read before it is written is any value at each
//! entry, so the entry edge havocs it.
//!
//! An indirect call is a choice among the functions that its address may be, each guarded by the equality of the
//! addresses; an address that is none of them has no edge, and the thread goes no further (in the Program before,
//! such a call is invalid and ends the path). Function objects then serve for nothing but their addresses, and become
//! empty data objects.
//!
//! Recursion is followed to a bound; the call beyond it leads to a location of kind `RecursionBound`. The size of the
//! result is limited: calls of calls multiply. With `keep_recursive`, a call of a procedure that lies on a cycle of the call graph stays a call,
//! alone on its edge, also if it was indirect.
//!
//! Objects of `Stack` `Alloc`s of an inlined body would live until the process ends, but an access to a local of a
//! function that has returned is invalid. So where something may still point to such an object (`escaping.rs`), a
//! `Free` stands on the edge out of the inlined body. An `Alloc` that runs again frees what it made before: with
//! objects of variable length that is what C says; one of `alloca` ends too early, so that a violation may stay
//! unconfirmed, but none is made up.

use crate::reachable::reachable;
use fixedbitset::FixedBitSet;
use raddle_analysis::cfg::Cfg;
use raddle_analysis::escaping::escaping;
use raddle_analysis::liveness::read_before_written;
use raddle_analysis::points_to::{PointsTo, points_to};
use raddle_ir::{
    BinOp, Callee, Caller, CallerId, Edge, EdgeId, ExprId, ExprPool, HavocReason, Label, LocId, LocKind, LocOrigin,
    Location, ObjectId, ObjectInit, ObjectKind, Origin, ProcId, Procedure, Program, Sort, Storage, Substitution, UnOp,
    VarId, VarKind,
};
use rustc_hash::FxHashMap;
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InlineOptions {
    /// How many activations of a procedure may lie below another activation of it.
    pub recursion_bound: u32,
    /// How many edges the result may have.
    pub max_edges: usize,
    /// Calls of procedures that may call themselves again stay, and these procedures with them. Nothing is cut off because of recursion.
    pub keep_recursive: bool,
}

impl Default for InlineOptions {
    fn default() -> Self {
        InlineOptions { recursion_bound: 5, max_edges: 1_000_000, keep_recursive: false }
    }
}

/// Inlining would make the Program larger than allowed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// The process that was worked on.
    pub process: String,
    /// The procedure whose call went beyond the limit.
    pub callee: String,
    pub max_edges: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooLarge { process, callee, max_edges } = self;
        write!(f, "inlining `{callee}` into `{process}` makes more than {max_edges} edges")
    }
}

impl std::error::Error for TooLarge {}

/// Inlines all calls into the processes.
pub fn inline(program: Program, options: &InlineOptions) -> Result<Program, TooLarge> {
    let mut program = reachable(program);
    let pointers = points_to(&program);
    let escaping = escaping(&program, &pointers);
    let templates = std::mem::take(&mut program.procs);
    let uninitialised = templates.iter().map(|proc| read_before_written(proc, &program.pool)).collect();
    let kept = FixedBitSet::with_capacity(templates.len());
    let mut inliner = Inliner { program, templates, uninitialised, pointers, escaping, options, kept, edges: 0 };
    let mut roots = inliner.roots();
    if options.keep_recursive {
        inliner.kept = inliner.recursive();
        roots.union_with(&inliner.kept);
    }
    let mut procs = Vec::with_capacity(inliner.templates.len());
    for i in 0..inliner.templates.len() {
        let id = ProcId(i as u32);
        procs.push(if roots.contains(i) { inliner.process(id)? } else { empty(&inliner.templates[i]) });
    }
    let Inliner { mut program, .. } = inliner;
    program.procs = procs;
    for object in &mut program.objects {
        if let ObjectKind::Function(_) = object.kind {
            object.kind = ObjectKind::Data { init: ObjectInit::Any, writable: false };
            object.size = 0;
        }
    }
    Ok(reachable(program))
}

/// Stands for a procedure that is only called, until it is left out.
fn empty(proc: &Procedure) -> Procedure {
    Procedure { edges: Vec::new(), ..proc.clone() }
}

struct Inliner<'a> {
    /// The Program without its procedures.
    program: Program,
    templates: Vec<Procedure>,
    /// For each procedure, the locals that may be read before they are written.
    uninitialised: Vec<Vec<VarId>>,
    pointers: PointsTo,
    /// For each procedure, the `Alloc`s of automatic objects that something may point to after it has returned.
    escaping: Vec<Vec<(EdgeId, u32)>>,
    options: &'a InlineOptions,
    /// The procedures whose calls stay.
    kept: FixedBitSet,
    edges: usize,
}

/// A copy of a procedure in a process.
struct Instance {
    proc: ProcId,
    /// The call that it stands for is in this instance.
    caller: Option<usize>,
    /// That call, as origins name it.
    within: Option<CallerId>,
    first_location: u32,
    vars: FxHashMap<VarId, VarId>,
    /// For each escaping `Alloc`, by edge and position, a local with the address of the object that it made, or 0.
    made: FxHashMap<(EdgeId, u32), VarId>,
}

impl Inliner<'_> {
    /// The procedures that run as processes.
    fn roots(&self) -> FixedBitSet {
        let mut roots = FixedBitSet::with_capacity(self.templates.len());
        roots.insert(self.program.entry.index());
        for label in self.templates.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels) {
            match label {
                Label::Start { callee: Callee::Proc(proc), .. } => roots.insert(proc.index()),
                Label::Start { callee: Callee::Address(address), .. } => {
                    roots.extend(self.functions(*address).iter().map(|(_, proc)| proc.index()));
                }
                _ => {}
            }
        }
        roots
    }

    /// Does a call have the types of its callee? One through a function pointer need not.
    fn fits(&self, call: &Label, callee: ProcId) -> bool {
        let Label::Call { args, var, .. } = call else { return false };
        let callee = &self.templates[callee.index()];
        let sort = |var: VarId| self.program.var(var).sort;
        let has_args = args.len() == callee.params.len();
        has_args
            && args.iter().zip(&callee.params).all(|(arg, param)| self.program.pool.sort(*arg) == sort(*param))
            && var.is_none_or(|var| callee.result.is_some_and(|result| sort(result) == sort(var)))
    }

    /// The procedures that lie on a cycle of the call graph.
    fn recursive(&self) -> FixedBitSet {
        let calls: Vec<Vec<usize>> = (self.templates.iter())
            .map(|proc| {
                let labels = proc.edges.iter().flat_map(|edge| &edge.labels);
                let callees = labels.flat_map(|label| match label {
                    Label::Call { callee: Callee::Proc(callee), .. } => vec![callee.index()],
                    Label::Call { callee: Callee::Address(address), .. } => {
                        self.functions(*address).iter().map(|(_, proc)| proc.index()).collect()
                    }
                    _ => Vec::new(),
                });
                callees.collect()
            })
            .collect();
        let mut recursive = FixedBitSet::with_capacity(calls.len());
        for proc in 0..calls.len() {
            let (mut seen, mut open) = (FixedBitSet::with_capacity(calls.len()), calls[proc].clone());
            while let Some(next) = open.pop() {
                if !seen.put(next) {
                    open.extend(&calls[next]);
                }
            }
            recursive.set(proc, seen.contains(proc));
        }
        recursive
    }

    fn functions(&self, address: ExprId) -> Vec<(ObjectId, ProcId)> {
        self.pointers.functions(&self.program, address)
    }

    /// A process with everything that it calls.
    fn process(&mut self, root: ProcId) -> Result<Procedure, TooLarge> {
        self.charge(root, root, self.templates[root.index()].edges.len())?;
        let mut result = empty(&self.templates[root.index()]);
        let vars = result.locals.iter().map(|var| (*var, *var)).collect();
        let mut instances = vec![Instance {
            proc: root,
            caller: None,
            within: None,
            first_location: 0,
            vars,
            made: FxHashMap::default(),
        }];
        let mut next = 0;
        while next < instances.len() {
            self.expand(root, next, &mut instances, &mut result)?;
            next += 1;
        }
        Ok(result)
    }

    /// Copies the edges of an instance, and makes instances for its calls.
    fn expand(
        &mut self,
        root: ProcId,
        index: usize,
        instances: &mut Vec<Instance>,
        result: &mut Procedure,
    ) -> Result<(), TooLarge> {
        let proc = instances[index].proc;
        let first = instances[index].first_location;
        let at = |loc: LocId| LocId(first + loc.0);
        let mut substitution = Substitution::new();
        for e in 0..self.templates[proc.index()].edges.len() {
            let mut edge = self.templates[proc.index()].edges[e].clone();
            (edge.source, edge.target) = (at(edge.source), at(edge.target));
            for label in &mut edge.labels {
                self.rename(label, &instances[index].vars, &mut substitution);
                if let Some(Origin(Some(site))) = label.site_mut() {
                    site.within = instances[index].within;
                }
            }
            match &self.templates[proc.index()].edges[e].labels[..] {
                [Label::Call { callee, .. }] => {
                    let targets = self.targets(*callee, &instances[index].vars, &mut substitution);
                    let call = edge.labels.swap_remove(0);
                    for (callee, guard) in targets {
                        if self.kept.contains(callee.index()) {
                            self.charge(root, callee, 2)?;
                            let fits = self.fits(&call, callee);
                            keep_call(&edge, &call, callee, guard, fits, result);
                            continue;
                        }
                        self.call(root, index, (&edge, &call, callee, guard), instances, result)?;
                    }
                }
                _ => {
                    let mut original = self.templates[proc.index()].edges[e].clone();
                    self.note_objects(EdgeId(e as u32), &instances[index], &mut edge, &mut original);
                    let edges = self.resolve_starts(&original, edge);
                    self.charge(root, proc, edges.len().saturating_sub(1))?;
                    result.edges.extend(edges);
                }
            }
        }
        Ok(())
    }

    /// Notes the addresses of escaping automatic objects where they are made; `original`, with the names of the
    /// template, keeps step.
    fn note_objects(&mut self, id: EdgeId, instance: &Instance, edge: &mut Edge, original: &mut Edge) {
        for position in (0..edge.labels.len()).rev() {
            let Some(&made) = instance.made.get(&(id, position as u32)) else { continue };
            let Label::Alloc { var, .. } = edge.labels[position] else { continue };
            let value = self.program.pool.var(var, self.program.pointer_sort());
            let mut put = |at: usize, label: Label| {
                original.labels.insert(at, label.clone());
                edge.labels.insert(at, label);
            };
            put(position + 1, Label::Assign { var: made, value });
            let template = &self.templates[instance.proc.index()];
            let on_cycle = Cfg::new(template).on_cycle(template);
            if on_cycle.contains(template.edges[id.index()].source.index()) {
                put(position, self.free(made));
            }
        }
    }

    fn free(&mut self, made: VarId) -> Label {
        let address = self.program.pool.var(made, self.program.pointer_sort());
        Label::Free { address, storage: Storage::Stack }
    }

    /// Counts edges before they are made.
    fn charge(&mut self, root: ProcId, callee: ProcId, edges: usize) -> Result<(), TooLarge> {
        self.edges += edges;
        if self.edges > self.options.max_edges {
            return Err(TooLarge {
                process: self.templates[root.index()].name.clone(),
                callee: self.templates[callee.index()].name.clone(),
                max_edges: self.options.max_edges,
            });
        }
        Ok(())
    }

    fn rename(&mut self, label: &mut Label, vars: &FxHashMap<VarId, VarId>, substitution: &mut Substitution) {
        let Program { pool, vars: table, .. } = &mut self.program;
        label.for_each_expr_mut(|expr| *expr = rename_expr(pool, table, *expr, vars, substitution));
        if let Some(var) = label.written_local_mut() {
            *var = vars.get(var).copied().unwrap_or(*var);
        }
    }

    /// The procedures that a callee may be, each with the condition under which it is.
    fn targets(
        &mut self,
        callee: Callee,
        vars: &FxHashMap<VarId, VarId>,
        substitution: &mut Substitution,
    ) -> Vec<(ProcId, Option<ExprId>)> {
        match callee {
            Callee::Proc(proc) => vec![(proc, None)],
            Callee::Address(address) => {
                let functions = self.functions(address);
                let Program { pool, vars: table, .. } = &mut self.program;
                let renamed = rename_expr(pool, table, address, vars, substitution);
                functions.into_iter().map(|(object, proc)| (proc, Some(self.is_at(renamed, object)))).collect()
            }
        }
    }

    fn is_at(&mut self, address: ExprId, object: ObjectId) -> ExprId {
        let constant =
            self.program.pool.bits(self.program.pointer_bits, self.program.objects[object.index()].address.into());
        self.program.pool.binary(BinOp::Eq, address, constant)
    }

    /// One edge for each way to resolve the indirect starts of an edge; `original` has the names of the template.
    fn resolve_starts(&mut self, original: &Edge, edge: Edge) -> Vec<Edge> {
        let mut edges = vec![Edge { labels: Vec::with_capacity(edge.labels.len()), ..edge.clone() }];
        for (old, label) in original.labels.iter().zip(edge.labels) {
            let (
                Label::Start { callee: Callee::Address(old), .. },
                Label::Start { var, callee: Callee::Address(address), arg },
            ) = (old, &label)
            else {
                edges.iter_mut().for_each(|edge| edge.labels.push(label.clone()));
                continue;
            };
            let mut chosen = Vec::new();
            for (object, proc) in self.functions(*old) {
                let guard = self.is_at(*address, object);
                for edge in &edges {
                    let mut edge = edge.clone();
                    edge.labels.push(Label::Assume(guard));
                    edge.labels.push(Label::Start { var: *var, callee: Callee::Proc(proc), arg: *arg });
                    chosen.push(edge);
                }
            }
            edges = chosen;
        }
        edges
    }

    /// Adds one target of a call: the edges in and out, and an instance between them.
    fn call(
        &mut self,
        root: ProcId,
        caller: usize,
        (edge, call, callee, guard): (&Edge, &Label, ProcId, Option<ExprId>),
        instances: &mut Vec<Instance>,
        result: &mut Procedure,
    ) -> Result<(), TooLarge> {
        let Label::Call { args, var, site, .. } = call else { return Ok(()) };
        let mut labels: Vec<Label> = guard.map(Label::Assume).into_iter().collect();
        if activations(instances, caller, callee) > self.options.recursion_bound {
            let bound = LocId(result.locations.len() as u32);
            result.locations.push(Location {
                kind: LocKind::RecursionBound,
                span: edge.span,
                origin: raddle_ir::Origin::default(),
            });
            result.edges.push(Edge { source: edge.source, target: bound, labels, span: edge.span, is_silent: false });
            return self.charge(root, callee, 1);
        }
        self.charge(root, callee, self.templates[callee.index()].edges.len() + 2)?;
        let vars = self.fresh_locals(root, callee, result);
        let made = self.holders(root, callee, result);
        let template = &self.templates[callee.index()];
        let first_location = result.locations.len() as u32;
        let within = site.0.map(|site| {
            self.program.callers.push(Caller { call: site.label, within: site.within });
            CallerId(self.program.callers.len() as u32 - 1)
        });
        result.locations.extend(template.locations.iter().map(|location| Location {
            origin: Origin(location.origin.0.map(|origin| LocOrigin { within, ..origin })),
            ..location.clone()
        }));
        let (entry, exit) = (LocId(first_location + template.entry.0), LocId(first_location + template.exit.0));
        // In the lowered Program, whoever comes to the exit is behind the call at once.
        result.locations[exit.index()].origin = result.locations[edge.target.index()].origin;
        // Its result is still to be taken over.
        result.locations[exit.index()].lose_exactness();
        for (i, param) in template.params.iter().enumerate() {
            let to = vars[param];
            labels.push(assign(&mut self.program, to, args.get(i).copied()));
        }
        for local in &self.uninitialised[callee.index()] {
            labels.push(Label::Havoc {
                var: vars[local],
                reason: HavocReason::Uninitialised,
                site: raddle_ir::Origin::default(),
            });
        }
        let zero = self.program.pool.bits(self.program.pointer_bits, 0);
        let mut holders: Vec<VarId> = made.values().copied().collect();
        holders.sort_unstable();
        labels.extend(holders.iter().map(|&var| Label::Assign { var, value: zero }));
        let mut back = Vec::new();
        if let Some(var) = *var {
            let value = template.result.map(|result| {
                let result = vars[&result];
                self.program.pool.var(result, self.program.vars[result.index()].sort)
            });
            back.push(assign(&mut self.program, var, value));
        }
        back.extend(holders.into_iter().map(|made| self.free(made)));
        result.edges.push(Edge { source: edge.source, target: entry, labels, span: edge.span, is_silent: false });
        result.edges.push(Edge { source: exit, target: edge.target, labels: back, span: edge.span, is_silent: true });
        instances.push(Instance { proc: callee, caller: Some(caller), within, first_location, vars, made });
        Ok(())
    }

    fn fresh_locals(&mut self, root: ProcId, callee: ProcId, result: &mut Procedure) -> FxHashMap<VarId, VarId> {
        let mut vars = FxHashMap::default();
        for local in &self.templates[callee.index()].locals {
            vars.insert(*local, fresh_like(&mut self.program, *local, root, result));
        }
        vars
    }

    /// A local for the address of each escaping object.
    fn holders(&mut self, root: ProcId, callee: ProcId, result: &mut Procedure) -> FxHashMap<(EdgeId, u32), VarId> {
        let mut made = FxHashMap::default();
        for &(edge, position) in &self.escaping[callee.index()] {
            let label = &self.templates[callee.index()].edges[edge.index()].labels[position as usize];
            if let Some(var) = label.written_local() {
                let holder = fresh_like(&mut self.program, var, root, result);
                self.program.vars[holder.index()].become_copy();
                made.insert((edge, position), holder);
            }
        }
        made
    }
}

/// A call that stays; if it was indirect, the choice of its callee is an edge of its own. What follows a call that does not fit its callee is not known.
fn keep_call(edge: &Edge, call: &Label, callee: ProcId, guard: Option<ExprId>, fits: bool, result: &mut Procedure) {
    let Label::Call { args, var, site, .. } = call else { return };
    if !fits {
        let bound = LocId(result.locations.len() as u32);
        let origin = raddle_ir::Origin::default();
        result.locations.push(Location { kind: LocKind::RecursionBound, span: edge.span, origin });
        let labels = guard.map(Label::Assume).into_iter().collect();
        result.edges.push(Edge { target: bound, labels, ..edge.clone() });
        return;
    }
    let mut source = edge.source;
    if let Some(guard) = guard {
        let chosen = LocId(result.locations.len() as u32);
        let location = &result.locations[source.index()];
        let mut location = Location { kind: LocKind::Normal, ..location.clone() };
        location.lose_exactness();
        result.locations.push(location);
        result.edges.push(Edge { target: chosen, labels: vec![Label::Assume(guard)], ..edge.clone() });
        source = chosen;
    }
    let call = Label::Call { callee: Callee::Proc(callee), args: args.clone(), var: *var, site: *site };
    result.edges.push(Edge { source, labels: vec![call], ..edge.clone() });
}

/// A new local of a process that looks like another one.
fn fresh_like(program: &mut Program, like: VarId, root: ProcId, result: &mut Procedure) -> VarId {
    let fresh = VarId(program.vars.len() as u32);
    let mut var = program.vars[like.index()].clone();
    var.kind = VarKind::Local(root);
    program.vars.push(var);
    result.locals.push(fresh);
    fresh
}

/// How often a procedure is under way in an instance and its callers.
fn activations(instances: &[Instance], mut at: usize, proc: ProcId) -> u32 {
    let mut count = 0;
    loop {
        count += u32::from(instances[at].proc == proc);
        match instances[at].caller {
            Some(caller) => at = caller,
            None => return count,
        }
    }
}

/// Assigns an argument or a result. What is missing is any value. What comes through a function pointer of another
/// type with another sort passes its bits, cut or extended with zeros.
fn assign(program: &mut Program, var: VarId, value: Option<ExprId>) -> Label {
    let Some(value) = value else {
        return Label::Havoc { var, reason: HavocReason::UndefinedFunction, site: raddle_ir::Origin::default() };
    };
    let (to, pool) = (program.vars[var.index()].sort, &mut program.pool);
    if pool.sort(value) == to {
        return Label::Assign { var, value };
    }
    let bits = match pool.sort(value) {
        Sort::Float(_) => pool.unary(UnOp::FToBits, value),
        Sort::Bool => {
            let (one, zero) = (pool.bits(1, 1), pool.bits(1, 0));
            pool.ite(value, one, zero)
        }
        _ => value,
    };
    let (Sort::Bits(has), Some(wanted)) = (pool.sort(bits), to.bits()) else {
        // Arrays are not passed.
        return Label::Havoc { var, reason: HavocReason::UndefinedFunction, site: raddle_ir::Origin::default() };
    };
    let bits = if has < wanted { pool.zero_ext(wanted, bits) } else { pool.extract(wanted - 1, 0, bits) };
    let value = match to {
        Sort::Float(to) => pool.bits_to_f(to, bits),
        Sort::Bool => {
            let one = pool.bits(1, 1);
            pool.binary(BinOp::Eq, bits, one)
        }
        _ => bits,
    };
    Label::Assign { var, value }
}

fn rename_expr(
    pool: &mut ExprPool,
    table: &[raddle_ir::Var],
    expr: ExprId,
    vars: &FxHashMap<VarId, VarId>,
    substitution: &mut Substitution,
) -> ExprId {
    let mut fresh: Vec<(VarId, ExprId)> = Vec::new();
    for var in pool.vars(expr) {
        if let Some(to) = vars.get(&var).filter(|to| **to != var) {
            fresh.push((var, pool.var(*to, table[to.index()].sort)));
        }
    }
    if fresh.is_empty() {
        return expr;
    }
    substitution.apply(pool, expr, &mut |var| fresh.iter().find(|(old, _)| *old == var).map(|(_, new)| *new))
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_testing::*;

    fn call(callee: ProcId, args: Vec<ExprId>, var: Option<VarId>) -> Label {
        Label::Call { callee: Callee::Proc(callee), args, var, site: raddle_ir::Origin::default() }
    }

    #[test]
    fn each_call_gets_its_own_copy_and_the_callee_is_gone() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let next = b.proc("next");
        let n = b.param(next, "n", 32);
        let result = b.result(next, 32);
        let x = b.local(main, "x", 32);
        let (vn, vx, one) = (b.get(n), b.get(x), b.num(32, 1));
        let sum = b.bin(BinOp::BvAdd, vn, one);
        b.edge(next, 0, EXIT, vec![Label::Assign { var: result, value: sum }]);
        b.edge(main, 0, 1, vec![call(next, vec![one], Some(x))]);
        b.edge(main, 1, EXIT, vec![call(next, vec![vx], Some(x))]);
        let program = inline(b.finish(), &InlineOptions::default()).unwrap();
        assert_eq!(program.procs.len(), 1);
        assert_eq!(program.procs[0].edges.len(), 6);
        assert_eq!(program.procs[0].locals.len(), 5);
        let calls =
            program.procs[0].edges.iter().flat_map(|edge| &edge.labels).filter(|l| matches!(l, Label::Call { .. }));
        assert_eq!(calls.count(), 0);
    }

    #[test]
    fn recursion_ends_at_a_bound_and_growth_at_a_budget() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let f = b.proc("f");
        b.edge(main, 0, EXIT, vec![call(f, vec![], None)]);
        b.edge(f, 0, 1, vec![call(f, vec![], None)]);
        b.edge(f, 1, EXIT, vec![call(f, vec![], None)]);
        let program = b.finish();
        let small =
            inline(program.clone(), &InlineOptions { recursion_bound: 0, max_edges: 100, ..InlineOptions::default() })
                .unwrap();
        let bounds = small.procs[0].locations.iter().filter(|loc| loc.kind == LocKind::RecursionBound);
        assert_eq!(bounds.count(), 1, "the second call cannot be reached without passing the first");
        let options = InlineOptions { recursion_bound: 30, max_edges: 100, ..InlineOptions::default() };
        let error = inline(program, &options).unwrap_err();
        assert_eq!(error.to_string(), "inlining `f` into `main` makes more than 100 edges");
    }

    #[test]
    fn an_indirect_call_is_a_choice_by_address() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let (f, g, h) = (b.proc("f"), b.proc("g"), b.proc("h"));
        b.function(f, 0x900);
        b.function(g, 0x980);
        b.function(h, 0xa00);
        let p = b.local(main, "p", 64);
        let vp = b.get(p);
        let (at_f, at_g) = (b.num(64, 0x900), b.num(64, 0x980));
        b.edge(main, 0, 1, vec![Label::Assign { var: p, value: at_f }]);
        b.edge(main, 0, 1, vec![Label::Assign { var: p, value: at_g }]);
        b.edge(
            main,
            1,
            EXIT,
            vec![Label::Call {
                callee: Callee::Address(vp),
                args: vec![],
                var: None,
                site: raddle_ir::Origin::default(),
            }],
        );
        [f, g, h].into_iter().for_each(|proc| b.edge(proc, 0, EXIT, vec![]));
        let program = inline(b.finish(), &InlineOptions::default()).unwrap();
        let guards = program.procs[0].edges.iter().filter(|edge| matches!(edge.labels[..], [Label::Assume(_)]));
        assert_eq!(guards.count(), 2);
        assert_eq!(program.procs.len(), 1);
        assert!(program.objects.iter().all(|object| matches!(object.kind, ObjectKind::Data { .. })));
    }

    #[test]
    fn a_local_that_may_be_read_first_is_any_value_at_each_entry() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let f = b.proc("f");
        let x = b.local(f, "x", 32);
        let g = b.global("g", 32, Some(0));
        let vx = b.get(x);
        b.edge(main, 0, 0, vec![call(f, vec![], None)]);
        b.edge(f, 0, EXIT, vec![store(raddle_ir::Place::Var(g), vx)]);
        let program = inline(b.finish(), &InlineOptions::default()).unwrap();
        let havocs =
            program.procs[0].edges.iter().flat_map(|edge| &edge.labels).filter(|l| matches!(l, Label::Havoc { .. }));
        assert_eq!(havocs.count(), 1);
    }

    /// `main` calls `f`, which calls itself through `g`, and `h`, which calls nothing.
    #[test]
    fn recursive_procedures_may_stay() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let (f, g, h) = (b.proc("f"), b.proc("g"), b.proc("h"));
        b.function(g, 0x900);
        let at_g = b.num(64, 0x900);
        b.param(g, "n", 32);
        let one = b.num(32, 1);
        let indirect = Label::Call {
            callee: Callee::Address(at_g),
            args: vec![one],
            var: None,
            site: raddle_ir::Origin::default(),
        };
        b.edge(main, 0, 1, vec![call(f, vec![], None)]);
        b.edge(main, 1, EXIT, vec![call(h, vec![], None)]);
        b.edge(f, 0, 1, vec![indirect]);
        b.edge(f, 1, EXIT, vec![call(h, vec![], None)]);
        b.edge(g, 0, 1, vec![call(h, vec![], None)]);
        b.edge(g, 1, EXIT, vec![call(f, vec![], None)]);
        b.edge(h, 0, EXIT, vec![]);
        let options = InlineOptions { keep_recursive: true, ..InlineOptions::default() };
        let program = inline(b.finish(), &options).unwrap();
        assert_eq!(raddle_ir::validate(&program), Ok(()));
        let names: Vec<&str> = program.procs.iter().map(|proc| proc.name.as_str()).collect();
        assert_eq!(names, ["main", "f", "g"]);
        for (proc, callee) in [(0, 1), (1, 2), (2, 1)] {
            let calls: Vec<&Edge> = (program.procs[proc].edges.iter())
                .filter(|edge| edge.labels.iter().any(|label| matches!(label, Label::Call { .. })))
                .collect();
            let callees = |edge: &&Edge| matches!(edge.labels[..], [Label::Call { callee: Callee::Proc(to), .. }] if to == ProcId(callee));
            assert!(calls.len() == 1 && calls.iter().all(callees), "{calls:?}");
        }
        let locations = program.procs.iter().flat_map(|proc| &proc.locations);
        assert!(locations.clone().all(|location| location.kind == LocKind::Normal));
    }

    #[test]
    fn a_call_that_does_not_fit_is_cut_off() {
        let mut b = Builder::new();
        let (main, f) = (b.proc("main"), b.proc("f"));
        b.function(f, 0x900);
        b.param(f, "n", 32);
        let (at_f, one) = (b.num(64, 0x900), b.num(32, 1));
        let site = raddle_ir::Origin::default();
        b.edge(main, 0, EXIT, vec![Label::Call { callee: Callee::Address(at_f), args: vec![], var: None, site }]);
        b.edge(f, 0, EXIT, vec![call(f, vec![one], None)]);
        let options = InlineOptions { keep_recursive: true, ..InlineOptions::default() };
        let program = inline(b.finish(), &options).unwrap();
        assert_eq!(raddle_ir::validate(&program), Ok(()));
        let bounds = program.procs[0].locations.iter().filter(|location| location.kind == LocKind::RecursionBound);
        assert_eq!(bounds.count(), 1);
    }
}
