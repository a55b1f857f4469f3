//! Flags: variables that are only ever assigned constants and are compared with constants, as the state of a state machine is.
//!
//! States that differ in a flag are kept apart (trace partitioning by values, Mauborgne and Rival 2005), a few of them at a location.

use crate::state::State;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Label, Place, Procedure, Program, Sort, VarId, VarKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// At most so many variables tell states apart, and at most so many states are kept at a location.
const MOST_FLAGS: usize = 4;
const MOST_PARTS: usize = 8;

/// For each flag its value in all of a part's states, if it has one.
pub type Key = Vec<Option<u128>>;
pub type Parts = BTreeMap<Key, State>;

pub fn flags(program: &Program, proc: &Procedure) -> Vec<VarId> {
    let pool = &program.pool;
    let mut constants: FxHashMap<VarId, FxHashSet<u128>> = FxHashMap::default();
    let mut others: FxHashSet<VarId> = FxHashSet::default();
    let mut tests: FxHashMap<VarId, u32> = FxHashMap::default();
    for label in proc.edges.iter().flat_map(|edge| &edge.labels) {
        match label {
            Label::Assign { var, value } | Label::Store { place: Place::Var(var), value, .. } => {
                let known = constants.entry(*var).or_default();
                if !assigned(pool, *value, *var, 8, known) {
                    others.insert(*var);
                }
            }
            _ => others.extend(label.written_local()),
        }
        label.for_each_expr(|root| tested(pool, root, &mut tests));
    }
    let threads = program.starts_threads();
    let usual = |var: &VarId| {
        let of = program.var(*var);
        !(threads && matches!(of.kind, VarKind::Global(_))) && matches!(of.sort, Sort::Bool | Sort::Bits(..=64))
    };
    let several = |var: &VarId| constants.get(var).is_some_and(|known| (2..=8).contains(&known.len()));
    let mut found: Vec<(u32, VarId)> = tests
        .iter()
        .filter(|(var, _)| !others.contains(var) && usual(var) && several(var))
        .map(|(var, count)| (*count, *var))
        .collect();
    found.sort_unstable_by_key(|(count, var)| (std::cmp::Reverse(*count), *var));
    found.into_iter().take(MOST_FLAGS).map(|(_, var)| var).collect()
}

/// Is a value a choice among constants and the variable's own value? Which constants?
fn assigned(pool: &ExprPool, id: ExprId, var: VarId, depth: u32, known: &mut FxHashSet<u128>) -> bool {
    match pool.get(id) {
        Expr::Const(c) => {
            known.insert(c.bits);
            true
        }
        Expr::Var(own) => own == var,
        Expr::Ite(_, a, b) if depth > 0 => {
            assigned(pool, a, var, depth - 1, known) && assigned(pool, b, var, depth - 1, known)
        }
        _ => false,
    }
}

/// Counts the comparisons of variables with constants, and Bools that are conditions.
fn tested(pool: &ExprPool, root: ExprId, tests: &mut FxHashMap<VarId, u32>) {
    pool.for_each_node(&[root], |_, expr| {
        let variable = match expr {
            Expr::Binary(BinOp::Eq | BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe, a, b) => {
                match (pool.as_const(a), pool.as_const(b)) {
                    (None, Some(_)) => Some(a),
                    (Some(_), None) => Some(b),
                    _ => None,
                }
            }
            Expr::Ite(cond, _, _) => Some(cond),
            _ => None,
        };
        if let Some(Expr::Var(var)) = variable.map(|id| pool.get(id)) {
            *tests.entry(var).or_default() += 1;
        }
    });
}

/// States by the values of the first `length` flags, joined where these are the same. The length shrinks until there are few parts.
pub fn partition(flags: &[VarId], length: &mut usize, states: impl Iterator<Item = State>) -> Parts {
    let mut parts = Parts::new();
    let put = |parts: &mut Parts, key: Key, state: State| {
        match parts.get_mut(&key) {
            Some(part) => *part = part.join(&state),
            None => {
                parts.insert(key, state);
            }
        };
    };
    for state in states {
        let key = flags[..*length].iter().map(|var| state.value(*var).and_then(|value| value.as_constant())).collect();
        put(&mut parts, key, state);
        while parts.len() > MOST_PARTS {
            *length -= 1;
            for (mut key, state) in std::mem::take(&mut parts) {
                key.truncate(*length);
                put(&mut parts, key, state);
            }
        }
    }
    parts
}
