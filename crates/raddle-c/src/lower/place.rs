//! Places: what an lvalue denotes, reading and writing it, bit-fields, and copying records.

use super::GlobalHome;
use super::builder::{Builder, LocalHome};
use super::races::Neighbours;
use crate::error::{Error, Result};
use crate::hir::{Expr, ExprKind, GlobalId, Init, InitValue, LocalId};
use crate::library_names;
use crate::source::Pos;
use crate::types::{BitField, Type, TypeId};
use raddle_ir::{BinOp, ExprId, Label, Order, Place, Sort, VarId};

/// What an lvalue denotes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// A local variable.
    Local(VarId),
    /// A shared (or thread-local) variable, or memory.
    Shared(Place),
    /// Bits in memory, and the bytes of the bit-fields beside them, where races count.
    Bits(ExprId, BitField, Neighbours),
}

/// More parts than this are copied by a loop.
const MOST_COPIED_PARTS: usize = 128;

impl<'a> Builder<'_, 'a> {
    pub fn target(&mut self, lvalue: &'a Expr) -> Result<Target> {
        match &lvalue.kind {
            ExprKind::Local(local) => {
                if let LocalHome::Var(var) = self.home(*local) {
                    return Ok(Target::Local(var));
                }
            }
            ExprKind::Global(global) => {
                self.check_known(*global, lvalue.pos)?;
                if let GlobalHome::Var(var) = self.global_home(*global) {
                    return Ok(Target::Shared(Place::Var(var)));
                }
            }
            ExprKind::Member { base, offset, bits: Some(bits) } => {
                let neighbours = self.neighbours(base.ty, *offset, *bits);
                let base = self.address_of(base)?;
                let address = self.offset(base, *offset);
                return Ok(Target::Bits(address, *bits, neighbours));
            }
            ExprKind::CompoundLiteral(local, init) => {
                if let LocalHome::Var(var) = self.home(*local) {
                    if init.zero_rest {
                        let zero = raddle_ir::Const { sort: self.cx.vars[var.index()].sort, bits: 0 };
                        let zero = self.cx.pool.constant(zero);
                        self.assign(var, zero);
                    }
                    self.init_variable(var, init)?;
                    return Ok(Target::Local(var));
                }
            }
            _ => {}
        }
        let address = self.address_of(lvalue)?;
        Ok(Target::Shared(Place::Memory(address)))
    }

    /// What a variable of the library holds, no model knows.
    fn check_known(&self, global: GlobalId, pos: Pos) -> Result<()> {
        let global = &self.hir().globals[global.index()];
        match !global.defined && library_names::is_variable(&global.name) {
            true => Err(Error::unsupported(pos, format!("the variable `{}` of the C library", global.name))),
            false => Ok(()),
        }
    }

    /// The address of an lvalue in memory (or of the memory that holds a record value).
    pub fn address_of(&mut self, lvalue: &'a Expr) -> Result<ExprId> {
        if let ExprKind::Global(global) = lvalue.kind {
            self.check_known(global, lvalue.pos)?;
        }
        match &lvalue.kind {
            ExprKind::Local(local) => match self.home(*local) {
                LocalHome::Memory(address) => Ok(self.var_value(address)),
                LocalHome::Var(_) => Err(Error::unsupported(lvalue.pos, "the address of a register variable")),
            },
            ExprKind::Global(global) => match self.global_home(*global) {
                GlobalHome::Memory(address) => Ok(self.cx.address(address)),
                GlobalHome::Var(_) | GlobalHome::Nowhere => {
                    Err(Error::unsupported(lvalue.pos, "the address of a variable outside memory"))
                }
                GlobalHome::PerThread(proc) => {
                    let sort = self.cx.pointer_sort();
                    let var = self.temp(sort);
                    let callee = raddle_ir::Callee::Proc(proc);
                    self.emit_step(vec![Label::Call {
                        callee,
                        args: vec![],
                        var: Some(var),
                        site: raddle_ir::Origin::default(),
                    }]);
                    Ok(self.var_value(var))
                }
            },
            ExprKind::Str(id) => Ok(self.cx.string(*id)),
            ExprKind::Function(id) => self.cx.function_pointer(*id),
            ExprKind::Deref(pointer) => self.used_pointer(pointer),
            ExprKind::Member { base, offset, .. } => {
                let base = self.address_of(base)?;
                Ok(self.offset(base, *offset))
            }
            ExprKind::CompoundLiteral(local, init) => {
                let holder = self.compound_literal(*local, init, lvalue.pos)?;
                match init.entries.iter().any(|e| e.ty == lvalue.ty && self.cx.is_record(e.ty)) {
                    true => self.ends_with_expression(holder),
                    false => self.ends_with_scope(holder),
                }
                Ok(self.var_value(holder))
            }
            _ if self.cx.is_record(lvalue.ty) => self.record_address(lvalue),
            // GNU C lets casts and conditionals that sema keeps as lvalues pass; anything else is a bug upstream.
            _ => Err(Error::unsupported(lvalue.pos, "this expression as an lvalue")),
        }
    }

    /// Stores a compound literal; the variable that holds its address.
    fn compound_literal(&mut self, local: LocalId, init: &'a Init, pos: Pos) -> Result<VarId> {
        let LocalHome::Memory(holder) = self.home(local) else {
            return Err(Error::unsupported(pos, "a compound literal of this type"));
        };
        let base = self.var_value(holder);
        let ty = self.cx.hir_function(self.function).locals[local.index()].ty;
        if init.zero_rest {
            let parts = self.parts(ty, usize::MAX).unwrap_or_default();
            self.store_zeros(base, &parts);
        }
        self.store_init(base, ty, init)?;
        Ok(holder)
    }

    /// Where a value of record type lies. It is used before anything else can change it.
    pub fn record_address(&mut self, value: &'a Expr) -> Result<ExprId> {
        match self.evaluated(value) {
            Some(address) => Ok(address),
            None => self.planned(value, |this| this.address_of_record(value)),
        }
    }

    fn address_of_record(&mut self, value: &'a Expr) -> Result<ExprId> {
        match &value.kind {
            ExprKind::Load(lvalue) if self.is_atomic(lvalue.ty) => {
                let from = self.address_of(lvalue)?;
                self.emit_step(vec![Label::AtomicBegin]);
                let kept = self.kept_record(from, lvalue.ty)?;
                self.emit_step(vec![Label::AtomicEnd]);
                Ok(kept)
            }
            ExprKind::Load(lvalue) => match &lvalue.kind {
                // Nobody else has its address, so its life need not end.
                ExprKind::CompoundLiteral(local, init) => {
                    let holder = self.compound_literal(*local, init, lvalue.pos)?;
                    Ok(self.var_value(holder))
                }
                _ => self.address_of(lvalue),
            },
            ExprKind::Call { callee, args } => {
                let size = self.cx.size(value.ty, value.pos)?;
                let result = self.scratch("returned record", size);
                self.call(value, callee, args, Some(result), true)?;
                Ok(result)
            }
            ExprKind::Assign(left, right) if is_elements(right) => {
                let values = self.element_values(right)?;
                let to = self.address_of(left)?;
                self.store_elements(to, left.ty, &values);
                Ok(to)
            }
            ExprKind::Assign(left, right) => {
                let from = self.record_address(right)?;
                let to = self.address_of(left)?;
                if self.is_atomic(left.ty) {
                    let kept = self.kept_record(from, left.ty)?;
                    self.emit_step(vec![Label::AtomicBegin]);
                    self.copy_record(to, kept, left.ty)?;
                    self.emit_step(vec![Label::AtomicEnd]);
                    return Ok(kept);
                }
                self.copy_record(to, from, left.ty)?;
                self.assign_mutexes(to, left.ty, right);
                Ok(to)
            }
            ExprKind::Comma(left, right) => {
                self.effect(left)?;
                self.record_address(right)
            }
            ExprKind::Conditional { cond, then, otherwise } => {
                let sort = self.cx.pointer_sort();
                let result = self.temp(sort);
                self.choose(cond, result, |this| this.record_address(then), |this| this.record_address(otherwise))
            }
            ExprKind::StmtExpr(body, Some(last)) => {
                let outer = self.cleanups.len();
                self.scopes += 1;
                let from = self.inner_statements(body).and_then(|()| self.record_address(last));
                self.scopes -= 1;
                let mut from = from?;
                if self.cleanups.len() > outer {
                    from = self.kept_record(from, value.ty)?;
                }
                self.leave_scope(outer)?;
                Ok(from)
            }
            ExprKind::Elements(_) => {
                let values = self.element_values(value)?;
                let size = self.cx.size(value.ty, value.pos)?;
                let at = self.scratch("elements", size);
                self.store_elements(at, value.ty, &values);
                Ok(at)
            }
            ExprKind::Convert(inner) if self.cx.is_record(inner.ty) => self.record_address(inner),
            ExprKind::VaArg(list) => self.variable_argument(list, value.ty),
            _ => self.address_of(value),
        }
    }

    /// The elements of a value that is given by them.
    fn element_values(&mut self, value: &'a Expr) -> Result<Vec<ExprId>> {
        match &value.kind {
            ExprKind::StmtExpr(body, Some(last)) => {
                self.inner_statements(body)?;
                self.element_values(last)
            }
            ExprKind::Elements(elements) => elements.iter().map(|e| self.value(e)).collect(),
            _ => Err(Error::unsupported(value.pos, "the elements of this value")),
        }
    }

    fn store_elements(&mut self, to: ExprId, ty: TypeId, values: &[ExprId]) {
        let types = &self.hir().types;
        let size = types.elements(ty).and_then(|(element, _)| types.size(element)).unwrap_or(0);
        for (index, value) in values.iter().enumerate() {
            let at = self.offset(to, index as u64 * size);
            self.store_memory(at, *value);
        }
    }

    /// A copy of a record that nobody else can change.
    pub fn kept_record(&mut self, from: ExprId, ty: TypeId) -> Result<ExprId> {
        let size = self.cx.size(ty, self.pos)?;
        let kept = self.scratch("record value", size);
        self.copy_record(kept, from, ty)?;
        Ok(kept)
    }

    fn is_atomic(&self, ty: TypeId) -> bool {
        matches!(self.hir().types.get(ty), Type::Atomic(_))
    }

    /// The order of an access to an lvalue of a type.
    fn order(&self, ty: TypeId) -> Order {
        match self.hir().types.get(ty) {
            Type::Atomic(_) => Order::SeqCst,
            _ => self.plain_order(ty),
        }
    }

    /// The scalar value of an lvalue.
    pub fn read(&mut self, target: Target, ty: TypeId) -> Result<ExprId> {
        match target {
            Target::Local(var) => Ok(self.var_value(var)),
            Target::Shared(place) => {
                let sort = self.cx.scalar_sort(ty, self.pos)?;
                let order = self.order(ty);
                let value = self.load(place, sort, order);
                if self.is_bool(ty) && matches!(place, Place::Memory(_)) {
                    // Memory that was never written has any byte.
                    let cond = self.is_true(value);
                    return Ok(self.bool_bits(cond, 8));
                }
                Ok(value)
            }
            Target::Bits(address, bits, neighbours) => {
                self.touch_neighbours(address, neighbours, false);
                let unit = self.load(Place::Memory(address), unit_sort(bits), self.plain_order(ty));
                let field = self.cx.pool.extract(bits.shift + bits.width - 1, bits.shift, unit);
                let sort = self.cx.scalar_sort(ty, self.pos)?;
                let width = sort.bits().unwrap_or(32);
                Ok(if self.hir().types.is_signed(ty) {
                    self.cx.pool.sign_ext(width, field)
                } else {
                    self.cx.pool.zero_ext(width, field)
                })
            }
        }
    }

    /// Writes a scalar and returns what the lvalue then holds.
    pub fn write(&mut self, target: Target, ty: TypeId, value: ExprId) -> Result<ExprId> {
        match target {
            Target::Local(var) => {
                self.assign(var, value);
                // Not `value`, which may mention the variable's old value.
                Ok(self.var_value(var))
            }
            Target::Shared(place) => {
                let order = self.order(ty);
                self.emit(Label::Store { place, value, order });
                Ok(value)
            }
            Target::Bits(address, bits, neighbours) => {
                self.touch_neighbours(address, neighbours, true);
                self.write_bits(address, bits, value, self.plain_order(ty));
                let field = self.cx.pool.extract(bits.width - 1, 0, value);
                let width = self.cx.pool.sort(value).bits().unwrap_or(32);
                Ok(if self.hir().types.is_signed(ty) {
                    self.cx.pool.sign_ext(width, field)
                } else {
                    self.cx.pool.zero_ext(width, field)
                })
            }
        }
    }

    /// A bit-field is written by reading the bytes around it and writing them back: two accesses, as compilers do it.
    fn write_bits(&mut self, address: ExprId, bits: BitField, value: ExprId, order: Order) {
        let sort = unit_sort(bits);
        let unit_width = sort.bits().unwrap_or(8);
        let value = self.hide(value);
        let field = self.cx.pool.extract(bits.width - 1, 0, value);
        let place = Place::Memory(address);
        let mut unit = field;
        if bits.width < unit_width {
            let old = self.load(place, sort, order);
            if bits.shift > 0 {
                let low = self.cx.pool.extract(bits.shift - 1, 0, old);
                unit = self.cx.pool.binary(BinOp::Concat, unit, low);
            }
            if bits.shift + bits.width < unit_width {
                let high = self.cx.pool.extract(unit_width - 1, bits.shift + bits.width, old);
                unit = self.cx.pool.binary(BinOp::Concat, high, unit);
            }
        }
        self.emit(Label::Store { place, value: unit, order });
    }

    pub fn load(&mut self, place: Place, sort: Sort, order: Order) -> ExprId {
        let var = self.temp(sort);
        self.emit(Label::Load { var, place, order });
        self.var_value(var)
    }

    pub fn store_memory(&mut self, address: ExprId, value: ExprId) {
        self.emit(Label::Store { place: Place::Memory(address), value, order: Order::NonAtomic });
    }

    pub fn store_zeros(&mut self, base: ExprId, parts: &[(u64, Sort)]) {
        for &(offset, sort) in parts {
            let at = self.offset(base, offset);
            let zero = self.cx.pool.constant(raddle_ir::Const { sort, bits: 0 });
            self.store_memory(at, zero);
        }
    }

    /// Assigns what an initialiser says to a scalar variable.
    pub fn init_variable(&mut self, var: VarId, init: &'a Init) -> Result<()> {
        self.planned(init, |this| this.assign_init(var, init))
    }

    fn assign_init(&mut self, var: VarId, init: &'a Init) -> Result<()> {
        for entry in &init.entries {
            if let InitValue::Expr(expr) = &entry.value {
                let value = self.value(expr)?;
                self.assign(var, value);
            }
        }
        Ok(())
    }

    /// Stores the entries of an initialiser into an object.
    pub fn store_init(&mut self, base: ExprId, ty: TypeId, init: &'a Init) -> Result<()> {
        self.planned(init, |this| this.store_entries(base, ty, init))
    }

    fn store_entries(&mut self, base: ExprId, ty: TypeId, init: &'a Init) -> Result<()> {
        for entry in &init.entries {
            let at = self.offset(base, entry.offset);
            match &entry.value {
                InitValue::Bytes(bytes) => {
                    for (i, &byte) in bytes.iter().enumerate() {
                        let at = self.offset(at, i as u64);
                        let byte = self.cx.pool.bits(8, byte.into());
                        self.store_memory(at, byte);
                    }
                }
                InitValue::Expr(expr) if is_elements(expr) => {
                    let values = self.element_values(expr)?;
                    self.store_elements(at, expr.ty, &values);
                }
                InitValue::Expr(expr) if self.cx.is_record(expr.ty) => {
                    let from = self.record_address(expr)?;
                    self.copy_record(at, from, expr.ty)?;
                }
                InitValue::Expr(expr) => {
                    let value = self.value(expr)?;
                    match entry.bits {
                        Some(bits) => self.write_bits(at, bits, value, Order::NonAtomic),
                        None => self.store_memory(at, value),
                    }
                }
            }
        }
        self.init_mutexes(base, ty, init);
        Ok(())
    }

    /// Copies a record part by part (each one shared access); a large one by a loop over words.
    pub fn copy_record(&mut self, to: ExprId, from: ExprId, ty: TypeId) -> Result<()> {
        if to == from {
            return Ok(());
        }
        let order = self.plain_order(ty);
        if let Some(parts) = self.parts(ty, MOST_COPIED_PARTS) {
            for (offset, sort) in parts {
                let source = self.offset(from, offset);
                let mark = self.temp_mark();
                let value = self.load(Place::Memory(source), sort, order);
                let target = self.offset(to, offset);
                self.emit(Label::Store { place: Place::Memory(target), value, order });
                self.release_temps(mark);
            }
            return Ok(());
        }
        let size = self.cx.size(ty, self.pos)?;
        let words = size / 8;
        let pointer = self.cx.pointer_sort();
        let index = self.temp(pointer);
        let zero = self.cx.address(0);
        self.assign(index, zero);
        let (head, inside, after) = (self.new_location(), self.new_location(), self.new_location());
        self.enter(head);
        let offset = self.var_value(index);
        let end = self.cx.address(words * 8);
        let more = self.cx.pool.binary(BinOp::ULt, offset, end);
        self.branch(more, inside, after);
        self.here = inside;
        let source = self.cx.pool.binary(BinOp::BvAdd, from, offset);
        let target = self.cx.pool.binary(BinOp::BvAdd, to, offset);
        let value = self.load(Place::Memory(source), Sort::Bits(64), order);
        self.emit(Label::Store { place: Place::Memory(target), value, order });
        let next = self.offset(offset, 8);
        self.assign(index, next);
        self.jump(head);
        self.here = after;
        for byte in words * 8..size {
            let source = self.offset(from, byte);
            let value = self.load(Place::Memory(source), Sort::Bits(8), order);
            let target = self.offset(to, byte);
            self.emit(Label::Store { place: Place::Memory(target), value, order });
        }
        Ok(())
    }

    /// The scalar parts of a type, by offset, that together hold its value; `None` if there are more than `most`. A union is
    /// taken as words and bytes, since any of its members may be the live one.
    pub fn parts(&self, ty: TypeId, most: usize) -> Option<Vec<(u64, Sort)>> {
        let mut parts = vec![];
        self.collect_parts(ty, 0, most, &mut parts)?;
        // Neighbouring bit-fields share bytes.
        parts.sort_unstable();
        parts.dedup();
        Some(parts)
    }

    fn collect_parts(&self, ty: TypeId, at: u64, most: usize, parts: &mut Vec<(u64, Sort)>) -> Option<()> {
        let types = &self.hir().types;
        if let Some(sort) = types.scalar_sort(ty) {
            parts.push((at, sort));
            return (parts.len() <= most).then_some(());
        }
        match *types.get(ty) {
            Type::Atomic(inner) => self.collect_parts(inner, at, most, parts),
            Type::Complex(_) | Type::Vector(..) => {
                let (element, len) = types.elements(ty)?;
                let array = (0..len).map(|i| at + i * types.size(element).unwrap_or(0));
                for at in array {
                    self.collect_parts(element, at, most, parts)?;
                }
                Some(())
            }
            Type::Array(element, len) => {
                let stride = types.size(element)?;
                for i in 0..len.unwrap_or(0) {
                    self.collect_parts(element, at + i * stride, most, parts)?;
                }
                Some(())
            }
            Type::Record(record) => {
                let record = &types.records[record.0 as usize];
                let layout = record.layout.as_ref()?;
                if record.is_union {
                    let mut offset = 0;
                    while offset < layout.size {
                        let word = [8, 4, 2, 1].into_iter().find(|w| offset % w == 0 && offset + w <= layout.size)?;
                        let word = u64::min(word, layout.align.max(1));
                        parts.push((at + offset, Sort::Bits(word as u8 * 8)));
                        offset += word;
                        if parts.len() > most {
                            return None;
                        }
                    }
                    return Some(());
                }
                for field in &layout.fields {
                    match field.bits {
                        Some(bits) => {
                            for byte in 0..u64::from((bits.shift + bits.width).div_ceil(8)) {
                                parts.push((at + field.offset + byte, Sort::Bits(8)));
                            }
                            if parts.len() > most {
                                return None;
                            }
                        }
                        None => self.collect_parts(field.ty, at + field.offset, most, parts)?,
                    }
                }
                Some(())
            }
            _ => None,
        }
    }

    /// The size of a type as a value, also of a variable-length array.
    pub fn computed_size(&mut self, ty: TypeId, pos: crate::source::Pos) -> Result<ExprId> {
        match *self.hir().types.get(ty) {
            Type::Vla(element, len) => {
                let element = self.computed_size(element, pos)?;
                let LocalHome::Var(len) = self.home(len) else {
                    return Err(Error::unsupported(pos, "the length of this array"));
                };
                let len = self.var_value(len);
                Ok(self.cx.pool.binary(BinOp::BvMul, len, element))
            }
            Type::Array(element, Some(len)) => {
                let element = self.computed_size(element, pos)?;
                let len = self.cx.address(len);
                Ok(self.cx.pool.binary(BinOp::BvMul, len, element))
            }
            _ => {
                let size = self.cx.size(ty, pos)?;
                Ok(self.cx.address(size))
            }
        }
    }
}

/// Is a value given by its elements in the end?
fn is_elements(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Elements(_) => true,
        ExprKind::StmtExpr(_, Some(last)) => is_elements(last),
        _ => false,
    }
}

/// The bytes that a bit-field lies in.
fn unit_sort(bits: BitField) -> Sort {
    Sort::Bits((bits.shift + bits.width).div_ceil(8) * 8)
}
