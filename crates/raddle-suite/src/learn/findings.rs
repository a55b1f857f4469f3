//! How good the proposal is: beside each configuration alone, on tasks that it was not learned from, and beside the union of all.

use super::cross_validation::{folds, held_out, total};
use super::greedy::tally;
use super::measurements::{End, Measurements};
use super::propose::{Class, Problem, propose};
use super::rounds::{Ending, Step, Tally};
use std::fmt::Write;

pub struct Findings {
    pub tasks: usize,
    pub families: usize,
    /// Of each configuration alone.
    pub alone: Vec<Tally>,
    /// Tasks that only this configuration solves.
    pub only: Vec<usize>,
    pub best: usize,
    pub in_sample: Tally,
    /// Learned without the families that it is tried on; `None` with a single family.
    pub held_out: Option<Tally>,
    /// The configuration that is the best on the other families.
    pub single_held_out: Option<Tally>,
    pub folds: usize,
    /// Each task by the configuration that is the fastest on it.
    pub union: Tally,
}

pub fn findings(problem: &Problem, strategy: &[Class]) -> Findings {
    let tasks = problem.answered();
    let configurations = problem.rounds.runs.len();
    let alone: Vec<Tally> = (0..configurations).map(|c| tally(&problem.rounds, &single(c), &tasks)).collect();
    let right = |c: usize, t: usize| matches!(problem.rounds.alone(c, t), Ending::Right(..));
    let only = (0..configurations)
        .map(|c| tasks.iter().filter(|t| (0..configurations).all(|o| right(o, **t) == (o == c))).count())
        .collect();
    let fastest = |t: &usize| {
        let runs = problem.rounds.runs.iter().map(|runs| runs[*t]);
        let least = runs.filter(|r| r.end == End::Right).map(|r| r.cpu).fold(f64::INFINITY, f64::min);
        if least <= problem.rounds.timeout { Ending::Right(0, least) } else { Ending::Unsolved }
    };
    let folds = folds(&problem.tasks, &tasks);
    let validated = folds.len() > 1;
    let of_strategy =
        || held_out(&folds, |train| propose(problem, train), |strategy, task| problem.ending(strategy, task));
    let of_single = || held_out(&folds, |train| best_single(problem, train), |c, task| problem.rounds.alone(*c, task));
    Findings {
        tasks: problem.tasks.len(),
        families: problem.tasks.iter().map(|t| &t.family).collect::<std::collections::BTreeSet<_>>().len(),
        best: best_single(problem, &tasks),
        alone,
        only,
        in_sample: problem.result(strategy, &tasks),
        held_out: validated.then(|| total(&of_strategy())),
        single_held_out: validated.then(|| total(&of_single())),
        folds: folds.len(),
        union: tasks.iter().map(fastest).collect(),
    }
}

fn single(configuration: usize) -> [Step; 1] {
    [Step { configuration, slice: 0 }]
}

fn best_single(problem: &Problem, tasks: &[usize]) -> usize {
    let result = |c: usize| tally(&problem.rounds, &single(c), tasks);
    (1..problem.rounds.runs.len()).fold(0, |best, c| if result(c).beats(&result(best)) { c } else { best })
}

/// The table for people.
pub fn table(findings: &Findings, measurements: &Measurements) -> String {
    let mut rows: Vec<(String, Tally, String)> = Vec::new();
    for (c, (name, _)) in measurements.configurations.iter().enumerate() {
        rows.push((name.clone(), findings.alone[c], findings.only[c].to_string()));
    }
    let single = &measurements.configurations[findings.best].0;
    let cut = rows.len();
    rows.push((format!("single best ({single})"), findings.alone[findings.best], String::new()));
    if let Some(tally) = findings.single_held_out {
        rows.push((format!("single best, held out ({} folds by family)", findings.folds), tally, String::new()));
    }
    rows.push(("strategy, in sample".to_owned(), findings.in_sample, String::new()));
    if let Some(tally) = findings.held_out {
        rows.push((format!("strategy, held out ({} folds by family)", findings.folds), tally, String::new()));
    }
    rows.push(("union (virtual best)".to_owned(), findings.union, String::new()));
    let width = rows.iter().map(|r| r.0.chars().count()).max().unwrap_or(0);
    let mut out = format!("{:width$}  {:>6} {:>10} {:>6}\n", "", "right", "CPU s", "only");
    for (i, (name, tally, only)) in rows.iter().enumerate() {
        if i == cut {
            let _ = writeln!(out, "{}", "-".repeat(width + 26));
        }
        let line = format!("{name:width$}  {:>6} {:>10.1} {only:>6}", tally.right, tally.cpu);
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}
