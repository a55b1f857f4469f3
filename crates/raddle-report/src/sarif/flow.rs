//! An execution as a code flow: one thread flow for each thread; `executionOrder` is the number of the step in the whole execution.
//!
//! Steps that the violation depends on are essential, the others unimportant, so that viewers fold them. GitHub refuses a result with
//! more than 10,000 steps, and shows 1,000: of a long execution, the steps that matter most are told.

use crate::sarif::location::{Locations, is_known};
use crate::sarif::{no_link, text};
use crate::story::{Step, Story};
use crate::text::access;
use serde_json::{Map, Value, json};

/// So many steps are told.
const MOST_STEPS: usize = 5000;

pub fn code_flow(story: &Story, locations: &Locations) -> Value {
    let told = told(story);
    let left_out = story.omitted as usize + story.steps.len() - told.iter().filter(|told| **told).count();
    let flows = (0..story.threads.len()).filter_map(|thread| thread_flow(story, thread, &told, locations));
    let flows: Vec<Value> = flows.collect();
    let mut words =
        format!("{} steps, {} context switches", story.omitted as usize + story.steps.len(), story.switches);
    if left_out > 0 {
        words.push_str(&format!(" (not told: {left_out})"));
    }
    json!({ "message": text(&words), "threadFlows": flows })
}

/// Which steps are told, by position: those with a place, needed ones first, late ones first.
fn told(story: &Story) -> Vec<bool> {
    let mut told = vec![false; story.steps.len()];
    let of = |needed: bool| {
        let steps = story.steps.iter().enumerate().rev();
        steps.filter(move |(_, step)| step.needed == needed && is_known(&step.place)).map(|(at, _)| at)
    };
    of(true).chain(of(false)).take(MOST_STEPS).for_each(|at| told[at] = true);
    told
}

/// None for a thread without steps.
fn thread_flow(story: &Story, thread: usize, told: &[bool], locations: &Locations) -> Option<Value> {
    let about = story.threads.get(thread)?;
    let mut steps = Vec::new();
    let mut nesting: Vec<&str> = Vec::new();
    let mut locks: &[String] = &[];
    for (at, step) in story.steps.iter().enumerate().filter(|(_, step)| step.thread as usize == thread) {
        let level = nest(&mut nesting, &step.function);
        if told[at] {
            let is_last = at + 1 == story.steps.len();
            steps.push(location(step, at + 1, level, kinds(locks, &step.locks, is_last), locations));
        }
        locks = &step.locks;
    }
    if steps.is_empty() {
        return None;
    }
    let started = about.started_by.map_or(String::new(), |step| format!(", started by step {step}"));
    let words = format!("Thread {thread}: {}{started}", about.function);
    Some(json!({ "id": format!("thread {thread}"), "message": text(&words), "locations": steps }))
}

/// How deep a function is called: one that is left returns to where it was called from.
fn nest<'a>(nesting: &mut Vec<&'a str>, function: &'a str) -> usize {
    match nesting.iter().rposition(|caller| *caller == function) {
        Some(level) => nesting.truncate(level + 1),
        None => nesting.push(function),
    }
    nesting.len() - 1
}

/// SARIF's words for what a step does.
fn kinds(before: &[String], after: &[String], is_last: bool) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    if after.len() > before.len() {
        kinds.extend(["acquire", "lock"]);
    } else if after.len() < before.len() {
        kinds.extend(["release", "lock"]);
    }
    if is_last {
        kinds.push("danger");
    }
    kinds
}

fn location(step: &Step, number: usize, level: usize, kinds: Vec<&str>, locations: &Locations) -> Value {
    let mut location = locations.of(&step.place, &step.function);
    location["message"] = text(&no_link(&words(step)));
    let region = &mut location["physicalLocation"]["region"];
    if region["snippet"].is_null() && !step.source.is_empty() {
        region["snippet"] = text(&step.source);
    }
    let mut told = json!({
        "location": location,
        "executionOrder": number,
        "importance": if step.needed { "essential" } else { "unimportant" },
        "nestingLevel": level,
    });
    if !kinds.is_empty() {
        told["kinds"] = kinds.into();
    }
    let state = state(step);
    if !state.is_empty() {
        told["state"] = state.into();
    }
    told
}

/// What happened in a step; where nothing did, the statement.
fn words(step: &Step) -> String {
    let accesses = step.accesses.iter().filter(|access| access.needed || !step.needed).map(access);
    let all: Vec<String> = accesses.chain(step.notes.iter().cloned()).collect();
    match (all.is_empty(), step.source.is_empty()) {
        (false, _) => all.join("; "),
        (true, false) => step.source.clone(),
        (true, true) => format!("in {}", step.function),
    }
}

/// The values that a step leaves: of each name the last.
fn state(step: &Step) -> Map<String, Value> {
    step.accesses.iter().map(|access| (access.name.clone(), text(&access.value))).collect()
}
