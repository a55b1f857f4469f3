//! From the event graph to clauses and an ordering problem (thesis 2, section 5.3.1).
//!
//! Values need no constraints of their own: an event's value and guard are expressions over the symbols of reads. What is left is RF-Val (a read that
//! reads from a write has its value, and both are there) and RF-Some (a read that is there reads from some write). Candidates for a read
//! are left out that no execution can have: a write after the read, one that another write certainly overwrites in between, one
//! on an excluded path.
//!
//! A read also sees the stores of its own thread that are still in the store buffer: these writes are its *own*. To read from one of them does not order
//! anything, since the value is there before the write is visible; but the read cannot miss them.

pub mod backend;
pub mod bounded_inputs;
pub mod known_zeros;

use crate::encode::backend::Backend;
use crate::encode::known_zeros::known_zeros;
use crate::order::clocks::Clocks;
use crate::order::{CellId, Edge, NodeId, OrderProblem, Read, ReadFrom, ReadId, When, Write, WriteId};
use crate::symbolic::event_graph::{EventGraph, ReadEvent, WriteEvent};
use crate::symbolic::guard::Guard;
use crate::symbolic::knowledge::cells::Cell;
use crate::symbolic::symbols::Symbols;
use raddle_ir::{ExprId, ExprPool, Sort};
use raddle_smt::{SatLit, Why};
use rustc_hash::FxHashMap;

/// What there is to solve.
#[derive(Clone, Debug, Default)]
pub struct Encoded {
    pub problem: OrderProblem,
    /// Read-from candidates that were left out.
    pub pruned: u64,
}

/// The writes that a read may read from, and its own ones.
type Sources<'a> = (Vec<(WriteId, &'a WriteEvent)>, Vec<WriteId>);

/// Encodes the graph into the solver. That can take long, with the square of the number of events: it asks whether to stop.
pub fn encode(
    graph: &EventGraph,
    pool: &mut Symbols,
    solver: &mut dyn Backend,
    is_over: &dyn Fn() -> bool,
) -> Result<Encoded, Why> {
    let mut problem = skeleton(graph);
    for edge in &graph.edges {
        if let Some(when) = literal(solver, pool, &edge.guard)? {
            problem.edges.push(Edge { from: NodeId(edge.from), to: NodeId(edge.to), when });
        }
    }
    let clocks = match Clocks::of_unconditional(&problem) {
        Ok(clocks) => clocks,
        Err(_) => Clocks::of_chains(&problem),
    };
    let mut cells: FxHashMap<Cell, usize> = FxHashMap::default();
    let mut writes_of: Vec<Vec<(WriteId, WriteEvent)>> = Vec::new();
    for read in graph.reads.iter().filter(|read| read.index.is_none()) {
        cells.entry(read.cell).or_insert_with(|| {
            writes_of.push(Vec::new());
            writes_of.len() - 1
        });
    }
    for write in &graph.writes {
        // What nobody reads does not matter.
        let Some(&cell) = cells.get(&write.cell) else { continue };
        let Some(guard) = literal(solver, pool, &write.guard)? else { continue };
        writes_of[cell].push((WriteId(problem.writes.len() as u32), write.clone()));
        problem.writes.push(Write { node: NodeId(write.node), cell: CellId(cell as u32), guard });
    }
    // Each read of a region has its own view of the region's writes: a write is there if it is at the read's index.
    let mut cell_of_read: Vec<usize> = Vec::with_capacity(graph.reads.len());
    for read in &graph.reads {
        let Some(index) = read.index else {
            cell_of_read.push(cells[&read.cell]);
            continue;
        };
        let cell = writes_of.len();
        let mut views = Vec::new();
        for write in graph.writes.iter().filter(|write| write.cell == read.cell && write.node != read.node) {
            let view = view_at(pool, write, index);
            let Some(guard) = literal(solver, pool, &view.guard)? else { continue };
            views.push((WriteId(problem.writes.len() as u32), view));
            problem.writes.push(Write { node: NodeId(write.node), cell: CellId(cell as u32), guard });
        }
        writes_of.push(views);
        cell_of_read.push(cell);
    }
    problem.cells = writes_of.len() as u32;
    let zeros = known_zeros(graph, pool);
    let mut pruned = 0;
    // A read that has only one write to read from, and comes after it, is that value: it need not be a variable.
    let mut candidates: Vec<Sources> = Vec::with_capacity(graph.reads.len());
    for (i, (read, cell)) in graph.reads.iter().zip(&cell_of_read).enumerate() {
        if i.is_multiple_of(16) && is_over() {
            return Err(Why::Interrupted);
        }
        let all = &writes_of[*cell];
        let own = own_writes(graph, &clocks, read, all);
        let possible = candidates_of(pool, &clocks, read, all, &own);
        pruned += (all.len() - possible.len()) as u64;
        if let [(_, write)] = possible[..]
            && (clocks.precedes(NodeId(write.node), NodeId(read.node)) || own.contains(&possible[0].0))
        {
            let equal = pool.eq(read.value, write.value);
            solver.assert(pool, equal);
        } else {
            narrow(pool, solver, read, zeros.get(&read.cell).copied().unwrap_or(0));
        }
        candidates.push((possible, own));
    }
    for ((read, cell), (possible, own)) in graph.reads.iter().zip(&cell_of_read).zip(candidates) {
        let Some(guard) = literal(solver, pool, &read.guard)? else { continue };
        let id = ReadId(problem.reads.len() as u32);
        let cell = CellId(*cell as u32);
        problem.reads.push(Read { node: NodeId(read.node), cell, guard, own: own.clone() });
        let mut some: Vec<SatLit> = guard.iter().map(|g| !*g).collect();
        for (write_id, write) in possible {
            let lit = solver.fresh_literal(pool);
            let equal = pool.eq(read.value, write.value);
            let equal = solver.literal(pool, equal)?;
            solver.add_clause(pool, &[!lit, equal]);
            for guard in [guard, problem.writes[write_id.index()].guard].into_iter().flatten() {
                solver.add_clause(pool, &[!lit, guard]);
            }
            some.push(lit);
            let orders = !own.contains(&write_id);
            problem.read_froms.push(ReadFrom { lit, write: write_id, read: id, orders });
        }
        solver.add_clause(pool, &some);
    }
    Ok(Encoded { problem, pruned })
}

/// A read whose high bits are always zero is a narrower symbol.
fn narrow(pool: &mut Symbols, solver: &mut dyn Backend, read: &ReadEvent, zeros: u128) {
    let Sort::Bits(width) = pool.sort(read.value) else { return };
    let needed = (128 - zeros.leading_ones()).max(1) as u8;
    if needed < width {
        let low = pool.fresh(Sort::Bits(needed));
        let value = pool.zero_ext(width, low);
        let equal = pool.eq(read.value, value);
        solver.assert(pool, equal);
    }
}

/// The nodes and chains.
fn skeleton(graph: &EventGraph) -> OrderProblem {
    let mut chains: Vec<Vec<NodeId>> = vec![vec![]; graph.threads.len() + 1 + graph.lanes as usize];
    for (i, node) in graph.nodes.iter().enumerate() {
        let chain = match node.lane {
            Some(lane) => graph.threads.len() + 1 + lane as usize,
            // The beginning has a chain of its own.
            None => node.thread.wrapping_add(1) as usize,
        };
        chains[chain].push(NodeId(i as u32));
    }
    OrderProblem { chains, nodes: graph.nodes.len() as u32, ..OrderProblem::default() }
}

/// A write to a region as a read at an index sees it.
fn view_at(pool: &mut ExprPool, write: &WriteEvent, index: ExprId) -> WriteEvent {
    let mut view = write.clone();
    match write.index {
        Some(at) => {
            let same = pool.eq(at, index);
            view.guard = write.guard.and(pool, same);
        }
        None => view.value = pool.select(write.value, index),
    }
    view
}

/// The literal of a guard; `None` inside for one that always holds, outside for one that never does.
fn literal(solver: &mut dyn Backend, pool: &ExprPool, guard: &Guard) -> Result<Option<When>, Why> {
    if guard.is_true(pool) {
        return Ok(Some(None));
    }
    if guard.is_false(pool) {
        return Ok(None);
    }
    Ok(Some(Some(solver.literal(pool, guard.expr)?)))
}

/// Earlier stores of the read's thread that may still be in its buffer, but for those that a later one certainly overwrites.
fn own_writes(graph: &EventGraph, clocks: &Clocks, read: &ReadEvent, writes: &[(WriteId, WriteEvent)]) -> Vec<WriteId> {
    let thread = graph.nodes[read.node as usize].thread;
    let mut own = Vec::new();
    for (id, write) in writes.iter().rev() {
        let is_earlier = write.issued.is_some_and(|issued| issued < read.node);
        if is_earlier && graph.nodes[write.node as usize].thread == thread {
            if !clocks.precedes(NodeId(write.node), NodeId(read.node)) {
                own.push(*id);
            }
            if read.guard.implies(&write.guard) {
                break;
            }
        }
    }
    own
}

/// The writes that a read may read from.
fn candidates_of<'a>(
    pool: &mut ExprPool,
    clocks: &Clocks,
    read: &ReadEvent,
    writes: &'a [(WriteId, WriteEvent)],
    own: &[WriteId],
) -> Vec<(WriteId, &'a WriteEvent)> {
    let at = NodeId(read.node);
    // Writes before the read that are there whenever the read is; the last ones of each chain are enough.
    let mut certain: FxHashMap<u32, NodeId> = FxHashMap::default();
    for (id, write) in writes {
        let node = NodeId(write.node);
        if (clocks.precedes(node, at) || own.contains(id)) && read.guard.implies(&write.guard) {
            let last = certain.entry(clocks.chain(node).0).or_insert(node);
            if clocks.precedes(*last, node) {
                *last = node;
            }
        }
    }
    let mut result = Vec::new();
    for (i, (id, write)) in writes.iter().enumerate() {
        let node = NodeId(write.node);
        if node == at || clocks.precedes(at, node) || certain.values().any(|over| clocks.precedes(node, *over)) {
            continue;
        }
        // Overwritten by a write of the same thread that is there whenever this one is.
        let overwritten = writes[i + 1..].iter().any(|(id, later)| {
            let over = NodeId(later.node);
            let is_seen = clocks.precedes(over, at) || own.contains(id);
            is_seen && clocks.precedes(node, over) && write.guard.implies(&later.guard)
        });
        if overwritten || excludes(pool, &read.guard, &write.guard) {
            continue;
        }
        result.push((*id, write));
    }
    result
}

/// Can two guards not hold together, as their conjuncts tell?
fn excludes(pool: &mut ExprPool, a: &Guard, b: &Guard) -> bool {
    a.conjuncts.iter().any(|cond| {
        let not = pool.not(*cond);
        b.conjuncts.contains(&not)
    })
}

/// The disjunction of some conditions.
pub fn any_of(pool: &mut ExprPool, conditions: impl IntoIterator<Item = ExprId>) -> ExprId {
    let no = pool.bool(false);
    conditions.into_iter().fold(no, |any, cond| pool.or(any, cond))
}
