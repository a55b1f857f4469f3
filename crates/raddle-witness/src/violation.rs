//! A violation witness from a replayed counterexample.
//!
//! The waypoints: what each input call returned, each call that made a thread, the statements with which threads go on after others had their turn, and the statement that violates
//! the property. A thread of the Program has the number that the format gives it: both count threads in the order in which they are made. A step in a library model is told where the user's code called the model. The
//! order of threads is told by assumptions that always hold, where a thread begins a statement; of a thread that was interrupted inside a statement, where it begins the next one.

use crate::format::{Action, Constraint, Line, Location, Segment, Version, Waypoint, WaypointKind};
use raddle_interp::{Schedule, Source, Trace, TraceStep};
use raddle_ir::{EdgeId, HavocReason, Label, LocId, ProcId, Program, Sort, Span, VarId, eval};

/// Tells where places of the Program are in the input files.
pub trait Places {
    fn locate(&self, span: Span) -> Option<Location>;
    /// The word that stands there.
    fn word(&self, span: Span) -> String;
    /// The place of the statement that begins at a location, if one does.
    fn statement(&self, proc: ProcId, loc: LocId) -> Option<Span>;
}

/// The segments that lead to the violation, and the version of the format that they need; or why there are none.
pub fn violation(
    program: &Program,
    schedule: &Schedule,
    trace: &Trace,
    places: &dyn Places,
) -> Result<(Version, Vec<Segment>), String> {
    let version = if program.starts_threads() { Version::V2_2 } else { Version::V2_0 };
    let mut story =
        Story { program, places, version, users: Vec::new(), segments: Vec::new(), running: 0, waits: Vec::new() };
    for (number, step) in trace.steps.iter().enumerate() {
        let skipped = if number < trace.gap { 0 } else { trace.omitted as usize };
        let values = schedule.steps.get(number + skipped).map_or(&[][..], |step| &step.values);
        story.step(step, values)?;
    }
    let last = trace.steps.last().ok_or("the counterexample has no steps")?;
    let target = story.user_place(last.thread).ok_or("the violation is in no input file")?;
    story.follow(last.thread, WaypointKind::Target, target, None);
    Ok((version, story.segments))
}

struct Story<'a> {
    program: &'a Program,
    places: &'a dyn Places,
    version: Version,
    /// For each thread, the last step in the user's code: its place and its function.
    users: Vec<Option<(Span, String)>>,
    segments: Vec<Segment>,
    /// The thread of the last step, and those that were interrupted since they were last told of.
    running: u32,
    waits: Vec<u32>,
}

impl Story<'_> {
    fn step(&mut self, step: &TraceStep, values: &[(Source, u128)]) -> Result<(), String> {
        let program = self.program;
        let (thread, proc) = (step.thread, program.proc(step.proc));
        if self.users.len() <= thread as usize {
            self.users.resize(thread as usize + 1, None);
        }
        if !step.span.is_none() && !program.is_of_library(step.span) && !program.is_model(step.proc) {
            self.users[thread as usize] = Some((step.span, proc.name.clone()));
        }
        self.turn(step);
        let labels = step.edge.map_or(&[][..], |edge| &proc.edges[edge.index()].labels);
        for label in labels {
            match *label {
                Label::Havoc { var, reason: HavocReason::Input, .. } => self.input(thread, var, values),
                Label::Start { var, .. } => {
                    let place = self.call(thread, var).or_else(|| self.line(thread));
                    let place = place.ok_or("a thread is started in no input file")?;
                    self.follow(thread, WaypointKind::FunctionEnter, place, None);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A thread that goes on after another one is told of where it begins a statement.
    fn turn(&mut self, step: &TraceStep) {
        if step.thread != self.running {
            self.running = step.thread;
            if !self.waits.contains(&step.thread) {
                self.waits.push(step.thread);
            }
        }
        let begins = |edge: EdgeId| {
            let source = self.program.proc(step.proc).edges[edge.index()].source;
            self.places.statement(step.proc, source)
        };
        let Some(span) = step.edge.filter(|_| self.waits.contains(&step.thread)).and_then(begins) else { return };
        if self.program.is_of_library(span) {
            return;
        }
        // Without a column, readers take the first statement of the line.
        let Some(place) = self.places.locate(span).filter(|place| place.column.is_some()) else { return };
        self.waits.retain(|thread| *thread != step.thread);
        let location = Location { function: Some(self.program.proc(step.proc).name.clone()), ..place };
        let constraint = Constraint { value: "1".into(), format: Some("c_expression".into()) };
        self.follow(step.thread, WaypointKind::Assumption, location, Some(constraint));
    }

    /// What an input call returned. A value that nobody reads may be any.
    fn input(&mut self, thread: u32, var: VarId, values: &[(Source, u128)]) {
        let given = values.iter().find(|(source, _)| *source == Source::Havoc(var));
        let of = self.program.var(var);
        let bits = given.map_or(0, |(_, bits)| *bits);
        let Some(value) = c_constant(bits, of.sort, of.signed) else { return };
        let Some(place) = self.call(thread, var) else { return };
        let format = if self.version == Version::V2_0 { "acsl_expression" } else { "ext_c_expression" };
        let constraint = Constraint { value: format!("\\result == {value}"), format: Some(format.into()) };
        self.follow(thread, WaypointKind::FunctionReturn, place, Some(constraint));
    }

    /// The closing parenthesis of the call that a variable has the result of.
    fn call(&self, thread: u32, var: VarId) -> Option<Location> {
        let span = self.program.var(var).span;
        if span.is_none() || self.program.is_of_library(span) {
            return None;
        }
        Some(Location { function: self.function(thread), ..self.places.locate(span)? })
    }

    fn user_place(&self, thread: u32) -> Option<Location> {
        let (span, _) = self.users.get(thread as usize)?.as_ref()?;
        Some(Location { function: self.function(thread), ..self.places.locate(*span)? })
    }

    /// The line alone: of the user's code, no more is known of where a model was called.
    fn line(&self, thread: u32) -> Option<Location> {
        Some(Location { column: None, ..self.user_place(thread)? })
    }

    fn function(&self, thread: u32) -> Option<String> {
        self.users.get(thread as usize)?.as_ref().map(|(_, function)| function.clone())
    }

    fn follow(&mut self, thread: u32, kind: WaypointKind, location: Location, constraint: Option<Constraint>) {
        let thread_id = (self.version == Version::V2_2).then_some(thread);
        let at = Line::default();
        let waypoint = Waypoint { kind, action: Action::Follow, location, constraint, thread_id, at };
        self.segments.push(Segment { waypoints: vec![waypoint], at });
    }
}

/// A value as a constant of C; `None` if there is none (infinities, wide floats).
fn c_constant(bits: u128, sort: Sort, signed: bool) -> Option<String> {
    match sort {
        Sort::Bool => Some(u8::from(bits != 0).to_string()),
        Sort::F64 => Some(f64::from_bits(bits as u64)).filter(|value| value.is_finite()).map(|v| format!("{v:?}")),
        Sort::F32 => Some(f32::from_bits(bits as u32)).filter(|value| value.is_finite()).map(|v| format!("{v:?}f")),
        Sort::Bits(width) if width <= 64 => {
            let bits = bits & eval::mask(width);
            if signed {
                // The least value of the widest type has no literal of its own.
                return match eval::to_signed(width, bits) {
                    least if least == i128::from(i64::MIN) => Some("(-9223372036854775807LL - 1)".into()),
                    value => Some(value.to_string()),
                };
            }
            let suffix = if bits > i64::MAX as u128 { "ULL" } else { "" };
            Some(format!("{bits}{suffix}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants() {
        let int = |bits: u128, width, signed| c_constant(bits, Sort::Bits(width), signed).unwrap();
        assert_eq!(int(0xffff_fffb, 32, true), "-5");
        assert_eq!(int(0xffff_fffb, 32, false), "4294967291");
        assert_eq!(int(1 << 63, 64, true), "(-9223372036854775807LL - 1)");
        assert_eq!(int(1 << 63, 64, false), "9223372036854775808ULL");
        assert_eq!(c_constant(1, Sort::Bool, false).unwrap(), "1");
        assert_eq!(c_constant(u128::from(0.1f64.to_bits()), Sort::F64, true).unwrap(), "0.1");
        assert_eq!(c_constant(u128::from(f64::NAN.to_bits()), Sort::F64, true), None);
    }
}
