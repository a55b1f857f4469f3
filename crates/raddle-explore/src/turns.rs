//! Threads in a given order, as witnesses tell it.
//!
//! A counter in the Program says how far a sequence of turns has come. Only the threads of the turn at hand and of the one before are followed, and those that they
//! wait for. With thousands of threads, of which few have turns, hardly more than one execution is looked at. That no violation is found says nothing.

use raddle_interp::machine::code::Code;
use raddle_interp::machine::state::Machine;
use raddle_ir::VarId;

/// The threads that have turns, one after the other, and the global variable that counts the turns that are over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turns {
    pub counter: VarId,
    pub threads: Vec<u32>,
    /// Is the thread whose turn comes followed before the one whose turn it was? Neither is always the better guess.
    pub next_first: bool,
    /// The search ends after so many states.
    pub most_states: u64,
}

impl Turns {
    /// The thread that goes on and the one that comes next, in the order in which they are followed.
    pub fn at_hand(&self, code: &Code, machine: &Machine) -> Vec<u32> {
        let slot = code.globals.iter().find(|global| global.var == self.counter);
        let over = slot.map_or(0, |global| machine.globals.words[global.slot as usize] as usize);
        let last = over.checked_sub(1).and_then(|at| self.threads.get(at));
        let next = self.threads.get(over).filter(|next| last != Some(next));
        let mut threads: Vec<u32> = last.into_iter().chain(next).copied().collect();
        if self.next_first {
            threads.reverse();
        }
        threads
    }
}
