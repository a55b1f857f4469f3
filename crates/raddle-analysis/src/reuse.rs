//! May a program tell that an address is given out again after `Free`? Engines for which each object has an address of its own prove nothing about a
//! program that compares the address of a freed object with that of another one (the ABA problem, say).
//!
//! Such a comparison is an equality of two values that may be addresses of two objects of `Alloc`, one of which may be freed.

use crate::cfg::Cfg;
use crate::points_to::{AbstractObject, PointsTo, points_to};
use fixedbitset::FixedBitSet;
use raddle_ir::{BinOp, Callee, Expr, ExprId, Label, Program, Span};

/// Where a program may tell.
pub fn sees_reuse(program: &Program) -> Option<Span> {
    let edges = || program.procs.iter().flat_map(|proc| &proc.edges);
    let freed_at = |label: &Label| match label {
        Label::Free { address, .. } => Some(*address),
        _ => None,
    };
    let freed_at: Vec<ExprId> = edges().flat_map(|edge| &edge.labels).filter_map(freed_at).collect();
    if freed_at.is_empty() {
        return None;
    }
    let points_to = points_to(program);
    let mut freed = FixedBitSet::with_capacity(points_to.objects().len());
    freed_at.iter().for_each(|address| freed.union_with(&points_to.targets(&program.pool, *address)));
    let once = made_once(program, &points_to);
    let are_two = |a: ExprId, b: ExprId| {
        let (a, b) = (sites(program, &points_to, a), sites(program, &points_to, b));
        let differ = |x: usize, y: usize| (x != y || !once.contains(x)) && (freed.contains(x) || freed.contains(y));
        a.ones().any(|x| b.ones().any(|y| differ(x, y)))
    };
    let width = program.pointer_sort();
    let tells = |label: &Label| {
        let mut roots = Vec::new();
        label.for_each_expr(|expr| roots.push(expr));
        let mut tells = false;
        program.pool.for_each_node(&roots, |_, expr| {
            let Expr::Binary(BinOp::Eq, a, b) = expr else { return };
            if program.pool.sort(a) != width {
                return;
            }
            let pair = match (program.pool.get(a), program.pool.as_const(b)) {
                (Expr::Binary(BinOp::BvSub | BinOp::BvXor, x, y), Some(_)) => (x, y),
                _ => (a, b),
            };
            tells |= are_two(pair.0, pair.1);
        });
        tells
    };
    edges().find(|edge| edge.labels.iter().any(tells)).map(|edge| edge.span)
}

/// The objects of `Alloc` that a value points to.
fn sites(program: &Program, points_to: &PointsTo, value: ExprId) -> FixedBitSet {
    let mut result = points_to.carried(&program.pool, value).0;
    for (i, object) in points_to.objects().iter().enumerate() {
        if let AbstractObject::Static(_) = object {
            result.set(i, false);
        }
    }
    result
}

/// The `Alloc`s that make one object at most: in the first process, outside of loops.
fn made_once(program: &Program, points_to: &PointsTo) -> FixedBitSet {
    let mut result = FixedBitSet::with_capacity(points_to.objects().len());
    let runs_entry = |label: &Label| match label {
        Label::Start { callee, .. } | Label::Call { callee, .. } => match callee {
            Callee::Proc(callee) => *callee == program.entry,
            Callee::Address(_) => true,
        },
        _ => false,
    };
    if program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels).any(runs_entry) {
        return result;
    }
    let code = program.proc(program.entry);
    let on_cycle = Cfg::new(code).on_cycle(code);
    for (i, object) in points_to.objects().iter().enumerate() {
        if let AbstractObject::Site { proc, edge, .. } = object
            && *proc == program.entry
        {
            let edge = &code.edges[edge.index()];
            result.set(i, !(on_cycle.contains(edge.source.index()) && on_cycle.contains(edge.target.index())));
        }
    }
    result
}
