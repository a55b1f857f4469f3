//! Replays a recorded execution step by step, by the step semantics alone: this is what confirms a counterexample.

mod calm;
pub mod execution;
mod lead_back;
mod record;
pub mod trace;

pub use calm::{calm, switches};
pub use lead_back::{Misled, lead_back};

use crate::machine::code::{Code, compile_under};
use crate::machine::oracle::{Ask, Asked, Held, Oracle};
use crate::machine::state::{Machine, Status, outgoing};
use crate::machine::step::{Blocked, Flow, HazardKind, end_thread, take_edge};
use crate::machine::store_buffers::{PendingPlace, commit, committable};
use crate::replay::execution::Execution;
use crate::replay::record::Recorder;
use crate::replay::trace::{
    Trace, TraceStep, describe, describe_choice, describe_commit, describe_value, edge_span, location_span,
};
use raddle_ir::MemoryModel;
use raddle_ir::{EdgeId, ProcId, Program, Span, VarId, Violation};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// One step of an execution. There may be millions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ScheduleStep {
    /// The handle of the thread: 0 is the first process.
    pub thread: u32,
    pub action: Action,
    /// The values of undetermined things. A value that nobody asks for is ignored.
    pub values: Box<[(Source, u128)]>,
}

/// What a thread does in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Action {
    /// It takes an edge.
    Edge(EdgeId),
    /// It is at the exit of its process and ends.
    End,
    /// One of its pending stores becomes visible to all. Which one, as the position among its pending stores in program order (0 is the oldest).
    Commit(u32),
}

impl ScheduleStep {
    /// A step in which nothing undetermined is read.
    pub fn of(thread: u32, action: Action) -> Self {
        ScheduleStep { thread, action, values: Box::default() }
    }

    pub fn edge(&self) -> Option<EdgeId> {
        match self.action {
            Action::Edge(id) => Some(id),
            _ => None,
        }
    }
}

/// Where an undetermined value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Source {
    /// The next havoc of a variable, whenever its value is read.
    Havoc(VarId),
    /// The load at a position among the edge's labels: what is undetermined of the bytes that it reads is as in the value.
    Load(u32),
    /// A local of the thread's innermost activation that was never assigned, whenever it is read.
    Local(VarId),
    /// The next undetermined thing that the step reads and of which nothing else here tells.
    Read,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Schedule {
    pub steps: Vec<ScheduleStep>,
    pub memory_model: MemoryModel,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayEnd {
    ErrorReached(Violation),
    /// The program ended, with a status.
    Exited(u128),
    Hazard(HazardKind, String),
    /// The step with this number cannot be taken, and why.
    Refused(usize, String),
    /// The schedule is over, the program is not.
    Unfinished,
    Unsupported(String),
}

impl ReplayEnd {
    /// Is a property violated?
    pub fn is_error(&self) -> bool {
        matches!(self, ReplayEnd::ErrorReached(_))
    }

    /// For people.
    pub fn words(&self) -> String {
        match self {
            ReplayEnd::ErrorReached(violation) => {
                format!("the property {} is violated: {}", violation.property().name(), violation.words())
            }
            ReplayEnd::Exited(status) => format!("the program exits with status {status}"),
            ReplayEnd::Hazard(_, what) => what.clone(),
            ReplayEnd::Refused(number, why) => format!("step {number} cannot be taken: {why}"),
            ReplayEnd::Unfinished => "the schedule ends here".into(),
            ReplayEnd::Unsupported(what) => format!("not supported: {what}"),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayResult {
    pub end: ReplayEnd,
    pub trace: Trace,
    /// How many steps were taken, with the one that it ended with.
    pub taken: usize,
}

/// The steps that a trace tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Telling {
    Nothing,
    All,
    /// So many at the beginning and as many at the end, which is much faster for an execution of millions.
    Ends(usize),
}

impl Telling {
    fn includes(self, number: usize, count: usize) -> bool {
        match self {
            Telling::Nothing => false,
            Telling::All => true,
            Telling::Ends(of_each) => number < of_each || number + of_each >= count,
        }
    }
}

/// Runs a Program along a schedule.
pub fn replay(program: &Program, schedule: &Schedule, telling: Telling) -> ReplayResult {
    match compile_under(program, schedule.memory_model) {
        Ok(code) => replay_code(&code, schedule, telling),
        Err(unsupported) => {
            ReplayResult { end: ReplayEnd::Unsupported(unsupported.0), trace: Trace::default(), taken: 0 }
        }
    }
}

struct Recorded<'a> {
    code: &'a Code<'a>,
    /// The values of this step, and those that are left.
    all: Vec<(Source, u128)>,
    values: Vec<(Source, u128)>,
    /// The label that is executed next, as a position on its edge.
    label: u32,
    /// Values of undetermined stack positions.
    given: FxHashMap<(u32, u32), u128>,
    text: Vec<String>,
    /// Is anybody interested in the text?
    tells: bool,
    /// The computed address that the label under way went to.
    touched: Option<u64>,
    recorder: Option<Recorder<'a>>,
}

impl<'a> Recorded<'a> {
    fn new(code: &'a Code<'a>) -> Self {
        Recorded {
            code,
            all: Vec::new(),
            values: Vec::new(),
            label: 0,
            given: FxHashMap::default(),
            text: Vec::new(),
            tells: false,
            touched: None,
            recorder: None,
        }
    }

    /// The values of the next step.
    fn begin(&mut self, machine: &Machine, step: &ScheduleStep) {
        self.all.clear();
        self.values.clear();
        self.label = 0;
        if step.values.is_empty() {
            return;
        }
        self.all.extend_from_slice(&step.values);
        self.values.extend_from_slice(&step.values);
        if machine.threads.get(step.thread as usize).is_none_or(|thread| thread.status != Status::Running) {
            return;
        }
        let proc = machine.top(step.thread).proc as usize;
        for (source, value) in &step.values {
            let Source::Local(var) = source else { continue };
            let at = self.code.program.procs[proc].locals.iter().position(|local| local == var);
            if let Some(slot) = at.map(|at| self.code.procs[proc].slots[at]) {
                let position = machine.position(step.thread, slot.index);
                self.given.entry((step.thread, position)).or_insert(*value);
            }
        }
    }

    fn take(&mut self, wanted: Source) -> Option<u128> {
        let which = self.values.iter().position(|(source, _)| *source == wanted)?;
        Some(self.values.remove(which).1)
    }

    /// The value of a part of what is loaded now.
    fn loaded(&self, offset: u32) -> Option<u128> {
        let of = self.values.iter().find(|(source, _)| *source == Source::Load(self.label));
        of.map(|(_, value)| value.checked_shr(8 * offset).unwrap_or(0))
    }
}

impl Oracle for Recorded<'_> {
    const NARROW: bool = false;
    const NOTES: bool = true;
    const TOUCHES: bool = true;

    fn choose(&mut self, ask: &Ask) -> u128 {
        let given = match ask.asked {
            Asked::Local { index } => self.given.get(&(ask.thread, index)).copied(),
            Asked::Shared => self.loaded(0),
            Asked::Memory { offset, .. } => self.loaded(offset),
        };
        let value = ask.fit(given.or_else(|| self.take(Source::Read)).unwrap_or(ask.low));
        if self.tells {
            self.text.push(describe_choice(self.code, ask, value));
        }
        if let (Some(recorder), Asked::Local { index }) = (&mut self.recorder, ask.asked) {
            recorder.chosen((ask.thread, index), value);
        }
        value
    }

    fn pick(&mut self, _ways: u32) -> u32 {
        0
    }

    fn moved(&mut self, from: Held, to: (u32, u32)) {
        if let Some(recorder) = &mut self.recorder {
            recorder.moved((from.thread, from.index), to);
        }
        match self.given.remove(&(from.thread, from.index)) {
            Some(value) => self.given.insert(to, value),
            None => self.given.remove(&to),
        };
    }

    fn has_value(&self, of: Held) -> bool {
        self.given.contains_key(&(of.thread, of.index))
    }

    fn given(&mut self, var: VarId) -> Option<u128> {
        let value = self.take(Source::Havoc(var))?;
        if self.tells {
            self.text.push(describe_value(self.code, var, value));
        }
        Some(value)
    }

    fn fresh(&mut self, at: (u32, u32), var: VarId) {
        self.given.remove(&at);
        if let Some(value) = self.take(Source::Havoc(var)) {
            self.given.insert(at, value);
        }
    }

    fn commits(&mut self, code: &Code, machine: &Machine, place: PendingPlace) {
        if self.tells {
            self.text.push(describe_commit(code, machine, place));
        }
    }

    fn entered(&mut self, thread: u32, base: u32) {
        self.given.retain(|(t, index), _| *t != thread || *index < base);
    }

    fn touched(&mut self, _: &Machine, _: u32, _: u32, _: Option<u32>, address: u64) {
        self.touched = Some(address);
    }

    fn again(&mut self) {
        self.values.clone_from(&self.all);
        self.text.clear();
        if let Some(recorder) = &mut self.recorder {
            recorder.again();
        }
    }

    fn before_label(&mut self, label: u32) {
        self.label = label;
    }

    fn after_label(&mut self, code: &Code, machine: &Machine, thread: u32, label: u32) {
        let touched = self.touched.take();
        if let Some(recorder) = &mut self.recorder {
            recorder.after_label(machine, thread, label, touched);
        }
        if !self.tells {
            return;
        }
        let text = describe(code, machine, thread, label, touched);
        if !text.is_empty() {
            self.text.push(text);
        }
    }
}

/// The procedure that a step belongs to, and where it stands in the source.
fn show_step(code: &Code, machine: &Machine, step: &ScheduleStep) -> Option<(ProcId, Span)> {
    let thread = machine.threads.get(step.thread as usize)?;
    if let Action::Commit(at) = step.action {
        let pending = thread.pending.get(at as usize)?;
        return Some((ProcId(code.edges[pending.edge as usize].proc), edge_span(code, pending.edge)));
    }
    let proc = machine.top(step.thread).proc;
    let span = match step.edge() {
        Some(id) => edge_span(code, code.procs[proc as usize].first_edge + id.0),
        None => location_span(code, machine, step.thread),
    };
    Some((ProcId(proc), span))
}

/// Takes a step of a schedule; or says why it cannot be taken.
fn take_step<O: Oracle>(
    code: &Code,
    machine: &mut Machine,
    step: &ScheduleStep,
    oracle: &mut O,
) -> Result<Flow, &'static str> {
    let thread = step.thread;
    if machine.threads.get(thread as usize).is_none_or(|t| t.status != Status::Running) {
        return Err("there is no such thread");
    }
    if machine.atomic.is_some_and(|owner| owner != thread) {
        return Err("another thread is in an atomic block");
    }
    if let Action::Commit(at) = step.action {
        if !committable(machine, thread).contains(&at) {
            return Err("there is no such pending store that can become visible now");
        }
        oracle.commits(code, machine, machine.threads[thread as usize].pending[at as usize].place);
        commit(code, machine, thread, at);
        return Ok(Flow::Done);
    }
    let Some(id) = step.edge() else {
        if !machine.at_end(code, thread) {
            return Err("the thread is not at its end");
        }
        return Ok(end_thread(code, machine, thread, oracle));
    };
    let edge = code.procs[machine.top(thread).proc as usize].first_edge + id.0;
    if !outgoing(code, machine, thread).contains(&edge) {
        return Err("the thread is not where the edge begins");
    }
    // Only waiting for another thread is ever taken back.
    machine.journal.on = machine.threads.len() > 1;
    let mut flow = take_edge(code, machine, thread, edge, oracle);
    // A thread at its exit may end at any time; a schedule may leave that out.
    while let Flow::Blocked(Blocked::Join(other)) = flow
        && other != 0
        && machine.at_end(code, other)
        && machine.threads[other as usize].pending.is_empty()
    {
        machine.undo_to(0);
        oracle.again();
        end_thread(code, machine, other, oracle);
        machine.journal.entries.clear();
        flow = take_edge(code, machine, thread, edge, oracle);
    }
    machine.journal.on = false;
    machine.journal.entries.clear();
    Ok(flow)
}

/// How the execution ends with a step, if it does.
fn ended(flow: Flow, number: usize) -> Option<ReplayEnd> {
    let refused = |why: &str| ReplayEnd::Refused(number, why.into());
    match flow {
        Flow::Done => None,
        Flow::Error(violation) => Some(ReplayEnd::ErrorReached(violation)),
        Flow::Halt(status) => Some(ReplayEnd::Exited(status)),
        Flow::Hazard(kind, what) => Some(ReplayEnd::Hazard(kind, what)),
        Flow::Infeasible => Some(refused("an assumption fails")),
        Flow::Blocked(Blocked::Pending) => Some(refused("the thread has pending stores")),
        Flow::Blocked(_) => Some(refused("the thread is blocked")),
        Flow::Unsupported(what) => Some(ReplayEnd::Unsupported(what)),
    }
}

/// Runs a compiled Program along a schedule, under the memory model that it was compiled for.
pub fn replay_code(code: &Code, schedule: &Schedule, telling: Telling) -> ReplayResult {
    let mut machine = Machine::new(code);
    let mut oracle = Recorded::new(code);
    let mut trace = Trace::default();
    let mut end = ReplayEnd::Unfinished;
    let mut taken = 0;
    for (number, step) in schedule.steps.iter().enumerate() {
        let thread = step.thread;
        oracle.tells = telling.includes(number, schedule.steps.len());
        let shown = if oracle.tells { show_step(code, &machine, step) } else { None };
        oracle.begin(&machine, step);
        let flow = match take_step(code, &mut machine, step, &mut oracle) {
            Ok(flow) => flow,
            Err(why) => {
                end = ReplayEnd::Refused(number, why.into());
                break;
            }
        };
        let over = ended(flow, number);
        taken = number + 1;
        if oracle.tells {
            let mut text = std::mem::take(&mut oracle.text);
            text.extend(match (&over, step.action) {
                (Some(ReplayEnd::ErrorReached(violation)), _) => Some(violation.words().to_string()),
                (_, Action::End) => Some("the thread ends".into()),
                _ => None,
            });
            let (proc, span) = shown.unwrap_or((ProcId(0), Span::NONE));
            trace.steps.push(TraceStep { thread, proc, edge: step.edge(), span, text: text.join("; ") });
        } else if telling != Telling::Nothing {
            trace.omitted += 1;
            trace.gap = trace.steps.len();
        }
        if let Some(over) = over {
            end = over;
            break;
        }
    }
    trace.end = end.words();
    ReplayResult { end, trace, taken }
}

/// Longer executions are recorded from their end.
const MOST_RECORDED: usize = 1_000_000;

/// Runs a Program along a schedule, and records what happens.
pub fn record(program: &Program, schedule: &Schedule) -> (ReplayEnd, Execution) {
    record_last(program, schedule, MOST_RECORDED)
}

/// The same, for so many steps at the end.
pub fn record_last(program: &Program, schedule: &Schedule, most: usize) -> (ReplayEnd, Execution) {
    match compile_under(program, schedule.memory_model) {
        Ok(code) => record_code(&code, schedule, most),
        Err(unsupported) => (ReplayEnd::Unsupported(unsupported.0), Execution::default()),
    }
}

/// The same, for a compiled Program.
pub fn record_code(code: &Code, schedule: &Schedule, most: usize) -> (ReplayEnd, Execution) {
    let mut machine = Machine::new(code);
    let mut oracle = Recorded::new(code);
    let first = schedule.steps.len().saturating_sub(most);
    let mut end = ReplayEnd::Unfinished;
    for (number, step) in schedule.steps.iter().enumerate() {
        let thread = step.thread;
        if number == first {
            oracle.recorder = Some(Recorder::new(code, &machine));
        }
        let span = show_step(code, &machine, step).map_or(Span::NONE, |shown| shown.1);
        if let Some(recorder) = &mut oracle.recorder {
            let edge = step.edge().and_then(|id| {
                let top = machine.threads.get(thread as usize)?.frames.last()?;
                Some(code.procs[top.proc as usize].first_edge + id.0)
            });
            recorder.begin(&machine, thread, number, edge);
        }
        oracle.begin(&machine, step);
        let flow = match take_step(code, &mut machine, step, &mut oracle) {
            Ok(flow) => flow,
            Err(why) => {
                end = ReplayEnd::Refused(number, why.into());
                break;
            }
        };
        let Some(recorder) = &mut oracle.recorder else { continue };
        match ended(flow, number) {
            None if step.action == Action::End => recorder.ended(&machine, thread),
            None => recorder.end_step(&machine, thread),
            Some(over) => {
                if let ReplayEnd::ErrorReached(violation) = &over {
                    recorder.violated(thread, span, *violation);
                }
                end = over;
                break;
            }
        }
    }
    let mut execution = oracle.recorder.map_or_else(Execution::default, |recorder| recorder.execution);
    execution.omitted = first as u64;
    execution.memory_model = code.model;
    (end, execution)
}
