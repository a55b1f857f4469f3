//! The search for the steps of one class of tasks: greedy set cover with cost.
//!
//! Beginning with none, the step is inserted that helps most, wherever in the order and with whatever first slice it helps most. When nothing helps any more,
//! single changes (another place and slice, another configuration, one step less) are made as long as they help.

use super::rounds::{Rounds, SLICES, Step, Tally};

/// Improvements by single changes, at most; each is an improvement, so the search ends anyway.
const CHANGES: usize = 200;

pub fn tally(rounds: &Rounds, steps: &[Step], tasks: &[usize]) -> Tally {
    tasks.iter().map(|task| rounds.ending(steps, *task)).collect()
}

/// The same, or `None` as soon as so many right answers cannot be reached any more.
fn tally_of_at_least(rounds: &Rounds, steps: &[Step], tasks: &[usize], right: usize) -> Option<Tally> {
    let mut tally = Tally::default();
    for (i, task) in tasks.iter().enumerate() {
        tally.add(rounds.ending(steps, *task));
        if tally.right + (tasks.len() - i - 1) < right {
            return None;
        }
    }
    Some(tally)
}

/// The steps for these tasks, of these configurations; none if no configuration solves any of the tasks.
pub fn fit(rounds: &Rounds, tasks: &[usize], configurations: &[usize]) -> Vec<Step> {
    let mut steps = cover(rounds, tasks, configurations);
    let mut best = tally(rounds, &steps, tasks);
    for _ in 0..CHANGES {
        if let Some((fewer, result)) = without_one(rounds, tasks, &steps, &best) {
            (steps, best) = (fewer, result);
        } else if let Some((other, result)) = best_of(rounds, tasks, &best, changes(&steps, configurations)) {
            (steps, best) = (other, result);
        } else {
            break;
        }
    }
    steps
}

/// The first half of `fit`: insertions only. Good enough to see whether a split promises anything.
pub fn cover(rounds: &Rounds, tasks: &[usize], configurations: &[usize]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut best = Tally::default();
    while let Some((better, result)) = best_of(rounds, tasks, &best, insertions(&steps, configurations)) {
        (steps, best) = (better, result);
    }
    steps
}

/// The best of the candidates, if it is better than what there is.
fn best_of(
    rounds: &Rounds,
    tasks: &[usize],
    so_far: &Tally,
    candidates: impl Iterator<Item = Vec<Step>>,
) -> Option<(Vec<Step>, Tally)> {
    let mut best: Option<(Vec<Step>, Tally)> = None;
    for candidate in candidates {
        let least = best.as_ref().map_or(so_far.right, |(_, b)| b.right);
        let Some(result) = tally_of_at_least(rounds, &candidate, tasks, least) else { continue };
        if result.is_better_than(so_far) && best.as_ref().is_none_or(|(_, b)| result.beats(b)) {
            best = Some((candidate, result));
        }
    }
    best
}

/// A step less, where that is no worse: short strategies are easier to understand.
fn without_one(rounds: &Rounds, tasks: &[usize], steps: &[Step], so_far: &Tally) -> Option<(Vec<Step>, Tally)> {
    (0..steps.len())
        .map(|i| removed(steps, i))
        .map(|fewer| (tally(rounds, &fewer, tasks), fewer))
        .find_map(|(result, fewer)| (!so_far.is_better_than(&result) && !fewer.is_empty()).then_some((fewer, result)))
}

fn removed(steps: &[Step], i: usize) -> Vec<Step> {
    let mut fewer = steps.to_vec();
    fewer.remove(i);
    fewer
}

fn inserted(steps: &[Step], at: usize, step: Step) -> Vec<Step> {
    let mut more = steps.to_vec();
    more.insert(at, step);
    more
}

fn insertions(steps: &[Step], configurations: &[usize]) -> impl Iterator<Item = Vec<Step>> {
    let free = unused(steps, configurations);
    let steps = steps.to_vec();
    free.into_iter().flat_map(move |configuration| {
        let steps = steps.clone();
        (0..=steps.len()).flat_map(move |at| {
            let steps = steps.clone();
            (0..SLICES.len()).map(move |slice| inserted(&steps, at, Step { configuration, slice }))
        })
    })
}

fn unused(steps: &[Step], configurations: &[usize]) -> Vec<usize> {
    configurations.iter().copied().filter(|c| steps.iter().all(|s| s.configuration != *c)).collect()
}

/// Every strategy that differs in one step: it stands elsewhere, with another slice, or has another configuration.
fn changes(steps: &[Step], configurations: &[usize]) -> impl Iterator<Item = Vec<Step>> {
    let mut all = Vec::new();
    let free = unused(steps, configurations);
    for (i, step) in steps.iter().enumerate() {
        let rest = removed(steps, i);
        for slice in 0..SLICES.len() {
            let moved = Step { slice, ..*step };
            all.extend((0..steps.len()).filter(|at| (*at, moved) != (i, *step)).map(|at| inserted(&rest, at, moved)));
            all.extend(
                free.iter().map(|configuration| inserted(&rest, i, Step { configuration: *configuration, slice })),
            );
        }
    }
    all.into_iter()
}

#[cfg(test)]
mod tests {
    use super::super::measurements::{End, Run};
    use super::*;

    fn runs(times: &[f64]) -> Vec<Run> {
        let run = |cpu: &f64| Run { cpu: *cpu, end: if cpu.is_finite() { End::Right } else { End::Nothing } };
        times.iter().map(run).collect()
    }

    const NO: f64 = f64::INFINITY;

    #[test]
    fn the_cover_is_complete_and_short() {
        // The third solves nothing that the first does not solve faster.
        let rounds =
            Rounds::new(vec![runs(&[0.1, 0.1, NO, NO]), runs(&[NO, NO, 0.2, 0.2]), runs(&[0.3, NO, NO, NO])], 60.0);
        let steps = fit(&rounds, &[0, 1, 2, 3], &[0, 1, 2]);
        assert_eq!(tally(&rounds, &steps, &[0, 1, 2, 3]).right, 4);
        let mut used: Vec<usize> = steps.iter().map(|s| s.configuration).collect();
        used.sort_unstable();
        assert_eq!(used, [0, 1]);
    }

    #[test]
    fn the_quick_one_goes_first() {
        // The first is quick where it solves anything; the second solves all, slowly.
        let rounds = Rounds::new(vec![runs(&[0.02, 0.02, 0.02, NO]), runs(&[5.0, 5.0, 5.0, 5.0])], 60.0);
        let steps = fit(&rounds, &[0, 1, 2, 3], &[0, 1]);
        assert_eq!(steps[0].configuration, 0);
        assert_eq!(steps.len(), 2);
        let result = tally(&rounds, &steps, &[0, 1, 2, 3]);
        assert!(result.right == 4 && result.cpu < 11.0, "{steps:?} {result:?}");
    }

    #[test]
    fn nothing_solved_is_no_strategy() {
        let rounds = Rounds::new(vec![runs(&[NO, NO])], 60.0);
        assert_eq!(fit(&rounds, &[0, 1], &[0]), []);
    }
}
