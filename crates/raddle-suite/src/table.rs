//! The table of results: a block for each configuration, a row for each category. Wrong answers come first.

use crate::error::Result;
use crate::record::{Answer, Header, Record};
use crate::summary::{Summary, summarize};
use crate::{DONE, console, results, status_of};
use clap::Args;
use raddle_budget::quantities::{show_megabytes, show_seconds};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct TableArgs {
    /// Files of results
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}

pub fn run(args: &TableArgs) -> Result<u8> {
    let mut status = DONE;
    for file in &args.files {
        let results = results::read(file)?;
        if args.files.len() > 1 {
            console::print(&format!("{}:\n", file.display()))?;
        }
        console::print(&table(&results.header, &results.records))?;
        status = status.max(status_of(&results.records));
    }
    Ok(status)
}

/// `timeout`, `error`: what tasks without an answer are counted by.
pub fn reason(answer: &Answer) -> Option<&str> {
    match answer {
        Answer::True | Answer::False => None,
        Answer::Unknown(code) => Some(code),
        Answer::Error(_) => Some("error"),
    }
}

pub fn show(answer: &Answer) -> String {
    match answer {
        Answer::True => "true".into(),
        Answer::False => "false".into(),
        Answer::Unknown(code) => format!("unknown({code})"),
        Answer::Error(what) => format!("error({what})"),
    }
}

fn cells(name: &str, summary: &Summary) -> Vec<String> {
    let errors = (summary.errors > 0).then_some(("error", summary.errors));
    let mut reasons: Vec<_> = summary.unknown.iter().map(|(code, n)| (code.as_str(), *n)).chain(errors).collect();
    reasons.sort_by_key(|(code, n)| (std::cmp::Reverse(*n), *code));
    vec![
        name.to_string(),
        summary.runs.to_string(),
        summary.solved().to_string(),
        summary.right_true.to_string(),
        summary.right_false.to_string(),
        summary.wrong().to_string(),
        (summary.runs - summary.solved()).to_string(),
        summary.score.to_string(),
        show_seconds(summary.cpu_right),
        show_seconds(summary.cpu),
        show_megabytes(summary.memory),
        reasons.iter().map(|(code, n)| format!("{n} {code}")).collect::<Vec<_>>().join(", "),
    ]
}

const COLUMNS: [&str; 12] = [
    "category",
    "tasks",
    "solved",
    "true",
    "false",
    "wrong",
    "unknown",
    "score",
    "CPU right [s]",
    "CPU all [s]",
    "memory [MB]",
    "why unknown",
];

pub fn table(header: &Header, records: &[Record]) -> String {
    let mut text = wrong_answers(records);
    for (name, options) in &header.configurations {
        let records: Vec<_> = records.iter().filter(|r| r.configuration == *name).collect();
        let options = if options.is_empty() { String::new() } else { format!(": {}", options.join(" ")) };
        let _ = writeln!(text, "{name}{options}");
        let mut categories: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
        for record in &records {
            categories.entry(record.category.as_deref().unwrap_or("-")).or_default().push(record);
        }
        let row = |name: &str, records: &[&Record]| cells(name, &summarize(records.iter().copied()));
        let mut lines: Vec<_> = categories.iter().map(|(name, records)| row(name, records)).collect();
        lines.push(row("total", &records));
        text += &align(&COLUMNS, &lines);
        text += &errors(&records);
        text.push('\n');
    }
    text
}

/// What went wrong, most frequent first. A mistake in the options shows here.
fn errors(records: &[&Record]) -> String {
    const SHOWN: usize = 5;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for record in records {
        if let Answer::Error(what) = &record.answer {
            *counts.entry(what).or_default() += 1;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(what, n)| (std::cmp::Reverse(*n), *what));
    let mut text: String = counts.iter().take(SHOWN).map(|(what, n)| format!("{n} x error: {what}\n")).collect();
    if counts.len() > SHOWN {
        let _ = writeln!(text, "and {} other errors", counts.len() - SHOWN);
    }
    text
}

/// Wrong answers are what a user must see before anything else.
fn wrong_answers(records: &[Record]) -> String {
    let wrong: Vec<_> = records.iter().filter(|r| r.is_wrong()).collect();
    if wrong.is_empty() {
        return String::new();
    }
    let mut text = format!("!!! {} WRONG {}\n", wrong.len(), if wrong.len() == 1 { "ANSWER" } else { "ANSWERS" });
    for record in wrong {
        let _ = writeln!(text, "!!! {}", wrong_answer(record));
    }
    text.push('\n');
    text
}

pub fn wrong_answer(record: &Record) -> String {
    let expected = record.expected.map_or("?".into(), |e| e.to_string());
    let Record { task, property, configuration, .. } = record;
    format!("WRONG {}, expected {expected}: {task} ({property}, {configuration})", show(&record.answer))
}

/// Text to the left in the first and the last column, numbers to the right.
pub fn align(columns: &[&str], lines: &[Vec<String>]) -> String {
    let width = |i: usize| {
        let cells = lines.iter().filter_map(|l| l.get(i)).map(|c| c.chars().count());
        cells.chain([columns[i].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..columns.len()).map(width).collect();
    let header: Vec<String> = columns.iter().map(|c| c.to_string()).collect();
    let mut text = String::new();
    for line in std::iter::once(&header).chain(lines) {
        let mut shown = String::new();
        for (i, (cell, width)) in line.iter().zip(&widths).enumerate() {
            let _ = match i {
                0 => write!(shown, "{cell:width$}"),
                i if i + 1 == columns.len() => write!(shown, "  {cell}"),
                _ => write!(shown, "  {cell:>width$}"),
            };
        }
        text += shown.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::{header, record};

    #[test]
    fn wrong_answers_come_first() {
        let records = [
            record("a", Some(true), Answer::True),
            record("b", Some(false), Answer::False),
            record("c", Some(false), Answer::True),
            record("d", Some(true), Answer::Unknown("timeout".into())),
            record("e", None, Answer::False),
            Record { category: None, ..record("f", Some(true), Answer::Error("exit status 4".into())) },
        ];
        let text = table(&header(), &records);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "!!! 1 WRONG ANSWER");
        assert_eq!(lines[1], "!!! WRONG true, expected false: c (unreach-call, default)");
        assert_eq!(lines[3], "default");
        let cells = |line: &str| line.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        assert_eq!(cells(lines[5])[..8], ["-", "1", "0", "0", "0", "0", "1", "0"]);
        assert_eq!(cells(lines[6])[..8], ["Locks", "5", "4", "1", "2", "1", "1", "-29"]);
        assert_eq!(cells(lines[7])[8..], ["4.50", "9.00", "5", "1", "error,", "1", "timeout"]);
    }
}
