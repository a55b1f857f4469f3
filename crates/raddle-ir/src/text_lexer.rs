//! The tokens of the text form.

use crate::names::{is_word_part, is_word_start};
use std::fmt;

/// What is wrong with a text, and where (both from 1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    pub line: u32,
    pub column: u32,
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// A word, with the id that follows it after an apostrophe.
    Word(String, Option<u32>),
    /// A number as written, with its suffix: `5`, `0x10`, `-1i8`, `1.5f64`.
    Number(String),
    String(Vec<u8>),
    /// An operator or a bracket.
    Symbol(&'static str),
    /// `@` and what follows, up to white space or a comma.
    Span(String),
    Newline,
    End,
}

impl Token {
    pub(crate) fn describe(&self) -> String {
        match self {
            Token::Word(word, None) => format!("`{word}`"),
            Token::Word(word, Some(id)) => format!("`{word}'{id}`"),
            Token::Number(number) => format!("`{number}`"),
            Token::String(_) => "a string".to_string(),
            Token::Symbol(symbol) => format!("`{symbol}`"),
            Token::Span(span) => format!("`@ {span}`"),
            Token::Newline => "the end of the line".to_string(),
            Token::End => "the end of the text".to_string(),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub token: Token,
    pub line: u32,
    pub column: u32,
}

/// Longer ones first. The letters `s` and `u` belong to an operator when no word starts with them.
const SYMBOLS: [&str; 44] = [
    "<=u", "<=s", "<=.", ">>u", ">>s", "==.", "&&", "||", "^^", "==", "!=", "/u", "/s", "%u", "%s", "<<", "<u", "<s",
    "++", "+.", "-.", "*.", "/.", "%.", "<.", "->", ":=", "+", "-", "*", "&", "|", "^", "!", "~", "?", ":", "(", ")",
    "[", "]", ",", ";", "#",
];

/// Cuts a text into tokens; several ends of lines in a row are one. `//` starts a comment.
pub(crate) fn tokens(text: &str) -> Result<Vec<Placed>, ParseError> {
    let mut tokens: Vec<Placed> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line_number = number as u32 + 1;
        let mut rest = line;
        let mut column = 1;
        loop {
            let gap = rest.len() - rest.trim_start().len();
            column += rest[..gap].chars().count() as u32;
            rest = &rest[gap..];
            if rest.is_empty() || rest.starts_with("//") {
                break;
            }
            let (token, length) = token(rest).map_err(|message| ParseError { line: line_number, column, message })?;
            tokens.push(Placed { token, line: line_number, column });
            column += rest[..length].chars().count() as u32;
            rest = &rest[length..];
        }
        if tokens.last().is_some_and(|last| last.token != Token::Newline) {
            tokens.push(Placed { token: Token::Newline, line: line_number, column });
        }
    }
    let line = tokens.last().map_or(1, |last| last.line + 1);
    tokens.push(Placed { token: Token::End, line, column: 1 });
    Ok(tokens)
}

/// The first token of a text that starts with one, and its length in bytes.
fn token(text: &str) -> Result<(Token, usize), String> {
    let first = text.chars().next().unwrap_or(' ');
    let after_first = text[first.len_utf8()..].chars().next().unwrap_or(' ');
    if is_word_start(first) {
        let length = text.find(|c| !is_word_part(c)).unwrap_or(text.len());
        let word = text[..length].to_string();
        if let Some(rest) = text[length..].strip_prefix('\'') {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let id = rest[..digits].parse().map_err(|_| "an id is expected after `'`".to_string())?;
            return Ok((Token::Word(word, Some(id)), length + 1 + digits));
        }
        return Ok((Token::Word(word, None), length));
    }
    if first.is_ascii_digit() || (first == '-' && after_first.is_ascii_digit()) {
        let length = number_length(text);
        return Ok((Token::Number(text[..length].to_string()), length));
    }
    match first {
        '"' => string(text),
        '@' => {
            let gap = text[1..].len() - text[1..].trim_start().len();
            let start = 1 + gap;
            let length = text[start..].find(|c: char| c.is_whitespace() || c == ',').unwrap_or(text.len() - start);
            Ok((Token::Span(text[start..start + length].to_string()), start + length))
        }
        '=' if after_first != '=' => Ok((Token::Symbol("="), 1)),
        _ => {
            let symbol = SYMBOLS.iter().find(|symbol| {
                text.strip_prefix(**symbol).is_some_and(|rest| {
                    !symbol.ends_with(['s', 'u']) || !rest.starts_with(|c| is_word_part(c) || c == '\'')
                })
            });
            match symbol {
                Some(symbol) => Ok((Token::Symbol(symbol), symbol.len())),
                None => Err(format!("unexpected character `{}`", first.escape_debug())),
            }
        }
    }
}

/// Digits, letters and points, and a sign after the `e` of an exponent.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let hexadecimal = text.trim_start_matches('-').starts_with("0x");
    let mut end = 1;
    while end < bytes.len() {
        let in_exponent = matches!(bytes[end], b'-' | b'+') && bytes[end - 1] == b'e' && !hexadecimal;
        if !bytes[end].is_ascii_alphanumeric() && bytes[end] != b'.' && !in_exponent {
            break;
        }
        end += 1;
    }
    end
}

fn string(text: &str) -> Result<(Token, usize), String> {
    let bytes = text.as_bytes();
    let mut value = Vec::new();
    let mut at = 1;
    loop {
        match bytes.get(at) {
            None => return Err("a string does not end on its line".to_string()),
            Some(b'"') => return Ok((Token::String(value), at + 1)),
            Some(b'\\') => match bytes.get(at + 1) {
                Some(&c @ (b'"' | b'\\')) => {
                    value.push(c);
                    at += 2;
                }
                Some(b'x') => {
                    let digits = bytes.get(at + 2..at + 4).and_then(|digits| std::str::from_utf8(digits).ok());
                    let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                    value.push(byte.ok_or("`\\x` takes two hexadecimal digits")?);
                    at += 4;
                }
                _ => return Err("unknown escape in a string".to_string()),
            },
            Some(&c) => {
                value.push(c);
                at += 1;
            }
        }
    }
}
