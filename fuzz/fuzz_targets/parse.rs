//! Any bytes: the lexer and the parser end with a syntax tree or a message, and the tree can be shown.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raddle_c::interner::Interner;
use raddle_c::parser::{Limits, parse_within};
use raddle_c::source::SourceMap;
use raddle_c::{diagnostics, show_ast};

// The stack of this thread is smaller than the frontend's own.
const LIMITS: Limits = Limits { nesting: 200, tree: 800 };

fuzz_target!(|text: &[u8]| {
    let mut sources = SourceMap::new();
    let Ok(index) = sources.add("fuzz.c", text.to_vec()) else { return };
    let mut interner = Interner::new();
    match parse_within(&sources, index, &mut interner, LIMITS) {
        Ok(unit) => drop(show_ast::show(&unit, &interner, &sources)),
        Err(error) => assert!(!diagnostics::render(&sources, &error).is_empty()),
    }
});
