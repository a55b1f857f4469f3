//! How the engine grows with threads and accesses: `cargo bench -p raddle-oc --bench scaling`.
//!
//! The family: T threads of A accesses each, writes of the thread's number and reads in turn, spread over four variables; no value that a thread reads
//! has a bit that no thread's number has. The table has the sizes of the encoding, read-froms for each pair of accesses to one variable, and the time. The committed
//! baseline is in docs/oc.md.

use raddle_budget::process_time;
use raddle_engine::{Budget, Facts, Silent, Task};
use raddle_ir::MemoryModel;
use raddle_oc::OcConfig;
use std::fmt::Write;

const VARIABLES: usize = 4;

/// One program of the family.
fn program(threads: usize, accesses: usize) -> String {
    let mut text = String::from(
        "typedef unsigned long pthread_t; int pthread_create(pthread_t *, void *, void *(*)(void *), void *);\n\
         extern void reach_error(void);\n",
    );
    for v in 0..VARIABLES {
        let _ = writeln!(text, "int x{v};");
    }
    for t in 1..=threads {
        let _ = writeln!(text, "void *t{t}(void *p) {{ int all = 0;");
        for a in 0..accesses {
            let v = (a / 2 + t) % VARIABLES;
            let _ = match a % 2 {
                0 => writeln!(text, "  x{v} = {t};"),
                _ => writeln!(text, "  all |= x{v};"),
            };
        }
        text.push_str("  if (all > 15) reach_error(); return 0; }\n");
    }
    text.push_str("int main() { pthread_t t;\n");
    for t in 1..=threads {
        let _ = writeln!(text, "  pthread_create(&t, 0, t{t}, 0);");
    }
    text.push_str("  return 0; }\n");
    text
}

fn main() {
    // `cargo test` runs benches too, to see that they work.
    let is_bench = std::env::args().any(|arg| arg == "--bench");
    let sizes: &[(usize, usize)] = match is_bench {
        true => &[(2, 10), (2, 50), (2, 200), (4, 10), (4, 50), (4, 200), (8, 10), (8, 50), (8, 100), (8, 200)],
        false => &[(2, 10), (4, 10)],
    };
    println!("threads x accesses    nodes  read-froms  per pair   clauses  conflicts    seconds");
    for &(threads, accesses) in sizes {
        let task = Task::new(raddle_testing::lowered(&program(threads, accesses)), MemoryModel::Sc);
        let begin = process_time();
        let budget = Budget::unlimited();
        let (outcome, _, stats) = raddle_oc::verify(&task, &OcConfig::default(), &Facts::default(), &budget, &Silent);
        let seconds = (process_time() - begin).as_secs_f64();
        assert_eq!(outcome.name(), "true");
        let per_variable = (threads * accesses) as f64 / VARIABLES as f64;
        println!(
            "{threads:7} x {accesses:<8} {:8} {:11} {:9.3} {:9} {:10} {seconds:10.2}",
            stats.nodes,
            stats.read_froms,
            stats.read_froms as f64 / (per_variable * per_variable),
            stats.clauses,
            stats.theory_conflicts,
        );
    }
}
