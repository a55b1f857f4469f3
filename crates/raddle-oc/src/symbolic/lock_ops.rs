//! Locks: cells of their own kind. What operations do is a table (raddle-ir, `locks.rs`); here its parts become cells. What a thread holds is known to the thread alone, so
//! that only getting or destroying a lock reads its state, and a release is a plain write.

use crate::symbolic::cells::Cell;
use crate::symbolic::event_graph::Limit;
use crate::symbolic::{Executor, Locals, Run, State};
use raddle_ir::locks::{LockState, Part, Way, changed, held_by_others, kind_part, ways_on};
use raddle_ir::{ExprId, ExprPool, LockOp, VarId};

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
                Some(kind_part(self.pool, kind))
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

    /// The operation on one lock, where `when` holds: when it goes on, and its answer.
    fn lock_at(
        &mut self,
        thread: u32,
        op: LockOp,
        kind_of_init: Option<ExprId>,
        at: u64,
        when: ExprId,
        state: &mut State,
    ) -> (ExprId, ExprId) {
        let mut lock = LockCells { executor: self, thread, at, when, state };
        let mut ways = ways_on(&mut lock, op, at);
        if ways.iter().any(|way| way.change(Part::Others).is_some()) {
            lock.do_not_take_from_others(&mut ways);
        }
        let writes = [Part::Word, Part::Kind, Part::Held, Part::Shared].map(|part| {
            let (cond, value) = lock.after(&ways, part, kind_of_init)?;
            Some((lock.cell(part), cond, value))
        });
        for (cell, cond, value) in writes.into_iter().flatten() {
            let cond = self.pool.and(when, cond);
            self.put(thread, cell, value, Some(cond), state);
        }
        let (mut goes_on, mut answer) = (self.pool.bool(false), self.pool.bits(32, 0));
        for way in &ways {
            goes_on = self.pool.or(goes_on, way.cond);
            let says = self.pool.bits(32, way.answer.into());
            answer = self.pool.ite(way.cond, says, answer);
        }
        (goes_on, answer)
    }
}

/// The lock at an address as a thread sees it, where `when` holds.
struct LockCells<'r, 'e, 'a> {
    executor: &'r mut Executor<'e, 'a>,
    thread: u32,
    at: u64,
    when: ExprId,
    state: &'r mut State,
}

impl LockState for LockCells<'_, '_, '_> {
    fn pool(&mut self) -> &mut ExprPool {
        self.executor.pool
    }

    fn read(&mut self, part: Part, needed: ExprId) -> ExprId {
        let when = match part {
            // Nobody else changes what the thread holds: that is known everywhere.
            Part::Held | Part::Shared => None,
            _ => Some(self.executor.pool.and(self.when, needed)),
        };
        let when = when.filter(|when| !self.executor.pool.is_bool(*when, true));
        self.executor.read_cell(self.thread, self.cell(part), when, self.state)
    }
}

impl LockCells<'_, '_, '_> {
    fn cell(&self, part: Part) -> Cell {
        match part {
            Part::Word | Part::Others => Cell::Lock(self.at),
            Part::Kind => Cell::LockKind(self.at),
            Part::Held => Cell::Held(self.thread, self.at),
            Part::Shared => Cell::HeldShared(self.thread, self.at),
        }
    }

    /// What a part becomes, and when it is written.
    fn after(&mut self, ways: &[Way], part: Part, kind: Option<ExprId>) -> Option<(ExprId, ExprId)> {
        let mut after: Option<(ExprId, ExprId)> = None;
        for way in ways.iter().rev() {
            let Some(change) = way.change(part) else { continue };
            let value = changed(self, part, change, kind, way.cond);
            let pool = self.pool();
            after = Some(match after {
                // Where the only way to go on is not taken, the path ends: what is written there does not matter.
                None if ways.len() == 1 => (pool.bool(true), value),
                None => (way.cond, value),
                Some((cond, others)) => (pool.or(way.cond, cond), pool.ite(way.cond, value, others)),
            });
        }
        after
    }

    /// Other threads would have to learn that they hold the lock no more. What follows then is not looked at.
    fn do_not_take_from_others(&mut self, ways: &mut [Way]) {
        let yes = self.executor.pool.bool(true);
        let held = held_by_others(self, yes);
        let pool = &mut *self.executor.pool;
        let here = pool.and(self.when, held);
        let beyond = self.state.guard.and(pool, here);
        if !beyond.is_false(pool) {
            self.executor.limit(Limit::Size, &beyond);
        }
        let pool = &mut *self.executor.pool;
        let not_held = pool.not(held);
        for way in ways {
            way.cond = pool.and(way.cond, not_held);
        }
    }
}
