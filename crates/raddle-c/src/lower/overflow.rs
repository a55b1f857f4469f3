//! Signed overflow where it matters: as a violation (`--property no-overflow`), and in the condition of a probe, which does not hold if it overflows.
//!
//! Every signed operation of the user's code is checked at the type that it is computed in, after promotion: its exact result must be one of that type's values (C11 6.5 paragraph 5).
//! `<<` is 6.5.7 paragraph 4: of a negative value, or with a product that does not fit, it overflows; a count that is negative or too large is another kind of undefined behaviour.
//! Conversions do not overflow, and neither do `/` and `%` but for the least value by -1. Everywhere else arithmetic wraps around.
//!
//! With a constant operand the check is a bound on the other one, which abstractions can use; otherwise it is the same operation in a wider type.

use super::builder::Builder;
use crate::hir::BinOp;
use crate::types::TypeId;
use raddle_ir::{BinOp as Op, Const, ExprId, Hazard, Label, Sort, Violation, eval};

/// Numbers have no more bits.
const WIDEST: u8 = 128;

impl Builder<'_, '_> {
    /// Is arithmetic of this type checked here?
    pub fn checks_overflow(&self, ty: TypeId) -> bool {
        let types = &self.hir().types;
        let counts =
            self.is_condition || self.cx.options.counts.has(Violation::Overflow) && !self.cx.is_of_library(self.pos);
        counts && types.is_integer(ty) && types.is_signed(ty)
    }

    /// The path goes on only if an operation does not overflow; otherwise the condition is not defined, or the property is violated.
    pub fn check_overflow(&mut self, op: BinOp, ty: TypeId, a: ExprId, b: ExprId) {
        if self.checks_overflow(ty)
            && let Some(fits) = self.fits(op, a, b)
        {
            self.check(fits);
        }
    }

    /// The same for a unary minus.
    pub fn check_negation(&mut self, ty: TypeId, operand: ExprId) {
        if let (true, Sort::Bits(width)) = (self.checks_overflow(ty), self.cx.pool.sort(operand)) {
            let least = self.cx.pool.bits(width, least(width));
            let fits = self.cx.pool.ne(operand, least);
            self.check(fits);
        }
    }

    fn check(&mut self, fits: ExprId) {
        if self.is_condition {
            return self.goes_on_if(fits, Hazard::SignedOverflow);
        }
        if self.cx.pool.is_bool(fits, true) {
            return;
        }
        let (holds, fails) = (self.new_location(), self.new_location());
        self.branch(fits, holds, fails);
        self.here = fails;
        self.end_path(Label::Error(Violation::Overflow));
        self.here = holds;
    }

    fn fits(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        let sort = self.cx.pool.sort(a);
        let Sort::Bits(width) = sort else { return None };
        let b = self.fit(b, sort);
        let value = |this: &Self, of: ExprId| this.cx.pool.as_const(of).map(|c| eval::to_signed(width, c.bits));
        match op {
            BinOp::Add => Some(match (value(self, a), value(self, b)) {
                (_, Some(c)) => self.sum_fits(width, a, c),
                (Some(c), _) => self.sum_fits(width, b, c),
                _ => self.wide_fits(Op::BvAdd, width + 1, a, b),
            }),
            BinOp::Sub => Some(match value(self, b) {
                Some(c) if c != i128::MIN => self.sum_fits(width, a, -c),
                _ => self.wide_fits(Op::BvSub, width + 1, a, b),
            }),
            BinOp::Mul => Some(match (value(self, a), value(self, b)) {
                (_, Some(c)) => self.product_fits(width, a, c),
                (Some(c), _) => self.product_fits(width, b, c),
                _ => self.wide_fits(Op::BvMul, width.saturating_mul(2), a, b),
            }),
            BinOp::Div | BinOp::Rem => {
                let pool = &mut self.cx.pool;
                let (least, minus_one) = (pool.bits(width, least(width)), pool.bits(width, eval::mask(width)));
                let (is_least, is_minus_one) = (pool.eq(a, least), pool.eq(b, minus_one));
                let overflows = pool.and(is_least, is_minus_one);
                Some(pool.not(overflows))
            }
            BinOp::Shl => Some(self.shift_fits(width, a, b)),
            _ => None,
        }
    }

    /// Is a value between two numbers? What lies beyond the type bounds nothing.
    fn between(&mut self, width: u8, low: i128, value: ExprId, high: i128) -> ExprId {
        let (min, max) = range(width);
        let pool = &mut self.cx.pool;
        let mut constant =
            |of: i128| pool.constant(Const { sort: Sort::Bits(width), bits: of as u128 & eval::mask(width) });
        let (below, above) = (constant(low), constant(high));
        let is_above = if low <= min { pool.bool(true) } else { pool.binary(Op::SLe, below, value) };
        let is_below = if high >= max { pool.bool(true) } else { pool.binary(Op::SLe, value, above) };
        pool.and(is_above, is_below)
    }

    fn sum_fits(&mut self, width: u8, a: ExprId, c: i128) -> ExprId {
        let (min, max) = range(width);
        self.between(width, min.saturating_sub(c), a, max.saturating_sub(c))
    }

    fn product_fits(&mut self, width: u8, a: ExprId, c: i128) -> ExprId {
        let (min, max) = range(width);
        match c {
            0 => self.cx.pool.bool(true),
            -1 => self.between(width, min + 1, a, max),
            1.. => self.between(width, min / c, a, max / c),
            _ => self.between(width, max / c, a, min / c),
        }
    }

    /// The same operation in a wider type has the same value; or, where none is wide enough, taking it back gives the operand.
    fn wide_fits(&mut self, op: Op, wide: u8, a: ExprId, b: ExprId) -> ExprId {
        let pool = &mut self.cx.pool;
        let narrow = pool.binary(op, a, b);
        if wide <= WIDEST {
            let (a, b) = (pool.sign_ext(wide, a), pool.sign_ext(wide, b));
            let (exact, narrow) = (pool.binary(op, a, b), pool.sign_ext(wide, narrow));
            return pool.eq(exact, narrow);
        }
        let zero = pool.constant(Const { sort: pool.sort(a), bits: 0 });
        let mut is_negative = |of| pool.binary(Op::SLt, of, zero);
        let (of_a, of_b, of_result) = (is_negative(a), is_negative(b), is_negative(narrow));
        if op == Op::BvMul {
            let quotient = pool.binary(Op::BvSDiv, narrow, b);
            let (is_back, is_zero, is_result_zero) = (pool.eq(quotient, a), pool.eq(b, zero), pool.eq(narrow, zero));
            let (signs, other) = (pool.eq(of_a, of_b), pool.not(of_result));
            let is_right_sign = pool.eq(signs, other);
            let is_right_sign = pool.or(is_right_sign, is_result_zero);
            let is_exact = pool.and(is_back, is_right_sign);
            return pool.or(is_zero, is_exact);
        }
        // Only operands of one sign make a sum of the other.
        let of_b = if op == Op::BvSub { pool.not(of_b) } else { of_b };
        let (is_same, is_kept) = (pool.eq(of_a, of_b), pool.eq(of_a, of_result));
        let differ = pool.not(is_same);
        pool.or(differ, is_kept)
    }

    /// 6.5.7: the value is not negative and its product with the power of two fits. A count outside of the width is no overflow, unless the value is negative.
    fn shift_fits(&mut self, width: u8, a: ExprId, b: ExprId) -> ExprId {
        let pool = &mut self.cx.pool;
        let (zero, limit) = (pool.bits(width, 0), pool.bits(width, width.into()));
        let shifted = pool.binary(Op::Shl, a, b);
        let back = pool.binary(Op::AShr, shifted, b);
        let same = pool.eq(back, a);
        let is_count = pool.binary(Op::ULt, b, limit);
        let is_other = pool.not(is_count);
        let fits = pool.or(is_other, same);
        let is_positive = pool.binary(Op::SLe, zero, a);
        pool.and(is_positive, fits)
    }
}

fn least(width: u8) -> u128 {
    1 << (width - 1)
}

fn range(width: u8) -> (i128, i128) {
    let max = i128::MAX >> (128 - width);
    (-max - 1, max)
}
