//! What C leaves open about objects: where they lie, and whether two of them lie at the same place.
//!
//! Engines choose one layout of memory: each object has an address of its own, for ever. C promises less. Storage is given out again (`storage.rs`), equal string
//! literals may be one object (`literals.rs`), an object may begin where another ends, and the numbers that addresses are mean nothing: which of two objects is
//! lower, which bits an address has above its alignment, whether an input equals it in disguise. A program that can observe any of this behaves in more ways than
//! engines consider, so no proof of it counts. Violations do: the layout of an engine is one that C permits.
//!
//! A program observes what C leaves open where it tests it (a comparison), or uses it to compute an address. `flow.rs` follows addresses to there: a value is the
//! address of a place in an object, a piece of an address, or mixed, which is everything else that was computed from one. These tests are determined:
//! - equality of addresses of two places in objects that live at the same time, unless one is past the end of its object;
//! - order and distance within an object. Of two objects of the same `Alloc` C defines neither, and neither is looked at;
//! - a comparison with null or with a number that is no address (an error number), and the low bits that the alignment of an object determines (as far as its size
//!   tells that; 16 bytes on the heap). A sum or exclusive or of addresses is null where they cancel each other;
//! - a comparison of a stray value with an address: engines follow that (`stray/`). In disguise, one side is mixed or a piece;
//! - an access at a mixed address. It leads to an object where it is the object's address again (an exclusive or, undone), and elsewhere by chance only. An index
//!   that is mixed is another matter: there it is the place in an object that depends on the layout.
//!
//! Heap and stack are taken to be disjoint, also after a thread has ended. Not seen: an address that is rebuilt by control flow alone, bit by bit, pieces of an address
//! that are put together in another order, hard-coded addresses beside others in one variable, and that the locals of sibling blocks may share storage.

mod after;
mod copies;
mod flow;
mod literals;
mod memory;
mod observed;
mod offset;
mod operations;
mod storage;
#[cfg(test)]
mod tests;
mod value;

pub use observed::{Open, Question, open_places};
