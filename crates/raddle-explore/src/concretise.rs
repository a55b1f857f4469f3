//! Turns an exploration's record of one execution, in which undetermined locals were narrowed step by step, into a schedule with one value for each: what
//! the last narrowing or reading left.

use crate::explore::Fine;
use raddle_interp::machine::code::Code;
use raddle_interp::machine::oracle::{Ask, Asked, Held, Oracle};
use raddle_interp::machine::state::Machine;
use raddle_interp::machine::step::{end_thread, take_edge};
use raddle_interp::machine::store_buffers::commit;
use raddle_interp::{Action, Schedule, ScheduleStep, Source};
use raddle_ir::{Function, VarId};
use rustc_hash::FxHashMap;

pub struct Concretiser<'a> {
    code: &'a Code<'a>,
    machine: Machine,
    steps: Vec<ScheduleStep>,
    values: Values,
}

impl<'a> Concretiser<'a> {
    pub fn new(code: &'a Code<'a>) -> Self {
        Concretiser { code, machine: Machine::new(code), steps: Vec::new(), values: Values::default() }
    }

    /// The next step of the execution.
    pub fn take(&mut self, fine: Fine) {
        let thread = fine.thread;
        self.values.step = self.steps.len();
        self.values.answers = fine.answers.into_iter();
        // Stored states have buffers in normal order, schedules in program order; the place tells which store it is.
        let pending = &self.machine.threads[thread as usize].pending;
        let at = fine.commit.and_then(|place| pending.iter().position(|p| p.place == place));
        let action = match (at, fine.edge) {
            (Some(at), _) => {
                commit(self.code, &mut self.machine, thread, at as u32);
                Action::Commit(at as u32)
            }
            (None, Some(edge)) => {
                take_edge(self.code, &mut self.machine, thread, edge, &mut self.values);
                Action::Edge(self.code.edges[edge as usize].id)
            }
            (None, None) => {
                end_thread(self.code, &mut self.machine, thread, &mut self.values);
                Action::End
            }
        };
        self.steps.push(ScheduleStep::of(thread, action));
    }

    pub fn schedule(mut self) -> Schedule {
        for of_step in self.values.read.chunk_by(|a, b| a.step == b.step) {
            if let Some(step) = self.steps.get_mut(of_step[0].step) {
                step.values = of_step.iter().map(|read| (read.source, read.value)).collect();
            }
        }
        Schedule { steps: self.steps, memory_model: self.code.model }
    }
}

#[derive(Default)]
struct Values {
    /// The step that is under way, and the answers to its questions.
    step: usize,
    answers: std::vec::IntoIter<u128>,
    /// All that was undetermined, in the order in which it was first read.
    read: Vec<Read>,
    /// What a stack position (thread and index) holds that may still be narrowed, as a position in `read`.
    open: FxHashMap<(u32, u32), usize>,
}

struct Read {
    step: usize,
    source: Source,
    value: u128,
}

impl Values {
    fn settle(&mut self, ask: &Ask, value: u128) {
        let key = match ask.asked {
            Asked::Local { index } => Some((ask.thread, index)),
            _ => None,
        };
        match key.and_then(|key| self.open.get(&key)) {
            Some(at) => self.read[*at].value = value,
            None => {
                if let Some(key) = key {
                    self.open.insert(key, self.read.len());
                }
                self.read.push(Read { step: self.step, source: Source::Read, value });
            }
        }
    }
}

impl Oracle for Values {
    const NARROW: bool = true;

    fn choose(&mut self, ask: &Ask) -> u128 {
        let value = self.answers.next().unwrap_or(ask.low);
        self.settle(ask, value);
        if let Asked::Local { index } = ask.asked {
            self.open.remove(&(ask.thread, index));
        }
        value
    }

    fn pick(&mut self, ways: u32) -> u32 {
        (self.answers.next().unwrap_or(0) as u32).min(ways - 1)
    }

    fn narrowed(&mut self, ask: &Ask, low: u128, high: u128) {
        self.settle(ask, low);
        if low == high
            && let Asked::Local { index } = ask.asked
        {
            self.open.remove(&(ask.thread, index));
        }
    }

    fn moved(&mut self, from: Held, to: (u32, u32)) {
        match self.open.remove(&(from.thread, from.index)) {
            Some(at) => self.open.insert(to, at),
            None => self.open.remove(&to),
        };
    }

    fn computed(&mut self, var: VarId, _: Function, native: Option<u128>) -> Option<u128> {
        let value = native?;
        self.read.push(Read { step: self.step, source: Source::Havoc(var), value });
        Some(value)
    }

    fn fresh(&mut self, at: (u32, u32), _var: VarId) {
        self.open.remove(&at);
    }

    fn entered(&mut self, thread: u32, base: u32) {
        self.open.retain(|(t, index), _| *t != thread || *index < base);
    }
}
