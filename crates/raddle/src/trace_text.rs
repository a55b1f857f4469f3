//! An execution as text: one line a step, with thread, place and what happened.

use raddle_interp::{Trace, TraceStep};
use raddle_ir::{Program, Span};

/// `file:line`, or where nothing in the source corresponds, a dash.
pub fn place(program: &Program, span: Span) -> String {
    match program.files.get(span.file.0 as usize).filter(|_| !span.is_none()) {
        Some(file) => format!("{file}:{}", span.line),
        None => "-".into(),
    }
}

/// So many steps at the beginning and at the end of a trace are of interest, those of bare control flow included.
pub const MOST_STEPS: usize = 2000;
/// Of them so many are shown; `--format json` has all.
const HEAD: usize = 40;
const TAIL: usize = 160;

pub fn render(program: &Program, trace: &Trace) -> String {
    let (before, after) = trace.steps.split_at(trace.gap.min(trace.steps.len()));
    // Steps of bare control flow say nothing.
    let says_something = |step: &&TraceStep| !step.text.is_empty();
    let mut head: Vec<_> = before.iter().filter(says_something).collect();
    let mut tail: Vec<_> = after.iter().filter(says_something).collect();
    let mut hidden = trace.omitted;
    if head.len() + tail.len() > HEAD + TAIL {
        let count = head.len() + tail.len();
        if head.is_empty() && hidden == 0 {
            head = tail.drain(..HEAD).collect();
        }
        head.truncate(HEAD);
        tail.drain(..tail.len().saturating_sub(TAIL));
        hidden += (count - head.len() - tail.len()) as u64;
    }
    let place_of = |step: &TraceStep| place(program, step.span);
    let lengths = head.iter().chain(&tail).map(|step| place_of(step).chars().count());
    let width = lengths.max().unwrap_or(0).min(48);
    let line = |step: &&TraceStep| {
        let (process, place) = (&program.procs[step.proc.index()].name, place_of(step));
        format!("  thread {:<2} {process:<12} {place:<width$}  {}\n", step.thread, step.text)
    };
    let mut text: String = head.iter().map(line).collect();
    if hidden > 0 {
        let hint = if head.is_empty() { "" } else { " (--format json has all)" };
        text.push_str(&format!("  … {hidden} steps are not shown{hint}\n"));
    }
    text.extend(tail.iter().map(line));
    if !trace.end.is_empty() {
        text.push_str(&format!("  {}\n", trace.end));
    }
    text
}
