//! `suite plot`: results as pictures, in the forms that papers on verification use.

pub mod axis;
pub mod cactus;
pub mod figure;
pub mod heatmap;
pub mod palette;
pub mod png;
pub mod scatter;
pub mod stroke_font;
pub mod svg;

use crate::report::results::{Results, read_results};
use figure::Figure;
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

/// Draw results: cactus, scatter or heat map, as SVG or PNG.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// What to draw
    #[arg(long, value_enum)]
    pub kind: Kind,
    /// Where to write; the name ends in .svg or .png
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Only these configurations, in this order; a scatter plot has two, for x and y (default: all, or the first two)
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub configurations: Vec<String>,
    /// Files of results
    #[arg(value_name = "RESULTS", required = true)]
    pub results: Vec<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Kind {
    /// For each configuration, its right answers from the fastest to the slowest
    Cactus,
    /// Two configurations, task by task
    Scatter,
    /// Configurations by categories
    Heatmap,
}

/// The exit status: 0, or 3 for bad input.
pub fn run(args: &Args) -> u8 {
    match plot(args) {
        Ok(()) => 0,
        Err(message) => {
            eprintln!("error: {message}");
            3
        }
    }
}

fn plot(args: &Args) -> Result<(), String> {
    let form = args.output.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    let results = select(read_results(&args.results)?, &args.configurations)?;
    let figure = draw(&results, args.kind)?;
    let bytes = match form.as_deref() {
        Some("svg") => svg::svg(&figure, svg::Place::File).into_bytes(),
        Some("png") => png::png(&figure)?,
        _ => return Err(format!("{}: a plot is written to a file that ends in .svg or .png", args.output.display())),
    };
    fs::write(&args.output, bytes).map_err(|e| format!("{}: {e}", args.output.display()))
}

pub fn draw(results: &Results, kind: Kind) -> Result<Figure, String> {
    if results.tasks.is_empty() {
        return Err("there are no results to draw".to_owned());
    }
    match kind {
        Kind::Cactus => Ok(cactus::cactus(results)),
        Kind::Heatmap => Ok(heatmap::heatmap(results)),
        Kind::Scatter if results.configurations.len() < 2 => {
            Err("a scatter plot compares two configurations, and the results have one".to_owned())
        }
        Kind::Scatter => Ok(scatter::scatter(results, 0, 1)),
    }
}

/// The results of these configurations only.
fn select(results: Results, names: &[String]) -> Result<Results, String> {
    if names.is_empty() {
        return Ok(results);
    }
    let mut chosen = Results { configurations: Vec::new(), runs: Vec::new(), ..results.clone() };
    for name in names {
        let c = results.configurations.iter().position(|c| c.name == *name).ok_or_else(|| {
            let known: Vec<&str> = results.configurations.iter().map(|c| c.name.as_str()).collect();
            format!("there is no configuration `{name}`: the results have {}", known.join(", "))
        })?;
        chosen.configurations.push(results.configurations[c].clone());
        chosen.runs.push(results.runs[c].clone());
    }
    Ok(chosen)
}
