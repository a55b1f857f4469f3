//! The table of lock operations that other engines use (raddle-ir, `locks.rs`) says what the reference says: all operations in all states of a lock with two
//! holders and depths up to 3, for all kinds.

use super::{Lock, LockResult, operate};
use crate::machine::code::LockCode;
use crate::machine::expr_code::ExprCode;
use raddle_ir::locks::{
    Change, EXCLUSIVE, Effect, Fact, LockState, PART_BITS, Part, changed, held_by_others, kind_part, lock_cases,
    ways_on,
};
use raddle_ir::{ExprId, ExprPool, LockOp, Sort, Substitution, VarId};

const ME: u32 = 1;
const OTHERS: [u32; 2] = [0, 7];
const KINDS: [u32; 6] = [0, 1, 2, 3, 255, 256];

/// The state of a lock by parts, as `ME` sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Parts([u32; 5]);

const ALL: [Part; 5] = [Part::Word, Part::Kind, Part::Held, Part::Shared, Part::Others];

impl Parts {
    fn of(lock: &Lock) -> Parts {
        let readers: u32 = lock.readers.iter().map(|r| r.1).sum();
        let shared = lock.readers.iter().find(|r| r.0 == ME).map_or(0, |r| r.1);
        let (held, theirs) = if lock.owner == Some(ME) { (lock.depth, 0) } else { (0, lock.depth) };
        let word = if lock.owner.is_some() { EXCLUSIVE } else { readers };
        Parts([word, lock.kind.into(), held, shared, theirs + readers - shared])
    }

    fn get(&self, part: Part) -> u32 {
        self.0[part as usize]
    }

    fn set(&mut self, part: Part, change: Change, kind: u32) {
        let value = &mut self.0[part as usize];
        *value = match change {
            Change::To(number) => number,
            Change::ToKind => kind & 0xff,
            Change::More => *value + 1,
            Change::Fewer => *value - 1,
        };
    }
}

/// Parts as variables.
struct Symbols(ExprPool);

impl LockState for Symbols {
    fn pool(&mut self) -> &mut ExprPool {
        &mut self.0
    }

    fn read(&mut self, part: Part, _needed: ExprId) -> ExprId {
        assert_ne!(part, Part::Others);
        self.0.var(VarId(part as u32), Sort::Bits(PART_BITS))
    }
}

impl Symbols {
    fn value(&mut self, expr: ExprId, parts: &Parts) -> u32 {
        let numbers = parts.0.map(|number| self.0.bits(PART_BITS, number.into()));
        let value = Substitution::new().apply(&mut self.0, expr, &mut |var| Some(numbers[var.index()]));
        self.0.as_const(value).expect("all parts are known").bits as u32
    }
}

fn states() -> Vec<Lock> {
    let mut states = Vec::new();
    for kind in KINDS.into_iter().filter(|kind| *kind < 256) {
        let free = Lock { kind: kind as u8, ..Lock::default() };
        for owner in [OTHERS[0], ME, OTHERS[1]] {
            states.extend((1..=3).map(|depth| Lock { owner: Some(owner), depth, ..free.clone() }));
        }
        for counts in 0..27u32 {
            let counts = [(OTHERS[0], counts % 3), (ME, counts / 3 % 3), (OTHERS[1], counts / 9)];
            let readers = counts.into_iter().filter(|(_, count)| *count > 0).collect();
            states.push(Lock { readers, ..free.clone() });
        }
    }
    states
}

fn operations() -> Vec<(LockOp, LockCode)> {
    let kind = ExprCode { start: 0, end: 0, reg: 0, sort: Sort::Bits(32) };
    vec![
        (LockOp::Init(ExprId(0)), LockCode::Init(kind)),
        (LockOp::Destroy, LockCode::Destroy),
        (LockOp::Acquire, LockCode::Acquire),
        (LockOp::AcquireWrite, LockCode::AcquireWrite),
        (LockOp::TryAcquire, LockCode::TryAcquire),
        (LockOp::TryAcquireWrite, LockCode::TryAcquireWrite),
        (LockOp::AcquireShared, LockCode::AcquireShared),
        (LockOp::TryAcquireShared, LockCode::TryAcquireShared),
        (LockOp::Release, LockCode::Release),
    ]
}

#[test]
fn the_table_says_what_the_reference_says() {
    for (op, code) in operations() {
        for before in states() {
            for kind in KINDS {
                let parts = Parts::of(&before);
                let holds = |fact: &Fact| match *fact {
                    Fact::Is(part, number) => parts.get(part) == number,
                    Fact::IsNot(part, number) => parts.get(part) != number,
                };
                let case = lock_cases(op, 8).iter().find(|case| case.facts.iter().all(holds)).unwrap();
                let result = operate(before.clone(), &code, kind as u8, ME);
                let context = format!("{code:?} of kind {kind} on {before:?}: {result:?}, {case:?}");
                match case.effect {
                    Effect::Blocks => assert_eq!(result, LockResult::Blocks, "{context}"),
                    Effect::Misuse(what) => assert_eq!(result, LockResult::Misuse(what), "{context}"),
                    Effect::Done { changes, answer } => {
                        let mut after = parts;
                        changes.iter().for_each(|(part, change)| after.set(*part, *change, kind));
                        match result {
                            LockResult::Becomes(lock) => {
                                assert_eq!((after, answer), (Parts::of(&lock), 0), "{context}")
                            }
                            LockResult::Answers(says) => assert_eq!((after, answer), (parts, says), "{context}"),
                            _ => panic!("{context}"),
                        }
                    }
                }
            }
        }
    }
}

/// Formulas are made of the table in one way for all engines.
#[test]
fn formulas_say_what_the_table_says() {
    for (op, _) in operations() {
        let mut symbols = Symbols(ExprPool::new());
        let ways = ways_on(&mut symbols, op, 8);
        let yes = symbols.0.bool(true);
        let others = held_by_others(&mut symbols, yes);
        for before in states() {
            let parts = Parts::of(&before);
            assert_eq!(symbols.value(others, &parts) != 0, parts.get(Part::Others) != 0, "{before:?}");
            let holds = |fact: &Fact| match *fact {
                Fact::Is(part, number) => parts.get(part) == number,
                Fact::IsNot(part, number) => parts.get(part) != number,
            };
            let case = lock_cases(op, 8).iter().find(|case| case.facts.iter().all(holds)).unwrap();
            let taken: Vec<_> = ways.iter().filter(|way| symbols.value(way.cond, &parts) != 0).collect();
            let Effect::Done { changes, answer } = case.effect else {
                assert!(taken.is_empty(), "{op:?} on {before:?}");
                continue;
            };
            assert_eq!(taken.len(), 1, "{op:?} on {before:?}");
            assert_eq!((taken[0].changes, taken[0].answer), (changes, answer));
            for kind in KINDS {
                let named = symbols.0.bits(32, kind.into());
                let named = kind_part(&mut symbols.0, named);
                for part in ALL.into_iter().filter(|part| *part != Part::Others) {
                    let Some(change) = taken[0].change(part) else { continue };
                    let value = changed(&mut symbols, part, change, Some(named), yes);
                    let mut after = parts;
                    after.set(part, change, kind);
                    assert_eq!(symbols.value(value, &parts), after.get(part), "{op:?} on {before:?}");
                }
            }
        }
    }
}

/// A lock at the null address is misuse; the reference finds that out before it looks at the lock (`step.rs`).
#[test]
fn there_is_no_lock_at_the_null_address() {
    for (op, _) in operations() {
        assert!(matches!(lock_cases(op, 0), [case] if matches!(case.effect, Effect::Misuse(_))));
    }
}
