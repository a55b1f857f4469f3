//! Where an access may go: the cells and regions that an address may be in, and when it is.
//!
//! The few values that an address may have are known (knowledge/values.rs), or else the objects that the points-to analysis gives, with the offsets that the
//! address's low bits allow.

use crate::symbolic::event_graph::Limit;
use crate::symbolic::knowledge::cells::{Cell, Piece};
use crate::symbolic::knowledge::values::low_bits;
use crate::symbolic::memory::Memory;
use crate::symbolic::memory::regions::MOST_CELLS;
use crate::symbolic::state::State;
use crate::symbolic::{Ended, Run, unsupported};
use raddle_analysis::NULL_ENDS;
use raddle_ir::{BinOp, ExprId, ExprPool, Place, VarKind};

/// A choice of so many cells by an undetermined address is followed.
const MOST_TARGETS: usize = 512;
/// Where there are more, so many of them are: enough for a violation that does not depend on the choice.
const SOME_TARGETS: u64 = 64;

/// A load or a store.
#[derive(Clone, Copy)]
pub(crate) struct Access {
    pub place: Place,
    /// The value of the place's address; none for a variable.
    pub address: Option<ExprId>,
    /// In bytes.
    pub len: u64,
    pub writes: bool,
}

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

/// Where an address may be.
struct Targets {
    addresses: Vec<u64>,
    /// The starts of regions.
    regions: Vec<u64>,
    /// Are there no others?
    all: bool,
}

impl Memory<'_, '_> {
    /// The places that an access to `len` bytes may hit. The path goes on only where it hits one, or follows a stray pointer that is not null.
    pub(crate) fn hits(&mut self, access: Access, state: &mut State) -> Run<Hits> {
        let Access { place, address, len, writes } = access;
        let ir_address = match place {
            Place::Var(var) => {
                let cell = match self.program.var(var).kind {
                    VarKind::ThreadLocal(_) => Cell::Own(state.thread, var),
                    _ => Cell::Var(var),
                };
                let place = Hit { cell, offset: 0, index: None, when: None };
                return Ok(Hits { places: vec![place], or_none: false });
            }
            Place::Memory(ir_address) => ir_address,
        };
        let Some(address) = address else { return Ok(Hits::default()) };
        let mut hits = Vec::new();
        let Targets { addresses, regions, all } = self.targets(address, ir_address, len)?;
        let bits = self.program.pointer_bits;
        let (mut any, mut only_true) = (self.pool.bool(false), false);
        for start in regions {
            let when = self.in_region(start, address);
            let is_writable = self.holder(start, len).is_some_and(|holder| holder.is_writable());
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
            match self.holder(at, len) {
                None => {
                    // Perhaps an object that this run allocates later.
                    if at >= self.program.dynamic_base {
                        self.assumptions.ask_for_objects();
                    }
                    continue;
                }
                Some(holder) if writes && !holder.is_writable() => continue,
                Some(_) => {}
            }
            let constant = self.pool.bits(bits, at.into());
            let when = self.pool.eq(address, constant);
            if self.pool.is_bool(when, false) {
                continue;
            }
            let (start, piece) = match self.assumptions.piece(at, len, self.buffers.is_weak()) {
                Piece::Within(start, piece) => (start, piece),
                Piece::Joined => return Err(Ended::Again),
                Piece::TooLarge => return unsupported("accesses of different widths that overlap"),
            };
            only_true |= self.pool.is_bool(when, true);
            any = self.pool.or(any, when);
            let when = (!self.pool.is_bool(when, true)).then_some(when);
            hits.push(Hit { cell: Cell::Bytes { address: start, len: piece }, offset: at - start, index: None, when });
            if only_true {
                break;
            }
        }
        if !(all || only_true) {
            let others = self.pool.not(any);
            let others = state.guard.and(self.pool, others);
            self.graph.limit(Limit::Targets(self.graph.span), &others);
        }
        // Where not all targets are followed, nobody knows what none of them is: those executions end at the limit.
        let or_none = all && !only_true && self.is_stray(address, ir_address);
        if or_none {
            let null_ends = self.pool.bits(bits, NULL_ENDS.into());
            let is_not_null = self.pool.binary(BinOp::ULe, null_ends, address);
            let none = self.pool.not(any);
            let elsewhere = state.guard.and(self.pool, is_not_null).and(self.pool, none);
            self.graph.stray(&elsewhere);
            any = self.pool.or(any, is_not_null);
        }
        state.assume(self.pool, any);
        if let ([hit], false) = (&mut hits[..], or_none) {
            // The path goes on only if this is the place.
            hit.when = None;
        }
        Ok(Hits { places: hits, or_none })
    }

    /// May an address be none that is known?
    fn is_stray(&mut self, address: ExprId, ir_address: ExprId) -> bool {
        self.assumptions.values_of(self.pool, address).is_none() && self.objects.is_stray(ir_address)
    }

    /// The places outside of regions that an access may hit, and the regions.
    fn targets(&mut self, address: ExprId, ir_address: ExprId, len: u64) -> Run<Targets> {
        if let Some(values) = self.assumptions.values_of(self.pool, address) {
            let (mut outside, mut regions) = (Vec::new(), Vec::new());
            for at in values {
                match self.assumptions.region_at(at) {
                    Some(start) => regions.push(start),
                    None => outside.push(at),
                }
            }
            regions.dedup();
            return Ok(Targets { addresses: outside, regions, all: true });
        }
        let objects = self.objects_of(ir_address);
        let regions = objects.iter().map(|o| o.0).filter(|start| self.assumptions.is_region(*start)).collect();
        let cells: Vec<(u64, u64)> = objects.into_iter().filter(|o| !self.assumptions.is_region(o.0)).collect();
        let addresses = addresses_in(self.pool, address, &cells, len);
        if addresses.len() > MOST_CELLS {
            let may_be = |(start, size): &(u64, u64)| *size > 8 * len && self.assumptions.may_be_region(*start);
            let large: Vec<(u64, u64)> = cells.iter().copied().filter(may_be).collect();
            if !large.is_empty() {
                return self.assumptions.make_regions(&large, len);
            }
        }
        if addresses.len() > MOST_TARGETS {
            return Ok(Targets { addresses: some_addresses(&cells, len), regions, all: false });
        }
        Ok(Targets { addresses, regions, all: true })
    }

    /// The addresses that an expression may be.
    pub(super) fn addresses(&mut self, address: ExprId, ir_address: ExprId, len: u64) -> Run<Vec<u64>> {
        if let Some(values) = self.assumptions.values_of(self.pool, address) {
            return Ok(values.into_iter().collect());
        }
        let objects = self.objects_of(ir_address);
        let result = addresses_in(self.pool, address, &objects, len);
        if result.len() > MOST_TARGETS {
            return unsupported(format!("an undetermined address that has more than {MOST_TARGETS} possible values"));
        }
        Ok(result)
    }
}

/// The addresses in some objects that an expression may be by its low bits; a few too many are cut off.
fn addresses_in(pool: &ExprPool, address: ExprId, objects: &[(u64, u64)], len: u64) -> Vec<u64> {
    let (bits, residue) = low_bits(pool, address);
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

/// A few places in some objects, where their members are most likely to lie.
fn some_addresses(objects: &[(u64, u64)], len: u64) -> Vec<u64> {
    let len = len.max(1);
    let places = objects.iter().map(|(_, size)| size / len).sum::<u64>();
    let aligned = objects.iter().flat_map(|&(start, size)| (0..size / len).map(move |i| start + i * len));
    aligned.step_by(places.div_ceil(SOME_TARGETS).max(1) as usize).collect()
}
