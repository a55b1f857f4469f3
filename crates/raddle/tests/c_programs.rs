//! C programs mean to Raddle what they mean to the compiler, and threaded ones have the verdicts that they state. Each program is a test of its own:
//! `cargo test --test c_programs dekker` runs those with `dekker` in their name.
//!
//! - `c/sequential/*.c`, and the folders of `c/linked` with several files each, are compiled by `cc -w -O0 -fwrapv`, run, and
//!   simulated: standard output and exit status must be equal. A first line `// cc: …` has more flags for the compiler.
//! - `c/verdicts/*.c` state in their first line whether the error is unreachable (`// true`, `// false`, or `// unknown` where no engine can tell), and in the second
//!   one what each engine says: `// expect: explore true, oc unknown(bound-reached), cegar slow, auto true`. An engine that is `slow` has no answer within two seconds; it
//!   must not say anything wrong. `RADDLE_EXPECT=write cargo test --test c_programs` writes what the engines say now; look at what has changed before you commit it.

use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

const RADDLE: &str = env!("CARGO_BIN_EXE_raddle");
/// CPU time for one engine on one program; for one that is known to be slow; for one that is to be known as quick.
const TIME: &str = "5s";
const SHORT: &str = "300ms";
const QUICK: &str = "2s";
/// Who verifies, and for which data models: abstraction takes its time, and one will do.
const ENGINES: [(&str, &[&str]); 4] =
    [("explore", &["lp64", "ilp32"]), ("oc", &["lp64", "ilp32"]), ("cegar", &["lp64"]), ("auto", &["lp64"])];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for file in c_files(&programs("sequential")) {
        trials.push(trial("sequential", &file, move |file| agrees_with_cc(&[file.to_path_buf()])));
    }
    for folder in entries(&programs("linked")) {
        trials.push(trial("linked", &folder, move |folder| agrees_with_cc(&c_files(folder))));
    }
    for file in c_files(&programs("verdicts")) {
        trials.push(trial("verdicts", &file, has_its_verdicts));
    }
    trials.push(Trial::test("abstraction_refuses_weak_memory", abstraction_refuses_weak_memory));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(kind: &str, path: &Path, check: impl Fn(&Path) -> Result<(), Failed> + Send + 'static) -> Trial {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let path = path.to_path_buf();
    Trial::test(format!("{kind}::{name}"), move || check(&path))
}

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

fn run(command: &mut Command) -> Result<Output, Failed> {
    command.output().map_err(|error| Failed::from(format!("{command:?}: {error}")))
}

/// Compares a program, given by its files, with what the compiler makes of it.
fn agrees_with_cc(files: &[PathBuf]) -> Result<(), Failed> {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: no cc on this machine");
        return Ok(());
    }
    let main = files.iter().find(|file| file.ends_with("main.c")).unwrap_or(&files[0]);
    let name =
        format!("{}-{}", main.with_extension("").to_string_lossy().replace(['/', '\\'], "_"), std::process::id());
    let binary = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let text = fs::read_to_string(main)?;
    let flags = text.lines().next().and_then(|line| line.strip_prefix("// cc:")).unwrap_or_default();
    let mut cc = Command::new("cc");
    cc.args(["-std=gnu17", "-w", "-O0", "-fwrapv"]).args(flags.split_whitespace());
    cc.arg("-o").arg(&binary).args(files).arg("-lm");
    let compiled = run(&mut cc)?;
    if !compiled.status.success() {
        return Err(format!("cc: {}", String::from_utf8_lossy(&compiled.stderr)).into());
    }
    let wanted = run(&mut Command::new(&binary));
    let _ = fs::remove_file(&binary);
    let wanted = wanted?;
    let got = run(Command::new(RADDLE).args(["simulate", "--quiet"]).args(files))?;
    let (wanted_text, got_text) = (String::from_utf8_lossy(&wanted.stdout), String::from_utf8_lossy(&got.stdout));
    if wanted_text != got_text {
        let line = wanted_text.lines().zip(got_text.lines()).take_while(|(a, b)| a == b).count();
        let nth = |text: &str| text.lines().nth(line).unwrap_or("(the end)").to_string();
        let (cc, raddle, errors) = (nth(&wanted_text), nth(&got_text), String::from_utf8_lossy(&got.stderr));
        return Err(format!("output line {}: cc `{cc}`, raddle `{raddle}` {errors}", line + 1).into());
    }
    if wanted.status.code() != got.status.code() {
        return Err(format!("exit status: cc {}, raddle {}", wanted.status, got.status).into());
    }
    Ok(())
}

/// What an engine says of a program: `true`, `false` or `unknown(…)`.
fn said(file: &Path, engine: &str, model: &str, time: &str) -> Result<String, Failed> {
    let mut raddle = Command::new(RADDLE);
    raddle.args(["--engine", engine, "--timeout", time, "--quiet", "--data-model", model]).arg(file);
    if engine == "oc" {
        // Loops without end are unrolled as long as there is time.
        raddle.args(["--oc-unroll-end", "4"]);
    }
    let output = run(&mut raddle)?;
    let text = String::from_utf8_lossy(&output.stdout);
    match text.lines().last().and_then(|line| line.strip_prefix("VERDICT: ")) {
        // Which property is violated is no question here.
        Some(verdict) if verdict.starts_with("false") => Ok("false".into()),
        Some(verdict) => Ok(verdict.into()),
        None => Err(format!("{engine} ({model}) has no verdict: {}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}

/// Does an engine contradict what a program states of itself?
fn contradicts(stated: &str, verdict: &str) -> bool {
    stated != "unknown" && verdict != stated && !verdict.starts_with("unknown")
}

fn has_its_verdicts(file: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(file)?;
    let mut lines = text.lines();
    let stated = lines.next().and_then(|line| line.strip_prefix("// ")).ok_or("the first line states no verdict")?;
    let expected = lines.next().and_then(|line| line.strip_prefix("// expect: "));
    if std::env::var("RADDLE_EXPECT").is_ok_and(|value| value == "write") {
        return write(file, &text, stated, expected.is_some());
    }
    let expected: Vec<&str> = expected.ok_or("the second line states no verdicts of engines")?.split(", ").collect();
    if expected.len() != ENGINES.len() {
        return Err("the second line has other engines".into());
    }
    let mut complaints = Vec::new();
    for ((engine, models), expected) in ENGINES.iter().zip(expected) {
        let expected = expected.strip_prefix(engine).ok_or("the second line has other engines")?.trim();
        for model in *models {
            let is_slow = expected == "slow";
            let verdict = said(file, engine, model, if is_slow { SHORT } else { TIME })?;
            if contradicts(stated, &verdict) || !is_slow && verdict != expected {
                complaints.push(format!("{engine} ({model}) says {verdict} instead of {expected}"));
            }
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("; ").into()) }
}

/// Writes what the engines say to the second line.
fn write(file: &Path, text: &str, stated: &str, is_there: bool) -> Result<(), Failed> {
    let mut expected = Vec::new();
    for (engine, models) in ENGINES {
        let verdicts: Result<Vec<String>, Failed> =
            models.iter().map(|model| said(file, engine, model, QUICK)).collect();
        let verdicts = verdicts?;
        let verdict = verdicts.iter().find(|verdict| *verdict == "unknown(timeout)").unwrap_or(&verdicts[0]);
        if contradicts(stated, verdict)
            || verdict != "unknown(timeout)" && verdicts.iter().any(|other| other != verdict)
        {
            return Err(format!("{engine} says {verdicts:?}, and {stated} is stated").into());
        }
        let verdict = if verdict == "unknown(timeout)" { "slow" } else { verdict };
        expected.push(format!("{engine} {verdict}"));
    }
    let rest = text.lines().skip(if is_there { 2 } else { 1 });
    let lines = [format!("// {stated}"), format!("// expect: {}", expected.join(", "))];
    let all: Vec<&str> = lines.iter().map(String::as_str).chain(rest).collect();
    fs::write(file, all.join("\n") + "\n")?;
    Ok(())
}

fn abstraction_refuses_weak_memory() -> Result<(), Failed> {
    let file = programs("verdicts").join("peterson.c");
    for model in ["tso", "pso", "wsc"] {
        let output =
            run(Command::new(RADDLE).args(["--engine", "cegar", "--memory-model", model, "--quiet"]).arg(&file))?;
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "VERDICT: unknown(unsupported)", "{model}");
    }
    Ok(())
}
