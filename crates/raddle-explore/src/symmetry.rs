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
//!   variables and memory that hold nothing else, and joins them; and unless only the first thread reads any. So nothing but the order in which they are
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
use fixedbitset::FixedBitSet;
use raddle_interp::machine::code::{Code, LabelCode, Shape};
use raddle_interp::machine::expr_code::Slot;
use raddle_ir::{
    Callee, Expr, ExprId, HavocReason, Label, MemoryModel, ObjectInit, ObjectKind, Place, Procedure, Program, VarId,
    VarKind, VarsOf,
};
use rustc_hash::FxHashSet;

/// What there is to know about a Program whose threads may be exchanged.
pub struct Symmetry {
    /// Variables that hold handles and nothing else.
    pub handles: FxHashSet<VarId>,
    /// Those of them that are global (at most `MOST_GLOBALS`).
    pub globals: Vec<VarId>,
    /// Static objects that hold handles.
    pub objects: FxHashSet<u32>,
    /// For each location: which of `globals` may be read from there on (as bits), and `MEMORY` if memory with handles may.
    pub reads: Vec<u64>,
    /// For each location that is left by a join only: the local that is joined.
    pub joins: Vec<Option<Slot>>,
    /// Locations from which the only edge takes no part in synchronisation, but for a join whose result nobody wants at its beginning.
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
    let globals: Vec<VarId> = handles.vars.iter().copied().filter(|v| is_global(program, *v)).collect();
    if globals.len() > MOST_GLOBALS {
        return Err("off: very many thread ids");
    }
    let mut globals = globals;
    globals.sort_unstable();
    let reads = reads(code, guess, &handles, &globals, &of_first);
    let locations = || code.procs.iter().flat_map(|proc| &proc.locs);
    let joins = locations().map(|loc| joined_local(code, loc.shape)).collect();
    let quiet = locations().map(|loc| !loc.cut_off && is_quiet(code, loc.shape)).collect();
    Ok(Symmetry { handles: handles.vars, globals, objects: handles.objects, reads, joins, quiet })
}

fn is_global(program: &Program, var: VarId) -> bool {
    matches!(program.var(var).kind, VarKind::Global(_))
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
#[derive(Default)]
struct Handles {
    vars: FxHashSet<VarId>,
    /// Static objects.
    objects: FxHashSet<u32>,
}

fn as_var(program: &Program, value: ExprId) -> Option<VarId> {
    match program.pool.get(value) {
        Expr::Var(var) => Some(var),
        _ => None,
    }
}

/// The least set of variables and objects that has all that handles are copied to, and all that is copied there or joined.
fn handles(code: &Code, guess: &AddressGuess) -> Result<Handles, &'static str> {
    let program = code.program;
    let mut vars = VarsOf::new();
    let mut read: FxHashSet<VarId> = FxHashSet::default();
    for_each_label(code, |_, _, label| {
        label.for_each_expr(|value| read.extend(vars.get(&program.pool, value)));
    });
    read.extend(program.procs.iter().filter_map(|proc| proc.result));
    let mut handles = Handles::default();
    for_each_label(code, |_, _, label| match label {
        Label::Start { var, .. } | Label::Self_ { var } if read.contains(var) => {
            handles.vars.insert(*var);
        }
        Label::Join { handle, .. } => handles.vars.extend(as_var(program, *handle)),
        _ => {}
    });
    loop {
        let size = handles.size();
        let mut wild = false;
        for_each_label(code, |_, index, label| match label {
            Label::Assign { var, value } => {
                if let Some(from) = as_var(program, *value) {
                    handles.unite(*var, from);
                }
            }
            Label::Load { var, place: Place::Var(from), .. } => handles.unite(*var, *from),
            Label::Store { place: Place::Var(to), value, .. } => {
                if let Some(from) = as_var(program, *value) {
                    handles.unite(*to, from);
                }
            }
            Label::Load { var, place: Place::Memory(_), .. } => {
                if handles.vars.contains(var) {
                    wild |= !handles.add_memory(code, guess, index);
                } else if handles.in_memory(code, guess, index) {
                    handles.vars.insert(*var);
                }
            }
            Label::Store { place: Place::Memory(_), value, .. } => {
                if let Some(from) = as_var(program, *value) {
                    if handles.vars.contains(&from) {
                        wild |= !handles.add_memory(code, guess, index);
                    } else if handles.in_memory(code, guess, index) {
                        handles.vars.insert(from);
                    }
                }
            }
            _ => {}
        });
        if wild {
            return Err("off: thread ids on the heap");
        }
        if handles.size() == size {
            return Ok(handles);
        }
    }
}

impl Handles {
    fn size(&self) -> usize {
        self.vars.len() + self.objects.len()
    }

    fn unite(&mut self, a: VarId, b: VarId) {
        if self.vars.contains(&a) || self.vars.contains(&b) {
            self.vars.extend([a, b]);
        }
    }

    /// May a label's access be one of memory that holds handles?
    fn in_memory(&self, code: &Code, guess: &AddressGuess, label: u32) -> bool {
        let of_handles = |targets: (Vec<u32>, bool)| targets.0.iter().any(|object| self.objects.contains(object));
        !self.objects.is_empty() && accessed(code, guess, label).is_none_or(of_handles)
    }

    /// Adds the memory that a label may access; false if that is more than static objects.
    fn add_memory(&mut self, code: &Code, guess: &AddressGuess, label: u32) -> bool {
        let Some((objects, is_all)) = accessed(code, guess, label) else { return false };
        self.objects.extend(objects);
        is_all
    }

    /// Is everything that holds handles used as handles are, and nothing but handles put there?
    fn check_uses(&self, code: &Code, guess: &AddressGuess, of_others: &FixedBitSet) -> Result<(), &'static str> {
        const SEEN: &str = "off: thread ids are looked at";
        let program = code.program;
        let is_handle = |var: &VarId| self.vars.contains(var);
        let zero = |value: ExprId| program.pool.as_const(value).is_some_and(|c| c.bits == 0);
        for var in &self.vars {
            match &program.var(*var).kind {
                VarKind::Global(None) | VarKind::Local(_) => {}
                // The first thread.
                VarKind::Global(Some(initial)) if initial.bits == 0 => {}
                _ => return Err(SEEN),
            }
        }
        for proc in &program.procs {
            if proc.params.iter().chain(&proc.result).any(is_handle) {
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
        let mut vars = VarsOf::new();
        for_each_label(code, |proc, index, label| {
            // Is what it writes given a handle, and which operand is a copy or a join?
            let (gives, taken) = match label {
                Label::Assign { value, .. } => (as_var(program, *value).is_some_and(|v| is_handle(&v)) || zero(*value), Some(*value)),
                Label::Load { place: Place::Var(from), .. } => (is_handle(from), None),
                Label::Load { place: Place::Memory(_), .. } => (true, None),
                Label::Store { place, value, .. } => {
                    let to_handles = match place {
                        Place::Var(to) => is_handle(to),
                        Place::Memory(_) => self.in_memory(code, guess, index),
                    };
                    let from_handles = as_var(program, *value).is_some_and(|v| is_handle(&v));
                    if to_handles != from_handles && !(to_handles && zero(*value)) {
                        verdict = Err(SEEN);
                    }
                    (true, Some(*value))
                }
                Label::Join { handle, .. } => {
                    if as_var(program, *handle).is_none() && !zero(*handle) {
                        verdict = Err(SEEN);
                    }
                    (false, Some(*handle))
                }
                Label::Start { .. } | Label::Self_ { .. } => (true, None),
                Label::Havoc { reason: HavocReason::Result(_), .. } => (false, None),
                Label::Havoc { .. } => (true, None),
                _ => (false, None),
            };
            if label.written_local().is_some_and(|var| is_handle(&var)) && !gives {
                verdict = Err(SEEN);
            }
            let mut reads = matches!(label, Label::Join { .. });
            label.for_each_expr(|value| {
                let is_copy = taken == Some(value) && as_var(program, value).is_some();
                if vars.get(&program.pool, value).iter().any(is_handle) {
                    reads = true;
                    if !is_copy {
                        verdict = Err(SEEN);
                    }
                }
            });
            if let Some(Place::Memory(address)) = label.place()
                && vars.get(&program.pool, address).iter().any(is_handle)
            {
                verdict = Err(SEEN);
            }
            // A copy into what is no handle was made one by `handles`.
            reads |= label.written_local().is_some_and(|var| is_handle(&var));
            if reads && of_others.contains(proc as usize) && verdict.is_ok() {
                verdict = Err("off: other threads have thread ids");
            }
        });
        verdict
    }
}

/// The static objects that a label may access, and whether it accesses nothing else; `None`: anything.
fn accessed(code: &Code, guess: &AddressGuess, label: u32) -> Option<(Vec<u32>, bool)> {
    match code.labels[label as usize] {
        LabelCode::LoadStatic { object, .. } | LabelCode::StoreStatic { object, .. } => Some((vec![object], true)),
        _ => {
            let (objects, mut sites) = guess.targets(label)?;
            Some((objects.collect(), sites.next().is_none()))
        }
    }
}

/// Which handles outside of locals may be read from each location on, calls included.
fn reads(code: &Code, guess: &AddressGuess, handles: &Handles, globals: &[VarId], of_first: &FixedBitSet) -> Vec<u64> {
    let program = code.program;
    let mut reads = vec![0; code.procs.iter().map(|proc| proc.locs.len()).sum()];
    let mut edges = vec![0; code.edges.len()];
    for (i, edge) in code.edges.iter().enumerate().filter(|(_, edge)| of_first.contains(edge.proc as usize)) {
        for label in edge.first..edge.end {
            let k = (label - edge.first) as usize;
            match program.procs[edge.proc as usize].edges[edge.id.index()].labels[k] {
                Label::Load { place: Place::Var(var), .. } => {
                    edges[i] |= globals.binary_search(&var).map_or(0, |at| 1 << at);
                }
                Label::Load { place: Place::Memory(_), .. } if handles.in_memory(code, guess, label) => edges[i] |= MEMORY,
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
        }
        if !changed {
            return reads;
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

fn is_quiet(code: &Code, shape: Shape) -> bool {
    let edges = match shape {
        Shape::Single(edge) => vec![edge],
        Shape::Branch { then, otherwise, .. } => vec![then, otherwise],
        Shape::Stop | Shape::Many => return false,
    };
    edges.iter().all(|edge| {
        let edge = code.edges[*edge as usize];
        let labels = &code.labels[edge.first as usize..edge.end as usize];
        (0..).zip(labels).all(|(i, label)| match label {
            LabelCode::Join { to, .. } => i == 0 && to.is_none(),
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
