//! What a thread may still touch: for each location, the shared variables that are read and written on any way from there, also by threads that are
//! started on the way. Precomputed once (Definition 10, without the part about enabling others, which depends on the state).

use crate::model::Model;
use crate::model::instances::{Origin, Vars};
use fixedbitset::FixedBitSet;
use raddle_analysis::reached;
use raddle_ir::{Callee, Edge, EdgeId, Label, LocId, Place, ProcId, Program, Sort, Storage, VarId, VarKind};

/// Shared variables, by id.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Footprint {
    pub reads: FixedBitSet,
    pub writes: FixedBitSet,
}

impl Footprint {
    pub fn read(&mut self, var: VarId) {
        self.reads.grow_and_insert(var.index());
    }

    pub fn write(&mut self, var: VarId) {
        self.writes.grow_and_insert(var.index());
    }

    pub fn union_with(&mut self, other: &Footprint) {
        self.reads.union_with(&other.reads);
        self.writes.union_with(&other.writes);
    }

    /// Calls `f` for each variable that both touch and one writes.
    pub fn for_each_conflict(&self, other: &Footprint, mut f: impl FnMut(usize)) {
        self.writes.intersection(&other.writes).for_each(&mut f);
        self.writes.intersection(&other.reads).for_each(&mut f);
        self.reads.intersection(&other.writes).for_each(&mut f);
    }
}

/// What is known of each location before any exploration.
pub struct Futures {
    /// By procedure and location: what may be touched from there on.
    future: Vec<Vec<Footprint>>,
    /// Can a cycle be reached from there?
    loops: Vec<Vec<bool>>,
    /// By procedure and edge: the block that the edge begins and does not end.
    blocks: Vec<Vec<Option<Block>>>,
}

/// An atomic block from its beginning on: one step for everyone else.
pub struct Block {
    pub footprint: Footprint,
    /// It comes to its end whatever the values of variables are. A block in which an assumption fails, behaviour is undefined, the thread waits or the program
    /// ends does not: no other thread steps after it.
    pub is_certain: bool,
    /// It may wait for the end of a thread, which no footprint shows.
    pub joins: bool,
}

impl Futures {
    pub fn new(model: &mut Model) -> Self {
        let program = model.program;
        let classes = model.vars.memory_classes();
        let edges: Vec<Vec<Footprint>> = (program.procs.iter())
            .map(|proc| proc.edges.iter().map(|edge| of_edge(program, &mut model.vars, &classes, edge)).collect())
            .collect();
        let future = futures(program, &edges);
        let loops = program.procs.iter().map(reaches_cycle).collect();
        let blocks = (0..program.procs.len()).map(|i| blocks(program, ProcId(i as u32), &edges[i])).collect();
        Futures { future, loops, blocks }
    }

    pub fn of(&self, proc: ProcId, location: LocId) -> &Footprint {
        &self.future[proc.index()][location.index()]
    }

    pub fn loops(&self, proc: ProcId, location: LocId) -> bool {
        self.loops[proc.index()][location.index()]
    }

    pub fn block(&self, proc: ProcId, edge: EdgeId) -> Option<&Block> {
        self.blocks[proc.index()][edge.index()].as_ref()
    }
}

/// Stands for all locks where an operation's lock is not known: such an operation writes it, every other one reads it.
pub fn any_lock(vars: &mut Vars) -> VarId {
    vars.make(Origin::AnyLock, Sort::Bool, None)
}

fn of_edge(program: &Program, vars: &mut Vars, classes: &[VarId], edge: &Edge) -> Footprint {
    let mut footprint = Footprint::default();
    let is_global = |var: VarId| matches!(program.var(var).kind, VarKind::Global(_));
    for label in &edge.labels {
        match label {
            Label::Load { place: Place::Var(var), .. } if is_global(*var) => footprint.read(*var),
            Label::Store { place: Place::Var(var), .. } if is_global(*var) => footprint.write(*var),
            Label::Load { place: Place::Memory(_), .. } => classes.iter().for_each(|class| footprint.read(*class)),
            // A store keeps the rest of the array: it reads it as well, which makes no difference. An allocation may clear memory.
            Label::Store { place: Place::Memory(_), .. } | Label::Alloc { zeroed: true, .. } => {
                classes.iter().for_each(|class| footprint.write(*class));
            }
            Label::Lock { lock, .. } => {
                let any = any_lock(vars);
                match program.pool.as_const(*lock) {
                    Some(address) => {
                        footprint.read(any);
                        footprint.write(vars.lock_part(Origin::LockWord(address.bits as u64)));
                        footprint.write(vars.lock_part(Origin::LockKind(address.bits as u64)));
                    }
                    None => footprint.write(any),
                }
            }
            // Threads are numbered as they start.
            Label::Start { .. } => footprint.write(vars.thread_count()),
            // The end of a thread and a join of it need no entry. No execution joins a thread before it ended, so that the end
            // of a thread is never to be swapped with a join of it; and a join of another thread is independent of it.
            _ => {}
        }
    }
    footprint
}

/// The least fixpoint over locations: an edge passes on what follows its target, and what the threads that it starts do.
fn futures(program: &Program, edges: &[Vec<Footprint>]) -> Vec<Vec<Footprint>> {
    let mut future: Vec<Vec<Footprint>> =
        program.procs.iter().map(|proc| vec![Footprint::default(); proc.locations.len()]).collect();
    loop {
        let mut changed = false;
        for (i, proc) in program.procs.iter().enumerate() {
            for (k, edge) in proc.edges.iter().enumerate().rev() {
                let mut sum = future[i][edge.source.index()].clone();
                sum.union_with(&edges[i][k]);
                sum.union_with(&future[i][edge.target.index()]);
                for label in &edge.labels {
                    if let Label::Start { callee: Callee::Proc(callee), .. } = label {
                        sum.union_with(&future[callee.index()][program.proc(*callee).entry.index()]);
                    }
                }
                if sum != future[i][edge.source.index()] {
                    future[i][edge.source.index()] = sum;
                    changed = true;
                }
            }
        }
        if !changed {
            return future;
        }
    }
}

/// From which locations can a cycle be reached? From those that are left when what has no way on is taken away, again and again.
fn reaches_cycle(proc: &raddle_ir::Procedure) -> Vec<bool> {
    let mut left = vec![0u32; proc.locations.len()];
    proc.edges.iter().for_each(|edge| left[edge.source.index()] += 1);
    let incoming = proc.in_edges();
    let mut open: Vec<LocId> = (0..proc.locations.len() as u32).map(LocId).filter(|l| left[l.index()] == 0).collect();
    while let Some(location) = open.pop() {
        for edge in incoming.of(location) {
            let source = proc.edges[edge.index()].source;
            left[source.index()] -= 1;
            if left[source.index()] == 0 {
                open.push(source);
            }
        }
    }
    left.iter().map(|count| *count > 0).collect()
}

/// How deep in atomic blocks an edge ends, if it begins at a depth. The end of a thread ends its blocks; the end of the program inside a block leaves
/// nobody who could step: `None`.
fn depth_after(edge: &Edge, mut depth: u32) -> Option<u32> {
    for label in &edge.labels {
        match label {
            Label::AtomicBegin => depth += 1,
            Label::AtomicEnd => depth = depth.saturating_sub(1),
            Label::Halt { .. } if depth > 0 => return None,
            Label::Error(_) | Label::Halt { .. } | Label::ThreadExit { .. } => return Some(0),
            _ => {}
        }
    }
    Some(depth)
}

/// For each edge that begins an atomic block and does not end it: the whole block.
fn blocks(program: &Program, proc: ProcId, edges: &[Footprint]) -> Vec<Option<Block>> {
    let proc = program.proc(proc);
    let outgoing = proc.out_edges();
    let begins = |edge: &Edge| edge.labels.contains(&Label::AtomicBegin);
    let block = |edge: &Edge| {
        let after = depth_after(edge, 0);
        if !begins(edge) || after == Some(0) {
            return None;
        }
        let mut block = Block { footprint: Footprint::default(), is_certain: after.is_some(), joins: false };
        let mut seen: Vec<(LocId, u32)> = after.map(|depth| (edge.target, depth)).into_iter().collect();
        let mut next = 0;
        while let Some(&(location, depth)) = seen.get(next) {
            next += 1;
            block.is_certain &= goes_on(program, proc, outgoing.of(location)) && location != proc.exit;
            for id in outgoing.of(location) {
                let edge = &proc.edges[id.index()];
                block.footprint.union_with(&edges[id.index()]);
                block.joins |= edge.labels.iter().any(|label| matches!(label, Label::Join { .. }));
                let Some(depth) = depth_after(edge, depth) else {
                    block.is_certain = false;
                    continue;
                };
                let place = (edge.target, depth);
                if depth > 0 && !seen.contains(&place) {
                    seen.push(place);
                } else if depth > 0 {
                    // Two ways to a place are as good as a cycle.
                    block.is_certain &= !reached(proc, &outgoing, edge.target).contains(edge.source.index());
                }
            }
        }
        Some(block)
    };
    proc.edges.iter().map(block).collect()
}

/// Can one of these edges be taken whatever the values are? One without conditions, or two that begin with a condition and its opposite and have no other.
fn goes_on(program: &Program, proc: &raddle_ir::Procedure, edges: &[EdgeId]) -> bool {
    let conditions = |edge: &EdgeId, from: usize| {
        proc.edges[edge.index()].labels.iter().skip(from).any(|label| {
            matches!(
                label,
                Label::Assume(_) | Label::Await(_) | Label::Require { .. } | Label::Lock { .. } | Label::Join { .. }
                // An access may be invalid.
                | Label::Load { place: Place::Memory(_), .. }
                | Label::Store { place: Place::Memory(_), .. }
                | Label::ObjectSize { .. }
                | Label::Free { storage: Storage::Heap, .. }
            )
        })
    };
    let first = |edge: &EdgeId| match proc.edges[edge.index()].labels.first() {
        Some(Label::Assume(cond)) => Some(*cond),
        _ => None,
    };
    match edges {
        [a, b] if let (Some(x), Some(y)) = (first(a), first(b)) => {
            let opposite = program.pool.clone().not(x) == y;
            opposite && !conditions(a, 1) && !conditions(b, 1)
        }
        edges => edges.iter().any(|edge| !conditions(edge, 0)),
    }
}
