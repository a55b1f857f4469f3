//! Locks as data: operations on a lock at a known address are statements over its word, its kind, and what the thread itself holds.
//!
//! All these variables are tracked explicitly in every abstract state, so that it is exact which lock operations can go on: partial-order
//! reduction needs that (see `por/`).

use crate::model::instances::{LOCK_BITS, Origin, Vars};
use crate::model::statements::Statement;
use raddle_ir::{BinOp, ExprId, ExprPool, LockOp, Sort, VarId};

/// The word of a lock that a thread holds exclusively is this and the thread: whoever initialises a lock again takes it from its holder.
const EXCLUSIVE: u128 = 0x8000_0000;
const EPERM: u128 = 1;
const EBUSY: u128 = 16;
const EDEADLK: u128 = 35;
const NORMAL: u128 = 0;
const RECURSIVE: u128 = 1;
const ERRORCHECK: u128 = 2;
const MINUS_ONE: u128 = 0xffff_ffff;

/// The state of one lock as a thread sees it.
struct Lock {
    word: VarId,
    /// The word if the thread holds it exclusively.
    owned: u128,
    kind: VarId,
    held: VarId,
    shared: VarId,
}

/// Appends what an operation does, and returns its answer (as a variable that nothing else changes).
pub fn statements(
    pool: &mut ExprPool,
    vars: &mut Vars,
    slot: u32,
    address: u64,
    op: LockOp,
    out: &mut Vec<Statement>,
) -> ExprId {
    let sort = Sort::Bits(LOCK_BITS);
    let lock = Lock {
        word: vars.lock_part(Origin::LockWord(address)),
        owned: EXCLUSIVE | u128::from(slot),
        kind: vars.lock_part(Origin::LockKind(address)),
        held: vars.lock_part(Origin::Held { slot, address }),
        shared: vars.lock_part(Origin::HeldShared { slot, address }),
    };
    let answer = vars.make(Origin::Answer(slot), sort, None);
    let mut make = Make { pool, out };
    match op {
        LockOp::Init(kind) => {
            let kind = crate::model::resized(make.pool, kind, sort);
            let zero = make.number(0);
            for (var, value) in [(answer, zero), (lock.word, zero), (lock.kind, kind)] {
                make.assign(var, value);
            }
            make.assign(lock.held, zero);
            make.assign(lock.shared, zero);
        }
        LockOp::Destroy => {
            let free = make.is(lock.word, 0);
            make.assume(free);
            let zero = make.number(0);
            make.assign(answer, zero);
            make.assign(lock.kind, zero);
        }
        LockOp::Acquire | LockOp::TryAcquire => acquire(&mut make, &lock, answer, op == LockOp::Acquire),
        LockOp::AcquireShared | LockOp::TryAcquireShared => {
            acquire_shared(&mut make, &lock, answer, op == LockOp::AcquireShared);
        }
        LockOp::Release => release(&mut make, &lock, answer),
    }
    pool.var(answer, sort)
}

struct Make<'a> {
    pool: &'a mut ExprPool,
    out: &'a mut Vec<Statement>,
}

impl Make<'_> {
    fn number(&mut self, n: u128) -> ExprId {
        self.pool.bits(LOCK_BITS, n)
    }

    fn value(&mut self, var: VarId) -> ExprId {
        self.pool.var(var, Sort::Bits(LOCK_BITS))
    }

    fn is(&mut self, var: VarId, n: u128) -> ExprId {
        let (value, n) = (self.value(var), self.number(n));
        self.pool.eq(value, n)
    }

    /// `var + n` where `when` holds, `var` elsewhere.
    fn changed(&mut self, var: VarId, n: u128, when: ExprId) -> ExprId {
        let (value, n) = (self.value(var), self.number(n));
        let sum = self.pool.binary(BinOp::BvAdd, value, n);
        self.pool.ite(when, sum, value)
    }

    fn assign(&mut self, var: VarId, value: ExprId) {
        self.out.push(Statement::Assign { var, value });
    }

    fn assume(&mut self, cond: ExprId) {
        self.out.push(Statement::Assume(cond));
    }
}

fn acquire(make: &mut Make, lock: &Lock, answer: VarId, waits: bool) {
    let free = make.is(lock.word, 0);
    let mine = make.is(lock.word, lock.owned);
    let recursive = make.is(lock.kind, RECURSIVE);
    let again = make.pool.and(mine, recursive);
    let gets = make.pool.or(free, again);
    let errorcheck = make.is(lock.kind, ERRORCHECK);
    let refused = make.pool.and(mine, errorcheck);
    let (zero, deadlock, busy) = (make.number(0), make.number(EDEADLK), make.number(EBUSY));
    let says = if waits {
        let goes_on = make.pool.or(gets, refused);
        make.assume(goes_on);
        make.pool.ite(refused, deadlock, zero)
    } else {
        make.pool.ite(gets, zero, busy)
    };
    make.assign(answer, says);
    let got = make.is(answer, 0);
    // A lock that was free is held once, whatever this thread held before somebody initialised it again.
    // (In this order, each reads what is not changed yet.)
    let (one, deeper) = (make.number(1), make.changed(lock.held, 1, got));
    let first = make.pool.and(got, free);
    let held = make.pool.ite(first, one, deeper);
    make.assign(lock.held, held);
    let (owned, word) = (make.number(lock.owned), make.value(lock.word));
    let word = make.pool.ite(got, owned, word);
    make.assign(lock.word, word);
}

fn acquire_shared(make: &mut Make, lock: &Lock, answer: VarId, waits: bool) {
    let (exclusive, word) = (make.number(EXCLUSIVE), make.value(lock.word));
    let taken = make.pool.binary(BinOp::ULe, exclusive, word);
    let free = make.pool.not(taken);
    let (zero, busy) = (make.number(0), make.number(EBUSY));
    if waits {
        make.assume(free);
    }
    let says = if waits { zero } else { make.pool.ite(free, zero, busy) };
    make.assign(answer, says);
    let got = make.is(answer, 0);
    for var in [lock.word, lock.shared] {
        let more = make.changed(var, 1, got);
        make.assign(var, more);
    }
}

fn release(make: &mut Make, lock: &Lock, answer: VarId) {
    let mine = make.is(lock.word, lock.owned);
    let not_mine = make.pool.not(mine);
    let no_reader = make.is(lock.shared, 0);
    let nothing = make.pool.and(not_mine, no_reader);
    // Without a hold, a normal lock is misused, and the path ends; other kinds answer.
    let normal = make.is(lock.kind, NORMAL);
    let misuse = make.pool.and(nothing, normal);
    let fine = make.pool.not(misuse);
    make.assume(fine);
    let (zero, not_permitted) = (make.number(0), make.number(EPERM));
    let says = make.pool.ite(nothing, not_permitted, zero);
    make.assign(answer, says);
    // In this order, each reads what is not changed yet.
    let shallower = make.changed(lock.held, MINUS_ONE, mine);
    make.assign(lock.held, shallower);
    let done = make.is(answer, 0);
    let as_reader = make.pool.and(not_mine, done);
    let fewer = make.changed(lock.shared, MINUS_ONE, as_reader);
    make.assign(lock.shared, fewer);
    let was_last = make.is(lock.held, 0);
    let is_free = make.pool.and(mine, was_last);
    let word = make.changed(lock.word, MINUS_ONE, as_reader);
    let word = make.pool.ite(is_free, zero, word);
    make.assign(lock.word, word);
}
