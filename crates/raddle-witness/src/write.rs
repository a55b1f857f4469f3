//! A witness as YAML.
//!
//! The names and the nesting are those of the format; the order of the keys is the customary one.

use crate::format::{Content, Contract, Entry, Invariant, Item, Location, Metadata, Segment, Waypoint};
use serde::Serialize;
use std::collections::BTreeMap;

/// The text of a witness; or why there is none.
pub fn write(entries: &[Entry]) -> Result<String, String> {
    if let Some(problem) = crate::lint::lint(entries).first() {
        return Err(format!("this is no witness: {}", problem.reason));
    }
    if entries.iter().any(|entry| entry.content == Content::Ghosts) {
        return Err("ghost variables are read over, and cannot be written".into());
    }
    let entries: Vec<Out> = entries.iter().map(entry).collect();
    serde_saphyr::to_string(&entries).map_err(|error| error.to_string())
}

#[derive(Serialize)]
struct Out<'a> {
    entry_type: &'static str,
    metadata: OutMetadata<'a>,
    content: OutContent<'a>,
}

#[derive(Serialize)]
struct OutMetadata<'a> {
    format_version: &'static str,
    uuid: &'a str,
    creation_time: &'a str,
    producer: OutProducer<'a>,
    task: OutTask<'a>,
}

#[derive(Serialize)]
struct OutProducer<'a> {
    name: &'a str,
    version: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    configuration: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command_line: Option<&'a str>,
}

#[derive(Serialize)]
struct OutTask<'a> {
    input_files: Vec<&'a str>,
    input_file_hashes: BTreeMap<&'a str, &'a str>,
    specification: &'a str,
    data_model: &'a str,
    language: &'a str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum OutContent<'a> {
    Violation(Vec<OutSegment<'a>>),
    Invariants(Vec<OutItem<'a>>),
}

#[derive(Serialize)]
struct OutSegment<'a> {
    segment: Vec<OutStep<'a>>,
}

#[derive(Serialize)]
struct OutStep<'a> {
    waypoint: OutWaypoint<'a>,
}

#[derive(Serialize)]
struct OutWaypoint<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread_id: Option<u32>,
    location: OutLocation<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<OutConstraint<'a>>,
}

#[derive(Serialize)]
struct OutLocation<'a> {
    file_name: &'a str,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<&'a str>,
}

#[derive(Serialize)]
struct OutConstraint<'a> {
    value: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum OutItem<'a> {
    Invariant(OutInvariant<'a>),
    Contract(OutContract<'a>),
}

#[derive(Serialize)]
struct OutInvariant<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    location: OutLocation<'a>,
    value: &'a str,
    format: &'a str,
}

#[derive(Serialize)]
struct OutContract<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    location: OutLocation<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    requires: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ensures: Option<&'a str>,
    format: &'a str,
}

fn entry(entry: &Entry) -> Out<'_> {
    let (entry_type, content) = match &entry.content {
        Content::Violation(segments) => {
            ("violation_sequence", OutContent::Violation(segments.iter().map(segment).collect()))
        }
        Content::Invariants(items) => ("invariant_set", OutContent::Invariants(items.iter().map(item).collect())),
        Content::Ghosts => ("ghost_instrumentation", OutContent::Invariants(Vec::new())), // refused by `write`
    };
    Out { entry_type, metadata: metadata(&entry.metadata), content }
}

fn metadata(metadata: &Metadata) -> OutMetadata<'_> {
    let (producer, task) = (&metadata.producer, &metadata.task);
    OutMetadata {
        format_version: metadata.version.name(),
        uuid: &metadata.uuid,
        creation_time: &metadata.creation_time,
        producer: OutProducer {
            name: &producer.name,
            version: &producer.version,
            configuration: producer.configuration.as_deref(),
            command_line: producer.command_line.as_deref(),
        },
        task: OutTask {
            input_files: task.input_files.iter().map(|(file, _)| file.as_str()).collect(),
            input_file_hashes: task.input_files.iter().map(|(file, hash)| (file.as_str(), hash.as_str())).collect(),
            specification: &task.specification,
            data_model: &task.data_model,
            language: &task.language,
        },
    }
}

fn segment(segment: &Segment) -> OutSegment<'_> {
    OutSegment { segment: segment.waypoints.iter().map(|of| OutStep { waypoint: waypoint(of) }).collect() }
}

fn waypoint(waypoint: &Waypoint) -> OutWaypoint<'_> {
    OutWaypoint {
        kind: waypoint.kind.name(),
        action: waypoint.action.name(),
        thread_id: waypoint.thread_id,
        location: location(&waypoint.location),
        constraint: waypoint
            .constraint
            .as_ref()
            .map(|of| OutConstraint { value: &of.value, format: of.format.as_deref() }),
    }
}

fn location(location: &Location) -> OutLocation<'_> {
    OutLocation {
        file_name: &location.file_name,
        line: location.line,
        column: location.column,
        function: location.function.as_deref(),
    }
}

fn item(item: &Item) -> OutItem<'_> {
    match item {
        Item::Invariant(Invariant { kind, location: at, value, format, .. }) => {
            OutItem::Invariant(OutInvariant { kind: kind.name(), location: location(at), value, format })
        }
        Item::Contract(Contract { location: at, requires, ensures, format, .. }) => OutItem::Contract(OutContract {
            kind: "function_contract",
            location: location(at),
            requires: requires.as_deref(),
            ensures: ensures.as_deref(),
            format,
        }),
    }
}
