//! The variables of the abstract state space: those of the Program, and one instance of a local for each thread that has it.
//!
//! Ids of the Program's variables are kept for globals. Everything else gets an id behind them when it is first asked for: locals and
//! thread-local variables by thread, results of threads, the parts of a lock's state, memory, versions along a path. Expressions of
//! the engine mention these ids only.

use raddle_ir::locks::PART_BITS;
use raddle_ir::{Const, Program, Sort, VarId, VarKind};
use rustc_hash::FxHashMap;

/// What a variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A global variable, by its own id.
    Global(VarId),
    /// A local or thread-local variable in a thread.
    Instance {
        slot: u32,
        var: VarId,
    },
    /// The handle by which others know a thread.
    Handle(u32),
    /// An address that never changes and may be any: what holds of the lock there holds of every lock.
    AnyAddress,
    /// What a thread returned.
    ResultOf(u32),
    /// Has the thread ended? Nothing reads or writes its value: it stands for the place of the thread in footprints.
    Ended(u32),
    /// How many threads there are; as `Ended`, for footprints only.
    ThreadCount,
    /// The parts of a lock that all threads see (raddle-ir, `locks.rs`).
    LockWord(u64),
    LockKind(u64),
    /// How often a thread holds a lock, exclusively and shared.
    Held {
        slot: u32,
        address: u64,
    },
    HeldShared {
        slot: u32,
        address: u64,
    },
    /// Stands for all locks, in footprints only.
    AnyLock,
    /// How a lock operation of a thread goes on, within its step.
    Way(u32),
    /// A class of memory, as one array.
    Memory(u32),
    /// Where a thread's next allocation begins: twice its number, one more for zeroed memory.
    NextAddress(u32),
    /// Where a thread's allocation lies, within its step, if that is not a matter of course.
    Elsewhere(u32),
    /// The n-th value of a variable along a path (0 is the first).
    Version {
        var: VarId,
        number: u32,
    },
    /// What an encoding made for itself, by its number and sort: no state has it.
    Auxiliary(u32),
}

#[derive(Debug, Default)]
pub struct Vars {
    origins: Vec<Origin>,
    sorts: Vec<Sort>,
    initial: Vec<Option<Const>>,
    ids: FxHashMap<Origin, VarId>,
    /// Instances that nobody has looked at yet.
    fresh: Vec<VarId>,
}

impl Vars {
    pub fn new(program: &Program) -> Self {
        let mut vars = Vars::default();
        for (i, var) in program.vars.iter().enumerate() {
            let id = VarId(i as u32);
            vars.origins.push(Origin::Global(id));
            vars.sorts.push(var.sort);
            vars.initial.push(match var.kind {
                VarKind::Global(initial) => initial,
                VarKind::ThreadLocal(_) | VarKind::Local(_) => None,
            });
        }
        vars
    }

    pub fn origin(&self, var: VarId) -> Origin {
        self.origins[var.index()]
    }

    pub fn sort(&self, var: VarId) -> Sort {
        self.sorts[var.index()]
    }

    /// Its value before anything runs; `None` is any.
    pub fn initial(&self, var: VarId) -> Option<Const> {
        self.initial[var.index()]
    }

    /// Can more than one thread touch it?
    pub fn is_shared(&self, var: VarId) -> bool {
        !matches!(
            self.origin(var),
            Origin::Instance { .. }
                | Origin::Held { .. }
                | Origin::HeldShared { .. }
                | Origin::Handle(_)
                | Origin::Way(_)
                | Origin::NextAddress(_)
                | Origin::Elsewhere(_)
                | Origin::Version { .. }
                | Origin::Auxiliary(_)
        )
    }

    /// Is it a part of a lock's state?
    pub fn is_lock(&self, var: VarId) -> bool {
        use Origin::{Held, HeldShared, LockKind, LockWord};
        matches!(self.origin(var), LockWord(_) | LockKind(_) | Held { .. } | HeldShared { .. })
    }

    /// Is it part of what every abstract state knows: locks, and where threads are?
    pub fn is_structural(&self, var: VarId) -> bool {
        self.is_lock(var) || matches!(self.origin(var), Origin::Ended(_) | Origin::ThreadCount | Origin::AnyLock)
    }

    /// The variable that a name in the code of a thread means.
    pub fn instance(&mut self, program: &Program, slot: u32, var: VarId) -> VarId {
        let of = program.var(var);
        match of.kind {
            VarKind::Global(_) => var,
            VarKind::ThreadLocal(initial) => self.make(Origin::Instance { slot, var }, of.sort, initial),
            VarKind::Local(_) => self.make(Origin::Instance { slot, var }, of.sort, None),
        }
    }

    /// The instances that were made since this was asked last.
    pub fn take_fresh(&mut self) -> Vec<VarId> {
        std::mem::take(&mut self.fresh)
    }

    /// The same as `instance`, if it was asked for before.
    pub fn existing(&self, program: &Program, slot: u32, var: VarId) -> Option<VarId> {
        match program.var(var).kind {
            VarKind::Global(_) => Some(var),
            VarKind::ThreadLocal(_) | VarKind::Local(_) => self.ids.get(&Origin::Instance { slot, var }).copied(),
        }
    }

    /// All classes of memory.
    pub fn memory_classes(&self) -> Vec<VarId> {
        let all = self.origins.iter().enumerate();
        all.filter(|(_, origin)| matches!(origin, Origin::Memory(_))).map(|(i, _)| VarId(i as u32)).collect()
    }

    pub fn result_of(&mut self, slot: u32, sort: Sort) -> VarId {
        self.make(Origin::ResultOf(slot), sort, None)
    }

    pub fn ended(&mut self, slot: u32) -> VarId {
        self.make(Origin::Ended(slot), Sort::Bool, None)
    }

    pub fn thread_count(&mut self) -> VarId {
        self.make(Origin::ThreadCount, Sort::Bits(PART_BITS), None)
    }

    /// A part of a lock's state; locks are free at first.
    pub fn lock_part(&mut self, part: Origin) -> VarId {
        let sort = Sort::Bits(PART_BITS);
        self.make(part, sort, Some(Const { sort, bits: 0 }))
    }

    pub fn version(&mut self, var: VarId, number: u32) -> VarId {
        self.make(Origin::Version { var, number }, self.sort(var), None)
    }

    pub fn make(&mut self, origin: Origin, sort: Sort, initial: Option<Const>) -> VarId {
        if let Some(known) = self.ids.get(&origin) {
            return *known;
        }
        let id = VarId(self.origins.len() as u32);
        self.origins.push(origin);
        self.sorts.push(sort);
        self.initial.push(initial);
        self.ids.insert(origin, id);
        if let Origin::Instance { .. } = origin {
            self.fresh.push(id);
        }
        id
    }

    /// For people.
    pub fn name(&self, program: &Program, var: VarId) -> String {
        match self.origin(var) {
            Origin::Global(var) => program.var(var).name.clone(),
            Origin::Instance { slot: 0, var } => program.var(var).name.clone(),
            Origin::Instance { slot, var } => format!("{}@{slot}", program.var(var).name),
            Origin::Handle(slot) => format!("handle@{slot}"),
            Origin::AnyAddress => "any".into(),
            Origin::ResultOf(slot) => format!("result@{slot}"),
            Origin::Ended(slot) => format!("ended@{slot}"),
            Origin::ThreadCount => "threads".into(),
            Origin::LockWord(address) => format!("lock@{address:#x}"),
            Origin::LockKind(address) => format!("kind@{address:#x}"),
            Origin::Held { slot, address } => format!("held@{slot}@{address:#x}"),
            Origin::HeldShared { slot, address } => format!("shared@{slot}@{address:#x}"),
            Origin::AnyLock => "locks".into(),
            Origin::Way(slot) => format!("way@{slot}"),
            Origin::Auxiliary(number) => format!("auxiliary@{number}"),
            Origin::Memory(class) => format!("memory@{class}"),
            Origin::NextAddress(slot) => format!("next@{slot}"),
            Origin::Elsewhere(slot) => format!("elsewhere@{slot}"),
            Origin::Version { var, number } => format!("{}'{number}", self.name(program, var)),
        }
    }
}
