//! And-inverter graphs: circuits of two-input ANDs and inverters, each gate once.
//!
//! A gate is found again by its inputs (structural hashing), and before one is made, the rules of Brummayer and Biere
//! ("Local Two-Level And-Inverter Graph Minimization without Blowup", 2006) look one level below the inputs: they find
//! constants, repeated and contradicting inputs, and never add more than the one gate. Inverters are a bit in the literal.
//!
//! Nodes are numbered from 0 (the constant false) and refer only to smaller numbers, so that a pass over the node array
//! is a pass from inputs to outputs.

use crate::limits::Limits;
use std::ops::{BitXor, Not};

/// A node or its complement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lit(u32);

impl Lit {
    pub const FALSE: Lit = Lit(0);
    pub const TRUE: Lit = Lit(1);

    #[inline]
    pub fn new(node: u32, inverted: bool) -> Lit {
        Lit(node << 1 | u32::from(inverted))
    }

    #[inline]
    pub fn constant(value: bool) -> Lit {
        Lit(u32::from(value))
    }

    #[inline]
    pub fn node(self) -> u32 {
        self.0 >> 1
    }

    #[inline]
    pub fn is_inverted(self) -> bool {
        self.0 & 1 != 0
    }

    #[inline]
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// Is it the constant of that value?
    #[inline]
    pub fn is(self, value: bool) -> bool {
        self == Lit::constant(value)
    }
}

impl Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// The literal, complemented if the flag is set.
impl BitXor<bool> for Lit {
    type Output = Lit;

    #[inline]
    fn bitxor(self, invert: bool) -> Lit {
        Lit(self.0 ^ u32::from(invert))
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// Node 0.
    False,
    Input,
    And(Lit, Lit),
}

/// In place of a gate's first input: the node is an input.
const INPUT: Lit = Lit(u32::MAX);

pub struct Aig {
    /// The two inputs of each gate, the larger first; 8 bytes a node.
    nodes: Vec<(Lit, Lit)>,
    /// How many gates have the node as an input, up to 255.
    uses: Vec<u8>,
    inputs: Vec<u32>,
    /// Open addressing: node numbers by the hash of their inputs, 0 for a free place; a power of two long.
    table: Vec<u32>,
    gates: usize,
    /// Who builds a large circuit asks these every now and then whether to go on.
    limits: Option<Limits>,
    stopped: bool,
}

impl Default for Aig {
    fn default() -> Self {
        Aig {
            nodes: vec![(Lit::FALSE, Lit::FALSE)],
            uses: vec![0],
            inputs: Vec::new(),
            table: vec![0; 1 << 10],
            gates: 0,
            limits: None,
            stopped: false,
        }
    }
}

impl Aig {
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn limit(&mut self, limits: &Limits) {
        self.limits = Some(limits.clone());
        self.stopped = false;
    }

    /// Is it time to stop? What is built then is of no use to anybody, and the one who asked for it must look here as well.
    pub(crate) fn is_stopped(&mut self) -> bool {
        self.stopped |= self.limits.as_ref().is_some_and(|limits| limits.why().is_some());
        self.stopped
    }

    /// The same for a circuit that is made in one go, however large: it does not fit into a slice of time, and would never be done if it began anew
    /// with each.
    pub(crate) fn is_interrupted(&mut self) -> bool {
        self.stopped |= self.limits.as_ref().is_some_and(|limits| limits.interrupt.is_stopped());
        self.stopped
    }

    /// Did somebody stop on the way?
    pub(crate) fn was_stopped(&self) -> bool {
        self.stopped
    }

    /// How many nodes there are; all of them have smaller numbers.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub fn get(&self, node: u32) -> Node {
        match self.nodes[node as usize] {
            (INPUT, _) => Node::Input,
            _ if node == 0 => Node::False,
            (a, b) => Node::And(a, b),
        }
    }

    /// How many gates have the node as an input, up to 255.
    #[inline]
    pub fn uses(&self, node: u32) -> u8 {
        self.uses[node as usize]
    }

    pub fn input(&mut self) -> Lit {
        let lit = self.push((INPUT, INPUT));
        self.inputs.push(lit.node());
        lit
    }

    /// The nodes that are inputs, in the order in which they were made.
    pub fn inputs(&self) -> &[u32] {
        &self.inputs
    }

    fn push(&mut self, node: (Lit, Lit)) -> Lit {
        let id = self.nodes.len() as u32;
        assert!(id < u32::MAX / 2, "the circuit is too large");
        self.nodes.push(node);
        self.uses.push(0);
        Lit::new(id, false)
    }

    /// The inputs of the gate that a literal names, whether complemented or not.
    #[inline]
    fn gate(&self, lit: Lit) -> Option<(Lit, Lit)> {
        match self.get(lit.node()) {
            Node::And(a, b) => Some((a, b)),
            _ => None,
        }
    }

    pub fn and(&mut self, mut a: Lit, mut b: Lit) -> Lit {
        loop {
            if a < b {
                std::mem::swap(&mut a, &mut b);
            }
            // b is the smaller: a constant is there.
            if b.is_constant() || a == b {
                return if b.is(false) { b } else { a };
            }
            if a == !b {
                return Lit::FALSE;
            }
            match self.rewrite(a, b) {
                Rewritten::Is(lit) => return lit,
                Rewritten::And(c, d) => (a, b) = (c, d),
                Rewritten::No => return self.hashed(a, b),
            }
        }
    }

    /// The two-level rules, for two different literals that are no constants.
    fn rewrite(&self, a: Lit, b: Lit) -> Rewritten {
        let (inner_a, inner_b) = (self.gate(a), self.gate(b));
        for (x, inner, y) in [(a, inner_a, b), (b, inner_b, a)] {
            let Some((p, q)) = inner else { continue };
            if x.is_inverted() {
                // ¬(p ∧ q) ∧ y
                if p == !y || q == !y {
                    return Rewritten::Is(y);
                }
                if p == y {
                    return Rewritten::And(!q, y);
                }
                if q == y {
                    return Rewritten::And(!p, y);
                }
            } else {
                // (p ∧ q) ∧ y
                if p == !y || q == !y {
                    return Rewritten::Is(Lit::FALSE);
                }
                if p == y || q == y {
                    return Rewritten::Is(x);
                }
            }
        }
        let (Some((p, q)), Some((r, s))) = (inner_a, inner_b) else { return Rewritten::No };
        match (a.is_inverted(), b.is_inverted()) {
            (false, false) => {
                // (p ∧ q) ∧ (r ∧ s)
                if p == !r || p == !s || q == !r || q == !s {
                    Rewritten::Is(Lit::FALSE)
                } else if p == r || q == r {
                    Rewritten::And(a, s)
                } else if p == s || q == s {
                    Rewritten::And(a, r)
                } else {
                    Rewritten::No
                }
            }
            (true, false) => Self::rewrite_mixed((p, q), (r, s), b),
            (false, true) => Self::rewrite_mixed((r, s), (p, q), a),
            (true, true) => {
                // ¬(p ∧ q) ∧ ¬(r ∧ s), where the two differ in one input
                if (p == r && q == !s) || (p == s && q == !r) {
                    Rewritten::Is(!p)
                } else if (q == r && p == !s) || (q == s && p == !r) {
                    Rewritten::Is(!q)
                } else {
                    Rewritten::No
                }
            }
        }
    }

    /// ¬(p ∧ q) ∧ (r ∧ s), where `b` is the second.
    fn rewrite_mixed((p, q): (Lit, Lit), (r, s): (Lit, Lit), b: Lit) -> Rewritten {
        if p == !r || p == !s || q == !r || q == !s {
            Rewritten::Is(b)
        } else if p == r || p == s {
            Rewritten::And(!q, b)
        } else if q == r || q == s {
            Rewritten::And(!p, b)
        } else {
            Rewritten::No
        }
    }

    /// The gate of two inputs, the larger first.
    fn hashed(&mut self, a: Lit, b: Lit) -> Lit {
        if (self.gates + 1) * 2 > self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut probe = Probe::new(a, b);
        let place = loop {
            let place = probe.next() & mask;
            match self.table[place] {
                0 => break place,
                node if self.nodes[node as usize] == (a, b) => return Lit::new(node, false),
                _ => {}
            }
        };
        let lit = self.push((a, b));
        self.table[place] = lit.node();
        self.gates += 1;
        for input in [a, b] {
            let uses = &mut self.uses[input.node() as usize];
            *uses = uses.saturating_add(1);
        }
        lit
    }

    fn grow(&mut self) {
        let mask = self.table.len() * 2 - 1;
        let mut table = vec![0; mask + 1];
        for &node in self.table.iter().filter(|node| **node != 0) {
            let (a, b) = self.nodes[node as usize];
            let mut probe = Probe::new(a, b);
            let mut place = probe.next() & mask;
            while table[place] != 0 {
                place = probe.next() & mask;
            }
            table[place] = node;
        }
        self.table = table;
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        // Complements go to the output, so that one gate serves all four.
        let flip = a.is_inverted() != b.is_inverted();
        let (a, b) = (a ^ a.is_inverted(), b ^ b.is_inverted());
        let both = self.and(a, b);
        let none = self.and(!a, !b);
        self.and(!both, !none) ^ flip
    }

    pub fn ite(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        if a == b {
            return a;
        }
        if a == !b {
            return !self.xor(c, a);
        }
        if c.is_inverted() {
            return self.ite(!c, b, a);
        }
        // The complement of a is as good an output as a.
        if a.is_inverted() {
            return !self.ite(c, !a, !b);
        }
        let then = self.and(c, a);
        let otherwise = self.and(!c, b);
        self.or(then, otherwise)
    }

    pub fn and_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        self.tree(lits.into_iter().collect(), Self::and).unwrap_or(Lit::TRUE)
    }

    pub fn or_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.and_all(lits.into_iter().map(|lit| !lit).collect::<Vec<_>>())
    }

    /// Combines all literals by a balanced tree.
    fn tree(&mut self, mut lits: Vec<Lit>, mut f: impl FnMut(&mut Self, Lit, Lit) -> Lit) -> Option<Lit> {
        while lits.len() > 1 {
            let pairs = lits.len() / 2;
            for i in 0..pairs {
                lits[i] = f(self, lits[2 * i], lits[2 * i + 1]);
            }
            if lits.len() % 2 == 1 {
                lits[pairs] = lits[lits.len() - 1];
                lits.truncate(pairs + 1);
            } else {
                lits.truncate(pairs);
            }
        }
        lits.pop()
    }

    /// If a node is `if c then a else b`, as `ite` and `xor` make them: `(c, a, b)`.
    pub fn as_ite(&self, node: u32) -> Option<(Lit, Lit, Lit)> {
        let Node::And(x, y) = self.get(node) else { return None };
        if !x.is_inverted() || !y.is_inverted() {
            return None;
        }
        // ¬(p ∧ q) ∧ ¬(r ∧ s) with p = ¬r: if p then ¬q else ¬s
        let ((p, q), (r, s)) = (self.gate(x)?, self.gate(y)?);
        match () {
            () if p == !r => Some((p, !q, !s)),
            () if p == !s => Some((p, !q, !r)),
            () if q == !r => Some((q, !p, !s)),
            () if q == !s => Some((q, !p, !r)),
            () => None,
        }
    }
}

enum Rewritten {
    Is(Lit),
    And(Lit, Lit),
    No,
}

/// Where a gate may be in the table. Gates that are made one after the other lie close together at first, which caches like; a literal with very many
/// gates would fill its neighbourhood, so after a few places the search goes far away, each gate its own way.
struct Probe {
    place: usize,
    step: usize,
    near: u32,
}

impl Probe {
    #[inline]
    fn new(a: Lit, b: Lit) -> Probe {
        let spread = (b.0.wrapping_mul(0x9e37_79b1) >> 22) as usize;
        let far = (u64::from(a.0) << 32 | u64::from(b.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        Probe { place: (a.0 as usize) ^ spread, step: far as usize | 1, near: 8 }
    }

    #[inline]
    fn next(&mut self) -> usize {
        let place = self.place;
        let step = if self.near > 0 { 1 } else { self.step };
        self.near = self.near.saturating_sub(1);
        self.place = place.wrapping_add(step);
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_testing::Random;

    fn value(aig: &Aig, lit: Lit, inputs: u32) -> bool {
        let mut values: Vec<bool> = Vec::new();
        let mut next = 0;
        for node in 0..aig.len() as u32 {
            let read = |lit: Lit| values[lit.node() as usize] != lit.is_inverted();
            let value = match aig.get(node) {
                Node::False => false,
                Node::Input => {
                    next += 1;
                    inputs >> (next - 1) & 1 != 0
                }
                Node::And(a, b) => read(a) && read(b),
            };
            values.push(value);
        }
        values[lit.node() as usize] != lit.is_inverted()
    }

    /// All circuits of a few random gates over four inputs compute what the unsimplified ones would.
    #[test]
    fn rewriting_keeps_the_function() {
        let mut numbers = Random::new(1);
        let mut random = |n: u32| numbers.below(n.into()) as u32;
        for _ in 0..2000 {
            let mut aig = Aig::new();
            // A truth table of 16 bits beside each literal.
            let tables = [0xaaaau16, 0xcccc, 0xf0f0, 0xff00];
            let mut made: Vec<(Lit, u16)> = tables.iter().map(|table| (aig.input(), *table)).collect();
            for _ in 0..12 {
                let mut pick = || {
                    let (lit, table) = made[random(made.len() as u32) as usize];
                    if random(2) == 0 { (lit, table) } else { (!lit, !table) }
                };
                let ((a, x), (b, y), (c, z)) = (pick(), pick(), pick());
                made.push(match random(4) {
                    0 | 1 => (aig.and(a, b), x & y),
                    2 => (aig.xor(a, b), x ^ y),
                    _ => (aig.ite(c, a, b), z & x | !z & y),
                });
            }
            for (lit, table) in made {
                for inputs in 0..16 {
                    assert_eq!(value(&aig, lit, inputs), table >> inputs & 1 != 0);
                }
                if let Some((c, a, b)) = aig.as_ite(lit.node()) {
                    for inputs in 0..16 {
                        let chosen = if value(&aig, c, inputs) { a } else { b };
                        assert_eq!(value(&aig, Lit::new(lit.node(), false), inputs), value(&aig, chosen, inputs));
                    }
                }
            }
        }
    }

    #[test]
    fn equal_gates_are_one() {
        let mut aig = Aig::new();
        let (a, b) = (aig.input(), aig.input());
        let both = aig.and(a, b);
        assert_eq!(aig.and(b, a), both);
        assert_eq!(aig.and(both, a), both);
        assert_eq!(aig.and(both, !a), Lit::FALSE);
        let differ = aig.xor(a, b);
        assert_eq!(aig.xor(!a, b), !differ);
        assert_eq!(aig.xor(differ, b).node(), aig.xor(b, differ).node());
    }
}
