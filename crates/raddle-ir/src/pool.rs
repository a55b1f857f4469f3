//! The pool of expressions: one copy of each, made through simplifying constructors.

use crate::expr::{BinOp, Const, Expr, ExprId, UnOp};
use crate::program::VarId;
use crate::sort::{FloatSort, Sort};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Owns the expressions of a Program. Equal expressions have equal ids.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<(Expr, Sort)>", into = "Vec<(Expr, Sort)>")]
pub struct ExprPool {
    nodes: Vec<(Expr, Sort)>,
    ids: FxHashMap<Expr, ExprId>,
}

impl From<Vec<(Expr, Sort)>> for ExprPool {
    fn from(nodes: Vec<(Expr, Sort)>) -> Self {
        let ids = nodes.iter().enumerate().map(|(i, (e, _))| (*e, ExprId(i as u32))).collect();
        ExprPool { nodes, ids }
    }
}

impl From<ExprPool> for Vec<(Expr, Sort)> {
    fn from(pool: ExprPool) -> Self {
        pool.nodes
    }
}

impl PartialEq for ExprPool {
    fn eq(&self, other: &Self) -> bool {
        self.nodes == other.nodes
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

    pub fn get(&self, id: ExprId) -> Expr {
        self.nodes[id.0 as usize].0
    }

    pub fn sort(&self, id: ExprId) -> Sort {
        self.nodes[id.0 as usize].1
    }

    /// The constant that an expression is, if it is one.
    pub fn as_const(&self, id: ExprId) -> Option<Const> {
        match self.get(id) {
            Expr::Const(c) => Some(c),
            _ => None,
        }
    }

    fn intern(&mut self, expr: Expr, sort: Sort) -> ExprId {
        let nodes = &mut self.nodes;
        *self.ids.entry(expr).or_insert_with(|| {
            nodes.push((expr, sort));
            ExprId((nodes.len() - 1) as u32)
        })
    }

    pub fn constant(&mut self, c: Const) -> ExprId {
        self.intern(Expr::Const(c), c.sort)
    }

    pub fn bool(&mut self, value: bool) -> ExprId {
        self.constant(Const { sort: Sort::Bool, bits: value.into() })
    }

    /// A bit-vector constant; the value is reduced modulo 2^width.
    pub fn bits(&mut self, width: u8, value: u128) -> ExprId {
        let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        self.constant(Const { sort: Sort::Bits(width), bits: value & mask })
    }

    /// A variable of a given sort (the sort recorded in the Program for it).
    pub fn var(&mut self, var: VarId, sort: Sort) -> ExprId {
        self.intern(Expr::Var(var), sort)
    }

    pub fn unary(&mut self, op: UnOp, a: ExprId) -> ExprId {
        let sort = match op {
            UnOp::Not => Sort::Bool,
            UnOp::FIsNan | UnOp::FIsInf | UnOp::FIsZero | UnOp::FIsNormal | UnOp::FIsSubnormal | UnOp::FIsNegative => {
                Sort::Bool
            }
            UnOp::FToBits => Sort::Bits(self.sort(a).bits().unwrap_or(1)),
            _ => self.sort(a),
        };
        self.intern(Expr::Unary(op, a), sort)
    }

    pub fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        use BinOp::*;
        let sort = match op {
            And | Or | Xor | Eq | ULt | ULe | SLt | SLe | FEq | FLt | FLe => Sort::Bool,
            SAddOverflows | SSubOverflows | SMulOverflows | UMulOverflows => Sort::Bool,
            Concat => Sort::Bits(self.sort(a).bits().unwrap_or(1) + self.sort(b).bits().unwrap_or(1)),
            _ => self.sort(a),
        };
        self.intern(Expr::Binary(op, a, b), sort)
    }

    pub fn ite(&mut self, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
        let sort = self.sort(a);
        self.intern(Expr::Ite(c, a, b), sort)
    }

    pub fn extract(&mut self, high: u8, low: u8, arg: ExprId) -> ExprId {
        self.intern(Expr::Extract { high, low, arg }, Sort::Bits(high - low + 1))
    }

    /// Zero extension; the same expression if the width is its own.
    pub fn zero_ext(&mut self, width: u8, arg: ExprId) -> ExprId {
        if self.sort(arg) == Sort::Bits(width) {
            return arg;
        }
        self.intern(Expr::ZeroExt { width, arg }, Sort::Bits(width))
    }

    pub fn sign_ext(&mut self, width: u8, arg: ExprId) -> ExprId {
        if self.sort(arg) == Sort::Bits(width) {
            return arg;
        }
        self.intern(Expr::SignExt { width, arg }, Sort::Bits(width))
    }

    /// Float → float; the same expression if the format is its own.
    pub fn f_to_f(&mut self, to: FloatSort, arg: ExprId) -> ExprId {
        if self.sort(arg) == Sort::Float(to) {
            return arg;
        }
        self.intern(Expr::FToF { to, arg }, Sort::Float(to))
    }

    pub fn f_to_s(&mut self, width: u8, arg: ExprId) -> ExprId {
        self.intern(Expr::FToS { width, arg }, Sort::Bits(width))
    }

    pub fn f_to_u(&mut self, width: u8, arg: ExprId) -> ExprId {
        self.intern(Expr::FToU { width, arg }, Sort::Bits(width))
    }

    pub fn s_to_f(&mut self, to: FloatSort, arg: ExprId) -> ExprId {
        self.intern(Expr::SToF { to, arg }, Sort::Float(to))
    }

    pub fn u_to_f(&mut self, to: FloatSort, arg: ExprId) -> ExprId {
        self.intern(Expr::UToF { to, arg }, Sort::Float(to))
    }

    pub fn bits_to_f(&mut self, to: FloatSort, arg: ExprId) -> ExprId {
        self.intern(Expr::BitsToF { to, arg }, Sort::Float(to))
    }

    pub fn select(&mut self, array: ExprId, index: ExprId) -> ExprId {
        let sort = match self.sort(array) {
            Sort::Array { element, .. } => Sort::Bits(element),
            other => other,
        };
        self.intern(Expr::Select(array, index), sort)
    }

    pub fn store(&mut self, array: ExprId, index: ExprId, value: ExprId) -> ExprId {
        let sort = self.sort(array);
        self.intern(Expr::Store(array, index, value), sort)
    }

    pub fn const_array(&mut self, index: u8, value: ExprId) -> ExprId {
        let element = self.sort(value).bits().unwrap_or(1);
        self.intern(Expr::ConstArray { index, value }, Sort::Array { index, element })
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
