//! The syntax tree, as the parser makes it: names are not resolved, types are not checked.

use crate::source::Pos;

/// An interned identifier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Symbol(pub u32);

#[derive(Debug, Clone)]
pub struct Unit {
    pub items: Vec<Item>,
    pub pragmas: Vec<Pragma>,
}

/// A pragma about a symbol, wherever it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pragma {
    /// `#pragma weak name`, or `weak name = target`.
    Weak(Symbol, Option<Symbol>),
    /// `#pragma redefine_extname name symbol`
    Symbol(Symbol, Symbol),
}

#[derive(Debug, Clone)]
pub enum Item {
    Declaration(Declaration),
    Function(FunctionDef),
    StaticAssert(StaticAssert),
    /// File-scope `asm("...")`, and its text.
    Asm(Pos, Vec<u8>),
}

#[derive(Debug, Clone)]
pub struct StaticAssert {
    pub pos: Pos,
    pub cond: Expr,
    pub message: Option<Vec<u8>>,
}

#[derive(Debug, Clone)]
pub struct FunctionDef {
    pub pos: Pos,
    pub specs: DeclSpecs,
    /// Its first derivation is `Derived::Function`.
    pub declarator: Declarator,
    /// Declarations between the parameter list and the body (K&R).
    pub kr_declarations: Vec<Declaration>,
    pub body: Block,
    /// Where the closing brace is.
    pub end: Pos,
}

/// `specs declarator = init, ...;` Without declarators it may still declare a tag.
#[derive(Debug, Clone)]
pub struct Declaration {
    pub pos: Pos,
    pub specs: DeclSpecs,
    pub declarators: Vec<InitDeclarator>,
}

#[derive(Debug, Clone)]
pub struct InitDeclarator {
    pub declarator: Declarator,
    pub init: Option<Initializer>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StorageClass {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Quals {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub is_atomic: bool,
}

#[derive(Debug, Clone)]
pub struct DeclSpecs {
    pub pos: Pos,
    pub storage: Option<StorageClass>,
    pub thread_local: bool,
    pub inline: bool,
    pub noreturn: bool,
    pub quals: Quals,
    pub ty: TypeSpec,
    pub attrs: Vec<Attribute>,
    /// `_Alignas(...)`.
    pub alignas: Vec<AlignAs>,
}

#[derive(Debug, Clone)]
pub enum AlignAs {
    Type(TypeName),
    Expr(Expr),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Basic {
    Void,
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    Float,
    Double,
    LongDouble,
    Float128,
    /// `__builtin_va_list`.
    VaList,
}

#[derive(Debug, Clone)]
pub enum TypeSpec {
    Basic(Basic),
    /// `_Complex` and one of these.
    Complex(Basic),
    /// A typedef name.
    Name(Symbol),
    Record(Box<RecordSpec>),
    Enum(Box<EnumSpec>),
    TypeofExpr(Box<Expr>),
    TypeofType(Box<TypeName>),
    /// `_Atomic(type)`.
    Atomic(Box<TypeName>),
    /// `__auto_type`.
    Auto,
    /// None was written (implicit int).
    ImplicitInt,
    /// A valid type that is refused, with its name: `_Imaginary double`, `_Float128` …
    Unsupported(&'static str),
}

#[derive(Debug, Clone)]
pub struct RecordSpec {
    pub pos: Pos,
    pub is_union: bool,
    pub tag: Option<Symbol>,
    /// `None`: a reference or forward declaration.
    pub fields: Option<Vec<FieldDecl>>,
    pub attrs: Vec<Attribute>,
}

#[derive(Debug, Clone)]
pub enum FieldDecl {
    /// `specs a, b : 3;` — no declarator: an anonymous struct or union member.
    Fields {
        pos: Pos,
        specs: DeclSpecs,
        declarators: Vec<FieldDeclarator>,
    },
    StaticAssert(StaticAssert),
}

#[derive(Debug, Clone)]
pub struct FieldDeclarator {
    /// Its name is `None` for an unnamed bit-field.
    pub declarator: Declarator,
    pub width: Option<Expr>,
}

#[derive(Debug, Clone)]
pub struct EnumSpec {
    pub pos: Pos,
    pub tag: Option<Symbol>,
    pub constants: Option<Vec<EnumConstant>>,
    pub attrs: Vec<Attribute>,
}

#[derive(Debug, Clone)]
pub struct EnumConstant {
    pub pos: Pos,
    pub name: Symbol,
    pub value: Option<Expr>,
}

/// A name (or none, in a type name or an unnamed parameter) and what stands around it.
#[derive(Debug, Clone, Default)]
pub struct Declarator {
    pub pos: Pos,
    pub name: Option<Symbol>,
    /// From the name outward: `int *a[3]` is `[Array(3), Pointer]`, an array of pointers. The type is made by applying
    /// them to the specifiers' type from last to first.
    pub derived: Vec<Derived>,
    pub attrs: Vec<Attribute>,
    /// `asm("name")` after a declarator.
    pub asm_label: Option<Vec<u8>>,
}

#[derive(Debug, Clone)]
pub enum Derived {
    Pointer(Quals),
    Array { pos: Pos, len: ArrayLen, quals: Quals },
    Function(ParamList),
}

#[derive(Debug, Clone)]
pub enum ArrayLen {
    /// `[]`
    Unspecified,
    /// `[*]`
    Star,
    Expr(Box<Expr>),
}

#[derive(Debug, Clone)]
pub enum ParamList {
    /// With a prototype; `(void)` is an empty list here.
    Prototype { params: Vec<Param>, variadic: bool },
    /// `()` or a K&R list of names.
    Identifiers(Vec<(Symbol, Pos)>),
}

#[derive(Debug, Clone)]
pub struct Param {
    pub pos: Pos,
    pub specs: DeclSpecs,
    pub declarator: Declarator,
}

#[derive(Debug, Clone)]
pub struct TypeName {
    pub pos: Pos,
    pub specs: DeclSpecs,
    /// Without a name.
    pub declarator: Declarator,
}

/// `__attribute__((name(args)))`; names without surrounding underscores (`__packed__` is `packed`).
#[derive(Debug, Clone)]
pub struct Attribute {
    pub pos: Pos,
    pub name: String,
    /// Arguments that are expressions (identifiers included); `None` where the tokens made no expression.
    pub args: Vec<Option<Expr>>,
}

#[derive(Debug, Clone)]
pub enum Initializer {
    Expr(Expr),
    List { pos: Pos, items: Vec<InitItem> },
}

#[derive(Debug, Clone)]
pub struct InitItem {
    pub pos: Pos,
    /// `.a[3].b =`; empty if there is none.
    pub designators: Vec<Designator>,
    pub init: Initializer,
}

#[derive(Debug, Clone)]
pub enum Designator {
    Field(Symbol, Pos),
    Index(Expr),
    /// `[first ... last]`
    Range(Expr, Expr),
}

#[derive(Debug, Clone)]
pub struct Block {
    pub pos: Pos,
    pub items: Vec<BlockItem>,
    /// Where the closing brace is.
    pub end: Pos,
}

#[derive(Debug, Clone)]
pub enum BlockItem {
    Declaration(Declaration),
    StaticAssert(StaticAssert),
    Stmt(Stmt),
    /// A GNU nested function: refused later, with its place.
    NestedFunction(Pos),
}

#[derive(Debug, Clone)]
pub struct Stmt {
    pub pos: Pos,
    pub kind: StmtKind,
}

#[derive(Debug, Clone)]
pub enum StmtKind {
    /// `;` is `None`.
    Expr(Option<Expr>),
    Block(Block),
    If {
        cond: Expr,
        then: Box<Stmt>,
        otherwise: Option<Box<Stmt>>,
    },
    While {
        cond: Expr,
        body: Box<Stmt>,
    },
    DoWhile {
        body: Box<Stmt>,
        cond: Expr,
    },
    For {
        init: Option<ForInit>,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    Switch {
        value: Expr,
        body: Box<Stmt>,
    },
    Case {
        first: Expr,
        last: Option<Expr>,
        body: Box<Stmt>,
    },
    Default(Box<Stmt>),
    Label {
        name: Symbol,
        body: Box<Stmt>,
    },
    Goto(Symbol),
    ComputedGoto(Expr),
    Break,
    Continue,
    Return(Option<Expr>),
    Asm(Asm),
}

#[derive(Debug, Clone)]
pub enum ForInit {
    Expr(Expr),
    Declaration(Declaration),
}

#[derive(Debug, Clone)]
pub struct Asm {
    pub template: Vec<u8>,
    pub is_goto: bool,
    pub outputs: Vec<AsmOperand>,
    pub inputs: Vec<AsmOperand>,
    pub clobbers: Vec<Vec<u8>>,
}

/// `[name] "constraint" (expression)`
#[derive(Debug, Clone)]
pub struct AsmOperand {
    pub name: Option<String>,
    /// Without blanks and the final zero.
    pub constraint: Vec<u8>,
    pub expr: Expr,
}

#[derive(Debug, Clone)]
pub struct Expr {
    pub pos: Pos,
    pub kind: ExprKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    Plus,
    Minus,
    BitNot,
    Not,
    Deref,
    AddrOf,
    PreInc,
    PreDec,
    PostInc,
    PostDec,
    /// GNU `__real__`, `__imag__` (refused later).
    Real,
    Imag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    LogAnd,
    LogOr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Plain,
    Utf8,
    /// `L`
    Wide,
    /// `u`
    Char16,
    /// `U`
    Char32,
}

#[derive(Debug, Clone)]
pub enum ExprKind {
    Name(Symbol),
    /// The value, and what its suffix and base say about its type.
    Int {
        value: u128,
        unsigned: bool,
        longs: u8,
        decimal: bool,
    },
    Float {
        value: FloatLiteral,
        suffix: FloatSuffix,
    },
    /// The value of the (last) character as its encoding gives it; `Plain` with several characters is gcc's multi-character value.
    Char {
        value: u32,
        encoding: Encoding,
    },
    /// Adjacent literals are joined. Code units without the terminating zero: bytes for `Plain` and `Utf8`, else UTF-16/32 units.
    Str {
        units: Vec<u32>,
        encoding: Encoding,
    },
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `None`: plain `=`.
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// `a ? b : c`; GNU `a ?: c` has no `then`.
    Conditional {
        cond: Box<Expr>,
        then: Option<Box<Expr>>,
        otherwise: Box<Expr>,
    },
    Comma(Box<Expr>, Box<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Call {
        callee: Box<Expr>,
        args: Vec<Expr>,
    },
    /// `a.f`
    Member(Box<Expr>, Symbol),
    /// `a->f`
    Arrow(Box<Expr>, Symbol),
    Cast(Box<TypeName>, Box<Expr>),
    CompoundLiteral(Box<TypeName>, Box<Initializer>),
    SizeofExpr(Box<Expr>),
    SizeofType(Box<TypeName>),
    AlignofExpr(Box<Expr>),
    AlignofType(Box<TypeName>),
    /// `__alignof__`: the alignment that variables of the type get, which may be larger than what it needs.
    PreferredAlignofType(Box<TypeName>),
    Generic {
        control: Box<Expr>,
        arms: Vec<(Option<TypeName>, Expr)>,
    },
    StmtExpr(Box<Block>),
    /// GNU `&&label`
    LabelAddr(Symbol),
    /// `__builtin_va_arg(ap, type)`
    VaArg(Box<Expr>, Box<TypeName>),
    /// `__builtin_offsetof(type, a.b[3])`: the designators after the type.
    Offsetof(Box<TypeName>, Vec<Designator>),
    /// `__builtin_types_compatible_p(a, b)`
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    /// `__builtin_convertvector(a, type)`
    ConvertVector(Box<Expr>, Box<TypeName>),
    /// `__builtin_choose_expr(c, a, b)`
    ChooseExpr(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `__func__`, `__FUNCTION__`, `__PRETTY_FUNCTION__`
    FuncName,
    /// `1.0i`: the number without the `i`.
    Imaginary(Box<ExprKind>),
    /// `__extension__ e` is just e; it has no node.
    Unsupported(&'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FloatSuffix {
    None,
    F,
    L,
    Q,
}

/// A floating literal's digits as written, without suffix (decimal or hexadecimal), so that each format rounds once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FloatLiteral(pub String);
