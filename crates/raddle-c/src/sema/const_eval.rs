//! Constants: literals, folding, and the value of constant expressions.
//!
//! Operators on constants are folded as trees are built, except where C leaves the result undefined (overflow, division by zero, shifts by too
//! much): there the tree stays, so that a property about it can be checked. Where a constant is required, gcc's value is computed anyway.
//! All arithmetic is the evaluator's of the program model.

use super::{COMPOUND_LITERAL, Sema, expr};
use crate::ast::FloatLiteral;
use crate::hir::{BinOp, Expr, ExprKind, InitValue, UnOp};
use crate::source::Pos;
use crate::types::{FloatKind, Type, TypeId};
use raddle_ir::{ExprId, FloatSort, Sort, eval};
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};

/// Conversions take an operand, which the evaluator does not look at.
const OPERAND: ExprId = ExprId(0);

impl Sema<'_> {
    /// An integer (or pointer) constant; the value is taken modulo the type's range.
    pub(super) fn int(&self, ty: TypeId, value: u128, pos: Pos) -> Expr {
        let value = match self.types.get(ty) {
            Type::Bool => u128::from(value != 0),
            _ => value & eval::mask(self.width(ty)),
        };
        expr(ty, pos, ExprKind::Int(value))
    }

    pub(super) fn size_const(&mut self, value: u64, pos: Pos) -> Expr {
        let ty = self.types.size_t();
        self.int(ty, value.into(), pos)
    }

    /// How many bits a scalar's representation has.
    pub(super) fn width(&self, ty: TypeId) -> u8 {
        self.types.scalar_sort(ty).and_then(Sort::bits).unwrap_or(128)
    }

    /// The bits of a constant, if the expression is one as it stands.
    pub(super) fn literal(e: &Expr) -> Option<u128> {
        match e.kind {
            ExprKind::Int(bits) | ExprKind::Float(bits) => Some(bits),
            _ => None,
        }
    }

    fn is_true(&self, ty: TypeId, bits: u128) -> bool {
        match self.types.scalar_sort(ty) {
            Some(Sort::Float(f)) => {
                let sort = Sort::Float(f);
                eval::binary(raddle_ir::BinOp::FEq, sort, sort, bits, 0) == 0
            }
            _ => bits != 0,
        }
    }

    /// Whether a constant condition holds.
    pub(super) fn truth(&self, e: &Expr) -> Option<bool> {
        Self::literal(e).map(|bits| self.is_true(e.ty, bits))
    }

    /// Converts constant bits between scalar types.
    pub(super) fn convert_bits(&self, from: TypeId, to: TypeId, bits: u128) -> Option<u128> {
        use raddle_ir::Expr as E;
        let (a, b) = (self.types.scalar_sort(from)?, self.types.scalar_sort(to)?);
        if matches!(self.types.get(to), Type::Bool) {
            return Some(self.is_true(from, bits).into());
        }
        Some(match (a, b) {
            (Sort::Bits(n), Sort::Bits(m)) if n >= m => bits & eval::mask(m),
            (Sort::Bits(_), Sort::Bits(width)) if self.types.is_signed(from) => {
                eval::convert(E::SignExt { width, arg: OPERAND }, a, bits)
            }
            (Sort::Bits(_), Sort::Bits(_)) => bits,
            (Sort::Bits(_), Sort::Float(to)) if self.types.is_signed(from) => {
                eval::convert(E::SToF { to, arg: OPERAND }, a, bits)
            }
            (Sort::Bits(_), Sort::Float(to)) => eval::convert(E::UToF { to, arg: OPERAND }, a, bits),
            (Sort::Float(_), Sort::Bits(width)) => saturate(a, bits, self.types.is_signed(to), width),
            (Sort::Float(f), Sort::Float(g)) if f == g => bits,
            (Sort::Float(_), Sort::Float(to)) => eval::convert(E::FToF { to, arg: OPERAND }, a, bits),
            _ => return None,
        })
    }

    pub(super) fn fold_unary(&self, op: UnOp, ty: TypeId, bits: u128, force: bool) -> Option<u128> {
        use raddle_ir::UnOp as U;
        let sort = self.types.scalar_sort(ty)?;
        match op {
            UnOp::Not => Some(u128::from(!self.is_true(ty, bits))),
            UnOp::BitNot => Some(eval::unary(U::BvNot, sort, bits)),
            UnOp::Neg if sort.is_float() => Some(eval::unary(U::FNeg, sort, bits)),
            UnOp::Neg => {
                let least = 1u128 << (self.width(ty) - 1);
                (force || bits != least || !self.types.is_signed(ty)).then(|| eval::unary(U::BvNeg, sort, bits))
            }
        }
    }

    /// The value of an operator on constants. `force`: also where C leaves it undefined and gcc has a value.
    pub(super) fn fold_binary(
        &self,
        op: BinOp,
        (a_ty, a): (TypeId, u128),
        (b_ty, b): (TypeId, u128),
        force: bool,
    ) -> Option<u128> {
        use raddle_ir::BinOp as B;
        let (sort, sort_b) = (self.types.scalar_sort(a_ty)?, self.types.scalar_sort(b_ty)?);
        let run = |op, x, y| eval::binary(op, sort, sort, x, y);
        if sort.is_float() {
            return Some(match op {
                BinOp::Add => run(B::FAdd, a, b),
                BinOp::Sub => run(B::FSub, a, b),
                BinOp::Mul => run(B::FMul, a, b),
                BinOp::Div => run(B::FDiv, a, b),
                BinOp::Lt => run(B::FLt, a, b),
                BinOp::Gt => run(B::FLt, b, a),
                BinOp::Le => run(B::FLe, a, b),
                BinOp::Ge => run(B::FLe, b, a),
                BinOp::Eq => run(B::FEq, a, b),
                BinOp::Ne => run(B::FEq, a, b) ^ 1,
                _ => return None,
            });
        }
        let signed = self.types.is_signed(a_ty);
        let width = sort.bits()?;
        let defined = |overflow: B| force || !signed || run(overflow, a, b) == 0;
        let (lt, le) = if signed { (B::SLt, B::SLe) } else { (B::ULt, B::ULe) };
        Some(match op {
            BinOp::Add if defined(B::SAddOverflows) => run(B::BvAdd, a, b),
            BinOp::Sub if defined(B::SSubOverflows) => run(B::BvSub, a, b),
            BinOp::Mul if defined(B::SMulOverflows) => run(B::BvMul, a, b),
            BinOp::Div | BinOp::Rem if b == 0 => return None,
            BinOp::Div | BinOp::Rem if signed => {
                let least = 1u128 << (width - 1);
                if a == least && b == eval::mask(width) && !force {
                    return None;
                }
                run(if op == BinOp::Div { B::BvSDiv } else { B::BvSRem }, a, b)
            }
            BinOp::Div => run(B::BvUDiv, a, b),
            BinOp::Rem => run(B::BvURem, a, b),
            BinOp::BitAnd => run(B::BvAnd, a, b),
            BinOp::BitOr => run(B::BvOr, a, b),
            BinOp::BitXor => run(B::BvXor, a, b),
            BinOp::Shl | BinOp::Shr => {
                let negative = self.types.is_signed(b_ty) && eval::to_signed(sort_b.bits()?, b) < 0;
                if negative || (b >= width.into() && !force) {
                    return None;
                }
                match op {
                    BinOp::Shl if signed && !force => {
                        let shifted = run(B::Shl, a, b);
                        if run(B::AShr, shifted, b) != a {
                            return None;
                        }
                        shifted
                    }
                    BinOp::Shl => run(B::Shl, a, b),
                    _ if signed => run(B::AShr, a, b),
                    _ => run(B::LShr, a, b),
                }
            }
            BinOp::Lt => run(lt, a, b),
            BinOp::Gt => run(lt, b, a),
            BinOp::Le => run(le, a, b),
            BinOp::Ge => run(le, b, a),
            BinOp::Eq => u128::from(a == b),
            BinOp::Ne => u128::from(a != b),
            _ => return None,
        })
    }

    /// The bits of a constant expression of scalar type, as gcc computes them where it needs one.
    pub(super) fn const_bits(&self, e: &Expr) -> Option<u128> {
        match &e.kind {
            ExprKind::Int(bits) | ExprKind::Float(bits) => Some(*bits),
            ExprKind::Unary(op, a) => self.fold_unary(*op, a.ty, self.const_bits(a)?, true),
            ExprKind::Binary(op, a, b) => {
                let left = self.const_bits(a)?;
                self.fold_binary(*op, (a.ty, left), (b.ty, self.const_bits(b)?), true)
            }
            ExprKind::Convert(a) => self.convert_bits(a.ty, e.ty, self.const_bits(a)?),
            ExprKind::Conditional { cond, then, otherwise } => {
                let holds = self.is_true(cond.ty, self.const_bits(cond)?);
                self.const_bits(if holds { then } else { otherwise })
            }
            ExprKind::LogAnd(a, b) => {
                if !self.is_true(a.ty, self.const_bits(a)?) {
                    return Some(0);
                }
                Some(self.is_true(b.ty, self.const_bits(b)?).into())
            }
            ExprKind::LogOr(a, b) => {
                if self.is_true(a.ty, self.const_bits(a)?) {
                    return Some(1);
                }
                Some(self.is_true(b.ty, self.const_bits(b)?).into())
            }
            ExprKind::PtrAdd { pointer, index, stride: crate::hir::Stride::Bytes(stride), subtract } => {
                let (base, index) = (self.const_bits(pointer)?, self.const_bits(index)?);
                let step = index.wrapping_mul((*stride).into());
                let sum = if *subtract { base.wrapping_sub(step) } else { base.wrapping_add(step) };
                Some(sum & eval::mask(self.width(e.ty)))
            }
            // A constant variable with a constant value, as gcc takes it since version 8.
            ExprKind::Load(lvalue) if self.static_init => self.const_variable(lvalue),
            _ => None,
        }
    }

    fn const_variable(&self, lvalue: &Expr) -> Option<u128> {
        let ExprKind::Global(id) = lvalue.kind else { return None };
        let global = &self.globals[id.index()];
        match global.init.as_ref()?.entries.as_slice() {
            [only] if (global.is_const || global.name == COMPOUND_LITERAL) && self.types.is_scalar(global.ty) => {
                match &only.value {
                    InitValue::Expr(value) => Self::literal(value),
                    InitValue::Bytes(_) => None,
                }
            }
            _ => None,
        }
    }

    /// A floating literal rounded to a type.
    pub(super) fn float_literal(&self, literal: &FloatLiteral, ty: TypeId) -> Option<u128> {
        let text = literal.0.as_str();
        let hex = text.len() > 1 && text.as_bytes()[1].eq_ignore_ascii_case(&b'x');
        let Type::Float(kind) = *self.types.get(ty) else { return None };
        Some(match kind {
            FloatKind::Float if !hex => text.parse::<f32>().ok()?.to_bits().into(),
            FloatKind::Double if !hex => text.parse::<f64>().ok()?.to_bits().into(),
            FloatKind::Float => parse_float::<Single>(text)?,
            FloatKind::Double => parse_float::<Double>(text)?,
            FloatKind::LongDouble => parse_float::<X87DoubleExtended>(text)?,
            FloatKind::Float128 => parse_float::<Quad>(text)?,
        })
    }

    /// Infinity of a floating type.
    pub(super) fn infinity(&self, ty: TypeId) -> u128 {
        match self.float_sort(ty) {
            FloatSort::F32 => f32::INFINITY.to_bits().into(),
            FloatSort::F64 => f64::INFINITY.to_bits().into(),
            FloatSort::F128 => Quad::INFINITY.to_bits(),
            _ => X87DoubleExtended::INFINITY.to_bits(),
        }
    }

    /// The quiet NaN of a floating type with the low bits of its payload.
    pub(super) fn nan(&self, ty: TypeId, payload: u128) -> u128 {
        match self.float_sort(ty) {
            FloatSort::F32 => 0x7fc0_0000 | payload & 0x3f_ffff,
            FloatSort::F64 => 0x7ff8_0000_0000_0000 | payload & 0x7_ffff_ffff_ffff,
            FloatSort::F128 => 0x7fff_8000 << 96 | payload & ((1 << 111) - 1),
            _ => 0x7fff_c000_0000_0000_0000 | payload & 0x3fff_ffff_ffff_ffff,
        }
    }

    fn float_sort(&self, ty: TypeId) -> FloatSort {
        match self.types.scalar_sort(ty) {
            Some(Sort::Float(sort)) => sort,
            _ => FloatSort::F64,
        }
    }
}

fn parse_float<F: Float>(text: &str) -> Option<u128> {
    // The library wants digits on both sides of nothing: it takes `1.` and `.5` as they are.
    F::from_str_r(text, rustc_apfloat::Round::NearestTiesToEven).ok().map(|parsed| parsed.value.to_bits())
}

/// A floating constant as an integer. Where it does not fit, C does not say what happens; gcc gives the nearest integer that does.
fn saturate(sort: Sort, bits: u128, signed: bool, width: u8) -> u128 {
    use raddle_ir::{Expr as E, UnOp as U};
    let is = |op| eval::unary(op, sort, bits) != 0;
    if is(U::FIsNan) {
        return 0;
    }
    // The magnitude, exact below 2^127; beyond that the conversion itself says nothing.
    let magnitude = match is(U::FIsNegative) {
        true => eval::unary(U::FNeg, sort, bits),
        false => bits,
    };
    let huge = eval::convert(E::UToF { to: sort_of(sort), arg: OPERAND }, Sort::Bits(128), 1 << 127);
    let is_huge = eval::binary(raddle_ir::BinOp::FLt, sort, sort, magnitude, huge) == 0;
    let exact = match is_huge {
        true => u128::MAX >> 1,
        false => eval::convert(E::FToS { width: 128, arg: OPERAND }, sort, magnitude),
    };
    let most = if signed { eval::mask(width) >> 1 } else { eval::mask(width) };
    match is(U::FIsNegative) {
        true if !signed => 0,
        true => exact.min(most + 1).wrapping_neg() & eval::mask(width),
        false if is_huge && width == 128 && !signed => eval::convert(E::FToU { width, arg: OPERAND }, sort, magnitude),
        false => exact.min(most),
    }
}

fn sort_of(sort: Sort) -> FloatSort {
    match sort {
        Sort::Float(float) => float,
        _ => FloatSort::F64,
    }
}
