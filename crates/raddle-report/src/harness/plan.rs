//! Which events of an execution the order of threads depends on, and which values come from outside.
//!
//! An access matters if its bytes are accessed by several threads once there are several, and written by one. Calls of the thread library matter always. A step inside the library's models is
//! one of a semaphore, a barrier or a once flag, which the runtime has too, or one of copying memory; other models are left to the machine's own library.

use raddle_interp::execution::{Cell, Event, Execution, What};
use raddle_ir::{HavocReason, LockOp, Program, Sort, Span, Storage, Violation, eval};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Read,
    Write,
    Update,
    Acquire,
    Release,
    Sync,
    Create,
    Join,
    End,
}

#[derive(Clone, Debug)]
pub struct Point {
    pub thread: u32,
    pub kind: Kind,
    pub object: Option<usize>,
    pub offset: u64,
    pub size: u32,
    pub span: Span,
    /// What a lock answered, or the thread that is created.
    pub result: i64,
    step: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Storing {
    Static,
    /// The thread that allocated it, and how many heap objects it had allocated before.
    Heap(u32, u32),
    /// An automatic variable, or what the library allocated.
    Other,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Holder {
    pub name: String,
    pub storing: Storing,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum From {
    Input,
    UndefinedFunction,
    /// A choice inside a model of the library.
    Library,
    /// An automatic variable that is declared without a value.
    Uninitialised,
    /// Memory that is read before it is written.
    Unwritten,
}

#[derive(Clone, Debug)]
pub struct Value {
    pub thread: u32,
    pub from: From,
    pub size: u32,
    pub span: Span,
    pub bits: u64,
}

#[derive(Debug)]
pub struct Plan {
    pub threads: usize,
    /// The thread that violates the property.
    pub last_thread: u32,
    pub violation: Violation,
    pub place: Span,
    pub points: Vec<Point>,
    pub objects: Vec<Holder>,
    pub values: Vec<Value>,
    /// Is anything that was never written read with a value other than 0?
    pub has_uninitialised: bool,
}

/// Who accesses a part of memory after the first thread was started.
#[derive(Clone, Copy)]
struct Use {
    thread: u32,
    by_several: bool,
    is_written: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Global(u32),
    Object(u32),
}

struct Planner<'a> {
    program: &'a Program,
    execution: &'a Execution,
    uses: FxHashMap<(Key, u64), Use>,
    numbers: FxHashMap<Key, usize>,
    heap_numbers: FxHashMap<u32, (u32, u32)>,
    /// By thread: the library function that is running, and whether its step has its point already.
    in_library: FxHashMap<u32, (String, bool)>,
    ended: Vec<u32>,
    has_threads: bool,
    plan: Plan,
}

/// Models that the runtime has in the same steps.
const SYNCHRONISING: [&str; 4] = ["sem_", "pthread_barrier_", "pthread_once", "call_once"];

/// Functions that the runtime has too, byte by byte.
const COPYING: [&str; 7] = ["memcpy", "memmove", "memset", "memcmp", "strcpy", "strcmp", "strlen"];

pub fn plan(program: &Program, execution: &Execution) -> Result<Plan, String> {
    let Some(Event { what: What::Error(violation), thread, span, .. }) = execution.events.last() else {
        return Err("the execution does not end with the violation".into());
    };
    if *violation == Violation::Deadlock {
        return Err("a deadlock is no statement that a run could come to; the trace tells who waits for what".into());
    }
    let plan = Plan {
        threads: execution.threads.len(),
        last_thread: *thread,
        violation: *violation,
        place: *span,
        points: Vec::new(),
        objects: Vec::new(),
        values: Vec::new(),
        has_uninitialised: false,
    };
    let mut planner = Planner {
        program,
        execution,
        uses: FxHashMap::default(),
        numbers: FxHashMap::default(),
        heap_numbers: FxHashMap::default(),
        in_library: FxHashMap::default(),
        ended: Vec::new(),
        has_threads: false,
        plan,
    };
    planner.find_uses();
    planner.number_allocations();
    execution.events.iter().for_each(|event| planner.event(event));
    Ok(planner.plan)
}

impl Planner<'_> {
    /// When there is a second thread.
    fn first_start(&self) -> usize {
        let is_start = |event: &Event| matches!(event.what, What::Start { .. });
        self.execution.events.iter().position(is_start).unwrap_or(self.execution.events.len())
    }

    fn find_uses(&mut self) {
        for event in &self.execution.events[self.first_start()..] {
            let (cell, is_write) = match event.what {
                What::Read { cell, .. } => (cell, false),
                What::Write { cell, .. } => (cell, true),
                _ => continue,
            };
            for part in self.parts(cell) {
                let first = Use { thread: event.thread, by_several: false, is_written: false };
                let so_far = self.uses.entry(part).or_insert(first);
                so_far.by_several |= so_far.thread != event.thread;
                so_far.is_written |= is_write;
            }
        }
    }

    /// Variables as a whole, objects by their bytes.
    fn parts(&self, cell: Cell) -> Vec<(Key, u64)> {
        match cell {
            Cell::Global(var) => vec![(Key::Global(var.0), 0)],
            Cell::Bytes { object, offset, size } => {
                (offset..offset + u64::from(size)).map(|at| (Key::Object(object), at)).collect()
            }
            Cell::Own(..) | Cell::Nowhere(_) => Vec::new(),
        }
    }

    fn is_shared(&self, cell: Cell) -> bool {
        let shared = |part: &(Key, u64)| self.uses.get(part).is_some_and(|of| of.by_several && of.is_written);
        self.parts(cell).iter().any(shared)
    }

    /// The runtime counts the calls of `malloc` and `calloc` of each thread.
    fn number_allocations(&mut self) {
        let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
        for event in &self.execution.events {
            if let What::Alloc { object, storage: Storage::Heap, .. } = event.what
                && !event.in_library
            {
                let count = counts.entry(event.thread).or_default();
                self.heap_numbers.insert(object, (event.thread, *count));
                *count += 1;
            }
        }
    }

    fn event(&mut self, event: &Event) {
        match event.what {
            What::Read { cell, value, from, .. } => {
                if let (None, Some(value), Cell::Bytes { object, size, .. }) = (from, value, cell) {
                    self.unwritten(event, object, size, value);
                }
                self.access(event, Kind::Read, cell);
            }
            What::Write { cell, .. } => self.access(event, Kind::Write, cell),
            What::Choice { var, reason, value } => self.choice(event, var, reason, value.unwrap_or(0)),
            What::Lock { op, lock, result } => self.lock(event, op, lock, result.unwrap_or(0) as i64),
            What::Start { thread } => {
                self.has_threads = true;
                self.point(event, Kind::Create, None, i64::from(thread));
            }
            What::Join { thread } => {
                self.end(event, thread);
                self.point(event, Kind::Join, None, i64::from(thread));
            }
            What::End => self.end(event, event.thread),
            What::Call { callee } if !event.in_library => {
                let callee = self.program.proc(callee);
                if self.program.is_of_library(callee.span) {
                    self.in_library.insert(event.thread, (callee.name.clone(), false));
                }
            }
            What::AtomicBegin | What::AtomicEnd => {
                if let Some((_, has_point)) = self.in_library.get_mut(&event.thread) {
                    *has_point = false;
                }
            }
            _ => {}
        }
    }

    /// The thread ends, once. A schedule may leave out that it does before it is joined.
    fn end(&mut self, event: &Event, thread: u32) {
        if !self.ended.contains(&thread) {
            self.ended.push(thread);
            self.point(&Event { thread, ..event.clone() }, Kind::End, None, 0);
        }
    }

    fn point(&mut self, event: &Event, kind: Kind, cell: Option<Cell>, result: i64) {
        let (key, offset, size) = match cell {
            Some(Cell::Global(var)) => (Some(Key::Global(var.0)), 0, self.program.var(var).sort.bytes() as u32),
            Some(Cell::Bytes { object, offset, size }) => (Some(Key::Object(object)), offset, size),
            _ => (None, 0, 0),
        };
        let object = key.map(|key| self.object(key));
        let (thread, span, step) = (event.thread, event.span, event.step);
        self.plan.points.push(Point { thread, kind, object, offset, size, span, result, step });
    }

    fn object(&mut self, key: Key) -> usize {
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let holder = match key {
            Key::Global(var) => Holder { name: self.program.vars[var as usize].name.clone(), storing: Storing::Static },
            Key::Object(object) => match self.program.objects.get(object as usize) {
                Some(of) => Holder { name: of.name.clone(), storing: Storing::Static },
                None => match self.heap_numbers.get(&object) {
                    Some((thread, number)) => Holder { name: String::new(), storing: Storing::Heap(*thread, *number) },
                    None => Holder { name: String::new(), storing: Storing::Other },
                },
            },
        };
        self.plan.objects.push(holder);
        self.numbers.insert(key, self.plan.objects.len() - 1);
        self.plan.objects.len() - 1
    }

    fn access(&mut self, event: &Event, kind: Kind, cell: Cell) {
        if !self.has_threads || !self.is_shared(cell) {
            return;
        }
        if !event.in_library {
            // A read and a write in one step are an atomic operation.
            if let Some(last) = self.plan.points.last_mut()
                && (last.step, last.thread, last.kind, kind) == (event.step, event.thread, Kind::Read, Kind::Write)
            {
                last.kind = Kind::Update;
                return;
            }
            return self.point(event, kind, Some(cell), 0);
        }
        let Some((name, has_point)) = self.in_library.get_mut(&event.thread) else { return };
        if COPYING.contains(&name.as_str()) {
            return self.point(event, kind, Some(cell), 0);
        }
        if !*has_point && SYNCHRONISING.iter().any(|prefix| name.starts_with(prefix)) {
            *has_point = true;
            self.point(event, Kind::Sync, Some(cell), 0);
        }
    }

    fn lock(&mut self, event: &Event, op: LockOp, lock: Cell, result: i64) {
        let kind = match op {
            LockOp::Init(_) | LockOp::Destroy => return,
            LockOp::Release => Kind::Release,
            _ => Kind::Acquire,
        };
        self.point(event, kind, Some(lock), result);
    }

    fn choice(&mut self, event: &Event, var: raddle_ir::VarId, reason: HavocReason, value: u128) {
        let of = self.program.var(var);
        let from = match reason {
            // How many arguments `main` gets is no call: that is in the procedure around it.
            HavocReason::Input if event.proc == self.program.entry && self.program.proc(event.proc).name != "main" => {
                return;
            }
            HavocReason::Input | HavocReason::UndefinedFunction if event.in_library => From::Library,
            HavocReason::Input => From::Input,
            HavocReason::UndefinedFunction => From::UndefinedFunction,
            HavocReason::Uninitialised => From::Uninitialised,
            HavocReason::Result(_) => return,
        };
        let bits = match of.sort {
            Sort::Bits(width) if of.signed && width < 64 => eval::to_signed(width, value) as u64,
            _ => value as u64,
        };
        self.plan.has_uninitialised |= from == From::Uninitialised && bits != 0;
        let size = of.sort.bytes() as u32;
        self.plan.values.push(Value { thread: event.thread, from, size, span: event.span, bits });
    }

    /// A read of what nobody wrote, in an object that is not static.
    fn unwritten(&mut self, event: &Event, object: u32, size: u32, value: u128) {
        if self.program.objects.get(object as usize).is_some() || event.in_library {
            return;
        }
        let (thread, span, bits) = (event.thread, event.span, value as u64);
        self.plan.has_uninitialised |= value != 0;
        self.plan.values.push(Value { thread, from: From::Unwritten, size, span, bits });
    }
}
