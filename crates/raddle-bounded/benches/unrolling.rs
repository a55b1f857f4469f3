//! How an unrolling grows with its bound: `cargo bench -p raddle-bounded --bench unrolling`.
//!
//! Programs whose loops go on as long as an input says, unrolled to one bound after another by `bmc`: sums and products of inputs, an array at indices from outside, and a list
//! on the heap. What an error needs is contradictory at the first look, so that the time is that of unrolling, simplifying and encoding. Each size is measured in a process of its own: CPU
//! time, and the highest resident memory above that of a bound of one. The committed figures are in docs/induction.md.

use raddle_bounded::{Bmc, BmcConfig};
use raddle_budget::process_time;
use raddle_engine::{Budget, Engine, Facts, Silent, Task};
use raddle_ir::MemoryModel;
use std::process::Command;

const HEAD: &str =
    "typedef unsigned long size_t; void *malloc(size_t); extern void reach_error(void); extern unsigned input(void);\n";

/// Each with its largest bound.
const PROGRAMS: [(&str, u32, &str); 3] = [
    (
        "arithmetic",
        4096,
        "int main() { unsigned n = input(), sum = 0, mixed = 1, once = 0;
           for (unsigned i = 0; i < n; i++) { unsigned x = input(); sum += x & 15; mixed = (mixed ^ x) * 5; if (x == 7) once |= 2; }
           if (once & 1) reach_error(); return sum + mixed; }",
    ),
    (
        "array",
        1024,
        "int a[16]; int main() { unsigned n = input(), odd = 0;
           for (unsigned i = 0; i < n; i++) { unsigned at = input() & 15; a[at] = a[(at + 1) & 15] + 2 * i; odd |= a[at] & 1; }
           if (odd) reach_error(); return 0; }",
    ),
    (
        "list",
        512,
        "struct node { struct node *next; unsigned value; };
         int main() { struct node *head = 0; unsigned n = input(), odd = 0;
           for (unsigned i = 0; i < n; i++) { struct node *new = malloc(sizeof *new); new->next = head; new->value = 2 * input(); head = new; odd |= head->value & 1; }
           if (odd) reach_error(); return 0; }",
    ),
];

/// Unrolls once, and says what it took: CPU seconds, and resident kilobytes at the highest.
fn one(program: &str, bound: u32) {
    let Some((_, _, text)) = PROGRAMS.iter().find(|(name, _, _)| *name == program) else { return };
    let task = Task::new(raddle_testing::lowered(&format!("{HEAD}{text}")), MemoryModel::Sc);
    let bmc = Bmc(BmcConfig { unroll_start: bound, unroll_end: bound });
    let begin = process_time();
    let outcome = bmc.run(&task, &Facts::default(), &Budget::unlimited(), &Silent).outcome;
    assert_eq!(outcome.name(), "bound-reached", "{outcome:?}");
    let seconds = (process_time() - begin).as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    println!("{seconds} {}", peak.trim().trim_end_matches("kB").trim());
}

/// The same in a process of its own: seconds and megabytes.
fn measured(program: &str, bound: u32) -> (f64, f64) {
    let exe = std::env::current_exe().expect("the path of the benchmark");
    let output = Command::new(exe).args(["one", program, &bound.to_string()]).output().expect("another process of it");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut numbers = text.split_whitespace().map(|word| word.parse::<f64>().unwrap_or(f64::NAN));
    let (seconds, kilobytes) = (numbers.next().unwrap_or(f64::NAN), numbers.next().unwrap_or(f64::NAN));
    (seconds, kilobytes / 1000.0)
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let [_, word, program, bound] = &args[..]
        && word == "one"
    {
        return one(program, bound.parse().unwrap_or(1));
    }
    // `cargo test` runs benches too, to see that they work.
    let is_bench = args.iter().any(|arg| arg == "--bench");
    println!("program      bound   seconds     times     MB more     times");
    for (program, most, _) in PROGRAMS {
        let (_, base) = measured(program, 1);
        let mut last: Option<(f64, f64)> = None;
        let (first, most) = if is_bench { (most / 16, most) } else { (2, 4) };
        for bound in std::iter::successors(Some(first), |bound| Some(2 * bound)).take_while(|bound| *bound <= most) {
            let (seconds, memory) = measured(program, bound);
            let memory = memory - base;
            let times = last.map(|(before, much)| [seconds / before, memory / much]);
            let [time, space] =
                times.map_or(["-".into(), "-".into()], |times| times.map(|times| format!("{times:.2}")));
            println!("{program:10} {bound:7} {seconds:9.3} {time:>9} {memory:11.1} {space:>9}");
            last = Some((seconds, memory));
        }
    }
}
