//! A task: a Program as lowered, how it is to be understood, and what is derived from it once.
//!
//! An engine names the form of the Program that it wants. The Task makes it when somebody first asks, and keeps it: a second configuration does not pay
//! again. Every part of a prepared Program says where it comes from (`raddle_ir::origin`), which is the way back.

use crate::outcome::{Outcome, Reason};
use raddle_analysis::{Open, open_places};
use raddle_ir::{LocKind, Location, MemoryModel, Place, Program, Property, number_origins};
use raddle_passes::{
    InlineOptions, Lbe, MOST_CANDIDATES, TooLarge, distinguished_cells, inline, large_allocations, large_blocks,
    localize, resolve_cells, shadow_lives, simplify, simplify_unmerged, static_coi,
};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A form of the Program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// Smaller and plainer; calls and memory as they are.
    Simplified,
    /// Calls inlined, memory resolved as far as it goes, edges merged to blocks.
    Blocks(Blocks),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Blocks {
    /// How many activations of a procedure may lie below another activation of it.
    pub recursion_bound: u32,
    /// Globals stay globals, also where nobody else sees them.
    pub keep_globals: bool,
    /// Without the statements that cannot matter to an error.
    pub sliced: bool,
    /// Arrays reduced to distinguished cells: for proofs only, no violation of this form counts.
    pub cells: bool,
    pub lbe: Lbe,
}

/// Why there is no such form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unprepared {
    TooLarge(TooLarge),
    /// No error depends on an array that distinguished cells can stand for.
    WithoutCells,
}

impl From<TooLarge> for Unprepared {
    fn from(too_large: TooLarge) -> Unprepared {
        Unprepared::TooLarge(too_large)
    }
}

pub struct Task {
    program: Program,
    property: Property,
    memory_model: MemoryModel,
    forms: Mutex<Forms>,
    /// What the Program observes of places that C leaves open.
    open: OnceLock<Option<Open>>,
}

#[derive(Default)]
struct Forms {
    simplified: FxHashMap<bool, Arc<Program>>,
    resolved: FxHashMap<(u32, bool, bool), Arc<Program>>,
    blocks: FxHashMap<Blocks, Arc<Program>>,
}

/// Inlining may make so many edges.
const MOST_EDGES: usize = 200_000;
/// Simplifying is repeated at most so often.
const MOST_ROUNDS: usize = 4;

impl Task {
    /// Are there errors to be reached (`unreach-call`)?
    pub fn new(program: Program, memory_model: MemoryModel) -> Task {
        Task::of(program, Property::default(), memory_model)
    }

    pub fn of(mut program: Program, property: Property, memory_model: MemoryModel) -> Task {
        number_origins(&mut program);
        Task { program, property, memory_model, forms: Mutex::default(), open: OnceLock::new() }
    }

    /// As lowered: outcomes, traces and witnesses speak of this one.
    pub fn program(&self) -> &Program {
        &self.program
    }

    pub fn property(&self) -> Property {
        self.property
    }

    pub fn memory_model(&self) -> MemoryModel {
        self.memory_model
    }

    /// The outcome of an engine that has one layout of memory. A proof does not count where the Program observes what C leaves open about it.
    pub fn admit(&self, outcome: Outcome) -> Outcome {
        if !matches!(outcome, Outcome::Safe(_)) {
            return outcome;
        }
        match self.open.get_or_init(|| self.observed()) {
            Some(open) => Outcome::Unknown(Reason::unsupported(open.question.words(), open.span)),
            None => outcome,
        }
    }

    /// What the Program observes of places that C leaves open. What it seems to observe is looked at once more with calls inlined, so that each has its own objects,
    /// and without what cannot matter to an error.
    fn observed(&self) -> Option<Open> {
        let open = open_places(&self.program)?;
        let options = InlineOptions { recursion_bound: 0, max_edges: MOST_EDGES, keep_recursive: false };
        let Ok(inlined) = inline(self.program.clone(), &options) else { return Some(open) };
        let is_bound = |location: &Location| location.kind == LocKind::RecursionBound;
        if inlined.procs.iter().flat_map(|proc| &proc.locations).any(is_bound) {
            return Some(open);
        }
        open_places(&static_coi(inlined))
    }

    /// The Program in a form.
    pub fn prepared(&self, form: Form) -> Result<Arc<Program>, Unprepared> {
        // What somebody who panicked left behind is complete: entries are put in when they are done.
        let mut forms = self.forms.lock().unwrap_or_else(PoisonError::into_inner);
        match form {
            Form::Simplified => Ok(self.simplified(&mut forms, true)),
            Form::Blocks(blocks) => self.blocks(&mut forms, blocks),
        }
    }

    fn simplified(&self, forms: &mut Forms, merged: bool) -> Arc<Program> {
        let make = || Arc::new(simplify_to(self.program.clone(), merged));
        forms.simplified.entry(merged).or_insert_with(make).clone()
    }

    fn blocks(&self, forms: &mut Forms, blocks: Blocks) -> Result<Arc<Program>, Unprepared> {
        if let Some(known) = forms.blocks.get(&blocks) {
            return Ok(known.clone());
        }
        let merged = blocks.lbe != Lbe::None;
        let resolved = self.resolved(forms, blocks.recursion_bound, blocks.keep_globals, merged)?;
        let mut program = Program::clone(&resolved);
        if blocks.cells {
            let reduced = distinguished_cells(program).ok_or(Unprepared::WithoutCells)?;
            program = simplify_to(reduced, merged);
        }
        if blocks.sliced {
            program = simplify_to(static_coi(program), merged);
        }
        let program = Arc::new(large_blocks(large_allocations(program), blocks.lbe));
        forms.blocks.insert(blocks, program.clone());
        Ok(program)
    }

    fn resolved(
        &self,
        forms: &mut Forms,
        recursion_bound: u32,
        keep_globals: bool,
        merged: bool,
    ) -> Result<Arc<Program>, TooLarge> {
        let key = (recursion_bound, keep_globals, merged);
        if let Some(known) = forms.resolved.get(&key) {
            return Ok(known.clone());
        }
        let simplified = self.simplified(forms, merged);
        let program = Arc::new(resolve(Program::clone(&simplified), recursion_bound, keep_globals, merged)?);
        forms.resolved.insert(key, program.clone());
        Ok(program)
    }
}

fn simplify_to(program: Program, merged: bool) -> Program {
    if merged { simplify(program) } else { simplify_unmerged(program) }
}

/// Inlines calls, and makes variables of memory as long as pointers that became constants lead to further objects.
fn resolve(program: Program, recursion_bound: u32, keep_globals: bool, merged: bool) -> Result<Program, TooLarge> {
    let options = InlineOptions { recursion_bound, max_edges: MOST_EDGES, keep_recursive: false };
    let simplify = |program| simplify_to(program, merged);
    let localize = |program| if keep_globals { program } else { localize(program) };
    let mut program = simplify(inline(program, &options)?);
    if program.asks_for_lives() {
        program = simplify(shadow_lives(program));
    }
    program = localize(program);
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
    Ok(simplify(localize(resolve_cells(program, MOST_CANDIDATES))))
}

/// How often memory is accessed by address.
fn accesses(program: &Program) -> usize {
    let labels = program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels);
    labels.filter(|label| matches!(label.place(), Some(Place::Memory(_)))).count()
}
