//! A canonical form of states: the same for two states that a permutation of threads maps to each other (`symmetry` says why that may be).
//!
//! The parts of a state that mention thread numbers (locks, variables with handles, the atomic block) are put down without them. What is said of a thread there becomes the
//! thread's *marks*: words that name the place, in a fixed order. The rest of a state is then the shared parts, the first thread,
//! and for each other thread the number of its own state and that of its marks. These pairs are sorted, so that the form is exact: equal forms
//! are states that a permutation maps to each other.
//!
//! Each part is rewritten once for each of its numbers.

use crate::collapse::{ATOMIC, GLOBALS, LOCKS, MEMORY, Store, THREADS, for_each_live, live_at};
use crate::intern::Interner;
use crate::symmetry::{self, Symmetry};
use crate::touched::possible_edges;
use raddle_interp::machine::code::Code;
use raddle_interp::machine::expr_code::Slot;
use raddle_interp::machine::locks::Locks;
use raddle_interp::machine::state::{Machine, NO_CALL, Slots, Status};
use rustc_hash::FxHashMap;

/// What marks of a thread say: the kind in the upper bits, the place below.
const HELD: u32 = 0;
const OWNS: u32 = 1 << 28;
const READS: u32 = 2 << 28;
const AWAITED: u32 = 3 << 28;
const IN_BLOCK: u32 = 4 << 28;

/// Tags of forms.
const AS_IT_IS: u32 = 0;
const RENAMED: u32 = 1;

/// A part without thread numbers, and what they were.
#[derive(Default)]
struct Part {
    number: u32,
    /// The values of handles: undetermined or not.
    values: Vec<(bool, u128)>,
    /// The position of a thread, and a mark.
    marks: Vec<(u32, u32)>,
    /// Which handles may be read from where the first thread is.
    reads: u64,
}

pub struct Classes<'a> {
    symmetry: &'a Symmetry,
    forms: Interner,
    globals: FxHashMap<u32, Part>,
    memory: FxHashMap<u32, u32>,
    locks: FxHashMap<u32, Part>,
    first: FxHashMap<u32, Part>,
    marks: Interner,
    /// Room for the form at hand, its threads and their marks.
    form: Vec<u32>,
    threads: Vec<(u32, u32)>,
    marked: Vec<(u32, u32)>,
}

impl<'a> Classes<'a> {
    pub fn new(symmetry: &'a Symmetry) -> Self {
        let mut marks = Interner::default();
        // No marks are number 0.
        marks.intern(&[]);
        Classes {
            symmetry,
            forms: Interner::default(),
            globals: FxHashMap::default(),
            memory: FxHashMap::default(),
            locks: FxHashMap::default(),
            first: FxHashMap::default(),
            marks,
            form: Vec::new(),
            threads: Vec::new(),
            marked: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.forms.len()
    }

    pub fn bytes(&self) -> usize {
        let parts = self.globals.len() + self.locks.len() + self.first.len();
        self.forms.bytes() + self.marks.bytes() + parts * 160 + self.memory.len() * 16
    }

    /// The number of the class of the state that the machine is in, given its sequence and the threads that the first one waits for.
    pub fn class(
        &mut self,
        code: &Code,
        machine: &mut Machine,
        store: &mut Store,
        sequence: &[u32],
        awaited: &[u32],
    ) -> u32 {
        let count = sequence.len() - THREADS;
        if count <= 2 {
            return self.as_it_is(sequence, awaited);
        }
        let symmetry = self.symmetry;
        let first = self.first.entry(sequence[THREADS]).or_insert_with(|| first_part(code, machine, store, symmetry));
        if first.reads & symmetry::MEMORY != 0 {
            return self.as_it_is(sequence, awaited);
        }
        let globals = match symmetry.globals.is_empty() {
            true => None,
            false => Some(
                &*self.globals.entry(sequence[GLOBALS]).or_insert_with(|| global_part(code, machine, store, symmetry)),
            ),
        };
        let memory = match symmetry.objects.is_empty() && symmetry.sites.is_empty() {
            true => sequence[MEMORY],
            false => *self
                .memory
                .entry(sequence[MEMORY])
                .or_insert_with(|| store.memory_without(sequence[MEMORY], &symmetry.objects, &symmetry.sites)),
        };
        let locks = self.locks.entry(sequence[LOCKS]).or_insert_with(|| lock_part(&machine.locks, store));
        let marks = &mut self.marked;
        marks.clear();
        marks.extend(&locks.marks);
        marks.extend(awaited.iter().map(|thread| (*thread, AWAITED)));
        let form = &mut self.form;
        form.clear();
        form.extend([RENAMED, count as u32, globals.map_or(sequence[GLOBALS], |g| g.number), memory, locks.number]);
        form.push(match machine.atomic {
            Some(0) | None => sequence[ATOMIC],
            Some(thread) => {
                marks.push((thread, IN_BLOCK));
                u32::MAX - machine.atomic_depth
            }
        });
        form.push(first.number);
        let of_globals = globals.iter().flat_map(|g| g.values.iter().enumerate());
        let live = of_globals.filter(|(i, _)| first.reads >> i & 1 != 0).map(|(_, value)| value);
        for (place, (any, value)) in first.values.iter().chain(live).enumerate() {
            if !any && *value > 0 && *value < count as u128 {
                marks.push((*value as u32, HELD | place as u32));
                form.push(2);
            } else {
                form.push(u32::from(*any));
                form.extend((0..4).map(|i| (value >> (32 * i)) as u32));
            }
        }
        marks.sort_by_key(|mark| mark.0);
        self.threads.clear();
        self.threads.extend(sequence[THREADS + 1..].iter().map(|number| (*number, 0)));
        let mut words = Vec::new();
        for of_thread in marks.chunk_by(|a, b| a.0 == b.0) {
            words.clear();
            words.extend(of_thread.iter().map(|mark| mark.1));
            self.threads[of_thread[0].0 as usize - 1].1 = self.marks.intern(&words).0;
        }
        self.threads.sort_unstable();
        form.extend(self.threads.iter().map(|thread| thread.0));
        if !marks.is_empty() {
            form.extend(self.threads.iter().map(|thread| thread.1));
        }
        self.forms.intern(form).0
    }

    /// A state that is compared with no permutation of it. To wait for threads is not the same as to have joined them.
    fn as_it_is(&mut self, sequence: &[u32], awaited: &[u32]) -> u32 {
        self.form.clear();
        self.form.extend([AS_IT_IS, awaited.len() as u32]);
        self.form.extend_from_slice(awaited);
        self.form.extend_from_slice(sequence);
        self.forms.intern(&self.form).0
    }
}

fn value(slots: &Slots, at: u32, slot: &Slot) -> (bool, u128) {
    (slots.any[at as usize], slots.get(at, slot.sort))
}

/// The first thread without handles, and which handles it may read.
fn first_part(code: &Code, machine: &mut Machine, store: &mut Store, symmetry: &Symmetry) -> Part {
    let number = store.thread_without(code, &machine.threads[0], &symmetry.locals);
    let mut part = Part { number, ..Part::default() };
    if machine.threads[0].status != Status::Running {
        return part;
    }
    // After a loop whose condition does not hold any more, nothing is read in the loop.
    let ahead = possible_edges(code, machine, 0);
    let thread = &machine.threads[0];
    for frame in &thread.frames {
        let at = live_at(code, frame);
        part.reads |= match &ahead {
            Some(edges) if frame.call == NO_CALL => {
                edges.iter().fold(0, |reads, e| reads | symmetry.reads_on[*e as usize])
            }
            _ => symmetry.reads[at as usize],
        };
        for_each_live(code, frame, |slot| {
            if symmetry.locals.contains(&(at, slot.var)) {
                part.values.push(value(&thread.slots, frame.base + slot.index, slot));
            }
        });
    }
    part
}

fn global_part(code: &Code, machine: &Machine, store: &mut Store, symmetry: &Symmetry) -> Part {
    let mut part = Part { number: store.globals_without(code, machine, &symmetry.globals), ..Part::default() };
    // In the order of `Symmetry::globals`.
    for var in &symmetry.globals {
        if let Some(global) = code.globals.iter().find(|global| global.var == *var) {
            let slots = &machine.globals;
            part.values.push((slots.any[global.slot as usize], slots.get(global.slot, global.sort)));
        }
    }
    part
}

fn lock_part(locks: &Locks, store: &mut Store) -> Part {
    let mut part = Part::default();
    let mut words = Vec::new();
    for (place, (address, lock)) in (0..).zip(&locks.list) {
        let owner = match lock.owner {
            None => 0,
            Some(0) => 1,
            Some(thread) => {
                part.marks.push((thread, OWNS | place));
                2
            }
        };
        let mut own = 0;
        for (thread, times) in &lock.readers {
            match thread {
                0 => own = *times,
                // As often as it reads.
                _ => part.marks.extend((0..*times).map(|_| (*thread, READS | place))),
            }
        }
        words.extend([*address as u32, (*address >> 32) as u32, lock.kind.into(), owner, lock.depth, own]);
    }
    part.number = store.put_locks_as(&words);
    part
}
