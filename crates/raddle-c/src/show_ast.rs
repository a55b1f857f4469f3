//! The syntax tree as text: one line for each declaration, statement or expression, parts indented below it.

use std::fmt::Write;

use crate::ast::*;
use crate::interner::Interner;
use crate::source::{Pos, SourceMap};

/// Deeper levels are not indented further: the text would grow with the square of the depth.
const MAX_INDENT: usize = 60;

/// A readable tree of the whole unit.
pub fn show(unit: &Unit, interner: &Interner, source: &SourceMap) -> String {
    let mut printer = Printer { interner, source, text: String::new(), depth: 0, line: None };
    for item in &unit.items {
        printer.item(item);
    }
    printer.text
}

struct Printer<'a> {
    interner: &'a Interner,
    source: &'a SourceMap,
    text: String,
    depth: usize,
    /// The file and line shown last: a place is written only where it changes.
    line: Option<(u32, u32)>,
}

impl Printer<'_> {
    /// A line of the tree.
    fn line(&mut self, pos: Pos, text: impl AsRef<str>) {
        for _ in 0..self.depth.min(MAX_INDENT) {
            self.text.push_str("  ");
        }
        self.text.push_str(text.as_ref());
        let span = self.source.span(pos);
        if self.line != Some((span.file.0, span.line)) {
            let file = self.source.files.get(span.file.0 as usize).map_or("?", String::as_str);
            // Writing to a string cannot fail.
            let _ = write!(self.text, "  <{file}:{}>", span.line);
            self.line = Some((span.file.0, span.line));
        }
        self.text.push('\n');
    }

    /// What is printed by `print` stands below the last line.
    fn below(&mut self, print: impl FnOnce(&mut Self)) {
        self.depth += 1;
        print(self);
        self.depth -= 1;
    }

    /// A named part with something below it.
    fn part(&mut self, pos: Pos, name: &str, print: impl FnOnce(&mut Self)) {
        self.line(pos, name);
        self.below(print);
    }

    fn name(&self, symbol: Symbol) -> &str {
        self.interner.name(symbol)
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Declaration(declaration) => self.declaration(declaration),
            Item::Function(function) => self.function(function),
            Item::StaticAssert(assert) => self.static_assert(assert),
            Item::Asm(pos, _) => self.line(*pos, "asm"),
        }
    }

    fn static_assert(&mut self, assert: &StaticAssert) {
        let message = assert.message.as_deref().map_or(String::new(), |m| format!(" {:?}", String::from_utf8_lossy(m)));
        self.line(assert.pos, format!("static assert{message}"));
        self.below(|p| p.expr(&assert.cond));
    }

    fn function(&mut self, function: &FunctionDef) {
        let text = format!("function {}", self.declared(&function.specs, &function.declarator));
        self.line(function.pos, text);
        self.below(|p| {
            p.specs_below(&function.specs);
            p.declarator_below(&function.declarator);
            for declaration in &function.kr_declarations {
                p.declaration(declaration);
            }
            p.block(&function.body);
        });
    }

    fn declaration(&mut self, declaration: &Declaration) {
        if declaration.declarators.is_empty() {
            let text = format!("declare {}", self.specs(&declaration.specs));
            self.line(declaration.pos, text);
            self.below(|p| p.specs_below(&declaration.specs));
        }
        for (index, InitDeclarator { declarator, init }) in declaration.declarators.iter().enumerate() {
            let what = if declaration.specs.storage == Some(StorageClass::Typedef) { "typedef" } else { "declare" };
            let text = format!("{what} {}", self.declared(&declaration.specs, declarator));
            self.line(declarator.pos, text);
            self.below(|p| {
                // What the specifiers define is shown once.
                if index == 0 {
                    p.specs_below(&declaration.specs);
                }
                p.declarator_below(declarator);
                if let Some(init) = init {
                    p.initializer(init);
                }
            });
        }
    }

    // Types, as one line of words from the name outward: `x: array[...] of pointer to const int`.

    fn declared(&self, specs: &DeclSpecs, declarator: &Declarator) -> String {
        let name = declarator.name.map_or("(unnamed)", |n| self.name(n));
        let label = declarator
            .asm_label
            .as_deref()
            .map_or(String::new(), |l| format!(" asm({:?})", String::from_utf8_lossy(l)));
        let attrs = self.attrs(&declarator.attrs);
        format!("{name}: {}{}{attrs}{label}", self.derived(declarator), self.specs(specs))
    }

    fn derived(&self, declarator: &Declarator) -> String {
        let mut text = String::new();
        for derived in &declarator.derived {
            match derived {
                Derived::Pointer(quals) => text += &format!("{}pointer to ", quals_text(*quals)),
                Derived::Array { len, .. } => {
                    text += match len {
                        ArrayLen::Unspecified => "array[] of ",
                        ArrayLen::Star => "array[*] of ",
                        ArrayLen::Expr(len) => match len.kind {
                            ExprKind::Int { value, .. } => {
                                text += &format!("array[{value}] of ");
                                continue;
                            }
                            _ => "array[...] of ",
                        },
                    }
                }
                Derived::Function(ParamList::Prototype { params, variadic }) => {
                    let mut list: Vec<String> = params.iter().map(|p| self.declared(&p.specs, &p.declarator)).collect();
                    if *variadic {
                        list.push("...".into());
                    }
                    text += &format!("function({}) returning ", list.join(", "));
                }
                Derived::Function(ParamList::Identifiers(names)) => {
                    let names: Vec<&str> = names.iter().map(|n| self.name(n.0)).collect();
                    text += &format!("old-style function({}) returning ", names.join(", "));
                }
            }
        }
        text
    }

    fn specs(&self, specs: &DeclSpecs) -> String {
        let mut text = String::new();
        match specs.storage {
            Some(StorageClass::Extern) => text += "extern ",
            Some(StorageClass::Static) => text += "static ",
            Some(StorageClass::Auto) => text += "auto ",
            Some(StorageClass::Register) => text += "register ",
            Some(StorageClass::Typedef) | None => {}
        }
        for (set, word) in
            [(specs.thread_local, "thread-local "), (specs.inline, "inline "), (specs.noreturn, "noreturn ")]
        {
            if set {
                text += word;
            }
        }
        text += &quals_text(specs.quals);
        text += &self.type_spec(&specs.ty);
        text + &self.attrs(&specs.attrs)
    }

    fn attrs(&self, attrs: &[Attribute]) -> String {
        if attrs.is_empty() {
            return String::new();
        }
        let list: Vec<String> = attrs
            .iter()
            .map(|a| if a.args.is_empty() { a.name.clone() } else { format!("{}({})", a.name, a.args.len()) })
            .collect();
        format!(" [{}]", list.join(", "))
    }

    fn type_spec(&self, ty: &TypeSpec) -> String {
        match ty {
            TypeSpec::Basic(basic) => basic_text(*basic).into(),
            TypeSpec::Complex(basic) => format!("_Complex {}", basic_text(*basic)),
            TypeSpec::Name(name) => self.name(*name).into(),
            TypeSpec::Record(record) => {
                let keyword = if record.is_union { "union" } else { "struct" };
                let tag = record.tag.map_or("(unnamed)", |t| self.name(t));
                format!("{keyword} {tag}{}", self.attrs(&record.attrs))
            }
            TypeSpec::Enum(spec) => format!("enum {}", spec.tag.map_or("(unnamed)", |t| self.name(t))),
            TypeSpec::TypeofExpr(_) => "typeof(expression)".into(),
            TypeSpec::TypeofType(name) => format!("typeof({})", self.type_name(name)),
            TypeSpec::Atomic(name) => format!("_Atomic({})", self.type_name(name)),
            TypeSpec::Auto => "__auto_type".into(),
            TypeSpec::ImplicitInt => "implicit int".into(),
            TypeSpec::Unsupported(name) => format!("unsupported {name}"),
        }
    }

    fn type_name(&self, name: &TypeName) -> String {
        format!("{}{}", self.derived(&name.declarator), self.specs(&name.specs))
    }

    /// Definitions and expressions inside specifiers.
    fn specs_below(&mut self, specs: &DeclSpecs) {
        for alignas in &specs.alignas {
            match alignas {
                AlignAs::Type(name) => {
                    let text = format!("alignas {}", self.type_name(name));
                    self.line(name.pos, text);
                }
                AlignAs::Expr(expr) => self.part(expr.pos, "alignas", |p| p.expr(expr)),
            }
        }
        match &specs.ty {
            TypeSpec::Record(record) => {
                for field in record.fields.iter().flatten() {
                    self.field(field);
                }
            }
            TypeSpec::Enum(spec) => {
                for constant in spec.constants.iter().flatten() {
                    let text = format!("constant {}", self.name(constant.name));
                    self.line(constant.pos, text);
                    if let Some(value) = &constant.value {
                        self.below(|p| p.expr(value));
                    }
                }
            }
            TypeSpec::TypeofExpr(expr) => self.part(expr.pos, "typeof", |p| p.expr(expr)),
            TypeSpec::TypeofType(name) | TypeSpec::Atomic(name) => {
                self.specs_below(&name.specs);
                self.declarator_below(&name.declarator);
            }
            _ => {}
        }
    }

    fn field(&mut self, field: &FieldDecl) {
        match field {
            FieldDecl::StaticAssert(assert) => self.static_assert(assert),
            FieldDecl::Fields { pos, specs, declarators } => {
                if declarators.is_empty() {
                    let text = format!("member {}", self.specs(specs));
                    self.line(*pos, text);
                    self.below(|p| p.specs_below(specs));
                }
                for (index, field) in declarators.iter().enumerate() {
                    let text = format!("member {}", self.declared(specs, &field.declarator));
                    self.line(field.declarator.pos, text);
                    self.below(|p| {
                        if index == 0 {
                            p.specs_below(specs);
                        }
                        p.declarator_below(&field.declarator);
                        if let Some(width) = &field.width {
                            p.part(width.pos, "width", |p| p.expr(width));
                        }
                    });
                }
            }
        }
    }

    /// Lengths of arrays that are not plain numbers, and definitions in parameters.
    fn declarator_below(&mut self, declarator: &Declarator) {
        for derived in &declarator.derived {
            match derived {
                Derived::Array { pos, len: ArrayLen::Expr(len), .. } if !matches!(len.kind, ExprKind::Int { .. }) => {
                    self.part(*pos, "length", |p| p.expr(len));
                }
                Derived::Function(ParamList::Prototype { params, .. }) => {
                    for param in params {
                        self.specs_below(&param.specs);
                        self.declarator_below(&param.declarator);
                    }
                }
                _ => {}
            }
        }
    }

    fn initializer(&mut self, init: &Initializer) {
        match init {
            Initializer::Expr(expr) => self.expr(expr),
            Initializer::List { pos, items } => {
                self.line(*pos, "list");
                self.below(|p| {
                    for item in items {
                        if item.designators.is_empty() {
                            p.initializer(&item.init);
                        } else {
                            p.line(item.pos, "designated");
                            p.below(|p| {
                                p.designators(&item.designators);
                                p.initializer(&item.init);
                            });
                        }
                    }
                });
            }
        }
    }

    fn designators(&mut self, designators: &[Designator]) {
        for designator in designators {
            match designator {
                Designator::Field(name, pos) => {
                    let text = format!(".{}", self.name(*name));
                    self.line(*pos, text);
                }
                Designator::Index(index) => self.part(index.pos, "[index]", |p| p.expr(index)),
                Designator::Range(first, last) => self.part(first.pos, "[range]", |p| {
                    p.expr(first);
                    p.expr(last);
                }),
            }
        }
    }

    // Statements.

    fn block(&mut self, block: &Block) {
        self.line(block.pos, "block");
        self.below(|p| {
            for item in &block.items {
                match item {
                    BlockItem::Declaration(declaration) => p.declaration(declaration),
                    BlockItem::StaticAssert(assert) => p.static_assert(assert),
                    BlockItem::Stmt(stmt) => p.stmt(stmt),
                    BlockItem::NestedFunction(pos) => p.line(*pos, "nested function"),
                }
            }
        });
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let pos = stmt.pos;
        match &stmt.kind {
            StmtKind::Expr(None) => self.line(pos, "empty"),
            StmtKind::Expr(Some(expr)) => self.expr(expr),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { cond, then, otherwise } => {
                self.part(pos, "if", |p| {
                    p.expr(cond);
                    p.stmt(then);
                });
                if let Some(otherwise) = otherwise {
                    // A chain stays at one level, as people write it.
                    match otherwise.kind {
                        StmtKind::If { .. } => {
                            self.line(otherwise.pos, "else");
                            self.stmt(otherwise);
                        }
                        _ => self.part(otherwise.pos, "else", |p| p.stmt(otherwise)),
                    }
                }
            }
            StmtKind::While { cond, body } => self.part(pos, "while", |p| {
                p.expr(cond);
                p.stmt(body);
            }),
            StmtKind::DoWhile { body, cond } => self.part(pos, "do while", |p| {
                p.stmt(body);
                p.expr(cond);
            }),
            StmtKind::For { init, cond, step, body } => self.part(pos, "for", |p| {
                match init {
                    None => p.line(pos, "no init"),
                    Some(ForInit::Expr(expr)) => p.part(expr.pos, "init", |p| p.expr(expr)),
                    Some(ForInit::Declaration(d)) => p.part(d.pos, "init", |p| p.declaration(d)),
                }
                match cond {
                    None => p.line(pos, "no condition"),
                    Some(cond) => p.part(cond.pos, "condition", |p| p.expr(cond)),
                }
                match step {
                    None => p.line(pos, "no step"),
                    Some(step) => p.part(step.pos, "step", |p| p.expr(step)),
                }
                p.stmt(body);
            }),
            StmtKind::Switch { value, body } => self.part(pos, "switch", |p| {
                p.expr(value);
                p.stmt(body);
            }),
            StmtKind::Case { first, last, body } => {
                self.part(pos, "case", |p| {
                    p.expr(first);
                    last.iter().for_each(|last| p.expr(last));
                });
                self.stmt(body);
            }
            StmtKind::Default(body) => {
                self.line(pos, "default");
                self.stmt(body);
            }
            StmtKind::Label { name, body } => {
                let text = format!("label {}", self.name(*name));
                self.line(pos, text);
                self.stmt(body);
            }
            StmtKind::Goto(name) => {
                let text = format!("goto {}", self.name(*name));
                self.line(pos, text);
            }
            StmtKind::ComputedGoto(expr) => self.part(pos, "computed goto", |p| p.expr(expr)),
            StmtKind::Break => self.line(pos, "break"),
            StmtKind::Continue => self.line(pos, "continue"),
            StmtKind::Return(value) => self.part(pos, "return", |p| value.iter().for_each(|v| p.expr(v))),
            StmtKind::Asm(asm) => {
                let text = format!("asm {:?}", String::from_utf8_lossy(&asm.template));
                self.line(pos, text);
            }
        }
    }

    // Expressions.

    fn expr(&mut self, expr: &Expr) {
        let pos = expr.pos;
        match &expr.kind {
            ExprKind::Name(name) => {
                let text = self.name(*name).to_string();
                self.line(pos, text);
            }
            ExprKind::Int { value, unsigned, longs, .. } => {
                let suffix = ["", "l", "ll"].get(usize::from(*longs)).unwrap_or(&"");
                let text = format!("{value}{}{suffix}", if *unsigned { "u" } else { "" });
                self.line(pos, text);
            }
            ExprKind::Float { value, suffix } => {
                let suffix = match suffix {
                    FloatSuffix::None => "",
                    FloatSuffix::F => "f",
                    FloatSuffix::L => "l",
                    FloatSuffix::Q => "q",
                };
                self.line(pos, format!("{}{suffix}", value.0));
            }
            ExprKind::Char { value, encoding } => {
                self.line(pos, format!("{}char {}", prefix(*encoding), *value as i32));
            }
            ExprKind::Str { units, encoding } => {
                let text = string_text(units, *encoding);
                self.line(pos, text);
            }
            ExprKind::Unary(op, operand) => self.part(pos, unary_text(*op), |p| p.expr(operand)),
            ExprKind::Binary(op, left, right) => self.part(pos, binary_text(*op), |p| {
                p.expr(left);
                p.expr(right);
            }),
            ExprKind::Assign(op, target, value) => {
                let text = format!("{}=", op.map_or("", binary_text));
                self.part(pos, &text, |p| {
                    p.expr(target);
                    p.expr(value);
                });
            }
            ExprKind::Conditional { cond, then, otherwise } => self.part(pos, "?:", |p| {
                p.expr(cond);
                then.iter().for_each(|then| p.expr(then));
                p.expr(otherwise);
            }),
            ExprKind::Comma(left, right) => self.part(pos, ",", |p| {
                p.expr(left);
                p.expr(right);
            }),
            ExprKind::Index(base, index) => self.part(pos, "[]", |p| {
                p.expr(base);
                p.expr(index);
            }),
            ExprKind::Call { callee, args } => self.part(pos, "call", |p| {
                p.expr(callee);
                args.iter().for_each(|arg| p.expr(arg));
            }),
            ExprKind::Member(base, name) => {
                let text = format!(".{}", self.name(*name));
                self.part(pos, &text, |p| p.expr(base));
            }
            ExprKind::Arrow(base, name) => {
                let text = format!("->{}", self.name(*name));
                self.part(pos, &text, |p| p.expr(base));
            }
            ExprKind::Cast(name, operand) => {
                self.typed(pos, "cast to", name);
                self.below(|p| p.expr(operand));
            }
            ExprKind::CompoundLiteral(name, init) => {
                self.typed(pos, "compound literal", name);
                self.below(|p| p.initializer(init));
            }
            ExprKind::SizeofExpr(operand) => self.part(pos, "sizeof", |p| p.expr(operand)),
            ExprKind::SizeofType(name) => self.typed(pos, "sizeof type", name),
            ExprKind::AlignofExpr(operand) => self.part(pos, "alignof", |p| p.expr(operand)),
            ExprKind::AlignofType(name) => self.typed(pos, "alignof type", name),
            ExprKind::PreferredAlignofType(name) => self.typed(pos, "preferred alignof type", name),
            ExprKind::Generic { control, arms } => self.part(pos, "generic", |p| {
                p.expr(control);
                for (name, value) in arms {
                    match name {
                        Some(name) => p.typed(name.pos, "for", name),
                        None => p.line(value.pos, "default"),
                    }
                    p.below(|p| p.expr(value));
                }
            }),
            ExprKind::StmtExpr(block) => self.part(pos, "statement expression", |p| p.block(block)),
            ExprKind::LabelAddr(name) => {
                let text = format!("&&{}", self.name(*name));
                self.line(pos, text);
            }
            ExprKind::VaArg(list, name) => {
                self.typed(pos, "va_arg", name);
                self.below(|p| p.expr(list));
            }
            ExprKind::Offsetof(name, designators) => {
                self.typed(pos, "offsetof", name);
                self.below(|p| p.designators(designators));
            }
            ExprKind::TypesCompatible(first, second) => {
                let text = format!("types compatible {}, {}", self.type_name(first), self.type_name(second));
                self.line(pos, text);
            }
            ExprKind::ChooseExpr(cond, first, second) => self.part(pos, "choose", |p| {
                p.expr(cond);
                p.expr(first);
                p.expr(second);
            }),
            ExprKind::ConvertVector(value, name) => {
                self.part(pos, &format!("convertvector {}", self.type_name(name)), |p| p.expr(value));
            }
            ExprKind::FuncName => self.line(pos, "__func__"),
            ExprKind::Imaginary(number) => {
                self.part(pos, "imaginary", |p| p.expr(&Expr { pos, kind: (**number).clone() }));
            }
            ExprKind::Unsupported(what) => self.line(pos, format!("unsupported {what}")),
        }
    }

    /// A line with a type, and what is defined in it below.
    fn typed(&mut self, pos: Pos, what: &str, name: &TypeName) {
        let text = format!("{what} {}", self.type_name(name));
        self.line(pos, text);
        self.below(|p| {
            p.specs_below(&name.specs);
            p.declarator_below(&name.declarator);
        });
    }
}

fn quals_text(quals: Quals) -> String {
    let words = [
        (quals.is_const, "const "),
        (quals.is_volatile, "volatile "),
        (quals.is_restrict, "restrict "),
        (quals.is_atomic, "atomic "),
    ];
    words.iter().filter(|w| w.0).map(|w| w.1).collect()
}

fn prefix(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Plain => "",
        Encoding::Utf8 => "u8 ",
        Encoding::Wide => "L ",
        Encoding::Char16 => "u ",
        Encoding::Char32 => "U ",
    }
}

fn string_text(units: &[u32], encoding: Encoding) -> String {
    let text = match encoding {
        Encoding::Plain | Encoding::Utf8 => {
            let bytes: Vec<u8> = units.iter().map(|u| *u as u8).collect();
            String::from_utf8_lossy(&bytes).into_owned()
        }
        Encoding::Char16 => String::from_utf16_lossy(&units.iter().map(|u| *u as u16).collect::<Vec<_>>()),
        Encoding::Wide | Encoding::Char32 => units.iter().map(|u| char::from_u32(*u).unwrap_or('\u{fffd}')).collect(),
    };
    format!("{}{text:?}", prefix(encoding))
}

fn basic_text(basic: Basic) -> &'static str {
    match basic {
        Basic::Void => "void",
        Basic::Bool => "_Bool",
        Basic::Char => "char",
        Basic::SChar => "signed char",
        Basic::UChar => "unsigned char",
        Basic::Short => "short",
        Basic::UShort => "unsigned short",
        Basic::Int => "int",
        Basic::UInt => "unsigned int",
        Basic::Long => "long",
        Basic::ULong => "unsigned long",
        Basic::LongLong => "long long",
        Basic::ULongLong => "unsigned long long",
        Basic::Int128 => "__int128",
        Basic::UInt128 => "unsigned __int128",
        Basic::Float => "float",
        Basic::Double => "double",
        Basic::LongDouble => "long double",
        Basic::Float128 => "_Float128",
        Basic::VaList => "__builtin_va_list",
    }
}

fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+ (unary)",
        UnaryOp::Minus => "- (unary)",
        UnaryOp::BitNot => "~",
        UnaryOp::Not => "!",
        UnaryOp::Deref => "* (unary)",
        UnaryOp::AddrOf => "& (unary)",
        UnaryOp::PreInc => "++ (before)",
        UnaryOp::PreDec => "-- (before)",
        UnaryOp::PostInc => "++ (after)",
        UnaryOp::PostDec => "-- (after)",
        UnaryOp::Real => "__real__",
        UnaryOp::Imag => "__imag__",
    }
}

fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::LogAnd => "&&",
        BinaryOp::LogOr => "||",
    }
}
