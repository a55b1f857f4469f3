//! An invariant of a program with any number of threads, and the rule by which it is one.
//!
//! After Owicki and Gries (1976) and Ashcroft (1975), with assertions about one and about two threads: for all threads `i` and `j` that are not the same,
//!
//! ```text
//! shared(g) and thread(g, i) and at[place of i](g, i) and pair(g, i, j) and together[place of i, place of j](g, i, j)
//! ```
//!
//! where `g` are the shared variables. It holds in all reachable states if it holds at first and every step keeps it. A conjunct speaks of two threads at most, so that it is
//! enough to look at the thread that steps and at two others: the rest of the premise only gets weaker by leaving threads out. The number of threads does not occur.
//!
//! For a step of thread `m` from `l` to `l'`, where none of the others is inside an atomic block:
//! 1. the conjuncts about `m` alone hold afterwards, by those about `m`; if the step joins a thread, by those about `m` and a thread with that handle that has ended, wherever that is (a
//!    join of anything else ends the path);
//! 2. those about another thread `j`, and about `m` and `j`, by those about `m`, `j` and the two; a step that joins `j` is possible only if `j` has ended;
//! 3. those about two others `j` and `k`, by those about the three threads;
//! 4. if the step starts a thread, that one stands at the entry of its process with any values in its locals, and 1 to 3 hold for it as well.
//!
//! All of it holds for each value of the address that may be any (`ANY_LOCK`), which never changes: so a state in which a violation is possible may be looked at with any value in mind,
//! that of an expression in this state for instance (after Monniaux and Gonnord, SAS 2016, who do this for cells of arrays).
//!
//! In a sequential program with recursive procedures (`System::calls`), the threads are activations, and only the last one steps: 2 and 3 do not arise. A call is a step that starts an activation (4),
//! and a step of the caller with which one that has ended comes back. For that step,
//! 5. the conjuncts about the caller hold afterwards, by those about it in front of the call, and those about an activation at the exit of the callee that was given these arguments and
//!    found these globals, where the globals it may write have the values that they have when it ends.
//!
//! That is Hoare's rule for recursive procedures (1971), with what holds at the exit as the contract, or a summary (Sharir and Pnueli 1981). The activation that comes back in an execution is one
//! that began with these arguments and globals, by 4 its conjuncts held when it began, and its steps kept them; the caller's locals do not change meanwhile.
//!
//! The property holds if no step that violates it, or leads to where nobody knows what follows, can be taken by 1. Threads of a process that is `unique` do not meet each other.
//! States inside of an atomic block that is one step are no states.

use crate::system::{At, MOVER, OTHER, System};
use raddle_ir::ExprId;
use rustc_hash::FxHashMap;

/// Conjuncts: Bool expressions over the shared variables and, where they speak of threads, the variables of the slots `MOVER` and `OTHER`.
#[derive(Clone, Debug, Default)]
pub struct Invariant {
    pub shared: Vec<ExprId>,
    /// Of every thread, wherever it is.
    pub thread: Vec<ExprId>,
    /// Of every thread at a place.
    pub at: FxHashMap<At, Vec<ExprId>>,
    /// Of every two threads, in both orders.
    pub pair: Vec<ExprId>,
    /// Of every two threads at these places; the first is not greater than the second.
    pub together: FxHashMap<(At, At), Vec<ExprId>>,
    /// For steps that violate the property: with which address in mind they are looked at.
    pub focus: FxHashMap<usize, ExprId>,
}

/// Where a conjunct stands in an invariant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scope {
    Shared,
    Thread,
    At(At),
    Pair,
    Together(At, At),
}

impl Invariant {
    /// The conjuncts that stand somewhere.
    pub fn of(&mut self, scope: Scope) -> &mut Vec<ExprId> {
        match scope {
            Scope::Shared => &mut self.shared,
            Scope::Thread => &mut self.thread,
            Scope::At(at) => self.at.entry(at).or_default(),
            Scope::Pair => &mut self.pair,
            Scope::Together(a, b) => self.together.entry((a, b)).or_default(),
        }
    }

    /// The same, to be read.
    pub fn at_scope(&self, scope: Scope) -> Vec<ExprId> {
        let conds = match scope {
            Scope::Shared => Some(&self.shared),
            Scope::Thread => Some(&self.thread),
            Scope::At(at) => self.at.get(&at),
            Scope::Pair => Some(&self.pair),
            Scope::Together(a, b) => self.together.get(&(a, b)),
        };
        conds.cloned().unwrap_or_default()
    }

    /// Adds a conjunct, if it is not there.
    pub fn add(&mut self, scope: Scope, cond: ExprId) {
        let conds = self.of(scope);
        if !conds.contains(&cond) {
            conds.push(cond);
        }
    }

    pub fn len(&self) -> usize {
        let at: usize = self.at.values().map(Vec::len).sum();
        let together: usize = self.together.values().map(Vec::len).sum();
        self.shared.len() + self.thread.len() + self.pair.len() + at + together
    }

    /// What it says of the thread in a slot, at a place.
    pub fn of_one(&self, system: &mut System, at: At, slot: u32) -> Vec<ExprId> {
        let mut all = self.thread.clone();
        all.extend(self.at.get(&at).into_iter().flatten());
        all.into_iter().map(|cond| system.renamed(cond, MOVER, slot)).collect()
    }

    /// What it says of two threads.
    pub fn of_two(&self, system: &mut System, (a, i): (At, u32), (b, j): (At, u32)) -> Vec<ExprId> {
        let mut all = Vec::new();
        for &cond in &self.pair {
            all.push(system.renamed_all(cond, &[(MOVER, i), (OTHER, j)]));
            all.push(system.renamed_all(cond, &[(MOVER, j), (OTHER, i)]));
        }
        for (first, second) in [((a, i), (b, j)), ((b, j), (a, i))] {
            if first.0 <= second.0
                && let Some(conds) = self.together.get(&(first.0, second.0))
            {
                let slots = [(MOVER, first.1), (OTHER, second.1)];
                all.extend(conds.iter().map(|cond| system.renamed_all(*cond, &slots)));
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }
}
