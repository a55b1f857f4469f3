//! When the native solver stops: at an interrupt from another thread, or when its time is over.

use crate::solver::{Interrupt, Why};
use cadical_sys::{CaDiCal, Terminator};
use raddle_budget::thread_time;
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

/// Clones share their state.
#[derive(Clone, Default)]
pub(crate) struct Limits {
    pub(crate) interrupt: Interrupt,
    deadline: Rc<Cell<Option<Duration>>>,
    /// Counts the questions: the clock and the budget are looked at every now and then only.
    asked: u32,
}

impl Limits {
    pub(crate) fn new(interrupt: Interrupt) -> Limits {
        Limits { interrupt, ..Limits::default() }
    }

    /// Starts to count the time of this thread.
    pub(crate) fn start(&self, time: Option<Duration>) {
        self.deadline.set(time.map(|time| thread_time() + time));
    }

    /// What is left of the time, if it is limited.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.deadline.get().map(|deadline| deadline.saturating_sub(thread_time()))
    }

    /// Why to stop, if so.
    pub(crate) fn why(&self) -> Option<Why> {
        match () {
            () if self.interrupt.is_stopped() => Some(Why::Interrupted),
            () if self.time_left() == Some(Duration::ZERO) => Some(Why::Time),
            () => None,
        }
    }

    pub(crate) fn check(&self) -> Result<(), Why> {
        self.why().map_or(Ok(()), Err)
    }

    /// A SAT solver that stops when it should.
    pub(crate) fn sat_solver(&self) -> CaDiCal {
        let mut sat = CaDiCal::new();
        // By default it asks only every tenth time, and not at all while it looks for equal gates, of which the circuit has few: both can
        // be 60 ms late (`cargo bench -p raddle-smt -- interrupts`).
        sat.set("terminateint", 1);
        sat.set("congruence", 0);
        sat.connect_terminator(self.clone());
        sat
    }
}

/// CaDiCaL asks every now and then.
impl Terminator for Limits {
    fn terminated(&mut self) -> bool {
        self.asked = self.asked.wrapping_add(1);
        self.interrupt.was_told() || (self.asked.is_multiple_of(8) && self.why().is_some())
    }
}
