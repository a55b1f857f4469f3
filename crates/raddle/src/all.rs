//! `--all`: every violation of the property, one after the other.
//!
//! When one is found, the Program is made anew without it: a race is a pair of places, any other violation the place where it happens. The list is complete when what is left of the property is proved.

use crate::args::VerifyArgs;
use crate::results::{self, Sources};
use crate::verify::conclude;
use raddle_engine::{Budget, Outcome, Schedule, Task, Telling};
use raddle_ir::{ANNOUNCED, Edge, Label, Place, Program, Property, VarId};
use raddle_passes::{Known, instrument};
use raddle_portfolio::{Strategy, Traits};
use raddle_report::Found;

/// More are not looked for.
const MOST: usize = 1_000;
/// Longer executions are told from both ends.
const MOST_STEPS: usize = 500_000;

/// What else is violated, after a first violation of a task; and whether that is all.
pub fn others(
    program: &Program,
    task: &Task,
    first: &Schedule,
    strategy: &Strategy,
    args: &VerifyArgs,
    sources: &Sources,
    budget: &Budget,
) -> (Vec<Found>, bool) {
    let mut found = Vec::new();
    let mut known: Vec<Known> = place_of(task, first).into_iter().collect();
    while !known.is_empty() && known.len() < MOST {
        let next = instrument(program.clone(), task.property(), &known);
        let next = Task::of(next, task.property(), task.memory_model());
        let traits = Traits::of(next.program());
        let mut schedule = match conclude(&next, strategy, &traits, args, budget).outcome {
            Outcome::Unsafe(schedule) => schedule,
            outcome => return (found, matches!(outcome, Outcome::Safe(_))),
        };
        let Ok((story, _)) = results::story(&next, &mut schedule, sources) else { break };
        let Some(place) = place_of(&next, &schedule).filter(|place| !known.contains(place)) else { break };
        known.push(place);
        found.push(Found { place: story.place, words: story.violation });
    }
    (found, false)
}

/// Where a violation is.
fn place_of(task: &Task, schedule: &Schedule) -> Option<Known> {
    let program = task.program();
    let trace = task.trace(schedule, Telling::Ends(MOST_STEPS)).ok()?;
    let mut steps = trace.steps.iter().filter_map(|step| {
        let edge: &Edge = &program.proc(step.proc).edges[step.edge?.index()];
        Some((step.thread, edge))
    });
    let (thread, last) = steps.clone().next_back()?;
    if task.property() != Property::NoDataRace {
        return Some(Known::At(last.span));
    }
    // The announcements that the access looked at, and the last one that was made.
    let is_announced = |var: VarId| program.var(var).name.starts_with(ANNOUNCED);
    let looked = |edge: &Edge| -> Vec<VarId> {
        let loaded = edge.labels.iter().filter_map(|label| match label {
            Label::Load { place: Place::Var(var), .. } if is_announced(*var) => Some(*var),
            _ => None,
        });
        loaded.collect()
    };
    let (_, second) = steps.clone().rfind(|(of, edge)| *of == thread && !looked(edge).is_empty())?;
    let vars = looked(second);
    let announces = |label: &Label| matches!(label, Label::Store { place: Place::Var(var), .. } if vars.contains(var));
    let (_, first) = steps.rfind(|(of, edge)| *of != thread && edge.labels.iter().any(announces))?;
    Some(Known::Race(first.span, second.span))
}
