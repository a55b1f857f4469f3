//! Contradictions of the past: sets of assumptions that cannot hold together. A check that assumes all of one needs no search.
//!
//! A core stays right while assertions are added; when a level is closed, all are forgotten.

use crate::aig::Lit;
use rustc_hash::{FxHashMap, FxHashSet};

/// So many cores are kept.
const MOST: usize = 4096;

#[derive(Default)]
pub struct Cores {
    /// The cores by their smallest literal.
    by_first: FxHashMap<Lit, Vec<Box<[Lit]>>>,
    count: usize,
}

impl Cores {
    pub fn add(&mut self, core: impl IntoIterator<Item = Lit>) {
        let mut core: Vec<Lit> = core.into_iter().collect();
        core.sort_unstable();
        core.dedup();
        let Some(&first) = core.first() else { return };
        if self.count == MOST {
            self.forget();
        }
        self.count += 1;
        self.by_first.entry(first).or_default().push(core.into());
    }

    /// A core that is among these literals.
    pub fn find(&self, lits: &[Lit]) -> Option<&[Lit]> {
        if self.count == 0 {
            return None;
        }
        let all: FxHashSet<Lit> = lits.iter().copied().collect();
        let cores = lits.iter().filter_map(|lit| self.by_first.get(lit)).flatten();
        cores.map(|core| &**core).find(|core| core.iter().all(|lit| all.contains(lit)))
    }

    pub fn forget(&mut self) {
        *self = Cores::default();
    }
}
