//! The declarations and definitions of a C text, and the words in them. Comments and literals say nothing.

/// A declaration or definition at file scope.
pub struct Item<'a> {
    pub text: &'a str,
    /// The function that it defines.
    pub function: Option<&'a str>,
}

impl<'a> Item<'a> {
    fn new(text: &'a str) -> Item<'a> {
        let text = text.trim_ascii_end();
        let before = text.find(['{', ';', '=']).map(|at| text.split_at(at));
        let is_function =
            before.is_some_and(|(head, rest)| rest.starts_with('{') && head.trim_ascii_end().ends_with(')'));
        let name = |text: &'a str| last_word(text.split_once('(')?.0);
        Item { text, function: name(text).filter(|_| is_function) }
    }

    pub fn is_static(&self) -> bool {
        self.text.starts_with("static ")
    }

    /// Types, variables, and functions that only lowering knows to be used.
    pub fn is_always_read(&self) -> bool {
        self.function.is_none_or(|name| name.starts_with("__raddle_") && !self.is_static())
    }

    /// The variable that a declaration for everybody initialises.
    pub fn variable(&self) -> Option<&'a str> {
        let is_shared = !["static ", "extern ", "typedef ", "struct "].iter().any(|word| self.text.starts_with(word));
        let (before, _) = self.text.split_once('=').filter(|_| self.function.is_none() && is_shared)?;
        last_word(before)
    }
}

/// The items of a text, in their order. Every line that begins with a letter begins an item, and no other does; a comment between two items begins a line.
pub fn items(text: &str) -> impl Iterator<Item = Item<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let bytes = rest.as_bytes();
            let is_item = is_word(*bytes.first()? as char) || bytes[0] == b'$';
            let next = beginning(rest);
            let (this, after) = rest.split_at(next);
            rest = after;
            if is_item {
                return Some(Item::new(this));
            }
        }
    })
}

/// Where the next line is that begins with a letter or a comment.
fn beginning(text: &str) -> usize {
    let mut at = 0;
    while let Some(end) = text[at..].find('\n') {
        at += end + 1;
        match text.as_bytes().get(at) {
            Some(b' ' | b'\n' | b'{' | b'}') => {}
            _ => return at,
        }
    }
    text.len()
}

/// The words of a text.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let at = rest.find(|c: char| is_word(c) || matches!(c, '"' | '\'' | '/'))?;
            rest = &rest[at..];
            if let Some(length) = silent(rest) {
                rest = &rest[length..];
                continue;
            }
            let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end.max(1));
            rest = after;
            if end > 0 {
                return Some(word);
            }
        }
    })
}

/// A word of a template may have an `@`.
fn last_word(text: &str) -> Option<&str> {
    text.rsplit(|c: char| !is_word(c) && c != '@').find(|word| !word.is_empty())
}

/// How long the comment or literal at the beginning is, if there is one.
pub fn silent(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    match bytes[0] {
        b'/' if bytes.get(1) == Some(&b'*') => Some(text.find("*/").map_or(text.len(), |end| end + 2)),
        quote @ (b'"' | b'\'') => {
            let mut at = 1;
            while at < bytes.len() && bytes[at] != quote {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            Some((at + 1).min(text.len()))
        }
        _ => None,
    }
}

pub fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_declarations_and_definitions() {
        let text = r#"/* A comment; with { this. */
typedef struct { int a; } pair;
static const char *texts[] = { "};", "b" };
int count = 0;
static int f(int (*g)(void)) { return g() + '}'; }
$real rounded@($real x)
{
  for (;;) { /* } */ }
}
int f(int x);
"#;
        let found: Vec<_> = items(text).map(|item| (item.function, item.variable())).collect();
        let nothing = (None, None);
        let expected = [nothing, nothing, (None, Some("count")), (Some("f"), None), (Some("rounded@"), None), nothing];
        assert_eq!(found, expected);
        assert_eq!(words("a/b + \"c\" /* d */ * 'e'+f_1").collect::<Vec<_>>(), ["a", "b", "f_1"]);
    }
}
