//! Files of results, read and put together: a table of tasks by configurations.
//!
//! Files whose headers differ in the shard only are parts of one experiment. A configuration that several experiments have is told apart by the name of the
//! file. Within an experiment, the last record of a run counts, also where several files have one.

use crate::error::Result;
use crate::record::{Header, Record};
use crate::results::{self, Results};
use crate::run::Configuration;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Matrix {
    /// Versions and builds of Raddle, without repetition.
    pub versions: Vec<String>,
    /// Seconds of CPU time; the longest where experiments differ.
    pub timeout: f64,
    pub memory: u64,
    pub configurations: Vec<Configuration>,
    /// By name, then by property.
    pub tasks: Vec<Task>,
    /// By configuration, and then by task.
    pub runs: Vec<Vec<Option<Record>>>,
    /// Records that are left out, because a later one of the same run counts.
    pub repeated: usize,
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

pub fn read_matrix(paths: &[PathBuf]) -> Result<Matrix> {
    let files = paths.iter().map(|path| Ok((path.clone(), results::read(path)?)));
    let matrix = assemble(files.collect::<Result<_>>()?);
    if matrix.repeated > 0 {
        results::warn_of_repeated(matrix.repeated, "all files together");
    }
    Ok(matrix)
}

pub fn assemble(files: Vec<(PathBuf, Results)>) -> Matrix {
    // The experiment of each file: its header without the shard, and the name of its first file.
    let mut experiments: Vec<(Header, String)> = Vec::new();
    let mut experiment_of = Vec::new();
    for (path, file) in &files {
        let header = Header { shard: None, ..file.header.clone() };
        let known = experiments.iter().position(|(h, _)| *h == header);
        experiment_of.push(known.unwrap_or(experiments.len()));
        if known.is_none() {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            experiments.push((header, stem));
        }
    }
    let mut results = Matrix::default();
    let mut index: HashMap<(usize, String), usize> = HashMap::new();
    for (e, (header, stem)) in experiments.iter().enumerate() {
        if !results.versions.contains(&header.version()) {
            results.versions.push(header.version());
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
    for ((_, file), e) in files.into_iter().zip(experiment_of) {
        for record in file.records {
            let c = *index.entry((e, record.configuration.clone())).or_insert_with(|| {
                // The header should have named it.
                let name = unique(record.configuration.clone(), &results.configurations);
                results.configurations.push(Configuration { name, options: Vec::new() });
                results.configurations.len() - 1
            });
            let before = cells.insert((c, record.task.clone(), record.property.clone()), record);
            results.repeated += usize::from(before.is_some());
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
    use crate::record::Answer;
    use crate::results::tests;

    /// Configurations `a` and `b`.
    fn header() -> Header {
        Header { configurations: vec![("a".into(), vec![]), ("b".into(), vec![])], ..tests::header() }
    }

    fn record(task: &str, configuration: &str, cpu: f64) -> Record {
        Record { configuration: configuration.into(), cpu, ..tests::record(task, Some(true), Answer::True) }
    }

    fn file(name: &str, header: Header, records: &[Record]) -> (PathBuf, Results) {
        (name.into(), Results { header, records: records.to_vec() })
    }

    #[test]
    fn shards_are_one_experiment() {
        let shard = |i: usize| Header { shard: Some((i, 2)), ..header() };
        let results = assemble(vec![
            file("x1.jsonl", shard(1), &[record("s.c", "a", 1.0), record("s.c", "b", 2.0)]),
            file("x2.jsonl", shard(2), &[record("t.c", "a", 3.0)]),
        ]);
        assert_eq!(results.configurations.len(), 2);
        assert_eq!(results.tasks.len(), 2);
        assert_eq!(results.runs[0][1].as_ref().map(|r| r.cpu), Some(3.0));
        assert_eq!(results.runs[1][1], None);
    }

    #[test]
    fn experiments_are_told_apart_by_their_files() {
        let other = Header { build: "b2".into(), ..header() };
        let results = assemble(vec![
            file("old.jsonl", header(), &[record("s.c", "a", 1.0)]),
            file("dir/new.jsonl", other, &[record("s.c", "a", 2.0)]),
        ]);
        let names: Vec<&str> = results.configurations.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["a@old", "b@old", "a@new", "b@new"]);
        assert_eq!(results.versions, ["1 (build b1)", "1 (build b2)"]);
    }

    #[test]
    fn the_last_record_counts() {
        let shard = |i: usize| Header { shard: Some((i, 2)), ..header() };
        let results = assemble(vec![
            file("x1", shard(1), &[record("s.c", "a", 1.0), record("t.c", "a", 1.0)]),
            file("x2", shard(2), &[record("s.c", "a", 2.0)]),
        ]);
        assert_eq!(results.runs_of(0).map(|r| r.cpu).collect::<Vec<_>>(), [2.0, 1.0]);
        assert_eq!(results.repeated, 1);
    }
}
