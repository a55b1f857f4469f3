//! The walk over the Program: threads, procedures, edges, labels. What it does to memory and to the event graph is `Memory`'s matter.

mod calls;
mod edges;
mod labels;
mod procedures;
mod threads;

use crate::symbolic::code::Code;
use crate::symbolic::event_graph::EventGraph;
use crate::symbolic::memory::Memory;
use crate::symbolic::scalars::resize;
use crate::symbolic::state::{Locals, State};
use crate::symbolic::walk::threads::Threads;
use crate::symbolic::{Bounds, Context, Ended};
use raddle_ir::{ExprId, MemoryModel, ProcId, Program, Span, VarId};
use rustc_hash::FxHashMap;

struct Executor<'a, 'p> {
    program: &'p Program,
    model: MemoryModel,
    bounds: &'a Bounds,
    stop: &'a dyn Fn() -> bool,
    code: &'a mut Code<'p>,
    memory: Memory<'a, 'p>,
    threads: Threads,
    /// For each procedure, how many symbolic decisions there were when each of its activations began.
    active: FxHashMap<ProcId, Vec<usize>>,
    /// Labels that were executed.
    labels: u64,
}

/// Runs the program once under what is known; learns on the way. If the run ends early: why, and where.
pub fn run(context: &mut Context, model: MemoryModel, stop: &dyn Fn() -> bool) -> Result<EventGraph, (Ended, Span)> {
    let Context { program, code, objects, knowledge, pool, bounds } = context;
    let mut executor = Executor {
        program,
        model,
        bounds,
        stop,
        code,
        memory: Memory::new(objects, pool, knowledge, model),
        threads: Threads::default(),
        active: FxHashMap::default(),
        labels: 0,
    };
    let first = State::first(executor.memory.pool);
    let ended = executor.run_thread(program.entry, None, None, first);
    let Executor { memory, threads, .. } = executor;
    let span = memory.graph.span;
    let graph = ended.and_then(|()| memory.finish()).and_then(|graph| threads.confirm_joins().map(|()| graph));
    graph.map_err(|why| (why, span))
}

impl Executor<'_, '_> {
    /// The value of an expression on a path.
    fn eval(&mut self, locals: &mut Locals, expr: ExprId) -> ExprId {
        self.code.eval(self.memory.pool, locals, expr)
    }

    /// Assigns a value, in the width of the variable.
    fn assign(&mut self, locals: &mut Locals, var: VarId, value: ExprId) {
        let value = resize(self.memory.pool, value, self.program.var(var).sort);
        self.code.set(locals, var, Some(value));
    }
}
