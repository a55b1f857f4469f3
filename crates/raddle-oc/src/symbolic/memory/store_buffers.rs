//! Store buffers: under TSO and PSO a plain store is executed at one place and visible to others from another one on.
//!
//! To execute it is part of its thread and no event. It becomes visible at a node of its own, the *commit*, which carries the write. Commits
//! lie on *lanes*, chains beside that of the thread: one lane for each thread under TSO, one for each thread and cell under PSO. What orders them:
//!
//! - a commit comes after all that its thread did before the store;
//! - what waits for an empty buffer (raddle-ir's `MemoryModel::waits`) comes after the commits of the stores before it. A wait may lie on
//!   a path that is not taken, so this holds if the wait is executed;
//! - under PSO a release store or fence is a node to which the same applies, and later commits come after it;
//! - under PSO two stores to elements of a region are ordered if their indices are equal.
//!
//! A load sees the stores of its own thread also before they are visible: see encode/mod.rs. The axioms of Alglave, Maranget and Tautschnig (2014)
//! follow: what is ordered here is their preserved program order, reads from the own buffer order nothing, and coherence is kept by the lanes.
//!
//! Nodes of paths that are not taken do no harm on a lane: what they connect is ordered anyway.
//!
//! Accesses of different widths divide memory into pieces that are written together (knowledge/cells.rs), other than under sequential consistency, where the piece
//! that is written keeps the bytes around: in a buffer there is no such thing.

use crate::symbolic::event_graph::{BufferStep, OrderEdge, WriteEvent};
use crate::symbolic::graph_builder::GraphBuilder;
use crate::symbolic::guard::Guard;
use crate::symbolic::knowledge::cells::Cell;
use raddle_ir::{ExprId, ExprPool, Label, MemoryModel};
use rustc_hash::FxHashSet;

/// What one write event will be.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) cell: Cell,
    pub(crate) index: Option<ExprId>,
    pub(crate) value: ExprId,
}

/// A place that a store may hit, as far as others see it.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) parts: Vec<Part>,
    pub(crate) when: Option<ExprId>,
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
struct Buffer {
    lanes: Vec<LaneState>,
    /// The lane of separators, and the last one.
    separators: Option<(u32, u32)>,
    /// Nodes that wait, and when they do.
    waits: Vec<(u32, Guard)>,
    /// The edges for that, as numbers in the graph.
    wait_edges: Vec<usize>,
}

/// The store buffers of all threads.
pub(crate) struct StoreBuffers {
    model: MemoryModel,
    of: Vec<Buffer>,
}

impl StoreBuffers {
    pub(super) fn new(model: MemoryModel) -> StoreBuffers {
        StoreBuffers { model, of: Vec::new() }
    }

    pub(super) fn is_weak(&self) -> bool {
        self.model.has_buffers()
    }

    pub(super) fn separates(&self, label: &Label) -> bool {
        self.model.separates(label)
    }

    fn of(&mut self, thread: u32) -> &mut Buffer {
        let thread = thread as usize;
        if thread >= self.of.len() {
            self.of.resize_with(thread + 1, Buffer::default);
        }
        &mut self.of[thread]
    }

    /// The step that executed the stores is over: they are in the buffer.
    pub(super) fn issue(
        &mut self,
        pool: &mut ExprPool,
        graph: &mut GraphBuilder,
        thread: u32,
        guard: &Guard,
        deferred: Vec<Deferred>,
    ) -> Vec<BufferStep> {
        let mut steps = Vec::with_capacity(deferred.len());
        for what in deferred {
            steps.push(match what {
                Deferred::Separate => {
                    self.of(thread).separate(graph, thread, guard);
                    BufferStep::Separate
                }
                Deferred::Free(address) => BufferStep::Free(address),
                Deferred::Store(candidates, address) => {
                    let mut commits = Vec::with_capacity(candidates.len());
                    for candidate in candidates {
                        let guard = match candidate.when {
                            Some(when) => guard.and(pool, when),
                            None => guard.clone(),
                        };
                        commits.push((self.commit(pool, graph, thread, &guard, candidate.parts), guard.expr));
                    }
                    BufferStep::Store { commits, address }
                }
            });
        }
        steps
    }

    fn commit(
        &mut self,
        pool: &mut ExprPool,
        graph: &mut GraphBuilder,
        thread: u32,
        guard: &Guard,
        parts: Vec<Part>,
    ) -> u32 {
        let issued = graph.last_node(thread).unwrap_or_else(|| graph.add_node(thread));
        let lane = match (self.model, &parts[..]) {
            (MemoryModel::Sc | MemoryModel::Wsc | MemoryModel::Tso, _) => Lane::All,
            (MemoryModel::Pso, [Part { cell: Cell::Region(start), index: Some(index), .. }]) => {
                Lane::Element(*start, *index)
            }
            (MemoryModel::Pso, [part]) => Lane::Cell(part.cell),
            (MemoryModel::Pso, _) => Lane::Single(parts.iter().map(|part| part.cell).collect(), guard.clone()),
        };
        let node = self.of(thread).commit_on(lane, pool, graph, thread, issued);
        if !guard.is_false(pool) {
            for Part { cell, index, value } in parts {
                let guard = guard.clone();
                graph.add_commit(WriteEvent { node, cell, index, guard, value, issued: Some(issued) });
            }
        }
        node
    }

    /// Are there stores in the thread's buffer on a path with this guard?
    pub(super) fn has_pending(&self, thread: u32, guard: &Guard) -> bool {
        self.of.get(thread as usize).is_some_and(|buffer| buffer.lanes.iter().any(|lane| !lane.is_flushed(guard)))
    }

    /// A path goes on at a node when the buffer of its thread is empty.
    pub(super) fn wait(&mut self, graph: &mut GraphBuilder, thread: u32, node: u32, guard: &Guard) {
        let buffer = self.of(thread);
        buffer.waits.push((node, guard.clone()));
        for lane in buffer.lanes.iter_mut().filter(|lane| !lane.is_flushed(guard)) {
            lane.flushed = Some(guard.clone());
            buffer.wait_edges.push(graph.order(lane.last, node, guard.clone()));
        }
    }

    /// The last commits of a thread: it ends after them.
    pub(super) fn last_commits(&self, pool: &ExprPool, thread: u32) -> Vec<u32> {
        let lanes = self.of.get(thread as usize).into_iter().flat_map(|buffer| &buffer.lanes);
        lanes.filter(|lane| lane.flushed.as_ref().is_none_or(|f| !f.is_true(pool))).map(|lane| lane.last).collect()
    }

    /// Waits without a condition where all that the thread does later implies that it waited: an order that always holds is worth more.
    pub(super) fn simplify_waits(&self, pool: &mut ExprPool, graph: &mut GraphBuilder) {
        if !self.is_weak() {
            return;
        }
        // What each thread does, by the node in or after which it does it.
        let mut deeds: Vec<Vec<(u32, &Guard)>> = vec![Vec::new(); graph.thread_count() as usize];
        for read in graph.reads() {
            deeds[graph.nodes()[read.node as usize].thread as usize].push((read.node, &read.guard));
        }
        for write in graph.writes() {
            if let Some(of) = deeds.get_mut(graph.nodes()[write.node as usize].thread as usize) {
                of.push((write.issued.unwrap_or(write.node), &write.guard));
            }
        }
        let mut certain: Vec<usize> = Vec::new();
        for (buffer, mut deeds) in self.of.iter().zip(deeds) {
            deeds.extend(buffer.waits.iter().map(|(node, guard)| (*node, guard)));
            deeds.sort_by_key(|(node, _)| *node);
            let mut common: Option<FxHashSet<ExprId>> = None;
            for &edge in buffer.wait_edges.iter().rev() {
                let OrderEdge { to, guard, .. } = &graph.edges()[edge];
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
        certain.into_iter().for_each(|edge| graph.order_always(edge, pool));
    }
}

impl Buffer {
    /// A node where a store becomes visible.
    fn commit_on(
        &mut self,
        lane: Lane,
        pool: &mut ExprPool,
        graph: &mut GraphBuilder,
        thread: u32,
        issued: u32,
    ) -> u32 {
        let always = Guard::always(pool);
        let at = match self.lanes.iter().position(|state| state.lane == lane) {
            Some(at) => at,
            None => {
                let number = graph.add_lane();
                self.lanes.push(LaneState { lane, number, last: u32::MAX, issued: u32::MAX, flushed: None });
                self.lanes.len() - 1
            }
        };
        let node = graph.add_node_on_lane(thread, self.lanes[at].number);
        let others = self.lanes.iter().enumerate().filter(|(i, _)| *i != at);
        let overlapping: Vec<(u32, Overlap)> =
            others.filter_map(|(_, other)| Some((other.last, overlap(&other.lane, &self.lanes[at].lane)?))).collect();
        let separator = self.separators.map(|(_, last)| last);
        let state = &mut self.lanes[at];
        let first = state.last == u32::MAX;
        let is_ordered = |after: u32| !first && state.last > after;
        let (needs_issue, separator) = (first || state.issued != issued, separator.filter(|last| !is_ordered(*last)));
        (state.last, state.issued, state.flushed) = (node, issued, None);
        if needs_issue {
            graph.order(issued, node, always.clone());
        }
        if let Some(separator) = separator {
            graph.order(separator, node, always);
        }
        for (last, overlap) in overlapping {
            let guard = match overlap {
                Overlap::If(guard) => guard,
                Overlap::Equal(a, b) => {
                    let equal = pool.eq(a, b);
                    Guard::always(pool).and(pool, equal)
                }
            };
            if !guard.is_false(pool) {
                graph.order(last, node, guard);
            }
        }
        node
    }

    /// The stores so far are visible before the later ones.
    fn separate(&mut self, graph: &mut GraphBuilder, thread: u32, guard: &Guard) {
        let lasts: Vec<u32> = self.lanes.iter().filter(|lane| !lane.is_flushed(guard)).map(|lane| lane.last).collect();
        if lasts.is_empty() {
            return;
        }
        let lane = match self.separators {
            Some((lane, _)) => lane,
            None => graph.add_lane(),
        };
        let node = graph.add_node_on_lane(thread, lane);
        for last in lasts {
            graph.order(last, node, guard.clone());
        }
        self.separators = Some((lane, node));
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
