//! Where clauses go: into the native solver, which takes literals and a propagator, or into any other solver, which takes formulas.

use crate::symbolic::symbols::Symbols;
use raddle_ir::{ExprId, ExprPool, Sort};
use raddle_smt::{Answer, Effort, NativeSolver, SatLit, Solver, SolverError, Statistics, Why};
use rustc_hash::FxHashMap;

pub trait Backend {
    /// The literal of a Bool expression.
    fn literal(&mut self, pool: &ExprPool, expr: ExprId) -> Result<SatLit, Why>;
    /// A literal that stands for nothing yet.
    fn fresh_literal(&mut self, symbols: &mut Symbols) -> SatLit;
    fn add_clause(&mut self, pool: &mut ExprPool, clause: &[SatLit]);
    fn assert(&mut self, pool: &ExprPool, formula: ExprId);
    /// Can the goal be true with everything that was added?
    fn check(&mut self, pool: &ExprPool, goal: ExprId) -> Result<Answer, SolverError>;
    /// Values in the model of the last check.
    fn literal_value(&mut self, pool: &ExprPool, lit: SatLit) -> bool;
    fn value(&mut self, pool: &ExprPool, expr: ExprId) -> u128;
    fn set_effort(&mut self, budget: Effort);
    fn statistics(&self) -> Statistics;
    /// The native solver, if it is one: only there can a propagator take part.
    fn native(&mut self) -> Option<&mut NativeSolver>;
}

impl Backend for NativeSolver {
    fn literal(&mut self, pool: &ExprPool, expr: ExprId) -> Result<SatLit, Why> {
        NativeSolver::literal(self, pool, expr)
    }

    fn fresh_literal(&mut self, _symbols: &mut Symbols) -> SatLit {
        NativeSolver::fresh_literal(self)
    }

    fn add_clause(&mut self, _pool: &mut ExprPool, clause: &[SatLit]) {
        NativeSolver::add_clause(self, clause);
    }

    fn assert(&mut self, pool: &ExprPool, formula: ExprId) {
        // It never fails; an interrupt is heard in the next check.
        let _ = Solver::assert(self, pool, formula);
    }

    fn check(&mut self, pool: &ExprPool, goal: ExprId) -> Result<Answer, SolverError> {
        Solver::check(self, pool, &[goal])
    }

    fn literal_value(&mut self, _pool: &ExprPool, lit: SatLit) -> bool {
        NativeSolver::literal_value(self, lit)
    }

    fn value(&mut self, pool: &ExprPool, expr: ExprId) -> u128 {
        Solver::value(self, pool, expr).map_or(0, |value| value.bits())
    }

    fn set_effort(&mut self, budget: Effort) {
        Solver::set_effort(self, budget);
    }

    fn statistics(&self) -> Statistics {
        Solver::statistics(self)
    }

    fn native(&mut self) -> Option<&mut NativeSolver> {
        Some(self)
    }
}

/// Any solver: a literal is a number for a Bool expression.
pub struct ByFormulas {
    solver: Box<dyn Solver>,
    exprs: Vec<ExprId>,
    numbers: FxHashMap<ExprId, i32>,
    /// The first thing that the solver could not do; told by the next check.
    failed: Option<SolverError>,
}

impl ByFormulas {
    pub fn new(solver: Box<dyn Solver>) -> ByFormulas {
        ByFormulas { solver, exprs: Vec::new(), numbers: FxHashMap::default(), failed: None }
    }

    fn number(&mut self, expr: ExprId) -> SatLit {
        let next = self.exprs.len() as i32 + 1;
        let number = *self.numbers.entry(expr).or_insert(next);
        if number == next {
            self.exprs.push(expr);
        }
        SatLit(number)
    }

    fn expr(&self, lit: SatLit) -> ExprId {
        self.exprs[lit.0.unsigned_abs() as usize - 1]
    }
}

impl Backend for ByFormulas {
    fn literal(&mut self, _pool: &ExprPool, expr: ExprId) -> Result<SatLit, Why> {
        Ok(self.number(expr))
    }

    fn fresh_literal(&mut self, symbols: &mut Symbols) -> SatLit {
        let symbol = symbols.fresh(Sort::Bool);
        self.number(symbol)
    }

    fn add_clause(&mut self, pool: &mut ExprPool, clause: &[SatLit]) {
        let no = pool.bool(false);
        let formula = clause.iter().fold(no, |any, lit| {
            let expr = self.expr(*lit);
            let expr = if lit.0 < 0 { pool.not(expr) } else { expr };
            pool.or(any, expr)
        });
        self.assert(pool, formula);
    }

    fn assert(&mut self, pool: &ExprPool, formula: ExprId) {
        if let Err(error) = self.solver.assert(pool, formula) {
            self.failed.get_or_insert(error);
        }
    }

    fn check(&mut self, pool: &ExprPool, goal: ExprId) -> Result<Answer, SolverError> {
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.solver.check(pool, &[goal]),
        }
    }

    fn literal_value(&mut self, pool: &ExprPool, lit: SatLit) -> bool {
        let expr = self.expr(lit);
        (self.value(pool, expr) != 0) == (lit.0 > 0)
    }

    fn value(&mut self, pool: &ExprPool, expr: ExprId) -> u128 {
        match self.solver.value(pool, expr) {
            Ok(value) => value.bits(),
            Err(error) => {
                self.failed.get_or_insert(error);
                0
            }
        }
    }

    fn set_effort(&mut self, budget: Effort) {
        self.solver.set_effort(budget);
    }

    fn statistics(&self) -> Statistics {
        self.solver.statistics()
    }

    fn native(&mut self) -> Option<&mut NativeSolver> {
        None
    }
}
