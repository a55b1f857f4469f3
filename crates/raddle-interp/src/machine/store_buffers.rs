//! Store buffers: the stores of a thread that others do not see yet (see `memory_model`).
//!
//! A buffer lists them in program order. Under TSO only the first can be committed; under PSO any one of the first
//! group (see `separate`) that no earlier one overlaps. A load sees memory with the thread's own pending stores applied to it. A pending store has a value: what
//! is undetermined is settled when it enters.
//!
//! When an object's life ends, the pending stores to it go with it: there is no memory left to commit them to, and the next object
//! at the address must not get them.

use crate::machine::code::Code;
use crate::machine::oracle::Oracle;
use crate::machine::state::Machine;
use crate::machine::step::{find, load_memory};
use raddle_ir::MemoryModel;
use raddle_ir::{Label, Order, Sort, eval};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PendingPlace {
    /// A global variable, by slot.
    Global(u32),
    Bytes {
        address: u64,
        bytes: u64,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pending {
    pub place: PendingPlace,
    pub value: u128,
    /// Stores of an earlier group become visible first. Only under PSO there is more than one group.
    pub group: u32,
    /// The edge that stored, for people; `NO_EDGE` once a state was stored and loaded again.
    pub edge: u32,
}

pub const NO_EDGE: u32 = u32::MAX;

impl PendingPlace {
    pub fn overlaps(self, other: PendingPlace) -> bool {
        match (self, other) {
            (PendingPlace::Global(a), PendingPlace::Global(b)) => a == b,
            (PendingPlace::Bytes { address: a, bytes: m }, PendingPlace::Bytes { address: b, bytes: n }) => {
                // Neither range wraps around: both lie in objects.
                a < b + n && b < a + m
            }
            _ => false,
        }
    }
}

impl Pending {
    /// The byte that it puts at an address.
    fn byte(&self, at: u64) -> Option<u8> {
        match self.place {
            PendingPlace::Bytes { address, bytes } if (address..address + bytes).contains(&at) => {
                Some((self.value >> (8 * (at - address))) as u8)
            }
            _ => None,
        }
    }
}

/// Does the store at a label of an edge go to the buffer, rather than straight to memory?
pub fn is_buffered(code: &Code, machine: &Machine, edge: u32, label: u32) -> bool {
    let e = code.edges[edge as usize];
    if machine.atomic.is_some() || e.read_modify_write {
        return false;
    }
    let labels = &code.program.procs[e.proc as usize].edges[e.id.index()].labels;
    !matches!(labels.get((label - e.first) as usize), Some(Label::Store { order: Order::SeqCst, .. }))
}

/// Does a label of an edge wait for an empty buffer?
pub fn waits(code: &Code, edge: u32, label: u32) -> bool {
    let e = code.edges[edge as usize];
    let labels = &code.program.procs[e.proc as usize].edges[e.id.index()].labels;
    labels.get((label - e.first) as usize).is_some_and(|label| code.model.waits(label))
}

/// If a label of an edge separates stores, those that the thread executes from now on are in a group of their own.
pub fn separate(code: &Code, machine: &mut Machine, thread: u32, edge: u32, label: u32) {
    let e = code.edges[edge as usize];
    let labels = &code.program.procs[e.proc as usize].edges[e.id.index()].labels;
    let of_thread = &machine.threads[thread as usize];
    let open = of_thread.pending.last().is_some_and(|last| last.group == of_thread.group);
    if open && labels.get((label - e.first) as usize).is_some_and(|label| code.model.separates(label)) {
        machine.set_group(thread, of_thread.group + 1);
    }
}

/// Which pending stores of a thread can be committed now, by position in its buffer.
pub fn committable(machine: &Machine, thread: u32) -> Vec<u32> {
    let pending = &machine.threads[thread as usize].pending;
    let first_of_place = |at: &usize| {
        pending[*at].group == pending[0].group && pending[..*at].iter().all(|p| !p.place.overlaps(pending[*at].place))
    };
    match machine.model {
        MemoryModel::Sc | MemoryModel::Wsc => Vec::new(),
        MemoryModel::Tso => (0..pending.len().min(1) as u32).collect(),
        MemoryModel::Pso => (0..pending.len()).filter(first_of_place).map(|at| at as u32).collect(),
    }
}

/// Makes a pending store visible to all threads.
pub fn commit(code: &Code, machine: &mut Machine, thread: u32, at: u32) {
    let Pending { place, value, .. } = machine.take_pending(thread, at);
    match place {
        PendingPlace::Global(slot) => {
            if let Some(global) = code.globals.iter().find(|g| g.slot == slot) {
                machine.set_global(slot, global.sort, Some(value));
            }
        }
        PendingPlace::Bytes { address, bytes } => {
            if let Some((object, offset)) = find(code, machine, address, bytes) {
                machine.set_bytes(object, offset, bytes, Some(value));
            }
        }
    }
}

/// Commits all pending stores of a thread.
pub fn commit_all(code: &Code, machine: &mut Machine, thread: u32) {
    while !machine.threads[thread as usize].pending.is_empty() {
        commit(code, machine, thread, 0);
    }
}

/// The value that a thread's own pending stores give a global variable.
pub fn pending_global(machine: &Machine, thread: u32, slot: u32) -> Option<u128> {
    let pending = &machine.threads[thread as usize].pending;
    pending.iter().rfind(|p| p.place == PendingPlace::Global(slot)).map(|p| p.value)
}

/// Reads a scalar from memory as a thread with pending stores sees it.
pub fn load_pending<O: Oracle>(
    machine: &mut Machine,
    thread: u32,
    object: u32,
    offset: u64,
    sort: Sort,
    oracle: &mut O,
) -> u128 {
    let bytes = sort.bytes();
    let address = machine.memory.objects[object as usize].address + offset;
    let place = PendingPlace::Bytes { address, bytes };
    if !machine.threads[thread as usize].pending.iter().any(|p| p.place.overlaps(place)) {
        return load_memory(machine, thread, (object, offset), 0, sort, oracle);
    }
    let mut value = 0;
    for i in 0..bytes {
        let pending = &machine.threads[thread as usize].pending;
        let byte = match pending.iter().rev().find_map(|p| p.byte(address + i)) {
            Some(byte) => byte.into(),
            None => load_memory(machine, thread, (object, offset + i), i as u32, Sort::Bits(8), oracle),
        };
        value |= byte << (8 * i);
    }
    value & eval::mask(sort.bits().unwrap_or(1))
}

/// A buffer in an order that does not depend on how stores to different places followed each other where that order
/// means nothing (PSO): each store goes before those with greater places of its group, as far as nothing overlaps.
/// The groups are numbered from 0.
pub fn in_normal_order(model: MemoryModel, pending: &[Pending]) -> Vec<Pending> {
    let mut sorted = pending.to_vec();
    if model == MemoryModel::Pso {
        for end in 1..sorted.len() {
            let mut at = end;
            while at > 0
                && sorted[at].group == sorted[at - 1].group
                && sorted[at].place < sorted[at - 1].place
                && !sorted[at].place.overlaps(sorted[at - 1].place)
            {
                sorted.swap(at, at - 1);
                at -= 1;
            }
        }
        let (mut group, mut number) = (sorted.first().map_or(0, |p| p.group), 0);
        for pending in &mut sorted {
            number += u32::from(pending.group != group);
            group = std::mem::replace(&mut pending.group, number);
        }
    }
    sorted
}
