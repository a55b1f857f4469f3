//! Values made of numbers: complex numbers and vectors.
//!
//! Operators on them become operators on their elements, so that nothing after this needs to know them: a value is taken apart into hidden
//! locals, each of which is computed once, and put together again from its elements. Between operators no object is needed. In memory,
//! and as arguments and results, they are treated as records are.

use super::{Sema, expr};
use crate::ast::{self, UnaryOp};
use crate::error::{Error, Result};
use crate::hir::{BinOp, Expr, ExprKind, Init, InitEntry, InitValue, Stmt, StmtKind, UnOp};
use crate::source::Pos;
use crate::types::{Type, TypeId};

impl Sema<'_> {
    /// The elements of a value, each of which can be mentioned more than once after `before`.
    pub(super) fn apart(&mut self, value: Expr, before: &mut Vec<Stmt>) -> Result<Vec<Expr>> {
        let (ty, pos) = (value.ty, value.pos);
        match value.kind {
            ExprKind::Elements(elements) => elements.into_iter().map(|e| self.once(e, before)).collect(),
            ExprKind::StmtExpr(stmts, Some(last)) => {
                before.extend(stmts);
                self.apart(*last, before)
            }
            ExprKind::Comma(first, last) => {
                before.push(Stmt { pos, kind: StmtKind::Expr(*first) });
                self.apart(*last, before)
            }
            ExprKind::Load(place) => {
                let place = self.fixed(*place, before)?;
                let elements = self.element_places(&place, ty);
                elements.into_iter().map(|e| self.once(e, before)).collect()
            }
            kind => {
                let place = self.kept(expr(ty, pos, kind), before)?;
                Ok(self.element_places(&place, ty))
            }
        }
    }

    /// What the elements of an object hold.
    fn element_places(&mut self, place: &Expr, ty: TypeId) -> Vec<Expr> {
        let (element, len) = self.types.elements(ty).unwrap_or((ty, 1));
        let size = self.types.size(element).unwrap_or(0);
        (0..len).map(|index| load(part(place.clone(), index * size, element))).collect()
    }

    /// A value that can be mentioned more than once: a constant, or a hidden local that gets it.
    pub(super) fn once(&mut self, value: Expr, before: &mut Vec<Stmt>) -> Result<Expr> {
        let is_hidden = match &value.kind {
            ExprKind::Load(place) => match place.kind {
                ExprKind::Local(id) => {
                    self.body.as_ref().and_then(|b| b.locals.get(id.index())).is_some_and(|l| l.name.is_empty())
                }
                _ => false,
            },
            _ => Self::literal(&value).is_some(),
        };
        if is_hidden || !self.has_locals() {
            return Ok(value);
        }
        Ok(load(self.kept(value, before)?))
    }

    /// A hidden local with a value.
    pub(super) fn kept(&mut self, value: Expr, before: &mut Vec<Stmt>) -> Result<Expr> {
        let (ty, pos) = (value.ty, value.pos);
        if !self.has_locals() {
            // Nobody evaluates it, or it is refused as a constant.
            return Ok(value);
        }
        let id = self.local("", ty, pos)?;
        let entry = InitEntry { offset: 0, bits: None, ty, value: InitValue::Expr(value) };
        let init = Init { entries: vec![entry], zero_rest: false };
        before.push(Stmt { pos, kind: StmtKind::Local(id, Some(init)) });
        Ok(expr(ty, pos, ExprKind::Local(id)))
    }

    fn has_locals(&self) -> bool {
        self.body.is_some() && !self.static_init
    }

    /// An lvalue that can be mentioned more than once.
    pub(super) fn fixed(&mut self, place: Expr, before: &mut Vec<Stmt>) -> Result<Expr> {
        let (ty, pos) = (place.ty, place.pos);
        Ok(match place.kind {
            ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::Str(_) => place,
            ExprKind::Member { base, offset, bits } => {
                let base = self.fixed(*base, before)?;
                expr(ty, pos, ExprKind::Member { base: Box::new(base), offset, bits })
            }
            ExprKind::Deref(pointer) => {
                let pointer = self.once(*pointer, before)?;
                expr(ty, pos, ExprKind::Deref(Box::new(pointer)))
            }
            ExprKind::CompoundLiteral(..) if self.has_locals() => {
                let address = self.address_of(place, pos)?;
                let pointer = self.once(address, before)?;
                expr(ty, pos, ExprKind::Deref(Box::new(pointer)))
            }
            kind => self.kept(expr(ty, pos, kind), before)?,
        })
    }

    /// A value after statements.
    pub(super) fn after_stmts(&mut self, before: Vec<Stmt>, value: Expr) -> Expr {
        if before.is_empty() {
            return value;
        }
        let (ty, pos) = (value.ty, value.pos);
        expr(ty, pos, ExprKind::StmtExpr(before, Some(Box::new(value))))
    }

    pub(super) fn together(&mut self, ty: TypeId, before: Vec<Stmt>, elements: Vec<Expr>, pos: Pos) -> Expr {
        self.after_stmts(before, expr(ty, pos, ExprKind::Elements(elements)))
    }

    /// One element of a value; the others are evaluated as well.
    pub(super) fn element_of(&mut self, value: Expr, index: u64) -> Result<Expr> {
        let (element, _) = self.types.elements(value.ty).unwrap_or((value.ty, 1));
        let size = self.types.size(element).unwrap_or(0);
        if let ExprKind::Load(place) = value.kind {
            return Ok(load(part(*place, index * size, element)));
        }
        let mut before = Vec::new();
        let element = self.apart(value, &mut before)?.swap_remove(index as usize);
        Ok(self.after_stmts(before, element))
    }

    // ---- operators ----

    pub(super) fn unary_on_elements(&mut self, op: UnaryOp, value: Expr, pos: Pos) -> Result<Expr> {
        let ty = value.ty;
        let is_complex = self.types.complex_part(ty).is_some();
        let (element, _) = self.types.elements(ty).unwrap_or((ty, 1));
        if op == UnaryOp::BitNot && !is_complex && !self.types.is_integer(element) {
            return Err(self.bad_operand(&value, pos));
        }
        let mut value = value;
        if op == UnaryOp::Minus && is_complex {
            self.with_open_zeros(&mut value);
        }
        let mut before = Vec::new();
        let mut elements = self.apart(value, &mut before)?;
        for (index, e) in elements.iter_mut().enumerate() {
            let op = match op {
                UnaryOp::Minus => UnOp::Neg,
                // The conjugate.
                UnaryOp::BitNot if is_complex && index == 0 => continue,
                UnaryOp::BitNot if is_complex => UnOp::Neg,
                UnaryOp::BitNot => UnOp::BitNot,
                _ => continue,
            };
            *e = self.plain_unary(op, e.clone(), pos);
        }
        Ok(self.together(ty, before, elements, pos))
    }

    pub(super) fn binary_on_elements(&mut self, op: BinOp, a: Expr, b: Expr, pos: Pos) -> Result<Expr> {
        let is_vector = |sema: &Self, e: &Expr| matches!(sema.types.get(e.ty), Type::Vector(..));
        if is_vector(self, &a) || is_vector(self, &b) {
            return self.vector_binary(op, a, b, pos);
        }
        self.complex_binary(op, a, b, pos)
    }

    /// `target op= value` where one of the two is no scalar.
    pub(super) fn update_elements(&mut self, op: BinOp, target: Expr, value: Expr, pos: Pos) -> Result<Expr> {
        let ty = self.types.value_type(target.ty);
        if matches!(self.types.get(target.ty), Type::Atomic(_)) {
            return Err(Error::unsupported(pos, "an _Atomic object and a complex number"));
        }
        let mut before = Vec::new();
        let target = self.fixed(target, &mut before)?;
        let old = self.rvalue(target.clone())?;
        let new = self.binary_values(op, old, value, pos)?;
        let new = self.assign_convert(new, ty, "an assignment")?;
        let assigned = expr(ty, pos, ExprKind::Assign(Box::new(target), Box::new(new)));
        Ok(self.after_stmts(before, assigned))
    }

    /// `++` and `--`.
    pub(super) fn step_elements(&mut self, op: UnaryOp, target: Expr, pos: Pos) -> Result<Expr> {
        let ty = self.types.value_type(target.ty);
        let mut before = Vec::new();
        let target = self.fixed(target, &mut before)?;
        let old = self.rvalue(target.clone())?;
        let old = self.apart(old, &mut before)?;
        let value = expr(ty, pos, ExprKind::Elements(old.clone()));
        let one = self.int(TypeId::INT, 1, pos);
        let minus = matches!(op, UnaryOp::PreDec | UnaryOp::PostDec);
        let new = self.binary_values(if minus { BinOp::Sub } else { BinOp::Add }, value, one, pos)?;
        let assigned = expr(ty, pos, ExprKind::Assign(Box::new(target), Box::new(new)));
        if matches!(op, UnaryOp::PreInc | UnaryOp::PreDec) {
            return Ok(self.after_stmts(before, assigned));
        }
        before.push(Stmt { pos, kind: StmtKind::Expr(assigned) });
        Ok(self.together(ty, before, old, pos))
    }

    /// `cond ?: otherwise` with a complex condition.
    pub(super) fn elvis_on_elements(&mut self, cond: Expr, otherwise: &ast::Expr, pos: Pos) -> Result<Expr> {
        let otherwise = self.value(otherwise)?;
        let cond_ty = cond.ty;
        let mut before = Vec::new();
        let elements = self.apart(cond, &mut before)?;
        let cond = expr(cond_ty, pos, ExprKind::Elements(elements));
        let ty = self.conditional_type(&cond, &otherwise, pos)?;
        let (then, otherwise) = (self.arm_value(cond.clone(), ty)?, self.arm_value(otherwise, ty)?);
        let cond = Box::new(self.scalar(cond, "the condition")?);
        let kind = ExprKind::Conditional { cond, then: Box::new(then), otherwise: Box::new(otherwise) };
        Ok(self.after_stmts(before, expr(ty, pos, kind)))
    }

    // ---- conversions ----

    /// Can the one be converted to the other, of which one is a complex number or vector?
    pub(super) fn elements_convert(&self, from: TypeId, to: TypeId, is_cast: bool) -> bool {
        match (self.types.get(from), self.types.get(to)) {
            (Type::Vector(..), _) | (_, Type::Vector(..)) => self.vectors_convert(from, to, is_cast),
            (Type::Complex(_), _) => self.types.is_arithmetic(to) || self.types.complex_part(to).is_some(),
            (_, Type::Complex(_)) => self.types.is_arithmetic(from),
            _ => false,
        }
    }

    pub(super) fn convert_elements(&mut self, value: Expr, to: TypeId) -> Result<Expr> {
        match (self.types.get(value.ty), self.types.get(to)) {
            (Type::Vector(..), _) | (_, Type::Vector(..)) => self.convert_vector(value, to),
            _ => self.convert_complex(value, to),
        }
    }

    /// The value of a constant initialiser.
    pub(super) fn static_elements(&mut self, value: Expr) -> Result<Expr> {
        let pos = value.pos;
        let refused = || Error::unsupported(pos, "this initialiser of a static complex number or vector");
        if let ExprKind::Load(place) = &value.kind
            && let ExprKind::Global(id) = place.kind
            && self.globals[id.index()].init.is_some()
        {
            return Ok(value);
        }
        let ExprKind::Elements(elements) = value.kind else { return Err(refused()) };
        let mut constants = Vec::new();
        for element in elements {
            let bits = self.const_bits(&element).ok_or_else(refused)?;
            let kind = if self.types.is_float(element.ty) { ExprKind::Float(bits) } else { ExprKind::Int(bits) };
            constants.push(Expr { kind, ..element });
        }
        Ok(Expr { kind: ExprKind::Elements(constants), ..value })
    }
}

pub(super) fn load(place: Expr) -> Expr {
    let (ty, pos) = (place.ty, place.pos);
    expr(ty, pos, ExprKind::Load(Box::new(place)))
}

/// What lies at an offset in an object or value.
pub(super) fn part(base: Expr, offset: u64, ty: TypeId) -> Expr {
    let pos = base.pos;
    match base.kind {
        ExprKind::Member { base, offset: outer, bits: None } => {
            expr(ty, pos, ExprKind::Member { base, offset: outer + offset, bits: None })
        }
        _ => expr(ty, pos, ExprKind::Member { base: Box::new(base), offset, bits: None }),
    }
}
