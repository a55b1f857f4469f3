//! Which node is looked at next (`--search`).

use crate::config::Search;
use crate::graph::arg::NodeId;
use crate::model::Model;
use crate::model::threads::{At, Threads};
use raddle_ir::{Callee, Label, LocId, ProcId, Program};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

pub enum Waitlist {
    Bfs(VecDeque<NodeId>),
    Dfs(Vec<NodeId>),
    /// By the distance to an error; among equal ones the newest first.
    Err {
        heap: BinaryHeap<(Reverse<u32>, NodeId)>,
        distances: Vec<Vec<u32>>,
    },
}

/// No error is in reach.
const FAR: u32 = u32::MAX / 2;

impl Waitlist {
    pub fn new(search: Search, model: &Model) -> Self {
        match search {
            Search::Bfs => Waitlist::Bfs(VecDeque::new()),
            Search::Dfs => Waitlist::Dfs(Vec::new()),
            Search::Err => Waitlist::Err { heap: BinaryHeap::new(), distances: distances(model.program) },
        }
    }

    pub fn clear(&mut self) {
        match self {
            Waitlist::Bfs(list) => list.clear(),
            Waitlist::Dfs(list) => list.clear(),
            Waitlist::Err { heap, .. } => heap.clear(),
        }
    }

    pub fn push(&mut self, node: NodeId, threads: &Threads) {
        match self {
            Waitlist::Bfs(list) => list.push_back(node),
            Waitlist::Dfs(list) => list.push(node),
            Waitlist::Err { heap, distances } => {
                let of = |proc: ProcId, location: LocId| distances[proc.index()][location.index()];
                let all = threads.threads.iter().filter_map(|thread| match thread.at {
                    At::Location(location) => Some(of(thread.proc, location)),
                    At::Ended | At::Stopped => None,
                });
                heap.push((Reverse(all.min().unwrap_or(FAR)), node));
            }
        }
    }

    pub fn pop(&mut self) -> Option<NodeId> {
        match self {
            Waitlist::Bfs(list) => list.pop_front(),
            Waitlist::Dfs(list) => list.pop(),
            Waitlist::Err { heap, .. } => heap.pop().map(|(_, node)| node),
        }
    }
}

/// How many edges an error is away at least, by procedure and location; starting a thread counts as a step to its beginning.
fn distances(program: &Program) -> Vec<Vec<u32>> {
    let mut distances: Vec<Vec<u32>> = program.procs.iter().map(|proc| vec![FAR; proc.locations.len()]).collect();
    loop {
        let mut changed = false;
        for (i, proc) in program.procs.iter().enumerate() {
            for edge in proc.edges.iter().rev() {
                let mut best = distances[i][edge.target.index()];
                for label in &edge.labels {
                    match label {
                        Label::Error(_) => best = 0,
                        Label::Start { callee: Callee::Proc(callee), .. } => {
                            best = best.min(distances[callee.index()][program.proc(*callee).entry.index()]);
                        }
                        _ => {}
                    }
                }
                if best < FAR && best + 1 < distances[i][edge.source.index()] {
                    distances[i][edge.source.index()] = best + 1;
                    changed = true;
                }
            }
        }
        if !changed {
            return distances;
        }
    }
}
