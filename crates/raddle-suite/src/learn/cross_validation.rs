//! Held-out results: what is learned from some families, tried on the others.
//!
//! Folds are made of whole families, since tasks of one family resemble each other: with single tasks held out, a rule that explains one family
//! only would look as if it held for all programs.

use super::measurements::Task;
use super::rounds::{Ending, Tally};
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::thread;

const FOLDS: usize = 5;

/// The tasks of each fold. Large families first, each to the smallest fold.
pub fn folds(all: &[Task], tasks: &[usize]) -> Vec<Vec<usize>> {
    let mut families: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for t in tasks {
        families.entry(all[*t].family.as_str()).or_default().push(*t);
    }
    let mut families: Vec<Vec<usize>> = families.into_values().collect();
    families.sort_by_key(|f| std::cmp::Reverse(f.len()));
    let mut folds: Vec<Vec<usize>> = vec![Vec::new(); FOLDS.min(families.len())];
    for family in families {
        if let Some(smallest) = folds.iter_mut().min_by_key(|f| f.len()) {
            smallest.extend(family);
        }
    }
    folds
}

/// How the tasks of each fold end with what was learned from the other folds.
pub fn held_out<S>(
    folds: &[Vec<usize>],
    learn: impl Fn(&[usize]) -> S + Sync,
    ending: impl Fn(&S, usize) -> Ending + Sync,
) -> Vec<Vec<Ending>> {
    let one = |i: usize| -> Vec<Ending> {
        let others = folds.iter().enumerate().filter(|(j, _)| *j != i).flat_map(|(_, fold)| fold.clone());
        let learned = learn(&others.collect::<Vec<_>>());
        folds[i].iter().map(|task| ending(&learned, *task)).collect()
    };
    let one = &one;
    thread::scope(|scope| {
        let threads: Vec<_> = (0..folds.len()).map(|i| scope.spawn(move || one(i))).collect();
        threads.into_iter().map(|t| t.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

pub fn total(folds: &[Vec<Ending>]) -> Tally {
    folds.iter().flatten().copied().collect()
}

/// A difference is no accident if it is so many standard deviations above zero. Many splits are tried, and times vary more than answers.
const SURE: f64 = 2.0;
const SURE_OF_TIME: f64 = 3.0;

/// Better, and neither by accident nor in one place only: more tasks solved than could be luck, or no fewer and clearly less time; on at least two folds, and on more folds
/// than it is worse on.
pub fn improves(new: &[Vec<Ending>], old: &[Vec<Ending>]) -> bool {
    let tally = |fold: &[Ending]| fold.iter().copied().collect::<Tally>();
    let pairs: Vec<(Ending, Ending)> = new.iter().flatten().copied().zip(old.iter().flatten().copied()).collect();
    let right = |ending: &Ending| f64::from(u8::from(matches!(ending, Ending::Right(..))));
    let gains: Vec<f64> = pairs.iter().map(|(n, o)| right(n) - right(o)).collect();
    let speedups: Vec<f64> = pairs
        .iter()
        .filter_map(|pair| match pair {
            (Ending::Right(_, n), Ending::Right(_, o)) => Some((o.max(0.001) / n.max(0.001)).ln()),
            _ => None,
        })
        .collect();
    let solves_more = deviations(&gains) >= SURE;
    let is_faster = gains.iter().sum::<f64>() >= 0.0 && deviations(&speedups) >= SURE_OF_TIME;
    let better = new.iter().zip(old).filter(|(n, o)| tally(n).is_better_than(&tally(o))).count();
    let worse = new.iter().zip(old).filter(|(n, o)| tally(o).is_better_than(&tally(n))).count();
    (solves_more || is_faster) && total(new).is_better_than(&total(old)) && better >= 2 && better > worse
}

/// How far the sum of differences lies above zero, if each might as well have had the other sign.
fn deviations(differences: &[f64]) -> f64 {
    let spread = differences.iter().map(|d| d * d).sum::<f64>().sqrt();
    if spread == 0.0 { 0.0 } else { differences.iter().sum::<f64>() / spread }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_stay_together() {
        let task = |family: &str| Task { family: family.to_owned(), traits: serde_json::Map::new() };
        let tasks: Vec<Task> = ["a", "b", "a", "c", "d", "e", "f", "a"].map(task).into();
        let folds = folds(&tasks, &[0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(folds.len(), 5);
        assert_eq!(folds[0], [0, 2, 7]);
        assert_eq!(folds.concat().len(), 8);
    }

    /// Ten tasks a fold, of which so many are solved, in so many seconds each.
    fn results(solved: [usize; 4], cpu: f64) -> Vec<Vec<Ending>> {
        let ending = |solved| move |i| if i < solved { Ending::Right(0, cpu) } else { Ending::Unsolved };
        solved.iter().map(|n| (0..10).map(ending(*n)).collect()).collect()
    }

    #[test]
    fn one_fold_is_luck() {
        let old = results([1, 1, 1, 1], 1.0);
        assert!(improves(&results([3, 3, 1, 1], 1.0), &old));
        assert!(!improves(&results([9, 1, 1, 1], 1.0), &old));
        assert!(!improves(&results([9, 2, 0, 0], 1.0), &old));
    }

    #[test]
    fn a_task_or_two_are_luck() {
        assert!(!improves(&results([2, 2, 1, 1], 1.0), &results([1, 1, 1, 1], 1.0)));
    }

    #[test]
    fn time_counts_where_as_much_is_solved() {
        let old = results([5, 5, 5, 5], 1.0);
        assert!(improves(&results([5, 5, 5, 5], 0.8), &old));
        assert!(!improves(&results([5, 5, 5, 4], 0.5), &old));
        assert!(!improves(&old, &old));
    }
}
