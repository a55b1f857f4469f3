//! What has to be shown for one conjunct, by the rule of `invariant.rs`: the steps that could break it, with the threads that it speaks of in all their roles.

use crate::invariant::{Invariant, Scope};
use crate::system::{At, MOVER, NEW, OTHER, System, THIRD, Target};
use raddle_ir::ExprId;

/// A step, the threads that stand elsewhere meanwhile, and what is to hold after it, in terms of the state before.
#[derive(Clone, Debug)]
pub struct Obligation {
    pub step: usize,
    pub others: Vec<(At, u32)>,
    /// The step waits for the end of the thread in slot `OTHER`.
    pub joins: bool,
    pub post: ExprId,
}

impl Obligation {
    pub fn premises(&self, system: &mut System, invariant: &Invariant) -> Vec<ExprId> {
        let (source, starts) = (system.steps[self.step].source, system.steps[self.step].starts.is_some());
        let mut premises = vec![system.steps[self.step].cond];
        premises.extend(&invariant.shared);
        premises.extend(invariant.of_one(system, source, MOVER));
        if starts {
            premises.extend(system.begins(NEW));
        }
        for &(at, slot) in &self.others {
            premises.extend(invariant.of_one(system, at, slot));
            premises.extend(invariant.of_two(system, (source, MOVER), (at, slot)));
            if !system.is_end(at) {
                for handle in system.steps[self.step].joins.clone() {
                    let other = system.handle(slot);
                    premises.push(system.pool.ne(handle, other));
                }
            }
        }
        if let [first, second] = self.others[..] {
            premises.extend(invariant.of_two(system, first, second));
        }
        if self.joins {
            premises.push(system.is_joined(self.step, OTHER));
        }
        premises
    }
}

/// That a step which violates the property cannot be taken.
pub fn violates(system: &mut System, step: usize) -> Obligation {
    Obligation { step, others: Vec::new(), joins: false, post: system.pool.bool(false) }
}

/// What has to be shown for a conjunct to hold after every step. Those about every thread or every two threads are not asked for.
pub fn obligations(system: &mut System, scope: Scope, cond: ExprId) -> Vec<Obligation> {
    let mut all = Vec::new();
    for step in 0..system.steps.len() {
        let Target::At(to) = system.steps[step].target else { continue };
        let mut of = OfStep { system, step, cond, all: &mut all };
        match scope {
            Scope::Shared => of.shared(),
            Scope::At(at) => of.of_one(to, at),
            Scope::Together(a, b) => of.of_two(to, a, b),
            Scope::Thread | Scope::Pair => {}
        }
    }
    all
}

struct OfStep<'a, 'p> {
    system: &'a mut System<'p>,
    step: usize,
    cond: ExprId,
    all: &'a mut Vec<Obligation>,
}

impl OfStep<'_, '_> {
    fn source(&self) -> At {
        self.system.steps[self.step].source
    }

    /// Can a thread stand there while the step is taken?
    fn stands(&self, at: At) -> bool {
        self.system.may_meet(self.source(), at) && !self.system.is_alone(at)
    }

    fn starts_at(&self, at: At) -> bool {
        self.system.steps[self.step].starts.is_some_and(|proc| self.system.entry(proc) == at)
    }

    /// The conjunct with its threads in these slots is to hold after the step.
    fn add(&mut self, slots: &[(u32, u32)], others: Vec<(At, u32)>, joins: bool) {
        let meant = self.system.renamed_all(self.cond, slots);
        let is_watching = slots.iter().all(|(_, to)| *to == OTHER || *to == THIRD);
        let post = self.system.after(self.step, meant);
        if post == self.system.pool.bool(true) || is_watching && post == meant {
            return;
        }
        self.all.push(Obligation { step: self.step, others, joins, post });
    }

    fn shared(&mut self) {
        if self.system.after(self.step, self.cond) != self.cond {
            self.add(&[(MOVER, MOVER)], Vec::new(), false);
        }
    }

    fn of_one(&mut self, to: At, at: At) {
        if to == at {
            let ends = self.ends();
            if ends.is_empty() {
                self.add(&[(MOVER, MOVER)], Vec::new(), false);
            }
            for end in ends {
                self.add(&[(MOVER, MOVER)], vec![(end, OTHER)], true);
            }
        }
        if self.starts_at(at) {
            self.add(&[(MOVER, NEW)], Vec::new(), false);
        }
        if self.stands(at) {
            self.add(&[(MOVER, OTHER)], vec![(at, OTHER)], false);
        }
    }

    fn of_two(&mut self, to: At, a: At, b: At) {
        if to == a && self.stands(b) {
            self.add(&[(MOVER, MOVER), (OTHER, OTHER)], vec![(b, OTHER)], false);
        }
        if to == b && self.stands(a) {
            self.add(&[(MOVER, OTHER), (OTHER, MOVER)], vec![(a, OTHER)], false);
        }
        if to == a && self.starts_at(b) {
            self.add(&[(MOVER, MOVER), (OTHER, NEW)], Vec::new(), false);
        }
        if to == b && self.starts_at(a) {
            self.add(&[(MOVER, NEW), (OTHER, MOVER)], Vec::new(), false);
        }
        if self.starts_at(a) && self.stands(b) && self.system.may_meet(a, b) {
            self.add(&[(MOVER, NEW), (OTHER, OTHER)], vec![(b, OTHER)], false);
        }
        if self.starts_at(b) && self.stands(a) && self.system.may_meet(a, b) {
            self.add(&[(MOVER, OTHER), (OTHER, NEW)], vec![(a, OTHER)], false);
        }
        if self.stands(a) && self.stands(b) && self.system.may_meet(a, b) {
            self.add(&[(MOVER, OTHER), (OTHER, THIRD)], vec![(a, OTHER), (b, THIRD)], false);
        }
    }

    /// Where the thread has ended that the step waits for, if it waits for one.
    fn ends(&self) -> Vec<At> {
        let step = &self.system.steps[self.step];
        let waits = step.joins.len() == 1 && step.starts.is_none();
        let places = self.system.places.iter().copied();
        places.filter(|at| waits && self.system.is_end(*at) && self.system.may_meet(step.source, *at)).collect()
    }
}
