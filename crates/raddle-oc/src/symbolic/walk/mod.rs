//! The walk over the Program: threads, procedures, edges, labels. What it does to memory and to the event graph is `Memory`'s matter.

pub(crate) mod calls;
pub(crate) mod edges;
pub(crate) mod labels;
pub(crate) mod procedures;
pub(crate) mod threads;

use crate::symbolic::code::Code;
use crate::symbolic::event_graph::EventGraph;
use crate::symbolic::memory::Memory;
use crate::symbolic::scalars::resize;
use crate::symbolic::state::{Locals, State};
use crate::symbolic::walk::threads::Threads;
use crate::symbolic::{Bounds, Run};
use raddle_ir::{ExprId, MemoryModel, ProcId, Program, VarId};
use rustc_hash::FxHashMap;

pub(crate) struct Executor<'a, 'p> {
    pub(crate) program: &'p Program,
    pub(crate) model: MemoryModel,
    pub(crate) bounds: &'a Bounds,
    pub(crate) stop: &'a dyn Fn() -> bool,
    pub(crate) code: &'a mut Code<'p>,
    pub(crate) memory: Memory<'a, 'p>,
    pub(crate) threads: Threads,
    /// How often each procedure is active, and how many symbolic decisions there were when it was entered last.
    pub(crate) active: FxHashMap<ProcId, Vec<usize>>,
    /// Labels that were executed.
    pub(crate) labels: u64,
}

impl Executor<'_, '_> {
    /// Runs all threads.
    pub(crate) fn run(&mut self) -> Run<()> {
        let state = State::first(self.memory.pool);
        self.run_thread(self.program.entry, None, None, state)
    }

    /// The graph, if the run confirms what it assumed.
    pub(crate) fn finish(self) -> Run<EventGraph> {
        let graph = self.memory.finish()?;
        self.threads.confirm_joins()?;
        Ok(graph)
    }

    pub(crate) fn eval(&mut self, locals: &mut Locals, expr: ExprId) -> ExprId {
        self.code.eval(self.memory.pool, locals, expr)
    }

    /// Assigns a value, in the width of the variable.
    pub(crate) fn assign(&mut self, locals: &mut Locals, var: VarId, value: ExprId) {
        let value = resize(self.memory.pool, value, self.program.var(var).sort);
        self.code.set(locals, var, Some(value));
    }
}
