//! The result on one property as data (`raddle_report::Report`), from which every format is told.

use crate::explain;
use raddle_c::driver::Entry;
use raddle_c::places::{InputPlace, Places};
use raddle_c::undefined::Undefined;
use raddle_engine::{Outcome, Reason, Task};
use raddle_interp::{ReplayEnd, Schedule, calm, record, switches};
use raddle_ir::{Program, Shapes, Span, Violation};
use raddle_report::{Invariant, Lines, Place, Proof, Report, Story};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;

/// What the sources say, beside the Program.
pub struct Sources<'a> {
    pub files: &'a [PathBuf],
    pub places: &'a Places,
    pub shapes: &'a Shapes,
    /// What the program declares and nobody defines.
    pub undefined: &'a [Undefined],
}

/// The story of a violation, which is made easy to read and replayed for it; or why it violates nothing.
pub fn story(task: &Task, schedule: &mut Schedule, sources: &Sources) -> Result<(Story, Violation), String> {
    let as_found = switches(schedule);
    *schedule = calm(task.program(), std::mem::take(schedule));
    let (end, execution) = record(task.program(), schedule);
    let violation = match end {
        ReplayEnd::ErrorReached(violation) if violation.property() == task.property() => violation,
        end => return Err(end.words()),
    };
    let lines = SourceLines::new(task.program(), sources);
    let mut story = raddle_report::tell(task.program(), sources.shapes, &execution, &lines);
    (story.switches, story.switches_as_found) = (switches(schedule) as u64, as_found as u64);
    Ok((story, violation))
}

/// The lines of the user's files; where a place is in none of them, of the preprocessed text.
struct SourceLines<'a> {
    program: &'a Program,
    sources: &'a Sources<'a>,
    files: HashMap<String, GivenFile>,
    columns: RefCell<HashMap<Span, u32>>,
}

struct GivenFile {
    bytes: Vec<u8>,
    lines: Vec<String>,
}

impl<'a> SourceLines<'a> {
    fn new(program: &'a Program, sources: &'a Sources) -> SourceLines<'a> {
        let read = |path: &PathBuf| {
            let bytes = std::fs::read(path).unwrap_or_default();
            let lines = String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect();
            (path.to_string_lossy().into_owned(), GivenFile { bytes, lines })
        };
        let files = sources.files.iter().map(read).collect();
        SourceLines { program, sources, files, columns: RefCell::default() }
    }
}

impl SourceLines<'_> {
    /// The column in the line as it is told, where bytes that are no text are replaced.
    fn in_told_line(&self, place: &InputPlace) -> Option<u32> {
        let (file, line) = (self.files.get(&place.file)?, (place.line as usize).checked_sub(1)?);
        let column = place.column?;
        if !file.lines.get(line)?.contains(char::REPLACEMENT_CHARACTER) {
            return Some(column);
        }
        let bytes = file.bytes.split(|byte| *byte == b'\n').nth(line)?;
        let before = bytes.get(..(column as usize).checked_sub(1)?)?;
        Some(String::from_utf8_lossy(before).len() as u32 + 1)
    }
}

impl Lines for SourceLines<'_> {
    fn line(&self, span: Span) -> Option<String> {
        let file = self.program.files.get(span.file.0 as usize).filter(|_| !span.is_none())?;
        match self.files.get(file) {
            Some(file) => file.lines.get((span.line as usize).checked_sub(1)?).cloned(),
            None => self.sources.places.line(span),
        }
    }

    fn column(&self, span: Span) -> u32 {
        *self.columns.borrow_mut().entry(span).or_insert_with(|| {
            let bytes = |name: &str| Some(self.files.get(name)?.bytes.as_slice());
            let place = self.sources.places.in_input(span, &bytes);
            place.and_then(|place| self.in_told_line(&place)).unwrap_or(0)
        })
    }
}

/// A place as people know it, without the column, which macros may have moved.
pub fn place(program: &Program, span: Span) -> Option<Place> {
    let file = program.files.get(span.file.0 as usize).filter(|_| !span.is_none())?;
    Some(Place { file: file.clone(), line: span.line, column: 0 })
}

/// What there is to say of an outcome.
pub fn report(
    verdict: String,
    outcome: &Outcome,
    task: Option<&Task>,
    story: Option<Story>,
    statistics: Value,
) -> Report {
    let place_of = |span: Span| task.and_then(|task| place(task.program(), span));
    let reason = match outcome {
        Outcome::Unknown(Reason { code, words, span, .. }) => Some(raddle_report::Reason {
            code: code.to_string(),
            words: words.clone(),
            place: span.and_then(place_of),
            hint: explain::hint(*code),
        }),
        _ => None,
    };
    let engine = statistics["step"].as_str().unwrap_or_default().to_owned();
    let proof = match outcome {
        Outcome::Safe(proof) => {
            Some(Proof { engine, words: proof.words(), holds_for: None, invariants: invariants(task, proof) })
        }
        _ => None,
    };
    let property = task.map_or(String::new(), |task| task.property().name().to_owned());
    let mut report = Report {
        verdict,
        property,
        explanation: String::new(),
        reason,
        proof,
        story,
        others: Vec::new(),
        has_all: false,
        sources: Vec::new(),
        automata: Vec::new(),
        statistics,
    };
    report.explanation = explanation(&report);
    report
}

/// Says for which arguments a proof holds, where the program begins with a function that has some.
pub fn limit(report: &mut Report, task: &Task, entry: &Entry) {
    let has_some = |proc: &raddle_ir::Procedure| proc.name == entry.function && !proc.params.is_empty();
    let Some(proof) = report.proof.as_mut().filter(|_| task.program().procs.iter().any(has_some)) else { return };
    let Entry { pointer_depth, array_length, .. } = entry;
    let words = format!(
        "any numbers and pointers to fresh objects (--pointer-depth {pointer_depth}, --array-length {array_length}); \
         accesses past them end the path"
    );
    report.explanation.push_str(&format!(" It holds for {words}."));
    proof.holds_for = Some(words);
}

fn invariants(task: Option<&Task>, proof: &raddle_engine::Proof) -> Vec<Invariant> {
    let Some(task) = task else { return Vec::new() };
    let all = proof.invariants.all.iter().filter(|invariant| invariant.is_loop).filter_map(|invariant| {
        let (program, proc) = (task.program(), task.program().proc(invariant.proc));
        let place = place(program, proc.locations[invariant.loc.index()].span)?;
        let expression = proof.invariants.to_c(program, *invariant)?;
        Some(Invariant { place, function: proc.name.clone(), expression })
    });
    all.collect()
}

/// The verdict in a sentence or two.
fn explanation(report: &Report) -> String {
    let seconds = report.statistics["cpu_seconds"].as_f64().unwrap_or(0.0);
    match (&report.story, &report.proof, &report.reason) {
        (Some(story), ..) => {
            let threads = match story.threads.len() {
                1 => String::new(),
                threads => format!(" with {threads} threads and {} context switches", story.switches),
            };
            let Place { file, line, .. } = &story.place;
            let steps = story.steps.len();
            format!("{} at {file}:{line}, in an execution of {steps} steps{threads}; it was replayed.", story.violation)
        }
        (None, Some(proof), _) => {
            let by = if proof.engine.is_empty() { String::new() } else { format!(" by {}", proof.engine) };
            format!("No execution violates the property. Proved{by} in {seconds:.2} s: {}.", proof.words)
        }
        (None, None, Some(reason)) => match &reason.place {
            Some(place) => format!("{}:{}: {}", place.file, place.line, reason.words),
            None => reason.words.clone(),
        },
        _ => String::new(),
    }
}
