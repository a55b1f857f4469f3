//! What can be said about a Program without changing it: its control flow, which values and objects reach where, what is live, what may point
//! where.
//!
//! Each analysis is a function in the file of its name, from a Program (or one of its procedures) to what is known. This crate knows neither engines
//! nor solvers: passes and engines ask it, and it asks nobody.

pub mod addresses;
pub mod alignment;
pub mod atomic_blocks;
pub mod cfg;
pub mod escaping;
pub mod exposed;
pub mod initial_memory;
pub mod liveness;
pub mod locksets;
pub mod parallel;
pub mod places;
pub mod points_to;
pub mod post_dominators;
pub mod processes;
pub mod published;
pub mod ranges;
pub mod reaching;
pub mod reuse;
pub mod stray;
pub mod traits;
pub mod wto;

pub use atomic_blocks::{AtomicBlocks, atomic_blocks};
pub use cfg::{Cfg, reached};
pub use liveness::{Live, Output, live_locals};
pub use places::{Open, Question, open_places};
pub use points_to::{AbstractObject, PointsTo, points_to};
pub use post_dominators::post_dominators;
pub use reuse::sees_reuse;
pub use stray::{NULL_ENDS, from_outside};
pub use traits::Traits;
pub use wto::{Wto, weak_topological_order};
