//! From C types to shapes: what people call the parts of the variables and objects of a Program.

use crate::ast::Symbol;
use crate::interner::Interner;
use crate::types::{Field, IntKind, RecordId, Type, TypeId, Types};
use raddle_ir::{Member, ObjectId, Shape, ShapeId, Shapes, VarId};
use rustc_hash::FxHashMap;

/// What lowering knows of the types of variables and objects.
#[derive(Default)]
pub struct Typed {
    pub vars: Vec<(VarId, TypeId)>,
    /// Locals that hold the address of an automatic object, with the object's type.
    pub homes: Vec<(VarId, TypeId)>,
    pub objects: Vec<(ObjectId, TypeId)>,
}

pub fn shapes(types: &Types, names: &Interner, typed: &Typed) -> Shapes {
    let mut making = Making { types, names, all: Vec::new(), known: FxHashMap::default() };
    let vars = typed.vars.iter().map(|(var, ty)| (*var, making.shape(*ty))).collect();
    let homes = typed.homes.iter().map(|(var, ty)| (*var, making.shape(*ty))).collect();
    let objects = typed.objects.iter().map(|(object, ty)| (*object, making.shape(*ty))).collect();
    Shapes { all: making.all, vars, homes, objects }
}

struct Making<'a> {
    types: &'a Types,
    names: &'a Interner,
    all: Vec<Shape>,
    known: FxHashMap<TypeId, ShapeId>,
}

impl Making<'_> {
    fn shape(&mut self, ty: TypeId) -> ShapeId {
        let ty = self.types.plain(self.types.strip_atomic(ty));
        if let Some(known) = self.known.get(&ty) {
            return *known;
        }
        // A record may point to itself: it has its number before its members have theirs.
        let id = ShapeId(self.all.len() as u32);
        self.all.push(Shape::Opaque);
        self.known.insert(ty, id);
        self.all[id.0 as usize] = match *self.types.get(ty) {
            Type::Bool => Shape::Bool,
            Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar) => {
                Shape::Char { signed: self.types.is_signed(ty) }
            }
            Type::Int(_) => Shape::Integer { signed: self.types.is_signed(ty) },
            Type::Float(_) => Shape::Float,
            Type::Pointer(to) => Shape::Pointer(self.shape(to)),
            Type::Array(element, _) | Type::Vla(element, _) | Type::Vector(element, _) => {
                match self.types.size(element) {
                    Some(stride) => Shape::Array { element: self.shape(element), stride },
                    None => Shape::Opaque,
                }
            }
            Type::Record(record) => self.record(record),
            Type::Void | Type::Function(_) | Type::Complex(_) | Type::Atomic(_) => Shape::Opaque,
        };
        id
    }

    fn record(&mut self, id: RecordId) -> Shape {
        let types = self.types;
        let record = &types.records[id.0 as usize];
        let name = self.name(record.tag.or(record.typedef));
        let Some(layout) = &record.layout else { return Shape::Opaque };
        let members = layout.fields.iter().map(|field| self.member(field)).collect();
        Shape::Record { name, size: layout.size, members }
    }

    fn member(&mut self, field: &Field) -> Member {
        let bits = field.bits.map(|bits| (bits.shift, bits.width));
        let size = match bits {
            Some((shift, width)) => (u64::from(shift) + u64::from(width)).div_ceil(8),
            None => self.types.size(field.ty).unwrap_or(0),
        };
        Member { name: self.name(field.name), offset: field.offset, size, bits, shape: self.shape(field.ty) }
    }

    fn name(&self, symbol: Option<Symbol>) -> String {
        symbol.map_or(String::new(), |symbol| self.names.name(symbol).to_owned())
    }
}
