//! Computed `goto`: labels have addresses (numbers at which nothing lies), and a jump goes to the label of the function that has the one it is given. Null ends the path;
//! any other value is a gap.

use super::Lower;
use super::builder::Builder;
use crate::error::{Error, Result};
use crate::hir::{Expr, FnId, LabelId};
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
}

impl<'a> Builder<'_, 'a> {
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
