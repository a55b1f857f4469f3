//! What is known at lowered locations, as invariants: at each the disjunction over all prepared locations that stand for it, and over all states there that an engine tells apart.
//!
//! Readers of proofs and witnesses look at few of them, and short ones: where there is more to say, a summary is said, or nothing.

use super::copies;
use super::summary::summary;
use raddle_engine::{Invariant, Invariants};
use raddle_ir::{ExprId, ExprPool, LocId, ProcId};
use std::collections::{BTreeMap, BTreeSet};

/// With more disjuncts, nothing is said.
const MOST_COLLECTED: usize = 2048;
/// With more disjuncts or literals, a summary is said. There may be more literals at heads of loops than elsewhere.
const MOST_COMPARED: usize = 256;
const MOST_LITERALS: usize = 64;
const MOST_ELSEWHERE: usize = 16;

/// A location of the lowered Program.
type Place = (ProcId, LocId);
/// Literals that all hold, sorted.
pub type Conjunction = Vec<ExprId>;

/// What was collected so far.
#[derive(Default)]
pub struct Told {
    /// Its pool has the literals.
    pub invariants: Invariants,
    found: BTreeMap<Place, Found>,
}

/// What is known at a location.
struct Found {
    is_head: bool,
    /// `None`: nothing.
    disjuncts: Option<BTreeSet<Conjunction>>,
}

impl Told {
    /// Is anything to be said of a location that is arrived at?
    pub fn arrive(&mut self, place: Place, is_head: bool) -> bool {
        let new = || Found { is_head, disjuncts: Some(BTreeSet::new()) };
        self.found.entry(place).or_insert_with(new).disjuncts.is_some()
    }

    /// One of these holds at a location, or what was added before.
    pub fn add(&mut self, place: Place, more: impl IntoIterator<Item = Conjunction>) {
        let Some(found) = self.found.get_mut(&place) else { return };
        let Some(disjuncts) = &mut found.disjuncts else { return };
        disjuncts.extend(more);
        if disjuncts.len() > MOST_COLLECTED || disjuncts.contains(&Vec::new()) {
            found.disjuncts = None;
        }
    }

    /// Nothing is known at a location.
    pub fn forget(&mut self, place: Place) {
        if let Some(found) = self.found.get_mut(&place) {
            found.disjuncts = None;
        }
    }

    /// Nothing is said away from heads of loops.
    pub fn keep_heads(&mut self) {
        self.found.retain(|_, found| found.is_head);
    }

    pub fn finish(self) -> Invariants {
        let mut result = self.invariants;
        for ((proc, loc), Found { is_head, disjuncts }) in self.found {
            let Some(disjuncts) = disjuncts.filter(|disjuncts| !disjuncts.is_empty()) else { continue };
            let few = |disjuncts: &Vec<Conjunction>| {
                let most = if is_head { MOST_LITERALS } else { MOST_ELSEWHERE };
                disjuncts.iter().map(Vec::len).sum::<usize>() <= most
            };
            let weakest = (disjuncts.len() <= MOST_COMPARED).then(|| weakest(&disjuncts)).filter(few);
            let cond = match weakest {
                Some(weakest) => disjunction(&mut result.pool, &weakest),
                None => summary(&mut result.pool, &disjuncts),
            };
            if !result.pool.is_bool(cond, true) {
                result.all.push(Invariant { proc, loc, cond, is_loop: is_head });
            }
        }
        without_the_rest(result)
    }
}

/// With a pool that has only what is said: a proof goes from process to process.
fn without_the_rest(mut invariants: Invariants) -> Invariants {
    let roots: Vec<ExprId> = invariants.all.iter().map(|invariant| invariant.cond).collect();
    let mut pool = ExprPool::new();
    let copies = copies(&invariants.pool, &roots, &|_| None, &mut pool);
    invariants.all.iter_mut().for_each(|invariant| invariant.cond = copies[&invariant.cond]);
    invariants.pool = pool;
    invariants
}

/// Without those that imply another one.
fn weakest(disjuncts: &BTreeSet<Conjunction>) -> Vec<Conjunction> {
    let includes =
        |all: &Conjunction, part: &Conjunction| part.iter().all(|literal| all.binary_search(literal).is_ok());
    let is_weakest = |one: &&Conjunction| !disjuncts.iter().any(|other| other != *one && includes(one, other));
    disjuncts.iter().filter(is_weakest).cloned().collect()
}

pub(super) fn disjunction(pool: &mut ExprPool, disjuncts: &[Conjunction]) -> ExprId {
    let mut any = pool.bool(false);
    for conjunction in disjuncts {
        let mut all = pool.bool(true);
        for &literal in conjunction {
            all = pool.and(all, literal);
        }
        any = pool.or(any, all);
    }
    any
}
