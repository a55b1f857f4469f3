//! Litmus tests: `litmus/*.c` state in their first line under which memory models `reach_error` cannot be reached
//! (`// sc: true, tso: false, pso: false`). The outcomes are those that the literature states for sequential consistency, x86's TSO
//! and SPARC's PSO (Owens, Sarkar, Sewell 2009; Alglave, Maranget, Tautschnig 2014 for the names of the shapes). A model
//! that is not mentioned is not checked.

use raddle_c::driver::{self, Options};
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_interp::{ExploreConfig, Outcome, Por, ReplayEnd, explore, replay};
use raddle_ir::MemoryModel;
use raddle_ir::Program;
use raddle_oc::{ConflictSearch, Decision, OcConfig};
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

fn by_partial_orders(program: &Program, memory_model: MemoryModel, config: OcConfig) -> Result<bool, String> {
    let config = OcConfig { memory_model, unroll_end: 16, ..config };
    match raddle_oc::verify(program, &config, None, &|| None).0 {
        raddle_oc::Outcome::Safe => Ok(true),
        raddle_oc::Outcome::Unsafe(_, schedule) => match replay(program, &schedule).end {
            ReplayEnd::ErrorReached => Ok(false),
            end => Err(format!("replay: {end:?}")),
        },
        // Spinning on a read-modify-write has no bound.
        raddle_oc::Outcome::Bounded(_) => Ok(true),
        other => Err(format!("{other:?}")),
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
    let lazily = || OcConfig { decision: Decision::Basic, conflicts: ConflictSearch::Generic, ..OcConfig::default() };
    let verifiers: [(&str, Verify); 4] = [
        ("oc", &|program, model| by_partial_orders(program, model, OcConfig::default())),
        ("oc lazily", &|program, model| by_partial_orders(program, model, lazily())),
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

/// The axioms alone are right as well, but for what they leave open.
#[test]
fn weak_sequential_consistency_does_not_contradict() {
    let config = OcConfig { memory_model: raddle_ir::MemoryModel::Wsc, unroll_end: 8, ..OcConfig::default() };
    for name in ["sb", "mp", "iriw", "2+2w", "wrc", "peterson", "rmw_increments"] {
        let program = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/litmus/{name}.c")));
        match raddle_oc::verify(&program, &config, None, &|| None).0 {
            raddle_oc::Outcome::Safe | raddle_oc::Outcome::Unknown("unconfirmed", _) => {}
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn a_violation_has_a_schedule_with_commits() {
    let program = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/litmus/sb.c"));
    let config = OcConfig { memory_model: raddle_ir::MemoryModel::Tso, ..OcConfig::default() };
    let (outcome, _) = raddle_oc::verify(&program, &config, None, &|| None);
    let raddle_oc::Outcome::Unsafe(trace, schedule) = outcome else { panic!("{outcome:?}") };
    assert_eq!(schedule.memory_model, MemoryModel::Tso);
    assert!(schedule.steps.iter().filter(|step| step.commit.is_some()).count() >= 2);
    assert!(trace.steps.iter().any(|step| step.text.contains("becomes visible")));
    assert_eq!(replay(&program, &schedule).end, ReplayEnd::ErrorReached);
    let direct = raddle_interp::Schedule { memory_model: MemoryModel::Sc, ..schedule };
    assert_ne!(replay(&program, &direct).end, ReplayEnd::ErrorReached);
}
