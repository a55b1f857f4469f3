//! Results of library functions of which only bounds are known.
//!
//! A model havocs such a result and then bounds it. For a proof, it is any value within the bounds. A counterexample must have what the library gives: the label
//! tells the function and its arguments, so that whoever replays it can compute the result, or name the function of which nobody knows it.

use crate::expr::ExprId;
use crate::sort::{FloatSort, Sort};
use serde::{Deserialize, Serialize};

macro_rules! functions {
    ($($function:ident $name:literal),* $(,)?) => {
        /// A function of the library whose results are not known exactly.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        pub enum Function {
            $($function),*
        }

        impl Function {
            pub(crate) const NAMES: &[(&str, Function)] = &[$(($name, Function::$function)),*];
        }
    };
}
functions!(
    Sin "sin", Cos "cos", Tan "tan", Asin "asin", Acos "acos", Atan "atan", Atan2 "atan2",
    Sinh "sinh", Cosh "cosh", Tanh "tanh", Asinh "asinh", Acosh "acosh", Atanh "atanh",
    Exp "exp", Exp2 "exp2", Exp10 "exp10", Expm1 "expm1", Log "log", Log2 "log2", Log10 "log10", Log1p "log1p",
    Pow "pow", Cbrt "cbrt", Hypot "hypot", Erf "erf", Erfc "erfc", Lgamma "lgamma", Tgamma "tgamma",
    J0 "j0", J1 "j1", Jn "jn", Y0 "y0", Y1 "y1", Yn "yn",
    Cexp "cexp", Clog "clog", Clog10 "clog10", Cpow "cpow", Csqrt "csqrt",
    Csin "csin", Ccos "ccos", Ctan "ctan", Casin "casin", Cacos "cacos", Catan "catan",
    Csinh "csinh", Ccosh "ccosh", Ctanh "ctanh", Casinh "casinh", Cacosh "cacosh", Catanh "catanh",
    // Whether a result that underflows, or that is complex, sets errno.
    Errno "errno",
);

impl Function {
    /// By the name of the function for `double`.
    pub fn named(name: &str) -> Option<Function> {
        Function::NAMES.iter().find(|(of, _)| *of == name).map(|(_, function)| *function)
    }

    pub fn name(self) -> &'static str {
        // The table has all of them.
        Function::NAMES.iter().find(|(_, of)| *of == self).map_or("", |(name, _)| name)
    }
}

/// A call of a function, whose result is not known exactly.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct UnknownResult {
    pub function: Function,
    pub args: [Option<ExprId>; 2],
}

impl UnknownResult {
    pub fn args(&self) -> impl Iterator<Item = ExprId> {
        self.args.into_iter().flatten()
    }
}

/// What C calls the function for a format.
pub fn c_name(function: Function, of: Sort) -> String {
    let suffix = match of {
        Sort::Float(FloatSort::F32) => "f",
        Sort::Float(format) if format != FloatSort::F64 => "l",
        _ => "",
    };
    format!("{}{suffix}", function.name())
}
