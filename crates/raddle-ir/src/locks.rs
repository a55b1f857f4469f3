//! What operations on locks do: when they block, what is misuse, what they change, what they answer.
//!
//! An operation is a list of cases; the first one whose facts hold applies. Facts and changes are about the *parts* of a lock: the word and the kind, which all
//! threads see, and what the thread itself holds. That thread is the only one to know its holds, so that only getting a lock looks at the word, and giving
//! it back just writes it: engines depend on that for speed. `Init` makes the lock free whoever holds it: it is the only operation that takes away what others
//! hold.
//!
//! raddle-oc and raddle-cegar make their formulas of this table by [`ways_on`]. raddle-interp does not: it is the reference, has its own definition, and
//! compares the two for all operations and states of a lock (raddle-interp, `machine/locks.rs`). Condition variables, semaphores, barriers and `pthread_once` have no labels of
//! their own: raddle-c makes loads, stores, awaits and lock operations of them (`prelude/`).

use crate::expr::{BinOp, ExprId};
use crate::pool::ExprPool;
use crate::program::LockOp;

/// A part of a lock's state: a number that is 0 at first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// 0 if nobody holds it, `EXCLUSIVE`, or how often it is held shared.
    Word,
    Kind,
    /// How often this thread holds it exclusively, and shared.
    Held,
    Shared,
    /// How often other threads hold it, in either way.
    Others,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    Is(Part, u32),
    IsNot(Part, u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    To(u32),
    /// To the kind that `Init` names.
    ToKind,
    More,
    Fewer,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The thread cannot step now.
    Blocks,
    /// Behaviour is undefined: the path ends here.
    Misuse(&'static str),
    Done {
        changes: &'static [(Part, Change)],
        /// 0 or an error number.
        answer: u32,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    pub facts: &'static [Fact],
    pub effect: Effect,
}

/// All parts are numbers of so many bits.
pub const PART_BITS: u8 = 32;
pub const EXCLUSIVE: u32 = 0x8000_0000;

const NORMAL: u32 = 0;
const RECURSIVE: u32 = 1;
const ERRORCHECK: u32 = 2;

const EPERM: u32 = 1;
const EBUSY: u32 = 16;
const EDEADLK: u32 = 35;

use Change::{Fewer, More, To, ToKind};
use Effect::{Blocks, Misuse};
use Fact::{Is, IsNot};
use Part::{Held, Kind, Others, Shared, Word};

const FREE: Fact = Is(Word, 0);
const MINE: Fact = IsNot(Held, 0);

const TAKE: Effect = done(&[(Word, To(EXCLUSIVE)), (Held, To(1))]);
const DEEPER: Effect = done(&[(Held, More)]);
const SHARE: Effect = done(&[(Word, More), (Shared, More)]);

const INIT: &[Case] =
    &[case(&[], done(&[(Word, To(0)), (Kind, ToKind), (Held, To(0)), (Shared, To(0)), (Others, To(0))]))];

const DESTROY: &[Case] =
    &[case(&[FREE], done(&[(Kind, To(NORMAL))])), case(&[], answer(EBUSY))];

const ACQUIRE: &[Case] = &[
    case(&[MINE, Is(Kind, RECURSIVE)], DEEPER),
    case(&[MINE, Is(Kind, ERRORCHECK)], answer(EDEADLK)),
    case(&[MINE], Blocks),
    case(&[FREE], TAKE),
    case(&[], Blocks),
];

const ACQUIRE_WRITE: &[Case] = &[case(&[MINE], answer(EDEADLK)), case(&[FREE], TAKE), case(&[], Blocks)];

const TRY_ACQUIRE: &[Case] = &[
    case(&[MINE, Is(Kind, RECURSIVE)], DEEPER),
    case(&[MINE, Is(Kind, ERRORCHECK)], answer(EDEADLK)),
    case(&[MINE], answer(EBUSY)),
    case(&[FREE], TAKE),
    case(&[], answer(EBUSY)),
];

const ACQUIRE_SHARED: &[Case] =
    &[case(&[MINE], answer(EDEADLK)), case(&[IsNot(Word, EXCLUSIVE)], SHARE), case(&[], Blocks)];

const TRY_ACQUIRE_WRITE: &[Case] =
    &[case(&[MINE], answer(EDEADLK)), case(&[FREE], TAKE), case(&[], answer(EBUSY))];

const TRY_ACQUIRE_SHARED: &[Case] =
    &[case(&[MINE], answer(EDEADLK)), case(&[IsNot(Word, EXCLUSIVE)], SHARE), case(&[], answer(EBUSY))];

const RELEASE: &[Case] = &[
    case(&[MINE, Is(Held, 1)], done(&[(Word, To(0)), (Held, To(0))])),
    case(&[MINE], done(&[(Held, Fewer)])),
    case(&[IsNot(Shared, 0)], done(&[(Word, Fewer), (Shared, Fewer)])),
    case(&[Is(Kind, NORMAL)], Misuse("a lock that this thread does not hold is released")),
    case(&[], answer(EPERM)),
];

const AT_NULL: &[Case] = &[case(&[], Misuse("a lock at the null address"))];

/// What an operation on the lock at an address does.
pub fn lock_cases(op: LockOp, address: u64) -> &'static [Case] {
    match op {
        _ if address == 0 => AT_NULL,
        LockOp::Init(_) => INIT,
        LockOp::Destroy => DESTROY,
        LockOp::Acquire => ACQUIRE,
        LockOp::AcquireWrite => ACQUIRE_WRITE,
        LockOp::TryAcquire => TRY_ACQUIRE,
        LockOp::TryAcquireWrite => TRY_ACQUIRE_WRITE,
        LockOp::AcquireShared => ACQUIRE_SHARED,
        LockOp::TryAcquireShared => TRY_ACQUIRE_SHARED,
        LockOp::Release => RELEASE,
    }
}

const fn case(facts: &'static [Fact], effect: Effect) -> Case {
    Case { facts, effect }
}

const fn done(changes: &'static [(Part, Change)]) -> Effect {
    Effect::Done { changes, answer: 0 }
}

const fn answer(answer: u32) -> Effect {
    Effect::Done { changes: &[], answer }
}

/// The state of a lock as an engine has it.
pub trait LockState {
    fn pool(&mut self) -> &mut ExprPool;
    /// The value of a part; where `needed` does not hold, nobody looks at it. Never asked for `Others`.
    fn read(&mut self, part: Part, needed: ExprId) -> ExprId;
}

/// One way for an operation to go on. There is none where it blocks or is misuse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// When it is taken. No two ways are taken together.
    pub cond: ExprId,
    pub changes: &'static [(Part, Change)],
    pub answer: u32,
}

impl Way {
    pub fn change(&self, part: Part) -> Option<Change> {
        self.changes.iter().find(|(changed, _)| *changed == part).map(|(_, change)| *change)
    }
}

/// How an operation may go on, as far as the state of the lock tells already.
pub fn ways_on(state: &mut impl LockState, op: LockOp, address: u64) -> Vec<Way> {
    let mut ways = Vec::new();
    // The cases that came before and do not apply.
    let mut passed: Vec<(&[Fact], ExprId)> = Vec::new();
    for case in lock_cases(op, address) {
        let yes = state.pool().bool(true);
        let open = passed.iter().fold(yes, |open, (_, not)| state.pool().and(open, *not));
        let mut holds = yes;
        let mut cond = open;
        for fact in case.facts {
            if state.pool().is_bool(cond, false) {
                break;
            }
            let (part, number, is) = match *fact {
                Is(part, number) => (part, number, true),
                IsNot(part, number) => (part, number, false),
            };
            let value = state.read(part, cond);
            let pool = state.pool();
            let number = pool.bits(PART_BITS, number.into());
            let equal = pool.eq(value, number);
            let fact = if is { equal } else { pool.not(equal) };
            holds = pool.and(holds, fact);
            cond = pool.and(open, holds);
        }
        let pool = state.pool();
        if pool.is_bool(cond, false) {
            continue;
        }
        if let Effect::Done { changes, answer } = case.effect {
            ways.push(Way { cond, changes, answer });
        }
        // A case with more facts does not apply either.
        passed.retain(|(facts, _)| !facts.starts_with(case.facts));
        passed.push((case.facts, pool.not(holds)));
    }
    ways
}

/// A part after a change, where `needed` holds. `kind` is the one that `Init` names.
pub fn changed(state: &mut impl LockState, part: Part, change: Change, kind: Option<ExprId>, needed: ExprId) -> ExprId {
    let op = match change {
        To(number) => return state.pool().bits(PART_BITS, number.into()),
        ToKind => return kind.unwrap_or_else(|| state.pool().bits(PART_BITS, NORMAL.into())),
        More => BinOp::BvAdd,
        Fewer => BinOp::BvSub,
    };
    let value = state.read(part, needed);
    let pool = state.pool();
    let one = pool.bits(PART_BITS, 1);
    pool.binary(op, value, one)
}

/// The kind of an `Init` as a part: only its lowest byte counts.
pub fn kind_part(pool: &mut ExprPool, kind: ExprId) -> ExprId {
    let byte = match pool.sort(kind).bits() {
        Some(9..) => pool.extract(7, 0, kind),
        _ => kind,
    };
    pool.zero_ext(PART_BITS, byte)
}

/// Does another thread hold the lock? Then the word is not what this one holds.
pub fn held_by_others(state: &mut impl LockState, needed: ExprId) -> ExprId {
    let [word, held, shared] = [Word, Held, Shared].map(|part| state.read(part, needed));
    let pool = state.pool();
    let (zero, exclusive) = (pool.bits(PART_BITS, 0), pool.bits(PART_BITS, EXCLUSIVE.into()));
    let not_mine = pool.eq(held, zero);
    let my_share = pool.ite(not_mine, shared, exclusive);
    let alone = pool.eq(word, my_share);
    pool.not(alone)
}
