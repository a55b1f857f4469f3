//! Random sequential programs: what exploration refutes is never proved, what it proves has no error within any depth, and no proof fails its check.
//!
//! `RADDLE_CASES=2000 cargo test --release -p raddle-bounded --test differential -- --nocapture` runs more of them; `RADDLE_SEED` says where to begin.

use raddle_bounded::{Imc, ImcConfig, ImcForm, Kind, KindConfig};
use raddle_engine::{Budget, Engine, Facts, Outcome, Silent, Task};
use raddle_explore::{Explore, ExploreConfig};
use raddle_ir::MemoryModel;
use raddle_testing::random_c::sequential;
use raddle_testing::{DataModel, budget_of, lowered_for, number};
use std::collections::BTreeMap;
use std::time::Duration;

fn run(engine: &dyn Engine, task: &Task, budget: &Budget) -> Outcome {
    engine.run(task, &Facts::default(), budget, &Silent).outcome
}

/// The same program again and again, with inputs: what one round leaves behind is what the next one begins with.
fn repeated(text: &str) -> String {
    let again = "extern int any_more(void);\nint main(void) { while (any_more()) once(); return 0; }";
    format!("{}\n{again}", text.replace("int main(", "int once("))
}

fn compare(change: fn(&str) -> String, cases: u64) {
    let first = number("RADDLE_SEED", 0);
    let plain = KindConfig { simple_paths: false, facts: false, ..KindConfig::default() };
    let sequence = ImcConfig { form: ImcForm::Sequence, facts: false, ..ImcConfig::default() };
    let engines: [(&str, Box<dyn Engine>); 4] = [
        ("kind", Box::new(Kind(KindConfig::default()))),
        ("kind without help", Box::new(Kind(plain))),
        ("imc", Box::new(Imc(ImcConfig::default()))),
        ("imc by sequences", Box::new(Imc(sequence))),
    ];
    let mut answers: BTreeMap<(&str, &str, &str), u64> = BTreeMap::new();
    let mut wrong = vec![];
    for seed in first..first + number("RADDLE_CASES", cases) {
        let model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
        let text = change(&sequential::program(seed));
        let task = Task::new(lowered_for(model, &text), MemoryModel::Sc);
        let expected = run(&Explore(ExploreConfig::default()), &task, &budget_of(2000));
        for (name, engine) in &engines {
            let said = run(engine.as_ref(), &task, &Budget::of_time(Duration::from_secs(2)));
            *answers.entry((name, expected.name(), said.name())).or_default() += 1;
            let refuted = matches!((&said, &expected), (Outcome::Safe(_), Outcome::Unsafe(_)));
            // An error that is not there: the formulas allow what the program cannot do, or the search is wrong.
            let invented =
                matches!((&said, &expected), (Outcome::Unknown(why), Outcome::Safe(_)) if why.words.contains("bmc"));
            if refuted || invented || said.name() == "unconfirmed" {
                println!("seed {seed} ({model:?}): {name} says {said:?}, explore says {expected:?}\n{text}");
                wrong.push((seed, *name));
            }
        }
    }
    for ((name, expected, said), times) in &answers {
        println!("{name}: {said} where exploration says {expected}: {times}");
    }
    assert!(wrong.is_empty(), "they disagree: {wrong:?}");
}

#[test]
fn sequential_programs() {
    compare(str::to_owned, 5);
}

#[test]
fn sequential_programs_in_a_loop() {
    compare(repeated, 5);
}
