//! `--report`: what the page shows of the program beside its result, which is the text of its sources and its automata.

use raddle_engine::Task;
use raddle_ir::text::label_text;
use raddle_ir::{Edge, LocId, Names, ProcId, Procedure, Program};
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

/// Lowering leaves locations that nothing leads to: they are left out, and the others numbered anew.
fn automaton(program: &Program, names: &Names, id: ProcId, proc: &Procedure) -> Automaton {
    let mut numbers = vec![None; proc.locations.len()];
    let mut locations = 0;
    for (location, _) in reached(proc).iter().enumerate().filter(|(_, reached)| **reached) {
        numbers[location] = Some(locations);
        locations += 1;
    }
    let edge = |edge: &Edge| {
        let labels = edge.labels.iter().map(|label| label_text(program, names, Some(id), label));
        Some(AutomatonEdge {
            from: numbers[edge.source.index()]?,
            to: numbers[edge.target.index()]?,
            text: labels.collect::<Vec<_>>().join("; "),
            line: edge.span.line,
        })
    };
    let number = |location: LocId| numbers[location.index()].unwrap_or(0);
    Automaton {
        function: proc.name.clone(),
        locations,
        entry: number(proc.entry),
        exit: number(proc.exit),
        edges: proc.edges.iter().filter_map(edge).collect(),
    }
}

/// The locations that paths from the entry go through; and the exit, which is where an endless function would end.
fn reached(proc: &Procedure) -> Vec<bool> {
    let mut after = vec![Vec::new(); proc.locations.len()];
    for edge in &proc.edges {
        after[edge.source.index()].push(edge.target);
    }
    let mut reached = vec![false; proc.locations.len()];
    let mut work = vec![proc.entry];
    while let Some(location) = work.pop() {
        if !std::mem::replace(&mut reached[location.index()], true) {
            work.extend(&after[location.index()]);
        }
    }
    reached[proc.exit.index()] = true;
    reached
}
