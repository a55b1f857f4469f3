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
//! both are built anew from the assertions (`rebuild`).

use crate::aig::{Aig, Lit, Node};
use crate::arrays::End;
use crate::blast::Blaster;
use crate::cnf::{Cnf, SatLit};
use crate::cores::Cores;
use crate::models::Models;
use crate::propagator::{Adapter, Propagator};
use crate::solver::{Answer, Budget, Interrupt, Solver, SolverError, Statistics, Why};
use crate::words;
use cadical_sys::{CaDiCal, Status, Terminator};
use nix::time::{ClockId, clock_gettime};
use raddle_ir::{ArrayValue, BinOp, Expr, ExprId, ExprPool, Sort, UnOp, Value, VarId, eval};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

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
    /// Models and cores of earlier checks. With arrays or a propagator a circuit's model is not yet a model, so none are kept.
    models: Models,
    cores: Cores,
    /// Which of the models the last check ended with.
    remembered: Option<u32>,
    /// How much of the circuit and the variables the assertions made, all else was made for queries.
    asserted: usize,
    interrupt: Interrupt,
    deadline: Rc<Cell<Option<Duration>>>,
    budget: Budget,
    statistics: Statistics,
    propagating: bool,
    /// An interrupt came while an assertion was blasted: not everything that was asserted is there.
    incomplete: bool,
}

/// The values of the circuit's nodes in the model that was found last, as far as somebody asked.
#[derive(Default)]
struct Model {
    values: Vec<Option<bool>>,
    /// The array variables that are no other name for something.
    arrays: FxHashMap<VarId, Arc<ArrayValue>>,
}

/// Asked by CaDiCaL every now and then whether to stop.
struct Stop {
    interrupt: Interrupt,
    deadline: Rc<Cell<Option<Duration>>>,
}

impl Terminator for Stop {
    fn terminated(&mut self) -> bool {
        self.interrupt.is_stopped() || self.deadline.get().is_some_and(|deadline| thread_time() >= deadline)
    }
}

fn thread_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map(Duration::from).unwrap_or_default()
}

/// The version of the SAT solver inside.
pub fn native_version() -> String {
    format!("CaDiCaL {}", CaDiCal::version())
}

fn sat_solver(interrupt: &Interrupt, deadline: &Rc<Cell<Option<Duration>>>) -> CaDiCal {
    let mut sat = CaDiCal::new();
    // Guessing all-true and the like costs as much as many of our checks (`cargo bench`: a quarter of the time).
    sat.set("lucky", 0);
    sat.connect_terminator(Stop { interrupt: interrupt.clone(), deadline: deadline.clone() });
    sat
}

impl Default for NativeSolver {
    fn default() -> Self {
        let (interrupt, deadline) = (Interrupt::new(), Rc::new(Cell::new(None)));
        NativeSolver {
            sat: sat_solver(&interrupt, &deadline),
            blaster: Blaster::default(),
            cnf: Cnf::lazy(),
            assertions: vec![Vec::new()],
            switches: Vec::new(),
            failed: Vec::new(),
            model: None,
            models: Models::default(),
            cores: Cores::default(),
            remembered: None,
            asserted: 0,
            interrupt,
            deadline,
            budget: Budget::default(),
            statistics: Statistics::default(),
            propagating: false,
            incomplete: false,
        }
    }
}

impl NativeSolver {
    pub fn new() -> Self {
        Self::default()
    }

    /// The literal of the SAT solver for a Bool expression: what a propagator sees of it.
    pub fn literal(&mut self, pool: &ExprPool, expr: ExprId) -> Result<SatLit, Why> {
        (self.model, self.remembered) = (None, None);
        let lit = self.blaster.literal(pool, expr, &self.interrupt)?;
        self.side_clauses();
        let result = self.cnf.literal(&mut self.sat, &self.blaster.aig, lit);
        self.cnf.complete(&mut self.sat, &self.blaster.aig, &self.interrupt)?;
        Ok(result)
    }

    /// Adds a clause over literals that `literal` gave.
    pub fn add_clause(&mut self, clause: &[SatLit]) {
        (self.model, self.remembered) = (None, None);
        self.models.forget();
        self.cnf.add(&mut self.sat, clause);
    }

    /// A new literal that stands for no expression.
    pub fn fresh_literal(&mut self) -> SatLit {
        self.cnf.fresh()
    }

    /// Connects a propagator; it takes part in all checks from now on. One that was connected before is disconnected.
    pub fn connect<P: Propagator + 'static>(&mut self, propagator: Rc<RefCell<P>>) {
        self.propagating = true;
        self.sat.connect_external_propagator(Adapter::new(propagator));
    }

    pub fn disconnect(&mut self) {
        self.propagating = false;
        self.sat.disconnect_external_propagator();
    }

    /// The propagator is told about this literal's variable. Call it before a check, after `connect`.
    pub fn observe(&mut self, lit: SatLit) {
        self.sat.add_observed_var(lit.0.abs());
    }

    /// The value of a literal in the model that the last check found.
    pub fn literal_value(&mut self, lit: SatLit) -> bool {
        self.sat.status() == Status::SATISFIABLE && self.sat.val(lit.0.abs()).is_positive() == lit.0.is_positive()
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
                    let lit = self.blaster.literal(pool, id, &self.interrupt)? ^ !positive;
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
            self.blaster.blast(pool, other, &self.interrupt)?;
            if self.blaster.bind(pool, variable, other) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn size(&self) -> usize {
        self.blaster.aig.len() + self.cnf.variables() as usize
    }

    /// Builds circuit and clauses anew if what earlier queries left behind is most of them, or if something is missing. A
    /// propagator knows the literals by number, so with one connected nothing is built anew.
    fn rebuild_if_needed(&mut self, pool: &ExprPool) -> Result<(), Why> {
        let left_behind = self.size().saturating_sub(self.asserted);
        let is_large = left_behind > LEFT_BEHIND && left_behind / 3 > self.asserted;
        if !self.incomplete && (self.propagating || !is_large) {
            return Ok(());
        }
        self.incomplete = true;
        self.statistics = self.statistics();
        self.sat = sat_solver(&self.interrupt, &self.deadline);
        self.blaster = Blaster::default();
        self.cnf = Cnf::lazy();
        self.models.forget();
        self.cores.forget();
        for level in 0..self.assertions.len() {
            let switch = (level > 0).then(|| self.cnf.fresh());
            if let Some(switch) = switch {
                self.switches[level - 1] = switch;
            }
            for formula in self.assertions[level].clone() {
                self.demand(pool, formula, switch)?;
            }
        }
        self.asserted = self.size();
        self.incomplete = false;
        Ok(())
    }

    fn solve(&mut self, assumptions: &[SatLit], conflicts: Option<i64>) -> Result<Answer, Why> {
        self.cnf.complete(&mut self.sat, &self.blaster.aig, &self.interrupt)?;
        for lit in self.switches.iter().chain(assumptions) {
            self.sat.assume(lit.0);
        }
        if let Some(conflicts) = conflicts {
            self.sat.limit("conflicts", conflicts.clamp(0, i32::MAX.into()) as i32);
        }
        Ok(match self.sat.solve() {
            Status::SATISFIABLE => Answer::Sat,
            Status::UNSATISFIABLE => Answer::Unsat,
            Status::UNKNOWN => Answer::Unknown(self.why()),
        })
    }

    /// Why the SAT solver stopped without an answer.
    fn why(&self) -> Why {
        match () {
            () if self.interrupt.is_stopped() => Why::Interrupted,
            () if self.deadline.get().is_some_and(|deadline| thread_time() >= deadline) => Why::Time,
            () => Why::Conflicts,
        }
    }

    fn conflicts(&self) -> i64 {
        self.sat.get_statistic_value("conflicts").max(0)
    }

    fn answer(&mut self, pool: &ExprPool, assumptions: &[ExprId]) -> Result<Answer, Why> {
        self.rebuild_if_needed(pool)?;
        let mut assumed: Vec<(ExprId, Lit)> = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            let lit = self.blaster.literal(pool, assumption, &self.interrupt)?;
            if lit.is(false) {
                self.failed.push(assumption);
                return Ok(Answer::Unsat);
            }
            if !lit.is(true) && assumed.iter().all(|(_, other)| *other != lit) {
                assumed.push((assumption, lit));
            }
        }
        self.side_clauses();
        let lits: Vec<Lit> = assumed.iter().map(|(_, lit)| *lit).collect();
        if let Some(core) = self.cores.find(&lits) {
            let failed = assumed.iter().filter(|(_, lit)| core.contains(lit));
            self.failed.extend(failed.map(|(assumption, _)| *assumption));
            return Ok(Answer::Unsat);
        }
        let plain = self.blaster.arrays.is_empty() && !self.propagating;
        if plain {
            self.remembered = self.models.find(&self.blaster.aig, lits.iter().copied());
            if self.remembered.is_some() {
                return Ok(Answer::Sat);
            }
        }
        let sat_lits: Vec<SatLit> =
            lits.iter().map(|&lit| self.cnf.literal(&mut self.sat, &self.blaster.aig, lit)).collect();
        let limit = self.budget.conflicts.map(|conflicts| self.conflicts() + i64::from(conflicts));
        loop {
            let conflicts = limit.map(|limit| limit - self.conflicts());
            let answer = self.solve(&sat_lits, conflicts)?;
            match answer {
                Answer::Sat if !self.blaster.arrays.is_empty() => {
                    if !self.array_lemmas(pool) {
                        return Ok(Answer::Sat);
                    }
                    if self.interrupt.is_stopped() {
                        return Err(Why::Interrupted);
                    }
                }
                Answer::Sat => {
                    if plain {
                        let (sat, cnf) = (&mut self.sat, &self.cnf);
                        let value = |node| cnf.variable(node).is_some_and(|lit| sat.val(lit.0) > 0);
                        self.remembered = Some(self.models.add(&self.blaster.aig, value));
                    }
                    return Ok(Answer::Sat);
                }
                Answer::Unsat => {
                    let failed: Vec<usize> = (0..lits.len()).filter(|&i| self.sat.failed(sat_lits[i].0)).collect();
                    self.failed.extend(failed.iter().map(|&i| assumed[i].0));
                    if !self.propagating {
                        self.cores.add(failed.iter().map(|&i| lits[i]));
                    }
                    return Ok(Answer::Unsat);
                }
                _ => return Ok(answer),
            }
        }
    }

    /// Tells the SAT solver what its model gets wrong about arrays; `false` if nothing.
    fn array_lemmas(&mut self, pool: &ExprPool) -> bool {
        let mut model = self.read_model();
        let mut lemmas: Vec<Vec<Lit>> = Vec::new();
        // The first read that ends at a place of an array variable: what it is there, all others must be.
        let mut at: FxHashMap<(ExprId, u128), usize> = FxHashMap::default();
        for read in 0..self.blaster.arrays.reads.len() {
            let mut value = |aig: &Aig, word: &[Lit]| model.word(aig, word);
            match self.blaster.end_of(pool, read, &mut value) {
                End::Word(word) => {
                    if model.word(&self.blaster.aig, &word) != self.read_value(&mut model, read) {
                        let mut value = |aig: &Aig, word: &[Lit]| model.word(aig, word);
                        self.blaster.array_lemmas(pool, read, &mut value, &mut lemmas);
                    }
                }
                End::Variable(array) => {
                    let index = model.word(&self.blaster.aig, &self.blaster.arrays.reads[read].index);
                    let is = self.read_value(&mut model, read);
                    let first = *at.entry((array, index)).or_insert(read);
                    if self.read_value(&mut model, first) != is {
                        let mut value = |aig: &Aig, word: &[Lit]| model.word(aig, word);
                        let a = self.blaster.array_lemmas(pool, first, &mut value, &mut lemmas);
                        let b = self.blaster.array_lemmas(pool, read, &mut value, &mut lemmas);
                        if let (Some(a), Some(b)) = (a, b)
                            && a != b
                        {
                            let Blaster { aig, arrays, .. } = &mut self.blaster;
                            lemmas.push(arrays.congruence(aig, a, b));
                        }
                    } else if let Expr::Var(var) = pool.get(array) {
                        model.array(&self.blaster, var, array).set(index, is);
                    }
                }
            }
        }
        if lemmas.is_empty() {
            lemmas = self.equality_lemmas(pool, &mut model, &at);
        }
        let wrong = !lemmas.is_empty();
        for lemma in lemmas {
            self.cnf.clause(&mut self.sat, &self.blaster.aig, &lemma);
        }
        self.side_clauses();
        self.model = (!wrong).then_some(model);
        wrong
    }

    fn read_value(&self, model: &mut Model, read: usize) -> u128 {
        model.word(&self.blaster.aig, &self.blaster.arrays.reads[read].value)
    }

    /// For equalities that the model takes for true: where do the arrays of the model differ?
    fn equality_lemmas(
        &mut self,
        pool: &ExprPool,
        model: &mut Model,
        at: &FxHashMap<(ExprId, u128), usize>,
    ) -> Vec<Vec<Lit>> {
        let mut lemmas = Vec::new();
        let mut decided: FxHashMap<ExprId, Vec<(usize, u128)>> = FxHashMap::default();
        for (&(array, index), &read) in at {
            decided.entry(array).or_default().push((read, index));
        }
        // A variable that is said to be equal to something takes its other places from there.
        for _ in 0..self.blaster.arrays.equalities.len() {
            let mut changed = false;
            for i in 0..self.blaster.arrays.equalities.len() {
                let equality = &self.blaster.arrays.equalities[i];
                let (equal, (a, b)) = (equality.equal, equality.arrays);
                if model.word(&self.blaster.aig, &[equal]) == 0 {
                    continue;
                }
                for (variable, other) in [(a, b), (b, a)] {
                    let Expr::Var(var) = pool.get(variable) else { continue };
                    if self.blaster.arrays.bound.contains_key(&var) {
                        continue;
                    }
                    let Value::Array(other) = model.value(&self.blaster, pool, other) else { continue };
                    let before = model.array(&self.blaster, var, variable).clone();
                    let mut known = before.clone();
                    if known.default == 0 && other.default != 0 {
                        known = ArrayValue::constant(other.default);
                    }
                    other.entries.iter().for_each(|(index, value)| known.set(*index, *value));
                    // What the SAT solver has decided stays.
                    for &(read, index) in decided.get(&variable).into_iter().flatten() {
                        known.set(index, self.read_value(model, read));
                    }
                    changed |= known != before;
                    model.arrays.insert(var, Arc::new(known));
                }
            }
            if !changed {
                break;
            }
        }
        for i in 0..self.blaster.arrays.equalities.len() {
            let equality = &self.blaster.arrays.equalities[i];
            let (equal, arrays) = (equality.equal, equality.arrays);
            if model.word(&self.blaster.aig, &[equal]) == 0 {
                continue;
            }
            let Sort::Array { index: width, .. } = pool.sort(arrays.0) else { continue };
            let values = (model.value(&self.blaster, pool, arrays.0), model.value(&self.blaster, pool, arrays.1));
            let (Value::Array(a), Value::Array(b)) = values else { continue };
            if let Some(index) = difference(&a, &b, width) {
                // The index of a store or a read, if it is one: what it is in the next model may differ.
                let mut places = self.blaster.places(pool, arrays.0);
                places.extend(self.blaster.places(pool, arrays.1));
                let reads = self.blaster.arrays.reads.iter().map(|read| &read.index);
                places.extend(reads.filter(|place| place.len() == usize::from(width)).cloned());
                let place = places.into_iter().find(|place| model.word(&self.blaster.aig, place) == index);
                let place = place.unwrap_or_else(|| words::constant(width.into(), index));
                let same = self.blaster.equal_at(pool, arrays, place);
                lemmas.push(vec![!equal, same]);
            }
        }
        lemmas
    }

    /// The model that the last check found; nothing if it found none, or if something changed since.
    fn found_model(&mut self) -> Model {
        match self.remembered {
            Some(model) => {
                let mut values = vec![None; self.blaster.aig.len()];
                for &input in self.blaster.aig.inputs() {
                    values[input as usize] = Some(self.models.value(input, model));
                }
                Model { values, arrays: FxHashMap::default() }
            }
            None if self.sat.status() == Status::SATISFIABLE => self.read_model(),
            None => Model::default(),
        }
    }

    /// The model that the SAT solver has.
    fn read_model(&mut self) -> Model {
        let mut values = vec![None; self.blaster.aig.len()];
        for &input in self.blaster.aig.inputs() {
            let value = self.cnf.variable(input).is_some_and(|lit| self.sat.val(lit.0) > 0);
            values[input as usize] = Some(value);
        }
        Model { values, arrays: FxHashMap::default() }
    }
}

/// An index at which two arrays differ.
fn difference(a: &ArrayValue, b: &ArrayValue, width: u8) -> Option<u128> {
    let mut keys = a.entries.keys().chain(b.entries.keys());
    if let Some(&index) = keys.find(|index| a.get(**index) != b.get(**index)) {
        return Some(index);
    }
    if a.default == b.default {
        return None;
    }
    (0..=eval::mask(width)).find(|index| !a.entries.contains_key(index) && !b.entries.contains_key(index))
}

impl Model {
    fn lit(&mut self, aig: &Aig, lit: Lit) -> bool {
        if self.values.len() < aig.len() {
            self.values.resize(aig.len(), None);
        }
        let mut open = vec![lit.node()];
        while let Some(&node) = open.last() {
            if self.values[node as usize].is_some() {
                open.pop();
                continue;
            }
            let value = match aig.get(node) {
                // The SAT solver does not know this input: anything goes.
                Node::False | Node::Input => Some(false),
                Node::And(a, b) => {
                    let read = |lit: Lit| self.values[lit.node() as usize].map(|value| value != lit.is_inverted());
                    match (read(a), read(b)) {
                        (Some(false), _) | (_, Some(false)) => Some(false),
                        (Some(true), Some(true)) => Some(true),
                        (None, _) => {
                            open.push(a.node());
                            None
                        }
                        (_, None) => {
                            open.push(b.node());
                            None
                        }
                    }
                }
            };
            if value.is_some() {
                self.values[node as usize] = value;
                open.pop();
            }
        }
        self.values[lit.node() as usize] == Some(!lit.is_inverted())
    }

    /// The array that a variable is: for a start, its default everywhere.
    fn array(&mut self, blaster: &Blaster, var: VarId, expr: ExprId) -> &mut ArrayValue {
        let default = match self.arrays.contains_key(&var) {
            true => 0,
            false => blaster.arrays.known_default(expr).map_or(0, |word| self.word(&blaster.aig, word)),
        };
        Arc::make_mut(self.arrays.entry(var).or_insert_with(|| Arc::new(ArrayValue::constant(default))))
    }

    fn word(&mut self, aig: &Aig, word: &[Lit]) -> u128 {
        word.iter().rev().fold(0, |value, &lit| value << 1 | u128::from(self.lit(aig, lit)))
    }

    /// The value of an expression: by the evaluator, on the values of the variables.
    fn value(&mut self, blaster: &Blaster, pool: &ExprPool, expr: ExprId) -> Value {
        let mut env = |var: VarId| -> Result<Value, Infallible> {
            if let Some(&other) = blaster.arrays.bound.get(&var) {
                return Ok(self.value(blaster, pool, other));
            }
            Ok(match blaster.variable(var) {
                Some((sort, word)) if sort.bits().is_some() => Value::Bits(self.word(&blaster.aig, word)),
                Some(_) => {
                    let array = pool.find(Expr::Var(var)).map(|expr| self.array(blaster, var, expr).clone());
                    Value::Array(Arc::new(array.unwrap_or_default()))
                }
                None => {
                    let is_array = pool.find(Expr::Var(var)).is_some_and(|id| pool.sort(id).bits().is_none());
                    if is_array { Value::Array(Arc::default()) } else { Value::Bits(0) }
                }
            })
        };
        match eval::eval(pool, expr, &mut env) {
            Ok(value) => value,
        }
    }
}

impl Solver for NativeSolver {
    fn assert(&mut self, pool: &ExprPool, formula: ExprId) -> Result<(), SolverError> {
        (self.model, self.remembered) = (None, None);
        if let Some(level) = self.assertions.last_mut() {
            level.push(formula);
        }
        let switch = self.switches.last().copied();
        // After an interrupt the next check tells, or builds everything anew.
        let before = self.size();
        self.incomplete |= self.demand(pool, formula, switch).is_err();
        self.asserted += self.size() - before;
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolverError> {
        (self.model, self.remembered) = (None, None);
        let switch = self.cnf.fresh();
        self.switches.push(switch);
        self.assertions.push(Vec::new());
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        (self.model, self.remembered) = (None, None);
        if let Some(switch) = self.switches.pop() {
            self.assertions.pop();
            self.cores.forget();
            self.cnf.add(&mut self.sat, &[!switch]);
        }
        Ok(())
    }

    fn check(&mut self, pool: &ExprPool, assumptions: &[ExprId]) -> Result<Answer, SolverError> {
        self.model = None;
        self.remembered = None;
        self.failed.clear();
        self.statistics.checks += 1;
        self.deadline.set(self.budget.time.map(|time| thread_time() + time));
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
        self.interrupt.clone()
    }

    fn set_budget(&mut self, budget: Budget) {
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
            restarts: before.restarts,
            gates: self.blaster.aig.len() as u64,
        }
    }
}
