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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_expanded_lines() {
        let column = |line: &str, other: &str| same_column(line.as_bytes(), line.find('@').unwrap(), other.as_bytes());
        assert_eq!(column(" int x = f(@", "\tint  x=f( @"), Some(11));
        assert_eq!(column("x = 5 + f(@", "x = FIVE + f(@"), None);
        assert_eq!(column("x = f(@", "x = f("), None);
        assert_eq!(characters("éé x".as_bytes(), 5), 4);
    }
}
