//! Conjuncts that exclude a counterexample to induction: parts of the weakest precondition of an obligation, split by whose variables they mention.
//!
//! For a step of `m` and a goal after it, the weakest precondition is a disjunction: the step cannot be taken, or the goal holds then. Each of its parts mentions shared variables and those of some of the threads of the
//! obligation. Any parts of it that are about two threads at most make a conjunct that excludes the counterexample. As few are taken as what was seen allows; first those about
//! shared variables, then about one thread, then about two.

use super::obligations::Obligation;
use super::seen::Seen;
use crate::backward::{any_of, disjuncts};
use crate::invariant::Scope;
use crate::system::{At, MOVER, NEW, OTHER, System, THIRD};
use raddle_ir::{BinOp, Expr, ExprId, VarId};
use raddle_model::instances::Origin;
use rustc_hash::FxHashMap;

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

/// Conjuncts each of which excludes the counterexamples of an obligation and was not seen to fail: those that say most come first.
pub fn candidates(system: &mut System, seen: &mut Seen, obligation: &Obligation) -> Vec<(Scope, ExprId)> {
    let parts = parts(system, obligation);
    let places = places(system, obligation);
    let mut all = Vec::new();
    // The least that is enough; the same with other parts; everything.
    for way in [Way::KeepGoal, Way::KeepCondition, Way::KeepAll] {
        for place in &places {
            let Some(cond) = conjunct(system, seen, place, &parts, way) else { continue };
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
    if way != Way::KeepAll {
        let order: Vec<ExprId> = match way {
            Way::KeepGoal => kept.clone(),
            _ => kept.iter().rev().copied().collect(),
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
