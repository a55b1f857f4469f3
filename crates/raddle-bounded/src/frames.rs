//! The summaries, unrolled: after how many of them, at which cut point, with which values.
//!
//! A frame is the state after so many summaries. For each cut point it has a guard, which says when control is there, and the values that variables have then, in terms of the state in
//! frame 0 and of the inputs on the way. The guards of one frame exclude each other. Nothing is added for a new frame but the terms of its own: the pool shares the rest, so that a
//! solver that keeps what it has met is asked incrementally.

use crate::summaries::{Summaries, Values, choices, merged};
use raddle_invariants::system::System;
use raddle_ir::{BinOp, Expr, ExprId, Sort, Substitution, UnOp, VarId};
use raddle_model::instances::Origin;
use rustc_hash::FxHashMap;

/// Control at one cut point.
#[derive(Clone, Debug)]
pub struct Here {
    pub cut: usize,
    pub guard: ExprId,
    pub values: Values,
}

#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub here: Vec<Here>,
}

/// What can go wrong in the next block.
#[derive(Clone, Copy, Debug)]
pub struct Wrong {
    pub error: ExprId,
    pub open: ExprId,
}

/// Before anything runs: the frame, and what holds.
pub fn first(system: &mut System, of: &Summaries) -> (Frame, Vec<ExprId>) {
    let (mut values, mut facts) = (Values::default(), Vec::new());
    for fact in system.initially() {
        match known_value(system, fact) {
            Some((var, value)) if !values.contains_key(&var) => {
                values.insert(var, value);
            }
            _ => facts.push(fact),
        }
    }
    // What is said of a variable that has a value is said of the value.
    let mut known = Substitution::new();
    let mut replace = |var: VarId| values.get(&var).copied();
    let facts = facts.into_iter().map(|fact| known.apply(&mut system.pool, fact, &mut replace)).collect();
    let guard = system.pool.bool(true);
    let live = &of.cuts[0].live;
    values.retain(|var, _| live.contains(var));
    (Frame { here: vec![Here { cut: 0, guard, values }] }, facts)
}

/// Does a fact say what the value of a variable is, in terms of none?
fn known_value(system: &mut System, fact: ExprId) -> Option<(VarId, ExprId)> {
    let pool = &mut system.pool;
    match pool.get(fact) {
        Expr::Var(var) => Some((var, pool.bool(true))),
        Expr::Unary(UnOp::Not, of) => match pool.get(of) {
            Expr::Var(var) => Some((var, pool.bool(false))),
            _ => None,
        },
        Expr::Binary(BinOp::Eq, a, b) => match (pool.get(a), pool.get(b)) {
            (Expr::Var(var), _) if pool.vars(b).is_empty() => Some((var, b)),
            (_, Expr::Var(var)) if pool.vars(a).is_empty() => Some((var, a)),
            _ => None,
        },
        _ => None,
    }
}

/// The frame after one more summary; its inputs have this number.
pub fn next(system: &mut System, of: &Summaries, frame: &Frame, number: u32) -> Frame {
    let mut arrivals: FxHashMap<usize, Vec<(ExprId, Values)>> = FxHashMap::default();
    for here in &frame.here {
        let cut = &of.cuts[here.cut];
        let exprs = cut.summaries.iter().flat_map(|summary| summary.after.values().copied().chain([summary.cond]));
        let own = choices(system, exprs.collect::<Vec<_>>().into_iter(), number);
        let mut known = Substitution::new();
        let mut replace = |var: VarId| here.values.get(&var).or_else(|| own.get(&var)).copied();
        for summary in &cut.summaries {
            let cond = known.apply(&mut system.pool, summary.cond, &mut replace);
            let guard = system.pool.and(here.guard, cond);
            if system.pool.is_bool(guard, false) {
                continue;
            }
            let mut values = Values::default();
            for &var in &of.cuts[summary.target].live {
                let value = match summary.after.get(&var) {
                    Some(value) => Some(known.apply(&mut system.pool, *value, &mut replace)),
                    None => here.values.get(&var).copied(),
                };
                values.extend(value.map(|value| (var, value)));
            }
            arrivals.entry(summary.target).or_default().push((guard, values));
        }
    }
    let mut arrivals: Vec<_> = arrivals.into_iter().collect();
    arrivals.sort_unstable_by_key(|(cut, _)| *cut);
    let merge = |(cut, arrivals): (usize, Vec<(ExprId, Values)>)| {
        let (guard, values) = merged(system, arrivals, &of.cuts[cut].live);
        Here { cut, guard, values }
    };
    Frame { here: arrivals.into_iter().map(merge).collect() }
}

/// What goes wrong before the next frame, with inputs of this number.
pub fn wrong(system: &mut System, of: &Summaries, frame: &Frame, number: u32) -> Wrong {
    let never = system.pool.bool(false);
    let mut wrong = Wrong { error: never, open: never };
    for here in &frame.here {
        let cut = &of.cuts[here.cut];
        let own = choices(system, [cut.error, cut.open].into_iter(), number);
        let mut known = Substitution::new();
        let mut replace = |var: VarId| here.values.get(&var).or_else(|| own.get(&var)).copied();
        for (sum, of) in [(&mut wrong.error, cut.error), (&mut wrong.open, cut.open)] {
            let cond = known.apply(&mut system.pool, of, &mut replace);
            let cond = system.pool.and(here.guard, cond);
            *sum = system.pool.or(*sum, cond);
        }
    }
    wrong
}

/// Some conditions for each cut point, where control is in a frame: all of them hold.
pub fn holds(system: &mut System, frame: &Frame, conditions: &[Vec<ExprId>]) -> ExprId {
    let mut all = system.pool.bool(true);
    for here in &frame.here {
        let mut known = Substitution::new();
        let elsewhere = system.pool.not(here.guard);
        for &condition in &conditions[here.cut] {
            let condition = known.apply(&mut system.pool, condition, &mut |var| here.values.get(&var).copied());
            let condition = system.pool.or(elsewhere, condition);
            all = system.pool.and(all, condition);
        }
    }
    all
}

/// Names of states: by a number that tells them apart.
const STATES: u32 = 1 << 20;

/// A variable in the state with this number.
pub fn named(system: &mut System, var: VarId, state: u32) -> ExprId {
    let version = system.vars.version(var, STATES + state);
    system.pool.var(version, system.vars.sort(version))
}

/// The state with this number: at any cut point, with any values.
pub fn any(system: &mut System, of: &Summaries, state: u32) -> Frame {
    let mut here = Vec::new();
    for (i, cut) in of.cuts.iter().enumerate() {
        let guard = is_at(system, of, i, state);
        let values = cut.live.iter().map(|var| (*var, named(system, *var, state))).collect();
        here.push(Here { cut: i, guard, values });
    }
    Frame { here }
}

/// The variable that says whether the state with this number is at a cut point.
pub fn is_at(system: &mut System, of: &Summaries, cut: usize, state: u32) -> ExprId {
    let number = STATES + state * of.cuts.len() as u32 + cut as u32;
    let is_at = system.vars.make(Origin::Auxiliary(number), Sort::Bool, None);
    system.pool.var(is_at, Sort::Bool)
}

/// One of these guards holds, and no other one.
pub fn exactly_one(system: &mut System, frame: &Frame) -> ExprId {
    let pool = &mut system.pool;
    let (mut some, mut distinct) = (pool.bool(false), pool.bool(true));
    for here in &frame.here {
        let both = pool.and(some, here.guard);
        let not_both = pool.not(both);
        distinct = pool.and(distinct, not_both);
        some = pool.or(some, here.guard);
    }
    pool.and(some, distinct)
}
