//! Limits on CPU time and memory, and interruption.
//!
//! Engines poll [`Limits::reason_to_stop`] and come back with `unknown` in order. A watchdog thread looks as well: if the run does not
//! end within a grace period after a limit was hit (a phase that does not poll), or takes ever more memory, it gives the verdict itself
//! and ends the process. So no run ends without a verdict.

use crate::resources::{address_space_limit, cpu_limit, cpu_time, memory, memory_limit};
use crate::{UNKNOWN, speak};
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

const PERIOD: Duration = Duration::from_millis(10);
const GRACE: Duration = Duration::from_millis(400);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Stop {
    Timeout = 1,
    OutOfMemory = 2,
    Interrupted = 3,
}

impl Stop {
    pub fn code(self) -> &'static str {
        match self {
            Stop::Timeout => "timeout",
            Stop::OutOfMemory => "out-of-memory",
            Stop::Interrupted => "interrupted",
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            Stop::Timeout => "the limit on CPU time is reached",
            Stop::OutOfMemory => "the limit on memory is reached",
            Stop::Interrupted => "interrupted by a signal",
        }
    }

    fn from_u8(value: u8) -> Option<Stop> {
        [Stop::Timeout, Stop::OutOfMemory, Stop::Interrupted].into_iter().find(|s| *s as u8 == value)
    }
}

/// The limits of this run; shared with the watchdog.
#[derive(Clone)]
pub struct Limits {
    state: Arc<AtomicU8>,
    /// What the watchdog saw last, in bytes.
    resident: Arc<AtomicU64>,
    pub timeout: Duration,
    /// In bytes.
    pub memory: u64,
}

impl Limits {
    /// Starts watching. `give_verdict` is called when the run does not end by itself; it returns the exit status.
    pub fn start(timeout: Duration, memory: u64, give_verdict: impl Fn(Stop) -> u8 + Send + 'static) -> Limits {
        let timeout = timeout.min(cpu_limit().unwrap_or(timeout));
        let memory = memory.min(memory_limit().unwrap_or(memory));
        let limits = Limits { state: Arc::default(), resident: Arc::default(), timeout, memory };
        let on_signal = limits.state.clone();
        // Failing to install the handler only means that Ctrl-C ends the process in the system's way.
        let _ = ctrlc::set_handler(move || on_signal.store(Stop::Interrupted as u8, Ordering::Relaxed));
        let watched = limits.clone();
        let watch = move || watched.watch(&give_verdict);
        // Without a watchdog thread engines would never be told to stop.
        Builder::new().name("watchdog".into()).spawn(watch).expect("a thread can be started");
        limits
    }

    pub fn reason_to_stop(&self) -> Option<Stop> {
        Stop::from_u8(self.state.load(Ordering::Relaxed))
    }

    /// Is more than half of the memory in use?
    pub fn is_half_full(&self) -> bool {
        self.resident.load(Ordering::Relaxed) > self.memory / 2
    }

    fn watch(&self, give_verdict: &dyn Fn(Stop) -> u8) {
        // Some address space is left for what is needed to end in order.
        let address_space = address_space_limit().map_or(u64::MAX, |bytes| bytes / 16 * 15);
        loop {
            sleep(PERIOD);
            let used = memory();
            self.resident.store(used.resident, Ordering::Relaxed);
            let reached = if cpu_time() >= self.timeout {
                Some(Stop::Timeout)
            } else if used.resident >= self.memory || used.address_space >= address_space {
                Some(Stop::OutOfMemory)
            } else {
                None
            };
            if let Some(stop) = reached {
                // What came first is the reason.
                let _ = self.state.compare_exchange(0, stop as u8, Ordering::Relaxed, Ordering::Relaxed);
            }
            if let Some(stop) = self.reason_to_stop() {
                self.grant_grace();
                end(stop, give_verdict);
            }
        }
    }

    /// Gives the run time to end by itself; less if it keeps taking memory.
    fn grant_grace(&self) {
        let since = Instant::now();
        while since.elapsed() < GRACE && memory().resident < self.memory.saturating_add(self.memory / 10) {
            sleep(PERIOD);
        }
    }
}

/// Ends the process, if the run is not about to do it.
fn end(stop: Stop, give_verdict: &dyn Fn(Stop) -> u8) {
    // Nothing is dropped at `exit`.
    raddle_smt::smtlib::kill_all();
    if speak::take_the_floor() {
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
