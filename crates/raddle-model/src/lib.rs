//! What a thread's step does to data, as statements over variables: the vocabulary of the engines that reason about edges with formulas.
//!
//! `instances` has the variables (those of the Program, and one instance of a local for each thread), `statements` what is done to them; `locks` and `memory` make
//! statements of lock operations and of accesses at computed addresses. Which threads there are and how they take turns is the engines' own. `lead_back` is the way back: what an engine knows of these
//! variables, in terms of the Program as lowered.

pub mod instances;
pub mod lead_back;
pub mod locks;
pub mod memory;
pub mod statements;

use raddle_ir::{Const, ExprId, ExprPool, Sort, eval};

/// A number of a sort.
pub fn number(pool: &mut ExprPool, sort: Sort, value: u128) -> ExprId {
    pool.constant(Const { sort, bits: value & sort.bits().map_or(0, eval::mask) })
}

/// A bit-vector with another width: cut off, or filled with zeros.
pub fn resized(pool: &mut ExprPool, expr: ExprId, sort: Sort) -> ExprId {
    match (pool.sort(expr), sort) {
        (Sort::Bits(from), Sort::Bits(to)) if from > to => pool.extract(to - 1, 0, expr),
        (Sort::Bits(from), Sort::Bits(to)) if from < to => pool.zero_ext(to, expr),
        _ => expr,
    }
}
