//! From measurements to a strategy: classes of tasks that deserve different steps, and the steps of each class.
//!
//! A split into classes is made only if cross-validation says that it helps on families that it was not learned from, and a configuration stays only if
//! cross-validation says that it adds something.

use super::cross_validation::{folds, held_out, improves, total};
use super::greedy::{cover, fit, tally};
use super::measurements::{End, Measurements, Task};
use super::rounds::{Ending, Rounds, Step, Tally};
use super::splits::{Condition, splits};

/// Steps for the tasks on which all conditions hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Class {
    pub conditions: Vec<Condition>,
    pub steps: Vec<Step>,
}

/// Splits one below the other.
const DEPTH: usize = 2;
/// Splits that are cross-validated: those that promise most on the tasks themselves.
const PROMISING: usize = 4;

pub struct Problem {
    pub tasks: Vec<Task>,
    pub rounds: Rounds,
}

impl Problem {
    pub fn new(measurements: &Measurements, timeout: f64) -> Problem {
        Problem { tasks: measurements.tasks.clone(), rounds: Rounds::new(measurements.runs.clone(), timeout) }
    }

    /// The tasks that any configuration answers; on the others, all strategies are alike.
    pub fn answered(&self) -> Vec<usize> {
        let answered = |t: &usize| self.rounds.runs.iter().any(|runs| runs[*t].end != End::Nothing);
        (0..self.tasks.len()).filter(answered).collect()
    }

    /// The steps of the class of a task.
    pub fn steps_for<'a>(&self, strategy: &'a [Class], task: usize) -> &'a [Step] {
        let traits = &self.tasks[task].traits;
        let class = strategy.iter().find(|class| class.conditions.iter().all(|c| c.holds(traits)));
        class.map_or(&[], |class| &class.steps)
    }

    pub fn ending(&self, strategy: &[Class], task: usize) -> Ending {
        self.rounds.ending(self.steps_for(strategy, task), task)
    }

    pub fn result(&self, strategy: &[Class], tasks: &[usize]) -> Tally {
        tasks.iter().map(|t| self.ending(strategy, *t)).collect()
    }

    fn every_configuration(&self) -> Vec<usize> {
        (0..self.rounds.runs.len()).collect()
    }

    /// Both sides of a split.
    fn divide(&self, split: &Condition, tasks: &[usize]) -> (Vec<usize>, Vec<usize>) {
        tasks.iter().partition(|t| split.holds(&self.tasks[**t].traits))
    }
}

pub fn propose(problem: &Problem, tasks: &[usize]) -> Vec<Class> {
    let mut classes = grow(problem, tasks, Vec::new(), DEPTH);
    // A class in which all answers are late has no steps of its own, and other programs like its own may fare better.
    for class in classes.iter_mut().filter(|class| class.steps.is_empty()) {
        class.steps = fit(&problem.rounds, tasks, &problem.every_configuration());
    }
    classes
}

/// The classes below these conditions.
fn grow(problem: &Problem, tasks: &[usize], conditions: Vec<Condition>, depth: usize) -> Vec<Class> {
    let whole = |steps: Vec<Step>| vec![Class { conditions: conditions.clone(), steps }];
    let Some(split) = (depth > 0).then(|| best_split(problem, tasks)).flatten() else {
        let configurations = worthwhile(problem, tasks);
        return whole(fit(&problem.rounds, tasks, &configurations));
    };
    let (inside, outside) = problem.divide(&split, tasks);
    let below = |tasks: &[usize], side: Condition| {
        let conditions: Vec<Condition> = conditions.iter().cloned().chain([side]).collect();
        grow(problem, tasks, conditions, depth - 1)
    };
    [below(&inside, split.clone()), below(&outside, split.other_side())].concat()
}

/// The steps of both sides. A side of which nothing is known does what is best for all.
fn fit_split(problem: &Problem, split: &Condition, tasks: &[usize]) -> Vec<Class> {
    let all = problem.every_configuration();
    let (inside, outside) = problem.divide(split, tasks);
    let side = |tasks_of_side: &[usize], condition: Condition| {
        let mut steps = fit(&problem.rounds, tasks_of_side, &all);
        if steps.is_empty() {
            steps = fit(&problem.rounds, tasks, &all);
        }
        Class { conditions: vec![condition], steps }
    };
    vec![side(&inside, split.clone()), side(&outside, split.other_side())]
}

fn best_split(problem: &Problem, tasks: &[usize]) -> Option<Condition> {
    let folds = folds(&problem.tasks, tasks);
    let all = problem.every_configuration();
    let covered = |tasks: &[usize]| tally(&problem.rounds, &cover(&problem.rounds, tasks, &all), tasks);
    let undivided = covered(tasks);
    let divided = |split: &Condition| {
        let (inside, outside) = problem.divide(split, tasks);
        [covered(&inside), covered(&outside)].into_iter().sum::<Tally>()
    };
    let described: Vec<&Task> = tasks.iter().map(|t| &problem.tasks[*t]).collect();
    let mut promising: Vec<(Condition, Tally)> = splits(&described)
        .into_iter()
        .map(|split| (divided(&split), split))
        .filter(|(result, _)| result.is_better_than(&undivided))
        .map(|(result, split)| (split, result))
        .collect();
    // Stable: of equals, the split by threads stays first.
    promising.sort_by(|(_, a), (_, b)| b.right.cmp(&a.right).then(a.cpu.total_cmp(&b.cpu)));
    promising.truncate(PROMISING);
    if promising.is_empty() || folds.len() < 2 {
        return None;
    }
    let old =
        held_out(&folds, |train| fit(&problem.rounds, train, &all), |steps, task| problem.rounds.ending(steps, task));
    let mut best: Option<(Condition, Tally)> = None;
    for (split, _) in promising {
        let new =
            held_out(&folds, |train| fit_split(problem, &split, train), |classes, task| problem.ending(classes, task));
        let total = total(&new);
        if improves(&new, &old) && best.as_ref().is_none_or(|(_, b)| total.beats(b)) {
            best = Some((split, total));
        }
    }
    best.map(|(split, _)| split)
}

/// The configurations without which held-out results are worse.
fn worthwhile(problem: &Problem, tasks: &[usize]) -> Vec<usize> {
    let folds = folds(&problem.tasks, tasks);
    let used = |configurations: &[usize]| -> Vec<usize> {
        let mut used: Vec<usize> =
            fit(&problem.rounds, tasks, configurations).iter().map(|s| s.configuration).collect();
        used.sort_unstable();
        used
    };
    let mut kept = used(&problem.every_configuration());
    if folds.len() < 2 {
        return kept;
    }
    let validated = |configurations: &[usize]| -> Tally {
        let learn = |train: &[usize]| fit(&problem.rounds, train, configurations);
        total(&held_out(&folds, learn, |steps, task| problem.rounds.ending(steps, task)))
    };
    let mut best = validated(&kept);
    while kept.len() > 1 {
        let without = |c: &usize| -> Vec<usize> { kept.iter().copied().filter(|k| k != c).collect() };
        let candidates = kept.iter().map(without).map(|rest| (validated(&rest), rest));
        // The one that is missed least.
        let least = candidates.reduce(|a, b| if b.0.beats(&a.0) { b } else { a });
        match least {
            Some((result, rest)) if !best.is_better_than(&result) => (kept, best) = (rest, result),
            _ => break,
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::super::measurements::Run;
    use super::*;
    use serde_json::{Value, json};

    const NO: f64 = f64::INFINITY;

    /// Tasks with their family, their traits, and the time of each configuration.
    fn problem(rows: &[(String, Value, Vec<f64>)]) -> Problem {
        let task = |(family, traits, _): &(String, Value, Vec<f64>)| Task {
            family: family.clone(),
            traits: traits.as_object().cloned().unwrap_or_default(),
        };
        let run = |cpu: f64| Run { cpu, end: if cpu.is_finite() { End::Right } else { End::Nothing } };
        let runs = (0..rows[0].2.len()).map(|c| rows.iter().map(|r| run(r.2[c])).collect()).collect();
        Problem { tasks: rows.iter().map(task).collect(), rounds: Rounds::new(runs, 10.0) }
    }

    fn proposed(problem: &Problem) -> Vec<(String, Vec<usize>)> {
        propose(problem, &problem.answered())
            .iter()
            .map(|class| {
                let conditions: Vec<String> = class.conditions.iter().map(Condition::to_string).collect();
                (conditions.join(" and "), class.steps.iter().map(|s| s.configuration).collect())
            })
            .collect()
    }

    #[test]
    fn one_trait_tells_two_classes_apart() {
        // Either configuration solves its own kind, and only it, and takes nearly all the time.
        let rows: Vec<_> = (0..40)
            .map(|i| {
                let threads = i % 2;
                let times = if threads == 1 { vec![8.0, NO] } else { vec![NO, 8.0] };
                (format!("family{}", i / 4), json!({"threads": threads, "loops": i / 3}), times)
            })
            .collect();
        let classes = proposed(&problem(&rows));
        assert_eq!(classes, [("threads > 0".to_owned(), vec![0]), ("threads <= 0".to_owned(), vec![1])]);
    }

    #[test]
    fn one_family_makes_no_rule() {
        // `odd` holds for one family and for a few other tasks. In that family, only the slow configuration solves anything.
        let mut rows: Vec<_> =
            (0..40).map(|i| (format!("family{}", i / 4), json!({"odd": i % 13 == 0}), vec![0.5, NO])).collect();
        rows.extend((0..8).map(|_| ("odd".to_owned(), json!({"odd": true}), vec![NO, 6.0])));
        let classes = proposed(&problem(&rows));
        assert_eq!(classes.len(), 1, "{classes:?}");
        assert_eq!(classes[0].0, "");
    }

    #[test]
    fn many_families_make_the_rule() {
        // The same, but spread over families.
        let rows: Vec<_> = (0..48)
            .map(|i| {
                let odd = i % 6 == 0;
                (format!("family{}", i / 4), json!({"odd": odd}), if odd { vec![NO, 7.0] } else { vec![4.0, NO] })
            })
            .collect();
        let classes = proposed(&problem(&rows));
        assert_eq!(classes, [("odd".to_owned(), vec![1]), ("not odd".to_owned(), vec![0])]);
    }

    #[test]
    fn a_configuration_that_adds_nothing_is_dropped() {
        // The third is faster than the first, but on one family only: held out, it only costs.
        let rows: Vec<_> = (0..40)
            .map(|i| {
                let third = if i < 4 { 0.05 } else { NO };
                (
                    format!("family{}", i / 4),
                    json!({}),
                    if i % 2 == 0 { vec![0.1, NO, third] } else { vec![NO, 0.1, NO] },
                )
            })
            .collect();
        let classes = proposed(&problem(&rows));
        let mut used = classes[0].1.clone();
        used.sort_unstable();
        assert_eq!(used, [0, 1]);
    }

    #[test]
    fn one_family_alone_is_no_panic() {
        let rows = vec![("f".to_owned(), json!({"threads": 1}), vec![1.0, NO]); 3];
        assert_eq!(proposed(&problem(&rows)), [(String::new(), vec![0])]);
        let none = vec![("f".to_owned(), json!({}), vec![NO, NO]); 3];
        assert_eq!(proposed(&problem(&none)), [(String::new(), vec![])]);
    }
}
