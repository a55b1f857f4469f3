//! The program model: sorts, hash-consed expressions, and the Program (an extended control-flow automaton).
//!
//! This crate knows nothing of C syntax or of solvers.

pub mod expr;
pub mod pool;
pub mod program;
pub mod sort;
pub mod span;

pub use expr::{BinOp, Const, Expr, ExprId, UnOp};
pub use pool::ExprPool;
pub use program::*;
pub use sort::{FloatSort, Sort};
pub use span::{FileId, Span};
