//! Cartesian predicate abstraction: which predicates are implied after an action.
//!
//! An action is turned into conditions over the state before it: its guards, and for each predicate the weakest precondition of its assignments.
//! A predicate that the action cannot change keeps its value. The rest, the guards, and the literals of the cube fall into groups that have
//! no variable in common, and are asked of a solver group by group (`queries`).

use crate::domains::precision::PredId;
pub use crate::domains::queries::Queries;
use crate::domains::state::Cube;
use crate::domains::values::{Known, Values};
use crate::domains::{Abstraction, Transition};
use crate::model::statements::Statement;
use crate::model::threads::Threads;
use crate::model::{ActionId, Model};
use raddle_ir::{ExprId, Substitution, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

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
                if !model.pool.is_bool(cond, true) {
                    result.guards.push(cond);
                }
            }
        }
    }
    result
}

/// An expression after some assignments, in terms of the state before them.
fn before(model: &mut Model, known: Known, written: &FxHashMap<VarId, ExprId>, expr: ExprId) -> ExprId {
    let mut replace: FxHashMap<VarId, ExprId> = FxHashMap::default();
    for var in model.pool.vars(expr) {
        if let Some(value) = written.get(&var) {
            replace.insert(var, *value);
        } else if let Some(bits) = known.number(&model.vars, var) {
            let value = model.pool.constant(raddle_ir::Const { sort: model.vars.sort(var), bits });
            replace.insert(var, value);
        }
    }
    if replace.is_empty() {
        return expr;
    }
    Substitution::new().apply(&mut model.pool, expr, &mut |var| replace.get(&var).copied())
}

/// Questions that common variables connect.
#[derive(Default)]
pub struct Group {
    /// Guards and literals of the cube.
    pub base: Vec<ExprId>,
    /// Predicates that may be determined after the action, in terms of the state before.
    pub asked: Vec<(PredId, ExprId)>,
    /// Predicates that were not determined before, and that the action does not determine either. What is asked may depend on them.
    pub related: Vec<(PredId, ExprId)>,
    has_guard: bool,
}

/// What an action does to a cube, as far as that is clear without a solver.
pub struct Step {
    pub settled: Vec<(PredId, bool)>,
    pub groups: Vec<Group>,
}

/// What of the whole is which kind of part.
#[derive(Clone, Copy)]
enum Part {
    Guard,
    Literal,
    Written(PredId),
    Unwritten(PredId),
}

/// Takes an action apart; `None` if there is no way.
pub fn step(abstraction: &mut Abstraction, transition: Transition, cube: &Cube, tracked: &[PredId]) -> Option<Step> {
    let known = transition.known();
    let Abstraction { model, precision, queries, .. } = &mut *abstraction;
    let transformed = queries.transformed(model, known, transition.statements);
    let mut parts: Vec<(Part, ExprId)> = Vec::new();
    for &guard in &transformed.guards {
        if model.pool.is_bool(guard, false) {
            return None;
        }
        parts.push((Part::Guard, guard));
    }
    let mut settled = Vec::new();
    for &id in tracked {
        let predicate = precision.predicate(id);
        let is_written = predicate.vars.iter().any(|var| transformed.written.contains_key(var));
        match cube.get(id) {
            Some(old) if !is_written => {
                settled.push((id, old));
                continue;
            }
            _ => {}
        }
        let then = queries.before(model, known, &transformed.written, predicate.expr);
        match model.pool.as_const(then) {
            Some(constant) => settled.push((id, constant.bits != 0)),
            None if is_written => parts.push((Part::Written(id), then)),
            None => parts.push((Part::Unwritten(id), then)),
        }
    }
    let asks = |part: &Part| matches!(part, Part::Guard | Part::Written(_));
    if !parts.iter().any(|(part, _)| asks(part)) {
        return Some(Step { settled, groups: Vec::new() });
    }
    for literal in cube_literals(abstraction, known, cube) {
        // By values that are known, the cube is not possible at all.
        if abstraction.model.pool.is_bool(literal, false) {
            return None;
        }
        if !abstraction.model.pool.is_bool(literal, true) {
            parts.push((Part::Literal, literal));
        }
    }
    let groups = grouped(abstraction.model, abstraction.queries, &parts);
    Some(Step { settled, groups })
}

/// Parts with common variables come together. Groups that nothing happens to are left out.
fn grouped(model: &Model, queries: &mut Queries, parts: &[(Part, ExprId)]) -> Vec<Group> {
    let mut leaders: Vec<usize> = (0..parts.len()).collect();
    let mut owners: FxHashMap<VarId, usize> = FxHashMap::default();
    for (i, (_, expr)) in parts.iter().enumerate() {
        for &var in queries.vars.get(&model.pool, *expr) {
            let owner = *owners.entry(var).or_insert(i);
            let (a, b) = (leader(&mut leaders, owner), leader(&mut leaders, i));
            leaders[a.max(b)] = a.min(b);
        }
    }
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    let mut groups: Vec<Group> = Vec::new();
    for (i, &(part, expr)) in parts.iter().enumerate() {
        let number = *numbers.entry(leader(&mut leaders, i)).or_insert_with(|| {
            groups.push(Group::default());
            groups.len() - 1
        });
        let group = &mut groups[number];
        match part {
            Part::Guard => {
                group.base.push(expr);
                group.has_guard = true;
            }
            Part::Literal => group.base.push(expr),
            Part::Written(id) => group.asked.push((id, expr)),
            Part::Unwritten(id) => group.related.push((id, expr)),
        }
    }
    groups.retain(|group| group.has_guard || !group.asked.is_empty());
    for group in &mut groups {
        group.base.sort_unstable();
        group.base.dedup();
        // A guard may determine what was not determined before.
        if group.has_guard {
            group.asked.append(&mut group.related);
        }
    }
    groups
}

fn leader(leaders: &mut [usize], mut of: usize) -> usize {
    while leaders[of] != of {
        leaders[of] = leaders[leaders[of]];
        of = leaders[of];
    }
    of
}

/// The cube after an action, for the predicates that are tracked there; `None` if there is no way.
pub fn successor(
    abstraction: &mut Abstraction,
    transition: Transition,
    cube: &Cube,
    tracked: &[PredId],
) -> Option<Cube> {
    let Step { mut settled, groups } = step(abstraction, transition, cube, tracked)?;
    for group in &groups {
        let decided = abstraction.queries.decide(abstraction.model, transition.action, group)?;
        settled.extend(group.asked.iter().zip(decided.iter()).filter_map(|((id, _), value)| value.map(|v| (*id, v))));
    }
    settled.sort_unstable();
    Some(Cube(settled))
}

/// The predicates that are implied before anything runs.
pub fn initially(abstraction: &mut Abstraction, first: &Threads) -> Cube {
    let Abstraction { model, precision, .. } = &mut *abstraction;
    let mut statements = Vec::new();
    let mentioned: FxHashSet<VarId> = precision.predicates().iter().flat_map(|p| p.vars.iter().copied()).collect();
    let mut mentioned: Vec<VarId> = mentioned.into_iter().collect();
    mentioned.sort_unstable();
    for var in mentioned {
        if let Some(initial) = model.vars.initial(var) {
            statements.push(Statement::Assign { var, value: model.pool.constant(initial) });
        } else if let Some(value) = model.memory.whole(&mut model.pool, &mut model.vars, var) {
            statements.push(Statement::Assign { var, value });
        }
    }
    let tracked: Vec<PredId> = precision.tracked_predicates(first).collect();
    let values = Values::default();
    let known = Known { threads: first, values: &values };
    let written = transform(model, known, &statements).written;
    let exprs = tracked.iter().map(|id| precision.predicate(*id).expr);
    let formulas: Vec<ExprId> = exprs.map(|expr| before(model, known, &written, expr)).collect();
    let Model { memory, pool, vars, .. } = &mut **model;
    let mut place = |pool: &raddle_ir::ExprPool, place: ExprId| pool.as_const(place).map(|place| place.bits);
    let facts = memory.initially(pool, vars, &formulas, &mut FxHashSet::default(), &mut place);
    statements.extend(facts.into_iter().map(Statement::Assume));
    let begin = Transition {
        action: FIRST,
        statements: &statements,
        threads: first,
        values: &values,
        cubes: &[],
        after: first,
    };
    successor(abstraction, begin, &Cube::default(), &tracked).unwrap_or_default()
}

/// Stands for the beginning.
const FIRST: ActionId = ActionId(u32::MAX);

/// The literals of a cube as formulas over what is not known by value.
pub fn cube_literals(abstraction: &mut Abstraction, known: Known, cube: &Cube) -> Vec<ExprId> {
    let Abstraction { model, precision, queries, .. } = abstraction;
    let mut literals = Vec::new();
    let nothing = FxHashMap::default();
    for &(id, holds) in &cube.0 {
        let expr = queries.before(model, known, &nothing, precision.predicate(id).expr);
        literals.push(if holds { expr } else { model.pool.not(expr) });
    }
    literals
}
