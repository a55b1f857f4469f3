//! The grammar of declarations (C11 6.7): specifiers, declarators, parameters, structs, enums, initialisers, type names.

use crate::ast::*;
use crate::error::{Error, Result};
use crate::parser::{Meaning, Parser};
use crate::prelude::COMPLEX_OPERATORS;
use crate::source::Pos;
use crate::token::{BUILTIN_TYPES, KEYWORDS, Tok};

/// Basic type words seen so far, as a set of bits (`long` has two, for one and for two of them).
mod word {
    pub const VOID: u32 = 1;
    pub const BOOL: u32 = 1 << 1;
    pub const CHAR: u32 = 1 << 2;
    pub const SHORT: u32 = 1 << 3;
    pub const INT: u32 = 1 << 4;
    pub const LONG: u32 = 1 << 5;
    pub const LONG_LONG: u32 = 1 << 6;
    pub const FLOAT: u32 = 1 << 7;
    pub const DOUBLE: u32 = 1 << 8;
    pub const SIGNED: u32 = 1 << 9;
    pub const UNSIGNED: u32 = 1 << 10;
    pub const INT128: u32 = 1 << 11;
}

/// Where a declarator stands decides whether it may, must or cannot have a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    Must,
    May,
    Never,
}

impl Parser<'_> {
    /// Specifiers and qualifiers in any order. There may be none at all: nothing is consumed then.
    pub(crate) fn decl_specs(&mut self) -> Result<DeclSpecs> {
        let pos = self.pos();
        let mut specs = DeclSpecs {
            pos,
            storage: None,
            thread_local: false,
            inline: false,
            noreturn: false,
            quals: Quals::default(),
            ty: TypeSpec::ImplicitInt,
            attrs: Vec::new(),
            alignas: Vec::new(),
        };
        let mut words = 0u32;
        // A type that is not made of words, or a word that makes any type a refused one (`_Imaginary`).
        let mut other = None;
        let mut complex = false;
        let mut refused = None;
        loop {
            let tok = self.tok();
            let word = match tok {
                Tok::Typedef => self.storage(&mut specs, StorageClass::Typedef)?,
                Tok::Extern => self.storage(&mut specs, StorageClass::Extern)?,
                Tok::Static => self.storage(&mut specs, StorageClass::Static)?,
                Tok::Auto => self.storage(&mut specs, StorageClass::Auto)?,
                Tok::Register => self.storage(&mut specs, StorageClass::Register)?,
                Tok::ThreadLocal => {
                    specs.thread_local = true;
                    0
                }
                Tok::Inline => {
                    specs.inline = true;
                    0
                }
                Tok::Noreturn => {
                    specs.noreturn = true;
                    0
                }
                Tok::Const => {
                    specs.quals.is_const = true;
                    0
                }
                Tok::Volatile => {
                    specs.quals.is_volatile = true;
                    0
                }
                Tok::Restrict => {
                    specs.quals.is_restrict = true;
                    0
                }
                Tok::Atomic if self.tok_at(1) != Tok::LParen => {
                    specs.quals.is_atomic = true;
                    0
                }
                Tok::Extension => 0,
                Tok::Void => word::VOID,
                Tok::BoolKw => word::BOOL,
                Tok::CharKw => word::CHAR,
                Tok::Short => word::SHORT,
                Tok::Int => word::INT,
                Tok::Long if words & word::LONG != 0 => word::LONG_LONG,
                Tok::Long => word::LONG,
                Tok::Float => word::FLOAT,
                Tok::Double => word::DOUBLE,
                Tok::Signed => word::SIGNED,
                Tok::Unsigned => word::UNSIGNED,
                Tok::Int128 => word::INT128,
                Tok::Complex => {
                    complex = true;
                    0
                }
                Tok::Imaginary => {
                    refused = Some("_Imaginary");
                    0
                }
                Tok::Decimal => {
                    refused = Some("decimal floating type");
                    0
                }
                Tok::Ident if words == 0 && other.is_none() && refused != Some("decimal floating type") => {
                    let symbol = self.symbol();
                    match self.meaning(symbol) {
                        Meaning::Ordinary => break,
                        Meaning::Typedef if complex || refused.is_some() => break,
                        Meaning::Typedef => other = Some(TypeSpec::Name(symbol)),
                        Meaning::Builtin => other = Some(builtin_type(symbol)),
                    }
                    0
                }
                Tok::Attribute => {
                    self.attributes(&mut specs.attrs)?;
                    continue;
                }
                Tok::LBracket if self.at_attribute() => {
                    self.attributes(&mut specs.attrs)?;
                    continue;
                }
                Tok::Alignas => {
                    let alignas = self.part(Self::alignas)?;
                    specs.alignas.push(alignas);
                    continue;
                }
                Tok::Atomic | Tok::Struct | Tok::Union | Tok::Enum | Tok::TypeofKw | Tok::AutoType => {
                    if words != 0 || other.is_some() {
                        return Err(self.two_types());
                    }
                    other = Some(self.part(Self::type_specifier)?);
                    continue;
                }
                _ => break,
            };
            if word != 0 && (words & word != 0 || other.is_some()) {
                return Err(if other.is_some() { self.two_types() } else { self.bad_words() });
            }
            words |= word;
            self.bump();
        }
        specs.ty = match (refused, other) {
            (Some(name), _) => TypeSpec::Unsupported(name),
            (None, Some(ty)) => ty,
            (None, None) if words == 0 && complex => TypeSpec::Basic(Basic::Double),
            (None, None) if words == 0 => TypeSpec::ImplicitInt,
            (None, None) => TypeSpec::Basic(
                basic_type(words).ok_or_else(|| Error::invalid(pos, "these words make no type together"))?,
            ),
        };
        if complex {
            self.needs_complex_operators();
            specs.ty = match specs.ty {
                TypeSpec::Basic(Basic::Void | Basic::Bool | Basic::VaList) => return Err(self.two_types()),
                TypeSpec::Basic(basic) => TypeSpec::Complex(basic),
                TypeSpec::Unsupported(name) => TypeSpec::Unsupported(name),
                _ => return Err(self.two_types()),
            };
        }
        Ok(specs)
    }

    pub(crate) fn needs_complex_operators(&mut self) {
        for name in COMPLEX_OPERATORS {
            self.interner.intern(name);
        }
    }

    fn storage(&self, specs: &mut DeclSpecs, class: StorageClass) -> Result<u32> {
        if specs.storage.is_some_and(|s| s != class) {
            return Err(Error::invalid(self.pos(), "more than one storage class in a declaration"));
        }
        specs.storage = Some(class);
        Ok(0)
    }

    #[cold]
    fn two_types(&self) -> Error {
        Error::invalid(self.pos(), "two or more types in one declaration")
    }

    #[cold]
    fn bad_words(&self) -> Error {
        let name = String::from_utf8_lossy(self.spelling()).into_owned();
        Error::invalid(self.pos(), format!("`{name}` once too often in a type"))
    }

    fn alignas(&mut self) -> Result<AlignAs> {
        self.expect(Tok::Alignas)?;
        self.expect(Tok::LParen)?;
        let alignas =
            if self.is_type_at(0) { AlignAs::Type(self.type_name()?) } else { AlignAs::Expr(self.assign_expr()?) };
        self.expect(Tok::RParen)?;
        Ok(alignas)
    }

    fn type_specifier(&mut self) -> Result<TypeSpec> {
        self.down()?;
        let spec = match self.tok() {
            Tok::Struct | Tok::Union => TypeSpec::Record(Box::new(self.record()?)),
            Tok::Enum => TypeSpec::Enum(Box::new(self.enumeration()?)),
            Tok::Atomic => {
                self.bump();
                self.expect(Tok::LParen)?;
                let name = self.type_name()?;
                self.expect(Tok::RParen)?;
                TypeSpec::Atomic(Box::new(name))
            }
            Tok::TypeofKw => {
                self.bump();
                self.expect(Tok::LParen)?;
                let spec = if self.is_type_at(self.attributes_at(0)) {
                    TypeSpec::TypeofType(Box::new(self.type_name()?))
                } else {
                    TypeSpec::TypeofExpr(Box::new(self.expr()?))
                };
                self.expect(Tok::RParen)?;
                spec
            }
            _ => {
                self.bump();
                TypeSpec::Auto
            }
        };
        self.up();
        self.grow()?;
        Ok(spec)
    }

    // Structs, unions and enums.

    fn record(&mut self) -> Result<RecordSpec> {
        let (pos, offset) = (self.pos(), self.offset());
        let is_union = self.tok() == Tok::Union;
        self.bump();
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = self.tag();
        if tag.is_some() {
            self.attributes(&mut attrs)?;
        }
        let mut fields = None;
        if self.eat(Tok::LBrace) {
            let mut list = Vec::new();
            while !self.eat(Tok::RBrace) {
                match self.tok() {
                    Tok::Semi => self.bump(),
                    Tok::StaticAssert => list.push(FieldDecl::StaticAssert(self.part(Self::static_assert)?)),
                    Tok::Extension if self.tok_at(1) == Tok::StaticAssert => self.bump(),
                    _ => list.push(self.part(Self::field)?),
                }
            }
            self.attributes(&mut attrs)?;
            self.pragma_pack(pos, offset, &mut attrs);
            fields = Some(list);
        } else if tag.is_none() {
            return Err(self.unexpected("a tag or `{`"));
        }
        Ok(RecordSpec { pos, is_union, tag, fields, attrs })
    }

    fn tag(&mut self) -> Option<Symbol> {
        let tag = (self.tok() == Tok::Ident).then(|| self.symbol());
        if tag.is_some() {
            self.bump();
        }
        tag
    }

    /// `#pragma pack(n)` acts like an attribute `pragma_pack(n)`.
    fn pragma_pack(&self, pos: Pos, offset: u32, attrs: &mut Vec<Attribute>) {
        let packs = &self.tokens.packs;
        let pack = match packs.partition_point(|p| p.0 < offset) {
            0 => 0,
            n => packs[n - 1].1,
        };
        if pack > 0 {
            let kind = ExprKind::Int { value: pack.into(), unsigned: false, longs: 0, decimal: true };
            attrs.push(Attribute { pos, name: "pragma_pack".into(), args: vec![Some(Expr { pos, kind })] });
        }
    }

    fn field(&mut self) -> Result<FieldDecl> {
        let (start, pos) = (self.index(), self.pos());
        let specs = self.decl_specs()?;
        if self.index() == start {
            return Err(match self.tok() {
                Tok::Ident => self.unknown_type(),
                _ => self.unexpected("a member or `}`"),
            });
        }
        let mut declarators = Vec::new();
        while !matches!(self.tok(), Tok::Semi | Tok::RBrace) {
            let mut declarator = if self.tok() == Tok::Colon {
                Declarator { pos: self.pos(), ..Declarator::default() }
            } else {
                self.part(|p| p.declarator(Naming::Must))?
            };
            let width = if self.eat(Tok::Colon) { Some(self.part(Self::conditional_expr)?) } else { None };
            self.declarator_tail(&mut declarator)?;
            declarators.push(FieldDeclarator { declarator, width });
            if !self.eat(Tok::Comma) {
                break;
            }
            // `int a, __attribute__((x)) b;`
            if self.at_attribute() {
                let mut attrs = Vec::new();
                self.attributes(&mut attrs)?;
            }
        }
        // gcc warns where the last semicolon is missing.
        if self.tok() != Tok::RBrace {
            self.expect(Tok::Semi)?;
        }
        self.grow()?;
        Ok(FieldDecl::Fields { pos, specs, declarators })
    }

    fn enumeration(&mut self) -> Result<EnumSpec> {
        let pos = self.expect(Tok::Enum)?;
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = self.tag();
        let mut constants = None;
        if self.eat(Tok::LBrace) {
            let mut list = Vec::new();
            while !self.eat(Tok::RBrace) {
                let (name, pos) = self.ident("an enumeration constant")?;
                let mut ignored = Vec::new();
                self.attributes(&mut ignored)?;
                let value = if self.eat(Tok::Assign) { Some(self.part(Self::conditional_expr)?) } else { None };
                self.declare(name, Meaning::Ordinary);
                list.push(EnumConstant { pos, name, value });
                if self.tok() != Tok::RBrace && !self.eat(Tok::Comma) {
                    return Err(self.unexpected("`,` or `}`"));
                }
            }
            self.attributes(&mut attrs)?;
            constants = Some(list);
        } else if tag.is_none() {
            return Err(self.unexpected("a tag or `{`"));
        }
        Ok(EnumSpec { pos, tag, constants, attrs })
    }

    // Declarators.

    pub(crate) fn named_declarator(&mut self) -> Result<Declarator> {
        self.part(|p| p.declarator(Naming::Must))
    }

    fn declarator(&mut self, naming: Naming) -> Result<Declarator> {
        let mut declarator = Declarator { pos: self.pos(), ..Declarator::default() };
        self.declarator_part(&mut declarator, naming)?;
        // Types are built one level for each derivation.
        self.grow_by(declarator.derived.len())?;
        Ok(declarator)
    }

    /// Pointers, then a name or a declarator in parentheses, then arrays and parameters; the derivations come out from
    /// the name outward.
    fn declarator_part(&mut self, declarator: &mut Declarator, naming: Naming) -> Result<()> {
        let outer_pointers = self.pointers.len();
        loop {
            match self.tok() {
                Tok::Star => {
                    self.bump();
                    let quals = self.qualifiers(&mut declarator.attrs)?;
                    self.pointers.push(quals);
                }
                Tok::Attribute => self.attributes(&mut declarator.attrs)?,
                Tok::Extension => self.bump(),
                _ => break,
            }
        }
        match self.tok() {
            Tok::Ident if naming != Naming::Never => {
                declarator.name = Some(self.symbol());
                declarator.pos = self.pos();
                self.bump();
            }
            Tok::LParen if naming == Naming::Must || self.parenthesis_nests() => {
                let open = self.pos();
                self.bump();
                self.down()?;
                self.declarator_part(declarator, naming)?;
                self.up();
                if self.tok() != Tok::RParen {
                    let line = self.line_of(open);
                    return Err(self.unexpected(&format!("`)` to close the `(` of {line}")));
                }
                self.bump();
            }
            _ if naming == Naming::Must => return Err(self.unexpected("a name")),
            _ => declarator.pos = self.pos(),
        }
        loop {
            match self.tok() {
                Tok::LBracket if self.at_attribute() => self.attributes(&mut declarator.attrs)?,
                Tok::LBracket => {
                    let array = self.part(Self::array)?;
                    declarator.derived.push(array);
                }
                Tok::LParen => {
                    let params = self.part(Self::parameters)?;
                    declarator.derived.push(Derived::Function(params));
                }
                _ => break,
            }
        }
        while self.pointers.len() > outer_pointers {
            if let Some(quals) = self.pointers.pop() {
                declarator.derived.push(Derived::Pointer(quals));
            }
        }
        Ok(())
    }

    /// In a type name or parameter, at `(`: whether it groups a declarator, or opens a parameter list.
    fn parenthesis_nests(&self) -> bool {
        let inside = 1 + self.attributes_at(1);
        match self.tok_at(inside) {
            Tok::Star | Tok::LParen | Tok::LBracket => true,
            Tok::Ident => !self.is_type_at(inside),
            _ => false,
        }
    }

    fn qualifiers(&mut self, attrs: &mut Vec<Attribute>) -> Result<Quals> {
        let mut quals = Quals::default();
        loop {
            match self.tok() {
                Tok::Const => quals.is_const = true,
                Tok::Volatile => quals.is_volatile = true,
                Tok::Restrict => quals.is_restrict = true,
                Tok::Atomic => quals.is_atomic = true,
                Tok::Extension => {}
                Tok::Attribute => {
                    self.attributes(attrs)?;
                    continue;
                }
                _ => return Ok(quals),
            }
            self.bump();
        }
    }

    fn array(&mut self) -> Result<Derived> {
        let pos = self.expect(Tok::LBracket)?;
        self.down()?;
        let mut quals = Quals::default();
        loop {
            match self.tok() {
                Tok::Static => {}
                Tok::Const => quals.is_const = true,
                Tok::Volatile => quals.is_volatile = true,
                Tok::Restrict => quals.is_restrict = true,
                Tok::Atomic => quals.is_atomic = true,
                _ => break,
            }
            self.bump();
        }
        let len = match self.tok() {
            Tok::RBracket => ArrayLen::Unspecified,
            Tok::Star if self.tok_at(1) == Tok::RBracket => {
                self.bump();
                ArrayLen::Star
            }
            _ => ArrayLen::Expr(Box::new(self.assign_expr()?)),
        };
        self.expect(Tok::RBracket)?;
        self.up();
        Ok(Derived::Array { pos, len, quals })
    }

    fn parameters(&mut self) -> Result<ParamList> {
        self.expect(Tok::LParen)?;
        self.down()?;
        let scope = self.open_scope();
        let list = self.parameter_list()?;
        self.close_scope(scope);
        self.up();
        Ok(list)
    }

    /// Up to and with the closing parenthesis.
    fn parameter_list(&mut self) -> Result<ParamList> {
        if self.eat(Tok::RParen) {
            return Ok(ParamList::Identifiers(Vec::new()));
        }
        if self.tok() == Tok::Void && self.tok_at(1) == Tok::RParen {
            self.bump();
            self.bump();
            return Ok(ParamList::Prototype { params: Vec::new(), variadic: false });
        }
        if self.tok() == Tok::Ident && !self.is_type_at(0) && matches!(self.tok_at(1), Tok::Comma | Tok::RParen) {
            return self.identifier_list();
        }
        let mut params = Vec::new();
        loop {
            if self.eat(Tok::Ellipsis) {
                self.expect(Tok::RParen)?;
                return Ok(ParamList::Prototype { params, variadic: true });
            }
            let param = self.part(Self::parameter)?;
            params.push(param);
            match self.tok() {
                Tok::Comma => self.bump(),
                Tok::RParen => {
                    self.bump();
                    return Ok(ParamList::Prototype { params, variadic: false });
                }
                // GNU: parameters declared ahead, for use in the types of others.
                Tok::Semi => {
                    self.bump();
                    params.clear();
                }
                _ => return Err(self.unexpected("`,` or `)`")),
            }
        }
    }

    fn identifier_list(&mut self) -> Result<ParamList> {
        let mut names = Vec::new();
        loop {
            names.push(self.ident("the name of a parameter")?);
            match self.tok() {
                Tok::Comma => self.bump(),
                Tok::RParen => {
                    self.bump();
                    return Ok(ParamList::Identifiers(names));
                }
                _ => return Err(self.unexpected("`,` or `)`")),
            }
        }
    }

    fn parameter(&mut self) -> Result<Param> {
        let (start, pos) = (self.index(), self.pos());
        let specs = self.decl_specs()?;
        if self.index() == start {
            return Err(match self.tok() {
                Tok::Ident => self.unknown_type(),
                _ => self.unexpected("a parameter"),
            });
        }
        let mut declarator = self.part(|p| p.declarator(Naming::May))?;
        self.declarator_tail(&mut declarator)?;
        if let Some(name) = declarator.name {
            self.declare(name, Meaning::Ordinary);
        }
        self.grow()?;
        Ok(Param { pos, specs, declarator })
    }

    /// `asm("name")` and attributes behind a declarator.
    pub(crate) fn declarator_tail(&mut self, declarator: &mut Declarator) -> Result<()> {
        loop {
            match self.tok() {
                Tok::Asm => declarator.asm_label = Some(self.asm_label()?),
                Tok::Attribute => self.attributes(&mut declarator.attrs)?,
                Tok::LBracket if self.at_attribute() => self.attributes(&mut declarator.attrs)?,
                _ => return Ok(()),
            }
        }
    }

    pub(crate) fn type_name(&mut self) -> Result<TypeName> {
        let (start, pos) = (self.index(), self.pos());
        let specs = self.decl_specs()?;
        if self.index() == start {
            return Err(match (self.tok(), self.tok_at(1)) {
                (Tok::Ident, Tok::RParen | Tok::Comma | Tok::Star | Tok::Colon) => self.unknown_type(),
                _ => self.unexpected("a type"),
            });
        }
        let declarator = self.part(|p| p.declarator(Naming::Never))?;
        self.grow()?;
        Ok(TypeName { pos, specs, declarator })
    }

    // Declarations.

    /// `specs declarator = init, ...;`
    pub(crate) fn declaration(&mut self) -> Result<Declaration> {
        let pos = self.pos();
        let specs = self.decl_specs()?;
        if self.eat(Tok::Semi) {
            return Ok(Declaration { pos, specs, declarators: Vec::new() });
        }
        let mut first = self.named_declarator()?;
        self.declarator_tail(&mut first)?;
        self.finish_declaration(pos, specs, first)
    }

    /// Behind the first declarator and its attributes.
    pub(crate) fn finish_declaration(&mut self, pos: Pos, specs: DeclSpecs, first: Declarator) -> Result<Declaration> {
        let is_typedef = specs.storage == Some(StorageClass::Typedef);
        let meaning = if is_typedef { Meaning::Typedef } else { Meaning::Ordinary };
        let mut declarators = Vec::with_capacity(1);
        let mut declarator = first;
        loop {
            if let Some(name) = declarator.name {
                self.declare(name, meaning);
            }
            let init = if self.eat(Tok::Assign) { Some(self.part(Self::initializer)?) } else { None };
            declarators.push(InitDeclarator { declarator, init });
            match self.tok() {
                Tok::Semi => {
                    self.bump();
                    self.grow()?;
                    return Ok(Declaration { pos, specs, declarators });
                }
                Tok::Comma => {
                    self.bump();
                    let mut attrs = Vec::new();
                    self.attributes(&mut attrs)?;
                    declarator = self.named_declarator()?;
                    declarator.attrs.extend(attrs);
                    self.declarator_tail(&mut declarator)?;
                }
                _ => return Err(self.expected_token(Tok::Semi)),
            }
        }
    }

    // Initialisers.

    pub(crate) fn initializer(&mut self) -> Result<Initializer> {
        if self.tok() == Tok::LBrace {
            return self.initializer_list();
        }
        Ok(Initializer::Expr(self.assign_expr()?))
    }

    pub(crate) fn initializer_list(&mut self) -> Result<Initializer> {
        let pos = self.expect(Tok::LBrace)?;
        self.down()?;
        let mut items = Vec::new();
        while !self.eat(Tok::RBrace) {
            let item = self.part(Self::initializer_item)?;
            items.push(item);
            if self.tok() != Tok::RBrace && !self.eat(Tok::Comma) {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
        self.up();
        self.grow()?;
        Ok(Initializer::List { pos, items })
    }

    fn initializer_item(&mut self) -> Result<InitItem> {
        let pos = self.pos();
        let mut designators = Vec::new();
        if self.tok() == Tok::Ident && self.tok_at(1) == Tok::Colon {
            // Old GNU: `field: value`.
            designators.push(Designator::Field(self.symbol(), pos));
            self.bump();
            self.bump();
        } else if matches!(self.tok(), Tok::Dot | Tok::LBracket) {
            self.designators(&mut designators)?;
            // Old GNU: `[3] value`.
            let only_index = matches!(designators[..], [Designator::Index(_) | Designator::Range(..)]);
            if !self.eat(Tok::Assign) && !only_index {
                return Err(self.expected_token(Tok::Assign));
            }
        }
        let init = self.part(Self::initializer)?;
        Ok(InitItem { pos, designators, init })
    }

    /// `.a[3][1 ... 2].b`
    pub(crate) fn designators(&mut self, designators: &mut Vec<Designator>) -> Result<()> {
        loop {
            if self.eat(Tok::Dot) {
                let (name, pos) = self.ident("the name of a member")?;
                designators.push(Designator::Field(name, pos));
            } else if self.eat(Tok::LBracket) {
                let first = self.part(Self::expr)?;
                if self.eat(Tok::Ellipsis) {
                    let last = self.part(Self::expr)?;
                    designators.push(Designator::Range(first, last));
                } else {
                    designators.push(Designator::Index(first));
                }
                self.expect(Tok::RBracket)?;
            } else {
                // Each step is a level for whoever walks along them.
                return self.grow_by(designators.len());
            }
        }
    }
}

fn builtin_type(symbol: Symbol) -> TypeSpec {
    match BUILTIN_TYPES.get((symbol.0 as usize).wrapping_sub(KEYWORDS.len())) {
        Some((_, Some(basic))) => TypeSpec::Basic(*basic),
        Some((name, None)) => TypeSpec::Unsupported(name),
        None => TypeSpec::Name(symbol),
    }
}

fn basic_type(words: u32) -> Option<Basic> {
    use word::*;
    // `int` and `signed` change nothing beside the words that they may stand with.
    let sized = words & !(INT | SIGNED | UNSIGNED);
    let has_int = words & INT != 0;
    let unsigned = words & UNSIGNED != 0;
    if unsigned && words & SIGNED != 0 {
        return None;
    }
    let signless = words & (SIGNED | UNSIGNED) == 0;
    Some(match sized {
        0 if unsigned => Basic::UInt,
        0 => Basic::Int,
        CHAR if has_int => return None,
        CHAR if unsigned => Basic::UChar,
        CHAR if words & SIGNED != 0 => Basic::SChar,
        CHAR => Basic::Char,
        SHORT if unsigned => Basic::UShort,
        SHORT => Basic::Short,
        LONG if unsigned => Basic::ULong,
        LONG => Basic::Long,
        x if x == LONG | LONG_LONG && unsigned => Basic::ULongLong,
        x if x == LONG | LONG_LONG => Basic::LongLong,
        INT128 if has_int => return None,
        INT128 if unsigned => Basic::UInt128,
        INT128 => Basic::Int128,
        _ if has_int || !signless => return None,
        VOID => Basic::Void,
        BOOL => Basic::Bool,
        FLOAT => Basic::Float,
        DOUBLE => Basic::Double,
        x if x == LONG | DOUBLE => Basic::LongDouble,
        _ => return None,
    })
}
