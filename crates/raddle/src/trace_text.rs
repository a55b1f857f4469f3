//! An execution as text: one line a step, with thread, place and what happened.

use raddle_interp::Trace;
use raddle_ir::{Program, Span};

/// `file:line`, or where nothing in the source corresponds, a dash.
pub fn place(program: &Program, span: Span) -> String {
    match program.files.get(span.file.0 as usize).filter(|_| !span.is_none()) {
        Some(file) => format!("{file}:{}", span.line),
        None => "-".into(),
    }
}

/// A longer trace is shown without its middle; `--format json` has all of it.
const HEAD: usize = 40;
const TAIL: usize = 160;

pub fn render(program: &Program, trace: &Trace) -> String {
    let mut text = String::new();
    if trace.omitted > 0 {
        text.push_str(&format!("  … {} steps before are not shown\n", trace.omitted));
    }
    // Steps of bare control flow say nothing.
    let steps: Vec<_> = trace.steps.iter().filter(|s| !s.text.is_empty()).collect();
    let count = steps.len();
    let hidden = if count > HEAD + TAIL { HEAD..count - TAIL } else { 0..0 };
    let shown = || steps.iter().enumerate().filter(|(i, _)| !hidden.contains(i));
    let place_of = |span| place(program, span);
    let width = shown().map(|(_, s)| place_of(s.span).chars().count()).max().unwrap_or(0).min(48);
    for (index, step) in shown() {
        if index == hidden.end && !hidden.is_empty() {
            text.push_str(&format!("  … {} steps are not shown (--format json has all)\n", hidden.len()));
        }
        let process = &program.procs[step.proc.index()].name;
        let place = place_of(step.span);
        text.push_str(&format!("  thread {:<2} {process:<12} {place:<width$}  {}\n", step.thread, step.text));
    }
    if !trace.end.is_empty() {
        text.push_str(&format!("  {}\n", trace.end));
    }
    text
}
