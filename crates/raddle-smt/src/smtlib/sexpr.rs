//! S-expressions, the syntax of what SMT-LIB solvers say.
//!
//! An answer arrives in pieces: a [`Scanner`] finds where it ends. A whole answer is parsed into an arena, so that no depth of nesting
//! overflows the stack, neither here nor when it is dropped.

/// Names an expression of one [`Sexprs`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SexprId(u32);

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sexpr {
    /// A symbol (without the bars of a quoted one), keyword or number.
    Atom(String),
    /// A string, without its quotes.
    Text(String),
    List(Vec<SexprId>),
}

/// The parts of one s-expression.
#[derive(Clone, Debug, Default)]
pub struct Sexprs {
    nodes: Vec<Sexpr>,
}

impl Sexprs {
    pub fn get(&self, id: SexprId) -> &Sexpr {
        &self.nodes[id.0 as usize]
    }

    pub fn atom(&self, id: SexprId) -> Option<&str> {
        match self.get(id) {
            Sexpr::Atom(name) => Some(name),
            _ => None,
        }
    }

    /// The items of a list; of anything else, none.
    pub fn items(&self, id: SexprId) -> &[SexprId] {
        match self.get(id) {
            Sexpr::List(items) => items,
            _ => &[],
        }
    }

    /// The items of a list that begins with this symbol, without it.
    pub fn list_of(&self, id: SexprId, head: &str) -> Option<&[SexprId]> {
        let (first, rest) = self.items(id).split_first()?;
        (self.atom(*first) == Some(head)).then_some(rest)
    }

    fn add(&mut self, node: Sexpr) -> SexprId {
        self.nodes.push(node);
        SexprId((self.nodes.len() - 1) as u32)
    }
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

fn ends_atom(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'(' | b')' | b'"' | b';' | b'|')
}

/// Parses a text that is one s-expression.
pub fn parse(text: &str) -> Result<(Sexprs, SexprId), String> {
    let bytes = text.as_bytes();
    let mut sexprs = Sexprs::default();
    let mut open: Vec<Vec<SexprId>> = Vec::new();
    let mut whole = None;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let made = match byte {
            _ if is_space(byte) => {
                at += 1;
                continue;
            }
            b';' => {
                at += bytes[at..].iter().position(|b| *b == b'\n').unwrap_or(bytes.len() - at);
                continue;
            }
            _ if whole.is_some() => return Err("there is more than one expression".to_string()),
            b'(' => {
                open.push(Vec::new());
                at += 1;
                continue;
            }
            b')' => {
                at += 1;
                let items = open.pop().ok_or("a `)` too many")?;
                Sexpr::List(items)
            }
            b'"' => {
                let mut string = String::new();
                loop {
                    let length = text[at + 1..].find('"').ok_or("a string does not end")?;
                    string.push_str(&text[at + 1..at + 1 + length]);
                    at += length + 2;
                    if bytes.get(at) != Some(&b'"') {
                        break Sexpr::Text(string);
                    }
                    // Two quotes stand for one.
                    string.push('"');
                }
            }
            b'|' => {
                let length = text[at + 1..].find('|').ok_or("a quoted symbol does not end")?;
                let name = text[at + 1..at + 1 + length].to_string();
                at += length + 2;
                Sexpr::Atom(name)
            }
            _ => {
                let length = bytes[at..].iter().position(|b| ends_atom(*b)).unwrap_or(bytes.len() - at);
                let name = text[at..at + length].to_string();
                at += length;
                Sexpr::Atom(name)
            }
        };
        let id = sexprs.add(made);
        match open.last_mut() {
            Some(items) => items.push(id),
            None => whole = Some(id),
        }
    }
    if !open.is_empty() {
        return Err("a `)` is missing".to_string());
    }
    Ok((sexprs, whole.ok_or("there is no expression")?))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Within {
    /// Between tokens.
    #[default]
    Nothing,
    Atom,
    String,
    Quoted,
    Comment,
}

/// Finds the end of the first s-expression in bytes of which more and more arrive.
#[derive(Clone, Debug, Default)]
pub struct Scanner {
    position: usize,
    depth: usize,
    within: Within,
}

impl Scanner {
    /// The end of the first expression. `bytes` begins as it did in the calls before, since the last end was found. An atom ends where
    /// something else begins, so the newline after it must have arrived.
    pub fn find_end(&mut self, bytes: &[u8]) -> Result<Option<usize>, String> {
        while let Some(&byte) = bytes.get(self.position) {
            match self.within {
                Within::Nothing => match byte {
                    b'(' => self.depth += 1,
                    b')' if self.depth == 0 => return Err("a `)` too many".to_string()),
                    b')' => {
                        self.depth -= 1;
                        if self.depth == 0 {
                            return Ok(Some(self.end(self.position + 1)));
                        }
                    }
                    b'"' => self.within = Within::String,
                    b'|' => self.within = Within::Quoted,
                    b';' => self.within = Within::Comment,
                    _ if is_space(byte) => {}
                    _ => self.within = Within::Atom,
                },
                Within::Atom if ends_atom(byte) => {
                    self.within = Within::Nothing;
                    if self.depth == 0 {
                        return Ok(Some(self.end(self.position)));
                    }
                    continue;
                }
                Within::Atom => {}
                Within::Comment => {
                    if byte == b'\n' {
                        self.within = Within::Nothing;
                    }
                }
                Within::String | Within::Quoted => {
                    let quote = if self.within == Within::String { b'"' } else { b'|' };
                    if byte == quote {
                        // A doubled quote opens a new string at once, which comes to the same.
                        self.within = Within::Nothing;
                        if self.depth == 0 {
                            return Ok(Some(self.end(self.position + 1)));
                        }
                    }
                }
            }
            self.position += 1;
        }
        Ok(None)
    }

    fn end(&mut self, end: usize) -> usize {
        *self = Scanner::default();
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_symbols_strings_and_comments() {
        let (s, id) = parse("(a |b c| \"d \"\"e\"\"\" ; f\n (() 12))").unwrap();
        let items = s.items(id);
        assert_eq!(s.atom(items[0]), Some("a"));
        assert_eq!(s.atom(items[1]), Some("b c"));
        assert_eq!(s.get(items[2]), &Sexpr::Text("d \"e\"".into()));
        assert_eq!(s.items(items[3]).len(), 2);
    }

    #[test]
    fn errors_are_values() {
        for text in ["", "(", ")", "(a))", "\"a", "|a", "a b", "((", "; only a comment"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn depth_does_not_matter() {
        let text = "(".repeat(1_000_000) + &")".repeat(1_000_000);
        assert!(parse(&text).is_ok());
        assert_eq!(Scanner::default().find_end(text.as_bytes()), Ok(Some(text.len())));
    }

    #[test]
    fn the_scanner_finds_ends_piece_by_piece() {
        let text = b"; hello (\nsat\n(error \"a ) \"\" b\" |)| c)x ";
        let mut scanner = Scanner::default();
        let mut ends = Vec::new();
        let mut from = 0;
        for length in 0..=text.len() {
            if let Some(end) = scanner.find_end(&text[from..length.max(from)]).unwrap() {
                ends.push(String::from_utf8_lossy(&text[from..from + end]).trim().to_string());
                from += end;
            }
        }
        assert_eq!(ends, ["; hello (\nsat", "(error \"a ) \"\" b\" |)| c)", "x"]);
        assert!(Scanner::default().find_end(b" )").is_err());
    }
}
