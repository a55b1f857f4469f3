//! From a model and a total order of its nodes to a schedule that the interpreter can replay.
//!
//! Under TSO and PSO the interpreter has every store in the buffer first, also those that are no events here since nobody else can see them; such
//! private stores become visible as soon as they can.

use crate::encode::backend::Backend;
use crate::order::NodeId;
use crate::symbolic::event_graph::{BufferStep, EventGraph, Step};
use raddle_interp::{Action, Schedule, ScheduleStep};
use raddle_ir::{ExprId, ExprPool, MemoryModel};

/// The steps of each thread that the model takes, in program order, with their values.
struct Taken<'a> {
    steps: Vec<&'a Step>,
    next: usize,
    /// The handle that the interpreter will give to the thread: threads are numbered as they start.
    handle: Option<u32>,
    /// Its stores that are not visible yet, in program order, and the group of the next one.
    pending: Vec<Pending>,
    group: u32,
}

struct Pending {
    /// The node where it becomes visible; `None`: it is private.
    commit: Option<u32>,
    /// Stores of earlier groups become visible first.
    group: u32,
    address: Option<u64>,
}

impl Taken<'_> {
    /// The store becomes visible at the node, if it is there.
    fn commit(&mut self, node: u32, schedule: &mut Schedule) {
        if let Some(at) = self.pending.iter().position(|pending| pending.commit == Some(node)) {
            self.commit_at(at, schedule);
            self.commit_private(schedule);
        }
    }

    /// Objects were freed: pending stores to them are lost.
    fn lose(&mut self, graph: &EventGraph, freed: &[u64]) {
        let sizes = graph.dynamics.iter().filter(|(address, _)| freed.contains(address));
        for (start, size) in sizes {
            let within = |address: u64| (*start..start + size).contains(&address);
            self.pending.retain(|pending| !pending.address.is_some_and(within));
        }
    }

    fn commit_private(&mut self, schedule: &mut Schedule) {
        let model = schedule.memory_model;
        let can = |at: usize, pending: &[Pending]| {
            pending[at].commit.is_none()
                && match model {
                    MemoryModel::Pso => pending[at].group == pending[0].group,
                    _ => at == 0,
                }
        };
        while let Some(at) = (0..self.pending.len()).find(|at| can(*at, &self.pending)) {
            self.commit_at(at, schedule);
        }
    }

    fn commit_at(&mut self, at: usize, schedule: &mut Schedule) {
        self.pending.remove(at);
        schedule.steps.push(ScheduleStep::of(self.handle.unwrap_or(0), Action::Commit(at as u32)));
    }
}

/// The schedule up to the first error; `None` if there is none in the model.
pub fn schedule(
    graph: &EventGraph,
    pool: &ExprPool,
    solver: &mut dyn Backend,
    order: &[NodeId],
    memory_model: MemoryModel,
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
            Taken { steps, next: 0, handle: None, pending: Vec::new(), group: 0 }
        })
        .collect();
    threads.first_mut()?.handle = Some(0);
    let mut schedule = Schedule { memory_model, ..Schedule::default() };
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
        if let Some(node) = node
            && graph.nodes[node.index()].lane.is_some()
        {
            taken.commit(node.0, &mut schedule);
            continue;
        }
        let (mut begun, mut freed) = (Vec::new(), Vec::new());
        while let Some(step) = taken.steps.get(taken.next) {
            if let Some(of) = step.node
                && Some(NodeId(of)) != node
            {
                break;
            }
            taken.next += 1;
            schedule.steps.push(ScheduleStep {
                thread: handle,
                action: Action::Edge(step.edge),
                values: step.values.iter().map(|(source, value)| (*source, number(*value))).collect(),
            });
            if step.error {
                return Some(schedule);
            }
            begun.extend(step.starts);
            for what in &step.buffer {
                match what {
                    BufferStep::Separate => taken.group += 1,
                    BufferStep::Store { commits, address } => {
                        let commit = commits.iter().find(|(_, when)| number(*when) != 0).map(|(node, _)| *node);
                        let address = address.map(|address| number(address) as u64);
                        taken.pending.push(Pending { commit, group: taken.group, address });
                    }
                    BufferStep::Free(address) => freed.push(number(*address) as u64),
                }
            }
            taken.lose(graph, &freed);
            taken.commit_private(&mut schedule);
        }
        for other in threads.iter_mut().filter(|_| !freed.is_empty()) {
            other.lose(graph, &freed);
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
