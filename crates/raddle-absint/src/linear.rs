//! Expressions as sums: variables times constants, plus a constant, modulo 2^width.

use crate::evaluate::{Known, is_known};
use raddle_ir::eval::mask;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, UnOp, VarId};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Linear {
    /// Sorted by variable; no coefficient is zero.
    pub terms: Vec<(VarId, u128)>,
    pub constant: u128,
}

impl Linear {
    pub fn minus(&self, other: &Linear, width: u8) -> Linear {
        let mut sum = self.clone();
        for (var, factor) in &other.terms {
            match sum.terms.iter_mut().find(|(of, _)| of == var) {
                Some((_, own)) => *own = own.wrapping_sub(*factor) & mask(width),
                None => sum.terms.push((*var, factor.wrapping_neg() & mask(width))),
            }
        }
        sum.terms.retain(|(_, factor)| *factor != 0);
        sum.terms.sort_unstable();
        sum.constant = self.constant.wrapping_sub(other.constant) & mask(width);
        sum
    }
}

/// Larger expressions have no sums that anybody relates.
const MOST_DEPTH: u32 = 12;

/// The sum that an expression is, if it is one. A condition that is known decides between its branches.
pub fn linear(pool: &ExprPool, id: ExprId, known: &Known) -> Option<Linear> {
    let width = pool.sort(id).bits().filter(|width| pool.sort(id).is_bits() && *width <= 64)?;
    let mut result = Linear::default();
    collect(pool, id, known, 1, width, MOST_DEPTH, &mut result)?;
    result.terms.sort_unstable();
    let mut merged: Vec<(VarId, u128)> = Vec::with_capacity(result.terms.len());
    for (var, factor) in result.terms {
        match merged.last_mut().filter(|(last, _)| *last == var) {
            Some((_, sum)) => *sum = sum.wrapping_add(factor) & mask(width),
            None => merged.push((var, factor)),
        }
    }
    merged.retain(|(_, factor)| *factor != 0);
    Some(Linear { terms: merged, constant: result.constant & mask(width) })
}

fn collect(
    pool: &ExprPool,
    id: ExprId,
    known: &Known,
    factor: u128,
    width: u8,
    depth: u32,
    sum: &mut Linear,
) -> Option<()> {
    let depth = depth.checked_sub(1)?;
    let mut add = |id, factor: u128| collect(pool, id, known, factor & mask(width), width, depth, sum);
    match pool.get(id) {
        Expr::Const(c) => sum.constant = sum.constant.wrapping_add(factor.wrapping_mul(c.bits)),
        Expr::Var(var) => sum.terms.push((var, factor)),
        Expr::Binary(BinOp::BvAdd, a, b) => {
            add(a, factor)?;
            add(b, factor)?;
        }
        Expr::Binary(BinOp::BvSub, a, b) => {
            add(a, factor)?;
            add(b, factor.wrapping_neg())?;
        }
        Expr::Binary(BinOp::BvMul, a, b) => match (pool.as_const(a), pool.as_const(b)) {
            (_, Some(c)) => add(a, factor.wrapping_mul(c.bits))?,
            (Some(c), _) => add(b, factor.wrapping_mul(c.bits))?,
            _ => return None,
        },
        Expr::Binary(BinOp::Shl, a, b) => match pool.as_const(b) {
            Some(c) if c.bits < u128::from(width) => add(a, factor << c.bits)?,
            _ => return None,
        },
        Expr::Unary(UnOp::BvNeg, a) => add(a, factor.wrapping_neg())?,
        // !x is -x - 1.
        Expr::Unary(UnOp::BvNot, a) => {
            add(a, factor.wrapping_neg())?;
            sum.constant = sum.constant.wrapping_sub(factor);
        }
        Expr::Ite(cond, a, b) => add(if is_known(known, cond)? { a } else { b }, factor)?,
        _ => return None,
    }
    Some(())
}
