//! Which engine runs, in which configuration, for how long.
//!
//! `registry` has every engine by its name; `auto` takes them in turns; `traits` are what a choice can depend on. This crate knows how engines are configured, and not how they work.

mod auto;
mod registry;

pub use auto::Auto;
pub use raddle_analysis::traits::{self, Traits};
pub use registry::{Registry, Settings};
