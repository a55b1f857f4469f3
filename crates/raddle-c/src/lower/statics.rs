//! Static objects: their addresses and initial contents.
//!
//! String literals and those globals that live in memory come first, then functions as their addresses are taken. Data objects have a gap behind
//! them, so that an access that runs past an object's end hits nothing. Addresses are plain numbers from here on, so the value of a static initialiser (`&a[3]`, say) is found by
//! lowering it like any expression: it folds to a constant.

use super::builder::Builder;
use super::{GlobalHome, Lower};
use crate::error::{Error, Result};
use crate::hir::{FnId, GlobalId, Init, InitValue};
use crate::source::Pos;
use raddle_ir::{Const, ExprId, Object, ObjectId, ObjectInit, ObjectKind, Span, Var, VarKind};

/// Larger initial contents are refused rather than held in memory.
const LARGEST_INITIALISED: u64 = 1 << 30;

/// The initial bytes of an object, and where in them addresses of objects stand.
#[derive(Default)]
struct StaticBytes {
    bytes: Vec<u8>,
    pointers: Vec<(u64, ObjectId)>,
}

impl<'a> Lower<'a> {
    /// Takes room for a static object and what lies free behind it.
    pub(super) fn place_static(&mut self, size: u64, align: u64, clearance: u64, pos: Pos) -> Result<u64> {
        let address = u64::next_multiple_of(self.next_static, align.max(16));
        self.next_static = address
            .checked_add(size)
            .and_then(|end| end.checked_add(clearance))
            .filter(|end| *end < self.dynamic_base)
            .ok_or_else(|| Error::unsupported(pos, "static objects that fill the address space"))?;
        Ok(address)
    }

    fn clearance(&self) -> u64 {
        if self.pointer_bits == 32 { 1 << 16 } else { 1 << 20 }
    }

    /// Gives every static object and variable its home and its contents.
    pub(super) fn place_statics(&mut self) -> Result<()> {
        let hir = self.hir;
        (self.next_static, self.dynamic_base) = match self.pointer_bits {
            // The first address is no number that programs like to use.
            32 => (0x1001_0000, 0x4000_0000),
            _ => (0x1_0010_0000, 1 << 44),
        };
        let clearance = self.clearance();
        for string in &hir.strings {
            let address = self.place_static(string.bytes.len() as u64, 1, clearance, string.pos)?;
            self.string_address.push(address);
            let init = ObjectInit::Bytes { bytes: string.bytes.clone(), pointers: vec![] };
            self.objects.push(Object {
                name: "string literal".into(),
                address,
                size: string.bytes.len() as u64,
                kind: ObjectKind::Data { init, writable: false },
                exposed: false,
                span: self.span(string.pos),
                origin: raddle_ir::Origin::default(),
            });
        }
        // First every address, then the contents, which mention addresses.
        let mut in_memory: Vec<(GlobalId, ObjectId)> = Vec::new();
        let mut per_thread = Vec::new();
        for (index, global) in hir.globals.iter().enumerate() {
            let id = GlobalId(index as u32);
            let span = self.span(global.pos);
            let sort = hir.types.scalar_sort(global.ty).filter(|_| !global.address_taken);
            let home = match sort {
                _ if !global.used => GlobalHome::Nowhere,
                Some(sort) => {
                    let kind = if global.thread_local { VarKind::ThreadLocal(None) } else { VarKind::Global(None) };
                    let signed = hir.types.is_signed(global.ty);
                    self.vars.push(Var {
                        name: global.name.clone(),
                        sort,
                        kind,
                        signed,
                        span,
                        origin: raddle_ir::Origin::default(),
                    });
                    let var = raddle_ir::VarId(self.vars.len() as u32 - 1);
                    self.typed.vars.push((var, global.ty));
                    GlobalHome::Var(var)
                }
                None if global.thread_local => {
                    per_thread.push(id);
                    GlobalHome::PerThread(self.new_proc(None))
                }
                None => {
                    let size = hir.types.size(global.ty).unwrap_or(0);
                    let align = hir.types.align(global.ty).max(global.align.unwrap_or(1));
                    let address = self.place_static(size, align, clearance, global.pos)?;
                    let kind = ObjectKind::Data { init: ObjectInit::Any, writable: true };
                    self.objects.push(Object {
                        name: global.name.clone(),
                        address,
                        size,
                        kind,
                        exposed: false,
                        span,
                        origin: raddle_ir::Origin::default(),
                    });
                    let object = ObjectId(self.objects.len() as u32 - 1);
                    self.typed.objects.push((object, global.ty));
                    in_memory.push((id, object));
                    GlobalHome::Memory(address)
                }
            };
            self.globals.push(home);
        }
        for (index, global) in hir.globals.iter().enumerate() {
            if !global.defined {
                continue;
            }
            if let GlobalHome::Var(var) = self.globals[index] {
                let sort = self.vars[var.index()].sort;
                let mut value = Const { sort, bits: 0 };
                for entry in global.init.iter().flat_map(|i| &i.entries) {
                    if let InitValue::Expr(expr) = &entry.value {
                        value = self.static_value(expr)?;
                    }
                }
                let kind = &mut self.vars[var.index()].kind;
                *kind = match kind {
                    VarKind::ThreadLocal(_) => VarKind::ThreadLocal(Some(value)),
                    _ => VarKind::Global(Some(value)),
                };
            }
        }
        for (id, object) in in_memory {
            let global = &hir.globals[id.index()];
            if !global.defined {
                continue;
            }
            let size = self.objects[object.index()].size;
            let StaticBytes { bytes, pointers } = match &global.init {
                Some(init) => {
                    self.note_static_mutexes(self.objects[object.index()].address, global.ty, init);
                    self.static_bytes(init, size, global.pos)?
                }
                None => StaticBytes::default(),
            };
            let init = ObjectInit::Bytes { bytes, pointers };
            self.objects[object.index()].kind = ObjectKind::Data { init, writable: !global.is_const };
        }
        for id in per_thread {
            if let GlobalHome::PerThread(proc) = self.globals[id.index()] {
                let procedure = Builder::for_thread_local(self, proc, id)?;
                self.procs[proc.index()] = Some(procedure);
            }
        }
        Ok(())
    }

    fn static_value(&mut self, expr: &'a crate::hir::Expr) -> Result<Const> {
        // A builder on no function: what is constant emits no edge.
        let mut builder = Builder::empty(self, FnId(0), raddle_ir::ProcId(0), expr.pos);
        let value = builder.value(expr)?;
        let folded = builder.emitted_nothing();
        match self.pool.as_const(value) {
            Some(c) if folded => Ok(c),
            _ => Err(Error::invalid(expr.pos, "the initialiser of a static object is not constant")),
        }
    }

    /// A read-only text of Raddle's own, by its contents.
    pub(super) fn text_literal(&mut self, text: &[u8]) -> Result<ExprId> {
        let init = ObjectInit::Bytes { bytes: text.to_vec(), pointers: vec![] };
        let kind = ObjectKind::Data { init, writable: false };
        let found = self.objects.iter().find(|o| o.name == "format" && o.kind == kind).map(|o| o.address);
        let address = match found {
            Some(address) => address,
            None => {
                let size = text.len() as u64;
                let address = self.place_static(size, 1, self.clearance(), Pos::default())?;
                self.add_object(Object {
                    name: "format".into(),
                    address,
                    size,
                    kind,
                    exposed: false,
                    span: Span::NONE,
                    origin: raddle_ir::Origin::default(),
                });
                address
            }
        };
        Ok(self.address(address))
    }

    fn static_bytes(&mut self, init: &'a Init, size: u64, pos: Pos) -> Result<StaticBytes> {
        if size > LARGEST_INITIALISED {
            return Err(Error::unsupported(pos, "an initialised static object larger than 1 GiB"));
        }
        let mut all = StaticBytes::default();
        for entry in &init.entries {
            let bytes = &mut all.bytes;
            let at = entry.offset as usize;
            match &entry.value {
                InitValue::Bytes(text) => write(bytes, at, text),
                InitValue::Expr(expr) if self.is_record(expr.ty) => self.static_record(expr, entry.offset, &mut all)?,
                InitValue::Expr(expr) => {
                    let value = self.static_value(expr)?;
                    match entry.bits {
                        Some(bits) => write_bits(bytes, at, bits.shift, bits.width, value.bits),
                        None => {
                            let len = value.sort.bytes() as usize;
                            write(bytes, at, &value.bits.to_le_bytes()[..len]);
                            if len * 8 == usize::from(self.pointer_bits)
                                && let Some(object) = self.object_at(value.bits as u64)
                            {
                                all.pointers.push((entry.offset, object));
                            }
                        }
                    }
                }
            }
        }
        all.bytes.truncate(size as usize);
        Ok(all)
    }

    /// A record initialised by a record value: only a compound literal's object is constant.
    fn static_record(&mut self, expr: &'a crate::hir::Expr, offset: u64, all: &mut StaticBytes) -> Result<()> {
        use crate::hir::ExprKind;
        if let (ExprKind::Elements(elements), Some((ty, _))) = (&expr.kind, self.hir.types.elements(expr.ty)) {
            let size = self.size(ty, expr.pos)?;
            for (index, element) in elements.iter().enumerate() {
                let value = self.static_value(element)?;
                let at = (offset + index as u64 * size) as usize;
                write(&mut all.bytes, at, &value.bits.to_le_bytes()[..value.sort.bytes() as usize]);
            }
            return Ok(());
        }
        if let ExprKind::Load(inner) = &expr.kind
            && let ExprKind::Global(global) = inner.kind
            && let Some(init) = &self.hir.globals[global.index()].init
        {
            let size = self.size(expr.ty, expr.pos)?;
            let mut part = self.static_bytes(init, size, expr.pos)?;
            part.bytes.resize(size as usize, 0);
            write(&mut all.bytes, offset as usize, &part.bytes);
            all.pointers.extend(part.pointers.iter().map(|(at, object)| (offset + at, *object)));
            return Ok(());
        }
        Err(Error::invalid(expr.pos, "the initialiser of a static object is not constant"))
    }

    pub(super) fn object_at(&self, address: u64) -> Option<ObjectId> {
        // Objects stand in the order of their addresses.
        let index = self.objects.partition_point(|o| o.address <= address).checked_sub(1)?;
        let object = &self.objects[index];
        (address <= object.address + object.size).then_some(ObjectId(index as u32))
    }

    /// `argv` for a concrete run: a name and a null pointer. Returns its address.
    pub(super) fn concrete_argv(&mut self) -> Result<u64> {
        let pos = Pos::default();
        let name_at = self.place_static(7, 1, self.clearance(), pos)?;
        let argv_at = self.place_static(u64::from(self.pointer_bits) / 4, 16, self.clearance(), pos)?;
        let width = usize::from(self.pointer_bits / 8);
        let data = |bytes, pointers| ObjectKind::Data { init: ObjectInit::Bytes { bytes, pointers }, writable: true };
        let object = |name: &str, address, size, kind| {
            let name = name.into();
            Object { name, address, size, kind, exposed: false, span: Span::NONE, origin: raddle_ir::Origin::default() }
        };
        let name = self.add_object(object("program name", name_at, 7, data(b"raddle\0".to_vec(), vec![])));
        let bytes = name_at.to_le_bytes()[..width].to_vec();
        self.add_object(object("argv", argv_at, 2 * width as u64, data(bytes, vec![(0, name)])));
        Ok(argv_at)
    }
}

fn write(bytes: &mut Vec<u8>, at: usize, part: &[u8]) {
    if bytes.len() < at + part.len() {
        bytes.resize(at + part.len(), 0);
    }
    bytes[at..at + part.len()].copy_from_slice(part);
}

fn write_bits(bytes: &mut Vec<u8>, at: usize, shift: u8, width: u8, value: u128) {
    for i in 0..width {
        let bit = usize::from(shift + i);
        let byte = at + bit / 8;
        if bytes.len() <= byte {
            bytes.resize(byte + 1, 0);
        }
        let mask = 1u8 << (bit % 8);
        if value >> i & 1 == 1 {
            bytes[byte] |= mask;
        } else {
            bytes[byte] &= !mask;
        }
    }
}
