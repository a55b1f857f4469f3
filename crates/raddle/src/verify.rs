//! `raddle verify`: from sources to a certified verdict.

use crate::args::{ConflictsArg, DecideArg, EngineArg, FormatArg, PorArg, VerifyArgs};
use crate::limits::{Limits, Stop};
use crate::property::{self, Property};
use crate::resources::cpu_time;
use crate::simulate::stop_reason;
use crate::{
    HOLDS, Manner, UNKNOWN, VIOLATED, bad_input, frontend_failure, frontend_options, speak, start_limits, trace_text,
};
use raddle_c::driver;
use raddle_c::lower::LowerOptions;
use raddle_interp::{ExploreConfig, ExploreOutcome, Outcome, Por, Trace, explore};
use raddle_ir::Program;
use raddle_oc::{ConflictSearch, Decide, OcConfig, Outcome as OcOutcome};
use serde_json::json;

/// What is said at the end.
enum Verdict {
    /// With the reason in words.
    Holds(String),
    Violated(Property, Trace),
    /// A machine-readable code, and the reason in words.
    Unknown(String, String),
}

impl Verdict {
    fn text(&self) -> String {
        match self {
            Verdict::Holds(_) => "true".into(),
            Verdict::Violated(property, _) => format!("false({})", property.name()),
            Verdict::Unknown(code, _) => format!("unknown({code})"),
        }
    }

    fn status(&self) -> u8 {
        match self {
            Verdict::Holds(_) => HOLDS,
            Verdict::Violated(..) => VIOLATED,
            Verdict::Unknown(..) => UNKNOWN,
        }
    }
}

pub fn run(args: &VerifyArgs) -> u8 {
    let wanted = match property::parse(&args.property) {
        Ok(wanted) => wanted,
        Err(message) => return bad_input(&message),
    };
    let (format, manner) = (args.format, Manner::Verify(args.format, args.quiet));
    let limits = match start_limits(&args.limits, manner) {
        Ok(limits) => limits,
        Err(message) => return bad_input(&message),
    };
    let lower = LowerOptions { assertions_are_errors: wanted.assertions, concrete_arguments: false };
    let loaded = match driver::load(&args.sources.files, &frontend_options(&args.sources, lower, &limits)) {
        Ok(loaded) => loaded,
        Err(failure) => return frontend_failure(manner, &failure),
    };
    if !args.quiet {
        loaded.warnings.iter().for_each(|w| eprint!("{w}"));
    }
    let frontend = cpu_time();
    let (verdict, program, statistics) = match wanted.property {
        Property::UnreachCall => check(loaded.program, args, &limits),
        other => {
            let reason = format!("no engine checks the property `{}` yet", other.name());
            (Verdict::Unknown("unsupported".into(), reason), loaded.program, json!({}))
        }
    };
    let statistics = json!({
        "verdict": verdict.text(),
        "cpu_seconds": cpu_time().as_secs_f64(),
        "frontend_seconds": frontend.as_secs_f64(),
        "source_bytes": loaded.source_bytes,
        "engine": statistics,
    });
    if let Some(path) = &args.stats
        && let Err(error) = std::fs::write(path, format!("{statistics:#}\n"))
    {
        eprintln!("{}: {error}", path.display());
    }
    speak::wait_for_the_floor();
    report(&verdict, format, args.quiet, Some(&program), &statistics)
}

/// Prints that there is no answer, and why.
pub fn report_unknown(format: FormatArg, quiet: bool, code: &str, reason: &str) -> u8 {
    report(&Verdict::Unknown(code.into(), reason.into()), format, quiet, None, &json!({}))
}

/// Runs the engine.
fn check(program: Program, args: &VerifyArgs, limits: &Limits) -> (Verdict, Program, serde_json::Value) {
    let program = raddle_passes::simplify(program);
    let (verdict, statistics) = match args.engine {
        EngineArg::Explore => by_exploring(&program, args, limits),
        EngineArg::Auto | EngineArg::Oc => by_partial_orders(&program, args, limits),
    };
    (verdict, program, statistics)
}

fn by_exploring(program: &Program, args: &VerifyArgs, limits: &Limits) -> (Verdict, serde_json::Value) {
    let config = ExploreConfig {
        por: match args.por {
            PorArg::None => Por::None,
            PorArg::Persistent => Por::Persistent,
        },
        max_choices: args.max_choices,
        memory_limit: usize::try_from(limits.memory / 10 * 8).unwrap_or(usize::MAX),
        ..ExploreConfig::default()
    };
    let ExploreOutcome { outcome, stats } = explore(program, &config, &|| limits.reason_to_stop().map(stop_reason));
    let verdict = match outcome {
        Outcome::Safe => Verdict::Holds(format!("{} states explored", stats.states)),
        Outcome::Unsafe(trace, _) => Verdict::Violated(Property::UnreachCall, trace),
        Outcome::Unknown(code, reason) => unknown(code, reason),
    };
    let numbers = json!({
        "states": stats.states,
        "transitions": stats.transitions,
        "hazards": stats.hazards,
        "first_hazard": stats.first_hazard,
        "state_bytes": stats.bytes,
        "without_reduction": stats.without_reduction,
    });
    (verdict, json!({"explore": numbers}))
}

fn unknown(code: &str, reason: String) -> Verdict {
    match code {
        "cancelled" => Verdict::Unknown(Stop::Interrupted.code().into(), Stop::Interrupted.words().into()),
        _ => Verdict::Unknown(code.into(), reason),
    }
}

fn by_partial_orders(program: &Program, args: &VerifyArgs, limits: &Limits) -> (Verdict, serde_json::Value) {
    let config = OcConfig {
        unroll_start: args.oc.oc_unroll_start,
        unroll_end: args.oc.oc_unroll_end.unwrap_or(OcConfig::default().unroll_end),
        conflicts: match args.oc.oc_conflicts {
            ConflictsArg::None => ConflictSearch::None,
            ConflictsArg::Simple => ConflictSearch::Simple,
            ConflictsArg::Generic => ConflictSearch::Generic,
        },
        conflict_bound: args.oc.oc_conflict_bound,
        decide: match args.oc.oc_decide {
            DecideArg::Solver => Decide::Solver,
            DecideArg::Closest => Decide::Closest,
            DecideArg::ProgramOrder => Decide::ProgramOrder,
        },
        // A trusted bound is worth no more than a small share of the time.
        enough_after: args.oc.trust_bound.then(|| limits.timeout / 15),
        ..OcConfig::default()
    };
    let (outcome, stats) = raddle_oc::verify(program, &config, &|| limits.reason_to_stop().map(stop_reason));
    let verdict = match outcome {
        OcOutcome::Safe => Verdict::Holds(format!("{} events, all loops completely unrolled", stats.reads + stats.writes)),
        OcOutcome::Unsafe(trace, _) => Verdict::Violated(Property::UnreachCall, trace),
        OcOutcome::Bounded(bound) if args.oc.trust_bound => {
            Verdict::Holds(format!("within {bound} iterations of each loop: the bound is trusted"))
        }
        OcOutcome::Bounded(bound) => {
            let reason = format!("no violation within {bound} iterations of each loop, but some loop goes on");
            Verdict::Unknown("bound-reached".into(), reason)
        }
        OcOutcome::Unsupported(what, span) => {
            let place = trace_text::place(program, span);
            Verdict::Unknown("unsupported".into(), format!("{place}: {what}"))
        }
        OcOutcome::Unknown(code, reason) => unknown(code, reason),
    };
    (verdict, json!({"oc": format!("{stats:?}")}))
}

/// Prints the result; returns the exit status.
fn report(
    verdict: &Verdict,
    format: FormatArg,
    quiet: bool,
    program: Option<&Program>,
    statistics: &serde_json::Value,
) -> u8 {
    match format {
        FormatArg::Json => {
            let steps = match (verdict, program) {
                (Verdict::Violated(_, trace), Some(program)) => trace
                    .steps
                    .iter()
                    .map(|s| {
                        let place = trace_text::place(program, s.span);
                        json!({"thread": s.thread, "place": place, "what": s.text})
                    })
                    .collect(),
                _ => vec![],
            };
            let reason = match verdict {
                Verdict::Unknown(_, reason) => json!(reason),
                _ => json!(null),
            };
            let result = json!({
                "verdict": verdict.text(), "reason": reason, "trace": steps, "statistics": statistics,
            });
            println!("{result:#}");
        }
        FormatArg::Text => {
            if !quiet {
                match (verdict, program) {
                    (Verdict::Violated(_, trace), Some(program)) => {
                        println!("The property is violated; replayed:");
                        print!("{}", trace_text::render(program, trace));
                    }
                    (Verdict::Unknown(_, reason), _) => println!("{reason}"),
                    (Verdict::Holds(why), _) => println!("No execution violates the property ({why})."),
                    _ => {}
                }
            }
            println!("VERDICT: {}", verdict.text());
        }
    }
    verdict.status()
}
