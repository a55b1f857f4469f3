//! The C frontend: sources to a Program.
//!
//! The way of the data: `preprocess` reads a file, `lexer` and `parser` make a syntax tree (`ast`), `sema` checks types and links units to
//! the typed tree (`hir`), `lower` makes the Program. `driver` is all of it in one call. Nothing here knows engines or solvers.

pub mod ast;
pub mod diagnostics;
pub mod driver;
pub mod error;
pub mod hir;
pub mod interner;
pub mod lexer;
pub mod library_names;
mod literal;
pub mod lower;
mod output_calls;
mod parse_attr;
mod parse_decl;
mod parse_expr;
mod parse_stmt;
pub mod parser;
pub mod places;
pub mod prelude;
pub mod preprocess;
pub mod probes;
pub mod sema;
pub mod show_ast;
pub mod source;
pub mod token;
pub mod types;
pub mod undefined;
