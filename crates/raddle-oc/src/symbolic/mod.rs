//! Symbolic execution of all threads: Program to event graph.
//!
//! Each procedure is walked in its weak topological order; paths that meet are merged at once, so the work is linear in the size of the
//! unrolled program. Loops whose exits fold to constants unroll themselves; others go to their bound. A call runs the callee with the caller's
//! state; a start runs the new thread before the starter goes on (its events are concurrent all the same: only the order in which we look at them).
//!
//! **A thread may always stop.** An assumption, a blocked wait, a lock that is taken, undefined behaviour, a bound: each only
//! strengthens the guard of what follows in that thread. Nothing constrains other threads, since any prefix of an execution is an
//! execution, and an error in one thread does not wait for the others. Conversely every prefix extends to a run in which all threads go on until they are stuck,
//! which is what the guards describe.
//!
//! **Steps.** The labels of an edge, and a whole atomic block, are one node: reads take their value at the node's place in the order,
//! later reads see the node's own writes, and writes become visible at its end, if the end is reached.
//!
//! **Private memory.** What no two threads access concurrently (by start and join) is no event: its value travels with the thread, from the
//! starter to the started, and back on a join. See cells.rs for how this is known.

pub mod accesses;
pub mod assumptions;
pub mod cells;
pub mod event_graph;
pub mod guard;
pub mod labels;
pub mod lock_ops;
pub mod merge;
pub mod procedures;
pub mod regions;
pub mod store_buffers;
pub mod threads;
pub mod values;

use crate::symbolic::cells::{Cell, Knowledge, Statics, Unsupported};
use crate::symbolic::event_graph::{EventGraph, Limit, Node, OrderEdge, Step, ThreadSteps, WriteEvent};
use crate::symbolic::guard::{Guard, meet};
use crate::symbolic::regions::RegionWrite;
use crate::symbolic::store_buffers::{Buffer, Deferred};
use crate::symbolic::values::ValueSets;
use fixedbitset::FixedBitSet;
use raddle_analysis::{Output, PointsTo, Wto, live_locals, weak_topological_order};
use raddle_ir::MemoryModel;
use raddle_ir::{Adjacency, ExprId, ExprPool, ProcId, Program, Sort, Span, UnOp, VarId, VarsOf};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How far loops, recursion and threads are followed.
#[derive(Clone, Debug)]
pub struct Bounds {
    pub default: u32,
    pub of: FxHashMap<Limit, u32>,
    /// Labels to execute in all.
    pub most_labels: u64,
}

impl Bounds {
    pub fn of(&self, limit: Limit) -> u32 {
        let least = if let Limit::Threads(..) = limit { THREADS_AT_ONCE } else { 0 };
        self.of.get(&limit).copied().unwrap_or(self.default).max(least)
    }
}

/// Why a run ended early.
pub enum Ended {
    /// An assumption was dropped: run again.
    Again,
    Unsupported(Unsupported),
    Stopped,
}

pub(crate) type Run<T> = Result<T, Ended>;

/// A choice of so many cells by an undetermined address is followed.
pub(crate) const MOST_TARGETS: usize = 512;
/// Nested activations of one procedure whose depth is known statically.
pub(crate) const MOST_RECURSION: u32 = 150;
pub(crate) const MOST_NODES: usize = 20_000;
/// So many threads of one site run in any case.
const THREADS_AT_ONCE: u32 = 4;

/// What does not change between runs.
pub struct Static<'a> {
    pub program: &'a Program,
    pub points_to: PointsTo,
    pub statics: Statics,
    flow: Vec<Option<Rc<Flow>>>,
    pub(crate) vars: VarsOf,
    /// For each local variable, its place in its procedure's list.
    pub(crate) slots: Vec<u32>,
}

pub(crate) struct Flow {
    pub(crate) out: Adjacency,
    pub(crate) wto: Wto,
    pub(crate) live: Vec<FixedBitSet>,
}

impl<'a> Static<'a> {
    pub fn new(program: &'a Program) -> Static<'a> {
        let mut slots = vec![0; program.vars.len()];
        for proc in &program.procs {
            proc.locals.iter().enumerate().for_each(|(slot, var)| slots[var.index()] = slot as u32);
        }
        Static {
            program,
            points_to: raddle_analysis::points_to(program),
            statics: Statics::new(program),
            flow: vec![None; program.procs.len()],
            vars: VarsOf::new(),
            slots,
        }
    }

    pub(crate) fn flow(&mut self, proc: ProcId) -> Rc<Flow> {
        let procedure = self.program.proc(proc);
        let flow = self.flow[proc.index()].get_or_insert_with(|| {
            let out = procedure.out_edges();
            let wto = weak_topological_order(procedure, &out);
            let live = live_locals(procedure, &self.program.pool, Output::Ignored);
            let live = live.slots(|var| self.slots[var.index()] as usize);
            Rc::new(Flow { out, wto, live })
        });
        Rc::clone(flow)
    }
}

/// How much of the current path something holds for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    Never,
    Always,
    If(ExprId),
}

/// What the open node knows of a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) known: Extent,
    pub(crate) value: ExprId,
    pub(crate) written: Extent,
}

/// The node that a path is in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Open {
    /// `None`: nothing that others can see was done yet.
    pub(crate) node: Option<u32>,
    /// Nested atomic blocks; 0 for the node of a single edge.
    pub(crate) depth: u32,
    pub(crate) entries: FxHashMap<Cell, Entry>,
    pub(crate) region_writes: Vec<RegionWrite>,
    /// Empty in atomic blocks, see store_buffers.rs.
    pub(crate) deferred: Vec<Deferred>,
}

/// What a path knows of a private cell. Each write makes a new version, and so do paths that meet with different ones; 0 is the initial value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kept {
    pub(crate) value: ExprId,
    pub(crate) version: u64,
}

pub(crate) type Memory = Rc<FxHashMap<Cell, Kept>>;

/// One path, or several that met.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) guard: Guard,
    /// The values of private cells; those that are missing have their initial value.
    pub(crate) memory: Memory,
    /// May other threads be running?
    pub(crate) multi: bool,
    /// For each thread, up to which of its positions it precedes this path.
    pub(crate) seen: Rc<Vec<u32>>,
    pub(crate) open: Option<Open>,
    /// Changes with everything that the path does which is more than reading.
    pub(crate) effects: u64,
}

pub(crate) type Locals = Rc<Vec<Option<ExprId>>>;

/// Accesses of a thread to a cell that know the same of other threads.
pub(crate) struct Access {
    pub(crate) thread: u32,
    pub(crate) last: u32,
    pub(crate) writes: bool,
    pub(crate) seen: Rc<Vec<u32>>,
}

#[derive(Default)]
pub(crate) struct Thread {
    pub(crate) steps: Vec<Step>,
    /// Rises with each start.
    pub(crate) position: u32,
    pub(crate) allocated: u64,
    /// How it can end: the guard, its result, its state.
    pub(crate) ends: Vec<(Guard, ExprId, Memory, Rc<Vec<u32>>)>,
    pub(crate) started_with: Memory,
    pub(crate) finished: Option<Finished>,
    pub(crate) last_node: Option<u32>,
    pub(crate) first_node: Option<u32>,
    pub(crate) in_progress: bool,
    pub(crate) buffer: Buffer,
    pub(crate) parent: Option<u32>,
    /// How many reads and writes of it are events.
    pub(crate) events: u32,
}

#[derive(Clone)]
pub(crate) struct Finished {
    pub(crate) ended: Guard,
    pub(crate) result: ExprId,
    pub(crate) memory: Memory,
    pub(crate) seen: Rc<Vec<u32>>,
}

pub struct Executor<'a, 'p> {
    pub(crate) model: MemoryModel,
    /// Stores of the present label are visible at once, whatever the memory model.
    pub(crate) direct: bool,
    pub(crate) fixed: &'a mut Static<'p>,
    pub(crate) pool: &'a mut ExprPool,
    pub(crate) knowledge: &'a mut Knowledge,
    pub(crate) bounds: &'a Bounds,
    pub(crate) next_symbol: &'a mut u32,
    pub(crate) stop: &'a dyn Fn() -> bool,
    pub graph: EventGraph,
    pub(crate) threads: Vec<Thread>,
    pub(crate) values: ValueSets,
    pub(crate) accesses: FxHashMap<Cell, Vec<Access>>,
    pub(crate) initial: FxHashMap<Cell, ExprId>,
    /// The read of each node and cell.
    pub(crate) reads: FxHashMap<(u32, Cell), usize>,
    /// The write of each node and cell.
    pub(crate) writes: FxHashMap<(u32, Cell), usize>,
    /// Threads that somebody joins who was looked at before they had ended.
    pub(crate) missed_joins: Vec<u32>,
    /// Threads that join any thread there is, and how many there were.
    pub(crate) joins_of_any: Vec<(u32, u32)>,
    pub(crate) effects: u64,
    /// Threads started at each site.
    pub(crate) started: FxHashMap<(u32, u32, u32), u32>,
    /// Something depends on which dynamic objects there are, and how many were known when the run began.
    pub(crate) asked_for_objects: bool,
    pub(crate) objects: usize,
    /// Dynamic objects of this run, by address, with their sizes.
    pub(crate) allocated: FxHashMap<u64, ExprId>,
    /// What this run assumed of a dynamic object, or of a private cell, turned out to be wrong.
    pub(crate) was_wrong: bool,
    /// The first thread may end before the program does.
    pub(crate) main_exits: bool,
    pub(crate) labels: u64,
    /// How often each procedure is active, and how many symbolic decisions there were when it was entered last.
    pub(crate) active: FxHashMap<ProcId, Vec<usize>>,
    /// A statically decided loop or recursion was cut off.
    pub(crate) cut_static: bool,
    pub(crate) span: Span,
}

/// Runs the program once under what is known; learns on the way.
pub fn run<'p>(
    fixed: &mut Static<'p>,
    model: MemoryModel,
    pool: &mut ExprPool,
    knowledge: &mut Knowledge,
    bounds: &Bounds,
    next_symbol: &mut u32,
    stop: &dyn Fn() -> bool,
) -> Run<EventGraph> {
    let objects = knowledge.dynamics.len();
    let mut executor = Executor {
        model,
        direct: false,
        fixed,
        pool,
        knowledge,
        bounds,
        next_symbol,
        stop,
        graph: EventGraph::default(),
        threads: Vec::new(),
        values: ValueSets::default(),
        accesses: FxHashMap::default(),
        initial: FxHashMap::default(),
        reads: FxHashMap::default(),
        writes: FxHashMap::default(),
        missed_joins: Vec::new(),
        joins_of_any: Vec::new(),
        effects: 0,
        started: FxHashMap::default(),
        asked_for_objects: false,
        objects,
        allocated: FxHashMap::default(),
        was_wrong: false,
        main_exits: false,
        labels: 0,
        active: FxHashMap::default(),
        cut_static: false,
        span: Span::default(),
    };
    executor.run_all()?;
    executor.learn()?;
    Ok(executor.graph)
}

/// A procedure that a thread runs.
pub(crate) struct Activation {
    pub(crate) proc: ProcId,
    pub(crate) thread: u32,
}

impl<'a, 'p> Executor<'a, 'p> {
    fn run_all(&mut self) -> Run<()> {
        // Node 0 is the beginning: there all cells get their initial values.
        self.graph.nodes.push(Node { thread: u32::MAX, lane: None, span: Span::default() });
        let entry = self.fixed.program.entry;
        let state = State {
            guard: Guard::always(self.pool),
            memory: Memory::default(),
            multi: false,
            seen: Rc::new(Vec::new()),
            open: None,
            effects: 0,
        };
        self.run_thread(entry, None, None, state)?;
        for (cell, value) in self.initial_of_shared() {
            let guard = Guard::always(self.pool);
            self.graph.writes.push(WriteEvent { node: 0, cell, index: None, guard, value, issued: None });
        }
        self.simplify_waits();
        let guard = Guard::always(self.pool);
        for thread in &self.threads {
            if let Some(first) = thread.first_node {
                self.graph.edges.push(OrderEdge { from: 0, to: first, guard: guard.clone() });
            }
        }
        self.graph.threads =
            self.threads.iter_mut().map(|t| ThreadSteps { steps: std::mem::take(&mut t.steps) }).collect();
        self.graph.dynamics = self.knowledge.dynamics.values().map(|d| (d.address, d.size)).collect();
        Ok(())
    }

    pub(crate) fn initial_of_shared(&mut self) -> Vec<(Cell, ExprId)> {
        let mut cells: Vec<Cell> = self.graph.reads.iter().map(|read| read.cell).collect();
        cells.sort_unstable();
        cells.dedup();
        cells.into_iter().map(|cell| (cell, self.initial_value(cell))).collect()
    }

    pub(crate) fn unsupported<T>(&self, what: impl Into<String>) -> Run<T> {
        Err(Ended::Unsupported(Unsupported { what: what.into(), span: self.span }))
    }

    pub(crate) fn events_of(&self, thread: u32) -> u32 {
        self.threads[thread as usize].events
    }

    pub(crate) fn new_effect(&mut self) -> u64 {
        self.effects += 1;
        self.effects
    }

    pub(crate) fn symbol(&mut self, sort: Sort) -> ExprId {
        let var = VarId(*self.next_symbol);
        *self.next_symbol += 1;
        self.pool.var(var, sort)
    }

    pub(crate) fn count_event(&mut self, node: u32) {
        let thread = self.graph.nodes[node as usize].thread;
        if let Some(thread) = self.threads.get_mut(thread as usize) {
            thread.events += 1;
        }
    }

    /// A node has one write for each cell; that of other paths through it is merged.
    pub(crate) fn write_event(&mut self, node: u32, cell: Cell, guard: Guard, value: ExprId) {
        if let Some(&at) = self.writes.get(&(node, cell)) {
            let other = &mut self.graph.writes[at];
            let (guard, first) = meet(self.pool, &other.guard, &guard);
            other.value = self.pool.ite(first, other.value, value);
            other.guard = guard;
            return;
        }
        self.writes.insert((node, cell), self.graph.writes.len());
        self.count_event(node);
        self.graph.writes.push(WriteEvent { node, cell, index: None, guard, value, issued: None });
    }

    /// The value of an expression. Locals that were never assigned get any value, and keep it.
    pub(crate) fn eval(&mut self, locals: &mut Locals, expr: ExprId) -> ExprId {
        if self.fixed.program.pool.as_const(expr).is_some() {
            return expr;
        }
        let vars = self.fixed.vars.get(&self.fixed.program.pool, expr).to_vec();
        for var in &vars {
            self.local(locals, *var);
        }
        let slots = &self.fixed.slots;
        self.pool.substitute(expr, &mut |var| locals[slots[var.index()] as usize])
    }

    fn local(&mut self, locals: &mut Locals, var: VarId) -> ExprId {
        let slot = self.fixed.slots[var.index()] as usize;
        match locals[slot] {
            Some(value) => value,
            None => {
                let symbol = self.symbol(self.fixed.program.var(var).sort);
                Rc::make_mut(locals)[slot] = Some(symbol);
                symbol
            }
        }
    }

    pub(crate) fn set(&mut self, locals: &mut Locals, var: VarId, value: Option<ExprId>) {
        let slot = self.fixed.slots[var.index()] as usize;
        Rc::make_mut(locals)[slot] = value;
    }

    /// A value in another width: cut or extended with zeros.
    pub(crate) fn resize(&mut self, value: ExprId, to: Sort) -> ExprId {
        let from = self.pool.sort(value);
        if from == to {
            return value;
        }
        let bits = self.bits_of(value);
        self.scalar_of(bits, to)
    }

    /// The bits of a scalar.
    pub(crate) fn bits_of(&mut self, value: ExprId) -> ExprId {
        match self.pool.sort(value) {
            Sort::Bool => {
                let (one, zero) = (self.pool.bits(1, 1), self.pool.bits(1, 0));
                self.pool.ite(value, one, zero)
            }
            Sort::Float(_) => self.pool.unary(UnOp::FToBits, value),
            _ => value,
        }
    }

    /// The scalar that some bits are, cut or extended with zeros to its width.
    pub(crate) fn scalar_of(&mut self, value: ExprId, to: Sort) -> ExprId {
        let Sort::Bits(have) = self.pool.sort(value) else { return value };
        let want = to.bits().unwrap_or(1);
        let value = match have.cmp(&want) {
            std::cmp::Ordering::Less => self.pool.zero_ext(want, value),
            std::cmp::Ordering::Greater => self.pool.extract(want - 1, 0, value),
            std::cmp::Ordering::Equal => value,
        };
        match to {
            Sort::Bool => {
                let one = self.pool.bits(1, 1);
                self.pool.eq(value, one)
            }
            Sort::Float(to) => self.pool.bits_to_f(to, value),
            _ => value,
        }
    }
}
