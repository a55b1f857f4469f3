//! Calls: the calling convention of procedures.
//!
//! Records are passed by the address of a copy that the caller makes, and returned through the address of an object of the caller's (a hidden
//! first parameter). Variable arguments lie one behind the other in an object of the caller's (a hidden last parameter), each at a multiple
//! of 8 bytes; a `va_list` is a pointer into it.

use super::builder::Builder;
use crate::error::{Error, Result};
use crate::hir::{Callee as HirCallee, Expr, ExprKind, FnId};
use crate::types::{FnType, Type, TypeId};
use raddle_ir::{Callee, ExprId, GapKind, HavocReason, Label, Order, Place, Sort, Violation};

/// Every variable argument begins at a multiple of this.
pub(super) const SLOT: u64 = 8;

const OTHER_RECORD: &str = "a call of a function that is defined with another record type";

impl<'a> Builder<'_, 'a> {
    /// Lowers a call and returns its scalar value, if it has one. A record result goes to `record`. `wanted`: the value is of use.
    pub fn call(
        &mut self,
        expr: &'a Expr,
        callee: &'a HirCallee,
        args: &'a [Expr],
        record: Option<ExprId>,
        wanted: bool,
    ) -> Result<Option<ExprId>> {
        match callee {
            HirCallee::Builtin(name) => self.builtin(name, expr, args),
            HirCallee::Direct(id) => self.direct_call(*id, expr, args, record, wanted),
            HirCallee::Pointer(pointer) => {
                let address = self.value(pointer)?;
                if let Some(proc) = self.cx.proc_at(address)
                    && let Some(id) = self.cx.proc_function[proc.index()]
                {
                    return self.direct_call(id, expr, args, record, wanted);
                }
                let ty = match *self.hir().types.get(pointer.ty) {
                    Type::Pointer(to) => self.hir().types.get(to).clone(),
                    ref other => other.clone(),
                };
                let Type::Function(ty) = ty else {
                    return Err(Error::invalid(expr.pos, "what is called is not a function"));
                };
                let named = if ty.unprototyped { args.len() } else { ty.params.len() };
                let mark = self.lent.len();
                let values = self.arguments(args, named, ty.variadic, record)?;
                self.not_with_other_records(address, args, expr.ty)?;
                self.note_call(expr.pos);
                let result = self.emit_call(Callee::Address(address), values, &ty);
                self.end_lent(mark);
                result
            }
        }
    }

    /// Which elements the library compares, how often and in which order is its own business: where a program can tell, it is a gap.
    fn check_comparison(&mut self, name: &str, args: &[Expr]) {
        let at = match name {
            "qsort" | "qsort_r" => 3,
            "bsearch" | "lfind" | "lsearch" => 4,
            "tsearch" | "tfind" | "tdelete" => 2,
            _ => return,
        };
        let is_told = |function| !self.cx.summaries().is_silent(function);
        if !self.cx.is_concrete() && args.get(at).is_some_and(is_told) {
            self.gap(GapKind::Unmodelled, &format!("`{name}` with a comparison that has effects"));
        }
    }

    fn direct_call(
        &mut self,
        id: FnId,
        expr: &'a Expr,
        args: &'a [Expr],
        record: Option<ExprId>,
        wanted: bool,
    ) -> Result<Option<ExprId>> {
        let function = self.cx.hir_function(id);
        let Type::Function(ty) = self.hir().types.get(function.ty) else {
            return Err(Error::invalid(expr.pos, "what is called is not a function"));
        };
        if function.body.is_none() || self.cx.is_of_library(function.pos) {
            self.note_unsafe_call(&function.name);
        }
        // These mean the same whether or not the program gives them a body.
        let is_error = matches!(function.name.as_str(), "reach_error" | "__VERIFIER_error");
        let by_name = is_error && self.cx.options.counts.has(Violation::ErrorCall);
        if function.body.is_none() || by_name {
            if let Some(done) = self.typed_memory_function(&function.name, args)? {
                return Ok(Some(done));
            }
            if let Some(value) = self.set_jump(&function.name, args)? {
                return Ok(Some(value));
            }
            let mut values = vec![];
            for arg in args {
                values.push(self.argument(arg)?);
            }
            let wanted = wanted && !self.cx.is_void(ty.result);
            self.call = expr.pos;
            self.check_lock_object(&function.name, args, &values);
            return self.known_function(id, values, wanted, Some(args));
        }
        if self.cx.is_of_library(function.pos) {
            self.check_comparison(&function.name, args);
        }
        if self.cx.is_of_library(function.pos)
            && let Some(length) = self.formatted_call(&function.name, args)?
        {
            return Ok(Some(length));
        }
        let mark = self.lent.len();
        let mut values = self.arguments(args, function.params.len(), ty.variadic, record)?;
        if self.has_other_records(id, args, expr.ty) {
            self.gap(GapKind::Unsupported, OTHER_RECORD);
        }
        // A declaration at the call may differ from the definition.
        let hidden = usize::from(record.is_some());
        for (index, &param) in function.params.iter().enumerate() {
            let local = &function.locals[param.index()];
            let sort = self.hir().types.scalar_sort(local.ty).unwrap_or(self.cx.pointer_sort());
            match values.get(hidden + index) {
                Some(&value) => values[hidden + index] = self.fit(value, sort),
                None => {
                    let any = self.any_value(sort, HavocReason::Uninitialised);
                    values.insert(hidden + index, any);
                }
            }
        }
        if self.cx.is_of_library(function.pos) {
            self.read_arguments(&function.name, &values);
            self.check_lock_object(&function.name, args, &values);
        }
        values.truncate(hidden + function.params.len() + usize::from(ty.variadic));
        let proc = self.cx.proc_of(id);
        self.note_call(expr.pos);
        let result = self.emit_call(Callee::Proc(proc), values, ty);
        self.end_lent(mark);
        result
    }

    /// A call through a pointer: a function that it could lead to takes or returns another record there.
    fn not_with_other_records(&mut self, address: ExprId, args: &'a [Expr], result: TypeId) -> Result<()> {
        if self.cx.is_concrete() {
            return Ok(());
        }
        for &id in &self.cx.summaries().converted {
            if !self.has_other_records(id, args, result) {
                continue;
            }
            let at = self.cx.function_pointer(id)?;
            let is_called = self.cx.pool.eq(address, at);
            self.gap_if(is_called, GapKind::Unsupported, OTHER_RECORD);
        }
        Ok(())
    }

    /// Does a call with as many arguments as a function has parameters pass or want a record where the function has none, or one of another type?
    fn has_other_records(&self, id: FnId, args: &[Expr], result: TypeId) -> bool {
        let Type::Function(ty) = self.hir().types.get(self.cx.hir_function(id).ty) else { return false };
        let differ = |a: TypeId, b: TypeId| {
            (self.cx.is_record(a) || self.cx.is_record(b)) && !self.hir().types.compatible(a, b, false)
        };
        let is_result_other = || differ(self.hir().types.value_type(ty.result), result);
        let mut pairs = args.iter().zip(&ty.params);
        args.len() == ty.params.len()
            && (pairs.any(|(arg, param)| differ(arg.ty, self.hir().types.value_type(*param))) || is_result_other())
    }

    /// Calls a function of the prelude.
    pub fn prelude_call(&mut self, id: FnId, args: Vec<ExprId>) -> Result<Option<ExprId>> {
        let Type::Function(ty) = self.hir().types.get(self.cx.hir_function(id).ty) else { return Ok(None) };
        let proc = self.cx.proc_of(id);
        self.note_call(self.call);
        self.emit_call(Callee::Proc(proc), args, ty)
    }

    fn emit_call(&mut self, callee: Callee, args: Vec<ExprId>, ty: &FnType) -> Result<Option<ExprId>> {
        let sort = self.hir().types.scalar_sort(ty.result);
        let var = sort.map(|sort| self.temp(sort));
        let target = match callee {
            Callee::Proc(proc) => self.cx.proc_function[proc.index()].map(Some),
            Callee::Address(_) => Some(None),
        };
        self.emit_step(vec![Label::Call { callee, args, var, site: raddle_ir::Origin::default() }]);
        if let Some(target) = target {
            self.after_call(target);
        }
        Ok(var.map(|var| self.var_value(var)))
    }

    /// All arguments of a call, the hidden ones included.
    fn arguments(
        &mut self,
        args: &'a [Expr],
        named: usize,
        variadic: bool,
        record: Option<ExprId>,
    ) -> Result<Vec<ExprId>> {
        let mut values: Vec<ExprId> = record.into_iter().collect();
        let named = named.min(args.len());
        for arg in &args[..named] {
            let value = self.argument(arg)?;
            values.push(value);
        }
        if variadic {
            let area = self.variable_area(&args[named..])?;
            values.push(area);
        } else {
            for arg in &args[named..] {
                self.effect(arg)?;
            }
        }
        Ok(values)
    }

    fn argument(&mut self, arg: &'a Expr) -> Result<ExprId> {
        if !self.cx.is_record(arg.ty) {
            return self.value(arg);
        }
        let from = self.record_address(arg)?;
        let size = self.cx.size(arg.ty, arg.pos)?;
        let copy = self.scratch("record argument", size);
        self.copy_record(copy, from, arg.ty)?;
        self.lend(copy);
        Ok(copy)
    }

    /// Lays out variable arguments and returns where they begin.
    fn variable_area(&mut self, args: &'a [Expr]) -> Result<ExprId> {
        let mut offsets = vec![];
        let mut size = 0;
        for arg in args {
            offsets.push(size);
            size += self.cx.size(arg.ty, arg.pos)?.next_multiple_of(SLOT);
        }
        let area = self.scratch("variable arguments", size);
        for (arg, offset) in args.iter().zip(offsets) {
            let at = self.offset(area, offset);
            if self.cx.is_record(arg.ty) {
                let from = self.record_address(arg)?;
                self.copy_record(at, from, arg.ty)?;
            } else {
                let value = self.value(arg)?;
                self.store_memory(at, value);
            }
        }
        Ok(area)
    }

    /// `va_arg`: where the next argument lies; the list moves past it.
    pub fn variable_argument(&mut self, list: &'a Expr, ty: TypeId) -> Result<ExprId> {
        let target = self.target(list)?;
        let mut at = self.read(target, list.ty)?;
        if matches!(target, super::place::Target::Local(_)) {
            let sort = self.cx.pointer_sort();
            let kept = self.temp(sort);
            self.assign(kept, at);
            at = self.var_value(kept);
        }
        let size = self.cx.size(ty, list.pos)?.next_multiple_of(SLOT);
        let next = self.offset(at, size);
        self.write(target, list.ty, next)?;
        Ok(at)
    }

    /// `memset(p, 0, sizeof *p)` and `memcpy(p, q, sizeof *p)` on typed objects are done part by part, so that a later pass still sees
    /// the parts; anything else is left to the loops over bytes in the prelude.
    pub fn typed_memory_function(&mut self, name: &str, args: &'a [Expr]) -> Result<Option<ExprId>> {
        let is_set = name == "memset";
        if !(is_set || name == "memcpy" || name == "memmove") || args.len() != 3 {
            return Ok(None);
        }
        let (Some(target), ExprKind::Int(size)) = (self.pointee(&args[0]), &args[2].kind) else { return Ok(None) };
        let Some(parts) = self.parts(target, 64) else { return Ok(None) };
        if self.hir().types.size(target).map(u128::from) != Some(*size) {
            return Ok(None);
        }
        if is_set {
            if !matches!(args[1].kind, ExprKind::Int(0)) {
                return Ok(None);
            }
            let to = self.value(&args[0])?;
            self.store_zeros(to, &parts);
            return Ok(Some(to));
        }
        if self.pointee(&args[1]) != Some(target) {
            return Ok(None);
        }
        let to = self.value(&args[0])?;
        let from = self.value(&args[1])?;
        let mut values = vec![];
        for &(offset, sort) in &parts {
            let at = self.offset(from, offset);
            values.push(self.load(Place::Memory(at), sort, Order::NonAtomic));
        }
        for (&(offset, _), value) in parts.iter().zip(values) {
            let at = self.offset(to, offset);
            self.store_memory(at, value);
        }
        Ok(Some(to))
    }

    /// What a pointer argument points to before it became `void *`.
    fn pointee(&self, arg: &Expr) -> Option<TypeId> {
        let mut arg = arg;
        while let ExprKind::Convert(inner) = &arg.kind {
            arg = inner;
        }
        match *self.hir().types.get(arg.ty) {
            Type::Pointer(to) if !self.cx.is_void(to) => Some(to),
            _ => None,
        }
    }

    /// What an argument points to, as the program wrote it for a parameter that is `void *` in the model.
    pub fn pointee_before_void(&self, arg: &Expr) -> Option<TypeId> {
        match (self.hir().types.get(arg.ty), &arg.kind) {
            (&Type::Pointer(to), _) if !self.cx.is_void(to) => Some(to),
            (_, ExprKind::Convert(inner)) => self.pointee_before_void(inner),
            _ => None,
        }
    }

    pub fn result_sort(&self, id: FnId) -> Option<Sort> {
        self.hir().types.scalar_sort(self.cx.result_type(id))
    }
}
