//! gcc's builtins: atomic operations (`__sync_*`, `__atomic_*`), bit operations, checked arithmetic, variable arguments.
//!
//! An atomic read-modify-write is one step that loads and stores. Compare-and-swap is two edges from one location, of which exactly one can
//! be taken: load and compare equal and store, or load and compare different.

use super::builder::Builder;
use super::place::Target;
use crate::error::{Error, Result};
use crate::hir::{Expr, ExprKind};
use crate::types::{Type, TypeId};
use raddle_ir::{BinOp, ExprId, HavocReason, Label, Order, Place, Sort, Storage, UnOp};

impl<'a> Builder<'_, 'a> {
    /// The shared cell behind an `_Atomic` lvalue.
    pub fn atomic_cell(&self, lvalue: &Expr, target: Target) -> Option<(Place, Sort)> {
        match (self.hir().types.get(lvalue.ty), target) {
            (Type::Atomic(inner), Target::Shared(place)) => Some((place, self.hir().types.scalar_sort(*inner)?)),
            _ => None,
        }
    }

    /// Reads, computes and writes in one step; returns the old and the new value.
    pub fn update(
        &mut self,
        place: Place,
        sort: Sort,
        order: Order,
        compute: impl FnOnce(&mut Self, ExprId) -> Result<ExprId>,
    ) -> Result<(ExprId, ExprId)> {
        let var = self.temp(sort);
        let old = self.var_value(var);
        let new = compute(self, old)?;
        let (load, store) = split(order);
        self.emit_step(vec![Label::Load { var, place, order: load }, Label::Store { place, value: new, order: store }]);
        Ok((old, new))
    }

    /// Returns the old value and whether it was swapped; `failed` runs where it was not. A weak one may also fail where the values are equal (C11 7.17.7.4).
    fn compare_and_swap(
        &mut self,
        place: Place,
        (expected, desired): (ExprId, ExprId),
        weak: Option<ExprId>,
        order: Order,
        failed: impl FnOnce(&mut Self, ExprId),
    ) -> (ExprId, ExprId) {
        let sort = self.cx.pool.sort(desired);
        let var = self.temp(sort);
        let swapped = self.temp(Sort::Bool);
        let old = self.var_value(var);
        let mut equal = self.cx.pool.eq(old, expected);
        if let Some(weak) = weak {
            let is_weak = self.is_true(weak);
            if !self.cx.pool.is_bool(is_weak, false) {
                let succeeds = self.any_value(Sort::Bool, HavocReason::UndefinedFunction);
                let is_strong = self.cx.pool.not(is_weak);
                let can = self.cx.pool.or(succeeds, is_strong);
                equal = self.cx.pool.and(equal, can);
            }
        }
        let different = self.cx.pool.not(equal);
        let (yes, no) = (self.cx.pool.bool(true), self.cx.pool.bool(false));
        let (load, store) = split(order);
        let (fails, after) = (self.new_location(), self.new_location());
        let read = Label::Load { var, place, order: load };
        let write = Label::Store { place, value: desired, order: store };
        let says = |value| Label::Assign { var: swapped, value };
        self.check_use(&write);
        self.guarded_edge(vec![read.clone(), Label::Assume(equal), write, says(yes)], after);
        // On x86, an exchange that fails empties the store buffer as well: its instruction is locked.
        let fence = Label::Fence(Order::SeqCst);
        self.guarded_edge(vec![fence, read, Label::Assume(different), says(no)], fails);
        self.here = fails;
        self.close();
        failed(self, old);
        self.enter(after);
        let swapped = self.var_value(swapped);
        (old, swapped)
    }

    /// A call of a gcc builtin.
    pub fn builtin(&mut self, name: &str, expr: &'a Expr, args: &'a [Expr]) -> Result<Option<ExprId>> {
        if let Some(verb) = name.strip_prefix("__builtin_va_") {
            self.variable_list(verb, expr, args)?;
            return Ok(None);
        }
        if let Some(argument) = name.strip_prefix("__raddle_argument ") {
            return self.any_argument(argument, expr).map(Some);
        }
        if let Some(argument) = name.strip_prefix("__raddle_opaque ") {
            return self.opaque_argument(argument, expr).map(Some);
        }
        let mut values = vec![];
        for arg in args {
            let value =
                if self.hir().types.scalar_sort(arg.ty).is_some() { self.value(arg)? } else { self.address_of(arg)? };
            values.push(value);
        }
        let unknown = || Error::unsupported(expr.pos, format!("the builtin `{name}`"));
        if let Some(rest) = name.strip_prefix("__sync_") {
            return self.sync(rest, args, &values)?.ok_or_else(unknown);
        }
        if let Some(rest) = name.strip_prefix("__atomic_").or_else(|| name.strip_prefix("__c11_atomic_")) {
            return self.atomic_builtin(rest, args, &values)?.ok_or_else(unknown);
        }
        let short = name.strip_prefix("__builtin_").unwrap_or(name);
        let first = values.first().copied();
        Ok(match (short, first) {
            ("unreachable", _) => {
                self.unreachable();
                None
            }
            ("trap" | "abort", _) => {
                self.abort();
                None
            }
            ("expect" | "expect_with_probability" | "assume_aligned" | "launder", Some(value)) => Some(value),
            ("prefetch" | "clear_cache" | "assume", _) => None,
            ("object_size" | "dynamic_object_size", _) => {
                let unknown_size =
                    if args.len() > 1 && matches!(args[1].kind, ExprKind::Int(2 | 3)) { 0 } else { u64::MAX };
                Some(self.cx.pool.bits(self.cx.pointer_bits, unknown_size.into()))
            }
            ("__raddle_object", Some(size)) => Some(self.allocate(size, Storage::Heap, false)),
            ("alloca" | "alloca_with_align", Some(size)) => Some(self.allocate(size, Storage::Stack, false)),
            ("constant_p", _) => Some(self.cx.pool.bits(32, 0)),
            (_, Some(value)) => {
                if let Some(result) = self.bit_builtin(short, value) {
                    return Ok(Some(result));
                }
                if let Some(result) = self.overflow_builtin(short, args, &values)? {
                    return Ok(Some(result));
                }
                Some(self.float_builtin(short, &values).ok_or_else(unknown)?)
            }
            _ => return Err(unknown()),
        })
    }

    /// `va_start`, `va_copy`, `va_end`: the lists are passed as addresses of lvalues, which may be registers.
    fn variable_list(&mut self, verb: &str, expr: &'a Expr, args: &'a [Expr]) -> Result<()> {
        let list = |index: usize| match args.get(index).map(|arg| &arg.kind) {
            Some(ExprKind::AddrOf(list)) => Ok(&**list),
            _ => Err(Error::unsupported(expr.pos, format!("`va_{verb}` on this list"))),
        };
        let value = match verb {
            "start" => match self.variable_arguments {
                Some(area) => self.var_value(area),
                None => return Err(Error::invalid(expr.pos, "`va_start` in a function without variable arguments")),
            },
            "copy" => {
                let from = list(1)?;
                let target = self.target(from)?;
                self.read(target, from.ty)?
            }
            _ => return Ok(()),
        };
        let to = list(0)?;
        let target = self.target(to)?;
        self.write(target, to.ty, value).map(|_| ())
    }

    fn pointee_sort(&self, arg: &Expr) -> Option<(TypeId, Sort)> {
        match *self.hir().types.get(arg.ty) {
            Type::Pointer(to) => {
                let to = self.hir().types.strip_atomic(to);
                Some((to, self.hir().types.scalar_sort(to)?))
            }
            _ => None,
        }
    }

    fn fit_operand(&mut self, args: &[Expr], values: &[ExprId], index: usize, sort: Sort) -> Option<ExprId> {
        let (value, arg) = (*values.get(index)?, args.get(index)?);
        let have = self.cx.pool.sort(value);
        // A narrower signed operand is sign-extended, as converting it to the object's type would.
        if let (Sort::Bits(have), Sort::Bits(want)) = (have, sort)
            && have < want
            && self.hir().types.is_signed(arg.ty)
        {
            return Some(self.cx.pool.sign_ext(want, value));
        }
        Some(self.fit(value, sort))
    }

    fn sync(&mut self, name: &str, args: &'a [Expr], values: &[ExprId]) -> Result<Option<Option<ExprId>>> {
        if name == "synchronize" {
            self.emit(Label::Fence(Order::SeqCst));
            return Ok(Some(None));
        }
        // Size suffixes: __sync_fetch_and_add_4.
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        let Some((_, sort)) = args.first().and_then(|a| self.pointee_sort(a)) else { return Ok(None) };
        let place = Place::Memory(values[0]);
        let order = Order::SeqCst;
        let operand = self.fit_operand(args, values, 1, sort);
        match name {
            "lock_release" => {
                let value = self.cx.pool.constant(raddle_ir::Const { sort, bits: 0 });
                self.emit(Label::Store { place, value, order: Order::Release });
                return Ok(Some(None));
            }
            "lock_test_and_set" => {
                let Some(operand) = operand else { return Ok(None) };
                // It acquires, and does not release.
                let order = if self.finds_races() { Order::Acquire } else { order };
                let (old, _) = self.update(place, sort, order, |_, _| Ok(operand))?;
                return Ok(Some(Some(old)));
            }
            "bool_compare_and_swap" | "val_compare_and_swap" => {
                let (Some(expected), Some(desired)) = (operand, self.fit_operand(args, values, 2, sort)) else {
                    return Ok(None);
                };
                let (old, swapped) = self.compare_and_swap(place, (expected, desired), None, order, |_, _| {});
                let value = if name.starts_with("bool") { self.bool_bits(swapped, 8) } else { old };
                return Ok(Some(Some(value)));
            }
            _ => {}
        }
        let (op, wants_old) = match (name.strip_prefix("fetch_and_"), name.strip_suffix("_and_fetch")) {
            (Some(op), _) => (op, true),
            (_, Some(op)) => (op, false),
            _ => return Ok(None),
        };
        let Some(operand) = operand else { return Ok(None) };
        self.fetch_op(place, sort, order, op, operand, wants_old)
    }

    fn fetch_op(
        &mut self,
        place: Place,
        sort: Sort,
        order: Order,
        op: &str,
        operand: ExprId,
        wants_old: bool,
    ) -> Result<Option<Option<ExprId>>> {
        let (op, negate) = match op {
            "add" => (BinOp::BvAdd, false),
            "sub" => (BinOp::BvSub, false),
            "and" => (BinOp::BvAnd, false),
            "or" => (BinOp::BvOr, false),
            "xor" => (BinOp::BvXor, false),
            "nand" => (BinOp::BvAnd, true),
            _ => return Ok(None),
        };
        let (old, new) = self.update(place, sort, order, |this, old| {
            let new = this.cx.pool.binary(op, old, operand);
            Ok(if negate { this.cx.pool.unary(UnOp::BvNot, new) } else { new })
        })?;
        Ok(Some(Some(if wants_old { old } else { new })))
    }

    fn atomic_builtin(&mut self, name: &str, args: &'a [Expr], values: &[ExprId]) -> Result<Option<Option<ExprId>>> {
        let order = |this: &Self, index: usize| values.get(index).map_or(Order::SeqCst, |v| this.memory_order(*v));
        match name {
            // A barrier for the compiler alone.
            "signal_fence" => return Ok(Some(None)),
            "thread_fence" => {
                let order = order(self, 0);
                self.emit(Label::Fence(order));
                return Ok(Some(None));
            }
            "always_lock_free" | "is_lock_free" => {
                return Ok(Some(Some(self.cx.pool.bits(8, 1))));
            }
            "test_and_set" => {
                let one = self.cx.pool.bits(8, 1);
                let order = order(self, 1);
                let (old, _) = self.update(Place::Memory(values[0]), Sort::Bits(8), order, |_, _| Ok(one))?;
                return Ok(Some(Some(old)));
            }
            "clear" => {
                let value = self.cx.pool.bits(8, 0);
                let order = order(self, 1);
                self.emit(Label::Store { place: Place::Memory(values[0]), value, order });
                return Ok(Some(None));
            }
            _ => {}
        }
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        let Some((_, sort)) = args.first().and_then(|a| self.pointee_sort(a)) else { return Ok(None) };
        let place = Place::Memory(values[0]);
        // The forms without `_n` pass operands and results by address.
        let indirect = |this: &mut Self, index: usize| {
            values.get(index).map(|at| this.load(Place::Memory(*at), sort, Order::NonAtomic))
        };
        match name {
            "load_n" => {
                let order = order(self, 1);
                Ok(Some(Some(self.load(place, sort, order))))
            }
            "load" => {
                if values.len() < 3 {
                    let order = order(self, 1);
                    return Ok(Some(Some(self.load(place, sort, order))));
                }
                let order = order(self, 2);
                let value = self.load(place, sort, order);
                self.store_memory(values[1], value);
                Ok(Some(None))
            }
            "store_n" | "store" | "init" => {
                let by_address = name == "store" && self.is_pointer_to(&args[1], sort);
                let operand = if by_address { indirect(self, 1) } else { self.fit_operand(args, values, 1, sort) };
                let Some(value) = operand else { return Ok(None) };
                // To initialise is no atomic operation (C11 7.17.2.1).
                let order = match name {
                    "init" if self.finds_races() => Order::NonAtomic,
                    _ => order(self, 2),
                };
                self.emit(Label::Store { place, value, order });
                Ok(Some(None))
            }
            "exchange_n" => {
                let Some(operand) = self.fit_operand(args, values, 1, sort) else { return Ok(None) };
                let order = order(self, 2);
                let (old, _) = self.update(place, sort, order, |_, _| Ok(operand))?;
                Ok(Some(Some(old)))
            }
            "exchange" => {
                if values.len() < 4 {
                    return Ok(None);
                }
                let Some(operand) = indirect(self, 1) else { return Ok(None) };
                let order = order(self, 3);
                let (old, _) = self.update(place, sort, order, |_, _| Ok(operand))?;
                self.store_memory(values[2], old);
                Ok(Some(None))
            }
            "compare_exchange_n" | "compare_exchange" => {
                let Some(expected) = indirect(self, 1) else { return Ok(None) };
                let operand =
                    if name.ends_with("_n") { self.fit_operand(args, values, 2, sort) } else { indirect(self, 2) };
                let Some(desired) = operand else { return Ok(None) };
                // One order for both outcomes: where races count, the weaker one, since one that fails orders as little as its own says.
                let order = match self.finds_races() {
                    true => order(self, 4).min(order(self, 5)),
                    false => order(self, 4),
                };
                let expected_at = values[1];
                let (_, swapped) =
                    self.compare_and_swap(place, (expected, desired), values.get(3).copied(), order, |this, old| {
                        this.store_memory(expected_at, old)
                    });
                Ok(Some(Some(self.bool_bits(swapped, 8))))
            }
            _ => {
                let (op, wants_old) = match (name.strip_prefix("fetch_"), name.strip_suffix("_fetch")) {
                    (Some(op), _) => (op, true),
                    (_, Some(op)) => (op, false),
                    _ => return Ok(None),
                };
                let Some(operand) = self.fit_operand(args, values, 1, sort) else { return Ok(None) };
                let order = order(self, 2);
                self.fetch_op(place, sort, order, op, operand, wants_old)
            }
        }
    }

    fn is_pointer_to(&self, arg: &Expr, sort: Sort) -> bool {
        self.pointee_sort(arg).is_some_and(|(_, s)| s == sort)
    }

    pub(super) fn memory_order(&self, value: ExprId) -> Order {
        match self.cx.pool.as_const(value).map(|c| c.bits) {
            Some(0) => Order::Relaxed,
            Some(1 | 2) => Order::Acquire,
            Some(3) => Order::Release,
            Some(4) => Order::AcqRel,
            // It may be any.
            None if self.finds_races() => Order::Relaxed,
            _ => Order::SeqCst,
        }
    }

    /// clz, ctz, popcount, parity, ffs, bswap on any width.
    fn bit_builtin(&mut self, name: &str, value: ExprId) -> Option<ExprId> {
        let Sort::Bits(width) = self.cx.pool.sort(value) else { return None };
        let value = self.hide(value);
        let pool = &mut self.cx.pool;
        if name.starts_with("bswap") {
            let mut swapped = pool.extract(7, 0, value);
            for byte in 1..width / 8 {
                let next = pool.extract(byte * 8 + 7, byte * 8, value);
                swapped = pool.binary(BinOp::Concat, swapped, next);
            }
            return Some(swapped);
        }
        let base = name.trim_end_matches('l');
        let bit = |pool: &mut raddle_ir::ExprPool, i: u8| {
            let bit = pool.extract(i, i, value);
            let one = pool.bits(1, 1);
            pool.eq(bit, one)
        };
        match base {
            "popcount" | "parity" => {
                let mut sum = pool.bits(32, 0);
                for i in 0..width {
                    let bit = pool.extract(i, i, value);
                    let bit = pool.zero_ext(32, bit);
                    sum = pool.binary(BinOp::BvAdd, sum, bit);
                }
                if base == "parity" {
                    let one = pool.bits(32, 1);
                    sum = pool.binary(BinOp::BvAnd, sum, one);
                }
                Some(sum)
            }
            // Of zero, clz and ctz are undefined: the width, then.
            "clz" => {
                let mut count = pool.bits(32, width.into());
                for i in 0..width {
                    let set = bit(pool, i);
                    let here = pool.bits(32, u128::from(width - 1 - i));
                    count = pool.ite(set, here, count);
                }
                Some(count)
            }
            "ctz" | "ffs" => {
                let is_ffs = base == "ffs";
                let mut count = pool.bits(32, if is_ffs { 0 } else { width.into() });
                for i in (0..width).rev() {
                    let set = bit(pool, i);
                    let here = pool.bits(32, u128::from(i) + u128::from(is_ffs));
                    count = pool.ite(set, here, count);
                }
                Some(count)
            }
            "clrsb" => {
                let sign = bit(pool, width - 1);
                let mut count = pool.bits(32, u128::from(width - 1));
                for i in 0..width - 1 {
                    let set = bit(pool, i);
                    let differs = pool.binary(BinOp::Xor, set, sign);
                    let here = pool.bits(32, u128::from(width - 2 - i));
                    count = pool.ite(differs, here, count);
                }
                Some(count)
            }
            _ => None,
        }
    }

    /// `__builtin_add_overflow(a, b, &r)` and its relatives: as if in unbounded arithmetic, then cut to the result's type.
    fn overflow_builtin(&mut self, name: &str, args: &'a [Expr], values: &[ExprId]) -> Result<Option<ExprId>> {
        let Some(base) = name.strip_suffix("_overflow").or_else(|| name.strip_suffix("_overflow_p")) else {
            return Ok(None);
        };
        let op = match base {
            "add" => BinOp::BvAdd,
            "sub" => BinOp::BvSub,
            "mul" => BinOp::BvMul,
            _ => return Ok(None),
        };
        if args.len() != 3 {
            return Ok(None);
        }
        let is_predicate = name.ends_with("_p");
        let result_ty = if is_predicate {
            args[2].ty
        } else {
            match self.pointee_sort(&args[2]) {
                Some((ty, _)) => ty,
                None => return Ok(None),
            }
        };
        let Some(Sort::Bits(width)) = self.hir().types.scalar_sort(result_ty) else { return Ok(None) };
        let types = &self.hir().types;
        let (signed_a, signed_b) = (types.is_signed(args[0].ty), types.is_signed(args[1].ty));
        let signed_result = types.is_signed(result_ty);
        // 128 bits hold every sum and difference of 64-bit operands, and every product but that of two unsigned ones, which
        // they hold unsigned.
        for value in [values[0], values[1]] {
            if self.cx.pool.sort(value).bits().is_none_or(|w| w > 64) {
                return Err(Error::unsupported(self.pos, "overflow builtins on 128-bit operands"));
            }
        }
        if width > 64 {
            return Err(Error::unsupported(self.pos, "overflow builtins with a 128-bit result"));
        }
        let (a, b) = (self.hide(values[0]), self.hide(values[1]));
        let pool = &mut self.cx.pool;
        let a = if signed_a { pool.sign_ext(128, a) } else { pool.zero_ext(128, a) };
        let b = if signed_b { pool.sign_ext(128, b) } else { pool.zero_ext(128, b) };
        let wide = pool.binary(op, a, b);
        let cut = pool.extract(width - 1, 0, wide);
        let back = if signed_result { pool.sign_ext(128, cut) } else { pool.zero_ext(128, cut) };
        let overflows = pool.ne(back, wide);
        if !is_predicate {
            self.store_memory(values[2], cut);
        }
        Ok(Some(self.bool_bits(overflows, 8)))
    }
}

/// The orders of the load and the store of a read-modify-write.
fn split(order: Order) -> (Order, Order) {
    match order {
        Order::Acquire => (Order::Acquire, Order::Relaxed),
        Order::Release => (Order::Relaxed, Order::Release),
        Order::AcqRel => (Order::Acquire, Order::Release),
        both => (both, both),
    }
}
