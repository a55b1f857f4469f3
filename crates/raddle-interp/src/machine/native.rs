//! What functions of the library that are only bounded by their models return on this machine.
//!
//! Where the system's library is glibc, Rust's functions call it, so that the results are those of a program that runs here. Rust has definitions of its own of some (`cbrt`, `asinh`, `acosh`, `atanh`),
//! which differ in the last bits, and none of others: of these, of `long double`, and on other systems, nobody knows. The test `math_bounds` compares all with what C programs compute.

use raddle_ir::{LibraryFunction, Sort};

/// The result in a format, if it is known.
pub fn native(function: LibraryFunction, format: Sort, x: Option<u128>, y: Option<u128>) -> Option<u128> {
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
        fn $name(function: LibraryFunction, x: $real, y: $real) -> Option<$real> {
            let result = match function {
                LibraryFunction::Sin => x.sin(),
                LibraryFunction::Cos => x.cos(),
                LibraryFunction::Tan => x.tan(),
                LibraryFunction::Asin => x.asin(),
                LibraryFunction::Acos => x.acos(),
                LibraryFunction::Atan => x.atan(),
                LibraryFunction::Atan2 => x.atan2(y),
                LibraryFunction::Sinh => x.sinh(),
                LibraryFunction::Cosh => x.cosh(),
                LibraryFunction::Tanh => x.tanh(),
                LibraryFunction::Exp => x.exp(),
                LibraryFunction::Exp2 => x.exp2(),
                LibraryFunction::Expm1 => x.exp_m1(),
                LibraryFunction::Log => x.ln(),
                LibraryFunction::Log2 => x.log2(),
                LibraryFunction::Log10 => x.log10(),
                LibraryFunction::Log1p => x.ln_1p(),
                LibraryFunction::Pow => x.powf(y),
                LibraryFunction::Hypot => x.hypot(y),
                _ => return None,
            };
            // Models say themselves where the result is no number.
            (!result.is_nan()).then_some(result)
        }
    };
}
of_format!(double, f64);
of_format!(single, f32);
