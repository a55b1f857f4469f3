//! Sets of verification tasks: running, comparing, drawing and learning from them.
//!
//! A task is run by another process of the same binary. Results are lines of JSON (`record`), appended as they come. This crate knows the command line
//! of Raddle, and nothing of its engines.

pub mod learn;
pub mod plot;
pub mod record;
pub mod report;
