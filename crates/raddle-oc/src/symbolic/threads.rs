//! Threads: started, run to their end, joined; what they leave behind in private memory goes to who joins them.

use crate::symbolic::cells::Cell;
use crate::symbolic::event_graph::{Limit, Node, OrderEdge, Step};
use crate::symbolic::guard::{Guard, meet};
use crate::symbolic::merge::earlier;
use crate::symbolic::{Activation, Executor, Finished, Locals, Memory, Open, Run, State, Thread};
use raddle_ir::{Callee, ExprId, ProcId, VarId};
use std::rc::Rc;

/// Threads that start threads that start threads.
const MOST_NESTED: usize = 20;

impl Executor<'_, '_> {
    /// Runs a thread from its first step on.
    pub(crate) fn run_thread(
        &mut self,
        proc: ProcId,
        parent: Option<u32>,
        arg: Option<ExprId>,
        state: State,
    ) -> Run<u32> {
        let thread = self.threads.len() as u32;
        self.threads.push(Thread {
            started_with: Rc::clone(&state.memory),
            in_progress: true,
            parent,
            ..Thread::default()
        });
        let procedure = self.fixed.program.proc(proc);
        let mut locals = vec![None; procedure.locals.len()];
        if let (Some(param), Some(arg)) = (procedure.params.first(), arg) {
            let sort = self.fixed.program.var(*param).sort;
            let arg = self.resize(arg, sort);
            locals[self.fixed.slots[param.index()] as usize] = Some(arg);
        }
        if let Some((locals, state)) = self.run_proc(proc, thread, Rc::new(locals), state)? {
            let result = match procedure.result {
                Some(var) => match locals[self.fixed.slots[var.index()] as usize] {
                    Some(value) => value,
                    None => {
                        let sort = self.fixed.program.var(var).sort;
                        self.symbol(sort)
                    }
                },
                None => self.pool.bits(32, 0),
            };
            self.end_thread(thread, state, result);
        }
        let yes = Guard::always(self.pool);
        let no = self.pool.bool(false);
        let mut ends = std::mem::take(&mut self.threads[thread as usize].ends).into_iter();
        let mut finished = match ends.next() {
            Some((ended, result, memory, seen)) => Finished { ended, result, memory, seen },
            None => Finished {
                ended: yes.and(self.pool, no),
                result: self.pool.bits(32, 0),
                memory: Memory::default(),
                seen: Rc::new(Vec::new()),
            },
        };
        for (guard, result, memory, seen) in ends {
            let (ended, first) = meet(self.pool, &finished.ended, &guard);
            let sort = self.pool.sort(finished.result);
            let result = self.resize(result, sort);
            finished = Finished {
                ended,
                result: self.pool.ite(first, finished.result, result),
                memory: self.merge_memory(first, &finished.memory, &memory),
                seen: earlier(&finished.seen, &seen),
            };
        }
        let this = &mut self.threads[thread as usize];
        this.finished = Some(finished);
        this.in_progress = false;
        Ok(thread)
    }

    /// A thread that never does anything.
    pub(crate) fn idle_thread(&mut self, parent: u32) {
        let (yes, no) = (Guard::always(self.pool), self.pool.bool(false));
        let finished = Finished {
            ended: yes.and(self.pool, no),
            result: self.pool.bits(32, 0),
            memory: Memory::default(),
            seen: Rc::new(Vec::new()),
        };
        self.threads.push(Thread { finished: Some(finished), parent: Some(parent), ..Thread::default() });
    }

    pub(crate) fn end_thread(&mut self, thread: u32, state: State, result: ExprId) {
        let mut state = state;
        self.close(&mut state);
        self.threads[thread as usize].ends.push((state.guard, result, state.memory, state.seen));
    }

    pub(crate) fn new_node(&mut self, thread: u32) -> u32 {
        let node = self.graph.nodes.len() as u32;
        self.graph.nodes.push(Node { thread, lane: None, span: self.span });
        let this = &mut self.threads[thread as usize];
        this.first_node.get_or_insert(node);
        this.last_node = Some(node);
        node
    }

    #[allow(clippy::too_many_arguments)]
    pub(crate) fn start(
        &mut self,
        activation: &Activation,
        site: (u32, u32, u32),
        var: VarId,
        callee: Callee,
        arg: ExprId,
        locals: &mut Locals,
        state: &mut State,
        step: &mut Step,
    ) -> Run<bool> {
        let thread = activation.thread;
        if state.open.as_ref().is_some_and(|open| open.depth > 0) {
            return self.unsupported("a thread that is started in an atomic block");
        }
        let callees = self.callees(callee, locals)?;
        let (proc, when) = match callees[..] {
            [] => return Ok(false),
            [only] => only,
            _ => return self.unsupported("a thread whose function is not known"),
        };
        let arg = self.eval(locals, arg);
        state.guard = state.guard.and(self.pool, when);
        state.effects = self.new_effect();
        // A thread that has been started need not do anything: beyond the bound, it does nothing.
        let limit = Limit::Threads(ProcId(site.0), site.1);
        let started = self.started.entry(site).or_default();
        *started += 1;
        let nested = self.threads.iter().filter(|t| t.in_progress).count();
        let runs = *started <= self.bounds.of(limit) && nested <= MOST_NESTED;
        if !runs {
            self.limit(limit, &state.guard.clone());
        }
        let node = if runs {
            if !state.multi {
                let node = self.new_node(thread);
                self.publish(node, state);
            }
            Some(self.open_node(thread, state))
        } else {
            None
        };
        let position = self.threads[thread as usize].position;
        self.threads[thread as usize].position += 1;
        let mut seen = (*state.seen).clone();
        seen.resize(seen.len().max(thread as usize + 1), 0);
        seen[thread as usize] = position + 1;
        let child = self.threads.len() as u32;
        step.starts = Some(child);
        let span = self.span;
        let open = state.open.replace(Open::default());
        let child_state = State { seen: Rc::new(seen), open: None, ..state.clone() };
        if runs {
            self.run_thread(proc, Some(thread), Some(arg), child_state)?;
        } else {
            self.idle_thread(thread);
        }
        self.span = span;
        state.open = open;
        if let (Some(node), Some(first)) = (node, self.threads[child as usize].first_node) {
            let guard = crate::symbolic::guard::Guard::always(self.pool);
            self.graph.edges.push(OrderEdge { from: node, to: first, guard });
        }
        let sort = self.fixed.program.var(var).sort;
        let handle = self.pool.bits(sort.bits().unwrap_or(32), child.into());
        let handle = self.scalar_of(handle, sort);
        self.set(locals, var, Some(handle));
        Ok(true)
    }

    pub(crate) fn join(
        &mut self,
        thread: u32,
        var: Option<VarId>,
        handle: ExprId,
        locals: &mut Locals,
        state: &mut State,
    ) -> Run<bool> {
        let handle = self.eval(locals, handle);
        let candidates = match self.values.of(self.pool, handle, &self.knowledge.values) {
            Some(candidates) => candidates,
            None => {
                // Any thread that there is by now. One that another thread starts concurrently would be missing.
                self.joins_of_any.push((thread, self.threads.len() as u32));
                (1..self.threads.len() as u64).filter(|t| *t != u64::from(thread)).collect()
            }
        };
        let bits = self.pool.sort(handle).bits().unwrap_or(32);
        let mut goes_on = self.pool.bool(false);
        let mut result: Option<ExprId> = None;
        let mut joined = Vec::new();
        for candidate in &candidates {
            let other = *candidate as u32;
            let Some(finished) = self.threads.get(other as usize).and_then(|t| t.finished.clone()) else {
                // It does not end before this itself. All others must have been looked at (the first one, if it can end alone).
                if other != thread {
                    self.missed_joins.push(other);
                }
                continue;
            };
            let this = self.pool.bits(bits, (*candidate).into());
            let when = self.pool.eq(handle, this);
            let ended = self.pool.and(when, finished.ended.expr);
            goes_on = self.pool.or(goes_on, ended);
            result = Some(match result {
                None => finished.result,
                Some(others) => {
                    let sort = self.pool.sort(others);
                    let this = self.resize(finished.result, sort);
                    self.pool.ite(when, this, others)
                }
            });
            joined.push((other, when, finished));
        }
        if let [(_, when, finished)] = &joined[..] {
            state.guard = state.guard.and(self.pool, *when);
            let ended = finished.ended.clone();
            state.guard = state.guard.and_all(self.pool, &ended);
        } else {
            state.guard = state.guard.and(self.pool, goes_on);
        }
        if state.guard.is_false(self.pool) {
            return Ok(false);
        }
        if state.multi {
            let node = self.open_node(thread, state);
            for (other, when, _) in &joined {
                let last = self.threads[*other as usize].last_node;
                for from in last.into_iter().chain(self.last_commits(*other)) {
                    let guard = state.guard.and(self.pool, *when);
                    self.graph.edges.push(OrderEdge { from, to: node, guard });
                }
            }
        }
        if let [(other, _, finished)] = &joined[..] {
            self.take_over(thread, *other, finished, state);
        }
        if let Some(var) = var {
            let sort = self.fixed.program.var(var).sort;
            let value = result.map(|result| self.resize(result, sort));
            self.set(locals, var, value);
        }
        Ok(true)
    }

    /// A thread was joined: what it left behind in private memory is seen from now on, and all that it did precedes.
    ///
    /// All accesses to a private cell are ordered, so one of the two versions that meet here is the later one. It is that of the joined thread if it began
    /// with what this thread still has; it is that of this thread if this one started it and it left the cell alone. Otherwise one of them
    /// has heard of the cell in a roundabout way (by a thread that a third one started); such a cell counts as shared.
    pub(crate) fn take_over(&mut self, thread: u32, other: u32, finished: &Finished, state: &mut State) {
        let started_with = Rc::clone(&self.threads[other as usize].started_with);
        let is_mine = self.threads[other as usize].parent == Some(thread);
        let version = |memory: &Memory, cell: &Cell| memory.get(cell).map_or(0, |kept| kept.version);
        let mut memory = Rc::clone(&state.memory);
        for (cell, theirs) in finished.memory.iter() {
            let (mine, begin) = (version(&state.memory, cell), version(&started_with, cell));
            let is_own = matches!(cell, Cell::Own(..) | Cell::Held(..) | Cell::HeldShared(..));
            if is_own || mine == theirs.version || self.knowledge.shared.contains(cell) {
                continue;
            }
            if mine == begin || mine == 0 {
                Rc::make_mut(&mut memory).insert(*cell, *theirs);
            } else if !(is_mine && theirs.version == begin) {
                self.knowledge.shared.insert(*cell);
                self.was_wrong = true;
            }
        }
        state.memory = memory;
        let mut seen = (*state.seen).clone();
        let len = seen.len().max(finished.seen.len()).max(other as usize + 1);
        seen.resize(len, 0);
        for (mine, theirs) in seen.iter_mut().zip(finished.seen.iter()) {
            *mine = (*mine).max(*theirs);
        }
        seen[other as usize] = u32::MAX;
        state.seen = Rc::new(seen);
    }
}
