//! `raddle suite compare`: task by task, what changed between two results of the same tasks.

use crate::error::{Result, bail};
use crate::record::{Answer, Record};
use crate::results::Results;
use crate::table::{reason, show};
use crate::{console, results, status_of};
use clap::Args;
use raddle_budget::quantities::{show_megabytes, show_seconds};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

#[derive(Args, Debug)]
pub struct CompareArgs {
    /// Results before: a file, or FILE:CONFIGURATION
    #[arg(value_name = "A")]
    pub before: String,
    /// Results after: a file, or FILE:CONFIGURATION
    #[arg(value_name = "B")]
    pub after: String,
    /// The configuration to compare where a file has several
    #[arg(long, value_name = "NAME")]
    pub configuration: Option<String>,
}

pub fn run(args: &CompareArgs) -> Result<u8> {
    let before = load(&args.before, args.configuration.as_deref())?;
    let after = load(&args.after, args.configuration.as_deref())?;
    console::print(&compare(&before, &after))?;
    Ok(status_of(&after))
}

/// The records of one configuration.
fn load(name: &str, configuration: Option<&str>) -> Result<Vec<Record>> {
    if let Some((path, named)) = name.rsplit_once(':')
        && !Path::new(name).exists()
    {
        return choose(results::read(Path::new(path))?, path, Some(named));
    }
    let results = results::read(Path::new(name))?;
    // `--configuration` is for the file that has several.
    let configuration = configuration.filter(|_| results.header.configurations.len() > 1);
    choose(results, name, configuration)
}

fn choose(results: Results, path: &str, configuration: Option<&str>) -> Result<Vec<Record>> {
    let names: Vec<&str> = results.header.configurations.iter().map(|(name, _)| name.as_str()).collect();
    let chosen = match (names.as_slice(), configuration) {
        ([only], None) => *only,
        (names, Some(name)) if names.contains(&name) => name,
        (names, None) => bail!("{path} has the configurations {}: choose one, as {path}:NAME", names.join(", ")),
        (names, Some(name)) => bail!("{path} has no configuration {name}, but {}", names.join(", ")),
    };
    Ok(results.records.iter().filter(|r| r.configuration == chosen).cloned().collect())
}

/// What became of a task. The order is that of the report.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Change {
    Wrong,
    Contradiction,
    Lost,
    NoLongerWrong,
    Won,
    Reason,
}

impl Change {
    fn title(self) -> &'static str {
        match self {
            Change::Wrong => "!!! WRONG in B",
            Change::Contradiction => "!!! CONTRADICTORY, and nobody says who is right",
            Change::Lost => "lost: solved in A only",
            Change::NoLongerWrong => "wrong in A, not in B",
            Change::Won => "won: solved in B only",
            Change::Reason => "unsolved in both, for another reason",
        }
    }
}

fn change(a: &Record, b: &Record) -> Option<Change> {
    match (a, b) {
        _ if b.is_wrong() => Some(Change::Wrong),
        _ if a.is_wrong() => Some(Change::NoLongerWrong),
        _ if a.is_solved() && b.is_solved() => (a.answer != b.answer).then_some(Change::Contradiction),
        _ if a.is_solved() => Some(Change::Lost),
        _ if b.is_solved() => Some(Change::Won),
        _ => (reason(&a.answer) != reason(&b.answer)).then_some(Change::Reason),
    }
}

fn compare(before: &[Record], after: &[Record]) -> String {
    let by_task = |records: &[Record]| -> BTreeMap<(String, String), Record> {
        records.iter().map(|r| ((r.task.clone(), r.property.clone()), r.clone())).collect()
    };
    let (a, b) = (by_task(before), by_task(after));
    let pairs: Vec<(&Record, &Record)> = a.iter().filter_map(|(key, a)| Some((a, b.get(key)?))).collect();
    let mut changes: BTreeMap<Change, Vec<(&Record, &Record)>> = BTreeMap::new();
    for (a, b) in &pairs {
        if let Some(change) = change(a, b) {
            changes.entry(change).or_default().push((a, b));
        }
    }
    let mut text = String::new();
    for (change, pairs) in &changes {
        let _ = writeln!(text, "{} ({})", change.title(), pairs.len());
        for (a, b) in pairs {
            let times = format!("{} s, {} s", show_seconds(a.cpu), show_seconds(b.cpu));
            let _ = writeln!(text, "  {}: {} -> {} ({times})", a.task, show(&a.answer), show(&b.answer));
        }
        text.push('\n');
    }
    let solved = |records: &[Record]| records.iter().filter(|r| r.is_right()).count();
    let _ = writeln!(text, "{} tasks in both; A solved {}, B solved {}", pairs.len(), solved(before), solved(after));
    let (only_a, only_b) = (a.len() - pairs.len(), b.len() - pairs.len());
    if only_a + only_b > 0 {
        let _ = writeln!(text, "not compared: {only_a} tasks of A only, {only_b} of B only");
    }
    text + &resources(&pairs)
}

/// Over the tasks that both solved.
fn resources(pairs: &[(&Record, &Record)]) -> String {
    let both: Vec<_> = pairs.iter().filter(|(a, b)| a.is_right() && b.is_right() && same(a, b)).collect();
    if both.is_empty() {
        return "no task is solved by both\n".into();
    }
    let cpu_a: f64 = both.iter().map(|(a, _)| a.cpu).sum();
    let cpu_b: f64 = both.iter().map(|(_, b)| b.cpu).sum();
    let memory_a: f64 = both.iter().map(|(a, _)| a.memory as f64).sum();
    let memory_b: f64 = both.iter().map(|(_, b)| b.memory as f64).sum();
    // Below a hundredth of a second there is only noise.
    let mean = geometric_mean(both.iter().map(|(a, b)| b.cpu.max(0.01) / a.cpu.max(0.01)));
    let memory_mean = geometric_mean(both.iter().map(|(a, b)| b.memory.max(1) as f64 / a.memory.max(1) as f64));
    let ratio = |a: f64, b: f64| if a > 0.0 { format!("{:.3}", b / a) } else { "-".into() };
    let n = both.len();
    let average = |sum: f64| show_megabytes((sum / n as f64) as u64);
    format!(
        "solved by both: {n} tasks\n\
         CPU time:    A {} s, B {} s, B/A {} (geometric mean over tasks {mean:.3})\n\
         peak memory: A {} MB, B {} MB on average, B/A {} (geometric mean over tasks {memory_mean:.3})\n",
        show_seconds(cpu_a),
        show_seconds(cpu_b),
        ratio(cpu_a, cpu_b),
        average(memory_a),
        average(memory_b),
        ratio(memory_a, memory_b),
    )
}

fn same(a: &Record, b: &Record) -> bool {
    matches!((&a.answer, &b.answer), (Answer::True, Answer::True) | (Answer::False, Answer::False))
}

fn geometric_mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let logarithms: Vec<f64> = ratios.map(f64::ln).collect();
    (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::results::tests::{header, record};

    fn unknown(code: &str) -> Answer {
        Answer::Unknown(code.into())
    }

    #[test]
    fn wrong_then_lost_then_won_then_reasons() {
        let a = [
            record("reason", None, unknown("timeout")),
            record("won", Some(true), unknown("timeout")),
            record("lost", Some(true), Answer::True),
            record("wrong", Some(true), Answer::True),
            record("same", Some(true), Answer::True),
            record("only a", Some(true), Answer::True),
        ];
        let b = [
            record("reason", None, unknown("stuck")),
            record("won", Some(true), Answer::True),
            record("lost", Some(true), unknown("timeout")),
            record("wrong", Some(true), Answer::False),
            Record { cpu: 3.0, ..record("same", Some(true), Answer::True) },
        ];
        let text = compare(&a, &b);
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("no {what} in {text}"));
        assert!(text.starts_with("!!! WRONG in B (1)\n  wrong: true -> false"));
        assert!(at("lost: solved") < at("won: solved") && at("won: solved") < at("another reason"));
        at("5 tasks in both; A solved 4, B solved 2");
        at("not compared: 1 tasks of A only, 0 of B only");
        at("CPU time:    A 1.50 s, B 3.00 s, B/A 2.000");
    }

    #[test]
    fn any_number_of_bytes_is_added_up() {
        let huge = |name| Record { memory: u64::MAX, ..record(name, Some(true), Answer::True) };
        let text = compare(&[huge("a"), huge("b")], &[huge("a"), huge("b")]);
        assert!(text.contains("peak memory: A 18446744073710 MB, B 18446744073710 MB on average, B/A 1.000"), "{text}");
    }

    #[test]
    fn a_file_with_several_configurations_needs_a_choice() {
        let results = || {
            let mut header = header();
            header.configurations.push(("oc".into(), vec![]));
            let of_oc = Record { configuration: "oc".into(), ..record("x", None, Answer::True) };
            Results { header, records: vec![record("y", None, Answer::True), of_oc] }
        };
        assert_eq!(choose(results(), "f", Some("oc")).unwrap()[0].task, "x");
        let Error(message) = choose(results(), "f", None).unwrap_err();
        assert_eq!(message, "f has the configurations default, oc: choose one, as f:NAME");
        assert!(choose(results(), "f", Some("cegar")).is_err());
    }
}
