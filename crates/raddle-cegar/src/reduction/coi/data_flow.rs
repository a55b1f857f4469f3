//! The abstract data-flow graph (thesis 2, Definition 12): which statement can observe the result of which other one.
//!
//! Nodes are statements of the code, which all threads that run it share; variables are those of the code, too (one for the instances of a local in
//! all threads, one for all results of threads, one for all memory). The graph is not stored: direct edges are found by walking along the
//! control flow from where a value is written until it is overwritten, which is more exact than reachability; indirect edges lead to the readers of a shared variable.
//!
//! A value is carried from one action to the next only in a variable that the precision mentions. Within an action it counts in any case.

use crate::model::Model;
use crate::model::instances::{Origin, Vars};
use fixedbitset::FixedBitSet;
use raddle_ir::{
    Callee, EdgeId, ExprId, ExprPool, Label, LocId, LockOp, Outgoing, Place, ProcId, Program, VarId, VarKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A statement of the code, as far as the flow of data is concerned.
#[derive(Clone, Debug)]
pub struct Node {
    pub reads: Vec<VarId>,
    pub writes: Option<VarId>,
    /// Whether anything goes on from here depends on what is read (a real observer).
    pub is_real: bool,
    /// What was in the variable before may still be in it.
    keeps: bool,
    /// The variable is a parameter of a thread that begins with it.
    enters: Option<ProcId>,
}

impl Node {
    fn overwrites(&self, var: VarId) -> bool {
        self.writes == Some(var) && !self.keeps && self.enters.is_none()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId {
    pub proc: ProcId,
    pub edge: EdgeId,
    pub index: u32,
}

/// From where the flow of a value is followed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Point {
    /// A variable, when a thread is at a location.
    At(ProcId, LocId, VarId),
    /// A variable that a thread wrote with its last step.
    Left(VarId),
    /// What a node writes, after it.
    After(NodeId),
}

/// Where a value can get by direct edges.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// To a real observer.
    pub is_observed: bool,
    /// Into these shared variables that are mentioned, for other threads to read.
    pub shared: Vec<VarId>,
    /// Into these variables that are not mentioned, where it is lost.
    pub lost: Vec<VarId>,
    /// Into a thread that is started with it.
    pub enters: bool,
}

pub struct DataFlow {
    /// By procedure and edge.
    nodes: Vec<Vec<Vec<Node>>>,
    targets: Vec<Vec<LocId>>,
    /// Who reads a shared variable.
    readers: FxHashMap<VarId, Vec<NodeId>>,
    /// Stand for the results of all threads, for all memory, and for where memory is allocated next.
    result: VarId,
    memory: VarId,
    next_address: VarId,
}

impl DataFlow {
    pub fn new(model: &mut Model) -> Self {
        let program = model.program;
        let mut all = |origin| model.vars.make(origin, program.pointer_sort(), None);
        let mut graph = DataFlow {
            result: all(Origin::ResultOf(u32::MAX)),
            memory: all(Origin::Memory(u32::MAX)),
            next_address: all(Origin::NextAddress(u32::MAX)),
            nodes: Vec::new(),
            targets: Vec::new(),
            readers: FxHashMap::default(),
        };
        for (p, proc) in program.procs.iter().enumerate() {
            let edges = proc.edges.iter().enumerate();
            let nodes = edges.map(|(e, _)| graph.nodes_of(program, ProcId(p as u32), EdgeId(e as u32))).collect();
            graph.nodes.push(nodes);
            graph.targets.push(proc.edges.iter().map(|edge| edge.target).collect());
        }
        let mut readers: FxHashMap<VarId, Vec<NodeId>> = FxHashMap::default();
        for (proc, edges) in (0..).map(ProcId).zip(&graph.nodes) {
            for (edge, nodes) in (0..).map(EdgeId).zip(edges) {
                for (index, node) in (0..).zip(nodes) {
                    for &var in node.reads.iter().filter(|var| graph.is_shared(program, **var)) {
                        readers.entry(var).or_default().push(NodeId { proc, edge, index });
                    }
                }
            }
        }
        graph.readers = readers;
        graph
    }

    /// The variable of the code that a variable of the abstract state is an instance of.
    pub fn of_code(&self, vars: &Vars, var: VarId) -> VarId {
        match vars.origin(var) {
            Origin::Instance { var, .. } => var,
            Origin::ResultOf(_) => self.result,
            Origin::Memory(_) => self.memory,
            Origin::NextAddress(_) => self.next_address,
            _ => var,
        }
    }

    pub fn is_shared(&self, program: &Program, var: VarId) -> bool {
        match program.vars.get(var.index()) {
            Some(of) => matches!(of.kind, VarKind::Global(_)),
            None => var == self.result || var == self.memory,
        }
    }

    pub fn readers(&self, var: VarId) -> &[NodeId] {
        self.readers.get(&var).map_or(&[], Vec::as_slice)
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.proc.index()][id.edge.index()][id.index as usize]
    }

    fn nodes_of(&self, program: &Program, proc: ProcId, edge: EdgeId) -> Vec<Node> {
        let (result, memory, next) = (self.result, self.memory, self.next_address);
        let mut out = Nodes { pool: &program.pool, nodes: Vec::new() };
        let proc = program.proc(proc);
        let edge = &proc.edges[edge.index()];
        for label in &edge.labels {
            match label {
                Label::Assign { var, value } => out.write(&[*value], &[], *var),
                Label::Havoc { var, .. } | Label::Self_ { var } | Label::Print { var: Some(var), .. } => {
                    out.write(&[], &[], *var);
                }
                Label::Assume(cond) | Label::Await(cond) | Label::Require { cond, .. } => out.observe(&[*cond]),
                Label::Load { var, place: Place::Var(from), .. } => out.write(&[], &[*from], *var),
                Label::Store { place: Place::Var(to), value, .. } => out.write(&[*value], &[], *to),
                // Addresses count as observed: the engine decides by them what an access may touch.
                Label::Load { var, place: Place::Memory(address), .. } => {
                    out.observe(&[*address]);
                    out.write(&[*address], &[memory], *var);
                }
                Label::Store { place: Place::Memory(address), value, .. } => {
                    out.observe(&[*address]);
                    out.write_part(&[*address, *value], &[memory], memory);
                }
                Label::Alloc { var, size, .. } => {
                    out.observe(&[*size]);
                    out.observe_var(next);
                    out.write(&[*size], &[next], *var);
                    out.write_part(&[*size], &[next, memory], memory);
                    out.write_part(&[*size], &[next], next);
                }
                Label::Leaks { var, .. } => out.write(&[], &[memory], *var),
                Label::ObjectSize { var, address } | Label::Valid { var, address, .. } => {
                    out.observe(&[*address]);
                    out.write(&[*address], &[memory], *var);
                }
                Label::Free { address, .. } => out.observe(&[*address]),
                Label::Start { var, callee: Callee::Proc(callee), arg } => {
                    if let Some(param) = program.proc(*callee).params.first() {
                        out.write(&[*arg], &[], *param);
                        out.nodes.last_mut().into_iter().for_each(|node| node.enters = Some(*callee));
                    }
                    out.write(&[], &[], *var);
                }
                Label::Start { var, callee: Callee::Address(address), arg } => {
                    out.observe(&[*address, *arg]);
                    out.write(&[], &[], *var);
                }
                Label::Join { var, handle } => {
                    out.observe(&[*handle]);
                    if let Some(var) = var {
                        out.write(&[*handle], &[result], *var);
                    }
                }
                Label::ThreadExit { value } => out.write_part(&[*value], &[], result),
                Label::Lock { op, lock, var } => {
                    out.observe(&[*lock]);
                    if let LockOp::Init(kind) = op {
                        out.observe(&[*kind]);
                    }
                    if let Some(var) = var {
                        out.write(&[], &[], *var);
                    }
                }
                Label::Call { var, args, .. } => {
                    out.observe(args);
                    if let Some(var) = var {
                        out.write(&[], &[], *var);
                    }
                }
                Label::Print { var: None, .. }
                | Label::AtomicBegin
                | Label::AtomicEnd
                | Label::Fence(_)
                | Label::Error(_)
                | Label::Halt { .. } => {}
            }
        }
        if let (Some(answer), true) = (proc.result, edge.target == proc.exit) {
            out.write_part(&[], &[answer], result);
        }
        out.nodes
    }

    /// Follows a value along direct edges. What is found before a real observer is of interest only if there is none.
    pub fn flow(&self, program: &Program, outgoing: &[Outgoing], mentioned: &FixedBitSet, from: Point) -> Flow {
        let mut walk = Walk {
            graph: self,
            program,
            mentioned,
            flow: Flow::default(),
            open: Vec::new(),
            places: FxHashSet::default(),
            nodes: FxHashSet::default(),
            shared: FxHashSet::default(),
            lost: FxHashSet::default(),
        };
        match from {
            Point::At(proc, location, var) => walk.arrive(proc, location, var),
            Point::Left(var) => walk.publish(None, var),
            Point::After(node) => walk.open.push(Point::After(node)),
        }
        while let Some(point) = walk.open.pop() {
            match point {
                Point::At(proc, location, var) => {
                    for &edge in outgoing[proc.index()].of(location) {
                        walk.along(proc, edge, 0, var);
                    }
                }
                Point::After(id) => match (self.node(id).writes, self.node(id).enters) {
                    (Some(var), Some(callee)) => {
                        walk.flow.enters = true;
                        walk.arrive(callee, program.proc(callee).entry, var);
                    }
                    (Some(var), None) => walk.along(id.proc, id.edge, id.index as usize + 1, var),
                    (None, _) => {}
                },
                Point::Left(_) => {}
            }
            if walk.flow.is_observed {
                return walk.flow;
            }
        }
        // What nobody would read is not lost.
        for &(at, var) in &walk.lost {
            let is_read = match at {
                _ if self.is_shared(program, var) => !self.readers(var).is_empty(),
                Some((proc, location)) => self.is_read(outgoing, proc, location, var),
                None => false,
            };
            if is_read && !walk.flow.lost.contains(&var) {
                walk.flow.lost.push(var);
            }
        }
        walk.flow
    }

    /// May a variable be read before it is overwritten?
    fn is_read(&self, outgoing: &[Outgoing], proc: ProcId, from: LocId, var: VarId) -> bool {
        let mut seen = FxHashSet::from_iter([from]);
        let mut open = vec![from];
        while let Some(location) = open.pop() {
            for &edge in outgoing[proc.index()].of(location) {
                let nodes = &self.nodes[proc.index()][edge.index()];
                let touches = |node: &&Node| node.reads.contains(&var) || node.overwrites(var);
                match nodes.iter().find(touches) {
                    Some(node) if node.reads.contains(&var) => return true,
                    Some(_) => {}
                    None => {
                        let target = self.targets[proc.index()][edge.index()];
                        if seen.insert(target) {
                            open.push(target);
                        }
                    }
                }
            }
        }
        false
    }
}

struct Walk<'a> {
    graph: &'a DataFlow,
    program: &'a Program,
    mentioned: &'a FixedBitSet,
    flow: Flow,
    open: Vec<Point>,
    places: FxHashSet<(ProcId, LocId, VarId)>,
    nodes: FxHashSet<NodeId>,
    shared: FxHashSet<VarId>,
    lost: FxHashSet<(Option<(ProcId, LocId)>, VarId)>,
}

impl Walk<'_> {
    /// The value is in a variable after a step, the thread at a location if it goes on.
    fn publish(&mut self, at: Option<(ProcId, LocId)>, var: VarId) {
        if !self.mentioned.contains(var.index()) {
            self.lost.insert((at, var));
        } else if self.graph.is_shared(self.program, var) && self.shared.insert(var) {
            self.flow.shared.push(var);
        }
    }

    fn arrive(&mut self, proc: ProcId, location: LocId, var: VarId) {
        self.publish(Some((proc, location)), var);
        if self.mentioned.contains(var.index()) && self.places.insert((proc, location, var)) {
            self.open.push(Point::At(proc, location, var));
        }
    }

    /// The value is in a variable before a node of an edge.
    fn along(&mut self, proc: ProcId, edge: EdgeId, from: usize, var: VarId) {
        let graph = self.graph;
        for (index, node) in graph.nodes[proc.index()][edge.index()].iter().enumerate().skip(from) {
            if node.reads.contains(&var) {
                if node.is_real {
                    self.flow.is_observed = true;
                    return;
                }
                let id = NodeId { proc, edge, index: index as u32 };
                if self.nodes.insert(id) {
                    self.open.push(Point::After(id));
                }
            }
            if node.overwrites(var) {
                return;
            }
        }
        self.arrive(proc, graph.targets[proc.index()][edge.index()], var);
    }
}

/// Collects the nodes of an edge.
struct Nodes<'a> {
    pool: &'a ExprPool,
    nodes: Vec<Node>,
}

impl Nodes<'_> {
    fn add(&mut self, exprs: &[ExprId], vars: &[VarId], writes: Option<VarId>, keeps: bool) {
        let mut reads: Vec<VarId> = exprs.iter().flat_map(|expr| self.pool.vars(*expr)).collect();
        reads.extend(vars);
        reads.sort_unstable();
        reads.dedup();
        self.nodes.push(Node { reads, writes, is_real: writes.is_none(), keeps, enters: None });
    }

    fn observe(&mut self, exprs: &[ExprId]) {
        self.add(exprs, &[], None, false);
    }

    fn observe_var(&mut self, var: VarId) {
        self.add(&[], &[var], None, false);
    }

    fn write(&mut self, exprs: &[ExprId], vars: &[VarId], to: VarId) {
        self.add(exprs, vars, Some(to), false);
    }

    /// Writes a part of what is one variable here.
    fn write_part(&mut self, exprs: &[ExprId], vars: &[VarId], to: VarId) {
        self.add(exprs, vars, Some(to), true);
    }
}
