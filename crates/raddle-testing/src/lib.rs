//! What tests share: builders of Programs, generators of random ones, one generator of random numbers. For tests only.
//!
//! It depends on `raddle-ir` alone, so that the unit tests of every other crate can use it and see no second version of themselves.

mod builder;
mod random;
mod random_program;

pub use builder::{Builder, EXIT, input, load, store};
pub use random::Random;
pub use random_program::random_program;
