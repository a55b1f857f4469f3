//! Conditions on numbers with names, such as the traits of a program: `loops > loops-counted and (cyclomatic <= 30 or not floats)`.
//!
//! A name alone means that it is not zero. `not` binds tightest, then `and`, then `or`.

use std::fmt;

#[derive(Clone, PartialEq, Debug)]
pub enum Condition {
    Compare(String, Relation, With),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

/// What a number is compared with.
#[derive(Clone, PartialEq, Debug)]
pub enum With {
    Number(f64),
    Name(String),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// The longer ones first: `<` also begins `<=`.
const RELATIONS: [(&str, Relation); 6] = [
    ("==", Relation::Eq),
    ("!=", Relation::Ne),
    ("<=", Relation::Le),
    (">=", Relation::Ge),
    ("<", Relation::Lt),
    (">", Relation::Gt),
];

/// Conditions nest at most so deep.
const DEEPEST: usize = 100;

impl Condition {
    /// Reads a condition, or says what is wrong with it; `known` says what is wrong with a name.
    pub fn parse(text: &str, known: &dyn Fn(&str) -> Result<(), String>) -> Result<Condition, String> {
        let mut parser = Parser { tokens: tokens(text)?, at: 0, known };
        let condition = parser.or(0)?;
        match parser.peek() {
            None => Ok(condition),
            Some(token) => Err(format!("`{token}` is not expected after the condition")),
        }
    }

    /// Does it hold of these values?
    pub fn holds(&self, value: &dyn Fn(&str) -> f64) -> bool {
        match self {
            Condition::Compare(name, relation, with) => {
                let number = match with {
                    With::Number(number) => *number,
                    With::Name(other) => value(other),
                };
                let value = value(name);
                match relation {
                    Relation::Eq => value == number,
                    Relation::Ne => value != number,
                    Relation::Lt => value < number,
                    Relation::Le => value <= number,
                    Relation::Gt => value > number,
                    Relation::Ge => value >= number,
                }
            }
            Condition::Not(inner) => !inner.holds(value),
            Condition::And(left, right) => left.holds(value) && right.holds(value),
            Condition::Or(left, right) => left.holds(value) || right.holds(value),
        }
    }

    /// The names in it.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Condition::Compare(name, _, With::Name(other)) => vec![name, other],
            Condition::Compare(name, ..) => vec![name],
            Condition::Not(inner) => inner.names(),
            Condition::And(left, right) | Condition::Or(left, right) => [left.names(), right.names()].concat(),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Compare(name, Relation::Ne, With::Number(0.0)) => write!(f, "{name}"),
            Condition::Compare(name, relation, with) => {
                let symbol = RELATIONS.iter().find(|(_, known)| known == relation).map_or("", |(symbol, _)| symbol);
                match with {
                    With::Number(number) => write!(f, "{name} {symbol} {number}"),
                    With::Name(other) => write!(f, "{name} {symbol} {other}"),
                }
            }
            Condition::Not(inner) => write!(f, "not ({inner})"),
            Condition::And(left, right) => write!(f, "({left} and {right})"),
            Condition::Or(left, right) => write!(f, "({left} or {right})"),
        }
    }
}

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let length = if let Some((symbol, _)) = RELATIONS.iter().find(|(symbol, _)| rest.starts_with(symbol)) {
            symbol.len()
        } else if matches!(first, '(' | ')') {
            1
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            return Err(format!("`{first}` is not expected in a condition"));
        };
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

struct Parser<'a> {
    tokens: Vec<String>,
    at: usize,
    known: &'a dyn Fn(&str) -> Result<(), String>,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(String::as_str)
    }

    fn accept(&mut self, token: &str) -> bool {
        let is_it = self.peek() == Some(token);
        self.at += usize::from(is_it);
        is_it
    }

    fn or(&mut self, depth: usize) -> Result<Condition, String> {
        let mut left = self.and(depth)?;
        while self.accept("or") {
            left = Condition::Or(Box::new(left), Box::new(self.and(depth)?));
        }
        Ok(left)
    }

    fn and(&mut self, depth: usize) -> Result<Condition, String> {
        let mut left = self.unary(depth)?;
        while self.accept("and") {
            left = Condition::And(Box::new(left), Box::new(self.unary(depth)?));
        }
        Ok(left)
    }

    fn unary(&mut self, depth: usize) -> Result<Condition, String> {
        if depth > DEEPEST {
            return Err("the condition nests too deeply".into());
        }
        if self.accept("not") {
            return Ok(Condition::Not(Box::new(self.unary(depth + 1)?)));
        }
        if self.accept("(") {
            let inner = self.or(depth + 1)?;
            return if self.accept(")") { Ok(inner) } else { Err("a `)` is missing".into()) };
        }
        let name = self.peek().ok_or("the condition ends too early")?.to_owned();
        (self.known)(&name)?;
        self.at += 1;
        let Some((_, relation)) = RELATIONS.iter().find(|(symbol, _)| self.peek() == Some(symbol)) else {
            return Ok(Condition::Compare(name, Relation::Ne, With::Number(0.0)));
        };
        self.at += 1;
        let with = self.peek().ok_or_else(|| format!("`{name}` is compared with nothing"))?.to_owned();
        self.at += 1;
        let with = match with.parse() {
            Ok(number) => With::Number(number),
            Err(_) => {
                let no_number = |why| format!("`{name}` is compared with `{with}`, which is no number: {why}");
                (self.known)(&with).map_err(no_number)?;
                With::Name(with)
            }
        };
        Ok(Condition::Compare(name, *relation, with))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str) -> Result<bool, String> {
        let traits = |name: &str| match name {
            "threads" => Some(2.0),
            "floats" | "array-length" => Some(0.0),
            "loops" => Some(7.0),
            _ => None,
        };
        let known = |name: &str| traits(name).map(|_| ()).ok_or(format!("`{name}` is unknown"));
        let condition = Condition::parse(text, &known)?;
        Ok(condition.holds(&|name| traits(name).unwrap_or(0.0)))
    }

    #[test]
    fn conditions_hold_or_not() {
        for text in [
            "threads",
            "not floats",
            "loops > 6 and loops <= 7",
            "floats or threads == 2",
            "floats and threads or loops",
            "not (floats or threads < 2)",
            "not floats and not array-length",
            "loops!=6.5",
            "loops > threads and not loops == threads",
        ] {
            assert_eq!(holds(text), Ok(true), "{text}");
        }
        for text in ["floats", "floats and (threads or loops)", "loops >= 8", "not threads or floats"] {
            assert_eq!(holds(text), Ok(false), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, words) in [
            ("", "ends too early"),
            ("loops >", "compared with nothing"),
            ("loops > many", "no number"),
            ("lops > 1", "`lops` is unknown"),
            ("(loops", "`)` is missing"),
            ("loops loops", "not expected"),
            ("loops & 1", "`&` is not expected"),
        ] {
            let error = holds(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
        assert!(holds(&"(".repeat(100_000)).unwrap_err().contains("nests"));
    }
}
