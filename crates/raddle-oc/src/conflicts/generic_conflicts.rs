//! All potential cycles up to a bound (thesis 2, section 5.4, Definitions 17 and 18).
//!
//! The potential order is what could be derived if every read-from were true; each part of it has a reason: the read-froms and guards that it
//! needs. A cycle whose reason has few read-froms is a conflict clause (Theorem 5). Where `simple_conflicts` looks for fixed
//! shapes, this file derives: edges are the read-froms and what Axioms 5 and 6 make of paths, and paths are edges joined by program order. Reasons with
//! more than `bound` read-froms are dropped, and whatever holds a smaller reason already known for the same. The number of paths grows with the
//! power of the bound, so that limits are often reached; bounds are therefore tried from 1 upwards, and the short clauses are there first.

use crate::conflicts::simple_conflicts::{Conflicts, Found, Kind, Limits, Reach, follows, same_read};
use crate::order::{NodeId, OrderProblem, WriteId};
use raddle_smt::SatLit;
use rustc_hash::FxHashMap;

/// The conflicts whose reason has at most `bound` read-froms. `precedes`: as for `simple_conflicts`.
pub fn generic_conflicts(
    problem: &OrderProblem,
    precedes: &dyn Fn(NodeId, NodeId) -> bool,
    bound: usize,
    limits: Limits,
) -> Conflicts {
    let reach = Reach::new(problem, precedes);
    let found = Found::new(problem, limits);
    let mut search = Search { problem, reach, found, edges: vec![], by_main: vec![], by_chain: vec![] };
    search.by_main = vec![Vec::new(); problem.read_froms.len()];
    search.read_from_edges();
    for cost in 1..=bound {
        // The premise of a derived edge and the read-from it is about make up its reason.
        while search.derive(cost - 1, cost) && !search.found.full() {}
        search.cycles(cost);
    }
    search.found.finish()
}

/// Read-froms (by number) and guards, both ascending. Guards that follow from the read-froms are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Reason {
    read_froms: Vec<usize>,
    guards: Vec<SatLit>,
}

struct Edge {
    from: NodeId,
    to: NodeId,
    reason: Reason,
    kind: Kind,
    /// The read-from that it is, or that it was derived for.
    main: usize,
}

struct Search<'a> {
    problem: &'a OrderProblem,
    reach: Reach,
    found: Found<'a>,
    edges: Vec<Edge>,
    by_main: Vec<Vec<usize>>,
    /// By the chain that they start from: positions, and edges in their order.
    by_chain: Vec<(Vec<usize>, Vec<usize>)>,
}

/// The kind of a cycle with parts of these kinds.
fn after(a: Kind, b: Kind) -> Kind {
    match (a, b) {
        (Kind::ReadFroms, other) | (other, Kind::ReadFroms) => other,
        _ => Kind::Longer,
    }
}

impl Search<'_> {
    fn read_from_edges(&mut self) {
        for (main, rf) in self.problem.read_froms.iter().enumerate() {
            if rf.orders {
                let from = self.problem.writes[rf.write.index()].node;
                let to = self.problem.reads[rf.read.index()].node;
                let reason = Reason { read_froms: vec![main], guards: vec![] };
                self.add(Edge { from, to, reason, kind: Kind::ReadFroms, main });
            }
        }
    }

    /// Adds an edge unless it says nothing new; says a conflict if it goes against program order. Was it added?
    fn add(&mut self, edge: Edge) -> bool {
        if self.reach.reaches(edge.to, edge.from) {
            self.conflict(edge.kind, &edge.reason);
            return false;
        }
        let known = self.reach.reaches(edge.from, edge.to)
            || self.by_main[edge.main].iter().any(|other| {
                let other = &self.edges[*other];
                self.reach.reaches(edge.from, other.from)
                    && self.reach.reaches(other.to, edge.to)
                    && self.within(&other.reason, &edge.reason)
            });
        if known || self.impossible(&edge.reason) {
            return false;
        }
        self.by_main[edge.main].push(self.edges.len());
        self.edges.push(edge);
        true
    }

    fn conflict(&mut self, kind: Kind, reason: &Reason) {
        let lits =
            reason.read_froms.iter().map(|rf| self.problem.read_froms[*rf].lit).chain(reason.guards.iter().copied());
        let clause = lits.map(|lit| -lit.0).collect();
        self.found.add_clause(kind, clause);
    }

    /// Does the second reason have all of the first?
    fn within(&self, a: &Reason, b: &Reason) -> bool {
        a.read_froms.iter().all(|rf| b.read_froms.contains(rf))
            && a.guards.iter().all(|guard| {
                b.guards.contains(guard) || b.read_froms.iter().any(|rf| follows(self.problem, *rf, Some(*guard)))
            })
    }

    /// Is it known that this reason is never true?
    fn impossible(&self, reason: &Reason) -> bool {
        let lits =
            || reason.read_froms.iter().map(|rf| self.problem.read_froms[*rf].lit).chain(reason.guards.iter().copied());
        lits().any(|a| self.found.never(a) || lits().any(|b| a.0 == -b.0 || self.found.clash(a, b)))
    }

    /// Both reasons, if they need at most `cost` read-froms, no two of one read.
    fn join(&self, a: &Reason, b: &Reason, cost: usize) -> Option<Reason> {
        let new = b.read_froms.iter().filter(|rf| !a.read_froms.contains(rf));
        if a.read_froms.len() + new.clone().count() > cost {
            return None;
        }
        for &one in new.clone() {
            if a.read_froms.iter().any(|other| same_read(self.problem, one, *other)) {
                return None;
            }
        }
        let mut joined = a.clone();
        joined.read_froms.extend(new);
        joined.read_froms.sort_unstable();
        joined.guards.extend(b.guards.iter().filter(|guard| !a.guards.contains(guard)));
        joined.guards.sort_unstable_by_key(|lit| lit.0);
        let Reason { read_froms, guards } = &mut joined;
        guards.retain(|guard| !read_froms.iter().any(|rf| follows(self.problem, *rf, Some(*guard))));
        if self.impossible(&joined) { None } else { Some(joined) }
    }

    /// All that is needed for an order of Axiom 5 or 6: the premise, the read-from, and the guard of the other write.
    fn derived(&self, premise: &Reason, main: usize, write: WriteId, cost: usize) -> Option<Reason> {
        let guard = self.problem.writes[write.index()].guard;
        let guards = guard.into_iter().filter(|_| !follows(self.problem, main, guard)).collect();
        self.join(premise, &Reason { read_froms: vec![main], guards }, cost)
    }

    /// Derives edges from paths of at most `premise` read-froms. Is there a new one?
    fn derive(&mut self, premise: usize, cost: usize) -> bool {
        self.index();
        let mut read_froms_of_cell = vec![Vec::new(); self.problem.cells as usize];
        for (index, rf) in self.problem.read_froms.iter().enumerate() {
            if !self.found.never(rf.lit) {
                read_froms_of_cell[self.problem.writes[rf.write.index()].cell.index()].push(index);
            }
        }
        // Of two writes on a chain the earlier one gives the stronger fr and the later one the stronger ws: met first, they make the other
        // superfluous, unless it needs less.
        let mut writes: Vec<WriteId> = (0..self.problem.writes.len() as u32).map(WriteId).collect();
        writes.sort_by_key(|w| self.reach.place[self.problem.writes[w.index()].node.index()]);
        let mut ascending = vec![Vec::new(); self.problem.cells as usize];
        for write in &writes {
            ascending[self.problem.writes[write.index()].cell.index()].push(*write);
        }
        let before = self.edges.len();
        for &write in writes.iter().rev() {
            let (node, cell) = (self.problem.writes[write.index()].node, self.problem.writes[write.index()].cell);
            let arrivals = self.paths(node, Reason::default(), premise, None);
            for &main in &read_froms_of_cell[cell.index()] {
                let rf = self.problem.read_froms[main];
                let read = &self.problem.reads[rf.read.index()];
                self.found.steps += arrivals.len() as u64;
                if self.found.full() {
                    return false;
                }
                if rf.write == write {
                    // Axiom 6: what comes after the write comes after the read.
                    for &other in &ascending[cell.index()] {
                        let to = self.problem.writes[other.index()].node;
                        if other == write || to == read.node {
                            continue;
                        }
                        for (at, reason, of) in &arrivals {
                            self.found.steps += 1;
                            if self.reach.reaches(*at, to)
                                && let Some(reason) = self.derived(reason, main, other, cost)
                            {
                                self.add(Edge { from: read.node, to, reason, kind: after(*of, Kind::FromRead), main });
                            }
                        }
                    }
                } else if node != read.node {
                    // Axiom 5: what comes before the read comes before its write.
                    let to = self.problem.writes[rf.write.index()].node;
                    let own = read.own.contains(&write).then(Reason::default);
                    let before_read = arrivals.iter().filter(|(at, ..)| self.reach.reaches(*at, read.node));
                    let own = own.map(|reason| (reason, Kind::ReadFroms));
                    let premises: Vec<(Reason, Kind)> =
                        before_read.map(|(_, reason, of)| (reason.clone(), *of)).chain(own).collect();
                    for (reason, of) in premises {
                        if let Some(reason) = self.derived(&reason, main, write, cost) {
                            self.add(Edge { from: node, to, reason, kind: after(of, Kind::WriteSerialisation), main });
                        }
                    }
                }
            }
        }
        self.edges.len() > before
    }

    /// Says the conflicts of all cycles whose reason has at most `cost` read-froms.
    fn cycles(&mut self, cost: usize) {
        self.index();
        for first in 0..self.edges.len() {
            let edge = &self.edges[first];
            if self.found.full() {
                return;
            }
            if edge.reason.read_froms.len() <= cost && !self.impossible(&edge.reason) {
                let (to, reason) = (edge.to, edge.reason.clone());
                self.paths(to, reason, cost, Some(first));
            }
        }
    }

    fn index(&mut self) {
        let mut order: Vec<usize> = (0..self.edges.len()).collect();
        order.sort_by_key(|e| self.reach.place[self.edges[*e].from.index()]);
        self.by_chain = vec![(Vec::new(), Vec::new()); self.reach.chains];
        for edge in order {
            let (chain, position) = self.reach.place[self.edges[edge].from.index()];
            self.by_chain[chain].0.push(position);
            self.by_chain[chain].1.push(edge);
        }
    }

    /// The ends of all paths from a node that need at most `cost` read-froms together with `reason`, with their reasons: for each node only the
    /// smallest ones. With `closing`, paths that begin with that edge and have no earlier one; a path that comes back is a conflict.
    fn paths(
        &mut self,
        start: NodeId,
        reason: Reason,
        cost: usize,
        closing: Option<usize>,
    ) -> Vec<(NodeId, Reason, Kind)> {
        let mut best: FxHashMap<NodeId, Vec<Reason>> = FxHashMap::default();
        let mut arrivals = vec![];
        let kind = closing.map_or(Kind::ReadFroms, |first| self.edges[first].kind);
        let mut stack = vec![(start, reason, kind)];
        while let Some((at, reason, kind)) = stack.pop() {
            if let Some(first) = closing
                && self.reach.reaches(at, self.edges[first].from)
            {
                self.conflict(kind, &reason);
                continue;
            }
            let known = best.entry(at).or_default();
            if known.iter().any(|other| self.within(other, &reason)) {
                continue;
            }
            known.push(reason.clone());
            let mut follow = |search: &Self, next: usize| {
                let edge = &search.edges[next];
                if closing.is_none_or(|first| next >= first)
                    && let Some(joined) = search.join(&reason, &edge.reason, cost)
                {
                    stack.push((edge.to, joined, after(kind, edge.kind)));
                }
            };
            if reason.read_froms.len() == cost {
                // Only edges for these very read-froms can follow.
                for &rf in &reason.read_froms {
                    self.found.steps += self.by_main[rf].len() as u64;
                    let edges = self.by_main[rf].iter().copied();
                    edges.filter(|e| self.reach.reaches(at, self.edges[*e].from)).for_each(|e| follow(self, e));
                }
            } else {
                for chain in 0..self.reach.chains {
                    let first_position = self.reach.first_after(at, chain);
                    let (positions, edges) = &self.by_chain[chain];
                    let from = positions.partition_point(|p| *p < first_position);
                    self.found.steps += (edges.len() - from) as u64;
                    edges[from..].iter().for_each(|e| follow(self, *e));
                }
            }
            if self.found.full() {
                return arrivals;
            }
            arrivals.push((at, reason, kind));
        }
        arrivals
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conflicts::simple_conflicts::simple_conflicts;
    use crate::conflicts::simple_conflicts::tests::{Sketch, cases, close, random_problem, sound, static_order};
    use raddle_testing::Random;

    fn generic(problem: &OrderProblem, bound: usize) -> Conflicts {
        let before = static_order(problem);
        generic_conflicts(problem, &|a, b| before[a.index()][b.index()], bound, Limits::default())
    }

    /// Store buffering: each thread writes one variable and reads the old value of the other. Two fr, no shape of Figure 5.4.
    #[test]
    fn store_buffering() {
        let mut s = Sketch::with_chains(3);
        let (x, y) = (s.write(0, 0), s.write(0, 1));
        s.write(1, 0);
        let ry = s.read(1, 1);
        s.write(2, 1);
        let rx = s.read(2, 0);
        for to in [2, 4] {
            s.problem.edges.push(crate::order::Edge { from: NodeId(1), to: NodeId(to), when: None });
        }
        let (a, b) = (s.read_from(x, rx), s.read_from(y, ry));
        let found = generic(&s.problem, 2);
        assert_eq!(found.clauses, vec![vec![!b, !a]]);
        assert_eq!(found.by_kind.longer, 1);
        assert_eq!(generic(&s.problem, 1).clauses, Vec::<Vec<SatLit>>::new());
    }

    /// The first thread's write is still in its buffer when it reads it itself and then the old value of y; the second thread wrote y before it
    /// reads the old value of x. That is fine with a buffer, and only with it.
    #[test]
    fn own_writes_are_seen_early() {
        let mut s = Sketch::with_chains(4);
        let (x, y) = (s.write(0, 0), s.write(0, 1));
        let (mine, rx, ry) = (s.write(1, 0), s.read(2, 0), s.read(2, 1));
        s.write(3, 1);
        let other = s.read(3, 0);
        for to in [2, 3, 5] {
            s.problem.edges.push(crate::order::Edge { from: NodeId(1), to: NodeId(to), when: None });
        }
        let (a, b, c) = (s.read_from(mine, rx), s.read_from(y, ry), s.read_from(x, other));
        assert_eq!(generic(&s.problem, 3).clauses, vec![vec![!c, !b, !a]]);
        s.problem.read_froms[0].orders = false;
        s.problem.reads[0].own = vec![mine];
        assert_eq!(generic(&s.problem, 3).clauses, Vec::<Vec<SatLit>>::new());
    }

    #[test]
    fn two_updates_of_one_value() {
        let mut s = Sketch::with_chains(3);
        let w = s.write(0, 0);
        let ((r1, _), (r2, _)) = (s.update(1, 0), s.update(2, 0));
        let (a, b) = (s.read_from(w, r1), s.read_from(w, r2));
        assert_eq!(generic(&s.problem, 2).clauses, vec![vec![!b, !a]]);
    }

    #[test]
    fn no_execution_is_excluded() {
        for seed in 1..=cases() {
            let problem = random_problem(&mut Random::new(seed), true, 7);
            sound(&problem, &generic(&problem, 3).clauses);
        }
    }

    /// Whatever Algorithm 3 finds is found here as well, or something stronger.
    #[test]
    fn covers_the_simple_ones() {
        for seed in 1..=cases() {
            let problem = random_problem(&mut Random::new(seed), true, 7);
            let before = static_order(&problem);
            let simple = simple_conflicts(&problem, &|a, b| before[a.index()][b.index()], Limits::default());
            let generic = generic(&problem, 3);
            for clause in &simple.clauses {
                let implied = |guard: SatLit| {
                    (0..problem.read_froms.len())
                        .any(|rf| clause.contains(&!problem.read_froms[rf].lit) && follows(&problem, rf, Some(guard)))
                };
                let stronger = |other: &Vec<SatLit>| other.iter().all(|lit| clause.contains(lit) || implied(!*lit));
                assert!(generic.clauses.iter().any(stronger), "{clause:?} of {problem:#?}");
            }
        }
    }

    /// Is there a cycle if these read-froms are true and every write is there?
    fn cyclic(problem: &OrderProblem, chosen: &[usize]) -> bool {
        let mut before = static_order(problem);
        for &rf in chosen {
            let rf = problem.read_froms[rf];
            before[problem.writes[rf.write.index()].node.index()][problem.reads[rf.read.index()].node.index()] = true;
        }
        loop {
            close(&mut before);
            let mut more = vec![];
            for &rf in chosen {
                let rf = problem.read_froms[rf];
                let (w, r) = (problem.writes[rf.write.index()], problem.reads[rf.read.index()].node.index());
                for other in problem.writes.iter().filter(|o| o.cell == w.cell && o.node != w.node) {
                    let (other, w) = (other.node.index(), w.node.index());
                    if other != r && before[other][r] && !before[other][w] {
                        more.push((other, w));
                    }
                    if other != r && before[w][other] && !before[r][other] {
                        more.push((r, other));
                    }
                }
            }
            if more.is_empty() {
                return (0..before.len()).any(|n| before[n][n]);
            }
            more.into_iter().for_each(|(a, b)| before[a][b] = true);
        }
    }

    /// Without guards and with at most three reads, the clauses of bound 3 exclude exactly what the axioms exclude.
    #[test]
    fn finds_all_within_the_bound() {
        let mut excluded = 0;
        for seed in 1..=cases() {
            let problem = random_problem(&mut Random::new(seed), false, 3);
            let clauses = generic(&problem, 3).clauses;
            let mut choices = vec![vec![]];
            for read in 0..problem.reads.len() {
                let of_read = (0..problem.read_froms.len()).filter(|rf| problem.read_froms[*rf].read.index() == read);
                let of_read: Vec<usize> = of_read.collect();
                choices = choices
                    .iter()
                    .flat_map(|c: &Vec<usize>| of_read.iter().map(move |rf| c.iter().copied().chain([*rf]).collect()))
                    .chain(choices.iter().cloned())
                    .collect();
            }
            for chosen in choices {
                let lits: Vec<SatLit> = chosen.iter().map(|rf| problem.read_froms[*rf].lit).collect();
                let by_clause = clauses.iter().any(|clause| clause.iter().all(|lit| lits.contains(&!*lit)));
                assert_eq!(by_clause, cyclic(&problem, &chosen), "{chosen:?} of {problem:#?}");
                excluded += u64::from(by_clause);
            }
        }
        assert!(excluded > cases());
    }
}
