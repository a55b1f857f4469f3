//! k-induction: no error within k blocks from the beginning, and none after k blocks without one from anywhere.
//!
//! Base and step share one solver and one pool. The base case starts where the program does; the step case at any cut point with any values. What the step may assume, in all of its frames:
//! - the facts that are inductive on their own (`facts.rs`), and candidates that are k-inductive together with the property (`strengthen.rs`);
//! - that no error was met. On the way itself this is in the guards: whoever comes to the next cut point has passed all assertions in between. But no error could have been met with *other*
//!   inputs either, or there would be a shorter way to one; so the inputs with which the last frame meets its error met none in the frames before;
//! - that no state comes twice, since a shortest way to an error repeats none (simple paths; asserted only where a model repeats one).
//!
//! Sheeran, Singh and Stålmarck (FMCAD 2000); Eén and Sörensson, *Temporal Induction by Incremental SAT Solving* (BMC 2003); Donaldson, Haller, Kroening and Rümmer (SAS 2011).

use crate::facts::AtCuts;
use crate::frames::{Frame, any, exactly_one, first, holds, next, wrong};
use crate::strengthen::Strengthening;
use crate::summaries::Summaries;
use crate::{KindConfig, Missing};
use raddle_invariants::system::System;
use raddle_ir::{ExprId, Sort};
use raddle_model::instances::Origin;
use raddle_smt::{Answer, NativeSolver, Solver};

/// Inputs of the base case, of the step case, and of the error at the end of the step case, are told apart by their numbers.
const ERROR: u32 = u32::MAX;

/// Frames of the step case that a simple path tells apart, at a cut point.
pub type Distinct = (usize, usize, usize);

/// A proof: no error within the first k + 1 blocks, and none in a block that follows k others without one.
#[derive(Clone, Debug, Default)]
pub struct Induction {
    pub k: usize,
    pub distinct: Vec<Distinct>,
    /// No execution has more blocks: there is no need for a step.
    pub is_complete: bool,
    /// Candidates that were assumed in the frames before, and hold in the last one.
    pub kept: AtCuts,
}

/// At most so many pairs of states are told apart before k grows.
const MOST_DISTINCT: usize = 200;

pub fn prove(
    system: &mut System,
    of: &Summaries,
    facts: &AtCuts,
    solver: &mut NativeSolver,
    config: &KindConfig,
    strengthening: Option<Strengthening>,
    report: &mut dyn FnMut(usize),
) -> Result<Induction, Missing> {
    // No check is to be built anew: everything serves later ones.
    let yes = system.pool.bool(true);
    let _ = solver.literal(&system.pool, yes);
    let (mut base, initially) = first(system, of);
    for fact in initially {
        solver.assert(&system.pool, fact)?;
    }
    let mut from_anywhere = any(system, of, 0);
    // Where the program begins it does not come again, unless that is a cut point of a cycle: the base case is about it.
    let comes_again = of.cuts.iter().flat_map(|cut| &cut.summaries).any(|summary| summary.target == 0);
    from_anywhere.here.retain(|here| here.cut != 0 || comes_again);
    // What the step case states holds for the step case only: if all ways lead to an error at once, no state keeps to it.
    let in_step = system.vars.make(Origin::Auxiliary(u32::MAX), Sort::Bool, None);
    let in_step = system.pool.var(in_step, Sort::Bool);
    let one = exactly_one(system, &from_anywhere);
    let mut step_case = StepCase { in_step, frames: vec![from_anywhere], distinct: Vec::new(), strengthening };
    let mut first_frames = vec![base.clone()];
    step_case.state(system, solver, one)?;
    for k in 0..=config.max_k as usize {
        report(k);
        let here = wrong(system, of, &base, 2 * k as u32);
        for (condition, missing) in [(here.error, Missing::Error(k)), (here.open, Missing::Open)] {
            match solver.check(&system.pool, &[condition])? {
                Answer::Unsat => {}
                Answer::Sat => return Err(missing),
                Answer::Unknown(_) => return Err(Missing::Answer),
            }
            let not = system.pool.not(condition);
            solver.assert(&system.pool, not)?;
        }
        base = next(system, of, &base, 2 * k as u32);
        let known = holds(system, &base, facts);
        solver.assert(&system.pool, known)?;
        let never = system.pool.bool(false);
        let goes_on = base.here.iter().fold(never, |some, here| system.pool.or(some, here.guard));
        match solver.check(&system.pool, &[goes_on])? {
            Answer::Unsat => {
                return Ok(Induction {
                    k,
                    is_complete: true,
                    kept: vec![Vec::new(); of.cuts.len()],
                    ..Induction::default()
                });
            }
            Answer::Sat => {}
            Answer::Unknown(_) => return Err(Missing::Answer),
        }
        if step_case.step(system, of, facts, &first_frames, solver, config)? {
            let kept =
                step_case.strengthening.map_or(vec![Vec::new(); of.cuts.len()], |strengthening| strengthening.kept);
            return Ok(Induction { k, distinct: step_case.distinct, is_complete: false, kept });
        }
        first_frames.push(base.clone());
    }
    Err(Missing::Depth)
}

/// The frames from anywhere.
struct StepCase<'a> {
    /// Switches on what is stated of them.
    in_step: ExprId,
    frames: Vec<Frame>,
    distinct: Vec<Distinct>,
    strengthening: Option<Strengthening<'a>>,
}

impl StepCase<'_> {
    fn state(&self, system: &mut System, solver: &mut NativeSolver, formula: ExprId) -> Result<(), Missing> {
        let not = system.pool.not(self.in_step);
        let formula = system.pool.or(not, formula);
        Ok(solver.assert(&system.pool, formula)?)
    }

    /// Does no error follow on the frames that there are? If one may, there is one frame more.
    fn step(
        &mut self,
        system: &mut System,
        of: &Summaries,
        facts: &AtCuts,
        base: &[Frame],
        solver: &mut NativeSolver,
        config: &KindConfig,
    ) -> Result<bool, Missing> {
        let k = self.frames.len() - 1;
        let mut known = holds(system, &self.frames[k], facts);
        if let Some(strengthening) = &self.strengthening {
            let kept = holds(system, &self.frames[k], &strengthening.kept);
            known = system.pool.and(known, kept);
        }
        self.state(system, solver, known)?;
        let here = wrong(system, of, &self.frames[k], ERROR);
        let some = system.pool.or(here.error, here.open);
        if self.excluded(system, of, some, solver, config)? {
            return Ok(true);
        }
        if let Some(strengthening) = &mut self.strengthening {
            let new = strengthening.keep(system, of, (base, &self.frames[..]), self.in_step, solver)?;
            for frame in &self.frames {
                let known = holds(system, frame, &new);
                self.state(system, solver, known)?;
            }
            if new.iter().any(|here| !here.is_empty()) && self.excluded(system, of, some, solver, config)? {
                return Ok(true);
            }
        }
        let none = system.pool.not(some);
        self.state(system, solver, none)?;
        let last = next(system, of, &self.frames[k], 2 * k as u32 + 1);
        self.frames.push(last);
        Ok(false)
    }

    /// Is there no way through the frames, without a state twice, to what is wrong?
    fn excluded(
        &mut self,
        system: &mut System,
        of: &Summaries,
        wrong: ExprId,
        solver: &mut NativeSolver,
        config: &KindConfig,
    ) -> Result<bool, Missing> {
        let most = self.distinct.len() + MOST_DISTINCT;
        loop {
            match solver.check(&system.pool, &[self.in_step, wrong])? {
                Answer::Unsat => return Ok(true),
                Answer::Unknown(_) => return Err(Missing::Answer),
                Answer::Sat => {}
            }
            if !config.simple_paths || self.distinct.len() >= most {
                return Ok(false);
            }
            let pairs = repeated(system, of, solver, &self.frames)?;
            if pairs.is_empty() {
                return Ok(false);
            }
            for (i, j, cut) in pairs {
                let differ = differ(system, of, &self.frames[i], &self.frames[j], cut);
                self.state(system, solver, differ)?;
                self.distinct.push((i, j, cut));
            }
        }
    }
}

/// The states that the model has twice.
fn repeated(
    system: &mut System,
    of: &Summaries,
    solver: &mut NativeSolver,
    steps: &[Frame],
) -> Result<Vec<Distinct>, Missing> {
    let mut states = Vec::new();
    for frame in steps {
        let mut state = None;
        for here in &frame.here {
            if solver.value(&system.pool, here.guard)?.bits() == 0 || has_array(system, of, here.cut) {
                continue;
            }
            let mut values = Vec::new();
            for var in &of.cuts[here.cut].live {
                let same = system.pool.var(*var, system.vars.sort(*var));
                let value = here.values.get(var).copied().unwrap_or(same);
                values.push(solver.value(&system.pool, value)?.bits());
            }
            state = Some((here.cut, values));
        }
        states.push(state);
    }
    let mut pairs = Vec::new();
    for (j, state) in states.iter().enumerate() {
        let Some((cut, _)) = state else { continue };
        if let Some(i) = states[..j].iter().position(|other| other == state) {
            pairs.push((i, j, *cut));
        }
    }
    Ok(pairs)
}

fn has_array(system: &System, of: &Summaries, cut: usize) -> bool {
    of.cuts[cut].live.iter().any(|var| matches!(system.vars.sort(*var), Sort::Array { .. }))
}

/// The states in two frames are not the same at a cut point.
fn differ(system: &mut System, of: &Summaries, a: &Frame, b: &Frame, cut: usize) -> ExprId {
    let find = |frame: &Frame| frame.here.iter().find(|here| here.cut == cut).cloned();
    let (Some(a), Some(b)) = (find(a), find(b)) else { return system.pool.bool(true) };
    let mut same = system.pool.and(a.guard, b.guard);
    for var in &of.cuts[cut].live {
        let other = system.pool.var(*var, system.vars.sort(*var));
        let (a, b) = (a.values.get(var).copied().unwrap_or(other), b.values.get(var).copied().unwrap_or(other));
        let equal = system.pool.eq(a, b);
        same = system.pool.and(same, equal);
    }
    system.pool.not(same)
}
