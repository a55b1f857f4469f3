//! Expressions: names, literals, members, calls, casts, `sizeof` and gcc's special forms. Operators are in `operators`.

use super::convert::{bit_field, is_lvalue};
use super::layout::{full_align, standard_align};
use super::scope::Ident;
use super::{COMPOUND_LITERAL, CONST_COMPOUND_LITERAL, Node, Sema, expr};
use crate::ast::{self, Designator, Encoding, FloatSuffix, Symbol};
use crate::error::{Error, Result};
use crate::hir::visit::operands;
use crate::hir::{BinOp, Callee, Expr, ExprKind, Init, InitEntry, InitValue, LocalId, StrId, StringLiteral};
use crate::source::Pos;
use crate::types::{DataModel, FnType, IntKind, RecordId, Type, TypeId};

impl Sema<'_> {
    /// The value of an expression.
    pub(super) fn value(&mut self, e: &ast::Expr) -> Result<Expr> {
        let e = self.expr(e)?;
        self.rvalue(e)
    }

    /// An expression as it stands: an lvalue is not read yet, an array not decayed.
    pub(super) fn expr(&mut self, e: &ast::Expr) -> Result<Expr> {
        let pos = e.pos;
        match &e.kind {
            ast::ExprKind::Name(symbol) => self.name_expr(*symbol, pos),
            ast::ExprKind::Int { value, unsigned, longs, decimal } => {
                let ty = self.int_literal_type(*value, *unsigned, *longs, *decimal);
                Ok(self.int(ty, *value, pos))
            }
            ast::ExprKind::Float { value, suffix } => self.float_expr(value, *suffix, pos),
            ast::ExprKind::Char { value, encoding } => Ok(self.char_expr(*value, *encoding, pos)),
            ast::ExprKind::Str { units, encoding } => Ok(self.string_expr(units, *encoding, pos)),
            ast::ExprKind::Unary(op, operand) => self.unary(*op, operand, pos),
            ast::ExprKind::Binary(op, a, b) => self.binary(*op, a, b, pos),
            ast::ExprKind::Assign(op, target, value) => self.assign(*op, target, value, pos),
            ast::ExprKind::Conditional { cond, then, otherwise } => {
                self.conditional(cond, then.as_deref(), otherwise, pos)
            }
            ast::ExprKind::Comma(a, b) => self.comma(a, b, pos),
            ast::ExprKind::Index(a, b) => self.index_expr(a, b, pos),
            ast::ExprKind::Call { callee, args } => self.call(callee, args, pos),
            ast::ExprKind::Member(base, name) => {
                let base = self.expr(base)?;
                self.member(base, *name, pos)
            }
            ast::ExprKind::Arrow(base, name) => {
                let pointer = self.value(base)?;
                let base = self.deref(pointer, pos)?;
                self.member(base, *name, pos)
            }
            ast::ExprKind::Cast(ty, operand) => self.cast(ty, operand, pos),
            ast::ExprKind::CompoundLiteral(ty, init) => self.compound_literal(ty, init, pos),
            ast::ExprKind::SizeofExpr(operand) => self.sizeof_expr(operand, pos),
            ast::ExprKind::SizeofType(name) => {
                let before = self.pending_len();
                let ty = self.type_name_type(name)?;
                let size = self.size_of(ty, pos)?;
                Ok(self.after_pending(before, size))
            }
            ast::ExprKind::AlignofExpr(operand) => {
                let align = self.alignof_expr(operand)?;
                Ok(self.size_const(align, pos))
            }
            ast::ExprKind::AlignofType(name) => {
                let ty = self.unevaluated_type(name)?;
                let align = standard_align(&self.types, ty);
                Ok(self.size_const(align, pos))
            }
            ast::ExprKind::PreferredAlignofType(name) => {
                let ty = self.unevaluated_type(name)?;
                let align = full_align(&self.types, ty);
                Ok(self.size_const(align, pos))
            }
            ast::ExprKind::Generic { control, arms } => self.generic(control, arms, pos),
            ast::ExprKind::StmtExpr(block) => self.stmt_expr(block, pos),
            ast::ExprKind::LabelAddr(name) => {
                let label = self.label(*name, pos)?;
                let body = self.body(pos)?;
                let function = body.id;
                if !body.addressed.contains(&label) {
                    body.addressed.push(label);
                }
                Ok(expr(TypeId::VOID_PTR, pos, ExprKind::LabelAddress(function, label)))
            }
            ast::ExprKind::VaArg(list, ty) => {
                let list = self.expr(list)?;
                let ty = self.type_name_type(ty)?;
                let ty = self.types.value_type(ty);
                if !is_lvalue(&list) || !self.types.is_pointer(list.ty) {
                    return Err(Error::invalid(pos, "va_arg needs a variable of type va_list"));
                }
                Ok(expr(ty, pos, ExprKind::VaArg(Box::new(list))))
            }
            ast::ExprKind::Offsetof(ty, path) => self.offsetof(ty, path, pos),
            ast::ExprKind::TypesCompatible(a, b) => {
                let (a, b) = (self.type_name_type(a)?, self.type_name_type(b)?);
                let (a, b) = (self.types.unqualified(a), self.types.unqualified(b));
                let same = self.types.compatible(a, b, false);
                Ok(self.int(TypeId::INT, same.into(), pos))
            }
            ast::ExprKind::ChooseExpr(cond, a, b) => {
                let cond = self.value(cond)?;
                match self.const_bits(&cond) {
                    Some(0) => self.expr(b),
                    Some(_) => self.expr(a),
                    None => Err(Error::invalid(pos, "the condition of __builtin_choose_expr is not constant")),
                }
            }
            ast::ExprKind::ConvertVector(value, ty) => self.convert_each(value, ty, pos),
            ast::ExprKind::FuncName => self.own_name(pos),
            ast::ExprKind::Imaginary(number) => {
                let number = self.expr(&ast::Expr { pos, kind: (**number).clone() })?;
                Ok(self.imaginary(number))
            }
            ast::ExprKind::Unsupported(what) => Err(Error::unsupported(pos, *what)),
        }
    }

    // ---- names and literals ----

    fn name_expr(&mut self, symbol: Symbol, pos: Pos) -> Result<Expr> {
        match self.scopes.ident(symbol) {
            Some(Ident::Local(id)) => {
                let ty = self.local_type(id);
                Ok(expr(ty, pos, ExprKind::Local(id)))
            }
            Some(Ident::Global(id, ty)) => {
                self.refer(Node::Global(id));
                Ok(expr(ty, pos, ExprKind::Global(id)))
            }
            Some(Ident::Function(id, ty)) => {
                self.refer(Node::Function(id));
                Ok(expr(ty, pos, ExprKind::Function(id)))
            }
            Some(Ident::Enumerator(index)) => {
                let (ty, value) = self.enumerators[index as usize];
                Ok(self.int(ty, value, pos))
            }
            Some(Ident::Param(ty)) => Ok(expr(ty, pos, ExprKind::Local(LocalId(u32::MAX)))),
            Some(Ident::Poison(index)) => Err(Error::unsupported(pos, self.poisons[index as usize].clone())),
            Some(Ident::Typedef(_)) => Err(Error::invalid(pos, format!("`{}` is a type", self.name(symbol)))),
            None => match self.known_function(symbol, pos)? {
                Some((id, ty)) => {
                    self.refer(Node::Function(id));
                    Ok(expr(ty, pos, ExprKind::Function(id)))
                }
                None => Err(Error::invalid(pos, format!("`{}` is not declared", self.name(symbol)))),
            },
        }
    }

    pub(super) fn local_type(&self, id: LocalId) -> TypeId {
        self.body.as_ref().and_then(|b| b.locals.get(id.index())).map_or(TypeId::INT, |l| l.ty)
    }

    /// C11 6.4.4.1, and `__int128` for what fits nothing else.
    fn int_literal_type(&mut self, value: u128, unsigned: bool, longs: u8, decimal: bool) -> TypeId {
        use IntKind::*;
        if value <= i32::MAX as u128 && !unsigned && longs == 0 {
            return TypeId::INT;
        }
        let kinds: &[(u8, IntKind, IntKind)] = &[(0, Int, UInt), (1, Long, ULong), (2, LongLong, ULongLong)];
        for &(_, signed, other) in kinds.iter().filter(|(needed, ..)| *needed >= longs) {
            let bits = self.types.int_bytes(signed) * 8;
            if !unsigned && value < 1 << (bits - 1) {
                return TypeId::of_int(signed);
            }
            if (unsigned || !decimal) && value < 1 << bits {
                return TypeId::of_int(other);
            }
        }
        match self.types.model {
            DataModel::Ilp32 => TypeId::ULONG_LONG,
            DataModel::Lp64 if unsigned => TypeId::of_int(UInt128),
            DataModel::Lp64 => TypeId::of_int(Int128),
        }
    }

    fn float_expr(&mut self, value: &ast::FloatLiteral, suffix: FloatSuffix, pos: Pos) -> Result<Expr> {
        let ty = match suffix {
            FloatSuffix::None => TypeId::DOUBLE,
            FloatSuffix::F => TypeId::FLOAT,
            FloatSuffix::L => TypeId::LONG_DOUBLE,
            FloatSuffix::Q => TypeId::FLOAT128,
        };
        match self.float_literal(value, ty) {
            Some(bits) => Ok(expr(ty, pos, ExprKind::Float(bits))),
            None => Err(Error::invalid(pos, format!("`{}` is no floating constant", value.0))),
        }
    }

    fn char_expr(&mut self, value: u32, encoding: Encoding, pos: Pos) -> Expr {
        let ty = match encoding {
            Encoding::Plain => TypeId::INT,
            _ => self.unit_type(encoding),
        };
        self.int(ty, value.into(), pos)
    }

    /// The type of a string literal's elements.
    pub(super) fn unit_type(&self, encoding: Encoding) -> TypeId {
        match encoding {
            Encoding::Plain | Encoding::Utf8 => TypeId::CHAR,
            // `wchar_t`
            Encoding::Wide if self.types.model == DataModel::Ilp32 => TypeId::LONG,
            Encoding::Wide => TypeId::INT,
            Encoding::Char16 => TypeId::of_int(IntKind::UShort),
            Encoding::Char32 => TypeId::UINT,
        }
    }

    /// The bytes of a string literal with its terminating zero.
    pub(super) fn string_bytes(&self, units: &[u32], encoding: Encoding) -> Vec<u8> {
        let size = self.types.size(self.unit_type(encoding)).unwrap_or(1) as usize;
        let mut bytes = Vec::with_capacity((units.len() + 1) * size);
        for unit in units.iter().chain(std::iter::once(&0)) {
            bytes.extend_from_slice(&unit.to_le_bytes()[..size]);
        }
        bytes
    }

    fn string_expr(&mut self, units: &[u32], encoding: Encoding, pos: Pos) -> Expr {
        let bytes = self.string_bytes(units, encoding);
        let element = self.unit_type(encoding);
        let ty = self.types.intern(Type::Array(element, Some(units.len() as u64 + 1)));
        let id = self.string(bytes, pos);
        expr(ty, pos, ExprKind::Str(id))
    }

    fn string(&mut self, bytes: Vec<u8>, pos: Pos) -> StrId {
        self.strings.push(StringLiteral { bytes, pos });
        StrId(self.strings.len() as u32 - 1)
    }

    fn own_name(&mut self, pos: Pos) -> Result<Expr> {
        let name = self.body.as_ref().map_or(String::new(), |b| b.name.clone());
        let len = name.len() as u64 + 1;
        let id = match self.body.as_ref().and_then(|b| b.own_name) {
            Some(id) => id,
            None => {
                let mut bytes = name.into_bytes();
                bytes.push(0);
                let id = self.string(bytes, pos);
                if let Some(body) = &mut self.body {
                    body.own_name = Some(id);
                }
                id
            }
        };
        let element = self.types.qualified(TypeId::CHAR, crate::types::QualSet::CONST);
        let ty = self.types.intern(Type::Array(element, Some(len)));
        Ok(expr(ty, pos, ExprKind::Str(id)))
    }

    // ---- members and elements ----

    fn index_expr(&mut self, a: &ast::Expr, b: &ast::Expr, pos: Pos) -> Result<Expr> {
        let a = self.expr(a)?;
        if let Type::Vector(..) = self.types.get(a.ty) {
            let index = self.value(b)?;
            return self.vector_element(a, index, pos);
        }
        let (a, b) = (self.rvalue(a)?, self.value(b)?);
        let (pointer, index) = if self.types.is_pointer(a.ty) { (a, b) } else { (b, a) };
        match self.types.pointee(pointer.ty) {
            Some(to) if self.types.is_integer(index.ty) => {
                let address = self.pointer_add(pointer, index, to, false, pos)?;
                self.deref(address, pos)
            }
            _ => Err(Error::invalid(pos, "`[]` needs an array or pointer and an integer")),
        }
    }

    pub(super) fn member(&mut self, base: Expr, name: Symbol, pos: Pos) -> Result<Expr> {
        let Type::Record(record) = *self.types.get(self.types.strip_atomic(base.ty)) else {
            let (name, ty) = (self.name(name), self.type_name(base.ty));
            return Err(Error::invalid(pos, format!("`{name}` is asked of `{ty}`, which is no struct or union")));
        };
        let Some((offset, ty, bits)) = self.field(record, name) else {
            let ty = self.type_name(base.ty);
            let complete = self.types.is_complete(base.ty);
            let why = if complete { "has no member" } else { "is incomplete; it has no member" };
            return Err(Error::invalid(pos, format!("`{ty}` {why} `{}`", self.name(name))));
        };
        let quals = self.types.variant_of(base.ty).quals;
        let ty = self.types.qualified(ty, quals);
        // One step for `a.b.c`, as far as the objects are the same.
        Ok(match base.kind {
            ExprKind::Member { base: inner, offset: outer, bits: None } => {
                expr(ty, pos, ExprKind::Member { base: inner, offset: outer + offset, bits })
            }
            _ => expr(ty, pos, ExprKind::Member { base: Box::new(base), offset, bits }),
        })
    }

    /// Finds a member, also in anonymous members: its offset, type and bits.
    pub(super) fn field(
        &self,
        record: RecordId,
        name: Symbol,
    ) -> Option<(u64, TypeId, Option<crate::types::BitField>)> {
        let layout = self.types.records[record.0 as usize].layout.as_ref()?;
        if let Some(field) = layout.fields.iter().find(|f| f.name == Some(name)) {
            return Some((field.offset, field.ty, field.bits));
        }
        for field in layout.fields.iter().filter(|f| f.name.is_none()) {
            if let Type::Record(inner) = *self.types.get(field.ty)
                && let Some((offset, ty, bits)) = self.field(inner, name)
            {
                return Some((field.offset + offset, ty, bits));
            }
        }
        None
    }

    fn offsetof(&mut self, ty: &ast::TypeName, path: &[Designator], pos: Pos) -> Result<Expr> {
        let mut ty = self.type_name_type(ty)?;
        let mut constant = 0u64;
        let mut computed: Option<Expr> = None;
        let size_t = self.types.size_t();
        for designator in path {
            match (designator, self.types.get(self.types.strip_atomic(ty)).clone()) {
                (Designator::Field(name, at), Type::Record(record)) => {
                    let Some((offset, field, bits)) = self.field(record, *name) else {
                        let (ty, name) = (self.type_name(ty), self.name(*name));
                        return Err(Error::invalid(*at, format!("`{ty}` has no member `{name}`")));
                    };
                    if bits.is_some() {
                        return Err(Error::invalid(*at, "a bit-field has no offset"));
                    }
                    constant = constant.wrapping_add(offset);
                    ty = field;
                }
                (Designator::Index(index), Type::Array(element, _)) => {
                    let index = self.value(index)?;
                    let size = self.types.size(element).unwrap_or(0);
                    match self.const_bits(&index) {
                        Some(index) => constant = constant.wrapping_add(size.wrapping_mul(index as u64)),
                        None => {
                            let index = self.convert(index, size_t);
                            let size = self.size_const(size, pos);
                            let term = self.plain_binary(BinOp::Mul, index, size, size_t);
                            computed = Some(match computed {
                                Some(sum) => self.plain_binary(BinOp::Add, sum, term, size_t),
                                None => term,
                            });
                        }
                    }
                    ty = element;
                }
                _ => return Err(Error::invalid(pos, "offsetof names no member")),
            }
        }
        let constant = self.size_const(constant, pos);
        Ok(match computed {
            Some(sum) => self.plain_binary(BinOp::Add, sum, constant, size_t),
            None => constant,
        })
    }

    // ---- types in expressions ----

    /// A type whose lengths nobody computes.
    fn unevaluated_type(&mut self, name: &ast::TypeName) -> Result<TypeId> {
        let before = self.pending_len();
        let ty = self.type_name_type(name);
        if let Some(body) = &mut self.body {
            body.pending.truncate(before);
        }
        ty
    }

    /// An expression of which only the type is wanted. It is evaluated all the same if its type has variable lengths (C11 6.5.3.4); that is a gap where it makes a difference.
    fn unevaluated(&mut self, e: &ast::Expr) -> Result<Expr> {
        self.unevaluated += 1;
        let checked = self.expr(e);
        self.unevaluated -= 1;
        let checked = checked?;
        if self.types.is_variably_modified(checked.ty) && has_effects(&checked) {
            return Err(Error::unsupported(e.pos, "side effects in an operand whose type has a variable length"));
        }
        Ok(checked)
    }

    /// The type of an expression that is not evaluated.
    pub(super) fn type_of(&mut self, e: &ast::Expr) -> Result<TypeId> {
        Ok(self.unevaluated(e)?.ty)
    }

    /// GNU C: a variable is aligned as its declaration asks, a member as its type needs, anything else as variables of its type.
    fn alignof_expr(&mut self, operand: &ast::Expr) -> Result<u64> {
        self.unevaluated += 1;
        let checked = self.expr(operand);
        self.unevaluated -= 1;
        let checked = checked?;
        let asked = match checked.kind {
            ExprKind::Member { .. } => return Ok(self.types.align(checked.ty)),
            ExprKind::Global(id) => self.globals[id.index()].align,
            ExprKind::Local(id) => self.body(checked.pos)?.locals[id.index()].align,
            _ => None,
        };
        Ok(full_align(&self.types, checked.ty).max(asked.unwrap_or(1)))
    }

    fn sizeof_expr(&mut self, operand: &ast::Expr, pos: Pos) -> Result<Expr> {
        let checked = self.unevaluated(operand)?;
        if let ExprKind::Member { bits: Some(_), .. } = checked.kind {
            return Err(Error::invalid(pos, "a bit-field has no size"));
        }
        // gcc takes what a bit-field was changed to in the smallest type that holds its bits.
        if let ExprKind::Assign(target, _) | ExprKind::AssignOp { target, .. } | ExprKind::IncDec { target, .. } =
            &checked.kind
            && let ExprKind::Member { bits: Some(bits), .. } = target.kind
        {
            let bytes = u64::from(bits.width).div_ceil(8).next_power_of_two();
            return Ok(self.size_const(bytes, pos));
        }
        self.size_of(checked.ty, pos)
    }

    pub(super) fn pending_len(&self) -> usize {
        self.body.as_ref().map_or(0, |b| b.pending.len())
    }

    /// Puts the length computations of types that were met since then before a value.
    pub(super) fn after_pending(&mut self, since: usize, value: Expr) -> Expr {
        let Some(body) = &mut self.body else { return value };
        let since = since.min(body.pending.len());
        body.pending
            .split_off(since)
            .into_iter()
            .rev()
            .fold(value, |value, before| expr(value.ty, value.pos, ExprKind::Comma(Box::new(before), Box::new(value))))
    }

    fn cast(&mut self, name: &ast::TypeName, operand: &ast::Expr, pos: Pos) -> Result<Expr> {
        let before = self.pending_len();
        let to = self.type_name_type(name)?;
        let mut value = self.value(operand)?;
        let to = self.types.value_type(to);
        if bit_field(&value).is_some() {
            value = self.promote(value);
        }
        let cast = match (self.types.get(to), self.types.get(value.ty)) {
            (Type::Void, _) => Expr { pos, ..self.convert(value, to) },
            (Type::Record(r), _) if self.types.records[r.0 as usize].is_union && value.ty != to => {
                let record = *r;
                self.cast_to_union(value, to, record)?
            }
            (Type::Record(_), Type::Record(_)) if self.types.compatible(to, value.ty, false) => value,
            (Type::Pointer(_), Type::Float(_)) | (Type::Float(_), Type::Pointer(_)) => {
                return Err(Error::invalid(pos, "a pointer and a floating type cannot be converted to each other"));
            }
            _ if self.types.is_scalar(to) && self.types.is_scalar(value.ty) => Expr { pos, ..self.convert(value, to) },
            _ if self.elements_convert(value.ty, to, true) => self.convert_elements(value, to)?,
            _ => {
                let (from, to) = (self.type_name(value.ty), self.type_name(to));
                return Err(Error::invalid(pos, format!("`{from}` cannot be converted to `{to}`")));
            }
        };
        Ok(self.after_pending(before, cast))
    }

    fn generic(&mut self, control: &ast::Expr, arms: &[(Option<ast::TypeName>, ast::Expr)], pos: Pos) -> Result<Expr> {
        self.unevaluated += 1;
        let control = self.value(control);
        self.unevaluated -= 1;
        let control = control?;
        let ty = match bit_field(&control) {
            Some(bits) if bits.width >= 32 => self.promoted(control.ty, Some(bits)),
            _ => control.ty,
        };
        let mut chosen = None;
        for (name, arm) in arms {
            match name {
                Some(name) => {
                    let arm_ty = match self.type_name_type(name) {
                        // A type that nothing here can have.
                        Err(error) if error.kind == crate::error::ErrorKind::Unsupported => continue,
                        ty => ty?,
                    };
                    if self.types.compatible(arm_ty, ty, true) {
                        chosen = Some(arm);
                        break;
                    }
                }
                None => chosen = chosen.or(Some(arm)),
            }
        }
        match chosen {
            Some(arm) => self.expr(arm),
            None => {
                let name = self.type_name(ty);
                Err(Error::invalid(pos, format!("_Generic has no association for `{name}`")))
            }
        }
    }

    fn compound_literal(&mut self, name: &ast::TypeName, init: &ast::Initializer, pos: Pos) -> Result<Expr> {
        let before = self.pending_len();
        let ty = self.type_name_type(name)?;
        if self.static_init || self.body.is_none() {
            let id = self.global(COMPOUND_LITERAL.into(), ty, pos);
            self.globals[id.index()].defined = true;
            let (init, ty) = self.initializer(ty, init, true)?;
            let global = &mut self.globals[id.index()];
            global.init = Some(init);
            global.ty = ty;
            self.refer(Node::Global(id));
            return Ok(expr(ty, pos, ExprKind::Global(id)));
        }
        let (init, ty) = self.initializer(ty, init, false)?;
        let name = if self.types.quals(ty).is_const() { CONST_COMPOUND_LITERAL } else { COMPOUND_LITERAL };
        let id = self.local(name, ty, pos)?;
        let literal = expr(ty, pos, ExprKind::CompoundLiteral(id, init));
        Ok(self.after_pending(before, literal))
    }

    fn stmt_expr(&mut self, block: &ast::Block, pos: Pos) -> Result<Expr> {
        if self.body.is_none() {
            return Err(Error::invalid(pos, "a statement expression is only allowed inside a function"));
        }
        self.scopes.push();
        let checked = self.stmt_expr_body(block);
        self.scopes.pop();
        let (stmts, value) = checked?;
        let ty = value.as_ref().map_or(TypeId::VOID, |v| v.ty);
        Ok(expr(ty, pos, ExprKind::StmtExpr(stmts, value.map(Box::new))))
    }

    // ---- calls ----

    fn call(&mut self, callee: &ast::Expr, args: &[ast::Expr], pos: Pos) -> Result<Expr> {
        if let ast::ExprKind::Name(symbol) = callee.kind
            && self.scopes.ident(symbol).is_none()
        {
            if let Some(result) = self.builtin_call(symbol, args, pos)? {
                return Ok(result);
            }
            if self.known_function(symbol, pos)?.is_none() {
                self.implicit_function(symbol, callee.pos);
            }
        }
        let callee = self.expr(callee)?;
        if let ExprKind::Function(id) = callee.kind {
            let Type::Function(f) = self.types.get(callee.ty).clone() else {
                return Err(Error::invalid(pos, "this is no function"));
            };
            // A call with another number of arguments is no call through any of its types.
            let ty = if f.unprototyped && f.params.len() != args.len() { TypeId::VOID } else { callee.ty };
            let called_as = &mut self.fn_info[id.index()].called_as;
            if !called_as.contains(&ty) {
                called_as.push(ty);
            }
            let args = self.arguments(&f, args, pos)?;
            let result = self.types.value_type(f.result);
            return Ok(expr(result, pos, ExprKind::Call { callee: Callee::Direct(id), args }));
        }
        let pointer = self.rvalue(callee)?;
        let function = self.types.pointee(pointer.ty).map(|to| self.types.get(to).clone());
        let Some(Type::Function(f)) = function else {
            let name = self.type_name(pointer.ty);
            return Err(Error::invalid(pos, format!("the called object is of type `{name}`, not a function")));
        };
        let args = self.arguments(&f, args, pos)?;
        let result = self.types.value_type(f.result);
        Ok(expr(result, pos, ExprKind::Call { callee: Callee::Pointer(Box::new(pointer)), args }))
    }

    fn arguments(&mut self, f: &FnType, args: &[ast::Expr], pos: Pos) -> Result<Vec<Expr>> {
        let mut values = Vec::with_capacity(args.len());
        for (index, arg) in args.iter().enumerate() {
            let value = self.value(arg)?;
            let param = f.params.get(index).copied().filter(|_| !f.unprototyped || self.can_pass(&value, f, index));
            values.push(match param {
                Some(param) => self.pass(value, param)?,
                None if self.types.is_void(value.ty) => {
                    return Err(Error::invalid(value.pos, "a void value is used as an argument"));
                }
                None => self.default_promote(value),
            });
        }
        if !f.unprototyped && (args.len() < f.params.len() || args.len() > f.params.len() && !f.variadic) {
            let few = if args.len() < f.params.len() { "too few" } else { "too many" };
            return Err(Error::invalid(pos, format!("{few} arguments: {} for {}", args.len(), f.params.len())));
        }
        Ok(values)
    }

    /// Without a prototype, an argument that does not fit its parameter is passed as it is.
    fn can_pass(&self, value: &Expr, f: &FnType, index: usize) -> bool {
        f.params.get(index).is_some_and(|p| self.types.is_scalar(*p) && self.types.is_scalar(value.ty))
    }

    /// Converts an argument to its parameter's type.
    fn pass(&mut self, value: Expr, param: TypeId) -> Result<Expr> {
        if let Type::Record(record) = *self.types.get(param)
            && self.types.records[record.0 as usize].transparent
            && value.ty != self.types.plain(param)
        {
            return self.pass_transparent(value, param, record);
        }
        self.assign_convert(value, param, "an argument")
    }

    /// An argument for a transparent union becomes its first member that it fits.
    fn pass_transparent(&mut self, value: Expr, param: TypeId, record: RecordId) -> Result<Expr> {
        let pos = value.pos;
        let fields = self.types.records[record.0 as usize].layout.as_ref().map_or(Vec::new(), |l| l.fields.clone());
        let fits = fields.iter().find(|f| {
            self.types.compatible(f.ty, value.ty, false)
                || self.types.is_pointer(f.ty) && (self.is_null_constant(&value) || self.types.is_pointer(value.ty))
        });
        let Some(field) = fits else {
            let name = self.type_name(value.ty);
            return Err(Error::invalid(pos, format!("`{name}` fits no member of the transparent union")));
        };
        let ty = self.types.value_type(field.ty);
        let value = self.assign_convert(value, ty, "an argument")?;
        self.union_of(value, param)
    }

    /// GNU C: a cast to a union is a union whose member of the same type has the value.
    fn cast_to_union(&mut self, value: Expr, to: TypeId, record: RecordId) -> Result<Expr> {
        let pos = value.pos;
        let layout = self.types.records[record.0 as usize].layout.as_ref();
        let fits = layout.is_some_and(|layout| {
            layout
                .fields
                .iter()
                .any(|f| f.bits.is_none() && self.types.compatible(self.types.plain(f.ty), value.ty, false))
        });
        if !fits {
            let (from, to) = (self.type_name(value.ty), self.type_name(to));
            return Err(Error::invalid(pos, format!("`{from}` is the type of no member of `{to}`")));
        }
        if self.static_init || self.body.is_none() {
            return Err(Error::unsupported(pos, "cast to a union in a constant"));
        }
        self.union_of(value, to)
    }

    /// A union with a value at its beginning.
    fn union_of(&mut self, value: Expr, union: TypeId) -> Result<Expr> {
        let (ty, pos) = (value.ty, value.pos);
        let local = self.local("", union, pos)?;
        let entry = InitEntry { offset: 0, bits: None, ty, value: InitValue::Expr(value) };
        let zero_rest = self.types.size(ty) != self.types.size(union);
        let init = Init { entries: vec![entry], zero_rest };
        let literal = expr(union, pos, ExprKind::CompoundLiteral(local, init));
        self.rvalue(literal)
    }
}

/// Does evaluating an expression do more than to compute a value?
fn has_effects(expr: &Expr) -> bool {
    let is_effect = matches!(
        expr.kind,
        ExprKind::Call { .. }
            | ExprKind::VaArg(_)
            | ExprKind::StmtExpr(..)
            | ExprKind::Assign(..)
            | ExprKind::AssignOp { .. }
            | ExprKind::AssignPtrAdd { .. }
            | ExprKind::IncDec { .. }
    );
    is_effect || operands(expr).into_iter().any(has_effects)
}
