//! Addresses that disappear in the making of one expression.
//!
//! Addresses of static objects are numbers, and the expression pool folds numbers as soon as it sees two of them: `&a ^ &b`,
//! `&d - &s` or the low byte of `&a` become numbers from which no analysis finds the objects again. So lowering, which still sees the
//! operands, marks these objects as exposed. What folds only later is the business of a pass.
//!
//! Nor may a decision fold that rests on the layout of memory, which C leaves open: `&a < &b`, `"x" == "x"`, `(long)&a & 64`. So that the Program shows what it
//! observes of addresses (raddle-analysis, `places/`), they go through a variable there.

use super::builder::Builder;
use raddle_ir::{BinOp as Op, Expr, ExprId, ObjectId};

/// How much of an operand is looked at.
const MOST_NODES: usize = 64;

impl Builder<'_, '_> {
    /// An operation is about to hide the addresses in its operand: what to use instead.
    pub fn hide(&mut self, operand: ExprId) -> ExprId {
        let hidden = self.addresses_in(operand);
        self.expose(&hidden);
        if hidden.is_empty() { operand } else { self.unfolded(operand) }
    }

    /// A variable with a value, which does not fold.
    fn unfolded(&mut self, value: ExprId) -> ExprId {
        let kept = self.temp(self.cx.pool.sort(value));
        self.assign(kept, value);
        self.var_value(kept)
    }

    /// The left operand of a comparison. Two places in one object compare as constants, and so does an address with null or another number
    /// that is none.
    pub fn compared(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let (left, right) = (self.addresses_in(a), self.addresses_in(b));
        let is_no_address = |value: ExprId| {
            let constant = self.cx.pool.as_const(value);
            constant.is_some_and(|constant| constant.bits < 0x1000)
        };
        let folds = match (left.is_empty(), right.is_empty()) {
            (true, true) => true,
            (false, false) => left == right && left.len() == 1,
            (true, false) => is_no_address(a),
            (false, true) => is_no_address(b),
        };
        if folds { a } else { self.unfolded(a) }
    }

    /// Adds or subtracts. A sum hides addresses if there are two, a difference if they are of different objects. One address is hidden if
    /// the result is a constant outside its object. A variable minus an address is left to later passes.
    pub fn sum(&mut self, op: Op, a: ExprId, b: ExprId) -> ExprId {
        let result = self.cx.pool.binary(op, a, b);
        let (left, right) = (self.addresses_in(a), self.addresses_in(b));
        if left.is_empty() && right.is_empty() {
            return result;
        }
        let is_constant = self.cx.pool.as_const(result).is_some();
        let hides = match (left.is_empty(), right.is_empty()) {
            (true, true) => false,
            (false, false) => op != Op::BvSub || left != right || left.len() > 1,
            (true, false) if op == Op::BvSub => is_constant,
            (true, false) => is_constant && self.addresses_in(result) != right,
            (false, true) => is_constant && self.addresses_in(result) != left,
        };
        if hides {
            self.expose(&left);
            self.expose(&right);
            let (a, b) = (self.unfolded(a), if right.is_empty() { b } else { self.unfolded(b) });
            return self.cx.pool.binary(op, a, b);
        }
        result
    }

    fn expose(&mut self, objects: &[ObjectId]) {
        for object in objects {
            self.cx.objects[object.index()].exposed = true;
        }
    }

    /// The objects whose address is a constant that an operation could fold with another: the value itself, one of two choices, an addend.
    fn addresses_in(&self, value: ExprId) -> Vec<ObjectId> {
        let pool = &self.cx.pool;
        let mut found = Vec::new();
        if let Expr::Var(_) = pool.get(value) {
            return found;
        }
        let mut open = vec![value];
        for _ in 0..MOST_NODES {
            let Some(id) = open.pop() else { break };
            if pool.sort(id).bits().is_none_or(|bits| bits < self.cx.pointer_bits) {
                continue;
            }
            match pool.get(id) {
                Expr::Const(constant) => {
                    let address = u64::try_from(constant.bits).ok();
                    found.extend(address.and_then(|address| self.cx.object_at(address)));
                }
                Expr::Ite(_, a, b) | Expr::Binary(Op::BvAdd | Op::BvSub, a, b) => open.extend([a, b]),
                Expr::ZeroExt { arg, .. } | Expr::SignExt { arg, .. } => open.push(arg),
                _ => {}
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
