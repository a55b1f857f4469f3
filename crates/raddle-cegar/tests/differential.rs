//! Random C programs: all configurations must agree with exhaustive exploration, and so must partial orders (`raddle-oc`).
//!
//! `RADDLE_CASES=2000 cargo test --release -p raddle-cegar --test differential -- --nocapture` runs more of them; `RADDLE_SEED` says where to begin,
//! `RADDLE_CONFIGS` how many configurations run on each program.

#[path = "../../raddle-oc/tests/random_c/mod.rs"]
#[allow(dead_code)]
mod random_c;
mod sequential;
mod stalls;
mod stray;

use raddle_c::driver::{Options, load_text};
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_cegar::{
    Arithmetic, CegarConfig, Coi, Domain, Granularity, InitialPrecision, Lbe, Por, Prune, Refiner, Search,
};
use raddle_interp::{ExploreConfig, StopReason, explore};
use raddle_ir::Program;
use raddle_oc::OcConfig;
use raddle_smt::find_integer_solver;
use std::cell::Cell;
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Eq, Debug)]
enum Verdict {
    True,
    False,
    /// Why.
    Unknown(String),
}

/// Every option has its turn, and each is together with others that it could get in the way of.
fn configurations() -> Vec<(&'static str, CegarConfig)> {
    let default = || CegarConfig { domain: Domain::Expl, ..CegarConfig::default() };
    let pred = || CegarConfig { domain: Domain::PredCart, ..default() };
    let mut all = vec![
        ("default", CegarConfig::default()),
        ("expl", default()),
        ("pred-cart", pred()),
        ("expl, all variables", CegarConfig { initial: InitialPrecision::AllVars, ..default() }),
        ("expl, no reduction", CegarConfig { por: Por::None, coi: Coi::None, lbe: Lbe::None, ..default() }),
        ("expl, spor, unsat-core", CegarConfig { por: Por::Spor, refiner: Refiner::UnsatCore, ..default() }),
        ("expl, seq-itp, dfs", CegarConfig { refiner: Refiner::SeqItp, search: Search::Dfs, ..default() }),
        ("expl, max-enum 10", CegarConfig { max_enum: 10, ..default() }),
        ("pred-bool", CegarConfig { domain: Domain::PredBool, ..default() }),
        ("pred-split", CegarConfig { domain: Domain::PredSplit, lbe: Lbe::Seq, ..default() }),
        ("expl-pred, err", CegarConfig { domain: Domain::ExplPred, search: Search::Err, ..default() }),
        ("pred-cart, full, dfs", CegarConfig { prune: Prune::Full, search: Search::Dfs, ..pred() }),
        ("pred-cart, local", CegarConfig { granularity: Granularity::Local, ..pred() }),
        ("pred-cart, bw-bin-itp", CegarConfig { refiner: Refiner::BwBinItp, coi: Coi::Both, ..pred() }),
        ("pred-cart, nwt-sp", CegarConfig { refiner: Refiner::NwtSp, coi: Coi::Static, lbe: Lbe::Local, ..pred() }),
        ("pred-cart, nwt-it-sp", CegarConfig { refiner: Refiner::NwtItSp, live_variables: true, ..pred() }),
        ("pred-cart, all assumes", CegarConfig { initial: InitialPrecision::AllAssumes, ..pred() }),
        ("pred-cart, multi-seq", CegarConfig { refiner: Refiner::MultiSeq, por: Por::Spor, ..pred() }),
    ];
    match find_integer_solver() {
        Some(found) => {
            let integers = |arithmetic, refiner| {
                let integer_solver = Some(found.clone());
                CegarConfig { arithmetic, integer_solver, refiner, ..pred() }
            };
            all.push(("pred-cart, integer", integers(Arithmetic::Integer, Refiner::SeqItp)));
            all.push(("pred-cart, efficient", integers(Arithmetic::Efficient, Refiner::BwBinItp)));
        }
        None => eprintln!("without integer arithmetic: no solver that interpolates integers is on PATH"),
    }
    all
}

fn by_abstraction(program: &Program, config: &CegarConfig) -> Verdict {
    let begin = std::time::Instant::now();
    let stop = || (begin.elapsed().as_secs() >= 2).then_some(StopReason::Timeout);
    match raddle_cegar::verify(program, config, &stop).0 {
        raddle_cegar::Outcome::Safe => Verdict::True,
        raddle_cegar::Outcome::Unsafe(..) => Verdict::False,
        raddle_cegar::Outcome::Unsupported(what, _) => Verdict::Unknown(format!("unsupported {what}")),
        raddle_cegar::Outcome::Unknown(code, why) => Verdict::Unknown(format!("{code}: {why}")),
    }
}

fn by_partial_orders(program: &Program) -> Verdict {
    let begin = std::time::Instant::now();
    let stop = || (begin.elapsed().as_secs() >= 2).then_some(StopReason::Timeout);
    match raddle_oc::verify(program, &OcConfig::default(), None, &stop).0 {
        raddle_oc::Outcome::Safe => Verdict::True,
        raddle_oc::Outcome::Unsafe(..) => Verdict::False,
        raddle_oc::Outcome::Unsupported(what, _) => Verdict::Unknown(format!("unsupported {what}")),
        raddle_oc::Outcome::Bounded(_) => Verdict::Unknown("bounded".into()),
        raddle_oc::Outcome::Unknown(code, why) => Verdict::Unknown(format!("{code}: {why}")),
    }
}

/// Exploration of about so many thousands of states.
fn explored(program: &Program, thousands: u32) -> Verdict {
    explored_with(program, &ExploreConfig::default(), thousands)
}

fn explored_with(program: &Program, config: &ExploreConfig, thousands: u32) -> Verdict {
    let polls = Cell::new(0);
    let stop = || {
        polls.set(polls.get() + 1);
        (polls.get() > thousands).then_some(StopReason::Timeout)
    };
    match explore(program, config, &stop).outcome {
        raddle_interp::Outcome::Safe => Verdict::True,
        raddle_interp::Outcome::Unsafe(..) => Verdict::False,
        raddle_interp::Outcome::Unknown(code, why) => Verdict::Unknown(format!("{code}: {why}")),
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

/// Compares configurations with exploration on the programs of a generator: some of them on each program, by turns.
fn compare(generate: fn(u64) -> String, cases: u64) {
    let first = number("RADDLE_SEED", 0);
    let configurations = configurations();
    let mut answers: BTreeMap<(&str, String), u64> = BTreeMap::new();
    let mut wrong = vec![];
    for seed in first..first + number("RADDLE_CASES", cases) {
        let text = generate(seed);
        // Only the sizes of `long` and of pointers differ: either model will do.
        let model = if seed % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
        let program = loaded(seed, &text, model);
        let expected = explored(&program, 300);
        let mut count = |name, verdict: &Verdict| {
            let short = match verdict {
                Verdict::Unknown(why) => format!("unknown, {}", why.split(':').next().unwrap_or("")),
                other => format!("{other:?}").to_lowercase(),
            };
            *answers.entry((name, short)).or_default() += 1;
        };
        count("explore", &expected);
        let ordered = by_partial_orders(&program);
        count("oc", &ordered);
        let unknown = |v: &Verdict| matches!(v, Verdict::Unknown(_));
        if ordered != expected && !unknown(&ordered) && !unknown(&expected) {
            println!("seed {seed} ({model:?}): oc says {ordered:?}, explore says {expected:?}\n{text}");
            wrong.push((seed, "oc"));
        }
        for turn in 0..number("RADDLE_CONFIGS", 2) as usize {
            let (name, config) = &configurations[(seed as usize * 2 + turn) % configurations.len()];
            let verdict = by_abstraction(&program, config);
            count(name, &verdict);
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
fn configurations_agree() {
    compare(random_c::program, 60);
}

#[test]
fn configurations_agree_on_sequential_programs() {
    compare(sequential::program, 55);
}

/// Programs made to go wrong under a reduction that forgets a side condition.
#[test]
fn configurations_agree_where_threads_stall() {
    compare(stalls::program, 80);
}

/// All reductions on each of these programs, with edges as they are written and with large blocks, and exploration without reduction.
#[test]
fn reductions_agree_where_threads_stall() {
    let (first, cases) = (number("RADDLE_SEED", 0), number("RADDLE_CASES", 60));
    let mut configurations = vec![];
    for lbe in [Lbe::None, CegarConfig::default().lbe] {
        for por in [Por::None, Por::Spor, Por::Aaspor] {
            configurations.push(CegarConfig { domain: Domain::Expl, por, lbe, ..CegarConfig::default() });
        }
    }
    let is_unknown = |verdict: &Verdict| matches!(verdict, Verdict::Unknown(_));
    let (mut wrong, mut answers) = (vec![], BTreeMap::<String, u64>::new());
    for seed in first..first + cases {
        let text = stalls::program(seed);
        let program = loaded(seed, &text, DataModel::Lp64);
        let expected = explored(&program, 300);
        let plain = ExploreConfig { por: raddle_interp::Por::None, ..ExploreConfig::default() };
        let mut verdicts = vec![("explore without reduction".to_string(), explored_with(&program, &plain, 300))];
        for config in &configurations {
            verdicts.push((format!("{:?}, {:?}", config.por, config.lbe), by_abstraction(&program, config)));
        }
        verdicts.push(("oc".into(), by_partial_orders(&program)));
        for (name, verdict) in verdicts {
            let short = format!("{name}: {verdict:?}").split(": ").take(2).collect::<Vec<_>>().join(": ");
            *answers.entry(short).or_default() += 1;
            if verdict != expected && !is_unknown(&verdict) && !is_unknown(&expected) {
                println!("seed {seed}: {name} says {verdict:?}, explore says {expected:?}\n{text}");
                wrong.push((seed, name));
            }
        }
    }
    answers.iter().for_each(|(answer, times)| println!("{answer}: {times}"));
    assert!(wrong.is_empty(), "they disagree: {wrong:?}");
}

/// What is proved holds whatever the pointers are that were never written.
#[test]
fn proofs_hold_wherever_stray_pointers_lead() {
    let (first, cases) = (number("RADDLE_SEED", 0), number("RADDLE_CASES", 60));
    let configurations = configurations();
    let mut violated = 0;
    for seed in first..first + cases {
        let (text, chosen) = stray::programs(seed);
        let model = if seed % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
        if explored(&loaded(seed, &chosen, model), 300) != Verdict::False {
            continue;
        }
        violated += 1;
        let program = loaded(seed, &text, model);
        assert_ne!(by_partial_orders(&program), Verdict::True, "seed {seed} ({model:?}), oc\n{text}");
        for turn in 0..4 {
            let (name, config) = &configurations[(violated * 4 + turn) % configurations.len()];
            assert_ne!(by_abstraction(&program, config), Verdict::True, "seed {seed} ({model:?}), {name}\n{text}");
        }
    }
    println!("{violated} of {cases} programs can be violated");
    assert!(violated as u64 * 5 >= cases, "too few programs say something: {violated} of {cases}");
}
