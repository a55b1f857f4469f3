//! Joining a thread. A thread that joins itself is told so at once, as in glibc; that is looked at only where a thread can have its own handle: not in `main`
//! if nobody calls `pthread_self`. Where threads are detached, the prelude has a word in it (`prelude/detaching.c`).

use super::builder::Builder;
use super::{Lower, call_graph, defined};
use crate::error::Result;
use crate::hir::FnId;
use raddle_ir::{ExprId, Label, Sort};

pub(super) const EDEADLK: u128 = 35;
pub(super) const THRD_ERROR: u128 = 2;

impl Lower<'_> {
    /// Does anything call `pthread_self`?
    fn has_own_handles(&self) -> bool {
        *self.own_handles.get_or_init(|| {
            let names_itself = |name: &str| matches!(name, "pthread_self" | "thrd_current");
            let functions = self.hir.functions.iter().enumerate();
            let goals: Vec<FnId> =
                functions.filter(|(_, f)| names_itself(&f.name)).map(|(index, _)| FnId(index as u32)).collect();
            let reaching = call_graph::reaching(self.hir, &goals, |_| vec![]);
            let calls = |index: usize| reaching.contains(FnId(index as u32)) && self.hir.functions[index].body.is_some();
            reaching.by_pointer || (0..self.hir.functions.len()).any(calls)
        })
    }
}

impl Builder<'_, '_> {
    /// What joining answers; `own` for a thread that joins itself. `sort` is that of the result.
    pub(super) fn join(&mut self, handle: ExprId, result: ExprId, sort: Sort, own: u128) -> Result<ExprId> {
        let pointer = self.cx.pointer_sort();
        let handle = self.fit(handle, pointer);
        let result = self.fit(result, pointer);
        if let Some(joins) = defined(self.hir(), "__raddle_joins") {
            self.prelude_call(joins, vec![handle])?;
        }
        let zero = self.cx.pool.bits(32, 0);
        if self.hir().main == Some(self.function) && !self.cx.has_own_handles() {
            self.join_other(handle, result, sort);
            return Ok(zero);
        }
        let (me, answer) = (self.temp(pointer), self.temp(Sort::Bits(32)));
        self.emit(Label::Self_ { var: me });
        let me = self.var_value(me);
        let is_me = self.cx.pool.eq(handle, me);
        let (itself, other, after) = (self.new_location(), self.new_location(), self.new_location());
        self.branch(is_me, itself, other);
        self.here = itself;
        let error = self.cx.pool.bits(32, own);
        self.assign(answer, error);
        self.jump(after);
        self.here = other;
        self.join_other(handle, result, sort);
        self.assign(answer, zero);
        self.enter(after);
        Ok(self.var_value(answer))
    }

    fn join_other(&mut self, handle: ExprId, result: ExprId, sort: Sort) {
        let null = self.cx.address(0);
        let wanted = self.cx.pool.ne(result, null);
        if self.cx.pool.as_const(wanted).is_some_and(|c| c.bits == 0) {
            return self.emit_step(vec![Label::Join { var: None, handle }]);
        }
        let var = self.temp(self.cx.pointer_sort());
        self.emit_step(vec![Label::Join { var: Some(var), handle }]);
        let (store, after) = (self.new_location(), self.new_location());
        self.branch(wanted, store, after);
        self.here = store;
        let value = self.var_value(var);
        let value = self.fit(value, sort);
        self.store_memory(result, value);
        self.enter(after);
    }
}
