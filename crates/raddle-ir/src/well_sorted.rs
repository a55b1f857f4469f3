//! Which sorts the operators take and give.

use crate::expr::{BinOp, Expr, ExprId, UnOp};
use crate::pool::ExprPool;
use crate::sort::{FloatSort, Sort};

impl UnOp {
    /// The sort of the result for an operand of a sort that the operator takes.
    #[inline]
    pub fn sort(self, operand: Sort) -> Sort {
        match self {
            UnOp::Not => Sort::Bool,
            UnOp::FIsNan | UnOp::FIsInf | UnOp::FIsZero | UnOp::FIsNormal | UnOp::FIsSubnormal | UnOp::FIsNegative => {
                Sort::Bool
            }
            UnOp::FToBits => Sort::Bits(operand.bits().unwrap_or(1)),
            _ => operand,
        }
    }
}

impl BinOp {
    /// The sort of the result for operands of sorts that the operator takes.
    #[inline]
    pub fn sort(self, a: Sort, b: Sort) -> Sort {
        use BinOp::*;
        match self {
            And | Or | Xor | Eq | ULt | ULe | SLt | SLe | FEq | FLt | FLe => Sort::Bool,
            SAddOverflows | SSubOverflows | SMulOverflows | UMulOverflows => Sort::Bool,
            Concat => Sort::Bits(a.bits().unwrap_or(1).saturating_add(b.bits().unwrap_or(1))),
            _ => a,
        }
    }

    /// May the operands change places? Not those of the float operators that give a float: which NaN comes out of two NaNs
    /// depends on their order.
    #[inline]
    pub fn is_commutative(self) -> bool {
        use BinOp::*;
        match self {
            And | Or | Xor | Eq | BvAdd | BvMul | BvAnd | BvOr | BvXor | FEq => true,
            SAddOverflows | SMulOverflows | UMulOverflows => true,
            BvSub | BvUDiv | BvSDiv | BvURem | BvSRem | Shl | LShr | AShr | ULt | ULe | SLt | SLe | Concat => false,
            FAdd | FSub | FMul | FDiv | FRem | FLt | FLe | SSubOverflows => false,
        }
    }
}

impl Sort {
    /// Is it one that the evaluator knows: a width from 1 to 128, a supported float format?
    pub fn is_supported(self) -> bool {
        let width = |n: u8| (1..=128).contains(&n);
        match self {
            Sort::Bool => true,
            Sort::Bits(n) => width(n),
            Sort::Float(f) => f.is_supported(),
            Sort::Array { index, element } => width(index) && width(element),
        }
    }
}

impl ExprPool {
    /// The sort that a node over nodes of this pool has, or why it has none. A variable's sort is not in the node: `None`.
    pub fn check(&self, expr: Expr) -> Result<Option<Sort>, String> {
        let mut missing = None;
        expr.for_each_operand(|operand| {
            if operand.0 as usize >= self.len() {
                missing = Some(operand);
            }
        });
        if let Some(ExprId(id)) = missing {
            return Err(format!("there is no expression {id}"));
        }
        let sort = match expr {
            Expr::Var(_) => return Ok(None),
            Expr::Const(c) => {
                let bits = c.sort.bits().ok_or("a constant is no array")?;
                if !c.sort.is_supported() || (bits < 128 && c.bits >> bits != 0) {
                    return Err(format!("{:#x} is no constant of sort {}", c.bits, c.sort));
                }
                c.sort
            }
            Expr::Unary(op, a) => {
                let a = self.sort(a);
                let takes = match op {
                    UnOp::Not => a == Sort::Bool,
                    UnOp::BvNot | UnOp::BvNeg => a.is_bits(),
                    _ => a.is_float(),
                };
                require(takes, || format!("{op:?} does not take {a}"))?;
                op.sort(a)
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.sort(a), self.sort(b));
                let takes = match op {
                    BinOp::And | BinOp::Or | BinOp::Xor => a == Sort::Bool && a == b,
                    BinOp::Eq => a == b,
                    BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FRem => a.is_float() && a == b,
                    BinOp::FEq | BinOp::FLt | BinOp::FLe => a.is_float() && a == b,
                    BinOp::Concat => a.is_bits() && b.is_bits() && op.sort(a, b).is_supported(),
                    _ => a.is_bits() && a == b,
                };
                require(takes, || format!("{op:?} does not take {a} and {b}"))?;
                op.sort(a, b)
            }
            Expr::Ite(c, a, b) => {
                let (c, a, b) = (self.sort(c), self.sort(a), self.sort(b));
                require(c == Sort::Bool && a == b, || format!("Ite does not take {c}, {a} and {b}"))?;
                a
            }
            Expr::Fma(a, b, c) => {
                let (a, b, c) = (self.sort(a), self.sort(b), self.sort(c));
                require(a.is_float() && a == b && a == c, || format!("Fma does not take {a}, {b} and {c}"))?;
                a
            }
            Expr::Extract { high, low, arg } => {
                let from = self.width_of(arg)?;
                require(low <= high && high < from, || format!("bv{from} has no bits {high}:{low}"))?;
                Sort::Bits(high - low + 1)
            }
            Expr::ZeroExt { width, arg } | Expr::SignExt { width, arg } => {
                let from = self.width_of(arg)?;
                require(from < width, || format!("bv{from} cannot be extended to {width} bits"))?;
                Sort::Bits(width)
            }
            Expr::FToS { width, arg } | Expr::FToU { width, arg } => {
                self.format_of(arg)?;
                Sort::Bits(width)
            }
            Expr::FToF { to, arg } => {
                let from = self.format_of(arg)?;
                require(from != to, || "conversion of a float to its own format".to_string())?;
                Sort::Float(to)
            }
            Expr::SToF { to, arg } | Expr::UToF { to, arg } => {
                self.width_of(arg)?;
                Sort::Float(to)
            }
            Expr::BitsToF { to, arg } => {
                let from = self.width_of(arg)?;
                let sort = Sort::Float(to);
                require(sort.is_supported() && to.bits() == from, || format!("bv{from} does not encode a {sort}"))?;
                sort
            }
            Expr::Select(array, index) => match (self.sort(array), self.sort(index)) {
                (Sort::Array { index, element }, Sort::Bits(n)) if n == index => Sort::Bits(element),
                (array, index) => return Err(format!("Select does not take {array} and {index}")),
            },
            Expr::Store(array, index, value) => match (self.sort(array), self.sort(index), self.sort(value)) {
                (Sort::Array { index, element }, Sort::Bits(n), Sort::Bits(m)) if n == index && m == element => {
                    Sort::Array { index, element }
                }
                (array, index, value) => return Err(format!("Store does not take {array}, {index} and {value}")),
            },
            Expr::ConstArray { index, value } => Sort::Array { index, element: self.width_of(value)? },
        };
        require(sort.is_supported(), || format!("the sort {sort} is not supported"))?;
        Ok(Some(sort))
    }

    fn width_of(&self, id: ExprId) -> Result<u8, String> {
        match self.sort(id) {
            Sort::Bits(n) => Ok(n),
            other => Err(format!("a bit-vector is expected, not {other}")),
        }
    }

    fn format_of(&self, id: ExprId) -> Result<FloatSort, String> {
        match self.sort(id) {
            Sort::Float(f) => Ok(f),
            other => Err(format!("a float is expected, not {other}")),
        }
    }
}

fn require(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}
