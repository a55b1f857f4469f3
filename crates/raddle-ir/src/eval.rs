//! The one evaluator of expressions on constants. It gives the operators their meaning: whatever computes on constants
//! (folding, explicit values, simulation, replay) comes here, and the tests compare it with what gcc computes.
//!
//! Values are raw bits: the low `Sort::bits()` of a `u128`, the rest zero. A Bool is 0 or 1, a float its IEEE encoding.

use crate::expr::{BinOp, Expr, ExprId, UnOp};
use crate::float;
use crate::pool::ExprPool;
use crate::program::VarId;
use crate::sort::Sort;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The bits that a value of a width may have set.
#[inline(always)]
pub fn mask(width: u8) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The value of a bit-vector read as two's complement.
#[inline(always)]
pub fn to_signed(width: u8, a: u128) -> i128 {
    let unused = 128 - u32::from(width.clamp(1, 128));
    ((a << unused) as i128) >> unused
}

#[inline(always)]
fn width_of(sort: Sort) -> u8 {
    sort.bits().unwrap_or(1)
}

/// Applies an operator to an operand of the given sort.
#[inline]
pub fn unary(op: UnOp, sort: Sort, a: u128) -> u128 {
    match (op, sort) {
        (UnOp::Not, _) => a ^ 1,
        (UnOp::BvNot, _) => !a & mask(width_of(sort)),
        (UnOp::BvNeg, _) => a.wrapping_neg() & mask(width_of(sort)),
        (_, Sort::Float(f)) => float::unary(op, f, a),
        // Not an expression that the pool would make.
        _ => 0,
    }
}

/// Applies an operator to two operands of the given sorts.
#[inline]
pub fn binary(op: BinOp, sort_a: Sort, sort_b: Sort, a: u128, b: u128) -> u128 {
    let n = width_of(sort_a);
    let sign = |x| to_signed(n, x);
    match op {
        BinOp::And | BinOp::BvAnd => a & b,
        BinOp::Or | BinOp::BvOr => a | b,
        BinOp::Xor | BinOp::BvXor => a ^ b,
        BinOp::Eq => u128::from(a == b),
        BinOp::BvAdd => a.wrapping_add(b) & mask(n),
        BinOp::BvSub => a.wrapping_sub(b) & mask(n),
        BinOp::BvMul => a.wrapping_mul(b) & mask(n),
        BinOp::BvUDiv | BinOp::BvURem | BinOp::BvSDiv | BinOp::BvSRem => divide(op, n, a, b),
        BinOp::Shl if b >= u128::from(n) => 0,
        BinOp::Shl => (a << b) & mask(n),
        BinOp::LShr if b >= u128::from(n) => 0,
        BinOp::LShr => a >> b,
        BinOp::AShr => (sign(a) >> b.min(127)) as u128 & mask(n),
        BinOp::ULt => u128::from(a < b),
        BinOp::ULe => u128::from(a <= b),
        BinOp::SLt => u128::from(sign(a) < sign(b)),
        BinOp::SLe => u128::from(sign(a) <= sign(b)),
        BinOp::Concat => {
            let low = width_of(sort_b);
            if low >= 128 { b } else { (a << low) | b }
        }
        BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FRem | BinOp::FEq | BinOp::FLt | BinOp::FLe => {
            match sort_a {
                Sort::Float(f) => float::binary(op, f, a, b),
                // Not an expression that the pool would make.
                _ => 0,
            }
        }
        BinOp::SAddOverflows => signed_overflows(n, sign(a).checked_add(sign(b))),
        BinOp::SSubOverflows => signed_overflows(n, sign(a).checked_sub(sign(b))),
        BinOp::SMulOverflows => signed_overflows(n, sign(a).checked_mul(sign(b))),
        BinOp::UMulOverflows => u128::from(a.checked_mul(b).is_none_or(|product| product > mask(n))),
    }
}

/// `a · b + c` of three floats of the given sort, with one rounding.
#[inline]
pub fn fma(sort: Sort, a: u128, b: u128, c: u128) -> u128 {
    match sort {
        Sort::Float(f) => float::fma(f, a, b, c),
        // Not an expression that the pool would make.
        _ => 0,
    }
}

#[inline(always)]
fn signed_overflows(n: u8, exact: Option<i128>) -> u128 {
    u128::from(exact.is_none_or(|x| to_signed(n, x as u128) != x))
}

/// Division and remainder, with SMT-LIB's values for a zero divisor.
fn divide(op: BinOp, n: u8, a: u128, b: u128) -> u128 {
    let (x, y) = (to_signed(n, a), to_signed(n, b));
    match op {
        BinOp::BvUDiv if b == 0 => mask(n),
        BinOp::BvSDiv if b == 0 => {
            if x < 0 {
                1
            } else {
                mask(n)
            }
        }
        _ if b == 0 => a,
        BinOp::BvUDiv => a / b,
        BinOp::BvURem => a % b,
        BinOp::BvSDiv => x.wrapping_div(y) as u128 & mask(n),
        _ => x.wrapping_rem(y) as u128 & mask(n),
    }
}

/// Applies a conversion (`Extract`, the extensions, and those from and to floats; what its `arg` names does not matter) to an
/// operand of the sort `from`.
#[inline]
pub fn convert(expr: Expr, from: Sort, a: u128) -> u128 {
    let n = width_of(from);
    match (expr, from) {
        (Expr::Extract { high, low, .. }, _) => (a >> low.min(127)) & mask(high.saturating_sub(low).saturating_add(1)),
        (Expr::ZeroExt { .. } | Expr::BitsToF { .. }, _) => a,
        (Expr::SignExt { width, .. }, _) => to_signed(n, a) as u128 & mask(width),
        (Expr::FToF { to, .. }, Sort::Float(f)) => float::to_float(f, to, a),
        (Expr::FToS { width, .. }, Sort::Float(f)) => float::to_integer(f, true, width, a),
        (Expr::FToU { width, .. }, Sort::Float(f)) => float::to_integer(f, false, width, a),
        (Expr::SToF { to, .. }, _) => {
            let value = to_signed(n, a);
            float::from_integer(to, value < 0, value.unsigned_abs())
        }
        (Expr::UToF { to, .. }, _) => float::from_integer(to, false, a),
        // Not a conversion.
        _ => 0,
    }
}

/// The value of an expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    Bits(u128),
    Array(Arc<ArrayValue>),
}

impl Value {
    /// The bits of a scalar; 0 for an array.
    #[inline]
    pub fn bits(&self) -> u128 {
        match self {
            Value::Bits(bits) => *bits,
            Value::Array(_) => 0,
        }
    }
}

/// A total map: a default, and what differs from it. No entry equals the default.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ArrayValue {
    pub default: u128,
    pub entries: BTreeMap<u128, u128>,
}

impl ArrayValue {
    pub fn constant(default: u128) -> Self {
        ArrayValue { default, entries: BTreeMap::new() }
    }

    pub fn get(&self, index: u128) -> u128 {
        self.entries.get(&index).copied().unwrap_or(self.default)
    }

    pub fn set(&mut self, index: u128, value: u128) {
        if value == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, value);
        }
    }

    /// Do two arrays with indices of a width map everything alike? Their defaults may differ when no index is left to them.
    pub fn same_map(&self, other: &ArrayValue, index_width: u8) -> bool {
        if self.default == other.default {
            return self.entries == other.entries;
        }
        let indices = || self.entries.keys().chain(other.entries.keys().filter(|i| !self.entries.contains_key(i)));
        index_width < 64
            && (self.entries.len() + other.entries.len()) as u128 >= 1 << index_width
            && indices().count() as u128 == 1 << index_width
            && indices().all(|i| self.get(*i) == other.get(*i))
    }
}

/// The value of an expression, where `env` gives the values of variables. A variable may be asked for more than once. What does not
/// matter is not asked for: the branch of an `Ite` that is not taken, and the right side of `And` and `Or` where the left decides.
pub fn eval<E>(pool: &ExprPool, id: ExprId, env: &mut dyn FnMut(VarId) -> Result<Value, E>) -> Result<Value, E> {
    let mut small = Small { pool, env, fuel: SMALL_NODES };
    match small.eval(id, SMALL_DEPTH) {
        Ok(value) => Ok(value),
        Err(Stop::Env(error)) => Err(error),
        Err(Stop::Large) => Evaluated::default().eval(pool, id, env),
    }
}

/// The values of the scalar expressions that were evaluated under one assignment. Expressions that share nodes are evaluated in the time of
/// all their nodes together.
#[derive(Default)]
pub struct Evaluated {
    scalars: FxHashMap<ExprId, u128>,
}

/// Most expressions have a few nodes: they are evaluated by plain recursion, which gives up beyond these limits.
const SMALL_NODES: u32 = 200;
const SMALL_DEPTH: u32 = 50;

struct Small<'a, E> {
    pool: &'a ExprPool,
    env: &'a mut dyn FnMut(VarId) -> Result<Value, E>,
    fuel: u32,
}

enum Stop<E> {
    Env(E),
    Large,
}

impl<E> Small<'_, E> {
    fn eval(&mut self, id: ExprId, depth: u32) -> Result<Value, Stop<E>> {
        match self.pool.get(id) {
            Expr::Const(c) => Ok(Value::Bits(c.bits)),
            Expr::Var(var) => (self.env)(var).map_err(Stop::Env),
            _ if depth == 0 || self.fuel == 0 => Err(Stop::Large),
            expr => {
                self.fuel -= 1;
                let pool = self.pool;
                apply(pool, expr, &mut |operand| self.eval(operand, depth - 1))
            }
        }
    }
}

impl Evaluated {
    /// The value of an expression, as by [`eval`]. It is up to the caller that `env` has not changed since the last one.
    pub fn eval<E>(
        &mut self,
        pool: &ExprPool,
        id: ExprId,
        env: &mut dyn FnMut(VarId) -> Result<Value, E>,
    ) -> Result<Value, E> {
        // With a stack of its own, and each node once.
        let mut arrays: FxHashMap<ExprId, Value> = FxHashMap::default();
        let mut uses = None;
        let mut open = vec![id];
        while let Some(&top) = open.last() {
            if self.scalars.contains_key(&top) || arrays.contains_key(&top) {
                open.pop();
                continue;
            }
            let known = |operand: ExprId, arrays: &FxHashMap<ExprId, Value>| match self.scalars.get(&operand) {
                Some(bits) => Some(Value::Bits(*bits)),
                None => arrays.get(&operand).cloned(),
            };
            let value = match pool.get(top) {
                Expr::Const(c) => Value::Bits(c.bits),
                Expr::Var(var) => env(var)?,
                Expr::Store(array, index, value) if arrays.contains_key(&array) => {
                    match (self.scalars.get(&index), self.scalars.get(&value)) {
                        (Some(index), Some(value)) => {
                            // A long chain of stores is one array that grows: nobody else needs the array before the store.
                            let uses = uses.get_or_insert_with(|| self.count_uses(pool, id));
                            let once = uses.get(&array) == Some(&1);
                            let before = if once { arrays.remove(&array) } else { arrays.get(&array).cloned() };
                            let mut result = before.unwrap_or(Value::Bits(0));
                            if let Value::Array(entries) = &mut result {
                                Arc::make_mut(entries).set(*index, *value);
                            }
                            result
                        }
                        (None, _) => {
                            open.push(index);
                            continue;
                        }
                        (_, None) => {
                            open.push(value);
                            continue;
                        }
                    }
                }
                expr => match apply(pool, expr, &mut |operand| known(operand, &arrays).ok_or(operand)) {
                    Ok(value) => value,
                    Err(missing) => {
                        open.push(missing);
                        continue;
                    }
                },
            };
            open.pop();
            match value {
                Value::Bits(bits) => _ = self.scalars.insert(top, bits),
                array => _ = arrays.insert(top, array),
            }
        }
        Ok(match self.scalars.get(&id) {
            Some(bits) => Value::Bits(*bits),
            None => arrays.remove(&id).unwrap_or(Value::Bits(0)),
        })
    }

    /// How many operands of nodes below (and with) a root each node is. What is below a known value is not evaluated again.
    fn count_uses(&self, pool: &ExprPool, root: ExprId) -> FxHashMap<ExprId, u32> {
        let mut uses = FxHashMap::default();
        uses.insert(root, 1);
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            pool.get(id).for_each_operand(|operand| {
                let count = uses.entry(operand).or_insert(0);
                *count += 1;
                if *count == 1 && !self.scalars.contains_key(&operand) {
                    open.push(operand);
                }
            });
        }
        uses
    }
}

/// The value of a node that is no leaf, from those of its operands.
#[inline]
fn apply<X>(pool: &ExprPool, expr: Expr, operand: &mut impl FnMut(ExprId) -> Result<Value, X>) -> Result<Value, X> {
    let value = match expr {
        Expr::Const(c) => c.bits,
        Expr::Var(_) => 0,
        Expr::Unary(op, a) => unary(op, pool.sort(a), operand(a)?.bits()),
        Expr::Binary(op, a, b) => {
            let x = operand(a)?;
            match (op, &x) {
                (BinOp::And, Value::Bits(0)) | (BinOp::Or, Value::Bits(1)) => return Ok(x),
                _ => {}
            }
            match (op, x, operand(b)?) {
                (BinOp::Eq, Value::Array(x), Value::Array(y)) => {
                    let index = if let Sort::Array { index, .. } = pool.sort(a) { index } else { 128 };
                    x.same_map(&y, index).into()
                }
                (_, x, y) => binary(op, pool.sort(a), pool.sort(b), x.bits(), y.bits()),
            }
        }
        Expr::Ite(c, a, b) => return if operand(c)?.bits() != 0 { operand(a) } else { operand(b) },
        Expr::Fma(a, b, c) => fma(pool.sort(a), operand(a)?.bits(), operand(b)?.bits(), operand(c)?.bits()),
        Expr::Extract { arg, .. }
        | Expr::ZeroExt { arg, .. }
        | Expr::SignExt { arg, .. }
        | Expr::FToF { arg, .. }
        | Expr::FToS { arg, .. }
        | Expr::FToU { arg, .. }
        | Expr::SToF { arg, .. }
        | Expr::UToF { arg, .. }
        | Expr::BitsToF { arg, .. } => convert(expr, pool.sort(arg), operand(arg)?.bits()),
        Expr::Select(array, index) => match operand(array)? {
            Value::Array(entries) => entries.get(operand(index)?.bits()),
            Value::Bits(_) => 0,
        },
        Expr::Store(array, index, value) => {
            let mut result = operand(array)?;
            let (index, value) = (operand(index)?.bits(), operand(value)?.bits());
            if let Value::Array(entries) = &mut result {
                Arc::make_mut(entries).set(index, value);
            }
            return Ok(result);
        }
        Expr::ConstArray { value, .. } => {
            return Ok(Value::Array(Arc::new(ArrayValue::constant(operand(value)?.bits()))));
        }
    };
    Ok(Value::Bits(value))
}
