//! Any bytes: the whole way from text to a short simulation and a short exploration ends without a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raddle_c::driver::{NOT_WELL_SORTED, Options, load_text};
use raddle_c::lower::{Counts, LowerOptions};
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_engine::{Budget, Engine, Facts, Form, Silent, Stop, Task};
use raddle_explore::{Explore, ExploreConfig};
use raddle_interp::{SimulateConfig, simulate};
use raddle_ir::MemoryModel;
use std::sync::atomic::{AtomicU64, Ordering};

fuzz_target!(|text: &[u8]| {
    let options = Options {
        model: if text.len() % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 },
        cpp: CppOptions::default(),
        lower: LowerOptions { counts: Counts::ERRORS, concrete_arguments: text.len() % 3 == 0 },
    };
    let task = match load_text("fuzz.c", text.to_vec(), &options) {
        Ok(loaded) => Task::new(loaded.program, MemoryModel::Sc),
        Err(failure) => {
            assert!(!failure.message.starts_with(NOT_WELL_SORTED), "{}", failure.message);
            return;
        }
    };
    let program = task.prepared(Form::Simplified).expect("nothing is copied");
    assert_eq!(raddle_ir::validate(&program), Ok(()), "after the passes");
    let config = SimulateConfig { steps: Some(2000), ..SimulateConfig::default() };
    simulate(&program, &config, &mut std::io::sink(), &|| None);
    let asked = AtomicU64::new(0);
    let stop = move || (asked.fetch_add(1, Ordering::Relaxed) > 0).then_some(Stop::Timeout);
    let explore = Explore(ExploreConfig { max_choices: 4, memory_limit: 50_000_000, ..ExploreConfig::default() });
    let outcome = explore.run(&task, &Facts::default(), &Budget::unlimited().asking(stop), &Silent).outcome;
    assert_ne!(outcome.name(), "unconfirmed", "{outcome:?}");
});
