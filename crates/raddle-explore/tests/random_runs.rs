//! What random executions find beside the search, where states are too large to store many of them.

use raddle_engine::{Budget, Engine, Facts, Outcome, Silent, Task};
use raddle_explore::{Explore, ExploreConfig};
use raddle_ir::MemoryModel;
use raddle_testing::lowered;

fn outcome(text: &str) -> Outcome {
    let task = Task::new(lowered(text), MemoryModel::Sc);
    Explore(ExploreConfig::default()).run(&task, &Facts::default(), &Budget::unlimited(), &Silent).outcome
}

const COPY: &str = "extern int nondet(void); extern void reach_error(void);
    int a[20000], b[20000], c[20000];
    int main(void) {
        for (int i = 0; i < 20000; i++) { a[i] = nondet(); c[i] = nondet(); }
        for (int i = 0; i < 20000; i++) b[i] = a[i];
        for (int i = 0; i < 20000; i++) b[i] = c[i];
        for (int i = 0; i < 20000; i++) if (a[i] != b[i]) reach_error();
        return 0; }";

#[test]
fn a_violation_behind_large_states() {
    assert_eq!(outcome(COPY).name(), "false");
}

#[test]
fn no_violation_without_a_bug() {
    let good = COPY.replace("b[i] = c[i]", "b[i] = a[i]").replace("20000", "1");
    assert_ne!(outcome(&good).name(), "false");
}
