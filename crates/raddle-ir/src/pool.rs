//! The pool of expressions: one copy of each, made through simplifying constructors.
//!
//! A constructor first folds constants through the evaluator, then tries the rules in [`crate::simplify`], and makes a
//! node only if none applies. Whoever needs a node exactly as it is (the parser of the text form) uses [`ExprPool::intern_raw`].

use crate::eval;
use crate::expr::{BinOp, Const, Expr, ExprId, UnOp};
use crate::program::VarId;
use crate::simplify;
use crate::sort::{FloatSort, Sort};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Owns the expressions of a Program. Equal expressions have equal ids, and operands have smaller ids than what they are
/// operands of.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<(Expr, Sort)>", into = "Vec<(Expr, Sort)>")]
pub struct ExprPool {
    nodes: Vec<(Expr, Sort)>,
    ids: FxHashMap<Expr, ExprId>,
    /// How many constructors are at work, one called by the rules of another, and how many rules they may still try.
    depth: u32,
    fuel: u32,
}

/// Bounds on what the rules of one constructor may do in all. They are far above what lowering needs.
const MAX_DEPTH: u32 = 40;
const FUEL: u32 = 300;

impl From<Vec<(Expr, Sort)>> for ExprPool {
    fn from(nodes: Vec<(Expr, Sort)>) -> Self {
        let ids = nodes.iter().enumerate().map(|(i, (e, _))| (*e, ExprId(i as u32))).collect();
        ExprPool { nodes, ids, depth: 0, fuel: 0 }
    }
}

impl From<ExprPool> for Vec<(Expr, Sort)> {
    fn from(pool: ExprPool) -> Self {
        pool.nodes
    }
}

impl ExprPool {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Does an expression with this id exist?
    pub fn contains(&self, id: ExprId) -> bool {
        (id.0 as usize) < self.nodes.len()
    }

    #[inline]
    pub fn get(&self, id: ExprId) -> Expr {
        self.nodes[id.0 as usize].0
    }

    #[inline]
    pub fn sort(&self, id: ExprId) -> Sort {
        self.nodes[id.0 as usize].1
    }

    /// All nodes with their sorts, by id.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (ExprId, Expr, Sort)> + '_ {
        self.nodes.iter().enumerate().map(|(i, &(expr, sort))| (ExprId(i as u32), expr, sort))
    }

    /// The id of a node that is there already.
    pub fn find(&self, expr: Expr) -> Option<ExprId> {
        self.ids.get(&expr).copied()
    }

    /// The constant that an expression is, if it is one.
    #[inline]
    pub fn as_const(&self, id: ExprId) -> Option<Const> {
        match self.get(id) {
            Expr::Const(c) => Some(c),
            _ => None,
        }
    }

    /// Is it the constant `true` (or `false`)?
    pub fn is_bool(&self, id: ExprId, value: bool) -> bool {
        self.get(id) == Expr::Const(Const { sort: Sort::Bool, bits: value.into() })
    }

    /// Makes a node as it is, without simplification. The sort must be right: [`ExprPool::check`] tells.
    pub fn intern_raw(&mut self, expr: Expr, sort: Sort) -> ExprId {
        let nodes = &mut self.nodes;
        *self.ids.entry(expr).or_insert_with(|| {
            nodes.push((expr, sort));
            ExprId((nodes.len() - 1) as u32)
        })
    }

    /// Makes a node, by a rule if one applies.
    #[inline]
    fn make(&mut self, expr: Expr, sort: Sort, rules: impl FnOnce(&mut Self) -> Option<ExprId>) -> ExprId {
        debug_assert_eq!(self.check(expr), Ok(Some(sort)), "{expr:?} is ill-sorted");
        if self.depth == 0 {
            self.fuel = FUEL;
        }
        let simpler = if self.fuel == 0 || self.depth == MAX_DEPTH {
            None
        } else {
            self.fuel -= 1;
            self.depth += 1;
            let simpler = rules(self);
            self.depth -= 1;
            simpler
        };
        let id = simpler.unwrap_or_else(|| self.intern_raw(expr, sort));
        debug_assert_eq!(self.sort(id), sort, "a rule changed the sort of {expr:?}");
        id
    }

    pub fn constant(&mut self, c: Const) -> ExprId {
        self.intern_raw(Expr::Const(c), c.sort)
    }

    pub fn bool(&mut self, value: bool) -> ExprId {
        self.constant(Const { sort: Sort::Bool, bits: value.into() })
    }

    /// A bit-vector constant; the value is reduced modulo 2^width.
    pub fn bits(&mut self, width: u8, value: u128) -> ExprId {
        self.constant(Const { sort: Sort::Bits(width), bits: value & eval::mask(width) })
    }

    /// A variable of a given sort (the sort recorded in the Program for it).
    pub fn var(&mut self, var: VarId, sort: Sort) -> ExprId {
        self.intern_raw(Expr::Var(var), sort)
    }

    pub fn unary(&mut self, op: UnOp, a: ExprId) -> ExprId {
        let operand = self.sort(a);
        let sort = op.sort(operand);
        if let Some(c) = self.as_const(a) {
            return self.constant(Const { sort, bits: eval::unary(op, operand, c.bits) });
        }
        self.make(Expr::Unary(op, a), sort, |pool| simplify::unary(pool, op, a))
    }

    pub fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        let (sort_a, sort_b) = (self.sort(a), self.sort(b));
        let sort = op.sort(sort_a, sort_b);
        let (mut a, mut b) = (a, b);
        match (self.as_const(a), self.as_const(b)) {
            (Some(x), Some(y)) => {
                return self.constant(Const { sort, bits: eval::binary(op, sort_a, sort_b, x.bits, y.bits) });
            }
            // A constant goes to the right; two others are ordered by their ids.
            (x, None) if op.is_commutative() && (x.is_some() || a > b) => std::mem::swap(&mut a, &mut b),
            _ => {}
        }
        self.make(Expr::Binary(op, a, b), sort, |pool| simplify::binary(pool, op, a, b))
    }

    pub fn ite(&mut self, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
        if a == b {
            return a;
        }
        if let Some(c) = self.as_const(c) {
            return if c.bits != 0 { a } else { b };
        }
        let sort = self.sort(a);
        self.make(Expr::Ite(c, a, b), sort, |pool| simplify::ite(pool, c, a, b))
    }

    /// `a · b + c` with one rounding.
    pub fn fma(&mut self, a: ExprId, b: ExprId, c: ExprId) -> ExprId {
        let sort = self.sort(a);
        if let (Some(x), Some(y), Some(z)) = (self.as_const(a), self.as_const(b), self.as_const(c)) {
            return self.constant(Const { sort, bits: eval::fma(sort, x.bits, y.bits, z.bits) });
        }
        self.make(Expr::Fma(a, b, c), sort, |_| None)
    }

    pub fn extract(&mut self, high: u8, low: u8, arg: ExprId) -> ExprId {
        self.convert(Expr::Extract { high, low, arg }, Sort::Bits((high - low).saturating_add(1)), arg)
    }

    /// Zero extension; the same expression if the width is its own.
    pub fn zero_ext(&mut self, width: u8, arg: ExprId) -> ExprId {
        self.convert(Expr::ZeroExt { width, arg }, Sort::Bits(width), arg)
    }

    pub fn sign_ext(&mut self, width: u8, arg: ExprId) -> ExprId {
        self.convert(Expr::SignExt { width, arg }, Sort::Bits(width), arg)
    }

    /// Float → float; the same expression if the format is its own.
    pub fn f_to_f(&mut self, to: FloatSort, arg: ExprId) -> ExprId {
        self.convert(Expr::FToF { to, arg }, Sort::Float(to), arg)
    }

    pub fn f_to_s(&mut self, width: u8, arg: ExprId) -> ExprId {
        self.convert(Expr::FToS { width, arg }, Sort::Bits(width), arg)
    }

    pub fn f_to_u(&mut self, width: u8, arg: ExprId) -> ExprId {
        self.convert(Expr::FToU { width, arg }, Sort::Bits(width), arg)
    }

    pub fn s_to_f(&mut self, to: FloatSort, arg: ExprId) -> ExprId {
        self.convert(Expr::SToF { to, arg }, Sort::Float(to), arg)
    }

    pub fn u_to_f(&mut self, to: FloatSort, arg: ExprId) -> ExprId {
        self.convert(Expr::UToF { to, arg }, Sort::Float(to), arg)
    }

    pub fn bits_to_f(&mut self, to: FloatSort, arg: ExprId) -> ExprId {
        self.convert(Expr::BitsToF { to, arg }, Sort::Float(to), arg)
    }

    fn convert(&mut self, expr: Expr, to: Sort, arg: ExprId) -> ExprId {
        let from = self.sort(arg);
        if from == to {
            // Of all conversions only those to the sort itself do nothing: to all bits, to the own width or format.
            return arg;
        }
        if let Some(c) = self.as_const(arg) {
            return self.constant(Const { sort: to, bits: eval::convert(expr, from, c.bits) });
        }
        self.make(expr, to, |pool| simplify::convert(pool, expr, arg))
    }

    pub fn select(&mut self, array: ExprId, index: ExprId) -> ExprId {
        let sort = match self.sort(array) {
            Sort::Array { element, .. } => Sort::Bits(element),
            other => other,
        };
        self.make(Expr::Select(array, index), sort, |pool| simplify::select(pool, array, index))
    }

    pub fn store(&mut self, array: ExprId, index: ExprId, value: ExprId) -> ExprId {
        let sort = self.sort(array);
        self.make(Expr::Store(array, index, value), sort, |pool| simplify::store(pool, array, index, value))
    }

    pub fn const_array(&mut self, index: u8, value: ExprId) -> ExprId {
        let element = self.sort(value).bits().unwrap_or(1);
        self.intern_raw(Expr::ConstArray { index, value }, Sort::Array { index, element })
    }

    // Shorthands.

    pub fn not(&mut self, a: ExprId) -> ExprId {
        self.unary(UnOp::Not, a)
    }

    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::And, a, b)
    }

    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Or, a, b)
    }

    pub fn eq(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Eq, a, b)
    }

    pub fn ne(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let eq = self.eq(a, b);
        self.not(eq)
    }
}
