//! What this process has of the machine's memory.

use std::fs::read_to_string;

/// In bytes.
#[derive(Clone, Copy, Default, Debug)]
pub struct Memory {
    pub resident: u64,
    pub address_space: u64,
}

/// A soft limit of the process, as `/proc/self/limits` shows it.
pub fn inherited_limit(name: &str) -> Option<u64> {
    let limits = read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find(|l| l.starts_with(name))?;
    line[name.len()..].split_whitespace().next()?.parse().ok()
}

/// `ulimit -v`.
pub fn address_space_limit() -> Option<u64> {
    inherited_limit("Max address space")
}

pub fn memory() -> Memory {
    let pages = read_to_string("/proc/self/statm").unwrap_or_default();
    let mut pages = pages.split_whitespace().map_while(|n| n.parse::<u64>().ok().map(|n| n * 4096));
    Memory { address_space: pages.next().unwrap_or(0), resident: pages.next().unwrap_or(0) }
}
