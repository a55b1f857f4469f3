//! C programs mean to Raddle what they mean to the compiler, and threaded ones have the verdicts that they state.
//!
//! - `c/sequential/*.c`, and the folders of `c/linked` with several files each, are compiled by `cc -w -O0 -fwrapv`, run, and
//!   simulated: standard output and exit status must be equal. A first line `// cc: …` has more flags for the compiler.
//! - `c/verdicts/*.c` have their verdict in the first line (`// true`, `// false` or `// unknown`); they are explored in both data models,
//!   and other engines must not say anything else (they may say `unknown`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const RADDLE: &str = env!("CARGO_BIN_EXE_raddle");

fn programs(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(folder)
}

/// What a folder holds, in order.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let listed = fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = listed.map(|entry| entry.expect("it can be listed").path()).collect();
    paths.sort();
    paths
}

fn c_files(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|path| path.extension().is_some_and(|e| e == "c")).collect()
}

/// What follows a prefix in the first line of a file.
fn first_line(path: &Path, prefix: &str) -> Option<String> {
    let text = fs::read_to_string(path).expect("the program can be read");
    Some(text.lines().next()?.strip_prefix(prefix)?.trim().to_string())
}

/// Runs a check on all items, several at once, and fails with everything that the checks complain about.
fn check_all<T: Sync>(items: &[T], check: impl Fn(&T) -> Result<(), String> + Sync) {
    assert!(!items.is_empty(), "there are programs to check");
    let (next, complaints) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(complaint) = check(item) {
                        complaints.lock().expect("no check panicked").push(complaint);
                    }
                }
            });
        }
    });
    let complaints = complaints.into_inner().expect("no check panicked");
    assert!(complaints.is_empty(), "{} of {} failed:\n{}", complaints.len(), items.len(), complaints.join("\n"));
}

fn run(command: &mut Command) -> Output {
    command.output().expect("the command runs")
}

/// Compares a program, given by its files, with what the compiler makes of it.
fn agrees_with_cc(files: &[PathBuf], folder: &Path) -> Result<(), String> {
    let main = files.iter().find(|file| file.ends_with("main.c")).unwrap_or(&files[0]);
    let name = main.display();
    let binary = folder.join(main.with_extension("").to_string_lossy().replace(['/', '\\'], "_"));
    let flags = first_line(main, "// cc:").unwrap_or_default();
    let mut cc = Command::new("cc");
    cc.args(["-std=gnu17", "-w", "-O0", "-fwrapv"])
        .args(flags.split_whitespace())
        .arg("-o")
        .arg(&binary)
        .args(files)
        .arg("-lm");
    let compiled = run(&mut cc);
    if !compiled.status.success() {
        return Err(format!("{name}: cc: {}", String::from_utf8_lossy(&compiled.stderr)));
    }
    let wanted = run(&mut Command::new(&binary));
    let got = run(Command::new(RADDLE).args(["simulate", "--quiet"]).args(files));
    let (wanted_text, got_text) = (String::from_utf8_lossy(&wanted.stdout), String::from_utf8_lossy(&got.stdout));
    if wanted_text != got_text {
        let line = wanted_text.lines().zip(got_text.lines()).take_while(|(a, b)| a == b).count();
        let nth = |text: &str| text.lines().nth(line).unwrap_or("(the end)").to_string();
        let errors = String::from_utf8_lossy(&got.stderr);
        return Err(format!(
            "{name}: output line {}: cc `{}`, raddle `{}` {errors}",
            line + 1,
            nth(&wanted_text),
            nth(&got_text)
        ));
    }
    if wanted.status.code() != got.status.code() {
        return Err(format!("{name}: exit status: cc {}, raddle {}", wanted.status, got.status));
    }
    Ok(())
}

fn compare_with_cc(programs: Vec<Vec<PathBuf>>, name: &str) {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: no cc on this machine");
        return;
    }
    let folder = std::env::temp_dir().join(format!("raddle-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder can be made");
    check_all(&programs, |files| agrees_with_cc(files, &folder));
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn sequential_programs_agree_with_cc() {
    compare_with_cc(c_files(&programs("sequential")).into_iter().map(|file| vec![file]).collect(), "sequential");
}

#[test]
fn linked_programs_agree_with_cc() {
    compare_with_cc(entries(&programs("linked")).iter().map(|folder| c_files(folder)).collect(), "linked");
}

#[test]
fn threaded_programs_have_the_stated_verdicts() {
    let files = c_files(&programs("verdicts"));
    // Abstraction takes its time where it cannot say much: one data model will do.
    let engines = [("explore", "lp64"), ("explore", "ilp32"), ("oc", "lp64"), ("oc", "ilp32"), ("cegar", "lp64")];
    let cases: Vec<(&PathBuf, &str, &str)> =
        files.iter().flat_map(|file| engines.map(|(engine, model)| (file, model, engine))).collect();
    check_all(&cases, |(file, model, engine)| {
        let name = file.display();
        let stated = first_line(file, "//").ok_or_else(|| format!("{name}: the first line states no verdict"))?;
        let mut raddle = Command::new(RADDLE);
        // Exploration knows them all; the other engines may not.
        let time = match *engine {
            "explore" => "20s",
            "oc" => "3s",
            _ => "1s",
        };
        raddle.args(["--engine", engine, "--timeout", time, "--quiet", "--data-model", model]).arg(file);
        raddle.args(["--oc-unroll-end", "4"]);
        let output = run(&mut raddle);
        let text = String::from_utf8_lossy(&output.stdout);
        let verdict = text.lines().last().and_then(|line| line.strip_prefix("VERDICT: ")).unwrap_or("nothing");
        let word = verdict.split('(').next();
        if word == Some(stated.as_str()) || *engine != "explore" && (word == Some("unknown") || stated == "unknown") {
            return Ok(());
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        Err(format!("{name} ({model}, {engine}): {stated} is stated, the verdict is {verdict} {errors}"))
    });
}

#[test]
fn abstraction_refuses_weak_memory() {
    let file = programs("verdicts").join("peterson.c");
    for model in ["tso", "pso", "wsc"] {
        let output =
            run(Command::new(RADDLE).args(["--engine", "cegar", "--memory-model", model, "--quiet"]).arg(&file));
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "VERDICT: unknown(unsupported)", "{model}");
    }
}
