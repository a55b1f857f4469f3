//! What memory holds at first: the bytes that an object is initialised with, read as a constant. Constants are folded by it, variables that
//! replace memory begin with it.

use raddle_ir::{Const, Sort};

/// Little-endian bytes of an object (followed by zeros up to its size) as a constant of a sort.
pub fn constant_in_bytes(bytes: &[u8], size: u64, offset: u64, sort: Sort) -> Option<Const> {
    let width = sort.bits()?;
    if sort == Sort::Bool || width % 8 != 0 || offset.checked_add(sort.bytes())? > size {
        return None;
    }
    let byte = |i: u64| usize::try_from(offset + i).ok().and_then(|at| bytes.get(at)).copied().unwrap_or(0);
    let bits = (0..sort.bytes()).fold(0u128, |bits, i| bits | u128::from(byte(i)) << (8 * i));
    Some(Const { sort, bits })
}
