//! What a thread does to memory: private cells are values in the state of its path, shared ones are events of its open node.
//!
//! An access first finds out where it goes (`addresses.rs`), then reads or writes cells (here) and regions (`regions.rs`). Locks are cells as well
//! (`lock_ops.rs`). Under TSO and PSO, stores go to a buffer (`buffered_stores.rs`, `store_buffers.rs`). What is private and how memory is divided
//! is assumed (`knowledge`). What is `pub(crate)` here is for the walk.

pub(crate) mod accesses;
pub(crate) mod addresses;
pub(crate) mod allocation;
pub(crate) mod buffered_stores;
pub(crate) mod initial;
pub(crate) mod lives;
pub(crate) mod lock_ops;
pub(crate) mod merge;
pub(crate) mod objects;
pub(crate) mod regions;
pub(crate) mod store_buffers;

use crate::symbolic::Run;
use crate::symbolic::event_graph::{EventGraph, ReadEvent};
use crate::symbolic::graph_builder::GraphBuilder;
use crate::symbolic::guard::Guard;
use crate::symbolic::knowledge::assumptions::Assumptions;
use crate::symbolic::knowledge::cells::{Cell, Knowledge};
use crate::symbolic::memory::objects::Objects;
use crate::symbolic::memory::store_buffers::StoreBuffers;
use crate::symbolic::state::{Entry, Extent, Kept, PrivateCells, State};
use crate::symbolic::symbols::Symbols;
use raddle_ir::{ExprId, MemoryModel, Program, Sort, locks};
use rustc_hash::FxHashMap;
use std::rc::Rc;

pub(crate) struct Memory<'a, 'p> {
    program: &'p Program,
    objects: &'a Objects<'p>,
    pub(crate) pool: &'a mut Symbols,
    pub(crate) graph: GraphBuilder,
    pub(crate) assumptions: Assumptions<'a>,
    buffers: StoreBuffers,
    /// How many bytes each thread has allocated.
    allocated: FxHashMap<u32, u64>,
    /// What cells hold at the beginning, as far as somebody asked.
    initial: FxHashMap<Cell, ExprId>,
    asks_for_lives: bool,
    /// The automatic objects of each thread's activations.
    frames: FxHashMap<u32, Vec<Vec<u64>>>,
    /// How many things were done so far that are more than reading.
    effects: u64,
}

impl<'a, 'p> Memory<'a, 'p> {
    pub(crate) fn new(
        objects: &'a Objects<'p>,
        pool: &'a mut Symbols,
        knowledge: &'a mut Knowledge,
        model: MemoryModel,
    ) -> Memory<'a, 'p> {
        Memory {
            program: objects.program(),
            objects,
            pool,
            graph: GraphBuilder::new(),
            assumptions: Assumptions::new(knowledge),
            buffers: StoreBuffers::new(model),
            allocated: FxHashMap::default(),
            initial: FxHashMap::default(),
            asks_for_lives: objects.program().asks_for_lives(),
            frames: FxHashMap::default(),
            effects: 0,
        }
    }

    /// All threads were run: completes the graph, if the run confirms what it assumed.
    pub(crate) fn finish(mut self) -> Run<EventGraph> {
        let mut cells: Vec<Cell> = self.graph.reads().iter().map(|read| read.cell).collect();
        cells.sort_unstable();
        cells.dedup();
        let initial = cells.into_iter().map(|cell| (cell, self.initial_value(cell))).collect();
        self.graph.begin_with(self.pool, initial);
        self.assumptions.confirm(self.pool, self.graph.writes(), self.program.dynamic_base)?;
        self.buffers.simplify_waits(self.pool, &mut self.graph);
        Ok(self.graph.finish(self.pool, self.assumptions.dynamics()))
    }

    pub(crate) fn new_effect(&mut self) -> u64 {
        self.effects += 1;
        self.effects
    }

    fn is_event(&self, cell: Cell, state: &State) -> bool {
        state.multi && self.assumptions.is_shared(cell)
    }

    fn cell_sort(&self, cell: Cell) -> Sort {
        match cell {
            Cell::Var(var) | Cell::Own(_, var) => self.program.var(var).sort,
            Cell::Bytes { len, .. } => Sort::Bits(8 * len),
            Cell::Region(start) => self.region_sort(start),
            Cell::Life(_) => self.program.pointer_sort(),
            Cell::Lock(_) | Cell::LockKind(_) | Cell::Held(..) | Cell::HeldShared(..) => Sort::Bits(locks::PART_BITS),
        }
    }

    /// What a path knows of a private cell.
    fn kept(&mut self, private: &PrivateCells, cell: Cell) -> Kept {
        match private.get(&cell) {
            Some(kept) => *kept,
            None => Kept { value: self.initial_value(cell), version: 0 },
        }
    }

    /// The value of a cell that the path sees now, where `when` holds.
    fn read_cell(&mut self, cell: Cell, when: Option<ExprId>, state: &mut State) -> ExprId {
        self.assumptions.note(cell, false, state);
        if !self.is_event(cell, state) {
            return self.kept(&state.private, cell).value;
        }
        let entry = state.open.as_ref().and_then(|open| open.entries.get(&cell)).copied();
        if let Some(Entry { known: Extent::Always, value, .. }) = entry {
            return value;
        }
        let node = self.open_node(state);
        let guard = state.guard_when(self.pool, when);
        let read = self.read_event(node, cell, guard);
        let (value, written) = match entry {
            Some(Entry { known: Extent::If(cond), value, written }) => (self.pool.ite(cond, value, read), written),
            Some(entry) => (read, entry.written),
            None => (read, Extent::Never),
        };
        // Only where the access really hits the cell was it read.
        let known = if when.is_none() { Extent::Always } else { return value };
        if let Some(open) = &mut state.open {
            open.entries.insert(cell, Entry { known, value, written });
        }
        value
    }

    /// A node has one read for each cell.
    fn read_event(&mut self, node: u32, cell: Cell, guard: Guard) -> ExprId {
        if let Some(value) = self.graph.read_again(self.pool, node, cell, &guard) {
            return value;
        }
        let sort = self.cell_sort(cell);
        let value = self.pool.fresh(sort);
        self.assumptions.note_read(self.pool, value, cell);
        self.graph.add_read(ReadEvent { node, cell, index: None, guard, value });
        value
    }

    fn write_cell(&mut self, cell: Cell, value: ExprId, when: Option<ExprId>, state: &mut State) {
        self.assumptions.note(cell, true, state);
        state.effects = self.new_effect();
        if !self.is_event(cell, state) {
            let value = match when {
                None => value,
                Some(when) => {
                    let old = self.kept(&state.private, cell).value;
                    self.pool.ite(when, value, old)
                }
            };
            Rc::make_mut(&mut state.private).insert(cell, Kept { value, version: state.effects });
            return;
        }
        self.open_node(state);
        let entry = state.open.as_ref().and_then(|open| open.entries.get(&cell)).copied();
        let new = match (when, entry) {
            (None, _) => Entry { known: Extent::Always, value, written: Extent::Always },
            (Some(when), None) => Entry { known: Extent::If(when), value, written: Extent::If(when) },
            (Some(when), Some(old)) => Entry {
                known: old.known.or(self.pool, when),
                value: self.pool.ite(when, value, old.value),
                written: old.written.or(self.pool, when),
            },
        };
        if let Some(open) = &mut state.open {
            open.entries.insert(cell, new);
        }
    }

    /// The node of the path; from now on others can see it.
    pub(crate) fn open_node(&mut self, state: &mut State) -> u32 {
        if let Some(node) = state.node() {
            return node;
        }
        let node = self.graph.add_node(state.thread);
        if let Some(open) = &mut state.open {
            open.node = Some(node);
        }
        node
    }

    /// The node of a path ends: its writes become visible.
    pub(crate) fn close(&mut self, state: &mut State) {
        let Some(open) = state.open.take() else { return };
        let Some(node) = open.node else { return };
        self.close_regions(node, &state.guard, &open.region_writes);
        let mut cells: Vec<(Cell, Entry)> = open.entries.into_iter().collect();
        cells.sort_unstable_by_key(|(cell, _)| *cell);
        for (cell, entry) in cells {
            let guard = match entry.written {
                Extent::Never => continue,
                Extent::Always => state.guard.clone(),
                Extent::If(cond) => state.guard.and(self.pool, cond),
            };
            if !guard.is_false(self.pool) {
                self.graph.write(self.pool, node, cell, guard, entry.value);
            }
        }
    }

    /// Several threads may run from now on: what they share becomes events.
    pub(crate) fn publish(&mut self, state: &mut State) {
        if state.multi {
            return;
        }
        let node = self.graph.add_node(state.thread);
        state.multi = true;
        let values = state.private.iter().filter(|(cell, _)| self.assumptions.is_shared(**cell));
        let mut shared: Vec<(Cell, ExprId)> = values.map(|(cell, kept)| (*cell, kept.value)).collect();
        shared.sort_unstable();
        if shared.is_empty() {
            return;
        }
        let private = Rc::make_mut(&mut state.private);
        for (cell, value) in shared {
            private.remove(&cell);
            self.graph.write(self.pool, node, cell, state.guard.clone(), value);
        }
    }
}
