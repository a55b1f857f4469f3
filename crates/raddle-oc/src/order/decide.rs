//! Which read-from to decide next.

use super::saturate::Saturation;
use super::{NodeId, OrderProblem, ReadId};
use clap::ValueEnum;
use raddle_smt::SatLit;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decide {
    /// The SAT solver's own choice
    Solver,
    /// The closest write of the first read that is open: all chains side by side, the latest of the writes that precede it
    Closest,
    /// Along program order: the reads chain by chain, their sources as they come
    ProgramOrder,
    /// Along program order, which needs the least search on most tasks, and the closest write once there were many decisions
    #[default]
    Mixed,
}

/// So many decisions are many.
const MANY: u64 = 2000;

impl Decide {
    /// The way to decide after so many decisions.
    pub fn after(self, decisions: u64) -> Decide {
        match self {
            Decide::Mixed if decisions < MANY => Decide::ProgramOrder,
            Decide::Mixed => Decide::Closest,
            other => other,
        }
    }
}

/// The reads in the order in which they are decided.
pub fn reads_in_order(problem: &OrderProblem, decide: Decide) -> Vec<ReadId> {
    let mut place: Vec<(usize, usize)> = vec![(0, 0); problem.nodes as usize];
    for (chain, nodes) in problem.chains.iter().enumerate() {
        for (position, node) in nodes.iter().enumerate() {
            place[node.index()] = (chain, position);
        }
    }
    let key = |read: &ReadId| {
        let NodeId(node) = problem.reads[read.index()].node;
        let (chain, position) = place[node as usize];
        if decide == Decide::Closest { (position, chain) } else { (chain, position) }
    };
    let mut reads: Vec<ReadId> = (0..problem.reads.len() as u32).map(ReadId).collect();
    reads.sort_by_key(key);
    reads
}

/// The next read-from. `first` is the first read that may be without source.
pub fn next(
    order: &Saturation,
    decide: Decide,
    reads: &[ReadId],
    first: &mut usize,
    value: impl Fn(SatLit) -> Option<bool>,
) -> Option<SatLit> {
    if decide == Decide::Solver {
        return None;
    }
    while reads.get(*first).is_some_and(|read| !order.holding_of_read[read.index()].is_empty()) {
        *first += 1;
    }
    for read in &reads[(*first).min(reads.len())..] {
        let there = order.problem.reads[read.index()].guard.is_none_or(|guard| value(guard) == Some(true));
        if !there || !order.holding_of_read[read.index()].is_empty() {
            continue;
        }
        let open = order.lookup.sources(*read).iter().map(|source| source.rf).filter(|&rf| {
            let read_from = &order.problem.read_froms[rf as usize];
            let guard = order.problem.writes[read_from.write.index()].guard;
            value(read_from.lit).is_none() && guard.is_none_or(|guard| value(guard) != Some(false))
        });
        let best = match decide {
            Decide::Closest => open.max_by_key(|&rf| {
                let (w, r) = order.ends(rf);
                (order.clocks.precedes(w, r), order.clocks.count_before(w))
            }),
            _ => open.min(),
        };
        if let Some(rf) = best {
            return Some(order.problem.read_froms[rf as usize].lit);
        }
    }
    None
}
