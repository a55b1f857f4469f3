//! Random concurrent C programs: with every cone of influence, the verdict is that of exhaustive exploration.
//!
//! `RADDLE_CASES=1000 cargo test --release -p raddle-cegar --test coi -- --nocapture` runs more of them, `RADDLE_SEED` says where to begin.

use raddle_cegar::{CegarConfig, Coi, Domain, Por};
use raddle_engine::{Engine, Facts, Silent, Task};
use raddle_explore::{Explore, ExploreConfig};
use raddle_ir::MemoryModel;
use raddle_testing::{budget_of, lowered, number, random_c};
use std::collections::BTreeMap;

#[test]
fn every_cone_has_the_verdict_of_exploration() {
    let first = number("RADDLE_SEED", 0);
    let mut answers: BTreeMap<String, u64> = BTreeMap::new();
    let mut wrong = Vec::new();
    for seed in first..first + number("RADDLE_CASES", 8) {
        let task = Task::new(lowered(&random_c::program(seed)), MemoryModel::Sc);
        let explore = Explore(ExploreConfig::default());
        let expected = explore.run(&task, &Facts::default(), &budget_of(1600), &Silent).outcome;
        if expected.is_unknown() {
            continue;
        }
        for domain in [Domain::Expl, Domain::PredCart] {
            for coi in [Coi::None, Coi::Static, Coi::Dynamic, Coi::Both] {
                let por = [Por::None, Por::Spor, Por::Aaspor][seed as usize % 3];
                let config = CegarConfig { domain, coi, por, ..CegarConfig::default() };
                let (outcome, stats, _) = raddle_cegar::verify(&task, &config, &budget_of(3000), &Silent);
                let mut count =
                    |what: &str, n: u64| *answers.entry(format!("{domain:?} {coi:?} {what}")).or_default() += n;
                count(outcome.name(), 1);
                if !outcome.is_unknown() {
                    count("statements", stats.statements);
                    count("statements simplified", stats.statements_havocked + stats.statements_removed);
                    if outcome.name() != expected.name() {
                        wrong.push((seed, domain, coi, por, outcome));
                    }
                }
            }
        }
    }
    for (what, times) in &answers {
        println!("{what}: {times}");
    }
    assert!(wrong.is_empty(), "they disagree: {wrong:?}");
}
