//! Addresses as linear forms: how an access is compared with a cell, and which values of its variables make the two the same.
//!
//! A form is a sum of atoms with coefficients, modulo 2^width. An atom is any other expression: a variable, or the extension of an index.

use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Sort, UnOp, VarId};
use rustc_hash::FxHashMap;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linear {
    width: u8,
    /// In the order of the atoms; no coefficient is zero. Coefficients are signed and fit into the width.
    terms: Vec<(ExprId, i128)>,
    constant: i128,
}

/// Expressions deeper than this are atoms.
const DEEPEST: u32 = 12;

impl Linear {
    pub fn of(pool: &ExprPool, expr: ExprId) -> Option<Linear> {
        let Sort::Bits(width) = pool.sort(expr) else { return None };
        let mut form = Linear { width, terms: Vec::new(), constant: 0 };
        if width > 64 {
            return None;
        }
        form.add(pool, expr, 1, DEEPEST);
        Some(form)
    }

    fn add(&mut self, pool: &ExprPool, expr: ExprId, factor: i128, fuel: u32) {
        match pool.get(expr) {
            Expr::Const(c) => self.constant = self.wrap(self.constant + self.wrap(c.bits as i128) * factor),
            Expr::Binary(BinOp::BvAdd, a, b) if fuel > 0 => {
                self.add(pool, a, factor, fuel - 1);
                self.add(pool, b, factor, fuel - 1);
            }
            Expr::Binary(BinOp::BvSub, a, b) if fuel > 0 => {
                self.add(pool, a, factor, fuel - 1);
                self.add(pool, b, self.wrap(-factor), fuel - 1);
            }
            Expr::Unary(UnOp::BvNeg, a) if fuel > 0 => self.add(pool, a, self.wrap(-factor), fuel - 1),
            Expr::Binary(BinOp::BvMul, a, b) if fuel > 0 && pool.as_const(b).is_some() => {
                let by = pool.as_const(b).map_or(0, |c| self.wrap(c.bits as i128));
                self.add(pool, a, self.wrap(factor * by), fuel - 1);
            }
            Expr::Binary(BinOp::Shl, a, b) if fuel > 0 && pool.as_const(b).is_some_and(|c| c.bits < 64) => {
                let by = pool.as_const(b).map_or(0, |c| 1i128 << c.bits);
                self.add(pool, a, self.wrap(factor * self.wrap(by)), fuel - 1);
            }
            _ => self.add_term(expr, factor),
        }
    }

    fn add_term(&mut self, atom: ExprId, factor: i128) {
        let wrapped = |this: &Linear, factor| this.wrap(factor);
        match self.terms.binary_search_by_key(&atom, |term| term.0) {
            Ok(i) => {
                self.terms[i].1 = wrapped(self, self.terms[i].1 + factor);
                if self.terms[i].1 == 0 {
                    self.terms.remove(i);
                }
            }
            Err(i) => {
                let factor = self.wrap(factor);
                if factor != 0 {
                    self.terms.insert(i, (atom, factor));
                }
            }
        }
    }

    /// The number from −2^(width − 1) on that a number is, modulo 2^width.
    fn wrap(&self, number: i128) -> i128 {
        let shift = 128 - u32::from(self.width);
        (number << shift) >> shift
    }

    fn minus(&self, other: &Linear) -> Linear {
        let mut result = self.clone();
        for &(atom, factor) in &other.terms {
            result.add_term(atom, -factor);
        }
        result.constant = result.wrap(result.constant - other.constant);
        result
    }

    /// The terms that are (or are not) of a kind; the constant is zero.
    fn part(&self, is_of: impl Fn(ExprId) -> bool) -> Linear {
        let terms = self.terms.iter().copied().filter(|(atom, _)| is_of(*atom)).collect();
        Linear { width: self.width, terms, constant: 0 }
    }

    fn divided(&self, by: i128) -> Option<Linear> {
        let divides = |number: i128| number % by == 0;
        if by == 0 || !divides(self.constant) || !self.terms.iter().all(|term| divides(term.1)) {
            return None;
        }
        let terms = self.terms.iter().map(|(atom, factor)| (*atom, self.wrap(factor / by))).collect();
        Some(Linear { width: self.width, terms, constant: self.wrap(self.constant / by) })
    }

    fn expr(&self, pool: &mut ExprPool) -> ExprId {
        let bits = |number: i128| (number as u128) & (u128::MAX >> (128 - u32::from(self.width)));
        let mut sum = None;
        // Positive terms first: `n - i` and not `-i + n`.
        let (positive, negative): (Vec<_>, Vec<_>) = self.terms.iter().partition(|term| term.1 > 0);
        for (atom, factor) in positive.into_iter().chain(negative) {
            let size = pool.bits(self.width, bits(factor.abs()));
            let term = pool.binary(BinOp::BvMul, atom, size);
            sum = Some(match (sum, factor > 0) {
                (None, true) => term,
                (None, false) => pool.unary(UnOp::BvNeg, term),
                (Some(sum), true) => pool.binary(BinOp::BvAdd, sum, term),
                (Some(sum), false) => pool.binary(BinOp::BvSub, sum, term),
            });
        }
        let constant = pool.bits(self.width, bits(self.constant));
        match sum {
            Some(sum) => pool.binary(BinOp::BvAdd, sum, constant),
            None => constant,
        }
    }
}

/// How an access compares with a cell.
pub enum Comparison {
    /// They are the same.
    Same,
    /// `access == cell` is `left == right`, modulo 2^(width - shift).
    Ordered { left: ExprId, right: ExprId, shift: u32 },
    /// Nothing better than comparing the addresses.
    Plain,
}

/// Compares the address of an access with that of a cell. `is_chosen` says which variables belong to cells: they come to stand at the right. What both
/// addresses have is left out, and so is a common power of two in the coefficients.
pub fn compare(pool: &mut ExprPool, access: ExprId, cell: ExprId, is_chosen: &dyn Fn(VarId) -> bool) -> Comparison {
    let (Some(a), Some(b)) = (Linear::of(pool, access), Linear::of(pool, cell)) else { return Comparison::Plain };
    let difference = a.minus(&b);
    let factors = difference.terms.iter().map(|term| term.1).chain([difference.constant]);
    let shift = factors.filter(|factor| *factor != 0).map(i128::trailing_zeros).min();
    let Some(shift) = shift else { return Comparison::Same };
    let Some(difference) = difference.divided(1 << shift) else { return Comparison::Plain };
    let of_cell = |atom: ExprId| pool.vars(atom).into_iter().any(is_chosen);
    let mut right = difference.part(of_cell);
    let mut left = difference.part(|atom| !of_cell(atom));
    left.constant = difference.constant;
    if right.terms.is_empty() {
        return Comparison::Plain;
    }
    let zero = Linear { width: left.width, terms: Vec::new(), constant: 0 };
    let first_is_negative = right.terms[0].1 < 0;
    if first_is_negative {
        right = zero.minus(&right);
    } else {
        left = zero.minus(&left);
    }
    if right.terms.iter().all(|term| term.1.abs() != 1) {
        // 4 k + 1 against i, and not 4 k against i - 1.
        right.constant = right.wrap(-left.constant);
        left.constant = 0;
    }
    let width = left.width;
    let (left, right) = (left.expr(pool), right.expr(pool));
    match (pool.get(left), pool.get(right)) {
        (Expr::SignExt { arg: a, .. }, Expr::SignExt { arg: b, .. })
        | (Expr::ZeroExt { arg: a, .. }, Expr::ZeroExt { arg: b, .. })
            if pool.sort(a) == pool.sort(b) =>
        {
            // The difference of two extended numbers is less than 2^inner.
            let inner = u32::from(pool.sort(a).bits().unwrap_or(width));
            Comparison::Ordered { left: a, right: b, shift: (inner + shift).saturating_sub(width.into()) }
        }
        _ => Comparison::Ordered { left, right, shift },
    }
}

/// Values of the variables of an access for which its address is that of a cell.
pub type Unifier = FxHashMap<VarId, ExprId>;

/// Finds values for variables (those that are `free`) with which an address becomes the other one.
pub fn unify(pool: &mut ExprPool, access: ExprId, cell: ExprId, is_free: &dyn Fn(VarId) -> bool) -> Option<Unifier> {
    let mut unifier = Unifier::default();
    unify_into(pool, access, cell, is_free, &mut unifier, DEEPEST).then_some(unifier)
}

fn unify_into(
    pool: &mut ExprPool,
    access: ExprId,
    cell: ExprId,
    is_free: &dyn Fn(VarId) -> bool,
    unifier: &mut Unifier,
    fuel: u32,
) -> bool {
    if access == cell {
        return true;
    }
    match (pool.get(access), pool.get(cell)) {
        _ if fuel == 0 || pool.sort(access) != pool.sort(cell) => return false,
        (Expr::Var(var), _) if is_free(var) => return *unifier.entry(var).or_insert(cell) == cell,
        (Expr::SignExt { arg: a, .. }, Expr::SignExt { arg: b, .. })
        | (Expr::ZeroExt { arg: a, .. }, Expr::ZeroExt { arg: b, .. }) => {
            return unify_into(pool, a, b, is_free, unifier, fuel - 1);
        }
        _ => {}
    }
    let (Some(a), Some(b)) = (Linear::of(pool, access), Linear::of(pool, cell)) else { return false };
    let has_free = |pool: &ExprPool, atom: ExprId| pool.vars(atom).into_iter().any(is_free);
    // What both have cancels, but for terms of free variables: those get values.
    let mut open = a.part(|atom| has_free(pool, atom));
    let mut rest = b.minus(&a.part(|atom| !has_free(pool, atom)));
    rest.constant = rest.wrap(b.constant - a.constant);
    // Terms with the same coefficient are each other's, if nothing else has it.
    if rest.constant == 0 && open.terms.len() > 1 && open.terms.len() == rest.terms.len() {
        for &(atom, factor) in &open.terms {
            let mut partners = rest.terms.iter().filter(|term| term.1 == factor);
            let (Some(&(partner, _)), None) = (partners.next(), partners.next()) else { return false };
            if !unify_into(pool, atom, partner, is_free, unifier, fuel - 1) {
                return false;
            }
        }
        return true;
    }
    let Some((atom, factor)) = open.terms.pop().filter(|_| open.terms.is_empty()) else { return false };
    let Some(value) = rest.divided(factor) else { return false };
    let value = value.expr(pool);
    // A sum is no further decomposed: it is what it was.
    !matches!(pool.get(atom), Expr::Binary(..)) && unify_into(pool, atom, value, is_free, unifier, fuel - 1)
}
