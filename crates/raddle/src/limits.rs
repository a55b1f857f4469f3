//! Limits on CPU time and memory, and interruption.
//!
//! Engines ask their budget and come back with `unknown` in order. A watchdog thread looks as well: if the run does not
//! end within a grace period after a limit was hit (a phase that does not poll), or takes ever more memory, it gives the verdict itself
//! and ends the process. So no run ends without a verdict.

use crate::resources::{cpu_limit, memory_limit};
use crate::{UNKNOWN, console};
use raddle_budget::memory::{address_space_limit, memory};
pub use raddle_budget::quantities::parse_time;
use raddle_budget::{Budget, Stop, process_time, quantities};
use std::process::exit;
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

const PERIOD: Duration = Duration::from_millis(10);
/// Memory can be used up within a period: from this share of it on, it is looked at more often.
const SCARCE: f64 = 0.75;
const SHORT_PERIOD: Duration = Duration::from_millis(1);
const LONG_PERIOD: Duration = Duration::from_millis(40);
const GRACE: Duration = Duration::from_millis(400);

/// Starts a run with so much CPU time and memory, and watches it. `give_verdict` is called when the run does not end by itself; it returns the exit status.
pub fn start(timeout: Duration, memory: u64, give_verdict: impl Fn(Stop) -> u8 + Send + 'static) -> Budget {
    let timeout = timeout.min(cpu_limit().unwrap_or(timeout));
    let memory = memory.min(memory_limit().unwrap_or(memory));
    let budget = Budget::new(timeout, memory);
    let on_signal = budget.clone();
    // Failing to install the handler only means that Ctrl-C ends the process in the system's way.
    let _ = ctrlc::set_handler(move || {
        on_signal.end(Stop::Interrupted);
    });
    let watched = budget.clone();
    let watch = move || watch(&watched, &give_verdict);
    // Without a watchdog thread a phase that does not ask would never end.
    Builder::new().name("watchdog".into()).spawn(watch).expect("a thread can be started");
    budget
}

fn watch(budget: &Budget, give_verdict: &dyn Fn(Stop) -> u8) {
    // Some address space is left for what is needed to end in order.
    let address_space = address_space_limit().map_or(u64::MAX, |bytes| bytes / 16 * 15);
    let (mut period, mut before) = (PERIOD, process_time());
    loop {
        sleep(period);
        let (used, now) = (memory(), process_time());
        let is_scarce = used.resident as f64 >= budget.memory() as f64 * SCARCE;
        // A process that waits for its workers takes no memory.
        let is_waiting = now.saturating_sub(before) < PERIOD / 2;
        before = now;
        period = match (is_scarce, is_waiting) {
            (true, _) => SHORT_PERIOD,
            (false, false) => PERIOD,
            (false, true) => LONG_PERIOD,
        };
        if used.address_space >= address_space {
            budget.end(Stop::OutOfMemory);
        }
        if let Some(stop) = budget.stop() {
            grant_grace(budget);
            end(stop, give_verdict);
        }
    }
}

/// Gives the run time to end by itself; less if it keeps taking memory.
fn grant_grace(budget: &Budget) {
    let since = Instant::now();
    let most = budget.memory().saturating_add(budget.memory() / 50);
    while since.elapsed() < GRACE && memory().resident < most {
        sleep(SHORT_PERIOD);
    }
}

/// Ends the process, if the run is not about to do it.
fn end(stop: Stop, give_verdict: &dyn Fn(Stop) -> u8) {
    if console::take_the_floor() {
        // The run may hold the lock of standard output for ever (nobody reads, and the pipe is full).
        let impatient = || {
            sleep(GRACE);
            exit(UNKNOWN.into());
        };
        let _ = Builder::new().spawn(impatient);
        exit(give_verdict(stop).into());
    }
    if stop == Stop::Interrupted {
        // The run is saying its last words, but nobody listens.
        exit(UNKNOWN.into());
    }
}

/// Less than this would not even hold the program itself.
const LEAST_MEMORY: u64 = 16_000_000;

/// `15GB`, `512MB`, `2GiB`, or bytes; enough of them.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let bytes = quantities::parse_size(text)?;
    if bytes < LEAST_MEMORY {
        let has_unit = text.ends_with(|c: char| c.is_ascii_alphabetic());
        let unit = if has_unit { "" } else { " (without a unit, bytes are meant)" };
        return Err(format!("`{text}` is too little: 16MB is the least{unit}"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_large_enough() {
        assert_eq!(parse_size("15GB"), Ok(15_000_000_000));
        assert_eq!(parse_size("2GiB"), Ok(2 << 30));
        assert!(parse_size("15").is_err_and(|message| message.ends_with("(without a unit, bytes are meant)")));
        assert!(parse_size("1kB").is_err_and(|message| message.ends_with("16MB is the least")));
        assert!(parse_size("-1GB").is_err());
    }
}
