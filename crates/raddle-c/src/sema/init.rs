//! Initialisers: braces (also left out ones), designators, ranges and strings become a flat list of offsets and values (C11 6.7.9).

use super::convert::is_lvalue;
use super::operators::has_no_effect;
use super::{Sema, expr};
use crate::ast::{self, Designator, Encoding, InitItem, Initializer};
use crate::error::{Error, Result};
use crate::hir::{BinOp, Expr, ExprKind, Init, InitEntry, InitValue};
use crate::source::Pos;
use crate::types::{BitField, Field, IntKind, Record, RecordId, Type, TypeId};
use rustc_hash::FxHashMap;

/// The items of one pair of braces, being used up.
struct Items<'b> {
    items: &'b [InitItem],
    at: usize,
    /// The designators of the current item have been followed.
    followed: bool,
    /// The current item's expression, if it had to be checked to see what it initialises.
    checked: Option<Expr>,
}

impl<'b> Items<'b> {
    fn new(items: &'b [InitItem]) -> Self {
        Items { items, at: 0, followed: false, checked: None }
    }

    fn current(&self) -> Option<&'b InitItem> {
        self.items.get(self.at)
    }

    /// The designators that still have to be followed.
    fn designators(&self) -> &'b [Designator] {
        match self.current() {
            Some(item) if !self.followed => &item.designators,
            _ => &[],
        }
    }

    fn advance(&mut self) {
        self.at += 1;
        self.followed = false;
        self.checked = None;
    }
}

/// What is being made.
#[derive(Default)]
struct Flat {
    entries: Vec<InitEntry>,
    /// The end of the furthest entry.
    end: u64,
    /// Which member of a union, by the union's offset, is initialised.
    members: FxHashMap<(u64, RecordId), usize>,
}

/// A part of the object.
#[derive(Clone, Copy)]
struct Part {
    ty: TypeId,
    offset: u64,
    bits: Option<BitField>,
}

impl Sema<'_> {
    /// Checks an initialiser for a type. Returns it with the type, in which an array's length is known now.
    pub(super) fn initializer(&mut self, ty: TypeId, init: &Initializer, is_static: bool) -> Result<(Init, TypeId)> {
        let was = std::mem::replace(&mut self.static_init, is_static);
        let result = self.initializer_for(ty, init);
        self.static_init = was;
        result
    }

    fn initializer_for(&mut self, ty: TypeId, init: &Initializer) -> Result<(Init, TypeId)> {
        let mut flat = Flat::default();
        let part = Part { ty, offset: 0, bits: None };
        let pos = match init {
            Initializer::Expr(e) => e.pos,
            Initializer::List { pos, .. } => *pos,
        };
        match self.types.get(ty) {
            Type::Vla(..) if !matches!(init, Initializer::List { items, .. } if items.is_empty()) => {
                return Err(Error::invalid(pos, "a variable-length array cannot be initialised"));
            }
            Type::Function(_) | Type::Void => return Err(Error::invalid(pos, "this cannot be initialised")),
            Type::Array(..) => {}
            _ if !self.types.is_complete(ty) => {
                let name = self.type_name(ty);
                return Err(Error::invalid(pos, format!("an object of the incomplete type `{name}` is initialised")));
            }
            _ => {}
        }
        let len = match init {
            Initializer::List { items, .. } => self.init_list(part, items, pos, &mut flat)?,
            Initializer::Expr(e) => self.init_expr(part, e, &mut flat)?,
        };
        let full = match *self.types.get(ty) {
            Type::Array(element, None) => {
                let array = self.types.intern(Type::Array(element, Some(len)));
                if self.types.size(array).is_none_or(|s| s >= 1 << 62) {
                    return Err(Error::invalid(pos, "the array is too large"));
                }
                array
            }
            _ => ty,
        };
        // Writing a bit-field reads the bits beside it, also those that belong to no member.
        let has_bits = flat.entries.iter().any(|e| e.bits.is_some());
        let zero_rest = has_bits || !self.covers(full, &flat.entries);
        Ok((Init { entries: flat.entries, zero_rest }, full))
    }

    /// Initialises a whole object by an expression without braces; returns an array's length.
    fn init_expr(&mut self, part: Part, e: &ast::Expr, flat: &mut Flat) -> Result<u64> {
        if let Type::Array(element, len) = *self.types.get(part.ty) {
            return match &e.kind {
                ast::ExprKind::Str { units, encoding } if self.is_string_for(element, *encoding) => {
                    Ok(self.init_string(part, element, len, units, *encoding, flat))
                }
                // GNU C: an array from a compound literal.
                ast::ExprKind::CompoundLiteral(_, list) => match &**list {
                    Initializer::List { items, pos } => self.init_list(part, items, *pos, flat),
                    Initializer::Expr(e) => self.init_expr(part, e, flat),
                },
                _ => Err(Error::invalid(e.pos, "an array needs a list in braces or a string")),
            };
        }
        if let (true, ast::ExprKind::CompoundLiteral(_, list)) = (self.static_init, &e.kind)
            && let (Initializer::List { items, pos }, Type::Record(_) | Type::Vector(..)) =
                (&**list, self.types.get(part.ty))
        {
            return self.init_list(part, items, *pos, flat);
        }
        let value = self.value(e)?;
        self.put(part, value, flat)?;
        Ok(0)
    }

    /// Is a string literal an initialiser for an array of such elements?
    fn is_string_for(&self, element: TypeId, encoding: Encoding) -> bool {
        use IntKind::*;
        match (self.types.get(self.types.strip_atomic(element)), encoding) {
            (Type::Int(Char | SChar | UChar), Encoding::Plain | Encoding::Utf8) => true,
            (Type::Int(kind), Encoding::Wide | Encoding::Char16 | Encoding::Char32) => {
                Some(self.types.int_bytes(*kind)) == self.types.size(self.unit_type(encoding))
            }
            _ => false,
        }
    }

    fn init_string(
        &mut self,
        part: Part,
        element: TypeId,
        len: Option<u64>,
        units: &[u32],
        encoding: Encoding,
        flat: &mut Flat,
    ) -> u64 {
        let mut bytes = self.string_bytes(units, encoding);
        let size = self.types.size(element).unwrap_or(1);
        if let Some(len) = len {
            bytes.truncate(usize::try_from(len.saturating_mul(size)).unwrap_or(usize::MAX));
        }
        let ty = self.types.plain(part.ty);
        let ty = match len {
            Some(_) => ty,
            None => self.types.intern(Type::Array(element, Some(units.len() as u64 + 1))),
        };
        flat.end = flat.end.max(part.offset + bytes.len() as u64);
        flat.entries.push(InitEntry { offset: part.offset, bits: None, ty, value: InitValue::Bytes(bytes) });
        units.len() as u64 + 1
    }

    /// A value for a scalar or record.
    fn put(&mut self, part: Part, value: Expr, flat: &mut Flat) -> Result<()> {
        let ty = self.types.value_type(part.ty);
        let value = self.assign_convert(value, ty, "an initialiser")?;
        let value = if self.static_init { self.static_value(value)? } else { value };
        let size = match part.bits {
            Some(bits) => u64::from((bits.shift + bits.width).div_ceil(8)),
            None => self.types.size(ty).unwrap_or(0),
        };
        flat.end = flat.end.max(part.offset + size);
        flat.entries.push(InitEntry { offset: part.offset, bits: part.bits, ty, value: InitValue::Expr(value) });
        Ok(())
    }

    /// Initialises an object by a list in braces; returns an array's length.
    fn init_list(&mut self, part: Part, items: &[InitItem], pos: Pos, flat: &mut Flat) -> Result<u64> {
        let mut cursor = Items::new(items);
        let len = match *self.types.get(self.types.strip_atomic(part.ty)) {
            Type::Array(element, len) => match items {
                [InitItem { designators, init: Initializer::Expr(e), .. }] if designators.is_empty() => match &e.kind {
                    ast::ExprKind::Str { units, encoding } if self.is_string_for(element, *encoding) => {
                        return Ok(self.init_string(part, element, len, units, *encoding, flat));
                    }
                    _ => self.fill_array(part, element, len, &mut cursor, flat, true, &[])?,
                },
                _ => self.fill_array(part, element, len, &mut cursor, flat, true, &[])?,
            },
            Type::Record(record) => {
                self.fill_record(part, record, &mut cursor, flat, true, &[])?;
                0
            }
            Type::Vector(element, len) => self.fill_array(part, element, Some(len), &mut cursor, flat, true, &[])?,
            Type::Vla(..) => 0,
            _ => {
                let Some(first) = items.first() else { return Ok(0) };
                if !first.designators.is_empty() {
                    return Err(Error::invalid(first.pos, "a designator in the initialiser of a scalar"));
                }
                match &first.init {
                    Initializer::Expr(e) => {
                        let value = self.value(e)?;
                        self.put(part, value, flat)?;
                    }
                    Initializer::List { items, pos } => {
                        self.init_list(part, items, *pos, flat)?;
                    }
                }
                cursor.advance();
                0
            }
        };
        if cursor.at < items.len() {
            self.warn(pos, "more initialisers than parts");
        }
        Ok(len)
    }

    /// Initialises one part by the current item, or by as many as it takes if its braces are left out.
    fn fill_part(&mut self, part: Part, cursor: &mut Items, flat: &mut Flat) -> Result<()> {
        let Some(item) = cursor.current() else { return Ok(()) };
        let e = match &item.init {
            Initializer::List { items, pos } => {
                self.forget(part, flat);
                self.init_list(part, items, *pos, flat)?;
                cursor.advance();
                return Ok(());
            }
            Initializer::Expr(e) => e,
        };
        let before = cursor.at;
        match *self.types.get(self.types.strip_atomic(part.ty)) {
            Type::Array(element, len) => {
                match &e.kind {
                    ast::ExprKind::Str { units, encoding }
                        if cursor.checked.is_none() && self.is_string_for(element, *encoding) =>
                    {
                        self.forget(part, flat);
                        self.init_string(part, element, len, units, *encoding, flat);
                        cursor.advance();
                        return Ok(());
                    }
                    ast::ExprKind::CompoundLiteral(_, list) if cursor.checked.is_none() => {
                        if let Initializer::List { items, pos } = &**list {
                            let is_array = self.compound_literal_is_array(e)?;
                            if is_array {
                                self.init_list(part, items, *pos, flat)?;
                                cursor.advance();
                                return Ok(());
                            }
                        }
                    }
                    _ => {}
                }
                cursor.followed = true;
                self.fill_array(part, element, len, cursor, flat, false, &[])?;
            }
            Type::Record(record) => {
                if let (true, ast::ExprKind::CompoundLiteral(name, list)) = (self.static_init, &e.kind) {
                    let ty = self.type_name_type(name)?;
                    if let (true, Initializer::List { items, pos }) =
                        (self.types.compatible(ty, part.ty, false), &**list)
                    {
                        self.init_list(part, items, *pos, flat)?;
                        cursor.advance();
                        return Ok(());
                    }
                }
                let value = match cursor.checked.take() {
                    Some(value) => value,
                    None => self.value(e)?,
                };
                if self.types.compatible(value.ty, self.types.value_type(part.ty), false) {
                    self.put(part, value, flat)?;
                    cursor.advance();
                    return Ok(());
                }
                cursor.checked = Some(value);
                cursor.followed = true;
                self.fill_record(part, record, cursor, flat, false, &[])?;
            }
            Type::Vector(element, len) => {
                let value = match cursor.checked.take() {
                    Some(value) => value,
                    None => self.value(e)?,
                };
                if matches!(self.types.get(value.ty), Type::Vector(..)) {
                    self.put(part, value, flat)?;
                    cursor.advance();
                    return Ok(());
                }
                cursor.checked = Some(value);
                cursor.followed = true;
                self.fill_array(part, element, Some(len), cursor, flat, false, &[])?;
            }
            _ => {
                let value = match cursor.checked.take() {
                    Some(value) => value,
                    None => self.value(e)?,
                };
                self.put(part, value, flat)?;
                cursor.advance();
            }
        }
        if cursor.at == before {
            // A struct without members takes nothing.
            cursor.advance();
        }
        Ok(())
    }

    fn compound_literal_is_array(&mut self, e: &ast::Expr) -> Result<bool> {
        let ast::ExprKind::CompoundLiteral(name, _) = &e.kind else { return Ok(false) };
        let ty = self.type_name_type(name)?;
        Ok(matches!(self.types.get(ty), Type::Array(..)))
    }

    /// A part that is initialised again as a whole loses what it had.
    fn forget(&mut self, part: Part, flat: &mut Flat) {
        if part.bits.is_some() {
            return;
        }
        let size = self.types.size(part.ty).unwrap_or(0);
        self.forget_range(part.offset..part.offset.saturating_add(size), flat);
    }

    fn forget_range(&self, within: std::ops::Range<u64>, flat: &mut Flat) {
        if within.start < flat.end {
            flat.entries.retain(|e| !within.contains(&e.offset));
        }
    }

    /// Fills an array from items; `path` are designators of the current item that lead into it. Returns how many elements it has at least.
    #[allow(clippy::too_many_arguments)]
    fn fill_array(
        &mut self,
        part: Part,
        element: TypeId,
        len: Option<u64>,
        cursor: &mut Items,
        flat: &mut Flat,
        braced: bool,
        mut path: &[Designator],
    ) -> Result<u64> {
        let Some(size) = self.types.size(element) else {
            let pos = cursor.current().map_or(Pos(0), |i| i.pos);
            return Err(Error::invalid(pos, "an array of variable-length arrays cannot be initialised"));
        };
        let (mut index, mut most) = (0u64, 0u64);
        while let Some(item) = cursor.current() {
            let mut designated = std::mem::take(&mut path);
            if designated.is_empty() {
                designated = cursor.designators();
                if !designated.is_empty() && !braced {
                    break;
                }
            }
            let mut last = None;
            let mut rest = designated;
            if let Some((first, others)) = designated.split_first() {
                rest = others;
                match first {
                    Designator::Index(e) => index = self.designated_index(e, len)?,
                    Designator::Range(a, b) => {
                        index = self.designated_index(a, len)?;
                        let end = self.designated_index(b, len)?;
                        if end < index {
                            return Err(Error::invalid(item.pos, "an empty range of elements"));
                        }
                        last = Some(end);
                    }
                    Designator::Field(_, pos) => {
                        return Err(Error::invalid(*pos, "a member is designated in an array"));
                    }
                }
                cursor.followed = true;
            } else if len.is_some_and(|len| index >= len) {
                break;
            }
            let offset = part.offset.wrapping_add(index.wrapping_mul(size));
            let one = Part { ty: element, offset, bits: None };
            if let (Some(last), true) = (last, rest.is_empty()) {
                self.forget_range(offset..offset.saturating_add((last - index + 1).saturating_mul(size)), flat);
            }
            let mark = flat.entries.len();
            if rest.is_empty() {
                self.fill_part(one, cursor, flat)?;
            } else {
                self.fill_designated(one, cursor, flat, rest)?;
            }
            if let Some(last) = last {
                self.repeat(mark, last - index, size, item.pos, flat)?;
                index = last;
            }
            index += 1;
            most = most.max(index);
        }
        Ok(most)
    }

    /// Copies what was just put to the following elements. Side effects happen once.
    fn repeat(&mut self, mark: usize, times: u64, size: u64, pos: Pos, flat: &mut Flat) -> Result<()> {
        let mark = mark.min(flat.entries.len());
        let mut first = Vec::new();
        for entry in &mut flat.entries[mark..] {
            let mut value = entry.value.clone();
            if let InitValue::Expr(e) = &mut entry.value
                && !self.static_init
                && !has_no_effect(e)
            {
                let (ty, pos) = (e.ty, e.pos);
                let place = Box::new(expr(ty, pos, ExprKind::Local(self.local("", ty, pos)?)));
                let kept = expr(ty, pos, ExprKind::Load(place.clone()));
                let computed = std::mem::replace(e, kept);
                value = InitValue::Expr(expr(ty, pos, ExprKind::Assign(place, Box::new(computed))));
            }
            first.push(value);
        }
        let pattern: Vec<InitEntry> = flat.entries[mark..].to_vec();
        if (pattern.len() as u64).saturating_mul(times) > 1 << 26 {
            return Err(Error::unsupported(pos, "very large range in an initialiser"));
        }
        for time in 1..=times {
            flat.entries.extend(pattern.iter().map(|entry| {
                let mut entry = entry.clone();
                entry.offset += time * size;
                entry
            }));
        }
        for (entry, value) in flat.entries[mark..].iter_mut().zip(first) {
            entry.value = value;
        }
        flat.end = flat.end.max(flat.end + times * size);
        Ok(())
    }

    fn designated_index(&mut self, e: &ast::Expr, len: Option<u64>) -> Result<u64> {
        let value = self.value(e)?;
        let bits = self.const_bits(&value).filter(|_| self.types.is_integer(value.ty));
        let Some(bits) = bits else { return Err(Error::invalid(e.pos, "a designated index is not constant")) };
        match u64::try_from(bits) {
            Ok(index) if index < len.unwrap_or(1 << 48) => Ok(index),
            _ => Err(Error::invalid(e.pos, "a designated index is outside the array")),
        }
    }

    /// Follows designators into a part, and goes on filling it.
    fn fill_designated(&mut self, part: Part, cursor: &mut Items, flat: &mut Flat, path: &[Designator]) -> Result<()> {
        match *self.types.get(self.types.strip_atomic(part.ty)) {
            Type::Array(element, len) => self.fill_array(part, element, len, cursor, flat, false, path).map(|_| ()),
            Type::Record(record) => self.fill_record(part, record, cursor, flat, false, path),
            _ => {
                let pos = cursor.current().map_or(Pos(0), |i| i.pos);
                Err(Error::invalid(pos, "a designator for something that has no parts"))
            }
        }
    }

    fn record_field(&self, record: RecordId, index: usize) -> Option<Field> {
        self.types.records[record.0 as usize].layout.as_ref()?.fields.get(index).cloned()
    }

    /// The index of the member through which a name is found.
    fn field_index(&self, record: RecordId, name: crate::ast::Symbol) -> Option<usize> {
        let fields = &self.types.records[record.0 as usize].layout.as_ref()?.fields;
        fields.iter().position(|f| f.name == Some(name)).or_else(|| {
            fields.iter().position(|f| match (f.name, self.types.get(f.ty)) {
                (None, Type::Record(inner)) => self.field(*inner, name).is_some(),
                _ => false,
            })
        })
    }

    fn fill_record(
        &mut self,
        part: Part,
        record: RecordId,
        cursor: &mut Items,
        flat: &mut Flat,
        braced: bool,
        mut path: &[Designator],
    ) -> Result<()> {
        let is_union = self.types.records[record.0 as usize].is_union;
        let mut index = 0;
        while cursor.current().is_some() {
            let mut designated = std::mem::take(&mut path);
            if designated.is_empty() {
                designated = cursor.designators();
                if !designated.is_empty() && !braced {
                    break;
                }
            }
            let mut rest = designated;
            match designated.split_first() {
                Some((Designator::Field(name, pos), others)) => {
                    let Some(found) = self.field_index(record, *name) else {
                        let (ty, name) = (self.type_name(part.ty), self.name(*name));
                        return Err(Error::invalid(*pos, format!("`{ty}` has no member `{name}`")));
                    };
                    index = found;
                    let through = self.record_field(record, index).is_some_and(|f| f.name.is_none());
                    rest = if through { designated } else { others };
                    cursor.followed = true;
                }
                Some((Designator::Index(e) | Designator::Range(e, _), _)) => {
                    return Err(Error::invalid(e.pos, "an element is designated in a struct or union"));
                }
                None => {}
            }
            let Some(field) = self.record_field(record, index) else { break };
            index += 1;
            if field.name.is_none() && field.bits.is_some() {
                continue;
            }
            if is_union {
                // It holds one member: what an earlier item gave to another one is gone.
                let before = flat.members.insert((part.offset, record), index);
                if before.is_some_and(|before| before != index) {
                    self.forget(part, flat);
                }
            }
            let one = Part { ty: field.ty, offset: part.offset + field.offset, bits: field.bits };
            if rest.is_empty() {
                self.fill_part(one, cursor, flat)?;
            } else {
                self.fill_designated(one, cursor, flat, rest)?;
            }
            if is_union {
                index = usize::MAX;
            }
        }
        Ok(())
    }

    // ---- constants ----

    /// A value that is known before the program starts: a number or an address.
    fn static_value(&mut self, value: Expr) -> Result<Expr> {
        if Self::literal(&value).is_some() {
            return Ok(value);
        }
        if self.types.elements(value.ty).is_some() {
            return self.static_elements(value);
        }
        if let Some(bits) = self.const_bits(&value) {
            let kind = if self.types.is_float(value.ty) { ExprKind::Float(bits) } else { ExprKind::Int(bits) };
            return Ok(Expr { kind, ..value });
        }
        if self.is_address_constant(&value) {
            return Ok(value);
        }
        Err(Error::invalid(value.pos, "an initialiser is not constant"))
    }

    fn is_address_constant(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::LabelAddress(..) => true,
            ExprKind::Decay(place) | ExprKind::AddrOf(place) => self.is_static_place(place),
            ExprKind::Convert(inner) => self.is_address_constant(inner),
            ExprKind::PtrAdd { pointer, index, .. } => {
                self.is_address_constant(pointer) && self.const_bits(index).is_some()
            }
            ExprKind::PtrDiff { left, right, .. } => self.is_address_constant(left) && self.is_address_constant(right),
            ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Eq | BinOp::Ne, a, b) => {
                self.is_address_constant(a) && self.is_address_constant(b)
            }
            ExprKind::Conditional { cond, then, otherwise } => {
                self.is_address_constant(cond) && self.is_address_constant(then) && self.is_address_constant(otherwise)
            }
            _ => false,
        }
    }

    fn is_static_place(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Global(_) | ExprKind::Str(_) | ExprKind::Function(_) => true,
            ExprKind::Member { base, .. } => is_lvalue(base) && self.is_static_place(base),
            ExprKind::Deref(pointer) => self.is_address_constant(pointer),
            _ => false,
        }
    }

    // ---- coverage ----

    /// How many bits of a type hold values. Padding counts for nothing; a union counts as a whole.
    fn value_bits(&self, ty: TypeId) -> u128 {
        match *self.types.get(ty) {
            Type::Array(element, len) => self.value_bits(element) * u128::from(len.unwrap_or(0)),
            Type::Record(record) => {
                let record = &self.types.records[record.0 as usize];
                let Some(layout) = &record.layout else { return 0 };
                if record.is_union {
                    return u128::from(layout.size) * 8;
                }
                let fields = layout.fields.iter().filter(|f| f.name.is_some() || f.bits.is_none());
                fields.map(|f| f.bits.map_or_else(|| self.value_bits(f.ty), |b| b.width.into())).sum()
            }
            Type::Atomic(inner) => self.value_bits(inner),
            _ => u128::from(self.types.size(ty).unwrap_or(0)) * 8,
        }
    }

    /// Do the entries name every part of an object?
    fn covers(&self, ty: TypeId, entries: &[InitEntry]) -> bool {
        // Where each begins and ends (with padding), and how much it covers, in bits.
        let mut spans: Vec<(u128, u128, u128)> = entries
            .iter()
            .map(|entry| {
                let start = u128::from(entry.offset) * 8;
                match (&entry.value, entry.bits) {
                    (InitValue::Bytes(bytes), _) => (start, start + bytes.len() as u128 * 8, bytes.len() as u128 * 8),
                    (_, Some(bits)) => {
                        let start = start + u128::from(bits.shift);
                        (start, start + u128::from(bits.width), bits.width.into())
                    }
                    _ => {
                        let size = u128::from(self.types.size(entry.ty).unwrap_or(0)) * 8;
                        (start, start + size, self.value_bits(entry.ty))
                    }
                }
            })
            .collect();
        if !spans.is_sorted_by(|a, b| a.1 <= b.0) {
            spans.sort_unstable();
            spans.dedup();
            if !spans.is_sorted_by(|a, b| a.1 <= b.0) {
                return false;
            }
        }
        spans.iter().map(|s| s.2).sum::<u128>() >= self.value_bits(ty)
    }

    /// The type of a static object whose flexible array member has elements.
    pub(super) fn grown(&mut self, ty: TypeId, init: &Init) -> TypeId {
        let Type::Record(record) = *self.types.get(ty) else { return ty };
        let end = init.entries.iter().map(|e| match &e.value {
            InitValue::Bytes(bytes) => e.offset + bytes.len() as u64,
            InitValue::Expr(_) => e.offset + self.types.size(e.ty).unwrap_or(0),
        });
        let end = end.max().unwrap_or(0);
        let old = &self.types.records[record.0 as usize];
        let (is_union, tag, typedef) = (old.is_union, old.tag, old.typedef);
        let Some(mut layout) = old.layout.clone().filter(|l| l.size < end) else { return ty };
        let Some(last) = layout.fields.last_mut() else { return ty };
        let Type::Array(element, _) = *self.types.get(last.ty) else { return ty };
        let size = self.types.size(element).unwrap_or(1).max(1);
        let len = (end - last.offset).div_ceil(size);
        last.ty = self.types.intern(Type::Array(element, Some(len)));
        layout.size = layout.size.max(last.offset + len * size);
        let id = RecordId(self.types.records.len() as u32);
        self.types.records.push(Record {
            tag,
            typedef,
            is_union,
            unit: u32::MAX,
            transparent: false,
            layout: Some(layout),
            mutex_kind: None,
        });
        self.types.intern(Type::Record(id))
    }
}
