//! May-happen-in-parallel: can steps of two threads be possible in one state?
//!
//! Of a Program whose calls are inlined, so that each procedure is a process. All threads come from the first process: the analysis follows there, for each location,
//! which of its `Start`s may have been executed without the thread having ended (a forward may-analysis; a `Join` of the handle that a single `Start` gave ends its thread).
//! A process that others than the first one start counts as running whenever the ancestor that the first process started may run, and as running beside itself.

use crate::cfg::{Cfg, falls_through};
use fixedbitset::FixedBitSet;
use raddle_ir::{Callee, Expr, ExprId, ExprPool, Label, LocId, Place, ProcId, Procedure, Program, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A label: of a process, on an edge, at a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct At {
    pub proc: ProcId,
    pub edge: usize,
    pub label: usize,
}

pub struct Parallel {
    entry: ProcId,
    /// The `Start`s of the first process: edge and label.
    starts: Vec<(usize, usize)>,
    /// For each location of the first process, the starts whose threads may run there; nothing for a location that is not reached.
    running: Vec<Option<FixedBitSet>>,
    edge_sources: Vec<LocId>,
    /// For each process, the starts of the first process that it may come from.
    from: Vec<FixedBitSet>,
    /// Others than the first process start it.
    is_nested: Vec<bool>,
    /// Somebody starts the first process again: everything may be parallel.
    is_reentered: bool,
}

/// What is known at a location of the first process.
#[derive(Clone, PartialEq, Eq)]
struct State {
    running: FixedBitSet,
    /// Variables that hold the handle of a start.
    handles: FxHashMap<VarId, usize>,
}

/// Analyses a Program whose calls are inlined.
pub fn parallel(program: &Program) -> Parallel {
    let entry = program.entry;
    let main = program.proc(entry);
    let mut starts = Vec::new();
    let mut from_others: Vec<(usize, usize)> = Vec::new();
    let mut started_by_main: Vec<usize> = Vec::new();
    let mut is_reentered = false;
    for (p, proc) in program.procs.iter().enumerate() {
        for (e, edge) in proc.edges.iter().enumerate() {
            for (l, label) in edge.labels.iter().enumerate() {
                let Label::Start { callee, .. } = label else { continue };
                let Callee::Proc(started) = *callee else {
                    is_reentered = true;
                    continue;
                };
                is_reentered |= started == entry;
                if p == entry.index() {
                    starts.push((e, l));
                    started_by_main.push(started.index());
                } else {
                    from_others.push((p, started.index()));
                }
            }
        }
    }
    let mut from = vec![FixedBitSet::with_capacity(starts.len()); program.procs.len()];
    for (s, &started) in started_by_main.iter().enumerate() {
        from[started].insert(s);
    }
    loop {
        let mut changed = false;
        for &(by, started) in &from_others {
            let more = from[by].clone();
            changed |= !more.is_subset(&from[started]);
            from[started].union_with(&more);
        }
        if !changed {
            break;
        }
    }
    let mut is_nested = vec![false; program.procs.len()];
    let mut starts_others = vec![false; program.procs.len()];
    for &(by, started) in &from_others {
        is_nested[started] = true;
        starts_others[by] = true;
    }
    let single: Vec<bool> = single_starts(main, &starts, &started_by_main, &starts_others);
    let edge_sources = main.edges.iter().map(|edge| edge.source).collect();
    let running = follow(program, &starts, &single);
    Parallel { entry, starts, running, edge_sources, from, is_nested, is_reentered }
}

/// The starts that run at most once and whose thread starts no others: when it is joined, nothing of it is left.
fn single_starts(main: &Procedure, starts: &[(usize, usize)], started: &[usize], starts_others: &[bool]) -> Vec<bool> {
    let on_cycle = Cfg::new(main).on_cycle(main);
    let is_single = |(&(edge, _), &proc): (&(usize, usize), &usize)| {
        let edge = &main.edges[edge];
        let is_in_loop = on_cycle.contains(edge.source.index()) && on_cycle.contains(edge.target.index());
        !is_in_loop && !starts_others[proc]
    };
    starts.iter().zip(started).map(is_single).collect()
}

fn follow(program: &Program, starts: &[(usize, usize)], single: &[bool]) -> Vec<Option<FixedBitSet>> {
    let main = program.proc(program.entry);
    let shared = stored_by_others(program);
    let start_at: FxHashMap<(usize, usize), usize> = starts.iter().enumerate().map(|(s, at)| (*at, s)).collect();
    let cfg = Cfg::new(main);
    let mut states: Vec<Option<State>> = vec![None; main.locations.len()];
    let nothing = State { running: FixedBitSet::with_capacity(starts.len()), handles: FxHashMap::default() };
    states[main.entry.index()] = Some(nothing);
    let mut open = vec![main.entry];
    while let Some(loc) = open.pop() {
        let Some(before) = states[loc.index()].clone() else { continue };
        for id in cfg.leaving(loc) {
            let edge = &main.edges[id.index()];
            if !falls_through(edge) {
                continue;
            }
            let mut state = before.clone();
            for (l, label) in edge.labels.iter().enumerate() {
                let start = start_at.get(&(id.index(), l)).copied();
                state.apply(&program.pool, label, start, single, &shared);
            }
            let target = &mut states[edge.target.index()];
            let changed = match target {
                Some(known) => known.join(&state),
                None => {
                    *target = Some(state);
                    true
                }
            };
            if changed {
                open.push(edge.target);
            }
        }
    }
    states.into_iter().map(|state| state.map(|state| state.running)).collect()
}

/// Global variables that other processes than the first one write.
fn stored_by_others(program: &Program) -> FxHashSet<VarId> {
    let others = program.procs.iter().enumerate().filter(|(p, _)| *p != program.entry.index());
    let labels = others.flat_map(|(_, proc)| &proc.edges).flat_map(|edge| &edge.labels);
    labels
        .filter_map(|label| match label {
            Label::Store { place: Place::Var(var), .. } => Some(*var),
            _ => None,
        })
        .collect()
}

impl State {
    fn apply(
        &mut self,
        pool: &ExprPool,
        label: &Label,
        start: Option<usize>,
        single: &[bool],
        shared: &FxHashSet<VarId>,
    ) {
        let holder = |this: &State, of: ExprId| match pool.get(of) {
            Expr::Var(var) => this.handles.get(&var).copied(),
            _ => None,
        };
        let (to, handle) = match label {
            Label::Start { var, .. } => {
                self.running.extend(start);
                (Some(*var), start)
            }
            Label::Join { var, handle } => {
                if let Some(ended) = holder(self, *handle).filter(|s| single[*s]) {
                    self.running.set(ended, false);
                }
                (*var, None)
            }
            Label::Assign { var, value } => (Some(*var), holder(self, *value)),
            Label::Load { var, place: Place::Var(from), .. } => (Some(*var), self.handles.get(from).copied()),
            Label::Store { place: Place::Var(to), value, .. } if !shared.contains(to) => {
                (Some(*to), holder(self, *value))
            }
            other => (other.written_local(), None),
        };
        match (to, handle) {
            (Some(to), Some(start)) => {
                self.handles.insert(to, start);
            }
            (Some(to), None) => {
                self.handles.remove(&to);
            }
            (None, _) => {}
        }
    }

    fn join(&mut self, other: &State) -> bool {
        let (threads, handles) = (self.running.count_ones(..), self.handles.len());
        self.running.union_with(&other.running);
        self.handles.retain(|var, start| other.handles.get(var) == Some(start));
        threads != self.running.count_ones(..) || handles != self.handles.len()
    }
}

impl Parallel {
    /// The starts of the first process whose threads may run when it executes a label; `None` if it never does.
    fn running_at(&self, edge: usize, label: usize) -> Option<FixedBitSet> {
        let mut running = self.running[self.edge_sources[edge].index()].clone()?;
        let before = self.starts.iter().enumerate().filter(|(_, (e, l))| *e == edge && *l < label);
        running.extend(before.map(|(s, _)| s));
        Some(running)
    }

    /// Is there no other thread when a label of the first process is executed?
    pub fn is_alone(&self, at: At) -> bool {
        let is_clear = || self.running_at(at.edge, at.label).is_none_or(|running| running.is_clear());
        at.proc == self.entry && !self.is_reentered && is_clear()
    }

    /// May two threads be about to execute these two labels in one state?
    pub fn may_be(&self, a: At, b: At) -> bool {
        if self.is_reentered {
            return true;
        }
        match (a.proc == self.entry, b.proc == self.entry) {
            (true, true) => false,
            (true, false) => self.beside_first(a, b.proc),
            (false, true) => self.beside_first(b, a.proc),
            (false, false) => self.beside(a.proc, b.proc),
        }
    }

    fn beside_first(&self, a: At, other: ProcId) -> bool {
        self.running_at(a.edge, a.label).is_some_and(|running| !running.is_disjoint(&self.from[other.index()]))
    }

    fn beside(&self, a: ProcId, b: ProcId) -> bool {
        let (of_a, of_b) = (&self.from[a.index()], &self.from[b.index()]);
        let is_nested = self.is_nested[a.index()] || self.is_nested[b.index()];
        if is_nested && !of_a.is_disjoint(of_b) {
            return true;
        }
        of_a.ones().any(|s| of_b.ones().any(|t| self.runs_when_started(s, t) || self.runs_when_started(t, s)))
    }

    /// May the thread of one start run when another start is executed?
    fn runs_when_started(&self, running: usize, started: usize) -> bool {
        let (edge, label) = self.starts[started];
        self.running_at(edge, label).is_some_and(|all| all.contains(running))
    }
}
