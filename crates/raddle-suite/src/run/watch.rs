//! Runs that do not keep to their limits, and runs that are interrupted.
//!
//! Raddle ends by itself at its limits. This is the outer limit, and generous: only a run that hangs, or whose helpers do, ever meets it.

use nix::sys::signal::{Signal, killpg};
use nix::unistd::{Pid, SysconfVar, sysconf};
use raddle_budget::quantities::show_seconds;
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const PERIOD: Duration = Duration::from_millis(100);
/// How long a run may take to end when it is asked to.
const GRACE: Duration = Duration::from_secs(2);

/// Why a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    Ended,
    Interrupted,
    Killed(String),
}

/// What one worker runs at the moment.
#[derive(Default, Debug)]
pub struct Slot(Mutex<Option<Running>>);

#[derive(Debug)]
struct Running {
    group: Pid,
    since: Instant,
    fate: Fate,
    /// Bytes of all its processes together, at the highest so far.
    memory: u64,
}

impl Slot {
    pub fn begin(&self, group: Pid, since: Instant) {
        *self.lock() = Some(Running { group, since, fate: Fate::Ended, memory: 0 });
    }

    /// Why the run ended, and how many bytes its processes were seen to have together. To be called before the remains of the process are collected: nobody sends
    /// signals to its group afterwards.
    pub fn end(&self) -> (Fate, u64) {
        self.lock().take().map_or((Fate::Ended, 0), |running| (running.fate, running.memory))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Running>> {
        // A panic cannot leave a slot half written.
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Limits on a run: on the process that was started and all below it.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    cpu: f64,
    wall: f64,
    memory: u64,
}

impl Limits {
    /// The outer limits of runs that have these limits themselves.
    pub fn around(timeout: f64, memory: u64) -> Limits {
        Limits { cpu: 1.5 * timeout + 15.0, wall: 6.0 * timeout + 60.0, memory: memory.saturating_add(memory / 2) }
    }

    fn exceeded(&self, wall: f64, usage: Usage) -> Option<String> {
        let what = if usage.cpu > self.cpu {
            format!("{} s of CPU time", show_seconds(usage.cpu))
        } else if wall > self.wall {
            format!("{} s of wall-clock time", show_seconds(wall))
        } else if usage.memory > self.memory {
            format!("{} bytes of memory", usage.memory)
        } else {
            return None;
        };
        Some(format!("killed by the suite: {what}"))
    }
}

/// Watches the slots until `finished`. Once `stop` is set, runs are asked to end, and soon after that they are killed.
pub fn watch(slots: &[Slot], limits: Limits, stop: &AtomicBool, finished: &AtomicBool) {
    let mut stopped: Option<Instant> = None;
    let mut round = 0_u32;
    while !finished.load(Ordering::Relaxed) {
        std::thread::park_timeout(PERIOD);
        round += 1;
        if stop.load(Ordering::Relaxed) {
            let since = *stopped.get_or_insert_with(Instant::now);
            interrupt(slots, since.elapsed() > GRACE);
        } else if round.is_multiple_of(5) {
            // Looking through all processes is not for free.
            enforce(slots, limits);
        }
    }
}

fn interrupt(slots: &[Slot], kill: bool) {
    for slot in slots {
        if let Some(running) = &mut *slot.lock() {
            let asked = running.fate == Fate::Interrupted;
            running.fate = Fate::Interrupted;
            if kill {
                let _ = killpg(running.group, Signal::SIGKILL);
            } else if !asked {
                let _ = killpg(running.group, Signal::SIGTERM);
            }
        }
    }
}

fn enforce(slots: &[Slot], limits: Limits) {
    let young = |slot: &Slot| slot.lock().as_ref().is_none_or(|r| r.since.elapsed() < 5 * PERIOD);
    if slots.iter().all(young) {
        return;
    }
    let roots = slots.iter().filter_map(|slot| slot.lock().as_ref().map(|running| running.group)).collect();
    let usage = usage_below(&roots);
    for slot in slots {
        if let Some(running) = &mut *slot.lock() {
            let used = usage.get(&running.group).copied().unwrap_or_default();
            running.memory = running.memory.max(used.memory);
            if let Some(reason) = limits.exceeded(running.since.elapsed().as_secs_f64(), used) {
                running.fate = Fate::Killed(reason);
                let _ = killpg(running.group, Signal::SIGKILL);
            }
        }
    }
}

/// Seconds and resident bytes.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
struct Usage {
    cpu: f64,
    memory: u64,
}

/// What a process and all below it use, for each of some processes, from `/proc`: the workers of a run have groups of their own. Those that ended count if their
/// parent has collected them.
fn usage_below(roots: &HashSet<Pid>) -> HashMap<Pid, Usage> {
    let constant = |variable, default: u64| {
        sysconf(variable).ok().flatten().and_then(|n| u64::try_from(n).ok()).unwrap_or(default).max(1)
    };
    let ticks = constant(SysconfVar::CLK_TCK, 100) as f64;
    let page = constant(SysconfVar::PAGE_SIZE, 4096);
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(|entry| {
        let pid = entry.file_name().to_string_lossy().parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        Some((Pid::from_raw(pid), parse_stat(&stat)?))
    });
    let processes: HashMap<Pid, Stat> = processes.collect();
    let mut below: HashMap<Pid, Usage> = HashMap::new();
    for (pid, stat) in &processes {
        // Numbers that are given out again while this looks may make a circle: no chain is longer than all processes.
        let chain = std::iter::successors(Some(*pid), |pid| processes.get(pid).map(|stat| stat.parent));
        if let Some(root) = chain.take(processes.len() + 1).find(|pid| roots.contains(pid)) {
            let usage = below.entry(root).or_default();
            usage.cpu += stat.ticks as f64 / ticks;
            usage.memory = usage.memory.saturating_add(stat.pages.saturating_mul(page));
        }
    }
    below
}

/// A line of `/proc/PID/stat`.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Stat {
    parent: Pid,
    /// CPU time, with that of collected children.
    ticks: u64,
    /// Resident.
    pages: u64,
}

fn parse_stat(stat: &str) -> Option<Stat> {
    // The name in parentheses may contain anything, also parentheses.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |i: usize| fields.get(i)?.parse::<u64>().ok();
    let ticks = number(11)? + number(12)? + number(13)? + number(14)?;
    Some(Stat { parent: Pid::from_raw(fields.get(1)?.parse().ok()?), ticks, pages: number(21)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::os::unix::process::CommandExt;
    use std::process::Stdio;

    #[test]
    fn stat_lines_with_any_name() {
        let stat = "7 (a) b (c) S 1 42 7 0 -1 0 0 0 0 0 10 20 3 4 20 0 1 0 100 5000 77 0";
        assert_eq!(parse_stat(stat), Some(Stat { parent: Pid::from_raw(1), ticks: 37, pages: 77 }));
        assert_eq!(parse_stat(""), None);
        assert_eq!(parse_stat("7 (x) S 1"), None);
    }

    #[test]
    fn processes_below_count() {
        let this = nix::unistd::getpid();
        let own = usage_below(&[this].into())[&this];
        assert!(own.memory > 0);
        let mut child = std::process::Command::new("sleep").arg("100").spawn().unwrap();
        let both = usage_below(&[this].into())[&this];
        let of_child = usage_below(&[Pid::from_raw(child.id().cast_signed())].into());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(of_child.len() == 1 && both.memory > 0, "{of_child:?}");
    }

    #[test]
    fn memory_is_that_of_all_processes() {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", "sleep 100 & sleep 100 & echo; wait"]).stdout(Stdio::piped()).process_group(0);
        let mut child = command.spawn().unwrap();
        // Both are there when the line is.
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        let group = Pid::from_raw(child.id().cast_signed());
        let slots = [Slot::default()];
        // Long enough ago to be looked at.
        slots[0].begin(group, Instant::now().checked_sub(10 * PERIOD).unwrap());
        enforce(&slots, Limits::around(60.0, u64::MAX));
        let stat = std::fs::read_to_string(format!("/proc/{group}/stat")).unwrap();
        killpg(group, Signal::SIGKILL).unwrap();
        child.wait().unwrap();
        let (fate, together) = slots[0].end();
        assert_eq!(fate, Fate::Ended);
        assert!(together > parse_stat(&stat).unwrap().pages * 4096, "{together} {stat}");
        assert_eq!(slots[0].end(), (Fate::Ended, 0));
    }

    #[test]
    fn limits_are_generous() {
        let limits = Limits::around(60.0, 1000);
        assert_eq!(limits.exceeded(100.0, Usage { cpu: 100.0, memory: 1100 }), None);
        for (wall, cpu, memory) in [(500.0, 1.0, 0), (1.0, 110.0, 0), (1.0, 1.0, 2000)] {
            assert!(limits.exceeded(wall, Usage { cpu, memory }).is_some());
        }
    }
}
