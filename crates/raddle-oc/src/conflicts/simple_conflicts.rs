//! Conflicts that can be seen before solving (thesis 2, section 5.4, Algorithm 3).
//!
//! Which read-froms cannot be true together follows to a large part from program order alone. The solver would find out by
//! trying; told at the beginning, it never tries. The shapes are those of Figure 5.4:
//!
//! - a: two read-froms and program order make a cycle (or one read-from against program order);
//! - b: a write w' is ordered before w since it precedes a read of w (ws), but w precedes w';
//! - c: a read of w is ordered before w' since w precedes w' (fr), but w' precedes the read.
//!
//! b and c have the same reason whenever both apply: w, then w', then the read of w. Each of the two gaps is closed by program order or by
//! one more read-from; what has w' before the read by program order (or has both gaps closed by read-froms) counts as b, the others as c.
//! Two atomic read-modify-writes that read the same write are none of the three (they make a cycle of two fr); they are so frequent that they
//! are looked for as well.
//!
//! Two read-froms of one read are never combined: that they exclude each other is said more simply elsewhere. Conditional edges are not used.

use crate::order::{NodeId, OrderProblem, When, Write, WriteId};
use raddle_smt::SatLit;
use rustc_hash::{FxHashMap, FxHashSet};

/// What conflicts may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Literals in all clauses.
    pub literals: usize,
    /// Combinations looked at.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { literals: 200_000, steps: 100_000_000 }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Figure 5.4a.
    ReadFroms,
    /// Figure 5.4b.
    WriteSerialisation,
    /// Figure 5.4c.
    FromRead,
    /// Two read-modify-writes of one value.
    ReadModifyWrites,
    /// A cycle with several derived orders.
    Longer,
}

/// How many clauses there are of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Kinds {
    pub read_froms: usize,
    pub write_serialisation: usize,
    pub from_read: usize,
    pub read_modify_writes: usize,
    pub longer: usize,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Conflicts {
    /// Hold in every execution. None contains another.
    pub clauses: Vec<Vec<SatLit>>,
    pub by_kind: Kinds,
    /// No limit was reached.
    pub complete: bool,
}

/// The conflicts of Algorithm 3. `precedes` is the order that always holds: chains and unconditional edges, transitively.
pub fn simple_conflicts(
    problem: &OrderProblem,
    precedes: &dyn Fn(NodeId, NodeId) -> bool,
    limits: Limits,
) -> Conflicts {
    let reach = Reach::new(problem, precedes);
    let mut found = Found::new(problem, limits);
    against_program_order(problem, &reach, &mut found);
    let ordering = Ordering::new(problem, &reach, &found);
    two_read_froms(problem, &reach, &ordering, &mut found);
    read_modify_writes(problem, &mut found);
    // The cheaper clauses first: they make others superfluous, and they are worth more if a limit is reached.
    for more in 1..=2 {
        write_between(problem, &reach, &ordering, more, &mut found);
    }
    found.finish()
}

/// One read-from that cannot be: its read precedes its write, or another write always (if its guard holds) comes between.
fn against_program_order(problem: &OrderProblem, reach: &Reach, found: &mut Found) {
    for (index, rf) in problem.read_froms.iter().enumerate() {
        let (w, r) = (problem.writes[rf.write.index()], &problem.reads[rf.read.index()]);
        if rf.orders && reach.reaches(r.node, w.node) {
            found.add(Kind::ReadFroms, &[index], &[]);
        }
    }
    let by_cell = writes_by_cell(problem);
    for (index, rf) in problem.read_froms.iter().enumerate() {
        let (w, r) = (problem.writes[rf.write.index()], &problem.reads[rf.read.index()]);
        for (between, write) in writes_of_cell(problem, &by_cell[w.cell.index()]) {
            found.steps += 1;
            let before_read = reach.reaches(write.node, r.node) || r.own.contains(&between);
            if between != rf.write && write.node != r.node && before_read && reach.reaches(w.node, write.node) {
                found.add(Kind::WriteSerialisation, &[index], &[between]);
            }
        }
    }
}

/// Figure 5.4a: w to r, on to w', to r', on to w.
fn two_read_froms(problem: &OrderProblem, reach: &Reach, ordering: &Ordering, found: &mut Found) {
    for &(w, r, index) in &ordering.all {
        for chain in 0..reach.chains {
            for &(w2, r2, other) in ordering.after(reach, r, chain) {
                found.steps += 1;
                // Each pair is met twice: from both of its members.
                if other > index && reach.reaches(r2, w) && !same_read(problem, index, other) {
                    debug_assert!(reach.reaches(r, w2));
                    found.add(Kind::ReadFroms, &[index, other], &[]);
                }
            }
        }
        // There may be very many of these: the others shall have their share.
        if found.full() || found.literals >= found.limits.literals / 2 {
            found.cut = true;
            return;
        }
    }
}

/// Two nodes that read the same write and write themselves: neither can come first.
fn read_modify_writes(problem: &OrderProblem, found: &mut Found) {
    let written: FxHashMap<_, _> =
        problem.writes.iter().enumerate().map(|(i, w)| ((w.node, w.cell), WriteId(i as u32))).collect();
    let mut updates = vec![Vec::new(); problem.writes.len()];
    for (index, rf) in problem.read_froms.iter().enumerate() {
        let read = &problem.reads[rf.read.index()];
        // Without the order of w before both nodes, nothing follows.
        if let Some(&own) = written.get(&(read.node, read.cell))
            && rf.orders
            && own != rf.write
        {
            updates[rf.write.index()].push((index, own));
        }
    }
    for list in updates {
        for (i, &(first, first_write)) in list.iter().enumerate() {
            for &(second, second_write) in &list[i + 1..] {
                found.steps += 1;
                if first_write != second_write {
                    found.add(Kind::ReadModifyWrites, &[first, second], &[first_write, second_write]);
                }
            }
            if found.full() {
                return;
            }
        }
    }
}

/// Figures 5.4b and 5.4c with one or two more read-froms: w, then w', then the read of w.
fn write_between(problem: &OrderProblem, reach: &Reach, ordering: &Ordering, more: usize, found: &mut Found) {
    let mut of_cell = vec![Vec::new(); problem.cells as usize];
    for (index, rf) in problem.read_froms.iter().enumerate() {
        if !found.never(rf.lit) {
            of_cell[problem.writes[rf.write.index()].cell.index()].push(index);
        }
    }
    for (cell, writes) in writes_by_cell(problem).iter().enumerate() {
        for (between, write) in writes_of_cell(problem, writes) {
            // The read-froms that lead from a node to w', and from w' to a node, by that node.
            let mut to_write: FxHashMap<NodeId, Vec<usize>> = FxHashMap::default();
            let mut to_read: FxHashMap<NodeId, Vec<usize>> = FxHashMap::default();
            for &index in &of_cell[cell] {
                let rf = problem.read_froms[index];
                let (w, r) = (problem.writes[rf.write.index()], &problem.reads[rf.read.index()]);
                if between == rf.write || write.node == r.node {
                    continue;
                }
                let free_first = reach.reaches(w.node, write.node);
                let free_second = reach.reaches(write.node, r.node) || r.own.contains(&between);
                if usize::from(!free_first) + usize::from(!free_second) != more {
                    continue;
                }
                if !free_first && !to_write.contains_key(&w.node) {
                    let list = ordering.between(reach, w.node, write.node, found);
                    to_write.insert(w.node, list);
                }
                if !free_second && !to_read.contains_key(&r.node) {
                    let list = ordering.between(reach, write.node, r.node, found);
                    to_read.insert(r.node, list);
                }
                let fits = |found: &Found, other: usize| {
                    !same_read(problem, index, other) && !found.clash(rf.lit, problem.read_froms[other].lit)
                };
                match (free_first, free_second) {
                    (true, _) => {
                        for &other in to_read[&r.node].iter() {
                            if fits(found, other) {
                                found.add(Kind::FromRead, &[index, other], &[between]);
                            }
                        }
                    }
                    (false, true) => {
                        for &other in to_write[&w.node].iter() {
                            if fits(found, other) {
                                found.add(Kind::WriteSerialisation, &[index, other], &[between]);
                            }
                        }
                    }
                    (false, false) => {
                        for &first in to_write[&w.node].iter().filter(|f| fits(found, **f)).collect::<Vec<_>>() {
                            for &second in to_read[&r.node].iter() {
                                found.steps += 1;
                                if !same_read(problem, first, second) && fits(found, second) {
                                    found.add(Kind::WriteSerialisation, &[index, first, second], &[between]);
                                }
                            }
                            if found.full() {
                                return;
                            }
                        }
                    }
                }
                if found.full() {
                    return;
                }
            }
        }
    }
}

pub(crate) fn same_read(problem: &OrderProblem, a: usize, b: usize) -> bool {
    problem.read_froms[a].read == problem.read_froms[b].read
}

fn writes_by_cell(problem: &OrderProblem) -> Vec<Vec<WriteId>> {
    let mut by_cell = vec![Vec::new(); problem.cells as usize];
    for (i, write) in problem.writes.iter().enumerate() {
        by_cell[write.cell.index()].push(WriteId(i as u32));
    }
    by_cell
}

fn writes_of_cell<'a>(problem: &'a OrderProblem, ids: &'a [WriteId]) -> impl Iterator<Item = (WriteId, &'a Write)> {
    ids.iter().map(|w| (*w, &problem.writes[w.index()]))
}

/// The static order as a table: for each node and chain, the first node of the chain that is the node itself or comes after it.
pub(crate) struct Reach {
    pub chains: usize,
    /// Chain and position of a node.
    pub place: Vec<(usize, usize)>,
    first_after: Vec<u32>,
}

impl Reach {
    pub fn new(problem: &OrderProblem, precedes: &dyn Fn(NodeId, NodeId) -> bool) -> Reach {
        let mut place = vec![(0, 0); problem.nodes as usize];
        for (c, chain) in problem.chains.iter().enumerate() {
            for (position, node) in chain.iter().enumerate() {
                place[node.index()] = (c, position);
            }
        }
        let mut first_after = Vec::with_capacity(place.len() * problem.chains.len());
        for (n, home) in place.iter().enumerate() {
            let node = NodeId(n as u32);
            for (c, chain) in problem.chains.iter().enumerate() {
                let first = if c == home.0 { home.1 } else { chain.partition_point(|other| !precedes(node, *other)) };
                first_after.push(first as u32);
            }
        }
        Reach { chains: problem.chains.len(), place, first_after }
    }

    /// The first position on a chain that is this node or comes after it.
    pub fn first_after(&self, node: NodeId, chain: usize) -> usize {
        self.first_after[node.index() * self.chains + chain] as usize
    }

    /// Is `a` the same as `b`, or before it?
    pub fn reaches(&self, a: NodeId, b: NodeId) -> bool {
        let (chain, position) = self.place[b.index()];
        position >= self.first_after(a, chain)
    }
}

/// The node of the write, the node of the read, and the number of a read-from.
type Arrow = (NodeId, NodeId, usize);

/// The read-froms that give an order.
struct Ordering {
    all: Vec<Arrow>,
    /// By the chain of the write, in its order: positions, and the read-froms.
    by_chain: Vec<(Vec<usize>, Vec<Arrow>)>,
}

impl Ordering {
    fn new(problem: &OrderProblem, reach: &Reach, found: &Found) -> Ordering {
        let mut all = Vec::new();
        for (index, rf) in problem.read_froms.iter().enumerate() {
            if rf.orders && !found.never(rf.lit) {
                all.push((problem.writes[rf.write.index()].node, problem.reads[rf.read.index()].node, index));
            }
        }
        let mut by_chain = vec![(Vec::new(), Vec::new()); reach.chains];
        all.sort_by_key(|(w, _, index)| (reach.place[w.index()], *index));
        for &entry in &all {
            let (chain, position) = reach.place[entry.0.index()];
            by_chain[chain].0.push(position);
            by_chain[chain].1.push(entry);
        }
        Ordering { all, by_chain }
    }

    /// Those on a chain whose write is the node or comes after it.
    fn after(&self, reach: &Reach, node: NodeId, chain: usize) -> &[Arrow] {
        let first = reach.first_after(node, chain);
        let (positions, entries) = &self.by_chain[chain];
        &entries[positions.partition_point(|p| *p < first)..]
    }

    /// Those that lead from `a` to `b`.
    fn between(&self, reach: &Reach, a: NodeId, b: NodeId, found: &mut Found) -> Vec<usize> {
        let mut list = Vec::new();
        for chain in 0..reach.chains {
            let candidates = self.after(reach, a, chain);
            found.steps += candidates.len() as u64;
            list.extend(candidates.iter().filter(|(_, r, _)| reach.reaches(*r, b)).map(|(_, _, index)| *index));
        }
        list
    }
}

/// The clauses so far.
pub(crate) struct Found<'a> {
    problem: &'a OrderProblem,
    limits: Limits,
    clauses: Vec<(Vec<i32>, Kind)>,
    seen: FxHashSet<Vec<i32>>,
    /// Negated: the guards that follow from a read-from, by its literal.
    guards: FxHashMap<i32, Vec<i32>>,
    /// Literals of unit clauses, and pairs of binary ones (the smaller first).
    units: FxHashSet<i32>,
    pairs: FxHashSet<(i32, i32)>,
    literals: usize,
    pub steps: u64,
    /// Something was left out before the limits were reached.
    cut: bool,
}

impl<'a> Found<'a> {
    pub fn new(problem: &'a OrderProblem, limits: Limits) -> Found<'a> {
        let mut guards: FxHashMap<i32, Vec<i32>> = FxHashMap::default();
        for rf in &problem.read_froms {
            let both = [problem.writes[rf.write.index()].guard, problem.reads[rf.read.index()].guard];
            guards.entry(-rf.lit.0).or_default().extend(both.into_iter().flatten().map(|lit| -lit.0));
        }
        Found {
            problem,
            limits,
            guards,
            clauses: vec![],
            seen: FxHashSet::default(),
            units: FxHashSet::default(),
            pairs: FxHashSet::default(),
            literals: 0,
            steps: 0,
            cut: false,
        }
    }

    /// Was it found that the literal is false?
    pub fn never(&self, lit: SatLit) -> bool {
        self.units.contains(&-lit.0)
    }

    /// Was it found that not both are true?
    pub fn clash(&self, a: SatLit, b: SatLit) -> bool {
        self.pairs.contains(&pair(-a.0, -b.0))
    }

    pub fn full(&self) -> bool {
        self.literals >= self.limits.literals || self.steps >= self.limits.steps
    }

    /// Not all of these read-froms and (the guards of) writes. A guard that follows from one of the read-froms is left out: a read-from is only true if its
    /// write and its read are there.
    pub fn add(&mut self, kind: Kind, read_froms: &[usize], writes: &[WriteId]) {
        let mut clause: Vec<i32> = read_froms.iter().map(|rf| -self.problem.read_froms[*rf].lit.0).collect();
        for write in writes {
            let guard = self.problem.writes[write.index()].guard;
            if let Some(lit) = guard
                && !read_froms.iter().any(|rf| follows(self.problem, *rf, guard))
            {
                clause.push(-lit.0);
            }
        }
        self.add_clause(kind, clause);
    }

    pub fn add_clause(&mut self, kind: Kind, mut clause: Vec<i32>) {
        clause.sort_unstable();
        clause.dedup();
        let trivial = clause.iter().any(|lit| clause.binary_search(&-lit).is_ok());
        if trivial || self.full() || self.subsumed(&self.widened(&clause)) || self.seen.contains(&clause) {
            return;
        }
        match clause[..] {
            [one] => drop(self.units.insert(one)),
            [one, two] => drop(self.pairs.insert(pair(one, two))),
            _ => {}
        }
        self.literals += clause.len();
        self.seen.insert(clause.clone());
        self.clauses.push((clause, kind));
    }

    /// Does a known clause of one or two literals say as much?
    fn subsumed(&self, clause: &[i32]) -> bool {
        let later = |i: usize| clause[i + 1..].iter();
        clause.iter().any(|lit| self.units.contains(lit))
            || (0..clause.len()).any(|i| later(i).any(|other| self.pairs.contains(&pair(clause[i], *other))))
    }

    /// Is there a clause that says more?
    fn superfluous(&self, clause: &[i32]) -> bool {
        let wide = self.widened(clause);
        // A clause has a few literals; one with many would be left alone.
        let parts = if wide.len() <= 10 { 1..1u32 << wide.len() } else { 0..0 };
        parts.into_iter().any(|part| {
            let chosen = wide.iter().enumerate().filter(|(i, _)| part >> i & 1 == 1).map(|(_, lit)| *lit);
            let chosen: Vec<i32> = chosen.collect();
            chosen != clause && self.seen.contains(&chosen)
        })
    }

    /// A clause with the guards that follow from its read-froms: it says the same.
    fn widened(&self, clause: &[i32]) -> Vec<i32> {
        let guards = clause.iter().filter_map(|lit| self.guards.get(lit)).flatten();
        let mut wide: Vec<i32> = clause.iter().chain(guards).copied().collect();
        wide.sort_unstable();
        wide.dedup();
        wide
    }

    pub fn finish(self) -> Conflicts {
        let mut out = Conflicts { complete: !self.cut && !self.full(), ..Conflicts::default() };
        for (clause, kind) in &self.clauses {
            if self.superfluous(clause) {
                continue;
            }
            *match kind {
                Kind::ReadFroms => &mut out.by_kind.read_froms,
                Kind::WriteSerialisation => &mut out.by_kind.write_serialisation,
                Kind::FromRead => &mut out.by_kind.from_read,
                Kind::ReadModifyWrites => &mut out.by_kind.read_modify_writes,
                Kind::Longer => &mut out.by_kind.longer,
            } += 1;
            out.clauses.push(clause.iter().map(|lit| SatLit(*lit)).collect());
        }
        out
    }
}

/// Is the guard true if the read-from is?
pub(crate) fn follows(problem: &OrderProblem, rf: usize, guard: When) -> bool {
    let rf = problem.read_froms[rf];
    guard.is_none()
        || guard == problem.writes[rf.write.index()].guard
        || guard == problem.reads[rf.read.index()].guard
        || guard == Some(rf.lit)
}

fn pair(a: i32, b: i32) -> (i32, i32) {
    (a.min(b), a.max(b))
}

#[cfg(test)]
pub(crate) mod tests;
