//! Terms over integers and truth values: what a translated formula is made of, and what a solver's interpolant is read into.
//!
//! They live in an arena, one copy of each, operands before what they are operands of. Each integer term has a range, given that every leaf is
//! within the range of the bit-vector that it is the value of.

use super::ranges::{Range, View};
use raddle_ir::ExprId;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TermId(u32);

impl TermId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    Truth(bool),
    /// A Bool expression as a whole.
    Holds(ExprId),
    Not(TermId),
    And(TermId, TermId),
    Or(TermId, TermId),
    /// Of truth values.
    Iff(TermId, TermId),
    /// Of integers.
    Eq(TermId, TermId),
    Le(TermId, TermId),
    /// Of either sort.
    Ite(TermId, TermId, TermId),
    Number(i128),
    /// The value of a bit-vector expression as a whole.
    Value(ExprId, View),
    Add(TermId, TermId),
    Mul(TermId, TermId),
    /// Rounded down, by a positive number, and the remainder of that.
    Div(TermId, i128),
    Mod(TermId, i128),
}

impl Term {
    pub fn operands(self) -> impl Iterator<Item = TermId> {
        let (a, b, c) = match self {
            Term::Truth(_) | Term::Holds(_) | Term::Number(_) | Term::Value(..) => (None, None, None),
            Term::Not(a) | Term::Div(a, _) | Term::Mod(a, _) => (Some(a), None, None),
            Term::And(a, b) | Term::Or(a, b) | Term::Iff(a, b) | Term::Eq(a, b) => (Some(a), Some(b), None),
            Term::Le(a, b) | Term::Add(a, b) | Term::Mul(a, b) => (Some(a), Some(b), None),
            Term::Ite(c, a, b) => (Some(c), Some(a), Some(b)),
        };
        [a, b, c].into_iter().flatten()
    }
}

#[derive(Default)]
pub struct Terms {
    /// With its range; a truth value has none.
    nodes: Vec<(Term, Option<Range>)>,
    ids: FxHashMap<Term, TermId>,
}

impl Terms {
    pub fn get(&self, id: TermId) -> Term {
        self.nodes[id.index()].0
    }

    pub fn find(&self, term: Term) -> Option<TermId> {
        self.ids.get(&term).copied()
    }

    pub fn is_int(&self, id: TermId) -> bool {
        self.nodes[id.index()].1.is_some()
    }

    /// The range of an integer term.
    pub fn range(&self, id: TermId) -> Range {
        self.nodes[id.index()].1.unwrap_or(Range::new(0, 1))
    }

    /// Everything below (and with) a term, operands first.
    pub fn below(&self, root: TermId) -> Vec<TermId> {
        let mut is_below = vec![false; root.index() + 1];
        is_below[root.index()] = true;
        let mut result = Vec::new();
        for index in (0..=root.index()).rev() {
            if is_below[index] {
                result.push(TermId(index as u32));
                self.nodes[index].0.operands().for_each(|operand| is_below[operand.index()] = true);
            }
        }
        result.reverse();
        result
    }

    fn intern(&mut self, term: Term, range: Option<Range>) -> TermId {
        let nodes = &mut self.nodes;
        *self.ids.entry(term).or_insert_with(|| {
            nodes.push((term, range));
            TermId((nodes.len() - 1) as u32)
        })
    }

    pub fn number(&mut self, value: i128) -> TermId {
        self.intern(Term::Number(value), Some(Range::of(value)))
    }

    pub fn value(&mut self, expr: ExprId, width: u8, view: View) -> TermId {
        self.intern(Term::Value(expr, view), Some(Range::of_bits(width, view)))
    }

    pub fn truth(&mut self, value: bool) -> TermId {
        self.intern(Term::Truth(value), None)
    }

    pub fn holds(&mut self, expr: ExprId) -> TermId {
        self.intern(Term::Holds(expr), None)
    }

    pub fn not(&mut self, a: TermId) -> TermId {
        match self.get(a) {
            Term::Truth(value) => self.truth(!value),
            Term::Not(inner) => inner,
            _ => self.intern(Term::Not(a), None),
        }
    }

    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.get(a), self.get(b)) {
            (Term::Truth(true), _) => b,
            (_, Term::Truth(true)) => a,
            (Term::Truth(false), _) => a,
            (_, Term::Truth(false)) => b,
            _ if a == b => a,
            _ => self.intern(Term::And(a, b), None),
        }
    }

    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.not(a), self.not(b));
        match (self.get(a), self.get(b)) {
            (Term::Not(a), Term::Not(b)) => self.intern(Term::Or(a, b), None),
            _ => {
                let both = self.and(a, b);
                self.not(both)
            }
        }
    }

    pub fn iff(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.get(a), self.get(b)) {
            (Term::Truth(true), _) => b,
            (_, Term::Truth(true)) => a,
            (Term::Truth(false), _) => self.not(b),
            (_, Term::Truth(false)) => self.not(a),
            _ if a == b => self.truth(true),
            _ => self.intern(Term::Iff(a, b), None),
        }
    }

    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        let (of_a, of_b) = (self.range(a), self.range(b));
        match () {
            () if a == b => self.truth(true),
            () if of_a.high < of_b.low || of_b.high < of_a.low => self.truth(false),
            () if of_a.only().is_some() && of_a == of_b => self.truth(true),
            () => self.intern(Term::Eq(a, b), None),
        }
    }

    pub fn le(&mut self, a: TermId, b: TermId) -> TermId {
        let (of_a, of_b) = (self.range(a), self.range(b));
        match () {
            () if a == b || of_a.high <= of_b.low => self.truth(true),
            () if of_b.high < of_a.low => self.truth(false),
            () => self.intern(Term::Le(a, b), None),
        }
    }

    pub fn lt(&mut self, a: TermId, b: TermId) -> TermId {
        let other = self.le(b, a);
        self.not(other)
    }

    pub fn ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        let range = self.is_int(a).then(|| self.range(a).hull(self.range(b)));
        self.ite_within(c, a, b, range)
    }

    /// A choice of which more is known than what both sides have in common.
    pub fn ite_within(&mut self, c: TermId, a: TermId, b: TermId, range: Option<Range>) -> TermId {
        match self.get(c) {
            Term::Truth(true) => a,
            Term::Truth(false) => b,
            _ if a == b => a,
            _ => self.intern(Term::Ite(c, a, b), range),
        }
    }

    pub fn add(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (of_a, of_b) = (self.range(a), self.range(b));
        let range = of_a.add(of_b)?;
        Some(match (of_a.only(), of_b.only(), self.get(a)) {
            (Some(_), Some(_), _) => self.number(range.low),
            (Some(0), ..) => b,
            (_, Some(0), _) => a,
            (Some(_), ..) => return self.add(b, a),
            // Numbers come together at the end.
            (_, Some(more), Term::Add(inner, number)) if let Term::Number(number) = self.get(number) => {
                let sum = self.number(number.checked_add(more)?);
                return self.add(inner, sum);
            }
            _ => self.intern(Term::Add(a, b), Some(range)),
        })
    }

    pub fn mul(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (of_a, of_b) = (self.range(a), self.range(b));
        let range = of_a.mul(of_b)?;
        Some(match (of_a.only(), of_b.only()) {
            (Some(_), Some(_)) => self.number(range.low),
            (Some(0), _) | (_, Some(1)) => a,
            (_, Some(0)) | (Some(1), _) => b,
            (_, Some(_)) => return self.mul(b, a),
            _ => self.intern(Term::Mul(a, b), Some(range)),
        })
    }

    /// That a leaf is within its range. The simplifying constructors know it, so they cannot say it.
    pub fn is_in_range(&mut self, leaf: TermId) -> TermId {
        let range = self.range(leaf);
        let (low, high) = (self.number(range.low), self.number(range.high));
        let (above, below) = (self.intern(Term::Le(low, leaf), None), self.intern(Term::Le(leaf, high), None));
        self.and(above, below)
    }

    pub fn scale(&mut self, a: TermId, by: i128) -> Option<TermId> {
        let by = self.number(by);
        self.mul(by, a)
    }

    pub fn shift(&mut self, a: TermId, by: i128) -> Option<TermId> {
        let by = self.number(by);
        self.add(a, by)
    }

    pub fn div(&mut self, a: TermId, by: i128) -> Option<TermId> {
        if by <= 0 {
            return None;
        }
        let range = self.range(a).div(by);
        Some(match range.only() {
            Some(value) => self.number(value),
            None if by == 1 => a,
            None => self.intern(Term::Div(a, by), Some(range)),
        })
    }

    pub fn rem(&mut self, a: TermId, by: i128) -> Option<TermId> {
        if by <= 0 {
            return None;
        }
        let before = self.range(a);
        let range = before.rem(by);
        Some(match range.only() {
            Some(value) => self.number(value),
            None if before.is_within(Range::new(0, by - 1)) => a,
            None => self.intern(Term::Mod(a, by), Some(range)),
        })
    }
}
