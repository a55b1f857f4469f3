//! SARIF 2.1.0 (`--format sarif`), for code-scanning dashboards and editors: one run for a call, with a rule for each property.
//!
//! A violation is a result; its execution is a code flow with one thread flow for each thread. A proof is a run without results, not a
//! result of kind `pass`: GitHub shows every result as a problem. An unknown verdict is a notification of the tool, since it says
//! nothing about the program. Paths are relative to the root of the sources, and nothing depends on the machine.

mod flow;
mod location;
mod rules;

use crate::report::{Reason, Report};
use crate::story::Story;
use crate::text::capitalised;
use location::Locations;
use serde_json::{Value, json};
use std::path::Path;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Dashboards show so many places beside a result.
const MOST_INPUTS: usize = 50;
/// So many inputs are in the message.
const INPUTS_IN_WORDS: usize = 5;

/// What a SARIF file says besides the reports.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// Of Raddle.
    pub version: &'a str,
    pub exit_status: u8,
    /// The current folder, which the paths of places count from, and the root of the sources, which those of the file are to count from.
    pub folder: &'a Path,
    pub root: &'a Path,
}

/// The reports of one call, a property each.
pub fn sarif(reports: &[&Report], run: &Run) -> String {
    let locations = Locations::new(run.folder, run.root, reports);
    let rules = rules::rules(reports);
    let results: Vec<Value> =
        reports.iter().filter_map(|report| Some(result(report, report.story.as_ref()?, &rules, &locations))).collect();
    let verdicts: Vec<Value> = reports
        .iter()
        .map(|r| json!({ "property": r.property, "verdict": r.verdict, "explanation": r.explanation }))
        .collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Raddle",
                "semanticVersion": run.version,
                "version": run.version,
                "shortDescription": text("A model checker for multi-threaded C programs."),
                "rules": rules,
                "notifications": descriptors(reports),
            } },
            "invocations": [invocation(reports, run, &rules, &locations)],
            "originalUriBaseIds": { location::ROOT: {
                "description": text("The root of the repository, or the folder in which Raddle was run."),
            } },
            "artifacts": locations.artifacts(),
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": { "verdicts": verdicts },
        }],
    });
    format!("{document:#}\n")
}

fn text(words: &str) -> Value {
    json!({ "text": words })
}

/// Text for messages, where `[…](1)` would be a link.
fn no_link(words: &str) -> String {
    words.replace("](", "] (")
}

fn position(rules: &[Value], property: &str) -> Option<usize> {
    rules.iter().position(|rule| rule["id"] == property)
}

fn result(report: &Report, story: &Story, rules: &[Value], locations: &Locations) -> Value {
    // Dashboards refuse results without a place.
    let place = std::iter::once(&story.place).chain(story.steps.iter().rev().map(|step| &step.place));
    let place = place.into_iter().find(|place| location::is_known(place)).cloned().unwrap_or_default();
    let function = story.steps.last().map_or("", |step| step.function.as_str());
    let mut result = json!({
        "ruleId": report.property,
        "ruleIndex": position(rules, &report.property),
        "level": "error",
        "message": text(&message(story)),
        "locations": [locations.of(&place, function)],
        "partialFingerprints": {
            // The statement by its text: it is the same after other lines have moved it.
            "raddleStatement/v1": locations.fingerprint(&[&report.property, &story.violation, function], &place),
        },
        "codeFlows": [flow::code_flow(story, locations)],
    });
    let inputs = story.inputs.iter().take(MOST_INPUTS).enumerate();
    let related = inputs.filter(|(_, input)| location::is_known(&input.place)).map(|(number, input)| {
        let mut related = locations.of(&input.place, "");
        related["id"] = (number + 1).into();
        related["message"] = text(&no_link(&format!("{} = {}", input.source, input.value)));
        related
    });
    let related: Vec<Value> = related.collect();
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    result
}

/// What goes wrong, and the inputs that lead there, as links to their places.
fn message(story: &Story) -> String {
    let mut words = no_link(&capitalised(&story.violation));
    let threads = story.threads.len();
    if threads > 1 {
        let times = if story.switches == 1 { "once" } else { &format!("{} times", story.switches) };
        words.push_str(&format!(" in an execution of {threads} threads that switches {times} between them"));
    }
    let inputs: Vec<String> = story
        .inputs
        .iter()
        .take(INPUTS_IN_WORDS)
        .enumerate()
        .map(|(number, input)| {
            let words = format!("{} = {}", input.source, input.value);
            let words = words.replace(['[', ']', '\\'], "");
            if location::is_known(&input.place) { format!("[{words}]({})", number + 1) } else { words }
        })
        .collect();
    if !inputs.is_empty() {
        let more = if story.inputs.len() > INPUTS_IN_WORDS { ", …" } else { "" };
        words.push_str(&format!(", with {}{more}", inputs.join(", ")));
    }
    words + "."
}

fn invocation(reports: &[&Report], run: &Run, rules: &[Value], locations: &Locations) -> Value {
    let notification = |report: &&Report| {
        let reason = report.reason.as_ref()?;
        let hint = reason.hint.iter().map(|hint| format!("\n{hint}"));
        let words: String = std::iter::once(reason.words.clone()).chain(hint).collect();
        let mut notification = json!({
            "descriptor": { "id": reason.code },
            "level": if is_failure(reason) { "error" } else { "warning" },
            "message": text(&no_link(&words)),
            "associatedRule": { "id": report.property, "index": position(rules, &report.property) },
        });
        if let Some(place) = reason.place.as_ref().filter(|place| location::is_known(place)) {
            notification["locations"] = json!([locations.of(place, "")]);
        }
        Some(notification)
    };
    let reasons = || reports.iter().filter_map(|report| report.reason.as_ref());
    json!({
        "executionSuccessful": !reasons().any(is_failure),
        "exitCode": run.exit_status,
        "toolExecutionNotifications": reports.iter().filter_map(notification).collect::<Vec<_>>(),
    })
}

/// Did the run itself fail? Otherwise it did what it could, and has no answer.
fn is_failure(reason: &Reason) -> bool {
    matches!(reason.code.as_str(), "input-error" | "internal-error")
}

/// The codes of unknown verdicts that the run has.
fn descriptors(reports: &[&Report]) -> Vec<Value> {
    let mut codes: Vec<&str> = reports.iter().filter_map(|r| Some(r.reason.as_ref()?.code.as_str())).collect();
    codes.sort_unstable();
    codes.dedup();
    let descriptor = |code: &str| {
        let help = format!("`raddle explain {code}` says what it means and what to try.");
        json!({
            "id": code,
            "shortDescription": text(&format!("There is no verdict: unknown({code}).")),
            "fullDescription": text(&help),
            "help": text(&help),
        })
    };
    codes.into_iter().map(descriptor).collect()
}

#[cfg(test)]
mod tests;
