//! `printf` and its like: the text goes nowhere, and its length is known where the format says it.

use super::builder::Builder;
use crate::hir::{Expr, ExprKind};
use raddle_ir::{BinOp, ExprId, GapKind, Label, Origin, Sort};

impl<'a> Builder<'_, 'a> {
    /// The format of an output function, if it is a literal. One that stores (`%n`), or might, is a gap.
    pub fn checked_format(&mut self, at: usize, exprs: Option<&'a [Expr]>) -> Option<String> {
        let given = exprs.and_then(|exprs| exprs.get(at));
        let format = given.and_then(|format| self.literal(format));
        let choice = given.and_then(|format| self.choice_of_literals(format));
        let pointer = self.cx.pointer_sort().bits();
        let may_hold_pointer =
            |expr: &Expr| self.hir().types.scalar_sort(expr.ty).is_none_or(|sort| sort.bits() >= pointer);
        let stores = match (&format, exprs) {
            (Some(format), _) => format_stores(format),
            (None, _) if let Some(formats) = choice => formats.iter().any(|format| format_stores(format)),
            (None, Some(exprs)) => exprs.iter().skip(at + 1).any(may_hold_pointer),
            // Called through a pointer: the arguments are not known here.
            (None, None) => true,
        };
        if stores {
            self.gap(GapKind::Unmodelled, "a format that may store a count");
        }
        format
    }

    /// Output never fails. What has no conversions in it is as long as its format.
    pub fn assume_length(&mut self, length: ExprId, format: Option<&str>) {
        let Some(width) = self.cx.pool.sort(length).bits() else { return };
        let known = match format {
            Some(format) if !format.replace("%%", "").contains('%') => {
                let exact = self.cx.pool.bits(width, format.replace("%%", "%").len() as u128);
                self.cx.pool.eq(length, exact)
            }
            _ => {
                let zero = self.cx.pool.bits(width, 0);
                self.cx.pool.binary(BinOp::SLe, zero, length)
            }
        };
        self.emit_step(vec![Label::Assume(known)]);
    }

    /// `cond ? "a" : "b"`.
    pub fn choice_of_literals(&self, expr: &Expr) -> Option<Vec<String>> {
        match &expr.kind {
            ExprKind::Convert(inner) => self.choice_of_literals(inner),
            ExprKind::Conditional { then, otherwise, .. } => {
                Some([self.choice_of_literals(then)?, self.choice_of_literals(otherwise)?].concat())
            }
            _ => self.literal(expr).map(|text| vec![text]),
        }
    }

    /// The text of a string literal.
    pub fn literal(&self, expr: &Expr) -> Option<String> {
        match &expr.kind {
            ExprKind::Convert(inner) | ExprKind::Decay(inner) => self.literal(inner),
            ExprKind::Str(id) => {
                let bytes = &self.hir().strings[id.index()].bytes;
                let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
                String::from_utf8(text.to_vec()).ok()
            }
            _ => None,
        }
    }

    pub fn print(&mut self, format: ExprId, args: Vec<ExprId>) -> ExprId {
        let format = self.fit(format, self.cx.pointer_sort());
        let var = self.temp(Sort::Bits(32));
        self.emit_step(vec![Label::Print { format, args, var: Some(var), site: Origin::default() }]);
        self.var_value(var)
    }
}

/// Has a format the conversion `%n`?
fn format_stores(format: &str) -> bool {
    let mut rest = format;
    while let Some(start) = rest.find('%') {
        let conversion = rest[start + 1..].trim_start_matches(|c: char| "0123456789+-# 'I.*$hlqjztL".contains(c));
        if conversion.starts_with('n') {
            return true;
        }
        // `%%` is one character.
        let mut after = conversion.chars();
        after.next();
        rest = after.as_str();
    }
    false
}
