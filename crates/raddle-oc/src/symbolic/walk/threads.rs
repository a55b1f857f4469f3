//! Threads: started, run to their end, joined; what they leave behind in private memory goes to who joins them.
//!
//! A start runs the new thread before the starter goes on, so a join finds the threads finished that come before it in the walk. A join that might need
//! another one is not supported (`confirm_joins`).

use crate::symbolic::event_graph::Limit;
use crate::symbolic::guard::{Guard, meet};
use crate::symbolic::knowledge::cells::Site;
use crate::symbolic::memory::merge::{Joined, LeftBehind};
use crate::symbolic::scalars::{handle, resize};
use crate::symbolic::state::{Open, PrivateCells, Seen, State};
use crate::symbolic::walk::Executor;
use crate::symbolic::walk::edges::EdgeRun;
use crate::symbolic::{Run, unsupported};
use raddle_ir::{Callee, ExprId, ExprPool, ProcId, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Threads that start threads that start threads.
const MOST_NESTED: usize = 20;

/// How a thread ends.
#[derive(Clone)]
struct Ending {
    when: Guard,
    result: ExprId,
    left: LeftBehind,
}

impl Ending {
    fn never(pool: &mut ExprPool) -> Ending {
        let no = pool.bool(false);
        Ending {
            when: Guard::always(pool).and(pool, no),
            result: pool.bits(32, 0),
            left: LeftBehind { private: PrivateCells::default(), seen: Seen::default() },
        }
    }
}

#[derive(Default)]
struct Thread {
    parent: Option<u32>,
    started_with: PrivateCells,
    /// The ways in which it can end, until it is finished.
    ends: Vec<Ending>,
    finished: Option<Ending>,
}

#[derive(Default)]
pub(super) struct Threads {
    of: Vec<Thread>,
    /// How many are being run, one within another.
    nested: usize,
    /// Threads started at each site.
    started: FxHashMap<Site, u32>,
    /// Threads that somebody joins who was looked at before they had ended.
    missed_joins: Vec<u32>,
    /// Threads that join any thread there is, and how many there were.
    joins_of_any: Vec<(u32, u32)>,
    /// The first thread may end before the program does.
    main_exits: bool,
}

impl Threads {
    /// One more thread is started at a site: is it to be run?
    fn admit(&mut self, site: Site, bound: u32) -> bool {
        let started = self.started.entry(site).or_default();
        *started += 1;
        *started <= bound && self.nested <= MOST_NESTED
    }

    /// The first thread ends, and the program goes on.
    pub(super) fn exit(&mut self, thread: u32) {
        self.main_exits |= thread == 0;
    }

    /// The threads that a join of any may join. One that another thread starts concurrently would be missing.
    fn joinable(&mut self, thread: u32) -> impl Iterator<Item = u64> + use<> {
        self.joins_of_any.push((thread, self.of.len() as u32));
        (1..self.of.len() as u64).filter(move |other| *other != u64::from(thread))
    }

    /// How a thread that is joined ends; `None`: not before this one does.
    fn ending(&mut self, thread: u32, other: u32) -> Option<Ending> {
        let ending = self.of.get(other as usize).and_then(|thread| thread.finished.clone());
        // All but the thread itself must have been looked at (the first one, if it can end alone).
        if ending.is_none() && other != thread {
            self.missed_joins.push(other);
        }
        ending
    }

    /// Did each join find all threads that it may join?
    pub(super) fn confirm_joins(&self) -> Run<()> {
        let of_any = self
            .joins_of_any
            .iter()
            .any(|(thread, known)| self.of.iter().skip(*known as usize).any(|t| t.parent != Some(*thread)));
        let ends = |t: &u32| (*t as usize) < self.of.len() && (*t != 0 || self.main_exits);
        let of_main = self.main_exits && self.joins_of_any.iter().any(|(thread, _)| *thread != 0);
        match of_any || of_main || self.missed_joins.iter().any(ends) {
            true => unsupported("a join of a thread that another thread started"),
            false => Ok(()),
        }
    }
}

impl Executor<'_, '_> {
    /// Runs the thread of a state from its first step on.
    pub(super) fn run_thread(
        &mut self,
        proc: ProcId,
        parent: Option<u32>,
        arg: Option<ExprId>,
        state: State,
    ) -> Run<()> {
        let started_with = Rc::clone(&state.private);
        let thread = self.add_thread(Thread { parent, started_with, ..Thread::default() });
        self.threads.nested += 1;
        let locals = self.locals_with(proc, arg.as_slice());
        self.memory.enter(thread);
        if let Some((locals, state)) = self.run_proc(proc, locals, state)? {
            let result = match self.program.proc(proc).result {
                Some(var) => match locals[self.code.slot(var)] {
                    Some(value) => value,
                    None => self.memory.pool.fresh(self.program.var(var).sort),
                },
                None => self.memory.pool.bits(32, 0),
            };
            self.end_thread(state, result);
        }
        let mut ends = std::mem::take(&mut self.threads.of[thread as usize].ends).into_iter();
        let first = ends.next().unwrap_or_else(|| Ending::never(self.memory.pool));
        let finished = ends.fold(first, |finished, other| self.merge_endings(finished, other));
        self.threads.of[thread as usize].finished = Some(finished);
        self.threads.nested -= 1;
        Ok(())
    }

    /// Threads have the same numbers in the graph.
    fn add_thread(&mut self, thread: Thread) -> u32 {
        self.threads.of.push(thread);
        self.memory.graph.add_thread()
    }

    fn merge_endings(&mut self, a: Ending, b: Ending) -> Ending {
        let pool = &mut *self.memory.pool;
        let (when, first) = meet(pool, &a.when, &b.when);
        let sort = pool.sort(a.result);
        let result = resize(pool, b.result, sort);
        let result = pool.ite(first, a.result, result);
        Ending { when, result, left: self.memory.merge_left_behind(first, &a.left, &b.left) }
    }

    /// A path of a thread ends.
    pub(super) fn end_thread(&mut self, mut state: State, result: ExprId) {
        self.memory.close(&mut state);
        let State { thread, guard, private, seen, .. } = state;
        let ending = Ending { when: guard, result, left: LeftBehind { private, seen } };
        self.threads.of[thread as usize].ends.push(ending);
    }

    pub(super) fn start(&mut self, var: VarId, callee: Callee, arg: ExprId, run: &mut EdgeRun) -> Run<bool> {
        let EdgeRun { site, locals, state, step, .. } = run;
        if state.in_atomic_block() {
            return unsupported("a thread that is started in an atomic block");
        }
        let (proc, when) = match self.callees(callee, locals)[..] {
            [] => return Ok(false),
            [only] => only,
            _ => return unsupported("a thread whose function is not known"),
        };
        let arg = self.eval(locals, arg);
        state.assume(self.memory.pool, when);
        state.effects = self.memory.new_effect();
        // A thread that has been started need not do anything: beyond the bound, it does nothing.
        let limit = Limit::Threads(ProcId(site.0), site.1);
        let runs = self.threads.admit(*site, self.bounds.of(limit));
        let mut node = None;
        if runs {
            self.memory.publish(state);
            node = Some(self.memory.open_node(state));
        } else {
            self.memory.graph.limit(limit, &state.guard);
        }
        let seen = self.memory.assumptions.start(state);
        let (parent, child) = (state.thread, self.memory.graph.thread_count());
        step.starts = Some(child);
        if runs {
            let span = self.memory.graph.span;
            let open = state.open.replace(Open::default());
            let child_state = State { thread: child, seen, open: None, ..state.clone() };
            self.run_thread(proc, Some(parent), Some(arg), child_state)?;
            self.memory.graph.span = span;
            state.open = open;
        } else {
            let finished = Some(Ending::never(self.memory.pool));
            self.add_thread(Thread { finished, parent: Some(parent), ..Thread::default() });
        }
        if let (Some(node), Some(first)) = (node, self.memory.graph.first_node(child)) {
            let guard = Guard::always(self.memory.pool);
            self.memory.graph.order(node, first, guard);
        }
        let handle = handle(self.memory.pool, child, self.program.var(var).sort);
        self.code.set(locals, var, Some(handle));
        Ok(true)
    }

    pub(super) fn join(&mut self, var: Option<VarId>, handle: ExprId, run: &mut EdgeRun) -> Run<bool> {
        let EdgeRun { locals, state, .. } = run;
        let thread = state.thread;
        let handle = self.eval(locals, handle);
        let candidates: Vec<u64> = match self.memory.assumptions.values_of(self.memory.pool, handle) {
            Some(values) => values.into_iter().collect(),
            None => self.threads.joinable(thread).collect(),
        };
        let pool = &mut *self.memory.pool;
        let bits = pool.sort(handle).bits().unwrap_or(32);
        let mut goes_on = pool.bool(false);
        let mut result: Option<ExprId> = None;
        let mut joined = Vec::new();
        for candidate in candidates {
            let Some(ending) = self.threads.ending(thread, candidate as u32) else { continue };
            let this = pool.bits(bits, candidate.into());
            let when = pool.eq(handle, this);
            let ended = pool.and(when, ending.when.expr);
            goes_on = pool.or(goes_on, ended);
            result = Some(match result {
                None => ending.result,
                Some(others) => {
                    let sort = pool.sort(others);
                    let this = resize(pool, ending.result, sort);
                    pool.ite(when, this, others)
                }
            });
            joined.push((candidate as u32, when, ending));
        }
        if let [(_, when, ending)] = &joined[..] {
            state.assume(pool, *when);
            state.guard = state.guard.and_all(pool, &ending.when);
        } else {
            state.assume(pool, goes_on);
        }
        if state.guard.is_false(pool) {
            return Ok(false);
        }
        if state.multi {
            let node = self.memory.open_node(state);
            for (other, when, _) in &joined {
                for from in self.memory.last_nodes(*other) {
                    let guard = state.guard.and(self.memory.pool, *when);
                    self.memory.graph.order(from, node, guard);
                }
            }
        }
        if let [(other, _, ending)] = &joined[..] {
            let Thread { parent, started_with, .. } = &self.threads.of[*other as usize];
            let joined = Joined { thread: *other, is_mine: *parent == Some(thread), started_with };
            self.memory.take_over(joined, &ending.left, state);
        }
        if let Some(var) = var {
            let sort = self.program.var(var).sort;
            let value = result.map(|result| resize(self.memory.pool, result, sort));
            self.code.set(locals, var, value);
        }
        Ok(true)
    }
}
