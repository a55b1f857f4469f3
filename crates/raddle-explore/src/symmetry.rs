//! Which threads may be exchanged: symmetry reduction of states that differ by a permutation of threads.
//!
//! A permutation of thread numbers that leaves the first thread alone maps executions to executions if everything that tells threads
//! apart is renamed as well: then two states that it maps to each other reach the same violations, and one of them is visited
//! (Ip and Dill 1996; Clarke, Enders, Filkorn and Jha 1996). What runs in a thread is part of the thread's own state, so threads of one function are
//! exchanged without a word about functions. The search keeps the states as they are and its path remains an execution; only *whether a
//! state was visited* is asked of a canonical form (`canonical`).
//!
//! What tells threads apart, and what becomes of it:
//! - Whoever has an atomic block, a lock, or a read-write lock for reading: renamed.
//! - The addresses of what a thread allocates, automatic objects included, are those of its number. There is no reduction if any thread but the first may
//!   allocate anything.
//! - Thread-local variables and results are parts of the thread's own state. A thread that is started gets the next number, whoever starts it.
//! - Store buffers: there is no reduction under weak memory models. Nor where leaks are asked for, or where an order of threads is given (`turns`).
//! - Thread ids as values. *Handles* are values of `Start` and of `Self_` that anything reads. There is no reduction unless the Program only copies them, among
//!   variables and memory that hold nothing else, and joins them; and unless only the first thread reads or keeps any. So nothing but the order in which they are
//!   joined depends on them. Variables that the first thread may still read are renamed. Of memory with handles, contents count as they are as long as they may be
//!   read (there is no reduction in such a state), and not at all when they cannot be read any more.
//!   Which memory a computed address means is the guess of `address_guess`; an access that contradicts the guess ends the search, which starts over without symmetry.
//! - Bookkeeping of properties that holds thread numbers computes with `Self_`, so that there is no reduction.
//!
//! Threads that are joined one after another are told apart by the order in which that happens, though nobody cares. So with partial-order
//! reduction, the first thread takes its joins by other means (`joins`).
//!
//! Together with persistent sets (Emerson, Jha and Peled 1997): what is followed from a state is, renamed, right for each state of
//! its class, for footprints and guesses are those of code and do not know thread numbers. The proviso must hold for the cycles of the graph of
//! classes. So a state that is on the stack is one whose *class* is on the stack: every cycle of classes is closed by a step to a class on the stack, and
//! the state from which this step leads is expanded fully.

use crate::address_guess::{AddressGuess, for_each_label};
use crate::webs::{Webs, webs};
use fixedbitset::FixedBitSet;
use raddle_interp::machine::code::{Code, LabelCode, LocCode, ProcCode, Shape};
use raddle_interp::machine::expr_code::Slot;
use raddle_ir::{
    Callee, Expr, ExprId, HavocReason, Label, MemoryModel, ObjectInit, ObjectKind, Place, Procedure, Program, VarId,
    VarKind,
};
use rustc_hash::FxHashSet;

/// What there is to know about a Program whose threads may be exchanged.
pub struct Symmetry {
    /// Locals that hold handles, at locations (among those of all procedures).
    pub locals: FxHashSet<(u32, VarId)>,
    /// Global variables that do (at most `MOST_GLOBALS`), ascending.
    pub globals: Vec<VarId>,
    /// Static objects that do, and labels that allocate objects that do.
    pub objects: FxHashSet<u32>,
    pub sites: FxHashSet<u32>,
    /// For each location: which of `globals` may be read from there on (as bits), and `MEMORY` if memory with handles may.
    pub reads: Vec<u64>,
    /// The same for each edge.
    pub reads_on: Vec<u64>,
    /// For each location that is left by a join only: the local that is joined.
    pub joins: Vec<Option<Slot>>,
    /// Locations whose edges take no part in synchronisation, but for a join at the beginning of the only edge, whose result nobody wants.
    pub quiet: Vec<bool>,
}

const MOST_GLOBALS: usize = 62;
/// A bit of `reads`.
pub const MEMORY: u64 = 1 << 63;

/// `Err`: why there is no reduction.
pub fn symmetry(code: &Code, guess: &AddressGuess) -> Result<Symmetry, &'static str> {
    let program = code.program;
    if code.model != MemoryModel::Sc {
        return Err("off: weak memory model");
    }
    if !several_of_one(program) {
        return Err("off: one thread of each function");
    }
    let (of_first, of_others) = reached(program);
    if of_others.contains(program.entry.index()) {
        return Err("off: the first function is started again");
    }
    for_each_part(program, |proc, label| match label {
        Label::Alloc { .. } if of_others.contains(proc) => Err("off: threads allocate"),
        Label::Leaks { .. } => Err("off: leaks are asked for"),
        _ => Ok(()),
    })?;
    let handles = handles(code, guess)?;
    handles.check_uses(code, guess, &of_others)?;
    let mut globals: Vec<VarId> = handles.vars.iter().copied().collect();
    if globals.len() > MOST_GLOBALS {
        return Err("off: very many thread ids");
    }
    globals.sort_unstable();
    let (reads, reads_on) = reads(code, guess, &handles, &globals, &of_first);
    let locations = || code.procs.iter().flat_map(|proc| &proc.locs);
    let joins = locations().map(|loc| joined_local(code, loc.shape)).collect();
    let quiet = locations().map(|loc| is_quiet(code, loc)).collect();
    let locals = handles.locals().collect();
    Ok(Symmetry { locals, globals, objects: handles.objects, sites: handles.sites, reads, reads_on, joins, quiet })
}

fn for_each_part(
    program: &Program,
    mut f: impl FnMut(usize, &Label) -> Result<(), &'static str>,
) -> Result<(), &'static str> {
    for (p, proc) in program.procs.iter().enumerate() {
        proc.edges.iter().flat_map(|edge| &edge.labels).try_for_each(|label| f(p, label))?;
    }
    Ok(())
}

/// May two threads ever begin with the same procedure?
fn several_of_one(program: &Program) -> bool {
    let mut started = FxHashSet::default();
    for (p, proc) in program.procs.iter().enumerate() {
        for edge in &proc.edges {
            for label in &edge.labels {
                if let Label::Start { callee, .. } = label {
                    let Callee::Proc(callee) = callee else { return true };
                    if p != program.entry.index() || !started.insert(callee) || is_on_cycle(proc, edge.source.0) {
                        return true;
                    }
                }
            }
        }
    }
    false
}

fn is_on_cycle(proc: &Procedure, location: u32) -> bool {
    let mut seen = FixedBitSet::with_capacity(proc.locations.len());
    let mut work = vec![location];
    while let Some(at) = work.pop() {
        for edge in proc.edges.iter().filter(|edge| edge.source.0 == at) {
            if edge.target.0 == location {
                return true;
            }
            if !seen.put(edge.target.index()) {
                work.push(edge.target.0);
            }
        }
    }
    false
}

/// The procedures that the first thread may run, and those that others may.
fn reached(program: &Program) -> (FixedBitSet, FixedBitSet) {
    let all = program.procs.len();
    let function = |kind: &ObjectKind| match kind {
        ObjectKind::Function(proc) => Some(proc.index()),
        ObjectKind::Data { .. } => None,
    };
    let addressed: Vec<usize> = program.objects.iter().filter_map(|object| function(&object.kind)).collect();
    let callees = |callee: &Callee| match callee {
        Callee::Proc(proc) => vec![proc.index()],
        Callee::Address(_) => addressed.clone(),
    };
    let closure = |mut work: Vec<usize>| {
        let mut result = FixedBitSet::with_capacity(all);
        let mut started = Vec::new();
        while let Some(p) = work.pop() {
            if result.put(p) {
                continue;
            }
            for label in program.procs[p].edges.iter().flat_map(|edge| &edge.labels) {
                match label {
                    Label::Call { callee, .. } => work.extend(callees(callee)),
                    Label::Start { callee, .. } => started.extend(callees(callee)),
                    _ => {}
                }
            }
        }
        (result, started)
    };
    let (first, mut started) = closure(vec![program.entry.index()]);
    let mut others = FixedBitSet::with_capacity(all);
    loop {
        let (result, more) = closure(started.clone());
        if result == others {
            return (first, others);
        }
        others = result;
        started.extend(more);
        started.sort_unstable();
        started.dedup();
    }
}

/// What holds handles.
struct Handles {
    webs: Webs,
    /// Global and thread-local variables, and locals as far as they belong together.
    held: FxHashSet<u32>,
    vars: FxHashSet<VarId>,
    /// Static objects, and labels that allocate.
    objects: FxHashSet<u32>,
    sites: FxHashSet<u32>,
}

fn as_var(program: &Program, value: ExprId) -> Option<VarId> {
    match program.pool.get(value) {
        Expr::Var(var) => Some(var),
        _ => None,
    }
}

/// The least sets of webs and objects that have all that handles are copied to, and all that is copied there or joined.
fn handles(code: &Code, guess: &AddressGuess) -> Result<Handles, &'static str> {
    let mut handles = Handles {
        webs: webs(code),
        held: FxHashSet::default(),
        vars: FxHashSet::default(),
        objects: FxHashSet::default(),
        sites: FxHashSet::default(),
    };
    let mut read: FxHashSet<u32> = FxHashSet::default();
    for_each_label(code, |_, index, label| {
        label.for_each_expr(|value| {
            let vars = code.program.pool.vars(value);
            read.extend(vars.into_iter().filter_map(|var| handles.webs.read(index, var)));
        });
    });
    for (p, proc) in code.program.procs.iter().enumerate() {
        let compiled = &code.procs[p];
        read.extend(proc.result.and_then(|result| handles.webs.at(compiled.first_loc + compiled.exit, result)));
    }
    for_each_label(code, |_, index, label| match label {
        Label::Start { .. } | Label::Self_ { .. } => {
            handles.held.extend(handles.webs.written(index).filter(|web| read.contains(web)));
        }
        Label::Join { handle, .. } => {
            let joined = as_var(code.program, *handle).and_then(|var| handles.webs.read(index, var));
            handles.held.extend(joined);
        }
        _ => {}
    });
    loop {
        let size = handles.size();
        let mut wild = false;
        for_each_label(code, |_, index, label| wild |= !handles.follow(code, guess, index, label));
        if wild {
            return Err("off: thread ids anywhere in memory");
        }
        if handles.size() == size {
            return Ok(handles);
        }
    }
}

impl Handles {
    fn size(&self) -> usize {
        self.held.len() + self.vars.len() + self.objects.len() + self.sites.len()
    }

    /// Follows what a label copies, in both directions; false if that may go anywhere.
    fn follow(&mut self, code: &Code, guess: &AddressGuess, index: u32, label: &Label) -> bool {
        let copied = |webs: &Webs, value: &ExprId| as_var(code.program, *value).and_then(|var| webs.read(index, var));
        let (to, from) = match label {
            Label::Assign { value, .. } => (self.webs.written(index), copied(&self.webs, value)),
            Label::Load { place: Place::Var(var), .. } => (self.webs.written(index), Some(self.variable(*var))),
            Label::Store { place: Place::Var(var), value, .. } => {
                (copied(&self.webs, value), Some(self.variable(*var)))
            }
            Label::Load { place: Place::Memory(_), .. } => {
                return self.follow_memory(code, guess, index, self.webs.written(index));
            }
            Label::Store { place: Place::Memory(_), value, .. } => {
                return self.follow_memory(code, guess, index, copied(&self.webs, value));
            }
            _ => return true,
        };
        if let (Some(to), Some(from)) = (to, from)
            && (self.held.contains(&to) || self.held.contains(&from))
        {
            self.held.extend([to, from]);
        }
        if let Some(Place::Var(var)) = label.place()
            && from.is_some_and(|web| self.held.contains(&web))
        {
            self.vars.insert(var);
        }
        true
    }

    fn variable(&mut self, var: VarId) -> u32 {
        self.webs.global(var)
    }

    /// Between memory that a label accesses and a local.
    fn follow_memory(&mut self, code: &Code, guess: &AddressGuess, label: u32, local: Option<u32>) -> bool {
        let Some(local) = local else { return true };
        if self.held.contains(&local) {
            let Some((objects, sites)) = accessed(code, guess, label) else { return false };
            self.objects.extend(objects);
            self.sites.extend(sites);
        } else if self.in_memory(code, guess, label) {
            self.held.insert(local);
        }
        true
    }

    /// May a label's access be one of memory that holds handles?
    fn in_memory(&self, code: &Code, guess: &AddressGuess, label: u32) -> bool {
        if self.objects.is_empty() && self.sites.is_empty() {
            return false;
        }
        match accessed(code, guess, label) {
            None => true,
            Some((objects, sites)) => {
                objects.iter().any(|object| self.objects.contains(object))
                    || sites.iter().any(|site| self.sites.contains(site))
            }
        }
    }

    /// The locals that hold handles, at locations.
    fn locals(&self) -> impl Iterator<Item = (u32, VarId)> {
        self.webs.locals_of(|web| self.held.contains(&web))
    }

    /// Is everything that holds handles used as handles are, and nothing but handles put there?
    fn check_uses(&self, code: &Code, guess: &AddressGuess, of_others: &FixedBitSet) -> Result<(), &'static str> {
        const SEEN: &str = "off: thread ids are looked at";
        const OF_OTHERS: &str = "off: other threads have thread ids";
        let program = code.program;
        let is_held = |web: Option<u32>| web.is_some_and(|web| self.held.contains(&web));
        let zero = |value: ExprId| program.pool.as_const(value).is_some_and(|c| c.bits == 0);
        for var in &self.vars {
            match &program.var(*var).kind {
                VarKind::Global(None) => {}
                // The first thread.
                VarKind::Global(Some(initial)) if initial.bits == 0 => {}
                _ => return Err(SEEN),
            }
        }
        for (proc, compiled) in program.procs.iter().zip(&code.procs) {
            let (entry, exit) = (compiled.first_loc + compiled.entry, compiled.first_loc + compiled.exit);
            let mut params = proc.params.iter();
            if params.any(|param| is_held(self.webs.at(entry, *param)))
                || proc.result.is_some_and(|result| is_held(self.webs.at(exit, result)))
            {
                return Err(SEEN);
            }
        }
        for object in &self.objects {
            match &program.objects[*object as usize].kind {
                ObjectKind::Data { init: ObjectInit::Any, .. } => {}
                ObjectKind::Data { init: ObjectInit::Bytes { bytes, pointers }, .. }
                    if pointers.is_empty() && bytes.iter().all(|byte| *byte == 0) => {}
                _ => return Err(SEEN),
            }
        }
        let mut verdict = Ok(());
        for_each_label(code, |proc, index, label| {
            let is_copy = |value: ExprId| as_var(program, value).is_some_and(|var| is_held(self.webs.read(index, var)));
            let mentions =
                |value: ExprId| program.pool.vars(value).iter().any(|var| is_held(self.webs.read(index, *var)));
            // Is what it writes given a handle, and which operand may be one?
            let (gives, taken) = match label {
                Label::Assign { value, .. } => (is_copy(*value) || zero(*value), Some(*value)),
                Label::Load { place: Place::Var(from), .. } => (self.vars.contains(from), None),
                Label::Load { place: Place::Memory(_), .. } => (self.in_memory(code, guess, index), None),
                Label::Store { value, .. } => (false, Some(*value)),
                Label::Join { handle, .. } => (false, Some(*handle)),
                Label::Havoc { reason, .. } => (!matches!(reason, HavocReason::Result(_)), None),
                Label::Start { .. } | Label::Self_ { .. } => (true, None),
                _ => (false, None),
            };
            let writes = is_held(self.webs.written(index));
            let reads = writes && matches!(label, Label::Load { .. }) || matches!(label, Label::Join { .. });
            let mut is_right = !writes || gives;
            match label {
                Label::Store { place, value, .. } => {
                    let to_handles = match place {
                        Place::Var(to) => self.vars.contains(to),
                        Place::Memory(_) => self.in_memory(code, guess, index),
                    };
                    is_right &= if to_handles { is_copy(*value) || zero(*value) } else { !is_copy(*value) };
                }
                Label::Join { handle, .. } => is_right &= is_copy(*handle) || zero(*handle),
                _ => {}
            }
            label.for_each_expr(|value| {
                is_right &= !mentions(value) || taken == Some(value) && is_copy(value);
            });
            if let Some(Place::Memory(address)) = label.place() {
                is_right &= !mentions(address);
            }
            if !is_right {
                verdict = Err(SEEN);
            } else if reads && of_others.contains(proc as usize) && verdict.is_ok() {
                verdict = Err(OF_OTHERS);
            }
        });
        verdict?;
        // What they only pass on within an edge is not seen in any state.
        let is_kept = |proc: &ProcCode| {
            let locations = proc.first_loc..proc.first_loc + proc.locs.len() as u32;
            self.locals().any(|(at, _)| locations.contains(&at))
        };
        match of_others.ones().any(|proc| is_kept(&code.procs[proc])) {
            true => Err(OF_OTHERS),
            false => Ok(()),
        }
    }
}

/// The static objects that a label may access, and the labels that allocate the others; `None`: anything.
fn accessed(code: &Code, guess: &AddressGuess, label: u32) -> Option<(Vec<u32>, Vec<u32>)> {
    match code.labels[label as usize] {
        LabelCode::LoadStatic { object, .. } | LabelCode::StoreStatic { object, .. } => {
            Some((vec![object], Vec::new()))
        }
        _ => {
            let (objects, sites) = guess.targets(label)?;
            Some((objects.collect(), sites.map(|site| guess.sites[site as usize].label).collect()))
        }
    }
}

/// Which handles outside of locals may be read from each location on, and from the beginning of each edge on, calls included.
fn reads(
    code: &Code,
    guess: &AddressGuess,
    handles: &Handles,
    globals: &[VarId],
    of_first: &FixedBitSet,
) -> (Vec<u64>, Vec<u64>) {
    let program = code.program;
    let mut reads = vec![0u64; code.procs.iter().map(|proc| proc.locs.len()).sum()];
    let mut edges = vec![0u64; code.edges.len()];
    for (i, edge) in code.edges.iter().enumerate().filter(|(_, edge)| of_first.contains(edge.proc as usize)) {
        for label in edge.first..edge.end {
            let k = (label - edge.first) as usize;
            match program.procs[edge.proc as usize].edges[edge.id.index()].labels[k] {
                Label::Load { place: Place::Var(var), .. } => {
                    edges[i] |= globals.binary_search(&var).map_or(0, |at| 1 << at);
                }
                Label::Load { place: Place::Memory(_), .. } if handles.in_memory(code, guess, label) => {
                    edges[i] |= MEMORY
                }
                _ => {}
            }
        }
    }
    let functions: Vec<u32> = code.functions.values().copied().collect();
    let entry = |p: u32| (code.procs[p as usize].first_loc + code.procs[p as usize].entry) as usize;
    loop {
        let mut changed = false;
        for (i, edge) in code.edges.iter().enumerate().rev() {
            let first = code.procs[edge.proc as usize].first_loc;
            let mut from = edges[i] | reads[(first + edge.target) as usize];
            for label in &program.procs[edge.proc as usize].edges[edge.id.index()].labels {
                match label {
                    Label::Call { callee: Callee::Proc(callee), .. } => from |= reads[entry(callee.0)],
                    Label::Call { .. } => from |= functions.iter().fold(0, |all, p| all | reads[entry(*p)]),
                    _ => {}
                }
            }
            let at = &mut reads[(first + edge.source) as usize];
            changed |= from & !*at != 0;
            *at |= from;
            edges[i] |= from;
        }
        if !changed {
            return (reads, edges);
        }
    }
}

/// The local that is joined on the one edge that leaves a location.
fn joined_local(code: &Code, shape: Shape) -> Option<Slot> {
    let Shape::Single(edge) = shape else { return None };
    let edge = code.edges[edge as usize];
    let proc = &code.program.procs[edge.proc as usize];
    match proc.edges[edge.id.index()].labels.first() {
        Some(Label::Join { handle, .. }) => {
            let var = as_var(code.program, *handle)?;
            let at = proc.locals.iter().position(|local| *local == var)?;
            Some(code.procs[edge.proc as usize].slots[at])
        }
        _ => None,
    }
}

fn is_quiet(code: &Code, loc: &LocCode) -> bool {
    let is_alone = matches!(loc.shape, Shape::Single(_));
    !loc.cut_off
        && !loc.edges.is_empty()
        && loc.edges.iter().all(|edge| {
            let edge = code.edges[*edge as usize];
            let labels = &code.labels[edge.first as usize..edge.end as usize];
            (0..).zip(labels).all(|(i, label)| match label {
                LabelCode::Join { to, .. } => i == 0 && is_alone && to.is_none(),
                LabelCode::Assign { .. }
                | LabelCode::Move { .. }
                | LabelCode::Assume(_)
                | LabelCode::LoadGlobal { .. }
                | LabelCode::StoreGlobal { .. }
                | LabelCode::LoadStatic { .. }
                | LabelCode::StoreStatic { .. }
                | LabelCode::LoadMemory { .. }
                | LabelCode::StoreMemory { .. } => true,
                _ => false,
            })
        })
}
