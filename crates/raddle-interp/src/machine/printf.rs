//! What `printf` prints, as the C standard and glibc define it.

use crate::machine::decimal::{Decimal, Kind, decode, exact};
use raddle_ir::{Sort, eval};

#[derive(Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// How many bits an integer argument has.
    bits: u8,
    /// A character or text is wide.
    wide: bool,
}

/// Wider fields are refused.
const WIDEST_FIELD: i64 = 1 << 20;

/// The format as it is read, and how many arguments were taken in order.
struct Source<'a> {
    at: u64,
    read: &'a mut dyn FnMut(u64) -> Option<u8>,
    args: &'a [(u128, Sort)],
    taken: usize,
}

impl Source<'_> {
    fn next(&mut self) -> Result<u8, String> {
        let byte = (self.read)(self.at);
        let byte = byte.ok_or_else(|| format!("a format that is not a string in memory ({:#x})", self.at))?;
        self.at = self.at.wrapping_add(1);
        Ok(byte)
    }

    /// The argument with this number, or else the next one.
    fn argument(&mut self, number: Option<usize>) -> Result<(u128, Sort), String> {
        let index = number.map_or(self.taken, |number| number - 1);
        self.taken += usize::from(number.is_none());
        self.args.get(index).copied().ok_or_else(|| "fewer arguments than the format asks for".into())
    }

    /// `1$`, if that is what follows.
    fn position(&mut self) -> Result<Option<usize>, String> {
        let start = self.at;
        let mut number = 0usize;
        loop {
            match self.next()? {
                digit @ b'0'..=b'9' => number = (10 * number + usize::from(digit - b'0')).min(1 << 20),
                b'$' if number > 0 => return Ok(Some(number)),
                _ => break,
            }
        }
        self.at = start;
        Ok(None)
    }

    /// The text at an address, of at most so many characters.
    fn text(&mut self, mut at: u64, most: usize, wide: bool) -> Result<Vec<u8>, String> {
        let mut text = Vec::new();
        while text.len() < most {
            let mut unit = 0;
            for i in 0..if wide { 4 } else { 1 } {
                let byte = (self.read)(at.wrapping_add(i));
                let byte =
                    byte.ok_or_else(|| format!("an argument for %s that is not a string in memory ({at:#x})"))?;
                unit |= u32::from(byte) << (8 * i);
            }
            match unit {
                0 => break,
                _ if wide => text.push(narrow(unit)?),
                _ => text.push(unit as u8),
            }
            at = at.wrapping_add(if wide { 4 } else { 1 });
        }
        Ok(text)
    }

    /// A width or precision: digits, or `*` for an argument. `c` is the character at hand, and then the one after.
    fn number(&mut self, c: &mut u8) -> Result<i64, String> {
        let mut value = 0i64;
        if *c == b'*' {
            let number = self.position()?;
            value = self.argument(number)?.0 as i32 as i64;
            *c = self.next()?;
        }
        while c.is_ascii_digit() {
            value = (value * 10 + i64::from(*c - b'0')).min(WIDEST_FIELD + 1);
            *c = self.next()?;
        }
        if value.abs() > WIDEST_FIELD {
            return Err("a field that is too wide".into());
        }
        Ok(value)
    }
}

/// A wide character in the "C" locale.
fn narrow(unit: u32) -> Result<u8, String> {
    u8::try_from(unit).ok().filter(u8::is_ascii).ok_or_else(|| "a wide character that the locale does not have".into())
}

/// Formats the arguments as the string at `format` says; `read` gives bytes of memory.
pub fn format(
    format: u64,
    args: &[(u128, Sort)],
    pointer_bits: u8,
    read: &mut dyn FnMut(u64) -> Option<u8>,
) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let mut source = Source { at: format, read, args, taken: 0 };
    loop {
        match source.next()? {
            0 => return Ok(out),
            b'%' => {}
            byte => {
                out.push(byte);
                continue;
            }
        }
        let mut spec = Spec { bits: 32, ..Spec::default() };
        let number = source.position()?;
        let mut c = source.next()?;
        loop {
            match c {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                b'0' => spec.zero = true,
                b'\'' => {}
                _ => break,
            }
            c = source.next()?;
        }
        let width = source.number(&mut c)?;
        spec.left |= width < 0;
        spec.width = width.unsigned_abs() as usize;
        if c == b'.' {
            c = source.next()?;
            spec.precision = usize::try_from(source.number(&mut c)?).ok();
        }
        spec.wide = matches!(c, b'l' | b'C' | b'S');
        loop {
            spec.bits = match (c, spec.bits) {
                (b'h', 16) => 8,
                (b'h', _) => 16,
                (b'l', 32) if pointer_bits == 32 => 33,
                (b'l', 33) => 64,
                (b'l' | b'j' | b'q' | b'L', _) => 64,
                (b'z' | b't', _) => pointer_bits,
                _ => break,
            };
            c = source.next()?;
        }
        // One `l` with 32-bit longs.
        if spec.bits == 33 {
            spec.bits = 32;
        }
        if c == b'%' {
            out.push(b'%');
            continue;
        }
        // The count is stored by what follows in the Program.
        if c == b'n' {
            source.argument(number)?;
            continue;
        }
        if !b"diouxXcCsSpfFeEgGaA".contains(&c) {
            return Err(format!("the conversion %{}, which is unknown", char::from(c).escape_default()));
        }
        let (bits, sort) = source.argument(number)?;
        let integer = bits & eval::mask(spec.bits);
        match c {
            b'd' | b'i' => {
                let value = eval::to_signed(spec.bits, integer);
                put_integer(&mut out, &spec, "", sign(&spec, value < 0), value.unsigned_abs().to_string());
            }
            b'u' => put_integer(&mut out, &spec, "", "", integer.to_string()),
            b'o' => {
                let mut digits = format!("{integer:o}");
                if spec.alternate && !digits.starts_with('0') && spec.precision.unwrap_or(0) <= digits.len() {
                    digits.insert(0, '0');
                }
                put_integer(&mut out, &spec, "", "", digits);
            }
            b'x' | b'X' => {
                let prefix = if spec.alternate && integer != 0 { "0x" } else { "" };
                let start = out.len();
                put_integer(&mut out, &spec, prefix, "", format!("{integer:x}"));
                if c == b'X' {
                    out[start..].make_ascii_uppercase();
                }
            }
            b'p' => {
                let address = bits & eval::mask(pointer_bits);
                if address == 0 {
                    put(&mut out, &Spec { zero: false, ..spec }, "", b"(nil)", false);
                } else {
                    put_integer(&mut out, &spec, "0x", sign(&spec, false), format!("{address:x}"));
                }
            }
            b'c' | b'C' => {
                let byte = if spec.wide { narrow(bits as u32)? } else { bits as u8 };
                put(&mut out, &spec, "", &[byte], false);
            }
            b's' | b'S' => {
                let text = source.text(bits as u64, spec.precision.unwrap_or(usize::MAX), spec.wide)?;
                put(&mut out, &spec, "", &text, false);
            }
            _ => {
                let Some(value) = decode(bits, sort) else {
                    return Err(format!("an argument for %{} that is not floating-point", char::from(c)));
                };
                let sign = sign(&spec, value.negative);
                let start = out.len();
                match value.kind {
                    Kind::Nan => put(&mut out, &spec, sign, b"nan", false),
                    Kind::Infinite => put(&mut out, &spec, sign, b"inf", false),
                    Kind::Finite { mantissa, exponent } => {
                        let text = match c.to_ascii_lowercase() {
                            b'f' => fixed(&spec, exact(mantissa, exponent), spec.precision.unwrap_or(6)),
                            b'e' => scientific(&spec, exact(mantissa, exponent), spec.precision.unwrap_or(6)),
                            b'g' => general(&spec, exact(mantissa, exponent)),
                            _ => hexadecimal(&spec, mantissa, exponent, sort),
                        };
                        put(&mut out, &spec, sign, text.as_bytes(), true);
                    }
                }
                if c.is_ascii_uppercase() {
                    out[start..].make_ascii_uppercase();
                }
            }
        }
    }
}

fn sign(spec: &Spec, negative: bool) -> &'static str {
    match negative {
        true => "-",
        false if spec.plus => "+",
        false if spec.space => " ",
        false => "",
    }
}

/// Puts a sign or prefix and a text into a field.
fn put(out: &mut Vec<u8>, spec: &Spec, prefix: &str, text: &[u8], may_zero: bool) {
    let pad = spec.width.saturating_sub(prefix.len() + text.len());
    let zeros = may_zero && spec.zero && !spec.left;
    // `0x` of %a goes before the zeros.
    let (hex, text) = match text.strip_prefix(b"0x") {
        Some(rest) if may_zero => (&b"0x"[..], rest),
        _ => (&b""[..], text),
    };
    if !spec.left && !zeros {
        out.resize(out.len() + pad, b' ');
    }
    out.extend_from_slice(prefix.as_bytes());
    out.extend_from_slice(hex);
    if zeros {
        out.resize(out.len() + pad, b'0');
    }
    out.extend_from_slice(text);
    if spec.left {
        out.resize(out.len() + pad, b' ');
    }
}

fn put_integer(out: &mut Vec<u8>, spec: &Spec, prefix: &str, sign: &str, mut digits: String) {
    if let Some(precision) = spec.precision {
        if precision == 0 && digits == "0" && !(spec.alternate && prefix.is_empty()) {
            digits.clear();
        }
        while digits.len() < precision {
            digits.insert(0, '0');
        }
    }
    // A precision switches off the `0` flag of integers.
    put(out, spec, &format!("{sign}{prefix}"), digits.as_bytes(), spec.precision.is_none());
}

fn fixed(spec: &Spec, mut value: Decimal, precision: usize) -> String {
    value.round(precision);
    value.plain(spec.alternate)
}

/// The digits of a value rounded to so many, and the power of ten of the first.
fn significant(value: &Decimal, count: usize) -> (Vec<u8>, i32) {
    if value.digits.is_empty() {
        return (vec![0; count], 0);
    }
    let magnitude = value.magnitude();
    // As a number between 1 and 10.
    let mut shifted = Decimal { digits: value.digits.clone(), scale: value.digits.len() - 1 };
    shifted.round(count - 1);
    if shifted.digits.len() > count {
        shifted.digits.pop();
        return (shifted.digits, magnitude + 1);
    }
    (shifted.digits, magnitude)
}

fn scientific(spec: &Spec, value: Decimal, precision: usize) -> String {
    let (digits, magnitude) = significant(&value, precision + 1);
    let mut text: String = digits.iter().map(|d| char::from(d + b'0')).collect();
    if precision > 0 || spec.alternate {
        text.insert(1, '.');
    }
    let sign = if magnitude < 0 { '-' } else { '+' };
    format!("{text}e{sign}{:02}", magnitude.abs())
}

fn general(spec: &Spec, value: Decimal) -> String {
    let precision = spec.precision.unwrap_or(6).max(1);
    let (_, magnitude) = significant(&value, precision);
    let in_range = (-4..precision as i32).contains(&magnitude);
    let mut text = match in_range {
        true => fixed(spec, value, (precision as i32 - 1 - magnitude) as usize),
        false => scientific(spec, value, precision - 1),
    };
    if !spec.alternate && text.contains('.') {
        let end = text.find('e').unwrap_or(text.len());
        let kept = text[..end].trim_end_matches('0').trim_end_matches('.').len();
        text.replace_range(kept..end, "");
    }
    text
}

fn hexadecimal(spec: &Spec, mantissa: u64, exponent: i32, sort: Sort) -> String {
    // Doubles have one bit before the point, long doubles four.
    let fraction_digits = if sort == Sort::X87 { 15usize } else { 13 };
    let mut power = exponent + 4 * fraction_digits as i32;
    let mut mantissa = u128::from(mantissa);
    if sort == Sort::F32 {
        // Never passed as such; shown as the double it promotes to.
        mantissa <<= 29;
        power -= 29;
    }
    if mantissa == 0 {
        power = 0;
    }
    let mut digits = fraction_digits;
    match spec.precision {
        Some(precision) if precision < digits => {
            let cut = 4 * (digits - precision) as u32;
            let (kept, rest) = (mantissa >> cut, mantissa & ((1 << cut) - 1));
            let half = 1u128 << (cut - 1);
            mantissa = kept + u128::from(rest > half || rest == half && kept % 2 == 1);
            digits = precision;
        }
        Some(_) => {}
        None => {
            while digits > 0 && mantissa % 16 == 0 {
                mantissa /= 16;
                digits -= 1;
            }
        }
    }
    let lead = mantissa >> (4 * digits);
    let mut text = format!("0x{lead:x}");
    let shown = spec.precision.unwrap_or(digits);
    if shown > 0 || spec.alternate {
        text.push('.');
    }
    if digits > 0 {
        let fraction = mantissa & ((1 << (4 * digits)) - 1);
        text.push_str(&format!("{fraction:0digits$x}"));
    }
    text.extend(std::iter::repeat_n('0', shown - digits.min(shown)));
    format!("{text}p{power:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, args: &[(u128, Sort)], expected: &str) {
        let mut memory = text.as_bytes().to_vec();
        memory.push(0);
        // The format is at 0, a string at 1000, a wide one at 2000.
        let mut read = |at: u64| match at {
            2000.. => b"w\0\0\0i\0\0\0\0\0\0\0".get(at as usize - 2000).copied(),
            1000.. => b"hello\0".get(at as usize - 1000).copied(),
            _ => memory.get(at as usize).copied(),
        };
        let out = format(0, args, 64, &mut read).unwrap();
        assert_eq!(String::from_utf8_lossy(&out), expected, "{text}");
    }

    fn int(x: i32) -> (u128, Sort) {
        (x as u32 as u128, Sort::Bits(32))
    }

    fn long(x: i64) -> (u128, Sort) {
        (x as u64 as u128, Sort::Bits(64))
    }

    fn double(x: f64) -> (u128, Sort) {
        (x.to_bits().into(), Sort::F64)
    }

    #[test]
    fn integers() {
        check("%d|%5d|%-5d|%05d|%+d|% d|%.3d", &[-7; 7].map(int), "-7|   -7|-7   |-0007|-7|-7|-007");
        check("%u %x %X %#x %o %#o", &[255; 6].map(int), "255 ff FF 0xff 377 0377");
        check("%ld %lu %llx", &[-1; 3].map(long), "-1 18446744073709551615 ffffffffffffffff");
        check("%hhd %hd %d", &[long(0x1_0001_80ff); 3], "-1 -32513 98559");
        check("%*d|%-*d|%.*d", &[int(4), int(7), int(4), int(7), int(3), int(7)], "   7|7   |007");
        check("%c%c %s %.3s|%7s|%%", &[int(65), int(66), long(1000), long(1000), long(1000)], "AB hello hel|  hello|%");
        check(
            "%p %p %10.4x|%010d|%.0d|",
            &[long(0), long(4096), int(171), int(-5), int(0)],
            "(nil) 0x1000       00ab|-000000005||",
        );
    }

    #[test]
    fn wide_and_numbered_arguments() {
        check("%ls|%.1S|%4ls|%lc%C", &[long(2000), long(2000), long(2000), int(65), int(66)], "wi|w|  wi|AB");
        check("%2$s %1$d %1$03d|%2$*1$s", &[int(7), long(1000)], "hello 7 007|  hello");
    }

    #[test]
    fn doubles() {
        check("%f %.2f %.0f %.0f %.0f", &[3.25, 2.675, 0.5, 1.5, 2.5].map(double), "3.250000 2.67 0 2 2");
        check(
            "%e %.3E %g %g %g",
            &[12345.678, 0.00012, 100000.0, 1e6, 1e-5].map(double),
            "1.234568e+04 1.200E-04 100000 1e+06 1e-05",
        );
        check(
            "%g %g %#g %10.3f|%-10.2f|%+.1f",
            &[0.1, 0.0, 1.0, 9.9996, -1.0, 0.05].map(double),
            "0.1 0 1.00000     10.000|-1.00     |+0.1",
        );
        check("%f %e %F", &[f64::INFINITY, f64::NAN, f64::NEG_INFINITY].map(double), "inf nan -INF");
        check(
            "%a %a %a %.2a %a",
            &[1.0, 0.1, -0.0, 3.7, 5e-324].map(double),
            "0x1p+0 0x1.999999999999ap-4 -0x0p+0 0x1.dap+1 0x0.0000000000001p-1022",
        );
        check("%.20g %.17g", &[0.1, 1e23].map(double), "0.10000000000000000555 9.9999999999999992e+22");
        check("%010.2f|%-10g|", &[-2.5, 9.99999999e9].map(double), "-000002.50|1e+10     |");
    }

    #[test]
    fn long_doubles() {
        // pi as an 80-bit float.
        let pi = (0x4000_c90f_daa2_2168_c235u128, Sort::X87);
        check("%Lf %.19Lg %La", &[pi; 3], "3.141593 3.141592653589793239 0xc.90fdaa22168c235p-2");
    }
}
