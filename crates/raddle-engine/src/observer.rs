//! How far a run is, for whoever wants to know.

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// An engine begins.
    Begin { engine: &'static str },
    /// A form of the Program was prepared.
    Prepared { locations: usize, edges: usize },
    /// States stored so far.
    Explored { states: u64 },
    /// Loops are unrolled to this bound at most; so many events.
    Unrolled { bound: u32, events: usize },
    /// The abstraction was refined: how often so far, and what is tracked now.
    Refined { iteration: u64, variables: usize, predicates: usize },
    /// The engine ends, with the name of its outcome.
    End { engine: &'static str, outcome: String },
}

pub trait Observer: Sync {
    fn event(&self, event: Event);
}

/// Nobody wants to know.
pub struct Silent;

impl Observer for Silent {
    fn event(&self, _: Event) {}
}
