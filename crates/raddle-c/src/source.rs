//! Source texts and the places in them.
//!
//! All texts of a run share one space of byte positions, so that a [`Pos`] is four bytes and names file, line and column
//! at once. Line markers (`# 12 "file.h"`) that preprocessing left are honoured: what people are shown is the original place.

use raddle_ir::{FileId, Span};
use rustc_hash::FxHashMap;

/// A byte position in the space of all source texts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Default)]
pub struct Pos(pub u32);

/// One text as it was read (after preprocessing).
#[derive(Debug)]
pub struct SourceText {
    /// The path that was given.
    pub path: String,
    pub text: Vec<u8>,
    /// The position of its first byte.
    base: u32,
    /// Where each physical line starts (byte offsets in `text`).
    line_starts: Vec<u32>,
    /// From this physical line (0-based) on, lines are numbered from the presumed line of the presumed file.
    markers: Vec<Marker>,
}

#[derive(Debug, Clone, Copy)]
struct Marker {
    physical: u32,
    file: FileId,
    line: u32,
    /// Preprocessing found it among the headers of the system.
    is_system: bool,
}

/// All source texts of a run, and the presumed file names that their line markers mention.
#[derive(Debug, Default)]
pub struct SourceMap {
    pub texts: Vec<SourceText>,
    pub files: Vec<String>,
    file_ids: FxHashMap<String, FileId>,
}

impl SourceText {
    /// The last marker before a physical line.
    fn marker(&self, physical: usize) -> Marker {
        self.markers[self.markers.partition_point(|m| m.physical <= physical as u32) - 1]
    }
}

impl SourceMap {
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a text in and returns its index in `texts`. Fails (with a message) when all texts together exceed 4 GiB.
    pub fn add(&mut self, path: &str, text: Vec<u8>) -> Result<usize, String> {
        let base = self.texts.last().map_or(0u64, |t| u64::from(t.base) + t.text.len() as u64 + 1);
        if base + text.len() as u64 >= u64::from(u32::MAX) {
            return Err(format!("{path}: the source texts are larger than 4 GiB in all"));
        }
        let file = self.file(path);
        let mut source = SourceText {
            path: path.to_string(),
            base: base as u32,
            line_starts: vec![0],
            markers: vec![Marker { physical: 0, file, line: 1, is_system: false }],
            text,
        };
        let mut start = 0usize;
        for end in memchr_lines(&source.text) {
            let line = &source.text[start..end];
            if let Some((number, name, is_system)) = parse_line_marker(line) {
                let file = match name {
                    Some(name) => self.file(&name),
                    None => source.markers.last().map_or(file, |m| m.file),
                };
                let physical = source.line_starts.len() as u32;
                source.markers.push(Marker { physical, file, line: number, is_system });
            }
            if end < source.text.len() {
                source.line_starts.push(end as u32 + 1);
            }
            start = end + 1;
        }
        self.texts.push(source);
        Ok(self.texts.len() - 1)
    }

    fn file(&mut self, name: &str) -> FileId {
        if let Some(id) = self.file_ids.get(name) {
            return *id;
        }
        let id = FileId(self.files.len() as u32);
        self.files.push(name.to_string());
        self.file_ids.insert(name.to_string(), id);
        id
    }

    pub fn base(&self, text: usize) -> Pos {
        Pos(self.texts[text].base)
    }

    fn locate(&self, pos: Pos) -> Option<(&SourceText, usize)> {
        let index = self.texts.partition_point(|t| t.base <= pos.0).checked_sub(1)?;
        let text = &self.texts[index];
        let offset = pos.0 - text.base;
        Some((text, text.line_starts.partition_point(|&s| s <= offset) - 1))
    }

    /// The presumed file, line and column.
    pub fn span(&self, pos: Pos) -> Span {
        let Some((text, physical)) = self.locate(pos) else { return Span::NONE };
        let marker = text.marker(physical);
        Span {
            file: marker.file,
            line: marker.line.saturating_add(physical as u32 - marker.physical),
            column: pos.0 - text.base - text.line_starts[physical] + 1,
        }
    }

    /// The text that a position is in, and its physical line and column there, both from 1.
    pub fn physical(&self, pos: Pos) -> Option<(&SourceText, u32, u32)> {
        let (text, physical) = self.locate(pos)?;
        Some((text, physical as u32 + 1, pos.0 - text.base - text.line_starts[physical] + 1))
    }

    /// The parenthesis that closes a call, if the name of the function stands at a position.
    pub fn closing_parenthesis(&self, call: Pos) -> Option<Pos> {
        let (text, _) = self.locate(call)?;
        let before = |at: usize, parenthesis: u8| {
            let skipped = |byte: &u8| *byte == parenthesis || byte.is_ascii_whitespace();
            at + text.text.get(at..).map_or(0, |rest| rest.iter().take_while(|byte| skipped(byte)).count())
        };
        // The name may stand in parentheses.
        let start = before((call.0 - text.base) as usize, b'(');
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'$';
        let name = text.text.get(start..)?.iter().take_while(|byte| is_name(byte)).count();
        if name == 0 {
            return None;
        }
        let mut depth = 0;
        let mut at = before(start + name, b')');
        while let Some(&byte) = text.text.get(at) {
            match byte {
                b'(' => depth += 1,
                b')' if depth == 1 => return Some(Pos(text.base + at as u32)),
                b')' => depth -= 1,
                b'"' | b'\'' => at = end_of_literal(&text.text, at)?,
                byte if depth == 0 && !byte.is_ascii_whitespace() => return None,
                // Only texts that nobody has preprocessed have comments. What looks like one is not followed.
                b'/' if matches!(text.text.get(at + 1), Some(b'/' | b'*')) => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// The presumed names of the files that a text was made of.
    pub fn names_in<'a>(&'a self, text: &'a SourceText) -> impl Iterator<Item = &'a str> {
        let files: std::collections::BTreeSet<u32> = text.markers.iter().map(|marker| marker.file.0).collect();
        files.into_iter().filter_map(|file| self.files.get(file as usize).map(String::as_str))
    }

    pub fn is_system_header(&self, pos: Pos) -> bool {
        self.locate(pos).is_some_and(|(text, physical)| text.marker(physical).is_system)
    }

    /// The physical source line around a position, for messages.
    pub fn line_text(&self, pos: Pos) -> String {
        String::from_utf8_lossy(self.line_bytes(pos).0).trim_end().to_string()
    }

    /// The physical source line around a position, and where in it the position is.
    pub fn line_bytes(&self, pos: Pos) -> (&[u8], usize) {
        let Some((text, physical)) = self.locate(pos) else { return (&[], 0) };
        let start = text.line_starts[physical] as usize;
        let end = text.line_starts.get(physical + 1).map_or(text.text.len(), |&e| e as usize - 1);
        (&text.text[start..end.max(start)], (pos.0 - text.base) as usize - start)
    }
}

/// Where the quote is that closes a literal.
fn end_of_literal(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    while *text.get(at)? != text[start] {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    Some(at)
}

fn memchr_lines(text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    text.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i).chain(std::iter::once(text.len()))
}

/// `# 12 "file" flags` or `#line 12 "file"`: the number and name for the line after it, and whether the flags say that it is a header of the system (3).
fn parse_line_marker(line: &[u8]) -> Option<(u32, Option<String>, bool)> {
    let rest = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii();
    let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start();
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let (number, name) = rest.split_at(digits);
    let number = std::str::from_utf8(number).ok()?.parse().ok()?;
    if name.first().is_some_and(|b| !b.is_ascii_whitespace()) {
        return None;
    }
    let flags = name.rsplit(|b| *b == b'"').next().unwrap_or_default();
    let is_system = flags.split(|b| b.is_ascii_whitespace()).any(|flag| flag == b"3") && name.contains(&b'"');
    Some((number, name.trim_ascii_start().strip_prefix(b"\"").map(quoted_name), is_system))
}

/// Up to the closing quote; a backslash takes the character behind it.
fn quoted_name(text: &[u8]) -> String {
    let mut name = Vec::new();
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'"' => break,
            b'\\' => name.extend(bytes.next()),
            _ => name.push(byte),
        }
    }
    String::from_utf8_lossy(&name).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the first `@` of a text is said to be: file, line, column.
    fn place(text: &str) -> (String, u32, u32) {
        let mut map = SourceMap::new();
        map.add("first.c", b"int x;\n".to_vec()).unwrap();
        let index = map.add("a.c", text.as_bytes().to_vec()).unwrap();
        let span = map.span(Pos(map.base(index).0 + text.find('@').unwrap() as u32));
        (map.files[span.file.0 as usize].clone(), span.line, span.column)
    }

    #[test]
    fn lines_and_columns() {
        assert_eq!(place("@"), ("a.c".into(), 1, 1));
        assert_eq!(place("ab\n\n  @\n"), ("a.c".into(), 3, 3));
        assert_eq!(place("a\r\n@"), ("a.c".into(), 2, 1));
    }

    #[test]
    fn line_markers() {
        assert_eq!(place("# 10 \"x.h\" 1 3 4\na\n@"), ("x.h".into(), 11, 1));
        assert_eq!(place("# 10 \"x.h\" 1\n# 7 \"a.c\" 2\n@"), ("a.c".into(), 7, 1));
        assert_eq!(place("  #line 33\n@"), ("a.c".into(), 33, 1));
        assert_eq!(place("# 1 \"sp ace \\\"q\\\\.h\"\n@"), ("sp ace \"q\\.h".into(), 1, 1));
        assert_eq!(place("# 4294967295 \"x.h\"\n\n@").1, u32::MAX);
        assert_eq!(place("# 99999999999 \"x.h\"\n@"), ("a.c".into(), 2, 1));
        assert_eq!(place("#pragma once\n# 5x\n@"), ("a.c".into(), 3, 1));
    }

    #[test]
    fn calls_close() {
        let close = |text: &str| {
            let mut map = SourceMap::new();
            map.add("a.c", text.as_bytes().to_vec()).unwrap();
            map.closing_parenthesis(Pos(0)).map(|pos| pos.0)
        };
        assert_eq!(close("f()"), Some(2));
        assert_eq!(close("f (g(1), \")\\\"\", ')')(2)"), Some(19));
        assert_eq!(close("f\n(\n)"), Some(4));
        assert_eq!(close("f + (1)"), None);
        assert_eq!(close("(f)(1)"), Some(5));
        assert_eq!(close("f)(1)"), Some(4));
        assert_eq!(close("(*f)(1)"), None);
        assert_eq!(close("f(\""), None);
        assert_eq!(close("f(1 /* ) */)"), None);
    }

    #[test]
    fn line_texts() {
        let mut map = SourceMap::new();
        let index = map.add("a.c", b"one\ntwo\r\nthree".to_vec()).unwrap();
        assert_eq!(map.base(index), Pos(0));
        assert_eq!(map.line_text(Pos(2)), "one");
        assert_eq!(map.line_text(Pos(5)), "two");
        assert_eq!(map.line_bytes(Pos(11)), (&b"three"[..], 2));
        // The end of the text is a place, too.
        assert_eq!(map.line_bytes(Pos(14)), (&b"three"[..], 5));
        assert_eq!(SourceMap::new().line_text(Pos(3)), "");
    }
}
