//! Proofs, checked once more, with a fresh solver and an encoding of its own: from the steps, not from the summaries that the search was about.
//!
//! A block is encoded as a relation. Each place has a variable for whether control comes there, and names of its own for the values of variables; a step that is taken says what they
//! are at both of its ends. Nothing is merged, so that nothing rests on ways that exclude each other: a model is a way through the steps, backwards from its end. Only
//! that no error is met with other inputs in the frames before the last one of an induction step is said with the summaries.

use crate::facts::AtCuts;
use crate::kind::Induction;
use crate::summaries::{Summaries, Values, choices};
use raddle_invariants::system::{At, System, Target};
use raddle_ir::{ExprId, Sort, Substitution, VarId};
use raddle_model::instances::Origin;
use raddle_smt::{Answer, Interrupt, NativeSolver, Solver};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Names of this encoding are behind those of the search.
const NAMES: u32 = 1 << 28;

/// Is each condition kept by every block from its cut point, and does none of them go wrong? Do they hold one block after the beginning, where nothing goes wrong either?
pub fn invariant(
    system: &mut System,
    of: &Summaries,
    conditions: &AtCuts,
    interrupt: &Interrupt,
) -> Result<u64, String> {
    let mut check = Check::new(system, of, interrupt);
    let block = check.block(0);
    check.assert(block.rule)?;
    let kept = check.kept(conditions, 1);
    let fine = check.not(block.wrong);
    let goal = check.system.pool.and(kept, fine);
    let mut premises = check.initially();
    premises.push(check.at_cut(0, 0));
    check.implies(premises, goal, "after the beginning")?;
    for (cut, conditions) in conditions.iter().enumerate() {
        let mut premises: Vec<ExprId> = check.at_state(conditions, 0);
        premises.push(check.at_cut(0, cut));
        check.implies(premises, goal, &check.words(cut))?;
    }
    Ok(check.questions)
}

/// Are these facts inductive? Do the kept candidates hold of the first k + 1 states, and is there no error within k + 1 blocks from the beginning? After k blocks from any state with the facts, where they held and no
/// error followed, do they hold, and is there none?
pub fn induction(
    system: &mut System,
    of: &Summaries,
    facts: &AtCuts,
    induction: &Induction,
    interrupt: &Interrupt,
) -> Result<u64, String> {
    let k = induction.k as u32;
    let mut check = Check::new(system, of, interrupt);
    let block = check.block(0);
    check.assert(block.rule)?;
    let kept = check.kept(facts, 1);
    let mut goals = check.at_state(&facts[0], 0);
    goals.push(kept);
    let goal = check.all(goals);
    let mut premises = check.initially();
    premises.push(check.at_cut(0, 0));
    check.implies(premises, goal, "a fact at the beginning")?;
    for (cut, here) in facts.iter().enumerate() {
        let mut premises: Vec<ExprId> = check.at_state(here, 0);
        premises.push(check.at_cut(0, cut));
        check.implies(premises, kept, &format!("a fact {}", check.words(cut)))?;
    }
    let blocks: Vec<Block> = std::iter::once(block).chain((1..=k).map(|n| check.block(n))).collect();
    let mut base = check.initially();
    base.push(check.at_cut(0, 0));
    for (n, block) in (0..).zip(&blocks) {
        if n > 0 {
            check.assert(block.rule)?;
        }
        let (fine, kept) = (check.not(block.wrong), check.kept(&induction.kept, n));
        let fine = check.system.pool.and(fine, kept);
        check.implies(base.clone(), fine, "an error near the beginning")?;
    }
    if induction.is_complete {
        let arrived: Vec<ExprId> = (0..of.cuts.len()).map(|cut| check.at_cut(k + 1, cut)).collect();
        let goals = arrived.into_iter().map(|arrived| check.not(arrived)).collect();
        let goal = check.all(goals);
        check.implies(base, goal, "the end of all executions")?;
        return Ok(check.questions);
    }
    let mut premises: Vec<ExprId> = (0..=k).map(|n| check.kept(facts, n)).collect();
    for n in 0..k {
        for cut in 0..of.cuts.len() {
            let wrong = check.wrong_at(cut, n, k);
            premises.push(check.not(wrong));
        }
    }
    for &(i, j, cut) in &induction.distinct {
        premises.push(check.differ(i as u32, j as u32, cut));
    }
    premises.extend((0..k).map(|n| check.kept(&induction.kept, n)));
    let (fine, kept) = (check.not(blocks[k as usize].wrong), check.kept(&induction.kept, k));
    let goal = check.system.pool.and(fine, kept);
    // The first state is no later one. (Nothing here says that a state is at one cut point only, so that this is said of the variable itself.)
    let comes_again = of.cuts.iter().flat_map(|cut| &cut.summaries).any(|summary| summary.target == 0);
    if !comes_again {
        let first = check.is_at(0, 0);
        premises.push(check.not(first));
    }
    check.implies(premises, goal, "the induction step")?;
    Ok(check.questions)
}

/// A block as a relation between two states.
struct Block {
    rule: ExprId,
    /// It ends with an error, or with something of which nobody knows what follows.
    wrong: ExprId,
}

struct Check<'a, 'p> {
    system: &'a mut System<'p>,
    of: &'a Summaries,
    /// All places, the cut points first.
    places: Vec<At>,
    number: FxHashMap<At, usize>,
    solver: NativeSolver,
    questions: u64,
}

impl<'a, 'p> Check<'a, 'p> {
    fn new(system: &'a mut System<'p>, of: &'a Summaries, interrupt: &Interrupt) -> Self {
        let mut places: Vec<At> = of.cuts.iter().map(|cut| cut.at).collect();
        let mut number: FxHashMap<At, usize> = places.iter().enumerate().map(|(i, at)| (*at, i)).collect();
        for step in &of.steps {
            for at in [Some(step.source), target(step.target)].into_iter().flatten() {
                number.entry(at).or_insert_with(|| {
                    places.push(at);
                    places.len() - 1
                });
            }
        }
        let solver = NativeSolver::stopped_by(interrupt.clone());
        Check { system, of, places, number, solver, questions: 0 }
    }

    fn not(&mut self, expr: ExprId) -> ExprId {
        self.system.pool.not(expr)
    }

    fn all(&mut self, conditions: Vec<ExprId>) -> ExprId {
        let yes = self.system.pool.bool(true);
        conditions.into_iter().fold(yes, |all, cond| self.system.pool.and(all, cond))
    }

    fn words(&self, cut: usize) -> String {
        let at = self.of.cuts[cut].at;
        let span = self.system.program.proc(at.proc).locations[at.loc.index()].span;
        format!("at {}", self.system.line(span))
    }

    /// The number of the names at a place: all cut points of a state share theirs.
    fn names(&self, state: u32, place: usize) -> u32 {
        let between = (place + 1).saturating_sub(self.of.cuts.len()) as u32;
        NAMES + state * (self.places.len() as u32 + 1) + between
    }

    fn named(&mut self, var: VarId, names: u32) -> ExprId {
        let version = self.system.vars.version(var, names);
        self.system.pool.var(version, self.system.vars.sort(version))
    }

    fn is_at(&mut self, state: u32, place: usize) -> ExprId {
        let number = NAMES + state * self.places.len() as u32 + place as u32;
        let is_at = self.system.vars.make(Origin::Auxiliary(number), Sort::Bool, None);
        self.system.pool.var(is_at, Sort::Bool)
    }

    /// Control is at a cut point and at no other one.
    fn at_cut(&mut self, state: u32, cut: usize) -> ExprId {
        let mut all = Vec::new();
        for other in 0..self.of.cuts.len() {
            let is_at = self.is_at(state, other);
            all.push(if other == cut { is_at } else { self.not(is_at) });
        }
        self.all(all)
    }

    fn renamed(&mut self, expr: ExprId, names: u32, inputs: &Values) -> ExprId {
        let mut new: Values = inputs.clone();
        for var in self.system.pool.vars(expr) {
            new.entry(var).or_insert_with(|| self.named(var, names));
        }
        Substitution::new().apply(&mut self.system.pool, expr, &mut |var| new.get(&var).copied())
    }

    /// Conditions of a cut point, in a state.
    fn at_state(&mut self, conditions: &[ExprId], state: u32) -> Vec<ExprId> {
        let names = self.names(state, 0);
        conditions.iter().map(|cond| self.renamed(*cond, names, &Values::default())).collect()
    }

    fn initially(&mut self) -> Vec<ExprId> {
        let facts = self.system.initially();
        self.at_state(&facts, 0)
    }

    /// Wherever a state is, the conditions of that cut point hold.
    fn kept(&mut self, conditions: &AtCuts, state: u32) -> ExprId {
        let mut all = Vec::new();
        for (cut, conditions) in conditions.iter().enumerate() {
            let is_at = self.is_at(state, cut);
            let elsewhere = self.not(is_at);
            let conditions = self.at_state(conditions, state);
            let conditions = self.all(conditions);
            all.push(self.system.pool.or(elsewhere, conditions));
        }
        self.all(all)
    }

    /// The block between a state and the next one.
    fn block(&mut self, state: u32) -> Block {
        let cuts = self.of.cuts.len();
        let never = self.system.pool.bool(false);
        let mut rules = Vec::new();
        let mut wrong = never;
        let mut ways: BTreeMap<(u32, usize), ExprId> = BTreeMap::new();
        for (i, step) in self.of.steps.iter().enumerate() {
            let source = self.number[&step.source];
            let exprs = step.after.values().copied().chain([step.cond]).collect::<Vec<_>>();
            let inputs = choices(self.system, exprs.into_iter(), NAMES + state);
            let before = self.names(state, source);
            let mut needs = vec![self.is_at(state, source), self.renamed(step.cond, before, &inputs)];
            if let Some(at) = target(step.target) {
                let place = self.number[&at];
                let end = if place < cuts { (state + 1, place) } else { (state, place) };
                let after = self.names(end.0, place);
                for &var in self.of.live.get(&at).into_iter().flatten() {
                    let here = self.system.vars.sort(var);
                    let value = step.after.get(&var).copied().unwrap_or_else(|| self.system.pool.var(var, here));
                    let (value, then) = (self.renamed(value, before, &inputs), self.named(var, after));
                    needs.push(self.system.pool.eq(then, value));
                }
                let taken = self.taken(state, i);
                let some = ways.entry(end).or_insert(never);
                *some = self.system.pool.or(*some, taken);
            } else {
                let taken = self.taken(state, i);
                wrong = self.system.pool.or(wrong, taken);
            }
            let taken = self.taken(state, i);
            let (needs, not) = (self.all(needs), self.not(taken));
            rules.push(self.system.pool.or(not, needs));
        }
        for place in 0..self.places.len() {
            let end = if place < cuts { (state + 1, place) } else { (state, place) };
            let some = ways.get(&end).copied().unwrap_or(never);
            let is_at = self.is_at(end.0, place);
            let not = self.not(is_at);
            rules.push(self.system.pool.or(not, some));
        }
        Block { rule: self.all(rules), wrong }
    }

    fn taken(&mut self, state: u32, step: usize) -> ExprId {
        // Behind the variables for places.
        let number = 2 * NAMES + state * self.of.steps.len() as u32 + step as u32;
        let taken = self.system.vars.make(Origin::Auxiliary(number), Sort::Bool, None);
        self.system.pool.var(taken, Sort::Bool)
    }

    /// Something goes wrong in the block from a state at a cut point, with the inputs of the last block.
    fn wrong_at(&mut self, cut: usize, state: u32, last: u32) -> ExprId {
        let (error, open) = (self.of.cuts[cut].error, self.of.cuts[cut].open);
        let some = self.system.pool.or(error, open);
        let inputs = choices(self.system, [some].into_iter(), NAMES + last);
        let names = self.names(state, cut);
        let (is_at, some) = (self.is_at(state, cut), self.renamed(some, names, &inputs));
        self.system.pool.and(is_at, some)
    }

    /// Two states at a cut point are not the same.
    fn differ(&mut self, i: u32, j: u32, cut: usize) -> ExprId {
        let mut same = vec![self.is_at(i, cut), self.is_at(j, cut)];
        for var in self.of.cuts[cut].live.clone() {
            let (a, b) = (self.names(i, cut), self.names(j, cut));
            let (a, b) = (self.named(var, a), self.named(var, b));
            same.push(self.system.pool.eq(a, b));
        }
        let same = self.all(same);
        self.not(same)
    }

    fn assert(&mut self, formula: ExprId) -> Result<(), String> {
        self.solver.assert(&self.system.pool, formula).map_err(|error| error.to_string())
    }

    fn implies(&mut self, mut premises: Vec<ExprId>, goal: ExprId, words: &str) -> Result<(), String> {
        self.questions += 1;
        premises.push(self.not(goal));
        match self.solver.check(&self.system.pool, &premises).map_err(|error| error.to_string())? {
            Answer::Unsat => Ok(()),
            Answer::Sat => Err(words.into()),
            Answer::Unknown(why) => Err(format!("{words}: no answer ({why:?})")),
        }
    }
}

fn target(target: Target) -> Option<At> {
    match target {
        Target::At(at) => Some(at),
        Target::Error | Target::CutOff | Target::End => None,
    }
}
