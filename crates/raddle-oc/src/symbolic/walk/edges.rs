//! The ways on from a location, and what taking an edge does: its labels are one step of the thread.

use crate::symbolic::event_graph::{Limit, Step};
use crate::symbolic::guard::Guard;
use crate::symbolic::knowledge::cells::Site;
use crate::symbolic::state::{Locals, State};
use crate::symbolic::walk::Executor;
use crate::symbolic::{Ended, Run};
use raddle_interp::Source;
use raddle_ir::{EdgeId, ExprId, Label, ProcId, Sort, is_read_modify_write};

/// The event graph has about so many nodes at most.
const MOST_NODES: usize = 20_000;

/// A way on from a location.
pub(super) struct Choice {
    pub(super) edge: EdgeId,
    /// None where the condition is false.
    pub(super) guard: Option<Guard>,
    /// The condition is no constant of the Program.
    pub(super) is_computed: bool,
}

/// An edge that a path takes.
pub(super) struct EdgeRun {
    /// The present label.
    pub(super) site: Site,
    pub(super) locals: Locals,
    pub(super) state: State,
    pub(super) step: Step,
    /// Stores of the present label are visible at once, whatever the memory model.
    pub(super) direct: bool,
}

impl Executor<'_, '_> {
    /// The ways on from a location.
    pub(super) fn choices(
        &mut self,
        proc: ProcId,
        edges: &[EdgeId],
        locals: &mut Locals,
        state: &State,
    ) -> Vec<Choice> {
        let procedure = self.program.proc(proc);
        let first_condition = |edge: &EdgeId| match procedure.edges[edge.index()].labels.first() {
            Some(Label::Assume(cond)) => Some(*cond),
            _ => None,
        };
        let mut result = Vec::with_capacity(edges.len());
        for edge in edges {
            let (guard, is_computed) = match first_condition(edge) {
                None => (state.guard.clone(), false),
                Some(cond) => {
                    let value = self.eval(locals, cond);
                    (state.guard.and(self.memory.pool, value), self.program.pool.as_const(cond).is_none())
                }
            };
            let is_possible = !guard.is_false(self.memory.pool);
            result.push(Choice { edge: *edge, guard: is_possible.then_some(guard), is_computed });
        }
        // Two edges with complementary conditions exclude each other; otherwise the choice is free.
        let possible: Vec<usize> = (0..result.len()).filter(|i| result[*i].guard.is_some()).collect();
        if possible.len() < 2 {
            return result;
        }
        if let [a, b] = possible[..]
            && let (Some(x), Some(y)) = (first_condition(&edges[a]), first_condition(&edges[b]))
        {
            let (x, y) = (self.eval(locals, x), self.eval(locals, y));
            if self.memory.pool.not(x) == y {
                return result;
            }
        }
        let pool = &mut *self.memory.pool;
        let mut not_before = pool.bool(true);
        for (n, i) in possible.iter().enumerate() {
            let chosen = if n + 1 == possible.len() { not_before } else { pool.fresh(Sort::Bool) };
            let this = pool.and(not_before, chosen);
            let not = pool.not(chosen);
            not_before = pool.and(not_before, not);
            result[*i].guard = result[*i].guard.as_ref().map(|guard| guard.and(pool, this));
        }
        result
    }

    /// Takes an edge, with values of what was undetermined in its condition; `None`: the path ends on it.
    pub(super) fn run_edge(
        &mut self,
        proc: ProcId,
        (edge, values): (EdgeId, Vec<(Source, ExprId)>),
        locals: Locals,
        state: State,
    ) -> Run<Option<(Locals, State)>> {
        let program = self.program;
        let ir_edge = &program.proc(proc).edges[edge.index()];
        let labels = &ir_edge.labels;
        self.memory.graph.span = ir_edge.span;
        self.memory.pool.come_to(Some(state.guard.expr));
        let before = self.labels;
        self.labels += labels.len() as u64 + 1;
        if before / 64 != self.labels / 64 && (self.stop)() {
            return Err(Ended::Stopped);
        }
        if self.labels > self.bounds.most_labels || self.memory.graph.nodes().len() > MOST_NODES {
            self.memory.graph.limit(Limit::Size, &state.guard);
            return Ok(None);
        }
        let step = Step { values, ..Step::new(edge, state.guard.expr) };
        let mut run = EdgeRun { site: (proc.0, edge.0, 0), locals, state, step, direct: false };
        if let [Label::Call { callee, args, var, .. }] = &labels[..] {
            run.step.node = run.state.node();
            let mut returned = self.call(*callee, args, *var, run)?;
            if let Some((_, state)) = &mut returned
                && ir_edge.target == program.proc(proc).exit
            {
                self.leave_behind_call(state);
            }
            return Ok(returned);
        }
        run.state.open.get_or_insert_default();
        let is_update = self.model.has_buffers() && is_read_modify_write(program, ir_edge);
        if run.state.multi && self.model.edge_waits(program, ir_edge) && !run.state.in_atomic_block() {
            self.memory.wait(&mut run.state);
        }
        let mut goes_on = true;
        for (i, label) in labels.iter().enumerate() {
            run.direct = is_update || labels[i + 1..].iter().any(|later| self.model.waits(later));
            run.site.2 = i as u32;
            goes_on = self.label(label, &mut run)?;
            if run.state.guard.is_false(self.memory.pool) && !run.step.error {
                goes_on = false;
            }
            if !goes_on {
                break;
            }
        }
        let EdgeRun { locals, mut state, mut step, .. } = run;
        if goes_on && ir_edge.target == program.proc(proc).exit {
            self.memory.end_frames(false, &mut state);
        }
        step.node = step.node.or(state.node());
        step.guard = state.guard.expr;
        step.values.extend(self.code.take_unassigned());
        let ends_thread = matches!(labels.last(), Some(Label::ThreadExit { .. }));
        step.closes = step.error || ends_thread || !state.in_atomic_block();
        if goes_on && let Some(open) = state.open.as_mut().filter(|open| open.depth == 0) {
            let deferred = std::mem::take(&mut open.deferred);
            self.memory.close(&mut state);
            step.buffer = self.memory.issue(deferred, &state);
        }
        if (goes_on || step.error || ends_thread) && !self.memory.pool.is_bool(step.guard, false) {
            self.memory.graph.add_step(state.thread, step);
        }
        Ok(goes_on.then_some((locals, state)))
    }

    /// The activation ends where a call returns: behind the last step of the callee.
    fn leave_behind_call(&mut self, state: &mut State) {
        state.open.get_or_insert_default();
        self.memory.end_frames(false, state);
        if !state.in_atomic_block() {
            self.memory.close(state);
        }
    }
}
