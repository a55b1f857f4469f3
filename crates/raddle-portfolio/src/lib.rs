//! Which engine runs, in which configuration, for how long.
//!
//! `registry` has every engine by its name; `auto` takes them in turns. This crate knows how engines are configured, and not how they work.

mod auto;
mod registry;

pub use auto::Auto;
pub use registry::{Registry, Settings};
