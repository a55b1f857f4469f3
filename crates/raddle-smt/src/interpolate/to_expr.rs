//! From circuits back to expressions over the variables whose bits are the inputs.
//!
//! Chains of ANDs are collected, if-then-else and equivalence are recognised, and what a conjunction says about neighbouring bits of a variable
//! is said at once: `x[7:4] = 3`, `x = y`. What is planned first costs nothing in the pool: so its size is known before it is made.

use crate::aig::{Aig, Lit, Node};
use raddle_ir::{BinOp, ExprId, ExprPool, Sort, UnOp};
use rustc_hash::FxHashMap;

/// How one node is to be expressed.
enum View {
    /// If the first then the second, else the third.
    Choice(Lit, Lit, Lit),
    All(Vec<Run>, Vec<Lit>),
}

/// Something about the bits `low ..= high` of a variable.
enum Run {
    Constant { var: ExprId, low: u8, high: u8, value: u128 },
    Same { vars: (ExprId, ExprId), low: u8, high: u8 },
}

/// How a circuit is to be expressed: its nodes from inputs to output.
pub struct Plan {
    root: Lit,
    views: Vec<(u32, View)>,
}

/// Plans the expression of a literal. `bits` tells the variable and the bit of each input: node `i + 1` is `bits[i]`.
pub fn plan(aig: &Aig, bits: &[(ExprId, u8)], root: Lit) -> Plan {
    let uses = uses_below(aig, root);
    let mut needed: FxHashMap<u32, ()> = FxHashMap::default();
    let mut order = std::collections::BinaryHeap::new();
    let mut need = |lit: Lit, order: &mut std::collections::BinaryHeap<u32>| {
        if !lit.is_constant() && needed.insert(lit.node(), ()).is_none() {
            order.push(lit.node());
        }
    };
    need(root, &mut order);
    let mut views = Vec::new();
    while let Some(node) = order.pop() {
        let view = match aig.as_ite(node) {
            Some((c, a, b)) => {
                need(c, &mut order);
                need(a, &mut order);
                // The complement of the other branch is no new node.
                need(b, &mut order);
                View::Choice(c, a, b)
            }
            None => {
                let (runs, rest) = runs(aig, bits, conjuncts(aig, &uses, node));
                rest.iter().for_each(|&lit| need(lit, &mut order));
                View::All(runs, rest)
            }
        };
        views.push((node, view));
    }
    views.reverse();
    Plan { root, views }
}

impl Plan {
    /// How many nodes the expression has, about.
    pub fn size(&self) -> usize {
        let size = |view: &View| match view {
            View::Choice(..) => 1,
            View::All(runs, rest) => 3 * runs.len() + (runs.len() + rest.len()).saturating_sub(1),
        };
        self.views.iter().map(|(_, view)| size(view)).sum::<usize>().max(1)
    }

    pub fn build(&self, pool: &mut ExprPool) -> ExprId {
        let mut made: FxHashMap<u32, ExprId> = FxHashMap::default();
        for (node, view) in &self.views {
            let get = |pool: &mut ExprPool, lit: Lit| literal(pool, &made, lit);
            let id = match view {
                View::Choice(c, a, b) => {
                    let (x, y) = (get(pool, *c), get(pool, *a));
                    if *a == !*b {
                        pool.binary(BinOp::Eq, x, y)
                    } else {
                        let z = get(pool, *b);
                        pool.ite(x, y, z)
                    }
                }
                View::All(runs, rest) => {
                    let mut parts: Vec<ExprId> = runs.iter().map(|run| express(pool, run)).collect();
                    parts.extend(rest.iter().map(|&lit| get(pool, lit)));
                    conjunction(pool, &parts)
                }
            };
            made.insert(*node, id);
        }
        literal(pool, &made, self.root)
    }
}

pub fn conjunction(pool: &mut ExprPool, parts: &[ExprId]) -> ExprId {
    let mut all = None;
    for &part in parts {
        all = Some(match all {
            None => part,
            Some(all) => pool.and(all, part),
        });
    }
    all.unwrap_or_else(|| pool.bool(true))
}

fn literal(pool: &mut ExprPool, made: &FxHashMap<u32, ExprId>, lit: Lit) -> ExprId {
    match made.get(&lit.node()) {
        Some(&id) if lit.is_inverted() => pool.not(id),
        Some(&id) => id,
        None => pool.bool(lit.is(true)),
    }
}

fn express(pool: &mut ExprPool, run: &Run) -> ExprId {
    match *run {
        Run::Constant { var, low, high, value } => {
            if pool.sort(var) == Sort::Bool {
                return if value == 0 { pool.not(var) } else { var };
            }
            let word = slice(pool, var, low, high);
            let value = pool.bits(high - low + 1, value);
            pool.eq(word, value)
        }
        Run::Same { vars: (a, b), low, high } => {
            if pool.sort(a) == Sort::Bool && pool.sort(b) == Sort::Bool {
                return pool.eq(a, b);
            }
            let (x, y) = (slice(pool, a, low, high), slice(pool, b, low, high));
            pool.eq(x, y)
        }
    }
}

/// Some bits of a variable that is no array.
fn slice(pool: &mut ExprPool, var: ExprId, low: u8, high: u8) -> ExprId {
    let word = match pool.sort(var) {
        Sort::Float(_) => pool.unary(UnOp::FToBits, var),
        Sort::Bool => {
            let (one, zero) = (pool.bits(1, 1), pool.bits(1, 0));
            pool.ite(var, one, zero)
        }
        _ => var,
    };
    pool.extract(high, low, word)
}

/// How often each node is used below a root.
fn uses_below(aig: &Aig, root: Lit) -> FxHashMap<u32, u32> {
    let mut uses: FxHashMap<u32, u32> = FxHashMap::default();
    let mut open = vec![root.node()];
    while let Some(node) = open.pop() {
        let Node::And(a, b) = aig.get(node) else { continue };
        for lit in [a, b] {
            let count = uses.entry(lit.node()).or_insert(0);
            *count += 1;
            if *count == 1 {
                open.push(lit.node());
            }
        }
    }
    uses
}

/// The inputs of an AND, through those that are used nowhere else.
fn conjuncts(aig: &Aig, uses: &FxHashMap<u32, u32>, node: u32) -> Vec<Lit> {
    let mut inputs = Vec::new();
    let mut open = vec![Lit::new(node, false)];
    while let Some(lit) = open.pop() {
        match aig.get(lit.node()) {
            Node::And(a, b)
                if lit.node() == node
                    || (!lit.is_inverted()
                        && uses.get(&lit.node()) == Some(&1)
                        && aig.as_ite(lit.node()).is_none()) =>
            {
                open.extend([b, a]);
            }
            _ => inputs.push(lit),
        }
    }
    inputs
}

/// Collects what conjuncts say about single bits; the rest are the conjuncts that say something else.
fn runs(aig: &Aig, bits: &[(ExprId, u8)], conjuncts: Vec<Lit>) -> (Vec<Run>, Vec<Lit>) {
    let input = |lit: Lit| match aig.get(lit.node()) {
        Node::Input => bits.get(lit.node() as usize - 1).copied(),
        _ => None,
    };
    let mut constants: Vec<(ExprId, u8, bool)> = Vec::new();
    let mut same: Vec<(ExprId, ExprId, u8)> = Vec::new();
    let mut rest = Vec::new();
    for lit in conjuncts {
        if let Some((var, bit)) = input(lit) {
            constants.push((var, bit, !lit.is_inverted()));
            continue;
        }
        // An equivalence of two inputs: if c then a else ¬a.
        let equivalence = aig.as_ite(lit.node()).filter(|(_, a, b)| *a == !*b);
        let sides = equivalence.and_then(|(c, a, _)| {
            let flipped = c.is_inverted() != a.is_inverted();
            (flipped == lit.is_inverted()).then_some((input(c)?, input(a)?))
        });
        match sides {
            Some(((x, i), (y, j))) if i == j => same.push((x.min(y), x.max(y), i)),
            _ => rest.push(lit),
        }
    }
    constants.sort_unstable();
    same.sort_unstable();
    let mut runs: Vec<Run> = Vec::new();
    for (bit_of, bit, is_one) in constants {
        match runs.last_mut() {
            Some(Run::Constant { var, low, high, value }) if *var == bit_of && *high + 1 == bit => {
                *high = bit;
                *value |= u128::from(is_one) << (bit - *low);
            }
            _ => runs.push(Run::Constant { var: bit_of, low: bit, high: bit, value: is_one.into() }),
        }
    }
    for (a, b, bit) in same {
        match runs.last_mut() {
            Some(Run::Same { vars, high, .. }) if *vars == (a, b) && *high + 1 == bit => *high = bit,
            _ => runs.push(Run::Same { vars: (a, b), low: bit, high: bit }),
        }
    }
    (runs, rest)
}
