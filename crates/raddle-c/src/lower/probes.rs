//! Probes: a way of their own between two locations, with two ends where there is a condition.

use super::builder::Builder;
use crate::error::Result;
use crate::hir::Expr;
use crate::probes::{Moment, Site};
use crate::source::Pos;

impl<'a> Builder<'_, 'a> {
    /// Where somebody looks on, an input is a step of its own.
    pub fn close_if_probed(&mut self) {
        if self.hir().probed {
            self.close();
        }
    }

    /// The call that comes next, for whoever looks on.
    pub fn note_call(&mut self, call: Pos) {
        if !self.hir().probed || self.cx.is_of_library(call) {
            return;
        }
        if let Some(end) = self.cx.sources.closing_parenthesis(call) {
            let span = self.cx.span(end);
            self.cx.calls.push((self.proc, self.here, span));
        }
    }

    pub fn probe(&mut self, probe: usize, moment: Moment, condition: Option<&'a Expr>) -> Result<()> {
        let from = self.new_location();
        self.enter(from);
        let start = self.new_location();
        self.enter(start);
        let (yes, no) = match condition {
            None => (start, None),
            Some(condition) => {
                let (yes, no) = (self.new_location(), self.new_location());
                let outer = std::mem::take(&mut self.evaluated);
                self.is_condition = true;
                let evaluated = self.full_expression(|this| this.branch_on(condition, yes, no));
                self.is_condition = false;
                self.evaluated = outer;
                evaluated?;
                (yes, Some(no))
            }
        };
        let to = self.new_location();
        for end in [Some(yes), no].into_iter().flatten() {
            self.here = end;
            self.enter(to);
        }
        let site = Site { probe, moment, proc: self.proc, from, inner: start.0..to.0, yes, no, to };
        self.cx.probes.push(site);
        Ok(())
    }
}
