//! The rules by which the pool's constructors make something simpler than the node they were asked for.
//!
//! Each function here gets the operands of a node that is about to be made, of which at least one is no constant, and answers with an
//! equal expression or `None`. The rules look a level or two below the node, so each costs constant time; those that
//! call constructors again are bounded by the pool. They hold for all widths and all values, division by zero included: a test
//! compares random expressions made with and without them.

mod arrays;
mod bitvector;
mod boolean;
mod compare;
mod floats;
mod overflow;
mod slices;

use crate::eval;
use crate::expr::{BinOp, Expr, ExprId, UnOp};
use crate::pool::ExprPool;

pub(crate) use arrays::{select, store};
pub(crate) use boolean::ite;

pub(crate) fn unary(pool: &mut ExprPool, op: UnOp, a: ExprId) -> Option<ExprId> {
    if let Some((c, x, y)) = constant_choice(pool, a) {
        let (x, y) = (pool.unary(op, x), pool.unary(op, y));
        return Some(pool.ite(c, x, y));
    }
    match op {
        UnOp::Not => boolean::not(pool, a),
        UnOp::BvNot => bitvector::complement(pool, a),
        UnOp::BvNeg => bitvector::negate(pool, a),
        _ => floats::unary(pool, op, a),
    }
}

/// For a commutative operator, a constant is the right operand.
pub(crate) fn binary(pool: &mut ExprPool, op: BinOp, a: ExprId, b: ExprId) -> Option<ExprId> {
    if let Some(id) = binary_of_choices(pool, op, a, b) {
        return Some(id);
    }
    match op {
        BinOp::And | BinOp::Or | BinOp::BvAnd | BinOp::BvOr => boolean::and_or(pool, op, a, b),
        BinOp::Xor | BinOp::BvXor => boolean::xor(pool, op, a, b),
        BinOp::Eq => compare::equal(pool, a, b),
        BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe => compare::order(pool, op, a, b),
        BinOp::BvAdd => bitvector::add(pool, a, b),
        BinOp::BvSub => bitvector::subtract(pool, a, b),
        BinOp::BvMul => bitvector::multiply(pool, a, b),
        BinOp::BvUDiv | BinOp::BvURem | BinOp::BvSDiv | BinOp::BvSRem => bitvector::divide(pool, op, a, b),
        BinOp::Shl | BinOp::LShr | BinOp::AShr => bitvector::shift(pool, op, a, b),
        BinOp::Concat => slices::concat(pool, a, b),
        BinOp::SAddOverflows | BinOp::SSubOverflows | BinOp::SMulOverflows | BinOp::UMulOverflows => {
            overflow::overflows(pool, op, a, b)
        }
        _ => floats::binary(pool, op, a, b),
    }
}

pub(crate) fn convert(pool: &mut ExprPool, expr: Expr, arg: ExprId) -> Option<ExprId> {
    if let Some((c, x, y)) = constant_choice(pool, arg) {
        let mut branch = |x| {
            let sort = pool.sort(x);
            pool.rebuild(expr.map_operands(|_| x), sort)
        };
        let (x, y) = (branch(x), branch(y));
        return Some(pool.ite(c, x, y));
    }
    match expr {
        Expr::Extract { high, low, .. } => slices::extract(pool, high, low, arg),
        Expr::ZeroExt { width, .. } => slices::zero_ext(pool, width, arg),
        Expr::SignExt { width, .. } => slices::sign_ext(pool, width, arg),
        _ => floats::convert(pool, expr, arg),
    }
}

/// An `Ite` between two constants. C's truth values are such, `Ite(c, 1, 0)`; operators move into them, so that what C
/// makes of a condition before it tests the result folds back to the condition.
fn constant_choice(pool: &ExprPool, id: ExprId) -> Option<(ExprId, ExprId, ExprId)> {
    match pool.get(id) {
        Expr::Ite(c, x, y) if pool.as_const(x).is_some() && pool.as_const(y).is_some() => Some((c, x, y)),
        _ => None,
    }
}

fn binary_of_choices(pool: &mut ExprPool, op: BinOp, a: ExprId, b: ExprId) -> Option<ExprId> {
    match (constant_choice(pool, a), constant_choice(pool, b)) {
        (Some((c, x, y)), None) if pool.as_const(b).is_some() => {
            let (x, y) = (pool.binary(op, x, b), pool.binary(op, y, b));
            Some(pool.ite(c, x, y))
        }
        (None, Some((c, x, y))) if pool.as_const(a).is_some() => {
            let (x, y) = (pool.binary(op, a, x), pool.binary(op, a, y));
            Some(pool.ite(c, x, y))
        }
        (Some((c, x, y)), Some((d, z, w))) if c == d => {
            let (x, y) = (pool.binary(op, x, z), pool.binary(op, y, w));
            Some(pool.ite(c, x, y))
        }
        // Bitwise operators on two truth values are the operators on the conditions.
        (Some((c, x, y)), Some((d, z, w))) if x == z && y == w && bits_of(pool, y) == Some(0) => {
            let op = match op {
                BinOp::BvAnd => BinOp::And,
                BinOp::BvOr => BinOp::Or,
                BinOp::BvXor => BinOp::Xor,
                _ => return None,
            };
            let condition = pool.binary(op, c, d);
            Some(pool.ite(condition, x, y))
        }
        _ => None,
    }
}

/// The value of a constant.
#[inline]
fn bits_of(pool: &ExprPool, id: ExprId) -> Option<u128> {
    pool.as_const(id).map(|c| c.bits)
}

/// The width of a scalar.
#[inline]
fn width(pool: &ExprPool, id: ExprId) -> u8 {
    pool.sort(id).bits().unwrap_or(1)
}

/// Is one the negation (or bitwise complement) of the other?
fn are_complements(pool: &ExprPool, a: ExprId, b: ExprId) -> bool {
    use BinOp::{SLe, SLt, ULe, ULt};
    let not = |x: ExprId, y: ExprId| matches!(pool.get(x), Expr::Unary(UnOp::Not | UnOp::BvNot, z) if z == y);
    if not(a, b) || not(b, a) {
        return true;
    }
    match (pool.get(a), pool.get(b)) {
        (Expr::Binary(p, x, y), Expr::Binary(q, z, w)) => match (p, q) {
            (ULt, ULe) | (ULe, ULt) | (SLt, SLe) | (SLe, SLt) => x == w && y == z,
            // x < k and k - 1 < x: a comparison with a constant is always made strict.
            (ULt, ULt) | (SLt, SLt) => {
                let n = width(pool, x);
                let smallest = if p == ULt { 0 } else { 1 << (n - 1) };
                let follows = |j: ExprId, k: ExprId| match (bits_of(pool, j), bits_of(pool, k)) {
                    (Some(j), Some(k)) => j.wrapping_add(1) & eval::mask(n) == k && k != smallest,
                    _ => false,
                };
                (x == w && follows(z, y)) || (y == z && follows(x, w))
            }
            _ => false,
        },
        _ => false,
    }
}
