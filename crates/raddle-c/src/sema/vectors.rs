//! GNU C's vectors: `__attribute__((vector_size(n)))`, operators on all elements at once, and gcc's functions that move elements about.
//!
//! Elements are not promoted. Beside a vector, a scalar stands for a vector of equal elements. A comparison gives -1 or 0 for each element. A cast
//! keeps the bytes: it goes through memory, unless they are constant.

use super::convert::is_lvalue;
use super::elements::{load, part};
use super::operators::is_comparison;
use super::{Sema, expr};
use crate::ast;
use crate::error::{Error, Result};
use crate::hir::{BinOp, Expr, ExprKind, Init, InitEntry, InitValue, Stmt, StmtKind};
use crate::source::Pos;
use crate::types::{FloatKind, FnType, IntKind, Type, TypeId};

/// Vectors with more elements have no model.
const MOST_ELEMENTS: u64 = 256;

impl Sema<'_> {
    /// The type with vectors of so many bytes in the place of its numbers: the attribute goes through pointers, arrays and functions.
    pub(super) fn vector_of(&mut self, ty: TypeId, bytes: u64, pos: Pos) -> Result<TypeId> {
        let variant = self.types.variant_of(ty);
        let made = match self.types.get(ty).clone() {
            Type::Pointer(to) => Type::Pointer(self.vector_of(to, bytes, pos)?),
            Type::Array(element, len) => Type::Array(self.vector_of(element, bytes, pos)?, len),
            Type::Function(f) => Type::Function(FnType { result: self.vector_of(f.result, bytes, pos)?, ..f }),
            Type::Float(FloatKind::LongDouble | FloatKind::Float128) => {
                return Err(Error::unsupported(pos, "a vector of such numbers"));
            }
            Type::Int(_) | Type::Float(_) => {
                let element = self.types.plain(ty);
                let size = self.types.size(element).unwrap_or(1);
                if bytes == 0 || !bytes.is_multiple_of(size) || !(bytes / size).is_power_of_two() {
                    return Err(Error::invalid(pos, "the size of a vector is no power of two of elements"));
                }
                if bytes / size > MOST_ELEMENTS {
                    return Err(Error::unsupported(pos, format!("a vector of {bytes} bytes")));
                }
                Type::Vector(element, bytes / size)
            }
            _ => return Err(Error::invalid(pos, "a vector of something that is no number")),
        };
        let made = self.types.intern(made);
        Ok(self.types.qualified(made, variant.quals))
    }

    fn vector(&self, ty: TypeId) -> Option<(TypeId, u64)> {
        match *self.types.get(ty) {
            Type::Vector(element, len) => Some((element, len)),
            _ => None,
        }
    }

    /// The elements of an operand: of a vector its own, of a scalar so many times it.
    fn vector_operand(&mut self, e: Expr, element: TypeId, len: u64, before: &mut Vec<Stmt>) -> Result<Vec<Expr>> {
        if self.vector(e.ty).is_some() {
            // Of another signedness perhaps.
            let elements = self.apart(e, before)?;
            return Ok(elements.into_iter().map(|e| self.convert(e, element)).collect());
        }
        let scalar = self.promote(e);
        let scalar = self.convert(scalar, element);
        let scalar = self.once(scalar, before)?;
        Ok(vec![scalar; len as usize])
    }

    pub(super) fn vector_binary(&mut self, op: BinOp, a: Expr, b: Expr, pos: Pos) -> Result<Expr> {
        let (left, right) = (self.vector(a.ty), self.vector(b.ty));
        let Some((element, len)) = left.or(right) else { return Err(self.bad_operands(&a, &b, pos)) };
        let is_float = self.types.is_float(element);
        let fits = |sema: &Self, e: &Expr| match sema.vector(e.ty) {
            Some((other, others)) => {
                others == len
                    && sema.types.size(other) == sema.types.size(element)
                    && sema.types.is_float(other) == is_float
            }
            None => sema.types.is_integer(e.ty) || is_float && sema.types.is_float(e.ty),
        };
        let on_floats = is_comparison(op) || matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div);
        if !fits(self, &a) || !fits(self, &b) || is_float && !on_floats {
            return Err(self.bad_operands(&a, &b, pos));
        }
        let ty = if left.is_some() { a.ty } else { b.ty };
        let mut before = Vec::new();
        let a = self.vector_operand(a, element, len, &mut before)?;
        let b = self.vector_operand(b, element, len, &mut before)?;
        let pairs = a.into_iter().zip(b);
        if !is_comparison(op) {
            let results = pairs.map(|(a, b)| self.plain_binary(op, a, b, element)).collect();
            return Ok(self.together(ty, before, results, pos));
        }
        let mask = self.mask_type(element);
        let mut results = Vec::new();
        for (a, b) in pairs {
            let holds = self.plain_binary(op, a, b, TypeId::INT);
            let (yes, no) = (self.int(mask, u128::MAX, pos), self.int(mask, 0, pos));
            results.push(self.choice(holds, yes, no));
        }
        let ty = self.types.intern(Type::Vector(mask, len));
        Ok(self.together(ty, before, results, pos))
    }

    /// The signed integer as wide as an element.
    fn mask_type(&self, element: TypeId) -> TypeId {
        TypeId::of_int(match self.types.size(element) {
            Some(1) => IntKind::SChar,
            Some(2) => IntKind::Short,
            Some(4) => IntKind::Int,
            Some(16) => IntKind::Int128,
            _ if self.types.int_bytes(IntKind::Long) == 8 => IntKind::Long,
            _ => IntKind::LongLong,
        })
    }

    // ---- conversions ----

    pub(super) fn vectors_convert(&self, from: TypeId, to: TypeId, is_cast: bool) -> bool {
        let is_vector = |ty| self.vector(ty).is_some();
        let fits =
            is_vector(from) && is_vector(to) || is_cast && (self.types.is_integer(from) || self.types.is_integer(to));
        fits && self.types.size(from) == self.types.size(to)
    }

    /// The same bytes as another type.
    pub(super) fn convert_vector(&mut self, value: Expr, to: TypeId) -> Result<Expr> {
        let pos = value.pos;
        let to = self.types.value_type(to);
        if value.ty == to || self.vector(to).is_some() && self.vector(to) == self.vector(value.ty) {
            return Ok(Expr { ty: to, ..value });
        }
        if let Some(bytes) = self.constant_bytes(&value) {
            return Ok(self.with_bytes(&bytes, to, pos));
        }
        let mut before = Vec::new();
        let place = self.kept(value, &mut before)?;
        self.take_address(&place);
        let loaded = load(part(place, 0, to));
        Ok(self.after_stmts(before, loaded))
    }

    fn constant_bytes(&self, value: &Expr) -> Option<Vec<u8>> {
        let elements = match &value.kind {
            ExprKind::Elements(elements) => elements.as_slice(),
            _ => std::slice::from_ref(value),
        };
        let mut bytes = Vec::new();
        for element in elements {
            let size = self.types.size(element.ty)? as usize;
            bytes.extend_from_slice(Self::literal(element)?.to_le_bytes().get(..size)?);
        }
        Some(bytes)
    }

    fn with_bytes(&mut self, bytes: &[u8], to: TypeId, pos: Pos) -> Expr {
        let Some((element, _)) = self.vector(to) else {
            let bits = bytes.iter().rev().fold(0u128, |bits, byte| bits << 8 | u128::from(*byte));
            let kind = if self.types.is_float(to) { ExprKind::Float(bits) } else { ExprKind::Int(bits) };
            return expr(to, pos, kind);
        };
        let size = self.types.size(element).unwrap_or(1) as usize;
        let elements = bytes.chunks(size).map(|part| self.with_bytes(part, element, pos)).collect();
        expr(to, pos, ExprKind::Elements(elements))
    }

    // ---- elements ----

    /// `vector[index]`
    pub(super) fn vector_element(&mut self, vector: Expr, index: Expr, pos: Pos) -> Result<Expr> {
        let Some((element, len)) = self.vector(vector.ty).filter(|_| self.types.is_integer(index.ty)) else {
            return Err(Error::invalid(pos, "`[]` needs a vector and an integer"));
        };
        let size = self.types.size(element).unwrap_or(0);
        let ty = self.types.qualified(element, self.types.variant_of(vector.ty).quals);
        let constant = Self::literal(&index).filter(|index| *index < u128::from(len));
        let is_place = is_lvalue(&vector);
        let mut before = Vec::new();
        let place = if is_place { vector } else { self.kept(vector, &mut before)? };
        let place = match constant {
            Some(index) => Expr { pos, ..part(place, index as u64 * size, ty) },
            None => {
                let address = self.address_of(place, pos)?;
                let pointer = self.types.pointer(ty);
                let first = self.convert(address, pointer);
                let address = self.pointer_add(first, index, ty, false, pos)?;
                self.deref(address, pos)?
            }
        };
        if is_place {
            return Ok(place);
        }
        let value = self.rvalue(place)?;
        Ok(self.after_stmts(before, value))
    }

    // ---- gcc's functions ----

    /// `__builtin_shuffle(a, mask)` and `__builtin_shuffle(a, b, mask)`: indices are taken modulo the number of elements.
    pub(super) fn shuffle(&mut self, args: &[ast::Expr], pos: Pos) -> Result<Expr> {
        let (vectors, [mask]) = args.split_at(args.len().saturating_sub(1)) else {
            return Err(Error::invalid(pos, "too few arguments to a builtin function"));
        };
        let mut before = Vec::new();
        let (pool, ty) = self.pool(vectors, &mut before, pos)?;
        let mask = self.value(mask)?;
        let is_mask = self.vector(mask.ty).is_some_and(|(element, _)| self.types.is_integer(element));
        if !is_mask || !pool.len().is_power_of_two() {
            return Err(Error::invalid(pos, "the mask is no vector of integers"));
        }
        let most = pool.len() as u128 - 1;
        let indices = self.apart(mask, &mut before)?;
        let mut table = None;
        let mut results = Vec::new();
        for index in indices {
            let last = self.int(index.ty, most, pos);
            let index = self.plain_binary(BinOp::BitAnd, index.clone(), last, index.ty);
            if let Some(index) = Self::literal(&index) {
                results.push(pool[index as usize].clone());
                continue;
            }
            let table = match &table {
                Some(table) => table,
                None => table.insert(self.table(&pool, &mut before, pos)?),
            };
            let pointer = self.rvalue(table.clone())?;
            let address = self.pointer_add(pointer, index, pool[0].ty, false, pos)?;
            let place = self.deref(address, pos)?;
            results.push(self.rvalue(place)?);
        }
        Ok(self.together(ty, before, results, pos))
    }

    /// `__builtin_shufflevector(a, b, indices…)`: an element whose index is -1 is any value.
    pub(super) fn shuffle_by_constants(&mut self, args: &[ast::Expr], pos: Pos) -> Result<Expr> {
        let (vectors, indices) = args.split_at(args.len().min(2));
        let mut before = Vec::new();
        let (pool, ty) = self.pool(vectors, &mut before, pos)?;
        let (element, _) = self.types.elements(ty).unwrap_or((ty, 1));
        let mut results = Vec::new();
        for index in indices {
            let value = self.arg_as(std::slice::from_ref(index), 0, TypeId::INT, pos)?;
            let Some(bits) = self.const_bits(&value) else {
                return Err(Error::invalid(index.pos, "an index is not constant"));
            };
            results.push(match pool.get(bits as usize) {
                Some(found) => found.clone(),
                None if bits as u32 == u32::MAX => {
                    let any = self.local("", element, pos)?;
                    before.push(Stmt { pos, kind: StmtKind::Local(any, None) });
                    load(expr(element, pos, ExprKind::Local(any)))
                }
                None => return Err(Error::invalid(index.pos, "an index is outside the vectors")),
            });
        }
        if !results.len().is_power_of_two() {
            return Err(Error::invalid(pos, "the number of indices is no power of two"));
        }
        let ty = self.types.intern(Type::Vector(element, results.len() as u64));
        Ok(self.together(ty, before, results, pos))
    }

    /// All elements of one or two vectors of one element type, and the type of the first.
    fn pool(&mut self, vectors: &[ast::Expr], before: &mut Vec<Stmt>, pos: Pos) -> Result<(Vec<Expr>, TypeId)> {
        let mut pool: Vec<Expr> = Vec::new();
        let mut first = None;
        for vector in vectors {
            let value = self.value(vector)?;
            let ty = value.ty;
            if self.vector(ty).is_none()
                || first.is_some_and(|first| self.types.elements(first) != self.types.elements(ty))
            {
                return Err(Error::invalid(pos, "the arguments are not vectors of one type"));
            }
            first = first.or(Some(ty));
            pool.extend(self.apart(value, before)?);
        }
        match first {
            Some(ty) => Ok((pool, ty)),
            None => Err(Error::invalid(pos, "too few arguments to a builtin function")),
        }
    }

    /// A hidden array of values.
    fn table(&mut self, values: &[Expr], before: &mut Vec<Stmt>, pos: Pos) -> Result<Expr> {
        let element = values[0].ty;
        let size = self.types.size(element).unwrap_or(0);
        let ty = self.types.intern(Type::Array(element, Some(values.len() as u64)));
        let id = self.local("", ty, pos)?;
        let entry = |(index, value): (usize, &Expr)| {
            let value = InitValue::Expr(value.clone());
            InitEntry { offset: index as u64 * size, bits: None, ty: element, value }
        };
        let entries = values.iter().enumerate().map(entry).collect();
        before.push(Stmt { pos, kind: StmtKind::Local(id, Some(Init { entries, zero_rest: false })) });
        Ok(expr(ty, pos, ExprKind::Local(id)))
    }

    /// `__builtin_convertvector(vector, type)`: each element is converted.
    pub(super) fn convert_each(&mut self, value: &ast::Expr, ty: &ast::TypeName, pos: Pos) -> Result<Expr> {
        let value = self.value(value)?;
        let to = self.type_name_type(ty)?;
        let to = self.types.value_type(to);
        let (Some((_, have)), Some((element, want))) = (self.vector(value.ty), self.vector(to)) else {
            return Err(Error::invalid(pos, "__builtin_convertvector needs a vector and a vector type"));
        };
        if have != want {
            return Err(Error::invalid(pos, "the vectors have different numbers of elements"));
        }
        let mut before = Vec::new();
        let elements = self.apart(value, &mut before)?;
        let elements = elements.into_iter().map(|e| self.convert(e, element)).collect();
        Ok(self.together(to, before, elements, pos))
    }
}
