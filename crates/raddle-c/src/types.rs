//! C types, interned, with their sizes and layouts in a data model.
//!
//! Qualifiers other than `_Atomic` are not part of a [`Type`] here: nothing after type checking depends on them. The checker
//! itself tells `const int` from `int` by their ids: both are `Type::Int(Int)`, the one is a [`Variant`] of the other. An
//! enumeration is the integer type that gcc represents it by; `va_list` is `void *`.

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
    /// `_Float128`, also `__float128`.
    Float128,
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
    /// Two numbers of this type, the real and the imaginary part.
    Complex(TypeId),
    /// GNU C: so many numbers of this type, on which operators work one by one.
    Vector(TypeId, u64),
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
    /// The first name of a type that is defined as it, where it has no tag.
    pub typedef: Option<Symbol>,
    pub is_union: bool,
    /// The translation unit that it is declared in.
    pub unit: u32,
    /// Converts implicitly from its members' types as a parameter (`transparent_union`).
    pub transparent: bool,
    /// `None` while incomplete.
    pub layout: Option<Layout>,
    /// It is glibc's mutex, and this is the offset of its kind.
    pub mutex_kind: Option<u64>,
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

/// The `const` and so on of a type, as a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct QualSet(u8);

impl QualSet {
    pub const NONE: QualSet = QualSet(0);
    pub const CONST: QualSet = QualSet(1);
    pub const VOLATILE: QualSet = QualSet(2);
    pub const RESTRICT: QualSet = QualSet(4);

    pub fn is_const(self) -> bool {
        self.0 & Self::CONST.0 != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn union(self, other: QualSet) -> QualSet {
        QualSet(self.0 | other.0)
    }

    pub fn contains(self, other: QualSet) -> bool {
        self.0 & other.0 == other.0
    }
}

/// What tells a type from the plain type with the same values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Variant {
    pub quals: QualSet,
    /// An alignment that a typedef's `aligned` attribute gave it; 0: its own.
    pub align: u32,
    /// The precision of a wide bit-field's value (gcc computes on a 40-bit field in 40 bits); 0: its own.
    pub bits: u8,
}

/// The table of types of a program.
#[derive(Debug)]
pub struct Types {
    pub model: DataModel,
    types: Vec<Type>,
    /// Of each type: the plain type, and how it differs from it.
    plain: Vec<(TypeId, Variant)>,
    ids: FxHashMap<Type, TypeId>,
    variants: FxHashMap<(TypeId, Variant), TypeId>,
    pub records: Vec<Record>,
}

/// The basic types have fixed ids (see `Types::new`).
impl TypeId {
    pub const VOID: TypeId = TypeId(0);
    pub const BOOL: TypeId = TypeId(1);
    pub const CHAR: TypeId = TypeId::of_int(IntKind::Char);
    pub const INT: TypeId = TypeId::of_int(IntKind::Int);
    pub const UINT: TypeId = TypeId::of_int(IntKind::UInt);
    pub const LONG: TypeId = TypeId::of_int(IntKind::Long);
    pub const ULONG: TypeId = TypeId::of_int(IntKind::ULong);
    pub const LONG_LONG: TypeId = TypeId::of_int(IntKind::LongLong);
    pub const ULONG_LONG: TypeId = TypeId::of_int(IntKind::ULongLong);
    pub const FLOAT: TypeId = TypeId(15);
    pub const DOUBLE: TypeId = TypeId(16);
    pub const LONG_DOUBLE: TypeId = TypeId(17);
    /// `void *`
    pub const VOID_PTR: TypeId = TypeId(18);
    pub const FLOAT128: TypeId = TypeId(19);

    pub const fn of_int(kind: IntKind) -> TypeId {
        TypeId(2 + kind as u32)
    }
}

impl Types {
    pub fn new(model: DataModel) -> Self {
        let mut types = Types {
            model,
            types: Vec::new(),
            plain: Vec::new(),
            ids: FxHashMap::default(),
            variants: FxHashMap::default(),
            records: Vec::new(),
        };
        use IntKind::*;
        types.intern(Type::Void);
        types.intern(Type::Bool);
        for kind in [Char, SChar, UChar, Short, UShort, Int, UInt, Long, ULong, LongLong, ULongLong, Int128, UInt128] {
            types.intern(Type::Int(kind));
        }
        for kind in [FloatKind::Float, FloatKind::Double, FloatKind::LongDouble] {
            types.intern(Type::Float(kind));
        }
        types.intern(Type::Pointer(TypeId::VOID));
        types.intern(Type::Float(FloatKind::Float128));
        types
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
        self.plain.push((id, Variant::default()));
        self.ids.insert(ty, id);
        id
    }

    /// The variant of a type (whose own variant, if it has one, is replaced).
    pub fn variant(&mut self, of: TypeId, variant: Variant) -> TypeId {
        let plain = self.plain(of);
        if variant == Variant::default() {
            return plain;
        }
        if let Some(&id) = self.variants.get(&(plain, variant)) {
            return id;
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(self.get(plain).clone());
        self.plain.push((plain, variant));
        self.variants.insert((plain, variant), id);
        id
    }

    /// The type without qualifiers and other differences.
    pub fn plain(&self, id: TypeId) -> TypeId {
        self.plain[id.0 as usize].0
    }

    pub fn variant_of(&self, id: TypeId) -> Variant {
        self.plain[id.0 as usize].1
    }

    /// The type with more qualifiers. Those of an array are its elements'.
    pub fn qualified(&mut self, id: TypeId, quals: QualSet) -> TypeId {
        if quals.is_empty() {
            return id;
        }
        if let Type::Array(element, len) = *self.get(id) {
            let element = self.qualified(element, quals);
            let array = self.intern(Type::Array(element, len));
            return self.variant(array, self.variant_of(id));
        }
        let variant = self.variant_of(id);
        self.variant(id, Variant { quals: variant.quals.union(quals), ..variant })
    }

    /// The qualifiers of a type; an array's are its elements'.
    pub fn quals(&self, id: TypeId) -> QualSet {
        match *self.get(id) {
            Type::Array(element, _) => self.quals(element).union(self.variant_of(id).quals),
            _ => self.variant_of(id).quals,
        }
    }

    /// The type without qualifiers; what else makes it a variant stays.
    pub fn unqualified(&mut self, id: TypeId) -> TypeId {
        let variant = self.variant_of(id);
        if variant.quals.is_empty() { id } else { self.variant(id, Variant { quals: QualSet::NONE, ..variant }) }
    }

    /// The type that the value of an lvalue has: without qualifiers and `_Atomic`.
    pub fn value_type(&self, id: TypeId) -> TypeId {
        let plain = self.plain(id);
        match *self.get(plain) {
            Type::Atomic(inner) => self.plain(inner),
            _ => plain,
        }
    }

    pub fn void(&mut self) -> TypeId {
        TypeId::VOID
    }

    pub fn bool(&mut self) -> TypeId {
        TypeId::BOOL
    }

    pub fn int(&mut self, kind: IntKind) -> TypeId {
        TypeId::of_int(kind)
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
            Type::Float(FloatKind::Float128) => Some(16),
            Type::Float(FloatKind::LongDouble) => Some(match self.model {
                DataModel::Ilp32 => 12,
                DataModel::Lp64 => 16,
            }),
            Type::Pointer(_) => Some(self.model.pointer_bytes()),
            Type::Array(element, len) => self.size(element)?.checked_mul(len?),
            Type::Vla(..) => None,
            Type::Record(record) => self.records[record.0 as usize].layout.as_ref().map(|l| l.size),
            Type::Complex(element) => Some(self.size(element)? * 2),
            Type::Vector(element, len) => self.size(element)?.checked_mul(len),
            Type::Atomic(inner) => self.size(inner),
        }
    }

    /// The alignment as a member of a struct (on i386, 8-byte scalars are aligned to 4 there).
    pub fn align(&self, id: TypeId) -> u64 {
        match self.variant_of(id).align {
            0 => {}
            align => return align.into(),
        }
        match *self.get(id) {
            Type::Array(element, _) | Type::Vla(element, _) | Type::Complex(element) => self.align(element),
            Type::Vector(..) => self.size(id).unwrap_or(1),
            Type::Record(record) => self.records[record.0 as usize].layout.as_ref().map_or(1, |l| l.align),
            Type::Atomic(inner) => {
                self.size(inner).filter(|s| s.is_power_of_two() && *s <= 16).unwrap_or(1).max(self.align(inner))
            }
            Type::Int(IntKind::Int128 | IntKind::UInt128) | Type::Float(FloatKind::Float128) => 16,
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
            Type::Float(FloatKind::Float128) => Some(Sort::Float(FloatSort::F128)),
            Type::Pointer(_) => Some(Sort::Bits((self.model.pointer_bytes() * 8) as u8)),
            Type::Atomic(inner) => self.scalar_sort(inner),
            _ => None,
        }
    }

    pub fn is_integer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(_) | Type::Bool)
    }

    pub fn is_float(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Float(_))
    }

    pub fn is_arithmetic(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(_) | Type::Bool | Type::Float(_))
    }

    pub fn is_scalar(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(_) | Type::Bool | Type::Float(_) | Type::Pointer(_))
    }

    /// The type and number of the elements of a complex number or vector.
    pub fn elements(&self, id: TypeId) -> Option<(TypeId, u64)> {
        match *self.get(id) {
            Type::Complex(element) => Some((element, 2)),
            Type::Vector(element, len) => Some((element, len)),
            _ => None,
        }
    }

    /// The type of the parts of a complex number.
    pub fn complex_part(&self, id: TypeId) -> Option<TypeId> {
        match *self.get(id) {
            Type::Complex(element) => Some(element),
            _ => None,
        }
    }

    /// Are its values held in memory only: is it a record, complex number or vector?
    pub fn is_aggregate(&self, id: TypeId) -> bool {
        matches!(self.get(self.strip_atomic(id)), Type::Record(_) | Type::Complex(_) | Type::Vector(..))
    }

    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Pointer(_))
    }

    pub fn is_void(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Void)
    }

    /// What a pointer points to.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match *self.get(id) {
            Type::Pointer(to) => Some(to),
            _ => None,
        }
    }

    /// How many bits a value of an integer type has (a `_Bool`: 1).
    pub fn precision(&self, id: TypeId) -> u32 {
        let bits = self.variant_of(id).bits;
        match *self.get(id) {
            _ if bits != 0 => bits.into(),
            Type::Bool => 1,
            Type::Int(kind) => self.int_bytes(kind) as u32 * 8,
            _ => 0,
        }
    }

    /// Is there a variable-length array in it, so that its size or its elements' is computed?
    pub fn is_variably_modified(&self, id: TypeId) -> bool {
        match *self.get(id) {
            Type::Vla(..) => true,
            Type::Pointer(inner) | Type::Array(inner, _) => self.is_variably_modified(inner),
            _ => false,
        }
    }

    /// Is it an object type whose size is known, now or at run time?
    pub fn is_complete(&self, id: TypeId) -> bool {
        match *self.get(id) {
            Type::Void | Type::Function(_) => false,
            Type::Vla(..) => true,
            Type::Array(element, len) => len.is_some() && self.is_complete(element),
            Type::Record(record) => self.records[record.0 as usize].layout.is_some(),
            Type::Atomic(inner) => self.is_complete(inner),
            _ => true,
        }
    }

    /// Are two types compatible (C11 6.2.7)? Qualifiers at the top count only if `strict`.
    pub fn compatible(&self, a: TypeId, b: TypeId, strict: bool) -> bool {
        if a == b {
            return true;
        }
        if strict && self.variant_of(a).quals != self.variant_of(b).quals {
            return false;
        }
        if self.variant_of(a).bits != self.variant_of(b).bits {
            return false;
        }
        match (self.get(a), self.get(b)) {
            (Type::Pointer(x), Type::Pointer(y)) | (Type::Atomic(x), Type::Atomic(y)) => self.compatible(*x, *y, true),
            (Type::Array(x, n), Type::Array(y, m)) => {
                (n == m || n.is_none() || m.is_none()) && self.compatible(*x, *y, true)
            }
            (Type::Vla(x, _), Type::Vla(y, _) | Type::Array(y, _)) | (Type::Array(x, _), Type::Vla(y, _)) => {
                self.compatible(*x, *y, true)
            }
            (Type::Function(f), Type::Function(g)) => self.compatible_functions(f, g),
            (Type::Record(r), Type::Record(s)) => r == s || self.same_record(*r, *s),
            (x, y) => x == y,
        }
    }

    fn compatible_functions(&self, f: &FnType, g: &FnType) -> bool {
        if !self.compatible(f.result, g.result, false) {
            return false;
        }
        if f.unprototyped || g.unprototyped {
            return true;
        }
        f.variadic == g.variadic
            && f.params.len() == g.params.len()
            && f.params.iter().zip(&g.params).all(|(x, y)| self.compatible(*x, *y, false))
    }

    /// Records of two translation units are one if their tags and layouts are; what they point to is not looked at.
    fn same_record(&self, a: RecordId, b: RecordId) -> bool {
        let (a, b) = (&self.records[a.0 as usize], &self.records[b.0 as usize]);
        let (Some(x), Some(y)) = (&a.layout, &b.layout) else { return false };
        a.unit != b.unit
            && a.tag == b.tag
            && a.is_union == b.is_union
            && x.size == y.size
            && x.fields.len() == y.fields.len()
            && x.fields.iter().zip(&y.fields).all(|(f, g)| {
                f.name == g.name && f.offset == g.offset && f.bits == g.bits && self.size(f.ty) == self.size(g.ty)
            })
    }
}
