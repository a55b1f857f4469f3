//! What memory holds at the beginning.

use crate::symbolic::knowledge::cells::{Cell, Dynamic};
use crate::symbolic::memory::Memory;
use crate::symbolic::memory::objects::{Holder, initial_bytes};
use raddle_ir::{Expr, ExprId, VarKind, locks};

/// Elements with an initial value of their own that are not zero.
const MOST_INITIAL: usize = 1 << 20;

impl Memory<'_, '_> {
    /// What a cell holds at the beginning.
    pub(super) fn initial_value(&mut self, cell: Cell) -> ExprId {
        if let Some(value) = self.initial.get(&cell) {
            return *value;
        }
        let known = match cell {
            Cell::Var(var) | Cell::Own(_, var) => match &self.program.var(var).kind {
                VarKind::Global(init) | VarKind::ThreadLocal(init) => init.map(|c| self.pool.constant(c)),
                VarKind::Local(_) => None,
            },
            Cell::Bytes { address, len } => {
                self.initial_bytes(address, len).map(|bytes| self.pool.bits(8 * len, bytes))
            }
            Cell::Region(start) => self.initial_region(start),
            Cell::Life(_) => Some(self.pool.bits(self.program.pointer_bits, 0)),
            _ => Some(self.pool.bits(locks::PART_BITS, 0)),
        };
        let value = known.unwrap_or_else(|| self.pool.fresh(self.cell_sort(cell)));
        self.initial.insert(cell, value);
        value
    }

    /// Does a cell hold any value at the beginning?
    pub(crate) fn is_any_at_first(&mut self, cell: Cell) -> bool {
        let value = self.initial_value(cell);
        matches!(self.pool.get(value), Expr::Var(_))
    }

    /// The bytes from an address on, if they are known.
    pub(super) fn initial_bytes(&self, address: u64, len: u8) -> Option<u128> {
        match self.holder(address, len.into())? {
            Holder::Static(object) => {
                let bytes = initial_bytes(object)?;
                let offset = (address - object.address) as usize;
                let byte = |i: usize| u128::from(bytes.get(offset + i).copied().unwrap_or(0));
                Some((0..len.into()).fold(0, |all, i| all | byte(i) << (8 * i)))
            }
            Holder::Dynamic(Dynamic { zeroed, .. }) => zeroed.then_some(0),
        }
    }

    /// All of a region, as an array.
    fn initial_region(&mut self, start: u64) -> Option<ExprId> {
        let (size, width) = self.assumptions.region(start);
        let bits = self.program.pointer_bits;
        let zero = self.pool.bits(8 * width, 0);
        match self.holder(start, size)? {
            Holder::Static(object) => {
                let bytes = initial_bytes(object)?;
                let mut array = self.pool.const_array(bits, zero);
                let elements = bytes.chunks(width.into()).enumerate().filter(|(_, e)| e.iter().any(|b| *b != 0));
                // With too many, the region begins with any values, which is sound for proofs.
                if elements.clone().count() > MOST_INITIAL {
                    self.graph.unstated(&object.name, object.span);
                    return None;
                }
                for (i, element) in elements {
                    let value = element.iter().rev().fold(0u128, |all, byte| all << 8 | u128::from(*byte));
                    let index = self.pool.bits(bits, (start + i as u64 * u64::from(width)).into());
                    let value = self.pool.bits(8 * width, value);
                    array = self.pool.store(array, index, value);
                }
                Some(array)
            }
            Holder::Dynamic(object) => {
                // It is a region from its start on.
                (object.address == start && object.zeroed).then(|| self.pool.const_array(bits, zero))
            }
        }
    }
}
