//! `suite learn`: a strategy for the portfolio, proposed from measurements of single configurations.
//!
//! No black box. What a strategy would have done on a task is computed exactly from how long each configuration takes alone (`rounds`); the order of steps and
//! their first slices are searched greedily (`greedy`); programs are told apart by their traits only where that helps on families of tasks that were held out
//! (`splits`, `cross_validation`, `propose`). The result is a file for people, with its reasons (`strategy_toml`, `findings`). The same input gives the same file.
//!
//! Configurations with a wrong answer are left out altogether (`measurements`), whatever else they solve: either they are unsound, or the expected verdict is wrong
//! and must be corrected first. A task on which configurations contradict each other, and nobody says who is right, is left out.

pub mod cross_validation;
pub mod findings;
pub mod greedy;
pub mod measurements;
pub mod options;
pub mod propose;
pub mod rounds;
pub mod splits;
pub mod strategy_toml;

use crate::error::{Result, bail};
use crate::report::matrix::read_matrix;
use crate::run::check;
use crate::{DONE, console, files};
use clap::Args;
use options::Engine;
use raddle_budget::quantities::parse_time;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args, Debug)]
pub struct LearnArgs {
    /// CPU time for each task that the strategy will have (default: what was measured with)
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub timeout: Option<Duration>,
    /// Where to write the strategy (default: standard output)
    #[arg(long, short, value_name = "FILE.toml")]
    pub output: Option<PathBuf>,
    /// Files of results; configurations with wrong answers are left out
    #[arg(value_name = "RESULTS", required = true)]
    pub results: Vec<PathBuf>,
}

/// `raddle` is asked whether it can read what is proposed.
pub fn run(args: &LearnArgs, raddle: &Path) -> Result<u8> {
    let is_step = |engine: &Engine| check::strategy(raddle, &strategy_toml::single_step(engine));
    let measurements = measurements::measurements(&read_matrix(&args.results)?, &is_step)?;
    for reason in &measurements.left_out {
        console::note(format_args!("warning: left out: {reason}"));
    }
    let timeout = args.timeout.map_or(measurements.measured, |time| time.as_secs_f64());
    let problem = propose::Problem::new(&measurements, timeout);
    let tasks = problem.answered();
    if tasks.is_empty() {
        bail!("no configuration answers any of the tasks: there is nothing to learn");
    }
    let strategy = propose::propose(&problem, &tasks);
    if strategy.iter().all(|class| class.steps.is_empty()) {
        bail!("no configuration answers any of the tasks within {timeout} s: there is nothing to learn");
    }
    let findings = findings::findings(&problem, &strategy);
    let text = strategy_toml::strategy_toml(&problem, &measurements, &strategy, &findings);
    if let Err(reason) = check::strategy(raddle, &text)? {
        bail!("{} cannot read what was learned: {reason}", raddle.display());
    }
    match &args.output {
        Some(path) => {
            files::write(path, text)?;
            console::print(&findings::table(&findings, &measurements))?;
        }
        // The table is among its comments.
        None => console::print(&text)?,
    }
    Ok(DONE)
}
