//! The names of the functions of the C library, libm and POSIX as glibc has them, by header.
//!
//! A function with such a name that has neither a model nor a definition in the program means more than "any value, no effect".

use rustc_hash::FxHashSet;
use std::sync::LazyLock;

const TABLE: &str = include_str!("library_names.txt");

/// What libc and libm have beside: what headers call by other names, and what a program must declare itself.
const SYMBOLS: &str = include_str!("library_symbols.txt");
const OLDER: [&str; 2] = ["__sigsetjmp", "__sigsetjmp_cancel"];

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

/// Variables of the library that programs see, without those that have a model.
const VARIABLES: &str = "__daylight __environ __progname __progname_full __timezone __tzname _environ daylight environ error_message_count \
    error_one_per_line error_print_progname getdate_err in6addr_any in6addr_loopback loc1 loc2 locs optarg opterr optind optopt \
    program_invocation_name program_invocation_short_name re_syntax_options sys_errlist sys_nerr sys_siglist timezone tzname";

pub fn is_variable(name: &str) -> bool {
    VARIABLES.split_ascii_whitespace().any(|variable| variable == name)
}

pub fn is_library(name: &str) -> bool {
    // What headers make of names for a standard or a long double.
    let name =
        ["__isoc99_", "__isoc23_", "__nldbl_"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    // What fortified headers, `-ffast-math` and the library itself call a function.
    let plain = name.strip_prefix("__");
    let plain = plain.map(|name| name.strip_suffix("_chk").or_else(|| name.strip_suffix("_finite")).unwrap_or(name));
    is_named(name) || is_of_a_format(name) || plain.is_some_and(|name| is_named(name) || is_of_a_format(name))
}

fn is_named(name: &str) -> bool {
    static NAMES: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
        let others = SYMBOLS.split_whitespace().chain(OLDER);
        by_header().flat_map(|(_, names)| names).chain(others).collect()
    });
    NAMES.contains(name)
}

/// A function of `<math.h>` or `<complex.h>` for `_Float32` and its like: there is one for `long double` too.
fn is_of_a_format(name: &str) -> bool {
    let base = ["f128", "f32", "f64", "f32x", "f64x"].iter().find_map(|suffix| name.strip_suffix(suffix));
    base.is_some_and(|base| is_named(&format!("{base}l")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_whole() {
        for name in [
            "fork",
            "pthread_getschedparam",
            "__isoc99_sscanf",
            "frexp",
            "__sigsetjmp",
            "ptrace",
            "_IO_feof",
            "sinf64x",
            "__expf128_finite",
        ] {
            assert!(is_library(name), "{name}");
        }
        for name in ["for", "pthread_settings_count", "reach_error", "string.h:", "readf32", "step", "__finite_state"] {
            assert!(!is_library(name), "{name}");
        }
        assert!(by_header().all(|(header, names)| header.ends_with(".h") && !names.is_empty()));
    }
}
