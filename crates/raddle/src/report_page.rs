//! `--report`: what the page shows of the program beside its result, which is the text of its sources and its automata.

use raddle_engine::Task;
use raddle_ir::text::label_text;
use raddle_ir::{Edge, Names, ProcId, Procedure, Program};
use raddle_report::{Automaton, AutomatonEdge, Report, SourceFile};
use std::path::{Path, PathBuf};

/// Adds them to a report.
pub fn add_program(report: &mut Report, task: &Task, files: &[PathBuf]) {
    report.sources = sources(report, files);
    report.automata = automata(task.program());
}

/// The files of the command line, and others that a step or an invariant is in. One that cannot be read any more is left out.
fn sources(report: &Report, files: &[PathBuf]) -> Vec<SourceFile> {
    let mut paths: Vec<String> = files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
    let steps = report.story.iter().flat_map(|story| &story.steps).filter(|step| step.needed).map(|step| &step.place);
    let invariants = report.proof.iter().flat_map(|proof| &proof.invariants).map(|invariant| &invariant.place);
    for place in steps.chain(invariants) {
        if !paths.contains(&place.file) && Path::new(&place.file).is_file() {
            paths.push(place.file.clone());
        }
    }
    let read = |path: String| {
        let text = std::fs::read(&path).ok()?;
        Some(SourceFile { path, text: String::from_utf8_lossy(&text).into_owned() })
    };
    paths.into_iter().filter_map(read).collect()
}

/// The automata of the user's functions.
fn automata(program: &Program) -> Vec<Automaton> {
    let names = Names::new(program);
    let users = program.procs.iter().enumerate().filter(|(_, proc)| !program.is_of_library(proc.span));
    users.map(|(id, proc)| automaton(program, &names, ProcId(id as u32), proc)).collect()
}

fn automaton(program: &Program, names: &Names, id: ProcId, proc: &Procedure) -> Automaton {
    let edge = |edge: &Edge| {
        let labels = edge.labels.iter().map(|label| label_text(program, names, Some(id), label));
        AutomatonEdge {
            from: edge.source.index(),
            to: edge.target.index(),
            text: labels.collect::<Vec<_>>().join("; "),
            line: edge.span.line,
        }
    };
    Automaton {
        function: proc.name.clone(),
        locations: proc.locations.len(),
        entry: proc.entry.index(),
        exit: proc.exit.index(),
        edges: proc.edges.iter().map(edge).collect(),
    }
}
