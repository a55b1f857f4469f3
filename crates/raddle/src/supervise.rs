//! A verdict even when memory cannot be allocated.
//!
//! Rust ends the process at once when the system refuses memory; no code runs after that. It happens only where address space is
//! limited (`ulimit -v`), so there, and only there, the work is done in a child process, and this one gives the verdict if the child
//! could not.

use crate::resources::allocation_can_fail;
use crate::{INTERNAL_ERROR, console};
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use raddle_budget::Stop;
use std::os::unix::process::{ExitStatusExt, parent_id};
use std::process::Command;

/// Marks the child, with the number of its parent.
const VARIABLE: &str = "RADDLE_SUPERVISED";

/// Runs the same command line in a child if that is of use, and returns its exit status. `None`: the caller is to do the work.
pub fn run_in_child(give_verdict: impl Fn(Stop) -> u8) -> Option<u8> {
    if let Ok(parent) = std::env::var(VARIABLE) {
        // If the parent is killed, nobody waits for the result.
        let _ = set_pdeathsig(Signal::SIGKILL);
        if parent_id().to_string() != parent {
            return Some(INTERNAL_ERROR);
        }
        return None;
    }
    if !allocation_can_fail() {
        return None;
    }
    let program = std::env::current_exe().ok()?;
    let mut child = Command::new(program)
        .args(std::env::args_os().skip(1))
        .env(VARIABLE, std::process::id().to_string())
        .spawn()
        .ok()?;
    let pid = Pid::from_raw(child.id().try_into().ok()?);
    // The child ends in order, and this process after it.
    let _ = ctrlc::set_handler(move || {
        let _ = kill(pid, Signal::SIGTERM);
    });
    let status = child.wait().ok()?;
    if let Some(code) = status.code() {
        return Some(code.try_into().unwrap_or(INTERNAL_ERROR));
    }
    console::wait_for_the_floor();
    let stop = match status.signal().and_then(|s| Signal::try_from(s).ok()) {
        Some(Signal::SIGXCPU) => Stop::Timeout,
        Some(Signal::SIGINT | Signal::SIGTERM) => Stop::Interrupted,
        // `abort`, after a refused allocation; or killed by the system, which is short of memory.
        _ => Stop::OutOfMemory,
    };
    Some(give_verdict(stop))
}
