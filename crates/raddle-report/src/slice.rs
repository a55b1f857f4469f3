//! Which events a violation depends on: a dynamic backward slice, and what threads need to be understood beside it.
//!
//! Data and control dependences are recorded with the events. They do not show why a thread saw what it saw: in a lost update, the write that is lost is no dependence of
//! anything, and neither is what did not happen (`omissions.rs`). So the slice also has the writes of other threads that come between a read and a write of one cell by a thread, the locks that are held around needed accesses or that could not be had, and
//! the joins of threads that it has events of.

use crate::omissions::Omissions;
use raddle_interp::execution::{Cell, EventId, Execution, What};
use raddle_ir::{LockOp, Program};
use rustc_hash::FxHashMap;

/// For each event: does the last one depend on it?
pub fn slice(program: &Program, execution: &Execution) -> Vec<bool> {
    let events = &execution.events;
    let mut needed = vec![false; events.len()];
    let Some(last) = events.len().checked_sub(1) else { return needed };
    let mut open = vec![last as EventId];
    let mut omissions = Omissions::new(program);
    loop {
        while let Some(event) = open.pop() {
            if !std::mem::replace(&mut needed[event as usize], true) {
                open.extend(execution.needs(&events[event as usize]));
            }
        }
        open = lost_updates(execution, &needed);
        open.extend(omissions.of(execution, &needed));
        if open.is_empty() {
            break;
        }
    }
    synchronisation(execution, &mut needed);
    needed
}

/// Writes between a needed read and a needed write of the same cell by another thread.
fn lost_updates(execution: &Execution, needed: &[bool]) -> Vec<EventId> {
    // For each cell and thread that has read it: the last write of another thread since.
    let mut since: FxHashMap<(Cell, u32), Option<EventId>> = FxHashMap::default();
    let mut readers: FxHashMap<Cell, Vec<u32>> = FxHashMap::default();
    let mut found = Vec::new();
    for (at, event) in execution.events.iter().enumerate() {
        match event.what {
            What::Read { cell, .. } if needed[at] => {
                since.insert((cell, event.thread), None);
                let readers = readers.entry(cell).or_default();
                if !readers.contains(&event.thread) {
                    readers.push(event.thread);
                }
            }
            What::Write { cell, .. } => {
                if needed[at]
                    && let Some(Some(lost)) = since.remove(&(cell, event.thread))
                    && !needed[lost as usize]
                {
                    found.push(lost);
                }
                for reader in readers.get(&cell).into_iter().flatten().filter(|reader| **reader != event.thread) {
                    if let Some(last) = since.get_mut(&(cell, *reader)) {
                        *last = Some(at as EventId);
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// Locks around needed accesses to shared memory, and joins of threads with needed events.
fn synchronisation(execution: &Execution, needed: &mut [bool]) {
    let mut runs = vec![false; execution.threads.len()];
    // Locks that are held, with the events that acquired them and whether something needed happened since.
    let mut held: FxHashMap<(u32, Cell), (EventId, bool)> = FxHashMap::default();
    let mut locks = Vec::new();
    for (at, event) in execution.events.iter().enumerate() {
        match event.what {
            What::Lock { op, lock, result } if result.unwrap_or(0) == 0 => match op {
                LockOp::Release => {
                    if let Some((acquired, true)) = held.remove(&(event.thread, lock)) {
                        locks.extend([acquired, at as EventId]);
                    }
                }
                LockOp::Init(_) | LockOp::Destroy => {}
                _ => {
                    held.insert((event.thread, lock), (at as EventId, false));
                }
            },
            // Who has the lock that could not be had.
            What::Lock { lock, .. } if needed[at] => {
                let holders = held.iter_mut().filter(|((thread, of), _)| *of == lock && *thread != event.thread);
                holders.for_each(|((thread, _), (_, used))| {
                    *used = true;
                    runs[*thread as usize] = true;
                });
            }
            What::Read { .. } | What::Write { .. } if needed[at] => {
                held.iter_mut()
                    .filter(|((thread, _), _)| *thread == event.thread)
                    .for_each(|(_, (_, used))| *used = true);
            }
            _ => {}
        }
        runs[event.thread as usize] |= needed[at];
    }
    locks.extend(held.values().filter(|(_, used)| *used).map(|(acquired, _)| *acquired));
    locks.into_iter().for_each(|event| needed[event as usize] = true);
    for (at, event) in execution.events.iter().enumerate() {
        if let What::Join { thread } = event.what
            && runs.get(thread as usize) == Some(&true)
            && runs[event.thread as usize]
        {
            needed[at] = true;
        }
    }
}
