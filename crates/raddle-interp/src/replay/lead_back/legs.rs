//! What the steps of the prepared Program come to.

use super::chains::Position;
use super::storage::Stored;
use raddle_ir::MemoryModel;

/// What the steps of the prepared Program come to, one after the other.
#[derive(Default)]
pub struct Legs {
    pub memory_model: MemoryModel,
    /// The thread, and where it goes.
    pub legs: Vec<(u32, Going)>,
    /// What few legs have, by their numbers, which ascend:
    /// threads at their ends that had to end before (whoever joins them inside an atomic block lets them go before it begins);
    pub ended: Vec<(usize, u32)>,
    /// where the process begins, if it is the first leg of the thread (a pass may have left out empty steps before that);
    pub begins: Vec<(usize, Position)>,
    /// the places of stores that become visible, if their origin is known;
    pub commits: Vec<(usize, Stored)>,
    /// the values that havocs gave, in their order.
    pub havocs: Vec<(usize, Havoc)>,
}

/// A havoc of the first run.
#[derive(Clone, Copy)]
pub struct Havoc {
    /// The calls and the label that it comes from.
    pub site: (u32, u32),
    /// Its number, for `Values::havocs`.
    pub number: usize,
}

#[derive(Clone, Copy)]
pub enum Going {
    To(Position),
    /// A pass made the step.
    Nowhere,
    /// The thread ends itself.
    Exit,
    /// The thread comes to the end of its process.
    End,
    Error,
    Commit,
}

/// Those of a leg, from a list that ascends.
pub fn of_leg<T: Copy>(all: &[(usize, T)], leg: usize) -> impl Iterator<Item = T> {
    let first = all.partition_point(|(of, _)| *of < leg);
    all[first..].iter().take_while(move |(of, _)| *of == leg).map(|(_, what)| *what)
}
