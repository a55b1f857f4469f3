//! No wrong verdict from the library: what a native run shows of a function, Raddle confirms, or it says that it has no model.
//!
//! `library/functions.txt` has a call or two of some hundred functions, on concrete arguments. They are compiled and run. Of what they return and store, one
//! program asserts what the native run showed, and another one asserts the contrary. Raddle must say `true` to the first, unless the world outside has a say in the
//! result, and `false` to the second. Where the function has no model, both are `unknown(unmodelled)`; where it has only bounds, one of them may be.
//!
//! Functions with a model share a program, which asserts all that was seen, or ends in an error if all of it is seen again. What is wrong with such a program is found by halving.

use raddle_c::driver::{Options, load};
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_ir::Violations;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TABLE: &str = include_str!("library/functions.txt");
const START: &str = include_str!("library/functions.h");
/// So many different functions at least.
const FUNCTIONS: usize = 200;
/// How many share a program.
const TOGETHER: usize = 30;
/// Undetermined values are too many to enumerate.
const ENGINES: [(Results, &str); 4] =
    [(Results::Determined, "explore"), (Results::Bounds, "oc"), (Results::Native, "oc"), (Results::Any, "oc")];

/// What is known about results.
#[derive(Clone, Copy, PartialEq)]
enum Results {
    Determined,
    /// They hold of values that are not determined.
    Bounds,
    /// The library determines them, but the models give only bounds.
    Native,
    /// Others are possible.
    Any,
}

/// A line of the table.
struct Entry {
    function: &'static str,
    kind: Results,
    statements: &'static str,
    results: Vec<&'static str>,
}

/// An entry with what the native run showed.
type Seen<'a> = (&'a Entry, &'a [i64]);

fn entries() -> Vec<Entry> {
    let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entry = |line: &'static str| {
        let (name, rest) = line.split_once(':').expect("a line begins with a name");
        let (statements, results) = rest.rsplit_once("=> ").expect("a line ends with results");
        let (function, kind) = match name.split_once(' ') {
            Some(("any", function)) => (function, Results::Any),
            Some(("native", function)) => (function, Results::Native),
            Some(("bounds", function)) => (function, Results::Bounds),
            _ => (name, Results::Determined),
        };
        Entry { function, kind, statements, results: expressions(results) }
    };
    lines.map(entry).collect()
}

/// The expressions of a list with commas between them.
fn expressions(list: &str) -> Vec<&str> {
    let (mut depth, mut quote, mut escaped, mut start, mut found) = (0, None, false, 0, vec![]);
    for (at, c) in list.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth == 0 => {
                found.push(list[start..at].trim());
                start = at + 1;
            }
            (None, _) => {}
        }
    }
    found.push(list[start..].trim());
    found
}

/// A program with a function for each entry, on a line of its own; `each` says what is done with a result.
fn program(entries: &[&Entry], each: impl Fn(usize, usize, &str) -> String, last: &str) -> String {
    let mut text = START.to_string();
    for (i, entry) in entries.iter().enumerate() {
        let _ = write!(text, "static void call_{i}(void) {{ {}", entry.statements);
        for (k, result) in entry.results.iter().enumerate() {
            let _ = write!(text, " {}", each(i, k, &format!("(long long)({result})")));
        }
        let _ = writeln!(text, " }}");
    }
    text.push_str("int main(void)\n{\n");
    for i in 0..entries.len() {
        let _ = writeln!(text, "  call_{i}();");
    }
    text + last + "}\n"
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("library-functions-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// What the library of this machine gives, for each entry. Results are told through a file: some functions print.
fn native(entries: &[&Entry], folder: &Path) -> Vec<Vec<i64>> {
    let print =
        |i: usize, k: usize, result: &str| format!("fprintf(told, \"{i} {k} %lld\\n\", {result}); fflush(told);");
    let text =
        program(entries, print, "").replace("int main(void)\n{", "int main(void)\n{ told = fopen(\"told\", \"w\");");
    let (file, binary) = (folder.join("native.c"), folder.join("native"));
    fs::write(&file, text).expect("it can be written");
    let mut cc = Command::new("cc");
    cc.args(["-std=gnu17", "-w", "-O0", "-fno-builtin", "-o"]).arg(&binary).arg(&file).args(["-lm", "-lpthread"]);
    let compiled = cc.output().expect("cc runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(&binary).current_dir(folder).output().expect("it runs");
    assert!(ran.status.success(), "the native run: {}", ran.status);
    let mut seen: Vec<Vec<i64>> = entries.iter().map(|_| vec![]).collect();
    for line in fs::read_to_string(folder.join("told")).expect("it tells").lines() {
        let fields: Vec<i64> = line.split(' ').map(|field| field.parse().expect("a number")).collect();
        seen[fields[0] as usize].push(fields[2]);
    }
    for (entry, seen) in entries.iter().zip(&seen) {
        assert_eq!(seen.len(), entry.results.len(), "{}", entry.function);
    }
    seen
}

/// The entries where something has no model, by their place.
fn without_model(entries: &[&Entry], folder: &Path) -> BTreeSet<usize> {
    let text = program(entries, |_, _, result| format!("{result};"), "");
    let first = START.lines().count() + 1;
    let file = folder.join("gaps.c");
    fs::write(&file, text).expect("it can be written");
    let lower = LowerOptions { counts: Violations::ERRORS, concrete_arguments: false };
    let options = Options { model: DataModel::Lp64, cpp: CppOptions::default(), lower };
    let loaded = load(std::slice::from_ref(&file), &options);
    let gaps = loaded.unwrap_or_else(|error| panic!("{error:?}")).program.gaps;
    let line = |message: &str| -> Option<usize> {
        let (_, place) = message.split_once("gaps.c:")?;
        place.split(':').next()?.parse().ok()
    };
    let by_line = gaps.iter().filter_map(|gap| line(&gap.message)?.checked_sub(first));
    // Some are called by a function that the entries share.
    let is_named = |entry: &Entry| gaps.iter().any(|gap| gap.message.contains(&format!("`{}`", entry.function)));
    let by_name = (0..entries.len()).filter(|&i| is_named(entries[i]));
    by_line.filter(|&i| i < entries.len()).chain(by_name).collect()
}

/// What Raddle says of a program.
fn verdict(text: &str, engine: &str, folder: &Path) -> String {
    let file = folder.join("asked.c");
    fs::write(&file, text).expect("it can be written");
    let mut raddle = Command::new(env!("CARGO_BIN_EXE_raddle"));
    raddle.args(["--engine", engine, "--timeout", "20s", "--quiet"]).arg(&file);
    let output = raddle.output().expect("raddle runs");
    let told = String::from_utf8_lossy(&output.stdout);
    let verdict = told.lines().last().and_then(|line| line.strip_prefix("VERDICT: "));
    verdict.map_or_else(|| String::from_utf8_lossy(&output.stderr).into_owned(), String::from)
}

/// Asserts what was seen.
fn confirmed(seen: &[Seen], engine: &str, folder: &Path) -> String {
    let entries: Vec<&Entry> = seen.iter().map(|(entry, _)| *entry).collect();
    let check = |i: usize, k: usize, result: &str| format!("if ({result} != {}) reach_error();", number(seen[i].1[k]));
    verdict(&program(&entries, check, ""), engine, folder)
}

/// Asserts that not all of it is seen again.
fn contradicted(seen: &[Seen], engine: &str, folder: &Path) -> String {
    let entries: Vec<&Entry> = seen.iter().map(|(entry, _)| *entry).collect();
    let check = |i: usize, k: usize, result: &str| format!("__VERIFIER_assume({result} == {});", number(seen[i].1[k]));
    verdict(&program(&entries, check, "  reach_error();\n"), engine, folder)
}

fn number(value: i64) -> String {
    if value == i64::MIN { "(-9223372036854775807ll - 1)".into() } else { format!("{value}ll") }
}

/// The entries for which a question has a wrong answer, found by halving.
fn wrong(seen: &[Seen], ask: &dyn Fn(&[Seen]) -> String, wanted: &str) -> Vec<String> {
    if seen.is_empty() {
        return vec![];
    }
    let said = ask(seen);
    if said.starts_with(wanted) {
        return vec![];
    }
    if let [(entry, values)] = seen {
        // An honest answer, but no good one.
        if is_unmodelled(&said) {
            eprintln!("{}: {said}", entry.function);
            return vec![];
        }
        return vec![format!("{}: {said} instead of {wanted}, native: {values:?}", entry.function)];
    }
    let (first, second) = seen.split_at(seen.len() / 2);
    let mut found = wrong(first, ask, wanted);
    found.extend(wrong(second, ask, wanted));
    // Each is right alone.
    if found.is_empty() && !is_unmodelled(&said) {
        found.push(format!("{} and others: {said} instead of {wanted}", seen[0].0.function));
    }
    found
}

fn is_unmodelled(said: &str) -> bool {
    matches!(said, "unknown(unmodelled)" | "unknown(unsupported)")
}

#[test]
fn expressions_are_told_apart() {
    assert_eq!(expressions("f(a, b), s[0] == ',', \"(\\\"\""), ["f(a, b)", "s[0] == ','", "\"(\\\"\""]);
}

#[test]
fn native_results_are_confirmed() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: no cc on this machine");
        return;
    }
    let (entries, folder) = (entries(), folder());
    let functions: BTreeSet<&str> = entries.iter().map(|entry| entry.function).collect();
    assert!(functions.len() >= FUNCTIONS, "only {} functions", functions.len());
    let all: Vec<&Entry> = entries.iter().collect();
    let (results, gaps) = (native(&all, &folder), without_model(&all, &folder));
    let seen = |keep: &dyn Fn(usize) -> bool| -> Vec<Seen> {
        let kept = (0..entries.len()).filter(|&i| keep(i));
        kept.map(|i| (&entries[i], results[i].as_slice())).collect()
    };
    let mut complaints = Vec::new();
    for (kind, engine) in ENGINES {
        for group in seen(&|i| !gaps.contains(&i) && entries[i].kind == kind).chunks(TOGETHER) {
            if kind != Results::Any {
                complaints.extend(wrong(group, &|some| confirmed(some, engine, &folder), "true"));
            }
            complaints.extend(wrong(group, &|some| contradicted(some, engine, &folder), "false"));
        }
    }
    for entry in seen(&|i| gaps.contains(&i)) {
        let engine = ENGINES.iter().find(|(kind, _)| *kind == entry.0.kind).map_or("explore", |(_, engine)| engine);
        let said = [confirmed(&[entry], engine, &folder), contradicted(&[entry], engine, &folder)];
        let may_be_false = entry.0.kind == Results::Any && said[0].starts_with("false");
        if !(is_unmodelled(&said[0]) || said[0] == "true" || may_be_false)
            || !(is_unmodelled(&said[1]) || said[1].starts_with("false"))
        {
            complaints.push(format!("{}: {said:?}, native: {:?}", entry.0.function, entry.1));
        }
    }
    let _ = fs::remove_dir_all(&folder);
    eprintln!("{} functions, {} calls without model", functions.len(), gaps.len());
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
