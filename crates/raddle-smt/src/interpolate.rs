//! Interpolants, natively: from CaDiCaL's proof to expressions.
//!
//! 1. `encode.rs`: each part becomes clauses of its own; shared are only the bits of variables that several parts mention.
//! 2. `proof.rs`: the proof with antecedents is recorded and trimmed to the resolutions that the empty clause needs.
//! 3. `label.rs`: one refutation gives the interpolants of all cuts, by McMillan's or Pudlák's system, as a circuit.
//! 4. `to_expr.rs`: the circuit becomes an expression over the shared variables.
//! 5. `lift.rs`: where a cheap check allows, a shorter one over words takes its place.
//!
//! In debug builds every sequence is checked by a fresh solver.

mod encode;
mod label;
mod lift;
mod proof;
mod to_expr;

pub use label::System;

use crate::limits::Limits;
use crate::native::NativeSolver;
use crate::solver::{Answer, Effort, Interpolation, Interpolator, Interrupt, Solver, SolverError, Why};
use cadical_sys::Status;
use encode::{Shared, encode};
use proof::{NoRefutation, Proof, Recorder, Refutation};
use raddle_ir::{ExprId, ExprPool};
use std::cell::RefCell;
use std::rc::Rc;

/// How to interpolate. The default is the best known setting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InterpolationOptions {
    pub system: System,
    /// Look for short interpolants over words.
    pub lift: bool,
    /// The SAT solver does not simplify.
    pub plain: bool,
}

impl Default for InterpolationOptions {
    fn default() -> Self {
        InterpolationOptions { system: System::default(), lift: true, plain: false }
    }
}

/// Figures about the last interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct InterpolationFigures {
    /// Clauses that the SAT solver derived.
    pub derived: usize,
    /// Clauses, original and derived, that the empty clause needs.
    pub needed: usize,
    /// How many interpolants were lifted to words.
    pub lifted: usize,
    /// The default options led to a proof that is not by resolution, and the plain ones were tried.
    pub retried: bool,
}

/// Interpolates by bit-blasting onto CaDiCaL in this process.
#[derive(Default)]
pub struct NativeInterpolator {
    pub options: InterpolationOptions,
    limits: Limits,
    budget: Effort,
    figures: InterpolationFigures,
}

/// Why there are no interpolants although nobody has found a model.
enum Failure {
    Stopped(Why),
    Error(SolverError),
    /// The proof has a step that is more than resolution.
    NotResolution,
}

impl From<Why> for Failure {
    fn from(why: Why) -> Self {
        Failure::Stopped(why)
    }
}

impl From<SolverError> for Failure {
    fn from(error: SolverError) -> Self {
        Failure::Error(error)
    }
}

impl From<NoRefutation> for Failure {
    fn from(none: NoRefutation) -> Self {
        match none {
            NoRefutation::Stopped(why) => Failure::Stopped(why),
            NoRefutation::NotResolution => Failure::NotResolution,
        }
    }
}

impl NativeInterpolator {
    pub fn new() -> Self {
        Self::default()
    }

    /// One that an interrupt stops which others use as well.
    pub fn stopped_by(interrupt: Interrupt) -> Self {
        NativeInterpolator { limits: Limits::new(interrupt), ..Self::default() }
    }

    pub fn with(options: InterpolationOptions) -> Self {
        NativeInterpolator { options, ..Self::default() }
    }

    /// Figures about the last interpolants.
    pub fn figures(&self) -> InterpolationFigures {
        self.figures
    }

    fn run(&mut self, pool: &mut ExprPool, parts: &[ExprId], plain: bool) -> Result<Interpolation, Failure> {
        let shared = Shared::new(pool, parts)?;
        let Some(refutation) = self.refute(pool, parts, &shared, plain)? else { return Ok(Interpolation::Sat) };
        self.figures.derived = refutation.recorded;
        self.figures.needed = refutation.nodes.len();
        let cuts = parts.len().saturating_sub(1) as u32;
        let stop = || self.limits.why();
        let (aig, interpolants) =
            label::interpolants(&refutation, shared.bits.len(), cuts, self.options.system, &stop)?;
        drop(refutation);
        let results = if self.options.lift {
            let bit_level = lift::BitLevel { aig: &aig, interpolants: &interpolants, shared: &shared };
            let (results, lifted) = lift::lift(pool, parts, &bit_level, &self.limits)?;
            self.figures.lifted = lifted;
            results
        } else {
            interpolants.iter().map(|&lit| to_expr::plan(&aig, &shared.bits, lit).build(pool)).collect()
        };
        debug_assert_eq!(wrong(pool, parts, &shared, &results), None);
        Ok(Interpolation::Interpolants(results))
    }

    /// A refutation of all parts together, or nothing if they can all be true.
    fn refute(
        &self,
        pool: &ExprPool,
        parts: &[ExprId],
        shared: &Shared,
        plain: bool,
    ) -> Result<Option<Refutation>, Failure> {
        let proof = Rc::new(RefCell::new(Proof::default()));
        let mut sat = self.limits.sat_solver();
        if plain {
            sat.configure("plain");
        }
        sat.connect_proof_tracer1(Recorder(proof.clone()), true, false);
        let mut last = shared.bits.len() as i32;
        let mut is_exact = true;
        for (part, &formula) in parts.iter().enumerate() {
            self.limits.check()?;
            proof.borrow_mut().part = part as u32;
            let encoded = encode(&mut sat, pool, formula, shared, last, &self.limits)?;
            last = encoded.last;
            is_exact &= encoded.is_exact;
        }
        if let Some(conflicts) = self.budget.conflicts {
            sat.limit("conflicts", conflicts.min(i32::MAX as u32) as i32);
        }
        match sat.solve() {
            Status::SATISFIABLE if is_exact => Ok(None),
            Status::SATISFIABLE => self.confirm(pool, parts).map(|()| None),
            Status::UNKNOWN => Err(self.limits.why().unwrap_or(Why::Conflicts).into()),
            Status::UNSATISFIABLE => {
                sat.conclude();
                sat.disconnect_proof_tracer1();
                drop(sat);
                let proof = proof.borrow();
                Ok(Some(proof.refutation(&|| self.limits.why())?))
            }
        }
    }

    /// The clauses about equal arrays have a model; has the formula?
    fn confirm(&self, pool: &ExprPool, parts: &[ExprId]) -> Result<(), Failure> {
        let mut solver = NativeSolver::stopped_by(self.limits.interrupt.clone());
        solver.set_effort(Effort { conflicts: self.budget.conflicts, time: self.limits.time_left() });
        match solver.check(pool, parts)? {
            Answer::Sat => Ok(()),
            Answer::Unknown(why) => Err(why.into()),
            Answer::Unsat => {
                let what = "interpolants that depend on what equal arrays hold at places that nobody mentions";
                Err(SolverError::Unsupported(what.to_string()).into())
            }
        }
    }
}

impl Interpolator for NativeInterpolator {
    fn interpolate(&mut self, pool: &mut ExprPool, parts: &[ExprId]) -> Result<Interpolation, SolverError> {
        self.limits.start(self.budget.time);
        self.figures = InterpolationFigures::default();
        let mut result = self.run(pool, parts, self.options.plain);
        if matches!(result, Err(Failure::NotResolution)) && !self.options.plain {
            self.figures.retried = true;
            result = self.run(pool, parts, true);
        }
        match result {
            Ok(interpolation) => Ok(interpolation),
            Err(Failure::Stopped(why)) => Ok(Interpolation::Unknown(why)),
            Err(Failure::Error(error)) => Err(error),
            Err(Failure::NotResolution) => {
                Err(SolverError::Unsupported("interpolants from a proof that is not by resolution".to_string()))
            }
        }
    }

    fn interrupt(&self) -> Interrupt {
        self.limits.interrupt.clone()
    }

    fn set_effort(&mut self, budget: Effort) {
        self.budget = budget;
    }
}

/// What is wrong with a sequence, if something is. A question that is too hard for a check counts as answered well.
fn wrong(pool: &mut ExprPool, parts: &[ExprId], shared: &Shared, interpolants: &[ExprId]) -> Option<String> {
    for (cut, &interpolant) in interpolants.iter().enumerate() {
        if let Some(var) = pool.vars(interpolant).into_iter().find(|var| !shared.is_shared_at(*var, cut as u32)) {
            return Some(format!("interpolant {cut} mentions {var:?}, which is not shared"));
        }
    }
    for (cut, &part) in parts.iter().enumerate() {
        let mut solver = NativeSolver::new();
        solver.set_effort(Effort { conflicts: Some(20_000), time: None });
        let mut formulas = vec![part];
        formulas.extend(cut.checked_sub(1).map(|before| interpolants[before]));
        formulas.extend(interpolants.get(cut).map(|&after| pool.not(after)));
        if solver.check(pool, &formulas).ok()? == Answer::Sat {
            return Some(format!("part {cut} does not lead to the interpolant behind it"));
        }
    }
    None
}
