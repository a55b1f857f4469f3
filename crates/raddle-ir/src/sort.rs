//! The sorts (types) of expressions.
//!
//! Sorts are small `Copy` values, so that the pool can keep one beside every expression.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An IEEE-754 binary format: exponent bits and significand bits (with the hidden bit).
///
/// The x87 80-bit format is `(15, 64)`; its encoding has an explicit integer bit and is 80 bits wide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FloatSort {
    pub exponent: u8,
    pub significand: u8,
}

impl FloatSort {
    pub const F32: FloatSort = FloatSort { exponent: 8, significand: 24 };
    pub const F64: FloatSort = FloatSort { exponent: 11, significand: 53 };
    pub const X87: FloatSort = FloatSort { exponent: 15, significand: 64 };
    pub const F128: FloatSort = FloatSort { exponent: 15, significand: 113 };

    /// How many bits the encoding takes: 32, 64, or 80 for x87 (the integer bit is explicit there).
    pub fn bits(self) -> u8 {
        if self == Self::X87 { 80 } else { self.exponent + self.significand }
    }
}

/// The sort of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Sort {
    Bool,
    /// A bit-vector of 1 to 128 bits.
    Bits(u8),
    Float(FloatSort),
    /// A total map from bit-vectors of `index` bits to bit-vectors of `element` bits.
    Array {
        index: u8,
        element: u8,
    },
}

impl Sort {
    pub const F32: Sort = Sort::Float(FloatSort::F32);
    pub const F64: Sort = Sort::Float(FloatSort::F64);
    pub const X87: Sort = Sort::Float(FloatSort::X87);

    /// How many bits a value of this sort takes; `None` for arrays.
    pub fn bits(self) -> Option<u8> {
        match self {
            Sort::Bool => Some(1),
            Sort::Bits(n) => Some(n),
            Sort::Float(f) => Some(f.bits()),
            Sort::Array { .. } => None,
        }
    }

    /// How many bytes of memory an access of this sort touches (x87: the 10 bytes that carry the value).
    pub fn bytes(self) -> u64 {
        u64::from(self.bits().unwrap_or(0).div_ceil(8))
    }

    pub fn is_bits(self) -> bool {
        matches!(self, Sort::Bits(_))
    }

    pub fn is_float(self) -> bool {
        matches!(self, Sort::Float(_))
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(f, "bool"),
            Sort::Bits(n) => write!(f, "bv{n}"),
            Sort::Float(s) => write!(f, "fp{}_{}", s.exponent, s.significand),
            Sort::Array { index, element } => write!(f, "array{index}_{element}"),
        }
    }
}
