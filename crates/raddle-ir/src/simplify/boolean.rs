//! Rules for Bool operators and `Ite`; those for `And`, `Or` and `Xor` serve bit-vectors as well.

use super::{are_complements, bits_of, width};
use crate::eval;
use crate::expr::{BinOp, Const, Expr, ExprId, UnOp};
use crate::pool::ExprPool;
use crate::sort::Sort;

pub(super) fn not(pool: &mut ExprPool, a: ExprId) -> Option<ExprId> {
    match pool.get(a) {
        Expr::Unary(UnOp::Not, x) => Some(x),
        Expr::Binary(BinOp::ULt, x, y) => Some(pool.binary(BinOp::ULe, y, x)),
        Expr::Binary(BinOp::ULe, x, y) => Some(pool.binary(BinOp::ULt, y, x)),
        Expr::Binary(BinOp::SLt, x, y) => Some(pool.binary(BinOp::SLe, y, x)),
        Expr::Binary(BinOp::SLe, x, y) => Some(pool.binary(BinOp::SLt, y, x)),
        _ => None,
    }
}

/// `And` and `Or` of Bools and bit-vectors are the same but for what is up and what is down.
pub(super) fn and_or(pool: &mut ExprPool, op: BinOp, a: ExprId, b: ExprId) -> Option<ExprId> {
    let sort = pool.sort(a);
    let ones = eval::mask(width(pool, a));
    let (dual, absorbing, neutral) = match op {
        BinOp::And => (BinOp::Or, 0, 1),
        BinOp::Or => (BinOp::And, 1, 0),
        BinOp::BvAnd => (BinOp::BvOr, 0, ones),
        _ => (BinOp::BvAnd, ones, 0),
    };
    if a == b {
        return Some(a);
    }
    if let Some(k) = bits_of(pool, b) {
        if k == absorbing {
            return Some(b);
        }
        if k == neutral {
            return Some(a);
        }
        // (x & k1) & k2
        if let Expr::Binary(inner, x, y) = pool.get(a)
            && inner == op
            && pool.as_const(y).is_some()
        {
            let k = pool.binary(op, y, b);
            return Some(pool.binary(op, x, k));
        }
        // A mask on an extended value works on what was extended.
        if let Expr::ZeroExt { width: outer, arg } = pool.get(a)
            && op == BinOp::BvAnd
        {
            let n = width(pool, arg);
            let k = pool.bits(n, k);
            let masked = pool.binary(op, arg, k);
            return Some(pool.zero_ext(outer, masked));
        }
        return None;
    }
    if are_complements(pool, a, b) {
        return Some(pool.constant(Const { sort, bits: absorbing }));
    }
    for (p, q) in [(a, b), (b, a)] {
        let Expr::Binary(inner, x, y) = pool.get(q) else { continue };
        if inner == op {
            if x == p || y == p {
                return Some(q);
            }
            if are_complements(pool, x, p) || are_complements(pool, y, p) {
                return Some(pool.constant(Const { sort, bits: absorbing }));
            }
        } else if inner == dual {
            if x == p || y == p {
                return Some(p);
            }
            if are_complements(pool, x, p) {
                return Some(pool.binary(op, p, y));
            }
            if are_complements(pool, y, p) {
                return Some(pool.binary(op, p, x));
            }
        }
    }
    match op {
        BinOp::And => equalities_with_constants(pool, a, b),
        BinOp::Or => {
            // By de Morgan, when both sides are negated (in)equalities.
            let is_equality = |x| matches!(pool.get(x), Expr::Binary(BinOp::Eq, ..));
            let negated = |x| matches!(pool.get(x), Expr::Unary(UnOp::Not, y) if is_equality(y));
            if !(is_equality(a) || negated(a)) || !(is_equality(b) || negated(b)) {
                return None;
            }
            let (x, y) = (pool.not(a), pool.not(b));
            equalities_with_constants(pool, x, y).map(|conjunction| pool.not(conjunction))
        }
        _ => None,
    }
}

/// `x = 1 ∧ x = 2` is false, `x = 1 ∧ x ≠ 2` is `x = 1`.
fn equalities_with_constants(pool: &mut ExprPool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let equality = |pool: &ExprPool, id| match pool.get(id) {
        Expr::Binary(BinOp::Eq, x, k) => bits_of(pool, k).map(|k| (x, k)),
        _ => None,
    };
    let inequality = |pool: &ExprPool, id| match pool.get(id) {
        Expr::Unary(UnOp::Not, x) => equality(pool, x),
        _ => None,
    };
    for (p, q) in [(a, b), (b, a)] {
        let Some((x, k)) = equality(pool, p) else { continue };
        if equality(pool, q).is_some_and(|(y, j)| x == y && k != j) {
            return Some(pool.bool(false));
        }
        if inequality(pool, q).is_some_and(|(y, j)| x == y && k != j) {
            return Some(p);
        }
    }
    None
}

pub(super) fn xor(pool: &mut ExprPool, op: BinOp, a: ExprId, b: ExprId) -> Option<ExprId> {
    let sort = pool.sort(a);
    let ones = eval::mask(width(pool, a));
    let not = if op == BinOp::Xor { UnOp::Not } else { UnOp::BvNot };
    if a == b {
        return Some(pool.constant(Const { sort, bits: 0 }));
    }
    if let Some(k) = bits_of(pool, b) {
        if k == 0 {
            return Some(a);
        }
        if k == ones {
            return Some(pool.unary(not, a));
        }
        return match pool.get(a) {
            Expr::Binary(inner, x, y) if inner == op && pool.as_const(y).is_some() => {
                let k = pool.binary(op, y, b);
                Some(pool.binary(op, x, k))
            }
            Expr::Unary(inner, x) if inner == not => {
                let k = pool.unary(not, b);
                Some(pool.binary(op, x, k))
            }
            _ => None,
        };
    }
    if are_complements(pool, a, b) {
        return Some(pool.constant(Const { sort, bits: ones }));
    }
    for (p, q) in [(a, b), (b, a)] {
        match pool.get(q) {
            Expr::Unary(inner, x) if inner == not => {
                let differ = pool.binary(op, p, x);
                return Some(pool.unary(not, differ));
            }
            Expr::Binary(inner, x, y) if inner == op && x == p => return Some(y),
            Expr::Binary(inner, x, y) if inner == op && y == p => return Some(x),
            _ => {}
        }
    }
    None
}

pub(crate) fn ite(pool: &mut ExprPool, c: ExprId, a: ExprId, b: ExprId) -> Option<ExprId> {
    if let Expr::Unary(UnOp::Not, c) = pool.get(c) {
        return Some(pool.ite(c, b, a));
    }
    if pool.sort(a) == Sort::Bool
        && let Some(id) = bool_ite(pool, c, a, b)
    {
        return Some(id);
    }
    // The branches know what the condition is.
    match pool.get(a) {
        Expr::Ite(d, x, _) if d == c => return Some(pool.ite(c, x, b)),
        Expr::Ite(d, x, y) if y == b => {
            let both = pool.and(c, d);
            return Some(pool.ite(both, x, b));
        }
        _ => {}
    }
    match pool.get(b) {
        Expr::Ite(d, _, y) if d == c => return Some(pool.ite(c, a, y)),
        Expr::Ite(d, x, y) if x == a => {
            let either = pool.or(c, d);
            return Some(pool.ite(either, a, y));
        }
        _ => {}
    }
    // x = y ? x : y
    match pool.get(c) {
        Expr::Binary(BinOp::Eq, x, y) if (x == a && y == b) || (x == b && y == a) => Some(b),
        _ => None,
    }
}

fn bool_ite(pool: &mut ExprPool, c: ExprId, a: ExprId, b: ExprId) -> Option<ExprId> {
    match (bits_of(pool, a), bits_of(pool, b)) {
        (Some(1), _) => return Some(pool.or(c, b)),
        (_, Some(0)) => return Some(pool.and(c, a)),
        (Some(_), _) => {
            let c = pool.not(c);
            return Some(pool.and(c, b));
        }
        (_, Some(_)) => {
            let c = pool.not(c);
            return Some(pool.or(c, a));
        }
        _ => {}
    }
    if a == c {
        return Some(pool.or(c, b));
    }
    if b == c {
        return Some(pool.and(c, a));
    }
    if are_complements(pool, a, b) {
        return Some(pool.eq(c, a));
    }
    None
}
