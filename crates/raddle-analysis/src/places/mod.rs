//! What C leaves open about objects: where they lie, and whether two of them lie at the same place.
//!
//! Engines choose one layout of memory: each object has an address of its own, for ever. C promises less. Storage is given out again (`storage.rs`), equal string
//! literals may be one object (`literals.rs`), an object may begin where another ends, and the numbers that addresses are mean nothing: which of two objects is
//! lower, which bits an address has above its alignment, whether an input equals it in disguise. A program that can observe any of this behaves in more ways than
//! engines consider, so no proof of it counts. Violations do: the layout that they need is one that C permits.
//!
//! A program observes what C leaves open where it tests it (a comparison), or uses it to compute an address. `flow.rs` follows addresses to there: a value is the
//! address of a place in an object, a piece of an address, or mixed, which is everything else that was computed from one. These tests are determined:
//! - equality of addresses of two places in objects that live at the same time, unless one is past the end of its object;
//! - order and distance within an object. Order in two objects of the same `Alloc` is undefined in C; programs that use it (for an order of locks, say) are
//!   the same either way, so it is not looked at;
//! - a comparison with null or with a number that is no address (an error number), and the low bits that the alignment of an object determines;
//! - a comparison of a stray value with an address: engines follow that (`stray/`). In disguise, one side is mixed or a piece.
//!
//! Not seen: an address that is rebuilt by control flow alone, bit by bit, and pieces of an address that are put together in another order.

mod after;
mod copies;
mod flow;
mod literals;
mod memory;
mod observed;
mod offset;
mod operations;
mod storage;
mod value;

pub use observed::{Open, Question, open_places};
