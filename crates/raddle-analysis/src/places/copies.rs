//! Copies of memory. The library copies bytes one by one, in which fields are lost; the calls say more: what is in one object is then in the other, as far
//! from where the copy begins.

use super::flow::{Analysis, Position};
use super::offset::Offset;
use raddle_ir::{ExprId, ProcId};

impl Analysis<'_> {
    /// Is it the library's `memcpy` or the like?
    pub(super) fn is_copy(&self, proc: ProcId) -> bool {
        let proc = self.program.proc(proc);
        matches!(proc.name.as_str(), "memcpy" | "memmove") && self.program.is_of_library(proc.span)
    }

    /// A call of it. How many bytes are copied does not count.
    pub(super) fn copy(&mut self, at: Position, args: &[ExprId]) {
        let (Some(to), Some(from)) = (args.first(), args.get(1)) else { return };
        let (to, from) = (self.value(at, *to), self.value(at, *from));
        for (source, from) in self.places(&from) {
            let cells = self.contents[source as usize].all(&self.initial(source), self.program);
            for (target, to) in self.places(&to) {
                let size = self.size(target).unwrap_or(i64::MAX);
                for ((offset, width), value) in &cells {
                    let shifted = if *offset == Offset::ANY {
                        Some(Offset::ANY)
                    } else {
                        offset.plus(to.minus(from)).up_to(size - width)
                    };
                    if let Some(offset) = shifted {
                        self.changed |= self.contents[target as usize].store((offset, *width), value);
                    }
                }
            }
        }
        self.define(at, &to);
    }
}
