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

use crate::error::{Result, bail};
use crate::report::matrix::{Matrix, read_matrix};
use crate::{DONE, files};
use clap::{Args, ValueEnum};
use figure::Figure;
use std::ffi::OsStr;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct PlotArgs {
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

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Kind {
    /// For each configuration, its right answers from the fastest to the slowest
    Cactus,
    /// Two configurations, task by task
    Scatter,
    /// Configurations by categories
    Heatmap,
}

pub fn run(args: &PlotArgs) -> Result<u8> {
    let form = args.output.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    let results = select(read_matrix(&args.results)?, &args.configurations)?;
    let figure = draw(&results, args.kind)?;
    let bytes = match form.as_deref() {
        Some("svg") => svg::svg(&figure, svg::Place::File).into_bytes(),
        Some("png") => png::png(&figure)?,
        _ => bail!("{}: a plot is written to a file that ends in .svg or .png", args.output.display()),
    };
    files::write(&args.output, bytes)?;
    Ok(DONE)
}

pub fn draw(results: &Matrix, kind: Kind) -> Result<Figure> {
    if results.tasks.is_empty() {
        bail!("there are no results to draw");
    }
    match kind {
        Kind::Cactus => Ok(cactus::cactus(results)),
        Kind::Heatmap => Ok(heatmap::heatmap(results)),
        Kind::Scatter if results.configurations.len() < 2 => {
            bail!("a scatter plot compares two configurations, and the results have one")
        }
        Kind::Scatter => Ok(scatter::scatter(results, 0, 1)),
    }
}

/// The results of these configurations only.
fn select(results: Matrix, names: &[String]) -> Result<Matrix> {
    if names.is_empty() {
        return Ok(results);
    }
    let mut chosen = Matrix { configurations: Vec::new(), runs: Vec::new(), ..results.clone() };
    for name in names {
        let Some(c) = results.configurations.iter().position(|c| c.name == *name) else {
            let known: Vec<&str> = results.configurations.iter().map(|c| c.name.as_str()).collect();
            bail!("there is no configuration `{name}`: the results have {}", known.join(", "));
        };
        chosen.configurations.push(results.configurations[c].clone());
        chosen.runs.push(results.runs[c].clone());
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::figure::{Anchor, Shape};
    use super::stroke_font::text_width;
    use super::*;
    use crate::record::{Answer, Header, Record};
    use crate::report::test_runs::{results as matrix, run as record};
    use crate::results::{self, Results, tests::header};
    use std::{fs, process};

    const KINDS: [Kind; 3] = [Kind::Cactus, Kind::Scatter, Kind::Heatmap];

    fn runs(n: usize, answer: &Answer) -> Vec<Record> {
        let category = |i: usize| Some(format!("ReachSafety-Something-{}", i % 3));
        let one = |i: usize| Record {
            category: category(i),
            ..record(
                &format!("t{i}.c"),
                Some(!i.is_multiple_of(7)),
                answer.clone(),
                0.0001 * 1.7f64.powi(i as i32 % 30),
            )
        };
        (0..n).map(one).collect()
    }

    /// From nothing at all to more than any plot is made for.
    fn cases() -> Vec<Matrix> {
        let unsolved = Answer::Unknown("timeout".to_owned());
        let mut no_time = matrix(&[("a", runs(1, &Answer::True)), ("b", runs(1, &Answer::True))]);
        no_time.timeout = 0.0;
        let of_time = |cpu: f64| {
            let same = |r: Record| Record { cpu, wall: cpu, ..r };
            let one = || runs(9, &Answer::True).into_iter().map(same).collect();
            let mut results = matrix(&[("a", one()), ("b", one())]);
            results.timeout = cpu;
            results
        };
        let names: Vec<String> = (0..40).map(|i| format!("a-configuration-with-a-long-name-{i}")).collect();
        let many: Vec<(&str, Vec<Record>)> = names.iter().map(|n| (n.as_str(), runs(50, &Answer::True))).collect();
        vec![
            matrix(&[("a", runs(30, &Answer::True)), ("b", runs(20, &Answer::False))]),
            matrix(&[("a", runs(3, &unsolved)), ("b", vec![])]),
            no_time,
            of_time(0.0),
            of_time(-1.0),
            of_time(1e20),
            of_time(f64::MAX),
            of_time(f64::INFINITY),
            of_time(f64::NAN),
            matrix(&many),
        ]
    }

    #[test]
    fn labels_stay_inside() {
        for results in cases() {
            for kind in KINDS {
                let figure = draw(&results, kind).expect("two configurations");
                for shape in &figure.shapes {
                    let Shape::Text(text) = shape else { continue };
                    let width = text_width(&text.text, text.size);
                    let before = match text.anchor {
                        Anchor::Start => 0.0,
                        Anchor::Middle => width / 2.0,
                        Anchor::End => width,
                    };
                    let (along, whole) = match text.upwards {
                        true => (figure.height - text.at.1, figure.height),
                        false => (text.at.0, figure.width),
                    };
                    assert!(along - before >= 0.0 && along - before + width <= whole, "{kind:?} {text:?}");
                }
            }
        }
    }

    #[test]
    fn every_place_is_a_number() {
        for results in cases() {
            for kind in KINDS {
                let figure = draw(&results, kind).expect("two configurations");
                let text = svg::svg(&figure, svg::Place::File);
                assert!(!text.contains("NaN") && !text.contains("inf"), "{kind:?} at {} s: {text}", results.timeout);
            }
        }
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        for kind in KINDS {
            assert!(draw(&matrix(&[("a", vec![]), ("b", vec![])]), kind).is_err(), "{kind:?}");
        }
    }

    #[test]
    fn the_name_decides_the_form() {
        let folder = std::env::temp_dir().join(format!("raddle-plot-{}", process::id()));
        fs::create_dir_all(&folder).expect("a folder of our own");
        let input = folder.join("x.jsonl");
        let of = |(name, _): &(String, Vec<String>)| Record {
            configuration: name.clone(),
            ..record("t.c", Some(true), Answer::True, 1.0)
        };
        let configurations = vec![("a".to_owned(), vec![]), ("b".to_owned(), vec![])];
        let records = configurations.iter().map(of).collect();
        let header = Header { configurations, ..header() };
        results::write(&input, &Results { header, records }).expect("a file of our own");
        let plotted = |name: &str, configurations: &[&str]| {
            run(&PlotArgs {
                kind: Kind::Scatter,
                output: folder.join(name),
                configurations: configurations.iter().map(|c| (*c).to_owned()).collect(),
                results: vec![input.clone()],
            })
        };
        assert_eq!(plotted("x.svg", &[]), Ok(DONE));
        assert_eq!(plotted("x.PNG", &["b", "a"]), Ok(DONE));
        assert!(plotted("x.gif", &[]).is_err());
        assert!(plotted("x.svg", &["b", "c"]).is_err());
        assert!(plotted("x.svg", &["b"]).is_err());
        assert!(fs::read(folder.join("x.svg")).expect("written").starts_with(b"<svg"));
        assert!(fs::read(folder.join("x.PNG")).expect("written").starts_with(b"\x89PNG"));
        fs::remove_dir_all(&folder).expect("a folder of our own");
    }
}
