//! Records an execution as events while it is replayed.
//!
//! Dependences are dynamic ones. Data: a use depends on the event that last wrote the local variable or the bytes of memory. Control: an event depends on the innermost branch of its
//! activation that has not met its other ways again (its post-dominator; Xin and Zhang, ISSTA 2007), else on the call or the start of the thread.

use super::execution::{Cell, Event, EventId, Execution, ObjectLife, ThreadLife, What};
use super::trace::peek;
use crate::machine::code::{Code, LabelCode};
use crate::machine::lives::leaking;
use crate::machine::memory::ObjectClass;
use crate::machine::state::{Machine, Status};
use crate::machine::step::find;
use raddle_analysis::post_dominators;
use raddle_ir::{
    ExprId, Label, LocId, MemoryModel, Place, ProcId, Procedure, Sort, Span, Storage, Use, VarId, VarKind, VarsOf,
    Violation,
};
use rustc_hash::FxHashMap;

/// An activation of a procedure.
struct Activation {
    proc: ProcId,
    /// The events that last assigned its locals.
    assigned: FxHashMap<VarId, EventId>,
    /// Branches whose ways have not met again, and where they do.
    branches: Vec<(EventId, Option<LocId>)>,
    /// The call, or the start of the thread.
    entered: Option<EventId>,
    /// Inside the library: the user's function and place that called it.
    user: Option<(ProcId, Span)>,
    /// The local of the caller that gets the result.
    result_to: Option<VarId>,
}

#[derive(Clone, Copy)]
enum Join {
    /// There is one way out.
    None,
    /// All ways meet there, if they do.
    At(Option<LocId>),
}

/// An address so far behind an object's end is told as one of that object.
const NEAR: u64 = 64;

pub struct Recorder<'a> {
    code: &'a Code<'a>,
    pub execution: Execution,
    /// The edge of each label, as an index in `Code::edges`.
    edge_of: Vec<u32>,
    /// By procedure and location: is it a branch, and where do its ways meet again?
    joins: Vec<Option<Vec<Join>>>,
    /// The slots of locals, by variable.
    slot_of: Vec<u32>,
    threads: Vec<Vec<Activation>>,
    variables: VarsOf,
    /// The last writes: of variables, and of bytes of objects.
    cells: FxHashMap<Cell, EventId>,
    bytes: FxHashMap<(u32, u64), EventId>,
    /// Objects are given numbers and addresses that the interpreter uses again; here each has its own number.
    lives: FxHashMap<u32, u32>,
    living_at: FxHashMap<u64, u32>,
    /// Choices whose value nobody has asked for yet, by stack position.
    open_choices: FxHashMap<(u32, u32), EventId>,
    step: u32,
    thread: u32,
    /// The first event of what the step does itself.
    first_of_step: usize,
    /// The labels of the edge, and the one that is executed next. Conditions that are known to hold are passed over.
    first_label: u32,
    next_label: u32,
    end_label: u32,
}

impl<'a> Recorder<'a> {
    pub fn new(code: &'a Code<'a>, machine: &Machine) -> Recorder<'a> {
        let mut edge_of = vec![0; code.labels.len()];
        for (at, edge) in code.edges.iter().enumerate() {
            edge_of[edge.first as usize..edge.end as usize].fill(at as u32);
        }
        let mut slot_of = vec![u32::MAX; code.program.vars.len()];
        for (proc, compiled) in code.program.procs.iter().zip(&code.procs) {
            proc.locals.iter().zip(&compiled.slots).for_each(|(local, slot)| slot_of[local.index()] = slot.index);
        }
        let mut this = Recorder {
            code,
            execution: Execution::default(),
            edge_of,
            joins: vec![None; code.procs.len()],
            slot_of,
            threads: Vec::new(),
            variables: VarsOf::new(),
            cells: FxHashMap::default(),
            bytes: FxHashMap::default(),
            lives: FxHashMap::default(),
            living_at: FxHashMap::default(),
            open_choices: FxHashMap::default(),
            step: 0,
            thread: 0,
            first_of_step: 0,
            first_label: 0,
            next_label: 0,
            end_label: 0,
        };
        this.adopt(machine);
        this
    }

    /// Takes a machine that has run already as the beginning.
    fn adopt(&mut self, machine: &Machine) {
        for object in &self.code.program.objects {
            let life = ObjectLife { address: object.address, size: object.size, allocated: None };
            self.execution.objects.push(life);
        }
        let statics = self.execution.objects.len() as u32;
        let mut dynamic: Vec<u32> = machine.memory.dynamics().filter(|object| *object >= statics).collect();
        dynamic.sort_unstable();
        for object in dynamic {
            self.lives.insert(object, self.execution.objects.len() as u32);
            let of = &machine.memory.objects[object as usize];
            self.living_at.insert(of.address, self.execution.objects.len() as u32);
            let life = ObjectLife { address: of.address, size: of.bytes.len() as u64, allocated: None };
            self.execution.objects.push(life);
        }
        for thread in &machine.threads {
            let mut activations: Vec<Activation> = Vec::new();
            for frame in &thread.frames {
                let called = activations.len().checked_sub(1).and_then(|at| {
                    let edge = *self.code.edges.get(thread.frames[at].call as usize)?;
                    Some(self.code.program.procs[edge.proc as usize].edges[edge.id.index()].span)
                });
                let user = self.user_of(activations.last(), ProcId(frame.proc), called.unwrap_or(Span::NONE));
                activations.push(activation(ProcId(frame.proc), None, user));
            }
            let proc = ProcId(thread.frames.first().map_or(self.code.program.entry.0, |frame| frame.proc));
            self.execution.threads.push(ThreadLife { proc, started: None });
            self.threads.push(activations);
        }
    }

    fn in_library(&self, proc: ProcId) -> bool {
        self.code.program.is_model(proc)
    }

    /// Who called the library, for an activation that another one calls at a place.
    fn user_of(&self, caller: Option<&Activation>, proc: ProcId, at: Span) -> Option<(ProcId, Span)> {
        if !self.in_library(proc) {
            return None;
        }
        caller.map(|caller| caller.user.unwrap_or((caller.proc, at)))
    }

    // ---- events ----

    /// The step that comes next, and the edge that it takes, as an index in `Code::edges`.
    pub fn begin(&mut self, machine: &Machine, thread: u32, step: usize, edge: Option<u32>) {
        self.step = step as u32;
        self.thread = thread;
        let edge = edge.and_then(|edge| self.code.edges.get(edge as usize));
        (self.first_label, self.end_label) = edge.map_or((0, 0), |edge| (edge.first, edge.end));
        self.next_label = self.first_label;
        self.returned(machine, thread);
        self.first_of_step = self.execution.events.len();
    }

    /// Conditions that were passed over up to a label.
    fn passed_over(&mut self, thread: u32, label: u32) {
        while self.next_label < label.min(self.end_label) {
            let (at, edge) = (self.next_label, self.code.edges[self.edge_of[self.next_label as usize] as usize]);
            let of = &self.code.program.procs[edge.proc as usize].edges[edge.id.index()];
            if let Label::Assume(cond) = of.labels[(at - edge.first) as usize] {
                self.condition(thread, of.span, ProcId(edge.proc), of.source, cond);
            }
            self.next_label += 1;
        }
    }

    fn condition(&mut self, thread: u32, span: Span, proc: ProcId, at: LocId, cond: ExprId) {
        let mut needs = Vec::new();
        self.uses(thread, cond, &mut needs);
        let event = self.push(thread, span, What::Branch { at }, needs);
        self.branched(thread, proc, at, event);
    }

    /// What the step did is taken back, and its edge is taken once more.
    pub fn again(&mut self) {
        self.execution.events.truncate(self.first_of_step);
        if let Some(top) = self.threads.get_mut(self.thread as usize).and_then(|activations| activations.last_mut()) {
            top.branches.retain(|(event, _)| (*event as usize) < self.first_of_step);
        }
        self.next_label = self.first_label;
    }

    fn push(&mut self, thread: u32, span: Span, what: What, mut needs: Vec<EventId>) -> EventId {
        let activations = &self.threads[thread as usize];
        let top = activations.last();
        let control = top.and_then(|top| top.branches.last().map(|branch| branch.0).or(top.entered));
        needs.extend(control);
        needs.sort_unstable();
        needs.dedup();
        let from = self.execution.needs.len() as u32;
        self.execution.needs.extend(needs);
        let proc = top.map_or(self.code.program.entry, |top| top.proc);
        let (proc, span, in_library) = match top.and_then(|top| top.user) {
            Some((proc, span)) => (proc, span, true),
            None => (proc, span, self.code.program.is_of_library(span)),
        };
        let depth = activations.iter().filter(|activation| activation.user.is_none()).count().saturating_sub(1) as u32;
        let needs = (from, self.execution.needs.len() as u32);
        self.execution.events.push(Event { step: self.step, thread, depth, span, proc, in_library, what, needs });
        self.execution.events.len() as u32 - 1
    }

    /// The events that assigned the variables of an expression.
    fn uses(&mut self, thread: u32, expr: ExprId, needs: &mut Vec<EventId>) {
        let vars = self.variables.get(&self.code.program.pool, expr);
        if let Some(top) = self.threads[thread as usize].last() {
            needs.extend(vars.iter().filter_map(|var| top.assigned.get(var)));
        }
    }

    fn assigned(&mut self, thread: u32, var: VarId, by: EventId) {
        if let Some(top) = self.threads[thread as usize].last_mut() {
            top.assigned.insert(var, by);
        }
    }

    // ---- calls ----

    /// Activations that are over by now.
    fn returned(&mut self, machine: &Machine, thread: u32) {
        let frames = machine.threads.get(thread as usize).map_or(0, |t| t.frames.len()).max(1);
        while self.threads.get(thread as usize).is_some_and(|activations| activations.len() > frames) {
            let Some(over) = self.threads[thread as usize].pop() else { return };
            let result = self.code.program.proc(over.proc).result;
            let by = result.and_then(|result| over.assigned.get(&result).copied());
            let to = over.result_to.filter(|_| result.is_some());
            let value = to
                .filter(|_| self.threads[thread as usize].len() == frames)
                .and_then(|to| self.local(machine, thread, to).map(|value| (to, value)));
            // Its place is that of the call.
            let span = over.entered.map_or(Span::NONE, |call| self.execution.events[call as usize].span);
            let needs = by.into_iter().chain(over.entered).collect();
            let event = self.push(thread, span, What::Return { callee: over.proc, value }, needs);
            if let Some(to) = to {
                self.assigned(thread, to, event);
            }
        }
    }

    fn local(&self, machine: &Machine, thread: u32, var: VarId) -> Option<u128> {
        let at = self.position(machine, thread, var)?;
        let slots = &machine.threads[thread as usize].slots;
        (!slots.any[at as usize]).then(|| slots.get(at, self.code.program.var(var).sort))
    }

    /// Where a local of the top frame is.
    fn position(&self, machine: &Machine, thread: u32, var: VarId) -> Option<u32> {
        let top = machine.threads[thread as usize].frames.last()?;
        match self.code.program.var(var).kind {
            VarKind::Local(ProcId(of)) if of == top.proc => Some(top.base + self.slot_of[var.index()]),
            _ => None,
        }
    }

    fn called(&mut self, machine: &Machine, thread: u32, span: Span, args: &[ExprId], result_to: Option<VarId>) {
        let callee = ProcId(machine.top(thread).proc);
        let mut given: Vec<Vec<EventId>> = Vec::new();
        for arg in args {
            let mut needs = Vec::new();
            self.uses(thread, *arg, &mut needs);
            given.push(needs);
        }
        let call = self.push(thread, span, What::Call { callee }, Vec::new());
        let user = self.user_of(self.threads[thread as usize].last(), callee, span);
        let mut activation = activation(callee, Some(call), user);
        activation.result_to = result_to;
        self.threads[thread as usize].push(activation);
        let params = self.code.program.proc(callee).params.clone();
        for (at, param) in params.into_iter().enumerate() {
            let value = self.local(machine, thread, param);
            let needs = given.get(at).cloned().unwrap_or_default();
            let event = self.push(thread, span, What::Parameter { var: param, value }, needs);
            self.assigned(thread, param, event);
        }
    }

    // ---- memory ----

    fn cell_at(&self, machine: &Machine, address: u64, size: u32) -> Cell {
        match find(self.code, machine, address, 0) {
            Some((object, offset)) => Cell::Bytes { object: self.life(object), offset, size },
            None => Cell::Nowhere(address),
        }
    }

    fn life(&self, object: u32) -> u32 {
        self.lives.get(&object).copied().unwrap_or(object)
    }

    fn cell(&self, machine: &Machine, thread: u32, place: Place, sort: Sort, address: Option<u64>) -> Cell {
        match place {
            Place::Var(var) => match self.code.program.var(var).kind {
                VarKind::ThreadLocal(_) => Cell::Own(thread, var),
                _ => Cell::Global(var),
            },
            Place::Memory(_) => match address {
                Some(address) => self.cell_at(machine, address, sort.bytes() as u32),
                None => Cell::Nowhere(0),
            },
        }
    }

    fn writers(&self, cell: Cell) -> Vec<EventId> {
        match cell {
            Cell::Bytes { object, offset, size } => {
                let mut all: Vec<EventId> = (offset..offset + u64::from(size))
                    .filter_map(|at| self.bytes.get(&(object, at)).copied())
                    .collect();
                all.sort_unstable();
                all.dedup();
                all
            }
            cell => self.cells.get(&cell).copied().into_iter().collect(),
        }
    }

    fn wrote(&mut self, cell: Cell, event: EventId) {
        match cell {
            Cell::Bytes { object, offset, size } => {
                (offset..offset + u64::from(size)).for_each(|at| {
                    self.bytes.insert((object, at), event);
                });
            }
            cell => {
                self.cells.insert(cell, event);
            }
        }
    }

    // ---- labels ----

    /// A label was executed. `touched` is the address that it went to, if that was computed.
    pub fn after_label(&mut self, machine: &Machine, thread: u32, label: u32, touched: Option<u64>) {
        let edge = self.code.edges[self.edge_of[label as usize] as usize];
        self.passed_over(thread, label);
        self.next_label = label + 1;
        let of = &self.code.program.procs[edge.proc as usize].edges[edge.id.index()];
        let (span, position) = (of.span, (label - edge.first) as usize);
        let of_label = &of.labels[position];
        let mut needs = Vec::new();
        match of_label {
            Label::Assign { var, value } => {
                self.uses(thread, *value, &mut needs);
                let (var, value) = (*var, self.local(machine, thread, *var));
                self.defines(thread, span, var, What::Assign { var, value }, needs);
            }
            Label::Havoc { var, reason, .. } => {
                let (var, reason) = (*var, *reason);
                let value = self.local(machine, thread, var);
                let event = self.defines(thread, span, var, What::Choice { var, reason, value }, needs);
                if let Some(at) = self.position(machine, thread, var).filter(|_| value.is_none()) {
                    self.open_choices.insert((thread, at), event);
                }
            }
            Label::Assume(cond) => self.condition(thread, span, ProcId(edge.proc), of.source, *cond),
            Label::Await(cond) => {
                self.uses(thread, *cond, &mut needs);
                self.push(thread, span, What::Await, needs);
            }
            Label::Require { .. } | Label::Fence(_) => {}
            Label::Load { var, place, .. } => self.load(machine, thread, span, label, (*var, *place), touched),
            Label::Store { place, value, .. } => self.store(machine, thread, span, label, (*place, *value), touched),
            Label::Alloc { var, size, storage, .. } => {
                self.uses(thread, *size, &mut needs);
                let (var, storage) = (*var, *storage);
                self.allocated(machine, thread, span, var, storage, needs);
            }
            Label::Valid { var, address, used } if self.local(machine, thread, *var) == Some(0) => {
                self.uses(thread, *address, &mut needs);
                let address = touched.or_else(|| self.constant(*address)).unwrap_or(0);
                self.misused(machine, (thread, span), (*var, Some(*used)), address, needs);
            }
            Label::Leaks { var, leak } if self.local(machine, thread, *var) == Some(1) => {
                let leaking = leaking(self.code, machine, *leak);
                let address = leaking.map_or(0, |object| machine.memory.objects[object as usize].address);
                self.misused(machine, (thread, span), (*var, None), address, needs);
            }
            Label::ObjectSize { var, address } | Label::Valid { var, address, .. } => {
                self.uses(thread, *address, &mut needs);
                let (var, value) = (*var, self.local(machine, thread, *var));
                self.defines(thread, span, var, What::Assign { var, value }, needs);
            }
            Label::Free { address, storage } => {
                self.uses(thread, *address, &mut needs);
                let object = touched.and_then(|address| self.living_at.get(&address).copied());
                if let (Some(object), Storage::Heap) = (object, storage) {
                    self.push(thread, span, What::Free { object }, needs);
                }
            }
            Label::AtomicBegin => {
                self.push(thread, span, What::AtomicBegin, needs);
            }
            Label::AtomicEnd => {
                self.push(thread, span, What::AtomicEnd, needs);
            }
            Label::Start { var, arg, .. } => {
                self.uses(thread, *arg, &mut needs);
                self.started(machine, thread, span, *var, needs);
            }
            Label::Join { var, handle } => {
                self.uses(thread, *handle, &mut needs);
                let other = self.peek_handle(machine, thread, label);
                let event = self.push(thread, span, What::Join { thread: other }, needs);
                if let Some(var) = var {
                    self.assigned(thread, *var, event);
                }
            }
            Label::Self_ { var } | Label::Leaks { var, .. } => {
                let (var, value) = (*var, self.local(machine, thread, *var));
                self.defines(thread, span, var, What::Assign { var, value }, needs);
            }
            Label::ThreadExit { .. } => {
                self.push(thread, span, What::End, needs);
            }
            Label::Lock { op, lock, var } => {
                self.uses(thread, *lock, &mut needs);
                let address = touched.or_else(|| self.constant(*lock));
                let cell = address.map_or(Cell::Nowhere(0), |address| self.cell_at(machine, address, 1));
                let result = var.and_then(|var| self.local(machine, thread, var));
                let event = self.push(thread, span, What::Lock { op: *op, lock: cell, result }, needs);
                if let Some(var) = var {
                    self.assigned(thread, *var, event);
                }
            }
            Label::Call { args, var, .. } => self.called(machine, thread, span, args, *var),
            Label::Print { args, var, .. } => {
                args.iter().for_each(|arg| self.uses(thread, *arg, &mut needs));
                let event = self.push(thread, span, What::Print, needs);
                if let Some(var) = var {
                    self.assigned(thread, *var, event);
                }
            }
            // Ends the execution: `finish` tells.
            Label::Error(_) | Label::Halt { .. } => {}
        }
    }

    fn defines(&mut self, thread: u32, span: Span, var: VarId, what: What, needs: Vec<EventId>) -> EventId {
        let event = self.push(thread, span, what, needs);
        self.assigned(thread, var, event);
        event
    }

    fn constant(&self, expr: ExprId) -> Option<u64> {
        self.code.program.pool.as_const(expr).map(|constant| constant.bits as u64)
    }

    /// A way out of a location was taken. It is a branch if there are others.
    fn branched(&mut self, thread: u32, proc: ProcId, at: LocId, event: EventId) {
        let program = self.code.program;
        let of_proc = self.joins[proc.index()].get_or_insert_with(|| joins(program.proc(proc)));
        let Join::At(join) = of_proc[at.index()] else { return };
        if let Some(top) = self.threads[thread as usize].last_mut() {
            // The same branch again, in a loop: its last instance is over.
            if let Some(same) = top.branches.iter().position(|(_, other)| *other == join && join.is_some()) {
                top.branches.truncate(same);
            }
            top.branches.push((event, join));
        }
    }

    /// The thread is at a location: branches whose ways meet there are over.
    pub fn end_step(&mut self, machine: &Machine, thread: u32) {
        self.passed_over(thread, self.end_label);
        self.returned(machine, thread);
        let Some(frame) = machine.threads.get(thread as usize).and_then(|t| t.frames.last()) else { return };
        if let Some(top) = self.threads[thread as usize].last_mut()
            && let Some(over) = top.branches.iter().position(|(_, join)| *join == Some(LocId(frame.loc)))
        {
            top.branches.truncate(over);
        }
    }

    fn load(
        &mut self,
        machine: &Machine,
        thread: u32,
        span: Span,
        label: u32,
        (var, place): (VarId, Place),
        touched: Option<u64>,
    ) {
        let mut needs = Vec::new();
        if let Place::Memory(address) = place {
            self.uses(thread, address, &mut needs);
        }
        let address = touched.or_else(|| self.static_address(label));
        let cell = self.cell(machine, thread, place, self.code.program.var(var).sort, address);
        let writers = self.writers(cell);
        let value = self.local(machine, thread, var);
        // Under a weak memory model a store may be seen later: whose value it is, is not known here.
        let from = writers.last().copied().filter(|_| self.code.model == MemoryModel::Sc);
        needs.extend(writers);
        self.defines(thread, span, var, What::Read { cell, into: var, value, from }, needs);
    }

    fn store(
        &mut self,
        machine: &Machine,
        thread: u32,
        span: Span,
        label: u32,
        (place, value): (Place, ExprId),
        touched: Option<u64>,
    ) {
        let mut needs = Vec::new();
        if let Place::Memory(address) = place {
            self.uses(thread, address, &mut needs);
        }
        self.uses(thread, value, &mut needs);
        let address = touched.or_else(|| self.static_address(label));
        let sort = self.code.program.pool.sort(value);
        let cell = self.cell(machine, thread, place, sort, address);
        let stored = match self.code.labels[label as usize] {
            LabelCode::StoreGlobal { value, .. }
            | LabelCode::StoreOwn { value, .. }
            | LabelCode::StoreStatic { value, .. }
            | LabelCode::StoreMemory { value, .. } => peek(self.code, machine, thread, value.code),
            _ => None,
        };
        let event = self.push(thread, span, What::Write { cell, value: stored, is_float: sort.is_float() }, needs);
        self.wrote(cell, event);
    }

    /// The constant address of an access to a static object.
    fn static_address(&self, label: u32) -> Option<u64> {
        match self.code.labels[label as usize] {
            LabelCode::LoadStatic { object, offset, .. } | LabelCode::StoreStatic { object, offset, .. } => {
                Some(self.code.program.objects[object as usize].address + offset)
            }
            _ => None,
        }
    }

    fn allocated(
        &mut self,
        machine: &Machine,
        thread: u32,
        span: Span,
        var: VarId,
        storage: Storage,
        needs: Vec<EventId>,
    ) {
        let address = self.local(machine, thread, var).unwrap_or(0) as u64;
        let object = self.execution.objects.len() as u32;
        let event = self.defines(thread, span, var, What::Alloc { object, storage, var }, needs);
        let number = machine.memory.starting_at(address);
        let size = number.map_or(0, |number| machine.memory.objects[number as usize].bytes.len() as u64);
        self.execution.objects.push(ObjectLife { address, size, allocated: Some(event) });
        self.living_at.insert(address, object);
        if let Some(number) = number {
            self.lives.insert(number, object);
        }
    }

    /// Memory may not be used in this way, or leaks.
    fn misused(
        &mut self,
        machine: &Machine,
        (thread, span): (u32, Span),
        (var, used): (VarId, Option<Use>),
        address: u64,
        mut needs: Vec<EventId>,
    ) {
        let is_near = |life: &ObjectLife| life.address <= address && address < life.address + life.size + NEAR;
        let lives = self.execution.objects.iter().enumerate().filter(|(_, life)| is_near(life));
        let object = lives.max_by_key(|(_, life)| life.address).map(|(object, _)| object as u32);
        let mut has_ended = false;
        if let Some(object) = object {
            let ObjectLife { address, allocated, .. } = self.execution.objects[object as usize];
            let class = machine.memory.starting_at(address).map(|object| machine.memory.objects[object as usize].class);
            has_ended = allocated.is_some() && class.is_none_or(|class| class == ObjectClass::Freed);
            let is_free = |event: &Event| matches!(event.what, What::Free { object: other } if other == object);
            let freed = self.execution.events.iter().rposition(is_free).filter(|_| has_ended);
            needs.extend(freed.map(|event| event as EventId).or(allocated));
        }
        self.defines(thread, span, var, What::Misuse { var, used, address, object, has_ended }, needs);
    }

    fn started(&mut self, machine: &Machine, thread: u32, span: Span, var: VarId, needs: Vec<EventId>) {
        let new = machine.threads.len() as u32 - 1;
        let event = self.defines(thread, span, var, What::Start { thread: new }, Vec::new());
        let proc = ProcId(machine.threads[new as usize].frames[0].proc);
        self.execution.threads.push(ThreadLife { proc, started: Some(event) });
        let user = None;
        self.threads.push(vec![activation(proc, Some(event), user)]);
        for param in self.code.program.proc(proc).params.clone() {
            let value = self.local(machine, new, param);
            let event = self.push(new, span, What::Parameter { var: param, value }, needs.clone());
            self.assigned(new, param, event);
        }
    }

    fn peek_handle(&self, machine: &Machine, thread: u32, label: u32) -> u32 {
        match self.code.labels[label as usize] {
            LabelCode::Join { handle, .. } => peek(self.code, machine, thread, handle).unwrap_or(0) as u32,
            _ => 0,
        }
    }

    // ---- what the oracle hears ----

    /// A choice at a stack position turns out to have a value.
    pub fn chosen(&mut self, at: (u32, u32), value: u128) {
        if let Some(event) = self.open_choices.remove(&at)
            && let Some(Event { what: What::Choice { value: of_choice, .. }, .. }) =
                self.execution.events.get_mut(event as usize)
        {
            *of_choice = Some(value);
        }
    }

    /// An undetermined value moves to another stack position.
    pub fn moved(&mut self, from: (u32, u32), to: (u32, u32)) {
        if let Some(event) = self.open_choices.get(&from).copied() {
            self.open_choices.insert(to, event);
        }
    }

    /// The thread comes to its end.
    pub fn ended(&mut self, machine: &Machine, thread: u32) {
        if machine.threads[thread as usize].status == Status::Ended {
            self.push(thread, Span::NONE, What::End, Vec::new());
        }
    }

    /// The last step violates the property.
    pub fn violated(&mut self, thread: u32, span: Span, violation: Violation) {
        // Labels up to the error have been executed.
        let labels = &self.code.labels[self.next_label as usize..self.end_label as usize];
        let error = labels.iter().position(|label| matches!(label, LabelCode::Error(_))).unwrap_or(0);
        self.passed_over(thread, self.next_label + error as u32);
        self.push(thread, span, What::Error(violation), Vec::new());
    }
}

fn activation(proc: ProcId, entered: Option<EventId>, user: Option<(ProcId, Span)>) -> Activation {
    let (assigned, branches) = (FxHashMap::default(), Vec::new());
    Activation { proc, assigned, branches, entered, user, result_to: None }
}

fn joins(proc: &Procedure) -> Vec<Join> {
    let outgoing = proc.out_edges();
    let locations = (0..).map(LocId).zip(post_dominators(proc));
    locations.map(|(at, join)| if outgoing.of(at).len() < 2 { Join::None } else { Join::At(join) }).collect()
}
