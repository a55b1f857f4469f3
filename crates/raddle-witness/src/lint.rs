//! The rules of the format: what a tool that checks witnesses may rely on.
//!
//! They are those of the published format, in the order of a witness: versions, metadata, segments, waypoints, invariants. What YAML cannot express (a word
//! that is no entry type) is refused by `read.rs` already.

use crate::format::{
    Action, Content, Entry, InvariantKind, Item, Line, Location, Metadata, Segment, Version, Waypoint, WaypointKind,
};
use crate::read::Problem;

/// Every rule that a witness breaks.
pub fn lint(entries: &[Entry]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let Some(first) = entries.first() else {
        return vec![Problem::at(Line(1), "a witness has at least one entry")];
    };
    let version = first.metadata.version;
    for entry in entries {
        let mut linter = Linter { version: entry.metadata.version, problems: &mut problems };
        if entry.metadata.version != version {
            let other = entry.metadata.version;
            linter.wrong(entry.at, format!("an entry of version {other} in a witness of version {version}"));
        }
        linter.metadata(&entry.metadata, entry.at);
        match &entry.content {
            Content::Violation(segments) => linter.violation(segments, entry.at),
            Content::Invariants(items) => items.iter().for_each(|item| linter.item(item)),
            Content::Ghosts if entry.metadata.version < Version::V2_1 => {
                linter.wrong(entry.at, "`ghost_instrumentation` is of version 2.1");
            }
            Content::Ghosts => {}
        }
    }
    let kinds = |wanted: fn(&Content) -> bool| entries.iter().filter(|entry| wanted(&entry.content)).count();
    let violations = kinds(|content| matches!(content, Content::Violation(_)));
    if violations > 1 || (violations == 1 && entries.len() > 1) {
        problems.push(Problem::at(first.at, "a `violation_sequence` is the only entry of its witness"));
    }
    problems
}

struct Linter<'a> {
    version: Version,
    problems: &'a mut Vec<Problem>,
}

impl Linter<'_> {
    fn wrong(&mut self, at: Line, reason: impl Into<String>) {
        self.problems.push(Problem { line: at.0, reason: reason.into() });
    }

    fn metadata(&mut self, metadata: &Metadata, at: Line) {
        if !is_uuid(&metadata.uuid) {
            self.wrong(at, format!("`{}` is no UUID", metadata.uuid));
        }
        if !is_timestamp(&metadata.creation_time) {
            let time = &metadata.creation_time;
            self.wrong(at, format!("`{time}` is no ISO 8601 time with a zone (as in 2025-01-31T12:00:00Z)"));
        }
        if metadata.producer.name.is_empty() || metadata.producer.version.is_empty() {
            self.wrong(at, "the producer has neither a name nor a version");
        }
        let task = &metadata.task;
        if task.input_files.is_empty() {
            self.wrong(at, "there is no input file");
        }
        for (file, hash) in &task.input_files {
            if hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                self.wrong(at, format!("the hash of {file} is no SHA-256 of 64 hexadecimal digits"));
            }
        }
        if !task.specification.contains("CHECK(") {
            self.wrong(at, "the specification is no `CHECK( init(main()), LTL(...) )`");
        }
        if !matches!(task.data_model.as_str(), "ILP32" | "LP64") {
            self.wrong(at, format!("the data model is ILP32 or LP64, not `{}`", task.data_model));
        }
        if task.language != "C" {
            self.wrong(at, format!("the language is C, not `{}`", task.language));
        }
    }

    fn violation(&mut self, segments: &[Segment], at: Line) {
        let Some(last) = segments.last() else {
            return self.wrong(at, "a violation has at least one segment");
        };
        segments.iter().for_each(|segment| self.segment(segment));
        let is_target = |waypoint: &&Waypoint| waypoint.kind == WaypointKind::Target;
        let has_cycle = segments.iter().flat_map(|s| &s.waypoints).any(|waypoint| waypoint.action == Action::Cycle);
        if !last.waypoints.iter().any(|waypoint| is_target(&waypoint)) && !has_cycle {
            self.wrong(last.at, "the last segment has no `target`");
        }
        for target in segments.iter().rev().skip(1).flat_map(|segment| &segment.waypoints).filter(is_target) {
            self.wrong(target.at, "a `target` stands before the last segment");
        }
        self.threads(segments);
    }

    /// A thread acts only after somebody made it. Which `function_enter` makes a thread only the program tells: each may.
    fn threads(&mut self, segments: &[Segment]) {
        let mut made = 0;
        for waypoint in segments.iter().flat_map(|segment| &segment.waypoints) {
            if let Some(thread) = waypoint.thread_id.filter(|thread| *thread > made) {
                self.wrong(waypoint.at, format!("no `function_enter` before this makes thread {thread}"));
            }
            if (waypoint.kind, waypoint.action) == (WaypointKind::FunctionEnter, Action::Follow) {
                made += 1;
            }
        }
    }

    fn segment(&mut self, segment: &Segment) {
        let Some((last, before)) = segment.waypoints.split_last() else {
            return self.wrong(segment.at, "a segment without waypoints");
        };
        if let Some(early) = before.iter().find(|waypoint| waypoint.action != Action::Avoid) {
            let reason = match last.action {
                Action::Avoid => "an `avoid` stands after the `follow` of its segment",
                _ => "a segment has one `follow`, not several",
            };
            self.wrong(early.at, reason);
        } else if last.action == Action::Avoid {
            self.wrong(last.at, "a segment without a `follow`");
        }
        segment.waypoints.iter().for_each(|waypoint| self.waypoint(waypoint));
    }

    fn waypoint(&mut self, waypoint: &Waypoint) {
        let (kind, at) = (waypoint.kind.name(), waypoint.at);
        self.location(&waypoint.location, at);
        if waypoint.thread_id.is_some() && self.version < Version::V2_2 {
            self.wrong(at, format!("`thread_id` in a witness of version {}, not 2.2", self.version));
        }
        if waypoint.action == Action::Cycle && self.version < Version::V2_1 {
            self.wrong(at, "`cycle` in a witness of version 2.0");
        }
        if waypoint.kind == WaypointKind::Target && waypoint.action != Action::Follow {
            self.wrong(at, "a `target` is followed");
        }
        match (waypoint.kind, &waypoint.constraint) {
            (WaypointKind::Target | WaypointKind::FunctionEnter, Some(_)) => {
                self.wrong(at, format!("a constraint on a `{kind}`, which has none"));
            }
            (WaypointKind::Target | WaypointKind::FunctionEnter, None) => {}
            (_, None) => self.wrong(at, format!("the `{kind}` has no constraint")),
            (WaypointKind::Branching, Some(constraint)) => {
                let value = constraint.value.as_str();
                if !matches!(value, "true" | "false" | "default") && value.parse::<i128>().is_err() {
                    self.wrong(at, format!("a `branching` goes to `true`, `false` or a case label, not `{value}`"));
                }
            }
            (kind, Some(constraint)) => {
                let format = constraint.format.as_deref().unwrap_or("c_expression");
                self.expression(kind, &constraint.value, format, at);
            }
        }
    }

    fn expression(&mut self, kind: WaypointKind, value: &str, format: &str, at: Line) {
        if value.trim().is_empty() {
            self.wrong(at, "an empty constraint");
        }
        let (is_result, version) = (kind == WaypointKind::FunctionReturn, self.version);
        let is_known = match format {
            "c_expression" => !is_result,
            "acsl_expression" => version == Version::V2_0,
            "ext_c_expression" => version > Version::V2_0 || is_result,
            _ => false,
        };
        if !is_known {
            let kind = kind.name();
            self.wrong(at, format!("the format of a `{kind}` in version {version} is not `{format}`"));
        }
        if value.contains("\\result") != is_result {
            self.wrong(at, "`\\result` is what a `function_return` speaks of, and nothing else");
        }
    }

    fn item(&mut self, item: &Item) {
        let (location, format, at) = match item {
            Item::Invariant(of) => (&of.location, &of.format, of.at),
            Item::Contract(of) => (&of.location, &of.format, of.at),
        };
        self.location(location, at);
        let transition = |kind| matches!(kind, InvariantKind::LoopTransition | InvariantKind::LocationTransition);
        match item {
            Item::Contract(_) if self.version < Version::V2_1 => self.wrong(at, "a contract is of version 2.1"),
            Item::Contract(of) if of.requires.is_none() && of.ensures.is_none() => {
                self.wrong(at, "a contract without `requires` and `ensures`");
            }
            Item::Invariant(of) if transition(of.kind) && self.version < Version::V2_1 => {
                self.wrong(at, format!("a `{}` is of version 2.1", of.kind.name()));
            }
            Item::Invariant(of) if of.value.trim().is_empty() => self.wrong(at, "an empty invariant"),
            _ => {}
        }
        let is_known = format == "c_expression" || (format == "ext_c_expression" && self.version > Version::V2_0);
        if !is_known {
            self.wrong(at, format!("an invariant of version {} has no format `{format}`", self.version));
        }
    }

    fn location(&mut self, location: &Location, at: Line) {
        if location.file_name.is_empty() {
            self.wrong(at, "a location without a file");
        }
        if location.line == 0 || location.column == Some(0) {
            self.wrong(at, "lines and columns are numbered from 1");
        }
    }
}

fn is_uuid(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

/// `2025-01-31T12:00:00`, perhaps with a fraction, and `Z` or `+01:00`.
fn is_timestamp(text: &str) -> bool {
    let is_shaped = |text: &str, shape: &str| {
        text.len() == shape.len()
            && text
                .bytes()
                .zip(shape.bytes())
                .all(|(is, as_)| if as_ == b'0' { is.is_ascii_digit() } else { is == as_ })
    };
    let Some((time, rest)) = text.split_at_checked(19) else { return false };
    let zone = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|digit: char| digit.is_ascii_digit()),
        None => rest,
    };
    let is_zone = zone == "Z" || ["+00:00", "-00:00", "+0000", "-0000"].iter().any(|shape| is_shaped(zone, shape));
    is_shaped(time, "0000-00-00T00:00:00") && is_zone
}
