//! Random concurrent C programs: with every cone of influence, the verdict is that of exhaustive exploration.
//!
//! `RADDLE_CASES=1000 cargo test --release -p raddle-cegar --test coi -- --nocapture` runs more of them, `RADDLE_SEED` says where to begin.

#[allow(dead_code)]
#[path = "../../raddle-oc/tests/random_c/mod.rs"]
mod random_c;

use raddle_c::driver::{Options, load_text};
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_cegar::{CegarConfig, CegarStats, Coi, Domain, Outcome, Por};
use raddle_interp::{ExploreConfig, StopReason, explore};
use raddle_ir::Program;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

/// Stops after so many questions whether to stop.
fn stop_after(polls: u32) -> impl Fn() -> Option<StopReason> + Sync {
    let count = AtomicU32::new(0);
    move || (count.fetch_add(1, Ordering::Relaxed) > polls).then_some(StopReason::Timeout)
}

fn loaded(seed: u64) -> Program {
    let lower = LowerOptions { assertions_are_errors: true, concrete_arguments: false };
    let options = Options { model: DataModel::Lp64, cpp: CppOptions::default(), lower };
    let text = random_c::program(seed);
    match load_text(&format!("random{seed}.c"), text.into_bytes(), &options) {
        Ok(loaded) => raddle_passes::simplify(loaded.program),
        Err(failure) => panic!("seed {seed} is not accepted: {}", failure.message),
    }
}

/// Is there an error, as far as exploration gets?
fn explored(program: &Program) -> Option<bool> {
    match explore(program, &ExploreConfig::default(), &stop_after(100)).outcome {
        raddle_interp::Outcome::Safe => Some(false),
        raddle_interp::Outcome::Unsafe(..) => Some(true),
        raddle_interp::Outcome::Unknown(..) => None,
    }
}

fn abstracted(program: &Program, domain: Domain, coi: Coi, por: Por) -> (Result<bool, String>, CegarStats) {
    let config = CegarConfig { domain, coi, por, ..CegarConfig::default() };
    let (outcome, stats) = raddle_cegar::verify(program, &config, &stop_after(30));
    let verdict = match outcome {
        Outcome::Safe => Ok(false),
        Outcome::Unsafe(..) => Ok(true),
        Outcome::Unsupported(..) => Err("unsupported".to_string()),
        Outcome::Unknown(code, _) => Err(code.to_string()),
    };
    (verdict, stats)
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn every_cone_has_the_verdict_of_exploration() {
    let first = number("RADDLE_SEED", 0);
    let mut answers: BTreeMap<String, u64> = BTreeMap::new();
    let mut wrong = Vec::new();
    for seed in first..first + number("RADDLE_CASES", 8) {
        let program = loaded(seed);
        let Some(expected) = explored(&program) else { continue };
        for domain in [Domain::Expl, Domain::PredCart] {
            for coi in [Coi::None, Coi::Static, Coi::Dynamic, Coi::Both] {
                let por = [Por::None, Por::Spor, Por::Aaspor][seed as usize % 3];
                let (verdict, stats) = abstracted(&program, domain, coi, por);
                let mut count =
                    |what: &str, n: u64| *answers.entry(format!("{domain:?} {coi:?} {what}")).or_default() += n;
                match verdict {
                    Ok(verdict) => {
                        count(&verdict.to_string(), 1);
                        count("statements", stats.statements);
                        count("statements simplified", stats.havocs + stats.removed);
                        if verdict != expected {
                            wrong.push((seed, domain, coi, por, verdict));
                        }
                    }
                    Err(code) => count(&code, 1),
                }
            }
        }
    }
    for (what, times) in &answers {
        println!("{what}: {times}");
    }
    assert!(wrong.is_empty(), "they disagree: {wrong:?}");
}
