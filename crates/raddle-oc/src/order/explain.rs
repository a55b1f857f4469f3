//! Reasons (thesis, Definition 16), found only when somebody asks.
//!
//! That a node precedes another is explained by a path of edges, and a derived edge by its read-from, the guard of its write, and
//! again a path: one that uses only edges older than the derived one, so that no reason goes in circles. Of the
//! paths one with few literals is taken (Dijkstra's search); what is already in the explanation costs nothing more. The clocks keep
//! the search on nodes from which the goal can be reached.

use super::NodeId;
use super::saturate::{Conflict, Saturation, Why};
use raddle_smt::SatLit;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What was needed: literals that are true, and choices.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explanation {
    pub literals: Vec<SatLit>,
    pub choices: Vec<u32>,
}

impl Explanation {
    /// The clause that forbids what was explained.
    pub fn into_clause(self) -> Vec<SatLit> {
        self.literals.into_iter().map(|lit| !lit).collect()
    }
}

/// Members that are all forgotten at once.
#[derive(Clone, Debug, Default)]
struct Marks {
    last: Vec<u32>,
    round: u32,
}

impl Marks {
    fn clear(&mut self) {
        self.round += 1;
    }

    fn has(&self, index: usize) -> bool {
        self.last.get(index) == Some(&self.round)
    }

    /// Was it new?
    fn add(&mut self, index: usize) -> bool {
        if index >= self.last.len() {
            self.last.resize(index + 1, 0);
        }
        std::mem::replace(&mut self.last[index], self.round) != self.round
    }
}

/// The place of a literal among marks.
fn code(lit: SatLit) -> usize {
    2 * lit.0.unsigned_abs() as usize + usize::from(lit.0 < 0)
}

/// The searches' memory, to be used again.
#[derive(Clone, Debug, Default)]
pub struct Explainer {
    explained: Marks,
    literals: Marks,
    implied: Marks,
    /// For each node the round in which it was reached, at what cost, and by which edge.
    reached: Vec<(u32, u32, Step)>,
    round: u32,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Start,
    Chain(NodeId),
    Edge(u32),
}

/// A path to find: from, to, and only with edges below this number.
type Goal = (NodeId, NodeId, usize);

struct Work<'a> {
    order: &'a Saturation,
    /// Edges below this number need no reason.
    root: usize,
    explained: Marks,
    literals: Marks,
    goals: Vec<Goal>,
    result: Explanation,
}

impl Explainer {
    /// Why the edge closes a cycle. Edges below `root` hold without reason.
    pub fn conflict(&mut self, order: &Saturation, conflict: Conflict, root: usize) -> Explanation {
        let now = order.why.len();
        self.explain(order, root, &[(conflict.to, conflict.from, now)], |work| work.why(conflict.why, now))
    }

    /// The literals of the paths and these ones.
    pub fn paths(&mut self, order: &Saturation, root: usize, goals: &[Goal], literals: &[SatLit]) -> Explanation {
        self.explain(order, root, goals, |work| literals.iter().for_each(|&lit| work.literal(lit)))
    }

    fn explain(
        &mut self,
        order: &Saturation,
        root: usize,
        goals: &[Goal],
        more: impl FnOnce(&mut Work),
    ) -> Explanation {
        let mut work = Work {
            order,
            root,
            explained: std::mem::take(&mut self.explained),
            literals: std::mem::take(&mut self.literals),
            goals: goals.to_vec(),
            result: Explanation::default(),
        };
        work.explained.clear();
        work.literals.clear();
        more(&mut work);
        while let Some(goal) = work.goals.pop() {
            self.path(&mut work, goal);
        }
        let mut result = work.result;
        (self.explained, self.literals) = (work.explained, work.literals);
        self.implied.clear();
        drop_implied(order, &mut self.implied, &mut result.literals);
        result
    }

    /// Adds the reasons of the edges of a cheapest path.
    fn path(&mut self, work: &mut Work, (from, to, below): Goal) {
        if from == to {
            return;
        }
        let clocks = &work.order.clocks;
        self.reached.resize(work.order.problem.nodes as usize, (0, 0, Step::Start));
        self.round += 1;
        self.heap.clear();
        self.heap.push(Reverse((0, from.0)));
        self.reached[from.index()] = (self.round, 0, Step::Start);
        while let Some(Reverse((cost, node))) = self.heap.pop() {
            let node = NodeId(node);
            if self.reached[node.index()].1 < cost {
                continue;
            }
            if node == to {
                break;
            }
            if clocks.chain(node) == clocks.chain(to) && clocks.position(node) < clocks.position(to) {
                self.reach(to, cost, Step::Chain(node));
                continue;
            }
            if let Some(next) = clocks.next(node)
                && clocks.precedes(next, to)
            {
                self.reach(next, cost, Step::Chain(node));
            }
            for &edge in clocks.edges_from(node) {
                if edge as usize >= below {
                    break;
                }
                let target = clocks.edges()[edge as usize].1;
                if clocks.precedes_or_is(target, to) {
                    self.reach(target, cost + work.cost(edge), Step::Edge(edge));
                }
            }
        }
        let mut node = to;
        assert_eq!(self.reached[node.index()].0, self.round, "a path that the clocks know has edges");
        loop {
            match self.reached[node.index()].2 {
                Step::Start => break,
                Step::Chain(before) => node = before,
                Step::Edge(edge) => {
                    work.edge(edge);
                    node = clocks.edges()[edge as usize].0;
                }
            }
        }
    }

    fn reach(&mut self, node: NodeId, cost: u32, step: Step) {
        let entry = &mut self.reached[node.index()];
        if entry.0 != self.round || entry.1 > cost {
            *entry = (self.round, cost, step);
            self.heap.push(Reverse((cost, node.0)));
        }
    }
}

impl Work<'_> {
    /// About how many literals an edge adds.
    fn cost(&self, edge: u32) -> u32 {
        if (edge as usize) < self.root || self.explained.has(edge as usize) {
            return 0;
        }
        match self.order.why[edge as usize] {
            Why::Always => 0,
            Why::Literal(lit) => u32::from(!self.literals.has(code(lit))),
            Why::Chosen(_) => 1,
            Why::Serialization(rf, write) | Why::FromRead(rf, write) => {
                let lit = self.order.problem.read_froms[rf as usize].lit;
                let guard = self.order.problem.writes[write.index()].guard;
                1 + u32::from(!self.literals.has(code(lit)))
                    + u32::from(guard.is_some_and(|lit| !self.literals.has(code(lit))))
            }
        }
    }

    fn edge(&mut self, edge: u32) {
        if edge as usize >= self.root && self.explained.add(edge as usize) {
            self.why(self.order.why[edge as usize], edge as usize);
        }
    }

    /// The reason of an edge that is or would be the one of this number.
    fn why(&mut self, why: Why, number: usize) {
        match why {
            Why::Always => {}
            Why::Literal(lit) => self.literal(lit),
            Why::Chosen(choice) => {
                if !self.result.choices.contains(&choice) {
                    self.result.choices.push(choice);
                }
            }
            Why::Serialization(rf, write) => {
                self.premises(rf, write);
                let read_from = &self.order.problem.read_froms[rf as usize];
                if !self.order.owns(read_from.read, write) {
                    self.goals.push((self.order.node_of(write), self.order.ends(rf).1, number));
                }
            }
            Why::FromRead(rf, write) => {
                self.premises(rf, write);
                self.goals.push((self.order.ends(rf).0, self.order.node_of(write), number));
            }
        }
    }

    fn premises(&mut self, rf: u32, write: super::WriteId) {
        self.literal(self.order.problem.read_froms[rf as usize].lit);
        if let Some(guard) = self.order.problem.writes[write.index()].guard {
            self.literal(guard);
        }
    }

    fn literal(&mut self, lit: SatLit) {
        if self.literals.add(code(lit)) {
            self.result.literals.push(lit);
        }
    }
}

/// A read-from's literal says that its write and read are there: their guards need not be said again.
fn drop_implied(order: &Saturation, implied: &mut Marks, literals: &mut Vec<SatLit>) {
    let (problem, lookup) = (&order.problem, &order.lookup);
    for rf in literals.iter().flat_map(|&lit| lookup.read_froms(lit)) {
        let read_from = &problem.read_froms[rf as usize];
        let guards = [problem.writes[read_from.write.index()].guard, problem.reads[read_from.read.index()].guard];
        for guard in guards.into_iter().flatten() {
            implied.add(code(guard));
        }
    }
    // A guard that is itself the literal of a read-from may be what implied another.
    literals.retain(|&lit| !implied.has(code(lit)) || lookup.read_froms(lit).next().is_some());
}
