//! Questions of the abstract domains to solvers: one solver for each action, everything else as assumptions, answers remembered.
//!
//! Nothing here may be wrong when a solver gives up (a question took too long, or somebody stopped it): what it would have
//! excluded then stays possible, which is coarser and sound. Such answers are not remembered.

use crate::domains::predicates::{Group, Transformed, transform};
use crate::domains::values::Known;
use crate::model::statements::Statement;
use crate::model::{ActionId, Model};
use crate::solvers::Solvers;
use raddle_ir::{Const, ExprId, ExprPool, Substitution, VarId, VarsOf};
use raddle_smt::{Answer, NativeSolver, Solver};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Solvers are kept for so many actions at a time.
const MOST_SOLVERS: usize = 500;
/// Answers of each kind are kept for so many questions at a time.
const MOST_ANSWERS: usize = 300_000;

type Replaced = (ExprId, Box<[(VarId, ExprId)]>);
type Facts = Vec<(VarId, u128)>;
/// Conditions, and what is asked under them.
type Question = (Box<[ExprId]>, Box<[ExprId]>);

/// The values of some expressions in all models, or that there are too many.
pub type Tuples = Option<Rc<[Box<[u128]>]>>;

/// Solvers and what they answered.
#[derive(Default)]
pub struct Queries {
    make: Solvers,
    solvers: FxHashMap<ActionId, NativeSolver>,
    satisfiable: FxHashMap<Box<[ExprId]>, bool>,
    decided: FxHashMap<Question, Option<Rc<[Option<bool>]>>>,
    tuples: FxHashMap<(Question, usize), Tuples>,
    replaced: FxHashMap<Replaced, ExprId>,
    transformed: FxHashMap<(Box<[Statement]>, Facts), Rc<Transformed>>,
    pub vars: VarsOf,
    pub calls: u64,
    pub cached: u64,
    /// A solver gave up: what follows is coarser than it could be, and still sound.
    pub gave_up: u64,
}

impl Queries {
    pub fn new(make: Solvers) -> Self {
        Queries { make, ..Queries::default() }
    }

    pub fn is_interrupted(&self) -> bool {
        self.make.is_interrupted()
    }

    fn solver(&mut self, action: ActionId) -> &mut NativeSolver {
        if self.solvers.len() > MOST_SOLVERS {
            self.solvers.clear();
        }
        self.solvers.entry(action).or_insert_with(|| self.make.solver())
    }

    /// Asks a solver, whatever was asked before.
    fn check(&mut self, pool: &ExprPool, action: ActionId, formulas: &[ExprId]) -> Option<bool> {
        self.calls += 1;
        match self.solver(action).check(pool, formulas) {
            Ok(Answer::Sat) => Some(true),
            Ok(Answer::Unsat) => Some(false),
            Ok(Answer::Unknown(_)) | Err(_) => {
                self.gave_up += 1;
                None
            }
        }
    }

    /// The values of expressions in the model of the last question.
    fn values<'e>(
        &mut self,
        pool: &ExprPool,
        action: ActionId,
        exprs: impl IntoIterator<Item = &'e ExprId>,
    ) -> Option<Box<[u128]>> {
        let solver = self.solver(action);
        exprs.into_iter().map(|expr| solver.value(pool, *expr).ok().map(|value| value.bits())).collect()
    }

    /// Can all these be true? If the solver gives up, they can.
    pub fn is_satisfiable(&mut self, pool: &ExprPool, action: ActionId, formulas: &mut Vec<ExprId>) -> bool {
        formulas.sort_unstable();
        formulas.dedup();
        formulas.retain(|formula| !pool.is_bool(*formula, true));
        if formulas.iter().any(|formula| pool.is_bool(*formula, false)) {
            return false;
        }
        if formulas.is_empty() {
            return true;
        }
        if let Some(known) = self.satisfiable.get(formulas.as_slice()) {
            self.cached += 1;
            return *known;
        }
        let Some(answer) = self.check(pool, action, formulas) else { return true };
        bound(&mut self.satisfiable);
        self.satisfiable.insert(formulas.as_slice().into(), answer);
        answer
    }

    /// The values that the predicates of a group have after an action, where its conditions imply one; `None` if those contradict each other.
    ///
    /// Every model settles something: a predicate that is true in one and false in another is not determined, so that each call either
    /// determines a predicate or shows that one is not.
    pub fn decide(&mut self, model: &mut Model, action: ActionId, group: &Group) -> Option<Rc<[Option<bool>]>> {
        let asked: Box<[ExprId]> = group.asked.iter().map(|(_, then)| *then).collect();
        let question = (group.base.as_slice().into(), asked);
        if let Some(known) = self.decided.get(&question) {
            self.cached += 1;
            return known.clone();
        }
        let gave_up = self.gave_up;
        let asked = &question.1;
        let mut formulas: Vec<ExprId> = group.base.clone();
        // Can it be false, can it be true?
        let mut seen: Vec<[bool; 2]> = vec![[false; 2]; asked.len()];
        let mut result: Vec<Option<bool>> = vec![None; asked.len()];
        let mut is_possible = true;
        match self.check(&model.pool, action, &formulas) {
            Some(true) => self.look(&model.pool, action, asked, &mut seen),
            Some(false) => is_possible = false,
            None => {}
        }
        if is_possible {
            for (i, &then) in asked.iter().enumerate() {
                // What no model has shown is most likely not possible.
                let guess = !seen[i][0];
                for value in [guess, !guess] {
                    if seen[i][usize::from(!value)] {
                        continue;
                    }
                    formulas.push(if value { model.pool.not(then) } else { then });
                    let answer = self.check(&model.pool, action, &formulas);
                    formulas.pop();
                    match answer {
                        Some(true) => self.look(&model.pool, action, asked, &mut seen),
                        Some(false) => {
                            result[i] = Some(value);
                            break;
                        }
                        None => {}
                    }
                }
            }
        }
        let result: Option<Rc<[Option<bool>]>> = is_possible.then(|| result.into());
        if self.gave_up == gave_up {
            bound(&mut self.decided);
            self.decided.insert(question, result.clone());
        }
        result
    }

    /// Notes the values that predicates have in the model of the last question.
    fn look(&mut self, pool: &ExprPool, action: ActionId, asked: &[ExprId], seen: &mut [[bool; 2]]) {
        let Some(values) = self.values(pool, action, asked) else { return };
        for (seen, value) in seen.iter_mut().zip(values.iter()) {
            seen[usize::from(*value != 0)] = true;
        }
    }

    /// All the values that some expressions can have together under conditions; `None` if there are more than `most`, or a solver gives up.
    pub fn tuples(
        &mut self,
        model: &mut Model,
        action: ActionId,
        base: &[ExprId],
        exprs: &[ExprId],
        most: usize,
    ) -> Tuples {
        let key = ((base.into(), exprs.into()), most);
        if let Some(known) = self.tuples.get(&key) {
            self.cached += 1;
            return known.clone();
        }
        let mut formulas = base.to_vec();
        let mut found: Vec<Box<[u128]>> = Vec::new();
        let result = loop {
            match self.check(&model.pool, action, &formulas) {
                Some(false) => break Some(found),
                Some(true) if found.len() < most => {}
                Some(true) => break None,
                None => return None,
            }
            let tuple = self.values(&model.pool, action, exprs)?;
            let mut same = model.pool.bool(true);
            for (&expr, &bits) in exprs.iter().zip(tuple.iter()) {
                let constant = model.pool.constant(Const { sort: model.pool.sort(expr), bits });
                let equal = model.pool.eq(expr, constant);
                same = model.pool.and(same, equal);
            }
            formulas.push(model.pool.not(same));
            found.push(tuple);
        };
        let result: Tuples = result.map(|mut found| {
            found.sort_unstable();
            found.into()
        });
        bound(&mut self.tuples);
        self.tuples.insert(key, result.clone());
        result
    }

    /// The action as conditions over the state before it; the same statements with the same values are transformed once.
    pub fn transformed(&mut self, model: &mut Model, known: Known, statements: &[Statement]) -> Rc<Transformed> {
        let mut facts: Facts = Vec::new();
        for expr in statements.iter().filter_map(Statement::expr) {
            for &var in self.vars.get(&model.pool, expr) {
                facts.extend(known.get(&model.vars, var).map(|value| (var, value)));
            }
        }
        facts.sort_unstable();
        facts.dedup();
        let key = (statements.into(), facts);
        if let Some(done) = self.transformed.get(&key) {
            return done.clone();
        }
        let done = Rc::new(transform(model, known, statements));
        bound(&mut self.transformed);
        self.transformed.insert(key, done.clone());
        done
    }

    /// An expression after some assignments, in terms of the state before them, given values that are known there.
    pub fn before(
        &mut self,
        model: &mut Model,
        known: Known,
        written: &FxHashMap<VarId, ExprId>,
        expr: ExprId,
    ) -> ExprId {
        let mut replace: Vec<(VarId, ExprId)> = Vec::new();
        for &var in self.vars.get(&model.pool, expr) {
            if let Some(value) = written.get(&var) {
                replace.push((var, *value));
            } else if let Some(bits) = known.number(&model.vars, var) {
                let value = model.pool.constant(Const { sort: model.vars.sort(var), bits });
                replace.push((var, value));
            }
        }
        if replace.is_empty() {
            return expr;
        }
        let key = (expr, replace.into_boxed_slice());
        if let Some(done) = self.replaced.get(&key) {
            return *done;
        }
        let of = |var: VarId| key.1.binary_search_by_key(&var, |(v, _)| *v).ok().map(|i| key.1[i].1);
        let done = Substitution::new().apply(&mut model.pool, expr, &mut |var| of(var));
        bound(&mut self.replaced);
        self.replaced.insert(key, done);
        done
    }
}

/// Forgets everything before it is too much.
fn bound<K, V>(map: &mut FxHashMap<K, V>) {
    if map.len() >= MOST_ANSWERS {
        map.clear();
    }
}
