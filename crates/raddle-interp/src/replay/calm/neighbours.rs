//! Executions near a violating one that violate as well, with fewer switches or fewer steps.
//!
//! Tried in this order, until nothing helps: a thread stops where it is; a stretch of a thread moves next to another stretch of that thread; a stretch between two of another thread is split, so that
//! its parts go to the stretches before and after; iterations of a loop are left out, many at once first.

use super::Found;
use crate::machine::state::Machine;
use crate::replay::{Recorded, take_step};
use rustc_hash::{FxHashMap, FxHashSet};

/// A stretch is split at so many places at most.
const MOST_SPLITS: usize = 24;

/// Stretches are tried until so many steps have been replayed, and loops.
const MOST_FOR_STRETCHES: usize = 400_000;
const MOST_FOR_LOOPS: usize = 200_000;

pub fn calmer(found: &mut Found, mut best: Vec<u32>) -> Vec<u32> {
    let mut for_stretches = MOST_FOR_STRETCHES;
    let mut for_loops = MOST_FOR_LOOPS;
    loop {
        let before = (found.switches(&best), best.len());
        found.left = for_stretches;
        best = without_ends(found, best);
        best = merged(found, best);
        best = split(found, best);
        for_stretches = found.left;
        found.left = for_loops;
        best = without_iterations(found, best);
        for_loops = found.left;
        if (found.switches(&best), best.len()) == before || for_stretches == 0 {
            return best;
        }
    }
}

/// Stretches of steps of one thread.
fn stretches<'a>(found: &Found, order: &'a [u32]) -> Vec<&'a [u32]> {
    order.chunk_by(|a, b| found.thread(*a) == found.thread(*b)).collect()
}

/// Threads stop as early as they can: the stretches of a thread from one on are left out.
fn without_ends(found: &mut Found, mut best: Vec<u32>) -> Vec<u32> {
    let mut at = stretches(found, &best).len().saturating_sub(1);
    while at > 0 && found.left > 0 {
        at -= 1;
        let all = stretches(found, &best);
        let thread = found.thread(all[at][0]);
        let is_kept = |(number, steps): &(usize, &&[u32])| *number < at || found.thread(steps[0]) != thread;
        let order: Vec<u32> = all.iter().enumerate().filter(is_kept).flat_map(|(_, steps)| *steps).copied().collect();
        if let Some(better) = found.tried(&order) {
            best = better;
            at = at.min(stretches(found, &best).len());
        }
    }
    best
}

// ---- loops ----

/// Leaves out what a thread does between two visits of a place: first between the farthest ones.
fn without_iterations(found: &mut Found, mut best: Vec<u32>) -> Vec<u32> {
    // Of a long execution there are too many to try.
    if best.len() > MOST_FOR_LOOPS / 4 {
        return best;
    }
    let mut size = usize::MAX;
    while size > 0 && found.left > 0 {
        let visits = visits(found, &best);
        let longest = visits.iter().map(Vec::len).max().unwrap_or(0).saturating_sub(1);
        size = size.min(longest);
        for of_place in visits {
            let mut end = of_place.len();
            while size > 0 && end > size && found.left > 0 {
                end -= 1;
                let (from, to) = (of_place[end - size], of_place[end]);
                if let Some(better) = without(found, &best, from, to) {
                    best = better;
                    end = (end + 1).saturating_sub(size);
                }
            }
        }
        size /= 2;
    }
    best
}

/// Without the steps of a thread from one on, up to another.
fn without(found: &mut Found, best: &[u32], from: u32, to: u32) -> Option<Vec<u32>> {
    let first = best.iter().position(|step| *step == from)?;
    let end = first + best[first..].iter().position(|step| *step == to)?;
    let thread = found.thread(from);
    let middle = best[first..end].iter().filter(|step| found.thread(**step) != thread);
    let order: Vec<u32> = best[..first].iter().chain(middle).chain(&best[end..]).copied().collect();
    let order = without_unstarted(found, order);
    if found.switches(&order) > found.switches(best) {
        return None;
    }
    found.tried(&order)
}

/// Without the steps of threads that are not started.
fn without_unstarted(found: &Found, mut order: Vec<u32>) -> Vec<u32> {
    let mut runs: FxHashSet<u32> = [0].into_iter().collect();
    order.retain(|step| {
        let is_running = runs.contains(&found.thread(*step));
        if is_running {
            runs.extend(found.starts.get(step).into_iter().flatten());
        }
        is_running
    });
    order
}

/// The steps that a thread takes from one place, with the same calls active, for each place with several.
fn visits(found: &mut Found, order: &[u32]) -> Vec<Vec<u32>> {
    found.left = found.left.saturating_sub(order.len());
    let mut of_places: FxHashMap<(u32, usize, u32, u32), usize> = FxHashMap::default();
    let mut visits: Vec<Vec<u32>> = Vec::new();
    let Some(schedule) = found.schedule_of(order) else { return visits };
    let mut machine = Machine::new(found.code);
    let mut oracle = Recorded::new(found.code);
    for (step, at) in schedule.steps.iter().zip(order) {
        if let Some(thread) = machine.threads.get(step.thread as usize)
            && let Some(top) = thread.frames.last()
        {
            let place = (step.thread, thread.frames.len(), top.proc, top.loc);
            let number = *of_places.entry(place).or_insert(visits.len());
            if number == visits.len() {
                visits.push(Vec::new());
            }
            visits[number].push(*at);
        }
        oracle.begin(&machine, step);
        if take_step(found.code, &mut machine, step, &mut oracle).is_err() {
            break;
        }
    }
    visits.retain(|steps| steps.len() > 1);
    visits
}

// ---- stretches ----

/// The stretches with one taken to another place.
fn with_moved(all: &[&[u32]], moved: usize, to: usize) -> Vec<u32> {
    let mut order: Vec<usize> = (0..all.len()).filter(|stretch| *stretch != moved).collect();
    order.insert(if moved < to { to - 1 } else { to }, moved);
    order.iter().flat_map(|stretch| all[*stretch]).copied().collect()
}

/// A stretch of a thread moves to the next one of that thread, or that one to it.
fn merged(found: &mut Found, mut best: Vec<u32>) -> Vec<u32> {
    let mut from = 0;
    loop {
        let all = stretches(found, &best);
        let mut better = None;
        'search: for first in from..all.len() {
            let thread = found.thread(all[first][0]);
            let Some(second) = (first + 2..all.len()).find(|at| found.thread(all[*at][0]) == thread) else { continue };
            // Later, just before the second one; or the second one earlier, just after it.
            for (moved, to) in [(first, second), (second, first + 1)] {
                if found.left == 0 {
                    break 'search;
                }
                let order = with_moved(&all, moved, to);
                if found.switches(&order) < found.switches(&best)
                    && let Some(order) = found.tried(&order)
                {
                    better = Some((order, first));
                    break 'search;
                }
            }
        }
        match better {
            Some((better, first)) => (best, from) = (better, first.saturating_sub(2)),
            None if from > 0 && found.left > 0 => from = 0,
            None => return best,
        }
    }
}

/// Of `b1 a b2`, stretches of two threads, `a` is split: its first part, `b1 b2`, its second part. That helps where `a` goes on before or after.
fn split(found: &mut Found, mut best: Vec<u32>) -> Vec<u32> {
    let mut at = 0;
    loop {
        let all = stretches(found, &best);
        if at + 3 > all.len() || found.left == 0 {
            return best;
        }
        let (first, middle, second) = (all[at], all[at + 1], all[at + 2]);
        let mut better = None;
        if found.thread(first[0]) == found.thread(second[0]) {
            let stride = middle.len().div_ceil(MOST_SPLITS);
            let (before, after) = (all[..at].concat(), all[at + 3..].concat());
            better = (1..middle.len()).step_by(stride).find_map(|cut| {
                let (early, late) = middle.split_at(cut);
                let order = [&before, early, first, second, late, &after].concat();
                let is_fewer = found.left > 0 && found.switches(&order) < found.switches(&best);
                if is_fewer { found.tried(&order) } else { None }
            });
        }
        match better {
            Some(better) => (best, at) = (better, at.saturating_sub(2)),
            None => at += 1,
        }
    }
}
