//! What libm computes is allowed by the models that give only bounds (`prelude/math_bounds.c`), with errno and the sign of gamma; and it is what Raddle computes to confirm a
//! violation, where it can.
//!
//! A program calls libm with many arguments and prints the results. A second one ends in an error if each of these calls returns what was printed: Raddle must
//! find that error, and confirm it where it computes the results. Functions are called by `-fno-builtin`, so that it is the library's results and not the compiler's.

use raddle_testing::Random;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `@` is the suffix of the format, `X` and `Y` are arguments.
const UNARY: [&str; 37] = [
    "sin@(X)",
    "cos@(X)",
    "tan@(X)",
    "asin@(X)",
    "acos@(X)",
    "atan@(X)",
    "sinh@(X)",
    "cosh@(X)",
    "tanh@(X)",
    "asinh@(X)",
    "acosh@(X)",
    "atanh@(X)",
    "exp@(X)",
    "exp2@(X)",
    "exp10@(X)",
    "expm1@(X)",
    "log@(X)",
    "log2@(X)",
    "log10@(X)",
    "log1p@(X)",
    "cbrt@(X)",
    "erf@(X)",
    "erfc@(X)",
    "tgamma@(X)",
    "lgamma@_r(X, &sign)",
    "(r = lgamma@(X), sign = signgam, r)",
    "(r = gamma@(X), sign = signgam, r)",
    "(sincos@(X, &r, &other), r)",
    "(sincos@(X, &other, &r), r)",
    "j0@(X)",
    "j1@(X)",
    "jn@(3, X)",
    "jn@(-2, X)",
    "y0@(X)",
    "y1@(X)",
    "yn@(-3, X)",
    "yn@(2, X)",
];
const BINARY: [&str; 3] = ["atan2@(X, Y)", "hypot@(X, Y)", "pow@(X, Y)"];
/// Of these, results are computed for `float` and `double`, unless they underflow: then it is open whether errno is set.
const COMPUTED: [&str; 20] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "exp2", "expm1", "log", "log2", "log10",
    "log1p", "sincos", "atan2", "hypot", "pow",
];
/// Each function is called with these, and with some of the others.
const CORNERS: [&str; 7] = ["0", "-0.0", "1", "-1", "INFINITY", "-INFINITY", "NAN"];
/// What a narrow format does not have rounds to zero or infinity.
const OTHERS: [&str; 30] = [
    "0.5",
    "-0.5",
    "2",
    "-2",
    "3",
    "4",
    "-3",
    "10",
    "-10",
    "0.1",
    "-1.5",
    "1.4616",
    "-0.999999",
    "22",
    "1e-310",
    "-1e-300",
    "1e-45",
    "36.5",
    "88.8",
    "-103.5",
    "171.7",
    "709.8",
    "-745.2",
    "1e4",
    "-1e4",
    "1e15",
    "1e22",
    "1.7e308",
    "-1e308",
    "0x1.fffffffffffffp-1",
];

#[derive(Clone, Copy)]
struct Format {
    real: &'static str,
    suffix: &'static str,
    print: &'static str,
    /// Exponents of normal numbers, of formats whose results are computed.
    least: Option<i32>,
}

const FORMATS: [Format; 3] = [
    Format { real: "float", suffix: "f", print: "%a", least: Some(-126) },
    Format { real: "double", suffix: "", print: "%a", least: Some(-1022) },
    Format { real: "long double", suffix: "l", print: "%La", least: None },
];

/// Calls as C expressions.
fn calls(format: Format, random: &mut Random) -> Vec<String> {
    let mut arguments: Vec<String> = OTHERS.iter().map(ToString::to_string).collect();
    for _ in 0..6 {
        let (whole, part) = (random.below(41) as i64 - 20, random.below(1 << 20));
        arguments.push(format!("({whole} + {part} * 0x1p-20)"));
        arguments.push(format!("{}e{}", random.below(1 << 30), random.below(80) as i64 - 50));
    }
    let value = |argument: &str| format!("({})({argument})", format.real);
    let mut calls = Vec::new();
    for function in UNARY {
        let drawn: Vec<&str> = (0..5).map(|_| random.one(&arguments).as_str()).collect();
        calls.extend(CORNERS.iter().copied().chain(drawn).map(|x| function.replace('X', &value(x))));
    }
    for function in BINARY {
        for _ in 0..50 {
            let mut draw = || if random.chance(35) { random.pick(&CORNERS) } else { random.one(&arguments) };
            let (x, y) = (draw(), draw());
            calls.push(function.replace('Y', &value(y)).replace('X', &value(x)));
        }
    }
    calls.iter().map(|call| call.replace('@', format.suffix)).collect()
}

const START: &str =
    "#define _GNU_SOURCE\n#include <errno.h>\n#include <math.h>\n#include <stdio.h>\nextern void reach_error(void);\n";

/// What libm gives for each call: the number, errno, the sign.
fn native(name: &str, format: Format, calls: &[String]) -> Vec<[String; 3]> {
    let mut text = format!("{START}int main(void) {{\n{} r, other;\nint sign;\n", format.real);
    for call in calls {
        let print = format!("printf(\"{} %d %d\\n\", r, errno, sign);", format.print);
        let _ = writeln!(text, "errno = sign = 0; r = {call}; {print}");
    }
    let file = write(name, &(text + "}\n"));
    let binary = file.with_extension("");
    let compiled =
        Command::new("cc").args(["-w", "-O0", "-fno-builtin", "-o"]).arg(&binary).arg(&file).arg("-lm").output();
    assert!(compiled.expect("cc runs").status.success());
    let output = Command::new(&binary).output().expect("it runs");
    let results = String::from_utf8(output.stdout).expect("it prints numbers");
    let fields = |line: &str| -> [String; 3] {
        let fields: Vec<String> = line.split(' ').map(String::from).collect();
        fields.try_into().expect("three fields")
    };
    results.lines().map(fields).collect()
}

/// Does Raddle know these results?
fn is_computed(format: Format, call: &str, result: &[String; 3]) -> bool {
    let name: &str = call.trim_start_matches('(').split('(').next().unwrap_or_default();
    let name = name.strip_suffix(format.suffix).unwrap_or(name);
    let number = result[0].trim_start_matches('-');
    let exponent = number.split_once('p').and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    let is_normal = |least| !number.starts_with("0x0") && exponent.is_none_or(|exponent| exponent >= least);
    COMPUTED.contains(&name) && format.least.is_some_and(is_normal)
}

/// Does Raddle find an execution where all these calls have these results? Is it confirmed?
fn allows(name: &str, format: Format, calls: &[(&String, &[String; 3])], is_confirmed: bool) -> bool {
    let mut text = format!("{START}int main(void) {{\n{} r, other;\nint sign;\n", format.real);
    for (call, [number, errno, sign]) in calls {
        let minus = i32::from(number.starts_with('-'));
        let literal = match number.trim_start_matches('-') {
            "nan" => "r != r".to_string(),
            "inf" => format!("__builtin_isinf(r) && {minus} == !!__builtin_signbit(r)"),
            digits => {
                format!("__builtin_fabs{0}(r) == {digits}{0} && {minus} == !!__builtin_signbit(r)", format.suffix)
            }
        };
        let _ = writeln!(
            text,
            "errno = sign = 0; r = {call}; if (!({literal} && errno == {errno} && sign == {sign})) return 0;"
        );
    }
    let file = write(name, &(text + "reach_error();\n}\n"));
    let mut raddle = Command::new(env!("CARGO_BIN_EXE_raddle"));
    let output = raddle.args(["--engine", "oc", "--timeout", "60s"]).arg(&file).output().expect("raddle runs");
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    // The error is reached with these results; that they are the library's, Raddle does not know.
    said.contains("VERDICT: false") || !is_confirmed && said.contains("of which only bounds are known")
}

fn write(name: &str, text: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("math_bounds_{name}-{}.c", std::process::id()));
    std::fs::write(&file, text).expect("it can be written");
    file
}

/// The calls that Raddle says cannot have these results.
fn refused<'a>(
    name: &str,
    format: Format,
    calls: &[(&'a String, &'a [String; 3])],
    is_confirmed: bool,
) -> Vec<String> {
    if allows(name, format, calls, is_confirmed) {
        return vec![];
    }
    if let [(call, result)] = calls {
        return vec![format!("{call} = {result:?}")];
    }
    let (first, second) = calls.split_at(calls.len() / 2);
    let mut found = refused(name, format, first, is_confirmed);
    if found.len() < 8 {
        found.extend(refused(name, format, second, is_confirmed));
    }
    found
}

fn results_are_allowed(format: Format) {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: no cc on this machine");
        return;
    }
    let name = format.real.replace(' ', "_");
    let calls = calls(format, &mut Random::new(7));
    let results = native(&name, format, &calls);
    assert_eq!(results.len(), calls.len());
    let (computed, others): (Vec<_>, Vec<_>) =
        calls.iter().zip(&results).partition(|(call, result)| is_computed(format, call, result));
    for (calls, is_confirmed) in [(computed, true), (others, false)] {
        let refused: Vec<String> =
            calls.chunks(60).flat_map(|some| refused(&name, format, some, is_confirmed)).collect();
        assert!(refused.is_empty(), "libm gives what the models do not allow: {refused:#?}");
    }
}

/// The bounds are none where anything is allowed.
#[test]
fn other_results_are_refused() {
    let of = |number: &str, errno: &str| [number.to_string(), errno.to_string(), "0".to_string()];
    for (call, result) in [
        ("sin(1e10)", of("0x1.1p+0", "0")),
        ("pow(3, 4)", of("0x1.48p+6", "0")),
        ("pow(2, -3)", of("0x1p-4", "0")),
        ("log(-1.0)", of("nan", "0")),
        ("exp(-INFINITY)", of("-0x0p+0", "0")),
        ("hypot(3, 4)", of("0x1.fp+1", "0")),
    ] {
        assert!(!allows("refused", FORMATS[1], &[(&call.to_string(), &result)], false), "{call}");
    }
}

#[test]
fn results_of_float_are_allowed() {
    results_are_allowed(FORMATS[0]);
}

#[test]
fn results_of_double_are_allowed() {
    results_are_allowed(FORMATS[1]);
}

#[test]
fn results_of_long_double_are_allowed() {
    results_are_allowed(FORMATS[2]);
}
