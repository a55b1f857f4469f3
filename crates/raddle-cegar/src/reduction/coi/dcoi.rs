//! Dynamic cone of influence (thesis 2, Algorithm 2): what need not be evaluated in an abstract state, because no thread can get to a condition
//! that depends on it, from where the threads are, through variables that are tracked.
//!
//! Such an assignment becomes a havoc if its variable is tracked, and nothing if it is not. Either way the abstraction only gets coarser, so that a proof
//! stays a proof whatever is called unobserved here; refiners see the statements as they were. What could be lost is progress: a value that is thrown
//! away although a later refinement needs it. Hence `relied_on`.

use crate::domains::precision::Precision;
use crate::model::instances::Origin;
use crate::model::statements::Statement;
use crate::model::threads::{At, Threads};
use crate::model::{ActionId, Model};
use crate::reduction::coi::data_flow::{DataFlow, Flow, NodeId, Point};
use fixedbitset::FixedBitSet;
use raddle_ir::{Adjacency, Callee, Label, LocId, ProcId, Program, VarId, VarKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What is left of an action.
#[derive(Clone, Debug)]
pub struct Simplified {
    pub statements: Rc<[Statement]>,
    /// So many assignments became havocs, and so many statements went.
    pub havocs: u32,
    pub removed: u32,
    /// Variables (of the code, see [`Dcoi::of_code`]) that nothing tracks, and that would have to be looked at again if something did: a value was lost in
    /// them, so that it became a havoc; or they are shared and are no longer written, on which partial-order reduction relies.
    pub relied_on: FixedBitSet,
}

pub struct Dcoi {
    graph: DataFlow,
    incoming: Vec<Adjacency>,
    /// For each procedure: from where it starts which others.
    starts: Vec<Vec<(LocId, ProcId)>>,
    /// For each procedure: what runs, sooner or later, if it is started.
    begun: Vec<FixedBitSet>,
    is_concurrent: bool,
    /// The locations from which a location can be reached.
    reaching: FxHashMap<(ProcId, LocId), FixedBitSet>,
    /// What each statement of an action reads.
    reads: FxHashMap<ActionId, Rc<[Vec<VarId>]>>,
    /// How many variables the precision mentions, and which ones of the code these are. The rest is for this only.
    mentioned_count: Option<usize>,
    mentioned_in_code: FixedBitSet,
    /// Variables of the code that are tracked in a thread as soon as it has them: a value that will get there is not lost, although no thread has them yet.
    tracked: FixedBitSet,
    flows: FxHashMap<Point, Rc<Flow>>,
    /// Actions for which it makes no difference where the other threads are.
    known: FxHashMap<ActionId, Rc<Simplified>>,
}

/// Is a value observed?
struct Observed {
    is_observed: bool,
    /// Where it was lost.
    lost: FxHashSet<VarId>,
    /// Does it depend on where the threads are?
    by_places: bool,
}

impl Dcoi {
    pub fn new(model: &mut Model, tracked: FixedBitSet) -> Self {
        let program = model.program;
        let starts: Vec<_> = program.procs.iter().map(|proc| starts(program, proc)).collect();
        Dcoi {
            graph: DataFlow::new(model),
            incoming: program.procs.iter().map(raddle_ir::Procedure::in_edges).collect(),
            begun: begun(&starts),
            is_concurrent: starts.iter().any(|starts| !starts.is_empty()),
            starts,
            reaching: FxHashMap::default(),
            reads: FxHashMap::default(),
            mentioned_count: None,
            mentioned_in_code: tracked.clone(),
            tracked,
            flows: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }

    /// The variable of the code that a variable of states is an instance of; what is neither, it returns as it is.
    pub fn of_code(&self, model: &Model, var: VarId) -> VarId {
        self.graph.of_code(&model.vars, var)
    }

    /// An action without what nothing observes while the threads are there.
    pub fn simplify(
        &mut self,
        model: &Model,
        precision: &Precision,
        threads: &Threads,
        action: ActionId,
    ) -> Rc<Simplified> {
        self.follow(model, precision);
        if let Some(known) = self.known.get(&action) {
            return known.clone();
        }
        let (simplified, by_places) = self.compute(model, precision, threads, action);
        let simplified = Rc::new(simplified);
        if !by_places {
            self.known.insert(action, simplified.clone());
        }
        simplified
    }

    /// Forgets what was computed with another precision.
    fn follow(&mut self, model: &Model, precision: &Precision) {
        if self.mentioned_count == Some(precision.mentioned_count()) {
            return;
        }
        self.mentioned_count = Some(precision.mentioned_count());
        let mut in_code = self.tracked.clone();
        for var in precision.mentioned().ones() {
            let var = self.of_code(model, VarId(var as u32)).index();
            in_code.grow_and_insert(var);
        }
        if in_code != self.mentioned_in_code {
            self.mentioned_in_code = in_code;
            self.flows.clear();
        }
        self.known.clear();
    }

    /// Also says whether it depends on the places of the threads.
    fn compute(&mut self, model: &Model, precision: &Precision, threads: &Threads, id: ActionId) -> (Simplified, bool) {
        let action = model.action(id);
        let make = || action.statements.iter().map(|statement| statement.read(&model.pool)).collect();
        let reads = self.reads.entry(id).or_insert_with(make).clone();
        let (mut result, mut havocs, mut removed) = (Vec::new(), 0, 0);
        let mut relied_on = FixedBitSet::new();
        let mut by_places = false;
        // Backward: variables that statements which stay read, and variables that are written later in this action.
        let (mut needed, mut overwritten): (Vec<VarId>, Vec<VarId>) = (Vec::new(), Vec::new());
        for (statement, reads) in action.statements.iter().zip(reads.iter()).rev() {
            let Some(var) = statement.written() else {
                needed.extend(reads);
                result.push(*statement);
                continue;
            };
            let is_needed = needed.contains(&var);
            needed.retain(|needed| *needed != var);
            let is_last = !overwritten.contains(&var);
            overwritten.push(var);
            let matters = is_last && precision.mentions(&model.vars, var);
            let mut lost = None;
            let stays = model.vars.is_lock(var)
                || is_needed
                || matters && {
                    let observed = self.is_observed(model, threads, id, var);
                    by_places |= observed.by_places;
                    lost = Some(observed.lost);
                    observed.is_observed
                };
            if stays {
                needed.extend(reads);
                result.push(*statement);
            } else if !matters {
                removed += 1;
                let is_common = matches!(model.vars.origin(var), Origin::Global(_) | Origin::Memory(_));
                if is_last && self.is_concurrent && is_common {
                    relied_on.grow_and_insert(self.of_code(model, var).index());
                }
            } else if let Statement::Havoc { .. } = statement {
                result.push(*statement);
            } else {
                havocs += 1;
                result.push(Statement::Havoc { var, input: None });
                lost.into_iter().flatten().for_each(|var| relied_on.grow_and_insert(var.index()));
            }
        }
        result.reverse();
        (Simplified { statements: result.into(), havocs, removed, relied_on }, by_places)
    }

    /// Can a real observer see, after an action, what it wrote to a variable?
    fn is_observed(&mut self, model: &Model, threads: &Threads, action: ActionId, var: VarId) -> Observed {
        let action = model.action(action);
        let program = model.program;
        let in_code = self.of_code(model, var);
        let from = match (model.vars.origin(var), action.at) {
            (Origin::Instance { slot, var }, _) if slot != action.slot => match program.var(var).kind {
                // An argument of the thread that this action starts.
                VarKind::Local(callee) => Point::At(callee, program.proc(callee).entry, var),
                VarKind::Global(_) | VarKind::ThreadLocal(_) => Point::Left(var),
            },
            (_, At::Location(target)) => Point::At(action.proc, target, in_code),
            (_, At::Ended | At::Stopped) => Point::Left(in_code),
        };
        let mut result = Observed { is_observed: false, lost: FxHashSet::default(), by_places: false };
        // Shared variables, and the thread that wrote them if it is known which.
        let mut open: Vec<(VarId, Option<u32>)> = Vec::new();
        let mut seen: FxHashSet<(VarId, Option<u32>)> = FxHashSet::default();
        let flow = self.flow(model, from);
        if flow.is_observed {
            result.is_observed = true;
            return result;
        }
        result.lost.extend(&flow.lost);
        let goes_on =
            !flow.enters && !matches!(model.vars.origin(var), Origin::Instance { slot, .. } if slot != action.slot);
        open.extend(flow.shared.iter().map(|var| (*var, goes_on.then_some(action.slot))));
        while let Some((var, writer)) = open.pop() {
            if !seen.insert((var, writer)) {
                continue;
            }
            // Without other threads nobody else reads it.
            let readers = if self.is_concurrent { self.graph.readers(var).len() } else { 0 };
            for i in 0..readers {
                let reader = self.graph.readers(var)[i];
                result.by_places = true;
                let Some(by) = self.who_gets_to(program, threads, writer, reader) else { continue };
                let flow = self.flow(model, Point::After(reader));
                if flow.is_observed || self.graph.node(reader).is_real {
                    result.is_observed = true;
                    return result;
                }
                result.lost.extend(&flow.lost);
                let by = by.filter(|_| !flow.enters);
                open.extend(flow.shared.iter().map(|var| (*var, by)));
            }
        }
        result
    }

    fn flow(&mut self, model: &Model, from: Point) -> Rc<Flow> {
        let (graph, mentioned) = (&self.graph, &self.mentioned_in_code);
        let make = || Rc::new(graph.flow(model.program, &model.outgoing, mentioned, from));
        self.flows.entry(from).or_insert_with(make).clone()
    }

    /// Can a thread other than the writer get to a reader (Definition 14)? If it can, which thread, if it is known.
    fn who_gets_to(
        &mut self,
        program: &Program,
        threads: &Threads,
        writer: Option<u32>,
        reader: NodeId,
    ) -> Option<Option<u32>> {
        let source = program.proc(reader.proc).edges[reader.edge.index()].source;
        let mut found: Option<Option<u32>> = None;
        let reaching = self.reaching(program, reader.proc, source);
        for (slot, thread) in (0..).zip(&threads.threads) {
            let At::Location(location) = thread.at else { continue };
            if thread.proc == reader.proc && Some(slot) != writer && reaching.contains(location.index()) {
                if found.is_some() {
                    return Some(None);
                }
                found = Some(Some(slot));
            }
        }
        if self.may_start(program, threads, reader.proc) { Some(None) } else { found }
    }

    /// Can a process still be started?
    fn may_start(&mut self, program: &Program, threads: &Threads, wanted: ProcId) -> bool {
        threads.threads.iter().any(|thread| {
            let At::Location(location) = thread.at else { return false };
            (0..self.starts[thread.proc.index()].len()).any(|i| {
                let (source, callee) = self.starts[thread.proc.index()][i];
                self.begun[callee.index()].contains(wanted.index())
                    && self.reaching(program, thread.proc, source).contains(location.index())
            })
        })
    }

    fn reaching(&mut self, program: &Program, proc: ProcId, to: LocId) -> &FixedBitSet {
        let incoming = &self.incoming[proc.index()];
        self.reaching.entry((proc, to)).or_insert_with(|| {
            let proc = program.proc(proc);
            let mut seen = FixedBitSet::with_capacity(proc.locations.len());
            let mut open = vec![to];
            while let Some(location) = open.pop() {
                if !seen.put(location.index()) {
                    open.extend(incoming.of(location).iter().map(|edge| proc.edges[edge.index()].source));
                }
            }
            seen
        })
    }
}

fn starts(program: &Program, proc: &raddle_ir::Procedure) -> Vec<(LocId, ProcId)> {
    let mut starts = Vec::new();
    for edge in &proc.edges {
        for label in &edge.labels {
            match label {
                Label::Start { callee: Callee::Proc(callee), .. } => starts.push((edge.source, *callee)),
                Label::Start { callee: Callee::Address(_), .. } => {
                    starts.extend((0..program.procs.len() as u32).map(|callee| (edge.source, ProcId(callee))));
                }
                _ => {}
            }
        }
    }
    starts
}

fn begun(starts: &[Vec<(LocId, ProcId)>]) -> Vec<FixedBitSet> {
    let from = |proc: usize| {
        let mut seen = FixedBitSet::with_capacity(starts.len());
        let mut open = vec![proc];
        while let Some(proc) = open.pop() {
            if !seen.put(proc) {
                open.extend(starts[proc].iter().map(|(_, callee)| callee.index()));
            }
        }
        seen
    };
    (0..starts.len()).map(from).collect()
}
