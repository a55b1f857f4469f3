//! Which values an expression may have, where these are few, and the low bits that it always has.
//!
//! Addresses that a program computes are mostly constants, choices among constants, or values read from a shared pointer; for the latter the
//! knowledge of earlier runs says what is written there. Everything else is looked up in the points-to analysis, with the low bits telling which
//! offsets are possible.

use crate::symbolic::knowledge::cells::{Cell, MOST_VALUES, Values};
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Sort, VarId, eval};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The possible values of expressions, remembered for one run.
#[derive(Default)]
pub struct ValueSets {
    known: FxHashMap<ExprId, Values>,
    /// The cells that the symbols of reads stand for.
    pub read_from: FxHashMap<VarId, Cell>,
    /// Cells whose values were asked for.
    pub asked: Vec<Cell>,
}

impl ValueSets {
    pub fn reading(read_from: FxHashMap<VarId, Cell>) -> ValueSets {
        ValueSets { read_from, ..ValueSets::default() }
    }

    /// The values of an expression; `cells` says what is known of shared cells.
    pub fn of(&mut self, pool: &ExprPool, expr: ExprId, cells: &FxHashMap<Cell, Values>) -> Values {
        let mut open = vec![expr];
        while let Some(&id) = open.last() {
            if self.known.contains_key(&id) {
                open.pop();
                continue;
            }
            let mut missing = false;
            if Self::is_followed(pool, id) {
                self.for_each_part(pool, id, |operand| {
                    if pool.sort(operand) != Sort::Bool && !self.known.contains_key(&operand) {
                        open.push(operand);
                        missing = true;
                    }
                });
            }
            if !missing {
                let values = self.combine(pool, id, cells);
                self.known.insert(id, values);
                open.pop();
            }
        }
        self.known[&expr].clone()
    }

    /// What the values of an expression come from. A chain of stores is one step: a table has very many.
    fn for_each_part(&self, pool: &ExprPool, id: ExprId, mut f: impl FnMut(ExprId)) {
        let mut at = id;
        while let Expr::Store(below, _, value) = pool.get(at) {
            f(value);
            at = below;
            if self.known.contains_key(&at) {
                break;
            }
        }
        if at == id {
            pool.get(id).for_each_operand(f);
        } else {
            f(at);
        }
    }

    fn is_followed(pool: &ExprPool, id: ExprId) -> bool {
        let sort = pool.sort(id);
        if let Sort::Array { .. } = sort {
            return matches!(pool.get(id), Expr::Ite(..) | Expr::Store(..) | Expr::ConstArray { .. });
        }
        matches!(sort, Sort::Bits(n) if n <= 64)
            && matches!(
                pool.get(id),
                Expr::Ite(..)
                    | Expr::Binary(..)
                    | Expr::Unary(..)
                    | Expr::Extract { .. }
                    | Expr::ZeroExt { .. }
                    | Expr::SignExt { .. }
                    | Expr::Select(..)
            )
    }

    /// All values of something narrow.
    fn all(&self, pool: &ExprPool, id: ExprId) -> Values {
        match pool.sort(id) {
            Sort::Bits(n) if n <= 6 => Some((0..1 << n).collect()),
            _ => None,
        }
    }

    fn combine(&mut self, pool: &ExprPool, id: ExprId, cells: &FxHashMap<Cell, Values>) -> Values {
        let values = self.by_operands(pool, id, cells);
        values.or_else(|| match pool.get(id) {
            // The subsets of a mask, the remainders of a division.
            Expr::Binary(BinOp::BvAnd, _, mask) => {
                let mask = u64::try_from(pool.as_const(mask)?.bits).ok()?;
                (mask.count_ones() <= 6).then(|| {
                    let mut all = BTreeSet::from([0]);
                    let mut subset = mask;
                    while subset != 0 {
                        all.insert(subset);
                        subset = (subset - 1) & mask;
                    }
                    all
                })
            }
            Expr::Binary(BinOp::BvURem, _, by) => {
                let by = pool.as_const(by)?.bits;
                (1..=MOST_VALUES as u128).contains(&by).then(|| (0..by as u64).collect())
            }
            _ => self.all(pool, id),
        })
    }

    fn by_operands(&mut self, pool: &ExprPool, id: ExprId, cells: &FxHashMap<Cell, Values>) -> Values {
        match pool.get(id) {
            Expr::Const(c) => Some(BTreeSet::from([u64::try_from(c.bits).ok()?])),
            Expr::Var(var) => {
                let cell = *self.read_from.get(&var)?;
                self.asked.push(cell);
                cells.get(&cell).cloned().unwrap_or_else(|| Some(BTreeSet::new()))
            }
            _ if !Self::is_followed(pool, id) => self.all(pool, id),
            // Of an array, what its elements may be.
            Expr::ConstArray { value, .. } | Expr::Select(value, _) => self.known[&value].clone(),
            Expr::Store(..) => {
                let mut all = Some(BTreeSet::new());
                self.for_each_part(pool, id, |part| {
                    all = match (all.take(), &self.known[&part]) {
                        (Some(mut all), Some(values)) => {
                            all.extend(values);
                            (all.len() <= MOST_VALUES).then_some(all)
                        }
                        _ => None,
                    };
                });
                all
            }
            Expr::Ite(_, a, b) => {
                let mut all = self.known[&a].clone()?;
                all.extend(self.known[&b].as_ref()?);
                (all.len() <= MOST_VALUES).then_some(all)
            }
            Expr::Binary(op, a, b) => {
                let (sort_a, sort_b) = (pool.sort(a), pool.sort(b));
                let (of_a, of_b) = (self.known.get(&a)?.as_ref()?, self.known.get(&b)?.as_ref()?);
                if of_a.len() * of_b.len() > MOST_VALUES {
                    return None;
                }
                let pairs = of_a.iter().flat_map(|x| of_b.iter().map(move |y| (u128::from(*x), u128::from(*y))));
                pairs.map(|(x, y)| u64::try_from(eval::binary(op, sort_a, sort_b, x, y)).ok()).collect()
            }
            Expr::Unary(op, a) => {
                let sort = pool.sort(a);
                let of = self.known.get(&a)?.as_ref()?;
                of.iter().map(|x| u64::try_from(eval::unary(op, sort, u128::from(*x))).ok()).collect()
            }
            expr @ (Expr::Extract { arg, .. } | Expr::ZeroExt { arg, .. } | Expr::SignExt { arg, .. }) => {
                let sort = pool.sort(arg);
                let of = self.known.get(&arg)?.as_ref()?;
                of.iter().map(|x| u64::try_from(eval::convert(expr, sort, u128::from(*x))).ok()).collect()
            }
            _ => None,
        }
    }
}

/// The low bits that a value always has: how many, and which.
pub fn low_bits(pool: &ExprPool, expr: ExprId) -> (u32, u64) {
    low_bits_within(pool, expr, 64, &mut FxHashMap::default())
}

fn cut(bits: u32, value: u64) -> (u32, u64) {
    (bits, if bits >= 64 { value } else { value & ((1 << bits) - 1) })
}

/// Expressions are looked at to a depth, so many of them in all, and each once: most of what a value is made of comes in several times.
const MOST_LOOKED_AT: usize = 1000;

fn low_bits_within(pool: &ExprPool, expr: ExprId, depth: u32, known: &mut FxHashMap<ExprId, (u32, u64)>) -> (u32, u64) {
    if let Some(known) = known.get(&expr) {
        return *known;
    }
    if depth == 0 || known.len() >= MOST_LOOKED_AT {
        return (0, 0);
    }
    let mut of = |e| low_bits_within(pool, e, depth - 1, known);
    let zeros = |(bits, value): (u32, u64)| value.trailing_zeros().min(bits);
    let found = match pool.get(expr) {
        Expr::Const(c) => (64, c.bits as u64),
        Expr::Binary(op @ (BinOp::BvAdd | BinOp::BvSub), a, b) => {
            let (x, y) = (of(a), of(b));
            let bits = x.0.min(y.0);
            cut(bits, if op == BinOp::BvAdd { x.1.wrapping_add(y.1) } else { x.1.wrapping_sub(y.1) })
        }
        Expr::Binary(BinOp::BvMul, a, b) => {
            let (x, y) = (of(a), of(b));
            let bits = (x.0 + zeros(y)).min(y.0 + zeros(x)).min(64);
            cut(bits, x.1.wrapping_mul(y.1))
        }
        Expr::Binary(BinOp::Shl, a, b) => match pool.as_const(b) {
            Some(by) if by.bits < 64 => {
                let x = of(a);
                cut((x.0 + by.bits as u32).min(64), x.1 << by.bits)
            }
            _ => (0, 0),
        },
        Expr::Binary(BinOp::BvAnd, a, b) => match pool.as_const(b) {
            Some(mask) => {
                let x = of(a);
                let bits = x.0.max((mask.bits as u64).trailing_zeros());
                cut(bits, x.1 & mask.bits as u64)
            }
            None => (0, 0),
        },
        Expr::Binary(BinOp::Concat, _, b) => match pool.sort(b) {
            Sort::Bits(n) => {
                let (bits, value) = of(b);
                cut(bits.min(n.into()), value)
            }
            _ => (0, 0),
        },
        Expr::Ite(_, a, b) => {
            let (x, y) = (of(a), of(b));
            let same = (x.1 ^ y.1).trailing_zeros();
            cut(x.0.min(y.0).min(same), x.1)
        }
        Expr::ZeroExt { arg, .. } | Expr::SignExt { arg, .. } => match pool.sort(arg) {
            Sort::Bits(n) => {
                let (bits, value) = of(arg);
                cut(bits.min(n.into()), value)
            }
            _ => (0, 0),
        },
        Expr::Extract { low: 0, arg, .. } => of(arg),
        _ => (0, 0),
    };
    known.insert(expr, found);
    found
}
