//! Persistent sets of threads (Godefroid 1996, chapter 4; Overman's conflict closure over static footprints).
//!
//! A set T of threads is persistent in a state if nothing that the threads outside T can ever do without T depends on
//! the next step of a thread in T. Then only T's steps need to be explored from the state. T is the closure of one thread
//! under "its next step may depend on something in the future of": what a step touches is known exactly or nearly so, and
//! the futures are those of `footprint`. A step that is not possible now counts with what could make it
//! possible: what it reads, the holder of a lock it waits for, the thread it joins. What others can only do after
//! taking a lock that a thread in T holds does not count: T does not move meanwhile.

use crate::address_guess::AddressGuess;
use crate::footprint::{Footprints, depends};
use crate::futures::join;
use raddle_interp::machine::code::Code;
use raddle_interp::machine::state::{Machine, NO_CALL, Status};

/// Sets of threads as bits; with more threads than bits there is no reduction.
pub const MOST_THREADS: usize = 64;

/// The next steps and the futures of the running threads of a state.
#[derive(Default)]
pub struct Situation {
    pub running: Vec<u32>,
    next: Vec<u64>,
    future: Vec<u64>,
    /// The locks that each thread holds and that others must wait for.
    held: Vec<u32>,
    /// Futures without a lock, for each of those locks that somebody holds.
    without: Vec<(u32, Vec<u64>)>,
}

impl Situation {
    pub fn read(&mut self, code: &Code, machine: &mut Machine, prints: &Footprints, guess: &AddressGuess) {
        let size = 2 * prints.words;
        self.running.clear();
        let running = machine.threads.iter().enumerate().filter(|(_, t)| t.status == Status::Running);
        self.running.extend(running.map(|(i, _)| i as u32));
        let count = self.running.len();
        self.next.clear();
        self.next.resize(size * count, 0);
        self.future.clear();
        self.future.resize(size * count, 0);
        for (i, thread) in self.running.iter().enumerate() {
            thread_future(code, machine, prints, *thread, 0, &mut self.future[size * i..size * (i + 1)]);
            next_step(code, machine, prints, guess, *thread, &mut self.next[size * i..size * (i + 1)]);
        }
        self.held.clear();
        self.held.extend(self.running.iter().map(|t| held_locks(machine, prints, *t)));
        self.without.clear();
        let mut wanted = self.held.iter().fold(0, |a, b| a | b);
        if wanted != 0 {
            let firm = prints.firm_locks(&self.future);
            wanted &= firm;
            self.held.iter_mut().for_each(|h| *h &= firm);
        }
        while wanted != 0 {
            let lock = wanted.trailing_zeros();
            wanted &= wanted - 1;
            let mut rows = vec![0; size * count];
            for (i, thread) in self.running.iter().enumerate() {
                let row = &mut rows[size * i..size * (i + 1)];
                thread_future(code, machine, prints, *thread, lock as usize + 1, row);
            }
            self.without.push((lock, rows));
        }
    }

    /// The next step of the thread at a position.
    pub fn next(&self, words: usize, position: usize) -> &[u64] {
        &self.next[2 * words * position..2 * words * (position + 1)]
    }

    /// Positions (in `running`) of the closure of a set of positions.
    pub fn close(&self, words: usize, set: u64) -> u64 {
        let size = 2 * words;
        let (mut closed, mut work) = (set, set);
        let mut held = (0..self.running.len()).filter(|t| set >> t & 1 != 0).fold(0, |h, t| h | self.held[t]);
        while work != 0 {
            let t = work.trailing_zeros() as usize;
            work &= work - 1;
            let next = &self.next[size * t..size * (t + 1)];
            for u in 0..self.running.len() {
                if closed >> u & 1 != 0 || !depends(words, next, &self.future[size * u..size * (u + 1)]) {
                    continue;
                }
                // Without any one of the locks that the set holds; that is at least as good as without all of them.
                let mut withouts = self.without.iter().filter(|w| held >> w.0 & 1 != 0);
                if withouts.all(|w| depends(words, next, &w.1[size * u..size * (u + 1)])) {
                    closed |= 1 << u;
                    work |= 1 << u;
                    held |= self.held[u];
                }
            }
        }
        closed
    }
}

/// The locks with known addresses that a thread holds exclusively, as bits.
pub fn held_locks(machine: &Machine, prints: &Footprints, thread: u32) -> u32 {
    let mut held = 0;
    for (address, lock) in &machine.locks.list {
        if lock.owner == Some(thread)
            && let Some(which) = prints.locks.iter().position(|l| l.0 == *address)
        {
            held |= 1 << which;
        }
    }
    held
}

/// Adds what a thread may touch from now on: at all (`which` is 0), or without lock `which - 1`.
pub fn thread_future(code: &Code, machine: &Machine, prints: &Footprints, thread: u32, which: usize, row: &mut [u64]) {
    let futures = prints.futures(which);
    for frame in machine.threads[thread as usize].frames.iter().rev() {
        let loc = if frame.call == NO_CALL { frame.loc } else { code.edges[frame.call as usize].target };
        let location = code.procs[frame.proc as usize].first_loc + loc;
        join(row, futures.row(location));
        if !futures.leaves(location) {
            break;
        }
    }
}

/// What all running threads but one may touch from now on, given the locks that this one holds.
pub fn others_future(code: &Code, machine: &Machine, prints: &Footprints, thread: u32, row: &mut Vec<u64>) {
    let size = 2 * prints.words;
    let others = (0..machine.threads.len() as u32)
        .filter(|t| *t != thread && machine.threads[*t as usize].status == Status::Running);
    row.clear();
    row.resize(size, 0);
    others.clone().for_each(|other| {
        thread_future(code, machine, prints, other, 0, row);
    });
    let mut held = held_locks(machine, prints, thread);
    if held == 0 {
        return;
    }
    let mut own = row.clone();
    thread_future(code, machine, prints, thread, 0, &mut own);
    held &= prints.firm_locks(&own);
    while held != 0 {
        let lock = held.trailing_zeros();
        held &= held - 1;
        let mut without = vec![0; size];
        others.clone().for_each(|other| {
            thread_future(code, machine, prints, other, lock as usize + 1, &mut without);
        });
        row.iter_mut().zip(&without).for_each(|(a, b)| *a &= b);
    }
}

/// Adds what the next step of a thread may touch, as it is in this state.
pub fn next_step(
    code: &Code,
    machine: &mut Machine,
    prints: &Footprints,
    guess: &AddressGuess,
    thread: u32,
    row: &mut [u64],
) {
    let frame = *machine.top(thread);
    let proc = &code.procs[frame.proc as usize];
    let location = proc.first_loc + frame.loc;
    if prints.is_whole(location) {
        thread_future(code, machine, prints, thread, 0, row);
        prints.add_program_end(row);
        return;
    }
    if machine.at_end(code, thread) {
        row.iter_mut().zip(prints.end(frame.proc)).for_each(|(a, b)| *a |= b);
        if thread == 0 {
            prints.add_program_end(row);
        }
        return;
    }
    if let Some(computed) = prints.computed(location)
        && let Some(thing) = crate::touched::touched_thing(code, machine, guess, thread, computed.label)
    {
        prints.add_access(row, guess, thing, computed.access);
        return;
    }
    // Conditions speak of locals, so nobody else can make the other edges possible.
    if prints.is_branch(location)
        && let Some(edges) = crate::touched::possible_edges(code, machine, thread)
    {
        edges.iter().for_each(|edge| {
            join(row, prints.next_on(*edge));
        });
        return;
    }
    row.iter_mut().zip(prints.next(location)).for_each(|(a, b)| *a |= b);
}
