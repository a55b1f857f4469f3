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

use crate::cells::{Cell, Knowledge, Statics, Unsupported};
use crate::event_graph::{EventGraph, Limit, Node, OrderEdge, Step, ThreadSteps, WriteEvent};
use crate::guard::{Guard, meet};
use crate::liveness::live_locals;
use crate::regions::{RegionWrite, merge_writes};
use crate::store_buffers::{Buffer, Deferred};
use crate::values::ValueSets;
use crate::wto::{Wto, weak_topological_order};
use fixedbitset::FixedBitSet;
use raddle_interp::{MemoryModel, is_read_modify_write};
use raddle_ir::{
    Adjacency, Callee, EdgeId, ExprId, ExprPool, Label, LocId, LocKind, ObjectKind, ProcId, Program, Sort, Span, UnOp,
    VarId, VarsOf,
};
use raddle_passes::PointsTo;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
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
const MOST_RECURSION: u32 = 150;
const MOST_NODES: usize = 20_000;
/// So many threads of one site run in any case.
const THREADS_AT_ONCE: u32 = 4;

pub const EXCLUSIVE: u128 = 0x8000_0000;
pub(crate) const LOCK_BITS: u8 = 32;

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

struct Flow {
    out: Adjacency,
    wto: Wto,
    live: Vec<FixedBitSet>,
}

impl<'a> Static<'a> {
    pub fn new(program: &'a Program) -> Static<'a> {
        let mut slots = vec![0; program.vars.len()];
        for proc in &program.procs {
            proc.locals.iter().enumerate().for_each(|(slot, var)| slots[var.index()] = slot as u32);
        }
        Static {
            program,
            points_to: raddle_passes::points_to(program),
            statics: Statics::new(program),
            flow: vec![None; program.procs.len()],
            vars: VarsOf::new(),
            slots,
        }
    }

    fn flow(&mut self, proc: ProcId) -> Rc<Flow> {
        let procedure = self.program.proc(proc);
        let flow = self.flow[proc.index()].get_or_insert_with(|| {
            let out = procedure.out_edges();
            let wto = weak_topological_order(procedure, &out);
            let live = live_locals(procedure, &self.program.pool, &mut self.vars, &self.slots);
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
    pub(crate) sites_asked: Vec<(u32, u32, u32)>,
    pub(crate) objects: usize,
    /// Dynamic objects of this run.
    pub(crate) allocated: FxHashSet<u64>,
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
        sites_asked: Vec::new(),
        objects,
        allocated: FxHashSet::default(),
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

/// How an iteration of a loop begins.
#[derive(Clone)]
struct Head {
    guard: Guard,
    effects: u64,
    locals: Locals,
    events: u32,
}

/// An iteration whose end is not known statically counts as much as so many of those that are known and have events.
const UNKNOWN_ITERATION: u32 = 4;

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
        self.graph.labels = self.labels;
        self.graph.dynamics = self.knowledge.dynamics.values().map(|d| (d.address, d.size)).collect();
        self.graph.initial = self.initial.iter().map(|(cell, value)| (*cell, *value)).collect();
        self.graph.initial.retain(|(_, value)| self.pool.as_const(*value).is_none());
        Ok(())
    }

    fn initial_of_shared(&mut self) -> Vec<(Cell, ExprId)> {
        let mut cells: Vec<Cell> = self.graph.reads.iter().map(|read| read.cell).collect();
        cells.sort_unstable();
        cells.dedup();
        cells.into_iter().map(|cell| (cell, self.initial_value(cell))).collect()
    }

    /// Compares what the run found with what it assumed.
    fn learn(&mut self) -> Run<()> {
        let mut again = false;
        for (cell, accesses) in &self.accesses {
            if !self.knowledge.shared.contains(cell) && is_concurrent(accesses) {
                self.knowledge.shared.insert(*cell);
                again = true;
            }
        }
        again |= self.learn_values();
        let new_objects = self.knowledge.dynamics.len() > self.objects;
        again |= new_objects && !self.sites_asked.is_empty();
        again |= self.was_wrong;
        again |= self.forget_old_objects();
        if !again && self.cut_static && self.knowledge.static_iterations < 1 << 16 {
            self.knowledge.static_iterations *= 16;
            again = true;
        }
        if again {
            return Err(Ended::Again);
        }
        let of_any = self
            .joins_of_any
            .iter()
            .any(|(thread, known)| self.threads.iter().skip(*known as usize).any(|t| t.parent != Some(*thread)));
        let ends = |t: &u32| (*t as usize) < self.threads.len() && (*t != 0 || self.main_exits);
        let of_main = self.main_exits && self.joins_of_any.iter().any(|(thread, _)| *thread != 0);
        match of_any || of_main || self.missed_joins.iter().any(ends) {
            true => self.unsupported("a join of a thread that another thread started"),
            false => Ok(()),
        }
    }

    /// Addresses of dynamic objects depend on what was allocated before them, so that with other bounds there are other objects. Those that
    /// this run did not allocate must not lie in the way of those that it did.
    fn forget_old_objects(&mut self) -> bool {
        let knowledge = &mut *self.knowledge;
        if knowledge.dynamics.len() == self.allocated.len() {
            return false;
        }
        knowledge.dynamics.retain(|address, _| self.allocated.contains(address));
        let base = self.fixed.program.dynamic_base;
        knowledge.pieces.retain(|address, _| *address < base);
        knowledge.regions.retain(|address, _| *address < base);
        true
    }

    /// Joins the values that are written to the cells that were asked for.
    fn learn_values(&mut self) -> bool {
        let mut asked: BTreeSet<Cell> = self.values.asked.iter().copied().collect();
        let mut changed = false;
        let read_from = std::mem::take(&mut self.values.read_from);
        loop {
            let mut sets = ValueSets::reading(read_from.clone());
            let mut grew = false;
            for write in &self.graph.writes {
                if !asked.contains(&write.cell) {
                    continue;
                }
                let values = sets.of(self.pool, write.value, &self.knowledge.values);
                let known = self.knowledge.values.entry(write.cell).or_insert_with(|| Some(BTreeSet::new()));
                let more = match (known.as_ref(), values) {
                    (None, _) => continue,
                    (Some(_), None) => None,
                    (Some(known), Some(values)) => {
                        if values.is_subset(known) {
                            continue;
                        }
                        let all: BTreeSet<u64> = known.union(&values).copied().collect();
                        (all.len() <= crate::cells::MOST_VALUES).then_some(all)
                    }
                };
                *known = more;
                grew = true;
            }
            let before = asked.len();
            asked.extend(sets.asked);
            if !grew && asked.len() == before {
                return changed;
            }
            changed |= grew;
        }
    }

    pub(crate) fn unsupported<T>(&self, what: impl Into<String>) -> Run<T> {
        Err(Ended::Unsupported(Unsupported { what: what.into(), span: self.span }))
    }

    fn events_of(&self, thread: u32) -> u32 {
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

    // ---------------------------------------------------------------- threads

    /// Runs a thread from its first step on.
    pub(crate) fn run_thread(
        &mut self,
        proc: ProcId,
        parent: Option<u32>,
        arg: Option<ExprId>,
        state: State,
    ) -> Run<u32> {
        let thread = self.threads.len() as u32;
        self.threads.push(Thread {
            started_with: Rc::clone(&state.memory),
            in_progress: true,
            parent,
            ..Thread::default()
        });
        let procedure = self.fixed.program.proc(proc);
        let mut locals = vec![None; procedure.locals.len()];
        if let (Some(param), Some(arg)) = (procedure.params.first(), arg) {
            let sort = self.fixed.program.var(*param).sort;
            let arg = self.resize(arg, sort);
            locals[self.fixed.slots[param.index()] as usize] = Some(arg);
        }
        if let Some((locals, state)) = self.run_proc(proc, thread, Rc::new(locals), state)? {
            let result = match procedure.result {
                Some(var) => match locals[self.fixed.slots[var.index()] as usize] {
                    Some(value) => value,
                    None => {
                        let sort = self.fixed.program.var(var).sort;
                        self.symbol(sort)
                    }
                },
                None => self.pool.bits(32, 0),
            };
            self.end_thread(thread, state, result);
        }
        let yes = Guard::always(self.pool);
        let no = self.pool.bool(false);
        let mut ends = std::mem::take(&mut self.threads[thread as usize].ends).into_iter();
        let mut finished = match ends.next() {
            Some((ended, result, memory, seen)) => Finished { ended, result, memory, seen },
            None => Finished {
                ended: yes.and(self.pool, no),
                result: self.pool.bits(32, 0),
                memory: Memory::default(),
                seen: Rc::new(Vec::new()),
            },
        };
        for (guard, result, memory, seen) in ends {
            let (ended, first) = meet(self.pool, &finished.ended, &guard);
            let sort = self.pool.sort(finished.result);
            let result = self.resize(result, sort);
            finished = Finished {
                ended,
                result: self.pool.ite(first, finished.result, result),
                memory: self.merge_memory(first, &finished.memory, &memory),
                seen: earlier(&finished.seen, &seen),
            };
        }
        let this = &mut self.threads[thread as usize];
        this.finished = Some(finished);
        this.in_progress = false;
        Ok(thread)
    }

    /// A thread that never does anything.
    pub(crate) fn idle_thread(&mut self, parent: u32) {
        let (yes, no) = (Guard::always(self.pool), self.pool.bool(false));
        let finished = Finished {
            ended: yes.and(self.pool, no),
            result: self.pool.bits(32, 0),
            memory: Memory::default(),
            seen: Rc::new(Vec::new()),
        };
        self.threads.push(Thread { finished: Some(finished), parent: Some(parent), ..Thread::default() });
    }

    pub(crate) fn end_thread(&mut self, thread: u32, state: State, result: ExprId) {
        let mut state = state;
        self.close(&mut state);
        self.threads[thread as usize].ends.push((state.guard, result, state.memory, state.seen));
    }

    pub(crate) fn new_node(&mut self, thread: u32) -> u32 {
        let node = self.graph.nodes.len() as u32;
        self.graph.nodes.push(Node { thread, lane: None, span: self.span });
        let this = &mut self.threads[thread as usize];
        this.first_node.get_or_insert(node);
        this.last_node = Some(node);
        node
    }

    // ---------------------------------------------------------------- procedures

    /// Runs a procedure to its exit; `None`: no path gets there.
    fn run_proc(&mut self, proc: ProcId, thread: u32, locals: Locals, state: State) -> Run<Option<(Locals, State)>> {
        struct Pending {
            loc: LocId,
            /// For each component around: the iteration, and how many of them counted.
            iterations: Vec<(u32, u32)>,
            locals: Locals,
            state: State,
        }
        let flow = self.fixed.flow(proc);
        let procedure = self.fixed.program.proc(proc);
        let activation = Activation { proc, thread };
        // The last iteration of each component in which an exit was decided statically.
        let mut decided = vec![0u32; flow.wto.components.len()];
        // How each component's current iteration began.
        let mut heads: Vec<Option<Head>> = vec![None; flow.wto.components.len()];
        let mut pending: BTreeMap<Vec<u32>, Pending> = BTreeMap::new();
        let key = |loc: LocId, iterations: &[(u32, u32)]| -> Vec<u32> {
            let around = flow.wto.around(loc);
            let mut key = Vec::with_capacity(2 * around.len() + 1);
            for (component, iteration) in around.iter().zip(iterations) {
                let head = flow.wto.components[*component as usize].head;
                key.extend([flow.wto.position[head.index()], iteration.0]);
            }
            // A head comes first in its iteration.
            let is_head = around.last().is_some_and(|c| flow.wto.components[*c as usize].head == loc);
            key.push(if is_head { 0 } else { flow.wto.position[loc.index()] });
            key
        };
        let iterations = vec![(0, 0); flow.wto.around(procedure.entry).len()];
        pending.insert(key(procedure.entry, &iterations), Pending { loc: procedure.entry, iterations, locals, state });
        let mut returned = None;
        while let Some((_, at)) = pending.pop_first() {
            if at.loc == procedure.exit {
                // All ways to the exit come before it; paths that never get there may come after.
                returned = Some((at.locals, at.state));
                continue;
            }
            if procedure.locations[at.loc.index()].kind == LocKind::RecursionBound {
                self.limit(Limit::Recursion(proc), &at.state.guard);
                continue;
            }
            let edges = flow.out.of(at.loc);
            let mut at = at;
            let choices = self.choices(&activation, edges, &mut at.locals, &at.state)?;
            let around = flow.wto.around(at.loc);
            if let Some(component) = around.last().copied()
                && flow.wto.components[component as usize].head == at.loc
            {
                heads[component as usize] = Some(Head {
                    guard: at.state.guard.clone(),
                    effects: at.state.effects,
                    locals: Rc::clone(&at.locals),
                    events: self.events_of(thread),
                });
            }
            let Pending { loc, iterations: before, locals, state } = at;
            // The last way on takes the state itself: copies cost as much as all that the path knows.
            let last = choices.iter().rposition(|(_, guard, _)| guard.is_some());
            let mut rest = Some((locals, state));
            for (edge, _, _) in choices.iter().filter(|(_, guard, decided)| guard.is_none() && *decided) {
                for (i, component) in around.iter().enumerate() {
                    if !flow.wto.holds(*component, procedure.edges[edge.index()].target) {
                        decided[*component as usize] = before[i].0 + 1;
                    }
                }
            }
            for (n, (edge, guard, _)) in choices.into_iter().enumerate() {
                let target = procedure.edges[edge.index()].target;
                let Some(guard) = guard else { continue };
                let taken = if last == Some(n) { rest.take() } else { rest.clone() };
                let Some((locals, state)) = taken else { continue };
                let state = State { guard, ..state };
                let Some((locals, state)) = self.run_edge(&activation, edge, locals, state)? else {
                    continue;
                };
                // Where it goes.
                let mut iterations = before.clone();
                let target_around = flow.wto.around(target);
                let common = around.iter().zip(&target_around).take_while(|(a, b)| a == b).count();
                let back = flow.wto.position[target.index()] <= flow.wto.position[loc.index()];
                iterations.truncate(common);
                if back {
                    // To the head of a component that holds the source: another iteration of it.
                    let component = target_around[target_around.len() - 1];
                    let Some(last) = iterations.last_mut() else {
                        return self.unsupported("a loop of an unexpected shape");
                    };
                    // An iteration that only read and changed nothing that is still needed can be left out of any execution. It must have come
                    // through the head: a jump into the loop is not an iteration.
                    let is_idle = heads[component as usize].as_ref().is_some_and(|head| {
                        let live = &flow.live[target.index()];
                        head.effects == state.effects
                            && state.guard.implies(&head.guard)
                            && live.ones().all(|slot| head.locals[slot] == locals[slot])
                    });
                    if is_idle {
                        continue;
                    }
                    let is_decided = decided[component as usize] == last.0 + 1;
                    let has_events =
                        heads[component as usize].as_ref().is_none_or(|h| h.events != self.events_of(thread));
                    let is_cut = is_decided && !has_events && last.0 >= self.knowledge.static_iterations;
                    self.cut_static |= is_cut;
                    last.0 += 1;
                    last.1 += match (is_decided && !is_cut, has_events) {
                        (false, _) => UNKNOWN_ITERATION,
                        (true, true) => 1,
                        (true, false) => 0,
                    };
                    let limit = match is_decided && !is_cut {
                        true => Limit::KnownLoop(proc, target.0),
                        false => Limit::Loop(proc, target.0),
                    };
                    if last.1 > self.bounds.of(limit).saturating_mul(UNKNOWN_ITERATION) {
                        self.limit(limit, &state.guard);
                        continue;
                    }
                }
                iterations.resize(target_around.len(), (0, 0));
                let key = key(target, &iterations);
                let arrived = match pending.remove(&key) {
                    None => Pending { loc: target, iterations, locals, state },
                    Some(other) => {
                        let counted = other.iterations.iter().zip(&iterations).map(|(a, b)| (a.0, a.1.max(b.1)));
                        let iterations = counted.collect();
                        let (locals, state) = self.merge(
                            thread,
                            Some(&flow.live[target.index()]),
                            (other.locals, other.state),
                            (locals, state),
                        )?;
                        Pending { loc: target, iterations, locals, state }
                    }
                };
                pending.insert(key, arrived);
            }
        }
        Ok(returned)
    }

    pub(crate) fn limit(&mut self, limit: Limit, guard: &Guard) {
        self.graph.limits.push((limit, guard.expr));
    }

    /// The guard of each way on from a location; none where the condition is false, and then whether that was found out only here.
    fn choices(
        &mut self,
        activation: &Activation,
        edges: &[EdgeId],
        locals: &mut Locals,
        state: &State,
    ) -> Run<Vec<(EdgeId, Option<Guard>, bool)>> {
        let procedure = self.fixed.program.proc(activation.proc);
        let first_condition = |edge: &EdgeId| match procedure.edges[edge.index()].labels.first() {
            Some(Label::Assume(cond)) => Some(*cond),
            _ => None,
        };
        let mut result = Vec::with_capacity(edges.len());
        for edge in edges {
            let (guard, decided) = match first_condition(edge) {
                None => (state.guard.clone(), false),
                Some(cond) => {
                    let value = self.eval(activation, locals, cond);
                    (state.guard.and(self.pool, value), self.fixed.program.pool.as_const(cond).is_none())
                }
            };
            let is_possible = !guard.is_false(self.pool);
            result.push((*edge, is_possible.then_some(guard), decided));
        }
        // Two edges with complementary conditions exclude each other; otherwise the choice is free.
        let possible: Vec<usize> = (0..result.len()).filter(|i| result[*i].1.is_some()).collect();
        if possible.len() < 2 {
            return Ok(result);
        }
        if let [a, b] = possible[..]
            && let (Some(x), Some(y)) = (first_condition(&edges[a]), first_condition(&edges[b]))
        {
            let (x, y) = (self.eval(activation, locals, x), self.eval(activation, locals, y));
            if self.pool.not(x) == y {
                return Ok(result);
            }
        }
        let mut not_before = self.pool.bool(true);
        for (n, i) in possible.iter().enumerate() {
            let chosen = if n + 1 == possible.len() { not_before } else { self.symbol(Sort::Bool) };
            let this = self.pool.and(not_before, chosen);
            let not = self.pool.not(chosen);
            not_before = self.pool.and(not_before, not);
            if let Some(guard) = &result[*i].1 {
                let guard = guard.and(self.pool, this);
                result[*i].1 = Some(guard);
            }
        }
        Ok(result)
    }

    /// Takes an edge; `None`: the path ends on it.
    fn run_edge(
        &mut self,
        activation: &Activation,
        edge: EdgeId,
        locals: Locals,
        mut state: State,
    ) -> Run<Option<(Locals, State)>> {
        let mut locals = locals;
        let thread = activation.thread;
        let labels = &self.fixed.program.proc(activation.proc).edges[edge.index()].labels;
        self.span = self.fixed.program.proc(activation.proc).edges[edge.index()].span;
        self.labels += labels.len() as u64 + 1;
        if self.labels.is_multiple_of(64) && (self.stop)() {
            return Err(Ended::Stopped);
        }
        if self.labels > self.bounds.most_labels || self.graph.nodes.len() > MOST_NODES {
            self.limit(Limit::Size, &state.guard);
            return Ok(None);
        }
        let mut step = Step {
            edge,
            guard: state.guard.expr,
            node: None,
            havocs: vec![],
            choices: vec![],
            starts: None,
            error: false,
            closes: false,
            buffer: vec![],
        };
        if let [Label::Call { callee, args, var }] = &labels[..] {
            step.node = state.open.as_ref().and_then(|open| open.node);
            return self.call(activation, *callee, args, *var, locals, state, step);
        }
        if state.open.is_none() {
            state.open = Some(Open::default());
        }
        let program = self.fixed.program;
        let ir_edge = &program.proc(activation.proc).edges[edge.index()];
        let is_update = self.is_weak() && is_read_modify_write(program, ir_edge);
        if state.multi && self.model.edge_waits(program, ir_edge) && state.open.as_ref().is_some_and(|o| o.depth == 0) {
            self.wait(thread, &mut state);
        }
        let mut goes_on = true;
        for (i, label) in labels.iter().enumerate() {
            self.direct = is_update || labels[i + 1..].iter().any(|later| self.model.waits(later));
            let site = (activation.proc.0, edge.0, i as u32);
            goes_on = self.label(activation, site, label, &mut locals, &mut state, &mut step)?;
            if state.guard.is_false(self.pool) && !step.error {
                goes_on = false;
            }
            if !goes_on {
                break;
            }
        }
        step.node = step.node.or(state.open.as_ref().and_then(|open| open.node));
        step.guard = state.guard.expr;
        let ends_thread = matches!(labels.last(), Some(Label::ThreadExit { .. }));
        step.closes = step.error || ends_thread || state.open.as_ref().is_none_or(|open| open.depth == 0);
        if goes_on && state.open.as_ref().is_some_and(|open| open.depth == 0) {
            let deferred = state.open.as_mut().map_or(Vec::new(), |open| std::mem::take(&mut open.deferred));
            self.close(&mut state);
            step.buffer = self.issue(thread, &state.guard, deferred);
        }
        if (goes_on || step.error || ends_thread) && !self.pool.is_bool(step.guard, false) {
            self.threads[thread as usize].steps.push(step);
        }
        Ok(goes_on.then_some((locals, state)))
    }

    /// The node of a path ends: its writes become visible.
    fn close(&mut self, state: &mut State) {
        let Some(open) = state.open.take() else { return };
        if let Some(node) = open.node {
            self.close_regions(node, &state.guard.clone(), &open.region_writes);
        }
        let mut cells: Vec<(Cell, Entry)> = open.entries.into_iter().collect();
        cells.sort_unstable_by_key(|(cell, _)| *cell);
        for (cell, entry) in cells {
            let guard = match entry.written {
                Extent::Never => continue,
                Extent::Always => state.guard.clone(),
                Extent::If(cond) => state.guard.and(self.pool, cond),
            };
            let Some(node) = open.node else { continue };
            if !guard.is_false(self.pool) {
                self.write_event(node, cell, guard, entry.value);
            }
        }
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

    #[allow(clippy::too_many_arguments)]
    fn call(
        &mut self,
        activation: &Activation,
        callee: Callee,
        args: &[ExprId],
        var: Option<VarId>,
        mut locals: Locals,
        state: State,
        mut step: Step,
    ) -> Run<Option<(Locals, State)>> {
        let args: Vec<ExprId> = args.iter().map(|arg| self.eval(activation, &mut locals, *arg)).collect();
        let mut result: Option<(Locals, State)> = None;
        let span = self.span;
        let callees = self.callees(activation, callee, &mut locals)?;
        let no = self.pool.bool(false);
        let any = callees.iter().fold(no, |any, (_, cond)| self.pool.or(any, *cond));
        step.guard = state.guard.and(self.pool, any).expr;
        self.threads[activation.thread as usize].steps.push(step);
        for (proc, cond) in callees {
            self.span = span;
            let guard = state.guard.and(self.pool, cond);
            if guard.is_false(self.pool) {
                continue;
            }
            let decisions = guard.conjuncts.len();
            let active = self.active.entry(proc).or_default();
            // A recursion whose depth is known statically makes no decision on its way.
            let counted = active.windows(2).filter(|w| w[0] != w[1]).count()
                + usize::from(active.last().is_some_and(|last| *last != decisions));
            let depth = active.len();
            let limit = Limit::Recursion(proc);
            if counted as u32 > self.bounds.of(limit) || depth as u32 > MOST_RECURSION {
                self.limit(if depth as u32 > MOST_RECURSION { Limit::Size } else { limit }, &guard);
                continue;
            }
            active.push(decisions);
            let procedure = self.fixed.program.proc(proc);
            let mut callee_locals = vec![None; procedure.locals.len()];
            for (param, arg) in procedure.params.iter().zip(&args) {
                let sort = self.fixed.program.var(*param).sort;
                callee_locals[self.fixed.slots[param.index()] as usize] = Some(self.resize(*arg, sort));
            }
            let state = State { guard, ..state.clone() };
            let returned = self.run_proc(proc, activation.thread, Rc::new(callee_locals), state)?;
            if let Some(active) = self.active.get_mut(&proc) {
                active.pop();
            }
            let Some((callee_locals, state)) = returned else { continue };
            let mut locals = Rc::clone(&locals);
            if let Some(var) = var {
                let sort = self.fixed.program.var(var).sort;
                let value = procedure.result.and_then(|r| callee_locals[self.fixed.slots[r.index()] as usize]);
                let value = value.map(|value| self.resize(value, sort));
                self.set(&mut locals, var, value);
            }
            result = Some(match result {
                None => (locals, state),
                Some(other) => self.merge(activation.thread, None, other, (locals, state))?,
            });
        }
        self.span = span;
        Ok(result)
    }

    /// The procedures that a callee may be, and when.
    pub(crate) fn callees(
        &mut self,
        activation: &Activation,
        callee: Callee,
        locals: &mut Locals,
    ) -> Run<Vec<(ProcId, ExprId)>> {
        match callee {
            Callee::Proc(proc) => Ok(vec![(proc, self.pool.bool(true))]),
            Callee::Address(address) => {
                let ir_address = address;
                let address = self.eval(activation, locals, address);
                let program = self.fixed.program;
                let function_at = |at: u64| {
                    program.objects.iter().find_map(|o| match o.kind {
                        ObjectKind::Function(proc) if o.address == at => Some((at, proc)),
                        _ => None,
                    })
                };
                let found: Vec<(u64, ProcId)> = match self.values.of(self.pool, address, &self.knowledge.values) {
                    Some(values) => values.into_iter().filter_map(function_at).collect(),
                    None => {
                        let functions = self.fixed.points_to.functions(program, ir_address);
                        functions.iter().map(|(o, proc)| (program.objects[o.index()].address, *proc)).collect()
                    }
                };
                let bits = program.pointer_bits;
                Ok(found
                    .into_iter()
                    .map(|(at, proc)| {
                        let at = self.pool.bits(bits, at.into());
                        (proc, self.pool.eq(address, at))
                    })
                    .collect())
            }
        }
    }

    // ---------------------------------------------------------------- paths that meet

    /// One state for two paths; locals that are not `live` are forgotten.
    fn merge(
        &mut self,
        thread: u32,
        live: Option<&FixedBitSet>,
        a: (Locals, State),
        b: (Locals, State),
    ) -> Run<(Locals, State)> {
        let ((locals_a, mut a), (locals_b, mut b)) = (a, b);
        if a.multi != b.multi {
            let single = if a.multi { &mut b } else { &mut a };
            let node = self.new_node(thread);
            self.publish(node, single);
        }
        let (guard, first) = meet(self.pool, &a.guard, &b.guard);
        let locals = if Rc::ptr_eq(&locals_a, &locals_b) {
            locals_a
        } else {
            let both = locals_a.iter().zip(locals_b.iter()).enumerate();
            let is_live = |slot| live.is_none_or(|live| live.contains(slot));
            Rc::new(
                both.map(|(slot, (x, y))| match (x, y) {
                    (Some(x), Some(y)) if x == y => Some(*x),
                    (Some(x), Some(y)) if is_live(slot) => Some(self.pool.ite(first, *x, *y)),
                    // Not assigned on one of the paths: any value there.
                    _ => None,
                })
                .collect(),
            )
        };
        let open = match (a.open.take(), b.open.take()) {
            (None, None) => None,
            (Some(x), Some(y)) if x.depth == y.depth && x.node == y.node => {
                Some(self.merge_open(first, (x, &a.guard), (y, &b.guard)))
            }
            _ => return self.unsupported("an atomic block that is left in the middle"),
        };
        let memory = self.merge_memory(first, &a.memory, &b.memory);
        let seen = earlier(&a.seen, &b.seen);
        let effects = if a.effects == b.effects { a.effects } else { self.new_effect() };
        Ok((locals, State { guard, memory, multi: a.multi, seen, open, effects }))
    }

    fn merge_memory(&mut self, first: ExprId, a: &Memory, b: &Memory) -> Memory {
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

    /// What a memory says of a private cell.
    pub(crate) fn kept(&mut self, memory: &Memory, cell: Cell) -> Kept {
        match memory.get(&cell) {
            Some(kept) => *kept,
            None => Kept { value: self.initial_value(cell), version: 0 },
        }
    }

    fn merge_open(&mut self, first: ExprId, a: (Open, &Guard), b: (Open, &Guard)) -> Open {
        let ((a, guard_a), (b, guard_b)) = (a, b);
        let mut entries = FxHashMap::default();
        let mut cells: Vec<Cell> = a.entries.keys().chain(b.entries.keys()).copied().collect();
        cells.sort_unstable();
        cells.dedup();
        for cell in cells {
            let entry = match (a.entries.get(&cell), b.entries.get(&cell)) {
                (Some(x), Some(y)) => Entry {
                    known: self.merge_extent((x.known, guard_a), (y.known, guard_b)),
                    value: self.pool.ite(first, x.value, y.value),
                    written: self.merge_extent((x.written, guard_a), (y.written, guard_b)),
                },
                (Some(x), None) => Entry {
                    known: self.merge_extent((x.known, guard_a), (Extent::Never, guard_b)),
                    value: x.value,
                    written: self.merge_extent((x.written, guard_a), (Extent::Never, guard_b)),
                },
                (None, Some(y)) => Entry {
                    known: self.merge_extent((Extent::Never, guard_a), (y.known, guard_b)),
                    value: y.value,
                    written: self.merge_extent((Extent::Never, guard_a), (y.written, guard_b)),
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

    fn merge_extent(&mut self, a: (Extent, &Guard), b: (Extent, &Guard)) -> Extent {
        match (a.0, b.0) {
            (Extent::Never, Extent::Never) => Extent::Never,
            (Extent::Always, Extent::Always) => Extent::Always,
            _ => {
                let x = self.extent_expr(a.0, a.1);
                let y = self.extent_expr(b.0, b.1);
                Extent::If(self.pool.or(x, y))
            }
        }
    }

    fn extent_expr(&mut self, extent: Extent, guard: &Guard) -> ExprId {
        match extent {
            Extent::Never => self.pool.bool(false),
            Extent::Always => guard.expr,
            Extent::If(cond) => self.pool.and(guard.expr, cond),
        }
    }

    // ---------------------------------------------------------------- expressions

    /// The value of an expression. Locals that were never assigned get any value, and keep it.
    pub(crate) fn eval(&mut self, activation: &Activation, locals: &mut Locals, expr: ExprId) -> ExprId {
        if self.fixed.program.pool.as_const(expr).is_some() {
            return expr;
        }
        let vars = self.fixed.vars.get(&self.fixed.program.pool, expr).to_vec();
        for var in &vars {
            self.local(activation, locals, *var);
        }
        let slots = &self.fixed.slots;
        self.pool.substitute(expr, &mut |var| locals[slots[var.index()] as usize])
    }

    fn local(&mut self, _activation: &Activation, locals: &mut Locals, var: VarId) -> ExprId {
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

/// Does each pair of accesses of different threads, one of them a write, happen in a known order?
fn is_concurrent(accesses: &[Access]) -> bool {
    let precedes = |a: &Access, b: &Access| b.seen.get(a.thread as usize).is_some_and(|seen| *seen >= a.last);
    accesses.iter().enumerate().any(|(i, a)| {
        accesses[..i]
            .iter()
            .any(|b| a.thread != b.thread && (a.writes || b.writes) && !precedes(a, b) && !precedes(b, a))
    })
}

/// What is seen on both of two paths.
fn earlier(a: &Rc<Vec<u32>>, b: &Rc<Vec<u32>>) -> Rc<Vec<u32>> {
    if Rc::ptr_eq(a, b) {
        return Rc::clone(a);
    }
    Rc::new(a.iter().zip(b.iter()).map(|(x, y)| *x.min(y)).collect())
}
