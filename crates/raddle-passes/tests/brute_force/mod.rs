//! A plain explicit-state explorer for tests of passes: no cleverness, small Programs only.
//!
//! A step of a thread is one edge, or a whole atomic block. Undetermined values are taken from a few candidates at
//! once, but locals that are never read before they are written are left alone. Arriving at the exit of the first
//! process ends the Program at once, which leaves passes the least room.

use raddle_analysis::liveness::read_before_written;
use raddle_ir::eval::eval;
use raddle_ir::*;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// What can happen in a Program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verdict {
    pub error: bool,
    pub deadlock: bool,
}

/// As `locks.rs` of raddle-ir says, in yet other words.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct Lock {
    kind: u8,
    owner: Option<usize>,
    depth: u32,
    readers: BTreeMap<usize, u32>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Frame {
    proc: ProcId,
    loc: LocId,
    /// By position in `locals`.
    locals: Vec<u128>,
    /// The call edge under way.
    call: Option<EdgeId>,
    objects: Vec<u64>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Thread {
    frames: Vec<Frame>,
    result: u128,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    threads: Vec<Thread>,
    globals: BTreeMap<VarId, u128>,
    /// The bytes of live objects by address of the object, and whether the object is on the heap.
    objects: BTreeMap<u64, (Vec<u8>, bool)>,
    locks: BTreeMap<u64, Lock>,
    atomic: u32,
}

/// Why a step was not taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    Infeasible,
    Blocked,
    /// The path ends: undefined behaviour or the end of the program.
    End,
    Error,
}

/// Decisions made so far in a step, and where in them we are.
struct Tape {
    candidates: &'static [u128],
    choices: Vec<usize>,
    at: usize,
}

impl Tape {
    fn new(candidates: &'static [u128]) -> Tape {
        Tape { candidates, choices: Vec::new(), at: 0 }
    }

    fn choose(&mut self, sort: Sort) -> u128 {
        if self.at == self.choices.len() {
            self.choices.push(0);
        }
        self.at += 1;
        let choice = self.choices[self.at - 1];
        match sort {
            Sort::Bool => (choice & 1) as u128,
            _ => self.candidates[choice] & eval::mask(sort.bits().unwrap_or(1)),
        }
    }

    /// Goes to the next combination.
    fn advance(&mut self) -> bool {
        self.choices.truncate(self.at);
        self.at = 0;
        while let Some(last) = self.choices.pop() {
            if last + 1 < self.candidates.len() {
                self.choices.push(last + 1);
                return true;
            }
        }
        false
    }
}

/// A Program and what is asked of it often.
struct Context<'a> {
    program: &'a Program,
    candidates: &'static [u128],
    /// For each procedure, the positions of locals that may be read before they are written.
    undetermined: Vec<Vec<usize>>,
}

impl Context<'_> {
    fn frame(&self, proc: ProcId, tape: &mut Tape) -> Frame {
        let p = self.program.proc(proc);
        let mut locals = vec![0; p.locals.len()];
        for &slot in &self.undetermined[proc.index()] {
            locals[slot] = tape.choose(self.program.var(p.locals[slot]).sort);
        }
        Frame { proc, loc: p.entry, locals, call: None, objects: Vec::new() }
    }

    fn start(&self, tape: &mut Tape) -> State {
        let mut objects = BTreeMap::new();
        for object in &self.program.objects {
            let ObjectKind::Data { init, .. } = &object.kind else { continue };
            let byte = |i: u64| match init {
                ObjectInit::Bytes { bytes, .. } => bytes.get(i as usize).copied().unwrap_or(0),
                ObjectInit::Any => tape.choose(Sort::Bits(8)) as u8,
            };
            objects.insert(object.address, ((0..object.size).map(byte).collect(), false));
        }
        let globals = self.program.vars.iter().enumerate().filter_map(|(i, var)| match var.kind {
            VarKind::Global(Some(initial)) => Some((VarId(i as u32), initial.bits)),
            VarKind::Global(None) => Some((VarId(i as u32), tape.choose(var.sort))),
            _ => None,
        });
        let globals = globals.collect();
        let first = Thread { frames: vec![self.frame(self.program.entry, tape)], result: 0 };
        State { threads: vec![first], globals, objects, locks: BTreeMap::new(), atomic: 0 }
    }
}

/// Explores all states, with these values for what is undetermined; `None` if there are more than so many.
pub fn brute_force(program: &Program, most_states: usize, candidates: &'static [u128]) -> Option<Verdict> {
    let undetermined = program.procs.iter().map(|proc| {
        let vars = read_before_written(proc, &program.pool);
        (0..proc.locals.len()).filter(|&slot| vars.contains(&proc.locals[slot])).collect()
    });
    let context = Context { program, candidates, undetermined: undetermined.collect() };
    let mut verdict = Verdict::default();
    let mut open = Vec::new();
    let mut tape = Tape::new(candidates);
    loop {
        open.push(context.start(&mut tape));
        if !tape.advance() {
            break;
        }
    }
    let mut seen: FxHashSet<State> = FxHashSet::default();
    while let Some(state) = open.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        if seen.len() > most_states {
            return None;
        }
        let mut can_step = false;
        let (mut blocked, mut other) = (false, false);
        for thread in 0..state.threads.len() {
            if state.threads[thread].frames.is_empty() {
                continue;
            }
            let (next, stops) = successors(&context, &state, thread, 0);
            verdict.error |= stops.contains(&Stop::Error);
            can_step |= !next.is_empty();
            if next.is_empty() {
                blocked |= stops.contains(&Stop::Blocked);
                other |= !stops.contains(&Stop::Blocked);
            }
            can_step |= stops.contains(&Stop::End) || stops.contains(&Stop::Error);
            open.extend(next);
        }
        verdict.deadlock |= !can_step && blocked && !other;
    }
    Some(verdict)
}

/// The states after one step of a thread, and why edges were not taken.
fn successors(context: &Context, state: &State, thread: usize, depth: usize) -> (Vec<State>, Vec<Stop>) {
    let (mut next, mut stops) = (Vec::new(), Vec::new());
    let top = &state.threads[thread].frames[state.threads[thread].frames.len() - 1];
    for (e, edge) in context.program.proc(top.proc).edges.iter().enumerate() {
        if edge.source != top.loc {
            continue;
        }
        let mut tape = Tape::new(context.candidates);
        loop {
            let mut after = state.clone();
            let result = Step { context, program: context.program, state: &mut after, thread, tape: &mut tape }
                .edge(EdgeId(e as u32));
            match result {
                Err(stop) => stops.push(stop),
                Ok(()) if after.atomic > 0 && depth < 200 => {
                    let (inner, inner_stops) = successors(context, &after, thread, depth + 1);
                    if inner.is_empty() && inner_stops.is_empty() {
                        stops.push(Stop::Infeasible);
                    }
                    next.extend(inner);
                    stops.extend(inner_stops);
                }
                Ok(()) => next.push(after),
            }
            if !tape.advance() {
                break;
            }
        }
    }
    (next, stops)
}

struct Step<'a> {
    context: &'a Context<'a>,
    program: &'a Program,
    state: &'a mut State,
    thread: usize,
    tape: &'a mut Tape,
}

impl Step<'_> {
    fn top(&mut self) -> &mut Frame {
        self.state.threads[self.thread].frames.last_mut().expect("only threads that have not ended step")
    }

    fn slot(&mut self, var: VarId) -> usize {
        let proc = self.top().proc;
        self.program.proc(proc).locals.iter().position(|local| *local == var).expect("a local of the procedure")
    }

    fn eval(&mut self, expr: ExprId) -> u128 {
        let top = self.state.threads[self.thread].frames.last().expect("as above");
        let locals = &self.program.proc(top.proc).locals;
        let value = eval(&self.program.pool, expr, &mut |var| {
            let slot = locals.iter().position(|local| *local == var).expect("a local of the procedure");
            Ok::<_, ()>(Value::Bits(top.locals[slot]))
        });
        value.expect("the environment does not fail").bits()
    }

    fn set(&mut self, var: VarId, value: u128) {
        let slot = self.slot(var);
        let mask = eval::mask(self.program.var(var).sort.bits().unwrap_or(1));
        self.top().locals[slot] = value & mask;
    }

    fn set_any(&mut self, var: VarId) {
        let value = self.tape.choose(self.program.var(var).sort);
        self.set(var, value);
    }

    fn edge(&mut self, id: EdgeId) -> Result<(), Stop> {
        let proc = self.top().proc;
        let edge = &self.program.proc(proc).edges[id.index()];
        for label in &edge.labels {
            match label {
                Label::Call { callee, args, .. } => {
                    let callee = self.callee(*callee)?;
                    self.top().call = Some(id);
                    let args: Vec<u128> = args.iter().map(|arg| self.eval(*arg)).collect();
                    let frame = self.context.frame(callee, self.tape);
                    self.state.threads[self.thread].frames.push(frame);
                    self.pass(callee, &args);
                    return self.settle();
                }
                Label::ThreadExit { value } => {
                    let result = self.eval(*value);
                    self.finish(result);
                    return Ok(());
                }
                other => self.label(other)?,
            }
        }
        self.top().loc = edge.target;
        self.settle()
    }

    fn pass(&mut self, callee: ProcId, args: &[u128]) {
        for (param, arg) in self.program.proc(callee).params.iter().zip(args) {
            self.set(*param, *arg);
        }
    }

    /// Returns from calls and ends threads that are at an exit.
    fn settle(&mut self) -> Result<(), Stop> {
        loop {
            let (proc, loc) = (self.top().proc, self.top().loc);
            let proc = self.program.proc(proc);
            if loc != proc.exit {
                return Ok(());
            }
            let result = proc.result.map(|result| {
                let slot = self.slot(result);
                self.top().locals[slot]
            });
            if self.state.threads[self.thread].frames.len() == 1 {
                return self.end(result.unwrap_or(0));
            }
            self.free_top();
            let caller = self.top();
            let (proc, call) = (caller.proc, caller.call.take());
            let edge = &self.program.proc(proc).edges[call.expect("a call is under way").index()];
            if let [Label::Call { var: Some(var), .. }] = edge.labels[..] {
                match result {
                    Some(result) => self.set(var, result),
                    None => self.set_any(var),
                }
            }
            self.top().loc = edge.target;
        }
    }

    fn free_top(&mut self) {
        let frame = self.state.threads[self.thread].frames.pop();
        for object in frame.into_iter().flat_map(|frame| frame.objects) {
            self.state.objects.remove(&object);
        }
    }

    fn end(&mut self, result: u128) -> Result<(), Stop> {
        self.finish(result);
        if self.thread == 0 { Err(Stop::End) } else { Ok(()) }
    }

    fn finish(&mut self, result: u128) {
        while !self.state.threads[self.thread].frames.is_empty() {
            self.free_top();
        }
        self.state.threads[self.thread].result = result;
        self.state.atomic = 0;
    }

    fn callee(&mut self, callee: Callee) -> Result<ProcId, Stop> {
        match callee {
            Callee::Proc(proc) => Ok(proc),
            Callee::Address(address) => {
                let address = self.eval(address);
                let function = self.program.objects.iter().find(|object| u128::from(object.address) == address);
                match function.map(|object| &object.kind) {
                    Some(ObjectKind::Function(proc)) => Ok(*proc),
                    _ => Err(Stop::End),
                }
            }
        }
    }

    /// The object that holds an access, and the offset in it.
    fn find(&mut self, address: u128, bytes: u64) -> Result<(u64, usize), Stop> {
        let address = u64::try_from(address).map_err(|_| Stop::End)?;
        let (start, (object, _)) = self.state.objects.range(..=address).next_back().ok_or(Stop::End)?;
        let offset = address - start;
        if offset + bytes <= object.len() as u64 { Ok((*start, offset as usize)) } else { Err(Stop::End) }
    }

    fn is_writable(&self, start: u64) -> bool {
        let object = self.program.objects.iter().find(|object| object.address == start);
        !matches!(object.map(|object| &object.kind), Some(ObjectKind::Data { writable: false, .. }))
    }

    fn label(&mut self, label: &Label) -> Result<(), Stop> {
        match *label {
            Label::Assign { var, value } => {
                let value = self.eval(value);
                self.set(var, value);
            }
            Label::Havoc { var, .. } => self.set_any(var),
            Label::Assume(cond) if self.eval(cond) == 0 => return Err(Stop::Infeasible),
            Label::Await(cond) if self.eval(cond) == 0 => return Err(Stop::Blocked),
            Label::Require { cond, .. } if self.eval(cond) == 0 => return Err(Stop::End),
            Label::Assume(_) | Label::Await(_) | Label::Require { .. } | Label::Fence(_) => {}
            Label::Load { var, place: Place::Var(global), .. } => {
                let value = self.state.globals[&global];
                self.set(var, value);
            }
            Label::Store { place: Place::Var(global), value, .. } => {
                let value = self.eval(value);
                self.state.globals.insert(global, value);
            }
            Label::Load { var, place: Place::Memory(address), .. } => {
                let address = self.eval(address);
                let bytes = self.program.var(var).sort.bytes();
                let (start, offset) = self.find(address, bytes)?;
                let object = &self.state.objects[&start].0;
                let value = (0..bytes as usize).fold(0, |value, i| value | u128::from(object[offset + i]) << (8 * i));
                self.set(var, value);
            }
            Label::Store { place: Place::Memory(address), value, .. } => {
                let bytes = self.program.pool.sort(value).bytes();
                let address = self.eval(address);
                let value = self.eval(value);
                let (start, offset) = self.find(address, bytes)?;
                if !self.is_writable(start) {
                    return Err(Stop::End);
                }
                if let Some((object, _)) = self.state.objects.get_mut(&start) {
                    (0..bytes as usize).for_each(|i| object[offset + i] = (value >> (8 * i)) as u8);
                }
            }
            Label::Alloc { var, size, storage, zeroed, .. } => {
                let size = self.eval(size) as usize;
                // Each thread has its own addresses, and takes the lowest free one.
                let base = self.program.dynamic_base + ((self.thread as u64) << 24);
                let address = (0..).map(|i| base + (i << 12)).find(|at| !self.state.objects.contains_key(at));
                let address = address.expect("there is always a next address");
                let byte = |_| if zeroed { 0 } else { self.tape.choose(Sort::Bits(8)) as u8 };
                let bytes = (0..size).map(byte).collect();
                self.state.objects.insert(address, (bytes, storage == Storage::Heap));
                if storage == Storage::Stack {
                    self.top().objects.push(address);
                }
                self.set(var, address.into());
            }
            Label::ObjectSize { var, address } => {
                let address = self.eval(address) as u64;
                match self.state.objects.get(&address) {
                    _ if address == 0 => self.set(var, 0),
                    Some((bytes, true)) => {
                        let size = bytes.len() as u128;
                        self.set(var, size);
                    }
                    _ => return Err(Stop::End),
                }
            }
            Label::Valid { var, address, used } => {
                let address = self.eval(address);
                let valid = match used {
                    Use::Read(bytes) => self.find(address, bytes).is_ok(),
                    Use::Write(bytes) => self.find(address, bytes).is_ok_and(|(start, _)| self.is_writable(start)),
                    Use::Free => address == 0 || matches!(self.state.objects.get(&(address as u64)), Some((_, true))),
                    Use::Call => self.program.objects.iter().any(|object| {
                        u128::from(object.address) == address && matches!(object.kind, ObjectKind::Function(_))
                    }),
                };
                self.set(var, valid.into());
            }
            Label::Leaks { var, .. } => {
                let leaks = self.state.objects.values().any(|(_, on_heap)| *on_heap);
                self.set(var, leaks.into());
            }
            Label::Free { address, storage } => {
                let address = self.eval(address) as u64;
                match self.state.objects.get(&address) {
                    _ if address == 0 => {}
                    Some((_, on_heap)) if *on_heap == (storage == Storage::Heap) => {
                        self.state.objects.remove(&address);
                        self.top().objects.retain(|start| *start != address);
                    }
                    _ => return Err(Stop::End),
                }
            }
            Label::AtomicBegin => self.state.atomic += 1,
            Label::AtomicEnd => self.state.atomic = self.state.atomic.saturating_sub(1),
            Label::Start { var, callee, arg } => {
                let callee = self.callee(callee)?;
                let arg = self.eval(arg);
                let frame = self.context.frame(callee, self.tape);
                self.state.threads.push(Thread { frames: vec![frame], result: 0 });
                let (me, new) = (self.thread, self.state.threads.len() - 1);
                self.thread = new;
                self.pass(callee, &[arg]);
                self.thread = me;
                self.set(var, new as u128);
            }
            Label::Join { var, handle } => {
                let handle = self.eval(handle) as usize;
                let Some(thread) = self.state.threads.get(handle) else { return Err(Stop::End) };
                if !thread.frames.is_empty() {
                    return Err(Stop::Blocked);
                }
                let result = thread.result;
                if let Some(var) = var {
                    self.set(var, result);
                }
            }
            Label::Self_ { var } => self.set(var, self.thread as u128),
            Label::Lock { op, lock, var } => {
                let answer = self.lock(op, lock)?;
                if let Some(var) = var {
                    self.set(var, answer);
                }
            }
            Label::Error(_) => return Err(Stop::Error),
            Label::Halt { .. } => return Err(Stop::End),
            Label::ThreadExit { .. } | Label::Call { .. } => {}
            Label::Print { var, .. } => {
                if let Some(var) = var {
                    self.set_any(var);
                }
            }
        }
        Ok(())
    }

    /// What an operation on a lock answers.
    fn lock(&mut self, op: LockOp, address: ExprId) -> Result<u128, Stop> {
        let kind = if let LockOp::Init(kind) = op { self.eval(kind) as u8 } else { 0 };
        let (address, me) = (self.eval(address) as u64, self.thread);
        if address == 0 {
            return Err(Stop::End);
        }
        let lock = self.state.locks.entry(address).or_default();
        let (is_mine, is_free) = (lock.owner == Some(me), lock.owner.is_none() && lock.readers.is_empty());
        let waits = matches!(op, LockOp::Acquire | LockOp::AcquireWrite | LockOp::AcquireShared);
        let busy = if waits { Err(Stop::Blocked) } else { Ok(16) };
        match op {
            LockOp::Init(_) => *lock = Lock { kind, ..Lock::default() },
            LockOp::Destroy if is_free => *lock = Lock::default(),
            LockOp::Destroy => return Ok(16),
            LockOp::Acquire | LockOp::TryAcquire if is_mine => match lock.kind {
                1 => lock.depth += 1,
                2 => return Ok(35),
                _ => return busy,
            },
            _ if is_mine && op != LockOp::Release => return Ok(35),
            LockOp::Acquire | LockOp::TryAcquire | LockOp::AcquireWrite | LockOp::TryAcquireWrite => {
                if !is_free {
                    return busy;
                }
                (lock.owner, lock.depth) = (Some(me), 1);
            }
            LockOp::AcquireShared | LockOp::TryAcquireShared if lock.owner.is_some() => return busy,
            LockOp::AcquireShared | LockOp::TryAcquireShared => *lock.readers.entry(me).or_default() += 1,
            LockOp::Release if is_mine => {
                lock.depth -= 1;
                lock.owner = lock.owner.filter(|_| lock.depth > 0);
            }
            LockOp::Release => match lock.readers.get_mut(&me) {
                Some(times) => {
                    *times -= 1;
                    lock.readers.retain(|_, times| *times > 0);
                }
                None if lock.kind == 0 => return Err(Stop::End),
                None => return Ok(1),
            },
        }
        Ok(0)
    }
}
