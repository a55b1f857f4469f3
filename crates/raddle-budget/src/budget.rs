//! A budget: how long a run may go on, and with how much memory.
//!
//! The whole run has one. An engine gets a share of it, which ends with the whole. Clones share their state. Whoever works asks `stop` now
//! and then; looking at the clock costs less than a microsecond.

use crate::clock::process_time;
use crate::memory::memory;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

/// Why a run ends before it has an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Stop {
    Timeout = 1,
    OutOfMemory = 2,
    Interrupted = 3,
}

impl Stop {
    fn from_u8(value: u8) -> Option<Stop> {
        [Stop::Timeout, Stop::OutOfMemory, Stop::Interrupted].into_iter().find(|stop| *stop as u8 == value)
    }
}

#[derive(Clone)]
pub struct Budget {
    whole: Arc<Whole>,
    /// The share ends at this time, as the process counts it.
    until: Duration,
    /// Memory, in bytes, that the share may leave in use.
    memory: u64,
    asked: Option<Question>,
}

type Question = Arc<dyn Fn() -> Option<Stop> + Send + Sync>;

/// What the whole run has, and whether it is over.
struct Whole {
    state: AtomicU8,
    timeout: Duration,
    memory: u64,
    /// What was seen last of the resident memory, and when (in milliseconds of process time).
    resident: AtomicU64,
    looked: AtomicU64,
}

/// The memory in use is looked at so often (in milliseconds of process time).
const LOOK: u64 = 10;

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget").field("until", &self.until).field("memory", &self.memory).finish()
    }
}

impl Default for Budget {
    fn default() -> Self {
        Budget::unlimited()
    }
}

impl Budget {
    /// For a whole run: until the process has used so much CPU time, with so much resident memory.
    pub fn new(timeout: Duration, memory: u64) -> Budget {
        let whole =
            Whole { state: AtomicU8::new(0), timeout, memory, resident: AtomicU64::new(0), looked: AtomicU64::new(0) };
        Budget { whole: Arc::new(whole), until: timeout, memory, asked: None }
    }

    pub fn unlimited() -> Budget {
        Budget::new(Duration::MAX, u64::MAX)
    }

    /// CPU time from now on.
    pub fn of_time(time: Duration) -> Budget {
        Budget::new(process_time().saturating_add(time), u64::MAX)
    }

    /// Somebody else decides, in addition.
    pub fn asking(self, question: impl Fn() -> Option<Stop> + Send + Sync + 'static) -> Budget {
        Budget { asked: Some(Arc::new(question)), ..self }
    }

    /// A part of what is left: so much CPU time from now on. Whoever comes next finds half of the memory free.
    pub fn share(&self, time: Duration) -> Budget {
        let until = process_time().saturating_add(time);
        if until >= self.until {
            return self.clone();
        }
        Budget { until, memory: self.memory.min(self.whole.memory / 2), ..self.clone() }
    }

    /// Is it time to stop, and why?
    pub fn stop(&self) -> Option<Stop> {
        if let Some(stop) = self.whole_is_over() {
            return Some(stop);
        }
        if let Some(stop) = self.asked.as_ref().and_then(|question| question()) {
            return Some(stop);
        }
        if self.until == Duration::MAX && self.memory == u64::MAX {
            return None;
        }
        let now = process_time();
        if now >= self.whole.timeout {
            return Some(self.end(Stop::Timeout));
        }
        if now >= self.until {
            return Some(Stop::Timeout);
        }
        let resident = self.resident(now);
        if resident >= self.whole.memory {
            return Some(self.end(Stop::OutOfMemory));
        }
        (resident >= self.memory).then_some(Stop::OutOfMemory)
    }

    /// Is the whole run over, and not only this share?
    pub fn whole_is_over(&self) -> Option<Stop> {
        Stop::from_u8(self.whole.state.load(Ordering::Relaxed))
    }

    /// Ends the whole run. What came first is the reason.
    pub fn end(&self, stop: Stop) -> Stop {
        let _ = self.whole.state.compare_exchange(0, stop as u8, Ordering::Relaxed, Ordering::Relaxed);
        self.whole_is_over().unwrap_or(stop)
    }

    /// The CPU time that is left.
    pub fn left(&self) -> Duration {
        self.until.saturating_sub(process_time())
    }

    /// The limits of the whole run.
    pub fn timeout(&self) -> Duration {
        self.whole.timeout
    }

    pub fn memory(&self) -> u64 {
        self.whole.memory
    }

    fn resident(&self, now: Duration) -> u64 {
        let now = now.as_millis() as u64;
        let looked = self.whole.looked.load(Ordering::Relaxed);
        if now >= looked.saturating_add(LOOK) || looked == 0 {
            self.whole.looked.store(now.max(1), Ordering::Relaxed);
            self.whole.resident.store(memory().resident, Ordering::Relaxed);
        }
        self.whole.resident.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_ends_before_the_whole_and_with_it() {
        let whole = Budget::new(Duration::from_secs(3600), u64::MAX);
        let share = whole.share(Duration::ZERO);
        assert_eq!(share.stop(), Some(Stop::Timeout));
        assert_eq!(whole.stop(), None);
        let share = whole.share(Duration::from_secs(1800));
        assert_eq!(share.stop(), None);
        whole.end(Stop::Interrupted);
        assert_eq!(whole.end(Stop::Timeout), Stop::Interrupted);
        assert_eq!(share.stop(), Some(Stop::Interrupted));
    }

    #[test]
    fn time_and_memory_are_limits() {
        assert_eq!(Budget::new(Duration::ZERO, u64::MAX).stop(), Some(Stop::Timeout));
        assert_eq!(Budget::new(Duration::from_secs(3600), 1).stop(), Some(Stop::OutOfMemory));
        assert_eq!(Budget::unlimited().stop(), None);
    }
}
