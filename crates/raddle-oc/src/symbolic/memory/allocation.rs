//! Objects that the program allocates: each thread has a region of addresses of its own, where one object lies behind the other (raddle-ir,
//! `allocation.rs`).

use crate::symbolic::event_graph::Limit;
use crate::symbolic::knowledge::cells::{Dynamic, Site};
use crate::symbolic::memory::Memory;
use crate::symbolic::scalars::resize;
use crate::symbolic::state::State;
use crate::symbolic::{Run, unsupported};
use raddle_ir::allocation::{Regions, room};
use raddle_ir::{BinOp, ExprId, Sort, Storage};

/// Objects of undetermined size have at most so many bytes.
const LARGEST_UNKNOWN: u64 = 1 << 16;
/// So many threads can allocate.
const REGIONS_64: u64 = 1 << 20;
const REGIONS_32: u64 = 1 << 9;

impl Memory<'_, '_> {
    /// The address of a new object.
    pub(crate) fn allocate(
        &mut self,
        size: ExprId,
        (storage, zeroed): (Storage, bool),
        site: Site,
        state: &mut State,
    ) -> Run<ExprId> {
        let exact = size;
        let (size, is_largest) = match self.pool.as_const(exact) {
            Some(size) => (size.bits as u64, false),
            None => (self.largest_size(exact, state), true),
        };
        let program = self.program;
        let regions = Regions::new(program, if program.pointer_bits > 32 { REGIONS_64 } else { REGIONS_32 });
        let Some(start) = regions.start(state.thread.into()) else {
            return unsupported("allocations by so many threads");
        };
        let before = self.allocated.entry(state.thread).or_default();
        let room = room(size);
        if room > regions.size - *before {
            return unsupported("allocations of this size");
        }
        let address = start + *before;
        *before += room;
        self.assumptions.allocate(Dynamic { address, size, is_largest, zeroed, site }, exact);
        self.begin_life(address, exact, storage, state);
        Ok(self.pool.bits(program.pointer_bits, address.into()))
    }

    /// An object of undetermined size is as large as it can be: that only makes accesses valid which are not, and every violation is replayed.
    /// Larger ones than `LARGEST_UNKNOWN` are beyond a limit.
    fn largest_size(&mut self, size: ExprId, state: &mut State) -> u64 {
        if let Some(values) = self.assumptions.values_of(self.pool, size)
            && values.iter().all(|size| *size <= LARGEST_UNKNOWN)
        {
            return values.last().copied().unwrap_or(0);
        }
        let bits = self.pool.sort(size).bits().unwrap_or(64);
        let largest = self.pool.bits(bits, LARGEST_UNKNOWN.into());
        let fits = self.pool.binary(BinOp::ULe, size, largest);
        let not = self.pool.not(fits);
        let beyond = state.guard.and(self.pool, not);
        if !beyond.is_false(self.pool) {
            self.graph.limit(Limit::Size, &beyond);
        }
        state.assume(self.pool, fits);
        LARGEST_UNKNOWN
    }

    /// The size of the object at an address; 0 for the null pointer.
    pub(crate) fn object_size(&mut self, address: ExprId, ir_address: ExprId, state: &mut State) -> Run<ExprId> {
        let bits = self.program.pointer_bits;
        let zero = self.pool.bits(bits, 0);
        let is_null = self.pool.eq(address, zero);
        let (mut size, mut valid) = (zero, is_null);
        for at in self.addresses(address, ir_address, 0)? {
            if let Some(object) = self.assumptions.object_at(at) {
                let at = self.pool.bits(bits, at.into());
                let this = self.pool.eq(address, at);
                valid = self.pool.or(valid, this);
                let its = match (object.is_largest, self.assumptions.exact_size(object.address)) {
                    (false, _) => self.pool.bits(bits, object.size.into()),
                    (true, Some(exact)) => resize(self.pool, exact, Sort::Bits(bits)),
                    // Another thread allocates it, which is looked at later.
                    (true, None) => self.pool.fresh(Sort::Bits(bits)),
                };
                size = self.pool.ite(this, its, size);
            }
        }
        state.assume(self.pool, valid);
        Ok(size)
    }
}
