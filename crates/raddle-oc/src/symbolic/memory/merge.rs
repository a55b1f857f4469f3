//! Paths that meet: one state for both. So do a thread that ends and the one that joins it.

use crate::symbolic::guard::{Guard, meet};
use crate::symbolic::knowledge::cells::Cell;
use crate::symbolic::knowledge::concurrency::{earlier, joined};
use crate::symbolic::memory::Memory;
use crate::symbolic::memory::regions::merge_writes;
use crate::symbolic::state::{Entry, Extent, Kept, Locals, Open, PrivateCells, Seen, State};
use crate::symbolic::{Run, unsupported};
use fixedbitset::FixedBitSet;
use raddle_ir::{ExprId, ExprPool};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What a thread leaves behind when it ends.
#[derive(Clone)]
pub(crate) struct LeftBehind {
    pub(crate) private: PrivateCells,
    pub(crate) seen: Seen,
}

impl Memory<'_, '_> {
    /// One state for two paths; locals that are not `live` are forgotten.
    pub(crate) fn merge(
        &mut self,
        live: Option<&FixedBitSet>,
        a: (Locals, State),
        b: (Locals, State),
    ) -> Run<(Locals, State)> {
        let ((locals_a, mut a), (locals_b, mut b)) = (a, b);
        if a.multi != b.multi {
            self.publish(if a.multi { &mut b } else { &mut a });
        }
        let (guard, first) = meet(self.pool, &a.guard, &b.guard);
        let locals = merge_locals(self.pool, first, live, locals_a, locals_b);
        let open = match (a.open.take(), b.open.take()) {
            (None, None) => None,
            (Some(x), Some(y)) if x.depth == y.depth && x.node == y.node => {
                Some(merge_open(self.pool, first, (x, &a.guard), (y, &b.guard)))
            }
            _ => return unsupported("an atomic block that is left in the middle"),
        };
        let private = self.merge_private(first, &a.private, &b.private);
        let seen = earlier(&a.seen, &b.seen);
        let effects = if a.effects == b.effects { a.effects } else { self.new_effect() };
        Ok((locals, State { thread: a.thread, guard, private, multi: a.multi, seen, open, effects }))
    }

    fn merge_private(&mut self, first: ExprId, a: &PrivateCells, b: &PrivateCells) -> PrivateCells {
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

    /// A thread can end in two ways.
    pub(crate) fn merge_left_behind(&mut self, first: ExprId, a: &LeftBehind, b: &LeftBehind) -> LeftBehind {
        LeftBehind { private: self.merge_private(first, &a.private, &b.private), seen: earlier(&a.seen, &b.seen) }
    }

    /// A thread was joined: what it left behind in private memory is seen from now on, and all that it did precedes.
    ///
    /// All accesses to a private cell are ordered, so one of the two versions that meet here is the later one. It is that of the joined thread if it began
    /// with what this thread still has; it is that of this thread if this one started it and it left the cell alone. Otherwise one of them
    /// has heard of the cell in a roundabout way (by a thread that a third one started); such a cell counts as shared.
    pub(crate) fn take_over(&mut self, other: Joined, left: &LeftBehind, state: &mut State) {
        let version = |private: &PrivateCells, cell: &Cell| private.get(cell).map_or(0, |kept| kept.version);
        let mut private = Rc::clone(&state.private);
        for (cell, theirs) in left.private.iter() {
            let (mine, begin) = (version(&state.private, cell), version(other.started_with, cell));
            if cell.is_of_one_thread() || mine == theirs.version || self.assumptions.is_shared(*cell) {
                continue;
            }
            if mine == begin || mine == 0 {
                Rc::make_mut(&mut private).insert(*cell, *theirs);
            } else if !(other.is_mine && theirs.version == begin) {
                self.assumptions.share(*cell);
            }
        }
        state.private = private;
        state.seen = joined(&state.seen, other.thread, &left.seen);
    }
}

/// The thread that a path joins.
pub(crate) struct Joined<'t> {
    pub(crate) thread: u32,
    /// Did the thread of the path start it?
    pub(crate) is_mine: bool,
    pub(crate) started_with: &'t PrivateCells,
}

fn merge_locals(pool: &mut ExprPool, first: ExprId, live: Option<&FixedBitSet>, a: Locals, b: Locals) -> Locals {
    if Rc::ptr_eq(&a, &b) {
        return a;
    }
    let is_live = |slot| live.is_none_or(|live| live.contains(slot));
    let both = a.iter().zip(b.iter()).enumerate();
    let merged = both.map(|(slot, (x, y))| match (x, y) {
        (Some(x), Some(y)) if x == y => Some(*x),
        (Some(x), Some(y)) if is_live(slot) => Some(pool.ite(first, *x, *y)),
        // Not assigned on one of the paths: any value there.
        _ => None,
    });
    Rc::new(merged.collect())
}

fn merge_open(pool: &mut ExprPool, first: ExprId, a: (Open, &Guard), b: (Open, &Guard)) -> Open {
    let ((a, guard_a), (b, guard_b)) = (a, b);
    let mut entries = FxHashMap::default();
    let mut cells: Vec<Cell> = a.entries.keys().chain(b.entries.keys()).copied().collect();
    cells.sort_unstable();
    cells.dedup();
    for cell in cells {
        let entry = match (a.entries.get(&cell), b.entries.get(&cell)) {
            (Some(x), Some(y)) => Entry {
                known: merge_extent(pool, (x.known, guard_a), (y.known, guard_b)),
                value: pool.ite(first, x.value, y.value),
                written: merge_extent(pool, (x.written, guard_a), (y.written, guard_b)),
            },
            (Some(x), None) => Entry {
                known: merge_extent(pool, (x.known, guard_a), (Extent::Never, guard_b)),
                value: x.value,
                written: merge_extent(pool, (x.written, guard_a), (Extent::Never, guard_b)),
            },
            (None, Some(y)) => Entry {
                known: merge_extent(pool, (Extent::Never, guard_a), (y.known, guard_b)),
                value: y.value,
                written: merge_extent(pool, (Extent::Never, guard_a), (y.written, guard_b)),
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

fn merge_extent(pool: &mut ExprPool, a: (Extent, &Guard), b: (Extent, &Guard)) -> Extent {
    match (a.0, b.0) {
        (Extent::Never, Extent::Never) => Extent::Never,
        (Extent::Always, Extent::Always) => Extent::Always,
        _ => {
            let x = a.0.expr(pool, a.1);
            let y = b.0.expr(pool, b.1);
            Extent::If(pool.or(x, y))
        }
    }
}
