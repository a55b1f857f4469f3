//! The program model: sorts, hash-consed expressions, and the Program (an extended control-flow automaton).
//!
//! This crate knows nothing of C syntax or of solvers.

pub mod adjacency;
pub mod allocation;
pub mod dot;
pub mod eval;
pub mod expr;
mod float;
pub mod json;
mod labels;
pub mod locks;
pub mod memory_model;
pub mod names;
mod operands;
pub mod origin;
mod parse_label;
pub mod parse_text;
pub mod pool;
pub mod program;
pub mod property;
mod same_program;
pub mod shape;
mod simplify;
pub mod sort;
pub mod span;
pub mod text;
mod text_lexer;
mod text_ops;
pub mod unknown_result;
pub mod validate;
mod well_sorted;

pub use adjacency::{Adjacency, Outgoing, incoming, outgoing};
pub use eval::{ArrayValue, Value};
pub use expr::{BinOp, Const, Expr, ExprId, UnOp};
pub use memory_model::{MemoryModel, is_read_modify_write};
pub use names::Names;
pub use operands::{Substitution, VarsOf};
pub use origin::{Caller, CallerId, Holder, LocOrigin, Origin, Part, Same, Site, number_origins};
pub use parse_text::{ParseError, parse_text};
pub use pool::ExprPool;
pub use program::*;
pub use property::{Property, Violation, Violations};
pub use shape::{Member, Shape, ShapeId, Shapes};
pub use sort::{FloatSort, Sort};
pub use span::{FileId, Span};
pub use text::to_text;
pub use unknown_result::{LibraryFunction, UnknownResult};
pub use validate::validate;
