//! The engines in turns.

use raddle_engine::{Budget, Conclusion, Engine, Facts, Silent, Task};
use raddle_ir::MemoryModel;
use raddle_portfolio::{Registry, Settings};
use raddle_testing::lowered;
use std::time::Duration;

fn concluded(text: &str, budget: &Budget) -> Conclusion {
    let task = Task::new(lowered(text), MemoryModel::Sc);
    let registry = Registry::new(&Settings::default());
    let auto: &dyn Engine = registry.get("auto").expect("it is registered");
    auto.run(&task, &Facts::default(), budget, &Silent)
}

/// Engine and outcome of each turn, and whether there are statistics.
fn turns<'a>(conclusion: &'a Conclusion) -> Vec<(&'a str, &'a str, bool)> {
    let turns = conclusion.statistics["turns"].as_array().expect("a list of turns");
    let turn = |turn: &'a serde_json::Value| {
        Some((turn["engine"].as_str()?, turn["outcome"].as_str()?, turn.get("statistics").is_some()))
    };
    turns.iter().filter_map(turn).collect()
}

/// Nobody finds the error. Each engine goes on where it was, and tells at the end how far it came.
#[test]
fn engines_go_on_until_the_time_is_over() {
    let text = "typedef unsigned long pthread_t; void reach_error(void); unsigned c, d;
        int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
        void *count(void *p) { for (;;) { c = c + d; if (c == 123456789 && d == 987654321) reach_error(); } }
        int main(void) { pthread_t t; pthread_create(&t, 0, count, 0); for (;;) d++; }";
    let conclusion = concluded(text, &Budget::of_time(Duration::from_millis(1500)));
    assert_eq!(conclusion.outcome.name(), "timeout");
    let turns = turns(&conclusion);
    let of = |engine: &str| turns.iter().filter(|turn| turn.0 == engine).copied().collect::<Vec<_>>();
    let explore = of("explore");
    assert!(explore.len() > 2 && explore[0] == ("explore", "waits", false), "{turns:?}");
    for engine in ["explore", "oc", "cegar"] {
        assert_eq!(of(engine).last(), Some(&(engine, "timeout", true)), "{turns:?}");
    }
}

/// Who cannot answer has no further turn, and the last one has all the time.
#[test]
fn an_engine_that_is_stuck_is_out() {
    let text = "void reach_error(void); int __VERIFIER_nondet_int(void);
        int main(void) { int x = __VERIFIER_nondet_int(); if (x * x * x == 1879080904) reach_error(); return 0; }";
    let conclusion = concluded(text, &Budget::of_time(Duration::from_secs(20)));
    assert_eq!(conclusion.outcome.name(), "false");
    let turns = turns(&conclusion);
    assert_eq!(turns[0], ("explore", "nondet-domain", true), "{turns:?}");
    assert_eq!(turns[1], ("oc", "false", true), "{turns:?}");
}
