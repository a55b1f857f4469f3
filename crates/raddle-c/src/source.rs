//! Source texts and the places in them.
//!
//! All texts of a run share one space of byte positions, so that a [`Pos`] is four bytes and names file, line and column
//! at once. Line markers (`# 12 "file.h"`) that preprocessing left are honoured: what people are shown is the original place.

use raddle_ir::{FileId, Span};

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
}

/// All source texts of a run, and the presumed file names that their line markers mention.
#[derive(Debug, Default)]
pub struct SourceMap {
    pub texts: Vec<SourceText>,
    pub files: Vec<String>,
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
            markers: vec![Marker { physical: 0, file, line: 1 }],
            text,
        };
        let mut start = 0usize;
        for end in memchr_lines(&source.text) {
            let line = &source.text[start..end];
            if let Some((number, name)) = parse_line_marker(line) {
                let file = match name {
                    Some(name) => self.file(&name),
                    None => source.markers.last().map_or(file, |m| m.file),
                };
                source.markers.push(Marker { physical: source.line_starts.len() as u32, file, line: number });
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
        // Few distinct names (headers); the last ones come back most often.
        let found = self.files.iter().rposition(|f| f == name);
        FileId(found.unwrap_or_else(|| {
            self.files.push(name.to_string());
            self.files.len() - 1
        }) as u32)
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
        let marker = text.markers[text.markers.partition_point(|m| m.physical <= physical as u32) - 1];
        Span {
            file: marker.file,
            line: marker.line + (physical as u32 - marker.physical),
            column: pos.0 - text.base - text.line_starts[physical] + 1,
        }
    }

    /// The physical source line around a position, for messages.
    pub fn line_text(&self, pos: Pos) -> String {
        let Some((text, physical)) = self.locate(pos) else { return String::new() };
        let start = text.line_starts[physical] as usize;
        let end = text.line_starts.get(physical + 1).map_or(text.text.len(), |&e| e as usize - 1);
        String::from_utf8_lossy(&text.text[start..end.max(start)]).trim_end().to_string()
    }
}

fn memchr_lines(text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    text.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i).chain(std::iter::once(text.len()))
}

/// `# 12 "file" flags` or `#line 12 "file"`: the number and name for the line after it.
fn parse_line_marker(line: &[u8]) -> Option<(u32, Option<String>)> {
    let line = std::str::from_utf8(line).ok()?.trim();
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest.get(..digits)?.parse().ok()?;
    let name = rest[digits..].trim_start();
    let name = name.strip_prefix('"').and_then(|n| n.split('"').next()).map(str::to_string);
    Some((number, name))
}
