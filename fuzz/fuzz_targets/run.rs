//! Any bytes: the whole way from text to a short simulation and a short exploration ends without a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raddle_c::driver::{NOT_WELL_SORTED, Options, load_text};
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_interp::{ExploreConfig, SimulateConfig, StopReason, explore, simulate};
use std::cell::Cell;

fuzz_target!(|text: &[u8]| {
    let options = Options {
        model: if text.len() % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 },
        cpp: CppOptions::default(),
        lower: LowerOptions { assertions_are_errors: true, concrete_arguments: text.len() % 3 == 0 },
    };
    let program = match load_text("fuzz.c", text.to_vec(), &options) {
        Ok(loaded) => raddle_passes::simplify(loaded.program),
        Err(failure) => {
            assert!(!failure.message.starts_with(NOT_WELL_SORTED), "{}", failure.message);
            return;
        }
    };
    assert_eq!(raddle_ir::validate(&program), Ok(()), "after the passes");
    let config = SimulateConfig { steps: Some(2000), ..SimulateConfig::default() };
    simulate(&program, &config, &mut std::io::sink(), &|| None);
    let polls = Cell::new(0);
    let stop = || {
        polls.set(polls.get() + 1);
        (polls.get() > 1).then_some(StopReason::Timeout)
    };
    explore(&program, &ExploreConfig { max_choices: 4, memory_limit: 50_000_000, ..ExploreConfig::default() }, &stop);
});
