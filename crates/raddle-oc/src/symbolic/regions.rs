//! Regions: objects that are accessed at undetermined addresses with many possible targets.
//!
//! A small array is a set of cells, and an access at an undetermined index is a choice among them. For a large one that would cost an event for each
//! element; so the whole object is one cell, and each event has an index (its address). Two events concern the same place if their
//! indices are equal, which becomes part of a write's guard for each read (see encode.rs). Private regions are values of array sort.
//!
//! All accesses to a region have the same width and are aligned to it.

use crate::symbolic::accesses::Hit;
use crate::symbolic::cells::{Cell, Dynamic, Holder};
use crate::symbolic::event_graph::{ReadEvent, WriteEvent};
use crate::symbolic::guard::Guard;
use crate::symbolic::values::low_bits;
use crate::symbolic::{Ended, Executor, Kept, Run, State};
use raddle_ir::{BinOp, ExprId, ObjectInit, ObjectKind, Sort};
use std::rc::Rc;

/// Objects with an access that has more possible targets become regions.
pub(crate) const MOST_CELLS: usize = 24;
/// Elements with an initial value of their own.
const MOST_INITIAL: usize = 4096;

/// A write of the open node to a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RegionWrite {
    pub start: u64,
    pub index: ExprId,
    pub value: ExprId,
    /// The guard of the path, and that the access hits the region.
    pub when: ExprId,
}

impl Executor<'_, '_> {
    /// Makes regions of some objects, and runs again.
    pub(crate) fn make_regions<T>(&mut self, objects: &[(u64, u64)], width: u64) -> Run<T> {
        for (start, size) in objects {
            if *size < width {
                continue;
            }
            self.knowledge.regions.insert(*start, (*size, width as u8));
            let pieces: Vec<u64> = self.knowledge.pieces.range(*start..*start + *size).map(|p| *p.0).collect();
            let mut is_shared = false;
            for piece in pieces {
                if let Some(len) = self.knowledge.pieces.remove(&piece) {
                    let cell = Cell::Bytes { address: piece, len: len as u8 };
                    is_shared |= self.knowledge.shared.remove(&cell);
                    self.knowledge.values.remove(&cell);
                }
            }
            if is_shared {
                self.knowledge.shared.insert(Cell::Region(*start));
            }
        }
        Err(Ended::Again)
    }

    /// Accesses of different widths or alignment: the object is made of cells after all.
    fn unmake_region<T>(&mut self, start: u64) -> Run<T> {
        self.knowledge.regions.remove(&start);
        self.knowledge.not_regions.insert(start);
        let cell = Cell::Region(start);
        self.knowledge.shared.remove(&cell);
        self.knowledge.values.remove(&cell);
        Err(Ended::Again)
    }

    /// An access of `len` bytes at an address in a region. `when` it hits is left out if it certainly does.
    pub(crate) fn region_hit(&mut self, start: u64, address: ExprId, len: u64, when: Option<ExprId>) -> Run<Hit> {
        let (_, width) = self.knowledge.regions[&start];
        let (known, residue) = low_bits(self.pool, address);
        let bits = u64::from(width).trailing_zeros();
        let fits = |address: u64| address.wrapping_sub(start) & (u64::from(width) - 1) == 0;
        let is_aligned = known >= bits && fits(residue)
            || self.values.of(self.pool, address, &self.knowledge.values).is_some_and(|values| {
                values.into_iter().filter(|at| self.knowledge.region_at(*at) == Some(start)).all(fits)
            });
        if u64::from(width) != len || !width.is_power_of_two() || !is_aligned {
            return self.unmake_region(start);
        }
        Ok(Hit { cell: Cell::Region(start), offset: 0, index: Some(address), when })
    }

    /// Does the address lie in the region?
    pub(crate) fn in_region(&mut self, start: u64, address: ExprId) -> ExprId {
        let (size, width) = self.knowledge.regions[&start];
        let bits = self.fixed.program.pointer_bits;
        let (low, high) =
            (self.pool.bits(bits, start.into()), self.pool.bits(bits, (start + size - u64::from(width)).into()));
        let above = self.pool.binary(BinOp::ULe, low, address);
        let below = self.pool.binary(BinOp::ULe, address, high);
        self.pool.and(above, below)
    }

    pub(crate) fn region_sort(&self, start: u64) -> Sort {
        let (_, width) = self.knowledge.regions[&start];
        Sort::Array { index: self.fixed.program.pointer_bits, element: 8 * width }
    }

    /// What a region holds at the beginning, as an array.
    pub(crate) fn initial_region(&mut self, start: u64) -> Option<ExprId> {
        let (size, width) = self.knowledge.regions[&start];
        let bits = self.fixed.program.pointer_bits;
        let zero = self.pool.bits(8 * width, 0);
        match self.fixed.statics.holder(self.knowledge, start, size) {
            Some(Holder::Static(object)) => {
                let ObjectKind::Data { init: ObjectInit::Bytes { bytes, .. }, .. } =
                    &self.fixed.program.objects[object as usize].kind
                else {
                    return None;
                };
                let mut array = self.pool.const_array(bits, zero);
                let elements = bytes.chunks(width.into()).enumerate().filter(|(_, e)| e.iter().any(|b| *b != 0));
                // With too many, the region begins with any values: then a violation may not be confirmed.
                if elements.clone().count() > MOST_INITIAL {
                    return None;
                }
                for (i, element) in elements {
                    let value = element.iter().rev().fold(0u128, |all, byte| all << 8 | u128::from(*byte));
                    let index = self.pool.bits(bits, (start + i as u64 * u64::from(width)).into());
                    let value = self.pool.bits(8 * width, value);
                    array = self.pool.store(array, index, value);
                }
                Some(array)
            }
            Some(Holder::Dynamic(_)) => match self.knowledge.dynamics.get(&start) {
                Some(Dynamic { zeroed: true, .. }) => Some(self.pool.const_array(bits, zero)),
                _ => None,
            },
            None => None,
        }
    }

    /// The value at an index that the path sees now.
    pub(crate) fn read_region(
        &mut self,
        thread: u32,
        start: u64,
        index: ExprId,
        when: Option<ExprId>,
        state: &mut State,
    ) -> ExprId {
        let cell = Cell::Region(start);
        self.note(thread, cell, false, state);
        if !self.is_event(cell, state) {
            let array = self.kept(&state.memory, cell).value;
            return self.pool.select(array, index);
        }
        let node = self.open_node(thread, state);
        let guard = match when {
            Some(when) => state.guard.and(self.pool, when),
            None => state.guard.clone(),
        };
        let (_, width) = self.knowledge.regions[&start];
        let symbol = self.symbol(Sort::Bits(8 * width));
        if let raddle_ir::Expr::Var(var) = self.pool.get(symbol) {
            self.values.read_from.insert(var, cell);
        }
        self.count_event(node);
        self.graph.reads.push(ReadEvent { node, cell, index: Some(index), guard, value: symbol });
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

    pub(crate) fn write_region(
        &mut self,
        thread: u32,
        start: u64,
        index: ExprId,
        value: ExprId,
        when: Option<ExprId>,
        state: &mut State,
    ) {
        let cell = Cell::Region(start);
        self.note(thread, cell, true, state);
        state.effects = self.new_effect();
        if !self.is_event(cell, state) {
            let array = self.kept(&state.memory, cell).value;
            let value = match when {
                None => value,
                Some(when) => {
                    let old = self.pool.select(array, index);
                    self.pool.ite(when, value, old)
                }
            };
            let array = self.pool.store(array, index, value);
            Rc::make_mut(&mut state.memory).insert(cell, Kept { value: array, version: state.effects });
            return;
        }
        self.open_node(thread, state);
        let guard = state.guard.expr;
        let when = when.map_or(guard, |when| self.pool.and(guard, when));
        if let Some(open) = &mut state.open {
            open.region_writes.push(RegionWrite { start, index, value, when });
        }
    }

    /// The writes of a node to regions become visible; of two to the same place, the later one.
    pub(crate) fn close_regions(&mut self, node: u32, guard: &Guard, writes: &[RegionWrite]) {
        for (i, write) in writes.iter().enumerate() {
            let mut there = guard.and(self.pool, write.when);
            for later in writes[i + 1..].iter().filter(|later| later.start == write.start) {
                let same = self.pool.eq(write.index, later.index);
                let over = self.pool.and(later.when, same);
                let not_over = self.pool.not(over);
                there = there.and(self.pool, not_over);
            }
            if !there.is_false(self.pool) {
                let (cell, index) = (Cell::Region(write.start), Some(write.index));
                self.count_event(node);
                self.graph.writes.push(WriteEvent {
                    node,
                    cell,
                    index,
                    guard: there,
                    value: write.value,
                    issued: None,
                });
            }
        }
    }
}

/// The writes of two paths through a node, one after the other: they exclude each other.
pub(crate) fn merge_writes(a: Vec<RegionWrite>, b: Vec<RegionWrite>) -> Vec<RegionWrite> {
    let common = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let mut all = a;
    all.extend_from_slice(&b[common..]);
    all
}
