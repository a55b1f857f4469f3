//! Functions that Raddle knows by name: the verification functions, threads and locks, allocation, output, arithmetic.
//!
//! What can be said in C is in the prelude (`prelude/`); here stands what becomes a label of its own. Another function of the C library, libm or POSIX
//! is a gap: nobody knows what follows a call. A function of the program's that is declared and nowhere defined returns any value of its type and
//! changes nothing, by the convention of the field; the first such call is a warning.

use super::builder::Builder;
use super::defined;
use super::joins::{EDEADLK, THRD_ERROR};
use super::unwind::{is_long_jump, is_set_jump};
use crate::error::{Error, Result};
use crate::hir::{Expr, ExprKind, FnId};
use crate::library_names;
use crate::types::{Type, TypeId};
use raddle_ir::{
    BinOp, Callee, ExprId, FloatSort, GapKind, HavocReason, Hazard, Label, Order, Place, Sort, Storage, VarId,
    Violation,
};

const ABORTED: u128 = 134;

impl<'a> Builder<'_, 'a> {
    /// Calls a function without a body. `wanted`: its result is of use.
    pub fn known_function(
        &mut self,
        id: FnId,
        args: Vec<ExprId>,
        wanted: bool,
        exprs: Option<&'a [Expr]>,
    ) -> Result<Option<ExprId>> {
        let function = self.cx.hir_function(id);
        let name = function.name.strip_prefix("__builtin_").unwrap_or(&function.name);
        // The library's own use of a name that the program took, see `driver`.
        let name = name.strip_prefix("__raddle_own_").unwrap_or(name);
        // The operator in a function that does more, see `math_errno.c`.
        let name = name.strip_prefix("__raddle_operator_").unwrap_or(name);
        if function.in_assembly {
            self.cx.warned.insert(id);
            self.gap(GapKind::Unsupported, &format!("the function `{}`, which is defined in assembly", function.name));
        }
        // `strdup` and its like call what the program defines.
        let is_allocation = matches!(name, "malloc" | "calloc" | "realloc" | "free");
        let is_taken = is_allocation && function.name.starts_with("__raddle_own_");
        if is_taken && !self.hir().globals.iter().any(|variable| variable.name == name) {
            self.gap(GapKind::Unmodelled, &format!("a call of the program's own `{name}` by the library"));
        }
        self.cancellation_point(id)?;
        self.read_arguments(name, &args);
        if let Some(length) = self.output_function(name, id, &args, wanted, exprs)? {
            return Ok(length);
        }
        let result = self.library_call(name, id, &args, exprs)?;
        if let Some(result) = result {
            return Ok(result);
        }
        if library_names::is_library(name) || self.cx.sources.is_system_header(function.pos) {
            self.gap(GapKind::Unmodelled, &format!("the function `{}`", function.name));
        } else if !self.cx.is_of_library(self.pos) && self.cx.warned.insert(id) && exprs.is_some() {
            let effect = match function.noreturn {
                true => "it does not return",
                false => "it returns any value and changes nothing",
            };
            self.cx.warn(self.pos, format!("function `{}` is declared but not defined: {effect}", function.name));
        }
        if function.noreturn {
            self.check_leaks(true);
            // The thread stays there for ever.
            let never = self.cx.pool.bool(false);
            // Nobody knows that it waits there.
            self.end_path(if self.counts_deadlocks() { Label::Assume(never) } else { Label::Await(never) });
        }
        if !wanted {
            return Ok(None);
        }
        match self.result_sort(id) {
            Some(_) if self.is_bool(self.cx.result_type(id)) => Ok(Some(self.any_bool(HavocReason::UndefinedFunction))),
            Some(sort) => Ok(Some(self.any_value(sort, HavocReason::UndefinedFunction))),
            None => Ok(None),
        }
    }

    /// `None`: not a function that is known here.
    fn library_call(
        &mut self,
        name: &str,
        id: FnId,
        args: &[ExprId],
        exprs: Option<&'a [Expr]>,
    ) -> Result<Option<Option<ExprId>>> {
        if let Some(kind) = name.strip_prefix("__VERIFIER_nondet_") {
            return Ok(Some(self.input(kind, id)));
        }
        if let Some(function) = name.strip_prefix("__raddle_result_").filter(|_| self.cx.is_of_library(self.pos)) {
            return Ok(Some(self.unknown_result(function, id, args)));
        }
        if let Some(done) = self.lock_function(name, args)? {
            return Ok(Some(Some(done)));
        }
        if let Some(answer) = self.attribute_function(name, args, exprs) {
            return Ok(Some(Some(answer)));
        }
        if let Some(value) = self.math_function(name, args) {
            return Ok(Some(Some(value)));
        }
        let pos = self.pos;
        let function_name = &self.cx.hir_function(id).name;
        let arg = |i: usize| {
            args.get(i).copied().ok_or_else(|| Error::invalid(pos, format!("too few arguments for `{name}`")))
        };
        let zero = self.cx.pool.bits(32, 0);
        let done = Some(None);
        let success = Some(Some(zero));
        Ok(match name {
            "reach_error" | "__VERIFIER_error" if self.cx.options.counts.has(Violation::ErrorCall) => {
                self.end_path(Label::Error(Violation::ErrorCall));
                done
            }
            "__assert_fail" | "__assert_rtn" | "__assert_perror_fail" | "__assert" => {
                self.failed_assertion();
                done
            }
            "assert" => {
                let cond = arg(0)?;
                let cond = self.is_true(cond);
                let (holds, fails) = (self.new_location(), self.new_location());
                self.branch(cond, holds, fails);
                self.here = fails;
                self.failed_assertion();
                self.here = holds;
                done
            }
            "abort" => {
                self.abort();
                done
            }
            _ if is_long_jump(name) && self.cx.unwinding.is_some() && function_name == name => {
                self.long_jump(arg(0)?, arg(1)?, name != "__raddle_jump")?;
                done
            }
            _ if is_set_jump(name) => {
                self.gap(GapKind::Unsupported, "`setjmp` through a pointer");
                success
            }
            // Where nothing is to be done.
            "__raddle_run_destructors" | "__raddle_thread_ends" => done,
            "__raddle_signal" => success,
            _ if name.starts_with("__raddle_cancel_") || name.starts_with("__raddle_once_") => done,
            "trap" if function_name == "__builtin_trap" => {
                self.abort();
                done
            }
            "exit" | "_Exit" | "_exit" | "err" | "errx" | "verr" | "verrx" => {
                let status = arg(0)?;
                let status = self.fit(status, Sort::Bits(32));
                if !matches!(name, "_Exit" | "_exit") {
                    for id in self.cx.at_exit() {
                        let takes_status = self.cx.exit_function == Some(id);
                        self.prelude_call(id, if takes_status { vec![status] } else { vec![] })?;
                    }
                }
                self.check_leaks(false);
                self.end_path(Label::Halt { status });
                done
            }
            "__VERIFIER_assume" | "assume_abort_if_not" => {
                let cond = arg(0)?;
                let cond = self.is_true(cond);
                self.emit_step(vec![Label::Assume(cond)]);
                done
            }
            "__VERIFIER_atomic_begin" => {
                self.emit_step(vec![Label::AtomicBegin]);
                self.atomic += 1;
                done
            }
            "__VERIFIER_atomic_end" => {
                self.emit_step(vec![Label::AtomicEnd]);
                self.atomic = self.atomic.saturating_sub(1);
                done
            }
            "__raddle_gap" => {
                let what = exprs.and_then(<[Expr]>::first).and_then(|text| self.literal(text)).unwrap_or_default();
                self.gap(GapKind::Unmodelled, &what);
                done
            }
            // What may happen as well; one run does not.
            "__raddle_gap_beside" if self.cx.options.concrete_arguments => done,
            "__raddle_gap_beside" => {
                let what = exprs.and_then(<[Expr]>::first).and_then(|text| self.literal(text)).unwrap_or_default();
                let choice = self.any_value(Sort::Bool, HavocReason::UndefinedFunction);
                let (gap, after) = (self.new_location(), self.new_location());
                self.branch(choice, gap, after);
                self.here = gap;
                self.gap(GapKind::Unmodelled, &what);
                self.here = after;
                done
            }
            "__raddle_await" | "__raddle_await_chosen" => {
                let cond = arg(0)?;
                let cond = self.is_true(cond);
                let waits = name == "__raddle_await" || !self.counts_deadlocks();
                self.emit_step(vec![if waits { Label::Await(cond) } else { Label::Assume(cond) }]);
                done
            }
            "malloc" => {
                let size = arg(0)?;
                Some(Some(self.allocate(size, self.heap(), false)))
            }
            "alloca" | "__alloca" => {
                let size = arg(0)?;
                Some(Some(self.allocate(size, Storage::Stack, false)))
            }
            "calloc" => {
                let pointer = self.cx.pointer_sort();
                let (count, size) = (arg(0)?, arg(1)?);
                let (count, size) = (self.fit(count, pointer), self.fit(size, pointer));
                Some(Some(self.allocate_array(count, size)))
            }
            "__raddle_object_size" => {
                let pointer = self.cx.pointer_sort();
                let address = arg(0)?;
                let address = self.fit(address, pointer);
                let var = self.temp(pointer);
                self.emit(Label::ObjectSize { var, address });
                Some(Some(self.var_value(var)))
            }
            "free" | "cfree" => {
                let pointer = self.cx.pointer_sort();
                let address = arg(0)?;
                let address = self.fit(address, pointer);
                self.emit(Label::Free { address, storage: Storage::Heap });
                done
            }
            "pthread_create" | "thrd_create" if self.cx.create_function.is_some() => {
                let Some(create) = self.cx.create_function else { return Ok(None) };
                let mut args = args.to_vec();
                if name == "thrd_create" {
                    args.insert(1, self.cx.address(0));
                }
                Some(self.prelude_call(create, args)?)
            }
            "pthread_create" | "__raddle_start" => {
                let (handle, process, argument) = (arg(0)?, arg(2)?, arg(3)?);
                let attributes = self.fit(arg(1)?, self.cx.pointer_sort());
                if let Some(starts) = defined(self.hir(), "__raddle_starts") {
                    self.prelude_call(starts, vec![attributes])?;
                }
                let thread = self.start(handle, process, argument, exprs)?;
                if let Some(started) = defined(self.hir(), "__raddle_started") {
                    self.prelude_call(started, vec![thread, attributes])?;
                }
                success
            }
            "thrd_create" => {
                let (handle, process, argument) = (arg(0)?, arg(1)?, arg(2)?);
                self.start(handle, process, argument, exprs)?;
                success
            }
            "__raddle_join_chosen" if self.counts_deadlocks() => {
                self.gap(GapKind::Unmodelled, "a join that does not wait for ever, for `no-deadlock`");
                success
            }
            "pthread_join" | "__raddle_join" | "__raddle_join_chosen" => {
                let pointer = self.cx.pointer_sort();
                Some(Some(self.join(arg(0)?, arg(1)?, pointer, EDEADLK)?))
            }
            "thrd_join" => Some(Some(self.join(arg(0)?, arg(1)?, Sort::Bits(32), THRD_ERROR)?)),
            // The last thread would run them.
            "pthread_exit" | "thrd_exit" | "__raddle_exit_thread" if !self.cx.at_exit().is_empty() => {
                self.gap(GapKind::Unmodelled, &format!("`{name}` where functions are to run at exit"));
                done
            }
            "pthread_exit" | "thrd_exit" | "__raddle_exit_thread" => {
                for function in ["__raddle_run_destructors", "__raddle_thread_ends"] {
                    if let Some(id) = defined(self.hir(), function) {
                        self.prelude_call(id, vec![])?;
                    }
                }
                let pointer = self.cx.pointer_sort();
                let value = arg(0)?;
                let value = self.fit(value, pointer);
                self.check_exit_of_first_thread();
                self.end_path(Label::ThreadExit { value });
                done
            }
            "pthread_self" | "thrd_current" | "__raddle_self" => {
                let sort = self.result_sort(id).unwrap_or(self.cx.pointer_sort());
                // The width of `pthread_t` as the program declares it.
                let is_integer = matches!(sort, Sort::Bits(_));
                let var = self.temp(if is_integer { sort } else { self.cx.pointer_sort() });
                self.emit(Label::Self_ { var });
                let value = self.var_value(var);
                Some(Some(self.fit(value, sort)))
            }
            "pthread_equal" | "thrd_equal" => {
                let (a, b) = (arg(0)?, arg(1)?);
                let b = self.fit(b, self.cx.pool.sort(a));
                let equal = self.cx.pool.eq(a, b);
                Some(Some(self.bool_bits(equal, 32)))
            }
            "puts" => {
                let format = self.cx.text_literal(b"%s\n\0")?;
                let length = self.print(format, vec![arg(0)?]);
                self.assume_not_negative(length);
                Some(Some(length))
            }
            "putchar" => {
                let format = self.cx.text_literal(b"%c\0")?;
                let value = arg(0)?;
                self.print(format, vec![value]);
                let byte = self.fit(value, Sort::Bits(8));
                Some(Some(self.cx.pool.zero_ext(32, byte)))
            }
            "atomic_thread_fence" | "__sync_synchronize" => {
                let order = args.first().map_or(Order::SeqCst, |order| self.memory_order(*order));
                self.emit(Label::Fence(order));
                done
            }
            // A barrier for the compiler alone.
            "atomic_signal_fence" => done,
            "atomic_flag_test_and_set" | "atomic_flag_test_and_set_explicit" => {
                let address = arg(0)?;
                let place = Place::Memory(self.fit(address, self.cx.pointer_sort()));
                let one = self.cx.pool.bits(8, 1);
                let (old, _) = self.update(place, Sort::Bits(8), Order::SeqCst, |_, _| Ok(one))?;
                Some(Some(old))
            }
            "atomic_flag_clear" | "atomic_flag_clear_explicit" => {
                let address = arg(0)?;
                let place = Place::Memory(self.fit(address, self.cx.pointer_sort()));
                let value = self.cx.pool.bits(8, 0);
                let order = args.get(1).map_or(Order::SeqCst, |order| self.memory_order(*order));
                self.emit(Label::Store { place, value, order });
                done
            }
            "fegetround" => success,
            "fesetround" => {
                let cond = self.cx.pool.eq(arg(0)?, zero);
                let (nearest, other) = (self.new_location(), self.new_location());
                self.branch(cond, nearest, other);
                self.here = other;
                self.gap(GapKind::Unmodelled, "a rounding mode other than to nearest");
                self.here = nearest;
                success
            }
            _ if name.starts_with("__raddle_encoding") => {
                let bits = self.encoding(arg(0)?);
                let sort = self.result_sort(id).unwrap_or(Sort::Bits(128));
                Some(Some(self.fit(bits, sort)))
            }
            _ if name.starts_with("__raddle_decoded") => {
                let bits = arg(0)?;
                let sort = self.result_sort(id).unwrap_or(Sort::Float(FloatSort::F64));
                Some(Some(self.decoded(bits, sort)))
            }
            _ if does_nothing(name) => success,
            _ => None,
        })
    }

    /// `calloc`: zeros, or null where the size of all elements together is no `size_t`.
    fn allocate_array(&mut self, count: ExprId, size: ExprId) -> ExprId {
        let pointer = self.cx.pointer_sort();
        let width = self.cx.pool.sort(size).bits().unwrap_or(64);
        let (wide_count, wide_size) = (self.cx.pool.zero_ext(2 * width, count), self.cx.pool.zero_ext(2 * width, size));
        let exact = self.cx.pool.binary(BinOp::BvMul, wide_count, wide_size);
        let most = self.cx.pool.bits(2 * width, u128::MAX >> (128 - width));
        let fits = self.cx.pool.binary(BinOp::ULe, exact, most);
        let total = self.cx.pool.binary(BinOp::BvMul, count, size);
        if self.cx.pool.is_bool(fits, true) {
            return self.allocate(total, Storage::Heap, true);
        }
        let result = self.temp(pointer);
        let (allocated, refused, after) = (self.new_location(), self.new_location(), self.new_location());
        self.branch(fits, allocated, refused);
        for location in [allocated, refused] {
            self.here = location;
            let value = match location == allocated {
                true => self.allocate(total, Storage::Heap, true),
                false => self.cx.address(0),
            };
            self.emit_step(vec![Label::Assign { var: result, value }]);
            self.jump(after);
        }
        self.here = after;
        self.var_value(result)
    }

    /// The path ends with this label; what follows in the text is unreachable.
    pub fn end_path(&mut self, label: Label) {
        self.emit_step(vec![label]);
        self.here = self.new_location();
        self.close();
    }

    pub fn abort(&mut self) {
        self.check_leaks(true);
        let status = self.cx.pool.bits(32, ABORTED);
        self.end_path(Label::Halt { status });
    }

    fn failed_assertion(&mut self) {
        if self.cx.options.counts.has(Violation::Assertion) {
            self.end_path(Label::Error(Violation::Assertion));
        } else {
            self.abort();
        }
    }

    pub fn unreachable(&mut self) {
        let cond = self.cx.pool.bool(false);
        self.end_path(Label::Require { cond, hazard: Hazard::Unreachable });
    }

    /// `__VERIFIER_nondet_*`: any value of the declared result type; for `bool`, 0 or 1.
    fn input(&mut self, kind: &str, id: FnId) -> Option<ExprId> {
        let sort = self.result_sort(id)?;
        let is_bool =
            kind == "bool" || kind == "_Bool" || matches!(self.hir().types.get(self.cx.result_type(id)), Type::Bool);
        let signed = self.hir().types.is_signed(self.cx.result_type(id));
        let var = self.local_of_call(if is_bool { Sort::Bool } else { sort }, signed);
        self.close_if_probed();
        self.emit(Label::Havoc { var, reason: HavocReason::Input, site: raddle_ir::Origin::default() });
        self.close_if_probed();
        let value = self.var_value(var);
        match sort {
            Sort::Bits(width) if is_bool => Some(self.bool_bits(value, width)),
            _ => Some(value),
        }
    }

    /// A local for the result of the library call that is being lowered, for this one alone. Its place is the closing parenthesis of the call: whoever tells of
    /// the call needs it.
    fn local_of_call(&mut self, sort: Sort, signed: bool) -> VarId {
        let statement = self.pos;
        self.pos = self.cx.sources.closing_parenthesis(self.call).unwrap_or(statement);
        let var = self.new_local("tmp", sort, signed);
        self.pos = statement;
        var
    }

    pub fn allocate(&mut self, size: ExprId, storage: Storage, zeroed: bool) -> ExprId {
        let pointer = self.cx.pointer_sort();
        let size = self.fit(size, pointer);
        let var = self.temp(pointer);
        self.emit(Label::Alloc { var, size, storage, zeroed, site: raddle_ir::Origin::default() });
        self.var_value(var)
    }

    /// Starting a thread and storing its handle are one step: whoever the new thread tells its handle to, it is there.
    fn start(&mut self, handle: ExprId, process: ExprId, arg: ExprId, exprs: Option<&'a [Expr]>) -> Result<ExprId> {
        let pointer = self.cx.pointer_sort();
        let (handle, process) = (self.fit(handle, pointer), self.fit(process, pointer));
        let (callee, arg_sort) = self.thread_callee(process);
        let arg = self.fit(arg, arg_sort);
        let var = self.local_of_call(pointer, false);
        let thread = self.var_value(var);
        // The width of `pthread_t` as the program declares it.
        let handle_sort = exprs.and_then(|e| match *self.hir().types.get(e.first()?.ty) {
            Type::Pointer(to) => self.hir().types.scalar_sort(to),
            _ => None,
        });
        let value = self.fit(thread, handle_sort.unwrap_or(pointer));
        let start = Label::Start { var, callee, arg };
        let store = Label::Store { place: Place::Memory(handle), value, order: Order::NonAtomic };
        // Who does not want the handle passes null: not allowed by POSIX, but done.
        let null = self.cx.address(0);
        let wanted = if exprs.and_then(<[Expr]>::first).is_some_and(is_never_null) {
            self.cx.pool.bool(true)
        } else {
            self.cx.pool.ne(handle, null)
        };
        match self.cx.pool.as_const(wanted).map(|c| c.bits == 1) {
            Some(true) => self.emit_step(vec![start, store]),
            Some(false) => self.emit_step(vec![start]),
            None => {
                let after = self.new_location();
                let unwanted = self.cx.pool.not(wanted);
                self.check_use(&start);
                self.check_unless(unwanted, &store);
                self.guarded_edge(vec![Label::Assume(wanted), start.clone(), store], after);
                self.guarded_edge(vec![Label::Assume(unwanted), start], after);
                self.here = after;
            }
        }
        Ok(thread)
    }

    /// What a thread runs, and the sort of its argument. A function with an odd number of parameters is left to be found by its address,
    /// as a call that does not fit its type.
    fn thread_callee(&self, process: ExprId) -> (Callee, Sort) {
        let pointer = self.cx.pointer_sort();
        let Some(proc) = self.cx.proc_at(process) else { return (Callee::Address(process), pointer) };
        let Some(id) = self.cx.proc_function[proc.index()] else { return (Callee::Proc(proc), pointer) };
        let (function, types) = (self.cx.hir_function(id), &self.hir().types);
        let Type::Function(ty) = types.get(function.ty) else { return (Callee::Proc(proc), pointer) };
        let params: Vec<TypeId> = match function.body {
            Some(_) => function.params.iter().map(|p| function.locals[p.index()].ty).collect(),
            None => ty.params.clone(),
        };
        // Where a struct is returned to, and where variable arguments are, is passed as well.
        let hidden = ty.variadic || self.cx.is_record(ty.result);
        match params.as_slice() {
            [] if !hidden => (Callee::Proc(proc), pointer),
            [param] if !hidden => (Callee::Proc(proc), types.scalar_sort(*param).unwrap_or(pointer)),
            _ => (Callee::Address(process), pointer),
        }
    }
}

/// The address of an object, or a place in one.
fn is_never_null(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::AddrOf(_) | ExprKind::Decay(_) => true,
        ExprKind::Convert(inner) => is_never_null(inner),
        ExprKind::PtrAdd { pointer, .. } => is_never_null(pointer),
        _ => false,
    }
}

/// Functions whose success (0) is all a program can see of them.
fn does_nothing(name: &str) -> bool {
    matches!(
        name,
        "sched_yield"
            | "pthread_yield"
            | "thrd_yield"
            | "fflush"
            | "pthread_testcancel"
            | "setlinebuf"
            | "perror"
            | "psignal"
            | "vsyslog"
            | "openlog"
            | "closelog"
            | "vwarn"
            | "vwarnx"
            | "prefetch"
    )
}
