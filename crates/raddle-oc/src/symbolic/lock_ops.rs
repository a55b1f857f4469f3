//! Locks: cells of their own kind. What a thread holds is known to the thread alone, so that only getting a lock reads its state, and
//! a release is a plain write.

use crate::symbolic::cells::Cell;
use crate::symbolic::event_graph::Limit;
use crate::symbolic::{EXCLUSIVE, Executor, LOCK_BITS, Locals, Run, State};
use raddle_ir::{ExprId, LockOp, Sort, VarId};

const EPERM: u128 = 1;
const EBUSY: u128 = 16;
const EDEADLK: u128 = 35;
const RECURSIVE: u128 = 1;
const ERRORCHECK: u128 = 2;

impl Executor<'_, '_> {
    pub(crate) fn lock(
        &mut self,
        thread: u32,
        op: LockOp,
        lock: ExprId,
        var: Option<VarId>,
        locals: &mut Locals,
        state: &mut State,
    ) -> Run<()> {
        let ir_address = lock;
        let address = self.eval(locals, lock);
        let kind_of_init = match op {
            LockOp::Init(kind) => {
                let kind = self.eval(locals, kind);
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
    pub(crate) fn lock_at(
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
                // Another thread that holds the lock would have to learn that it does not any more, which matters where unlocking tells. What follows
                // then is not looked at.
                let mut is_followed = yes;
                if kind_of_init.is_some_and(|kind| kind != zero) {
                    let value = self.read_cell(thread, lock, some_when, state);
                    let held = self.read_cell(thread, held_cell, None, state);
                    let (free, not_mine) = (self.pool.eq(value, zero), self.pool.eq(held, zero));
                    let taken = self.pool.not(free);
                    let by_another = self.pool.and(taken, not_mine);
                    let here = self.pool.and(when, by_another);
                    let beyond = state.guard.and(self.pool, here);
                    self.limit(Limit::Size, &beyond);
                    is_followed = self.pool.not(by_another);
                }
                self.put(thread, lock, zero, some_when, state);
                self.put(thread, kind_cell, kind_of_init.unwrap_or(zero), some_when, state);
                self.put(thread, held_cell, zero, some_when, state);
                self.put(thread, shared_cell, zero, some_when, state);
                (is_followed, ok)
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
