//! How far a run is, for whoever wants to know.

use crate::facts::Facts;
use serde::{Deserialize, Serialize};

/// Something that happened in a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A form of the Program was prepared.
    Prepared { locations: usize, edges: usize },
    /// States stored so far.
    Explored { states: u64 },
    /// Loops are unrolled to this bound at most; so many events, and so many locations that a path may reach.
    Unrolled { bound: u32, events: usize, locations: usize },
    /// Something that a later run can start from, also if this one never ends.
    Learned(Facts),
    /// So many nodes of an abstract graph were added in this iteration.
    Built { nodes: usize },
    /// The abstraction was refined: how often so far, and what is tracked now.
    Refined { iteration: u64, variables: usize, predicates: usize },
}

pub trait Observer: Sync {
    fn event(&self, event: Event);
}

/// Nobody wants to know.
pub struct Silent;

impl Observer for Silent {
    fn event(&self, _: Event) {}
}
