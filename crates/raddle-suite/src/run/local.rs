//! An experiment on this machine: workers take runs in the order of tasks, and one thread writes their results as they come.
//!
//! All configurations of a task follow each other, so that noise on the machine hits them alike.

use super::progress::Progress;
use super::watch::{Limits, Slot, watch};
use super::{Configuration, Experiment, child};
use crate::error::Result;
use crate::record::Record;
use crate::tasks::Task;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Done,
    /// By a signal, to the suite or to a run.
    Interrupted,
}

/// Adds to `records` what is missing. Each record is handed to `write` first; when that fails, all runs end.
pub fn run(
    experiment: &Experiment,
    jobs: usize,
    records: &mut Vec<Record>,
    mut write: impl FnMut(&Record) -> Result<()>,
) -> Result<End> {
    let missing = missing_runs(experiment, records);
    let stop = stop_on_signals();
    let slots: Vec<Slot> = (0..jobs.clamp(1, missing.len().max(1))).map(|_| Slot::default()).collect();
    let limits = Limits::around(experiment.header.timeout, experiment.header.memory);
    let (next, finished) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (stop, missing, next, finished) = (&*stop, &missing, &next, &finished);
    let mut progress = Progress::new(experiment.runs(), records);
    let (sender, receiver) = mpsc::channel();
    let end = std::thread::scope(|scope| {
        let slots = &slots;
        let watcher = scope.spawn(move || watch(slots, limits, stop, finished));
        for slot in slots {
            let sender = sender.clone();
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed)
                    && let Some((task, configuration)) = missing.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    if sender.send(child::run(experiment, task, configuration, slot)).is_err() {
                        return;
                    }
                }
            });
        }
        // The loop ends when the last worker has dropped its sender.
        drop(sender);
        let mut end = Ok(End::Done);
        for result in receiver {
            let recorded = result.and_then(|record| match record {
                Some(record) => write(&record).map(|()| Some(record)),
                None => Ok(None),
            });
            match recorded {
                Ok(Some(record)) => {
                    progress.add(&record);
                    records.push(record);
                }
                Ok(None) => end = end.and(Ok(End::Interrupted)),
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    // The first failure is the cause of all others.
                    end = end.and(Err(error));
                }
            }
        }
        finished.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        end
    });
    progress.finish();
    match end {
        Ok(_) if records.len() < experiment.runs() => Ok(End::Interrupted),
        other => other,
    }
}

fn missing_runs<'a>(experiment: &'a Experiment, records: &[Record]) -> Vec<(&'a Task, &'a Configuration)> {
    let done: HashSet<_> = records.iter().map(|r| (&*r.task, &*r.property, &*r.configuration)).collect();
    let all = experiment.tasks.iter().flat_map(|task| experiment.configurations.iter().map(move |c| (task, c)));
    all.filter(|(task, c)| !done.contains(&(&*task.name, &*task.property, &*c.name))).collect()
}

/// Set by Ctrl-C, or when somebody else asks the process to end.
pub fn stop_on_signals() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = stop.clone();
    // Without the handler a signal ends the process in the system's way.
    let _ = ctrlc::set_handler(move || set.store(true, Ordering::Relaxed));
    stop
}
