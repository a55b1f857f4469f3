//! What an abstract state knows of single variables, and what follows for expressions.

use crate::model::instances::Vars;
use crate::model::memory::Memory;
use crate::model::threads::Threads;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, UnOp, VarId, eval};
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};

/// Values of some variables, sorted by variable. Whatever is not in it may be anything.
///
/// States are many, and most differ from another one in a variable or two: so the hash is kept up to date with each change
/// instead of being computed from everything.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Values {
    entries: Vec<(VarId, u128)>,
    /// The sum of the hashes of all entries, and of all variables.
    hash: u64,
    shape: u64,
}

impl Hash for Values {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}

/// Hashes that are added up must not be related to each other: each goes through the finish of MurmurHash 3.
fn mixed(mut x: u64) -> u64 {
    x = (x ^ x >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x = (x ^ x >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ x >> 33
}

/// The hash of one variable that has a value.
pub fn hash_of(var: VarId, value: u128) -> u64 {
    let (low, high) = (value as u64, (value >> 64) as u64);
    mixed(low ^ mixed(u64::from(var.0) + 1).wrapping_add(mixed(high)))
}

impl Values {
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (VarId, u128)> + '_ {
        self.entries.iter().copied()
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Equal values have equal hashes.
    pub fn full_hash(&self) -> u64 {
        self.hash
    }

    /// A number for the set of variables whose values are known. (Two sets may have the same.)
    pub fn shape(&self) -> u64 {
        self.shape
    }

    pub fn get(&self, var: VarId) -> Option<u128> {
        // Few variables: a scan of what fits into some cache lines is faster than halving.
        if self.entries.len() <= 16 {
            return self.entries.iter().find(|(v, _)| *v == var).map(|(_, value)| *value);
        }
        self.entries.binary_search_by_key(&var, |(v, _)| *v).ok().map(|i| self.entries[i].1)
    }

    pub fn set(&mut self, var: VarId, value: Option<u128>) {
        match (self.entries.binary_search_by_key(&var, |(v, _)| *v), value) {
            (Ok(i), Some(value)) => {
                self.hash = self.hash.wrapping_sub(hash_of(var, self.entries[i].1)).wrapping_add(hash_of(var, value));
                self.entries[i].1 = value;
            }
            (Ok(i), None) => {
                let (_, old) = self.entries.remove(i);
                self.hash = self.hash.wrapping_sub(hash_of(var, old));
                self.shape = self.shape.wrapping_sub(mixed(u64::from(var.0) + 1));
            }
            (Err(i), Some(value)) => {
                self.entries.insert(i, (var, value));
                self.hash = self.hash.wrapping_add(hash_of(var, value));
                self.shape = self.shape.wrapping_add(mixed(u64::from(var.0) + 1));
            }
            (Err(_), None) => {}
        }
    }

    /// Does this say everything that the other says?
    pub fn implies(&self, other: &Values) -> bool {
        if other.entries.len() > self.entries.len() {
            return false;
        }
        let mut mine = self.entries.iter();
        other.entries.iter().all(|entry| mine.by_ref().find(|(var, _)| *var >= entry.0) == Some(entry))
    }
}

impl FromIterator<(VarId, u128)> for Values {
    fn from_iter<I: IntoIterator<Item = (VarId, u128)>>(entries: I) -> Self {
        let mut values = Values::default();
        entries.into_iter().for_each(|(var, value)| values.set(var, Some(value)));
        values
    }
}

/// What a state knows by value: locks, and tracked variables.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    pub threads: &'a Threads,
    pub values: &'a Values,
}

impl Known<'_> {
    pub fn get(&self, vars: &Vars, var: VarId) -> Option<u128> {
        if vars.is_lock(var) { self.threads.lock(var) } else { self.values.get(var) }
    }

    /// The same, if the value is one that an expression can be.
    pub fn number(&self, vars: &Vars, var: VarId) -> Option<u128> {
        self.get(vars, var).filter(|_| vars.sort(var).bits().is_some())
    }
}

/// Where an expression is evaluated.
pub trait Knowledge {
    fn var(&self, var: VarId) -> Option<u128>;

    /// What the values of arrays mean; `None`: they have none.
    fn memory(&self) -> Option<&Memory> {
        None
    }
}

impl<F: Fn(VarId) -> Option<u128>> Knowledge for F {
    fn var(&self, var: VarId) -> Option<u128> {
        self(var)
    }
}

/// Knowledge of variables, arrays among them.
pub struct WithMemory<'a, F> {
    pub memory: &'a Memory,
    pub known: F,
}

impl<F: Fn(VarId) -> Option<u128>> Knowledge for WithMemory<'_, F> {
    fn var(&self, var: VarId) -> Option<u128> {
        (self.known)(var)
    }

    fn memory(&self) -> Option<&Memory> {
        Some(self.memory)
    }
}

/// The value of an expression, if what is known of its variables determines it. An array's value is the number of its content.
pub fn value(pool: &ExprPool, expr: ExprId, known: &dyn Knowledge) -> Option<u128> {
    let mut fuel = 300;
    match small(pool, expr, known, &mut fuel) {
        Ok(value) => value,
        Err(TooLarge) => large(pool, expr, known),
    }
}

struct TooLarge;

fn small(pool: &ExprPool, expr: ExprId, known: &dyn Knowledge, fuel: &mut u32) -> Result<Option<u128>, TooLarge> {
    *fuel = fuel.checked_sub(1).ok_or(TooLarge)?;
    apply(pool, expr, known, &mut |operand| small(pool, operand, known, fuel))
}

/// With a memory, since the expression is a graph with many ways to a node.
fn large(pool: &ExprPool, expr: ExprId, known: &dyn Knowledge) -> Option<u128> {
    let mut done: FxHashMap<ExprId, Option<u128>> = FxHashMap::default();
    let mut open = vec![expr];
    while let Some(&top) = open.last() {
        let mut missing = None;
        let result = apply(pool, top, known, &mut |operand| match done.get(&operand) {
            Some(value) => Ok(*value),
            None => {
                missing = Some(operand);
                Err(TooLarge)
            }
        });
        match (result, missing) {
            (Ok(value), _) => {
                done.insert(top, value);
                open.pop();
            }
            (Err(TooLarge), Some(operand)) => open.push(operand),
            (Err(TooLarge), None) => return None,
        }
    }
    done.get(&expr).copied().flatten()
}

/// One node, given its operands.
fn apply(
    pool: &ExprPool,
    expr: ExprId,
    known: &dyn Knowledge,
    of: &mut dyn FnMut(ExprId) -> Result<Option<u128>, TooLarge>,
) -> Result<Option<u128>, TooLarge> {
    Ok(match pool.get(expr) {
        Expr::Const(c) => Some(c.bits),
        Expr::Var(var) => known.var(var),
        Expr::Unary(op, a) => of(a)?.map(|value| eval::unary(op, pool.sort(a), value)),
        Expr::Binary(op, a, b) => {
            if pool.sort(a).bits().is_none() {
                return Ok(None);
            }
            let decides = match op {
                BinOp::And => Some(0),
                BinOp::Or => Some(1),
                BinOp::BvMul | BinOp::BvAnd => Some(0),
                _ => None,
            };
            let left = of(a)?;
            if left.is_some() && left == decides {
                return Ok(left);
            }
            let right = of(b)?;
            if right.is_some() && right == decides {
                return Ok(right);
            }
            match (left, right) {
                (Some(left), Some(right)) => Some(eval::binary(op, pool.sort(a), pool.sort(b), left, right)),
                _ => None,
            }
        }
        Expr::Ite(c, a, b) => match of(c)? {
            Some(0) => of(b)?,
            Some(_) => of(a)?,
            None => match (of(a)?, of(b)?) {
                (Some(a), Some(b)) if a == b => Some(a),
                _ => None,
            },
        },
        Expr::Fma(a, b, c) => match (of(a)?, of(b)?, of(c)?) {
            (Some(x), Some(y), Some(z)) => Some(eval::fma(pool.sort(a), x, y, z)),
            _ => None,
        },
        node @ (Expr::Extract { arg, .. }
        | Expr::ZeroExt { arg, .. }
        | Expr::SignExt { arg, .. }
        | Expr::FToF { arg, .. }
        | Expr::FToS { arg, .. }
        | Expr::FToU { arg, .. }
        | Expr::SToF { arg, .. }
        | Expr::UToF { arg, .. }
        | Expr::BitsToF { arg, .. }) => of(arg)?.map(|value| eval::convert(node, pool.sort(arg), value)),
        Expr::Select(array, index) => match (known.memory(), of(index)?) {
            (Some(memory), Some(place)) => of(array)?.and_then(|content| memory.held(content, place)),
            _ => None,
        },
        Expr::Store(array, index, value) => match (known.memory(), of(index)?) {
            (Some(memory), Some(place)) => memory.after_write(of(array)?, place, of(value)?),
            _ => None,
        },
        Expr::ConstArray { .. } => None,
    })
}

/// Calls `f` for each variable whose value follows from an expression being true (or false).
pub fn learn(pool: &ExprPool, expr: ExprId, holds: bool, f: &mut dyn FnMut(VarId, u128)) {
    match pool.get(expr) {
        Expr::Var(var) => f(var, holds.into()),
        Expr::Unary(UnOp::Not, a) => learn(pool, a, !holds, f),
        Expr::Binary(BinOp::And, a, b) if holds => {
            learn(pool, a, true, f);
            learn(pool, b, true, f);
        }
        Expr::Binary(BinOp::Or, a, b) if !holds => {
            learn(pool, a, false, f);
            learn(pool, b, false, f);
        }
        Expr::Binary(BinOp::Eq, a, b) if holds => {
            for (a, b) in [(a, b), (b, a)] {
                if let Some(c) = pool.as_const(b) {
                    invert(pool, a, c.bits, f);
                }
            }
        }
        _ => {}
    }
}

/// What follows from an expression having a value.
fn invert(pool: &ExprPool, expr: ExprId, value: u128, f: &mut dyn FnMut(VarId, u128)) {
    match pool.get(expr) {
        Expr::Var(var) => f(var, value),
        // If the value is no extension of anything, there is nothing to learn: the condition is false.
        Expr::ZeroExt { arg, .. } | Expr::SignExt { arg, .. } => {
            if let Some(bits) = pool.sort(arg).bits() {
                invert(pool, arg, value & eval::mask(bits), f);
            }
        }
        Expr::Binary(BinOp::BvAdd, a, b) => {
            if let (Some(c), Some(bits)) = (pool.as_const(b), pool.sort(a).bits()) {
                invert(pool, a, value.wrapping_sub(c.bits) & eval::mask(bits), f);
            }
        }
        _ => {}
    }
}
