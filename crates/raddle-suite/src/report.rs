//! `suite report`: results as a page to look at, to search in and to send around.

pub mod escape;
pub mod matrix;
pub mod page;
pub mod summary;

use matrix::read_matrix;
use std::fs;
use std::path::PathBuf;

/// Write results as one page of HTML: tables and plots.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Where to write
    #[arg(long, short, value_name = "FILE.html")]
    pub output: PathBuf,
    /// Files of results
    #[arg(value_name = "RESULTS", required = true)]
    pub results: Vec<PathBuf>,
}

/// The exit status: 0, or 3 for bad input.
pub fn run(args: &Args) -> u8 {
    match report(args) {
        Ok(()) => 0,
        Err(message) => {
            eprintln!("error: {message}");
            3
        }
    }
}

fn report(args: &Args) -> Result<(), String> {
    let results = read_matrix(&args.results)?;
    fs::write(&args.output, page::page(&results)).map_err(|e| format!("{}: {e}", args.output.display()))
}

#[cfg(test)]
pub(crate) mod test_runs {
    //! Results for tests.

    use super::matrix::{Matrix, ResultFile, assemble};
    use crate::record::{Answer, Header, Record};
    use serde_json::Map;

    pub fn run(task: &str, expected: Option<bool>, answer: Answer, cpu: f64) -> Record {
        Record {
            task: task.to_owned(),
            property: "unreach-call".to_owned(),
            category: None,
            expected,
            configuration: String::new(),
            answer,
            cpu,
            wall: cpu,
            memory: 1_000_000,
            step: None,
            traits: Map::new(),
        }
    }

    pub fn results(configurations: &[(&str, Vec<Record>)]) -> Matrix {
        let header = Header {
            configurations: configurations
                .iter()
                .map(|(name, _)| ((*name).to_owned(), vec!["--engine".to_owned(), (*name).to_owned()]))
                .collect(),
            timeout: 60.0,
            ..Header::default()
        };
        let named = |(name, runs): &(&str, Vec<Record>)| {
            runs.iter().map(|r| Record { configuration: (*name).to_owned(), ..r.clone() }).collect::<Vec<_>>()
        };
        let records = configurations.iter().flat_map(named).collect();
        assemble(vec![ResultFile { path: "x".into(), header, records }])
    }
}
