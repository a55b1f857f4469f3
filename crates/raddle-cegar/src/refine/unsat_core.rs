//! Refinement by the unsatisfiable core: the variables, or the conditions, of the statements that contradict each other.

use crate::model::Model;
use crate::model::statements::Statement;
use crate::refine::path::Path;
use crate::refine::{Labels, Refinement, facts};

/// The variables of the statements that contradict each other.
pub fn unsat_core(model: &Model, path: &Path, core: &[usize]) -> Refinement {
    let mut refinement = Refinement::default();
    for &i in core {
        let statement = &path.statements[i];
        let vars = statement.statement.read(&model.pool).into_iter().chain(statement.statement.written());
        for var in vars {
            // Written by action `n`, it is known at node `n + 1`.
            refinement.vars.push((statement.action, var));
        }
    }
    refinement.vars.sort_unstable_by_key(|(position, var)| (*var, *position));
    refinement.vars.dedup_by_key(|(_, var)| *var);
    refinement
}

/// For predicates: what the statements say themselves, with nothing carried along the path. An assignment says an equation.
pub fn labels(model: &mut Model, path: &Path, core: &[usize]) -> Labels {
    let mut labels: Labels = vec![Vec::new(); path.length as usize + 1];
    for &i in core {
        let statement = &path.statements[i];
        let action = statement.action as usize;
        match statement.statement {
            Statement::Assume(cond) => facts::add(&mut model.pool, &mut labels[action], cond),
            Statement::Assign { var, value } if !model.pool.vars(value).contains(&var) => {
                let var = model.pool.var(var, model.vars.sort(var));
                let equation = model.pool.eq(var, value);
                facts::add(&mut model.pool, &mut labels[action + 1], equation);
            }
            Statement::Assign { .. } | Statement::Havoc { .. } => {}
        }
    }
    labels
}
