//! Three ways to know which node precedes which, on edges that come and go as in a search: vector clocks (what the ordering theory
//! uses), a dynamic topological order (Pearce and Kelly) with searches for `precedes`, and a transitive closure as bit sets. And the
//! ordering theory as a whole beside the SAT solver, on executions of a size that large programs have.
//!
//! `cargo bench -p raddle-oc --bench order`

use raddle_ir::ExprPool;
use raddle_oc::order::clocks::{Clocks, Mark};
use raddle_oc::order::{
    CellId, Decide, Edge, Linearised, NodeId, OrderOptions, OrderProblem, OrderTheory, Read, ReadFrom, ReadId, Write,
    WriteId, linearise,
};
use raddle_smt::{Answer, Budget, NativeSolver, SatLit, Solver};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) as usize) % limit
    }
}

trait Reachability {
    /// False if the edge would close a cycle; nothing changes then.
    fn add_edge(&mut self, a: usize, b: usize) -> bool;
    fn precedes(&mut self, a: usize, b: usize) -> bool;
    fn push(&mut self);
    fn pop(&mut self);
}

struct ByClocks(Clocks, Vec<Mark>);

impl Reachability for ByClocks {
    fn add_edge(&mut self, a: usize, b: usize) -> bool {
        self.0.add_edge(NodeId(a as u32), NodeId(b as u32)).is_ok()
    }

    fn precedes(&mut self, a: usize, b: usize) -> bool {
        self.0.precedes(NodeId(a as u32), NodeId(b as u32))
    }

    fn push(&mut self) {
        self.1.push(self.0.mark());
    }

    fn pop(&mut self) {
        if let Some(mark) = self.1.pop() {
            self.0.undo_to(mark);
        }
    }
}

/// Every node has a number, and edges go to higher numbers. An edge against that makes the nodes in between change places. Taking
/// back edges leaves the numbers right.
struct ByTopologicalOrder {
    number: Vec<usize>,
    out: Vec<Vec<usize>>,
    into: Vec<Vec<usize>>,
    edges: Vec<(usize, usize)>,
    marks: Vec<usize>,
    seen: Vec<u32>,
    round: u32,
}

impl ByTopologicalOrder {
    fn new(nodes: usize) -> Self {
        ByTopologicalOrder {
            number: (0..nodes).collect(),
            out: vec![Vec::new(); nodes],
            into: vec![Vec::new(); nodes],
            edges: Vec::new(),
            marks: Vec::new(),
            seen: vec![0; nodes],
            round: 0,
        }
    }

    /// The nodes after `from` with numbers up to a bound.
    fn forward(&mut self, from: usize, bound: usize) -> Vec<usize> {
        self.round += 1;
        let (mut found, mut next) = (vec![from], 0);
        self.seen[from] = self.round;
        while let Some(&node) = found.get(next) {
            next += 1;
            for &to in &self.out[node] {
                if self.number[to] <= bound && self.seen[to] != self.round {
                    self.seen[to] = self.round;
                    found.push(to);
                }
            }
        }
        found
    }

    fn backward(&mut self, from: usize, bound: usize) -> Vec<usize> {
        self.round += 1;
        let (mut found, mut next) = (vec![from], 0);
        self.seen[from] = self.round;
        while let Some(&node) = found.get(next) {
            next += 1;
            for &to in &self.into[node] {
                if self.number[to] >= bound && self.seen[to] != self.round {
                    self.seen[to] = self.round;
                    found.push(to);
                }
            }
        }
        found
    }
}

impl Reachability for ByTopologicalOrder {
    fn add_edge(&mut self, a: usize, b: usize) -> bool {
        if a == b {
            return false;
        }
        let (low, high) = (self.number[b], self.number[a]);
        if low < high {
            let mut after = self.forward(b, high);
            if self.seen[a] == self.round {
                return false;
            }
            let mut before = self.backward(a, low);
            before.sort_by_key(|&node| self.number[node]);
            after.sort_by_key(|&node| self.number[node]);
            before.extend(after);
            let mut numbers: Vec<usize> = before.iter().map(|&node| self.number[node]).collect();
            numbers.sort_unstable();
            for (node, number) in before.into_iter().zip(numbers) {
                self.number[node] = number;
            }
        }
        self.out[a].push(b);
        self.into[b].push(a);
        self.edges.push((a, b));
        true
    }

    fn precedes(&mut self, a: usize, b: usize) -> bool {
        if self.number[a] >= self.number[b] {
            return false;
        }
        self.round += 1;
        let mut open = vec![a];
        while let Some(node) = open.pop() {
            for &to in &self.out[node] {
                if to == b {
                    return true;
                }
                if self.number[to] < self.number[b] && self.seen[to] != self.round {
                    self.seen[to] = self.round;
                    open.push(to);
                }
            }
        }
        false
    }

    fn push(&mut self) {
        self.marks.push(self.edges.len());
    }

    fn pop(&mut self) {
        let Some(mark) = self.marks.pop() else { return };
        for (a, b) in self.edges.drain(mark..).rev() {
            self.out[a].pop();
            self.into[b].pop();
        }
    }
}

/// For each node the sets of nodes before and after it.
struct ByBitSets {
    words: usize,
    after: Vec<u64>,
    before: Vec<u64>,
    /// The word, in `after` or `before`, and its old value.
    log: Vec<(bool, usize, u64)>,
    marks: Vec<usize>,
}

impl ByBitSets {
    fn new(nodes: usize) -> Self {
        let words = nodes.div_ceil(64);
        let sets = vec![0; words * nodes];
        ByBitSets { words, after: sets.clone(), before: sets, log: Vec::new(), marks: Vec::new() }
    }

    fn has(&self, a: usize, b: usize) -> bool {
        self.after[a * self.words + b / 64] >> (b % 64) & 1 == 1
    }

    /// The members of a set, and the node itself.
    fn members(&self, set: &[u64], node: usize) -> Vec<usize> {
        let mut result = vec![node];
        for (word, &bits) in set[node * self.words..][..self.words].iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                result.push(word * 64 + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
        result
    }
}

fn join(sets: &mut [u64], words: usize, to: usize, from: &[u64], log: &mut Vec<(bool, usize, u64)>, which: bool) {
    for (word, &bits) in from.iter().enumerate() {
        let at = to * words + word;
        if bits & !sets[at] != 0 {
            log.push((which, at, sets[at]));
            sets[at] |= bits;
        }
    }
}

impl Reachability for ByBitSets {
    fn add_edge(&mut self, a: usize, b: usize) -> bool {
        if a == b || self.has(b, a) {
            return false;
        }
        if self.has(a, b) {
            return true;
        }
        let (before, after) = (self.members(&self.before, a), self.members(&self.after, b));
        let mut row = self.after[b * self.words..][..self.words].to_vec();
        row[b / 64] |= 1 << (b % 64);
        for &node in &before {
            join(&mut self.after, self.words, node, &row, &mut self.log, true);
        }
        let mut row = self.before[a * self.words..][..self.words].to_vec();
        row[a / 64] |= 1 << (a % 64);
        for &node in &after {
            join(&mut self.before, self.words, node, &row, &mut self.log, false);
        }
        true
    }

    fn precedes(&mut self, a: usize, b: usize) -> bool {
        self.has(a, b)
    }

    fn push(&mut self) {
        self.marks.push(self.log.len());
    }

    fn pop(&mut self) {
        let Some(mark) = self.marks.pop() else { return };
        for (which, at, old) in self.log.drain(mark..).rev() {
            if which { self.after[at] = old } else { self.before[at] = old }
        }
    }
}

fn chains(chains: usize, length: usize) -> OrderProblem {
    let nodes = (chains * length) as u32;
    let ids: Vec<NodeId> = (0..nodes).map(NodeId).collect();
    OrderProblem { chains: ids.chunks(length).map(<[_]>::to_vec).collect(), nodes, ..OrderProblem::default() }
}

/// Levels of edges that mostly agree with an order of all nodes, questions in between, and going back. Gives the number of
/// edges that were taken and of questions that were answered with yes: all ways must agree.
fn walk(reach: &mut dyn Reachability, chains: usize, length: usize, steps: usize) -> (usize, usize) {
    let random = &mut Random(0x1234_5678_9ABC_DEF1);
    let (mut taken, mut yes, mut depth) = (0, 0, 0);
    for chain in 0..chains {
        for position in 1..length {
            reach.add_edge(chain * length + position - 1, chain * length + position);
        }
    }
    for _ in 0..steps {
        if depth > 0 && (random.below(100) < 30 || depth > 150) {
            for _ in 0..1 + random.below(depth.min(20)) {
                reach.pop();
                depth -= 1;
            }
        }
        reach.push();
        depth += 1;
        for _ in 0..4 {
            // In the order that is meant, nodes at about the same position of all chains are neighbours.
            let (a, b) = (random.below(length), random.below(length));
            let near = (a + 1 + random.below(10)).min(length - 1);
            let (from, to) = (
                random.below(chains) * length + a,
                random.below(chains) * length + if random.below(20) > 0 { near } else { b },
            );
            taken += usize::from(reach.add_edge(from, to));
            for _ in 0..8 {
                let (a, b) = (random.below(chains * length), random.below(chains * length));
                yes += usize::from(reach.precedes(a, b));
            }
        }
    }
    (taken, yes)
}

fn compare_reachability() {
    for (count, length, steps) in [(8, 200, 2000), (30, 160, 2000)] {
        println!("{count} chains of {length} nodes, {steps} levels of 4 edges with 8 questions each:");
        let problem = chains(count, length);
        let mut ways: Vec<(&str, Box<dyn Reachability>)> = vec![
            ("vector clocks", Box::new(ByClocks(Clocks::of_chains(&problem), Vec::new()))),
            ("topological order", Box::new(ByTopologicalOrder::new(count * length))),
            ("bit sets", Box::new(ByBitSets::new(count * length))),
        ];
        let mut results = Vec::new();
        for (name, way) in &mut ways {
            let start = Instant::now();
            results.push(walk(way.as_mut(), count, length, steps));
            println!("  {name:20} {:9.1} ms   {:?}", start.elapsed().as_secs_f64() * 1e3, results[results.len() - 1]);
        }
        assert!(results.iter().all(|result| *result == results[0]), "they agree");
    }
}

/// An execution is made up, and each read may read from the write that it saw and from a few others.
fn execution(
    solver: &mut NativeSolver,
    random: &mut Random,
    count: usize,
    length: usize,
    cells: usize,
) -> OrderProblem {
    let mut problem = OrderProblem { cells: cells as u32, ..chains(count, length) };
    let mut last: Vec<Option<WriteId>> = vec![None; cells];
    let mut done = vec![0; count];
    let mut seen = Vec::new();
    for _ in 0..count * length {
        let mut chain = random.below(count);
        while done[chain] == length {
            chain = (chain + 1) % count;
        }
        let node = problem.chains[chain][done[chain]];
        done[chain] += 1;
        let cell = CellId(random.below(cells) as u32);
        let kind = random.below(5);
        if let Some(write) = last[cell.index()]
            && kind < 3
        {
            problem.reads.push(Read { node, cell, guard: None, own: Vec::new() });
            seen.push(write);
        }
        if kind >= 2 {
            let guard = (random.below(3) == 0).then(|| solver.fresh_literal());
            last[cell.index()] = Some(WriteId(problem.writes.len() as u32));
            problem.writes.push(Write { node, cell, guard });
        }
    }
    for (read, &write) in (0..).map(ReadId).zip(&seen) {
        let cell = problem.reads[read.index()].cell;
        let others: Vec<WriteId> =
            (0..).map(WriteId).zip(&problem.writes).filter(|(_, w)| w.cell == cell).map(|(id, _)| id).collect();
        let mut sources = vec![write];
        sources.extend((0..7).map(|_| others[random.below(others.len())]));
        sources.sort_unstable();
        sources.dedup();
        let mut clause = Vec::new();
        for write in sources {
            let lit = solver.fresh_literal();
            clause.push(lit);
            problem.read_froms.push(ReadFrom { lit, write, read, orders: true });
            if let Some(guard) = problem.writes[write.index()].guard {
                solver.add_clause(&[!lit, guard]);
            }
        }
        solver.add_clause(&clause);
    }
    for chain in 1..count {
        problem.edges.push(Edge { from: problem.chains[0][0], to: problem.chains[chain][1], when: None });
    }
    problem
}

fn search(count: usize, length: usize, cells: usize, options: OrderOptions) {
    let mut solver = NativeSolver::new();
    let problem = execution(&mut solver, &mut Random(0x0F1E_2D3C_4B5A_6978), count, length, cells);
    let size = (problem.nodes, problem.reads.len(), problem.read_froms.len());
    let start = Instant::now();
    let theory = OrderTheory::new(problem.clone(), options);
    let literals: Vec<SatLit> = theory.literals();
    let theory = Rc::new(RefCell::new(theory));
    solver.connect(theory.clone());
    literals.iter().for_each(|&lit| solver.observe(lit));
    solver.set_budget(Budget { time: Some(Duration::from_secs(5)), ..Budget::default() });
    let answer = solver.check(&ExprPool::new(), &[]);
    let time = start.elapsed().as_secs_f64() * 1e3;
    println!(
        "  {size:?} nodes, reads, read-froms; {options:?}\n    {answer:?} in {time:.1} ms, {:?}",
        theory.borrow().counts()
    );
    if answer != Ok(Answer::Sat) {
        return;
    }
    let mut values = HashMap::new();
    for lit in literals {
        let value = solver.literal_value(lit);
        values.extend([(lit, value), (!lit, !value)]);
    }
    let start = Instant::now();
    let name = match linearise(&problem, &|lit| values[&lit], 10_000) {
        Linearised::Order(_) => "ordered",
        Linearised::NotSc => "not sequentially consistent",
        Linearised::GaveUp => "gave up",
    };
    println!("    {name} in {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
}

fn main() {
    compare_reachability();
    println!("searches:");
    for (count, length, cells) in [(8, 60, 10), (30, 160, 60)] {
        for decide in [Decide::Solver, Decide::Closest, Decide::ProgramOrder] {
            for prevent in [true, false] {
                search(count, length, cells, OrderOptions { prevent, decide, forget: true });
            }
        }
    }
}
