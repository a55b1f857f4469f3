//! Reads a witness, its own or another tool's. What is wrong is said with its line.

use crate::format::{
    Action, Constraint, Content, Contract, Entry, Invariant, InvariantKind, Item, Line, Location, Metadata, Producer,
    Segment, Task, Version, Waypoint, WaypointKind,
};
use crate::lint::lint;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;
use std::collections::BTreeMap;
use std::fmt;

/// Why a text is no witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// From 1; 0 if no line is to blame.
    pub line: u64,
    pub reason: String,
}

impl Problem {
    pub fn at(line: Line, reason: impl Into<String>) -> Problem {
        Problem { line: line.0, reason: reason.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.reason),
            line => write!(f, "line {line}: {}", self.reason),
        }
    }
}

/// The entries of a witness that breaks no rule; or the first problem.
pub fn read(text: &str) -> Result<Vec<Entry>, Problem> {
    let raw: Vec<Spanned<RawEntry>> = serde_saphyr::from_str(text).map_err(|error| malformed(&error))?;
    let entries = raw.into_iter().map(entry).collect::<Result<Vec<Entry>, Problem>>()?;
    match lint(&entries).into_iter().next() {
        Some(problem) => Err(problem),
        None => Ok(entries),
    }
}

/// The first line of what the parser says: the rest shows the text.
fn malformed(error: &serde_saphyr::Error) -> Problem {
    let words = error.without_snippet().to_string();
    let line = error.location().map_or(0, |location| location.line());
    Problem { line, reason: format!("this is no witness: {}", words.lines().next().unwrap_or_default()) }
}

#[derive(Deserialize)]
struct RawEntry {
    entry_type: Spanned<String>,
    metadata: RawMetadata,
    content: RawContent,
}

#[derive(Deserialize)]
struct RawMetadata {
    format_version: Spanned<String>,
    uuid: String,
    creation_time: String,
    producer: RawProducer,
    task: RawTask,
}

#[derive(Deserialize)]
struct RawProducer {
    name: String,
    version: String,
    configuration: Option<String>,
    command_line: Option<String>,
}

#[derive(Deserialize)]
struct RawTask {
    input_files: Spanned<Vec<String>>,
    input_file_hashes: BTreeMap<String, String>,
    specification: String,
    data_model: String,
    language: String,
}

/// A list; or the mapping of a `ghost_instrumentation`, which is read over.
enum RawContent {
    List(Vec<Spanned<RawItem>>),
    Mapping,
}

impl<'de> Deserialize<'de> for RawContent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = RawContent;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("the list of segments or invariants")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<RawContent, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = list.next_element()? {
                    items.push(item);
                }
                Ok(RawContent::List(items))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawContent, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(RawContent::Mapping)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// An element of a content: one of these, by the type of the entry.
#[derive(Deserialize)]
struct RawItem {
    segment: Option<Vec<RawStep>>,
    invariant: Option<RawInvariant>,
    contract: Option<RawContract>,
}

#[derive(Deserialize)]
struct RawStep {
    waypoint: Spanned<RawWaypoint>,
}

#[derive(Deserialize)]
struct RawWaypoint {
    #[serde(rename = "type")]
    kind: Spanned<String>,
    action: Spanned<String>,
    location: RawLocation,
    constraint: Option<RawConstraint>,
    thread_id: Option<u32>,
}

#[derive(Deserialize)]
struct RawLocation {
    file_name: String,
    line: u32,
    column: Option<u32>,
    function: Option<String>,
}

#[derive(Deserialize)]
struct RawConstraint {
    value: String,
    format: Option<String>,
}

#[derive(Deserialize)]
struct RawInvariant {
    #[serde(rename = "type")]
    kind: Spanned<String>,
    location: RawLocation,
    value: String,
    format: String,
}

#[derive(Deserialize)]
struct RawContract {
    location: RawLocation,
    requires: Option<String>,
    ensures: Option<String>,
    format: String,
}

fn line<T>(of: &Spanned<T>) -> Line {
    Line(of.referenced.line())
}

/// The kind that a word names.
fn named<T>(word: &Spanned<String>, of_name: fn(&str) -> Option<T>, what: &str) -> Result<T, Problem> {
    of_name(&word.value).ok_or_else(|| Problem::at(line(word), format!("`{}` is no {what}", word.value)))
}

fn entry(raw: Spanned<RawEntry>) -> Result<Entry, Problem> {
    let at = line(&raw);
    let RawEntry { entry_type, metadata: raw_metadata, content } = raw.value;
    let metadata = metadata(raw_metadata)?;
    let content = match (entry_type.value.as_str(), content) {
        ("violation_sequence", RawContent::List(items)) => {
            Content::Violation(items.into_iter().map(segment).collect::<Result<_, _>>()?)
        }
        ("invariant_set", RawContent::List(items)) => {
            Content::Invariants(items.into_iter().map(item).collect::<Result<_, _>>()?)
        }
        ("violation_sequence" | "invariant_set", RawContent::Mapping) => {
            return Err(Problem::at(at, format!("the content of a `{}` is a list", entry_type.value)));
        }
        ("ghost_instrumentation", _) => Content::Ghosts,
        (other, _) => return Err(Problem::at(line(&entry_type), format!("`{other}` is no entry type"))),
    };
    Ok(Entry { metadata, content, at })
}

fn metadata(raw: RawMetadata) -> Result<Metadata, Problem> {
    let of_name = |name: &str| Version::ALL.into_iter().find(|version| version.name() == name);
    let version = named(&raw.format_version, of_name, "version of the format (2.0, 2.1, 2.2)")?;
    let RawProducer { name, version: of, configuration, command_line } = raw.producer;
    let at = line(&raw.task.input_files);
    let mut input_files = Vec::new();
    for file in raw.task.input_files.value {
        let Some(hash) = raw.task.input_file_hashes.get(&file) else {
            return Err(Problem::at(at, format!("there is no hash of the input file {file}")));
        };
        input_files.push((file, hash.clone()));
    }
    Ok(Metadata {
        version,
        uuid: raw.uuid,
        creation_time: raw.creation_time,
        producer: Producer { name, version: of, configuration, command_line },
        task: Task {
            input_files,
            specification: raw.task.specification,
            data_model: raw.task.data_model,
            language: raw.task.language,
        },
    })
}

fn segment(raw: Spanned<RawItem>) -> Result<Segment, Problem> {
    let at = line(&raw);
    let Some(steps) = raw.value.segment else {
        return Err(Problem::at(at, "a `violation_sequence` is a list of `segment`s"));
    };
    let waypoints = steps.into_iter().map(|step| waypoint(step.waypoint)).collect::<Result<_, _>>()?;
    Ok(Segment { waypoints, at })
}

fn waypoint(raw: Spanned<RawWaypoint>) -> Result<Waypoint, Problem> {
    let at = line(&raw);
    let raw = raw.value;
    Ok(Waypoint {
        kind: named(&raw.kind, WaypointKind::of_name, "type of a waypoint")?,
        action: named(&raw.action, Action::of_name, "action of a waypoint")?,
        location: location(raw.location),
        constraint: raw.constraint.map(|RawConstraint { value, format }| Constraint { value, format }),
        thread_id: raw.thread_id,
        at,
    })
}

fn location(raw: RawLocation) -> Location {
    let RawLocation { file_name, line, column, function } = raw;
    Location { file_name, line, column, function }
}

fn item(raw: Spanned<RawItem>) -> Result<Item, Problem> {
    let at = line(&raw);
    match raw.value {
        RawItem { invariant: Some(raw), .. } => Ok(Item::Invariant(Invariant {
            kind: named(&raw.kind, InvariantKind::of_name, "type of an invariant")?,
            location: location(raw.location),
            value: raw.value,
            format: raw.format,
            at,
        })),
        RawItem { contract: Some(raw), .. } => {
            let RawContract { location: place, requires, ensures, format } = raw;
            Ok(Item::Contract(Contract { location: location(place), requires, ensures, format, at }))
        }
        _ => Err(Problem::at(at, "an `invariant_set` is a list of `invariant`s and `contract`s")),
    }
}
