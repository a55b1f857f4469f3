//! Stores under TSO and PSO: which of them go to the buffer, and to which cells.

use crate::symbolic::event_graph::BufferStep;
use crate::symbolic::knowledge::cells::Cell;
use crate::symbolic::memory::Memory;
use crate::symbolic::memory::addresses::Hit;
use crate::symbolic::memory::store_buffers::{Candidate, Deferred, Part};
use crate::symbolic::scalars::bytes_of;
use crate::symbolic::state::State;
use raddle_ir::{ExprId, Label, Order, Place, VarKind};

impl Memory<'_, '_> {
    /// Does a store go to the buffer, unless its edge makes it visible at once?
    pub(crate) fn is_deferred(&self, place: Place, order: Order, state: &State) -> bool {
        let is_own = matches!(place, Place::Var(var) if matches!(self.program.var(var).kind, VarKind::ThreadLocal(_)));
        self.buffers.is_weak() && !is_own && !state.in_atomic_block() && order != Order::SeqCst
    }

    /// A label that may separate stores.
    pub(crate) fn separate(&mut self, label: &Label, state: &mut State) {
        if self.buffers.separates(label)
            && let Some(open) = &mut state.open
            && open.depth == 0
        {
            open.deferred.push(Deferred::Separate);
        }
    }

    /// An object's life ends, and with it the pending stores to it. Nobody may look at it any more, so this only concerns the schedule.
    pub(crate) fn lose_stores(&mut self, address: ExprId, state: &mut State) {
        if self.buffers.is_weak()
            && let Some(open) = &mut state.open
        {
            open.deferred.push(Deferred::Free(address));
        }
    }

    /// What a store to a place means for each cell.
    fn parts(&mut self, hit: &Hit, value: ExprId) -> Vec<Part> {
        match hit.cell {
            Cell::Bytes { address, .. } => {
                let (bits, bytes) = bytes_of(self.pool, value);
                let pieces = self.assumptions.pieces_of(address, bytes);
                let mut parts = Vec::with_capacity(pieces.len());
                for (cell, offset, len) in pieces {
                    let value = match len == bytes {
                        true => bits,
                        false => {
                            self.pool.extract(((u32::from(offset) + u32::from(len)) * 8 - 1) as u8, 8 * offset, bits)
                        }
                    };
                    parts.push(Part { cell, index: None, value });
                }
                parts
            }
            Cell::Region(_) => {
                let (value, _) = bytes_of(self.pool, value);
                vec![Part { cell: hit.cell, index: hit.index, value }]
            }
            cell => vec![Part { cell, index: None, value }],
        }
    }

    /// A store that is visible at once.
    pub(super) fn store_parts(&mut self, hit: &Hit, value: ExprId, state: &mut State) {
        for part in self.parts(hit, value) {
            self.store_part(&part, hit.when, state);
        }
    }

    fn store_part(&mut self, part: &Part, when: Option<ExprId>, state: &mut State) {
        match (part.cell, part.index) {
            (Cell::Region(start), Some(index)) => self.write_region(start, index, part.value, when, state),
            _ => self.write_cell(part.cell, part.value, when, state),
        }
    }

    /// A store that goes to the buffer. What is private is written at once: nobody can tell.
    pub(crate) fn defer_store(&mut self, hits: &[Hit], address: Option<ExprId>, value: ExprId, state: &mut State) {
        state.effects = self.new_effect();
        let mut candidates = Vec::new();
        for hit in hits {
            let mut parts = Vec::new();
            for part in self.parts(hit, value) {
                match self.is_event(part.cell, state) {
                    true => parts.push(part),
                    false => self.store_part(&part, hit.when, state),
                }
            }
            if !parts.is_empty() {
                candidates.push(Candidate { parts, when: hit.when });
            }
        }
        if let Some(open) = &mut state.open {
            open.deferred.push(Deferred::Store(candidates, address));
        }
    }

    /// The step is over: the stores that it executed are in the buffer.
    pub(crate) fn issue(&mut self, deferred: Vec<Deferred>, state: &State) -> Vec<BufferStep> {
        self.buffers.issue(self.pool, &mut self.graph, state.thread, &state.guard, deferred)
    }

    /// The path goes on when the buffer of its thread is empty.
    pub(crate) fn wait(&mut self, state: &mut State) {
        if self.buffers.has_pending(state.thread, &state.guard) {
            let node = self.open_node(state);
            self.buffers.wait(&mut self.graph, state.thread, node, &state.guard);
        }
    }

    /// The last nodes of a thread: its own, and those of its buffer.
    pub(crate) fn last_nodes(&self, thread: u32) -> Vec<u32> {
        let last = self.graph.last_node(thread);
        last.into_iter().chain(self.buffers.last_commits(self.pool, thread)).collect()
    }
}
