//! Which objects live, in a Program that asks for it. An object that is allocated has a cell that holds its size and one, or 0 while it does not live. So questions about its life are
//! reads, and `Alloc`, `Free` and the end of an activation are writes, ordered and private like all others.
//!
//! Accesses do not look at lives: a Program that asks has a question before each of them.

use crate::symbolic::knowledge::cells::{Cell, Dynamic};
use crate::symbolic::memory::Memory;
use crate::symbolic::memory::objects::Holder;
use crate::symbolic::scalars::resize;
use crate::symbolic::state::State;
use crate::symbolic::{Run, unsupported};
use raddle_ir::{BinOp, ExprId, Label, Leak, Sort, Storage, Use, VarId};

/// A question about an address that may lie in more objects is not followed.
const MOST_OBJECTS: usize = 256;

impl Memory<'_, '_> {
    /// An object of some size lives from now on.
    pub(super) fn begin_life(&mut self, start: u64, size: ExprId, storage: Storage, state: &mut State) {
        if !self.asks_for_lives {
            return;
        }
        let bits = self.program.pointer_bits;
        let (size, one) = (resize(self.pool, size, Sort::Bits(bits)), self.pool.bits(bits, 1));
        let life = self.pool.binary(BinOp::BvAdd, size, one);
        self.write_cell(Cell::Life(start), life, None, state);
        if storage == Storage::Stack
            && let Some(frame) = self.frames.entry(state.thread).or_default().last_mut()
        {
            frame.push(start);
        }
    }

    /// An activation of a thread begins, and is over on all paths.
    pub(crate) fn enter(&mut self, thread: u32) {
        self.frames.entry(thread).or_default().push(Vec::new());
    }

    pub(crate) fn leave(&mut self, thread: u32) {
        self.frames.entry(thread).or_default().pop();
    }

    /// The path leaves its activation, or all of them: the lives of its automatic objects end.
    pub(crate) fn end_frames(&mut self, all: bool, state: &mut State) {
        if !self.asks_for_lives {
            return;
        }
        let frames = self.frames.entry(state.thread).or_default();
        let left = if all { 0 } else { frames.len().saturating_sub(1) };
        let ended: Vec<u64> = frames[left..].concat();
        let none = self.pool.bits(self.program.pointer_bits, 0);
        for start in ended {
            self.write_cell(Cell::Life(start), none, None, state);
        }
    }

    /// The object that begins at an address lives no more.
    pub(crate) fn end_life(&mut self, address: ExprId, ir_address: ExprId, state: &mut State) -> Run<()> {
        if !self.asks_for_lives {
            return Ok(());
        }
        let bits = self.program.pointer_bits;
        let none = self.pool.bits(bits, 0);
        for object in self.dynamics_at(address, ir_address)? {
            let start = self.pool.bits(bits, object.address.into());
            let when = self.pool.eq(address, start);
            if !self.pool.is_bool(when, false) {
                let when = (!self.pool.is_bool(when, true)).then_some(when);
                self.write_cell(Cell::Life(object.address), none, when, state);
            }
        }
        Ok(())
    }

    /// The dynamic objects that an address may lie in.
    fn dynamics_at(&mut self, address: ExprId, ir_address: ExprId) -> Run<Vec<Dynamic>> {
        let mut found: Vec<Dynamic> = Vec::new();
        if let Some(values) = self.assumptions.values_of(self.pool, address) {
            for at in values {
                match self.holder(at, 0) {
                    Some(Holder::Dynamic(object)) => found.push(object),
                    None if at >= self.program.dynamic_base => self.assumptions.ask_for_objects(),
                    _ => {}
                }
            }
        } else {
            let starts = self.objects_of(ir_address);
            found.extend(starts.iter().filter_map(|(start, _)| self.assumptions.object_at(*start)));
        }
        found.sort_unstable_by_key(|object| object.address);
        found.dedup_by_key(|object| object.address);
        match found.len() > MOST_OBJECTS {
            true => unsupported(format!("an address that may lie in more than {MOST_OBJECTS} objects")),
            false => Ok(found),
        }
    }

    /// May memory be used in a way?
    pub(crate) fn is_valid(
        &mut self,
        address: ExprId,
        ir_address: ExprId,
        used: Use,
        state: &mut State,
    ) -> Run<ExprId> {
        let mut valid = match used {
            Use::Free => {
                let null = self.pool.bits(self.program.pointer_bits, 0);
                self.pool.eq(address, null)
            }
            Use::Call => {
                let functions = self.functions(address, ir_address);
                return Ok(self.is_one_of(address, functions.into_iter().map(|(at, _)| at)));
            }
            Use::Read(bytes) | Use::Write(bytes) => self.in_static(address, ir_address, bytes, used),
        };
        for object in self.dynamics_at(address, ir_address)? {
            let there = self.in_dynamic(address, object, used, state);
            valid = self.pool.or(valid, there);
        }
        Ok(valid)
    }

    fn is_one_of(&mut self, address: ExprId, places: impl Iterator<Item = u64>) -> ExprId {
        let bits = self.program.pointer_bits;
        let no = self.pool.bool(false);
        places.fold(no, |any, at| {
            let at = self.pool.bits(bits, at.into());
            let is_this = self.pool.eq(address, at);
            self.pool.or(any, is_this)
        })
    }

    /// Do so many bytes lie in a static object?
    fn in_static(&mut self, address: ExprId, ir_address: ExprId, bytes: u64, used: Use) -> ExprId {
        let is_read = matches!(used, Use::Read(_));
        let fits =
            |holder: Option<Holder>| matches!(&holder, Some(held @ Holder::Static(_)) if is_read || held.is_writable());
        if let Some(values) = self.assumptions.values_of(self.pool, address) {
            let right: Vec<u64> = values.into_iter().filter(|at| fits(self.holder(*at, bytes))).collect();
            return self.is_one_of(address, right.into_iter());
        }
        let mut any = self.pool.bool(false);
        for (start, size) in self.objects_of(ir_address) {
            if size >= bytes && fits(self.holder(start, size)) {
                let inside = self.within(address, start, size - bytes);
                any = self.pool.or(any, inside);
            }
        }
        any
    }

    /// Is an address at most so far behind another one?
    fn within(&mut self, address: ExprId, start: u64, last: u64) -> ExprId {
        let bits = self.program.pointer_bits;
        let (start, last) = (self.pool.bits(bits, start.into()), self.pool.bits(bits, last.into()));
        let offset = self.pool.binary(BinOp::BvSub, address, start);
        self.pool.binary(BinOp::ULe, offset, last)
    }

    fn in_dynamic(&mut self, address: ExprId, object: Dynamic, used: Use, state: &mut State) -> ExprId {
        let bits = self.program.pointer_bits;
        let Dynamic { address: at, size, is_largest, .. } = object;
        let (inside, bytes) = match used {
            Use::Free if self.storage_of(object) != Storage::Heap => return self.pool.bool(false),
            Use::Free | Use::Call => (self.is_one_of(address, std::iter::once(at)), 0),
            Use::Read(bytes) | Use::Write(bytes) if bytes <= size => (self.within(address, at, size - bytes), bytes),
            Use::Read(_) | Use::Write(_) => return self.pool.bool(false),
        };
        if self.pool.is_bool(inside, false) {
            return inside;
        }
        let when = (!self.pool.is_bool(inside, true)).then_some(inside);
        let life = self.read_cell(Cell::Life(at), when, state);
        let fits = if is_largest && bytes > 0 {
            let (start, bytes) = (self.pool.bits(bits, at.into()), self.pool.bits(bits, bytes.into()));
            let offset = self.pool.binary(BinOp::BvSub, address, start);
            let end = self.pool.binary(BinOp::BvAdd, offset, bytes);
            self.pool.binary(BinOp::ULt, end, life)
        } else {
            self.lives(life)
        };
        self.pool.and(inside, fits)
    }

    fn lives(&mut self, life: ExprId) -> ExprId {
        let none = self.pool.bits(self.program.pointer_bits, 0);
        let ended = self.pool.eq(life, none);
        self.pool.not(ended)
    }

    fn storage_of(&self, object: Dynamic) -> Storage {
        let (proc, edge, label) = object.site;
        match self.program.procs[proc as usize].edges[edge as usize].labels[label as usize] {
            Label::Alloc { storage, .. } => storage,
            _ => Storage::Heap,
        }
    }

    /// Does any object on the heap live that leaks?
    pub(crate) fn leaks(&mut self, leak: Leak, state: &mut State) -> ExprId {
        self.assumptions.ask_for_objects();
        let mut heap = self.assumptions.all_objects();
        heap.retain(|object| self.storage_of(*object) == Storage::Heap);
        let mut any = self.pool.bool(false);
        for &object in &heap {
            let life = self.read_cell(Cell::Life(object.address), None, state);
            let mut leaks = self.lives(life);
            if leak == Leak::PerhapsLost && !self.pool.is_bool(leaks, false) {
                let kept = self.is_surely_kept(object, state);
                let lost = self.pool.not(kept);
                leaks = self.pool.and(leaks, lost);
            }
            any = self.pool.or(any, leaks);
        }
        any
    }

    /// Does a static variable lead to an object? (Not through other objects.)
    fn is_surely_kept(&mut self, object: Dynamic, state: &mut State) -> ExprId {
        let mut kept = self.pool.bool(false);
        if self.buffers.is_weak() {
            return kept;
        }
        let program = self.program;
        let sort = program.pointer_sort();
        for (i, var) in program.vars.iter().enumerate() {
            let var_id = VarId(i as u32);
            if var.sort == sort && var.is_static_as_lowered() && self.objects.may_hold(var_id, object.site) {
                let value = self.read_cell(Cell::Var(var_id), None, state);
                let leads = self.within(value, object.address, object.size);
                kept = self.pool.or(kept, leads);
            }
        }
        kept
    }
}
