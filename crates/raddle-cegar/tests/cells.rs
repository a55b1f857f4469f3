//! Arrays as distinguished cells: what holds of all elements is proved, also for lengths that nobody knows; what fails for one element never is.
//!
//! `RADDLE_CASES=2000 cargo test --release -p raddle-cegar --test cells -- --nocapture` compares more random programs with exploration.

use raddle_cegar::{Arrays, Cegar, CegarConfig, Domain, InitialPrecision};
use raddle_engine::{Budget, Code, Engine, Facts, Outcome, Silent, Task};
use raddle_explore::{Explore, ExploreConfig};
use raddle_ir::MemoryModel;
use raddle_testing::random_c::arrays;
use raddle_testing::{DataModel, budget_of, lowered_for, number};
use std::time::Duration;

const PRELUDE: &str = "extern void reach_error(void); extern int nondet(void); extern void abort(void);
    void *malloc(__SIZE_TYPE__); void *calloc(__SIZE_TYPE__, __SIZE_TYPE__); void check(int ok) { if (!ok) reach_error(); }\n";

fn cells(domain: Domain) -> CegarConfig {
    CegarConfig { arrays: Arrays::Cells, domain, initial: InitialPrecision::AllAssumes, ..CegarConfig::default() }
}

fn outcome(text: &str, model: DataModel, seconds: u64) -> Outcome {
    outcome_by(Domain::PredCart, text, model, seconds)
}

fn outcome_by(domain: Domain, text: &str, model: DataModel, seconds: u64) -> Outcome {
    let task = Task::new(lowered_for(model, &format!("{PRELUDE}{text}")), MemoryModel::Sc);
    let budget = Budget::of_time(Duration::from_secs(seconds));
    Cegar(cells(domain)).run(&task, &Facts::default(), &budget, &Silent).outcome
}

/// With both data models: proved as it is, and not proved with the bug.
fn proved(text: &str, good: &str, bug: &str) {
    proved_by(Domain::PredCart, text, good, bug);
}

fn proved_by(domain: Domain, text: &str, good: &str, bug: &str) {
    assert!(text.contains(good), "{text}");
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let safe = outcome_by(domain, text, model, 60);
        assert_eq!(safe.name(), "true", "{model:?} {safe:?}\n{text}");
        let buggy = outcome_by(domain, &text.replace(good, bug), model, 3);
        assert!(buggy.is_unknown(), "{model:?} {buggy:?} with {bug}\n{text}");
    }
}

#[test]
fn an_array_is_filled() {
    let text = "int a[1000]; int main(void) { int i;
        for (i = 0; i < 1000; i++) a[i] = 7;
        for (i = 0; i < 1000; i++) check(a[i] == 7); }";
    proved(text, "i < 1000; i++) a", "i < 999; i++) a");
    proved(text, "a[i] == 7", "a[i] < 7");
}

#[test]
fn an_array_of_any_length_is_filled() {
    let text = "int main(void) { int n = nondet(); if (n < 1 || n > 100000) return 0; int *a = malloc(4 * n); int i;
        for (i = 0; i < n; i++) a[i] = i;
        for (i = 0; i < n; i++) check(a[i] == i); }";
    proved(text, "a[i] = i", "if (i != 77) a[i] = i");
}

#[test]
fn what_is_static_begins_with_zeros() {
    let text = "int a[1000]; int main(void) { int i; a[0] = 0; for (i = 0; i < 1000; i++) check(a[i] == 0); }";
    proved(text, "a[0] = 0", "a[5] = 1");
}

#[test]
fn an_array_is_copied_backward() {
    let text = "int main(void) { int n = nondet(); if (n < 1 || n > 100000) return 0; int a[n], b[n]; int i;
        for (i = 0; i < n; i++) a[i] = nondet();
        for (i = 0; i < n; i++) b[n - 1 - i] = a[i];
        for (i = 0; i < n; i++) check(b[i] == a[n - 1 - i]); }";
    proved(text, "b[n - 1 - i] =", "b[i] =");
}

#[test]
fn two_arrays_are_swapped() {
    let text = "int a[1000], b[1000], c[1000]; int main(void) { int i, t;
        for (i = 0; i < 1000; i++) { a[i] = nondet(); c[i] = a[i]; b[i] = 5; }
        for (i = 0; i < 1000; i++) { t = a[i]; a[i] = b[i]; b[i] = t; }
        for (i = 0; i < 1000; i++) { check(b[i] == c[i]); check(a[i] == 5); } }";
    proved(text, "b[i] = t", "b[i] = a[i]");
}

#[test]
fn no_element_is_greater_than_the_greatest() {
    let text = "int a[1000]; int main(void) { int i, m; for (i = 0; i < 1000; i++) a[i] = nondet();
        m = a[0]; for (i = 0; i < 1000; i++) if (a[i] > m) m = a[i];
        for (i = 0; i < 1000; i++) check(a[i] <= m); }";
    proved(text, "a[i] > m", "a[i] < m");
}

#[test]
fn what_is_found_is_what_was_sought() {
    let text = "int a[1000]; int main(void) { int i, x = nondet(), at = -1; for (i = 0; i < 1000; i++) a[i] = nondet();
        for (i = 0; i < 1000; i++) if (a[i] == x) { at = i; break; }
        if (at >= 0) check(a[at] == x); }";
    proved_by(Domain::PredBool, text, "a[i] == x", "a[i] >= x");
}

#[test]
fn arrays_that_compare_as_equal_have_equal_elements() {
    let text = "int a[1000], b[1000]; int main(void) { int i, same = 1; for (i = 0; i < 1000; i++) { a[i] = nondet(); b[i] = nondet(); }
        for (i = 0; i < 1000; i++) if (a[i] != b[i]) same = 0;
        if (same) for (i = 0; i < 1000; i++) check(a[i] == b[i]); }";
    proved_by(Domain::PredBool, text, "same = 0", "same = i == 3");
}

#[test]
fn what_passes_a_filter_is_kept() {
    let text = "int a[1000], b[1000]; int main(void) { int i, n = 0; for (i = 0; i < 1000; i++) a[i] = nondet();
        for (i = 0; i < 1000; i++) { if (a[i] >= 0) b[i] = a[i]; else b[i] = 0; }
        for (i = 0; i < 1000; i++) check(b[i] >= 0); }";
    proved(text, "a[i] >= 0", "a[i] >= -1");
}

#[test]
fn an_element_that_is_left_out_may_differ() {
    let text =
        "int a[1000], b[1000]; int main(void) { int i; for (i = 0; i < 1000; i++) { a[i] = nondet(); b[i] = nondet(); }
        for (i = 0; i < 1000; i++) if (i != 500) b[i] = a[i];
        for (i = 0; i < 1000; i++) if (i != 500) check(a[i] == b[i]); }";
    // A counter is the one that is left out, or the cell's is passed with equal elements: no conjunction says that.
    proved_by(Domain::PredBool, text, "if (i != 500) check", "check");
}

/// In ILP32, 4 * i wraps around: an index may be another and hit the cell all the same.
#[test]
fn an_index_that_wraps_around_hits() {
    let text = "int a[10]; int main(void) { int i = nondet(), j = nondet(); if (j < 0 || j > 9) return 0;
        if (i > 100000) { a[i] = 1; check(a[j] == 0); } }";
    let (wide, narrow) = (outcome(text, DataModel::Lp64, 5), outcome(text, DataModel::Ilp32, 5));
    assert!(!matches!(wide, Outcome::Unsafe(_)) && narrow.is_unknown(), "{wide:?} {narrow:?}");
}

#[test]
fn a_program_without_arrays_has_no_cells() {
    let outcome = outcome("int main(void) { int x = nondet(); check(x != 3 || x == 3); }", DataModel::Lp64, 5);
    assert!(matches!(&outcome, Outcome::Unknown(reason) if reason.code == Code::Stuck), "{outcome:?}");
}

/// What exploration refutes, cells do not prove.
#[test]
fn no_random_program_with_an_error_is_proved() {
    let first = number("RADDLE_SEED", 0);
    let (mut refuted, mut proved, mut agreed) = (0, 0, 0);
    let domains = [Domain::PredBool, Domain::PredCart, Domain::ExplPred];
    for seed in first..first + number("RADDLE_CASES", 20) {
        let model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
        let text = arrays::program(seed);
        let task = Task::new(lowered_for(model, &text), MemoryModel::Sc);
        let run = |engine: &dyn Engine, budget: &Budget| engine.run(&task, &Facts::default(), budget, &Silent).outcome;
        let expected = run(&Explore(ExploreConfig::default()), &budget_of(500));
        let config = cells(domains[seed as usize / 2 % domains.len()]);
        let said = run(&Cegar(config), &Budget::of_time(Duration::from_millis(300)));
        assert!(!matches!(said, Outcome::Unsafe(_)), "seed {seed}: {said:?}\n{text}");
        let is_refuted = matches!(expected, Outcome::Unsafe(_));
        let is_proved = matches!(said, Outcome::Safe(_));
        assert!(!(is_refuted && is_proved), "seed {seed} ({model:?}): an error is there\n{text}");
        refuted += u32::from(is_refuted);
        proved += u32::from(is_proved);
        agreed += u32::from(is_proved && matches!(expected, Outcome::Safe(_)));
    }
    println!("{refuted} have errors, {proved} are proved, {agreed} of these by exploration as well");
}
