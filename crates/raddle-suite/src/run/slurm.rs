//! An experiment on a Slurm cluster: a job array with a member for each shard.
//!
//! Whether a member did its work is told by its file alone, never by the state of its job: nodes fail, jobs are killed, and accounting may be off.
//! Members with incomplete files are submitted again, and go on where they were cut off. The folder must be on a file system that all nodes share.

use super::local::stop_on_signals;
use super::{Experiment, RunArgs};
use crate::error::{Error, Result, bail};
use crate::merge::{expected_records, merge_files};
use crate::record::Header;
use crate::results::differences;
use crate::{UNFINISHED, console, files, results, status_of, words};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often a member is submitted at most, after the first time.
const ATTEMPTS: usize = 3;
/// How long to wait between questions: short jobs end soon, and the queue should not be asked often about long ones.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// How long the controller may be out of reach.
const PATIENCE: Duration = Duration::from_secs(1800);

pub fn run(args: &RunArgs, experiment: &Experiment) -> Result<u8> {
    if args.shard.is_some() {
        bail!("--shard cannot be given with --on slurm, which has --shards");
    }
    if args.output.exists() {
        bail!("{} exists: choose another --output", args.output.display());
    }
    let shards = usize::from(args.shards.unwrap_or(1)).min(experiment.tasks.len());
    let cluster = Cluster { folder: folder(args)?, header: experiment.header.clone(), shards };
    let script = cluster.folder.join("job.sh");
    let text = script_text(args, experiment, &cluster)?;
    files::write(&script, text)?;
    let stop = stop_on_signals();
    // A resumed run may still have members in the queue, which nobody waited for.
    let note = cluster.folder.join("job");
    let mut job = std::fs::read_to_string(&note).ok();
    let mut attempt = 0;
    loop {
        if let Some(job) = &job
            && !wait_for(job, &stop)?
        {
            let _ = Command::new("scancel").arg(job).status();
            console::note(format_args!(
                "interrupted, and job {job} is cancelled; to go on, repeat the command with --resume"
            ));
            return Ok(UNFINISHED);
        }
        let incomplete = cluster.incomplete()?;
        if incomplete.is_empty() {
            return collect(args, &cluster);
        }
        if attempt > ATTEMPTS {
            let (members, folder) = (list(&incomplete), cluster.folder.display());
            bail!("members {members} did not finish in {attempt} attempts; what they say is in {folder}/member-*.log");
        }
        if attempt > 0 {
            console::note(format_args!(
                "{} members did not finish and are submitted again: {}",
                incomplete.len(),
                list(&incomplete)
            ));
        }
        attempt += 1;
        let submitted = submit(&script, &incomplete)?;
        files::write(&note, &submitted)?;
        console::note(format_args!(
            "submitted job {submitted} with {} members; see {}",
            incomplete.len(),
            cluster.folder.display()
        ));
        job = Some(submitted);
    }
}

struct Cluster {
    folder: PathBuf,
    /// Of the whole run.
    header: Header,
    shards: usize,
}

impl Cluster {
    fn shard_file(&self, part: usize) -> PathBuf {
        self.folder.join(format!("shard-{part}.jsonl"))
    }

    /// The members whose files are not whole.
    fn incomplete(&self) -> Result<Vec<usize>> {
        let mut incomplete = Vec::new();
        for part in 1..=self.shards {
            let header = Header { shard: Some((part, self.shards)), ..self.header.clone() };
            let path = self.shard_file(part);
            // Whatever is wrong with the file: the member repairs it, or says what it is.
            let Ok(results) = results::read(&path) else {
                incomplete.push(part);
                continue;
            };
            let differences = differences(&results.header, &header);
            if !differences.is_empty() {
                bail!("{} is of another run: {}", path.display(), differences.join("; "));
            }
            if results.records.len() < expected_records(&header) {
                incomplete.push(part);
            }
        }
        Ok(incomplete)
    }
}

/// `results.jsonl.slurm`: a new folder, unless the run is resumed.
fn folder(args: &RunArgs) -> Result<PathBuf> {
    let mut name = args.output.clone().into_os_string();
    name.push(".slurm");
    let folder = PathBuf::from(name);
    if folder.exists() && !args.resume {
        bail!("{} exists: resume that run with --resume, or choose another --output", folder.display());
    }
    files::create_folder(&folder)?;
    files::absolute(&folder)
}

fn script_text(args: &RunArgs, experiment: &Experiment, cluster: &Cluster) -> Result<String> {
    let jobs = args.jobs.unwrap_or(1);
    // The suite itself, the preprocessor and the verdict at the limit need some memory too.
    let megabytes = (args.memory / 1_000_000 + 256) * u64::from(jobs);
    let folder = as_text(&cluster.folder)?;
    let mut options = passed_on(args);
    options.extend(["--jobs".into(), jobs.to_string(), "--".into()]);
    for tasks in &args.tasks {
        options.push(as_text(&files::absolute(tasks)?)?);
    }
    let mut lines = vec!["#!/bin/sh".to_string()];
    let mut option = |text: String| lines.push(format!("#SBATCH {text}"));
    option("--job-name=raddle-suite".into());
    option(format!("--output=\"{folder}/member-%a.log\""));
    option("--open-mode=append".into());
    option(format!("--cpus-per-task={jobs}"));
    option(format!("--mem={megabytes}M"));
    // What the user says comes last, and wins.
    if !args.sbatch.is_empty() {
        option(words::join(args.sbatch.iter().map(String::as_str)));
    }
    lines.push("# The verdicts may be wrong (1), which is not the job's failure.".into());
    lines.push(format!(
        "{} suite run --resume --shard \"$SLURM_ARRAY_TASK_ID/{}\" --output {}\"$SLURM_ARRAY_TASK_ID\".jsonl {} || [ $? = 1 ]",
        words::quote(&as_text(experiment.raddle)?),
        cluster.shards,
        words::quote(&format!("{folder}/shard-")),
        words::join(options.iter().map(String::as_str)),
    ));
    Ok(lines.join("\n") + "\n")
}

/// The options that say what is run: members get the same ones.
fn passed_on(args: &RunArgs) -> Vec<String> {
    let mut options = vec!["--property".to_string(), args.property.clone()];
    for configuration in &args.configurations {
        let joined = words::join(configuration.options.iter().map(String::as_str));
        options.extend(["--configuration".into(), format!("{}={joined}", configuration.name)]);
    }
    let mut option = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            options.push(format!("{name}={value}"));
        }
    };
    option("--category", args.category.as_ref().map(|r| r.as_str().to_string()));
    option("--filter", args.filter.as_ref().map(|r| r.as_str().to_string()));
    option("--shuffle", args.shuffle.map(|n| n.to_string()));
    option("--limit", args.limit.map(|n| n.to_string()));
    option("--timeout", Some(format!("{}s", args.timeout.as_secs_f64())));
    option("--memory", Some(format!("{}B", args.memory)));
    options
}

fn as_text(path: &Path) -> Result<String> {
    match path.to_str() {
        Some(text) if !text.contains(['\n', '"', '%']) => Ok(text.to_string()),
        _ => bail!("{} has characters that job scripts cannot have", path.display()),
    }
}

fn list(members: &[usize]) -> String {
    members.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
}

/// The number of the job.
fn submit(script: &Path, members: &[usize]) -> Result<String> {
    let array = format!("--array={}", list(members));
    let output = output_of(Command::new("sbatch").args(["--parsable", &array]).arg(script))?;
    // With federations, the cluster's name follows.
    let job = output.trim().split(';').next().unwrap_or("").to_string();
    if job.is_empty() || !job.bytes().all(|b| b.is_ascii_digit()) {
        bail!("sbatch gave no number of a job, but `{}`", output.trim());
    }
    Ok(job)
}

/// Until no member of the job is in the queue; `false`, if somebody wants to stop.
fn wait_for(job: &str, stop: &AtomicBool) -> Result<bool> {
    let mut wait = FIRST_WAIT;
    let mut answered = Instant::now();
    let mut last = String::new();
    loop {
        match output_of(Command::new("squeue").args(["--me", "--all", "--noheader", "--array", "--format=%F %T"])) {
            Ok(queue) => {
                answered = Instant::now();
                let states = states(&queue, job);
                if states.is_empty() {
                    return Ok(true);
                }
                if states != last {
                    console::note(format_args!("job {job}: {states}"));
                    last = states;
                }
            }
            // The controller may be busy, or being restarted.
            Err(error) if answered.elapsed() > PATIENCE => return Err(error),
            Err(_) => {}
        }
        let until = Instant::now() + wait;
        while Instant::now() < until {
            if stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        wait = (wait * 3 / 2).min(LONGEST_WAIT);
    }
}

/// `2 pending, 1 running`, from lines of job and state.
fn states(queue: &str, job: &str) -> String {
    let mut counts = std::collections::BTreeMap::new();
    for (number, state) in queue.lines().filter_map(|line| line.trim().split_once(' ')) {
        if number == job {
            *counts.entry(state.trim().to_lowercase()).or_insert(0) += 1;
        }
    }
    counts.iter().map(|(state, n)| format!("{n} {state}")).collect::<Vec<_>>().join(", ")
}

fn output_of(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| Error(format!("cannot run {name}: {e}. Is Slurm installed here?")))?;
    if !output.status.success() {
        bail!("{name} failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn collect(args: &RunArgs, cluster: &Cluster) -> Result<u8> {
    let files: Vec<PathBuf> = (1..=cluster.shards).map(|part| cluster.shard_file(part)).collect();
    Ok(status_of(&merge_files(&files, &args.output)?.records))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(clap::Parser)]
    struct Cli {
        #[command(flatten)]
        args: RunArgs,
    }

    #[test]
    fn the_script_says_what_the_command_line_said() {
        let line = ["x", "src", "--configuration", "a=-D 'x y'", "--filter", "-1", "--shards", "3", "--memory", "1GB"];
        let more = ["--on", "slurm", "--sbatch", "-p long --time=1:00", "--jobs", "2"];
        let parsed = <Cli as clap::Parser>::try_parse_from(line.iter().chain(&more));
        let args = parsed.unwrap_or_else(|e| panic!("{e}")).args;
        let header = crate::results::tests::header();
        let experiment = Experiment {
            raddle: Path::new("/opt/raddle tool"),
            tasks: Vec::new(),
            configurations: Vec::new(),
            header: header.clone(),
        };
        let cluster = Cluster { folder: "/share/my results.slurm".into(), header, shards: 3 };
        let script = script_text(&args, &experiment, &cluster).unwrap();
        let expected = [
            "#!/bin/sh",
            "#SBATCH --job-name=raddle-suite",
            "#SBATCH --output=\"/share/my results.slurm/member-%a.log\"",
            "#SBATCH --open-mode=append",
            "#SBATCH --cpus-per-task=2",
            "#SBATCH --mem=2512M",
            "#SBATCH -p long --time=1:00",
        ];
        assert!(script.starts_with(&expected.join("\n")), "{script}");
        let command = script.lines().last().unwrap();
        let start = r#"'/opt/raddle tool' suite run --resume --shard "$SLURM_ARRAY_TASK_ID/3" --output '/share/my results.slurm/shard-'"$SLURM_ARRAY_TASK_ID".jsonl "#;
        let options = r"--property unreach-call --configuration 'a=-D '\''x y'\''' --filter=-1 --timeout=60s --memory=1000000000B --jobs 2 -- /";
        let rest = command.strip_prefix(start).unwrap_or_else(|| panic!("{command}"));
        assert!(rest.starts_with(options) && rest.ends_with("/src || [ $? = 1 ]"), "{rest}");
    }

    #[test]
    fn states_of_this_job_only() {
        let queue = "7 RUNNING\n7 PENDING\n77 RUNNING\n 7 PENDING\n";
        assert_eq!(states(queue, "7"), "2 pending, 1 running");
        assert_eq!(states(queue, "8"), "");
    }
}
