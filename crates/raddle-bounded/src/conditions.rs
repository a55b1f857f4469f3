//! Conditions of the program at cut points: comparisons in its blocks that speak of the live variables only, and how two variables compare that stand together in one.
//!
//! Nothing is known about whether they hold. They are what proofs are made of: candidates of k-induction (`strengthen.rs`), literals of clauses (`pdr/literals.rs`).

use crate::facts::AtCuts;
use crate::summaries::{Summaries, is_choice};
use raddle_invariants::system::System;
use raddle_ir::{BinOp, Expr, ExprId, Sort, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// So many conditions at one cut point; of more, the smallest.
const MOST_CONDITIONS: usize = 160;
/// Conditions have at most so many nodes.
const LARGEST: usize = 24;
/// So many variables of one sort are compared each with each.
const MOST_COMPARED: usize = 8;

/// All expressions of the blocks.
pub fn roots(of: &Summaries) -> Vec<ExprId> {
    let mut roots: Vec<ExprId> = Vec::new();
    for cut in &of.cuts {
        roots.extend([cut.error, cut.open]);
        for summary in &cut.summaries {
            roots.push(summary.cond);
            roots.extend(summary.after.values());
        }
    }
    roots.sort_unstable();
    roots.dedup();
    roots
}

pub fn conditions(system: &mut System, of: &Summaries) -> AtCuts {
    let mut found = Vec::new();
    system.pool.for_each_node(&roots(of), |id, expr| match expr {
        Expr::Binary(op, _, _) if is_comparison(op) => found.push(id),
        _ => {}
    });
    found.sort_unstable();
    let mut sized: Vec<(usize, ExprId, Vec<VarId>)> = Vec::new();
    for id in found {
        let (mut size, mut is_plain) = (0, true);
        system.pool.for_each_node(&[id], |_, expr| {
            size += 1;
            if let Expr::Var(var) = expr {
                is_plain &= !is_choice(system, var) && !matches!(system.vars.sort(var), Sort::Array { .. });
            }
        });
        if is_plain && size <= LARGEST {
            sized.push((size, id, system.pool.vars(id)));
        }
    }
    sized.sort_unstable();
    let mut together: BTreeSet<(VarId, VarId)> = BTreeSet::new();
    for (_, _, vars) in &sized {
        for (i, &a) in vars.iter().enumerate() {
            together.extend(vars[i + 1..].iter().map(|&b| (a, b)));
        }
    }
    let mut conditions = AtCuts::new();
    for cut in &of.cuts {
        let is_live = |var: &VarId| cut.live.binary_search(var).is_ok();
        let of_live = sized.iter().filter(|(_, _, vars)| vars.iter().all(is_live));
        let mut here: Vec<ExprId> = of_live.map(|(_, id, _)| *id).take(MOST_CONDITIONS).collect();
        for (a, b) in compared(system, &cut.live, &together) {
            let pool = &mut system.pool;
            here.extend([pool.eq(a, b), pool.binary(BinOp::SLt, a, b), pool.binary(BinOp::SLt, b, a)]);
        }
        let mut once = FxHashSet::default();
        here.retain(|id| once.insert(*id) && !system.pool.is_bool(*id, true) && !system.pool.is_bool(*id, false));
        conditions.push(here);
    }
    conditions
}

fn is_comparison(op: BinOp) -> bool {
    matches!(op, BinOp::Eq | BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe | BinOp::FEq | BinOp::FLt | BinOp::FLe)
}

/// The pairs of variables that are compared at a cut point.
fn compared(system: &mut System, live: &[VarId], together: &BTreeSet<(VarId, VarId)>) -> Vec<(ExprId, ExprId)> {
    let mut of_sort: FxHashMap<Sort, Vec<VarId>> = FxHashMap::default();
    for &var in live {
        if let Sort::Bits(2..) = system.vars.sort(var) {
            of_sort.entry(system.vars.sort(var)).or_default().push(var);
        }
    }
    let mut pairs = Vec::new();
    for (sort, vars) in of_sort {
        for (i, &a) in vars.iter().enumerate() {
            for &b in &vars[i + 1..] {
                if vars.len() <= MOST_COMPARED || together.contains(&(a, b)) {
                    pairs.push((system.pool.var(a, sort), system.pool.var(b, sort)));
                }
            }
        }
    }
    pairs.sort_unstable();
    pairs
}
