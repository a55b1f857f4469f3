//! Path conditions as lists of conjuncts.
//!
//! When two paths meet again, what they have in common stays, and `c` and `not c` cancel; a plain disjunction of conjunctions would
//! grow with each branch. The list also answers "does one guard imply another" for guards of the same thread, by inclusion.

use raddle_ir::{ExprId, ExprPool};
use std::rc::Rc;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guard {
    /// The conjunction.
    pub expr: ExprId,
    /// In the order in which they came.
    pub conjuncts: Rc<Vec<ExprId>>,
}

impl Guard {
    pub fn always(pool: &mut ExprPool) -> Guard {
        Guard { expr: pool.bool(true), conjuncts: Rc::new(Vec::new()) }
    }

    pub fn is_false(&self, pool: &ExprPool) -> bool {
        pool.is_bool(self.expr, false)
    }

    pub fn is_true(&self, pool: &ExprPool) -> bool {
        pool.is_bool(self.expr, true)
    }

    /// This and a condition; what is known already is not added again.
    pub fn and(&self, pool: &mut ExprPool, cond: ExprId) -> Guard {
        if pool.is_bool(cond, true) || self.conjuncts.contains(&cond) {
            return self.clone();
        }
        let not = pool.not(cond);
        if pool.is_bool(cond, false) || self.conjuncts.contains(&not) {
            return Guard { expr: pool.bool(false), conjuncts: Rc::clone(&self.conjuncts) };
        }
        let mut conjuncts = (*self.conjuncts).clone();
        conjuncts.push(cond);
        Guard { expr: pool.and(self.expr, cond), conjuncts: Rc::new(conjuncts) }
    }

    pub fn and_all(&self, pool: &mut ExprPool, other: &Guard) -> Guard {
        if other.is_false(pool) {
            return other.clone();
        }
        other.conjuncts.iter().fold(self.clone(), |all, cond| all.and(pool, *cond))
    }

    /// Does this imply the other, as far as the lists tell?
    pub fn implies(&self, other: &Guard) -> bool {
        other.conjuncts.iter().all(|c| self.conjuncts.contains(c))
    }

    fn rest(&self, common: &[ExprId]) -> Vec<ExprId> {
        self.conjuncts.iter().copied().filter(|c| !common.contains(c)).collect()
    }
}

/// The guard of a place where two paths meet, and a condition that holds on the first path and not on the second one
/// (given that one of them was taken).
pub fn meet(pool: &mut ExprPool, a: &Guard, b: &Guard) -> (Guard, ExprId) {
    let common: Vec<ExprId> = a.conjuncts.iter().copied().filter(|c| b.conjuncts.contains(c)).collect();
    let (rest_a, rest_b) = (a.rest(&common), b.rest(&common));
    let mut all = |rest: &[ExprId]| {
        let yes = pool.bool(true);
        rest.iter().fold(yes, |all, c| pool.and(all, *c))
    };
    let (only_a, only_b) = (all(&rest_a), all(&rest_b));
    let select = if rest_a.len() <= rest_b.len() { only_a } else { pool.not(only_b) };
    let yes = pool.bool(true);
    let expr = common.iter().fold(yes, |all, c| pool.and(all, *c));
    let guard = Guard { expr, conjuncts: Rc::new(common) };
    // `c ∧ p` and `¬c ∧ p'`: where the decision itself is all of one side, the other side needs only the rest.
    let either = match (&rest_a[..], &rest_b[..]) {
        ([x], others) | (others, [x]) => {
            let not_x = pool.not(*x);
            match others.iter().position(|o| *o == not_x) {
                Some(at) => {
                    let yes = pool.bool(true);
                    let others = others.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, o)| *o);
                    let rest = others.fold(yes, |all, o| pool.and(all, o));
                    pool.or(*x, rest)
                }
                None => pool.or(only_a, only_b),
            }
        }
        _ => pool.or(only_a, only_b),
    };
    (guard.and(pool, either), select)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::{Sort, VarId};

    #[test]
    fn branches_that_meet_cancel() {
        let mut pool = ExprPool::new();
        let [g, c, d] = [0, 1, 2].map(|i| pool.var(VarId(i), Sort::Bool));
        let not_c = pool.not(c);
        let start = Guard::always(&mut pool).and(&mut pool, g);
        let (then, other) = (start.and(&mut pool, c), start.and(&mut pool, not_c));
        let (met, select) = meet(&mut pool, &then, &other);
        assert_eq!((met, select), (start.clone(), c));
        // With an assumption in one branch.
        let then = then.and(&mut pool, d);
        let (met, select) = meet(&mut pool, &then, &other);
        let either = pool.or(not_c, d);
        assert_eq!(met, start.and(&mut pool, either));
        assert_eq!(select, c);
        assert!(then.implies(&start) && !start.implies(&then));
    }
}
