//! Random C programs: all verifiers must agree with exhaustive exploration, and confirm what they find.
//!
//! `RADDLE_CASES=5000 cargo test --release --test differential -- --nocapture` runs more of them, `RADDLE_SEED` says where to begin, and
//! `RADDLE_DUMP=folder cargo test --test differential dump -- --ignored` writes the programs to files.

use raddle_engine::{Budget, Code, Engine, Facts, Outcome, Por, Silent, Task};
use raddle_explore::{Explore, ExploreConfig};
use raddle_ir::MemoryModel;
use raddle_oc::{Oc, OcConfig};
use raddle_testing::{DataModel, budget_of, lowered, lowered_for, number, random_c};
use std::collections::BTreeMap;
use std::time::Duration;

/// Ordering consistency, loops unrolled up to 16 times.
fn by_partial_orders(task: &Task) -> Outcome {
    let oc = Oc(OcConfig { unroll_end: 16, ..OcConfig::default() });
    oc.run(task, &Facts::default(), &Budget::of_time(Duration::from_secs(2)), &Silent).outcome
}

/// Exploration of about so many thousands of states.
fn by_exploring(task: &Task, por: Por, thousands: u64) -> Outcome {
    let explore = Explore(ExploreConfig { por, ..ExploreConfig::default() });
    explore.run(task, &Facts::default(), &budget_of(16 * thousands), &Silent).outcome
}

/// Counts verdicts, and collects those that are wrong.
#[derive(Default)]
struct Tally {
    answers: BTreeMap<String, u64>,
    wrong: Vec<String>,
}

impl Tally {
    /// What the oracle says, and somebody else.
    fn compare(&mut self, expected: &Outcome, said: &Outcome, who: &str, case: &str, text: &str) {
        *self.answers.entry(format!("{who}: {}", said.name())).or_default() += 1;
        let disagree = !expected.is_unknown() && !said.is_unknown() && expected.name() != said.name();
        let is_unconfirmed =
            |outcome: &Outcome| matches!(outcome, Outcome::Unknown(reason) if reason.code == Code::Unconfirmed);
        if disagree || is_unconfirmed(said) || is_unconfirmed(expected) {
            println!("{case}: {who} says {said:?}, explore says {expected:?}\n{text}");
            self.wrong.push(format!("{case}, {who}"));
        }
    }

    fn finish(self) {
        println!("{:#?}", self.answers);
        assert!(self.wrong.is_empty(), "they disagree, or do not confirm what they found: {:#?}", self.wrong);
    }
}

#[test]
fn verifiers_agree() {
    let first = number("RADDLE_SEED", 0);
    let mut tally = Tally::default();
    for seed in first..first + number("RADDLE_CASES", 40) {
        let text = random_c::program(seed);
        // Only the sizes of `long` and of pointers differ: either model will do.
        let model = if seed % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
        let task = Task::new(lowered_for(model, &text), MemoryModel::Sc);
        let case = format!("seed {seed} ({model:?})");
        let expected = by_exploring(&task, Por::Persistent, 60);
        tally.compare(&expected, &expected, "explore", &case, &text);
        let plain = by_exploring(&task, Por::None, 60);
        tally.compare(&expected, &plain, "explore without reduction", &case, &text);
        tally.compare(&expected, &by_partial_orders(&task), "oc", &case, &text);
    }
    tally.finish();
}

#[test]
fn verifiers_agree_under_weak_memory_models() {
    let first = number("RADDLE_SEED", 0);
    let mut tally = Tally::default();
    for seed in first..first + number("RADDLE_CASES", 24) {
        let text = if seed % 4 == 0 { random_c::program(seed) } else { random_c::litmus::program(seed) };
        for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
            let task = Task::new(lowered(&text), model);
            let case = format!("seed {seed} under {}", model.name());
            let expected = by_exploring(&task, Por::Persistent, 60);
            tally.compare(&expected, &expected, &format!("{}: explore", model.name()), &case, &text);
            tally.compare(&expected, &by_partial_orders(&task), &format!("{}: oc", model.name()), &case, &text);
        }
    }
    tally.finish();
}

#[test]
fn both_data_models_accept_them() {
    for seed in 0..number("RADDLE_CASES", 60) {
        let text = random_c::program(seed);
        lowered_for(DataModel::Ilp32, &text);
        lowered_for(DataModel::Lp64, &text);
    }
}

#[test]
fn the_same_seed_gives_the_same_program() {
    assert_eq!(random_c::program(7), random_c::program(7));
    assert_ne!(random_c::program(7), random_c::program(8));
}

#[test]
#[ignore = "writes programs to the folder RADDLE_DUMP"]
fn dump() {
    let folder = std::env::var("RADDLE_DUMP").expect("RADDLE_DUMP names a folder");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let first = number("RADDLE_SEED", 0);
    for seed in first..first + number("RADDLE_CASES", 60) {
        let path = std::path::Path::new(&folder).join(format!("random{seed}.c"));
        std::fs::write(path, random_c::program(seed)).expect("the file can be written");
    }
}
