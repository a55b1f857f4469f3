//! Thresholds of widening: the constants that variables are compared with, and their neighbours.
//!
//! A bound that grows stops first where a comparison may hold it. A variable has the constants of its own comparisons, or all of its width.

use raddle_ir::eval::mask;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, VarId};
use rustc_hash::FxHashMap;

#[derive(Default, Debug)]
pub struct Thresholds {
    own: FxHashMap<VarId, Vec<u128>>,
    of_width: FxHashMap<u8, Vec<u128>>,
}

/// So many at most, the smallest first: each may cost a round.
const MOST: usize = 60;

pub fn thresholds(pool: &ExprPool) -> Thresholds {
    let mut result = Thresholds::default();
    for (_, expr, _) in pool.nodes() {
        let Expr::Binary(BinOp::Eq | BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe, a, b) = expr else { continue };
        let (sum, constant) = match (pool.as_const(a), pool.as_const(b)) {
            (None, Some(c)) => (a, c),
            (Some(c), None) => (b, c),
            _ => continue,
        };
        let Some(width) = pool.sort(sum).bits().filter(|_| pool.sort(sum).is_bits()) else { continue };
        let near = [constant.bits.wrapping_sub(1), constant.bits, constant.bits.wrapping_add(1)];
        result.of_width.entry(width).or_default().extend(near.map(|c| c & mask(width)));
        if let Some((var, width)) = variable(pool, sum) {
            result.own.entry(var).or_default().extend(near.map(|c| c & mask(width)));
        }
    }
    for constants in result.own.values_mut().chain(result.of_width.values_mut()) {
        constants.sort_unstable();
        constants.dedup();
        constants.truncate(MOST);
    }
    result
}

/// The variable that is compared, perhaps extended.
fn variable(pool: &ExprPool, id: ExprId) -> Option<(VarId, u8)> {
    match pool.get(id) {
        Expr::Var(var) => Some((var, pool.sort(id).bits()?)),
        Expr::ZeroExt { arg, .. } | Expr::SignExt { arg, .. } => variable(pool, arg),
        _ => None,
    }
}

impl Thresholds {
    pub fn of(&self, var: VarId, width: u8) -> &[u128] {
        self.own.get(&var).or_else(|| self.of_width.get(&width)).map_or(&[], Vec::as_slice)
    }
}
