//! Text inside HTML and SVG.

use std::borrow::Cow;

/// For text and for attributes in double quotes. Control characters, which XML forbids, become the replacement character.
pub fn escape(text: &str) -> Cow<'_, str> {
    let odd = |c: char| matches!(c, '&' | '<' | '>' | '"' | '\'') || c.is_control();
    if !text.contains(odd) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(escape("</script><b a=\"x\">&'"), "&lt;/script&gt;&lt;b a=&quot;x&quot;&gt;&amp;&#39;");
        assert_eq!(escape("a\0b"), "a\u{fffd}b");
        assert!(matches!(escape("plain.c"), Cow::Borrowed(_)));
    }
}
