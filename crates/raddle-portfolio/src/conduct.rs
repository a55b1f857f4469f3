//! Conducts a strategy: starts, pauses, continues and ends workers, until one has an answer or no limit allows more.
//!
//! Limits are on the sum over all processes: CPU time, and resident memory. A run that waits for its next slice holds memory; where that gets scarce, the largest one that
//! waits is ended first, and begins anew at its next visit.

use crate::monitor::Monitor;
use crate::registry::Settings;
use crate::strategy::{StepId, Strategy, Time};
use crate::traits::Traits;
use crate::walk::{Turn, Walk};
use crate::worker::message::{Job, Message, program_text};
use crate::worker::process::{Heard, Usage, Worker};
use nix::sys::signal::Signal;
use raddle_budget::memory::{address_space_limit, memory};
use raddle_budget::process_time;
use raddle_engine::{Budget, Code, Conclusion, Event, Facts, Outcome, Reason, Stop, Task};
use serde::Serialize;
use serde_json::{Value, json};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// What to conduct, and with what.
pub struct Plan<'a> {
    pub strategy: &'a Strategy,
    /// Options of the user; those of a step come on top.
    pub settings: &'a Settings,
    pub traits: &'a Traits,
    /// So many workers at a time.
    pub jobs: usize,
    /// The binary of which workers are processes.
    pub program: &'a Path,
}

/// What happens meanwhile.
#[derive(Debug)]
pub enum News<'a> {
    /// The condition of a step does not hold.
    Passed {
        step: &'a str,
        condition: String,
        values: Vec<(String, f64)>,
    },
    /// A step begins or goes on; `None`: with all the time that is left.
    Runs {
        step: &'a str,
        slice: Option<Duration>,
        again: bool,
    },
    Progress {
        step: &'a str,
        event: Event,
    },
    /// Its slice is over.
    Waits {
        step: &'a str,
        usage: Usage,
    },
    Ended {
        step: &'a str,
        outcome: &'a Outcome,
        usage: Usage,
    },
}

/// One visit to a step, for statistics.
#[derive(Serialize)]
struct Visit {
    step: String,
    outcome: String,
    seconds: f64,
    #[serde(skip_serializing_if = "Value::is_null")]
    statistics: Value,
}

/// A worker of a step.
struct Run {
    /// Of this run alone: what is heard of one that is gone is not taken for the next one of the same step.
    id: u64,
    step: StepId,
    worker: Worker,
    /// What it had used when its visit began.
    before: Duration,
    /// It runs until it has used this much; `None`: it waits.
    until: Option<Duration>,
    /// What it had used when it was last looked at, and the most memory so far.
    seen: Usage,
    /// The first slice is counted from when the Program is prepared.
    is_prepared: bool,
    /// An answer is near.
    near: bool,
    monitor: Monitor,
    conclusion: Option<Conclusion>,
}

impl Run {
    /// What it used in this visit.
    fn visit(&self) -> Usage {
        let usage = self.worker.usage();
        Usage { cpu: usage.cpu.saturating_sub(self.before), memory: usage.memory.max(self.seen.memory) }
    }

    /// Keeps it running, or waiting, whatever others do: the terminal stops and continues all processes of a group.
    fn look(&mut self, usage: Usage) {
        let used = usage.cpu.saturating_sub(self.seen.cpu);
        match self.until {
            Some(_) if used.is_zero() && self.worker.is_stopped() => self.worker.go_on(),
            None if used > WAITING => self.worker.pause(),
            _ => {}
        }
        // A process that waits may still have been running when it was last looked at: only what comes on top counts.
        if self.until.is_some() || used > WAITING {
            self.seen.cpu = usage.cpu;
        }
        self.seen.memory = self.seen.memory.max(usage.memory);
    }
}

/// How often limits are looked at: a hundredth of the time so far, within bounds; more often where half of the memory is used.
const PERIODS: u32 = 100;
const PERIOD: Duration = Duration::from_millis(10);
const LONGEST_PERIOD: Duration = Duration::from_millis(40);
/// Slices for large programs are at most so much longer.
const MOST_SCALE: f64 = 20.0;
/// Preparing a Program that is not done after so much of the time is a run like any other.
const MOST_PREPARATION: f64 = 0.05;
/// CPU time of a run that waits until it is paused again: it does not stop at once.
const WAITING: Duration = Duration::from_millis(5);
/// Less memory than this is not enough for one more worker at a time.
const LEAST_FOR_A_JOB: u64 = 60_000_000;
/// From this share of the memory on, runs that wait are ended.
const SCARCE: f64 = 0.75;

/// Verifies a task with a strategy. It tells `listener` what happens.
pub fn conduct(plan: &Plan, task: &Task, budget: &Budget, listener: &dyn Fn(News)) -> Conclusion {
    let (sender, heard) = channel();
    let value = |name: &str| plan.traits.get(name).unwrap_or(0.0);
    let holds = |step: StepId| {
        let step = &plan.strategy.steps[step];
        let holds = step.when.as_ref().is_none_or(|condition| condition.holds(&value));
        if let Some(condition) = step.when.as_ref().filter(|_| !holds) {
            let values = condition.names().into_iter().map(|name| (name.to_owned(), value(name))).collect();
            listener(News::Passed { step: &step.name, condition: condition.to_string(), values });
        }
        holds
    };
    let jobs = plan.jobs.min((budget.memory() / LEAST_FOR_A_JOB) as usize);
    let mut conductor = Conductor {
        plan,
        task,
        budget,
        listener,
        text: program_text(task.program()).into(),
        scale: (value("size") / plan.strategy.small).clamp(1.0, MOST_SCALE),
        begin: process_time(),
        walk: Walk::new(plan.strategy, jobs, holds),
        runs: Vec::new(),
        sender,
        heard,
        next_id: 0,
        memory: 0,
        facts: Facts::default(),
        visits: Vec::new(),
        best: None,
        answered: None,
        graph: None,
    };
    let outcome = conductor.conduct();
    conductor.conclude(outcome)
}

struct Conductor<'a> {
    plan: &'a Plan<'a>,
    task: &'a Task,
    budget: &'a Budget,
    listener: &'a dyn Fn(News),
    /// The Program, for workers.
    text: Arc<str>,
    /// By so much slices are longer than for a small program.
    scale: f64,
    /// CPU time when the first step began.
    begin: Duration,
    walk: Walk<'a>,
    /// Those that run, and those that wait.
    runs: Vec<Run>,
    sender: Sender<(u64, Heard)>,
    heard: Receiver<(u64, Heard)>,
    /// The number of the next run.
    next_id: u64,
    /// Of all processes, when last looked at.
    memory: u64,
    facts: Facts,
    visits: Vec<Visit>,
    /// The reason that says most.
    best: Option<Reason>,
    /// The step that has the answer.
    answered: Option<StepId>,
    graph: Option<String>,
}

impl<'a> Conductor<'a> {
    fn conduct(&mut self) -> Outcome {
        let begin = Instant::now();
        let mut next_look = begin + PERIOD;
        loop {
            while let Some(turn) = self.walk.next() {
                self.begin_turn(turn);
            }
            if self.runs.iter().all(|run| run.until.is_none()) {
                // What waits for a visit that does not come has no more to say.
                let reason = self.best.take();
                let none = || Reason::new(Code::Unsupported, "no step of the strategy applies to the program");
                return Outcome::Unknown(reason.unwrap_or_else(none));
            }
            match self.heard.recv_timeout(next_look.saturating_duration_since(Instant::now())) {
                Ok((id, heard)) => {
                    if let Some(answer) = self.hear(id, heard) {
                        return answer;
                    }
                }
                // The sender lives as long as this.
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            if Instant::now() >= next_look {
                if let Some(stop) = self.watch() {
                    return Outcome::Unknown(stop.into());
                }
                let longest = if self.memory > self.budget.memory() / 2 { PERIOD } else { LONGEST_PERIOD };
                next_look = Instant::now() + (begin.elapsed() / PERIODS).clamp(PERIOD, longest);
            }
        }
    }

    fn name(&self, step: StepId) -> &'a str {
        &self.plan.strategy.steps[step].name
    }

    fn find(&self, step: StepId) -> Option<usize> {
        self.runs.iter().position(|run| run.step == step)
    }

    /// The CPU time of all processes.
    fn total(&self) -> Duration {
        self.runs.iter().fold(process_time(), |sum, run| sum + run.worker.usage().cpu)
    }

    /// The slice of a visit; `None`: all that is left.
    fn slice(&self, time: Time) -> Option<Duration> {
        let timeout = self.budget.timeout();
        match time {
            Time::All => None,
            Time::Slice(slice) => Some(slice.mul_f64(self.scale)),
            Time::Share(share) => Some(timeout.saturating_sub(self.begin).mul_f64(share)),
            Time::ShareOfRest(share) => {
                // What others that run may still use is theirs.
                let reserved = self.runs.iter().filter_map(|run| {
                    let until = run.until.filter(|until| *until < Duration::MAX)?;
                    Some(until.saturating_sub(run.worker.usage().cpu))
                });
                let taken = self.total() + reserved.sum::<Duration>();
                Some(timeout.saturating_sub(taken).mul_f64(share))
            }
        }
    }

    fn begin_turn(&mut self, turn: Turn) {
        let Turn { step, time } = turn;
        let slice = self.slice(time);
        let again = self.find(step);
        (self.listener)(News::Runs { step: self.name(step), slice, again: again.is_some() });
        let until = |before: Duration| slice.map_or(Duration::MAX, |slice| before.saturating_add(slice));
        if let Some(at) = again {
            let run = &mut self.runs[at];
            run.before = run.worker.usage().cpu;
            run.until = Some(until(run.before));
            run.worker.go_on();
            return;
        }
        self.next_id += 1;
        match self.start(step) {
            Ok(worker) => {
                let until = Some(until(Duration::ZERO));
                let before = Duration::ZERO;
                self.runs.push(Run {
                    id: self.next_id,
                    step,
                    worker,
                    before,
                    until,
                    seen: Usage::default(),
                    is_prepared: false,
                    near: false,
                    monitor: Monitor::default(),
                    conclusion: None,
                });
            }
            Err(reason) => {
                self.note(step, &Outcome::Unknown(reason.clone()), Usage::default(), Value::Null);
                self.failed(step, reason);
            }
        }
    }

    fn start(&self, step: StepId) -> Result<Worker, Reason> {
        let it = &self.plan.strategy.steps[step];
        let settings = self.plan.settings.overlaid(&it.engine, &it.config);
        let settings = settings.map_err(|message| Reason::new(Code::Unsupported, message))?;
        let job = Job {
            engine: it.engine.clone(),
            settings,
            property: self.task.property(),
            memory_model: self.task.memory_model(),
            facts: self.facts.clone(),
            timeout: self.budget.timeout().saturating_sub(self.total()),
            memory: self.budget.memory().saturating_sub(memory().resident),
        };
        Worker::start(self.plan.program, &job, &self.text, self.next_id, self.sender.clone())
            .map_err(|message| Reason::new(Code::InternalError, message))
    }

    /// A worker said something. Is it an answer?
    fn hear(&mut self, id: u64, heard: Heard) -> Option<Outcome> {
        let at = self.runs.iter().position(|run| run.id == id)?;
        let step = self.runs[at].step;
        match heard {
            Heard::Message(Message::Event(event)) => {
                let run = &mut self.runs[at];
                run.monitor.hear(&event, run.worker.usage().cpu);
                if let Event::Learned(facts) = &event {
                    self.facts.add(facts.clone());
                }
                (self.listener)(News::Progress { step: self.name(step), event });
                None
            }
            Heard::Message(Message::Prepared) => {
                let run = &mut self.runs[at];
                let used = run.worker.usage().cpu;
                run.until = run.until.map(|until| until.saturating_add(used.saturating_sub(run.before)));
                run.is_prepared = true;
                None
            }
            Heard::Message(Message::Near(near)) => {
                self.runs[at].near = near;
                None
            }
            Heard::Message(Message::Done(done)) => {
                self.runs[at].conclusion = Some(done.conclusion(self.task.program()));
                None
            }
            Heard::End => {
                let usage = self.runs[at].visit();
                let Run { worker, conclusion, .. } = self.runs.swap_remove(at);
                let conclusion = match (worker.wait(), conclusion) {
                    (_, Some(conclusion)) => conclusion,
                    (Ok(status), None) => Conclusion::unknown(died(self.name(step), status)),
                    (Err(error), None) => Conclusion::unknown(Reason::new(Code::InternalError, error.to_string())),
                };
                self.ended(step, conclusion, usage)
            }
        }
    }

    /// A run ended. Is there an answer?
    fn ended(&mut self, step: StepId, conclusion: Conclusion, usage: Usage) -> Option<Outcome> {
        self.note(step, &conclusion.outcome, usage, conclusion.statistics);
        self.facts.add(conclusion.facts);
        self.graph = conclusion.graph.or(self.graph.take());
        match conclusion.outcome {
            Outcome::Unknown(reason) => {
                self.failed(step, reason);
                None
            }
            answer => {
                self.answered = Some(step);
                Some(answer)
            }
        }
    }

    /// A run ended without an answer.
    fn failed(&mut self, step: StepId, reason: Reason) {
        self.walk.ended(step, reason.code);
        // A construct in the source says more than what came last, and what has no model more than that no proof was found, or that an engine is for other programs.
        let keep = self.best.as_ref().is_some_and(|best| {
            let says_little = matches!(reason.code, Code::Stuck | Code::Unsupported) && reason.span.is_none();
            best.code == Code::Unmodelled && says_little || best.span.is_some() && reason.span.is_none()
        });
        if !keep {
            self.best = Some(reason);
        }
    }

    fn note(&mut self, step: StepId, outcome: &Outcome, usage: Usage, statistics: Value) {
        (self.listener)(News::Ended { step: self.name(step), outcome, usage });
        self.visits.push(Visit {
            step: self.name(step).into(),
            outcome: outcome.name().into(),
            seconds: usage.cpu.as_secs_f64(),
            statistics,
        });
    }

    /// Keeps the limits: of slices, and of the whole.
    fn watch(&mut self) -> Option<Stop> {
        if let Some(stop) = self.budget.whole_is_over() {
            return Some(stop);
        }
        let usages: Vec<Usage> = self.runs.iter().map(|run| run.worker.usage()).collect();
        for (run, usage) in self.runs.iter_mut().zip(&usages) {
            run.look(*usage);
        }
        let cpu = usages.iter().fold(process_time(), |sum, usage| sum + usage.cpu);
        if cpu >= self.budget.timeout() {
            return Some(self.budget.end(Stop::Timeout));
        }
        let gives_up = |(run, usage): &(&Run, &Usage)| self.gives_up(run, **usage);
        let given_up: Vec<(StepId, Reason)> = {
            let runs = self.runs.iter().zip(&usages);
            runs.filter_map(|it| Some((it.0.step, gives_up(&it)?))).collect()
        };
        let preparation = self.budget.timeout().mul_f64(MOST_PREPARATION);
        let is_over = |(run, usage): &(&Run, &Usage)| {
            let is_prepared = run.is_prepared || usage.cpu >= preparation;
            run.until.is_some_and(|until| usage.cpu >= until) && is_prepared && !run.near
        };
        let over: Vec<StepId> = self.runs.iter().zip(&usages).filter(is_over).map(|(run, _)| run.step).collect();
        for (step, reason) in given_up {
            if let Some(at) = self.find(step) {
                self.kill(at, reason);
            }
        }
        for step in over {
            self.end_turn(step);
        }
        self.memory = memory().resident + usages.iter().map(|usage| usage.memory).sum::<u64>();
        if self.is_scarce(self.memory) { self.keep_memory() } else { None }
    }

    fn is_scarce(&self, used: u64) -> bool {
        used as f64 >= self.budget.memory() as f64 * SCARCE
    }

    /// Whether the strategy gives a run up, and why.
    fn gives_up(&self, run: &Run, usage: Usage) -> Option<Reason> {
        let condition = self.plan.strategy.steps[run.step].give_up_when.as_ref()?;
        let value = |name: &str| run.monitor.get(name, usage, self.budget.memory());
        let holds = run.until.is_some() && !run.near && run.conclusion.is_none() && condition.holds(&value);
        let values = || condition.names().iter().map(|name| format!("{name} = {:.3}", value(name))).collect::<Vec<_>>();
        holds.then(|| Reason::new(Code::GivenUp, format!("given up: {condition} ({})", values().join(", "))))
    }

    /// The slice of a run is over.
    fn end_turn(&mut self, step: StepId) {
        let Some(at) = self.find(step) else { return };
        // It has said all, and is about to end.
        if self.runs[at].conclusion.is_some() {
            return;
        }
        if self.walk.comes_back(step) {
            self.runs[at].worker.pause();
            self.runs[at].until = None;
            let usage = self.runs[at].visit();
            (self.listener)(News::Waits { step: self.name(step), usage });
            self.visits.push(Visit {
                step: self.name(step).into(),
                outcome: "waits".into(),
                seconds: usage.cpu.as_secs_f64(),
                statistics: Value::Null,
            });
            self.walk.paused(step);
        } else {
            self.kill(at, Reason::new(Code::Timeout, "the slice of time is used up"));
        }
    }

    /// Ends a run, which thereby ends for this reason.
    fn kill(&mut self, at: usize, reason: Reason) {
        let run = self.runs.swap_remove(at);
        let usage = run.visit();
        drop(run.worker);
        self.note(run.step, &Outcome::Unknown(reason.clone()), usage, Value::Null);
        self.failed(run.step, reason);
    }

    /// All processes together stay within the memory.
    fn keep_memory(&mut self) -> Option<Stop> {
        loop {
            let used: Vec<u64> = self.runs.iter().map(|run| run.worker.usage().memory).collect();
            let total = memory().resident + used.iter().sum::<u64>();
            if !self.is_scarce(total) {
                return None;
            }
            let largest = |waits: bool| {
                let them = (0..self.runs.len()).filter(|at| self.runs[*at].until.is_none() == waits);
                them.max_by_key(|at| used[*at])
            };
            if let Some(at) = largest(true) {
                // For the walk its step is open, as it was: it begins anew when it is visited.
                drop(self.runs.swap_remove(at));
                continue;
            }
            if total < self.budget.memory() {
                return None;
            }
            match largest(false) {
                Some(at) => self.kill(at, Stop::OutOfMemory.into()),
                None => return Some(self.budget.end(Stop::OutOfMemory)),
            }
        }
    }

    fn conclude(self, outcome: Outcome) -> Conclusion {
        let step = self.answered.map(|step| self.name(step));
        let statistics = json!({ "step": step, "turns": self.visits });
        // Workers that are left end here.
        drop(self.runs);
        Conclusion { outcome, facts: self.facts, statistics, graph: self.graph }
    }
}

/// Why a worker that said nothing of it ended.
fn died(step: &str, status: ExitStatus) -> Reason {
    match status.signal().and_then(|signal| Signal::try_from(signal).ok()) {
        Some(Signal::SIGXCPU) => Stop::Timeout.into(),
        // To all processes of the group: this one hears of it as well.
        Some(Signal::SIGINT | Signal::SIGTERM | Signal::SIGHUP) => Stop::Interrupted.into(),
        // A refused allocation ends in `abort`; and a system that is short of memory kills.
        Some(Signal::SIGABRT) if address_space_limit().is_some() => Stop::OutOfMemory.into(),
        Some(signal) => Reason::new(Code::InternalError, format!("the worker of step `{step}` was ended by {signal}")),
        None => Reason::new(Code::InternalError, format!("the worker of step `{step}` ended with {status}")),
    }
}
