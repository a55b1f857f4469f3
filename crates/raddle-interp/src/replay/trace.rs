//! Executions for people: which thread did what, where, with which values.

use crate::machine::code::{Code, LabelCode, LockCode, Target, var_of};
use crate::machine::decimal::{Decoded, Kind, decode};
use crate::machine::eval_code::{View, run};
use crate::machine::expr_code::ExprCode;
use crate::machine::oracle::{Ask, Asked, Oracle};
use crate::machine::state::{Journal, Machine};
use crate::machine::step::find;
use crate::machine::store_buffers::PendingPlace;
use raddle_ir::{EdgeId, ProcId, Sort, Span, Storage, VarId, eval};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    /// The handle of the thread: 0 is the first process.
    pub thread: u32,
    pub proc: ProcId,
    /// `None`: the thread came to its end, or one of its stores became visible.
    pub edge: Option<EdgeId>,
    pub span: Span,
    /// What happened, with the values that were read and written.
    pub text: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    pub steps: Vec<TraceStep>,
    /// How many steps were left out because the trace is long, and before which one of `steps`.
    pub omitted: u64,
    pub gap: usize,
    /// How it ended, in words.
    pub end: String,
}

/// A value as C would print it.
pub fn show(bits: u128, sort: Sort, signed: bool) -> String {
    match sort {
        Sort::Bool => (bits != 0).to_string(),
        Sort::F64 => format!("{:?}", f64::from_bits(bits as u64)),
        Sort::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        Sort::Float(_) => show_long(bits, sort).unwrap_or_else(|| format!("float {bits:#x}")),
        Sort::Bits(n) if signed => eval::to_signed(n, bits).to_string(),
        _ => bits.to_string(),
    }
}

/// A long double, as the nearest double.
fn show_long(bits: u128, sort: Sort) -> Option<String> {
    let Decoded { negative, kind } = decode(bits, sort)?;
    let sign = if negative { "-" } else { "" };
    match kind {
        Kind::Nan => Some("NaN".into()),
        Kind::Infinite => Some(format!("{sign}inf")),
        Kind::Finite { mantissa: 0, .. } => Some(format!("{sign}0.0")),
        Kind::Finite { mantissa, exponent } => {
            let near = mantissa as f64 * 2f64.powi(exponent);
            let is_exact = 64 - mantissa.leading_zeros() - mantissa.trailing_zeros() <= f64::MANTISSA_DIGITS;
            let about = if is_exact { "" } else { "about " };
            near.is_normal().then(|| format!("{about}{sign}{near:?}"))
        }
    }
}

pub fn show_var(code: &Code, var: VarId, bits: u128) -> String {
    let var = code.program.var(var);
    show(bits, var.sort, var.signed)
}

/// The object and offset that an address means.
pub fn show_address(code: &Code, machine: &Machine, address: u64) -> String {
    let plus = |offset: u64| if offset == 0 { String::new() } else { format!("+{offset}") };
    match find(code, machine, address, 0) {
        Some((object, offset)) => match code.program.objects.get(object as usize) {
            Some(o) => format!("{}{}", o.name, plus(offset)),
            None => match allocated_as(code, machine.memory.objects[object as usize].site) {
                Some(name) => format!("{name}{}", plus(offset)),
                None => format!("*{address:#x}"),
            },
        },
        None => format!("*{address:#x}"),
    }
}

/// The name of what an `Alloc` makes: the automatic variable, or the line of the allocation.
fn allocated_as(code: &Code, label: u32) -> Option<String> {
    let LabelCode::Alloc { to, .. } = *code.labels.get(label as usize)? else { return None };
    let edge = code.edges.iter().find(|edge| (edge.first..edge.end).contains(&label))?;
    let name = &code.program.var(code.local(edge.proc, to.slot).var).name;
    match name.strip_prefix('&') {
        Some(variable) => Some(variable.into()),
        None => {
            let span = code.program.procs[edge.proc as usize].edges[edge.id.index()].span;
            (!span.is_none()).then(|| format!("(allocated at line {})", span.line))
        }
    }
}

/// Answers nothing: only for evaluating once more what has been evaluated.
struct Silent;

impl Oracle for Silent {
    const NARROW: bool = false;
    fn choose(&mut self, ask: &Ask) -> u128 {
        ask.low
    }
    fn pick(&mut self, _ways: u32) -> u32 {
        0
    }
}

/// The value of an expression in the top frame, without changing anything. `None`: it depends on something undetermined.
pub fn peek(code: &Code, machine: &Machine, thread: u32, expr: ExprCode) -> Option<u128> {
    let t = &machine.threads[thread as usize];
    let frame = t.frames[t.frames.len() - 1];
    let mut words = t.slots.words[frame.base as usize..].to_vec();
    let mut any = t.slots.any[frame.base as usize..].to_vec();
    let before = any.clone();
    let mut journal = Journal::default();
    let mut view =
        View { words: &mut words, any: &mut any, journal: &mut journal, thread, base: frame.base, proc: frame.proc };
    run(code, expr, &mut view, &mut Silent);
    let low = u128::from(words[expr.reg as usize]);
    let value = if expr.wide() { low | u128::from(words[expr.reg as usize + 1]) << 64 } else { low };
    (any == before).then_some(value)
}

/// A local and its value, with the sign of another variable if it comes from there.
fn show_local(code: &Code, machine: &Machine, thread: u32, to: Target, from: Option<VarId>) -> String {
    let var = code.local(machine.top(thread).proc, to.slot).var;
    let at = machine.position(thread, to.slot);
    let signed = code.program.var(from.unwrap_or(var)).signed;
    let value = match machine.threads[thread as usize].slots.any[at as usize] {
        true => "any value".into(),
        false => show(machine.local(thread, to.slot, to.sort), to.sort, signed),
    };
    match code.program.var(var).name.as_str() {
        "" => value,
        name => format!("{name} = {value}"),
    }
}

/// What a label that was just executed did; empty if it is of no interest. `touched` is the address that it went to, if that was computed.
pub fn describe(code: &Code, machine: &Machine, thread: u32, label: u32, touched: Option<u64>) -> String {
    let local = |to: Target| show_local(code, machine, thread, to, None);
    let value_as = |e: ExprCode, signed: bool| match peek(code, machine, thread, e) {
        Some(bits) => show(bits, e.sort, signed),
        None => "any value".into(),
    };
    let value = |e: ExprCode| value_as(e, true);
    let place = |e: ExprCode| match peek(code, machine, thread, e) {
        Some(address) => show_address(code, machine, address as u64),
        None => "?".into(),
    };
    let name = |var: Option<VarId>| var.map_or("", |var| &code.program.var(var).name);
    let read = |to: Target, var: Option<VarId>| {
        format!("{} read from {}", show_local(code, machine, thread, to, var), name(var))
    };
    let written = |var: Option<VarId>, v: ExprCode| {
        let signed = var.is_none_or(|var| code.program.var(var).signed);
        format!("{} := {}", name(var), value_as(v, signed))
    };
    let visible = || match machine.threads[thread as usize].pending.is_empty() {
        true => "",
        false => " (pending)",
    };
    let offset =
        |object: u32, offset: u64| show_address(code, machine, code.program.objects[object as usize].address + offset);
    match code.labels[label as usize] {
        LabelCode::Assign { to, .. } | LabelCode::Move { to, .. } => local(to),
        LabelCode::Havoc { .. } | LabelCode::Assume(_) | LabelCode::Require { .. } | LabelCode::Fence => String::new(),
        LabelCode::Await(_) => "waited".into(),
        LabelCode::LoadGlobal { to, slot } => read(to, var_of(&code.globals, slot)),
        LabelCode::StoreGlobal { slot, value: v } => {
            format!("{}{}", written(var_of(&code.globals, slot), v.code), visible())
        }
        LabelCode::LoadOwn { to, slot } => read(to, var_of(&code.owns, slot)),
        LabelCode::StoreOwn { slot, value: v } => written(var_of(&code.owns, slot), v.code),
        LabelCode::LoadStatic { to, object, offset: at } => format!("{} read from {}", local(to), offset(object, at)),
        LabelCode::StoreStatic { object, offset: at, value: v } => {
            format!("{} := {}{}", offset(object, at), value(v.code), visible())
        }
        // The target may be part of the address, which has changed by now.
        LabelCode::LoadMemory { to, .. } => match touched {
            Some(address) => format!("{} read from {}", local(to), show_address(code, machine, address)),
            None => format!("{} read from memory", local(to)),
        },
        LabelCode::StoreMemory { address, value: v } => {
            format!("{} := {}{}", place(address), value(v.code), visible())
        }
        // Automatic variables come to life where their block begins: nobody needs to be told.
        LabelCode::Alloc { storage: Storage::Stack, .. } => String::new(),
        LabelCode::Alloc { to, .. } => format!("allocated: {}", local(to)),
        LabelCode::ObjectSize { to, .. } => format!("size of an object: {}", local(to)),
        // The branch behind it says what came out.
        LabelCode::Valid { .. } | LabelCode::Leaks { .. } => String::new(),
        LabelCode::Free { .. } => "freed".into(),
        LabelCode::AtomicBegin => "atomic block begins".into(),
        LabelCode::AtomicEnd => "atomic block ends".into(),
        LabelCode::Start(call) => match code.calls[call as usize].to {
            Some(to) => format!("started thread {}: {}", machine.threads.len() - 1, local(to)),
            None => "started a thread".into(),
        },
        LabelCode::Join { handle, .. } => format!("joined thread {}", value(handle)),
        LabelCode::SelfHandle { to } => local(to),
        LabelCode::ThreadExit { .. } => "thread exits".into(),
        LabelCode::Lock { op, lock, to } => {
            // Where the program looks at the result, the operation may fail.
            let failed = to.and_then(|to| {
                let at = machine.position(thread, to.slot);
                let is_any = machine.threads[thread as usize].slots.any[at as usize];
                let result = machine.local(thread, to.slot, to.sort);
                (!is_any && result != 0).then(|| show(result, to.sort, true))
            });
            if let Some(result) = failed {
                let what = match op {
                    LockCode::Init(_) => "initialise lock",
                    LockCode::Destroy => "destroy lock",
                    LockCode::Acquire | LockCode::AcquireWrite | LockCode::TryAcquire | LockCode::TryAcquireWrite => {
                        "acquire lock"
                    }
                    LockCode::AcquireShared | LockCode::TryAcquireShared => "acquire shared lock",
                    LockCode::Release => "release lock",
                };
                return format!("could not {what} {}: the result is {result}", place(lock));
            }
            let what = match op {
                LockCode::Init(_) => "initialised lock",
                LockCode::Destroy => "destroyed lock",
                LockCode::Acquire | LockCode::AcquireWrite | LockCode::TryAcquire | LockCode::TryAcquireWrite => {
                    "acquired lock"
                }
                LockCode::AcquireShared | LockCode::TryAcquireShared => "acquired shared lock",
                LockCode::Release => "released lock",
            };
            format!("{what} {}", place(lock))
        }
        LabelCode::Call(_) => {
            let proc = machine.top(thread).proc;
            format!("called {}", code.program.procs[proc as usize].name)
        }
        LabelCode::Error(violation) => violation.words().into(),
        LabelCode::Halt { .. } => "the program ends".into(),
        LabelCode::Print(_) => "printed".into(),
    }
}

/// Says that a pending store was committed.
pub fn describe_commit(code: &Code, machine: &Machine, place: PendingPlace) -> String {
    let name = match place {
        PendingPlace::Global(slot) => {
            var_of(&code.globals, slot).map_or(String::new(), |var| code.program.var(var).name.clone())
        }
        PendingPlace::Bytes { address, .. } => show_address(code, machine, address),
    };
    format!("the store to {name} becomes visible")
}

/// Says that a variable that may have any value got this one.
pub fn describe_value(code: &Code, var: VarId, value: u128) -> String {
    format!("{} is chosen to be {}", code.program.var(var).name, show_var(code, var, value))
}

/// Says that something undetermined got a value.
pub fn describe_choice(code: &Code, ask: &Ask, value: u128) -> String {
    match (ask.asked, ask.var) {
        (_, Some(var)) => describe_value(code, var, value),
        (Asked::Memory { address, .. }, _) => {
            format!("memory at {address:#x} is chosen to be {}", show(value, ask.sort, true))
        }
        _ => format!("{} is chosen", show(value, ask.sort, true)),
    }
}

/// Where the edge that a thread would take stands in the source.
pub fn edge_span(code: &Code, edge: u32) -> Span {
    let e = &code.edges[edge as usize];
    code.program.procs[e.proc as usize].edges[e.id.index()].span
}

/// Where a thread is in the source.
pub fn location_span(code: &Code, machine: &Machine, thread: u32) -> Span {
    let top = machine.top(thread);
    code.program.procs[top.proc as usize].locations[top.loc as usize].span
}

/// A place in the source, as `file:line:column`.
pub fn show_span(code: &Code, span: Span) -> String {
    match code.program.files.get(span.file.0 as usize) {
        Some(file) if !span.is_none() => format!("{file}:{}:{}", span.line, span.column),
        _ if !span.is_none() => format!("line {}", span.line),
        _ => "an unknown place".into(),
    }
}
