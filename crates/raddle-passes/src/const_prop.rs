//! Constant and copy propagation.
//!
//! Inside a procedure: conditional constant propagation on the values of local variables (Wegman and Zadeck,
//! "Constant Propagation with Conditional Branches", TOPLAS 1991): a value is not yet known, one constant, a copy of
//! another value, or itself; edges count only once their assumptions can hold. It runs on the sparse graph of
//! `reaching.rs`, and each value changes at most twice.
//!
//! For the whole Program, two things are constants as well: a global or thread-local variable that nothing stores to
//! and that has an initial value, and bytes of read-only objects at constant addresses.
//!
//! Copies: where a use of `x` has the same value as `y` has at that place, and `y` is where the value came from, the
//! use becomes one of `y`. In static single assignment form this is right also in loops: on any way from the origin
//! of the value past itself again to the use, the copy is made again as well.
//!
//! What is left out: edges that can never be taken, and assumptions and requirements that always hold. An `Await`
//! that can never pass stays (a thread that is blocked is not a path that ended).

use fixedbitset::FixedBitSet;
use raddle_analysis::cfg::{Cfg, ends_thread};
use raddle_analysis::initial_memory::constant_in_bytes;
use raddle_analysis::reaching::{Origin, Reaching, Use, ValueId};
use raddle_ir::eval::eval;
use raddle_ir::{
    Const, EdgeId, Expr, ExprId, ExprPool, Label, LocId, Object, ObjectInit, ObjectKind, Place, Procedure, Program,
    Sort, Value, Var, VarId, VarKind, VarsOf,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Propagates constants and copies in all procedures.
pub fn const_prop(mut program: Program) -> Program {
    load_unwritten_variables(&mut program);
    let memory = ReadOnlyMemory::new(&program.objects);
    for proc in &mut program.procs {
        propagate(proc, &mut program.vars, &mut program.pool, &memory);
    }
    program
}

/// Turns loads of variables that nothing stores to into assignments of their initial value.
fn load_unwritten_variables(program: &mut Program) {
    let mut written: FxHashSet<VarId> = FxHashSet::default();
    for label in program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels) {
        if let Label::Store { place: Place::Var(var), .. } = label {
            written.insert(*var);
        }
    }
    for label in program.procs.iter_mut().flat_map(|proc| &mut proc.edges).flat_map(|edge| &mut edge.labels) {
        if let Label::Load { var, place: Place::Var(global), .. } = *label
            && !written.contains(&global)
            && let VarKind::Global(Some(initial)) | VarKind::ThreadLocal(Some(initial)) =
                program.vars[global.index()].kind
        {
            *label = Label::Assign { var, value: program.pool.constant(initial) };
        }
    }
}

/// The objects that are never written, by address.
struct ReadOnlyMemory<'a> {
    objects: Vec<(&'a Object, &'a [u8])>,
}

impl<'a> ReadOnlyMemory<'a> {
    fn new(objects: &'a [Object]) -> Self {
        let mut objects: Vec<_> = objects
            .iter()
            .filter_map(|object| match &object.kind {
                ObjectKind::Data { init: ObjectInit::Bytes { bytes, .. }, writable: false } => {
                    Some((object, bytes.as_slice()))
                }
                _ => None,
            })
            .collect();
        objects.sort_by_key(|(object, _)| object.address);
        ReadOnlyMemory { objects }
    }

    /// What a load gives, if it lies inside one read-only object.
    fn load(&self, address: Const, sort: Sort) -> Option<Const> {
        let address = u64::try_from(address.bits).ok()?;
        let after = self.objects.partition_point(|(object, _)| object.address <= address);
        let (object, bytes) = self.objects.get(after.checked_sub(1)?)?;
        let offset = address - object.address;
        constant_in_bytes(bytes, object.size, offset, sort)
    }
}

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// It has not been seen to exist.
    Nothing,
    Constant(Const),
    /// Always equal to another value; equal to itself when nothing better is known.
    Same(ValueId),
}

struct Solver<'a, 'm> {
    proc: &'a Procedure,
    cfg: &'a Cfg,
    pool: &'a ExprPool,
    memory: &'m ReadOnlyMemory<'m>,
    vars: &'a [Var],
    reaching: Reaching<'a>,
    /// The reads on each edge.
    uses: Vec<Vec<Use>>,
    known: Vec<Known>,
    /// The edges that read a value, and the phis that have it as operand.
    edges_of: Vec<Vec<EdgeId>>,
    phis_of: Vec<Vec<ValueId>>,
    phis_at: FxHashMap<LocId, Vec<ValueId>>,
    /// How many values have been entered in the tables above.
    registered: usize,
    reached: FixedBitSet,
    /// The edges that can be passed to their end.
    passed: FixedBitSet,
    work_edges: VecDeque<EdgeId>,
    queued: FixedBitSet,
    work_phis: VecDeque<ValueId>,
}

fn propagate(proc: &mut Procedure, vars: &mut [Var], pool: &mut ExprPool, memory: &ReadOnlyMemory) {
    let cfg = Cfg::new(proc);
    let replacements = {
        let mut solver = Solver::new(proc, &cfg, vars, pool, memory);
        solver.reach(proc.entry);
        solver.solve();
        let copies = solver.copies();
        solver.replacements(&copies)
    };
    for (_, _, replacement) in replacements.iter().flatten() {
        if let Replacement::Variable(source) = replacement {
            vars[source.index()].gain_reads();
        }
    }
    rewrite(proc, vars, pool, memory, replacements);
}

impl<'a, 'm> Solver<'a, 'm> {
    fn new(
        proc: &'a Procedure,
        cfg: &'a Cfg,
        vars: &'a [Var],
        pool: &'a ExprPool,
        memory: &'m ReadOnlyMemory<'m>,
    ) -> Self {
        let mut reaching = Reaching::new(proc, cfg);
        let mut vars_of = VarsOf::new();
        let uses = (0..proc.edges.len() as u32)
            .map(|i| match cfg.is_reachable(proc.edges[i as usize].source) {
                true => reaching.uses_on(EdgeId(i), pool, &mut vars_of),
                false => Vec::new(),
            })
            .collect();
        reaching.finish();
        let mut solver = Solver {
            proc,
            cfg,
            pool,
            memory,
            vars,
            reaching,
            uses,
            known: Vec::new(),
            edges_of: Vec::new(),
            phis_of: Vec::new(),
            phis_at: FxHashMap::default(),
            registered: 0,
            reached: FixedBitSet::with_capacity(proc.locations.len()),
            passed: FixedBitSet::with_capacity(proc.edges.len()),
            work_edges: VecDeque::new(),
            queued: FixedBitSet::with_capacity(proc.edges.len()),
            work_phis: VecDeque::new(),
        };
        solver.register();
        for (i, uses) in solver.uses.iter().enumerate() {
            for one in uses {
                let edges = &mut solver.edges_of[one.value.index()];
                if edges.last() != Some(&EdgeId(i as u32)) {
                    edges.push(EdgeId(i as u32));
                }
            }
        }
        solver
    }

    /// Enters values that `reaching` made since the last time.
    fn register(&mut self) {
        let count = self.reaching.value_count();
        self.known.resize(count, Known::Nothing);
        self.edges_of.resize(count, Vec::new());
        self.phis_of.resize(count, Vec::new());
        for i in self.registered..count {
            let value = ValueId(i as u32);
            match self.reaching.origin(value) {
                // Arguments are not followed across calls.
                Origin::Entry => self.known[i] = Known::Same(value),
                Origin::Label { .. } => {}
                Origin::Phi { loc, operands } => {
                    self.phis_at.entry(*loc).or_default().push(value);
                    for (_, operand) in operands {
                        self.phis_of[operand.index()].push(value);
                    }
                    self.work_phis.push_back(value);
                }
            }
        }
        self.registered = count;
    }

    fn reach(&mut self, loc: LocId) {
        if !self.reached.put(loc.index()) {
            for &edge in self.cfg.leaving(loc) {
                self.enqueue(edge);
            }
        }
    }

    fn enqueue(&mut self, edge: EdgeId) {
        if self.reached.contains(self.proc.edges[edge.index()].source.index()) && !self.queued.put(edge.index()) {
            self.work_edges.push_back(edge);
        }
    }

    fn solve(&mut self) {
        loop {
            if let Some(phi) = self.work_phis.pop_front() {
                self.evaluate_phi(phi);
            } else if let Some(edge) = self.work_edges.pop_front() {
                self.queued.set(edge.index(), false);
                self.evaluate_edge(edge);
            } else {
                return;
            }
        }
    }

    fn lower(&mut self, value: ValueId, to: Known) {
        let old = self.known[value.index()];
        let new = match old {
            Known::Nothing => to,
            _ if old == to => return,
            _ => Known::Same(value),
        };
        if new == old {
            return;
        }
        self.known[value.index()] = new;
        for i in 0..self.edges_of[value.index()].len() {
            self.enqueue(self.edges_of[value.index()][i]);
        }
        self.work_phis.extend(&self.phis_of[value.index()]);
    }

    fn evaluate_phi(&mut self, phi: ValueId) {
        let Origin::Phi { operands, .. } = self.reaching.origin(phi) else { return };
        let mut result = Known::Nothing;
        for &(edge, operand) in operands {
            if edge.is_some_and(|edge| !self.passed.contains(edge.index())) {
                continue;
            }
            match (result, self.known[operand.index()]) {
                (_, Known::Nothing) => {}
                (Known::Nothing, known) => result = known,
                (result, known) if result == known => {}
                _ => {
                    result = Known::Same(phi);
                    break;
                }
            }
        }
        if result != Known::Nothing {
            self.lower(phi, result);
        }
    }

    fn evaluate_edge(&mut self, id: EdgeId) {
        let edge = &self.proc.edges[id.index()];
        let mut next_use = 0;
        for (i, label) in edge.labels.iter().enumerate() {
            let first = next_use;
            while self.uses[id.index()].get(next_use).is_some_and(|one| one.label == i as u32) {
                next_use += 1;
            }
            let own = self.reaching.of_label(id, i as u32);
            let result = self.evaluate_label(label, own, &self.uses[id.index()][first..next_use]);
            match (label, own) {
                (Label::Assume(_), _) if matches!(result, Known::Nothing | Known::Constant(Const { bits: 0, .. })) => {
                    return;
                }
                (_, Some(value)) if result != Known::Nothing => self.lower(value, result),
                _ if ends_thread(label) => return,
                _ => {}
            }
        }
        if !self.passed.put(id.index()) {
            if let Some(phis) = self.phis_at.get(&edge.target) {
                self.work_phis.extend(phis);
            }
            self.reach(edge.target);
        }
    }

    /// What is known of the value that a label defines (its own), or of the condition that it assumes.
    fn evaluate_label(&self, label: &Label, own: Option<ValueId>, uses: &[Use]) -> Known {
        let itself = own.map_or(Known::Nothing, Known::Same);
        match *label {
            Label::Assign { value, .. } => match (self.evaluate(value, uses), self.pool.get(value)) {
                (Err(known), Expr::Var(_)) => known,
                (Err(Known::Nothing), _) => Known::Nothing,
                (Err(_), _) => itself,
                (Ok(constant), _) => Known::Constant(constant),
            },
            Label::Assume(cond) => match self.evaluate(cond, uses) {
                Ok(constant) => Known::Constant(constant),
                Err(known) => known,
            },
            Label::Load { var, place: Place::Memory(address), .. } => match self.evaluate(address, uses) {
                Err(Known::Nothing) => Known::Nothing,
                Err(_) => itself,
                Ok(address) => self.memory.load(address, self.vars[var.index()].sort).map_or(itself, Known::Constant),
            },
            _ => itself,
        }
    }

    fn evaluate(&self, expr: ExprId, uses: &[Use]) -> Result<Const, Known> {
        evaluate(self.pool, expr, &mut |var| {
            uses.iter().find(|one| one.var == var).map_or(Known::Nothing, |one| self.known[one.value.index()])
        })
    }

    /// The uses of copies, and the value that the variable which the copy was made from has there.
    fn copies(&mut self) -> Vec<CopyUse> {
        let mut copies = Vec::new();
        for i in 0..self.proc.edges.len() as u32 {
            let edge = EdgeId(i);
            let mut walk = self.reaching.walk(edge);
            let mut label = 0;
            for &one in &self.uses[edge.index()] {
                while label < one.label {
                    walk.step(&self.reaching, label);
                    label += 1;
                }
                if let Known::Same(origin) = self.known[one.value.index()]
                    && self.reaching.var(origin) != one.var
                {
                    let source = self.reaching.var(origin);
                    let held = walk.value(&mut self.reaching, source);
                    copies.push(CopyUse { edge, one, source, held });
                }
            }
        }
        self.reaching.finish();
        self.register();
        self.solve();
        copies
    }

    fn replacements(&self, copies: &[CopyUse]) -> Vec<Vec<(u32, VarId, Replacement)>> {
        let mut result: Vec<Vec<_>> = self
            .uses
            .iter()
            .map(|uses| {
                let constants = uses.iter().filter_map(|one| match self.known[one.value.index()] {
                    Known::Constant(constant) => Some((one.label, one.var, Replacement::Constant(constant))),
                    _ => None,
                });
                constants.collect()
            })
            .collect();
        for copy in copies {
            if self.known[copy.held.index()] == self.known[copy.one.value.index()] {
                result[copy.edge.index()].push((copy.one.label, copy.one.var, Replacement::Variable(copy.source)));
            }
        }
        result
    }
}

struct CopyUse {
    edge: EdgeId,
    one: Use,
    source: VarId,
    held: ValueId,
}

#[derive(Clone, Copy)]
enum Replacement {
    Constant(Const),
    Variable(VarId),
}

/// The constant that an expression is, or what is known of the variable that kept it from being one.
fn evaluate(pool: &ExprPool, expr: ExprId, env: &mut dyn FnMut(VarId) -> Known) -> Result<Const, Known> {
    let value = eval(pool, expr, &mut |var| match env(var) {
        Known::Constant(constant) => Ok(Value::Bits(constant.bits)),
        other => Err(other),
    })?;
    match value {
        Value::Bits(bits) => Ok(Const { sort: pool.sort(expr), bits }),
        // Arrays are not tracked: they count as any value.
        Value::Array(_) => Err(Known::Same(ValueId(u32::MAX))),
    }
}

fn rewrite(
    proc: &mut Procedure,
    vars: &[Var],
    pool: &mut ExprPool,
    memory: &ReadOnlyMemory,
    replacements: Vec<Vec<(u32, VarId, Replacement)>>,
) {
    let edges = std::mem::take(&mut proc.edges);
    proc.edges = edges
        .into_iter()
        .zip(replacements)
        .filter_map(|(mut edge, replacements)| {
            let mut by_label: FxHashMap<u32, FxHashMap<VarId, Replacement>> = FxHashMap::default();
            for (label, var, replacement) in replacements {
                by_label.entry(label).or_default().insert(var, replacement);
            }
            let none = FxHashMap::default();
            let mut labels = Vec::with_capacity(edge.labels.len());
            for (i, mut label) in edge.labels.into_iter().enumerate() {
                let here = by_label.get(&(i as u32)).unwrap_or(&none);
                label.for_each_expr_mut(|expr| *expr = replace(pool, vars, *expr, here));
                let truth = |cond| pool.as_const(cond).map(|constant| constant.bits != 0);
                match label {
                    Label::Assume(cond) if truth(cond) == Some(false) => return None,
                    Label::Assume(cond) | Label::Await(cond) | Label::Require { cond, .. }
                        if truth(cond) == Some(true) => {}
                    Label::Load { var, place: Place::Memory(address), .. } => {
                        let constant = pool.as_const(address).and_then(|at| memory.load(at, vars[var.index()].sort));
                        labels.push(match constant {
                            Some(constant) => Label::Assign { var, value: pool.constant(constant) },
                            None => label,
                        });
                    }
                    _ => labels.push(label),
                }
            }
            edge.labels = labels;
            Some(edge)
        })
        .collect();
}

fn replace(pool: &mut ExprPool, vars: &[Var], expr: ExprId, here: &FxHashMap<VarId, Replacement>) -> ExprId {
    let constant = evaluate(pool, expr, &mut |var| match here.get(&var) {
        Some(Replacement::Constant(constant)) => Known::Constant(*constant),
        _ => Known::Nothing,
    });
    match constant {
        Ok(constant) => pool.constant(constant),
        Err(_) if here.is_empty() => expr,
        Err(_) => {
            let mut by: FxHashMap<VarId, ExprId> = FxHashMap::default();
            for (&var, &replacement) in here {
                let with = match replacement {
                    Replacement::Constant(constant) => pool.constant(constant),
                    Replacement::Variable(source) => pool.var(source, vars[source.index()].sort),
                };
                by.insert(var, with);
            }
            pool.substitute(expr, &mut |var| by.get(&var).copied())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_testing::*;

    #[test]
    fn a_constant_travels_through_a_branch_that_cannot_be_taken_otherwise() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let x = b.local(main, "x", 32);
        let y = b.local(main, "y", 32);
        let (three, four) = (b.num(32, 3), b.num(32, 4));
        let vx = b.get(x);
        let is_three = b.bin(raddle_ir::BinOp::Eq, vx, three);
        let is_not = b.pool().not(is_three);
        let sum = b.bin(raddle_ir::BinOp::BvAdd, vx, four);
        b.edge(main, 0, 1, vec![Label::Assign { var: x, value: three }]);
        b.edge(main, 1, 2, vec![Label::Assume(is_three)]);
        b.edge(main, 1, 3, vec![Label::Assume(is_not)]);
        b.edge(main, 3, 2, vec![Label::Assign { var: x, value: four }]);
        b.edge(main, 2, EXIT, vec![Label::Assign { var: y, value: sum }]);
        let program = const_prop(b.finish());
        let edges = &program.procs[0].edges;
        assert_eq!(edges.len(), 4, "only the edge that assumes x != 3 is gone");
        assert!(edges[1].labels.is_empty());
        let Label::Assign { value, .. } = edges[3].labels[0] else { panic!() };
        assert_eq!(program.pool.as_const(value).map(|c| c.bits), Some(7));
    }

    #[test]
    fn a_loop_counter_is_no_constant_and_a_copy_of_it_is_not_followed_past_its_change() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let (i, old) = (b.local(main, "i", 32), b.local(main, "old", 32));
        let (zero, one) = (b.num(32, 0), b.num(32, 1));
        let (vi, vold) = (b.get(i), b.get(old));
        let next = b.bin(raddle_ir::BinOp::BvAdd, vi, one);
        let more = b.bin(raddle_ir::BinOp::ULt, vold, vi);
        b.edge(main, 0, 1, vec![Label::Assign { var: i, value: zero }]);
        b.edge(main, 1, 2, vec![Label::Assign { var: old, value: vi }, Label::Assign { var: i, value: next }]);
        b.edge(main, 2, 1, vec![Label::Assume(more)]);
        let before = b.finish();
        assert_eq!(const_prop(before.clone()).procs, before.procs);
    }

    #[test]
    fn a_copy_is_replaced_by_its_source_while_the_source_keeps_its_value() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let (x, y) = (b.local(main, "x", 32), b.local(main, "y", 32));
        let zero = b.num(32, 0);
        let (vx, vy) = (b.get(x), b.get(y));
        let cond = b.bin(raddle_ir::BinOp::Eq, vy, zero);
        let other = b.pool().not(cond);
        b.edge(main, 0, 1, vec![input(x), Label::Assign { var: y, value: vx }]);
        b.edge(main, 1, 2, vec![Label::Assume(cond)]);
        b.edge(main, 1, 2, vec![Label::Assume(other)]);
        b.edge(main, 2, EXIT, vec![Label::Assume(cond)]);
        let mut program = const_prop(b.finish());
        let expected = program.pool.binary(raddle_ir::BinOp::Eq, vx, zero);
        assert_eq!(program.procs[0].edges[3].labels, [Label::Assume(expected)]);
    }

    #[test]
    fn loads_of_unwritten_variables_and_read_only_objects_are_constants() {
        let mut b = Builder::new();
        let g = b.global("g", 32, Some(42));
        let main = b.proc("main");
        let (x, y) = (b.local(main, "x", 32), b.local(main, "y", 16));
        b.object("text", 0x1000, 4, Some(vec![1, 2, 3]), false);
        let at = b.num(64, 0x1002);
        b.edge(main, 0, 1, vec![load(x, Place::Var(g))]);
        b.edge(main, 1, EXIT, vec![load(y, Place::Memory(at))]);
        let mut program = const_prop(b.finish());
        let (c42, c3) = (program.pool.bits(32, 42), program.pool.bits(16, 3));
        assert_eq!(program.procs[0].edges[0].labels, [Label::Assign { var: x, value: c42 }]);
        assert_eq!(program.procs[0].edges[1].labels, [Label::Assign { var: y, value: c3 }]);
    }
}
