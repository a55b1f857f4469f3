//! `raddle validate`: is what a witness says right?
//!
//! A violation witness restricts the search: the engines work on a Program whose violations follow the witness (`raddle_witness::restrict`), and what they find is replayed on the
//! Program without the restriction. A correctness witness is confirmed by a proof of the property and of its invariants, which are asserted where they are to hold
//! (`raddle_witness::asserted`). Whatever else comes out is `unknown`.

use crate::args::{AUTO, VerifyArgs};
use crate::property::{self, Wanted};
use crate::results::{self, Sources};
use crate::verdicts::Verdict;
use crate::verify::{Statistics, conclude, tell, told, verdict};
use crate::witness::{Inputs, data_model, specification};
use crate::{
    INTERNAL_ERROR, Manner, console, frontend_failure, frontend_options, log, portfolio, refuse, start_limits,
};
use raddle_budget::process_time;
use raddle_c::driver::{self, Failure, Loaded};
use raddle_c::lower::LowerOptions;
use raddle_c::probes::{Probe, ProbeKind};
use raddle_cegar::InitialPrecision;
use raddle_engine::{Budget, Code, Outcome, Reason, Schedule, Task, Telling, Trace};
use raddle_ir::{EdgeId, MemoryModel, Program, Property, Violation};
use raddle_portfolio::{Strategy, Traits};
use raddle_witness::{Content, Entry, Item, Plan, Reading, Segment, asserted, claims, hash, restrict, without_probes};
use std::path::Path;

/// What a witness is checked with.
struct Check<'a> {
    args: &'a VerifyArgs,
    wanted: Wanted,
    strategy: Strategy,
    budget: Budget,
    /// The input files: the path as it was given, and how the witness calls it.
    files: Vec<(String, String)>,
}

/// Why a check comes to no outcome.
enum Failed {
    Reason(Reason),
    Sources(Failure),
}

impl From<Reason> for Failed {
    fn from(reason: Reason) -> Failed {
        Failed::Reason(reason)
    }
}

pub fn run(args: &VerifyArgs, manner: &Manner) -> u8 {
    let Manner::Verify { verdicts, .. } = manner else { return INTERNAL_ERROR };
    log::start(args.log);
    let budget = match start_limits(&args.limits, manner) {
        Ok(budget) => budget,
        Err(message) => return refuse(manner, &message),
    };
    let (check, entries) = match prepare(args, verdicts.names(), budget) {
        Ok(prepared) => prepared,
        Err(message) => return refuse(manner, &message),
    };
    match check.run(&entries) {
        Ok(verdict) => verdicts.add(verdict),
        Err(Failed::Sources(failure)) => return frontend_failure(manner, &failure),
        Err(Failed::Reason(reason)) => verdicts.add(unknown(reason)),
    }
    console::wait_for_the_floor();
    tell(manner, None)
}

fn prepare<'a>(args: &'a VerifyArgs, names: &[String], budget: Budget) -> Result<(Check<'a>, Vec<Entry>), String> {
    let [name] = names else { return Err("error: a witness is of one property".into()) };
    let wanted = property::parse(name)?;
    if args.sources.entry().is_some() {
        return Err("error: witnesses are of programs that begin with main, not for --function".into());
    }
    if args.memory_model != MemoryModel::Sc {
        return Err("error: witnesses speak of sequential consistency only".into());
    }
    let path = args.witness.as_deref().ok_or("error: --witness is missing")?;
    let entries = read(path)?;
    let files = entries.iter().map(|entry| fits(entry, args, name, wanted.property));
    let files = files.collect::<Result<Vec<_>, _>>().map_err(|why| format!("error: {}: {why}", path.display()))?;
    let strategy = portfolio::chosen(args)?;
    let files = files.into_iter().next().unwrap_or_default();
    Ok((Check { args, wanted, strategy, budget, files }, entries))
}

fn read(path: &Path) -> Result<Vec<Entry>, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("error: cannot read {}: {error}", path.display()))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("error: {}: not a text", path.display()))?;
    raddle_witness::read(&text).map_err(|problem| format!("error: {}: {problem}", path.display()))
}

/// Is it a witness of this task? Returns the files, and how the witness calls them.
fn fits(entry: &Entry, args: &VerifyArgs, name: &str, property: Property) -> Result<Vec<(String, String)>, String> {
    let task = &entry.metadata.task;
    let mut files = Vec::new();
    for path in &args.sources.files {
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let own = hash(&bytes);
        let Some((theirs, _)) = task.input_files.iter().find(|(_, hash)| hash.eq_ignore_ascii_case(&own)) else {
            return Err(format!("it is of another program: no input file has the SHA-256 of {}", path.display()));
        };
        files.push((path.to_string_lossy().into_owned(), theirs.clone()));
    }
    if let Some((other, _)) = task.input_files.iter().find(|(file, _)| !files.iter().any(|(_, theirs)| theirs == file))
    {
        return Err(format!("it is of another program: {other} is not given"));
    }
    if task.data_model != data_model(args) {
        return Err(format!("its data model is {}, not {}", task.data_model, data_model(args)));
    }
    let dense = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let own = specification(name, property);
    let named = specification(property.name(), property);
    if ![own, named].iter().any(|own| dense(own) == dense(&task.specification)) {
        return Err(format!("its specification is another one: {}", task.specification.trim()));
    }
    Ok(files)
}

fn unknown(reason: Reason) -> Verdict {
    let statistics = Statistics {
        verdict: format!("unknown({})", reason.code),
        cpu_seconds: process_time().as_secs_f64(),
        ..Statistics::default()
    };
    told(&Outcome::Unknown(reason), None, None, &statistics, false)
}

fn rejected(words: impl Into<String>) -> Reason {
    Reason::new(Code::Rejected, words)
}

impl Check<'_> {
    fn run(&self, entries: &[Entry]) -> Result<Verdict, Failed> {
        let mut items = Vec::new();
        for entry in entries {
            match &entry.content {
                Content::Violation(segments) => return self.violation(segments),
                Content::Invariants(of) => items.extend(of.iter().cloned()),
                Content::Ghosts => {
                    let words = "ghost variables of witnesses are not supported";
                    return Err(Reason::new(Code::Unsupported, words).into());
                }
            }
        }
        self.proof(&items)
    }

    /// The Program with probes. Where a column fits no place, the line alone is taken.
    fn load(&self, probes: &[Probe]) -> Result<Loaded, Failed> {
        let (first, second) = (self.load_exactly(probes)?, probes.to_vec());
        if first.missing.is_empty() {
            return Ok(first);
        }
        let mut second = second;
        first.missing.iter().for_each(|number| second[*number].column = None);
        let loaded = self.load_exactly(&second)?;
        match loaded.missing.first() {
            Some(number) => {
                let Probe { kind, file, line, .. } = &probes[*number];
                let what = match kind {
                    ProbeKind::Before | ProbeKind::Around => "statement begins",
                    ProbeKind::Loop => "loop begins",
                    ProbeKind::Branch => "`if` or loop begins",
                };
                Err(rejected(format!("{file}:{line}: no {what} here")).into())
            }
            None => Ok(loaded),
        }
    }

    fn load_exactly(&self, probes: &[Probe]) -> Result<Loaded, Failed> {
        let lower = LowerOptions { assertions_are_errors: self.wanted.assertions, concrete_arguments: false };
        let options = frontend_options(&self.args.sources, lower, &self.budget);
        let loaded = driver::load_probed(&self.args.sources.files, &options, probes);
        let mut loaded = loaded.map_err(|failure| match failure.probe {
            Some(number) => {
                let Probe { file, line, condition, .. } = &probes[number];
                let condition = condition.as_deref().unwrap_or_default();
                let why = failure.message.lines().next().unwrap_or_default();
                rejected(format!("{file}:{line}: `{condition}` cannot be evaluated here: {why}")).into()
            }
            None => Failed::Sources(failure),
        })?;
        loaded.program = raddle_passes::stray_calls(loaded.program);
        Ok(loaded)
    }

    fn task(&self, program: Program) -> Task {
        Task::of(program, self.wanted.property, MemoryModel::Sc)
    }

    // ---- violations ----

    fn violation(&self, segments: &[Segment]) -> Result<Verdict, Failed> {
        let plan = Plan::new(segments, &self.files).map_err(|why| Reason::new(Code::Unsupported, why))?;
        let loaded = self.load(&plan.probes)?;
        let inputs = Inputs::read(self.args, &loaded.places).map_err(rejected)?;
        let whole = self.task(without_probes(loaded.program.clone(), &loaded.probes));
        let mut last = rejected("no execution that follows the witness violates the property");
        let mut readings: Vec<(Program, Strategy)> = Vec::new();
        let turns = loaded.program.starts_threads().then_some(Reading::Narrow);
        for reading in turns.into_iter().chain([Reading::Strict, Reading::Lenient]) {
            let restricted = restrict(loaded.program.clone(), &loaded.probes, &plan, &inputs, &loaded.calls, reading);
            let restricted = restricted.map_err(rejected)?;
            if let Err(problem) = raddle_ir::validate(&restricted) {
                return Err(
                    Reason::new(Code::InternalError, format!("the restriction is no Program: {problem}")).into()
                );
            }
            // Few executions are left where turns are told: one looks at them one after the other.
            let strategy = match reading {
                Reading::Narrow if self.args.engine == AUTO => Strategy::single("explore"),
                _ => self.strategy.clone(),
            };
            // Most witnesses mean the same in several readings.
            if readings.iter().all(|(known, _)| *known != restricted) {
                readings.push((restricted, strategy));
            }
        }
        let count = readings.len() as u32;
        for (number, (restricted, strategy)) in (0..count).zip(&readings) {
            match self.search(&whole, restricted, strategy, count - number) {
                Ok(Some(schedule)) => return Ok(self.found(&whole, schedule, &loaded)),
                Ok(None) => {}
                Err(reason) => last = reason,
            }
            if self.budget.stop().is_some() {
                break;
            }
        }
        Err(last.into())
    }

    /// A violation of the restricted Program, led back to the whole one. There are so many readings to look at, this one included: each has its part of the time.
    fn search(
        &self,
        whole: &Task,
        restricted: &Program,
        strategy: &Strategy,
        readings: u32,
    ) -> Result<Option<Schedule>, Reason> {
        let task = self.task(restricted.clone());
        let traits = Traits::of(task.program());
        let now = process_time();
        let left = self.budget.timeout().saturating_sub(now);
        let budget = match readings {
            1 => self.budget.clone(),
            _ => Budget::new(now + left / readings, self.budget.memory()),
        };
        match conclude(&task, strategy, &traits, self.args, &budget).outcome {
            Outcome::Unsafe(schedule) => whole.confirm(restricted, schedule, &self.budget).map(Some),
            Outcome::Safe(_) => Ok(None),
            Outcome::Unknown(reason) => Err(reason),
        }
    }

    fn found(&self, whole: &Task, mut schedule: Schedule, loaded: &Loaded) -> Verdict {
        let (places, shapes, undefined) = (&loaded.places, &loaded.shapes, &loaded.undefined);
        let sources = Sources { files: &self.args.sources.files, places, shapes, undefined };
        let (outcome, story) = match results::story(whole, &mut schedule, &sources) {
            Ok(story) => (Outcome::Unsafe(schedule), Some(story)),
            Err(why) => {
                let words = format!("a counterexample could not be replayed: {why}");
                (Outcome::Unknown(Reason::new(Code::Unconfirmed, words)), None)
            }
        };
        told(&outcome, Some(whole), story, &self.statistics(&outcome, loaded), self.args.full)
    }

    fn statistics(&self, outcome: &Outcome, loaded: &Loaded) -> Statistics {
        Statistics {
            verdict: verdict(outcome, self.wanted.property),
            cpu_seconds: process_time().as_secs_f64(),
            source_bytes: loaded.source_bytes,
            ..Statistics::default()
        }
    }

    // ---- proofs ----

    /// What an invariant is made of is tracked from the beginning, unless somebody asked for something else.
    fn helped(&self) -> VerifyArgs {
        let mut args = VerifyArgs { witness: None, ..self.args.clone() };
        if args.cegar.initial == InitialPrecision::Empty {
            args.cegar.initial = InitialPrecision::AllErrors;
        }
        args
    }

    fn proof(&self, items: &[Item]) -> Result<Verdict, Failed> {
        let probes = claims(items, &self.files).map_err(|why| Reason::new(Code::Unsupported, why))?;
        let loaded = self.load(&probes)?;
        let task = self.task(asserted(loaded.program.clone(), &loaded.probes));
        let traits = Traits::of(task.program());
        let conclusion = conclude(&task, &self.strategy, &traits, &self.helped(), &self.budget);
        let outcome = match conclusion.outcome {
            Outcome::Unsafe(schedule) => {
                let trace = task.trace(&schedule, Telling::Ends(MOST_TOLD));
                return Err(refuted(&task, &probes, &loaded, trace).into());
            }
            outcome => outcome,
        };
        Ok(told(&outcome, Some(&task), None, &self.statistics(&outcome, &loaded), self.args.full))
    }
}

/// Steps of an execution against an invariant, from its beginning and from its end.
const MOST_TOLD: usize = 2000;

/// What an execution says against a proof.
fn refuted(task: &Task, probes: &[Probe], loaded: &Loaded, trace: Result<Trace, String>) -> Reason {
    let trace = match trace {
        Ok(trace) => trace,
        Err(why) => return Reason::new(Code::Unconfirmed, format!("a counterexample could not be replayed: {why}")),
    };
    let last = trace.steps.last().and_then(|step| Some((step.proc, step.edge?)));
    let is_it = |site: &&raddle_c::probes::Site, edge: EdgeId| {
        let edge = &task.program().proc(site.proc).edges[edge.index()];
        Some(edge.source) == site.no
            && edge.labels.iter().any(|l| matches!(l, raddle_ir::Label::Error(Violation::Assertion)))
    };
    let site = last.and_then(|(proc, edge)| loaded.probes.iter().find(|site| site.proc == proc && is_it(site, edge)));
    let trace = crate::trace_text::render(task.program(), &trace);
    let trace = trace.trim_end();
    match site.map(|site| &probes[site.probe]) {
        Some(Probe { file, line, condition, .. }) => {
            let condition = condition.as_deref().unwrap_or_default();
            rejected(format!("{file}:{line}: the invariant `{condition}` does not hold:\n{trace}"))
        }
        None => rejected(format!("the property is violated:\n{trace}")),
    }
}
