//! Limits on CPU time and memory, and interruption.
//!
//! Engines ask their budget and come back with `unknown` in order. A watchdog thread looks as well: if the run does not
//! end within a grace period after a limit was hit (a phase that does not poll), or takes ever more memory, it gives the verdict itself
//! and ends the process. So no run ends without a verdict.

use crate::resources::{cpu_limit, memory_limit};
use crate::{UNKNOWN, console};
use raddle_budget::memory::{address_space_limit, memory};
use raddle_budget::{Budget, Stop};
use std::process::exit;
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

const PERIOD: Duration = Duration::from_millis(10);
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
    loop {
        sleep(PERIOD);
        if memory().address_space >= address_space {
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
    let most = budget.memory().saturating_add(budget.memory() / 10);
    while since.elapsed() < GRACE && memory().resident < most {
        sleep(PERIOD);
    }
}

/// Ends the process, if the run is not about to do it.
fn end(stop: Stop, give_verdict: &dyn Fn(Stop) -> u8) {
    // Nothing is dropped at `exit`.
    raddle_smt::smtlib::kill_all();
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

/// `900s`, `15min`, `1h`, `250ms`, or seconds.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text)?;
    let seconds = match unit.as_str() {
        "" | "s" => number,
        "ms" => number / 1000.0,
        "min" | "m" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("`{text}` is no time: write 900s, 15min or 1h")),
    };
    if seconds <= 0.0 {
        return Err(format!("`{text}` is no time at all: write 900s, 15min or 1h"));
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// Less than this would not even hold the program itself.
const LEAST_MEMORY: u64 = 16_000_000;

/// `15GB`, `512MB`, `2GiB`, or bytes.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let (number, unit) = split_unit(text)?;
    let factor = match unit.as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(format!("`{text}` is no size: write 15GB or 512MB")),
    };
    let bytes = (number * factor) as u64;
    if bytes < LEAST_MEMORY {
        let unit = if unit.is_empty() { " (without a unit, bytes are meant)" } else { "" };
        return Err(format!("`{text}` is too little: 16MB is the least{unit}"));
    }
    Ok(bytes)
}

fn split_unit(text: &str) -> Result<(f64, String), String> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..split].parse().map_err(|_| format!("`{text}` does not begin with a number"))?;
    Ok((number.min(1e15), text[split..].trim().to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes() {
        assert_eq!(parse_time("900s"), Ok(Duration::from_secs(900)));
        assert_eq!(parse_time("1.5min"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_time("20"), Ok(Duration::from_secs(20)));
        assert!(parse_time("soon").is_err());
        assert!(parse_time("0s").is_err());
        assert!(parse_time("3 fortnights").is_err());
        assert_eq!(parse_size("15GB"), Ok(15_000_000_000));
        assert_eq!(parse_size("2GiB"), Ok(2 << 30));
        assert!(parse_size("15").is_err());
        assert!(parse_size("-1GB").is_err());
    }
}
