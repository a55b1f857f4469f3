//! Locksets: which locks a thread holds for certain at each location (Eraser's idea, as a forward must-analysis).
//!
//! Of a Program whose calls are inlined, so that a process is followed from its entry, where a thread holds nothing. A lock is named by a constant address. Two steps of different threads
//! exclude each other if both are under one lock and not both hold it shared: a lock that is held exclusively is held by nobody else (`raddle_ir::locks`).
//! `Init` is the one operation that takes away what others hold, so a lock that may be initialised while there are threads protects nothing.

use crate::cfg::{Cfg, falls_through};
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Label, LockOp, Procedure, VarId};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mode {
    Shared,
    Exclusive,
}

/// The locks that are held, by address, and how at least.
pub type Lockset = BTreeMap<u64, Mode>;

#[derive(Clone, PartialEq, Eq, Default)]
struct State {
    held: Lockset,
    /// Locks that are held if a variable is 0: the result of trying.
    tried: Vec<(VarId, u64, Mode)>,
}

/// The lockset at each location of a process; nothing for one that is not reached.
pub fn locksets(pool: &ExprPool, proc: &Procedure) -> Vec<Option<Lockset>> {
    let cfg = Cfg::new(proc);
    let mut states: Vec<Option<State>> = vec![None; proc.locations.len()];
    states[proc.entry.index()] = Some(State::default());
    let mut open = vec![proc.entry];
    while let Some(loc) = open.pop() {
        let Some(before) = states[loc.index()].clone() else { continue };
        for id in cfg.leaving(loc) {
            let edge = &proc.edges[id.index()];
            if !falls_through(edge) {
                continue;
            }
            let mut state = before.clone();
            edge.labels.iter().for_each(|label| state.apply(pool, label));
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
    states.into_iter().map(|state| state.map(|state| state.held)).collect()
}

/// What is held when a label of an edge is executed, given what is held at the edge's source.
pub fn held_at(pool: &ExprPool, before: &Lockset, labels: &[Label]) -> Lockset {
    let mut state = State { held: before.clone(), tried: Vec::new() };
    labels.iter().for_each(|label| state.apply(pool, label));
    state.held
}

/// Do two locksets exclude each other?
pub fn exclude(a: &Lockset, b: &Lockset, is_trusted: impl Fn(u64) -> bool) -> bool {
    a.iter().any(|(lock, mode)| {
        let other = b.get(lock);
        other.is_some_and(|other| (*mode).max(*other) == Mode::Exclusive) && is_trusted(*lock)
    })
}

impl State {
    fn apply(&mut self, pool: &ExprPool, label: &Label) {
        if let Some(written) = label.written_local()
            && !matches!(label, Label::Assign { .. })
        {
            self.tried.retain(|(var, ..)| *var != written);
        }
        match label {
            Label::Assign { var, value } => {
                let copied: Vec<(u64, Mode)> = match pool.get(*value) {
                    Expr::Var(from) => self.tried.iter().filter(|t| t.0 == from).map(|t| (t.1, t.2)).collect(),
                    _ => Vec::new(),
                };
                self.tried.retain(|(of, ..)| of != var);
                self.tried.extend(copied.into_iter().map(|(lock, mode)| (*var, lock, mode)));
            }
            Label::Assume(cond) => {
                let Some(zero) = is_zero(pool, *cond) else { return };
                for (_, lock, mode) in self.tried.iter().filter(|t| t.0 == zero) {
                    hold(&mut self.held, *lock, *mode);
                }
            }
            Label::Lock { op, lock, var } => {
                let address = pool.as_const(*lock).and_then(|c| u64::try_from(c.bits).ok());
                self.operate(*op, address, *var);
            }
            _ => {}
        }
    }

    fn operate(&mut self, op: LockOp, address: Option<u64>, var: Option<VarId>) {
        match (op, address) {
            (LockOp::Acquire | LockOp::AcquireWrite, Some(lock)) => hold(&mut self.held, lock, Mode::Exclusive),
            // A thread that holds it exclusively gets an error, and holds it still.
            (LockOp::AcquireShared, Some(lock)) => hold(&mut self.held, lock, Mode::Shared),
            (LockOp::TryAcquire | LockOp::TryAcquireWrite | LockOp::TryAcquireShared, Some(lock)) => {
                let mode = if op == LockOp::TryAcquireShared { Mode::Shared } else { Mode::Exclusive };
                self.tried.extend(var.map(|var| (var, lock, mode)));
            }
            // The lock may be any of them; a recursive one may still be held.
            (LockOp::Release | LockOp::Init(_), lock) => {
                self.held.retain(|held, _| lock.is_some_and(|lock| lock != *held));
                self.tried.retain(|(_, tried, _)| lock.is_some_and(|lock| lock != *tried));
            }
            (LockOp::Destroy, _) => {}
            (
                LockOp::Acquire
                | LockOp::AcquireWrite
                | LockOp::AcquireShared
                | LockOp::TryAcquire
                | LockOp::TryAcquireWrite
                | LockOp::TryAcquireShared,
                None,
            ) => {}
        }
    }

    fn join(&mut self, other: &State) -> bool {
        let before = self.clone();
        let common = |lock: &u64, mode: &mut Mode| match other.held.get(lock) {
            Some(there) => {
                *mode = (*mode).min(*there);
                true
            }
            None => false,
        };
        self.held.retain(common);
        self.tried.retain(|tried| other.tried.contains(tried));
        *self != before
    }
}

fn hold(held: &mut Lockset, lock: u64, mode: Mode) {
    let entry = held.entry(lock).or_insert(mode);
    *entry = (*entry).max(mode);
}

/// The variable that a condition says to be 0.
fn is_zero(pool: &ExprPool, cond: ExprId) -> Option<VarId> {
    let Expr::Binary(BinOp::Eq, a, b) = pool.get(cond) else { return None };
    let is_zero = |of: ExprId| pool.as_const(of).is_some_and(|c| c.bits == 0);
    match (pool.get(a), pool.get(b)) {
        (Expr::Var(var), _) if is_zero(b) => Some(var),
        (_, Expr::Var(var)) if is_zero(a) => Some(var),
        _ => None,
    }
}
