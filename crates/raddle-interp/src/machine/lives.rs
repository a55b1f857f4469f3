//! Which objects live, as a Program asks: may an address be used in some way, and does memory leak if the program ends now?
//!
//! Memory is lost if no pointer leads to it. What counts as a pointer is any number as wide as one, in a variable or at any place in memory, that is an address in an object or right behind it.
//! So less is lost than people would say, never more: variables of blocks that have ended still count. Temporaries of lowering do not.

use crate::machine::code::Code;
use crate::machine::memory::ObjectClass;
use crate::machine::state::{Machine, Status};
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
    if leak == Leak::Lost && !heap.is_empty() {
        let kept = reachable(code, machine);
        heap.retain(|object| !kept.contains(object));
    }
    heap.into_iter().min_by_key(|object| machine.memory.objects[*object as usize].address)
}

/// The dynamic objects that pointers lead to.
fn reachable(code: &Code, machine: &Machine) -> FxHashSet<u32> {
    let mut kept = FxHashSet::default();
    let mut open: Vec<u32> = Vec::new();
    let mut found = |word: u64, open: &mut Vec<u32>| {
        // Right behind its end, an address is in no object.
        let object = machine.memory.find_dynamic(word, 0);
        if let Some((object, _)) = object
            && kept.insert(object)
        {
            open.push(object);
        }
    };
    machine.globals.words.iter().for_each(|word| found(*word, &mut open));
    for thread in machine.threads.iter().filter(|thread| thread.status != Status::Ended) {
        thread.own.words.iter().for_each(|word| found(*word, &mut open));
        for frame in &thread.frames {
            for slot in &code.procs[frame.proc as usize].slots {
                let is_wide = matches!(slot.sort, Sort::Bits(bits) if bits >= code.program.pointer_bits);
                if is_wide && code.program.var(slot.var).name != TEMPORARY {
                    found(thread.slots.words[(frame.base + slot.index) as usize], &mut open);
                }
            }
        }
    }
    for thread in &machine.threads {
        found(thread.result as u64, &mut open);
        for pending in &thread.pending {
            found(pending.value as u64, &mut open);
        }
    }
    let is_root = |class| matches!(class, ObjectClass::Static | ObjectClass::Stack | ObjectClass::Library);
    let roots = (0..machine.memory.statics).chain(machine.memory.dynamics());
    let roots = roots.filter(|object| is_root(machine.memory.objects[*object as usize].class));
    for object in roots {
        words(code, machine, object, |word| found(word, &mut open));
    }
    while let Some(object) = open.pop() {
        words(code, machine, object, |word| found(word, &mut open));
    }
    kept
}

/// The numbers at all places of an object.
fn words(code: &Code, machine: &Machine, object: u32, mut f: impl FnMut(u64)) {
    let object = &machine.memory.objects[object as usize];
    let width = usize::from(code.program.pointer_bits / 8);
    for offset in 0..(object.bytes.len() + 1).saturating_sub(width) {
        f(object.read_narrow(offset, width));
    }
}
