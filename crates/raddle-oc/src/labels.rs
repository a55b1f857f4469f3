//! What each label does on a path.

use crate::cells::{Cell, Dynamic};
use crate::event_graph::{Limit, OrderEdge, Step};
use crate::symbolic::{Activation, EXCLUSIVE, Executor, LOCK_BITS, Locals, Memory, Open, Run, State};
use raddle_ir::{Callee, ExprId, Label, LockOp, Place, ProcId, Sort, VarId};
use std::rc::Rc;

/// Threads that start threads that start threads.
const MOST_NESTED: usize = 20;

/// Objects of undetermined size have at most so many bytes.
const LARGEST_UNKNOWN: u64 = 1 << 16;

const EPERM: u128 = 1;
const EBUSY: u128 = 16;
const EDEADLK: u128 = 35;
const RECURSIVE: u128 = 1;
const ERRORCHECK: u128 = 2;

impl Executor<'_, '_> {
    /// Executes a label; false: the path ends here.
    pub(crate) fn label(
        &mut self,
        activation: &Activation,
        site: (u32, u32, u32),
        label: &Label,
        locals: &mut Locals,
        state: &mut State,
        step: &mut Step,
    ) -> Run<bool> {
        let thread = activation.thread;
        match label {
            Label::Assign { var, value } => {
                let value = self.eval(activation, locals, *value);
                self.set(locals, *var, Some(value));
            }
            Label::Havoc { var, .. } => self.havoc(locals, *var, step),
            Label::Print { var, .. } => {
                if let Some(var) = var {
                    self.havoc(locals, *var, step);
                }
            }
            Label::Assume(cond) | Label::Await(cond) | Label::Require { cond, .. } => {
                let cond = self.eval(activation, locals, *cond);
                state.guard = state.guard.and(self.pool, cond);
            }
            Label::Load { var, place, .. } => {
                let sort = self.fixed.program.var(*var).sort;
                let address = self.address(activation, locals, *place);
                let hits = self.hits(thread, *place, address, sort.bytes(), false, state)?;
                if !state.guard.is_false(self.pool) {
                    let value = self.load(thread, &hits, sort, state);
                    // What nobody wrote yet gets its value when it is read first.
                    if hits.iter().any(|hit| self.is_any_at_first(hit.cell)) {
                        let bits = self.bits_of(value);
                        step.choices.push(bits);
                    }
                    self.set(locals, *var, Some(value));
                }
            }
            Label::Store { place, value, order } => {
                let value = self.eval(activation, locals, *value);
                let bytes = self.pool.sort(value).bytes();
                let address = self.address(activation, locals, *place);
                let hits = self.hits(thread, *place, address, bytes, true, state)?;
                if !state.guard.is_false(self.pool) {
                    match self.is_deferred(*place, *order, state) {
                        true => {
                            self.separate(label, state);
                            self.defer_store(thread, &hits, address, value, state);
                        }
                        false => self.store(thread, &hits, value, state),
                    }
                }
            }
            Label::Alloc { var, size, zeroed, .. } => {
                let size = self.eval(activation, locals, *size);
                let address = self.allocate(thread, size, *zeroed, site, state)?;
                let sort = self.fixed.program.var(*var).sort;
                let address = self.resize(address, sort);
                self.set(locals, *var, Some(address));
            }
            Label::ObjectSize { var, address } => {
                let ir_address = *address;
                let address = self.eval(activation, locals, ir_address);
                let value = self.object_size(address, ir_address, state)?;
                let sort = self.fixed.program.var(*var).sort;
                let value = self.resize(value, sort);
                self.set(locals, *var, Some(value));
            }
            // Objects live for ever here: that only adds executions, and every violation is replayed.
            Label::Free { address } => {
                let address = self.eval(activation, locals, *address);
                self.lose_stores(address, state);
            }
            Label::Fence(_) => self.separate(label, state),
            Label::AtomicBegin => {
                if state.multi {
                    self.open_node(thread, state);
                }
                if let Some(open) = &mut state.open {
                    open.depth += 1;
                }
            }
            Label::AtomicEnd => {
                if let Some(open) = &mut state.open {
                    open.depth = open.depth.saturating_sub(1);
                }
            }
            Label::Start { var, callee, arg } => {
                return self.start(activation, site, *var, *callee, *arg, locals, state, step);
            }
            Label::Join { var, handle } => return self.join(activation, *var, *handle, locals, state),
            Label::Self_ { var } => {
                let sort = self.fixed.program.var(*var).sort;
                let handle = self.pool.bits(sort.bits().unwrap_or(32), thread.into());
                let handle = self.scalar_of(handle, sort);
                self.set(locals, *var, Some(handle));
            }
            Label::ThreadExit { value } => {
                let value = self.eval(activation, locals, *value);
                step.node = state.open.as_ref().and_then(|open| open.node);
                self.main_exits |= thread == 0;
                self.end_thread(thread, state.clone(), value);
                return Ok(false);
            }
            Label::Lock { op, lock, var } => self.lock(activation, *op, *lock, *var, locals, state)?,
            Label::Call { .. } => return self.unsupported("a call among other labels"),
            Label::Error => {
                self.graph.errors.push(state.guard.expr);
                step.error = true;
                return Ok(false);
            }
            Label::Halt { .. } => return Ok(false),
        }
        Ok(true)
    }

    fn havoc(&mut self, locals: &mut Locals, var: VarId, step: &mut Step) {
        let symbol = self.symbol(self.fixed.program.var(var).sort);
        step.havocs.push((var, symbol));
        self.set(locals, var, Some(symbol));
    }

    fn address(&mut self, activation: &Activation, locals: &mut Locals, place: Place) -> Option<ExprId> {
        match place {
            Place::Var(_) => None,
            Place::Memory(address) => Some(self.eval(activation, locals, address)),
        }
    }

    /// Dynamic objects of each thread lie in a range of its own, so that their addresses do not depend on the schedule.
    fn allocate(
        &mut self,
        thread: u32,
        size: ExprId,
        zeroed: bool,
        site: (u32, u32, u32),
        state: &mut State,
    ) -> Run<ExprId> {
        let size = match self.pool.as_const(size) {
            Some(size) => size.bits as u64,
            None => self.largest_size(size, state),
        };
        let program = self.fixed.program;
        let arena_log = if program.pointer_bits > 32 { 36 } else { 22 };
        let base = (program.dynamic_base.max(64) + 63) & !63;
        let at = self.threads[thread as usize].allocated;
        let room = size.saturating_add(127) & !63;
        if room > (1 << arena_log) - at.min(1 << arena_log) {
            return self.unsupported("allocations of this size");
        }
        self.threads[thread as usize].allocated += room;
        let address = base + (u64::from(thread) << arena_log) + at;
        if program.pointer_bits == 32 && address + room >= 1 << 32 {
            return self.unsupported("allocations by so many threads");
        }
        let object = Dynamic { address, size, zeroed, site };
        let before = self.knowledge.dynamics.insert(address, object);
        self.was_wrong |= before.is_some_and(|before| before != object);
        self.allocated.insert(address);
        Ok(self.pool.bits(program.pointer_bits, address.into()))
    }

    /// An object of undetermined size is as large as it can be: that only makes accesses valid which are not, and every violation is replayed.
    /// Larger ones than `LARGEST_UNKNOWN` are beyond a limit.
    fn largest_size(&mut self, size: ExprId, state: &mut State) -> u64 {
        if let Some(values) = self.values.of(self.pool, size, &self.knowledge.values)
            && values.iter().all(|size| *size <= LARGEST_UNKNOWN)
        {
            return values.last().copied().unwrap_or(0);
        }
        let bits = self.pool.sort(size).bits().unwrap_or(64);
        let largest = self.pool.bits(bits, LARGEST_UNKNOWN.into());
        let fits = self.pool.binary(raddle_ir::BinOp::ULe, size, largest);
        let not = self.pool.not(fits);
        let beyond = state.guard.and(self.pool, not);
        if !beyond.is_false(self.pool) {
            self.limit(Limit::Size, &beyond);
        }
        state.guard = state.guard.and(self.pool, fits);
        LARGEST_UNKNOWN
    }

    fn object_size(&mut self, address: ExprId, ir_address: ExprId, state: &mut State) -> Run<ExprId> {
        let bits = self.fixed.program.pointer_bits;
        let zero = self.pool.bits(bits, 0);
        let is_null = self.pool.eq(address, zero);
        let (mut size, mut valid) = (zero, is_null);
        for at in self.addresses(address, ir_address, 0)? {
            if let Some(object) = self.knowledge.dynamics.get(&at).copied() {
                let at = self.pool.bits(bits, at.into());
                let this = self.pool.eq(address, at);
                valid = self.pool.or(valid, this);
                let its = self.pool.bits(bits, object.size.into());
                size = self.pool.ite(this, its, size);
            }
        }
        state.guard = state.guard.and(self.pool, valid);
        Ok(size)
    }

    #[allow(clippy::too_many_arguments)]
    fn start(
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
        let callees = self.callees(activation, callee, locals)?;
        let (proc, when) = match callees[..] {
            [] => return Ok(false),
            [only] => only,
            _ => return self.unsupported("a thread whose function is not known"),
        };
        let arg = self.eval(activation, locals, arg);
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
            let guard = crate::guard::Guard::always(self.pool);
            self.graph.edges.push(OrderEdge { from: node, to: first, guard });
        }
        let sort = self.fixed.program.var(var).sort;
        let handle = self.pool.bits(sort.bits().unwrap_or(32), child.into());
        let handle = self.scalar_of(handle, sort);
        self.set(locals, var, Some(handle));
        Ok(true)
    }

    fn join(
        &mut self,
        activation: &Activation,
        var: Option<VarId>,
        handle: ExprId,
        locals: &mut Locals,
        state: &mut State,
    ) -> Run<bool> {
        let thread = activation.thread;
        let handle = self.eval(activation, locals, handle);
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
    fn take_over(&mut self, thread: u32, other: u32, finished: &crate::symbolic::Finished, state: &mut State) {
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

    fn lock(
        &mut self,
        activation: &Activation,
        op: LockOp,
        lock: ExprId,
        var: Option<VarId>,
        locals: &mut Locals,
        state: &mut State,
    ) -> Run<()> {
        let thread = activation.thread;
        let ir_address = lock;
        let address = self.eval(activation, locals, lock);
        let kind_of_init = match op {
            LockOp::Init(kind) => {
                let kind = self.eval(activation, locals, kind);
                let kind = self.resize(kind, Sort::Bits(8));
                Some(self.pool.zero_ext(LOCK_BITS, kind))
            }
            _ => None,
        };
        let mut goes_on = self.pool.bool(false);
        let mut answer = self.pool.bits(32, 0);
        let candidates = self.addresses(address, ir_address, 1)?;
        for at in candidates {
            let at_expr = self.pool.bits(self.fixed.program.pointer_bits, at.into());
            let when = self.pool.eq(address, at_expr);
            if self.pool.is_bool(when, false) {
                continue;
            }
            let (proceeds, says) = self.lock_at(thread, op, kind_of_init, at, when, state);
            let here = self.pool.and(when, proceeds);
            goes_on = self.pool.or(goes_on, here);
            answer = self.pool.ite(when, says, answer);
        }
        state.guard = state.guard.and(self.pool, goes_on);
        if let Some(var) = var {
            let sort = self.fixed.program.var(var).sort;
            let answer = self.resize(answer, sort);
            self.set(locals, var, Some(answer));
        }
        Ok(())
    }

    /// The operation on one lock, where `when` holds: when it goes on, and its answer. What a thread holds is known to the thread alone, so only
    /// getting a lock reads its state.
    fn lock_at(
        &mut self,
        thread: u32,
        op: LockOp,
        kind_of_init: Option<ExprId>,
        at: u64,
        when: ExprId,
        state: &mut State,
    ) -> (ExprId, ExprId) {
        let (lock, kind_cell) = (Cell::Lock(at), Cell::LockKind(at));
        let (held_cell, shared_cell) = (Cell::Held(thread, at), Cell::HeldShared(thread, at));
        let some_when = Some(when).filter(|when| !self.pool.is_bool(*when, true));
        let number = |this: &mut Self, n: u128| this.pool.bits(LOCK_BITS, n);
        let (zero, one, exclusive) = (number(self, 0), number(self, 1), number(self, EXCLUSIVE));
        let (yes, ok, busy) = (self.pool.bool(true), number(self, 0), number(self, EBUSY));
        match op {
            LockOp::Init(_) => {
                self.put(thread, lock, zero, some_when, state);
                self.put(thread, kind_cell, kind_of_init.unwrap_or(zero), some_when, state);
                self.put(thread, held_cell, zero, some_when, state);
                self.put(thread, shared_cell, zero, some_when, state);
                (yes, ok)
            }
            LockOp::Destroy => {
                self.put(thread, kind_cell, zero, some_when, state);
                (yes, ok)
            }
            LockOp::Acquire | LockOp::TryAcquire => {
                let held = self.read_cell(thread, held_cell, None, state);
                let not_mine = self.pool.eq(held, zero);
                let mine = self.pool.not(not_mine);
                let kind = if self.pool.is_bool(mine, false) {
                    zero
                } else {
                    self.read_cell(thread, kind_cell, some_when, state)
                };
                let (recursive, errorcheck) = (number(self, RECURSIVE), number(self, ERRORCHECK));
                let is_recursive = self.pool.eq(kind, recursive);
                let again = self.pool.and(mine, is_recursive);
                let gets_new = if self.pool.is_bool(not_mine, false) {
                    self.pool.bool(false)
                } else {
                    let needs = self.pool.and(when, not_mine);
                    let some_needs = Some(needs).filter(|n| !self.pool.is_bool(*n, true));
                    let value = self.read_cell(thread, lock, some_needs, state);
                    let free = self.pool.eq(value, zero);
                    self.pool.and(not_mine, free)
                };
                let gets = self.pool.or(gets_new, again);
                let writes = self.pool.and(when, gets_new);
                let more = self.pool.binary(raddle_ir::BinOp::BvAdd, held, one);
                let deeper = self.pool.ite(again, more, one);
                let changes = self.pool.and(when, gets);
                let (proceeds, says) = if op == LockOp::TryAcquire {
                    (yes, self.pool.ite(gets, ok, busy))
                } else {
                    let is_errorcheck = self.pool.eq(kind, errorcheck);
                    let refused = self.pool.and(mine, is_errorcheck);
                    let deadlock = number(self, EDEADLK);
                    (self.pool.or(gets, refused), self.pool.ite(refused, deadlock, ok))
                };
                // Where the lock is not got, the path ends or nothing changes; an acquire that goes on has got it unless it is refused.
                let is_plain = op == LockOp::Acquire && self.pool.is_bool(mine, false);
                let (writes, changes) = if is_plain { (when, when) } else { (writes, changes) };
                self.put(thread, lock, exclusive, Some(writes), state);
                self.put(thread, held_cell, deeper, Some(changes), state);
                (proceeds, says)
            }
            LockOp::AcquireShared | LockOp::TryAcquireShared => {
                let value = self.read_cell(thread, lock, some_when, state);
                let taken = self.pool.eq(value, exclusive);
                let free = self.pool.not(taken);
                let gets = self.pool.and(when, free);
                let more = self.pool.binary(raddle_ir::BinOp::BvAdd, value, one);
                self.put(thread, lock, more, Some(gets), state);
                let held = self.read_cell(thread, shared_cell, None, state);
                let more = self.pool.binary(raddle_ir::BinOp::BvAdd, held, one);
                self.put(thread, shared_cell, more, Some(gets), state);
                if op == LockOp::AcquireShared { (free, ok) } else { (yes, self.pool.ite(free, ok, busy)) }
            }
            LockOp::Release => {
                let held = self.read_cell(thread, held_cell, None, state);
                let shared = self.read_cell(thread, shared_cell, None, state);
                let not_mine = self.pool.eq(held, zero);
                let mine = self.pool.not(not_mine);
                let no_reader = self.pool.eq(shared, zero);
                let reader = self.pool.not(no_reader);
                let reads = self.pool.and(not_mine, reader);
                let last = self.pool.eq(held, one);
                let frees = self.pool.and(when, last);
                self.put(thread, lock, zero, Some(frees), state);
                let fewer = self.pool.binary(raddle_ir::BinOp::BvSub, held, one);
                let releases = self.pool.and(when, mine);
                self.put(thread, held_cell, fewer, Some(releases), state);
                let leaves = self.pool.and(when, reads);
                if !self.pool.is_bool(leaves, false) {
                    let some_leaves = Some(leaves).filter(|l| !self.pool.is_bool(*l, true));
                    let value = self.read_cell(thread, lock, some_leaves, state);
                    let fewer = self.pool.binary(raddle_ir::BinOp::BvSub, value, one);
                    self.put(thread, lock, fewer, Some(leaves), state);
                    let fewer = self.pool.binary(raddle_ir::BinOp::BvSub, shared, one);
                    self.put(thread, shared_cell, fewer, Some(leaves), state);
                }
                let held_at_all = self.pool.or(mine, reader);
                if self.pool.is_bool(held_at_all, true) {
                    return (yes, ok);
                }
                // Misuse ends the path, unless the lock can tell.
                let kind = self.read_cell(thread, kind_cell, some_when, state);
                let plain = self.pool.eq(kind, zero);
                let tells = self.pool.not(plain);
                let permission = number(self, EPERM);
                (self.pool.or(held_at_all, tells), self.pool.ite(held_at_all, ok, permission))
            }
        }
    }
}
