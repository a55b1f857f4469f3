//! One procedure in the making: its locations and edges, the current place in it, and its temporaries.
//!
//! Code after a jump that nothing leads to is lowered at a location without incoming edges; a pass removes it.

use super::unwind::Frame;
use super::{GlobalHome, Lower};
use crate::error::{Error, Result};
use crate::hir::{self, FnId, GlobalId, LocalId, Stmt, StmtKind};
use crate::source::Pos;
use crate::types::{FnType, Type, TypeId};
use raddle_ir::{
    BinOp, Edge, ExprId, GapKind, HavocReason, Label, LocId, LocKind, Location, Order, Place, ProcId, Procedure, Sort,
    Storage, UnOp, Var, VarId, VarKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a local lives.
#[derive(Clone, Copy, Debug)]
pub(super) enum LocalHome {
    Var(VarId),
    /// In memory; the variable holds its address.
    Memory(VarId),
}

/// The cases of the switch that is being lowered.
pub(super) struct Switch {
    pub cases: Vec<(u128, u128, LocId)>,
    pub default: Option<LocId>,
}

pub(super) struct Builder<'b, 'a> {
    pub cx: &'b mut Lower<'a>,
    pub function: FnId,
    pub proc: ProcId,
    locals: Vec<VarId>,
    locations: Vec<Location>,
    edges: Vec<Edge>,
    pub here: LocId,
    /// The last edge leads to `here`, nothing else does, and labels of the same statement may join it.
    open: bool,
    /// Where the statement or expression stands that is being lowered.
    pub pos: Pos,
    /// Where the last call of a known function stands.
    pub call: Pos,
    homes: Vec<LocalHome>,
    pub params: Vec<VarId>,
    pub result: Option<VarId>,
    /// The hidden parameter that says where a record result goes.
    pub result_address: Option<VarId>,
    /// The hidden parameter that points to the variable arguments.
    pub variable_arguments: Option<VarId>,
    pub exit: LocId,
    pub labels: Vec<Option<LocId>>,
    /// Where `break` and `continue` lead, and how many cleanups are left then.
    pub breaks: Vec<(LocId, usize)>,
    pub continues: Vec<(LocId, usize)>,
    /// What runs when scopes are left, the innermost last.
    pub cleanups: Vec<super::memory_safety::AtScopeEnd<'a>>,
    /// The same at each label, if there is anything.
    pub label_cleanups: super::cleanups::AtLabels,
    /// The values that end with the present full expression, if lives count and it has one end.
    pub expression_values: Option<Vec<VarId>>,
    /// How many scopes are around what is being lowered.
    pub scopes: u32,
    /// The copies that were made for parameters of calls under way, where lives count.
    pub lent: Vec<VarId>,
    pub switches: Vec<Switch>,
    free_temps: FxHashMap<Sort, Vec<VarId>>,
    used_temps: Vec<(Sort, VarId)>,
    /// Statements here may run more than once in an activation.
    pub loops: u32,
    /// Inside `__VERIFIER_atomic_begin` … `end`, as far as the text shows.
    pub atomic: u32,
    /// Temporaries that are taken and no longer read.
    pub dead_temps: usize,
    /// Of a function that calls `setjmp`.
    pub frame: Option<Frame>,
    /// The objects of the activation, allocated on its first edge.
    entry_labels: Vec<Label>,
    /// Those of inner blocks, on an edge behind it: others may have their storage when the block has ended (`raddle_analysis::places`).
    block_labels: Vec<Label>,
    /// What is evaluated in any order, and what of it is evaluated.
    pub plans: super::orders::Plans<'a>,
    pub evaluated: FxHashMap<usize, ExprId>,
    /// In the condition of a probe.
    pub is_condition: bool,
    /// The sizes of objects that live wherever the variable that holds their address is used.
    pub known_sizes: FxHashMap<VarId, u64>,
    /// The variables of inner blocks that lie in memory.
    inner: FxHashSet<VarId>,
}

impl<'b, 'a> Builder<'b, 'a> {
    pub fn new(cx: &'b mut Lower<'a>, function: FnId) -> Self {
        let proc = cx.proc_of(function);
        let pos = cx.hir_function(function).pos;
        Self::empty(cx, function, proc, pos)
    }

    pub fn empty(cx: &'b mut Lower<'a>, function: FnId, proc: ProcId, pos: Pos) -> Self {
        let span = cx.span(pos);
        let location = Location { kind: LocKind::Normal, span, origin: raddle_ir::Origin::default() };
        let label_count = cx.hir_function(function).labels.len();
        Builder {
            function,
            proc,
            locals: vec![],
            locations: vec![location.clone(), location.clone(), location],
            edges: vec![Edge { source: LocId(0), target: LocId(1), labels: vec![], span, is_silent: false }],
            here: LocId(1),
            open: false,
            pos,
            call: pos,
            homes: vec![],
            params: vec![],
            result: None,
            result_address: None,
            variable_arguments: None,
            exit: LocId(2),
            labels: vec![None; label_count],
            breaks: vec![],
            continues: vec![],
            cleanups: vec![],
            label_cleanups: Default::default(),
            expression_values: None,
            scopes: 0,
            lent: vec![],
            switches: vec![],
            free_temps: FxHashMap::default(),
            used_temps: vec![],
            loops: u32::from(label_count > 0),
            atomic: 0,
            dead_temps: 0,
            frame: None,
            entry_labels: vec![],
            block_labels: vec![],
            plans: Default::default(),
            evaluated: FxHashMap::default(),
            is_condition: false,
            known_sizes: FxHashMap::default(),
            inner: FxHashSet::default(),
            cx,
        }
    }

    pub fn hir(&self) -> &'a hir::Hir {
        self.cx.hir
    }

    /// Did lowering an expression need no edge?
    pub fn emitted_nothing(&self) -> bool {
        self.edges.len() == 1 && self.entry_labels.is_empty() && self.block_labels.is_empty()
    }

    // ---- whole procedures ----

    pub fn lower_definition(mut self, body: &'a [Stmt]) -> Result<Procedure> {
        let function = self.cx.hir_function(self.function);
        self.declare_signature(function)?;
        let atomic = function.name.starts_with("__VERIFIER_atomic_");
        if atomic {
            self.emit(Label::AtomicBegin);
            self.atomic += 1;
        }
        self.enter_frame(body)?;
        self.cancellation_point(self.function)?;
        // The library's own text is evaluated from left to right.
        if !self.cx.is_concrete() && !self.cx.is_of_library(function.pos) {
            self.plans = super::orders::plans(self.cx, body);
        }
        let sizes = |local: LocalId| self.hir().types.size(function.locals[local.index()].ty);
        self.label_cleanups = super::cleanups::at_labels(body, function.labels.len(), self.checks_memory(), &sizes);
        self.note_labels_at_one_place(body);
        // Whoever looks on tells a statement by the locations that are made with it: where a `goto` in it leads is none of them.
        if self.hir().probed {
            for label in 0..function.labels.len() as u32 {
                self.label(hir::LabelId(label));
            }
        }
        self.scope(|this| this.statements(body))?;
        self.pos = function.end;
        self.open = false;
        // Falling off the end: the result is any value, which it still is; `main` returns 0.
        if let Some(result) = self.result
            && Some(self.function) == self.hir().main
        {
            let sort = self.cx.vars[result.index()].sort;
            let zero = self.cx.pool.bits(sort.bits().unwrap_or(32), 0);
            self.emit(Label::Assign { var: result, value: zero });
        }
        self.jump(self.exit);
        self.leave_frame()?;
        if atomic {
            // All returns lead to the old exit; the block ends behind it.
            self.here = self.exit;
            self.exit = self.new_location();
            self.emit(Label::AtomicEnd);
            self.jump(self.exit);
        }
        Ok(self.finish())
    }

    /// A function without a body, as the target of function pointers and thread starts: it does what a direct call does.
    pub fn lower_stub(mut self) -> Result<Procedure> {
        let function = self.cx.hir_function(self.function);
        let Type::Function(ty) = self.hir().types.get(function.ty).clone() else { return Ok(self.finish()) };
        let values = self.declare_stub_parameters(&ty)?;
        let result = self.declare_result(ty.result);
        let value = self.known_function(self.function, values, result.is_some(), None)?;
        if let (Some(var), Some(value)) = (result, value) {
            let value = self.fit(value, self.cx.vars[var.index()].sort);
            self.emit(Label::Assign { var, value });
        }
        self.jump(self.exit);
        Ok(self.finish())
    }

    fn declare_result(&mut self, ty: TypeId) -> Option<VarId> {
        if self.cx.is_record(ty) {
            let sort = self.cx.pointer_sort();
            let var = self.new_local("result address", sort, false);
            self.params.insert(0, var);
            self.known_sizes.insert(var, self.hir().types.size(ty).unwrap_or(0));
            self.result_address = Some(var);
            return None;
        }
        let sort = self.hir().types.scalar_sort(ty)?;
        let var = self.new_local("result", sort, self.hir().types.is_signed(ty));
        self.result = Some(var);
        Some(var)
    }

    fn declare_stub_parameters(&mut self, ty: &FnType) -> Result<Vec<ExprId>> {
        let mut values = vec![];
        for &param in &ty.params {
            let sort = self.hir().types.scalar_sort(param).unwrap_or(self.cx.pointer_sort());
            let var = self.new_local("parameter", sort, self.hir().types.is_signed(param));
            self.params.push(var);
            values.push(self.var_value(var));
        }
        Ok(values)
    }

    /// Parameters, result, and the homes of all locals.
    fn declare_signature(&mut self, function: &'a hir::Function) -> Result<()> {
        let hir = self.hir();
        let Type::Function(ty) = hir.types.get(function.ty) else { return Ok(()) };
        self.declare_result(ty.result);
        let mut moved = vec![];
        let body = function.body.as_deref().unwrap_or_default();
        let declared = |stmt: &Stmt| if let StmtKind::Local(id, _) = stmt.kind { Some(id) } else { None };
        let outer: FxHashSet<LocalId> = body.iter().filter_map(declared).collect();
        for (index, local) in function.locals.iter().enumerate() {
            let id = LocalId(index as u32);
            let is_param = function.params.contains(&id);
            let sort = hir.types.scalar_sort(local.ty).filter(|_| !local.address_taken);
            let home = match sort {
                Some(sort) => {
                    let var = self.new_local(&local.name, sort, hir.types.is_signed(local.ty));
                    self.cx.typed.vars.push((var, local.ty));
                    if is_param {
                        self.params.push(var);
                    }
                    LocalHome::Var(var)
                }
                None => {
                    let pointer = self.cx.pointer_sort();
                    let address = self.new_local(&format!("&{}", local.name), pointer, false);
                    self.cx.typed.homes.push((address, local.ty));
                    if is_param && self.cx.is_record(local.ty) {
                        // The caller made a copy for this call.
                        self.params.push(address);
                        self.known_sizes.insert(address, hir.types.size(local.ty).unwrap_or(0));
                    } else if let Some(size) = hir.types.size(local.ty) {
                        self.entry_alloc(address, size, is_param || outer.contains(&id));
                        if is_param {
                            let sort = self.cx.scalar_sort(local.ty, local.pos)?;
                            let var = self.new_local(&local.name, sort, hir.types.is_signed(local.ty));
                            self.params.push(var);
                            moved.push((address, var));
                        }
                    }
                    LocalHome::Memory(address)
                }
            };
            self.homes.push(home);
        }
        if ty.variadic {
            let pointer = self.cx.pointer_sort();
            let area = self.new_local("variable arguments", pointer, false);
            self.params.push(area);
            self.variable_arguments = Some(area);
        }
        for (address, var) in moved {
            let (address, value) = (self.var_value(address), self.var_value(var));
            self.emit(Label::Store { place: Place::Memory(address), value, order: Order::NonAtomic });
        }
        Ok(())
    }

    /// The procedure that returns this thread's copy of a thread-local object, made at the first call.
    pub fn for_thread_local(cx: &'b mut Lower<'a>, proc: ProcId, global: GlobalId) -> Result<Procedure> {
        let hir = cx.hir;
        let variable = &hir.globals[global.index()];
        let sort = cx.pointer_sort();
        let zero = raddle_ir::Const { sort, bits: 0 };
        let span = cx.span(variable.pos);
        let name = format!("&{}", variable.name);
        let kind = VarKind::ThreadLocal(Some(zero));
        let home = cx.add_var(Var { name, sort, kind, signed: false, span, origin: raddle_ir::Origin::default() });
        let mut this = Self::empty(cx, FnId(0), proc, variable.pos);
        let result = this.new_local("result", sort, false);
        this.result = Some(result);
        this.emit(Label::Load { var: result, place: Place::Var(home), order: Order::NonAtomic });
        let value = this.var_value(result);
        let null = this.cx.address(0);
        let is_null = this.cx.pool.eq(value, null);
        let (first, exit) = (this.new_location(), this.exit);
        this.branch(is_null, first, exit);
        this.here = first;
        let size = this.cx.size(variable.ty, variable.pos)?;
        let size = this.cx.address(size);
        this.emit(Label::Alloc {
            var: result,
            size,
            storage: this.per_thread_storage(),
            zeroed: true,
            site: raddle_ir::Origin::default(),
        });
        this.known_sizes.insert(result, u64::MAX);
        this.emit(Label::Store { place: Place::Var(home), value, order: Order::NonAtomic });
        if let Some(init) = &variable.init {
            this.store_init(value, variable.ty, init)?;
        }
        this.jump(exit);
        let mut procedure = this.finish();
        procedure.name = format!("thread-local {}", variable.name);
        Ok(procedure)
    }

    fn finish(mut self) -> Procedure {
        self.ask_in_endless_loops();
        self.edges[0].labels = std::mem::take(&mut self.entry_labels);
        if !self.block_labels.is_empty() {
            let inner = self.new_location();
            let labels = std::mem::take(&mut self.block_labels);
            let first = &mut self.edges[0];
            let second = Edge { source: inner, labels, ..first.clone() };
            first.target = inner;
            self.edges.push(second);
        }
        let function = self.cx.hir_function(self.function);
        Procedure {
            name: function.name.clone(),
            params: self.params,
            result: self.result,
            locals: self.locals,
            locations: self.locations,
            edges: self.edges,
            entry: LocId(0),
            exit: self.exit,
            span: self.cx.span(function.pos),
        }
    }

    // ---- variables ----

    pub fn new_local(&mut self, name: &str, sort: Sort, signed: bool) -> VarId {
        let span = self.cx.span(self.pos);
        let kind = VarKind::Local(self.proc);
        let var =
            self.cx.add_var(Var { name: name.into(), sort, kind, signed, span, origin: raddle_ir::Origin::default() });
        self.locals.push(var);
        var
    }

    /// A temporary that lives until the end of the full expression.
    pub fn temp(&mut self, sort: Sort) -> VarId {
        let reused = self.free_temps.get_mut(&sort).and_then(Vec::pop);
        let var = match reused {
            Some(var) => var,
            None => self.new_local(self.temp_name(), sort, false),
        };
        self.used_temps.push((sort, var));
        var
    }

    fn temp_name(&self) -> &'static str {
        if self.cx.options.counts.has(raddle_ir::Violation::LostMemory) { raddle_ir::TEMPORARY } else { "tmp" }
    }

    /// How many temporaries are in use; for `release_temps`.
    pub fn temp_mark(&self) -> usize {
        self.used_temps.len()
    }

    /// Gives back the temporaries that were taken since a mark.
    pub fn release_temps(&mut self, mark: usize) {
        for (sort, var) in self.used_temps.drain(mark..).rev() {
            self.free_temps.entry(sort).or_default().push(var);
        }
    }

    pub fn var_value(&mut self, var: VarId) -> ExprId {
        let sort = self.cx.vars[var.index()].sort;
        self.cx.pool.var(var, sort)
    }

    pub fn home(&self, local: LocalId) -> LocalHome {
        self.homes[local.index()]
    }

    pub fn global_home(&self, global: GlobalId) -> GlobalHome {
        self.cx.global_home(global)
    }

    /// Puts the allocation of an object of the activation on the procedure's first edge, or behind it if the object is of an inner block.
    fn entry_alloc(&mut self, var: VarId, size: u64, is_outer: bool) {
        self.known_sizes.insert(var, size);
        if !is_outer {
            self.inner.insert(var);
        }
        let size = self.cx.address(size);
        let labels = if is_outer { &mut self.entry_labels } else { &mut self.block_labels };
        labels.push(Label::Alloc {
            var,
            size,
            storage: Storage::Stack,
            zeroed: false,
            site: raddle_ir::Origin::default(),
        });
    }

    /// Is it the address of a variable of an inner block?
    pub fn is_inner(&self, holder: VarId) -> bool {
        self.inner.contains(&holder)
    }

    /// Makes an object of the activation zeros from its allocation on; false if it is not allocated on the first edge.
    pub fn zero_from_entry(&mut self, address: VarId) -> bool {
        for label in self.entry_labels.iter_mut().chain(&mut self.block_labels) {
            if let Label::Alloc { var, zeroed, .. } = label
                && *var == address
            {
                *zeroed = true;
                return true;
            }
        }
        false
    }

    /// The address of a fresh object of the activation, for this place in the text.
    pub fn scratch(&mut self, name: &str, size: u64) -> ExprId {
        let pointer = self.cx.pointer_sort();
        let var = self.new_local(name, pointer, false);
        self.entry_alloc(var, size, true);
        self.var_value(var)
    }

    // ---- locations and edges ----

    pub fn new_location(&mut self) -> LocId {
        let span = self.cx.span(self.pos);
        self.locations.push(Location { kind: LocKind::Normal, span, origin: raddle_ir::Origin::default() });
        LocId(self.locations.len() as u32 - 1)
    }

    /// Labels that follow do not join the last edge.
    pub fn close(&mut self) {
        self.open = false;
    }

    /// Nobody knows what follows here.
    pub fn gap(&mut self, kind: GapKind, what: &str) {
        // Whoever leads here may come from elsewhere in the text.
        self.locations[self.here.index()].span = self.cx.span(self.pos);
        let gap = self.cx.gap(kind, what, self.pos);
        self.locations[self.here.index()].kind = LocKind::Gap(gap);
        self.here = self.new_location();
        self.close();
    }

    /// The same where a condition holds; otherwise it goes on.
    pub fn gap_if(&mut self, cond: ExprId, kind: GapKind, what: &str) {
        let (gap, other) = (self.new_location(), self.new_location());
        self.branch(cond, gap, other);
        self.here = gap;
        self.gap(kind, what);
        self.here = other;
    }

    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// What was lowered from here on has no model after all: nobody gets beyond where it began.
    pub fn give_up(&mut self, start: LocId, first_edge: usize, error: Error) {
        self.pos = error.pos.unwrap_or(self.pos);
        self.here = start;
        let edges = self.edges.split_off(first_edge);
        self.edges.extend(edges.into_iter().filter(|edge| edge.source != start));
        self.gap(GapKind::Unsupported, &error.message);
    }

    fn push_edge(&mut self, source: LocId, target: LocId, labels: Vec<Label>) {
        let span = self.cx.span(self.pos);
        self.edges.push(Edge { source, target, labels, span, is_silent: false });
    }

    pub fn location_count(&self) -> usize {
        self.locations.len()
    }

    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    pub fn redirect(&mut self, edge: usize, target: LocId) {
        self.edges[edge].target = target;
    }

    pub fn edge_between(&mut self, source: LocId, target: LocId, label: Label) {
        self.push_edge(source, target, vec![label]);
    }

    /// One more local label on an edge that is there.
    pub fn add_label(&mut self, edge: usize, label: Label) {
        self.edges[edge].labels.push(label);
    }

    /// One more label: on the last edge if that stays one step with at most one shared access, else on a new one.
    pub fn emit(&mut self, label: Label) {
        let label = self.synchronised(label);
        self.check_use(&label);
        let local = is_local(&label);
        if self.open
            && !matches!(label, Label::Assume(_) | Label::Require { .. })
            && let Some(edge) = self.edges.last_mut()
            && edge.target == self.here
            && (local || edge.labels.iter().all(is_local))
        {
            edge.labels.push(label);
            return;
        }
        self.push_step(vec![label]);
    }

    /// Labels that are one step together, whatever they touch.
    pub fn emit_step(&mut self, labels: Vec<Label>) {
        labels.iter().for_each(|label| self.check_use(label));
        self.push_step(labels);
    }

    fn push_step(&mut self, labels: Vec<Label>) {
        let stays_open = !labels.iter().any(ends_edge);
        let target = self.new_location();
        self.push_edge(self.here, target, labels);
        self.here = target;
        self.open = stays_open;
    }

    /// Goes on elsewhere; what is emitted next stands at an unreachable location, unless `here` is set.
    pub fn jump(&mut self, target: LocId) {
        self.push_edge(self.here, target, vec![]);
        self.here = self.new_location();
        self.open = false;
    }

    /// Goes on at a location that others lead to as well.
    pub fn enter(&mut self, location: LocId) {
        self.push_edge(self.here, location, vec![]);
        self.here = location;
        self.open = false;
    }

    /// Two edges, one if the condition holds, one if not.
    pub fn branch(&mut self, cond: ExprId, then: LocId, otherwise: LocId) {
        let not = self.cx.pool.unary(UnOp::Not, cond);
        for (assumption, target) in [(cond, then), (not, otherwise)] {
            match self.cx.pool.as_const(assumption) {
                Some(c) if c.bits == 1 => self.push_edge(self.here, target, vec![]),
                Some(_) => {}
                None => self.push_edge(self.here, target, vec![Label::Assume(assumption)]),
            }
        }
        self.here = self.new_location();
        self.open = false;
    }

    /// An edge from here that runs these labels, and goes on only if its `Assume`s hold.
    pub fn guarded_edge(&mut self, labels: Vec<Label>, target: LocId) {
        self.push_edge(self.here, target, labels);
        self.open = false;
    }

    pub fn assign(&mut self, var: VarId, value: ExprId) {
        self.emit(Label::Assign { var, value });
    }

    /// A temporary that holds any value.
    pub fn any_value(&mut self, sort: Sort, reason: HavocReason) -> ExprId {
        let var = self.temp(sort);
        self.emit(Label::Havoc { var, reason, site: raddle_ir::Origin::default() });
        self.var_value(var)
    }

    /// 0 or 1, as a `_Bool` is.
    pub fn any_bool(&mut self, reason: HavocReason) -> ExprId {
        let value = self.any_value(Sort::Bool, reason);
        self.bool_bits(value, 8)
    }

    pub fn is_bool(&self, ty: TypeId) -> bool {
        matches!(self.hir().types.get(self.hir().types.strip_atomic(ty)), Type::Bool)
    }

    // ---- small expressions ----

    pub fn offset(&mut self, address: ExprId, offset: u64) -> ExprId {
        if offset == 0 {
            return address;
        }
        let offset = self.cx.address(offset);
        self.cx.pool.binary(BinOp::BvAdd, address, offset)
    }

    /// A value of one sort where another one is expected by a caller whose declaration differs: bit patterns, cut or zero-extended.
    pub fn fit(&mut self, value: ExprId, sort: Sort) -> ExprId {
        let from = self.cx.pool.sort(value);
        if from == sort {
            return value;
        }
        let bits = match from {
            Sort::Float(_) => self.cx.pool.unary(UnOp::FToBits, value),
            _ => value,
        };
        let have = self.cx.pool.sort(bits).bits().unwrap_or(1);
        let want = sort.bits().unwrap_or(1);
        let fitted = match have.cmp(&want) {
            std::cmp::Ordering::Less => self.cx.pool.zero_ext(want, bits),
            std::cmp::Ordering::Greater => {
                let bits = if want < self.cx.pointer_bits { self.hide(bits) } else { bits };
                self.cx.pool.extract(want - 1, 0, bits)
            }
            std::cmp::Ordering::Equal => bits,
        };
        match sort {
            Sort::Float(to) => self.cx.pool.bits_to_f(to, fitted),
            _ => fitted,
        }
    }
}

/// Touches nothing that another thread can see, and cannot block.
fn is_local(label: &Label) -> bool {
    matches!(label, Label::Assign { .. } | Label::Havoc { .. } | Label::Assume(_) | Label::Require { .. })
}

/// Nothing may stand behind it on its edge.
fn ends_edge(label: &Label) -> bool {
    matches!(
        label,
        Label::Call { .. }
            | Label::Error(_)
            | Label::Halt { .. }
            | Label::ThreadExit { .. }
            | Label::AtomicBegin
            | Label::AtomicEnd
            | Label::Print { .. }
    )
}
