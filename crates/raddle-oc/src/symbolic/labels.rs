//! What each label does on a path.

use crate::symbolic::cells::Dynamic;
use crate::symbolic::event_graph::{Limit, Step};
use crate::symbolic::{Activation, Executor, Locals, Run, State};
use raddle_ir::allocation::{Regions, room};
use raddle_ir::{ExprId, Label, Place, Sort, VarId};

/// Objects of undetermined size have at most so many bytes.
const LARGEST_UNKNOWN: u64 = 1 << 16;
/// So many threads can allocate.
const REGIONS_64: u64 = 1 << 20;
const REGIONS_32: u64 = 1 << 9;

impl Executor<'_, '_> {
    /// Executes a label; false: the path ends here.
    pub(crate) fn label(
        &mut self,
        activation: &Activation,
        site: (u32, u32, u32),
        label: &Label,
        locals: &mut Locals,
        state: &mut State,
        step: &mut Step,
    ) -> Run<bool> {
        let thread = activation.thread;
        match label {
            Label::Assign { var, value } => {
                let value = self.eval(locals, *value);
                self.set(locals, *var, Some(value));
            }
            Label::Havoc { var, .. } => self.havoc(locals, *var, step),
            Label::Print { var, .. } => {
                if let Some(var) = var {
                    self.havoc(locals, *var, step);
                }
            }
            Label::Assume(cond) | Label::Await(cond) | Label::Require { cond, .. } => {
                let cond = self.eval(locals, *cond);
                state.guard = state.guard.and(self.pool, cond);
            }
            Label::Load { var, place, .. } => {
                let sort = self.fixed.program.var(*var).sort;
                let address = self.address(locals, *place);
                let hits = self.hits(thread, *place, address, sort.bytes(), false, state)?;
                if !state.guard.is_false(self.pool) {
                    let value = self.load(thread, &hits, sort, state);
                    // What nobody wrote yet gets its value when it is read first.
                    if hits.places.iter().any(|hit| self.is_any_at_first(hit.cell)) {
                        let bits = self.bits_of(value);
                        step.choices.push(bits);
                    }
                    self.set(locals, *var, Some(value));
                }
            }
            Label::Store { place, value, order } => {
                let value = self.eval(locals, *value);
                let bytes = self.pool.sort(value).bytes();
                let address = self.address(locals, *place);
                let hits = self.hits(thread, *place, address, bytes, true, state)?;
                if !state.guard.is_false(self.pool) {
                    match self.is_deferred(*place, *order, state) {
                        true => {
                            self.separate(label, state);
                            self.defer_store(thread, &hits.places, address, value, state);
                        }
                        false => self.store(thread, &hits.places, value, state),
                    }
                }
            }
            Label::Alloc { var, size, zeroed, .. } => {
                let size = self.eval(locals, *size);
                let address = self.allocate(thread, size, *zeroed, site, state)?;
                let sort = self.fixed.program.var(*var).sort;
                let address = self.resize(address, sort);
                self.set(locals, *var, Some(address));
            }
            Label::ObjectSize { var, address } => {
                let ir_address = *address;
                let address = self.eval(locals, ir_address);
                let value = self.object_size(address, ir_address, state)?;
                let sort = self.fixed.program.var(*var).sort;
                let value = self.resize(value, sort);
                self.set(locals, *var, Some(value));
            }
            // Objects live for ever here: that only adds executions, and every violation is replayed.
            Label::Free { address, .. } => {
                let address = self.eval(locals, *address);
                self.lose_stores(address, state);
            }
            Label::Fence(_) => self.separate(label, state),
            Label::AtomicBegin => {
                if state.multi {
                    self.open_node(thread, state);
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
            Label::Start { var, callee, arg } => {
                return self.start(activation, site, *var, *callee, *arg, locals, state, step);
            }
            Label::Join { var, handle } => return self.join(thread, *var, *handle, locals, state),
            Label::Self_ { var } => {
                let sort = self.fixed.program.var(*var).sort;
                let handle = self.pool.bits(sort.bits().unwrap_or(32), thread.into());
                let handle = self.scalar_of(handle, sort);
                self.set(locals, *var, Some(handle));
            }
            Label::ThreadExit { value } => {
                let value = self.eval(locals, *value);
                step.node = state.open.as_ref().and_then(|open| open.node);
                self.main_exits |= thread == 0;
                self.end_thread(thread, state.clone(), value);
                return Ok(false);
            }
            Label::Lock { op, lock, var } => self.lock(thread, *op, *lock, *var, locals, state)?,
            Label::Call { .. } => return self.unsupported("a call among other labels"),
            Label::Error(_) => {
                self.graph.errors.push(state.guard.expr);
                step.error = true;
                return Ok(false);
            }
            Label::Halt { .. } => return Ok(false),
        }
        Ok(true)
    }

    fn havoc(&mut self, locals: &mut Locals, var: VarId, step: &mut Step) {
        let symbol = self.symbol(self.fixed.program.var(var).sort);
        step.havocs.push((var, symbol));
        self.set(locals, var, Some(symbol));
    }

    fn address(&mut self, locals: &mut Locals, place: Place) -> Option<ExprId> {
        match place {
            Place::Var(_) => None,
            Place::Memory(address) => Some(self.eval(locals, address)),
        }
    }

    /// An object lies behind the last one of its thread (raddle-ir, `allocation.rs`).
    fn allocate(
        &mut self,
        thread: u32,
        size: ExprId,
        zeroed: bool,
        site: (u32, u32, u32),
        state: &mut State,
    ) -> Run<ExprId> {
        let exact = size;
        let (size, is_largest) = match self.pool.as_const(exact) {
            Some(size) => (size.bits as u64, false),
            None => (self.largest_size(exact, state), true),
        };
        let program = self.fixed.program;
        let regions = Regions::new(program, if program.pointer_bits > 32 { REGIONS_64 } else { REGIONS_32 });
        let Some(start) = regions.start(thread.into()) else {
            return self.unsupported("allocations by so many threads");
        };
        let at = self.threads[thread as usize].allocated;
        let room = room(size);
        if room > regions.size - at {
            return self.unsupported("allocations of this size");
        }
        self.threads[thread as usize].allocated += room;
        let address = start + at;
        let object = Dynamic { address, size, is_largest, zeroed, site };
        let before = self.knowledge.dynamics.insert(address, object);
        self.was_wrong |= before.is_some_and(|before| before != object);
        self.allocated.insert(address, exact);
        Ok(self.pool.bits(program.pointer_bits, address.into()))
    }

    /// An object of undetermined size is as large as it can be: that only makes accesses valid which are not, and every violation is replayed.
    /// Larger ones than `LARGEST_UNKNOWN` are beyond a limit.
    fn largest_size(&mut self, size: ExprId, state: &mut State) -> u64 {
        if let Some(values) = self.values.of(self.pool, size, &self.knowledge.values)
            && values.iter().all(|size| *size <= LARGEST_UNKNOWN)
        {
            return values.last().copied().unwrap_or(0);
        }
        let bits = self.pool.sort(size).bits().unwrap_or(64);
        let largest = self.pool.bits(bits, LARGEST_UNKNOWN.into());
        let fits = self.pool.binary(raddle_ir::BinOp::ULe, size, largest);
        let not = self.pool.not(fits);
        let beyond = state.guard.and(self.pool, not);
        if !beyond.is_false(self.pool) {
            self.limit(Limit::Size, &beyond);
        }
        state.guard = state.guard.and(self.pool, fits);
        LARGEST_UNKNOWN
    }

    fn object_size(&mut self, address: ExprId, ir_address: ExprId, state: &mut State) -> Run<ExprId> {
        let bits = self.fixed.program.pointer_bits;
        let zero = self.pool.bits(bits, 0);
        let is_null = self.pool.eq(address, zero);
        let (mut size, mut valid) = (zero, is_null);
        for at in self.addresses(address, ir_address, 0)? {
            if let Some(object) = self.knowledge.dynamics.get(&at).copied() {
                let at = self.pool.bits(bits, at.into());
                let this = self.pool.eq(address, at);
                valid = self.pool.or(valid, this);
                let its = match (object.is_largest, self.allocated.get(&object.address)) {
                    (false, _) => self.pool.bits(bits, object.size.into()),
                    (true, Some(exact)) => self.resize(*exact, Sort::Bits(bits)),
                    // Another thread allocates it, which is looked at later.
                    (true, None) => self.symbol(Sort::Bits(bits)),
                };
                size = self.pool.ite(this, its, size);
            }
        }
        state.guard = state.guard.and(self.pool, valid);
        Ok(size)
    }
}
