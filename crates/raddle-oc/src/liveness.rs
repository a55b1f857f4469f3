//! Which locals are still read after a location. What is dead need not be merged, and does not make two states different.

use fixedbitset::FixedBitSet;
use raddle_ir::{ExprPool, Label, LocId, Procedure, VarsOf};

/// For each location, the slots of the locals whose value may be read from there on.
pub fn live_locals(proc: &Procedure, pool: &ExprPool, vars: &mut VarsOf, slots: &[u32]) -> Vec<FixedBitSet> {
    let mut live = vec![FixedBitSet::with_capacity(proc.locals.len()); proc.locations.len()];
    if let Some(result) = proc.result {
        live[proc.exit.index()].insert(slots[result.index()] as usize);
    }
    let into = proc.in_edges();
    let mut open: Vec<usize> = (0..proc.locations.len()).collect();
    let mut waiting = vec![true; proc.locations.len()];
    while let Some(loc) = open.pop() {
        waiting[loc] = false;
        for id in into.of(LocId(loc as u32)) {
            let edge = &proc.edges[id.index()];
            let mut before = live[loc].clone();
            for label in edge.labels.iter().rev() {
                before_label(label, pool, vars, slots, &mut before);
            }
            let source = edge.source.index();
            if !before.is_subset(&live[source]) {
                live[source].union_with(&before);
                if !std::mem::replace(&mut waiting[source], true) {
                    open.push(source);
                }
            }
        }
    }
    live
}

fn before_label(label: &Label, pool: &ExprPool, vars: &mut VarsOf, slots: &[u32], live: &mut FixedBitSet) {
    if let Some(var) = label.written_local() {
        live.set(slots[var.index()] as usize, false);
    }
    if let Label::Halt { .. } | Label::Error = label {
        live.clear();
        return;
    }
    // Nothing is printed here.
    if let Label::Print { .. } = label {
        return;
    }
    for expr in label.exprs() {
        for var in vars.get(pool, expr) {
            live.insert(slots[var.index()] as usize);
        }
    }
}
