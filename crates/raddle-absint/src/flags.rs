//! Flags: variables that are only ever assigned constants and are compared with constants, as the state of a state machine is.
//!
//! States that differ in a flag are kept apart (trace partitioning by values, Mauborgne and Rival 2005), a limited number of them at a location.

use crate::state::State;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, HavocReason, Label, Place, Procedure, Program, Sort, VarId, VarKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// At most so many variables tell states apart.
const MOST_FLAGS: usize = 4;
/// A flag has at most so many values.
const MOST_VALUES: usize = 40;

/// How many states are kept at a location of a process. Protocol machines of some hundred edges need all of their states (measured on
/// 17 safe tasks of `ssh` and `ssh-simplified`: 32 states prove 4 of them, 128 prove 7, in 0.2 s each); large processes have time for a few.
pub fn most_parts(edges: usize) -> usize {
    (200_000 / edges.max(1)).clamp(8, 128)
}

/// For each flag its value in all of a part's states, if it has one.
pub type Key = Vec<Option<u128>>;
pub type Parts = BTreeMap<Key, State>;

pub fn flags(program: &Program, proc: &Procedure) -> Vec<VarId> {
    let pool = &program.pool;
    // What each variable is assigned: constants, and the values of other variables.
    let mut assigned: FxHashMap<VarId, FxHashSet<Source>> = FxHashMap::default();
    let mut others: FxHashSet<VarId> = FxHashSet::default();
    let mut tests: FxHashMap<VarId, u32> = FxHashMap::default();
    for label in proc.edges.iter().flat_map(|edge| &edge.labels) {
        match label {
            Label::Assign { var, value } | Label::Store { place: Place::Var(var), value, .. } => {
                if !sources(pool, *value, 8, assigned.entry(*var).or_default()) {
                    others.insert(*var);
                }
            }
            // What is read before it is assigned is rarely meant.
            Label::Havoc { reason: HavocReason::Uninitialised, .. } => {}
            _ => others.extend(label.written_local()),
        }
        label.for_each_expr(|root| tested(pool, root, &mut tests));
    }
    let constants = |var: VarId| constants_of(&assigned, &others, var);
    let threads = program.starts_threads();
    let usual = |var: &VarId| {
        let of = program.var(*var);
        !(threads && matches!(of.kind, VarKind::Global(_))) && matches!(of.sort, Sort::Bool | Sort::Bits(..=64))
    };
    let several = |var: &VarId| constants(*var).is_some_and(|known| (2..=MOST_VALUES).contains(&known.len()));
    let mut found: Vec<(u32, VarId)> =
        tests.iter().filter(|(var, _)| usual(var) && several(var)).map(|(var, count)| (*count, *var)).collect();
    found.sort_unstable_by_key(|(count, var)| (std::cmp::Reverse(*count), *var));
    found.into_iter().take(MOST_FLAGS).map(|(_, var)| var).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Source {
    Constant(u128),
    Var(VarId),
}

/// Is a value a choice among constants and variables? Which?
fn sources(pool: &ExprPool, id: ExprId, depth: u32, found: &mut FxHashSet<Source>) -> bool {
    match pool.get(id) {
        Expr::Const(c) => {
            found.insert(Source::Constant(c.bits));
            true
        }
        Expr::Var(var) => {
            found.insert(Source::Var(var));
            true
        }
        Expr::Ite(_, a, b) if depth > 0 => sources(pool, a, depth - 1, found) && sources(pool, b, depth - 1, found),
        _ => false,
    }
}

/// The constants that a variable can be assigned, also by way of other variables; `None` if there is anything else.
fn constants_of(
    assigned: &FxHashMap<VarId, FxHashSet<Source>>,
    others: &FxHashSet<VarId>,
    var: VarId,
) -> Option<FxHashSet<u128>> {
    let mut constants = FxHashSet::default();
    let (mut seen, mut open) = (FxHashSet::from_iter([var]), vec![var]);
    while let Some(var) = open.pop() {
        if others.contains(&var) || seen.len() > MOST_VALUES || constants.len() > MOST_VALUES {
            return None;
        }
        // A variable that is never assigned has any value.
        for source in assigned.get(&var)? {
            match source {
                Source::Constant(constant) => {
                    constants.insert(*constant);
                }
                Source::Var(of) if seen.insert(*of) => open.push(*of),
                Source::Var(_) => {}
            }
        }
    }
    Some(constants)
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

/// States by the values of the first `length` flags, joined where these are the same. The length shrinks until there
/// are at most so many parts.
pub fn partition(flags: &[VarId], most: usize, length: &mut usize, states: impl Iterator<Item = State>) -> Parts {
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
        while parts.len() > most {
            *length -= 1;
            for (mut key, state) in std::mem::take(&mut parts) {
                key.truncate(*length);
                put(&mut parts, key, state);
            }
        }
    }
    parts
}
