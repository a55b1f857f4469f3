//! Conditions of the program at cut points: comparisons in its blocks and steps that speak of the live variables only, and how two variables compare that stand together in one.
//!
//! Nothing is known about whether they hold. They are what proofs are made of: candidates of k-induction (`strengthen.rs`), literals of clauses (`pdr/literals.rs`).

use crate::facts::AtCuts;
use crate::summaries::{Summaries, is_choice};
use raddle_invariants::system::System;
use raddle_ir::{BinOp, Expr, ExprId, Sort, UnOp, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// So many conditions at one cut point; of more, the smallest.
const MOST_CONDITIONS: usize = 160;
/// Conditions have at most so many nodes.
const LARGEST: usize = 24;
/// So many variables of one sort are compared each with each.
const MOST_COMPARED: usize = 8;
/// An expression may be one of so many variables.
const MOST_MEANT: usize = 8;
/// So many pairs of variables are compared at one cut point.
const MOST_PAIRS: usize = 40;

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
    // The steps say what ways that were merged no longer say of variables, but of their values.
    let mut all = roots(of);
    all.extend(of.steps.iter().flat_map(|step| step.after.values().copied().chain([step.cond])));
    all.sort_unstable();
    all.dedup();
    system.pool.for_each_node(&all, |id, expr| match expr {
        Expr::Binary(op, _, _) if is_comparison(op) => found.push(id),
        _ => {}
    });
    found.sort_unstable();
    let mut sized: Vec<(usize, ExprId, Vec<VarId>)> = Vec::new();
    for &id in &found {
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
    let together = together(system, of, &found);
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

/// The pairs of variables that are compared, or of which one becomes the other, up to a constant; on some way.
fn together(system: &System, of: &Summaries, comparisons: &[ExprId]) -> BTreeSet<(VarId, VarId)> {
    let mut meant = FxHashMap::default();
    let mut pairs = BTreeSet::new();
    let mut add = |some: &[VarId], others: &[VarId]| {
        for &a in some {
            pairs.extend(others.iter().filter(|b| **b != a).map(|&b| (a.min(b), a.max(b))));
        }
    };
    for &comparison in comparisons {
        if let Expr::Binary(_, a, b) = system.pool.get(comparison) {
            let (a, b) = (may_be(system, a, &mut meant), may_be(system, b, &mut meant));
            add(&a, &b);
        }
    }
    for step in &of.steps {
        for (var, value) in &step.after {
            add(&[*var], &may_be(system, *value, &mut meant));
        }
    }
    pairs
}

/// The variables that an expression is on some way, up to a constant.
fn may_be(system: &System, expr: ExprId, known: &mut FxHashMap<ExprId, Vec<VarId>>) -> Vec<VarId> {
    if let Some(known) = known.get(&expr) {
        return known.clone();
    }
    let (mut vars, mut open, mut seen) = (Vec::new(), vec![expr], FxHashSet::default());
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match system.pool.get(expr) {
            Expr::Var(var) if !is_choice(system, var) && vars.len() < MOST_MEANT => vars.push(var),
            Expr::Ite(_, a, b) => open.extend([b, a]),
            Expr::Binary(BinOp::BvAdd | BinOp::BvSub, a, b) => {
                let is_constant = |id: ExprId| system.pool.as_const(id).is_some();
                if is_constant(a) || is_constant(b) {
                    open.extend([b, a]);
                }
            }
            _ => {}
        }
    }
    known.insert(expr, vars.clone());
    vars
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
    pairs.truncate(MOST_PAIRS);
    pairs
}

/// The comparisons that conditions are made of.
pub fn comparisons(system: &System, conditions: &[ExprId]) -> Vec<ExprId> {
    let (mut found, mut open) = (Vec::new(), conditions.to_vec());
    let mut once: FxHashSet<ExprId> = FxHashSet::default();
    open.reverse();
    while let Some(condition) = open.pop() {
        if !once.insert(condition) {
            continue;
        }
        match system.pool.get(condition) {
            Expr::Unary(UnOp::Not, a) => open.push(a),
            Expr::Binary(BinOp::And | BinOp::Or, a, b) => open.extend([b, a]),
            Expr::Binary(op, _, _) if is_comparison(op) => found.push(condition),
            _ => {}
        }
    }
    found
}
