//! May a Program follow a pointer that can be anything (one that was never written, say)? Memory resolution takes such an access for invalid where the
//! objects around it have become variables; but the pointer may just as well be the address of one of these. So nothing is proved about a Program that
//! does it.

use crate::points_to::points_to;
use raddle_ir::{Label, Place, Program, Span};

/// Where an address is used of which nothing is known but that it comes from outside.
pub fn follows_anything(program: &Program) -> Option<Span> {
    let address_of = |label: &Label| match label {
        Label::Load { place: Place::Memory(address), .. }
        | Label::Store { place: Place::Memory(address), .. }
        | Label::ObjectSize { address, .. }
        | Label::Free { address, .. }
        | Label::Lock { lock: address, .. } => {
            Some(*address).filter(|address| program.pool.as_const(*address).is_none())
        }
        _ => None,
    };
    let edges = || program.procs.iter().flat_map(|proc| &proc.edges);
    if !edges().flat_map(|edge| &edge.labels).any(|label| address_of(label).is_some()) {
        return None;
    }
    let points_to = points_to(program);
    let is_anything = |label: &Label| {
        address_of(label).is_some_and(|address| {
            let (objects, is_unknown) = points_to.carried(&program.pool, address);
            is_unknown && objects.is_clear()
        })
    };
    edges().find(|edge| edge.labels.iter().any(is_anything)).map(|edge| edge.span)
}
