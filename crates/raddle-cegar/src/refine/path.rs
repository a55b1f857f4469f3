//! Paths as formulas: is there an execution that takes these actions one after the other? If not, what contradicts what?

use crate::model::instances::Origin;
use crate::model::statements::Statement;
use crate::model::{ActionId, Model};
use raddle_ir::{ExprId, Substitution, VarId};
use raddle_smt::{Answer, NativeSolver, Solver};
use rustc_hash::{FxHashMap, FxHashSet};

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
    /// What memory holds at the beginning, over the first versions of its arrays: as much of it as was needed to see whether the path can be taken.
    pub assumptions: Vec<ExprId>,
    /// How many actions it has.
    pub length: u32,
}

impl Path {
    pub fn new(model: &mut Model, actions: &[ActionId]) -> Self {
        let mut path = Path {
            statements: Vec::new(),
            initial: FxHashMap::default(),
            assumptions: Vec::new(),
            length: actions.len() as u32,
        };
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

    /// Predicates that say of memory which the contradiction depends on that all of it is as at first, where nothing has written it yet. Facts about single
    /// places do not survive that an index is chosen later.
    pub fn whole_memory(&self, model: &mut Model) -> Vec<(u32, ExprId)> {
        let mut result = Vec::new();
        let Model { memory, pool, vars, .. } = model;
        let mut arrays: Vec<VarId> = self.assumptions.iter().flat_map(|fact| pool.vars(*fact)).collect();
        arrays.sort_unstable();
        arrays.dedup();
        for version in arrays {
            let Origin::Version { var, number: 0 } = vars.origin(version) else { continue };
            let Some(whole) = memory.whole(pool, vars, var) else { continue };
            let array = pool.var(var, vars.sort(var));
            let predicate = pool.eq(array, whole);
            let writes = |statement: &&PathStatement| statement.statement.written() == Some(var);
            let until = self.statements.iter().find(writes).map_or(self.length, |statement| statement.action + 1);
            result.extend((0..until).map(|position| (position, predicate)));
        }
        result
    }

    /// What memory holds at the beginning, over its arrays themselves.
    pub fn initial_memory(&self, model: &mut Model) -> Vec<ExprId> {
        let Model { pool, vars, .. } = model;
        let mut first: FxHashMap<VarId, ExprId> = FxHashMap::default();
        for version in self.assumptions.iter().flat_map(|fact| pool.vars(*fact)).collect::<FxHashSet<_>>() {
            if let Origin::Version { var, number: 0 } = vars.origin(version) {
                first.insert(version, pool.var(var, vars.sort(var)));
            }
        }
        let plain = |fact: &ExprId| Substitution::new().apply(pool, *fact, &mut |var| first.get(&var).copied());
        self.assumptions.iter().map(plain).collect()
    }

    /// What is true at the beginning, over the first versions of variables.
    pub fn initially(&self, model: &mut Model) -> Vec<ExprId> {
        let mut formulas = self.assumptions.clone();
        let mut initial: Vec<(VarId, ExprId)> = self.initial.iter().map(|(var, value)| (*var, *value)).collect();
        initial.sort_unstable();
        for (version, value) in initial {
            let version = model.pool.var(version, model.vars.sort(version));
            formulas.push(model.pool.eq(version, value));
        }
        formulas
    }

    /// A formula over versions as one over the variables themselves.
    pub fn unversioned(model: &mut Model, formula: ExprId) -> ExprId {
        let mut back: FxHashMap<VarId, ExprId> = FxHashMap::default();
        for version in model.pool.vars(formula) {
            if let Origin::Version { var, .. } = model.vars.origin(version) {
                back.insert(version, model.pool.var(var, model.vars.sort(var)));
            }
        }
        model.pool.substitute(formula, &mut |var| back.get(&var).copied())
    }

    /// The initial values of the variables that the path reads before it writes them.
    pub fn initial_values(&self, model: &Model) -> Vec<(VarId, ExprId)> {
        let of = |version: &VarId| match model.vars.origin(*version) {
            Origin::Version { var, .. } => var,
            _ => *version,
        };
        let mut values: Vec<(VarId, ExprId)> = self.initial.iter().map(|(var, value)| (of(var), *value)).collect();
        values.sort_unstable();
        values
    }

    /// Statements as formulas over versions. Versions of memory are other names of what is stored there, and have no formulas: comparing arrays
    /// would be much harder than reading them. Nothing is known after a `Havoc`.
    pub fn formulas(&self, model: &mut Model, statements: &[usize]) -> Vec<(usize, ExprId)> {
        let mut arrays: FxHashMap<VarId, ExprId> = FxHashMap::default();
        let mut formulas = Vec::new();
        for &i in statements {
            let read = |model: &mut Model, expr: ExprId, arrays: &FxHashMap<VarId, ExprId>| match arrays.is_empty() {
                true => expr,
                false => model.pool.substitute(expr, &mut |var| arrays.get(&var).copied()),
            };
            let formula = match self.statements[i].versioned {
                Statement::Assign { var, value } => {
                    let value = read(model, value, &arrays);
                    if model.vars.sort(var).bits().is_none() {
                        arrays.insert(var, value);
                        continue;
                    }
                    let var = model.pool.var(var, model.vars.sort(var));
                    model.pool.eq(var, value)
                }
                Statement::Assume(cond) => read(model, cond, &arrays),
                Statement::Havoc { .. } => continue,
            };
            formulas.push((i, formula));
        }
        formulas
    }

    /// Does a statement write memory?
    pub fn is_store(&self, model: &Model, statement: usize) -> bool {
        let written = self.statements[statement].versioned.written();
        written.is_some_and(|var| model.vars.sort(var).bits().is_none())
    }

    /// The values of what was written before an action, and what was assumed until then, in terms of inputs.
    pub fn values_at(&self, model: &Model, action: u32) -> (FxHashMap<VarId, ExprId>, Vec<ExprId>) {
        let (mut values, mut assumed) = (FxHashMap::default(), self.assumptions.clone());
        for statement in self.statements.iter().take_while(|s| s.action < action) {
            match statement.statement.written() {
                Some(var) => {
                    values.insert(var, statement.folded);
                }
                None if !model.pool.is_bool(statement.folded, true) => assumed.push(statement.folded),
                None => {}
            }
        }
        (values, assumed)
    }

    /// The value of a variable before anything is written.
    pub fn first_value(&self, model: &mut Model, var: VarId) -> ExprId {
        match model.vars.initial(var) {
            Some(initial) => model.pool.constant(initial),
            None => {
                let version = model.vars.version(var, 0);
                model.pool.var(version, model.vars.sort(var))
            }
        }
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
pub fn feasibility(model: &mut Model, path: &mut Path) -> Feasibility {
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
    let mut solver = model.solvers.solver();
    let mut formulas: Vec<ExprId> = path.assumptions.clone();
    formulas.extend(assumes.iter().map(|i| path.statements[*i].folded));
    // A model may have wrong values in memory that nothing wrote: what that holds is stated where the model reads it.
    let mut known: FxHashSet<ExprId> = path.assumptions.iter().copied().collect();
    let answer = loop {
        let answer = solver.check(&model.pool, &formulas);
        if !matches!(answer, Ok(Answer::Sat)) {
            break answer;
        }
        let Model { memory, pool, vars, .. } = &mut *model;
        let mut value =
            |pool: &raddle_ir::ExprPool, place: ExprId| solver.value(pool, place).ok().map(|value| value.bits());
        let facts = memory.initially(pool, vars, &formulas, &mut known, &mut value);
        if facts.is_empty() {
            break answer;
        }
        path.assumptions.extend(&facts);
        formulas.extend(facts);
    };
    match answer {
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
    let mut solver = model.solvers.solver();
    let mut formulas: Vec<(ExprId, Option<usize>)> = path.assumptions.iter().map(|a| (*a, None)).collect();
    for (version, value) in &path.initial {
        if wanted.contains_key(version) {
            let version = model.pool.var(*version, model.vars.sort(*version));
            formulas.push((model.pool.eq(version, *value), None));
        }
    }
    formulas.extend(path.formulas(model, &slice).into_iter().map(|(i, formula)| (formula, Some(i))));
    let assumptions: Vec<ExprId> = formulas.iter().map(|(formula, _)| *formula).collect();
    let failed = match solver.check(&model.pool, &assumptions) {
        Ok(Answer::Unsat) => solver.failed().ok(),
        _ => None,
    };
    match failed {
        Some(failed) => {
            let needed = formulas.iter().filter(|(formula, _)| failed.contains(formula));
            let mut core: Vec<usize> = needed.filter_map(|(_, i)| *i).collect();
            core.extend(slice.into_iter().filter(|i| path.is_store(model, *i)));
            core.sort_unstable();
            core.dedup();
            core
        }
        None => slice,
    }
}
