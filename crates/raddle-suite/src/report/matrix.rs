//! Files of results, read and put together: a table of tasks by configurations.
//!
//! Files whose headers differ in the shard only are parts of one experiment. A configuration that several experiments have is told apart by the name of the
//! file. Within an experiment, the last record of a task counts: a run that was repeated replaces the one before.

use crate::record::{Header, Record};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Matrix {
    /// Versions of Raddle, without repetition.
    pub versions: Vec<String>,
    /// Seconds of CPU time; the longest where experiments differ.
    pub timeout: f64,
    pub memory: u64,
    pub configurations: Vec<Configuration>,
    /// By name, then by property.
    pub tasks: Vec<Task>,
    /// By configuration, and then by task.
    pub runs: Vec<Vec<Option<Record>>>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Configuration {
    pub name: String,
    pub options: Vec<String>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Task {
    pub name: String,
    pub property: String,
    pub category: String,
    pub expected: Option<bool>,
    pub traits: Map<String, Value>,
}

/// What tasks without a category are counted under.
const NO_CATEGORY: &str = "(none)";

impl Matrix {
    /// In the order of the alphabet.
    pub fn categories(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.tasks.iter().map(|t| t.category.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The runs of a configuration, those that there are.
    pub fn runs_of(&self, configuration: usize) -> impl Iterator<Item = &Record> {
        self.runs[configuration].iter().flatten()
    }
}

/// A file of results as it stands.
#[derive(Clone, Debug)]
pub struct ResultFile {
    pub path: PathBuf,
    pub header: Header,
    pub records: Vec<Record>,
}

pub fn read_matrix(paths: &[PathBuf]) -> Result<Matrix, String> {
    let files: Vec<ResultFile> = paths.iter().map(|p| read_file(p)).collect::<Result<_, _>>()?;
    Ok(assemble(files))
}

pub fn read_file(path: &Path) -> Result<ResultFile, String> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    parse(path, &text)
}

fn parse(path: &Path, text: &str) -> Result<ResultFile, String> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (_, first) = lines.next().ok_or_else(|| format!("{}: the file is empty", path.display()))?;
    let header = serde_json::from_str(first)
        .map_err(|e| format!("{}:1: the first line is no header of results: {e}", path.display()))?;
    let mut records = Vec::new();
    let mut lines = lines.peekable();
    while let Some((number, line)) = lines.next() {
        match serde_json::from_str(line) {
            Ok(record) => records.push(record),
            // The run that writes the file was stopped, or is writing now.
            Err(_) if lines.peek().is_none() && !text.ends_with('\n') => {}
            Err(e) => return Err(format!("{}:{}: no record: {e}", path.display(), number + 1)),
        }
    }
    Ok(ResultFile { path: path.to_owned(), header, records })
}

pub fn assemble(files: Vec<ResultFile>) -> Matrix {
    // The experiment of each file: its header without the shard, and the name of its first file.
    let mut experiments: Vec<(Header, String)> = Vec::new();
    let mut experiment_of = Vec::new();
    for file in &files {
        let header = Header { shard: None, ..file.header.clone() };
        let known = experiments.iter().position(|(h, _)| *h == header);
        experiment_of.push(known.unwrap_or(experiments.len()));
        if known.is_none() {
            let stem = file.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            experiments.push((header, stem));
        }
    }
    let mut results = Matrix::default();
    let mut index: HashMap<(usize, String), usize> = HashMap::new();
    for (e, (header, stem)) in experiments.iter().enumerate() {
        if !results.versions.contains(&header.raddle) {
            results.versions.push(header.raddle.clone());
        }
        results.timeout = results.timeout.max(header.timeout);
        results.memory = results.memory.max(header.memory);
        for (name, options) in &header.configurations {
            let shared = experiments
                .iter()
                .enumerate()
                .any(|(other, (h, _))| other != e && h.configurations.iter().any(|(n, _)| n == name));
            let shown = if shared { format!("{name}@{stem}") } else { name.clone() };
            index.entry((e, name.clone())).or_insert_with(|| {
                results
                    .configurations
                    .push(Configuration { name: unique(shown, &results.configurations), options: options.clone() });
                results.configurations.len() - 1
            });
        }
    }
    let mut cells: HashMap<(usize, String, String), Record> = HashMap::new();
    for (file, e) in files.into_iter().zip(experiment_of) {
        for record in file.records {
            let c = *index.entry((e, record.configuration.clone())).or_insert_with(|| {
                // The header should have named it.
                let name = unique(record.configuration.clone(), &results.configurations);
                results.configurations.push(Configuration { name, options: Vec::new() });
                results.configurations.len() - 1
            });
            cells.insert((c, record.task.clone(), record.property.clone()), record);
        }
    }
    tabulate(results, cells)
}

fn tabulate(mut results: Matrix, cells: HashMap<(usize, String, String), Record>) -> Matrix {
    let mut tasks: BTreeMap<(String, String), Task> = BTreeMap::new();
    let mut keys: Vec<_> = cells.keys().collect();
    keys.sort_unstable();
    for key in keys {
        let record = &cells[key];
        let task = tasks.entry((key.1.clone(), key.2.clone())).or_insert_with(|| Task {
            name: key.1.clone(),
            property: key.2.clone(),
            category: NO_CATEGORY.to_owned(),
            expected: None,
            traits: Map::new(),
        });
        if let Some(category) = &record.category {
            task.category.clone_from(category);
        }
        task.expected = task.expected.or(record.expected);
        for (name, value) in &record.traits {
            task.traits.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
    let place: HashMap<(String, String), usize> = tasks.keys().cloned().zip(0..).collect();
    results.tasks = tasks.into_values().collect();
    results.runs = vec![vec![None; results.tasks.len()]; results.configurations.len()];
    for ((c, task, property), record) in cells {
        results.runs[c][place[&(task, property)]] = Some(record);
    }
    results
}

fn unique(name: String, taken: &[Configuration]) -> String {
    let taken: HashSet<&str> = taken.iter().map(|c| c.name.as_str()).collect();
    if !taken.contains(name.as_str()) {
        return name;
    }
    (2..).map(|n| format!("{name}-{n}")).find(|n| !taken.contains(n.as_str())).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = r#"{"raddle":"1","configurations":[["a",["--engine","oc"]],["b",[]]],"timeout":5.0,"memory":1,"tasks":2,"set":"s"}"#;

    fn line(task: &str, configuration: &str, cpu: f64) -> String {
        format!(
            r#"{{"task":"{task}","property":"unreach-call","expected":true,"configuration":"{configuration}","answer":"true","cpu":{cpu},"wall":1,"memory":1}}"#
        )
    }

    fn file(name: &str, header: &str, lines: &[String]) -> ResultFile {
        parse(Path::new(name), &format!("{header}\n{}\n", lines.join("\n"))).expect("well-formed")
    }

    #[test]
    fn shards_are_one_experiment() {
        let shard = |i: usize| HEADER.replace("\"set\"", &format!("\"shard\":[{i},2],\"set\""));
        let results = assemble(vec![
            file("x1.jsonl", &shard(1), &[line("s.c", "a", 1.0), line("s.c", "b", 2.0)]),
            file("x2.jsonl", &shard(2), &[line("t.c", "a", 3.0)]),
        ]);
        assert_eq!(results.configurations.len(), 2);
        assert_eq!(results.tasks.len(), 2);
        assert_eq!(results.runs[0][1].as_ref().map(|r| r.cpu), Some(3.0));
        assert_eq!(results.runs[1][1], None);
    }

    #[test]
    fn experiments_are_told_apart_by_their_files() {
        let other = HEADER.replace("\"raddle\":\"1\"", "\"raddle\":\"2\"");
        let results = assemble(vec![
            file("old.jsonl", HEADER, &[line("s.c", "a", 1.0)]),
            file("dir/new.jsonl", &other, &[line("s.c", "a", 2.0)]),
        ]);
        let names: Vec<&str> = results.configurations.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["a@old", "b@old", "a@new", "b@new"]);
        assert_eq!(results.versions, ["1", "2"]);
    }

    #[test]
    fn the_last_record_counts() {
        let results = assemble(vec![file("x", HEADER, &[line("s.c", "a", 1.0), line("s.c", "a", 2.0)])]);
        assert_eq!(results.runs_of(0).map(|r| r.cpu).collect::<Vec<_>>(), [2.0]);
    }

    #[test]
    fn a_line_half_written_is_left_out() {
        let text = format!("{HEADER}\n{}\n{{\"task\":\"t", line("s.c", "a", 1.0));
        assert_eq!(parse(Path::new("x"), &text).expect("a run that was stopped").records.len(), 1);
    }

    #[test]
    fn errors_name_the_line() {
        let text = format!("{HEADER}\nnonsense\n{}\n", line("s.c", "a", 1.0));
        let error = parse(Path::new("x.jsonl"), &text).expect_err("nonsense");
        assert!(error.starts_with("x.jsonl:2: "), "{error}");
        assert!(parse(Path::new("x"), "").is_err());
        assert!(parse(Path::new("x"), "{}").is_err());
    }
}
