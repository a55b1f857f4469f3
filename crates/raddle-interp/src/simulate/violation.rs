//! Random executions that look for a violation: the first run keeps no record; one that reaches the error is repeated with the same seed and written down as a schedule.

use super::{Run, SimulateConfig, SimulateEnd};
use crate::machine::code::Code;
use crate::replay::Schedule;
use raddle_budget::Stop;

/// How a random execution went.
pub struct RandomRun {
    pub steps: u64,
    /// It reaches an error: how, which is still to be replayed.
    pub schedule: Option<Schedule>,
    /// The execution came to an end before its steps were used up.
    pub is_over: bool,
}

/// Executes a Program for so many steps at most, under sequential consistency.
pub fn random_run(code: &Code, seed: u64, steps: u64, corners: &[u128], stop: &dyn Fn() -> Option<Stop>) -> RandomRun {
    let config = SimulateConfig { seed, steps: Some(steps), trace_limit: 0 };
    let mut run = Run::<false>::new(code, &config, corners);
    let end = run.drive(Some(steps), &mut std::io::sink(), stop);
    let taken = run.steps;
    let is_over = !matches!(end, SimulateEnd::StepLimit | SimulateEnd::Stopped(_));
    if !matches!(end, SimulateEnd::Error(_)) {
        return RandomRun { steps: taken, schedule: None, is_over };
    }
    let mut again = Run::<true>::new(code, &config, corners);
    let reached = matches!(again.drive(Some(taken + 1), &mut std::io::sink(), &|| None), SimulateEnd::Error(_));
    let steps = std::mem::take(&mut again.log.schedule);
    let schedule = reached.then_some(Schedule { steps, memory_model: code.model });
    RandomRun { steps: taken, schedule, is_over }
}
