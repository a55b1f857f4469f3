//! Types as they are written: specifiers, records, enumerations, declarators and attributes.

use super::layout::{self, Member};
use super::scope::{Ident, Tag};
use super::{Sema, expr};
use crate::ast::{
    self, AlignAs, ArrayLen, Attribute, Basic, DeclSpecs, Declarator, Derived, FieldDecl, ParamList, Quals, TypeSpec,
};
use crate::error::{Error, ErrorKind, Result};
use crate::hir::{Expr, ExprKind};
use crate::source::Pos;
use crate::types::{DataModel, FnType, IntKind, Layout, QualSet, Record, RecordId, Type, TypeId, Variant};

/// What attributes say about an object, member, function or typedef.
/// Of constructors and destructors that have none: they run last, and first.
pub(super) const LAST_PRIORITY: u64 = 1 << 16;

#[derive(Default)]
pub(super) struct Attrs {
    pub packed: bool,
    /// `#pragma pack`: members are aligned to at most so many bytes.
    pub pack: Option<u64>,
    pub align: Option<u64>,
    pub noreturn: bool,
    pub transparent_union: bool,
    pub mode: Option<String>,
    /// The type is a vector of so many bytes.
    pub vector: Option<u64>,
    /// It is another name of this symbol.
    pub alias: Option<String>,
    /// Another definition takes its place.
    pub weak: bool,
    /// It runs before or after `main`, with this priority.
    pub constructor: Option<u64>,
    pub destructor: Option<u64>,
    /// This function is called when its scope is left.
    pub cleanup: Option<ast::Symbol>,
    /// It lies in a section that has a meaning.
    pub section: Option<String>,
    /// A construct that changes what the program does in a way that is not modelled.
    pub unsupported: Option<&'static str>,
}

/// A function's parameters: their adjusted types, and the types of their specifiers.
pub(super) struct Params {
    pub types: Vec<TypeId>,
    pub bases: Vec<TypeId>,
}

fn qual_set(quals: Quals) -> QualSet {
    let mut set = QualSet::NONE;
    for (is, qual) in [
        (quals.is_const, QualSet::CONST),
        (quals.is_volatile, QualSet::VOLATILE),
        (quals.is_restrict, QualSet::RESTRICT),
    ] {
        if is {
            set = set.union(qual);
        }
    }
    set
}

impl Sema<'_> {
    /// The type that specifiers name. `alone`: no declarator follows, so that `struct s;` declares.
    pub(super) fn specs_type(&mut self, specs: &DeclSpecs, alone: bool) -> Result<TypeId> {
        let pos = specs.pos;
        let mut ty = match &specs.ty {
            TypeSpec::Basic(basic) => basic_type(*basic),
            TypeSpec::Complex(basic) => self.types.intern(Type::Complex(basic_type(*basic))),
            TypeSpec::Name(symbol) => match self.scopes.ident(*symbol) {
                Some(Ident::Typedef(ty)) => ty,
                Some(Ident::Poison(index)) => {
                    return Err(Error::unsupported(pos, self.poisons[index as usize].clone()));
                }
                _ => return Err(Error::invalid(pos, format!("`{}` is no type", self.name(*symbol)))),
            },
            TypeSpec::Record(record) => self.record(record, alone)?,
            TypeSpec::Enum(spec) => self.enumeration(spec)?,
            TypeSpec::TypeofExpr(e) => self.type_of(e)?,
            TypeSpec::TypeofType(name) => self.type_name_type(name)?,
            TypeSpec::Atomic(name) => {
                let inner = self.type_name_type(name)?;
                self.atomic(inner, pos)?
            }
            TypeSpec::Auto => return Err(Error::invalid(pos, "`__auto_type` needs an initialiser")),
            TypeSpec::ImplicitInt => TypeId::INT,
            TypeSpec::Unsupported(what) => return Err(Error::unsupported(pos, *what)),
        };
        if specs.quals.is_atomic {
            ty = self.atomic(ty, pos)?;
        }
        Ok(self.types.qualified(ty, qual_set(specs.quals)))
    }

    fn atomic(&mut self, ty: TypeId, pos: Pos) -> Result<TypeId> {
        match self.types.get(ty) {
            Type::Atomic(_) => Ok(ty),
            Type::Array(..) | Type::Vla(..) | Type::Function(_) => {
                Err(Error::invalid(pos, "an array or function cannot be _Atomic"))
            }
            Type::Complex(_) | Type::Vector(..) => Err(Error::unsupported(pos, "_Atomic complex number or vector")),
            _ => {
                let quals = self.types.variant_of(ty).quals;
                let plain = self.types.plain(ty);
                let atomic = self.types.intern(Type::Atomic(plain));
                Ok(self.types.qualified(atomic, quals))
            }
        }
    }

    /// The type that a type name names.
    pub(super) fn type_name_type(&mut self, name: &ast::TypeName) -> Result<TypeId> {
        let base = self.specs_type(&name.specs, false)?;
        let ty = self.declarator(base, &name.declarator)?;
        self.with_mode(ty, &name.specs.attrs, &name.declarator.attrs, name.pos)
    }

    /// Applies `mode` and vector attributes.
    pub(super) fn with_mode(&mut self, ty: TypeId, a: &[Attribute], b: &[Attribute], pos: Pos) -> Result<TypeId> {
        if a.is_empty() && b.is_empty() {
            return Ok(ty);
        }
        let attrs = self.attributes(a.iter().chain(b))?;
        self.apply_mode(ty, &attrs, pos)
    }

    pub(super) fn apply_mode(&mut self, ty: TypeId, attrs: &Attrs, pos: Pos) -> Result<TypeId> {
        if let Some(bytes) = attrs.vector {
            return self.vector_of(ty, bytes, pos);
        }
        let Some(mode) = &attrs.mode else { return Ok(ty) };
        use IntKind::*;
        let signed = self.types.is_signed(ty);
        let pick = |a, b| TypeId::of_int(if signed { a } else { b });
        let word = match self.types.model {
            DataModel::Ilp32 => pick(Int, UInt),
            DataModel::Lp64 => pick(Long, ULong),
        };
        let double_int = match self.types.model {
            DataModel::Ilp32 => pick(LongLong, ULongLong),
            DataModel::Lp64 => pick(Long, ULong),
        };
        let moded = match mode.trim_matches('_') {
            "QI" | "byte" => pick(SChar, UChar),
            "HI" => pick(Short, UShort),
            "SI" => pick(Int, UInt),
            "DI" => double_int,
            "TI" => pick(Int128, UInt128),
            "word" | "pointer" | "unwind_word" => word,
            "SF" => TypeId::FLOAT,
            "DF" => TypeId::DOUBLE,
            "XF" => TypeId::LONG_DOUBLE,
            "TF" => TypeId::FLOAT128,
            _ => return Err(Error::unsupported(pos, format!("machine mode {mode}"))),
        };
        let quals = self.types.variant_of(ty).quals;
        Ok(self.types.qualified(moded, quals))
    }

    pub(super) fn attributes<'b>(&mut self, attrs: impl Iterator<Item = &'b Attribute>) -> Result<Attrs> {
        let mut found = Attrs::default();
        for attr in attrs {
            match attr.name.as_str() {
                "packed" => found.packed = true,
                "pragma_pack" => {
                    if let Some(Some(arg)) = attr.args.first() {
                        found.pack = Some(self.alignment(arg)?);
                    }
                }
                "noreturn" => found.noreturn = true,
                "transparent_union" => found.transparent_union = true,
                "aligned" => {
                    let align = match attr.args.first() {
                        None => 16,
                        Some(Some(arg)) => self.alignment(arg)?,
                        Some(None) => continue,
                    };
                    found.align = Some(found.align.unwrap_or(1).max(align));
                }
                "mode" => {
                    if let Some(Some(ast::Expr { kind: ast::ExprKind::Name(name), .. })) = attr.args.first() {
                        found.mode = Some(self.name(*name).to_string());
                    }
                }
                "weak" => found.weak = true,
                "section" => {
                    if let Some(Some(ast::Expr { kind: ast::ExprKind::Str { units, .. }, .. })) = attr.args.first() {
                        found.section = Some(units.iter().filter_map(|u| char::from_u32(*u)).collect());
                    }
                }
                "ifunc" => found.unsupported = Some("ifunc attribute"),
                "alias" | "weakref" => {
                    if let Some(Some(ast::Expr { kind: ast::ExprKind::Str { units, .. }, .. })) = attr.args.first() {
                        found.alias = Some(units.iter().filter_map(|u| char::from_u32(*u)).collect());
                    }
                }
                "vector_size" => {
                    if let Some(Some(arg)) = attr.args.first() {
                        let value = self.value(arg)?;
                        let bytes = self.const_bits(&value).and_then(|bits| u64::try_from(bits).ok());
                        found.vector = bytes;
                    }
                }
                "ext_vector_type" => return Err(Error::unsupported(attr.pos, "vector type")),
                "cleanup" => {
                    if let Some(Some(ast::Expr { kind: ast::ExprKind::Name(name), .. })) = attr.args.first() {
                        found.cleanup = Some(*name);
                    }
                }
                "constructor" | "destructor" => {
                    let priority = match attr.args.first() {
                        Some(Some(arg)) => self.priority(arg)?,
                        _ => LAST_PRIORITY,
                    };
                    let which = if attr.name == "constructor" { &mut found.constructor } else { &mut found.destructor };
                    *which = Some(priority);
                }
                "scalar_storage_order" => return Err(Error::unsupported(attr.pos, "scalar_storage_order attribute")),
                _ => {}
            }
        }
        Ok(found)
    }

    fn priority(&mut self, e: &ast::Expr) -> Result<u64> {
        let value = self.value(e)?;
        let bits = self.const_bits(&value).and_then(|bits| u64::try_from(bits).ok());
        bits.ok_or_else(|| Error::invalid(e.pos, "a priority must be a constant"))
    }

    fn alignment(&mut self, e: &ast::Expr) -> Result<u64> {
        let value = self.value(e)?;
        match self.const_bits(&value) {
            Some(align) if align.is_power_of_two() && align < 1 << 28 => Ok(align as u64),
            Some(0) => Ok(1),
            _ => Err(Error::invalid(e.pos, "an alignment must be a constant power of two")),
        }
    }

    /// The largest of `_Alignas` and `aligned`.
    pub(super) fn asked_align(&mut self, specs: &DeclSpecs, attrs: &Attrs) -> Result<Option<u64>> {
        let mut align = attrs.align;
        for alignas in &specs.alignas {
            let one = match alignas {
                AlignAs::Type(name) => {
                    let ty = self.type_name_type(name)?;
                    self.types.align(ty)
                }
                AlignAs::Expr(e) => self.alignment(e)?,
            };
            align = Some(align.unwrap_or(1).max(one));
        }
        Ok(align)
    }

    // ---- records ----

    fn record(&mut self, spec: &ast::RecordSpec, alone: bool) -> Result<TypeId> {
        let Some(fields) = &spec.fields else { return self.record_reference(spec, alone) };
        let id = match spec.tag.and_then(|tag| self.scopes.own_tag(tag)) {
            Some(Tag::Record(id)) => {
                let record = &self.types.records[id.0 as usize];
                if record.layout.is_some() || record.is_union != spec.is_union {
                    let name = spec.tag.map_or(String::new(), |t| self.name(t).to_string());
                    return Err(Error::invalid(spec.pos, format!("`{name}` is defined a second time")));
                }
                id
            }
            _ => self.new_record(spec),
        };
        match self.record_layout(spec, fields) {
            Ok((layout, transparent)) => {
                let mutex_kind = self.mutex_kind(spec, &layout);
                let record = &mut self.types.records[id.0 as usize];
                record.layout = Some(layout);
                record.transparent = transparent;
                record.mutex_kind = mutex_kind;
                Ok(self.types.intern(Type::Record(id)))
            }
            Err(error) => {
                if let (ErrorKind::Unsupported, Some(tag)) = (error.kind, spec.tag) {
                    let poison = self.poison(error.message.clone());
                    self.scopes.declare_tag(tag, Tag::Poison(poison));
                }
                Err(error)
            }
        }
    }

    fn mutex_kind(&self, spec: &ast::RecordSpec, layout: &Layout) -> Option<u64> {
        if self.name(spec.tag?) != "__pthread_mutex_s" {
            return None;
        }
        layout.fields.iter().find(|f| f.name.is_some_and(|n| self.name(n) == "__kind")).map(|f| f.offset)
    }

    fn record_reference(&mut self, spec: &ast::RecordSpec, alone: bool) -> Result<TypeId> {
        let Some(tag) = spec.tag else { return Err(Error::invalid(spec.pos, "a struct or union without members")) };
        let known = if alone { self.scopes.own_tag(tag) } else { self.scopes.tag(tag) };
        let id = match known {
            Some(Tag::Record(id)) => {
                if self.types.records[id.0 as usize].is_union != spec.is_union {
                    let name = self.name(tag);
                    return Err(Error::invalid(spec.pos, format!("`{name}` is another kind of tag")));
                }
                id
            }
            Some(Tag::Poison(index)) => {
                return Err(Error::unsupported(spec.pos, self.poisons[index as usize].clone()));
            }
            Some(Tag::Enum(..)) => {
                return Err(Error::invalid(spec.pos, format!("`{}` is an enumeration's tag", self.name(tag))));
            }
            None => self.new_record(spec),
        };
        Ok(self.types.intern(Type::Record(id)))
    }

    fn new_record(&mut self, spec: &ast::RecordSpec) -> RecordId {
        let id = RecordId(self.types.records.len() as u32);
        self.types.records.push(Record {
            tag: spec.tag,
            typedef: None,
            is_union: spec.is_union,
            unit: self.unit,
            transparent: false,
            layout: None,
            mutex_kind: None,
        });
        if let Some(tag) = spec.tag {
            self.scopes.declare_tag(tag, Tag::Record(id));
        }
        id
    }

    fn record_layout(&mut self, spec: &ast::RecordSpec, fields: &[FieldDecl]) -> Result<(Layout, bool)> {
        let attrs = self.attributes(spec.attrs.iter())?;
        let mut members = Vec::new();
        for field in fields {
            match field {
                FieldDecl::StaticAssert(assertion) => self.static_assert(assertion)?,
                FieldDecl::Fields { pos, specs, declarators } => {
                    self.members(*pos, specs, declarators, &attrs, &mut members)?;
                }
            }
        }
        let count = members.len();
        for (index, member) in members.iter().enumerate() {
            let flexible = matches!(self.types.get(member.ty), Type::Array(_, None));
            if flexible && (index + 1 == count || spec.is_union) {
                continue;
            }
            if flexible || !self.types.is_complete(member.ty) {
                let name = member.name.map_or("?", |n| self.name(n));
                return Err(Error::invalid(spec.pos, format!("the member `{name}` has an incomplete type")));
            }
        }
        match layout::layout(&self.types, spec.is_union, &members, attrs.align) {
            Some(layout) => Ok((layout, attrs.transparent_union)),
            None => Err(Error::invalid(spec.pos, "the struct or union is too large")),
        }
    }

    fn members(
        &mut self,
        pos: Pos,
        specs: &DeclSpecs,
        declarators: &[ast::FieldDeclarator],
        record: &Attrs,
        members: &mut Vec<Member>,
    ) -> Result<()> {
        let base = self.specs_type(specs, declarators.is_empty())?;
        if declarators.is_empty() {
            let anonymous = matches!(&specs.ty, TypeSpec::Record(r) if r.tag.is_none());
            if anonymous {
                let attrs = self.attributes(specs.attrs.iter())?;
                let align = self.asked_align(specs, &attrs)?;
                let packed = record.packed || attrs.packed;
                members.push(Member { name: None, ty: base, width: None, packed, limit: record.pack, align });
            }
            return Ok(());
        }
        for one in declarators {
            let attrs = self.attributes(specs.attrs.iter().chain(&one.declarator.attrs))?;
            let ty = self.declarator(base, &one.declarator)?;
            let ty = self.apply_mode(ty, &attrs, pos)?;
            if matches!(self.types.get(ty), Type::Vla(..)) {
                return Err(Error::unsupported(pos, "variable-length array in a struct"));
            }
            if matches!(self.types.get(ty), Type::Function(_)) {
                return Err(Error::invalid(pos, "a member cannot be a function"));
            }
            let width = match &one.width {
                Some(width) => Some(self.bit_field_width(ty, width)?),
                None => None,
            };
            let align = self.asked_align(specs, &attrs)?;
            let packed = record.packed || attrs.packed;
            members.push(Member { name: one.declarator.name, ty, width, packed, limit: record.pack, align });
        }
        Ok(())
    }

    fn bit_field_width(&mut self, ty: TypeId, width: &ast::Expr) -> Result<u8> {
        let pos = width.pos;
        if !self.types.is_integer(self.types.strip_atomic(ty)) {
            return Err(Error::invalid(pos, "a bit-field must be of an integer type"));
        }
        let width = self.value(width)?;
        let limit = self.types.precision(ty);
        match self.const_bits(&width) {
            Some(bits) if bits <= limit.into() => Ok(bits as u8),
            Some(_) => Err(Error::invalid(pos, "the width of a bit-field exceeds its type")),
            None => Err(Error::invalid(pos, "the width of a bit-field is not constant")),
        }
    }

    // ---- enumerations ----

    fn enumeration(&mut self, spec: &ast::EnumSpec) -> Result<TypeId> {
        let Some(constants) = &spec.constants else {
            let tag = spec.tag.ok_or_else(|| Error::invalid(spec.pos, "an enumeration without constants"))?;
            return match self.scopes.tag(tag) {
                Some(Tag::Enum(ty, _)) => Ok(ty),
                Some(Tag::Record(_)) => {
                    Err(Error::invalid(spec.pos, format!("`{}` is a struct's or union's tag", self.name(tag))))
                }
                Some(Tag::Poison(index)) => Err(Error::unsupported(spec.pos, self.poisons[index as usize].clone())),
                None => {
                    self.scopes.declare_tag(tag, Tag::Enum(TypeId::UINT, false));
                    Ok(TypeId::UINT)
                }
            };
        };
        if let Some(Some(Tag::Enum(_, true))) = spec.tag.map(|t| self.scopes.own_tag(t)) {
            return Err(Error::invalid(spec.pos, "an enumeration is defined a second time"));
        }
        let packed = self.attributes(spec.attrs.iter())?.packed;
        let first = self.enumerators.len();
        // The values as numbers; constants that need more than an `int` get the enumeration's type at the end.
        let mut values: Vec<i128> = Vec::with_capacity(constants.len());
        let mut next = 0i128;
        for constant in constants {
            if let Some(e) = &constant.value {
                let value = self.value(e)?;
                let bits = self.const_bits(&value).filter(|_| self.types.is_integer(value.ty));
                let Some(bits) = bits else {
                    let name = self.name(constant.name);
                    return Err(Error::invalid(
                        constant.pos,
                        format!("the value of `{name}` is not an integer constant"),
                    ));
                };
                next = match self.types.is_signed(value.ty) {
                    true => raddle_ir::eval::to_signed(self.width(value.ty), bits),
                    false => bits as i128,
                };
            }
            let ty = self.fitting_type(next, next);
            let index = self.enumerators.len() as u32;
            self.enumerators.push((ty, next as u128));
            if matches!(self.scopes.own_ident(constant.name), Some(Ident::Enumerator(_) | Ident::Local(_))) {
                let name = self.name(constant.name);
                return Err(Error::invalid(constant.pos, format!("`{name}` is declared a second time")));
            }
            self.scopes.declare(constant.name, Ident::Enumerator(index));
            values.push(next);
            next = next.wrapping_add(1);
        }
        let least = values.iter().copied().min().unwrap_or(0).min(0);
        let most = values.iter().copied().max().unwrap_or(0).max(0);
        let ty = if packed { packed_enum(least, most) } else { self.enum_type(least, most) };
        for (index, value) in values.iter().enumerate() {
            let is_int = i32::try_from(*value).is_ok();
            self.enumerators[first + index].0 = if is_int { TypeId::INT } else { ty };
        }
        if let Some(tag) = spec.tag {
            self.scopes.declare_tag(tag, Tag::Enum(ty, true));
        }
        Ok(ty)
    }

    /// The type of a constant while its enumeration is still open.
    fn fitting_type(&self, least: i128, most: i128) -> TypeId {
        if i32::try_from(least).is_ok() && i32::try_from(most).is_ok() {
            TypeId::INT
        } else {
            self.enum_type(least.min(0), most)
        }
    }

    fn enum_type(&self, least: i128, most: i128) -> TypeId {
        use IntKind::*;
        let long = self.types.model == DataModel::Lp64;
        let kinds: &[IntKind] = match (least < 0, long) {
            (false, true) => &[UInt, ULong],
            (false, false) => &[UInt, ULongLong],
            (true, true) => &[Int, Long],
            (true, false) => &[Int, LongLong],
        };
        let fits = |kind: IntKind| {
            let bits = self.types.int_bytes(kind) * 8;
            if least < 0 { least >= -(1 << (bits - 1)) && most < 1 << (bits - 1) } else { most < 1 << bits }
        };
        let widest = if least < 0 { Int128 } else { UInt128 };
        TypeId::of_int(kinds.iter().copied().find(|k| fits(*k)).unwrap_or(widest))
    }

    // ---- declarators ----

    /// The type of a declarator's name.
    pub(super) fn declarator(&mut self, base: TypeId, declarator: &Declarator) -> Result<TypeId> {
        self.derive(base, &declarator.derived)
    }

    /// Applies derivations, the outermost (last) first.
    pub(super) fn derive(&mut self, base: TypeId, derived: &[Derived]) -> Result<TypeId> {
        let mut ty = base;
        for derivation in derived.iter().rev() {
            ty = match derivation {
                Derived::Pointer(quals) => {
                    let mut pointer = self.types.pointer(ty);
                    if quals.is_atomic {
                        pointer = self.types.intern(Type::Atomic(pointer));
                    }
                    self.types.qualified(pointer, qual_set(*quals))
                }
                Derived::Array { pos, len, .. } => self.array(ty, len, *pos)?,
                Derived::Function(params) => {
                    let params_types = self.params(params)?;
                    self.function_type(ty, params, params_types.types)
                }
            };
        }
        Ok(ty)
    }

    pub(super) fn function_type(&mut self, result: TypeId, params: &ParamList, types: Vec<TypeId>) -> TypeId {
        let (variadic, unprototyped) = match params {
            ParamList::Prototype { variadic, .. } => (*variadic, false),
            ParamList::Identifiers(_) => (false, true),
        };
        let result = self.types.unqualified(result);
        self.types.intern(Type::Function(FnType { result, params: types, variadic, unprototyped }))
    }

    /// The types of parameters, in a scope of their own.
    pub(super) fn params(&mut self, params: &ParamList) -> Result<Params> {
        self.scopes.push();
        let checked = self.params_in_scope(params);
        self.scopes.pop();
        checked
    }

    pub(super) fn params_in_scope(&mut self, params: &ParamList) -> Result<Params> {
        let mut found = Params { types: Vec::new(), bases: Vec::new() };
        let ParamList::Prototype { params, .. } = params else { return Ok(found) };
        self.prototype += 1;
        let checked = params.iter().try_for_each(|param| {
            let base = self.specs_type(&param.specs, false)?;
            let ty = self.param_type(base, &param.declarator)?;
            let ty = self.with_mode(ty, &param.specs.attrs, &param.declarator.attrs, param.pos)?;
            found.bases.push(base);
            found.types.push(self.types.plain(ty));
            if let Some(name) = param.declarator.name {
                self.scopes.declare(name, Ident::Param(ty));
            }
            Ok(())
        });
        self.prototype -= 1;
        checked?;
        if let ([only], [param]) = (found.types.as_slice(), params.as_slice())
            && self.types.is_void(*only)
            && param.declarator.name.is_none()
        {
            found.types.clear();
            found.bases.clear();
        }
        Ok(found)
    }

    /// A parameter's type: arrays and functions are pointers there.
    pub(super) fn param_type(&mut self, base: TypeId, declarator: &Declarator) -> Result<TypeId> {
        if let Some((Derived::Array { quals, .. }, outer)) = declarator.derived.split_first() {
            let element = self.derive(base, outer)?;
            let pointer = self.types.pointer(element);
            return Ok(self.types.qualified(pointer, qual_set(*quals)));
        }
        let ty = self.derive(base, &declarator.derived)?;
        Ok(match *self.types.get(ty) {
            Type::Array(element, _) | Type::Vla(element, _) => self.types.pointer(element),
            Type::Function(_) => self.types.pointer(ty),
            _ => ty,
        })
    }

    fn array(&mut self, element: TypeId, len: &ArrayLen, pos: Pos) -> Result<TypeId> {
        let in_prototype = self.prototype > 0;
        let bad_element = match self.types.get(element) {
            Type::Function(_) | Type::Void => true,
            Type::Array(_, None) => !in_prototype,
            _ => !self.types.is_complete(element) && !in_prototype,
        };
        if bad_element {
            let name = self.type_name(element);
            return Err(Error::invalid(pos, format!("an array's elements are of the incomplete type `{name}`")));
        }
        let ArrayLen::Expr(len) = len else { return Ok(self.types.intern(Type::Array(element, None))) };
        let value = self.value(len)?;
        if !self.types.is_integer(value.ty) {
            return Err(Error::invalid(pos, "the length of an array is no integer"));
        }
        if let Some(bits) = self.const_bits(&value) {
            let negative = self.types.is_signed(value.ty) && raddle_ir::eval::to_signed(self.width(value.ty), bits) < 0;
            if negative {
                return Err(Error::invalid(pos, "the length of an array is negative"));
            }
            let len = u64::try_from(bits).unwrap_or(u64::MAX);
            if self.types.size(element).is_some() || in_prototype {
                let array = self.types.intern(Type::Array(element, Some(len)));
                if self.types.size(array).is_none_or(|s| s >= 1 << 62) && !in_prototype {
                    return Err(Error::invalid(pos, "the array is too large"));
                }
                return Ok(array);
            }
        } else if in_prototype {
            return Ok(self.types.intern(Type::Array(element, None)));
        }
        if self.body.is_none() {
            return Err(Error::invalid(pos, "the length of an array is not constant"));
        }
        self.variable_array(element, value, pos)
    }

    /// An array whose length is computed, once, into a hidden local.
    fn variable_array(&mut self, element: TypeId, len: Expr, pos: Pos) -> Result<TypeId> {
        let size_t = self.types.size_t();
        let len = self.convert(len, size_t);
        let local = self.local("length", size_t, pos)?;
        let place = expr(size_t, pos, ExprKind::Local(local));
        let assign = expr(size_t, pos, ExprKind::Assign(Box::new(place), Box::new(len)));
        self.body(pos)?.pending.push(assign);
        Ok(self.types.intern(Type::Vla(element, local)))
    }

    /// A typedef's own alignment becomes part of its type.
    pub(super) fn with_align(&mut self, ty: TypeId, align: Option<u64>) -> TypeId {
        match align {
            Some(align) => {
                let variant = self.types.variant_of(ty);
                self.types.variant(ty, Variant { align: align as u32, ..variant })
            }
            None => ty,
        }
    }
}

fn packed_enum(least: i128, most: i128) -> TypeId {
    use IntKind::*;
    let kinds = if least < 0 { [SChar, Short, Int, LongLong] } else { [UChar, UShort, UInt, ULongLong] };
    for (kind, bits) in kinds.into_iter().zip([8, 16, 32, 64]) {
        let fits = if least < 0 { least >= -(1 << (bits - 1)) && most < 1 << (bits - 1) } else { most < 1 << bits };
        if fits {
            return TypeId::of_int(kind);
        }
    }
    TypeId::of_int(Int128)
}

fn basic_type(basic: Basic) -> TypeId {
    use IntKind::*;
    let kind = match basic {
        Basic::Void => return TypeId::VOID,
        Basic::Bool => return TypeId::BOOL,
        Basic::Float => return TypeId::FLOAT,
        Basic::Double => return TypeId::DOUBLE,
        Basic::LongDouble => return TypeId::LONG_DOUBLE,
        Basic::Float128 => return TypeId::FLOAT128,
        Basic::VaList => return TypeId::VOID_PTR,
        Basic::Char => Char,
        Basic::SChar => SChar,
        Basic::UChar => UChar,
        Basic::Short => Short,
        Basic::UShort => UShort,
        Basic::Int => Int,
        Basic::UInt => UInt,
        Basic::Long => Long,
        Basic::ULong => ULong,
        Basic::LongLong => LongLong,
        Basic::ULongLong => ULongLong,
        Basic::Int128 => Int128,
        Basic::UInt128 => UInt128,
    };
    TypeId::of_int(kind)
}
