//! Files of results: reading them, and appending to them so that nothing is lost.
//!
//! A record is one write of one whole line. If a run is cut off at any point, all lines but the last are whole, and the last is repaired when
//! the run is resumed. Of several records of one task and configuration, the last counts: a run that was repeated replaces the one before.

use crate::console;
use crate::error::{Error, Result, bail};
use crate::record::{Header, Record};
use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    pub header: Header,
    pub records: Vec<Record>,
}

/// The results so far. A last line that is cut off is left out: another process may be writing it.
pub fn read(path: &Path) -> Result<Results> {
    let text = std::fs::read(path).map_err(|e| Error::of_file("read", path, e))?;
    match parse(&text, path)? {
        (Some(results), _) => Ok(results),
        (None, _) => bail!("{} is no file of results: its first line is no header", path.display()),
    }
}

/// How far the text is whole, and what it says up to there. `None`: not even the header is whole.
fn parse(text: &[u8], path: &Path) -> Result<(Option<Results>, usize)> {
    let mut whole = 0;
    let mut results: Option<Results> = None;
    for (number, line) in text.split_inclusive(|b| *b == b'\n').enumerate() {
        let parsed = match &mut results {
            _ if line.trim_ascii().is_empty() => Ok(()),
            None => serde_json::from_slice(line)
                .map_err(in_line)
                .and_then(checked_header)
                .map(|header| results = Some(Results { header, records: Vec::new() })),
            Some(results) => serde_json::from_slice(line)
                .map_err(in_line)
                .and_then(|record| checked_record(record, &results.header))
                .map(|record| results.records.push(record)),
        };
        match parsed {
            Ok(()) => whole += line.len(),
            Err(_) if !line.ends_with(b"\n") => break,
            Err(reason) if results.is_none() => {
                bail!("{} is no file of results (line {}: {reason})", path.display(), number + 1)
            }
            Err(_) if serde_json::from_slice::<Header>(line).is_ok() => bail!(
                "{}, line {} is the header of another file: shards are put together with `suite merge`",
                path.display(),
                number + 1
            ),
            Err(reason) => bail!("{}, line {}: {reason}", path.display(), number + 1),
        }
    }
    if let Some(results) = &mut results {
        let repeated = keep_last(&mut results.records);
        if repeated > 0 {
            warn_of_repeated(repeated, &path.display().to_string());
        }
    }
    Ok((results, whole))
}

/// The parser counts lines within the line.
fn in_line(error: serde_json::Error) -> String {
    let text = error.to_string();
    text.split_once(" at line ").map_or(text.clone(), |(what, _)| format!("{what} (column {})", error.column()))
}

/// More than any clock tells, and little enough to add up and to draw.
const LONGEST: f64 = 1e20;

fn checked_time(what: &str, seconds: f64) -> std::result::Result<(), String> {
    let possible = (0.0..=LONGEST).contains(&seconds);
    if possible { Ok(()) } else { Err(format!("{what} is {seconds:?} seconds, which cannot be")) }
}

fn checked_header(header: Header) -> std::result::Result<Header, String> {
    checked_time("the time limit", header.timeout)?;
    if header.configurations.is_empty() {
        return Err("there are no configurations".into());
    }
    let mut names = HashSet::new();
    match header.configurations.iter().find(|(name, _)| !names.insert(name)) {
        Some((name, _)) => Err(format!("two configurations have the name {name}")),
        None => Ok(header),
    }
}

fn checked_record(record: Record, header: &Header) -> std::result::Result<Record, String> {
    checked_time("the CPU time", record.cpu)?;
    checked_time("the wall-clock time", record.wall)?;
    if header.configurations.iter().all(|(name, _)| *name != record.configuration) {
        return Err(format!("the header has no configuration {}", record.configuration));
    }
    Ok(record)
}

/// Of several records of a run, the last; in the order of the first ones. Returns how many are left out.
fn keep_last(records: &mut Vec<Record>) -> usize {
    let before = records.len();
    let mut places: HashMap<(String, String, String), usize> = HashMap::new();
    let mut kept: Vec<Record> = Vec::with_capacity(before);
    for record in records.drain(..) {
        let key = (record.task.clone(), record.property.clone(), record.configuration.clone());
        match places.get(&key) {
            Some(place) => kept[*place] = record,
            None => {
                places.insert(key, kept.len());
                kept.push(record);
            }
        }
    }
    *records = kept;
    before - records.len()
}

pub fn warn_of_repeated(records: usize, place: &str) {
    let (records, are) = if records == 1 { ("1 record".into(), "is") } else { (format!("{records} records"), "are") };
    console::note(format_args!(
        "warning: {place}: {records} {are} left out, because a later one of the same run counts"
    ));
}

/// A file of results that grows. No other process can append to it meanwhile.
#[derive(Debug)]
pub struct Appender {
    file: File,
    /// `None`: the file system knows no locks.
    _lock: Option<Flock<File>>,
    path: PathBuf,
    /// Bytes that are surely written, if the file is one that can be cut off.
    length: Option<u64>,
}

impl Appender {
    fn of(file: File, path: &Path, length: Option<u64>) -> Result<Appender> {
        let lock = lock(&file, path)?;
        Ok(Appender { file, _lock: lock, path: path.to_path_buf(), length })
    }

    /// A new file. Devices and pipes may exist.
    pub fn create(path: &Path, header: &Header) -> Result<Appender> {
        let device = std::fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir());
        let file = OpenOptions::new().write(true).create_new(!device).open(path).map_err(|e| match e.kind() {
            std::io::ErrorKind::AlreadyExists => {
                Error(format!("{} exists: resume that run with --resume, or choose another --output", path.display()))
            }
            _ => Error::of_file("write", path, e),
        })?;
        let mut appender = Appender::of(file, path, (!device).then_some(0))?;
        if let Err(error) = appender.line(header) {
            // A file without a header is of no use, and would be in the way of the next attempt.
            if !device {
                let _ = std::fs::remove_file(path);
            }
            return Err(error);
        }
        Ok(appender)
    }

    /// Goes on where a run of the same experiment ended, and returns its records. A file that does not exist is created.
    pub fn resume(path: &Path, header: &Header) -> Result<(Appender, Vec<Record>)> {
        if !path.exists() {
            return Ok((Appender::create(path, header)?, Vec::new()));
        }
        let fail = |e| Error::of_file("resume", path, e);
        let file = OpenOptions::new().read(true).write(true).open(path).map_err(fail)?;
        let mut appender = Appender::of(file, path, None)?;
        let mut text = Vec::new();
        appender.file.read_to_end(&mut text).map_err(fail)?;
        let (results, whole) = parse(&text, path)?;
        if results.is_none() && !is_start_of_header(&text) {
            bail!("{} is no file of results: choose another --output", path.display());
        }
        if let Some(results) = &results {
            let differences = differences(&results.header, header);
            if !differences.is_empty() {
                bail!("{} is of another run: {}. Choose another --output", path.display(), differences.join("; "));
            }
        }
        appender.file.set_len(whole as u64).map_err(fail)?;
        appender.file.seek(SeekFrom::End(0)).map_err(fail)?;
        appender.length = Some(whole as u64);
        let Some(results) = results else {
            appender.line(header)?;
            return Ok((appender, Vec::new()));
        };
        if text[..whole].last() != Some(&b'\n') {
            appender.write(b"\n")?;
        }
        Ok((appender, results.records))
    }

    pub fn append(&mut self, record: &Record) -> Result<()> {
        self.line(record)
    }

    fn line(&mut self, value: &impl Serialize) -> Result<()> {
        let mut line = serde_json::to_vec(value).map_err(|e| Error::of_file("write", &self.path, e))?;
        line.push(b'\n');
        self.write(&line)
    }

    /// `File` has no buffer: the line is one write to the system, and then it survives the end of this process.
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let written = self.file.write_all(bytes);
        if let Some(length) = &mut self.length {
            match written {
                Ok(()) => *length += bytes.len() as u64,
                // Part of the line may be there (the disk is full). What this leaves is repaired by `resume`.
                Err(_) => {
                    let _ = self.file.set_len(*length);
                }
            }
        }
        written.map_err(|e| Error::of_file("write", &self.path, e))
    }
}

/// What a run leaves that is cut off in its first line. Any other file is not ours to overwrite.
fn is_start_of_header(text: &[u8]) -> bool {
    const START: &[u8] = b"{\"raddle\":";
    let text = text.trim_ascii();
    text.starts_with(START) || START.starts_with(text)
}

fn lock(file: &File, path: &Path) -> Result<Option<Flock<File>>> {
    let Ok(same) = file.try_clone() else { return Ok(None) };
    match Flock::lock(same, FlockArg::LockExclusiveNonblock) {
        Ok(lock) => Ok(Some(lock)),
        Err((_, Errno::EWOULDBLOCK)) => bail!("another run is writing {}", path.display()),
        Err(_) => Ok(None),
    }
}

/// Writes all at once: a file of this name holds all, or does not exist.
pub fn write(path: &Path, results: &Results) -> Result<()> {
    let mut appender = Appender::create(path, &results.header)?;
    for record in &results.records {
        if let Err(error) = appender.append(record) {
            let _ = std::fs::remove_file(path);
            return Err(error);
        }
    }
    Ok(())
}

/// In which ways two experiments differ, in words.
pub fn differences(there: &Header, here: &Header) -> Vec<String> {
    let mut differences = Vec::new();
    let mut compare = |what: &str, there: String, here: String| {
        if there != here {
            differences.push(format!("{what} {there} there, {here} here"));
        }
    };
    let configurations = |header: &Header| {
        let one =
            |(name, options): &(String, Vec<String>)| format!("{name}={}", crate::words::quote(&options.join(" ")));
        header.configurations.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let shard = |header: &Header| header.shard.map_or("all tasks".into(), |(part, of)| format!("shard {part}/{of}"));
    compare("Raddle is", there.version(), here.version());
    compare("configurations are", configurations(there), configurations(here));
    compare("the time limit is", format!("{}s", there.timeout), format!("{}s", here.timeout));
    compare("the memory limit is", format!("{}B", there.memory), format!("{}B", here.memory));
    compare("the number of tasks is", there.tasks.to_string(), here.tasks.to_string());
    if there.tasks == here.tasks {
        compare("tasks, their order or verdicts differ: the hash is", there.set.clone(), here.set.clone());
    }
    compare("it has", shard(there), shard(here));
    differences
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::record::Answer;

    pub fn header() -> Header {
        Header {
            raddle: "1".into(),
            build: "b1".into(),
            configurations: vec![("default".into(), vec![])],
            timeout: 60.0,
            memory: 8,
            tasks: 3,
            set: "00".into(),
            shard: None,
        }
    }

    pub fn record(task: &str, expected: Option<bool>, answer: Answer) -> Record {
        Record {
            task: task.into(),
            position: 0,
            property: "unreach-call".into(),
            category: Some("Locks".into()),
            expected,
            configuration: "default".into(),
            answer,
            cpu: 1.5,
            wall: 2.0,
            memory: 5_000_000,
            step: None,
            traits: Default::default(),
        }
    }

    /// A path that no other test has.
    fn scratch(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("raddle-results-{}-{name}.jsonl", std::process::id()))
    }

    #[test]
    fn cut_off_anywhere_whole_lines_stay() {
        let path = scratch("cut");
        let records = [record("a", Some(true), Answer::True), record("b", None, Answer::Unknown("timeout".into()))];
        write(&path, &Results { header: header(), records: records.to_vec() }).unwrap();
        let text = std::fs::read(&path).unwrap();
        for length in 0..=text.len() {
            std::fs::write(&path, &text[..length]).unwrap();
            let (mut appender, kept) = Appender::resume(&path, &header()).unwrap();
            assert_eq!(kept, records[..kept.len()]);
            for record in &records[kept.len()..] {
                appender.append(record).unwrap();
            }
            assert_eq!(std::fs::read(&path).unwrap(), text);
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn another_experiment_is_not_resumed() {
        let path = scratch("other");
        drop(Appender::create(&path, &header()).unwrap());
        let other = Header { timeout: 900.0, shard: Some((1, 2)), ..header() };
        let Error(message) = Appender::resume(&path, &other).unwrap_err();
        assert!(message.contains("the time limit is 60s there, 900s here"), "{message}");
        assert!(message.contains("all tasks there, shard 1/2 here"), "{message}");
        let Error(message) = Appender::resume(&path, &Header { build: "b2".into(), ..header() }).unwrap_err();
        assert!(
            message.contains("Raddle is 1 (build b1) there, 1 (build b2) here. Choose another --output"),
            "{message}"
        );
        assert!(Appender::create(&path, &header()).unwrap_err().0.contains("--resume"));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn what_is_no_file_of_results_is_not_overwritten() {
        let path = scratch("notes");
        for (text, ours) in
            [("notes", false), ("{\"a\": 1}", false), ("{\"raddle\":\"0.9", true), ("\n", true), ("", true)]
        {
            std::fs::write(&path, text).unwrap();
            assert_eq!(Appender::resume(&path, &header()).is_ok(), ours, "{text}");
            assert_eq!(read(&path).is_ok(), ours, "{text}");
            assert!(ours || std::fs::read_to_string(&path).unwrap() == text);
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn one_writer_at_a_time() {
        let path = scratch("lock");
        let _writer = Appender::create(&path, &header()).unwrap();
        assert!(Appender::resume(&path, &header()).unwrap_err().0.contains("another run is writing"));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_broken_line_in_the_middle_is_named() {
        let path = scratch("broken");
        std::fs::write(&path, format!("{}\nnonsense\n", serde_json::to_string(&header()).unwrap())).unwrap();
        assert!(read(&path).unwrap_err().0.contains("line 2"));
        std::fs::write(&path, "{}\n").unwrap();
        assert!(read(&path).is_err());
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn the_last_record_of_a_run_counts() {
        let path = scratch("twice");
        let wrong = record("a", Some(true), Answer::False);
        let other = Record { property: "termination".into(), ..wrong.clone() };
        let right = record("a", Some(true), Answer::True);
        let records = vec![wrong, other.clone(), right.clone()];
        write(&path, &Results { header: header(), records }).unwrap();
        assert_eq!(read(&path).unwrap().records, [right.clone(), other.clone()]);
        assert_eq!(Appender::resume(&path, &header()).unwrap().1, [right, other]);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn what_cannot_be_is_an_error_with_its_line() {
        let path = scratch("impossible");
        let good = record("a", None, Answer::True);
        let error_of = |header: &Header, record: &Record| {
            let text = [serde_json::to_string(header).unwrap(), "\r".into(), serde_json::to_string(record).unwrap()];
            std::fs::write(&path, text.join("\n") + "\r\n").unwrap();
            read(&path)
                .map_or_else(|Error(message)| message.split_once("line ").unwrap().1.to_string(), |_| String::new())
        };
        assert_eq!(error_of(&header(), &good), "");
        let negative = Record { cpu: -1.0, ..good.clone() };
        assert_eq!(error_of(&header(), &negative), "3: the CPU time is -1.0 seconds, which cannot be");
        let endless = Record { wall: 1e300, ..good.clone() };
        assert_eq!(error_of(&header(), &endless), "3: the wall-clock time is 1e300 seconds, which cannot be");
        let foreign = Record { configuration: "oc".into(), ..good.clone() };
        assert_eq!(error_of(&header(), &foreign), "3: the header has no configuration oc");
        let twice = Header { configurations: vec![("x".into(), vec![]), ("x".into(), vec![])], ..header() };
        assert_eq!(error_of(&twice, &good), "1: two configurations have the name x)");
        let none = Header { configurations: vec![], ..header() };
        assert_eq!(error_of(&none, &good), "1: there are no configurations)");
        let line = |value: &Header| serde_json::to_string(value).unwrap();
        std::fs::write(&path, format!("{}\n{}\n", line(&header()), line(&header()))).unwrap();
        assert!(read(&path).unwrap_err().0.contains("line 2 is the header of another file"));
        std::fs::write(&path, format!("{}\n{{\"task\": 3}}\n", serde_json::to_string(&header()).unwrap())).unwrap();
        assert!(
            read(&path).unwrap_err().0.ends_with("line 2: invalid type: integer `3`, expected a string (column 10)")
        );
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn full_disks_and_impossible_paths_are_errors() {
        assert!(Appender::create(Path::new("/dev/full"), &header()).unwrap_err().0.contains("No space left"));
        assert!(Appender::create(Path::new("/dev/null/x"), &header()).unwrap_err().0.contains("Not a directory"));
    }
}
