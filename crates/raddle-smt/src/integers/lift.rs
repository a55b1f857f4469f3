//! From integers back to bit-vectors, exactly: every sum is computed in a width in which it cannot overflow.
//!
//! An integer term is a sum of atoms with coefficients. An atom is a bit-vector expression with a range, and read as signed or unsigned. A comparison
//! brings what is subtracted to the other side, so that `x - y <= 0` becomes `x <= y` in the width of `x` and `y`.

use super::ranges::{Range, View};
use super::terms::{Term, TermId, Terms};
use raddle_ir::{BinOp, ExprId, ExprPool, Sort, UnOp};

/// A sum has so many atoms at most.
const MOST_ATOMS: usize = 200;
/// The widest bit-vector to compute with.
const WIDEST: u8 = 126;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Atom {
    expr: ExprId,
    view: View,
    range: Range,
}

/// Atoms with coefficients other than 0, in order, and a number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Sum {
    atoms: Vec<(Atom, i128)>,
    number: i128,
}

#[derive(Clone)]
enum Lifted {
    Truth(ExprId),
    Int(Sum),
}

/// The Bool expression that a term means; `None` if the widths do not suffice.
pub fn lift(pool: &mut ExprPool, terms: &Terms, root: TermId) -> Option<ExprId> {
    let mut lifted: Vec<Option<Lifted>> = vec![None; root.index() + 1];
    for id in terms.below(root) {
        let of = |id: TermId| lifted[id.index()].as_ref();
        let truth = |id: TermId| match of(id) {
            Some(Lifted::Truth(expr)) => Some(*expr),
            _ => None,
        };
        let int = |id: TermId| match of(id) {
            Some(Lifted::Int(sum)) => Some(sum),
            _ => None,
        };
        let done = match terms.get(id) {
            Term::Truth(value) => Lifted::Truth(pool.bool(value)),
            Term::Holds(expr) => Lifted::Truth(expr),
            Term::Not(a) => Lifted::Truth(pool.not(truth(a)?)),
            Term::And(a, b) => Lifted::Truth(pool.and(truth(a)?, truth(b)?)),
            Term::Or(a, b) => Lifted::Truth(pool.or(truth(a)?, truth(b)?)),
            Term::Iff(a, b) => Lifted::Truth(pool.eq(truth(a)?, truth(b)?)),
            Term::Eq(a, b) => Lifted::Truth(int(a)?.minus(int(b)?)?.is_zero(pool)?),
            Term::Le(a, b) => Lifted::Truth(int(a)?.minus(int(b)?)?.is_at_most_zero(pool)?),
            Term::Ite(c, a, b) if terms.is_int(id) => {
                let (c, a, b) = (truth(c)?, int(a)?, int(b)?);
                // What is known of the chosen one: in its width the other may be cut off.
                let range = a.range()?.hull(b.range()?).meet(terms.range(id));
                let (view, width) = shape(range)?;
                let (a, b) = (a.in_width(pool, width)?, b.in_width(pool, width)?);
                Lifted::Int(Sum::of(pool.ite(c, a, b), view, range))
            }
            Term::Ite(c, a, b) => Lifted::Truth(pool.ite(truth(c)?, truth(a)?, truth(b)?)),
            Term::Number(number) => Lifted::Int(Sum { atoms: Vec::new(), number }),
            Term::Value(expr, view) => Lifted::Int(Sum::of(expr, view, terms.range(id))),
            Term::Add(a, b) => Lifted::Int(int(a)?.plus(int(b)?, 1)?),
            Term::Mul(a, b) => Lifted::Int(int(a)?.times(int(b)?, pool)?),
            Term::Div(a, by) => Lifted::Int(int(a)?.divided(pool, by)?),
            Term::Mod(a, by) => Lifted::Int(int(a)?.remainder(pool, by)?),
        };
        lifted[id.index()] = Some(done);
    }
    match lifted.pop()?? {
        Lifted::Truth(expr) => Some(expr),
        Lifted::Int(_) => None,
    }
}

/// How to read a bit-vector that holds all of a range, and how wide it is.
fn shape(range: Range) -> Option<(View, u8)> {
    let (view, width) = match range.low {
        0.. => (View::Unsigned, range.unsigned_width()),
        _ => (View::Signed, range.signed_width()),
    };
    (width <= WIDEST).then_some((view, width))
}

impl Sum {
    fn of(expr: ExprId, view: View, range: Range) -> Sum {
        Sum { atoms: vec![(Atom { expr, view, range }, 1)], number: 0 }
    }

    fn number(&self) -> Option<i128> {
        self.atoms.is_empty().then_some(self.number)
    }

    fn plus(&self, other: &Sum, times: i128) -> Option<Sum> {
        let mut atoms: Vec<(Atom, i128)> = self.atoms.clone();
        for (atom, coefficient) in &other.atoms {
            let more = coefficient.checked_mul(times)?;
            match atoms.iter_mut().find(|(a, _)| (a.expr, a.view) == (atom.expr, atom.view)) {
                Some((_, coefficient)) => *coefficient = coefficient.checked_add(more)?,
                None => atoms.push((*atom, more)),
            }
        }
        atoms.retain(|(_, coefficient)| *coefficient != 0);
        let number = self.number.checked_add(other.number.checked_mul(times)?)?;
        (atoms.len() <= MOST_ATOMS).then_some(Sum { atoms, number })
    }

    fn minus(&self, other: &Sum) -> Option<Sum> {
        self.plus(other, -1)
    }

    fn range(&self) -> Option<Range> {
        let mut range = Range::of(self.number);
        for (atom, coefficient) in &self.atoms {
            range = range.add(atom.range.mul(Range::of(*coefficient))?)?;
        }
        Some(range)
    }

    /// The sum modulo 2^width.
    fn in_width(&self, pool: &mut ExprPool, width: u8) -> Option<ExprId> {
        if width > WIDEST {
            return None;
        }
        let modulus = 1i128 << width;
        let mut sum: Option<ExprId> = None;
        // What is added first, so that nothing needs to be negated if something is.
        let by_sign = |(_, c): &&(Atom, i128)| *c < 0;
        let (minus, plus): (Vec<_>, Vec<_>) = self.atoms.iter().partition(by_sign);
        for (atom, coefficient) in plus.into_iter().chain(minus) {
            let size = coefficient.checked_abs()?.rem_euclid(modulus);
            if size == 0 {
                continue;
            }
            let mut part = fit(pool, &atom, width);
            if size != 1 {
                let factor = pool.bits(width, size as u128);
                part = pool.binary(BinOp::BvMul, part, factor);
            }
            sum = Some(match (sum, coefficient < 0 && width > 1) {
                (Some(sum), true) => pool.binary(BinOp::BvSub, sum, part),
                (Some(sum), false) => pool.binary(BinOp::BvAdd, sum, part),
                (None, true) => pool.unary(UnOp::BvNeg, part),
                (None, false) => part,
            });
        }
        let number = pool.bits(width, self.number as u128);
        Some(match sum {
            Some(sum) if self.number.rem_euclid(modulus) != 0 => pool.binary(BinOp::BvAdd, sum, number),
            Some(sum) => sum,
            None => number,
        })
    }

    /// The whole sum as one bit-vector.
    fn whole(&self, pool: &mut ExprPool) -> Option<(ExprId, View, Range)> {
        let range = self.range()?;
        let (view, width) = shape(range)?;
        Some((self.in_width(pool, width)?, view, range))
    }

    /// What is added and what is subtracted, with the common factor taken out of the coefficients, and the factor.
    fn sides(&self) -> Option<(Sum, Sum, i128)> {
        let mut factor = 0;
        for (_, coefficient) in &self.atoms {
            factor = gcd(factor, coefficient.checked_abs()?);
        }
        let (mut left, mut right) = (Sum::default(), Sum::default());
        for &(atom, coefficient) in &self.atoms {
            let side = if coefficient > 0 { &mut left } else { &mut right };
            side.atoms.push((atom, coefficient.checked_abs()? / factor));
        }
        Some((left, right, factor.max(1)))
    }

    fn is_zero(&self, pool: &mut ExprPool) -> Option<ExprId> {
        let (mut left, mut right, factor) = self.sides()?;
        if self.number.rem_euclid(factor) != 0 {
            return Some(pool.bool(false));
        }
        let number = self.number / factor;
        if right.atoms.is_empty() || number < 0 && !left.atoms.is_empty() {
            right.number = number.checked_neg()?;
        } else {
            left.number = number;
        }
        compare(pool, BinOp::Eq, &left, &right)
    }

    /// `left + number <= right`.
    fn is_at_most_zero(&self, pool: &mut ExprPool) -> Option<ExprId> {
        let (mut left, mut right, factor) = self.sides()?;
        // left <= right + room
        let room = self.number.checked_neg()?.div_euclid(factor);
        if right.atoms.is_empty() || room > 0 && !left.atoms.is_empty() {
            right.number = room;
        } else if left.atoms.is_empty() || room == 0 {
            left.number = room.checked_neg()?;
        } else {
            left.number = room.checked_neg()?.checked_sub(1)?;
            return compare(pool, BinOp::SLt, &left, &right);
        }
        compare(pool, BinOp::SLe, &left, &right)
    }

    fn times(&self, other: &Sum, pool: &mut ExprPool) -> Option<Sum> {
        match (self.number(), other.number()) {
            (Some(number), _) => Sum::default().plus(other, number),
            (_, Some(number)) => Sum::default().plus(self, number),
            _ => {
                let range = self.range()?.mul(other.range()?)?;
                let (view, width) = shape(range)?;
                let (a, b) = (self.in_width(pool, width)?, other.in_width(pool, width)?);
                Some(Sum::of(pool.binary(BinOp::BvMul, a, b), view, range))
            }
        }
    }

    fn remainder(&self, pool: &mut ExprPool, by: i128) -> Option<Sum> {
        let known = self.range()?.rem(by);
        if let Some(value) = known.only() {
            return Some(Sum { atoms: Vec::new(), number: value });
        }
        if by.count_ones() == 1 {
            // No more than the low bits are needed.
            return Some(Sum::of(self.in_width(pool, by.trailing_zeros() as u8)?, View::Unsigned, known));
        }
        let (view, width) = shape(self.range()?.hull(Range::of(by)))?;
        let (value, divisor) = (self.in_width(pool, width)?, pool.bits(width, by as u128));
        let result = match view {
            View::Unsigned => pool.binary(BinOp::BvURem, value, divisor),
            View::Signed => {
                let toward_zero = pool.binary(BinOp::BvSRem, value, divisor);
                let zero = pool.bits(width, 0);
                let is_negative = pool.binary(BinOp::SLt, toward_zero, zero);
                let above = pool.binary(BinOp::BvAdd, toward_zero, divisor);
                pool.ite(is_negative, above, toward_zero)
            }
        };
        Some(Sum::of(result, view, known))
    }

    fn divided(&self, pool: &mut ExprPool, by: i128) -> Option<Sum> {
        let known = self.range()?.div(by);
        if by.count_ones() == 1 {
            let (value, view, _) = self.whole(pool)?;
            let width = pool.sort(value).bits()?;
            // By all of its bits and by more comes to the same.
            let shift = pool.bits(width, u128::from(by.trailing_zeros()).min(u128::from(width)));
            let op = if view == View::Unsigned { BinOp::LShr } else { BinOp::AShr };
            return Some(Sum::of(pool.binary(op, value, shift), view, known));
        }
        // Without the remainder, there is nothing to round.
        let rest = self.remainder(pool, by)?;
        let exact = self.minus(&rest)?;
        let range = Range::new(known.low.checked_mul(by)?, known.high.checked_mul(by)?);
        let (view, width) = shape(range.hull(Range::of(by)))?;
        let (value, divisor) = (exact.in_width(pool, width)?, pool.bits(width, by as u128));
        let op = if view == View::Unsigned { BinOp::BvUDiv } else { BinOp::BvSDiv };
        Some(Sum::of(pool.binary(op, value, divisor), view, known))
    }
}

/// An atom in a width: extended, or cut off.
fn fit(pool: &mut ExprPool, atom: &Atom, width: u8) -> ExprId {
    let Sort::Bits(own) = pool.sort(atom.expr) else { return atom.expr };
    match atom.view {
        _ if width <= own => pool.extract(width - 1, 0, atom.expr),
        View::Signed => pool.sign_ext(width, atom.expr),
        View::Unsigned => pool.zero_ext(width, atom.expr),
    }
}

/// Compares two sums, in a width that holds both. `op` is `Eq` or signed.
fn compare(pool: &mut ExprPool, op: BinOp, left: &Sum, right: &Sum) -> Option<ExprId> {
    let (of_left, of_right) = (left.range()?, right.range()?);
    let decided = match op {
        BinOp::Eq if of_left.high < of_right.low || of_right.high < of_left.low => Some(false),
        BinOp::SLe if of_left.high <= of_right.low => Some(true),
        BinOp::SLe if of_right.high < of_left.low => Some(false),
        BinOp::SLt if of_left.high < of_right.low => Some(true),
        BinOp::SLt if of_right.high <= of_left.low => Some(false),
        _ => None,
    };
    if let Some(value) = decided {
        return Some(pool.bool(value));
    }
    let (view, width) = shape(of_left.hull(of_right))?;
    let op = match (op, view) {
        (BinOp::SLe, View::Unsigned) => BinOp::ULe,
        (BinOp::SLt, View::Unsigned) => BinOp::ULt,
        _ => op,
    };
    let (left, right) = (left.in_width(pool, width)?, right.in_width(pool, width)?);
    Some(pool.binary(op, left, right))
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
