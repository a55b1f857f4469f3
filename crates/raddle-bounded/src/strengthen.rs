//! Candidates that are k-inductive together with the property: what strengthens the induction step as k grows.
//!
//! Let P(s) say of a state that the kept candidates hold and that no error follows in the next block. If P holds of the first k + 1 states of each execution, and of a state after k others with P, then P
//! holds of all: that is k-induction of P, in which the candidates may rest on each other, on the property, and on more than one block before. So a candidate that fails for one k may be kept for a larger
//! one, and what is kept stays: more states before only help. What k blocks keep is found as Houdini does, by dropping all that a model refutes (Flanagan and Leino, FME 2001), relative to k (Kahsai,
//! Garoche, Tinelli and Whalen, *Incremental Verification with Mode Variable Invariants in State Machines*, NFM 2012; Beyer, Dangl and Wendler, *Boosting k-Induction with Continuously-Refined
//! Invariants*, CAV 2015).
//!
//! Candidates come in stages while k grows: what abstract interpretation said and is not inductive, conditions of the program, and what random executions suggest, at last under guards. Those that an execution of
//! at most k + 1 blocks refutes are dropped for good.
//!
//! Nothing sound rests on this file: `certify.rs` checks the base and the step of P.

use crate::Missing;
use crate::conditions::conditions;
use crate::facts::{self, AtCuts};
use crate::frames::{Frame, holds};
use crate::suggested::Suggested;
use crate::summaries::Summaries;
use raddle_invariants::Extent;
use raddle_invariants::system::System;
use raddle_ir::{ExprId, Sort};
use raddle_model::instances::Origin;
use raddle_smt::{Answer, Effort, NativeSolver, Solver};
use rustc_hash::{FxHashMap, FxHashSet};

/// What one question may cost.
const EFFORT: Effort = Effort { conflicts: Some(20_000), time: None };
/// So many candidates in all; of more, the first ones at each cut point.
const MOST: usize = 1600;
/// Beyond this, candidates are tried again only where k has doubled.
const OFTEN: usize = 4;
const STAGES: usize = 3;

pub struct Strengthening<'a> {
    suggested: Suggested<'a>,
    /// Not refuted by executions, and not kept yet.
    open: AtCuts,
    pub kept: AtCuts,
    tried: FxHashSet<(usize, ExprId)>,
    /// They say that a candidate holds in the frames of the step case but the last one.
    switches: FxHashMap<(usize, ExprId), (ExprId, usize)>,
    stage: usize,
    last: usize,
    /// So many first frames refute no more of those that are open.
    checked: usize,
}

impl<'a> Strengthening<'a> {
    pub fn new(of: &Summaries, suggested: Suggested<'a>) -> Self {
        let none = vec![Vec::new(); of.cuts.len()];
        Strengthening {
            suggested,
            open: none.clone(),
            kept: none,
            tried: FxHashSet::default(),
            switches: FxHashMap::default(),
            stage: 0,
            last: 0,
            checked: 0,
        }
    }

    /// Keeps what k blocks keep, where k is the number of the last frame of the step case. `base` are the first frames of executions. Gives what was kept.
    pub fn keep(
        &mut self,
        system: &mut System,
        of: &Summaries,
        (base, frames): (&[Frame], &[Frame]),
        in_step: ExprId,
        solver: &mut NativeSolver,
    ) -> Result<AtCuts, Missing> {
        let mut new = vec![Vec::new(); of.cuts.len()];
        let k = frames.len() - 1;
        if k == 0 || k > OFTEN && k < 2 * self.last {
            return Ok(new);
        }
        self.last = k;
        solver.set_effort(EFFORT);
        let mut kept = self.stage(system, of);
        let new_ones = if self.stage <= STAGES { base } else { base.get(self.checked..).unwrap_or_default() };
        self.checked = base.len();
        for frame in new_ones {
            kept = kept.and_then(|()| self.refute(system, frame, solver));
        }
        if kept.is_ok() {
            kept = self.inductive(system, frames, in_step, solver, &mut new);
        }
        solver.set_effort(Effort::default());
        kept?;
        for (cut, new) in new.iter().enumerate() {
            self.open[cut].retain(|candidate| !new.contains(candidate));
            self.kept[cut].extend(new);
        }
        Ok(new)
    }

    /// The candidates of the next stage.
    fn stage(&mut self, system: &mut System, of: &Summaries) -> Result<(), Missing> {
        self.stage += 1;
        let plain = Extent { steps: 1500, guards: false, most: 60 };
        let extent = match self.stage {
            1 => {
                let said = facts::candidates(system, of, self.suggested.known());
                self.add(of, said);
                let conditions = conditions(system, of);
                let all = conditions.iter().map(|here| {
                    let both = here.iter().map(|condition| [*condition, system.pool.not(*condition)]);
                    both.collect::<Vec<_>>().concat()
                });
                let all = all.collect();
                self.add(of, all);
                plain
            }
            2 => Extent { guards: true, most: 200, ..plain },
            3 => Extent { guards: true, most: 400, steps: 6000 },
            _ => return Ok(()),
        };
        let all = self.suggested.more(system, of, extent);
        self.add(of, all);
        Ok(())
    }

    fn add(&mut self, of: &Summaries, candidates: AtCuts) {
        let most = MOST / of.cuts.len().max(1);
        for (cut, candidates) in candidates.into_iter().enumerate() {
            for candidate in candidates {
                if self.open[cut].len() < most && self.tried.insert((cut, candidate)) {
                    self.open[cut].push(candidate);
                }
            }
        }
    }

    /// Drops what an execution refutes, for good.
    fn refute(&mut self, system: &mut System, frame: &Frame, solver: &mut NativeSolver) -> Result<(), Missing> {
        if !facts::drop_what_fails(system, frame, &[], &mut self.open, solver)? {
            // There is no answer in time.
            frame.here.iter().for_each(|here| self.open[here.cut].clear());
        }
        Ok(())
    }

    /// The largest set of candidates that hold in the last frame if they hold in those before.
    fn inductive(
        &mut self,
        system: &mut System,
        frames: &[Frame],
        in_step: ExprId,
        solver: &mut NativeSolver,
        new: &mut AtCuts,
    ) -> Result<(), Missing> {
        let mut left = self.open.clone();
        let mut switches = FxHashMap::default();
        let (k, last) = (frames.len() - 1, &frames[frames.len() - 1]);
        for (cut, candidate) in left.iter().enumerate().flat_map(|(cut, all)| all.iter().map(move |one| (cut, *one))) {
            let switch = self.switch(system, &frames[..k], (cut, candidate), solver)?;
            switches.insert((cut, candidate), switch);
        }
        loop {
            let all = holds(system, last, &left);
            let mut assumptions = vec![in_step, system.pool.not(all)];
            assumptions.extend(
                left.iter()
                    .enumerate()
                    .flat_map(|(cut, all)| all.iter().map(move |one| (cut, *one)))
                    .map(|key| switches[&key]),
            );
            match solver.check(&system.pool, &assumptions)? {
                Answer::Unsat => break,
                Answer::Unknown(_) => return Ok(()),
                Answer::Sat => {
                    if !facts::drop_refuted(system, last, &mut left, solver)? {
                        return Ok(());
                    }
                }
            }
        }
        *new = left;
        Ok(())
    }

    /// A literal that says that a candidate holds in these frames.
    fn switch(
        &mut self,
        system: &mut System,
        frames: &[Frame],
        key: (usize, ExprId),
        solver: &mut NativeSolver,
    ) -> Result<ExprId, Missing> {
        let number = self.switches.len() as u32;
        let (switch, done) = *self.switches.entry(key).or_insert_with(|| {
            let switch = system.vars.make(Origin::Auxiliary(u32::MAX - 1 - number), Sort::Bool, None);
            (system.pool.var(switch, Sort::Bool), 0)
        });
        let off = system.pool.not(switch);
        for frame in &frames[done..] {
            for here in frame.here.iter().filter(|here| here.cut == key.0) {
                let then = system.pool.substitute(key.1, &mut |var| here.values.get(&var).copied());
                let elsewhere = system.pool.not(here.guard);
                let then = system.pool.or(elsewhere, then);
                let rule = system.pool.or(off, then);
                solver.assert(&system.pool, rule)?;
            }
        }
        self.switches.insert(key, (switch, frames.len()));
        Ok(switch)
    }
}
