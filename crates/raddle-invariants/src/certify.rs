//! An invariant, checked once more: the rule of `invariant.rs`, read off line by line, with fresh solvers and without anything that made finding it fast.
//!
//! Nothing is shared with the search but the steps of the System and what an `Invariant` says of threads. Conjuncts that a step cannot change are checked like all others.

use crate::invariant::Invariant;
use crate::system::{At, MOVER, NEW, OTHER, System, THIRD, Target};
use raddle_ir::ExprId;
use raddle_smt::{Answer, Interrupt, NativeSolver, Solver};
use rustc_hash::FxHashSet;

/// Is it an invariant, and does it exclude all violations? How many questions that took, or what is wrong.
pub fn check(system: &mut System, invariant: &Invariant, interrupt: &Interrupt) -> Result<u64, String> {
    let solver = NativeSolver::stopped_by(interrupt.clone());
    let mut check = Check { system, invariant, solver, questions: 0 };
    check.initially()?;
    for step in 0..check.system.steps.len() {
        check.step(step)?;
    }
    Ok(check.questions)
}

struct Check<'a, 'p> {
    system: &'a mut System<'p>,
    invariant: &'a Invariant,
    solver: NativeSolver,
    questions: u64,
}

impl Check<'_, '_> {
    fn initially(&mut self) -> Result<(), String> {
        let premises = self.system.initially();
        let entry = self.system.entry(self.system.program.entry);
        if self.system.program.proc(entry.proc).locations[entry.loc.index()].kind.is_cut_off() {
            return Err("what the program does is not known".into());
        }
        let mut goals = self.invariant.shared.clone();
        goals.extend(self.invariant.of_one(self.system, entry, MOVER));
        self.implies(premises, goals, "at first")
    }

    fn step(&mut self, step: usize) -> Result<(), String> {
        let (source, target) = (self.system.steps[step].source, self.system.steps[step].target);
        let mut premises = self.invariant.shared.clone();
        premises.extend(self.invariant.of_one(self.system, source, MOVER));
        premises.push(self.system.steps[step].cond);
        self.comes_back(step, &mut premises);
        let words = format!("a step at {}", self.system.line(self.system.steps[step].span));
        let to = match target {
            Target::End => return Ok(()),
            Target::Error | Target::CutOff => {
                if let Some(address) = self.invariant.focus.get(&step) {
                    premises.push(self.system.focus(*address));
                }
                let never = self.system.pool.bool(false);
                return self.implies(premises, vec![never], &words);
            }
            Target::At(to) => to,
        };
        let started = self.system.steps[step].starts.map(|proc| self.system.entry(proc));
        let mut goals = self.invariant.shared.clone();
        goals.extend(self.invariant.of_one(self.system, to, MOVER));
        if let Some(entry) = started {
            if self.system.program.proc(entry.proc).locations[entry.loc.index()].kind.is_cut_off() {
                return Err("what a thread does is not known".into());
            }
            premises.extend(self.system.begins(NEW));
            goals.extend(self.invariant.of_one(self.system, entry, NEW));
            if self.system.calls.is_none() {
                goals.extend(self.invariant.of_two(self.system, (to, MOVER), (entry, NEW)));
            }
        }
        match self.joined(step).as_slice() {
            [] => self.keeps(step, premises.clone(), goals, &words)?,
            ends => {
                for &end in ends {
                    let mut premises = premises.clone();
                    self.watched_by(step, end, OTHER, &mut premises);
                    premises.push(self.system.is_joined(step, OTHER));
                    self.keeps(step, premises, goals.clone(), &words)?;
                }
            }
        }
        let others: Vec<At> = self.system.places.clone();
        for a in others.iter().copied().filter(|a| self.may_watch(step, *a)).collect::<Vec<_>>() {
            let mut premises = premises.clone();
            self.watched_by(step, a, OTHER, &mut premises);
            let mut goals = self.invariant.of_one(self.system, a, OTHER);
            goals.extend(self.invariant.of_two(self.system, (to, MOVER), (a, OTHER)));
            if let Some(entry) = started.filter(|entry| self.system.may_meet(*entry, a)) {
                goals.extend(self.invariant.of_two(self.system, (entry, NEW), (a, OTHER)));
            }
            self.keeps(step, premises.clone(), goals, &words)?;
            for b in others.iter().copied().filter(|b| *b >= a && self.may_watch(step, *b)).collect::<Vec<_>>() {
                let goals = self.invariant.of_two(self.system, (a, OTHER), (b, THIRD));
                if goals.is_empty() || !self.system.may_meet(a, b) {
                    continue;
                }
                let mut premises = premises.clone();
                self.watched_by(step, b, THIRD, &mut premises);
                premises.extend(self.invariant.of_two(self.system, (a, OTHER), (b, THIRD)));
                self.keeps(step, premises, goals, &words)?;
            }
        }
        Ok(())
    }

    /// Where the thread has ended that a step waits for, if it waits for one.
    fn joined(&self, step: usize) -> Vec<At> {
        let waits = self.system.steps[step].joins.len() == 1 && self.system.steps[step].starts.is_none();
        let places = self.system.places.iter().copied();
        places.filter(|at| waits && self.system.is_end(*at) && self.may_watch(step, *at)).collect()
    }

    /// What holds at the exit of a procedure, of an activation that ended there with the globals as they were then.
    fn comes_back(&mut self, step: usize, premises: &mut Vec<ExprId>) {
        let Some(returned) = self.system.steps[step].returns.clone() else { return };
        let exit = self.system.program.proc(returned.callee).exit;
        let mut known = self.invariant.shared.clone();
        known.extend(self.invariant.of_one(self.system, At { proc: returned.callee, loc: exit }, OTHER));
        for cond in known {
            let then = |var| returned.globals.iter().find(|(global, _)| *global == var).map(|(_, value)| *value);
            let cond = self.system.pool.substitute(cond, &mut |var| then(var));
            premises.push(cond);
        }
    }

    /// Can there be a thread at a place while another one takes a step?
    fn may_watch(&self, step: usize, at: At) -> bool {
        self.system.may_meet(self.system.steps[step].source, at) && !self.system.is_alone(at)
    }

    /// What is known of another thread, which stands at a place while the step is taken.
    fn watched_by(&mut self, step: usize, at: At, slot: u32, premises: &mut Vec<ExprId>) {
        let source = self.system.steps[step].source;
        premises.extend(self.invariant.of_one(self.system, at, slot));
        premises.extend(self.invariant.of_two(self.system, (source, MOVER), (at, slot)));
        if !self.system.is_end(at) {
            for handle in self.system.steps[step].joins.clone() {
                let other = self.system.handle(slot);
                premises.push(self.system.pool.ne(handle, other));
            }
        }
    }

    /// Do the goals hold after the step?
    fn keeps(&mut self, step: usize, premises: Vec<ExprId>, goals: Vec<ExprId>, words: &str) -> Result<(), String> {
        let goals = goals.into_iter().map(|goal| self.system.after(step, goal)).collect();
        self.implies(premises, goals, words)
    }

    fn implies(&mut self, premises: Vec<ExprId>, goals: Vec<ExprId>, words: &str) -> Result<(), String> {
        let pool = &mut self.system.pool;
        let yes = pool.bool(true);
        // What is a premise needs no question.
        let known: FxHashSet<ExprId> = premises.iter().copied().collect();
        let goals: Vec<ExprId> = goals.into_iter().filter(|goal| !known.contains(goal)).collect();
        let all = goals.iter().fold(yes, |all, goal| pool.and(all, *goal));
        if all == yes {
            return Ok(());
        }
        self.questions += 1;
        let mut assumptions = premises;
        assumptions.push(pool.not(all));
        match self.solver.check(pool, &assumptions).map_err(|error| error.to_string())? {
            Answer::Unsat => Ok(()),
            Answer::Sat => {
                let wrong = |goal: &&ExprId| self.solver.value(pool, **goal).is_ok_and(|value| value.bits() == 0);
                let goal = goals.iter().find(wrong).map(|goal| self.system.words(*goal)).unwrap_or_default();
                Err(format!("{words}: {goal}"))
            }
            Answer::Unknown(why) => Err(format!("{words}: no answer ({why:?})")),
        }
    }
}
