//! C text to a Program as lowered, in one call.

use raddle_c::driver::{Options, load_text};
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_ir::Program;

/// The Program of a C text for a 64-bit machine. Panics, with the text, where it is not accepted.
pub fn lowered(text: &str) -> Program {
    lowered_for(DataModel::Lp64, text)
}

pub fn lowered_for(model: DataModel, text: &str) -> Program {
    let lower = LowerOptions { assertions_are_errors: true, concrete_arguments: false };
    let options = Options { model, cpp: CppOptions::default(), lower };
    match load_text("test.c", text.as_bytes().to_vec(), &options) {
        Ok(loaded) => loaded.program,
        Err(failure) => panic!("not accepted: {}\n{text}", failure.message),
    }
}
