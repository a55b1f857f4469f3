//! Memory safety where it counts (`--property valid-memsafety`, `valid-memcleanup`).
//!
//! Before each use of an address stands the question whether memory may be used in that way (`Label::Valid`), and a branch to the violation where it may not. The models of the library are
//! C code, and their accesses are checked like the user's own. Variables that are named in the text need no question: they live where they are named. Where the program ends,
//! it is asked for leaks: everywhere for memory that is lost, and where it ends by `return` or `exit` for memory that is not freed.
//!
//! A variable of an inner block that lies in memory is replaced by a fresh one when its block ends, so that a pointer to the old one leads to nothing that lives. (Elsewhere, the old one keeps its value.)

use super::GlobalHome;
use super::builder::{Builder, LocalHome};
use crate::error::Result;
use crate::hir::{self, ExprKind};
use raddle_ir::{
    BinOp, Callee, Expr, ExprId, GapKind, Label, Leak, ObjectKind, Origin, Place, Sort, Storage, Use, VarId, Violation,
};

/// What runs where a scope is left.
#[derive(Clone, Copy)]
pub(super) enum AtScopeEnd<'a> {
    /// A call that the attribute `cleanup` asks for.
    Call(&'a hir::Expr),
    /// The life of a variable ends; its address is in this variable.
    Life(VarId),
    /// The same for an array of computed size, which is made where it is declared.
    Array(VarId),
}

impl Builder<'_, '_> {
    pub fn checks_memory(&self) -> bool {
        let counts = self.cx.options.counts;
        (counts.has(Violation::InvalidDeref) || counts.has(Violation::InvalidFree)) && !self.is_condition
    }

    fn asks_for_leaks(&self) -> bool {
        let counts = self.cx.options.counts;
        counts.has(Violation::LostMemory) || counts.has(Violation::UnfreedMemory)
    }

    /// Goes on only if memory may be used as a label does.
    pub fn check_use(&mut self, label: &Label) {
        if !self.checks_memory() {
            return;
        }
        match *label {
            Label::Load { var, place: Place::Memory(address), .. } => {
                self.check_valid(address, Use::Read(self.cx.vars[var.index()].sort.bytes()));
            }
            Label::Store { place: Place::Memory(address), value, .. } => {
                self.check_valid(address, Use::Write(self.cx.pool.sort(value).bytes()));
            }
            // What a lock is made of, nobody knows; it is changed.
            Label::Lock { lock, .. } => self.check_valid(lock, Use::Write(1)),
            Label::Free { address, storage: Storage::Heap } | Label::ObjectSize { address, .. } => {
                // What the library frees for its own ends is its own.
                let function = self.cx.hir_function(self.function);
                if !self.cx.is_of_library(function.pos) || function.name == "realloc" {
                    self.check_valid(address, Use::Free);
                }
            }
            Label::Call { callee: Callee::Address(address), .. }
            | Label::Start { callee: Callee::Address(address), .. } => self.check_valid(address, Use::Call),
            _ => {}
        }
    }

    /// The same, where a condition does not hold.
    pub fn check_unless(&mut self, cond: ExprId, label: &Label) {
        if self.checks_memory() {
            let (used, after) = (self.new_location(), self.new_location());
            self.branch(cond, after, used);
            self.here = used;
            self.check_use(label);
            self.enter(after);
        }
    }

    fn check_valid(&mut self, address: ExprId, used: Use) {
        let violation = if used == Use::Free { Violation::InvalidFree } else { Violation::InvalidDeref };
        // Where only the other one counts, a wrong use ends the path like any undefined behaviour.
        if !self.cx.options.counts.has(violation) || self.is_surely_valid(address, used) {
            return;
        }
        let var = self.temp(Sort::Bool);
        let valid = self.var_value(var);
        self.emit(Label::Valid { var, address, used });
        self.fails_unless(valid, violation);
    }

    fn fails_unless(&mut self, holds: ExprId, violation: Violation) {
        let (goes_on, fails) = (self.new_location(), self.new_location());
        self.branch(holds, goes_on, fails);
        self.here = fails;
        self.end_path(Label::Error(violation));
        self.here = goes_on;
    }

    /// Is it a constant place in a variable that is named, or in a static object?
    fn is_surely_valid(&self, address: ExprId, used: Use) -> bool {
        let (Use::Read(bytes) | Use::Write(bytes)) = used else { return false };
        let pool = &self.cx.pool;
        if let Some(at) = pool.as_const(address).and_then(|at| u64::try_from(at.bits).ok()) {
            return self.cx.objects.iter().any(|object| {
                let is_right = match object.kind {
                    ObjectKind::Data { writable, .. } => writable || matches!(used, Use::Read(_)),
                    ObjectKind::Function(_) => false,
                };
                let end = object.address + object.size;
                is_right && object.address <= at && at.checked_add(bytes).is_some_and(|last| last <= end)
            });
        }
        let (holder, offset) = match pool.get(address) {
            Expr::Var(var) => (var, 0),
            Expr::Binary(BinOp::BvAdd, a, b) => match (pool.get(a), pool.as_const(b)) {
                (Expr::Var(var), Some(offset)) => (var, offset.bits),
                _ => return false,
            },
            _ => return false,
        };
        self.known_sizes.get(&holder).is_some_and(|size| offset + u128::from(bytes) <= u128::from(*size))
    }

    /// The program ends here: does memory leak? Where it is aborted, nobody expects that all is freed.
    pub fn check_leaks(&mut self, is_aborted: bool) {
        let counts = self.cx.options.counts;
        for (leak, violation) in LEAKS {
            if counts.has(violation) && !(is_aborted && leak == Leak::Unfreed) {
                // For this question alone: `weaken_leaks` drops what its answer excludes.
                let var = self.new_local(raddle_ir::TEMPORARY, Sort::Bool, false);
                let leaks = self.var_value(var);
                self.emit_step(vec![Label::Leaks { var, leak }]);
                let is_clean = self.cx.pool.not(leaks);
                self.fails_unless(is_clean, violation);
            }
        }
    }

    /// The first thread ends and the program goes on: it ends with the last thread, where nobody asks for leaks.
    pub fn check_exit_of_first_thread(&mut self) {
        if !self.asks_for_leaks() {
            return;
        }
        let pointer = self.cx.pointer_sort();
        let var = self.temp(pointer);
        self.emit(Label::Self_ { var });
        let (handle, first) = (self.var_value(var), self.cx.address(0));
        let is_first = self.cx.pool.eq(handle, first);
        self.gap_if(is_first, GapKind::Unmodelled, "leaks of a program that ends with its last thread");
    }

    /// What is on the heap because of a call in the library's own code: is it the library's?
    pub fn heap(&self) -> Storage {
        let function = self.cx.hir_function(self.function);
        let name = function.name.as_str();
        let is_internal =
            name.starts_with("__raddle_") && !name.contains("scan") || matches!(name, "setenv" | "putenv" | "hcreate");
        match self.asks_for_leaks() && is_internal && self.cx.is_of_library(function.pos) {
            true => Storage::Library,
            false => Storage::Heap,
        }
    }

    /// Of an object that each thread has.
    pub fn per_thread_storage(&self) -> Storage {
        if self.asks_for_leaks() { Storage::Library } else { Storage::Heap }
    }

    /// The life of a compound literal ends with the block around it. With a label, nobody knows yet in which blocks it lies: there, in an inner block, no proof counts.
    pub fn ends_with_scope(&mut self, holder: VarId) {
        if !self.checks_memory() || !self.is_inner(holder) {
            return;
        }
        self.may_be_left_by_a_jump();
        if !self.labels.is_empty() {
            if self.scopes > 1 {
                self.perhaps_gap("the life of a compound literal in a function with labels");
            }
        } else {
            self.push_life(holder);
        }
    }

    /// The life of an object ends with the present block.
    pub fn push_life(&mut self, holder: VarId) {
        let is_there = |end: &AtScopeEnd| matches!(end, AtScopeEnd::Life(other) if *other == holder);
        if !self.cleanups.iter().any(is_there) {
            self.cleanups.push(AtScopeEnd::Life(holder));
        }
    }

    /// A block begins. With labels, a jump may lead back before a declaration, and the variable lives on.
    pub fn begin_lives(&mut self, body: &[hir::Stmt]) {
        if !self.checks_memory() || self.labels.is_empty() {
            return;
        }
        for local in super::cleanups::declared(body) {
            if let LocalHome::Memory(holder) = self.home(local)
                && self.is_inner(holder)
            {
                self.push_life(holder);
            }
        }
    }

    /// A block with an object of its own, or a call with a copy: `longjmp` to this activation may leave it, and nothing ends then. No proof counts.
    pub fn may_be_left_by_a_jump(&mut self) {
        if self.frame.is_some() {
            self.perhaps_gap("the life of an object of a block in a function that calls setjmp");
        }
    }

    /// The address of an object is used that ends with its thread, which is not followed. No proof counts.
    pub fn check_lent(&mut self, lvalue: &hir::Expr) {
        if !self.checks_memory() || self.cx.is_of_library(self.cx.hir_function(self.function).pos) {
            return;
        }
        let mut base = lvalue;
        while let ExprKind::Member { base: inner, .. } = &base.kind {
            base = inner;
        }
        if let ExprKind::Global(global) = base.kind
            && matches!(self.global_home(global), GlobalHome::PerThread(_))
            && self.cx.summaries().has_threads
        {
            self.perhaps_gap("the life of a thread-local object");
        }
    }

    /// A value that was given a place (sema, `materialise`) lives until the end of the full expression around it; a controlling expression has two ends, and no proof counts.
    pub fn ends_with_expression(&mut self, holder: VarId) {
        match &mut self.expression_values {
            Some(values) => {
                if !values.contains(&holder) {
                    values.push(holder);
                }
            }
            None => {
                if self.checks_memory() {
                    self.perhaps_gap("the life of a value in a controlling expression");
                }
            }
        }
    }

    /// Lowers a full expression that has one end, where the values in it end.
    pub fn full_expression_with_values(&mut self, lower: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        self.full_expression(|this| {
            this.expression_values = this.checks_memory().then(Vec::new);
            lower(this)?;
            for holder in this.expression_values.take().unwrap_or_default() {
                this.end_life(holder);
            }
            Ok(())
        })
    }

    /// A copy was made for a parameter; it lives as long as the call.
    pub fn lend(&mut self, copy: ExprId) {
        if let (true, Expr::Var(holder)) = (self.checks_memory(), self.cx.pool.get(copy)) {
            self.may_be_left_by_a_jump();
            self.lent.push(holder);
        }
    }

    /// A call is over: so are the lives of the copies that were made since a mark.
    pub fn end_lent(&mut self, mark: usize) {
        for holder in self.lent.split_off(mark.min(self.lent.len())) {
            self.end_life(holder);
        }
    }

    /// What POSIX and C11 functions on locks, conditions and semaphores use is as large as the type of the argument says.
    pub fn check_lock_object(&mut self, name: &str, args: &[hir::Expr], values: &[ExprId]) {
        let families =
            ["pthread_mutex_", "pthread_spin_", "pthread_rwlock_", "pthread_cond_", "pthread_barrier_", "sem_"];
        let c11 = ["mtx_", "cnd_"];
        let Some(family) = families.iter().chain(&c11).find(|family| name.starts_with(**family)) else { return };
        let opens = matches!(&name[family.len()..], "open" | "close" | "unlink" | "destroy");
        if opens || !self.checks_memory() || self.cx.is_of_library(self.cx.hir_function(self.function).pos) {
            return;
        }
        if let (Some(arg), Some(&at)) = (args.first(), values.first())
            && let Some(size @ 2..=LARGEST_LOCK) =
                self.pointee_before_void(arg).and_then(|ty| self.hir().types.size(ty))
            && self.cx.pool.sort(at) == self.cx.pointer_sort()
        {
            self.check_valid(at, Use::Write(size));
        }
    }

    /// The life of an automatic variable in memory ends with its block; the next time, it is another object.
    pub fn end_life(&mut self, holder: VarId) {
        let address = self.var_value(holder);
        self.emit(Label::Free { address, storage: Storage::Stack });
        let Some(size) = self.known_sizes.get(&holder).copied() else { return };
        let size = self.cx.address(size);
        let (storage, site) = (Storage::Stack, Origin::default());
        self.emit(Label::Alloc { var: holder, size, storage, zeroed: false, site });
    }
}

/// No lock, condition or semaphore of glibc is larger.
const LARGEST_LOCK: u64 = 64;

/// What is asked for at the end of a program, and what is violated.
pub(super) const LEAKS: [(Leak, Violation); 2] =
    [(Leak::Lost, Violation::LostMemory), (Leak::Unfreed, Violation::UnfreedMemory)];
