//! Why a property holds: what a correctness witness needs.

use crate::invariants::Invariants;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Proof {
    pub argument: Argument,
    /// In terms of the Program as lowered; none where the argument needs none.
    pub invariants: Invariants,
}

/// The kind of argument.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Argument {
    /// Nothing in the Program can violate the property.
    Inspection,
    /// All states were visited.
    Exhaustion { states: u64 },
    /// All loops were unrolled to their ends, and no order of the events reaches an error.
    Unrolling { events: u64 },
    /// Nothing happens within so many iterations of each loop; whoever asked trusts that this is enough.
    TrustedBound { bound: u32 },
    /// An abstract reachability graph without an error that covers all executions, checked once more.
    Abstraction { states: u64, refinements: u64 },
    /// An inductive invariant of any number of threads, checked once more.
    Invariant { conjuncts: u64 },
    /// No error within k blocks from the beginning, and none after k blocks without one; or no execution has more. Checked once more.
    Induction { k: u64, is_complete: bool },
    /// An inductive invariant of a sequential program, of interpolants, checked once more.
    Interpolation { conjuncts: u64 },
}

impl Proof {
    pub fn by(argument: Argument) -> Proof {
        Proof { argument, invariants: Invariants::default() }
    }

    /// In one sentence, for people.
    pub fn words(&self) -> String {
        match &self.argument {
            Argument::Inspection => "nothing in the program can violate it".into(),
            Argument::Exhaustion { states } => format!("{states} states explored"),
            Argument::Unrolling { events } => format!("{events} events, complete without any bound"),
            Argument::TrustedBound { bound } => {
                format!("within {bound} iterations of each loop; the bound is trusted")
            }
            Argument::Abstraction { states, refinements } => {
                format!("{states} abstract states, {refinements} refinements")
            }
            Argument::Invariant { conjuncts } => {
                format!("an inductive invariant of {conjuncts} conjuncts")
            }
            Argument::Induction { k, is_complete: false } => format!("induction over {} blocks", k + 1),
            Argument::Induction { k, is_complete: true } => format!("no execution has more than {} blocks", k + 1),
            Argument::Interpolation { conjuncts } => format!("an inductive invariant of {conjuncts} interpolants"),
        }
    }
}
