//! Which threads to explore from a state (thesis 2, Algorithm 1), with the dependency of Definition 5 or the syntactic one.
//!
//! A set is closed: if something that a thread outside may do later (Definition 10) depends on a next action of a thread inside, the thread
//! outside comes in. All next actions of a thread count, also those that cannot be taken now, since another thread may make them possible. Of the
//! sets that begin with one thread each, the smallest is taken.

use super::futures::{Footprint, Futures, any_lock};
use crate::config::Por;
use crate::domains::explicit::Run;
use crate::domains::precision::Precision;
use crate::domains::predicates::transform;
use crate::domains::state::Data;
use crate::domains::values::{Known, Values};
use crate::model::instances::Origin;
use crate::model::statements::Statement;
use crate::model::threads::{At, Threads};
use crate::model::{ActionId, Effect, Model};
use fixedbitset::FixedBitSet;
use raddle_ir::{Label, VarId};
use raddle_smt::{Answer, Solver};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The next actions of a thread, with their statements as they are explored.
pub struct ThreadActions {
    pub slot: u32,
    pub actions: Vec<(ActionId, Rc<[Statement]>)>,
    /// Of so many statements, so many became havocs, and so many were removed.
    pub all: u64,
    pub havocs: u64,
    pub removed: u64,
}

/// What is explored from a state.
#[derive(Default)]
pub struct Chosen {
    /// `None`: all threads.
    pub threads: Option<Vec<u32>>,
    /// Untracked variables but for which more threads would be explored.
    pub relied_on: FixedBitSet,
}

pub struct SourceSets {
    futures: Futures,
    any_lock: VarId,
    /// For actions at one location: can one of them be taken whatever the values are?
    total: FxHashMap<Vec<ActionId>, bool>,
}

/// What matters of a thread in one state.
struct Candidate {
    slot: u32,
    /// What its next actions touch.
    now: Footprint,
    /// What it may touch later, also by making others able to step.
    later: Footprint,
    /// It has an action that may be possible now.
    is_enabled: bool,
    /// In every concrete state, it can step, and others can step after it.
    is_certain: bool,
    /// Its next step may wait for the end of a thread.
    awaits_end: bool,
    loops: bool,
}

/// So many beginnings are tried in a state.
const MOST_TRIES: usize = 16;

impl SourceSets {
    pub fn new(model: &mut Model) -> Self {
        SourceSets { futures: Futures::new(model), any_lock: any_lock(&mut model.vars), total: FxHashMap::default() }
    }

    /// The threads to explore from a state.
    pub fn choose(
        &mut self,
        model: &mut Model,
        precision: &Precision,
        por: Por,
        (threads, data): (&Threads, &Data),
        next: &[ThreadActions],
    ) -> Chosen {
        if por == Por::None || next.len() < 2 {
            return Chosen::default();
        }
        let candidates = self.candidates(model, threads, data, next);
        let counts = |model: &Model, var: usize| por == Por::Spor || precision.mentions(&model.vars, VarId(var as u32));
        let enabled = candidates.iter().filter(|c| c.is_enabled).count();
        let mut starts: Vec<usize> = (0..candidates.len()).filter(|i| candidates[*i].is_certain).collect();
        // Threads that come to an end first: one that loops would be put off by the cycle condition, and looked at again.
        starts.sort_by_key(|i| (candidates[*i].loops, std::cmp::Reverse(candidates[*i].slot)));
        let mut best: Option<Vec<usize>> = None;
        let alone = starts.iter().find(|start| {
            let now = &candidates[**start].now;
            let others = candidates.iter().enumerate().filter(|(i, c)| i != *start && c.is_enabled);
            let mut others = others.map(|(_, other)| other);
            !candidates[**start].awaits_end && others.all(|other| !depends(now, &other.later, |var| counts(model, var)))
        });
        if let Some(start) = alone {
            best = Some(vec![*start]);
        } else {
            for &start in starts.iter().take(MOST_TRIES) {
                let set = closed(&candidates, start, |var| counts(model, var));
                if set.len() < best.as_ref().map_or(enabled, Vec::len) {
                    best = Some(set);
                }
            }
        }
        let Some(set) = best.filter(|set| set.len() < enabled) else { return Chosen::default() };
        let mut relied_on = FixedBitSet::new();
        if por == Por::Aaspor {
            for (i, other) in candidates.iter().enumerate().filter(|(_, c)| c.is_enabled) {
                if set.contains(&i) {
                    continue;
                }
                for inside in &set {
                    candidates[*inside].now.for_each_conflict(&other.later, |var| relied_on.grow_and_insert(var));
                }
            }
        }
        let mut threads: Vec<u32> = set.into_iter().map(|i| candidates[i].slot).collect();
        threads.sort_unstable();
        Chosen { threads: Some(threads), relied_on }
    }

    fn candidates(
        &mut self,
        model: &mut Model,
        threads: &Threads,
        data: &Data,
        next: &[ThreadActions],
    ) -> Vec<Candidate> {
        let mut candidates = Vec::with_capacity(next.len());
        for ThreadActions { slot, actions, .. } in next {
            let thread = threads.threads[*slot as usize];
            let At::Location(location) = thread.at else { continue };
            let known = Known { threads, values: &data.values };
            candidates.push(Candidate {
                slot: *slot,
                now: self.now(model, actions),
                later: self.futures.of(thread.proc, location).clone(),
                is_enabled: actions.iter().any(|(_, statements)| may_go(model, threads, &data.values, statements)),
                is_certain: self.is_certain(model, known, actions),
                awaits_end: self.awaits_end(model, threads, data, *slot, actions),
                loops: self.futures.loops(thread.proc, location),
            });
        }
        // A thread that waits now may be let go by another; then what it does is part of what the other may cause.
        let waiting: Vec<usize> = (0..candidates.len()).filter(|i| !candidates[*i].is_enabled).collect();
        for i in 0..candidates.len() {
            if !candidates[i].is_enabled {
                continue;
            }
            let mut let_go: Vec<usize> = Vec::new();
            loop {
                let more = waiting.iter().copied().find(|w| {
                    !let_go.contains(w)
                        && (let_go.iter().chain([&i]))
                            .any(|by| self.may_let_go(model, threads, data, &candidates[*by], &candidates[*w]))
                });
                let Some(more) = more else { break };
                let_go.push(more);
            }
            for waiting in let_go {
                let later = candidates[waiting].later.clone();
                candidates[i].later.union_with(&later);
            }
        }
        candidates
    }

    /// May the first thread make the second one able to step?
    fn may_let_go(&self, model: &Model, threads: &Threads, data: &Data, by: &Candidate, waiting: &Candidate) -> bool {
        // Data and locks: it writes something that the second one's next actions read (conflicts over what is written count as well: more than needed).
        let mut conflict = false;
        by.later.for_each_conflict(&waiting.now, |_| conflict = true);
        conflict || waits_for(model, threads, data, waiting.slot).is_some_and(|of| of.is_none_or(|of| of == by.slot))
    }

    /// What the next actions of a thread touch of what is shared. An atomic block is one action.
    fn now(&self, model: &Model, actions: &[(ActionId, Rc<[Statement]>)]) -> Footprint {
        let mut footprint = Footprint::default();
        for (id, statements) in actions {
            let action = model.action(*id);
            for statement in statements.iter() {
                let read = statement.read(&model.pool).into_iter().filter(|var| is_common(model, *var));
                read.for_each(|var| footprint.read(var));
                if let Some(var) = statement.written().filter(|var| is_common(model, *var)) {
                    footprint.write(var);
                    if model.vars.is_lock(var) {
                        footprint.read(self.any_lock);
                    }
                }
            }
            for effect in &action.effects {
                if let Effect::Start(_) = effect {
                    let count = action.writes.iter().find(|v| model.vars.origin(**v) == Origin::ThreadCount);
                    count.into_iter().for_each(|count| footprint.write(*count));
                }
            }
            if let Some(block) = self.futures.block(action.proc, action.edge) {
                footprint.union_with(&block.footprint);
            }
        }
        footprint
    }

    /// May the next step wait for a thread that has not ended, in an atomic block or as one of several choices? Such a step must not be taken before that
    /// end, and no footprint says so.
    fn awaits_end(
        &self,
        model: &Model,
        threads: &Threads,
        data: &Data,
        slot: u32,
        actions: &[(ActionId, Rc<[Statement]>)],
    ) -> bool {
        let in_block = |(id, _): &(ActionId, _)| {
            let action = model.action(*id);
            self.futures.block(action.proc, action.edge).is_some_and(|block| block.joins)
        };
        let has_ended = |of: u32| threads.threads.get(of as usize).is_some_and(|thread| thread.at == At::Ended);
        actions.iter().any(in_block)
            || waits_for(model, threads, data, slot).is_some_and(|of| of.is_none_or(|of| !has_ended(of)))
    }

    /// Can the thread step in every concrete state that the abstract one stands for, and can the others step after it? A thread that enters an atomic
    /// block and does not leave it keeps them out for good.
    fn is_certain(&mut self, model: &mut Model, known: Known, actions: &[(ActionId, Rc<[Statement]>)]) -> bool {
        let ends = |id: &ActionId, model: &Model| {
            let action = model.action(*id);
            self.futures.block(action.proc, action.edge).is_none_or(|block| block.is_certain)
        };
        if !actions.iter().all(|(id, _)| ends(id, model)) {
            return false;
        }
        // What is known by value decides, or the conditions are complete whatever the values are.
        let is_sure = |statements: &[Statement], model: &Model| {
            let mut run = Run::new(model, known.threads, known.values);
            statements.iter().all(|statement| run.take_surely(&model.pool, statement))
        };
        if actions.iter().any(|(_, statements)| is_sure(statements, model)) {
            return true;
        }
        let ids: Vec<ActionId> = actions.iter().map(|(id, _)| *id).collect();
        if let Some(total) = self.total.get(&ids) {
            return *total;
        }
        let nothing = Threads::first(model.program.entry, raddle_ir::LocId(0));
        let total = is_total(model, Known { threads: &nothing, values: &Values::default() }, &ids);
        self.total.insert(ids, total);
        total
    }
}

/// Is it shared data (and not the place of a thread, or its result, which are ordered by its end)?
fn is_common(model: &Model, var: VarId) -> bool {
    model.vars.is_shared(var) && !matches!(model.vars.origin(var), Origin::Ended(_) | Origin::ResultOf(_))
}

/// May the statements be gone through, as far as values tell?
fn may_go(model: &Model, threads: &Threads, values: &Values, statements: &[Statement]) -> bool {
    let mut run = Run::new(model, threads, values);
    statements.iter().all(|statement| run.take(&model.pool, statement))
}

/// Is one of the actions possible for all values of all variables? Locks count as any value here.
fn is_total(model: &mut Model, known: Known, actions: &[ActionId]) -> bool {
    let mut some = model.pool.bool(false);
    for action in actions {
        let statements = model.action(*action).statements.clone();
        if statements.iter().any(|s| s.read(&model.pool).iter().any(|var| model.vars.is_lock(*var))) {
            continue;
        }
        let mut all = model.pool.bool(true);
        for guard in transform(model, known, &statements).guards {
            all = model.pool.and(all, guard);
        }
        some = model.pool.or(some, all);
    }
    if let Some(constant) = model.pool.as_const(some) {
        return constant.bits != 0;
    }
    let none = model.pool.not(some);
    matches!(model.solvers.solver().check(&model.pool, &[none]), Ok(Answer::Unsat))
}

/// If the thread waits to join another one: which, if that is known.
fn waits_for(model: &Model, threads: &Threads, data: &Data, slot: u32) -> Option<Option<u32>> {
    let thread = threads.threads[slot as usize];
    let At::Location(location) = thread.at else { return None };
    let proc = model.program.proc(thread.proc);
    let edges = model.outgoing[thread.proc.index()].of(location).iter().map(|edge| &proc.edges[edge.index()]);
    let mut handles = edges.flat_map(|edge| &edge.labels).filter_map(|label| match label {
        Label::Join { handle, .. } => Some(*handle),
        _ => None,
    });
    let handle = handles.next()?;
    if handles.next().is_some() {
        return Some(None);
    }
    let known = |var: VarId| model.vars.existing(model.program, slot, var).and_then(|var| data.values.get(var));
    Some(crate::domains::values::value(&model.pool, handle, &known).map(|value| value as u32))
}

/// The least closed set that contains a thread.
fn closed(candidates: &[Candidate], start: usize, counts: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut set = vec![start];
    loop {
        let more = (0..candidates.len()).find(|i| {
            let outside = &candidates[*i];
            outside.is_enabled
                && !set.contains(i)
                && set.iter().any(|inside| {
                    let inside = &candidates[*inside];
                    inside.awaits_end || depends(&inside.now, &outside.later, &counts)
                })
        });
        match more {
            Some(more) => set.push(more),
            None => return set,
        }
    }
}

/// Do they have a variable in common that counts and that one of them writes?
fn depends(now: &Footprint, later: &Footprint, counts: impl Fn(usize) -> bool) -> bool {
    let mut depends = false;
    now.for_each_conflict(later, |var| depends = depends || counts(var));
    depends
}
