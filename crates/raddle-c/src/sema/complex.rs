//! Complex numbers (C11 6.2.5, annex G, and what GNU C adds: integers as parts, `~` for the conjugate).
//!
//! A real operand of `+ - *` and a real divisor are not made complex: infinities, NaNs and the signs of zeros come out as the parts' own. Products and quotients
//! of two complex numbers are computed by functions of the library (`prelude/complex.c`).
//! gcc rounds those of constants only once: here they are constants only where nothing is rounded.

use super::elements::part;
use super::{Node, Sema, expr};
use crate::error::{Error, Result};
use crate::hir::{BinOp, Callee, Expr, ExprKind, Stmt, UnOp};
use crate::source::Pos;
use crate::types::{FloatKind, FnType, Type, TypeId};
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, Status, StatusAnd};

impl Sema<'_> {
    fn complex(&mut self, element: TypeId) -> TypeId {
        self.types.intern(Type::Complex(element))
    }

    fn zero(&mut self, ty: TypeId, pos: Pos) -> Expr {
        let zero = self.int(TypeId::INT, 0, pos);
        self.convert(zero, ty)
    }

    /// `1.0i`
    pub(super) fn imaginary(&mut self, number: Expr) -> Expr {
        let (element, pos) = (number.ty, number.pos);
        let zero = self.zero(element, pos);
        expr(self.complex(element), pos, ExprKind::Elements(vec![zero, number]))
    }

    /// `__real__` and `__imag__`, of an lvalue an lvalue. A real number is its own real part.
    pub(super) fn part_of(&mut self, operand: Expr, imaginary: bool, pos: Pos) -> Result<Expr> {
        let Some(element) = self.types.complex_part(operand.ty) else {
            let ty = self.types.value_type(operand.ty);
            if !self.types.is_arithmetic(ty) {
                return Err(self.bad_operand(&operand, pos));
            }
            if !imaginary {
                return Ok(operand);
            }
            let value = self.rvalue(operand)?;
            let effect = self.convert(value, TypeId::VOID);
            let zero = self.zero(ty, pos);
            return Ok(expr(ty, pos, ExprKind::Comma(Box::new(effect), Box::new(zero))));
        };
        if !super::convert::is_lvalue(&operand) {
            return self.element_of(operand, imaginary.into());
        }
        let offset = if imaginary { self.types.size(element).unwrap_or(0) } else { 0 };
        let ty = self.types.qualified(element, self.types.variant_of(operand.ty).quals);
        Ok(Expr { pos, ..part(operand, offset, ty) })
    }

    /// The type of the parts of an operand.
    fn part_type(&mut self, e: &Expr) -> Option<TypeId> {
        match self.types.complex_part(e.ty) {
            Some(element) => Some(element),
            None if self.types.is_arithmetic(e.ty) => Some(self.promoted_value_type(e)),
            None => None,
        }
    }

    /// The common type of two numbers, of which one is complex.
    pub(super) fn common_complex(&mut self, a: &Expr, b: &Expr) -> Option<TypeId> {
        if self.types.complex_part(a.ty).is_none() && self.types.complex_part(b.ty).is_none() {
            return None;
        }
        let (x, y) = (self.part_type(a)?, self.part_type(b)?);
        let element = self.common_type(x, y);
        Some(self.complex(element))
    }

    pub(super) fn complex_truth(&mut self, value: Expr) -> Result<Expr> {
        let pos = value.pos;
        let zero = self.int(TypeId::INT, 0, pos);
        self.complex_binary(BinOp::Ne, value, zero, pos)
    }

    pub(super) fn convert_complex(&mut self, value: Expr, to: TypeId) -> Result<Expr> {
        let pos = value.pos;
        let Some(element) = self.types.complex_part(to) else {
            if matches!(self.types.get(to), Type::Bool) {
                let truth = self.complex_truth(value)?;
                return Ok(self.convert(truth, to));
            }
            let real = self.element_of(value, 0)?;
            return Ok(self.convert(real, to));
        };
        let mut before = Vec::new();
        let [re, im] = self.as_complex(value, element, &mut before)?;
        Ok(self.together(to, before, vec![re, im], pos))
    }

    /// Both parts of a number, of a type.
    fn as_complex(&mut self, value: Expr, element: TypeId, before: &mut Vec<Stmt>) -> Result<[Expr; 2]> {
        let pos = value.pos;
        if self.types.complex_part(value.ty).is_none() {
            return Ok([self.as_real(value, element, before)?, self.zero(element, pos)]);
        }
        let mut parts = self.apart(value, before)?.into_iter();
        let (Some(re), Some(im)) = (parts.next(), parts.next()) else {
            return Err(Error::unsupported(pos, "the parts of this value"));
        };
        Ok([self.convert(re, element), self.convert(im, element)])
    }

    fn as_real(&mut self, value: Expr, element: TypeId, before: &mut Vec<Stmt>) -> Result<Expr> {
        let value = self.promote(value);
        let value = self.convert(value, element);
        self.once(value, before)
    }

    pub(super) fn complex_binary(&mut self, op: BinOp, a: Expr, b: Expr, pos: Pos) -> Result<Expr> {
        use BinOp::{Add, Div, Eq, Mul, Ne, Sub};
        let ty = self.common_complex(&a, &b).filter(|_| matches!(op, Add | Sub | Mul | Div | Eq | Ne));
        let Some((ty, t)) = ty.and_then(|ty| Some((ty, self.types.complex_part(ty)?))) else {
            return Err(self.bad_operands(&a, &b, pos));
        };
        let is_complex = |sema: &Self, e: &Expr| sema.types.complex_part(e.ty).is_some();
        let (left_real, right_real) = (!is_complex(self, &a), !is_complex(self, &b));
        let mut before = Vec::new();
        if right_real && matches!(op, Add | Sub | Mul | Div) {
            let [re, im] = self.as_complex(a, t, &mut before)?;
            let b = self.as_real(b, t, &mut before)?;
            let re = self.plain_binary(op, re, b.clone(), t);
            let im = if matches!(op, Mul | Div) { self.plain_binary(op, im, b, t) } else { im };
            return Ok(self.together(ty, before, vec![re, im], pos));
        }
        if left_real && matches!(op, Add | Sub | Mul) {
            let a = self.as_real(a, t, &mut before)?;
            let [re, im] = self.as_complex(b, t, &mut before)?;
            let re = self.plain_binary(op, a.clone(), re, t);
            let im = match op {
                Mul => self.plain_binary(op, a, im, t),
                Sub => self.plain_unary(UnOp::Neg, im, pos),
                _ => im,
            };
            return Ok(self.together(ty, before, vec![re, im], pos));
        }
        let is_negated = self.is_negated(&a) || self.is_negated(&b);
        let a = self.as_complex(a, t, &mut before)?;
        let b = self.as_complex(b, t, &mut before)?;
        let result = match op {
            Eq | Ne => {
                let ([a, c], [b, d]) = (a, b);
                let re = self.plain_binary(op, a, b, TypeId::INT);
                let im = self.plain_binary(op, c, d, TypeId::INT);
                let op = if op == Eq { BinOp::BitAnd } else { BinOp::BitOr };
                self.plain_binary(op, re, im, TypeId::INT)
            }
            Mul if self.types.is_float(t) => self.float_product("multiply", a, b, ty, pos)?,
            Div if self.types.is_float(t) && self.is_unit(&b, false) => expr(ty, pos, ExprKind::Elements(a.to_vec())),
            Div if self.types.is_float(t) && self.is_unit(&b, true) => {
                let negated = a.into_iter().map(|part| self.plain_unary(UnOp::Neg, part, pos)).collect();
                expr(ty, pos, ExprKind::Elements(negated))
            }
            Div if self.types.is_float(t) && is_negated => self.float_product("divide_and_negate", a, b, ty, pos)?,
            Div if self.types.is_float(t) => self.float_product("divide", a, b, ty, pos)?,
            Mul => self.integer_product(a, b, ty),
            Div => self.integer_quotient(a, b, ty, &mut before)?,
            _ => {
                let ([a, c], [b, d]) = (a, b);
                let parts = vec![self.plain_binary(op, a, b, t), self.plain_binary(op, c, d, t)];
                expr(ty, pos, ExprKind::Elements(parts))
            }
        };
        Ok(self.after_stmts(before, result))
    }

    /// A product or quotient of two complex floating-point numbers.
    fn float_product(&mut self, verb: &str, a: [Expr; 2], b: [Expr; 2], ty: TypeId, pos: Pos) -> Result<Expr> {
        let element = a[0].ty;
        let literals = [Self::literal(&a[0]), Self::literal(&a[1]), Self::literal(&b[0]), Self::literal(&b[1])];
        let Type::Float(kind) = *self.types.get(element) else { return Err(self.bad_operand(&a[0], pos)) };
        if let [Some(a), Some(b), Some(c), Some(d)] = literals {
            let numbers = [a, b, c, d];
            let is_product = verb == "multiply";
            let exact = match kind {
                FloatKind::Float => exact::<Single>(is_product, numbers),
                FloatKind::Double => exact::<Double>(is_product, numbers),
                FloatKind::LongDouble => exact::<X87DoubleExtended>(is_product, numbers),
                FloatKind::Float128 => exact::<Quad>(is_product, numbers),
            };
            let Some(parts) = exact else {
                return Err(Error::unsupported(pos, "a product or quotient of complex constants that is rounded"));
            };
            let parts = parts.map(|bits| expr(element, pos, ExprKind::Float(bits))).to_vec();
            return Ok(expr(ty, pos, ExprKind::Elements(parts)));
        }
        let suffix = match kind {
            FloatKind::Float => "f",
            FloatKind::Double => "",
            FloatKind::LongDouble => "l",
            FloatKind::Float128 => return Err(Error::unsupported(pos, "a product or quotient of such numbers")),
        };
        let name = self.interner.intern(format!("__raddle_complex_{verb}{suffix}"));
        let params = vec![element; 4];
        let f = FnType { result: ty, params, variadic: false, unprototyped: false };
        let f = self.types.intern(Type::Function(f));
        let (id, _) = self.external_function(name, f, pos);
        self.refer(Node::Function(id));
        let args = a.into_iter().chain(b).collect();
        Ok(expr(ty, pos, ExprKind::Call { callee: Callee::Direct(id), args }))
    }

    /// Is it the constant 1, or -1? gcc does not divide by these.
    fn is_unit(&mut self, [re, im]: &[Expr; 2], negative: bool) -> bool {
        let pos = re.pos;
        let one = self.int(TypeId::INT, 1, pos);
        let unit = if negative { self.plain_unary(UnOp::Neg, one, pos) } else { one };
        let unit = self.convert(unit, re.ty);
        Self::literal(re).is_some() && Self::literal(re) == Self::literal(&unit) && self.truth(im) == Some(false)
    }

    /// Is it `-z`, or a constant with negative parts? gcc makes `-a / z` of `a / -z` and of `-(a / z)` where `a` is easily negated, so that zeros
    /// may have the other sign.
    fn is_negated(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::StmtExpr(_, Some(last)) => self.is_negated(last),
            ExprKind::Elements(parts) => parts.iter().all(|part| match part.kind {
                ExprKind::Float(bits) => bits >> (self.width(part.ty) - 1) & 1 == 1,
                ref kind => matches!(kind, ExprKind::Unary(UnOp::Neg, _)),
            }),
            _ => false,
        }
    }

    /// A product or quotient that is negated, whose zeros may have either sign then.
    pub(super) fn with_open_zeros(&mut self, e: &mut Expr) {
        let pos = e.pos;
        match &mut e.kind {
            ExprKind::StmtExpr(_, Some(last)) => self.with_open_zeros(last),
            ExprKind::Call { callee: Callee::Direct(id), .. } => {
                let name = self.functions[id.index()].name.clone();
                let suffix = |verb: &str| name.strip_prefix(verb).filter(|suffix| suffix.len() < 2);
                let verbs = ["__raddle_complex_multiply", "__raddle_complex_divide"];
                let Some((verb, suffix)) = verbs.iter().find_map(|verb| Some((verb, suffix(verb)?))) else { return };
                let name = self.interner.intern(format!("{verb}_and_negate{suffix}"));
                let (open, _) = self.external_function(name, self.functions[id.index()].ty, pos);
                *id = open;
                self.refer(Node::Function(open));
            }
            _ => {}
        }
    }

    fn integer_product(&mut self, [a, b]: [Expr; 2], [c, d]: [Expr; 2], ty: TypeId) -> Expr {
        let (t, pos) = (a.ty, a.pos);
        let ac = self.plain_binary(BinOp::Mul, a.clone(), c.clone(), t);
        let bd = self.plain_binary(BinOp::Mul, b.clone(), d.clone(), t);
        let ad = self.plain_binary(BinOp::Mul, a, d, t);
        let bc = self.plain_binary(BinOp::Mul, b, c, t);
        let re = self.plain_binary(BinOp::Sub, ac, bd, t);
        let im = self.plain_binary(BinOp::Add, ad, bc, t);
        expr(ty, pos, ExprKind::Elements(vec![re, im]))
    }

    /// What gcc makes of a quotient of complex integers: Smith's method with truncating divisions, so that the ratio is 0, 1 or -1.
    fn integer_quotient(
        &mut self,
        [a, b]: [Expr; 2],
        [c, d]: [Expr; 2],
        ty: TypeId,
        before: &mut Vec<Stmt>,
    ) -> Result<Expr> {
        let (t, pos) = (a.ty, a.pos);
        let (size_c, size_d) = (self.magnitude(c.clone()), self.magnitude(d.clone()));
        let smaller = self.plain_binary(BinOp::Lt, size_c, size_d, TypeId::INT);
        let smaller = self.once(smaller, before)?;
        let mut pick = |sema: &mut Self, then: &Expr, otherwise: &Expr| {
            let value = sema.choice(smaller.clone(), then.clone(), otherwise.clone());
            sema.once(value, before)
        };
        // Divided by the larger part: (a + bi) / (c + di) = (b - ai) / (d - ci).
        let large = pick(self, &d, &c)?;
        let small = pick(self, &c, &d)?;
        let first = pick(self, &b, &a)?;
        let second = pick(self, &a, &b)?;
        let ratio = self.plain_binary(BinOp::Div, small.clone(), large.clone(), t);
        let ratio = self.once(ratio, before)?;
        let scaled = self.plain_binary(BinOp::Mul, small, ratio.clone(), t);
        let divisor = self.plain_binary(BinOp::Add, scaled, large, t);
        let divisor = self.once(divisor, before)?;
        let re = self.plain_binary(BinOp::Mul, second.clone(), ratio.clone(), t);
        let re = self.plain_binary(BinOp::Add, re, first.clone(), t);
        let im = self.plain_binary(BinOp::Mul, first, ratio, t);
        let forward = self.plain_binary(BinOp::Sub, im.clone(), second.clone(), t);
        let backward = self.plain_binary(BinOp::Sub, second, im, t);
        let im = self.choice(smaller, forward, backward);
        let re = self.plain_binary(BinOp::Div, re, divisor.clone(), t);
        let im = self.plain_binary(BinOp::Div, im, divisor, t);
        Ok(expr(ty, pos, ExprKind::Elements(vec![re, im])))
    }

    fn magnitude(&mut self, e: Expr) -> Expr {
        if !self.types.is_signed(e.ty) {
            return e;
        }
        let pos = e.pos;
        let zero = self.zero(e.ty, pos);
        let negative = self.plain_binary(BinOp::Lt, e.clone(), zero, TypeId::INT);
        let negated = self.plain_unary(UnOp::Neg, e.clone(), pos);
        self.choice(negative, negated, e)
    }

    /// `cond ? then : otherwise` of values of one type.
    pub(super) fn choice(&mut self, cond: Expr, then: Expr, otherwise: Expr) -> Expr {
        let (ty, pos) = (then.ty, then.pos);
        match self.truth(&cond) {
            Some(true) => then,
            Some(false) => otherwise,
            None => {
                let (then, otherwise) = (Box::new(then), Box::new(otherwise));
                expr(ty, pos, ExprKind::Conditional { cond: Box::new(cond), then, otherwise })
            }
        }
    }
}

/// The product or quotient of `a + bi` and `c + di`, if no operation on the way to it is rounded and everything is finite.
fn exact<F: Float>(is_product: bool, numbers: [u128; 4]) -> Option<[u128; 2]> {
    let [a, b, c, d] = numbers.map(F::from_bits);
    let finite = |x: F| (!x.is_nan() && !x.is_infinite()).then_some(x);
    let ok = |result: StatusAnd<F>| (result.status == Status::OK).then_some(result.value).and_then(finite);
    let multiply = |[a, b]: [F; 2], [c, d]: [F; 2]| {
        let re = ok(ok(a * c)? - ok(b * d)?)?;
        let im = ok(ok(a * d)? + ok(b * c)?)?;
        Some([re, im])
    };
    if is_product {
        return multiply([a, b], [c, d]).map(|parts| parts.map(F::to_bits));
    }
    // The signs of zeros are another matter: only numbers without zeros among the results.
    let scale = ok(ok(c * c)? + ok(d * d)?)?;
    let [x, y] = multiply([a, b], [c, -d])?;
    let (x, y) = (ok(x / scale)?, ok(y / scale)?);
    let is_plain = !scale.is_zero() && !x.is_zero() && !y.is_zero();
    is_plain.then(|| [x.to_bits(), y.to_bits()])
}
