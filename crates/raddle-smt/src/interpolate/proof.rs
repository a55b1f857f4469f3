//! The SAT solver's proof: recording it, and trimming it to the resolutions that the empty clause needs.
//!
//! CaDiCaL reports each derived clause with its antecedents in the order of unit propagation (LRAT): under the clause's
//! negation each antecedent becomes a unit, and the last one is false. Read backwards that is a chain of resolutions: start with the
//! clause that became false, and resolve with an antecedent on the literal that it made true, if that literal's complement is
//! there at all. What the chains do not use is not needed; so the trimming walks from the empty clause back to the
//! original clauses and replays only what it meets.

use crate::solver::Why;
use cadical_sys::ProofTracer;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// Where a recorded clause comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    /// It was asserted as a clause of this part.
    Part(u32),
    /// It follows from its antecedents by unit propagation.
    Derived,
    /// It does not: the solver only knows that it can be added.
    Unknown,
}

struct Clause {
    origin: Origin,
    /// Where its literals and its antecedents begin; they end where those of the next clause begin.
    lits: usize,
    antecedents: usize,
}

/// All clauses that the solver ever had. Deleted ones stay: the proof may need them.
#[derive(Default)]
pub struct Proof {
    clauses: Vec<Clause>,
    lits: Vec<i32>,
    antecedents: Vec<u32>,
    /// The index of the clause that has an identifier, plus one.
    by_id: Vec<u32>,
    empty: Option<u32>,
    /// The part whose clauses are added now.
    pub part: u32,
}

/// A derivation of the empty clause by resolution, without what is not needed. Nodes refer only to earlier ones; the last
/// is the empty clause.
#[derive(Default)]
pub struct Refutation {
    pub nodes: Vec<Node>,
    pub lits: Vec<i32>,
    pub steps: Vec<Resolve>,
    /// How many clauses the whole proof derived.
    pub recorded: usize,
}

pub enum Node {
    /// A clause of a part, its literals in `lits`.
    Clause { part: u32, lits: Range<usize> },
    /// A chain of resolutions: the first node, resolved with those in `steps` one after the other.
    Chain { first: u32, steps: Range<usize> },
}

/// Resolves what the chain has so far with a node that contains `pivot`, the chain so far containing its complement.
#[derive(Clone, Copy)]
pub struct Resolve {
    pub pivot: i32,
    pub with: u32,
}

/// Why there is no refutation.
#[derive(Debug)]
pub enum NoRefutation {
    Stopped(Why),
    /// A step is more than resolution.
    NotResolution,
}

impl Proof {
    fn clause(&mut self, id: i64, origin: Origin, lits: &[i32], antecedents: &[i64]) {
        let index = self.clauses.len() as u32;
        let mut clause = Clause { origin, lits: self.lits.len(), antecedents: self.antecedents.len() };
        for &antecedent in antecedents {
            match self.find(antecedent) {
                Some(known) => self.antecedents.push(known),
                None => clause.origin = Origin::Unknown,
            }
        }
        self.lits.extend_from_slice(lits);
        self.clauses.push(clause);
        if lits.is_empty() {
            self.empty.get_or_insert(index);
        }
        if let Ok(id) = usize::try_from(id) {
            if self.by_id.len() <= id {
                self.by_id.resize(id + 1, 0);
            }
            self.by_id[id] = index + 1;
        }
    }

    fn find(&self, id: i64) -> Option<u32> {
        self.by_id.get(usize::try_from(id).ok()?)?.checked_sub(1)
    }

    fn lits(&self, clause: u32) -> Range<usize> {
        let clause = clause as usize;
        self.clauses[clause].lits..self.clauses.get(clause + 1).map_or(self.lits.len(), |next| next.lits)
    }

    fn antecedents(&self, clause: u32) -> Range<usize> {
        let clause = clause as usize;
        let end = self.clauses.get(clause + 1).map_or(self.antecedents.len(), |next| next.antecedents);
        self.clauses[clause].antecedents..end
    }

    /// The resolutions that lead to the empty clause. `stop` is asked every now and then.
    pub fn refutation(&self, stop: &dyn Fn() -> Option<Why>) -> Result<Refutation, NoRefutation> {
        let empty = self.empty.ok_or(NoRefutation::NotResolution)?;
        let mut replay = Replay::new(self);
        let mut needed = vec![false; empty as usize + 1];
        needed[empty as usize] = true;
        // Backwards: the chains in the order in which they are met, the last one first.
        let mut chains: Vec<(u32, u32, Range<usize>)> = Vec::new();
        let mut steps: Vec<Resolve> = Vec::new();
        for clause in (0..=empty).rev() {
            if !needed[clause as usize] {
                continue;
            }
            match self.clauses[clause as usize].origin {
                Origin::Part(_) => {}
                Origin::Unknown => return Err(NoRefutation::NotResolution),
                Origin::Derived => {
                    if chains.len().is_multiple_of(1024)
                        && let Some(why) = stop()
                    {
                        return Err(NoRefutation::Stopped(why));
                    }
                    let begin = steps.len();
                    let first = replay.chain(clause, &mut steps).ok_or(NoRefutation::NotResolution)?;
                    needed[first as usize] = true;
                    steps[begin..].iter().for_each(|step| needed[step.with as usize] = true);
                    chains.push((clause, first, begin..steps.len()));
                }
            }
        }
        Ok(self.renumber(&needed, chains, steps))
    }

    fn renumber(
        &self,
        needed: &[bool],
        mut chains: Vec<(u32, u32, Range<usize>)>,
        mut steps: Vec<Resolve>,
    ) -> Refutation {
        let mut numbers = vec![0u32; needed.len()];
        let recorded = self.clauses.iter().filter(|clause| !matches!(clause.origin, Origin::Part(_))).count();
        let mut refutation = Refutation { recorded, ..Refutation::default() };
        for clause in (0..needed.len() as u32).filter(|clause| needed[*clause as usize]) {
            numbers[clause as usize] = refutation.nodes.len() as u32;
            let node = match self.clauses[clause as usize].origin {
                Origin::Part(part) => {
                    let begin = refutation.lits.len();
                    refutation.lits.extend_from_slice(&self.lits[self.lits(clause)]);
                    Node::Clause { part, lits: begin..refutation.lits.len() }
                }
                _ => {
                    // In the order of the clauses there is one for each.
                    let Some((_, first, range)) = chains.pop() else { continue };
                    steps[range.clone()].iter_mut().for_each(|step| step.with = numbers[step.with as usize]);
                    Node::Chain { first: numbers[first as usize], steps: range }
                }
            };
            refutation.nodes.push(node);
        }
        refutation.steps = steps;
        refutation
    }
}

/// Replays unit propagation, one clause at a time.
struct Replay<'a> {
    proof: &'a Proof,
    /// For each literal (`place`): whether it is true now.
    is_true: Vec<bool>,
    /// For each literal: whether the chain's clause has it.
    present: Vec<bool>,
    trail: Vec<i32>,
    touched: Vec<i32>,
    units: Vec<Resolve>,
}

fn place(lit: i32) -> usize {
    2 * lit.unsigned_abs() as usize + usize::from(lit < 0)
}

impl<'a> Replay<'a> {
    fn new(proof: &'a Proof) -> Self {
        let last = proof.lits.iter().map(|lit| lit.unsigned_abs() as usize).max().unwrap_or(0);
        let none = vec![false; 2 * last + 2];
        Replay {
            proof,
            is_true: none.clone(),
            present: none,
            trail: Vec::new(),
            touched: Vec::new(),
            units: Vec::new(),
        }
    }

    /// Finds the chain of a derived clause: returns its first clause and adds its steps. `None` if the antecedents do not do it.
    fn chain(&mut self, clause: u32, steps: &mut Vec<Resolve>) -> Option<u32> {
        let first = self.propagate(clause);
        if let Some(first) = first {
            self.add(first, 0);
            while let Some(step) = self.units.pop() {
                if self.present[place(-step.pivot)] {
                    steps.push(step);
                    self.add(step.with, step.pivot);
                }
            }
        }
        self.trail.drain(..).for_each(|lit| self.is_true[place(lit)] = false);
        self.touched.drain(..).for_each(|lit| self.present[place(lit)] = false);
        self.units.clear();
        first
    }

    /// The literals of a clause but one become present.
    fn add(&mut self, clause: u32, but: i32) {
        for &lit in &self.proof.lits[self.proof.lits(clause)] {
            if lit != but && !self.present[place(lit)] {
                self.present[place(lit)] = true;
                self.touched.push(lit);
            }
        }
    }

    /// Assumes the clause's negation and propagates; returns the antecedent that became false.
    fn propagate(&mut self, clause: u32) -> Option<u32> {
        let proof = self.proof;
        for &lit in &proof.lits[proof.lits(clause)] {
            self.assign(-lit);
        }
        for &antecedent in &proof.antecedents[proof.antecedents(clause)] {
            let mut unit = 0;
            for &lit in &proof.lits[proof.lits(antecedent)] {
                if self.is_true[place(-lit)] || lit == unit {
                    continue;
                }
                if unit != 0 {
                    return None;
                }
                unit = lit;
            }
            if unit == 0 {
                return Some(antecedent);
            }
            if !self.is_true[place(unit)] {
                self.assign(unit);
                self.units.push(Resolve { pivot: unit, with: antecedent });
            }
        }
        None
    }

    fn assign(&mut self, lit: i32) {
        self.is_true[place(lit)] = true;
        self.trail.push(lit);
    }
}

/// What CaDiCaL talks to.
pub struct Recorder(pub Rc<RefCell<Proof>>);

impl ProofTracer for Recorder {
    fn add_original_clause(&mut self, id: i64, _redundant: bool, clause: &[i32], restored: bool) {
        let mut proof = self.0.borrow_mut();
        // A restored clause is one that we know.
        if !restored || proof.find(id).is_none() {
            let origin = if restored { Origin::Unknown } else { Origin::Part(proof.part) };
            proof.clause(id, origin, clause, &[]);
        }
    }

    fn add_derived_clause(&mut self, id: i64, _: bool, witness: i32, clause: &[i32], antecedents: &[i64]) {
        let origin = if witness == 0 && !antecedents.is_empty() { Origin::Derived } else { Origin::Unknown };
        self.0.borrow_mut().clause(id, origin, clause, antecedents);
    }

    fn delete_clause(&mut self, _: i64, _: bool, _: &[i32]) {}
    fn weaken_minus(&mut self, _: i64, _: &[i32]) {}
    fn strengthen(&mut self, _: i64) {}
    fn finalize_clause(&mut self, _: i64, _: &[i32]) {}
    fn add_assumption(&mut self, _: i32) {}
    fn add_constraint(&mut self, _: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn add_assumption_clause(&mut self, _: i64, _: &[i32], _: &[i64]) {}
    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}
    fn conclude_unsat(&mut self, _: i32, _: &[i64]) {}
    fn conclude_unknown(&mut self, _: &[i32]) {}
}
