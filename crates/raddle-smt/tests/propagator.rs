//! A propagator as an example: edges of a graph are literals, and the edges that are true must not form a cycle.

use raddle_ir::{ExprId, ExprPool, Sort, VarId};
use raddle_smt::{Answer, NativeSolver, Propagator, SatLit, Solver};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Keeps the true edges on a trail; a cycle is a conflict, and the last edge of a possible one is propagated to false.
#[derive(Default)]
struct Acyclic {
    nodes: usize,
    edges: HashMap<SatLit, (usize, usize)>,
    trail: Vec<SatLit>,
    levels: Vec<usize>,
    conflict: Option<Vec<SatLit>>,
    reasons: HashMap<SatLit, Vec<SatLit>>,
    waiting: Vec<SatLit>,
    seen: Seen,
}

/// What was called.
#[derive(Default)]
struct Seen {
    propagated: usize,
    explained: usize,
    conflicts: usize,
    models: usize,
}

impl Acyclic {
    /// The true edges on some path, if there is one.
    fn path(&self, from: usize, to: usize) -> Option<Vec<SatLit>> {
        let mut by: Vec<Option<SatLit>> = vec![None; self.nodes];
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            for &lit in &self.trail {
                let Some(&(a, b)) = self.edges.get(&lit) else { continue };
                if a == node && b != from && by[b].is_none() {
                    by[b] = Some(lit);
                    open.push(b);
                }
            }
        }
        let mut path = Vec::new();
        let mut node = to;
        while node != from {
            let lit = by[node]?;
            path.push(lit);
            node = self.edges[&lit].0;
        }
        Some(path)
    }
}

impl Propagator for Acyclic {
    fn assigned(&mut self, lits: &[SatLit]) {
        for &lit in lits {
            if self.trail.contains(&lit) {
                continue;
            }
            if let Some(&(a, b)) = self.edges.get(&lit)
                && let Some(path) = self.path(b, a)
                && self.conflict.is_none()
            {
                self.seen.conflicts += 1;
                self.conflict = Some(path.iter().chain([&lit]).map(|&lit| !lit).collect());
            }
            self.trail.push(lit);
        }
        let open: Vec<(SatLit, (usize, usize))> = self.edges.iter().map(|(lit, edge)| (*lit, *edge)).collect();
        for (lit, (a, b)) in open {
            if !self.trail.contains(&lit)
                && !self.trail.contains(&!lit)
                && let Some(path) = self.path(b, a)
            {
                self.reasons.insert(!lit, path.iter().map(|&lit| !lit).chain([!lit]).collect());
                self.waiting.push(!lit);
            }
        }
    }

    fn new_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn backtrack(&mut self, level: usize) {
        if let Some(&length) = self.levels.get(level) {
            self.trail.truncate(length);
            self.levels.truncate(level);
        }
        self.conflict = None;
        self.waiting.clear();
    }

    fn propagate(&mut self) -> Option<SatLit> {
        let lit = self.waiting.pop()?;
        self.seen.propagated += 1;
        Some(lit)
    }

    fn reason(&mut self, lit: SatLit, clause: &mut Vec<SatLit>) {
        self.seen.explained += 1;
        clause.extend(&self.reasons[&lit]);
    }

    fn check_model(&mut self, model: &[SatLit]) -> bool {
        self.seen.models += 1;
        self.trail = model.to_vec();
        let edges: Vec<SatLit> = model.iter().copied().filter(|lit| self.edges.contains_key(lit)).collect();
        for lit in edges {
            let (a, b) = self.edges[&lit];
            if let Some(path) = self.path(b, a) {
                self.conflict = Some(path.iter().chain([&lit]).map(|&lit| !lit).collect());
                return false;
            }
        }
        true
    }

    fn clause(&mut self, clause: &mut Vec<SatLit>) -> bool {
        clause.extend(self.conflict.take().into_iter().flatten());
        !clause.is_empty()
    }
}

struct Graph {
    pool: ExprPool,
    solver: NativeSolver,
    theory: Rc<RefCell<Acyclic>>,
    edges: HashMap<(usize, usize), ExprId>,
}

/// All edges between different nodes, as Bool variables.
fn graph(nodes: usize) -> Graph {
    let (mut pool, mut solver) = (ExprPool::new(), NativeSolver::new());
    let theory = Rc::new(RefCell::new(Acyclic { nodes, ..Acyclic::default() }));
    solver.connect(theory.clone());
    let mut edges = HashMap::new();
    for a in 0..nodes {
        for b in (0..nodes).filter(|&b| b != a) {
            let edge = pool.var(VarId((a * nodes + b) as u32), Sort::Bool);
            let lit = solver.literal(&pool, edge).unwrap();
            theory.borrow_mut().edges.insert(lit, (a, b));
            solver.observe(lit);
            edges.insert((a, b), edge);
        }
    }
    Graph { pool, solver, theory, edges }
}

#[test]
fn a_cycle_is_refused_and_a_path_is_not() {
    let Graph { pool, mut solver, edges, .. } = graph(4);
    let path = [(0, 1), (1, 2), (2, 3)].map(|edge| edges[&edge]);
    assert_eq!(solver.check(&pool, &path), Ok(Answer::Sat));
    let cycle = [(0, 1), (1, 2), (2, 3), (3, 0)].map(|edge| edges[&edge]);
    assert_eq!(solver.check(&pool, &cycle), Ok(Answer::Unsat));
    assert_eq!(solver.failed().unwrap().len(), 4);
    assert_eq!(solver.check(&pool, &path), Ok(Answer::Sat));
}

/// A tournament (one of two edges between each pair of nodes) without a cycle is an order; an element cannot be before and after another.
#[test]
fn tournaments() {
    let Graph { mut pool, mut solver, theory, edges } = graph(7);
    for a in 0..7 {
        for b in a + 1..7 {
            let one = pool.or(edges[&(a, b)], edges[&(b, a)]);
            solver.assert(&pool, one).unwrap();
        }
    }
    assert_eq!(solver.check(&pool, &[]), Ok(Answer::Sat));
    let mut before: Vec<usize> = Vec::new();
    for a in 0..7 {
        let value = |b: usize, solver: &mut NativeSolver| solver.value(&pool, edges[&(b, a)]).unwrap().bits();
        before.push((0..7).filter(|&b| b != a && value(b, &mut solver) == 1).count());
    }
    before.sort();
    assert_eq!(before, [0, 1, 2, 3, 4, 5, 6], "an order has one first, one second, …");
    // Each node has one before it: then there is a cycle.
    for a in 0..7 {
        let some = (0..7).filter(|&b| b != a).map(|b| edges[&(b, a)]).reduce(|x, y| pool.or(x, y)).unwrap();
        solver.assert(&pool, some).unwrap();
    }
    assert_eq!(solver.check(&pool, &[]), Ok(Answer::Unsat));
    let seen = &theory.borrow().seen;
    assert!(seen.propagated > 0 && seen.explained > 0 && seen.models > 0, "the propagator took part");
}
