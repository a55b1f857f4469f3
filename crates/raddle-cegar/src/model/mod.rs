//! From edges of the Program to actions: the statements of one thread's step, and what the step does to the threads.
//!
//! Calls are inlined before. An action that ends the program (`Halt`, the end of the first process) stops its thread only, and everybody if it is in an atomic
//! block (see [`At::Stopped`]).
//!
//! What a `Start`, a `Join`, a lock operation at a computed address or the initialisation of a lock does depends on the state: on the number of threads, on who has
//! ended, on the address, on who holds the lock. Such actions are made for each such *context*, and begin with assumptions that make them exact. An edge that follows a stray pointer
//! (raddle-analysis, `stray.rs`) has an action for where it leads to an object, and others for where it leads elsewhere.

pub mod show;
pub mod threads;

pub use raddle_model::{instances, locks, memory, number, resized, statements};

use crate::model::instances::{Origin, Vars};
use crate::model::memory::{Allocation, Memory};
use crate::model::statements::Statement;
use crate::model::threads::{At, Thread, Threads};
use crate::solvers::Solvers;
use raddle_analysis::{Live, Output, live_locals};
use raddle_ir::{
    Callee, EdgeId, Expr, ExprId, ExprPool, Label, LocId, LocKind, LockOp, Outgoing, Place, ProcId, Program, Sort,
    Span, Substitution, VarId, VarKind,
};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What the engine cannot express, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    pub what: String,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ActionId(pub u32);

impl ActionId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a step does to the threads, besides moving its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    Start(ProcId),
    AtomicBegin,
    AtomicEnd,
}

/// Where an action leads, if not just on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    None,
    /// The property is violated.
    Error,
    /// What follows was cut off, for this reason.
    CutOff(LocKind),
}

/// One step of one thread.
#[derive(Clone, Debug)]
pub struct Action {
    pub slot: u32,
    pub proc: ProcId,
    pub edge: EdgeId,
    pub statements: Rc<[Statement]>,
    /// The statements that give the value of a load, and the positions of the loads among the edge's labels.
    pub loads: Vec<(u32, u32)>,
    pub effects: Vec<Effect>,
    pub at: At,
    /// The thread ends by arriving at the exit of its process.
    pub arrives: bool,
    pub goal: Goal,
    /// It follows a stray pointer to no object: what comes of it cannot be replayed.
    pub goes_astray: bool,
    /// Variables that it reads and writes, sorted; among them those that stand for threads.
    pub reads: Vec<VarId>,
    pub writes: Vec<VarId>,
    /// Locals of the thread that nothing reads any more after it before they are written.
    pub dead: Vec<VarId>,
}

#[derive(PartialEq, Eq, Hash)]
struct Key {
    slot: u32,
    proc: ProcId,
    edge: EdgeId,
    /// The handles of threads and addresses that the action depends on, in the order of its labels.
    context: Vec<u64>,
    /// The first label at which a stray pointer leads to no object.
    elsewhere: Option<usize>,
}

/// The Program as actions.
pub struct Model<'p> {
    pub program: &'p Program,
    pub pool: ExprPool,
    pub vars: Vars,
    pub memory: Memory,
    /// Makes solvers for whoever has a question about the program.
    pub solvers: Solvers,
    pub outgoing: Vec<Outgoing>,
    actions: Vec<Action>,
    ids: FxHashMap<Key, ActionId>,
    /// For each procedure and edge: does an action depend on the state?
    depends: Vec<Vec<bool>>,
    /// For each procedure: which locals are read from where on.
    live: Vec<Live>,
    /// The actions at a location of a thread, where they do not depend on the state.
    at: FxHashMap<(u32, ProcId, LocId), Rc<[ActionId]>>,
    /// Names to instances, by thread.
    names: FxHashMap<u32, Substitution>,
}

/// More threads than this are more than the abstraction can tell apart.
const MOST_THREADS: usize = 2000;

impl<'p> Model<'p> {
    pub fn new(program: &'p Program) -> Result<Self, Unsupported> {
        let mut vars = Vars::new(program);
        let pool = program.pool.clone();
        let memory = Memory::new(program, &mut vars);
        let depends = |label: &Label| match label {
            Label::Start { .. } | Label::Join { .. } | Label::Lock { op: LockOp::Init(_), .. } => true,
            Label::Lock { lock, .. } => program.pool.as_const(*lock).is_none(),
            _ => false,
        };
        let edges = |proc: &raddle_ir::Procedure| {
            proc.edges.iter().map(|edge| edge.labels.iter().any(depends)).collect::<Vec<_>>()
        };
        Ok(Model {
            outgoing: program.procs.iter().map(raddle_ir::Procedure::out_edges).collect(),
            depends: program.procs.iter().map(edges).collect(),
            live: program.procs.iter().map(|proc| live_locals(proc, &program.pool, Output::Read)).collect(),
            at: FxHashMap::default(),
            program,
            pool,
            vars,
            memory,
            solvers: Solvers::default(),
            actions: Vec::new(),
            ids: FxHashMap::default(),
            names: FxHashMap::default(),
        })
    }

    pub fn action(&self, id: ActionId) -> &Action {
        &self.actions[id.index()]
    }

    pub fn first(&self) -> Threads {
        let entry = self.program.entry;
        Threads::first(entry, self.program.proc(entry).entry)
    }

    /// The actions at a thread's location, as far as the places of the threads allow them. `known` gives the values of variables that the
    /// abstract state knows.
    pub fn actions_of(
        &mut self,
        threads: &Threads,
        slot: u32,
        known: &dyn Fn(VarId) -> Option<u128>,
    ) -> Result<Rc<[ActionId]>, Unsupported> {
        let Thread { proc, at: At::Location(location) } = threads.threads[slot as usize] else {
            return Ok(Rc::new([]));
        };
        if let Some(actions) = self.at.get(&(slot, proc, location)) {
            return Ok(actions.clone());
        }
        let (mut actions, mut depends) = (Vec::new(), false);
        for i in 0..self.outgoing[proc.index()].of(location).len() {
            let edge = self.outgoing[proc.index()].of(location)[i];
            depends |= self.depends[proc.index()][edge.index()];
            self.instances(threads, slot, proc, edge, known, &mut actions)?;
        }
        let actions: Rc<[ActionId]> = actions.into();
        if !depends {
            self.at.insert((slot, proc, location), actions.clone());
        }
        Ok(actions)
    }

    /// The actions of an edge: one, and for each stray pointer that it follows another, by which this is the first to lead elsewhere.
    fn instances(
        &mut self,
        threads: &Threads,
        slot: u32,
        proc: ProcId,
        edge: EdgeId,
        known: &dyn Fn(VarId) -> Option<u128>,
        out: &mut Vec<ActionId>,
    ) -> Result<(), Unsupported> {
        let mut context = Vec::new();
        if self.depends[proc.index()][edge.index()] {
            match self.context(threads, slot, proc, edge, known)? {
                Some(found) => context = found,
                None => return Ok(()),
            }
        }
        let labels = &self.program.proc(proc).edges[edge.index()].labels;
        let strays = labels.iter().enumerate().filter(|(_, label)| self.memory.is_stray(label)).map(|(i, _)| Some(i));
        for elsewhere in [None].into_iter().chain(strays).collect::<Vec<_>>() {
            out.push(self.instance(Key { slot, proc, edge, context: context.clone(), elsewhere })?);
        }
        Ok(())
    }

    fn instance(&mut self, key: Key) -> Result<ActionId, Unsupported> {
        if let Some(id) = self.ids.get(&key) {
            return Ok(*id);
        }
        let action = self.make(&key)?;
        let id = ActionId(self.actions.len() as u32);
        self.actions.push(action);
        self.ids.insert(key, id);
        Ok(id)
    }

    /// What an action depends on; `None` if it waits for a thread and none has ended.
    fn context(
        &mut self,
        threads: &Threads,
        slot: u32,
        proc: ProcId,
        edge: EdgeId,
        known: &dyn Fn(VarId) -> Option<u128>,
    ) -> Result<Option<Vec<u64>>, Unsupported> {
        let program = self.program;
        let edge = &program.proc(proc).edges[edge.index()];
        let unsupported = |what: &str| Unsupported { what: what.into(), span: edge.span };
        let mut context = Vec::new();
        let mut count = threads.threads.len();
        for label in &edge.labels {
            match label {
                Label::Start { .. } => {
                    if count >= MOST_THREADS {
                        return Err(unsupported("so many threads"));
                    }
                    context.push(count as u64);
                    count += 1;
                }
                Label::Join { handle, .. } => {
                    let handle = self.named(slot, *handle);
                    let value = value(&self.pool, handle, known);
                    // A handle that is known waits for that thread alone.
                    let ended: Vec<u64> = threads
                        .ended()
                        .filter(|&of| value.is_none_or(|v| v == u128::from(of)))
                        .map(u64::from)
                        .collect();
                    if ended.is_empty() {
                        return Ok(None);
                    }
                    context.push(ended.len() as u64);
                    context.extend(ended);
                }
                Label::Lock { op, lock, .. } => {
                    let lock = self.named(slot, *lock);
                    let Some(address) = value(&self.pool, lock, known) else {
                        return Err(unsupported("a lock at an address that the abstraction does not know"));
                    };
                    if self.pool.as_const(lock).is_none() {
                        context.push(address as u64);
                    }
                    if let LockOp::Init(_) = op {
                        let holders = other_holders(&self.vars, threads, slot, address as u64);
                        context.push(holders.len() as u64);
                        context.extend(holders.into_iter().map(u64::from));
                    }
                }
                _ => {}
            }
        }
        Ok(Some(context))
    }

    /// An expression of the Program, as a thread means it.
    pub fn named(&mut self, slot: u32, expr: ExprId) -> ExprId {
        let (program, vars) = (self.program, &mut self.vars);
        let names = self.names.entry(slot).or_default();
        let mut fresh: Vec<(VarId, VarId)> = Vec::new();
        for var in self.pool.vars(expr) {
            fresh.push((var, vars.instance(program, slot, var)));
        }
        let made: FxHashMap<VarId, ExprId> =
            fresh.into_iter().map(|(var, id)| (var, self.pool.var(id, vars.sort(id)))).collect();
        names.apply(&mut self.pool, expr, &mut |var| made.get(&var).copied())
    }

    fn var(&mut self, slot: u32, var: VarId) -> VarId {
        self.vars.instance(self.program, slot, var)
    }

    /// An access through a stray pointer that leads elsewhere: a load gives anything, a store changes nothing. Of those behind the first one no more is said than that
    /// they do what they may.
    fn follow_stray(&mut self, slot: u32, label: &Label, address: ExprId, is_first: bool, out: &mut Vec<Statement>) {
        let at = self.named(slot, address);
        match label {
            Label::Load { var, .. } => {
                let to = self.var(slot, *var);
                if is_first {
                    let bytes = self.vars.sort(to).bytes();
                    self.memory.goes_elsewhere(&mut self.pool, address, at, bytes, false, out);
                }
                out.push(Statement::Havoc { var: to, input: None });
            }
            Label::Store { value, .. } if is_first => {
                let bytes = self.pool.sort(*value).bytes();
                self.memory.goes_elsewhere(&mut self.pool, address, at, bytes, true, out);
            }
            _ => out.extend(self.memory.array_at(address).map(|var| Statement::Havoc { var, input: None })),
        }
    }

    fn make(&mut self, key: &Key) -> Result<Action, Unsupported> {
        let (program, slot) = (self.program, key.slot);
        let proc = program.proc(key.proc);
        let edge = &proc.edges[key.edge.index()];
        let mut context = key.context.iter().copied();
        let mut action = Action {
            slot,
            proc: key.proc,
            edge: key.edge,
            statements: Rc::new([]),
            loads: Vec::new(),
            effects: Vec::new(),
            at: At::Location(edge.target),
            arrives: false,
            goal: Goal::None,
            goes_astray: key.elsewhere.is_some(),
            reads: Vec::new(),
            writes: Vec::new(),
            dead: Vec::new(),
        };
        let result_sort = program.pointer_sort();
        let mut statements: Vec<Statement> = Vec::new();
        for (i, label) in edge.labels.iter().enumerate() {
            let out = &mut statements;
            match label {
                Label::Load { place: Place::Memory(address), .. }
                | Label::Store { place: Place::Memory(address), .. }
                    if key.elsewhere.is_some_and(|first| first <= i) && self.memory.is_stray(label) =>
                {
                    self.follow_stray(slot, label, *address, key.elsewhere == Some(i), out);
                }
                Label::Assign { var, value } => {
                    let value = self.named(slot, *value);
                    out.push(Statement::Assign { var: self.var(slot, *var), value });
                }
                Label::Havoc { var, .. } | Label::Print { var: Some(var), .. } => {
                    out.push(Statement::Havoc { var: self.var(slot, *var), input: Some(*var) });
                }
                Label::Assume(cond) | Label::Await(cond) | Label::Require { cond, .. } => {
                    let cond = self.named(slot, *cond);
                    out.push(Statement::Assume(cond));
                }
                Label::Load { var, place: Place::Var(from), .. } => {
                    let from = self.var(slot, *from);
                    let value = self.pool.var(from, self.vars.sort(from));
                    action.loads.push((out.len() as u32, i as u32));
                    out.push(Statement::Assign { var: self.var(slot, *var), value });
                }
                Label::Store { place: Place::Var(to), value, .. } => {
                    let value = self.named(slot, *value);
                    out.push(Statement::Assign { var: self.var(slot, *to), value });
                }
                Label::Load { var, place: Place::Memory(address), .. } => {
                    let at = self.named(slot, *address);
                    let to = self.var(slot, *var);
                    let sort = self.vars.sort(to);
                    let value = self.memory.load(&mut self.pool, &self.vars, *address, at, sort, out);
                    let value = value.map_err(|what| Unsupported { what, span: edge.span })?;
                    action.loads.push((out.len() as u32, i as u32));
                    out.push(Statement::Assign { var: to, value });
                }
                Label::Store { place: Place::Memory(address), value, .. } => {
                    let at = self.named(slot, *address);
                    let value = self.named(slot, *value);
                    let done = self.memory.store(&mut self.pool, &self.vars, *address, at, value, out);
                    done.map_err(|what| Unsupported { what, span: edge.span })?;
                }
                Label::Alloc { var, size, zeroed, .. } => {
                    let (size, to) = (self.named(slot, *size), self.var(slot, *var));
                    let allocation = Allocation { slot, site: (key.proc, key.edge), to, size, zeroed: *zeroed };
                    let done = self.memory.allocate(&mut self.pool, &mut self.vars, allocation, out);
                    done.map_err(|what| Unsupported { what, span: edge.span })?;
                }
                // Objects live for ever here: any answer adds behaviour, and every violation is replayed.
                Label::ObjectSize { var, .. } | Label::Valid { var, .. } | Label::Leaks { var, .. } => {
                    out.push(Statement::Havoc { var: self.var(slot, *var), input: None });
                }
                // An object that is freed stays as it is: that adds behaviour after a use of freed memory, which ends the path.
                Label::Free { .. } | Label::Print { var: None, .. } | Label::Fence(_) => {}
                Label::AtomicBegin => action.effects.push(Effect::AtomicBegin),
                Label::AtomicEnd => action.effects.push(Effect::AtomicEnd),
                Label::Start { var, callee, arg } => {
                    let started = context.next().unwrap_or(0) as u32;
                    let Callee::Proc(callee) = *callee else {
                        return Err(Unsupported {
                            what: "a thread function that is not known".into(),
                            span: edge.span,
                        });
                    };
                    let arg = self.named(slot, *arg);
                    if let Some(&param) = program.proc(callee).params.first() {
                        let param = self.var(started, param);
                        let value = resized(&mut self.pool, arg, self.vars.sort(param));
                        out.push(Statement::Assign { var: param, value });
                    }
                    let to = self.var(slot, *var);
                    let value = number(&mut self.pool, self.vars.sort(to), started.into());
                    out.push(Statement::Assign { var: to, value });
                    action.effects.push(Effect::Start(callee));
                    let count = self.vars.thread_count();
                    action.writes.push(count);
                    action.reads.push(count);
                }
                Label::Join { var, handle } => {
                    let handle = self.named(slot, *handle);
                    let sort = self.pool.sort(handle);
                    let mut some = self.pool.bool(false);
                    let mut answer = number(&mut self.pool, result_sort, 0);
                    for _ in 0..context.next().unwrap_or(0) {
                        let of = context.next().unwrap_or(0) as u32;
                        let of_handle = number(&mut self.pool, sort, of.into());
                        let here = self.pool.eq(handle, of_handle);
                        some = self.pool.or(some, here);
                        let result = self.vars.result_of(of, result_sort);
                        let result = self.pool.var(result, result_sort);
                        answer = self.pool.ite(here, result, answer);
                        let ended = self.vars.ended(of);
                        action.reads.push(ended);
                    }
                    out.push(Statement::Assume(some));
                    if let Some(var) = var {
                        let to = self.var(slot, *var);
                        let value = resized(&mut self.pool, answer, self.vars.sort(to));
                        out.push(Statement::Assign { var: to, value });
                    }
                }
                Label::Self_ { var } => {
                    let to = self.var(slot, *var);
                    let value = number(&mut self.pool, self.vars.sort(to), slot.into());
                    out.push(Statement::Assign { var: to, value });
                }
                Label::ThreadExit { value } => {
                    let value = self.named(slot, *value);
                    let to = self.vars.result_of(slot, result_sort);
                    let value = resized(&mut self.pool, value, result_sort);
                    out.push(Statement::Assign { var: to, value });
                    action.at = At::Ended;
                    break;
                }
                Label::Lock { op, lock, var } => {
                    let lock = self.named(slot, *lock);
                    let address = match self.pool.as_const(lock) {
                        Some(address) => address.bits as u64,
                        None => {
                            let address = context.next().unwrap_or(0);
                            let is_it = number(&mut self.pool, result_sort, address.into());
                            let is_it = self.pool.eq(lock, is_it);
                            out.push(Statement::Assume(is_it));
                            address
                        }
                    };
                    let (mut op, mut others) = (*op, Vec::new());
                    if let LockOp::Init(kind) = &mut op {
                        *kind = self.named(slot, *kind);
                        let count = context.next().unwrap_or(0) as usize;
                        others = context.by_ref().take(count).map(|slot| slot as u32).collect();
                    }
                    let answer = locks::statements(&mut self.pool, &mut self.vars, slot, address, op, &others, out);
                    if let Some(var) = var {
                        let to = self.var(slot, *var);
                        let value = resized(&mut self.pool, answer, self.vars.sort(to));
                        out.push(Statement::Assign { var: to, value });
                    }
                }
                Label::Error(_) => {
                    action.goal = Goal::Error;
                    action.at = At::Stopped;
                    break;
                }
                Label::Halt { .. } => {
                    action.at = At::Stopped;
                    break;
                }
                Label::Call { .. } => {
                    return Err(Unsupported { what: "a call that was not inlined".into(), span: edge.span });
                }
            }
        }
        if action.at == At::Location(proc.exit) {
            self.end(&mut action, proc.result, &mut statements);
        } else if let kind = proc.locations[edge.target.index()].kind
            && kind.is_cut_off()
            && action.goal == Goal::None
        {
            action.goal = Goal::CutOff(kind);
            action.at = At::Stopped;
        }
        if action.at == At::Ended {
            let ended = self.vars.ended(slot);
            action.writes.push(ended);
        }
        action.statements = statements.into();
        self.footprint(&mut action);
        let live = &self.live[key.proc.index()];
        let mut dead: Vec<VarId> = live.at(edge.source).to_vec();
        dead.extend(edge.labels.iter().filter_map(Label::written_local));
        dead.sort_unstable();
        dead.dedup();
        if let At::Location(target) = action.at {
            dead.retain(|var| !live.contains(target, *var));
        }
        dead.retain(|var| matches!(program.var(*var).kind, VarKind::Local(_)));
        action.dead = dead.into_iter().map(|var| self.var(slot, var)).collect();
        Ok(action)
    }

    /// The thread arrives at the exit of its process.
    fn end(&mut self, action: &mut Action, result: Option<VarId>, out: &mut Vec<Statement>) {
        // The end of the first process is the end of the program.
        if action.slot == 0 {
            action.at = At::Stopped;
            return;
        }
        (action.at, action.arrives) = (At::Ended, true);
        let sort = self.program.pointer_sort();
        let to = self.vars.result_of(action.slot, sort);
        out.push(match result {
            Some(result) => {
                let from = self.var(action.slot, result);
                let value = self.pool.var(from, self.vars.sort(from));
                Statement::Assign { var: to, value: resized(&mut self.pool, value, sort) }
            }
            None => Statement::Havoc { var: to, input: None },
        });
    }

    fn footprint(&self, action: &mut Action) {
        for statement in action.statements.iter() {
            action.reads.extend(statement.read(&self.pool));
            action.writes.extend(statement.written());
        }
        for set in [&mut action.reads, &mut action.writes] {
            set.sort_unstable();
            set.dedup();
        }
    }

    /// Where the threads are after an action.
    pub fn step(&self, threads: &Threads, action: ActionId) -> Threads {
        let action = self.action(action);
        let mut next = threads.clone();
        next.threads[action.slot as usize].at = action.at;
        for effect in &action.effects {
            match effect {
                Effect::Start(proc) => {
                    let entry = self.program.proc(*proc).entry;
                    let at = if entry == self.program.proc(*proc).exit { At::Ended } else { At::Location(entry) };
                    next.threads.push(Thread { proc: *proc, at });
                }
                Effect::AtomicBegin => {
                    next.atomic = Some((action.slot, next.atomic.map_or(0, |(_, depth)| depth) + 1));
                }
                Effect::AtomicEnd => {
                    next.atomic = next.atomic.filter(|(_, depth)| *depth > 1).map(|(slot, depth)| (slot, depth - 1));
                }
            }
        }
        // A block that its thread never leaves lets nobody else step; one whose thread ended is over.
        if matches!(action.at, At::Ended) {
            next.atomic = None;
        }
        next
    }
}

impl Model<'_> {
    /// The value of a variable before anything runs, as an abstract state has it.
    pub fn initial_value(&self, var: VarId) -> Option<u128> {
        match self.vars.initial(var) {
            Some(initial) => Some(initial.bits),
            None => self.memory.first_content(&self.vars, var),
        }
    }

    /// A value as an expression; what is not known of an array is as in `unknown`. `None`: too large.
    pub fn value_expr(&mut self, var: VarId, bits: u128, unknown: ExprId) -> Option<ExprId> {
        match self.vars.sort(var) {
            Sort::Array { .. } => self.memory.content_expr(&mut self.pool, &mut self.vars, var, bits, unknown),
            sort => Some(self.pool.constant(raddle_ir::Const { sort, bits })),
        }
    }
}

/// The other threads that hold a lock, or may.
fn other_holders(vars: &Vars, threads: &Threads, slot: u32, address: u64) -> Vec<u32> {
    let mut holders: Vec<u32> = (threads.lock_parts())
        .filter_map(|var| match vars.origin(var) {
            Origin::Held { slot: of, address: at } | Origin::HeldShared { slot: of, address: at } => {
                (at == address && of != slot).then_some(of)
            }
            _ => None,
        })
        .collect();
    holders.sort_unstable();
    holders.dedup();
    holders
}

fn value(pool: &ExprPool, expr: ExprId, known: &dyn Fn(VarId) -> Option<u128>) -> Option<u128> {
    crate::domains::values::value(pool, expr, &known)
}

/// Is it a variable?
pub fn as_var(pool: &ExprPool, expr: ExprId) -> Option<VarId> {
    match pool.get(expr) {
        Expr::Var(var) => Some(var),
        _ => None,
    }
}
