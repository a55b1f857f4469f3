//! Cartesian predicate abstraction: which predicates are implied after an action.
//!
//! An action is turned into conditions over the state before it: its guards, and for each predicate the weakest precondition of its assignments.
//! A predicate that the action cannot change keeps its value. The rest are asked of a solver, one for each action, under
//! assumptions: the literals of the cube that are connected with the question by common variables, the guards, and the predicate or its
//! negation. Questions and answers are remembered.

use crate::model::{ActionId, Model};
use crate::precision::{Precision, PredId};
use crate::state::Cube;
use crate::statements::Statement;
use crate::threads::Threads;
use crate::values::{Known, Values};
use raddle_ir::{ExprId, ExprPool, Substitution, VarId};
use raddle_smt::{Answer, NativeSolver, Solver};
use rustc_hash::{FxHashMap, FxHashSet};

/// Solvers are kept for so many actions at a time.
const MOST_SOLVERS: usize = 500;

/// Solvers and what they answered.
#[derive(Default)]
pub struct Queries {
    solvers: FxHashMap<ActionId, NativeSolver>,
    answers: FxHashMap<Vec<ExprId>, bool>,
    pub calls: u64,
    pub cached: u64,
    /// A solver gave up: what follows is coarser than it could be, and still sound.
    pub gave_up: u64,
}

impl Queries {
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
        if let Some(known) = self.answers.get(formulas) {
            self.cached += 1;
            return *known;
        }
        if self.solvers.len() > MOST_SOLVERS {
            self.solvers.clear();
        }
        self.calls += 1;
        let solver = self.solvers.entry(action).or_default();
        let answer = match solver.check(pool, formulas) {
            Ok(Answer::Sat) => true,
            Ok(Answer::Unsat) => false,
            Ok(Answer::Unknown(_)) | Err(_) => {
                self.gave_up += 1;
                return true;
            }
        };
        self.answers.insert(formulas.clone(), answer);
        answer
    }

    /// The value of an expression in the model of the last question, if that was asked and not remembered.
    pub fn value(&mut self, pool: &ExprPool, action: ActionId, expr: ExprId) -> Option<u128> {
        self.solvers.get_mut(&action)?.value(pool, expr).ok().map(|value| value.bits())
    }
}

/// An action as conditions over the state before it, given values that are known there.
pub struct Transformed {
    pub guards: Vec<ExprId>,
    /// What each variable that was written is, in terms of the state before.
    pub written: FxHashMap<VarId, ExprId>,
}

/// Havocs give the versions of a variable from this number on; those below belong to paths.
const HAVOC_VERSIONS: u32 = 1 << 30;

pub fn transform(model: &mut Model, known: Known, statements: &[Statement]) -> Transformed {
    let mut result = Transformed { guards: Vec::new(), written: FxHashMap::default() };
    let mut havocs = HAVOC_VERSIONS;
    for statement in statements {
        match statement {
            Statement::Assign { var, value } => {
                let value = before(model, known, &result.written, *value);
                result.written.insert(*var, value);
            }
            Statement::Havoc { var, .. } => {
                let version = model.vars.version(*var, havocs);
                havocs += 1;
                let version = model.pool.var(version, model.vars.sort(*var));
                result.written.insert(*var, version);
            }
            Statement::Assume(cond) => {
                let cond = before(model, known, &result.written, *cond);
                result.guards.push(cond);
            }
        }
    }
    result
}

/// An expression after some assignments, in terms of the state before them.
pub fn before(model: &mut Model, known: Known, written: &FxHashMap<VarId, ExprId>, expr: ExprId) -> ExprId {
    let mut replace: FxHashMap<VarId, ExprId> = FxHashMap::default();
    for var in model.pool.vars(expr) {
        if let Some(value) = written.get(&var) {
            replace.insert(var, *value);
        } else if let Some(bits) = known.get(&model.vars, var) {
            let value = model.pool.constant(raddle_ir::Const { sort: model.vars.sort(var), bits });
            replace.insert(var, value);
        }
    }
    if replace.is_empty() {
        return expr;
    }
    Substitution::new().apply(&mut model.pool, expr, &mut |var| replace.get(&var).copied())
}

/// The cube after an action, for the predicates that are tracked there; `None` if there is no way.
#[allow(clippy::too_many_arguments)]
pub fn successor(
    model: &mut Model,
    precision: &Precision,
    queries: &mut Queries,
    action: ActionId,
    statements: &[Statement],
    known: Known,
    cube: &Cube,
    tracked: &[PredId],
) -> Option<Cube> {
    if precision.predicates().is_empty() {
        return Some(Cube::default());
    }
    let Transformed { guards, written } = transform(model, known, statements);
    let literals = cube_literals(model, precision, known, cube);
    let guard_vars: Vec<VarId> = guards.iter().flat_map(|guard| model.pool.vars(*guard)).collect();
    if !guards.iter().all(|guard| model.pool.is_bool(*guard, true)) {
        let mut formulas = guards.clone();
        formulas.extend(connected(&model.pool, &literals, &guard_vars));
        if !queries.is_satisfiable(&model.pool, action, &mut formulas) {
            return None;
        }
    }
    // What the guards say something about, through the literals of the cube as well.
    let concerned = closure(&model.pool, &literals, &guard_vars);
    let mut next = Vec::new();
    for &id in tracked {
        let predicate = precision.predicate(id).clone();
        let is_written = predicate.vars.iter().any(|var| written.contains_key(var));
        let old = cube.get(id);
        if !is_written {
            if let Some(old) = old {
                next.push((id, old));
                continue;
            }
            if guards.is_empty() || !predicate.vars.iter().any(|var| concerned.contains(var)) {
                continue;
            }
        }
        let then = before(model, known, &written, predicate.expr);
        if let Some(constant) = model.pool.as_const(then) {
            next.push((id, constant.bits != 0));
            continue;
        }
        let mut vars = model.pool.vars(then);
        vars.extend(&guard_vars);
        let around = connected(&model.pool, &literals, &vars);
        for value in [true, false] {
            let opposite = if value { model.pool.not(then) } else { then };
            let mut formulas: Vec<ExprId> = guards.clone();
            formulas.extend(&around);
            formulas.push(opposite);
            if !queries.is_satisfiable(&model.pool, action, &mut formulas) {
                next.push((id, value));
                break;
            }
        }
    }
    Some(Cube(next))
}

/// The predicates that are implied before anything runs.
pub fn initially(model: &mut Model, precision: &Precision, queries: &mut Queries, first: &Threads) -> Cube {
    let mut statements = Vec::new();
    let mentioned: FxHashSet<VarId> = precision.predicates().iter().flat_map(|p| p.vars.iter().copied()).collect();
    let mut mentioned: Vec<VarId> = mentioned.into_iter().collect();
    mentioned.sort_unstable();
    for var in mentioned {
        if let Some(initial) = model.vars.initial(var) {
            statements.push(Statement::Assign { var, value: model.pool.constant(initial) });
        }
    }
    let assumptions = model.memory.initially(&mut model.pool);
    statements.extend(assumptions.into_iter().map(Statement::Assume));
    let tracked: Vec<PredId> = precision.tracked_predicates(first).collect();
    let known = Known { threads: first, values: &Values::default() };
    let cube = successor(model, precision, queries, FIRST, &statements, known, &Cube::default(), &tracked);
    cube.unwrap_or_default()
}

/// Stands for the beginning.
const FIRST: ActionId = ActionId(u32::MAX);

/// The literals of a cube as formulas over what is not known by value.
pub fn cube_literals(model: &mut Model, precision: &Precision, known: Known, cube: &Cube) -> Vec<ExprId> {
    let mut literals = Vec::new();
    for &(id, holds) in &cube.0 {
        let expr = precision.predicate(id).expr;
        let expr = before(model, known, &FxHashMap::default(), expr);
        literals.push(if holds { expr } else { model.pool.not(expr) });
    }
    literals
}

/// The variables that formulas connect with some.
fn closure(pool: &ExprPool, literals: &[ExprId], from: &[VarId]) -> FxHashSet<VarId> {
    let mut reached: FxHashSet<VarId> = from.iter().copied().collect();
    loop {
        let size = reached.len();
        for literal in literals {
            let vars = pool.vars(*literal);
            if vars.iter().any(|var| reached.contains(var)) {
                reached.extend(vars);
            }
        }
        if reached.len() == size {
            return reached;
        }
    }
}

/// The literals that common variables connect with some variables.
fn connected(pool: &ExprPool, literals: &[ExprId], from: &[VarId]) -> Vec<ExprId> {
    let reached = closure(pool, literals, from);
    let is_near = |literal: &ExprId| pool.vars(*literal).iter().any(|var| reached.contains(var));
    literals.iter().copied().filter(is_near).collect()
}
