//! The command line program: reads the arguments, wires the crates together, prints the verdict.

mod args;
mod limits;
mod property;
mod show;
mod simulate;
mod trace_text;
mod verify;

use args::{Cli, Command, DataModelArg, LimitArgs, Sources};
use clap::Parser;
use raddle_c::driver::{Failure, Options};
use raddle_c::error::ErrorKind;
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use std::process::ExitCode;

const HOLDS: u8 = 0;
const VIOLATED: u8 = 1;
const UNKNOWN: u8 = 2;
const BAD_INPUT: u8 = 3;
const INTERNAL_ERROR: u8 = 4;

fn main() -> ExitCode {
    // cc's `-include FILE` has one dash.
    let arguments = std::env::args_os().map(|a| if a == "-include" { "--include".into() } else { a });
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { BAD_INPUT } else { HOLDS });
        }
    };
    let run = || match cli.command {
        Some(Command::Show(args)) => show::run(&args),
        Some(Command::Simulate(args)) => simulate::run(&args),
        Some(Command::Verify(args)) => verify::run(&args),
        None => verify::run(&cli.verify),
    };
    // A panic is a bug of Raddle's: its message is printed by then, and the exit status says so.
    let status = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_or_else(|_| {
        eprintln!("raddle: internal error (a bug in Raddle; the message above says where)");
        println!("VERDICT: unknown(internal-error)");
        INTERNAL_ERROR
    });
    ExitCode::from(status)
}

/// Prints a usage or input error.
fn bad_input(message: &str) -> u8 {
    eprint!("{message}");
    if !message.ends_with('\n') {
        eprintln!();
    }
    BAD_INPUT
}

fn frontend_options(sources: &Sources, lower: LowerOptions) -> Options {
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
            ..CppOptions::default()
        },
        lower,
    }
}

/// The frontend failed: an input error, or `unknown(unsupported)`.
fn frontend_failure(failure: &Failure) -> u8 {
    match failure.kind {
        ErrorKind::Invalid => bad_input(&failure.message),
        ErrorKind::Unsupported => {
            eprint!("{}", failure.message);
            println!("VERDICT: unknown(unsupported)");
            UNKNOWN
        }
    }
}

fn start_limits(args: &LimitArgs, too_late: impl Fn(limits::Stop) + Send + 'static) -> Result<limits::Limits, String> {
    let timeout = limits::parse_time(&args.timeout).map_err(|e| format!("--timeout: {e}"))?;
    let memory = limits::parse_size(&args.memory).map_err(|e| format!("--memory: {e}"))?;
    Ok(limits::Limits::start(timeout, memory, too_late))
}
