//! What partial-order reduction left out of a proof, it was allowed to leave out (thesis 2, Theorems 2 and 3).
//!
//! For a node that explores some threads only: nothing that the others can do before one of these steps depends on one of its next actions, with the
//! dependency of Definition 5 for the final precision (the syntactic one demands more, and need not be looked at); and in each of its states one
//! of these threads can step, so that the others can step after it. For the graph: no thread is put off along a cycle, where a covered node counts as the one that covers it.
//!
//! A step is that of an action, or of a whole atomic block. A block that does not come to its end is none: all others are kept out for good. So one that
//! may not (it waits, it loops, a condition fails, or the program ends inside) is not sure to step.
//!
//! If the children of a node say nothing of a variable that an action writes, and nothing else in the action needs it, then they stand as well for an action that
//! gives it any value, and the action may be taken for that one here: what it reads for it does not count. (An execution in which the action is moved to
//! the front gives it the value that it had.) Cone of influence makes use of that, and so does a kept node when more is tracked later.

use super::steps::{Evaluated, State, Steps, changes, evaluate};
use crate::domains::precision::Precision;
use crate::domains::state::States;
use crate::domains::values::value;
use crate::graph::arg::{Arg, NodeId, Status};
use crate::model::instances::Origin;
use crate::model::threads::At;
use crate::model::{ActionId, Effect, Model};
use raddle_ir::{Callee, EdgeId, ExprId, Label, LocId, Place, ProcId, Procedure, Program, Storage, VarId, VarKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What threads have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Common {
    Var(VarId),
    /// `None`: any memory.
    Memory(Option<u32>),
    /// By address; `None`: any lock.
    Lock(Option<u64>),
    /// Threads are numbered as they start.
    Threads,
}

#[derive(Clone, Default, Debug)]
struct Touched {
    reads: FxHashSet<Common>,
    writes: FxHashSet<Common>,
}

pub struct Reduction {
    futures: FxHashMap<(ProcId, LocId), Rc<Touched>>,
    /// The classes of memory that the precision mentions.
    mentioned_classes: FxHashSet<u32>,
}

/// How atomic blocks may nest.
const DEEPEST: u32 = 100;

impl Reduction {
    pub fn new(model: &Model, precision: &Precision) -> Self {
        let class = |var: usize| match model.vars.origin(VarId(var as u32)) {
            Origin::Memory(class) => Some(class),
            _ => None,
        };
        let mentioned_classes = precision.mentioned().ones().filter_map(class).collect();
        Reduction { futures: FxHashMap::default(), mentioned_classes }
    }

    /// The threads that a node leaves out can be left out.
    pub fn node(
        &mut self,
        model: &mut Model,
        precision: &Precision,
        steps: &mut Steps,
        arg: &Arg,
        states: &States,
        id: NodeId,
    ) -> Result<(), String> {
        let node = arg.node(id);
        let Some(explored) = &node.explored else { return Ok(()) };
        let wrong = |what: String| Err(format!("node {}: explored are the threads {explored:?}: {what}", id.0));
        let (threads, data) = (states.threads.shared(node.threads), states.data.shared(node.data));
        let state = State { threads: &threads, data: &data };
        let mut next: Vec<(u32, Vec<ActionId>)> = Vec::new();
        for (slot, _, _) in threads.movable() {
            let actions = model.actions_of(&threads, slot, &|var| data.values.get(var));
            next.push((slot, actions.map_err(|unsupported| unsupported.what)?.to_vec()));
        }
        let (inside, outside): (Vec<_>, Vec<_>) = next.into_iter().partition(|(slot, _)| explored.contains(slot));
        if outside.is_empty() {
            return Ok(());
        }
        let mut is_certain = false;
        for (_, actions) in &inside {
            let ends = |id: &ActionId| block(model.program, model, *id).is_certain;
            is_certain |= actions.iter().all(ends) && steps.is_certain(model, precision, state, actions)?;
        }
        if !is_certain {
            return wrong("none of them is certain to step".into());
        }
        // The threads outside that may step before one inside does: those that can, and those that these may let go.
        let can_step = |model: &Model, actions: &[ActionId]| {
            actions.iter().any(|id| !matches!(evaluate(model, state, *id), Evaluated::Impossible))
        };
        let mut active: Vec<u32> = Vec::new();
        let mut waiting: Vec<(u32, Touched, Vec<Option<u128>>)> = Vec::new();
        for (slot, actions) in &outside {
            if can_step(model, actions) {
                active.push(*slot);
            } else {
                let handles = joins(model, state, *slot);
                waiting.push((*slot, now(model, actions, None), handles));
            }
        }
        let mut futures: Vec<Rc<Touched>> = Vec::new();
        let mut done = 0;
        while let Some(&slot) = active.get(done) {
            done += 1;
            let thread = threads.threads[slot as usize];
            let At::Location(location) = thread.at else { continue };
            let future = self.future(model.program, thread.proc, location);
            let may_join = |handle: &Option<u128>| {
                handle.is_none_or(|handle| handle == slot.into() || handle >= threads.threads.len() as u128)
            };
            waiting.retain(|(waits, touched, handles)| {
                let lets_go = conflict(touched, &future, &mut |_| true) || handles.iter().any(may_join);
                if lets_go {
                    active.push(*waits);
                }
                !lets_go
            });
            futures.push(future);
        }
        let mut told: Option<FxHashSet<(ActionId, VarId)>> = None;
        for (slot, actions) in &inside {
            // A join of a thread that has not ended is not to be taken before its end. In a block it may be of any thread.
            let joins_in_block = actions.iter().any(|id| block(model.program, model, *id).joins);
            if let Some(other) = active.first().filter(|_| joins_in_block) {
                return wrong(format!("thread {slot} may join {other} in an atomic block"));
            }
            for handle in joins(model, state, *slot) {
                let waits_for = |other: &&u32| handle.is_none_or(|handle| handle == u128::from(**other));
                if let Some(other) = active.iter().find(waits_for) {
                    return wrong(format!("thread {slot} may join {other}"));
                }
            }
            let touched = now(model, actions, None);
            let mut lean: Option<Touched> = None;
            for (future, other) in futures.iter().zip(&active) {
                let mut counts = |common: Common| self.counts(model, precision, common);
                if !conflict(&touched, future, &mut counts) {
                    continue;
                }
                let lean = lean.get_or_insert_with(|| {
                    let told = told.get_or_insert_with(|| told_by_children(precision, arg, states, id));
                    now(model, actions, Some(&|action, var| told.contains(&(action, var))))
                });
                let counts = |common: Common| self.counts(model, precision, common);
                let mut by = None;
                if conflict(lean, future, &mut |common| counts(common) && by.replace(common).is_none()) {
                    let by = match by {
                        Some(Common::Var(var)) => model.vars.name(model.program, var),
                        other => format!("{other:?}"),
                    };
                    return wrong(format!(
                        "a step of thread {slot} depends on what thread {other} may do before ({by})"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Does the precision mention it? Locks and threads are always known.
    fn counts(&self, model: &Model, precision: &Precision, common: Common) -> bool {
        match common {
            Common::Var(var) => precision.mentions(&model.vars, var),
            Common::Memory(Some(class)) => self.mentioned_classes.contains(&class),
            Common::Memory(None) => !self.mentioned_classes.is_empty(),
            Common::Lock(_) | Common::Threads => true,
        }
    }

    /// All that may be touched from a location on, also by threads that are started on the way.
    fn future(&mut self, program: &Program, proc: ProcId, location: LocId) -> Rc<Touched> {
        if let Some(known) = self.futures.get(&(proc, location)) {
            return known.clone();
        }
        let mut touched = Touched::default();
        let mut seen: FxHashSet<(ProcId, LocId)> = FxHashSet::from_iter([(proc, location)]);
        let mut open = vec![(proc, location)];
        let mut outgoing: FxHashMap<ProcId, raddle_ir::Outgoing> = FxHashMap::default();
        while let Some((proc, location)) = open.pop() {
            let code = program.proc(proc);
            let outgoing = outgoing.entry(proc).or_insert_with(|| code.out_edges());
            for id in outgoing.of(location) {
                let edge = &code.edges[id.index()];
                let mut next = vec![(proc, edge.target)];
                for label in &edge.labels {
                    touch(program, label, &mut touched);
                    match label {
                        Label::Start { callee: Callee::Proc(callee), .. } => {
                            next.push((*callee, program.proc(*callee).entry));
                        }
                        Label::Start { callee: Callee::Address(_), .. } => {
                            let all = (0..program.procs.len() as u32).map(ProcId);
                            next.extend(all.map(|proc| (proc, program.proc(proc).entry)));
                        }
                        _ => {}
                    }
                }
                open.extend(next.into_iter().filter(|place| seen.insert(*place)));
            }
        }
        let touched = Rc::new(touched);
        self.futures.insert((proc, location), touched.clone());
        touched
    }
}

/// The variables that children of a node say something of, by the action that leads there.
fn told_by_children(precision: &Precision, arg: &Arg, states: &States, id: NodeId) -> FxHashSet<(ActionId, VarId)> {
    let mut told = FxHashSet::default();
    for child in &arg.node(id).children {
        let child = arg.node(*child);
        let Some((_, action)) = child.parent else { continue };
        let data = states.data.get(child.data);
        told.extend(data.values.iter().map(|(var, _)| (action, var)));
        for (predicate, _) in data.cubes.iter().flat_map(|cube| &cube.0) {
            told.extend(precision.predicate(*predicate).vars.iter().map(|var| (action, *var)));
        }
    }
    told
}

/// Adds what a label touches.
fn touch(program: &Program, label: &Label, touched: &mut Touched) {
    let is_global = |var: &VarId| matches!(program.var(*var).kind, VarKind::Global(_));
    label.for_each_expr(|expr| {
        let vars = program.pool.vars(expr).into_iter().filter(is_global);
        touched.reads.extend(vars.map(Common::Var));
    });
    match label {
        Label::Load { place: Place::Var(var), .. } if is_global(var) => {
            touched.reads.insert(Common::Var(*var));
        }
        Label::Store { place: Place::Var(var), .. } | Label::Assign { var, .. } | Label::Havoc { var, .. }
            if is_global(var) =>
        {
            touched.writes.insert(Common::Var(*var));
        }
        Label::Load { place: Place::Memory(_), .. }
        | Label::ObjectSize { .. }
        | Label::Valid { .. }
        | Label::Leaks { .. } => {
            touched.reads.insert(Common::Memory(None));
        }
        Label::Store { place: Place::Memory(_), .. } => {
            touched.writes.insert(Common::Memory(None));
        }
        Label::Lock { lock, .. } => {
            let address = program.pool.as_const(*lock).map(|address| address.bits as u64);
            touched.writes.insert(Common::Lock(address));
        }
        Label::Start { .. } => {
            touched.writes.insert(Common::Threads);
        }
        _ => {}
    }
}

/// What the next actions of a thread touch. With `is_told`: without what is read for variables that nobody tells anything of afterwards.
fn now(model: &Model, actions: &[ActionId], is_told: Option<&dyn Fn(ActionId, VarId) -> bool>) -> Touched {
    let mut touched = Touched::default();
    for &id in actions {
        let action = model.action(id);
        // Backward, with what the statements behind need.
        let mut needed: FxHashSet<VarId> = FxHashSet::default();
        let mut overwritten: FxHashSet<VarId> = FxHashSet::default();
        for statement in action.statements.iter().rev() {
            let stays = match (statement.written(), is_told) {
                (None, _) | (_, None) => true,
                (Some(var), Some(is_told)) => {
                    let is_last = overwritten.insert(var);
                    needed.remove(&var) || model.vars.is_lock(var) || is_last && is_told(id, var)
                }
            };
            touched.writes.extend(statement.written().and_then(|var| common(model, var)));
            if stays {
                let reads = statement.read(&model.pool);
                touched.reads.extend(reads.iter().filter_map(|var| common(model, *var)));
                needed.extend(reads);
            }
        }
        if action.effects.iter().any(|effect| matches!(effect, Effect::Start(_))) {
            touched.writes.insert(Common::Threads);
        }
        let block = block(model.program, model, id);
        touched.reads.extend(block.touched.reads);
        touched.writes.extend(block.touched.writes);
    }
    touched
}

/// What other threads know a variable as. The place of a thread and its result are ordered by its end.
fn common(model: &Model, var: VarId) -> Option<Common> {
    match model.vars.origin(var) {
        Origin::Global(_) => Some(Common::Var(var)),
        Origin::Memory(class) => Some(Common::Memory(Some(class))),
        Origin::LockWord(address) | Origin::LockKind(address) => Some(Common::Lock(Some(address))),
        _ => None,
    }
}

/// Is there something that both touch, one of them writes, and that counts?
fn conflict(now: &Touched, future: &Touched, counts: &mut dyn FnMut(Common) -> bool) -> bool {
    let touches = |set: &FxHashSet<Common>, common: Common| match common {
        Common::Memory(_) => set.contains(&Common::Memory(None)),
        Common::Lock(Some(_)) => set.contains(&common) || set.contains(&Common::Lock(None)),
        Common::Lock(None) => set.iter().any(|other| matches!(other, Common::Lock(_))),
        _ => set.contains(&common),
    };
    now.writes.iter().any(|c| (touches(&future.writes, *c) || touches(&future.reads, *c)) && counts(*c))
        || now.reads.iter().any(|c| touches(&future.writes, *c) && counts(*c))
}

/// The threads that a thread waits for with its next edges and that have not ended, by their handles; `None`: not known.
fn joins(model: &mut Model, state: State, slot: u32) -> Vec<Option<u128>> {
    let thread = state.threads.threads[slot as usize];
    let At::Location(location) = thread.at else { return Vec::new() };
    let program = model.program;
    let edges = model.outgoing[thread.proc.index()].of(location).to_vec();
    let mut handles: Vec<Option<u128>> = Vec::new();
    for edge in edges {
        let labels = &program.proc(thread.proc).edges[edge.index()].labels;
        for (i, label) in labels.iter().enumerate() {
            let Label::Join { handle, .. } = label else { continue };
            let changes = labels[..i].iter().any(|label| changes(program, label, *handle));
            let handle = model.named(slot, *handle);
            let known = value(&model.pool, handle, &|var| state.value(model, var));
            handles.push(known.filter(|_| !changes));
        }
    }
    let has_ended = |handle: u128| {
        let thread = usize::try_from(handle).ok().and_then(|handle| state.threads.threads.get(handle));
        thread.is_some_and(|thread| thread.at == At::Ended)
    };
    handles.retain(|handle| handle.is_none_or(|handle| !has_ended(handle)));
    handles
}

/// The rest of an atomic block that an action begins.
struct Block {
    touched: Touched,
    /// It comes to its end whatever the values of variables are.
    is_certain: bool,
    /// It may wait for the end of a thread.
    joins: bool,
}

fn block(program: &Program, model: &Model, id: ActionId) -> Block {
    let action = model.action(id);
    let code = program.proc(action.proc);
    let mut block = Block { touched: Touched::default(), is_certain: true, joins: false };
    let edge = &code.edges[action.edge.index()];
    // The thread may be in a block already; then it is the only one that can step, and nothing is reduced.
    let depth = match leaves(&edge.labels, 0) {
        Leaves::At(0) => return block,
        Leaves::At(depth) => depth,
        Leaves::Never => return Block { is_certain: false, ..block },
    };
    let outgoing = &model.outgoing[action.proc.index()];
    // Depth first, with the places on the way here: coming back to one of them is a loop.
    let mut done: FxHashSet<(LocId, u32)> = FxHashSet::default();
    let mut way: Vec<((LocId, u32), usize)> = vec![((edge.target, depth), 0)];
    while let Some(((location, depth), edges)) = way.last_mut() {
        let (place, out) = ((*location, *depth), outgoing.of(*location));
        if *edges == 0 {
            block.is_certain &= place.0 != code.exit && goes_on(program, code, out);
        }
        let Some(id) = out.get(*edges) else {
            done.insert(place);
            way.pop();
            continue;
        };
        *edges += 1;
        let edge = &code.edges[id.index()];
        edge.labels.iter().for_each(|label| touch(program, label, &mut block.touched));
        block.joins |= edge.labels.iter().any(|label| matches!(label, Label::Join { .. }));
        let after = match leaves(&edge.labels, place.1) {
            Leaves::At(depth) => (edge.target, depth),
            Leaves::Never => {
                block.is_certain = false;
                continue;
            }
        };
        if after.1 == 0 || done.contains(&after) {
            continue;
        }
        if after.1 > DEEPEST || way.iter().any(|(on, _)| *on == after) {
            block.is_certain = false;
        } else {
            way.push((after, 0));
        }
    }
    block
}

/// In how many atomic blocks a thread is after an edge.
enum Leaves {
    At(u32),
    /// The program ends inside a block, which nobody leaves then.
    Never,
}

fn leaves(labels: &[Label], before: u32) -> Leaves {
    // Nothing behind the first of these is executed. The error needs no more steps; the end of a thread ends its blocks.
    let is_end = |label: &Label| matches!(label, Label::Error(_) | Label::Halt { .. } | Label::ThreadExit { .. });
    let end = labels.iter().position(is_end);
    let executed = &labels[..end.unwrap_or(labels.len())];
    let depth = executed.iter().fold(before, |depth, label| match label {
        Label::AtomicBegin => depth + 1,
        Label::AtomicEnd => depth.saturating_sub(1),
        _ => depth,
    });
    match end.map(|end| &labels[end]) {
        None => Leaves::At(depth),
        Some(Label::Halt { .. }) if depth > 0 => Leaves::Never,
        Some(_) => Leaves::At(0),
    }
}

/// Can one of some edges be taken, whatever the values of variables are?
fn goes_on(program: &Program, code: &Procedure, edges: &[EdgeId]) -> bool {
    let conditions = |edge: &EdgeId| {
        let may_stop = |label: &&Label| match label {
            Label::Assume(_) | Label::Await(_) | Label::Require { .. } | Label::Lock { .. } | Label::Join { .. } => {
                true
            }
            // An access may be invalid.
            Label::Load { place: Place::Memory(_), .. } | Label::Store { place: Place::Memory(_), .. } => true,
            Label::ObjectSize { .. } | Label::Free { storage: Storage::Heap, .. } => true,
            _ => false,
        };
        code.edges[edge.index()].labels.iter().filter(may_stop).count()
    };
    let first = |edge: &EdgeId| match code.edges[edge.index()].labels.first() {
        Some(Label::Assume(cond)) => Some(*cond),
        _ => None,
    };
    if edges.iter().any(|edge| conditions(edge) == 0) {
        return true;
    }
    let alone: Vec<ExprId> = edges.iter().filter(|edge| conditions(edge) == 1).filter_map(first).collect();
    let mut pool = None;
    alone
        .iter()
        .enumerate()
        .any(|(i, a)| alone[i + 1..].iter().any(|b| pool.get_or_insert_with(|| program.pool.clone()).not(*a) == *b))
}

/// No thread is put off along a cycle: for each one, the nodes that leave it out although it may step have none. Inside another one's atomic block it may not, and
/// the block is one step; but a cycle that stays in blocks is none of steps.
pub fn cycles(arg: &Arg, states: &States) -> Result<(), String> {
    let stands_for = |child: NodeId| match arg.node(child).status {
        Status::Covered(by) => by,
        _ => child,
    };
    // By node inside a block, the nodes outside that it leads to: they spread backward from where blocks are left.
    let is_inside = |id: NodeId| states.threads.get(arg.node(id).threads).atomic.is_some();
    let mut before: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
    let mut leads_out: FxHashMap<NodeId, FxHashSet<NodeId>> = FxHashMap::default();
    let mut open: Vec<(NodeId, NodeId)> = Vec::new();
    for id in arg.live().filter(|id| is_inside(*id)) {
        for target in arg.node(id).children.iter().map(|child| stands_for(*child)) {
            match is_inside(target) {
                true => before.entry(target).or_default().push(id),
                false => open.push((id, target)),
            }
        }
    }
    while let Some((id, out)) = open.pop() {
        if leads_out.entry(id).or_default().insert(out) {
            open.extend(before.get(&id).into_iter().flatten().map(|before| (*before, out)));
        }
    }
    let mut leaving_out: FxHashMap<u32, Vec<NodeId>> = FxHashMap::default();
    for id in arg.live() {
        let node = arg.node(id);
        let (Status::Expanded, Some(explored)) = (node.status, &node.explored) else { continue };
        for (slot, _, _) in states.threads.get(node.threads).movable() {
            if !explored.contains(&slot) {
                leaving_out.entry(slot).or_default().push(id);
            }
        }
    }
    for (slot, nodes) in leaving_out {
        let nodes: FxHashSet<NodeId> = nodes.into_iter().collect();
        let after_step = |id: NodeId| -> Vec<NodeId> {
            let targets = arg.node(id).children.iter().map(|child| stands_for(*child));
            let out = |target: NodeId| match is_inside(target) {
                true => leads_out.get(&target).into_iter().flatten().copied().collect(),
                false => vec![target],
            };
            targets.flat_map(out).filter(|target| nodes.contains(target)).collect()
        };
        // Depth first again: `false` is on the way here, `true` is done.
        let mut seen: FxHashMap<NodeId, bool> = FxHashMap::default();
        for &start in &nodes {
            if seen.contains_key(&start) {
                continue;
            }
            seen.insert(start, false);
            let mut way: Vec<(NodeId, Vec<NodeId>)> = vec![(start, after_step(start))];
            while let Some((node, next)) = way.last_mut() {
                let Some(target) = next.pop() else {
                    seen.insert(*node, true);
                    way.pop();
                    continue;
                };
                match seen.get(&target) {
                    None => {
                        seen.insert(target, false);
                        way.push((target, after_step(target)));
                    }
                    Some(false) => return Err(format!("thread {slot} is put off for ever at node {}", target.0)),
                    Some(true) => {}
                }
            }
        }
    }
    Ok(())
}
