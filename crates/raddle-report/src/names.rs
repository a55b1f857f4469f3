//! What people call memory and values: `acc[2]`, `node#3->next`, `&m[0]`, `NULL`.
//!
//! Static and automatic objects have the names of their variables. A heap object is called after the type of the first pointer that holds its address, or after that pointer
//! where the type has no name, and numbered: `node#1`, `buf#2[7]`.

use crate::origins::{Origins, origins};
use raddle_interp::execution::{Cell, Event, EventId, Execution, What};
use raddle_ir::{
    FloatSort, LIBRARY, ObjectInit, ObjectKind, Program, Shape, ShapeId, Shapes, Sort, Storage, VarId, eval,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

pub struct Names<'a> {
    pub program: &'a Program,
    pub shapes: &'a Shapes,
    objects: Vec<ObjectName>,
    /// The objects that begin at an address, with the events that allocated them.
    starts: BTreeMap<u64, Vec<(Option<EventId>, u32)>>,
    /// The events that freed heap objects.
    freed: FxHashMap<u32, EventId>,
    origins: Origins,
}

/// When a value is seen, and the event that it comes from.
#[derive(Clone, Copy)]
pub struct Seen {
    at: EventId,
    origin: EventId,
}

#[derive(Clone, Default)]
struct ObjectName {
    name: String,
    shape: Option<ShapeId>,
    is_heap: bool,
    /// It is one of a row: the shape is that of each.
    is_row: bool,
    size: u64,
}

/// What a cell is called, and the shape of what lies in it.
#[derive(Default)]
pub struct Named {
    pub name: String,
    shape: Option<ShapeId>,
    /// The cell is only some bytes of a part that has a name.
    pub piece: Option<Piece>,
    /// The bit-fields that it holds: the first bit of each, how many there are, and whether it is signed.
    bit_fields: Vec<(u32, u8, bool)>,
}

/// A part of an object of which a cell is some bytes.
#[derive(Clone, Debug)]
pub struct Piece {
    pub name: String,
    pub offset: u64,
    pub size: u64,
    shape: ShapeId,
}

impl<'a> Names<'a> {
    pub fn new(program: &'a Program, shapes: &'a Shapes, execution: &Execution) -> Names<'a> {
        let origins = origins(shapes, execution);
        let (starts, freed) = (BTreeMap::new(), freed(execution));
        let mut names = Names { program, shapes, objects: Vec::new(), starts, freed, origins };
        for (at, life) in execution.objects.iter().enumerate() {
            names.starts.entry(life.address).or_default().push((life.allocated, at as u32));
            let mut name = ObjectName { size: life.size, ..ObjectName::default() };
            if let Some(object) = program.objects.get(at) {
                name.name = source_name(&object.name);
                name.shape = shapes.objects.get(&raddle_ir::ObjectId(at as u32)).copied();
            } else if let Some(event) = life.allocated
                && let What::Alloc { storage, var, .. } = execution.events[event as usize].what
            {
                name.is_heap = storage == Storage::Heap;
                name.shape = shapes.homes.get(&var).copied();
                let own = &program.var(var).name;
                name.name = own.strip_prefix('&').unwrap_or_default().to_owned();
                if !name.is_heap && name.shape.is_none() {
                    name.name = "automatic object".into();
                }
            }
            names.objects.push(name);
        }
        names.name_heap_objects(execution);
        names
    }

    /// Heap objects get their shapes and names from the first pointer that holds their address.
    fn name_heap_objects(&mut self, execution: &Execution) {
        let mut called: Vec<Option<(ShapeId, String)>> = vec![None; self.objects.len()];
        for (at, event) in execution.events.iter().enumerate() {
            let (pointer, name, value) = match event.what {
                What::Assign { var, value: Some(value) } | What::Parameter { var, value: Some(value) } => {
                    (self.shapes.vars.get(&var).copied(), self.program.var(var).name.clone(), value)
                }
                What::Write { cell, value: Some(value), is_float } => {
                    let named = self.cell(cell, is_float);
                    (named.shape, named.name, value)
                }
                _ => continue,
            };
            let Some(Shape::Pointer(to)) = pointer.map(|shape| self.shapes.get(shape)) else { continue };
            let Some((object, 0)) = self.object_at(value as u64, self.origins.events[at]) else { continue };
            let of = &mut called[object as usize];
            let is_better = match of {
                None => true,
                Some((known, _)) => matches!(self.shapes.get(*known), Shape::Opaque | Shape::Char { .. }),
            };
            if self.objects[object as usize].is_heap && is_better && !event.in_library {
                *of = Some((*to, name));
            }
        }
        let mut counts: FxHashMap<String, u32> = FxHashMap::default();
        for (object, called) in self.objects.iter_mut().zip(called) {
            if !object.is_heap {
                continue;
            }
            let (shape, pointer) = called.map_or((None, "object".into()), |(shape, name)| (Some(shape), name));
            object.shape = shape.filter(|shape| *self.shapes.get(*shape) != Shape::Opaque);
            let base = match object.shape.map(|shape| self.shapes.get(shape)) {
                Some(Shape::Record { name, .. }) if !name.is_empty() => name.clone(),
                _ => pointer,
            };
            let count = counts.entry(base.clone()).or_default();
            *count += 1;
            object.name = format!("{base}#{count}");
            object.is_row = match object.shape.map(|shape| self.shapes.get(shape)) {
                Some(Shape::Record { size, members, .. }) => {
                    object.size > *size && !members.iter().any(|member| is_flexible(self.shapes, member))
                }
                Some(_) => true,
                None => false,
            };
        }
    }

    /// The object that an address is in when an event happens, and where in it. An address just past an object belongs to it.
    fn object_at(&self, address: u64, event: EventId) -> Option<(u32, u64)> {
        let (start, all) = self.starts.range(..=address).next_back()?;
        let is_there = |(allocated, _): &&(Option<EventId>, u32)| allocated.is_none_or(|by| by <= event);
        let (_, object) = all.iter().rev().find(is_there)?;
        let offset = address - start;
        (offset <= self.objects[*object as usize].size).then_some((*object, offset))
    }

    /// Does the user know this variable?
    pub fn is_users(&self, var: VarId) -> bool {
        let of = self.program.var(var);
        self.shapes.vars.contains_key(&var)
            && !of.name.is_empty()
            && self.program.files.get(of.span.file.0 as usize).is_none_or(|file| file != LIBRARY)
    }

    /// An event sees the value that it gives to something.
    pub fn seen(&self, at: EventId) -> Seen {
        Seen { at, origin: self.origins.events[at as usize] }
    }

    /// An event sees the value that an earlier one gave to something.
    pub fn seen_from(&self, at: EventId, by: EventId) -> Seen {
        Seen { at, origin: self.origins.events[by as usize] }
    }

    /// The value that a function returns.
    pub fn returned(&self, event: EventId, var: VarId, value: u128) -> String {
        let (sort, seen) = (self.program.var(var).sort, self.seen(event));
        let is_allocated = |made: &(Option<EventId>, u32)| made.0 == Some(seen.origin);
        let pointer = self.origins.pointers[event as usize];
        if sort != Sort::Bits(self.program.pointer_bits) {
            return self.local(var, Some(value), seen);
        }
        match self.starts.get(&(value as u64)) {
            _ if pointer.is_some() => self.shown(pointer, value, sort.bytes(), seen),
            Some(made) if made.iter().any(is_allocated) => self.pointer(value as u64, &Shape::Opaque, seen),
            _ => self.local(var, Some(value), seen),
        }
    }

    /// What a cell is called. `is_float`: it is accessed as a floating-point number.
    pub fn cell(&self, cell: Cell, is_float: bool) -> Named {
        match cell {
            Cell::Global(var) | Cell::Own(_, var) => {
                let (name, shape) = (source_name(&self.program.var(var).name), self.shapes.vars.get(&var).copied());
                Named { name, shape, ..Named::default() }
            }
            Cell::Bytes { object, offset, size } => self.part(object, offset, Some(size.into()), is_float),
            Cell::Nowhere(address) => Named { name: format!("*{address:#x}"), ..Named::default() },
        }
    }

    /// What a part of an object is called; without a size, the largest part that begins there and is no array.
    fn part(&self, object: u32, offset: u64, size: Option<u64>, is_float: bool) -> Named {
        let Some(of) = self.objects.get(object as usize) else { return Named { name: "?".into(), ..Named::default() } };
        let mut path = Path {
            shapes: self.shapes,
            text: of.name.clone(),
            arrow: of.is_heap && !of.is_row,
            is_float,
            part: (0, of.size),
            piece: None,
            bit_fields: Vec::new(),
        };
        let Some(shape) = of.shape else {
            if offset > 0 || size.is_some_and(|size| size < of.size) {
                path.text.push_str(&format!("[+{offset}]"));
            }
            return Named { name: path.text, ..Named::default() };
        };
        let leaf = match (of.is_row, self.row_stride(shape, size)) {
            (true, Some(stride)) if stride > 0 => {
                path.text.push_str(&format!("[{}]", offset / stride));
                path.part = (offset / stride * stride, stride);
                path.walk(shape, offset % stride, size)
            }
            _ => path.walk(shape, offset, size),
        };
        Named { name: path.text, shape: leaf, piece: path.piece, bit_fields: path.bit_fields }
    }

    /// How far the elements of a row are apart.
    fn row_stride(&self, shape: ShapeId, access: Option<u64>) -> Option<u64> {
        match self.shapes.get(shape) {
            Shape::Record { size, .. } => Some(*size),
            Shape::Pointer(_) => Some(u64::from(self.program.pointer_bits) / 8),
            Shape::Char { .. } | Shape::Bool => Some(1),
            Shape::Array { .. } | Shape::Opaque => None,
            Shape::Integer { .. } | Shape::Float => access,
        }
    }

    /// The value of a cell, as an event has it.
    pub fn value(&self, named: &Named, value: Option<u128>, bytes: u64, seen: Seen) -> String {
        let Some(value) = value else { return "any value".into() };
        if !named.bit_fields.is_empty() {
            let field = |(first, width, signed): &(u32, u8, bool)| {
                let bits = value.checked_shr(*first).unwrap_or(0) & eval::mask(*width);
                if *signed { eval::to_signed(*width, bits).to_string() } else { bits.to_string() }
            };
            let all: Vec<String> = named.bit_fields.iter().map(field).collect();
            return if all.len() == 1 { all.concat() } else { format!("{{{}}}", all.join(", ")) };
        }
        self.shown(named.shape, value, bytes, seen)
    }

    /// The value of the whole of which a cell is a piece.
    pub fn whole(&self, piece: &Piece, value: u128, seen: Seen) -> String {
        self.shown(Some(piece.shape), value, piece.size, seen)
    }

    /// The value of a local variable.
    pub fn local(&self, var: VarId, value: Option<u128>, seen: Seen) -> String {
        let of = self.program.var(var);
        match (value, of.sort) {
            (None, _) => "any value".into(),
            (Some(value), Sort::Bits(_) | Sort::Bool) if self.shapes.vars.contains_key(&var) => {
                self.shown(self.shapes.vars.get(&var).copied(), value, of.sort.bytes(), seen)
            }
            (Some(value), sort) => raddle_interp::trace::show(value, sort, of.signed),
        }
    }

    /// What a lock is called: the whole object, not its first member.
    pub fn lock(&self, cell: Cell) -> String {
        match cell {
            Cell::Bytes { object, offset, .. } => self.part(object, offset, None, false).name,
            cell => self.cell(cell, false).name,
        }
    }

    /// Bytes of a cell in memory or of a variable.
    pub fn bytes_of(&self, cell: Cell) -> u64 {
        match cell {
            Cell::Global(var) | Cell::Own(_, var) => self.program.var(var).sort.bytes(),
            Cell::Bytes { size, .. } => size.into(),
            Cell::Nowhere(_) => 0,
        }
    }

    fn shown(&self, shape: Option<ShapeId>, value: u128, bytes: u64, seen: Seen) -> String {
        let signed = |value| eval::to_signed((8 * bytes.clamp(1, 16)) as u8, value);
        match shape.map(|shape| self.shapes.get(shape)) {
            Some(Shape::Pointer(to)) => self.pointer(value as u64, self.shapes.get(*to), seen),
            Some(Shape::Bool) => value.to_string(),
            Some(Shape::Char { signed: is_signed }) => {
                let number = if *is_signed { signed(value).to_string() } else { value.to_string() };
                match u8::try_from(value).map(char::from) {
                    Ok(letter) if letter.is_ascii_graphic() => format!("{number} '{letter}'"),
                    _ => number,
                }
            }
            Some(Shape::Integer { signed: false }) => value.to_string(),
            Some(Shape::Float) => match bytes {
                4 => format!("{:?}", f32::from_bits(value as u32)),
                8 => format!("{:?}", f64::from_bits(value as u64)),
                _ => raddle_interp::trace::show(value, Sort::Float(FloatSort::X87), true),
            },
            _ => signed(value).to_string(),
        }
    }

    /// What a pointer points to.
    fn pointer(&self, address: u64, to: &Shape, seen: Seen) -> String {
        if address == 0 {
            return "NULL".into();
        }
        let (meant, now) = (self.object_at(address, seen.origin), self.object_at(address, seen.at));
        let Some((object, offset)) = meant.or(now) else { return format!("{address:#x}") };
        let name = self.place(object, offset, to);
        let is_freed = self.freed.get(&object).is_some_and(|by| *by <= seen.at);
        let is_gone = meant.is_some() && now.map(|(object, _)| object) != Some(object);
        match self.objects[object as usize].is_heap {
            true if is_freed || is_gone => format!("{name} (freed)"),
            false if is_gone => format!("{name} (out of scope)"),
            _ => name,
        }
    }

    /// A place in an object, as what points to it.
    fn place(&self, object: u32, offset: u64, to: &Shape) -> String {
        if let Some(function) = self.program.objects.get(object as usize)
            && matches!(function.kind, ObjectKind::Function(_))
        {
            return function.name.clone();
        }
        if let Some(text) = self.literal(object, offset) {
            return text;
        }
        let of = &self.objects[object as usize];
        let is_record = |shape: &Shape| matches!(shape, Shape::Record { .. });
        let is_scalar = !is_record(to) && !matches!(to, Shape::Opaque | Shape::Array { .. });
        // A pointer to the first member is none to the whole.
        if is_scalar && of.shape.is_some_and(|shape| is_record(self.shapes.get(shape))) && offset < of.size {
            let Named { name, piece, .. } = self.part(object, offset, Some(1), *to == Shape::Float);
            let whole = piece.filter(|piece| piece.offset == offset).map(|piece| piece.name);
            return format!("&{}", whole.unwrap_or(name));
        }
        if of.is_heap && offset == 0 {
            return of.name.clone();
        }
        if offset == of.size && offset > 0 {
            return format!("the end of {}", of.name);
        }
        format!("&{}", self.part(object, offset, None, false).name)
    }

    /// The text of a string literal from an offset on, as C writes it.
    fn literal(&self, object: u32, offset: u64) -> Option<String> {
        let of = self.program.objects.get(object as usize).filter(|of| of.name == "string literal")?;
        let ObjectKind::Data { init: ObjectInit::Bytes { bytes, .. }, .. } = &of.kind else { return None };
        let rest = bytes.get(offset as usize..)?;
        let text = rest.split(|byte| *byte == 0).next().unwrap_or_default();
        let end = if text.len() > 24 { "…" } else { "" };
        Some(format!("\"{}{end}\"", text[..text.len().min(24)].escape_ascii()))
    }

    /// What an object is called.
    pub fn object(&self, object: u32) -> &str {
        self.objects.get(object as usize).map_or("?", |object| &object.name)
    }
}

/// The way from an object to one of its parts, as C writes it.
struct Path<'a> {
    shapes: &'a Shapes,
    text: String,
    /// The object is reached by a pointer: its members follow an arrow.
    arrow: bool,
    /// What is accessed is a floating-point number.
    is_float: bool,
    /// Where the part under way begins in the object, and its size.
    part: (u64, u64),
    piece: Option<Piece>,
    bit_fields: Vec<(u32, u8, bool)>,
}

impl Path<'_> {
    /// Goes to the part of a shape at an offset with a size; returns the part's shape if it is just that.
    fn walk(&mut self, shape: ShapeId, offset: u64, size: Option<u64>) -> Option<ShapeId> {
        match self.shapes.get(shape) {
            Shape::Array { element, stride } if *stride > 0 => {
                self.text.push_str(&format!("[{}]", offset / stride));
                self.arrow = false;
                self.part = (self.part.0 + offset / stride * stride, *stride);
                self.walk(*element, offset % stride, size)
            }
            Shape::Record { members, .. } => {
                if offset == 0 && size.is_none() {
                    return Some(shape);
                }
                let fits = |member: &&raddle_ir::Member| {
                    member.offset <= offset
                        && (offset + size.unwrap_or(1) <= member.offset + member.size
                            || is_flexible(self.shapes, member))
                };
                if self.bit_fields_at(members, offset, size) {
                    return None;
                }
                // Of the members of a union, the one that has a part of just this size, and of this kind. Single bytes are mostly copies of something larger.
                let mut all: Vec<&raddle_ir::Member> = members.iter().filter(fits).collect();
                let is_float = |member: &raddle_ir::Member| *self.shapes.get(member.shape) == Shape::Float;
                let is_whole = |member: &raddle_ir::Member| {
                    size.is_some_and(|size| size > 1 && is_part(self.shapes, member, offset - member.offset, size))
                };
                all.sort_by_key(|member| {
                    let is_other = self.is_float != is_float(member);
                    (is_flexible(self.shapes, member), !is_whole(member), member.size, is_other)
                });
                let Some(member) = all.first() else {
                    if offset > 0 {
                        self.text.push_str(&format!("[+{offset}]"));
                    }
                    return None;
                };
                if !member.name.is_empty() {
                    self.text.push_str(if self.arrow { "->" } else { "." });
                    self.arrow = false;
                    self.text.push_str(&member.name);
                }
                self.part = (self.part.0 + member.offset, member.size);
                self.walk(member.shape, offset - member.offset, size)
            }
            Shape::Opaque if offset > 0 => {
                self.text.push_str(&format!("[+{offset}]"));
                None
            }
            Shape::Opaque => Some(shape),
            _ if offset > 0 || size.is_some_and(|size| size < self.part.1) => {
                let (start, whole) = self.part;
                self.piece = Some(Piece { name: self.text.clone(), offset: start, size: whole, shape });
                self.text.push_str(&format!("[+{offset}]"));
                None
            }
            _ => Some(shape),
        }
    }

    /// Are there bit-fields in the bytes of an access? Then it is to all of them.
    fn bit_fields_at(&mut self, members: &[raddle_ir::Member], offset: u64, size: Option<u64>) -> bool {
        let end = offset + size.unwrap_or(1);
        let fields: Vec<_> = members
            .iter()
            .filter(|member| !member.name.is_empty() && member.offset < end && offset < member.offset + member.size)
            .collect();
        let is_inside = |member: &&raddle_ir::Member| member.offset >= offset;
        if fields.is_empty() || !fields.iter().all(|member| member.bits.is_some() && is_inside(member)) {
            return false;
        }
        for field in &fields {
            let (shift, width) = field.bits.unwrap_or_default();
            let signed = match self.shapes.get(field.shape) {
                Shape::Integer { signed } | Shape::Char { signed } => *signed,
                _ => false,
            };
            self.bit_fields.push(((8 * (field.offset - offset)) as u32 + u32::from(shift), width, signed));
        }
        let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        self.text.push_str(if self.arrow { "->" } else { "." });
        match &names[..] {
            [only] => self.text.push_str(only),
            _ => self.text.push_str(&format!("{{{}}}", names.join(", "))),
        }
        true
    }
}

/// Is it an array without a length at the end of its record?
fn is_flexible(shapes: &Shapes, member: &raddle_ir::Member) -> bool {
    member.size == 0 && matches!(shapes.get(member.shape), Shape::Array { .. })
}

/// Does a member have a part of just this size at an offset?
fn is_part(shapes: &Shapes, member: &raddle_ir::Member, offset: u64, size: u64) -> bool {
    let (mut shape, mut whole, mut offset) = (member.shape, member.size, offset);
    while let Shape::Array { element, stride } = shapes.get(shape)
        && *stride > 0
    {
        (shape, whole, offset) = (*element, *stride, offset % stride);
    }
    match shapes.get(shape) {
        Shape::Record { members, .. } => members
            .iter()
            .filter(|member| member.offset <= offset && offset + size <= member.offset + member.size)
            .any(|member| is_part(shapes, member, offset - member.offset, size)),
        _ => member.bits.is_none() && offset == 0 && size == whole,
    }
}

fn freed(execution: &Execution) -> FxHashMap<u32, EventId> {
    let by = |(at, event): (usize, &Event)| match event.what {
        What::Free { object } => Some((object, at as EventId)),
        _ => None,
    };
    execution.events.iter().enumerate().filter_map(by).collect()
}

/// A static variable of a function is called after both; the source has its own name alone.
fn source_name(name: &str) -> String {
    name.rsplit("::").next().unwrap_or(name).to_owned()
}
