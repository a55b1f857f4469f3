//! The line that says what is going on, on a terminal, while it is going on.

use crate::log::words;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use raddle_engine::Budget;
use raddle_portfolio::News;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

pub struct Progress {
    bar: ProgressBar,
    /// What runs, and how far it is.
    running: RefCell<BTreeMap<String, String>>,
    timeout: Duration,
}

impl Progress {
    /// Where nobody looks, nothing is drawn.
    pub fn new(quiet: bool, budget: &Budget) -> Progress {
        let is_seen = !quiet && std::io::IsTerminal::is_terminal(&std::io::stderr());
        let target = if is_seen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
        let bar = ProgressBar::with_draw_target(None, target);
        // The template is a constant; a default takes its place if it were wrong.
        let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        Progress { bar, running: RefCell::default(), timeout: budget.timeout() }
    }

    pub fn news(&self, news: &News) {
        if self.bar.is_hidden() {
            return;
        }
        let mut running = self.running.borrow_mut();
        match news {
            News::Passed { .. } => {}
            News::Runs { step, slice, .. } => {
                let slice = slice.map_or(String::new(), |slice| format!(" [{:.1} s]", slice.as_secs_f64()));
                running.insert((*step).into(), slice);
            }
            News::Progress { step, event } => {
                if let Some(text) = running.get_mut(*step) {
                    *text = format!(" ({})", words(event));
                }
            }
            News::Waits { step, .. } | News::Ended { step, .. } => {
                running.remove(*step);
            }
        }
        let left = self.timeout.saturating_sub(raddle_budget::process_time()).as_secs();
        let steps: Vec<String> = running.iter().map(|(step, text)| format!("{step}{text}")).collect();
        self.bar.set_message(format!("{}; {left} s left", steps.join(", ")));
        self.bar.tick();
    }

    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
