//! Runs a Program once, with a seeded random scheduler and random inputs.
//!
//! The normal run keeps no record. If it ends badly, it is repeated with the same seed to write down the trace.

pub mod fast_path;
pub mod random;
pub mod sample;
mod violation;

pub use violation::{RandomRun, random_run};

use crate::machine::code::{Code, Shape, compile};
use crate::machine::oracle::{Ask, Oracle};
use crate::machine::state::{Machine, Status};
use crate::machine::step::{Flow, HazardKind, end_thread, run_edge};
use crate::replay::trace::{Trace, TraceStep, describe, describe_choice, edge_span, location_span};
use crate::replay::{Action, ScheduleStep, Source};
use crate::simulate::fast_path::{Stroll, stroll};
use crate::simulate::random::Random;
use crate::simulate::sample::{corner_values, integer_as_float};
use raddle_budget::Stop;
use raddle_ir::{EdgeId, LibraryFunction, LocKind, ProcId, Program, Sort, Span, VarId, eval};
use std::collections::VecDeque;
use std::io::Write;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SimulateConfig {
    pub seed: u64,
    /// Give up after so many steps (edges).
    pub steps: Option<u64>,
    /// The trace keeps this many last steps; 0: no trace.
    pub trace_limit: usize,
}

impl Default for SimulateConfig {
    fn default() -> Self {
        SimulateConfig { seed: 1, steps: None, trace_limit: 10_000 }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SimulateEnd {
    /// With the status of the program: what `main` returned or `exit` was given.
    Exited(i32),
    Error(Span),
    Hazard(HazardKind, String, Span),
    /// No thread can ever step again.
    Deadlock,
    /// An assumption fails for the values that were drawn.
    AssumeFailed(Span),
    StepLimit,
    Stopped(Stop),
    /// What follows is not known: there is a recursion bound of an earlier pass, or a gap.
    CutOff(LocKind, Span),
    Unsupported(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SimulateResult {
    pub end: SimulateEnd,
    pub steps: u64,
    /// The interleaving, when the end is an error, a hazard or a deadlock.
    pub trace: Option<Trace>,
}

pub fn simulate(
    program: &Program,
    config: &SimulateConfig,
    out: &mut dyn Write,
    stop: &dyn Fn() -> Option<Stop>,
) -> SimulateResult {
    let code = match compile(program) {
        Ok(code) => code,
        Err(what) => {
            return SimulateResult { end: SimulateEnd::Unsupported(what.0), steps: 0, trace: None };
        }
    };
    let corners = corner_values(program);
    let mut run = Run::<false>::new(&code, config, &corners);
    let end = run.drive(config.steps, out, stop);
    let steps = run.steps;
    let bad = matches!(end, SimulateEnd::Error(_) | SimulateEnd::Hazard(..) | SimulateEnd::Deadlock);
    let mut trace = None;
    if bad && config.trace_limit > 0 {
        let mut again = Run::<true>::new(&code, config, &corners);
        let end = again.drive(Some(steps + 1), &mut std::io::sink(), stop);
        let words = match &end {
            SimulateEnd::Error(_) => "the error is reached".into(),
            SimulateEnd::Hazard(_, what, _) => what.clone(),
            SimulateEnd::Deadlock => "every thread is blocked".into(),
            _ => String::new(),
        };
        again.log.last_text(&mut again.oracle.text);
        let omitted = again.log.seen - again.log.steps.len() as u64;
        trace = Some(Trace { steps: again.log.steps.into(), omitted, gap: 0, end: words });
    }
    SimulateResult { end, steps, trace }
}

/// Draws values and collects output.
struct Dice<'a, const NOTES: bool> {
    code: &'a Code<'a>,
    random: Random,
    corners: &'a [u128],
    printed: Vec<u8>,
    /// How many values were drawn.
    asked: u64,
    /// In words, if somebody reads them; and the values of the step at hand, for a schedule.
    tells: bool,
    text: Vec<String>,
    values: Vec<(Source, u128)>,
}

impl<const NOTES: bool> Oracle for Dice<'_, NOTES> {
    const NARROW: bool = false;
    const NOTES: bool = NOTES;
    const PRINT: bool = true;

    fn choose(&mut self, ask: &Ask) -> u128 {
        self.asked += 1;
        let value = ask.fit(draw(&mut self.random, ask.sort, self.corners));
        if NOTES {
            self.values.push((Source::Read, value));
            if self.tells {
                self.text.push(describe_choice(self.code, ask, value));
            }
        }
        value
    }

    fn computed(&mut self, var: VarId, _: LibraryFunction, native: Option<u128>) -> Option<u128> {
        if NOTES && let Some(value) = native {
            self.values.push((Source::Havoc(var), value));
        }
        native
    }

    fn pick(&mut self, ways: u32) -> u32 {
        self.random.below(ways.into()) as u32
    }

    fn after_label(&mut self, code: &Code, machine: &Machine, thread: u32, label: u32) {
        if !self.tells {
            return;
        }
        let text = describe(code, machine, thread, label, None);
        if !text.is_empty() {
            self.text.push(text);
        }
    }

    fn print(&mut self, bytes: &[u8]) {
        self.printed.extend_from_slice(bytes);
    }
}

/// A random value: often small, sometimes a corner value, sometimes anything.
fn draw(random: &mut Random, sort: Sort, corners: &[u128]) -> u128 {
    let width = sort.bits().unwrap_or(1);
    let mask = eval::mask(width);
    if let Sort::Float(f) = sort {
        let small = random.below(201) as i64 - 100;
        let whole = integer_as_float(f, small);
        return match random.below(4) {
            0 | 1 => whole,
            2 => {
                let divisor = integer_as_float(f, 1 + random.below(64) as i64);
                eval::binary(raddle_ir::BinOp::FDiv, sort, sort, whole, divisor)
            }
            // An x87 encoding with a wrong integer bit is no number.
            _ if sort == Sort::X87 => whole,
            _ => random.wide() & mask,
        };
    }
    match random.below(8) {
        0..4 => u128::from(random.below(11)) & mask,
        4 => (random.below(11) as u128).wrapping_neg() & mask,
        5 if !corners.is_empty() => corners[random.below(corners.len() as u64) as usize] & mask,
        5 | 6 => match random.below(4) {
            0 => mask,
            1 => mask >> 1,
            2 => (mask >> 1) + 1,
            _ => 1 << random.below(width.into()),
        },
        _ => random.wide() & mask,
    }
}

/// The steps of a trace, the last ones of a long run; and all of them as a schedule.
struct Log {
    limit: usize,
    seen: u64,
    steps: VecDeque<TraceStep>,
    schedule: Vec<ScheduleStep>,
}

impl Log {
    fn push(&mut self, step: TraceStep) {
        if self.steps.len() >= self.limit {
            self.steps.pop_front();
        }
        self.seen += 1;
        self.steps.push_back(step);
    }

    /// Takes steps back.
    fn shorten(&mut self, seen: u64) {
        while self.seen > seen {
            self.seen -= 1;
            self.steps.pop_back();
            self.schedule.pop();
        }
    }

    /// What the step that did not come to its end did.
    fn last_text(&mut self, text: &mut Vec<String>) {
        if let (Some(last), false) = (self.steps.back_mut(), text.is_empty()) {
            if !last.text.is_empty() {
                last.text.push_str("; ");
            }
            last.text.push_str(&std::mem::take(text).join("; "));
        }
    }
}

/// What became of a thread that was let run.
enum Turn {
    Went,
    Blocked,
    Over(SimulateEnd),
}

struct Run<'a, const NOTES: bool> {
    code: &'a Code<'a>,
    machine: Machine,
    oracle: Dice<'a, NOTES>,
    schedule: Random,
    steps: u64,
    log: Log,
}

/// Journals of atomic blocks do not get longer; such a block cannot be taken back.
const LONGEST_JOURNAL: usize = 1 << 23;
/// How often a step with drawn values is tried again when an assumption fails.
const RETRIES: u32 = 200;

impl<'a, const NOTES: bool> Run<'a, NOTES> {
    fn new(code: &'a Code<'a>, config: &SimulateConfig, corners: &'a [u128]) -> Self {
        Run {
            code,
            machine: Machine::new(code),
            oracle: Dice {
                code,
                random: Random::new(config.seed),
                corners,
                printed: Vec::new(),
                asked: 0,
                tells: config.trace_limit > 0,
                text: Vec::new(),
                values: Vec::new(),
            },
            schedule: Random::new(config.seed ^ 0x5eed_5eed),
            steps: 0,
            log: Log { limit: config.trace_limit, seen: 0, steps: VecDeque::new(), schedule: Vec::new() },
        }
    }

    fn drive(&mut self, limit: Option<u64>, out: &mut dyn Write, stop: &dyn Fn() -> Option<Stop>) -> SimulateEnd {
        let limit = limit.unwrap_or(u64::MAX);
        let end = loop {
            if let Some(reason) = stop() {
                break SimulateEnd::Stopped(reason);
            }
            let thread = match self.pick_thread() {
                Ok(thread) => thread,
                Err(end) => break end,
            };
            let alone = self.machine.threads.iter().filter(|t| t.status == Status::Running).count() == 1;
            // How long a thread goes on varies, so that both tight and loose interleavings occur.
            let turns = if alone { 50_000 } else { 1 << self.schedule.below(7) };
            if let Some(end) = self.take_turns(thread, turns, limit) {
                break end;
            }
            if self.oracle.printed.len() > 4096
                && let Err(error) = self.flush(out)
            {
                break error;
            }
        };
        match self.flush(out) {
            Ok(()) => end,
            Err(error) => error,
        }
    }

    fn flush(&mut self, out: &mut dyn Write) -> Result<(), SimulateEnd> {
        let result = out.write_all(&self.oracle.printed).and_then(|()| out.flush());
        self.oracle.printed.clear();
        result.map_err(|e| SimulateEnd::Unsupported(format!("the output cannot be written: {e}")))
    }

    /// A running thread, at random.
    fn pick_thread(&mut self) -> Result<u32, SimulateEnd> {
        let running = |t: &crate::machine::state::Thread| t.status == Status::Running;
        let count = self.machine.threads.iter().filter(|t| running(t)).count();
        if count == 0 {
            return Err(SimulateEnd::Exited(0));
        }
        let which = self.schedule.below(count as u64) as usize;
        let mut candidates = (0..self.machine.threads.len()).filter(|i| running(&self.machine.threads[*i]));
        Ok(candidates.nth(which).unwrap_or(0) as u32)
    }

    fn take_turns(&mut self, thread: u32, turns: u64, limit: u64) -> Option<SimulateEnd> {
        let until = self.steps.saturating_add(turns).min(limit);
        while self.steps < until {
            if !NOTES {
                let (code, machine) = (self.code, &mut self.machine);
                match stroll(code, machine, thread, &mut self.steps, until, &mut self.oracle) {
                    Stroll::Special if self.steps < until => {}
                    Stroll::Special => break,
                    Stroll::Ended(flow) => {
                        let span = location_span(self.code, &self.machine, thread);
                        return Some(ended(flow, span));
                    }
                }
            }
            match self.turn(thread) {
                Turn::Went => {}
                Turn::Over(end) => return Some(end),
                Turn::Blocked => return self.unblock(thread),
            }
            if self.machine.threads[thread as usize].status != Status::Running {
                break;
            }
        }
        (self.steps >= limit).then_some(SimulateEnd::StepLimit)
    }

    /// A thread is blocked: lets another one step that can. If none can, that is a deadlock.
    fn unblock(&mut self, blocked: u32) -> Option<SimulateEnd> {
        let count = self.machine.threads.len() as u32;
        let first = self.schedule.below(count.into()) as u32;
        for i in 0..count {
            let thread = (first + i) % count;
            if thread == blocked || self.machine.threads[thread as usize].status != Status::Running {
                continue;
            }
            match self.turn(thread) {
                Turn::Went => return None,
                Turn::Over(end) => return Some(end),
                Turn::Blocked => {}
            }
        }
        Some(SimulateEnd::Deadlock)
    }

    /// Lets a thread take one step, or a whole atomic block.
    fn turn(&mut self, thread: u32) -> Turn {
        let (steps, printed, logged) = (self.steps, self.oracle.printed.len(), self.log.seen);
        let mut tries = 0;
        loop {
            let asked = self.oracle.asked;
            let mut flow = self.step(thread);
            while flow == Flow::Done && self.machine.atomic == Some(thread) {
                if self.machine.journal.entries.len() > LONGEST_JOURNAL {
                    flow = Flow::Unsupported("an atomic block that runs too long".into());
                } else {
                    flow = self.step(thread);
                }
            }
            let span = |run: &Self| match run.log.steps.back() {
                Some(step) if NOTES => step.span,
                _ => location_span(run.code, &run.machine, thread),
            };
            let end = match flow {
                Flow::Done => {
                    self.machine.journal.on = false;
                    self.machine.journal.entries.clear();
                    return Turn::Went;
                }
                Flow::Blocked(_) | Flow::Infeasible => {
                    let span = span(self);
                    self.machine.undo_to(0);
                    self.machine.journal.on = false;
                    self.steps = steps;
                    self.oracle.printed.truncate(printed);
                    self.log.shorten(logged);
                    self.oracle.text.clear();
                    self.oracle.values.clear();
                    if matches!(flow, Flow::Blocked(_)) {
                        return Turn::Blocked;
                    }
                    tries += 1;
                    if self.oracle.asked > asked && tries < RETRIES {
                        continue;
                    }
                    SimulateEnd::AssumeFailed(span)
                }
                Flow::Unsupported(what) if what == CUT_OFF => {
                    let top = self.machine.top(thread);
                    let location = &self.code.program.procs[top.proc as usize].locations[top.loc as usize];
                    SimulateEnd::CutOff(location.kind, location.span)
                }
                flow => ended(flow, span(self)),
            };
            return Turn::Over(end);
        }
    }

    /// Takes one edge.
    #[inline]
    fn step(&mut self, thread: u32) -> Flow {
        self.steps += 1;
        let frame = *self.machine.top(thread);
        let code = self.code;
        let location = &code.procs[frame.proc as usize].locs[frame.loc as usize];
        match location.shape {
            Shape::Single(edge) => self.take(thread, edge, 0),
            Shape::Branch { cond, then, otherwise } => {
                // What the condition asks for is taken back with the edge.
                if code.edges[then as usize].may_undo || code.edges[otherwise as usize].may_undo {
                    self.machine.journal.on = true;
                }
                let holds = self.machine.eval_narrow(code, thread, cond, &mut self.oracle) != 0;
                self.take(thread, if holds { then } else { otherwise }, 1)
            }
            Shape::Many => {
                let edges = &location.edges;
                let first = self.schedule.below(edges.len() as u64) as usize;
                self.machine.journal.on = true;
                let mark = self.machine.journal.entries.len();
                let mut blocked = None;
                for i in 0..edges.len() {
                    match self.take(thread, edges[(first + i) % edges.len()], 0) {
                        Flow::Infeasible => {}
                        flow @ Flow::Blocked(_) => blocked = Some(flow),
                        flow => return flow,
                    }
                    self.machine.undo_to(mark);
                    if NOTES {
                        self.log.shorten(self.log.seen - 1);
                        self.oracle.text.clear();
                        self.oracle.values.clear();
                    }
                }
                blocked.unwrap_or(Flow::Infeasible)
            }
            Shape::Stop if location.cut_off => Flow::Unsupported(CUT_OFF.into()),
            Shape::Stop if self.machine.at_end(code, thread) => {
                if NOTES {
                    let span = location_span(code, &self.machine, thread);
                    self.note(thread, frame.proc, None, span, "the thread ends");
                }
                let flow = end_thread(code, &mut self.machine, thread, &mut self.oracle);
                self.complete();
                flow
            }
            Shape::Stop => Flow::Infeasible,
        }
    }

    #[inline]
    fn take(&mut self, thread: u32, edge: u32, skip: u32) -> Flow {
        if self.code.edges[edge as usize].may_undo {
            self.machine.journal.on = true;
        }
        if NOTES {
            let e = self.code.edges[edge as usize];
            self.note(thread, e.proc, Some(e.id), edge_span(self.code, edge), "");
        }
        let flow = run_edge(self.code, &mut self.machine, thread, edge, skip, &mut self.oracle);
        if NOTES && flow == Flow::Done {
            self.log.last_text(&mut self.oracle.text);
        }
        self.complete();
        flow
    }

    /// The values that the last step asked for belong to it, also if it did not come to its end.
    fn complete(&mut self) {
        if NOTES && let Some(step) = self.log.schedule.last_mut() {
            step.values = std::mem::take(&mut self.oracle.values).into();
        }
    }

    fn note(&mut self, thread: u32, proc: u32, edge: Option<EdgeId>, span: Span, text: &str) {
        let mut text = text.to_string();
        if !self.oracle.text.is_empty() {
            // Values that the condition of a branch asked for.
            text = std::mem::take(&mut self.oracle.text).join("; ");
        }
        self.log.schedule.push(ScheduleStep::of(thread, edge.map_or(Action::End, Action::Edge)));
        self.log.push(TraceStep { thread, proc: ProcId(proc), edge, span, text });
    }
}

/// The end that a step which was not completed means.
fn ended(flow: Flow, span: Span) -> SimulateEnd {
    match flow {
        Flow::Error(_) => SimulateEnd::Error(span),
        Flow::Hazard(kind, what) => SimulateEnd::Hazard(kind, what, span),
        Flow::Halt(status) => SimulateEnd::Exited(status as i32),
        Flow::Unsupported(what) => SimulateEnd::Unsupported(what),
        Flow::Infeasible | Flow::Blocked(_) | Flow::Done => SimulateEnd::AssumeFailed(span),
    }
}

const CUT_OFF: &str = "what follows was cut off";
