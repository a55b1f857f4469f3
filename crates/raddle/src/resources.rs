//! How much of the machine's time and memory the system lets this process use.

use raddle_budget::memory::{address_space_limit, inherited_limit};
use std::fs::read_to_string;
use std::path::Path;
use std::time::Duration;

/// `ulimit -t`, less half a second: there the system would end the process.
pub fn cpu_limit() -> Option<Duration> {
    inherited_limit("Max cpu time").map(|s| Duration::from_secs(s).saturating_sub(Duration::from_millis(500)))
}

/// How much resident memory there can be: less than the address space, since that is also used up by what is reserved only, and
/// less than what the machine or the control group has.
pub fn memory_limit() -> Option<u64> {
    let address_space = address_space_limit().map(|bytes| bytes.saturating_sub(2 << 30).max(bytes / 2));
    let physical = read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find(|l| l.starts_with("MemTotal:"))?;
        Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()?.saturating_mul(1024))
    });
    let machine = physical.into_iter().chain(control_group_limit()).min().map(|bytes| bytes / 10 * 9);
    address_space.into_iter().chain(machine).min()
}

/// The least limit of the control groups that this process is in (version 2, or the memory controller of version 1).
fn control_group_limit() -> Option<u64> {
    let groups = read_to_string("/proc/self/cgroup").ok()?;
    let limits = groups.lines().flat_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next().unwrap_or(""), fields.next().unwrap_or("/"));
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            _ if controllers.split(',').any(|c| c == "memory") => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => return Vec::new(),
        };
        // In a container the path may be that outside, so that only the root is there.
        let read = |group: &Path| {
            let directory = Path::new(root).join(group.strip_prefix("/").unwrap_or(group));
            read_to_string(directory.join(file)).ok()?.trim().parse().ok()
        };
        Path::new(path).ancestors().filter_map(read).collect::<Vec<u64>>()
    });
    limits.min()
}

/// Whether asking for memory can fail: otherwise the system gives address space freely, and memory is used up bit by bit.
pub fn allocation_can_fail() -> bool {
    let strict = || read_to_string("/proc/sys/vm/overcommit_memory").is_ok_and(|mode| mode.trim() == "2");
    address_space_limit().is_some() || strict()
}
