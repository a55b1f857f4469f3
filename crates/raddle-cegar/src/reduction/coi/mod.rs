//! Cone of influence (thesis 2, chapter 4): statements whose results no condition can ever depend on need not be evaluated.
//!
//! `raddle_passes::static_coi` removes them from the Program once and for all; `dcoi` decides anew for each abstract state, by where the threads are and what is
//! tracked, on the graph of `data_flow`.

mod data_flow;
mod dcoi;
#[cfg(test)]
mod tests;

pub use dcoi::Dcoi;
