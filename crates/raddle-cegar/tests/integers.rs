//! Integer arithmetic: interpolants over integers, verdicts over bit-vectors. Without a solver that interpolates integers, nothing is tested.

use raddle_c::driver::{Options, load_text};
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_cegar::{Arithmetic, CegarConfig, Domain, Outcome, Refiner, verify};
use raddle_ir::Program;
use raddle_smt::find_integer_solver;

fn program(main: &str) -> Program {
    let prelude =
        "extern int any(void); extern void reach_error(void); void check(int ok) { if (!ok) reach_error(); }\n";
    let text = format!("{prelude} int main() {{ {main} return 0; }}");
    let lower = LowerOptions { assertions_are_errors: true, concrete_arguments: false };
    let options = Options { model: DataModel::Lp64, cpp: CppOptions::default(), lower };
    match load_text("test.c", text.into_bytes(), &options) {
        Ok(loaded) => raddle_passes::simplify(loaded.program),
        Err(failure) => panic!("not accepted: {}\n{main}", failure.message),
    }
}

fn outcome(main: &str, arithmetic: Arithmetic, refiner: Refiner) -> Option<Outcome> {
    let Some(found) = find_integer_solver() else {
        eprintln!("skipped: no solver that interpolates integers is on PATH");
        return None;
    };
    let integer_solver = Some(found);
    let config =
        CegarConfig { domain: Domain::PredCart, arithmetic, integer_solver, refiner, ..CegarConfig::default() };
    Some(verify(&program(main), &config, &|| None).0)
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
            assert_eq!(outcome, Outcome::Safe, "{refiner:?}: {text}");
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
        assert!(matches!(outcome, Outcome::Unsafe(..)), "{text}: {outcome:?}");
    }
}

#[test]
fn what_integers_cannot_say_ends_the_run_or_is_said_in_bits() {
    let text = "unsigned x = any(), y = any(), z = x & y; check(z <= x);";
    let Some(integer) = outcome(text, Arithmetic::Integer, Refiner::SeqItp) else { return };
    let Outcome::Unknown("unsupported", why) = &integer else { panic!("{integer:?}") };
    assert!(why.contains("BvAnd"), "{why}");
    assert_eq!(outcome(text, Arithmetic::Efficient, Refiner::SeqItp), Some(Outcome::Safe));
}

#[test]
fn without_a_solver_there_are_no_integers() {
    let text = "int x = 0, y = 0; while (any()) { x++; y++; } check(x == y);";
    for (arithmetic, is_safe) in [(Arithmetic::Integer, false), (Arithmetic::Efficient, true)] {
        let config = CegarConfig {
            domain: Domain::PredCart,
            refiner: Refiner::SeqItp,
            arithmetic,
            integer_solver: None,
            ..CegarConfig::default()
        };
        let (outcome, _) = verify(&program(text), &config, &|| None);
        let as_expected = match outcome {
            Outcome::Safe => is_safe,
            Outcome::Unknown("unsupported", _) => !is_safe,
            _ => false,
        };
        assert!(as_expected, "{arithmetic:?}: {outcome:?}");
    }
}
