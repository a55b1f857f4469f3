//! Makes a violating execution easy to read: fewer context switches and fewer steps.
//!
//! First without changing what any step reads or writes (`equivalent`), then by trying neighbours that may not be equivalent (`neighbours`).
//!
//! Nothing rests on why these should work: every result is replayed, and the execution as it was found stays where a replay misses the violation.

mod equivalent;
mod neighbours;
#[cfg(test)]
mod tests;

use super::execution::{Execution, What};
use super::{ReplayEnd, Schedule, record_code, replay_code};
use crate::machine::code::{Code, compile_under};
use crate::replay::Telling;
use equivalent::reordered;
use raddle_ir::{MemoryModel, Program};
use rustc_hash::FxHashMap;

/// Longer executions stay as they are.
const MOST_STEPS: usize = 200_000;

/// How often another thread goes on.
pub fn switches(schedule: &Schedule) -> usize {
    schedule.steps.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count()
}

/// A schedule that reaches the same violation, with as few context switches as can be found, and without iterations of loops that it does not need.
pub fn calm(program: &Program, schedule: Schedule) -> Schedule {
    if schedule.memory_model != MemoryModel::Sc || schedule.steps.len() > MOST_STEPS {
        return schedule;
    }
    let Ok(code) = compile_under(program, schedule.memory_model) else { return schedule };
    let has_threads = schedule.steps.iter().any(|step| step.thread != 0);
    let (end, execution) = match has_threads {
        true => record_code(&code, &schedule, MOST_STEPS),
        false => (replay_code(&code, &schedule, Telling::Nothing).end, Execution::default()),
    };
    if !end.is_error() {
        return schedule;
    }
    let mut found = Found { code: &code, schedule: &schedule, end, starts: starts(&execution), left: 0 };
    let mut best: Vec<u32> = (0..schedule.steps.len() as u32).collect();
    if has_threads {
        let mut equivalent = reordered(&schedule, &execution, true);
        equivalent.extend(reordered(&schedule, &execution, false));
        equivalent.sort_by_key(|order| found.switches(order));
        best = equivalent.into_iter().find_map(|order| found.tried(&order)).unwrap_or(best);
    }
    best = neighbours::calmer(&mut found, best);
    found
        .schedule_of(&best)
        .filter(|calm| replay_code(&code, calm, Telling::Nothing).end == found.end)
        .unwrap_or(schedule)
}

/// The threads that steps start.
fn starts(execution: &Execution) -> FxHashMap<u32, Vec<u32>> {
    let mut starts: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for event in &execution.events {
        if let What::Start { thread } = event.what {
            starts.entry(event.step).or_default().push(thread);
        }
    }
    starts
}

/// The execution as it was found. Others are told by the positions of their steps in it.
struct Found<'a> {
    code: &'a Code<'a>,
    schedule: &'a Schedule,
    end: ReplayEnd,
    starts: FxHashMap<u32, Vec<u32>>,
    /// So many steps may still be replayed.
    left: usize,
}

impl Found<'_> {
    /// The thread of a step, by its number in the execution as it was found.
    fn thread(&self, step: u32) -> u32 {
        self.schedule.steps[step as usize].thread
    }

    fn switches(&self, order: &[u32]) -> usize {
        order.windows(2).filter(|pair| self.thread(pair[0]) != self.thread(pair[1])).count()
    }

    /// The schedule that takes steps in an order. Threads are numbered in the order of their starts; none if a thread is never started.
    fn schedule_of(&self, order: &[u32]) -> Option<Schedule> {
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        numbers.insert(0, 0);
        let mut steps = Vec::with_capacity(order.len());
        for at in order {
            let mut step = self.schedule.steps[*at as usize].clone();
            step.thread = *numbers.get(&step.thread)?;
            for thread in self.starts.get(at).into_iter().flatten() {
                let next = numbers.len() as u32;
                numbers.insert(*thread, next);
            }
            steps.push(step);
        }
        Some(Schedule { steps, memory_model: self.schedule.memory_model })
    }

    /// The steps in this order up to the violation, if they reach it.
    fn tried(&mut self, order: &[u32]) -> Option<Vec<u32>> {
        let result = replay_code(self.code, &self.schedule_of(order)?, Telling::Nothing);
        self.left = self.left.saturating_sub(result.taken.max(order.len() / 4));
        (result.end == self.end).then(|| order[..result.taken].to_vec())
    }
}
