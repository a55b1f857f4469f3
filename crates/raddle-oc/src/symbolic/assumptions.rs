//! What a run found out, compared with what it assumed (see cells.rs).

use crate::symbolic::cells::Cell;
use crate::symbolic::values::ValueSets;
use crate::symbolic::{Access, Ended, Executor, Run};
use std::collections::BTreeSet;

impl Executor<'_, '_> {
    /// Compares what the run found with what it assumed.
    pub(crate) fn learn(&mut self) -> Run<()> {
        let mut again = false;
        for (cell, accesses) in &self.accesses {
            if !self.knowledge.shared.contains(cell) && is_concurrent(accesses) {
                self.knowledge.shared.insert(*cell);
                again = true;
            }
        }
        again |= self.learn_values();
        let new_objects = self.knowledge.dynamics.len() > self.objects;
        again |= new_objects && self.asked_for_objects;
        again |= self.was_wrong;
        again |= self.forget_old_objects();
        if !again && self.cut_static && self.knowledge.static_iterations < 1 << 16 {
            self.knowledge.static_iterations *= 16;
            again = true;
        }
        if again {
            return Err(Ended::Again);
        }
        let of_any = self
            .joins_of_any
            .iter()
            .any(|(thread, known)| self.threads.iter().skip(*known as usize).any(|t| t.parent != Some(*thread)));
        let ends = |t: &u32| (*t as usize) < self.threads.len() && (*t != 0 || self.main_exits);
        let of_main = self.main_exits && self.joins_of_any.iter().any(|(thread, _)| *thread != 0);
        match of_any || of_main || self.missed_joins.iter().any(ends) {
            true => self.unsupported("a join of a thread that another thread started"),
            false => Ok(()),
        }
    }

    /// Addresses of dynamic objects depend on what was allocated before them, so that with other bounds there are other objects. Those that
    /// this run did not allocate must not lie in the way of those that it did.
    pub(crate) fn forget_old_objects(&mut self) -> bool {
        let knowledge = &mut *self.knowledge;
        if knowledge.dynamics.len() == self.allocated.len() {
            return false;
        }
        knowledge.dynamics.retain(|address, _| self.allocated.contains_key(address));
        let base = self.fixed.program.dynamic_base;
        knowledge.pieces.retain(|address, _| *address < base);
        knowledge.regions.retain(|address, _| *address < base);
        true
    }

    /// Joins the values that are written to the cells that were asked for.
    pub(crate) fn learn_values(&mut self) -> bool {
        let mut asked: BTreeSet<Cell> = self.values.asked.iter().copied().collect();
        let mut changed = false;
        let read_from = std::mem::take(&mut self.values.read_from);
        loop {
            let mut sets = ValueSets::reading(read_from.clone());
            let mut grew = false;
            for write in &self.graph.writes {
                if !asked.contains(&write.cell) {
                    continue;
                }
                let values = sets.of(self.pool, write.value, &self.knowledge.values);
                let known = self.knowledge.values.entry(write.cell).or_insert_with(|| Some(BTreeSet::new()));
                let more = match (known.as_ref(), values) {
                    (None, _) => continue,
                    (Some(_), None) => None,
                    (Some(known), Some(values)) => {
                        if values.is_subset(known) {
                            continue;
                        }
                        let all: BTreeSet<u64> = known.union(&values).copied().collect();
                        (all.len() <= crate::symbolic::cells::MOST_VALUES).then_some(all)
                    }
                };
                *known = more;
                grew = true;
            }
            let before = asked.len();
            asked.extend(sets.asked);
            if !grew && asked.len() == before {
                return changed;
            }
            changed |= grew;
        }
    }
}

/// Does each pair of accesses of different threads, one of them a write, happen in a known order?
fn is_concurrent(accesses: &[Access]) -> bool {
    let precedes = |a: &Access, b: &Access| b.seen.get(a.thread as usize).is_some_and(|seen| *seen >= a.last);
    accesses.iter().enumerate().any(|(i, a)| {
        accesses[..i]
            .iter()
            .any(|b| a.thread != b.thread && (a.writes || b.writes) && !precedes(a, b) && !precedes(b, a))
    })
}
