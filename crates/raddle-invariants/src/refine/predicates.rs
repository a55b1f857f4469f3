//! Conjuncts that exclude a counterexample to induction: parts of the weakest precondition of an obligation, split by whose variables they mention.
//!
//! For a step of `m` and a goal after it, the weakest precondition is a disjunction: the step cannot be taken, or the goal holds then. Each of its parts mentions shared variables and those of some of the threads of the
//! obligation. Any parts of it that are about two threads at most make a conjunct that excludes the counterexample. As few are taken as what was seen allows; first those about
//! shared variables, then about one thread, then about two.
//!
//! Where a part says `x != e`, the counterexample has `x == e`, and `x` can be eliminated: of `a != x or b != x` remains `a != b`. That says more, and the next steps that change `x` do not break it: without it the
//! preconditions of a counter would be `a != x + 1 or b != x + 1`, and so on without end. For the same reason `a < b` is tried instead of `a != b`,
//! of one thread: which of two threads is first is open.

use super::obligations::Obligation;
use super::seen::Seen;
use crate::backward::{any_of, disjuncts};
use crate::invariant::Scope;
use crate::system::{MOVER, NEW, OTHER, System};
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Sort, UnOp, VarId};
use raddle_model::instances::Origin;
use rustc_hash::{FxHashMap, FxHashSet};

/// Larger conditions say nothing that is worth keeping.
const MOST_NODES: usize = 200;
/// So many parts are tried to be left out.
const MOST_PARTS: usize = 24;

/// Where a conjunct may stand, which slots it may mention, and what they are called there.
struct Place {
    scope: Scope,
    slots: Vec<u32>,
    names: Vec<(u32, u32)>,
}

/// The variables of an obligation's weakest precondition.
pub fn vars(system: &mut System, obligation: &Obligation) -> FxHashSet<VarId> {
    let parts = parts(system, obligation);
    parts.into_iter().flat_map(|(part, _)| system.pool.vars(part)).collect()
}

/// Where conjuncts about the threads of an obligation stand, and what their slots are called there.
pub fn scopes(system: &System, obligation: &Obligation) -> Vec<(Scope, Vec<(u32, u32)>)> {
    let names = |place: Place| (place.scope, place.names.into_iter().map(|(slot, name)| (name, slot)).collect());
    places(system, obligation).into_iter().map(names).collect()
}

/// Conjuncts each of which excludes the counterexamples of an obligation and was not seen to fail: those that say most come first.
pub fn candidates(system: &mut System, seen: &mut Seen, obligation: &Obligation) -> Vec<(Scope, ExprId)> {
    let parts = parts(system, obligation);
    let places = places(system, obligation);
    let mut all = Vec::new();
    // That nobody is there; the least that is enough, without variables that can be eliminated; with them; the same with other parts; everything.
    for way in [Way::Never, Way::Eliminate, Way::KeepGoal, Way::KeepCondition, Way::KeepAll] {
        for place in &places {
            let Some(cond) = conjunct(system, seen, place, &parts, way) else { continue };
            if !matches!(place.scope, Scope::Together(..)) {
                let order = order(system, seen, place.scope, cond).map(|order| (place.scope, order));
                all.extend(order.filter(|order| !all.contains(order)));
            }
            if !all.contains(&(place.scope, cond)) {
                all.push((place.scope, cond));
            }
        }
    }
    all
}

/// Which parts are left out first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Never,
    Eliminate,
    KeepGoal,
    KeepCondition,
    KeepAll,
}

/// The parts of a weakest precondition, and the slots that each mentions: first that the step cannot be taken, then that the goal holds after it.
fn parts(system: &mut System, obligation: &Obligation) -> Vec<(ExprId, Vec<u32>)> {
    let mut pre = system.pool.not(system.steps[obligation.step].cond);
    if obligation.joins {
        let is_joined = system.is_joined(obligation.step, OTHER);
        let not = system.pool.not(is_joined);
        pre = system.pool.or(pre, not);
    }
    let mut post = obligation.post;
    if system.steps[obligation.step].starts.is_some() {
        post = begun(system, post);
    }
    let mut parts = disjuncts(&mut system.pool, pre);
    parts.extend(disjuncts(&mut system.pool, post));
    parts.into_iter().filter_map(|part| slots(system, part).map(|slots| (part, slots))).take(MOST_PARTS).collect()
}

/// What a thread that has not stepped yet is known to have.
fn begun(system: &mut System, expr: ExprId) -> ExprId {
    let mut values: FxHashMap<VarId, ExprId> = FxHashMap::default();
    for fact in system.begins(NEW) {
        if let Expr::Binary(BinOp::Eq, a, b) = system.pool.get(fact) {
            match (system.pool.get(a), system.pool.get(b)) {
                (Expr::Var(var), _) => values.insert(var, b),
                (_, Expr::Var(var)) => values.insert(var, a),
                _ => None,
            };
        }
    }
    system.pool.substitute(expr, &mut |var| values.get(&var).copied())
}

/// The threads whose variables an expression mentions; none if it mentions what no conjunct can.
fn slots(system: &System, part: ExprId) -> Option<Vec<u32>> {
    let mut all = Vec::new();
    for var in system.pool.vars(part) {
        match system.vars.origin(var) {
            Origin::Instance { slot, .. }
            | Origin::Held { slot, .. }
            | Origin::HeldShared { slot, .. }
            | Origin::Handle(slot) => {
                if slot == NEW {
                    return None;
                }
                if !all.contains(&slot) {
                    all.push(slot);
                }
            }
            _ if system.vars.is_shared(var) => {}
            _ => return None,
        }
    }
    Some(all)
}

fn places(system: &System, obligation: &Obligation) -> Vec<Place> {
    let mut threads = vec![(system.steps[obligation.step].source, MOVER)];
    threads.extend(&obligation.others);
    let mut all = vec![Place { scope: Scope::Shared, slots: Vec::new(), names: vec![(MOVER, MOVER)] }];
    for &(at, slot) in &threads {
        all.push(Place { scope: Scope::At(at), slots: vec![slot], names: vec![(slot, MOVER)] });
    }
    for (i, &first) in threads.iter().enumerate() {
        for &second in &threads[i + 1..] {
            let ((a, x), (b, y)) = if first.0 <= second.0 { (first, second) } else { (second, first) };
            all.push(Place { scope: Scope::Together(a, b), slots: vec![x, y], names: vec![(x, MOVER), (y, OTHER)] });
        }
    }
    all
}

/// Some of the parts that may stand at a place, if what was seen there does not refute all of them together.
fn conjunct(
    system: &mut System,
    seen: &mut Seen,
    place: &Place,
    parts: &[(ExprId, Vec<u32>)],
    way: Way,
) -> Option<ExprId> {
    if way == Way::Never {
        return seen.rows(place.scope).is_empty().then(|| system.pool.bool(false));
    }
    let mut kept: Vec<ExprId> = Vec::new();
    for (part, slots) in parts {
        if slots.iter().all(|slot| place.slots.contains(slot)) {
            kept.push(system.renamed_all(*part, &place.names));
        }
    }
    let whole = any_of(&mut system.pool, &kept);
    if seen.refutes(system, place.scope, whole) {
        return None;
    }
    if way == Way::Eliminate {
        kept = eliminated(system, seen, place.scope, kept)?;
    }
    if way != Way::KeepAll {
        let order: Vec<ExprId> = match way {
            Way::KeepCondition => kept.iter().rev().copied().collect(),
            _ => kept.clone(),
        };
        for part in order {
            let rest: Vec<ExprId> = kept.iter().copied().filter(|other| *other != part).collect();
            let cond = any_of(&mut system.pool, &rest);
            if !seen.refutes(system, place.scope, cond) {
                kept = rest;
            }
        }
    }
    let cond = any_of(&mut system.pool, &kept);
    let mut nodes = 0;
    system.pool.for_each_node(&[cond], |_, _| nodes += 1);
    (nodes <= MOST_NODES && !system.pool.is_bool(cond, true)).then_some(cond)
}

/// A disjunction without the variables that its parts say something is not equal to, as far as what was seen does not refute it; none if there are no such variables.
fn eliminated(system: &mut System, seen: &mut Seen, scope: Scope, mut parts: Vec<ExprId>) -> Option<Vec<ExprId>> {
    let mut changed = false;
    let mut at = 0;
    while at < parts.len() {
        let sides = equation(&system.pool, parts[at]).map_or(Vec::new(), |(a, b)| vec![(a, b), (b, a)]);
        let mut next = None;
        for (side, value) in sides {
            let Expr::Var(var) = system.pool.get(side) else { continue };
            let rest: Vec<ExprId> = (0..parts.len()).filter(|other| *other != at).map(|other| parts[other]).collect();
            if system.pool.vars(value).contains(&var) || !rest.iter().any(|p| system.pool.vars(*p).contains(&var)) {
                continue;
            }
            let rest: Vec<ExprId> = (rest.into_iter())
                .map(|part| system.pool.substitute(part, &mut |of| (of == var).then_some(value)))
                .collect();
            let cond = any_of(&mut system.pool, &rest);
            if !system.pool.is_bool(cond, true) && !seen.refutes(system, scope, cond) {
                next = Some(rest);
                break;
            }
        }
        match next {
            Some(rest) => (parts, changed, at) = (rest, true, 0),
            None => at += 1,
        }
    }
    changed.then_some(parts)
}

/// That one of two terms is always less, instead of that they are not equal: what counts up does not break it.
fn order(system: &mut System, seen: &mut Seen, scope: Scope, cond: ExprId) -> Option<ExprId> {
    let (a, b) = equation(&system.pool, cond)?;
    if system.pool.as_const(a).is_some() || system.pool.as_const(b).is_some() || seen.rows(scope).len() < 2 {
        return None;
    }
    let pool = &mut system.pool;
    if !matches!(pool.sort(a), Sort::Bits(2..=64)) {
        return None;
    }
    let orders = [(BinOp::ULt, a, b), (BinOp::ULt, b, a), (BinOp::SLt, a, b), (BinOp::SLt, b, a)];
    let orders = orders.map(|(op, a, b)| pool.binary(op, a, b));
    orders.into_iter().find(|order| !seen.refutes(system, scope, *order))
}

/// Of a part that says that two things are not equal: both.
fn equation(pool: &ExprPool, part: ExprId) -> Option<(ExprId, ExprId)> {
    let Expr::Unary(UnOp::Not, equal) = pool.get(part) else { return None };
    match pool.get(equal) {
        Expr::Binary(BinOp::Eq, a, b) => Some((a, b)),
        _ => None,
    }
}
