//! Threads that run the same procedure need the same facts: copies of a predicate for the other threads.

use crate::model::Model;
use crate::model::instances::Origin;
use crate::model::threads::Threads;
use raddle_ir::{ExprId, VarId};
use rustc_hash::FxHashMap;

/// A predicate over the locals of one thread, for each other thread that runs the same procedure. One that mentions no thread or several
/// has no copies.
pub fn copies(model: &mut Model, predicate: ExprId, threads: &Threads) -> Vec<ExprId> {
    let vars = model.pool.vars(predicate);
    let mut slot = None;
    for var in &vars {
        match model.vars.origin(*var) {
            Origin::Instance { slot: of, .. } if slot.is_none_or(|slot| slot == of) => slot = Some(of),
            Origin::Global(_) | Origin::Memory(_) => {}
            _ => return Vec::new(),
        }
    }
    let Some(slot) = slot else { return Vec::new() };
    let Some(proc) = threads.threads.get(slot as usize).map(|thread| thread.proc) else { return Vec::new() };
    let mut result = Vec::new();
    for (other, thread) in threads.threads.iter().enumerate() {
        let other = other as u32;
        if other == slot || thread.proc != proc {
            continue;
        }
        let mut replace: FxHashMap<VarId, ExprId> = FxHashMap::default();
        for var in &vars {
            if let Origin::Instance { var: name, .. } = model.vars.origin(*var) {
                let copy = model.vars.instance(model.program, other, name);
                let copy = model.pool.var(copy, model.vars.sort(copy));
                replace.insert(*var, copy);
            }
        }
        result.push(model.pool.substitute(predicate, &mut |var| replace.get(&var).copied()));
    }
    result
}
