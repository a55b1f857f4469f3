//! The abstract reachability graph: its nodes (`arg`), how it is built (`abstractor`), which node is expanded next (`waitlist`), and which nodes cover others
//! (`covering`).

pub mod abstractor;
pub mod arg;
pub mod covering;
pub mod dot;
pub mod waitlist;
