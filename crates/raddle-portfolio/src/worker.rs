//! Workers: each run of an engine is a process of its own, so that whatever happens to it happens to that run alone.
//!
//! A worker is the same binary with a hidden command. `serve` is its side: it reads a job from standard input, runs the engine, and tells on standard output how far
//! it is and what came of it. `process` is the other side. `message` is what they say to each other.

pub mod message;
pub mod process;
pub mod serve;
