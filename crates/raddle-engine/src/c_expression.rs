//! Expressions in C.
//!
//! A bit-vector is written as an unsigned integer of its width: every operand is cast before an operation and every result after it, so that neither the
//! declared types of variables nor C's promotions change what is meant. Signed operations cast to the signed type first. Bits of a width that no type of C has, which only bits of something
//! else are, are a value of the next larger type; arithmetic of them has no words here. Neither has what C leaves undefined where the expression has a value (division by zero, large shifts), nor have floats and arrays.

use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Sort, UnOp, VarId, eval};

/// Longer texts are of no use.
const LONGEST: usize = 20_000;

/// The text of a Bool or bit-vector, given the names of variables.
pub fn c_expression(pool: &ExprPool, expr: ExprId, name: &dyn Fn(VarId) -> Option<String>) -> Option<String> {
    Printer { pool, name }.text(expr).filter(|text| text.len() <= LONGEST)
}

struct Printer<'a> {
    pool: &'a ExprPool,
    name: &'a dyn Fn(VarId) -> Option<String>,
}

/// The unsigned and the signed type of a width (ILP32 and LP64 agree on these).
fn types(width: u8) -> Option<(&'static str, &'static str)> {
    Some(match width {
        8 => ("unsigned char", "signed char"),
        16 => ("unsigned short", "short"),
        32 => ("unsigned int", "int"),
        64 => ("unsigned long long", "long long"),
        128 => ("unsigned __int128", "__int128"),
        _ => return None,
    })
}

fn constant(width: u8, bits: u128) -> Option<String> {
    match width {
        0..=32 => Some(format!("{bits}U")),
        33..=64 => Some(format!("{bits}ULL")),
        _ => None,
    }
}

/// The width of the smallest type that holds so many bits.
fn rounded(width: u8) -> u8 {
    width.next_power_of_two().max(8)
}

impl Printer<'_> {
    fn width(&self, expr: ExprId) -> Option<u8> {
        match self.pool.sort(expr) {
            Sort::Bits(width) => Some(width),
            _ => None,
        }
    }

    fn unsigned(&self, expr: ExprId) -> Option<&'static str> {
        Some(types(self.width(expr)?)?.0)
    }

    /// As a signed integer of the same width.
    fn signed(&self, expr: ExprId) -> Option<String> {
        let width = self.width(expr)?;
        let to = types(width)?.1;
        match self.pool.as_const(expr) {
            // The least value of a type has no literal of its own.
            Some(c) if width <= 64 && c.bits != 1 << (width - 1) => {
                let suffix = if width == 64 { "LL" } else { "" };
                Some(format!("{}{suffix}", eval::to_signed(width, c.bits)))
            }
            _ => Some(format!("({to}){}", self.text(expr)?)),
        }
    }

    /// A Bool is 0 or 1, a bit-vector a value of the unsigned type of its width.
    fn text(&self, expr: ExprId) -> Option<String> {
        let of = |a: ExprId| self.text(a).filter(|text| text.len() <= LONGEST);
        let infix = |a: ExprId, op: &str, b: ExprId| Some(format!("({} {op} {})", of(a)?, of(b)?));
        let wrapped = |a: ExprId, op: &str, b: ExprId| Some(format!("({}){}", self.unsigned(a)?, infix(a, op, b)?));
        match self.pool.get(expr) {
            Expr::Const(c) => match c.sort {
                Sort::Bool => Some(c.bits.to_string()),
                Sort::Bits(width) => constant(width, c.bits),
                _ => None,
            },
            Expr::Var(var) => {
                let name = (self.name)(var)?;
                match self.pool.sort(expr) {
                    Sort::Bool => Some(format!("({name} != 0)")),
                    _ => Some(format!("({}){name}", self.unsigned(expr)?)),
                }
            }
            Expr::Unary(UnOp::Not, a) => Some(format!("!{}", of(a)?)),
            Expr::Unary(UnOp::BvNot, a) => Some(format!("({})(~{})", self.unsigned(a)?, of(a)?)),
            Expr::Unary(UnOp::BvNeg, a) => Some(format!("({})(-{})", self.unsigned(a)?, of(a)?)),
            Expr::Binary(op, a, b) => match op {
                BinOp::And => infix(a, "&&", b),
                BinOp::Or => infix(a, "||", b),
                BinOp::Xor => infix(a, "!=", b),
                BinOp::Eq if matches!(self.pool.sort(a), Sort::Bool | Sort::Bits(_)) => infix(a, "==", b),
                BinOp::BvAdd => wrapped(a, "+", b),
                BinOp::BvSub => wrapped(a, "-", b),
                // Two promoted shorts may overflow an int.
                BinOp::BvMul => Some(format!("({})({} * 1ULL * {})", self.unsigned(a)?, of(a)?, of(b)?)),
                BinOp::BvAnd => wrapped(a, "&", b),
                BinOp::BvOr => wrapped(a, "|", b),
                BinOp::BvXor => wrapped(a, "^", b),
                BinOp::BvUDiv | BinOp::BvURem if self.pool.as_const(b).is_some_and(|b| b.bits != 0) => {
                    wrapped(a, if op == BinOp::BvUDiv { "/" } else { "%" }, b)
                }
                BinOp::BvSDiv | BinOp::BvSRem if self.is_plain_divisor(b) => {
                    let sign = if op == BinOp::BvSDiv { "/" } else { "%" };
                    Some(format!("({})({} {sign} {})", self.unsigned(a)?, self.signed(a)?, self.signed(b)?))
                }
                BinOp::Shl if self.is_short_shift(a, b) => {
                    Some(format!("({})({} * 1ULL << {})", self.unsigned(a)?, of(a)?, of(b)?))
                }
                BinOp::LShr if self.is_short_shift(a, b) => wrapped(a, ">>", b),
                BinOp::AShr if self.is_short_shift(a, b) => {
                    Some(format!("({})({} >> {})", self.unsigned(a)?, self.signed(a)?, of(b)?))
                }
                BinOp::ULt => infix(a, "<", b),
                BinOp::ULe => infix(a, "<=", b),
                BinOp::SLt => Some(format!("({} < {})", self.signed(a)?, self.signed(b)?)),
                BinOp::SLe => Some(format!("({} <= {})", self.signed(a)?, self.signed(b)?)),
                _ => None,
            },
            Expr::Ite(c, a, b) => Some(format!("({} ? {} : {})", of(c)?, of(a)?, of(b)?)),
            Expr::Extract { high, low, arg } => {
                let width = high - low + 1;
                let to = types(rounded(width))?.0;
                let shifted = match low {
                    0 => format!("({to}){}", of(arg)?),
                    _ => format!("({to})({} >> {low})", of(arg)?),
                };
                match rounded(width) == width {
                    true => Some(shifted),
                    false => Some(format!("({to})({shifted} & {})", constant(width, eval::mask(width))?)),
                }
            }
            Expr::ZeroExt { width, arg } => Some(format!("({}){}", types(width)?.0, of(arg)?)),
            Expr::SignExt { width, arg } => Some(format!("({}){}", types(width)?.0, self.signed(arg)?)),
            _ => None,
        }
    }

    /// Neither 0 nor −1: such a division is defined in C.
    fn is_plain_divisor(&self, expr: ExprId) -> bool {
        let ones = self.width(expr).map(eval::mask);
        self.pool.as_const(expr).is_some_and(|c| c.bits != 0 && Some(c.bits) != ones)
    }

    fn is_short_shift(&self, of: ExprId, by: ExprId) -> bool {
        let width = self.width(of).unwrap_or(0);
        self.pool.as_const(by).is_some_and(|by| by.bits < u128::from(width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signedness_and_widths_are_those_of_the_expression() {
        let mut pool = ExprPool::new();
        let (x, c) = (pool.var(VarId(0), Sort::Bits(32)), pool.var(VarId(1), Sort::Bits(8)));
        let (minus, wide) = (pool.bits(32, 0xffff_ffff), pool.sign_ext(32, c));
        let sum = pool.binary(BinOp::BvAdd, x, wide);
        let cond = pool.binary(BinOp::SLt, minus, sum);
        let name = |var: VarId| Some(["x", "c"][var.index()].to_owned());
        assert_eq!(
            c_expression(&pool, cond, &name).as_deref(),
            Some("(-1 < (int)(unsigned int)((unsigned int)x + (unsigned int)(signed char)(unsigned char)c))")
        );
    }

    #[test]
    fn single_bits_have_words_and_their_arithmetic_has_none() {
        let mut pool = ExprPool::new();
        let x = pool.var(VarId(0), Sort::Bits(32));
        let (bits, three) = (pool.extract(6, 4, x), pool.bits(3, 5));
        let cond = pool.binary(BinOp::ULt, bits, three);
        let name = |_: VarId| Some("x".to_owned());
        assert_eq!(
            c_expression(&pool, cond, &name).as_deref(),
            Some("((unsigned char)((unsigned char)((unsigned int)x >> 4) & 7U) < 5U)")
        );
        let sum = pool.binary(BinOp::BvMul, bits, bits);
        let cond = pool.eq(sum, three);
        assert_eq!(c_expression(&pool, cond, &name), None);
    }

    #[test]
    fn what_is_undefined_in_c_has_no_words() {
        let mut pool = ExprPool::new();
        let (x, y) = (pool.var(VarId(0), Sort::Bits(32)), pool.var(VarId(1), Sort::Bits(32)));
        let quotient = pool.binary(BinOp::BvUDiv, x, y);
        let cond = pool.eq(quotient, x);
        assert_eq!(c_expression(&pool, cond, &|_| Some("x".into())), None);
    }
}
