//! From a path that cannot be taken to what must be tracked so that the abstraction sees it.

use crate::model::{ActionId, Model};
use crate::path::Path;
use crate::statements::Statement;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Sort, Substitution, UnOp, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What to track, and from which node of the path on (0 is the root).
#[derive(Clone, Debug, Default)]
pub struct Refinement {
    pub vars: Vec<(u32, VarId)>,
    pub predicates: Vec<(u32, ExprId)>,
}

/// The variables of the statements that contradict each other.
pub fn unsat_core(model: &Model, path: &Path, core: &[usize]) -> Refinement {
    let mut refinement = Refinement::default();
    for &i in core {
        let statement = &path.statements[i];
        let vars = statement.statement.read(&model.pool).into_iter().chain(statement.statement.written());
        for var in vars {
            // Written by action `n`, it is known at node `n + 1`.
            if model.vars.sort(var).bits().is_some() {
                refinement.vars.push((statement.action, var));
            }
        }
    }
    refinement.vars.sort_unstable_by_key(|(position, var)| (*var, *position));
    refinement.vars.dedup_by_key(|(_, var)| *var);
    refinement
}

/// Newton-style refinement by weakest preconditions over the path that is reduced to its contradiction: the atoms of the conditions that
/// contradict each other, carried backwards through the assignments.
pub fn newton_wp(model: &mut Model, path: &Path, actions: &[ActionId], core: &[usize]) -> Refinement {
    let mut refinement = Refinement::default();
    let mut atoms: BTreeSet<ExprId> = BTreeSet::new();
    let mut at = path.statements.len();
    for action in (0..actions.len() as u32).rev() {
        while at > 0 && path.statements[at - 1].action == action {
            at -= 1;
            match path.statements[at].statement {
                Statement::Assume(cond) => {
                    if core.binary_search(&at).is_ok() {
                        atoms_of(&model.pool, cond, &mut atoms);
                    }
                }
                Statement::Havoc { var, .. } => atoms.retain(|atom| !model.pool.vars(*atom).contains(&var)),
                Statement::Assign { var, value } => atoms = substituted(&mut model.pool, &atoms, var, value),
            }
        }
        refinement.predicates.extend(atoms.iter().map(|atom| (action, *atom)));
    }
    refinement
}

fn substituted(pool: &mut ExprPool, atoms: &BTreeSet<ExprId>, var: VarId, value: ExprId) -> BTreeSet<ExprId> {
    let mut result = BTreeSet::new();
    for &atom in atoms {
        if !pool.vars(atom).contains(&var) {
            result.insert(atom);
            continue;
        }
        let then = Substitution::new().apply(pool, atom, &mut |v| (v == var).then_some(value));
        atoms_of(pool, then, &mut result);
    }
    result
}

/// The atoms of a formula: what is left when it is taken apart at its connectives.
pub fn atoms_of(pool: &ExprPool, formula: ExprId, atoms: &mut BTreeSet<ExprId>) {
    let mut open = vec![formula];
    let mut seen: FxHashMap<ExprId, ()> = FxHashMap::default();
    while let Some(id) = open.pop() {
        if seen.insert(id, ()).is_some() {
            continue;
        }
        match pool.get(id) {
            Expr::Const(_) => {}
            Expr::Unary(UnOp::Not, a) => open.push(a),
            Expr::Binary(BinOp::And | BinOp::Or | BinOp::Xor, a, b) => open.extend([a, b]),
            Expr::Binary(BinOp::Eq, a, b) if pool.sort(a) == Sort::Bool => open.extend([a, b]),
            Expr::Ite(c, a, b) if pool.sort(id) == Sort::Bool => open.extend([c, a, b]),
            _ => {
                atoms.insert(id);
            }
        }
    }
}
