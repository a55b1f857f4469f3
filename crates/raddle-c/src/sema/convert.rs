//! Conversions: from lvalues to values, integer promotions, the usual arithmetic conversions, and those of assignment (C11 6.3).

use super::{Sema, expr};
use crate::error::{Error, Result};
use crate::hir::{BinOp, Expr, ExprKind, Init, InitEntry, InitValue, Stride};
use crate::source::Pos;
use crate::types::{BitField, IntKind, Type, TypeId, Variant};

/// Is it the name of an object or function rather than a value?
pub(super) fn is_lvalue(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Global(_)
            | ExprKind::Local(_)
            | ExprKind::Str(_)
            | ExprKind::Function(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLiteral(..)
    )
}

/// The innermost object of `a.b.c`.
fn root(e: &mut Expr) -> &mut Expr {
    match e.kind {
        ExprKind::Member { ref mut base, .. } => root(base),
        _ => e,
    }
}

/// The bit-field that a value is read from or was just stored in.
pub(super) fn bit_field(e: &Expr) -> Option<BitField> {
    let place = match &e.kind {
        ExprKind::Load(place) | ExprKind::Assign(place, _) => place,
        ExprKind::AssignOp { target, .. } | ExprKind::IncDec { target, .. } => target,
        ExprKind::Comma(_, last) => return bit_field(last),
        _ => return None,
    };
    match place.kind {
        ExprKind::Member { bits, .. } => bits,
        _ => None,
    }
}

impl Sema<'_> {
    /// The value of an expression: arrays and functions decay, other lvalues are read.
    pub(super) fn rvalue(&mut self, mut e: Expr) -> Result<Expr> {
        let pos = e.pos;
        match *self.types.get(e.ty) {
            Type::Array(element, _) | Type::Vla(element, _) => {
                let ty = self.types.pointer(element);
                if let Some(address) = self.const_address(&e) {
                    return Ok(self.int(ty, address, pos));
                }
                self.materialise(&mut e)?;
                Ok(expr(ty, pos, ExprKind::Decay(Box::new(e))))
            }
            Type::Function(_) => {
                let ty = self.types.pointer(e.ty);
                Ok(match e.kind {
                    ExprKind::Deref(pointer) => Expr { ty, ..*pointer },
                    _ => expr(ty, pos, ExprKind::Decay(Box::new(e))),
                })
            }
            Type::Void => match e.kind {
                ExprKind::Deref(pointer) => Ok(expr(TypeId::VOID, pos, ExprKind::Convert(pointer))),
                ExprKind::Global(_) | ExprKind::Local(_) | ExprKind::Member { .. } => {
                    Err(Error::invalid(pos, "a void object has no value"))
                }
                _ => Ok(e),
            },
            _ if is_lvalue(&e) => {
                if !self.types.is_complete(e.ty) {
                    return Err(Error::invalid(pos, format!("`{}` is an incomplete type", self.type_name(e.ty))));
                }
                let ty = self.types.value_type(e.ty);
                Ok(expr(ty, pos, ExprKind::Load(Box::new(e))))
            }
            _ => Ok(e),
        }
    }

    /// Gives an array inside a value (`f().array`) a place to live.
    pub(super) fn materialise(&mut self, e: &mut Expr) -> Result<()> {
        let place = root(e);
        if is_lvalue(place) {
            return Ok(());
        }
        let (ty, pos) = (place.ty, place.pos);
        let local = self.local("", ty, pos)?;
        let value = std::mem::replace(place, expr(ty, pos, ExprKind::Local(local)));
        let entry = InitEntry { offset: 0, bits: None, ty, value: InitValue::Expr(value) };
        place.kind = ExprKind::CompoundLiteral(local, Init { entries: vec![entry], zero_rest: false });
        Ok(())
    }

    /// The address of an lvalue that is a number, as in `((struct s *)0)->member`.
    pub(super) fn const_address(&self, lvalue: &Expr) -> Option<u128> {
        match &lvalue.kind {
            ExprKind::Deref(pointer) => Self::literal(pointer),
            ExprKind::Member { base, offset, .. } => Some(self.const_address(base)? + u128::from(*offset)),
            _ => None,
        }
    }

    /// Notes that an object's address is used.
    pub(super) fn take_address(&mut self, mut e: &Expr) {
        while let ExprKind::Member { base, .. } = &e.kind {
            e = base;
        }
        match e.kind {
            ExprKind::Global(id) => self.globals[id.index()].address_taken = true,
            ExprKind::Local(id) | ExprKind::CompoundLiteral(id, _) => {
                if let Some(local) = self.body.as_mut().and_then(|b| b.locals.get_mut(id.index())) {
                    local.address_taken = true;
                }
            }
            _ => {}
        }
    }

    /// Converts a value to a scalar type, or to void. The types were found to allow it.
    pub(super) fn convert(&mut self, e: Expr, to: TypeId) -> Expr {
        let to = match self.types.variant_of(to).bits {
            0 => self.types.value_type(to),
            _ => to,
        };
        // A bit-field converted to its own declared type is not one any more: it is not promoted as one.
        if e.ty == to && bit_field(&e).is_none() {
            return e;
        }
        if let Some(bits) = Self::literal(&e)
            && let Some(bits) = self.convert_bits(e.ty, to, bits)
        {
            let is_float = self.types.is_float(to);
            let pos = e.pos;
            let kind = if is_float { ExprKind::Float(bits) } else { ExprKind::Int(bits) };
            return self.wrap_odd(expr(to, pos, kind));
        }
        let pos = e.pos;
        self.wrap_odd(expr(to, pos, ExprKind::Convert(Box::new(e))))
    }

    /// Brings a value of a type with an odd number of bits (a wide bit-field's) back into its range.
    pub(super) fn wrap_odd(&mut self, e: Expr) -> Expr {
        let bits = self.types.variant_of(e.ty).bits;
        if bits == 0 {
            return e;
        }
        let (ty, pos) = (e.ty, e.pos);
        let unused = u128::from(self.width(ty) - bits);
        if !self.types.is_signed(ty) {
            let mask = self.int(ty, (1u128 << bits) - 1, pos);
            return self.plain_binary(BinOp::BitAnd, e, mask, ty);
        }
        // Up and down again; as an unsigned number on the way up, where nothing overflows.
        let unsigned = self.unsigned_of(self.types.plain(ty));
        let up = self.convert(Expr { ty: self.types.plain(ty), ..e }, unsigned);
        let by = self.int(TypeId::INT, unused, pos);
        let up = self.plain_binary(BinOp::Shl, up, by.clone(), unsigned);
        let up = self.convert(up, self.types.plain(ty));
        self.plain_binary(BinOp::Shr, up, by, ty)
    }

    /// An operator on operands that are converted already, folded if they are constants.
    pub(super) fn plain_binary(&mut self, op: BinOp, a: Expr, b: Expr, ty: TypeId) -> Expr {
        if let (Some(x), Some(y)) = (Self::literal(&a), Self::literal(&b))
            && let Some(bits) = self.fold_binary(op, (a.ty, x), (b.ty, y), false)
        {
            let kind = if self.types.is_float(ty) { ExprKind::Float(bits) } else { ExprKind::Int(bits) };
            return expr(ty, a.pos, kind);
        }
        let pos = a.pos;
        expr(ty, pos, ExprKind::Binary(op, Box::new(a), Box::new(b)))
    }

    pub(super) fn unsigned_of(&mut self, ty: TypeId) -> TypeId {
        use IntKind::*;
        let kind = match *self.types.get(ty) {
            Type::Int(Char | SChar) => UChar,
            Type::Int(Short) => UShort,
            Type::Int(Int) => UInt,
            Type::Int(Long) => ULong,
            Type::Int(LongLong) => ULongLong,
            Type::Int(Int128) => UInt128,
            _ => return ty,
        };
        let variant = self.types.variant_of(ty);
        self.types.variant(TypeId::of_int(kind), Variant { bits: variant.bits, ..Variant::default() })
    }

    /// The type that the integer promotions make of a value of a type, or of a bit-field of it.
    pub(super) fn promoted(&mut self, ty: TypeId, bits: Option<BitField>) -> TypeId {
        let precision = self.types.precision(ty);
        let own = bits.map_or(precision, |b| b.width.into());
        let signed = self.types.is_signed(ty);
        match *self.types.get(ty) {
            Type::Bool => TypeId::INT,
            Type::Int(_) if own < 32 => TypeId::INT,
            Type::Int(_) if own == precision => ty,
            Type::Int(_) if own == 32 => {
                if signed {
                    TypeId::INT
                } else {
                    TypeId::UINT
                }
            }
            Type::Int(_) if own == self.types.int_bytes(IntKind::Long) as u32 * 8 => {
                if signed {
                    TypeId::LONG
                } else {
                    TypeId::ULONG
                }
            }
            Type::Int(_) if own == 64 => {
                if signed {
                    TypeId::LONG_LONG
                } else {
                    TypeId::ULONG_LONG
                }
            }
            Type::Int(_) => self.types.variant(ty, Variant { bits: own as u8, ..Variant::default() }),
            _ => ty,
        }
    }

    pub(super) fn promote(&mut self, mut e: Expr) -> Expr {
        if e.ty == TypeId::INT && !matches!(e.kind, ExprKind::Load(_)) {
            return e;
        }
        let bits = bit_field(&e);
        let ty = self.promoted(e.ty, bits);
        if self.types.variant_of(ty).bits != 0 {
            // The value is in the type's range already.
            e.ty = ty;
            return e;
        }
        self.convert(e, ty)
    }

    /// The common type of two arithmetic types, integers being promoted.
    pub(super) fn common_type(&mut self, a: TypeId, b: TypeId) -> TypeId {
        if a == b {
            return a;
        }
        match (self.types.get(a), self.types.get(b)) {
            (Type::Float(x), Type::Float(y)) => return if x >= y { a } else { b },
            (Type::Float(_), _) => return a,
            (_, Type::Float(_)) => return b,
            _ => {}
        }
        let (rank_a, rank_b) = (self.rank(a), self.rank(b));
        let (signed_a, signed_b) = (self.types.is_signed(a), self.types.is_signed(b));
        if signed_a == signed_b {
            return if rank_a >= rank_b { a } else { b };
        }
        let (signed, unsigned) = if signed_a { (a, b) } else { (b, a) };
        if self.rank(unsigned) >= self.rank(signed) {
            unsigned
        } else if self.types.precision(signed) > self.types.precision(unsigned) {
            signed
        } else {
            self.unsigned_of(signed)
        }
    }

    fn rank(&self, ty: TypeId) -> (u32, u32) {
        use IntKind::*;
        let kind = match *self.types.get(ty) {
            _ if self.types.variant_of(ty).bits != 0 => 0,
            Type::Int(Char | SChar | UChar) => 1,
            Type::Int(Short | UShort) => 2,
            Type::Int(Int | UInt) => 3,
            Type::Int(Long | ULong) => 4,
            Type::Int(LongLong | ULongLong) => 5,
            _ => 6,
        };
        (self.types.precision(ty), kind)
    }

    /// Both operands in their common type (the usual arithmetic conversions).
    pub(super) fn usual(&mut self, a: Expr, b: Expr) -> (Expr, Expr, TypeId) {
        let (a, b) = (self.promote(a), self.promote(b));
        let ty = self.common_type(a.ty, b.ty);
        (self.convert(a, ty), self.convert(b, ty), ty)
    }

    /// Arguments without a parameter type: integers are promoted, floats become doubles.
    pub(super) fn default_promote(&mut self, e: Expr) -> Expr {
        match *self.types.get(e.ty) {
            Type::Float(crate::types::FloatKind::Float) => self.convert(e, TypeId::DOUBLE),
            Type::Int(_) | Type::Bool => {
                let e = self.promote(e);
                let plain = self.types.plain(e.ty);
                Expr { ty: plain, ..e }
            }
            _ => e,
        }
    }

    pub(super) fn is_null_constant(&self, e: &Expr) -> bool {
        matches!(e.kind, ExprKind::Int(0)) && (self.types.is_integer(e.ty) || e.ty == TypeId::VOID_PTR)
    }

    /// Converts a value as an assignment to a type does. `what` names the target in messages.
    pub(super) fn assign_convert(&mut self, e: Expr, to: TypeId, what: &str) -> Result<Expr> {
        let to = self.types.value_type(to);
        if e.ty == to {
            return Ok(e);
        }
        let pos = e.pos;
        match (self.types.get(to), self.types.get(e.ty)) {
            (Type::Int(_) | Type::Float(_) | Type::Bool, Type::Int(_) | Type::Float(_) | Type::Bool)
            | (Type::Bool, Type::Pointer(_)) => Ok(self.convert(e, to)),
            (Type::Pointer(target), Type::Pointer(source)) => {
                let (target, source) = (*target, *source);
                if !self.is_null_constant(&e) && !self.pointers_agree(target, source) {
                    let (from, into) = (self.type_name(e.ty), self.type_name(to));
                    self.warn(pos, format!("incompatible pointer types: `{from}` for `{into}` in {what}"));
                }
                Ok(self.convert(e, to))
            }
            (Type::Pointer(_), Type::Int(_) | Type::Bool) => {
                if !self.is_null_constant(&e) {
                    self.warn(pos, format!("an integer is made a pointer in {what}"));
                }
                Ok(self.convert(e, to))
            }
            (Type::Int(_), Type::Pointer(_)) => {
                self.warn(pos, format!("a pointer is made an integer in {what}"));
                Ok(self.convert(e, to))
            }
            (Type::Record(_), Type::Record(_)) if self.types.compatible(to, e.ty, false) => Ok(Expr { ty: to, ..e }),
            (Type::Complex(_) | Type::Vector(..), _) | (_, Type::Complex(_) | Type::Vector(..))
                if self.elements_convert(e.ty, to, false) =>
            {
                self.convert_elements(e, to)
            }
            (_, Type::Void) => Err(Error::invalid(pos, format!("a void value is used in {what}"))),
            _ => {
                let (from, into) = (self.type_name(e.ty), self.type_name(to));
                Err(Error::invalid(pos, format!("incompatible types: `{from}` for `{into}` in {what}")))
            }
        }
    }

    fn pointers_agree(&self, a: TypeId, b: TypeId) -> bool {
        use Type::*;
        match (self.types.get(a), self.types.get(b)) {
            (Void, _) | (_, Void) => true,
            // gcc is silent about signedness.
            (Int(_), Int(_)) => self.types.size(a) == self.types.size(b),
            _ => self.types.compatible(a, b, false),
        }
    }

    /// A condition: a value of scalar type.
    pub(super) fn scalar(&mut self, e: Expr, what: &str) -> Result<Expr> {
        if self.types.is_scalar(e.ty) {
            return Ok(e);
        }
        if self.types.complex_part(e.ty).is_some() {
            return self.complex_truth(e);
        }
        Err(Error::invalid(e.pos, format!("{what} is of type `{}`, not a number or pointer", self.type_name(e.ty))))
    }

    /// The size of a type as a value of type `size_t`.
    pub(super) fn size_of(&mut self, ty: TypeId, pos: Pos) -> Result<Expr> {
        if let Some(size) = self.types.size(ty) {
            return Ok(self.size_const(size, pos));
        }
        let size_t = self.types.size_t();
        let (element, len) = match *self.types.get(ty) {
            Type::Vla(element, local) => {
                let len = expr(size_t, pos, ExprKind::Local(local));
                (element, expr(size_t, pos, ExprKind::Load(Box::new(len))))
            }
            Type::Array(element, Some(len)) => (element, self.size_const(len, pos)),
            _ => {
                let name = self.type_name(ty);
                return Err(Error::invalid(pos, format!("the size of the incomplete type `{name}` is not known")));
            }
        };
        if !self.types.is_variably_modified(ty) {
            return Err(Error::invalid(pos, format!("the type `{}` is too large", self.type_name(ty))));
        }
        let element = self.size_of(element, pos)?;
        Ok(self.plain_binary(BinOp::Mul, len, element, size_t))
    }

    /// By how much a pointer to a type moves.
    pub(super) fn stride(&mut self, pointee: TypeId, pos: Pos) -> Result<Stride> {
        match self.types.size(pointee) {
            Some(size) => Ok(Stride::Bytes(size)),
            None => Ok(Stride::Computed(Box::new(self.size_of(pointee, pos)?))),
        }
    }

    /// An integer as the index of pointer arithmetic.
    pub(super) fn index(&mut self, e: Expr) -> Expr {
        let e = self.promote(e);
        let ty = if self.types.is_signed(e.ty) { self.types.ptrdiff_t() } else { self.types.size_t() };
        self.convert(e, ty)
    }
}
