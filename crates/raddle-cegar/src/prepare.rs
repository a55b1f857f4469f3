//! Makes a Program ready for abstraction: calls inlined, memory resolved as far as it goes.

use crate::coi::static_coi;
use crate::config::{CegarConfig, Coi, Lbe};
use crate::lbe::large_blocks;
use raddle_ir::Program;
use raddle_passes::{InlineOptions, MOST_CANDIDATES, TooLarge, inline, resolve_cells, simplify, simplify_unmerged};

/// Inlining may make so many edges.
const MOST_EDGES: usize = 200_000;

pub fn prepare(program: Program, config: &CegarConfig) -> Result<Program, TooLarge> {
    let options = InlineOptions { recursion_bound: config.recursion_bound, max_edges: MOST_EDGES };
    let simplify = if config.lbe == Lbe::None { simplify_unmerged } else { simplify };
    let program = inline(program, &options)?;
    let program = simplify(program);
    let program = resolve_cells(program, MOST_CANDIDATES);
    let program = simplify(program);
    let program = match config.coi {
        Coi::Static | Coi::Both => simplify(static_coi(program)),
        Coi::None | Coi::Dynamic => program,
    };
    Ok(large_blocks(program, config.lbe))
}
