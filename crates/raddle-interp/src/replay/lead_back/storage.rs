//! What holds undetermined values, in terms of the lowered Program, and how the values travel from there.

use super::chains::Chains;
use crate::machine::code::{Code, var_of};
use crate::machine::oracle::{Ask, Asked, Held, Kept};
use crate::machine::state::Machine;
use crate::machine::step::find;
use crate::machine::store_buffers::PendingPlace;
use raddle_ir::{Holder, Label, Part, Program, Site, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What holds a value, told in terms of the lowered Program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    Var(VarId),
    /// A thread-local variable of a thread.
    Own(u32, VarId),
    Object(u32),
    /// The object that a thread made at an `Alloc` (calls and label), the how manyth time.
    Made {
        thread: u32,
        calls: u32,
        label: u32,
        count: u32,
    },
}

pub type Stored = (Storage, u64);

/// Objects by the `Alloc` that made them.
#[derive(Default)]
pub struct Made {
    pub by_address: FxHashMap<u64, Storage>,
    pub addresses: FxHashMap<Storage, u64>,
    pub counts: FxHashMap<(u32, u32, u32), u32>,
}

impl Made {
    /// Notes what a label has made, if it is an `Alloc`.
    pub fn note(
        &mut self,
        chains: &mut Chains,
        code: &Code,
        machine: &Machine,
        thread: u32,
        label: &Label,
    ) -> Option<u64> {
        let Label::Alloc { var, site, .. } = label else { return None };
        let address = local(code, machine, thread, *var)? as u64;
        let site = site.0?;
        let (calls, label) = (chains.around(code, machine, thread, site), site.label);
        let count = self.counts.entry((thread, calls, label)).or_insert(0);
        let storage = Storage::Made { thread, calls, label, count: *count };
        self.by_address.insert(address, storage);
        self.addresses.insert(storage, address);
        *count += 1;
        Some(address)
    }

    pub fn of_holder(chains: &mut Chains, program: &Program, holder: Holder) -> Storage {
        match holder {
            Holder::Var(var) => Storage::Var(var),
            Holder::Object(object) => Storage::Object(object.0),
            // It runs at most once, in the first thread.
            Holder::Alloc(Site { label, within }) => {
                Storage::Made { thread: 0, calls: chains.of_caller(program, within), label, count: 0 }
            }
        }
    }

    pub fn of_part(chains: &mut Chains, program: &Program, part: Part) -> Stored {
        (Made::of_holder(chains, program, part.holder), part.offset)
    }

    pub fn of_var(chains: &mut Chains, program: &Program, thread: u32, var: VarId) -> Option<Stored> {
        let stored = Made::of_part(chains, program, program.var(var).origin.0?);
        Some(match (&program.var(var).kind, stored) {
            (raddle_ir::VarKind::ThreadLocal(_), (Storage::Var(var), offset)) => (Storage::Own(thread, var), offset),
            _ => stored,
        })
    }

    pub fn of_address(&self, chains: &mut Chains, code: &Code, machine: &Machine, address: u64) -> Option<Stored> {
        let (object, offset) = find(code, machine, address, 1)?;
        match code.program.objects.get(object as usize) {
            Some(of) => Some((Made::of_holder(chains, code.program, of.origin.0?), offset)),
            None => Some((*self.by_address.get(&machine.memory.objects[object as usize].address)?, offset)),
        }
    }

    pub fn of_place(
        &self,
        chains: &mut Chains,
        (code, machine, thread): (&Code, &Machine, u32),
        place: PendingPlace,
    ) -> Option<Stored> {
        match place {
            PendingPlace::Global(slot) => {
                let var = var_of(&code.globals, slot)?;
                Made::of_var(chains, code.program, thread, var)
            }
            PendingPlace::Bytes { address, .. } => self.of_address(chains, code, machine, address),
        }
    }
}

/// A local of the top frame, if it has a value.
pub fn local(code: &Code, machine: &Machine, thread: u32, var: VarId) -> Option<u128> {
    let proc = &code.program.procs[machine.top(thread).proc as usize];
    let slot = code.procs[machine.top(thread).proc as usize].slots[proc.locals.iter().position(|l| *l == var)?];
    let at = machine.position(thread, slot.index);
    let is_any = machine.threads[thread as usize].slots.any[at as usize];
    (!is_any).then(|| machine.local(thread, slot.index, slot.sort))
}

/// All that was undetermined.
#[derive(Default)]
pub struct Values {
    /// What havocs gave, as far as somebody looked.
    pub havocs: Vec<Option<u128>>,
    /// Bytes that were there at first.
    pub initial: FxHashMap<Stored, u8>,
    /// Objects that are static in the prepared Program only, by their addresses there: size, and what they are.
    pub moved: BTreeMap<u64, (u64, Storage)>,
}

impl Values {
    pub fn put(&mut self, (storage, offset): Stored, bytes: u64, value: u128) {
        for i in 0..bytes.min(16) {
            self.initial.insert((storage, offset + i), (value >> (8 * i)) as u8);
        }
    }

    pub fn get(&self, (storage, offset): Stored, bytes: u64) -> Option<u128> {
        let byte = |i: u64| self.initial.get(&(storage, offset + i)).copied();
        let known = (0..bytes.min(16)).any(|i| byte(i).is_some());
        known.then(|| (0..bytes.min(16)).map(|i| u128::from(byte(i).unwrap_or(0)) << (8 * i)).sum())
    }
}

/// Where an undetermined value is, while it has no value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum At {
    /// A position in the slots of a thread.
    Slot(u32, u32),
    Global(VarId),
    Own(u32, VarId),
    Memory(u64),
}

/// What an undetermined value comes from.
#[derive(Clone, Copy)]
pub enum Came {
    /// A havoc of the first run, by its number.
    Havoc(usize),
    /// A local of a thread that nobody assigned.
    Local(u32, VarId),
}

/// What the undetermined values come from that are not where they were at first.
#[derive(Clone, Default)]
pub struct Travels(pub FxHashMap<At, Came>);

impl Travels {
    pub fn of(&mut self, from: Held) -> Came {
        self.0.remove(&At::Slot(from.thread, from.index)).unwrap_or(Came::Local(from.thread, from.var))
    }

    pub fn moved(&mut self, from: Held, to: (u32, u32)) {
        let came = self.of(from);
        self.0.insert(At::Slot(to.0, to.1), came);
    }

    pub fn stored(&mut self, code: &Code, from: Held, to: Kept) {
        let to = match to {
            Kept::Global(slot) => var_of(&code.globals, slot).map(At::Global),
            Kept::Own(slot) => var_of(&code.owns, slot).map(|var| At::Own(from.thread, var)),
            Kept::Memory { address, .. } => Some(At::Memory(address)),
        };
        let came = self.of(from);
        if let Some(to) = to {
            self.0.insert(to, came);
        }
    }

    /// What something that gets a value comes from, if it is not where it was at first.
    pub fn asked(&mut self, code: &Code, ask: &Ask) -> Option<Came> {
        let at = match (ask.asked, ask.var) {
            (Asked::Local { index }, _) => At::Slot(ask.thread, index),
            (Asked::Memory { address, .. }, _) => At::Memory(address),
            (Asked::Shared, Some(var)) => match code.program.var(var).kind {
                raddle_ir::VarKind::ThreadLocal(_) => At::Own(ask.thread, var),
                _ => At::Global(var),
            },
            (Asked::Shared, None) => return None,
        };
        self.0.remove(&at)
    }

    pub fn entered(&mut self, thread: u32, base: u32) {
        self.0.retain(|at, _| !matches!(at, At::Slot(t, index) if *t == thread && *index >= base));
    }

    /// An address is given out again: what was there before is gone.
    pub fn made(&mut self, machine: &Machine, address: u64) {
        let end = address + object_size(machine, address);
        self.0.retain(|at, _| !matches!(at, At::Memory(of) if (address..end).contains(of)));
    }
}

pub fn object_size(machine: &Machine, address: u64) -> u64 {
    machine.memory.starting_at(address).map_or(0, |id| machine.memory.objects[id as usize].bytes.len() as u64)
}

/// What `globalize` made static.
pub fn moved_objects(prepared: &Program, chains: &mut Chains) -> BTreeMap<u64, (u64, Storage)> {
    let is_moved = |holder: &Holder| matches!(holder, Holder::Alloc(_));
    let objects = prepared.objects.iter().filter_map(|object| {
        let holder = object.origin.0.filter(is_moved)?;
        Some((object.address, (object.size, Made::of_holder(chains, prepared, holder))))
    });
    objects.collect()
}

pub fn static_objects(chains: &mut Chains, program: &Program) -> BTreeMap<u64, (u64, Storage)> {
    let objects = program.objects.iter().filter_map(|object| {
        let storage = Made::of_holder(chains, program, object.origin.0?);
        Some((object.address, (object.size, storage)))
    });
    objects.collect()
}
