//! Interpolation: what is reached after one more block, as coarsely as the next k blocks allow.
//!
//! *Images* (McMillan, *Interpolation and SAT-based Model Checking*, CAV 2003): A says that a state follows a set of states by one block, B that an error is met within the next k blocks. If they
//! contradict each other, an interpolant is a set that contains the image of the first and from which no error comes within k blocks. It is the next set; when one adds nothing to those
//! before, their union is an invariant. If a set meets an error, k grows, and all begins anew.
//!
//! *Sequences* (Vizel and Grumberg, *Interpolation-Sequence Based Model Checking*, FMCAD 2009): one contradiction of a whole unrolling gives a set for each frame; those of all unrollings are
//! conjoined, until a frame adds nothing to those before.
//!
//! A state is a cut point and values: interpolants speak of one variable for each cut point, and of the variables that are live there. Facts that are known to be inductive are in every frame.

use crate::facts::AtCuts;
use crate::frames::{Frame, any, exactly_one, first, holds, is_at, named, next, wrong};
use crate::pdr::{Pdr, Progress};
use crate::suggested::Suggested;
use crate::summaries::Summaries;
use crate::{ImcConfig, ImcForm, Missing};
use raddle_invariants::Extent;
use raddle_invariants::system::System;
use raddle_ir::{ExprId, Sort, VarId};
use raddle_smt::{Answer, Effort, Interpolation, Interpolator, NativeInterpolator, NativeSolver, Solver};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// After so many questions, cubes speak of what random executions suggest as well.
const SUGGESTED_AFTER: u64 = 1500;
/// An interpolant may take so many conflicts at first, where there is something else to do.
const FEW_CONFLICTS: u32 = 10_000;

struct Search<'a, 'p> {
    system: &'a mut System<'p>,
    of: &'a Summaries,
    facts: &'a AtCuts,
    solver: &'a mut NativeSolver,
    interpolator: NativeInterpolator,
    interpolants: u64,
}

/// An invariant of the cut points, after at least one block.
pub fn prove(
    system: &mut System,
    of: &Summaries,
    facts: &AtCuts,
    solver: &mut NativeSolver,
    config: &ImcConfig,
    (now, suggested): (&dyn Fn() -> Duration, Suggested),
    report: &mut dyn FnMut(usize, u64),
) -> Result<AtCuts, Missing> {
    let interpolator = NativeInterpolator::stopped_by(solver.interrupt());
    let mut search = Search { system, of, facts, solver, interpolator, interpolants: 0 };
    let (start, initially) = first(search.system, of);
    let here = wrong(search.system, of, &start, 0);
    for (condition, missing) in [(here.error, Missing::Error(0)), (here.open, Missing::Open)] {
        let mut assumptions = initially.clone();
        assumptions.push(condition);
        match search.solver.check(&search.system.pool, &assumptions)? {
            Answer::Unsat => {}
            Answer::Sat => return Err(missing),
            Answer::Unknown(_) => return Err(Missing::Answer),
        }
    }
    match config.form {
        ImcForm::Sequence => search.sequences(config, report),
        form => search.by_turns(config, form, (now, suggested), report),
    }
}

impl Search<'_, '_> {
    /// Images, or property-directed reachability, or both: then whatever took less time goes on.
    fn by_turns(
        &mut self,
        config: &ImcConfig,
        form: ImcForm,
        (now, suggested): (&dyn Fn() -> Duration, Suggested),
        report: &mut dyn FnMut(usize, u64),
    ) -> Result<AtCuts, Missing> {
        let interrupt = self.solver.interrupt();
        let mut images = None;
        if form != ImcForm::Directed {
            images = Some(Images::new(self));
        }
        let mut pdr = None;
        if form != ImcForm::Image {
            pdr = Some(Pdr::new(self.system, self.of, self.facts, &interrupt)?);
        }
        let mut suggested = Some(suggested);
        let mut taken = [Duration::ZERO; 2];
        let mut conflicts = FEW_CONFLICTS;
        loop {
            let is_images = match (&images, &pdr) {
                (Some(images), _) if images.k > config.max_k as usize => return Err(Missing::Depth),
                (_, Some(pdr)) if pdr.frontier() > config.max_k as usize => return Err(Missing::Depth),
                (Some(_), Some(_)) => taken[0] <= taken[1],
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => return Err(Missing::Arrays),
            };
            let begin = now();
            if is_images && let Some(some) = &mut images {
                report(some.k, self.interpolants);
                let limit = pdr.is_some().then_some(conflicts);
                self.interpolator.set_effort(Effort { conflicts: limit, time: None });
                match some.step(self) {
                    Ok(Some(invariant)) => return Ok(invariant),
                    Ok(None) => {}
                    Err(Missing::Arrays) => images = None,
                    // The next time it may take longer.
                    Err(Missing::Answer) if pdr.is_some() && !interrupt.is_stopped() => {
                        conflicts = conflicts.saturating_mul(4);
                    }
                    Err(missing) => return Err(missing),
                }
            } else if let Some(some) = &mut pdr {
                report(some.frontier(), self.interpolants);
                if some.questions() > SUGGESTED_AFTER
                    && let Some(mut suggested) = suggested.take()
                {
                    let conditions =
                        suggested.more(self.system, self.of, Extent { steps: 3000, guards: true, most: 200 });
                    some.suggest(self.system, &conditions);
                }
                match some.work(self.system) {
                    Ok(Progress::Proved(invariant)) => return Ok(invariant),
                    Ok(Progress::More) => {}
                    Err(Missing::Arrays) => pdr = None,
                    Err(missing) => return Err(missing),
                }
            }
            taken[usize::from(!is_images)] += now().saturating_sub(begin);
        }
    }

    /// Sets for each frame of the unrolling, longer and longer.
    fn sequences(&mut self, config: &ImcConfig, report: &mut dyn FnMut(usize, u64)) -> Result<AtCuts, Missing> {
        let begin = self.after_start(1);
        let mut parts = vec![begin];
        let mut frames: Vec<Vec<Vec<ExprId>>> = Vec::new();
        for k in 1..=config.max_k as usize {
            report(k, self.interpolants);
            let state = any(self.system, self.of, k as u32);
            let here = wrong(self.system, self.of, &state, 2 * k as u32);
            let some = self.system.pool.or(here.error, here.open);
            let last = self.with_facts(&state, some);
            let mut all = parts.clone();
            all.push(last);
            self.interpolants += all.len() as u64 - 1;
            let found = self.interpolator.interpolate(&mut self.system.pool, &all)?;
            let sets = match found {
                Interpolation::Interpolants(sets) => sets,
                Interpolation::Unknown(_) => return Err(Missing::Answer),
                Interpolation::Sat => {
                    let mut ahead = Ahead::of(self, state);
                    for part in &parts[1..] {
                        ahead.path = self.system.pool.and(ahead.path, *part);
                    }
                    ahead.length = k;
                    (ahead.error, ahead.open) = (here.error, here.open);
                    return Err(self.what_is_wrong(begin, &ahead)?);
                }
            };
            frames.push(vec![Vec::new(); self.of.cuts.len()]);
            for (i, set) in sets.into_iter().enumerate() {
                let set = self.at_cuts(set, i as u32 + 1);
                for (conjuncts, more) in frames[i].iter_mut().zip(set) {
                    if !self.system.pool.is_bool(more, true) && !conjuncts.contains(&more) {
                        conjuncts.push(more);
                    }
                }
            }
            let mut before: Vec<Vec<ExprId>> = Vec::new();
            for frame in frames.clone() {
                let set: Vec<ExprId> = frame.into_iter().map(|conjuncts| self.all(conjuncts)).collect();
                if self.adds_nothing(&set, &before)? {
                    return Ok(self.union(&before));
                }
                before.push(set);
            }
            let after = next(self.system, self.of, &state, 2 * k as u32);
            let step = self.arrives(&after, k as u32 + 1);
            parts.push(self.with_facts(&state, step));
        }
        Err(Missing::Depth)
    }

    fn all(&mut self, conditions: Vec<ExprId>) -> ExprId {
        let yes = self.system.pool.bool(true);
        conditions.into_iter().fold(yes, |all, cond| self.system.pool.and(all, cond))
    }

    /// A formula together with what is known where the state is.
    fn with_facts(&mut self, state: &Frame, formula: ExprId) -> ExprId {
        let known = holds(self.system, state, self.facts);
        let one = exactly_one(self.system, state);
        self.all(vec![formula, known, one])
    }

    /// The state with a number is one that a frame leads to.
    fn arrives(&mut self, frame: &Frame, state: u32) -> ExprId {
        let mut all = Vec::new();
        let mut some = self.system.pool.bool(false);
        let mut guards: FxHashMap<usize, ExprId> = FxHashMap::default();
        for here in &frame.here {
            guards.insert(here.cut, here.guard);
            some = self.system.pool.or(some, here.guard);
            let elsewhere = self.system.pool.not(here.guard);
            for &var in &self.of.cuts[here.cut].live {
                let sort = self.system.vars.sort(var);
                if matches!(sort, Sort::Array { .. }) {
                    continue;
                }
                let same = self.system.pool.var(var, sort);
                let value = here.values.get(&var).copied().unwrap_or(same);
                let then = named(self.system, var, state);
                let equal = self.system.pool.eq(then, value);
                all.push(self.system.pool.or(elsewhere, equal));
            }
        }
        for cut in 0..self.of.cuts.len() {
            let then = is_at(self.system, self.of, cut, state);
            let never = self.system.pool.bool(false);
            let guard = guards.get(&cut).copied().unwrap_or(never);
            all.push(self.system.pool.eq(then, guard));
        }
        all.push(some);
        self.all(all)
    }

    /// The states after the first block, and what holds at the beginning.
    fn after_start(&mut self, state: u32) -> ExprId {
        let (start, mut all) = first(self.system, self.of);
        let after = next(self.system, self.of, &start, 0);
        all.push(self.arrives(&after, state));
        self.all(all)
    }

    /// The state 1 follows one of these sets by one block.
    fn image(&mut self, set: &[ExprId]) -> ExprId {
        let before = any(self.system, self.of, 0);
        let conditions: Vec<Vec<ExprId>> = set.iter().map(|set| vec![*set]).collect();
        let within = holds(self.system, &before, &conditions);
        let after = next(self.system, self.of, &before, 0);
        let arrives = self.arrives(&after, 1);
        let formula = self.system.pool.and(within, arrives);
        self.with_facts(&before, formula)
    }

    /// An interpolant, or nothing if an error can be met.
    fn between(&mut self, a: ExprId, b: ExprId) -> Result<Option<ExprId>, Missing> {
        self.interpolants += 1;
        match self.interpolator.interpolate(&mut self.system.pool, &[a, b])? {
            Interpolation::Interpolants(sets) => Ok(sets.first().copied()),
            Interpolation::Sat => Ok(None),
            Interpolation::Unknown(_) => Err(Missing::Answer),
        }
    }

    /// What an interpolant about the state with a number says at each cut point.
    fn at_cuts(&mut self, set: ExprId, state: u32) -> Vec<ExprId> {
        let cuts = self.of.cuts.len();
        let mut result = Vec::with_capacity(cuts);
        let (yes, no) = (self.system.pool.bool(true), self.system.pool.bool(false));
        let guards: Vec<VarId> = (0..cuts)
            .filter_map(|cut| {
                let is_at = is_at(self.system, self.of, cut, state);
                self.system.pool.vars(is_at).first().copied()
            })
            .collect();
        for (cut, at) in guards.iter().enumerate() {
            let mut back: FxHashMap<VarId, ExprId> = guards.iter().map(|guard| (*guard, no)).collect();
            back.insert(*at, yes);
            for &var in &self.of.cuts[cut].live {
                let then = named(self.system, var, state);
                let now = self.system.pool.var(var, self.system.vars.sort(var));
                back.extend(self.system.pool.vars(then).first().map(|then| (*then, now)));
            }
            result.push(self.system.pool.substitute(set, &mut |var| back.get(&var).copied()));
        }
        result
    }

    /// Is all of a set in the union of others, as far as the facts say?
    fn adds_nothing(&mut self, set: &[ExprId], others: &[Vec<ExprId>]) -> Result<bool, Missing> {
        for cut in 0..self.of.cuts.len() {
            let mut assumptions = self.facts[cut].clone();
            assumptions.push(set[cut]);
            for other in others {
                assumptions.push(self.system.pool.not(other[cut]));
            }
            match self.solver.check(&self.system.pool, &assumptions)? {
                Answer::Unsat => {}
                Answer::Sat => return Ok(false),
                Answer::Unknown(_) => return Err(Missing::Answer),
            }
        }
        Ok(true)
    }

    /// The invariant: one of the sets, and the facts.
    fn union(&mut self, sets: &[Vec<ExprId>]) -> AtCuts {
        let mut result = self.facts.clone();
        for (cut, conditions) in result.iter_mut().enumerate() {
            let never = self.system.pool.bool(false);
            conditions.push(sets.iter().fold(never, |some, set| self.system.pool.or(some, set[cut])));
        }
        result
    }

    /// Which of the two is met from the beginning?
    fn what_is_wrong(&mut self, from_start: ExprId, ahead: &Ahead) -> Result<Missing, Missing> {
        let is_array = |var: &VarId| matches!(self.system.vars.sort(*var), Sort::Array { .. });
        if self.of.cuts.iter().flat_map(|cut| &cut.live).any(is_array) {
            return Ok(Missing::Arrays);
        }
        match self.solver.check(&self.system.pool, &[from_start, ahead.path, ahead.error])? {
            Answer::Sat => Ok(Missing::Error(ahead.length)),
            Answer::Unsat => Ok(Missing::Open),
            Answer::Unknown(_) => Err(Missing::Answer),
        }
    }
}

/// Images of sets, to a depth that grows.
struct Images {
    k: usize,
    from_start: ExprId,
    ahead: Ahead,
    image: ExprId,
    sets: Vec<Vec<ExprId>>,
}

impl Images {
    fn new(search: &mut Search) -> Images {
        let from_start = search.after_start(1);
        let mut ahead = Ahead::new(search);
        ahead.extend(search);
        Images { k: 1, from_start, ahead, image: from_start, sets: Vec::new() }
    }

    /// One interpolant; the invariant, if it adds nothing.
    fn step(&mut self, search: &mut Search) -> Result<Option<AtCuts>, Missing> {
        let Some(set) = search.between(self.image, self.ahead.wrong)? else {
            if self.sets.is_empty() {
                // From the beginning itself: this is an error, or the end of what is known.
                return Err(search.what_is_wrong(self.from_start, &self.ahead)?);
            }
            self.k += 1;
            self.ahead.extend(search);
            self.sets.clear();
            self.image = self.from_start;
            return Ok(None);
        };
        let set = search.at_cuts(set, 1);
        if search.adds_nothing(&set, &self.sets)? {
            return Ok(Some(search.union(&self.sets)));
        }
        self.image = search.image(&set);
        self.sets.push(set);
        Ok(None)
    }
}

/// What can go wrong within some blocks after the state 1.
struct Ahead {
    frame: Frame,
    path: ExprId,
    error: ExprId,
    open: ExprId,
    /// All of it.
    wrong: ExprId,
    length: usize,
}

impl Ahead {
    fn new(search: &mut Search) -> Ahead {
        let frame = any(search.system, search.of, 1);
        Ahead::of(search, frame)
    }

    fn of(search: &mut Search, frame: Frame) -> Ahead {
        let yes = search.system.pool.bool(true);
        let path = search.with_facts(&frame, yes);
        let never = search.system.pool.bool(false);
        Ahead { frame, path, error: never, open: never, wrong: never, length: 0 }
    }

    /// One block more.
    fn extend(&mut self, search: &mut Search) {
        // The inputs of each block: those of A have the number 0.
        let number = |block: usize| 2 * block as u32 + 1;
        if self.length > 0 {
            self.frame = next(search.system, search.of, &self.frame, number(self.length - 1));
            let known = holds(search.system, &self.frame, search.facts);
            self.path = search.system.pool.and(self.path, known);
        }
        let here = wrong(search.system, search.of, &self.frame, number(self.length));
        self.error = search.system.pool.or(self.error, here.error);
        self.open = search.system.pool.or(self.open, here.open);
        let some = search.system.pool.or(self.error, self.open);
        self.wrong = search.system.pool.and(self.path, some);
        self.length += 1;
    }
}
