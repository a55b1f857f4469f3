//! Where objects of `Alloc` lie, for engines whose objects keep their addresses (raddle-oc, raddle-cegar).
//!
//! Each thread has regions of its own, so that addresses do not depend on the schedule. In a region, objects follow each other, with gaps between
//! them, so that a pointer past an object's end is not one to the next. No address is used again.
//!
//! raddle-interp does not use this: it is the reference, and gives out addresses again when they are free. What a program can see of addresses without
//! undefined behaviour is the same: where they begin, how they are aligned, that objects do not touch; its tests compare that (raddle-interp,
//! `machine/memory.rs`).

use crate::program::Program;

/// All objects of `Alloc` begin at multiples of this, and so large are the gaps at least.
pub const ALIGNMENT: u64 = 64;
/// Larger objects are beyond what the interpreter can run.
pub const LARGEST_OBJECT: u64 = 1 << 30;
/// With 32 bits, what lies in memory arrays is not larger (raddle-passes, `large_allocations.rs`).
pub const LARGEST_OBJECT_32: u64 = 0x1000_0000;
/// With 64 bits, so much room has what lies in memory arrays and is of no constant size; there are gaps for what is larger (likewise).
pub const LARGEST_OBJECT_64: u64 = 1 << 40;
/// Regions end here; above there is room for objects that did not fit.
pub const REGIONS_END_32: u64 = 0xc000_0000;
pub const REGIONS_END_64: u64 = 0xc000_0000_0000_0000;

/// From the start of an object of some size to that of the next one.
pub fn room(size: u64) -> u64 {
    size.saturating_add(2 * ALIGNMENT - 1) & !(ALIGNMENT - 1)
}

/// The room behind static objects, as regions of one size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Regions {
    pub base: u64,
    /// How many bytes each has.
    pub size: u64,
    count: u64,
}

impl Regions {
    pub fn new(program: &Program, count: u64) -> Regions {
        let base = program.dynamic_base.max(ALIGNMENT).saturating_add(ALIGNMENT - 1) & !(ALIGNMENT - 1);
        let end = if program.pointer_bits > 32 { REGIONS_END_64 } else { REGIONS_END_32 };
        Regions { base, size: (end.saturating_sub(base) / count) & !(ALIGNMENT - 1), count }
    }

    /// Where a region begins, if there is such a region.
    pub fn start(&self, region: u64) -> Option<u64> {
        (region < self.count && self.size > 0).then(|| self.base + region * self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_aligned_and_do_not_touch() {
        for size in 0..1000 {
            assert!(
                room(size).is_multiple_of(ALIGNMENT) && (size + ALIGNMENT..size + 2 * ALIGNMENT).contains(&room(size))
            );
        }
    }

    #[test]
    fn regions_lie_behind_static_objects_and_do_not_overlap() {
        for (pointer_bits, end) in [(32, REGIONS_END_32), (64, REGIONS_END_64)] {
            for dynamic_base in [0, 1, 64, 0x1000_0010] {
                let program = Program {
                    pointer_bits,
                    files: vec![],
                    pool: crate::ExprPool::new(),
                    vars: vec![],
                    objects: vec![],
                    procs: vec![],
                    entry: crate::ProcId(0),
                    dynamic_base,
                    gaps: Vec::new(),
                    callers: Vec::new(),
                };
                let regions = Regions::new(&program, 64);
                assert!(regions.base >= ALIGNMENT && regions.base >= dynamic_base);
                let starts: Vec<u64> = (0..64).filter_map(|region| regions.start(region)).collect();
                assert_eq!((starts.len(), starts[0], regions.start(64)), (64, regions.base, None));
                assert!(starts.iter().all(|start| start.is_multiple_of(ALIGNMENT)));
                assert!(starts.windows(2).all(|pair| pair[1] - pair[0] == regions.size));
                assert!(starts[63] <= end - regions.size);
            }
        }
    }
}
