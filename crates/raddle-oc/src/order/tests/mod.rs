//! Tests of the ordering theory: litmus tests as examples, and random problems against all total orders.

mod examples;
mod random;

use super::*;
use raddle_ir::ExprPool;
use raddle_smt::{Answer, NativeSolver, Propagator, Solver};
use std::cell::RefCell;
use std::rc::Rc;

/// A problem under construction. Literals are numbered from 1.
#[derive(Clone, Default)]
struct Build {
    problem: OrderProblem,
    literals: i32,
    clauses: Vec<Vec<SatLit>>,
}

impl Build {
    fn literal(&mut self) -> SatLit {
        self.literals += 1;
        SatLit(self.literals)
    }

    /// The next node of a chain; chains come into being as needed.
    fn node(&mut self, chain: usize) -> NodeId {
        let problem = &mut self.problem;
        problem.chains.resize(problem.chains.len().max(chain + 1), Vec::new());
        let node = NodeId(problem.nodes);
        problem.nodes += 1;
        problem.chains[chain].push(node);
        node
    }

    fn write_at(&mut self, node: NodeId, cell: u32, guard: When) -> WriteId {
        self.problem.cells = self.problem.cells.max(cell + 1);
        self.problem.writes.push(Write { node, cell: CellId(cell), guard });
        WriteId(self.problem.writes.len() as u32 - 1)
    }

    fn read_at(&mut self, node: NodeId, cell: u32, guard: When) -> ReadId {
        self.problem.cells = self.problem.cells.max(cell + 1);
        self.problem.reads.push(Read { node, cell: CellId(cell), guard, own: Vec::new() });
        ReadId(self.problem.reads.len() as u32 - 1)
    }

    fn write(&mut self, chain: usize, cell: u32) -> WriteId {
        let node = self.node(chain);
        self.write_at(node, cell, None)
    }

    fn read(&mut self, chain: usize, cell: u32) -> ReadId {
        let node = self.node(chain);
        self.read_at(node, cell, None)
    }

    /// A read-modify-write.
    fn update(&mut self, chain: usize, cell: u32) -> (ReadId, WriteId) {
        let node = self.node(chain);
        (self.read_at(node, cell, None), self.write_at(node, cell, None))
    }

    /// The read reads from the write, surely.
    fn reads(&mut self, read: ReadId, write: WriteId) -> SatLit {
        let lit = self.literal();
        self.problem.read_froms.push(ReadFrom { lit, write, read, orders: true });
        self.clauses.push(vec![lit]);
        lit
    }

    fn edge(&mut self, from: NodeId, to: NodeId, when: When) {
        self.problem.edges.push(Edge { from, to, when });
    }
}

/// Stands between the SAT solver and the theory and holds the theory to its duties: a clause is false when it is given, and the
/// reason of a literal has only literals that were false before.
struct Watched {
    theory: OrderTheory,
    trail: Vec<SatLit>,
    levels: Vec<usize>,
    propagated: Vec<(SatLit, usize)>,
}

impl Watched {
    fn is_false(&self, lit: SatLit, among: usize) -> bool {
        self.trail[..among].contains(&!lit)
    }
}

impl Propagator for Watched {
    fn assigned(&mut self, lits: &[SatLit]) {
        self.trail.extend(lits);
        self.theory.assigned(lits);
    }

    fn new_level(&mut self) {
        self.levels.push(self.trail.len());
        self.theory.new_level();
    }

    fn backtrack(&mut self, level: usize) {
        self.trail.truncate(self.levels[level]);
        self.levels.truncate(level);
        self.theory.backtrack(level);
    }

    fn propagate(&mut self) -> Option<SatLit> {
        let lit = self.theory.propagate()?;
        self.propagated.push((lit, self.trail.len()));
        Some(lit)
    }

    fn reason(&mut self, lit: SatLit, clause: &mut Vec<SatLit>) {
        self.theory.reason(lit, clause);
        let &(_, then) = self.propagated.iter().rfind(|(other, _)| *other == lit).expect("it was propagated");
        assert!(clause.iter().all(|&other| other == lit || self.is_false(other, then.min(self.trail.len()))));
        assert_eq!(clause.iter().filter(|&&other| other == lit).count(), 1);
    }

    fn check_model(&mut self, model: &[SatLit]) -> bool {
        self.theory.check_model(model)
    }

    fn clause(&mut self, clause: &mut Vec<SatLit>) -> bool {
        let some = self.theory.clause(clause);
        assert!(!some || clause.iter().all(|&lit| self.is_false(lit, self.trail.len())));
        some
    }

    fn decide(&mut self) -> Option<SatLit> {
        self.theory.decide()
    }

    fn forgettable(&self) -> bool {
        self.theory.forgettable()
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum How {
    Theory(OrderOptions),
    Lazy,
}

fn all_ways() -> Vec<How> {
    let mut ways = vec![How::Lazy];
    for prevent in [true, false] {
        for decide in [Decide::Solver, Decide::Closest, Decide::ProgramOrder] {
            ways.push(How::Theory(OrderOptions { prevent, decide, forget: decide != Decide::Solver }));
        }
    }
    ways
}

/// A solver that takes the literals of a problem.
struct Models {
    solver: NativeSolver,
    pool: ExprPool,
    literals: Vec<SatLit>,
    theory: Option<Rc<RefCell<Watched>>>,
}

fn renamed(problem: &OrderProblem, names: impl Fn(SatLit) -> SatLit) -> OrderProblem {
    let mut problem = problem.clone();
    problem.writes.iter_mut().for_each(|write| write.guard = write.guard.map(&names));
    problem.reads.iter_mut().for_each(|read| read.guard = read.guard.map(&names));
    problem.read_froms.iter_mut().for_each(|read_from| read_from.lit = names(read_from.lit));
    problem.edges.iter_mut().for_each(|edge| edge.when = edge.when.map(&names));
    problem
}

impl Models {
    fn of(build: &Build, how: How) -> Models {
        let mut solver = NativeSolver::new();
        let literals: Vec<SatLit> = (0..build.literals).map(|_| solver.fresh_literal()).collect();
        let mut models = Models { solver, pool: ExprPool::new(), literals, theory: None };
        if let How::Theory(options) = how {
            let theory = OrderTheory::new(renamed(&build.problem, |lit| models.name(lit)), options);
            let lits = theory.literals();
            let watched = Watched { theory, trail: Vec::new(), levels: Vec::new(), propagated: Vec::new() };
            let theory = Rc::new(RefCell::new(watched));
            models.solver.connect(theory.clone());
            lits.into_iter().for_each(|lit| models.solver.observe(lit));
            models.theory = Some(theory);
        }
        for clause in &build.clauses {
            models.add(clause);
        }
        models
    }

    fn name(&self, lit: SatLit) -> SatLit {
        let named = self.literals[lit.0.unsigned_abs() as usize - 1];
        if lit.0 > 0 { named } else { !named }
    }

    fn add(&mut self, clause: &[SatLit]) {
        let clause: Vec<SatLit> = clause.iter().map(|&lit| self.name(lit)).collect();
        self.solver.add_clause(&clause);
    }

    /// The next assignment that is weakly sequentially consistent.
    fn next(&mut self, problem: &OrderProblem) -> Option<Vec<bool>> {
        loop {
            if self.solver.check(&self.pool, &[]) != Ok(Answer::Sat) {
                return None;
            }
            let literals = self.literals.clone();
            let model: Vec<bool> = literals.iter().map(|&lit| self.solver.literal_value(lit)).collect();
            let truth = |lit: SatLit| holds(&model, lit);
            let conflicts = lazy::conflicts(problem, &truth);
            assert_eq!(conflicts.is_empty(), check::weakly_consistent(problem, &truth));
            if conflicts.is_empty() {
                return Some(model);
            }
            assert!(self.theory.is_none(), "the theory lets no cycle pass");
            for clause in conflicts {
                assert!(clause.iter().all(|&lit| !truth(lit)));
                self.add(&clause);
            }
        }
    }
}

fn holds(model: &[bool], lit: SatLit) -> bool {
    model[lit.0.unsigned_abs() as usize - 1] == (lit.0 > 0)
}
