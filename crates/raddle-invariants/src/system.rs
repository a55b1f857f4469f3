//! The Program as steps of one thread, for any number of threads.
//!
//! A step is one edge, or one way through an atomic block, as a formula: the condition under which it can be taken, and what variables are after it in terms of what
//! they were before (and of *choices*: inputs and whatever else is any value). The thread that steps is in slot `MOVER`; invariants speak of it, of the shared
//! variables, and of the threads in the slots `OTHER` and `THIRD`, which do not move meanwhile; a thread that is started is in slot `NEW`.
//!
//! Everything here adds behaviour where it is not exact, and never takes any away:
//! - the operations on locks whose addresses are tracked are exact, by the table of raddle-ir (`locks.rs`). Any set of addresses may be tracked: a lock at any other address
//!   never blocks, and its operations may answer anything;
//! - an allocation gives any address that an object may have. Addresses are never used again, so that what a new object holds is what memory held there from the
//!   beginning, which is any value;
//! - a join of a thread that is looked at waits for its end; its result is any value;
//! - the end of the program (`Halt`, the end of the first process) is the end of all threads: there is no state after it.

mod calls;
mod labels;
#[cfg(test)]
mod runs;

pub use calls::Returned;
use labels::Way;
use raddle_analysis::{AtomicBlocks, atomic_blocks};
use raddle_ir::{
    Callee, ExprId, ExprPool, Label, LocId, Outgoing, ProcId, Program, Sort, Span, Substitution, VarId, VarKind,
};
use raddle_model::instances::{Origin, Vars};
use raddle_model::memory::Memory;
use raddle_passes::Given;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

pub const MOVER: u32 = 0;
pub const OTHER: u32 = 1;
pub const THIRD: u32 = 2;
pub const NEW: u32 = 3;

/// In the place of an address: the lock whose address is `Origin::AnyAddress`. It is none of those that are followed by their addresses. What is shown of it is shown for
/// each address, so that a violation may be looked at with any address in mind: the one that the violating thread means (`focus`).
pub const ANY_LOCK: u64 = u64::MAX;

/// What cannot be said as steps, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    pub what: String,
    pub span: Span,
}

/// Where a thread stands: a location of a process; its exit stands for a thread that has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct At {
    pub proc: ProcId,
    pub loc: LocId,
}

/// Where a step leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    At(At),
    /// The program ends.
    End,
    /// The property is violated.
    Error,
    /// What follows is not known.
    CutOff,
}

/// One step of the thread in slot `MOVER`.
#[derive(Clone, Debug)]
pub struct Step {
    pub source: At,
    pub target: Target,
    /// It can be taken where this holds, for some choices.
    pub cond: ExprId,
    /// What it changes.
    pub after: FxHashMap<VarId, ExprId>,
    /// The process of the thread that it starts, or the procedure that it calls.
    pub starts: Option<ProcId>,
    /// A call comes back with it: the activation that has ended is in slot `OTHER`.
    pub returns: Option<Returned>,
    /// It waits for the end of the threads with these handles.
    pub joins: Vec<ExprId>,
    /// The computed addresses of locks that it operates on.
    pub locks: Vec<ExprId>,
    pub span: Span,
}

/// All steps that threads can take.
pub struct System<'p> {
    pub program: &'p Program,
    pub pool: ExprPool,
    pub vars: Vars,
    pub memory: Memory,
    pub steps: Vec<Step>,
    /// Where threads may stand between their steps.
    pub places: Vec<At>,
    /// The addresses of locks whose states are followed; `ANY_LOCK` for the one that stands for all others.
    pub locks: Vec<u64>,
    /// Computed addresses of locks, by process, as the thread in slot `MOVER` means them.
    pub selectors: Vec<(ProcId, ExprId)>,
    /// Processes of which there is never more than one instance.
    pub unique: Vec<bool>,
    /// Recursive procedures are called, and what they remember: the threads are activations, of which only the last one steps.
    pub calls: Option<Given>,
    blocks: AtomicBlocks,
    names: FxHashMap<(u32, u32), Substitution>,
    /// Expressions after steps, as far as they were asked for.
    afterwards: FxHashMap<(usize, ExprId), ExprId>,
    /// Allocated objects lie one behind the other, as `raddle_model::memory` says. There is one thread.
    in_order: bool,
}

/// An atomic block has at most so many ways through it; one with more is looked at edge by edge.
const MOST_WAYS: usize = 200;
const LONGEST_WAY: usize = 200;
/// So many expressions after steps are kept.
const MOST_KEPT: usize = 1 << 21;

impl<'p> System<'p> {
    /// The steps of a Program. Of the locks that have computed addresses, those at the given addresses are followed; without any, one that stands for all.
    /// `pool` is the Program's, which may have grown.
    pub fn new(program: &'p Program, pool: ExprPool, addresses: &[u64]) -> Result<Self, Unsupported> {
        Self::build(program, pool, addresses, None, false)
    }

    /// The steps of a Program that starts no thread: allocated objects are distinct.
    pub fn sequential(program: &'p Program, pool: ExprPool) -> Result<Self, Unsupported> {
        Self::build(program, pool, &[], None, true)
    }

    fn build(
        program: &'p Program,
        pool: ExprPool,
        addresses: &[u64],
        calls: Option<Given>,
        in_order: bool,
    ) -> Result<Self, Unsupported> {
        let mut vars = Vars::new(program);
        let memory = Memory::new(program, &mut vars);
        let locks = followed_locks(program, addresses);
        let mut system = System {
            program,
            pool,
            vars,
            memory,
            steps: Vec::new(),
            places: Vec::new(),
            locks,
            selectors: Vec::new(),
            unique: unique(program),
            calls,
            blocks: atomic_blocks(program),
            names: FxHashMap::default(),
            afterwards: FxHashMap::default(),
            in_order,
        };
        let mut processes = vec![program.entry];
        let mut next = 0;
        while let Some(&proc) = processes.get(next) {
            next += 1;
            system.process(proc)?;
            let started: Vec<ProcId> = system.steps.iter().filter_map(|step| step.starts).collect();
            for proc in started {
                if proc == program.entry {
                    let span = program.proc(proc).span;
                    return Err(Unsupported { what: "a program that starts its first process again".into(), span });
                }
                if !processes.contains(&proc) {
                    processes.push(proc);
                }
            }
        }
        Ok(system)
    }

    /// The processes that run, the first one first.
    pub fn processes(&self) -> Vec<ProcId> {
        let mut all: Vec<ProcId> = self.places.iter().map(|at| at.proc).collect();
        all.dedup();
        all
    }

    pub fn entry(&self, proc: ProcId) -> At {
        At { proc, loc: self.program.proc(proc).entry }
    }

    /// Has a thread that stands there ended?
    pub fn is_end(&self, at: At) -> bool {
        self.program.proc(at.proc).exit == at.loc
    }

    /// Can nobody else step while a thread is there? A thread that ends inside of an atomic block ends the block.
    pub fn is_alone(&self, at: At) -> bool {
        !self.is_end(at) && self.blocks.may_be_inside(at.proc, at.loc)
    }

    /// May two threads stand at these places, as far as the number of instances tells?
    pub fn may_meet(&self, a: At, b: At) -> bool {
        self.calls.is_none() && (a.proc != b.proc || !self.unique[a.proc.index()])
    }

    fn process(&mut self, proc: ProcId) -> Result<(), Unsupported> {
        let procedure = self.program.proc(proc);
        for (i, location) in procedure.locations.iter().enumerate() {
            let loc = LocId(i as u32);
            if self.is_alone(At { proc, loc }) && self.blocks.may_be_outside(proc, loc) {
                let what = "a place that is inside an atomic block on some ways only".into();
                return Err(Unsupported { what, span: location.span });
            }
        }
        let outgoing = procedure.out_edges();
        let first = self.steps.len();
        if !self.follow(proc, &outgoing, true)? {
            self.steps.truncate(first);
            self.places.retain(|at| at.proc != proc);
            self.follow(proc, &outgoing, false)?;
        }
        Ok(())
    }

    /// Makes the steps of a process from all places where it may stand. If `whole`, an atomic block is one step; false if there are too many ways through one.
    fn follow(&mut self, proc: ProcId, outgoing: &Outgoing, whole: bool) -> Result<bool, Unsupported> {
        let program = self.program;
        let entry = self.entry(proc);
        let mut open = vec![entry];
        self.places.push(entry);
        while let Some(at) = open.pop() {
            let mut ways = vec![(at.loc, Way::new(&mut self.pool), 0)];
            let mut count = 0;
            while let Some((loc, way, length)) = ways.pop() {
                for &edge in outgoing.of(loc) {
                    if let [Label::Call { callee, args, var, .. }] = &program.proc(proc).edges[edge.index()].labels[..]
                    {
                        let next = self.call(At { proc, loc }, edge, *callee, args, *var)?;
                        if let Target::At(next) = next
                            && !self.places.contains(&next)
                        {
                            self.places.push(next);
                            open.push(next);
                        }
                        continue;
                    }
                    for way in self.through(proc, edge, &way)? {
                        let target = self.target(proc, edge, &way);
                        let goes_on = matches!(target, Target::At(next) if self.is_alone(next)) && whole;
                        if let (Target::At(next), true) = (target, goes_on) {
                            count += 1;
                            if count > MOST_WAYS || length > LONGEST_WAY {
                                return Ok(false);
                            }
                            ways.push((next.loc, way, length + 1));
                            continue;
                        }
                        if let Target::At(next) = target
                            && !self.places.contains(&next)
                        {
                            self.places.push(next);
                            open.push(next);
                        }
                        let span = self.program.proc(proc).edges[edge.index()].span;
                        let step = way.finish(&mut self.pool, &self.vars, at, target, span);
                        if !self.pool.is_bool(step.cond, false) {
                            self.steps.push(step);
                        }
                    }
                }
            }
        }
        Ok(true)
    }

    fn target(&self, proc: ProcId, edge: raddle_ir::EdgeId, way: &Way) -> Target {
        let procedure = self.program.proc(proc);
        if let Some(end) = way.ends {
            return match end {
                // A thread that ends in the middle of its code stands at the exit as well.
                Target::At(_) => Target::At(At { proc, loc: procedure.exit }),
                other => other,
            };
        }
        let loc = procedure.edges[edge.index()].target;
        if procedure.locations[loc.index()].kind.is_cut_off() {
            Target::CutOff
        } else if loc == procedure.exit && proc == self.program.entry {
            Target::End
        } else {
            Target::At(At { proc, loc })
        }
    }

    /// An expression about the thread in one slot, about the thread in another one.
    pub fn renamed(&mut self, expr: ExprId, from: u32, to: u32) -> ExprId {
        if from == to {
            return expr;
        }
        self.renamed_all(expr, &[(from, to)])
    }

    /// The same of several slots at once.
    pub fn renamed_all(&mut self, expr: ExprId, slots: &[(u32, u32)]) -> ExprId {
        let key = slots.iter().fold((0u32, 0u32), |key, (from, to)| (key.0 * 8 + from + 1, key.1 * 8 + to + 1));
        if let Some(known) = self.names.get(&key).and_then(|names| names.known(expr)) {
            return known;
        }
        let mut new: FxHashMap<VarId, ExprId> = FxHashMap::default();
        for var in self.pool.vars(expr) {
            let id = self.in_slots(var, slots);
            new.insert(var, self.pool.var(id, self.vars.sort(id)));
        }
        let names = self.names.entry(key).or_default();
        names.apply(&mut self.pool, expr, &mut |var| new.get(&var).copied())
    }

    fn in_slots(&mut self, var: VarId, slots: &[(u32, u32)]) -> VarId {
        let other = |slot: u32| slots.iter().find(|(from, _)| *from == slot).map_or(slot, |(_, to)| *to);
        let origin = match self.vars.origin(var) {
            Origin::Instance { slot, var } => Origin::Instance { slot: other(slot), var },
            Origin::Held { slot, address } => Origin::Held { slot: other(slot), address },
            Origin::HeldShared { slot, address } => Origin::HeldShared { slot: other(slot), address },
            Origin::Handle(slot) => Origin::Handle(other(slot)),
            _ => return var,
        };
        self.vars.make(origin, self.vars.sort(var), self.vars.initial(var))
    }

    /// The instance of a variable in a slot, as an expression.
    pub fn instance(&mut self, slot: u32, var: VarId) -> ExprId {
        let id = self.vars.instance(self.program, slot, var);
        self.pool.var(id, self.vars.sort(id))
    }

    /// The handle of the thread in a slot.
    pub fn handle(&mut self, slot: u32) -> ExprId {
        let sort = self.program.pointer_sort();
        let id = self.vars.make(Origin::Handle(slot), sort, None);
        self.pool.var(id, sort)
    }

    /// A step waits for the end of the thread in a slot.
    pub fn is_joined(&mut self, step: usize, slot: u32) -> ExprId {
        let handle = self.handle(slot);
        let joins = self.steps[step].joins.clone();
        let no = self.pool.bool(false);
        joins.into_iter().fold(no, |any, join| {
            let is_it = self.pool.eq(join, handle);
            self.pool.or(any, is_it)
        })
    }

    /// A part of a lock's state.
    pub fn lock_part(&mut self, part: Origin) -> ExprId {
        let id = self.vars.lock_part(part);
        self.pool.var(id, self.vars.sort(id))
    }

    /// The address that may be any.
    pub fn any_address(&mut self) -> ExprId {
        let sort = self.program.pointer_sort();
        let id = self.vars.make(Origin::AnyAddress, sort, None);
        self.pool.var(id, sort)
    }

    pub fn follows_any_lock(&self) -> bool {
        self.locks.contains(&ANY_LOCK)
    }

    /// Is a lock at an address the one that is followed under another?
    pub fn is_lock(&mut self, lock: ExprId, address: u64) -> ExprId {
        let here = match address {
            // All locks at constant addresses are followed; this one is none of them (`apart`).
            ANY_LOCK if self.pool.as_const(lock).is_some_and(|c| self.locks.contains(&(c.bits as u64))) => {
                return self.pool.bool(false);
            }
            ANY_LOCK => self.any_address(),
            _ => raddle_model::number(&mut self.pool, self.program.pointer_sort(), address.into()),
        };
        let lock = raddle_model::resized(&mut self.pool, lock, self.program.pointer_sort());
        self.pool.eq(lock, here)
    }

    /// A violation may be looked at with this address in mind: it is the one that may be any, or one that is followed anyway. Any expression will do.
    pub fn focus(&mut self, address: ExprId) -> ExprId {
        let no = self.pool.bool(false);
        self.locks.clone().into_iter().fold(no, |some, lock| {
            let is_it = self.is_lock(address, lock);
            self.pool.or(some, is_it)
        })
    }

    /// What holds before anything runs, with the first thread in slot `MOVER`.
    pub fn initially(&mut self) -> Vec<ExprId> {
        let mut facts = Vec::new();
        for (i, var) in self.program.vars.iter().enumerate() {
            if let VarKind::Global(Some(initial)) = var.kind {
                let (value, var) = (self.pool.constant(initial), self.pool.var(VarId(i as u32), var.sort));
                facts.push(self.pool.eq(var, value));
            }
        }
        for class in self.vars.memory_classes() {
            if let Some(whole) = self.memory.whole(&mut self.pool, &mut self.vars, class) {
                let array = self.pool.var(class, self.vars.sort(class));
                facts.push(self.pool.eq(array, whole));
            }
        }
        for address in self.locks.clone() {
            for part in [Origin::LockWord(address), Origin::LockKind(address)] {
                let part = self.lock_part(part);
                let zero = self.zero(part);
                facts.push(self.pool.eq(part, zero));
            }
        }
        for region in [2 * MOVER, 2 * MOVER + 1].into_iter().filter(|_| self.in_order) {
            let next = self.vars.make(Origin::NextAddress(region), self.program.pointer_sort(), None);
            if let Some(initial) = self.vars.initial(next) {
                let (value, next) = (self.pool.constant(initial), self.pool.var(next, initial.sort));
                facts.push(self.pool.eq(next, value));
            }
        }
        facts.extend(self.apart());
        let handle = self.handle(MOVER);
        let zero = self.zero(handle);
        facts.push(self.pool.eq(handle, zero));
        facts.extend(self.begins(MOVER));
        facts
    }

    /// The address that may be any is none of those that are followed anyway.
    pub fn apart(&mut self) -> Vec<ExprId> {
        if !self.follows_any_lock() {
            return Vec::new();
        }
        let any = self.any_address();
        let others: Vec<u64> = self.locks.iter().copied().filter(|address| *address != ANY_LOCK).collect();
        let others = others.into_iter().map(|address| {
            let is_it = self.is_lock(any, address);
            self.pool.not(is_it)
        });
        others.collect()
    }

    /// What holds of a thread that has not stepped yet: it holds no lock, and its thread-local variables have their first values.
    pub fn begins(&mut self, slot: u32) -> Vec<ExprId> {
        let mut facts = Vec::new();
        for address in self.locks.clone() {
            for part in [Origin::Held { slot, address }, Origin::HeldShared { slot, address }] {
                let part = self.lock_part(part);
                let zero = self.zero(part);
                facts.push(self.pool.eq(part, zero));
            }
        }
        for (i, var) in self.program.vars.iter().enumerate() {
            if let VarKind::ThreadLocal(Some(initial)) = var.kind {
                let (value, var) = (self.pool.constant(initial), self.instance(slot, VarId(i as u32)));
                facts.push(self.pool.eq(var, value));
            }
        }
        facts
    }

    fn zero(&mut self, like: ExprId) -> ExprId {
        let width = match self.pool.sort(like) {
            Sort::Bits(width) => width,
            _ => 1,
        };
        self.pool.bits(width, 0)
    }

    /// An expression for people.
    pub fn words(&self, expr: ExprId) -> String {
        let name = |var: VarId| Some(self.vars.name(self.program, var));
        raddle_engine::c_expression(&self.pool, expr, &name).unwrap_or_else(|| format!("{:?}", self.pool.get(expr)))
    }

    /// A place in the source for people.
    pub fn line(&self, span: Span) -> String {
        let file = self.program.files.get(span.file.0 as usize).map_or("", String::as_str);
        format!("{file}:{}", span.line)
    }

    /// An expression after a step, in terms of the state before it.
    pub fn after(&mut self, step: usize, expr: ExprId) -> ExprId {
        if let Some(&known) = self.afterwards.get(&(step, expr)) {
            return known;
        }
        let after = &self.steps[step].after;
        let then = self.pool.substitute(expr, &mut |var| after.get(&var).copied());
        if self.afterwards.len() >= MOST_KEPT {
            self.afterwards.clear();
        }
        self.afterwards.insert((step, expr), then);
        then
    }
}

fn followed_locks(program: &Program, addresses: &[u64]) -> Vec<u64> {
    let mut locks: BTreeSet<u64> = addresses.iter().copied().collect();
    for label in program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels) {
        if let Label::Lock { lock, .. } = label {
            match program.pool.as_const(*lock) {
                Some(address) => locks.insert(address.bits as u64),
                None => addresses.is_empty() && locks.insert(ANY_LOCK),
            };
        }
    }
    locks.into_iter().collect()
}

/// Processes of which there is never more than one instance: the first one, and those that one `Start` starts, in such a process and not on a cycle.
fn unique(program: &Program) -> Vec<bool> {
    let mut starts: Vec<Vec<(ProcId, bool)>> = vec![Vec::new(); program.procs.len()];
    for (p, proc) in program.procs.iter().enumerate() {
        let outgoing = proc.out_edges();
        for edge in &proc.edges {
            for label in &edge.labels {
                if let Label::Start { callee, .. } = label {
                    let again = raddle_analysis::reached(proc, &outgoing, edge.target).contains(edge.source.index());
                    match callee {
                        Callee::Proc(callee) => starts[callee.index()].push((ProcId(p as u32), again)),
                        Callee::Address(_) => starts.iter_mut().for_each(|all| all.push((ProcId(p as u32), true))),
                    }
                }
            }
        }
    }
    let mut unique = vec![false; program.procs.len()];
    unique[program.entry.index()] = starts[program.entry.index()].is_empty();
    loop {
        let mut changed = false;
        for p in 0..program.procs.len() {
            if let (false, &[(by, false)]) = (unique[p], &starts[p][..])
                && unique[by.index()]
                && ProcId(p as u32) != program.entry
            {
                (unique[p], changed) = (true, true);
            }
        }
        if !changed {
            return unique;
        }
    }
}
