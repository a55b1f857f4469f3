//! What the parser makes of C and GNU C: snippets in, trees or messages out.

use raddle_c::ast::Unit;
use raddle_c::diagnostics::render;
use raddle_c::error::Error;
use raddle_c::interner::Interner;
use raddle_c::parser::parse;
use raddle_c::show_ast::show;
use raddle_c::source::SourceMap;

#[path = "parser/declarations.rs"]
mod declarations;
#[path = "parser/expressions.rs"]
mod expressions;
#[path = "parser/messages.rs"]
mod messages;
#[path = "parser/preprocessing.rs"]
mod preprocessing;
#[path = "parser/robustness.rs"]
mod robustness;
#[path = "parser/statements.rs"]
mod statements;
#[path = "parser/words.rs"]
mod words;

struct Parsed {
    source: SourceMap,
    interner: Interner,
    result: Result<Unit, Error>,
}

fn parse_bytes(text: &[u8]) -> Parsed {
    let mut source = SourceMap::new();
    let index = source.add("t.c", text.to_vec()).unwrap();
    let mut interner = Interner::new();
    let result = parse(&source, index, &mut interner);
    Parsed { source, interner, result }
}

/// The tree as `show` prints it.
fn shown(text: &str) -> String {
    let parsed = parse_bytes(text.as_bytes());
    match &parsed.result {
        Ok(unit) => show(unit, &parsed.interner, &parsed.source),
        Err(error) => panic!("{text}\n{}", render(&parsed.source, error)),
    }
}

/// The tree in short: each item on a line, parts in parentheses behind their head.
fn tree(text: &str) -> String {
    let shown = shown(text);
    let lines: Vec<(usize, &str)> = shown
        .lines()
        .map(|line| {
            let text = line.trim_start();
            let end = text.find("  <t.c:").unwrap_or(text.len());
            ((line.len() - text.len()) / 2, &text[..end])
        })
        .collect();
    let mut out = String::new();
    let mut at = 0;
    while at < lines.len() {
        if at > 0 {
            out.push('\n');
        }
        write_node(&lines, &mut at, &mut out);
    }
    out
}

fn write_node(lines: &[(usize, &str)], at: &mut usize, out: &mut String) {
    let (depth, head) = lines[*at];
    *at += 1;
    let has_parts = lines.get(*at).is_some_and(|next| next.0 > depth);
    if !has_parts {
        return out.push_str(head);
    }
    out.push('(');
    out.push_str(head);
    while lines.get(*at).is_some_and(|next| next.0 > depth) {
        out.push(' ');
        write_node(lines, at, out);
    }
    out.push(')');
}

/// The tree of an expression; `T` is a type in it.
fn expr(text: &str) -> String {
    let items = tree(&format!("typedef int T; int v = {text};"));
    let last = items.lines().last().unwrap();
    last.strip_prefix("(declare v: int ").and_then(|l| l.strip_suffix(')')).unwrap_or(last).to_string()
}

/// The tree of the statements of a function; `T` is a type in it.
fn body(text: &str) -> String {
    let items = tree(&format!("typedef int T; void f(void) {{ {text} }}"));
    let last = items.lines().last().unwrap();
    let inner = last.strip_prefix("(function f: function() returning void (block ").and_then(|l| l.strip_suffix("))"));
    inner.unwrap_or(last).to_string()
}

/// The error of a text, as people see it.
fn message(text: &str) -> String {
    let parsed = parse_bytes(text.as_bytes());
    match &parsed.result {
        Ok(unit) => panic!("no error in {text}\n{}", show(unit, &parsed.interner, &parsed.source)),
        Err(error) => render(&parsed.source, error),
    }
}

/// Its first line without the file name.
fn brief(text: &str) -> String {
    let message = message(text);
    message.lines().next().unwrap().trim_start_matches("t.c:").to_string()
}

/// Runs in a thread with a large stack, as the frontend does.
fn with_large_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(256 << 20).spawn(run).unwrap().join().unwrap()
}
