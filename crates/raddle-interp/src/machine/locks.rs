//! Locks by address: who holds them, and what each operation does.
//!
//! This is the reference: it says independently what raddle-ir's `locks.rs` says for the other engines, in other terms (who holds a lock, not what one thread knows of
//! that). The tests compare the two.

use crate::machine::code::LockCode;

pub const EPERM: u32 = 1;
pub const EBUSY: u32 = 16;
pub const EDEADLK: u32 = 35;

const NORMAL: u8 = 0;
const RECURSIVE: u8 = 1;
const ERRORCHECK: u8 = 2;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lock {
    pub kind: u8,
    pub owner: Option<u32>,
    /// How often the owner holds it.
    pub depth: u32,
    /// Threads that hold it shared, ascending, with how often.
    pub readers: Vec<(u32, u32)>,
}

impl Lock {
    fn is_free(&self) -> bool {
        self.owner.is_none() && self.readers.is_empty()
    }

    /// Another thread than this one that holds it, if any does.
    pub fn other_holder(&self, thread: u32) -> Option<u32> {
        let reader = self.readers.iter().map(|r| r.0).find(|r| *r != thread);
        self.owner.filter(|o| *o != thread).or(reader)
    }
}

/// The locks that are not free ones of kind 0, ascending by address.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Locks {
    pub list: Vec<(u64, Lock)>,
}

impl Locks {
    pub fn get(&self, address: u64) -> Lock {
        match self.list.binary_search_by_key(&address, |l| l.0) {
            Ok(at) => self.list[at].1.clone(),
            Err(_) => Lock::default(),
        }
    }

    pub fn set(&mut self, address: u64, lock: Lock) {
        let plain = lock == Lock::default();
        match self.list.binary_search_by_key(&address, |l| l.0) {
            Ok(at) if plain => {
                self.list.remove(at);
            }
            Ok(at) => self.list[at].1 = lock,
            Err(_) if plain => {}
            Err(at) => self.list.insert(at, (address, lock)),
        }
    }

    /// The addresses of locks in a range.
    pub fn within(&self, start: u64, size: u64) -> Vec<u64> {
        let from = self.list.partition_point(|l| l.0 < start);
        self.list[from..].iter().map(|l| l.0).take_while(|a| *a - start < size).collect()
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LockResult {
    /// The lock becomes this; the operation answers 0.
    Becomes(Lock),
    Answers(u32),
    Blocks,
    Misuse(&'static str),
}

/// What an operation of a thread does to a lock. `kind` is for `Init`.
pub fn operate(lock: Lock, op: &LockCode, kind: u8, thread: u32) -> LockResult {
    use LockResult::*;
    match op {
        LockCode::Init(_) => Becomes(Lock { kind, ..Lock::default() }),
        LockCode::Destroy if lock.is_free() => Becomes(Lock::default()),
        LockCode::Destroy => Answers(EBUSY),
        LockCode::Acquire => waiting(acquire(lock, thread)),
        LockCode::AcquireWrite => waiting(acquire_write(lock, thread)),
        LockCode::AcquireShared => waiting(acquire_shared(lock, thread)),
        LockCode::TryAcquire => trying(acquire(lock, thread)),
        LockCode::TryAcquireWrite => trying(acquire_write(lock, thread)),
        LockCode::TryAcquireShared => trying(acquire_shared(lock, thread)),
        LockCode::Release => release(lock, thread),
    }
}

fn waiting(got: Result<Lock, u32>) -> LockResult {
    match got {
        Err(EBUSY) => LockResult::Blocks,
        got => trying(got),
    }
}

fn trying(got: Result<Lock, u32>) -> LockResult {
    match got {
        Err(answer) => LockResult::Answers(answer),
        Ok(lock) => LockResult::Becomes(lock),
    }
}

/// The lock after this thread got it, or why not (`EBUSY`: it would block).
fn acquire(mut lock: Lock, thread: u32) -> Result<Lock, u32> {
    if lock.owner == Some(thread) {
        return match lock.kind {
            RECURSIVE => {
                lock.depth += 1;
                Ok(lock)
            }
            ERRORCHECK => Err(EDEADLK),
            _ => Err(EBUSY),
        };
    }
    if !lock.is_free() {
        return Err(EBUSY);
    }
    lock.owner = Some(thread);
    lock.depth = 1;
    Ok(lock)
}

/// Whoever has a read-write lock for writing must not ask again.
fn acquire_write(lock: Lock, thread: u32) -> Result<Lock, u32> {
    match lock.owner {
        Some(owner) if owner == thread => Err(EDEADLK),
        _ if !lock.is_free() => Err(EBUSY),
        _ => Ok(Lock { owner: Some(thread), depth: 1, ..lock }),
    }
}

fn acquire_shared(mut lock: Lock, thread: u32) -> Result<Lock, u32> {
    match lock.owner {
        Some(owner) if owner == thread => return Err(EDEADLK),
        Some(_) => return Err(EBUSY),
        None => {}
    }
    match lock.readers.binary_search_by_key(&thread, |r| r.0) {
        Ok(at) => lock.readers[at].1 += 1,
        Err(at) => lock.readers.insert(at, (thread, 1)),
    }
    Ok(lock)
}

fn release(mut lock: Lock, thread: u32) -> LockResult {
    if lock.owner == Some(thread) {
        lock.depth -= 1;
        if lock.depth == 0 {
            lock.owner = None;
        }
        return LockResult::Becomes(lock);
    }
    if let Ok(at) = lock.readers.binary_search_by_key(&thread, |r| r.0) {
        lock.readers[at].1 -= 1;
        if lock.readers[at].1 == 0 {
            lock.readers.remove(at);
        }
        return LockResult::Becomes(lock);
    }
    match lock.kind {
        NORMAL => LockResult::Misuse("a lock that this thread does not hold is released"),
        _ => LockResult::Answers(EPERM),
    }
}

#[cfg(test)]
mod tests;
