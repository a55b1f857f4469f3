//! What exploration, partial orders and abstraction say of a C program.

use raddle_c::driver::{Options, load_text};
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_cegar::CegarConfig;
use raddle_interp::{ExploreConfig, StopReason, explore};
use raddle_ir::Program;
use raddle_oc::OcConfig;
use std::sync::atomic::{AtomicU32, Ordering};

pub const LP64: DataModel = DataModel::Lp64;

/// Is it safe? By each engine, exploration first; `None` if it does not know.
pub fn answers(text: &str, model: DataModel) -> [Option<bool>; 3] {
    let program = loaded(text, model);
    [explored(&program), by_partial_orders(&program), by_abstraction(&program)]
}

fn loaded(text: &str, model: DataModel) -> Program {
    let lower = LowerOptions { assertions_are_errors: true, concrete_arguments: false };
    let options = Options { model, cpp: CppOptions::default(), lower };
    match load_text("test.c", text.as_bytes().to_vec(), &options) {
        Ok(loaded) => raddle_passes::simplify(loaded.program),
        Err(failure) => panic!("{}\n{text}", failure.message),
    }
}

fn explored(program: &Program) -> Option<bool> {
    match explore(program, &ExploreConfig::default(), &|| None).outcome {
        raddle_interp::Outcome::Safe => Some(true),
        raddle_interp::Outcome::Unsafe(..) => Some(false),
        raddle_interp::Outcome::Unknown(..) => None,
    }
}

fn stop_after_polls(polls: &AtomicU32) -> Option<StopReason> {
    (polls.fetch_add(1, Ordering::Relaxed) > 20_000).then_some(StopReason::Timeout)
}

fn by_partial_orders(program: &Program) -> Option<bool> {
    let polls = AtomicU32::new(0);
    match raddle_oc::verify(program, &OcConfig::default(), None, &|| stop_after_polls(&polls)).0 {
        raddle_oc::Outcome::Safe => Some(true),
        raddle_oc::Outcome::Unsafe(..) => Some(false),
        _ => None,
    }
}

fn by_abstraction(program: &Program) -> Option<bool> {
    let polls = AtomicU32::new(0);
    match raddle_cegar::verify(program, &CegarConfig::default(), &|| stop_after_polls(&polls)).0 {
        raddle_cegar::Outcome::Safe => Some(true),
        raddle_cegar::Outcome::Unsafe(..) => Some(false),
        _ => None,
    }
}
