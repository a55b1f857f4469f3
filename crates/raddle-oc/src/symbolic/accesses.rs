//! What a thread does to memory: private cells are values in its state, shared ones are events of its open node.

use crate::symbolic::cells::{Cell, Dynamic, Holder, Piece, initial_bytes, is_writable};
use crate::symbolic::event_graph::ReadEvent;
use crate::symbolic::guard::{Guard, meet};
use crate::symbolic::regions::MOST_CELLS;
use crate::symbolic::values::low_bits;
use crate::symbolic::{Access, Ended, Entry, Executor, Extent, Kept, MOST_TARGETS, Memory, Run, State};
use raddle_analysis::{AbstractObject, NULL_ENDS};
use raddle_ir::{BinOp, ExprId, Place, Sort, VarKind};
use std::rc::Rc;

/// A place that an access may hit, and when it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hit {
    pub cell: Cell,
    /// The bytes of the cell that it touches; all if the cell is not made of bytes.
    pub offset: u64,
    /// Where in a region.
    pub index: Option<ExprId>,
    /// `None`: always.
    pub when: Option<ExprId>,
}

/// All places that an access may hit.
#[derive(Clone, Default, Debug)]
pub(crate) struct Hits {
    pub places: Vec<Hit>,
    /// May it hit none of them? Then a load gives anything, and a store does nothing (raddle-analysis, `stray.rs`).
    pub or_none: bool,
}

impl Executor<'_, '_> {
    /// The places that an access to `len` bytes may hit. The path goes on only where it hits one, or follows a stray pointer that is not null.
    pub(crate) fn hits(
        &mut self,
        thread: u32,
        place: Place,
        address: Option<ExprId>,
        len: u64,
        writes: bool,
        state: &mut State,
    ) -> Run<Hits> {
        let ir_address = match place {
            Place::Var(var) => {
                let cell = match self.fixed.program.var(var).kind {
                    VarKind::ThreadLocal(_) => Cell::Own(thread, var),
                    _ => Cell::Var(var),
                };
                let place = Hit { cell, offset: 0, index: None, when: None };
                return Ok(Hits { places: vec![place], or_none: false });
            }
            Place::Memory(ir_address) => ir_address,
        };
        let Some(address) = address else { return Ok(Hits::default()) };
        let mut hits = Vec::new();
        let (addresses, regions) = self.targets(address, ir_address, len)?;
        let bits = self.fixed.program.pointer_bits;
        let (mut any, mut only_true) = (self.pool.bool(false), false);
        for start in regions {
            let when = self.in_region(start, address);
            let is_writable = match self.fixed.statics.holder(self.knowledge, start, len) {
                Some(Holder::Static(object)) => is_writable(self.fixed.program, object),
                Some(Holder::Dynamic(_)) => true,
                None => false,
            };
            if self.pool.is_bool(when, false) || writes && !is_writable {
                continue;
            }
            only_true |= self.pool.is_bool(when, true);
            any = self.pool.or(any, when);
            let when = (!self.pool.is_bool(when, true)).then_some(when);
            hits.push(self.region_hit(start, address, len, when)?);
        }
        for at in addresses {
            if only_true {
                break;
            }
            match self.fixed.statics.holder(self.knowledge, at, len) {
                None => {
                    // Perhaps an object that this run allocates later.
                    if at >= self.fixed.program.dynamic_base {
                        self.asked_for_objects = true;
                    }
                    continue;
                }
                Some(Holder::Static(object)) if writes && !is_writable(self.fixed.program, object) => continue,
                Some(_) => {}
            }
            let constant = self.pool.bits(bits, at.into());
            let when = self.pool.eq(address, constant);
            if self.pool.is_bool(when, false) {
                continue;
            }
            let piece = match self.is_weak() {
                true => self.knowledge.divide(at, len),
                false => self.knowledge.piece(at, len),
            };
            let (start, piece) = match piece {
                Piece::Within(start, piece) => (start, piece),
                Piece::Joined => return Err(Ended::Again),
                Piece::TooLarge => return self.unsupported("accesses of different widths that overlap"),
            };
            only_true |= self.pool.is_bool(when, true);
            any = self.pool.or(any, when);
            let when = (!self.pool.is_bool(when, true)).then_some(when);
            hits.push(Hit { cell: Cell::Bytes { address: start, len: piece }, offset: at - start, index: None, when });
            if only_true {
                break;
            }
        }
        let or_none = !only_true && self.is_stray(address, ir_address);
        if or_none {
            let null_ends = self.pool.bits(bits, NULL_ENDS.into());
            let is_not_null = self.pool.binary(BinOp::ULe, null_ends, address);
            let none = self.pool.not(any);
            let elsewhere = state.guard.and(self.pool, is_not_null).and(self.pool, none);
            self.graph.strays.push(elsewhere.expr);
            any = self.pool.or(any, is_not_null);
        }
        state.guard = state.guard.and(self.pool, any);
        if let ([hit], false) = (&mut hits[..], or_none) {
            // The path goes on only if this is the place.
            hit.when = None;
        }
        Ok(Hits { places: hits, or_none })
    }

    /// May an address be none that is known?
    fn is_stray(&mut self, address: ExprId, ir_address: ExprId) -> bool {
        self.values.of(self.pool, address, &self.knowledge.values).is_none()
            && self.fixed.points_to.is_stray(ir_address)
    }

    /// The places outside of regions that an access may hit, and the regions.
    fn targets(&mut self, address: ExprId, ir_address: ExprId, len: u64) -> Run<(Vec<u64>, Vec<u64>)> {
        if let Some(values) = self.values.of(self.pool, address, &self.knowledge.values) {
            let (mut outside, mut regions) = (Vec::new(), Vec::new());
            for at in values {
                match self.knowledge.region_at(at) {
                    Some(start) => regions.push(start),
                    None => outside.push(at),
                }
            }
            regions.dedup();
            return Ok((outside, regions));
        }
        let objects = self.objects_of(ir_address);
        let is_region = |this: &Self, start: &u64| this.knowledge.regions.contains_key(start);
        let regions = objects.iter().map(|o| o.0).filter(|start| is_region(self, start)).collect();
        let cells: Vec<(u64, u64)> = objects.into_iter().filter(|o| !is_region(self, &o.0)).collect();
        let addresses = self.addresses_in(address, &cells, len);
        if addresses.len() > MOST_CELLS {
            let may_be = |(start, size): &(u64, u64)| *size > 8 * len && !self.knowledge.not_regions.contains(start);
            let large: Vec<(u64, u64)> = cells.into_iter().filter(may_be).collect();
            if !large.is_empty() {
                return self.make_regions(&large, len);
            }
        }
        if addresses.len() > MOST_TARGETS {
            return self.unsupported(format!(
                "an access through an undetermined address that has more than {MOST_TARGETS} possible targets"
            ));
        }
        Ok((addresses, regions))
    }

    /// The addresses that an expression may be.
    pub(crate) fn addresses(&mut self, address: ExprId, ir_address: ExprId, len: u64) -> Run<Vec<u64>> {
        if let Some(values) = self.values.of(self.pool, address, &self.knowledge.values) {
            return Ok(values.into_iter().collect());
        }
        let objects = self.objects_of(ir_address);
        let result = self.addresses_in(address, &objects, len);
        if result.len() > MOST_TARGETS {
            return self
                .unsupported(format!("an undetermined address that has more than {MOST_TARGETS} possible values"));
        }
        Ok(result)
    }

    /// The addresses in some objects that an expression may be by its low bits; a few too many are cut off.
    fn addresses_in(&self, address: ExprId, objects: &[(u64, u64)], len: u64) -> Vec<u64> {
        let (bits, residue) = low_bits(self.pool, address);
        let step = 1u64 << bits.min(32);
        let mut result = Vec::new();
        for &(start, size) in objects.iter().filter(|(_, size)| *size >= len) {
            let mut at = start + (residue.wrapping_sub(start) & (step - 1));
            while at + len <= start + size && result.len() <= MOST_TARGETS {
                result.push(at);
                at += step;
            }
        }
        result
    }

    /// The address ranges of the objects that the points-to analysis gives for an address.
    fn objects_of(&mut self, ir_address: ExprId) -> Vec<(u64, u64)> {
        let program = self.fixed.program;
        let targets = self.fixed.points_to.targets(&program.pool, ir_address);
        let mut ranges = Vec::new();
        for target in targets.ones() {
            match self.fixed.points_to.objects()[target] {
                AbstractObject::Static(id) => {
                    let object = &program.objects[id.index()];
                    ranges.push((object.address, object.size));
                }
                AbstractObject::Site { proc, edge, label } => {
                    let site = (proc.0, edge.0, label);
                    self.asked_for_objects = true;
                    let of_site = self.knowledge.dynamics.values().filter(|d| d.site == site);
                    ranges.extend(of_site.map(|d| (d.address, d.size)));
                }
            }
        }
        ranges
    }

    pub(crate) fn load(&mut self, thread: u32, hits: &Hits, sort: Sort, state: &mut State) -> ExprId {
        let mut value: Option<ExprId> = hits.or_none.then(|| self.symbol(sort));
        for hit in hits.places.iter().rev() {
            let part = match (hit.cell, hit.index) {
                (Cell::Region(start), Some(index)) => {
                    let value = self.read_region(thread, start, index, hit.when, state);
                    self.scalar_of(value, sort)
                }
                _ => {
                    let whole = self.read_whole(thread, hit, state);
                    self.part(hit, whole, sort)
                }
            };
            value = Some(match (value, hit.when) {
                (Some(others), Some(when)) => self.pool.ite(when, part, others),
                _ => part,
            });
        }
        match value {
            Some(value) => value,
            None => self.symbol(sort),
        }
    }

    pub(crate) fn store(&mut self, thread: u32, hits: &[Hit], value: ExprId, state: &mut State) {
        for hit in hits {
            if self.is_weak() {
                self.store_parts(thread, hit, value, state);
                continue;
            }
            if let (Cell::Region(start), Some(index)) = (hit.cell, hit.index) {
                let (bits, _) = self.bytes_of(value);
                self.write_region(thread, start, index, bits, hit.when, state);
                continue;
            }
            let value = match hit.cell {
                Cell::Bytes { len, .. } => {
                    let (bits, bytes) = self.bytes_of(value);
                    if bytes == len {
                        bits
                    } else {
                        let old = self.read_cell(thread, hit.cell, hit.when, state);
                        self.replace_bytes(old, bits, hit.offset as u8, bytes, len)
                    }
                }
                _ => value,
            };
            self.write_cell(thread, hit.cell, value, hit.when, state);
        }
    }

    /// A scalar as the bytes that it takes in memory, and how many these are.
    pub(crate) fn bytes_of(&mut self, value: ExprId) -> (ExprId, u8) {
        let bits = self.bits_of(value);
        let bytes = self.pool.sort(bits).bytes() as u8;
        (self.scalar_of(bits, Sort::Bits(8 * bytes)), bytes)
    }

    /// All that is read at a place.
    fn read_whole(&mut self, thread: u32, hit: &Hit, state: &mut State) -> ExprId {
        let pieces = match hit.cell {
            Cell::Bytes { address, len } if self.is_weak() => self.pieces_of(address, len),
            _ => Vec::new(),
        };
        let mut whole: Option<ExprId> = None;
        for (cell, _, _) in pieces {
            let part = self.read_cell(thread, cell, hit.when, state);
            whole = Some(match whole {
                Some(low) => self.pool.binary(BinOp::Concat, part, low),
                None => part,
            });
        }
        match whole {
            Some(whole) => whole,
            None => self.read_cell(thread, hit.cell, hit.when, state),
        }
    }

    fn replace_bytes(&mut self, old: ExprId, new: ExprId, offset: u8, bytes: u8, len: u8) -> ExprId {
        let mut result = new;
        if offset > 0 {
            let low = self.pool.extract(8 * offset - 1, 0, old);
            result = self.pool.binary(BinOp::Concat, result, low);
        }
        if offset + bytes < len {
            // 16 bytes are 128 bits: the number of the highest bit fits.
            let high = self.pool.extract((u32::from(len) * 8 - 1) as u8, 8 * (offset + bytes), old);
            result = self.pool.binary(BinOp::Concat, high, result);
        }
        result
    }

    fn part(&mut self, hit: &Hit, whole: ExprId, sort: Sort) -> ExprId {
        let Cell::Bytes { len, .. } = hit.cell else { return whole };
        let bytes = sort.bytes() as u8;
        let mut value = whole;
        if bytes != len {
            let low = 8 * hit.offset as u8;
            value = self.pool.extract((u32::from(low) + 8 * u32::from(bytes) - 1) as u8, low, value);
        }
        self.scalar_of(value, sort)
    }

    pub(crate) fn is_event(&self, cell: Cell, state: &State) -> bool {
        state.multi && self.knowledge.shared.contains(&cell)
    }

    /// The value of a cell that the path sees now, where `when` holds.
    pub(crate) fn read_cell(&mut self, thread: u32, cell: Cell, when: Option<ExprId>, state: &mut State) -> ExprId {
        self.note(thread, cell, false, state);
        if !self.is_event(cell, state) {
            return self.kept(&state.memory, cell).value;
        }
        let entry = state.open.as_ref().and_then(|open| open.entries.get(&cell)).copied();
        if let Some(Entry { known: Extent::Always, value, .. }) = entry {
            return value;
        }
        let node = self.open_node(thread, state);
        let guard = match when {
            Some(when) => state.guard.and(self.pool, when),
            None => state.guard.clone(),
        };
        let read = self.read_event(node, cell, guard);
        let (value, written) = match entry {
            Some(Entry { known: Extent::If(cond), value, written }) => (self.pool.ite(cond, value, read), written),
            Some(entry) => (read, entry.written),
            None => (read, Extent::Never),
        };
        // Only where the access really hits the cell was it read.
        let known = if when.is_none() { Extent::Always } else { return value };
        if let Some(open) = &mut state.open {
            open.entries.insert(cell, Entry { known, value, written });
        }
        value
    }

    pub(crate) fn write_cell(
        &mut self,
        thread: u32,
        cell: Cell,
        value: ExprId,
        when: Option<ExprId>,
        state: &mut State,
    ) {
        self.note(thread, cell, true, state);
        state.effects = self.new_effect();
        if !self.is_event(cell, state) {
            let value = match when {
                None => value,
                Some(when) => {
                    let old = self.kept(&state.memory, cell).value;
                    self.pool.ite(when, value, old)
                }
            };
            Rc::make_mut(&mut state.memory).insert(cell, Kept { value, version: state.effects });
            return;
        }
        self.open_node(thread, state);
        let entry = state.open.as_ref().and_then(|open| open.entries.get(&cell)).copied();
        let new = match (when, entry) {
            (None, _) => Entry { known: Extent::Always, value, written: Extent::Always },
            (Some(when), None) => Entry { known: Extent::If(when), value, written: Extent::If(when) },
            (Some(when), Some(old)) => Entry {
                known: self.widen(old.known, when),
                value: self.pool.ite(when, value, old.value),
                written: self.widen(old.written, when),
            },
        };
        if let Some(open) = &mut state.open {
            open.entries.insert(cell, new);
        }
    }

    /// The same as `store` to a whole cell.
    pub(crate) fn put(&mut self, thread: u32, cell: Cell, value: ExprId, when: Option<ExprId>, state: &mut State) {
        let when = when.filter(|when| !self.pool.is_bool(*when, true));
        if when.is_some_and(|when| self.pool.is_bool(when, false)) {
            return;
        }
        self.write_cell(thread, cell, value, when, state);
    }

    fn widen(&mut self, extent: Extent, when: ExprId) -> Extent {
        match extent {
            Extent::Never => Extent::If(when),
            Extent::Always => Extent::Always,
            Extent::If(cond) => Extent::If(self.pool.or(cond, when)),
        }
    }

    /// The node of the path; from now on others can see it.
    pub(crate) fn open_node(&mut self, thread: u32, state: &mut State) -> u32 {
        if let Some(node) = state.open.as_ref().and_then(|open| open.node) {
            return node;
        }
        let node = self.new_node(thread);
        if let Some(open) = &mut state.open {
            open.node = Some(node);
        }
        node
    }

    /// A node has one read for each cell.
    fn read_event(&mut self, node: u32, cell: Cell, guard: Guard) -> ExprId {
        if let Some(&read) = self.reads.get(&(node, cell)) {
            let old = self.graph.reads[read].guard.clone();
            let (either, _) = if guard.implies(&old) { (old, guard.expr) } else { meet(self.pool, &old, &guard) };
            self.graph.reads[read].guard = either;
            return self.graph.reads[read].value;
        }
        let sort = self.cell_sort(cell);
        let value = self.symbol(sort);
        if let raddle_ir::Expr::Var(var) = self.pool.get(value) {
            self.values.read_from.insert(var, cell);
        }
        self.reads.insert((node, cell), self.graph.reads.len());
        self.count_event(node);
        self.graph.reads.push(ReadEvent { node, cell, index: None, guard, value });
        value
    }

    pub(crate) fn cell_sort(&self, cell: Cell) -> Sort {
        match cell {
            Cell::Var(var) | Cell::Own(_, var) => self.fixed.program.var(var).sort,
            Cell::Bytes { len, .. } => Sort::Bits(8 * len),
            Cell::Region(start) => self.region_sort(start),
            Cell::Lock(_) | Cell::LockKind(_) | Cell::Held(..) | Cell::HeldShared(..) => {
                Sort::Bits(raddle_ir::locks::PART_BITS)
            }
        }
    }

    /// What a cell holds at the beginning.
    pub(crate) fn initial_value(&mut self, cell: Cell) -> ExprId {
        if let Some(value) = self.initial.get(&cell) {
            return *value;
        }
        let known = match cell {
            Cell::Var(var) | Cell::Own(_, var) => match &self.fixed.program.var(var).kind {
                VarKind::Global(init) | VarKind::ThreadLocal(init) => init.map(|c| self.pool.constant(c)),
                VarKind::Local(_) => None,
            },
            Cell::Bytes { address, len } => match self.fixed.statics.holder(self.knowledge, address, len.into()) {
                Some(Holder::Static(object)) => initial_bytes(self.fixed.program, object, address, len.into())
                    .map(|bytes| self.pool.bits(8 * len, bytes)),
                Some(Holder::Dynamic(start)) => match self.knowledge.dynamics.get(&start) {
                    Some(Dynamic { zeroed: true, .. }) => Some(self.pool.bits(8 * len, 0)),
                    _ => None,
                },
                None => None,
            },
            Cell::Region(start) => self.initial_region(start),
            _ => Some(self.pool.bits(raddle_ir::locks::PART_BITS, 0)),
        };
        let value = match known {
            Some(value) => value,
            None => {
                let sort = self.cell_sort(cell);
                self.symbol(sort)
            }
        };
        self.initial.insert(cell, value);
        value
    }

    /// Does a cell hold any value at the beginning?
    pub(crate) fn is_any_at_first(&mut self, cell: Cell) -> bool {
        let value = self.initial_value(cell);
        matches!(self.pool.get(value), raddle_ir::Expr::Var(_))
    }

    /// Remembers who accesses a cell, and what that thread knows of the others.
    pub(crate) fn note(&mut self, thread: u32, cell: Cell, writes: bool, state: &State) {
        if matches!(cell, Cell::Own(..) | Cell::Held(..) | Cell::HeldShared(..))
            || self.knowledge.shared.contains(&cell)
        {
            return;
        }
        // From 1 on: 0 is before everything.
        let position = self.threads[thread as usize].position + 1;
        let accesses = self.accesses.entry(cell).or_default();
        if let Some(same) = accesses.iter_mut().rev().find(|a| a.thread == thread && Rc::ptr_eq(&a.seen, &state.seen)) {
            same.last = same.last.max(position);
            same.writes |= writes;
            return;
        }
        accesses.push(Access { thread, last: position, writes, seen: Rc::clone(&state.seen) });
    }

    /// Several threads may run from now on: what they share becomes events.
    pub(crate) fn publish(&mut self, node: u32, state: &mut State) {
        if state.multi {
            return;
        }
        state.multi = true;
        let shared: Vec<(Cell, ExprId)> = {
            let mut cells: Vec<(Cell, ExprId)> = state
                .memory
                .iter()
                .filter(|(c, _)| self.knowledge.shared.contains(c))
                .map(|(c, v)| (*c, v.value))
                .collect();
            cells.sort_unstable();
            cells
        };
        if shared.is_empty() {
            return;
        }
        let memory: &mut Memory = &mut state.memory;
        let memory = Rc::make_mut(memory);
        for (cell, value) in shared {
            memory.remove(&cell);
            self.write_event(node, cell, state.guard.clone(), value);
        }
    }
}
