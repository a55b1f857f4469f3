//! Orders of an execution in which every step reads and writes the same.
//!
//! Steps conflict if they touch the same memory and one of them writes, or synchronise with each other; an execution whose conflicting steps keep their order is equivalent
//! (Mazurkiewicz). Steps that the violation does not come after, in this order, are dropped; the others are put into the order with the fewest switches that a few greedy walks find.

use crate::replay::Schedule;
use crate::replay::execution::{Cell, Execution, What};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Range;

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

/// Orders of the steps of a schedule that keep the order of conflicting ones. `strictly`: threads and objects also keep their numbers and addresses.
pub fn reordered(schedule: &Schedule, execution: &Execution, strictly: bool) -> Vec<Vec<u32>> {
    let units = past_of_last(units(schedule, execution, strictly));
    let orders = [forward(&units, false), forward(&units, true), backward(&units)];
    let of_order = |order: Vec<usize>| {
        let steps = order.iter().flat_map(|unit| units[*unit].steps.clone());
        steps.map(|step| step as u32).collect()
    };
    orders.into_iter().map(of_order).collect()
}

fn units(schedule: &Schedule, execution: &Execution, strictly: bool) -> Vec<Unit> {
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
    order_conflicts(&mut units, &unit_of, execution, strictly);
    units
}

/// Each unit comes after the units that it conflicts with, and after the one before it of its thread.
fn order_conflicts(units: &mut [Unit], unit_of: &[usize], execution: &Execution, strictly: bool) {
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
        if !strictly {
            accesses.retain(|(key, _)| !matches!(key, Key::Starts | Key::Heap));
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
        What::Misuse { object, .. } => accesses.extend(object.map(|object| (Key::Life(object), false))),
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
