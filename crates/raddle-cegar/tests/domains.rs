//! What each abstract domain can and cannot prove, and that all of them agree with exploration on random programs without threads.
//!
//! `RADDLE_CASES=2000 cargo test --release -p raddle-cegar --test domains -- --nocapture` runs more of them; `RADDLE_SEED` says where to begin.

use raddle_cegar::{CegarConfig, Coi, Domain, Granularity, Lbe, Por, Refiner, verify};
use raddle_engine::{Budget, Code, Engine, Facts, Outcome, Silent, Task};
use raddle_explore::{Explore, ExploreConfig};
use raddle_ir::MemoryModel;
use raddle_testing::{Random, budget_of, lowered, number};
use std::fmt::Write;
use std::time::Duration;

const NAMES: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
                     extern _Bool __VERIFIER_nondet_bool(void); extern void __VERIFIER_assume(int);\n";

fn task(text: &str) -> Task {
    Task::new(lowered(&format!("{NAMES}{text}")), MemoryModel::Sc)
}

fn said(text: &str, config: &CegarConfig) -> &'static str {
    verify(&task(text), config, &Budget::of_time(Duration::from_secs(10)), &Silent).0.name()
}

fn of(domain: Domain) -> CegarConfig {
    // Edges as they are written: what is in one step matters here.
    CegarConfig { domain, lbe: Some(Lbe::None), ..CegarConfig::default() }
}

fn expl(max_enum: u32) -> CegarConfig {
    CegarConfig { max_enum, ..of(Domain::Expl) }
}

/// Thesis 1, Listing 2.1 and Table 2.1.
#[test]
fn few_values_are_enumerated() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int();
        if (0 < x && x < 5) { if (x == 0) reach_error(); } return 0; }";
    assert_eq!(said(text, &expl(1)), "stuck");
    assert_eq!(said(text, &expl(10)), "true");
    assert_eq!(said(text, &of(Domain::PredCart)), "true");
    let large = CegarConfig { lbe: Some(Lbe::Full), ..expl(10) };
    assert_eq!(said(text, &large), "true");
}

#[test]
fn many_values_are_not_enumerated() {
    let text =
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 10) { if (x < 5) reach_error(); } return 0; }";
    assert_eq!(said(text, &expl(1)), "stuck");
    assert_eq!(said(text, &expl(10)), "stuck");
    for domain in [Domain::PredCart, Domain::PredSplit, Domain::PredBool, Domain::ExplPred] {
        assert_eq!(said(text, &of(domain)), "true", "{domain:?}");
    }
}

#[test]
fn a_solver_decides_assumptions_when_values_are_enumerated() {
    // A condition is one edge with what it is computed from.
    let merged = |max_enum| CegarConfig { lbe: Some(Lbe::Seq), ..expl(max_enum) };
    // No single value follows, but none is left.
    let text = "int main(void) { unsigned x = __VERIFIER_nondet_int(); if (x * 2 == 7) reach_error(); return 0; }";
    assert_eq!(said(text, &merged(2)), "true");
    // The pairs that are possible, not all combinations.
    let text = "int main(void) { _Bool a = __VERIFIER_nondet_bool(), b = !a; if (a == b) reach_error(); return 0; }";
    assert_eq!(said(text, &merged(2)), "true");
    let text = "int main(void) { unsigned x = __VERIFIER_nondet_int() & 3; unsigned y = x * x;
        if (y == 2) reach_error(); return 0; }";
    assert_eq!(said(text, &merged(4)), "true");
    let text = "int main(void) { unsigned x = __VERIFIER_nondet_int() & 3; unsigned y = x * x;
        if (y == 4) reach_error(); return 0; }";
    assert_eq!(said(text, &merged(4)), "false");
}

/// One of two predicates holds: a conjunction of them cannot say that.
#[test]
fn disjunctions_need_more_than_conjunctions() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume((x == 1) | (x == 5));
        if (x != 1) { if (x != 5) reach_error(); } return 0; }";
    assert_eq!(said(text, &of(Domain::PredSplit)), "true");
    assert_eq!(said(text, &of(Domain::PredBool)), "true");
    assert_eq!(said(text, &expl(2)), "true");
}

/// Two predicates that are not determined become equal by an assignment.
#[test]
fn relations_between_predicates() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); x = y;
        if (x > 3) { if (y <= 3) reach_error(); } return 0; }";
    for domain in [Domain::PredSplit, Domain::PredBool] {
        assert_eq!(said(text, &of(domain)), "true", "{domain:?}");
    }
}

#[test]
fn values_and_predicates_together() {
    let text = "int main(void) { int i = 0, x = __VERIFIER_nondet_int();
        if (x > 10) { while (i < 3) { i++; if (x < 5) reach_error(); } if (i != 3) reach_error(); } return 0; }";
    for (domain, max_enum) in [(Domain::ExplPred, 1), (Domain::ExplPred, 5), (Domain::PredCart, 1)] {
        assert_eq!(said(text, &CegarConfig { max_enum, ..of(domain) }), "true", "{domain:?} {max_enum}");
    }
    assert_eq!(said(text, &expl(5)), "stuck");
}

/// A question that takes long neither holds up the end, nor is it answered wrongly.
#[test]
fn hard_questions() {
    let text = "int main(void) { unsigned long x = __VERIFIER_nondet_int() & 0x7fff;
        unsigned long y = __VERIFIER_nondet_int() & 0x7fff;
        unsigned long p = 32749UL * 32719UL;
        if (x > 1 && y > 1 && x < y && x * y == p && x != 32719UL) reach_error(); return 0; }";
    for domain in [Domain::PredCart, Domain::PredBool, Domain::Expl] {
        let query_time = Some(Duration::from_millis(1));
        let config = CegarConfig { query_time, max_enum: 3, ..of(domain) };
        let outcome = verify(&task(text), &config, &Budget::of_time(Duration::from_secs(2)), &Silent).0;
        assert!(!matches!(outcome, Outcome::Unsafe(_)));
    }
}

/// A random program without threads.
struct Sequential(Random);

impl Sequential {
    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        self.0.pick(from)
    }

    fn term(&mut self) -> String {
        let (a, b) = (self.pick(&["a", "b", "c", "d"]), self.pick(&["a", "b", "c", "d", "1", "2", "3"]));
        match self.below(5) {
            0 => a.into(),
            1 => self.pick(&["0", "1", "2", "3", "7"]).into(),
            2 => format!("{a} {} {b}", self.pick(&["+", "-", "*", "^", "&", "|"])),
            3 => format!("({a} {} {b})", self.pick(&["<", "==", ">="])),
            _ => format!("({a} {} {b}) {} {}", self.pick(&["+", "-"]), self.pick(&["&", "*", "%"]), 1 + self.below(4)),
        }
    }

    fn condition(&mut self) -> String {
        let one = format!("{} {} {}", self.term(), self.pick(&["<", "==", "!=", ">", "<="]), self.below(6));
        match self.below(4) {
            0 => format!("({one}) | ({} == {})", self.pick(&["a", "b", "c"]), self.below(4)),
            1 => format!("{one} && {} != {}", self.pick(&["a", "b", "c"]), self.pick(&["b", "c", "d"])),
            _ => one,
        }
    }

    fn block(&mut self, out: &mut String, depth: u64, loops: &mut u64) {
        for _ in 0..1 + self.below(3) {
            let var = self.pick(&["a", "b", "c", "d"]);
            let _ = match self.below(8) {
                0..3 => writeln!(out, "{var} = {};", self.term()),
                3 => writeln!(out, "{var} = __VERIFIER_nondet_bool() + {};", self.below(3)),
                4 => writeln!(out, "__VERIFIER_assume({});", self.condition()),
                5 | 6 if depth > 0 => {
                    let _ = writeln!(out, "if ({}) {{", self.condition());
                    self.block(out, depth - 1, loops);
                    let _ = writeln!(out, "}} else {{");
                    self.block(out, depth - 1, loops);
                    writeln!(out, "}}")
                }
                7 if depth > 0 => {
                    *loops += 1;
                    let counter = format!("i{loops}");
                    let _ = writeln!(out, "int {counter} = 0; while ({counter} < {}) {{", 1 + self.below(4));
                    self.block(out, depth - 1, loops);
                    writeln!(out, "{counter}++; }}")
                }
                _ => writeln!(out, "{var} += {};", 1 + self.below(3)),
            };
        }
    }

    fn program(&mut self) -> String {
        let kind = self.pick(&["int", "unsigned", "unsigned char", "short"]);
        let mut out = format!("{kind} a, b = 1; int main(void) {{ {kind} c = 2, d = __VERIFIER_nondet_bool();\n");
        let mut loops = 0;
        for _ in 0..2 + self.below(3) {
            self.block(&mut out, 2, &mut loops);
        }
        let _ = writeln!(out, "if ({}) reach_error(); return 0; }}", self.condition());
        out
    }
}

#[test]
fn domains_agree_with_exploration() {
    let configs: Vec<(&str, CegarConfig)> = vec![
        ("expl", expl(1)),
        ("expl 2", expl(2)),
        ("expl 10, lbe", CegarConfig { max_enum: 10, ..CegarConfig::default() }),
        ("pred-cart", of(Domain::PredCart)),
        ("pred-cart, lbe", CegarConfig { domain: Domain::PredCart, coi: Coi::None, ..CegarConfig::default() }),
        ("pred-split", CegarConfig { por: Por::None, ..of(Domain::PredSplit) }),
        ("pred-split, lbe", CegarConfig { domain: Domain::PredSplit, ..CegarConfig::default() }),
        ("pred-bool", of(Domain::PredBool)),
        ("pred-bool, local", CegarConfig { granularity: Granularity::Local, ..of(Domain::PredBool) }),
        ("expl-pred", of(Domain::ExplPred)),
        ("expl-pred 4", CegarConfig { max_enum: 4, ..of(Domain::ExplPred) }),
        ("pred-bool, values", CegarConfig { refiner: Some(Refiner::UnsatCore), max_enum: 3, ..of(Domain::PredBool) }),
    ];
    let mut counts = vec![[0u32; 3]; configs.len()];
    let first = number("RADDLE_SEED", 1);
    for seed in first..first + number("RADDLE_CASES", 15) {
        let text = Sequential(Random::new(seed)).program();
        let task = task(&text);
        let explore = Explore(ExploreConfig::default());
        let expected = explore.run(&task, &Facts::default(), &budget_of(1600), &Silent).outcome;
        assert_ne!(expected.name(), "unconfirmed", "seed {seed}\n{text}");
        if expected.is_unknown() {
            continue;
        }
        for ((name, config), counts) in configs.iter().zip(&mut counts) {
            let outcome = verify(&task, config, &Budget::of_time(Duration::from_millis(400)), &Silent).0;
            match &outcome {
                Outcome::Safe(_) => counts[0] += 1,
                Outcome::Unsafe(_) => counts[1] += 1,
                Outcome::Unknown(reason) => {
                    let is_bad = matches!(reason.code, Code::Unconfirmed | Code::Unsupported);
                    assert!(!is_bad, "{name}, seed {seed}: {reason:?}\n{text}");
                    counts[2] += 1;
                }
            }
            let agrees = outcome.is_unknown() || outcome.name() == expected.name();
            assert!(agrees, "{name} says {outcome:?}, and exploring {expected:?}, seed {seed}\n{text}");
        }
    }
    for ((name, _), [safe, violated, unknown]) in configs.iter().zip(&counts) {
        println!("{name:20} {safe:5} proved {violated:5} violated {unknown:5} unknown");
    }
    // The random programs must not be beyond all domains.
    assert!(counts.iter().all(|[safe, violated, unknown]| safe + violated >= *unknown), "{counts:?}");
}
