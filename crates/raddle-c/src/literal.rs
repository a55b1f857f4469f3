//! What literals mean: numbers, character constants and strings (C11 6.4.4 and 6.4.5, with what GNU C adds).
//!
//! Everything works on the spelling of one token; an error is a byte offset in it and a message.

use crate::ast::{Encoding, ExprKind, FloatLiteral, FloatSuffix};

type Failure = (usize, String);

/// The expression that a number token stands for.
pub fn number(spelling: &[u8]) -> Result<ExprKind, Failure> {
    // The common case first: a short decimal integer.
    if spelling.len() <= 9 && spelling[0] != b'0' && spelling.iter().all(u8::is_ascii_digit) {
        let value = spelling.iter().fold(0u32, |v, d| v * 10 + u32::from(d - b'0'));
        return Ok(ExprKind::Int { value: value.into(), unsigned: false, longs: 0, decimal: true });
    }
    let hex = matches!(spelling, [b'0', b'x' | b'X', ..]);
    let is_float = spelling.iter().any(|b| match b {
        b'.' => true,
        b'e' | b'E' => !hex,
        b'p' | b'P' => hex,
        _ => false,
    });
    let binary = matches!(spelling, [b'0', b'b' | b'B', ..]);
    if is_float && !binary { float(spelling, hex) } else { integer(spelling) }
}

fn integer(spelling: &[u8]) -> Result<ExprKind, Failure> {
    let (base, start) = match spelling {
        [b'0', b'x' | b'X', ..] => (16, 2),
        [b'0', b'b' | b'B', ..] => (2, 2),
        [b'0', ..] => (8, 0),
        _ => (10, 0),
    };
    let mut value = 0u128;
    let mut at = start;
    while let Some(digit) = spelling.get(at).and_then(|b| char::from(*b).to_digit(if base == 16 { 16 } else { 10 })) {
        if digit >= base {
            let kind = if base == 8 { "an octal" } else { "a binary" };
            return Err((at, format!("digit {digit} in {kind} constant")));
        }
        value = value
            .checked_mul(base.into())
            .and_then(|v| v.checked_add(digit.into()))
            .ok_or_else(|| (0, "integer constant is too large".to_string()))?;
        at += 1;
    }
    if at == start && start > 0 {
        return Err((0, format!("`{}` has no digits", String::from_utf8_lossy(&spelling[..start]))));
    }
    let suffix = spelling[at..].to_ascii_lowercase();
    if suffix.iter().any(|b| matches!(b, b'i' | b'j')) {
        let plain: Vec<u8> = suffix.iter().copied().filter(|b| !matches!(b, b'i' | b'j')).collect();
        if plain.len() + 1 == suffix.len()
            && let Some((unsigned, longs)) = integer_suffix(&plain)
        {
            let number = ExprKind::Int { value, unsigned, longs, decimal: base == 10 };
            return Ok(ExprKind::Imaginary(Box::new(number)));
        }
    }
    let mixed_case = matches!(spelling[at..], [b'l', b'L', ..] | [b'L', b'l', ..])
        || matches!(spelling[at..], [_, b'l', b'L', ..] | [_, b'L', b'l', ..]);
    match integer_suffix(&suffix) {
        Some((unsigned, longs)) if !mixed_case => Ok(ExprKind::Int { value, unsigned, longs, decimal: base == 10 }),
        _ => Err((at, format!("invalid suffix `{}` on an integer constant", String::from_utf8_lossy(&spelling[at..])))),
    }
}

/// Whether it has a `u`, and how many `l`.
fn integer_suffix(suffix: &[u8]) -> Option<(bool, u8)> {
    match suffix {
        b"" => Some((false, 0)),
        b"u" => Some((true, 0)),
        b"l" => Some((false, 1)),
        b"ul" | b"lu" => Some((true, 1)),
        b"ll" => Some((false, 2)),
        b"ull" | b"llu" => Some((true, 2)),
        _ => None,
    }
}

fn float(spelling: &[u8], hex: bool) -> Result<ExprKind, Failure> {
    let mut at = if hex { 2 } else { 0 };
    let mut digits = 0;
    let mut points = 0;
    while let Some(byte) = spelling.get(at) {
        match byte {
            b'.' => points += 1,
            b if (hex && b.is_ascii_hexdigit()) || b.is_ascii_digit() => digits += 1,
            _ => break,
        }
        at += 1;
    }
    if digits == 0 {
        return Err((0, "a floating constant needs digits".into()));
    }
    if points > 1 {
        return Err((0, "too many decimal points in a number".into()));
    }
    let exponent = matches!((spelling.get(at), hex), (Some(b'e' | b'E'), false) | (Some(b'p' | b'P'), true));
    if exponent {
        at += 1;
        at += usize::from(matches!(spelling.get(at), Some(b'+' | b'-')));
        let digits = spelling[at..].iter().take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 {
            return Err((at, "the exponent has no digits".into()));
        }
        at += digits;
    } else if hex {
        return Err((0, "a hexadecimal floating constant needs an exponent".into()));
    }
    let mut suffix = spelling[at..].to_ascii_lowercase();
    let is_imaginary =
        matches!(suffix.as_slice(), [b'i' | b'j'] | [b'i' | b'j', b'f' | b'l'] | [b'f' | b'l', b'i' | b'j']);
    suffix.retain(|b| !(is_imaginary && matches!(b, b'i' | b'j')));
    let suffix = match suffix.as_slice() {
        b"" | b"f64" | b"f32x" | b"d" => FloatSuffix::None,
        b"f" | b"f32" => FloatSuffix::F,
        b"l" | b"f64x" | b"w" => FloatSuffix::L,
        b"q" | b"f128" => FloatSuffix::Q,
        b"f16" | b"bf16" => return Ok(ExprKind::Unsupported("16-bit floating constant")),
        b"df" | b"dd" | b"dl" => return Ok(ExprKind::Unsupported("decimal floating constant")),
        _ => {
            let shown = String::from_utf8_lossy(&spelling[at..]);
            return Err((at, format!("invalid suffix `{shown}` on a floating constant")));
        }
    };
    let text = String::from_utf8_lossy(&spelling[..at]).into_owned();
    let number = ExprKind::Float { value: FloatLiteral(text), suffix };
    Ok(if is_imaginary { ExprKind::Imaginary(Box::new(number)) } else { number })
}

/// The encoding that a prefix names, and the length of the prefix.
pub fn encoding(spelling: &[u8]) -> (Encoding, usize) {
    match spelling {
        [b'L', ..] => (Encoding::Wide, 1),
        [b'u', b'8', ..] => (Encoding::Utf8, 2),
        [b'u', ..] => (Encoding::Char16, 1),
        [b'U', ..] => (Encoding::Char32, 1),
        _ => (Encoding::Plain, 0),
    }
}

/// The value of a character constant as the bits of an `int` (plain ones are sign-extended, as `char` is signed) or of
/// its wide type.
pub fn character(spelling: &[u8]) -> Result<ExprKind, Failure> {
    let (encoding, _) = encoding(spelling);
    let mut units = Vec::new();
    append_units(spelling, encoding, &mut units)?;
    let Some(&last) = units.last() else { return Err((0, "empty character constant".into())) };
    let value = match (encoding, units.as_slice()) {
        (Encoding::Plain, [one]) => *one as u8 as i8 as i32 as u32,
        // As gcc: each character shifts the ones before it up; the last four count.
        (Encoding::Plain, many) => many.iter().fold(0u32, |v, unit| v << 8 | unit & 0xff),
        _ => last,
    };
    Ok(ExprKind::Char { value, encoding })
}

/// Appends the code units of a string (or character) literal, read in `encoding`, which may come from a neighbour.
pub fn append_units(spelling: &[u8], encoding: Encoding, units: &mut Vec<u32>) -> Result<(), Failure> {
    let start = self::encoding(spelling).1 + 1;
    let end = spelling.len().saturating_sub(1);
    let narrow = matches!(encoding, Encoding::Plain | Encoding::Utf8);
    let mut at = start;
    while at < end {
        let byte = spelling[at];
        if byte == b'\\' {
            let (value, length, is_code_point) = escape(&spelling[at..end]).map_err(|m| (at, m))?;
            at += length;
            if is_code_point {
                push_code_point(value, encoding, units);
            } else {
                units.push(match encoding {
                    Encoding::Plain | Encoding::Utf8 => value & 0xff,
                    Encoding::Char16 => value & 0xffff,
                    Encoding::Wide | Encoding::Char32 => value,
                });
            }
        } else if narrow || byte < 0x80 {
            units.push(byte.into());
            at += 1;
        } else {
            let rest = &spelling[at..end.min(at + 4)];
            let valid = match std::str::from_utf8(rest) {
                Ok(_) => rest.len(),
                Err(error) => error.valid_up_to(),
            };
            let Some(c) = std::str::from_utf8(&rest[..valid]).ok().and_then(|s| s.chars().next()) else {
                return Err((at, "this is not UTF-8".into()));
            };
            push_code_point(c as u32, encoding, units);
            at += c.len_utf8();
        }
    }
    Ok(())
}

fn push_code_point(value: u32, encoding: Encoding, units: &mut Vec<u32>) {
    let Some(c) = char::from_u32(value) else { return units.push(value) };
    match encoding {
        Encoding::Plain | Encoding::Utf8 => units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
        Encoding::Char16 => units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|u| u32::from(*u))),
        Encoding::Wide | Encoding::Char32 => units.push(value),
    }
}

/// Value, length, and whether it names a character (`\u`) instead of a code unit.
fn escape(text: &[u8]) -> Result<(u32, usize, bool), String> {
    let simple = |value: u8| Ok((u32::from(value), 2, false));
    match text.get(1) {
        Some(b'n') => simple(b'\n'),
        Some(b't') => simple(b'\t'),
        Some(b'r') => simple(b'\r'),
        Some(b'a') => simple(7),
        Some(b'b') => simple(8),
        Some(b'f') => simple(12),
        Some(b'v') => simple(11),
        Some(b'e' | b'E') => simple(27),
        Some(b @ (b'\\' | b'\'' | b'"' | b'?')) => simple(*b),
        Some(b'0'..=b'7') => {
            let digits = text[1..].iter().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
            let value = text[1..1 + digits].iter().fold(0, |v, d| v * 8 + u32::from(d - b'0'));
            Ok((value, 1 + digits, false))
        }
        Some(b'x') => {
            let digits = text[2..].iter().take_while(|b| b.is_ascii_hexdigit()).count();
            if digits == 0 {
                return Err("\\x with no following hexadecimal digits".into());
            }
            Ok((hex_value(&text[2..2 + digits]), 2 + digits, false))
        }
        Some(kind @ (b'u' | b'U')) => {
            let wanted = if *kind == b'u' { 4 } else { 8 };
            let digits = text[2..].iter().take(wanted).take_while(|b| b.is_ascii_hexdigit()).count();
            let value = hex_value(&text[2..2 + digits]);
            if digits < wanted || char::from_u32(value).is_none() {
                return Err("this is not a universal character name".into());
            }
            Ok((value, 2 + digits, true))
        }
        // gcc warns and takes the character itself.
        Some(other) => simple(*other),
        None => Err("incomplete escape sequence".into()),
    }
}

/// Digits beyond 32 bits push the first ones out.
fn hex_value(digits: &[u8]) -> u32 {
    digits.iter().fold(0u32, |v, d| v << 4 | char::from(*d).to_digit(16).unwrap_or(0))
}
