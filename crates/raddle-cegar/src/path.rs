//! Paths as formulas: is there an execution that takes these actions one after the other? If not, what contradicts what?

use crate::model::{ActionId, Model};
use crate::statements::Statement;
use raddle_ir::{ExprId, Substitution, VarId};
use raddle_smt::{Answer, NativeSolver, Solver};
use rustc_hash::FxHashMap;

/// A statement of a path.
#[derive(Clone, Copy, Debug)]
pub struct PathStatement {
    /// Which action of the path it belongs to.
    pub action: u32,
    pub statement: Statement,
    /// The same over versions of the variables, each written once.
    pub versioned: Statement,
    /// The value that is written or assumed, in terms of inputs and unknown initial values alone.
    pub folded: ExprId,
}

/// The statements of a path in single-assignment form.
pub struct Path {
    pub statements: Vec<PathStatement>,
    /// What the versions of variables before the first action are, where they have initial values.
    pub initial: FxHashMap<VarId, ExprId>,
    /// What else is true at the beginning.
    pub assumptions: Vec<ExprId>,
    /// How many actions it has.
    pub length: u32,
}

impl Path {
    pub fn new(model: &mut Model, actions: &[ActionId]) -> Self {
        let assumptions = model.memory.initially(&mut model.pool);
        let mut path =
            Path { statements: Vec::new(), initial: FxHashMap::default(), assumptions, length: actions.len() as u32 };
        let mut numbers: FxHashMap<VarId, u32> = FxHashMap::default();
        let mut folded: FxHashMap<VarId, ExprId> = FxHashMap::default();
        for (i, action) in actions.iter().enumerate() {
            for k in 0..model.action(*action).statements.len() {
                let statement = model.action(*action).statements[k];
                let done = path.append(model, &mut numbers, &mut folded, i as u32, statement);
                path.statements.push(done);
            }
        }
        path
    }

    fn append(
        &mut self,
        model: &mut Model,
        numbers: &mut FxHashMap<VarId, u32>,
        folded: &mut FxHashMap<VarId, ExprId>,
        action: u32,
        statement: Statement,
    ) -> PathStatement {
        let read = statement.read(&model.pool);
        let mut versions: FxHashMap<VarId, ExprId> = FxHashMap::default();
        for var in read {
            let number = numbers.get(&var).copied().unwrap_or(0);
            let version = model.vars.version(var, number);
            let expr = model.pool.var(version, model.vars.sort(var));
            versions.insert(var, expr);
            if number == 0 && !folded.contains_key(&var) {
                let value = match model.vars.initial(var) {
                    Some(initial) => {
                        let value = model.pool.constant(initial);
                        self.initial.insert(version, value);
                        value
                    }
                    None => expr,
                };
                folded.insert(var, value);
            }
        }
        let of = |model: &mut Model, expr: ExprId, map: &FxHashMap<VarId, ExprId>| {
            Substitution::new().apply(&mut model.pool, expr, &mut |var| map.get(&var).copied())
        };
        let mut write = |model: &mut Model, var: VarId| {
            let number = numbers.entry(var).or_insert(0);
            *number += 1;
            model.vars.version(var, *number)
        };
        let (versioned, value) = match statement {
            Statement::Assign { var, value } => {
                let versioned = of(model, value, &versions);
                let value = of(model, value, folded);
                let version = write(model, var);
                folded.insert(var, value);
                (Statement::Assign { var: version, value: versioned }, value)
            }
            Statement::Havoc { var, input } => {
                let version = write(model, var);
                let value = model.pool.var(version, model.vars.sort(var));
                folded.insert(var, value);
                (Statement::Havoc { var: version, input }, value)
            }
            Statement::Assume(cond) => {
                let versioned = of(model, cond, &versions);
                let value = of(model, cond, folded);
                (Statement::Assume(versioned), value)
            }
        };
        PathStatement { action, statement, versioned, folded: value }
    }
}

/// What comes of asking whether a path can be taken.
pub enum Feasibility {
    /// The solver has a model of it.
    Feasible(Box<NativeSolver>),
    /// These statements (positions in the path) contradict each other.
    Infeasible(Vec<usize>),
    Unknown(String),
}

/// Can the path be taken?
pub fn feasibility(model: &mut Model, path: &Path) -> Feasibility {
    let mut assumes = Vec::new();
    for (i, statement) in path.statements.iter().enumerate() {
        if let Statement::Assume(_) = statement.statement {
            if model.pool.is_bool(statement.folded, false) {
                return Feasibility::Infeasible(core(model, path, &[i]));
            }
            if !model.pool.is_bool(statement.folded, true) {
                assumes.push(i);
            }
        }
    }
    let mut solver = NativeSolver::new();
    let mut formulas: Vec<ExprId> = path.assumptions.clone();
    formulas.extend(assumes.iter().map(|i| path.statements[*i].folded));
    match solver.check(&model.pool, &formulas) {
        Ok(Answer::Sat) => Feasibility::Feasible(Box::new(solver)),
        Ok(Answer::Unsat) => {
            let failed = match solver.failed() {
                Ok(failed) => failed,
                Err(error) => return Feasibility::Unknown(error.to_string()),
            };
            assumes.retain(|i| failed.contains(&path.statements[*i].folded));
            Feasibility::Infeasible(core(model, path, &assumes))
        }
        Ok(Answer::Unknown(why)) => Feasibility::Unknown(format!("the solver gave up on a path: {why:?}")),
        Err(error) => Feasibility::Unknown(error.to_string()),
    }
}

/// The statements that make some assumptions contradict each other: those that these depend on, and of them those that a solver needs.
fn core(model: &mut Model, path: &Path, assumes: &[usize]) -> Vec<usize> {
    // The definitions that the assumptions depend on.
    let mut wanted: FxHashMap<VarId, ()> = FxHashMap::default();
    let mut slice = Vec::new();
    for (i, statement) in path.statements.iter().enumerate().rev() {
        let is_wanted = match statement.versioned {
            Statement::Assume(_) => assumes.contains(&i),
            Statement::Assign { var, .. } | Statement::Havoc { var, .. } => wanted.contains_key(&var),
        };
        if is_wanted {
            wanted.extend(statement.versioned.read(&model.pool).into_iter().map(|var| (var, ())));
            slice.push(i);
        }
    }
    slice.reverse();
    let mut solver = NativeSolver::new();
    let mut formulas: Vec<(ExprId, Option<usize>)> = path.assumptions.iter().map(|a| (*a, None)).collect();
    for (version, value) in &path.initial {
        if wanted.contains_key(version) {
            let version = model.pool.var(*version, model.vars.sort(*version));
            formulas.push((model.pool.eq(version, *value), None));
        }
    }
    for &i in &slice {
        let formula = match path.statements[i].versioned {
            Statement::Assign { var, value } => {
                let var = model.pool.var(var, model.vars.sort(var));
                model.pool.eq(var, value)
            }
            Statement::Assume(cond) => cond,
            Statement::Havoc { .. } => continue,
        };
        formulas.push((formula, Some(i)));
    }
    let assumptions: Vec<ExprId> = formulas.iter().map(|(formula, _)| *formula).collect();
    let failed = match solver.check(&model.pool, &assumptions) {
        Ok(Answer::Unsat) => solver.failed().ok(),
        _ => None,
    };
    match failed {
        Some(failed) => {
            let needed = formulas.iter().filter(|(formula, _)| failed.contains(formula));
            needed.filter_map(|(_, i)| *i).collect()
        }
        None => slice,
    }
}
