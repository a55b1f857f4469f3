//! From a model and a total order of its nodes to a schedule that the interpreter can replay.

use crate::backend::Backend;
use crate::event_graph::{EventGraph, Step};
use crate::order::NodeId;
use raddle_interp::{Schedule, ScheduleStep};
use raddle_ir::{ExprId, ExprPool};

/// The steps of each thread that the model takes, in program order, with their values.
struct Taken<'a> {
    steps: Vec<&'a Step>,
    next: usize,
    /// The handle that the interpreter will give to the thread: threads are numbered as they start.
    handle: Option<u32>,
}

/// The schedule up to the first error; `None` if there is none in the model.
pub fn schedule(
    graph: &EventGraph,
    pool: &ExprPool,
    solver: &mut dyn Backend,
    order: &[NodeId],
) -> Option<Schedule> {
    let mut number = |expr: ExprId| solver.value(pool, expr);
    let mut threads: Vec<Taken> = graph
        .threads
        .iter()
        .map(|thread| {
            let mut steps: Vec<&Step> = thread.steps.iter().filter(|step| number(step.guard) != 0).collect();
            // An atomic block that is not left is not entered either.
            let whole = steps.iter().rposition(|step| step.closes).map_or(0, |last| last + 1);
            steps.truncate(whole);
            Taken { steps, next: 0, handle: None }
        })
        .collect();
    threads.first_mut()?.handle = Some(0);
    let mut schedule = Schedule::default();
    let mut started = 1;
    // Steps without a node are taken as soon as the thread gets there.
    let mut open: Vec<(u32, Option<NodeId>)> = vec![(0, None)];
    let mut nodes = order.iter();
    loop {
        let (thread, node) = match open.pop() {
            Some(local) => local,
            None => match nodes.next() {
                Some(node) => (graph.nodes[node.index()].thread, Some(*node)),
                None => return None,
            },
        };
        let Some(taken) = threads.get_mut(thread as usize) else { continue };
        let Some(handle) = taken.handle else { continue };
        let mut begun = Vec::new();
        while let Some(step) = taken.steps.get(taken.next) {
            if let Some(of) = step.node
                && Some(NodeId(of)) != node
            {
                break;
            }
            taken.next += 1;
            schedule.steps.push(ScheduleStep {
                thread: handle,
                edge: Some(step.edge),
                havocs: step.havocs.iter().map(|(var, value)| (*var, number(*value))).collect(),
                choices: step.choices.iter().map(|value| number(*value)).collect(),
                ..ScheduleStep::default()
            });
            if step.error {
                return Some(schedule);
            }
            begun.extend(step.starts);
        }
        for child in begun {
            if let Some(child_taken) = threads.get_mut(child as usize) {
                child_taken.handle = Some(started);
                started += 1;
                open.push((child, None));
            }
        }
    }
}
