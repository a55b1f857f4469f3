//! What the user's expressions are made of.
//!
//! Operands have smaller ids than what they are operands of: one way down over the pool sees each node that a label mentions once.

use super::Traits;
use super::reach::Reached;
use fixedbitset::FixedBitSet;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Label, Place, UnOp, VarId};

/// The expressions that labels mention.
pub(super) struct Expressions<'p> {
    pool: &'p ExprPool,
    is_used: FixedBitSet,
}

impl<'p> Expressions<'p> {
    pub fn new(reached: &Reached<'p>) -> Expressions<'p> {
        let pool = &reached.program.pool;
        Expressions { pool, is_used: FixedBitSet::with_capacity(pool.len()) }
    }

    pub fn see(&mut self, label: &Label) {
        let mut used = |id: ExprId| self.is_used.insert(id.0 as usize);
        match label {
            // Most labels are of these kinds.
            Label::Assign { value, .. } | Label::Assume(value) => used(*value),
            Label::Load { place: Place::Var(_), .. } => {}
            Label::Store { place: Place::Var(_), value, .. } => used(*value),
            _ => label.for_each_expr(used),
        }
    }

    pub fn count(mut self, reached: &Reached, traits: &mut Traits) {
        let pool = self.pool;
        for i in (0..pool.len()).rev() {
            if !self.is_used.contains(i) {
                continue;
            }
            let id = ExprId(i as u32);
            let expr = pool.get(id);
            expr.for_each_operand(|operand| self.is_used.insert(operand.0 as usize));
            traits.size += 1;
            traits.floats |= pool.sort(id).is_float();
            traits.bitwise |= is_bitwise(pool, expr);
            traits.nonlinear |= is_nonlinear(pool, expr);
        }
        let mut vars = (0..reached.program.vars.len() as u32).map(VarId);
        traits.floats |= vars.any(|var| reached.is_of_source(var) && reached.program.var(var).sort.is_float());
    }
}

/// An unsigned division by a power of two is a shift in the Program, and a remainder is a mask. They cannot be told apart, and mean the same: so neither counts.
fn is_bitwise(pool: &ExprPool, expr: Expr) -> bool {
    match expr {
        Expr::Unary(UnOp::BvNot, _) => true,
        Expr::Binary(BinOp::LShr, _, by) => pool.as_const(by).is_none(),
        Expr::Binary(BinOp::BvAnd, _, mask) => {
            pool.as_const(mask).is_none_or(|mask| mask.bits & mask.bits.wrapping_add(1) != 0)
        }
        Expr::Binary(BinOp::BvOr | BinOp::BvXor | BinOp::Shl | BinOp::AShr, ..) => true,
        _ => false,
    }
}

fn is_nonlinear(pool: &ExprPool, expr: Expr) -> bool {
    use BinOp::*;
    let varies = |id: ExprId| pool.as_const(id).is_none();
    match expr {
        Expr::Binary(BvMul | BvUDiv | BvSDiv | BvURem | BvSRem | FMul | FDiv | FRem, a, b) => varies(a) && varies(b),
        Expr::Fma(a, b, _) => varies(a) && varies(b),
        _ => false,
    }
}
