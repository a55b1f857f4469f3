//! Passes must not change what can happen: random Programs are explored before and after each, by the reference
//! interpreter and by a plain explorer that sees deadlocks as well.

mod brute_force;

use brute_force::brute_force;
use raddle_engine::{Outcome, Silent};
use raddle_explore::{ExploreConfig, explore};
use raddle_ir::{Callee, Label, MemoryModel, Place, Program, Storage, to_text, validate};
use raddle_passes::*;
use raddle_testing::{Builder, EXIT, budget_of, load, random_program, store};

const MOST_STATES: usize = 4000;
/// Values for what is undetermined.
const CANDIDATES: [u128; 2] = [0, 2];

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
    let verdicts = compare(300, |program, most| brute_force(program, most, &CANDIDATES));
    let errors = verdicts.iter().filter(|verdict| verdict.error).count();
    let deadlocks = verdicts.iter().filter(|verdict| verdict.deadlock).count();
    assert!(verdicts.len() > 50 && errors > 10 && deadlocks > 5, "{} {errors} {deadlocks}", verdicts.len());
}

/// The error of the pass `deadlocks` is reached exactly if there is a deadlock. Programs end where they had errors of their own.
#[test]
fn deadlocks_are_errors() {
    let (mut with, mut without) = (0, 0);
    for seed in 1..=400 {
        let mut program = random_program(seed);
        let status = program.pool.bits(32, 0);
        for label in program.procs.iter_mut().flat_map(|proc| &mut proc.edges).flat_map(|edge| &mut edge.labels) {
            if let Label::Error(_) = label {
                *label = Label::Halt { status };
            }
        }
        let Some(expected) = brute_force(&program, MOST_STATES, &CANDIDATES) else { continue };
        let after = deadlocks(program.clone());
        assert_eq!(validate(&after), Ok(()), "the program of seed {seed}");
        if !after.gaps.is_empty() && expected.deadlock {
            continue;
        }
        let Some(found) = brute_force(&after, 10 * MOST_STATES, &CANDIDATES) else { continue };
        assert_eq!(found.error, expected.deadlock, "seed {seed}\n{}\n{}", to_text(&program), to_text(&after));
        *(if found.error { &mut with } else { &mut without }) += 1;
    }
    assert!(with > 5 && without > 20, "{with} with, {without} without");
}

#[test]
fn passes_do_not_change_what_the_interpreter_finds() {
    let is_unsafe = |program: &Program, most_states: usize| {
        // It asks once in some dozen steps.
        let budget = budget_of(most_states as u64 / 32);
        match explore(program, MemoryModel::Sc, &ExploreConfig::default(), &budget, &Silent).0 {
            Outcome::Safe(_) => Some(false),
            Outcome::Unsafe(..) => Some(true),
            Outcome::Unknown(..) => None,
        }
    };
    let verdicts = compare(24, is_unsafe);
    let errors = verdicts.iter().filter(|verdict| **verdict).count();
    assert!(errors > 4 && errors + 4 < verdicts.len(), "{errors} errors in {}", verdicts.len());
}

/// `f` makes objects in a loop, and a global points to the last one. In one Program it is read in `f`, in the other after the call.
#[test]
fn an_object_that_something_still_points_to_dies_at_the_return() {
    for read_inside in [false, true] {
        let mut b = Builder::new();
        let (main, f) = (b.proc("main"), b.proc("f"));
        let reader = if read_inside { f } else { main };
        let (p, q, x) = (b.local(f, "p", 64), b.local(reader, "q", 64), b.local(reader, "x", 8));
        let g = b.global("g", 64, Some(0));
        let (size, vp, vq) = (b.num(64, 1), b.get(p), b.get(q));
        b.edge(
            f,
            0,
            1,
            vec![Label::Alloc {
                var: p,
                size,
                storage: Storage::Stack,
                zeroed: true,
                site: raddle_ir::Origin::default(),
            }],
        );
        b.edge(f, 1, 2, vec![store(Place::Var(g), vp)]);
        b.edge(f, 2, 0, vec![]);
        b.edge(
            main,
            0,
            1,
            vec![Label::Call { callee: Callee::Proc(f), args: vec![], var: None, site: raddle_ir::Origin::default() }],
        );
        let (from, last) = if read_inside { (2, EXIT) } else { (1, 4) };
        b.edge(reader, from, 3, vec![load(q, Place::Var(g))]);
        b.edge(reader, 3, last, vec![load(x, Place::Memory(vq)), Label::Error(raddle_ir::Violation::ErrorCall)]);
        b.edge(f, 2, EXIT, vec![]);
        let program = inline(b.finish(), &InlineOptions::default()).unwrap();
        let verdict = brute_force(&simplify(program), 1000, &CANDIDATES).unwrap();
        assert_eq!(verdict.error, read_inside);
    }
}
