//! Mutexes, spinlocks and read-write locks of POSIX and C11: which operation on a lock each function is (raddle-ir, `locks.rs`). Waiting until some time is C on
//! top of them (`prelude/timed_locks.c`).

use super::builder::Builder;
use crate::error::Result;
use raddle_ir::{BinOp, ExprId, Label, LockOp, Order, Place, Sort, Violation};

const EBUSY: u128 = 16;
const EDEADLK: u128 = 35;
const THRD_BUSY: u128 = 1;
const THRD_ERROR: u128 = 2;

/// What answers EBUSY where the operation would wait.
fn without_waiting(op: LockOp) -> LockOp {
    match op {
        LockOp::Acquire => LockOp::TryAcquire,
        LockOp::AcquireWrite => LockOp::TryAcquireWrite,
        LockOp::AcquireShared => LockOp::TryAcquireShared,
        other => other,
    }
}

impl Builder<'_, '_> {
    /// `None`: not a function on locks.
    pub(super) fn lock_function(&mut self, name: &str, args: &[ExprId]) -> Result<Option<ExprId>> {
        let zero = self.cx.pool.bits(32, 0);
        let Some(&lock) = args.first() else { return Ok(None) };
        let (family, verb) = match name.split_once("_lock") {
            Some(("pthread_rw", verb)) => ("pthread_rwlock", verb.trim_start_matches('_')),
            _ => match name.rsplit_once('_') {
                Some(split) => split,
                None => return Ok(None),
            },
        };
        if !matches!(
            family,
            "pthread_mutex" | "pthread_spin" | "pthread_rwlock" | "mtx" | "__raddle_try" | "__raddle_chosen"
        ) {
            return Ok(None);
        }
        let lock = self.fit(lock, self.cx.pointer_sort());
        let op = match verb {
            "init" => LockOp::Init(self.lock_kind(family, args.get(1).copied())),
            // In glibc, only mutexes know that they are held.
            "destroy" if matches!(family, "pthread_spin" | "pthread_rwlock") => return Ok(Some(zero)),
            "destroy" => LockOp::Destroy,
            "lock" if family != "__raddle_try" => LockOp::Acquire,
            "wrlock" if family != "__raddle_try" => LockOp::AcquireWrite,
            "rdlock" if family != "__raddle_try" => LockOp::AcquireShared,
            "lock" | "trylock" => LockOp::TryAcquire,
            "wrlock" | "trywrlock" => LockOp::TryAcquireWrite,
            "rdlock" | "tryrdlock" => LockOp::TryAcquireShared,
            "unlock" => LockOp::Release,
            _ => return Ok(None),
        };
        let is_chosen = family == "__raddle_chosen" && self.counts_deadlocks();
        let op = if is_chosen { without_waiting(op) } else { op };
        let var = self.temp(Sort::Bits(32));
        self.emit_step(vec![Label::Lock { op, lock, var: Some(var) }]);
        let answer = self.var_value(var);
        if is_chosen {
            let busy = self.cx.pool.bits(32, EBUSY);
            let is_had = self.cx.pool.ne(answer, busy);
            self.emit_step(vec![Label::Assume(is_had)]);
        }
        Ok(Some(match family {
            "mtx" => {
                let error = self.answer_instead(answer, EBUSY, THRD_BUSY, Some(THRD_ERROR));
                let is_zero = self.cx.pool.eq(answer, zero);
                self.cx.pool.ite(is_zero, zero, error)
            }
            // What a thread itself holds is busy as well.
            "pthread_mutex" | "pthread_rwlock" if verb.starts_with("try") => {
                self.answer_instead(answer, EDEADLK, EBUSY, None)
            }
            _ => answer,
        }))
    }

    /// Is a thread that waits for ever a violation? Then waiting for what was chosen to happen (see `prelude/declarations.c`) is an assumption.
    pub(super) fn counts_deadlocks(&self) -> bool {
        self.cx.options.counts.has(Violation::Deadlock)
    }

    /// `other` where the answer is `number`; else `otherwise`, or the answer itself.
    fn answer_instead(&mut self, answer: ExprId, number: u128, other: u128, otherwise: Option<u128>) -> ExprId {
        let [number, other] = [number, other].map(|n| self.cx.pool.bits(32, n));
        let otherwise = otherwise.map_or(answer, |n| self.cx.pool.bits(32, n));
        let is_number = self.cx.pool.eq(answer, number);
        self.cx.pool.ite(is_number, other, otherwise)
    }

    /// The kind that a lock gets where it is initialised, by the second argument.
    fn lock_kind(&mut self, family: &str, arg: Option<ExprId>) -> ExprId {
        match (family, arg) {
            ("pthread_mutex", Some(attributes)) => self.mutex_kind(attributes),
            ("mtx", Some(flags)) => {
                let flags = self.fit(flags, Sort::Bits(32));
                let one = self.cx.pool.bits(32, 1);
                self.cx.pool.binary(BinOp::BvAnd, flags, one)
            }
            _ => self.cx.pool.bits(32, 0),
        }
    }

    /// The kind that an attribute object asks for: the prelude keeps it in its first four bytes.
    fn mutex_kind(&mut self, attributes: ExprId) -> ExprId {
        let null = self.cx.address(0);
        let zero = self.cx.pool.bits(32, 0);
        let pointer = self.cx.pointer_sort();
        let attributes = self.fit(attributes, pointer);
        let given = self.cx.pool.ne(attributes, null);
        if self.cx.pool.as_const(given).is_some_and(|c| c.bits == 0) {
            return zero;
        }
        let kind = self.temp(Sort::Bits(32));
        self.assign(kind, zero);
        let (load, after) = (self.new_location(), self.new_location());
        self.branch(given, load, after);
        self.here = load;
        self.emit(Label::Load { var: kind, place: Place::Memory(attributes), order: Order::NonAtomic });
        self.enter(after);
        self.var_value(kind)
    }
}
