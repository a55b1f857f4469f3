//! What the first process and the threads can reach, whose it is, and who calls whom.
//!
//! Calls and starts are a graph over procedures. A function pointer is taken to name any function with an address and as many parameters as there are arguments: for
//! traits that is good enough, and costs less than points-to analysis. One node for each such number stands for all these functions, so that the graph stays
//! linear in the Program.

use super::flow::Flow;
use super::{acquires, is_heap};
use crate::cfg::ends_thread;
use fixedbitset::FixedBitSet;
use raddle_ir::{
    Callee, FileId, HavocReason, LIBRARY, Label, LocId, ObjectKind, ProcId, Procedure, Program, Span, Storage, VarId, VarKind,
};
use rustc_hash::FxHashMap;

/// What calling a library model, or a label, does for the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Effects {
    pub inputs: bool,
    pub locks: bool,
    pub heap: bool,
    pub starts: bool,
}

impl Effects {
    fn and(self, other: Effects) -> Effects {
        Effects {
            inputs: self.inputs | other.inputs,
            locks: self.locks | other.locks,
            heap: self.heap | other.heap,
            starts: self.starts | other.starts,
        }
    }

    fn of(label: &Label) -> Effects {
        Effects {
            inputs: matches!(label, Label::Havoc { reason: HavocReason::Input | HavocReason::Result(_), .. }),
            locks: matches!(label, Label::Lock { op, .. } if acquires(*op)),
            heap: matches!(label, Label::Alloc { storage, .. } if is_heap(*storage)),
            starts: matches!(label, Label::Start { .. }),
        }
    }
}

/// A call or a start.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallSite {
    pub caller: ProcId,
    pub at: LocId,
    /// A procedure, or behind them a class of functions that a pointer may name.
    pub callee: usize,
    pub is_start: bool,
}

/// What a function pointer is called with.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Shape {
    Arguments(usize),
    Thread,
}

pub(super) struct Reached<'p> {
    pub program: &'p Program,
    /// The file of the library models, if the Program has any.
    library: Option<FileId>,
    /// By procedure; `None` if nothing reaches it.
    flows: Vec<Option<Flow<'p>>>,
    /// Is it the user's, by procedure?
    is_user: Vec<bool>,
    pub sites: Vec<CallSite>,
    /// The classes of functions that pointers may name: nodes of the graph behind the procedures.
    classes: Vec<Vec<ProcId>>,
    of_shape: FxHashMap<Shape, usize>,
    /// What a procedure does for its caller, if it is a library model.
    effects: Vec<Effects>,
    /// The variables that the source declares, as far as they are not the library's.
    of_source: FixedBitSet,
    /// The variables that hold the address of an automatic object.
    automatic: FixedBitSet,
}

pub(super) fn reach(program: &Program) -> Reached<'_> {
    let library = program.files.iter().position(|file| file == LIBRARY).map(|file| FileId(file as u32));
    let of_library = |span: Span| !span.is_none() && Some(span.file) == library;
    let n = program.procs.len();
    let mut reached = Reached {
        program,
        library,
        flows: Vec::new(),
        is_user: program.procs.iter().map(|proc| !of_library(proc.span) && !proc.name.contains(' ')).collect(),
        sites: Vec::new(),
        classes: Vec::new(),
        of_shape: FxHashMap::default(),
        effects: vec![Effects::default(); n],
        of_source: FixedBitSet::with_capacity(program.vars.len()),
        automatic: FixedBitSet::with_capacity(program.vars.len()),
    };
    reached.flows.resize_with(n, || None);
    for (i, var) in program.vars.iter().enumerate() {
        let of_source = match var.kind {
            // Lowering declares the variables of a function where the function is; its temporaries, where they are needed.
            VarKind::Local(proc) => {
                let holder = program.proc(proc);
                reached.is_user[proc.index()] && var.span == holder.span && holder.result != Some(VarId(i as u32))
            }
            _ => !of_library(var.span),
        };
        reached.of_source.set(i, of_source);
    }
    reached.follow_calls();
    reached.effects_of_models(|proc| of_library(proc.span));
    reached
}

impl<'p> Reached<'p> {
    fn follow_calls(&mut self) {
        let program = self.program;
        let mut open = vec![program.entry.index()];
        let mut seen = FixedBitSet::with_capacity(program.procs.len());
        seen.insert(program.entry.index());
        let mut next_class = 0;
        loop {
            while let Some(caller) = open.pop() {
                let proc = &program.procs[caller];
                let mut ends = FixedBitSet::with_capacity(proc.edges.len());
                let mut calls: Vec<(usize, &Callee, Shape)> = Vec::new();
                for (i, edge) in proc.edges.iter().enumerate() {
                    for label in &edge.labels {
                        match label {
                            Label::Call { callee, args, .. } => calls.push((i, callee, Shape::Arguments(args.len()))),
                            Label::Start { callee, .. } => calls.push((i, callee, Shape::Thread)),
                            Label::Alloc { var, storage: Storage::Stack, .. } => self.automatic.insert(var.index()),
                            _ if ends_thread(label) => ends.insert(i),
                            _ => {}
                        }
                    }
                }
                let flow = Flow::new(proc, ends);
                for (edge, callee, shape) in calls {
                    let at = proc.edges[edge].source;
                    if !flow.is_reachable(at) {
                        continue;
                    }
                    let callee = match callee {
                        Callee::Proc(proc) => proc.index(),
                        Callee::Address(_) => self.class(shape),
                    };
                    let is_start = shape == Shape::Thread;
                    self.sites.push(CallSite { caller: ProcId(caller as u32), at, callee, is_start });
                    if callee < program.procs.len() && !seen.put(callee) {
                        open.push(callee);
                    }
                }
                self.flows[caller] = Some(flow);
            }
            let Some(class) = self.classes.get(next_class) else { break };
            next_class += 1;
            open.extend(class.iter().map(|proc| proc.index()).filter(|&proc| !seen.put(proc)));
        }
    }

    /// The node of the functions that a pointer may name.
    fn class(&mut self, shape: Shape) -> usize {
        let procs = self.program.procs.len();
        if let Some(&class) = self.of_shape.get(&shape) {
            return class;
        }
        // Models call back what the user gave them, not each other.
        let of_library = |proc: &ProcId| self.is_of_library(self.program.proc(*proc).span);
        let with_address: Vec<ProcId> = self
            .program
            .objects
            .iter()
            .filter_map(|object| match object.kind {
                ObjectKind::Function(proc) => Some(proc),
                ObjectKind::Data { .. } => None,
            })
            .filter(|proc| !of_library(proc))
            .collect();
        let fits = |proc: &ProcId| match shape {
            Shape::Arguments(n) => self.program.proc(*proc).params.len() == n,
            Shape::Thread => self.program.proc(*proc).params.len() <= 1,
        };
        let fitting: Vec<ProcId> = with_address.iter().copied().filter(fits).collect();
        let class = procs + self.classes.len();
        self.classes.push(if fitting.is_empty() { with_address } else { fitting });
        self.of_shape.insert(shape, class);
        class
    }

    /// What library models do, with the models that they call.
    fn effects_of_models(&mut self, is_model: impl Fn(&Procedure) -> bool) {
        let program = self.program;
        let models: Vec<usize> = (0..program.procs.len()).filter(|&i| is_model(&program.procs[i])).collect();
        for &i in &models {
            let labels = program.procs[i].edges.iter().flat_map(|edge| &edge.labels);
            self.effects[i] = labels.fold(Effects::default(), |all, label| all.and(Effects::of(label)));
        }
        let calls: Vec<(usize, usize)> = self
            .sites
            .iter()
            .filter(|site| !site.is_start && site.callee < program.procs.len())
            .map(|site| (site.caller.index(), site.callee))
            .filter(|(caller, callee)| is_model(&program.procs[*caller]) && is_model(&program.procs[*callee]))
            .collect();
        // Models call each other a few levels deep at most.
        loop {
            let before = self.effects.clone();
            for &(caller, callee) in &calls {
                self.effects[caller] = self.effects[caller].and(self.effects[callee]);
            }
            if before == self.effects {
                break;
            }
        }
    }

    /// What a label of the user does, by itself or by a library model.
    pub fn effects_for_user(&self, label: &Label) -> Effects {
        match label {
            Label::Call { callee: Callee::Proc(callee), .. } => self.effects[callee.index()],
            _ => Effects::of(label),
        }
    }

    /// `main` may have its arguments from a procedure that lowering made.
    pub fn inputs_of_arguments(&self) -> u32 {
        let entry = self.program.entry;
        if self.is_user[entry.index()] {
            return 0;
        }
        let labels = self.program.proc(entry).edges.iter().flat_map(|edge| &edge.labels);
        labels.filter(|label| Effects::of(label).inputs).count() as u32
    }

    pub fn is_user(&self, proc: ProcId) -> bool {
        self.is_user[proc.index()]
    }

    /// Is a place in the library models?
    pub fn is_of_library(&self, span: Span) -> bool {
        !span.is_none() && Some(span.file) == self.library
    }

    /// Does the source declare the variable, and not the library's?
    pub fn is_of_source(&self, var: VarId) -> bool {
        self.of_source.contains(var.index())
    }

    /// Does a variable hold the address of an automatic object?
    pub fn is_automatic(&self, var: VarId) -> bool {
        self.automatic.contains(var.index())
    }

    /// The user's procedures that can be reached.
    pub fn procs_of_user(&self) -> impl Iterator<Item = (ProcId, &'p Procedure, &Flow<'p>)> + '_ {
        let program = self.program;
        let flows = self.flows.iter().enumerate().filter(|(i, _)| self.is_user[*i]);
        flows.filter_map(move |(i, flow)| Some((ProcId(i as u32), &program.procs[i], flow.as_ref()?)))
    }

    /// The control flow of a procedure that can be reached.
    pub fn flow(&self, proc: ProcId) -> Option<&Flow<'p>> {
        self.flows[proc.index()].as_ref()
    }

    /// The functions that a start by a pointer may name.
    pub fn started_by_pointer(&self) -> &[ProcId] {
        let class = self.of_shape.get(&Shape::Thread);
        class.map_or(&[], |class| &self.classes[class - self.program.procs.len()])
    }

    /// All edges of the graph, those from a class to its functions included; the site is `None` there.
    pub fn graph(&self) -> impl Iterator<Item = (usize, usize, Option<&CallSite>)> {
        let sites = self.sites.iter().map(|site| (site.caller.index(), site.callee, Some(site)));
        let first = self.program.procs.len();
        let classes = self.classes.iter().enumerate();
        sites.chain(classes.flat_map(move |(i, class)| class.iter().map(move |proc| (first + i, proc.index(), None))))
    }

    pub fn nodes(&self) -> usize {
        self.program.procs.len() + self.classes.len()
    }

    /// Is there a cycle of calls?
    pub fn calls_itself(&self) -> bool {
        let calls = self.graph().filter(|(_, _, site)| site.is_none_or(|site| !site.is_start));
        let peeled = peel(self.nodes(), calls.map(|(a, b, _)| (a, b)));
        peeled.order.len() < self.nodes()
    }
}

/// The nodes of a graph in topological order, but for those on cycles and behind them.
pub(super) struct Peeled {
    pub order: Vec<usize>,
    pub is_peeled: FixedBitSet,
}

pub(super) fn peel(nodes: usize, edges: impl Iterator<Item = (usize, usize)>) -> Peeled {
    let mut into = vec![0u32; nodes];
    let mut out = vec![Vec::new(); nodes];
    for (a, b) in edges {
        into[b] += 1;
        out[a].push(b);
    }
    let mut order: Vec<usize> = (0..nodes).filter(|&node| into[node] == 0).collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        for &to in &out[node] {
            into[to] -= 1;
            if into[to] == 0 {
                order.push(to);
            }
        }
    }
    let mut is_peeled = FixedBitSet::with_capacity(nodes);
    is_peeled.extend(order.iter().copied());
    Peeled { order, is_peeled }
}
