//! The native solver: bit-blasting onto CaDiCaL in this process.
//!
//! Assertions are taken apart at the top: conjunctions are split, and an equality that says what a variable is makes the variable
//! another name for the other side (only outside of all levels, since a name cannot be taken back). Everything else becomes a
//! literal of the circuit. Levels and assumptions are assumptions of the SAT solver, so that what it learned stays; clauses exist only
//! for the cones that some query needed.
//!
//! Many checks of an engine are alike, so models and contradictions of the past are tried first (`models.rs`, `cores.rs`).
//!
//! Memory: what belongs to queries of the past stays in the circuit and the SAT solver until it outweighs the rest; then
//! both are built anew from the assertions (`rebuild_if_large`).

use crate::aig::Lit;
use crate::array_lemmas::array_lemmas;
use crate::blast::Blaster;
use crate::cnf::{Cnf, SatLit};
use crate::cores::Cores;
use crate::limits::Limits;
use crate::model::Model;
use crate::models::Models;
use crate::propagator::{Adapter, Propagator};
use crate::solver::{Answer, Effort, Interrupt, Solver, SolverError, Statistics, Why};
use cadical_sys::{CaDiCal, Status};
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, UnOp, Value};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::rc::Rc;

/// How much earlier queries may leave behind in any case. Every check that finds a model has to give a value to all of it, so that
/// keeping more costs more than blasting again what is asked again.
const LEFT_BEHIND: usize = 1 << 16;

pub struct NativeSolver {
    sat: CaDiCal,
    blaster: Blaster,
    cnf: Cnf,
    /// What was asserted: outside of all levels first, then one list for each open level.
    assertions: Vec<Vec<ExprId>>,
    /// For each open level, the literal that switches its assertions on.
    switches: Vec<SatLit>,
    failed: Vec<ExprId>,
    model: Option<Model>,
    found: Found,
    /// Models and cores of earlier checks. With arrays or a propagator a circuit's model is not yet a model, so none are kept.
    models: Models,
    cores: Cores,
    /// How much of the circuit and the variables the assertions of each level made; all else was made for queries.
    asserted: Vec<usize>,
    limits: Limits,
    budget: Effort,
    statistics: Statistics,
    /// Somebody outside knows literals of the SAT solver by their numbers, or added clauses: nothing can be built anew.
    numbered: bool,
    /// Assertions, with their levels, that were interrupted on their way into the SAT solver.
    unfinished: Vec<(usize, ExprId)>,
}

/// Where the model of the last check is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// There is none, or something changed since.
    Nothing,
    InSatSolver,
    Remembered(u32),
}

/// The version of the SAT solver inside.
pub fn native_version() -> String {
    format!("CaDiCaL {}", CaDiCal::version())
}

fn sat_solver(limits: &Limits) -> CaDiCal {
    let mut sat = limits.sat_solver();
    // Guessing all-true and the like costs as much as one of our checks.
    sat.set("lucky", 0);
    sat
}

impl Default for NativeSolver {
    fn default() -> Self {
        let limits = Limits::default();
        NativeSolver {
            sat: sat_solver(&limits),
            blaster: Blaster::default(),
            cnf: Cnf::lazy(),
            assertions: vec![Vec::new()],
            switches: Vec::new(),
            failed: Vec::new(),
            model: None,
            models: Models::default(),
            cores: Cores::default(),
            found: Found::Nothing,
            asserted: vec![0],
            limits,
            budget: Effort::default(),
            statistics: Statistics::default(),
            numbered: false,
            unfinished: Vec::new(),
        }
    }
}

impl NativeSolver {
    pub fn new() -> Self {
        Self::default()
    }

    /// A solver that an interrupt stops which others use as well.
    pub fn stopped_by(interrupt: Interrupt) -> Self {
        let limits = Limits::new(interrupt);
        NativeSolver { sat: sat_solver(&limits), limits, ..Self::default() }
    }

    /// Something changes: the model is gone.
    fn change(&mut self) {
        (self.model, self.found) = (None, Found::Nothing);
    }

    /// The literal of the SAT solver for a Bool expression: what a propagator sees of it.
    pub fn literal(&mut self, pool: &ExprPool, expr: ExprId) -> Result<SatLit, Why> {
        self.change();
        self.numbered = true;
        // The time of the last check is not that of this call.
        self.limits.start(None);
        let lit = self.blaster.literal(pool, expr, &self.limits)?;
        self.side_clauses();
        let result = self.cnf.literal(&mut self.sat, &self.blaster.aig, lit);
        self.cnf.complete(&mut self.sat, &self.blaster.aig, &self.limits)?;
        Ok(result)
    }

    /// Adds a clause over literals that `literal` gave.
    pub fn add_clause(&mut self, clause: &[SatLit]) {
        self.change();
        self.numbered = true;
        self.cnf.add(&mut self.sat, clause);
    }

    /// A new literal that stands for no expression.
    pub fn fresh_literal(&mut self) -> SatLit {
        self.numbered = true;
        self.cnf.fresh()
    }

    /// Connects a propagator; it takes part in all checks from now on. One that was connected before is disconnected.
    pub fn connect<P: Propagator + 'static>(&mut self, propagator: Rc<RefCell<P>>) {
        self.change();
        self.numbered = true;
        self.sat.connect_external_propagator(Adapter::new(propagator));
    }

    /// Disconnects the propagator. The clauses that it gave stay.
    pub fn disconnect(&mut self) {
        self.change();
        self.sat.disconnect_external_propagator();
    }

    /// The propagator is told about this literal's variable. Call it before a check, after `connect`.
    pub fn observe(&mut self, lit: SatLit) {
        self.change();
        self.sat.add_observed_var(lit.0.abs());
    }

    /// The value of a literal in the model that the last check found.
    pub fn literal_value(&mut self, lit: SatLit) -> bool {
        self.found == Found::InSatSolver && self.sat.val(lit.0.abs()).is_positive() == lit.0.is_positive()
    }

    fn side_clauses(&mut self) {
        for clause in std::mem::take(&mut self.blaster.side_clauses) {
            self.cnf.clause(&mut self.sat, &self.blaster.aig, &clause);
        }
    }

    /// Takes an assertion apart; `switch` is the level's literal.
    fn demand(&mut self, pool: &ExprPool, formula: ExprId, switch: Option<SatLit>) -> Result<(), Why> {
        let mut open = vec![(formula, true)];
        let mut seen: FxHashSet<(ExprId, bool)> = FxHashSet::default();
        while let Some((id, positive)) = open.pop() {
            // Conjunctions may share parts.
            if !seen.insert((id, positive)) {
                continue;
            }
            match (pool.get(id), positive) {
                (Expr::Unary(UnOp::Not, a), _) => open.push((a, !positive)),
                (Expr::Binary(BinOp::And, a, b), true) | (Expr::Binary(BinOp::Or, a, b), false) => {
                    open.extend([(b, positive), (a, positive)]);
                }
                (Expr::Binary(BinOp::Eq, a, b), true) if switch.is_none() && self.name(pool, a, b)? => {}
                (Expr::Var(_), _)
                    if switch.is_none() && self.blaster.bind_word(pool, id, &[Lit::constant(positive)]) => {}
                _ => {
                    let lit = self.blaster.literal(pool, id, &self.limits)? ^ !positive;
                    self.cnf.demand(&mut self.sat, &self.blaster.aig, lit, switch.map(|switch| !switch));
                    self.models.demand(&self.blaster.aig, lit);
                }
            }
        }
        self.side_clauses();
        Ok(())
    }

    /// Makes one side another name for the other if it is a variable that nobody has met, not even the other side.
    fn name(&mut self, pool: &ExprPool, a: ExprId, b: ExprId) -> Result<bool, Why> {
        for (variable, other) in [(a, b), (b, a)] {
            let Expr::Var(var) = pool.get(variable) else { continue };
            if self.blaster.is_met(var) {
                continue;
            }
            self.blaster.blast(pool, other, &self.limits)?;
            if self.blaster.bind(pool, variable, other) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn size(&self) -> usize {
        self.blaster.aig.len() + self.cnf.variables() as usize
    }

    /// Builds circuit and clauses anew if what earlier queries left behind is most of them.
    fn rebuild_if_large(&mut self) {
        let asserted: usize = self.asserted.iter().sum();
        let left_behind = self.size().saturating_sub(asserted);
        if self.numbered || left_behind <= LEFT_BEHIND || left_behind / 3 <= asserted {
            return;
        }
        self.statistics = self.statistics();
        self.sat = sat_solver(&self.limits);
        self.blaster = Blaster::default();
        self.cnf = Cnf::lazy();
        self.models.forget();
        self.cores.forget();
        self.unfinished.clear();
        for level in 0..self.assertions.len() {
            if level > 0 {
                self.switches[level - 1] = self.cnf.fresh();
            }
            self.asserted[level] = 0;
            self.unfinished.extend(self.assertions[level].iter().map(|formula| (level, *formula)));
        }
    }

    /// Gives the SAT solver what it has not got yet of the assertions.
    fn finish_assertions(&mut self, pool: &ExprPool) -> Result<(), Why> {
        self.unfinished.reverse();
        while let Some(&(level, formula)) = self.unfinished.last() {
            let switch = level.checked_sub(1).map(|level| self.switches[level]);
            let before = self.size();
            let done = self.demand(pool, formula, switch);
            self.asserted[level] += self.size() - before;
            if done.is_err() {
                self.unfinished.reverse();
                return done;
            }
            self.unfinished.pop();
        }
        Ok(())
    }

    fn solve(&mut self, assumptions: &[SatLit], conflicts: Option<i64>) -> Result<Answer, Why> {
        self.cnf.complete(&mut self.sat, &self.blaster.aig, &self.limits)?;
        for lit in self.switches.iter().chain(assumptions) {
            self.sat.assume(lit.0);
        }
        if let Some(conflicts) = conflicts {
            self.sat.limit("conflicts", conflicts.clamp(0, i32::MAX.into()) as i32);
        }
        Ok(match self.sat.solve() {
            Status::SATISFIABLE => Answer::Sat,
            Status::UNSATISFIABLE => Answer::Unsat,
            Status::UNKNOWN => Answer::Unknown(self.limits.why().unwrap_or(Why::Conflicts)),
        })
    }

    fn conflicts(&self) -> i64 {
        self.sat.get_statistic_value("conflicts").max(0)
    }

    fn answer(&mut self, pool: &ExprPool, assumptions: &[ExprId]) -> Result<Answer, Why> {
        self.rebuild_if_large();
        self.finish_assertions(pool)?;
        let mut assumed: Vec<(ExprId, Lit)> = Vec::with_capacity(assumptions.len());
        let mut seen: FxHashSet<Lit> = FxHashSet::default();
        for &assumption in assumptions {
            let lit = self.blaster.literal(pool, assumption, &self.limits)?;
            if lit.is(false) {
                self.failed.push(assumption);
                return Ok(Answer::Unsat);
            }
            if !lit.is(true) && seen.insert(lit) {
                assumed.push((assumption, lit));
            }
        }
        self.side_clauses();
        let lits: Vec<Lit> = assumed.iter().map(|(_, lit)| *lit).collect();
        if let Some(core) = self.cores.find(&lits) {
            let failed = assumed.iter().filter(|(_, lit)| core.binary_search(lit).is_ok());
            self.failed.extend(failed.map(|(assumption, _)| *assumption));
            return Ok(Answer::Unsat);
        }
        let plain = self.blaster.arrays.is_empty() && !self.numbered;
        if plain && let Some(model) = self.models.find(&self.blaster.aig, lits.iter().copied()) {
            self.found = Found::Remembered(model);
            return Ok(Answer::Sat);
        }
        let sat_lits: Vec<SatLit> =
            lits.iter().map(|&lit| self.cnf.literal(&mut self.sat, &self.blaster.aig, lit)).collect();
        let limit = self.budget.conflicts.map(|conflicts| self.conflicts() + i64::from(conflicts));
        loop {
            let conflicts = limit.map(|limit| limit - self.conflicts());
            let answer = self.solve(&sat_lits, conflicts)?;
            match answer {
                Answer::Sat if !self.blaster.arrays.is_empty() => {
                    let mut model = self.sat_model();
                    let lemmas = array_lemmas(&mut self.blaster, pool, &mut model);
                    if lemmas.is_empty() {
                        (self.model, self.found) = (Some(model), Found::InSatSolver);
                        return Ok(Answer::Sat);
                    }
                    for lemma in lemmas {
                        self.cnf.clause(&mut self.sat, &self.blaster.aig, &lemma);
                    }
                    self.side_clauses();
                    self.limits.check()?;
                }
                Answer::Sat => {
                    self.found = Found::InSatSolver;
                    if plain {
                        let (sat, cnf) = (&mut self.sat, &self.cnf);
                        let value = |node| cnf.variable(node).is_some_and(|lit| sat.val(lit.0) > 0);
                        self.found = Found::Remembered(self.models.add(&self.blaster.aig, value));
                    }
                    return Ok(Answer::Sat);
                }
                Answer::Unsat => {
                    let failed: Vec<usize> = (0..lits.len()).filter(|&i| self.sat.failed(sat_lits[i].0)).collect();
                    self.failed.extend(failed.iter().map(|&i| assumed[i].0));
                    if !self.numbered {
                        self.cores.add(failed.iter().map(|&i| lits[i]));
                    }
                    return Ok(Answer::Unsat);
                }
                _ => return Ok(answer),
            }
        }
    }

    /// The model that the last check found.
    fn found_model(&mut self) -> Model {
        match self.found {
            Found::Nothing => Model::default(),
            Found::InSatSolver => self.sat_model(),
            Found::Remembered(model) => Model::new(&self.blaster.aig, |input| self.models.value(input, model)),
        }
    }

    /// The model that the SAT solver has.
    fn sat_model(&mut self) -> Model {
        let (sat, cnf) = (&mut self.sat, &self.cnf);
        Model::new(&self.blaster.aig, |input| cnf.variable(input).is_some_and(|lit| sat.val(lit.0) > 0))
    }
}

impl Solver for NativeSolver {
    fn assert(&mut self, pool: &ExprPool, formula: ExprId) -> Result<(), SolverError> {
        self.change();
        self.limits.start(None);
        let level = self.switches.len();
        self.assertions[level].push(formula);
        self.unfinished.push((level, formula));
        // After an interrupt, the next check goes on.
        let _ = self.finish_assertions(pool);
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.change();
        let switch = self.cnf.fresh();
        self.switches.push(switch);
        self.assertions.push(Vec::new());
        self.asserted.push(0);
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.change();
        if let Some(switch) = self.switches.pop() {
            self.assertions.pop();
            self.asserted.pop();
            let levels = self.switches.len();
            self.unfinished.retain(|(level, _)| *level <= levels);
            self.cores.forget();
            self.cnf.add(&mut self.sat, &[!switch]);
        }
        Ok(())
    }

    fn check(&mut self, pool: &ExprPool, assumptions: &[ExprId]) -> Result<Answer, SolverError> {
        self.change();
        self.failed.clear();
        self.statistics.checks += 1;
        self.limits.start(self.budget.time);
        Ok(self.answer(pool, assumptions).unwrap_or_else(Answer::Unknown))
    }

    fn value(&mut self, pool: &ExprPool, expr: ExprId) -> Result<Value, SolverError> {
        if self.model.is_none() {
            self.model = Some(self.found_model());
        }
        let model = self.model.get_or_insert_default();
        Ok(model.value(&self.blaster, pool, expr))
    }

    fn failed(&mut self) -> Result<Vec<ExprId>, SolverError> {
        Ok(self.failed.clone())
    }

    fn interrupt(&self) -> Interrupt {
        self.limits.interrupt.clone()
    }

    fn set_effort(&mut self, budget: Effort) {
        self.budget = budget;
    }

    fn statistics(&self) -> Statistics {
        let count = |name| self.sat.get_statistic_value(name).max(0) as u64;
        // Those of SAT solvers that were given up are in `self.statistics`.
        let before = self.statistics;
        Statistics {
            checks: before.checks,
            variables: self.cnf.variables(),
            clauses: self.cnf.clauses(),
            conflicts: before.conflicts + count("conflicts"),
            decisions: before.decisions + count("decisions"),
            propagations: before.propagations + count("propagations"),
            gates: self.blaster.aig.len() as u64,
        }
    }
}
