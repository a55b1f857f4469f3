//! `--property no-overflow`: signed arithmetic of every kind, by every engine.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The last lines of the engines for a `main` with an input `x`.
fn verdicts(name: &str, args: &[&str], body: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("overflow-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let text = format!(
        "extern int __VERIFIER_nondet_int(void);\nextern long __VERIFIER_nondet_long(void);\nvoid reach_error(void) {{}}\n\
         int main(void) {{\n  int x = __VERIFIER_nondet_int();\n  {body}\n}}\n"
    );
    fs::write(folder.join("a.c"), &text).unwrap();
    let run = |engine: &&str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        command.args(["--property", "no-overflow", "--quiet", "--timeout", "60s", "--engine", engine]);
        let output = command.args(args).arg("a.c").current_dir(&folder).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().last().unwrap_or_default().to_owned()
    };
    ["oc", "cegar"].iter().map(run).collect()
}

fn overflows(name: &str, body: &str) {
    assert_eq!(verdicts(name, &[], body), ["VERDICT: false(no-overflow)"; 2], "{body}");
}

fn fits(name: &str, body: &str) {
    assert_eq!(verdicts(name, &[], body), ["VERDICT: true"; 2], "{body}");
}

#[test]
fn sums_and_products() {
    overflows("add", "return x + 1;");
    overflows("sub", "return 0 - x;");
    overflows("neg", "return -x;");
    overflows("mul", "return x * 3;");
    overflows("square", "if (x > 46340 && x < 46342) return x * x; return 0;");
    overflows("increment", "x++; return 0;");
    overflows("compound", "x -= 2; return 0;");
    overflows("quotient", "int y = __VERIFIER_nondet_int(); if (y != 0) return x / y; return 0;");
    overflows("long", "long l = __VERIFIER_nondet_long(); return (l + x) != 0;");
    fits("bounded", "if (x > -1000 && x < 1000) return x * 3 - x + (x - 1) * -1; return 0;");
    fits("square_fits", "if (x >= 0 && x < 256) return x * x; return 0;");
    fits("wider", "return ((long)x + 1 - x) * 2 == 2;");
    fits("unsigned", "unsigned u = x; return u + u > u * 3u;");
}

/// Narrow operands are promoted: conversions do not overflow.
#[test]
fn promotion_and_conversion() {
    fits("char", "signed char c = x; c++; c += 100; short s = c * c; return (signed char)x + s;");
    fits("cast", "return (int)(x + 2147483648L) == 0;");
    overflows("narrow", "short s = x; return s * s * s;");
}

/// C11 6.5.7.
#[test]
fn shifts() {
    fits("one", "return 1 << 30;");
    overflows("sign", "return 1 << 31;");
    overflows("negative", "if (x < 0) return x << 1; return 0;");
    fits("right", "return x >> 3;");
    fits("unsigned_shift", "return (1u << 31) != 0;");
}

/// What C does not evaluate does not overflow, and assertions are no matter.
#[test]
fn what_is_evaluated() {
    fits("skipped", "return x < 2147483647 && x + 1 > x ? 1 : 0;");
    fits("branch", "int y = x == 2147483647 ? 0 : x + 1; return y;");
    fits("size", "return sizeof(x + 1) > 100;");
    fits("error", "reach_error(); return 0;");
    overflows("behind", "reach_error(); return x + 1;");
}

/// Both data models: `long` has 32 bits or 64.
#[test]
fn data_models() {
    let body = "long l = x; return l + 1 > l;";
    assert_eq!(verdicts("lp64", &["--data-model", "lp64"], body), ["VERDICT: true"; 2]);
    assert_eq!(verdicts("ilp32", &["--data-model", "ilp32"], body), ["VERDICT: false(no-overflow)"; 2]);
}

/// Witnesses of this property are checked like others; an invariant that does not hold is rejected.
#[test]
fn witnesses() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("overflow-witnesses-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        command.args(args).args(["--property", "no-overflow", "--timeout", "60s", "--witness", "w.yml", "a.c"]);
        let output = command.current_dir(&folder).output().unwrap();
        String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned()
    };
    let program = |bound: &str| {
        let text = format!(
            "extern int __VERIFIER_nondet_int(void);\nint main(void) {{\n  int x = 0;\n  while (__VERIFIER_nondet_int())\n    \
             if (x < {bound}) x = x + 1000000000;\n  return x;\n}}\n"
        );
        fs::write(folder.join("a.c"), text).unwrap();
    };
    program("2000000000");
    assert_eq!(run(&["verify"]), "VERDICT: true");
    assert_eq!(run(&["validate"]), "VERDICT: true");
    let witness = fs::read_to_string(folder.join("w.yml")).unwrap();
    let (metadata, _) = witness.split_once("  content:").unwrap();
    let claim = "  content:\n  - invariant:\n      type: loop_invariant\n      location: {file_name: a.c, line: 4, column: 3}\n";
    for (value, verdict) in [("x <= 2000000000", "true"), ("x < 2000000000", "unknown(rejected)")] {
        let text = format!("{metadata}{claim}      value: '{value}'\n      format: c_expression\n");
        fs::write(folder.join("w.yml"), text).unwrap();
        assert_eq!(run(&["validate"]), format!("VERDICT: {verdict}"), "{value}");
    }
    program("2000000001");
    assert_eq!(run(&["verify"]), "VERDICT: false(no-overflow)");
    assert_eq!(run(&["validate"]), "VERDICT: false(no-overflow)");
}
