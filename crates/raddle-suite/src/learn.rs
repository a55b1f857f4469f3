//! `suite learn`: a strategy for the portfolio, proposed from measurements of single configurations.
//!
//! No black box. What a strategy would have done on a task is computed exactly from how long each configuration takes alone (`rounds`); the order of steps and
//! their first slices are searched greedily (`greedy`); programs are told apart by their traits only where that helps on families of tasks that were held out
//! (`splits`, `cross_validation`, `propose`). The result is a file for people, with its reasons (`strategy_toml`, `findings`). The same input gives the same file.

pub mod cross_validation;
pub mod findings;
pub mod greedy;
pub mod measurements;
pub mod options;
pub mod propose;
pub mod rounds;
pub mod splits;
pub mod strategy_toml;

use crate::report::matrix::read_matrix;
use std::fs;
use std::path::PathBuf;

/// Propose a strategy for the portfolio, from results of single configurations.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// CPU time for each task that the strategy will have (default: what was measured with)
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub timeout: Option<f64>,
    /// Where to write the strategy (default: standard output)
    #[arg(long, short, value_name = "FILE.toml")]
    pub output: Option<PathBuf>,
    /// Files of results
    #[arg(value_name = "RESULTS", required = true)]
    pub results: Vec<PathBuf>,
}

/// The exit status: 0, or 3 for bad input.
pub fn run(args: &Args) -> u8 {
    match learn(args) {
        Ok(()) => 0,
        Err(message) => {
            eprintln!("error: {message}");
            3
        }
    }
}

fn learn(args: &Args) -> Result<(), String> {
    let measurements = measurements::measurements(&read_matrix(&args.results)?)?;
    let problem = propose::Problem::new(&measurements, args.timeout.unwrap_or(measurements.measured));
    let tasks = problem.answered();
    if tasks.is_empty() {
        return Err("no configuration answers any of the tasks: there is nothing to learn".to_owned());
    }
    let strategy = propose::propose(&problem, &tasks);
    let findings = findings::findings(&problem, &strategy);
    let text = strategy_toml::strategy_toml(&problem, &measurements, &strategy, &findings);
    match &args.output {
        Some(path) => {
            fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))?;
            print!("{}", findings::table(&findings, &measurements));
        }
        // The table is among its comments.
        None => print!("{text}"),
    }
    Ok(())
}

/// `60s`, `500ms`, `15min`, `1h`, or seconds.
fn parse_time(text: &str) -> Result<f64, String> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit.trim() {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "min" | "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{text}` is no time: write 60s, 500ms or 15min")),
    };
    match number.parse::<f64>() {
        Ok(number) if number > 0.0 => Ok(number * factor),
        _ => Err(format!("`{text}` is no time: write 60s, 500ms or 15min")),
    }
}

#[cfg(test)]
mod tests {
    use super::parse_time;

    #[test]
    fn times_have_units() {
        assert_eq!(parse_time("60s"), Ok(60.0));
        assert_eq!(parse_time("1.5min"), Ok(90.0));
        assert_eq!(parse_time("500ms"), Ok(0.5));
        assert!(parse_time("0s").is_err() && parse_time("soon").is_err() && parse_time("3 weeks").is_err());
    }
}
