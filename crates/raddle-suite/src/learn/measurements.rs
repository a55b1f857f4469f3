//! What is learned from: how each configuration, alone, ended on each task, and after how much CPU time.

use super::options::{Engine, engine};
use crate::error::{Result, bail};
use crate::record::{Answer, Record};
use crate::report::matrix::Matrix;
use serde_json::{Map, Value};

/// How a run ends when it is given all the time it wants.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Run {
    /// Seconds; infinite if the measurement was over before the run.
    pub cpu: f64,
    pub end: End,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Right,
    Wrong,
    /// Without an answer.
    Nothing,
}

#[derive(Clone, Debug)]
pub struct Measurements {
    /// Those that can be steps of a strategy.
    pub configurations: Vec<(String, Engine)>,
    pub tasks: Vec<Task>,
    /// By configuration, and then by task.
    pub runs: Vec<Vec<Run>>,
    /// Seconds that were given to each run.
    pub measured: f64,
    /// What was left out, and why, in sentences.
    pub left_out: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Task {
    /// The folder: tasks of one folder resemble each other.
    pub family: String,
    pub traits: Map<String, Value>,
}

/// A run this close to the timeout was stopped by it, whatever it said.
const CLOSE: f64 = 0.95;

pub fn measurements(results: &Matrix) -> Result<Measurements> {
    let mut left_out = Vec::new();
    let mut chosen = Vec::new();
    for (c, configuration) in results.configurations.iter().enumerate() {
        match engine(&configuration.options) {
            _ if results.runs_of(c).next().is_none() => left_out.push(format!("{} has no records", configuration.name)),
            Ok(engine) => chosen.push((c, configuration.name.clone(), engine)),
            Err(reason) => left_out.push(format!("{} {reason}", configuration.name)),
        }
    }
    // Only tasks that all configurations have run on: anything else would compare unlike with unlike.
    let complete: Vec<usize> =
        (0..results.tasks.len()).filter(|t| chosen.iter().all(|(c, ..)| results.runs[*c][*t].is_some())).collect();
    if chosen.is_empty() {
        bail!("no configuration can be a step of a strategy: {}", left_out.join("; "));
    }
    if complete.is_empty() {
        bail!("no task was run with all configurations");
    }
    if complete.len() < results.tasks.len() {
        let missing = results.tasks.len() - complete.len();
        left_out.push(format!("{missing} tasks lack records of some configurations"));
    }
    let task = |t: &usize| Task { family: family(&results.tasks[*t].name), traits: results.tasks[*t].traits.clone() };
    let runs =
        |c: usize| complete.iter().filter_map(|t| Some(run(results.runs[c][*t].as_ref()?, results.timeout))).collect();
    Ok(Measurements {
        tasks: complete.iter().map(task).collect(),
        runs: chosen.iter().map(|(c, ..)| runs(*c)).collect(),
        configurations: chosen.into_iter().map(|(_, name, engine)| (name, engine)).collect(),
        measured: results.timeout,
        left_out,
    })
}

fn family(task: &str) -> String {
    task.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned()
}

fn run(record: &Record, timeout: f64) -> Run {
    if record.is_solved() {
        let end = if record.is_wrong() { End::Wrong } else { End::Right };
        return Run { cpu: record.cpu.max(0.0), end };
    }
    let stopped = record.cpu >= CLOSE * timeout || record.answer == Answer::Unknown("timeout".to_owned());
    Run { cpu: if stopped { f64::INFINITY } else { record.cpu.max(0.0) }, end: End::Nothing }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::test_runs::{results, run as record};

    #[test]
    fn a_run_that_was_stopped_has_no_end() {
        let unknown = |code: &str, cpu| record("a.c", None, Answer::Unknown(code.to_owned()), cpu);
        assert_eq!(run(&unknown("timeout", 3.0), 60.0).cpu, f64::INFINITY);
        assert_eq!(run(&unknown("out-of-memory", 59.0), 60.0).cpu, f64::INFINITY);
        assert_eq!(run(&unknown("stuck", 3.0), 60.0).cpu, 3.0);
    }

    #[test]
    fn only_tasks_of_all_configurations_count() {
        let task = |name: &str| record(name, Some(true), Answer::True, 1.0);
        let mut results =
            results(&[("oc", vec![task("f/a.c"), task("f/b.c")]), ("explore", vec![task("f/a.c")]), ("auto", vec![])]);
        results.configurations[2].options = vec!["--engine".to_owned(), "auto".to_owned()];
        let m = measurements(&results).expect("one task is complete");
        assert_eq!(m.tasks.len(), 1);
        assert_eq!(m.tasks[0].family, "f");
        assert_eq!(m.configurations.len(), 2);
        assert_eq!(m.left_out.len(), 2);
    }
}
