//! Verification from a function other than `main` (`--function`): a function in the place of `main` that calls it with any arguments.
//!
//! Numbers are any value. A pointer leads to a fresh object of its type on the heap: valid, not null, aliased by nothing; so do the pointers in that
//! object, to a stated depth, beyond which they are null. A parameter that is written as an array has so many elements at least. A `char *` is a string. A function
//! pointer is any value but null: a call through it is a gap. Mutexes and their like are as if statically initialised. A `void *` that the function only converts to
//! one type is a pointer to that type; otherwise parameters that point to what has no known type are refused, unless nobody looks at them, and so are other arguments that
//! nobody can make. Such pointers inside records are null or lead anywhere but to these objects: what is behind them may be anything, and no proof rests on it.

use super::{Definition, FnInfo, Node, Sema, expr};
use crate::driver::LIBRARY;
use crate::error::{Error, ErrorKind, Result};
use crate::hir::visit::each_expr;
use crate::hir::{Callee, Expr, ExprKind, FnId, Function, Local, LocalId, Stmt, StmtKind};
use crate::source::Pos;
use crate::types::{Field, FnType, IntKind, RecordId, Type, TypeId};

/// Where a program begins, if not with `main`.
#[derive(Clone, Debug)]
pub struct Entry {
    pub function: String,
    /// How many pointers in a row lead to an object.
    pub pointer_depth: u32,
    /// How many elements a pointer leads to.
    pub array_length: u64,
}

/// A string has so many characters at most.
const CHARACTERS: u64 = 8;
/// Longer arrays of numbers get their values without a step for each.
const LONG_ARRAY: u64 = 16;
/// Arguments of more parts are refused.
const MOST_PARTS: usize = 2000;
/// So many functions are named where there is none of a name.
const MOST_NAMES: usize = 12;

/// What means "free" or "not used yet" when its bytes are zeros.
const SYNCHRONISATION: [&str; 9] = [
    "pthread_mutex_t",
    "pthread_cond_t",
    "pthread_rwlock_t",
    "pthread_barrier_t",
    "sem_t",
    "mtx_t",
    "cnd_t",
    "once_flag",
    "pthread_once_t",
];

impl Sema<'_> {
    /// The function that calls the entry with any arguments.
    pub(super) fn with_arguments(&mut self, entry: &Entry) -> Result<FnId> {
        let target = self.function_by_name(&entry.function)?;
        let function = &self.functions[target.index()];
        let (name, pos, end, ty) = (function.name.clone(), function.pos, function.end, function.ty);
        let result = match self.types.get(ty) {
            Type::Function(f) if f.variadic => return Err(Error::unsupported(pos, VARIADIC)),
            Type::Function(f) => f.result,
            _ => TypeId::VOID,
        };
        let mut making = Making { sema: self, entry, pos, length: None, locals: Vec::new(), body: Vec::new() };
        let args = making.arguments(target)?;
        let Making { locals, mut body, .. } = making;
        let call = ExprKind::Call { callee: Callee::Direct(target), args };
        body.push(Stmt { pos, kind: StmtKind::Expr(expr(self.types.value_type(result), pos, call)) });
        let ty = FnType { result: TypeId::VOID, params: vec![], variadic: false, unprototyped: false };
        let ty = self.types.intern(Type::Function(ty));
        self.functions.push(Function {
            name: format!("{name} with arguments"),
            pos,
            ty,
            params: vec![],
            locals,
            body: Some(body),
            end,
            labels: vec![],
            addressed_labels: vec![],
            noreturn: false,
            weak: false,
            in_assembly: false,
        });
        let refs = vec![Node::Function(target)];
        let (definition, is_weak, called_as) = (Definition::Full, false, vec![]);
        self.fn_info.push(FnInfo { definition, is_weak, refs, error: None, called_as });
        Ok(FnId(self.functions.len() as u32 - 1))
    }

    fn function_by_name(&self, name: &str) -> Result<FnId> {
        let is_of_user = |function: &Function| {
            let file = self.sources.span(function.pos).file;
            let file = self.sources.files.get(file.0 as usize).map_or("", String::as_str);
            function.body.is_some() && file != LIBRARY && !file.starts_with("/usr/")
        };
        let defined = || self.functions.iter().enumerate().filter(|(_, function)| is_of_user(function));
        let found: Vec<usize> = defined().filter(|(_, f)| f.name == name).map(|(index, _)| index).collect();
        match found[..] {
            [one] => Ok(FnId(one as u32)),
            [_, second, ..] => {
                let message = format!("there are several functions `{name}`: give only the files that are meant");
                Err(Error::invalid(self.functions[second].pos, message))
            }
            [] => {
                let mut names: Vec<&str> = defined().map(|(_, function)| function.name.as_str()).collect();
                let alike = |other: &str| name.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
                names.sort_by_key(|other| (std::cmp::Reverse(alike(other)), *other));
                let others = names.len().saturating_sub(MOST_NAMES);
                names.truncate(MOST_NAMES);
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                let others = if others > 0 { format!(" and {others} others") } else { String::new() };
                let message = format!("no function `{name}` is defined; there are {}{others}", names.join(", "));
                Err(Error { kind: ErrorKind::Invalid, pos: None, message })
            }
        }
    }

    fn record_is(&self, id: RecordId, names: &[&str]) -> bool {
        let record = &self.types.records[id.0 as usize];
        record.typedef.or(record.tag).is_some_and(|name| names.contains(&self.name(name)))
    }

    /// Does a pointer to it say nothing about what it leads to?
    fn is_opaque(&self, ty: TypeId) -> bool {
        match *self.types.get(self.types.strip_atomic(ty)) {
            Type::Void | Type::Vla(..) => true,
            Type::Function(_) => false,
            Type::Array(element, None) => self.is_opaque(element),
            // Streams are the library's.
            Type::Record(id) => !self.types.is_complete(ty) || self.record_is(id, &["_IO_FILE"]),
            _ => !self.types.is_complete(ty),
        }
    }

    /// Are not all bytes of it values?
    fn has_pointer_or_bool(&self, ty: TypeId) -> bool {
        match *self.types.get(ty) {
            Type::Pointer(_) | Type::Bool => true,
            Type::Array(inner, _) | Type::Atomic(inner) => self.has_pointer_or_bool(inner),
            Type::Record(id) => {
                let layout = self.types.records[id.0 as usize].layout.as_ref();
                layout.is_some_and(|layout| layout.fields.iter().any(|field| self.has_pointer_or_bool(field.ty)))
            }
            _ => false,
        }
    }
}

const VARIADIC: &str = "a function with variable arguments as the entry";

/// What a function does with a parameter that points to what has no type.
enum Uses {
    None,
    /// It is only ever converted to a pointer to this type.
    As(TypeId),
    Otherwise,
}

impl Uses {
    fn of(function: &Function, param: LocalId, sema: &Sema) -> Uses {
        let is_param = |expr: &Expr| matches!(expr.kind, ExprKind::Local(local) if local == param);
        let (mut mentions, mut conversions, mut types) = (0, 0, Vec::new());
        each_expr(function.body.as_deref().unwrap_or_default(), &mut |expr| {
            mentions += usize::from(is_param(expr));
            if let ExprKind::Convert(from) = &expr.kind
                && let ExprKind::Load(from) = &from.kind
                && let Type::Pointer(to) = *sema.types.get(expr.ty)
                && is_param(from)
            {
                conversions += 1;
                types.push(sema.types.plain(to));
            }
        });
        types.dedup();
        match types[..] {
            _ if mentions == 0 => Uses::None,
            [to] if conversions == mentions && !sema.is_opaque(to) => Uses::As(to),
            _ => Uses::Otherwise,
        }
    }
}

/// The caller in the making.
struct Making<'s, 'a> {
    sema: &'s mut Sema<'a>,
    entry: &'s Entry,
    /// Of the parameter at hand.
    pos: Pos,
    /// The length that it is written with.
    length: Option<u64>,
    locals: Vec<Local>,
    body: Vec<Stmt>,
}

impl Making<'_, '_> {
    fn arguments(&mut self, target: FnId) -> Result<Vec<Expr>> {
        let function = &self.sema.functions[target.index()];
        let params: Vec<LocalId> = function.params.clone();
        let mut args = Vec::new();
        for param in params {
            let function = &self.sema.functions[target.index()];
            let Local { name, pos, ty, .. } = &function.locals[param.index()];
            let (name, pos, ty) = (name.clone(), *pos, self.sema.types.value_type(*ty));
            let uses = Uses::of(function, param, self.sema);
            self.pos = pos;
            self.length = self.sema.array_params.get(&pos).copied();
            let place = self.local(&name, ty);
            let depth = self.entry.pointer_depth;
            match *self.sema.types.get(ty) {
                Type::Pointer(to) if self.sema.is_opaque(to) => match uses {
                    Uses::None => self.assign(place.clone(), self.null(ty))?,
                    Uses::As(to) => self.fill_pointer(place.clone(), ty, to, &name, depth)?,
                    Uses::Otherwise => return Err(self.opaque(&name, ty)),
                },
                _ => self.fill(place.clone(), &name, depth)?,
            }
            args.push(self.load(place));
        }
        Ok(args)
    }

    fn opaque(&self, name: &str, ty: TypeId) -> Error {
        let what = format!(
            "an argument for `{name}`, of type `{}`: what it points to has no known type (write a function that makes one and calls this one)",
            self.sema.type_name(ty)
        );
        Error::unsupported(self.pos, what)
    }

    fn expr(&self, ty: TypeId, kind: ExprKind) -> Expr {
        expr(ty, self.pos, kind)
    }

    fn load(&self, place: Expr) -> Expr {
        let ty = self.sema.types.value_type(place.ty);
        self.expr(ty, ExprKind::Load(Box::new(place)))
    }

    /// A local. Numbers need no name: that of the parameter is enough.
    fn local(&mut self, name: &str, ty: TypeId) -> Expr {
        let id = LocalId(self.locals.len() as u32);
        let address_taken = self.sema.lives_in_memory(ty);
        let name = if self.sema.types.is_arithmetic(ty) { String::new() } else { name.into() };
        self.locals.push(Local { name, pos: self.pos, ty, address_taken, align: None });
        if address_taken {
            self.body.push(Stmt { pos: self.pos, kind: StmtKind::Local(id, None) });
        }
        self.expr(ty, ExprKind::Local(id))
    }

    fn assign(&mut self, place: Expr, value: Expr) -> Result<()> {
        if self.body.len() >= MOST_PARTS {
            let what = format!("arguments of more than {MOST_PARTS} parts (a smaller --pointer-depth makes fewer)");
            return Err(Error::unsupported(self.pos, what));
        }
        let assign = self.expr(value.ty, ExprKind::Assign(Box::new(place), Box::new(value)));
        self.body.push(Stmt { pos: self.pos, kind: StmtKind::Expr(assign) });
        Ok(())
    }

    fn null(&self, ty: TypeId) -> Expr {
        self.expr(ty, ExprKind::Int(0))
    }

    fn builtin(&self, ty: TypeId, name: String, args: Vec<Expr>) -> Expr {
        self.expr(ty, ExprKind::Call { callee: Callee::Builtin(name), args })
    }

    /// A part of an object that begins at this place.
    fn part(&self, of: &Expr, offset: u64, ty: TypeId) -> Expr {
        self.expr(ty, ExprKind::Member { base: Box::new(of.clone()), offset, bits: None })
    }

    /// Any value of the type of a place; what is left alone has any value already.
    fn fill(&mut self, place: Expr, name: &str, depth: u32) -> Result<()> {
        let ty = self.sema.types.value_type(place.ty);
        match *self.sema.types.get(ty) {
            Type::Bool | Type::Int(_) | Type::Float(_) => {
                let value = self.builtin(ty, format!("__raddle_argument {name}"), vec![]);
                self.assign(place, value)
            }
            Type::Pointer(to) => self.fill_pointer(place, ty, to, name, depth),
            Type::Array(element, Some(length)) => {
                if length > LONG_ARRAY && !self.sema.has_pointer_or_bool(element) {
                    return Ok(());
                }
                self.fill_elements(&place, element, length, name, depth)
            }
            Type::Record(id) => self.fill_record(&place, id, name, depth),
            _ => Ok(()),
        }
    }

    fn fill_elements(&mut self, first: &Expr, element: TypeId, length: u64, name: &str, depth: u32) -> Result<()> {
        let size = self.sema.types.size(element).unwrap_or(0);
        (0..length).try_for_each(|index| {
            let part = self.part(first, index * size, element);
            self.fill(part, &format!("{name}[{index}]"), depth)
        })
    }

    fn fill_pointer(&mut self, place: Expr, ty: TypeId, to: TypeId, name: &str, depth: u32) -> Result<()> {
        if let Type::Function(_) = self.sema.types.get(to) {
            let value = self.builtin(ty, format!("__raddle_argument {name}"), vec![]);
            return self.assign(place, value);
        }
        if self.sema.is_opaque(to) {
            let value = self.builtin(ty, format!("__raddle_opaque {name}"), vec![]);
            return self.assign(place, value);
        }
        if depth == 0 {
            return self.assign(place, self.null(ty));
        }
        let written = self.length.take();
        let size = self.sema.types.size(to).unwrap_or(0);
        let is_text = matches!(self.sema.types.get(to), Type::Int(IntKind::Char)) && written.is_none();
        let length = if is_text { self.entry.array_length.max(CHARACTERS + 1) } else { self.entry.array_length };
        let length = length.max(written.unwrap_or(0));
        let size_type = self.sema.types.size_t();
        let bytes = self.expr(size_type, ExprKind::Int(u128::from(size) * u128::from(length)));
        let object = self.builtin(ty, "__raddle_object".into(), vec![bytes]);
        let pointer = self.local(name, ty);
        self.assign(pointer.clone(), object)?;
        let first = self.load(pointer);
        self.assign(place, first.clone())?;
        let first = self.expr(to, ExprKind::Deref(Box::new(first)));
        if is_text {
            self.fill_elements(&first, to, length - 1, name, 0)?;
            let end = self.part(&first, length - 1, to);
            let zero = self.null(self.sema.types.value_type(to));
            return self.assign(end, zero);
        }
        if length > LONG_ARRAY && !self.sema.has_pointer_or_bool(to) {
            return Ok(());
        }
        match (length, self.sema.types.get(to)) {
            (1, Type::Record(_)) => self.fill(first, &format!("{name}->"), depth - 1),
            (1, _) if self.sema.types.is_arithmetic(to) => self.fill(first, &format!("*{name}"), depth - 1),
            _ => self.fill_elements(&first, to, length, name, depth - 1),
        }
    }

    fn fill_record(&mut self, place: &Expr, id: RecordId, name: &str, depth: u32) -> Result<()> {
        let record = &self.sema.types.records[id.0 as usize];
        let Some(layout) = record.layout.clone() else { return Ok(()) };
        if self.sema.record_is(id, &SYNCHRONISATION) {
            return self.zero(place, layout.size);
        }
        if record.is_union {
            if layout.fields.iter().any(|field| self.sema.has_pointer_or_bool(field.ty)) {
                let what = format!("an argument with a pointer or `_Bool` inside a union (`{name}`)");
                return Err(Error::unsupported(self.pos, what));
            }
            return Ok(());
        }
        layout.fields.iter().try_for_each(|field| self.fill_member(place, field, name, depth))
    }

    fn fill_member(&mut self, of: &Expr, field: &Field, name: &str, depth: u32) -> Result<()> {
        let Field { name: symbol, ty, offset, bits } = *field;
        if symbol.is_none() && bits.is_some() {
            return Ok(());
        }
        let member = symbol.map_or("", |symbol| self.sema.name(symbol));
        let dot = if name.ends_with("->") || member.is_empty() { "" } else { "." };
        let name = format!("{name}{dot}{member}");
        let place = self.expr(ty, ExprKind::Member { base: Box::new(of.clone()), offset, bits });
        self.fill(place, &name, depth)
    }

    fn zero(&mut self, place: &Expr, size: u64) -> Result<()> {
        let words = (0..size / 8).map(|word| (word * 8, TypeId::ULONG_LONG));
        let bytes = (size / 8 * 8..size).map(|byte| (byte, TypeId::of_int(IntKind::UChar)));
        for (offset, ty) in words.chain(bytes) {
            let part = self.part(place, offset, ty);
            self.assign(part, self.null(ty))?;
        }
        Ok(())
    }
}
