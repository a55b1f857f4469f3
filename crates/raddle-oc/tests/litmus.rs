//! Litmus tests: `litmus/*.c` state in their first line under which memory models `reach_error` cannot be reached
//! (`// sc: true, tso: false, pso: false`). The outcomes are those that the literature states for sequential consistency, x86's TSO
//! and SPARC's PSO (Owens, Sarkar, Sewell 2009; Alglave, Maranget, Tautschnig 2014 for the names of the shapes). A model
//! that is not mentioned is not checked.

use raddle_c::driver::{self, Options};
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_interp::{ExploreConfig, MemoryModel, Outcome, Por, ReplayEnd, explore, replay};
use raddle_ir::Program;
use std::fs;
use std::path::{Path, PathBuf};

/// Tells whether the error is unreachable under a memory model; or why it cannot.
type Verify<'a> = &'a dyn Fn(&Program, MemoryModel) -> Result<bool, String>;

fn by_exploring(program: &Program, memory_model: MemoryModel, por: Por) -> Result<bool, String> {
    let config = ExploreConfig { memory_model, por, ..ExploreConfig::default() };
    match explore(program, &config, &|| None).outcome {
        Outcome::Safe => Ok(true),
        Outcome::Unsafe(_, schedule) => match replay(program, &schedule).end {
            ReplayEnd::ErrorReached => Ok(false),
            end => Err(format!("replay: {end:?}")),
        },
        Outcome::Unknown(code, why) => Err(format!("{code}: {why}")),
    }
}

fn load(path: &Path) -> Program {
    let lower = LowerOptions { assertions_are_errors: true, concrete_arguments: false };
    let options = Options { model: DataModel::Lp64, cpp: CppOptions::default(), lower };
    match driver::load(&[path.to_path_buf()], &options) {
        Ok(loaded) => raddle_passes::simplify(loaded.program),
        Err(failure) => panic!("{}: {}", path.display(), failure.message),
    }
}

/// The verdicts that the first line states.
fn stated(path: &Path) -> Vec<(MemoryModel, bool)> {
    let text = fs::read_to_string(path).expect("the program can be read");
    let line = text.lines().next().and_then(|line| line.strip_prefix("// ")).unwrap_or_default();
    let verdicts = line.split(", ").map(|part| {
        let (name, verdict) = part.split_once(": ").unwrap_or_default();
        let model = MemoryModel::ALL.into_iter().find(|model| model.name() == name);
        Some((model?, verdict.parse().ok()?))
    });
    verdicts.collect::<Option<_>>().unwrap_or_else(|| panic!("{}: the first line states no verdicts", path.display()))
}

#[test]
fn litmus_tests_have_the_stated_verdicts() {
    let verifiers: [(&str, Verify); 2] = [
        ("explore", &|program, model| by_exploring(program, model, Por::Persistent)),
        ("explore without reduction", &|program, model| by_exploring(program, model, Por::None)),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/litmus");
    let listed = fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = listed.map(|entry| entry.expect("it can be listed").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "c"));
    paths.sort();
    assert!(!paths.is_empty());
    let mut complaints = Vec::new();
    for path in &paths {
        let program = load(path);
        for (model, wanted) in stated(path) {
            for (verifier, verify) in &verifiers {
                let answer = verify(&program, model);
                if answer != Ok(wanted) {
                    let (file, model) = (path.display(), model.name());
                    complaints.push(format!("{file}: {verifier} under {model}: {answer:?} instead of {wanted}"));
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}
