//! The grammar of statements and blocks (C11 6.8, with GNU's labels, case ranges and computed `goto`).

use crate::ast::*;
use crate::error::Result;
use crate::parser::{Meaning, Parser};
use crate::source::Pos;
use crate::token::Tok;

/// What stands before the colon in front of a statement.
enum Prefix {
    Case(Expr, Option<Expr>),
    Default,
    Label(Symbol),
}

impl Parser<'_> {
    /// `{ ... }` with a scope of its own.
    pub(crate) fn block(&mut self) -> Result<Block> {
        let pos = self.expect(Tok::LBrace)?;
        self.down()?;
        let scope = self.open_scope();
        let outer_labels = self.local_labels.len();
        while self.tok() == Tok::LabelKw || (self.tok() == Tok::Extension && self.tok_at(1) == Tok::LabelKw) {
            self.eat(Tok::Extension);
            self.local_label_names()?;
        }
        let mut items = Vec::new();
        while self.tok() != Tok::RBrace {
            if self.tok() == Tok::Eof {
                let line = self.line_of(pos);
                return Err(self.unexpected(&format!("`}}` to close the `{{` of {line}")));
            }
            let item = self.part(Self::block_item)?;
            items.push(item);
        }
        // Statements are large and most blocks small: unused room would be most of the tree.
        items.shrink_to_fit();
        let end = self.pos();
        self.bump();
        self.local_labels.truncate(outer_labels);
        self.close_scope(scope);
        self.up();
        self.grow()?;
        Ok(Block { pos, items, end })
    }

    /// `__label__ a, b;` Each gets a name that is unique in the text, as the same macro may declare it many times in a
    /// function.
    fn local_label_names(&mut self) -> Result<()> {
        self.expect(Tok::LabelKw)?;
        loop {
            let (name, _) = self.ident("a label")?;
            self.label_count += 1;
            let unique = format!("{}@{}", self.interner.name(name), self.label_count);
            let unique = self.interner.intern(unique);
            self.local_labels.push((name, unique));
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::Semi)?;
        Ok(())
    }

    /// The label that a name stands for here.
    pub(crate) fn label(&self, name: Symbol) -> Symbol {
        self.local_labels.iter().rev().find(|l| l.0 == name).map_or(name, |l| l.1)
    }

    fn block_item(&mut self) -> Result<BlockItem> {
        match self.tok() {
            Tok::StaticAssert => return Ok(BlockItem::StaticAssert(self.static_assert()?)),
            Tok::Extension if self.tok_at(1) == Tok::StaticAssert => {
                self.bump();
                return Ok(BlockItem::StaticAssert(self.static_assert()?));
            }
            _ => {}
        }
        if !self.at_declaration() {
            return Ok(BlockItem::Stmt(self.statement()?));
        }
        let pos = self.pos();
        let specs = self.decl_specs()?;
        if self.eat(Tok::Semi) {
            return Ok(BlockItem::Declaration(Declaration { pos, specs, declarators: Vec::new() }));
        }
        let mut first = self.named_declarator()?;
        self.declarator_tail(&mut first)?;
        if self.begins_body(&first) {
            if let Some(name) = first.name {
                self.declare(name, Meaning::Ordinary);
            }
            while self.tok() != Tok::LBrace {
                if matches!(self.tok(), Tok::Eof | Tok::Error) {
                    return Err(self.expected_token(Tok::LBrace));
                }
                self.bump();
            }
            self.skip_balanced()?;
            return Ok(BlockItem::NestedFunction(first.pos));
        }
        Ok(BlockItem::Declaration(self.finish_declaration(pos, specs, first)?))
    }

    /// Whether a declaration stands here; a statement otherwise.
    fn at_declaration(&self) -> bool {
        match self.tok() {
            Tok::Ident => self.is_type_at(0) && self.tok_at(1) != Tok::Colon,
            Tok::Attribute | Tok::Extension | Tok::LBracket => {
                let behind = self.attributes_at(0);
                self.is_type_at(behind) && self.tok_at(behind + 1) != Tok::Colon
            }
            tok => tok.starts_declaration(),
        }
    }

    pub(crate) fn statement(&mut self) -> Result<Stmt> {
        self.down()?;
        let pos = self.pos();
        let kind = match self.tok() {
            Tok::LBrace => StmtKind::Block(self.block()?),
            Tok::If => self.if_chain()?,
            Tok::Case | Tok::Default => return self.labelled(),
            Tok::Ident if self.tok_at(1) == Tok::Colon => return self.labelled(),
            Tok::Attribute => {
                // `__attribute__((fallthrough));` and the like say nothing about what a program does.
                self.attributes(&mut Vec::new())?;
                self.up();
                return self.statement();
            }
            Tok::LBracket if self.at_attribute() => {
                self.attributes(&mut Vec::new())?;
                self.up();
                return self.statement();
            }
            _ => self.simple_statement()?,
        };
        self.up();
        self.grow()?;
        Ok(Stmt { pos, kind })
    }

    fn simple_statement(&mut self) -> Result<StmtKind> {
        Ok(match self.tok() {
            Tok::Semi => {
                self.bump();
                StmtKind::Expr(None)
            }
            Tok::While => {
                self.bump();
                let cond = self.condition()?;
                StmtKind::While { cond, body: self.body()? }
            }
            Tok::Do => {
                self.bump();
                let body = self.body()?;
                if !self.eat(Tok::While) {
                    return Err(self.unexpected("`while`"));
                }
                let cond = self.condition()?;
                self.expect(Tok::Semi)?;
                StmtKind::DoWhile { body, cond }
            }
            Tok::For => self.for_loop()?,
            Tok::Switch => {
                self.bump();
                let value = self.condition()?;
                StmtKind::Switch { value, body: self.body()? }
            }
            Tok::Goto => {
                self.bump();
                let kind = if self.eat(Tok::Star) {
                    StmtKind::ComputedGoto(self.part(Self::expr)?)
                } else {
                    let (name, _) = self.ident("a label")?;
                    StmtKind::Goto(self.label(name))
                };
                self.expect(Tok::Semi)?;
                kind
            }
            Tok::Break => {
                self.bump();
                self.expect(Tok::Semi)?;
                StmtKind::Break
            }
            Tok::Continue => {
                self.bump();
                self.expect(Tok::Semi)?;
                StmtKind::Continue
            }
            Tok::Return => {
                self.bump();
                let value = if self.tok() == Tok::Semi { None } else { Some(self.part(Self::expr)?) };
                self.expect(Tok::Semi)?;
                StmtKind::Return(value)
            }
            Tok::Asm => StmtKind::Asm(self.asm_statement()?),
            Tok::Else => return Err(self.unexpected("a statement (there is no `if` for this `else`)")),
            tok if tok.starts_declaration() => {
                return Err(self.unexpected("a statement (a declaration must stand in a block)"));
            }
            Tok::Ident if self.tok_at(1) == Tok::Ident => return Err(self.unknown_type()),
            Tok::RParen | Tok::RBracket | Tok::Eof => return Err(self.unexpected("a statement")),
            _ => {
                let expr = self.part(Self::expr)?;
                self.expect(Tok::Semi)?;
                StmtKind::Expr(Some(expr))
            }
        })
    }

    fn condition(&mut self) -> Result<Expr> {
        self.expect(Tok::LParen)?;
        let cond = self.part(Self::expr)?;
        self.expect(Tok::RParen)?;
        Ok(cond)
    }

    fn body(&mut self) -> Result<Box<Stmt>> {
        Ok(Box::new(self.part(Self::statement)?))
    }

    /// `if ... else if ... else ...` in a loop, as such chains get long.
    fn if_chain(&mut self) -> Result<StmtKind> {
        let mut arms: Vec<(Pos, Expr, Box<Stmt>)> = Vec::new();
        let mut otherwise = None;
        loop {
            let pos = self.expect(Tok::If)?;
            let cond = self.condition()?;
            arms.push((pos, cond, self.body()?));
            if !self.eat(Tok::Else) {
                break;
            }
            if self.tok() != Tok::If {
                otherwise = Some(self.body()?);
                break;
            }
        }
        self.grow_by(arms.len())?;
        let mut chain = otherwise;
        while let Some((pos, cond, then)) = arms.pop() {
            let kind = StmtKind::If { cond, then, otherwise: chain };
            if arms.is_empty() {
                return Ok(kind);
            }
            chain = Some(Box::new(Stmt { pos, kind }));
        }
        Err(self.unexpected("`if`"))
    }

    fn for_loop(&mut self) -> Result<StmtKind> {
        self.bump();
        self.expect(Tok::LParen)?;
        let scope = self.open_scope();
        let init = if self.eat(Tok::Semi) {
            None
        } else if self.at_declaration() {
            Some(ForInit::Declaration(self.part(Self::declaration)?))
        } else {
            let init = self.part(Self::expr)?;
            self.expect(Tok::Semi)?;
            Some(ForInit::Expr(init))
        };
        let cond = if self.tok() == Tok::Semi { None } else { Some(self.part(Self::expr)?) };
        self.expect(Tok::Semi)?;
        let step = if self.tok() == Tok::RParen { None } else { Some(self.part(Self::expr)?) };
        self.expect(Tok::RParen)?;
        let body = self.body()?;
        self.close_scope(scope);
        Ok(StmtKind::For { init, cond, step, body })
    }

    /// A statement behind labels, which are taken in a loop: `case 1: case 2: ...` gets long. `statement` has gone down.
    fn labelled(&mut self) -> Result<Stmt> {
        let mut prefixes = Vec::new();
        loop {
            let pos = self.pos();
            let prefix = match self.tok() {
                Tok::Case => {
                    self.bump();
                    let first = self.part(Self::conditional_expr)?;
                    let last = if self.eat(Tok::Ellipsis) { Some(self.part(Self::conditional_expr)?) } else { None };
                    Prefix::Case(first, last)
                }
                Tok::Default => {
                    self.bump();
                    Prefix::Default
                }
                Tok::Ident if self.tok_at(1) == Tok::Colon => {
                    let name = self.symbol();
                    self.bump();
                    Prefix::Label(self.label(name))
                }
                _ => break,
            };
            self.expect(Tok::Colon)?;
            prefixes.push((pos, prefix));
            // `label: __attribute__((unused));`, unless the attribute belongs to a declaration.
            if self.at_attribute() && !self.at_declaration() {
                self.attributes(&mut Vec::new())?;
            }
        }
        // A label may end a block or stand before a declaration: it labels an empty statement then.
        let empty = self.tok() == Tok::RBrace || self.tok() == Tok::StaticAssert || self.at_declaration();
        let mut stmt =
            if empty { Stmt { pos: self.pos(), kind: StmtKind::Expr(None) } } else { self.part(Self::statement)? };
        self.grow_by(prefixes.len())?;
        for (pos, prefix) in prefixes.into_iter().rev() {
            let body = Box::new(stmt);
            let kind = match prefix {
                Prefix::Case(first, last) => StmtKind::Case { first, last, body },
                Prefix::Default => StmtKind::Default(body),
                Prefix::Label(name) => StmtKind::Label { name, body },
            };
            stmt = Stmt { pos, kind };
        }
        self.up();
        Ok(stmt)
    }
}
