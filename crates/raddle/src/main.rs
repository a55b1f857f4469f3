//! The command line program: reads the arguments, wires the crates together, prints the verdict.

#[macro_use]
mod console;

mod all;
mod args;
mod compile_commands;
mod engines;
mod explain;
mod harness;
mod limits;
mod log;
mod manual;
mod portfolio;
mod progress;
mod project_options;
mod property;
mod report_page;
mod resources;
mod results;
mod show;
mod simulate;
mod solvers;
mod supervise;
mod trace_text;
mod validate;
mod verdicts;
mod verify;
mod witness;

use args::{Cli, Command, DataModelArg, FormatArg, LimitArgs, Sources, VerifyArgs};
use clap::Parser;
use raddle_budget::{Budget, Stop};
use raddle_c::driver::{Failure, Options};
use raddle_c::error::ErrorKind;
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_engine::{Code, Reason};
use std::ffi::OsString;
use std::os::unix::process::{CommandExt, parent_id};
use std::path::PathBuf;
use std::process::ExitCode;
use verdicts::Verdicts;

/// Engines make and drop small things all the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const HOLDS: u8 = 0;
const VIOLATED: u8 = 1;
const UNKNOWN: u8 = 2;
const BAD_INPUT: u8 = 3;
const INTERNAL_ERROR: u8 = 4;

fn main() -> ExitCode {
    // cc's `-include FILE` has one dash.
    let given: Vec<OsString> =
        std::env::args_os().map(|a| if a == "-include" { "--include".into() } else { a }).collect();
    let project = project_options::complete(given.clone());
    let (words, file) = match &project {
        Ok(line) => (&line.words, line.file.as_deref()),
        Err(_) => (&given, None),
    };
    let parsed = Cli::try_parse_from(words);
    let mut cli = match (parsed, &project) {
        (Ok(cli), _) => cli,
        (Err(_), Err(message)) => return ExitCode::from(bad_input(message)),
        (Err(error), Ok(_)) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { BAD_INPUT } else { HOLDS });
        }
    };
    match &cli.command {
        Some(Command::Worker { parent }) => return worker(*parent),
        Some(Command::Launch { parent, command }) => return launch(*parent, command),
        Some(Command::Suite(args)) => return suite(args),
        _ => {}
    }
    let manner = match &cli.command {
        Some(Command::Verify(args) | Command::Validate(args)) => Manner::of(args),
        None => Manner::of(&cli.verify),
        Some(_) => Manner::Aside,
    };
    let resolved = project.as_ref().map_err(String::clone).and_then(|_| match cli.sources() {
        Some(sources) => compile_commands::resolve(sources),
        None => Ok(()),
    });
    if let Err(message) = resolved {
        return ExitCode::from(refuse(&manner, &message));
    }
    if let Some(status) = supervise::run_in_child(|stop| stopped(&manner, stop)) {
        return ExitCode::from(status);
    }
    if let Some(file) = file.filter(|_| !cli.is_quiet()) {
        eprintln!("raddle: options from {}", file.display());
    }
    ExitCode::from(run(cli, &manner))
}

/// The commands that work in this process.
fn run(cli: Cli, manner: &Manner) -> u8 {
    let run = || match cli.command {
        Some(Command::Show(args)) => show::run(&args),
        Some(Command::Simulate(args)) => simulate::run(&args),
        Some(Command::Solvers(args)) => solvers::run(&args),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Completions { shell }) => manual::completions(shell),
        Some(Command::Man { folder }) => manual::man(&folder),
        Some(Command::Verify(args)) => verify::run(&args, manner),
        Some(Command::Validate(args)) => validate::run(&args, manner),
        None => verify::run(&cli.verify, manner),
        // They were run above.
        Some(Command::Worker { .. } | Command::Launch { .. } | Command::Suite(_)) => INTERNAL_ERROR,
    };
    // A panic is a bug of Raddle's: its message is printed by then, and the exit status says so.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_or_else(|_| {
        console::wait_for_the_floor();
        let words = "internal error (a bug in Raddle; the message above says where)";
        eprintln!("raddle: {words}");
        if let Manner::Verify { .. } = manner {
            return verify::report_unknown(&manner.quiet(), &Reason::new(Code::InternalError, words));
        }
        println!("VERDICT: unknown({})", Code::InternalError);
        INTERNAL_ERROR
    })
}

/// One run of an engine.
fn worker(parent: u32) -> ExitCode {
    // A signal from the terminal goes to whoever started it as well, who ends it in order.
    let _ = ctrlc::set_handler(|| {});
    if let Ok(program) = std::env::current_exe() {
        raddle_smt::smtlib::launch_with(vec![program.into(), "launch".into(), std::process::id().to_string().into()]);
    }
    match raddle_portfolio::serve(parent) {
        Ok(()) => ExitCode::from(HOLDS),
        Err(message) => {
            eprintln!("raddle worker: {message}");
            ExitCode::from(INTERNAL_ERROR)
        }
    }
}

/// Sets of tasks: each is verified by a process of this binary.
fn suite(args: &raddle_suite::SuiteArgs) -> ExitCode {
    match std::env::current_exe() {
        Ok(program) => ExitCode::from(raddle_suite::run(args, &program, env!("CARGO_PKG_VERSION"))),
        Err(error) => ExitCode::from(bad_input(&format!("error: {error}"))),
    }
}

/// Becomes another program, which is killed when the process that started this one ends.
fn launch(parent: u32, command: &[std::ffi::OsString]) -> ExitCode {
    let [program, arguments @ ..] = command else { return ExitCode::from(BAD_INPUT) };
    let _ = nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL);
    // It may have ended before it could be told.
    if parent_id() != parent {
        return ExitCode::from(INTERNAL_ERROR);
    }
    let error = std::process::Command::new(program).args(arguments).exec();
    eprintln!("{}: {error}", program.display());
    ExitCode::from(BAD_INPUT)
}

/// Prints a usage or input error.
fn bad_input(message: &str) -> u8 {
    console::wait_for_the_floor();
    eprintln!("{}", message.trim_end());
    BAD_INPUT
}

/// Prints an input error; `verify` ends with a verdict then, too.
fn refuse(manner: &Manner, message: &str) -> u8 {
    let status = bad_input(message);
    match manner {
        Manner::Verify { .. } => {
            // The message is on standard error already.
            verify::report_unknown(&manner.quiet(), &Reason::new(Code::InputError, message.trim_end()))
        }
        Manner::Aside => status,
    }
}

/// How a command says that there is no answer.
#[derive(Clone)]
enum Manner {
    /// `verify`: all on standard output, in this format, with or without `--quiet`; and statistics and a report in files.
    Verify { format: FormatArg, quiet: bool, stats: Option<PathBuf>, report: Option<PathBuf>, verdicts: Verdicts },
    /// `show` and `simulate`, whose standard output is for something else: the reason is on standard error.
    Aside,
}

impl Manner {
    fn of(args: &VerifyArgs) -> Manner {
        let verdicts = Verdicts::of(&args.properties);
        let (stats, report) = (args.stats.clone(), args.report.clone());
        Manner::Verify { format: args.format, quiet: args.quiet, stats, report, verdicts }
    }

    /// The same with `--quiet`.
    fn quiet(&self) -> Manner {
        let mut manner = self.clone();
        if let Manner::Verify { quiet, .. } = &mut manner {
            *quiet = true;
        }
        manner
    }
}

fn unknown(manner: &Manner, reason: &Reason) -> u8 {
    match manner {
        Manner::Verify { .. } => verify::report_unknown(manner, reason),
        Manner::Aside => {
            eprintln!("{}", reason.words);
            println!("VERDICT: unknown({})", reason.code);
            UNKNOWN
        }
    }
}

/// A limit or a signal ended the run.
fn stopped(manner: &Manner, stop: Stop) -> u8 {
    unknown(manner, &stop.into())
}

fn frontend_options(sources: &Sources, lower: LowerOptions, budget: &Budget) -> Options {
    let cpp = CppOptions::default();
    Options {
        model: match sources.data_model {
            DataModelArg::Ilp32 => DataModel::Ilp32,
            DataModelArg::Lp64 => DataModel::Lp64,
        },
        cpp: CppOptions {
            command: sources.cpp.clone(),
            include_dirs: sources.include_dirs.clone(),
            defines: sources.defines.clone(),
            includes: sources.includes.clone(),
            args_of: sources.flags.clone(),
            timeout: cpp.timeout.min(budget.timeout()),
            ..cpp
        },
        lower,
    }
}

/// The frontend failed: an input error, or `unknown`.
fn frontend_failure(manner: &Manner, failure: &Failure) -> u8 {
    let code = match failure.kind {
        ErrorKind::Invalid => return refuse(manner, &failure.message),
        ErrorKind::Unsupported => Code::Unsupported,
        ErrorKind::Timeout => Code::Timeout,
        ErrorKind::OutOfMemory => Code::OutOfMemory,
    };
    console::wait_for_the_floor();
    unknown(manner, &Reason::new(code, failure.message.trim_end()))
}

fn start_limits(args: &LimitArgs, manner: &Manner) -> Result<Budget, String> {
    let timeout = limits::parse_time(&args.timeout).map_err(|e| format!("--timeout: {e}"))?;
    let memory = limits::parse_size(&args.memory).map_err(|e| format!("--memory: {e}"))?;
    let manner = manner.clone();
    Ok(limits::start(timeout, memory, move |stop| stopped(&manner, stop)))
}
