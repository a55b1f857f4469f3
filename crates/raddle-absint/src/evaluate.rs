//! Values of expressions in an abstract state, from the leaves up, each node once.

use crate::state::State;
use crate::transfer;
use crate::value::Value;
use raddle_ir::{Expr, ExprId, ExprPool, Sort};
use rustc_hash::FxHashMap;

/// Conditions that were decided on the way here, and none of whose variables has changed since.
pub type Known = Vec<(ExprId, bool)>;

pub fn is_known(known: &Known, cond: ExprId) -> Option<bool> {
    known.iter().find(|(id, _)| *id == cond).map(|(_, value)| *value)
}

/// The width of what has abstract values: bit-vectors and Bools.
pub fn width(sort: Sort) -> Option<u8> {
    match sort {
        Sort::Bool => Some(1),
        Sort::Bits(width) => Some(width),
        _ => None,
    }
}

/// The value of an expression; `None` for floats and arrays, of which nothing is known.
pub fn evaluate(pool: &ExprPool, state: &State, known: &Known, root: ExprId) -> Option<Value> {
    width(pool.sort(root))?;
    if let Some(value) = leaf(pool, state, known, root) {
        return Some(value);
    }
    let mut values: FxHashMap<ExprId, Value> = FxHashMap::default();
    let mut open = vec![root];
    while let Some(&id) = open.last() {
        let mut missing = None;
        let value = node(pool, id, &mut |operand| match values.get(&operand) {
            Some(value) => Some(value.clone()),
            None => {
                let value = leaf(pool, state, known, operand);
                if value.is_none() {
                    missing = Some(operand);
                }
                value
            }
        });
        match (missing, value) {
            (Some(operand), _) => open.push(operand),
            (None, value) => {
                // Nothing is known of it: any value of the width.
                let value = value.or_else(|| width(pool.sort(id)).map(Value::top)).unwrap_or_else(|| Value::top(1));
                values.insert(id, value);
                open.pop();
            }
        }
    }
    values.remove(&root)
}

/// The value of what needs no operands. Floats and arrays are leaves that stand for anything.
fn leaf(pool: &ExprPool, state: &State, known: &Known, id: ExprId) -> Option<Value> {
    let Some(bits) = width(pool.sort(id)) else { return Some(Value::top(1)) };
    match pool.get(id) {
        Expr::Const(c) => Some(Value::constant(bits, c.bits)),
        Expr::Var(var) => Some(state.value(var).cloned().unwrap_or_else(|| Value::top(bits))),
        _ if pool.sort(id) == Sort::Bool => is_known(known, id).map(Value::bool),
        _ => None,
    }
}

fn node(pool: &ExprPool, id: ExprId, operand: &mut dyn FnMut(ExprId) -> Option<Value>) -> Option<Value> {
    let usual = |id: ExprId| width(pool.sort(id)).is_some();
    match pool.get(id) {
        Expr::Unary(op, a) if usual(a) => transfer::unary(op, pool.sort(a), pool.sort(id), Some(&operand(a)?)),
        Expr::Binary(op, a, b) if usual(a) && usual(b) => {
            let (x, y) = (operand(a)?, operand(b)?);
            Some(if a == b && op == raddle_ir::BinOp::BvSub {
                Value::constant(x.width, 0)
            } else {
                transfer::binary(op, pool.sort(a), pool.sort(b), &x, &y)
            })
        }
        Expr::Ite(cond, a, b) => match operand(cond)?.as_constant() {
            Some(0) => operand(b),
            Some(_) => operand(a),
            None => {
                let x = operand(a)?;
                Some(x.join(&operand(b)?))
            }
        },
        expr @ (Expr::Extract { arg, .. } | Expr::ZeroExt { arg, .. } | Expr::SignExt { arg, .. }) => {
            transfer::convert(expr, &operand(arg)?)
        }
        _ => None,
    }
}
