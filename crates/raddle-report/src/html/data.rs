//! The data of the page: a [`Report`] as short JSON. A file is named once, a step's line is left out where the source has it, and what is empty is not there.
//! `html/model.js` reads it.

use super::happens_before::{self, Order};
use super::layered::{self, Drawing};
use crate::{Access, AccessKind, Automaton, Place, Report, Step, Story};
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
struct Data<'a> {
    verdict: &'a str,
    property: &'a str,
    reason: Option<Why<'a>>,
    proof: Option<Proved<'a>>,
    files: Vec<File<'a>>,
    story: Option<Told<'a>>,
    order: Option<Order>,
    automata: Vec<Drawn<'a>>,
    statistics: &'a Value,
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    /// None: a place is in it, but the report has not its text.
    text: Option<&'a str>,
}

/// File, line, column.
type At = (usize, u32, u32);

#[derive(Serialize)]
struct Why<'a> {
    code: &'a str,
    words: &'a str,
    at: Option<At>,
    hint: Option<&'a str>,
}

#[derive(Serialize)]
struct Proved<'a> {
    engine: &'a str,
    words: &'a str,
    invariants: Vec<(At, &'a str, &'a str)>,
}

#[derive(Serialize)]
struct Told<'a> {
    violation: &'a str,
    at: At,
    threads: Vec<(&'a str, Option<usize>)>,
    /// Step, thread, place, where from, value.
    inputs: Vec<(usize, u32, At, &'a str, &'a str)>,
    functions: Vec<&'a str>,
    steps: Vec<OneStep<'a>>,
    omitted: u64,
    switches: u64,
    switches_as_found: u64,
}

#[derive(Serialize)]
struct OneStep<'a> {
    /// Thread, function.
    t: (u32, usize),
    p: At,
    #[serde(skip_serializing_if = "Option::is_none")]
    s: Option<&'a str>,
    #[serde(skip_serializing_if = "is_false")]
    folded: bool,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    locks: &'a [String],
    /// Kind (`r`, `w`; in capitals if other threads may access it; with a dash if the violation does not depend on it), name, value, the step whose write a read took (0: it is not known, -1: the initial value).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    a: Vec<(&'static str, &'a str, &'a str, i64)>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notes: &'a [String],
}

#[derive(Serialize)]
struct Drawn<'a> {
    function: &'a str,
    locations: usize,
    edges: usize,
    /// None: too large.
    drawing: Option<Drawing>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// JSON that may stand inside a `script` element.
pub fn json(report: &Report) -> String {
    let mut files = Files::of(report);
    let proof = report.proof.as_ref().map(|proof| Proved {
        engine: &proof.engine,
        words: &proof.words,
        invariants: (proof.invariants.iter())
            .map(|i| (files.at(&i.place), i.function.as_str(), i.expression.as_str()))
            .collect(),
    });
    let reason = report.reason.as_ref().map(|reason| Why {
        code: &reason.code,
        words: &reason.words,
        at: reason.place.as_ref().map(|place| files.at(place)).or_else(|| files.named_in(&reason.words)),
        hint: reason.hint.as_deref(),
    });
    let data = Data {
        verdict: &report.verdict,
        property: &report.property,
        reason,
        proof,
        story: report.story.as_ref().map(|story| told(story, &mut files)),
        order: report.story.as_ref().and_then(happens_before::order),
        automata: drawn(&report.automata),
        statistics: &report.statistics,
        files: files.files,
    };
    inert(&serde_json::to_string(&data).unwrap_or_default())
}

/// The same JSON without a character that means something to the parser of HTML or that a line of script may not have.
/// Outside strings JSON has none of them.
fn inert(json: &str) -> String {
    let mut result = String::with_capacity(json.len() + json.len() / 16);
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => result.push_str(&format!("\\u{:04x}", c as u32)),
            c => result.push(c),
        }
    }
    result
}

struct Files<'a> {
    files: Vec<File<'a>>,
    lines: Vec<Vec<&'a str>>,
}

impl<'a> Files<'a> {
    fn of(report: &'a Report) -> Files<'a> {
        let file = |source: &'a crate::SourceFile| File { path: &source.path, text: Some(&source.text) };
        let lines = |source: &'a crate::SourceFile| source.text.lines().collect();
        Files { files: report.sources.iter().map(file).collect(), lines: report.sources.iter().map(lines).collect() }
    }

    fn at(&mut self, place: &'a Place) -> At {
        let known = self.files.iter().position(|file| file.path == place.file);
        let file = known.unwrap_or_else(|| {
            self.files.push(File { path: &place.file, text: None });
            self.files.len() - 1
        });
        (file, place.line, place.column)
    }

    /// The place in the program that a message begins with: `a.c:7: ...`, `a.c:7:3: ...`.
    fn named_in(&self, message: &str) -> Option<At> {
        let line = |file: &File| message.strip_prefix(file.path)?.strip_prefix(':')?.split(':').next()?.parse().ok();
        self.files.iter().enumerate().find_map(|(number, file)| Some((number, line(file)?, 0)))
    }

    fn line(&self, at: At) -> Option<&'a str> {
        self.lines.get(at.0)?.get((at.1 as usize).checked_sub(1)?).map(|line| line.trim())
    }
}

fn told<'a>(story: &'a Story, files: &mut Files<'a>) -> Told<'a> {
    let mut functions = Vec::new();
    let steps = story.steps.iter().map(|step| one_step(step, files, &mut functions)).collect();
    let inputs = story.inputs.iter();
    let inputs = inputs.map(|i| (i.step, i.thread, files.at(&i.place), i.source.as_str(), i.value.as_str())).collect();
    Told {
        violation: &story.violation,
        at: files.at(&story.place),
        threads: story.threads.iter().map(|thread| (thread.function.as_str(), thread.started_by)).collect(),
        inputs,
        functions,
        steps,
        omitted: story.omitted,
        switches: story.switches,
        switches_as_found: story.switches_as_found,
    }
}

fn one_step<'a>(step: &'a Step, files: &mut Files<'a>, functions: &mut Vec<&'a str>) -> OneStep<'a> {
    let at = files.at(&step.place);
    let known = functions.iter().position(|function| *function == step.function);
    let function = known.unwrap_or_else(|| {
        functions.push(&step.function);
        functions.len() - 1
    });
    OneStep {
        t: (step.thread, function),
        p: at,
        s: Some(step.source.trim()).filter(|source| files.line(at) != Some(source)),
        folded: !step.needed,
        locks: &step.locks,
        a: step.accesses.iter().map(one_access).collect(),
        notes: &step.notes,
    }
}

fn one_access(access: &Access) -> (&'static str, &str, &str, i64) {
    let kind = match (access.kind, access.cell.is_some(), access.needed) {
        (AccessKind::Read, false, true) => "r",
        (AccessKind::Read, false, false) => "r-",
        (AccessKind::Write, false, true) => "w",
        (AccessKind::Write, false, false) => "w-",
        (AccessKind::Read, true, true) => "R",
        (AccessKind::Read, true, false) => "R-",
        (AccessKind::Write, true, true) => "W",
        (AccessKind::Write, true, false) => "W-",
    };
    let from = access.from.map_or(if access.initial { -1 } else { 0 }, |from| from as i64);
    (kind, &access.name, &access.value, from)
}

/// So many edges are drawn in all: the report of a large program stays a page that opens.
const MOST_EDGES: usize = 3000;

fn drawn(automata: &[Automaton]) -> Vec<Drawn<'_>> {
    let mut left = MOST_EDGES;
    let draw = |automaton: &'_ Automaton| {
        let small = automaton.edges.len() <= left && automaton.locations <= layered::MOST_LOCATIONS;
        let drawing = small.then(|| layered::draw(automaton));
        left -= if small { automaton.edges.len() } else { 0 };
        (automaton.locations, automaton.edges.len(), drawing)
    };
    let drawings: Vec<_> = automata.iter().map(draw).collect();
    automata
        .iter()
        .zip(drawings)
        .map(|(automaton, (locations, edges, drawing))| Drawn {
            function: &automaton.function,
            locations,
            edges,
            drawing,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_the_element() {
        let json = inert(r#"["</script><!--","a && b","\u2028"]"#);
        assert_eq!(json, r#"["\u003c/script\u003e\u003c!--","a \u0026\u0026 b","\u2028"]"#);
        assert_eq!(inert("\"\u{2028}\u{2029}\""), r#""\u2028\u2029""#);
        let back: Vec<String> = serde_json::from_str(&json).unwrap();
        assert_eq!(back[0], "</script><!--");
    }
}
