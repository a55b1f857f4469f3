//! Which locals are live where: may be read, from a location on, before they are written.
//!
//! Computed variable by variable, backwards from the uses, so that the cost is the size of the answer (most locals are temporaries
//! with a short life).

use raddle_ir::{ExprPool, LocId, Procedure, VarId, VarsOf};
use rustc_hash::{FxHashMap, FxHashSet};

/// For each location the live locals, sorted.
#[derive(Clone, Debug, Default)]
pub struct Live {
    at: Vec<Vec<VarId>>,
}

impl Live {
    pub fn at(&self, location: LocId) -> &[VarId] {
        &self.at[location.index()]
    }

    pub fn contains(&self, location: LocId, var: VarId) -> bool {
        self.at(location).binary_search(&var).is_ok()
    }
}

/// The result of a procedure is read where it ends.
pub fn live_locals(proc: &Procedure, pool: &ExprPool) -> Live {
    let mut locals = proc.locals.clone();
    locals.sort_unstable();
    let position: FxHashMap<VarId, usize> = locals.iter().enumerate().map(|(i, var)| (*var, i)).collect();
    let incoming = proc.in_edges();
    // Where each local is read before it is written, as sources of edges; and what each edge writes.
    let mut exposed: Vec<Vec<LocId>> = vec![Vec::new(); locals.len()];
    let mut written: Vec<FxHashSet<usize>> = Vec::with_capacity(proc.edges.len());
    let mut vars_of = VarsOf::new();
    for edge in &proc.edges {
        let mut writes: FxHashSet<usize> = FxHashSet::default();
        for label in &edge.labels {
            label.for_each_expr(|expr| {
                for local in vars_of.get(pool, expr).iter().filter_map(|var| position.get(var)) {
                    if !writes.contains(local) {
                        exposed[*local].push(edge.source);
                    }
                }
            });
            writes.extend(label.written_local().and_then(|var| position.get(&var)));
        }
        written.push(writes);
    }
    if let Some(local) = proc.result.and_then(|result| position.get(&result)) {
        exposed[*local].push(proc.exit);
    }
    let mut at: Vec<Vec<VarId>> = vec![Vec::new(); proc.locations.len()];
    for (local, mut open) in exposed.into_iter().enumerate() {
        while let Some(location) = open.pop() {
            let live = &mut at[location.index()];
            if live.last() == Some(&locals[local]) {
                continue;
            }
            live.push(locals[local]);
            for edge in incoming.of(location) {
                if !written[edge.index()].contains(&local) {
                    open.push(proc.edges[edge.index()].source);
                }
            }
        }
    }
    Live { at }
}
