//! Passes must not change what can happen: random Programs are explored before and after each, by the reference
//! interpreter and by a plain explorer that sees deadlocks as well.

use crate::brute_force::brute_force;
use crate::random_program::random_program;
use crate::*;
use raddle_interp::{ExploreConfig, Outcome, StopReason, explore};
use raddle_ir::{to_text, validate};
use std::cell::Cell;

const MOST_STATES: usize = 4000;

type Pass = (&'static str, fn(Program) -> Program);

const PASSES: [Pass; 12] = [
    ("reachable", reachable),
    ("coalesce", coalesce),
    ("const_prop", const_prop),
    ("globalize", globalize),
    ("scalarize", scalarize),
    ("resolve_cells", |program| resolve_cells(program, MOST_CANDIDATES)),
    ("dead_code", |program| dead_code(program, false)),
    ("merge_edges", merge_edges),
    ("inline", |program| inline(program, &InlineOptions::default()).expect("small programs fit")),
    ("simplify", simplify),
    ("localize", localize),
    ("inline and localize", |program| {
        localize(reachable(inline(program, &InlineOptions::default()).expect("small programs fit")))
    }),
];

/// Compares an observation of random Programs before and after each pass. Where there is none (too many states),
/// nothing is compared. Returns all observations of Programs as they were.
fn compare<T: PartialEq + std::fmt::Debug>(seeds: u64, observe: impl Fn(&Program, usize) -> Option<T>) -> Vec<T> {
    let mut all = Vec::new();
    for seed in 1..=seeds {
        let before = random_program(seed);
        let Some(expected) = observe(&before, MOST_STATES) else { continue };
        for (name, pass) in PASSES {
            let after = pass(before.clone());
            assert_eq!(validate(&after), Ok(()), "{name} on the program of seed {seed}");
            // A pass may make more states: inlined procedures keep dead locals.
            let found = observe(&after, 10 * MOST_STATES);
            assert!(
                found.as_ref().is_none_or(|found| *found == expected),
                "{name} on the program of seed {seed}: {expected:?} became {found:?}\n{}\n{}",
                to_text(&before),
                to_text(&after)
            );
        }
        all.push(expected);
    }
    all
}

#[test]
fn passes_do_not_change_what_can_happen() {
    let verdicts = compare(300, brute_force);
    let errors = verdicts.iter().filter(|verdict| verdict.error).count();
    let deadlocks = verdicts.iter().filter(|verdict| verdict.deadlock).count();
    assert!(verdicts.len() > 50 && errors > 10 && deadlocks > 5, "{} {errors} {deadlocks}", verdicts.len());
}

#[test]
fn passes_do_not_change_what_the_interpreter_finds() {
    let is_unsafe = |program: &Program, most_states: usize| {
        let asked = Cell::new(0);
        let stop = || {
            // It asks once in a thousand steps or so.
            asked.set(asked.get() + 1000);
            (asked.get() > 2 * most_states).then_some(StopReason::Timeout)
        };
        match explore(program, &ExploreConfig::default(), &stop).outcome {
            Outcome::Safe => Some(false),
            Outcome::Unsafe(..) => Some(true),
            Outcome::Unknown(..) => None,
        }
    };
    let verdicts = compare(60, is_unsafe);
    let errors = verdicts.iter().filter(|verdict| **verdict).count();
    assert!(errors > 10 && errors + 10 < verdicts.len(), "{errors} errors in {}", verdicts.len());
}
