//! A budget without a clock, so that a test ends the same way on any machine.

use raddle_budget::{Budget, Stop};
use std::sync::atomic::{AtomicU64, Ordering};

/// Out of time when it is asked once more than so often.
pub fn budget_of(questions: u64) -> Budget {
    let asked = AtomicU64::new(0);
    Budget::unlimited().asking(move || (asked.fetch_add(1, Ordering::Relaxed) >= questions).then_some(Stop::Timeout))
}
