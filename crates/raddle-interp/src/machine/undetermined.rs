//! Which locals are live where, and which may still be undetermined when they are read.
//!
//! Liveness serves twice: states are compared without their dead locals, and an undetermined value that is copied out of a
//! dying variable can move on undetermined.

use raddle_analysis::{Output, live_locals};
use raddle_ir::{Expr, ExprId, ExprPool, Label, LocId, Procedure, Program, VarId};
use rustc_hash::FxHashMap;

pub struct Locals {
    /// For each location the live locals, as positions in `Procedure::locals`, ascending.
    pub at: Vec<Vec<u32>>,
    /// For each local: may a read find it undetermined?
    pub maybe_any: Vec<bool>,
}

pub fn locals(program: &Program, proc: &Procedure) -> Locals {
    let position: FxHashMap<VarId, u32> = proc.locals.iter().enumerate().map(|(i, v)| (*v, i as u32)).collect();
    let live = live_locals(proc, &program.pool, Output::Read);
    let positions = |location: u32| {
        let mut positions: Vec<u32> = live.at(LocId(location)).iter().map(|var| position[var]).collect();
        positions.sort_unstable();
        positions
    };
    let at: Vec<Vec<u32>> = (0..proc.locations.len() as u32).map(positions).collect();
    let maybe_any = maybe_any(program, proc, &position, &at[proc.entry.index()]);
    Locals { at, maybe_any }
}

/// A local may be undetermined when read if it is live at the entry, a parameter (a caller may pass an undetermined value or none), havocked, the
/// result of a call, or a copy of such a one.
fn maybe_any(
    program: &Program,
    proc: &Procedure,
    position: &FxHashMap<VarId, u32>,
    live_at_entry: &[u32],
) -> Vec<bool> {
    let mut any = vec![false; proc.locals.len()];
    for local in live_at_entry {
        any[*local as usize] = true;
    }
    let mut copies: Vec<(u32, u32)> = Vec::new();
    let mut mark = |v: Option<VarId>| {
        if let Some(at) = v.and_then(|v| position.get(&v)) {
            any[*at as usize] = true;
        }
    };
    proc.params.iter().for_each(|p| mark(Some(*p)));
    for label in proc.edges.iter().flat_map(|e| &e.labels) {
        match label {
            Label::Havoc { var, .. } => mark(Some(*var)),
            Label::Call { var, .. } | Label::Print { var, .. } | Label::Join { var, .. } => mark(*var),
            Label::Assign { var, value } => {
                if let (Some(to), Some((from, _))) = (position.get(var), copied_var(&program.pool, *value))
                    && let Some(from) = position.get(&from)
                {
                    copies.push((*from, *to));
                }
            }
            _ => {}
        }
    }
    loop {
        let before = any.iter().filter(|a| **a).count();
        for (from, to) in &copies {
            any[*to as usize] |= any[*from as usize];
        }
        if any.iter().filter(|a| **a).count() == before {
            return any;
        }
    }
}

/// How a copy changes the width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Widening {
    Same,
    Zero,
    Sign,
    /// The low bits.
    Cut,
}

/// Is an expression just a variable, perhaps widened or cut to its low bits?
pub fn copied_var(pool: &ExprPool, expr: ExprId) -> Option<(VarId, Widening)> {
    let var = |e: ExprId| match pool.get(e) {
        Expr::Var(v) => Some(v),
        _ => None,
    };
    match pool.get(expr) {
        Expr::Var(v) => Some((v, Widening::Same)),
        Expr::ZeroExt { arg, .. } => Some((var(arg)?, Widening::Zero)),
        Expr::SignExt { arg, .. } => Some((var(arg)?, Widening::Sign)),
        Expr::Extract { low: 0, arg, .. } => Some((var(arg)?, Widening::Cut)),
        _ => None,
    }
}
