//! Memory objects and their addresses.
//!
//! An object of `Alloc` gets the lowest free place in a region that belongs to the allocating thread and to the size, so that
//! threads do not disturb each other's addresses and equal situations get equal addresses however they came
//! about. Region and place follow from the address by shifts. Regions are far apart with 64-bit pointers; with 32-bit
//! pointers they are small, and what does not fit goes to a common area at the top.
//!
//! This is the reference; raddle-ir's `allocation.rs` is the layout of engines whose objects keep their addresses. The tests compare what a program can see of
//! either.

use raddle_ir::{ObjectInit, ObjectKind, Program};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectClass {
    Static,
    Heap,
    Stack,
    /// On the heap, of the library's own.
    Library,
    /// It was freed, and its place is not given out again (`Memory::keeps_places`). It has no bytes.
    Freed,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemObject {
    pub address: u64,
    pub bytes: Vec<u8>,
    /// One bit for each byte that is undetermined (may be empty if none is), and how many are.
    pub any: Vec<u64>,
    pub any_left: u64,
    pub class: ObjectClass,
    pub writable: bool,
    /// The thread that allocated it, and the label that did.
    pub owner: u32,
    pub site: u32,
}

/// Larger objects are refused.
pub const LARGEST_OBJECT: u64 = 1 << 30;

impl MemObject {
    /// Which of some bytes (16 at most) are undetermined, as bits.
    pub fn any_mask(&self, offset: usize, bytes: usize) -> u16 {
        if self.any_left == 0 || bytes == 0 {
            return 0;
        }
        let (word, bit) = (offset / 64, offset % 64);
        let mut mask = self.any[word] >> bit;
        if bit + bytes > 64 {
            mask |= self.any[word + 1] << (64 - bit);
        }
        mask as u16 & (u16::MAX >> (16 - bytes))
    }

    pub fn is_any(&self, offset: usize) -> bool {
        self.any_mask(offset, 1) != 0
    }

    pub fn set_any(&mut self, offset: usize, any: bool) {
        if self.is_any(offset) == any {
            return;
        }
        if self.any.is_empty() {
            self.any = vec![0; self.bytes.len().div_ceil(64)];
        }
        self.any[offset / 64] ^= 1 << (offset % 64);
        self.any_left = if any { self.any_left + 1 } else { self.any_left - 1 };
    }

    /// An object that nothing of is determined.
    pub fn make_any(&mut self) {
        let size = self.bytes.len();
        self.any = vec![u64::MAX; size.div_ceil(64)];
        if !size.is_multiple_of(64)
            && let Some(last) = self.any.last_mut()
        {
            *last = (1 << (size % 64)) - 1;
        }
        self.any_left = size as u64;
    }

    /// The little-endian number in some bytes (16 at most).
    pub fn read(&self, offset: usize, bytes: usize) -> u128 {
        let from = &self.bytes[offset..offset + bytes];
        match from {
            [a] => (*a).into(),
            [a, b] => u16::from_le_bytes([*a, *b]).into(),
            [a, b, c, d] => u32::from_le_bytes([*a, *b, *c, *d]).into(),
            [a, b, c, d, e, f, g, h] => u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]).into(),
            _ => {
                let mut all = [0; 16];
                all[..bytes].copy_from_slice(from);
                u128::from_le_bytes(all)
            }
        }
    }

    /// The same for 8 bytes at most.
    #[inline]
    pub fn read_narrow(&self, offset: usize, bytes: usize) -> u64 {
        match &self.bytes[offset..offset + bytes] {
            [a] => (*a).into(),
            [a, b] => u16::from_le_bytes([*a, *b]).into(),
            [a, b, c, d] => u32::from_le_bytes([*a, *b, *c, *d]).into(),
            [a, b, c, d, e, f, g, h] => u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]),
            _ => self.read(offset, bytes) as u64,
        }
    }

    #[inline]
    pub fn write_narrow(&mut self, offset: usize, bytes: usize, value: u64) {
        self.bytes[offset..offset + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
        if self.any_left != 0 {
            (offset..offset + bytes).for_each(|i| self.set_any(i, false));
        }
    }

    pub fn write(&mut self, offset: usize, bytes: usize, value: u128) {
        self.bytes[offset..offset + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
        if self.any_left != 0 {
            (offset..offset + bytes).for_each(|i| self.set_any(i, false));
        }
    }

    pub fn restore(&mut self, offset: usize, bytes: usize, value: u128, any: u16) {
        self.write(offset, bytes, value);
        if any != 0 {
            (0..bytes).for_each(|i| self.set_any(offset + i, any >> i & 1 != 0));
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Region {
    /// The object at each place, plus 1; 0 where there is none.
    places: Vec<u32>,
    free: BTreeSet<u32>,
}

#[derive(Clone, Debug)]
pub struct Memory {
    /// Static objects by `ObjectId`, then others.
    pub objects: Vec<MemObject>,
    pub statics: u32,
    unused: Vec<u32>,
    regions: FxHashMap<u32, Region>,
    /// Objects in the common area, by address.
    overflow: BTreeMap<u64, u32>,
    layout: Layout,
    /// Freed objects keep their places, so that a pointer to one never leads to another object.
    keeps_places: bool,
    /// Has the common area been used? Addresses there depend on the order in which threads allocate.
    pub overflowed: bool,
}

#[derive(Clone, Copy, Debug)]
struct Layout {
    base: u64,
    wide: bool,
    /// The number of bytes of a region, as a power of two.
    region_log: u32,
    /// Size classes for each thread.
    classes: u32,
    regions: u32,
    top: u64,
}

const SMALLEST_LOG: u32 = 6;

impl Layout {
    fn new(pointer_bits: u8, dynamic_base: u64) -> Layout {
        let base = dynamic_base.max(64).saturating_add(63) & !63;
        if pointer_bits > 32 {
            Layout { base, wide: true, region_log: 36, classes: 31, regions: u32::MAX >> 8, top: u64::MAX }
        } else {
            let top = 1u64 << 32;
            let regions = (top.saturating_sub(base) / 2) >> 22;
            Layout { base, wide: false, region_log: 22, classes: 8, regions: regions as u32, top }
        }
    }

    /// The class of a size and the distance of its objects (as a power of two).
    fn class(self, size: u64) -> (u32, u32) {
        let log_up = |x: u64| 64 - (x - 1).leading_zeros();
        if self.wide {
            let log = log_up(2 * size + 64).max(SMALLEST_LOG);
            (log - SMALLEST_LOG, log)
        } else {
            let log = log_up(size + 40).max(SMALLEST_LOG).next_multiple_of(2);
            ((log - SMALLEST_LOG) / 2, log)
        }
    }

    fn log_of_class(self, class: u32) -> u32 {
        SMALLEST_LOG + if self.wide { class } else { 2 * class }
    }
}

impl Memory {
    pub fn new(program: &Program) -> Memory {
        let objects: Vec<MemObject> = program
            .objects
            .iter()
            .map(|object| {
                let mut result = MemObject {
                    address: object.address,
                    bytes: Vec::new(),
                    any: Vec::new(),
                    any_left: 0,
                    class: ObjectClass::Static,
                    writable: false,
                    owner: 0,
                    site: 0,
                };
                if let ObjectKind::Data { init, writable } = &object.kind {
                    result.writable = *writable;
                    result.bytes = vec![0; object.size as usize];
                    match init {
                        ObjectInit::Any => result.make_any(),
                        ObjectInit::Bytes { bytes, .. } => {
                            let n = bytes.len().min(result.bytes.len());
                            result.bytes[..n].copy_from_slice(&bytes[..n]);
                        }
                    }
                }
                result
            })
            .collect();
        let layout = Layout::new(program.pointer_bits, program.dynamic_base);
        Memory {
            statics: objects.len() as u32,
            objects,
            unused: Vec::new(),
            regions: FxHashMap::default(),
            overflow: BTreeMap::new(),
            layout,
            keeps_places: program.asks_for_lives(),
            overflowed: false,
        }
    }

    /// The dynamic object that holds `bytes` bytes from an address on, and where in it they begin.
    pub fn find_dynamic(&self, address: u64, bytes: u64) -> Option<(u32, u64)> {
        let object = self.near(address)?;
        let offset = address.checked_sub(self.objects[object as usize].address)?;
        let size = self.objects[object as usize].bytes.len() as u64;
        (offset.checked_add(bytes)? <= size).then_some((object, offset))
    }

    /// Is it an address that allocated objects have? Those of static objects are lower.
    pub fn is_dynamic(&self, address: u64) -> bool {
        address >= self.layout.base
    }

    /// The object that begins at an address.
    pub fn starting_at(&self, address: u64) -> Option<u32> {
        self.near(address).filter(|o| self.objects[*o as usize].address == address)
    }

    /// The only dynamic object that an address may be in.
    fn near(&self, address: u64) -> Option<u32> {
        let distance = address.checked_sub(self.layout.base)?;
        let region = distance >> self.layout.region_log;
        if region >= self.layout.regions.into() {
            return self.overflow.range(..=address).next_back().map(|(_, object)| *object);
        }
        let region = region as u32;
        let log = self.layout.log_of_class(region % self.layout.classes);
        let place = (distance & ((1 << self.layout.region_log) - 1)) >> log;
        let object = *self.regions.get(&region)?.places.get(place as usize)?;
        object.checked_sub(1)
    }

    /// The thread in whose region an address lies, if it is in one.
    pub fn owner_of_address(&self, address: u64) -> Option<u32> {
        let region = address.checked_sub(self.layout.base)? >> self.layout.region_log;
        (region < self.layout.regions.into()).then_some(region as u32 / self.layout.classes)
    }

    /// The address that the next object of a thread and size gets.
    fn pick_address(&mut self, thread: u32, size: u64) -> Option<u64> {
        let layout = self.layout;
        let (class, log) = layout.class(size);
        let region = u64::from(thread) * u64::from(layout.classes) + u64::from(class);
        if class < layout.classes && region < layout.regions.into() {
            let entry = self.regions.entry(region as u32).or_default();
            let place = entry.free.first().copied().unwrap_or(entry.places.len() as u32);
            if u64::from(place) < 1 << (layout.region_log - log) {
                return Some(layout.base + (region << layout.region_log) + (u64::from(place) << log));
            }
        }
        self.overflowed = true;
        // After the last object there, or in the first gap that is wide enough. It depends on the live objects alone.
        let room = (size + 64).next_multiple_of(64);
        let after = |(address, object): (&u64, &u32)| {
            (address + self.objects[*object as usize].bytes.len() as u64 + 64).next_multiple_of(64)
        };
        let first = layout.base + (u64::from(layout.regions) << layout.region_log);
        let last = self.overflow.last_key_value().map_or(first, after);
        if last.checked_add(room)? <= layout.top {
            return Some(last);
        }
        let mut start = first;
        for entry in &self.overflow {
            if start + room <= *entry.0 {
                return Some(start);
            }
            start = after(entry);
        }
        None
    }

    /// A new object of a thread; `None`: no address is left. Its address is in the object.
    pub fn allocate(&mut self, thread: u32, size: u64, zeroed: bool, class: ObjectClass, site: u32) -> Option<u32> {
        let address = self.pick_address(thread, size)?;
        let bytes = vec![0; size as usize];
        let (any, any_left) = (Vec::new(), 0);
        let mut object = MemObject { address, bytes, any, any_left, class, writable: true, owner: thread, site };
        if !zeroed {
            object.make_any();
        }
        Some(self.insert(object))
    }

    /// Puts an object where its address says (a place that is free).
    pub fn insert(&mut self, object: MemObject) -> u32 {
        let address = object.address;
        let id = match self.unused.pop() {
            Some(id) => {
                self.objects[id as usize] = object;
                id
            }
            None => {
                self.objects.push(object);
                self.objects.len() as u32 - 1
            }
        };
        let distance = address - self.layout.base;
        let region = distance >> self.layout.region_log;
        if region < self.layout.regions.into() {
            let log = self.layout.log_of_class(region as u32 % self.layout.classes);
            let place = ((distance & ((1 << self.layout.region_log) - 1)) >> log) as u32;
            let entry = self.regions.entry(region as u32).or_default();
            while entry.places.len() as u32 <= place {
                entry.free.insert(entry.places.len() as u32);
                entry.places.push(0);
            }
            entry.free.remove(&place);
            entry.places[place as usize] = id + 1;
        } else {
            self.overflow.insert(address, id);
        }
        id
    }

    /// Ends the life of a dynamic object; its place is free, unless freed objects keep theirs.
    pub fn end(&mut self, id: u32) -> MemObject {
        if !self.keeps_places {
            return self.remove(id);
        }
        let object = &mut self.objects[id as usize];
        let MemObject { address, owner, site, .. } = *object;
        let (bytes, any, any_left, writable) = (Vec::new(), Vec::new(), 0, false);
        let gone = MemObject { address, bytes, any, any_left, class: ObjectClass::Freed, writable, owner, site };
        std::mem::replace(object, gone)
    }

    /// Takes the end of an object's life back.
    pub fn revive(&mut self, object: MemObject) {
        match self.starting_at(object.address).filter(|_| self.keeps_places) {
            Some(id) => self.objects[id as usize] = object,
            None => {
                self.insert(object);
            }
        }
    }

    /// Takes a dynamic object away.
    pub fn remove(&mut self, id: u32) -> MemObject {
        let gone = MemObject {
            address: 0,
            bytes: Vec::new(),
            any: Vec::new(),
            any_left: 0,
            class: ObjectClass::Heap,
            writable: false,
            owner: 0,
            site: 0,
        };
        let object = std::mem::replace(&mut self.objects[id as usize], gone);
        self.unused.push(id);
        let distance = object.address - self.layout.base;
        let region = distance >> self.layout.region_log;
        if region < self.layout.regions.into() {
            let log = self.layout.log_of_class(region as u32 % self.layout.classes);
            let place = ((distance & ((1 << self.layout.region_log) - 1)) >> log) as u32;
            if let Some(entry) = self.regions.get_mut(&(region as u32)) {
                entry.places[place as usize] = 0;
                entry.free.insert(place);
            }
        } else {
            self.overflow.remove(&object.address);
        }
        object
    }

    /// The dynamic objects that live, in no particular order.
    pub fn dynamics(&self) -> impl Iterator<Item = u32> {
        let places = self.regions.values().flat_map(|r| r.places.iter().filter(|p| **p != 0).map(|p| *p - 1));
        places.chain(self.overflow.values().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::allocation::{self, ALIGNMENT, Regions};

    fn program(pointer_bits: u8) -> Program {
        Program {
            pointer_bits,
            files: vec![],
            pool: raddle_ir::ExprPool::new(),
            vars: vec![],
            objects: vec![],
            procs: vec![],
            entry: raddle_ir::ProcId(0),
            dynamic_base: 0x1000_0000,
            gaps: Vec::new(),
            callers: Vec::new(),
        }
    }

    fn memory(pointer_bits: u8) -> Memory {
        Memory::new(&program(pointer_bits))
    }

    /// The first object of a program, the alignment of all, their gaps and the largest size are as the other engines have them.
    #[test]
    fn a_program_sees_the_same_layout_in_all_engines() {
        assert_eq!(LARGEST_OBJECT, allocation::LARGEST_OBJECT);
        for bits in [32, 64] {
            let mut m = memory(bits);
            assert_eq!(m.layout.base, Regions::new(&program(bits), 64).base);
            // Many enough to fill regions of 32 bits.
            for i in 0..3000 {
                let size = [0, 1, 8, 40, 64, 100, 4000, 40_000][i % 8];
                let Some(id) = m.allocate(i as u32 % 3, size, i % 2 == 0, ObjectClass::Heap, 0) else { break };
                let object = &m.objects[id as usize];
                assert_eq!(object.address % ALIGNMENT, 0);
                assert_eq!(object.any_left, if i % 2 == 0 { 0 } else { size });
            }
            let mut all: Vec<(u64, u64)> =
                m.objects.iter().map(|object| (object.address, object.bytes.len() as u64)).collect();
            all.sort_unstable();
            assert!(all.windows(2).all(|pair| pair[0].0 + pair[0].1 < pair[1].0), "objects touch");
        }
    }

    #[test]
    fn addresses_are_aligned_apart_and_reused() {
        for bits in [32, 64] {
            let mut m = memory(bits);
            let mut ids: Vec<u32> = Vec::new();
            for size in [0, 1, 16, 100, 5000, 70_000, 3_000_000, 16, 16] {
                ids.push(m.allocate(1, size, true, ObjectClass::Heap, 0).unwrap());
            }
            for (i, id) in ids.iter().enumerate() {
                let (address, size) = (m.objects[*id as usize].address, m.objects[*id as usize].bytes.len() as u64);
                assert_eq!(address % 16, 0);
                assert!(address >= 0x1000_0000 && (bits == 64 || address + size < 1 << 32));
                assert_eq!(m.find_dynamic(address, size), Some((*id, 0)));
                assert_eq!(m.find_dynamic(address + size, 1), None);
                for other in &ids[..i] {
                    let other = &m.objects[*other as usize];
                    let (low, high) = if other.address < address {
                        (other.address + other.bytes.len() as u64, address)
                    } else {
                        (address + size, other.address)
                    };
                    assert!(high - low >= 32, "{low:x} {high:x}");
                }
            }
            let address = m.objects[ids[2] as usize].address;
            m.remove(ids[2]);
            assert_eq!(m.starting_at(address), None);
            let again = m.allocate(1, 16, true, ObjectClass::Heap, 0).unwrap();
            assert_eq!(m.objects[again as usize].address, address);
        }
    }
}
