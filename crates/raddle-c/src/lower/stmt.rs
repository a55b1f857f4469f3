//! Statements: control flow as locations and edges.

use super::builder::{Builder, LocalHome, Switch};
use super::memory_safety::AtScopeEnd;
use crate::error::{Error, ErrorKind, Result};
use crate::hir::{Expr, Init, LocalId, Stmt, StmtKind};
use crate::types::Type;
use raddle_ir::{BinOp, GapKind, HavocReason, Label, LocId, Storage};

/// An uninitialised object in a loop gets any value again part by part if it has at most so many parts.
const MOST_PARTS: usize = 64;

impl<'a> Builder<'_, 'a> {
    pub fn statements(&mut self, body: &'a [Stmt]) -> Result<()> {
        body.iter().try_for_each(|s| self.statement(s))
    }

    /// Those of a statement expression: what comes behind them is a part of the statement around them.
    pub fn inner_statements(&mut self, body: &'a [Stmt]) -> Result<()> {
        let outer = self.pos;
        self.statements(body)?;
        self.pos = outer;
        Ok(())
    }

    pub fn statement(&mut self, stmt: &'a Stmt) -> Result<()> {
        self.pos = stmt.pos;
        self.close();
        if !matches!(stmt.kind, StmtKind::Block(_) | StmtKind::Empty | StmtKind::Probe(..) | StmtKind::Label(..)) {
            let begin = self.hir().declarations.get(&stmt.pos).copied().unwrap_or(Some(stmt.pos));
            if let Some(span) = begin.map(|pos| self.cx.span(pos)) {
                // Of statements inside each other, the outer one.
                self.cx.statements.entry((self.proc, self.here)).or_insert(span);
            }
        }
        match stmt.kind {
            // Blocks of their own, and so are the statements in them: compound literals live no longer.
            StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::For { .. }
            | StmtKind::Switch { .. } => self.scope(|this| this.lower_statement(stmt)),
            _ => self.lower_statement(stmt),
        }
    }

    fn substatement(&mut self, stmt: &'a Stmt) -> Result<()> {
        self.scope(|this| this.statement(stmt))
    }

    fn lower_statement(&mut self, stmt: &'a Stmt) -> Result<()> {
        match &stmt.kind {
            StmtKind::Empty => {}
            StmtKind::Probe(probe, moment, condition) => self.probe(*probe, *moment, condition.as_ref())?,
            StmtKind::Gap(what) => self.gap(GapKind::Unsupported, what),
            StmtKind::Barrier(order) => self.emit(Label::Fence(*order)),
            StmtKind::Expr(expr) => self.full_expression_with_values(|this| this.effect(expr))?,
            StmtKind::Local(local, init) => {
                self.full_expression_with_values(|this| this.local(*local, init.as_ref()))?;
                if let LocalHome::Memory(holder) = self.home(*local)
                    && self.checks_memory()
                {
                    let is_array = !self.known_sizes.contains_key(&holder);
                    if is_array || self.is_inner(holder) {
                        self.may_be_left_by_a_jump();
                        match is_array {
                            true => self.cleanups.push(AtScopeEnd::Array(holder)),
                            false => self.push_life(holder),
                        }
                    }
                }
            }
            StmtKind::Block(body) => self.scope(|this| {
                this.begin_lives(body);
                this.statements(body)
            })?,
            StmtKind::Cleanup(call) => self.cleanups.push(AtScopeEnd::Call(call)),
            StmtKind::If { cond, then, otherwise } => {
                let (yes, no, after) = (self.new_location(), self.new_location(), self.new_location());
                self.full_expression(|this| this.branch_on(cond, yes, no))?;
                self.here = yes;
                self.substatement(then)?;
                self.jump(after);
                self.here = no;
                if let Some(otherwise) = otherwise {
                    self.substatement(otherwise)?;
                }
                self.enter(after);
            }
            StmtKind::While { cond, body } => {
                let (head, inside, after) = (self.new_location(), self.new_location(), self.new_location());
                self.enter(head);
                self.full_expression(|this| this.branch_on(cond, inside, after))?;
                self.here = inside;
                self.loop_body(body, head, after)?;
                self.jump(head);
                self.here = after;
            }
            StmtKind::DoWhile { body, cond } => {
                let (head, test, after) = (self.new_location(), self.new_location(), self.new_location());
                self.enter(head);
                self.loop_body(body, test, after)?;
                self.enter(test);
                self.pos = cond.pos;
                self.full_expression(|this| this.branch_on(cond, head, after))?;
                self.here = after;
            }
            StmtKind::For { init, cond, step, body } => {
                self.statements(init)?;
                self.pos = stmt.pos;
                let (head, inside) = (self.new_location(), self.new_location());
                let (next, after) = (self.new_location(), self.new_location());
                self.enter(head);
                match cond {
                    Some(cond) => self.full_expression(|this| this.branch_on(cond, inside, after))?,
                    None => self.jump(inside),
                }
                self.here = inside;
                self.loop_body(body, next, after)?;
                self.enter(next);
                if let Some(step) = step {
                    self.pos = step.pos;
                    self.full_expression(|this| this.effect(step))?;
                }
                self.jump(head);
                self.here = after;
            }
            StmtKind::Switch { value, body } => self.switch(value, body)?,
            StmtKind::Case { first, last, body } => {
                let here = self.new_location();
                match self.switches.last_mut() {
                    Some(switch) => switch.cases.push((*first, *last, here)),
                    None => return Err(Error::invalid(stmt.pos, "`case` outside of a switch")),
                }
                self.enter(here);
                self.statement(body)?;
            }
            StmtKind::Default(body) => {
                let here = self.new_location();
                match self.switches.last_mut() {
                    Some(switch) => switch.default = Some(here),
                    None => return Err(Error::invalid(stmt.pos, "`default` outside of a switch")),
                }
                self.enter(here);
                self.statement(body)?;
            }
            StmtKind::Label(label, body) => {
                let here = self.label(*label);
                self.enter(here);
                self.statement(body)?;
            }
            StmtKind::GotoAddress(target) => self.goto_address(target)?,
            StmtKind::Goto(label) => {
                self.run_cleanups(self.kept_at(*label))?;
                let target = self.label(*label);
                self.jump(target);
            }
            StmtKind::Break => match self.breaks.last() {
                Some(&(target, kept)) => {
                    self.run_cleanups(kept)?;
                    self.jump(target);
                }
                None => return Err(Error::invalid(stmt.pos, "`break` outside of a loop or switch")),
            },
            StmtKind::Continue => match self.continues.last() {
                Some(&(target, kept)) => {
                    self.run_cleanups(kept)?;
                    self.jump(target);
                }
                None => return Err(Error::invalid(stmt.pos, "`continue` outside of a loop")),
            },
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.full_expression_with_values(|this| this.return_value(value))?;
                }
                self.run_cleanups(0)?;
                self.jump(self.exit);
            }
        }
        Ok(())
    }

    /// Lowers something at whose end all temporaries are free again.
    pub fn full_expression(&mut self, lower: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let mark = self.temp_mark();
        self.full_expression_keeping_temps(lower)?;
        self.release_temps(mark);
        Ok(())
    }

    /// The same, and the temporaries are the caller's. What has no model is a gap where it begins.
    pub fn full_expression_keeping_temps(&mut self, lower: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let (start, first_edge) = (self.here, self.edge_count());
        let outer = self.expression_values.take();
        let done = lower(self);
        self.expression_values = outer;
        done.or_else(|error| match error.kind {
            ErrorKind::Unsupported => {
                self.give_up(start, first_edge, error);
                Ok(())
            }
            _ => Err(error),
        })
    }

    fn loop_body(&mut self, body: &'a Stmt, continue_to: LocId, break_to: LocId) -> Result<()> {
        self.breaks.push((break_to, self.cleanups.len()));
        self.continues.push((continue_to, self.cleanups.len()));
        self.loops += 1;
        self.substatement(body)?;
        self.loops -= 1;
        self.breaks.pop();
        self.continues.pop();
        Ok(())
    }

    pub fn label(&mut self, label: crate::hir::LabelId) -> LocId {
        if let Some(location) = self.labels[label.index()] {
            return location;
        }
        let location = self.new_location();
        self.labels[label.index()] = Some(location);
        location
    }

    fn return_value(&mut self, value: &'a Expr) -> Result<()> {
        if let Some(address) = self.result_address {
            let from = self.record_address(value)?;
            let to = self.var_value(address);
            return self.copy_record(to, from, value.ty);
        }
        match self.result {
            Some(result) => {
                let value = self.value(value)?;
                let value = self.fit(value, self.cx.vars[result.index()].sort);
                self.assign(result, value);
                Ok(())
            }
            None => self.effect(value),
        }
    }

    /// The body is lowered first, since only then all cases are known; then the dispatch before it.
    fn switch(&mut self, value: &'a Expr, body: &'a Stmt) -> Result<()> {
        let mark = self.temp_mark();
        let mut scrutinee = self.cx.pool.bits(32, 0);
        self.full_expression_keeping_temps(|this| {
            scrutinee = this.value(value)?;
            Ok(())
        })?;
        let dispatch = self.here;
        let after = self.new_location();
        self.here = self.new_location();
        self.close();
        self.switches.push(Switch { cases: vec![], default: None });
        self.breaks.push((after, self.cleanups.len()));
        // Temporaries of the scrutinee stay taken until the dispatch is there.
        let dead = self.temp_mark() - mark;
        self.dead_temps += dead;
        self.substatement(body)?;
        self.dead_temps -= dead;
        self.breaks.pop();
        self.jump(after);
        let Some(switch) = self.switches.pop() else { return Ok(()) };
        self.here = dispatch;
        self.pos = value.pos;
        let signed = self.hir().types.is_signed(value.ty);
        let width = self.cx.pool.sort(scrutinee).bits().unwrap_or(32);
        let mut none = self.cx.pool.bool(true);
        for &(first, last, target) in &switch.cases {
            let low = self.cx.pool.bits(width, first);
            let cond = if first == last {
                self.cx.pool.eq(scrutinee, low)
            } else {
                let op = if signed { BinOp::SLe } else { BinOp::ULe };
                let high = self.cx.pool.bits(width, last);
                let above = self.cx.pool.binary(op, low, scrutinee);
                let below = self.cx.pool.binary(op, scrutinee, high);
                self.cx.pool.and(above, below)
            };
            self.guarded_edge(vec![Label::Assume(cond)], target);
            let not = self.cx.pool.not(cond);
            none = self.cx.pool.and(none, not);
        }
        let target = switch.default.unwrap_or(after);
        self.guarded_edge(vec![Label::Assume(none)], target);
        self.release_temps(mark);
        self.here = after;
        self.close();
        Ok(())
    }

    /// A declaration is reached.
    fn local(&mut self, local: LocalId, init: Option<&'a Init>) -> Result<()> {
        let declared = &self.cx.hir_function(self.function).locals[local.index()];
        let alignment = declared.align.unwrap_or(1).max(self.hir().types.align(declared.ty));
        if alignment > raddle_ir::allocation::ALIGNMENT {
            let what = format!("a local that is aligned to {alignment} bytes");
            return Err(Error::unsupported(declared.pos, what));
        }
        match (self.home(local), init) {
            (LocalHome::Var(var), None) if self.is_bool(declared.ty) => {
                let value = self.any_bool(HavocReason::Uninitialised);
                self.assign(var, value);
                Ok(())
            }
            (LocalHome::Var(var), None) => {
                self.emit(Label::Havoc { var, reason: HavocReason::Uninitialised, site: raddle_ir::Origin::default() });
                Ok(())
            }
            (LocalHome::Var(var), Some(init)) => self.init_variable(var, init),
            (LocalHome::Memory(address), init) => {
                if let Type::Vla(..) = self.hir().types.get(declared.ty) {
                    let size = self.computed_size(declared.ty, declared.pos)?;
                    self.emit(Label::Alloc {
                        var: address,
                        size,
                        storage: Storage::Stack,
                        zeroed: false,
                        site: raddle_ir::Origin::default(),
                    });
                    return Ok(());
                }
                match init {
                    Some(init) => {
                        if init.zero_rest {
                            self.zero(address, declared.ty)?;
                        }
                        let at = self.var_value(address);
                        self.store_init(at, declared.ty, init)
                    }
                    // The first time round it is any value since its allocation.
                    None if self.loops == 0 => Ok(()),
                    None => self.forget(address, declared.ty),
                }
            }
        }
    }

    /// An object becomes any value again. A large one is replaced by a fresh one.
    fn forget(&mut self, address: raddle_ir::VarId, ty: crate::types::TypeId) -> Result<()> {
        let parts = self.parts(ty, MOST_PARTS);
        let Some(parts) = parts else {
            let size = self.cx.size(ty, self.pos)?;
            let size = self.cx.address(size);
            self.emit(Label::Alloc {
                var: address,
                size,
                storage: Storage::Stack,
                zeroed: false,
                site: raddle_ir::Origin::default(),
            });
            return Ok(());
        };
        let base = self.var_value(address);
        for (offset, sort) in parts {
            let value = self.any_value(sort, HavocReason::Uninitialised);
            let at = self.offset(base, offset);
            self.store_memory(at, value);
        }
        Ok(())
    }

    /// An object becomes zeros. A large one is replaced by a fresh one that is.
    fn zero(&mut self, address: raddle_ir::VarId, ty: crate::types::TypeId) -> Result<()> {
        let Some(parts) = self.parts(ty, MOST_PARTS) else {
            if self.loops == 0 && self.zero_from_entry(address) {
                return Ok(());
            }
            let size = self.cx.size(ty, self.pos)?;
            let size = self.cx.address(size);
            self.emit(Label::Alloc {
                var: address,
                size,
                storage: Storage::Stack,
                zeroed: true,
                site: raddle_ir::Origin::default(),
            });
            return Ok(());
        };
        let base = self.var_value(address);
        self.store_zeros(base, &parts);
        Ok(())
    }
}
