//! `raddle verify`: from sources to a certified verdict.

use crate::args::{EngineArg, FormatArg, VerifyArgs};
use crate::engines;
use crate::property::{self, Property};
use crate::resources::cpu_time;
use crate::{
    HOLDS, Manner, UNKNOWN, VIOLATED, bad_input, frontend_failure, frontend_options, speak, start_limits, trace_text,
};
use raddle_c::driver;
use raddle_c::lower::LowerOptions;
use raddle_cegar::Lbe;
use raddle_interp::Trace;
use raddle_ir::Program;
use serde_json::json;

/// What is said at the end.
pub enum Verdict {
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
        Property::UnreachCall => {
            // What is merged here no engine takes apart again.
            let is_merged = args.engine != EngineArg::Cegar || args.cegar.lbe != Some(Lbe::None);
            let simplify = if is_merged { raddle_passes::simplify } else { raddle_passes::simplify_unmerged };
            let program = simplify(loaded.program);
            let (verdict, statistics) = engines::run(&program, args, &limits);
            (verdict, program, statistics)
        }
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
        "engines": statistics,
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
