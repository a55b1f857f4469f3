//! How fast the frontend is: bytes of source a second, on generated programs of doubling size (the time must grow with
//! the size, not with its square), and on `../shared/tasks/c/eca-rers2012` where that folder is there.
//!
//! `cargo bench -p raddle-c` prints both. The best of several runs counts, since machines are noisy.

use raddle_c::driver::{Options, load};
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_ir::Violations;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn options() -> Options {
    let lower = LowerOptions { counts: Violations::ERRORS, concrete_arguments: false };
    Options { model: DataModel::Ilp32, cpp: CppOptions::default(), lower }
}

/// A reactive program with so many rules: long conditions over globals, an `else if` chain, many functions.
fn generate(rules: usize) -> String {
    let mut text = String::from("extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n");
    let state = |i: usize| format!("s{}", i % 40);
    for i in 0..40 {
        let _ = writeln!(text, "int s{i} = {i};");
    }
    for chunk in 0..rules.div_ceil(200) {
        let _ = writeln!(text, "int step{chunk}(int input) {{");
        for rule in 0..200 {
            let (a, b, c) = (state(rule), state(rule * 7 + chunk), state(rule * 3 + 1));
            let word = if rule == 0 { "if" } else { "else if" };
            let _ = writeln!(
                text,
                "  {word} (((({a} == {rule}) && !({b} == 3)) || (({c} > {chunk}) && (input == {}))) && {a} != 13) {{\n    \
                 {a} = {rule}; {b} = ({c} * 2 - {chunk}) % 26;\n    return {rule};\n  }}",
                rule % 7
            );
        }
        text.push_str("  return -1;\n}\n");
    }
    text.push_str("int main(void) {\n  while (1) {\n    int input = __VERIFIER_nondet_int();\n");
    for chunk in 0..rules.div_ceil(200) {
        let _ = writeln!(text, "    if (step{chunk}(input) == 199 && s3 == 77) reach_error();");
    }
    text.push_str("  }\n}\n");
    text
}

/// The best time of a few, in seconds.
fn best(runs: u32, run: impl Fn()) -> f64 {
    (0..runs)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

fn main() {
    let path = std::env::temp_dir().join(format!("raddle-bench-{}.c", std::process::id()));
    let mut last = None;
    for rules in [1000, 2000, 4000, 8000, 16000] {
        let text = generate(rules);
        std::fs::write(&path, &text).expect("the temporary folder can be written to");
        let seconds = best(5, || {
            load(std::slice::from_ref(&path), &options()).expect("generated programs are valid");
        });
        let growth =
            last.map_or(String::new(), |t: f64| format!(", {:.2} times the time for twice the size", seconds / t));
        let size = text.len() as f64 / 1e6;
        println!("generated, {rules:>5} rules: {size:6.2} MB in {seconds:.3} s = {:.1} MB/s{growth}", size / seconds);
        last = Some(seconds);
    }
    let _ = std::fs::remove_file(&path);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/tasks/c/eca-rers2012");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("no {}: real programs are left out", folder.display());
        return;
    };
    let files: Vec<PathBuf> =
        entries.filter_map(|e| Some(e.ok()?.path())).filter(|p| p.extension().is_some_and(|e| e == "c")).collect();
    let bytes: u64 = files.iter().filter_map(|f| Some(std::fs::metadata(f).ok()?.len())).sum();
    let seconds = best(3, || {
        for file in &files {
            load(std::slice::from_ref(file), &options()).expect("the tasks are valid");
        }
    });
    let size = bytes as f64 / 1e6;
    println!("eca-rers2012, {} files: {size:.2} MB in {seconds:.3} s = {:.1} MB/s", files.len(), size / seconds);
}
