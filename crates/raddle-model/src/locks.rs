//! Locks as data: an operation on a lock at a known address is statements over the lock's parts. What it does is a table (raddle-ir, `locks.rs`).
//!
//! All parts are tracked explicitly in every abstract state, so that it is exact which lock operations can go on: partial-order
//! reduction needs that (see `por/`).

use crate::instances::{Origin, Vars};
use crate::statements::Statement;
use raddle_ir::locks::{LockState, PART_BITS, Part, Way, changed, kind_part, ways_on};
use raddle_ir::{ExprId, ExprPool, LockOp, Sort, VarId};

/// The lock at an address, as the thread in a slot sees it.
struct Lock<'a> {
    pool: &'a mut ExprPool,
    vars: &'a mut Vars,
    slot: u32,
    address: u64,
}

impl LockState for Lock<'_> {
    fn pool(&mut self) -> &mut ExprPool {
        self.pool
    }

    fn read(&mut self, part: Part, _needed: ExprId) -> ExprId {
        let var = self.var(part);
        self.pool.var(var, Sort::Bits(PART_BITS))
    }
}

impl Lock<'_> {
    fn var(&mut self, part: Part) -> VarId {
        let (slot, address) = (self.slot, self.address);
        self.vars.lock_part(match part {
            Part::Word | Part::Others => Origin::LockWord(address),
            Part::Kind => Origin::LockKind(address),
            Part::Held => Origin::Held { slot, address },
            Part::Shared => Origin::HeldShared { slot, address },
        })
    }

    /// A part after the operation, if that changes it; `conds` says when each of the ways is taken.
    fn after(&mut self, ways: &[Way], conds: &[ExprId], part: Part, kind: Option<ExprId>) -> Option<ExprId> {
        ways.iter().find(|way| way.change(part).is_some())?;
        let yes = self.pool.bool(true);
        let mut value = self.read(part, yes);
        for (way, cond) in ways.iter().zip(conds) {
            if let Some(change) = way.change(part) {
                let new = changed(self, part, change, kind, *cond);
                value = self.pool.ite(*cond, new, value);
            }
        }
        Some(value)
    }
}

/// Appends what an operation does, and returns its answer. `others` are the threads that lose what they hold, if any do.
pub fn statements(
    pool: &mut ExprPool,
    vars: &mut Vars,
    slot: u32,
    address: u64,
    op: LockOp,
    others: &[u32],
    out: &mut Vec<Statement>,
) -> ExprId {
    let mut lock = Lock { pool, vars, slot, address };
    let ways = ways_on(&mut lock, op, address);
    let no = lock.pool.bool(false);
    let goes_on = ways.iter().fold(no, |some, way| lock.pool.or(some, way.cond));
    if !lock.pool.is_bool(goes_on, true) {
        out.push(Statement::Assume(goes_on));
    }
    // Which way it is is remembered while parts change that tell it; a change reads no part but its own.
    let sort = Sort::Bits(PART_BITS);
    let mut conds = vec![lock.pool.bool(true)];
    if ways.len() > 1 {
        let var = lock.vars.make(Origin::Way(slot), sort, None);
        let number = |pool: &mut ExprPool, i: usize| pool.bits(PART_BITS, i as u128);
        let last = number(lock.pool, ways.len() - 1);
        let way = (ways.iter().enumerate().rev().skip(1)).fold(last, |others, (i, way)| {
            let this = number(lock.pool, i);
            lock.pool.ite(way.cond, this, others)
        });
        out.push(Statement::Assign { var, value: way });
        let taken = lock.pool.var(var, sort);
        conds = (0..ways.len())
            .map(|i| {
                let this = number(lock.pool, i);
                lock.pool.eq(taken, this)
            })
            .collect();
    }
    let kind = match op {
        LockOp::Init(kind) => Some(kind_part(lock.pool, kind)),
        _ => None,
    };
    for part in [Part::Word, Part::Kind, Part::Held, Part::Shared] {
        if let Some(value) = lock.after(&ways, &conds, part, kind) {
            out.push(Statement::Assign { var: lock.var(part), value });
        }
    }
    let zero = lock.pool.bits(PART_BITS, 0);
    if ways.iter().any(|way| way.change(Part::Others).is_some()) {
        for &slot in others {
            for part in [Origin::Held { slot, address }, Origin::HeldShared { slot, address }] {
                out.push(Statement::Assign { var: lock.vars.lock_part(part), value: zero });
            }
        }
    }
    let mut answer = zero;
    for (way, cond) in ways.iter().zip(conds) {
        let says = lock.pool.bits(PART_BITS, way.answer.into());
        answer = lock.pool.ite(cond, says, answer);
    }
    answer
}
