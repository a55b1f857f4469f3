//! Reads the labels and expressions of the text form.

use crate::eval;
use crate::expr::{BinOp, Const, Expr, ExprId, UnOp};
use crate::parse_text::{Parsed, Parser, float_sort};
use crate::program::*;
use crate::sort::Sort;
use crate::text_lexer::Token;
use crate::text_ops::{
    FUNCTIONS1, FUNCTIONS2, HAZARDS, INFIX, ORDERS, PREFIX, REASONS, STORAGES, VIOLATIONS, chains, thing_for,
};
use crate::unknown_result::{LibraryFunction, UnknownResult};

/// How deep parentheses may nest. The printer stays far below.
const MAX_DEPTH: u32 = 200;

impl Parser {
    pub(crate) fn label(&mut self) -> Parsed<Label> {
        if *self.peek_after() == Token::Symbol(":=") {
            let var = self.var()?;
            self.symbol(":=")?;
            return self.right_side(var);
        }
        let (word, detail) = self.keyword()?;
        Ok(match (word.as_str(), detail.as_str()) {
            ("assume", "") => Label::Assume(self.expr()?),
            ("await", "") => Label::Await(self.expr()?),
            ("require", "") => {
                let cond = self.expr()?;
                self.word("else")?;
                Label::Require { cond, hazard: self.one_of(&HAZARDS, "a hazard")? }
            }
            ("store", order) => {
                let order = self.order(order)?;
                let place = self.place()?;
                self.symbol(":=")?;
                Label::Store { place, value: self.expr()?, order }
            }
            ("free", "") => Label::Free { address: self.expr()?, storage: Storage::Heap },
            ("free", "stack") => Label::Free { address: self.expr()?, storage: Storage::Stack },
            ("atomic_begin", "") => Label::AtomicBegin,
            ("atomic_end", "") => Label::AtomicEnd,
            ("fence", order) => Label::Fence(self.order(order)?),
            ("thread_exit", "") => Label::ThreadExit { value: self.expr()? },
            ("error", "") => Label::Error(self.one_of(&VIOLATIONS, "a violation")?),
            ("halt", "") => Label::Halt { status: self.expr()? },
            (word, detail) => self.optional_target(word, detail, None)?,
        })
    }

    /// What may follow `var :=`.
    fn right_side(&mut self, var: VarId) -> Parsed<Label> {
        let is_keyword = matches!(self.peek(), Token::Word(word, None) if {
            let word = word.split('.').next().unwrap_or_default();
            ["havoc", "load", "alloc", "object_size", "valid", "leaks", "start", "self", "join", "lock", "call", "print"].contains(&word)
        });
        if !is_keyword {
            return Ok(Label::Assign { var, value: self.expr()? });
        }
        let (word, detail) = self.keyword()?;
        Ok(match (word.as_str(), detail.as_str()) {
            ("valid", detail) => {
                let bytes = |text: &str| text.parse().ok();
                let used = match detail.split_once('.') {
                    Some(("read", size)) => bytes(size).map(Use::Read),
                    Some(("write", size)) => bytes(size).map(Use::Write),
                    Some(_) => None,
                    None if detail == "free" => Some(Use::Free),
                    None if detail == "call" => Some(Use::Call),
                    None => None,
                };
                match used {
                    Some(used) => Label::Valid { var, address: self.expr()?, used },
                    None => return self.error("unknown use of an address"),
                }
            }
            ("leaks", "unfreed") => Label::Leaks { var, leak: Leak::Unfreed },
            ("leaks", "lost") => Label::Leaks { var, leak: Leak::Lost },
            ("leaks", "perhaps_lost") => Label::Leaks { var, leak: Leak::PerhapsLost },
            ("object_size", "") => Label::ObjectSize { var, address: self.expr()? },
            ("havoc", "") => Label::Havoc { var, reason: self.reason()?, site: crate::origin::Origin::default() },
            ("load", order) => {
                let order = self.order(order)?;
                Label::Load { var, place: self.place()?, order }
            }
            ("alloc", detail) => {
                let (storage, zeroed) = match detail.split_once('.') {
                    Some((storage, "zeroed")) => (storage, true),
                    Some(_) => return self.error("unknown kind of allocation"),
                    None => (detail, false),
                };
                match thing_for(&STORAGES, storage) {
                    Some(storage) => Label::Alloc {
                        var,
                        size: self.expr()?,
                        storage,
                        zeroed,
                        site: crate::origin::Origin::default(),
                    },
                    None => return self.error("unknown kind of allocation"),
                }
            }
            ("start", "") => {
                let (callee, args) = self.call()?;
                match args[..] {
                    [arg] => Label::Start { var, callee, arg },
                    _ => return self.error("a thread gets one argument"),
                }
            }
            ("self", "") => Label::Self_ { var },
            (word, detail) => self.optional_target(word, detail, Some(var))?,
        })
    }

    fn reason(&mut self) -> Parsed<HavocReason> {
        if !matches!(self.peek(), Token::Word(word, None) if word == "result") {
            return self.one_of(&REASONS, "a reason");
        }
        self.advance();
        let function = self.one_of(LibraryFunction::NAMES, "a function of the library")?;
        let args = match self.arguments()?[..] {
            [] => [None, None],
            [x] => [Some(x), None],
            [x, y] => [Some(x), Some(y)],
            _ => return self.error("a function of the library has two arguments at most"),
        };
        Ok(HavocReason::Result(UnknownResult { function, args }))
    }

    /// The labels that may or may not have a variable for their result.
    fn optional_target(&mut self, word: &str, detail: &str, var: Option<VarId>) -> Parsed<Label> {
        Ok(match (word, detail) {
            ("join", "") => Label::Join { var, handle: self.expr()? },
            ("lock", op) => {
                let lock = self.expr()?;
                let op = match op {
                    "init" => {
                        self.symbol(",")?;
                        LockOp::Init(self.expr()?)
                    }
                    "destroy" => LockOp::Destroy,
                    "acquire" => LockOp::Acquire,
                    "acquire_write" => LockOp::AcquireWrite,
                    "try_acquire" => LockOp::TryAcquire,
                    "try_acquire_write" => LockOp::TryAcquireWrite,
                    "acquire_shared" => LockOp::AcquireShared,
                    "try_acquire_shared" => LockOp::TryAcquireShared,
                    "release" => LockOp::Release,
                    _ => return self.error("unknown operation on a lock"),
                };
                Label::Lock { op, lock, var }
            }
            ("call", "") => {
                let (callee, args) = self.call()?;
                Label::Call { callee, args, var, site: crate::origin::Origin::default() }
            }
            ("print", "") => {
                let mut args = self.arguments()?;
                if args.is_empty() {
                    return self.error("a format is missing");
                }
                let format = args.remove(0);
                Label::Print { format, args, var, site: crate::Origin::default() }
            }
            _ => return self.error("an unknown label stands before this"),
        })
    }

    /// A word with what follows its first point.
    fn keyword(&mut self) -> Parsed<(String, String)> {
        match self.peek() {
            Token::Word(word, None) => {
                let (word, detail) = word.split_once('.').unwrap_or((word, ""));
                let keyword = (word.to_string(), detail.to_string());
                self.advance();
                Ok(keyword)
            }
            _ => self.expected("a label"),
        }
    }

    fn one_of<T: Copy>(&mut self, table: &[(&'static str, T)], what: &str) -> Parsed<T> {
        match self.peek() {
            Token::Word(word, None) => match thing_for(table, word) {
                Some(thing) => {
                    self.advance();
                    Ok(thing)
                }
                None => self.expected(what),
            },
            _ => self.expected(what),
        }
    }

    fn order(&self, word: &str) -> Parsed<Order> {
        match word {
            "" => Ok(Order::NonAtomic),
            _ => thing_for(&ORDERS, word).map_or_else(|| self.error("an unknown order stands before this"), Ok),
        }
    }

    fn place(&mut self) -> Parsed<Place> {
        if self.eat("[") {
            let address = self.expr()?;
            self.symbol("]")?;
            return Ok(Place::Memory(address));
        }
        Ok(Place::Var(self.var()?))
    }

    fn call(&mut self) -> Parsed<(Callee, Vec<ExprId>)> {
        let callee = if self.eat("*") {
            self.symbol("(")?;
            let address = self.expr()?;
            self.symbol(")")?;
            Callee::Address(address)
        } else {
            Callee::Proc(self.proc_name()?)
        };
        Ok((callee, self.arguments()?))
    }

    fn arguments(&mut self) -> Parsed<Vec<ExprId>> {
        self.symbol("(")?;
        let mut args = Vec::new();
        while !self.is_symbol(")") {
            if !args.is_empty() {
                self.symbol(",")?;
            }
            args.push(self.expr()?);
        }
        self.symbol(")")?;
        Ok(args)
    }

    // Expressions.

    fn make(&mut self, expr: Expr) -> Parsed<ExprId> {
        match self.pool.check(expr) {
            Ok(Some(sort)) => Ok(self.pool.intern_raw(expr, sort)),
            Ok(None) => self.error("a variable without a sort"),
            Err(message) => self.error(format!("before this: {message}")),
        }
    }

    /// Operands with an operator between them. Different operators need parentheses.
    pub(crate) fn expr(&mut self) -> Parsed<ExprId> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.error("too many parentheses");
        }
        let expr = self.operation();
        self.depth -= 1;
        expr
    }

    fn operation(&mut self) -> Parsed<ExprId> {
        let first = self.operand()?;
        let Token::Symbol(symbol) = *self.peek() else { return Ok(first) };
        match symbol {
            "?" => {
                self.advance();
                let then = self.operand()?;
                self.symbol(":")?;
                let otherwise = self.operand()?;
                return self.make(Expr::Ite(first, then, otherwise));
            }
            "!=" => {
                self.advance();
                let second = self.operand()?;
                let equal = self.make(Expr::Binary(BinOp::Eq, first, second))?;
                return self.make(Expr::Unary(UnOp::Not, equal));
            }
            _ => {}
        }
        let Some(op) = thing_for(&INFIX, symbol) else { return Ok(first) };
        let mut left = first;
        while self.eat(symbol) {
            let right = self.operand()?;
            left = self.make(Expr::Binary(op, left, right))?;
            if !chains(op) {
                break;
            }
        }
        Ok(left)
    }

    pub(crate) fn operand(&mut self) -> Parsed<ExprId> {
        // Prefixes are collected, not nested: any number of them may stand here.
        let mut prefixes = Vec::new();
        while let Token::Symbol(symbol) = *self.peek() {
            match thing_for(&PREFIX, symbol) {
                Some(op) => prefixes.push(op),
                None => break,
            }
            self.advance();
        }
        let mut id = self.primary()?;
        while self.eat("[") {
            let high = self.small()?;
            self.symbol(":")?;
            let low = self.small()?;
            self.symbol("]")?;
            id = self.make(Expr::Extract { high, low, arg: id })?;
        }
        while let Some(op) = prefixes.pop() {
            id = self.make(Expr::Unary(op, id))?;
        }
        Ok(id)
    }

    fn primary(&mut self) -> Parsed<ExprId> {
        match self.peek().clone() {
            Token::Symbol("(") => {
                self.advance();
                let inner = self.expr()?;
                self.symbol(")")?;
                Ok(inner)
            }
            Token::Number(text) => match number(&text) {
                Some(c) => {
                    let id = self.make(Expr::Const(c))?;
                    self.advance();
                    Ok(id)
                }
                None => self.error("a constant is written like 5i32, -1i8, 0x10i64 or 1.5f64"),
            },
            Token::Word(word, None) if word == "true" || word == "false" => {
                self.advance();
                Ok(self.pool.bool(word == "true"))
            }
            Token::Word(word, None) if word.starts_with('$') => match self.definitions.get(&word) {
                Some(&id) => {
                    self.advance();
                    Ok(id)
                }
                None => self.error("this name is not defined"),
            },
            Token::Word(word, None) if *self.peek_after() == Token::Symbol("(") => self.function(&word),
            Token::Word(..) => {
                let var = self.var()?;
                let sort = self.var_sort(var);
                Ok(self.pool.var(var, sort))
            }
            _ => self.expected("an expression"),
        }
    }

    fn function(&mut self, name: &str) -> Parsed<ExprId> {
        if let Some(format) = float_sort(name) {
            return self.encoded(Sort::Float(format));
        }
        let before = self.depth;
        let Some(arity) = arity(name) else { return self.expected("a function") };
        self.advance();
        let args = self.arguments()?;
        debug_assert_eq!(before, self.depth);
        if args.len() != arity {
            return self.error(format!("`{name}` takes {arity} operands"));
        }
        match application(name, &args) {
            Some(expr) => self.make(expr),
            None => self.error(format!("`{name}` is no function")),
        }
    }

    /// `fp15_64(0x3fff8000000000000000)`
    fn encoded(&mut self, sort: Sort) -> Parsed<ExprId> {
        self.advance();
        self.symbol("(")?;
        let bits = match self.peek() {
            Token::Number(text) => text.strip_prefix("0x").and_then(|digits| u128::from_str_radix(digits, 16).ok()),
            _ => None,
        };
        let Some(bits) = bits else { return self.expected("an encoding in hexadecimal") };
        self.advance();
        self.symbol(")")?;
        self.make(Expr::Const(Const { sort, bits }))
    }
}

/// How many operands a function takes, if there may be such a function.
fn arity(name: &str) -> Option<usize> {
    match name {
        "select" => Some(2),
        "update" | "fma" => Some(3),
        _ if thing_for(&FUNCTIONS2, name).is_some() => Some(2),
        _ => application(name, &[ExprId(0)]).map(|_| 1),
    }
}

fn application(name: &str, args: &[ExprId]) -> Option<Expr> {
    match *args {
        [arg] => {
            let width = |prefix: &str| name.strip_prefix(prefix).and_then(|width| width.parse::<u8>().ok());
            let format = |prefix: &str| name.strip_prefix(prefix).and_then(float_sort);
            thing_for(&FUNCTIONS1, name)
                .map(|op| Expr::Unary(op, arg))
                .or_else(|| width("zext").map(|width| Expr::ZeroExt { width, arg }))
                .or_else(|| width("sext").map(|width| Expr::SignExt { width, arg }))
                .or_else(|| width("fp2s").map(|width| Expr::FToS { width, arg }))
                .or_else(|| width("fp2u").map(|width| Expr::FToU { width, arg }))
                .or_else(|| width("const_array").map(|index| Expr::ConstArray { index, value: arg }))
                .or_else(|| format("fp2").map(|to| Expr::FToF { to, arg }))
                .or_else(|| format("s2").map(|to| Expr::SToF { to, arg }))
                .or_else(|| format("u2").map(|to| Expr::UToF { to, arg }))
                .or_else(|| format("bits2").map(|to| Expr::BitsToF { to, arg }))
        }
        [a, b] if name == "select" => Some(Expr::Select(a, b)),
        [a, b] => thing_for(&FUNCTIONS2, name).map(|op| Expr::Binary(op, a, b)),
        [a, b, c] if name == "update" => Some(Expr::Store(a, b, c)),
        [a, b, c] if name == "fma" => Some(Expr::Fma(a, b, c)),
        _ => None,
    }
}

/// `5i32`, `-1i8`, `0x10i64`, `1.5f64`
fn number(text: &str) -> Option<Const> {
    if !text.starts_with("0x") {
        if let Some(digits) = text.strip_suffix("f32") {
            return Some(Const { sort: Sort::F32, bits: digits.parse::<f32>().ok()?.to_bits().into() });
        }
        if let Some(digits) = text.strip_suffix("f64") {
            return Some(Const { sort: Sort::F64, bits: digits.parse::<f64>().ok()?.to_bits().into() });
        }
    }
    let (digits, width) = text.rsplit_once('i')?;
    let width: u8 = width.parse().ok().filter(|width| (1..=128).contains(width))?;
    let bits = if let Some(digits) = digits.strip_prefix("0x") {
        u128::from_str_radix(digits, 16).ok()?
    } else if digits.starts_with('-') {
        let value: i128 = digits.parse().ok()?;
        let bits = value as u128 & eval::mask(width);
        if eval::to_signed(width, bits) != value {
            return None;
        }
        bits
    } else {
        digits.parse().ok()?
    };
    Some(Const { sort: Sort::Bits(width), bits })
}
