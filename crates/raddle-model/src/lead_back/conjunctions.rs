//! The invariants of engines that know one conjunction for each place where a thread may be.
//!
//! A proof may have hundreds of conjuncts, of which most say what anybody sees; and it may have thousands of places. So heads of loops come first, and elsewhere something is said
//! only as long as there is little. What is too long, or one too many, is left out.

use super::told::{Conjunction, Told};
use super::{LeadBack, Standpoint, Visited, tidy};
use raddle_engine::Invariants;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, LocId, ProcId, UnOp};
use std::collections::BTreeMap;

/// At a head of a loop so many conjuncts are said, and elsewhere.
const MOST_AT_HEADS: usize = 16;
const MOST_ELSEWHERE: usize = 8;
/// A conjunct has so many nodes.
const LONGEST: usize = 100;
/// Away from heads of loops, so many conjuncts are looked at.
const MOST_LOOKED_AT: usize = 5_000;

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
    let mut looked_at = 0;
    for ((is_elsewhere, place), mut copies) in places {
        if !told.arrive(place, !is_elsewhere) || looked_at > MOST_LOOKED_AT {
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
        looked_at += if is_elsewhere { all.iter().map(Vec::len).sum() } else { 0 };
        for (at, conds) in copies.into_iter().zip(all) {
            let conjunction = conjunction(lead_back, pool, at, conds, most, &mut told.invariants);
            let never = |literal: &ExprId| told.invariants.pool.is_bool(*literal, false);
            // A place that nobody comes to is no part of a disjunction.
            if !conjunction.iter().any(never) {
                told.add(place, [conjunction]);
            }
        }
    }
    if looked_at > MOST_LOOKED_AT {
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
    let mut literals = Vec::new();
    for cond in conds {
        conjuncts(pool, cond, true, &mut literals);
    }
    literals.sort_unstable();
    literals.dedup();
    let mut said: Vec<ExprId> = Vec::new();
    for (cond, holds) in literals {
        if is_short(pool, cond)
            && let Some(literal) = lead_back.condition(at, pool, cond, to)
        {
            said.push(if holds { literal } else { to.pool.not(literal) });
        }
    }
    let mut said = tidy(&mut to.pool, said);
    if said.len() > most {
        // Short ones are understood at once, and those of several variables say more than bounds do.
        let rank = |literal: &ExprId| (to.pool.vars(*literal).len() < 2, size(&to.pool, *literal), *literal);
        said.sort_by_cached_key(rank);
        said.truncate(most);
        said.sort_unstable();
    }
    said
}

/// The parts of a condition that all hold, each as it is or negated.
fn conjuncts(pool: &ExprPool, cond: ExprId, holds: bool, to: &mut Vec<(ExprId, bool)>) {
    let mut open = vec![(cond, holds)];
    while let Some((cond, holds)) = open.pop() {
        match (pool.get(cond), holds) {
            (Expr::Binary(BinOp::And, a, b), true) | (Expr::Binary(BinOp::Or, a, b), false) => {
                open.extend([(a, holds), (b, holds)]);
            }
            (Expr::Unary(UnOp::Not, a), holds) => open.push((a, !holds)),
            _ => to.push((cond, holds)),
        }
    }
}

fn size(pool: &ExprPool, expr: ExprId) -> usize {
    let mut count = 0;
    pool.for_each_node(&[expr], |_, _| count += 1);
    count
}

fn is_short(pool: &ExprPool, expr: ExprId) -> bool {
    size(pool, expr) <= LONGEST
}
