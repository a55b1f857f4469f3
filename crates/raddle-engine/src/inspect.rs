//! Properties that hold at a glance: the Program has no label that violates them, and no gap in which something might.
//!
//! What is left of a property when passes have excluded what they can is what engines are to look at (`raddle_passes::instrument`); if nothing is left, there is nothing to search.

use crate::conclusion::Conclusion;
use crate::outcome::Outcome;
use crate::proof::{Argument, Proof};
use crate::task::Task;
use raddle_ir::{Label, LocKind, Procedure, Property};

/// The conclusion on a task in which nothing can violate the property.
pub fn inspected(task: &Task) -> Option<Conclusion> {
    let is_harmless = |proc: &Procedure| {
        let is_error = |label: &Label| matches!(label, Label::Error(_));
        proc.locations.iter().all(|location| location.kind == LocKind::Normal)
            && !proc.edges.iter().flat_map(|edge| &edge.labels).any(is_error)
    };
    // A program without errors is left to the engines: their answer to it is how one sees that they work.
    let is_asked = task.property().is_checked() && task.property() != Property::UnreachCall;
    let holds = is_asked && task.program().procs.iter().all(is_harmless);
    holds.then(|| Conclusion::new(Outcome::Safe(Proof::by(Argument::Inspection)), &()))
}
