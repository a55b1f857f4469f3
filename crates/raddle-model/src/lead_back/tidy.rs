//! What a conjunction says, in fewer words: readers of witnesses evaluate and prove each of them.
//!
//! Predicates pile up in an abstract state: `x = 3`, `x < 7`, `x < 9`. A variable that equals a constant is replaced by it elsewhere, which folds, and of several bounds of the same
//! expression on the same side the tightest stays. The result is equivalent.

use super::told::Conjunction;
use raddle_ir::{BinOp, Const, Expr, ExprId, ExprPool, Sort, VarId, eval};
use rustc_hash::FxHashMap;

pub fn tidy(pool: &mut ExprPool, literals: Vec<ExprId>) -> Conjunction {
    let known: FxHashMap<VarId, ExprId> = literals.iter().filter_map(|literal| equality(pool, *literal)).collect();
    let mut result: Vec<ExprId> = Vec::new();
    for literal in literals {
        let literal = match equality(pool, literal) {
            // Two different constants: it says `false`, which is not taken from it.
            Some((var, value)) if known.get(&var) == Some(&value) => literal,
            _ => pool.substitute(literal, &mut |var| known.get(&var).copied()),
        };
        if !pool.is_bool(literal, true) {
            result.push(literal);
        }
    }
    let bounds: Vec<Option<Bound>> = result.iter().map(|literal| bound(pool, *literal)).collect();
    let is_looser = |position: usize| {
        let same_side = |own: &Bound, other: &Bound| own.of == other.of && own.side == other.side;
        bounds[position].is_some_and(|own| {
            let others = bounds.iter().enumerate().filter_map(|(other, bound)| Some((other, (*bound)?)));
            others
                .into_iter()
                .any(|(other, bound)| same_side(&own, &bound) && (bound.slack, other) < (own.slack, position))
        })
    };
    let mut kept: Conjunction =
        result.iter().enumerate().filter(|(position, _)| !is_looser(*position)).map(|(_, literal)| *literal).collect();
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// A variable that is a constant.
fn equality(pool: &ExprPool, literal: ExprId) -> Option<(VarId, ExprId)> {
    let Expr::Binary(BinOp::Eq, a, b) = pool.get(literal) else { return None };
    match (pool.get(a), pool.get(b)) {
        (Expr::Var(var), Expr::Const(_)) => Some((var, b)),
        (Expr::Const(_), Expr::Var(var)) => Some((var, a)),
        _ => None,
    }
}

#[derive(Clone, Copy)]
struct Bound {
    of: ExprId,
    side: (BinOp, bool),
    /// The smaller, the tighter.
    slack: i128,
}

/// `e < c`, `c < e` and the like.
fn bound(pool: &ExprPool, literal: ExprId) -> Option<Bound> {
    let Expr::Binary(op @ (BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe), a, b) = pool.get(literal) else {
        return None;
    };
    let number = |expr: ExprId| match pool.as_const(expr)? {
        Const { sort: Sort::Bits(width), bits } if width <= 64 => Some(match op {
            BinOp::SLt | BinOp::SLe => eval::to_signed(width, bits),
            _ => bits as i128,
        }),
        _ => None,
    };
    match (number(a), number(b)) {
        (None, Some(above)) => Some(Bound { of: a, side: (op, true), slack: above }),
        (Some(below), None) => Some(Bound { of: b, side: (op, false), slack: -below }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tightest_bounds_and_what_a_constant_decides() {
        let mut pool = ExprPool::new();
        let (x, y) = (pool.var(VarId(0), Sort::Bits(32)), pool.var(VarId(1), Sort::Bits(32)));
        let (three, seven, nine) = (pool.bits(32, 3), pool.bits(32, 7), pool.bits(32, 9));
        let less = |pool: &mut ExprPool, a, b| pool.binary(BinOp::SLt, a, b);
        let (y7, y9, over3, over7) =
            (less(&mut pool, y, seven), less(&mut pool, y, nine), less(&mut pool, three, y), less(&mut pool, seven, y));
        let (is3, x9, xy) = (pool.eq(x, three), less(&mut pool, x, nine), less(&mut pool, x, y));
        let sorted = |mut literals: Vec<ExprId>| {
            literals.sort_unstable();
            literals
        };
        assert_eq!(tidy(&mut pool, vec![y9, y7]), [y7]);
        assert_eq!(tidy(&mut pool, vec![over3, y9, over7]), sorted(vec![y9, over7]));
        // `x < y` becomes `3 < y`.
        assert_eq!(tidy(&mut pool, vec![x9, is3, xy]), sorted(vec![is3, over3]));
    }
}
