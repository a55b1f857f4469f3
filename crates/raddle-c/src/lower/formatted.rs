//! Formatted text whose format is a literal: a call of the prelude for each conversion (`prelude/conversions.c`), so that no engine follows the format. Other formats,
//! and arguments that do not fit theirs, are left to `__raddle_formatted`, which walks along it.

use super::builder::Builder;
use super::call::SLOT;
use super::defined;
use crate::error::Result;
use crate::hir::{Expr, FnId};
use raddle_ir::{BinOp, ExprId, GapKind, Sort, Storage};

const LEFT: u32 = 1;
const UPPER: u32 = 32;
/// Longer pieces of text are printed by a loop.
const FEW_BYTES: usize = 16;

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Piece {
    Text(Vec<u8>),
    Conversion(Conversion),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Conversion {
    pub letter: u8,
    /// As the prelude has them.
    flags: u32,
    width: u32,
    pub precision: Precision,
    /// 0, or the letter that the prelude has for a length.
    length: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Precision {
    None,
    Number(u32),
    Argument,
}

/// What is to be printed, and where.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    pub to: ExprId,
    pub room: ExprId,
    pub format: ExprId,
    pub literal: Option<&'a str>,
    pub args: &'a [ExprId],
    /// The sizes of the arguments.
    pub sizes: &'a [u64],
}

impl<'a> Builder<'_, 'a> {
    /// `sprintf`, `snprintf` and `asprintf` of the prelude. `None`: another function.
    pub fn formatted_call(&mut self, name: &str, args: &'a [Expr]) -> Result<Option<ExprId>> {
        let at = match name {
            "sprintf" | "asprintf" => 1,
            "snprintf" => 2,
            _ => return Ok(None),
        };
        if args.len() <= at || args[at..].iter().any(|arg| self.cx.is_record(arg.ty)) {
            return Ok(None);
        }
        let literal = self.literal(&args[at]);
        let mut values = vec![];
        let mut sizes = vec![];
        for arg in args {
            values.push(self.value(arg)?);
            sizes.push(self.cx.size(arg.ty, arg.pos)?);
        }
        let pointer = self.cx.pointer_sort();
        let zero = self.cx.address(0);
        let to = self.fit(values[0], pointer);
        let room = match name {
            "snprintf" => self.fit(values[1], pointer),
            "sprintf" => self.cx.pool.bits(self.cx.pointer_bits, u128::from(u64::MAX)),
            _ => zero,
        };
        let format = self.fit(values[at], pointer);
        let (args, sizes) = (&values[at + 1..], &sizes[at + 1..]);
        let text = Text { to, room, format, literal: literal.as_deref(), args, sizes };
        if name != "asprintf" {
            return self.formatted(text);
        }
        if self.hir().functions.iter().any(|function| function.name == "__raddle_own_malloc") {
            self.gap(GapKind::Unmodelled, "a call of the program's own `malloc` by the library");
        }
        let Some(length) = self.formatted(Text { to: zero, ..text })? else { return Ok(None) };
        let long = self.cx.pool.sign_ext(self.cx.pointer_bits, length);
        let one = self.cx.address(1);
        let room = self.cx.pool.binary(BinOp::BvAdd, long, one);
        let made = self.allocate(room, Storage::Heap, false);
        self.store_memory(to, made);
        self.formatted(Text { to: made, room, ..text })
    }

    /// Prints, and returns the length. `None`: the program has no part of the prelude that prints.
    pub fn formatted(&mut self, text: Text) -> Result<Option<ExprId>> {
        let Some(end) = self.printer("__raddle_put_end") else { return Ok(None) };
        let pieces = text.literal.and_then(|format| pieces(format.as_bytes()));
        if let Some(conversions) = pieces.as_deref().and_then(|pieces| self.prepared(pieces, text.args)) {
            let mut at = self.cx.address(0);
            for prepared in conversions {
                at = self.put(text, at, prepared)?;
            }
            return self.prelude_call(end, vec![text.to, text.room, at]);
        }
        let Some(walk) = self.printer("__raddle_formatted") else { return Ok(None) };
        let list = self.list_of(text.args, text.sizes);
        self.prelude_call(walk, vec![text.to, text.room, text.format, list])
    }

    /// A function of the prelude, if that was asked for.
    pub fn printer(&self, name: &str) -> Option<FnId> {
        defined(self.hir(), name)
    }

    /// Variable arguments that have been evaluated.
    fn list_of(&mut self, args: &[ExprId], sizes: &[u64]) -> ExprId {
        let total = sizes.iter().map(|size| size.next_multiple_of(SLOT)).sum();
        let area = self.scratch("variable arguments", total);
        let mut offset = 0;
        for (value, size) in args.iter().zip(sizes) {
            let at = self.offset(area, offset);
            self.store_memory(at, *value);
            offset += size.next_multiple_of(SLOT);
        }
        area
    }

    /// The pieces with their arguments, or `None` if one of them is not what the conversion takes.
    fn prepared<'p>(&mut self, pieces: &'p [Piece], args: &[ExprId]) -> Option<Vec<Prepared<'p>>> {
        let mut args = args.iter().copied();
        let mut all = vec![];
        for piece in pieces {
            all.push(match piece {
                Piece::Text(text) => Prepared::Text(text),
                Piece::Conversion(conversion) => {
                    let precision = match conversion.precision {
                        Precision::None => self.cx.pool.bits(32, u128::from(u32::MAX)),
                        Precision::Number(number) => self.cx.pool.bits(32, number.into()),
                        Precision::Argument => {
                            args.next().filter(|value| self.cx.pool.sort(*value) == Sort::Bits(32))?
                        }
                    };
                    let value = self.argument_of(conversion, args.next()?)?;
                    Prepared::Conversion { conversion, precision, value }
                }
            });
        }
        Some(all)
    }

    /// An argument as the prelude takes it.
    fn argument_of(&mut self, conversion: &Conversion, value: ExprId) -> Option<ExprId> {
        let sort = self.cx.pool.sort(value);
        let pointer = self.cx.pointer_bits;
        let bits = match conversion.length {
            b'H' => 8,
            b'h' => 16,
            b'l' | b'z' => pointer,
            b'L' => 64,
            _ => 32,
        };
        match conversion.letter {
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => {
                let Sort::Bits(given) = sort else { return None };
                if given < bits.max(32) {
                    return None;
                }
                let value = self.fit(value, Sort::Bits(bits));
                Some(match conversion.letter {
                    b'd' | b'i' => self.cx.pool.sign_ext(64, value),
                    _ => self.cx.pool.zero_ext(64, value),
                })
            }
            b'c' => (sort == Sort::Bits(32)).then_some(value),
            b's' | b'p' | b'n' => (sort == Sort::Bits(pointer)).then_some(value),
            _ => {
                let wanted = self.printer(printer_of(conversion))?;
                let function = self.cx.hir_function(wanted);
                let param = function.locals[function.params.get(3)?.index()].ty;
                (self.hir().types.scalar_sort(param) == Some(sort)).then_some(value)
            }
        }
    }

    /// Prints one piece and returns the new length.
    fn put(&mut self, text: Text, at: ExprId, prepared: Prepared) -> Result<ExprId> {
        let Text { to, room, .. } = text;
        let number = |this: &mut Self, n: u32| this.cx.pool.bits(32, n.into());
        let (name, args) = match prepared {
            Prepared::Text(bytes) => return self.put_bytes(text, at, bytes),
            Prepared::Conversion { conversion, precision, value } => {
                let Conversion { letter, flags, width, length, .. } = *conversion;
                let flags = if letter == b'X' { flags | UPPER } else { flags };
                let (flags, width) = (number(self, flags), number(self, width));
                let args = match letter {
                    b'd' | b'i' | b's' | b'p' => vec![to, room, at, value, flags, width, precision],
                    b'c' => vec![to, room, at, value, flags, width],
                    b'n' => vec![value, number(self, length.into()), at],
                    b'u' | b'o' | b'x' | b'X' => {
                        let base = number(
                            self,
                            if letter == b'u' {
                                10
                            } else if letter == b'o' {
                                8
                            } else {
                                16
                            },
                        );
                        vec![to, room, at, value, base, flags, width, precision]
                    }
                    _ => vec![to, room, at, value, number(self, letter.into()), flags, width, precision],
                };
                (printer_of(conversion), args)
            }
        };
        match self.printer(name) {
            Some(id) => Ok(self.prelude_call(id, args)?.unwrap_or(at)),
            None => Ok(at),
        }
    }

    fn put_bytes(&mut self, text: Text, mut at: ExprId, bytes: &[u8]) -> Result<ExprId> {
        let Text { to, room, .. } = text;
        if self.cx.pool.as_const(room).is_some_and(|room| room.bits == 0) {
            let length = self.cx.address(bytes.len() as u64);
            return Ok(self.cx.pool.binary(BinOp::BvAdd, at, length));
        }
        if bytes.len() > FEW_BYTES
            && let Some(id) = self.printer("__raddle_put_string")
        {
            let literal = self.cx.text_literal(&[bytes, b"\0"].concat())?;
            let (zero, none) = (self.cx.pool.bits(32, 0), self.cx.pool.bits(32, u128::from(u32::MAX)));
            return Ok(self.prelude_call(id, vec![to, room, at, literal, zero, zero, none])?.unwrap_or(at));
        }
        let Some(id) = self.printer("__raddle_put") else { return Ok(at) };
        for byte in bytes {
            let byte = self.cx.pool.bits(32, u128::from(*byte));
            at = self.prelude_call(id, vec![to, room, at, byte])?.unwrap_or(at);
        }
        Ok(at)
    }
}

enum Prepared<'p> {
    Text(&'p [u8]),
    Conversion { conversion: &'p Conversion, precision: ExprId, value: ExprId },
}

fn printer_of(conversion: &Conversion) -> &'static str {
    match conversion.letter {
        b'd' | b'i' => "__raddle_put_signed",
        b'u' | b'o' | b'x' | b'X' => "__raddle_put_unsigned",
        b'c' => "__raddle_put_character",
        b's' => "__raddle_put_string",
        b'p' => "__raddle_put_pointer",
        b'n' => "__raddle_store_count",
        _ if conversion.length == b'L' => "__raddle_put_long_double",
        _ => "__raddle_put_double",
    }
}

/// Takes a format apart. `None`: it has something that is left to the prelude.
pub(super) fn pieces(format: &[u8]) -> Option<Vec<Piece>> {
    let mut pieces = vec![];
    let mut rest = format;
    let mut text = vec![];
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            text.push(*first);
            continue;
        }
        let (conversion, after) = conversion(rest)?;
        rest = after;
        if conversion.letter == b'%' {
            text.push(b'%');
            continue;
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
        }
        pieces.push(Piece::Conversion(conversion));
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Some(pieces)
}

fn conversion(mut rest: &[u8]) -> Option<(Conversion, &[u8])> {
    let mut flags = 0;
    while let Some(flag) = rest.first().and_then(|c| b"-+ #0".iter().position(|flag| flag == c)) {
        flags |= LEFT << flag;
        rest = &rest[1..];
    }
    let width = number(&mut rest)?;
    let precision = match rest {
        [b'.', b'*', after @ ..] => {
            rest = after;
            Precision::Argument
        }
        [b'.', after @ ..] => {
            rest = after;
            Precision::Number(number(&mut rest)?)
        }
        _ => Precision::None,
    };
    let (length, after) = match rest {
        [b'h', b'h', after @ ..] => (b'H', after),
        [b'h', after @ ..] => (b'h', after),
        [b'l', b'l', after @ ..] | [b'j' | b'q' | b'L', after @ ..] => (b'L', after),
        [b'l', after @ ..] => (b'l', after),
        [b'z' | b't', after @ ..] => (b'z', after),
        _ => (0, rest),
    };
    let (letter, after) = after.split_first()?;
    let is_plain = match letter {
        b'%' => true,
        b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'n' => true,
        b's' | b'p' | b'c' => length == 0,
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => matches!(length, 0 | b'l' | b'L'),
        _ => false,
    };
    is_plain.then_some((Conversion { letter: *letter, flags, width, precision, length }, after))
}

/// A width or precision in digits, if it is not too large.
fn number(rest: &mut &[u8]) -> Option<u32> {
    let digits = rest.iter().take_while(|c| c.is_ascii_digit()).count();
    let (number, after) = rest.split_at(digits);
    *rest = after;
    match digits {
        0 => Some(0),
        1..=6 => std::str::from_utf8(number).ok()?.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_taken_apart() {
        let Some(found) = pieces(b"a%%b%-08.3lld%s") else { panic!("an ordinary format") };
        let [Piece::Text(text), Piece::Conversion(number), Piece::Conversion(string)] = &found[..] else {
            panic!("{found:?}")
        };
        assert_eq!(text, b"a%b");
        assert_eq!((number.letter, number.flags, number.width), (b'd', 17, 8));
        assert_eq!((number.precision, number.length), (Precision::Number(3), b'L'));
        assert_eq!((string.letter, string.precision), (b's', Precision::None));
        for odd in ["%1$d", "%", "%y", "%ls", "%9999999d", "%*d", "%m"] {
            assert_eq!(pieces(odd.as_bytes()), None, "{odd}");
        }
    }
}
