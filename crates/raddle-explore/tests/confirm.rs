//! Counterexamples of the simplified Program are executions of the Program as lowered.

use raddle_engine::{Budget, Engine, Facts, Silent, Task};
use raddle_explore::{Explore, ExploreConfig};
use raddle_ir::MemoryModel;
use raddle_testing::lowered;

const NAMES: &str = "typedef unsigned long pthread_t; void reach_error(void);
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n";

fn said(text: &str, model: MemoryModel) -> &'static str {
    let task = Task::new(lowered(&format!("{NAMES}{text}")), model);
    let explore = Explore(ExploreConfig::default());
    explore.run(&task, &Facts::default(), &Budget::unlimited(), &Silent).outcome.name()
}

/// The exchange fails, which needs no empty store buffer, though it would if it succeeded: the store to `e` becomes visible later.
#[test]
fn an_edge_that_is_not_taken_makes_no_store_visible() {
    let text = "int x, y; void *other(void *p) { x = 3; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); int e = 3;
          __atomic_compare_exchange_n(&y, &e, 1, 0, 5, 5); if (e == 0 && x == 3) reach_error(); }";
    for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
        assert_eq!(said(text, model), "false", "{}", model.name());
    }
}
