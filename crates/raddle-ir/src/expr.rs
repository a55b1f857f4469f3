//! Expressions: the node kinds and the operators.
//!
//! An expression is a node in an [`ExprPool`](crate::pool::ExprPool), named by a 32-bit [`ExprId`]. Its sort is known
//! when it is made. Expressions are pure and total: no operation traps. Division by zero has SMT-LIB's value
//! (all ones for unsigned division, the dividend for remainders); where C forbids it, lowering puts a
//! [`Label::Require`](crate::program::Label::Require) before it.

use crate::program::VarId;
use crate::sort::{FloatSort, Sort};
use serde::{Deserialize, Serialize};

/// Names an expression of one pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ExprId(pub u32);

/// A scalar constant. `bits` holds the value: 0 or 1 for a Bool, the unsigned value for a bit-vector
/// (always below 2^width), the IEEE encoding for a float.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Const {
    pub sort: Sort,
    pub bits: u128,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub enum UnOp {
    /// Bool → Bool.
    Not,
    /// Bitwise complement.
    BvNot,
    /// Two's complement negation.
    BvNeg,
    FNeg,
    FAbs,
    /// Square root, round to nearest even.
    FSqrt,
    /// Round to an integral value of the same sort: to nearest (ties to even), toward zero, up, down,
    /// and to nearest with ties away from zero (C's `rint`, `trunc`, `ceil`, `floor`, `round`).
    FRint,
    FTrunc,
    FCeil,
    FFloor,
    FRound,
    /// Float → Bool.
    FIsNan,
    FIsInf,
    FIsZero,
    FIsNormal,
    FIsSubnormal,
    /// The sign bit (also of zeros and NaNs).
    FIsNegative,
    /// The IEEE encoding of a float as a bit-vector (`Sort::bits` wide).
    FToBits,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub enum BinOp {
    // Bool × Bool → Bool
    And,
    Or,
    Xor,
    /// Any sort, twice the same → Bool. On floats it compares encodings (SMT-LIB's `=` but for NaN payloads);
    /// C's `==` on floats is `FEq`.
    Eq,
    // Bits(n) × Bits(n) → Bits(n)
    BvAdd,
    BvSub,
    BvMul,
    /// `x / 0` is all ones.
    BvUDiv,
    /// Truncates toward zero; `x / 0` is 1 for negative x and −1 otherwise; MIN / −1 wraps.
    BvSDiv,
    /// `x % 0` is x.
    BvURem,
    /// The sign follows the dividend; `x % 0` is x.
    BvSRem,
    BvAnd,
    BvOr,
    BvXor,
    /// Shifts by the unsigned value of the second operand; by n or more: 0, or copies of the sign for `AShr`.
    Shl,
    LShr,
    AShr,
    // Bits(n) × Bits(n) → Bool
    ULt,
    ULe,
    SLt,
    SLe,
    /// Bits(n) × Bits(m) → Bits(n + m); the first operand becomes the high bits.
    Concat,
    // Float × Float → Float, round to nearest even
    FAdd,
    FSub,
    FMul,
    FDiv,
    /// C's `fmod`: the result has the dividend's sign.
    FRem,
    // Float × Float → Bool; false when an operand is NaN
    FEq,
    FLt,
    FLe,
    // Overflow of Bits(n) × Bits(n) → Bool
    SAddOverflows,
    SSubOverflows,
    SMulOverflows,
    UMulOverflows,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Expr {
    Const(Const),
    Var(VarId),
    Unary(UnOp, ExprId),
    Binary(BinOp, ExprId, ExprId),
    /// Condition (Bool), then two operands of one sort.
    Ite(ExprId, ExprId, ExprId),
    /// `a · b + c` of three floats of one sort, rounded once, to nearest even.
    Fma(ExprId, ExprId, ExprId),
    /// Bits `low ..= high` of a bit-vector.
    Extract {
        high: u8,
        low: u8,
        arg: ExprId,
    },
    /// Extension to a width that is larger than the operand's.
    ZeroExt {
        width: u8,
        arg: ExprId,
    },
    SignExt {
        width: u8,
        arg: ExprId,
    },
    /// Float → float of another format, round to nearest even.
    FToF {
        to: FloatSort,
        arg: ExprId,
    },
    /// Float → integer, toward zero. Out of range or NaN: what x86 gives (only the top bit set, the "integer indefinite"),
    /// truncated to the width for narrow integers. `float::to_integer` says which instruction gcc picks for which width.
    FToS {
        width: u8,
        arg: ExprId,
    },
    FToU {
        width: u8,
        arg: ExprId,
    },
    /// Signed or unsigned integer → float, round to nearest even.
    SToF {
        to: FloatSort,
        arg: ExprId,
    },
    UToF {
        to: FloatSort,
        arg: ExprId,
    },
    /// The float that a bit-vector encodes; inverse of `UnOp::FToBits`.
    BitsToF {
        to: FloatSort,
        arg: ExprId,
    },
    /// `array[index]`.
    Select(ExprId, ExprId),
    /// `array` with `index` mapped to a value.
    Store(ExprId, ExprId, ExprId),
    /// The array of the given sort that maps everything to one value.
    ConstArray {
        index: u8,
        value: ExprId,
    },
}
