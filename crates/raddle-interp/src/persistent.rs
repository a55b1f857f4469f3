//! Persistent sets of threads (Godefroid 1996, chapter 4; Overman's conflict closure over static footprints).
//!
//! A set T of threads is persistent in a state if nothing that the threads outside T can ever do without T depends on
//! the next step of a thread in T. Then only T's steps need to be explored from the state. T is the closure of one thread
//! under "its next step may depend on something in the future of": what a step touches is known exactly or nearly so, and
//! the futures are those of `footprint`. A step that is not possible now counts with what could make it
//! possible: what it reads, the holder of a lock it waits for, the thread it joins.

use crate::code::Code;
use crate::footprint::{Footprints, depends};
use crate::points_to::PointsTo;
use crate::state::{Machine, Status};

/// Sets of threads as bits; with more threads than bits there is no reduction.
pub const MOST_THREADS: usize = 64;

/// The next steps and the futures of the running threads of a state.
#[derive(Default)]
pub struct Situation {
    pub running: Vec<u32>,
    next: Vec<u64>,
    future: Vec<u64>,
}

impl Situation {
    pub fn read(&mut self, code: &Code, machine: &mut Machine, prints: &Footprints, points_to: &PointsTo) {
        let size = 2 * prints.words;
        self.running.clear();
        let running = machine.threads.iter().enumerate().filter(|(_, t)| t.status == Status::Running);
        self.running.extend(running.map(|(i, _)| i as u32));
        self.next.clear();
        self.future.clear();
        for i in 0..self.running.len() {
            let thread = self.running[i];
            self.next.resize(size * (i + 1), 0);
            self.future.resize(size * (i + 1), 0);
            thread_future(code, machine, prints, thread, &mut self.future[size * i..]);
            next_step(code, machine, prints, points_to, thread, &mut self.next[size * i..]);
        }
    }

    /// Positions (in `running`) of the closure of a set of positions.
    pub fn close(&self, words: usize, set: u64) -> u64 {
        let size = 2 * words;
        let (mut closed, mut work) = (set, set);
        while work != 0 {
            let t = work.trailing_zeros() as usize;
            work &= work - 1;
            let next = &self.next[size * t..size * (t + 1)];
            for u in 0..self.running.len() {
                if closed >> u & 1 == 0 && depends(words, next, &self.future[size * u..size * (u + 1)]) {
                    closed |= 1 << u;
                    work |= 1 << u;
                }
            }
        }
        closed
    }
}

/// Adds what a thread may touch from now on.
pub fn thread_future(code: &Code, machine: &Machine, prints: &Footprints, thread: u32, row: &mut [u64]) {
    let t = &machine.threads[thread as usize];
    for (i, frame) in t.frames.iter().enumerate() {
        let proc = &code.procs[frame.proc as usize];
        let loc = if i + 1 == t.frames.len() { frame.loc } else { code.edges[frame.call as usize].target };
        row.iter_mut().zip(prints.future(proc.first_loc + loc)).for_each(|(a, b)| *a |= b);
    }
}

/// Adds what the next step of a thread may touch, as it is in this state.
pub fn next_step(
    code: &Code,
    machine: &mut Machine,
    prints: &Footprints,
    points_to: &PointsTo,
    thread: u32,
    row: &mut [u64],
) {
    let frame = *machine.top(thread);
    let proc = &code.procs[frame.proc as usize];
    let location = proc.first_loc + frame.loc;
    if prints.is_whole(location) {
        thread_future(code, machine, prints, thread, row);
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
        && let Some(thing) = crate::step::touched_thing(code, machine, points_to, thread, computed.label)
    {
        prints.add_access(row, points_to, thing, computed.access);
        return;
    }
    row.iter_mut().zip(prints.next(location)).for_each(|(a, b)| *a |= b);
}
