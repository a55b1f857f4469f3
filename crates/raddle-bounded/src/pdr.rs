//! Property-directed reachability on large blocks: what leads to an error is excluded state by state, and each exclusion is made as general as it can be while it is inductive relative to the
//! frame before.
//!
//! A frame holds what is true of all states that are reached after at most so many blocks (beyond the first one), as clauses at cut points, each the negation of a *cube* of literals
//! (`literals.rs`). An *obligation* is a cube from which an error is met. Where a predecessor in the frame before meets it, the predecessor becomes an obligation; where none does, the cube is excluded,
//! after `generalize.rs` dropped and weakened its literals. Then clauses are pushed forward one by one; where all of a frame go on, they are an invariant. That fixpoint is by clauses: whole
//! interpolants only ever grow or stay.
//!
//! Bradley, *SAT-Based Model Checking without Unrolling* (VMCAI 2011); Eén, Mishchenko and Brayton, *Efficient Implementation of Property Directed Reachability* (FMCAD 2011); Welp and Kuehlmann,
//! *QF_BV Model Checking with Property Directed Reachability* (DATE 2013).

mod blocks;
mod generalize;
mod literals;
mod preconditions;

use crate::Missing;
use crate::facts::AtCuts;
use crate::summaries::Summaries;
use blocks::{Blocks, Met};
use literals::Literals;
use raddle_invariants::system::System;
use raddle_ir::{ExprId, Sort};
use raddle_smt::Interrupt;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Literals over the variables of a cut point.
pub type Cube = Vec<ExprId>;

/// States from which an error is met.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Obligation {
    level: usize,
    /// So many blocks before the error.
    ahead: Reverse<usize>,
    cut: usize,
    cube: Cube,
}

/// No state of the cube at this cut point is in the frames up to this level.
#[derive(Clone)]
struct Lemma {
    cut: usize,
    cube: Cube,
    level: usize,
}

pub struct Pdr<'a> {
    blocks: Blocks<'a>,
    literals: Literals,
    lemmas: Vec<Lemma>,
    frontier: usize,
    obligations: BinaryHeap<Reverse<Obligation>>,
}

/// What came of some work.
pub enum Progress {
    /// There is more to do.
    More,
    /// The invariant of the cut points, after at least one block.
    Proved(AtCuts),
}

impl<'a> Pdr<'a> {
    pub fn new(system: &mut System, of: &'a Summaries, facts: &AtCuts, interrupt: &Interrupt) -> Result<Self, Missing> {
        let literals = Literals::new(system, of);
        let blocks = Blocks::new(system, of, facts, interrupt)?;
        Ok(Pdr { blocks, literals, lemmas: Vec::new(), frontier: 0, obligations: BinaryHeap::new() })
    }

    pub fn frontier(&self) -> usize {
        self.frontier
    }

    pub fn questions(&self) -> u64 {
        self.blocks.questions
    }

    /// Cubes speak of these conditions as well from now on.
    pub fn suggest(&mut self, system: &System, suggested: &AtCuts) {
        self.literals.suggest(system, suggested);
    }

    /// One obligation, or one push of all clauses.
    pub fn work(&mut self, system: &mut System) -> Result<Progress, Missing> {
        if let Some(Reverse(next)) = self.obligations.pop() {
            self.block(system, next)?;
            return Ok(Progress::More);
        }
        match self.blocks.error(system, self.frontier)? {
            Some(met) => {
                let (cut, cube) = self.lifted(system, met, None)?;
                self.obligations.push(Reverse(Obligation { level: self.frontier, ahead: Reverse(0), cut, cube }));
                Ok(Progress::More)
            }
            None => {
                self.frontier += 1;
                self.blocks.open_level(system, self.frontier)?;
                match self.push(system)? {
                    Some(level) => Ok(Progress::Proved(self.invariant(system, level))),
                    None => Ok(Progress::More),
                }
            }
        }
    }

    fn block(&mut self, system: &mut System, obligation: Obligation) -> Result<(), Missing> {
        let Obligation { level, ahead, cut, ref cube } = obligation;
        if self.blocks.begins_in(system, cut, cube)?.is_none() {
            return Err(self.error(system, ahead.0));
        }
        if level == 0 {
            // It is in the first frame as far as variables tell that cubes speak of, but not in itself.
            return Err(Missing::Arrays);
        }
        if self.lemmas.iter().any(|lemma| {
            lemma.cut == cut && lemma.level >= level && lemma.cube.iter().all(|literal| cube.contains(literal))
        }) {
            self.again(obligation);
            return Ok(());
        }
        match self.blocks.before(system, level - 1, cut, cube, true)? {
            Met::No(core) => {
                let cube = self.generalize(system, level, cut, cube, core)?;
                let mut level = level;
                while level < self.frontier
                    && matches!(self.blocks.before(system, level, cut, &cube, true)?, Met::No(_))
                {
                    level += 1;
                }
                self.learn(system, Lemma { cut, cube, level })?;
                self.again(Obligation { level, ..obligation });
            }
            Met::At(met) => {
                let (before, more) = self.lifted(system, met, Some((cut, &cube[..])))?;
                let more = Obligation { level: level - 1, ahead: Reverse(ahead.0 + 1), cut: before, cube: more };
                self.obligations.push(Reverse(more));
                self.obligations.push(Reverse(obligation));
            }
        }
        Ok(())
    }

    /// What leads to an error must be excluded from later frames as well.
    fn again(&mut self, obligation: Obligation) {
        if obligation.level < self.frontier {
            self.obligations.push(Reverse(Obligation { level: obligation.level + 1, ..obligation }));
        }
    }

    fn learn(&mut self, system: &mut System, lemma: Lemma) -> Result<(), Missing> {
        self.blocks.exclude(system, lemma.level, lemma.cut, &lemma.cube)?;
        self.lemmas.retain(|old| {
            let is_weaker = old.cut == lemma.cut
                && old.level <= lemma.level
                && lemma.cube.iter().all(|literal| old.cube.contains(literal));
            !is_weaker
        });
        self.lemmas.push(lemma);
        Ok(())
    }

    /// Takes each clause as far as it holds. A level all of whose clauses go on is the same as the next one.
    fn push(&mut self, system: &mut System) -> Result<Option<usize>, Missing> {
        for level in 1..self.frontier {
            let here: Vec<usize> = (0..self.lemmas.len()).filter(|i| self.lemmas[*i].level == level).collect();
            for i in here {
                let Lemma { cut, cube, .. } = self.lemmas[i].clone();
                if matches!(self.blocks.before(system, level, cut, &cube, false)?, Met::No(_)) {
                    self.blocks.exclude(system, level + 1, cut, &cube)?;
                    self.lemmas[i].level = level + 1;
                }
            }
            if self.lemmas.iter().all(|lemma| lemma.level != level) {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    fn invariant(&mut self, system: &mut System, level: usize) -> AtCuts {
        let lemmas: Vec<Lemma> = self.lemmas.iter().filter(|lemma| lemma.level > level).cloned().collect();
        self.blocks.invariant(system, lemmas.iter().map(|lemma| (lemma.cut, &lemma.cube[..])))
    }

    fn error(&self, system: &System, ahead: usize) -> Missing {
        let of = self.blocks.of;
        let is_array = |var: &raddle_ir::VarId| matches!(system.vars.sort(*var), Sort::Array { .. });
        if of.cuts.iter().flat_map(|cut| &cut.live).any(is_array) {
            Missing::Arrays
        } else if of.cuts.iter().any(|cut| !system.pool.is_bool(cut.open, false)) {
            Missing::Open
        } else {
            Missing::Error(ahead + 1)
        }
    }
}
