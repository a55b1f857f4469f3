//! Models of the past, 64 at a time: the circuit is simulated on all of them at once (one machine word a node), and a check whose
//! assumptions one of them satisfies needs no search.
//!
//! A model stays good while assertions are taken back, and for new assertions simulation tells. An input that is newer than a
//! model is 0 in it.

use crate::aig::{Aig, Lit, Node};

#[derive(Default)]
pub struct Models {
    /// For each node of the circuit, its value in each of the models.
    values: Vec<u64>,
    /// The models that satisfy all assertions.
    good: u64,
    next: u32,
}

impl Models {
    fn simulate_new_nodes(&mut self, aig: &Aig) {
        for node in self.values.len()..aig.len() {
            let value = match aig.get(node as u32) {
                Node::False | Node::Input => 0,
                Node::And(a, b) => self.lit(a) & self.lit(b),
            };
            self.values.push(value);
        }
    }

    #[inline]
    fn lit(&self, lit: Lit) -> u64 {
        self.values[lit.node() as usize] ^ if lit.is_inverted() { u64::MAX } else { 0 }
    }

    /// Adds a model, in the place of the oldest. Returns its number.
    pub fn add(&mut self, aig: &Aig, mut input: impl FnMut(u32) -> bool) -> u32 {
        let number = self.next;
        self.next = (number + 1) % 64;
        self.good |= 1 << number;
        self.values.resize(aig.len(), 0);
        for &node in aig.inputs() {
            let values = &mut self.values[node as usize];
            *values = *values & !(1 << number) | u64::from(input(node)) << number;
        }
        for node in 1..aig.len() as u32 {
            if let Node::And(a, b) = aig.get(node) {
                self.values[node as usize] = self.lit(a) & self.lit(b);
            }
        }
        number
    }

    /// A model that makes all these literals true.
    pub fn find(&mut self, aig: &Aig, lits: impl IntoIterator<Item = Lit>) -> Option<u32> {
        if self.good == 0 {
            return None;
        }
        self.simulate_new_nodes(aig);
        let all = lits.into_iter().fold(self.good, |all, lit| all & self.lit(lit));
        (all != 0).then(|| all.trailing_zeros())
    }

    /// From now on the literal must be true.
    pub fn demand(&mut self, aig: &Aig, lit: Lit) {
        if self.good != 0 {
            self.simulate_new_nodes(aig);
            self.good &= self.lit(lit);
        }
    }

    pub fn forget(&mut self) {
        *self = Models::default();
    }

    /// The value of an input in a model.
    pub fn value(&self, node: u32, model: u32) -> bool {
        self.values.get(node as usize).is_some_and(|values| values >> model & 1 != 0)
    }
}
