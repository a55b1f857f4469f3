//! Why a property holds: what a correctness witness needs.

use raddle_ir::{LocId, ProcId};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    pub argument: Argument,
    /// In terms of the Program as lowered; none where the argument needs none.
    pub invariants: Vec<Invariant>,
}

/// The kind of argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// All states were visited.
    Exhaustion { states: u64 },
    /// All loops were unrolled to their ends, and no order of the events reaches an error.
    Unrolling { events: u64 },
    /// Nothing happens within so many iterations of each loop; whoever asked trusts that this is enough.
    TrustedBound { bound: u32 },
    /// An abstract reachability graph without an error that covers all executions, checked once more.
    Abstraction { states: u64, refinements: u64 },
}

/// Holds whenever a thread is at a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    pub proc: ProcId,
    pub loc: LocId,
    /// In C syntax, over names of the source.
    pub text: String,
}

impl Proof {
    pub fn by(argument: Argument) -> Proof {
        Proof { argument, invariants: Vec::new() }
    }

    /// In one sentence, for people.
    pub fn words(&self) -> String {
        match &self.argument {
            Argument::Exhaustion { states } => format!("{states} states explored"),
            Argument::Unrolling { events } => format!("{events} events, complete without any bound"),
            Argument::TrustedBound { bound } => {
                format!("within {bound} iterations of each loop; the bound is trusted")
            }
            Argument::Abstraction { states, refinements } => {
                format!("{states} abstract states, {refinements} refinements")
            }
        }
    }
}
