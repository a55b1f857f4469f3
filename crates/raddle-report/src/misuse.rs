//! What is wrong with memory: which access, how large, and in which object it should be.

use crate::names::Names;
use raddle_interp::execution::{Execution, What};
use raddle_ir::{ObjectKind, Use, Violation};

impl Names<'_> {
    /// A violation in words, with what is known of the memory that it is about.
    pub fn violation(&self, execution: &Execution, violation: Violation) -> String {
        let words = violation.words();
        let is_about_memory = matches!(
            violation,
            Violation::InvalidDeref | Violation::InvalidFree | Violation::LostMemory | Violation::UnfreedMemory
        );
        match self.misuse(execution).filter(|_| is_about_memory) {
            Some(what) => format!("{words}: {what}"),
            None => words.to_owned(),
        }
    }

    /// The last misuse of memory.
    fn misuse(&self, execution: &Execution) -> Option<String> {
        let misuse = execution.events.iter().rev().find_map(|event| match event.what {
            What::Misuse { used, address, object, has_ended, .. } => Some((used, address, object, has_ended)),
            _ => None,
        });
        let (used, address, object, has_ended) = misuse?;
        let size = object.map_or(0, |object| execution.objects[object as usize].size);
        let name = object.map(|object| self.object(object).to_owned());
        let Some(used) = used else { return name.map(|name| format!("{name} ({})", bytes(size))) };
        let (what, length) = match used {
            Use::Read(length) => (format!("a read of {}", bytes(length)), length),
            Use::Write(length) => (format!("a write of {}", bytes(length)), length),
            Use::Free => ("what is freed".to_owned(), 0),
            Use::Call => return Some(format!("a call of {}", place(address))),
        };
        let (Some(object), Some(name)) = (object, name) else {
            return Some(format!("{what} is at {}", place(address)));
        };
        let offset = address - execution.objects[object as usize].address;
        let at = match offset {
            0 => name,
            _ => format!("offset {offset} of {name}"),
        };
        let is_outside = used != Use::Free && offset.saturating_add(length) > size;
        let is_read_only = self.program.objects.get(object as usize).is_some_and(|object| match object.kind {
            ObjectKind::Data { writable, .. } => !writable,
            ObjectKind::Function(_) => true,
        });
        Some(match used {
            _ if has_ended => format!("{what} is at {at}, which lives no more"),
            _ if is_outside => format!("{what} is at {at}, which has {}", bytes(size)),
            Use::Free if offset == 0 => format!("{what} is {at}, which is not on the heap"),
            Use::Free => format!("{what} is at {at}, not at its start"),
            _ if is_read_only => format!("{what} is at {at}, which must not be changed"),
            _ => format!("{what} is at {at}"),
        })
    }
}

fn bytes(count: u64) -> String {
    format!("{count} byte{}", if count == 1 { "" } else { "s" })
}

fn place(address: u64) -> String {
    if address == 0 { "null".to_owned() } else { format!("{address:#x}, where nothing is") }
}
