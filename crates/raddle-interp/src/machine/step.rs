//! What one edge does: a thread executes all its labels as one step.
//!
//! This is the reference semantics of a Program. A step that cannot be taken to its end leaves changes behind; whoever
//! tries steps turns the journal on and takes them back.

use crate::machine::code::{CalleeCode, Code, LabelCode, LockCode, ResultCode, Shape, Source, Target, var_of};
use crate::machine::eval_code::{run, settle, whole};
use crate::machine::expr_code::ExprCode;
use crate::machine::interval::{Interval, WIDEST};
use crate::machine::lives::{is_valid, leaking};
use crate::machine::locks::{LockResult, operate};
use crate::machine::memory::{LARGEST_OBJECT, ObjectClass};
use crate::machine::native::native;
use crate::machine::oracle::{Ask, Asked, Held, Kept, Oracle};
use crate::machine::printf;
use crate::machine::state::{MOST_STACK_WORDS, MOST_THREADS, Machine, Status};
use crate::machine::store_buffers::{
    Pending, PendingPlace, commit_all, is_buffered, load_pending, pending_global, separate, waits,
};
use crate::machine::undetermined::Widening;
use raddle_ir::MemoryModel;
use raddle_ir::{Hazard, Sort, Storage, Use, Violation, eval};

/// How a step went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flow {
    /// To its end.
    Done,
    /// The thread cannot take it now.
    Blocked(Blocked),
    /// An assumption fails: this path does not exist.
    Infeasible,
    /// Behaviour is undefined: the path ends here.
    Hazard(HazardKind, String),
    /// The error was reached.
    Error(Violation),
    /// The program ends with a status.
    Halt(u128),
    /// Beyond what this interpreter can run.
    Unsupported(String),
}

impl Flow {
    /// For people.
    pub fn words(&self) -> String {
        match self {
            Flow::Done => "the step is taken".into(),
            Flow::Blocked(_) => "it waits".into(),
            Flow::Infeasible => "no condition of what comes next holds".into(),
            Flow::Hazard(_, what) | Flow::Unsupported(what) => what.clone(),
            Flow::Error(violation) => violation.words().into(),
            Flow::Halt(_) => "the program ends".into(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocked {
    Await,
    /// By the lock at an address.
    Lock(u64),
    /// By a thread that has not ended.
    Join(u32),
    /// By stores of its own that are pending.
    Pending,
    /// By as many pending stores as a thread may have.
    FullBuffer,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HazardKind {
    InvalidRead,
    InvalidWrite,
    InvalidFree,
    InvalidCall,
    DivisionByZero,
    SignedOverflow,
    Unreachable,
    LockMisuse,
    JoinMisuse,
    FormatMisuse,
}

/// Executes the labels of an edge, but for the first `skip` ones (a condition that is known to hold), and goes to its target.
#[inline]
pub fn run_edge<O: Oracle>(
    code: &Code,
    machine: &mut Machine,
    thread: u32,
    edge: u32,
    skip: u32,
    oracle: &mut O,
) -> Flow {
    let e = code.edges[edge as usize];
    if e.waits && !machine.threads[thread as usize].pending.is_empty() {
        return Flow::Blocked(Blocked::Pending);
    }
    for label in e.first + skip..e.end {
        // The stores of this very edge: nobody sees that they were not visible at once.
        if e.waits && !machine.threads[thread as usize].pending.is_empty() && waits(code, edge, label) {
            commit_all(code, machine, thread);
        }
        if O::NOTES {
            oracle.before_label(label - e.first);
        }
        match run_label(code, machine, thread, edge, label, oracle) {
            Flow::Done => {}
            other => return other,
        }
        if O::NOTES {
            oracle.after_label(code, machine, thread, label);
        }
        match code.labels[label as usize] {
            // The frame at the top is that of the callee now; the edge ends when it returns.
            LabelCode::Call(_) => {
                return_from_exits(code, machine, thread, oracle);
                return Flow::Done;
            }
            LabelCode::ThreadExit { .. } => return Flow::Done,
            _ => {}
        }
    }
    machine.set_loc(thread, e.target);
    return_from_exits(code, machine, thread, oracle);
    Flow::Done
}

/// Takes an edge from the location that a thread is at. At a branch, the condition is evaluated as whoever explored it did.
pub fn take_edge<O: Oracle>(code: &Code, machine: &mut Machine, thread: u32, edge: u32, oracle: &mut O) -> Flow {
    let top = *machine.top(thread);
    match code.procs[top.proc as usize].locs[top.loc as usize].shape {
        Shape::Branch { cond, then, .. } => {
            if (machine.eval_narrow(code, thread, cond, oracle) != 0) != (edge == then) {
                return Flow::Infeasible;
            }
            run_edge(code, machine, thread, edge, 1, oracle)
        }
        _ => run_edge(code, machine, thread, edge, 0, oracle),
    }
}

/// A thread at the exit of its process ends; the program does with the entry process.
pub fn end_thread<O: Oracle>(code: &Code, machine: &mut Machine, thread: u32, oracle: &mut O) -> Flow {
    if thread != 0 && !machine.threads[thread as usize].pending.is_empty() {
        return Flow::Blocked(Blocked::Pending);
    }
    let proc = &code.procs[machine.top(thread).proc as usize];
    let result = match proc.result {
        Some(slot) if thread == 0 || code.results_matter => {
            let mut view = machine.view(thread);
            if view.any[slot.index as usize] {
                settle(code, &mut view, slot.index, oracle);
            }
            machine.local(thread, slot.index, slot.sort)
        }
        _ => 0,
    };
    if thread == 0 {
        return Flow::Halt(result);
    }
    machine.finish(thread, Status::Ended, result);
    Flow::Done
}

/// Calls whose callee is at its exit return.
pub fn return_from_exits<O: Oracle>(code: &Code, machine: &mut Machine, thread: u32, oracle: &mut O) {
    loop {
        let t = &machine.threads[thread as usize];
        let top = t.frames[t.frames.len() - 1];
        let proc = &code.procs[top.proc as usize];
        if t.frames.len() == 1 || top.loc != proc.exit {
            return;
        }
        let caller = t.frames[t.frames.len() - 2];
        let call_edge = code.edges[caller.call as usize];
        let to = match code.labels[call_edge.first as usize] {
            LabelCode::Call(call) => code.calls[call as usize].to,
            _ => None,
        };
        let mut value = None;
        if let (Some(_), Some(slot)) = (to, proc.result)
            && !machine.view(thread).any[slot.index as usize]
        {
            value = Some(machine.local(thread, slot.index, slot.sort));
        }
        // An undetermined result of the same sort moves on with what is known of it.
        let undetermined = match (to, proc.result) {
            (Some(to), Some(slot)) if value.is_none() && to.sort == slot.sort => {
                let var = code.local(top.proc, slot.index).var;
                let held = Held { thread, index: top.base + slot.index, var };
                oracle.moved(held, (thread, caller.base + to.slot));
                Some(machine.view(thread).words[slot.index as usize])
            }
            (Some(to), Some(slot)) if value.is_none() => {
                let mut view = machine.view(thread);
                settle(code, &mut view, slot.index, oracle);
                value = Some(resize(machine.local(thread, slot.index, slot.sort), to.sort));
                None
            }
            _ => None,
        };
        machine.leave(thread);
        if let Some(to) = to {
            match (value, undetermined) {
                (Some(value), _) => machine.set_local(thread, to, resize(value, to.sort)),
                (None, word) => {
                    machine.set_local_any(thread, to);
                    let at = machine.position(thread, to.slot);
                    match word {
                        Some(word) => machine.threads[thread as usize].slots.words[at as usize] = word,
                        None => fresh(code, machine, thread, to, oracle),
                    }
                }
            }
        }
        machine.set_loc(thread, call_edge.target);
    }
}

/// A value of another width: cut or extended with zeros.
fn resize(value: u128, to: Sort) -> u128 {
    value & eval::mask(to.bits().unwrap_or(1))
}

pub fn run_label<O: Oracle>(
    code: &Code,
    machine: &mut Machine,
    thread: u32,
    edge: u32,
    label: u32,
    oracle: &mut O,
) -> Flow {
    match code.labels[label as usize] {
        LabelCode::Assign { to, value } => {
            let at = machine.will_change(thread, to);
            let mut view = machine.view(thread);
            run(code, value, &mut view, oracle);
            view.any[(at - view.base) as usize] = false;
        }
        LabelCode::Move { to, from, how, dies, value } => {
            copy(code, machine, thread, to, from, how, dies, value, oracle)
        }
        LabelCode::Havoc { to, result: None } => havoc(code, machine, thread, to, oracle),
        LabelCode::Havoc { to, result: Some(result) } => library_result(code, machine, thread, to, result, oracle),
        LabelCode::Assume(cond) => {
            if machine.eval_narrow(code, thread, cond, oracle) == 0 {
                return Flow::Infeasible;
            }
        }
        LabelCode::Await(cond) => {
            if machine.eval_narrow(code, thread, cond, oracle) == 0 {
                return Flow::Blocked(Blocked::Await);
            }
        }
        LabelCode::Require { cond, hazard } => {
            if machine.eval_narrow(code, thread, cond, oracle) == 0 {
                return required(hazard);
            }
        }
        LabelCode::LoadGlobal { to, slot } => {
            if !machine.threads[thread as usize].pending.is_empty()
                && let Some(value) = pending_global(machine, thread, slot)
            {
                machine.set_local(thread, to, value);
                return Flow::Done;
            }
            if machine.globals.any[slot as usize] {
                let var = var_of(&code.globals, slot);
                let (low, high) = whole(to.sort);
                let value = oracle.choose(&Ask { thread, asked: Asked::Shared, var, sort: to.sort, low, high });
                machine.set_global(slot, to.sort, Some(value));
            }
            let value = machine.globals.get(slot, to.sort);
            machine.set_local(thread, to, value);
        }
        LabelCode::StoreGlobal { slot, value } => {
            let sort = value.code.sort;
            if machine.model != MemoryModel::Sc && is_buffered(code, machine, edge, label) {
                return put_off(code, machine, thread, (edge, label), PendingPlace::Global(slot), value, oracle);
            }
            let value = source(code, machine, thread, value, Some(Kept::Global(slot)), oracle);
            machine.set_global(slot, sort, value);
        }
        LabelCode::LoadOwn { to, slot } => {
            if machine.threads[thread as usize].own.any[slot as usize] {
                let var = var_of(&code.owns, slot);
                let (low, high) = whole(to.sort);
                let value = oracle.choose(&Ask { thread, asked: Asked::Shared, var, sort: to.sort, low, high });
                machine.set_own(thread, slot, to.sort, Some(value));
            }
            let value = machine.threads[thread as usize].own.get(slot, to.sort);
            machine.set_local(thread, to, value);
        }
        LabelCode::StoreOwn { slot, value } => {
            let sort = value.code.sort;
            let value = source(code, machine, thread, value, Some(Kept::Own(slot)), oracle);
            machine.set_own(thread, slot, sort, value);
        }
        LabelCode::LoadStatic { to, object, offset } => {
            let value = load(machine, thread, object, offset, to.sort, oracle);
            machine.set_local(thread, to, value);
        }
        LabelCode::StoreStatic { object, offset, value } => {
            if !machine.memory.objects[object as usize].writable {
                return invalid(code, HazardKind::InvalidWrite, "write to the read-only object", object);
            }
            let bytes = value.code.sort.bytes();
            let address = machine.memory.objects[object as usize].address + offset;
            if machine.model != MemoryModel::Sc && is_buffered(code, machine, edge, label) {
                let place = PendingPlace::Bytes { address, bytes };
                return put_off(code, machine, thread, (edge, label), place, value, oracle);
            }
            let value = source(code, machine, thread, value, Some(Kept::Memory { address, bytes }), oracle);
            machine.set_bytes(object, offset, bytes, value);
        }
        LabelCode::LoadMemory { to, address } => {
            let address = machine.eval_narrow(code, thread, address, oracle);
            let found = find(code, machine, address, to.sort.bytes());
            if O::TOUCHES {
                oracle.touched(machine, thread, label, found.map(|f| f.0), address);
            }
            let Some((object, offset)) = found else {
                return no_object(HazardKind::InvalidRead, "read", to.sort.bytes(), address);
            };
            let value = load(machine, thread, object, offset, to.sort, oracle);
            machine.set_local(thread, to, value);
        }
        LabelCode::StoreMemory { address, value } => {
            let address = machine.eval_narrow(code, thread, address, oracle);
            let bytes = value.code.sort.bytes();
            let found = find(code, machine, address, bytes);
            if O::TOUCHES {
                oracle.touched(machine, thread, label, found.map(|f| f.0), address);
            }
            let Some((object, offset)) = found else {
                return no_object(HazardKind::InvalidWrite, "write", bytes, address);
            };
            if !machine.memory.objects[object as usize].writable {
                return invalid(code, HazardKind::InvalidWrite, "write to the read-only object", object);
            }
            if machine.model != MemoryModel::Sc && is_buffered(code, machine, edge, label) {
                let place = PendingPlace::Bytes { address, bytes };
                return put_off(code, machine, thread, (edge, label), place, value, oracle);
            }
            let value = source(code, machine, thread, value, Some(Kept::Memory { address, bytes }), oracle);
            machine.set_bytes(object, offset, bytes, value);
        }
        LabelCode::Alloc { to, size, storage, zeroed } => {
            let size = machine.eval_narrow(code, thread, size, oracle);
            if size > LARGEST_OBJECT {
                return Flow::Unsupported(format!("an allocation of {size} bytes"));
            }
            let class = match storage {
                Storage::Heap => ObjectClass::Heap,
                Storage::Stack => ObjectClass::Stack,
                Storage::Library => ObjectClass::Library,
            };
            match machine.allocate(thread, size, zeroed, class, label) {
                Some(address) => machine.set_local(thread, to, address.into()),
                None => return Flow::Unsupported("more memory than there are addresses".into()),
            }
        }
        LabelCode::ObjectSize { to, address } => {
            let address = machine.eval_narrow(code, thread, address, oracle);
            let mut size = 0;
            if address != 0 {
                let object = machine.memory.starting_at(address);
                if O::TOUCHES {
                    oracle.touched(machine, thread, label, object, address);
                }
                match object.map(|o| &machine.memory.objects[o as usize]) {
                    Some(object) if matches!(object.class, ObjectClass::Heap | ObjectClass::Library) => {
                        size = object.bytes.len() as u128
                    }
                    _ => {
                        let what = format!("{address:#x} is not the start of a live heap object");
                        return Flow::Hazard(HazardKind::InvalidFree, what);
                    }
                }
            }
            machine.set_local(thread, to, resize(size, to.sort));
        }
        LabelCode::Valid { to, address, used } => {
            let address = machine.eval_narrow(code, thread, address, oracle);
            if O::TOUCHES {
                let bytes = if let Use::Read(bytes) | Use::Write(bytes) = used { bytes } else { 0 };
                let live = |f: &(u32, u64)| machine.memory.objects[f.0 as usize].class != ObjectClass::Freed;
                let object = find(code, machine, address, bytes).filter(live).map(|f| f.0);
                oracle.touched(machine, thread, label, object, address);
            }
            let valid = is_valid(code, machine, address, used);
            machine.set_local(thread, to, valid.into());
        }
        LabelCode::Leaks { to, leak } => {
            let leaks = leaking(code, machine, leak).is_some();
            machine.set_local(thread, to, leaks.into());
        }
        LabelCode::Free { address, storage } => {
            let address = machine.eval_narrow(code, thread, address, oracle);
            if address != 0 {
                let object = machine.memory.starting_at(address);
                if O::TOUCHES {
                    oracle.touched(machine, thread, label, object, address);
                }
                match (object, object.map(|object| machine.memory.objects[object as usize].class), storage) {
                    (Some(object), Some(ObjectClass::Heap | ObjectClass::Library), Storage::Heap) => {
                        machine.free(object)
                    }
                    (_, Some(ObjectClass::Stack), Storage::Stack) => machine.free_stack_object(thread, address),
                    _ => {
                        let what = format!("free of {address:#x}, which is not the start of a live heap object");
                        return Flow::Hazard(HazardKind::InvalidFree, what);
                    }
                }
            }
        }
        LabelCode::AtomicBegin => machine.set_atomic(Some(thread), machine.atomic_depth + 1),
        LabelCode::AtomicEnd => match machine.atomic_depth {
            0 => {}
            1 => machine.set_atomic(None, 0),
            depth => machine.set_atomic(Some(thread), depth - 1),
        },
        LabelCode::Fence => separate(code, machine, thread, edge, label),
        LabelCode::Start(call) => return start(code, machine, thread, call, oracle),
        LabelCode::Join { to, handle } => {
            let handle = machine.eval_narrow(code, thread, handle, oracle);
            let Some(target) = machine.threads.get(handle as usize) else {
                return Flow::Hazard(HazardKind::JoinMisuse, format!("join of {handle}, which names no thread"));
            };
            if target.status != Status::Ended {
                return Flow::Blocked(Blocked::Join(handle as u32));
            }
            let result = target.result;
            if let Some(to) = to {
                machine.set_local(thread, to, resize(result, to.sort));
            }
        }
        LabelCode::SelfHandle { to } => machine.set_local(thread, to, resize(thread.into(), to.sort)),
        LabelCode::ThreadExit { value } => {
            let value = if code.results_matter { machine.eval(code, thread, value, oracle) } else { 0 };
            machine.finish(thread, Status::Ended, value);
        }
        LabelCode::Lock { op, lock, to } => return lock_operation(code, machine, thread, label, op, lock, to, oracle),
        LabelCode::Call(call) => return call_procedure(code, machine, thread, edge, call, oracle),
        LabelCode::Error(violation) => return Flow::Error(violation),
        LabelCode::Halt { status } => return Flow::Halt(machine.eval(code, thread, status, oracle)),
        LabelCode::Print(print) => return print_formatted(code, machine, thread, print, oracle),
    }
    Flow::Done
}

/// Assigns a local a copy of one that may be undetermined.
#[allow(clippy::too_many_arguments)]
fn copy<O: Oracle>(
    code: &Code,
    machine: &mut Machine,
    thread: u32,
    to: Target,
    from: Target,
    how: Widening,
    dies: bool,
    value: ExprCode,
    oracle: &mut O,
) {
    let at = machine.will_change(thread, to);
    let mut view = machine.view(thread);
    if view.any[from.slot as usize] && dies && from.slot != to.slot {
        // The only copy moves on undetermined, if what is known of it can be said of the new variable.
        let word = match (how, from.sort, to.sort) {
            (_, Sort::Bits(a), Sort::Bits(b)) if a <= WIDEST => {
                Interval::unpack(view.words[from.slot as usize], a).widen(how, a, b).map(|interval| interval.pack(b))
            }
            (Widening::Same, _, _) => Some(view.words[from.slot as usize]),
            _ => None,
        };
        if let Some(word) = word {
            let to_index = (at - view.base) as usize;
            view.words[to_index] = word;
            view.any[to_index] = true;
            let held = Held { thread, index: view.base + from.slot, var: code.local(view.proc, from.slot).var };
            oracle.moved(held, (thread, at));
            return;
        }
    }
    run(code, value, &mut view, oracle);
    view.any[(at - view.base) as usize] = false;
}

/// The value that a label passes on; `None`: it is undetermined and stays so.
fn source<O: Oracle>(
    code: &Code,
    machine: &mut Machine,
    thread: u32,
    from: Source,
    to: Option<Kept>,
    oracle: &mut O,
) -> Option<u128> {
    if let Some(slot) = from.dying {
        let view = machine.view(thread);
        let full = crate::machine::code::any_word(from.code.sort);
        if view.any[slot as usize] && view.words[slot as usize] == full {
            let held = held(code, machine, thread, slot);
            if !oracle.has_value(held) {
                if let Some(to) = to {
                    oracle.stored(held, to);
                }
                return None;
            }
        }
    }
    Some(machine.eval(code, thread, from.code, oracle))
}

/// Puts a store in the thread's buffer. Its value is settled now.
fn put_off<O: Oracle>(
    code: &Code,
    machine: &mut Machine,
    thread: u32,
    (edge, label): (u32, u32),
    place: PendingPlace,
    value: Source,
    oracle: &mut O,
) -> Flow {
    if machine.threads[thread as usize].pending.len() >= machine.most_pending {
        return Flow::Blocked(Blocked::FullBuffer);
    }
    let value = machine.eval(code, thread, value.code, oracle);
    separate(code, machine, thread, edge, label);
    let group = machine.threads[thread as usize].group;
    machine.put_off(thread, Pending { place, value, group, edge });
    Flow::Done
}

/// What a local of the top frame holds.
fn held(code: &Code, machine: &Machine, thread: u32, slot: u32) -> Held {
    let var = code.local(machine.top(thread).proc, slot).var;
    Held { thread, index: machine.position(thread, slot), var }
}

/// A local gets any value.
fn havoc<O: Oracle>(code: &Code, machine: &mut Machine, thread: u32, to: Target, oracle: &mut O) {
    let var = code.local(machine.top(thread).proc, to.slot).var;
    match oracle.given(var) {
        Some(value) => machine.set_local(thread, to, resize(value, to.sort)),
        None => {
            machine.set_local_any(thread, to);
            fresh(code, machine, thread, to, oracle);
        }
    }
}

/// The result of a library function of which only bounds are known. Its arguments are read whatever the oracle makes of it, so that what is recorded with one oracle
/// is repeated with another.
fn library_result<O: Oracle>(code: &Code, machine: &mut Machine, thread: u32, to: Target, result: u32, oracle: &mut O) {
    let ResultCode { function, args } = code.results[result as usize];
    let [x, y] = args.map(|arg| arg.map(|arg| machine.eval(code, thread, arg, oracle)));
    let var = code.local(machine.top(thread).proc, to.slot).var;
    match oracle.computed(var, function, native(function, to.sort, x, y)) {
        Some(value) => machine.set_local(thread, to, resize(value, to.sort)),
        None => havoc(code, machine, thread, to, oracle),
    }
}

/// Tells that a local of the top frame holds a new undetermined value.
fn fresh<O: Oracle>(code: &Code, machine: &Machine, thread: u32, to: Target, oracle: &mut O) {
    let var = code.local(machine.top(thread).proc, to.slot).var;
    oracle.fresh((thread, machine.position(thread, to.slot)), var);
}

fn required(hazard: Hazard) -> Flow {
    let (kind, what) = match hazard {
        Hazard::DivisionByZero => (HazardKind::DivisionByZero, "division by zero"),
        Hazard::SignedOverflow => (HazardKind::SignedOverflow, "signed overflow"),
        Hazard::InvalidAccess => (HazardKind::InvalidWrite, "an access that no object holds"),
        Hazard::Unreachable => (HazardKind::Unreachable, "a point that must not be reached"),
    };
    Flow::Hazard(kind, what.into())
}

#[cold]
fn invalid(code: &Code, kind: HazardKind, what: &str, object: u32) -> Flow {
    let name = code.program.objects.get(object as usize).map_or("", |o| &o.name);
    Flow::Hazard(kind, format!("{what} `{name}`"))
}

#[cold]
fn no_object(kind: HazardKind, what: &str, bytes: u64, address: u64) -> Flow {
    let place =
        if address == 0 { "the null address".into() } else { format!("{address:#x}, which no live object holds") };
    Flow::Hazard(kind, format!("{what} of {bytes} bytes at {place}"))
}

/// The live object that holds some bytes.
#[inline]
pub fn find(code: &Code, machine: &Machine, address: u64, bytes: u64) -> Option<(u32, u64)> {
    machine.memory.find_dynamic(address, bytes).or_else(|| code.object_at(address, bytes))
}

/// Reads a scalar as a thread sees it; bytes that are undetermined get their value now.
pub fn load<O: Oracle>(
    machine: &mut Machine,
    thread: u32,
    object: u32,
    offset: u64,
    sort: Sort,
    oracle: &mut O,
) -> u128 {
    match machine.threads[thread as usize].pending.is_empty() {
        true => load_memory(machine, thread, (object, offset), 0, sort, oracle),
        false => load_pending(machine, thread, object, offset, sort, oracle),
    }
}

/// The same, whatever stores are pending. It may be only a part of what is loaded, from some byte on.
pub fn load_memory<O: Oracle>(
    machine: &mut Machine,
    thread: u32,
    (object, offset): (u32, u64),
    part: u32,
    sort: Sort,
    oracle: &mut O,
) -> u128 {
    let bytes = sort.bytes();
    let target = &machine.memory.objects[object as usize];
    let any = target.any_mask(offset as usize, bytes as usize);
    if any != 0 {
        let address = target.address + offset;
        if any.count_ones() == bytes as u32 {
            let (low, high) = whole(sort);
            let asked = Asked::Memory { address, offset: part };
            let value = oracle.choose(&Ask { thread, asked, var: None, sort, low, high });
            machine.set_bytes(object, offset, bytes, Some(value));
        } else {
            for i in (0..bytes).filter(|i| any >> i & 1 != 0) {
                let asked = Asked::Memory { address: address + i, offset: part + i as u32 };
                let ask = Ask { thread, asked, var: None, sort: Sort::Bits(8), low: 0, high: 255 };
                let value = oracle.choose(&ask);
                machine.set_bytes(object, offset + i, 1, Some(value));
            }
        }
    }
    let value = machine.memory.objects[object as usize].read(offset as usize, bytes as usize);
    value & eval::mask(sort.bits().unwrap_or(1))
}

fn callee<O: Oracle>(
    code: &Code,
    machine: &mut Machine,
    thread: u32,
    callee: CalleeCode,
    oracle: &mut O,
) -> Result<u32, Flow> {
    match callee {
        CalleeCode::Proc(proc) => Ok(proc),
        CalleeCode::Address(address) => {
            let address = machine.eval_narrow(code, thread, address, oracle);
            code.functions.get(&address).copied().ok_or_else(|| {
                Flow::Hazard(HazardKind::InvalidCall, format!("call of {address:#x}, which is not a function"))
            })
        }
    }
}

/// The arguments of a call; for one that is undetermined and stays so, where it comes from.
fn arguments<O: Oracle>(
    code: &Code,
    machine: &mut Machine,
    thread: u32,
    proc: u32,
    args: &[Source],
    oracle: &mut O,
) -> Vec<Result<u128, Option<Held>>> {
    let mut values = std::mem::take(&mut machine.arguments);
    values.clear();
    for (arg, param) in args.iter().zip(&code.procs[proc as usize].params) {
        // Only a parameter of the same sort can take over an undetermined value.
        let arg = Source { dying: arg.dying.filter(|_| arg.code.sort == param.sort), ..*arg };
        let value = source(code, machine, thread, arg, None, oracle);
        values.push(value.ok_or_else(|| arg.dying.map(|slot| held(code, machine, thread, slot))));
    }
    values
}

/// Gives the parameters of a thread's top frame, which are undetermined so far, the values that another one passes.
fn pass<O: Oracle>(
    code: &Code,
    machine: &mut Machine,
    thread: u32,
    args: Vec<Result<u128, Option<Held>>>,
    oracle: &mut O,
) {
    let params = &code.procs[machine.top(thread).proc as usize].params;
    for (i, param) in params.iter().enumerate() {
        let to = Target { slot: param.index, sort: param.sort };
        let at = machine.position(thread, to.slot);
        match args.get(i) {
            Some(Ok(value)) => machine.set_local(thread, to, resize(*value, param.sort)),
            Some(Err(Some(from))) => oracle.moved(*from, (thread, at)),
            Some(Err(None)) | None => fresh(code, machine, thread, to, oracle),
        }
    }
    machine.arguments = args;
}

fn call_procedure<O: Oracle>(
    code: &Code,
    machine: &mut Machine,
    thread: u32,
    edge: u32,
    call: u32,
    oracle: &mut O,
) -> Flow {
    let call = &code.calls[call as usize];
    let proc = match callee(code, machine, thread, call.callee, oracle) {
        Ok(proc) => proc,
        Err(flow) => return flow,
    };
    if machine.threads[thread as usize].slots.words.len() > MOST_STACK_WORDS {
        return Flow::Unsupported("calls that are nested too deeply".into());
    }
    let args = arguments(code, machine, thread, proc, &call.args, oracle);
    machine.call(code, thread, edge, proc);
    oracle.entered(thread, machine.top(thread).base);
    pass(code, machine, thread, args, oracle);
    Flow::Done
}

fn start<O: Oracle>(code: &Code, machine: &mut Machine, thread: u32, call: u32, oracle: &mut O) -> Flow {
    let call = &code.calls[call as usize];
    let proc = match callee(code, machine, thread, call.callee, oracle) {
        Ok(proc) => proc,
        Err(flow) => return flow,
    };
    if machine.threads.len() >= MOST_THREADS {
        return Flow::Unsupported(format!("more than {MOST_THREADS} threads"));
    }
    let args = arguments(code, machine, thread, proc, &call.args, oracle);
    let new = machine.new_thread(code, proc);
    pass(code, machine, new, args, oracle);
    if let Some(to) = call.to {
        machine.set_local(thread, to, resize(new.into(), to.sort));
    }
    Flow::Done
}

#[allow(clippy::too_many_arguments)]
fn lock_operation<O: Oracle>(
    code: &Code,
    machine: &mut Machine,
    thread: u32,
    label: u32,
    op: LockCode,
    lock: ExprCode,
    to: Option<Target>,
    oracle: &mut O,
) -> Flow {
    let kind = match op {
        LockCode::Init(kind) => machine.eval_narrow(code, thread, kind, oracle) as u8,
        _ => 0,
    };
    let address = machine.eval_narrow(code, thread, lock, oracle);
    if O::TOUCHES {
        let object = find(code, machine, address, 1).map(|f| f.0);
        oracle.touched(machine, thread, label, object, address);
    }
    if address == 0 {
        return Flow::Hazard(HazardKind::LockMisuse, "a lock at the null address".into());
    }
    // A lock ends with its object. Static objects have no end.
    if machine.memory.is_dynamic(address) && machine.memory.find_dynamic(address, 1).is_none() {
        let what = format!("a lock at {address:#x}, which no live object holds");
        return Flow::Hazard(HazardKind::LockMisuse, what);
    }
    let answer = match operate(machine.locks.get(address), &op, kind, thread) {
        LockResult::Becomes(lock) => {
            machine.set_lock(address, lock);
            0
        }
        LockResult::Answers(answer) => answer,
        LockResult::Blocks => return Flow::Blocked(Blocked::Lock(address)),
        LockResult::Misuse(what) => return Flow::Hazard(HazardKind::LockMisuse, what.into()),
    };
    if let Some(to) = to {
        machine.set_local(thread, to, answer.into());
    }
    Flow::Done
}

fn print_formatted<O: Oracle>(code: &Code, machine: &mut Machine, thread: u32, print: u32, oracle: &mut O) -> Flow {
    let print = &code.prints[print as usize];
    if !O::PRINT {
        if let Some(to) = print.to {
            havoc(code, machine, thread, to, oracle);
        }
        return Flow::Done;
    }
    let format = machine.eval_narrow(code, thread, print.format, oracle);
    let args: Vec<(u128, Sort)> =
        print.args.iter().map(|arg| (machine.eval(code, thread, *arg, oracle), arg.sort)).collect();
    let mut read = |address: u64| {
        let (object, offset) = find(code, machine, address, 1)?;
        Some(load(machine, thread, object, offset, Sort::Bits(8), oracle) as u8)
    };
    match printf::format(format, &args, code.program.pointer_bits, &mut read) {
        Ok(text) => {
            oracle.print(&text);
            if let Some(to) = print.to {
                machine.set_local(thread, to, resize(text.len() as u128, to.sort));
            }
            Flow::Done
        }
        Err(what) => Flow::Hazard(HazardKind::FormatMisuse, what),
    }
}
