//! What a witness says of the result of a call: `\result OP constant`, and several of these with `&&`.

use raddle_ir::{BinOp, ExprId, ExprPool, Sort, eval};

/// A condition on the result of a call.
#[derive(Clone, PartialEq, Debug)]
pub struct Returned(Vec<(Comparison, Constant)>);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Longer ones before those that they begin with.
const COMPARISONS: [(&str, Comparison); 6] = [
    ("==", Comparison::Eq),
    ("!=", Comparison::Ne),
    ("<=", Comparison::Le),
    (">=", Comparison::Ge),
    ("<", Comparison::Lt),
    (">", Comparison::Gt),
];

#[derive(Clone, Copy, PartialEq, Debug)]
enum Constant {
    Integer(i128),
    Float(f64),
}

impl Returned {
    /// Reads a constraint; `None` if it is not of this form.
    pub fn read(text: &str) -> Option<Returned> {
        text.split("&&").map(|part| comparison(unwrapped(part))).collect::<Option<_>>().map(Returned)
    }

    /// The condition on a value; `None` if a constant is not of its sort.
    pub fn condition(&self, pool: &mut ExprPool, value: ExprId, signed: bool) -> Option<ExprId> {
        let mut all = pool.bool(true);
        for (comparison, constant) in &self.0 {
            let one = compare(pool, *comparison, value, signed, *constant)?;
            all = pool.and(all, one);
        }
        Some(all)
    }
}

/// Without the parentheses around it.
fn unwrapped(text: &str) -> &str {
    let text = text.trim();
    match text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) if inner.find(')') >= inner.find('(') => unwrapped(inner),
        _ => text,
    }
}

fn comparison(text: &str) -> Option<(Comparison, Constant)> {
    let (at, (sign, comparison)) = (0..text.len())
        .filter(|at| text.is_char_boundary(*at))
        .find_map(|at| COMPARISONS.iter().find(|(sign, _)| text[at..].starts_with(sign)).map(|found| (at, *found)))?;
    let (left, right) = (unwrapped(&text[..at]), unwrapped(&text[at + sign.len()..]));
    if left == "\\result" {
        return Some((comparison, constant(right)?));
    }
    let flipped = match comparison {
        Comparison::Lt => Comparison::Gt,
        Comparison::Le => Comparison::Ge,
        Comparison::Gt => Comparison::Lt,
        Comparison::Ge => Comparison::Le,
        same => same,
    };
    (right == "\\result").then_some((flipped, constant(left)?))
}

fn constant(text: &str) -> Option<Constant> {
    let text = unwrapped(text);
    if let Some(rest) = text.strip_prefix('-').filter(|rest| !rest.starts_with('-')) {
        if let Some((left, right)) = rest.split_once(" - ") {
            // The least value of a type has no literal of its own.
            let (Constant::Integer(left), Constant::Integer(right)) = (constant(left)?, constant(right)?) else {
                return None;
            };
            return Some(Constant::Integer(-left - right));
        }
        return Some(match constant(rest)? {
            Constant::Integer(value) => Constant::Integer(-value),
            Constant::Float(value) => Constant::Float(-value),
        });
    }
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    let number = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffix = text[number.len()..].to_ascii_lowercase();
    let integer = match number {
        _ if !["", "u", "l", "ul", "lu", "ll", "ull", "llu"].contains(&suffix.as_str()) => None,
        _ if is_hex => i128::from_str_radix(&number[2..], 16).ok(),
        _ if number.len() > 1 && number.starts_with('0') && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            i128::from_str_radix(number, 8).ok()
        }
        _ if number.bytes().all(|byte| byte.is_ascii_digit()) => number.parse().ok(),
        _ => None,
    };
    if let Some(value) = integer {
        return Some(Constant::Integer(value));
    }
    let is_number =
        !is_hex && text.starts_with(|c: char| c.is_ascii_digit() || c == '.') && text.contains(['.', 'e', 'E']);
    let value = match text.strip_suffix(['f', 'F']) {
        Some(number) => f64::from(number.parse::<f32>().ok()?),
        None => text.strip_suffix(['l', 'L']).unwrap_or(text).parse().ok()?,
    };
    is_number.then_some(Constant::Float(value))
}

fn compare(pool: &mut ExprPool, comparison: Comparison, value: ExprId, signed: bool, with: Constant) -> Option<ExprId> {
    let sort = pool.sort(value);
    let (constant, less, at_most, equal) = match (sort, with) {
        (Sort::Bool, Constant::Integer(with)) => {
            let (value, with) = (bits_of_bool(pool, value), pool.bits(8, (with as u128) & 0xff));
            return compare_with(pool, comparison, value, with, (BinOp::ULt, BinOp::ULe, BinOp::Eq));
        }
        (Sort::Bits(width), Constant::Integer(with)) => {
            if let Some(decided) = out_of_range(comparison, width, signed, with) {
                return Some(pool.bool(decided));
            }
            let constant = pool.bits(width, with as u128 & eval::mask(width));
            let (less, at_most) = if signed { (BinOp::SLt, BinOp::SLe) } else { (BinOp::ULt, BinOp::ULe) };
            (constant, less, at_most, BinOp::Eq)
        }
        (Sort::Bits(..=32), Constant::Float(with)) => {
            let (comparison, with) = with_integer(comparison, with)?;
            return compare(pool, comparison, value, signed, Constant::Integer(with));
        }
        (Sort::F64 | Sort::F32, with) => {
            let with = match with {
                Constant::Integer(with) => with as f64,
                Constant::Float(with) => with,
            };
            let bits = match sort {
                Sort::F32 if f64::from(with as f32) == with || with.is_nan() => u128::from((with as f32).to_bits()),
                // A constant of type double, written for a float.
                Sort::F32 => u128::from((with as f32).to_bits()),
                _ => u128::from(with.to_bits()),
            };
            let constant = pool.constant(raddle_ir::Const { sort, bits });
            (constant, BinOp::FLt, BinOp::FLe, BinOp::FEq)
        }
        _ => return None,
    };
    compare_with(pool, comparison, value, constant, (less, at_most, equal))
}

/// The comparison of an integer that a `double` holds exactly with a floating-point number, as one with an integer.
fn with_integer(comparison: Comparison, with: f64) -> Option<(Comparison, i128)> {
    if !with.is_finite() || with.abs() > 1e18 {
        return None;
    }
    let is_integer = with.fract() == 0.0;
    Some(match comparison {
        _ if is_integer => (comparison, with as i128),
        Comparison::Lt | Comparison::Le => (Comparison::Le, with.floor() as i128),
        Comparison::Gt | Comparison::Ge => (Comparison::Ge, with.ceil() as i128),
        // No integer equals it, and none this one, which has more than 32 bits.
        Comparison::Eq | Comparison::Ne => (comparison, 1 << 40),
    })
}

/// What a comparison with a number is that no value of the type equals. C converts a negative number to an unsigned type that is as wide as `int`.
fn out_of_range(comparison: Comparison, width: u8, signed: bool, with: i128) -> Option<bool> {
    let bits = u32::from(width.min(126)) - u32::from(signed);
    let least = if signed { -(1i128 << bits) } else { 0 };
    let most = (1i128 << bits) - 1;
    let is_converted = !signed && width >= 32 && with < 0 && with >= -(1i128 << bits);
    if (least..=most).contains(&with) || is_converted {
        return None;
    }
    Some(match comparison {
        Comparison::Eq => false,
        Comparison::Ne => true,
        Comparison::Lt | Comparison::Le => with > most,
        Comparison::Gt | Comparison::Ge => with < least,
    })
}

fn bits_of_bool(pool: &mut ExprPool, value: ExprId) -> ExprId {
    let (one, zero) = (pool.bits(8, 1), pool.bits(8, 0));
    pool.ite(value, one, zero)
}

fn compare_with(
    pool: &mut ExprPool,
    comparison: Comparison,
    value: ExprId,
    with: ExprId,
    (less, at_most, equal): (BinOp, BinOp, BinOp),
) -> Option<ExprId> {
    Some(match comparison {
        Comparison::Eq => pool.binary(equal, value, with),
        Comparison::Ne => {
            let same = pool.binary(equal, value, with);
            pool.not(same)
        }
        Comparison::Lt => pool.binary(less, value, with),
        Comparison::Le => pool.binary(at_most, value, with),
        Comparison::Gt => pool.binary(less, with, value),
        Comparison::Ge => pool.binary(at_most, with, value),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints() {
        let read = |text| Returned::read(text).map(|returned| returned.0);
        assert_eq!(read(r"\result == -4"), Some(vec![(Comparison::Eq, Constant::Integer(-4))]));
        assert_eq!(read(r"(0x10 <= \result)"), Some(vec![(Comparison::Ge, Constant::Integer(16))]));
        let least = Constant::Integer(i128::from(i64::MIN));
        assert_eq!(read(r"\result == (-9223372036854775807LL - 1)"), Some(vec![(Comparison::Eq, least)]));
        assert_eq!(read(r"\result == 0.5f"), Some(vec![(Comparison::Eq, Constant::Float(0.5))]));
        let two = vec![(Comparison::Gt, Constant::Integer(0)), (Comparison::Ne, Constant::Integer(7))];
        assert_eq!(read(r"\result > 0U && (\result != 7)"), Some(two));
        let tenth = Constant::Float(f64::from(0.1f32));
        assert_eq!(read(r"\result == 0.1f"), Some(vec![(Comparison::Eq, tenth)]));
        for text in [r"\result == x", r"\result == --4", r"\result == 4UUU", r"\result == 4lul", r"\result == 089"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read("1 == 1"), None);
    }

    #[test]
    fn numbers_between_integers() {
        use Comparison::{Eq, Ge, Gt, Le, Lt};
        assert_eq!(with_integer(Eq, 42.0), Some((Eq, 42)));
        assert_eq!(with_integer(Lt, 2.5), Some((Le, 2)));
        assert_eq!(with_integer(Gt, -2.5), Some((Ge, -2)));
        assert_eq!(with_integer(Eq, f64::INFINITY), None);
    }

    #[test]
    fn numbers_that_no_value_equals() {
        use Comparison::{Eq, Gt, Lt, Ne};
        assert_eq!(out_of_range(Eq, 8, false, 300), Some(false));
        assert_eq!(out_of_range(Eq, 32, true, 4_294_967_295), Some(false));
        assert_eq!(out_of_range(Lt, 32, true, 4_294_967_295), Some(true));
        assert_eq!(out_of_range(Ne, 8, false, -1), Some(true));
        assert_eq!(out_of_range(Gt, 8, true, -129), Some(true));
        assert_eq!(out_of_range(Eq, 8, true, -128), None);
        assert_eq!(out_of_range(Eq, 32, false, -1), None);
    }
}
