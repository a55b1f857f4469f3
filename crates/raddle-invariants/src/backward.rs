//! Guesses from what is to be shown: what must hold before, for an error not to be reached (Dijkstra's weakest preconditions, as predicates for Houdini).
//!
//! The condition under which an error is excluded is taken backwards through the steps that lead to it. Where a thread takes a lock, what is wanted of shared variables while the lock is
//! free becomes a conjunct that all threads must keep: it is wanted again wherever one lets go of the lock. What some execution that was seen refutes is left out. Of the condition of a
//! step as little is kept as these executions allow: which lock is meant, then that the lock was free, then all of it.
//!
//! Nothing sound rests on this: what it finds are guesses as others.

use crate::invariant::Invariant;
use crate::sample::{Samples, State};
use crate::system::{At, MOVER, NEW, System, Target};
use raddle_ir::eval::{eval, mask};
use raddle_ir::locks::PART_BITS;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, UnOp, Value, VarId};
use raddle_model::instances::Origin;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// So many guesses about one place, and about shared variables.
const MOST_HERE: usize = 48;
const MOST_SHARED: usize = 128;
/// So many steps back.
const DEEPEST: u32 = 80;
/// Larger conditions say nothing that is worth keeping.
const MOST_NODES: usize = 150;

/// What a guess is about: a thread at a place, or shared variables.
type About = Option<At>;

struct Backward<'a, 'p> {
    system: &'a mut System<'p>,
    samples: &'a Samples,
    queue: VecDeque<(About, ExprId, u32)>,
    known: FxHashSet<(About, ExprId)>,
    found: FxHashMap<About, Vec<ExprId>>,
    into: FxHashMap<At, Vec<usize>>,
}

/// Adds what the steps that violate the property need to be excluded.
pub fn strengthen(system: &mut System, samples: &Samples, invariant: &mut Invariant, stop: &dyn Fn() -> bool) {
    let mut into: FxHashMap<At, Vec<usize>> = FxHashMap::default();
    for (i, step) in system.steps.iter().enumerate() {
        if let Target::At(to) = step.target {
            into.entry(to).or_default().push(i);
        }
        if let Some(proc) = step.starts {
            into.entry(system.entry(proc)).or_default().push(i);
        }
    }
    let (queue, known) = (VecDeque::new(), FxHashSet::default());
    let mut backward = Backward { system, samples, queue, known, found: FxHashMap::default(), into };
    backward.held();
    backward.seeds();
    while let Some((about, cond, depth)) = backward.queue.pop_front() {
        if stop() || depth > DEEPEST {
            break;
        }
        backward.before(about, cond, depth);
    }
    for (about, conds) in backward.found {
        let all = match about {
            Some(at) => invariant.at.entry(at).or_default(),
            None => &mut invariant.shared,
        };
        for cond in conds {
            if !all.contains(&cond) {
                all.push(cond);
            }
        }
    }
}

impl Backward<'_, '_> {
    /// What threads hold where; of computed locks, under the condition which one is meant.
    fn held(&mut self) {
        let none = self.system.pool.bits(PART_BITS, 0);
        for at in self.system.places.clone() {
            let selectors: Vec<ExprId> =
                (self.system.selectors.iter()).filter(|(of, _)| *of == at.proc).map(|(_, lock)| *lock).collect();
            for address in self.system.locks.clone() {
                let held = self.system.lock_part(Origin::Held { slot: MOVER, address });
                let (free, one) = (self.system.pool.eq(held, none), self.system.pool.bits(PART_BITS, 1));
                let once = self.system.pool.eq(held, one);
                let mut guards = vec![self.system.pool.bool(true)];
                for lock in &selectors {
                    let is_it = self.system.is_lock(*lock, address);
                    guards.extend([is_it, self.system.pool.not(is_it)]);
                }
                for guard in guards {
                    let not = self.system.pool.not(guard);
                    // Where nothing was seen, it may be either.
                    let is_seen = self.is_refuted(Some(at), not);
                    for cond in [free, once] {
                        let cond = self.system.pool.or(not, cond);
                        if self.known.insert((Some(at), cond)) && !self.is_refuted(Some(at), cond) {
                            self.found.entry(Some(at)).or_default().push(cond);
                            if is_seen {
                                break;
                            }
                        }
                    }
                }
            }
        }
    }

    /// The conditions under which errors are excluded.
    fn seeds(&mut self) {
        for step in 0..self.system.steps.len() {
            if !matches!(self.system.steps[step].target, Target::Error | Target::CutOff) {
                continue;
            }
            let (at, cond) = (self.system.steps[step].source, self.system.steps[step].cond);
            let not = self.system.pool.not(cond);
            let parts: Vec<ExprId> =
                disjuncts(&mut self.system.pool, not).into_iter().filter(|part| self.is_of_mover(*part)).collect();
            let goal = any_of(&mut self.system.pool, &parts);
            self.offer(Some(at), goal, 0);
        }
    }

    /// Is it about the thread that steps and shared variables only?
    fn is_of_mover(&self, cond: ExprId) -> bool {
        self.system.pool.vars(cond).into_iter().all(|var| match self.system.vars.origin(var) {
            Origin::Instance { slot, .. }
            | Origin::Held { slot, .. }
            | Origin::HeldShared { slot, .. }
            | Origin::Handle(slot) => slot == MOVER,
            Origin::Version { .. } => false,
            _ => true,
        })
    }

    fn is_shared(&self, cond: ExprId) -> bool {
        self.system.pool.vars(cond).into_iter().all(|var| self.system.vars.is_shared(var))
    }

    /// Makes a guess of it. Whether it was refuted.
    fn offer(&mut self, about: About, cond: ExprId, depth: u32) -> bool {
        if self.system.pool.as_const(cond).is_some() || !self.known.insert((about, cond)) {
            return self.system.pool.is_bool(cond, false);
        }
        let most = if about.is_some() { MOST_HERE } else { MOST_SHARED };
        if self.found.get(&about).is_some_and(|found| found.len() >= most) || self.is_large(cond) {
            return false;
        }
        if self.is_refuted(about, cond) {
            return true;
        }
        // What pointers are never seen to be at once.
        if let Some(at) = about {
            let parts = disjuncts(&mut self.system.pool, cond);
            let pins: Vec<ExprId> = parts.iter().copied().filter(|part| self.tells_lock(*part)).collect();
            if pins.len() >= 2 && pins.len() < parts.len() {
                let never = any_of(&mut self.system.pool, &pins);
                if self.samples.states.contains_key(&about) && !self.is_refuted(about, never) {
                    return self.offer(Some(at), never, depth);
                }
            }
        }
        self.found.entry(about).or_default().push(cond);
        self.queue.push_back((about, cond, depth));
        if let Some(at) = about
            && let Some(shared) = self.of_shared(at, cond)
        {
            self.offer(None, shared, depth);
        }
        false
    }

    fn is_large(&self, cond: ExprId) -> bool {
        let mut nodes = 0;
        self.system.pool.for_each_node(&[cond], |_, _| nodes += 1);
        nodes > MOST_NODES
    }

    fn is_refuted(&self, about: About, cond: ExprId) -> bool {
        let states = self.samples.states.get(&about).map_or(&[][..], Vec::as_slice);
        states.iter().any(|state| self.value(state, cond).is_some_and(|value| value == 0))
    }

    /// The value of an expression in a state that was seen, if that is known.
    fn value(&self, state: &State, expr: ExprId) -> Option<u128> {
        let vars = &self.system.vars;
        let mut env = |var: VarId| {
            let known = state.own.get(&var).or_else(|| state.shared.get(&var)).cloned();
            known.or_else(|| vars.initial(var).map(|initial| Value::Bits(initial.bits))).ok_or(())
        };
        eval(&self.system.pool, expr, &mut env).ok().map(|value| value.bits())
    }

    /// What must hold before the steps that a condition could be broken by.
    fn before(&mut self, about: About, cond: ExprId, depth: u32) {
        match about {
            Some(at) => {
                for step in self.into.get(&at).cloned().unwrap_or_default() {
                    if self.system.steps[step].target == Target::At(at) {
                        self.through(step, cond, MOVER, depth + 1);
                    }
                    if self.system.steps[step].starts.is_some_and(|proc| self.system.entry(proc) == at) {
                        self.through(step, cond, NEW, depth + 1);
                    }
                }
            }
            None => {
                let vars = self.system.pool.vars(cond);
                for step in 0..self.system.steps.len() {
                    let changes = &self.system.steps[step].after;
                    let is_changed = vars.iter().any(|var| changes.contains_key(var));
                    if is_changed && matches!(self.system.steps[step].target, Target::At(_)) {
                        self.through(step, cond, MOVER, depth + 1);
                    }
                }
            }
        }
    }

    /// What must hold before a step for a condition to hold after it.
    fn through(&mut self, step: usize, cond: ExprId, slot: u32, depth: u32) {
        let meant = self.system.renamed(cond, MOVER, slot);
        let after = self.system.after(step, meant);
        let at = self.system.steps[step].source;
        let not = self.system.pool.not(self.system.steps[step].cond);
        let parts = disjuncts(&mut self.system.pool, not);
        let pins: Vec<ExprId> =
            parts.into_iter().filter(|part| self.is_of_mover(*part) && self.tells_lock(*part)).collect();
        let (not, after) = (self.with_locks_known(at, &pins, not), self.with_locks_known(at, &pins, after));
        let mine = |this: &mut Self, cond| -> Vec<ExprId> {
            let parts = disjuncts(&mut this.system.pool, cond);
            parts.into_iter().filter(|part| this.is_of_mover(*part)).collect()
        };
        let (nots, goal) = (mine(self, not), mine(self, after));
        let words: Vec<ExprId> = nots.iter().copied().filter(|part| self.is_about_word(*part)).collect();
        let goal = any_of(&mut self.system.pool, &goal);
        let pins = any_of(&mut self.system.pool, &pins);
        let least = self.system.pool.or(pins, goal);
        let refuted = self.offer(Some(at), least, depth);
        if !words.is_empty() {
            let words = any_of(&mut self.system.pool, &words);
            let free = self.system.pool.or(words, least);
            self.offer(Some(at), free, depth);
        }
        if refuted {
            let all = any_of(&mut self.system.pool, &nots);
            let all = self.system.pool.or(all, goal);
            self.offer(Some(at), all, depth);
        }
    }

    /// An expression with the values that parts of locks were always seen to have where a thread is and parts of a disjunction do not hold. Whether a lock is free stays open.
    fn with_locks_known(&mut self, at: At, nots: &[ExprId], expr: ExprId) -> ExprId {
        let mut known: FxHashMap<VarId, ExprId> = FxHashMap::default();
        for var in self.system.pool.vars(expr) {
            let is_word = matches!(self.system.vars.origin(var), Origin::LockWord(_));
            if is_word || !self.system.vars.is_lock(var) {
                continue;
            }
            let term = self.system.pool.var(var, self.system.vars.sort(var));
            if let Some(value) = self.only_value(at, nots, term) {
                known.insert(var, self.system.pool.bits(PART_BITS, value));
            }
        }
        self.system.pool.substitute(expr, &mut |var| known.get(&var).copied())
    }

    /// The value that a term always has where a thread is and parts of a disjunction do not hold.
    fn only_value(&self, at: At, nots: &[ExprId], term: ExprId) -> Option<u128> {
        let mut only = None;
        for state in self.samples.states.get(&Some(at)).into_iter().flatten() {
            if nots.iter().any(|part| self.value(state, *part) != Some(0)) {
                continue;
            }
            let value = self.value(state, term)?;
            if *only.get_or_insert(value) != value {
                return None;
            }
        }
        only
    }

    /// Does it say that a lock is not a certain one, or that a pointer does not point to a certain place?
    fn tells_lock(&self, part: ExprId) -> bool {
        let pool = &self.system.pool;
        self.equation(part).is_some_and(|(_, is)| match pool.as_const(is) {
            Some(c) if c.sort == self.system.program.pointer_sort() => self.is_place(c.bits as u64),
            Some(_) => false,
            None => true,
        })
    }

    fn is_place(&self, address: u64) -> bool {
        let objects = &self.system.program.objects;
        self.system.locks.contains(&address)
            || objects.iter().any(|o| address.checked_sub(o.address).is_some_and(|offset| offset < o.size))
    }

    fn is_about_word(&self, part: ExprId) -> bool {
        let is_word = |var: VarId| matches!(self.system.vars.origin(var), Origin::LockWord(_));
        self.system.pool.vars(part).into_iter().any(is_word)
    }

    /// Of a part that says that something is not equal to a constant or to the address that may be any: both.
    fn equation(&self, part: ExprId) -> Option<(ExprId, ExprId)> {
        let pool = &self.system.pool;
        let Expr::Unary(UnOp::Not, equal) = pool.get(part) else { return None };
        let Expr::Binary(BinOp::Eq, a, b) = pool.get(equal) else { return None };
        let is_fixed = |id: ExprId| match pool.get(id) {
            Expr::Const(_) => true,
            Expr::Var(var) => self.system.vars.origin(var) == Origin::AnyAddress,
            _ => false,
        };
        match (is_fixed(a), is_fixed(b)) {
            (false, true) => Some((a, b)),
            (true, false) => Some((b, a)),
            _ => None,
        }
    }

    /// What a condition of a thread says of shared variables: places in memory that the thread means are told by the lock that it means.
    fn of_shared(&mut self, at: At, cond: ExprId) -> Option<ExprId> {
        if self.is_shared(cond) {
            return Some(cond);
        }
        let parts = disjuncts(&mut self.system.pool, cond);
        let equations: Vec<(ExprId, ExprId)> = parts.iter().filter_map(|part| self.equation(*part)).collect();
        let mut indices = Vec::new();
        self.system.pool.for_each_node(&[cond], |_, expr| {
            if let Expr::Select(_, index) = expr {
                indices.push(index);
            }
        });
        indices.retain(|index| !self.is_shared(*index));
        let mut new = FxHashMap::default();
        for index in indices {
            if let Some(place) = self.told(at, index, &equations) {
                new.insert(index, place);
            }
        }
        let mut shared = Vec::new();
        for part in parts {
            let part = replaced(&mut self.system.pool, part, &new);
            if self.is_shared(part) {
                shared.push(part);
            }
        }
        (!shared.is_empty()).then(|| any_of(&mut self.system.pool, &shared))
    }

    /// A place, where equations hold: it has a fixed distance from the lock, or was seen to be always the same.
    fn told(&mut self, at: At, index: ExprId, equations: &[(ExprId, ExprId)]) -> Option<ExprId> {
        let width = self.system.program.pointer_bits;
        let (from, offset) = crate::terms::distance(&self.system.pool, index);
        for &(lock, is) in equations {
            let (base, other) = crate::terms::distance(&self.system.pool, lock);
            if base == from && self.system.pool.sort(is) == self.system.pool.sort(index) {
                let offset = self.system.pool.bits(width, offset.wrapping_sub(other) & mask(width));
                return Some(self.system.pool.binary(BinOp::BvAdd, is, offset));
            }
        }
        let pool = &mut self.system.pool;
        let nots: Vec<ExprId> = equations.iter().map(|(a, b)| pool.ne(*a, *b)).collect();
        let only = self.only_value(at, &nots, index)?;
        let place = self.system.pool.bits(width, only);
        // That it is so is a guess as well.
        let is_there = self.system.pool.eq(index, place);
        let mut parts = nots;
        parts.push(is_there);
        let is_there = any_of(&mut self.system.pool, &parts);
        self.offer(Some(at), is_there, 0);
        Some(place)
    }
}

pub fn any_of(pool: &mut ExprPool, parts: &[ExprId]) -> ExprId {
    let no = pool.bool(false);
    parts.iter().fold(no, |any, part| pool.or(any, *part))
}

/// The parts of a disjunction; of what is none, itself.
pub fn disjuncts(pool: &mut ExprPool, cond: ExprId) -> Vec<ExprId> {
    let (mut parts, mut open) = (Vec::new(), vec![cond]);
    while let Some(id) = open.pop() {
        match pool.get(id) {
            Expr::Binary(BinOp::Or, a, b) => open.extend([b, a]),
            Expr::Unary(UnOp::Not, inner) => match pool.get(inner) {
                Expr::Binary(BinOp::And, a, b) => open.extend([pool.not(b), pool.not(a)]),
                _ => parts.push(id),
            },
            _ if pool.is_bool(id, false) => {}
            _ => parts.push(id),
        }
    }
    parts
}

/// An expression with nodes replaced.
pub fn replaced(pool: &mut ExprPool, root: ExprId, new: &FxHashMap<ExprId, ExprId>) -> ExprId {
    let mut known = new.clone();
    let mut open = vec![root];
    while let Some(&id) = open.last() {
        if known.contains_key(&id) {
            open.pop();
            continue;
        }
        let expr = pool.get(id);
        let mut missing = Vec::new();
        expr.for_each_operand(|operand| {
            if !known.contains_key(&operand) {
                missing.push(operand);
            }
        });
        if !missing.is_empty() {
            open.extend(missing);
            continue;
        }
        let mapped = expr.map_operands(|operand| known.get(&operand).copied().unwrap_or(operand));
        let done = if mapped == expr {
            id
        } else {
            let sort = pool.sort(id);
            pool.rebuild(mapped, sort)
        };
        known.insert(id, done);
        open.pop();
    }
    known.get(&root).copied().unwrap_or(root)
}
