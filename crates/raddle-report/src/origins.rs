//! Which object a pointer means: the one that lived when its value came to be, however often it was copied since.
//!
//! Memory is used again: an address alone says nothing of an object that is gone. An event whose value is that of an event that it depends on copies it.

use raddle_interp::execution::{Cell, Event, EventId, Execution, What};
use raddle_ir::{Shape, ShapeId, Shapes};

pub struct Origins {
    /// For each event: the one that its value comes from.
    pub events: Vec<EventId>,
    /// The shape of the pointer that the value was in last, if it was in one.
    pub pointers: Vec<Option<ShapeId>>,
}

pub fn origins(shapes: &Shapes, execution: &Execution) -> Origins {
    let count = execution.events.len();
    let mut all = Origins { events: Vec::with_capacity(count), pointers: Vec::with_capacity(count) };
    for (at, event) in execution.events.iter().enumerate() {
        let value = value_of(execution, event).filter(|value| *value != 0);
        let is_same =
            |need: &EventId| value.is_some() && value_of(execution, &execution.events[*need as usize]) == value;
        let read_from = match event.what {
            What::Read { from, .. } => from.filter(is_same),
            _ => None,
        };
        let source = read_from.or_else(|| execution.needs(event).iter().rev().copied().find(is_same));
        let own = shape_of(shapes, event);
        let inherited = || source.and_then(|source| all.pointers[source as usize]);
        let pointer = match own {
            Some(shape) => Some(shape).filter(|shape| matches!(shapes.get(*shape), Shape::Pointer(_))),
            None => inherited(),
        };
        all.events.push(source.map_or(at as EventId, |source| all.events[source as usize]));
        all.pointers.push(pointer);
    }
    all
}

/// The value that an event gives to something.
fn value_of(execution: &Execution, event: &Event) -> Option<u128> {
    match event.what {
        What::Assign { value, .. }
        | What::Choice { value, .. }
        | What::Parameter { value, .. }
        | What::Read { value, .. }
        | What::Write { value, .. } => value,
        What::Return { value, .. } => value.map(|(_, value)| value),
        What::Alloc { object, .. } => execution.objects.get(object as usize).map(|life| life.address.into()),
        _ => None,
    }
}

/// The shape of the variable that gets the value.
fn shape_of(shapes: &Shapes, event: &Event) -> Option<ShapeId> {
    let var = match event.what {
        What::Assign { var, .. } | What::Choice { var, .. } | What::Parameter { var, .. } => var,
        What::Read { into: var, .. } | What::Write { cell: Cell::Global(var) | Cell::Own(_, var), .. } => var,
        _ => return None,
    };
    shapes.vars.get(&var).copied()
}
