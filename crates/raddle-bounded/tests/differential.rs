//! Random sequential programs, with loops, arrays and heap: all engines agree, no proof fails its check, and every violation is replayed. Where an engine that only proves meets an error, there is one.
//!
//! `RADDLE_CASES=2000 cargo test --release -p raddle-bounded --test differential -- --nocapture` runs more of them; `RADDLE_SEED` says where to begin, `RADDLE_TIME` how
//! many milliseconds each engine has.

use raddle_bounded::{Bmc, BmcConfig, Imc, ImcConfig, ImcForm, Kind, KindConfig};
use raddle_cegar::{Cegar, CegarConfig};
use raddle_engine::{Budget, Engine, Facts, Outcome, Silent, Task};
use raddle_explore::{Explore, ExploreConfig};
use raddle_invariants::{Invariants, InvariantsConfig};
use raddle_ir::MemoryModel;
use raddle_oc::{Oc, OcConfig};
use raddle_testing::random_c::{arrays, sequential};
use raddle_testing::{DataModel, lowered_for, number};
use std::collections::BTreeMap;
use std::time::Duration;

/// Each engine has so many milliseconds for a program: most answers are there in a tenth of it, and what has none by then has mostly none at all.
const TIME: u64 = 300;

/// The same program again and again, with inputs: what one round leaves behind is what the next one begins with.
fn repeated(text: &str) -> String {
    let again = "extern int any_more(void);\nint main(void) { while (any_more()) once(); return 0; }";
    format!("{}\n{again}", text.replace("int main(", "int once("))
}

fn compare(generate: impl Fn(u64) -> String, cases: u64) {
    let first = number("RADDLE_SEED", 0);
    let time = Duration::from_millis(number("RADDLE_TIME", TIME));
    let plain = KindConfig { simple_paths: false, facts: false, ..KindConfig::default() };
    let sequence = ImcConfig { form: ImcForm::Sequence, facts: false, ..ImcConfig::default() };
    let directed = ImcConfig { form: ImcForm::Directed, facts: false, ..ImcConfig::default() };
    let engines: [(&str, Box<dyn Engine>); 10] = [
        ("explore", Box::new(Explore(ExploreConfig::default()))),
        ("oc", Box::new(Oc(OcConfig::default()))),
        ("bmc", Box::new(Bmc(BmcConfig::default()))),
        ("cegar", Box::new(Cegar(CegarConfig::default()))),
        ("invariants", Box::new(Invariants(InvariantsConfig::default()))),
        ("kind", Box::new(Kind(KindConfig::default()))),
        ("kind without help", Box::new(Kind(plain))),
        ("imc", Box::new(Imc(ImcConfig::default()))),
        ("imc by sequences", Box::new(Imc(sequence))),
        ("imc by clauses", Box::new(Imc(directed))),
    ];
    let mut answers: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    let mut wrong = vec![];
    for seed in first..first + number("RADDLE_CASES", cases) {
        let model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
        let text = generate(seed);
        let task = Task::new(lowered_for(model, &text), MemoryModel::Sc);
        let run = |engine: &dyn Engine| engine.run(&task, &Facts::default(), &Budget::of_time(time), &Silent).outcome;
        let said: Vec<(&str, Outcome)> = engines.iter().map(|(name, engine)| (*name, run(engine.as_ref()))).collect();
        let is_safe = said.iter().any(|(_, said)| matches!(said, Outcome::Safe(_)));
        let is_unsafe = said.iter().any(|(_, said)| matches!(said, Outcome::Unsafe(_)));
        // A proof that its check refuses, or an error that is not there. An object of undetermined size is as large as it can be to all engines but `explore`, so that errors may
        // rest on accesses past its end; replay refuses them.
        let may_lie_outside = said.iter().any(|(_, said)| said.name() == "unconfirmed");
        let is_bad = |said: &Outcome| match said {
            Outcome::Unknown(why) if why.words.contains("bmc shows it") => is_safe && !may_lie_outside,
            Outcome::Unknown(why) => why.words.contains("the proof does not hold"),
            _ => false,
        };
        if is_safe && is_unsafe || said.iter().any(|(_, said)| is_bad(said)) {
            println!("seed {seed} ({model:?}): {said:?}\n{text}");
            wrong.push(seed);
        }
        let truth = if is_safe {
            "holds"
        } else if is_unsafe {
            "violated"
        } else {
            "open"
        };
        *answers.entry(("all", truth)).or_default() += 1;
        for (name, said) in said {
            *answers.entry((name, said.name())).or_default() += 1;
        }
    }
    for ((name, said), times) in &answers {
        println!("{name}: {said} {times}");
    }
    assert!(wrong.is_empty(), "they disagree: {wrong:?}");
}

#[test]
fn sequential_programs() {
    compare(sequential::program, 5);
}

#[test]
fn sequential_programs_in_a_loop() {
    compare(|seed| repeated(&sequential::program(seed)), 5);
}

#[test]
fn loops_over_arrays() {
    compare(arrays::program, 5);
}
