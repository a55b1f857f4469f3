//! What a thread may touch from a location on, calls and started threads included.
//!
//! Besides the plain answer there is one for each lock with a constant address: what may be touched *without taking that lock*. While a thread
//! holds the lock and does not move, that is all that the others can get at, so what is protected by a lock does
//! not look shared to the one who holds it.

use raddle_interp::machine::code::Code;
use raddle_ir::{Callee, Label, LockOp};

pub struct Futures {
    size: usize,
    rows: Vec<u64>,
    /// For each location: can the procedure come to its exit from there?
    leaves: Vec<bool>,
}

impl Futures {
    pub fn row(&self, location: u32) -> &[u64] {
        &self.rows[self.size * location as usize..self.size * (location as usize + 1)]
    }

    pub fn leaves(&self, location: u32) -> bool {
        self.leaves[location as usize]
    }

    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut [u64]> {
        self.rows.chunks_mut(self.size)
    }
}

/// The constant addresses of locks that the program takes, the most frequent ones first.
pub fn lock_addresses(code: &Code) -> Vec<u64> {
    let mut counts: std::collections::BTreeMap<u64, u32> = Default::default();
    for edge in &code.edges {
        for label in labels(code, edge) {
            if let Some(address) = taken(code, label) {
                *counts.entry(address).or_default() += 1;
            }
        }
    }
    let mut addresses: Vec<u64> = counts.keys().copied().collect();
    addresses.sort_by_key(|a| std::cmp::Reverse(counts[a]));
    addresses
}

fn labels<'p>(code: &Code<'p>, edge: &raddle_interp::machine::code::EdgeCode) -> &'p [Label] {
    &code.program.procs[edge.proc as usize].edges[edge.id.index()].labels
}

/// The lock that a label waits for.
fn taken(code: &Code, label: &Label) -> Option<u64> {
    match label {
        Label::Lock { op: LockOp::Acquire | LockOp::AcquireWrite | LockOp::AcquireShared, lock, .. } => {
            code.program.pool.as_const(*lock).map(|c| c.bits as u64)
        }
        _ => None,
    }
}

/// Unites two rows; did the first change?
pub fn join(row: &mut [u64], other: &[u64]) -> bool {
    let mut changed = false;
    for (a, b) in row.iter_mut().zip(other) {
        changed |= *a | b != *a;
        *a |= b;
    }
    changed
}

/// Solves the equations, given what each edge touches and what the end of each procedure touches (rows of `size` words), for a world in which nobody can take
/// the lock `without`.
pub fn solve(code: &Code, size: usize, edges: &[u64], ends: &[Vec<u64>], without: Option<u64>) -> Futures {
    let locations: usize = code.procs.iter().map(|p| p.locs.len()).sum();
    let mut futures = Futures { size, rows: vec![0; size * locations], leaves: vec![false; locations] };
    let functions: Vec<u32> = code.functions.values().copied().collect();
    let entry = |p: u32| (code.procs[p as usize].first_loc + code.procs[p as usize].entry) as usize;
    /// What an edge leads to besides its target.
    #[derive(Default)]
    struct Way {
        blocked: bool,
        started: Vec<usize>,
        called: Option<Vec<usize>>,
    }
    let ways: Vec<Way> = code
        .edges
        .iter()
        .map(|edge| {
            let mut way = Way::default();
            for label in labels(code, edge) {
                let callees = |callee: &Callee| match callee {
                    Callee::Proc(p) => vec![entry(p.0)],
                    Callee::Address(_) => functions.iter().map(|p| entry(*p)).collect(),
                };
                match label {
                    Label::Call { callee, .. } => way.called = Some(callees(callee)),
                    Label::Start { callee, .. } => way.started.extend(callees(callee)),
                    label => way.blocked |= without.is_some() && taken(code, label) == without,
                }
            }
            way
        })
        .collect();
    for (p, proc) in code.procs.iter().enumerate() {
        let exit = (proc.first_loc + proc.exit) as usize;
        join(&mut futures.rows[size * exit..size * (exit + 1)], &ends[p]);
        futures.leaves[exit] = true;
    }
    let mut from = vec![0; size];
    loop {
        let mut changed = false;
        for (i, edge) in code.edges.iter().enumerate().rev() {
            let way = &ways[i];
            if way.blocked {
                continue;
            }
            let first = code.procs[edge.proc as usize].first_loc;
            let (source, target) = ((first + edge.source) as usize, (first + edge.target) as usize);
            from.copy_from_slice(&edges[size * i..size * (i + 1)]);
            let called = way.called.iter().flatten();
            let returns = way.called.as_ref().is_none_or(|procs| procs.iter().any(|p| futures.leaves[*p]));
            let target = returns.then_some(&target);
            for next in way.started.iter().chain(called).chain(target) {
                join(&mut from, &futures.rows[size * next..size * (next + 1)]);
            }
            changed |= join(&mut futures.rows[size * source..size * (source + 1)], &from);
            if let Some(target) = target
                && futures.leaves[*target]
                && !futures.leaves[source]
            {
                futures.leaves[source] = true;
                changed = true;
            }
        }
        if !changed {
            return futures;
        }
    }
}
