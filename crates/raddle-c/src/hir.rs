//! The typed tree: what the type checker makes of all translation units together.
//!
//! Every name is resolved, every implicit conversion is a node, initialisers are flat, `sizeof` is gone, static locals are globals. Lowering
//! needs no C rule about types beyond what stands here.

pub mod visit;

use crate::probes::Moment;
use crate::source::Pos;
use crate::types::{BitField, TypeId, Types};
use raddle_ir::Order;
use rustc_hash::FxHashMap;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
ids!(
    GlobalId,
    FnId,
    /// A local of one function.
    LocalId,
    StrId,
    /// A label of one function.
    LabelId,
);

/// A whole program.
#[derive(Debug)]
pub struct Hir {
    pub types: Types,
    pub globals: Vec<Global>,
    pub functions: Vec<Function>,
    pub strings: Vec<StringLiteral>,
    /// The function `main`, if it is defined.
    pub main: Option<FnId>,
    /// Functions that run before and after it, in this order.
    pub constructors: Vec<FnId>,
    pub destructors: Vec<FnId>,
    /// The place of a declaration, by that of the first statement that it became; `None` for those that follow.
    pub declarations: FxHashMap<Pos, Option<Pos>>,
    /// Somebody looks on: there are probes.
    pub probed: bool,
}

#[derive(Debug)]
pub struct Global {
    pub name: String,
    pub pos: Pos,
    pub ty: TypeId,
    pub thread_local: bool,
    pub is_const: bool,
    /// Its address is used otherwise than to read or write it as a whole (`&x`, or it is an array or record).
    pub address_taken: bool,
    /// `None` with `defined`: zeros.
    pub init: Option<Init>,
    /// False: only declared (`extern`): its value is any.
    pub defined: bool,
    /// A byte alignment asked for beyond its type's.
    pub align: Option<u64>,
    /// False: nothing that runs mentions it.
    pub used: bool,
}

#[derive(Debug)]
pub struct Function {
    pub name: String,
    pub pos: Pos,
    pub ty: TypeId,
    pub params: Vec<LocalId>,
    /// Parameters, variables of all scopes, compound literals, and hidden ones (VLA lengths).
    pub locals: Vec<Local>,
    /// `None`: declared only.
    pub body: Option<Vec<Stmt>>,
    /// Where its closing brace is.
    pub end: Pos,
    pub labels: Vec<String>,
    /// Those that are used as values.
    pub addressed_labels: Vec<LabelId>,
    pub noreturn: bool,
    /// Where nobody defines it, its address is null.
    pub weak: bool,
    /// It is defined by file-scope assembly: nobody knows what it does.
    pub in_assembly: bool,
}

#[derive(Debug)]
pub struct Local {
    pub name: String,
    pub pos: Pos,
    pub ty: TypeId,
    /// As for globals.
    pub address_taken: bool,
    pub align: Option<u64>,
}

#[derive(Debug)]
pub struct StringLiteral {
    /// With the terminating zero, in the target's byte order.
    pub bytes: Vec<u8>,
    pub pos: Pos,
}

/// A flat initialiser: what is not named is zero. Entries stand in the order of evaluation; a later one overrides an earlier one.
#[derive(Debug, Clone)]
pub struct Init {
    pub entries: Vec<InitEntry>,
    /// False if the entries cover the whole object, so that zero-filling first is not needed.
    pub zero_rest: bool,
}

#[derive(Debug, Clone)]
pub struct InitEntry {
    pub offset: u64,
    pub bits: Option<BitField>,
    /// The type of the part that is initialised: a scalar, or a record initialised by an expression of record type, or an array by `Bytes`.
    pub ty: TypeId,
    pub value: InitValue,
}

#[derive(Debug, Clone)]
pub enum InitValue {
    /// Converted to the type already.
    Expr(Expr),
    /// The first bytes of an array (from a string literal).
    Bytes(Vec<u8>),
}

#[derive(Debug, Clone)]
pub struct Stmt {
    pub pos: Pos,
    pub kind: StmtKind,
}

#[derive(Debug, Clone)]
pub enum StmtKind {
    Expr(Expr),
    /// Something that is not modelled: what follows when this is reached, nobody knows.
    Gap(String),
    /// A local comes into scope: it is any value, or initialised. Its VLA lengths were set by statements before.
    Local(LocalId, Option<Init>),
    Block(Vec<Stmt>),
    /// Conditions are of any scalar type; true is "not zero".
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
    /// `init` is a block's worth of statements before it.
    For {
        init: Vec<Stmt>,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    /// `value` is promoted; the cases inside `body` are of its type.
    Switch {
        value: Expr,
        body: Box<Stmt>,
    },
    /// Bit patterns of the switch's type; the range is inclusive and compared with the signedness of that type.
    Case {
        first: u128,
        last: u128,
        body: Box<Stmt>,
    },
    Default(Box<Stmt>),
    Label(LabelId, Box<Stmt>),
    Goto(LabelId),
    /// GNU `goto *e`: to the label of the function that has this address.
    GotoAddress(Expr),
    /// From here on, leaving the block runs this; what came last runs first.
    Cleanup(Expr),
    Break,
    Continue,
    Return(Option<Expr>),
    /// `mfence` and the like.
    Barrier(Order),
    /// Somebody wants to see this moment, and whether the condition holds.
    Probe(usize, Moment, Option<Expr>),
    Empty,
}

#[derive(Debug, Clone)]
pub struct Expr {
    pub ty: TypeId,
    pub pos: Pos,
    pub kind: ExprKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnOp {
    Neg,
    BitNot,
    /// On any scalar; the result is an int, 0 or 1.
    Not,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    BitAnd,
    BitXor,
    BitOr,
    // The result is an int, 0 or 1.
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
}

#[derive(Debug, Clone)]
pub enum ExprKind {
    // ---- lvalues (no value yet; `Load` reads them) ----
    Global(GlobalId),
    Local(LocalId),
    Str(StrId),
    Function(FnId),
    /// `*p`; the operand is a pointer value.
    Deref(Box<Expr>),
    /// A field of a record: the base is an lvalue, or a value of record type (a call's result, say; then this is only read).
    Member {
        base: Box<Expr>,
        offset: u64,
        bits: Option<BitField>,
    },
    /// `(T){…}`: initialises the local each time it is evaluated, and is that local. (At file scope it is a `Global`.)
    CompoundLiteral(LocalId, Init),

    // ---- values ----
    /// The bits of an integer or pointer constant of type `ty`, below 2^width.
    Int(u128),
    /// GNU `&&label`, of this function.
    LabelAddress(FnId, LabelId),
    /// The encoding of a floating constant in the format of `ty`.
    Float(u128),
    /// The value of an lvalue of scalar or record type. `ty` is without `_Atomic`; the operand's may have it (then the access is sequentially consistent).
    Load(Box<Expr>),
    /// An array lvalue as a pointer to its first element, or a function as a pointer.
    Decay(Box<Expr>),
    AddrOf(Box<Expr>),
    /// The operand is promoted and of type `ty`, but for `Not`.
    Unary(UnOp, Box<Expr>),
    /// Arithmetic operands have one common type; for shifts each its own promoted type (the result's is the left one's); comparisons also compare
    /// pointers (of the same width).
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// `pointer + index * stride` bytes, or minus. The index is an integer of `ptrdiff_t`'s (or `size_t`'s) width, converted with its own signedness.
    PtrAdd {
        pointer: Box<Expr>,
        index: Box<Expr>,
        stride: Stride,
        subtract: bool,
    },
    /// `(left - right) / stride` as a `ptrdiff_t`.
    PtrDiff {
        left: Box<Expr>,
        right: Box<Expr>,
        stride: Stride,
    },
    /// Short circuit; int, 0 or 1. Operands are any scalars.
    LogAnd(Box<Expr>, Box<Expr>),
    LogOr(Box<Expr>, Box<Expr>),
    /// Both arms are converted to `ty` (scalar, record or void).
    Conditional {
        cond: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// `cond ?: otherwise`: the condition is evaluated once; its value converted to `ty`.
    Elvis {
        cond: Box<Expr>,
        otherwise: Box<Expr>,
    },
    Comma(Box<Expr>, Box<Expr>),
    /// The right side is converted to the left side's type. The value is the left side's new value.
    Assign(Box<Expr>, Box<Expr>),
    /// `target op= value`: the target's address is computed once; its value is converted to `compute`, the operation is done there with `value` (of
    /// type `compute`, or of its own type for shifts), the result is converted back. An `_Atomic` target is updated in one atomic step.
    AssignOp {
        op: BinOp,
        target: Box<Expr>,
        value: Box<Expr>,
        compute: TypeId,
    },
    /// `target += index * stride` on pointers.
    AssignPtrAdd {
        target: Box<Expr>,
        index: Box<Expr>,
        stride: Stride,
        subtract: bool,
    },
    /// `++`/`--` on arithmetic types (`compute` is the promoted or common type with 1) or pointers (`stride`).
    IncDec {
        target: Box<Expr>,
        decrement: bool,
        postfix: bool,
        compute: TypeId,
        stride: Option<Stride>,
    },
    /// Arguments are converted to the parameter types, or promoted by default. The callee is a function lvalue (direct call) or a pointer value.
    Call {
        callee: Callee,
        args: Vec<Expr>,
    },
    /// To `ty`: among arithmetic types and pointers, to `_Bool`, or to void.
    Convert(Box<Expr>),
    /// `({ ...; value; })`; void without a value.
    StmtExpr(Vec<Stmt>, Option<Box<Expr>>),
    /// `va_arg(list, ty)`; the operand is the lvalue of the list.
    VaArg(Box<Expr>),
    /// A complex number or vector by its elements, which are evaluated in this order.
    Elements(Vec<Expr>),
}

#[derive(Debug, Clone)]
pub enum Stride {
    Bytes(u64),
    /// A VLA's element: a value of type `size_t`.
    Computed(Box<Expr>),
}

#[derive(Debug, Clone)]
pub enum Callee {
    Direct(FnId),
    /// A value of pointer-to-function type.
    Pointer(Box<Expr>),
    /// A gcc builtin, by name (`__builtin_clz`, `__sync_fetch_and_add`, `__atomic_load_n`, …), that no C type fully describes. Arguments are
    /// values after default conversions; lists and objects that it changes are passed as pointers, `va_list`s as lvalues' addresses.
    Builtin(String),
}
