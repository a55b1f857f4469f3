//! How the operators are written in the text form; the printer and the parser share these tables.

use crate::expr::{BinOp, UnOp};
use crate::program::{HavocReason, Hazard, Order, Storage};
use crate::property::Violation;

/// Binary operators that stand between their operands.
pub(crate) const INFIX: [(&str, BinOp); 30] = [
    ("&&", BinOp::And),
    ("||", BinOp::Or),
    ("^^", BinOp::Xor),
    ("==", BinOp::Eq),
    ("+", BinOp::BvAdd),
    ("-", BinOp::BvSub),
    ("*", BinOp::BvMul),
    ("/u", BinOp::BvUDiv),
    ("/s", BinOp::BvSDiv),
    ("%u", BinOp::BvURem),
    ("%s", BinOp::BvSRem),
    ("&", BinOp::BvAnd),
    ("|", BinOp::BvOr),
    ("^", BinOp::BvXor),
    ("<<", BinOp::Shl),
    (">>u", BinOp::LShr),
    (">>s", BinOp::AShr),
    ("<u", BinOp::ULt),
    ("<=u", BinOp::ULe),
    ("<s", BinOp::SLt),
    ("<=s", BinOp::SLe),
    ("++", BinOp::Concat),
    ("+.", BinOp::FAdd),
    ("-.", BinOp::FSub),
    ("*.", BinOp::FMul),
    ("/.", BinOp::FDiv),
    ("%.", BinOp::FRem),
    ("==.", BinOp::FEq),
    ("<.", BinOp::FLt),
    ("<=.", BinOp::FLe),
];

/// Binary operators that are written as functions.
pub(crate) const FUNCTIONS2: [(&str, BinOp); 4] = [
    ("sadd_overflows", BinOp::SAddOverflows),
    ("ssub_overflows", BinOp::SSubOverflows),
    ("smul_overflows", BinOp::SMulOverflows),
    ("umul_overflows", BinOp::UMulOverflows),
];

/// Unary operators that stand before their operand.
pub(crate) const PREFIX: [(&str, UnOp); 3] = [("!", UnOp::Not), ("~", UnOp::BvNot), ("-", UnOp::BvNeg)];

/// Unary operators that are written as functions.
pub(crate) const FUNCTIONS1: [(&str, UnOp); 15] = [
    ("fneg", UnOp::FNeg),
    ("fabs", UnOp::FAbs),
    ("fsqrt", UnOp::FSqrt),
    ("frint", UnOp::FRint),
    ("ftrunc", UnOp::FTrunc),
    ("fceil", UnOp::FCeil),
    ("ffloor", UnOp::FFloor),
    ("fround", UnOp::FRound),
    ("is_nan", UnOp::FIsNan),
    ("is_inf", UnOp::FIsInf),
    ("is_zero", UnOp::FIsZero),
    ("is_normal", UnOp::FIsNormal),
    ("is_subnormal", UnOp::FIsSubnormal),
    ("is_negative", UnOp::FIsNegative),
    ("fp2bits", UnOp::FToBits),
];

/// A chain of these needs no parentheses when it leans to the left.
pub(crate) fn chains(op: BinOp) -> bool {
    matches!(op, BinOp::And | BinOp::Or | BinOp::BvAdd | BinOp::BvMul | BinOp::BvAnd | BinOp::BvOr | BinOp::Concat)
}

pub(crate) const ORDERS: [(&str, Order); 7] = [
    ("non_atomic", Order::NonAtomic),
    ("volatile", Order::Volatile),
    ("relaxed", Order::Relaxed),
    ("acquire", Order::Acquire),
    ("release", Order::Release),
    ("acq_rel", Order::AcqRel),
    ("seq_cst", Order::SeqCst),
];

pub(crate) const VIOLATIONS: [(&str, Violation); 9] = [
    ("call", Violation::ErrorCall),
    ("assertion", Violation::Assertion),
    ("overflow", Violation::Overflow),
    ("race", Violation::DataRace),
    ("deref", Violation::InvalidDeref),
    ("free", Violation::InvalidFree),
    ("lost", Violation::LostMemory),
    ("unfreed", Violation::UnfreedMemory),
    ("deadlock", Violation::Deadlock),
];

pub(crate) const REASONS: [(&str, HavocReason); 3] = [
    ("input", HavocReason::Input),
    ("undefined_function", HavocReason::UndefinedFunction),
    ("uninitialised", HavocReason::Uninitialised),
];

pub(crate) const HAZARDS: [(&str, Hazard); 4] = [
    ("division_by_zero", Hazard::DivisionByZero),
    ("signed_overflow", Hazard::SignedOverflow),
    ("unreachable", Hazard::Unreachable),
    ("invalid_access", Hazard::InvalidAccess),
];

pub(crate) const STORAGES: [(&str, Storage); 3] =
    [("stack", Storage::Stack), ("heap", Storage::Heap), ("library", Storage::Library)];

/// The word for a thing.
pub(crate) fn word_for<T: PartialEq + Copy>(table: &[(&'static str, T)], thing: T) -> Option<&'static str> {
    table.iter().find(|(_, t)| *t == thing).map(|(word, _)| *word)
}

/// The thing for a word.
pub(crate) fn thing_for<T: Copy>(table: &[(&'static str, T)], word: &str) -> Option<T> {
    table.iter().find(|(w, _)| *w == word).map(|(_, t)| *t)
}
