//! `raddle verify`: from sources to a certified verdict.

use crate::all;
use crate::args::{FormatArg, VerifyArgs};
use crate::log;
use crate::portfolio;
use crate::progress::Progress;
use crate::property::{self, Wanted};
use crate::results::{self, Sources};
use crate::verdicts::Verdict;
use crate::{
    BAD_INPUT, HOLDS, INTERNAL_ERROR, Manner, UNKNOWN, VIOLATED, console, engines, frontend_failure, frontend_options,
    harness, refuse, report_page, start_limits, witness,
};
use raddle_budget::process_time;
use raddle_c::driver::{self, Entry, Failure, Loaded};
use raddle_c::lower::LowerOptions;
use raddle_engine::{Budget, Code, Conclusion, Outcome, Reason, Schedule, Task, inspected};
use raddle_ir::Violation;
use raddle_passes::{instrument, stray_calls};
use raddle_portfolio::{Plan, Strategy, Traits, conduct};
use raddle_report::Story;
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

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
    if (args.witness.is_some() || args.harness.is_some()) && wanted.len() > 1 {
        return refuse(manner, "error: --witness and --harness are for one property at a time");
    }
    if (args.witness.is_some() || args.harness.is_some()) && args.sources.entry().is_some() {
        return refuse(
            manner,
            "error: --witness and --harness are for programs that begin with main, not for --function",
        );
    }
    if args.report.is_some() && wanted.len() > 1 {
        return refuse(manner, "error: --report is for one property at a time");
    }
    if let Some(path) = overwritten(args) {
        return refuse(manner, &format!("error: {} is a source: nothing is written there", path.display()));
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
    if let Some(Entry { function, pointer_depth, array_length }) = args.sources.entry().filter(|_| !args.quiet) {
        eprintln!(
            "raddle: {function} is called with any numbers and with pointers to fresh objects \
             (--pointer-depth {pointer_depth}, --array-length {array_length})"
        );
    }
    let frontend_seconds = process_time().as_secs_f64();
    for (wanted, loaded) in wanted.iter().zip(loaded) {
        let statistics = Statistics { frontend_seconds, source_bytes: loaded.source_bytes, ..Statistics::default() };
        let (places, shapes, undefined) = (&loaded.places, &loaded.shapes, &loaded.undefined);
        let sources = Sources { files: &args.sources.files, places, shapes, undefined };
        let program = stray_calls(loaded.program);
        let plain = args.all.then(|| program.clone());
        let task = Task::of(instrument(program, wanted.property, &[]), wanted.property, args.memory_model);
        let (mut verdict, violation) = verify(&task, &strategy, statistics, args, &sources, &budget);
        if let (Some(plain), Some(first)) = (plain, violation) {
            let (others, is_complete) = all::others(&plain, &task, &first, &strategy, args, &sources, &budget);
            (verdict.report.others, verdict.report.has_all) = (others, is_complete);
            verdict.text = raddle_report::text(&verdict.report, args.full);
        }
        verdicts.add(verdict);
    }
    console::wait_for_the_floor();
    tell(manner, None)
}

/// A file to write that is one of the sources.
fn overwritten(args: &VerifyArgs) -> Option<&Path> {
    let written = [&args.witness, &args.report, &args.stats, &args.cegar.graph].into_iter().flatten();
    let is_source = |path: &&Path| {
        let same = |source: &PathBuf| matches!((source.canonicalize(), path.canonicalize()), (Ok(a), Ok(b)) if a == b);
        args.sources.files.iter().any(same)
    };
    written.map(PathBuf::as_path).find(is_source)
}

/// The Program for each property: a property given by name counts failed assertions, a file may not.
fn load(wanted: &[Wanted], args: &VerifyArgs, budget: &Budget) -> Result<Vec<Loaded>, Failure> {
    let mut all = Vec::new();
    for (number, wanted) in wanted.iter().enumerate() {
        let lower = LowerOptions { counts: wanted.counts, concrete_arguments: false };
        let loaded = driver::load_from(
            args.sources.entry().as_ref(),
            &args.sources.files,
            &frontend_options(&args.sources, lower, budget),
        )?;
        if !args.quiet && number == 0 {
            loaded.warnings.iter().for_each(|w| eprint!("{w}"));
        }
        all.push(loaded);
    }
    Ok(all)
}

/// The verdict on one property, and the execution that violates it. The statistics know of the sources so far.
fn verify(
    task: &Task,
    strategy: &Strategy,
    so_far: Statistics,
    args: &VerifyArgs,
    sources: &Sources,
    budget: &Budget,
) -> (Verdict, Option<Schedule>) {
    let traits = Traits::of(task.program());
    let mut conclusion = conclude(task, strategy, &traits, args, budget);
    // The run that found a violation has replayed it, in another process. What is reported was replayed here.
    let story = match &mut conclusion.outcome {
        Outcome::Unsafe(schedule) if is_told(args) => {
            results::story(task, schedule, sources).map(|(story, violation)| (Some(story), Some(violation)))
        }
        Outcome::Unsafe(schedule) => task.violation(schedule).map(|violation| (None, Some(violation))),
        _ => Ok((None, None)),
    };
    let (story, violation) = story.unwrap_or_else(|why| {
        let words = format!("a counterexample could not be replayed: {why}");
        conclusion.outcome = Outcome::Unknown(Reason::new(Code::Unconfirmed, words));
        (None, None)
    });
    let outcome = &conclusion.outcome;
    let statistics = Statistics {
        verdict: verdict(outcome, violation),
        cpu_seconds: process_time().as_secs_f64(),
        step: conclusion.statistics["step"].clone(),
        traits: serde_json::to_value(&traits).unwrap_or_default(),
        turns: conclusion.statistics["turns"].clone(),
        ..so_far
    };
    if let (Some(path), Some(graph)) = (&args.cegar.graph, &conclusion.graph)
        && let Err(error) = std::fs::write(path, graph)
    {
        eprintln!("error: cannot write {}: {error}", path.display());
    }
    if let Some(path) = &args.witness
        && let Err(why) = witness::write(path, args, task, outcome, sources.places)
    {
        eprintln!("error: no witness is written to {}: {why}", path.display());
    }
    if let (Some(folder), Outcome::Unsafe(schedule)) = (&args.harness, outcome)
        && let Err(why) = harness::write(folder, args, task.program(), schedule, sources.undefined)
    {
        eprintln!("error: no harness is written to {}: {why}", folder.display());
    }
    let mut verdict = told(outcome, Some(task), story, &statistics, args.full);
    if let Some(entry) = args.sources.entry() {
        results::limit(&mut verdict.report, task, &entry);
        verdict.text = raddle_report::text(&verdict.report, args.full);
    }
    if args.report.is_some() || args.format == FormatArg::Sarif {
        report_page::add_program(&mut verdict.report, task, sources.files);
    }
    let violation = match conclusion.outcome {
        Outcome::Unsafe(schedule) => Some(schedule),
        _ => None,
    };
    (verdict, violation)
}

/// Does anybody ask for more than the verdict?
fn is_told(args: &VerifyArgs) -> bool {
    let files = [&args.witness, &args.harness, &args.report].into_iter().flatten().count();
    !args.quiet || args.format != FormatArg::Text || files > 0
}

pub fn conclude(task: &Task, strategy: &Strategy, traits: &Traits, args: &VerifyArgs, budget: &Budget) -> Conclusion {
    if let Some(conclusion) = inspected(task) {
        return conclusion;
    }
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

pub fn verdict(outcome: &Outcome, violation: Option<Violation>) -> String {
    match outcome {
        Outcome::Safe(_) => "true".into(),
        Outcome::Unsafe(_) => format!("false({})", violation.map_or("", Violation::verdict_name)),
        Outcome::Unknown(reason) => format!("unknown({})", reason.code),
    }
}

/// Says that there is no answer, and why, where no engine came to an end.
pub fn report_unknown(manner: &Manner, reason: &Reason) -> u8 {
    let verdict = format!("unknown({})", reason.code);
    let statistics = Statistics { verdict, cpu_seconds: process_time().as_secs_f64(), ..Statistics::default() };
    tell(manner, Some(&told(&Outcome::Unknown(reason.clone()), None, None, &statistics, false)))
}

/// Prints all verdicts, `otherwise` for those that are not there; returns the exit status.
pub fn tell(manner: &Manner, otherwise: Option<&Verdict>) -> u8 {
    let Manner::Verify { format, quiet, stats, report, verdicts } = manner else { return INTERNAL_ERROR };
    let complete = verdicts.complete(otherwise);
    if let Some(path) = stats
        && let Err(error) = std::fs::write(path, complete.statistics())
    {
        eprintln!("error: cannot write {}: {error}", path.display());
    }
    if let (Some(path), Some(only)) = (report, complete.only())
        && let Err(error) = std::fs::write(path, raddle_report::html(&only.report))
    {
        eprintln!("error: cannot write {}: {error}", path.display());
    }
    print!("{}", complete.rendered(*format, *quiet));
    complete.status()
}

/// What there is to say of an outcome.
pub fn told(
    outcome: &Outcome,
    task: Option<&Task>,
    story: Option<Story>,
    statistics: &Statistics,
    full: bool,
) -> Verdict {
    let verdict = statistics.verdict.clone();
    let statistics = serde_json::to_value(statistics).unwrap_or_default();
    let report = results::report(verdict.clone(), outcome, task, story, statistics);
    Verdict { verdict, status: status(outcome), text: raddle_report::text(&report, full), report }
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
