//! Three ways to know which node precedes which: vector clocks (what the ordering theory uses), a dynamic topological order (Pearce
//! and Kelly) with searches for `precedes`, and a transitive closure as bit sets. They are given what a search gave to the theory:
//! the edges, given and derived, and the going back are recorded from a search; the questions are asked in between, as many for
//! each edge as the theory asks on programs, about accesses of one cell. The theory also reads from the clocks what
//! has changed, for which the other two would need something more; that is not measured. And the ordering theory as a whole beside the SAT
//! solver, on executions of a size that large programs have.
//!
//! `cargo bench -p raddle-oc --bench order`

use raddle_ir::ExprPool;
use raddle_oc::order::clocks::{Clocks, Mark};
use raddle_oc::order::saturate::{self, Fact, Saturation};
use raddle_oc::order::{
    CellId, Decide, Edge, Linearised, NodeId, OrderOptions, OrderProblem, OrderTheory, Read, ReadFrom, ReadId, Write,
    WriteId, linearise,
};
use raddle_smt::{Answer, Effort, NativeSolver, Propagator, SatLit, Solver};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Questions for each edge that is added, about as the theory asks them on programs.
const QUESTIONS: usize = 20;

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

/// What a search does to the order.
#[derive(Clone, Copy)]
enum Op {
    Edge(NodeId, NodeId),
    Push,
    Pop,
}

/// Follows a search: the facts are added to an order of its own, whose edges are written down.
struct Recorder {
    theory: OrderTheory,
    order: Saturation,
    by_literal: HashMap<SatLit, Vec<Fact>>,
    marks: Vec<saturate::Mark>,
    /// The level in which an edge closed a cycle: nothing more is added until the search goes back.
    stuck: Option<usize>,
    ops: Vec<Op>,
}

/// So many operations are recorded.
const RECORDED: usize = 60_000;

impl Recorder {
    fn new(problem: &OrderProblem) -> Self {
        let mut by_literal: HashMap<SatLit, Vec<Fact>> = HashMap::new();
        for (id, write) in (0..).map(WriteId).zip(&problem.writes) {
            write.guard.into_iter().for_each(|lit| by_literal.entry(lit).or_default().push(Fact::Enabled(id)));
        }
        for (rf, read_from) in (0..).zip(&problem.read_froms) {
            by_literal.entry(read_from.lit).or_default().push(Fact::ReadFrom(rf));
        }
        let mut order = Saturation::new(problem.clone());
        let stuck = order.add_unconditional().err().map(|_| 0);
        let theory = OrderTheory::new(problem.clone(), OrderOptions::default());
        Recorder { ops: edges_since(&order, 0).collect(), theory, order, by_literal, marks: Vec::new(), stuck }
    }
}

fn edges_since(order: &Saturation, count: usize) -> impl Iterator<Item = Op> {
    order.clocks.edges()[count..].iter().map(|&(a, b)| Op::Edge(a, b))
}

impl Propagator for Recorder {
    fn assigned(&mut self, lits: &[SatLit]) {
        self.theory.assigned(lits);
        for fact in lits.iter().filter_map(|lit| self.by_literal.get(lit)).flatten() {
            if self.stuck.is_some() || self.ops.len() > RECORDED {
                return;
            }
            let count = self.order.clocks.edges().len();
            let result = match *fact {
                Fact::Enabled(write) => self.order.enable(write),
                Fact::ReadFrom(rf) => self.order.read_from(rf),
            };
            self.ops.extend(edges_since(&self.order, count));
            if let Err(conflict) = result {
                self.stuck = Some(self.marks.len());
                self.ops.push(Op::Edge(conflict.from, conflict.to));
            }
        }
    }

    fn new_level(&mut self) {
        self.theory.new_level();
        self.marks.push(self.order.mark());
        self.ops.push(Op::Push);
    }

    fn backtrack(&mut self, level: usize) {
        self.theory.backtrack(level);
        if let Some(&mark) = self.marks.get(level) {
            self.order.undo_to(mark);
            self.ops.extend(vec![Op::Pop; self.marks.len() - level]);
            self.marks.truncate(level);
            self.stuck = self.stuck.filter(|&at| at <= level);
        }
    }

    fn propagate(&mut self) -> Option<SatLit> {
        self.theory.propagate()
    }

    fn reason(&mut self, lit: SatLit, clause: &mut Vec<SatLit>) {
        self.theory.reason(lit, clause);
    }

    fn check_model(&mut self, model: &[SatLit]) -> bool {
        self.theory.check_model(model)
    }

    fn clause(&mut self, clause: &mut Vec<SatLit>) -> bool {
        self.theory.clause(clause)
    }

    fn forgettable(&self) -> bool {
        self.theory.forgettable()
    }
}

/// The operations of a search for an execution of this size.
fn record(count: usize, length: usize, cells: usize) -> (OrderProblem, Vec<Op>) {
    let mut solver = NativeSolver::new();
    let problem = execution(&mut solver, &mut Random(0x0F1E_2D3C_4B5A_6978), count, length, cells);
    let recorder = Recorder::new(&problem);
    let literals = recorder.theory.literals();
    let recorder = Rc::new(RefCell::new(recorder));
    solver.connect(recorder.clone());
    literals.iter().for_each(|&lit| solver.observe(lit));
    solver.set_effort(Effort { time: Some(Duration::from_secs(2)), ..Effort::default() });
    let _ = solver.check(&ExprPool::new(), &[]);
    let mut ops = std::mem::take(&mut recorder.borrow_mut().ops);
    ops.truncate(RECORDED);
    (problem, ops)
}

/// Gives the number of edges that were taken and of questions that were answered with yes: all ways must agree.
fn walk(reach: &mut dyn Reachability, ops: &[Op], pairs: &[(NodeId, NodeId)]) -> (usize, usize) {
    let (mut taken, mut yes, mut asked) = (0, 0, 0);
    for op in ops {
        match *op {
            Op::Edge(a, b) => {
                taken += usize::from(reach.add_edge(a.index(), b.index()));
                for _ in 0..QUESTIONS {
                    let (a, b) = pairs[asked % pairs.len()];
                    asked += 1;
                    yes += usize::from(reach.precedes(a.index(), b.index()));
                }
            }
            Op::Push => reach.push(),
            Op::Pop => reach.pop(),
        }
    }
    (taken, yes)
}

/// Pairs of accesses of one cell, mixed.
fn pairs(problem: &OrderProblem) -> Vec<(NodeId, NodeId)> {
    let random = &mut Random(0x1234_5678_9ABC_DEF1);
    let ends = |rf: &ReadFrom| (problem.writes[rf.write.index()].node, problem.reads[rf.read.index()].node);
    let mut pairs: Vec<(NodeId, NodeId)> = problem.read_froms.iter().map(ends).filter(|(a, b)| a != b).collect();
    for i in (1..pairs.len()).rev() {
        pairs.swap(i, random.below(i + 1));
        if random.below(2) == 0 {
            pairs[i] = (pairs[i].1, pairs[i].0);
        }
    }
    pairs
}

fn compare_reachability() {
    println!(
        "{:>6} {:>6} {:>6} {:>7} {:>9}  way                    ms",
        "chains", "nodes", "edges", "levels", "questions"
    );
    for (count, length, cells) in [(8, 60, 10), (30, 160, 60)] {
        let (problem, ops) = record(count, length, cells);
        let edges = ops.iter().filter(|op| matches!(op, Op::Edge(..))).count();
        let levels = ops.iter().filter(|op| matches!(op, Op::Push)).count();
        let pairs = pairs(&problem);
        let nodes = problem.nodes as usize;
        let mut ways: Vec<(&str, Box<dyn Reachability>)> = vec![
            ("vector clocks", Box::new(ByClocks(Clocks::of_chains(&problem), Vec::new()))),
            ("topological order", Box::new(ByTopologicalOrder::new(nodes))),
            ("bit sets", Box::new(ByBitSets::new(nodes))),
        ];
        // The chains: the clocks have them from the beginning.
        for (_, way) in &mut ways[1..] {
            for pair in problem.chains.iter().flat_map(|chain| chain.windows(2)) {
                way.add_edge(pair[0].index(), pair[1].index());
            }
        }
        let mut results = Vec::new();
        for (name, way) in &mut ways {
            let start = Instant::now();
            results.push(walk(way.as_mut(), &ops, &pairs));
            let time = start.elapsed().as_secs_f64() * 1e3;
            println!("{count:6} {nodes:6} {edges:6} {levels:7} {:9}  {name:17} {time:9.1}", edges * QUESTIONS);
        }
        assert!(results.iter().all(|result| *result == results[0]), "they agree: {results:?}");
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
    solver.set_effort(Effort { time: Some(Duration::from_secs(1)), ..Effort::default() });
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
