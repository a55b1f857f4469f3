//! `setjmp` and `longjmp` by unwinding: a jump returns from one function after the other until it arrives at the one it is for.
//!
//! Each activation of a function that calls `setjmp` has a number. `setjmp` stores the number and the place of the call in the buffer. `longjmp` stores both in
//! variables of the thread and goes to the *landing* of its function, and so does every function that was left, after the call (only those that
//! `call_graph.rs` finds). At the landing of the activation that is meant the execution goes on behind its `setjmp`; other functions return, so that lifetimes end as at
//! any return. A jump to an activation that has ended, or into another thread, is undefined and ends the path.
//!
//! Locals that are not volatile and have changed since `setjmp` are indeterminate in C: compilers give the old value or the new one. They get any
//! value, which can give no wrong proof. `setjmp` keeps their values, so that those that have not changed stay what they are. Where that
//! is not possible (large objects; a jump to an earlier call of `setjmp` at the same place, when locals were different), the landing is a gap. The
//! buffers of `pthread_cleanup_push` are no `setjmp` of the program: handlers see the last values.

use super::builder::{Builder, LocalHome};
use super::call_graph::{self, Reaching};
use super::{Lower, defined};
use crate::error::Result;
use crate::hir::visit::{each_expr, each_statement};
use crate::hir::{Callee, Expr, ExprKind, FnId, Hir, LocalId, Stmt, StmtKind};
use crate::source::Pos;
use crate::types::{QualSet, RecordId, Type, TypeId};
use raddle_ir::{
    BinOp, Const, ExprId, GapKind, HavocReason, Hazard, Label, LocId, Order, Origin, Place, Sort, UnOp, Var, VarId,
    VarKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Objects with more parts are not kept.
const MOST_PARTS: usize = 32;
const MOST_PARTS_OF_BUFFER: usize = 64;
/// Numbers of activations and of calls.
const NUMBER: Sort = Sort::Bits(32);

pub(super) fn is_set_jump(name: &str) -> bool {
    matches!(name, "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "__sigsetjmp_cancel")
}

pub(super) fn is_long_jump(name: &str) -> bool {
    matches!(name, "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" | "____longjmp_chk" | "__raddle_jump")
}

/// The variables of a thread that say where a jump leads, and who jumps.
pub(super) struct Unwinding {
    /// Who may be left by a jump.
    reaching: Reaching,
    /// The types of buffers.
    buffers: Vec<RecordId>,
    /// How many activations of all threads ever got a number, and how many of this thread are there now.
    count: VarId,
    depth: VarId,
    /// The activation that is jumped to; 0: nobody jumps. Then which call in it, in which generation, and what the call returns.
    target: VarId,
    site: VarId,
    generation: VarId,
    value: VarId,
}

/// A call of `setjmp`.
struct Site {
    after: LocId,
    result: VarId,
    /// Counts the calls between which locals changed, if the call is in a loop.
    generation: Option<VarId>,
    kept: Vec<Kept>,
    /// Why nobody can jump here.
    gap: Option<String>,
}

/// The value that a local, or a part of one, had when `setjmp` was called; `None` if it had none.
struct Kept {
    home: Home,
    value: Option<VarId>,
    sort: Sort,
}

#[derive(Clone, Copy)]
enum Home {
    Var(VarId),
    Memory(VarId, u64),
}

/// What a function with calls of `setjmp` has besides.
pub(super) struct Frame {
    /// The number of the activation.
    number: VarId,
    landing: LocId,
    /// The edge where hidden locals get their first values.
    first_edge: usize,
    sites: Vec<Site>,
    /// Locals that may change, and where the text mentions those first that have no initialiser.
    changing: Vec<(LocalId, Option<Pos>)>,
}

impl Lower<'_> {
    /// Finds out who may be left by a jump, if anybody jumps.
    pub(super) fn find_unwinding(&mut self) {
        let hir = self.hir;
        let is_goal = |(_, f): &(usize, &crate::hir::Function)| f.body.is_none() && is_long_jump(&f.name);
        let goals: Vec<FnId> =
            hir.functions.iter().enumerate().filter(is_goal).map(|(index, _)| FnId(index as u32)).collect();
        if goals.is_empty() {
            return;
        }
        let reaching = call_graph::reaching(hir, &goals, |id| self.hidden_calls(id));
        let is_used = |id: usize| hir.functions[id].body.is_some() && reaching.contains(FnId(id as u32));
        if !(0..hir.functions.len()).any(is_used) && !reaching.by_pointer {
            return;
        }
        let zero = Some(Const { sort: NUMBER, bits: 0 });
        let mut variable = |name: &str| {
            let kind = if name == "activations" { VarKind::Global(zero) } else { VarKind::ThreadLocal(zero) };
            let (name, span, origin) = (format!("jump {name}"), raddle_ir::Span::NONE, Origin::default());
            self.add_var(Var { name, sort: NUMBER, kind, signed: false, span, origin })
        };
        let (count, depth) = (variable("activations"), variable("depth"));
        let (target, site) = (variable("target"), variable("site"));
        let (generation, value) = (variable("generation"), variable("value"));
        let buffers = buffer_types(hir);
        self.unwinding = Some(Unwinding { reaching, buffers, count, depth, target, site, generation, value });
    }

    /// What lowering calls where a function without a body is called.
    fn hidden_calls(&self, id: FnId) -> Vec<FnId> {
        let function = self.hir_function(id);
        let mut calls = self.cancellation_calls(id);
        calls.extend(match function.name.as_str() {
            _ if function.body.is_some() => vec![],
            "exit" | "err" | "errx" | "verr" | "verrx" => self.at_exit(),
            "__raddle_exit_thread" | "pthread_exit" | "thrd_exit" => {
                defined(self.hir, "__raddle_run_destructors").into_iter().collect()
            }
            _ => vec![],
        });
        calls
    }

    /// May a call of this function end in a jump?
    pub(super) fn may_unwind(&self, callee: Option<FnId>) -> bool {
        self.unwinding.as_ref().is_some_and(|unwinding| match callee {
            Some(id) => unwinding.reaching.contains(id),
            None => unwinding.reaching.by_pointer,
        })
    }
}

impl<'a> Builder<'_, 'a> {
    // ---- activations ----

    /// Gives the activation a number if the function calls `setjmp`, and somebody jumps.
    pub(super) fn enter_frame(&mut self, body: &'a [Stmt]) -> Result<()> {
        let Some(unwinding) = &self.cx.unwinding else { return Ok(()) };
        let (count, depth) = (unwinding.count, unwinding.depth);
        if !self.calls_set_jump(body) {
            return Ok(());
        }
        let mark = self.temp_mark();
        let number = self.new_local("activation", NUMBER, false);
        let one = self.cx.pool.bits(32, 1);
        let add = |this: &mut Self, old| Ok(this.cx.pool.binary(BinOp::BvAdd, old, one));
        // All threads count together: a number belongs to one thread.
        let (_, next) = self.update(Place::Var(count), NUMBER, Order::SeqCst, add)?;
        let deeper = self.increased(depth);
        let first_edge = self.edge_count();
        self.emit_step(vec![Label::Assign { var: number, value: next }]);
        self.close();
        self.store_jump(depth, deeper);
        let landing = self.new_location();
        let changing = self.changing_locals(body);
        self.frame = Some(Frame { number, landing, first_edge, sites: vec![], changing });
        self.release_temps(mark);
        self.close();
        Ok(())
    }

    fn calls_set_jump(&self, body: &'a [Stmt]) -> bool {
        let mut found = false;
        each_expr(body, &mut |expr| {
            if let ExprKind::Call { callee: Callee::Direct(id), .. } = &expr.kind {
                let function = self.cx.hir_function(*id);
                found |= function.body.is_none() && is_set_jump(&function.name);
            }
        });
        found
    }

    /// Behind all returns: one activation less. Then the landing.
    pub(super) fn leave_frame(&mut self) -> Result<()> {
        let Some(frame) = self.frame.take() else { return Ok(()) };
        let (depth, old_exit) = (self.jump_variables().depth, self.exit);
        self.here = frame.landing;
        self.close();
        self.land(&frame)?;
        self.here = old_exit;
        self.exit = self.new_location();
        self.close();
        let now = self.load(Place::Var(depth), NUMBER, Order::NonAtomic);
        let one = self.cx.pool.bits(32, 1);
        let less = self.cx.pool.binary(BinOp::BvSub, now, one);
        self.close();
        self.store_jump(depth, less);
        self.jump(self.exit);
        Ok(())
    }

    fn jump_variables(&self) -> &Unwinding {
        self.cx.unwinding.as_ref().expect("frames and jumps are lowered only if somebody jumps")
    }

    fn increased(&mut self, var: VarId) -> ExprId {
        let old = self.load(Place::Var(var), NUMBER, Order::NonAtomic);
        let one = self.cx.pool.bits(32, 1);
        self.cx.pool.binary(BinOp::BvAdd, old, one)
    }

    fn store_jump(&mut self, var: VarId, value: ExprId) {
        self.emit(Label::Store { place: Place::Var(var), value, order: Order::NonAtomic });
    }

    // ---- jumping ----

    /// After a call that may end in a jump: if it did, this function is left as well.
    pub(super) fn after_call(&mut self, callee: Option<FnId>) {
        if !self.cx.may_unwind(callee) {
            return;
        }
        let target = self.jump_variables().target;
        let target = self.load(Place::Var(target), NUMBER, Order::NonAtomic);
        let jumps = self.is_true(target);
        let (landing, next) = (self.landing(), self.new_location());
        self.branch(jumps, landing, next);
        self.here = next;
    }

    /// Where a jump that is under way goes on in this function.
    fn landing(&self) -> LocId {
        self.frame.as_ref().map_or(self.exit, |frame| frame.landing)
    }

    pub(super) fn long_jump(&mut self, buffer: ExprId, value: ExprId, of_program: bool) -> Result<()> {
        let buffer = self.fit(buffer, self.cx.pointer_sort());
        if let Some(restore_mask) = defined(self.hir(), "__raddle_jump_restores").filter(|_| of_program) {
            self.prelude_call(restore_mask, vec![buffer])?;
        }
        let Unwinding { depth, target, site, generation, value: result, .. } = *self.jump_variables();
        let number = self.buffer_word(buffer, 0);
        let is_set = self.is_true(number);
        self.require(is_set);
        let depth = self.load(Place::Var(depth), NUMBER, Order::NonAtomic);
        let is_there = self.is_true(depth);
        self.require(is_there);
        self.store_jump(target, number);
        for (var, index) in [(site, 1), (generation, 2)] {
            let word = self.buffer_word(buffer, index);
            self.store_jump(var, word);
        }
        let value = self.fit(value, NUMBER);
        self.store_jump(result, value);
        let landing = self.landing();
        self.jump(landing);
        Ok(())
    }

    fn require(&mut self, cond: ExprId) {
        self.emit(Label::Require { cond, hazard: Hazard::Unreachable });
        self.close();
    }

    /// Buffers are words as wide as pointers, as glibc's are.
    fn buffer_word(&mut self, buffer: ExprId, index: u64) -> ExprId {
        let at = self.word_address(buffer, index);
        let sort = self.cx.pointer_sort();
        let word = self.load(Place::Memory(at), sort, Order::NonAtomic);
        self.fit(word, NUMBER)
    }

    fn word_address(&mut self, buffer: ExprId, index: u64) -> ExprId {
        let bytes = u64::from(self.cx.pointer_bits / 8);
        self.offset(buffer, index * bytes)
    }

    // ---- setjmp ----

    /// `None`: this is not `setjmp`.
    pub(super) fn set_jump(&mut self, name: &str, args: &'a [Expr]) -> Result<Option<ExprId>> {
        let [buffer, rest @ ..] = args else { return Ok(None) };
        if !is_set_jump(name) {
            return Ok(None);
        }
        let is_inside = self.temp_mark() > self.dead_temps;
        let address = self.value(buffer)?;
        let saves = match rest {
            [saves, ..] => self.value(saves)?,
            [] => self.cx.pool.bits(32, 0),
        };
        let Some(frame) = &self.frame else {
            // Nobody jumps.
            return Ok(Some(self.cx.pool.bits(32, 0)));
        };
        let (number, index) = (frame.number, frame.sites.len() as u128);
        let mut site = Site {
            after: self.new_location(),
            result: self.new_local("setjmp", NUMBER, true),
            generation: None,
            kept: vec![],
            gap: is_inside.then(|| "a jump into the middle of an expression".to_string()),
        };
        let address = self.fit(address, self.cx.pointer_sort());
        let number = self.var_value(number);
        let index = self.cx.pool.bits(32, index);
        if !is_of_cleanup(self.cx.hir_function(self.function), buffer) {
            if let Some(save_mask) = defined(self.hir(), "__raddle_jump_saves") {
                self.prelude_call(save_mask, vec![address, saves])?;
            }
            self.keep_locals(&mut site, buffer.pos)?;
        }
        let generation = match site.generation {
            Some(generation) => self.var_value(generation),
            None => self.cx.pool.bits(32, 0),
        };
        for (word, value) in [number, index, generation].into_iter().enumerate() {
            let at = self.word_address(address, word as u64);
            let value = self.fit(value, self.cx.pointer_sort());
            self.store_memory(at, value);
        }
        let zero = self.cx.pool.bits(32, 0);
        self.assign(site.result, zero);
        self.enter(site.after);
        let result = self.var_value(site.result);
        if let Some(frame) = &mut self.frame {
            frame.sites.push(site);
        }
        Ok(Some(result))
    }

    /// Notes the values of all locals that C lets change.
    fn keep_locals(&mut self, site: &mut Site, pos: Pos) -> Result<()> {
        let changing = self.frame.as_ref().map(|frame| frame.changing.clone()).unwrap_or_default();
        for (local, first_mention) in changing {
            let declared = &self.cx.hir_function(self.function).locals[local.index()];
            let (name, ty) = (&declared.name, declared.ty);
            let has_value = self.loops > 0 || first_mention.is_none_or(|first| first < pos);
            let name = Some(name).filter(|_| has_value);
            match self.home(local) {
                LocalHome::Var(var) => self.keep(site, name, Home::Var(var), self.cx.vars[var.index()].sort),
                LocalHome::Memory(address) => match self.parts_beside_buffers(ty) {
                    Some(parts) if !self.has_volatile_part(ty) && !self.is_variable(ty) => {
                        for (offset, sort) in parts {
                            self.keep(site, name, Home::Memory(address, offset), sort);
                        }
                    }
                    _ => {
                        let name = &declared.name;
                        let what = format!("a jump to a function with a local like `{name}`, which may have changed");
                        site.gap = Some(what);
                    }
                },
            }
        }
        if self.loops == 0 || site.kept.is_empty() {
            self.note_values(site, None);
            return Ok(());
        }
        let generation = self.new_local("generation", NUMBER, false);
        site.generation = Some(generation);
        let zero = self.cx.pool.bits(32, 0);
        if let Some(frame) = &self.frame {
            let first = frame.first_edge;
            self.add_label(first, Label::Assign { var: generation, value: zero });
        }
        self.note_values(site, Some(generation));
        Ok(())
    }

    fn keep(&mut self, site: &mut Site, name: Option<&String>, home: Home, sort: Sort) {
        let value = name.map(|name| self.new_local(&format!("{name} at setjmp"), sort, false));
        site.kept.push(Kept { home, value, sort });
    }

    /// Values that differ from those that were kept before make a new generation.
    fn note_values(&mut self, site: &Site, generation: Option<VarId>) {
        let mut is_new = generation.map(|generation| {
            let (now, zero) = (self.var_value(generation), self.cx.pool.bits(32, 0));
            self.cx.pool.eq(now, zero)
        });
        for kept in &site.kept {
            let Some(value) = kept.value else { continue };
            let now = self.current(kept);
            if let Some(so_far) = is_new {
                let changed = self.has_changed(value, now);
                is_new = Some(self.cx.pool.or(so_far, changed));
                let var = self.temp(Sort::Bool);
                self.assign(var, is_new.unwrap_or(changed));
                is_new = Some(self.var_value(var));
            }
            self.assign(value, now);
        }
        if let (Some(generation), Some(is_new)) = (generation, is_new) {
            let (now, one) = (self.var_value(generation), self.cx.pool.bits(32, 1));
            let next = self.cx.pool.binary(BinOp::BvAdd, now, one);
            let value = self.cx.pool.ite(is_new, next, now);
            self.assign(generation, value);
        }
    }

    fn current(&mut self, kept: &Kept) -> ExprId {
        match kept.home {
            Home::Var(var) => self.var_value(var),
            Home::Memory(base, offset) => {
                let base = self.var_value(base);
                let at = self.offset(base, offset);
                self.load(Place::Memory(at), kept.sort, Order::NonAtomic)
            }
        }
    }

    fn has_changed(&mut self, before: VarId, now: ExprId) -> ExprId {
        let before = self.var_value(before);
        let [before, now] = [before, now].map(|value| match self.cx.pool.sort(value) {
            Sort::Float(_) => self.cx.pool.unary(UnOp::FToBits, value),
            _ => value,
        });
        self.cx.pool.ne(before, now)
    }

    // ---- landing ----

    /// A jump has come to this function.
    fn land(&mut self, frame: &Frame) -> Result<()> {
        let Unwinding { depth, target, site: site_var, generation, .. } = *self.jump_variables();
        let mark = self.temp_mark();
        let wanted = self.load(Place::Var(target), NUMBER, Order::NonAtomic);
        let own = self.var_value(frame.number);
        let is_here = self.cx.pool.eq(wanted, own);
        let (here, elsewhere) = (self.new_location(), self.new_location());
        self.branch(is_here, here, elsewhere);
        // The last activation that anybody could mean is another one: that has ended.
        self.here = elsewhere;
        let depth = self.load(Place::Var(depth), NUMBER, Order::NonAtomic);
        let one = self.cx.pool.bits(32, 1);
        let is_there = self.cx.pool.binary(BinOp::ULt, one, depth);
        self.require(is_there);
        self.jump(self.exit);
        self.here = here;
        let wanted = self.load(Place::Var(site_var), NUMBER, Order::NonAtomic);
        for (index, site) in frame.sites.iter().enumerate() {
            let index = self.cx.pool.bits(32, index as u128);
            let is_this = self.cx.pool.eq(wanted, index);
            let (this, others) = (self.new_location(), self.new_location());
            self.branch(is_this, this, others);
            self.here = this;
            self.land_at(site, generation);
            self.here = others;
        }
        self.unreachable();
        self.release_temps(mark);
        Ok(())
    }

    fn land_at(&mut self, site: &Site, generation: VarId) {
        if let Some(what) = &site.gap {
            return self.gap(GapKind::Unsupported, what);
        }
        if let Some(own) = site.generation {
            let wanted = self.load(Place::Var(generation), NUMBER, Order::NonAtomic);
            let own = self.var_value(own);
            let is_last = self.cx.pool.eq(wanted, own);
            let (last, earlier) = (self.new_location(), self.new_location());
            self.branch(is_last, last, earlier);
            self.here = earlier;
            self.gap(
                GapKind::Unsupported,
                "a jump to an earlier `setjmp` at the same place, when locals were different",
            );
            self.here = last;
        }
        for kept in &site.kept {
            self.forget_if_changed(kept);
        }
        let Unwinding { target, site: site_var, value, .. } = *self.jump_variables();
        let given = self.load(Place::Var(value), NUMBER, Order::NonAtomic);
        let (zero, one) = (self.cx.pool.bits(32, 0), self.cx.pool.bits(32, 1));
        let is_zero = self.cx.pool.eq(given, zero);
        let result = self.cx.pool.ite(is_zero, one, given);
        self.assign(site.result, result);
        for var in [target, site_var, generation, value] {
            self.store_jump(var, zero);
        }
        self.jump(site.after);
    }

    /// A local that has changed since `setjmp` is any value.
    fn forget_if_changed(&mut self, kept: &Kept) {
        let next = self.new_location();
        if let Some(value) = kept.value {
            let now = self.current(kept);
            let changed = self.has_changed(value, now);
            let forget = self.new_location();
            self.branch(changed, forget, next);
            self.here = forget;
        }
        match kept.home {
            Home::Var(var) => {
                self.emit(Label::Havoc { var, reason: HavocReason::Uninitialised, site: Origin::default() });
            }
            Home::Memory(base, offset) => {
                let any = self.any_value(kept.sort, HavocReason::Uninitialised);
                let base = self.var_value(base);
                let at = self.offset(base, offset);
                self.store_memory(at, any);
            }
        }
        self.enter(next);
    }

    // ---- locals ----

    /// Locals that may change between two places of the function, but for volatile ones and the buffers themselves.
    fn changing_locals(&self, body: &'a [Stmt]) -> Vec<(LocalId, Option<Pos>)> {
        let function = self.cx.hir_function(self.function);
        let mut changed: FxHashSet<LocalId> = FxHashSet::default();
        let mut buffers: FxHashSet<LocalId> = FxHashSet::default();
        let mut mentions: FxHashMap<LocalId, Pos> = FxHashMap::default();
        each_expr(body, &mut |expr| match &expr.kind {
            ExprKind::Local(local) => {
                let first = mentions.entry(*local).or_insert(expr.pos);
                *first = expr.pos.min(*first);
            }
            ExprKind::Assign(target, _)
            | ExprKind::AssignOp { target, .. }
            | ExprKind::AssignPtrAdd { target, .. }
            | ExprKind::IncDec { target, .. }
            | ExprKind::VaArg(target) => changed.extend(root(target)),
            ExprKind::Call { callee: Callee::Direct(id), args } if is_set_jump(&self.cx.hir_function(*id).name) => {
                if let Some(Expr { kind: ExprKind::Decay(place), .. }) = args.first().map(unconverted)
                    && let ExprKind::Local(local) = place.kind
                {
                    buffers.insert(local);
                }
            }
            _ => {}
        });
        let mut uninitialised: FxHashSet<LocalId> = FxHashSet::default();
        each_statement(body, &mut |statement| {
            if let StmtKind::Local(local, None) = statement.kind {
                uninitialised.insert(local);
            }
        });
        let types = &self.hir().types;
        let may_change = |id: &LocalId| {
            let local = &function.locals[id.index()];
            (local.address_taken || changed.contains(id) || !function.params.contains(id))
                && !buffers.contains(id)
                && !types.quals(local.ty).contains(QualSet::VOLATILE)
                && local.name != "__cancel_buf"
        };
        let first_mention = |id: LocalId| {
            let first = mentions.get(&id).copied();
            (id, first.filter(|_| uninitialised.contains(&id)))
        };
        (0..function.locals.len() as u32).map(LocalId).filter(may_change).map(first_mention).collect()
    }

    /// The parts of an object, but for buffers in it: of these, a program sees only where they lead.
    fn parts_beside_buffers(&self, ty: TypeId) -> Option<Vec<(u64, Sort)>> {
        let mut buffers = vec![];
        self.collect_buffers(ty, 0, &mut buffers);
        let mut parts = self.parts(ty, MOST_PARTS + buffers.len() * MOST_PARTS_OF_BUFFER)?;
        let is_inside = |at: u64| buffers.iter().any(|(start, size)| (*start..start + size).contains(&at));
        parts.retain(|(at, _)| !is_inside(*at));
        (parts.len() <= MOST_PARTS).then_some(parts)
    }

    fn collect_buffers(&self, ty: TypeId, at: u64, found: &mut Vec<(u64, u64)>) {
        let types = &self.hir().types;
        match *types.get(types.strip_atomic(ty)) {
            Type::Array(element, Some(count)) if count <= MOST_PARTS as u64 => {
                let stride = types.size(element).unwrap_or(0);
                (0..count).for_each(|i| self.collect_buffers(element, at + i * stride, found));
            }
            Type::Record(id) if self.cx.unwinding.as_ref().is_some_and(|u| u.buffers.contains(&id)) => {
                found.push((at, types.size(ty).unwrap_or(0)));
            }
            Type::Record(id) => {
                for field in types.records[id.0 as usize].layout.iter().flat_map(|layout| &layout.fields) {
                    self.collect_buffers(field.ty, at + field.offset, found);
                }
            }
            _ => {}
        }
    }

    fn is_variable(&self, ty: TypeId) -> bool {
        matches!(self.hir().types.get(ty), Type::Vla(..))
    }

    fn has_volatile_part(&self, ty: TypeId) -> bool {
        let types = &self.hir().types;
        match *types.get(types.strip_atomic(ty)) {
            Type::Array(element, _) => self.has_volatile_part(element),
            Type::Record(id) => types.records[id.0 as usize].layout.as_ref().is_some_and(|layout| {
                let is_volatile = |ty| types.quals(ty).contains(QualSet::VOLATILE) || self.has_volatile_part(ty);
                layout.fields.iter().any(|field| is_volatile(field.ty))
            }),
            _ => false,
        }
    }
}

/// What the parameters of `setjmp` point to.
fn buffer_types(hir: &Hir) -> Vec<RecordId> {
    let record = |function: &crate::hir::Function| {
        let Type::Function(ty) = hir.types.get(function.ty) else { return None };
        match *hir.types.get(hir.types.pointee(*ty.params.first()?)?) {
            Type::Record(id) => Some(id),
            _ => None,
        }
    };
    hir.functions.iter().filter(|function| is_set_jump(&function.name)).filter_map(record).collect()
}

/// A buffer that `pthread_cleanup_push` declares.
fn is_of_cleanup(function: &crate::hir::Function, buffer: &Expr) -> bool {
    let place = match &unconverted(buffer).kind {
        ExprKind::Decay(place) | ExprKind::AddrOf(place) => place,
        _ => return false,
    };
    root(place).is_some_and(|local| function.locals[local.index()].name == "__cancel_buf")
}

fn unconverted(mut expr: &Expr) -> &Expr {
    while let ExprKind::Convert(inner) = &expr.kind {
        expr = inner;
    }
    expr
}

/// The local that a place is in, unless a pointer leads there.
fn root(place: &Expr) -> Option<LocalId> {
    match &place.kind {
        ExprKind::Local(local) => Some(*local),
        ExprKind::Member { base, .. } => root(base),
        _ => None,
    }
}
