//! The C frontend: sources to a Program.

pub mod ast;
pub mod error;
pub mod hir;
pub mod source;
pub mod types;
