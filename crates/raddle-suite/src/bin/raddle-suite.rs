//! The suite by itself, with any program in the place of Raddle: for the tests of this crate, which need a process to interrupt and to kill.

use clap::Parser;
use raddle_suite::SuiteArgs;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
struct Cli {
    /// What is run in the place of Raddle
    #[arg(long)]
    raddle: PathBuf,
    #[command(flatten)]
    suite: SuiteArgs,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    ExitCode::from(raddle_suite::run(&cli.suite, &cli.raddle, env!("CARGO_PKG_VERSION")))
}
