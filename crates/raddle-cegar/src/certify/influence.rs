//! Can what an action writes ever decide whether some thread goes on? A plain walk from the write (thesis 2, Definitions 11 to 14).
//!
//! A value is followed from location to location: a condition that reads it decides; a label that reads it and writes a variable passes it on; one that
//! overwrites the variable loses it. From one action to the next it is kept only in variables that the precision mentions, since the others may be
//! anything. What is written to a shared variable is also read by any other thread that can still get to a reader. Instances of a local
//! are one variable here, and so is all memory.

use crate::model::{ActionId, Model};
use crate::precision::Precision;
use crate::threads::{At, Threads};
use crate::vars::Origin;
use fixedbitset::FixedBitSet;
use raddle_ir::{Callee, EdgeId, ExprId, Label, LocId, LockOp, Place, ProcId, Program, VarId, VarKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a value can be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Store {
    Var(VarId),
    Memory,
    /// What a thread that ended left to whoever joins it.
    Results,
}

/// The value is there, as a thread at a location sees it. Which thread, if only one can be meant.
type Fact = (Option<u32>, ProcId, LocId, Store);

pub struct Influence {
    mentioned: FxHashSet<Store>,
    readers: FxHashMap<Store, Vec<(ProcId, EdgeId)>>,
    reachable: FxHashMap<(ProcId, LocId), FixedBitSet>,
    /// What is started on the edges of a procedure, and where.
    starts: Vec<Vec<(LocId, ProcId)>>,
    known: FxHashMap<(u32, ActionId, VarId), bool>,
}

struct Walk {
    seen: FxHashSet<Fact>,
    open: Vec<Fact>,
    published: FxHashSet<(Option<u32>, Store)>,
}

/// Something decides by the value.
struct Decides;

impl Influence {
    pub fn new(model: &Model, precision: &Precision) -> Self {
        let program = model.program;
        let mentioned = precision.mentioned().ones().filter_map(|var| store(model, VarId(var as u32))).collect();
        let mut readers: FxHashMap<Store, Vec<(ProcId, EdgeId)>> = FxHashMap::default();
        let mut starts = Vec::new();
        for (p, proc) in program.procs.iter().enumerate() {
            let mut started = Vec::new();
            for (e, edge) in proc.edges.iter().enumerate() {
                let mut read: FxHashSet<Store> = FxHashSet::default();
                for label in &edge.labels {
                    label.for_each_expr(|expr| read.extend(program.pool.vars(expr).into_iter().map(Store::Var)));
                    match label {
                        Label::Load { place: Place::Var(var), .. } => drop(read.insert(Store::Var(*var))),
                        Label::Load { place: Place::Memory(_), .. } | Label::ObjectSize { .. } => {
                            read.insert(Store::Memory);
                        }
                        Label::Join { .. } => drop(read.insert(Store::Results)),
                        Label::Start { callee: Callee::Proc(callee), .. } => started.push((edge.source, *callee)),
                        Label::Start { callee: Callee::Address(_), .. } => {
                            started.extend((0..program.procs.len() as u32).map(|p| (edge.source, ProcId(p))));
                        }
                        _ => {}
                    }
                }
                for read in read.into_iter().filter(|read| is_shared(program, *read)) {
                    readers.entry(read).or_default().push((ProcId(p as u32), EdgeId(e as u32)));
                }
            }
            starts.push(started);
        }
        Influence { mentioned, readers, reachable: FxHashMap::default(), starts, known: FxHashMap::default() }
    }

    /// May somebody decide by what an action leaves in a variable? `places` is the number of the threads' places among all such.
    pub fn decides(&mut self, model: &Model, (places, threads): (u32, &Threads), action: ActionId, var: VarId) -> bool {
        let key = (places, action, var);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let result = self.walk(model, threads, action, var).is_err();
        self.known.insert(key, result);
        result
    }

    fn walk(&mut self, model: &Model, threads: &Threads, action: ActionId, var: VarId) -> Result<(), Decides> {
        let (action, program) = (model.action(action), model.program);
        let mut walk =
            Walk { seen: FxHashSet::default(), open: Vec::new(), published: FxHashSet::default() };
        let at = store(model, var).ok_or(Decides)?;
        match (model.vars.origin(var), action.at) {
            (Origin::Instance { slot, var }, _) if slot != action.slot => {
                // An argument of a thread that is started here.
                let VarKind::Local(callee) = program.var(var).kind else { return Err(Decides) };
                self.arrive(&mut walk, (None, callee, program.proc(callee).entry, at));
            }
            (_, place) => {
                if let At::Location(target) = place {
                    self.arrive(&mut walk, (Some(action.slot), action.proc, target, at));
                }
                self.publish(program, threads, &mut walk, Some(action.slot), at);
            }
        }
        while let Some((who, proc, location, at)) = walk.open.pop() {
            for &edge in model.outgoing[proc.index()].of(location) {
                self.along(program, threads, &mut walk, (who, proc, edge), at)?;
            }
        }
        Ok(())
    }

    /// The value is there when a thread is at a location.
    fn arrive(&self, walk: &mut Walk, fact: Fact) {
        if self.mentioned.contains(&fact.3) && walk.seen.insert(fact) {
            walk.open.push(fact);
        }
    }

    /// A thread wrote the value there: others may read it.
    fn publish(&mut self, program: &Program, threads: &Threads, walk: &mut Walk, writer: Option<u32>, at: Store) {
        if !is_shared(program, at) || !self.mentioned.contains(&at) || !walk.published.insert((writer, at)) {
            return;
        }
        for (proc, edge) in self.readers.get(&at).cloned().unwrap_or_default() {
            let source = program.proc(proc).edges[edge.index()].source;
            let mut who: Vec<Option<u32>> = Vec::new();
            for (slot, thread) in (0..).zip(&threads.threads) {
                if let At::Location(from) = thread.at
                    && thread.proc == proc
                    && Some(slot) != writer
                    && who.len() < 2
                    && self.reaches(program, proc, from).contains(source.index())
                {
                    who.push(Some(slot));
                }
            }
            if self.may_start(program, threads, proc) {
                who.push(None);
            }
            let who = match who[..] {
                [] => continue,
                [one] => one,
                _ => None,
            };
            self.arrive(walk, (who, proc, source, at));
        }
    }

    /// Can a thread of a process still be started?
    fn may_start(&mut self, program: &Program, threads: &Threads, wanted: ProcId) -> bool {
        let mut seen: FxHashSet<(ProcId, LocId)> = FxHashSet::default();
        let mut open: Vec<(ProcId, LocId)> = Vec::new();
        for thread in &threads.threads {
            if let At::Location(location) = thread.at {
                open.push((thread.proc, location));
            }
        }
        while let Some((proc, location)) = open.pop() {
            if self.starts[proc.index()].is_empty() || !seen.insert((proc, location)) {
                continue;
            }
            for (source, callee) in self.starts[proc.index()].clone() {
                if self.reaches(program, proc, location).contains(source.index()) {
                    if callee == wanted {
                        return true;
                    }
                    open.push((callee, program.proc(callee).entry));
                }
            }
        }
        false
    }

    /// The locations that can be reached from one, and it.
    fn reaches(&mut self, program: &Program, proc: ProcId, from: LocId) -> &FixedBitSet {
        self.reachable.entry((proc, from)).or_insert_with(|| {
            let proc = program.proc(proc);
            let outgoing = proc.out_edges();
            let mut seen = FixedBitSet::with_capacity(proc.locations.len());
            let mut open = vec![from];
            while let Some(location) = open.pop() {
                if !seen.put(location.index()) {
                    open.extend(outgoing.of(location).iter().map(|edge| proc.edges[edge.index()].target));
                }
            }
            seen
        })
    }

    /// Takes the value along an edge.
    fn along(
        &mut self,
        program: &Program,
        threads: &Threads,
        walk: &mut Walk,
        (who, proc, edge): (Option<u32>, ProcId, EdgeId),
        at: Store,
    ) -> Result<(), Decides> {
        let code = program.proc(proc);
        let edge = &code.edges[edge.index()];
        let mut has: FxHashSet<Store> = FxHashSet::from_iter([at]);
        let mut written: FxHashSet<Store> = FxHashSet::default();
        let mut goes_on = true;
        for label in &edge.labels {
            let reads = |expr: &ExprId| program.pool.vars(*expr).into_iter().any(|var| has.contains(&Store::Var(var)));
            // Whether something decides by it; what is written, whether the value is in it then, and whether what was there before is gone.
            let (decides, to, carries, replaces) = match label {
                Label::Assign { var, value } => (false, Some(Store::Var(*var)), reads(value), true),
                Label::Havoc { var, .. } | Label::Self_ { var } | Label::Print { var: Some(var), .. } => {
                    (false, Some(Store::Var(*var)), false, true)
                }
                Label::Assume(cond) | Label::Await(cond) | Label::Require { cond, .. } => {
                    (reads(cond), None, false, false)
                }
                Label::Load { var, place: Place::Var(from), .. } => {
                    (false, Some(Store::Var(*var)), has.contains(&Store::Var(*from)), true)
                }
                Label::Load { var, place: Place::Memory(address), .. } | Label::ObjectSize { var, address } => {
                    (reads(address), Some(Store::Var(*var)), has.contains(&Store::Memory), true)
                }
                Label::Store { place: Place::Var(to), value, .. } => (false, Some(Store::Var(*to)), reads(value), true),
                Label::Store { place: Place::Memory(address), value, .. } => {
                    (reads(address), Some(Store::Memory), reads(value), false)
                }
                Label::Alloc { var, size, .. } => (reads(size), Some(Store::Var(*var)), false, true),
                Label::Free { address } => (reads(address), None, false, false),
                Label::Start { var, callee, arg } => {
                    let mut decides = false;
                    match callee {
                        Callee::Proc(callee) if reads(arg) => {
                            let started = program.proc(*callee);
                            if let Some(param) = started.params.first() {
                                self.arrive(walk, (None, *callee, started.entry, Store::Var(*param)));
                            }
                        }
                        Callee::Proc(_) => {}
                        Callee::Address(address) => decides = reads(address) || reads(arg),
                    }
                    (decides, Some(Store::Var(*var)), false, true)
                }
                Label::Join { var, handle } => {
                    (reads(handle), var.map(Store::Var), has.contains(&Store::Results), true)
                }
                Label::ThreadExit { value } => {
                    goes_on = false;
                    (false, Some(Store::Results), reads(value), false)
                }
                Label::Lock { op, lock, var } => {
                    let kind = matches!(op, LockOp::Init(kind) if reads(kind));
                    (reads(lock) || kind, var.map(Store::Var), false, true)
                }
                Label::Call { var, args, .. } => (args.iter().any(reads), var.map(Store::Var), false, true),
                Label::Error | Label::Halt { .. } => {
                    goes_on = false;
                    (false, None, false, false)
                }
                Label::Print { var: None, .. } | Label::AtomicBegin | Label::AtomicEnd | Label::Fence(_) => {
                    (false, None, false, false)
                }
            };
            if decides {
                return Err(Decides);
            }
            if let Some(to) = to {
                if carries {
                    has.insert(to);
                    written.insert(to);
                } else if replaces {
                    has.remove(&to);
                    written.remove(&to);
                }
            }
            if !goes_on {
                break;
            }
        }
        if goes_on && edge.target == code.exit && code.result.is_some_and(|result| has.contains(&Store::Var(result))) {
            written.insert(Store::Results);
        }
        if goes_on {
            has.iter().for_each(|at| self.arrive(walk, (who, proc, edge.target, *at)));
        }
        written.into_iter().for_each(|at| self.publish(program, threads, walk, who, at));
        Ok(())
    }
}

/// What a variable of states is here; `None` for what every state knows exactly.
fn store(model: &Model, var: VarId) -> Option<Store> {
    match model.vars.origin(var) {
        Origin::Global(var) | Origin::Instance { var, .. } => Some(Store::Var(var)),
        Origin::ResultOf(_) => Some(Store::Results),
        Origin::Memory(_) => Some(Store::Memory),
        _ => None,
    }
}

fn is_shared(program: &Program, store: Store) -> bool {
    match store {
        Store::Var(var) => program.vars.get(var.index()).is_some_and(|var| matches!(var.kind, VarKind::Global(_))),
        Store::Memory | Store::Results => true,
    }
}
