//! The largest inductive part of a set of guesses (Flanagan and Leino, *Houdini*, FME 2001), by the rule of `invariant.rs`.
//!
//! Whatever does not hold at first is dropped, then whatever some step does not keep by the conjuncts that are left, until nothing more is dropped. A model of a step that breaks one
//! conjunct tells of all others whether it breaks them too. A question that was answered with no stays answered as long as the premises that its answer needed are there; a conjunct
//! that a step cannot change needs no question. What a solver cannot tell is dropped.
//!
//! The result is checked by separate code (`certify.rs`): nothing sound rests on this file.

use crate::invariant::{Invariant, Scope};
use crate::system::{At, MOVER, NEW, OTHER, Returned, System, THIRD, Target};
use raddle_budget::Budget;
use raddle_ir::{BinOp, Expr, ExprId, ProcId, VarId};
use raddle_smt::{Answer, Effort, Interrupt, NativeSolver, Solver};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;

/// What one question may cost.
const EFFORT: Effort = Effort { conflicts: Some(20_000), time: Some(Duration::from_millis(500)) };

/// Which obligation of the rule a question belongs to: the step, and the places of the others.
type Key = (usize, Option<At>, Option<At>);

pub struct Houdini<'a, 'p> {
    pub system: &'a mut System<'p>,
    pub invariant: Invariant,
    solver: NativeSolver,
    budget: &'a Budget,
    cores: FxHashMap<Key, Answered>,
    shared_vars: FxHashMap<ExprId, Vec<VarId>>,
    known: Known,
    guards: Guards,
    /// Everything that ever was a conjunct.
    tried: FxHashSet<(Scope, ExprId)>,
    weaker: FxHashMap<Scope, u32>,
    changed: bool,
    pub questions: u64,
}

/// Conditions under which a conjunct may hold that does not hold always.
#[derive(Default)]
pub struct Guards {
    pub shared: Vec<ExprId>,
    /// By process, of the thread in slot `MOVER`.
    pub own: FxHashMap<ProcId, Vec<ExprId>>,
    /// And what holds where a thread comes from is tried where something else was refuted.
    pub inherit: bool,
}

/// The premises at hand, as a set: a mark for each expression, which only the last ones have. Each question has hundreds, so that filling a hash set took a fifth of the search.
#[derive(Default)]
struct Known {
    marks: Vec<u32>,
    mark: u32,
}

impl Known {
    fn become_of(&mut self, premises: &[ExprId]) {
        self.mark += 1;
        for premise in premises {
            let at = premise.0 as usize;
            if at >= self.marks.len() {
                self.marks.resize(2 * at + 1, 0);
            }
            self.marks[at] = self.mark;
        }
    }

    fn has(&self, expr: ExprId) -> bool {
        self.marks.get(expr.0 as usize) == Some(&self.mark)
    }
}

/// A question that was answered with no.
struct Answered {
    /// The premises that were enough.
    premises: Vec<ExprId>,
    goals: FxHashSet<ExprId>,
    /// The goals were needed: without them, the step cannot be taken.
    needs_goals: bool,
}

/// A conjunct to be shown: where it stands, itself, what it says after the step, and of which thread if it speaks of one.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Goal {
    scope: Scope,
    cond: ExprId,
    after: ExprId,
    slot: u32,
}

/// At most so many conjuncts of a place are weaker forms of others.
const MOST_WEAKER: u32 = 200;

impl<'a, 'p> Houdini<'a, 'p> {
    pub fn new(system: &'a mut System<'p>, invariant: Invariant, guards: Guards, budget: &'a Budget) -> Self {
        let mut solver = NativeSolver::stopped_by(Interrupt::of(budget));
        solver.set_effort(EFFORT);
        let (cores, shared_vars) = (FxHashMap::default(), FxHashMap::default());
        let (tried, weaker) = (FxHashSet::default(), FxHashMap::default());
        Houdini {
            system,
            invariant,
            solver,
            budget,
            cores,
            shared_vars,
            known: Known::default(),
            guards,
            tried,
            weaker,
            changed: false,
            questions: 0,
        }
    }

    /// Drops what is not inductive. False if the budget did not suffice.
    pub fn run(&mut self) -> bool {
        loop {
            self.changed = false;
            self.initially();
            for step in 0..self.system.steps.len() {
                if self.budget.stop().is_some() {
                    return false;
                }
                self.step(step);
            }
            if !self.changed {
                return self.budget.stop().is_none();
            }
        }
    }

    /// The steps that violate the property and that the invariant does not exclude.
    pub fn violations(&mut self) -> Vec<usize> {
        let mut left = Vec::new();
        for step in 0..self.system.steps.len() {
            if matches!(self.system.steps[step].target, Target::Error | Target::CutOff) {
                let premises = self.of_mover(step);
                if !self.contradict(&premises) && !self.focus(step, premises) {
                    left.push(step);
                }
            }
        }
        left
    }

    fn contradict(&mut self, premises: &[ExprId]) -> bool {
        self.questions += 1;
        matches!(self.solver.check(&self.system.pool, premises), Ok(Answer::Unsat))
    }

    /// Is there an address with which in mind a violation is impossible?
    fn focus(&mut self, step: usize, premises: Vec<ExprId>) -> bool {
        let proc = self.system.steps[step].source.proc;
        if !self.system.follows_any_lock() {
            return false;
        }
        for (_, address) in self.system.selectors.clone().into_iter().filter(|(of, _)| *of == proc) {
            let mut premises = premises.clone();
            premises.push(self.system.focus(address));
            if self.contradict(&premises) {
                self.invariant.focus.insert(step, address);
                return true;
            }
        }
        false
    }

    fn initially(&mut self) {
        let premises = self.system.initially();
        let entry = self.system.entry(self.system.program.entry);
        let mut goals = self.goals_of_one(entry, MOVER, None);
        let shared = |cond: &ExprId| Goal { scope: Scope::Shared, cond: *cond, after: *cond, slot: MOVER };
        goals.extend(self.invariant.shared.iter().map(shared));
        self.discharge(None, premises, goals);
    }

    /// What is known of a thread that is about to take a step.
    fn of_mover(&mut self, step: usize) -> Vec<ExprId> {
        let source = self.system.steps[step].source;
        let mut premises = vec![self.system.steps[step].cond];
        premises.extend(&self.invariant.shared);
        premises.extend(self.invariant.of_one(self.system, source, MOVER));
        self.returned(step, &mut premises);
        premises
    }

    /// What is known of the activation that comes back with a step.
    fn returned(&mut self, step: usize, premises: &mut Vec<ExprId>) {
        let Some(Returned { callee, globals }) = self.system.steps[step].returns.clone() else { return };
        let exit = At { proc: callee, loc: self.system.program.proc(callee).exit };
        let mut known = self.invariant.of_one(self.system, exit, OTHER);
        known.extend(&self.invariant.shared);
        let globals: FxHashMap<VarId, ExprId> = globals.into_iter().collect();
        premises.extend(
            known.into_iter().map(|cond| self.system.pool.substitute(cond, &mut |var| globals.get(&var).copied())),
        );
    }

    fn step(&mut self, step: usize) {
        let Target::At(to) = self.system.steps[step].target else { return };
        let source = self.system.steps[step].source;
        let mut premises = self.of_mover(step);
        let started = self.system.steps[step].starts.map(|proc| self.system.entry(proc));
        let mut goals = self.goals_of_one(to, MOVER, Some(step));
        for i in 0..self.invariant.shared.len() {
            let cond = self.invariant.shared[i];
            if self.may_change(step, cond) {
                let after = self.system.after(step, cond);
                goals.push(Goal { scope: Scope::Shared, cond, after, slot: MOVER });
            }
        }
        if let Some(entry) = started {
            premises.extend(self.system.begins(NEW));
            goals.extend(self.goals_of_one(entry, NEW, Some(step)));
            if self.system.calls.is_none() {
                goals.extend(self.goals_of_two((to, MOVER), (entry, NEW), Some(step)));
            }
        }
        let waits = self.system.steps[step].joins.len() == 1 && started.is_none();
        let is_joined = |system: &System, at: &At| system.is_end(*at) && system.may_meet(source, *at);
        let ends: Vec<At> =
            self.system.places.iter().copied().filter(|at| waits && is_joined(self.system, at)).collect();
        // The thread that it waits for has ended.
        for &end in &ends {
            let mut premises = self.with(step, &premises, end, OTHER);
            premises.push(self.system.is_joined(step, OTHER));
            let goals = goals.clone();
            self.discharge(Some((step, None, Some(end))), premises, goals);
        }
        if ends.is_empty() && !self.discharge(Some((step, None, None)), premises.clone(), goals) {
            // It cannot be taken.
            return;
        }
        let others = self.system.places.clone();
        let watching = |system: &System, at: At| system.may_meet(source, at) && !system.is_alone(at);
        for (i, &a) in others.iter().enumerate() {
            if !watching(self.system, a) {
                continue;
            }
            let mut goals = self.goals_of_one(a, OTHER, Some(step));
            goals.extend(self.goals_of_two((to, MOVER), (a, OTHER), Some(step)));
            if let Some(entry) = started.filter(|entry| self.system.may_meet(*entry, a)) {
                goals.extend(self.goals_of_two((entry, NEW), (a, OTHER), Some(step)));
            }
            let has_pairs = !self.invariant.pair.is_empty() || !self.invariant.together.is_empty();
            if goals.is_empty() && !has_pairs {
                continue;
            }
            let mut known = None;
            if !goals.is_empty() {
                let premises = known.insert(self.with(step, &premises, a, OTHER)).clone();
                if !self.discharge(Some((step, Some(a), None)), premises, goals) {
                    continue;
                }
            }
            if !has_pairs {
                continue;
            }
            for &b in &others[i..] {
                if !watching(self.system, b) || !self.system.may_meet(a, b) {
                    continue;
                }
                let goals = self.goals_of_two((a, OTHER), (b, THIRD), Some(step));
                if goals.is_empty() {
                    continue;
                }
                if known.is_none() {
                    known = Some(self.with(step, &premises, a, OTHER));
                }
                let mut premises = self.with(step, known.as_deref().unwrap_or(&premises), b, THIRD);
                premises.extend(self.invariant.of_two(self.system, (a, OTHER), (b, THIRD)));
                self.discharge(Some((step, Some(a), Some(b))), premises, goals);
            }
        }
    }

    /// Premises, and what is known of another thread that stands at a place meanwhile.
    fn with(&mut self, step: usize, premises: &[ExprId], at: At, slot: u32) -> Vec<ExprId> {
        let source = self.system.steps[step].source;
        let mut premises = premises.to_vec();
        premises.extend(self.invariant.of_one(self.system, at, slot));
        premises.extend(self.invariant.of_two(self.system, (source, MOVER), (at, slot)));
        if !self.system.is_end(at) {
            for handle in self.system.steps[step].joins.clone() {
                let other = self.system.handle(slot);
                premises.push(self.system.pool.ne(handle, other));
            }
        }
        premises
    }

    /// May a step change what a conjunct about others, or about shared variables, says?
    fn may_change(&mut self, step: usize, cond: ExprId) -> bool {
        let pool = &self.system.pool;
        let vars = self.shared_vars.entry(cond).or_insert_with(|| pool.vars(cond));
        let after = &self.system.steps[step].after;
        vars.iter().any(|var| after.contains_key(var))
    }

    /// The conjuncts about one thread, after a step (or as they are).
    fn goals_of_one(&mut self, at: At, slot: u32, step: Option<usize>) -> Vec<Goal> {
        let mut conds: Vec<(Scope, ExprId)> = self.invariant.thread.iter().map(|cond| (Scope::Thread, *cond)).collect();
        conds.extend(self.invariant.at.get(&at).into_iter().flatten().map(|cond| (Scope::At(at), *cond)));
        self.goals(conds, &[(MOVER, slot)], step)
    }

    fn goals_of_two(&mut self, (a, i): (At, u32), (b, j): (At, u32), step: Option<usize>) -> Vec<Goal> {
        let pair: Vec<(Scope, ExprId)> = self.invariant.pair.iter().map(|cond| (Scope::Pair, *cond)).collect();
        let mut goals = self.goals(pair.clone(), &[(MOVER, i), (OTHER, j)], step);
        goals.extend(self.goals(pair, &[(MOVER, j), (OTHER, i)], step));
        for (first, second) in [((a, i), (b, j)), ((b, j), (a, i))] {
            let key = (first.0, second.0);
            if first.0 <= second.0
                && let Some(conds) = self.invariant.together.get(&key)
            {
                let conds = conds.iter().map(|cond| (Scope::Together(key.0, key.1), *cond)).collect();
                goals.extend(self.goals(conds, &[(MOVER, first.1), (OTHER, second.1)], step));
            }
        }
        goals
    }

    fn goals(&mut self, conds: Vec<(Scope, ExprId)>, slots: &[(u32, u32)], step: Option<usize>) -> Vec<Goal> {
        let mut goals = Vec::new();
        for (scope, cond) in conds {
            let meant = self.system.renamed_all(cond, slots);
            let after = match step {
                None => meant,
                // What others know stays true if nothing of it changes.
                Some(step)
                    if !self.may_change(step, meant) && slots.iter().all(|(_, to)| *to == OTHER || *to == THIRD) =>
                {
                    continue;
                }
                Some(step) => self.system.after(step, meant),
            };
            goals.push(Goal { scope, cond, after, slot: slots[0].1 });
        }
        goals
    }

    /// Drops the goals that the premises do not imply. False if the premises contradict each other.
    fn discharge(&mut self, key: Option<Key>, premises: Vec<ExprId>, mut goals: Vec<Goal>) -> bool {
        let yes = self.system.pool.bool(true);
        goals.retain(|goal| goal.after != yes);
        if goals.is_empty() {
            return true;
        }
        self.known.become_of(&premises);
        goals.retain(|goal| !self.known.has(goal.after));
        if goals.is_empty() {
            return true;
        }
        if let Some(answered) = key.and_then(|key| self.cores.get(&key))
            && answered.premises.iter().all(|premise| self.known.has(*premise))
            && (!answered.needs_goals || goals.iter().all(|goal| answered.goals.contains(&goal.after)))
        {
            return answered.needs_goals;
        }
        loop {
            let all = goals.iter().fold(yes, |all, goal| self.system.pool.and(all, goal.after));
            let wrong = self.system.pool.not(all);
            let mut assumptions = premises.clone();
            assumptions.push(wrong);
            self.questions += 1;
            match self.solver.check(&self.system.pool, &assumptions) {
                Ok(Answer::Unsat) => {
                    let core = self.solver.failed().unwrap_or(premises);
                    let needs_goals = core.contains(&wrong);
                    if let Some(key) = key {
                        let premises = core.into_iter().filter(|premise| *premise != wrong).collect();
                        let goals = goals.iter().map(|goal| goal.after).collect();
                        self.cores.insert(key, Answered { premises, goals, needs_goals });
                    }
                    return needs_goals;
                }
                Ok(Answer::Sat) => {
                    let mut broken = Vec::new();
                    for goal in &goals {
                        let value = self.solver.value(&self.system.pool, goal.after);
                        if value.is_ok_and(|value| value.bits() == 0) {
                            broken.push(*goal);
                        }
                    }
                    if broken.is_empty() {
                        broken = goals.clone();
                    }
                    goals.retain(|goal| !broken.contains(goal));
                    broken.iter().for_each(|goal| self.drop(goal.scope, goal.cond));
                    broken.iter().for_each(|goal| self.weaken(*goal, key.map(|(step, _, _)| step)));
                }
                _ => {
                    goals.iter().for_each(|goal| self.drop(goal.scope, goal.cond));
                    return true;
                }
            }
            // The conjuncts that were just dropped may be premises: they are looked at again in the next round.
            if goals.is_empty() {
                return true;
            }
        }
    }

    /// After a conjunct was refuted by the model at hand: weaker ones that the model does not refute. A place that was thought not to be reached is like the one that leads to it; what does
    /// not hold always may hold under a guard.
    fn weaken(&mut self, goal: Goal, step: Option<usize>) {
        let (guards, source) = match (goal.scope, step) {
            (Scope::Shared, _) => (self.guards.shared.clone(), None),
            (Scope::At(at), step) => {
                let source = step.map(|step| self.system.steps[step].source).filter(|source| source.proc == at.proc);
                (self.guards.own.get(&at.proc).cloned().unwrap_or_default(), source)
            }
            _ => return,
        };
        let never = self.system.pool.bool(false);
        let mut candidates = Vec::new();
        if goal.cond == never {
            for guard in guards {
                candidates.extend([guard, self.system.pool.not(guard)]);
            }
        } else if self.is_worth_it(goal.cond) {
            for guard in guards {
                let not = self.system.pool.not(guard);
                candidates.extend([guard, not].map(|guard| self.system.pool.or(guard, goal.cond)));
            }
        }
        // What holds where the thread comes from may hold here as well.
        if goal.slot == MOVER && (goal.cond == never || self.guards.inherit) {
            candidates.extend(source.and_then(|source| self.invariant.at.get(&source)).into_iter().flatten());
        }
        for cond in candidates {
            let count = self.weaker.entry(goal.scope).or_default();
            if *count >= MOST_WEAKER || self.tried.contains(&(goal.scope, cond)) {
                continue;
            }
            let mut after = self.system.renamed(cond, MOVER, goal.slot);
            if let Some(step) = step {
                after = self.system.after(step, after);
            }
            if self.solver.value(&self.system.pool, after).is_ok_and(|value| value.bits() == 1) {
                *count += 1;
                self.tried.insert((goal.scope, cond));
                match goal.scope {
                    Scope::At(at) => self.invariant.at.entry(at).or_default().push(cond),
                    _ => self.invariant.shared.push(cond),
                }
            }
        }
    }

    /// Bounds and what has a guard already are not weakened.
    fn is_worth_it(&self, cond: ExprId) -> bool {
        let pool = &self.system.pool;
        match pool.get(cond) {
            Expr::Binary(BinOp::Or, _, _) => false,
            Expr::Binary(BinOp::SLe | BinOp::ULe | BinOp::SLt | BinOp::ULt, a, b) => {
                pool.as_const(a).is_none() && pool.as_const(b).is_none()
            }
            _ => true,
        }
    }

    fn drop(&mut self, scope: Scope, cond: ExprId) {
        self.changed = true;
        self.tried.insert((scope, cond));
        self.invariant.of(scope).retain(|known| *known != cond);
    }
}
