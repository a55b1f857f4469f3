//! `suite report`: results as a page to look at, to search in and to send around.

pub mod matrix;
pub mod page;

use crate::error::Result;
use crate::{DONE, files};
use clap::Args;
use matrix::read_matrix;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct ReportArgs {
    /// Where to write
    #[arg(long, short, value_name = "FILE.html")]
    pub output: PathBuf,
    /// Files of results
    #[arg(value_name = "RESULTS", required = true)]
    pub results: Vec<PathBuf>,
}

pub fn run(args: &ReportArgs) -> Result<u8> {
    let results = read_matrix(&args.results)?;
    files::write(&args.output, page::page(&results))?;
    Ok(DONE)
}

#[cfg(test)]
pub(crate) mod test_runs {
    //! Results for tests.

    use super::matrix::{Matrix, assemble};
    use crate::record::{Answer, Header, Record};
    use crate::results::{Results, tests};

    pub fn run(task: &str, expected: Option<bool>, answer: Answer, cpu: f64) -> Record {
        let record = tests::record(task, expected, answer);
        Record { category: None, configuration: String::new(), cpu, wall: cpu, ..record }
    }

    pub fn results(configurations: &[(&str, Vec<Record>)]) -> Matrix {
        let header = Header {
            configurations: configurations
                .iter()
                .map(|(name, _)| ((*name).to_owned(), vec!["--engine".to_owned(), (*name).to_owned()]))
                .collect(),
            ..tests::header()
        };
        let named = |(name, runs): &(&str, Vec<Record>)| {
            runs.iter().map(|r| Record { configuration: (*name).to_owned(), ..r.clone() }).collect::<Vec<_>>()
        };
        let records = configurations.iter().flat_map(named).collect();
        assemble(vec![("x".into(), Results { header, records })])
    }
}
