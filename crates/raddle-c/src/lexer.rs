//! The lexer: bytes to tokens, in one pass over the whole text, driven by a table of character classes.
//!
//! Literals are only delimited here; `literal.rs` works out their values when the parser asks. A text that contains line
//! splices (backslash, newline) is copied without them first, and positions are mapped back through the list of splices.
//! Preprocessing is not done: line markers and pragmas are skipped, any other directive is an error.

use std::borrow::Cow;

use crate::ast::{Pragma, Symbol};
use crate::error::Error;
use crate::interner::Interner;
use crate::source::{Pos, SourceMap};
use crate::token::{KEYWORDS, Tok, Token};

/// A lexed text.
pub struct Tokens<'a> {
    /// What offsets of tokens refer to: the source text without line splices.
    pub text: Cow<'a, [u8]>,
    /// Ends with `Tok::Eof`.
    pub list: Vec<Token>,
    /// Why there is a `Tok::Error`.
    pub error: Option<Error>,
    /// `#pragma pack(n)`: from this offset on, members are aligned to at most n bytes (0: no limit).
    pub packs: Vec<(u32, u32)>,
    pub pragmas: Vec<Pragma>,
    base: u32,
    splices: Splices,
}

/// From this offset in the text without splices on, so many bytes were taken out before it.
type Splices = Vec<(u32, u32)>;

impl Tokens<'_> {
    pub fn pos(&self, offset: u32) -> Pos {
        let removed = match self.splices.partition_point(|s| s.0 <= offset) {
            0 => 0,
            n => self.splices[n - 1].1,
        };
        Pos(self.base + offset + removed)
    }
}

/// Lexes one text of the map.
pub fn lex<'a>(source: &'a SourceMap, text: usize, interner: &mut Interner) -> Tokens<'a> {
    let base = source.base(text).0;
    let (text, splices) = remove_splices(&source.texts[text].text);
    // Preprocessed C has about one token in four to five bytes.
    let list = Vec::with_capacity(text.len() / 5 + 16);
    let mut lexer = Lexer {
        text: &text,
        at: 0,
        list,
        interner,
        packs: Vec::new(),
        pragmas: Vec::new(),
        pack_stack: Vec::new(),
        line_start: true,
        open: Vec::new(),
    };
    let failure = lexer.run().err();
    let end = lexer.text.len() as u32;
    let (mut list, packs, pragmas) = (lexer.list, lexer.packs, lexer.pragmas);
    if let Some((offset, _)) = &failure {
        list.push(Token { kind: Tok::Error, start: *offset, data: 1 });
    }
    list.push(Token { kind: Tok::Eof, start: end, data: 0 });
    let mut tokens = Tokens { text, list, error: None, packs, pragmas, base, splices };
    tokens.error = failure.map(|(offset, message)| Error::invalid(tokens.pos(offset), message));
    tokens
}

fn remove_splices(text: &[u8]) -> (Cow<'_, [u8]>, Splices) {
    let mut kept: Vec<u8> = Vec::new();
    let mut splices = Splices::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = text[at..].iter().position(|b| *b == b'\\') {
        let backslash = at + found;
        let length = match &text[backslash + 1..] {
            [b'\n', ..] => 2,
            [b'\r', b'\n', ..] => 3,
            _ => 0,
        };
        at = backslash + length.max(1);
        if length > 0 {
            kept.extend_from_slice(&text[copied..backslash]);
            copied = at;
            splices.push((kept.len() as u32, (copied - kept.len()) as u32));
        }
    }
    if splices.is_empty() {
        return (Cow::Borrowed(text), splices);
    }
    kept.extend_from_slice(&text[copied..]);
    (Cow::Owned(kept), splices)
}

/// What a byte can begin.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    Stray,
    Space,
    Newline,
    Letter,
    Digit,
    /// First byte of a character beyond ASCII.
    High,
    Quote,
    Punctuator,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Stray; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => Class::Space,
            b'\n' => Class::Newline,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            0x80..=0xff => Class::High,
            b'"' | b'\'' => Class::Quote,
            b'!' | b'#' | b'%' | b'&' | b'(' | b')' | b'*' | b'+' | b',' | b'-' | b'.' | b'/' | b':' | b';' | b'<'
            | b'=' | b'>' | b'?' | b'[' | b']' | b'^' | b'{' | b'|' | b'}' | b'~' => Class::Punctuator,
            _ => Class::Stray,
        };
        byte += 1;
    }
    classes
};

/// Bytes that go on an identifier without further checks.
const IN_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(CLASSES[byte], Class::Letter | Class::Digit);
        byte += 1;
    }
    table
};

struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    list: Vec<Token>,
    interner: &'a mut Interner,
    packs: Vec<(u32, u32)>,
    pragmas: Vec<Pragma>,
    pack_stack: Vec<u32>,
    /// Only white space stands before `at` on its line.
    line_start: bool,
    /// Parentheses, brackets and braces that are open, by index in `list`.
    open: Vec<u32>,
}

/// Offset and message.
type Failure = (u32, String);

impl Lexer<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        if self.text.starts_with(b"\xEF\xBB\xBF") {
            self.at = 3;
        }
        while let Some(&byte) = self.text.get(self.at) {
            match CLASSES[byte as usize] {
                Class::Space => self.at += 1,
                Class::Newline => {
                    self.at += 1;
                    self.line_start = true;
                }
                Class::Letter => self.word(byte)?,
                Class::Digit => self.number(),
                Class::Punctuator => self.punctuator(byte)?,
                Class::Quote => self.quoted(self.at)?,
                Class::High => self.unusual_word(self.at)?,
                Class::Stray if byte == b'\\' && matches!(self.byte(1), b'u' | b'U') => self.unusual_word(self.at)?,
                Class::Stray => return Err(self.stray(self.at)),
            }
        }
        Ok(())
    }

    /// The byte so many behind the current one; 0 beyond the end.
    fn byte(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: Tok, start: usize, data: u32) {
        self.line_start = false;
        self.list.push(Token { kind, start: start as u32, data });
    }

    fn stray(&self, at: usize) -> Failure {
        let rest = &self.text[at..self.text.len().min(at + 4)];
        let shown = match std::str::from_utf8(rest).ok().or_else(|| valid_prefix(rest)).and_then(|s| s.chars().next()) {
            Some(c) if !c.is_control() => format!("`{c}`"),
            Some(c) => format!("(character {})", c as u32),
            None => format!("(byte 0x{:02x}, which is not UTF-8)", rest.first().copied().unwrap_or(0)),
        };
        (at as u32, format!("stray {shown} in the program"))
    }

    fn word(&mut self, first: u8) -> Result<(), Failure> {
        let start = self.at;
        let length = self.text[start..].iter().position(|b| !IN_WORD[*b as usize]).unwrap_or(self.text.len() - start);
        let next = self.text.get(start + length).copied().unwrap_or(b' ');
        match next {
            0x80.. | b'\\' => return self.unusual_word(start),
            b'"' | b'\'' if matches!(first, b'L' | b'u' | b'U') => {
                let prefix = &self.text[start..start + length];
                if matches!(prefix, b"L" | b"u" | b"U") || prefix == b"u8" {
                    self.at += length;
                    return self.quoted(start);
                }
            }
            _ => {}
        }
        self.at = start + length;
        let symbol = self.interner.intern(&self.text[start..start + length]);
        self.push_word(start, symbol);
        Ok(())
    }

    fn push_word(&mut self, start: usize, symbol: Symbol) {
        let kind = KEYWORDS.get(symbol.0 as usize).map_or(Tok::Ident, |k| k.1);
        self.push(kind, start, symbol.0);
    }

    /// An identifier with characters beyond ASCII or universal character names (`\u00e9`).
    fn unusual_word(&mut self, start: usize) -> Result<(), Failure> {
        let mut name = String::new();
        self.at = start;
        while let Some(&byte) = self.text.get(self.at) {
            let (c, length) = if IN_WORD[byte as usize] {
                (char::from(byte), 1)
            } else if byte == b'\\' && matches!(self.byte(1), b'u' | b'U') {
                let digits = if self.byte(1) == b'u' { 4 } else { 8 };
                let hex =
                    self.text.get(self.at + 2..self.at + 2 + digits).filter(|h| h.iter().all(u8::is_ascii_hexdigit));
                let value = hex.and_then(|h| std::str::from_utf8(h).ok()).and_then(|h| u32::from_str_radix(h, 16).ok());
                match value.and_then(char::from_u32).filter(|c| is_word_char(*c)) {
                    Some(c) => (c, 2 + digits),
                    None => return Err((self.at as u32, "this universal character name is not valid here".into())),
                }
            } else if byte >= 0x80 {
                let rest = &self.text[self.at..self.text.len().min(self.at + 4)];
                match valid_prefix(rest).and_then(|s| s.chars().next()).filter(|c| is_word_char(*c)) {
                    Some(c) => (c, c.len_utf8()),
                    None => return Err(self.stray(self.at)),
                }
            } else {
                break;
            };
            name.push(c);
            self.at += length;
        }
        let symbol = self.interner.intern(&name);
        self.push_word(start, symbol);
        Ok(())
    }

    /// A preprocessing number: more than what is a valid constant, but all of one token.
    fn number(&mut self) {
        let start = self.at;
        self.at += 1;
        while let Some(&byte) = self.text.get(self.at) {
            let sign_follows = matches!(byte, b'e' | b'E' | b'p' | b'P') && matches!(self.byte(1), b'+' | b'-');
            if sign_follows {
                self.at += 2;
            } else if IN_WORD[byte as usize] || byte == b'.' {
                self.at += 1;
            } else {
                break;
            }
        }
        self.push(Tok::Number, start, (self.at - start) as u32);
    }

    /// A string or character constant; `start` is where its prefix begins, `at` where its quote is.
    fn quoted(&mut self, start: usize) -> Result<(), Failure> {
        let quote = self.byte(0);
        let mut end = self.at + 1;
        loop {
            match self.text.get(end) {
                Some(b'\\') => end += 2,
                Some(b) if *b == quote => break,
                Some(b'\n') | None => {
                    return Err((self.at as u32, format!("missing terminating {} character", char::from(quote))));
                }
                Some(_) => end += 1,
            }
        }
        self.at = end + 1;
        self.push(if quote == b'"' { Tok::Str } else { Tok::Char }, start, (self.at - start) as u32);
        Ok(())
    }

    fn punctuator(&mut self, byte: u8) -> Result<(), Failure> {
        let next = self.byte(1);
        let (kind, length) = match byte {
            b'(' => return self.opening(Tok::LParen, 1),
            b')' => return self.closing(Tok::RParen, 1),
            b'[' => return self.opening(Tok::LBracket, 1),
            b']' => return self.closing(Tok::RBracket, 1),
            b'{' => return self.opening(Tok::LBrace, 1),
            b'}' => return self.closing(Tok::RBrace, 1),
            b';' => (Tok::Semi, 1),
            b',' => (Tok::Comma, 1),
            b'~' => (Tok::Tilde, 1),
            b'?' => (Tok::Question, 1),
            b'.' if next.is_ascii_digit() => {
                self.number();
                return Ok(());
            }
            b'.' if next == b'.' && self.byte(2) == b'.' => (Tok::Ellipsis, 3),
            b'.' => (Tok::Dot, 1),
            b':' if next == b'>' => return self.closing(Tok::RBracket, 2),
            b':' => (Tok::Colon, 1),
            b'=' if next == b'=' => (Tok::EqEq, 2),
            b'=' => (Tok::Assign, 1),
            b'+' => match next {
                b'+' => (Tok::PlusPlus, 2),
                b'=' => (Tok::PlusAssign, 2),
                _ => (Tok::Plus, 1),
            },
            b'-' => match next {
                b'-' => (Tok::MinusMinus, 2),
                b'=' => (Tok::MinusAssign, 2),
                b'>' => (Tok::Arrow, 2),
                _ => (Tok::Minus, 1),
            },
            b'*' if next == b'=' => (Tok::StarAssign, 2),
            b'*' => (Tok::Star, 1),
            b'/' => match next {
                b'/' => {
                    let rest = &self.text[self.at..];
                    self.at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
                    return Ok(());
                }
                b'*' => return self.comment(),
                b'=' => (Tok::SlashAssign, 2),
                _ => (Tok::Slash, 1),
            },
            b'%' => match next {
                b'=' => (Tok::PercentAssign, 2),
                b'>' => return self.closing(Tok::RBrace, 2),
                b':' if self.line_start => return self.directive(2),
                _ => (Tok::Percent, 1),
            },
            b'<' => match (next, self.byte(2)) {
                (b'<', b'=') => (Tok::ShlAssign, 3),
                (b'<', _) => (Tok::Shl, 2),
                (b'=', _) => (Tok::Le, 2),
                (b':', _) => return self.opening(Tok::LBracket, 2),
                (b'%', _) => return self.opening(Tok::LBrace, 2),
                _ => (Tok::Lt, 1),
            },
            b'>' => match (next, self.byte(2)) {
                (b'>', b'=') => (Tok::ShrAssign, 3),
                (b'>', _) => (Tok::Shr, 2),
                (b'=', _) => (Tok::Ge, 2),
                _ => (Tok::Gt, 1),
            },
            b'&' => match next {
                b'&' => (Tok::AmpAmp, 2),
                b'=' => (Tok::AmpAssign, 2),
                _ => (Tok::Amp, 1),
            },
            b'|' => match next {
                b'|' => (Tok::PipePipe, 2),
                b'=' => (Tok::PipeAssign, 2),
                _ => (Tok::Pipe, 1),
            },
            b'^' if next == b'=' => (Tok::CaretAssign, 2),
            b'^' => (Tok::Caret, 1),
            b'!' if next == b'=' => (Tok::Ne, 2),
            b'!' => (Tok::Bang, 1),
            b'#' if self.line_start => return self.directive(1),
            _ => return Err(self.stray(self.at)),
        };
        self.push(kind, self.at, 0);
        self.at += length;
        Ok(())
    }

    fn opening(&mut self, kind: Tok, length: usize) -> Result<(), Failure> {
        self.open.push(self.list.len() as u32);
        self.push(kind, self.at, u32::MAX);
        self.at += length;
        Ok(())
    }

    fn closing(&mut self, kind: Tok, length: usize) -> Result<(), Failure> {
        if let Some(open) = self.open.pop() {
            self.list[open as usize].data = self.list.len() as u32;
        }
        self.push(kind, self.at, 0);
        self.at += length;
        if kind == Tok::RParen {
            self.drop_pragma_operator();
        }
        Ok(())
    }

    fn comment(&mut self) -> Result<(), Failure> {
        let mut at = self.at + 2;
        loop {
            let rest = self.text.get(at..).unwrap_or(&[]);
            let Some(star) = rest.iter().position(|b| *b == b'*') else {
                return Err((self.at as u32, "unterminated comment".into()));
            };
            at += star + 1;
            if self.text.get(at) == Some(&b'/') {
                self.at = at + 1;
                return Ok(());
            }
        }
    }

    /// `_Pragma("...")` stands for a pragma line and is dropped likewise.
    fn drop_pragma_operator(&mut self) {
        let Some(from) = self.list.len().checked_sub(4) else { return };
        let kinds = [Tok::Pragma, Tok::LParen, Tok::Str, Tok::RParen];
        if self.list[from].kind == Tok::Pragma && self.list[from..].iter().map(|t| t.kind).eq(kinds) {
            self.list.truncate(from);
        }
    }

    /// A line that begins with `#` (or the digraph for it).
    fn directive(&mut self, hash: usize) -> Result<(), Failure> {
        let start = self.at;
        let rest = &self.text[start..];
        let end = start + rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        let line = self.text[start + hash..end].trim_ascii();
        self.at = end;
        let word_length = line.iter().position(|b| !IN_WORD[*b as usize]).unwrap_or(line.len());
        let (word, rest) = line.split_at(word_length);
        match word {
            b"pragma" => self.pragma(start, rest.trim_ascii()),
            b"" if line.is_empty() => {}
            b"line" | b"ident" | b"sccs" => {}
            _ if word.iter().all(u8::is_ascii_digit) && !word.is_empty() => {}
            _ => {
                let shown: String = String::from_utf8_lossy(word).chars().take(40).collect();
                let message = format!("preprocessor directive `#{shown}` in preprocessed text");
                return Err((start as u32, message));
            }
        }
        Ok(())
    }

    /// Of all pragmas only `pack` and those about symbols change what a program means.
    fn pragma(&mut self, start: usize, rest: &[u8]) {
        let text = String::from_utf8_lossy(rest);
        let spaced = text.replace('=', " = ");
        match *spaced.split_whitespace().collect::<Vec<_>>() {
            ["weak", name] => {
                let name = self.interner.intern(name);
                self.pragmas.push(Pragma::Weak(name, None));
            }
            ["weak", name, "=", target] => {
                let (name, target) = (self.interner.intern(name), self.interner.intern(target));
                self.pragmas.push(Pragma::Weak(name, Some(target)));
            }
            ["redefine_extname", name, symbol] => {
                let (name, symbol) = (self.interner.intern(name), self.interner.intern(symbol));
                self.pragmas.push(Pragma::Symbol(name, symbol));
            }
            _ => {}
        }
        let Some(args) = rest.strip_prefix(b"pack") else { return };
        let args = String::from_utf8_lossy(args);
        let Some(args) = args.trim().strip_prefix('(').and_then(|a| a.split(')').next()) else { return };
        let mut pack = self.packs.last().map_or(0, |p| p.1);
        if args.trim().is_empty() {
            pack = 0;
        }
        for arg in args.split(',').map(str::trim) {
            match arg {
                "push" => self.pack_stack.push(pack),
                "pop" => pack = self.pack_stack.pop().unwrap_or(0),
                _ => pack = arg.parse().unwrap_or(pack),
            }
        }
        self.packs.push((start as u32, pack));
    }
}

fn is_word_char(c: char) -> bool {
    // Letters and digits of all scripts, combining marks and symbols that compilers let pass; no spaces, no punctuation.
    c.is_alphanumeric() || matches!(c as u32, 0x300..=0x36f | 0x200c | 0x200d | 0x203f | 0x2040 | 0x1_0000..)
}

/// The longest prefix that is UTF-8, if it is not empty.
fn valid_prefix(bytes: &[u8]) -> Option<&str> {
    let valid = match std::str::from_utf8(bytes) {
        Ok(all) => return Some(all),
        Err(error) => error.valid_up_to(),
    };
    std::str::from_utf8(&bytes[..valid]).ok().filter(|s| !s.is_empty())
}
