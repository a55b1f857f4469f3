//! Which engine runs, in which configuration, for how long.
//!
//! `registry` has every engine by its name. A `strategy` is data: a graph of steps, with conditions on the `traits` of the program. `walk` is the way through it,
//! `conduct` runs it: each step is a process of its own (`worker`), and a `monitor` knows how far it is. This crate knows how engines are configured, and not how
//! they work.

mod conduct;
pub mod monitor;
mod registry;
pub mod strategy;
mod walk;
pub mod worker;

pub use conduct::{News, Plan, conduct};
pub use raddle_analysis::traits::{self, Traits};
pub use registry::{Registry, Settings};
pub use strategy::Strategy;
pub use worker::process::Usage;
pub use worker::serve::serve;
