//! Calls: the callee is walked with the caller's state.

use crate::symbolic::Run;
use crate::symbolic::event_graph::Limit;
use crate::symbolic::scalars::resize;
use crate::symbolic::state::{Locals, State};
use crate::symbolic::walk::Executor;
use crate::symbolic::walk::edges::EdgeRun;
use raddle_ir::{Callee, ExprId, ProcId, VarId};
use std::rc::Rc;

/// Nested activations of one procedure whose depth is known statically.
const MOST_RECURSION: u32 = 150;

impl Executor<'_, '_> {
    /// Runs what is called; `None`: no path returns.
    pub(super) fn call(
        &mut self,
        callee: Callee,
        args: &[ExprId],
        var: Option<VarId>,
        run: EdgeRun,
    ) -> Run<Option<(Locals, State)>> {
        let EdgeRun { mut locals, state, mut step, .. } = run;
        let args: Vec<ExprId> = args.iter().map(|arg| self.eval(&mut locals, *arg)).collect();
        let mut result: Option<(Locals, State)> = None;
        let span = self.memory.graph.span;
        let callees = self.callees(callee, &mut locals);
        let no = self.memory.pool.bool(false);
        let any = callees.iter().fold(no, |any, (_, cond)| self.memory.pool.or(any, *cond));
        step.guard = state.guard.and(self.memory.pool, any).expr;
        step.values.extend(self.code.take_unassigned());
        self.memory.graph.add_step(state.thread, step);
        for (proc, cond) in callees {
            self.memory.graph.span = span;
            let guard = state.guard.and(self.memory.pool, cond);
            if guard.is_false(self.memory.pool) {
                continue;
            }
            let decisions = guard.conjuncts.len();
            let active = self.active.entry(proc).or_default();
            // A recursion whose depth is known statically makes no decision on its way.
            let counted = active.windows(2).filter(|w| w[0] != w[1]).count()
                + usize::from(active.last().is_some_and(|last| *last != decisions));
            let depth = active.len();
            let limit = Limit::Recursion(proc);
            if counted as u32 > self.bounds.of(limit) || depth as u32 > MOST_RECURSION {
                let limit = if depth as u32 > MOST_RECURSION { Limit::Size } else { limit };
                self.memory.graph.limit(limit, &guard);
                continue;
            }
            active.push(decisions);
            let callee_locals = self.locals_with(proc, &args);
            let state = State { guard, ..state.clone() };
            let thread = state.thread;
            self.memory.enter(thread);
            let returned = self.run_proc(proc, callee_locals, state)?;
            self.memory.leave(thread);
            if let Some(active) = self.active.get_mut(&proc) {
                active.pop();
            }
            let Some((callee_locals, state)) = returned else { continue };
            let mut locals = Rc::clone(&locals);
            if let Some(var) = var {
                let sort = self.program.var(var).sort;
                let value = self.program.proc(proc).result.and_then(|r| callee_locals[self.code.slot(r)]);
                let value = value.map(|value| resize(self.memory.pool, value, sort));
                self.code.set(&mut locals, var, value);
            }
            result = Some(match result {
                None => (locals, state),
                Some(other) => self.memory.merge(None, other, (locals, state))?,
            });
        }
        self.memory.graph.span = span;
        Ok(result)
    }

    /// The locals of a procedure that begins.
    pub(super) fn locals_with(&mut self, proc: ProcId, args: &[ExprId]) -> Locals {
        let procedure = self.program.proc(proc);
        let mut locals = vec![None; procedure.locals.len()];
        for (param, arg) in procedure.params.iter().zip(args) {
            let sort = self.program.var(*param).sort;
            locals[self.code.slot(*param)] = Some(resize(self.memory.pool, *arg, sort));
        }
        Rc::new(locals)
    }

    /// The procedures that a callee may be, and when.
    pub(super) fn callees(&mut self, callee: Callee, locals: &mut Locals) -> Vec<(ProcId, ExprId)> {
        let ir_address = match callee {
            Callee::Proc(proc) => return vec![(proc, self.memory.pool.bool(true))],
            Callee::Address(ir_address) => ir_address,
        };
        let address = self.eval(locals, ir_address);
        let functions = self.memory.functions(address, ir_address).into_iter();
        let pool = &mut *self.memory.pool;
        let is_this = functions.map(|(at, proc)| {
            let at = pool.bits(self.program.pointer_bits, at.into());
            (proc, pool.eq(address, at))
        });
        is_this.collect()
    }
}
