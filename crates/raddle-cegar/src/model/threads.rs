//! Where all threads are, and the state of the locks: the part of an abstract state that is always exact.

use raddle_ir::{LocId, ProcId, VarId};

/// Where a thread is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum At {
    Location(LocId),
    /// It came to its end, and can be joined.
    Ended,
    /// It takes no step any more (it ended the program, or its path), and cannot be joined. Outside of atomic blocks, stopping only this thread is sound and
    /// exact: every later step of another thread commutes before its last one. Inside a block the block is never left and nobody steps any more: what the block
    /// wrote is seen by no one.
    Stopped,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Thread {
    pub proc: ProcId,
    pub at: At,
}

/// All threads by their handles (0 is the first process), who runs an atomic block and how deep, and the locks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Threads {
    pub threads: Vec<Thread>,
    /// It stays when its thread stops inside.
    pub atomic: Option<(u32, u32)>,
    /// The parts of locks that are not 0, sorted.
    locks: Vec<(VarId, u128)>,
}

/// A part of a lock that is not known (a lock was initialised with a kind that is not known).
const UNKNOWN: u128 = u128::MAX;

impl Threads {
    pub fn first(proc: ProcId, entry: LocId) -> Self {
        Threads { threads: vec![Thread { proc, at: At::Location(entry) }], atomic: None, locks: Vec::new() }
    }

    /// The threads that are allowed to step, with their locations.
    pub fn movable(&self) -> impl Iterator<Item = (u32, ProcId, LocId)> + '_ {
        let alone = self.atomic.map(|(slot, _)| slot);
        self.threads.iter().enumerate().filter_map(move |(slot, thread)| {
            let slot = slot as u32;
            match thread.at {
                At::Location(location) if alone.is_none_or(|a| a == slot) => Some((slot, thread.proc, location)),
                _ => None,
            }
        })
    }

    pub fn ended(&self) -> impl Iterator<Item = u32> + '_ {
        let all = self.threads.iter().enumerate();
        all.filter(|(_, thread)| thread.at == At::Ended).map(|(slot, _)| slot as u32)
    }

    /// The value of a part of a lock.
    pub fn lock(&self, var: VarId) -> Option<u128> {
        match self.locks.binary_search_by_key(&var, |(v, _)| *v) {
            Ok(i) => Some(self.locks[i].1).filter(|value| *value != UNKNOWN),
            Err(_) => Some(0),
        }
    }

    /// The parts of locks that are not 0, or not known.
    pub fn lock_parts(&self) -> impl Iterator<Item = VarId> + '_ {
        self.locks.iter().map(|(var, _)| *var)
    }

    pub fn set_lock(&mut self, var: VarId, value: Option<u128>) {
        let value = value.unwrap_or(UNKNOWN);
        match self.locks.binary_search_by_key(&var, |(v, _)| *v) {
            Ok(i) if value == 0 => {
                self.locks.remove(i);
            }
            Ok(i) => self.locks[i].1 = value,
            Err(_) if value == 0 => {}
            Err(i) => self.locks.insert(i, (var, value)),
        }
    }
}
