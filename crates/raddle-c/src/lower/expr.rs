//! Expressions: values, conditions, and effects.
//!
//! `value` emits the edges that an expression's side effects and memory accesses need, and returns what remains: an expression over
//! locals. That stays right until the next sequence point, since C forbids changing a local and reading it unsequenced.

use super::GlobalHome;
use super::builder::{Builder, LocalHome};
use super::place::Target;
use crate::error::{Error, Result};
use crate::hir::{BinOp, Expr, ExprKind, Stride, UnOp};
use crate::types::{Type, TypeId};
use raddle_ir::{BinOp as Op, Const, ExprId, Hazard, Label, LocId, Order, Place, Sort, UnOp as Un, VarId};

/// How large an expression may be that is evaluated without a branch although C would skip it.
const MOST_SPECULATED: u32 = 256;

impl<'a> Builder<'_, 'a> {
    /// Evaluates for the side effects only.
    pub fn effect(&mut self, expr: &'a Expr) -> Result<()> {
        match self.evaluated(expr) {
            Some(_) => Ok(()),
            None => self.planned(expr, |this| this.effect_of(expr)),
        }
    }

    fn effect_of(&mut self, expr: &'a Expr) -> Result<()> {
        match &expr.kind {
            ExprKind::Convert(inner) if self.cx.is_void(expr.ty) => self.effect(inner),
            ExprKind::Call { callee, args } => {
                if self.cx.is_record(expr.ty) {
                    return self.record_address(expr).map(|_| ());
                }
                self.call(expr, callee, args, None, false).map(|_| ())
            }
            ExprKind::IncDec { .. } => self.inc_dec(expr, false).map(|_| ()),
            ExprKind::Comma(left, right) => {
                self.effect(left)?;
                self.effect(right)
            }
            ExprKind::StmtExpr(body, last) => self.scope(|this| {
                this.inner_statements(body)?;
                last.as_ref().map_or(Ok(()), |last| this.effect(last))
            }),
            ExprKind::Conditional { cond, then, otherwise } => {
                let (yes, no, after) = (self.new_location(), self.new_location(), self.new_location());
                self.branch_on(cond, yes, no)?;
                self.here = yes;
                self.effect(then)?;
                self.jump(after);
                self.here = no;
                self.effect(otherwise)?;
                self.enter(after);
                Ok(())
            }
            ExprKind::LogAnd(left, right) | ExprKind::LogOr(left, right) => {
                let (more, after) = (self.new_location(), self.new_location());
                match expr.kind {
                    ExprKind::LogAnd(..) => self.branch_on(left, more, after)?,
                    _ => self.branch_on(left, after, more)?,
                }
                self.here = more;
                self.effect(right)?;
                self.enter(after);
                Ok(())
            }
            ExprKind::Elvis { cond, otherwise } => {
                let (yes, no) = (self.new_location(), self.new_location());
                self.branch_on(cond, yes, no)?;
                self.here = no;
                self.effect(otherwise)?;
                self.enter(yes);
                Ok(())
            }
            // A discarded array, function or void lvalue is not read.
            ExprKind::Global(_) | ExprKind::Local(_) | ExprKind::Str(_) | ExprKind::Function(_) => Ok(()),
            ExprKind::Deref(pointer) => self.effect(pointer),
            ExprKind::Member { base, .. } => self.effect(base),
            _ if self.cx.is_record(expr.ty) => self.record_address(expr).map(|_| ()),
            _ if self.cx.is_void(expr.ty) => Err(Error::unsupported(expr.pos, "this void expression")),
            _ => self.value(expr).map(|_| ()),
        }
    }

    /// The value of a scalar expression.
    pub fn value(&mut self, expr: &'a Expr) -> Result<ExprId> {
        match self.evaluated(expr) {
            Some(value) => Ok(value),
            None => self.planned(expr, |this| this.value_of(expr)),
        }
    }

    fn value_of(&mut self, expr: &'a Expr) -> Result<ExprId> {
        match &expr.kind {
            ExprKind::Int(bits) | ExprKind::Float(bits) => {
                let sort = self.cx.scalar_sort(expr.ty, expr.pos)?;
                Ok(match sort {
                    Sort::Bits(width) => self.cx.pool.bits(width, *bits),
                    _ => self.cx.pool.constant(Const { sort, bits: *bits }),
                })
            }
            ExprKind::Load(lvalue) => {
                let target = self.target(lvalue)?;
                self.read(target, lvalue.ty)
            }
            ExprKind::Decay(lvalue) => {
                self.check_lent(lvalue);
                self.address_of(lvalue)
            }
            ExprKind::AddrOf(lvalue) => {
                self.check_lent(lvalue);
                self.taken_address(lvalue)
            }
            ExprKind::Function(id) => self.cx.function_pointer(*id),
            ExprKind::Unary(UnOp::Not, _) | ExprKind::LogAnd(..) | ExprKind::LogOr(..) => self.truth_value(expr),
            ExprKind::Unary(op, operand) => {
                let operand = self.value(operand)?;
                if let UnOp::Neg = op {
                    self.check_negation(expr.ty, operand);
                }
                let op = match (op, self.cx.pool.sort(operand)) {
                    (UnOp::Neg, Sort::Float(_)) => Un::FNeg,
                    (UnOp::Neg, _) => Un::BvNeg,
                    _ => Un::BvNot,
                };
                let operand = self.hide(operand);
                Ok(self.cx.pool.unary(op, operand))
            }
            ExprKind::Binary(op, ..) if is_comparison(*op) => self.truth_value(expr),
            ExprKind::Binary(op, left, right) => {
                let a = self.value(left)?;
                let b = self.value(right)?;
                self.check_count(*op, a, b);
                self.check_overflow(*op, left.ty, a, b);
                self.arithmetic(*op, left.ty, a, b)
            }
            ExprKind::PtrAdd { .. } => self.pointer_sum(expr, false),
            ExprKind::PtrDiff { left, right, stride } => {
                let a = self.value(left)?;
                let b = self.value(right)?;
                let difference = self.sum(Op::BvSub, a, b);
                let stride = self.stride(stride)?;
                let quotient = self.cx.pool.binary(Op::BvSDiv, difference, stride);
                let sort = self.cx.scalar_sort(expr.ty, expr.pos)?;
                Ok(self.fit(quotient, sort))
            }
            ExprKind::Conditional { cond, then, otherwise } => {
                let mut budget = MOST_SPECULATED;
                if self.is_free(then, &mut budget) && self.is_free(otherwise, &mut budget) {
                    let cond = self.cond(cond)?;
                    let a = self.value(then)?;
                    let b = self.value(otherwise)?;
                    return Ok(self.cx.pool.ite(cond, a, b));
                }
                let sort = self.cx.scalar_sort(expr.ty, expr.pos)?;
                let result = self.temp(sort);
                self.choose(cond, result, |this| this.value(then), |this| this.value(otherwise))
            }
            ExprKind::Elvis { cond, otherwise } => {
                let sort = self.cx.scalar_sort(expr.ty, expr.pos)?;
                let result = self.temp(sort);
                let value = self.value(cond)?;
                let kept = self.convert(value, cond.ty, expr.ty)?;
                let truth = self.is_true(value);
                self.assign(result, kept);
                let (yes, no) = (self.new_location(), self.new_location());
                self.branch(truth, yes, no);
                self.here = no;
                let value = self.value(otherwise)?;
                let value = self.fit(value, sort);
                self.assign(result, value);
                self.enter(yes);
                Ok(self.var_value(result))
            }
            ExprKind::Comma(left, right) => {
                self.effect(left)?;
                self.value(right)
            }
            ExprKind::Assign(left, right) => {
                let value = self.value(right)?;
                let target = self.target(left)?;
                self.write(target, left.ty, value)
            }
            ExprKind::AssignOp { op, target, value, compute } => {
                let operand = self.value(value)?;
                let place = self.target(target)?;
                let op = *op;
                let shift = matches!(op, BinOp::Shl | BinOp::Shr);
                if let Some((cell, sort)) = self.atomic_cell(target, place) {
                    let (old, new) = self.update(cell, sort, Order::SeqCst, |this, old| {
                        let old = this.convert(old, target.ty, *compute)?;
                        let ty = if shift { *compute } else { value.ty };
                        let new = this.arithmetic(op, ty, old, operand)?;
                        this.convert(new, *compute, target.ty)
                    })?;
                    // One step reads and writes. That it overflowed is seen behind it.
                    let old = self.convert(old, target.ty, *compute)?;
                    self.check_overflow(op, *compute, old, operand);
                    return Ok(new);
                }
                let old = self.read(place, target.ty)?;
                let old = self.convert(old, target.ty, *compute)?;
                self.check_overflow(op, *compute, old, operand);
                let new = self.arithmetic(op, *compute, old, operand)?;
                let new = self.convert(new, *compute, target.ty)?;
                self.write(place, target.ty, new)
            }
            ExprKind::AssignPtrAdd { target, index, stride, subtract } => {
                let by = self.value(index)?;
                let offset = self.scaled(by, index.ty, stride)?;
                let place = self.target(target)?;
                let op = if *subtract { Op::BvSub } else { Op::BvAdd };
                if let Some((cell, sort)) = self.atomic_cell(target, place) {
                    let update = |this: &mut Self, old| Ok(this.cx.pool.binary(op, old, offset));
                    return Ok(self.update(cell, sort, Order::SeqCst, update)?.1);
                }
                let old = self.read(place, target.ty)?;
                let new = self.cx.pool.binary(op, old, offset);
                self.write(place, target.ty, new)
            }
            ExprKind::IncDec { .. } => self.inc_dec(expr, true),
            ExprKind::Call { callee, args } => match self.call(expr, callee, args, None, true)? {
                Some(value) => {
                    let sort = self.cx.scalar_sort(expr.ty, expr.pos)?;
                    Ok(self.fit(value, sort))
                }
                None => Err(Error::unsupported(expr.pos, "the value of this call")),
            },
            ExprKind::Convert(inner) => {
                if self.cx.is_void(inner.ty) {
                    return Err(Error::invalid(expr.pos, "a void value is used"));
                }
                if matches!(self.hir().types.get(expr.ty), Type::Bool) {
                    let cond = self.cond(inner)?;
                    return Ok(self.bool_bits(cond, 8));
                }
                let value = self.value(inner)?;
                self.convert(value, inner.ty, expr.ty)
            }
            ExprKind::StmtExpr(body, Some(last)) => self.scope_with_value(|this| {
                this.inner_statements(body)?;
                this.value(last)
            }),
            ExprKind::LabelAddress(function, label) => self.cx.label_pointer(*function, *label),
            ExprKind::StmtExpr(_, None) => Err(Error::invalid(expr.pos, "this statement expression has no value")),
            ExprKind::VaArg(list) => {
                let address = self.variable_argument(list, expr.ty)?;
                let sort = self.cx.scalar_sort(expr.ty, expr.pos)?;
                Ok(self.load(Place::Memory(address), sort, Order::NonAtomic))
            }
            ExprKind::Elements(_) => self.record_address(expr),
            ExprKind::Global(_)
            | ExprKind::Local(_)
            | ExprKind::Str(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLiteral(..) => {
                // An lvalue that sema left unread: arrays decay, scalars are read.
                if self.hir().types.scalar_sort(expr.ty).is_some() {
                    let target = self.target(expr)?;
                    self.read(target, expr.ty)
                } else {
                    self.address_of(expr)
                }
            }
        }
    }

    /// A Bool as an `int`.
    fn truth_value(&mut self, expr: &'a Expr) -> Result<ExprId> {
        let width = self.cx.scalar_sort(expr.ty, expr.pos)?.bits().unwrap_or(32);
        let cond = self.cond(expr)?;
        Ok(self.bool_bits(cond, width))
    }

    pub fn bool_bits(&mut self, cond: ExprId, width: u8) -> ExprId {
        let (one, zero) = (self.cx.pool.bits(width, 1), self.cx.pool.bits(width, 0));
        self.cx.pool.ite(cond, one, zero)
    }

    /// "Not zero", as a Bool.
    pub fn is_true(&mut self, value: ExprId) -> ExprId {
        let sort = self.cx.pool.sort(value);
        if sort == Sort::Bool {
            return value;
        }
        let zero = self.cx.pool.constant(Const { sort, bits: 0 });
        let op = if sort.is_float() { Op::FEq } else { Op::Eq };
        let is_zero = self.cx.pool.binary(op, value, zero);
        self.cx.pool.not(is_zero)
    }

    /// An expression as a condition: a Bool.
    pub fn cond(&mut self, expr: &'a Expr) -> Result<ExprId> {
        match self.evaluated(expr) {
            Some(value) => Ok(self.is_true(value)),
            None => self.planned(expr, |this| this.truth_of(expr)),
        }
    }

    fn truth_of(&mut self, expr: &'a Expr) -> Result<ExprId> {
        match &expr.kind {
            ExprKind::Unary(UnOp::Not, operand) => {
                let cond = self.cond(operand)?;
                Ok(self.cx.pool.not(cond))
            }
            ExprKind::Binary(op, left, right) if is_comparison(*op) => {
                let a = self.value(left)?;
                let b = self.value(right)?;
                Ok(self.comparison(*op, left.ty, a, b))
            }
            ExprKind::LogAnd(left, right) | ExprKind::LogOr(left, right) => {
                let is_and = matches!(expr.kind, ExprKind::LogAnd(..));
                let mut budget = MOST_SPECULATED;
                if self.is_free(right, &mut budget) {
                    let a = self.cond(left)?;
                    let b = self.cond(right)?;
                    return Ok(if is_and { self.cx.pool.and(a, b) } else { self.cx.pool.or(a, b) });
                }
                let a = self.cond(left)?;
                let result = self.temp(Sort::Bool);
                self.assign(result, a);
                let (more, after) = (self.new_location(), self.new_location());
                if is_and {
                    self.branch(a, more, after);
                } else {
                    self.branch(a, after, more);
                }
                self.here = more;
                let b = self.cond(right)?;
                self.assign(result, b);
                self.enter(after);
                Ok(self.var_value(result))
            }
            // Widening, and converting to `_Bool`, keep what is zero and what is not.
            ExprKind::Convert(inner) if self.keeps_truth(inner.ty, expr.ty) => self.cond(inner),
            _ => {
                let value = self.value(expr)?;
                Ok(self.is_true(value))
            }
        }
    }

    fn keeps_truth(&self, from: TypeId, to: TypeId) -> bool {
        let types = &self.hir().types;
        let integral = |ty: TypeId| matches!(types.get(ty), Type::Int(_) | Type::Bool | Type::Pointer(_));
        match types.get(to) {
            Type::Bool => types.scalar_sort(from).is_some(),
            _ => integral(from) && integral(to) && types.size(to) >= types.size(from),
        }
    }

    /// Goes to one of two locations.
    pub fn branch_on(&mut self, expr: &'a Expr, yes: LocId, no: LocId) -> Result<()> {
        self.planned(expr, |this| this.branch_on_truth(expr, yes, no))
    }

    fn branch_on_truth(&mut self, expr: &'a Expr, yes: LocId, no: LocId) -> Result<()> {
        match &expr.kind {
            _ if self.evaluated(expr).is_some() => {}
            ExprKind::Unary(UnOp::Not, operand) => return self.branch_on(operand, no, yes),
            ExprKind::LogAnd(left, right) | ExprKind::LogOr(left, right) => {
                let mut budget = MOST_SPECULATED;
                if !self.is_free(right, &mut budget) {
                    let more = self.new_location();
                    match expr.kind {
                        ExprKind::LogAnd(..) => self.branch_on(left, more, no)?,
                        _ => self.branch_on(left, yes, more)?,
                    }
                    self.here = more;
                    return self.branch_on(right, yes, no);
                }
            }
            ExprKind::Convert(inner) if self.keeps_truth(inner.ty, expr.ty) => return self.branch_on(inner, yes, no),
            _ => {}
        }
        let cond = self.cond(expr)?;
        self.branch(cond, yes, no);
        Ok(())
    }

    /// Evaluates one of two into a variable.
    pub fn choose(
        &mut self,
        cond: &'a Expr,
        result: VarId,
        then: impl FnOnce(&mut Self) -> Result<ExprId>,
        otherwise: impl FnOnce(&mut Self) -> Result<ExprId>,
    ) -> Result<ExprId> {
        let sort = self.cx.vars[result.index()].sort;
        let (yes, no, after) = (self.new_location(), self.new_location(), self.new_location());
        self.branch_on(cond, yes, no)?;
        self.here = yes;
        let value = then(self)?;
        let value = self.fit(value, sort);
        self.assign(result, value);
        self.jump(after);
        self.here = no;
        let value = otherwise(self)?;
        let value = self.fit(value, sort);
        self.assign(result, value);
        self.enter(after);
        Ok(self.var_value(result))
    }

    /// May it be evaluated although C would skip it: does it change nothing, never trap, and touch only locals? Inside an atomic block shared
    /// variables may be read as well: no other thread steps meanwhile, so a read more is not observable.
    fn is_free(&self, expr: &Expr, budget: &mut u32) -> bool {
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => true,
            ExprKind::Load(lvalue) => match &lvalue.kind {
                ExprKind::Local(local) => matches!(self.home(*local), LocalHome::Var(_)),
                ExprKind::Global(global) => self.atomic > 0 && matches!(self.global_home(*global), GlobalHome::Var(_)),
                _ => false,
            },
            _ if self.may_be_undefined(expr) => false,
            ExprKind::Unary(UnOp::Neg, _)
            | ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem | BinOp::Shl, ..)
                if self.checks_overflow(expr.ty) =>
            {
                false
            }
            ExprKind::Binary(BinOp::Div | BinOp::Rem, left, right) => {
                matches!(right.kind, ExprKind::Int(value) if value != 0) && self.is_free(left, budget)
            }
            ExprKind::Unary(_, operand) | ExprKind::Convert(operand) => {
                !self.cx.is_void(expr.ty) && self.is_free(operand, budget)
            }
            ExprKind::Binary(_, a, b) | ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
                self.is_free(a, budget) && self.is_free(b, budget)
            }
            ExprKind::PtrAdd { pointer, index, stride: Stride::Bytes(_), .. } => {
                self.is_free(pointer, budget) && self.is_free(index, budget)
            }
            ExprKind::Conditional { cond, then, otherwise } => {
                self.hir().types.scalar_sort(expr.ty).is_some()
                    && self.is_free(cond, budget)
                    && self.is_free(then, budget)
                    && self.is_free(otherwise, budget)
            }
            ExprKind::AddrOf(lvalue) | ExprKind::Decay(lvalue) => match &lvalue.kind {
                ExprKind::Local(_) | ExprKind::Str(_) | ExprKind::Function(_) => true,
                ExprKind::Global(global) => !matches!(self.global_home(*global), GlobalHome::PerThread(_)),
                _ => false,
            },
            _ => false,
        }
    }

    pub fn comparison(&mut self, op: BinOp, ty: TypeId, a: ExprId, b: ExprId) -> ExprId {
        let sort = self.cx.pool.sort(a);
        let b = self.fit(b, sort);
        let a = self.compared(a, b);
        let (less, less_equal, equal) = match sort {
            Sort::Float(_) => (Op::FLt, Op::FLe, Op::FEq),
            _ if self.hir().types.is_signed(ty) => (Op::SLt, Op::SLe, Op::Eq),
            _ => (Op::ULt, Op::ULe, Op::Eq),
        };
        match op {
            BinOp::Lt => self.cx.pool.binary(less, a, b),
            BinOp::Gt => self.cx.pool.binary(less, b, a),
            BinOp::Le => self.cx.pool.binary(less_equal, a, b),
            BinOp::Ge => self.cx.pool.binary(less_equal, b, a),
            BinOp::Ne => {
                let equal = self.cx.pool.binary(equal, a, b);
                self.cx.pool.not(equal)
            }
            _ => self.cx.pool.binary(equal, a, b),
        }
    }

    /// `ty` is the type of the left operand (and of the right one, but for shifts).
    pub fn arithmetic(&mut self, op: BinOp, ty: TypeId, a: ExprId, b: ExprId) -> Result<ExprId> {
        let sort = self.cx.pool.sort(a);
        let signed = self.hir().types.is_signed(ty);
        if sort.is_float() {
            let op = match op {
                BinOp::Add => Op::FAdd,
                BinOp::Sub => Op::FSub,
                BinOp::Mul => Op::FMul,
                BinOp::Div => Op::FDiv,
                _ => return Err(Error::invalid(self.pos, "this operator needs integers")),
            };
            return Ok(self.cx.pool.binary(op, a, b));
        }
        let b = self.fit(b, sort);
        let op = match op {
            BinOp::Add => Op::BvAdd,
            BinOp::Sub => Op::BvSub,
            BinOp::Mul => Op::BvMul,
            BinOp::BitAnd => Op::BvAnd,
            BinOp::BitOr => Op::BvOr,
            BinOp::BitXor => Op::BvXor,
            BinOp::Shl => Op::Shl,
            BinOp::Shr if signed => Op::AShr,
            BinOp::Shr => Op::LShr,
            BinOp::Div | BinOp::Rem => {
                let zero = self.cx.pool.constant(Const { sort, bits: 0 });
                let cond = self.cx.pool.ne(b, zero);
                if self.cx.pool.as_const(cond).is_none_or(|c| c.bits == 0) {
                    self.emit(Label::Require { cond, hazard: Hazard::DivisionByZero });
                }
                match (op, signed) {
                    (BinOp::Div, true) => Op::BvSDiv,
                    (BinOp::Div, false) => Op::BvUDiv,
                    (_, true) => Op::BvSRem,
                    (_, false) => Op::BvURem,
                }
            }
            _ => return Ok(self.comparison_bits(op, ty, a, b)),
        };
        if let Op::BvAdd | Op::BvSub = op {
            return Ok(self.sum(op, a, b));
        }
        let (a, b) = (self.hide(a), self.hide(b));
        Ok(self.cx.pool.binary(op, a, b))
    }

    fn comparison_bits(&mut self, op: BinOp, ty: TypeId, a: ExprId, b: ExprId) -> ExprId {
        let cond = self.comparison(op, ty, a, b);
        self.bool_bits(cond, 32)
    }

    fn stride(&mut self, stride: &'a Stride) -> Result<ExprId> {
        match stride {
            // GNU C has types of size 0; their differences are taken as byte counts.
            Stride::Bytes(bytes) => Ok(self.cx.address((*bytes).max(1))),
            Stride::Computed(expr) => {
                let value = self.value(expr)?;
                let sort = self.cx.pointer_sort();
                Ok(self.fit(value, sort))
            }
        }
    }

    /// `index * stride` in bytes, as wide as a pointer.
    pub fn scaled(&mut self, value: ExprId, ty: TypeId, stride: &'a Stride) -> Result<ExprId> {
        let width = self.cx.pointer_bits;
        let have = self.cx.pool.sort(value).bits().unwrap_or(width);
        let value = if have > width {
            self.cx.pool.extract(width - 1, 0, value)
        } else if self.hir().types.is_signed(ty) {
            self.cx.pool.sign_ext(width, value)
        } else {
            self.cx.pool.zero_ext(width, value)
        };
        let stride = match stride {
            Stride::Bytes(bytes) => self.cx.address(*bytes),
            computed => self.stride(computed)?,
        };
        let is_scaled = self.cx.pool.as_const(stride).is_none_or(|stride| stride.bits != 1);
        let value = if is_scaled { self.hide(value) } else { value };
        Ok(self.cx.pool.binary(Op::BvMul, value, stride))
    }

    /// `++` and `--`. The old value is kept only if it is wanted.
    fn inc_dec(&mut self, expr: &'a Expr, wanted: bool) -> Result<ExprId> {
        let ExprKind::IncDec { target, decrement, postfix, compute, stride } = &expr.kind else {
            return Err(Error::unsupported(expr.pos, "this increment"));
        };
        let place = self.target(target)?;
        let stride = stride.as_ref().map(|s| self.stride(s)).transpose()?;
        let step = |this: &mut Self, old: ExprId| -> Result<ExprId> {
            if let Some(stride) = stride {
                let op = if *decrement { Op::BvSub } else { Op::BvAdd };
                return Ok(this.cx.pool.binary(op, old, stride));
            }
            let value = this.convert(old, target.ty, *compute)?;
            let sort = this.cx.pool.sort(value);
            let new = match sort {
                Sort::Float(to) => {
                    let one = this.cx.pool.bits(8, 1);
                    let one = this.cx.pool.u_to_f(to, one);
                    this.cx.pool.binary(if *decrement { Op::FSub } else { Op::FAdd }, value, one)
                }
                _ => {
                    let one = this.cx.pool.constant(Const { sort, bits: 1 });
                    this.cx.pool.binary(if *decrement { Op::BvSub } else { Op::BvAdd }, value, one)
                }
            };
            this.convert(new, *compute, target.ty)
        };
        if let Some((cell, sort)) = self.atomic_cell(target, place) {
            let (old, new) = self.update(cell, sort, Order::SeqCst, step)?;
            self.check_step(*decrement, old, target.ty, *compute)?;
            return Ok(if *postfix { old } else { new });
        }
        let mut old = self.read(place, target.ty)?;
        if wanted && *postfix && matches!(place, Target::Local(_)) {
            let sort = self.cx.pool.sort(old);
            let kept = self.temp(sort);
            self.assign(kept, old);
            old = self.var_value(kept);
        }
        self.check_step(*decrement, old, target.ty, *compute)?;
        let new = step(self, old)?;
        let new = self.write(place, target.ty, new)?;
        Ok(if *postfix { old } else { new })
    }

    /// `++` and `--` of a number overflow where adding 1 would.
    fn check_step(&mut self, decrement: bool, old: ExprId, ty: TypeId, compute: TypeId) -> Result<()> {
        if self.checks_overflow(compute) {
            let old = self.convert(old, ty, compute)?;
            let one = self.cx.pool.constant(Const { sort: self.cx.pool.sort(old), bits: 1 });
            self.check_overflow(if decrement { BinOp::Sub } else { BinOp::Add }, compute, old, one);
        }
        Ok(())
    }

    /// Converts a value between scalar types.
    pub fn convert(&mut self, value: ExprId, from: TypeId, to: TypeId) -> Result<ExprId> {
        let types = &self.hir().types;
        let (from, to) = (types.strip_atomic(from), types.strip_atomic(to));
        if matches!(types.get(to), Type::Bool) {
            if matches!(types.get(from), Type::Bool) {
                return Ok(value);
            }
            let cond = self.is_true(value);
            return Ok(self.bool_bits(cond, 8));
        }
        let Some(to_sort) = types.scalar_sort(to) else { return Ok(value) };
        // Pointers are sign-extended when cast to wider integers, as gcc does it.
        let signed = types.is_signed(from) || matches!(types.get(from), Type::Pointer(_));
        let to_signed = types.is_signed(to);
        let hides = to_sort.is_float() || to_sort.bits().is_some_and(|bits| bits < self.cx.pointer_bits);
        let value = if hides { self.hide(value) } else { value };
        if let Sort::Bits(width) = to_sort {
            self.check_truncation(value, width, to_signed);
        }
        let pool = &mut self.cx.pool;
        Ok(match (pool.sort(value), to_sort) {
            (a, b) if a == b => value,
            (Sort::Bits(have), Sort::Bits(want)) if have > want => pool.extract(want - 1, 0, value),
            (Sort::Bits(_), Sort::Bits(want)) if signed => pool.sign_ext(want, value),
            (Sort::Bits(_), Sort::Bits(want)) => pool.zero_ext(want, value),
            (Sort::Bits(_), Sort::Float(format)) if signed => pool.s_to_f(format, value),
            (Sort::Bits(_), Sort::Float(format)) => pool.u_to_f(format, value),
            (Sort::Float(_), Sort::Bits(want)) if to_signed => pool.f_to_s(want, value),
            (Sort::Float(_), Sort::Bits(want)) => pool.f_to_u(want, value),
            (Sort::Float(_), Sort::Float(format)) => pool.f_to_f(format, value),
            _ => value,
        })
    }
}

fn is_comparison(op: BinOp) -> bool {
    matches!(op, BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne)
}
