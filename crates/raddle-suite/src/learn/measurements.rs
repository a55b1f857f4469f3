//! What is learned from: how each configuration, alone, ended on each task, and after how much CPU time.

use super::options::{Engine, engine};
use crate::error::{Result, bail};
use crate::record::{Answer, Record, contradictory};
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
    /// Without an answer.
    Nothing,
}

#[derive(Clone, Debug)]
pub struct Measurements {
    /// Those that can be steps of a strategy, and never err.
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

/// Wrong answers that are named.
const NAMED: usize = 10;

/// `is_step` asks Raddle whether a strategy can have this step, and if not, why.
pub fn measurements(
    results: &Matrix,
    is_step: &dyn Fn(&Engine) -> Result<std::result::Result<(), String>>,
) -> Result<Measurements> {
    let mut left_out = Vec::new();
    let mut chosen = Vec::new();
    for (c, configuration) in results.configurations.iter().enumerate() {
        let name = &configuration.name;
        let engine = match engine(&configuration.options) {
            _ if results.runs_of(c).next().is_none() => Err("has no records".to_owned()),
            Ok(engine) => wrong_answers(results, c).map_or(Ok(engine), Err),
            error => error,
        };
        match engine {
            Err(reason) => left_out.push(format!("{name} {reason}")),
            Ok(engine) => match is_step(&engine)? {
                Err(reason) => left_out.push(format!("{name} can be no step of a strategy ({reason})")),
                Ok(()) => chosen.push((c, name.clone(), engine)),
            },
        }
    }
    // Only tasks that all configurations have run on: anything else would compare unlike with unlike.
    let mut complete: Vec<usize> =
        (0..results.tasks.len()).filter(|t| chosen.iter().all(|(c, ..)| results.runs[*c][*t].is_some())).collect();
    if chosen.is_empty() {
        bail!("no configuration is left to learn from: {}", left_out.join("; "));
    }
    if complete.is_empty() {
        bail!("no task was run with all configurations");
    }
    if complete.len() < results.tasks.len() {
        let missing = results.tasks.len() - complete.len();
        left_out.push(format!("{missing} tasks lack records of some configurations"));
    }
    // One of the two answers is wrong, and nobody says which.
    complete.retain(|t| {
        let task = &results.tasks[*t].name;
        let contradiction = contradictory(chosen.iter().filter_map(|(c, ..)| results.runs[*c][*t].as_ref()));
        if contradiction {
            left_out.push(format!("{task}, on which configurations contradict each other"));
        }
        !contradiction
    });
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

/// On which tasks the configuration errs, in words.
fn wrong_answers(results: &Matrix, configuration: usize) -> Option<String> {
    let runs = results.tasks.iter().zip(&results.runs[configuration]);
    let wrong = runs.filter(|(_, run)| run.as_ref().is_some_and(Record::is_wrong));
    let tasks: Vec<&str> = wrong.map(|(task, _)| task.name.as_str()).collect();
    let named = tasks.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    match tasks.len() {
        0 => None,
        1 => Some(format!("has a wrong answer, on {named}")),
        n if n <= NAMED => Some(format!("has {n} wrong answers, on {named}")),
        n => Some(format!("has {n} wrong answers, on {named} and {} more", n - NAMED)),
    }
}

fn family(task: &str) -> String {
    task.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned()
}

fn run(record: &Record, timeout: f64) -> Run {
    if record.is_right() {
        return Run { cpu: record.cpu.max(0.0), end: End::Right };
    }
    let stopped = record.cpu >= CLOSE * timeout || record.answer == Answer::Unknown("timeout".to_owned());
    Run { cpu: if stopped { f64::INFINITY } else { record.cpu.max(0.0) }, end: End::Nothing }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
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
        let m = measurements(&results, &|_| Ok(Ok(()))).expect("one task is complete");
        assert_eq!(m.tasks.len(), 1);
        assert_eq!(m.tasks[0].family, "f");
        assert_eq!(m.configurations.len(), 2);
        assert_eq!(m.left_out.len(), 2);
    }

    #[test]
    fn a_configuration_that_errs_is_left_out() {
        let right = |name: &str| record(name, Some(true), Answer::True, 1.0);
        let wrong = |name: &str| record(name, Some(false), Answer::True, 1.0);
        let all = [("oc", vec![right("a"), wrong("b")]), ("explore", vec![right("a")])];
        let m = measurements(&results(&all), &|_| Ok(Ok(()))).expect("one configuration is right");
        assert_eq!(m.configurations.len(), 1);
        assert_eq!(m.left_out, ["oc has a wrong answer, on b", "1 tasks lack records of some configurations"]);
        let names: Vec<String> = (10..22).map(|i| format!("t{i}")).collect();
        let all = [("oc", names.iter().map(|n| wrong(n)).collect())];
        let Error(message) = measurements(&results(&all), &|_| Ok(Ok(()))).expect_err("all are wrong");
        let tasks = names[..10].join(", ");
        assert_eq!(
            message,
            format!("no configuration is left to learn from: oc has 12 wrong answers, on {tasks} and 2 more")
        );
    }

    #[test]
    fn a_task_with_contradictory_answers_is_left_out() {
        let says = |name: &str, answer| record(name, None, answer, 1.0);
        let oc = vec![says("a", Answer::True), says("b", Answer::True)];
        let explore = vec![says("a", Answer::False), says("b", Answer::True)];
        let m = measurements(&results(&[("oc", oc), ("explore", explore)]), &|_| Ok(Ok(()))).expect("one task is left");
        assert_eq!((m.tasks.len(), m.runs[0].len()), (1, 1));
        assert_eq!(m.left_out, ["a, on which configurations contradict each other"]);
    }

    #[test]
    fn what_raddle_cannot_read_is_left_out() {
        let solved = || vec![record("a", Some(true), Answer::True, 1.0)];
        let is_step = |engine: &Engine| Ok(if engine.name == "oc" { Ok(()) } else { Err("no such engine".into()) });
        let m = measurements(&results(&[("oc", solved()), ("magic", solved())]), &is_step).expect("one is left");
        assert_eq!(m.left_out, ["magic can be no step of a strategy (no such engine)"]);
    }
}
