//! Monitors: what is known of a run while it runs, for conditions under which its strategy gives it up (thesis 1, section 3.4.3).
//!
//! Whoever conducts hears events of a run and sees what it uses. Nothing is measured in the run itself, so a monitor costs it nothing.

use crate::worker::process::Usage;
use raddle_engine::Event;
use std::time::Duration;

/// The values that a condition can ask for, and what they mean.
pub const VALUES: [(&str, &str); 10] = [
    ("seconds", "CPU time of the run"),
    ("memory-share", "its memory, as a share of all that there is"),
    ("silent-seconds", "CPU time since the run last told anything: a question to a solver, say"),
    ("unrefined-seconds", "CPU time since a new predicate or variable came"),
    ("iterations", "refinements of the abstraction"),
    ("nodes", "nodes of the abstract graph in this iteration"),
    ("tracked", "variables and predicates of the abstraction"),
    ("states", "explored states"),
    ("bound", "the bound of loops"),
    ("idle-bounds", "bounds since a new location was reached"),
];

/// What is known of a run.
#[derive(Clone, Default, Debug)]
pub struct Monitor {
    /// CPU time when it last told anything, and when what it tracks last changed.
    told: Duration,
    refined: Duration,
    iterations: u64,
    nodes: usize,
    tracked: usize,
    states: u64,
    bound: u32,
    locations: usize,
    idle_bounds: u32,
}

impl Monitor {
    pub fn is_value(name: &str) -> bool {
        VALUES.iter().any(|(value, _)| *value == name)
    }

    /// The run told something, when it had used so much.
    pub fn hear(&mut self, event: &Event, cpu: Duration) {
        self.told = cpu;
        match event {
            Event::Prepared { .. } | Event::Learned(_) => {}
            Event::Explored { states } => self.states = *states,
            Event::Built { nodes } => self.nodes = *nodes,
            Event::Refined { iteration, variables, predicates } => {
                self.iterations = *iteration;
                self.nodes = 0;
                if variables + predicates != self.tracked {
                    self.tracked = variables + predicates;
                    self.refined = cpu;
                }
            }
            Event::Unrolled { bound, locations, .. } => {
                self.idle_bounds = if *locations > self.locations { 0 } else { self.idle_bounds + 1 };
                (self.bound, self.locations) = (*bound, self.locations.max(*locations));
            }
        }
    }

    /// A value by its name; `memory` is all that there is.
    pub fn get(&self, name: &str, usage: Usage, memory: u64) -> f64 {
        match name {
            "seconds" => usage.cpu.as_secs_f64(),
            "memory-share" => usage.memory as f64 / memory.max(1) as f64,
            "silent-seconds" => usage.cpu.saturating_sub(self.told).as_secs_f64(),
            "unrefined-seconds" => usage.cpu.saturating_sub(self.refined).as_secs_f64(),
            "iterations" => self.iterations as f64,
            "nodes" => self.nodes as f64,
            "tracked" => self.tracked as f64,
            "states" => self.states as f64,
            "bound" => f64::from(self.bound),
            "idle-bounds" => f64::from(self.idle_bounds),
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(number: u64) -> Duration {
        Duration::from_secs(number)
    }

    #[test]
    fn a_graph_that_grows_without_refinement() {
        let mut monitor = Monitor::default();
        let refined = |iteration, predicates| Event::Refined { iteration, variables: 1, predicates };
        monitor.hear(&refined(1, 0), second(1));
        monitor.hear(&refined(2, 1), second(3));
        monitor.hear(&Event::Built { nodes: 500 }, second(8));
        monitor.hear(&refined(3, 1), second(9));
        monitor.hear(&Event::Built { nodes: 700 }, second(10));
        let usage = Usage { cpu: second(12), memory: 25 };
        let value = |name| monitor.get(name, usage, 100);
        assert_eq!(value("unrefined-seconds"), 9.0);
        assert_eq!((value("silent-seconds"), value("seconds"), value("memory-share")), (2.0, 12.0, 0.25));
        assert_eq!((value("nodes"), value("iterations"), value("tracked")), (700.0, 3.0, 2.0));
    }

    #[test]
    fn bounds_without_a_new_location() {
        let mut monitor = Monitor::default();
        for (bound, locations) in [(2, 10), (4, 12), (8, 12), (16, 12)] {
            monitor.hear(&Event::Unrolled { bound, events: 0, locations }, second(1));
        }
        let value = |name| monitor.get(name, Usage::default(), 100);
        assert_eq!((value("idle-bounds"), value("bound")), (2.0, 16.0));
        monitor.hear(&Event::Unrolled { bound: 32, events: 0, locations: 13 }, second(1));
        assert_eq!(monitor.get("idle-bounds", Usage::default(), 100), 0.0);
    }

    #[test]
    fn every_value_has_a_name() {
        assert!(VALUES.iter().all(|(name, _)| Monitor::is_value(name)));
        assert!(!Monitor::is_value("luck"));
    }
}
