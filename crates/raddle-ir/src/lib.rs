//! The program model: sorts, hash-consed expressions, and the Program (an extended control-flow automaton).
//!
//! This crate knows nothing of C syntax or of solvers.

pub mod adjacency;
pub mod eval;
pub mod expr;
mod float;
mod labels;
mod operands;
pub mod pool;
pub mod program;
mod same_program;
mod simplify;
pub mod sort;
pub mod span;
mod well_sorted;

pub use adjacency::{Adjacency, incoming, outgoing};
pub use eval::{ArrayValue, Value};
pub use expr::{BinOp, Const, Expr, ExprId, UnOp};
pub use operands::{Substitution, VarsOf};
pub use pool::ExprPool;
pub use program::*;
pub use sort::{FloatSort, Sort};
pub use span::{FileId, Span};
