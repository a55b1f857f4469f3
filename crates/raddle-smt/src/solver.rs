//! What every solver can do, and how it says what it cannot.
//!
//! A solver keeps a stack of asserted formulas and answers whether they, and the assumptions of one check, can all be true.
//! Formulas are Bool expressions of a pool that the caller owns. One solver serves one pool: the ids that it gets must
//! all come from the same pool, which may grow between calls.

use raddle_budget::Budget;
use raddle_ir::{ExprId, ExprPool, Value};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The answer to one check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Sat,
    Unsat,
    Unknown(Why),
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// Somebody called [`Interrupt::stop`].
    Interrupted,
    /// The budget of conflicts is used up.
    Conflicts,
    /// The budget of CPU time is used up.
    Time,
    /// The solver gave up on its own account (only solvers that run as processes do).
    GaveUp,
}

/// Why a solver cannot do what it was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolverError {
    /// The solver has no such operation, sort or service.
    Unsupported(String),
    /// The solver's process died, hung, or said something that makes no sense; in its own words where there are any.
    Process { solver: String, message: String },
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverError::Unsupported(what) => write!(f, "the solver does not support {what}"),
            SolverError::Process { solver, message } => write!(f, "solver {solver}: {message}"),
        }
    }
}

impl std::error::Error for SolverError {}

/// Stops a running check: from any thread, or when the budget of the run is used up. Clones stop the same solver. It stays stopped until `clear`.
#[derive(Clone, Default, Debug)]
pub struct Interrupt {
    flag: Arc<AtomicBool>,
    budget: Option<Budget>,
}

impl Interrupt {
    pub fn new() -> Self {
        Self::default()
    }

    /// Heeds the budget of a run.
    pub fn of(budget: &Budget) -> Self {
        Interrupt { flag: Arc::default(), budget: Some(budget.clone()) }
    }

    pub fn stop(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    pub fn clear(&self) {
        self.flag.store(false, Ordering::Relaxed);
    }

    /// Has somebody said so, as far as is known without looking at the clock?
    pub fn was_told(&self) -> bool {
        self.flag.load(Ordering::Relaxed) || self.budget.as_ref().is_some_and(|budget| budget.whole_is_over().is_some())
    }

    pub fn is_stopped(&self) -> bool {
        let is_over = || self.budget.as_ref().is_some_and(|budget| budget.stop().is_some());
        self.was_told()
            || is_over() && {
                self.stop();
                true
            }
    }
}

/// What one check may use. The default is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Effort {
    pub conflicts: Option<u32>,
    /// CPU time of the thread that calls `check`; a solver that runs as a process counts elapsed time.
    pub time: Option<Duration>,
}

/// What a solver has done so far. A solver that does not know a figure leaves it at 0.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    pub checks: u64,
    pub variables: u64,
    pub clauses: u64,
    pub conflicts: u64,
    pub decisions: u64,
    pub propagations: u64,
    /// Nodes of the and-inverter graph.
    pub gates: u64,
}

/// A solver for formulas over the expressions of one pool.
pub trait Solver {
    /// Adds a formula to the current level.
    fn assert(&mut self, pool: &ExprPool, formula: ExprId) -> Result<(), SolverError>;

    /// Opens a level.
    fn push(&mut self) -> Result<(), SolverError>;

    /// Closes the newest level and forgets what was asserted in it. Without an open level, nothing happens.
    fn pop(&mut self) -> Result<(), SolverError>;

    /// Can all asserted formulas and the assumptions be true?
    fn check(&mut self, pool: &ExprPool, assumptions: &[ExprId]) -> Result<Answer, SolverError>;

    /// The value of an expression in the model that the last check found. It agrees with the evaluator on the model's values of the
    /// variables; a variable that no formula mentions is 0. Before a `Sat`, or after a change, every variable is 0.
    fn value(&mut self, pool: &ExprPool, expr: ExprId) -> Result<Value, SolverError>;

    /// Those assumptions of the last check that were enough for its `Unsat`, in the order in which they were given.
    fn failed(&mut self) -> Result<Vec<ExprId>, SolverError>;

    /// The handle that stops this solver.
    fn interrupt(&self) -> Interrupt;

    /// What each of the following checks may use.
    fn set_effort(&mut self, budget: Effort);

    fn statistics(&self) -> Statistics;
}

/// What comes of asking for interpolants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Interpolation {
    /// The parts can all be true at once.
    Sat,
    /// For the parts `A1 … An`, the n − 1 interpolants `I1 … In-1`: `A1` implies `I1`, `Ik ∧ Ak+1` implies `Ik+1`,
    /// `In-1 ∧ An` is false, and `Ik` mentions only variables that occur both in `A1 … Ak` and in `Ak+1 … An`.
    Interpolants(Vec<ExprId>),
    Unknown(Why),
}

/// A solver that can interpolate.
pub trait Interpolator {
    /// Sequence interpolants of formulas that contradict each other; with two formulas, the binary interpolant.
    fn interpolate(&mut self, pool: &mut ExprPool, parts: &[ExprId]) -> Result<Interpolation, SolverError>;

    fn interrupt(&self) -> Interrupt;

    fn set_effort(&mut self, budget: Effort);
}
