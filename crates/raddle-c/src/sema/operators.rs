//! Operators: arithmetic, pointers, comparisons, assignments, the conditional (C11 6.5.3 to 6.5.17).

use super::convert::{bit_field, is_lvalue};
use super::{Sema, expr};
use crate::ast::{self, BinaryOp, UnaryOp};
use crate::error::{Error, Result};
use crate::hir::{BinOp, Expr, ExprKind, Stride, UnOp};
use crate::source::Pos;
use crate::types::{BitField, Type, TypeId};

pub(super) fn hir_op(op: BinaryOp) -> Option<BinOp> {
    Some(match op {
        BinaryOp::Mul => BinOp::Mul,
        BinaryOp::Div => BinOp::Div,
        BinaryOp::Rem => BinOp::Rem,
        BinaryOp::Add => BinOp::Add,
        BinaryOp::Sub => BinOp::Sub,
        BinaryOp::Shl => BinOp::Shl,
        BinaryOp::Shr => BinOp::Shr,
        BinaryOp::Lt => BinOp::Lt,
        BinaryOp::Gt => BinOp::Gt,
        BinaryOp::Le => BinOp::Le,
        BinaryOp::Ge => BinOp::Ge,
        BinaryOp::Eq => BinOp::Eq,
        BinaryOp::Ne => BinOp::Ne,
        BinaryOp::BitAnd => BinOp::BitAnd,
        BinaryOp::BitXor => BinOp::BitXor,
        BinaryOp::BitOr => BinOp::BitOr,
        BinaryOp::LogAnd | BinaryOp::LogOr => return None,
    })
}

pub(super) fn is_comparison(op: BinOp) -> bool {
    matches!(op, BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne)
}

impl Sema<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: &ast::Expr, pos: Pos) -> Result<Expr> {
        match op {
            UnaryOp::AddrOf => {
                let operand = self.expr(operand)?;
                self.address_of(operand, pos)
            }
            UnaryOp::Deref => {
                let pointer = self.value(operand)?;
                self.deref(pointer, pos)
            }
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                let target = self.expr(operand)?;
                self.inc_dec(op, target, pos)
            }
            UnaryOp::Real | UnaryOp::Imag => {
                let operand = self.expr(operand)?;
                self.part_of(operand, op == UnaryOp::Imag, pos)
            }
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot => {
                let value = self.value(operand)?;
                if self.types.elements(value.ty).is_some() {
                    return self.unary_on_elements(op, value, pos);
                }
                let wanted = match op {
                    UnaryOp::BitNot => self.types.is_integer(value.ty),
                    _ => self.types.is_arithmetic(value.ty),
                };
                if !wanted {
                    return Err(self.bad_operand(&value, pos));
                }
                let value = self.promote(value);
                Ok(match op {
                    UnaryOp::Plus => value,
                    UnaryOp::Minus => self.plain_unary(UnOp::Neg, value, pos),
                    _ => self.plain_unary(UnOp::BitNot, value, pos),
                })
            }
            UnaryOp::Not => {
                let value = self.value(operand)?;
                let value = self.scalar(value, "the operand of `!`")?;
                Ok(self.plain_unary(UnOp::Not, value, pos))
            }
        }
    }

    pub(super) fn bad_operand(&self, operand: &Expr, pos: Pos) -> Error {
        Error::invalid(pos, format!("the operator cannot be applied to `{}`", self.type_name(operand.ty)))
    }

    pub(super) fn plain_unary(&mut self, op: UnOp, e: Expr, pos: Pos) -> Expr {
        let ty = if op == UnOp::Not { TypeId::INT } else { e.ty };
        if let Some(bits) = Self::literal(&e).and_then(|bits| self.fold_unary(op, e.ty, bits, false)) {
            let kind = if self.types.is_float(ty) { ExprKind::Float(bits) } else { ExprKind::Int(bits) };
            return self.wrap_odd(expr(ty, pos, kind));
        }
        self.wrap_odd(expr(ty, pos, ExprKind::Unary(op, Box::new(e))))
    }

    pub(super) fn address_of(&mut self, operand: Expr, pos: Pos) -> Result<Expr> {
        if !is_lvalue(&operand) {
            return Err(Error::invalid(pos, "`&` needs an object or function"));
        }
        if let ExprKind::Member { bits: Some(_), .. } = operand.kind {
            return Err(Error::invalid(pos, "a bit-field has no address"));
        }
        let ty = self.types.pointer(operand.ty);
        if let Some(address) = self.const_address(&operand) {
            return Ok(self.int(ty, address, pos));
        }
        if let ExprKind::Deref(pointer) = operand.kind {
            return Ok(Expr { ty, ..*pointer });
        }
        if self.unevaluated == 0 {
            self.take_address(&operand);
        }
        Ok(expr(ty, pos, ExprKind::AddrOf(Box::new(operand))))
    }

    /// `*pointer`
    pub(super) fn deref(&mut self, pointer: Expr, pos: Pos) -> Result<Expr> {
        let Some(to) = self.types.pointee(pointer.ty) else {
            let name = self.type_name(pointer.ty);
            return Err(Error::invalid(pos, format!("`*` needs a pointer, not `{name}`")));
        };
        match pointer.kind {
            // `*&x` and `*f` are x and f.
            ExprKind::AddrOf(inner) if inner.ty == to => Ok(*inner),
            ExprKind::Decay(inner) if matches!(inner.kind, ExprKind::Function(_)) => Ok(*inner),
            _ => Ok(expr(to, pos, ExprKind::Deref(Box::new(pointer)))),
        }
    }

    /// What can be assigned to: its type, and whether it is a bit-field.
    fn target(&mut self, target: &Expr, pos: Pos) -> Result<(TypeId, Option<BitField>)> {
        let mut place = target;
        let mut bits = None;
        if let ExprKind::Member { bits: own, .. } = target.kind {
            bits = own;
        }
        while let ExprKind::Member { base, .. } = &place.kind {
            place = base;
        }
        if !is_lvalue(place) || matches!(self.types.get(target.ty), Type::Function(_) | Type::Array(..) | Type::Vla(..))
        {
            return Err(Error::invalid(pos, "this cannot be assigned to"));
        }
        if !self.types.is_complete(target.ty) {
            let name = self.type_name(target.ty);
            return Err(Error::invalid(pos, format!("`{name}` is an incomplete type")));
        }
        if self.types.quals(target.ty).is_const() {
            self.warn(pos, "a constant object is assigned to");
        }
        Ok((self.types.value_type(target.ty), bits))
    }

    fn inc_dec(&mut self, op: UnaryOp, target: Expr, pos: Pos) -> Result<Expr> {
        let (ty, bits) = self.target(&target, pos)?;
        if self.types.elements(ty).is_some() {
            return self.step_elements(op, target, pos);
        }
        let (compute, stride) = match *self.types.get(ty) {
            Type::Pointer(to) => (ty, Some(self.stride(to, pos)?)),
            Type::Float(_) => (ty, None),
            Type::Int(_) | Type::Bool => {
                let promoted = self.promoted(ty, bits);
                (self.common_type(promoted, TypeId::INT), None)
            }
            _ => return Err(self.bad_operand(&target, pos)),
        };
        let kind = ExprKind::IncDec {
            target: Box::new(target),
            decrement: matches!(op, UnaryOp::PreDec | UnaryOp::PostDec),
            postfix: matches!(op, UnaryOp::PostInc | UnaryOp::PostDec),
            compute,
            stride,
        };
        Ok(expr(ty, pos, kind))
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr, pos: Pos) -> Result<Expr> {
        match hir_op(op) {
            Some(op) => {
                let left = self.value(a)?;
                let right = self.value(b)?;
                self.binary_values(op, left, right, pos)
            }
            None => self.logical(op == BinaryOp::LogAnd, a, b, pos),
        }
    }

    fn logical(&mut self, and: bool, a: &ast::Expr, b: &ast::Expr, pos: Pos) -> Result<Expr> {
        let left = self.value(a)?;
        let left = self.scalar(left, "an operand")?;
        let decided = self.truth(&left).filter(|truth| *truth != and);
        // What is not evaluated need not be there at the end.
        self.unevaluated += u32::from(decided.is_some());
        let right = self.value(b);
        self.unevaluated -= u32::from(decided.is_some());
        if let Some(truth) = decided {
            return Ok(self.int(TypeId::INT, truth.into(), pos));
        }
        let right = self.scalar(right?, "an operand")?;
        if let (Some(_), Some(truth)) = (Self::literal(&left), self.truth(&right)) {
            return Ok(self.int(TypeId::INT, truth.into(), pos));
        }
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = if and { ExprKind::LogAnd(left, right) } else { ExprKind::LogOr(left, right) };
        Ok(expr(TypeId::INT, pos, kind))
    }

    /// An operator on two values.
    pub(super) fn binary_values(&mut self, op: BinOp, a: Expr, b: Expr, pos: Pos) -> Result<Expr> {
        if self.types.elements(a.ty).is_some() || self.types.elements(b.ty).is_some() {
            return self.binary_on_elements(op, a, b, pos);
        }
        let (pointer_a, pointer_b) = (self.types.pointee(a.ty), self.types.pointee(b.ty));
        match (pointer_a, pointer_b) {
            (None, None) => self.arithmetic(op, a, b, pos),
            _ if is_comparison(op) => self.compare_pointers(op, a, b, pos),
            (Some(to), None) if matches!(op, BinOp::Add | BinOp::Sub) && self.types.is_integer(b.ty) => {
                self.pointer_add(a, b, to, op == BinOp::Sub, pos)
            }
            (None, Some(to)) if op == BinOp::Add && self.types.is_integer(a.ty) => {
                self.pointer_add(b, a, to, false, pos)
            }
            (Some(to), Some(_)) if op == BinOp::Sub => self.pointer_difference(a, b, to, pos),
            _ => Err(self.bad_operands(&a, &b, pos)),
        }
    }

    pub(super) fn bad_operands(&self, a: &Expr, b: &Expr, pos: Pos) -> Error {
        let (a, b) = (self.type_name(a.ty), self.type_name(b.ty));
        Error::invalid(pos, format!("the operator cannot be applied to `{a}` and `{b}`"))
    }

    fn arithmetic(&mut self, op: BinOp, a: Expr, b: Expr, pos: Pos) -> Result<Expr> {
        let integers = self.types.is_integer(a.ty) && self.types.is_integer(b.ty);
        let needs_integers =
            matches!(op, BinOp::Rem | BinOp::Shl | BinOp::Shr | BinOp::BitAnd | BinOp::BitXor | BinOp::BitOr);
        if !(integers || !needs_integers && self.types.is_arithmetic(a.ty) && self.types.is_arithmetic(b.ty)) {
            return Err(self.bad_operands(&a, &b, pos));
        }
        let (a, b, ty) = if matches!(op, BinOp::Shl | BinOp::Shr) {
            let (a, b) = (self.promote(a), self.promote(b));
            let ty = a.ty;
            (a, b, ty)
        } else {
            self.usual(a, b)
        };
        let result_ty = if is_comparison(op) { TypeId::INT } else { ty };
        let result = Expr { pos, ..self.plain_binary(op, a, b, result_ty) };
        Ok(match op {
            _ if result_ty != ty => result,
            // These stay within an odd range by themselves.
            BinOp::BitAnd | BinOp::BitXor | BinOp::BitOr | BinOp::Shr | BinOp::Rem => result,
            _ => self.wrap_odd(result),
        })
    }

    fn compare_pointers(&mut self, op: BinOp, a: Expr, b: Expr, pos: Pos) -> Result<Expr> {
        if !(self.types.is_pointer(a.ty) || self.types.is_integer(a.ty))
            || !(self.types.is_pointer(b.ty) || self.types.is_integer(b.ty))
        {
            return Err(self.bad_operands(&a, &b, pos));
        }
        let ty = if self.types.is_pointer(a.ty) { a.ty } else { b.ty };
        for (one, other) in [(&a, &b), (&b, &a)] {
            if self.types.is_integer(one.ty) && !self.is_null_constant(one) && self.types.is_pointer(other.ty) {
                self.warn(pos, "a pointer is compared with an integer");
                break;
            }
        }
        // Integers are extended to a pointer's width with their own signedness.
        let a = if self.types.is_integer(a.ty) { self.convert(a, ty) } else { a };
        let b = if self.types.is_integer(b.ty) { self.convert(b, ty) } else { b };
        Ok(Expr { pos, ..self.plain_binary(op, a, b, TypeId::INT) })
    }

    pub(super) fn pointer_add(
        &mut self,
        pointer: Expr,
        index: Expr,
        to: TypeId,
        subtract: bool,
        pos: Pos,
    ) -> Result<Expr> {
        let stride = self.stride(to, pos)?;
        let index = self.index(index);
        let ty = pointer.ty;
        let constant = Self::literal(&pointer).is_some() && Self::literal(&index).is_some();
        let kind = ExprKind::PtrAdd { pointer: Box::new(pointer), index: Box::new(index), stride, subtract };
        let sum = expr(ty, pos, kind);
        if constant && let Some(bits) = self.const_bits(&sum) {
            return Ok(self.int(ty, bits, pos));
        }
        Ok(sum)
    }

    fn pointer_difference(&mut self, a: Expr, b: Expr, to: TypeId, pos: Pos) -> Result<Expr> {
        let stride = self.stride(to, pos)?;
        let ty = self.types.ptrdiff_t();
        if let (Some(x), Some(y), Stride::Bytes(size)) = (Self::literal(&a), Self::literal(&b), &stride) {
            let bytes = raddle_ir::eval::to_signed(self.width(ty), x.wrapping_sub(y));
            return Ok(self.int(ty, (bytes / i128::from(*size).max(1)) as u128, pos));
        }
        Ok(expr(ty, pos, ExprKind::PtrDiff { left: Box::new(a), right: Box::new(b), stride }))
    }

    pub(super) fn assign(
        &mut self,
        op: Option<BinaryOp>,
        target: &ast::Expr,
        value: &ast::Expr,
        pos: Pos,
    ) -> Result<Expr> {
        let target = self.expr(target)?;
        let value = self.value(value)?;
        let (ty, bits) = self.target(&target, pos)?;
        let Some(op) = op.and_then(hir_op) else {
            let value = self.assign_convert(value, ty, "an assignment")?;
            return Ok(expr(ty, pos, ExprKind::Assign(Box::new(target), Box::new(value))));
        };
        if self.types.elements(ty).is_some() || self.types.elements(value.ty).is_some() {
            return self.update_elements(op, target, value, pos);
        }
        if let Type::Pointer(to) = *self.types.get(ty) {
            if !matches!(op, BinOp::Add | BinOp::Sub) || !self.types.is_integer(value.ty) {
                return Err(self.bad_operands(&target, &value, pos));
            }
            let stride = self.stride(to, pos)?;
            let index = Box::new(self.index(value));
            let kind = ExprKind::AssignPtrAdd { target: Box::new(target), index, stride, subtract: op == BinOp::Sub };
            return Ok(expr(ty, pos, kind));
        }
        let shift = matches!(op, BinOp::Shl | BinOp::Shr);
        let needs_integers = shift || matches!(op, BinOp::Rem | BinOp::BitAnd | BinOp::BitXor | BinOp::BitOr);
        let integers = self.types.is_integer(ty) && self.types.is_integer(value.ty);
        let numbers = self.types.is_arithmetic(ty) && self.types.is_arithmetic(value.ty);
        if !(integers || numbers && !needs_integers) {
            return Err(self.bad_operands(&target, &value, pos));
        }
        let promoted = self.promoted(ty, bits);
        let value = self.promote(value);
        let (compute, value) = if shift {
            (promoted, value)
        } else {
            let compute = self.common_type(promoted, value.ty);
            (compute, self.convert(value, compute))
        };
        let kind = ExprKind::AssignOp { op, target: Box::new(target), value: Box::new(value), compute };
        Ok(expr(ty, pos, kind))
    }

    pub(super) fn conditional(
        &mut self,
        cond: &ast::Expr,
        then: Option<&ast::Expr>,
        otherwise: &ast::Expr,
        pos: Pos,
    ) -> Result<Expr> {
        let cond = self.value(cond)?;
        if let (None, Some(_)) = (then, self.types.elements(cond.ty)) {
            return self.elvis_on_elements(cond, otherwise, pos);
        }
        let cond = self.scalar(cond, "the condition")?;
        let Some(then) = then else { return self.elvis(cond, otherwise, pos) };
        let truth = self.truth(&cond);
        self.unevaluated += u32::from(truth == Some(false));
        let then = self.value(then);
        self.unevaluated -= u32::from(truth == Some(false));
        self.unevaluated += u32::from(truth == Some(true));
        let otherwise = self.value(otherwise);
        self.unevaluated -= u32::from(truth == Some(true));
        let (then, otherwise) = (then?, otherwise?);
        let ty = self.conditional_type(&then, &otherwise, pos)?;
        let then = self.arm_value(then, ty)?;
        let otherwise = self.arm_value(otherwise, ty)?;
        match truth {
            Some(true) => return Ok(then),
            Some(false) => return Ok(otherwise),
            None => {}
        }
        let kind = ExprKind::Conditional { cond: Box::new(cond), then: Box::new(then), otherwise: Box::new(otherwise) };
        Ok(expr(ty, pos, kind))
    }

    fn elvis(&mut self, cond: Expr, otherwise: &ast::Expr, pos: Pos) -> Result<Expr> {
        let otherwise = self.value(otherwise)?;
        let ty = self.conditional_type(&cond, &otherwise, pos)?;
        let otherwise = self.arm_value(otherwise, ty)?;
        match self.truth(&cond) {
            Some(true) => return self.arm_value(cond, ty),
            Some(false) => return Ok(otherwise),
            None => {}
        }
        if self.types.elements(ty).is_some() {
            return Err(Error::unsupported(pos, "`?:` with a complex second operand"));
        }
        Ok(expr(ty, pos, ExprKind::Elvis { cond: Box::new(cond), otherwise: Box::new(otherwise) }))
    }

    pub(super) fn arm_value(&mut self, e: Expr, ty: TypeId) -> Result<Expr> {
        if matches!(self.types.get(ty), Type::Record(_)) {
            return Ok(Expr { ty, ..e });
        }
        if self.types.elements(ty).is_some() {
            return self.assign_convert(e, ty, "a conditional");
        }
        // A bit-field of the type itself is no bit-field any more.
        let e = if self.types.is_integer(ty) && self.types.is_integer(e.ty) { self.promote(e) } else { e };
        Ok(self.convert(e, ty))
    }

    /// The type of `c ? a : b`.
    pub(super) fn conditional_type(&mut self, a: &Expr, b: &Expr, pos: Pos) -> Result<TypeId> {
        if a.ty == b.ty && !self.types.is_integer(a.ty) {
            return Ok(a.ty);
        }
        if self.types.is_arithmetic(a.ty) && self.types.is_arithmetic(b.ty) {
            let (a, b) = (self.promoted_value_type(a), self.promoted_value_type(b));
            return Ok(self.common_type(a, b));
        }
        if let Some(ty) = self.common_complex(a, b) {
            return Ok(ty);
        }
        match (self.types.get(a.ty), self.types.get(b.ty)) {
            (Type::Void, _) | (_, Type::Void) => Ok(TypeId::VOID),
            (Type::Record(_), Type::Record(_)) if self.types.compatible(a.ty, b.ty, false) => Ok(a.ty),
            (Type::Pointer(_), Type::Int(_) | Type::Bool) => {
                if !self.is_null_constant(b) {
                    self.warn(pos, "a pointer and an integer in a conditional");
                }
                Ok(a.ty)
            }
            (Type::Int(_) | Type::Bool, Type::Pointer(_)) => {
                if !self.is_null_constant(a) {
                    self.warn(pos, "a pointer and an integer in a conditional");
                }
                Ok(b.ty)
            }
            (Type::Pointer(x), Type::Pointer(y)) => {
                let (x, y) = (*x, *y);
                if self.is_null_constant(a) {
                    return Ok(b.ty);
                }
                if self.is_null_constant(b) {
                    return Ok(a.ty);
                }
                let quals = self.types.variant_of(x).quals.union(self.types.variant_of(y).quals);
                let to = if self.types.is_void(x) || self.types.is_void(y) {
                    TypeId::VOID
                } else if self.types.compatible(x, y, false) {
                    // The more complete of the two.
                    if matches!(self.types.get(x), Type::Array(_, None)) { y } else { x }
                } else {
                    self.warn(pos, "different pointer types in a conditional");
                    return Ok(TypeId::VOID_PTR);
                };
                let to = self.types.qualified(to, quals);
                Ok(self.types.pointer(to))
            }
            _ => Err(self.bad_operands(a, b, pos)),
        }
    }

    pub(super) fn promoted_value_type(&mut self, e: &Expr) -> TypeId {
        let bits = bit_field(e);
        if self.types.is_integer(e.ty) { self.promoted(e.ty, bits) } else { e.ty }
    }

    pub(super) fn comma(&mut self, a: &ast::Expr, b: &ast::Expr, pos: Pos) -> Result<Expr> {
        let left = self.value(a)?;
        let right = self.value(b)?;
        if has_no_effect(&left) {
            // A constant to the right of a comma is no constant expression, but nothing here depends on it.
            return Ok(Expr { pos, ..right });
        }
        Ok(expr(right.ty, pos, ExprKind::Comma(Box::new(left), Box::new(right))))
    }
}

/// Is it plainly without effect?
pub(super) fn has_no_effect(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Float(_) => true,
        ExprKind::Convert(inner) => has_no_effect(inner),
        ExprKind::Elements(elements) => elements.iter().all(has_no_effect),
        _ => false,
    }
}
