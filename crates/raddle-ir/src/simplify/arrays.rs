//! Rules for arrays: reading over writing, where it is known whether the indices are the same.

use super::bits_of;
use crate::expr::{BinOp, Expr, ExprId};
use crate::pool::ExprPool;

/// How many stores a read looks through.
const MAX_STORES: usize = 64;

pub(crate) fn select(pool: &mut ExprPool, array: ExprId, index: ExprId) -> Option<ExprId> {
    let mut at = array;
    for _ in 0..MAX_STORES {
        match pool.get(at) {
            Expr::ConstArray { value, .. } => return Some(value),
            Expr::Store(_, i, value) if i == index => return Some(value),
            Expr::Store(below, i, _) if surely_differ(pool, i, index) => at = below,
            _ => break,
        }
    }
    if at == array { None } else { Some(pool.select(at, index)) }
}

pub(crate) fn store(pool: &mut ExprPool, array: ExprId, index: ExprId, value: ExprId) -> Option<ExprId> {
    if pool.get(value) == Expr::Select(array, index) {
        return Some(array);
    }
    match pool.get(array) {
        Expr::ConstArray { value: same, .. } if same == value => Some(array),
        Expr::Store(below, i, _) if i == index => Some(pool.store(below, index, value)),
        _ => None,
    }
}

/// Two constants, or two constant distances from the same base.
fn surely_differ(pool: &ExprPool, i: ExprId, j: ExprId) -> bool {
    let split = |id: ExprId| match pool.get(id) {
        Expr::Const(c) => (None, c.bits),
        Expr::Binary(BinOp::BvAdd, base, k) => bits_of(pool, k).map_or((Some(id), 0), |k| (Some(base), k)),
        _ => (Some(id), 0),
    };
    let ((base_i, i), (base_j, j)) = (split(i), split(j));
    base_i == base_j && i != j
}
