//! How fast successors are computed, on one core: `cargo bench -p raddle-cegar --bench successors`.
//!
//! Explicit values: counters that run through many states. Predicates: locks that are taken and given back. The figures are those of
//! whole runs, with covering and refinement. The committed baseline is in docs/cegar.md.

use raddle_c::driver::{Options, load_text};
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_cegar::{CegarConfig, Domain, verify};
use raddle_ir::Program;
use std::time::Instant;

const NAMES: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
                     extern _Bool __VERIFIER_nondet_bool(void); extern void __VERIFIER_assume(int);\n";

fn program(text: &str) -> Program {
    let lower = LowerOptions { assertions_are_errors: true, concrete_arguments: false };
    let options = Options { model: DataModel::Lp64, cpp: CppOptions::default(), lower };
    match load_text("bench.i", format!("{NAMES}{text}").into_bytes(), &options) {
        Ok(loaded) => raddle_passes::simplify(loaded.program),
        Err(failure) => {
            println!("the program does not load: {}", failure.message);
            std::process::exit(1);
        }
    }
}

/// One loop, two variables. Errors are close to the beginning, so that refinement is quick, here and below.
fn counter(n: u64) -> String {
    format!(
        "int main() {{ unsigned i = 0, odd = 0;\n\
         while (i < {n}) {{ i++; odd = 1 - odd; if (odd > 1) reach_error(); }}\n\
         if (i != {n}) reach_error(); return 0; }}\n"
    )
}

/// A state machine with six variables, some of which change in each step.
fn machine(n: u64) -> String {
    format!(
        "int main() {{ unsigned s = 0, a = 0, b = 0, c = 0, e = 2, i = 0;\n\
         for (; i < {n}; i++) {{\n\
           if (s == 0) {{ a = (a + e) & 63; s = 1; }} else if (s == 1) {{ b = b ^ a; s = 2; }}\n\
           else if (s == 2) {{ c = (c + e) & 1023; s = 3; }} else {{ e = e ^ 1; s = 0; }}\n\
           if (s > 3) reach_error(); if (c > 1023) reach_error(); if (a > 63) reach_error(); if (b > 63) reach_error();\n\
         }} return 0; }}\n"
    )
}

/// Values that are not known: inputs with eight values each, and a count of them.
fn inputs(n: u64) -> String {
    format!(
        "int main() {{ int sum = 0, i = 0, x;\n\
         while (i < {n}) {{ x = __VERIFIER_nondet_int() & 7; sum = x; i++;\n\
           if (sum < 0) reach_error(); if (sum > 7) reach_error(); if (i > {n}) reach_error(); }}\n\
         return 0; }}\n"
    )
}

/// So many locks that are taken and given back, each or not.
fn locks(n: u64) -> String {
    let each = |f: &dyn Fn(u64) -> String| (0..n).map(f).collect::<Vec<String>>().join("\n");
    let declared = each(&|k| format!("int p{k} = __VERIFIER_nondet_int(), l{k};"));
    let free = each(&|k| format!("l{k} = 0;"));
    let taken = each(&|k| format!("if (p{k} != 0) l{k} = 1;"));
    let back = each(&|k| format!("if (p{k} != 0) {{ if (l{k} != 1) reach_error(); l{k} = 0; }}"));
    format!(
        "int main() {{ {declared}\nwhile (__VERIFIER_nondet_bool()) {{\n{free}\n{taken}\n{back}\n}}\nreturn 0; }}\n"
    )
}

fn main() {
    // `cargo test` runs benches too, to see that they work.
    let is_bench = std::env::args().any(|arg| arg == "--bench");
    let scale = if is_bench { 1 } else { 100 };
    let expl = CegarConfig { domain: Domain::Expl, ..CegarConfig::default() };
    let of = |domain| CegarConfig { domain, ..CegarConfig::default() };
    let runs = [
        ("expl, counter", counter(400_000 / scale), expl.clone()),
        ("expl, machine", machine(100_000 / scale), expl.clone()),
        ("expl, max-enum 10", inputs(2_000 / scale), CegarConfig { max_enum: 10, ..expl }),
        ("pred-cart", locks(if is_bench { 6 } else { 2 }), of(Domain::PredCart)),
        ("pred-split", locks(if is_bench { 6 } else { 2 }), of(Domain::PredSplit)),
        ("pred-bool", locks(if is_bench { 6 } else { 2 }), of(Domain::PredBool)),
    ];
    println!("run                   outcome    nodes  successors  per second   questions  remembered  seconds");
    for (name, text, config) in runs {
        let program = program(&text);
        let begin = Instant::now();
        let stop = || (begin.elapsed().as_secs() >= 10).then_some(raddle_interp::StopReason::Timeout);
        let (outcome, stats) = verify(&program, &config, &stop);
        let seconds = begin.elapsed().as_secs_f64();
        let outcome = match outcome {
            raddle_cegar::Outcome::Safe => "safe",
            raddle_cegar::Outcome::Unsafe(..) => "unsafe",
            raddle_cegar::Outcome::Unsupported(..) => "unsupported",
            raddle_cegar::Outcome::Unknown(code, _) => code,
        };
        println!(
            "{name:20} {outcome:>8} {:8} {:11} {:11.0} {:11} {:11} {seconds:8.2}",
            stats.nodes,
            stats.explored_actions,
            stats.explored_actions as f64 / seconds,
            stats.solver_calls,
            stats.cached_calls,
        );
    }
}
