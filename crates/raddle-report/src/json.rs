//! The reports of one call as JSON (`--format json`). `docs/schema/report-1.json` is the schema: what is there keeps its name and meaning
//! as long as the name of the schema stays; fields may be added. Source texts and automata, which the sources give again, are left out.

use crate::report::{Found, Proof, Reason, Report};
use crate::story::Story;
use serde::Serialize;
use serde_json::Value;

/// The name of the schema, with its version.
pub const SCHEMA: &str = "raddle-report/1";

#[derive(Serialize)]
struct Document<'a> {
    schema: &'a str,
    tool: Tool<'a>,
    verdict: &'a str,
    properties: Vec<OfProperty<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    version: &'a str,
}

#[derive(Serialize)]
struct OfProperty<'a> {
    property: &'a str,
    given: &'a str,
    verdict: &'a str,
    explanation: &'a str,
    reason: &'a Option<Reason>,
    proof: &'a Option<Proof>,
    story: &'a Option<Story>,
    #[serde(skip_serializing_if = "<[Found]>::is_empty")]
    others: &'a [Found],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    has_all: bool,
    statistics: &'a Value,
}

/// The verdict that sums all up, and the report of each property, with what the command line calls it.
pub fn json(verdict: &str, reports: &[(&str, &Report)], version: &str) -> String {
    let properties = reports.iter().map(|(given, report)| {
        let Report { verdict, property, explanation, reason, proof, story, others, has_all, statistics, .. } = report;
        OfProperty {
            property,
            given,
            verdict,
            explanation,
            reason,
            proof,
            story,
            others,
            has_all: *has_all,
            statistics,
        }
    });
    let tool = Tool { name: "Raddle", version };
    let document = Document { schema: SCHEMA, tool, verdict, properties: properties.collect() };
    // Texts, numbers and lists have a JSON form.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}
