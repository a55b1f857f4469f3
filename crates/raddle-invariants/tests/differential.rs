//! Random programs: what exploration refutes is never proved, and no proof fails its check.
//!
//! `RADDLE_CASES=2000 cargo test --release -p raddle-invariants --test differential -- --nocapture` runs more of them; `RADDLE_SEED` says where to begin, `RADDLE_TIME`
//! how many milliseconds each engine has.

use raddle_engine::{Budget, Engine, Facts, Outcome, Silent, Task};
use raddle_explore::{Explore, ExploreConfig};
use raddle_invariants::{Invariants, InvariantsConfig, Modular, ModularConfig};
use raddle_ir::MemoryModel;
use raddle_testing::random_c::{self, instances, sequential, stalls};
use raddle_testing::{DataModel, budget_of, lowered_for, number};
use std::collections::BTreeMap;
use std::time::Duration;

fn run(engine: &dyn Engine, task: &Task, budget: &Budget) -> Outcome {
    engine.run(task, &Facts::default(), budget, &Silent).outcome
}

/// The same program with errors that only a rare input reaches: random executions do not come upon them, so that the proof rule alone has to refuse.
fn gated(text: &str) -> String {
    let gate = "extern unsigned any(void);\nvoid check(int ok) { if (!ok && any() * 2654435761u == 0xdeadbeefu) reach_error(); }";
    text.replace("void check(int ok) { if (!ok) reach_error(); }", gate)
}

fn compare(generate: fn(u64) -> String, cases: u64) {
    let first = number("RADDLE_SEED", 0);
    let time = Duration::from_millis(number("RADDLE_TIME", 1000));
    let engines: [&dyn Engine; 2] = [&Invariants(InvariantsConfig::default()), &Modular(ModularConfig::default())];
    let mut answers: BTreeMap<(&str, &str, &str), u64> = BTreeMap::new();
    let mut wrong = vec![];
    for seed in first..first + number("RADDLE_CASES", cases) {
        let model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
        let text = generate(seed);
        let task = Task::new(lowered_for(model, &text), MemoryModel::Sc);
        let expected = run(&Explore(ExploreConfig::default()), &task, &budget_of(2000));
        let task = Task::new(lowered_for(model, &gated(&text)), MemoryModel::Sc);
        for engine in engines {
            let said = run(engine, &task, &Budget::of_time(time));
            *answers.entry((engine.name(), expected.name(), said.name())).or_default() += 1;
            let is_wrong = matches!((&said, &expected), (Outcome::Safe(_), Outcome::Unsafe(_)));
            if is_wrong || said.name() == "unconfirmed" {
                println!("seed {seed} ({model:?}): {} says {said:?}, explore says {expected:?}\n{text}", engine.name());
                wrong.push((seed, engine.name()));
            }
        }
    }
    for ((name, expected, said), times) in &answers {
        println!("{name}: {said} where exploration says {expected}: {times}");
    }
    assert!(wrong.is_empty(), "they disagree: {wrong:?}");
}

#[test]
fn instances_of_thread_functions() {
    compare(instances::program, 16);
}

#[test]
fn programs_with_threads() {
    compare(random_c::program, 8);
}

#[test]
fn threads_that_stall() {
    compare(stalls::program, 10);
}

#[test]
fn sequential_programs() {
    compare(sequential::program, 5);
}
