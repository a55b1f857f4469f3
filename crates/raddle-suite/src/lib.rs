//! Sets of verification tasks: running, comparing, drawing and learning from them.
//!
//! A task is run by another process of the same binary. Results are lines of JSON (`record`), appended as they come. This crate knows the command line
//! of Raddle, and nothing of its engines.

pub mod compare;
pub mod console;
pub mod error;
mod escape;
mod files;
pub mod learn;
pub mod merge;
pub mod plot;
pub mod record;
pub mod report;
pub mod results;
pub mod run;
pub mod summary;
pub mod table;
pub mod tasks;
pub mod words;

use clap::{Args, Subcommand};
use error::Error;
use record::Record;
use std::path::Path;

/// Exit statuses: all is well, an answer is wrong, the run was interrupted, nothing could be done.
pub const DONE: u8 = 0;
pub const WRONG: u8 = 1;
pub const UNFINISHED: u8 = 2;
pub const FAILED: u8 = 3;

/// The exit status of a command that found these results.
fn status_of(records: &[Record]) -> u8 {
    if records.iter().any(Record::is_wrong) { WRONG } else { DONE }
}

#[derive(Args, Debug)]
pub struct SuiteArgs {
    #[command(subcommand)]
    pub command: SuiteCommand,
}

#[derive(Subcommand, Debug)]
pub enum SuiteCommand {
    /// Run sets of tasks, on this machine or on a cluster
    Run(Box<run::RunArgs>),
    /// Print the table of results by category
    Table(table::TableArgs),
    /// Say task by task what changed between two results
    Compare(compare::CompareArgs),
    /// Make one file of results of the shards of a run
    Merge(merge::MergeArgs),
    /// Draw results: cactus (quantile), scatter and heat-map plots, as SVG or PNG
    Plot(plot::PlotArgs),
    /// Write results as one page of HTML, with tables and plots
    Report(report::ReportArgs),
    /// Propose a strategy for `--portfolio` from results of single configurations
    Learn(learn::LearnArgs),
}

/// `raddle` is the binary that verifies a task, and `version` goes into the header of the results. Returns the exit status.
pub fn run(args: &SuiteArgs, raddle: &Path, version: &str) -> u8 {
    let status = match &args.command {
        SuiteCommand::Run(args) => run::run(args, raddle, version),
        SuiteCommand::Table(args) => table::run(args),
        SuiteCommand::Compare(args) => compare::run(args),
        SuiteCommand::Merge(args) => merge::run(args),
        SuiteCommand::Plot(args) => plot::run(args),
        SuiteCommand::Report(args) => report::run(args),
        SuiteCommand::Learn(args) => learn::run(args, raddle),
    };
    status.unwrap_or_else(|Error(message)| {
        console::note(format_args!("error: {message}"));
        FAILED
    })
}
