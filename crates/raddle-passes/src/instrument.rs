//! What a property asks for beyond the labels that lowering puts in: a Program in which the property is violated where an `Error` label is reached.

use crate::deadlocks::deadlocks;
use raddle_ir::{Label, Program, Property, Span};

/// A violation that is known already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// Of two accesses.
    Race(Span, Span),
    At(Span),
}

/// The Program that engines verify, replay and tell: as lowered, with what the property needs. An execution ends where it comes to a violation that is known.
pub fn instrument(program: Program, property: Property, known: &[Known]) -> Program {
    let mut program = with_errors(program, property, known);
    let never = program.pool.bool(false);
    for edge in program.procs.iter_mut().flat_map(|proc| &mut proc.edges) {
        if known.contains(&Known::At(edge.span)) {
            edge.labels
                .iter_mut()
                .filter(|label| matches!(label, Label::Error(_)))
                .for_each(|label| *label = Label::Assume(never));
        }
    }
    program
}

fn with_errors(program: Program, property: Property, known: &[Known]) -> Program {
    match property {
        Property::NoDataRace => crate::races(program, known),
        Property::UnreachCall
        | Property::NoOverflow
        | Property::ValidMemsafety
        | Property::ValidMemcleanup
        | Property::Termination => program,
        Property::NoDeadlock => deadlocks(program),
    }
}
