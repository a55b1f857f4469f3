//! Expressions and statements for people.

use crate::model::Model;
use crate::model::statements::Statement;
use raddle_ir::{BinOp, Const, Expr, ExprId, Sort, UnOp, eval};

pub fn expr(model: &Model, id: ExprId) -> String {
    let of = |id| expr(model, id);
    match model.pool.get(id) {
        Expr::Const(c) => constant(c),
        Expr::Var(var) => model.vars.name(model.program, var),
        Expr::Unary(UnOp::Not, a) => format!("!{}", of(a)),
        Expr::Unary(op, a) => format!("{op:?}({})", of(a)),
        Expr::Binary(op, a, b) => match sign(op) {
            Some(sign) => format!("({} {sign} {})", of(a), of(b)),
            None => format!("{op:?}({}, {})", of(a), of(b)),
        },
        Expr::Ite(c, a, b) => format!("({} ? {} : {})", of(c), of(a), of(b)),
        Expr::Fma(a, b, c) => format!("fma({}, {}, {})", of(a), of(b), of(c)),
        Expr::Extract { high, low, arg } => format!("{}[{high}:{low}]", of(arg)),
        Expr::ZeroExt { width, arg } => format!("zext{width}({})", of(arg)),
        Expr::SignExt { width, arg } => format!("sext{width}({})", of(arg)),
        Expr::FToF { arg, .. } => format!("float({})", of(arg)),
        Expr::FToS { width, arg } | Expr::FToU { width, arg } => format!("int{width}({})", of(arg)),
        Expr::SToF { arg, .. } | Expr::UToF { arg, .. } => format!("float({})", of(arg)),
        Expr::BitsToF { arg, .. } => format!("asfloat({})", of(arg)),
        Expr::Select(array, index) => format!("{}[{}]", of(array), of(index)),
        Expr::Store(array, index, value) => format!("{}[{} := {}]", of(array), of(index), of(value)),
        Expr::ConstArray { value, .. } => format!("[{}…]", of(value)),
    }
}

pub fn constant(c: Const) -> String {
    match c.sort {
        Sort::Bool => (c.bits != 0).to_string(),
        Sort::Bits(n) => eval::to_signed(n, c.bits).to_string(),
        _ => format!("{:#x}", c.bits),
    }
}

fn sign(op: BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::And => "&&",
        BinOp::Or => "||",
        BinOp::Xor => "!=",
        BinOp::Eq | BinOp::FEq => "==",
        BinOp::BvAdd | BinOp::FAdd => "+",
        BinOp::BvSub | BinOp::FSub => "-",
        BinOp::BvMul | BinOp::FMul => "*",
        BinOp::BvUDiv => "/u",
        BinOp::BvSDiv | BinOp::FDiv => "/",
        BinOp::BvURem => "%u",
        BinOp::BvSRem => "%",
        BinOp::BvAnd => "&",
        BinOp::BvOr => "|",
        BinOp::BvXor => "^",
        BinOp::Shl => "<<",
        BinOp::LShr => ">>u",
        BinOp::AShr => ">>",
        BinOp::ULt => "<u",
        BinOp::ULe => "<=u",
        BinOp::SLt | BinOp::FLt => "<",
        BinOp::SLe | BinOp::FLe => "<=",
        _ => return None,
    })
}

pub fn statement(model: &Model, statement: &Statement) -> String {
    match statement {
        Statement::Assign { var, value } => {
            format!("{} := {}", model.vars.name(model.program, *var), expr(model, *value))
        }
        Statement::Havoc { var, .. } => format!("havoc {}", model.vars.name(model.program, *var)),
        Statement::Assume(cond) => format!("[{}]", expr(model, *cond)),
    }
}
