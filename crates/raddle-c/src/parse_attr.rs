//! The grammar of attributes (`__attribute__((...))`, `[[...]]`), `asm` and static assertions.

use crate::ast::*;
use crate::error::Result;
use crate::parser::Parser;
use crate::token::Tok;

impl Parser<'_> {
    pub(crate) fn at_attribute(&self) -> bool {
        match self.tok() {
            Tok::Attribute => true,
            Tok::LBracket => self.tok_at(1) == Tok::LBracket,
            _ => false,
        }
    }

    /// All attributes that stand here.
    pub(crate) fn attributes(&mut self, attrs: &mut Vec<Attribute>) -> Result<()> {
        while self.at_attribute() {
            if self.eat(Tok::Attribute) {
                self.expect(Tok::LParen)?;
                self.expect(Tok::LParen)?;
                self.attribute_list(attrs, Tok::RParen)?;
                self.expect(Tok::RParen)?;
                self.expect(Tok::RParen)?;
            } else {
                self.bump();
                self.bump();
                self.attribute_list(attrs, Tok::RBracket)?;
                self.expect(Tok::RBracket)?;
                self.expect(Tok::RBracket)?;
            }
        }
        Ok(())
    }

    fn attribute_list(&mut self, attrs: &mut Vec<Attribute>, close: Tok) -> Result<()> {
        while self.tok() != close {
            if self.eat(Tok::Comma) {
                continue;
            }
            let pos = self.pos();
            let mut name = self.attribute_name()?;
            // `[[gnu::packed]]`: the prefix says only whose attribute it is.
            if self.tok() == Tok::Colon && self.tok_at(1) == Tok::Colon {
                self.bump();
                self.bump();
                name = self.attribute_name()?;
            }
            let mut args = Vec::new();
            if self.eat(Tok::LParen) {
                self.attribute_args(&mut args)?;
            }
            attrs.push(Attribute { pos, name, args });
            if self.tok() != close && self.tok() != Tok::Comma {
                return Err(self.unexpected(&format!("`,` or `{}`", close.spelling())));
            }
        }
        Ok(())
    }

    fn attribute_name(&mut self) -> Result<String> {
        let is_word = self.tok() == Tok::Ident || self.tok() as u8 >= Tok::Typedef as u8;
        if !is_word {
            return Err(self.unexpected("the name of an attribute"));
        }
        let name = self.interner.name(self.symbol());
        let plain = name.strip_prefix("__").and_then(|n| n.strip_suffix("__")).unwrap_or(name).to_string();
        self.bump();
        Ok(plain)
    }

    /// Behind the opening parenthesis. Arguments may be types or words of their own: what is no expression is skipped.
    fn attribute_args(&mut self, args: &mut Vec<Option<Expr>>) -> Result<()> {
        while !self.eat(Tok::RParen) {
            if self.eat(Tok::Comma) {
                continue;
            }
            let parsed = self.attempt(|p| {
                let expr = p.part(Self::assign_expr)?;
                if matches!(p.tok(), Tok::Comma | Tok::RParen) { Ok(expr) } else { Err(p.unexpected("`)`")) }
            })?;
            if parsed.is_none() {
                self.skip_argument()?;
            }
            args.push(parsed);
        }
        Ok(())
    }

    fn skip_argument(&mut self) -> Result<()> {
        while !matches!(self.tok(), Tok::Comma | Tok::RParen) {
            match self.tok() {
                Tok::LParen | Tok::LBracket | Tok::LBrace => self.skip_balanced()?,
                Tok::Eof | Tok::Error => return Err(self.unexpected("`)`")),
                _ => self.bump(),
            }
        }
        Ok(())
    }

    /// `asm volatile goto (template : outputs : inputs : clobbers : labels);` as a statement or at file scope.
    pub(crate) fn asm_statement(&mut self) -> Result<Asm> {
        self.expect(Tok::Asm)?;
        let mut is_goto = false;
        while matches!(self.tok(), Tok::Volatile | Tok::Inline | Tok::Goto | Tok::Const) {
            is_goto |= self.tok() == Tok::Goto;
            self.bump();
        }
        self.expect(Tok::LParen)?;
        let template = self.string_bytes()?;
        let mut asm = Asm { template, is_goto, outputs: Vec::new(), inputs: Vec::new(), clobbers: Vec::new() };
        if self.eat(Tok::Colon) {
            asm.outputs = self.asm_operands()?;
            if self.eat(Tok::Colon) {
                asm.inputs = self.asm_operands()?;
                if self.eat(Tok::Colon) {
                    while self.tok() == Tok::Str {
                        asm.clobbers.push(self.string_bytes()?);
                        self.eat(Tok::Comma);
                    }
                    if self.eat(Tok::Colon) {
                        while self.tok() == Tok::Ident {
                            self.bump();
                            self.eat(Tok::Comma);
                        }
                    }
                }
            }
        }
        self.expect(Tok::RParen)?;
        self.expect(Tok::Semi)?;
        Ok(asm)
    }

    /// `[name] "constraint" (expression), ...`
    fn asm_operands(&mut self) -> Result<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        while matches!(self.tok(), Tok::LBracket | Tok::Str) {
            let mut name = None;
            if self.eat(Tok::LBracket) {
                let (symbol, _) = self.ident("the name of an operand")?;
                name = Some(self.interner.name(symbol).to_string());
                self.expect(Tok::RBracket)?;
            }
            let mut constraint = self.string_bytes()?;
            constraint.retain(|c| !c.is_ascii_whitespace() && *c != 0);
            self.expect(Tok::LParen)?;
            let expr = self.part(Self::expr)?;
            self.expect(Tok::RParen)?;
            operands.push(AsmOperand { name, constraint, expr });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        Ok(operands)
    }

    /// `asm("name")` behind a declarator.
    pub(crate) fn asm_label(&mut self) -> Result<Vec<u8>> {
        self.expect(Tok::Asm)?;
        self.expect(Tok::LParen)?;
        let name = self.string_bytes()?;
        self.expect(Tok::RParen)?;
        Ok(name)
    }

    /// With its semicolon.
    pub(crate) fn static_assert(&mut self) -> Result<StaticAssert> {
        let pos = self.expect(Tok::StaticAssert)?;
        self.expect(Tok::LParen)?;
        let cond = self.part(Self::assign_expr)?;
        let message = if self.eat(Tok::Comma) { Some(self.string_bytes()?) } else { None };
        self.expect(Tok::RParen)?;
        self.expect(Tok::Semi)?;
        self.grow()?;
        Ok(StaticAssert { pos, cond, message })
    }
}
