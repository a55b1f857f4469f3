//! CPU time of this thread: that of the phases of a run does not depend on what else the machine does.

use nix::time::{ClockId, clock_gettime};
use std::time::Duration;

pub fn cpu_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map(Duration::from).unwrap_or_default()
}
