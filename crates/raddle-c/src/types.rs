//! C types, interned, with their sizes and layouts in a data model.
//!
//! Qualifiers other than `_Atomic` are not part of a type here: nothing after type checking depends on them. An enumeration is the
//! integer type that gcc represents it by; `va_list` is `void *`.

use crate::ast::Symbol;
use crate::hir::LocalId;
use raddle_ir::{FloatSort, Sort};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TypeId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct RecordId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataModel {
    Ilp32,
    Lp64,
}

impl DataModel {
    pub fn pointer_bytes(self) -> u64 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }
}

/// Integer types but `_Bool`. `Char` is signed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Void,
    Bool,
    Int(IntKind),
    Float(FloatKind),
    Pointer(TypeId),
    /// `None`: incomplete, or a flexible array member.
    Array(TypeId, Option<u64>),
    /// A variable-length array; the local holds its length (of type `size_t`), set where the declaration is evaluated.
    Vla(TypeId, LocalId),
    Function(FnType),
    Record(RecordId),
    Atomic(TypeId),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnType {
    pub result: TypeId,
    pub params: Vec<TypeId>,
    pub variadic: bool,
    /// Declared without a prototype: calls are not checked against `params`.
    pub unprototyped: bool,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub tag: Option<Symbol>,
    pub is_union: bool,
    /// `None` while incomplete.
    pub layout: Option<Layout>,
}

#[derive(Clone, Debug)]
pub struct Layout {
    pub size: u64,
    pub align: u64,
    pub fields: Vec<Field>,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// `None`: an anonymous struct or union (its members are found through it), or an unnamed bit-field.
    pub name: Option<Symbol>,
    pub ty: TypeId,
    /// Of the field, or of the first byte that the bit-field's bits touch.
    pub offset: u64,
    pub bits: Option<BitField>,
}

/// `width` bits from bit `shift` (little-endian, from the field's byte `offset`); `shift` is below 8, so that the field
/// lies in the `ceil((shift + width) / 8)` bytes from `offset` on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BitField {
    pub shift: u8,
    pub width: u8,
}

/// The table of types of a program.
#[derive(Debug)]
pub struct Types {
    pub model: DataModel,
    types: Vec<Type>,
    ids: FxHashMap<Type, TypeId>,
    pub records: Vec<Record>,
}

impl Types {
    pub fn new(model: DataModel) -> Self {
        Types { model, types: Vec::new(), ids: FxHashMap::default(), records: Vec::new() }
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    pub fn void(&mut self) -> TypeId {
        self.intern(Type::Void)
    }

    pub fn bool(&mut self) -> TypeId {
        self.intern(Type::Bool)
    }

    pub fn int(&mut self, kind: IntKind) -> TypeId {
        self.intern(Type::Int(kind))
    }

    pub fn pointer(&mut self, to: TypeId) -> TypeId {
        self.intern(Type::Pointer(to))
    }

    pub fn size_t(&mut self) -> TypeId {
        self.int(match self.model {
            DataModel::Ilp32 => IntKind::UInt,
            DataModel::Lp64 => IntKind::ULong,
        })
    }

    pub fn ptrdiff_t(&mut self) -> TypeId {
        self.int(match self.model {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        })
    }

    /// `_Atomic T` as `T`.
    pub fn strip_atomic(&self, id: TypeId) -> TypeId {
        match *self.get(id) {
            Type::Atomic(inner) => inner,
            _ => id,
        }
    }

    pub fn int_bytes(&self, kind: IntKind) -> u64 {
        use IntKind::*;
        match kind {
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 4,
            Long | ULong => self.model.pointer_bytes(),
            LongLong | ULongLong => 8,
            Int128 | UInt128 => 16,
        }
    }

    /// The size in bytes; `None` for incomplete types, functions and VLAs (`void` and functions: 1, as GNU C has it).
    pub fn size(&self, id: TypeId) -> Option<u64> {
        match *self.get(id) {
            Type::Void | Type::Function(_) => Some(1),
            Type::Bool => Some(1),
            Type::Int(kind) => Some(self.int_bytes(kind)),
            Type::Float(FloatKind::Float) => Some(4),
            Type::Float(FloatKind::Double) => Some(8),
            Type::Float(FloatKind::LongDouble) => Some(match self.model {
                DataModel::Ilp32 => 12,
                DataModel::Lp64 => 16,
            }),
            Type::Pointer(_) => Some(self.model.pointer_bytes()),
            Type::Array(element, len) => self.size(element)?.checked_mul(len?),
            Type::Vla(..) => None,
            Type::Record(record) => self.records[record.0 as usize].layout.as_ref().map(|l| l.size),
            Type::Atomic(inner) => self.size(inner),
        }
    }

    /// The alignment as a member of a struct (on i386, 8-byte scalars are aligned to 4 there).
    pub fn align(&self, id: TypeId) -> u64 {
        match *self.get(id) {
            Type::Array(element, _) | Type::Vla(element, _) => self.align(element),
            Type::Record(record) => self.records[record.0 as usize].layout.as_ref().map_or(1, |l| l.align),
            Type::Atomic(inner) => {
                self.size(inner).filter(|s| s.is_power_of_two() && *s <= 16).unwrap_or(1).max(self.align(inner))
            }
            Type::Int(IntKind::Int128 | IntKind::UInt128) => 16,
            _ => {
                let size = self.size(id).unwrap_or(1);
                match self.model {
                    DataModel::Ilp32 => size.min(4),
                    DataModel::Lp64 => size,
                }
            }
        }
    }

    /// Is it signed? (Only asked of integer types; pointers and `_Bool` are not.)
    pub fn is_signed(&self, id: TypeId) -> bool {
        use IntKind::*;
        matches!(self.get(self.strip_atomic(id)), Type::Int(Char | SChar | Short | Int | Long | LongLong | Int128))
    }

    /// The sort that holds a value of a scalar type: integers, `_Bool` (8 bits, 0 or 1) and pointers as bit-vectors.
    pub fn scalar_sort(&self, id: TypeId) -> Option<Sort> {
        match *self.get(id) {
            Type::Bool => Some(Sort::Bits(8)),
            Type::Int(kind) => Some(Sort::Bits((self.int_bytes(kind) * 8) as u8)),
            Type::Float(FloatKind::Float) => Some(Sort::Float(FloatSort::F32)),
            Type::Float(FloatKind::Double) => Some(Sort::Float(FloatSort::F64)),
            Type::Float(FloatKind::LongDouble) => Some(Sort::Float(FloatSort::X87)),
            Type::Pointer(_) => Some(Sort::Bits((self.model.pointer_bytes() * 8) as u8)),
            Type::Atomic(inner) => self.scalar_sort(inner),
            _ => None,
        }
    }
}
