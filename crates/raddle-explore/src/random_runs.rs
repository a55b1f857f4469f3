//! Random executions beside the systematic search: a share of its time goes into runs that store nothing.
//!
//! A search that stores each state gets nowhere where states are large (arrays of a hundred thousand elements) or many; a run of millions of steps takes a second. Runs get longer
//! when they are cut off. They only find violations, which are replayed like all others.

use raddle_engine::{Budget, Schedule, Task};
use raddle_interp::machine::code::{Code, compile_under};
use raddle_interp::random_run;
use raddle_interp::sample::corner_values;
use raddle_ir::MemoryModel;
use std::time::Duration;

/// One part in so many of the time is theirs.
const SHARE: u32 = 10;
const FIRST_LENGTH: u64 = 20_000;
const LONGEST: u64 = 50_000_000;
/// Runs of one length that are cut off before runs get longer.
const RUNS_OF_A_LENGTH: u32 = 3;
/// A violation that is not confirmed this often is not looked for any more.
const MOST_FAILURES: u32 = 3;

pub struct RandomRuns<'a> {
    task: &'a Task,
    code: Code<'a>,
    budget: &'a Budget,
    corners: Vec<u128>,
    begin: Duration,
    spent: Duration,
    seed: u64,
    length: u64,
    cut_off: u32,
    failures: u32,
    /// Of the Program as lowered, replayed.
    pub found: Option<Schedule>,
    pub runs: u64,
}

impl<'a> RandomRuns<'a> {
    /// Under sequential consistency; stores that wait in buffers are for the search.
    pub fn new(task: &'a Task, budget: &'a Budget) -> Option<RandomRuns<'a>> {
        if task.memory_model() != MemoryModel::Sc {
            return None;
        }
        let code = compile_under(task.program(), MemoryModel::Sc).ok()?;
        Some(RandomRuns {
            task,
            code,
            budget,
            corners: corner_values(task.program()),
            begin: budget.now(),
            spent: Duration::ZERO,
            seed: 0,
            length: FIRST_LENGTH,
            cut_off: 0,
            failures: 0,
            found: None,
            runs: 0,
        })
    }

    /// Takes a turn if it is due. Is there a violation?
    pub fn turn(&mut self) -> bool {
        if self.failures >= MOST_FAILURES || self.spent * SHARE > self.budget.since(self.begin) {
            return false;
        }
        let begin = self.budget.now();
        self.seed += 1;
        self.runs += 1;
        let run = random_run(&self.code, self.seed, self.length, &self.corners, &|| self.budget.stop());
        self.spent += self.budget.since(begin);
        if !run.is_over {
            self.cut_off += 1;
            if self.cut_off == RUNS_OF_A_LENGTH {
                (self.cut_off, self.length) = (0, (self.length * 4).min(LONGEST));
            }
        }
        let Some(schedule) = run.schedule else { return false };
        match self.budget.uninterrupted(|| self.task.violation(&schedule)) {
            Ok(_) => self.found = Some(schedule),
            Err(_) => self.failures += 1,
        }
        self.found.is_some()
    }
}
