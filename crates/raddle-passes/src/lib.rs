//! Program to Program: the passes that make a Program smaller or plainer without changing what it can do.
//!
//! Each pass is a function in the file of its name. `simplify` is the pipeline that everything else starts from.

mod cells;
pub mod coalesce;
pub mod const_prop;
pub mod dead_code;
pub mod deadlocks;
pub mod distinguished_cells;
pub mod expose;
pub mod given;
pub mod globalize;
pub mod inline;
pub mod instrument;
pub mod large_allocations;
pub mod large_blocks;
pub mod localize;
pub mod merge_edges;
pub mod promote;
pub mod races;
pub mod reachable;
mod redundant_loads;
pub mod resolve_cells;
pub mod resolve_valid;
pub mod scalarize;
pub mod shadow_lives;
pub mod static_coi;
pub mod stray_calls;
pub mod weaken_leaks;

pub use coalesce::coalesce;
pub use const_prop::const_prop;
pub use dead_code::dead_code;
pub use deadlocks::deadlocks;
pub use distinguished_cells::distinguished_cells;
pub use expose::expose;
pub use given::{Ghosts, Given, given};
pub use globalize::globalize;
pub use inline::{InlineOptions, TooLarge, inline};
pub use instrument::{Known, instrument};
pub use large_allocations::large_allocations;
pub use large_blocks::{Lbe, large_blocks};
pub use localize::localize;
pub use merge_edges::merge_edges;
pub use promote::promote;
pub use races::races;
pub use reachable::reachable;
pub use resolve_cells::{MOST_CANDIDATES, resolve_cells};
pub use resolve_valid::resolve_valid;
pub use scalarize::scalarize;
pub use shadow_lives::shadow_lives;
pub use static_coi::static_coi;
pub use stray_calls::stray_calls;
pub use weaken_leaks::weaken_leaks;

use raddle_ir::Program;

/// The standard pipeline for exploring and simulating. `resolve_cells` is not in it: exploring knows the address of each access anyway, and
/// solves no more with it; it is for engines to which an address is a term.
pub fn simplify(program: Program) -> Program {
    simplify_keeping(program, false)
}

/// The same; with `keep_accesses`, no load or store of shared variables is left out (for finding data races).
pub fn simplify_keeping(program: Program, keep_accesses: bool) -> Program {
    pipeline(program, keep_accesses, true)
}

/// The same without `merge_edges`: each edge stays a step of its own.
pub fn simplify_unmerged(program: Program) -> Program {
    pipeline(program, false, false)
}

fn pipeline(program: Program, keep_accesses: bool, merge: bool) -> Program {
    let dead_code = |program| dead_code(program, keep_accesses);
    let answered = |program: Program| match program.asks_for_lives() {
        true => const_prop(resolve_valid(program)),
        false => program,
    };
    let merge_edges = |program| if merge { merge_edges(program) } else { program };
    let passes: [&dyn Fn(Program) -> Program; 16] = [
        &weaken_leaks,
        &reachable,
        &coalesce,
        &globalize,
        // After automatic objects got constant addresses, before anything folds constants of different expressions.
        &expose,
        &const_prop,
        &answered,
        // Code that is dead or cannot be reached must not keep an object in memory by mentioning its address.
        &dead_code,
        &reachable,
        &scalarize,
        &const_prop,
        &answered,
        &dead_code,
        &merge_edges,
        &coalesce,
        &reachable,
    ];
    passes.iter().enumerate().fold(program, |program, (i, pass)| {
        let program = pass(program);
        debug_assert_eq!(raddle_ir::validate(&program), Ok(()), "after pass {i}");
        program
    })
}
