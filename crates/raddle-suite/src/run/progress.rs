//! How far a run is, on a terminal; and wrong answers as they come, anywhere.

use crate::record::Record;
use crate::{console, table};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

pub struct Progress {
    bar: ProgressBar,
    right: usize,
    wrong: usize,
    unknown: usize,
}

impl Progress {
    pub fn new(total: usize, so_far: &[Record]) -> Progress {
        let terminal = std::io::stderr().is_terminal();
        let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(total as u64), target);
        let style = "{bar:30} {pos}/{len}  {msg}  {elapsed}, {eta} to go";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        let mut progress = Progress { bar, right: 0, wrong: 0, unknown: 0 };
        so_far.iter().for_each(|record| progress.count(record));
        // What was done before says nothing about how fast it goes now.
        progress.bar.reset_eta();
        if terminal {
            progress.bar.enable_steady_tick(Duration::from_secs(1));
        }
        progress
    }

    pub fn add(&mut self, record: &Record) {
        if record.is_wrong() {
            self.bar.suspend(|| console::note(table::wrong_answer(record)));
        }
        self.count(record);
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn count(&mut self, record: &Record) {
        self.right += usize::from(record.is_right());
        self.wrong += usize::from(record.is_wrong());
        self.unknown += usize::from(!record.is_solved());
        self.bar.inc(1);
        self.bar.set_message(format!("{} right, {} wrong, {} unknown", self.right, self.wrong, self.unknown));
    }
}
