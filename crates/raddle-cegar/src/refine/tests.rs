use super::{ATTEMPTS, Seen, refine};
use crate::config::{CegarConfig, Choice, Coi, Domain, Por, PredSplit, Refiner};
use crate::domains::precision::Precision;
use crate::graph::abstractor::{Abstractor, Built};
use crate::model::{ActionId, Model};
use crate::refine::path::{Feasibility, Path, feasibility};
use crate::{Outcome, verify};
use raddle_c::driver::{Options, load_text};
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_ir::Program;
use std::collections::HashSet;

fn program(main: &str) -> Program {
    let prelude = "extern int nondet(void); void reach_error(void) {} void check(int ok) { if (!ok) reach_error(); }\n";
    let text = format!("{prelude} int main() {{ {} return 0; }}", main.replace("any()", "nondet()"));
    let lower = LowerOptions { assertions_are_errors: true, concrete_arguments: false };
    let options = Options { model: DataModel::Lp64, cpp: CppOptions::default(), lower };
    match load_text("test.c", text.into_bytes(), &options) {
        Ok(loaded) => loaded.program,
        Err(failure) => panic!("not accepted: {}\n{main}", failure.message),
    }
}

const SAFE: &[&str] = &[
    "int x = any(); int y = x; if (x > 5) check(y > 4);",
    "int x = any(), y = 0; if (x == 3) y = 1; if (y) check(x == 3);",
    "int x = any(), y = any(); if (x < y) { int z = y; if (z < 10) check(x < 9); }",
    "unsigned a = any(), b = a & 7; if (b & 1) check(a % 2 == 1);",
    "int m = 0, n = any(); check(n < 1 || m < n);",
    "int x = 0; while (any()) { x = 1 - x; check(x == 0 || x == 1); }",
];

const LOOPS: &[&str] = &[
    "int i; for (i = 0; i < 1000000; i++) ; check(i == 1000000);",
    "int i; for (i = 0; i < 1000000; i += 2) ; check(i == 1000000);",
    "int n = any(), i = 0, k = 0; while (i < n) { i++; k++; } int j = n; while (j > 0) { check(k > 0); j--; k--; }",
    "int a = any(), b = any(); if (b < 0) return 0; int s = a, c = b; while (c > 0) { c--; s++; } check(s == a + b);",
];

fn outcome(text: &str, config: &CegarConfig) -> Outcome {
    let begin = std::time::Instant::now();
    let stop = || (begin.elapsed().as_secs() > 60).then_some(raddle_interp::StopReason::Timeout);
    verify(&program(text), config, &stop).0
}

#[test]
fn every_refiner_proves_what_is_safe() {
    for (name, refiner) in Refiner::ALL {
        for live_variables in [false, true] {
            let config =
                CegarConfig { domain: Domain::PredCart, refiner: *refiner, live_variables, ..CegarConfig::default() };
            for text in SAFE {
                assert_eq!(outcome(text, &config), Outcome::Safe, "{name}: {text}");
            }
        }
    }
}

#[test]
fn every_refiner_finds_what_is_wrong() {
    for (name, refiner) in Refiner::ALL {
        for domain in [Domain::PredCart, Domain::ExplPred] {
            let config = CegarConfig { domain, refiner: *refiner, ..CegarConfig::default() };
            let text = "int x = any(), y = 0; while (y < 2) { if (x == 3) y += 2; else y++; } check(x != 3 || y != 2);";
            let found = outcome(text, &config);
            assert!(matches!(found, Outcome::Unsafe(..)), "{name} {domain:?}: {found:?}");
        }
    }
}

#[test]
fn loops_have_invariants() {
    let config = CegarConfig { domain: Domain::PredCart, ..CegarConfig::default() };
    for text in LOOPS {
        assert_eq!(outcome(text, &config), Outcome::Safe, "{text}");
    }
}

#[test]
fn explicit_values_take_the_variables_of_predicates() {
    for refiner in [Refiner::SeqItp, Refiner::NwtItWp, Refiner::NwtItSp, Refiner::UnsatCore] {
        for domain in [Domain::Expl, Domain::ExplPred] {
            let config = CegarConfig { domain, refiner, ..CegarConfig::default() };
            let text = "int x = 1, y = 2; while (any()) { int t = x; x = y; y = t; } check(x + y == 3);";
            assert_eq!(outcome(text, &config), Outcome::Safe, "{refiner:?} {domain:?}");
        }
    }
}

/// Whatever a refiner's whole labels are, with the interpolants of the last attempt no path comes back.
#[test]
fn no_path_comes_back() {
    for (name, refiner) in Refiner::ALL {
        let config = CegarConfig {
            domain: Domain::PredCart,
            refiner: *refiner,
            split: PredSplit::Whole,
            por: Por::None,
            coi: Coi::None,
            ..CegarConfig::default()
        };
        for text in SAFE {
            let prepared = crate::prepare::prepare(program(text), &config).expect("a small program");
            let mut model = Model::new(&prepared).expect("a simple program");
            let (mut precision, mut seen) = (Precision::default(), Seen::default());
            let mut abstractor = Abstractor::new(&config, &mut model, &mut precision);
            let mut paths: HashSet<Vec<ActionId>> = HashSet::new();
            for _ in 0..20 {
                abstractor.restart(&mut model, &mut precision);
                let Built::Target(target) = abstractor.build(&mut model, &mut precision, &|| None) else { break };
                let (_, actions) = abstractor.arg.path(target);
                let mut path = Path::new(&mut model, &actions);
                let Feasibility::Infeasible(core) = feasibility(&mut model, &mut path) else { panic!("{text}") };
                assert!(paths.insert(actions.clone()), "{name}: a path comes back in {text}");
                for attempt in [0, ATTEMPTS - 1] {
                    let refined = refine(&mut model, &config, &mut seen, &path, &actions, &core, attempt);
                    for (_, predicate) in refined.expect("a refinement").predicates {
                        precision.add_predicate(&mut model.pool, predicate, None);
                    }
                }
            }
        }
    }
}
