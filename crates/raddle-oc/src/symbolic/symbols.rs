//! Symbols: expressions whose value the solver chooses. Inputs, the values of reads, memory that was never written.
//!
//! A pool that also makes symbols. The variables of the Program come first; no number is used twice, so that formulas of all bounds can share a solver.
//!
//! If they are *lasting*, the n-th symbol that a run asks for where a path has some guard is the n-th one that an earlier run asked for under this guard. Runs to growing bounds begin alike, so
//! that they make the same expressions as far as they go together, and a solver that is kept has met them.

use raddle_ir::{ExprId, ExprPool, Program, Sort, VarId};
use rustc_hash::FxHashMap;
use std::ops::{Deref, DerefMut};

pub struct Symbols {
    pool: ExprPool,
    next: u32,
    lasting: bool,
    /// The guard of the path, within a run.
    here: Option<ExprId>,
    known: FxHashMap<(ExprId, Sort), Vec<VarId>>,
    met: FxHashMap<(ExprId, Sort), usize>,
}

impl Symbols {
    pub fn new(program: &Program, lasting: bool) -> Symbols {
        Symbols {
            pool: program.pool.clone(),
            next: program.vars.len() as u32,
            lasting,
            here: None,
            known: FxHashMap::default(),
            met: FxHashMap::default(),
        }
    }

    /// A run begins, or comes to a path with this guard; or it has ended.
    pub fn come_to(&mut self, guard: Option<ExprId>) {
        if self.lasting {
            if self.here.is_none() {
                self.met.clear();
            }
            self.here = guard;
        }
    }

    pub fn fresh(&mut self, sort: Sort) -> ExprId {
        let Some(guard) = self.here else { return self.another(sort) };
        let count = self.met.entry((guard, sort)).or_default();
        *count += 1;
        let nth = *count - 1;
        if let Some(known) = self.known.get(&(guard, sort)).and_then(|known| known.get(nth)) {
            return self.pool.var(*known, sort);
        }
        self.known.entry((guard, sort)).or_default().push(VarId(self.next));
        self.another(sort)
    }

    fn another(&mut self, sort: Sort) -> ExprId {
        let var = VarId(self.next);
        self.next += 1;
        self.pool.var(var, sort)
    }
}

impl Deref for Symbols {
    type Target = ExprPool;

    fn deref(&self) -> &ExprPool {
        &self.pool
    }
}

impl DerefMut for Symbols {
    fn deref_mut(&mut self) -> &mut ExprPool {
        &mut self.pool
    }
}
