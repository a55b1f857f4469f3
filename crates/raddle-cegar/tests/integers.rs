//! Integer arithmetic: interpolants over integers, verdicts over bit-vectors. Without a solver that interpolates integers, nothing is tested.

use raddle_cegar::{Arithmetic, Cegar, CegarConfig, Domain, Refiner, verify};
use raddle_engine::{Budget, Engine, Outcome, Silent, Task};
use raddle_ir::MemoryModel;
use raddle_smt::find_integer_solver;
use raddle_testing::lowered;

fn task(main: &str) -> Task {
    let prelude =
        "extern int any(void); extern void reach_error(void); void check(int ok) { if (!ok) reach_error(); }\n";
    let text = format!("{prelude} int main() {{ {main} return 0; }}");
    Task::new(lowered(&text), MemoryModel::Sc)
}

fn outcome(main: &str, arithmetic: Arithmetic, refiner: Refiner) -> Option<Outcome> {
    let Some(found) = find_integer_solver() else {
        eprintln!("skipped: no solver that interpolates integers is on PATH");
        return None;
    };
    let integer_solver = Some(found);
    let refiner = Some(refiner);
    let config =
        CegarConfig { domain: Domain::PredCart, arithmetic, integer_solver, refiner, ..CegarConfig::default() };
    Some(verify(&task(main), &config, &Budget::unlimited(), &Silent).0)
}

#[test]
fn proofs() {
    let safe = [
        "int x = any(); int y = x; if (x > 5) check(y > 4);",
        "int x = any(), y = any(); if (x < y) { int z = y; if (z < 10) check(x < 9); }",
        "unsigned a = any(), b = a & 7; if (b & 1) check(a % 2 == 1);",
        "int x = 0, y = 0; while (any()) { x++; y++; } check(x == y);",
        "unsigned x = 0; while (any()) x += 2; check(x % 2 == 0);",
    ];
    for refiner in [Refiner::SeqItp, Refiner::BwBinItp, Refiner::FwBinItp] {
        for text in safe {
            let Some(outcome) = outcome(text, Arithmetic::Integer, refiner) else { return };
            assert_eq!(outcome.name(), "true", "{refiner:?}: {text}: {outcome:?}");
        }
    }
}

/// Unbounded integers would prove these.
#[test]
fn wraps_are_found() {
    let wrong = [
        "int x = any(); int y = x + 1; check(y > x);",
        "unsigned x = any(), y = any(); check(x + y >= x);",
        "unsigned char c = any(); unsigned char d = c + 1; check(d > 0);",
        "long long a = any(); int b = (int)(a * 65536); check(b == a * 65536);",
    ];
    for text in wrong {
        let Some(outcome) = outcome(text, Arithmetic::Integer, Refiner::SeqItp) else { return };
        assert_eq!(outcome.name(), "false", "{text}: {outcome:?}");
    }
}

#[test]
fn what_integers_cannot_say_ends_the_run_or_is_said_in_bits() {
    let text = "unsigned x = any(), y = any(), z = x & y; check(z <= x);";
    let Some(integer) = outcome(text, Arithmetic::Integer, Refiner::SeqItp) else { return };
    let Outcome::Unknown(reason) = &integer else { panic!("{integer:?}") };
    assert!(reason.words.contains("BvAnd"), "{reason:?}");
    let efficient = outcome(text, Arithmetic::Efficient, Refiner::SeqItp);
    assert_eq!(efficient.map(|outcome| outcome.name()), Some("true"));
}

#[test]
fn without_a_solver_there_are_no_integers() {
    let text = "int x = 0, y = 0; while (any()) { x++; y++; } check(x == y);";
    for (arithmetic, is_safe) in [(Arithmetic::Integer, false), (Arithmetic::Efficient, true)] {
        let refiner = Some(Refiner::SeqItp);
        let config = CegarConfig { domain: Domain::PredCart, refiner, arithmetic, ..CegarConfig::default() };
        let (engine, task) = (Cegar(config), task(text));
        assert_eq!(engine.supports(&task).is_ok(), is_safe, "{arithmetic:?}");
        let outcome = verify(&task, &engine.0, &Budget::unlimited(), &Silent).0;
        assert_eq!(outcome.name(), if is_safe { "true" } else { "unsupported" }, "{arithmetic:?}: {outcome:?}");
    }
}
