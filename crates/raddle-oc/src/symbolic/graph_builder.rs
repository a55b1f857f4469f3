//! The event graph under construction.
//!
//! A node lies on the chain of its thread, or on a lane of its store buffer, in the order in which nodes are made. It has one read and one write for
//! each cell, whichever of its paths is taken; only accesses to regions are all events of their own.

use crate::library_results::LibraryResult;
use crate::symbolic::event_graph::{EventGraph, Limit, Node, OrderEdge, ReadEvent, Step, ThreadSteps, WriteEvent};
use crate::symbolic::guard::{Guard, meet};
use crate::symbolic::knowledge::cells::Cell;
use raddle_ir::{ExprId, ExprPool, LocId, ProcId, Span};
use rustc_hash::FxHashMap;

/// The nodes of a thread, but for those of its store buffer.
#[derive(Clone, Copy, Default)]
struct Chain {
    first: Option<u32>,
    last: Option<u32>,
    /// How many reads and writes of it are events.
    events: u32,
}

pub(crate) struct GraphBuilder {
    graph: EventGraph,
    chains: Vec<Chain>,
    /// The read and the write of each node and cell.
    reads: FxHashMap<(u32, Cell), usize>,
    writes: FxHashMap<(u32, Cell), usize>,
    /// The place in the sources that is being executed.
    pub(crate) span: Span,
}

impl GraphBuilder {
    pub(crate) fn new() -> GraphBuilder {
        let mut graph = EventGraph::default();
        // Node 0 is the beginning: there all cells get their initial values.
        graph.nodes.push(Node { thread: u32::MAX, lane: None, span: Span::default() });
        GraphBuilder {
            graph,
            chains: Vec::new(),
            reads: FxHashMap::default(),
            writes: FxHashMap::default(),
            span: Span::default(),
        }
    }

    /// What the cells that somebody reads hold at the beginning.
    pub(crate) fn begin_with(&mut self, pool: &mut ExprPool, initial: Vec<(Cell, ExprId)>) {
        let guard = Guard::always(pool);
        for (cell, value) in initial {
            let guard = guard.clone();
            self.graph.writes.push(WriteEvent { node: 0, cell, index: None, guard, value, issued: None });
        }
    }

    /// Some path may come here.
    pub(crate) fn reach(&mut self, proc: ProcId, loc: LocId) {
        self.graph.reached.insert((proc, loc));
    }

    /// The graph. The first node of each thread comes after the beginning.
    pub(crate) fn finish(mut self, pool: &mut ExprPool, dynamics: Vec<(u64, u64)>) -> EventGraph {
        let guard = Guard::always(pool);
        for chain in &self.chains {
            if let Some(first) = chain.first {
                self.graph.edges.push(OrderEdge { from: 0, to: first, guard: guard.clone() });
            }
        }
        self.graph.dynamics = dynamics;
        self.graph
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.graph.nodes
    }

    pub(crate) fn reads(&self) -> &[ReadEvent] {
        &self.graph.reads
    }

    pub(crate) fn writes(&self) -> &[WriteEvent] {
        &self.graph.writes
    }

    pub(crate) fn edges(&self) -> &[OrderEdge] {
        &self.graph.edges
    }

    pub(crate) fn add_thread(&mut self) -> u32 {
        self.chains.push(Chain::default());
        self.graph.threads.push(ThreadSteps::default());
        self.chains.len() as u32 - 1
    }

    pub(crate) fn thread_count(&self) -> u32 {
        self.chains.len() as u32
    }

    pub(crate) fn add_step(&mut self, thread: u32, step: Step) {
        self.graph.threads[thread as usize].steps.push(step);
    }

    pub(crate) fn add_node(&mut self, thread: u32) -> u32 {
        let node = self.graph.nodes.len() as u32;
        self.graph.nodes.push(Node { thread, lane: None, span: self.span });
        let chain = &mut self.chains[thread as usize];
        chain.first.get_or_insert(node);
        chain.last = Some(node);
        node
    }

    pub(crate) fn first_node(&self, thread: u32) -> Option<u32> {
        self.chains[thread as usize].first
    }

    pub(crate) fn last_node(&self, thread: u32) -> Option<u32> {
        self.chains[thread as usize].last
    }

    pub(crate) fn add_lane(&mut self) -> u32 {
        self.graph.lanes += 1;
        self.graph.lanes - 1
    }

    /// Nodes of a store buffer are not on the thread's own chain.
    pub(crate) fn add_node_on_lane(&mut self, thread: u32, lane: u32) -> u32 {
        let node = self.graph.nodes.len() as u32;
        self.graph.nodes.push(Node { thread, lane: Some(lane), span: self.span });
        node
    }

    /// One node precedes another if the guard holds. Gives the number of the edge.
    pub(crate) fn order(&mut self, from: u32, to: u32, guard: Guard) -> usize {
        self.graph.edges.push(OrderEdge { from, to, guard });
        self.graph.edges.len() - 1
    }

    /// An order that holds without its condition.
    pub(crate) fn order_always(&mut self, edge: usize, pool: &mut ExprPool) {
        self.graph.edges[edge].guard = Guard::always(pool);
    }

    /// The value that the node reads from the cell, if another path through it does; this path does as well.
    pub(crate) fn read_again(&mut self, pool: &mut ExprPool, node: u32, cell: Cell, guard: &Guard) -> Option<ExprId> {
        let read = &mut self.graph.reads[*self.reads.get(&(node, cell))?];
        if !guard.implies(&read.guard) {
            read.guard = meet(pool, &read.guard, guard).0;
        }
        Some(read.value)
    }

    /// The first read of a cell by a node, or any read of an element of a region.
    pub(crate) fn add_read(&mut self, read: ReadEvent) {
        if read.index.is_none() {
            self.reads.insert((read.node, read.cell), self.graph.reads.len());
        }
        self.count_event(read.node);
        self.graph.reads.push(read);
    }

    /// The node writes the cell on a path; its write on other paths is merged.
    pub(crate) fn write(&mut self, pool: &mut ExprPool, node: u32, cell: Cell, guard: Guard, value: ExprId) {
        if let Some(&at) = self.writes.get(&(node, cell)) {
            let other = &mut self.graph.writes[at];
            let (guard, first) = meet(pool, &other.guard, &guard);
            other.value = pool.ite(first, other.value, value);
            other.guard = guard;
            return;
        }
        self.writes.insert((node, cell), self.graph.writes.len());
        self.count_event(node);
        self.graph.writes.push(WriteEvent { node, cell, index: None, guard, value, issued: None });
    }

    /// The node writes an element of a region.
    pub(crate) fn write_element(&mut self, node: u32, cell: Cell, index: ExprId, guard: Guard, value: ExprId) {
        self.count_event(node);
        self.graph.writes.push(WriteEvent { node, cell, index: Some(index), guard, value, issued: None });
    }

    /// A write that was in a store buffer.
    pub(crate) fn add_commit(&mut self, write: WriteEvent) {
        self.graph.writes.push(write);
    }

    fn count_event(&mut self, node: u32) {
        let thread = self.graph.nodes[node as usize].thread;
        if let Some(chain) = self.chains.get_mut(thread as usize) {
            chain.events += 1;
        }
    }

    /// How many reads and writes of a thread are events so far.
    pub(crate) fn events_of(&self, thread: u32) -> u32 {
        self.chains[thread as usize].events
    }

    /// The graph ends here before the program does.
    pub(crate) fn limit(&mut self, limit: Limit, guard: &Guard) {
        self.graph.limits.push((limit, guard.expr));
    }

    pub(crate) fn error(&mut self, guard: &Guard) {
        self.graph.errors.push(guard.expr);
    }

    /// The initial values of a table are too many.
    pub(crate) fn unstated(&mut self, name: &str, span: Span) {
        self.graph.unstated.get_or_insert_with(|| (name.to_string(), span));
    }

    pub(crate) fn library_result(&mut self, result: LibraryResult) {
        self.graph.results.push(result);
    }

    /// A stray pointer leads to no object.
    pub(crate) fn stray(&mut self, guard: &Guard) {
        self.graph.strays.push(guard.expr);
    }
}
