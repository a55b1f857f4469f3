//! A budget: how long a run may go on, and with how much memory.
//!
//! The whole run has one. An engine gets a share of it, which ends with the whole. Clones share their state. Whoever works asks `stop` now
//! and then; that costs next to nothing, since the CPU clock and the memory are looked at every now and then only.

use crate::clock::process_time;
use crate::memory::memory;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

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
    /// The share ends at this time, as `now` counts it.
    until: Duration,
    /// Memory, in bytes, that the share may leave in use.
    memory: u64,
    /// Why it ended: what is over stays over.
    over: Arc<AtomicU8>,
    asked: Option<Question>,
    urgent: Option<Urgent>,
}

type Question = Arc<dyn Fn() -> Option<Stop> + Send + Sync>;
type Urgent = Arc<dyn Fn(bool) + Send + Sync>;

/// What the whole run has, and whether it is over.
struct Whole {
    state: AtomicU8,
    timeout: Duration,
    memory: u64,
    /// The process time (in nanoseconds) and the resident memory that were seen last; and when, in nanoseconds since the beginning.
    time: AtomicU64,
    resident: AtomicU64,
    looked_at_time: AtomicU64,
    looked_at_memory: AtomicU64,
    begin: Instant,
}

/// So often, in nanoseconds that have gone by, the CPU clock and the memory are looked at.
const LOOK_AT_TIME: u64 = 500_000;
const LOOK_AT_MEMORY: u64 = 10_000_000;

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
        let whole = Whole {
            state: AtomicU8::new(0),
            timeout,
            memory,
            time: AtomicU64::new(nanoseconds(process_time())),
            resident: AtomicU64::new(memory_now()),
            looked_at_time: AtomicU64::new(0),
            looked_at_memory: AtomicU64::new(0),
            begin: Instant::now(),
        };
        Budget { whole: Arc::new(whole), until: timeout, memory, over: Arc::default(), asked: None, urgent: None }
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
        let now = process_time();
        self.whole.time.store(nanoseconds(now), Ordering::Relaxed);
        let until = now.saturating_add(time);
        if until >= self.until {
            return self.clone();
        }
        Budget { until, memory: self.memory.min(self.whole.memory / 2), over: Arc::default(), ..self.clone() }
    }

    /// Whoever gave the budget out is told when an answer is near (`true`), and when it came to nothing (`false`).
    pub fn telling(self, urgent: impl Fn(bool) + Send + Sync + 'static) -> Budget {
        Budget { urgent: Some(Arc::new(urgent)), ..self }
    }

    /// Does something after which there is an answer: whoever gives out slices of time should not interrupt it.
    pub fn uninterrupted<T>(&self, work: impl FnOnce() -> T) -> T {
        let tell = |near| self.urgent.iter().for_each(|urgent| urgent(near));
        tell(true);
        let result = work();
        tell(false);
        result
    }

    /// Is it time to stop, and why?
    pub fn stop(&self) -> Option<Stop> {
        if let Some(stop) = self.whole_is_over() {
            return Some(stop);
        }
        if let Some(stop) = Stop::from_u8(self.over.load(Ordering::Relaxed)) {
            return Some(stop);
        }
        let stop = self.reason()?;
        self.over.store(stop as u8, Ordering::Relaxed);
        Some(stop)
    }

    fn reason(&self) -> Option<Stop> {
        if let Some(stop) = self.asked.as_ref().and_then(|question| question()) {
            return Some(stop);
        }
        if self.until == Duration::MAX && self.memory == u64::MAX {
            return None;
        }
        let (now, resident) = self.whole.look();
        if now >= self.whole.timeout {
            return Some(self.end(Stop::Timeout));
        }
        if now >= self.until {
            return Some(Stop::Timeout);
        }
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

    /// The CPU time so far.
    pub fn now(&self) -> Duration {
        process_time()
    }

    /// The CPU time since `begin`, which was now then.
    pub fn since(&self, begin: Duration) -> Duration {
        self.now().saturating_sub(begin)
    }

    /// The limits of the whole run.
    pub fn timeout(&self) -> Duration {
        self.whole.timeout
    }

    pub fn memory(&self) -> u64 {
        self.whole.memory
    }
}

impl Whole {
    /// The process time and the resident memory, a little old.
    fn look(&self) -> (Duration, u64) {
        let now = nanoseconds(self.begin.elapsed());
        let is_old = |looked: &AtomicU64, after: u64| {
            let is_old = now >= looked.load(Ordering::Relaxed).saturating_add(after);
            if is_old {
                looked.store(now, Ordering::Relaxed);
            }
            is_old
        };
        if is_old(&self.looked_at_time, LOOK_AT_TIME) {
            self.time.store(nanoseconds(process_time()), Ordering::Relaxed);
        }
        if is_old(&self.looked_at_memory, LOOK_AT_MEMORY) {
            self.resident.store(memory_now(), Ordering::Relaxed);
        }
        (Duration::from_nanos(self.time.load(Ordering::Relaxed)), self.resident.load(Ordering::Relaxed))
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn memory_now() -> u64 {
    memory().resident
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
    fn an_answer_that_is_near_is_told() {
        let (sender, told) = std::sync::mpsc::channel();
        let budget = Budget::unlimited().telling(move |near| sender.send(near).unwrap_or(()));
        assert_eq!(budget.uninterrupted(|| told.try_iter().collect::<Vec<_>>()), [true]);
        assert_eq!(told.try_iter().collect::<Vec<_>>(), [false]);
    }

    #[test]
    fn time_and_memory_are_limits() {
        assert_eq!(Budget::new(Duration::ZERO, u64::MAX).stop(), Some(Stop::Timeout));
        assert_eq!(Budget::new(Duration::from_secs(3600), 1).stop(), Some(Stop::OutOfMemory));
        assert_eq!(Budget::unlimited().stop(), None);
    }
}
