//! `raddle verify`: from sources to a certified verdict.

use crate::args::{FormatArg, VerifyArgs};
use crate::log;
use crate::portfolio;
use crate::progress::Progress;
use crate::property::{self, Wanted};
use crate::verdicts::Verdict;
use crate::{
    BAD_INPUT, HOLDS, INTERNAL_ERROR, Manner, UNKNOWN, VIOLATED, console, engines, explain, frontend_failure,
    frontend_options, refuse, start_limits, trace_text, witness,
};
use raddle_budget::process_time;
use raddle_c::driver::{self, Failure, Loaded};
use raddle_c::lower::LowerOptions;
use raddle_c::places::Places;
use raddle_engine::{Budget, Code, Conclusion, Outcome, Reason, Task, Telling, Trace};
use raddle_ir::{Program, Property};
use raddle_portfolio::{Plan, Strategy, Traits, conduct};
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

/// What is said at the end.
#[derive(Serialize)]
struct Report<'a> {
    verdict: String,
    /// Why it is unknown.
    reason: Option<&'a str>,
    trace: Vec<Step<'a>>,
    /// Steps in the middle of a long trace that are not told.
    #[serde(skip_serializing_if = "is_zero")]
    omitted_steps: u64,
    statistics: &'a Statistics,
}

/// A step of the violating execution.
#[derive(Serialize)]
struct Step<'a> {
    thread: u32,
    function: &'a str,
    place: String,
    what: &'a str,
}

/// What `--stats` writes.
#[derive(Serialize, Default)]
pub struct Statistics {
    pub verdict: String,
    pub cpu_seconds: f64,
    pub frontend_seconds: f64,
    pub source_bytes: usize,
    /// The step that has the answer.
    pub step: Value,
    pub traits: Value,
    /// Every visit to a step.
    pub turns: Value,
}

pub fn run(args: &VerifyArgs, manner: &Manner) -> u8 {
    let Manner::Verify { verdicts, .. } = manner else { return INTERNAL_ERROR };
    let wanted: Result<Vec<Wanted>, String> = verdicts.names().iter().map(|name| property::parse(name)).collect();
    let wanted = match wanted {
        Ok(wanted) => wanted,
        Err(message) => return refuse(manner, &message),
    };
    if args.witness.is_some() && wanted.len() > 1 {
        return refuse(manner, "error: --witness is for one property at a time");
    }
    log::start(args.log);
    let budget = match start_limits(&args.limits, manner) {
        Ok(budget) => budget,
        Err(message) => return refuse(manner, &message),
    };
    let strategy = match portfolio::chosen(args) {
        Ok(strategy) => strategy,
        Err(message) => return refuse(manner, &message),
    };
    // The sources are read before the first verdict: what is wrong with them is wrong for every property.
    let loaded = match load(&wanted, args, &budget) {
        Ok(loaded) => loaded,
        Err(failure) => return frontend_failure(manner, &failure),
    };
    let frontend_seconds = process_time().as_secs_f64();
    for (wanted, loaded) in wanted.iter().zip(loaded) {
        let statistics = Statistics { frontend_seconds, source_bytes: loaded.source_bytes, ..Statistics::default() };
        let task = Task::of(raddle_passes::stray_calls(loaded.program), wanted.property, args.memory_model);
        verdicts.add(verify(&task, &strategy, statistics, args, &loaded.places, &budget));
    }
    console::wait_for_the_floor();
    tell(manner, None)
}

/// The Program for each property: a property given by name counts failed assertions, a file may not.
fn load(wanted: &[Wanted], args: &VerifyArgs, budget: &Budget) -> Result<Vec<Loaded>, Failure> {
    let mut all = Vec::new();
    for (number, wanted) in wanted.iter().enumerate() {
        let lower = LowerOptions { assertions_are_errors: wanted.assertions, concrete_arguments: false };
        let loaded = driver::load(&args.sources.files, &frontend_options(&args.sources, lower, budget))?;
        if !args.quiet && number == 0 {
            loaded.warnings.iter().for_each(|w| eprint!("{w}"));
        }
        all.push(loaded);
    }
    Ok(all)
}

/// The verdict on one property. The statistics know of the sources so far.
fn verify(
    task: &Task,
    strategy: &Strategy,
    sources: Statistics,
    args: &VerifyArgs,
    places: &Places,
    budget: &Budget,
) -> Verdict {
    let traits = Traits::of(task.program());
    let mut conclusion = conclude(task, strategy, &traits, args, budget);
    let telling = match (args.format, args.quiet) {
        (FormatArg::Json, _) => Telling::Ends(trace_text::MOST_STEPS_AS_JSON),
        (FormatArg::Text, false) => Telling::Ends(trace_text::MOST_STEPS),
        (FormatArg::Text, true) => Telling::Nothing,
    };
    // The run that found a violation has replayed it, in another process. What is reported was replayed here.
    let trace = match &conclusion.outcome {
        Outcome::Unsafe(schedule) => Some(task.trace(schedule, telling)),
        _ => None,
    };
    if let Some(Err(why)) = &trace {
        let words = format!("a counterexample could not be replayed: {why}");
        conclusion.outcome = Outcome::Unknown(Reason::new(Code::Unconfirmed, words));
    }
    let trace = trace.and_then(Result::ok);
    let outcome = &conclusion.outcome;
    let statistics = Statistics {
        verdict: verdict(outcome, task.property()),
        cpu_seconds: process_time().as_secs_f64(),
        step: conclusion.statistics["step"].clone(),
        traits: serde_json::to_value(&traits).unwrap_or_default(),
        turns: conclusion.statistics["turns"].clone(),
        ..sources
    };
    if let (Some(path), Some(graph)) = (&args.cegar.graph, &conclusion.graph)
        && let Err(error) = std::fs::write(path, graph)
    {
        eprintln!("error: cannot write {}: {error}", path.display());
    }
    if let Some(path) = &args.witness
        && let Err(why) = witness::write(path, args, task, outcome, places)
    {
        eprintln!("error: no witness is written to {}: {why}", path.display());
    }
    report(outcome, Some((task.program(), trace)), &statistics)
}

pub fn conclude(task: &Task, strategy: &Strategy, traits: &Traits, args: &VerifyArgs, budget: &Budget) -> Conclusion {
    let (settings, remarks) = engines::settings(args);
    for remark in remarks.iter().filter(|_| !args.quiet) {
        eprintln!("raddle: {remark}");
    }
    // This very binary, also if another one has taken its place meanwhile.
    let program = Path::new("/proc/self/exe");
    let progress = Progress::new(args.quiet, budget);
    let plan = Plan { strategy, settings: &settings, traits, jobs: args.jobs, program };
    let mut conclusion = conduct(&plan, task, budget, &|news| {
        log::news(&news);
        progress.news(&news);
    });
    progress.end();
    // A share of the time or of the memory that was used up is the whole of it here, or else somebody interrupted.
    if let (Outcome::Unknown(_), Some(stop)) = (&conclusion.outcome, budget.whole_is_over()) {
        conclusion.outcome = Outcome::Unknown(stop.into());
    }
    conclusion
}

pub fn verdict(outcome: &Outcome, property: Property) -> String {
    match outcome {
        Outcome::Safe(_) => "true".into(),
        Outcome::Unsafe(_) => format!("false({})", property.name()),
        Outcome::Unknown(reason) => format!("unknown({})", reason.code),
    }
}

/// Says that there is no answer, and why, where no engine came to an end.
pub fn report_unknown(manner: &Manner, reason: &Reason) -> u8 {
    let verdict = format!("unknown({})", reason.code);
    let statistics = Statistics { verdict, cpu_seconds: process_time().as_secs_f64(), ..Statistics::default() };
    tell(manner, Some(&report(&Outcome::Unknown(reason.clone()), None, &statistics)))
}

/// Prints all verdicts, `otherwise` for those that are not there; returns the exit status.
pub fn tell(manner: &Manner, otherwise: Option<&Verdict>) -> u8 {
    let Manner::Verify { format, quiet, stats, verdicts } = manner else { return INTERNAL_ERROR };
    let complete = verdicts.complete(otherwise);
    if let Some(path) = stats
        && let Err(error) = std::fs::write(path, complete.statistics())
    {
        eprintln!("error: cannot write {}: {error}", path.display());
    }
    print!("{}", complete.rendered(*format, *quiet));
    complete.status()
}

/// What there is to say of an outcome.
pub fn report(outcome: &Outcome, program: Option<(&Program, Option<Trace>)>, statistics: &Statistics) -> Verdict {
    let reason = match (outcome, &program) {
        (Outcome::Unknown(Reason { words, span: Some(span), .. }), Some((program, _))) => {
            Some(format!("{}: {words}", trace_text::place(program, *span)))
        }
        (Outcome::Unknown(reason), _) => Some(reason.words.clone()),
        _ => None,
    };
    let (trace, omitted_steps) = match &program {
        Some((program, Some(trace))) => (steps(program, trace), trace.omitted),
        _ => (Vec::new(), 0),
    };
    let verdict = statistics.verdict.clone();
    let report = Report { verdict: verdict.clone(), reason: reason.as_deref(), trace, omitted_steps, statistics };
    Verdict {
        verdict,
        status: status(outcome),
        report: serde_json::to_string_pretty(&report).unwrap_or_default(),
        statistics: serde_json::to_string_pretty(statistics).unwrap_or_default(),
        text: text(outcome, &program, reason.as_deref()),
    }
}

/// The same for people.
fn text(outcome: &Outcome, program: &Option<(&Program, Option<Trace>)>, reason: Option<&str>) -> String {
    match (outcome, program, reason) {
        (Outcome::Unsafe(_), Some((program, Some(trace))), _) => {
            format!("The property is violated; replayed:\n{}", trace_text::render(program, trace))
        }
        (Outcome::Unknown(Reason { code, .. }), _, Some(reason)) => {
            let hint = explain::hint(*code).map_or(String::new(), |hint| hint + "\n");
            format!("{reason}\n{hint}")
        }
        (Outcome::Safe(proof), ..) => format!("No execution violates the property ({}).\n", proof.words()),
        _ => String::new(),
    }
}

fn status(outcome: &Outcome) -> u8 {
    match outcome {
        Outcome::Safe(_) => HOLDS,
        Outcome::Unsafe(_) => VIOLATED,
        Outcome::Unknown(reason) if reason.code == Code::InternalError => INTERNAL_ERROR,
        Outcome::Unknown(reason) if reason.code == Code::InputError => BAD_INPUT,
        Outcome::Unknown(_) => UNKNOWN,
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn steps<'a>(program: &'a Program, trace: &'a Trace) -> Vec<Step<'a>> {
    let step = |step: &'a raddle_interp::TraceStep| Step {
        thread: step.thread,
        function: &program.procs[step.proc.index()].name,
        place: trace_text::place(program, step.span),
        what: &step.text,
    };
    trace.steps.iter().map(step).collect()
}
