//! Probes become statements: before, after and around the statements that they are about.

use super::Sema;
use crate::ast;
use crate::error::{Error, ErrorKind, Result};
use crate::hir::{Expr, ExprKind, Stmt, StmtKind, visit};
use crate::parser::parse_expression;
use crate::probes::{Moment, ProbeKind};
use crate::sema::scope::Ident;
use crate::source::Pos;
use crate::types::TypeId;

impl Sema<'_> {
    pub(super) fn stmt(&mut self, stmt: &ast::Stmt) -> Result<Stmt> {
        if matches!(stmt.kind, ast::StmtKind::Label { .. } | ast::StmtKind::Case { .. } | ast::StmtKind::Default(_)) {
            // A jump leads behind what stands before the label.
            self.carried.push(stmt.pos);
            return self.unprobed_stmt(stmt);
        }
        let mut stmts = Vec::new();
        let around = self.probes_before(stmt.pos, &mut stmts)?;
        let checked = self.unprobed_stmt(stmt);
        self.close(&around);
        let checked = checked?;
        if stmts.is_empty() {
            return Ok(checked);
        }
        stmts.push(checked);
        self.probes_after(&around, stmt.pos, &mut stmts);
        Ok(Stmt { pos: stmt.pos, kind: StmtKind::Block(stmts) })
    }

    pub(super) fn probed_declaration(&mut self, declaration: &ast::Declaration, out: &mut Vec<Stmt>) -> Result<()> {
        let around = self.probes_before(declaration.pos, out)?;
        let first = out.len();
        let checked = self.declaration_or_gap(declaration, out);
        for (number, stmt) in out[first..].iter().enumerate() {
            self.declarations.entry(stmt.pos).or_insert((number == 0).then_some(declaration.pos));
        }
        self.close(&around);
        self.probes_after(&around, declaration.pos, out);
        checked
    }

    /// What is asked for before the statement at a place. Returns the probes that are around it: they are open.
    pub(super) fn probes_before(&mut self, pos: Pos, out: &mut Vec<Stmt>) -> Result<Vec<usize>> {
        let mut places = std::mem::take(&mut self.carried);
        places.push(pos);
        let mut all = Vec::new();
        for place in places {
            for number in self.probes.at(self.sources, place, ProbeKind::Before) {
                out.extend(self.probe(number, Moment::Reached, place)?);
            }
            for number in self.probes.at(self.sources, place, ProbeKind::Around) {
                self.probes.open(number);
                out.extend(self.probe(number, Moment::Begin, place)?);
                all.push(number);
            }
        }
        Ok(all)
    }

    pub(super) fn close(&mut self, around: &[usize]) {
        around.iter().for_each(|number| self.probes.close(*number));
    }

    fn probes_after(&mut self, around: &[usize], pos: Pos, out: &mut Vec<Stmt>) {
        out.extend(around.iter().map(|number| Stmt { pos, kind: StmtKind::Probe(*number, Moment::End, None) }));
    }

    fn probe(&mut self, number: usize, moment: Moment, pos: Pos) -> Result<Option<Stmt>> {
        let condition = match self.probes.condition(number).map(|text| self.probe_condition(text)) {
            Some(Err(_)) if self.probes.misfits(number) => return Ok(None),
            Some(condition) => Some(condition?),
            None => None,
        };
        Ok(Some(Stmt { pos, kind: StmtKind::Probe(number, moment, condition) }))
    }

    /// The condition in the scope of this place.
    fn probe_condition(&mut self, text: usize) -> Result<Expr> {
        let scopes = &self.scopes;
        let is_type = |symbol| matches!(scopes.ident(symbol), Some(Ident::Typedef(_)));
        let parsed = parse_expression(self.sources, text, self.interner, &is_type)?;
        // What it declares (`sizeof(enum { N })`) is no part of the program.
        self.scopes.push();
        let depth = self.scopes.depth();
        let checked = self.condition(&parsed);
        self.scopes.pop_to(depth);
        self.scopes.pop();
        let checked = checked.and_then(|condition| match has_effects(&condition) {
            true => Err(Error::invalid(condition.pos, "a condition of a witness with side effects or calls")),
            false => Ok(condition),
        });
        // The statement around it is well: it is no gap.
        checked.map_err(|error| Error { kind: ErrorKind::Invalid, pos: Some(error.pos.unwrap_or(parsed.pos)), ..error })
    }

    /// The condition of an `if` or of a loop, with the probes at its statement.
    pub(super) fn condition_of(&mut self, cond: &ast::Expr, pos: Pos, is_loop: bool) -> Result<Expr> {
        let before = if is_loop { self.loop_probes(pos)? } else { Vec::new() };
        let mut cond = self.condition(cond)?;
        for number in self.probes.at(self.sources, pos, ProbeKind::Branch) {
            let side = |is_true: bool| {
                let value = Expr { ty: TypeId::INT, pos: cond.pos, kind: ExprKind::Int(is_true.into()) };
                let probe = Stmt { pos, kind: StmtKind::Probe(number, Moment::Branched(is_true), None) };
                let kind = ExprKind::StmtExpr(vec![probe], Some(Box::new(value)));
                Box::new(Expr { ty: TypeId::INT, pos: cond.pos, kind })
            };
            let (then, otherwise) = (side(true), side(false));
            let kind = ExprKind::Conditional { cond: Box::new(cond.clone()), then, otherwise };
            cond = Expr { ty: TypeId::INT, pos: cond.pos, kind };
        }
        Ok(after(before, cond))
    }

    /// The same for a loop that has none.
    pub(super) fn without_condition(&mut self, pos: Pos) -> Result<Option<Expr>> {
        let before = self.loop_probes(pos)?;
        let always = Expr { ty: TypeId::INT, pos, kind: ExprKind::Int(1) };
        Ok((!before.is_empty()).then(|| after(before, always)))
    }

    fn loop_probes(&mut self, pos: Pos) -> Result<Vec<Stmt>> {
        let numbers = self.probes.at(self.sources, pos, ProbeKind::Loop);
        numbers.into_iter().filter_map(|number| self.probe(number, Moment::Reached, pos).transpose()).collect()
    }
}

fn after(before: Vec<Stmt>, cond: Expr) -> Expr {
    if before.is_empty() {
        return cond;
    }
    Expr { ty: cond.ty, pos: cond.pos, kind: ExprKind::StmtExpr(before, Some(Box::new(cond))) }
}

fn has_effects(expr: &Expr) -> bool {
    let own = matches!(
        expr.kind,
        ExprKind::Assign(..)
            | ExprKind::AssignOp { .. }
            | ExprKind::AssignPtrAdd { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::Call { .. }
            | ExprKind::StmtExpr(..)
            | ExprKind::VaArg(_)
            | ExprKind::CompoundLiteral(..)
    );
    let mut inner = false;
    visit::in_expr(expr, |part| {
        inner |= match part {
            visit::Part::Expr(expr) => has_effects(expr),
            visit::Part::Stmts(_) => true,
        }
    });
    own || inner
}
