//! What each label does on a path.

use crate::library_results::LibraryResult;
use crate::symbolic::Run;
use crate::symbolic::memory::addresses::Access;
use crate::symbolic::memory::lock_ops::LockAccess;
use crate::symbolic::scalars::{bits_of, handle};
use crate::symbolic::unsupported;
use crate::symbolic::walk::Executor;
use crate::symbolic::walk::edges::EdgeRun;
use raddle_interp::Source;
use raddle_ir::locks::kind_part;
use raddle_ir::{ExprId, HavocReason, Label, LockOp, Order, Place, VarId};

impl Executor<'_, '_> {
    /// Executes a label; false: the path ends here.
    pub(super) fn label(&mut self, label: &Label, run: &mut EdgeRun) -> Run<bool> {
        let EdgeRun { site, locals, state, step, .. } = run;
        match label {
            Label::Assign { var, value } => {
                let value = self.eval(locals, *value);
                self.code.set(locals, *var, Some(value));
            }
            Label::Havoc { var, .. } | Label::Print { var: Some(var), .. } => {
                let symbol = self.memory.pool.fresh(self.program.var(*var).sort);
                if let Label::Havoc { reason: HavocReason::Result(of), .. } = label {
                    let args = of.args.map(|arg| arg.map(|arg| self.eval(locals, arg)));
                    self.memory.graph.library_result(LibraryResult { function: of.function, args, result: symbol });
                }
                step.values.push((Source::Havoc(*var), symbol));
                self.code.set(locals, *var, Some(symbol));
            }
            Label::Print { var: None, .. } => {}
            Label::Assume(cond) | Label::Await(cond) | Label::Require { cond, .. } => {
                let cond = self.eval(locals, *cond);
                state.assume(self.memory.pool, cond);
            }
            Label::Load { var, place, .. } => self.load(*var, *place, run)?,
            Label::Store { place, value, order } => self.store(label, *place, *value, *order, run)?,
            Label::Alloc { var, size, zeroed, storage, .. } => {
                let size = self.eval(locals, *size);
                let address = self.memory.allocate(size, (*storage, *zeroed), *site, state)?;
                self.assign(locals, *var, address);
            }
            Label::Valid { var, address, used } => {
                let ir_address = *address;
                let address = self.eval(locals, ir_address);
                let valid = self.memory.is_valid(address, ir_address, *used, state)?;
                self.code.set(locals, *var, Some(valid));
            }
            Label::Leaks { var, leak } => {
                let leaks = self.memory.leaks(*leak, state);
                self.code.set(locals, *var, Some(leaks));
            }
            Label::ObjectSize { var, address } => {
                let ir_address = *address;
                let address = self.eval(locals, ir_address);
                let size = self.memory.object_size(address, ir_address, state)?;
                self.assign(locals, *var, size);
            }
            // For accesses, objects live for ever: that only adds executions, and every violation is replayed.
            Label::Free { address, .. } => {
                let ir_address = *address;
                let address = self.eval(locals, ir_address);
                self.memory.lose_stores(address, state);
                self.memory.end_life(address, ir_address, state)?;
            }
            Label::Fence(_) => self.memory.separate(label, state),
            Label::AtomicBegin => {
                if state.multi {
                    self.memory.open_node(state);
                }
                if let Some(open) = &mut state.open {
                    open.depth += 1;
                }
            }
            Label::AtomicEnd => {
                if let Some(open) = &mut state.open {
                    open.depth = open.depth.saturating_sub(1);
                }
            }
            Label::Start { var, callee, arg } => return self.start(*var, *callee, *arg, run),
            Label::Join { var, handle } => return self.join(*var, *handle, run),
            Label::Self_ { var } => {
                let handle = handle(self.memory.pool, state.thread, self.program.var(*var).sort);
                self.code.set(locals, *var, Some(handle));
            }
            Label::ThreadExit { value } => {
                let value = self.eval(locals, *value);
                self.memory.end_frames(true, state);
                step.node = state.node();
                self.threads.exit(state.thread);
                self.end_thread(state.clone(), value);
                return Ok(false);
            }
            Label::Lock { op, lock, var } => self.lock(*op, *lock, *var, run)?,
            Label::Call { .. } => return unsupported("a call among other labels"),
            Label::Error(_) => {
                self.memory.graph.error(&state.guard);
                step.error = true;
                return Ok(false);
            }
            Label::Halt { .. } => return Ok(false),
        }
        Ok(true)
    }

    fn access(&mut self, place: Place, len: u64, writes: bool, run: &mut EdgeRun) -> Access {
        let address = match place {
            Place::Var(_) => None,
            Place::Memory(address) => Some(self.eval(&mut run.locals, address)),
        };
        Access { place, address, len, writes }
    }

    fn load(&mut self, var: VarId, place: Place, run: &mut EdgeRun) -> Run<()> {
        let sort = self.program.var(var).sort;
        let access = self.access(place, sort.bytes(), false, run);
        let hits = self.memory.hits(access, &mut run.state)?;
        if run.state.guard.is_false(self.memory.pool) {
            return Ok(());
        }
        let value = self.memory.load(&hits, sort, &mut run.state);
        // What nobody wrote yet gets its value when it is read first.
        let position = run.site.2;
        if hits.places.iter().any(|hit| self.memory.is_any_at_first(hit.cell)) {
            run.step.values.push((Source::Load(position), bits_of(self.memory.pool, value)));
        }
        self.code.set(&mut run.locals, var, Some(value));
        Ok(())
    }

    fn store(&mut self, label: &Label, place: Place, value: ExprId, order: Order, run: &mut EdgeRun) -> Run<()> {
        let value = self.eval(&mut run.locals, value);
        let bytes = self.memory.pool.sort(value).bytes();
        let access = self.access(place, bytes, true, run);
        let hits = self.memory.hits(access, &mut run.state)?;
        if run.state.guard.is_false(self.memory.pool) {
            return Ok(());
        }
        if !run.direct && self.memory.is_deferred(place, order, &run.state) {
            self.memory.separate(label, &mut run.state);
            self.memory.defer_store(&hits.places, access.address, value, &mut run.state);
        } else {
            self.memory.store(&hits.places, value, &mut run.state);
        }
        Ok(())
    }

    fn lock(&mut self, op: LockOp, lock: ExprId, var: Option<VarId>, run: &mut EdgeRun) -> Run<()> {
        let address = self.eval(&mut run.locals, lock);
        let kind = match op {
            LockOp::Init(kind) => {
                let kind = self.eval(&mut run.locals, kind);
                Some(kind_part(self.memory.pool, kind))
            }
            _ => None,
        };
        let access = LockAccess { op, address, ir_address: lock, kind };
        let answer = self.memory.lock(access, &mut run.state)?;
        if let Some(var) = var {
            self.assign(&mut run.locals, var, answer);
        }
        Ok(())
    }
}
