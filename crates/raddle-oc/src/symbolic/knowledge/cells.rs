//! Cells: the pieces of memory that events read and write, and what one run of the symbolic execution learns about them for the next.
//!
//! The symbolic execution starts with optimistic assumptions: no cell is shared, every piece of memory is accessed in one way only,
//! and a pointer that is read from a shared cell has one of the values that were seen to be written there. Whenever a run
//! finds an assumption broken, it is dropped and the program is run again, until a run confirms all that it assumed. Then all of it
//! holds in every execution: the first step of an execution that broke an assumption would be a step that the run had covered.

use raddle_ir::VarId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// A piece of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Cell {
    /// A global variable.
    Var(VarId),
    /// A thread-local variable of a thread.
    Own(u32, VarId),
    /// Bytes from an address on.
    Bytes {
        address: u64,
        len: u8,
    },
    /// The object that begins at an address, as a whole: see memory/regions.rs.
    Region(u64),
    /// Whether the dynamic object that begins at an address lives: see memory/lives.rs.
    Life(u64),
    /// The parts of the lock at an address that all threads see: its word and its kind (raddle-ir, `locks.rs`).
    Lock(u64),
    LockKind(u64),
    /// How often a thread holds a lock exclusively, and shared.
    Held(u32, u64),
    HeldShared(u32, u64),
}

impl Cell {
    /// No other thread can access it.
    pub fn is_of_one_thread(self) -> bool {
        matches!(self, Cell::Own(..) | Cell::Held(..) | Cell::HeldShared(..))
    }
}

/// At most so many values of a cell are told apart.
pub const MOST_VALUES: usize = 64;

/// The values that an expression may have; `None`: any.
pub type Values = Option<BTreeSet<u64>>;

/// A dynamic object that the symbolic execution allocated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dynamic {
    pub address: u64,
    pub size: u64,
    /// The size is the largest that it may be.
    pub is_largest: bool,
    pub zeroed: bool,
    pub site: Site,
}

/// A label of the Program: procedure, edge, label.
pub type Site = (u32, u32, u32);

/// What is known of the program from earlier runs.
#[derive(Clone, Default, Debug)]
pub struct Knowledge {
    /// Cells that threads access concurrently, at least one of them writing.
    pub shared: FxHashSet<Cell>,
    /// The pieces that memory is divided into: start and length. They do not overlap.
    pub pieces: BTreeMap<u64, u64>,
    /// Objects that are one cell each, by address: their size and the width of all accesses.
    pub regions: BTreeMap<u64, (u64, u8)>,
    /// Objects that cannot be regions.
    pub not_regions: FxHashSet<u64>,
    /// The values of those shared cells that somebody asked for.
    pub values: FxHashMap<Cell, Values>,
    /// Dynamic objects by address.
    pub dynamics: BTreeMap<u64, Dynamic>,
    /// Loops that are known statically may go on for so many iterations.
    pub static_iterations: u32,
}

/// The largest piece of memory that is one cell.
const LARGEST_PIECE: u64 = 16;

pub enum Piece {
    /// The access lies in this piece.
    Within(u64, u8),
    /// The pieces had to be joined (or divided): run again.
    Joined,
    /// They would become too large.
    TooLarge,
}

impl Knowledge {
    /// The region that an address lies in.
    pub fn region_at(&self, address: u64) -> Option<u64> {
        let (start, (size, _)) = self.regions.range(..=address).next_back()?;
        (address < start + size).then_some(*start)
    }

    /// The piece that an access to `len` bytes belongs to.
    pub fn piece(&mut self, address: u64, len: u64) -> Piece {
        let end = address + len;
        let before = self.pieces.range(..address).next_back().filter(|(start, len)| *start + *len > address);
        let (mut low, mut high, mut hit, mut exact) = (address, end, 0, None);
        for (&start, &size) in before.into_iter().chain(self.pieces.range(address..end)) {
            (low, high) = (low.min(start), high.max(start + size));
            hit += 1;
            if start <= address && start + size >= end {
                exact = Some((start, size));
            }
        }
        if let Some((start, size)) = exact {
            return Piece::Within(start, size as u8);
        }
        if high - low > LARGEST_PIECE {
            return Piece::TooLarge;
        }
        let parts: Vec<u64> = self.pieces.range(low..high).map(|(start, _)| *start).collect();
        let mut is_shared = false;
        for start in parts {
            if let Some(len) = self.pieces.remove(&start) {
                is_shared |= self.forget(Cell::Bytes { address: start, len: len as u8 });
            }
        }
        self.pieces.insert(low, high - low);
        let len = (high - low) as u8;
        if is_shared {
            self.shared.insert(Cell::Bytes { address: low, len });
        }
        if hit == 0 { Piece::Within(low, len) } else { Piece::Joined }
    }

    /// Divides memory such that an access to `len` bytes touches whole pieces only.
    pub fn divide(&mut self, address: u64, len: u64) -> Piece {
        let end = address + len;
        let mut is_new = false;
        for cut in [address, end] {
            let before = self.pieces.range(..cut).next_back().map(|(start, size)| (*start, *size));
            let Some((start, size)) = before.filter(|(start, size)| start + size > cut) else { continue };
            let is_shared = self.forget(Cell::Bytes { address: start, len: size as u8 });
            for (from, to) in [(start, cut), (cut, start + size)] {
                self.pieces.insert(from, to - from);
                if is_shared {
                    self.shared.insert(Cell::Bytes { address: from, len: (to - from) as u8 });
                }
            }
            is_new = true;
        }
        let mut at = address;
        let inside: Vec<(u64, u64)> = self.pieces.range(address..end).map(|(start, size)| (*start, *size)).collect();
        for (start, size) in inside.into_iter().chain([(end, 0)]) {
            if start > at {
                self.pieces.insert(at, start - at);
            }
            at = start + size;
        }
        if is_new { Piece::Joined } else { Piece::Within(address, len as u8) }
    }

    /// All of an object becomes one cell.
    pub fn make_region(&mut self, start: u64, size: u64, width: u8) {
        self.regions.insert(start, (size, width));
        let pieces: Vec<u64> = self.pieces.range(start..start + size).map(|p| *p.0).collect();
        let mut is_shared = false;
        for piece in pieces {
            if let Some(len) = self.pieces.remove(&piece) {
                is_shared |= self.forget(Cell::Bytes { address: piece, len: len as u8 });
            }
        }
        if is_shared {
            self.shared.insert(Cell::Region(start));
        }
    }

    /// It is made of pieces after all.
    pub fn unmake_region(&mut self, start: u64) {
        self.regions.remove(&start);
        self.not_regions.insert(start);
        self.forget(Cell::Region(start));
    }

    /// A cell that is no more: was it shared?
    fn forget(&mut self, cell: Cell) -> bool {
        self.values.remove(&cell);
        self.shared.remove(&cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_grow_until_accesses_lie_within_them() {
        let mut k = Knowledge::default();
        assert!(matches!(k.piece(0, 4), Piece::Within(0, 4)));
        assert!(matches!(k.piece(4, 4), Piece::Within(4, 4)));
        assert!(matches!(k.piece(1, 1), Piece::Within(0, 4)));
        assert!(matches!(k.piece(2, 4), Piece::Joined));
        assert!(matches!(k.piece(2, 4), Piece::Within(0, 8)));
        assert!(matches!(k.piece(4, 4), Piece::Within(0, 8)));
        assert!(matches!(k.piece(0, 16), Piece::Joined));
        assert!(matches!(k.piece(15, 8), Piece::TooLarge));
    }
}
