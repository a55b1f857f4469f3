//! `printf` and its like: the text goes nowhere. Its length is what it would be in memory (`formatted.rs`), where the program uses it.

use super::builder::Builder;
use super::formatted::Text;
use crate::error::{Error, Result};
use crate::hir::{Expr, ExprKind, FnId};
use crate::output_calls::mentions_count;
use raddle_ir::{BinOp, ExprId, GapKind, HavocReason, Label, Origin, Sort};

impl<'a> Builder<'_, 'a> {
    /// `printf` and its like. `None`: another function.
    pub fn output_function(
        &mut self,
        name: &str,
        id: FnId,
        args: &[ExprId],
        wanted: bool,
        exprs: Option<&'a [Expr]>,
    ) -> Result<Option<Option<ExprId>>> {
        let at = match name {
            "printf" | "vprintf" | "warn" | "warnx" => 0,
            "fprintf" | "dprintf" | "vfprintf" | "vdprintf" | "syslog" => 1,
            _ => return Ok(None),
        };
        if args.len() <= at {
            return Err(Error::invalid(self.pos, format!("too few arguments for `{name}`")));
        }
        let literal = exprs.and_then(|exprs| exprs.get(at)).and_then(|format| self.literal(format));
        // A `va_list` is not followed here: texts in it are.
        let printed = if name.starts_with('v') { &[][..] } else { &args[at + 1..] };
        let rest = exprs.and_then(|exprs| exprs.get(at + 1..));
        self.read_printed(args[at], literal.as_deref(), printed, rest);
        let stores = self.may_store(at, literal.as_deref(), exprs);
        if name == "printf" {
            self.print(args[at], args[at + 1..].to_vec());
        }
        let mut length = None;
        if wanted || stores {
            length = match exprs {
                // What these print is more than their format says.
                _ if matches!(name, "warn" | "warnx" | "syslog") => None,
                Some(exprs) if name.starts_with('v') => self.length_of_list(args, exprs, at)?,
                Some(exprs) => self.length_of(args, exprs, at, literal.as_deref())?,
                None => None,
            };
            if stores && length.is_none() {
                self.gap(GapKind::Unmodelled, "a format that may store a count");
            }
        }
        let sort = self.result_sort(id).filter(|_| wanted);
        let length = match (length.filter(|_| !name.starts_with("dp") && name != "vdprintf"), sort) {
            (Some(length), _) => Some(length),
            (None, Some(sort)) => {
                let length = self.any_value(sort, HavocReason::UndefinedFunction);
                self.assume_not_negative(length);
                Some(length)
            }
            (None, None) => None,
        };
        let length = if name.ends_with("fprintf") { self.printed_to(args[0], length)? } else { length };
        Ok(Some(length.zip(sort).map(|(length, sort)| self.fit(length, sort))))
    }

    /// Output to a stream that the program opened may fail. `None`: nobody asks for the length.
    fn printed_to(&mut self, stream: ExprId, length: Option<ExprId>) -> Result<Option<ExprId>> {
        let Some(printed) = self.printer("__raddle_printed") else { return Ok(length) };
        let stream = self.fit(stream, self.cx.pointer_sort());
        let unknown = self.cx.pool.bits(32, u128::from(u32::MAX));
        let length = length.map_or(unknown, |length| self.fit(length, Sort::Bits(32)));
        self.prelude_call(printed, vec![stream, length])
    }

    /// May the format of an output function have the conversion `%n`?
    fn may_store(&mut self, at: usize, literal: Option<&str>, exprs: Option<&'a [Expr]>) -> bool {
        let pointer = self.cx.pointer_sort().bits();
        let may_hold_pointer =
            |expr: &Expr| self.hir().types.scalar_sort(expr.ty).is_none_or(|sort| sort.bits() >= pointer);
        // Called through a pointer: the arguments are not known here.
        let Some(exprs) = exprs else { return true };
        let choice = exprs.get(at).and_then(|format| self.choice_of_literals(format));
        match (literal, choice) {
            (Some(format), _) => mentions_count(format.as_bytes()),
            (None, Some(formats)) => formats.iter().any(|format| mentions_count(format.as_bytes())),
            (None, None) => exprs.iter().skip(at + 1).any(may_hold_pointer),
        }
    }

    /// The length of what is printed; counts are stored. `None`: formats are not followed.
    fn length_of(
        &mut self,
        args: &[ExprId],
        exprs: &'a [Expr],
        at: usize,
        literal: Option<&str>,
    ) -> Result<Option<ExprId>> {
        let nowhere = self.cx.address(0);
        let mut sizes = vec![];
        for expr in &exprs[at + 1..] {
            if self.cx.is_record(expr.ty) {
                return Ok(None);
            }
            sizes.push(self.cx.size(expr.ty, expr.pos)?);
        }
        let format = self.fit(args[at], self.cx.pointer_sort());
        let text = Text { to: nowhere, room: nowhere, format, literal, args: &args[at + 1..], sizes: &sizes };
        self.formatted(text)
    }

    /// The same of a `va_list`.
    fn length_of_list(&mut self, args: &[ExprId], exprs: &'a [Expr], at: usize) -> Result<Option<ExprId>> {
        let (Some(walk), Some(list)) = (self.printer("__raddle_formatted"), args.get(at + 1)) else { return Ok(None) };
        if exprs.len() != at + 2 {
            return Ok(None);
        }
        let nowhere = self.cx.address(0);
        let (format, list) = (self.fit(args[at], self.cx.pointer_sort()), self.fit(*list, self.cx.pointer_sort()));
        self.prelude_call(walk, vec![nowhere, nowhere, format, list])
    }

    /// Output never fails.
    pub fn assume_not_negative(&mut self, length: ExprId) {
        let Sort::Bits(width) = self.cx.pool.sort(length) else { return };
        let zero = self.cx.pool.bits(width, 0);
        let known = self.cx.pool.binary(BinOp::SLe, zero, length);
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
