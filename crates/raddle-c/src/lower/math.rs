//! Functions of `<math.h>` that are operators of the Program, and the builtins that classify and compare floats. The rest of `<math.h>` is in the prelude.

use super::builder::Builder;
use crate::hir::FnId;
use raddle_ir::{BinOp, Const, ExprId, FloatSort, Function, HavocReason, Label, Sort, UnOp, UnknownResult};

impl Builder<'_, '_> {
    /// The result of a library function of which a model of the prelude gives only bounds. Its name has the suffix of its format.
    pub fn unknown_result(&mut self, name: &str, id: FnId, args: &[ExprId]) -> Option<ExprId> {
        let of_format = || Function::named(name.strip_suffix(['f', 'l'])?);
        let function = Function::named(name).or_else(of_format)?;
        let args = [args.first().copied(), args.get(1).copied()];
        let reason = HavocReason::Result(UnknownResult { function, args });
        match self.is_bool(self.cx.result_type(id)) {
            true => Some(self.any_bool(reason)),
            false => Some(self.any_value(self.result_sort(id)?, reason)),
        }
    }

    /// Sign, exponent and fraction of a float, without the integer bit that x87 has between the two.
    pub fn encoding(&mut self, value: ExprId) -> ExprId {
        let pool = &mut self.cx.pool;
        let is_x87 = pool.sort(value) == Sort::Float(FloatSort::X87);
        let bits = pool.unary(UnOp::FToBits, value);
        if !is_x87 {
            return bits;
        }
        let [sign, exponent, lead, fraction] =
            [(79, 79), (78, 64), (63, 63), (62, 0)].map(|(h, l)| pool.extract(h, l, bits));
        // A pseudo-denormal, with the integer bit and no exponent, is a normal number.
        let zero = pool.bits(15, 0);
        let is_small = pool.eq(exponent, zero);
        let small = pool.zero_ext(15, lead);
        let exponent = pool.ite(is_small, small, exponent);
        let upper = pool.binary(BinOp::Concat, sign, exponent);
        pool.binary(BinOp::Concat, upper, fraction)
    }

    /// The float with an encoding.
    pub fn decoded(&mut self, encoding: ExprId, sort: Sort) -> ExprId {
        if sort != Sort::Float(FloatSort::X87) {
            return self.fit(encoding, sort);
        }
        let pool = &mut self.cx.pool;
        let [sign, exponent, fraction] = [(78, 78), (77, 63), (62, 0)].map(|(h, l)| pool.extract(h, l, encoding));
        let zero = pool.bits(15, 0);
        let is_small = pool.eq(exponent, zero);
        let (no_lead, lead) = (pool.bits(1, 0), pool.bits(1, 1));
        let lead = pool.ite(is_small, no_lead, lead);
        let upper = pool.binary(BinOp::Concat, sign, exponent);
        let lower = pool.binary(BinOp::Concat, lead, fraction);
        let bits = pool.binary(BinOp::Concat, upper, lower);
        pool.bits_to_f(FloatSort::X87, bits)
    }

    /// Functions of `<math.h>` and `<stdlib.h>` that the evaluator computes exactly.
    pub fn math_function(&mut self, name: &str, args: &[ExprId]) -> Option<ExprId> {
        let first = *args.first()?;
        if let ("abs" | "labs" | "llabs", Sort::Bits(_)) = (name, self.cx.pool.sort(first)) {
            let zero = self.cx.pool.constant(Const { sort: self.cx.pool.sort(first), bits: 0 });
            let negative = self.cx.pool.binary(BinOp::SLt, first, zero);
            let negated = self.cx.pool.unary(UnOp::BvNeg, first);
            return Some(self.cx.pool.ite(negative, negated, first));
        }
        let Sort::Float(_) = self.cx.pool.sort(first) else { return None };
        let base = match name {
            "modf" => return None,
            _ => name.strip_suffix(['f', 'l']).filter(|b| is_math(b)).unwrap_or(name),
        };
        let pool = &mut self.cx.pool;
        let rounded = |op| Some(op);
        let unary = match base {
            "fabs" => rounded(UnOp::FAbs),
            "sqrt" => rounded(UnOp::FSqrt),
            "floor" => rounded(UnOp::FFloor),
            "ceil" => rounded(UnOp::FCeil),
            "trunc" => rounded(UnOp::FTrunc),
            "rint" | "nearbyint" | "roundeven" => rounded(UnOp::FRint),
            "round" => rounded(UnOp::FRound),
            _ => None,
        };
        if let Some(op) = unary {
            return Some(pool.unary(op, first));
        }
        let classified = match base {
            "isnan" | "__isnan" => Some(UnOp::FIsNan),
            "isinf" => Some(UnOp::FIsInf),
            "__signbit" | "signbit" => Some(UnOp::FIsNegative),
            _ => None,
        };
        if let Some(op) = classified {
            let cond = pool.unary(op, first);
            return Some(self.bool_bits(cond, 32));
        }
        match base {
            "__isinf" => return self.float_builtin("isinf_sign", &[first]),
            "__finite" | "finite" | "isfinite" => {
                let (nan, inf) = (pool.unary(UnOp::FIsNan, first), pool.unary(UnOp::FIsInf, first));
                let odd = pool.or(nan, inf);
                let cond = pool.not(odd);
                return Some(self.bool_bits(cond, 32));
            }
            "__fpclassify" | "fpclassify" => {
                // FP_NAN 0, FP_INFINITE 1, FP_ZERO 2, FP_SUBNORMAL 3, FP_NORMAL 4.
                let mut class = pool.bits(32, 4);
                for (op, number) in [(UnOp::FIsSubnormal, 3), (UnOp::FIsZero, 2), (UnOp::FIsInf, 1), (UnOp::FIsNan, 0)]
                {
                    let is = pool.unary(op, first);
                    let number = pool.bits(32, number);
                    class = pool.ite(is, number, class);
                }
                return Some(class);
            }
            "lrint" | "llrint" | "lround" | "llround" => {
                let op = if base.ends_with("rint") { UnOp::FRint } else { UnOp::FRound };
                let rounded = pool.unary(op, first);
                let width = if base.starts_with("ll") { 64 } else { self.cx.pointer_bits };
                return Some(self.cx.pool.f_to_s(width, rounded));
            }
            _ => {}
        }
        let second = *args.get(1)?;
        if pool.sort(first) != pool.sort(second) {
            return None;
        }
        match base {
            "fmod" => Some(pool.binary(BinOp::FRem, first, second)),
            "fma" => match args.get(2) {
                Some(&third) if pool.sort(third) == pool.sort(first) => Some(pool.fma(first, second, third)),
                _ => None,
            },
            "copysign" => {
                let (a, b) = (pool.unary(UnOp::FIsNegative, first), pool.unary(UnOp::FIsNegative, second));
                let same = pool.eq(a, b);
                let negated = pool.unary(UnOp::FNeg, first);
                Some(pool.ite(same, first, negated))
            }
            "fmin" | "fmax" => {
                let less = if base == "fmin" {
                    pool.binary(BinOp::FLt, second, first)
                } else {
                    pool.binary(BinOp::FLt, first, second)
                };
                let nan = pool.unary(UnOp::FIsNan, first);
                let take_second = pool.or(less, nan);
                let either_zero = self.either_zero(first, second);
                let pool = &mut self.cx.pool;
                let take_second = pool.or(take_second, either_zero);
                Some(pool.ite(take_second, second, first))
            }
            "fdim" => {
                let greater = pool.binary(BinOp::FLt, second, first);
                let difference = pool.binary(BinOp::FSub, first, second);
                let Sort::Float(format) = pool.sort(first) else { return None };
                let zero = pool.constant(Const { sort: Sort::Float(format), bits: 0 });
                let nan = pool.binary(BinOp::FAdd, first, second);
                let either = (pool.unary(UnOp::FIsNan, first), pool.unary(UnOp::FIsNan, second));
                let either = pool.or(either.0, either.1);
                let value = pool.ite(greater, difference, zero);
                Some(pool.ite(either, nan, value))
            }
            _ => None,
        }
    }

    /// Of two zeros with different signs, either is the smaller one: any choice there, and false elsewhere.
    fn either_zero(&mut self, first: ExprId, second: ExprId) -> ExprId {
        let pool = &mut self.cx.pool;
        let zeros = (pool.unary(UnOp::FIsZero, first), pool.unary(UnOp::FIsZero, second));
        let signs = (pool.unary(UnOp::FIsNegative, first), pool.unary(UnOp::FIsNegative, second));
        let (zeros, differ) = (pool.and(zeros.0, zeros.1), pool.ne(signs.0, signs.1));
        let (is_free, no) = (pool.and(zeros, differ), pool.bool(false));
        if is_free == no {
            return no;
        }
        let choice = self.temp(Sort::Bool);
        self.assign(choice, no);
        let (choose, after) = (self.new_location(), self.new_location());
        self.branch(is_free, choose, after);
        self.here = choose;
        let reason = HavocReason::UndefinedFunction;
        self.emit(Label::Havoc { var: choice, reason, site: raddle_ir::Origin::default() });
        self.enter(after);
        self.var_value(choice)
    }

    /// Float classification and comparison builtins whose operands may have any format.
    pub fn float_builtin(&mut self, name: &str, args: &[ExprId]) -> Option<ExprId> {
        let first = *args.first()?;
        if let Some(value) = self.math_function(name, args) {
            return Some(value);
        }
        let pool = &mut self.cx.pool;
        let classified = match name {
            "isnormal" => Some(UnOp::FIsNormal),
            "issubnormal" => Some(UnOp::FIsSubnormal),
            "iszero" => Some(UnOp::FIsZero),
            _ => None,
        };
        if let Some(op) = classified {
            let cond = pool.unary(op, first);
            return Some(self.bool_bits(cond, 32));
        }
        if let ("fpclassify", &[nan, infinite, normal, subnormal, zero, value]) = (name, args) {
            let classes =
                [(UnOp::FIsSubnormal, subnormal), (UnOp::FIsZero, zero), (UnOp::FIsInf, infinite), (UnOp::FIsNan, nan)];
            let mut class = normal;
            for (op, number) in classes {
                let is = pool.unary(op, value);
                class = pool.ite(is, number, class);
            }
            return Some(class);
        }
        if name == "isinf_sign" {
            let infinite = pool.unary(UnOp::FIsInf, first);
            let negative = pool.unary(UnOp::FIsNegative, first);
            let (one, minus_one, zero) = (pool.bits(32, 1), pool.bits(32, u128::MAX), pool.bits(32, 0));
            let sign = pool.ite(negative, minus_one, one);
            return Some(pool.ite(infinite, sign, zero));
        }
        let mut second = *args.get(1)?;
        let mut first = first;
        if let (Sort::Float(a), Sort::Float(b)) = (pool.sort(first), pool.sort(second)) {
            let wider = |a: FloatSort, b: FloatSort| if a.bits() >= b.bits() { a } else { b };
            let common = wider(a, b);
            first = pool.f_to_f(common, first);
            second = pool.f_to_f(common, second);
        }
        let cond = match name {
            "isgreater" => pool.binary(BinOp::FLt, second, first),
            "isgreaterequal" => pool.binary(BinOp::FLe, second, first),
            "isless" => pool.binary(BinOp::FLt, first, second),
            "islessequal" => pool.binary(BinOp::FLe, first, second),
            "islessgreater" => {
                let (a, b) = (pool.binary(BinOp::FLt, first, second), pool.binary(BinOp::FLt, second, first));
                pool.or(a, b)
            }
            "isunordered" => {
                let (a, b) = (pool.unary(UnOp::FIsNan, first), pool.unary(UnOp::FIsNan, second));
                pool.or(a, b)
            }
            _ => return None,
        };
        Some(self.bool_bits(cond, 32))
    }
}

fn is_math(base: &str) -> bool {
    matches!(
        base,
        "fabs"
            | "sqrt"
            | "floor"
            | "ceil"
            | "trunc"
            | "rint"
            | "nearbyint"
            | "roundeven"
            | "round"
            | "fmod"
            | "copysign"
            | "fmin"
            | "fmax"
            | "fdim"
            | "fma"
            | "isnan"
            | "isinf"
            | "__isnan"
            | "__isinf"
            | "__signbit"
            | "signbit"
            | "__finite"
            | "finite"
            | "__fpclassify"
            | "lrint"
            | "llrint"
            | "lround"
            | "llround"
    )
}

#[cfg(test)]
mod tests {
    use super::is_math;
    use crate::{library_names, prelude};
    use rustc_hash::FxHashSet;

    #[test]
    fn math_has_models() {
        let written: FxHashSet<_> = prelude::all_functions().collect();
        let is_operator = |name: &str| is_math(name) || name.strip_suffix(['f', 'l']).is_some_and(is_math);
        let names = library_names::by_header().filter(|(header, _)| *header == "math.h").flat_map(|(_, names)| names);
        let gaps: Vec<&str> = names.filter(|name| !written.contains(*name) && !is_operator(name)).collect();
        // There is no `_Float128`.
        assert_eq!(gaps, ["lgammaf128_r"]);
    }
}
