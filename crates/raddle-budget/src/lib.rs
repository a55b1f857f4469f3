//! What a run may use: CPU time, memory, and until somebody interrupts it.
//!
//! There is one clock (`clock`), and one type that every engine and every solver asks whether to go on (`Budget`). Limits are written as
//! times and sizes (`quantities`). This crate knows nothing else.

mod budget;
pub mod clock;
pub mod memory;
pub mod quantities;

pub use budget::{Budget, Stop};
pub use clock::{process_time, thread_time};
