//! C to a Program as lowered, in one call.

use raddle_c::driver::{Failure, Loaded, Options, load, load_text};
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_ir::Program;
use raddle_ir::Violations;
use std::path::Path;

/// The Program of a C text for a 64-bit machine. Panics, with the text, where it is not accepted.
pub fn lowered(text: &str) -> Program {
    lowered_for(DataModel::Lp64, text)
}

pub fn lowered_for(model: DataModel, text: &str) -> Program {
    accepted(load_text("test.c", text.as_bytes().to_vec(), &options(model)), text)
}

/// The same for another property than that no error is reached.
pub fn lowered_counting(counts: Violations, text: &str) -> Program {
    let mut options = options(DataModel::Lp64);
    options.lower.counts = counts;
    accepted(load_text("test.c", text.as_bytes().to_vec(), &options), text)
}

/// The Program of a C file, which may include others.
pub fn lowered_file(path: &Path) -> Program {
    accepted(load(&[path.to_path_buf()], &options(DataModel::Lp64)), &path.display().to_string())
}

fn options(model: DataModel) -> Options {
    let lower = LowerOptions { counts: Violations::ERRORS, concrete_arguments: false };
    Options { model, cpp: CppOptions::default(), lower }
}

fn accepted(loaded: Result<Loaded, Failure>, what: &str) -> Program {
    loaded.unwrap_or_else(|failure| panic!("not accepted: {}\n{what}", failure.message)).program
}

/// Two threads that count for ever: too many states, no end, and an error that is too far away for anyone.
pub const COUNT: &str = "
    typedef unsigned long pthread_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    void reach_error(void);
    unsigned c, d;
    void *count(void *unused) { for (;;) { c = c + d; if (c == 123456789 && d == 987654321) reach_error(); } }
    int main(void) { pthread_t t; pthread_create(&t, 0, count, 0); for (;;) d++; }";
