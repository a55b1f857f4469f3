//! A witness in the older format, version 1.0: an automaton as GraphML.
//!
//! A violation is a path: an edge for each waypoint, which says the line, the thread and what is assumed, and a node at the end that is the violation. A proof has a node for each invariant, which is
//! entered where its loop begins. It is made of the same data as the YAML, and written only.

use crate::format::{Content, Entry, Item, Location, Segment, Waypoint, WaypointKind};
use std::fmt::Write;

/// The attributes that are used: name, type, and what has them.
const KEYS: [(&str, &str, &str); 20] = [
    ("witness-type", "string", "graph"),
    ("sourcecodelang", "string", "graph"),
    ("producer", "string", "graph"),
    ("specification", "string", "graph"),
    ("programfile", "string", "graph"),
    ("programhash", "string", "graph"),
    ("architecture", "string", "graph"),
    ("creationtime", "string", "graph"),
    ("entry", "boolean", "node"),
    ("violation", "boolean", "node"),
    ("invariant", "string", "node"),
    ("invariant.scope", "string", "node"),
    ("startline", "int", "edge"),
    ("endline", "int", "edge"),
    ("assumption", "string", "edge"),
    ("assumption.scope", "string", "edge"),
    ("assumption.resultfunction", "string", "edge"),
    ("enterLoopHead", "boolean", "edge"),
    ("threadId", "string", "edge"),
    ("createThread", "string", "edge"),
];

/// The text of a witness. `called` is the function whose call ends at a place.
pub fn graphml(entry: &Entry, called: &dyn Fn(&Location) -> Option<String>) -> String {
    let mut out = Out { text: String::new(), called };
    out.text.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n");
    out.text.push_str("<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n");
    for (name, of, on) in KEYS {
        let _ = write!(out.text, " <key id=\"{name}\" attr.name=\"{name}\" attr.type=\"{of}\" for=\"{on}\"");
        match of {
            "boolean" => out.text.push_str(">\n  <default>false</default>\n </key>\n"),
            _ => out.text.push_str("/>\n"),
        }
    }
    out.text.push_str(" <graph edgedefault=\"directed\">\n");
    out.task(entry);
    match &entry.content {
        Content::Violation(segments) => out.violation(segments),
        Content::Invariants(items) => out.proof(items),
        Content::Ghosts => out.proof(&[]),
    }
    out.text + " </graph>\n</graphml>\n"
}

struct Out<'a> {
    text: String,
    called: &'a dyn Fn(&Location) -> Option<String>,
}

impl Out<'_> {
    fn data(&mut self, key: &str, value: &str) {
        let _ = writeln!(self.text, "   <data key=\"{key}\">{}</data>", escaped(value));
    }

    fn task(&mut self, entry: &Entry) {
        let (metadata, task) = (&entry.metadata, &entry.metadata.task);
        let is_violation = matches!(entry.content, Content::Violation(_));
        self.data("witness-type", if is_violation { "violation_witness" } else { "correctness_witness" });
        self.data("sourcecodelang", &task.language);
        self.data("producer", &format!("{} {}", metadata.producer.name, metadata.producer.version));
        self.data("specification", &task.specification);
        for (file, hash) in &task.input_files {
            self.data("programfile", file);
            self.data("programhash", hash);
        }
        self.data("architecture", if task.data_model == "ILP32" { "32bit" } else { "64bit" });
        self.data("creationtime", &metadata.creation_time);
    }

    fn node(&mut self, number: usize, data: &[(&str, &str)]) {
        let _ = writeln!(self.text, "  <node id=\"N{number}\">");
        data.iter().for_each(|(key, value)| self.data(key, value));
        self.text.push_str("  </node>\n");
    }

    fn edge(&mut self, from: usize, to: usize, data: &[(&str, String)]) {
        let _ = writeln!(self.text, "  <edge source=\"N{from}\" target=\"N{to}\">");
        data.iter().for_each(|(key, value)| self.data(key, value));
        self.text.push_str("  </edge>\n");
    }

    fn violation(&mut self, segments: &[Segment]) {
        self.node(0, &[("entry", "true")]);
        let waypoints = segments.iter().filter_map(|segment| segment.waypoints.last());
        let mut threads = 0;
        for (number, waypoint) in waypoints.enumerate() {
            let is_last = waypoint.kind == WaypointKind::Target;
            self.node(number + 1, if is_last { &[("violation", "true")] } else { &[] });
            let data = self.waypoint(waypoint, &mut threads);
            self.edge(number, number + 1, &data);
        }
    }

    fn waypoint(&self, waypoint: &Waypoint, threads: &mut u32) -> Vec<(&'static str, String)> {
        let line = waypoint.location.line.to_string();
        let mut data = vec![("startline", line.clone()), ("endline", line)];
        if let Some(thread) = waypoint.thread_id {
            data.push(("threadId", thread.to_string()));
        }
        match (waypoint.kind, &waypoint.constraint) {
            (WaypointKind::FunctionReturn, Some(constraint)) => {
                data.push(("assumption", format!("{};", constraint.value)));
                data.extend(waypoint.location.function.clone().map(|scope| ("assumption.scope", scope)));
                data.extend((self.called)(&waypoint.location).map(|name| ("assumption.resultfunction", name)));
            }
            (WaypointKind::FunctionEnter, _) => {
                *threads += 1;
                data.push(("createThread", threads.to_string()));
            }
            _ => {}
        }
        data
    }

    /// From every node, the next loop that begins leads to the node of its invariant.
    fn proof(&mut self, items: &[Item]) {
        let invariants = items.iter().filter_map(|item| match item {
            Item::Invariant(invariant) => Some(invariant),
            Item::Contract(_) => None,
        });
        let invariants: Vec<_> = invariants.collect();
        self.node(0, &[("entry", "true")]);
        for (number, invariant) in invariants.iter().enumerate() {
            let scope = invariant.location.function.as_deref().unwrap_or("main");
            self.node(number + 1, &[("invariant", &invariant.value), ("invariant.scope", scope)]);
        }
        for from in 0..=invariants.len() {
            for (number, invariant) in invariants.iter().enumerate() {
                let line = invariant.location.line.to_string();
                let data = [("enterLoopHead", "true".into()), ("startline", line.clone()), ("endline", line)];
                self.edge(from, number + 1, &data);
            }
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
