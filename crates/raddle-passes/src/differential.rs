//! Passes must not change what can happen: random Programs are explored before and after each.

use crate::brute_force::{Verdict, brute_force};
use crate::random_program::random_program;
use crate::testing::show;
use crate::*;

const MOST_STATES: usize = 4000;

type Pass = (&'static str, fn(Program) -> Program);

const PASSES: [Pass; 9] = [
    ("reachable", reachable),
    ("coalesce", coalesce),
    ("const_prop", const_prop),
    ("globalize", globalize),
    ("scalarize", scalarize),
    ("dead_code", |program| dead_code(program, false)),
    ("merge_edges", merge_edges),
    ("inline", |program| inline(program, &InlineOptions::default()).expect("small programs fit")),
    ("simplify", simplify),
];

#[test]
fn passes_do_not_change_what_can_happen() {
    let (mut compared, mut errors, mut deadlocks) = (0, 0, 0);
    for seed in 1..=SEEDS {
        let before = random_program(seed);
        let Some(expected) = brute_force(&before, MOST_STATES) else { continue };
        compared += 1;
        errors += u32::from(expected.error);
        deadlocks += u32::from(expected.deadlock);
        for (name, pass) in PASSES {
            let after = pass(before.clone());
            // A pass may make more states only by inlining.
            let found = brute_force(&after, 10 * MOST_STATES);
            assert!(
                found == Some(expected),
                "{name} on the program of seed {seed}: {expected:?} became {found:?}\n{}\n{}",
                show(&before),
                show(&after)
            );
        }
    }
    assert!(
        compared > 50 && errors > 10 && deadlocks > 5,
        "{compared} compared, {errors} errors, {deadlocks} deadlocks"
    );
    let _ = Verdict::default();
}

const SEEDS: u64 = 300;
