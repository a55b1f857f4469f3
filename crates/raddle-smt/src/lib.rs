//! Solvers for formulas over the IR's expressions.
//!
//! The native solver bit-blasts into an and-inverter graph and runs CaDiCaL in this process; any SMT-LIB 2 solver can run
//! beside it as a process. This crate knows nothing of programs and engines.

mod aig;
mod array_lemmas;
mod arrays;
mod blast;
mod cnf;
mod cores;
mod floats;
mod integers;
mod interpolate;
mod limits;
mod model;
mod models;
mod native;
mod propagator;
pub mod smtlib;
pub mod solver;
mod tables;
mod words;

pub use cnf::SatLit;
pub use integers::{IntegerInterpolator, find_integer_solver, interpolates_integers};
pub use interpolate::{InterpolationFigures, InterpolationOptions, NativeInterpolator, System};
pub use native::{NativeSolver, native_version};
pub use propagator::Propagator;
pub use solver::{Answer, Effort, Interpolation, Interpolator, Interrupt, Solver, SolverError, Statistics, Why};
