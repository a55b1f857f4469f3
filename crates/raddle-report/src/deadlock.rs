//! How a deadlock is told: at the end of the story each thread that is left says what it waits for, and who has it.
//!
//! The pass `deadlocks` (raddle-passes) lets threads stop, and confirm that they wait when all have stopped. Where they stop is not told: others still went on then. When
//! they confirm, nothing changes any more.

use crate::names::Names;
use raddle_interp::execution::{Cell, Event, EventId, Execution, What};
use raddle_ir::deadlock_names::{CONFIRMED, JOINED, STOPPED, WAITS_IN};
use raddle_ir::{LockOp, Program, VarId, Violation};
use rustc_hash::{FxHashMap, FxHashSet};

/// A deadlock at the end of an execution.
#[derive(Default)]
pub struct Deadlock {
    /// Steps of the schedule in which threads stop.
    stops: FxHashSet<u32>,
    /// Steps of the schedule in which they confirm, in their order.
    pub waits: Vec<Wait>,
    /// What holds a lock at the end, since which event.
    holders: FxHashMap<Cell, Vec<(u32, EventId)>>,
}

/// A thread waits for ever.
pub struct Wait {
    /// Of the schedule.
    step: u32,
    pub thread: u32,
    pub event: EventId,
    what: For,
}

enum For {
    Lock(Cell),
    Thread(u128),
    /// In a function of the library, with what it looks at.
    Function(String, Option<Cell>),
}

/// How an event is told.
pub enum Told<'a> {
    AsItIs,
    NotAtAll,
    As(&'a Wait),
}

impl Deadlock {
    pub fn of(program: &Program, execution: &Execution) -> Deadlock {
        let mut deadlock = Deadlock::default();
        if !matches!(execution.events.last().map(|event| &event.what), Some(What::Error(Violation::Deadlock))) {
            return deadlock;
        }
        let is_set = |event: &Event, name: &str| match event.what {
            What::Read { cell: Cell::Global(var), .. } => program.var(var).name == name,
            _ => false,
        };
        let steps_with = |name: &str| -> FxHashSet<u32> {
            execution.events.iter().filter(|event| is_set(event, name)).map(|event| event.step).collect()
        };
        let confirmations = steps_with(CONFIRMED);
        deadlock.stops = steps_with(STOPPED).difference(&confirmations).copied().collect();
        for (at, event) in execution.events.iter().enumerate() {
            match confirmations.contains(&event.step) {
                true => deadlock.confirms(program, at as EventId, event),
                false => deadlock.lock(at as EventId, event),
            }
        }
        deadlock
    }

    /// Keeps who holds a lock.
    fn lock(&mut self, at: EventId, event: &Event) {
        let What::Lock { op, lock, result } = event.what else { return };
        if result.is_some_and(|result| result != 0) {
            return;
        }
        let holders = self.holders.entry(lock).or_default();
        match op {
            LockOp::Init(_) => holders.clear(),
            LockOp::Destroy => {}
            LockOp::Release => {
                if let Some(last) = holders.iter().rposition(|(thread, _)| *thread == event.thread) {
                    holders.remove(last);
                }
            }
            _ => holders.push((event.thread, at)),
        }
    }

    /// What a thread looks at when it confirms.
    fn confirms(&mut self, program: &Program, at: EventId, event: &Event) {
        if self.waits.last().is_none_or(|wait| wait.step != event.step) {
            let what = For::Function(String::new(), None);
            self.waits.push(Wait { step: event.step, thread: event.thread, event: at, what });
        }
        let Some(wait) = self.waits.last_mut() else { return };
        let name = |var: VarId| program.var(var).name.as_str();
        match (&event.what, &mut wait.what) {
            (What::Lock { lock, .. }, what) => *what = For::Lock(*lock),
            (What::Assign { var, value: Some(handle) }, what) if name(*var) == JOINED => *what = For::Thread(*handle),
            (What::Assign { var, .. }, For::Function(function, _)) => {
                if let Some(waits_in) = name(*var).strip_prefix(WAITS_IN) {
                    *function = waits_in.to_owned();
                }
            }
            (What::Read { cell: cell @ Cell::Bytes { .. }, .. }, For::Function(_, looks_at)) => {
                looks_at.get_or_insert(*cell);
            }
            (What::Read { cell: cell @ Cell::Global(var), .. }, For::Function(_, looks_at))
                if !program.var(*var).is_bookkeeping() =>
            {
                looks_at.get_or_insert(*cell);
            }
            _ => {}
        }
    }

    pub fn told(&self, program: &Program, id: EventId, event: &Event) -> Told<'_> {
        let is_bookkeeping = match event.what {
            What::Assign { var, .. } | What::Read { cell: Cell::Global(var), .. } => program.var(var).is_bookkeeping(),
            What::Write { cell: Cell::Global(var), .. } => program.var(var).is_bookkeeping(),
            _ => false,
        };
        match self.waits.iter().find(|wait| wait.step == event.step) {
            Some(wait) if wait.event == id => Told::As(wait),
            Some(_) => Told::NotAtAll,
            None if is_bookkeeping || self.stops.contains(&event.step) => Told::NotAtAll,
            None => Told::AsItIs,
        }
    }

    /// The acquisitions of locks that somebody waits for.
    pub fn acquisitions(&self) -> impl Iterator<Item = EventId> {
        let locks = self.waits.iter().filter_map(|wait| match wait.what {
            For::Lock(lock) => self.holders.get(&lock),
            _ => None,
        });
        locks.flatten().map(|(_, since)| *since)
    }

    /// What a thread waits for.
    pub fn words(&self, wait: &Wait, names: &Names, execution: &Execution) -> String {
        match &wait.what {
            For::Lock(lock) => {
                let holders = self.holders.get(lock).map_or(&[][..], Vec::as_slice);
                let holders: Vec<String> = holders
                    .iter()
                    .map(|(thread, since)| self.holder(wait, *thread, &execution.events[*since as usize]))
                    .collect();
                let held = if holders.is_empty() { "" } else { ", held by " };
                format!("waits for {}{held}{}", names.lock(*lock), holders.join(" and "))
            }
            For::Thread(thread) => format!("waits for thread {thread} to end"),
            For::Function(function, looks_at) => {
                let whole = |cell: Cell| match cell {
                    // The round of a barrier is its third word.
                    Cell::Bytes { object, offset, size } if function == "pthread_barrier_wait" => {
                        Cell::Bytes { object, offset: offset.saturating_sub(8), size }
                    }
                    cell => cell,
                };
                let name = looks_at.map(|cell| format!(" {}", names.lock(whole(cell)))).unwrap_or_default();
                match function.as_str() {
                    "__raddle_wait_for_signal" => format!("waits for a signal{}", name.replacen(' ', " of ", 1)),
                    "sem_wait" => format!("waits for the semaphore{name}"),
                    "pthread_barrier_wait" => format!("waits at the barrier{name}"),
                    "pthread_once" => format!("waits until another thread has done{name}"),
                    _ => "waits for a condition".into(),
                }
            }
        }
    }

    fn holder(&self, wait: &Wait, thread: u32, since: &Event) -> String {
        let line = since.span.line;
        match self.waits.iter().any(|other| other.thread == thread) {
            _ if thread == wait.thread => format!("itself since line {line}"),
            true => format!("thread {thread} since line {line}"),
            false => format!("thread {thread}, which has ended, since line {line}"),
        }
    }

    /// Who waits for what, in one sentence.
    pub fn sentence(&self, names: &Names, execution: &Execution) -> String {
        let waits =
            self.waits.iter().map(|wait| format!("thread {} {}", wait.thread, self.words(wait, names, execution)));
        format!("deadlock: {}", waits.collect::<Vec<_>>().join("; "))
    }

    /// The wait that is shown first: not a join, if there is another.
    pub fn main_wait(&self) -> Option<&Wait> {
        self.waits.iter().find(|wait| !matches!(wait.what, For::Thread(_))).or_else(|| self.waits.last())
    }
}
