//! `raddle verify`: from sources to a certified verdict.

use crate::args::{FormatArg, VerifyArgs};
use crate::log;
use crate::progress::Progress;
use crate::{
    BAD_INPUT, HOLDS, INTERNAL_ERROR, Manner, UNKNOWN, VIOLATED, console, engines, frontend_failure, frontend_options,
    refuse, start_limits, trace_text,
};
use crate::{portfolio, property, witness};
use raddle_budget::process_time;
use raddle_c::driver;
use raddle_c::lower::LowerOptions;
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
struct Statistics {
    verdict: String,
    cpu_seconds: f64,
    frontend_seconds: f64,
    source_bytes: usize,
    /// The step that has the answer.
    step: Value,
    traits: Value,
    /// Every visit to a step.
    turns: Value,
}

pub fn run(args: &VerifyArgs) -> u8 {
    let manner = &Manner::of(args);
    let wanted = match property::parse(&args.property) {
        Ok(wanted) => wanted,
        Err(message) => return refuse(manner, &message),
    };
    log::start(args.log);
    let budget = match start_limits(&args.limits, manner) {
        Ok(budget) => budget,
        Err(message) => return refuse(manner, &message),
    };
    let strategy = match portfolio::chosen(args) {
        Ok(strategy) => strategy,
        Err(message) => return refuse(manner, &message),
    };
    let lower = LowerOptions { assertions_are_errors: wanted.assertions, concrete_arguments: false };
    let loaded = match driver::load(&args.sources.files, &frontend_options(&args.sources, lower, &budget)) {
        Ok(loaded) => loaded,
        Err(failure) => return frontend_failure(manner, &failure),
    };
    if !args.quiet {
        loaded.warnings.iter().for_each(|w| eprint!("{w}"));
    }
    let frontend_seconds = process_time().as_secs_f64();
    let task = Task::of(raddle_passes::stray_calls(loaded.program), wanted.property, args.memory_model);
    let traits = Traits::of(task.program());
    let mut conclusion = conclude(&task, &strategy, &traits, args, &budget);
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
        frontend_seconds,
        source_bytes: loaded.source_bytes,
        step: conclusion.statistics["step"].clone(),
        traits: serde_json::to_value(&traits).unwrap_or_default(),
        turns: conclusion.statistics["turns"].clone(),
    };
    if let (Some(path), Some(graph)) = (&args.cegar.graph, &conclusion.graph)
        && let Err(error) = std::fs::write(path, graph)
    {
        eprintln!("error: cannot write {}: {error}", path.display());
    }
    write_statistics(args.stats.as_deref(), &statistics);
    if let Some(path) = &args.witness
        && let Err(why) = witness::write(path, args, &task, outcome, &loaded.places)
    {
        eprintln!("error: no witness is written to {}: {why}", path.display());
    }
    console::wait_for_the_floor();
    report(outcome, args.format, args.quiet, Some((task.program(), trace)), &statistics)
}

fn conclude(task: &Task, strategy: &Strategy, traits: &Traits, args: &VerifyArgs, budget: &Budget) -> Conclusion {
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

fn verdict(outcome: &Outcome, property: Property) -> String {
    match outcome {
        Outcome::Safe(_) => "true".into(),
        Outcome::Unsafe(_) => format!("false({})", property.name()),
        Outcome::Unknown(reason) => format!("unknown({})", reason.code),
    }
}

fn write_statistics(path: Option<&Path>, statistics: &Statistics) {
    let Some(path) = path else { return };
    let text = serde_json::to_string_pretty(statistics).unwrap_or_default();
    if let Err(error) = std::fs::write(path, text + "\n") {
        eprintln!("error: cannot write {}: {error}", path.display());
    }
}

/// Prints that there is no answer, and why, where no engine came to an end.
pub fn report_unknown(format: FormatArg, quiet: bool, stats: Option<&Path>, reason: &Reason) -> u8 {
    let verdict = format!("unknown({})", reason.code);
    let statistics = Statistics { verdict, cpu_seconds: process_time().as_secs_f64(), ..Statistics::default() };
    write_statistics(stats, &statistics);
    report(&Outcome::Unknown(reason.clone()), format, quiet, None, &statistics)
}

/// Prints the result; returns the exit status.
fn report(
    outcome: &Outcome,
    format: FormatArg,
    quiet: bool,
    program: Option<(&Program, Option<Trace>)>,
    statistics: &Statistics,
) -> u8 {
    let reason = match (outcome, &program) {
        (Outcome::Unknown(Reason { words, span: Some(span), .. }), Some((program, _))) => {
            Some(format!("{}: {words}", trace_text::place(program, *span)))
        }
        (Outcome::Unknown(reason), _) => Some(reason.words.clone()),
        _ => None,
    };
    match format {
        FormatArg::Json => {
            let (trace, omitted_steps) = match &program {
                Some((program, Some(trace))) => (steps(program, trace), trace.omitted),
                _ => (Vec::new(), 0),
            };
            let verdict = statistics.verdict.clone();
            let report = Report { verdict, reason: reason.as_deref(), trace, omitted_steps, statistics };
            println!("{}", serde_json::to_string_pretty(&report).unwrap_or_default());
        }
        FormatArg::Text => {
            if !quiet {
                match (outcome, &program, &reason) {
                    (Outcome::Unsafe(_), Some((program, Some(trace))), _) => {
                        println!("The property is violated; replayed:");
                        print!("{}", trace_text::render(program, trace));
                    }
                    (Outcome::Unknown(_), _, Some(reason)) => println!("{reason}"),
                    (Outcome::Safe(proof), ..) => {
                        println!("No execution violates the property ({}).", proof.words());
                    }
                    _ => {}
                }
            }
            println!("VERDICT: {}", statistics.verdict);
        }
    }
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
