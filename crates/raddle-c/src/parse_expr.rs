//! The grammar of expressions (C11 6.5), by precedence climbing, with GNU's additions.
//!
//! Positions: a binary operator's node stands at the operator, every other one where its text begins.

use crate::ast::*;
use crate::error::{Error, Result};
use crate::literal;
use crate::parser::Parser;
use crate::source::Pos;
use crate::token::Tok;

fn binary_op(tok: Tok) -> Option<(BinaryOp, u8)> {
    Some(match tok {
        Tok::Star => (BinaryOp::Mul, 10),
        Tok::Slash => (BinaryOp::Div, 10),
        Tok::Percent => (BinaryOp::Rem, 10),
        Tok::Plus => (BinaryOp::Add, 9),
        Tok::Minus => (BinaryOp::Sub, 9),
        Tok::Shl => (BinaryOp::Shl, 8),
        Tok::Shr => (BinaryOp::Shr, 8),
        Tok::Lt => (BinaryOp::Lt, 7),
        Tok::Gt => (BinaryOp::Gt, 7),
        Tok::Le => (BinaryOp::Le, 7),
        Tok::Ge => (BinaryOp::Ge, 7),
        Tok::EqEq => (BinaryOp::Eq, 6),
        Tok::Ne => (BinaryOp::Ne, 6),
        Tok::Amp => (BinaryOp::BitAnd, 5),
        Tok::Caret => (BinaryOp::BitXor, 4),
        Tok::Pipe => (BinaryOp::BitOr, 3),
        Tok::AmpAmp => (BinaryOp::LogAnd, 2),
        Tok::PipePipe => (BinaryOp::LogOr, 1),
        _ => return None,
    })
}

fn assign_op(tok: Tok) -> Option<Option<BinaryOp>> {
    Some(match tok {
        Tok::Assign => None,
        Tok::StarAssign => Some(BinaryOp::Mul),
        Tok::SlashAssign => Some(BinaryOp::Div),
        Tok::PercentAssign => Some(BinaryOp::Rem),
        Tok::PlusAssign => Some(BinaryOp::Add),
        Tok::MinusAssign => Some(BinaryOp::Sub),
        Tok::ShlAssign => Some(BinaryOp::Shl),
        Tok::ShrAssign => Some(BinaryOp::Shr),
        Tok::AmpAssign => Some(BinaryOp::BitAnd),
        Tok::CaretAssign => Some(BinaryOp::BitXor),
        Tok::PipeAssign => Some(BinaryOp::BitOr),
        _ => return None,
    })
}

impl Parser<'_> {
    /// With commas.
    pub(crate) fn expr(&mut self) -> Result<Expr> {
        let mut left = self.assign_expr()?;
        while self.tok() == Tok::Comma {
            let pos = self.pos();
            self.bump();
            let right = self.part(Self::assign_expr)?;
            self.grow()?;
            left = Expr { pos, kind: ExprKind::Comma(Box::new(left), Box::new(right)) };
        }
        Ok(left)
    }

    pub(crate) fn assign_expr(&mut self) -> Result<Expr> {
        let mut value = self.conditional_expr()?;
        let Some(mut op) = assign_op(self.tok()) else { return Ok(value) };
        // `a = b = c` associates to the right: targets are kept until the last value is there.
        let mut targets = Vec::new();
        loop {
            targets.push((self.pos(), value, op));
            self.bump();
            value = self.part(Self::conditional_expr)?;
            match assign_op(self.tok()) {
                Some(next) => op = next,
                None => break,
            }
        }
        self.grow_by(targets.len())?;
        for (pos, target, op) in targets.into_iter().rev() {
            value = Expr { pos, kind: ExprKind::Assign(op, Box::new(target), Box::new(value)) };
        }
        Ok(value)
    }

    pub(crate) fn conditional_expr(&mut self) -> Result<Expr> {
        let mut value = self.binary(0)?;
        if self.tok() != Tok::Question {
            return Ok(value);
        }
        let mut arms = Vec::new();
        while self.tok() == Tok::Question {
            let pos = self.pos();
            self.bump();
            let then = if self.tok() == Tok::Colon { None } else { Some(Box::new(self.part(Self::expr)?)) };
            self.expect(Tok::Colon)?;
            arms.push((pos, Box::new(value), then));
            value = self.part(|p| p.binary(0))?;
        }
        self.grow_by(arms.len())?;
        for (pos, cond, then) in arms.into_iter().rev() {
            value = Expr { pos, kind: ExprKind::Conditional { cond, then, otherwise: Box::new(value) } };
        }
        Ok(value)
    }

    /// Operators that bind more tightly than `above`.
    fn binary(&mut self, above: u8) -> Result<Expr> {
        let mut left = self.unary()?;
        while let Some((op, precedence)) = binary_op(self.tok()) {
            if precedence <= above {
                break;
            }
            let pos = self.pos();
            self.bump();
            let right = self.part(|p| p.binary(precedence))?;
            self.grow()?;
            left = Expr { pos, kind: ExprKind::Binary(op, Box::new(left), Box::new(right)) };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr> {
        let op = match self.tok() {
            // The most frequent ones first; they need no level of recursion.
            Tok::Ident | Tok::Number => return self.postfix(),
            Tok::Plus => UnaryOp::Plus,
            Tok::Minus => UnaryOp::Minus,
            Tok::Tilde => UnaryOp::BitNot,
            Tok::Bang => UnaryOp::Not,
            Tok::Star => UnaryOp::Deref,
            Tok::Amp => UnaryOp::AddrOf,
            Tok::PlusPlus => UnaryOp::PreInc,
            Tok::MinusMinus => UnaryOp::PreDec,
            Tok::Real => UnaryOp::Real,
            Tok::Imag => UnaryOp::Imag,
            _ => {
                self.down()?;
                let expr = self.other_unary()?;
                self.up();
                return Ok(expr);
            }
        };
        let pos = self.pos();
        self.bump();
        self.down()?;
        let operand = self.unary()?;
        self.up();
        self.grow()?;
        Ok(Expr { pos, kind: ExprKind::Unary(op, Box::new(operand)) })
    }

    fn other_unary(&mut self) -> Result<Expr> {
        let pos = self.pos();
        let kind = match self.tok() {
            Tok::LParen if self.is_type_at(1 + self.attributes_at(1)) => {
                let type_name = self.type_in_parentheses()?;
                if self.tok() == Tok::LBrace {
                    return self.compound_literal(pos, type_name);
                }
                let operand = self.part(Self::unary)?;
                ExprKind::Cast(type_name, Box::new(operand))
            }
            Tok::Extension => {
                self.bump();
                return self.unary();
            }
            operator @ (Tok::Sizeof | Tok::Alignof | Tok::GnuAlignof) => {
                self.bump();
                let start = self.pos();
                let operand = if self.tok() == Tok::LParen && self.is_type_at(1 + self.attributes_at(1)) {
                    let type_name = self.type_in_parentheses()?;
                    if self.tok() != Tok::LBrace {
                        self.grow()?;
                        let kind = match operator {
                            Tok::Sizeof => ExprKind::SizeofType(type_name),
                            Tok::Alignof => ExprKind::AlignofType(type_name),
                            _ => ExprKind::PreferredAlignofType(type_name),
                        };
                        return Ok(Expr { pos, kind });
                    }
                    self.compound_literal(start, type_name)?
                } else {
                    self.unary()?
                };
                let operand = Box::new(operand);
                if operator == Tok::Sizeof { ExprKind::SizeofExpr(operand) } else { ExprKind::AlignofExpr(operand) }
            }
            Tok::AmpAmp => {
                self.bump();
                let (name, _) = self.ident("a label")?;
                ExprKind::LabelAddr(self.label(name))
            }
            _ => return self.postfix(),
        };
        self.grow()?;
        Ok(Expr { pos, kind })
    }

    fn type_in_parentheses(&mut self) -> Result<Box<TypeName>> {
        self.expect(Tok::LParen)?;
        let type_name = self.type_name()?;
        self.expect(Tok::RParen)?;
        Ok(Box::new(type_name))
    }

    fn compound_literal(&mut self, pos: Pos, type_name: Box<TypeName>) -> Result<Expr> {
        let init = self.part(Self::initializer_list)?;
        self.grow()?;
        self.postfix_of(Expr { pos, kind: ExprKind::CompoundLiteral(type_name, Box::new(init)) })
    }

    fn postfix(&mut self) -> Result<Expr> {
        let primary = self.primary()?;
        self.postfix_of(primary)
    }

    fn postfix_of(&mut self, mut expr: Expr) -> Result<Expr> {
        loop {
            let pos = expr.pos;
            let kind = match self.tok() {
                Tok::LParen => {
                    self.bump();
                    ExprKind::Call { args: self.arguments()?, callee: Box::new(expr) }
                }
                Tok::LBracket => {
                    self.bump();
                    self.down()?;
                    let index = self.part(Self::expr)?;
                    self.up();
                    self.expect(Tok::RBracket)?;
                    ExprKind::Index(Box::new(expr), Box::new(index))
                }
                Tok::Dot => {
                    self.bump();
                    let (name, _) = self.ident("the name of a member")?;
                    ExprKind::Member(Box::new(expr), name)
                }
                Tok::Arrow => {
                    self.bump();
                    let (name, _) = self.ident("the name of a member")?;
                    ExprKind::Arrow(Box::new(expr), name)
                }
                Tok::PlusPlus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostInc, Box::new(expr))
                }
                Tok::MinusMinus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostDec, Box::new(expr))
                }
                _ => return Ok(expr),
            };
            self.grow()?;
            expr = Expr { pos, kind };
        }
    }

    /// Up to and with the closing parenthesis.
    fn arguments(&mut self) -> Result<Vec<Expr>> {
        let mut args = Vec::new();
        if self.eat(Tok::RParen) {
            return Ok(args);
        }
        self.down()?;
        loop {
            let arg = self.part(Self::assign_expr)?;
            args.push(arg);
            match self.tok() {
                Tok::Comma => self.bump(),
                Tok::RParen => break,
                _ => return Err(self.expected_token(Tok::RParen)),
            }
        }
        self.bump();
        self.up();
        args.shrink_to_fit();
        Ok(args)
    }

    fn primary(&mut self) -> Result<Expr> {
        let pos = self.pos();
        let kind = match self.tok() {
            Tok::Ident => {
                let name = self.symbol();
                self.bump();
                ExprKind::Name(name)
            }
            Tok::Number => {
                let kind = literal::number(self.spelling()).map_err(|f| self.literal_error(f))?;
                if let ExprKind::Imaginary(_) = kind {
                    self.needs_complex_operators();
                }
                self.bump();
                kind
            }
            Tok::Char => {
                let kind = literal::character(self.spelling()).map_err(|f| self.literal_error(f))?;
                self.bump();
                kind
            }
            Tok::Str => {
                let (units, encoding) = self.string()?;
                ExprKind::Str { units, encoding }
            }
            Tok::LParen => return self.parenthesised(pos),
            Tok::FuncName => {
                self.bump();
                ExprKind::FuncName
            }
            _ => return self.special(pos),
        };
        Ok(Expr { pos, kind })
    }

    fn parenthesised(&mut self, pos: Pos) -> Result<Expr> {
        self.bump();
        if self.tok() == Tok::LBrace {
            if self.is_condition {
                return Err(Error::invalid(pos, "a condition of a witness with statements"));
            }
            let block = self.block()?;
            self.expect(Tok::RParen)?;
            self.grow()?;
            return Ok(Expr { pos, kind: ExprKind::StmtExpr(Box::new(block)) });
        }
        let expr = self.expr()?;
        self.expect(Tok::RParen)?;
        Ok(expr)
    }

    /// Primary expressions that have a keyword and a syntax of their own.
    fn special(&mut self, pos: Pos) -> Result<Expr> {
        let tok = self.tok();
        if !matches!(
            tok,
            Tok::Generic
                | Tok::Offsetof
                | Tok::VaArg
                | Tok::TypesCompatible
                | Tok::ChooseExpr
                | Tok::ConvertVector
                | Tok::OtherBuiltin
        ) {
            return Err(self.unexpected("an expression"));
        }
        let name = self.symbol();
        self.bump();
        if tok == Tok::OtherBuiltin {
            self.skip_balanced()?;
            let name = crate::token::KEYWORDS.get(name.0 as usize).map_or("builtin", |k| k.0);
            return Ok(Expr { pos, kind: ExprKind::Unsupported(name) });
        }
        self.expect(Tok::LParen)?;
        let kind = match tok {
            Tok::Generic => {
                let control = Box::new(self.part(Self::assign_expr)?);
                let mut arms = Vec::new();
                while self.eat(Tok::Comma) {
                    let type_name = if self.eat(Tok::Default) { None } else { Some(self.part(Self::type_name)?) };
                    self.expect(Tok::Colon)?;
                    arms.push((type_name, self.part(Self::assign_expr)?));
                }
                if arms.is_empty() {
                    return Err(self.expected_token(Tok::Comma));
                }
                ExprKind::Generic { control, arms }
            }
            Tok::Offsetof => {
                let type_name = Box::new(self.part(Self::type_name)?);
                self.expect(Tok::Comma)?;
                let (name, pos) = self.ident("the name of a member")?;
                let mut designators = vec![Designator::Field(name, pos)];
                self.designators(&mut designators)?;
                ExprKind::Offsetof(type_name, designators)
            }
            Tok::VaArg | Tok::ConvertVector => {
                let first = Box::new(self.part(Self::assign_expr)?);
                self.expect(Tok::Comma)?;
                let type_name = Box::new(self.part(Self::type_name)?);
                match tok {
                    Tok::VaArg => ExprKind::VaArg(first, type_name),
                    _ => ExprKind::ConvertVector(first, type_name),
                }
            }
            Tok::TypesCompatible => {
                let first = Box::new(self.part(Self::type_name)?);
                self.expect(Tok::Comma)?;
                ExprKind::TypesCompatible(first, Box::new(self.part(Self::type_name)?))
            }
            _ => {
                let cond = Box::new(self.part(Self::assign_expr)?);
                self.expect(Tok::Comma)?;
                let first = Box::new(self.part(Self::assign_expr)?);
                self.expect(Tok::Comma)?;
                ExprKind::ChooseExpr(cond, first, Box::new(self.part(Self::assign_expr)?))
            }
        };
        self.expect(Tok::RParen)?;
        self.grow()?;
        Ok(Expr { pos, kind })
    }

    // Literals.

    #[cold]
    fn literal_error(&self, (offset, message): (usize, String)) -> Error {
        Error::invalid(self.tokens.pos(self.offset() + offset as u32), message)
    }

    /// Adjacent string literals, joined. One with a prefix gives the others its encoding.
    fn string(&mut self) -> Result<(Vec<u32>, Encoding)> {
        let mut encoding = Encoding::Plain;
        let mut count = 0;
        while self.tok_at(count) == Tok::Str {
            let own = literal::encoding(self.spelling_at(count)).0;
            if own != Encoding::Plain {
                if encoding != Encoding::Plain && encoding != own {
                    return Err(Error::invalid(self.pos(), "string literals of different kinds next to each other"));
                }
                encoding = own;
            }
            count += 1;
        }
        let mut units = Vec::new();
        while self.tok() == Tok::Str {
            literal::append_units(self.spelling(), encoding, &mut units).map_err(|f| self.literal_error(f))?;
            self.bump();
        }
        Ok((units, encoding))
    }

    /// A string that is not an expression: in `asm`, `_Static_assert`.
    pub(crate) fn string_bytes(&mut self) -> Result<Vec<u8>> {
        if self.tok() != Tok::Str {
            return Err(self.unexpected("a string"));
        }
        let (units, _) = self.string()?;
        Ok(units.into_iter().map(|u| u as u8).collect())
    }
}
