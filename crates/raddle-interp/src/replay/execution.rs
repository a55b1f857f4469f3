//! An execution as events: what each label did, on which memory, with which value, and on which earlier events that depends.
//!
//! Events speak of variables, objects and values by number, so that millions of them fit into memory; `raddle-report` makes words of them.

use raddle_ir::{HavocReason, LocId, LockOp, MemoryModel, ProcId, Span, Storage, Use, VarId, Violation};

/// The position of an event in [`Execution::events`].
pub type EventId = u32;

#[derive(Clone, Debug, Default)]
pub struct Execution {
    /// By handle: thread 0 runs the first process.
    pub threads: Vec<ThreadLife>,
    pub events: Vec<Event>,
    /// By the interpreter's numbers: the static objects of the Program come first, in their order.
    pub objects: Vec<ObjectLife>,
    /// What events depend on, by [`Event::needs`].
    pub needs: Vec<EventId>,
    /// Steps of the schedule before the first event that are not told.
    pub omitted: u64,
    /// Under which memory model it runs. [`What::Read`] knows whose value it is only under sequential consistency.
    pub memory_model: MemoryModel,
}

#[derive(Clone, Copy, Debug)]
pub struct ThreadLife {
    pub proc: ProcId,
    pub started: Option<EventId>,
}

#[derive(Clone, Copy, Debug)]
pub struct ObjectLife {
    pub address: u64,
    pub size: u64,
    /// The event that allocated it. `None`: it is static.
    pub allocated: Option<EventId>,
}

#[derive(Clone, Debug)]
pub struct Event {
    /// The position of the step in the schedule.
    pub step: u32,
    pub thread: u32,
    /// How many calls are active in the thread; 0 in the function that it runs.
    pub depth: u32,
    /// Where it stands in the source. Inside the library's models: where the user's function calls the library.
    pub span: Span,
    /// The user's function.
    pub proc: ProcId,
    /// It happens inside a model of the library.
    pub in_library: bool,
    pub what: What,
    /// Data and control dependences, as a range of [`Execution::needs`].
    pub needs: (u32, u32),
}

#[derive(Clone, Debug)]
pub enum What {
    /// A local variable gets a value; none if it is undetermined.
    Assign {
        var: VarId,
        value: Option<u128>,
    },
    /// A local variable gets any value: an input, or the result of a function that nobody defines. `value` is the one that it turned out to have.
    Choice {
        var: VarId,
        reason: HavocReason,
        value: Option<u128>,
    },
    Read {
        cell: Cell,
        into: VarId,
        value: Option<u128>,
        from: Option<EventId>,
    },
    Write {
        cell: Cell,
        value: Option<u128>,
        is_float: bool,
    },
    /// A condition that held, at a location: a branch, or an assumption.
    Branch {
        at: LocId,
    },
    Await,
    Call {
        callee: ProcId,
    },
    /// A parameter of the function that was called, or that a thread runs, gets its value.
    Parameter {
        var: VarId,
        value: Option<u128>,
    },
    /// `value`: what the caller's variable got, if it is determined.
    Return {
        callee: ProcId,
        value: Option<(VarId, u128)>,
    },
    /// `var` gets the address.
    Alloc {
        object: u32,
        storage: Storage,
        var: VarId,
    },
    Free {
        object: u32,
    },
    /// Memory may not be used in this way (`None`: it leaks). `var` gets the answer.
    Misuse {
        var: VarId,
        used: Option<Use>,
        address: u64,
        /// The object around the address, before its end or a bit behind it.
        object: Option<u32>,
        has_ended: bool,
    },
    /// `result` is what the operation answered, where the program looks at it.
    Lock {
        op: LockOp,
        lock: Cell,
        result: Option<u128>,
    },
    Start {
        thread: u32,
    },
    Join {
        thread: u32,
    },
    /// The thread ends.
    End,
    AtomicBegin,
    AtomicEnd,
    Print,
    Error(Violation),
}

/// What is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cell {
    /// A global variable.
    Global(VarId),
    /// A thread-local variable of a thread.
    Own(u32, VarId),
    /// Bytes of an object.
    Bytes { object: u32, offset: u64, size: u32 },
    /// No live object is there.
    Nowhere(u64),
}

impl Execution {
    /// The events that an event depends on.
    pub fn needs(&self, event: &Event) -> &[EventId] {
        &self.needs[event.needs.0 as usize..event.needs.1 as usize]
    }
}
