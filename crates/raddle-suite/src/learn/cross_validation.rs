//! Held-out results: what is learned from some families, tried on the others.
//!
//! Folds are made of whole families, since tasks of one family resemble each other: with single tasks held out, a rule that explains one family
//! only would look as if it held for all programs.

use super::measurements::Task;
use super::rounds::Tally;
use std::collections::BTreeMap;

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

/// The result on each fold of what was learned from the other folds.
pub fn held_out<S>(
    folds: &[Vec<usize>],
    learn: impl Fn(&[usize]) -> S,
    result: impl Fn(&S, &[usize]) -> Tally,
) -> Vec<Tally> {
    let one = |(i, fold): (usize, &Vec<usize>)| {
        let others: Vec<usize> =
            folds.iter().enumerate().filter(|(j, _)| *j != i).flat_map(|(_, f)| f.clone()).collect();
        result(&learn(&others), fold)
    };
    folds.iter().enumerate().map(one).collect()
}

/// Better on the whole, on at least two folds, and on more folds than not: not by the luck of one family.
pub fn improves(new: &[Tally], old: &[Tally]) -> bool {
    let total = |tallies: &[Tally]| tallies.iter().copied().sum::<Tally>();
    let better = new.iter().zip(old).filter(|(n, o)| n.is_better_than(o)).count();
    let worse = new.iter().zip(old).filter(|(n, o)| o.is_better_than(n)).count();
    total(new).is_better_than(&total(old)) && better >= 2 && better > worse
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

    #[test]
    fn one_fold_is_luck() {
        let t = |right| Tally { right, wrong: 0, cpu: 1.0 };
        assert!(!improves(&[t(9), t(1), t(1)], &[t(1), t(1), t(1)]));
        assert!(improves(&[t(2), t(2), t(1)], &[t(1), t(1), t(1)]));
        assert!(!improves(&[t(9), t(2), t(0), t(0)], &[t(1), t(1), t(1), t(1)]));
    }
}
