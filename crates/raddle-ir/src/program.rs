//! The Program: an extended control-flow automaton (XCFA).
//!
//! A Program has global variables, memory objects and procedures. A procedure has local variables, locations and edges;
//! an edge carries a sequence of labels that one thread executes as **one step**, unobserved by the others. A procedure that is started as a
//! thread is a *process*; `entry` is the process that runs first.
//!
//! What is shared is touched only by `Load`, `Store` and the synchronisation labels; every other expression
//! mentions only local variables of the procedure that it stands in (parameters included). Lowering puts at most one shared access on an edge, except for an
//! atomic read-modify-write, which is one edge with a load and a store.
//!
//! Memory is flat and byte-addressed, little-endian. A pointer is a bit-vector of `pointer_bits` bits and holds an address. Static objects have
//! fixed addresses; objects of `Alloc` get theirs when it runs. Scalars whose address is never taken are variables, not objects.

use crate::expr::{Const, ExprId};
use crate::origin::{Caller, Holder, LocOrigin, Origin, Part, Same, Site};
use crate::pool::ExprPool;
use crate::property::Violation;
use crate::sort::Sort;
use crate::span::Span;
use crate::unknown_result::UnknownResult;
use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);
        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
ids!(
    /// Names a variable of a Program (global, thread-local or local: one table).
    VarId,
    /// Names a memory object with a static address.
    ObjectId,
    /// Names a procedure.
    ProcId,
    /// Names a location of one procedure.
    LocId,
    /// Names an edge of one procedure.
    EdgeId,
    /// Names an entry of [`Program::gaps`].
    GapId,
);

/// Two Programs are equal if they are the same up to the numbering of their expressions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Program {
    /// 32 (ILP32) or 64 (LP64).
    pub pointer_bits: u8,
    /// Source files, by `FileId`.
    pub files: Vec<String>,
    pub pool: ExprPool,
    pub vars: Vec<Var>,
    pub objects: Vec<Object>,
    pub procs: Vec<Procedure>,
    /// The process that runs first. It has no parameters.
    pub entry: ProcId,
    /// Objects of `Alloc` live at or above this address, all static ones below it.
    pub dynamic_base: u64,
    /// What the program does and no model says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<Gap>,
    /// The calls that inlining replaced, by `CallerId`.
    #[serde(skip)]
    pub callers: Vec<Caller>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Var {
    /// As in the source, for people; not unique.
    pub name: String,
    pub sort: Sort,
    pub kind: VarKind,
    /// For display: is it a signed integer in C?
    pub signed: bool,
    pub span: Span,
    #[serde(skip)]
    pub origin: Origin<Part>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum VarKind {
    /// Shared by all threads; `None` is any value.
    Global(Option<Const>),
    /// One instance for each thread, with its initial value.
    ThreadLocal(Option<Const>),
    /// A local variable or parameter: one instance for each activation; any value at first.
    Local(ProcId),
}

impl Var {
    /// Has it at all times the value of a static variable of the lowered Program, or of a part of one?
    pub fn is_static_as_lowered(&self) -> bool {
        let origin = self.origin.0.filter(|part| part.same == Same::Always);
        matches!(self.kind, VarKind::Global(_))
            && matches!(origin, Some(Part { holder: Holder::Var(_) | Holder::Object(_), .. }))
    }
}

impl Object {
    /// Is it an object of the lowered Program, and none of an `Alloc`?
    pub fn is_static_as_lowered(&self) -> bool {
        matches!(self.origin.0, Some(Holder::Object(_)))
    }
}

/// A memory object with a static address: a global or static variable whose address is taken or that is an
/// aggregate, a string literal, or a function (which has an address but no bytes).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Object {
    pub name: String,
    pub address: u64,
    pub size: u64,
    pub kind: ObjectKind,
    /// Its address may be rebuilt from numbers that do not look like it (an exclusive or with another address, a distance, single bytes),
    /// so that every computed address may lie in it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exposed: bool,
    pub span: Span,
    #[serde(skip)]
    pub origin: Origin<Holder>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ObjectKind {
    Function(ProcId),
    Data { init: ObjectInit, writable: bool },
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ObjectInit {
    /// Any bytes (an automatic variable that became static).
    Any,
    /// These bytes, then zeros up to the size. `pointers` lists the offsets at which the address of (a part of) an object is stored.
    Bytes { bytes: Vec<u8>, pointers: Vec<(u64, ObjectId)> },
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Procedure {
    pub name: String,
    pub params: Vec<VarId>,
    /// Holds the result when control is at `exit`.
    pub result: Option<VarId>,
    /// All locals, parameters and the result included. A local's slot in a frame is its position here.
    pub locals: Vec<VarId>,
    pub locations: Vec<Location>,
    pub edges: Vec<Edge>,
    pub entry: LocId,
    /// Has no outgoing edge: here a call returns, or a process ends.
    pub exit: LocId,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Location {
    pub kind: LocKind,
    pub span: Span,
    #[serde(skip)]
    pub origin: Origin<LocOrigin>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum LocKind {
    Normal,
    /// Inlining stopped here because a recursion bound was reached. Whoever arrives here knows nothing of what follows:
    /// neither "safe" nor the end of the program.
    RecursionBound,
    /// The program goes on here with something that has no model. The same holds of it, and no bound helps.
    Gap(GapId),
}

impl LocKind {
    /// What follows here is not known.
    pub fn is_cut_off(self) -> bool {
        self != LocKind::Normal
    }
}

/// What a program does and no model says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Gap {
    pub kind: GapKind,
    /// For people: the place, what it is, and the source line.
    pub message: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GapKind {
    /// A construct of the language.
    Unsupported,
    /// A function of the library.
    Unmodelled,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Edge {
    pub source: LocId,
    pub target: LocId,
    pub labels: Vec<Label>,
    pub span: Span,
    /// A pass made it; in the lowered Program the thread does not move meanwhile.
    #[serde(skip)]
    pub is_silent: bool,
}

/// What a memory access touches. Its width is that of the value read or written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Place {
    /// A global or thread-local variable.
    Var(VarId),
    /// The bytes at an address.
    Memory(ExprId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Order {
    NonAtomic,
    /// `NonAtomic` through a volatile lvalue, where data races count: C takes it for one access in a race, many programs for a kind of atomic.
    Volatile,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Callee {
    Proc(ProcId),
    /// A function pointer: the address of a function object.
    Address(ExprId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Storage {
    /// Freed when the activation that ran the `Alloc` returns; or earlier, by a `Free` where a call was inlined.
    Stack,
    /// Freed by `Free`.
    Heap,
    /// The same, of the library's own: it leaks nothing. Only Programs that ask for leaks tell the two apart.
    Library,
}

/// Operations on locks. A lock is named by its address; its state (owner, depth, readers, kind) is not in memory. A lock
/// that was never initialised is a free lock of kind 0. `locks.rs` is the table of all cases.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum LockOp {
    /// Makes it a free lock of a kind: 0 normal, 1 recursive, 2 errorcheck (glibc's numbers).
    Init(ExprId),
    /// Answers EBUSY (16) unless it is free.
    Destroy,
    /// Blocks while another thread holds it in any way; a recursive lock that this thread holds gets deeper, an errorcheck one
    /// answers EDEADLK (35), a normal one blocks for ever.
    Acquire,
    /// `Acquire` of a read-write lock: EDEADLK for a thread that holds it exclusively.
    AcquireWrite,
    /// Answers EBUSY where `Acquire` would block.
    TryAcquire,
    TryAcquireWrite,
    /// Blocks while another thread holds it exclusively; EDEADLK for the thread that does.
    AcquireShared,
    TryAcquireShared,
    /// Gives up this thread's exclusive or shared hold. Without one: misuse, or EPERM (1) for errorcheck and recursive ones.
    Release,
}

/// Why a variable gets any value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum HavocReason {
    /// A `__VERIFIER_nondet_*` call: an input.
    Input,
    /// The result of a function that is declared and not defined.
    UndefinedFunction,
    /// An uninitialised automatic variable comes into scope.
    Uninitialised,
    /// The result of a library function of which only bounds are known.
    Result(UnknownResult),
}

/// What `Label::Require` guards. A violation ends the path, unless the property is about it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Hazard {
    DivisionByZero,
    SignedOverflow,
    /// `__builtin_unreachable` or the like was reached.
    Unreachable,
    /// An access that no live object holds, where a pass made accesses explicit.
    InvalidAccess,
}

/// How an address is about to be used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Use {
    /// So many bytes are read: they lie in one live object.
    Read(u64),
    /// The same, and the object is writable.
    Write(u64),
    /// It is freed: it is null or the start of a live heap object.
    Free,
    /// It is called: it is a function's address.
    Call,
}

/// What is wrong with a heap object that lives when the program ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Leak {
    /// It was not freed.
    Unfreed,
    /// And no pointer leads to it: neither from what is static or global, nor from the variables and automatic objects of activations that have not returned, nor from what these lead to. Passes
    /// change what holds pointers, so this question belongs to the Program as lowered (`weaken_leaks`).
    Lost,
    /// The same in a prepared Program: no pointer surely leads to it, from static variables whose writes are all there.
    PerhapsLost,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Label {
    /// Local computation.
    Assign {
        var: VarId,
        value: ExprId,
    },
    /// A local gets any value.
    Havoc {
        var: VarId,
        reason: HavocReason,
        #[serde(skip)]
        site: Origin<Site>,
    },
    /// The path goes on only if this holds: a branch, or `__VERIFIER_assume`.
    Assume(ExprId),
    /// Blocks the thread (the whole atomic block, if in one) until this holds; a blocked thread just does not step.
    Await(ExprId),
    /// A condition without which behaviour is undefined.
    Require {
        cond: ExprId,
        hazard: Hazard,
    },
    /// `var := place`.
    Load {
        var: VarId,
        place: Place,
        order: Order,
    },
    /// `place := value`.
    Store {
        place: Place,
        value: ExprId,
        order: Order,
    },
    /// `var :=` the address of a fresh object of `size` bytes, aligned to 16 at least (`allocation.rs` says more): zeros, or any bytes.
    Alloc {
        var: VarId,
        size: ExprId,
        storage: Storage,
        zeroed: bool,
        #[serde(skip)]
        site: Origin<Site>,
    },
    /// `var :=` the size in bytes of the live heap object that begins at an address; 0 for a null address. Anything else is as wrong as freeing it.
    ObjectSize {
        var: VarId,
        address: ExprId,
    },
    /// `var :=` (a Bool) may memory be used in this way now? It asks whether objects live, and changes nothing.
    Valid {
        var: VarId,
        address: ExprId,
        used: Use,
    },
    /// `var :=` (a Bool) is there a live heap object that leaks, if the program ends here?
    Leaks {
        var: VarId,
        leak: Leak,
    },
    /// Ends an object's life. A null address does nothing; one that is not the start of a live object of that storage is an invalid free.
    Free {
        address: ExprId,
        storage: Storage,
    },
    /// Until `AtomicEnd`, no other thread steps. Nests.
    AtomicBegin,
    AtomicEnd,
    Fence(Order),
    /// Starts a thread that runs a process with one argument (ignored if it has no parameter); `var :=` its handle (1, 2, …; the first process is 0).
    Start {
        var: VarId,
        callee: Callee,
        arg: ExprId,
    },
    /// Blocks until that thread has ended; `var :=` its result. A handle that names no thread is misuse.
    Join {
        var: Option<VarId>,
        handle: ExprId,
    },
    /// `var :=` the handle of this thread.
    Self_ {
        var: VarId,
    },
    /// Ends this thread, whatever its call depth, with a result.
    ThreadExit {
        value: ExprId,
    },
    /// `var :=` 0 or an error number.
    Lock {
        op: LockOp,
        lock: ExprId,
        var: Option<VarId>,
    },
    /// Gone after inlining. Always the only label of its edge.
    Call {
        callee: Callee,
        args: Vec<ExprId>,
        var: Option<VarId>,
        #[serde(skip)]
        site: Origin<Site>,
    },
    /// The property is violated: an execution that comes here is a counterexample.
    Error(Violation),
    /// The program ends, all threads with it (`exit`, `abort`: status 134).
    Halt {
        status: ExprId,
    },
    /// `printf`: the address of the format, and the arguments after default promotion. `var :=` how many bytes were printed. Engines other than simulation make it a havoc.
    Print {
        format: ExprId,
        args: Vec<ExprId>,
        var: Option<VarId>,
        #[serde(skip)]
        site: Origin<Site>,
    },
}

/// Names of variables that a property needs and that are not the program's begin with this.
pub const BOOKKEEPING: &str = "property: ";

/// Names by which a counterexample of `no-deadlock` is told: sets of threads, and what a thread waits for.
pub mod deadlock_names {
    pub const STOPPED: &str = "property: threads that have stopped";
    pub const CONFIRMED: &str = "property: threads that wait for ever";
    /// The handle of the thread that is joined.
    pub const JOINED: &str = "property: joined thread";
    /// Before the name of the library's function that waits.
    pub const WAITS_IN: &str = "property: waits in ";
}

impl Var {
    /// Does only the property look at it?
    pub fn is_bookkeeping(&self) -> bool {
        self.name.starts_with(BOOKKEEPING)
    }
}

/// How the names of variables begin in which the pass that watches for data races announces accesses; the name of what is accessed follows, if that is a variable.
pub const ANNOUNCED: &str = "property: announced access";

/// What the frontend calls its temporaries in a Program that asks for leaks: they hold no pointers of the user's.
pub const TEMPORARY: &str = "(tmp)";

/// What the frontend calls the file of its library models.
pub const LIBRARY: &str = "<library>";

impl Program {
    /// Is it a part of the library's models, and no part of the user's program?
    pub fn is_of_library(&self, span: Span) -> bool {
        self.files.get(span.file.0 as usize).is_some_and(|file| file == LIBRARY)
    }

    /// Has a procedure no statements of the user's? It is a library's model, or stands for a function without a body, which has no other place than its declaration.
    pub fn is_model(&self, id: ProcId) -> bool {
        let proc = self.proc(id);
        self.is_of_library(proc.span) || proc.edges.iter().all(|edge| edge.span == proc.span)
    }

    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.index()]
    }

    pub fn proc(&self, id: ProcId) -> &Procedure {
        &self.procs[id.index()]
    }

    /// May there ever be a second thread?
    pub fn starts_threads(&self) -> bool {
        let mut labels = self.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels);
        labels.any(|label| matches!(label, Label::Start { .. }))
    }

    /// Does it ask which objects live? Then the place of an object that was freed is not given out again.
    pub fn asks_for_lives(&self) -> bool {
        let mut labels = self.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels);
        labels.any(|label| matches!(label, Label::Valid { .. } | Label::Leaks { .. }))
    }

    /// The sort of addresses.
    pub fn pointer_sort(&self) -> Sort {
        Sort::Bits(self.pointer_bits)
    }
}
