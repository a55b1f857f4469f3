//! What abstract interpretation found at the cut points, as far as it is inductive.
//!
//! A candidate that does not hold at first, or that a summary does not keep while all others are assumed, is dropped, until nothing has to be dropped any more (Houdini; Flanagan and
//! Leino, FME 2001). What is left strengthens the induction step, and every frame of an unrolling.

use crate::frames::{Frame, any, first, holds, next};
use crate::summaries::Summaries;
use raddle_invariants::system::System;
use raddle_ir::ExprId;
use raddle_smt::{Answer, Effort, NativeSolver, Solver, SolverError};

/// Conditions for each cut point, over its live variables.
pub type AtCuts = Vec<Vec<ExprId>>;

/// What one question may cost: many facts are cheap, and a hard one is dropped.
const EFFORT: Effort = Effort { conflicts: Some(5_000), time: None };

/// Candidates of abstract interpretation, as the System means them.
pub fn candidates(system: &mut System, of: &Summaries, facts: &raddle_absint::Facts) -> AtCuts {
    let mut result = AtCuts::new();
    for cut in &of.cuts {
        let all = &facts.at[cut.at.proc.index()][cut.at.loc.index()];
        let all: Vec<ExprId> = all.iter().map(|fact| system.of_mover(*fact)).collect();
        let of_live = |fact: &ExprId| system.pool.vars(*fact).iter().all(|var| cut.live.binary_search(var).is_ok());
        result.push(all.into_iter().filter(of_live).collect());
    }
    result
}

/// The candidates that are inductive together; nothing if the solver gives no answer.
pub fn inductive(
    system: &mut System,
    of: &Summaries,
    mut facts: AtCuts,
    solver: &mut NativeSolver,
) -> Result<Option<AtCuts>, SolverError> {
    solver.set_effort(EFFORT);
    let (start, initially) = first(system, of);
    if !drop_what_fails(system, &start, &initially, &mut facts, solver)? {
        return Ok(None);
    }
    let states: Vec<(Frame, Frame)> = (0..of.cuts.len())
        .map(|cut| {
            let mut from = any(system, of, 0);
            from.here.retain(|here| here.cut == cut);
            from.here.iter_mut().for_each(|here| here.guard = system.pool.bool(true));
            let to = next(system, of, &from, 0);
            (from, to)
        })
        .collect();
    let mut open: Vec<usize> = (0..of.cuts.len()).rev().collect();
    while let Some(cut) = open.pop() {
        let (from, to) = &states[cut];
        if to.here.iter().all(|here| facts[here.cut].is_empty()) {
            continue;
        }
        loop {
            let before = holds(system, from, &facts);
            let known: Vec<usize> = facts.iter().map(Vec::len).collect();
            if !drop_what_fails(system, to, &[before], &mut facts, solver)? {
                return Ok(None);
            }
            let weaker = (0..facts.len()).filter(|other| facts[*other].len() < known[*other]);
            let weaker: Vec<usize> = weaker.collect();
            let is_done = !weaker.contains(&cut);
            open.extend(weaker.into_iter().filter(|other| *other != cut));
            open.sort_unstable();
            open.dedup();
            if is_done {
                break;
            }
        }
    }
    Ok(Some(facts))
}

/// Drops what need not hold in a frame; false if the solver gives no answer.
pub fn drop_what_fails(
    system: &mut System,
    frame: &Frame,
    premises: &[ExprId],
    facts: &mut AtCuts,
    solver: &mut NativeSolver,
) -> Result<bool, SolverError> {
    loop {
        let all = holds(system, frame, facts);
        if system.pool.is_bool(all, true) {
            return Ok(true);
        }
        let mut assumptions = premises.to_vec();
        assumptions.push(system.pool.not(all));
        match solver.check(&system.pool, &assumptions)? {
            Answer::Unsat => return Ok(true),
            Answer::Unknown(_) => {
                return match solver.interrupt().is_stopped() {
                    true => Ok(false),
                    false => drop_what_is_hard(system, frame, premises, facts, solver).map(|()| true),
                };
            }
            Answer::Sat => {}
        }
        if !drop_refuted(system, frame, facts, solver)? {
            // The model is none of the formula: no answer.
            return Ok(false);
        }
    }
}

/// Drops what the solver cannot tell one by one, as far as its effort goes; or that need not hold.
fn drop_what_is_hard(
    system: &mut System,
    frame: &Frame,
    premises: &[ExprId],
    facts: &mut AtCuts,
    solver: &mut NativeSolver,
) -> Result<(), SolverError> {
    solver.set_effort(Effort { conflicts: Some(500), time: None });
    for here in &frame.here {
        for fact in facts[here.cut].clone() {
            let then = system.pool.substitute(fact, &mut |var| here.values.get(&var).copied());
            let mut assumptions = premises.to_vec();
            assumptions.extend([here.guard, system.pool.not(then)]);
            if solver.check(&system.pool, &assumptions)? != Answer::Unsat {
                facts[here.cut].retain(|other| *other != fact);
            }
        }
    }
    solver.set_effort(EFFORT);
    Ok(())
}

/// Drops what the model at hand refutes in a frame; false if that is nothing.
pub fn drop_refuted(
    system: &mut System,
    frame: &Frame,
    facts: &mut AtCuts,
    solver: &mut NativeSolver,
) -> Result<bool, SolverError> {
    let mut dropped = false;
    for here in &frame.here {
        if solver.value(&system.pool, here.guard)?.bits() == 0 {
            continue;
        }
        let mut left = Vec::new();
        for &fact in &facts[here.cut] {
            let then = system.pool.substitute(fact, &mut |var| here.values.get(&var).copied());
            match solver.value(&system.pool, then)?.bits() {
                0 => dropped = true,
                _ => left.push(fact),
            }
        }
        facts[here.cut] = left;
    }
    Ok(dropped)
}
