//! What is known of memory: learned by earlier runs (`cells.rs`), assumed and confirmed by the present one (`assumptions.rs`).

pub(crate) mod assumptions;
pub mod cells;
pub(crate) mod concurrency;
pub(crate) mod values;
