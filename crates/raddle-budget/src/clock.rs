//! How time is counted: as CPU time, so that a busy machine changes no verdict.

use nix::sys::resource::{UsageWho, getrusage};
use nix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// CPU time so far: of this process, and of the children that it has waited for.
pub fn process_time() -> Duration {
    let children = getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| {
        let (user, system) = (usage.user_time(), usage.system_time());
        (user.tv_sec() + system.tv_sec()) * 1_000_000 + user.tv_usec() + system.tv_usec()
    });
    of(ClockId::CLOCK_PROCESS_CPUTIME_ID) + Duration::from_micros(children.try_into().unwrap_or(0))
}

/// CPU time of this thread: what one question to a solver takes, whatever other threads do meanwhile.
pub fn thread_time() -> Duration {
    of(ClockId::CLOCK_THREAD_CPUTIME_ID)
}

fn of(clock: ClockId) -> Duration {
    clock_gettime(clock).map(Duration::from).unwrap_or_default()
}
