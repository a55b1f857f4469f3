//! Algorithm 3 on written and on random problems: each conflict is sound, and each shape is found.

use super::*;
use crate::order::{CellId, ChainId, Edge, Read, ReadFrom, ReadId};
use raddle_testing::Random;

/// A problem written down: literals are numbered as they come.
#[derive(Default)]
pub struct Sketch {
    pub problem: OrderProblem,
    pub lits: i32,
}

impl Sketch {
    pub fn with_chains(chains: usize) -> Sketch {
        Sketch { problem: OrderProblem { chains: vec![vec![]; chains], ..OrderProblem::default() }, lits: 0 }
    }

    pub fn lit(&mut self) -> SatLit {
        self.lits += 1;
        SatLit(self.lits)
    }

    pub fn node(&mut self, chain: ChainId) -> NodeId {
        self.problem.nodes += 1;
        let node = NodeId(self.problem.nodes - 1);
        self.problem.chains[chain.index()].push(node);
        node
    }

    pub fn write_at(&mut self, node: NodeId, cell: u32, guard: When) -> WriteId {
        self.problem.cells = self.problem.cells.max(cell + 1);
        self.problem.writes.push(Write { node, cell: CellId(cell), guard });
        WriteId(self.problem.writes.len() as u32 - 1)
    }

    pub fn read_at(&mut self, node: NodeId, cell: u32, guard: When) -> ReadId {
        self.problem.cells = self.problem.cells.max(cell + 1);
        self.problem.reads.push(Read { node, cell: CellId(cell), guard, own: vec![] });
        ReadId(self.problem.reads.len() as u32 - 1)
    }

    pub fn write(&mut self, chain: u32, cell: u32) -> WriteId {
        let node = self.node(ChainId(chain));
        self.write_at(node, cell, None)
    }

    pub fn read(&mut self, chain: u32, cell: u32) -> ReadId {
        let node = self.node(ChainId(chain));
        self.read_at(node, cell, None)
    }

    pub fn update(&mut self, chain: u32, cell: u32) -> (ReadId, WriteId) {
        let node = self.node(ChainId(chain));
        (self.read_at(node, cell, None), self.write_at(node, cell, None))
    }

    pub fn read_from(&mut self, write: WriteId, read: ReadId) -> SatLit {
        let lit = self.lit();
        self.problem.read_froms.push(ReadFrom { lit, write, read, orders: true });
        lit
    }
}

/// Chains and unconditional edges, closed under transitivity.
pub fn static_order(problem: &OrderProblem) -> Vec<Vec<bool>> {
    let n = problem.nodes as usize;
    let mut before = vec![vec![false; n]; n];
    for chain in &problem.chains {
        chain.windows(2).for_each(|pair| before[pair[0].index()][pair[1].index()] = true);
    }
    for edge in problem.edges.iter().filter(|e| e.when.is_none()) {
        before[edge.from.index()][edge.to.index()] = true;
    }
    close(&mut before);
    before
}

pub fn close(before: &mut [Vec<bool>]) {
    let n = before.len();
    for k in 0..n {
        let through = before[k].clone();
        for row in before.iter_mut().filter(|row| row[k]) {
            (0..n).filter(|j| through[*j]).for_each(|j| row[j] = true);
        }
    }
}

fn simple(problem: &OrderProblem) -> Conflicts {
    let before = static_order(problem);
    simple_conflicts(problem, &|a, b| before[a.index()][b.index()], Limits::default())
}

fn sorted(mut clause: Vec<SatLit>) -> Vec<SatLit> {
    clause.sort_by_key(|lit| lit.0);
    clause
}

#[test]
fn figure_a_two_values_out_of_thin_air() {
    let mut s = Sketch::with_chains(2);
    let (r, w2) = (s.read(0, 0), s.write(0, 1));
    let (r2, w) = (s.read(1, 1), s.write(1, 0));
    let (a, b) = (s.read_from(w, r), s.read_from(w2, r2));
    let found = simple(&s.problem);
    assert_eq!(found.clauses, vec![sorted(vec![!a, !b])]);
    assert_eq!(found.by_kind, Kinds { read_froms: 1, ..Kinds::default() });
    assert!(found.complete);
}

#[test]
fn a_read_before_its_write() {
    let mut s = Sketch::with_chains(1);
    let (r, w) = (s.read(0, 0), s.write(0, 0));
    let a = s.read_from(w, r);
    assert_eq!(simple(&s.problem).clauses, vec![vec![!a]]);
}

#[test]
fn an_overwritten_value() {
    let mut s = Sketch::with_chains(1);
    let w = s.write(0, 0);
    let (node, guard) = (s.node(ChainId(0)), s.lit());
    s.write_at(node, 0, Some(guard));
    let r = s.read(0, 0);
    let a = s.read_from(w, r);
    assert_eq!(simple(&s.problem).clauses, vec![sorted(vec![!a, !guard])]);
}

/// The running example of the thesis: the second thread reads x, overwrites it, and reads the old value again.
#[test]
fn figure_b_the_old_value_after_an_own_write() {
    let mut s = Sketch::with_chains(2);
    let w = s.write(0, 0);
    let (r, _, again) = (s.read(1, 0), s.write(1, 0), s.read(1, 0));
    let (a, b) = (s.read_from(w, r), s.read_from(w, again));
    let found = simple(&s.problem);
    assert_eq!(found.clauses, vec![sorted(vec![!a, !b])]);
    assert_eq!(found.by_kind, Kinds { write_serialisation: 1, ..Kinds::default() });
}

/// Message passing: whoever sees the flag sees what was written before it.
#[test]
fn figure_c_a_stale_message() {
    let mut s = Sketch::with_chains(3);
    let old = s.write(0, 0);
    let (new, flag) = (s.write(1, 0), s.write(1, 1));
    let (seen, data) = (s.read(2, 1), s.read(2, 0));
    let start = |from, to| Edge { from, to, when: None };
    s.problem.edges = vec![start(NodeId(0), NodeId(1)), start(NodeId(0), NodeId(3))];
    let (stale, _) = (s.read_from(old, data), s.read_from(new, data));
    let flagged = s.read_from(flag, seen);
    let found = simple(&s.problem);
    assert_eq!(found.clauses, vec![sorted(vec![!stale, !flagged])]);
    assert_eq!(found.by_kind, Kinds { from_read: 1, ..Kinds::default() });
}

#[test]
fn two_updates_of_one_value() {
    let mut s = Sketch::with_chains(3);
    let w = s.write(0, 0);
    let ((r1, w1), (r2, w2)) = (s.update(1, 0), s.update(2, 0));
    let (a, b) = (s.read_from(w, r1), s.read_from(w, r2));
    s.read_from(w1, r2);
    s.read_from(w2, r1);
    let found = simple(&s.problem);
    assert!(found.clauses.contains(&sorted(vec![!a, !b])), "{found:?}");
    assert_eq!(found.by_kind.read_modify_writes, 1);
}

/// A read may see its own thread's write before the others do: that gives no order.
#[test]
fn store_buffers() {
    let mut s = Sketch::with_chains(2);
    let (mine, other, r) = (s.write(1, 0), s.write(1, 0), s.read(0, 0));
    let lit = s.read_from(mine, r);
    s.problem.read_froms[0].orders = false;
    assert_eq!(simple(&s.problem).clauses, Vec::<Vec<SatLit>>::new());
    s.problem.reads[0].own = vec![mine, other];
    assert_eq!(simple(&s.problem).clauses, vec![vec![!lit]]);
}

#[test]
fn a_limit_stops_it() {
    let mut s = Sketch::with_chains(1);
    for _ in 0..50 {
        let (r, w) = (s.read(0, 0), s.write(0, 0));
        s.read_from(w, r);
    }
    let before = static_order(&s.problem);
    let limits = Limits { literals: 10, ..Limits::default() };
    let found = simple_conflicts(&s.problem, &|a, b| before[a.index()][b.index()], limits);
    assert_eq!((found.clauses.len(), found.complete), (10, false));
}

fn below(random: &mut Random, n: u32) -> u32 {
    random.below(n.into()) as u32
}

/// A small problem: three chains, seven nodes or fewer. Now and then the first two chains are a thread with a store buffer: its reads and other
/// actions, and its writes as they reach memory.
pub fn random_problem(random: &mut Random, guards: bool, most_reads: usize) -> OrderProblem {
    let mut s = Sketch::with_chains(3);
    let buffered = guards && random.chance(30);
    let cells = 1 + below(random, 2);
    for _ in 0..4 + below(random, 4) {
        let chain = below(random, 3);
        let node = s.node(ChainId(chain));
        let guard = if guards && random.chance(30) { Some(s.lit()) } else { None };
        let (mut reads, mut writes) = (random.chance(55), random.chance(25));
        if buffered && chain < 2 {
            (reads, writes) = (chain == 0, chain == 1);
        }
        let cell = below(random, cells);
        if (writes || !reads) && (!buffered || chain != 0) {
            s.write_at(node, cell, guard);
        }
        if reads && s.problem.reads.len() < most_reads {
            s.read_at(node, cell, guard);
        }
        if random.chance(20) && reads && writes && cells == 2 {
            s.write_at(node, 1 - cell, guard);
        }
    }
    for _ in 0..below(random, 3) {
        // From lower to higher numbers, as the chains go.
        let (a, b) = (below(random, s.problem.nodes), below(random, s.problem.nodes));
        if a < b {
            let when = if guards && random.chance(30) { Some(s.lit()) } else { None };
            s.problem.edges.push(Edge { from: NodeId(a), to: NodeId(b), when });
        }
    }
    let chains = s.problem.chains.clone();
    for r in 0..s.problem.reads.len() {
        let read = s.problem.reads[r].clone();
        let at = chains[0].iter().position(|n| *n == read.node);
        // In program order the write with number i of the buffer comes right after the read with number i.
        let earlier: &[NodeId] =
            if let (true, Some(at)) = (buffered, at) { &chains[1][..at.min(chains[1].len())] } else { &[] };
        if let (true, Some(at)) = (buffered, at)
            && let Some(next) = chains[1].get(at)
        {
            s.problem.edges.push(Edge { from: read.node, to: *next, when: None });
        }
        for w in 0..s.problem.writes.len() {
            let write = s.problem.writes[w];
            if write.cell != read.cell || write.node == read.node {
                continue;
            }
            let own = earlier.contains(&write.node);
            let (lit, write, read) = (s.lit(), WriteId(w as u32), ReadId(r as u32));
            s.problem.read_froms.push(ReadFrom { lit, write, read, orders: !own });
            if own {
                s.problem.reads[r].own.push(write);
            }
        }
    }
    s.problem
}

/// Calls `each` with the true literals of every execution: every total order, every choice of what is there.
pub fn executions(problem: &OrderProblem, each: &mut dyn FnMut(&FxHashSet<i32>)) {
    let mut free: Vec<i32> = problem.writes.iter().filter_map(|w| w.guard).map(|lit| lit.0).collect();
    free.extend(problem.reads.iter().filter_map(|r| r.guard).map(|lit| lit.0));
    free.extend(problem.edges.iter().filter_map(|e| e.when).map(|lit| lit.0));
    free.sort_unstable();
    free.dedup();
    let before = static_order(problem);
    let mut order = vec![];
    orders(problem, &before, &mut order, &mut |order| {
        for choice in 0..1u32 << free.len() {
            let chosen = free.iter().enumerate().filter(|(i, _)| choice >> i & 1 == 1).map(|(_, lit)| *lit);
            let mut truth: FxHashSet<i32> = chosen.collect();
            if happens(problem, order, &mut truth) {
                each(&truth);
            }
        }
    });
}

fn orders(problem: &OrderProblem, before: &[Vec<bool>], order: &mut Vec<usize>, each: &mut dyn FnMut(&[usize])) {
    let n = problem.nodes as usize;
    if order.len() == n {
        return each(order);
    }
    for next in 0..n {
        if !order.contains(&next) && (0..n).all(|other| !before[other][next] || order.contains(&other)) {
            order.push(next);
            orders(problem, before, order, each);
            order.pop();
        }
    }
}

/// Runs the nodes in this order and adds the read-froms that come about. Could it happen?
fn happens(problem: &OrderProblem, order: &[usize], truth: &mut FxHashSet<i32>) -> bool {
    let at = |node: NodeId| order.iter().position(|n| *n == node.index());
    let holds = |truth: &FxHashSet<i32>, when: When| when.is_none_or(|lit| truth.contains(&lit.0));
    if problem.edges.iter().any(|e| holds(truth, e.when) && at(e.from) > at(e.to)) {
        return false;
    }
    for (r, read) in problem.reads.iter().enumerate().filter(|(_, r)| holds(truth, r.guard)).collect::<Vec<_>>() {
        let there: Vec<WriteId> = (0..problem.writes.len() as u32)
            .map(WriteId)
            .filter(|w| problem.writes[w.index()].cell == read.cell && holds(truth, problem.writes[w.index()].guard))
            .collect();
        let place = |w: &WriteId| at(problem.writes[w.index()].node);
        // The youngest own write that is still in the buffer, or else the last one in memory.
        let buffered =
            there.iter().filter(|w| read.own.contains(w) && place(w) > at(read.node)).max_by_key(|w| place(w));
        let in_memory = there.iter().filter(|w| place(w) < at(read.node)).max_by_key(|w| place(w));
        let seen = buffered.or(in_memory);
        let rf = problem.read_froms.iter().find(|rf| rf.read.index() == r && Some(&rf.write) == seen);
        match rf {
            Some(rf) => truth.insert(rf.lit.0),
            None => return false,
        };
    }
    true
}

/// No clause excludes an execution.
pub fn sound(problem: &OrderProblem, clauses: &[Vec<SatLit>]) {
    executions(problem, &mut |truth| {
        for clause in clauses {
            let holds = clause.iter().any(|lit| (lit.0 > 0) == truth.contains(&lit.0.abs()));
            assert!(holds, "{clause:?} excludes {truth:?} of {problem:#?}");
        }
    });
}

pub fn cases() -> u64 {
    std::env::var("RADDLE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1000)
}

#[test]
fn no_execution_is_excluded() {
    let mut total = 0;
    for seed in 1..=cases() {
        let problem = random_problem(&mut Random::new(seed), true, 7);
        let found = simple(&problem);
        total += found.clauses.len();
        sound(&problem, &found.clauses);
    }
    assert!(total as u64 > cases());
}
