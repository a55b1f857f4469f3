//! Random programs whose threads wait: a plain search through all states of the Program as lowered, which knows nothing of what the pass `deadlocks` puts in, finds a deadlock
//! exactly if each engine does. `RADDLE_CASES` says how many programs are looked at,
//! `RADDLE_MILLIS` how long an engine may take.

#[path = "../../raddle-passes/tests/brute_force/mod.rs"]
mod brute_force;

use brute_force::brute_force;
use raddle_engine::{Budget, Facts};
use raddle_engine::{Code, Outcome, Silent, Task};
use raddle_ir::{MemoryModel, Property, Violations, validate};
use raddle_passes::{instrument, simplify_unmerged, stray_calls};
use raddle_portfolio::{Registry, Settings};
use raddle_testing::{lowered_counting, number, random_c};
use std::collections::BTreeMap;
use std::time::Duration;

const MOST_STATES: usize = 6000;

#[test]
fn engines_find_the_deadlocks_that_there_are() {
    let registry = Registry::new(&Settings::default());
    let (mut with, mut without) = (0, 0);
    let mut answers: BTreeMap<&str, usize> = BTreeMap::new();
    let first = number("RADDLE_FIRST", 0);
    for seed in first..first + number("RADDLE_CASES", 24) {
        let text = random_c::waits::program(seed);
        let program = stray_calls(lowered_counting(Violations::of(Property::NoDeadlock), &text));
        let Some(verdict) = brute_force(&simplify_unmerged(program.clone()), MOST_STATES, &[0, 1, 2]) else {
            continue;
        };
        *(if verdict.deadlock { &mut with } else { &mut without }) += 1;
        let program = instrument(program, Property::NoDeadlock, &[]);
        assert_eq!(validate(&program), Ok(()), "seed {seed}\n{text}");
        let task = Task::of(program, Property::NoDeadlock, MemoryModel::Sc);
        for name in ["explore", "oc", "cegar"] {
            let engine = registry.get(name).expect("it is registered");
            let budget = Budget::of_time(Duration::from_millis(number("RADDLE_MILLIS", 2000)));
            match engine.run(&task, &Facts::default(), &budget, &Silent).outcome {
                Outcome::Safe(_) => assert!(!verdict.deadlock, "seed {seed}: {name} proves\n{text}"),
                Outcome::Unsafe(_) => assert!(verdict.deadlock, "seed {seed}: {name} refutes\n{text}"),
                Outcome::Unknown(reason) => {
                    assert_ne!(reason.code, Code::Unconfirmed, "seed {seed}, {name}: {}\n{text}", reason.words);
                    continue;
                }
            }
            *answers.entry(name).or_default() += 1;
        }
    }
    println!("{with} with, {without} without; {answers:?}");
    assert!(with > 4 && without > 4, "{with} with, {without} without");
    assert!(answers.len() == 3 && answers.values().all(|n| 2 * n > with + without), "{answers:?}");
}
