//! What a property asks for beyond the labels that lowering puts in: a Program in which the property is violated where an `Error` label is reached.

use crate::deadlocks::deadlocks;
use raddle_ir::{Program, Property};

/// The Program that engines verify, replay and tell: as lowered, with what the property needs.
pub fn instrument(program: Program, property: Property) -> Program {
    match property {
        Property::NoDataRace => crate::races(program),
        Property::UnreachCall
        | Property::NoOverflow
        | Property::ValidMemsafety
        | Property::ValidMemcleanup
        | Property::Termination => program,
        Property::NoDeadlock => deadlocks(program),
    }
}
