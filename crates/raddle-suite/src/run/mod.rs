//! `raddle suite run`: every configuration on every task.
//!
//! Here the command line becomes an `Experiment`; `local` carries it out, and `slurm` and `benchexec` have it carried out by others.

mod benchexec;
mod build;
pub mod check;
mod child;
mod local;
mod progress;
mod slurm;
mod watch;

use crate::error::{Error, Result, bail};
use crate::record::Header;
use crate::results::Appender;
use crate::tasks::{self, Selection, Task};
use crate::{DONE, UNFINISHED, console, status_of, table, words};
use clap::{Args, ValueEnum};
use raddle_budget::quantities;
use regex_lite::Regex;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is appended to the options of every run: tasks run side by side, so one task gets one worker, unless its configuration says otherwise.
const WORKERS: &str = "--jobs";
const ONE_WORKER: &[&str] = &[WORKERS, "1"];

#[derive(Args, Debug, Clone)]
pub struct RunArgs {
    /// Task definitions (.yml), sets of them (.set), folders with them, or indexes (.tsv)
    #[arg(value_name = "TASKS", required = true)]
    pub tasks: Vec<PathBuf>,
    /// Options of Raddle under a name; may be repeated [default: default=]
    #[arg(long = "configuration", value_name = "NAME='OPTIONS'", value_parser = parse_configuration)]
    pub configurations: Vec<Configuration>,
    /// Tasks of this property
    #[arg(long, value_name = "P", default_value = "unreach-call", help_heading = "Selection")]
    pub property: String,
    /// Tasks of the categories that this pattern fits
    #[arg(long, value_name = "REGEX", value_parser = parse_regex, allow_hyphen_values = true, help_heading = "Selection")]
    pub category: Option<Regex>,
    /// Tasks whose name this pattern fits
    #[arg(long, value_name = "REGEX", value_parser = parse_regex, allow_hyphen_values = true, help_heading = "Selection")]
    pub filter: Option<Regex>,
    /// Another order of tasks
    #[arg(long, value_name = "SEED", help_heading = "Selection")]
    pub shuffle: Option<u64>,
    /// So many tasks at most
    #[arg(long, value_name = "N", help_heading = "Selection")]
    pub limit: Option<usize>,
    /// Only part I of N of the tasks; the files of all parts are put together by `suite merge`
    #[arg(long, value_name = "I/N", value_parser = parse_shard, help_heading = "Selection")]
    pub shard: Option<(usize, usize)>,
    /// CPU time of each run
    #[arg(long, value_name = "TIME", value_parser = quantities::parse_time, default_value = "60s", help_heading = "Limits")]
    pub timeout: Duration,
    /// Memory of each run
    #[arg(long, value_name = "SIZE", value_parser = quantities::parse_size, default_value = "8GB", help_heading = "Limits")]
    pub memory: u64,
    /// Runs at the same time [default: the number of cores; on a cluster, 1 for each member]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Limits")]
    pub jobs: Option<u16>,
    /// Results, a line for each run
    #[arg(long, value_name = "FILE", default_value = "results.jsonl")]
    pub output: PathBuf,
    /// Go on where a run was cut off
    #[arg(long)]
    pub resume: bool,
    /// Where to run
    #[arg(long, value_enum, default_value = "local", help_heading = "Clusters")]
    pub on: Place,
    /// Members of the job array
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Clusters", required_if_eq("on", "slurm"))]
    pub shards: Option<u16>,
    /// Further options of sbatch (partition, time limit, …)
    #[arg(long, value_name = "OPTIONS", value_parser = words::split, default_value = "", allow_hyphen_values = true, help_heading = "Clusters")]
    pub sbatch: Words,
    /// Do not run, but write the experiment for BenchExec into this folder
    #[arg(long, value_name = "DIR", help_heading = "Clusters")]
    pub benchexec: Option<PathBuf>,
}

/// Clap would take a `Vec` for a repeated option.
type Words = std::vec::Vec<String>;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Place {
    /// This machine
    Local,
    /// A Slurm cluster, as a job array
    Slurm,
}

/// Options of Raddle, under a name.
#[derive(Clone, PartialEq, Debug)]
pub struct Configuration {
    pub name: String,
    pub options: Vec<String>,
}

impl Configuration {
    /// The options of the configuration, and those that every run gets.
    fn all_options(&self) -> Vec<&str> {
        let says = |o: &String| *o == WORKERS || o.starts_with(&format!("{WORKERS}="));
        let more: &[&str] = if self.options.iter().any(says) { &[] } else { ONE_WORKER };
        self.options.iter().map(String::as_str).chain(more.iter().copied()).collect()
    }
}

fn parse_configuration(text: &str) -> std::result::Result<Configuration, String> {
    let (name, options) = text.split_once('=').ok_or("write NAME='OPTIONS'")?;
    if name.is_empty() || name.starts_with('-') || name.contains(char::is_whitespace) {
        return Err("write NAME='OPTIONS', with a name that is one word".into());
    }
    Ok(Configuration { name: name.into(), options: words::split(options)? })
}

fn parse_regex(text: &str) -> std::result::Result<Regex, String> {
    Regex::new(text).map_err(|e| e.to_string())
}

fn parse_shard(text: &str) -> std::result::Result<(usize, usize), String> {
    let parts = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    parts.filter(|(part, of)| (1..=*of).contains(part)).ok_or("write I/N with 1 ≤ I ≤ N".into())
}

/// What is to be run.
#[derive(Debug)]
pub struct Experiment<'a> {
    pub raddle: &'a Path,
    /// Of this shard, if it is one.
    pub tasks: Vec<Task>,
    pub configurations: Vec<Configuration>,
    pub header: Header,
}

pub fn run(args: &RunArgs, raddle: &Path, version: &str) -> Result<u8> {
    let experiment = experiment(args, raddle, version)?;
    check::configurations(&experiment)?;
    if let Some(folder) = &args.benchexec {
        benchexec::write(&experiment, folder)?;
        return Ok(DONE);
    }
    match args.on {
        Place::Local => run_here(args, &experiment),
        Place::Slurm => slurm::run(args, &experiment),
    }
}

fn experiment<'a>(args: &RunArgs, raddle: &'a Path, version: &str) -> Result<Experiment<'a>> {
    let mut configurations = args.configurations.clone();
    if configurations.is_empty() {
        configurations.push(Configuration { name: "default".into(), options: Vec::new() });
    }
    let mut names = HashSet::new();
    if let Some(twice) = configurations.iter().find(|c| !names.insert(&c.name)) {
        bail!("two configurations have the name {}", twice.name);
    }
    let found = tasks::find(&args.tasks)?;
    for warning in &found.warnings {
        console::note(format_args!("warning: {warning}"));
    }
    let selection = Selection {
        property: args.property.clone(),
        category: args.category.clone(),
        name: args.filter.clone(),
        shuffle: args.shuffle,
        limit: args.limit,
    };
    let (tasks, left_out) = tasks::select(found.tasks, &selection);
    if left_out > 0 {
        console::note(format_args!("{left_out} tasks of other properties than {} are left out", args.property));
    }
    if tasks.is_empty() {
        bail!("there are no tasks of the property {} that fit", args.property);
    }
    if let Some(task) = tasks.iter().find(|t| !t.property_file.exists()) {
        bail!("the property file {} of {} does not exist", task.property_file.display(), task.name);
    }
    let header = Header {
        raddle: version.to_string(),
        build: build::hash(raddle)?,
        configurations: configurations.iter().map(|c| (c.name.clone(), c.options.clone())).collect(),
        timeout: args.timeout.as_secs_f64(),
        memory: args.memory,
        tasks: tasks.len(),
        set: tasks::hash(&tasks),
        shard: args.shard,
    };
    let tasks = match args.shard {
        Some(shard) => tasks::shard(tasks, shard),
        None => tasks,
    };
    Ok(Experiment { raddle, tasks, configurations, header })
}

fn run_here(args: &RunArgs, experiment: &Experiment) -> Result<u8> {
    let (mut appender, mut records) = if args.resume {
        Appender::resume(&args.output, &experiment.header)?
    } else {
        (Appender::create(&args.output, &experiment.header)?, Vec::new())
    };
    let done = records.len();
    if done > 0 {
        console::note(format_args!("{done} results are there already"));
    }
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let end = local::run(experiment, jobs, &mut records, |record| appender.append(record));
    console::print(&table::table(&experiment.header, &records))?;
    let again = format!("to go on, repeat the command with --resume ({} is kept)", args.output.display());
    match end {
        Err(Error(reason)) => bail!("{reason}\n{} results were written; {again}", records.len()),
        Ok(local::End::Interrupted) => {
            console::note(format_args!("interrupted after {} of {} runs; {again}", records.len(), experiment.runs()));
            Ok(UNFINISHED)
        }
        Ok(local::End::Done) => Ok(status_of(&records)),
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Experiment<'_> {
    fn runs(&self) -> usize {
        self.tasks.len() * self.configurations.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations() {
        let parsed = parse_configuration("oc=--engine oc -D 'x y'").unwrap();
        assert_eq!(parsed.name, "oc");
        assert_eq!(parsed.all_options(), ["--engine", "oc", "-D", "x y", "--jobs", "1"]);
        assert_eq!(parse_configuration("par=--jobs=4").unwrap().all_options(), ["--jobs=4"]);
        for bad in ["oc", "=x", "a b=c", "a='"] {
            assert!(parse_configuration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn shards() {
        assert_eq!(parse_shard("2/3"), Ok((2, 3)));
        for bad in ["0/3", "4/3", "2", "a/b", "/", "-1/2"] {
            assert!(parse_shard(bad).is_err(), "{bad}");
        }
    }
}
