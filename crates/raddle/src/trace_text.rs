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

/// So many steps are shown.
const HEAD: usize = 40;
const TAIL: usize = 160;

pub fn render(program: &Program, trace: &Trace) -> String {
    let gap = trace.gap.min(trace.steps.len());
    // Steps of bare control flow say nothing.
    let says_something = |at: &usize| !trace.steps[*at].text.is_empty();
    let mut head: Vec<usize> = (0..gap).filter(says_something).collect();
    let mut tail: Vec<usize> = (gap..trace.steps.len()).filter(says_something).collect();
    let mut hidden = trace.omitted;
    if head.len() + tail.len() > HEAD + TAIL {
        if head.is_empty() && hidden == 0 {
            head = tail.drain(..HEAD).collect();
        }
        head.truncate(HEAD);
        tail.drain(..tail.len().saturating_sub(TAIL));
        let end = head.last().map_or(0, |last| last + 1);
        hidden += tail.first().map_or(0, |first| first - end) as u64;
    }
    let [head, tail] = [head, tail].map(|of| of.into_iter().map(|at| &trace.steps[at]).collect::<Vec<_>>());
    let place_of = |step: &TraceStep| place(program, step.span);
    let lengths = head.iter().chain(&tail).map(|step| place_of(step).chars().count());
    let width = lengths.max().unwrap_or(0).min(48);
    let line = |step: &&TraceStep| {
        let (process, place) = (&program.procs[step.proc.index()].name, place_of(step));
        format!("  thread {:<2} {process:<12} {place:<width$}  {}\n", step.thread, step.text)
    };
    let mut text: String = head.iter().map(line).collect();
    if hidden > 0 {
        text.push_str(&format!("  … {hidden} steps are not shown\n"));
    }
    text.extend(tail.iter().map(line));
    if !trace.end.is_empty() {
        text.push_str(&format!("  {}\n", trace.end));
    }
    text
}
