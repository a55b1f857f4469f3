//! Regions: objects that are accessed at undetermined addresses with many possible targets.
//!
//! A small array is a set of cells, and an access at an undetermined index is a choice among them. For a large one that would cost an event for each
//! element; so the whole object is one cell, and each event has an index (its address). Two events concern the same place if their
//! indices are equal, which becomes part of a write's guard for each read (see encode/mod.rs). Private regions are values of array sort.
//!
//! All accesses to a region have the same width and are aligned to it.

use crate::symbolic::Run;
use crate::symbolic::event_graph::ReadEvent;
use crate::symbolic::guard::Guard;
use crate::symbolic::knowledge::cells::Cell;
use crate::symbolic::knowledge::values::low_bits;
use crate::symbolic::memory::Memory;
use crate::symbolic::memory::addresses::Hit;
use crate::symbolic::state::{Kept, State};
use raddle_ir::{BinOp, Expr, ExprId, Sort};
use std::rc::Rc;

/// Objects with an access that has more possible targets become regions.
pub(crate) const MOST_CELLS: usize = 24;

/// A write of the open node to a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RegionWrite {
    pub start: u64,
    pub index: ExprId,
    pub value: ExprId,
    /// The guard of the path, and that the access hits the region.
    pub when: ExprId,
}

impl Memory<'_, '_> {
    /// An access of `len` bytes at an address in a region. `when` it hits is left out if it certainly does.
    pub(super) fn region_hit(&mut self, start: u64, address: ExprId, len: u64, when: Option<ExprId>) -> Run<Hit> {
        let (_, width) = self.assumptions.region(start);
        let (known, residue) = low_bits(self.pool, address);
        let bits = u64::from(width).trailing_zeros();
        let fits = |address: u64| address.wrapping_sub(start) & (u64::from(width) - 1) == 0;
        let is_aligned = known >= bits && fits(residue)
            || self.assumptions.values_of(self.pool, address).is_some_and(|values| {
                values.into_iter().filter(|at| self.assumptions.region_at(*at) == Some(start)).all(fits)
            });
        if u64::from(width) != len || !width.is_power_of_two() || !is_aligned {
            return self.assumptions.unmake_region(start);
        }
        Ok(Hit { cell: Cell::Region(start), offset: 0, index: Some(address), when })
    }

    /// Does the address lie in the region?
    pub(super) fn in_region(&mut self, start: u64, address: ExprId) -> ExprId {
        let (size, width) = self.assumptions.region(start);
        let bits = self.program.pointer_bits;
        let (low, high) =
            (self.pool.bits(bits, start.into()), self.pool.bits(bits, (start + size - u64::from(width)).into()));
        let above = self.pool.binary(BinOp::ULe, low, address);
        let below = self.pool.binary(BinOp::ULe, address, high);
        self.pool.and(above, below)
    }

    pub(super) fn region_sort(&self, start: u64) -> Sort {
        let (_, width) = self.assumptions.region(start);
        Sort::Array { index: self.program.pointer_bits, element: 8 * width }
    }

    /// The value at an index that the path sees now.
    pub(super) fn read_region(&mut self, start: u64, index: ExprId, when: Option<ExprId>, state: &mut State) -> ExprId {
        let cell = Cell::Region(start);
        self.assumptions.note(cell, false, state);
        if !self.is_event(cell, state) {
            let array = self.kept(&state.private, cell).value;
            return self.element(start, array, index);
        }
        let node = self.open_node(state);
        let guard = state.guard_when(self.pool, when);
        let (_, width) = self.assumptions.region(start);
        let symbol = self.pool.fresh(Sort::Bits(8 * width));
        self.assumptions.note_read(self.pool, symbol, cell);
        self.graph.add_read(ReadEvent { node, cell, index: Some(index), guard, value: symbol });
        // What the node itself wrote comes first.
        let own: Vec<RegionWrite> = match &state.open {
            Some(open) => open.region_writes.iter().copied().filter(|w| w.start == start).collect(),
            None => Vec::new(),
        };
        own.into_iter().fold(symbol, |value, write| {
            let same = self.pool.eq(write.index, index);
            let hits = self.pool.and(write.when, same);
            self.pool.ite(hits, write.value, value)
        })
    }

    /// An element of a private region. Where all is constant it is found here: the pool looks through some stores only, and a table has many.
    fn element(&mut self, start: u64, array: ExprId, index: ExprId) -> ExprId {
        let Some(place) = self.pool.as_const(index) else { return self.pool.select(array, index) };
        let at_first = self.initial_value(Cell::Region(start));
        let mut at = array;
        while at != at_first {
            match self.pool.get(at) {
                Expr::Store(_, other, value) if other == index => return value,
                Expr::Store(below, other, _) if self.pool.as_const(other).is_some() => at = below,
                _ => return self.pool.select(array, index),
            }
        }
        let (_, width) = self.assumptions.region(start);
        let known = u64::try_from(place.bits).ok().and_then(|address| self.initial_bytes(address, width));
        match known {
            Some(bytes) => self.pool.bits(8 * width, bytes),
            None => self.pool.select(at, index),
        }
    }

    pub(super) fn write_region(
        &mut self,
        start: u64,
        index: ExprId,
        value: ExprId,
        when: Option<ExprId>,
        state: &mut State,
    ) {
        let cell = Cell::Region(start);
        self.assumptions.note(cell, true, state);
        state.effects = self.new_effect();
        if !self.is_event(cell, state) {
            let array = self.kept(&state.private, cell).value;
            let value = match when {
                None => value,
                Some(when) => {
                    let old = self.pool.select(array, index);
                    self.pool.ite(when, value, old)
                }
            };
            let array = self.pool.store(array, index, value);
            Rc::make_mut(&mut state.private).insert(cell, Kept { value: array, version: state.effects });
            return;
        }
        self.open_node(state);
        let guard = state.guard.expr;
        let when = when.map_or(guard, |when| self.pool.and(guard, when));
        if let Some(open) = &mut state.open {
            open.region_writes.push(RegionWrite { start, index, value, when });
        }
    }

    /// The writes of a node to regions become visible; of two to the same place, the later one.
    pub(super) fn close_regions(&mut self, node: u32, guard: &Guard, writes: &[RegionWrite]) {
        for (i, write) in writes.iter().enumerate() {
            let mut there = guard.and(self.pool, write.when);
            for later in writes[i + 1..].iter().filter(|later| later.start == write.start) {
                let same = self.pool.eq(write.index, later.index);
                let over = self.pool.and(later.when, same);
                let not_over = self.pool.not(over);
                there = there.and(self.pool, not_over);
            }
            if !there.is_false(self.pool) {
                self.graph.write_element(node, Cell::Region(write.start), write.index, there, write.value);
            }
        }
    }
}

/// The writes of two paths through a node, one after the other: they exclude each other.
pub(super) fn merge_writes(a: Vec<RegionWrite>, b: Vec<RegionWrite>) -> Vec<RegionWrite> {
    let common = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let mut all = a;
    all.extend_from_slice(&b[common..]);
    all
}
