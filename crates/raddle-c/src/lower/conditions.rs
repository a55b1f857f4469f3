//! Undefined behaviour in the condition of a probe (C11 J.2): whoever claims that it holds claims that its evaluation is defined.
//!
//! Overflow is `overflow.rs`; here are counts of shifts, floating-point numbers that no integer of the type is, and elements that an array does not have though the object around it goes on.
//! Each becomes a `Require` behind which the evaluation goes on. In the program itself nothing is required: engines know what the machine does.

use super::builder::Builder;
use super::orders::address;
use crate::error::Result;
use crate::hir::{BinOp, Expr, ExprKind, UnOp};
use crate::types::Type;
use raddle_ir::{BinOp as Op, ExprId, Hazard, Label, Sort, UnOp as Un};

impl<'a> Builder<'_, 'a> {
    /// The evaluation goes on only if this holds.
    pub fn goes_on_if(&mut self, cond: ExprId, hazard: Hazard) {
        if !self.cx.pool.is_bool(cond, true) {
            self.emit(Label::Require { cond, hazard });
        }
    }

    /// May evaluating it be undefined, besides what its operands do?
    pub fn may_be_undefined(&self, expr: &Expr) -> bool {
        let types = &self.hir().types;
        self.is_condition
            && match &expr.kind {
                ExprKind::Unary(UnOp::Neg, _) => true,
                ExprKind::Binary(op, ..) => {
                    matches!(
                        op,
                        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem | BinOp::Shl | BinOp::Shr
                    )
                }
                ExprKind::Convert(inner) => types.scalar_sort(inner.ty).is_some_and(Sort::is_float),
                ExprKind::PtrAdd { .. } => true,
                _ => false,
            }
    }

    /// 6.5.7 paragraph 3: a count is neither negative nor as large as the width of what is shifted.
    pub fn check_count(&mut self, op: BinOp, a: ExprId, count: ExprId) {
        let (Sort::Bits(width), Sort::Bits(wide)) = (self.cx.pool.sort(a), self.cx.pool.sort(count)) else { return };
        if self.is_condition && matches!(op, BinOp::Shl | BinOp::Shr) {
            let limit = self.cx.pool.bits(wide, width.into());
            let is_count = self.cx.pool.binary(Op::ULt, count, limit);
            self.goes_on_if(is_count, Hazard::SignedOverflow);
        }
    }

    /// 6.3.1.4 paragraph 1: without its fraction, the number is one of the integer type's values.
    pub fn check_truncation(&mut self, value: ExprId, width: u8, signed: bool) {
        let Sort::Float(format) = self.cx.pool.sort(value) else { return };
        if !self.is_condition {
            return;
        }
        let pool = &mut self.cx.pool;
        let (half, one) = (pool.bits(width, 1 << (width - 1)), pool.bits(8, 1));
        let (half, one) = (pool.u_to_f(format, half), pool.u_to_f(format, one));
        let zero = pool.bits(8, 0);
        let zero = pool.u_to_f(format, zero);
        let (least, limit) = match signed {
            true => (pool.unary(Un::FNeg, half), half),
            false => (zero, pool.binary(Op::FAdd, half, half)),
        };
        // The number below the least one may be rounded to it: no number is in between then.
        let below = pool.binary(Op::FSub, least, one);
        let (is_above, is_least) = (pool.binary(Op::FLt, below, value), pool.binary(Op::FLe, least, value));
        let is_above = pool.or(is_above, is_least);
        let is_below = pool.binary(Op::FLt, value, limit);
        let fits = pool.and(is_above, is_below);
        self.goes_on_if(fits, Hazard::SignedOverflow);
    }

    /// A pointer plus (or minus) an index; perhaps somebody goes where it leads.
    pub fn pointer_sum(&mut self, sum: &'a Expr, is_used: bool) -> Result<ExprId> {
        let ExprKind::PtrAdd { pointer, index, stride, subtract } = &sum.kind else { return self.value(sum) };
        let base = self.value(pointer)?;
        let at = self.value(index)?;
        if self.is_condition {
            // It is looked at again, and may be large.
            self.evaluated.insert(address::<Expr>(index), at);
            self.check_index(sum, is_used)?;
        }
        let offset = self.scaled(at, index.ty, stride)?;
        Ok(self.sum(if *subtract { Op::BvSub } else { Op::BvAdd }, base, offset))
    }

    /// 6.5.6 paragraph 8: an index leads to an element of its array, or behind the last one if nobody goes there.
    fn check_index(&mut self, sum: &'a Expr, is_used: bool) -> Result<()> {
        let Some((length, index)) = self.element(sum)? else { return Ok(()) };
        let width = self.cx.pool.sort(index).bits().unwrap_or(self.cx.pointer_bits);
        let most = self.cx.pool.bits(width, (length - u64::from(is_used)).into());
        let is_inside = self.cx.pool.binary(Op::ULe, index, most);
        self.goes_on_if(is_inside, Hazard::InvalidAccess);
        Ok(())
    }

    /// How many elements the array has that a pointer points into, and which one of them, if the expression says so. What is no array is one of length 1 (paragraph 7).
    fn element(&mut self, pointer: &'a Expr) -> Result<Option<(u64, ExprId)>> {
        let first = self.cx.address(0);
        Ok(match &pointer.kind {
            ExprKind::Decay(array) => match *self.hir().types.get(array.ty) {
                // GNU C has arrays without elements at the end of records, which go on behind it.
                Type::Array(_, Some(length)) if length > 0 => Some((length, first)),
                _ => None,
            },
            ExprKind::AddrOf(lvalue) => match &lvalue.kind {
                ExprKind::Deref(inner) => self.element(inner)?,
                ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::Member { .. } => Some((1, first)),
                _ => None,
            },
            ExprKind::PtrAdd { pointer, index, subtract, .. } => match self.element(pointer)? {
                Some((length, before)) => {
                    let by = self.value(index)?;
                    let signed = self.hir().types.is_signed(index.ty);
                    let op = if *subtract { Op::BvSub } else { Op::BvAdd };
                    let pool = &mut self.cx.pool;
                    let width = |of: ExprId, pool: &raddle_ir::ExprPool| pool.sort(of).bits().unwrap_or(0);
                    let wide = width(by, pool).max(width(before, pool));
                    let by = if signed { pool.sign_ext(wide, by) } else { pool.zero_ext(wide, by) };
                    let before = pool.sign_ext(wide, before);
                    Some((length, pool.binary(op, before, by)))
                }
                None => None,
            },
            _ => None,
        })
    }

    /// The pointer that `*` is applied to.
    pub fn used_pointer(&mut self, pointer: &'a Expr) -> Result<ExprId> {
        match self.is_condition {
            true => self.pointer_sum(pointer, true),
            false => self.value(pointer),
        }
    }

    /// The address that `&` gives: `&*p` is `p`.
    pub fn taken_address(&mut self, lvalue: &'a Expr) -> Result<ExprId> {
        match &lvalue.kind {
            ExprKind::Deref(pointer) => self.value(pointer),
            _ => self.address_of(lvalue),
        }
    }
}
