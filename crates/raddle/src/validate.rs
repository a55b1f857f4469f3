//! `raddle validate`: is what a witness says right?
//!
//! A violation witness restricts the search: the engines work on a Program whose violations follow the witness (`raddle_witness::restrict`), and what they find is replayed on the
//! Program without the restriction. A correctness witness is confirmed by a proof of the property and of its invariants, which are asserted where they are to hold
//! (`raddle_witness::asserted`). Whatever else comes out is `unknown`.

use crate::args::VerifyArgs;
use crate::property::{self, Wanted};
use crate::results::{self, Sources};
use crate::verdicts::Verdict;
use crate::verify::{Statistics, conclude, tell, told, verdict};
use crate::witness::{Inputs, Said, data_model, specification};
use crate::{
    INTERNAL_ERROR, Manner, console, frontend_failure, frontend_options, log, portfolio, refuse, start_limits,
};
use raddle_budget::process_time;
use raddle_c::driver::{self, Failure, Loaded};
use raddle_c::lower::LowerOptions;
use raddle_c::places::is_in_arguments;
use raddle_c::probes::{Places, Probe, ProbeKind};
use raddle_cegar::InitialPrecision;
use raddle_engine::{Budget, Code, Outcome, Reason, Schedule, Silent, Task, Telling, Trace};
use raddle_explore::{ExploreConfig, Turns, explore};
use raddle_ir::{Label, LocId, MemoryModel, ProcId, Program, Property, Violation, Violations};
use raddle_passes::{instrument, stray_calls};
use raddle_portfolio::{Strategy, Traits};
use raddle_witness::{
    Asserted, Content, Entry, Item, Plan, Reading, Restricted, Segment, asserted, claims, hash, restrict,
    without_probes,
};
use std::path::{Path, PathBuf};

/// Each of the searches before the last one has this part of the time that is left.
const SEARCHES: u32 = 3;

/// What a witness is checked with.
struct Check<'a> {
    args: &'a VerifyArgs,
    wanted: Wanted,
    /// The witness is about a part of the property that was named.
    is_part: bool,
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
    let error = |why: String| format!("error: {}: {why}", path.display());
    let files = entries.iter().map(|entry| fits(entry, args, name, wanted.property));
    let mut fitting = files.collect::<Result<Vec<_>, _>>().map_err(error)?;
    fitting.dedup_by_key(|(_, wanted)| *wanted);
    if fitting.len() > 1 {
        return Err(error("its entries are of several specifications".into()));
    }
    let strategy = portfolio::chosen(args)?;
    // What the witness says is checked: where the property was named, its parts that the witness is about.
    let asked = wanted;
    let (files, wanted) = fitting.pop().unwrap_or((Vec::new(), wanted));
    let is_part = asked.counts != wanted.counts;
    Ok((Check { args, wanted, is_part, strategy, budget, files }, entries))
}

fn read(path: &Path) -> Result<Vec<Entry>, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("error: cannot read {}: {error}", path.display()))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("error: {}: not a text", path.display()))?;
    raddle_witness::read(&text).map_err(|problem| format!("error: {}: {problem}", path.display()))
}

/// The input files, and how the witness calls them.
type Files = Vec<(String, String)>;

/// Is it a witness of this task? Returns the files, and what it is about.
fn fits(entry: &Entry, args: &VerifyArgs, name: &str, property: Property) -> Result<(Files, Wanted), String> {
    let task = &entry.metadata.task;
    let files = same_files(&task.input_files, &args.sources.files)?;
    if task.data_model != data_model(args) {
        return Err(format!("its data model is {}, not {}", task.data_model, data_model(args)));
    }
    let dense = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let is_named = name == property.name();
    let read = property::parse_file(&task.specification).filter(|theirs| is_named && theirs.property == property);
    let is_same = dense(&specification(name, property, Said::Both)) == dense(&task.specification);
    match read {
        Some(theirs) => Ok((files, theirs)),
        None if is_same => Ok((files, property::parse(name)?)),
        None => Err(format!("its specification is another one: {}", task.specification.trim())),
    }
}

/// Pairs the files that are given with those of the witness by their contents; where several have the same, by their names.
fn same_files(theirs: &[(String, String)], own: &[PathBuf]) -> Result<Files, String> {
    let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let mut left: Vec<&(String, String)> = theirs.iter().collect();
    let mut files = Files::new();
    for path in own {
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let (own, name) = (hash(&bytes), path.to_string_lossy().into_owned());
        let distance = |of: &str| if of == name { 0 } else { 1 + u8::from(base(of) != base(&name)) };
        let same = left.iter().enumerate().filter(|(_, (_, hash))| hash.eq_ignore_ascii_case(&own));
        let Some(at) = same.min_by_key(|(_, (file, _))| distance(file)).map(|(at, _)| at) else {
            return Err(format!("it is of another program: no input file has the SHA-256 of {name}"));
        };
        let (theirs, _) = left.remove(at);
        files.push((name, theirs.clone()));
    }
    match left.first() {
        Some((other, _)) => Err(format!("it is of another program: {other} is not given")),
        None => Ok(files),
    }
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

    /// The Program with probes. Where a column fits no place, a waypoint is at the first one of the line, and an invariant must hold at all of them.
    fn load(&self, probes: &[Probe]) -> Result<Loaded, Failed> {
        let first = self.load_exactly(probes)?;
        if let Some(why) = probes.iter().find_map(|probe| unclear(probe, &first)) {
            return Err(Reason::new(Code::Unsupported, why).into());
        }
        if first.missing.is_empty() {
            return Ok(first);
        }
        let mut second = probes.to_vec();
        for number in &first.missing {
            match second[*number].places {
                Places::One => second[*number].column = None,
                Places::Copies | Places::Line => second[*number].places = Places::Line,
            }
        }
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
        let lower = LowerOptions { counts: self.wanted.counts, concrete_arguments: false };
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
        loaded.program = instrument(stray_calls(loaded.program), self.wanted.property, &[]);
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
        let restrict = |reading| {
            let (program, calls) = (loaded.program.clone(), &loaded.calls);
            let restricted = restrict(program, &loaded.probes, &plan, &inputs, calls, reading).map_err(rejected)?;
            match raddle_ir::validate(&restricted.program) {
                Ok(()) => Ok(restricted),
                Err(problem) => {
                    Err(Reason::new(Code::InternalError, format!("the restriction is no Program: {problem}")))
                }
            }
        };
        if let Some(threads) = plan.turns().filter(|_| loaded.program.starts_threads()) {
            for (reading, rounds) in [(Reading::Narrowest, 2), (Reading::Narrow, u32::MAX)] {
                if let Some(schedule) = self.in_turn(&whole, restrict(reading)?, &threads, rounds) {
                    return Ok(self.found(&whole, schedule, &loaded));
                }
            }
        }
        let (strict, lenient) = (restrict(Reading::Strict)?.program, restrict(Reading::Lenient)?.program);
        // Most witnesses mean the same in both readings.
        let readings = if strict == lenient { vec![strict] } else { vec![strict, lenient] };
        // Where threads stand when they race or wait for each other, the format does not say: what is not found again may still be there.
        let mut last = match self.wanted.property {
            Property::NoDataRace | Property::NoDeadlock => Reason::new(
                Code::Unsupported,
                "no race or deadlock was found along the witness, which does not tell all of it",
            ),
            _ => rejected("no execution that follows the witness violates the property"),
        };
        for (restricted, left) in readings.iter().zip((1..=readings.len() as u32).rev()) {
            match self.search(&whole, restricted, left) {
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

    /// The time that is left, shared by so many.
    fn share(&self, among: u32) -> Budget {
        let now = process_time();
        let left = self.budget.timeout().saturating_sub(now);
        match among {
            1 => self.budget.clone(),
            _ => Budget::new(now + left / among, self.budget.memory()),
        }
    }

    /// A violation in which threads take turns as the witness tells. Few executions are left where every turn is told: one looks at them one after the other, whichever engine is asked for.
    fn in_turn(&self, whole: &Task, restricted: Restricted, threads: &[u32], rounds: u32) -> Option<Schedule> {
        let Restricted { program, counter } = restricted;
        let budget = self.share(SEARCHES);
        let memory_limit = self.budget.memory() / u64::from(SEARCHES);
        let all = threads.len() as u64;
        for round in 0..rounds {
            for next_first in [false, true] {
                // Every turn takes a few states. A guess that goes astray is given up, and tried for longer later.
                let most_states = (100 * all).max(1000).saturating_mul(8u64.saturating_pow(round));
                let turns = Some(Turns { counter, threads: threads.to_vec(), next_first, most_states });
                let config = ExploreConfig { turns, memory_limit, ..ExploreConfig::default() };
                let (outcome, stats) = explore(&program, MemoryModel::Sc, &config, &budget, &Silent);
                match outcome {
                    Outcome::Unsafe(schedule) => return whole.confirm(&program, schedule, &self.budget).ok(),
                    _ if budget.stop().is_some() || stats.states <= most_states => return None,
                    _ => {}
                }
            }
        }
        None
    }

    /// A violation of the restricted Program, led back to the whole one. There are so many readings to look at, this one included: each has its part of the time.
    fn search(&self, whole: &Task, restricted: &Program, readings: u32) -> Result<Option<Schedule>, Reason> {
        let task = self.task(restricted.clone());
        let traits = Traits::of(task.program());
        match conclude(&task, &self.strategy, &traits, self.args, &self.share(readings)).outcome {
            Outcome::Unsafe(schedule) => whole.confirm(restricted, schedule, &self.budget).map(Some),
            Outcome::Safe(_) => Ok(None),
            Outcome::Unknown(reason) => Err(reason),
        }
    }

    fn found(&self, whole: &Task, mut schedule: Schedule, loaded: &Loaded) -> Verdict {
        let (places, shapes, undefined) = (&loaded.places, &loaded.shapes, &loaded.undefined);
        let sources = Sources { files: &self.args.sources.files, places, shapes, undefined };
        let (outcome, story, violation) = match results::story(whole, &mut schedule, &sources) {
            Ok((story, violation)) => (Outcome::Unsafe(schedule), Some(story), Some(violation)),
            Err(why) => {
                let words = format!("a counterexample could not be replayed: {why}");
                (Outcome::Unknown(Reason::new(Code::Unconfirmed, words)), None, None)
            }
        };
        told(&outcome, Some(whole), story, &self.statistics(&outcome, violation, loaded), self.args.full)
    }

    fn statistics(&self, outcome: &Outcome, violation: Option<Violation>, loaded: &Loaded) -> Statistics {
        Statistics {
            verdict: verdict(outcome, violation),
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
        let Asserted { program, undefined } =
            asserted(loaded.program.clone(), &loaded.probes, &probes, self.violation_of_claims());
        if let Err(problem) = raddle_ir::validate(&program) {
            let words = format!("the Program with the invariants is none: {problem}");
            return Err(Reason::new(Code::InternalError, words).into());
        }
        let task = self.task(program);
        let traits = Traits::of(task.program());
        let conclusion = conclude(&task, &self.strategy, &traits, &self.helped(), &self.budget);
        let outcome = match conclusion.outcome {
            Outcome::Unsafe(schedule) => {
                let trace = task.trace(&schedule, Telling::Ends(MOST_TOLD));
                return Err(refuted(&task, &probes, &loaded, &undefined, trace).into());
            }
            outcome => outcome,
        };
        let mut verdict = told(&outcome, Some(&task), None, &self.statistics(&outcome, None, &loaded), self.args.full);
        if matches!(outcome, Outcome::Safe(_)) && self.is_part && self.leaves_out() {
            let part =
                if self.wanted.counts.has(Violation::ErrorCall) { "calls of the error function" } else { "assertions" };
            verdict.report.explanation += &format!("\nOnly {part} were checked: the witness is not about the rest.");
            verdict.text = raddle_report::text(&verdict.report, self.args.full);
        }
        Ok(verdict)
    }

    /// What an invariant violates that does not hold. Properties without such labels are refused by all engines.
    fn violation_of_claims(&self) -> Violation {
        let of_property = |violation: &Violation| violation.property() == self.wanted.property;
        Violation::ALL.into_iter().rev().find(of_property).unwrap_or(Violation::Assertion)
    }

    /// Does the program have violations in its text that the witness is not about?
    fn leaves_out(&self) -> bool {
        let lower = LowerOptions { counts: Violations::ERRORS, concrete_arguments: false };
        let options = frontend_options(&self.args.sources, lower, &self.budget);
        let Ok(whole) = driver::load_probed(&self.args.sources.files, &options, &[]) else { return true };
        whole.program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels).any(|label| match label {
            Label::Error(violation) => !self.wanted.counts.has(*violation),
            _ => false,
        })
    }
}

/// Why nobody knows which places of the Program a place of an input file is.
fn unclear(probe: &Probe, loaded: &Loaded) -> Option<String> {
    let Probe { file, line, column, .. } = probe;
    let itself = std::fs::canonicalize(file).ok();
    let is_it = |name: &str| name == file || itself.is_some() && std::fs::canonicalize(name).ok() == itself;
    if loaded.places.is_included(file, &is_it) {
        return Some(format!("{file}:{line}: another input file includes this one: its places are not told apart"));
    }
    let text = std::fs::read(file).ok().filter(|_| !file.ends_with(".i"))?;
    is_in_arguments(&text, *line, *column)
        .then(|| format!("{file}:{line}: this is in the arguments of a macro that begin on an earlier line"))
}

/// Steps of an execution against an invariant, from its beginning and from its end.
const MOST_TOLD: usize = 2000;

/// What an execution says against a proof.
fn refuted(
    task: &Task,
    probes: &[Probe],
    loaded: &Loaded,
    undefined: &[(ProcId, LocId, usize)],
    trace: Result<Trace, String>,
) -> Reason {
    let mut trace = match trace {
        Ok(trace) => trace,
        Err(why) => return Reason::new(Code::Unconfirmed, format!("a counterexample could not be replayed: {why}")),
    };
    let last = trace.steps.last().and_then(|step| {
        let edge = &task.program().proc(step.proc).edges[step.edge?.index()];
        Some((step.proc, edge.source))
    });
    let fails = loaded.probes.iter().find(|site| last.is_some_and(|at| Some(at) == site.no.map(|no| (site.proc, no))));
    let lacks = undefined.iter().find(|(proc, loc, _)| last == Some((*proc, *loc)));
    let (probe, what) = match (fails, lacks) {
        (Some(site), _) => (&probes[site.probe], "does not hold"),
        (None, Some((.., probe))) => {
            (&probes[*probe], "is not defined (a division by zero, an overflow, or a read outside of the object, say)")
        }
        (None, None) => {
            let trace = crate::trace_text::render(task.program(), &trace);
            return rejected(format!("the property is violated:\n{}", trace.trim_end()));
        }
    };
    let Probe { file, line, condition, .. } = probe;
    let condition = condition.as_deref().unwrap_or_default();
    trace.end = String::new();
    if let Some(last) = trace.steps.last_mut() {
        last.text = format!("the invariant {}", what.split(" (").next().unwrap_or_default());
    }
    let trace = crate::trace_text::render(task.program(), &trace);
    rejected(format!("{file}:{line}: the invariant `{condition}` {what}:\n{}", trace.trim_end()))
}
