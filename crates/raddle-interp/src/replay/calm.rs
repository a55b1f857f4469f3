//! Makes a violating execution easy to read: fewer steps and fewer context switches.
//!
//! First without changing what any step reads or writes. Steps conflict if they touch the same memory and one of them writes, or synchronise with each other; an execution whose
//! conflicting steps keep their order is equivalent (Mazurkiewicz). Steps that the violation does not come after, in this order, are dropped; the others are put into the order with the
//! fewest switches that a few greedy walks find. Then by trying neighbours that may not be equivalent: a block of steps of one thread moves next to another block of that thread.
//!
//! Nothing rests on these arguments: every result is replayed, and the execution as it was found stays where a replay misses the violation.

use super::execution::{Cell, Execution, What};
use super::{ReplayEnd, Schedule, ScheduleStep, Telling, record_code, replay_code};
use crate::machine::code::{Code, compile_under};
use raddle_ir::{MemoryModel, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Range;

/// Longer executions stay as they are.
const MOST_STEPS: usize = 200_000;
/// Neighbours are tried until so many steps have been replayed.
const MOST_REPLAYED: usize = 1_000_000;

/// How often another thread goes on.
pub fn switches(schedule: &Schedule) -> usize {
    schedule.steps.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count()
}

/// A schedule that reaches the same violation, with as few context switches as can be found.
pub fn calm(program: &Program, schedule: Schedule) -> Schedule {
    let has_threads = schedule.steps.iter().any(|step| step.thread != 0);
    if !has_threads || schedule.memory_model != MemoryModel::Sc || schedule.steps.len() > MOST_STEPS {
        return schedule;
    }
    let Ok(code) = compile_under(program, schedule.memory_model) else { return schedule };
    let (end, execution) = record_code(&code, &schedule, MOST_STEPS);
    if !end.is_error() || execution.omitted > 0 {
        return schedule;
    }
    let reaches = |schedule: &Schedule| replay_code(&code, schedule, Telling::Nothing).end == end;
    let mut best = schedule;
    let mut equivalent = reordered(&best, &execution);
    equivalent.sort_by_key(switches);
    if let Some(better) = equivalent.into_iter().find(|other| reaches(other)) {
        best = better;
    }
    let best = without_ends(&code, best, &end);
    by_neighbours(&code, best, &end)
}

// ---- equivalent executions ----

/// Steps that are taken together: one, or those of an atomic block.
struct Unit {
    thread: u32,
    steps: Range<usize>,
    /// Units that must come before it.
    after: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Global(u32),
    Byte(u32, u64),
    /// The life of an object.
    Life(u32),
    Lock(Cell),
    /// Threads are numbered in the order of their starts.
    Starts,
    Begun(u32),
    /// Where objects are put depends on what was freed.
    Heap,
}

fn reordered(schedule: &Schedule, execution: &Execution) -> Vec<Schedule> {
    let units = past_of_last(units(schedule, execution));
    let orders = [forward(&units, false), forward(&units, true), backward(&units)];
    let of_order = |order: Vec<usize>| {
        let steps = order.iter().flat_map(|unit| schedule.steps[units[*unit].steps.clone()].iter().cloned()).collect();
        Schedule { steps, memory_model: schedule.memory_model }
    };
    orders.into_iter().map(of_order).collect()
}

fn units(schedule: &Schedule, execution: &Execution) -> Vec<Unit> {
    let mut unit_of = vec![0; schedule.steps.len()];
    let mut units: Vec<Unit> = Vec::new();
    let mut events = execution.events.iter().peekable();
    let mut depth = 0;
    for (at, step) in schedule.steps.iter().enumerate() {
        match units.last_mut().filter(|_| depth > 0) {
            Some(unit) => unit.steps.end = at + 1,
            None => units.push(Unit { thread: step.thread, steps: at..at + 1, after: Vec::new() }),
        }
        unit_of[at] = units.len() - 1;
        while let Some(event) = events.next_if(|event| event.step as usize == at) {
            match event.what {
                What::AtomicBegin => depth += 1,
                What::AtomicEnd => depth = i32::max(depth - 1, 0),
                _ => {}
            }
        }
    }
    order_conflicts(&mut units, &unit_of, execution);
    units
}

/// Each unit comes after the units that it conflicts with, and after the one before it of its thread.
fn order_conflicts(units: &mut [Unit], unit_of: &[usize], execution: &Execution) {
    // The last unit that wrote, and those that have read since.
    let mut last: FxHashMap<Key, (Option<usize>, Vec<usize>)> = FxHashMap::default();
    let mut last_of_thread: FxHashMap<u32, usize> = FxHashMap::default();
    let mut event = 0;
    let mut accesses: Vec<(Key, bool)> = Vec::new();
    for (unit, of_unit) in units.iter_mut().enumerate() {
        let mut after: Vec<usize> = Vec::new();
        let thread = of_unit.thread;
        after.extend(last_of_thread.insert(thread, unit));
        accesses.clear();
        if after.is_empty() {
            accesses.push((Key::Begun(thread), false));
        }
        while let Some(of) = execution.events.get(event).filter(|of| unit_of[of.step as usize] == unit) {
            touched(&of.what, &mut accesses);
            if let What::Join { thread } = of.what {
                after.extend(last_of_thread.get(&thread));
            }
            event += 1;
        }
        for (key, writes) in &accesses {
            let (writer, readers) = last.entry(*key).or_default();
            after.extend(writer.iter());
            if *writes {
                after.append(readers);
                *writer = Some(unit);
            } else {
                readers.push(unit);
            }
        }
        after.sort_unstable();
        after.dedup();
        after.retain(|other| *other != unit);
        of_unit.after = after;
    }
}

/// What an event touches, and whether it writes that.
fn touched(what: &What, accesses: &mut Vec<(Key, bool)>) {
    let mut memory = |cell: Cell, writes: bool| match cell {
        Cell::Global(var) => accesses.push((Key::Global(var.0), writes)),
        Cell::Bytes { object, offset, size } => {
            accesses.push((Key::Life(object), false));
            accesses.extend((offset..offset + u64::from(size)).map(|at| (Key::Byte(object, at), writes)));
        }
        Cell::Own(..) | Cell::Nowhere(_) => {}
    };
    match *what {
        What::Read { cell, .. } => memory(cell, false),
        What::Write { cell, .. } => memory(cell, true),
        What::Lock { lock, .. } => accesses.push((Key::Lock(lock), true)),
        What::Alloc { .. } => accesses.push((Key::Heap, false)),
        What::Free { object } => accesses.extend([(Key::Heap, true), (Key::Life(object), true)]),
        What::Start { thread } => accesses.extend([(Key::Starts, true), (Key::Begun(thread), true)]),
        _ => {}
    }
}

/// The units that the last one comes after, and itself.
fn past_of_last(mut units: Vec<Unit>) -> Vec<Unit> {
    let mut kept = vec![false; units.len()];
    let mut open: Vec<usize> = units.len().checked_sub(1).into_iter().collect();
    while let Some(unit) = open.pop() {
        if !std::mem::replace(&mut kept[unit], true) {
            open.extend(&units[unit].after);
        }
    }
    let mut number = 0;
    let numbers: Vec<usize> = kept.iter().map(|kept| (number, number += usize::from(*kept)).0).collect();
    let mut keep = kept.iter();
    units.retain(|_| keep.next() == Some(&true));
    for unit in &mut units {
        unit.after.iter_mut().for_each(|other| *other = numbers[*other]);
    }
    units
}

/// Goes on with a thread as long as it can; then with the one that can go on longest, or with the first.
fn forward(units: &[Unit], longest: bool) -> Vec<usize> {
    let mut waits: Vec<usize> = units.iter().map(|unit| unit.after.len()).collect();
    let next = followers(units);
    let mut queues = queues(units);
    let mut order = Vec::with_capacity(units.len());
    let mut done = vec![false; units.len()];
    let mut current = 0;
    while order.len() < units.len() {
        let is_ready = |queue: &Queue, waits: &[usize]| queue.next(0).is_some_and(|unit| waits[unit] == 0);
        if !is_ready(&queues[current], &waits) {
            let ready = (0..queues.len()).filter(|at| is_ready(&queues[*at], &waits));
            let length = |at: &usize| if longest { run_length(units, &queues[*at], &done) } else { usize::MAX - at };
            let Some(chosen) = ready.max_by_key(length) else { return (0..units.len()).collect() };
            current = chosen;
        }
        let Some(unit) = queues[current].take() else { return (0..units.len()).collect() };
        order.push(unit);
        done[unit] = true;
        next[unit].iter().for_each(|other| waits[*other] -= 1);
    }
    order
}

/// How many units of a thread could be taken in a row, given those that have been taken.
fn run_length(units: &[Unit], queue: &Queue, done: &[bool]) -> usize {
    let is_ready = |unit: &&usize| {
        let own = units[**unit].thread;
        units[**unit].after.iter().all(|other| done[*other] || units[*other].thread == own)
    };
    queue.units[queue.taken..].iter().take_while(is_ready).count()
}

/// The same from the end: every thread runs as late as it can.
fn backward(units: &[Unit]) -> Vec<usize> {
    let mut waits: Vec<usize> = followers(units).iter().map(Vec::len).collect();
    let mut queues = queues(units);
    queues.iter_mut().for_each(|queue| queue.units.reverse());
    let Some(last) = units.last() else { return Vec::new() };
    let is_last = |queue: &Queue| queue.next(0).is_some_and(|unit| units[unit].thread == last.thread);
    let mut current = queues.iter().position(is_last).unwrap_or(0);
    let mut order = Vec::with_capacity(units.len());
    while order.len() < units.len() {
        let is_ready = |queue: &Queue, waits: &[usize]| queue.next(0).is_some_and(|unit| waits[unit] == 0);
        if !is_ready(&queues[current], &waits) {
            let Some(chosen) = (0..queues.len()).rev().find(|at| is_ready(&queues[*at], &waits)) else {
                return (0..units.len()).collect();
            };
            current = chosen;
        }
        let Some(unit) = queues[current].take() else { return (0..units.len()).collect() };
        order.push(unit);
        units[unit].after.iter().for_each(|other| waits[*other] -= 1);
    }
    order.reverse();
    order
}

/// The units of a thread, in order.
struct Queue {
    units: Vec<usize>,
    taken: usize,
}

impl Queue {
    fn next(&self, ahead: usize) -> Option<usize> {
        self.units.get(self.taken + ahead).copied()
    }

    fn take(&mut self) -> Option<usize> {
        let unit = self.next(0);
        self.taken += 1;
        unit
    }
}

fn queues(units: &[Unit]) -> Vec<Queue> {
    let mut of_thread: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    units.iter().enumerate().for_each(|(at, unit)| of_thread.entry(unit.thread).or_default().push(at));
    of_thread.into_values().map(|units| Queue { units, taken: 0 }).collect()
}

fn followers(units: &[Unit]) -> Vec<Vec<usize>> {
    let mut next = vec![Vec::new(); units.len()];
    for (at, unit) in units.iter().enumerate() {
        unit.after.iter().for_each(|other| next[*other].push(at));
    }
    next
}

// ---- neighbours ----

/// Blocks of steps of one thread.
fn blocks(steps: &[ScheduleStep]) -> Vec<&[ScheduleStep]> {
    steps.chunk_by(|a, b| a.thread == b.thread).collect()
}

/// Threads stop as early as they can: the blocks of a thread from one on are left out.
fn without_ends(code: &Code, mut best: Schedule, end: &ReplayEnd) -> Schedule {
    let mut replayed = 0;
    let mut at = blocks(&best.steps).len().saturating_sub(1);
    while at > 0 && replayed < MOST_REPLAYED / 2 {
        at -= 1;
        let all = blocks(&best.steps);
        let thread = all[at][0].thread;
        let kept = all.iter().enumerate().filter(|(block, steps)| *block < at || steps[0].thread != thread);
        let steps: Vec<ScheduleStep> = kept.flat_map(|(_, steps)| steps.iter().cloned()).collect();
        let tried = Schedule { steps, memory_model: best.memory_model };
        replayed += tried.steps.len();
        if replay_code(code, &tried, Telling::Nothing).end == *end {
            best = tried;
            at = at.min(blocks(&best.steps).len());
        }
    }
    best
}

fn by_neighbours(code: &Code, mut best: Schedule, end: &ReplayEnd) -> Schedule {
    let mut replayed = 0;
    let mut from = 0;
    loop {
        let all = blocks(&best.steps);
        let mut better = None;
        'search: for first in from..all.len() {
            let thread = all[first][0].thread;
            let Some(second) = (first + 2..all.len()).find(|at| all[*at][0].thread == thread) else { continue };
            // Later, just before the second block; or the second block earlier, just after it.
            for (moved, to) in [(first, second), (second, first + 1)] {
                if replayed > MOST_REPLAYED {
                    break 'search;
                }
                let mut order: Vec<usize> = (0..all.len()).filter(|block| *block != moved).collect();
                order.insert(if moved < to { to - 1 } else { to }, moved);
                let steps: Vec<ScheduleStep> = order.iter().flat_map(|block| all[*block].iter().cloned()).collect();
                let tried = Schedule { steps, memory_model: best.memory_model };
                replayed += tried.steps.len();
                if switches(&tried) < switches(&best) && replay_code(code, &tried, Telling::Nothing).end == *end {
                    better = Some((tried, first));
                    break 'search;
                }
            }
        }
        match better {
            Some((better, first)) => (best, from) = (cut(code, better, end), first.saturating_sub(2)),
            None if from > 0 && replayed <= MOST_REPLAYED => from = 0,
            None => return best,
        }
    }
}

/// Without steps after the violation.
fn cut(code: &Code, mut schedule: Schedule, end: &ReplayEnd) -> Schedule {
    let last = schedule.steps.last().map(|step| step.thread);
    let Some(at) = schedule.steps.iter().rposition(|step| Some(step.thread) != last) else { return schedule };
    let shorter = Schedule { steps: schedule.steps[..=at].to_vec(), memory_model: schedule.memory_model };
    if replay_code(code, &shorter, Telling::Nothing).end == *end {
        schedule = shorter;
    }
    schedule
}
