//! `raddle solvers` and the option `--solver`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A script that plays a solver and says this as its version; gone at the end.
struct Fake(PathBuf);

impl Fake {
    fn new(test: &str, version: &str) -> Fake {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("solver-{test}-{}.sh", std::process::id()));
        // Moved into place when it is complete: a file that is open for writing cannot be run.
        let draft = path.with_extension("draft");
        fs::write(&draft, format!("#!/bin/sh\necho '{version}'\n")).unwrap();
        fs::set_permissions(&draft, fs::Permissions::from_mode(0o755)).unwrap();
        fs::rename(&draft, &path).unwrap();
        Fake(path)
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Runs `raddle` where no solver is on PATH.
fn raddle(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raddle")).args(args).env("PATH", "/nowhere").output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_native_solver_is_always_there() {
    let output = raddle(&["solvers"]);
    assert_eq!(output.status.code(), Some(0));
    let out = text(&output.stdout);
    assert!(out.starts_with("native"), "{out}");
    assert!(out.contains("CaDiCaL"), "{out}");
    assert!(out.contains("z3           not found; install: pip install z3-solver\n"), "{out}");
}

#[test]
fn a_solver_at_a_given_place() {
    let fake = Fake::new("place", "Z3 version 99.1");
    let choice = format!("z3={}", fake.0.display());
    let output = raddle(&["solvers", "--solver", &choice]);
    let out = text(&output.stdout);
    assert!(out.contains("z3           Z3 version 99.1\n"), "{out}");
    assert!(out.contains(&fake.0.display().to_string()), "{out}");
    assert!(!out.contains("z3           not found"), "{out}");
    let output = raddle(&["solvers", "--format", "json", "--solver", &choice, "--solver=native"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["solvers"][0]["name"], "native");
    assert_eq!(json["solvers"][1]["version"], "Z3 version 99.1");
    assert_eq!(json["missing"][0]["name"], "cvc5");
}

#[test]
fn a_wrong_choice_is_a_usage_error() {
    for (choice, words) in [
        ("z4", "there is no solver `z4`"),
        ("z3=/no/such/file", "`/no/such/file` is no file that can be run"),
        ("z3=/", "is no file that can be run"),
        ("z3=", "is no file that can be run"),
        ("cvc5", "cvc5 is not on PATH: install it (apt-get install cvc5)"),
        ("native=/bin/sh", "has no path"),
        ("", "there is no solver"),
    ] {
        for command in [&["solvers"][..], &["verify", "a.c"], &["a.c"]] {
            let output = raddle(&[command, &["--solver", choice]].concat());
            assert_eq!(output.status.code(), Some(3), "{choice}");
            let err = text(&output.stderr);
            assert!(err.contains(words), "{err}");
        }
    }
}
