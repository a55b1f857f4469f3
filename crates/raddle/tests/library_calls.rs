//! Functions of the C library that their arguments determine return and store what the native ones do: on random arguments.
//!
//! `library/calls.txt` has an expression or two for each function. A program evaluates each on many arguments and prints the results; it is compiled and run, and simulated.
//! Every function of these headers that has a model is in that file, or in `ELSEWHERE` with a reason. Those of `<math.h>` are compared in `c/sequential/math_*.c`, for each
//! format, and by `math_bounds.rs`.

use raddle_c::driver::{Options, load};
use raddle_c::library_names::by_header;
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_ir::Violations;
use raddle_testing::Random;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TABLE: &str = include_str!("library/calls.txt");
const START: &str = include_str!("library/calls.h");
const HEADERS: [&str; 8] =
    ["ctype.h", "inttypes.h", "search.h", "stdlib.h", "string.h", "strings.h", "wchar.h", "wctype.h"];
/// How often each function is called.
const CALLS: usize = 20;

/// Functions that arguments do not determine, or that are compared in other tests.
const ELSEWHERE: [(&str, &[&str]); 10] = [
    (
        "any digits: c/verdicts/digits_of_numbers.c",
        &["ecvt", "ecvt_r", "fcvt", "fcvt_r", "qecvt", "qecvt_r", "qfcvt", "qfcvt_r"],
    ),
    (
        "ends the program, or runs when it ends: c/sequential/exit_*.c",
        &["_Exit", "abort", "at_quick_exit", "atexit", "exit", "on_exit", "quick_exit"],
    ),
    (
        "any value, or a generator with a state: c/sequential/library_random.c",
        &[
            "arc4random",
            "arc4random_buf",
            "arc4random_uniform",
            "drand48_r",
            "erand48_r",
            "initstate",
            "initstate_r",
            "jrand48_r",
            "lcong48_r",
            "lrand48_r",
            "mrand48_r",
            "nrand48_r",
            "rand",
            "rand_r",
            "random",
            "random_r",
            "seed48_r",
            "setstate_r",
            "srand",
            "srand48_r",
            "srandom",
            "srandom_r",
        ],
    ),
    ("any permutation: c/verdicts/library_strfry.c", &["strfry"]),
    (
        "the world outside: library_functions.rs",
        &[
            "canonicalize_file_name",
            "getloadavg",
            "getpt",
            "grantpt",
            "mkdtemp",
            "mkostemp",
            "mkostemp64",
            "mkostemps",
            "mkostemps64",
            "mkstemp",
            "mkstemp64",
            "mkstemps",
            "mkstemps64",
            "mktemp",
            "posix_openpt",
            "ptsname",
            "ptsname_r",
            "realpath",
            "system",
            "unlockpt",
        ],
    ),
    (
        "any text: c/verdicts/library_messages.c",
        &["sigdescr_np", "strerror", "strerror_l", "strerror_r", "strerrordesc_np", "strsignal"],
    ),
    ("the life of memory: c/sequential/heap.c", &["alloca", "cfree", "free"]),
    (
        "streams",
        &[
            "fgetwc",
            "fgetwc_unlocked",
            "fgetws",
            "fgetws_unlocked",
            "fputwc",
            "fputwc_unlocked",
            "fputws",
            "fputws_unlocked",
            "fwide",
            "fwprintf",
            "fwscanf",
            "getwc",
            "getwc_unlocked",
            "getwchar",
            "getwchar_unlocked",
            "open_wmemstream",
            "putwc",
            "putwc_unlocked",
            "putwchar",
            "putwchar_unlocked",
            "swprintf",
            "swscanf",
            "ungetwc",
            "vfwprintf",
            "vfwscanf",
            "vswprintf",
            "vswscanf",
            "vwprintf",
            "vwscanf",
            "wprintf",
            "wscanf",
        ],
    ),
    ("dates: c/sequential/library_time.c", &["wcsftime", "wcsftime_l"]),
    ("with another function, in the same line", &["hcreate", "hdestroy", "memalign", "valloc", "tdestroy"]),
];

/// The functions of the table with their expressions.
fn table() -> Vec<(&'static str, &'static str)> {
    let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once(": ").expect("a line has a function and its calls")).collect()
}

/// The functions of a header that have a model here.
fn modelled(header: &str, names: &[&'static str], folder: &Path) -> BTreeSet<&'static str> {
    let mut text =
        format!("#define _GNU_SOURCE\n#include <{header}>\nvoid (*volatile used)(void);\nint main(void) {{\n");
    for name in names {
        let _ = writeln!(text, "  used = (void (*)(void))({name});");
    }
    let file = folder.join("modelled.c");
    fs::write(&file, text + "}\n").expect("it can be written");
    let lower = LowerOptions { counts: Violations::ERRORS, concrete_arguments: false };
    let options = Options { model: DataModel::Lp64, cpp: CppOptions::default(), lower };
    let Ok(loaded) = load(std::slice::from_ref(&file), &options) else {
        // What this version of the library does not have is asked for one by one.
        let one = |name: &&'static str| modelled(header, &[name], folder);
        return if names.len() == 1 { BTreeSet::new() } else { names.iter().flat_map(one).collect() };
    };
    let gaps = loaded.program.gaps;
    let is_gap = |name: &str| {
        let (called, used) = (format!("`{name}`"), format!("(void (*)(void))({name})"));
        gaps.iter().any(|gap| gap.message.contains(&called) || gap.message.contains(&used))
    };
    names.iter().copied().filter(|name| !is_gap(name)).collect()
}

fn literal(random: &mut Random, letters: &[&str], most: usize) -> String {
    let text: String = (0..random.index(most + 1)).map(|_| random.pick(letters)).collect();
    format!("\"{text}\"")
}

/// A text that may be a number.
fn number(random: &mut Random) -> String {
    const CORNERS: [&str; 12] = [
        "\"\"",
        "\"-\"",
        "\"0x\"",
        "\"9223372036854775807\"",
        "\"-9223372036854775809\"",
        "\"18446744073709551616\"",
        "\"inf\"",
        "\"nan\"",
        "\"1e400\"",
        "\"-1e-400\"",
        "\" +0x1.8p3z\"",
        "\"0X.8\"",
    ];
    if random.chance(20) {
        return random.pick(&CORNERS).to_string();
    }
    let (space, sign, prefix) =
        (random.pick(&["", " ", "\\t"]), random.pick(&["", "-", "+"]), random.pick(&["", "0", "0x", ""]));
    let digits: String = (0..random.index(9)).map(|_| random.pick(&["0", "1", "7", "9", "3", "5", "a", "f"])).collect();
    let rest = random.pick(&["", ".5", "e2", ".25e-3", "z", " 1"]);
    format!("\"{space}{sign}{prefix}{digits}{rest}\"")
}

/// Fills in the arguments of an expression.
fn filled(expression: &str, random: &mut Random) -> String {
    let mut parts = expression.split('$');
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (kind, rest) = part.split_at(1);
        text += &match kind {
            "s" => literal(random, &["a", "b", "c", "A", "B", "1", " ", "\\351"], 12),
            "p" => literal(random, &["a", "/", "b", "/"], 6),
            "o" => random.pick(&["\"ro\"", "\"size=5\"", "\"ro,size=\"", "\"x,ro\"", "\"\"", "\"ro=1,,\""]).to_string(),
            "c" => random.below(256).to_string(),
            "g" => format!("'{}'", random.pick(&["a", "b", "c", "A"])),
            "n" => random.below(8).to_string(),
            "i" => format!("(int){}u", random.below(1 << 32)),
            "l" => format!("(long long){}ull", random.below(u64::MAX)),
            "d" => format!("{}{}e{}", random.pick(&["", "-"]), random.below(1 << 30), random.below(40) as i64 - 25),
            "f" => format!("{}{}.{:03}", random.pick(&["", "-"]), random.below(1 << 14), random.below(1000)),
            "k" => number(random),
            "b" => random.pick(&["0", "10", "16", "8", "2", "36"]).to_string(),
            other => panic!("nothing is known of ${other}"),
        };
        text += rest;
    }
    text
}

/// The expressions of a list with commas between them.
fn expressions(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, vec![]);
    let mut is_quoted = false;
    for (at, c) in list.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(list[start..].trim());
    found
}

fn program(table: &[(&str, &str)]) -> String {
    let mut random = Random::new(16);
    let mut text = START.to_string();
    for (i, (name, calls)) in table.iter().enumerate() {
        let _ = writeln!(text, "static void call_{i}(void)\n{{");
        for _ in 0..CALLS {
            let (first, second) = (
                literal(&mut random, &["a", "b", "c", "A", "B", "1", "\\351"], 12),
                literal(&mut random, &["a", "b", "c", "A"], 3),
            );
            let _ = write!(text, "  set({first}, {second}); printf(\"{name}\");");
            for call in expressions(calls) {
                let _ = write!(text, " printf(\" %lld\", (long long)({}));", filled(call, &mut random));
            }
            let _ = writeln!(text, " printf(\"\\n\");");
        }
        text.push_str("}\n");
    }
    text.push_str("int main(void)\n{\n  l = newlocale(LC_ALL_MASK, \"C\", 0);\n");
    for i in 0..table.len() {
        let _ = writeln!(text, "  call_{i}();");
    }
    text + "  return 0;\n}\n"
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("library-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

fn output(command: &mut Command) -> String {
    let output = command.output().expect("it runs");
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let last = |text: &str| text.lines().last().unwrap_or_default().to_string();
    assert!(output.status.success(), "{command:?}: {}, after `{}`", last(&errors), last(&text));
    text.into_owned()
}

#[test]
fn results_are_those_of_the_native_functions() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: no cc on this machine");
        return;
    }
    let folder = folder("calls");
    let known: BTreeSet<&str> = by_header()
        .filter(|(header, _)| HEADERS.contains(header))
        .flat_map(|(header, names)| modelled(header, &names, &folder))
        .collect();
    let table: Vec<_> = table().into_iter().filter(|(name, _)| known.contains(name)).collect();
    let (file, binary) = (folder.join("calls.c"), folder.join("calls"));
    fs::write(&file, program(&table)).expect("it can be written");
    output(
        Command::new("cc").args(["-std=gnu17", "-w", "-O0", "-fno-builtin", "-fwrapv", "-o"]).arg(&binary).arg(&file),
    );
    let wanted = output(&mut Command::new(&binary));
    let got = output(Command::new(env!("CARGO_BIN_EXE_raddle")).args(["simulate", "--quiet"]).arg(&file));
    let differ: Vec<String> = wanted
        .lines()
        .zip(got.lines())
        .filter(|(a, b)| a != b)
        .map(|(a, b)| format!("native `{a}`, raddle `{b}`"))
        .collect();
    assert!(differ.is_empty(), "{} lines differ: {:#?}", differ.len(), &differ[..differ.len().min(40)]);
    assert_eq!(wanted.lines().count(), got.lines().count());
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn every_function_with_a_model_is_compared() {
    let folder = folder("names");
    let here: BTreeSet<&str> = table().into_iter().map(|(name, _)| name).collect();
    let elsewhere: BTreeSet<&str> = ELSEWHERE.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let mut missing = vec![];
    for (header, names) in by_header().filter(|(header, _)| HEADERS.contains(header)) {
        let known = modelled(header, &names, &folder);
        missing.extend(known.into_iter().filter(|name| !here.contains(name) && !elsewhere.contains(name)));
    }
    let _ = fs::remove_dir_all(folder);
    assert!(missing.is_empty(), "these have a model, and no comparison: {missing:?}");
}
