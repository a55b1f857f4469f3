//! Explicit-value abstraction: successors by the evaluator alone, as long as that decides.

use crate::domains::Transition;
use crate::domains::precision::Precision;
use crate::domains::values::{Values, WithMemory, learn, value};
use crate::model::Model;
use crate::model::instances::Vars;
use crate::model::memory::Memory;
use crate::model::statements::Statement;
use crate::model::threads::Threads;
use raddle_ir::{ExprId, ExprPool, VarId};
use smallvec::SmallVec;

/// The values of variables in the middle of an action. What the action itself computed is known in it even if it is not tracked.
pub struct Run<'a> {
    vars: &'a Vars,
    memory: &'a Memory,
    threads: &'a Threads,
    before: &'a Values,
    changed: SmallVec<[(VarId, Option<u128>); 8]>,
    /// Some assumption could not be decided.
    undecided: bool,
}

impl<'a> Run<'a> {
    pub fn new(model: &'a Model, threads: &'a Threads, before: &'a Values) -> Self {
        Run { vars: &model.vars, memory: &model.memory, threads, before, changed: SmallVec::new(), undecided: false }
    }

    fn value(&self, pool: &ExprPool, expr: ExprId) -> Option<u128> {
        value(pool, expr, &WithMemory { memory: self.memory, known: |var| self.get(var) })
    }

    pub fn get(&self, var: VarId) -> Option<u128> {
        match self.changed.iter().rev().find(|(v, _)| *v == var) {
            Some((_, value)) => *value,
            None if self.vars.is_lock(var) => self.threads.lock(var),
            None => self.before.get(var),
        }
    }

    /// Goes on after a statement; `false`: there is no way on.
    pub fn take(&mut self, pool: &ExprPool, statement: &Statement) -> bool {
        match statement {
            Statement::Assign { var, value: expr } => {
                let value = self.value(pool, *expr);
                self.changed.push((*var, value));
            }
            Statement::Havoc { var, .. } => self.changed.push((*var, None)),
            Statement::Assume(cond) => match self.value(pool, *cond) {
                Some(0) => return false,
                Some(_) => {}
                None => {
                    let mut learnt = Vec::new();
                    learn(pool, *cond, true, &mut |var, value| learnt.push((var, value)));
                    for (var, value) in learnt {
                        if self.get(var).is_none() {
                            self.changed.push((var, Some(value)));
                        }
                    }
                    // What was learnt may show that the condition is false after all.
                    match self.value(pool, *cond) {
                        Some(0) => return false,
                        Some(_) => {}
                        None => self.undecided = true,
                    }
                }
            },
        }
        true
    }

    /// Goes on after a statement; `false`: there may be no way on.
    pub fn take_surely(&mut self, pool: &ExprPool, statement: &Statement) -> bool {
        match statement {
            Statement::Assume(cond) => self.value(pool, *cond).is_some_and(|value| value != 0),
            _ => self.take(pool, statement),
        }
    }

    /// What is known afterwards of the variables that are tracked there, and are not dead.
    fn finish(self, precision: &Precision, after: &Threads, dead: &[VarId], is_exact: bool) -> After {
        let mut result = After { values: None, locks: Locks::new(), is_exact };
        let mut set = |var: VarId, value: Option<u128>| {
            if result.values.as_ref().unwrap_or(self.before).get(var) != value {
                result.values.get_or_insert_with(|| self.before.clone()).set(var, value);
            }
        };
        for (var, value) in self.changed {
            if self.vars.is_lock(var) {
                result.locks.push((var, value));
            } else {
                set(var, value.filter(|_| precision.tracks(var, after)));
            }
        }
        dead.iter().for_each(|var| set(*var, None));
        if precision.is_local() {
            let untracked = |var: &VarId| !precision.tracks(*var, after);
            let untracked: Vec<VarId> = self.before.iter().map(|(var, _)| var).filter(untracked).collect();
            untracked.into_iter().for_each(|var| set(var, None));
        }
        result
    }
}

/// Parts of locks and their values, if these are known.
pub type Locks = SmallVec<[(VarId, Option<u128>); 2]>;

/// The values after an action.
pub struct After {
    /// `None`: those before.
    pub values: Option<Values>,
    /// The parts of locks that were written.
    pub locks: Locks,
    /// Evaluation decided all assumptions, and has a value for everything that is tracked and was written.
    pub is_exact: bool,
}

/// The values after an action; `None` if there is no way.
pub fn successor(model: &Model, precision: &Precision, transition: Transition) -> Option<After> {
    let Transition { after, .. } = transition;
    let dead = &model.action(transition.action).dead;
    let mut run = Run::new(model, transition.threads, transition.values);
    for statement in transition.statements {
        if !run.take(&model.pool, statement) {
            return None;
        }
    }
    let is_tracked = |var: VarId| !model.vars.is_lock(var) && precision.tracks(var, after) && !dead.contains(&var);
    let is_open = |var: VarId| run.get(var).is_none() && is_tracked(var);
    let is_exact = !run.undecided && !run.changed.iter().any(|(var, value)| value.is_none() && is_open(*var));
    Some(run.finish(precision, after, dead, is_exact))
}
