//! Symbols: expressions whose value the solver chooses. Inputs, the values of reads, memory that was never written.
//!
//! A pool that also makes symbols. The variables of the Program come first; no number is used twice, so that formulas of all bounds can share a solver.

use raddle_ir::{ExprId, ExprPool, Program, Sort, VarId};
use std::ops::{Deref, DerefMut};

pub struct Symbols {
    pool: ExprPool,
    next: u32,
}

impl Symbols {
    pub fn new(program: &Program) -> Symbols {
        Symbols { pool: program.pool.clone(), next: program.vars.len() as u32 }
    }

    pub fn fresh(&mut self, sort: Sort) -> ExprId {
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
