//! Statements.

use super::{LabelUse, Sema};
use crate::ast::{self, BlockItem, ForInit, Symbol};
use crate::error::{Error, Result};
use crate::hir::{Expr, LabelId, Stmt, StmtKind};
use crate::source::Pos;
use crate::types::TypeId;

/// An open `switch`.
pub(super) struct Switch {
    ty: TypeId,
    /// The values of its cases, with the places.
    cases: Vec<(u128, u128, Pos)>,
    has_default: bool,
}

impl Sema<'_> {
    pub(super) fn block_items(&mut self, items: &[BlockItem], out: &mut Vec<Stmt>) -> Result<()> {
        for item in items {
            match item {
                BlockItem::Declaration(declaration) => self.probed_declaration(declaration, out)?,
                BlockItem::StaticAssert(assertion) => self.static_assert(assertion)?,
                BlockItem::Stmt(stmt) => {
                    let stmt = self.stmt(stmt)?;
                    out.push(stmt);
                }
                BlockItem::NestedFunction(pos) => return Err(Error::unsupported(*pos, "nested function")),
            }
        }
        Ok(())
    }

    /// The statements of `({ ... })`, and the value of the last one if it is an expression.
    pub(super) fn stmt_expr_body(&mut self, block: &ast::Block) -> Result<(Vec<Stmt>, Option<Expr>)> {
        let mut stmts = Vec::new();
        let Some((BlockItem::Stmt(last), before)) = block.items.split_last() else {
            self.block_items(&block.items, &mut stmts)?;
            return Ok((stmts, None));
        };
        self.block_items(before, &mut stmts)?;
        let mut last = last;
        while let ast::StmtKind::Label { name, body } = &last.kind {
            let id = self.define_label(*name, last.pos)?;
            let empty = Box::new(Stmt { pos: last.pos, kind: StmtKind::Empty });
            stmts.push(Stmt { pos: last.pos, kind: StmtKind::Label(id, empty) });
            last = body;
        }
        if let ast::StmtKind::Expr(Some(e)) = &last.kind {
            let around = self.probes_before(last.pos, &mut stmts)?;
            self.close(&around);
            let value = self.value(e)?;
            return Ok((stmts, Some(value)));
        }
        let last = self.stmt(last)?;
        stmts.push(last);
        Ok((stmts, None))
    }

    pub(super) fn known_stmt(&mut self, stmt: &ast::Stmt) -> Result<Stmt> {
        let pos = stmt.pos;
        let kind = match &stmt.kind {
            ast::StmtKind::Expr(None) => StmtKind::Empty,
            ast::StmtKind::Expr(Some(e)) => StmtKind::Expr(self.value(e)?),
            ast::StmtKind::Block(block) => {
                self.scopes.push();
                let mut stmts = Vec::with_capacity(block.items.len());
                let checked = self.block_items(&block.items, &mut stmts);
                self.scopes.pop();
                checked?;
                StmtKind::Block(stmts)
            }
            ast::StmtKind::If { cond, then, otherwise } => {
                let cond = self.condition_of(cond, pos, false)?;
                let then = Box::new(self.stmt(then)?);
                let otherwise = match otherwise {
                    Some(otherwise) => Some(Box::new(self.stmt(otherwise)?)),
                    None => None,
                };
                StmtKind::If { cond, then, otherwise }
            }
            ast::StmtKind::While { cond, body } => {
                let cond = self.condition_of(cond, pos, true)?;
                StmtKind::While { cond, body: self.loop_body(body)? }
            }
            ast::StmtKind::DoWhile { body, cond } => {
                let body = self.loop_body(body)?;
                StmtKind::DoWhile { body, cond: self.condition_of(cond, pos, true)? }
            }
            ast::StmtKind::For { init, cond, step, body } => {
                self.scopes.push();
                let checked = self.for_loop(pos, init.as_ref(), cond.as_ref(), step.as_ref(), body);
                self.scopes.pop();
                checked?
            }
            ast::StmtKind::Switch { value, body } => self.switch(value, body)?,
            ast::StmtKind::Case { first, last, body } => return self.case(first, last.as_ref(), body, pos),
            ast::StmtKind::Default(body) => {
                match self.body(pos)?.switches.last_mut() {
                    Some(switch) if switch.has_default => {
                        return Err(Error::invalid(pos, "a second `default` in a switch"));
                    }
                    Some(switch) => switch.has_default = true,
                    None => return Err(Error::invalid(pos, "`default` outside a switch")),
                }
                StmtKind::Default(Box::new(self.stmt(body)?))
            }
            ast::StmtKind::Label { name, body } => {
                let id = self.define_label(*name, pos)?;
                StmtKind::Label(id, Box::new(self.stmt(body)?))
            }
            ast::StmtKind::Goto(name) => StmtKind::Goto(self.label(*name, pos)?),
            ast::StmtKind::ComputedGoto(target) => {
                let target = self.value(target)?;
                let target = self.assign_convert(target, TypeId::VOID_PTR, "a computed goto")?;
                StmtKind::GotoAddress(target)
            }
            ast::StmtKind::Break => match self.body(pos)?.breakables {
                0 => return Err(Error::invalid(pos, "`break` outside a loop or switch")),
                _ => StmtKind::Break,
            },
            ast::StmtKind::Continue => match self.body(pos)?.loops {
                0 => return Err(Error::invalid(pos, "`continue` outside a loop")),
                _ => StmtKind::Continue,
            },
            ast::StmtKind::Return(value) => self.return_stmt(value.as_ref(), pos)?,
            ast::StmtKind::Asm(asm) => self.asm(asm, pos)?,
        };
        Ok(Stmt { pos, kind })
    }

    pub(super) fn condition(&mut self, e: &ast::Expr) -> Result<Expr> {
        let value = self.value(e)?;
        self.scalar(value, "the condition")
    }

    fn loop_body(&mut self, body: &ast::Stmt) -> Result<Box<Stmt>> {
        let state = self.body(body.pos)?;
        state.loops += 1;
        state.breakables += 1;
        let checked = self.stmt(body);
        let state = self.body(body.pos)?;
        state.loops -= 1;
        state.breakables -= 1;
        Ok(Box::new(checked?))
    }

    fn for_loop(
        &mut self,
        pos: Pos,
        init: Option<&ForInit>,
        cond: Option<&ast::Expr>,
        step: Option<&ast::Expr>,
        body: &ast::Stmt,
    ) -> Result<StmtKind> {
        let mut before = Vec::new();
        match init {
            Some(ForInit::Expr(e)) => {
                let value = self.value(e)?;
                before.push(Stmt { pos: value.pos, kind: StmtKind::Expr(value) });
            }
            Some(ForInit::Declaration(declaration)) => self.block_declaration(declaration, &mut before)?,
            None => {}
        }
        let cond = match cond {
            Some(cond) => Some(self.condition_of(cond, pos, true)?),
            None => self.without_condition(pos)?,
        };
        let step = match step {
            Some(step) => Some(self.value(step)?),
            None => None,
        };
        let body = self.loop_body(body)?;
        Ok(StmtKind::For { init: before, cond, step, body })
    }

    fn switch(&mut self, value: &ast::Expr, body: &ast::Stmt) -> Result<StmtKind> {
        let pos = value.pos;
        let value = self.value(value)?;
        if !self.types.is_integer(value.ty) {
            let name = self.type_name(value.ty);
            return Err(Error::invalid(pos, format!("a switch on `{name}`, which is no integer")));
        }
        let value = self.promote(value);
        let ty = value.ty;
        let state = self.body(pos)?;
        state.switches.push(Switch { ty, cases: Vec::new(), has_default: false });
        state.breakables += 1;
        let checked = self.stmt(body);
        let state = self.body(pos)?;
        state.breakables -= 1;
        let switch = state.switches.pop();
        let body = Box::new(checked?);
        if let Some(switch) = switch {
            self.check_cases(switch)?;
        }
        Ok(StmtKind::Switch { value, body })
    }

    /// No value may have two cases.
    fn check_cases(&mut self, switch: Switch) -> Result<()> {
        // Signed values in their order, moved up to be compared as unsigned ones.
        let flip = if self.types.is_signed(switch.ty) { 1u128 << (self.width(switch.ty) - 1) } else { 0 };
        let mut cases: Vec<_> = switch.cases.iter().map(|(a, b, pos)| (a ^ flip, b ^ flip, *pos)).collect();
        cases.sort_unstable_by_key(|case| case.0);
        for pair in cases.windows(2) {
            if let [(_, last, a), (first, _, b)] = pair
                && first <= last
            {
                let other = self.place(*a.min(b));
                return Err(Error::invalid(
                    *a.max(b),
                    format!("a second case for this value; the first is at {other}"),
                ));
            }
        }
        Ok(())
    }

    fn case(&mut self, first: &ast::Expr, last: Option<&ast::Expr>, body: &ast::Stmt, pos: Pos) -> Result<Stmt> {
        let Some(ty) = self.body(pos)?.switches.last().map(|s| s.ty) else {
            return Err(Error::invalid(pos, "`case` outside a switch"));
        };
        let low = self.case_value(first, ty)?;
        let high = match last {
            Some(last) => self.case_value(last, ty)?,
            None => low,
        };
        let width = self.width(ty);
        let empty = if self.types.is_signed(ty) {
            raddle_ir::eval::to_signed(width, low) > raddle_ir::eval::to_signed(width, high)
        } else {
            low > high
        };
        if empty {
            self.warn(pos, "an empty range of cases");
            return self.stmt(body);
        }
        if let Some(switch) = self.body(pos)?.switches.last_mut() {
            switch.cases.push((low, high, pos));
        }
        let body = Box::new(self.stmt(body)?);
        Ok(Stmt { pos, kind: StmtKind::Case { first: low, last: high, body } })
    }

    fn case_value(&mut self, e: &ast::Expr, ty: TypeId) -> Result<u128> {
        let value = self.value(e)?;
        if self.types.is_integer(value.ty)
            && let Some(bits) = self.const_bits(&value).and_then(|bits| self.convert_bits(value.ty, ty, bits))
        {
            return Ok(bits);
        }
        Err(Error::invalid(e.pos, "a case needs an integer constant"))
    }

    fn return_stmt(&mut self, value: Option<&ast::Expr>, pos: Pos) -> Result<StmtKind> {
        let result = self.body(pos)?.result;
        let Some(value) = value else {
            if !self.types.is_void(result) {
                self.warn(pos, "`return` without a value in a function that has a result");
            }
            return Ok(StmtKind::Return(None));
        };
        let value = self.value(value)?;
        if self.types.is_void(result) {
            if !self.types.is_void(value.ty) {
                self.warn(pos, "`return` with a value in a function without a result");
            }
            let first = Stmt { pos, kind: StmtKind::Expr(value) };
            let then = Stmt { pos, kind: StmtKind::Return(None) };
            return Ok(StmtKind::Block(vec![first, then]));
        }
        Ok(StmtKind::Return(Some(self.assign_convert(value, result, "a return")?)))
    }

    // ---- labels ----

    pub(super) fn label(&mut self, name: Symbol, pos: Pos) -> Result<LabelId> {
        let text = self.name(name).to_string();
        let body = self.body(pos)?;
        if let Some(label) = body.label_ids.get(&name) {
            return Ok(label.id);
        }
        let id = LabelId(body.labels.len() as u32);
        body.labels.push(text);
        body.label_ids.insert(name, LabelUse { id, defined: false, pos });
        Ok(id)
    }

    fn define_label(&mut self, name: Symbol, pos: Pos) -> Result<LabelId> {
        let id = self.label(name, pos)?;
        match self.body(pos)?.label_ids.get_mut(&name) {
            Some(label) if label.defined => {
                Err(Error::invalid(pos, format!("the label `{}` is defined a second time", self.name(name))))
            }
            Some(label) => {
                label.defined = true;
                Ok(id)
            }
            None => Ok(id),
        }
    }

    pub(super) fn check_labels(&mut self) -> Result<()> {
        let Some(body) = &self.body else { return Ok(()) };
        match body.label_ids.iter().filter(|(_, label)| !label.defined).min_by_key(|(_, label)| label.pos) {
            Some((name, label)) => {
                Err(Error::invalid(label.pos, format!("the label `{}` is not defined", self.name(*name))))
            }
            None => Ok(()),
        }
    }
}
