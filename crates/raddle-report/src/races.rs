//! A data race in words: which two accesses, by whom, to what, under which locks.
//!
//! In a Program that is watched for races (raddle-passes, `races/`), one thread announces in a variable what it is about to write, and the other one finds that when it makes its own access.

use crate::names::Names;
use raddle_interp::execution::{Cell, Event, EventId, Execution, What};
use raddle_ir::{ANNOUNCED, Span, VarId, Violation};

/// The two accesses of a race.
pub struct Race {
    /// The announced one: a write.
    pub first: EventId,
    /// The one that was made, and whether it wrote.
    pub second: EventId,
    pub writes: bool,
    /// What they are to.
    pub name: String,
}

/// The race that an execution ends with.
pub fn race(names: &Names, execution: &Execution) -> Option<Race> {
    let events = &execution.events;
    let last = events.last().filter(|event| matches!(event.what, What::Error(Violation::DataRace)))?;
    let of_last = |(_, event): &(usize, &Event)| event.thread == last.thread;
    let looks = |event: &Event| match event.what {
        What::Read { cell: Cell::Global(var), from: Some(from), .. } if announced(names, var).is_some() => {
            Some((var, from))
        }
        _ => None,
    };
    // An edge with several accesses looks at several announcements; the others saw none.
    let backward = || events.iter().enumerate().rev().filter(of_last);
    let (seen, (var, first)) = backward().find_map(|(at, event)| looks(event).map(|found| (at, found)))?;
    let step = events[seen].step;
    let access = |event: &Event| match event.what {
        What::Write { cell, .. } => names_user(names, cell).map(|name| (true, name)),
        What::Read { cell, .. } => names_user(names, cell).map(|name| (false, name)),
        _ => None,
    };
    let same_step = || backward().filter(|(at, event)| *at < seen && event.step == step);
    let writes = same_step().filter_map(|(_, event)| access(event)).any(|(writes, _)| writes);
    let (second, _) = same_step().find(|(_, event)| access(event).is_some())?;
    let name = match announced(names, var)? {
        "" => access(&events[second])?.1,
        name => name.to_owned(),
    };
    Some(Race { first, second: second as EventId, writes, name })
}

/// The name of what a variable announces accesses to; empty if that is memory.
fn announced<'a>(names: &'a Names, var: VarId) -> Option<&'a str> {
    let var = names.program.var(var);
    let name = var.name.strip_prefix(ANNOUNCED)?;
    (var.span == Span::NONE).then(|| name.trim_start())
}

fn names_user(names: &Names, cell: Cell) -> Option<String> {
    match cell {
        Cell::Global(var) if names.program.var(var).span == Span::NONE => None,
        cell => Some(names.cell(cell, false).name),
    }
}
