//! Where every nondeterministic decision goes: simulation draws at random, exploration enumerates, replay reads a
//! record. The step code asks through this trait and knows nothing of the three.

use crate::machine::code::Code;
use crate::machine::state::Machine;
use crate::machine::store_buffers::PendingPlace;
use raddle_ir::eval::mask;
use raddle_ir::{Function, Sort, VarId};

/// What gets a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// A local that was havocked or never assigned, at a position in the thread's stack of slots.
    Local { index: u32 },
    /// A global or thread-local variable without an initial value.
    Shared,
    /// Bytes of memory that were never written: at an address, so many bytes into what is loaded.
    Memory { address: u64, offset: u32 },
}

/// An undetermined value of a variable: in a thread, at a position in its stack of slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    pub thread: u32,
    pub index: u32,
    pub var: VarId,
}

/// Where an undetermined value was stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// In a global variable, by its slot.
    Global(u32),
    /// In a thread-local variable of the thread.
    Own(u32),
    Memory {
        address: u64,
        bytes: u64,
    },
}

/// A request for a value of `sort` from the cyclic interval `low ..= high` (all values when it is `0 ..= 2^n - 1`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ask {
    pub thread: u32,
    pub asked: Asked,
    /// The variable, for messages.
    pub var: Option<VarId>,
    pub sort: Sort,
    pub low: u128,
    pub high: u128,
}

impl Ask {
    /// The value that an answer stands for: one out of the interval is that member of it which has the same low bits. (What is undetermined of a `char` stays so when it
    /// is copied to an `int`, and the answer may be that for the `char`.)
    pub fn fit(&self, answer: u128) -> u128 {
        let mask = mask(self.sort.bits().unwrap_or(1));
        let last = self.high.wrapping_sub(self.low) & mask;
        let beyond = answer.wrapping_sub(self.low) & mask;
        let within = if last < mask { beyond % (last + 1) } else { beyond };
        self.low.wrapping_add(within) & mask
    }
}

pub trait Oracle {
    /// Keep an undetermined integer undetermined through a comparison, by narrowing the interval it may lie in?
    /// Otherwise it gets a value whenever it is read.
    const NARROW: bool;
    /// Call `before_label` and `after_label` for each label.
    const NOTES: bool = false;
    /// Call `touched` for accesses through computed addresses.
    const TOUCHES: bool = false;
    /// Carry out `Print`; otherwise its result is any value.
    const PRINT: bool = false;

    /// A value for something undetermined that is read now.
    fn choose(&mut self, ask: &Ask) -> u128;

    /// One of so many ways to go on (1 or more). Only asked when narrowing.
    fn pick(&mut self, ways: u32) -> u32;

    /// A local stays undetermined; from now on it lies in `low ..= high`.
    fn narrowed(&mut self, _ask: &Ask, _low: u128, _high: u128) {}

    /// An undetermined value went to another stack position (thread and index).
    fn moved(&mut self, _from: Held, _to: (u32, u32)) {}

    /// An undetermined value was stored, and stays undetermined.
    fn stored(&mut self, _from: Held, _to: Kept) {}

    /// A stack position, that of a variable, holds a new undetermined value.
    fn fresh(&mut self, _at: (u32, u32), _var: VarId) {}

    /// A value that is fixed already for a new undetermined value of a variable.
    fn given(&mut self, _var: VarId) -> Option<u128> {
        None
    }

    /// What a library function returns of which only bounds are known: told is what this machine's library gives, if anybody knows. `None`: any value.
    fn computed(&mut self, _var: VarId, _of: Function, _native: Option<u128>) -> Option<u128> {
        None
    }

    /// Is the value known already that an undetermined variable will get? Then it need not stay undetermined where it is passed on.
    fn has_value(&self, _of: Held) -> bool {
        false
    }

    /// A frame that begins at a stack position was entered: all its undetermined values are new.
    fn entered(&mut self, _thread: u32, _base: u32) {}

    /// A pending store becomes visible now.
    fn commits(&mut self, _code: &Code, _machine: &Machine, _place: PendingPlace) {}

    /// What the step has done is taken back, and it is taken once more.
    fn again(&mut self) {}

    /// The label at a position of its edge is executed next.
    fn before_label(&mut self, _position: u32) {}

    fn after_label(&mut self, _code: &Code, _machine: &Machine, _thread: u32, _label: u32) {}

    /// A label went to a memory object through a computed address; `None`: to no valid one.
    fn touched(&mut self, _machine: &Machine, _thread: u32, _label: u32, _object: Option<u32>, _address: u64) {}

    fn print(&mut self, _bytes: &[u8]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_fit() {
        let ask = |low, high| Ask { thread: 0, asked: Asked::Shared, var: None, sort: Sort::Bits(32), low, high };
        let all = ask(0, 0xffff_ffff);
        assert_eq!((all.fit(7), all.fit(0x1_0000_0007), all.fit(0xffff_ffff)), (7, 7, 0xffff_ffff));
        let unsigned = ask(0, 0xff);
        assert_eq!((unsigned.fit(0xf8), unsigned.fit(0xffff_fff8)), (0xf8, 0xf8));
        let signed = ask(0xffff_ff80, 0x7f);
        assert_eq!((signed.fit(0xf8), signed.fit(0xffff_fff8), signed.fit(0x70)), (0xffff_fff8, 0xffff_fff8, 0x70));
        let widest = Ask { sort: Sort::Bits(128), high: u128::MAX, ..all };
        assert_eq!(widest.fit(u128::MAX), u128::MAX);
    }
}
