//! Command lines as one text: split into words, and quoted, as a POSIX shell does it.

/// Splits at white space outside of quotes. A backslash keeps the next character, except within single quotes.
pub fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (None | Some('"'), '\\') => {
                let Some(next) = rest.next() else { return Err(format!("`{text}` ends with a backslash")) };
                word.get_or_insert_default().push(next);
            }
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(format!("a quote is not closed in `{text}`"));
    }
    words.extend(word);
    Ok(words)
}

/// One word of a shell's command line.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

pub fn join<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(quote).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitting_undoes_joining() {
        let words = ["--engine", "oc", "", "it's", "a \"b\"", r"back\slash", "$HOME", "-D", "x=1 2"];
        assert_eq!(split(&join(words)).unwrap(), words);
    }

    #[test]
    fn as_a_shell_does_it() {
        assert_eq!(split(r#" a  'b c'd "e \" f" g\ h "#).unwrap(), ["a", "b cd", "e \" f", "g h"]);
        assert!(split("'a").is_err());
        assert!(split("a\\").is_err());
    }
}
