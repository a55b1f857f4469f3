//! Store buffers: under TSO and PSO a plain store is executed at one place and visible to others from another one on.
//!
//! To execute it is part of its thread and no event. It becomes visible at a node of its own, the *commit*, which carries the write. Commits
//! lie on *lanes*, chains beside that of the thread: one lane for each thread under TSO, one for each thread and cell under PSO. What orders them:
//!
//! - a commit comes after all that its thread did before the store;
//! - what waits for an empty buffer (raddle-interp's `MemoryModel::waits`) comes after the commits of the stores before it. A wait may lie on
//!   a path that is not taken, so this holds if the wait is executed;
//! - under PSO a release store or fence is a node to which the same applies, and later commits come after it;
//! - under PSO two stores to elements of a region are ordered if their indices are equal.
//!
//! A load sees the stores of its own thread also before they are visible: see encode.rs. The axioms of Alglave, Maranget and Tautschnig (2014)
//! follow: what is ordered here is their preserved program order, reads from the own buffer order nothing, and coherence is kept by the lanes.
//!
//! Nodes of paths that are not taken do no harm on a lane: what they connect is ordered anyway.
//!
//! Accesses of different widths divide memory into pieces that are written together (cells.rs), other than under sequential consistency, where the piece
//! that is written keeps the bytes around: in a buffer there is no such thing.

use crate::symbolic::accesses::Hit;
use crate::symbolic::cells::Cell;
use crate::symbolic::event_graph::{BufferStep, Node, OrderEdge, WriteEvent};
use crate::symbolic::guard::Guard;
use crate::symbolic::{Executor, State};
use raddle_ir::MemoryModel;
use raddle_ir::{ExprId, Label, Order, Place, VarKind};
use rustc_hash::FxHashSet;

/// What one write event will be.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    cell: Cell,
    index: Option<ExprId>,
    value: ExprId,
}

/// A place that a store may hit, as far as others see it.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    parts: Vec<Part>,
    when: Option<ExprId>,
}

/// What the open node does to the buffer of its thread when it ends.
#[derive(Clone, Debug)]
pub(crate) enum Deferred {
    Separate,
    Store(Vec<Candidate>, Option<ExprId>),
    Free(ExprId),
}

/// Which stores are on a lane.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Lane {
    All,
    Cell(Cell),
    /// Those to an element of a region.
    Element(u64, ExprId),
    /// A single one, to several cells, if it is executed.
    Single(Vec<Cell>, Guard),
}

#[derive(Debug)]
struct LaneState {
    lane: Lane,
    number: u32,
    /// The last commit, and the node of the thread that it was issued after.
    last: u32,
    issued: u32,
    /// When all of it was waited for.
    flushed: Option<Guard>,
}

/// The buffer of a thread.
#[derive(Default, Debug)]
pub(crate) struct Buffer {
    lanes: Vec<LaneState>,
    /// The lane of separators, and the last one.
    separators: Option<(u32, u32)>,
    /// Nodes that wait, and when they do.
    waits: Vec<(u32, Guard)>,
    /// The edges for that, as numbers in the graph.
    wait_edges: Vec<usize>,
}

impl Executor<'_, '_> {
    pub(crate) fn is_weak(&self) -> bool {
        self.model.has_buffers()
    }

    /// Does a store go to the buffer? `direct`: its edge makes it visible at once.
    pub(crate) fn is_deferred(&self, place: Place, order: Order, state: &State) -> bool {
        let is_own =
            matches!(place, Place::Var(var) if matches!(self.fixed.program.var(var).kind, VarKind::ThreadLocal(_)));
        let in_block = state.open.as_ref().is_some_and(|open| open.depth > 0);
        self.is_weak() && !self.direct && !is_own && !in_block && order != Order::SeqCst
    }

    /// A label that may separate stores.
    pub(crate) fn separate(&mut self, label: &Label, state: &mut State) {
        if self.model.separates(label)
            && let Some(open) = &mut state.open
            && open.depth == 0
        {
            open.deferred.push(Deferred::Separate);
        }
    }

    /// An object's life ends, and with it the pending stores to it. Nobody may look at it any more, so this only concerns the schedule.
    pub(crate) fn lose_stores(&mut self, address: ExprId, state: &mut State) {
        if self.is_weak()
            && let Some(open) = &mut state.open
        {
            open.deferred.push(Deferred::Free(address));
        }
    }

    /// The cells that an access to bytes touches, with the bytes of the access that they hold.
    pub(crate) fn pieces_of(&self, address: u64, len: u8) -> Vec<(Cell, u8, u8)> {
        let pieces = self.knowledge.pieces.range(address..address + u64::from(len));
        pieces
            .map(|(start, len)| {
                let len = *len as u8;
                (Cell::Bytes { address: *start, len }, (start - address) as u8, len)
            })
            .collect()
    }

    /// What a store to a place means for each cell.
    pub(crate) fn parts(&mut self, hit: &Hit, value: ExprId) -> Vec<Part> {
        match hit.cell {
            Cell::Bytes { address, .. } => {
                let (bits, bytes) = self.bytes_of(value);
                let pieces = self.pieces_of(address, bytes);
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
                let (value, _) = self.bytes_of(value);
                vec![Part { cell: hit.cell, index: hit.index, value }]
            }
            cell => vec![Part { cell, index: None, value }],
        }
    }

    /// A store that is visible at once.
    pub(crate) fn store_parts(&mut self, thread: u32, hit: &Hit, value: ExprId, state: &mut State) {
        for part in self.parts(hit, value) {
            self.store_part(thread, &part, hit.when, state);
        }
    }

    fn store_part(&mut self, thread: u32, part: &Part, when: Option<ExprId>, state: &mut State) {
        match (part.cell, part.index) {
            (Cell::Region(start), Some(index)) => self.write_region(thread, start, index, part.value, when, state),
            _ => self.write_cell(thread, part.cell, part.value, when, state),
        }
    }

    /// A store that goes to the buffer. What is private is written at once: nobody can tell.
    pub(crate) fn defer_store(
        &mut self,
        thread: u32,
        hits: &[Hit],
        address: Option<ExprId>,
        value: ExprId,
        state: &mut State,
    ) {
        state.effects = self.new_effect();
        let mut candidates = Vec::new();
        for hit in hits {
            let mut parts = Vec::new();
            for part in self.parts(hit, value) {
                match self.is_event(part.cell, state) {
                    true => parts.push(part),
                    false => self.store_part(thread, &part, hit.when, state),
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

    /// The step that executed the stores is over: they are in the buffer.
    pub(crate) fn issue(&mut self, thread: u32, guard: &Guard, deferred: Vec<Deferred>) -> Vec<BufferStep> {
        let mut steps = Vec::with_capacity(deferred.len());
        for what in deferred {
            steps.push(match what {
                Deferred::Separate => {
                    self.new_separator(thread, guard);
                    BufferStep::Separate
                }
                Deferred::Free(address) => BufferStep::Free(address),
                Deferred::Store(candidates, address) => {
                    let commits = candidates.into_iter().map(|candidate| {
                        let guard = match candidate.when {
                            Some(when) => guard.and(self.pool, when),
                            None => guard.clone(),
                        };
                        (self.new_commit(thread, &guard, candidate.parts), guard.expr)
                    });
                    BufferStep::Store { commits: commits.collect(), address }
                }
            });
        }
        steps
    }

    /// Nodes of the buffer are not on the thread's own chain.
    fn node_on_lane(&mut self, thread: u32, lane: u32) -> u32 {
        let node = self.graph.nodes.len() as u32;
        self.graph.nodes.push(Node { thread, lane: Some(lane), span: self.span });
        node
    }

    fn new_lane(&mut self) -> u32 {
        self.graph.lanes += 1;
        self.graph.lanes - 1
    }

    fn order(&mut self, from: u32, to: u32, guard: Guard) {
        self.graph.edges.push(OrderEdge { from, to, guard });
    }

    fn new_commit(&mut self, thread: u32, guard: &Guard, parts: Vec<Part>) -> u32 {
        let issued = match self.threads[thread as usize].last_node {
            Some(last) => last,
            None => self.new_node(thread),
        };
        let lane = match (self.model, &parts[..]) {
            (MemoryModel::Sc | MemoryModel::Wsc | MemoryModel::Tso, _) => Lane::All,
            (MemoryModel::Pso, [Part { cell: Cell::Region(start), index: Some(index), .. }]) => {
                Lane::Element(*start, *index)
            }
            (MemoryModel::Pso, [part]) => Lane::Cell(part.cell),
            (MemoryModel::Pso, _) => Lane::Single(parts.iter().map(|part| part.cell).collect(), guard.clone()),
        };
        let always = Guard::always(self.pool);
        let known = self.threads[thread as usize].buffer.lanes.iter().position(|state| state.lane == lane);
        let at = match known {
            Some(at) => at,
            None => {
                let number = self.new_lane();
                let lanes = &mut self.threads[thread as usize].buffer.lanes;
                lanes.push(LaneState { lane, number, last: u32::MAX, issued: u32::MAX, flushed: None });
                lanes.len() - 1
            }
        };
        let number = self.threads[thread as usize].buffer.lanes[at].number;
        let node = self.node_on_lane(thread, number);
        let buffer = &mut self.threads[thread as usize].buffer;
        let others = buffer.lanes.iter().enumerate().filter(|(i, _)| *i != at);
        let overlapping: Vec<(u32, Overlap)> =
            others.filter_map(|(_, other)| Some((other.last, overlap(&other.lane, &buffer.lanes[at].lane)?))).collect();
        let separator = buffer.separators.map(|(_, last)| last);
        let state = &mut buffer.lanes[at];
        let first = state.last == u32::MAX;
        let is_ordered = |after: u32| !first && state.last > after;
        let (needs_issue, separator) = (first || state.issued != issued, separator.filter(|last| !is_ordered(*last)));
        (state.last, state.issued, state.flushed) = (node, issued, None);
        if needs_issue {
            self.order(issued, node, always.clone());
        }
        if let Some(separator) = separator {
            self.order(separator, node, always);
        }
        for (last, overlap) in overlapping {
            let guard = match overlap {
                Overlap::If(guard) => guard,
                Overlap::Equal(a, b) => {
                    let equal = self.pool.eq(a, b);
                    Guard::always(self.pool).and(self.pool, equal)
                }
            };
            if !guard.is_false(self.pool) {
                self.order(last, node, guard);
            }
        }
        for Part { cell, index, value } in parts {
            let guard = guard.clone();
            if !guard.is_false(self.pool) {
                self.graph.writes.push(WriteEvent { node, cell, index, guard, value, issued: Some(issued) });
            }
        }
        node
    }

    /// The stores so far are visible before the later ones.
    fn new_separator(&mut self, thread: u32, guard: &Guard) {
        let buffer = &self.threads[thread as usize].buffer;
        let lasts: Vec<u32> =
            buffer.lanes.iter().filter(|lane| !lane.is_flushed(guard)).map(|lane| lane.last).collect();
        if lasts.is_empty() {
            return;
        }
        let lane = match buffer.separators {
            Some((lane, _)) => lane,
            None => self.new_lane(),
        };
        let node = self.node_on_lane(thread, lane);
        lasts.into_iter().for_each(|last| self.order(last, node, guard.clone()));
        self.threads[thread as usize].buffer.separators = Some((lane, node));
    }

    /// The path goes on when the buffer of its thread is empty.
    pub(crate) fn wait(&mut self, thread: u32, state: &mut State) {
        let lanes = &self.threads[thread as usize].buffer.lanes;
        if lanes.iter().all(|lane| lane.is_flushed(&state.guard)) {
            return;
        }
        let node = self.open_node(thread, state);
        let buffer = &mut self.threads[thread as usize].buffer;
        buffer.waits.push((node, state.guard.clone()));
        for lane in buffer.lanes.iter_mut().filter(|lane| !lane.is_flushed(&state.guard)) {
            lane.flushed = Some(state.guard.clone());
            buffer.wait_edges.push(self.graph.edges.len());
            self.graph.edges.push(OrderEdge { from: lane.last, to: node, guard: state.guard.clone() });
        }
    }

    /// The last commits of a thread: it ends after them.
    pub(crate) fn last_commits(&self, thread: u32) -> Vec<u32> {
        let lanes = self.threads[thread as usize].buffer.lanes.iter();
        lanes.filter(|lane| lane.flushed.as_ref().is_none_or(|f| !f.is_true(self.pool))).map(|lane| lane.last).collect()
    }

    /// Waits without a condition where all that the thread does later implies that it waited: an order that always holds is worth more.
    pub(crate) fn simplify_waits(&mut self) {
        if !self.is_weak() {
            return;
        }
        // What each thread does, by the node in or after which it does it.
        let mut deeds: Vec<Vec<(u32, &Guard)>> = vec![Vec::new(); self.threads.len()];
        for read in &self.graph.reads {
            deeds[self.graph.nodes[read.node as usize].thread as usize].push((read.node, &read.guard));
        }
        for write in &self.graph.writes {
            if let Some(of) = deeds.get_mut(self.graph.nodes[write.node as usize].thread as usize) {
                of.push((write.issued.unwrap_or(write.node), &write.guard));
            }
        }
        let mut certain: Vec<usize> = Vec::new();
        for (thread, mut deeds) in self.threads.iter().zip(deeds) {
            let buffer = &thread.buffer;
            deeds.extend(buffer.waits.iter().map(|(node, guard)| (*node, guard)));
            deeds.sort_by_key(|(node, _)| *node);
            let mut common: Option<FxHashSet<ExprId>> = None;
            for &edge in buffer.wait_edges.iter().rev() {
                let OrderEdge { to, guard, .. } = &self.graph.edges[edge];
                while let Some((_, deed)) = deeds.pop_if(|(node, _)| *node >= *to) {
                    match &mut common {
                        Some(common) => common.retain(|cond| deed.conjuncts.contains(cond)),
                        None => common = Some(deed.conjuncts.iter().copied().collect()),
                    }
                }
                if common.as_ref().is_none_or(|common| guard.conjuncts.iter().all(|cond| common.contains(cond))) {
                    certain.push(edge);
                }
            }
        }
        let always = Guard::always(self.pool);
        certain.into_iter().for_each(|edge| self.graph.edges[edge].guard = always.clone());
    }
}

impl LaneState {
    fn is_flushed(&self, guard: &Guard) -> bool {
        self.flushed.as_ref().is_some_and(|flushed| guard.implies(flushed))
    }
}

enum Overlap {
    If(Guard),
    Equal(ExprId, ExprId),
}

/// When stores on two lanes keep their order.
fn overlap(earlier: &Lane, later: &Lane) -> Option<Overlap> {
    match (earlier, later) {
        (Lane::Element(a, i), Lane::Element(b, j)) => (a == b).then_some(Overlap::Equal(*i, *j)),
        (Lane::Single(cells, guard), Lane::Cell(cell)) | (Lane::Cell(cell), Lane::Single(cells, guard)) => {
            cells.contains(cell).then(|| Overlap::If(guard.clone()))
        }
        (Lane::Single(a, guard), Lane::Single(b, _)) => {
            a.iter().any(|cell| b.contains(cell)).then(|| Overlap::If(guard.clone()))
        }
        _ => None,
    }
}
