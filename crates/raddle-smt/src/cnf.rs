//! Clauses for circuits (Tseitin's transformation), made only for the cones that somebody asks for, and once.
//!
//! Four shapes of gates get clauses of their own, since a variable in between would only slow down propagation:
//! exclusive or, if-then-else, the majority of three (the carry of a full adder), and the AND of many inputs.

use crate::aig::{Aig, Lit, Node};
use crate::limits::Limits;
use crate::solver::Why;
use cadical_sys::CaDiCal;

/// A literal of the SAT solver: a variable's number, negative for its complement. Never 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SatLit(pub i32);

impl std::ops::Not for SatLit {
    type Output = SatLit;

    fn not(self) -> SatLit {
        SatLit(-self.0)
    }
}

/// The inputs of an AND of many are collected up to this number.
const MOST_INPUTS: usize = 30;

/// Which nodes have a variable, and how many clauses and variables there are.
#[derive(Default)]
pub struct Cnf {
    /// The variable of each node; 0 for none.
    variables: Vec<i32>,
    last: i32,
    clauses: u64,
    /// Nodes that have a variable but no clauses yet.
    open: Vec<u32>,
    /// Clauses are added by `complete` only, not at once.
    lazy: bool,
}

/// Where clauses go.
pub trait Clauses {
    fn clause(&mut self, lits: &[SatLit]);
}

impl Clauses for CaDiCal {
    fn clause(&mut self, lits: &[SatLit]) {
        for lit in lits {
            self.add(lit.0);
        }
        self.add(0);
    }
}

impl Cnf {
    /// For a SAT solver that serves several circuits: the variables up to `last` belong to others.
    pub fn after(last: i32) -> Self {
        Cnf { last, ..Cnf::default() }
    }

    /// The last variable in use.
    pub fn last(&self) -> i32 {
        self.last
    }

    /// Gives an input a variable from outside. Call it before anything asks for the input.
    pub fn set_variable(&mut self, node: u32, variable: SatLit) {
        if self.variables.len() <= node as usize {
            self.variables.resize(node as usize + 1, 0);
        }
        self.variables[node as usize] = variable.0;
    }

    /// A variable that stands for no node.
    pub fn fresh(&mut self) -> SatLit {
        self.last += 1;
        SatLit(self.last)
    }

    pub fn variables(&self) -> u64 {
        self.last as u64
    }

    pub fn clauses(&self) -> u64 {
        self.clauses
    }

    pub fn add(&mut self, sat: &mut impl Clauses, clause: &[SatLit]) {
        self.clauses += 1;
        sat.clause(clause);
    }

    /// The variable of a node, if it has one: whether it is true is then for the SAT solver to say.
    pub fn variable(&self, node: u32) -> Option<SatLit> {
        self.variables.get(node as usize).filter(|variable| **variable != 0).map(|variable| SatLit(*variable))
    }

    /// The literal of the SAT solver for a literal of the circuit; clauses for what it depends on are added.
    pub fn literal(&mut self, sat: &mut impl Clauses, aig: &Aig, lit: Lit) -> SatLit {
        let result = self.named(aig, lit);
        while !self.lazy
            && let Some(node) = self.open.pop()
        {
            self.define(sat, aig, node);
        }
        result
    }

    /// Clauses for cones wait until `complete`.
    pub fn lazy() -> Self {
        Cnf { lazy: true, ..Cnf::default() }
    }

    /// Adds the clauses that are missing. After an interrupt, the rest is added next time.
    pub fn complete(&mut self, sat: &mut impl Clauses, aig: &Aig, limits: &Limits) -> Result<(), Why> {
        let mut steps = 0u32;
        while let Some(node) = self.open.pop() {
            self.define(sat, aig, node);
            steps += 1;
            if steps.is_multiple_of(1024) {
                limits.check()?;
            }
        }
        Ok(())
    }

    /// A clause over literals of the circuit.
    pub fn clause(&mut self, sat: &mut impl Clauses, aig: &Aig, lits: &[Lit]) {
        if lits.iter().any(|lit| lit.is(true)) {
            return;
        }
        let lits: Vec<SatLit> =
            lits.iter().filter(|lit| !lit.is(false)).map(|&lit| self.literal(sat, aig, lit)).collect();
        self.add(sat, &lits);
    }

    /// Demands that a literal of the circuit is true, or that `unless` is. A disjunction needs no variable of its own.
    pub fn demand(&mut self, sat: &mut impl Clauses, aig: &Aig, lit: Lit, unless: Option<SatLit>) {
        if lit.is(true) {
            return;
        }
        let node = lit.node();
        let is_disjunction = lit.is_inverted()
            && matches!(aig.get(node), Node::And(..))
            && self.variable(node).is_none()
            && aig.as_ite(node).is_none();
        let lits = match is_disjunction {
            _ if lit.is(false) => Vec::new(),
            true => self.conjuncts(aig, node).into_iter().map(|lit| !lit).collect(),
            false => vec![lit],
        };
        let clause: Vec<SatLit> = lits.into_iter().map(|lit| self.literal(sat, aig, lit)).chain(unless).collect();
        self.add(sat, &clause);
    }

    /// The literal by name; if the name is new, the node still has to be defined.
    fn named(&mut self, aig: &Aig, lit: Lit) -> SatLit {
        let node = lit.node() as usize;
        if self.variables.len() <= node {
            self.variables.resize(aig.len(), 0);
        }
        if self.variables[node] == 0 {
            self.last += 1;
            self.variables[node] = self.last;
            self.open.push(node as u32);
        }
        let variable = self.variables[node];
        SatLit(if lit.is_inverted() { -variable } else { variable })
    }

    fn define(&mut self, sat: &mut impl Clauses, aig: &Aig, node: u32) {
        let out = SatLit(self.variables[node as usize]);
        match aig.get(node) {
            Node::Input => {}
            Node::False => self.add(sat, &[!out]),
            Node::And(..) => {
                if let Some((c, a, b)) = aig.as_ite(node) {
                    match as_majority(aig, c, a, b) {
                        Some(three) => self.majority(sat, aig, out, three),
                        None => self.ite(sat, aig, out, c, a, b),
                    }
                } else {
                    self.many(sat, aig, out, node);
                }
            }
        }
    }

    fn ite(&mut self, sat: &mut impl Clauses, aig: &Aig, out: SatLit, c: Lit, a: Lit, b: Lit) {
        let (x, y, z) = (self.named(aig, c), self.named(aig, a), self.named(aig, b));
        self.add(sat, &[!x, !y, out]);
        self.add(sat, &[!x, y, !out]);
        self.add(sat, &[x, !z, out]);
        self.add(sat, &[x, z, !out]);
        if a != !b {
            // Implied, and helps propagation where the condition is open.
            self.add(sat, &[!y, !z, out]);
            self.add(sat, &[y, z, !out]);
        }
    }

    fn majority(&mut self, sat: &mut impl Clauses, aig: &Aig, out: SatLit, three: [Lit; 3]) {
        let [x, y, z] = three.map(|lit| self.named(aig, lit));
        for (p, q) in [(x, y), (x, z), (y, z)] {
            self.add(sat, &[!p, !q, out]);
            self.add(sat, &[p, q, !out]);
        }
    }

    /// The inputs of an AND, through those that are ANDs for nobody else.
    fn conjuncts(&self, aig: &Aig, node: u32) -> Vec<Lit> {
        let mut inputs: Vec<Lit> = Vec::new();
        let mut open = vec![Lit::new(node, false)];
        while let Some(lit) = open.pop() {
            match aig.get(lit.node()) {
                Node::And(a, b)
                    if lit.node() == node
                        || (!lit.is_inverted()
                            && aig.uses(lit.node()) == 1
                            && inputs.len() + open.len() < MOST_INPUTS
                            && self.variable(lit.node()).is_none()
                            && aig.as_ite(lit.node()).is_none()) =>
                {
                    open.extend([b, a]);
                }
                _ => inputs.push(lit),
            }
        }
        inputs
    }

    fn many(&mut self, sat: &mut impl Clauses, aig: &Aig, out: SatLit, node: u32) {
        let inputs: Vec<SatLit> = self.conjuncts(aig, node).into_iter().map(|lit| self.named(aig, lit)).collect();
        for &input in &inputs {
            self.add(sat, &[input, !out]);
        }
        let all: Vec<SatLit> = inputs.iter().map(|&input| !input).chain([out]).collect();
        self.add(sat, &all);
    }
}

/// `if p ≠ q then a else p` is the majority of p, q and a.
fn as_majority(aig: &Aig, c: Lit, a: Lit, b: Lit) -> Option<[Lit; 3]> {
    let (p, differ, same) = aig.as_ite(c.node())?;
    if differ != !same {
        return None;
    }
    // The node of c is `p ≠ same`, and c may be its complement.
    let (p, q) = (p, same ^ c.is_inverted());
    if b == p || b == q {
        return Some([p, q, a]);
    }
    // With both inputs complemented the condition is the same.
    if b == !p || b == !q {
        return Some([!p, !q, a]);
    }
    None
}
