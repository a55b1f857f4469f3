//! The state of a running Program, and the journal by which steps are taken back.
//!
//! Every change goes through a method that writes the old contents to the journal when that is on: a step that turns out to be
//! blocked is undone, and exploration undoes each step after having recorded where it led. The journal also tells what
//! a step changed.

use crate::machine::code::{Code, Target, any_word};
use crate::machine::expr_code::{Slot, is_wide};
use crate::machine::locks::{Lock, Locks};
use crate::machine::memory::{MemObject, Memory, ObjectClass};
use crate::machine::oracle::Held;
use crate::machine::store_buffers::{Pending, PendingPlace};
use raddle_ir::MemoryModel;
use raddle_ir::Sort;

/// Words with a flag for those that are undetermined. A wide variable takes two words and the flag of the first.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    pub words: Vec<u64>,
    pub any: Vec<bool>,
}

impl Slots {
    pub fn get(&self, at: u32, sort: Sort) -> u128 {
        let low = self.words[at as usize].into();
        if is_wide(sort) { low | u128::from(self.words[at as usize + 1]) << 64 } else { low }
    }

    pub fn set(&mut self, at: u32, sort: Sort, value: u128) {
        self.words[at as usize] = value as u64;
        if is_wide(sort) {
            self.words[at as usize + 1] = (value >> 64) as u64;
        }
        self.any[at as usize] = false;
    }

    pub fn set_any(&mut self, at: u32, sort: Sort) {
        self.words[at as usize] = any_word(sort);
        if is_wide(sort) {
            self.words[at as usize + 1] = 0;
        }
        self.any[at as usize] = true;
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Running,
    Ended,
    /// Will never step again: an assumption failed, or a hazard ended its path.
    Stuck,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    pub proc: u32,
    pub loc: u32,
    /// Where its slots begin in the thread's slots.
    pub base: u32,
    /// The call that is under way, as an index in `Code::edges`; `NO_CALL` for the top frame.
    pub call: u32,
    /// Where its stack objects begin in the thread's list.
    pub objects: u32,
}

pub const NO_CALL: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub struct Thread {
    pub status: Status,
    pub result: u128,
    pub frames: Vec<Frame>,
    /// The slots of all frames.
    pub slots: Slots,
    /// The thread-local variables.
    pub own: Slots,
    /// Addresses of the stack objects of all frames.
    pub stack_objects: Vec<u64>,
    /// Stores that other threads do not see yet, in program order.
    pub pending: Vec<Pending>,
    /// The group that its next store is of.
    pub group: u32,
}

/// How to take one change back.
#[derive(Clone, Debug)]
pub enum Undo {
    Word { thread: u32, at: u32, word: u64, any: bool },
    Own { thread: u32, at: u32, word: u64, any: bool },
    Global { at: u32, word: u64, any: bool },
    Bytes { object: u32, offset: u64, bytes: u8, value: u128, any: u16 },
    Loc { thread: u32, frame: u32, loc: u32 },
    Called { thread: u32 },
    Returned { thread: u32, frame: Frame, call: u32, slots: Box<Slots> },
    Allocated { address: u64 },
    StackObject { thread: u32 },
    Freed { object: Box<MemObject> },
    LostStackObject { thread: u32, at: u32, address: u64 },
    Locked { address: u64, lock: Lock },
    Started,
    Status { thread: u32, status: Status, result: u128 },
    Atomic { owner: Option<u32>, depth: u32 },
    PutOff { thread: u32 },
    Group { thread: u32, group: u32 },
    TookPending { thread: u32, at: u32, pending: Box<Pending> },
}

#[derive(Clone, Debug, Default)]
pub struct Journal {
    pub on: bool,
    pub entries: Vec<Undo>,
}

#[derive(Clone, Debug)]
pub struct Machine {
    pub globals: Slots,
    pub threads: Vec<Thread>,
    pub memory: Memory,
    pub locks: Locks,
    /// How often locks have changed.
    pub lock_changes: u64,
    /// The thread in an atomic block, and how deep it is in it.
    pub atomic: Option<u32>,
    pub atomic_depth: u32,
    pub journal: Journal,
    /// Room for the arguments of calls, kept to save allocations.
    pub arguments: Vec<Result<u128, Option<Held>>>,
    pub model: MemoryModel,
    /// A thread with this many pending stores cannot store before one is committed.
    pub most_pending: usize,
}

/// Programs with more threads are refused.
pub const MOST_THREADS: usize = 100_000;
/// Deeper call stacks are refused (in words of all frames of a thread).
pub const MOST_STACK_WORDS: usize = 1 << 25;

impl Machine {
    /// The state in which the entry process is about to run.
    pub fn new(code: &Code) -> Machine {
        let mut globals =
            Slots { words: vec![0; code.global_words as usize], any: vec![false; code.global_words as usize] };
        for global in &code.globals {
            match global.initial {
                Some(value) => globals.set(global.slot, global.sort, value),
                None => globals.set_any(global.slot, global.sort),
            }
        }
        let mut machine = Machine {
            globals,
            threads: Vec::new(),
            memory: Memory::new(code.program),
            locks: Locks::default(),
            lock_changes: 0,
            atomic: None,
            atomic_depth: 0,
            journal: Journal::default(),
            arguments: Vec::new(),
            model: code.model,
            most_pending: usize::MAX,
        };
        machine.new_thread(code, code.program.entry.0);
        machine
    }

    /// A thread that is about to run a procedure; its parameters are undetermined.
    pub fn new_thread(&mut self, code: &Code, proc: u32) -> u32 {
        let words = code.own_words as usize;
        let mut own = Slots { words: vec![0; words], any: vec![false; words] };
        for var in &code.owns {
            match var.initial {
                Some(value) => own.set(var.slot, var.sort, value),
                None => own.set_any(var.slot, var.sort),
            }
        }
        self.threads.push(Thread {
            status: Status::Running,
            result: 0,
            frames: Vec::new(),
            slots: Slots::default(),
            own,
            stack_objects: Vec::new(),
            pending: Vec::new(),
            group: 0,
        });
        let thread = self.threads.len() as u32 - 1;
        if self.journal.on {
            self.journal.entries.push(Undo::Started);
        }
        push_frame(code, &mut self.threads[thread as usize], proc);
        thread
    }

    pub fn top(&self, thread: u32) -> &Frame {
        let frames = &self.threads[thread as usize].frames;
        &frames[frames.len() - 1]
    }

    /// Is the thread at the exit of its process?
    pub fn at_end(&self, code: &Code, thread: u32) -> bool {
        let t = &self.threads[thread as usize];
        t.frames.len() == 1 && t.frames[0].loc == code.procs[t.frames[0].proc as usize].exit
    }

    /// The position in the thread's slots of a slot of its top frame.
    pub fn position(&self, thread: u32, slot: u32) -> u32 {
        self.top(thread).base + slot
    }

    pub fn local(&self, thread: u32, slot: u32, sort: Sort) -> u128 {
        self.threads[thread as usize].slots.get(self.position(thread, slot), sort)
    }

    fn log_local(&mut self, thread: u32, at: u32, wide: bool) {
        let slots = &self.threads[thread as usize].slots;
        for at in at..at + 1 + u32::from(wide) {
            let (word, any) = (slots.words[at as usize], slots.any[at as usize]);
            self.journal.entries.push(Undo::Word { thread, at, word, any });
        }
    }

    /// Prepares a change of a slot of the top frame; returns its position.
    #[inline]
    pub fn will_change(&mut self, thread: u32, to: Target) -> u32 {
        let at = self.position(thread, to.slot);
        if self.journal.on {
            self.log_local(thread, at, to.wide());
        }
        at
    }

    #[inline]
    pub fn set_local(&mut self, thread: u32, to: Target, value: u128) {
        let at = self.will_change(thread, to);
        self.threads[thread as usize].slots.set(at, to.sort, value);
    }

    pub fn set_local_any(&mut self, thread: u32, to: Target) {
        let at = self.will_change(thread, to);
        self.threads[thread as usize].slots.set_any(at, to.sort);
    }

    fn log_global(&mut self, at: u32, wide: bool) {
        if self.journal.on {
            for at in at..at + 1 + u32::from(wide) {
                let (word, any) = (self.globals.words[at as usize], self.globals.any[at as usize]);
                self.journal.entries.push(Undo::Global { at, word, any });
            }
        }
    }

    /// Writes a global; `None`: it becomes undetermined.
    #[inline]
    pub fn set_global(&mut self, at: u32, sort: Sort, value: Option<u128>) {
        self.log_global(at, is_wide(sort));
        match value {
            Some(value) => self.globals.set(at, sort, value),
            None => self.globals.set_any(at, sort),
        }
    }

    pub fn set_own(&mut self, thread: u32, at: u32, sort: Sort, value: Option<u128>) {
        let own = &mut self.threads[thread as usize].own;
        if self.journal.on {
            for at in at..at + 1 + u32::from(is_wide(sort)) {
                let (word, any) = (own.words[at as usize], own.any[at as usize]);
                self.journal.entries.push(Undo::Own { thread, at, word, any });
            }
        }
        match value {
            Some(value) => own.set(at, sort, value),
            None => own.set_any(at, sort),
        }
    }

    /// Writes bytes of an object; `None`: they become undetermined.
    pub fn set_bytes(&mut self, object: u32, offset: u64, bytes: u64, value: Option<u128>) {
        let target = &mut self.memory.objects[object as usize];
        let (at, n) = (offset as usize, bytes as usize);
        if self.journal.on {
            let (value, any) = (target.read(at, n), target.any_mask(at, n));
            self.journal.entries.push(Undo::Bytes { object, offset, bytes: bytes as u8, value, any });
        }
        match value {
            Some(value) => target.write(at, n, value),
            None => {
                target.write(at, n, 0);
                (at..at + n).for_each(|i| target.set_any(i, true));
            }
        }
    }

    #[inline]
    pub fn set_loc(&mut self, thread: u32, loc: u32) {
        let frames = &mut self.threads[thread as usize].frames;
        let frame = frames.len() - 1;
        if self.journal.on {
            self.journal.entries.push(Undo::Loc { thread, frame: frame as u32, loc: frames[frame].loc });
        }
        frames[frame].loc = loc;
    }

    pub fn call(&mut self, code: &Code, thread: u32, edge: u32, proc: u32) {
        let t = &mut self.threads[thread as usize];
        let caller = t.frames.len() - 1;
        t.frames[caller].call = edge;
        push_frame(code, t, proc);
        if self.journal.on {
            self.journal.entries.push(Undo::Called { thread });
        }
    }

    /// Drops the top frame and its stack objects; returns the edge of the call.
    pub fn leave(&mut self, thread: u32) -> u32 {
        self.free_stack_objects(thread, self.top(thread).objects);
        let t = &mut self.threads[thread as usize];
        let frame = t.frames.remove(t.frames.len() - 1);
        let caller = t.frames.len() - 1;
        let call = std::mem::replace(&mut t.frames[caller].call, NO_CALL);
        if self.journal.on {
            let slots = Slots {
                words: t.slots.words[frame.base as usize..].to_vec(),
                any: t.slots.any[frame.base as usize..].to_vec(),
            };
            self.journal.entries.push(Undo::Returned { thread, frame, call, slots: Box::new(slots) });
        }
        t.slots.words.truncate(frame.base as usize);
        t.slots.any.truncate(frame.base as usize);
        call
    }

    fn free_stack_objects(&mut self, thread: u32, from: u32) {
        while let Some(last) = self.threads[thread as usize].stack_objects.len().checked_sub(1)
            && last >= from as usize
        {
            self.lose_stack_object(thread, last);
        }
    }

    /// Ends the life of the stack object of a thread that begins at an address.
    pub fn free_stack_object(&mut self, thread: u32, address: u64) {
        if let Some(at) = self.threads[thread as usize].stack_objects.iter().rposition(|&start| start == address) {
            self.lose_stack_object(thread, at);
        }
    }

    fn lose_stack_object(&mut self, thread: u32, at: usize) {
        let address = self.threads[thread as usize].stack_objects.remove(at);
        if self.journal.on {
            self.journal.entries.push(Undo::LostStackObject { thread, at: at as u32, address });
        }
        if let Some(object) = self.memory.starting_at(address) {
            self.free(object);
        }
    }

    /// A new object; `None`: no address is left.
    pub fn allocate(&mut self, thread: u32, size: u64, zeroed: bool, class: ObjectClass, site: u32) -> Option<u64> {
        let object = self.memory.allocate(thread, size, zeroed, class, site)?;
        let address = self.memory.objects[object as usize].address;
        if self.journal.on {
            self.journal.entries.push(Undo::Allocated { address });
        }
        if class == ObjectClass::Stack {
            self.threads[thread as usize].stack_objects.push(address);
            if self.journal.on {
                self.journal.entries.push(Undo::StackObject { thread });
            }
        }
        Some(address)
    }

    /// Adds a store to the thread's buffer.
    pub fn put_off(&mut self, thread: u32, pending: Pending) {
        self.threads[thread as usize].pending.push(pending);
        if self.journal.on {
            self.journal.entries.push(Undo::PutOff { thread });
        }
    }

    /// The stores of a thread are of this group from now on.
    pub fn set_group(&mut self, thread: u32, group: u32) {
        let old = std::mem::replace(&mut self.threads[thread as usize].group, group);
        if self.journal.on {
            self.journal.entries.push(Undo::Group { thread, group: old });
        }
    }

    /// Takes a store from the thread's buffer.
    pub fn take_pending(&mut self, thread: u32, at: u32) -> Pending {
        let pending = self.threads[thread as usize].pending.remove(at as usize);
        if self.journal.on {
            self.journal.entries.push(Undo::TookPending { thread, at, pending: Box::new(pending) });
        }
        pending
    }

    /// Drops the pending stores of all threads to some bytes.
    fn drop_pending(&mut self, address: u64, bytes: u64) {
        let gone = PendingPlace::Bytes { address, bytes };
        for thread in 0..self.threads.len() as u32 {
            for at in (0..self.threads[thread as usize].pending.len()).rev() {
                if self.threads[thread as usize].pending[at].place.overlaps(gone) {
                    self.take_pending(thread, at as u32);
                }
            }
        }
    }

    /// Ends the life of a dynamic object, of the locks in it and of the pending stores to it.
    pub fn free(&mut self, object: u32) {
        let gone = self.memory.end(object);
        if self.model != MemoryModel::Sc {
            self.drop_pending(gone.address, gone.bytes.len() as u64);
        }
        for address in self.locks.within(gone.address, gone.bytes.len() as u64) {
            self.set_lock(address, Lock::default());
        }
        if self.journal.on {
            self.journal.entries.push(Undo::Freed { object: Box::new(gone) });
        }
    }

    pub fn set_lock(&mut self, address: u64, lock: Lock) {
        if self.journal.on {
            self.journal.entries.push(Undo::Locked { address, lock: self.locks.get(address) });
        }
        self.lock_changes += 1;
        self.locks.set(address, lock);
    }

    pub fn set_atomic(&mut self, owner: Option<u32>, depth: u32) {
        if self.journal.on {
            self.journal.entries.push(Undo::Atomic { owner: self.atomic, depth: self.atomic_depth });
        }
        self.atomic = owner;
        self.atomic_depth = depth;
    }

    /// The thread steps no more.
    pub fn finish(&mut self, thread: u32, status: Status, result: u128) {
        if status == Status::Ended {
            self.free_stack_objects(thread, 0);
        }
        if self.atomic == Some(thread) {
            self.set_atomic(None, 0);
        }
        let t = &mut self.threads[thread as usize];
        if self.journal.on {
            self.journal.entries.push(Undo::Status { thread, status: t.status, result: t.result });
        }
        t.status = status;
        t.result = result;
    }

    /// Takes back all changes since the journal had this length.
    pub fn undo_to(&mut self, mark: usize) {
        while self.journal.entries.len() > mark {
            if let Some(entry) = self.journal.entries.pop() {
                self.undo(entry);
            }
        }
    }

    fn undo(&mut self, entry: Undo) {
        match entry {
            Undo::Word { thread, at, word, any } => {
                let slots = &mut self.threads[thread as usize].slots;
                slots.words[at as usize] = word;
                slots.any[at as usize] = any;
            }
            Undo::Own { thread, at, word, any } => {
                let own = &mut self.threads[thread as usize].own;
                own.words[at as usize] = word;
                own.any[at as usize] = any;
            }
            Undo::Global { at, word, any } => {
                self.globals.words[at as usize] = word;
                self.globals.any[at as usize] = any;
            }
            Undo::Bytes { object, offset, bytes, value, any } => {
                self.memory.objects[object as usize].restore(offset as usize, bytes.into(), value, any);
            }
            Undo::Loc { thread, frame, loc } => self.threads[thread as usize].frames[frame as usize].loc = loc,
            Undo::Called { thread } => {
                let t = &mut self.threads[thread as usize];
                if let Some(frame) = t.frames.pop() {
                    t.slots.words.truncate(frame.base as usize);
                    t.slots.any.truncate(frame.base as usize);
                }
                if let Some(caller) = t.frames.last_mut() {
                    caller.call = NO_CALL;
                }
            }
            Undo::Returned { thread, frame, call, slots } => {
                let t = &mut self.threads[thread as usize];
                if let Some(caller) = t.frames.last_mut() {
                    caller.call = call;
                }
                t.frames.push(frame);
                t.slots.words.extend_from_slice(&slots.words);
                t.slots.any.extend_from_slice(&slots.any);
            }
            Undo::Allocated { address } => {
                if let Some(object) = self.memory.starting_at(address) {
                    self.memory.remove(object);
                }
            }
            Undo::StackObject { thread } => {
                self.threads[thread as usize].stack_objects.pop();
            }
            Undo::Freed { object } => {
                self.memory.revive(*object);
            }
            Undo::LostStackObject { thread, at, address } => {
                self.threads[thread as usize].stack_objects.insert(at as usize, address);
            }
            Undo::Locked { address, lock } => {
                self.lock_changes += 1;
                self.locks.set(address, lock);
            }
            Undo::Started => {
                self.threads.pop();
            }
            Undo::Status { thread, status, result } => {
                let t = &mut self.threads[thread as usize];
                t.status = status;
                t.result = result;
            }
            Undo::Atomic { owner, depth } => {
                self.atomic = owner;
                self.atomic_depth = depth;
            }
            Undo::PutOff { thread } => {
                self.threads[thread as usize].pending.pop();
            }
            Undo::Group { thread, group } => {
                self.threads[thread as usize].group = group;
            }
            Undo::TookPending { thread, at, pending } => {
                self.threads[thread as usize].pending.insert(at as usize, *pending);
            }
        }
    }
}

/// Adds a frame at the entry of a procedure. Parameters and what may be read before it is assigned are undetermined.
pub fn push_frame(code: &Code, thread: &mut Thread, proc: u32) {
    let p = &code.procs[proc as usize];
    let base = thread.slots.words.len();
    let size = base + p.frame_words as usize;
    thread.slots.words.resize(size, 0);
    thread.slots.any.resize(size, false);
    let consts = base + p.local_words as usize;
    thread.slots.words[consts..consts + p.consts.len()].copy_from_slice(&p.consts);
    let objects = thread.stack_objects.len() as u32;
    thread.frames.push(Frame { proc, loc: p.entry, base: base as u32, call: NO_CALL, objects });
    let mark = |slots: &mut Slots, slot: &Slot| slots.set_any(base as u32 + slot.index, slot.sort);
    p.entry_any.iter().chain(&p.params).for_each(|slot| mark(&mut thread.slots, slot));
}

/// The edges by which a thread can leave its location.
pub fn outgoing<'a>(code: &'a Code, machine: &Machine, thread: u32) -> &'a [u32] {
    let top = machine.top(thread);
    &code.procs[top.proc as usize].locs[top.loc as usize].edges
}
