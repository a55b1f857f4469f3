//! What tests share, for tests only: builders of Programs (`Builder` by ids of locations, `statements` one statement after another), C text in one call, generators
//! of random Programs and of random C, one generator of random numbers, budgets that count questions, JSON against a JSON Schema.
//!
//! Of Raddle's crates it depends on `raddle-ir`, `raddle-c` and `raddle-budget` alone, so that the unit tests of every other crate can use it and see no second version of themselves.

mod budget;
mod builder;
mod c;
pub mod json_schema;
mod random;
pub mod random_c;
mod random_program;
pub mod statements;

pub use budget::budget_of;
pub use builder::{Builder, EXIT, input, load, store};
pub use c::{COUNT, lowered, lowered_counting, lowered_file, lowered_for};
pub use raddle_c::types::DataModel;
pub use random::Random;
pub use random_program::random_program;

/// A number that the environment may change: how many cases to try, say.
pub fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}
