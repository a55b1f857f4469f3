//! Where a place of the Program is in the input files as they were given.
//!
//! A [`Span`] is the place that people know: line markers are honoured. Other tools read the input file alone: in a `.i` file they count its own lines, and in a `.c` file
//! that was preprocessed here, columns before macros were expanded. Lines of the latter are known from the markers; a column is known where the text before it
//! is the same in both, up to white space.

use crate::source::{Pos, SourceMap};
use raddle_ir::{LocId, ProcId, Span};
use rustc_hash::FxHashMap;

/// Where the places that a Program mentions are in the texts. Where several are presumed to be the same place, the first.
pub type Positions = FxHashMap<Span, Pos>;

/// The locations where statements begin, and their places.
pub type Statements = FxHashMap<(ProcId, LocId), Span>;

#[derive(Debug)]
pub struct Places {
    pub(crate) statements: Statements,
    pub(crate) sources: SourceMap,
    pub(crate) positions: Positions,
}

/// A place in an input file; lines and columns are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputPlace {
    /// The path that was given.
    pub file: String,
    pub line: u32,
    /// In bytes.
    pub column: Option<u32>,
    /// The same in characters, as witnesses count.
    pub character: Option<u32>,
}

impl Places {
    /// The place in an input file, given what the input files contain. `None`: it is in no input file, but in a header or in the library.
    pub fn in_input<'a>(&self, span: Span, contents: &dyn Fn(&str) -> Option<&'a [u8]>) -> Option<InputPlace> {
        input_place(&self.sources, *self.positions.get(&span).filter(|_| !span.is_none())?, contents)
    }

    /// The place of the statement that begins at a location.
    pub fn statement(&self, proc: ProcId, loc: LocId) -> Option<Span> {
        self.statements.get(&(proc, loc)).copied()
    }

    /// Is an input file also a part of another one, by `#include`? `is_it` says whether a name is that of the file.
    pub fn is_included(&self, file: &str, is_it: &dyn Fn(&str) -> bool) -> bool {
        self.sources.texts.iter().any(|text| text.path != file && self.sources.names_in(text).any(is_it))
    }

    /// The line of the text after preprocessing that a place is in.
    pub fn line(&self, span: Span) -> Option<String> {
        let (line, _) = self.sources.line_bytes(*self.positions.get(&span)?);
        Some(String::from_utf8_lossy(line).into_owned())
    }

    /// The word that begins at a place, after preprocessing: what kind of place it is.
    pub fn word(&self, span: Span) -> &str {
        let Some(pos) = self.positions.get(&span) else { return "" };
        let (line, at) = self.sources.line_bytes(*pos);
        let rest = line.get(at..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        std::str::from_utf8(&rest[..length]).unwrap_or_default()
    }
}

/// The place of a position in an input file.
pub(crate) fn input_place<'a>(
    sources: &SourceMap,
    pos: Pos,
    contents: &dyn Fn(&str) -> Option<&'a [u8]>,
) -> Option<InputPlace> {
    let (text, line, column) = sources.physical(pos)?;
    let original = contents(&text.path)?;
    if original == text.text {
        let (bytes, at) = sources.line_bytes(pos);
        let character = Some(characters(bytes, at));
        return Some(InputPlace { file: text.path.clone(), line, column: Some(column), character });
    }
    let presumed = sources.span(pos);
    if sources.files.get(presumed.file.0 as usize) != Some(&text.path) {
        return None;
    }
    let (bytes, at) = sources.line_bytes(pos);
    let line = original.split(|byte| *byte == b'\n').nth((presumed.line as usize).checked_sub(1)?)?;
    let at = same_column(bytes, at, line);
    let (column, character) = (at.map(|at| at as u32 + 1), at.map(|at| characters(line, at)));
    Some(InputPlace { file: text.path.clone(), line: presumed.line, column, character })
}

/// The column of a byte in characters.
fn characters(line: &[u8], at: usize) -> u32 {
    String::from_utf8_lossy(line.get(..at).unwrap_or(line)).chars().count() as u32 + 1
}

/// Where in another line the byte of a line is, if all before it and itself are the same up to white space.
fn same_column(line: &[u8], at: usize, other: &[u8]) -> Option<usize> {
    let is_ink = |(_, byte): &(usize, &u8)| !byte.is_ascii_whitespace();
    let mut others = other.iter().enumerate().filter(is_ink);
    for (here, byte) in line.iter().enumerate().filter(is_ink).take_while(|(here, _)| *here <= at) {
        let (there, _) = others.next().filter(|(_, other)| *other == byte)?;
        if here == at {
            return Some(there);
        }
    }
    None
}

/// Does a place of an input file lie in parentheses that an earlier line opened? Statements do so only in the arguments of a macro, and preprocessing moves these to the line where the call
/// of the macro begins. Without a column, the line's beginning counts.
pub fn is_in_arguments(text: &[u8], line: u32, column: Option<u32>) -> bool {
    let mut lines = text.split_inclusive(|byte| *byte == b'\n');
    let before: usize = lines.by_ref().take(line.saturating_sub(1) as usize).map(<[u8]>::len).sum();
    let here = String::from_utf8_lossy(lines.next().unwrap_or_default());
    let count = column.map_or(0, |column| column.saturating_sub(1) as usize);
    let at = before + here.chars().take(count).map(char::len_utf8).sum::<usize>();
    open_parentheses(text, at.min(text.len())).into_iter().any(|open| open < before)
}

/// The parentheses that are open at a place, outside of comments, literals and directives.
fn open_parentheses(text: &[u8], end: usize) -> Vec<usize> {
    let (mut open, mut at, mut is_begin) = (Vec::new(), 0, true);
    let find = |from: usize, what: &[u8]| {
        let rest = text.get(from..).unwrap_or_default();
        rest.windows(what.len()).position(|part| part == what).map_or(text.len(), |found| from + found + what.len())
    };
    while at < end {
        let byte = text[at];
        let next = match (byte, text.get(at + 1)) {
            (b'/', Some(b'*')) => find(at + 2, b"*/"),
            (b'/', Some(b'/')) => find(at, b"\n") - 1,
            (b'#', _) if is_begin => end_of_directive(text, at),
            (b'"' | b'\'', _) => end_of_quoted(text, at),
            _ => at + 1,
        };
        match byte {
            b'(' => open.push(at),
            b')' => drop(open.pop()),
            _ => {}
        }
        is_begin = byte == b'\n' || is_begin && (byte.is_ascii_whitespace() || byte == b'/' && next > at + 1);
        at = next.max(at + 1);
    }
    open
}

/// The end of the line, and of those that it is continued on.
fn end_of_directive(text: &[u8], start: usize) -> usize {
    let is_end = |at: &usize| text[*at] == b'\n' && !text[..*at].ends_with(b"\\") && !text[..*at].ends_with(b"\\\r");
    (start..text.len()).find(is_end).unwrap_or(text.len())
}

fn end_of_quoted(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = text.get(at).filter(|byte| **byte != b'\n') {
        if byte == text[start] {
            return at + 1;
        }
        at += if byte == b'\\' { 2 } else { 1 };
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_arguments() {
        let text = b"#define ID(x) x (\n// (\nint f(int x) { /* ( */ char c = '('; for (;;) \";\\\"(\";\nID(\n  x++;) x--;\n}\n";
        let places = [(1, None), (3, Some(20)), (4, None), (5, None), (5, Some(3)), (5, Some(9)), (6, None)];
        let found: Vec<bool> = places.iter().map(|(line, column)| is_in_arguments(text, *line, *column)).collect();
        assert_eq!(found, [false, false, false, true, true, false, false]);
    }

    #[test]
    fn columns_of_expanded_lines() {
        let column = |line: &str, other: &str| same_column(line.as_bytes(), line.find('@').unwrap(), other.as_bytes());
        assert_eq!(column(" int x = f(@", "\tint  x=f( @"), Some(11));
        assert_eq!(column("x = 5 + f(@", "x = FIVE + f(@"), None);
        assert_eq!(column("x = f(@", "x = f("), None);
        assert_eq!(characters("éé x".as_bytes(), 5), 4);
    }
}
