//! Points-to analysis: which objects an address may lie in, and which procedures a function pointer may name.
//!
//! Inclusion-based (Andersen 1994), insensitive to flow, calls and fields, over the whole Program; indirect calls and
//! starts are resolved on the way. A pointer is a bit-vector like any other, so every value is followed: a constant
//! in an object (or just past it) points to the object; an expression carries what its operands carry, through
//! arithmetic and conversions of any kind, except that a Bool and anything of less than 8 bits carries nothing; what
//! is loaded from an object carries what was stored to any part of it.
//!
//! A value that comes from outside (a havoc, uninitialised memory, a local read before it is written) carries
//! `Unknown`; a constant that may come from any static object (see `addresses.rs`) carries all of them. An address
//! that carries objects is taken to lie in one of these even if it carries `Unknown` as well: if the unknown is an offset, an
//! access that leaves its object is invalid; otherwise see `stray.rs`. An address that carries nothing but `Unknown` may
//! lie in every object. An address that carries nothing at all lies in none: the access is invalid and ends the path.
//!
//! All this follows addresses as long as constants look like them. An exposed object (see `exposed.rs`) may be in an
//! address in which no constant tells: it belongs to what every address may lie in that is not a plain constant.
//!
//! The same analysis tells which objects are exposed: given the operations that hide addresses, it carries for each
//! object another one, hidden, that stands for its address after such an operation.

use crate::addresses::{Addresses, Mention};
use crate::exposed::{Hiding, Role};
use crate::liveness::read_before_written;
use crate::stray::{self, Strays};
use fixedbitset::FixedBitSet;
use raddle_ir::{
    Callee, EdgeId, Expr, ExprId, ExprPool, Label, ObjectId, ObjectInit, ObjectKind, Place, ProcId, Program, Sort,
    VarId, VarKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// What an address may lie in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum AbstractObject {
    /// A static object; functions are among them.
    Static(ObjectId),
    /// All objects that one `Alloc` makes: label `label` of an edge.
    Site { proc: ProcId, edge: EdgeId, label: u32 },
}

/// The result of the analysis.
pub struct PointsTo {
    objects: Vec<AbstractObject>,
    addresses: Addresses,
    /// The exposed objects, by position.
    exposed: Vec<u32>,
    /// For each variable, the objects (by position) that it carries; `objects.len()` stands for `Unknown`, and behind
    /// it are the hidden objects.
    of_var: Vec<FixedBitSet>,
    strays: Strays,
}

impl PointsTo {
    /// All objects that the Program may have.
    pub fn objects(&self) -> &[AbstractObject] {
        &self.objects
    }

    /// The objects that an address may lie in, by position in `objects()`.
    pub fn targets(&self, pool: &ExprPool, address: ExprId) -> FixedBitSet {
        let unknown = self.objects.len();
        let (mut result, is_unknown) = self.carried(pool, address);
        if is_unknown && result.is_clear() {
            result.insert_range(..unknown);
        } else if self.is_stray(address) {
            result.union_with(&self.strays.compared);
        }
        if pool.as_const(address).is_none() {
            self.exposed.iter().for_each(|&object| result.insert(object as usize));
        }
        result
    }

    /// The objects (as above) that a value, which need not be an address, points to as far as is known; and whether
    /// it carries `Unknown` as well.
    pub fn carried(&self, pool: &ExprPool, value: ExprId) -> (FixedBitSet, bool) {
        let unknown = self.objects.len();
        let mut result = FixedBitSet::with_capacity(unknown + 1);
        carried(pool, &self.addresses, None, value, |what, _| match what {
            Carried::Var(var) => result.union_with(&self.of_var[var.index()]),
            Carried::Object(object) => result.insert(object.index()),
        });
        let is_unknown = result.put(unknown);
        result.set(unknown, false);
        (result, is_unknown)
    }

    /// May an address, where some label uses it, come from outside, so that it need not lie in any of its targets?
    pub fn is_stray(&self, address: ExprId) -> bool {
        self.strays.addresses.contains(&address)
    }

    /// What a variable carries: objects by position, and `objects().len()` for `Unknown`.
    pub fn of_var(&self, var: VarId) -> &FixedBitSet {
        &self.of_var[var.index()]
    }

    pub fn addresses(&self) -> &Addresses {
        &self.addresses
    }

    /// The objects (by position) that a value carries hidden, after an analysis with hiding operations.
    pub(crate) fn hidden(&self, pool: &ExprPool, hiding: &Hiding, value: ExprId) -> FixedBitSet {
        let unknown = self.objects.len();
        let mut result = FixedBitSet::with_capacity(unknown);
        carried(pool, &self.addresses, Some(hiding), value, |what, is_hidden| match what {
            Carried::Var(var) => {
                for object in self.of_var[var.index()].ones() {
                    if object > unknown {
                        result.insert(object - unknown - 1);
                    } else if is_hidden && object < unknown {
                        result.insert(object);
                    }
                }
            }
            Carried::Object(object) if is_hidden => result.insert(object.index()),
            Carried::Object(_) => {}
        });
        result
    }

    /// The function objects that an address may be.
    pub fn functions(&self, program: &Program, address: ExprId) -> Vec<(ObjectId, ProcId)> {
        let targets = self.targets(&program.pool, address);
        let functions = targets.ones().filter_map(|i| match self.objects[i] {
            AbstractObject::Static(id) => match program.objects[id.index()].kind {
                ObjectKind::Function(proc) => Some((id, proc)),
                ObjectKind::Data { .. } => None,
            },
            AbstractObject::Site { .. } => None,
        });
        functions.collect()
    }
}

enum Carried {
    Var(VarId),
    Object(ObjectId),
}

/// Calls `f` for what an expression may carry, and whether an operation of the expression hides it.
fn carried(
    pool: &ExprPool,
    addresses: &Addresses,
    hiding: Option<&Hiding>,
    expr: ExprId,
    mut f: impl FnMut(Carried, bool),
) {
    let mut seen: FxHashSet<(ExprId, bool)> = FxHashSet::default();
    let mut open = vec![(expr, false)];
    while let Some((id, mut is_hidden)) = open.pop() {
        if !may_carry(pool.sort(id)) || !seen.insert((id, is_hidden)) {
            continue;
        }
        match hiding.map(|hiding| hiding.role(id)) {
            None | Some(Role::Keeps) => {}
            Some(Role::Hides) => is_hidden = true,
            Some(Role::Drops) => continue,
        }
        addresses.mentions(pool, pool.get(id), |mention| match mention {
            Mention::Object(object) => f(Carried::Object(object), is_hidden),
            Mention::Any => addresses.all(|object| f(Carried::Object(object), is_hidden)),
        });
        match pool.get(id) {
            Expr::Var(var) => f(Carried::Var(var), is_hidden),
            other => for_each_carrying_operand(other, |operand| open.push((operand, is_hidden))),
        }
    }
}

/// May a value of a sort carry an object?
pub fn may_carry(sort: Sort) -> bool {
    sort != Sort::Bool && sort.bits().is_none_or(|bits| bits >= 8)
}

/// Calls `f` for the operands whose objects an expression carries: all but indices of arrays.
pub fn for_each_carrying_operand(expr: Expr, mut f: impl FnMut(ExprId)) {
    match expr {
        Expr::Select(array, _) => f(array),
        Expr::Store(array, _, value) => {
            f(array);
            f(value);
        }
        other => other.for_each_operand(f),
    }
}

/// Analyses a Program.
pub fn points_to(program: &Program) -> PointsTo {
    let mut result = solve(program, None, None);
    // What stray pointers are compared with they may point to, which may make further pointers stray.
    loop {
        let mut strays = stray::strays(program, &result);
        strays.extend(&result.strays);
        if strays.compared.is_clear() || strays == result.strays {
            return PointsTo { strays, ..result };
        }
        result.strays = strays;
        result = solve(program, None, Some(result));
    }
}

/// The same with hidden objects, and without a look at stray pointers.
pub(crate) fn points_to_hiding(program: &Program, hiding: &Hiding) -> PointsTo {
    solve(program, Some(hiding), None)
}

/// One round: given what an earlier one says of stray pointers.
fn solve(program: &Program, hiding: Option<&Hiding>, before: Option<PointsTo>) -> PointsTo {
    let mut objects: Vec<AbstractObject> =
        (0..program.objects.len() as u32).map(|i| AbstractObject::Static(ObjectId(i))).collect();
    for (p, proc) in program.procs.iter().enumerate() {
        for (e, edge) in proc.edges.iter().enumerate() {
            for (l, label) in edge.labels.iter().enumerate() {
                if matches!(label, Label::Alloc { .. }) {
                    objects.push(AbstractObject::Site {
                        proc: ProcId(p as u32),
                        edge: EdgeId(e as u32),
                        label: l as u32,
                    });
                }
            }
        }
    }
    let mut solver = Solver::new(program, hiding, objects.len());
    solver.initial_values();
    solver.labels(&objects);
    let strays = before.map(|before| {
        let compared: Vec<u32> = before.strays.compared.ones().map(|object| object as u32).collect();
        for (node, address) in solver.computed.clone() {
            if before.is_stray(address) {
                solver.dereference(node, &compared);
            }
        }
        before.strays
    });
    solver.solve();
    let of_var = (0..program.vars.len()).map(|var| std::mem::take(&mut solver.nodes[var].set)).collect();
    PointsTo {
        objects,
        addresses: solver.addresses,
        exposed: solver.exposed,
        of_var,
        strays: strays.unwrap_or_default(),
    }
}

/// Is a value of a sort too short for an address?
pub fn is_narrow(program: &Program, sort: Sort) -> bool {
    sort.bits().is_some_and(|bits| bits < program.pointer_bits)
}

/// The nodes are the variables, then the contents of the objects, then the results of threads, then one for each
/// expression that is no plain variable.
type NodeId = u32;

#[derive(Default)]
struct Node {
    set: FixedBitSet,
    /// What came to the set since the node was last looked at.
    new: Vec<u32>,
    /// Nodes that carry all that this one carries, and whether it is hidden on the way.
    to: FxHashSet<(NodeId, bool)>,
    /// Nodes that carry what is in the objects that this node points to; likewise.
    loads: Vec<(NodeId, bool)>,
    /// Nodes whose values go into the objects that this node points to; likewise.
    stores: Vec<(NodeId, bool)>,
    /// Calls and starts of the functions that this node points to.
    calls: Vec<u32>,
    /// Is its set used as addresses?
    is_address: bool,
    queued: bool,
}

struct Call {
    args: Vec<NodeId>,
    result: Option<NodeId>,
    is_start: bool,
}

struct Solver<'a> {
    program: &'a Program,
    hiding: Option<&'a Hiding>,
    exposed: Vec<u32>,
    addresses: Addresses,
    /// How many objects there are; the number of `Unknown` in sets.
    unknown: u32,
    nodes: Vec<Node>,
    of_expr: FxHashMap<ExprId, NodeId>,
    calls: Vec<Call>,
    linked: FxHashSet<(u32, ProcId)>,
    /// Addresses that are more than plain constants.
    computed: Vec<(NodeId, ExprId)>,
    work: Vec<NodeId>,
}

impl<'a> Solver<'a> {
    fn new(program: &'a Program, hiding: Option<&'a Hiding>, objects: usize) -> Self {
        Solver {
            program,
            hiding,
            exposed: (0..).zip(&program.objects).filter(|(_, object)| object.exposed).map(|(i, _)| i).collect(),
            addresses: Addresses::new(&program.objects, program.pointer_bits),
            unknown: objects as u32,
            nodes: (0..program.vars.len() + objects + 1).map(|_| Node::default()).collect(),
            of_expr: FxHashMap::default(),
            calls: Vec::new(),
            linked: FxHashSet::default(),
            computed: Vec::new(),
            work: Vec::new(),
        }
    }

    fn content(&self, object: u32) -> NodeId {
        self.program.vars.len() as u32 + object
    }

    /// What threads end with.
    fn thread_results(&self) -> NodeId {
        self.program.vars.len() as u32 + self.unknown
    }

    fn enqueue(&mut self, node: NodeId) {
        let queued = &mut self.nodes[node as usize].queued;
        if !*queued {
            *queued = true;
            self.work.push(node);
        }
    }

    fn insert(&mut self, node: NodeId, object: u32) {
        let inner = &mut self.nodes[node as usize];
        inner.set.grow(object as usize + 1);
        if !inner.set.put(object as usize) {
            inner.new.push(object);
            self.enqueue(node);
        }
    }

    fn flow(&mut self, from: NodeId, to: NodeId) {
        self.flow_through(from, to, false);
    }

    fn flow_through(&mut self, from: NodeId, to: NodeId, hides: bool) {
        if (from != to || hides) && self.nodes[from as usize].to.insert((to, hides)) {
            let all: Vec<u32> = self.nodes[from as usize].set.ones().map(|object| object as u32).collect();
            all.into_iter().for_each(|object| self.insert(to, self.passed(object, hides)));
        }
    }

    /// What an object of a set is at the other end of a flow.
    fn passed(&self, object: u32, hides: bool) -> u32 {
        if hides && object < self.unknown { self.unknown + 1 + object } else { object }
    }

    /// Does an access with a value of this sort hide addresses?
    fn is_narrow(&self, sort: Sort) -> bool {
        self.hiding.is_some() && is_narrow(self.program, sort)
    }

    /// The node of an expression.
    fn node(&mut self, expr: ExprId) -> NodeId {
        if let Expr::Var(var) = self.program.pool.get(expr) {
            return var.0;
        }
        if let Some(&node) = self.of_expr.get(&expr) {
            return node;
        }
        let node = self.nodes.len() as NodeId;
        self.nodes.push(Node::default());
        self.of_expr.insert(expr, node);
        let mut parts = Vec::new();
        carried(&self.program.pool, &self.addresses, self.hiding, expr, |what, hides| parts.push((what, hides)));
        for (part, hides) in parts {
            match part {
                Carried::Var(var) => self.flow_through(var.0, node, hides),
                Carried::Object(object) => self.insert(node, self.passed(object.0, hides)),
            }
        }
        node
    }

    fn initial_values(&mut self) {
        let program = self.program;
        for (i, var) in program.vars.iter().enumerate() {
            match var.kind {
                VarKind::Global(Some(initial)) | VarKind::ThreadLocal(Some(initial)) => {
                    let mut objects = Vec::new();
                    self.addresses.at(initial.bits, |object| objects.push(object.0));
                    objects.into_iter().for_each(|object| self.insert(i as NodeId, object));
                }
                VarKind::Global(None) | VarKind::ThreadLocal(None) => self.insert(i as NodeId, self.unknown),
                VarKind::Local(_) => {}
            }
        }
        for (i, object) in program.objects.iter().enumerate() {
            let content = self.content(i as u32);
            match &object.kind {
                ObjectKind::Function(_) => {}
                ObjectKind::Data { init: ObjectInit::Any, .. } => self.insert(content, self.unknown),
                ObjectKind::Data { init: ObjectInit::Bytes { pointers, .. }, .. } => {
                    pointers.iter().for_each(|(_, target)| self.insert(content, target.0));
                }
            }
        }
    }

    fn labels(&mut self, objects: &[AbstractObject]) {
        let program = self.program;
        let mut site = program.objects.len() as u32;
        for proc in &program.procs {
            for var in read_before_written(proc, &program.pool) {
                self.insert(var.0, self.unknown);
            }
            for label in proc.edges.iter().flat_map(|edge| &edge.labels) {
                self.label(label, site);
                if matches!(label, Label::Alloc { .. }) {
                    site += 1;
                }
            }
        }
        debug_assert_eq!(site as usize, objects.len());
    }

    fn label(&mut self, label: &Label, site: u32) {
        let program = self.program;
        match label {
            Label::Assign { var, value } => {
                let value = self.node(*value);
                self.flow(value, var.0);
            }
            Label::Havoc { var, .. } => self.insert(var.0, self.unknown),
            Label::Load { var, place: Place::Var(from), .. } => self.flow(from.0, var.0),
            Label::Load { var, place: Place::Memory(address), .. } => {
                let address = self.address(*address);
                let hides = self.is_narrow(program.var(*var).sort);
                self.nodes[address as usize].loads.push((var.0, hides));
                self.revisit(address);
            }
            Label::Store { place: Place::Var(to), value, .. } => {
                let value = self.node(*value);
                self.flow(value, to.0);
            }
            Label::Store { place: Place::Memory(address), value, .. } => {
                let hides = self.is_narrow(program.pool.sort(*value));
                let (address, value) = (self.address(*address), self.node(*value));
                self.nodes[address as usize].stores.push((value, hides));
                self.revisit(address);
            }
            Label::Alloc { var, zeroed, .. } => {
                self.insert(var.0, site);
                if !zeroed {
                    self.insert(self.content(site), self.unknown);
                }
            }
            Label::Start { callee, arg, .. } => {
                let args = vec![self.node(*arg)];
                self.call(*callee, Call { args, result: Some(self.thread_results()), is_start: true });
            }
            Label::Call { callee, args, var, .. } => {
                let args = args.iter().map(|arg| self.node(*arg)).collect();
                self.call(*callee, Call { args, result: var.map(|var| var.0), is_start: false });
            }
            Label::ThreadExit { value } => {
                let value = self.node(*value);
                self.flow(value, self.thread_results());
            }
            Label::Join { var: Some(var), .. } => self.flow(self.thread_results(), var.0),
            // Handles, lock results and counts of printed bytes are no addresses.
            _ => {}
        }
    }

    fn address(&mut self, expr: ExprId) -> NodeId {
        let node = self.node(expr);
        self.nodes[node as usize].is_address = true;
        if self.program.pool.as_const(expr).is_none() {
            self.computed.push((node, expr));
        }
        node
    }

    /// Looks at all of a node's set once more: it got a new load, store or call.
    fn revisit(&mut self, node: NodeId) {
        let inner = &mut self.nodes[node as usize];
        inner.new = inner.set.ones().map(|object| object as u32).collect();
        if !inner.new.is_empty() {
            self.enqueue(node);
        }
    }

    fn call(&mut self, callee: Callee, call: Call) {
        self.calls.push(call);
        let call = self.calls.len() as u32 - 1;
        match callee {
            Callee::Proc(proc) => self.link(call, proc),
            Callee::Address(address) => {
                let address = self.address(address);
                self.nodes[address as usize].calls.push(call);
                self.revisit(address);
            }
        }
    }

    fn link(&mut self, call: u32, proc: ProcId) {
        if !self.linked.insert((call, proc)) {
            return;
        }
        let proc = self.program.proc(proc);
        let Call { args, result, is_start } = &self.calls[call as usize];
        let (args, result, is_start) = (args.clone(), *result, *is_start);
        for (i, param) in proc.params.iter().enumerate() {
            match args.get(i) {
                Some(arg) => self.flow(*arg, param.0),
                None => self.insert(param.0, self.unknown),
            }
        }
        match (result, proc.result) {
            (Some(to), Some(from)) => self.flow(from.0, to),
            (Some(to), None) if !is_start => self.insert(to, self.unknown),
            _ => {}
        }
    }

    fn solve(&mut self) {
        if !self.exposed.is_empty() {
            let exposed = self.exposed.clone();
            for (node, _) in self.computed.clone() {
                self.dereference(node, &exposed);
            }
        }
        let mut widened: FxHashSet<NodeId> = FxHashSet::default();
        loop {
            while let Some(node) = self.work.pop() {
                self.nodes[node as usize].queued = false;
                let new = std::mem::take(&mut self.nodes[node as usize].new);
                self.dereference(node, &new);
                let to: Vec<(NodeId, bool)> = self.nodes[node as usize].to.iter().copied().collect();
                for (target, hides) in to {
                    new.iter().for_each(|object| self.insert(target, self.passed(*object, hides)));
                }
            }
            // Addresses of which nothing is known go everywhere.
            let is_lost = |node: &Node| node.is_address && node.set.ones().eq([self.unknown as usize]);
            let lost: Vec<NodeId> =
                (0..self.nodes.len() as NodeId).filter(|&node| is_lost(&self.nodes[node as usize])).collect();
            let everything: Vec<u32> = (0..self.unknown).collect();
            let mut changed = false;
            for node in lost {
                if widened.insert(node) {
                    changed = true;
                    self.dereference(node, &everything);
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Connects a node's loads, stores and calls with objects that it points to.
    fn dereference(&mut self, node: NodeId, objects: &[u32]) {
        let inner = &self.nodes[node as usize];
        if inner.loads.is_empty() && inner.stores.is_empty() && inner.calls.is_empty() {
            return;
        }
        let (loads, stores, calls) = (inner.loads.clone(), inner.stores.clone(), inner.calls.clone());
        let unknown = self.unknown;
        for object in objects.iter().filter(|object| **object != unknown) {
            // A hidden object is the object all the same.
            let object = object.checked_sub(unknown + 1).unwrap_or(*object);
            let function = match self.program.objects.get(object as usize).map(|object| &object.kind) {
                Some(ObjectKind::Function(proc)) => Some(*proc),
                _ => None,
            };
            match function {
                Some(proc) => calls.iter().for_each(|call| self.link(*call, proc)),
                None => {
                    let content = self.content(object);
                    loads.iter().for_each(|&(to, hides)| self.flow_through(content, to, hides));
                    stores.iter().for_each(|&(from, hides)| self.flow_through(from, content, hides));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::{BinOp, Storage};
    use raddle_testing::*;

    /// The positions of objects that an address may lie in.
    fn targets(program: &Program, address: ExprId) -> Vec<usize> {
        points_to(program).targets(&program.pool, address).ones().collect()
    }

    #[test]
    fn a_pointer_is_followed_through_memory_and_arithmetic() {
        let mut b = Builder::new();
        let main = b.proc("main");
        b.object("a", 0x1000, 64, None, true);
        b.object("cell", 0x2000, 8, Some(vec![]), true);
        b.object("other", 0x3000, 8, None, true);
        let (p, q, i) = (b.local(main, "p", 64), b.local(main, "q", 64), b.local(main, "i", 64));
        let (a, cell, vi, vp, vq) = (b.num(64, 0x1000), b.num(64, 0x2000), b.get(i), b.get(p), b.get(q));
        let element = b.bin(BinOp::BvAdd, a, vi);
        b.edge(main, 0, 1, vec![input(i), Label::Assign { var: p, value: cell }]);
        b.edge(main, 1, 2, vec![store(Place::Memory(vp), element)]);
        b.edge(main, 2, 3, vec![load(q, Place::Memory(cell))]);
        b.edge(main, 3, EXIT, vec![load(i, Place::Memory(vq))]);
        let program = b.finish();
        assert_eq!(targets(&program, vq), [0]);
        assert_eq!(targets(&program, vp), [1]);
    }

    #[test]
    fn an_address_from_outside_goes_everywhere_and_null_goes_nowhere() {
        let mut b = Builder::new();
        let main = b.proc("main");
        b.object("a", 0x1000, 8, None, true);
        let (p, q) = (b.local(main, "p", 64), b.local(main, "q", 64));
        let (size, vp, vq, null) = (b.num(64, 8), b.get(p), b.get(q), b.num(64, 0));
        b.edge(
            main,
            0,
            1,
            vec![
                input(p),
                Label::Alloc { var: q, size, storage: Storage::Heap, zeroed: true, site: raddle_ir::Origin::default() },
            ],
        );
        b.edge(main, 1, EXIT, vec![load(q, Place::Memory(vp))]);
        let program = b.finish();
        assert_eq!(targets(&program, vp), [0, 1]);
        assert_eq!(targets(&program, vq), [1]);
        assert_eq!(targets(&program, null), [] as [usize; 0]);
    }

    #[test]
    fn an_indirect_call_passes_its_argument_and_returns_it() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let id = b.proc("id");
        b.function(id, 0x900);
        b.object("a", 0x1000, 8, None, true);
        let param = b.param(id, "x", 64);
        let result = b.result(id, 64);
        let (f, p) = (b.local(main, "f", 64), b.local(main, "p", 64));
        let (vparam, vf, vp, address, a) = (b.get(param), b.get(f), b.get(p), b.num(64, 0x900), b.num(64, 0x1000));
        b.edge(main, 0, 1, vec![Label::Assign { var: f, value: address }]);
        b.edge(
            main,
            1,
            EXIT,
            vec![Label::Call {
                callee: Callee::Address(vf),
                args: vec![a],
                var: Some(p),
                site: raddle_ir::Origin::default(),
            }],
        );
        b.edge(id, 0, EXIT, vec![Label::Assign { var: result, value: vparam }]);
        let program = b.finish();
        assert_eq!(targets(&program, vp), [1]);
        assert_eq!(points_to(&program).functions(&program, vf), [(ObjectId(0), id)]);
    }
}
