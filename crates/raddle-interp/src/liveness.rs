//! Which locals are live where, and which may still be undetermined when they are read.
//!
//! Liveness serves twice: states are compared without their dead locals, and an undetermined value that is copied out of a
//! dying variable can move on undetermined. It is computed variable by variable, backwards from the uses, so that
//! the cost is the size of the answer (most locals are temporaries with a short life).

use raddle_ir::{Expr, ExprId, ExprPool, Label, Procedure, Program, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Calls `f` on the variables that an expression mentions, each once.
pub fn for_each_var(pool: &ExprPool, root: ExprId, f: &mut dyn FnMut(VarId)) {
    let mut seen = FxHashSet::default();
    let mut work = vec![root];
    while let Some(id) = work.pop() {
        match pool.get(id) {
            Expr::Const(_) => continue,
            Expr::Var(v) => {
                if seen.insert(id) {
                    f(v);
                }
                continue;
            }
            _ => {}
        }
        if seen.insert(id) {
            pool.get(id).for_each_operand(|c| work.push(c));
        }
    }
}

pub struct Liveness {
    /// For each location the live locals, as positions in `Procedure::locals`, ascending.
    pub at: Vec<Vec<u32>>,
    /// For each local: may a read find it undetermined?
    pub maybe_any: Vec<bool>,
}

/// The locals (by position) that each label of an edge reads.
fn label_reads(program: &Program, position: &FxHashMap<VarId, u32>, label: &Label) -> Vec<u32> {
    let mut reads = Vec::new();
    label.for_each_expr(|e| {
        for_each_var(&program.pool, e, &mut |v| reads.extend(position.get(&v)));
    });
    reads
}

pub fn liveness(program: &Program, proc: &Procedure) -> Liveness {
    let position: FxHashMap<VarId, u32> = proc.locals.iter().enumerate().map(|(i, v)| (*v, i as u32)).collect();
    let locals = proc.locals.len();
    let mut incoming: Vec<Vec<u32>> = vec![Vec::new(); proc.locations.len()];
    // Where each local is read before it is assigned, as source locations of edges; and what each edge assigns.
    let mut exposed: Vec<Vec<u32>> = vec![Vec::new(); locals];
    let mut assigned: Vec<FxHashSet<u32>> = Vec::with_capacity(proc.edges.len());
    for (i, edge) in proc.edges.iter().enumerate() {
        incoming[edge.target.index()].push(i as u32);
        let mut kills: FxHashSet<u32> = FxHashSet::default();
        for label in &edge.labels {
            for read in label_reads(program, &position, label) {
                if !kills.contains(&read) {
                    exposed[read as usize].push(edge.source.0);
                }
            }
            if let Some(at) = label.written_local().and_then(|v| position.get(&v)) {
                kills.insert(*at);
            }
        }
        assigned.push(kills);
    }
    if let Some(at) = proc.result.and_then(|v| position.get(&v)) {
        exposed[*at as usize].push(proc.exit.0);
    }
    let mut at: Vec<Vec<u32>> = vec![Vec::new(); proc.locations.len()];
    for (local, uses) in exposed.iter().enumerate() {
        let local = local as u32;
        let mut work = uses.clone();
        while let Some(loc) = work.pop() {
            let live = &mut at[loc as usize];
            if live.last() == Some(&local) {
                continue;
            }
            live.push(local);
            for edge in &incoming[loc as usize] {
                if !assigned[*edge as usize].contains(&local) {
                    work.push(proc.edges[*edge as usize].source.0);
                }
            }
        }
    }
    let maybe_any = maybe_any(program, proc, &position, &at[proc.entry.index()]);
    Liveness { at, maybe_any }
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
