//! What functions of the library that are only bounded by their models return on this machine.
//!
//! Where the system's library is glibc, Rust's functions call it, so that the results are those of a program that runs here. Rust has definitions of its own of some (`cbrt`, `asinh`, `acosh`, `atanh`),
//! which differ in the last bits, and none of others: of these, of `long double`, and on other systems, nobody knows. The test `math_bounds` compares all with what C programs compute.

use raddle_ir::{Function, Sort};

/// The result in a format, if it is known.
pub fn native(function: Function, format: Sort, x: Option<u128>, y: Option<u128>) -> Option<u128> {
    if !cfg!(all(target_os = "linux", target_env = "gnu")) {
        return None;
    }
    let y = y.unwrap_or(0);
    match format {
        Sort::F64 => double(function, f64::from_bits(x? as u64), f64::from_bits(y as u64)).map(|r| r.to_bits().into()),
        Sort::F32 => single(function, f32::from_bits(x? as u32), f32::from_bits(y as u32)).map(|r| r.to_bits().into()),
        _ => None,
    }
}

macro_rules! of_format {
    ($name:ident, $real:ident) => {
        fn $name(function: Function, x: $real, y: $real) -> Option<$real> {
            let result = match function {
                Function::Sin => x.sin(),
                Function::Cos => x.cos(),
                Function::Tan => x.tan(),
                Function::Asin => x.asin(),
                Function::Acos => x.acos(),
                Function::Atan => x.atan(),
                Function::Atan2 => x.atan2(y),
                Function::Sinh => x.sinh(),
                Function::Cosh => x.cosh(),
                Function::Tanh => x.tanh(),
                Function::Exp => x.exp(),
                Function::Exp2 => x.exp2(),
                Function::Expm1 => x.exp_m1(),
                Function::Log => x.ln(),
                Function::Log2 => x.log2(),
                Function::Log10 => x.log10(),
                Function::Log1p => x.ln_1p(),
                Function::Pow => x.powf(y),
                Function::Hypot => x.hypot(y),
                _ => return None,
            };
            // Models say themselves where the result is no number.
            (!result.is_nan()).then_some(result)
        }
    };
}
of_format!(double, f64);
of_format!(single, f32);
