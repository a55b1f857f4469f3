//! Which objects live, as a Program asks: may an address be used in some way, and does memory leak if the program ends now?
//!
//! Memory is lost if no pointer leads to it. What counts as a pointer is any number as wide as one, in a variable or at any place in memory, that is an address in an object or right behind it.
//! So less is lost than people would say, never more: variables of blocks that have ended still count. Temporaries of lowering
//! count while they are live: the value that a full expression still needs is not lost, what is left in them afterwards is.

use crate::machine::code::{Code, LabelCode};
use crate::machine::expr_code::Slot;
use crate::machine::memory::ObjectClass;
use crate::machine::state::{Frame, Machine, NO_CALL, Status};
use crate::machine::step::find;
use raddle_ir::{Leak, Sort, TEMPORARY, Use};
use rustc_hash::FxHashSet;

/// May an address be used in a way?
pub fn is_valid(code: &Code, machine: &Machine, address: u64, used: Use) -> bool {
    let class_at = || machine.memory.starting_at(address).map(|object| machine.memory.objects[object as usize].class);
    match used {
        Use::Read(bytes) => find(code, machine, address, bytes).is_some(),
        Use::Write(bytes) => {
            find(code, machine, address, bytes).is_some_and(|f| machine.memory.objects[f.0 as usize].writable)
        }
        Use::Free => address == 0 || class_at() == Some(ObjectClass::Heap),
        Use::Call => code.functions.contains_key(&address),
    }
}

/// A heap object that leaks: of several, the one at the lowest address.
pub fn leaking(code: &Code, machine: &Machine, leak: Leak) -> Option<u32> {
    let is_heap = |object: &u32| machine.memory.objects[*object as usize].class == ObjectClass::Heap;
    let mut heap: Vec<u32> = machine.memory.dynamics().filter(is_heap).collect();
    if leak != Leak::Unfreed && !heap.is_empty() {
        let kept = reachable(code, machine, leak == Leak::PerhapsLost);
        heap.retain(|object| !kept.contains(object));
    }
    heap.into_iter().min_by_key(|object| machine.memory.objects[*object as usize].address)
}

/// The dynamic objects that pointers lead to; with `surely`, those that static variables lead to which are as in the lowered Program.
fn reachable(code: &Code, machine: &Machine, surely: bool) -> FxHashSet<u32> {
    let mut reached = Reached { machine, kept: FxHashSet::default(), open: Vec::new() };
    let has_pending = machine.threads.iter().any(|thread| !thread.pending.is_empty());
    if surely && has_pending {
        return reached.kept;
    }
    for global in code.globals.iter().filter(|global| !surely || code.program.var(global.var).is_static_as_lowered()) {
        reached.word(machine.globals.words[global.slot as usize]);
    }
    if !surely {
        automatic(code, &mut reached);
    }
    let is_root = |object: &u32| match machine.memory.objects[*object as usize].class {
        ObjectClass::Static => !surely || code.program.objects[*object as usize].is_static_as_lowered(),
        ObjectClass::Stack => !surely,
        ObjectClass::Library => true,
        ObjectClass::Heap | ObjectClass::Freed => false,
    };
    let roots: Vec<u32> = (0..machine.memory.statics).chain(machine.memory.dynamics()).filter(is_root).collect();
    reached.open.extend(roots);
    let width = usize::from(code.program.pointer_bits / 8);
    while let Some(object) = reached.open.pop() {
        let object = &machine.memory.objects[object as usize];
        for offset in 0..(object.bytes.len() + 1).saturating_sub(width) {
            reached.word(object.read_narrow(offset, width));
        }
    }
    reached.kept
}

/// What is found, and what of it was not looked into yet.
struct Reached<'m> {
    machine: &'m Machine,
    kept: FxHashSet<u32>,
    open: Vec<u32>,
}

impl Reached<'_> {
    /// A number that may be an address in an object, or right behind it.
    fn word(&mut self, word: u64) {
        if let Some((object, _)) = self.machine.memory.find_dynamic(word, 0)
            && self.kept.insert(object)
        {
            self.open.push(object);
        }
    }
}

/// The variables of threads.
fn automatic(code: &Code, reached: &mut Reached) {
    let machine = reached.machine;
    for thread in machine.threads.iter().filter(|thread| thread.status != Status::Ended) {
        thread.own.words.iter().for_each(|word| reached.word(*word));
        for frame in &thread.frames {
            for slot in &code.procs[frame.proc as usize].slots {
                let is_wide = matches!(slot.sort, Sort::Bits(bits) if bits >= code.program.pointer_bits);
                if is_wide && (code.program.var(slot.var).name != TEMPORARY || is_live(code, frame, slot)) {
                    reached.word(thread.slots.words[(frame.base + slot.index) as usize]);
                }
            }
        }
    }
    for thread in &machine.threads {
        reached.word(thread.result as u64);
        thread.pending.iter().for_each(|pending| reached.word(pending.value as u64));
    }
}

/// May the value of a local be read later? In a frame with a call under way: after the call, whose result is not there yet.
fn is_live(code: &Code, frame: &Frame, slot: &Slot) -> bool {
    let locs = &code.procs[frame.proc as usize].locs;
    if frame.call == NO_CALL {
        return locs[frame.loc as usize].live.contains(slot);
    }
    let edge = code.edges[frame.call as usize];
    let to = (edge.first..edge.end).find_map(|label| match code.labels[label as usize] {
        LabelCode::Call(call) => code.calls[call as usize].to,
        _ => None,
    });
    to.is_none_or(|to| to.slot != slot.index) && locs[edge.target as usize].live.contains(slot)
}
