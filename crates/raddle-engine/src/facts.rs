//! What a run learned that a later one can start from, each with the condition under which it holds.

use raddle_ir::MemoryModel;
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Facts {
    /// Unrollings without a violation.
    pub safe_within: Vec<SafeWithin>,
}

/// No execution violates the property in which each loop whose number of iterations is not known has at most so many.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SafeWithin {
    pub bound: u32,
    /// Under this memory model; a stronger one has fewer executions.
    pub memory_model: MemoryModel,
}

impl Facts {
    /// The largest bound within which there is no violation under a memory model.
    pub fn bound(&self, memory_model: MemoryModel) -> Option<u32> {
        let same = self.safe_within.iter().filter(|fact| fact.memory_model == memory_model);
        same.map(|fact| fact.bound).max()
    }

    pub fn add(&mut self, other: Facts) {
        for fact in other.safe_within {
            if !self.safe_within.contains(&fact) {
                self.safe_within.push(fact);
            }
        }
    }
}
