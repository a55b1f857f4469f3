//! How messages about the input look: place and message, the source line, and a caret under the place.

use crate::error::{Error, ErrorKind};
use crate::source::{Pos, SourceMap};

/// So many characters of a source line are shown at most.
const WIDTH: usize = 100;
/// So many bytes on either side of the place are looked at: a line may be megabytes long.
const WINDOW: usize = 4 * WIDTH;
const TAB: usize = 8;

/// `file:line:column: error: message`, the line and a caret; ends with a newline.
pub fn render(source: &SourceMap, error: &Error) -> String {
    let kind = match error.kind {
        ErrorKind::Invalid => "error",
        ErrorKind::Unsupported => "unsupported",
        ErrorKind::Timeout => "timeout",
        ErrorKind::OutOfMemory => "out of memory",
    };
    let Some(pos) = error.pos else { return format!("{kind}: {}\n", shortened(&error.message)) };
    render_at(source, pos, kind, &error.message)
}

/// The same for something that does not stop the run.
pub fn render_warning(source: &SourceMap, pos: Pos, message: &str) -> String {
    render_at(source, pos, "warning", message)
}

/// A message of some kind about a place.
pub fn render_at(source: &SourceMap, pos: Pos, kind: &str, message: &str) -> String {
    let message = shortened(message);
    let span = source.span(pos);
    let Some(file) = source.files.get(span.file.0 as usize).filter(|_| !span.is_none()) else {
        return format!("{kind}: {message}\n");
    };
    let mut text = format!("{file}:{}:{}: {kind}: {message}\n", span.line, span.column);
    text.push_str(&excerpt(source, pos, span.line));
    text
}

/// A message in which no name and no type is longer than people can read.
fn shortened(message: &str) -> String {
    const LONGEST: usize = 4 * WIDTH;
    if message.len() <= LONGEST {
        return message.into();
    }
    let cut = |part: &str| match part.char_indices().nth(LONGEST / 4) {
        Some((at, _)) => format!("{}…", &part[..at]),
        None => part.into(),
    };
    message.split('`').map(cut).collect::<Vec<_>>().join("`")
}

/// The source line with its number, and below it a caret.
fn excerpt(source: &SourceMap, pos: Pos, line: u32) -> String {
    let (bytes, column) = source.line_bytes(pos);
    let column = column.min(bytes.len());
    let from = column.saturating_sub(WINDOW);
    let to = bytes.len().min(column + WINDOW);
    let before = printable(&bytes[from..column], 0);
    let after = printable(&bytes[column..to], before.len());
    if before.iter().chain(&after).all(|c| c.is_whitespace()) {
        return String::new();
    }
    // The caret stands in the last third at most, and the line is cut on either side.
    let skip = before.len().saturating_sub(WIDTH * 2 / 3);
    let room = WIDTH - (before.len() - skip);
    let mut shown: String = if skip > 0 || from > 0 { "…".into() } else { String::new() };
    let caret = shown.chars().count() + before.len() - skip;
    shown.extend(&before[skip..]);
    shown.extend(after.iter().take(room));
    if after.len() > room || to < bytes.len() {
        shown.push('…');
    }
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    format!(" {number} | {}\n {margin} | {}^\n", shown.trim_end(), " ".repeat(caret))
}

/// Characters as a terminal shows them, one column each: tabs become spaces, control characters disappear.
fn printable(bytes: &[u8], start_column: usize) -> Vec<char> {
    let mut line = Vec::new();
    for c in String::from_utf8_lossy(bytes).chars() {
        match c {
            '\t' => {
                let column = start_column + line.len();
                line.extend(std::iter::repeat_n(' ', TAB - column % TAB));
            }
            c if c.is_control() => line.push(' '),
            c => line.push(c),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str, at: usize) -> String {
        let mut source = SourceMap::new();
        source.add("a.c", text.as_bytes().to_vec()).unwrap();
        render(&source, &Error::invalid(Pos(at as u32), "wrong"))
    }

    #[test]
    fn place_line_and_caret() {
        assert_eq!(rendered("int x;\nint y z;\n", 13), "a.c:2:7: error: wrong\n 2 | int y z;\n   |       ^\n");
    }

    #[test]
    fn tabs_and_wide_characters() {
        assert_eq!(rendered("\tx;", 1), "a.c:1:2: error: wrong\n 1 |         x;\n   |         ^\n");
        assert_eq!(rendered("é x;", 3), "a.c:1:4: error: wrong\n 1 | é x;\n   |   ^\n");
    }

    #[test]
    fn long_lines_are_cut() {
        let text = format!("{}@{}", "a".repeat(1_000_000), "b".repeat(1_000_000));
        let shown = rendered(&text, 1_000_000);
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines[1].chars().count() < 120, "{shown}");
        let caret = lines[2].chars().position(|c| c == '^');
        assert_eq!(lines[1].chars().position(|c| c == '@'), caret);
    }

    #[test]
    fn long_names_are_cut() {
        let error = Error::invalid(Pos(0), format!("`{}` is not declared", "x".repeat(1_000_000)));
        assert_eq!(render(&SourceMap::new(), &error), format!("error: `{}…` is not declared\n", "x".repeat(100)));
    }

    #[test]
    fn no_place_no_line() {
        let source = SourceMap::new();
        let error = Error { kind: ErrorKind::Unsupported, pos: None, message: "all of it".into() };
        assert_eq!(render(&source, &error), "unsupported: all of it\n");
        assert_eq!(rendered("", 0), "a.c:1:1: error: wrong\n");
    }
}
