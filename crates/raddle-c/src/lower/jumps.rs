//! Computed `goto`: labels have addresses (numbers at which nothing lies), and a jump goes to the label of the function that has the one it is given. Null ends the path;
//! any other value is a gap. Labels with nothing between them may have one address or two: a program that can tell has a gap there, too.

use super::Lower;
use super::builder::Builder;
use crate::error::{Error, Result};
use crate::hir::visit::{Part, each_expr, in_statement};
use crate::hir::{BinOp, Expr, ExprKind, FnId, LabelId, Stmt, StmtKind};
use crate::types::{Type, TypeId};
use raddle_ir::{ExprId, GapKind, Label};

impl Lower<'_> {
    /// The address of a label.
    pub(super) fn label_pointer(&mut self, function: FnId, label: LabelId) -> Result<ExprId> {
        let address = match self.label_address.get(&(function, label)) {
            Some(address) => *address,
            None => {
                let address = self.place_static(1, 16, 15, self.hir_function(function).pos)?;
                self.label_address.insert((function, label), address);
                address
            }
        };
        Ok(self.address(address))
    }

    /// Does the program do more with pointers that could be addresses of labels than to jump there and to compare them with null?
    fn looks_at_labels(&self) -> bool {
        let types = &self.hir.types;
        let may_be_label = |ty: TypeId| {
            types.pointee(ty).is_some_and(|to| matches!(types.get(to), Type::Void) || types.size(to) == Some(1))
        };
        let mut found = false;
        let own = self.hir.functions.iter().filter(|function| !self.is_of_library(function.pos));
        for body in own.filter_map(|function| function.body.as_deref()) {
            each_expr(body, &mut |expr| {
                found |= match &expr.kind {
                    ExprKind::Binary(BinOp::Eq | BinOp::Ne, a, b) if is_null(a) || is_null(b) => false,
                    ExprKind::Binary(_, a, _) | ExprKind::PtrDiff { left: a, .. } => may_be_label(a.ty),
                    ExprKind::Convert(from) => may_be_label(from.ty) && types.is_integer(expr.ty),
                    _ => false,
                };
            });
        }
        found
    }
}

fn is_null(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(bits) => *bits == 0,
        ExprKind::Convert(inner) => is_null(inner),
        _ => false,
    }
}

/// Are there two labels that are used as values, and no code between them? `last` is one right before.
fn are_at_one_place(statements: &[Stmt], addressed: &[LabelId], last: &mut bool) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StmtKind::Label(label, body) => {
            let is_addressed = addressed.contains(label);
            let found = *last && is_addressed;
            *last |= is_addressed;
            found || are_at_one_place(std::slice::from_ref(body), addressed, last)
        }
        StmtKind::Block(body) => are_at_one_place(body, addressed, last),
        StmtKind::Case { body, .. } | StmtKind::Default(body) => {
            are_at_one_place(std::slice::from_ref(body), addressed, last)
        }
        StmtKind::Empty | StmtKind::Probe(..) | StmtKind::Local(_, None) => false,
        _ => {
            let mut found = false;
            in_statement(statement, |part| {
                if let Part::Stmts(inner) = part {
                    found |= are_at_one_place(inner, addressed, &mut false);
                }
            });
            *last = false;
            found
        }
    })
}

impl<'a> Builder<'_, 'a> {
    /// At the beginning of a function.
    pub fn note_labels_at_one_place(&mut self, body: &'a [Stmt]) {
        let addressed = &self.cx.hir_function(self.function).addressed_labels;
        if addressed.len() > 1
            && !self.cx.is_concrete()
            && are_at_one_place(body, addressed, &mut false)
            && self.cx.looks_at_labels()
        {
            self.perhaps_gap("a comparison of labels that may have one address");
        }
    }

    pub fn goto_address(&mut self, target: &'a Expr) -> Result<()> {
        let mark = self.temp_mark();
        let mut address = self.cx.address(0);
        self.full_expression_keeping_temps(|this| {
            if this.label_cleanups.iter().any(|cleanups| !cleanups.is_empty()) || !this.cleanups.is_empty() {
                return Err(Error::unsupported(target.pos, "computed goto in a function with cleanups"));
            }
            address = this.value(target)?;
            Ok(())
        })?;
        self.close();
        let mut is_other = self.cx.pool.bool(true);
        for &label in &self.cx.hir_function(self.function).addressed_labels {
            let at = self.cx.label_pointer(self.function, label)?;
            let is_here = self.cx.pool.eq(address, at);
            let location = self.label(label);
            self.guarded_edge(vec![Label::Assume(is_here)], location);
            let not = self.cx.pool.not(is_here);
            is_other = self.cx.pool.and(is_other, not);
        }
        let other = self.new_location();
        self.guarded_edge(vec![Label::Assume(is_other)], other);
        self.here = other;
        let null = self.cx.address(0);
        let is_null = self.cx.pool.eq(address, null);
        let (ends, unknown) = (self.new_location(), self.new_location());
        self.branch(is_null, ends, unknown);
        self.here = unknown;
        self.gap(GapKind::Unmodelled, "a jump to no label");
        self.here = ends;
        self.unreachable();
        self.release_temps(mark);
        Ok(())
    }
}
