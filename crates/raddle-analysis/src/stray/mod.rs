//! Stray pointers: addresses that may come from outside (an input, or memory that was never written) and not from an object.
//!
//! C knows no way to hit an object with such a pointer by chance: an access through it is undefined. Yet no proof should rest on the path's end there: people
//! expect that a load gives anything. So engines that resolve addresses let a load through a stray pointer that lies in none of its objects give any value, and a
//! store change nothing; a violation that needs this is not confirmed. What is no chance is a comparison: a stray pointer that was found equal to an address may
//! be followed. So it may point, besides the objects that it carries, to all objects that a stray value is compared with.
//!
//! Each value (of `reaching.rs`) is one of three kinds. The sum of a pointer and anything else is a pointer: an index from outside makes no stray pointer. Nor does
//! null with an index, where it meets pointers to objects. What is shorter than an address does not make memory stray.
//!
//! Two rounds: which values may carry the address of an object, and then which may be stray, for which it counts that others are pointers.

mod kinds;

use self::kinds::Kind;
use crate::cfg::Cfg;
use crate::points_to::{AbstractObject, PointsTo, is_narrow, may_carry};
use crate::reaching::{Origin, Reaching, Use, ValueId};
use fixedbitset::FixedBitSet;
use raddle_ir::{
    BinOp, Callee, EdgeId, Expr, ExprId, HavocReason, Label, ObjectInit, ObjectKind, Place, ProcId, Program, VarId,
    VarKind, VarsOf,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Addresses below this are null with an offset: following one ends the path, stray or not.
pub const NULL_ENDS: u64 = 0x1000;

/// What is known of stray pointers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Strays {
    /// The addresses that may be stray where they are used.
    pub(crate) addresses: FxHashSet<ExprId>,
    /// The objects (by position) whose addresses stray values are compared with.
    pub(crate) compared: FixedBitSet,
}

impl Strays {
    /// Adds what another analysis found.
    pub(crate) fn extend(&mut self, other: &Strays) {
        self.addresses.extend(&other.addresses);
        self.compared.union_with(&other.compared);
    }
}

/// Where stray values come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sources {
    /// Inputs, results of functions that nobody defines, and whatever nobody wrote.
    All,
    /// The first two. To use what nobody wrote is undefined behaviour.
    Outside,
}

/// Finds the stray pointers of a Program, given what points where. Nothing is done if it only uses constant addresses.
pub(crate) fn strays(program: &Program, points_to: &PointsTo) -> Strays {
    strays_of(program, points_to, Sources::All)
}

/// The addresses that may be an input, or the result of a function that nobody defines.
pub fn from_outside(program: &Program, points_to: &PointsTo) -> FxHashSet<ExprId> {
    strays_of(program, points_to, Sources::Outside).addresses
}

fn strays_of(program: &Program, points_to: &PointsTo, sources: Sources) -> Strays {
    let mut labels = program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels);
    if !labels.any(|label| computed_address(program, label).is_some()) {
        return Strays::default();
    }
    let cfgs: Vec<Cfg> = program.procs.iter().map(Cfg::new).collect();
    let flows: Vec<Flow> = program.procs.iter().zip(&cfgs).map(|(proc, cfg)| Flow::new(program, proc, cfg)).collect();
    let facts = || Facts {
        values: flows.iter().map(|flow| FixedBitSet::with_capacity(flow.reaching.value_count())).collect(),
        vars: FixedBitSet::with_capacity(program.vars.len()),
        contents: FixedBitSet::with_capacity(points_to.objects().len()),
        results: false,
    };
    let mut analysis = Analysis {
        program,
        points_to,
        pointers: facts(),
        strays: facts(),
        flows: &flows,
        sources,
        round: Round::Pointers,
        targets: FxHashMap::default(),
        changed: false,
    };
    analysis.run();
    analysis.round = Round::Strays;
    analysis.run();
    analysis.result()
}

/// The address that a label uses, if it is no constant.
fn computed_address(program: &Program, label: &Label) -> Option<ExprId> {
    used_address(label).filter(|address| program.pool.as_const(*address).is_none())
}

/// The address of what a label accesses, locks, frees or calls.
pub(crate) fn used_address(label: &Label) -> Option<ExprId> {
    match *label {
        Label::Load { place: Place::Memory(address), .. }
        | Label::Store { place: Place::Memory(address), .. }
        | Label::ObjectSize { address, .. }
        | Label::Valid { address, .. }
        | Label::Free { address, .. }
        | Label::Lock { lock: address, .. }
        | Label::Call { callee: Callee::Address(address), .. }
        | Label::Start { callee: Callee::Address(address), .. } => Some(address),
        _ => None,
    }
}

/// What reaches what in a procedure.
pub(crate) struct Flow<'a> {
    pub(crate) reaching: Reaching<'a>,
    /// For each edge, what it reads; nothing if it cannot be reached.
    pub(crate) uses: Vec<Vec<Use>>,
    pub(crate) result: Option<ValueId>,
}

impl<'a> Flow<'a> {
    pub(crate) fn new(program: &Program, proc: &'a raddle_ir::Procedure, cfg: &'a Cfg) -> Self {
        let mut reaching = Reaching::new(proc, cfg);
        let mut vars_of = VarsOf::new();
        let mut uses = vec![Vec::new(); proc.edges.len()];
        for (i, edge) in proc.edges.iter().enumerate() {
            if cfg.is_reachable(edge.source) {
                uses[i] = reaching.uses_on(EdgeId(i as u32), &program.pool, &mut vars_of);
            }
        }
        let result = proc.result.filter(|_| cfg.is_reachable(proc.exit)).map(|var| reaching.at(proc.exit, var));
        reaching.finish();
        Flow { reaching, uses, result }
    }
}

/// What something holds for.
struct Facts {
    /// For each procedure, by value.
    values: Vec<FixedBitSet>,
    /// Variables that are not local, and parameters.
    vars: FixedBitSet,
    /// By object.
    contents: FixedBitSet,
    /// The results of threads.
    results: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    Pointers,
    Strays,
}

/// A label: procedure, edge, position.
type Position = (usize, usize, usize);

struct Analysis<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    flows: &'a [Flow<'a>],
    pointers: Facts,
    strays: Facts,
    sources: Sources,
    round: Round,
    /// What addresses point to.
    targets: FxHashMap<ExprId, Rc<FixedBitSet>>,
    changed: bool,
}

impl Analysis<'_> {
    fn facts(&mut self) -> &mut Facts {
        match self.round {
            Round::Pointers => &mut self.pointers,
            Round::Strays => &mut self.strays,
        }
    }

    /// Does the fact hold for a value of a kind?
    fn holds(&self, kind: Kind) -> bool {
        match self.round {
            Round::Pointers => kind != Kind::Number,
            Round::Strays => kind == Kind::Stray,
        }
    }

    /// Does the fact hold for what nobody wrote?
    fn holds_unwritten(&self) -> bool {
        self.round == Round::Strays && self.sources == Sources::All
    }

    fn run(&mut self) {
        let program = self.program;
        match (self.round, self.sources) {
            (Round::Pointers, _) => self.initial_pointers(),
            (Round::Strays, Sources::All) => self.initial_strays(),
            (Round::Strays, Sources::Outside) => {}
        }
        self.changed = true;
        while std::mem::take(&mut self.changed) {
            for (p, proc) in program.procs.iter().enumerate() {
                for (e, edge) in proc.edges.iter().enumerate() {
                    for (l, label) in edge.labels.iter().enumerate() {
                        self.label((p, e, l), label);
                    }
                }
                self.meet(p);
            }
        }
    }

    fn initial_pointers(&mut self) {
        for (i, var) in self.program.vars.iter().enumerate() {
            if let VarKind::Global(Some(initial)) | VarKind::ThreadLocal(Some(initial)) = var.kind {
                self.points_to.addresses().at(initial.bits, |_| self.pointers.vars.insert(i));
            }
        }
        for (i, object) in self.program.objects.iter().enumerate() {
            if let ObjectKind::Data { init: ObjectInit::Bytes { pointers, .. }, .. } = &object.kind {
                self.pointers.contents.set(i, !pointers.is_empty());
            }
        }
    }

    fn initial_strays(&mut self) {
        for (i, var) in self.program.vars.iter().enumerate() {
            if let VarKind::Global(None) | VarKind::ThreadLocal(None) = var.kind {
                self.strays.vars.insert(i);
            }
        }
        // Nobody passes arguments to the first process.
        self.program.proc(self.program.entry).params.iter().for_each(|param| self.strays.vars.insert(param.index()));
        for (i, object) in self.points_to.objects().iter().enumerate() {
            let is_any = match object {
                AbstractObject::Static(id) => {
                    matches!(self.program.objects[id.index()].kind, ObjectKind::Data { init: ObjectInit::Any, .. })
                }
                AbstractObject::Site { proc, edge, label } => {
                    let labels = &self.program.proc(*proc).edges[edge.index()].labels;
                    !matches!(labels[*label as usize], Label::Alloc { zeroed: true, .. })
                }
            };
            self.strays.contents.set(i, is_any);
        }
    }

    /// Entries and joins of paths.
    fn meet(&mut self, proc: usize) {
        let flow = &self.flows[proc];
        let params = &self.program.procs[proc].params;
        // A phi is made before those that it takes its value from: backwards, most facts go all the way in one round.
        for value in (0..flow.reaching.value_count() as u32).rev().map(ValueId) {
            let holds = match flow.reaching.origin(value) {
                Origin::Label { .. } => continue,
                Origin::Entry => {
                    let var = flow.reaching.var(value);
                    match params.contains(&var) {
                        true => self.facts().vars.contains(var.index()),
                        false => self.holds_unwritten(),
                    }
                }
                Origin::Phi { operands, .. } => {
                    let values = &self.facts().values[proc];
                    operands.iter().any(|(_, operand)| values.contains(operand.index()))
                }
            };
            self.give(proc, value, holds);
        }
    }

    fn give(&mut self, proc: usize, value: ValueId, holds: bool) {
        if holds && !self.facts().values[proc].put(value.index()) {
            self.changed = true;
        }
    }

    /// To what a label defines.
    fn define(&mut self, at: Position, holds: bool) {
        if let Some(value) = self.flows[at.0].reaching.of_label(EdgeId(at.1 as u32), at.2 as u32) {
            self.give(at.0, value, holds);
        }
    }

    fn set_var(&mut self, var: VarId, holds: bool) {
        if holds && !self.facts().vars.put(var.index()) {
            self.changed = true;
        }
    }

    fn targets(&mut self, address: ExprId) -> Rc<FixedBitSet> {
        let find = || Rc::new(self.points_to.targets(&self.program.pool, address));
        Rc::clone(self.targets.entry(address).or_insert_with(find))
    }

    fn label(&mut self, at: Position, label: &Label) {
        let program = self.program;
        match label {
            Label::Assign { value, .. } => {
                let holds = self.holds_for(at, *value);
                self.define(at, holds);
            }
            Label::Store { place: Place::Var(var), value, .. } => {
                let holds = self.holds_for(at, *value);
                self.set_var(*var, holds);
            }
            Label::Havoc { reason: HavocReason::Uninitialised, .. } => self.define(at, self.holds_unwritten()),
            Label::Havoc { .. } | Label::ObjectSize { .. } | Label::Print { .. } => {
                self.define(at, self.round == Round::Strays);
            }
            Label::Alloc { .. } => self.define(at, self.round == Round::Pointers),
            Label::Load { place: Place::Var(from), .. } => {
                let holds = self.facts().vars.contains(from.index());
                self.define(at, holds);
            }
            Label::Load { var, place: Place::Memory(address), .. } => {
                let targets = self.targets(*address);
                let holds = !targets.is_disjoint(&self.facts().contents)
                    || self.holds_unwritten() && is_narrow(program, program.var(*var).sort)
                    || self.round == Round::Strays && self.kind(at, *address) == Kind::Stray;
                self.define(at, holds);
            }
            Label::Store { place: Place::Memory(address), value, .. } => {
                let counts = self.round == Round::Pointers || !is_narrow(program, program.pool.sort(*value));
                if counts && self.holds_for(at, *value) {
                    let targets = self.targets(*address);
                    if !targets.is_subset(&self.facts().contents) {
                        self.facts().contents.union_with(&targets);
                        self.changed = true;
                    }
                }
            }
            Label::Start { callee, arg, .. } => {
                for proc in self.callees(*callee) {
                    let holds = self.call(at, proc, std::slice::from_ref(arg));
                    self.set_results(holds);
                }
            }
            Label::Call { callee, args, .. } => {
                for proc in self.callees(*callee) {
                    let holds = self.call(at, proc, args);
                    self.define(at, holds);
                }
            }
            Label::ThreadExit { value } => {
                let holds = self.holds_for(at, *value);
                self.set_results(holds);
            }
            Label::Join { .. } => {
                let holds = self.facts().results;
                self.define(at, holds);
            }
            // Handles and lock results are small numbers.
            _ => {}
        }
    }

    /// Passes arguments to a procedure; says what holds for its result.
    fn call(&mut self, at: Position, proc: ProcId, args: &[ExprId]) -> bool {
        let is_missing = self.holds_unwritten();
        for (i, param) in self.program.proc(proc).params.iter().enumerate() {
            let holds = args.get(i).map_or(is_missing, |arg| self.holds_for(at, *arg));
            self.set_var(*param, holds);
        }
        let result = self.flows[proc.index()].result;
        result.map_or(is_missing, |value| self.facts().values[proc.index()].contains(value.index()))
    }

    fn set_results(&mut self, holds: bool) {
        if holds && !std::mem::replace(&mut self.facts().results, true) {
            self.changed = true;
        }
    }

    fn callees(&self, callee: Callee) -> Vec<ProcId> {
        match callee {
            Callee::Proc(proc) => vec![proc],
            Callee::Address(address) => {
                self.points_to.functions(self.program, address).into_iter().map(|(_, proc)| proc).collect()
            }
        }
    }

    fn holds_for(&self, at: Position, value: ExprId) -> bool {
        self.holds(self.kind(at, value))
    }

    fn result(&mut self) -> Strays {
        let (program, pool) = (self.program, &self.program.pool);
        let mut result = Strays::default();
        for (p, proc) in program.procs.iter().enumerate() {
            for (e, edge) in proc.edges.iter().enumerate() {
                for (l, label) in edge.labels.iter().enumerate() {
                    let address = computed_address(program, label);
                    result.addresses.extend(address.filter(|address| self.kind((p, e, l), *address) == Kind::Stray));
                }
            }
        }
        if result.addresses.is_empty() {
            return result;
        }
        // What stray values are compared with, or subtracted from.
        for (p, proc) in program.procs.iter().enumerate() {
            for (e, edge) in proc.edges.iter().enumerate() {
                for (l, label) in edge.labels.iter().enumerate() {
                    let mut roots = Vec::new();
                    label.for_each_expr(|expr| roots.push(expr));
                    let mut pairs = Vec::new();
                    pool.for_each_node(&roots, |_, node| pairs.extend(compared(pool, node)));
                    if pairs.is_empty() {
                        continue;
                    }
                    let kinds = self.kinds((p, e, l), &roots);
                    for (a, b) in pairs {
                        for (stray, with) in [(a, b), (b, a)] {
                            if kinds[&stray] == Kind::Stray && kinds[&with] != Kind::Number {
                                result.compared.union_with(&self.points_to.carried(pool, with).0);
                            }
                        }
                    }
                }
            }
        }
        result
    }
}

/// The operands of a comparison, or of another operation that tells whether two values are equal.
fn compared(pool: &raddle_ir::ExprPool, node: Expr) -> Option<(ExprId, ExprId)> {
    use BinOp::{BvSub, BvXor, Eq, SLe, SLt, ULe, ULt};
    match node {
        Expr::Binary(Eq | ULt | ULe | SLt | SLe | BvSub | BvXor, a, b) if may_carry(pool.sort(a)) => Some((a, b)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points_to::points_to;
    use raddle_testing::*;

    /// `main` with two objects, `a` (any bytes) and `b` (zeros), two pointers and a number.
    fn with_objects() -> (Builder, ProcId, [VarId; 3]) {
        let mut b = Builder::new();
        let main = b.proc("main");
        b.object("a", 0x10000000, 64, None, true);
        b.object("b", 0x10100000, 64, Some(vec![]), true);
        let vars = [("p", 64), ("q", 64), ("x", 32)].map(|(name, width)| b.local(main, name, width));
        (b, main, vars)
    }

    #[test]
    fn an_index_from_outside_makes_no_stray_pointer_but_a_pointer_from_outside_is_one() {
        let (mut b, main, [p, q, x]) = with_objects();
        let (a, vp, vq) = (b.num(64, 0x10000000), b.get(p), b.get(q));
        let element = b.bin(BinOp::BvAdd, a, vq);
        let scaled = b.bin(BinOp::BvAdd, vp, vq);
        b.edge(main, 0, 1, vec![input(p), input(q), load(x, Place::Memory(element))]);
        b.edge(main, 1, EXIT, vec![load(x, Place::Memory(vp)), load(x, Place::Memory(scaled))]);
        let points_to = points_to(&b.finish());
        assert_eq!([element, vp, scaled].map(|address| points_to.is_stray(address)), [false, true, true]);
    }

    #[test]
    fn what_memory_holds_is_stray_if_it_was_anything_at_first() {
        let (mut b, main, [p, q, x]) = with_objects();
        let (a, other, vp, vq) = (b.num(64, 0x10000008), b.num(64, 0x10100008), b.get(p), b.get(q));
        let vx = b.get(x);
        // A short number that comes from outside does not count.
        b.edge(main, 0, 1, vec![input(x), store(Place::Memory(a), other), store(Place::Memory(other), a)]);
        b.edge(
            main,
            1,
            2,
            vec![store(Place::Memory(other), vx), load(p, Place::Memory(a)), load(q, Place::Memory(other))],
        );
        b.edge(main, 2, EXIT, vec![load(x, Place::Memory(vp)), load(x, Place::Memory(vq))]);
        let points_to = points_to(&b.finish());
        assert_eq!([vp, vq].map(|address| points_to.is_stray(address)), [true, false]);
    }

    #[test]
    fn a_variable_that_is_used_for_two_things_is_two_values() {
        let (mut b, main, [p, q, x]) = with_objects();
        let (a, vp, vq) = (b.num(64, 0x10000000), b.get(p), b.get(q));
        b.edge(main, 0, 1, vec![input(p), Label::Assign { var: q, value: vp }]);
        b.edge(main, 1, 2, vec![Label::Assign { var: p, value: a }]);
        b.edge(main, 2, EXIT, vec![load(x, Place::Memory(vp)), load(x, Place::Memory(vq))]);
        let points_to = points_to(&b.finish());
        assert_eq!([vp, vq].map(|address| points_to.is_stray(address)), [false, true]);
    }

    #[test]
    fn a_stray_pointer_may_point_to_what_it_is_compared_with() {
        let (mut b, main, [p, q, x]) = with_objects();
        let (a, other, vp, vq) = (b.num(64, 0x10000000), b.num(64, 0x10100000), b.get(p), b.get(q));
        let (is_b, condition) = (b.bin(BinOp::Eq, vp, other), b.local_of(main, "c", raddle_ir::Sort::Bool));
        b.edge(main, 0, 1, vec![input(p)]);
        b.edge(main, 0, 1, vec![Label::Assign { var: p, value: a }]);
        b.edge(main, 1, 2, vec![Label::Assign { var: condition, value: is_b }, Label::Assign { var: q, value: vp }]);
        b.edge(main, 2, EXIT, vec![load(x, Place::Memory(vq))]);
        let program = b.finish();
        let points_to = points_to(&program);
        assert!(points_to.is_stray(vq));
        assert_eq!(points_to.targets(&program.pool, vq).ones().collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn a_distance_is_no_pointer() {
        let (mut b, main, [p, q, x]) = with_objects();
        let (a, vp, vq) = (b.num(64, 0x10000008), b.get(p), b.get(q));
        let distance = b.bin(BinOp::BvSub, vp, a);
        let far = b.bin(BinOp::BvAdd, vp, vq);
        b.edge(main, 0, 1, vec![Label::Assign { var: p, value: a }]);
        b.edge(main, 1, 2, vec![Label::Assign { var: q, value: distance }, input(p)]);
        b.edge(main, 2, EXIT, vec![load(x, Place::Memory(far))]);
        assert!(points_to(&b.finish()).is_stray(far));
    }
}
