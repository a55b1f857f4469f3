//! A story on the terminal: numbered steps with a lane for each thread, the user's own line, and the values beside it.

use crate::fold::{Line, fold, kinds};
use crate::report::{Found, Reason, Report};
use crate::story::{Access, AccessKind, Place, Step, Story};
use std::cmp::Ordering;

/// So many inputs are listed.
const MOST_INPUTS: usize = 20;
/// The user's line takes so many columns at most, and the values beside it.
const SOURCE: usize = 48;
const VALUES: usize = 100;

/// A result for people.
pub fn text(report: &Report, full: bool) -> String {
    match (&report.story, &report.reason) {
        (Some(story), _) => told(story, full) + &others(report),
        (None, Some(Reason { hint: Some(hint), .. })) => format!("{}\n{hint}\n", report.explanation),
        _ if report.explanation.is_empty() => String::new(),
        _ => format!("{}\n", report.explanation),
    }
}

/// The violations besides the one that is told.
fn others(report: &Report) -> String {
    let mut out = String::new();
    for Found { place, words } in &report.others {
        out.push_str(&format!("{}:{}: {words}\n", visible(&place.file), place.line));
    }
    match (report.others.len(), report.has_all) {
        (0, false) => {}
        (more, true) => out.push_str(&format!("{} in all; without them the property holds\n", violations(more + 1))),
        (more, false) => out.push_str(&format!("{} so far; there may be more\n", violations(more + 1))),
    }
    out
}

fn violations(count: usize) -> String {
    if count == 1 { "1 violation".into() } else { format!("{count} violations") }
}

/// The story, with only those steps that the violation depends on unless all are wanted.
fn told(story: &Story, full: bool) -> String {
    let mut out = format!("{}:{}: {}\n", visible(&story.place.file), story.place.line, story.violation);
    let shown = folded(story, full);
    let inputs = &story.inputs;
    if !inputs.is_empty() {
        out.push_str("\nInputs\n");
        for input in inputs.iter().take(MOST_INPUTS) {
            out.push_str(&format!(
                "  step {:<4} {}  {} = {}\n",
                input.step,
                place(&input.place),
                visible(&input.source),
                input.value
            ));
        }
        if inputs.len() > MOST_INPUTS {
            out.push_str(&format!("  … {} more\n", inputs.len() - MOST_INPUTS));
        }
    }
    out.push('\n');
    out.push_str(&steps(story, &shown, full));
    out
}

/// The numbers of the steps that are shown.
fn folded(story: &Story, full: bool) -> Vec<usize> {
    (1..=story.steps.len()).filter(|number| full || is_needed(story, *number)).collect()
}

fn is_needed(story: &Story, number: usize) -> bool {
    story.step(number).is_some_and(|step| step.needed)
}

fn steps(story: &Story, shown: &[usize], full: bool) -> String {
    let lanes: Vec<u32> = lanes(story, shown);
    let mut out = header(story, &lanes);
    let is_one_line = |steps: &[usize]| joined(story, steps, false).chars().count() <= VALUES;
    let lines = match full {
        true => shown.iter().map(|step| Line::Steps(vec![*step])).collect(),
        false => fold(story, shown, &is_one_line),
    };
    let places = || shown.iter().filter_map(|number| story.step(*number)).map(|step| &step.place);
    // Where all is in the file that the first line names, lines do.
    let is_one_file = places().all(|place| place.file == story.place.file || place.line == 0);
    let place_of = |steps: &[usize]| place_of(story, steps, is_one_file);
    let width = lines.iter().map(|line| place_of(line.steps()).chars().count()).max().unwrap_or(0).min(32);
    let mut thread = None;
    for (at, line) in lines.iter().enumerate() {
        let steps = line.steps();
        let Some(first) = steps.first().and_then(|number| story.step(*number)) else { continue };
        let switch = thread.is_some_and(|last| last != first.thread);
        thread = steps.last().and_then(|number| story.step(*number)).map(|step| step.thread);
        let mark = if switch { '↷' } else { ' ' };
        let (lane, number) = (lane_text(&lanes, Some(first.thread)), steps[0]);
        match line {
            Line::Steps(steps) => {
                let source = shortened(&sources(story, steps), SOURCE);
                let values = joined(story, steps, full);
                let is_last = at + 1 == lines.len();
                let values = if full || is_last { visible(&values) } else { shortened(&values, VALUES) };
                let line =
                    format!("{number:>4}{mark}  {lane}  {:<width$}  {source:<SOURCE$}  {values}", place_of(steps));
                out.push_str(line.trim_end());
                out.push('\n');
            }
            Line::Again { times, steps } => {
                let times = if *times == 1 { "once more".into() } else { format!("{times} more times") };
                out.push_str(&format!("{:>4}{mark}  {lane}  … {times} ({})\n", "", kinds(story, steps)));
            }
            Line::Left(steps) => {
                let is_of_one = steps.iter().all(|n| story.step(*n).is_some_and(|step| step.thread == first.thread));
                let lane = lane_text(&lanes, Some(first.thread).filter(|_| is_of_one));
                out.push_str(&format!("{:>4}{mark}  {lane}  … {} (--full shows them)\n", "", kinds(story, steps)));
            }
        }
    }
    let hidden = story.steps.len() - shown.len();
    if hidden > 0 {
        let steps = if hidden == 1 { "step" } else { "steps" };
        out.push_str(&format!(
            "folded: {hidden} {steps} from which no value or branch leads to the violation (--full shows all)\n"
        ));
    }
    if story.omitted > 0 {
        out.push_str(&format!("left out: {} steps, for the execution is too long to tell\n", story.omitted));
    }
    out
}

/// Where the steps of a line are.
fn place_of(story: &Story, steps: &[usize], is_one_file: bool) -> String {
    let place_at = |number: Option<&usize>| number.and_then(|number| story.step(*number)).map(|step| &step.place);
    let (Some(first), Some(last)) = (place_at(steps.first()), place_at(steps.last())) else { return String::new() };
    let text = if is_one_file && first.line > 0 { first.line.to_string() } else { place(first) };
    match last.line.cmp(&first.line) {
        Ordering::Equal => text,
        Ordering::Greater => format!("{text}-{}", last.line),
        Ordering::Less => format!("{text}…"),
    }
}

/// The user's lines of steps.
fn sources(story: &Story, steps: &[usize]) -> String {
    let all = steps.iter().filter_map(|number| story.step(*number)).map(|step| step.source.as_str());
    all.collect::<Vec<_>>().join(" ")
}

/// What steps read, wrote and did; the same read once.
fn joined(story: &Story, steps: &[usize], full: bool) -> String {
    let mut all: Vec<String> = Vec::new();
    for step in steps.iter().filter_map(|number| story.step(*number)) {
        let new = if steps.len() > 1 { briefly(step) } else { values(step, full) };
        new.into_iter().for_each(|value| {
            if full || value.contains(" := ") || !all.contains(&value) {
                all.push(value);
            }
        });
    }
    all.join("; ")
}

/// The threads that have steps among those shown.
fn lanes(story: &Story, shown: &[usize]) -> Vec<u32> {
    let mut lanes: Vec<u32> = shown.iter().filter_map(|number| story.step(*number)).map(|step| step.thread).collect();
    lanes.sort_unstable();
    lanes.dedup();
    lanes
}

/// More threads than this have no lanes of their own, but a number.
const MOST_LANES: usize = 16;

fn header(story: &Story, lanes: &[u32]) -> String {
    let name = |thread: &u32| {
        let of = story.threads.get(*thread as usize);
        format!("{thread} {}", of.map_or("?", |of| &of.function))
    };
    let all: Vec<String> = lanes.iter().map(name).collect();
    if all.len() <= 1 {
        return String::new();
    }
    let heads: Vec<String> = match lanes.len() <= MOST_LANES {
        true => lanes.iter().map(|thread| format!("{thread:<width$}", width = lane_width(lanes))).collect(),
        false => vec!["thread".into()],
    };
    format!("Threads: {}\n{:>5}  {}\n", all.join(", "), "step", heads.concat().trim_end())
}

fn lane_text(lanes: &[u32], active: Option<u32>) -> String {
    if lanes.len() > MOST_LANES {
        return active.map_or(" ".repeat(6), |thread| format!("{thread:<6}"));
    }
    if lanes.len() <= 1 {
        return String::new();
    }
    let lane = |lane: &u32| {
        let mark = if Some(*lane) == active { '●' } else { '│' };
        format!("{mark:<width$}", width = lane_width(lanes))
    };
    lanes.iter().map(lane).collect()
}

/// The number of a thread, and a space.
fn lane_width(lanes: &[u32]) -> usize {
    lanes.last().map_or(0, |last| last.to_string().len()) + 1
}

/// What a step read, wrote and did.
fn values(step: &Step, full: bool) -> Vec<String> {
    let told = step.accesses.iter().filter(|access| full || access.needed);
    let mut parts: Vec<String> = told.map(access).collect();
    parts.extend(step.notes.iter().cloned());
    if !step.locks.is_empty() && step.accesses.iter().any(|access| access.cell.is_some()) {
        let mut held = step.locks.clone();
        held.dedup();
        parts.push(format!("[holds {}]", held.join(", ")));
    }
    parts
}

/// The same without calls of inputs that a variable takes its value from.
fn briefly(step: &Step) -> Vec<String> {
    let mut parts = values(step, false);
    if parts.iter().any(|part| part.contains(" := ")) && parts.iter().any(|part| part.contains(" gives ")) {
        parts.retain(|part| !part.contains(" gives "));
        if let Some(last) = parts.iter_mut().rfind(|part| part.contains(" := ")) {
            last.push_str(" (input)");
        }
    }
    parts
}

/// A value read or written.
pub fn access(access: &Access) -> String {
    let Access { kind, name, value, from, initial, .. } = access;
    match (kind, from) {
        (AccessKind::Write, _) => format!("{name} := {value}"),
        (AccessKind::Read, Some(step)) => format!("{name} = {value} (step {step})"),
        (AccessKind::Read, None) if *initial => format!("{name} = {value} (initial)"),
        (AccessKind::Read, None) => format!("{name} = {value}"),
    }
}

fn place(place: &Place) -> String {
    match place.line {
        0 => "-".into(),
        line => format!("{}:{line}", place.file.rsplit('/').next().unwrap_or(&place.file)),
    }
}

/// Without what a terminal would obey: control characters, and marks that turn the direction of text.
fn visible(text: &str) -> String {
    let shown = |c: char| match c {
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{7f}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}

fn shortened(text: &str, width: usize) -> String {
    let text = visible(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    match text.chars().count() > width {
        true => text.chars().take(width - 1).chain(['…']).collect(),
        false => text,
    }
}

pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
