//! Paths that meet: one state for both.

use crate::symbolic::cells::Cell;
use crate::symbolic::guard::{Guard, meet};
use crate::symbolic::regions::merge_writes;
use crate::symbolic::{Entry, Executor, Extent, Kept, Locals, Memory, Open, Run, State};
use fixedbitset::FixedBitSet;
use raddle_ir::ExprId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

impl Executor<'_, '_> {
    /// One state for two paths; locals that are not `live` are forgotten.
    pub(crate) fn merge(
        &mut self,
        thread: u32,
        live: Option<&FixedBitSet>,
        a: (Locals, State),
        b: (Locals, State),
    ) -> Run<(Locals, State)> {
        let ((locals_a, mut a), (locals_b, mut b)) = (a, b);
        if a.multi != b.multi {
            let single = if a.multi { &mut b } else { &mut a };
            let node = self.new_node(thread);
            self.publish(node, single);
        }
        let (guard, first) = meet(self.pool, &a.guard, &b.guard);
        let locals = if Rc::ptr_eq(&locals_a, &locals_b) {
            locals_a
        } else {
            let both = locals_a.iter().zip(locals_b.iter()).enumerate();
            let is_live = |slot| live.is_none_or(|live| live.contains(slot));
            Rc::new(
                both.map(|(slot, (x, y))| match (x, y) {
                    (Some(x), Some(y)) if x == y => Some(*x),
                    (Some(x), Some(y)) if is_live(slot) => Some(self.pool.ite(first, *x, *y)),
                    // Not assigned on one of the paths: any value there.
                    _ => None,
                })
                .collect(),
            )
        };
        let open = match (a.open.take(), b.open.take()) {
            (None, None) => None,
            (Some(x), Some(y)) if x.depth == y.depth && x.node == y.node => {
                Some(self.merge_open(first, (x, &a.guard), (y, &b.guard)))
            }
            _ => return self.unsupported("an atomic block that is left in the middle"),
        };
        let memory = self.merge_memory(first, &a.memory, &b.memory);
        let seen = earlier(&a.seen, &b.seen);
        let effects = if a.effects == b.effects { a.effects } else { self.new_effect() };
        Ok((locals, State { guard, memory, multi: a.multi, seen, open, effects }))
    }

    pub(crate) fn merge_memory(&mut self, first: ExprId, a: &Memory, b: &Memory) -> Memory {
        if Rc::ptr_eq(a, b) {
            return Rc::clone(a);
        }
        let mut result = (**a).clone();
        let only_a = a.keys().filter(|cell| !b.contains_key(cell));
        for cell in b.keys().chain(only_a) {
            let (x, y) = (self.kept(a, *cell), self.kept(b, *cell));
            if x.version != y.version {
                let value = self.pool.ite(first, x.value, y.value);
                result.insert(*cell, Kept { value, version: self.new_effect() });
            }
        }
        Rc::new(result)
    }

    /// What a memory says of a private cell.
    pub(crate) fn kept(&mut self, memory: &Memory, cell: Cell) -> Kept {
        match memory.get(&cell) {
            Some(kept) => *kept,
            None => Kept { value: self.initial_value(cell), version: 0 },
        }
    }

    pub(crate) fn merge_open(&mut self, first: ExprId, a: (Open, &Guard), b: (Open, &Guard)) -> Open {
        let ((a, guard_a), (b, guard_b)) = (a, b);
        let mut entries = FxHashMap::default();
        let mut cells: Vec<Cell> = a.entries.keys().chain(b.entries.keys()).copied().collect();
        cells.sort_unstable();
        cells.dedup();
        for cell in cells {
            let entry = match (a.entries.get(&cell), b.entries.get(&cell)) {
                (Some(x), Some(y)) => Entry {
                    known: self.merge_extent((x.known, guard_a), (y.known, guard_b)),
                    value: self.pool.ite(first, x.value, y.value),
                    written: self.merge_extent((x.written, guard_a), (y.written, guard_b)),
                },
                (Some(x), None) => Entry {
                    known: self.merge_extent((x.known, guard_a), (Extent::Never, guard_b)),
                    value: x.value,
                    written: self.merge_extent((x.written, guard_a), (Extent::Never, guard_b)),
                },
                (None, Some(y)) => Entry {
                    known: self.merge_extent((Extent::Never, guard_a), (y.known, guard_b)),
                    value: y.value,
                    written: self.merge_extent((Extent::Never, guard_a), (y.written, guard_b)),
                },
                (None, None) => continue,
            };
            entries.insert(cell, entry);
        }
        Open {
            node: a.node,
            depth: a.depth,
            entries,
            region_writes: merge_writes(a.region_writes, b.region_writes),
            deferred: a.deferred,
        }
    }

    pub(crate) fn merge_extent(&mut self, a: (Extent, &Guard), b: (Extent, &Guard)) -> Extent {
        match (a.0, b.0) {
            (Extent::Never, Extent::Never) => Extent::Never,
            (Extent::Always, Extent::Always) => Extent::Always,
            _ => {
                let x = self.extent_expr(a.0, a.1);
                let y = self.extent_expr(b.0, b.1);
                Extent::If(self.pool.or(x, y))
            }
        }
    }

    pub(crate) fn extent_expr(&mut self, extent: Extent, guard: &Guard) -> ExprId {
        match extent {
            Extent::Never => self.pool.bool(false),
            Extent::Always => guard.expr,
            Extent::If(cond) => self.pool.and(guard.expr, cond),
        }
    }
}

/// What is seen on both of two paths.
pub(crate) fn earlier(a: &Rc<Vec<u32>>, b: &Rc<Vec<u32>>) -> Rc<Vec<u32>> {
    if Rc::ptr_eq(a, b) {
        return Rc::clone(a);
    }
    Rc::new(a.iter().zip(b.iter()).map(|(x, y)| *x.min(y)).collect())
}
