//! Recursion without bound: what is proved, and the same with a bug, which never is; and random recursive programs: what exploration refutes is never proved.
//!
//! `RADDLE_CASES=2000 cargo test --release -p raddle-invariants --test recursion -- --nocapture random` runs more of them; `RADDLE_SEED` says where to begin.

use raddle_engine::{Budget, Engine, Facts, Outcome, Silent, Task};
use raddle_explore::{Explore, ExploreConfig};
use raddle_invariants::{Invariants, InvariantsConfig};
use raddle_ir::MemoryModel;
use raddle_testing::random_c::recursion;
use raddle_testing::{DataModel, budget_of, lowered_for, number};
use std::collections::BTreeMap;
use std::time::Duration;

const PRELUDE: &str = "extern void reach_error(void); extern int any(void); extern unsigned some(void);
    void check(int ok) { if (!ok) reach_error(); }\n";

fn outcome(time: u64, model: DataModel, text: &str) -> Outcome {
    let task = Task::new(lowered_for(model, text), MemoryModel::Sc);
    let engine = Invariants(InvariantsConfig { time, ..InvariantsConfig::default() });
    engine.run(&task, &Facts::default(), &Budget::of_time(Duration::from_millis(time)), &Silent).outcome
}

/// Proved as it is, and not with the bug, not even if executions hardly ever come upon it.
fn proved(text: &str, good: &str, bug: &str) {
    let text = format!("{PRELUDE}{text}");
    assert!(text.contains(good), "{text}");
    let safe = outcome(60_000, DataModel::Lp64, &text);
    assert_eq!(safe.name(), "true", "{safe:?}\n{text}");
    let buggy = text.replace(good, bug);
    for text in [buggy.clone(), gated(&buggy)] {
        let buggy = outcome(20_000, DataModel::Ilp32, &text);
        assert!(buggy.is_unknown() && buggy.name() != "unconfirmed", "{buggy:?} with {bug}\n{text}");
    }
}

/// The same program with errors that only a rare input reaches: random executions do not come upon them, so that the proof rule alone has to refuse.
fn gated(text: &str) -> String {
    let gate = "extern unsigned rare(void);\nvoid check(int ok) { if (!ok && rare() * 2654435761u == 0xdeadbeefu) reach_error(); }";
    text.replace("void check(int ok) { if (!ok) reach_error(); }", gate)
}

#[test]
fn an_identity_with_a_cap() {
    let text = "int id(int x) { if (x == 0) return 0; int r = id((unsigned)x - 1) + 1; if (r > 3) return 3; return r; }
        int main(void) { check(id(any()) != 5); return 0; }";
    proved(text, "return 3;", "return 5;");
}

#[test]
fn the_91_function() {
    let text = "int f(int x) { if (x > 100) return x - 10; return f(f(x + 11)); }
        int main(void) { int x = any(), r = f(x); check(r == 91 || x > 101 && r == x - 10); return 0; }";
    proved(text, "x - 10; return", "x - 9; return");
}

#[test]
fn two_procedures_that_call_each_other() {
    let text = "int odd(int); int even(int n) { if (n == 0) return 1; if (n == 1) return 0; return odd(n - 1); }
        int odd(int n) { if (n == 0) return 0; if (n == 1) return 1; return even(n - 1); }
        int main(void) { int n = any(); if (n < 0) return 0; int r = even(n); check(r >= 0 && r != n % 2); return 0; }";
    proved(text, "odd(n - 1)", "even(n - 1)");
}

#[test]
fn a_sum() {
    let text =
        "int add(int m, int n) { if (n == 0) return m; if (n > 0) return add(m + 1, n - 1); return add(m - 1, n + 1); }
        int main(void) { int m = any(), n = any(); check(add(m, n) == m + n); return 0; }";
    proved(text, "add(m - 1, n + 1)", "add(m - 1, n - 1)");
}

#[test]
fn a_global_that_is_counted_up_in_a_loop() {
    let text = "unsigned count; void visit(unsigned n) { count++; for (unsigned i = 0; i < n; i++) visit(n - 1); }
        int main(void) { unsigned n = some(); if (n > 3) return 0; count = 0; visit(n); check(count != 0 || n > 20); return 0; }";
    let text = text.replace("count++", "if (count < 100) count++");
    proved(&text, "if (count < 100) count++", "if (n == 1) count++");
}

#[test]
fn two_recursive_procedures_in_a_loop() {
    let text = "int x; int down(int n) { if (n <= 0) return 0; return down(n - 1); } void up(int n) { if (n > 0) { x += down(n); up(n - 1); } }
        int main(void) { while (any()) { up(any()); check(x == 0 && down(any()) == 0); } return 0; }";
    proved(text, "if (n <= 0) return 0;", "if (n <= 0) return n == -7;");
}

/// What a call leaves in a global holds when it has come back, not before.
#[test]
fn the_state_before_a_call_is_not_the_one_behind_it() {
    let text = "int x; void set(int n) { x = 0; if (n > 0) set(n - 1); x = 1; }
        int main(void) { int n = any(); x = 0; set(n); check(x == 1); return 0; }";
    proved(text, "x = 1; }", "x = n != 9; }");
}

/// Nobody knows what follows the call: an execution that comes back ends there, and there is no proof.
#[test]
fn what_follows_a_call_has_no_model() {
    let text = "int g; int f(int n) { if (n > 0) { g++; f(n - 1); g--; } check(g >= 0); return 0; }
        int main(void) { f(any()); __asm__(\"nop; int3\"); check(g == 0); return 0; }";
    let said = outcome(2_000, DataModel::Lp64, &format!("{PRELUDE}{text}"));
    assert_eq!(said.name(), "unsupported", "{said:?}");
}

#[test]
fn random() {
    let first = number("RADDLE_SEED", 0);
    let mut answers: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    let mut wrong = vec![];
    for seed in first..first + number("RADDLE_CASES", 12) {
        let model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
        let text = recursion::program(seed);
        let task = Task::new(lowered_for(model, &text), MemoryModel::Sc);
        let explore = Explore(ExploreConfig::default());
        let expected = explore.run(&task, &Facts::default(), &budget_of(20_000), &Silent).outcome;
        let said = outcome(1000, model, &gated(&text));
        *answers.entry((expected.name(), said.name())).or_default() += 1;
        let is_wrong = matches!((&said, &expected), (Outcome::Safe(_), Outcome::Unsafe(_)));
        if is_wrong
            || said.name() == "unconfirmed"
            || matches!(expected, Outcome::Safe(_)) && said.name() == "unsupported"
        {
            println!("seed {seed} ({model:?}): invariants says {said:?}, explore says {expected:?}\n{text}");
            wrong.push(seed);
        }
    }
    for ((expected, said), times) in &answers {
        println!("{said} where exploration says {expected}: {times}");
    }
    assert!(wrong.is_empty(), "they disagree: {wrong:?}");
}
