//! Loads and stores: parts of cells, and elements of regions.

use crate::symbolic::knowledge::cells::Cell;
use crate::symbolic::memory::Memory;
use crate::symbolic::memory::addresses::{Hit, Hits};
use crate::symbolic::scalars::{bytes_of, replace_bytes, scalar_of};
use crate::symbolic::state::State;
use raddle_ir::{BinOp, ExprId, Sort};

impl Memory<'_, '_> {
    /// The value that a load gives.
    pub(crate) fn load(&mut self, hits: &Hits, sort: Sort, state: &mut State) -> ExprId {
        let mut value: Option<ExprId> = hits.or_none.then(|| self.pool.fresh(sort));
        for hit in hits.places.iter().rev() {
            let part = match (hit.cell, hit.index) {
                (Cell::Region(start), Some(index)) => {
                    let value = self.read_region(start, index, hit.when, state);
                    scalar_of(self.pool, value, sort)
                }
                _ => {
                    let whole = self.read_whole(hit, state);
                    self.part(hit, whole, sort)
                }
            };
            value = Some(match (value, hit.when) {
                (Some(others), Some(when)) => self.pool.ite(when, part, others),
                _ => part,
            });
        }
        value.unwrap_or_else(|| self.pool.fresh(sort))
    }

    /// A store that is visible when the node of the path ends.
    pub(crate) fn store(&mut self, hits: &[Hit], value: ExprId, state: &mut State) {
        for hit in hits {
            if self.buffers.is_weak() {
                self.store_parts(hit, value, state);
                continue;
            }
            if let (Cell::Region(start), Some(index)) = (hit.cell, hit.index) {
                let (bits, _) = bytes_of(self.pool, value);
                self.write_region(start, index, bits, hit.when, state);
                continue;
            }
            let value = match hit.cell {
                Cell::Bytes { len, .. } => {
                    let (bits, bytes) = bytes_of(self.pool, value);
                    if bytes == len {
                        bits
                    } else {
                        let old = self.read_cell(hit.cell, hit.when, state);
                        replace_bytes(self.pool, old, (bits, bytes), hit.offset as u8, len)
                    }
                }
                _ => value,
            };
            self.write_cell(hit.cell, value, hit.when, state);
        }
    }

    /// All that is read at a place.
    fn read_whole(&mut self, hit: &Hit, state: &mut State) -> ExprId {
        let pieces = match hit.cell {
            Cell::Bytes { address, len } if self.buffers.is_weak() => self.assumptions.pieces_of(address, len),
            _ => Vec::new(),
        };
        let mut whole: Option<ExprId> = None;
        for (cell, _, _) in pieces {
            let part = self.read_cell(cell, hit.when, state);
            whole = Some(match whole {
                Some(low) => self.pool.binary(BinOp::Concat, part, low),
                None => part,
            });
        }
        match whole {
            Some(whole) => whole,
            None => self.read_cell(hit.cell, hit.when, state),
        }
    }

    fn part(&mut self, hit: &Hit, whole: ExprId, sort: Sort) -> ExprId {
        let Cell::Bytes { len, .. } = hit.cell else { return whole };
        let bytes = sort.bytes() as u8;
        let mut value = whole;
        if bytes != len {
            let low = 8 * hit.offset as u8;
            value = self.pool.extract((u32::from(low) + 8 * u32::from(bytes) - 1) as u8, low, value);
        }
        scalar_of(self.pool, value, sort)
    }
}
