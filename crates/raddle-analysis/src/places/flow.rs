//! The flow of addresses, thread ids and inputs through a Program.
//!
//! Sensitive to flow for locals (the values of `reaching.rs`), insensitive for everything shared and for calls; fields by offset (`memory.rs`). Only what
//! `main` and the threads reach counts. A stray pointer points to what it was derived from, and to all objects whose addresses stray values are compared with.

use super::memory::{Contents, Initial};
use super::offset::Offset;
use super::operations::{self, Sources};
use super::value::{Form, Source, Value, join};
use crate::addresses::Addresses;
use crate::cfg::Cfg;
use crate::points_to::AbstractObject;
use crate::reaching::{Origin, ValueId};
use crate::stray::Flow;
use fixedbitset::FixedBitSet;
use raddle_ir::{
    BinOp, Callee, EdgeId, Expr, ExprId, Label, ObjectId, ObjectKind, Place, ProcId, Program, Sort, Storage, UnOp,
    VarId, VarKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A label: procedure, edge, position.
pub(super) type Position = (usize, usize, usize);

/// After so many rounds nothing is known.
const MOST_ROUNDS: usize = 200;

pub(super) struct Analysis<'a> {
    pub(super) program: &'a Program,
    addresses: Addresses,
    cfgs: &'a [Cfg],
    flows: &'a [Flow<'a>],
    /// The objects, then the starts of threads, then the first process as a thread.
    pub(super) objects: Vec<AbstractObject>,
    sites: FxHashMap<Position, Source>,
    starts: FxHashMap<Position, Source>,
    /// For each procedure, by value.
    values: Vec<Vec<Value>>,
    /// Variables that are not local, and parameters.
    pub(super) vars: Vec<Value>,
    pub(super) contents: Vec<Contents>,
    /// The results of threads, by where they are started; and what those end with that do so in the middle.
    pub(super) results: FxHashMap<Source, Value>,
    pub(super) exits: Value,
    alignments: Vec<i64>,
    automatic: FixedBitSet,
    /// The objects whose addresses are compared with stray values, and where in them these may lie before anything is added.
    compared: FxHashMap<Source, Offset>,
    /// Where objects may be freed.
    pub(super) freed: FxHashSet<(Source, Position)>,
    pub(super) reached: FixedBitSet,
    /// Who may call whom.
    pub(super) calls: FxHashSet<(ProcId, ProcId)>,
    pub(super) changed: bool,
}

impl Sources for Analysis<'_> {
    fn alignment(&self, source: u32) -> i64 {
        self.alignments.get(source as usize).copied().unwrap_or(1)
    }
}

/// Follows everything, and tells what `observe` makes of the result. `None` if that takes too long.
pub(super) fn follow<T>(program: &Program, observe: impl FnOnce(&Analysis) -> T) -> Option<T> {
    let cfgs: Vec<Cfg> = program.procs.iter().map(Cfg::new).collect();
    let flows: Vec<Flow> = program.procs.iter().zip(&cfgs).map(|(proc, cfg)| Flow::new(program, proc, cfg)).collect();
    let mut analysis = Analysis::new(program, &cfgs, &flows);
    analysis.run().then(|| observe(&analysis))
}

impl<'a> Analysis<'a> {
    fn new(program: &'a Program, cfgs: &'a [Cfg], flows: &'a [Flow<'a>]) -> Self {
        let mut objects: Vec<AbstractObject> =
            (0..program.objects.len() as u32).map(|i| AbstractObject::Static(ObjectId(i))).collect();
        let word = i64::from(program.pointer_bits / 8);
        // Of static and automatic objects only those of whole words are taken to be aligned: others may be characters.
        let natural = |size: u64| if size.is_multiple_of(word as u64) { word } else { 1 };
        let mut alignments: Vec<i64> = Vec::new();
        for object in &program.objects {
            alignments.push(if let ObjectKind::Function(_) = object.kind { 1 } else { natural(object.size) });
        }
        let (mut sites, mut starts) = (FxHashMap::default(), Vec::new());
        for (p, proc) in program.procs.iter().enumerate() {
            for (e, edge) in proc.edges.iter().enumerate() {
                for (l, label) in edge.labels.iter().enumerate() {
                    match label {
                        Label::Alloc { storage, .. } => {
                            sites.insert((p, e, l), objects.len() as Source);
                            let (proc, edge, label) = (ProcId(p as u32), EdgeId(e as u32), l as u32);
                            objects.push(AbstractObject::Site { proc, edge, label });
                            // As in glibc, for both widths.
                            alignments.push(if *storage == Storage::Heap { 16 } else { word });
                        }
                        Label::Start { .. } => starts.push((p, e, l)),
                        _ => {}
                    }
                }
            }
        }
        let first = objects.len() as Source;
        let is_automatic = |source: &Source| alignments[*source as usize] == word;
        let automatic = sites.values().filter(|source| is_automatic(source)).map(|source| *source as usize).collect();
        Analysis {
            program,
            addresses: Addresses::new(&program.objects, program.pointer_bits),
            cfgs,
            flows,
            sites,
            starts: starts.into_iter().zip(first..).collect(),
            values: flows.iter().map(|flow| vec![Value::default(); flow.reaching.value_count()]).collect(),
            vars: vec![Value::default(); program.vars.len()],
            contents: objects.iter().map(|_| Contents::default()).collect(),
            results: FxHashMap::default(),
            exits: Value::default(),
            alignments,
            automatic,
            compared: FxHashMap::default(),
            freed: FxHashSet::default(),
            reached: FixedBitSet::with_capacity(program.procs.len()),
            calls: FxHashSet::default(),
            changed: false,
            objects,
        }
    }

    /// The source of the id of the first process.
    pub(super) fn first_thread(&self) -> Source {
        (self.objects.len() + self.starts.len()) as Source
    }

    pub(super) fn is_object(&self, source: Source) -> bool {
        (source as usize) < self.objects.len()
    }

    /// The starts of threads.
    pub(super) fn starts(&self) -> &FxHashMap<Position, Source> {
        &self.starts
    }

    /// Calls `f` for all labels that may run.
    pub(super) fn for_each_label(&self, mut f: impl FnMut(Position, &'a Label)) {
        for p in self.reached.ones() {
            for_each_label(self.program, &self.cfgs[p], p, &mut f);
        }
    }

    pub(super) fn cfg(&self, proc: ProcId) -> &Cfg {
        &self.cfgs[proc.index()]
    }

    /// Is there an end?
    fn run(&mut self) -> bool {
        let program = self.program;
        self.initial_vars();
        self.reached.insert(program.entry.index());
        for _ in 0..MOST_ROUNDS {
            self.changed = false;
            for p in 0..program.procs.len() {
                if self.reached.contains(p) {
                    for_each_label(program, &self.cfgs[p], p, |at, label| self.label(at, label));
                    while self.meet(p) {
                        self.changed = true;
                    }
                }
            }
            if !self.changed {
                return true;
            }
        }
        false
    }

    fn initial_vars(&mut self) {
        for (i, var) in self.program.vars.iter().enumerate() {
            match var.kind {
                VarKind::Global(Some(initial)) | VarKind::ThreadLocal(Some(initial)) => {
                    self.vars[i] = self.constant(initial);
                }
                VarKind::Global(None) | VarKind::ThreadLocal(None) => self.vars[i] = Value::stray(),
                VarKind::Local(_) => {}
            }
        }
        for param in &self.program.proc(self.program.entry).params {
            self.vars[param.index()] = Value::stray();
        }
    }

    /// Entries and joins of paths. True if that changes anything.
    fn meet(&mut self, proc: usize) -> bool {
        let mut changed = false;
        let flow = &self.flows[proc];
        let params = &self.program.procs[proc].params;
        for value in (0..flow.reaching.value_count() as u32).map(ValueId) {
            let mut new = std::mem::take(&mut self.values[proc][value.index()]);
            changed |= match flow.reaching.origin(value) {
                Origin::Label { .. } => false,
                Origin::Entry => {
                    let var = flow.reaching.var(value);
                    match params.contains(&var) {
                        true => new.join(&self.vars[var.index()]),
                        false => new.join(&Value::stray()),
                    }
                }
                Origin::Phi { operands, .. } => operands.iter().fold(false, |changed, (_, operand)| {
                    *operand != value && new.join(&self.values[proc][operand.index()]) || changed
                }),
            };
            self.values[proc][value.index()] = new;
        }
        changed
    }

    /// To what a label defines.
    pub(super) fn define(&mut self, at: Position, value: &Value) {
        if let Some(to) = self.flows[at.0].reaching.of_label(EdgeId(at.1 as u32), at.2 as u32) {
            self.changed |= self.values[at.0][to.index()].join(value);
        }
    }

    fn give_var(&mut self, var: VarId, value: &Value) {
        self.changed |= self.vars[var.index()].join(value);
    }

    fn label(&mut self, at: Position, label: &Label) {
        let program = self.program;
        self.comparisons(at, label);
        match label {
            Label::Assign { value, .. } => {
                let value = self.value(at, *value);
                self.define(at, &value);
            }
            Label::Store { place: Place::Var(var), value, .. } => {
                let value = self.value(at, *value);
                self.give_var(*var, &value);
            }
            Label::Havoc { .. } => self.define(at, &Value::stray()),
            Label::ObjectSize { .. } | Label::Print { .. } | Label::Lock { .. } => {
                self.define(at, &Value::any_number())
            }
            Label::Alloc { size, storage, .. } => {
                let site = self.sites[&at];
                if *storage == Storage::Stack {
                    self.align(at, site, *size);
                }
                self.define(at, &Value::at(site, Offset::ZERO));
            }
            Label::Free { address, .. } => {
                for (object, _) in self.places(&self.value(at, *address)) {
                    self.changed |= self.freed.insert((object, at));
                }
            }
            Label::Load { place: Place::Var(from), .. } => {
                let value = self.vars[from.index()].clone();
                self.define(at, &value);
            }
            Label::Load { var, place: Place::Memory(address), .. } => {
                let address = self.value(at, *address);
                let value = self.load(&address, width(program.var(*var).sort));
                self.define(at, &value);
            }
            Label::Store { place: Place::Memory(address), value, .. } => {
                let width = width(program.pool.sort(*value));
                let (address, value) = (self.value(at, *address), self.value(at, *value));
                for (object, offset) in self.accessed(&address, width) {
                    self.changed |= self.contents[object as usize].store((offset, width), &value);
                }
            }
            Label::Start { callee, arg, .. } => {
                let start = self.starts[&at];
                for proc in self.callees(at, *callee) {
                    let result = self.call(at, proc, std::slice::from_ref(arg));
                    self.changed |= self.results.entry(start).or_default().join(&result);
                }
                let handle = Value::at(start, Offset::ZERO);
                self.define(at, &handle);
            }
            Label::Call { callee: Callee::Proc(callee), args, .. } if self.is_copy(*callee) => self.copy(at, args),
            Label::Call { callee, args, .. } => {
                for proc in self.callees(at, *callee) {
                    self.changed |= self.calls.insert((ProcId(at.0 as u32), proc));
                    let result = self.call(at, proc, args);
                    self.define(at, &result);
                }
            }
            Label::Self_ { .. } => self.own_thread(at),
            Label::ThreadExit { value } => {
                let value = self.value(at, *value);
                self.changed |= self.exits.join(&value);
            }
            Label::Join { handle, .. } => {
                let value = self.joined(&self.value(at, *handle));
                self.define(at, &value);
            }
            _ => {}
        }
    }

    /// The result of one of the threads that a handle may name.
    fn joined(&self, handle: &Value) -> Value {
        let mut result = self.exits.clone();
        // What was never written is no handle.
        let is_known = !handle.of.is_empty() && !handle.is_mixed();
        for (start, value) in &self.results {
            if !is_known || handle.form(*start).is_some() {
                result.join(value);
            }
        }
        result
    }

    /// Any thread may be the one that runs; the first process runs what no other calls.
    fn own_thread(&mut self, at: Position) {
        let mut value = Value::at(self.first_thread(), Offset::ZERO);
        if at.0 != self.program.entry.index() {
            self.starts.values().for_each(|start| {
                value.add(*start, Form::At(Offset::ZERO));
            });
        }
        self.define(at, &value);
    }

    fn align(&mut self, at: Position, site: Source, size: ExprId) {
        let size = self.value(at, size);
        let known = &mut self.alignments[site as usize];
        let divisor = match size.number {
            Some(number) => number.divisor(*known),
            None if size.is_none() => *known,
            None => 1,
        };
        let is_automatic = self.automatic.contains(site as usize);
        let divisor = if is_automatic && divisor < i64::from(self.program.pointer_bits / 8) { 1 } else { divisor };
        self.changed |= *known != divisor;
        *known = divisor;
    }

    /// Notes which objects stray values are compared with.
    fn comparisons(&mut self, at: Position, label: &Label) {
        let pool = &self.program.pool;
        let mut roots = Vec::new();
        label.for_each_expr(|expr| roots.push(expr));
        let mut pairs = Vec::new();
        pool.for_each_node(&roots, |_, node| {
            if let Expr::Binary(op, a, b) = node
                && (is_comparison(op) || matches!(op, BinOp::BvSub | BinOp::BvXor))
                && pool.sort(a) == self.program.pointer_sort()
                && [a, b].into_iter().all(|operand| pool.as_const(operand).is_none_or(|null| null.bits != 0))
            {
                pairs.push((op, a, b));
            }
        });
        for (op, a, b) in pairs {
            let (a, b) = (self.value(at, a), self.value(at, b));
            for (stray, with) in [(&a, &b), (&b, &a)] {
                let Some(stray) = stray.stray else { continue };
                for (object, offset) in with.places() {
                    let offset = if op == BinOp::Eq { offset.minus(stray) } else { Offset::ANY };
                    self.compare(object, offset);
                }
            }
        }
    }

    fn compare(&mut self, object: Source, offset: Offset) {
        if self.is_object(object) {
            let known = self.compared.get(&object).copied();
            let joined = join(known, Some(offset));
            if joined != known {
                self.compared.extend(joined.map(|offset| (object, offset)));
                self.changed = true;
            }
        }
    }

    /// The objects, and where in them, that an address may lie in.
    pub(super) fn places(&self, address: &Value) -> Vec<(Source, Offset)> {
        let place = |(source, form): &(Source, Form)| match form {
            Form::At(offset) | Form::Linear(offset) => (*source, *offset),
            _ => (*source, Offset::ANY),
        };
        let mut places: Vec<_> = address.of.iter().map(place).filter(|(source, _)| self.is_object(*source)).collect();
        if let Some(stray) = address.stray {
            places.extend(self.compared.iter().map(|(object, offset)| (*object, offset.plus(stray))));
        }
        places
    }

    /// The same for an access of some bytes: outside of objects there is none.
    fn accessed(&self, address: &Value, width: i64) -> Vec<(Source, Offset)> {
        let mut places = self.places(address);
        places.retain_mut(|(object, offset)| match self.size(*object) {
            Some(size) => offset.up_to(size - width).map(|inside| *offset = inside).is_some(),
            None => true,
        });
        places
    }

    /// The size of an object, if it is always the same.
    pub(super) fn size(&self, object: Source) -> Option<i64> {
        let program = self.program;
        match self.objects[object as usize] {
            AbstractObject::Static(id) => i64::try_from(program.objects[id.index()].size).ok(),
            AbstractObject::Site { proc, edge, label } => {
                match program.proc(proc).edges[edge.index()].labels[label as usize] {
                    Label::Alloc { size, .. } => {
                        program.pool.as_const(size).and_then(|size| i64::try_from(size.bits).ok())
                    }
                    _ => None,
                }
            }
        }
    }

    pub(super) fn initial(&self, object: Source) -> Initial<'a> {
        let program = self.program;
        match self.objects[object as usize] {
            AbstractObject::Static(id) => Initial::of_object(&program.objects[id.index()]),
            AbstractObject::Site { proc, edge, label } => {
                Initial::of_alloc(&program.proc(proc).edges[edge.index()].labels[label as usize])
            }
        }
    }

    fn load(&mut self, address: &Value, width: i64) -> Value {
        let program = self.program;
        let mut result = Value { stray: address.stray.map(|_| Offset::ZERO), ..Value::default() };
        for (object, offset) in self.accessed(address, width) {
            let initial = self.initial(object);
            result.join(&self.contents[object as usize].load((offset, width), &initial, program));
        }
        result
    }

    /// Passes arguments to a procedure; its result.
    fn call(&mut self, at: Position, proc: ProcId, args: &[ExprId]) -> Value {
        self.changed |= !self.reached.put(proc.index());
        for (i, param) in self.program.proc(proc).params.iter().enumerate() {
            let arg = args.get(i).map_or(Value::stray(), |arg| self.value(at, *arg));
            self.give_var(*param, &arg);
        }
        self.result_of(proc).cloned().unwrap_or_else(Value::stray)
    }

    /// What a procedure returns.
    pub(super) fn result_of(&self, proc: ProcId) -> Option<&Value> {
        self.flows[proc.index()].result.map(|value| &self.values[proc.index()][value.index()])
    }

    pub(super) fn callees(&self, at: Position, callee: Callee) -> Vec<ProcId> {
        let function = |(source, _): (Source, Offset)| match self.objects[source as usize] {
            AbstractObject::Static(id) => match self.program.objects[id.index()].kind {
                ObjectKind::Function(proc) => Some(proc),
                ObjectKind::Data { .. } => None,
            },
            AbstractObject::Site { .. } => None,
        };
        match callee {
            Callee::Proc(proc) => vec![proc],
            Callee::Address(address) => {
                self.places(&self.value(at, address)).into_iter().filter_map(function).collect()
            }
        }
    }

    /// What an expression of a label may be.
    pub(super) fn value(&self, at: Position, expr: ExprId) -> Value {
        match self.program.pool.get(expr) {
            Expr::Var(var) => self.var(at, var),
            Expr::Const(constant) => self.constant(constant),
            _ => self.values(at, &[expr]).remove(&expr).unwrap_or_default(),
        }
    }

    /// The same for all nodes of some expressions.
    pub(super) fn values(&self, at: Position, roots: &[ExprId]) -> FxHashMap<ExprId, Value> {
        let mut nodes: Vec<(ExprId, Expr)> = Vec::new();
        self.program.pool.for_each_node(roots, |id, node| nodes.push((id, node)));
        // Operands were made before what they are operands of.
        nodes.sort_unstable_by_key(|(id, _)| *id);
        let mut values = FxHashMap::default();
        for (id, node) in nodes {
            let value = self.node(at, node, &values);
            values.insert(id, value);
        }
        values
    }

    fn var(&self, (proc, edge, label): Position, var: VarId) -> Value {
        let uses = &self.flows[proc].uses[edge];
        let first = uses.partition_point(|one| (one.label as usize) < label);
        let on_label = uses[first..].iter().take_while(|one| one.label as usize == label);
        let mut result = Value::default();
        for one in on_label.filter(|one| one.var == var) {
            result.join(&self.values[proc][one.value.index()]);
        }
        result
    }

    fn constant(&self, constant: raddle_ir::Const) -> Value {
        let mut result = Value::default();
        if constant.sort.bits().is_some_and(|bits| bits >= self.program.pointer_bits) {
            self.addresses.at(constant.bits, |object| {
                let start = self.program.objects[object.index()].address;
                result.add(object.0, Form::At(Offset::exactly((constant.bits as u64).wrapping_sub(start) as i64)));
            });
        }
        if result.is_none() { operations::of_constant(constant) } else { result }
    }

    fn node(&self, at: Position, node: Expr, values: &FxHashMap<ExprId, Value>) -> Value {
        let pool = &self.program.pool;
        let of = |operand: ExprId| &values[&operand];
        let bits = |operand: ExprId| pool.sort(operand).bits().unwrap_or(0);
        match node {
            Expr::Const(constant) => self.constant(constant),
            Expr::Var(var) => self.var(at, var),
            Expr::Ite(_, a, b) => {
                let mut result = of(a).clone();
                result.join(of(b));
                result
            }
            Expr::Binary(BinOp::BvAdd, a, b) if bits(a) >= self.program.pointer_bits => {
                if let Some(sum) = pool.as_const(b).and_then(|addend| self.folded_sum(of(a), addend)) {
                    return sum;
                }
                operations::binary(BinOp::BvAdd, of(a), of(b), self)
            }
            Expr::Binary(BinOp::Concat, high, low) => {
                let mut result = of(high).part();
                result.join(&of(low).part());
                if bits(high) + bits(low) >= self.program.pointer_bits { result.whole() } else { result }
            }
            Expr::Binary(op, a, b) => operations::binary(op, of(a), of(b), self),
            Expr::Unary(UnOp::BvNeg, arg) => operations::binary(BinOp::BvSub, &Value::number(0), of(arg), self),
            Expr::Extract { high, low, arg } => {
                operations::slice(of(arg), low, high - low + 1, self.program.pointer_bits, self)
            }
            Expr::ZeroExt { arg, .. } => operations::widened(of(arg), bits(arg), false),
            Expr::SignExt { arg, .. } => operations::widened(of(arg), bits(arg), true),
            Expr::BitsToF { arg, .. } | Expr::Unary(UnOp::FToBits, arg) => of(arg).clone(),
            other => {
                let mut operands = Vec::new();
                other.for_each_operand(|operand| operands.push(of(operand)));
                operations::mixed(&operands)
            }
        }
    }

    /// A sum with a constant that an address was folded into: minus an address, or one that lies before its object (`a[i - 9]`).
    fn folded_sum(&self, value: &Value, addend: raddle_ir::Const) -> Option<Value> {
        let at = |object: ObjectId, address: u128| {
            let start = self.program.objects[object.index()].address;
            Value::at(object.0, Offset::exactly((address as u64).wrapping_sub(start) as i64))
        };
        if let Some(object) = self.addresses.subtracted(addend) {
            let address = addend.bits.wrapping_neg() & addend.sort.bits().map_or(0, raddle_ir::eval::mask);
            return Some(operations::binary(BinOp::BvSub, value, &at(object, address), self));
        }
        if !self.addresses.is_among_data(addend) || !self.constant(addend).of.is_empty() {
            return None;
        }
        let object = self.addresses.nearest(u64::try_from(addend.bits).ok()?)?;
        Some(operations::binary(BinOp::BvAdd, value, &at(object, addend.bits), self))
    }
}

/// Calls `f` for the labels of a procedure that control can arrive at.
fn for_each_label<'a>(program: &'a Program, cfg: &Cfg, proc: usize, mut f: impl FnMut(Position, &'a Label)) {
    for (e, edge) in program.procs[proc].edges.iter().enumerate() {
        if cfg.is_reachable(edge.source) {
            edge.labels.iter().enumerate().for_each(|(l, label)| f((proc, e, l), label));
        }
    }
}

pub(super) fn is_comparison(op: BinOp) -> bool {
    matches!(op, BinOp::Eq | BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe)
}

/// In bytes.
fn width(sort: Sort) -> i64 {
    i64::from(sort.bits().unwrap_or(8).div_ceil(8))
}
