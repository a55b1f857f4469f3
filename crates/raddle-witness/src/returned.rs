//! What a witness says of the result of a call: `\result OP constant`, and several of these with `&&`.
//!
//! It means what it means in C: constants have types (6.4.4.1), and operands are converted to a common one (6.3.1.8). `long` has 32 or 64 bits; where that matters, the constraint is not understood.

use raddle_ir::{BinOp, ExprId, ExprPool, Sort, eval};

/// A condition on the result of a call.
#[derive(Clone, PartialEq, Debug)]
pub struct Returned(Vec<(Comparison, [Constant; 2])>);

/// Bits of a `long`.
const LONGS: [u8; 2] = [32, 64];

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
    Integer(i128, Kind),
    Float(f64),
}

/// An integer type that is not smaller than `int`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Kind {
    bits: u8,
    signed: bool,
}

/// Comparisons with a value of this type are those of numbers.
const WIDEST: Kind = Kind { bits: 128, signed: true };

impl Kind {
    fn holds(self, value: i128) -> bool {
        let most = if self.bits >= 127 { i128::MAX } else { (1 << (self.bits - u8::from(self.signed))) - 1 };
        (if self.signed { -most - 1 } else { 0 }..=most).contains(&value)
    }

    /// Of two operands: the wider one, and of the same width the unsigned one.
    fn common(self, other: Kind) -> Kind {
        match self.bits.cmp(&other.bits) {
            std::cmp::Ordering::Less => other,
            std::cmp::Ordering::Greater => self,
            std::cmp::Ordering::Equal => Kind { bits: self.bits, signed: self.signed && other.signed },
        }
    }

    /// A value of this type; `None` if a signed one overflows.
    fn wrapped(self, value: i128) -> Option<i128> {
        match self.signed || self.bits > 64 {
            true => self.holds(value).then_some(value),
            false => Some((value as u128 & eval::mask(self.bits)) as i128),
        }
    }
}

impl Returned {
    /// Reads a constraint; `None` if it is not of this form.
    pub fn read(text: &str) -> Option<Returned> {
        text.split("&&").map(|part| comparison(unwrapped(part))).collect::<Option<_>>().map(Returned)
    }

    /// The condition on a value; `None` if a constant is not of its sort.
    pub fn condition(&self, pool: &mut ExprPool, value: ExprId, signed: bool) -> Option<ExprId> {
        let mut all = pool.bool(true);
        for (comparison, constants) in &self.0 {
            let [one, other] = constants.map(|constant| compare(pool, *comparison, value, signed, constant));
            let one = one.filter(|_| one == other)?;
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

fn comparison(text: &str) -> Option<(Comparison, [Constant; 2])> {
    let (at, (sign, comparison)) = (0..text.len())
        .filter(|at| text.is_char_boundary(*at))
        .find_map(|at| COMPARISONS.iter().find(|(sign, _)| text[at..].starts_with(sign)).map(|found| (at, *found)))?;
    let (left, right) = (unwrapped(&text[..at]), unwrapped(&text[at + sign.len()..]));
    if left == "\\result" {
        return Some((comparison, constants(right)?));
    }
    let flipped = match comparison {
        Comparison::Lt => Comparison::Gt,
        Comparison::Le => Comparison::Ge,
        Comparison::Gt => Comparison::Lt,
        Comparison::Ge => Comparison::Le,
        same => same,
    };
    (right == "\\result").then_some((flipped, constants(left)?))
}

fn constants(text: &str) -> Option<[Constant; 2]> {
    let [short, long] = LONGS.map(|long| constant(text, long));
    Some([short?, long?])
}

fn constant(text: &str, long: u8) -> Option<Constant> {
    let text = unwrapped(text);
    if let Some(rest) = text.strip_prefix('-').filter(|rest| !rest.starts_with('-')) {
        let (left, right) = match rest.split_once(" - ") {
            // The least value of a type has no literal of its own.
            Some((left, right)) => (constant(left, long)?, Some(constant(right, long)?)),
            None => (constant(rest, long)?, None),
        };
        return match (left, right) {
            (Constant::Integer(left, kind), None) => Some(Constant::Integer(kind.wrapped(-left)?, kind)),
            (Constant::Float(left), None) => Some(Constant::Float(-left)),
            (Constant::Integer(left, of_left), Some(Constant::Integer(right, of_right))) => {
                let kind = of_left.common(of_right);
                let left = kind.wrapped(of_left.wrapped(-left)?)?;
                Some(Constant::Integer(kind.wrapped(left - right)?, kind))
            }
            _ => None,
        };
    }
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    let number = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffix = text[number.len()..].to_ascii_lowercase();
    let is_octal = number.len() > 1 && number.starts_with('0') && number.bytes().all(|byte| byte.is_ascii_digit());
    let integer = match number {
        _ if !["", "u", "l", "ul", "lu", "ll", "ull", "llu"].contains(&suffix.as_str()) => None,
        _ if is_hex => i128::from_str_radix(&number[2..], 16).ok(),
        _ if is_octal => i128::from_str_radix(number, 8).ok(),
        _ if number.bytes().all(|byte| byte.is_ascii_digit()) => number.parse().ok(),
        _ => None,
    };
    if let Some(value) = integer {
        return Some(Constant::Integer(value, kind(value, &suffix, is_hex || is_octal, long)?));
    }
    let is_number =
        !is_hex && text.starts_with(|c: char| c.is_ascii_digit() || c == '.') && text.contains(['.', 'e', 'E']);
    let value = match text.strip_suffix(['f', 'F']) {
        Some(number) => f64::from(number.parse::<f32>().ok()?),
        None => text.strip_suffix(['l', 'L']).unwrap_or(text).parse().ok()?,
    };
    is_number.then_some(Constant::Float(value))
}

/// The type of a literal: the first that holds it.
fn kind(value: i128, suffix: &str, is_other_base: bool, long: u8) -> Option<Kind> {
    let least = match suffix.matches('l').count() {
        0 => 32,
        1 => long,
        _ => 64,
    };
    let is_unsigned = suffix.contains('u');
    for bits in [32, 64].into_iter().filter(|bits| *bits >= least) {
        for signed in [true, false] {
            let is_allowed = if signed { !is_unsigned } else { is_unsigned || is_other_base };
            let kind = Kind { bits, signed };
            if is_allowed && kind.holds(value) {
                return Some(kind);
            }
        }
    }
    // Compilers take what no type holds as a number.
    (!is_unsigned && !is_other_base).then_some(WIDEST)
}

fn compare(pool: &mut ExprPool, comparison: Comparison, value: ExprId, signed: bool, with: Constant) -> Option<ExprId> {
    let sort = pool.sort(value);
    let (constant, less, at_most, equal) = match (sort, with) {
        (Sort::Bool, with) => {
            let value = bits_of_bool(pool, value);
            return compare(pool, comparison, value, false, with);
        }
        (Sort::Bits(width), Constant::Integer(with, kind)) => {
            // Promotion keeps the value.
            let promoted = if width < 32 { Kind { bits: 32, signed: true } } else { Kind { bits: width, signed } };
            let (own, common) = (Kind { bits: width, signed }, promoted.common(kind));
            let is_kept = common.signed || !promoted.signed;
            // Where conversions keep the values, the number is compared in the narrowest type that has it.
            let narrow = [own, promoted].into_iter().find(|kind| is_kept && kind.holds(with));
            let Kind { bits, signed: is_signed } = narrow.unwrap_or(common);
            let value = if signed { pool.sign_ext(bits, value) } else { pool.zero_ext(bits, value) };
            let constant = pool.bits(bits, with as u128 & eval::mask(bits));
            let (less, at_most) = if is_signed { (BinOp::SLt, BinOp::SLe) } else { (BinOp::ULt, BinOp::ULe) };
            return compare_with(pool, comparison, value, constant, (less, at_most, BinOp::Eq));
        }
        (Sort::Bits(..=32), Constant::Float(with)) => {
            let (comparison, with) = with_integer(comparison, with)?;
            return compare(pool, comparison, value, signed, Constant::Integer(with, WIDEST));
        }
        (Sort::F64 | Sort::F32, with) => {
            let with = match with {
                Constant::Integer(with, _) => with as f64,
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
        let int = |value| Constant::Integer(value, Kind { bits: 32, signed: true });
        let one = |comparison, constant| Some(vec![(comparison, [constant; 2])]);
        assert_eq!(read(r"\result == -4"), one(Comparison::Eq, int(-4)));
        assert_eq!(read(r"(0x10 <= \result)"), one(Comparison::Ge, int(16)));
        let least = Constant::Integer(i128::from(i64::MIN), Kind { bits: 64, signed: true });
        assert_eq!(read(r"\result == (-9223372036854775807LL - 1)"), one(Comparison::Eq, least));
        assert_eq!(read(r"\result == 0.5f"), one(Comparison::Eq, Constant::Float(0.5)));
        let two = vec![(Comparison::Gt, [int(0); 2]), (Comparison::Ne, [int(7); 2])];
        assert_eq!(read(r"\result > 0 && (\result != 7)"), Some(two));
        let tenth = Constant::Float(f64::from(0.1f32));
        assert_eq!(read(r"\result == 0.1f"), one(Comparison::Eq, tenth));
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

    /// Whether a constraint holds of a result of so many bits.
    fn holds(text: &str, width: u8, signed: bool, value: i128) -> Option<bool> {
        let mut pool = ExprPool::default();
        let value = pool.bits(width, value as u128 & eval::mask(width));
        let holds = Returned::read(text)?.condition(&mut pool, value, signed)?;
        pool.as_const(holds).map(|holds| holds.bits == 1)
    }

    #[test]
    fn comparisons_are_those_of_c() {
        for (text, width, signed, value, expected) in [
            (r"\result < 0u", 32, true, -1, Some(false)),
            (r"\result == 4294967295u", 32, true, -1, Some(true)),
            (r"\result == 4294967295", 32, true, -1, Some(false)),
            (r"\result == -1", 32, false, 0xffff_ffff, Some(true)),
            (r"\result == -1u", 64, true, -1, Some(false)),
            (r"\result < 0u", 8, true, -1, Some(false)),
            (r"\result == 300", 8, false, 44, Some(false)),
            (r"\result > -129", 8, true, -128, Some(true)),
            (r"\result == 0x80000000", 32, true, -0x8000_0000, Some(true)),
            (r"\result == -2147483648", 32, true, -0x8000_0000, Some(true)),
            (r"\result == 18446744073709551615", 64, false, 0xffff_ffff_ffff_ffff, Some(true)),
            (r"\result == 7l", 32, true, 7, Some(true)),
        ] {
            assert_eq!(holds(text, width, signed, value), expected, "{text} of {value}");
        }
        let mut pool = ExprPool::default();
        let value = pool.bool(true);
        for (text, expected) in [(r"\result == 257", false), (r"\result < -1", false), (r"\result == 1", true)] {
            let holds = Returned::read(text).and_then(|returned| returned.condition(&mut pool, value, false));
            assert!(holds.is_some_and(|holds| pool.is_bool(holds, expected)), "{text}");
        }
        // A `long` of 32 bits becomes unsigned, one of 64 does not.
        let value = pool.var(raddle_ir::VarId(0), Sort::Bits(32));
        let text = Returned::read(r"\result < 4000000000ul").unwrap();
        assert_eq!(text.condition(&mut pool, value, true), None);
    }
}
