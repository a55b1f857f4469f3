//! A rule for each property: what dashboards say about it.

use crate::report::Report;
use crate::sarif::text;
use serde_json::{Value, json};

/// What there is to say of a property, besides its name.
struct Rule {
    name: &'static str,
    short: &'static str,
    full: &'static str,
    help: &'static str,
    /// Of the Common Weakness Enumeration.
    weakness: u32,
}

/// The rules of all properties that were asked for, one each.
pub fn rules(reports: &[&Report]) -> Vec<Value> {
    let mut properties: Vec<&str> = Vec::new();
    for report in reports {
        if !properties.contains(&report.property.as_str()) {
            properties.push(&report.property);
        }
    }
    properties.into_iter().map(descriptor).collect()
}

fn descriptor(property: &str) -> Value {
    let Rule { name, short, full, help, weakness } = rule(property);
    let mut tags = vec!["correctness".to_owned(), "concurrency".to_owned()];
    if weakness > 0 {
        tags.push(format!("external/cwe/cwe-{weakness}"));
    }
    json!({
        "id": property,
        "name": name,
        "shortDescription": text(short),
        "fullDescription": text(full),
        "help": { "text": format!("{help}\n\n{READ}"), "markdown": format!("{help}\n\n{READ}") },
        "defaultConfiguration": { "level": "error" },
        "properties": { "tags": tags, "precision": "very-high", "problem.severity": "error" },
    })
}

/// How to read what is found.
const READ: &str = "Every reported violation was replayed step by step. The code flow is the violating execution: a flow for each thread, \
                    with the values that the steps read and write, in the order of their numbers.";

fn rule(property: &str) -> Rule {
    match property {
        "unreach-call" => Rule {
            name: "UnreachCall",
            short: "No assertion fails and no error function is reached",
            full: "In every execution, with all inputs and all interleavings of the threads, no assertion fails and reach_error is not called.",
            help: "Follow the flow to the failed assertion. Where it depends on the interleaving, protect the accesses with a lock or make them atomic; otherwise an input is not handled.",
            weakness: 617,
        },
        "no-data-race" => Rule {
            name: "NoDataRace",
            short: "No data race",
            full: "No two threads access the same memory at the same time, one of them writing, unless both accesses are atomic.",
            help: "Protect both accesses with the same lock, or make them atomic.",
            weakness: 362,
        },
        "no-overflow" => Rule {
            name: "NoOverflow",
            short: "No signed overflow",
            full: "No operation on signed integers has a result that its type cannot hold.",
            help: "Check the operands before the operation, or use a wider or an unsigned type.",
            weakness: 190,
        },
        "valid-memsafety" => Rule {
            name: "ValidMemsafety",
            short: "Memory safety",
            full: "Every access is inside a live object, what is freed was allocated and not yet freed, and no allocated memory is lost.",
            help: "Check bounds and lifetimes of the object that is accessed.",
            weakness: 119,
        },
        "valid-memcleanup" => Rule {
            name: "ValidMemcleanup",
            short: "All memory is freed",
            full: "When the program ends, all memory that was allocated has been freed.",
            help: "Free what is allocated on every way to the end of the program.",
            weakness: 401,
        },
        "termination" => Rule {
            name: "Termination",
            short: "Every execution ends",
            full: "No execution of the program goes on forever.",
            help: "Look for a loop whose condition never becomes false.",
            weakness: 835,
        },
        "no-deadlock" => Rule {
            name: "NoDeadlock",
            short: "No deadlock",
            full: "No threads wait for each other forever.",
            help: "Acquire locks in the same order everywhere.",
            weakness: 833,
        },
        _ => Rule {
            name: "Property",
            short: "The property holds",
            full: "The property holds in every execution.",
            help: "Follow the flow to the violation.",
            weakness: 0,
        },
    }
}
