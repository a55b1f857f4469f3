//! The names of the functions of the C library, libm and POSIX as glibc has them, by header.
//!
//! A function with such a name that has neither a model nor a definition in the program means more than "any value, no effect".

use rustc_hash::FxHashSet;
use std::sync::LazyLock;

const TABLE: &str = include_str!("library_names.txt");

/// What macros of the headers call.
const INTERNAL: [&str; 12] = [
    "_IO_getc",
    "_IO_putc",
    "_IO_sprintf",
    "__xpg_basename",
    "__cxa_atexit",
    "__cxa_thread_atexit_impl",
    "bsd_signal",
    "__sigsetjmp",
    "__sigsetjmp_cancel",
    "__pthread_register_cancel",
    "__pthread_unregister_cancel",
    "__pthread_unwind_next",
];

/// Each header with its functions.
pub fn by_header() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let starts = TABLE.split("\n").enumerate().filter(|(_, line)| line.ends_with(':')).map(|(i, _)| i);
    let starts: Vec<usize> = starts.collect();
    let lines: Vec<&str> = TABLE.split("\n").collect();
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([lines.len()]).collect();
    starts.into_iter().zip(ends).map(move |(start, end)| {
        let names = lines[start + 1..end].iter().flat_map(|line| line.split_whitespace());
        (lines[start].trim_end_matches(':'), names.collect())
    })
}

pub fn is_library(name: &str) -> bool {
    static NAMES: LazyLock<FxHashSet<&str>> = LazyLock::new(|| by_header().flat_map(|(_, names)| names).collect());
    // What headers make of names for a standard or a long double.
    let name =
        ["__isoc99_", "__isoc23_", "__nldbl_"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    // What fortified headers and the library itself call a function.
    let plain = name.strip_prefix("__").map(|name| name.strip_suffix("_chk").unwrap_or(name));
    NAMES.contains(name) || INTERNAL.contains(&name) || plain.is_some_and(|name| NAMES.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_whole() {
        for name in ["fork", "pthread_getschedparam", "__isoc99_sscanf", "frexp", "__sigsetjmp"] {
            assert!(is_library(name), "{name}");
        }
        for name in ["for", "pthread_settings_count", "reach_error", "string.h:"] {
            assert!(!is_library(name), "{name}");
        }
        assert!(by_header().all(|(header, names)| header.ends_with(".h") && !names.is_empty()));
    }
}
