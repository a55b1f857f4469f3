//! Locks: cells of their own kind. What operations do is a table (raddle-ir, `locks.rs`); here its parts become cells. What a thread holds is known to the thread alone, so
//! that only getting or destroying a lock reads its state, and a release is a plain write.

use crate::symbolic::Run;
use crate::symbolic::event_graph::Limit;
use crate::symbolic::knowledge::cells::Cell;
use crate::symbolic::memory::Memory;
use crate::symbolic::state::State;
use raddle_ir::locks::{LockState, Part, Way, changed, held_by_others, ways_on};
use raddle_ir::{ExprId, ExprPool, LockOp};

/// A lock operation, its expressions evaluated.
#[derive(Clone, Copy)]
pub(crate) struct LockAccess {
    pub(crate) op: LockOp,
    pub(crate) address: ExprId,
    pub(crate) ir_address: ExprId,
    /// What an initialisation makes the lock's kind.
    pub(crate) kind: Option<ExprId>,
}

impl Memory<'_, '_> {
    /// The operation on the lock at an address; gives its answer. The path goes on where the operation does.
    pub(crate) fn lock(&mut self, access: LockAccess, state: &mut State) -> Run<ExprId> {
        let LockAccess { address, ir_address, .. } = access;
        let mut goes_on = self.pool.bool(false);
        let mut answer = self.pool.bits(32, 0);
        for at in self.addresses(address, ir_address, 1)? {
            let at_expr = self.pool.bits(self.program.pointer_bits, at.into());
            let when = self.pool.eq(address, at_expr);
            if self.pool.is_bool(when, false) {
                continue;
            }
            let (proceeds, says) = self.lock_at(access, at, when, state);
            let here = self.pool.and(when, proceeds);
            goes_on = self.pool.or(goes_on, here);
            answer = self.pool.ite(when, says, answer);
        }
        state.assume(self.pool, goes_on);
        Ok(answer)
    }

    /// The operation on one lock, where `when` holds: when it goes on, and its answer.
    fn lock_at(&mut self, access: LockAccess, at: u64, when: ExprId, state: &mut State) -> (ExprId, ExprId) {
        let mut lock = LockCells { memory: self, at, when, state };
        let mut ways = ways_on(&mut lock, access.op, at);
        if ways.iter().any(|way| way.change(Part::Others).is_some()) {
            lock.do_not_take_from_others(&mut ways);
        }
        let writes = [Part::Word, Part::Kind, Part::Held, Part::Shared].map(|part| {
            let (cond, value) = lock.after(&ways, part, access.kind)?;
            Some((lock.cell(part), cond, value))
        });
        for (cell, cond, value) in writes.into_iter().flatten() {
            let cond = self.pool.and(when, cond);
            if !self.pool.is_bool(cond, false) {
                let cond = (!self.pool.is_bool(cond, true)).then_some(cond);
                self.write_cell(cell, value, cond, state);
            }
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
struct LockCells<'r, 'a, 'p> {
    memory: &'r mut Memory<'a, 'p>,
    at: u64,
    when: ExprId,
    state: &'r mut State,
}

impl LockState for LockCells<'_, '_, '_> {
    fn pool(&mut self) -> &mut ExprPool {
        self.memory.pool
    }

    fn read(&mut self, part: Part, needed: ExprId) -> ExprId {
        let when = match part {
            // Nobody else changes what the thread holds: that is known everywhere.
            Part::Held | Part::Shared => None,
            _ => Some(self.memory.pool.and(self.when, needed)),
        };
        let when = when.filter(|when| !self.memory.pool.is_bool(*when, true));
        self.memory.read_cell(self.cell(part), when, self.state)
    }
}

impl LockCells<'_, '_, '_> {
    fn cell(&self, part: Part) -> Cell {
        match part {
            Part::Word | Part::Others => Cell::Lock(self.at),
            Part::Kind => Cell::LockKind(self.at),
            Part::Held => Cell::Held(self.state.thread, self.at),
            Part::Shared => Cell::HeldShared(self.state.thread, self.at),
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
        let yes = self.memory.pool.bool(true);
        let held = held_by_others(self, yes);
        let pool = &mut *self.memory.pool;
        let here = pool.and(self.when, held);
        let beyond = self.state.guard.and(pool, here);
        if !beyond.is_false(pool) {
            self.memory.graph.limit(Limit::HeldLock, &beyond);
        }
        let pool = &mut *self.memory.pool;
        let not_held = pool.not(held);
        for way in ways {
            way.cond = pool.and(way.cond, not_held);
        }
    }
}
