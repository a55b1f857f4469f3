//! The parser: recursive descent over the tokens of one text, to the syntax tree of `ast.rs`.
//!
//! C cannot be parsed without knowing which names are types, so the parser keeps the scopes of ordinary names. This file
//! has that, the handling of tokens, errors and depth, and what stands at file scope; `parse_decl.rs`, `parse_stmt.rs`,
//! `parse_expr.rs` and `parse_attr.rs` have the grammar.
//!
//! Depth. The native recursion of the parser is limited, and so is the height of the tree, as later stages recurse over
//! it. Long chains that are flat to the eye (`else if`, `a + b + ...`, `c ? x : d ? y : ...`, `case 1: case 2: ...`) are
//! built in loops: they only add height. `height` follows this convention: a parsing function leaves the height of what
//! it parsed in it; whoever parses a further part does so within `part`, which keeps the maximum; making a node calls `grow`.

use crate::ast::*;
use crate::error::{Error, ErrorKind, Result};
use crate::interner::Interner;
use crate::lexer::{Tokens, lex};
use crate::source::{Pos, SourceMap};
use crate::token::{BUILTIN_TYPES, KEYWORDS, Tok, Token};

/// How deep programs may nest. With the defaults the parser needs at most 64 MiB of stack, unoptimised 256 MiB.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Parentheses, braces and prefix operators inside each other (the parser's recursion).
    pub nesting: u32,
    /// Levels of the syntax tree.
    pub tree: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { nesting: 5_000, tree: 20_000 }
    }
}

/// Parses one text of the map.
pub fn parse(source: &SourceMap, text: usize, interner: &mut Interner) -> Result<Unit> {
    parse_within(source, text, interner, Limits::default())
}

/// Like `parse`, with limits of one's own.
pub fn parse_within(source: &SourceMap, text: usize, interner: &mut Interner, limits: Limits) -> Result<Unit> {
    let tokens = lex(source, text, interner);
    parse_tokens(source, &tokens, interner, limits)
}

/// The parsing alone.
pub fn parse_tokens(source: &SourceMap, tokens: &Tokens, interner: &mut Interner, limits: Limits) -> Result<Unit> {
    Parser::new(source, tokens, interner, limits).unit()
}

/// Parses a text of the map that is one expression, where some names are types.
pub fn parse_expression(
    source: &SourceMap,
    text: usize,
    interner: &mut Interner,
    is_type: &dyn Fn(Symbol) -> bool,
) -> Result<Expr> {
    let tokens = lex(source, text, interner);
    let mut parser = Parser::new(source, &tokens, interner, Limits::default());
    for (number, meaning) in parser.meanings.iter_mut().enumerate() {
        if is_type(Symbol(number as u32)) {
            *meaning = Meaning::Typedef;
        }
    }
    parser.is_condition = true;
    let expr = parser.expr()?;
    match parser.tok() {
        Tok::Eof => Ok(expr),
        _ => Err(parser.unexpected("the end of the expression")),
    }
}

impl<'a> Parser<'a> {
    fn new(source: &'a SourceMap, tokens: &'a Tokens<'a>, interner: &'a mut Interner, limits: Limits) -> Parser<'a> {
        let mut meanings = vec![Meaning::Ordinary; interner.len()];
        meanings[KEYWORDS.len()..][..BUILTIN_TYPES.len()].fill(Meaning::Builtin);
        Parser {
            source,
            tokens,
            list: &tokens.list,
            at: 0,
            interner,
            limits,
            depth: 0,
            height: 0,
            meanings,
            hidden: Vec::new(),
            local_labels: Vec::new(),
            label_count: 0,
            pointers: Vec::new(),
            is_condition: false,
        }
    }
}

/// What an ordinary identifier means in the current scope.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// An object, function, enumeration constant, or nothing yet.
    Ordinary,
    Typedef,
    /// A type name of the compiler (`BUILTIN_TYPES`).
    Builtin,
}

pub(crate) struct Parser<'a> {
    source: &'a SourceMap,
    pub(crate) tokens: &'a Tokens<'a>,
    list: &'a [Token],
    at: usize,
    pub(crate) interner: &'a mut Interner,
    limits: Limits,
    /// Levels of recursion at this moment.
    depth: u32,
    /// See the top of this file.
    height: u32,
    /// By symbol.
    meanings: Vec<Meaning>,
    /// What declarations in inner scopes have hidden, to be brought back when the scope closes.
    hidden: Vec<(Symbol, Meaning)>,
    /// `__label__` names in scope, and the unique names that they are given.
    pub(crate) local_labels: Vec<(Symbol, Symbol)>,
    pub(crate) label_count: u32,
    /// Pointers of the declarators being parsed, outermost first.
    pub(crate) pointers: Vec<Quals>,
    /// The text is a condition, not a program.
    pub(crate) is_condition: bool,
}

/// A place to come back to.
pub(crate) struct Checkpoint {
    at: usize,
    depth: u32,
    height: u32,
    hidden: usize,
    local_labels: usize,
    pointers: usize,
}

impl Parser<'_> {
    // Tokens.

    pub(crate) fn tok(&self) -> Tok {
        self.list[self.at].kind
    }

    /// The kind of the token so many behind the current one.
    pub(crate) fn tok_at(&self, ahead: usize) -> Tok {
        self.list.get(self.at + ahead).map_or(Tok::Eof, |t| t.kind)
    }

    pub(crate) fn token(&self) -> Token {
        self.list[self.at]
    }

    pub(crate) fn pos(&self) -> Pos {
        self.tokens.pos(self.list[self.at].start)
    }

    pub(crate) fn index(&self) -> usize {
        self.at
    }

    pub(crate) fn offset(&self) -> u32 {
        self.list[self.at].start
    }

    /// Goes to the next token; never beyond the end or a lexical error.
    pub(crate) fn bump(&mut self) {
        if !matches!(self.tok(), Tok::Eof | Tok::Error) {
            self.at += 1;
        }
    }

    pub(crate) fn eat(&mut self, kind: Tok) -> bool {
        let found = self.tok() == kind;
        if found {
            self.at += 1;
        }
        found
    }

    pub(crate) fn expect(&mut self, kind: Tok) -> Result<Pos> {
        if self.tok() == kind {
            let pos = self.pos();
            self.at += 1;
            return Ok(pos);
        }
        Err(self.expected_token(kind))
    }

    pub(crate) fn ident(&mut self, what: &str) -> Result<(Symbol, Pos)> {
        let token = self.token();
        if token.kind != Tok::Ident {
            return Err(self.unexpected(what));
        }
        let pos = self.pos();
        self.at += 1;
        Ok((Symbol(token.data), pos))
    }

    pub(crate) fn symbol(&self) -> Symbol {
        Symbol(self.token().data)
    }

    /// How the current token is written.
    pub(crate) fn spelling(&self) -> &[u8] {
        self.spelling_of(self.token())
    }

    pub(crate) fn spelling_at(&self, ahead: usize) -> &[u8] {
        self.list.get(self.at + ahead).map_or(&[], |t| self.spelling_of(*t))
    }

    fn spelling_of(&self, token: Token) -> &[u8] {
        let start = token.start as usize;
        let length = match token.kind {
            Tok::Number | Tok::Char | Tok::Str => token.data as usize,
            Tok::Eof | Tok::Error => 0,
            kind if !kind.spelling().is_empty() => return kind.spelling().as_bytes(),
            _ => return self.interner.name(Symbol(token.data)).as_bytes(),
        };
        &self.tokens.text[start..start + length]
    }

    /// Skips a parenthesis (or bracket, or brace) and all up to the one that closes it.
    pub(crate) fn skip_balanced(&mut self) -> Result<()> {
        let last = self.at + self.balanced_at(0) - 1;
        if last + 1 >= self.list.len() {
            // Nothing closes it; the text ends, or lexing stopped.
            self.at = self.list.iter().rposition(|t| t.kind == Tok::Error).unwrap_or(self.list.len() - 1);
            return Err(self.unexpected("a closing parenthesis or brace"));
        }
        self.at = last + 1;
        Ok(())
    }

    // Errors.

    /// An error that says what was found instead of what was expected.
    pub(crate) fn unexpected(&self, expected: &str) -> Error {
        match self.lexical_error() {
            Some(error) => error,
            None => Error::invalid(self.pos(), format!("expected {expected}, found {}", self.found())),
        }
    }

    fn lexical_error(&self) -> Option<Error> {
        if self.tok() == Tok::Error { self.tokens.error.clone() } else { None }
    }

    /// A missing `;` or the like is best shown behind what comes before it, if that is on another line.
    pub(crate) fn expected_token(&self, kind: Tok) -> Error {
        let mut error = self.unexpected(&format!("`{}`", kind.spelling()));
        if self.tok() != Tok::Error
            && matches!(kind, Tok::Semi | Tok::Comma | Tok::RParen | Tok::RBracket)
            && let Some(before) = self.at.checked_sub(1).map(|i| self.list[i])
        {
            let end = before.start + self.spelling_of(before).len() as u32;
            let between = self.tokens.text.get(end as usize..self.offset() as usize).unwrap_or(&[]);
            if between.contains(&b'\n') {
                error.pos = Some(self.tokens.pos(end.saturating_sub(1)));
            }
        }
        error
    }

    fn found(&self) -> String {
        let text = String::from_utf8_lossy(self.spelling());
        let shown = if text.chars().count() > 40 {
            format!("{}…", text.chars().take(39).collect::<String>())
        } else {
            text.into_owned()
        };
        match self.tok() {
            Tok::Eof => "the end of the file".to_string(),
            Tok::Str => format!("the string {shown}"),
            Tok::Char => format!("the character {shown}"),
            _ => format!("`{shown}`"),
        }
    }

    /// For messages that point back: `line 12`.
    pub(crate) fn line_of(&self, pos: Pos) -> String {
        format!("line {}", self.source.span(pos).line)
    }

    // Depth.

    /// One level of recursion down; `up` takes it back. (After an error nobody goes on, so nobody needs to.)
    pub(crate) fn down(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > self.limits.nesting {
            return Err(self.too_deep(self.limits.nesting));
        }
        Ok(())
    }

    pub(crate) fn up(&mut self) {
        self.depth -= 1;
    }

    #[cold]
    fn too_deep(&self, limit: u32) -> Error {
        Error::unsupported(self.pos(), format!("nesting deeper than {limit} levels"))
    }

    /// A node was made above what was parsed.
    pub(crate) fn grow(&mut self) -> Result<()> {
        self.grow_by(1)
    }

    pub(crate) fn grow_by(&mut self, levels: usize) -> Result<()> {
        self.height = self.height.saturating_add(u32::try_from(levels).unwrap_or(u32::MAX));
        if self.height > self.limits.tree {
            return Err(self.too_deep(self.limits.tree));
        }
        Ok(())
    }

    /// Parses a further part of a node.
    pub(crate) fn part<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let others = std::mem::replace(&mut self.height, 0);
        let parsed = parse(self)?;
        self.height = self.height.max(others);
        Ok(parsed)
    }

    /// Parses with `parse`; if the text there is not of that kind, everything is as it was before, and `None`.
    pub(crate) fn attempt<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<Option<T>> {
        let checkpoint = Checkpoint {
            at: self.at,
            depth: self.depth,
            height: self.height,
            hidden: self.hidden.len(),
            local_labels: self.local_labels.len(),
            pointers: self.pointers.len(),
        };
        match parse(self) {
            Ok(parsed) => Ok(Some(parsed)),
            Err(error) if error.kind == ErrorKind::Invalid => {
                self.at = checkpoint.at;
                self.depth = checkpoint.depth;
                self.height = checkpoint.height;
                self.close_scope(checkpoint.hidden);
                self.local_labels.truncate(checkpoint.local_labels);
                self.pointers.truncate(checkpoint.pointers);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    // Scopes.

    pub(crate) fn open_scope(&self) -> usize {
        self.hidden.len()
    }

    pub(crate) fn close_scope(&mut self, scope: usize) {
        while self.hidden.len() > scope {
            if let Some((symbol, meaning)) = self.hidden.pop() {
                self.meanings[symbol.0 as usize] = meaning;
            }
        }
    }

    pub(crate) fn declare(&mut self, symbol: Symbol, meaning: Meaning) {
        // Names made by the parser itself (local labels) have no meaning as identifiers.
        let Some(old) = self.meanings.get_mut(symbol.0 as usize) else { return };
        if *old != meaning {
            self.hidden.push((symbol, *old));
            *old = meaning;
        }
    }

    pub(crate) fn meaning(&self, symbol: Symbol) -> Meaning {
        self.meanings.get(symbol.0 as usize).copied().unwrap_or(Meaning::Ordinary)
    }

    /// Whether the token so many ahead begins a declaration or type name.
    pub(crate) fn is_type_at(&self, ahead: usize) -> bool {
        let Some(token) = self.list.get(self.at + ahead) else { return false };
        match token.kind {
            Tok::Ident => self.meaning(Symbol(token.data)) != Meaning::Ordinary,
            kind => kind.starts_declaration(),
        }
    }

    /// How many tokens of `__attribute__((...))`, `[[...]]` and `__extension__` stand at `ahead`.
    pub(crate) fn attributes_at(&self, ahead: usize) -> usize {
        let mut end = ahead;
        loop {
            match self.tok_at(end) {
                Tok::Extension => end += 1,
                Tok::Attribute => end += 1 + self.balanced_at(end + 1),
                Tok::LBracket if self.tok_at(end + 1) == Tok::LBracket => end += self.balanced_at(end),
                _ => return end - ahead,
            }
        }
    }

    /// How many tokens there are from an opening parenthesis to its closing one; 1 where none opens.
    fn balanced_at(&self, ahead: usize) -> usize {
        let index = self.at + ahead;
        match self.list.get(index) {
            Some(Token { kind: Tok::LParen | Tok::LBracket | Tok::LBrace, data, .. }) => {
                // Unclosed, it reaches to the end (or to the lexical error there).
                (*data as usize).min(self.list.len() - 1) + 1 - index
            }
            _ => 1,
        }
    }

    // File scope.

    fn unit(&mut self) -> Result<Unit> {
        let mut items = Vec::new();
        loop {
            self.height = 0;
            // Nothing outlives file scope: what it hides need not come back.
            self.hidden.clear();
            match self.tok() {
                Tok::Eof => return Ok(Unit { items, pragmas: self.tokens.pragmas.clone() }),
                Tok::Semi => self.bump(),
                Tok::Asm => {
                    let pos = self.pos();
                    let asm = self.asm_statement()?;
                    items.push(Item::Asm(pos, asm.template));
                }
                Tok::StaticAssert => items.push(Item::StaticAssert(self.static_assert()?)),
                Tok::Extension if matches!(self.tok_at(1), Tok::StaticAssert | Tok::Asm | Tok::Semi) => self.bump(),
                _ => items.push(self.external_declaration()?),
            }
        }
    }

    fn external_declaration(&mut self) -> Result<Item> {
        let (start, pos) = (self.at, self.pos());
        let specs = self.decl_specs()?;
        let implicit = self.at == start;
        if implicit {
            self.check_implicit_int()?;
        }
        if !implicit && self.eat(Tok::Semi) {
            return Ok(Item::Declaration(Declaration { pos, specs, declarators: Vec::new() }));
        }
        let mut declarator = self.named_declarator()?;
        self.declarator_tail(&mut declarator)?;
        if self.begins_body(&declarator) {
            return Ok(Item::Function(self.function(specs, declarator)?));
        }
        if implicit && !matches!(declarator.derived.first(), Some(Derived::Function(_))) && self.tok() == Tok::LBrace {
            return Err(self.unexpected("a declaration"));
        }
        Ok(Item::Declaration(self.finish_declaration(pos, specs, declarator)?))
    }

    /// A declaration without specifiers: `main() {}` is fine, `foo_t x;` misses a type.
    fn check_implicit_int(&mut self) -> Result<()> {
        match (self.tok(), self.tok_at(1)) {
            (Tok::Ident, Tok::LParen | Tok::Semi | Tok::Assign | Tok::Comma | Tok::LBracket) => Ok(()),
            (Tok::Ident, Tok::Attribute | Tok::Asm) => Ok(()),
            (Tok::Ident, Tok::Ident | Tok::Star) => Err(self.unknown_type()),
            (Tok::Ident, next) if next.starts_declaration() => Err(self.unknown_type()),
            (Tok::Ident, _) => {
                self.bump();
                Err(self.unexpected("a declaration"))
            }
            (Tok::Star | Tok::LParen, _) => Ok(()),
            _ => Err(self.unexpected("a declaration")),
        }
    }

    pub(crate) fn unknown_type(&self) -> Error {
        let name = String::from_utf8_lossy(self.spelling()).into_owned();
        Error::invalid(self.pos(), format!("unknown type name `{name}`"))
    }

    /// Whether what follows the declarator makes it a function definition.
    pub(crate) fn begins_body(&self, declarator: &Declarator) -> bool {
        match declarator.derived.first() {
            Some(Derived::Function(ParamList::Identifiers(names))) if !names.is_empty() => {
                self.tok() == Tok::LBrace || self.is_type_at(0) || (self.tok() == Tok::Extension && self.is_type_at(1))
            }
            Some(Derived::Function(_)) => self.tok() == Tok::LBrace,
            _ => false,
        }
    }

    /// The rest of a function definition: old-style parameter declarations and the body.
    fn function(&mut self, specs: DeclSpecs, declarator: Declarator) -> Result<FunctionDef> {
        let scope = self.open_scope();
        let kr_declarations = self.old_style_parameters(&declarator)?;
        let body = self.part(Self::block)?;
        self.close_scope(scope);
        let (pos, end) = (declarator.pos, body.end);
        Ok(FunctionDef { pos, specs, declarator, kr_declarations, body, end })
    }

    /// Declares the parameters for the body, and parses their declarations if they stand before it.
    pub(crate) fn old_style_parameters(&mut self, declarator: &Declarator) -> Result<Vec<Declaration>> {
        let mut declarations = Vec::new();
        match declarator.derived.first() {
            Some(Derived::Function(ParamList::Prototype { params, .. })) => {
                for param in params {
                    if let Some(name) = param.declarator.name {
                        self.declare(name, Meaning::Ordinary);
                    }
                }
            }
            Some(Derived::Function(ParamList::Identifiers(names))) => {
                // A parameter may have the name of a type that the declarations still use, so they come first.
                while self.tok() != Tok::LBrace {
                    if !self.is_type_at(self.attributes_at(0)) {
                        return Err(self.expected_token(Tok::LBrace));
                    }
                    declarations.push(self.part(Self::declaration)?);
                }
                for (name, _) in names {
                    self.declare(*name, Meaning::Ordinary);
                }
            }
            _ => {}
        }
        Ok(declarations)
    }
}
