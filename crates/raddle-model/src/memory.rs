//! Memory that is not resolved into variables: one array for each alias class (DESIGN, section 3, third tier).
//!
//! Points-to analysis tells which objects an access may touch; objects that one access may touch are in one class (`classes.rs`). A class
//! is an array that is indexed by the address itself. If no two accesses of a class can overlap without being at the same address with the same
//! width, an element is what an access touches, kept in as many bits as the widest one has; otherwise it is a byte. A load or store
//! begins with the assumption that its address lies in an object that it may point to: the path ends if it does not. Where a stray pointer (raddle-analysis, `stray.rs`)
//! is followed, there is another action, by which it goes elsewhere (`model.rs`).
//!
//! An object of `Alloc` lies behind the last one of its thread (raddle-ir, `allocation.rs`). Addresses are never used again, which has two consequences: a freed object
//! just stays (using it ends the path, so that behaviour is only added), and a new object holds what memory held from the beginning. So zeroed
//! objects live in regions of their own, where memory holds zeros at first, however large they are. What does not fit into its region any more
//! (with 32 bits these are small) lies anywhere in one that all threads share, so that it need not share its place with another object, but may.
//!
//! What memory holds at first is stated on demand, for the places that a formula reads (`initial.rs`).

mod classes;
mod contents;
mod initial;

use crate::instances::{Origin, Vars};
use crate::statements::Statement;
use crate::{number, resized};
use raddle_analysis::alignment::Cut;
use raddle_analysis::{NULL_ENDS, reached};
use raddle_ir::allocation::{
    ALIGNMENT, LARGEST_OBJECT, LARGEST_OBJECT_32, LARGEST_OBJECT_64, REGIONS_END_32, REGIONS_END_64, Regions, room,
};
use raddle_ir::{
    BinOp, Const, EdgeId, ExprId, ExprPool, Label, ObjectId, ObjectInit, ObjectKind, Place, ProcId, Program, Sort,
    UnOp, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// What an access may touch: places in static objects, and objects of `Alloc`.
#[derive(Clone, Default, Debug)]
struct Targets {
    /// Positions in `Memory::objects`.
    statics: Vec<usize>,
    is_dynamic: bool,
}

/// The accesses at one address expression.
#[derive(Clone, Debug, Default)]
struct Access {
    /// `None` if no object can be there.
    class: Option<u32>,
    loads: Targets,
    stores: Targets,
    /// May the pointer come from outside?
    is_stray: bool,
    /// All values of the address have this residue modulo that power of two.
    modulus: u128,
    residue: u128,
}

#[derive(Clone, Debug)]
struct Class {
    var: VarId,
    /// How many bits an element has.
    element: u8,
    /// Is each element one byte of what is accessed?
    is_bytes: bool,
    /// How accesses cut it.
    cuts: Vec<Cut>,
    /// The static objects in it.
    statics: Vec<usize>,
    /// Is there something that may hold anything at first?
    has_any: bool,
}

/// A static object with bytes.
#[derive(Clone, Debug)]
struct Static {
    id: ObjectId,
    address: u64,
    size: u64,
    /// `None`: any.
    init: Option<Vec<u8>>,
    is_writable: bool,
    /// May a store go there?
    is_written: bool,
}

#[derive(Default)]
pub struct Memory {
    pointer_bits: u8,
    /// Where objects of `Alloc` lie: each thread has one region for objects of any bytes, and one for zeroed ones.
    regions: Regions,
    /// Behind these regions: where objects lie for which there was no room.
    elsewhere: Elsewhere,
    /// Allocations that fit into half of their thread's region in any case.
    fitting: FxHashSet<(ProcId, EdgeId)>,
    accesses: FxHashMap<ExprId, Access>,
    classes: Vec<Class>,
    /// By address.
    objects: Vec<Static>,
    /// What arrays are known to hold.
    contents: contents::Contents,
}

/// More static objects than these are taken as one range, with the gaps between them.
const MOST_RANGES: usize = 8;
/// A load from objects that never change is a choice among constants if it has no more places than these.
const MOST_PLACES: usize = 64;
/// Where objects begin that do not fit into the region of their thread; zeroed ones lie behind the others.
#[derive(Clone, Copy, Default)]
struct Elsewhere {
    start: u64,
    /// An object begins in the first half, so that it ends within.
    size: u64,
}

const ELSEWHERE_32: Elsewhere = Elsewhere { start: REGIONS_END_32, size: 2 * LARGEST_OBJECT_32 };
const ELSEWHERE_64: Elsewhere = Elsewhere { start: REGIONS_END_64, size: 1 << 60 };

/// Allocations that together take at most so much of a thread's region. Those inside of loops are not among them: an execution that frees what it allocates may run through
/// them any number of times, and addresses are never used again. With 64 bits, those of constant size fit as often as any execution can ask for them.
fn fitting(program: &Program, most: u64) -> FxHashSet<(ProcId, EdgeId)> {
    let is_64 = program.pointer_bits > 32;
    let open = if is_64 { u128::from(LARGEST_OBJECT_64) } else { u128::MAX };
    let mut result = FxHashSet::default();
    for (p, proc) in program.procs.iter().enumerate() {
        let outgoing = proc.out_edges();
        let mut all = FxHashSet::default();
        let mut total = 0u128;
        for (e, edge) in proc.edges.iter().enumerate() {
            let size = |label: &Label| match label {
                Label::Alloc { size, .. } => Some(program.pool.as_const(*size).map_or(open, |size| size.bits)),
                _ => None,
            };
            let Some(size) = edge.labels.iter().filter_map(size).reduce(u128::saturating_add) else { continue };
            let taken = size.saturating_add(2 * u128::from(ALIGNMENT) * edge.labels.len() as u128);
            if is_64 && size < open {
                result.insert((ProcId(p as u32), EdgeId(e as u32)));
                continue;
            }
            let is_once = || !reached(proc, &outgoing, edge.target).contains(edge.source.index());
            if taken <= most.into() && is_once() {
                total += taken;
                all.insert((ProcId(p as u32), EdgeId(e as u32)));
            }
        }
        if total <= most.into() {
            result.extend(all);
        }
    }
    result
}

/// An `Alloc` in a thread.
pub struct Allocation {
    pub slot: u32,
    pub site: (ProcId, EdgeId),
    /// Gets the address.
    pub to: VarId,
    pub size: ExprId,
    pub zeroed: bool,
}

impl Memory {
    pub fn new(program: &Program, vars: &mut Vars) -> Self {
        let is_sequential = !program.starts_threads();
        // Two regions for each of so many threads.
        let (slots, elsewhere) = match (program.pointer_bits, is_sequential) {
            (33.., true) => (1 << 2, ELSEWHERE_64),
            (33.., false) => (1 << 8, ELSEWHERE_64),
            (_, true) => (1, ELSEWHERE_32),
            (_, false) => (1 << 5, ELSEWHERE_32),
        };
        let mut memory = Memory {
            pointer_bits: program.pointer_bits,
            regions: Regions::new(program, 2 * slots),
            elsewhere,
            ..Memory::default()
        };
        for (i, object) in program.objects.iter().enumerate() {
            if let ObjectKind::Data { init, writable } = &object.kind {
                let init = match init {
                    ObjectInit::Any => None,
                    ObjectInit::Bytes { bytes, .. } => Some(bytes.clone()),
                };
                memory.objects.push(Static {
                    id: ObjectId(i as u32),
                    address: object.address,
                    size: object.size,
                    init,
                    is_writable: *writable,
                    is_written: false,
                });
            }
        }
        memory.fitting = fitting(program, memory.regions.size / 2);
        memory.objects.sort_by_key(|object| object.address);
        memory.find_classes(program, vars);
        memory
    }

    /// The value of so many bytes at an address. `address` is the Program's expression, `at` the same as the thread means it.
    pub fn load(
        &mut self,
        pool: &mut ExprPool,
        vars: &Vars,
        address: ExprId,
        at: ExprId,
        sort: Sort,
        out: &mut Vec<Statement>,
    ) -> Result<ExprId, String> {
        let access = self.accesses.get(&address).ok_or("a load from an address that is not known")?;
        let bytes = sort.bytes();
        let valid = self.valid(pool, &access.loads, at, bytes);
        if !pool.is_bool(valid, true) {
            out.push(Statement::Assume(valid));
        }
        let Some(class) = access.class.filter(|_| !pool.is_bool(valid, false)) else {
            return Ok(number(pool, sort, 0));
        };
        let bits = match self.read_table(pool, access, at, bytes) {
            Some(value) => value,
            None => self.read(pool, vars, &self.classes[class as usize], at, bytes),
        };
        Ok(from_bits(pool, bits, sort))
    }

    pub fn store(
        &mut self,
        pool: &mut ExprPool,
        vars: &Vars,
        address: ExprId,
        at: ExprId,
        value: ExprId,
        out: &mut Vec<Statement>,
    ) -> Result<(), String> {
        let access = self.accesses.get(&address).ok_or("a store to an address that is not known")?;
        let sort = pool.sort(value);
        let valid = self.valid(pool, &access.stores, at, sort.bytes());
        if !pool.is_bool(valid, true) {
            out.push(Statement::Assume(valid));
        }
        let Some(class) = access.class.filter(|_| !pool.is_bool(valid, false)) else { return Ok(()) };
        let class = &self.classes[class as usize];
        let bits = to_bits(pool, value).ok_or("a store of an array")?;
        let mut memory = pool.var(class.var, vars.sort(class.var));
        if class.is_bytes {
            for i in 0..sort.bytes() as u8 {
                let place = self.offset(pool, at, i);
                let byte = pool.extract(8 * i + 7, 8 * i, bits);
                memory = pool.store(memory, place, byte);
            }
        } else {
            let element = resized(pool, bits, Sort::Bits(class.element));
            memory = pool.store(memory, at, element);
        }
        out.push(Statement::Assign { var: class.var, value: memory });
        Ok(())
    }

    /// Objects of `Alloc` lie here or above.
    pub fn dynamic_base(&self) -> u64 {
        self.regions.base
    }

    /// May the pointer of a load or store come from outside?
    pub fn is_stray(&self, label: &Label) -> bool {
        match label.place() {
            Some(Place::Memory(address)) => self.accesses.get(&address).is_some_and(|access| access.is_stray),
            _ => false,
        }
    }

    /// Assumes that a load or store of so many bytes through a stray pointer goes to none of its objects, and that the pointer is not null.
    pub fn goes_elsewhere(
        &self,
        pool: &mut ExprPool,
        address: ExprId,
        at: ExprId,
        bytes: u64,
        is_store: bool,
        out: &mut Vec<Statement>,
    ) {
        let Some(access) = self.accesses.get(&address) else { return };
        let valid = self.valid(pool, if is_store { &access.stores } else { &access.loads }, at, bytes);
        let null_ends = pool.bits(self.pointer_bits, NULL_ENDS.into());
        let is_not_null = pool.binary(BinOp::ULe, null_ends, at);
        let invalid = pool.not(valid);
        out.extend([is_not_null, invalid].map(Statement::Assume));
    }

    /// The array that a store at an address changes.
    pub fn array_at(&self, address: ExprId) -> Option<VarId> {
        let class = self.accesses.get(&address)?.class?;
        Some(self.classes[class as usize].var)
    }

    pub fn allocate(
        &mut self,
        pool: &mut ExprPool,
        vars: &mut Vars,
        allocation: Allocation,
        out: &mut Vec<Statement>,
    ) -> Result<(), String> {
        let Allocation { slot, site, to, size, zeroed } = allocation;
        let bits = self.pointer_bits;
        let sort = Sort::Bits(bits);
        let region = 2 * slot + u32::from(zeroed);
        let start = self.regions.start(region.into()).ok_or("allocations by so many threads")?;
        let next = vars.make(Origin::NextAddress(region), sort, Some(Const { sort, bits: start.into() }));
        let distance = self.distance(pool, size)?;
        let here = pool.var(next, sort);
        let behind = pool.binary(BinOp::BvAdd, here, distance);
        let result = vars.sort(to);
        if !self.fitting.contains(&site) {
            let Elsewhere { start: elsewhere, size: most } = self.elsewhere;
            // The second half is for those that fit in any case.
            let middle = pool.bits(bits, u128::from(start + self.regions.size / 2));
            let room = pool.binary(BinOp::BvSub, middle, here);
            let is_before = pool.binary(BinOp::ULe, here, middle);
            let fits = pool.binary(BinOp::ULe, distance, room);
            let fits = pool.and(is_before, fits);
            let elsewhere = pool.bits(bits, u128::from(elsewhere + u64::from(zeroed) * most));
            let within = pool.bits(bits, u128::from(most / 2 - ALIGNMENT));
            let place = vars.make(Origin::Elsewhere(slot), sort, None);
            let any = pool.var(place, sort);
            let there = pool.binary(BinOp::BvAnd, any, within);
            let there = pool.binary(BinOp::BvOr, there, elsewhere);
            out.push(Statement::Havoc { var: place, input: None });
            out.push(Statement::Assign { var: place, value: pool.ite(fits, here, there) });
            out.push(Statement::Assign { var: next, value: pool.ite(fits, behind, here) });
            out.push(Statement::Assign { var: to, value: resized(pool, any, result) });
            return Ok(());
        }
        if pool.vars(distance).contains(&to) {
            // The size must be read before the address is written.
            out.push(Statement::Assign { var: next, value: behind });
            let back = pool.binary(BinOp::BvSub, here, distance);
            out.push(Statement::Assign { var: to, value: resized(pool, back, result) });
        } else {
            out.push(Statement::Assign { var: to, value: resized(pool, here, result) });
            out.push(Statement::Assign { var: next, value: behind });
        }
        Ok(())
    }

    /// From an object of some size to the next. Where there is room enough, a size that is not constant takes as much as any, so that addresses
    /// stay constants.
    fn distance(&self, pool: &mut ExprPool, size: ExprId) -> Result<ExprId, String> {
        let bits = self.pointer_bits;
        if let Some(size) = pool.as_const(size) {
            let most = LARGEST_OBJECT.min(self.elsewhere.size / 2);
            let fitting = u64::try_from(size.bits).ok().filter(|size| *size <= most);
            return match fitting {
                Some(size) => Ok(pool.bits(bits, room(size).into())),
                None => Err("an object of that size".into()),
            };
        }
        if bits > 32 {
            return Ok(pool.bits(bits, room(LARGEST_OBJECT_64).into()));
        }
        let size = resized(pool, size, Sort::Bits(bits));
        let most = u128::from(self.regions.size) / 2;
        // More has no room in the region. This is `room`, of an expression.
        let (limit, whole) = (pool.bits(bits, most), pool.bits(bits, room(self.regions.size).into()));
        let (more, mask) = (pool.bits(bits, (2 * ALIGNMENT - 1).into()), pool.bits(bits, (!(ALIGNMENT - 1)).into()));
        let fits = pool.binary(BinOp::ULe, size, limit);
        let rounded = pool.binary(BinOp::BvAdd, size, more);
        let rounded = pool.binary(BinOp::BvAnd, rounded, mask);
        Ok(pool.ite(fits, rounded, whole))
    }

    fn offset(&self, pool: &mut ExprPool, at: ExprId, by: u8) -> ExprId {
        let by = pool.bits(self.pointer_bits, by.into());
        pool.binary(BinOp::BvAdd, at, by)
    }

    /// Does an access lie in what it may touch? Of objects of `Alloc` only the whole region is known.
    fn valid(&self, pool: &mut ExprPool, targets: &Targets, at: ExprId, bytes: u64) -> ExprId {
        let fits = targets.statics.iter().map(|i| &self.objects[*i]).filter(|object| object.size >= bytes);
        let mut ranges: Vec<(u64, u64)> =
            fits.map(|object| (object.address, object.address + (object.size - bytes))).collect();
        ranges.sort_unstable();
        if ranges.len() > MOST_RANGES {
            ranges = vec![(ranges[0].0, ranges[ranges.len() - 1].1)];
        }
        let mut result = pool.bool(false);
        if targets.is_dynamic {
            let base = pool.bits(self.pointer_bits, self.regions.base.into());
            result = pool.binary(BinOp::ULe, base, at);
        }
        for (low, high) in ranges {
            let span = pool.bits(self.pointer_bits, (high - low).into());
            let low = pool.bits(self.pointer_bits, low.into());
            let is_in = if high == u64::MAX || pool.as_const(span).is_some_and(|span| span.bits == 0) {
                pool.eq(at, low)
            } else {
                let distance = pool.binary(BinOp::BvSub, at, low);
                pool.binary(BinOp::ULe, distance, span)
            };
            result = pool.or(result, is_in);
        }
        result
    }

    /// A load from objects that nothing writes, as a choice among constants.
    fn read_table(&self, pool: &mut ExprPool, access: &Access, at: ExprId, bytes: u64) -> Option<ExprId> {
        let targets = &access.loads;
        if targets.is_dynamic || targets.statics.iter().any(|i| self.objects[*i].is_written) {
            return None;
        }
        let width = Sort::Bits(u8::try_from(8 * bytes).ok()?);
        let constant_at = pool.as_const(at);
        let mut result = None;
        let mut places = 0;
        for i in &targets.statics {
            let object = &self.objects[*i];
            let init = object.init.as_ref()?;
            let Some(last) = object.size.checked_sub(bytes) else { continue };
            let first = match constant_at {
                Some(at) => at.bits.checked_sub(object.address.into()).unwrap_or(u128::MAX),
                None => {
                    (access.residue + access.modulus - u128::from(object.address) % access.modulus) % access.modulus
                }
            };
            let step = if constant_at.is_some() { 1 << 64 } else { access.modulus };
            let mut offset = first;
            while offset <= last.into() {
                places += 1;
                if places > MOST_PLACES {
                    return None;
                }
                let value = number(pool, width, bytes_at(init, offset as u64, bytes));
                result = Some(match result {
                    None => value,
                    Some(others) => {
                        let here = pool.bits(self.pointer_bits, u128::from(object.address) + offset);
                        let is_here = pool.eq(at, here);
                        pool.ite(is_here, value, others)
                    }
                });
                offset += step;
            }
        }
        result
    }

    fn read(&self, pool: &mut ExprPool, vars: &Vars, class: &Class, at: ExprId, bytes: u64) -> ExprId {
        let memory = pool.var(class.var, vars.sort(class.var));
        if !class.is_bytes {
            let element = pool.select(memory, at);
            return resized(pool, element, Sort::Bits((8 * bytes) as u8));
        }
        let mut result = pool.select(memory, at);
        for i in 1..bytes as u8 {
            let place = self.offset(pool, at, i);
            let byte = pool.select(memory, place);
            result = pool.binary(BinOp::Concat, byte, result);
        }
        result
    }
}

/// The little-endian number in some bytes of an object that begins so and goes on with zeros.
fn bytes_at(init: &[u8], offset: u64, bytes: u64) -> u128 {
    let byte = |i: u64| usize::try_from(offset + i).ok().and_then(|at| init.get(at)).copied().unwrap_or(0);
    (0..bytes).fold(0, |bits, i| bits | u128::from(byte(i)) << (8 * i))
}

/// A value as whole bytes.
fn to_bits(pool: &mut ExprPool, value: ExprId) -> Option<ExprId> {
    let whole = (8 * pool.sort(value).bytes()) as u8;
    Some(match pool.sort(value) {
        Sort::Bool => {
            let (one, zero) = (pool.bits(whole, 1), pool.bits(whole, 0));
            pool.ite(value, one, zero)
        }
        Sort::Bits(_) => pool.zero_ext(whole, value),
        Sort::Float(_) => {
            let bits = pool.unary(UnOp::FToBits, value);
            pool.zero_ext(whole, bits)
        }
        Sort::Array { .. } => return None,
    })
}

/// The value of a sort that whole bytes hold: of a Bool only the lowest bit counts.
fn from_bits(pool: &mut ExprPool, bits: ExprId, sort: Sort) -> ExprId {
    match sort {
        Sort::Bool => {
            let (low, one) = (pool.extract(0, 0, bits), pool.bits(1, 1));
            pool.eq(low, one)
        }
        Sort::Float(to) => {
            let bits = resized(pool, bits, Sort::Bits(to.bits()));
            pool.bits_to_f(to, bits)
        }
        other => resized(pool, bits, other),
    }
}
