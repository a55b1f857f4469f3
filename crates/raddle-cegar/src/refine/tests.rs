use super::{ATTEMPTS, Seen, refine};
use crate::config::{CegarConfig, Coi, Domain, Por, PredSplit, Refiner};
use crate::domains::precision::Precision;
use crate::graph::abstractor::{Abstractor, Built};
use crate::model::{ActionId, Model};
use crate::refine::path::{Feasibility, Path, feasibility};
use crate::{form, verify};
use clap::ValueEnum;
use raddle_engine::{Budget, Silent, Task};
use raddle_ir::MemoryModel;
use raddle_testing::lowered;
use std::collections::HashSet;
use std::time::Duration;

fn task(main: &str) -> Task {
    let prelude = "extern int nondet(void); void reach_error(void) {} void check(int ok) { if (!ok) reach_error(); }\n";
    let text = format!("{prelude} int main() {{ {} return 0; }}", main.replace("any()", "nondet()"));
    Task::new(lowered(&text), MemoryModel::Sc)
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

fn outcome(text: &str, config: &CegarConfig) -> &'static str {
    verify(&task(text), config, &Budget::of_time(Duration::from_secs(60)), &Silent).0.name()
}

#[test]
fn every_refiner_proves_what_is_safe() {
    for &refiner in Refiner::value_variants() {
        for live_variables in [false, true] {
            let config = CegarConfig {
                domain: Domain::PredCart,
                refiner: Some(refiner),
                live_variables,
                ..CegarConfig::default()
            };
            for text in SAFE {
                assert_eq!(outcome(text, &config), "true", "{refiner:?}: {text}");
            }
        }
    }
}

#[test]
fn every_refiner_finds_what_is_wrong() {
    for &refiner in Refiner::value_variants() {
        for domain in [Domain::PredCart, Domain::ExplPred] {
            let config = CegarConfig { domain, refiner: Some(refiner), ..CegarConfig::default() };
            let text = "int x = any(), y = 0; while (y < 2) { if (x == 3) y += 2; else y++; } check(x != 3 || y != 2);";
            assert_eq!(outcome(text, &config), "false", "{refiner:?} {domain:?}");
        }
    }
}

#[test]
fn loops_have_invariants() {
    let config = CegarConfig { domain: Domain::PredCart, ..CegarConfig::default() };
    for text in LOOPS {
        assert_eq!(outcome(text, &config), "true", "{text}");
    }
}

#[test]
fn explicit_values_take_the_variables_of_predicates() {
    for refiner in [Refiner::SeqItp, Refiner::NwtItWp, Refiner::NwtItSp, Refiner::UnsatCore] {
        for domain in [Domain::Expl, Domain::ExplPred] {
            let config = CegarConfig { domain, refiner: Some(refiner), ..CegarConfig::default() };
            let text = "int x = 1, y = 2; while (any()) { int t = x; x = y; y = t; } check(x + y == 3);";
            assert_eq!(outcome(text, &config), "true", "{refiner:?} {domain:?}");
        }
    }
}

/// Whatever a refiner's whole labels are, with the interpolants of the last attempt no path comes back.
#[test]
fn no_path_comes_back() {
    for &refiner in Refiner::value_variants() {
        let config = CegarConfig {
            domain: Domain::PredCart,
            refiner: Some(refiner),
            split: PredSplit::Whole,
            por: Por::None,
            coi: Coi::None,
            ..CegarConfig::default()
        };
        for text in SAFE {
            let prepared = task(text).prepared(form(&config, 1)).expect("a small program");
            let mut model = Model::new(&prepared).expect("a simple program");
            let (mut precision, mut seen) = (Precision::default(), Seen::default());
            let mut abstractor = Abstractor::new(&config, &mut model, &mut precision);
            let mut paths: HashSet<Vec<ActionId>> = HashSet::new();
            for _ in 0..20 {
                abstractor.restart(&mut model, &mut precision);
                let Built::Target(target) = abstractor.build(&mut model, &mut precision, &|_| None) else { break };
                let (_, actions) = abstractor.arg.path(target);
                let mut path = Path::new(&mut model, &actions);
                let Feasibility::Infeasible(core) = feasibility(&mut model, &mut path) else { panic!("{text}") };
                assert!(paths.insert(actions.clone()), "{refiner:?}: a path comes back in {text}");
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
