//! `raddle simulate`: one concrete run, printed as it goes.
//!
//! The exit status is the program's own; a violated assertion is 1, and a run that cannot go on is 2.

use crate::args::SimulateArgs;
use crate::trace_text::{self, place};
use crate::{
    Manner, UNKNOWN, VIOLATED, bad_input, console, frontend_failure, frontend_options, start_limits, stopped, unknown,
};
use raddle_c::driver;
use raddle_c::lower::LowerOptions;
use raddle_engine::{Code, Reason};
use raddle_interp::{SimulateConfig, SimulateEnd, simulate};
use raddle_ir::LocKind;
use raddle_ir::Violations;

pub fn run(args: &SimulateArgs) -> u8 {
    let budget = match start_limits(&args.limits, &Manner::Aside) {
        Ok(budget) => budget,
        Err(message) => return bad_input(&message),
    };
    let lower = LowerOptions { counts: Violations::ERRORS, concrete_arguments: true };
    let loaded = match driver::load_from(
        args.sources.entry().as_ref(),
        &args.sources.files,
        &frontend_options(&args.sources, lower, &budget),
    ) {
        Ok(loaded) => loaded,
        Err(failure) => return frontend_failure(&Manner::Aside, &failure),
    };
    if !args.quiet {
        loaded.warnings.iter().for_each(|w| eprint!("{w}"));
    }
    let program = raddle_passes::simplify(loaded.program);
    let config = SimulateConfig { seed: args.seed, steps: args.steps, ..SimulateConfig::default() };
    let stop = || budget.stop();
    let mut out = console::Foreign::default();
    let result = simulate(&program, &config, &mut out, &stop);
    console::wait_for_the_floor();
    if out.nobody_reads {
        return UNKNOWN;
    }
    if let Some(trace) = &result.trace {
        eprint!("{}", trace_text::render(&program, trace));
    }
    let say = |message: String| {
        eprintln!("{message}");
        UNKNOWN
    };
    match result.end {
        SimulateEnd::Exited(status) => status as u8,
        SimulateEnd::Error(span) => {
            eprintln!("{}: an assertion is violated (seed {})", place(&program, span), args.seed);
            VIOLATED
        }
        SimulateEnd::Hazard(_, what, span) => say(format!("{}: {what}", place(&program, span))),
        SimulateEnd::Deadlock => say("deadlock: no thread can go on".into()),
        SimulateEnd::AssumeFailed(span) => {
            say(format!("{}: an assumption fails for these inputs: try another --seed", place(&program, span)))
        }
        SimulateEnd::StepLimit => say(format!("stopped after {} steps", result.steps)),
        SimulateEnd::CutOff(LocKind::Gap(gap), _) => unknown(&Manner::Aside, &Reason::gap(&program, gap)),
        SimulateEnd::CutOff(_, span) => say(format!("{}: a recursion bound was reached", place(&program, span))),
        SimulateEnd::Unsupported(what) => {
            unknown(&Manner::Aside, &Reason::new(Code::Unsupported, format!("unsupported: {what}")))
        }
        SimulateEnd::Stopped(stop) => stopped(&Manner::Aside, stop),
    }
}
