//! What the templates of the library (`math_exact.c`, `math_bounds.c`) leave to the floating-point format.
//!
//! `$real` and `$bits` are the type and the unsigned integer that holds an encoding; `$point` is where the exponent field begins in it, `$top` the field of infinity and NaN,
//! `$bias` that of 1. `$least` is the smallest normal number, `$most` the largest finite one, `$epsilon` the distance from 1 to the next. `$half_pi` and `$pi` are rounded up, with `$under_` down.
//!
//! The rest are bounds: `$under_one` and `$over_one` for functions whose error before rounding is far below half of a unit in the last place (for `long double` there is no such promise),
//! `$near_one` and `$beyond_one` for those that may be some units off; for powers, where results are surely zero (`_under`), finite (`_safe`) and infinite (`_over`); for
//! logarithms, their least and most, rounded away from zero.

/// What stands for `@` and for the words of templates. No word begins with another.
pub struct Format {
    pub suffix: &'static str,
    pub words: [(&'static str, &'static str); 26],
}

impl Format {
    /// A template as C.
    pub fn fill(&self, template: &str) -> String {
        let mut text = String::with_capacity(template.len() * 2);
        let mut rest = template;
        while let Some(at) = rest.find(['@', '$']) {
            let (before, found) = rest.split_at(at);
            text.push_str(before);
            let fillings = self.words.iter().copied().chain([("@", self.suffix)]);
            let filling = fillings.into_iter().find(|(word, _)| found.starts_with(word));
            let (word, value) = filling.unwrap_or(("$", "$"));
            text.push_str(value);
            rest = &found[word.len()..];
        }
        text + rest
    }
}

pub const DOUBLE: Format = Format {
    suffix: "",
    words: [
        ("$real", "double"),
        ("$bits", "unsigned long long"),
        ("$point", "52"),
        ("$top", "2047"),
        ("$bias", "1023"),
        ("$least", "0x1p-1022"),
        ("$epsilon", "0x1p-52"),
        ("$most", "0x1.fffffffffffffp1023"),
        ("$half_pi", "0x1.921fb54442d19p0"),
        ("$under_half_pi", "0x1.921fb54442d18p0"),
        ("$pi", "0x1.921fb54442d19p1"),
        ("$under_pi", "0x1.921fb54442d18p1"),
        ("$under_one", "1"),
        ("$over_one", "1"),
        ("$near_one", "0x1.ffffffffffp-1"),
        ("$beyond_one", "0x1.0000000001p0"),
        ("$exp_under", "-746"),
        ("$exp_safe", "709"),
        ("$exp_over", "710"),
        ("$exp10_under", "-324"),
        ("$exp10_safe", "308"),
        ("$log_least", "-745"),
        ("$log_most", "710"),
        ("$log10_least", "-324"),
        ("$log10_most", "309"),
        ("$gamma_over", "172"),
    ],
};

pub const FLOAT: Format = Format {
    suffix: "f",
    words: [
        ("$real", "float"),
        ("$bits", "unsigned int"),
        ("$point", "23"),
        ("$top", "255"),
        ("$bias", "127"),
        ("$least", "0x1p-126f"),
        ("$epsilon", "0x1p-23f"),
        ("$most", "0x1.fffffep127f"),
        ("$half_pi", "0x1.921fb6p0f"),
        ("$under_half_pi", "0x1.921fb4p0f"),
        ("$pi", "0x1.921fb6p1f"),
        ("$under_pi", "0x1.921fb4p1f"),
        ("$under_one", "1"),
        ("$over_one", "1"),
        ("$near_one", "0x1.ffffp-1f"),
        ("$beyond_one", "0x1.0001p0f"),
        ("$exp_under", "-104"),
        ("$exp_safe", "88"),
        ("$exp_over", "89"),
        ("$exp10_under", "-46"),
        ("$exp10_safe", "38"),
        ("$log_least", "-104"),
        ("$log_most", "89"),
        ("$log10_least", "-45"),
        ("$log10_most", "39"),
        ("$gamma_over", "36"),
    ],
};

pub const LONG_DOUBLE: Format = Format {
    suffix: "l",
    words: [
        ("$real", "long double"),
        ("$bits", "unsigned __int128"),
        ("$point", "63"),
        ("$top", "32767"),
        ("$bias", "16383"),
        ("$least", "0x1p-16382L"),
        ("$epsilon", "0x1p-63L"),
        ("$most", "0x1.fffffffffffffffep16383L"),
        ("$half_pi", "0xc90fdaa22168c235p-63L"),
        ("$under_half_pi", "0xc90fdaa22168c234p-63L"),
        ("$pi", "0xc90fdaa22168c235p-62L"),
        ("$under_pi", "0xc90fdaa22168c234p-62L"),
        ("$under_one", "0x1.ffffffffffffffep-1L"),
        ("$over_one", "0x1.000000000000001p0L"),
        ("$near_one", "0x1.ffffffffffffp-1L"),
        ("$beyond_one", "0x1.000000000001p0L"),
        ("$exp_under", "-11400"),
        ("$exp_safe", "11356"),
        ("$exp_over", "11357"),
        ("$exp10_under", "-4951"),
        ("$exp10_safe", "4932"),
        ("$log_least", "-11399"),
        ("$log_most", "11357"),
        ("$log10_least", "-4951"),
        ("$log10_most", "4933"),
        ("$gamma_over", "1756"),
    ],
};
