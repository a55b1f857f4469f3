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

pub fn render(program: &Program, trace: &Trace) -> String {
    let mut text = String::new();
    if trace.omitted > 0 {
        text.push_str(&format!("  … {} steps before are not shown\n", trace.omitted));
    }
    let places: Vec<String> = trace.steps.iter().map(|s| place(program, s.span)).collect();
    let width = places.iter().map(|p| p.chars().count()).max().unwrap_or(0).min(48);
    for (step, place) in trace.steps.iter().zip(&places) {
        let process = &program.procs[step.proc.index()].name;
        text.push_str(&format!("  thread {:<2} {process:<12} {place:<width$}  {}\n", step.thread, step.text));
    }
    if !trace.end.is_empty() {
        text.push_str(&format!("  {}\n", trace.end));
    }
    text
}
