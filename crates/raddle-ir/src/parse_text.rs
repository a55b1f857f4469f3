//! Reads the text form of a Program (see [`crate::text`]).
//!
//! Expressions are made as they are written, without simplification. The parser resolves every name and checks the sorts inside
//! expressions, so that whatever it accepts can be walked without fear; that the labels make sense is for [`crate::validate`].

use crate::expr::ExprId;
use crate::names::KEYWORDS;
use crate::pool::ExprPool;
use crate::program::*;
use crate::sort::{FloatSort, Sort};
use crate::span::{FileId, Span};
pub use crate::text_lexer::ParseError;
use crate::text_lexer::{Placed, Token, tokens};
use rustc_hash::FxHashMap;

pub(crate) type Parsed<T> = Result<T, ParseError>;

/// The Program that a text describes.
pub fn parse_text(text: &str) -> Result<Program, ParseError> {
    Parser::new(tokens(text)?).program()
}

/// The scope of a variable's name: a procedure, or all of them.
type Scope = Option<ProcId>;

pub(crate) struct Parser {
    tokens: Vec<Placed>,
    at: usize,
    pub(crate) pool: ExprPool,
    files: Vec<String>,
    file_ids: FxHashMap<String, FileId>,
    /// By id; ids may be declared in any order.
    vars: FxHashMap<VarId, Var>,
    var_ids: FxHashMap<(Scope, String), VarId>,
    proc_ids: FxHashMap<(String, Option<u32>), ProcId>,
    object_ids: FxHashMap<(String, Option<u32>), ObjectId>,
    pub(crate) definitions: FxHashMap<String, ExprId>,
    scope: Scope,
    /// How deep in parentheses the parser is.
    pub(crate) depth: u32,
}

impl Parser {
    fn new(tokens: Vec<Placed>) -> Parser {
        let mut parser = Parser {
            tokens,
            at: 0,
            pool: ExprPool::new(),
            files: Vec::new(),
            file_ids: FxHashMap::default(),
            vars: FxHashMap::default(),
            var_ids: FxHashMap::default(),
            proc_ids: FxHashMap::default(),
            object_ids: FxHashMap::default(),
            definitions: FxHashMap::default(),
            scope: None,
            depth: 0,
        };
        parser.find_names();
        parser
    }

    /// Procedures and objects may be mentioned before they are declared: their ids are the order of their declarations.
    fn find_names(&mut self) {
        let mut line_starts = true;
        for (i, placed) in self.tokens.iter().enumerate() {
            if line_starts
                && let Token::Word(word, None) = &placed.token
                && let Some(Placed { token: Token::Word(name, id), .. }) = self.tokens.get(i + 1)
            {
                let name = (name.clone(), *id);
                match word.as_str() {
                    "proc" => {
                        let next = ProcId(self.proc_ids.len() as u32);
                        self.proc_ids.entry(name).or_insert(next);
                    }
                    "object" => {
                        let next = ObjectId(self.object_ids.len() as u32);
                        self.object_ids.entry(name).or_insert(next);
                    }
                    _ => {}
                }
            }
            line_starts = placed.token == Token::Newline;
        }
    }

    // Tokens.

    pub(crate) fn peek(&self) -> &Token {
        &self.tokens[self.at].token
    }

    pub(crate) fn peek_after(&self) -> &Token {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].token
    }

    pub(crate) fn advance(&mut self) -> Token {
        let token = self.tokens[self.at].token.clone();
        // The end stays.
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// An error at the next token.
    pub(crate) fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        let Placed { line, column, .. } = self.tokens[self.at];
        Err(ParseError { line, column, message: message.into() })
    }

    pub(crate) fn expected<T>(&self, what: &str) -> Parsed<T> {
        self.error(format!("{what} is expected, not {}", self.peek().describe()))
    }

    pub(crate) fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek(), Token::Symbol(s) if *s == symbol)
    }

    pub(crate) fn eat(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(symbol);
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn symbol(&mut self, symbol: &str) -> Parsed<()> {
        if self.eat(symbol) { Ok(()) } else { self.expected(&format!("`{symbol}`")) }
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w, None) if w == word)
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    fn newline(&mut self) -> Parsed<()> {
        match self.peek() {
            Token::Newline => {
                self.advance();
                Ok(())
            }
            Token::End => Ok(()),
            _ => self.expected("the end of the line"),
        }
    }

    fn number(&mut self) -> Parsed<u64> {
        let Token::Number(text) = self.peek() else { return self.expected("a number") };
        let parsed = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => text.parse(),
        };
        match parsed {
            Ok(number) => {
                self.advance();
                Ok(number)
            }
            Err(_) => self.expected("a plain number"),
        }
    }

    pub(crate) fn small<T: TryFrom<u64>>(&mut self) -> Parsed<T> {
        let before = self.at;
        let number = self.number()?;
        T::try_from(number).or_else(|_| {
            self.at = before;
            self.error(format!("{number} is too large"))
        })
    }

    fn string(&mut self) -> Parsed<Vec<u8>> {
        match self.peek() {
            Token::String(_) => match self.advance() {
                Token::String(bytes) => Ok(bytes),
                _ => self.expected("a string"),
            },
            _ => self.expected("a string"),
        }
    }

    fn utf8(&mut self) -> Parsed<String> {
        let before = self.at;
        String::from_utf8(self.string()?).or_else(|_| {
            self.at = before;
            self.error("this string is not UTF-8")
        })
    }

    /// A name and its id; not a keyword.
    fn name(&mut self) -> Parsed<(String, Option<u32>)> {
        match self.peek() {
            Token::Word(word, id)
                if id.is_some() || !KEYWORDS.contains(&word.split('.').next().unwrap_or_default()) =>
            {
                let name = (word.clone(), *id);
                self.advance();
                Ok(name)
            }
            _ => self.expected("a name"),
        }
    }

    /// What follows a declared name when it is not the name in the source.
    fn real_name(&mut self, name: &str) -> Parsed<String> {
        if self.eat_word("named") { self.utf8() } else { Ok(name.to_string()) }
    }

    fn span(&mut self) -> Parsed<Span> {
        let Token::Span(text) = self.peek() else { return Ok(Span::NONE) };
        let mut parts = text.rsplitn(3, ':');
        let column = parts.next().and_then(|part| part.parse().ok());
        let line = parts.next().and_then(|part| part.parse().ok());
        let file = parts.next().and_then(|part| match part.strip_prefix('\'') {
            Some(id) => id.parse().ok().filter(|id| (*id as usize) < self.files.len()).map(FileId),
            None => self.file_ids.get(part).copied(),
        });
        match (file, line, column) {
            (Some(file), Some(line), Some(column)) => {
                self.advance();
                Ok(Span { file, line, column })
            }
            (None, Some(_), Some(_)) => self.error("this file is not declared"),
            _ => self.error("a place is written `@ file:line:column`"),
        }
    }

    // Declarations.

    fn program(mut self) -> Parsed<Program> {
        if *self.peek() == Token::Newline {
            self.advance();
        }
        self.word("program")?;
        self.word("pointer_bits")?;
        let pointer_bits = self.small()?;
        self.symbol(",")?;
        self.word("dynamic_base")?;
        let dynamic_base = self.number()?;
        self.symbol(",")?;
        self.word("entry")?;
        let entry = self.proc_name()?;
        self.newline()?;
        let (mut gaps, mut objects, mut procs) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            let before = self.at;
            let Token::Word(word, None) = self.peek() else {
                match self.peek() {
                    Token::End => break,
                    _ => return self.expected("a declaration"),
                }
            };
            match word.as_str() {
                "file" => self.file()?,
                "gap" => gaps.push(self.gap()?),
                "global" | "thread_local" | "local" => self.variable()?,
                "object" => {
                    self.advance();
                    if self.object_name()?.index() != objects.len() {
                        self.at = before;
                        return self.error("this object is declared twice");
                    }
                    self.at = before + 1;
                    objects.push(self.object()?);
                }
                "proc" => {
                    self.advance();
                    if self.proc_name()?.index() != procs.len() {
                        self.at = before;
                        return self.error("this procedure is declared twice");
                    }
                    self.at = before + 1;
                    procs.push(self.procedure(ProcId(procs.len() as u32))?);
                }
                _ => return self.expected("a declaration"),
            }
        }
        let mut vars: Vec<(VarId, Var)> = self.vars.drain().collect();
        vars.sort_by_key(|(id, _)| *id);
        if let Some(missing) = (0..vars.len()).find(|&i| vars[i].0.index() != i) {
            return self.error(format!("no variable has the id {missing}"));
        }
        let vars = vars.into_iter().map(|(_, var)| var).collect();
        Ok(Program {
            pointer_bits,
            files: self.files,
            pool: self.pool,
            vars,
            objects,
            procs,
            entry,
            dynamic_base,
            gaps,
            callers: Vec::new(),
        })
    }

    fn gap(&mut self) -> Parsed<Gap> {
        self.advance();
        let kind = if self.eat_word("unmodelled") {
            GapKind::Unmodelled
        } else {
            self.word("unsupported")?;
            GapKind::Unsupported
        };
        let message = self.utf8()?;
        self.newline()?;
        Ok(Gap { kind, message })
    }

    fn file(&mut self) -> Parsed<()> {
        self.advance();
        let name = self.utf8()?;
        let id = FileId(self.files.len() as u32);
        self.file_ids.insert(name.clone(), id);
        self.files.push(name);
        self.newline()
    }

    pub(crate) fn proc_name(&mut self) -> Parsed<ProcId> {
        let before = self.at;
        let name = self.name()?;
        match self.proc_ids.get(&name) {
            Some(id) => Ok(*id),
            None => {
                self.at = before;
                self.error("there is no such procedure")
            }
        }
    }

    fn object_name(&mut self) -> Parsed<ObjectId> {
        let before = self.at;
        let name = self.name()?;
        match self.object_ids.get(&name) {
            Some(id) => Ok(*id),
            None => {
                self.at = before;
                self.error("there is no such object")
            }
        }
    }

    /// A variable that is declared and visible here.
    pub(crate) fn var(&mut self) -> Parsed<VarId> {
        let before = self.at;
        let (name, id) = self.name()?;
        let found = match id {
            Some(id) => Some(VarId(id)).filter(|id| self.vars.contains_key(id)),
            None => {
                let known = |scope| self.var_ids.get(&(scope, name.clone())).copied();
                known(self.scope).or_else(|| known(None))
            }
        };
        found.map_or_else(
            || {
                self.at = before;
                self.error("there is no such variable")
            },
            Ok,
        )
    }

    pub(crate) fn var_sort(&self, id: VarId) -> Sort {
        self.vars.get(&id).map_or(Sort::Bool, |var| var.sort)
    }

    /// `global x #0: bv32 signed = 5i32 @ a.c:1:5`
    fn variable(&mut self) -> Parsed<()> {
        let keyword = match self.advance() {
            Token::Word(word, _) => word,
            _ => String::new(),
        };
        let owner = match keyword.as_str() {
            "local" if self.eat_word("of") => Some(self.proc_name()?),
            "local" => self.scope,
            _ => None,
        };
        let place = self.at;
        let (name, suffix) = self.name()?;
        let real_name = self.real_name(&name)?;
        self.symbol("#")?;
        let id = VarId(self.small()?);
        self.symbol(":")?;
        let sort = self.sort()?;
        let signed = self.eat_word("signed");
        let init = if self.eat("=") {
            let constant = self.operand()?;
            match self.pool.as_const(constant) {
                Some(c) if keyword != "local" => Some(c),
                _ => return self.error("only a constant is an initial value, and only of a global variable"),
            }
        } else {
            None
        };
        let kind = match (keyword.as_str(), owner) {
            ("global", _) => VarKind::Global(init),
            ("thread_local", _) => VarKind::ThreadLocal(init),
            (_, Some(proc)) => VarKind::Local(proc),
            _ => return self.error("a local variable stands in a procedure"),
        };
        let span = self.span()?;
        let known_name = self.var_ids.contains_key(&(owner, name.clone()));
        if self.vars.contains_key(&id) || (suffix.is_none() && known_name) {
            self.at = place;
            return self.error("this variable is declared twice");
        }
        if suffix.is_some_and(|suffix| suffix != id.0) {
            self.at = place;
            return self.error("the id after the name is not the variable's");
        }
        if suffix.is_none() {
            self.var_ids.insert((owner, name), id);
        }
        self.vars
            .insert(id, Var { name: real_name, sort, kind, signed, span, origin: crate::origin::Origin::default() });
        self.newline()
    }

    fn sort(&mut self) -> Parsed<Sort> {
        match self.peek() {
            Token::Word(word, None) => match sort(word).filter(|sort| sort.is_supported()) {
                Some(sort) => {
                    self.advance();
                    Ok(sort)
                }
                None => self.expected("a sort"),
            },
            _ => self.expected("a sort"),
        }
    }

    /// `object buffer: 16 bytes at 0x1000, exposed, writable, "ab" zeros 2, 8 -> other @ a.c:1:5`
    fn object(&mut self) -> Parsed<Object> {
        let (name, _) = self.name()?;
        let name = self.real_name(&name)?;
        self.symbol(":")?;
        let size = self.number()?;
        self.word("bytes")?;
        self.word("at")?;
        let address = self.number()?;
        self.symbol(",")?;
        let exposed = self.eat_word("exposed");
        if exposed {
            self.symbol(",")?;
        }
        let kind = if self.eat_word("function") {
            ObjectKind::Function(self.proc_name()?)
        } else {
            let writable = self.eat_word("writable");
            if !writable {
                self.word("readonly")?;
            }
            self.symbol(",")?;
            let init = if self.eat_word("any") { ObjectInit::Any } else { self.object_bytes()? };
            ObjectKind::Data { init, writable }
        };
        let span = self.span()?;
        self.newline()?;
        Ok(Object { name, address, size, kind, exposed, span, origin: crate::origin::Origin::default() })
    }

    fn object_bytes(&mut self) -> Parsed<ObjectInit> {
        /// No program has as many; a slip of the pen should not take all memory.
        const MAX_ZEROS: u64 = 1 << 28;
        let mut bytes = self.string()?;
        if self.eat_word("zeros") {
            let zeros = self.number()?;
            if zeros > MAX_ZEROS {
                return self.error("too many zeros");
            }
            bytes.resize(bytes.len() + zeros as usize, 0);
        }
        let mut pointers = Vec::new();
        while self.eat(",") {
            let offset = self.number()?;
            self.symbol("->")?;
            pointers.push((offset, self.object_name()?));
        }
        Ok(ObjectInit::Bytes { bytes, pointers })
    }

    fn procedure(&mut self, id: ProcId) -> Parsed<Procedure> {
        let (name, _) = self.name()?;
        let name = self.real_name(&name)?;
        // Parameters and result are locals, which are declared below.
        let signature = self.at;
        while !matches!(self.peek(), Token::Newline | Token::End) {
            self.advance();
        }
        self.newline()?;
        self.scope = Some(id);
        let mut locals = Vec::new();
        while self.is_word("local") && !matches!(self.peek_after(), Token::Word(word, None) if word == "of") {
            locals.push(self.local()?);
        }
        let body = std::mem::replace(&mut self.at, signature);
        self.symbol("(")?;
        let mut params = Vec::new();
        while !self.is_symbol(")") {
            if !params.is_empty() {
                self.symbol(",")?;
            }
            params.push(self.var()?);
        }
        self.symbol(")")?;
        let result = if self.eat("->") { Some(self.var()?) } else { None };
        let span = self.span()?;
        self.newline()?;
        self.at = body;

        let mut locations = Vec::new();
        while self.eat_word("at") {
            loop {
                self.new_location(locations.len())?;
                let kind = if self.eat_word("recursion_bound") {
                    LocKind::RecursionBound
                } else if self.eat_word("gap") {
                    LocKind::Gap(GapId(self.small()?))
                } else {
                    LocKind::Normal
                };
                locations.push(Location { kind, span: self.span()?, origin: crate::origin::Origin::default() });
                if !self.eat(",") {
                    break;
                }
            }
            self.newline()?;
        }
        self.word("entry")?;
        let entry = self.location(locations.len())?;
        self.symbol(",")?;
        self.word("exit")?;
        let exit = self.location(locations.len())?;
        self.newline()?;
        let mut edges = Vec::new();
        loop {
            match self.peek() {
                Token::Word(word, None) if word == "let" => self.definition()?,
                Token::Word(word, None) if word.starts_with('L') => edges.push(self.edge(locations.len())?),
                _ => break,
            }
        }
        self.scope = None;
        Ok(Procedure { name, params, result, locals, locations, edges, entry, exit, span })
    }

    /// The declaration of a local, or the mention of one that is declared elsewhere.
    fn local(&mut self) -> Parsed<VarId> {
        let before = self.at;
        self.advance();
        self.name()?;
        if matches!(self.peek(), Token::Newline | Token::End) {
            self.at = before + 1;
            let var = self.var()?;
            self.newline()?;
            return Ok(var);
        }
        if self.eat_word("named") {
            self.string()?;
        }
        self.symbol("#")?;
        let id = VarId(self.small()?);
        self.at = before;
        self.variable()?;
        Ok(id)
    }

    /// `L3`, a number below a bound.
    fn location_number(&mut self, bound: usize) -> Option<LocId> {
        match self.peek() {
            Token::Word(word, None) => {
                let number: u32 = word.strip_prefix('L')?.parse().ok()?;
                if number as usize >= bound {
                    return None;
                }
                self.advance();
                Some(LocId(number))
            }
            _ => None,
        }
    }

    fn location(&mut self, count: usize) -> Parsed<LocId> {
        self.location_number(count).map_or_else(|| self.expected("a location of this procedure"), Ok)
    }

    fn new_location(&mut self, number: usize) -> Parsed<()> {
        let before = self.at;
        if self.location_number(number + 1) == Some(LocId(number as u32)) {
            return Ok(());
        }
        self.at = before;
        self.expected(&format!("`L{number}`"))
    }

    /// `let $12 = x + 1i32`
    fn definition(&mut self) -> Parsed<()> {
        self.advance();
        let name = match self.peek() {
            Token::Word(word, None) if word.starts_with('$') => word.clone(),
            _ => return self.expected("a name that starts with `$`"),
        };
        self.advance();
        self.symbol("=")?;
        let id = self.expr()?;
        if self.definitions.insert(name, id).is_some() {
            return self.error("this name is defined twice");
        }
        self.newline()
    }

    fn edge(&mut self, locations: usize) -> Parsed<Edge> {
        let source = self.location(locations)?;
        self.symbol("->")?;
        let target = self.location(locations)?;
        let mut labels = Vec::new();
        if self.eat(":") {
            labels.push(self.label()?);
            while self.eat(";") {
                labels.push(self.label()?);
            }
        }
        let span = self.span()?;
        self.newline()?;
        Ok(Edge { source, target, labels, span, is_silent: false })
    }
}

/// A sort as `Display` writes it.
pub(crate) fn sort(word: &str) -> Option<Sort> {
    if word == "bool" {
        return Some(Sort::Bool);
    }
    if let Some(width) = word.strip_prefix("bv") {
        return width.parse().ok().map(Sort::Bits);
    }
    if let Some((index, element)) = word.strip_prefix("array").and_then(|pair| pair.split_once('_')) {
        return Some(Sort::Array { index: index.parse().ok()?, element: element.parse().ok()? });
    }
    float_sort(word).map(Sort::Float)
}

/// `fp8_24`
pub(crate) fn float_sort(word: &str) -> Option<FloatSort> {
    let (exponent, significand) = word.strip_prefix("fp")?.split_once('_')?;
    Some(FloatSort { exponent: exponent.parse().ok()?, significand: significand.parse().ok()? })
        .filter(|format| format.is_supported())
}
