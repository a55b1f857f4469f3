//! Limits on CPU time and memory, and interruption.
//!
//! Engines poll [`Limits::reason_to_stop`] and come back with `unknown` in order. A watchdog thread looks as well: if the run does not end within a
//! grace period after a limit was hit (a phase that does not poll), it prints the verdict line itself and ends the process. So no run ends without a
//! verdict.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

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

    fn from_u8(value: u8) -> Option<Stop> {
        [Stop::Timeout, Stop::OutOfMemory, Stop::Interrupted].into_iter().find(|s| *s as u8 == value)
    }
}

/// The limits of this run; shared with the watchdog.
#[derive(Clone)]
pub struct Limits {
    state: Arc<AtomicU8>,
    /// In bytes.
    pub memory: u64,
}

impl Limits {
    /// Starts watching. `too_late` runs when the run does not end by itself, and ends the process.
    pub fn start(timeout: Duration, memory: u64, too_late: impl Fn(Stop) + Send + 'static) -> Limits {
        let timeout = timeout.min(inherited_cpu_limit().unwrap_or(timeout));
        let memory = memory.min(inherited_memory_limit().unwrap_or(memory));
        let state = Arc::new(AtomicU8::new(0));
        let limits = Limits { state: state.clone(), memory };
        let on_signal = state.clone();
        // Failing to install the handler only means that Ctrl-C ends the process in the system's way.
        let _ = ctrlc::set_handler(move || on_signal.store(Stop::Interrupted as u8, Ordering::Relaxed));
        let watch = move || {
            loop {
                std::thread::sleep(PERIOD);
                if state.load(Ordering::Relaxed) == 0 {
                    if cpu_time() >= timeout {
                        state.store(Stop::Timeout as u8, Ordering::Relaxed);
                    } else if resident_memory() >= memory {
                        state.store(Stop::OutOfMemory as u8, Ordering::Relaxed);
                    }
                }
                if let Some(stop) = Stop::from_u8(state.load(Ordering::Relaxed)) {
                    std::thread::sleep(GRACE);
                    too_late(stop);
                }
            }
        };
        // Without a watchdog thread engines would never be told to stop.
        std::thread::Builder::new().name("watchdog".into()).spawn(watch).expect("a thread can be started");
        limits
    }

    pub fn reason_to_stop(&self) -> Option<Stop> {
        Stop::from_u8(self.state.load(Ordering::Relaxed))
    }
}

/// CPU time of the whole process so far.
pub fn cpu_time() -> Duration {
    nix::time::clock_gettime(nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID).map(Duration::from).unwrap_or_default()
}

fn resident_memory() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages: Option<u64> = pages.and_then(|s| s.split_whitespace().nth(1)?.parse().ok());
    pages.unwrap_or(0) * 4096
}

/// A soft limit of the process, as `/proc/self/limits` shows it.
fn inherited_limit(name: &str) -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find(|l| l.starts_with(name))?;
    line[name.len()..].split_whitespace().next()?.parse().ok()
}

/// Half a second before the system would end the process.
fn inherited_cpu_limit() -> Option<Duration> {
    inherited_limit("Max cpu time").map(|s| Duration::from_secs(s).saturating_sub(Duration::from_millis(500)))
}

/// Less than the address space, since that is also used up by what is reserved only.
fn inherited_memory_limit() -> Option<u64> {
    let address_space = inherited_limit("Max address space").map(|bytes| bytes.saturating_sub(2 << 30).max(bytes / 2));
    let physical = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find(|l| l.starts_with("MemTotal:"))?;
        let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kilobytes * 1024 / 10 * 9)
    });
    address_space.into_iter().chain(physical).min()
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
    Ok(Duration::from_secs_f64(seconds))
}

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
    Ok((number * factor) as u64)
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
        assert!(parse_time("3 fortnights").is_err());
        assert_eq!(parse_size("15GB"), Ok(15_000_000_000));
        assert_eq!(parse_size("2GiB"), Ok(2 << 30));
        assert!(parse_size("-1GB").is_err());
    }
}
