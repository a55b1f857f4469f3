//! Litmus tests: `litmus/*.c` state in their first line under which memory models `reach_error` cannot be reached
//! (`// sc: true, tso: false, pso: false`). The outcomes are those that the literature states for sequential consistency, x86's TSO
//! and SPARC's PSO (Owens, Sarkar, Sewell 2009; Alglave, Maranget, Tautschnig 2014 for the names of the shapes). A model
//! that is not mentioned is not checked. Each program is a test of its own: `cargo test --test litmus mp` runs those with `mp` in their name.

use libtest_mimic::{Arguments, Failed, Trial};
use raddle_engine::{Budget, Code, Engine, Facts, Outcome, Por, Schedule, Silent, Task};
use raddle_explore::{Explore, ExploreConfig};
use raddle_interp::{Action, Telling, replay};
use raddle_ir::MemoryModel;
use raddle_oc::{ConflictSearch, Decision, Oc, OcConfig};
use raddle_testing::lowered_file;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/litmus")
}

fn run(engine: &dyn Engine, task: &Task) -> Outcome {
    engine.run(task, &Facts::default(), &Budget::unlimited(), &Silent).outcome
}

/// The verdicts that the first line states.
fn stated(text: &str) -> Option<Vec<(MemoryModel, bool)>> {
    let line = text.lines().next().and_then(|line| line.strip_prefix("// ")).unwrap_or_default();
    let verdicts = line.split(", ").map(|part| {
        let (name, verdict) = part.split_once(": ").unwrap_or_default();
        let model = MemoryModel::ALL.into_iter().find(|model| model.name() == name);
        Some((model?, verdict.parse().ok()?))
    });
    verdicts.collect()
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let listed = fs::read_dir(folder()).expect("the folder is there");
    let mut paths: Vec<PathBuf> = listed.map(|entry| entry.expect("it can be listed").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "c"));
    paths.sort();
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let trial = |path: PathBuf| Trial::test(name(&path), move || has_its_verdicts(&path));
    let mut trials: Vec<Trial> = paths.into_iter().map(trial).collect();
    trials.push(Trial::test("weak_sequential_consistency_does_not_contradict", || {
        weak_sequential_consistency_does_not_contradict();
        Ok(())
    }));
    trials.push(Trial::test("a_violation_has_a_schedule_with_commits", || {
        a_violation_has_a_schedule_with_commits();
        Ok(())
    }));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn verifiers() -> [(&'static str, Box<dyn Engine>); 4] {
    let lazily = OcConfig { decision: Decision::Basic, conflicts: ConflictSearch::Generic, ..OcConfig::default() };
    let oc = |config: OcConfig| Box::new(Oc(OcConfig { unroll_end: 16, ..config }));
    let explore = |por| Box::new(Explore(ExploreConfig { por, ..ExploreConfig::default() }));
    [
        ("oc", oc(OcConfig::default())),
        ("oc lazily", oc(lazily)),
        ("explore", explore(Por::Persistent)),
        ("explore without reduction", explore(Por::None)),
    ]
}

fn has_its_verdicts(path: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(path)?;
    let mut complaints = Vec::new();
    for (model, wanted) in stated(&text).ok_or("the first line states no verdicts")? {
        let task = Task::new(lowered_file(path), model);
        for (verifier, engine) in verifiers() {
            let outcome = run(engine.as_ref(), &task);
            let answer = match &outcome {
                Outcome::Safe(_) => Some(true),
                Outcome::Unsafe(schedule) => {
                    assert!(replay(task.program(), schedule, Telling::All).end.is_error());
                    Some(false)
                }
                // Spinning on a read-modify-write has no bound.
                Outcome::Unknown(reason) if reason.code == Code::BoundReached && engine.name() == "oc" => Some(true),
                Outcome::Unknown(_) => None,
            };
            if answer != Some(wanted) {
                complaints.push(format!("{verifier} under {}: {outcome:?} instead of {wanted}", model.name()));
            }
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n").into()) }
}

/// The axioms alone are right as well, but for what they leave open.
fn weak_sequential_consistency_does_not_contradict() {
    let oc = Oc(OcConfig { unroll_end: 8, ..OcConfig::default() });
    for name in ["sb", "mp", "iriw", "2+2w", "wrc", "peterson", "rmw_increments"] {
        let path = folder().join(format!("{name}.c"));
        let outcome = run(&oc, &Task::new(lowered_file(&path), MemoryModel::Wsc));
        assert!(matches!(outcome.name(), "true" | "unconfirmed"), "{name}: {outcome:?}");
    }
}

fn a_violation_has_a_schedule_with_commits() {
    let task = Task::new(lowered_file(&folder().join("sb.c")), MemoryModel::Tso);
    let outcome = run(&Oc(OcConfig::default()), &task);
    let Outcome::Unsafe(schedule) = outcome else { panic!("{outcome:?}") };
    assert_eq!(schedule.memory_model, MemoryModel::Tso);
    assert!(schedule.steps.iter().filter(|step| matches!(step.action, Action::Commit(_))).count() >= 2);
    assert!(
        task.trace(&schedule, Telling::All)
            .expect("it was confirmed")
            .steps
            .iter()
            .any(|step| step.text.contains("becomes visible"))
    );
    assert!(replay(task.program(), &schedule, Telling::All).end.is_error());
    let direct = Schedule { memory_model: MemoryModel::Sc, ..schedule };
    assert!(!replay(task.program(), &direct, Telling::All).end.is_error());
}
