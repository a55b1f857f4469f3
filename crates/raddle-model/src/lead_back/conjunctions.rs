//! The invariants of engines that know one conjunction for each place where a thread may be.
//!
//! A proof may have hundreds of conjuncts, of which most say what anybody sees; and it may have thousands of places. So heads of loops come first, and elsewhere something is said
//! only as long as there is little. What is too long, or one too many, is left out.

use super::implied::without_implied;
use super::told::{Conjunction, Told};
use super::{LeadBack, Standpoint, Visited, tidy};
use raddle_engine::Invariants;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, LocId, ProcId, UnOp};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// At a head of a loop so many conjuncts are said, and elsewhere.
const MOST_AT_HEADS: usize = 16;
const MOST_ELSEWHERE: usize = 8;
/// A conjunct has so many nodes at most.
const LONGEST: usize = 100;
/// So many conjuncts are looked at at one place, at all heads of loops, and elsewhere.
const MOST_HERE: usize = 1_000;
const MOST_OF_HEADS: usize = 20_000;
const MOST_OF_OTHERS: usize = 5_000;

/// The invariants that conditions about the thread in a slot show: at a prepared location all of them hold, and nothing is known where there are none.
pub fn invariants_of_conjunctions(
    lead_back: &LeadBack,
    pool: &ExprPool,
    slot: u32,
    known: &dyn Fn(ProcId, LocId) -> Option<Vec<ExprId>>,
) -> Invariants {
    let mut places: BTreeMap<(bool, (ProcId, LocId)), Vec<Standpoint>> = BTreeMap::new();
    for (&(proc, loc), &Visited { origin, is_head }) in &lead_back.visited {
        let place = (!is_head, (origin.proc, origin.loc));
        places.entry(place).or_default().push(Standpoint { slot, proc, loc, origin });
    }
    let mut told = Told::default();
    let mut looked_at = [0; 2];
    for ((is_elsewhere, place), mut copies) in places {
        let limit = if is_elsewhere { MOST_OF_OTHERS } else { MOST_OF_HEADS };
        let count = &mut looked_at[usize::from(is_elsewhere)];
        if *count > limit || !told.arrive(place, !is_elsewhere) {
            continue;
        }
        copies.sort_unstable_by_key(|at| (at.proc, at.loc));
        let most = if is_elsewhere { MOST_ELSEWHERE } else { MOST_AT_HEADS };
        // All copies, or nothing: the location is visited at each of them.
        let all: Option<Vec<_>> = copies.iter().map(|at| known(at.proc, at.loc)).collect();
        let Some(all) = all else {
            told.forget(place);
            continue;
        };
        *count += all.iter().map(Vec::len).sum::<usize>();
        for (at, conds) in copies.into_iter().zip(all) {
            let conjunction = conjunction(lead_back, pool, at, conds, most, &mut told.invariants);
            let never = |literal: &ExprId| told.invariants.pool.is_bool(*literal, false);
            // A place that nobody comes to is no part of a disjunction.
            if !conjunction.iter().any(never) {
                told.add(place, [conjunction]);
            }
        }
    }
    if looked_at[1] > MOST_OF_OTHERS {
        told.keep_heads();
    }
    told.finish()
}

/// What can be said of some conditions that all hold.
fn conjunction(
    lead_back: &LeadBack,
    pool: &ExprPool,
    at: Standpoint,
    conds: Vec<ExprId>,
    most: usize,
    to: &mut Invariants,
) -> Conjunction {
    let mut said: Vec<ExprId> = Vec::new();
    for (cond, holds) in conjuncts(pool, conds) {
        if size(pool, cond) <= LONGEST
            && let Some(literal) = lead_back.condition(at, pool, cond, to)
        {
            said.push(if holds { literal } else { to.pool.not(literal) });
        }
    }
    let said = tidy(&mut to.pool, said);
    let mut said = without_implied(&mut to.pool, said);
    if said.len() > most {
        // Short ones are understood at once, and those of several variables say more than bounds do.
        let rank = |literal: &ExprId| (to.pool.vars(*literal).len() < 2, size(&to.pool, *literal), *literal);
        said.sort_by_cached_key(rank);
        said.truncate(most);
        said.sort_unstable();
    }
    said
}

/// The parts of conditions that all hold, each as it is or negated.
fn conjuncts(pool: &ExprPool, conds: Vec<ExprId>) -> Vec<(ExprId, bool)> {
    let mut open: Vec<(ExprId, bool)> = conds.into_iter().map(|cond| (cond, true)).collect();
    open.reverse();
    let mut seen: FxHashSet<(ExprId, bool)> = FxHashSet::default();
    let mut result = Vec::new();
    while let Some((cond, holds)) = open.pop() {
        if !seen.insert((cond, holds)) || result.len() == MOST_HERE {
            continue;
        }
        match (pool.get(cond), holds) {
            (Expr::Binary(BinOp::And, a, b), true) | (Expr::Binary(BinOp::Or, a, b), false) => {
                open.extend([(b, holds), (a, holds)]);
            }
            (Expr::Unary(UnOp::Not, a), _) => open.push((a, !holds)),
            _ => result.push((cond, holds)),
        }
    }
    result
}

/// How many nodes an expression has; no more than one too many are counted.
fn size(pool: &ExprPool, expr: ExprId) -> usize {
    let mut seen = FxHashSet::from_iter([expr]);
    let mut open = vec![expr];
    while let Some(expr) = open.pop().filter(|_| seen.len() <= LONGEST) {
        pool.get(expr).for_each_operand(|operand| {
            if seen.insert(operand) {
                open.push(operand);
            }
        });
    }
    seen.len()
}
