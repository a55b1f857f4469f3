//! How fast successors are computed, on one core: `cargo bench -p raddle-cegar --bench successors`.
//!
//! Explicit values: counters that run through many states. Predicates: locks that are taken and given back, where most answers are remembered; counters, which
//! give many easy questions; numbers that change places, which give fewer and harder ones. Seconds are CPU time of whole runs, with refinement and
//! the check of the proof, and successors a second are by these; questions a second are by the time of building graphs, which is when they are asked. The committed
//! baseline is in docs/cegar.md.

use raddle_budget::process_time;
use raddle_cegar::{CegarConfig, Domain, InitialPrecision, Lbe, verify};
use raddle_engine::{Budget, Silent, Task};
use raddle_ir::MemoryModel;
use std::time::Duration;

/// As in the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const NAMES: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
                     extern _Bool __VERIFIER_nondet_bool(void); extern void __VERIFIER_assume(int);\n";

fn task(text: &str) -> Task {
    Task::new(raddle_testing::lowered(&format!("{NAMES}{text}")), MemoryModel::Sc)
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

/// Two counters up to n that depend on each other; all their values are predicates.
fn remainders(n: u64) -> String {
    let mut text = "int main() { unsigned a = 0, b = 1;\nwhile (__VERIFIER_nondet_bool()) {\n".to_string();
    for (a, b) in [("a", "b"), ("b", "a")] {
        text += &format!("if (__VERIFIER_nondet_bool()) {a} = ({a} * 3 + {b} + 1) % {n}u;\n");
        for value in 0..n {
            text += &format!("if ({a} == {value} && {b} == {}) reach_error();\n", n + value);
        }
    }
    text + "}\nreturn 0; }\n"
}

/// So many different numbers, neighbours of which change places. They stay different, and in some order.
fn places(n: u64) -> String {
    let pairs: Vec<(u64, u64)> = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).collect();
    let mut text = "int main() { int t;\n".to_string();
    text.extend((0..n).map(|k| format!("int a{k} = __VERIFIER_nondet_int();\n")));
    text.extend(pairs.iter().map(|(i, j)| format!("if (a{i} == a{j}) return 0;\n")));
    text += "while (__VERIFIER_nondet_bool()) {\n";
    let swap = |k: u64| format!("if (__VERIFIER_nondet_bool()) {{ t = a{k}; a{k} = a{0}; a{0} = t; }}\n", k + 1);
    text.extend((0..n - 1).map(swap));
    text.extend(pairs.iter().map(|(i, j)| format!("if (a{i} == a{j}) reach_error();\n")));
    for (i, j) in pairs {
        let k = (j + 1) % n;
        text += &format!("if (a{i} < a{j} && a{j} < a{k} && a{k} < a{i}) reach_error();\n");
    }
    text + "}\nreturn 0; }\n"
}

fn main() {
    // `cargo test` runs benches too, to see that they work.
    let is_bench = std::env::args().any(|arg| arg == "--bench");
    let scale = if is_bench { 1 } else { 100 };
    let expl = CegarConfig { domain: Domain::Expl, ..CegarConfig::default() };
    let of = |domain| CegarConfig { domain, ..CegarConfig::default() };
    let size = |bench, test| if is_bench { bench } else { test };
    // All conditions are predicates from the beginning, and branches are not merged.
    let all = |domain| CegarConfig { initial: InitialPrecision::AllAssumes, lbe: Some(Lbe::Seq), ..of(domain) };
    let runs = [
        ("expl, counter", counter(400_000 / scale), expl.clone()),
        ("expl, machine", machine(100_000 / scale), expl.clone()),
        ("expl, max-enum 10", inputs(2_000 / scale), CegarConfig { max_enum: 10, ..expl }),
        ("pred-split, locks", locks(size(14, 2)), of(Domain::PredSplit)),
        ("pred-cart, remainders", remainders(size(20, 3)), all(Domain::PredCart)),
        ("pred-split, remainders", remainders(size(20, 3)), all(Domain::PredSplit)),
        ("pred-bool, remainders", remainders(size(20, 3)), all(Domain::PredBool)),
        ("pred-cart, places", places(size(7, 3)), all(Domain::PredCart)),
        ("pred-split, places", places(size(4, 3)), all(Domain::PredSplit)),
        ("pred-bool, places", places(size(4, 3)), all(Domain::PredBool)),
    ];
    println!(
        "| Run | Outcome | Nodes | Successors | Per second | Questions | Per second | Remembered | Building | Seconds |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (name, text, config) in runs {
        let task = task(&text);
        let begin = process_time();
        let (outcome, stats, _) = verify(&task, &config, &Budget::of_time(Duration::from_secs(10)), &Silent);
        let seconds = (process_time() - begin).as_secs_f64();
        let outcome = outcome.name();
        println!(
            "| {name} | {outcome} | {} | {} | {:.0} | {} | {:.0} | {} | {:.2} | {seconds:.2} |",
            stats.nodes,
            stats.explored_actions,
            stats.explored_actions as f64 / seconds,
            stats.solver_calls,
            stats.solver_calls as f64 / stats.build_seconds,
            stats.cached_calls,
            stats.build_seconds,
        );
    }
}
