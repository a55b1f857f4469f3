//! Makes a Program ready for abstraction: calls inlined, memory resolved as far as it goes.

use crate::config::{CegarConfig, Coi, InitialPrecision, Lbe};
use raddle_ir::{Place, Program};
use raddle_passes::{
    InlineOptions, MOST_CANDIDATES, TooLarge, inline, large_blocks, localize, resolve_cells, simplify,
    simplify_unmerged, static_coi,
};

/// Inlining may make so many edges.
const MOST_EDGES: usize = 200_000;
/// Simplifying is repeated at most so often.
const MOST_ROUNDS: usize = 4;

pub fn prepare(program: Program, config: &CegarConfig) -> Result<Program, TooLarge> {
    let options = InlineOptions { recursion_bound: config.recursion_bound, max_edges: MOST_EDGES };
    let simplify = if config.lbe == Lbe::None { simplify_unmerged } else { simplify };
    // Whoever asks for the global variables means them as they are.
    let keeps_globals = config.initial == InitialPrecision::AllGlobals;
    let localize = |program| if keeps_globals { program } else { localize(program) };
    let mut program = localize(simplify(inline(program, &options)?));
    // Pointers that are constants now lead to further objects that become variables.
    for _ in 0..MOST_ROUNDS {
        let before = accesses(&program);
        if before == 0 {
            break;
        }
        program = localize(simplify(program));
        if accesses(&program) == before {
            break;
        }
    }
    let program = resolve_cells(program, MOST_CANDIDATES);
    let program = simplify(localize(program));
    let program = match config.coi {
        Coi::Static | Coi::Both => simplify(static_coi(program)),
        Coi::None | Coi::Dynamic => program,
    };
    Ok(large_blocks(program, config.lbe))
}

/// How often memory is accessed by address.
fn accesses(program: &Program) -> usize {
    let labels = program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels);
    labels.filter(|label| matches!(label.place(), Some(Place::Memory(_)))).count()
}
