//! Interpolants over integers for formulas over bit-vectors.
//!
//! Bit-blasted interpolants speak of bits; what a program's proof needs is mostly an inequality or an equation of sums. So the parts are translated to integers,
//! with every wrap in them (`translate.rs`), a solver that runs as a process interpolates there (`ask.rs`), and what it says is lifted back to
//! bit-vectors in widths in which nothing wraps (`lift.rs`). All stays bit-precise: the native solver checks each sequence before it is handed out.

mod ask;
mod lift;
mod ranges;
mod terms;
#[cfg(test)]
mod tests;
mod text;
mod translate;

use crate::native::NativeSolver;
use crate::smtlib::{DIALECTS, Dialect, FoundSolver, Interpolants, Patience, find_executable};
use crate::solver::{Answer, Effort, Interpolation, Interpolator, Interrupt, Solver, SolverError, Why};
use ask::{Asked, ask};
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, VarId};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use terms::{Term, TermId, Terms};

/// Interpolates over integers with a solver that runs as a process.
pub struct IntegerInterpolator {
    found: FoundSolver,
    patience: Patience,
    interrupt: Interrupt,
    budget: Effort,
}

/// Why there are no interpolants.
enum Ended {
    Unknown(Why),
    Error(SolverError),
}

/// Can it interpolate over integers?
pub fn interpolates_integers(dialect: &Dialect) -> bool {
    dialect.features.integers && dialect.features.interpolants != Interpolants::None
}

/// The first solver on PATH that interpolates over integers.
pub fn find_integer_solver() -> Option<FoundSolver> {
    let mut able = DIALECTS.iter().filter(|dialect| interpolates_integers(dialect));
    able.find_map(|dialect| Some(FoundSolver::at(*dialect, find_executable(dialect)?)))
}

impl IntegerInterpolator {
    /// One that an interrupt stops which others use as well.
    pub fn stopped_by(found: FoundSolver, patience: Patience, interrupt: Interrupt) -> IntegerInterpolator {
        IntegerInterpolator { found, patience, interrupt, budget: Effort::default() }
    }

    pub fn new(found: FoundSolver, patience: Patience) -> IntegerInterpolator {
        Self::stopped_by(found, patience, Interrupt::new())
    }

    fn run(&self, pool: &mut ExprPool, parts: &[ExprId]) -> Result<Interpolation, Ended> {
        let time = self.budget.time.unwrap_or(self.patience.check).min(Duration::from_secs(1 << 30));
        let deadline = Instant::now() + time;
        let mut translation = translate::translation(pool, parts);
        let mut translated = Vec::new();
        for part in parts {
            let term = translation.formula(*part);
            translated.push(with_ranges(&mut translation.terms, term));
        }
        let mut terms = translation.terms;
        let interpolants = match ask(self, &mut terms, &translated, deadline)? {
            Asked::Interpolants(interpolants) => interpolants,
            Asked::Sat => {
                return match beyond_integers(pool, &terms, &translated) {
                    Some(what) => Err(Ended::Error(SolverError::Unsupported(format!("{what} in integers")))),
                    None => Ok(Interpolation::Sat),
                };
            }
        };
        let mut lifted = Vec::new();
        for term in interpolants {
            let expr = lift::lift(pool, &terms, term);
            lifted.push(expr.ok_or_else(|| self.error("its interpolant takes more bits than there are"))?);
        }
        self.certify(pool, parts, &lifted, deadline)?;
        Ok(Interpolation::Interpolants(lifted))
    }

    fn error(&self, message: impl Into<String>) -> Ended {
        Ended::Error(self.found.error(message))
    }

    /// Checks everything that [`Interpolation::Interpolants`] promises, of bit-vectors.
    fn certify(
        &self,
        pool: &mut ExprPool,
        parts: &[ExprId],
        interpolants: &[ExprId],
        deadline: Instant,
    ) -> Result<(), Ended> {
        let vars_of = |pool: &ExprPool, parts: &[ExprId]| -> BTreeSet<VarId> {
            let mut vars = BTreeSet::new();
            pool.for_each_node(parts, |_, expr| {
                if let Expr::Var(var) = expr {
                    vars.insert(var);
                }
            });
            vars
        };
        let mut solver = NativeSolver::stopped_by(self.interrupt.clone());
        for (i, &part) in parts.iter().enumerate() {
            let mut formulas = vec![part];
            formulas.extend(i.checked_sub(1).map(|before| interpolants[before]));
            formulas.extend(interpolants.get(i).map(|&after| pool.not(after)));
            let time = deadline.saturating_duration_since(Instant::now());
            solver.set_effort(Effort { conflicts: self.budget.conflicts, time: Some(time) });
            match solver.check(pool, &formulas).map_err(Ended::Error)? {
                Answer::Unsat => {}
                Answer::Sat => return Err(self.error(format!("part {i} does not lead to its interpolant"))),
                Answer::Unknown(why) => return Err(Ended::Unknown(why)),
            }
            if let Some(&after) = interpolants.get(i) {
                let (left, right) = (vars_of(pool, &parts[..=i]), vars_of(pool, &parts[i + 1..]));
                if !pool.vars(after).iter().all(|var| left.contains(var) && right.contains(var)) {
                    return Err(self.error("its interpolant has variables that are not shared"));
                }
            }
        }
        Ok(())
    }
}

/// The leaves of a term.
fn leaves(terms: &Terms, root: TermId) -> impl Iterator<Item = TermId> {
    terms.below(root).into_iter().filter(|id| matches!(terms.get(*id), Term::Value(..) | Term::Holds(_)))
}

/// A formula, and that the leaves in it are in their ranges.
fn with_ranges(terms: &mut Terms, formula: TermId) -> TermId {
    let values: Vec<TermId> = leaves(terms, formula).filter(|id| terms.is_int(*id)).collect();
    values.into_iter().fold(formula, |all, leaf| {
        let within = terms.is_in_range(leaf);
        terms.and(all, within)
    })
}

/// What the translation leaves open, in words.
fn beyond_integers(pool: &ExprPool, terms: &Terms, parts: &[TermId]) -> Option<String> {
    let exprs = parts.iter().flat_map(|part| leaves(terms, *part)).filter_map(|id| match terms.get(id) {
        Term::Value(expr, _) | Term::Holds(expr) => Some(expr),
        _ => None,
    });
    exprs.map(|expr| pool.get(expr)).find(|expr| !matches!(expr, Expr::Var(_))).map(operator)
}

/// What an expression does, in words.
fn operator(expr: Expr) -> String {
    match expr {
        Expr::Unary(op, _) => format!("{op:?}"),
        Expr::Binary(op @ (BinOp::Shl | BinOp::LShr | BinOp::AShr), ..) => {
            format!("{op:?} by a value that is not constant")
        }
        Expr::Binary(op @ (BinOp::BvUDiv | BinOp::BvURem | BinOp::BvSDiv | BinOp::BvSRem), ..) => {
            format!("{op:?} by a value that is not constant")
        }
        Expr::Binary(op @ (BinOp::BvAnd | BinOp::BvOr | BinOp::BvXor), ..) => format!("{op:?} of two values"),
        Expr::Binary(BinOp::Eq, ..) => "Eq of arrays, floats or wide values".to_string(),
        Expr::Binary(op, ..) => format!("{op:?}"),
        Expr::Select(..) | Expr::Store(..) | Expr::ConstArray { .. } => "memory that is read".to_string(),
        other => {
            let text = format!("{other:?}");
            text.split([' ', '(', '{']).next().unwrap_or("an operation").to_string()
        }
    }
}

impl Interpolator for IntegerInterpolator {
    fn interpolate(&mut self, pool: &mut ExprPool, parts: &[ExprId]) -> Result<Interpolation, SolverError> {
        if !interpolates_integers(&self.found.dialect) {
            return Err(SolverError::Unsupported("interpolation over integers".to_string()));
        }
        if self.interrupt.is_stopped() {
            return Ok(Interpolation::Unknown(Why::Interrupted));
        }
        match self.run(pool, parts) {
            Ok(interpolation) => Ok(interpolation),
            Err(Ended::Unknown(why)) => Ok(Interpolation::Unknown(why)),
            Err(Ended::Error(error)) => Err(error),
        }
    }

    fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    fn set_effort(&mut self, budget: Effort) {
        self.budget = budget;
    }
}
