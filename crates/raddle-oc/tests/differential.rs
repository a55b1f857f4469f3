//! Random C programs: all verifiers must agree with exhaustive exploration.
//!
//! `RADDLE_CASES=5000 cargo test --release --test differential -- --nocapture` runs more of them, `RADDLE_SEED` says where to begin, and
//! `RADDLE_DUMP=folder cargo test --test differential dump -- --ignored` writes the programs to files.

mod random_c;

use raddle_c::driver::{Options, load_text};
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_interp::{ExploreConfig, Outcome, Por, StopReason, explore};
use raddle_ir::{MemoryModel, Program};
use std::cell::Cell;
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Eq, Debug)]
enum Verdict {
    True,
    False,
    /// Why.
    Unknown(String),
}

type Verifier = (&'static str, fn(&Program) -> Verdict);

/// All but the oracle.
const VERIFIERS: &[Verifier] = &[
    ("explore without reduction", |program| explored(program, Por::None, MemoryModel::Sc, 300)),
    ("oc", |program| by_partial_orders(program, raddle_ir::MemoryModel::Sc)),
];

/// Ordering consistency, loops unrolled up to 16 times.
fn by_partial_orders(program: &Program, memory_model: raddle_ir::MemoryModel) -> Verdict {
    let config = raddle_oc::OcConfig { memory_model, unroll_end: 16, ..raddle_oc::OcConfig::default() };
    let begin = std::time::Instant::now();
    let stop = || (begin.elapsed().as_secs() > 10).then_some(StopReason::Timeout);
    match raddle_oc::verify(program, &config, None, &stop).0 {
        raddle_oc::Outcome::Safe => Verdict::True,
        raddle_oc::Outcome::Unsafe(..) => Verdict::False,
        raddle_oc::Outcome::Bounded(_) => Verdict::Unknown("bound-reached".into()),
        raddle_oc::Outcome::Unsupported(what, _) => Verdict::Unknown(format!("unsupported {what}")),
        raddle_oc::Outcome::Unknown(code, why) => Verdict::Unknown(format!("{code}: {why}")),
    }
}

/// Exploration of about so many thousands of states.
fn explored(program: &Program, por: Por, memory_model: MemoryModel, thousands: u32) -> Verdict {
    let polls = Cell::new(0);
    let stop = || {
        polls.set(polls.get() + 1);
        (polls.get() > thousands).then_some(StopReason::Timeout)
    };
    match explore(program, &ExploreConfig { por, memory_model, ..ExploreConfig::default() }, &stop).outcome {
        Outcome::Safe => Verdict::True,
        Outcome::Unsafe(..) => Verdict::False,
        Outcome::Unknown(code, why) => Verdict::Unknown(format!("{code}: {why}")),
    }
}

fn loaded(seed: u64, text: &str, model: DataModel) -> Program {
    let lower = LowerOptions { assertions_are_errors: true, concrete_arguments: false };
    let options = Options { model, cpp: CppOptions::default(), lower };
    match load_text(&format!("random{seed}.c"), text.as_bytes().to_vec(), &options) {
        Ok(loaded) => raddle_passes::simplify(loaded.program),
        Err(failure) => panic!("seed {seed} is not accepted: {}\n{text}", failure.message),
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn verifiers_agree() {
    let first = number("RADDLE_SEED", 0);
    let mut answers: BTreeMap<(&str, String), u64> = BTreeMap::new();
    let mut wrong = vec![];
    for seed in first..first + number("RADDLE_CASES", 60) {
        let text = random_c::program(seed);
        // Only the sizes of `long` and of pointers differ: either model will do.
        let model = if seed % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
        let program = loaded(seed, &text, model);
        let expected = explored(&program, Por::Persistent, MemoryModel::Sc, 300);
        let mut count = |name, verdict: &Verdict| {
            let short = match verdict {
                Verdict::Unknown(why) => format!("unknown, {}", why.split(':').next().unwrap_or("")),
                other => format!("{other:?}").to_lowercase(),
            };
            *answers.entry((name, short)).or_default() += 1;
        };
        count("explore", &expected);
        for (name, verify) in VERIFIERS {
            let verdict = verify(&program);
            count(name, &verdict);
            let unknown = |v: &Verdict| matches!(v, Verdict::Unknown(_));
            if verdict != expected && !unknown(&verdict) && !unknown(&expected) {
                println!("seed {seed} ({model:?}): {name} says {verdict:?}, explore says {expected:?}\n{text}");
                wrong.push((seed, *name));
            }
        }
    }
    for ((name, verdict), times) in &answers {
        println!("{name}: {verdict}: {times}");
    }
    assert!(wrong.is_empty(), "they disagree: {wrong:?}");
}

#[test]
fn verifiers_agree_under_weak_memory_models() {
    let first = number("RADDLE_SEED", 0);
    let mut answers: BTreeMap<(&str, &str, String), u64> = BTreeMap::new();
    let mut wrong = vec![];
    for seed in first..first + number("RADDLE_CASES", 80) {
        let text = if seed % 4 == 0 { random_c::program(seed) } else { random_c::litmus::program(seed) };
        let program = loaded(seed, &text, DataModel::Lp64);
        for model in [raddle_ir::MemoryModel::Sc, raddle_ir::MemoryModel::Tso, raddle_ir::MemoryModel::Pso] {
            let expected = explored(&program, Por::Persistent, model.of_executions(), 100);
            let verdict = by_partial_orders(&program, model);
            for (name, verdict) in [("explore", &expected), ("oc", &verdict)] {
                let short = match verdict {
                    Verdict::Unknown(why) => format!("unknown, {}", why.split(':').next().unwrap_or("")),
                    other => format!("{other:?}").to_lowercase(),
                };
                *answers.entry((model.name(), name, short)).or_default() += 1;
            }
            let unknown = |v: &Verdict| matches!(v, Verdict::Unknown(_));
            let unconfirmed = |v: &Verdict| matches!(v, Verdict::Unknown(why) if why.starts_with("unconfirmed"));
            if verdict != expected && !unknown(&verdict) && !unknown(&expected) || unconfirmed(&verdict) {
                let name = model.name();
                println!("seed {seed} under {name}: oc says {verdict:?}, explore says {expected:?}\n{text}");
                wrong.push((seed, name));
            }
        }
    }
    for ((model, name, verdict), times) in &answers {
        println!("{model}: {name}: {verdict}: {times}");
    }
    assert!(wrong.is_empty(), "they disagree: {wrong:?}");
}

#[test]
fn both_data_models_accept_them() {
    for seed in 0..number("RADDLE_CASES", 60) {
        let text = random_c::program(seed);
        loaded(seed, &text, DataModel::Ilp32);
        loaded(seed, &text, DataModel::Lp64);
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
