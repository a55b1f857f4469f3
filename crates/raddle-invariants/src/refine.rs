//! Counterexample-guided refinement over one and two threads: conjuncts for a violation that Houdini could not exclude.
//!
//! What is wanted is that no error step can be taken. An obligation of the rule (`invariant.rs`) that does not follow from what is known and wanted has a model: a counterexample to induction, of the
//! thread that steps and up to two others. Its weakest precondition speaks of these threads; some of its parts, about one of them where that suffices, about two where not, become a conjunct that is wanted as
//! well (`predicates.rs`). This goes on until everything wanted follows: then all of it is inductive together (the guarantees of thread-modular proofs; Gupta, Popeea and Rybalchenko, POPL 2011; with predicates over
//! shared, own and other threads' variables as in Donaldson, Kaiser, Kroening and Wahl, CAV 2011, and Heizmann et al., VMCAI 2023).
//!
//! A chain of obligations from an error is a counterexample over instances of threads, one or two more with each step. It is spurious where a state that was never seen is needed: the conjunct that cuts it there is
//! as strong as what was seen allows. What turns out not to hold (no strengthening is left that holds at first and was not seen to fail) is dead, and whoever wanted it wants something weaker. When the
//! error itself is dead, states that were seen lead to it, or the wanted conjuncts would have to speak of three threads: no proof is found here.
//!
//! Nothing sound rests on this: what is wanted is a guess for Houdini as others.

mod obligations;
mod predicates;
mod seen;

use crate::invariant::{Invariant, Scope};
use crate::sample::Samples;
use crate::system::System;
use crate::terms::Terms;
use obligations::{Obligation, obligations, violates};
use raddle_budget::Budget;
use raddle_ir::ExprId;
use raddle_smt::{Answer, Effort, Interrupt, NativeSolver, Solver};
use rustc_hash::{FxHashMap, FxHashSet};
use seen::Seen;
use std::collections::VecDeque;
use std::time::Duration;

/// What one question may cost.
const EFFORT: Effort = Effort { conflicts: Some(20_000), time: Some(Duration::from_millis(500)) };
/// So many conjuncts may be wanted, and so many turn out not to hold: where there is a proof, it has tens of them.
const MOST_WANTED: usize = 400;
const MOST_DEAD: usize = 150;

/// What came of a refinement.
pub struct Refined {
    pub conds: Vec<(Scope, ExprId)>,
    pub questions: u64,
}

/// Something that is wanted: that the errors are excluded, or a conjunct.
struct Wanted {
    conjunct: Option<(Scope, ExprId)>,
    obligations: Vec<Obligation>,
    is_open: bool,
    is_dead: bool,
}

struct Refine<'a, 'p> {
    system: &'a mut System<'p>,
    seen: Seen<'a>,
    /// What Houdini began with.
    guesses: &'a Invariant,
    /// What is known, and what is wanted.
    invariant: Invariant,
    wanted: Vec<Wanted>,
    open: VecDeque<usize>,
    dead: FxHashSet<(Scope, ExprId)>,
    /// The premises that were enough for an obligation.
    cores: FxHashMap<(usize, usize), Vec<ExprId>>,
    solver: NativeSolver,
    budget: &'a Budget,
    questions: u64,
}

/// Conjuncts that exclude the error steps that are left, if all goes well, by what is known to be inductive.
pub fn refine(
    system: &mut System,
    terms: &Terms,
    samples: &Samples,
    guesses: &Invariant,
    known: &Invariant,
    left: &[usize],
    budget: &Budget,
) -> Refined {
    let mut solver = NativeSolver::stopped_by(Interrupt::of(budget));
    solver.set_effort(EFFORT);
    let seen = Seen::new(system, terms, samples);
    let mut refine = Refine {
        seen,
        system,
        guesses,
        invariant: known.clone(),
        wanted: Vec::new(),
        open: VecDeque::new(),
        dead: FxHashSet::default(),
        cores: FxHashMap::default(),
        solver,
        budget,
        questions: 0,
    };
    let errors = left.iter().map(|step| violates(refine.system, *step)).collect();
    refine.want(None, errors);
    while let Some(next) = refine.open.pop_front() {
        if refine.budget.stop().is_some() || refine.wanted.len() > MOST_WANTED || refine.dead.len() > MOST_DEAD {
            break;
        }
        if !std::mem::take(&mut refine.wanted[next].is_open) || refine.wanted[next].is_dead {
            continue;
        }
        if !refine.support(next) {
            refine.kill(next);
        }
    }
    let conds = refine.wanted.iter().filter(|wanted| !wanted.is_dead).filter_map(|wanted| wanted.conjunct).collect();
    Refined { conds, questions: refine.questions }
}

impl Refine<'_, '_> {
    fn want(&mut self, conjunct: Option<(Scope, ExprId)>, obligations: Vec<Obligation>) {
        self.open.push_back(self.wanted.len());
        self.wanted.push(Wanted { conjunct, obligations, is_open: true, is_dead: false });
    }

    /// Wants whatever something wanted needs to follow. False if there is nothing left to want.
    fn support(&mut self, wanted: usize) -> bool {
        for at in 0..self.wanted[wanted].obligations.len() {
            let obligation = self.wanted[wanted].obligations[at].clone();
            let premises = obligation.premises(self.system, &self.invariant);
            let is_there = |core: &Vec<ExprId>| {
                let premises: FxHashSet<ExprId> = premises.iter().copied().collect();
                core.iter().all(|premise| premises.contains(premise))
            };
            if self.cores.get(&(wanted, at)).is_some_and(is_there) {
                continue;
            }
            let not = self.system.pool.not(obligation.post);
            let mut assumptions = premises;
            assumptions.push(not);
            self.questions += 1;
            match self.solver.check(&self.system.pool, &assumptions) {
                Ok(Answer::Unsat) => {
                    let mut core = self.solver.failed().unwrap_or(assumptions);
                    core.retain(|premise| *premise != not);
                    self.cores.insert((wanted, at), core);
                }
                Ok(Answer::Sat) => {
                    if self.budget.stop().is_some() {
                        return true;
                    }
                    let mut candidates = self.guessed(wanted, &obligation);
                    candidates.extend(predicates::candidates(self.system, &mut self.seen, &obligation));
                    if !candidates.into_iter().any(|(scope, cond)| self.is_wanted(scope, cond)) {
                        return false;
                    }
                }
                // Houdini will not keep it either; what else is wanted may still be of use.
                _ => {}
            }
        }
        true
    }

    /// Guesses that the model refutes, about variables of the weakest precondition: where that says the same as what is wanted with larger numbers, it would go on so without end.
    fn guessed(&mut self, wanted: usize, obligation: &Obligation) -> Vec<(Scope, ExprId)> {
        let mut found = Vec::new();
        let Some((_, cond)) = self.wanted[wanted].conjunct else { return found };
        if size(self.system, obligation.post) <= size(self.system, cond) {
            return found;
        }
        let vars = predicates::vars(self.system, obligation);
        for (scope, slots) in predicates::scopes(self.system, obligation) {
            for cond in self.guesses.at_scope(scope) {
                let meant = self.system.renamed_all(cond, &slots);
                let of = self.system.pool.vars(meant);
                if of.is_empty() || !of.iter().all(|var| vars.contains(var)) {
                    continue;
                }
                let is_refuted = self.solver.value(&self.system.pool, meant).is_ok_and(|value| value.bits() == 0);
                if is_refuted && !self.seen.refutes(self.system, scope, cond) {
                    found.push((scope, cond));
                }
            }
        }
        found
    }

    /// Wants a conjunct, unless it is known not to hold.
    fn is_wanted(&mut self, scope: Scope, cond: ExprId) -> bool {
        if self.dead.contains(&(scope, cond)) || self.invariant.of(scope).contains(&cond) {
            return false;
        }
        if !self.holds_at_first(scope, cond) {
            self.dead.insert((scope, cond));
            return false;
        }
        self.invariant.add(scope, cond);
        let obligations = obligations(self.system, scope, cond);
        self.want(Some((scope, cond)), obligations);
        true
    }

    fn holds_at_first(&mut self, scope: Scope, cond: ExprId) -> bool {
        let entry = self.system.entry(self.system.program.entry);
        if scope != Scope::Shared && scope != Scope::At(entry) {
            return true;
        }
        let mut assumptions = self.system.initially();
        assumptions.push(self.system.pool.not(cond));
        self.questions += 1;
        matches!(self.solver.check(&self.system.pool, &assumptions), Ok(Answer::Unsat))
    }

    /// It does not hold: whatever followed by it is to be looked at again.
    fn kill(&mut self, wanted: usize) {
        self.wanted[wanted].is_dead = true;
        let Some((scope, cond)) = self.wanted[wanted].conjunct else {
            self.open.clear();
            return;
        };
        self.dead.insert((scope, cond));
        self.invariant.of(scope).retain(|known| *known != cond);
        for other in 0..self.wanted.len() {
            if !self.wanted[other].is_dead && !std::mem::replace(&mut self.wanted[other].is_open, true) {
                self.open.push_back(other);
            }
        }
    }
}

fn size(system: &System, cond: ExprId) -> usize {
    let mut nodes = 0;
    system.pool.for_each_node(&[cond], |_, _| nodes += 1);
    nodes
}
