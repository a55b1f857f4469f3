//! States as short sequences of numbers (collapse compression).
//!
//! The parts of a state (the globals, each memory object, each thread, the locks) are interned separately, and a state is
//! the sequence of their numbers: most steps change one thread and one other part, so that parts are shared by many
//! states (Holzmann's "collapse"). Nothing is lost: a state is rebuilt from its parts, and only the parts that
//! differ from the state at hand are.
//!
//! Locals that are dead at a location are left out, so that they do not tell states apart.

use crate::intern::Interner;
use raddle_interp::machine::code::Code;
use raddle_interp::machine::expr_code::{Slot, is_wide};
use raddle_interp::machine::locks::{Lock, Locks};
use raddle_interp::machine::memory::{MemObject, ObjectClass};
use raddle_interp::machine::state::{Frame, Machine, NO_CALL, Slots, Status, Thread, Undo};
use raddle_interp::machine::store_buffers::{NO_EDGE, Pending, PendingPlace, in_normal_order};
use raddle_ir::MemoryModel;
use raddle_ir::{Sort, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Positions in a state's sequence; the threads follow. Under a weak memory model, the number of a `buffers` sequence stands in the place
/// of the word for the atomic block.
pub const GLOBALS: usize = 0;
pub const MEMORY: usize = 1;
pub const LOCKS: usize = 2;
pub const ATOMIC: usize = 3;
pub const THREADS: usize = 4;

/// Objects larger than this are split into parts of this many bytes.
const CHUNK: usize = 256;

/// First words of the sequences of threads that do not run.
const STUCK: u32 = u32::MAX;
const ENDED: u32 = u32::MAX - 1;

#[derive(Default)]
pub struct Store {
    pub states: Interner,
    globals: Interner,
    memory: Interner,
    objects: Interner,
    locks: Interner,
    threads: Interner,
    buffers: Interner,
    /// The state that the machine is in (when its journal is empty).
    current: Vec<u32>,
    /// Writable static objects, in order: the first part of a `memory` sequence.
    writable: Vec<u32>,
    scratch: Vec<u32>,
    buffer: Vec<u32>,
}

impl Store {
    pub fn bytes(&self) -> usize {
        let parts =
            [&self.states, &self.globals, &self.memory, &self.objects, &self.locks, &self.threads, &self.buffers];
        parts.iter().map(|p| p.bytes()).sum()
    }

    /// Takes in the machine as it is; returns the number of its state.
    pub fn start(&mut self, code: &Code, machine: &Machine) -> u32 {
        let statics = 0..machine.memory.statics;
        self.writable = statics.filter(|o| machine.memory.objects[*o as usize].writable).collect();
        self.current = vec![0; THREADS];
        self.current[GLOBALS] = self.put_globals(code, machine);
        let mut list = Vec::new();
        for object in self.writable.clone() {
            list.push(self.put_object(&machine.memory.objects[object as usize]));
        }
        self.current[MEMORY] = self.memory.intern(&list).0;
        self.current[LOCKS] = self.put_locks(&machine.locks);
        self.current[ATOMIC] = self.put_atomic(machine);
        for thread in &machine.threads {
            let id = self.put_thread(code, thread);
            self.current.push(id);
        }
        self.states.intern(&self.current).0
    }

    /// The number of the state that the machine has come to from the current one, and whether it is new. The journal says what
    /// has changed.
    pub fn record(&mut self, code: &Code, machine: &Machine) -> (u32, bool) {
        let mut next = std::mem::take(&mut self.scratch);
        next.clear();
        next.extend_from_slice(&self.current);
        self.follow(code, machine, 0, &mut next);
        let result = self.states.intern(&next);
        self.scratch = next;
        result
    }

    /// The sequence of the state that the machine has come to from the current one.
    pub fn sequence(&mut self, code: &Code, machine: &Machine, next: &mut Vec<u32>) {
        next.clear();
        next.extend_from_slice(&self.current);
        self.follow(code, machine, 0, next);
    }

    /// From the sequence of a state to that of the state that the machine has come to since. The journal says from one of its entries on what has changed.
    pub fn follow(&mut self, code: &Code, machine: &Machine, from: usize, next: &mut Vec<u32>) {
        next.truncate(THREADS + machine.threads.len());
        let (mut globals, mut locks, mut membership) = (false, false, false);
        let mut threads = 0u64;
        let mut many_threads: FxHashSet<u32> = FxHashSet::default();
        let mut chunks: Vec<(u32, u32)> = Vec::new();
        let mut touch = |t: u32| match t {
            0..64 => threads |= 1 << t,
            _ => {
                many_threads.insert(t);
            }
        };
        for entry in &machine.journal.entries[from..] {
            match entry {
                Undo::Word { thread, .. }
                | Undo::Own { thread, .. }
                | Undo::Loc { thread, .. }
                | Undo::Called { thread }
                | Undo::Returned { thread, .. }
                | Undo::StackObject { thread }
                | Undo::LostStackObject { thread, .. }
                | Undo::Status { thread, .. } => touch(*thread),
                Undo::Global { .. } => globals = true,
                Undo::Bytes { object, offset, bytes, .. } => {
                    for chunk in *offset as usize / CHUNK..=(*offset as usize + *bytes as usize - 1) / CHUNK {
                        let entry = (*object, chunk as u32);
                        if chunks.last() != Some(&entry) {
                            chunks.push(entry);
                        }
                    }
                }
                Undo::Allocated { .. } | Undo::Freed { .. } => membership = true,
                Undo::Locked { .. } => locks = true,
                Undo::Started
                | Undo::Atomic { .. }
                | Undo::PutOff { .. }
                | Undo::Group { .. }
                | Undo::TookPending { .. } => {}
            }
        }
        if globals {
            next[GLOBALS] = self.put_globals(code, machine);
        }
        if locks {
            next[LOCKS] = self.put_locks(&machine.locks);
        }
        if membership || !chunks.is_empty() {
            next[MEMORY] = self.put_memory(machine, next[MEMORY], membership, chunks);
        }
        next[ATOMIC] = self.put_atomic(machine);
        while next.len() < THREADS + machine.threads.len() {
            let id = self.put_thread(code, &machine.threads[next.len() - THREADS]);
            next.push(id);
        }
        for t in (0..64.min(machine.threads.len())).filter(|t| threads >> t & 1 != 0) {
            next[THREADS + t] = self.put_thread(code, &machine.threads[t]);
        }
        for t in many_threads.into_iter().filter(|t| (*t as usize) < machine.threads.len()) {
            next[THREADS + t as usize] = self.put_thread(code, &machine.threads[t as usize]);
        }
    }

    /// Brings the machine, whose journal is empty, into a state.
    pub fn load(&mut self, code: &Code, machine: &mut Machine, state: u32) {
        let target = self.states.get(state);
        let (old, new) = (self.current[GLOBALS], target[GLOBALS]);
        if old != new {
            get_globals(code, machine, self.globals.get(new));
        }
        if self.current[MEMORY] != target[MEMORY] {
            self.get_memory(machine, self.memory.get(self.current[MEMORY]), self.memory.get(target[MEMORY]));
        }
        if self.current[LOCKS] != target[LOCKS] {
            machine.locks = get_locks(self.locks.get(target[LOCKS]));
        }
        machine.threads.truncate(target.len() - THREADS);
        for t in 0..target.len() - THREADS {
            if self.current.get(THREADS + t) != Some(&target[THREADS + t]) {
                if t >= machine.threads.len() {
                    machine.threads.push(empty_thread(code));
                }
                get_thread(code, &mut machine.threads[t], self.threads.get(target[THREADS + t]));
            }
        }
        match machine.model {
            MemoryModel::Sc => get_atomic(machine, target[ATOMIC]),
            _ => get_buffers(machine, self.buffers.get(target[ATOMIC])),
        }
        self.current.clear();
        self.current.extend_from_slice(target);
    }

    fn put_atomic(&mut self, machine: &Machine) -> u32 {
        let atomic = atomic_word(machine);
        if machine.model == MemoryModel::Sc {
            return atomic;
        }
        let mut words = vec![atomic];
        for thread in &machine.threads {
            // Does the next store begin a new group?
            let separated = thread.pending.last().is_some_and(|last| last.group != thread.group);
            words.push((thread.pending.len() as u32) << 1 | u32::from(separated));
            for pending in in_normal_order(machine.model, &thread.pending) {
                if machine.model == MemoryModel::Pso {
                    words.push(pending.group);
                }
                match pending.place {
                    PendingPlace::Global(slot) => words.push(slot << 1),
                    PendingPlace::Bytes { address, bytes } => {
                        words.extend([(bytes as u32) << 1 | 1, address as u32, (address >> 32) as u32]);
                    }
                }
                words.extend((0..4).map(|i| (pending.value >> (32 * i)) as u32));
            }
        }
        self.buffers.intern(&words).0
    }

    fn put_globals(&mut self, code: &Code, machine: &Machine) -> u32 {
        self.put_globals_but(code, machine, &[])
    }

    /// The globals but for some, which another sequence may not be compared with that has them.
    pub fn globals_without(&mut self, code: &Code, machine: &Machine, left_out: &[VarId]) -> u32 {
        self.put_globals_but(code, machine, left_out)
    }

    fn put_globals_but(&mut self, code: &Code, machine: &Machine, left_out: &[VarId]) -> u32 {
        let mut words = std::mem::take(&mut self.buffer);
        words.clear();
        words.push(0);
        let mut flags = Flags::default();
        for global in code.globals.iter().filter(|g| !left_out.contains(&g.var)) {
            put_value(&mut words, &mut flags, &machine.globals, global.slot, global.sort);
        }
        flags.finish(&mut words);
        let id = self.globals.intern(&words).0;
        self.buffer = words;
        id
    }

    /// The number of an object's contents. Large objects are sequences of numbers of chunks.
    fn put_object(&mut self, object: &MemObject) -> u32 {
        let size = object.bytes.len();
        if size <= CHUNK {
            return self.put_chunk(object, 0);
        }
        let ids: Vec<u32> = (0..size.div_ceil(CHUNK)).map(|chunk| self.put_chunk(object, chunk)).collect();
        self.objects.intern(&ids).0
    }

    fn put_chunk(&mut self, object: &MemObject, chunk: usize) -> u32 {
        let start = chunk * CHUNK;
        let end = (start + CHUNK).min(object.bytes.len());
        let mut words: Vec<u32> = Vec::with_capacity(CHUNK / 4 + 1);
        for four in object.bytes[start..end].chunks(4) {
            let mut bytes = [0; 4];
            bytes[..four.len()].copy_from_slice(four);
            words.push(u32::from_le_bytes(bytes));
        }
        if object.any_left > 0 && (start..end).any(|i| object.is_any(i)) {
            for group in (start..end).step_by(16) {
                words.push(object.any_mask(group, (end - group).min(16)).into());
            }
        }
        self.objects.intern(&words).0
    }

    /// A `memory` sequence: the contents of the writable static objects, then five words for each dynamic one, by address.
    fn put_memory(&mut self, machine: &Machine, old: u32, membership: bool, mut chunks: Vec<(u32, u32)>) -> u32 {
        chunks.sort_unstable();
        chunks.dedup();
        let mut list = self.memory.get(old).to_vec();
        let statics = self.writable.len();
        let mut changed: FxHashMap<u64, u32> = FxHashMap::default();
        let mut at = 0;
        while at < chunks.len() {
            let object = chunks[at].0;
            let end = at + chunks[at..].iter().take_while(|c| c.0 == object).count();
            let content = &machine.memory.objects[object as usize];
            let is_static = object < machine.memory.statics;
            if membership && !is_static {
                // All dynamic objects are put anew below; this one may have been freed.
                at = end;
                continue;
            }
            let old = match is_static {
                true => self.writable.binary_search(&object).ok().map(|i| list[i]),
                false => list[statics..].chunks(5).find(|d| d[..2] == address_words(content.address)).map(|d| d[4]),
            };
            let id = match old {
                Some(old) if content.bytes.len() > CHUNK => {
                    let mut ids = self.objects.get(old).to_vec();
                    if ids.len() == content.bytes.len().div_ceil(CHUNK) {
                        for (_, chunk) in &chunks[at..end] {
                            ids[*chunk as usize] = self.put_chunk(content, *chunk as usize);
                        }
                        self.objects.intern(&ids).0
                    } else {
                        self.put_object(content)
                    }
                }
                _ => self.put_object(content),
            };
            match is_static {
                true => {
                    if let Ok(i) = self.writable.binary_search(&object) {
                        list[i] = id;
                    }
                }
                false => {
                    changed.insert(content.address, id);
                }
            }
            at = end;
        }
        if membership {
            list.truncate(statics);
            let mut objects: Vec<u32> = machine.memory.dynamics().collect();
            objects.sort_unstable_by_key(|o| machine.memory.objects[*o as usize].address);
            for object in objects {
                let object = &machine.memory.objects[object as usize];
                let id = self.put_object(object);
                let class = CLASSES.iter().position(|class| *class == object.class).unwrap_or(0) as u32;
                let size = object.bytes.len() as u32;
                let address = object.address;
                list.extend([address as u32, (address >> 32) as u32, size, object.site << 2 | class, id]);
            }
        } else if !changed.is_empty() {
            for entry in list[statics..].chunks_mut(5) {
                if let Some(id) = changed.get(&(entry[0] as u64 | (entry[1] as u64) << 32)) {
                    entry[4] = *id;
                }
            }
        }
        self.memory.intern(&list).0
    }

    fn get_memory(&self, machine: &mut Machine, old: &[u32], new: &[u32]) {
        let statics = self.writable.len();
        for (i, object) in self.writable.iter().enumerate() {
            if old[i] != new[i] {
                self.get_object(&mut machine.memory.objects[*object as usize], Some(old[i]), new[i]);
            }
        }
        let address = |d: &[u32]| d[0] as u64 | (d[1] as u64) << 32;
        let mut old = old[statics..].chunks(5).peekable();
        for entry in new[statics..].chunks(5) {
            while let Some(gone) = old.next_if(|o| address(o) < address(entry)) {
                remove_object(machine, address(gone));
            }
            let before = old.next_if(|o| address(o) == address(entry));
            if before == Some(entry) {
                continue;
            }
            if let Some(before) = before {
                if before[2..4] == entry[2..4]
                    && let Some(id) = machine.memory.starting_at(address(entry))
                {
                    self.get_object(&mut machine.memory.objects[id as usize], Some(before[4]), entry[4]);
                    continue;
                }
                remove_object(machine, address(entry));
            }
            let mut object = MemObject {
                address: address(entry),
                bytes: vec![0; entry[2] as usize],
                any: Vec::new(),
                any_left: 0,
                class: CLASSES[entry[3] as usize & 3],
                writable: CLASSES[entry[3] as usize & 3] != ObjectClass::Freed,
                owner: machine.memory.owner_of_address(address(entry)).unwrap_or(0),
                site: entry[3] >> 2,
            };
            self.get_object(&mut object, None, entry[4]);
            machine.memory.insert(object);
        }
        for gone in old {
            remove_object(machine, address(gone));
        }
    }

    fn get_object(&self, object: &mut MemObject, old: Option<u32>, new: u32) {
        if object.bytes.len() <= CHUNK {
            self.get_chunk(object, 0, new);
            return;
        }
        let ids = self.objects.get(new);
        let before = old.map_or(&[][..], |old| self.objects.get(old));
        for (chunk, id) in ids.iter().enumerate() {
            if before.get(chunk) != Some(id) {
                self.get_chunk(object, chunk, *id);
            }
        }
    }

    fn get_chunk(&self, object: &mut MemObject, chunk: usize, id: u32) {
        let words = self.objects.get(id);
        let start = chunk * CHUNK;
        let end = (start + CHUNK).min(object.bytes.len());
        for (i, byte) in object.bytes[start..end].iter_mut().enumerate() {
            *byte = words[i / 4].to_le_bytes()[i % 4];
        }
        let masks = &words[(end - start).div_ceil(4)..];
        if !masks.is_empty() || object.any_left > 0 {
            for i in 0..end - start {
                object.set_any(start + i, masks.get(i / 16).is_some_and(|m| m >> (i % 16) & 1 != 0));
            }
        }
    }

    fn put_locks(&mut self, locks: &Locks) -> u32 {
        let mut words = Vec::new();
        for (address, lock) in &locks.list {
            let owner = lock.owner.map_or(0, |o| o + 1);
            let head = [*address as u32, (*address >> 32) as u32, lock.kind.into(), owner, lock.depth];
            words.extend(head);
            words.push(lock.readers.len() as u32);
            words.extend(lock.readers.iter().flat_map(|(t, n)| [*t, *n]));
        }
        self.locks.intern(&words).0
    }

    fn put_thread(&mut self, code: &Code, thread: &Thread) -> u32 {
        self.put_thread_but(code, thread, None)
    }

    /// A thread but for some locals (at locations among those of all procedures), likewise.
    pub fn thread_without(&mut self, code: &Code, thread: &Thread, left_out: &FxHashSet<(u32, VarId)>) -> u32 {
        self.put_thread_but(code, thread, Some(left_out))
    }

    /// A memory sequence without the contents of some static objects and of what some labels allocated.
    pub fn memory_without(&mut self, memory: u32, objects: &FxHashSet<u32>, sites: &FxHashSet<u32>) -> u32 {
        let mut list = self.memory.get(memory).to_vec();
        let (statics, dynamics) = list.split_at_mut(self.writable.len());
        for (id, object) in statics.iter_mut().zip(&self.writable) {
            if objects.contains(object) {
                *id = 0;
            }
        }
        for object in dynamics.chunks_mut(5).filter(|object| sites.contains(&(object[3] >> 2))) {
            object[4] = 0;
        }
        self.memory.intern(&list).0
    }

    /// Locks in other words, which are not to be compared with those of states.
    pub fn put_locks_as(&mut self, words: &[u32]) -> u32 {
        self.locks.intern(words).0
    }

    fn put_thread_but(&mut self, code: &Code, thread: &Thread, left_out: Option<&FxHashSet<(u32, VarId)>>) -> u32 {
        match thread.status {
            Status::Running => {}
            Status::Stuck => return self.threads.intern(&[STUCK]).0,
            Status::Ended => {
                let r = thread.result;
                let ended = [ENDED, r as u32, (r >> 32) as u32, (r >> 64) as u32, (r >> 96) as u32];
                return self.threads.intern(&ended).0;
            }
        }
        let mut words = std::mem::take(&mut self.buffer);
        words.clear();
        words.extend([0, thread.frames.len() as u32]);
        let mut flags = Flags::default();
        for own in &code.owns {
            put_value(&mut words, &mut flags, &thread.own, own.slot, own.sort);
        }
        for (i, frame) in thread.frames.iter().enumerate() {
            let end = thread.frames.get(i + 1).map_or(thread.stack_objects.len(), |f| f.objects as usize);
            let objects = &thread.stack_objects[frame.objects as usize..end];
            words.push(frame.proc);
            words.push(if frame.call == NO_CALL { frame.loc << 1 } else { frame.call << 1 | 1 });
            words.push(objects.len() as u32);
            words.extend(objects.iter().flat_map(|a| [*a as u32, (*a >> 32) as u32]));
            let at = live_at(code, frame);
            for_each_live(code, frame, |slot| {
                if left_out.is_some_and(|vars| vars.contains(&(at, slot.var))) {
                    return;
                }
                put_value(&mut words, &mut flags, &thread.slots, frame.base + slot.index, slot.sort);
            });
        }
        flags.finish(&mut words);
        let id = self.threads.intern(&words).0;
        self.buffer = words;
        id
    }
}

/// Of dynamic objects.
const CLASSES: [ObjectClass; 4] = [ObjectClass::Heap, ObjectClass::Stack, ObjectClass::Library, ObjectClass::Freed];

fn remove_object(machine: &mut Machine, address: u64) {
    if let Some(id) = machine.memory.starting_at(address) {
        machine.memory.remove(id);
    }
}

fn address_words(address: u64) -> [u32; 2] {
    [address as u32, (address >> 32) as u32]
}

fn atomic_word(machine: &Machine) -> u32 {
    machine.atomic.map_or(0, |owner| (owner + 1) | machine.atomic_depth << 16)
}

/// The location whose live locals a frame has, among those of all procedures: that where it is or to which its call returns.
pub fn live_at(code: &Code, frame: &Frame) -> u32 {
    let loc = if frame.call == NO_CALL { frame.loc } else { code.edges[frame.call as usize].target };
    code.procs[frame.proc as usize].first_loc + loc
}

/// The locals of a frame that may be read before they are assigned again. While a call is under way, its target is not live.
pub fn for_each_live(code: &Code, frame: &Frame, mut f: impl FnMut(&Slot)) {
    let proc = &code.procs[frame.proc as usize];
    if frame.call == NO_CALL {
        proc.locs[frame.loc as usize].live.iter().for_each(f);
        return;
    }
    let edge = code.edges[frame.call as usize];
    let to = match code.labels[edge.first as usize] {
        raddle_interp::machine::code::LabelCode::Call(call) => code.calls[call as usize].to.map(|t| t.slot),
        _ => None,
    };
    for slot in proc.locs[edge.target as usize].live.iter().filter(|s| Some(s.index) != to) {
        f(slot);
    }
}

/// Which values of a sequence are undetermined. The sequence begins with the number of words that this takes (none if no
/// value is), and those words.
#[derive(Default)]
struct Flags {
    words: Vec<u32>,
    count: u32,
}

impl Flags {
    fn push(&mut self, flag: bool) {
        if flag {
            self.words.resize(self.count as usize / 32 + 1, 0);
            self.words[self.count as usize / 32] |= 1 << (self.count % 32);
        }
        self.count += 1;
    }

    /// Puts the flags at the beginning of a sequence whose first word is still 0.
    fn finish(self, words: &mut Vec<u32>) {
        if !self.words.is_empty() {
            words[0] = self.words.len() as u32;
            words.splice(1..1, self.words);
        }
    }
}

#[inline]
fn value_words(sort: Sort) -> usize {
    match sort.bits() {
        Some(..=32) => 1,
        Some(..=64) => 2,
        _ => 4,
    }
}

#[inline]
fn put_value(words: &mut Vec<u32>, flags: &mut Flags, slots: &Slots, at: u32, sort: Sort) {
    let any = slots.any[at as usize];
    let value = slots.get(at, sort);
    flags.push(any);
    match value_words(sort) {
        // An undetermined one has both ends of its interval in the word.
        1 if any => words.extend([value as u32, (value >> 32) as u32]),
        n => words.extend((0..n).map(|i| (value >> (32 * i)) as u32)),
    }
}

/// Reads values back.
struct Reader<'a> {
    words: &'a [u32],
    at: usize,
    flags: &'a [u32],
    count: u32,
}

impl<'a> Reader<'a> {
    fn new(words: &'a [u32]) -> Reader<'a> {
        let flags = words[0] as usize;
        Reader { words, at: 1 + flags, flags: &words[1..1 + flags], count: 0 }
    }

    fn word(&mut self) -> u32 {
        self.at += 1;
        self.words[self.at - 1]
    }

    fn address(&mut self) -> u64 {
        let low = self.word();
        u64::from(low) | u64::from(self.word()) << 32
    }

    fn value(&mut self, slots: &mut Slots, at: u32, sort: Sort) {
        let any = self.flags.get(self.count as usize / 32).is_some_and(|f| f >> (self.count % 32) & 1 != 0);
        self.count += 1;
        let n = match value_words(sort) {
            1 if any => 2,
            n => n,
        };
        let mut value = 0u128;
        for i in 0..n {
            value |= u128::from(self.word()) << (32 * i);
        }
        slots.words[at as usize] = value as u64;
        if is_wide(sort) {
            slots.words[at as usize + 1] = (value >> 64) as u64;
        }
        slots.any[at as usize] = any;
    }
}

fn get_atomic(machine: &mut Machine, word: u32) {
    machine.atomic = (word != 0).then(|| (word & 0xffff) - 1);
    machine.atomic_depth = word >> 16;
}

fn get_buffers(machine: &mut Machine, words: &[u32]) {
    let mut reader = Reader { words, at: 0, flags: &[], count: 0 };
    let atomic = reader.word();
    get_atomic(machine, atomic);
    for thread in &mut machine.threads {
        thread.pending.clear();
        thread.group = 0;
        let count = reader.word();
        for _ in 0..count >> 1 {
            thread.group = if machine.model == MemoryModel::Pso { reader.word() } else { 0 };
            let head = reader.word();
            let place = match head & 1 {
                0 => PendingPlace::Global(head >> 1),
                _ => PendingPlace::Bytes { address: reader.address(), bytes: (head >> 1).into() },
            };
            let value = (0..4).fold(0, |value, i| value | u128::from(reader.word()) << (32 * i));
            thread.pending.push(Pending { place, value, group: thread.group, edge: NO_EDGE });
        }
        thread.group += count & 1;
    }
}

fn get_globals(code: &Code, machine: &mut Machine, words: &[u32]) {
    let mut reader = Reader::new(words);
    for global in &code.globals {
        reader.value(&mut machine.globals, global.slot, global.sort);
    }
}

fn get_locks(words: &[u32]) -> Locks {
    let mut reader = Reader { words, at: 0, flags: &[], count: 0 };
    let mut list = Vec::new();
    while reader.at < words.len() {
        let address = reader.address();
        let kind = reader.word() as u8;
        let owner = reader.word().checked_sub(1);
        let depth = reader.word();
        let readers = (0..reader.word()).map(|_| (reader.word(), reader.word())).collect();
        list.push((address, Lock { kind, owner, depth, readers }));
    }
    Locks { list }
}

fn empty_thread(code: &Code) -> Thread {
    let own = Slots { words: vec![0; code.own_words as usize], any: vec![false; code.own_words as usize] };
    Thread {
        status: Status::Running,
        result: 0,
        frames: Vec::new(),
        slots: Slots::default(),
        own,
        stack_objects: Vec::new(),
        pending: Vec::new(),
        group: 0,
    }
}

fn get_thread(code: &Code, thread: &mut Thread, words: &[u32]) {
    thread.result = 0;
    match words[0] {
        STUCK => {
            thread.status = Status::Stuck;
            return;
        }
        ENDED => {
            thread.status = Status::Ended;
            thread.result = (1..5).fold(0, |r, i| r | u128::from(words[i]) << (32 * (i - 1)));
            return;
        }
        _ => thread.status = Status::Running,
    }
    let mut reader = Reader::new(words);
    let frames = reader.word() as usize;
    for own in &code.owns {
        reader.value(&mut thread.own, own.slot, own.sort);
    }
    thread.stack_objects.clear();
    // Frames that stay those of the same procedure keep their place and their constants.
    thread.frames.truncate(frames);
    let mut base = 0;
    let mut same = true;
    for i in 0..frames {
        let proc = reader.word();
        let p = &code.procs[proc as usize];
        let at = reader.word();
        let objects = thread.stack_objects.len() as u32;
        for _ in 0..reader.word() {
            let address = reader.address();
            thread.stack_objects.push(address);
        }
        let (call, loc) = match at & 1 {
            0 => (NO_CALL, at >> 1),
            _ => (at >> 1, code.edges[(at >> 1) as usize].source),
        };
        let frame = Frame { proc, loc, base, call, objects };
        same &= thread.frames.get(i).is_some_and(|f| f.proc == proc);
        if same {
            thread.frames[i] = frame;
        } else {
            thread.frames.truncate(i);
            thread.frames.push(frame);
            let end = (base + p.frame_words) as usize;
            thread.slots.words.truncate(base as usize);
            thread.slots.any.truncate(base as usize);
            thread.slots.words.resize(end, 0);
            thread.slots.any.resize(end, false);
            let consts = (base + p.local_words) as usize;
            thread.slots.words[consts..consts + p.consts.len()].copy_from_slice(&p.consts);
        }
        for_each_live(code, &frame, |slot| reader.value(&mut thread.slots, base + slot.index, slot.sort));
        base += p.frame_words;
    }
    thread.slots.words.truncate(base as usize);
    thread.slots.any.truncate(base as usize);
}
