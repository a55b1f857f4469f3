//! Fewer words where there are too many disjuncts: what they say of the same variables is told for itself.
//!
//! Each conjunct of the result is the disjunction, over all disjuncts, of what they say of some variables: `(x = 0 && y = 1) || (x = 0 && y = 2)` becomes `x = 0`, and `y = 1 || y = 2`. That is
//! weaker, since it forgets which values come together, and still an invariant.

use super::told::{Conjunction, disjunction};
use raddle_ir::{ExprId, ExprPool, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// What is said of the same variables has so many cases at most.
const MOST_CASES: usize = 8;

/// A condition that the disjunction of these implies.
pub fn summary(pool: &mut ExprPool, disjuncts: &BTreeSet<Conjunction>) -> ExprId {
    let mut cases: BTreeMap<Vec<VarId>, (usize, BTreeSet<Conjunction>)> = BTreeMap::new();
    for conjunction in disjuncts {
        let mut own: BTreeMap<Vec<VarId>, Conjunction> = BTreeMap::new();
        for &literal in conjunction {
            own.entry(pool.vars(literal)).or_default().push(literal);
        }
        for (vars, literals) in own {
            let (count, all) = cases.entry(vars).or_default();
            *count += 1;
            all.insert(literals);
        }
    }
    let told = cases.into_values().filter(|(count, all)| *count == disjuncts.len() && all.len() <= MOST_CASES);
    let told: Vec<Vec<Conjunction>> = told.map(|(_, all)| all.into_iter().collect()).collect();
    let all = pool.bool(true);
    told.iter().fold(all, |all, cases| {
        let one = disjunction(pool, cases);
        pool.and(all, one)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::Sort;

    #[test]
    fn what_is_said_in_all_cases() {
        let mut pool = ExprPool::new();
        let vars = [0, 1, 2].map(|number| pool.var(VarId(number), Sort::Bits(8)));
        let mut is = |var: usize, value| {
            let value = pool.bits(8, value);
            pool.eq(vars[var], value)
        };
        let (x0, y1, y2, z3) = (is(0, 0), is(1, 1), is(1, 2), is(2, 3));
        let disjuncts = BTreeSet::from([vec![x0, y1], vec![x0, y2, z3]]);
        let either = pool.or(y1, y2);
        let wanted = pool.and(x0, either);
        assert_eq!(summary(&mut pool, &disjuncts), wanted);
    }
}
