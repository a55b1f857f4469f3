//! Random C programs: all configurations must agree with exhaustive exploration, and so must partial orders (`raddle-oc`).
//!
//! `RADDLE_CASES=2000 cargo test --release -p raddle-cegar --test differential -- --nocapture` runs more of them; `RADDLE_SEED` says where to begin,
//! `RADDLE_CONFIGS` how many configurations run on each program.

use raddle_cegar::{
    Arithmetic, Cegar, CegarConfig, Coi, Domain, Granularity, InitialPrecision, Lbe, Por, Prune, Refiner, Search,
};
use raddle_engine::{Budget, Engine, Facts, Outcome, Silent, Task};
use raddle_explore::{Explore, ExploreConfig};
use raddle_ir::MemoryModel;
use raddle_oc::{Oc, OcConfig};
use raddle_smt::find_integer_solver;
use raddle_testing::random_c::{self, sequential, stalls, stray};
use raddle_testing::{DataModel, budget_of, lowered_for, number};
use std::collections::BTreeMap;
use std::time::Duration;

/// Every option has its turn, and each is together with others that it could get in the way of.
fn configurations() -> Vec<(&'static str, CegarConfig)> {
    let default = || CegarConfig { domain: Domain::Expl, ..CegarConfig::default() };
    let pred = || CegarConfig { domain: Domain::PredCart, ..default() };
    let refined = |refiner, config| CegarConfig { refiner: Some(refiner), ..config };
    let blocks = |lbe, config| CegarConfig { lbe: Some(lbe), ..config };
    let mut all = vec![
        ("default", CegarConfig::default()),
        ("expl", default()),
        ("pred-cart", pred()),
        ("expl, all variables", CegarConfig { initial: InitialPrecision::AllVars, ..default() }),
        ("expl, no reduction", blocks(Lbe::None, CegarConfig { por: Por::None, coi: Coi::None, ..default() })),
        ("expl, spor, unsat-core", refined(Refiner::UnsatCore, CegarConfig { por: Por::Spor, ..default() })),
        ("expl, seq-itp, dfs", refined(Refiner::SeqItp, CegarConfig { search: Search::Dfs, ..default() })),
        ("expl, max-enum 10", CegarConfig { max_enum: 10, ..default() }),
        ("pred-bool", CegarConfig { domain: Domain::PredBool, ..default() }),
        ("pred-split", blocks(Lbe::Seq, CegarConfig { domain: Domain::PredSplit, ..default() })),
        ("expl-pred, err", CegarConfig { domain: Domain::ExplPred, search: Search::Err, ..default() }),
        ("pred-cart, full, dfs", CegarConfig { prune: Prune::Full, search: Search::Dfs, ..pred() }),
        ("pred-cart, local", CegarConfig { granularity: Granularity::Local, ..pred() }),
        ("pred-cart, bw-bin-itp", refined(Refiner::BwBinItp, CegarConfig { coi: Coi::Both, ..pred() })),
        ("pred-cart, nwt-sp", refined(Refiner::NwtSp, blocks(Lbe::Local, CegarConfig { coi: Coi::Static, ..pred() }))),
        ("pred-cart, nwt-it-sp", refined(Refiner::NwtItSp, CegarConfig { live_variables: true, ..pred() })),
        ("pred-cart, all assumes", CegarConfig { initial: InitialPrecision::AllAssumes, ..pred() }),
        ("pred-cart, multi-seq", refined(Refiner::MultiSeq, CegarConfig { por: Por::Spor, ..pred() })),
    ];
    match find_integer_solver() {
        Some(found) => {
            let integers = |arithmetic, refiner| {
                let integer_solver = Some(found.clone());
                refined(refiner, CegarConfig { arithmetic, integer_solver, ..pred() })
            };
            all.push(("pred-cart, integer", integers(Arithmetic::Integer, Refiner::SeqItp)));
            all.push(("pred-cart, efficient", integers(Arithmetic::Efficient, Refiner::BwBinItp)));
        }
        None => eprintln!("without integer arithmetic: no solver that interpolates integers is on PATH"),
    }
    all
}

fn run(engine: &dyn Engine, task: &Task, budget: &Budget) -> Outcome {
    engine.run(task, &Facts::default(), budget, &Silent).outcome
}

fn by_abstraction(task: &Task, config: &CegarConfig) -> Outcome {
    run(&Cegar(config.clone()), task, &Budget::of_time(Duration::from_millis(500)))
}

fn by_partial_orders(task: &Task) -> Outcome {
    run(&Oc(OcConfig::default()), task, &Budget::of_time(Duration::from_millis(500)))
}

/// Exploration of a hundred thousand states.
fn by_exploring(task: &Task) -> Outcome {
    run(&Explore(ExploreConfig::default()), task, &budget_of(2000))
}

/// Only the sizes of `long` and of pointers differ: either model will do.
fn model(seed: u64) -> DataModel {
    if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 }
}

/// Compares configurations with exploration on the programs of a generator: some of them on each program, by turns.
fn compare(generate: fn(u64) -> String, cases: u64) {
    let first = number("RADDLE_SEED", 0);
    let configurations = configurations();
    let mut answers: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    let mut wrong = vec![];
    for seed in first..first + number("RADDLE_CASES", cases) {
        let (text, model) = (generate(seed), model(seed));
        let task = Task::new(lowered_for(model, &text), MemoryModel::Sc);
        let expected = by_exploring(&task);
        assert_ne!(expected.name(), "unconfirmed", "seed {seed}\n{text}");
        let mut compare = |name: &'static str, said: &Outcome| {
            *answers.entry((name, said.name())).or_default() += 1;
            if said.name() != expected.name() && !said.is_unknown() && !expected.is_unknown() {
                println!("seed {seed} ({model:?}): {name} says {said:?}, explore says {expected:?}\n{text}");
                wrong.push((seed, name));
            }
        };
        compare("explore", &expected);
        compare("oc", &by_partial_orders(&task));
        for turn in 0..number("RADDLE_CONFIGS", 2) as usize {
            let (name, config) = &configurations[(seed as usize * 2 + turn) % configurations.len()];
            compare(name, &by_abstraction(&task, config));
        }
    }
    for ((name, verdict), times) in &answers {
        println!("{name}: {verdict}: {times}");
    }
    assert!(wrong.is_empty(), "they disagree: {wrong:?}");
}

#[test]
fn configurations_agree() {
    compare(random_c::program, 20);
}

#[test]
fn configurations_agree_on_sequential_programs() {
    compare(sequential::program, 12);
}

/// Programs made to go wrong under a reduction that forgets a side condition.
#[test]
fn configurations_agree_where_threads_stall() {
    compare(stalls::program, 40);
}

/// All reductions on each of these programs, with edges as they are written and with large blocks, and exploration without reduction.
#[test]
fn reductions_agree_where_threads_stall() {
    let (first, cases) = (number("RADDLE_SEED", 0), number("RADDLE_CASES", 60));
    let mut engines: Vec<(String, Box<dyn Engine>)> = Vec::new();
    let plain = ExploreConfig { por: Por::None, ..ExploreConfig::default() };
    engines.push(("explore without reduction".into(), Box::new(Explore(plain))));
    for lbe in [Some(Lbe::None), None] {
        for por in [Por::None, Por::Spor, Por::Aaspor] {
            let config = CegarConfig { domain: Domain::Expl, por, lbe, ..CegarConfig::default() };
            engines.push((format!("{por:?}, {lbe:?}"), Box::new(Cegar(config))));
        }
    }
    engines.push(("oc".into(), Box::new(Oc(OcConfig::default()))));
    let mut wrong = Vec::new();
    for seed in first..first + cases {
        let text = stalls::program(seed);
        let task = Task::new(lowered_for(model(seed), &text), MemoryModel::Sc);
        let expected = by_exploring(&task);
        for (name, engine) in &engines {
            let outcome = run(engine.as_ref(), &task, &Budget::of_time(Duration::from_millis(500)));
            if outcome.name() != expected.name() && !outcome.is_unknown() && !expected.is_unknown() {
                println!("seed {seed}: {name} says {}, explore says {}\n{text}", outcome.name(), expected.name());
                wrong.push((seed, name.clone()));
            }
        }
    }
    assert!(wrong.is_empty(), "they disagree: {wrong:?}");
}

/// An error that becomes a call of a function without model is reached in the same executions: nobody proves anything then, and nobody complains otherwise.
#[test]
fn gaps_are_reached_where_errors_are() {
    let (first, cases) = (number("RADDLE_SEED", 0), number("RADDLE_CASES", 40));
    let plain = ExploreConfig { por: Por::None, ..ExploreConfig::default() };
    let configurations = configurations();
    let mut reached = 0;
    for seed in first..first + cases {
        let text = if seed % 4 == 0 { random_c::program(seed) } else { stalls::program(seed) };
        let task = |text: &str| Task::new(lowered_for(model(seed), text), MemoryModel::Sc);
        let expected = by_exploring(&task(&text));
        let with_gap = format!("extern int fork(void);\n{}", text.replace("reach_error();", "fork();"));
        let task = task(&with_gap);
        let (name, config) = &configurations[seed as usize % configurations.len()];
        let outcomes = [
            ("explore", by_exploring(&task)),
            ("explore without reduction", run(&Explore(plain.clone()), &task, &budget_of(2000))),
            ("oc", by_partial_orders(&task)),
            (name, by_abstraction(&task, config)),
        ];
        for (name, outcome) in outcomes {
            let is_wrong = match outcome.name() {
                "true" => expected.name() == "false",
                "unmodelled" => expected.name() == "true",
                "false" => true,
                _ => false,
            };
            assert!(!is_wrong, "seed {seed}: {name} says {outcome:?}, errors: {}\n{with_gap}", expected.name());
            reached += u32::from(outcome.name() == "unmodelled");
        }
    }
    assert!(reached > 20, "{reached}");
}

/// What is proved holds whatever the pointers are that were never written.
#[test]
fn proofs_hold_wherever_stray_pointers_lead() {
    let (first, cases) = (number("RADDLE_SEED", 0), number("RADDLE_CASES", 20));
    let configurations = configurations();
    let mut violated = 0;
    for seed in first..first + cases {
        let (text, chosen) = stray::programs(seed);
        let model = model(seed);
        let task = |text: &str| Task::new(lowered_for(model, text), MemoryModel::Sc);
        if by_exploring(&task(&chosen)).name() != "false" {
            continue;
        }
        violated += 1;
        let task = task(&text);
        assert_ne!(by_partial_orders(&task).name(), "true", "seed {seed} ({model:?}), oc\n{text}");
        for turn in 0..4 {
            let (name, config) = &configurations[(violated * 4 + turn) % configurations.len()];
            assert_ne!(by_abstraction(&task, config).name(), "true", "seed {seed} ({model:?}), {name}\n{text}");
        }
    }
    println!("{violated} of {cases} programs can be violated");
    assert!(violated as u64 * 5 >= cases, "too few programs say something: {violated} of {cases}");
}
