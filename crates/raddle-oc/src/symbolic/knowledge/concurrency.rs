//! Which cells do threads access concurrently? A cell that none do is private.
//!
//! Accesses are ordered by starts and joins alone. The *position* of a thread rises with each thread that it starts: what it did at lower positions
//! precedes all that the started thread does. A path knows for each thread up to which position it precedes (`Seen`).

use crate::symbolic::knowledge::cells::Cell;
use crate::symbolic::state::{Seen, State};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Accesses of a thread to a cell that know the same of other threads.
struct Access {
    thread: u32,
    last: u32,
    writes: bool,
    seen: Seen,
}

/// Who accesses what. Cells that are known to be shared need not be in it.
#[derive(Default)]
pub(crate) struct Accesses {
    of: FxHashMap<Cell, Vec<Access>>,
    positions: Vec<u32>,
}

impl Accesses {
    /// A thread accesses a cell.
    pub(crate) fn note(&mut self, cell: Cell, writes: bool, state: &State) {
        let thread = state.thread;
        // From 1 on: 0 is before everything.
        let position = self.positions.get(thread as usize).copied().unwrap_or(0) + 1;
        let accesses = self.of.entry(cell).or_default();
        if let Some(same) = accesses.iter_mut().rev().find(|a| a.thread == thread && Rc::ptr_eq(&a.seen, &state.seen)) {
            same.last = same.last.max(position);
            same.writes |= writes;
            return;
        }
        accesses.push(Access { thread, last: position, writes, seen: Rc::clone(&state.seen) });
    }

    /// The path starts a thread: what precedes that one.
    pub(crate) fn start(&mut self, state: &State) -> Seen {
        let thread = state.thread as usize;
        self.positions.resize(self.positions.len().max(thread + 1), 0);
        self.positions[thread] += 1;
        let mut seen = (*state.seen).clone();
        seen.resize(seen.len().max(thread + 1), 0);
        seen[thread] = self.positions[thread];
        Rc::new(seen)
    }

    pub(crate) fn concurrent(&self) -> impl Iterator<Item = Cell> {
        self.of.iter().filter(|(_, accesses)| is_concurrent(accesses)).map(|(cell, _)| *cell)
    }
}

/// Is there a pair of accesses of different threads, one of them a write, without a known order?
fn is_concurrent(accesses: &[Access]) -> bool {
    let precedes = |a: &Access, b: &Access| b.seen.get(a.thread as usize).is_some_and(|seen| *seen >= a.last);
    accesses.iter().enumerate().any(|(i, a)| {
        accesses[..i]
            .iter()
            .any(|b| a.thread != b.thread && (a.writes || b.writes) && !precedes(a, b) && !precedes(b, a))
    })
}

/// What is seen on both of two paths.
pub(crate) fn earlier(a: &Seen, b: &Seen) -> Seen {
    if Rc::ptr_eq(a, b) {
        return Rc::clone(a);
    }
    Rc::new(a.iter().zip(b.iter()).map(|(x, y)| *x.min(y)).collect())
}

/// What is seen after a join: all that the joined thread did and saw.
pub(crate) fn joined(mine: &Seen, other: u32, theirs: &Seen) -> Seen {
    let mut seen = (**mine).clone();
    seen.resize(seen.len().max(theirs.len()).max(other as usize + 1), 0);
    for (mine, theirs) in seen.iter_mut().zip(theirs.iter()) {
        *mine = (*mine).max(*theirs);
    }
    seen[other as usize] = u32::MAX;
    Rc::new(seen)
}
